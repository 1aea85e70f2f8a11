# Reads a time in UTC: read_time.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: read_time.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_open(arguments[[1]])
  start <- asdf_get_time(file, "meta/exposure/start")   # POSIXct, with microseconds
  cat(format(start, "%Y-%m-%d %H:%M:%OS3"), "UTC,", sprintf("%.3f", as.numeric(start)), "s since 1970\n")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
