# Lists the keys at the root of a file: list_tree.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: list_tree.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  writeLines(names(file))
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
