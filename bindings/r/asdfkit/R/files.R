# Files: opening, making, writing, saving, checking, repairing.

#' @useDynLib asdfkit, .registration = TRUE
NULL

asdf_open <- function(path, mode = c("r", "r+"), ...) {
  # match.arg() takes as long as the opening of a small file.
  update <- !missing(mode) && match.arg(mode) == "r+"
  options <- make_options(if (update) "update" else "open", list(...))
  if (is.raw(path)) {
    if (update) refuse("INVALID_ARGUMENT", "a file in memory cannot be changed in place: open it with mode \"r\"")
    return(.Call(C_file_open_memory, path, options))
  }
  .Call(C_file_open, file_name(path), update, options)
}

# Expands "~" in the name of a file.
file_name <- function(path) if (is.character(path)) path.expand(path) else path

asdf_new <- function(...) .Call(C_file_new, make_options("new", list(...)))

close.asdf_file <- function(con, ...) invisible(.Call(C_file_close, con))

is_open <- function(x) .Call(C_is_open, x)

asdf_write <- function(file, path, ...) {
  .Call(C_file_write, file, file_name(path), make_options("write", list(...)))
  invisible(file)
}

asdf_write_raw <- function(file, ...) .Call(C_file_write_memory, file, make_options("write_memory", list(...)))

asdf_save <- function(file, ...) {
  .Call(C_file_save, file, make_options("save", list(...)))
  invisible(file)
}

asdf_compact <- function(file, ...) {
  .Call(C_file_compact, file, make_options("save", list(...)))
  invisible(file)
}

asdf_repair <- function(file, what = "index", ...) {
  .Call(C_file_repair, file, flags("repair", what), make_options("save", list(...)))
}

asdf_recover <- function(path, new_path, what = character(), ...) {
  report_frame(.Call(C_file_recover, file_name(path), file_name(new_path), flags("recover", what),
    make_options("recover", list(...))))
}

asdf_explode <- function(file, path, ...) {
  .Call(C_file_explode, file, file_name(path), make_options("write", list(...)))
  invisible(file)
}

asdf_implode <- function(file, path, ...) {
  .Call(C_file_implode, file, file_name(path), make_options("write", list(...)))
  invisible(file)
}

# Returns the sum of the named constants of a group.
flags <- function(group, names) {
  known <- constants[[group]]
  unknown <- setdiff(names, names(known))
  if (length(unknown)) {
    refuse("INVALID_ARGUMENT",
      paste0("'", unknown[[1L]], "' is not one of ", paste0('"', names(known), '"', collapse = ", ")))
  }
  Reduce(bitwOr, known[names], 0L)
}

asdf_verify <- function(file, ...) .Call(C_file_verify, file, make_options("plain", list(...)))

asdf_blocks <- function(file) as.data.frame(.Call(C_file_blocks, file), stringsAsFactors = FALSE)

asdf_transfers <- function(file) .Call(C_file_transfers, file)

asdf_report <- function(file) report_frame(.Call(C_file_report, file))

# Returns a data frame with a row for each entry of a report.
report_frame <- function(report) {
  columns <- .Call(C_report, report)
  dropped <- attr(columns, "dropped")
  attr(columns, "dropped") <- NULL
  for (field in c("kind", "severity", "operation")) {
    known <- constants[[if (field == "kind") "report_kind" else field]]
    columns[[field]] <- names(known)[match(columns[[field]], known)]
  }
  empty <- vapply(columns, function(column) length(column) > 0L && all(is.na(column)), TRUE)
  frame <- as.data.frame(columns[!empty | names(columns) == "message"], stringsAsFactors = FALSE)
  attr(frame, "dropped") <- dropped
  frame
}

asdf_history <- function(file) {
  entries <- .Call(C_file_history, file)
  if (is.null(entries)) return(list())
  as.list(entries)
}

asdf_add_history <- function(file, description, time = NULL, software = list()) {
  fields <- c("name", "version", "author", "homepage")
  unknown <- setdiff(names(software), fields)
  if (length(unknown)) refuse("INVALID_ARGUMENT", paste0("software has no field '", unknown[[1L]], "'"))
  if (inherits(time, "POSIXt")) time <- time_text(time)
  .Call(C_file_add_history, file, description, time, lapply(fields, function(field) software[[field]]))
  invisible(file)
}

asdf_extensions <- function(file) {
  entries <- .Call(C_file_extensions, file)
  if (is.null(entries)) return(list())
  as.list(entries)
}

asdf_add_extension <- function(file, class, uri = NULL, software = list()) {
  .Call(C_file_add_extension, file, class, uri, software[["name"]], software[["version"]])
  invisible(file)
}

asdf_software <- function(x, path = "") {
  texts <- .Call(C_node_software, x, path)
  as.data.frame(setNames(texts, c("name", "version", "author", "homepage")), stringsAsFactors = FALSE)
}

asdf_set_software <- function(x, path, name, version, author = NULL, homepage = NULL) {
  .Call(C_node_set_software, x, path, name, version, author, homepage)
  invisible(x)
}

# format() cuts fractions off; half a microsecond more rounds them.
time_text <- function(time) format(as.POSIXct(time) + 5e-7, "%Y-%m-%dT%H:%M:%OS6Z", tz = "UTC")

asdf_forget_failure <- function(file) {
  .Call(C_file_forget_failure, file)
  invisible(file)
}

asdf_library_version <- function() .Call(C_library_version)

print.asdf_file <- function(x, ...) {
  if (!is_open(x)) {
    cat("<closed ASDF file>\n")
    return(invisible(x))
  }
  info <- .Call(C_file_info, x)
  cat("<ASDF file", if (nzchar(info[[1L]])) info[[1L]] else "without a name", "standard", info[[3L]], ">\n")
  print_items(x)
  invisible(x)
}
