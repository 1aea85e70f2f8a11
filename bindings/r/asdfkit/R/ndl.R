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

as.character.asdf_ndl <- function(x, ...) ndl_export(x)

print.asdf_ndl <- function(x, ...) {
  if (ndl_is_valid(x)) cat(ndl_export(x)) else print(ndl_report(x))
  invisible(x)
}
