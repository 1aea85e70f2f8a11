# Arrays: reading them as vectors, regions, writing regions, storage.

asdf_array <- function(x, path = "") {
  array <- .Call(C_array_get, x, path)
  attr(array, "node") <- .Call(C_node_get, x, path)
  array
}

asdf_read <- function(x, path = "", start = NULL, count = NULL, step = NULL,
                      bigint = c("integer64", "numeric", "character"), ...) {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  bigint <- match.arg(bigint)
  given <- list(...)
  options <- make_options("read", given, c("start", "count", "step", "bigint"))
  at_path(place_of(x, path), read_array(array, start, count, step, bigint, options, !is.null(given$unit)))
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
        paste0("the array has ", rank, if (rank == 1L) " dimension" else " dimensions",
          ", so start, count and step must have as many numbers"))
    }
  }
  if (any(is.na(step)) || any(step == 0)) refuse("INVALID_ARGUMENT", "a step must be a whole number, and not 0")
  if (is.null(start)) start <- ifelse(step > 0, 1, dim)
  if (is.null(count)) count <- pmax(0, ifelse(step > 0, (dim - start) %/% step + 1, (start - 1) %/% -step + 1))
  check_region(dim, start, count, step)
  list(start = start - 1, count = count, step = step)
}

# The library counts indices and dimensions as the file does, so regions outside of the array are refused here.
check_region <- function(dim, start, count, step) {
  last <- start + (count - 1) * step
  is_outside <- count > 0 & (pmin(start, last) < 1 | pmax(start, last) > dim)
  if (!any(is_outside, na.rm = TRUE)) return(invisible())
  along <- which(is_outside)[[1L]]
  refuse("OUT_OF_RANGE", paste0("the region reaches from ", format(start[[along]]), " to ", format(last[[along]]),
    " along dimension ", along, ", which has ", format(dim[[along]]), " elements"))
}

asdf_write_region <- function(x, path = "", value, start = NULL, count = NULL, step = NULL, ...) {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  if (is.null(count) && !is.null(start)) {
    count <- if (is.null(dim(value))) c(length(value), rep(1, length(start) - 1L)) else dim(value)
  }
  region <- at_path(place_of(x, path), find_region(dim(array), start, count, step))
  options <- make_options("write_region", list(...))
  at_path(place_of(x, path), .Call(C_array_write, array, region$start, region$count, region$step, value, options))
  invisible(x)
}

# Adds elements along the last dimension, which asdf_save keeps.
asdf_append <- function(x, path = "", value, ...) {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  options <- make_options("write_region", list(...))
  at_path(place_of(x, path), .Call(C_array_append, array, value, options))
  invisible(x)
}

# Indices are those of an R array. A part is read as the region that the indices span. One index for several dimensions,
# a matrix of indices or a missing index read the whole array.
"[.asdf_array" <- function(x, ..., drop = TRUE) {
  indices <- given_indices(eval(substitute(alist(...))), parent.frame())
  extents <- dim(x)
  if (length(indices) == 1L && length(extents) != 1L && !is.null(indices[[1L]])) return(whole(x)[indices[[1L]]])
  if (length(indices) == 0L || (length(indices) == 1L && is.null(indices[[1L]]))) {
    indices <- rep(list(NULL), length(extents))
  }
  check_count(indices, extents)
  numbers <- Map(positions, indices, extents, seq_along(extents), list(array_path(x)))
  if (any(vapply(numbers, function(number) anyNA(number), TRUE))) return(do.call(`[`, c(list(whole(x)), numbers, drop = drop)))
  regions <- Map(spanned, numbers, extents)
  part <- function(name) vapply(regions, function(region) region[[name]], 0)
  values <- asdf_read(x, start = part("start"), count = part("count"), step = part("step"))
  lists <- lapply(regions, function(region) if (is.null(region$within)) TRUE else region$within)
  if (!all(vapply(lists, isTRUE, TRUE))) {
    values <- if (is.null(dim(values))) values[lists[[1L]]] else do.call(`[`, c(list(values), lists, drop = FALSE))
  }
  if (drop && !is.null(dim(values))) drop(values) else values
}

# Returns the positions of an index of one dimension; NULL for all.
positions <- function(index, extent, along, path) {
  if (is.null(index)) return(NULL)
  if (is.character(index)) refuse("OUT_OF_RANGE", "the array has no names of rows or columns", path)
  outside <- if (is.logical(index)) length(index) > extent else {
    is.numeric(index) && any(index > extent | index < -extent, na.rm = TRUE)
  }
  if (outside) refuse_index(extent, along, path)
  # Most indices are regular, and need no vector of all positions.
  if (is.numeric(index) && !anyNA(index) && length(index) && min(index) >= 1) return(index)
  seq_len(extent)[index]
}

# Returns start, count and step of the region that positions span, and their positions within it unless they are all.
spanned <- function(numbers, extent) {
  if (is.null(numbers)) return(list(start = 1, count = extent, step = 1))
  numbers <- floor(numbers)
  count <- length(numbers)
  if (count == 0L) return(list(start = 1, count = 0, step = 1))
  step <- if (count > 1L) numbers[[2L]] - numbers[[1L]] else 1
  if (step != 0 && (count <= 2L || all(diff(numbers) == step))) {
    return(list(start = as.numeric(numbers[[1L]]), count = count, step = as.numeric(step)))
  }
  least <- min(numbers)
  list(start = as.numeric(least), count = max(numbers) - least + 1, step = 1, within = numbers - least + 1)
}

refuse_index <- function(extent, along, path) {
  refuse("OUT_OF_RANGE", paste0("an index of dimension ", along, " is outside 1 to ", format(extent, scientific = FALSE)), path)
}

# Returns the path of an array, if it has a node.
array_path <- function(x) {
  node <- attr(x, "node", exact = TRUE)
  if (is.null(node)) NA_character_ else asdf_path(node)
}

# Returns the path of what a function gets: an array, or a file or a node with a path from there.
place_of <- function(x, path) {
  if (inherits(x, "asdf_array")) return(array_path(x))
  start <- if (inherits(x, "asdf_node")) asdf_path(x) else ""
  paste(c(start, if (nzchar(path)) sub("^/", "", path)), collapse = "/")
}

# Returns a value; a failure that knows no path gets this one.
at_path <- function(path, value) {
  tryCatch(value, asdf_error = function(problem) {
    if (is.na(problem$path) && !is.na(path)) {
      problem$path <- path
      problem$message <- paste0(path, ": ", problem$message)
    }
    stop(problem)
  })
}

whole <- function(x) asdf_read(x)

# A single element.
"[[.asdf_array" <- function(x, ..., exact = TRUE) {
  value <- do.call(`[`, list(x, ...))
  if (length(value) != 1L) refuse("OUT_OF_RANGE", "[[ ]] takes the index of one element", array_path(x))
  value
}

"[<-.asdf_array" <- function(x, ..., value) {
  region <- region_of(dim(x), eval(substitute(alist(...))), parent.frame(), array_path(x))
  if (length(value) == 1L) value <- rep(value, prod(region$count))
  asdf_write_region(x, value = value, start = region$start, count = region$count, step = region$step)
  x
}

# Returns the values of indices in brackets, expressions that may be empty: NULL.
given_indices <- function(indices, caller) {
  lapply(indices, function(index) if (identical(index, quote(expr = ))) NULL else eval(index, caller))
}

check_count <- function(indices, extents) {
  if (length(indices) == length(extents)) return(invisible())
  refuse("INVALID_ARGUMENT", paste0("the array has ", length(extents), " dimensions, and there are ", length(indices),
    " indices"))
}

# Returns start, count and step of the indices of a part that is written; [] is the whole array.
region_of <- function(extents, indices, caller, path = NA_character_) {
  indices <- given_indices(indices, caller)
  if (length(indices) == 0L || (length(indices) == 1L && is.null(indices[[1L]]))) {
    indices <- rep(list(NULL), length(extents))
  }
  check_count(indices, extents)
  regions <- Map(regular, indices, extents, seq_along(extents), list(path))
  part <- function(name) vapply(regions, function(region) region[[name]], 0)
  list(start = part("start"), count = part("count"), step = part("step"))
}

# Returns start, count and step of an index, which must be a regular sequence.
regular <- function(index, extent, along = 1L, path = NA_character_) {
  if (is.null(index)) return(list(start = 1, count = extent, step = 1))
  if (is.logical(index)) refuse("UNSUPPORTED", "logical indices are not possible: read the array first")
  if (length(index) == 0L) return(list(start = 1, count = 0, step = 1))
  if (anyNA(index) || any(index < 1) || any(index > extent)) {
    refuse_index(extent, along, path)
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
as.double.asdf_array <- function(x, ...) as.double(whole(x))
as.integer.asdf_array <- function(x, ...) as.integer(whole(x))
as.logical.asdf_array <- function(x, ...) as.logical(whole(x))
as.character.asdf_array <- function(x, ...) as.character(whole(x))
as.complex.asdf_array <- function(x, ...) as.complex(whole(x))
as.list.asdf_array <- function(x, ...) as.list(whole(x))
as.data.frame.asdf_array <- function(x, ...) as.data.frame(whole(x), ...)

# Functions of R read the array.
plain_array <- function(x) if (inherits(x, "asdf_array")) whole(x) else x
Ops.asdf_array <- function(e1, e2) {
  if (missing(e2)) get(.Generic)(plain_array(e1)) else get(.Generic)(plain_array(e1), plain_array(e2))
}
Math.asdf_array <- function(x, ...) get(.Generic)(whole(x), ...)
Complex.asdf_array <- function(z) get(.Generic)(whole(z))
Summary.asdf_array <- function(..., na.rm = FALSE) do.call(.Generic, c(lapply(list(...), plain_array), na.rm = na.rm))
mean.asdf_array <- function(x, ...) mean(whole(x), ...)
median.asdf_array <- function(x, na.rm = FALSE, ...) stats::median(whole(x), na.rm = na.rm, ...)
quantile.asdf_array <- function(x, ...) stats::quantile(whole(x), ...)
summary.asdf_array <- function(object, ...) summary(whole(object), ...)
t.asdf_array <- function(x) t(whole(x))
aperm.asdf_array <- function(a, perm = NULL, ...) aperm(whole(a), perm, ...)
is.na.asdf_array <- function(x) is.na(whole(x))
is.nan.asdf_array <- function(x) is.nan(whole(x))
anyNA.asdf_array <- function(x, recursive = FALSE) anyNA(whole(x))
unique.asdf_array <- function(x, incomparables = FALSE, ...) unique(whole(x), incomparables, ...)
rev.asdf_array <- function(x) rev(whole(x))
sort.asdf_array <- function(x, decreasing = FALSE, ...) sort(whole(x), decreasing = decreasing, ...)
# The elements in other dimensions are an array of R, and no longer that of the file.
"dim<-.asdf_array" <- function(x, value) {
  values <- whole(x)
  dim(values) <- value
  values
}

asdf_datatype <- function(x, path = "") {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  .Call(C_array_info, array)$datatype
}

asdf_unit <- function(x, path = "") {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  null_if_not_found(.Call(C_array_unit, array))
}

asdf_is_masked <- function(x, path = "") {
  array <- if (inherits(x, "asdf_array")) x else .Call(C_array_get, x, path)
  .Call(C_array_info, array)$masked
}

asdf_field <- function(x, name) .Call(C_array_field, x, name)

# Makes an array of zeros. `maxdim` is as in hdf5: NA or Inf for a dimension that grows. The file does not keep it.
asdf_create_array <- function(x, path, dim, datatype = "float64", chunks = NULL, maxdim = NULL, compression = NULL, ...) {
  known <- constants$datatypes
  if (!(is.character(datatype) && length(datatype) == 1L && datatype %in% names(known))) {
    refuse("BAD_DATATYPE", paste0("the datatype must be one of ", paste(names(known), collapse = ", ")))
  }
  if (!is.null(maxdim)) {
    grows <- is.na(maxdim) | is.infinite(maxdim)
    if (length(maxdim) != length(dim) || any(maxdim[!grows] < dim[!grows])) {
      refuse("INVALID_ARGUMENT", "maxdim must have a number for each dimension, at least that of dim, or NA")
    }
    if (is.null(chunks)) {
      refuse("INVALID_ARGUMENT", "an array that grows has chunks; pass their dimensions as the argument chunks")
    }
  }
  options <- make_options("zeros", list(codec = compression, chunks = chunks, ...))
  .Call(C_node_set_zeros, x, path, known[[datatype]], as.numeric(dim), options)
  invisible(x)
}

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
