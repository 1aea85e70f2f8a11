# Failures of the library as conditions.

# Makes and signals the condition of a failure; C code calls it. Its classes are, from the most special one:
# asdf_error_<name of the status>, asdf_error_<group>, asdf_error, error, condition.
raise_error <- function(status, name, fields) {
  group <- c("argument", "system", "file", "codec", "tree", "array", "limit", "table", "transform", "schema")[status %/% 100L]
  if (status == 299L) group <- "internal"
  for (index in 1:2) fields[[index]] <- in_r(fields[[index]])
  condition <- structure(
    class = c(paste0("asdf_error_", tolower(sub("^ASDF_ERR_", "", name))), paste0("asdf_error_", group),
      "asdf_error", "error", "condition"),
    list(
      message = fields[[1L]], call = sys.call(-2L), status = name, text = fields[[2L]], path = fields[[3L]],
      file = fields[[4L]], subject = fields[[5L]], line = fields[[6L]], column = fields[[7L]],
      offset = fields[[8L]], os_number = fields[[9L]]
    )
  )
  stop(condition)
}

# Returns a value; a failure that knows no file gets this one.
of_file <- function(path, value) {
  tryCatch(value, asdf_error = function(problem) {
    if (!isTRUE(nzchar(problem$file, keepNA = TRUE)) && is.character(path)) {
      problem$file <- path
      problem$message <- paste0(path, ": ", problem$message)
    }
    stop(problem)
  })
}

# A message of the library in the terms of this package: options are arguments here, and no constants of C.
in_r <- function(message) {
  message <- sub("open it for update", "open it with the mode \"r+\"", message, fixed = TRUE)
  message <- sub("the option for empty strings can allow it", "empty_strings = \"mark_all\" allows it", message, fixed = TRUE)
  # Only a uint64 that is read has so many digits without a point or an exponent.
  message <- sub("( [0-9]{19,20}, which int64 cannot hold)$", "\\1; bigint = \"character\" reads it", message)
  sub("repeat it, or forget the failure", "repeat it, or call asdf_forget_failure()", message, fixed = TRUE)
}

# Returns the handle inside an object of a class of this package.
part_of <- function(x, class, name) {
  if (!inherits(x, class)) refuse("WRONG_HANDLE", paste0("expected an object of the class ", class))
  unclass(x)[[name]]
}

# Signals a failure that this package finds itself, with a status of the library.
refuse <- function(status, message, path = NA_character_) {
  number <- statuses[[status]]
  entry <- if (is.na(path) || !nzchar(path)) message else paste0(path, ": ", message)
  raise_error(number, paste0("ASDF_ERR_", status),
    list(entry, message, path, NA_character_, NA_character_, NA_real_, NA_real_, NA_real_, NA_real_))
}
