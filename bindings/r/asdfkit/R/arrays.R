# Arrays: reading them as vectors, regions, writing regions, storage.

asdf_array <- function(x, path = "") {
  array <- .Call(C_array_get, x, path)
  attr(array, "node") <- .Call(C_node_get, x, path)
  array
}

asdf_read <- function(x, path = "", start = NULL, count = NULL, step = NULL,
                      bigint = c("integer64", "numeric", "character"), ...) {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  options <- list(...)
  read_array(array, start, count, step, match.arg(bigint), make_options("read", options), !is.null(options$unit))
}

# Integers in another unit become doubles.
read_array <- function(array, start, count, step, bigint, options, in_unit) {
  region <- find_region(dim(array), start, count, step)
  fields <- .Call(C_array_fields, array)
  if (length(fields) == 0L) {
    return(.Call(C_array_read, array, region$start, region$count, region$step, bigint, options, in_unit))
  }
  rank <- length(dim(array))
  columns <- lapply(fields, function(name) {
    field <- .Call(C_array_field, array, name)
    own <- dim(field)[seq_len(length(dim(field)) - rank)]
    # The dimensions of the field come first.
    wider <- if (is.null(region$start)) region else {
      list(start = c(0 * own, region$start), count = c(own, region$count), step = c(0 * own + 1, region$step))
    }
    values <- if (length(.Call(C_array_fields, field))) {
      read_array(field, if (is.null(wider$start)) NULL else wider$start + 1, wider$count, wider$step, bigint, options,
        in_unit)
    } else {
      .Call(C_array_read, field, wider$start, wider$count, wider$step, bigint, options, in_unit)
    }
    # A column of a data frame has its rows first.
    if (rank == 1L && length(own) && !is.data.frame(values)) rows_first(values) else values
  })
  names(columns) <- fields
  if (rank != 1L) return(columns)
  rows <- if (is.null(region$count)) dim(array) else region$count
  structure(columns, class = "data.frame", row.names = .set_row_names(rows))
}

# Moves the last dimension to the front.
rows_first <- function(values) {
  rank <- length(dim(values))
  kept <- oldClass(values)
  moved <- aperm(unclass(values), c(rank, seq_len(rank - 1L)))
  class(moved) <- kept
  moved
}

# Returns start from 0, count and step for C code; all NULL for a whole array. What is missing goes to the end.
find_region <- function(dim, start, count, step) {
  if (is.null(start) && is.null(count) && is.null(step)) return(list())
  rank <- length(dim)
  if (is.null(step)) step <- rep(1, rank)
  for (given in list(start, count, step)) {
    if (!is.null(given) && length(given) != rank) {
      refuse("INVALID_ARGUMENT",
        paste0("the array has ", rank, " dimensions, so start, count and step must have as many numbers"))
    }
  }
  if (any(is.na(step)) || any(step == 0)) refuse("INVALID_ARGUMENT", "a step must be a whole number, and not 0")
  if (is.null(start)) start <- ifelse(step > 0, 1, dim)
  if (is.null(count)) count <- pmax(0, ifelse(step > 0, (dim - start) %/% step + 1, (start - 1) %/% -step + 1))
  list(start = start - 1, count = count, step = step)
}

asdf_write_region <- function(x, path = "", value, start = NULL, count = NULL, step = NULL, ...) {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  if (is.null(count) && !is.null(start)) {
    count <- if (is.null(dim(value))) c(length(value), rep(1, length(start) - 1L)) else dim(value)
  }
  region <- find_region(dim(array), start, count, step)
  .Call(C_array_write, array, region$start, region$count, region$step, value, make_options("write_region", list(...)))
  invisible(x)
}

"[.asdf_array" <- function(x, ..., drop = TRUE) {
  region <- region_of(dim(x), eval(substitute(alist(...))), parent.frame())
  values <- asdf_read(x, start = region$start, count = region$count, step = region$step)
  if (drop && !is.null(dim(values))) drop(values) else values
}

"[<-.asdf_array" <- function(x, ..., value) {
  region <- region_of(dim(x), eval(substitute(alist(...))), parent.frame())
  if (length(value) == 1L) value <- rep(value, prod(region$count))
  asdf_write_region(x, value = value, start = region$start, count = region$count, step = region$step)
  x
}

# Returns start, count and step of the indices in brackets, expressions that may be empty; [] is the whole array.
region_of <- function(extents, indices, caller) {
  indices <- lapply(indices, function(index) if (identical(index, quote(expr = ))) NULL else eval(index, caller))
  if (length(indices) == 0L || (length(indices) == 1L && is.null(indices[[1L]]))) {
    indices <- rep(list(NULL), length(extents))
  }
  if (length(indices) != length(extents)) {
    refuse("INVALID_ARGUMENT", paste0("the array has ", length(extents), " dimensions, and there are ", length(indices),
      " indices"))
  }
  regions <- Map(regular, indices, extents)
  part <- function(name) vapply(regions, function(region) region[[name]], 0)
  list(start = part("start"), count = part("count"), step = part("step"))
}

# Returns start, count and step of an index, which must be a regular sequence.
regular <- function(index, extent) {
  if (is.null(index)) return(list(start = 1, count = extent, step = 1))
  if (is.logical(index)) refuse("UNSUPPORTED", "logical indices are not possible: read the array first")
  if (length(index) == 0L) return(list(start = 1, count = 0, step = 1))
  if (anyNA(index) || any(index < 1) || any(index > extent)) {
    refuse("OUT_OF_RANGE", paste0("an index is outside 1 to ", extent))
  }
  step <- if (length(index) > 1L) index[[2L]] - index[[1L]] else 1
  if (step == 0 || (length(index) > 2L && any(diff(index) != step))) {
    refuse("UNSUPPORTED", "the indices of a dimension must be a regular sequence, as 1:10 or seq(1, 99, by = 2)")
  }
  list(start = as.numeric(index[[1L]]), count = length(index), step = as.numeric(step))
}

dim.asdf_array <- function(x) .Call(C_array_info, x)$dim
length.asdf_array <- function(x) prod(dim(x))
as.array.asdf_array <- function(x, ...) asdf_read(x, ...)
as.matrix.asdf_array <- function(x, ...) {
  values <- asdf_read(x, ...)
  rank <- length(dim(x))
  if (rank == 1L && is.null(dim(values))) return(matrix(values, ncol = 1L))
  if (rank > 2L || is.list(values)) {
    refuse("INVALID_ARGUMENT", paste0("an array of ", rank, " dimensions", if (is.list(values)) " and of records",
      " is no matrix: asdf_read() reads it"))
  }
  as.matrix(values)
}
as.vector.asdf_array <- function(x, mode = "any") as.vector(asdf_read(x), mode)

asdf_datatype <- function(x, path = "") {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  .Call(C_array_info, array)$datatype
}

asdf_unit <- function(x, path = "") {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  tryCatch(.Call(C_array_unit, array), asdf_error_not_found = function(condition) NULL)
}

asdf_is_masked <- function(x, path = "") {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  .Call(C_array_info, array)$masked
}

asdf_field <- function(x, name) .Call(C_array_field, x, name)

asdf_resize <- function(x, path, dim, ...) {
  .Call(C_node_resize_array, x, path, as.numeric(dim), make_options("plain", list(...)))
  invisible(x)
}

asdf_set_storage <- function(x, path, storage = c("internal", "inline", "external", "streamed"), ...) {
  storage <- match.arg(storage)
  .Call(C_node_set_storage, x, path, constants$storage[[storage]], make_options("storage", list(...)))
  invisible(x)
}

asdf_compress <- function(x, path, compression, ...) {
  .Call(C_node_recompress, x, path, make_options("compression", list(codec = compression, ...)))
  invisible(x)
}

array_text <- function(array) {
  info <- .Call(C_array_info, array)
  paste0(info$datatype, " [", paste(format(info$dim, scientific = FALSE, trim = TRUE), collapse = " x "), "]",
    if (info$masked) " with missing elements")
}

print.asdf_array <- function(x, ...) {
  cat("<ASDF array ", array_text(x), ">\n", sep = "")
  invisible(x)
}
str.asdf_array <- function(object, ...) print(object)
format.asdf_array <- function(x, ...) paste0("<ASDF array ", array_text(x), ">")
