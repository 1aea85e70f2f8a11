# Reads a whole image of any size: read_array.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_array.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  image <- asdf_read(file, "data")
  cat(nrow(image), " x ", ncol(image), ", last pixel ", image[length(image)], "\n", sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
