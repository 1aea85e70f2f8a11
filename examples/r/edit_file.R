# Changes a number in a file and saves it: edit_file.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: edit_file.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]], "r+")
  file[["meta/exposure/time"]] <- 140.5
  asdf_save(file)
  close(file)
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
