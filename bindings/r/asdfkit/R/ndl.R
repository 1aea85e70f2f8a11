# Descriptions in NDL.

ndl_read <- function(path, ...) .Call(C_ndl_read, file_name(path), make_options("read_ndl", list(...)))

ndl_parse <- function(text, ...) {
  if (!is.character(text)) refuse("INVALID_ARGUMENT", "the text of a description must be strings")
  .Call(C_ndl_parse, paste(text, collapse = "\n"), make_options("read_ndl", list(...)))
}

ndl_describe <- function(file, ...) {
  if (is.character(file)) {
    file <- asdf_open(file)
    on.exit(close(file))
  }
  .Call(C_ndl_describe, file, make_options("describe", list(...)))
}

ndl_is_valid <- function(ndl) .Call(C_ndl_is_valid, ndl)

ndl_report <- function(ndl) report_frame(.Call(C_ndl_report, ndl))

ndl_create <- function(ndl, path, ...) {
  report_frame(.Call(C_ndl_create, ndl, file_name(path), make_options("create", list(...))))
}

ndl_compare <- function(ndl, newer, ignore = character()) {
  report_frame(.Call(C_ndl_compare, ndl, newer, flags("ndl_ignore", ignore)))
}

ndl_conform <- function(ndl, file, subset = FALSE) report_frame(.Call(C_ndl_conform, ndl, file, subset))

ndl_export <- function(ndl, format = c("text", "json", "cdl", "c", "fortran"), name = NULL, ...) {
  format <- match.arg(format)
  .Call(C_ndl_export, ndl, constants$ndl_format[[format]], name, make_options("export_ndl", list(...)))
}

ndl_write <- function(ndl, path, ...) {
  .Call(C_ndl_write, ndl, file_name(path), make_options("write_ndl", list(...)))
  invisible(ndl)
}

ndl_paths <- function(ndl, kind = c("ndarray", "dimcoord", "group")) {
  .Call(C_ndl_paths, ndl, constants$ndl_kind[[match.arg(kind)]])
}

ndl_builder <- function(from = NULL) .Call(C_ndl_builder_new, from)

ndl_add_group <- function(builder, path) {
  .Call(C_ndl_builder_add_group, builder, path)
  invisible(builder)
}

# An extent of NA is unlimited.
ndl_add_dimcoord <- function(builder, path, extent, datatype = NULL) {
  .Call(C_ndl_builder_add_dimcoord, builder, path, ndl_extents(extent), datatype)
  invisible(builder)
}

ndl_extents <- function(extents) {
  extents <- as.double(extents)
  ifelse(is.na(extents), -1, extents)
}

ndl_add_ndarray <- function(builder, path, dim = NULL, coordinates = NULL, datatype = NULL) {
  rank <- max(length(dim), length(coordinates))
  if (length(dim) && length(coordinates) && length(dim) != length(coordinates)) {
    refuse("INVALID_ARGUMENT", "dim and coordinates must have as many elements", path)
  }
  extents <- if (is.null(dim)) NULL else ndl_extents(dim)
  .Call(C_ndl_builder_add_ndarray, builder, path, rank, extents, coordinates, datatype)
  invisible(builder)
}

ndl_set_attribute <- function(builder, path, name, value, datatype = NULL) {
  if (is.character(value) && length(value) == 1L && is.null(datatype)) {
    if (is.na(value)) refuse("INVALID_ARGUMENT", "an attribute must not be NA", path)
    .Call(C_ndl_builder_set_text, builder, path, name, value)
    return(invisible(builder))
  }
  if (is.factor(value) || is.character(value)) value <- as.character(value)
  if (is.null(datatype)) {
    datatype <- if (is.character(value)) "string" else if (inherits(value, "integer64")) "int64" else {
      switch(typeof(value), integer = "int32", double = "float64", complex = "complex128", logical = "bool",
        refuse("INVALID_ARGUMENT", paste0("an attribute must not be of the type ", typeof(value)), path))
    }
  }
  extents <- if (!is.null(dim(value))) dim(value) else if (length(value) == 1L) numeric() else length(value)
  .Call(C_ndl_builder_set_attribute, builder, path, name, as.double(extents), datatype)
  set_ndl_values(builder, path, name, value, extents)
}

ndl_set_values <- function(builder, path, value) {
  extents <- if (!is.null(dim(value))) dim(value) else length(value)
  set_ndl_values(builder, path, NULL, value, extents)
}

set_ndl_values <- function(builder, path, name, value, extents) {
  if (anyNA(value) && !is.numeric(value) || anyNA(value) && any(is.na(value) & !is.nan(value))) {
    refuse("INVALID_ARGUMENT", "values of a description must not be NA", path)
  }
  if (is.logical(value)) value <- as.integer(value)
  if (is.character(value)) {
    .Call(C_ndl_builder_set_texts, builder, path, name, as.double(extents), value)
  } else {
    .Call(C_ndl_builder_set_values, builder, path, name, as.double(extents), value)
  }
  invisible(builder)
}

ndl_set_storage <- function(builder, path, directive, value) {
  .Call(C_ndl_builder_set_storage, builder, path, directive, value)
  invisible(builder)
}

ndl_remove <- function(builder, path, attribute = NULL) {
  .Call(C_ndl_builder_remove, builder, path, attribute)
  invisible(builder)
}

ndl_finish <- function(builder, ...) .Call(C_ndl_builder_finish, builder, make_options("read_ndl", list(...)))

print.asdf_ndl_builder <- function(x, ...) {
  cat("<description that is being made: ndl_finish() returns it>\n")
  invisible(x)
}

as.character.asdf_ndl <- function(x, ...) ndl_export(x)

print.asdf_ndl <- function(x, ...) {
  if (ndl_is_valid(x)) cat(ndl_export(x)) else print(ndl_report(x))
  invisible(x)
}
