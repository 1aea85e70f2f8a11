# Streams: files whose last array is written row by row.

asdf_stream <- function(path, node_path, dim = numeric(), datatype = "float64", file = asdf_new(),
                        compression = NULL, ...) {
  known <- constants$datatypes
  if (!(is.character(datatype) && length(datatype) == 1L && datatype %in% names(known))) {
    refuse("BAD_DATATYPE", paste0("the datatype must be one of ", paste(names(known), collapse = ", ")))
  }
  if (!is.numeric(dim) || anyNA(dim) || any(dim < 1 | dim != trunc(dim) | dim > 2^53)) {
    refuse("INVALID_ARGUMENT", "the dimensions of a row must be whole numbers of at least 1")
  }
  stream <- .Call(C_stream_create, file, file_name(path), node_path, known[[datatype]], as.numeric(dim),
    make_options("stream", list(codec = compression, ...)))
  structure(list(stream = stream, dim = as.numeric(dim), datatype = datatype, file = path), class = "asdf_row_stream")
}

push_rows <- function(stream, values) {
  handle <- part_of(stream, "asdf_row_stream", "stream")
  size <- prod(stream$dim)
  if (length(values) %% size != 0) {
    message <- paste0("the vector has ", length(values), " elements, and a row ", size)
    of_file(stream$file, refuse("INVALID_ARGUMENT", message))
  }
  plain <- c(float64 = "double", int32 = "integer", bool8 = "logical", complex128 = "complex")
  if (is.object(values) && !inherits(values, "integer64")) {
    refuse("INVALID_ARGUMENT", paste0("values of the class '", class(values)[[1L]], "' must be converted to plain vectors"))
  }
  if (stream$datatype == "complex128" && is.numeric(values)) values <- as.complex(values)
  natural <- if (is.object(values)) stream$datatype == "int64" else identical(unname(plain[stream$datatype]), typeof(values))
  datatype <- if (!natural) stream$datatype
  of_file(stream$file, .Call(C_stream_push, handle, values, datatype, length(values) / size))
  invisible(stream)
}

row_count <- function(stream) .Call(C_stream_rows, part_of(stream, "asdf_row_stream", "stream"))

close.asdf_row_stream <- function(con, ...) invisible(.Call(C_stream_finish, con$stream))

discard <- function(stream) invisible(.Call(C_stream_discard, part_of(stream, "asdf_row_stream", "stream")))

print.asdf_row_stream <- function(x, ...) {
  cat("<stream of rows of ", x$datatype, ": push_rows() adds rows, close() completes the file>\n", sep = "")
  invisible(x)
}
