# Named arguments as options of a call of the library.

# Returns the options of a call (a name in call_options) for C code, or NULL if none is given.
make_options <- function(call, given) {
  if (length(given) == 0L) return(NULL)
  given <- given[!vapply(given, is.null, TRUE)]
  if (length(given) == 0L) return(NULL)
  known <- c(call_options[[call]], common_options, "progress", if (takes_schemas(call)) "schemas")
  names <- names(given)
  if (is.null(names) || !all(nzchar(names))) refuse("INVALID_ARGUMENT", "options must have names")
  unknown <- setdiff(names, known)
  if (length(unknown)) {
    refuse("INVALID_ARGUMENT", paste0("there is no option '", unknown[[1L]], "' here; the options are ",
      paste(sort(known), collapse = ", ")))
  }
  .Call(C_options, Map(make_option, names, given))
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
