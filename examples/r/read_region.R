# Reads every second pixel of a window of an image: read_region.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_region.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  # The first dimension is the last one in C: rows 76, 78, 80, 82 and columns 54, 56, ... there.
  window <- asdf_read(file, "data", start = c(55, 77), count = c(6, 4), step = c(2, 2))
  cat("first ", window[1], ", last ", window[length(window)], "\n", sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
