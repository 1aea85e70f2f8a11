# Failures of the library as conditions.

# Makes and signals the condition of a failure; C code calls it. Its classes are, from the most special one:
# asdf_error_<name of the status>, asdf_error_<group>, asdf_error, error, condition.
raise_error <- function(status, name, fields) {
  group <- c("argument", "system", "file", "codec", "tree", "array", "limit", "table", "transform", "schema")[status %/% 100L]
  if (status == 299L) group <- "internal"
  if (length(fields) == 10L && !is.na(fields[[2L]])) {
    text <- fields[[2L]]
    place <- if (endsWith(fields[[1L]], text)) substr(fields[[1L]], 1L, nchar(fields[[1L]]) - nchar(text)) else ""
    fields[[2L]] <- counted_from_one(text)
    fields[[1L]] <- paste0(place, fields[[2L]])
  }
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

# A sentence of the library with the numbers of R, if it begins with those of an element or a row, which the library
# counts from 0: "row 0: element 1 is 2.5" becomes "row 1: element 2 is 2.5". Longer numbers are left as they are.
counted_from_one <- function(text) {
  done <- ""
  repeat {
    found <- regexec("^((?:the )?(?:element|row|time number|there is no row|rows from) )([0-9]{1,15})\\b(: )?", text, perl = TRUE)
    parts <- regmatches(text, found)[[1L]]
    if (length(parts) == 0L) break
    number <- format(as.numeric(parts[[3L]]) + 1, scientific = FALSE, digits = 16L)
    done <- paste0(done, parts[[2L]], number, parts[[4L]])
    text <- substring(text, nchar(parts[[1L]]) + 1L)
    if (!nzchar(parts[[4L]])) break
  }
  last <- regmatches(text, regexec("^(.*; time number )([0-9]{1,15})$", text))[[1L]]
  paste0(done, if (length(last)) paste0(last[[2L]], format(as.numeric(last[[3L]]) + 1, scientific = FALSE)) else text)
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
  message <- gsub(" \\(ASDF_OPTION_[A-Z0-9_]+\\)", "", message)
  message <- sub("open it for update", "open it with the mode \"r+\"", message, fixed = TRUE)
  message <- sub("which int64 cannot hold$", "which int64 cannot hold; bigint = \"character\" reads it", message)
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
