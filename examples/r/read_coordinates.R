# Reads positions on the sky and their frame: read_coordinates.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_coordinates.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  sky <- asdf_get_coordinates(file, "targets", units = c(ra = "deg", dec = "deg"))
  cat(sprintf("%s: ra %.4f, dec %.4f\n", sky$frame, sky$components$ra, sky$components$dec), sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
