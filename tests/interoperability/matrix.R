# The R program of the matrix: `write EXPECTED DIR` writes the files, `read FOUND FILE...` reads files and dumps what it
# finds into the directory FOUND. matrix.py describes files and dumps. Dimensions here are in the order of R.
library(asdfkit)

signed <- c(int8 = 1, int16 = 2, int32 = 4)
unsigned <- c(uint8 = 1, uint16 = 2, uint32 = 4)
other <- c("int64", "uint64", "float16", "float32", "float64", "complex64", "complex128", "bool8")
sizes <- list(NULL, 7, c(5, 3), c(4, 3, 2), c(5, 2, 3, 2))
codecs <- c("none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2")

# Writing -------------------------------------------------------------------------------------------------------------

# Reads the expected elements of a datatype.
elements <- function(expected, name, type) {
  path <- file.path(expected, paste0(name, ".bin"))
  size <- file.size(path)
  if (type %in% names(signed)) return(readBin(path, "integer", size, signed[[type]]))
  if (type == "uint32") {
    numbers <- as.numeric(readBin(path, "integer", size))
    return(ifelse(numbers < 0, numbers + 2^32, numbers))
  }
  switch(type,
    uint8 = , uint16 = readBin(path, "integer", size, unsigned[[type]], signed = FALSE),
    int64 = structure(readBin(path, "double", size), class = "integer64"),
    float64 = readBin(path, "double", size),
    complex128 = readBin(path, "complex", size),
    bool8 = readBin(path, "integer", size, 1L) != 0
  )
}

texts <- function(expected, name) readLines(file.path(expected, paste0(name, ".txt")), encoding = "UTF-8")

write_arrays <- function(expected, path, codec, order, byte_order) {
  file <- asdf_new()
  # INT32_MIN is NA as an integer; as a double it can be stored.
  for (type in c(names(signed), names(unsigned), "float64", "complex128", "bool8")) {
    for (rank in 0:4) {
      values <- elements(expected, paste0(type, "-rank", rank), type)
      if (type == "int32") values <- ifelse(is.na(values), -2^31, values)
      kept <- type %in% c("float64", "complex128", "bool8")
      asdf_set(file, paste0(type, "/rank", rank), values, dim = as.numeric(sizes[[rank + 1]]), compression = if (codec == "none") NULL else codec,
        datatype = if (kept) NULL else type, stored_order = order, byte_order = byte_order)
    }
  }
  asdf_write(file, path, durable = FALSE)
}

write_extras <- function(expected, directory) {
  table <- data.frame(id = seq_len(length(texts(expected, "table-name"))))
  table$id <- elements(expected, "table-id", "int64")
  missing <- elements(expected, "table-flux.mask", "bool8")
  table$flux <- ifelse(missing, NA, elements(expected, "table-flux", "float64"))
  table$name <- texts(expected, "table-name")
  table$good <- elements(expected, "table-good", "bool8")
  table$position <- t(matrix(elements(expected, "table-position", "float64"), 2))
  file <- asdf_new()
  asdf_set(file, "strings/ascii", matrix(texts(expected, "strings-ascii"), 3))
  asdf_set(file, "strings/ucs4", matrix(texts(expected, "strings-ucs4"), 3))
  missing <- elements(expected, "masks-image.mask", "bool8")
  image <- elements(expected, "masks-image", "float64")
  asdf_set(file, "masks/image", matrix(ifelse(missing, NA, image), 4))
  asdf_set(file, "table", table, table_form = "astropy")
  asdf_write(file, file.path(directory, "extras.asdf"), durable = FALSE)
  write_ecsv(table, file.path(directory, "table.ecsv"))
}

# Reading -------------------------------------------------------------------------------------------------------------

add <- function(found, name, bytes) {
  writeBin(charToRaw(sprintf("%s %d\n", name, length(bytes))), found)
  writeBin(bytes, found)
}

add_lines <- function(found, name, lines) add(found, name, unlist(lapply(paste0(lines, "\n"), charToRaw)))

add_masked <- function(found, name, values) {
  missing <- is.na(values) & !is.nan(values)
  values[missing] <- 0
  add(found, name, writeBin(as.vector(values), raw()))
  add(found, paste0(name, ".mask"), as.raw(missing))
}

# The bytes of decimal numbers up to 2^64 - 1.
unsigned_bytes <- function(digits) {
  width <- max(nchar(digits))
  figures <- do.call(rbind, strsplit(formatC(digits, width = width, flag = "0"), ""))
  limbs <- matrix(0, length(digits), 4)
  for (column in seq_len(width)) {
    carry <- as.numeric(figures[, column])
    for (limb in 1:4) {
      sum <- limbs[, limb] * 10 + carry
      limbs[, limb] <- sum %% 65536
      carry <- sum %/% 65536
    }
  }
  writeBin(as.integer(t(limbs)), raw(), size = 2L)
}

# The bytes of an array, and the datatype that R has for it if it is another one.
bytes_of <- function(array, type) {
  read <- function(...) as.vector(asdf_read(array, ...))
  if (type == "uint64") return(unsigned_bytes(gsub(" ", "0", formatC(read(bigint = "character"), width = 20))))
  if (type == "int64") return(writeBin(unclass(bit64::as.integer64(read(bigint = "character"))), raw()))
  values <- read()
  if (type %in% names(signed)) return(suppressWarnings(writeBin(as.integer(values), raw(), size = signed[[type]])))
  if (type == "uint32") return(suppressWarnings(writeBin(as.integer(ifelse(values >= 2^31, values - 2^32, values)), raw())))
  if (type %in% names(unsigned)) return(writeBin(as.integer(values), raw(), size = unsigned[[type]]))
  if (type == "bool8") return(as.raw(values))
  writeBin(values, raw())
}

converted <- c(float16 = "float64", float32 = "float64", complex64 = "complex128")

read_arrays <- function(found, file) {
  for (type in c(names(signed), names(unsigned), other)) {
    for (rank in 0:4) {
      path <- paste0(type, "/rank", rank)
      if (!asdf_exists(file, path)) next
      array <- asdf_array(file, path)
      stopifnot(identical(as.numeric(dim(array)), as.numeric(sizes[[rank + 1]])))
      name <- if (type %in% names(converted)) paste0(path, "@", converted[[type]]) else path
      add(found, name, bytes_of(array, type))
    }
  }
}

add_table <- function(found, table) {
  add(found, "table/id", writeBin(unclass(bit64::as.integer64(table$id)), raw()))
  add_masked(found, "table/flux", as.numeric(table$flux))
  add_lines(found, "table/name", table$name)
  add(found, "table/good", as.raw(table$good))
  add(found, "table/position", writeBin(as.vector(t(unclass(table$position))), raw()))
}

read_file <- function(directory, path) {
  found <- file(file.path(directory, paste0(basename(path), ".found")), "wb")
  on.exit(close(found))
  if (grepl("ecsv$", path)) return(add_table(found, read_ecsv(path)))
  file <- asdf_open(path, verify_checksums = TRUE)
  read_arrays(found, file)
  for (name in c("strings/ascii", "strings/ucs4")) {
    if (asdf_exists(file, name)) add_lines(found, name, asdf_read(file, name))
  }
  if (asdf_exists(file, "records")) {
    records <- asdf_read(file, "records")
    add(found, "records/id", suppressWarnings(writeBin(as.integer(records$id), raw())))
    add_lines(found, "records/name", records$name)
    add(found, "records/flux", writeBin(records$flux, raw(), size = 4L))
    add(found, "records/good", as.raw(records$good))
    add(found, "records/position", writeBin(as.vector(t(records$position)), raw()))
  }
  if (asdf_exists(file, "masks/image")) add_masked(found, "masks/image", asdf_read(file, "masks/image"))
  if (asdf_exists(file, "table")) add_table(found, asdf_read_table(file, "table"))
}

arguments <- commandArgs(trailingOnly = TRUE)
if (arguments[[1]] == "read") {
  for (path in arguments[-(1:2)]) read_file(arguments[[2]], path)
} else {
  for (codec in codecs) for (order in c("c", "fortran")) for (byte_order in c("little", "big")) {
    path <- file.path(arguments[[3]], paste0(codec, "-", order, "-", byte_order, ".asdf"))
    write_arrays(arguments[[2]], path, codec, order, byte_order)
  }
  write_extras(arguments[[2]], arguments[[3]])
}
