# Schemas: validation of files, and descriptions of entries.

asdf_schemas <- function(packages = NULL) {
  .Call(C_schemas, if (!is.null(packages)) as.character(packages))
}

asdf_validate <- function(file, schemas = asdf_schemas(), ...) {
  if (is.character(file)) file <- .Call(C_table_read_ecsv, file_name(file), NULL)
  report_frame(.Call(C_validate, file, schemas, make_options("validate", list(...))))
}

asdf_describe_entry <- function(node, path = "", schemas = asdf_schemas()) {
  fields <- list(title = 1L, text = 2L, type = 3L, unit = 4L, default = 5L, schema = 6L, note = 7L)
  found <- lapply(fields, function(field) .Call(C_describe_entry, schemas, node, path, field))
  found[!vapply(found, is.null, TRUE)]
}
