# Trees: looking up values, items of mappings and sequences, and changes.

# Reads the value at a path; numbers index items from 1.
get_value <- function(x, path, bigint = "integer64") {
  if (is.numeric(path)) {
    x <- .Call(C_node_item, x, "", path)
    path <- ""
  }
  value <- .Call(C_node_value, x, path, bigint)
  # The node of an array, which is copied when the array is set.
  if (inherits(value, "asdf_array")) attr(value, "node") <- .Call(C_node_get, x, path)
  # A list of numbers in the tree is a vector in R.
  if (inherits(value, "asdf_array") && isTRUE(attr(value, "list"))) short(asdf_read(value, bigint = bigint)) else value
}

# Makes integers of 64-bit integers that all fit.
short <- function(values) {
  if (!inherits(values, "integer64") || anyNA(values) || any(abs(values) > .Machine$integer.max)) return(values)
  structure(as.integer(values), dim = dim(values))
}

"[[.asdf_file" <- function(x, i, exact = TRUE) get_value(x, i)
"[[.asdf_node" <- `[[.asdf_file`

"$.asdf_file" <- function(x, name) {
  keys <- .Call(C_node_keys, x, "")
  if (!(name %in% keys)) return(NULL)
  get_value(.Call(C_node_item, x, "", match(name, keys)), "")
}
"$.asdf_node" <- `$.asdf_file`

.DollarNames.asdf_file <- function(x, pattern = "") grep(pattern, .Call(C_node_keys, x, ""), value = TRUE)
.DollarNames.asdf_node <- .DollarNames.asdf_file

# Each name is a path, so that a loop over the names finds and sets the same keys: "a/b" is "a~1b".
names.asdf_file <- function(x) {
  keys <- .Call(C_node_keys, x, "")
  if (is.null(keys)) NULL else ifelse(nzchar(keys), path_step(keys), "/")
}
names.asdf_node <- names.asdf_file

length.asdf_file <- function(x) as.integer(.Call(C_node_count, x, ""))
length.asdf_node <- length.asdf_file

as.list.asdf_file <- function(x, bigint = "integer64", ...) {
  items <- lapply(seq_len(.Call(C_node_count, x, "")), function(index) {
    item <- .Call(C_node_item, x, "", index)
    # A list of numbers stays a list, so that it becomes one again when it is set.
    value <- if (asdf_kind(item) == "number list") item else .Call(C_node_value, item, "", bigint)
    if (inherits(value, "asdf_node")) as.list(value, bigint = bigint) else value
  })
  names(items) <- .Call(C_node_keys, x, "")
  items
}
as.list.asdf_node <- as.list.asdf_file

asdf_get <- function(x, path, default, bigint = c("integer64", "numeric", "character")) {
  if (!missing(default) && !asdf_exists(x, path)) return(default)
  get_value(x, path, match.arg(bigint))
}

asdf_keys <- function(x, path = "") .Call(C_node_typed_keys, x, path)

asdf_get_key <- function(x, path, key, bigint = c("integer64", "numeric", "character")) {
  get_value(.Call(C_node_by_key, x, path, key, FALSE), "", match.arg(bigint))
}

asdf_exists <- function(x, path) .Call(C_node_exists, x, path)
asdf_kind <- function(x, path = "") .Call(C_node_kind, x, path)
asdf_tag <- function(x, path = "") .Call(C_node_tag, x, path)
asdf_path <- function(x) .Call(C_node_path, x)

"[[<-.asdf_file" <- function(x, i, value) {
  if (is.null(value)) asdf_delete(x, i) else asdf_set(x, i, value)
  x
}
"[[<-.asdf_node" <- `[[<-.asdf_file`

"$<-.asdf_file" <- function(x, name, value) {
  x[[name]] <- value
  x
}
"$<-.asdf_node" <- `$<-.asdf_file`

asdf_new_mapping <- function() .Call(C_node_new_mapping)

asdf_set <- function(x, path, value, ...) {
  check_outside(x, path)
  UseMethod("asdf_set", value)
}

# Fails if a new key would be in an array, which is a value in R and no list: array/name.
check_outside <- function(x, path) {
  slashes <- if (is.character(path) && length(path) == 1L && !is.na(path)) gregexpr("/", path, fixed = TRUE)[[1L]] else -1L
  for (slash in slashes[slashes > 1L]) {
    above <- substr(path, 1L, slash - 1L)
    if (!asdf_exists(x, above)) return(invisible())
    if (asdf_kind(x, above) == "array" && !asdf_exists(x, path)) {
      refuse("WRONG_TYPE", paste0("the node '", above, "' is an array, in which '", substring(path, slash + 1L),
        "' must not be set"), path)
    }
  }
}

asdf_set.default <- function(x, path, value, compression = NULL, datatype = NULL, dim = NULL, ...) {
  if (!is.null(value) && !is.atomic(value)) {
    refuse("INVALID_ARGUMENT", paste0("a value must not be of the type ", typeof(value)), path)
  }
  if (is.object(value) && !inherits(value, c("integer64", "AsIs", "noquote"))) {
    refuse("INVALID_ARGUMENT", paste0("a value of the class ", class(value)[[1L]], " must not be set, as its class would be ",
                                      "lost; set unclass() of it"), path)
  }
  unit <- attr(value, "unit", exact = TRUE)
  if (is.numeric(value) && is.character(unit) && length(unit) == 1L && !is.na(unit) && nzchar(unit)) {
    attr(value, "unit") <- NULL
    return(set_with_unit(x, path, value, unit, compression = compression, datatype = datatype, dim = dim, ...))
  }
  is_scalar <- is.null(value) || is.raw(value) || (is.atomic(value) && length(value) == 1L && is.null(attr(value, "dim")))
  given <- list(codec = compression, ...)
  stored <- !is.null(datatype) || !is.null(dim) || length(given[!vapply(given, is.null, TRUE)]) > 0L
  if (is_scalar && !stored) {
    set_scalar(x, path, value)
  } else if (is.character(value) && is.null(attr(value, "dim")) && !stored && !anyNA(value)) {
    # With NA, the texts are an array, which has a mask.
    asdf_set.list(x, path, as.list(unname(value)))
  } else {
    # The mask of missing elements is compressed as the elements are.
    of_mask <- make_options("set", given[names(given) %in% c("codec", "level", "threads")])
    .Call(C_node_set_array, x, path, value, dim, datatype, make_options("set", given), of_mask)
  }
  invisible(x)
}

# Sets numbers that have the attribute "unit", as columns of tables have it: a quantity.
set_with_unit <- function(x, path, value, unit, ...) {
  place <- .Call(C_node_make, x, path)
  .Call(C_node_set_collection, place, "", TRUE, FALSE)
  asdf_set(place, "value", value, ...)
  .Call(C_node_set_quantity, place, "", unit)
  invisible(x)
}

asdf_set_key <- function(x, path, key, value, ...) {
  count <- .Call(C_node_count, x, path)
  place <- .Call(C_node_by_key, x, path, key, TRUE)
  is_new <- .Call(C_node_count, x, path) > count
  tryCatch(asdf_set(place, "", value, ...), error = function(problem) {
    if (is_new) .Call(C_node_remove, place, "")
    stop(problem)
  })
  invisible(x)
}

# Sets a scalar. A text with the attribute "tag", as it is read, gets this tag again.
set_scalar <- function(x, path, value) {
  tag <- if (is.character(value)) attr(value, "tag", exact = TRUE)
  if (is.null(tag)) return(.Call(C_node_set_scalar, x, path, value))
  if (identical(tag, paste0(yaml_tag_prefix, "timestamp"))) return(.Call(C_node_set_timestamp, x, path, as.vector(value)))
  place <- .Call(C_node_make, x, path)
  .Call(C_node_set_scalar, place, "", value)
  .Call(C_node_set_tag, place, "", tag)
}

asdf_set.factor <- function(x, path, value, ...) asdf_set(x, path, as.character(value), ...)

asdf_set.POSIXt <- function(x, path, value, ...) {
  if (length(value) != 1L || is.na(value)) refuse("INVALID_ARGUMENT", "a time must have the length 1, and not be NA", path)
  .Call(C_node_set_timestamp, x, path, time_text(value))
  invisible(x)
}

asdf_set.Date <- function(x, path, value, ...) {
  if (length(value) != 1L || is.na(value)) refuse("INVALID_ARGUMENT", "a date must have the length 1, and not be NA", path)
  .Call(C_node_set_timestamp, x, path, format(value, "%Y-%m-%d"))
  invisible(x)
}

# A list with names becomes a mapping, any other list a sequence. The attribute "tag" is its tag.
asdf_set.list <- function(x, path, value, ...) {
  keys <- names(value)
  if (is.null(keys) && length(value) == 0L && is.list(value) && !is.null(attributes(value))) keys <- character()
  if (!is.null(keys) && (!all(nzchar(keys)) || anyDuplicated(keys))) {
    refuse("INVALID_ARGUMENT", "the names of a list must differ, and must not be empty", path)
  }
  place <- .Call(C_node_make, x, path)
  tag <- attr(value, "tag", exact = TRUE)
  if (is.character(tag) && startsWith(tag[[1L]], "!")) {
    .Call(C_node_copy, place, "", tagged_collection(tag[[1L]], !is.null(keys), path), NULL)
    tag <- NULL
  } else {
    .Call(C_node_set_collection, place, "", !is.null(keys), FALSE)
  }
  steps <- if (is.null(keys)) as.character(seq_along(value) - 1L) else path_step(keys)
  for (index in seq_along(value)) {
    # An item of a sequence exists before it is set.
    if (is.null(keys)) .Call(C_node_set_scalar, place, "-", NULL)
    asdf_set(place, steps[[index]], value[[index]], ...)
  }
  if (is.character(tag)) .Call(C_node_set_tag, place, "", tag)
  invisible(x)
}

# Returns an empty mapping or sequence with a tag of one format only, such as !astropy.units.Unit. asdf_set_tag() takes
# those of ASDF, so this one comes from a text.
tagged_collection <- function(tag, is_mapping, path) {
  if (!grepl("^![A-Za-z0-9_./:-]+$", tag)) refuse("INVALID_ARGUMENT", paste0("'", tag, "' cannot be a tag"), path)
  lines <- c("#ASDF 1.0.0", "#ASDF_STANDARD 1.6.0", "%YAML 1.1", "---",
             paste0("item: !<", tag, "> ", if (is_mapping) "{}" else "[]"), "...", "")
  .Call(C_node_get, asdf_open(charToRaw(paste(lines, collapse = "\n"))), "item")
}

# Writes a key as a step of a path: "~" and "/" are escaped as in JSON Pointer.
path_step <- function(key) gsub("/", "~1", gsub("~", "~0", key, fixed = TRUE), fixed = TRUE)

asdf_set.asdf_node <- function(x, path, value, ...) {
  .Call(C_node_copy, x, path, value, make_options("plain", list(...)))
  invisible(x)
}
asdf_set.asdf_file <- asdf_set.asdf_node

asdf_set.asdf_array <- function(x, path, value, ...) {
  node <- attr(value, "node", exact = TRUE)
  if (is.null(node)) refuse("INVALID_ARGUMENT", "a field of an array must be read before it is set", path)
  asdf_set.asdf_node(x, path, node, ...)
}

asdf_set_reference <- function(x, path, uri) {
  .Call(C_node_set_reference, x, path, uri)
  invisible(x)
}

asdf_set_wcs_cards <- function(x, path, cards, ...) {
  .Call(C_node_set_wcs_cards, x, path, paste(cards, collapse = "\n"), make_options("read_cards", list(...)))
  invisible(x)
}

asdf_set_wcs_cutout <- function(x, path, from, start, count, step = rep(1, length(start))) {
  if (length(count) != length(start) || length(step) != length(start)) {
    refuse("INVALID_ARGUMENT", "start, count and step must have as many numbers", path)
  }
  .Call(C_node_set_wcs_cutout, x, path, from, start - 1, count, step)
  invisible(x)
}

asdf_get_quantity <- function(x, path, unit, spelling = "generic", ...) {
  .Call(C_node_get_quantity, x, path, unit, spelling_number(spelling), make_options("convert_units", list(...)))
}

asdf_set_quantity <- function(x, path, unit) {
  .Call(C_node_set_quantity, x, path, unit)
  invisible(x)
}

# The value of an expression, or NULL if nothing is found.
null_if_not_found <- function(value) {
  tryCatch(value, asdf_error_not_found = function(condition) NULL)
}

asdf_set_note <- function(x, path, note) {
  .Call(C_node_set_note, x, path, note)
  invisible(x)
}

asdf_note <- function(x, path = "") {
  null_if_not_found(.Call(C_node_note, x, path))
}

asdf_set_comment <- function(x, path, comment, position = "before") {
  .Call(C_node_set_comment, x, path, comment_number(position), comment)
  invisible(x)
}

asdf_comment <- function(x, path, position = "before") {
  null_if_not_found(.Call(C_node_comment, x, path, comment_number(position)))
}

comment_number <- function(position) {
  constants$comment[[match.arg(position, names(constants$comment))]]
}

asdf_set_time <- function(x, path, time, ...) {
  if (inherits(time, c("POSIXt", "Date"))) {
    .Call(C_node_set_times, x, path, as.double(as.POSIXct(time)), make_options("set_times", list(...)))
  } else {
    .Call(C_node_set_time, x, path, time)
  }
  invisible(x)
}

asdf_get_time <- function(x, path, ...) {
  .POSIXct(.Call(C_node_get_times, x, path, make_options("get_time", list(...))), tz = "UTC")
}

asdf_set_tag <- function(x, path, tag) {
  .Call(C_node_set_tag, x, path, tag)
  invisible(x)
}

asdf_delete <- function(x, path) {
  .Call(C_node_remove, x, path)
  invisible(x)
}

asdf_rename <- function(x, path, key) {
  .Call(C_node_rename, x, path, key)
  invisible(x)
}

asdf_move <- function(x, path, to) {
  .Call(C_node_move, x, path, to)
  invisible(x)
}

print.asdf_node <- function(x, ...) {
  kind <- .Call(C_node_kind, x, "")
  text <- if (kind == "table") table_text(x) else if (kind == "quantity") quantity_text(x) else kind
  cat("<ASDF ", text, " at /", sub("^/", "", asdf_path(x)), ">\n", sep = "")
  if (kind != "table" || !print_columns(x)) print_items(x)
  invisible(x)
}

# Tells the size of a table.
table_text <- function(node) {
  tryCatch(size_text(dim(asdf_open_table(node))), asdf_error = function(condition) "table")
}

size_text <- function(size) paste0("table of ", size[[1L]], " rows x ", size[[2L]], " columns")

# Tells number or array and unit of a quantity.
quantity_text <- function(node) {
  part <- function(name) item_text(.Call(C_node_get, node, name))
  tryCatch(paste("quantity", part("value"), part("unit")), asdf_error = function(condition) "quantity")
}

# Prints the columns of a table with their types and units; returns FALSE if the table cannot be read.
print_columns <- function(node, most = 20L) {
  table <- tryCatch(table_handle(asdf_open_table(node)), asdf_error = function(condition) NULL)
  if (is.null(table)) return(FALSE)
  names <- .Call(C_table_names, table)
  for (name in utils::head(names, most)) {
    unit <- .Call(C_table_column_texts, table, name)[[1L]]
    type <- .Call(C_table_column_type, table, name)
    cat("  ", name, ": ", type, if (!is.na(unit) && nzchar(unit)) paste0(" [", unit, "]"), "\n", sep = "")
  }
  if (length(names) > most) cat("  and", length(names) - most, "more\n")
  TRUE
}

# Tells what an item is, or its value.
item_text <- function(item) {
  kind <- .Call(C_node_kind, item, "")
  switch(kind,
    array = array_text(.Call(C_array_get, item, "")),
    "number list" = paste("numbers", .Call(C_node_count, item, "")),
    table = table_text(item),
    quantity = quantity_text(item),
    mapping = , sequence = , column = paste0(kind, " of ", .Call(C_node_count, item, "")),
    paste(format(.Call(C_node_value, item, "", "character")), collapse = " ")
  )
}

# Prints a line for each of the first items.
print_items <- function(x, most = 20L) {
  count <- .Call(C_node_count, x, "")
  keys <- .Call(C_node_keys, x, "")
  for (index in seq_len(min(count, most))) {
    item <- .Call(C_node_item, x, "", index)
    name <- if (is.null(keys)) paste0("[[", index, "]]") else keys[[index]]
    cat("  ", name, ": ", substr(item_text(item), 1L, 60L), "\n", sep = "")
  }
  if (count > most) cat("  and", count - most, "more\n")
}

str.asdf_file <- function(object, ...) print(object)
str.asdf_node <- str.asdf_file
format.asdf_file <- function(x, ...) "<ASDF file>"
format.asdf_node <- function(x, ...) paste0("<ASDF node /", sub("^/", "", asdf_path(x)), ">")
