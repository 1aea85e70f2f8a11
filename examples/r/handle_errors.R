# Decides by the class of a condition, and prints its place: handle_errors.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: handle_errors.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  asdf_read(file, "meta/exposure/start")
}, asdf_error_wrong_type = function(problem) {
  cat("line ", problem$line, " is no array\n", conditionMessage(problem), "\n", sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
