# Units: texts in all spellings, kinds, equality, conversions.

spelling_number <- function(spelling) {
  spellings <- c("generic", "vounit", "fits", "cds")
  match(match.arg(spelling, spellings), spellings) - 1L
}

unit_format <- function(unit, to = "generic", spelling = "generic") {
  .Call(C_unit_format, unit, spelling_number(spelling), spelling_number(to))
}

unit_kind <- function(unit, spelling = "generic") {
  c("unknown", "linear", "magnitude", "decibel", "dex")[.Call(C_unit_kind, unit, spelling_number(spelling)) + 1L]
}

unit_physical <- function(unit, spelling = "generic") {
  tryCatch(.Call(C_unit_physical, unit, spelling_number(spelling)), asdf_error_not_found = function(condition) NULL)
}

unit_equal <- function(unit, other, spelling = "generic") {
  number <- spelling_number(spelling)
  .Call(C_unit_equal, unit, number, other, number)
}

unit_convert <- function(values, unit, to, spelling = "generic", ...) {
  storage.mode(values) <- "double"
  result <- .Call(C_unit_convert, values, unit, to, spelling_number(spelling), make_options("convert_units", list(...)))
  # Numbers of a column have their unit as an attribute.
  if (!is.null(attr(result, "unit", exact = TRUE))) attr(result, "unit") <- to
  result
}
