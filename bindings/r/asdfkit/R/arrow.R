# Tables and streams of Arrow, for the packages nanoarrow, arrow and polars.

asdf_to_arrow <- function(x, ...) {
  need_nanoarrow()
  stream <- nanoarrow::nanoarrow_allocate_array_stream()
  export_stream(x, stream, ...)
  stream
}

asdf_from_arrow <- function(x) {
  if (!inherits(x, "nanoarrow_array_stream")) {
    need_nanoarrow()
    x <- nanoarrow::as_nanoarrow_array_stream(x)
  }
  structure(list(table = .Call(C_table_import_arrow, x)), class = "asdf_open_table")
}

need_nanoarrow <- function() {
  if (!requireNamespace("nanoarrow", quietly = TRUE)) {
    refuse("UNSUPPORTED", "the package nanoarrow is not installed: install.packages(\"nanoarrow\")")
  }
}

# Writes a table into a stream of Arrow that an external pointer leads to.
export_stream <- function(x, stream, ...) {
  options <- make_options("arrow_export", list(...))
  if (inherits(x, "ecsv_batches")) {
    .Call(C_table_reader_export_arrow, part_of(x, "ecsv_batches", "reader"), options, stream)
  } else {
    table <- if (inherits(x, "asdf_open_table")) table_handle(x) else frame_table(x, NULL, NULL, attr(x, "meta", exact = TRUE))
    .Call(C_table_export_arrow, table, options, stream)
  }
}

# Methods of nanoarrow, which R registers when that package is loaded.
as_nanoarrow_array_stream.asdf_open_table <- function(x, ..., schema = NULL) asdf_to_arrow(x)
as_nanoarrow_array_stream.asdf_table <- function(x, ..., schema = NULL) asdf_to_arrow(x)
as_nanoarrow_array_stream.ecsv_batches <- function(x, ..., schema = NULL) asdf_to_arrow(x)
