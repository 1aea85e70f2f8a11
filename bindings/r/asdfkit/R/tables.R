# Tables: ECSV files and tables of ASDF files as data frames, and back.

read_ecsv <- function(path, columns = NULL, rows = NULL, factors = FALSE,
                      bigint = c("integer64", "numeric", "character"), units = NULL,
                      times = c("header", "POSIXct", "stored"), ...) {
  bigint <- match.arg(bigint)
  times <- match.arg(times)
  given <- list(...)
  given$columns <- wanted_columns(columns)
  options <- make_options("read_ecsv", with_rows(given, rows))
  of_file(path, {
    table <- with_all_rows(.Call(C_table_read_ecsv, file_name(path), options), rows)
    table_frame(in_units(table, units), bigint, factors, times = times)
  })
}

# Adds a range of rows, counted from 1, to options.
with_rows <- function(given, rows) {
  if (is.null(rows)) return(given)
  region <- regular(rows, Inf)
  if (region$step != 1) refuse("UNSUPPORTED", "rows must be a range, as 101:200")
  given$first_row <- region$start - 1
  given$row_count <- region$count
  given
}

# Fails if a table has fewer rows than were asked for.
with_all_rows <- function(table, rows) {
  found <- .Call(C_table_rows, table)
  if (!is.null(rows) && found < length(rows)) {
    refuse("OUT_OF_RANGE", paste0("the table has not all of the rows ", rows[[1L]], " to ", rows[[length(rows)]],
      ": it ends after row ", rows[[1L]] + found - 1))
  }
  table
}

ecsv_index <- function(path, step = 0, ...) {
  .Call(C_table_index, file_name(path), step, make_options("read_ecsv", list(...)))
}

# Returns the names of the columns to read, or NULL for all of them.
wanted_columns <- function(columns) {
  if (!is.null(columns) && length(columns) == 0L) refuse("INVALID_ARGUMENT", "there must be at least one column")
  columns
}

asdf_read_table <- function(x, path = "", factors = FALSE, bigint = c("integer64", "numeric", "character"),
                            units = NULL, rows = NULL, columns = NULL, times = c("header", "POSIXct", "stored"), ...) {
  bigint <- match.arg(bigint)
  times <- match.arg(times)
  table <- with_all_rows(.Call(C_node_get_table, x, path, make_options("read_table", with_rows(list(...), rows))), rows)
  table_frame(in_units(table, units), bigint, factors, wanted_columns(columns), times)
}

# Converts columns of a table to other units, named by column.
in_units <- function(table, units) {
  for (name in names(units)) .Call(C_table_convert_column, table, name, units[[name]])
  table
}

# Makes a data frame of a table, or of the chosen columns.
table_frame <- function(table, bigint, factors, chosen = NULL, times = "header") {
  columns <- list()
  names <- converted <- character()
  meta <- metadata_list(.Call(C_table_meta, table, NULL), bigint)
  stored <- .Call(C_table_names, table)
  if (!is.null(chosen)) stored <- stored[stored %in% chosen | sub(time_parts, "", stored) %in% chosen]
  known <- stored
  for (name in stored) {
    whole <- time_column(table, name)
    known <- c(known, whole)
    if (!is.null(chosen) && !(name %in% chosen) && !any(whole %in% chosen)) next
    if (!is.null(whole) && whole %in% converted) next
    values <- if (!is.null(whole)) table_times(table, whole, meta[[entries_key]][[whole]], times)
    if (!is.null(values)) converted <- c(converted, whole)
    names <- c(names, if (is.null(values)) name else whole)
    columns[[length(columns) + 1L]] <- if (is.null(values)) described_column(table, name, bigint, factors) else {
      # The entry has what several columns of the file do not have.
      info <- meta[[entries_key]][[whole]][["__info__"]]
      described(values, table, name, bigint, info[intersect(names(info), column_properties)])
    }
  }
  unknown <- setdiff(chosen, known)
  if (length(unknown)) refuse("NOT_FOUND", paste0("the table has no column '", unknown[[1L]], "'"))
  frame <- structure(setNames(columns, names), class = "data.frame", row.names = .set_row_names(.Call(C_table_rows, table)))
  meta <- without_entries(meta, converted)
  if (length(meta)) attr(frame, "meta") <- meta
  warnings <- report_frame(.Call(C_table_report, table))
  if (nrow(warnings)) attr(frame, "report") <- warnings
  if (has_more(frame)) class(frame) <- c("asdf_table", class(frame))
  frame
}

# Key of the metadata under which astropy tells how it stored its columns.
entries_key <- "__serialized_columns__"

# Returns metadata without the entries of columns that are times or spans in R: the entries told how the file stored
# them, and would change the meaning of the values in R. Writing makes new ones.
without_entries <- function(meta, names) {
  entries <- if (is.list(meta)) meta[[entries_key]]
  if (!is.list(entries) || !any(names(entries) %in% names)) return(meta)
  left <- entries[!(names(entries) %in% names)]
  meta[[entries_key]] <- if (length(left)) left
  meta
}

# Returns metadata without the entries that do not fit a data frame: those that refer to columns that it does not have,
# as after another selection, and those of columns of times, which get new ones.
fitting_entries <- function(meta, frame) {
  entries <- if (is.list(meta)) meta[[entries_key]]
  if (!is.list(entries)) return(meta)
  times <- names(frame)[vapply(frame, inherits, TRUE, c("POSIXt", "Date", "difftime"))]
  is_known <- vapply(entries, function(entry) all(referred_columns(entry) %in% names(frame)), TRUE)
  without_entries(meta, c(names(entries)[!is_known], times))
}

# Returns the names of the columns of the file that an entry refers to.
referred_columns <- function(entry) {
  if (!is.list(entry)) return(character())
  is_column <- identical(attr(entry, "tag", exact = TRUE), "!astropy.table.SerializedColumn")
  if (is_column && is.null(entry[["__class__"]])) return(as.character(entry[["name"]]))
  unlist(lapply(entry, referred_columns), use.names = FALSE)
}

# Reads metadata as a list. Lists keep the tags of Python and astropy in the attribute "tag", because astropy does not
# understand its metadata without them.
metadata_list <- function(node, bigint) {
  if (is.null(node)) return(NULL)
  tagged_list(node, function(item) {
    # A list of numbers stays a list, so that it becomes one again when it is set.
    if (asdf_kind(item) == "number list") item else .Call(C_node_value, item, "", bigint)
  })
}

tagged_list <- function(node, value_of) {
  items <- lapply(seq_len(.Call(C_node_count, node, "")), function(index) {
    value <- value_of(.Call(C_node_item, node, "", index))
    if (inherits(value, "asdf_node")) tagged_list(value, value_of) else value
  })
  names(items) <- .Call(C_node_keys, node, "")
  tag <- .Call(C_node_tag, node, "")
  if (grepl("^(!|tag:yaml[.]org,2002:python/)", tag)) attr(items, "tag") <- tag
  items
}

# Ends of the names of the columns of a file that hold one column of times.
time_parts <- "[.](jd1|jd2|year|month|day|hour|minute|second)$"

# Returns the name of the column of times that a column of the file belongs to, or NULL.
time_column <- function(table, name) {
  if (.Call(C_table_time_kind, table, name) > 0L) return(name)
  whole <- sub(time_parts, "", name)
  if (whole != name && .Call(C_table_time_kind, table, whole) > 0L) whole
}

# Formats of astropy whose values are a date with a time of day, not a number.
clock_formats <- c("iso", "isot", "fits", "yday", "datetime", "datetime64", "ymdhms")

# Reads a column of times as POSIXct or Date, or one of spans as difftime; NULL if it stays as the file has it. Its entry
# in the metadata decides, and no value does: so it has one class in all batches.
table_times <- function(table, name, entry, times) {
  if (times == "stored") return(NULL)
  if (.Call(C_table_time_kind, table, name) == 2L) {
    seconds <- .Call(C_table_spans, table, name)
    return(if (!is.null(seconds)) .difftime(seconds, "secs"))
  }
  if (!is.null(entry[["scale"]]) && !(entry[["scale"]] %in% c("utc", "tai", "tt"))) return(NULL)
  by_header <- times == "header"
  if (by_header && !any(entry[["format"]] %in% clock_formats)) return(NULL)
  are_dates <- by_header && identical(entry[["out_subfmt"]], "date")
  found <- .Call(C_table_times, table, name, are_dates)
  if (is.null(found)) return(NULL)
  if (by_header && found[[2L]]) {
    warning("column '", name, "': the times have nanoseconds, which POSIXct does not hold", call. = FALSE)
  }
  if (are_dates) .Date(found[[1L]]) else .POSIXct(found[[1L]], tz = "UTC")
}

# Tells whether a data frame would lose something with a part of the rows.
has_more <- function(frame) {
  of_column <- function(column) length(dim(column)) > 2L || any(column_properties %in% names(attributes(column)))
  !is.null(attr(frame, "meta", exact = TRUE)) || any(vapply(frame, of_column, TRUE))
}

# Attributes of columns and tables that R drops with a part of the rows.
column_properties <- c("unit", "description", "format", "meta")

# Takes rows and columns as of any data frame. Columns keep unit, description, format and metadata, and the table its
# metadata. Columns with arrays of two and more dimensions in their cells keep these dimensions.
"[.asdf_table" <- function(x, ..., drop) {
  plain <- x
  class(plain) <- setdiff(class(x), "asdf_table")
  is_wide <- vapply(plain, function(column) length(dim(column)) > 2L, TRUE)
  for (index in which(is_wide)) plain[[index]] <- seq_len(nrow(plain))
  part <- if (missing(drop)) plain[...] else plain[..., drop = drop]
  if (!is.data.frame(part)) {
    # A single column, which keeps its properties, too.
    frame <- if (nargs() - !missing(drop) > 2L) plain[..., drop = FALSE] else plain[...]
    return(restored(frame, x, is_wide)[[1L]])
  }
  part <- restored(part, x, is_wide)
  for (name in c("meta", "report")) attr(part, name) <- attr(x, name, exact = TRUE)
  class(part) <- class(x)
  part
}

# Binds the rows of tables. Units, descriptions and metadata are those of the first one.
rbind.asdf_table <- function(...) {
  frames <- list(...)
  frames <- frames[!vapply(frames, is.null, TRUE)]
  first <- frames[[1L]]
  # Base R binds no arrays of more than two dimensions: numbers of rows stand for them.
  wide <- names(first)[vapply(first, function(column) length(dim(column)) > 2L, TRUE)]
  plain <- lapply(frames, function(frame) {
    class(frame) <- setdiff(class(frame), "asdf_table")
    for (name in intersect(wide, names(frame))) frame[[name]] <- seq_len(nrow(frame))
    frame
  })
  bound <- do.call(rbind, plain)
  for (name in wide) bound[[name]] <- bound_arrays(lapply(frames, function(frame) frame[[name]]), name)
  bound <- restored(bound, first, rep(FALSE, length(first)))
  attr(bound, "meta") <- attr(first, "meta", exact = TRUE)
  class(bound) <- unique(c("asdf_table", class(bound)))
  bound
}

# Binds arrays whose first dimension is the rows.
bound_arrays <- function(arrays, name) {
  inner <- dim(arrays[[1L]])[-1L]
  if (!all(vapply(arrays, function(array) identical(dim(array)[-1L], inner), TRUE))) {
    refuse("INVALID_ARGUMENT", paste0("the cells of the column '", name, "' have different dimensions"))
  }
  rows_last <- lapply(arrays, function(array) as.vector(aperm(unclass(array), c(seq_along(inner) + 1L, 1L))))
  values <- do.call(c, rows_last)
  dim(values) <- c(inner, length(values) / prod(inner))
  class(values) <- oldClass(arrays[[1L]])
  rows_first(values)
}

# Prints the number of rows and columns, units, and the first rows.
print.asdf_table <- function(x, ..., n = 20L) {
  units <- vapply(x, function(column) {
    unit <- attr(column, "unit", exact = TRUE)
    if (is.null(unit)) "" else as.character(unit)
  }, "")
  cat("# ", size_text(dim(x)), if (any(nzchar(units))) {
    paste0("; units: ", paste0(names(x)[nzchar(units)], " [", units[nzchar(units)], "]", collapse = ", "))
  }, "\n", sep = "")
  plain <- x
  class(plain) <- setdiff(class(x), "asdf_table")
  print(plain[seq_len(min(n, nrow(plain))), , drop = FALSE], ...)
  if (nrow(plain) > n) cat("# and ", nrow(plain) - n, " more rows\n", sep = "")
  invisible(x)
}

# Gives the columns of a part of a table back what they lost. A column of numbers of rows stands for a wide one.
restored <- function(part, whole, is_wide) {
  if (anyDuplicated(names(whole))) return(part)
  for (index in seq_along(part)) {
    from <- match(names(part)[[index]], names(whole))
    if (is.na(from)) next
    column <- part[[index]]
    if (is_wide[[from]]) column <- rows_of(whole[[from]], column)
    for (name in column_properties) {
      if (is.null(attr(column, name, exact = TRUE))) attr(column, name) <- attr(whole[[from]], name, exact = TRUE)
    }
    part[[index]] <- column
  }
  part
}

# Takes rows of an array whose first dimension they are.
rows_of <- function(values, rows) {
  indices <- c(list(rows), rep(list(TRUE), length(dim(values)) - 1L))
  do.call(`[`, c(list(values), indices, list(drop = FALSE)))
}

# Reads a column with unit, description, format and metadata as attributes.
described_column <- function(table, name, bigint, factors) {
  values <- table_column(table, name, bigint)
  if (factors && is.character(values)) values <- factor(values)
  described(values, table, name, bigint)
}

# Gives values unit, description, format and metadata of a column, or else those of `info`.
described <- function(values, table, name, bigint, info = NULL) {
  for (property in names(info)) attr(values, property) <- info[[property]]
  texts <- .Call(C_table_column_texts, table, name)
  for (index in which(!is.na(texts))) attr(values, c("unit", "description", "format")[[index]]) <- texts[[index]]
  meta <- metadata_list(.Call(C_table_meta, table, name), bigint)
  if (!is.null(meta)) attr(values, "meta") <- meta
  values
}

table_column <- function(table, name, bigint) {
  parts <- .Call(C_table_column, table, name, bigint, NULL)
  values <- parts[[1L]]
  extents <- parts[[2L]]
  lengths <- parts[[3L]]
  if (!is.null(lengths)) return(cells(values, extents, lengths))
  if (length(extents) == 0L) return(values)
  kept <- oldClass(values)
  dim(values) <- c(extents, .Call(C_table_rows, table))
  if (!is.null(kept)) class(values) <- kept
  rows_first(values)
}

# Divides elements into a list of cells; a missing cell is NULL.
cells <- function(values, extents, lengths) {
  ends <- cumsum(pmax(lengths, 0))
  Map(function(length, end) {
    if (length < 0) return(NULL)
    cell <- values[seq_len(length) + (end - length)]
    if (length(extents) > 1L) {
      inner <- extents[-1L]
      dim(cell) <- c(if (prod(inner) > 0) length / prod(inner) else 0, inner)
    }
    cell
  }, lengths, ends)
}

ecsv_batches <- function(path, rows = NULL, columns = NULL, factors = FALSE,
                         bigint = c("integer64", "numeric", "character"),
                         times = c("header", "POSIXct", "stored"), ...) {
  bigint <- match.arg(bigint)
  times <- match.arg(times)
  options <- make_options("read_ecsv", list(columns = wanted_columns(columns), batch_rows = rows, ...))
  structure(list(reader = .Call(C_table_reader_open, file_name(path), options), bigint = bigint, factors = factors,
    times = times), class = "ecsv_batches")
}

next_batch <- function(batches) {
  table <- .Call(C_table_reader_next, part_of(batches, "ecsv_batches", "reader"))
  if (is.null(table)) return(NULL)
  frame <- table_frame(table, batches$bigint, batches$factors, times = batches$times)
  # A writer like this batch needs to know that texts of later ones can be missing besides empty ones.
  texts <- Filter(function(name) is.character(frame[[name]]) || is.factor(frame[[name]]), .Call(C_table_names, table))
  masked <- Filter(function(name) .Call(C_table_has_mask, table, name), texts)
  if (length(masked)) attr(frame, "masked") <- masked
  frame
}

close.ecsv_batches <- function(con, ...) invisible(.Call(C_table_reader_close, con$reader))

print.ecsv_batches <- function(x, ...) {
  cat("<batches of an ECSV file: next_batch() returns the next one>\n")
  invisible(x)
}

write_ecsv <- function(x, path, units = NULL, descriptions = NULL, meta = attr(x, "meta", exact = TRUE), ...) {
  table <- if (inherits(x, "asdf_open_table")) {
    opened_table(x, units, descriptions, meta)
  } else {
    frame_table(x, units, descriptions, meta)
  }
  .Call(C_table_write_ecsv, table, file_name(path), make_options("write_ecsv", list(...)))
  invisible(x)
}

asdf_set.data.frame <- function(x, path, value, units = NULL, descriptions = NULL, meta = attr(value, "meta", exact = TRUE),
                                compression = NULL, ...) {
  table <- frame_table(value, units, descriptions, meta)
  .Call(C_node_set_table, x, path, table, make_options("set_table", list(codec = compression, ...)))
  invisible(x)
}

ecsv_writer <- function(path, like, units = NULL, descriptions = NULL, meta = attr(like, "meta", exact = TRUE), ...) {
  # The rows of `like` are not written, but tell the type of cells.
  table <- frame_table(like, units, descriptions, meta, in_batches = TRUE)
  options <- list(...)
  # Empty texts of later batches must not become missing ones.
  if (length(attr(like, "masked", exact = TRUE)) && is.null(options$empty_strings)) options$empty_strings <- "mark_all"
  writer <- .Call(C_table_writer_create, file_name(path), table, make_options("write_ecsv", options))
  structure(list(writer = writer, types = vapply(like, column_type, "")), class = "ecsv_writer")
}

asdf_table_writer <- function(x, path, like, units = NULL, descriptions = NULL, meta = attr(like, "meta", exact = TRUE),
                              compression = NULL, ...) {
  table <- frame_table(like, units, descriptions, meta, in_batches = TRUE)
  options <- make_options("begin_table", list(codec = compression, ...))
  writer <- .Call(C_node_begin_table, x, path, table, options)
  structure(list(writer = writer, types = vapply(like, column_type, "")), class = "ecsv_writer")
}

append_rows <- function(writer, x) {
  handle <- part_of(writer, "ecsv_writer", "writer")
  .Call(C_table_writer_append, handle, frame_table(with_types(x, writer$types), NULL, NULL, NULL, in_batches = TRUE))
  invisible(writer)
}

# Returns the type that the elements of a column have in the library.
column_type <- function(values) {
  if (inherits(values, "integer64")) return("integer64")
  for (class in c("POSIXt", "Date", "difftime")) if (inherits(values, class)) return(class)
  if (is.factor(values)) "character" else typeof(values)
}

# Brings the columns of a data frame into the order and the types of the first one: rows without a fraction may be
# integers in R, and rows without a value are logical.
with_types <- function(frame, types) {
  if (!is.data.frame(frame)) refuse("INVALID_ARGUMENT", "a table must be a data frame")
  frame <- as.data.frame(frame)
  for (name in setdiff(names(types), names(frame))) refuse("NOT_FOUND", paste0("the rows have no column '", name, "'"))
  for (name in setdiff(names(frame), names(types))) refuse("NOT_FOUND", paste0("the file has no column '", name, "'"))
  frame <- frame[names(types)]
  for (name in names(types)) {
    type <- types[[name]]
    have <- column_type(frame[[name]])
    widened <- have == "integer" && type %in% c("double", "integer64")
    empty <- have == "logical" && type != "list" && all(is.na(frame[[name]]))
    if (have == type || !(widened || empty)) next
    frame[[name]] <- switch(type,
      integer64 = bit64::as.integer64(frame[[name]]),
      POSIXt = .POSIXct(as.double(frame[[name]]), tz = "UTC"),
      Date = .Date(as.double(frame[[name]])),
      difftime = .difftime(as.double(frame[[name]]), "secs"),
      `storage.mode<-`(frame[[name]], type))
  }
  frame
}

close.ecsv_writer <- function(con, ...) invisible(.Call(C_table_writer_finish, con$writer))

print.ecsv_writer <- function(x, ...) {
  cat("<writer of a table: append_rows() adds rows, close() completes the table>\n")
  invisible(x)
}

# Makes a table of a data frame, which may be one of several batches.
frame_table <- function(frame, units, descriptions, meta, in_batches = FALSE) {
  if (!is.data.frame(frame)) refuse("INVALID_ARGUMENT", "a table must be a data frame")
  if (anyNA(names(frame)) || !all(nzchar(names(frame)))) refuse("INVALID_ARGUMENT", "each column must have a name")
  for (texts in list(units, descriptions)) {
    if (length(texts) && is.null(names(texts))) {
      refuse("INVALID_ARGUMENT", "units and descriptions must have the names of columns, as c(flux = \"Jy\")")
    }
    unknown <- setdiff(names(texts), names(frame))
    if (length(unknown)) refuse("NOT_FOUND", paste0("the table has no column '", unknown[[1L]], "'"))
  }
  table <- .Call(C_table_new, nrow(frame))
  # First, because the times that are added below make entries in the metadata, in place of those that describe how
  # another program stored them.
  add_meta(table, NULL, fitting_entries(meta, frame))
  for (name in names(frame)) {
    values <- frame[[name]]
    add_column(table, name, values, in_batches)
    unit <- if (is.null(units) || is.na(units[name])) attr(values, "unit", exact = TRUE) else units[[name]]
    description <- if (is.null(descriptions) || is.na(descriptions[name])) attr(values, "description", exact = TRUE) else {
      descriptions[[name]]
    }
    # Spans of time may be two columns of the file.
    stored <- if (name %in% .Call(C_table_names, table)) name else paste0(name, ".jd1")
    .Call(C_table_describe, table, stored, unit, description, attr(values, "format", exact = TRUE))
    add_meta(table, stored, attr(values, "meta", exact = TRUE))
  }
  table
}

add_meta <- function(table, name, meta) {
  if (is.null(meta)) return(invisible())
  mapping <- asdf_new_mapping()
  asdf_set(mapping, "meta", listed(meta))
  .Call(C_table_set_meta, table, name, .Call(C_node_get, mapping, "meta"))
}

# Makes lists of vectors, because metadata of tables cannot have arrays.
listed <- function(value) {
  if (is.list(value)) {
    value[] <- lapply(value, listed)
    return(value)
  }
  extents <- dim(value)
  if (is.raw(value) || !is.atomic(value) || (length(value) == 1L && is.null(extents))) return(value)
  if (length(extents) < 2L) return(lapply(seq_along(value), function(index) value[[index]]))
  # The last dimension of R is the first one of the library.
  inner <- extents[-length(extents)]
  lapply(seq_len(extents[[length(extents)]]), function(index) {
    part <- value[(index - 1L) * prod(inner) + seq_len(prod(inner))]
    if (length(inner) > 1L) dim(part) <- inner
    listed(part)
  })
}

add_column <- function(table, name, values, in_batches) {
  if (is.factor(values)) values <- as.character(values)
  if (inherits(values, "POSIXt")) return(.Call(C_table_add_times, table, name, as.double(as.POSIXct(values))))
  if (inherits(values, "Date")) return(.Call(C_table_add_dates, table, name, as.double(unclass(values))))
  if (inherits(values, "difftime")) {
    # Batches need columns that no value changes.
    format <- if (in_batches) "datetime" else "sec"
    return(.Call(C_table_add_spans, table, name, as.double(values, units = "secs"), format))
  }
  if (is.data.frame(values)) refuse("UNSUPPORTED", "a column must not be a data frame", name)
  if (is.list(values)) return(add_cells(table, name, values))
  # Plain numbers of another class would lose their meaning.
  unknown <- if (is.object(values)) setdiff(class(values), c("integer64", "AsIs", "noquote"))
  if (length(unknown)) {
    refuse("UNSUPPORTED", paste0("columns of the class '", unknown[[1L]], "' must be converted to plain vectors"), name)
  }
  if (is.null(dim(values))) return(.Call(C_table_add, table, name, values, numeric(), NULL))
  # The rows come last in the memory of the library.
  kept <- oldClass(values)
  moved <- aperm(unclass(values), c(seq_along(dim(values))[-1L], 1L))
  extents <- as.numeric(dim(moved)[-length(dim(moved))])
  if (!is.null(kept)) class(moved) <- kept
  .Call(C_table_add, table, name, moved, extents, NULL)
}

# Adds a column of vectors of different lengths; NULL is a missing cell.
add_cells <- function(table, name, values) {
  is_plain <- function(cell) {
    is.null(cell) || (is.atomic(cell) && is.null(dim(cell)) && (!is.object(cell) || inherits(cell, "integer64")))
  }
  if (!all(vapply(values, is_plain, TRUE))) {
    refuse("UNSUPPORTED", "the cells of a list must be plain vectors or NULL", name)
  }
  lengths <- vapply(values, function(cell) if (is.null(cell)) -1 else as.numeric(length(cell)), 0)
  types <- unique(vapply(values[lengths > 0], function(cell) class(cell)[[1L]], ""))
  if (length(setdiff(types, c("integer", "numeric"))) && length(types) > 1L) {
    refuse("UNSUPPORTED", "the cells of a list must be of one type", name)
  }
  elements <- do.call(c, unname(values[lengths > 0]))
  if (is.null(elements)) elements <- numeric()
  .Call(C_table_add, table, name, elements, numeric(), lengths)
}
