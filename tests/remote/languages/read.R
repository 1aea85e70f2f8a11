# Opens a URL, reads a tile, and prints it with the counts of requests and bytes. A wrong URL prints the status.
library(asdfkit)

url <- commandArgs(TRUE)[1]
file <- asdf_open(paste0(url, "image.asdf"))
tile <- asdf_read(file, "data", start = c(2001, 3001), count = c(64, 64))
counts <- asdf_transfers(file)
cat(sprintf("%.1f %.0f %.0f\n", sum(tile), counts[["requests"]], counts[["bytes"]]))
status <- tryCatch(asdf_open(paste0(url, "missing.asdf")), asdf_error_file_not_found = function(condition) 1L)
cat(sprintf("%d\n", status))
