# Reads a column of angles in hours instead of degrees: read_in_unit.R TABLE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_in_unit.R TABLE")
  quit(status = 2)
}
tryCatch({
  table <- read_ecsv(arguments[[1]], units = c(ra = "hourangle"))
  cat(sprintf("%.4f h\n", table$ra), sep = "")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
