# Reads a number by its path, and another one with a default: read_scalar.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_scalar.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  seconds <- file[["meta/exposure/time"]]
  repeats <- asdf_get(file, "meta/exposure/repeats", default = 1)
  cat(seconds, " s, ", repeats, " exposure(s)\n", sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
