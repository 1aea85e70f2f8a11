# Writes a new file with a string, a number and a compressed image: write_file.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: write_file.R FILE")
  quit(status = 2)
}
tryCatch({
  file <- asdf_new()
  file[["meta/telescope"]] <- "Roman"
  file[["meta/exposure/time"]] <- 139.8
  asdf_set(file, "data", matrix(0, 6, 4), compression = "zlib", datatype = "float32")
  asdf_write(file, arguments[[1]])
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
