# Reads an image with missing pixels: read_masked.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_masked.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  image <- asdf_read(file, "data")                # NA where a pixel is missing
  cat(sum(is.na(image)), " missing, the others from ", sprintf("%.1f", min(image, na.rm = TRUE)), "\n", sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
