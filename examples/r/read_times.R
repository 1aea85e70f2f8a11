# Reads a column of times of an ECSV table: read_times.R TABLE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_times.R TABLE")
  quit(status = 2)
}
tryCatch({
  table <- read_ecsv(arguments[[1]])
  for (start in as.numeric(table$start)) {
    if (is.na(start)) cat("missing\n") else cat(sprintf("%.3f s of UTC since 1970\n", start))
  }
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
