# Tables in memory of the library, whose cells can change. They keep the types, masks and metadata that files have.

asdf_open_table <- function(x, path = "", ...) {
  table <- if (inherits(x, c("asdf_file", "asdf_node"))) {
    .Call(C_node_get_table, x, path, make_options("read_table", list(...)))
  } else {
    .Call(C_table_read_ecsv, file_name(x), make_options("read_ecsv", list(...)))
  }
  structure(list(table = table), class = "asdf_open_table")
}

table_handle <- function(x) part_of(x, "asdf_open_table", "table")

# Returns the handle of an open table, which has its properties.
opened_table <- function(x, units, descriptions, meta) {
  if (!is.null(units) || !is.null(descriptions) || !is.null(meta)) {
    refuse("INVALID_ARGUMENT", "an open table has its units, descriptions and metadata")
  }
  table_handle(x)
}

names.asdf_open_table <- function(x) .Call(C_table_names, table_handle(x))

dim.asdf_open_table <- function(x) c(as.integer(.Call(C_table_rows, table_handle(x))), length(names(x)))

length.asdf_open_table <- function(x) length(names(x))

"[[.asdf_open_table" <- function(x, i, exact = TRUE) described_column(table_handle(x), i, "integer64", FALSE)

# Rows and columns as in a data frame; x[[name]] reads one column only.
"[.asdf_open_table" <- function(x, i, j) {
  if (nargs() < 3L) return(as.data.frame(x)[i])
  # Only the columns that are asked for: another one may have values that R cannot hold. A data frame would return NULL
  # for a column that it does not have.
  frame <- table_frame(table_handle(x), "integer64", FALSE, if (!missing(j) && is.character(j)) j)
  frame[i, j]
}

"$.asdf_open_table" <- function(x, name) x[[name]]

"[<-.asdf_open_table" <- function(x, i, j, value) {
  rows <- .Call(C_table_rows, table_handle(x))
  are_rows <- is.numeric(i) && !anyNA(i) && all(i >= 1 & i <= rows & i == floor(i))
  if (!are_rows) refuse("OUT_OF_RANGE", paste0("a row must be a number from 1 to ", rows), j)
  if (is.factor(value)) value <- as.character(value)
  if (length(i) != 1L) {
    # A single row takes a value of any length, which is an array in its cell.
    if (!(length(value) %in% c(1L, length(i))) || !is.null(dim(value))) {
      refuse("INVALID_ARGUMENT", paste0(length(i), " cells take 1 or ", length(i), " values, or a list of arrays"), j)
    }
    for (k in seq_along(i)) x[i[[k]], j] <- value[[if (length(value) == 1L) 1L else k]]
    return(x)
  }
  value <- if (is.list(value)) value[[1L]] else value
  is_time <- inherits(value, c("POSIXt", "Date"))
  if (is_time || (identical(is.na(value), TRUE) && .Call(C_table_time_kind, table_handle(x), j) == 1L)) {
    seconds <- if (is_time) as.double(as.POSIXct(value)) else NA_real_
    .Call(C_table_set_times, table_handle(x), j, i - 1, seconds)
  } else {
    .Call(C_table_set_cell, table_handle(x), j, i - 1, value)
  }
  x
}

asdf_set.asdf_open_table <- function(x, path, value, compression = NULL, ...) {
  .Call(C_node_set_table, x, path, table_handle(value), make_options("set_table", list(codec = compression, ...)))
  invisible(x)
}

as.data.frame.asdf_open_table <- function(x, ...) table_frame(table_handle(x), "integer64", FALSE)

print.asdf_open_table <- function(x, ...) {
  cat("<", size_text(dim(x)), ": ", paste(names(x), collapse = ", "), ">\n", sep = "")
  invisible(x)
}
