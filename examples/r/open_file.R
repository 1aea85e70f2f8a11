# Opens a file, prints it, closes it: open_file.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: open_file.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  print(file)
  close(file)
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
