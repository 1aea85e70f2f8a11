# Reads and writes a large array in R: arrays.R open|read|write FILE
library(asdfkit)
arguments <- commandArgs(trailingOnly = TRUE)
if (arguments[[1]] == "write") {
  file <- asdf_new()
  data <- rep(1.5, 8192 * 4096)
  dim(data) <- c(8192, 4096)
  asdf_set(file, "data", data)
  asdf_write(file, arguments[[2]])
} else {
  array <- asdf_array(asdf_open(arguments[[2]]), "data")
  if (arguments[[1]] == "read") stopifnot(asdf_read(array)[[8192 * 4096]] == 1.5)
}
