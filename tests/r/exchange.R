# Reads a file of Python asdf and writes what it read: exchange.R INPUT OUTPUT
library(asdfkit)
paths <- commandArgs(trailingOnly = TRUE)
input <- asdf_open(paths[[1]])
output <- asdf_new()
for (name in names(input)) {
  if (name %in% c("asdf_library", "history", "records")) next
  value <- input[[name]]
  if (inherits(value, "asdf_array")) {
    value <- asdf_read(value)
    asdf_set(output, name, value, storage = "internal")
  } else {
    asdf_set(output, name, value)
  }
}
stopifnot(identical(dim(asdf_array(input, "int32")), c(6, 4)))
stopifnot(identical(is.na(asdf_read(input, "nan")), c(TRUE, TRUE, FALSE)))
stopifnot(identical(is.nan(asdf_read(input, "nan")), c(TRUE, TRUE, FALSE)))
records <- asdf_read(input, "records")
stopifnot(identical(records$i, 1:2), identical(records$s, c("a", "b")), is.nan(records$x[[2]]))
stopifnot(identical(records$v, matrix(1:4, 2, byrow = TRUE)))
stopifnot(identical(asdf_read(input, "records", start = 2, count = 1)$v, matrix(3:4, 1)))
asdf_set(output, "float32 of R", c(0.5, 1.5), datatype = "float32")
output[["list"]] <- list(a = list(1L, 2.5, "x"), b = setNames(list(), character()))
asdf_write(output, paths[[2]], replace = TRUE)
