# Reads a table in ECSV with missing values and units: read_table.R TABLE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_table.R TABLE")
  quit(status = 2)
}
tryCatch({
  table <- read_ecsv(arguments[[1]])
  print(table)
  cat("flux in", attr(table$flux, "unit"), "\n")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
