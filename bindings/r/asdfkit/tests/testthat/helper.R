# Files that the tests make, and the check of a failure.

new_path <- function(suffix = ".asdf") tempfile(fileext = suffix)

# Writes a new file that `fill` fills, and returns its name.
written <- function(fill, ...) {
  path <- new_path()
  file <- asdf_new()
  fill(file)
  asdf_write(file, path, durable = FALSE, ...)
  close(file)
  path
}

# Writes a value, reads it again, and returns it.
again <- function(value, ..., bigint = "integer64") {
  path <- written(function(file) asdf_set(file, "value", value, ...))
  file <- asdf_open(path)
  on.exit(close(file))
  if (asdf_kind(file, "value") == "array") asdf_read(file, "value", bigint = bigint) else asdf_get(file, "value", bigint = bigint)
}

expect_status <- function(code, status) {
  condition <- tryCatch(code, asdf_error = function(condition) condition)
  expect_s3_class(condition, "asdf_error")
  expect_identical(condition$status, paste0("ASDF_ERR_", status))
  invisible(condition)
}
