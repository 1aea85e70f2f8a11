# Named arguments as options of a call of the library.

# Returns the options of a call (a name in call_options) for C code, or NULL if none is given.
# `own` are the arguments of the function itself, which a wrong name may stand for.
make_options <- function(call, given, own = NULL) {
  if (length(given) == 0L) return(NULL)
  given <- given[!vapply(given, is.null, TRUE)]
  if (length(given) == 0L) return(NULL)
  known <- c(call_options[[call]], common_options, "progress", if (takes_schemas(call)) "schemas")
  names <- names(given)
  if (is.null(names) || !all(nzchar(names))) refuse("INVALID_ARGUMENT", "options must have names")
  unknown <- setdiff(names, known)
  if (length(unknown)) refuse("INVALID_ARGUMENT", unknown_option(unknown[[1L]], known, own))
  .Call(C_options, Map(make_option, names, given))
}

# Names that other packages give to options.
other_names <- c(
  overwrite = "replace", force = "replace", clobber = "replace", compress = "codec", filter = "codec",
  compression_level = "level", chunk = "chunks", endian = "byte_order", cores = "threads", ncores = "threads",
  na.strings = "null_values", n_max = "row_count", nrows = "row_count", sep = "delimiter", version = "standard"
)

# Functions whose options users look for, by the name of their call.
option_functions <- c(set = "asdf_set", write = "asdf_write", open = "asdf_open", read = "asdf_read",
  read_ecsv = "read_ecsv", write_ecsv = "write_ecsv", new = "asdf_new", stream = "asdf_stream")

# The option that a wrong name probably stands for, or NULL.
similar_option <- function(name, known) {
  meant <- intersect(c(name, other_names[name]), known)
  if (length(meant)) return(meant[[1L]])
  distances <- adist(name, known)
  if (min(distances) <= max(1, nchar(name) %/% 4)) known[[which.min(distances)]]
}

# The argument is named as in other packages.
shown_option <- function(name) paste0("'", if (name == "codec") "compression" else name, "'")

# The message for an option that a call does not know: the similar one, the function that knows it, or all options.
unknown_option <- function(name, known, own = NULL) {
  # Two letters in the wrong order are a distance of 2.
  distances <- if (length(own)) adist(name, own)
  if (length(own) && min(distances) <= 2L) {
    return(paste0("there is no option '", name, "' here; did you mean the argument '", own[[which.min(distances)]], "'?"))
  }
  meant <- similar_option(name, c(known, if ("codec" %in% known) "compression"))
  if (!is.null(meant)) return(paste0("there is no option '", name, "' here; did you mean ", shown_option(meant), "?"))
  for (call in names(option_functions)) {
    options <- call_options[[call]]
    meant <- similar_option(name, c(options, if ("codec" %in% options) "compression"))
    if (!is.null(meant)) {
      return(paste0("there is no option '", name, "' here; ", shown_option(meant), " is an option of ",
        option_functions[[call]], "()"))
    }
  }
  paste0("there is no option '", name, "' here; the options are ",
    paste(sort(grep("^limit_", known, invert = TRUE, value = TRUE)), collapse = ", "), " and limits")
}

# Opening and writing take schemas that the content must match: an object, and no value of a key.
takes_schemas <- function(call) call != "validate" && "root_schema" %in% call_options[[call]]

# Returns list(key, name, value, setter) for C code. The setter is that of the C interface: int, ints, float, text, texts or
# schemas.
make_option <- function(name, value) {
  if (name == "progress") {
    if (!is.function(value)) refuse("INVALID_ARGUMENT", "the option progress must be a function of done and total")
    return(list(0L, name, value, "progress"))
  }
  if (name == "schemas") return(list(0L, name, value, "schemas"))
  key <- option_keys[[name]]
  wrong <- function(wanted) refuse("INVALID_ARGUMENT", paste0("the option ", name, " must be ", wanted))
  setter <- if (key[[2L]] %in% c("text", "file name")) "text" else "int"
  switch(key[[2L]],
    flag = if (!(is.logical(value) && length(value) == 1L && !is.na(value))) wrong("TRUE or FALSE"),
    constant = {
      if (!(is.character(value) && length(value) == 1L && value %in% names(key[[3L]]))) {
        wrong(paste("one of", paste0('"', names(key[[3L]]), '"', collapse = ", ")))
      }
      value <- key[[3L]][[value]]
    },
    int = if (!(is.numeric(value) && length(value) == 1L && !is.na(value))) wrong("one whole number"),
    ints = {
      if (!(is.numeric(value) && !anyNA(value) && all(value == trunc(value) & abs(value) <= 2^53))) wrong("whole numbers")
      value <- as.numeric(value)
      setter <- "ints"
    },
    float = {
      if (!(is.numeric(value) && length(value) == 1L && !is.na(value))) wrong("one number")
      setter <- "float"
    },
    text = if (!(is.character(value) && length(value) == 1L)) wrong("one string"),
    "file name" = {
      if (!(is.character(value) && length(value) == 1L)) wrong("one name of a file")
      value <- path.expand(value)
    },
    texts = ,
    "file names" = {
      if (!is.character(value)) wrong("strings")
      setter <- "texts"
    }
  )
  list(key[[1L]], name, value, setter)
}
