# Tables in ECSV and ASDF as data frames.

example <- function() {
  frame <- data.frame(
    x = c(1, NA, NaN), i = c(1L, NA, -2147483647L), s = c("a", NA, ""), l = c(TRUE, NA, FALSE), stringsAsFactors = FALSE
  )
  frame$m <- matrix(1:6, 3)
  frame$b <- bit64::as.integer64(c("9223372036854775807", NA, "1"))
  frame
}

test_that("data frames come back from ECSV and from ASDF", {
  frame <- example()
  path <- new_path(".ecsv")
  write_ecsv(frame, path)
  expect_identical(read_ecsv(path), frame)
  file <- asdf_new()
  file[["table"]] <- frame
  expect_identical(asdf_read_table(asdf_open(asdf_write_raw(file)), "table"), frame)
})

test_that("units, descriptions and metadata are attributes", {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(flux = c(1, 2)), path, units = c(flux = "Jy"), descriptions = c(flux = "at 1.4 GHz"),
    meta = list(telescope = "Roman", list = list(1L, 2L)))
  frame <- read_ecsv(path)
  expect_identical(attr(frame$flux, "unit"), "Jy")
  expect_identical(attr(frame$flux, "description"), "at 1.4 GHz")
  expect_identical(attr(frame, "meta")$telescope, "Roman")
  write_ecsv(frame, path, replace = TRUE)
  expect_identical(read_ecsv(path), frame)
  expect_status(write_ecsv(frame, path), "FILE_EXISTS")
  expect_status(write_ecsv(frame, path, units = c(flus = "Jy"), replace = TRUE), "NOT_FOUND")
})

test_that("an empty text is not the same as none", {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(ratio = 1, plain = 2), path, units = c(ratio = ""), descriptions = c(ratio = ""))
  frame <- read_ecsv(path)
  expect_identical(attributes(frame$ratio), list(unit = "", description = ""))
  expect_null(attributes(frame$plain))
  expect_true("# - {name: ratio, unit: '', datatype: float64, description: ''}" %in% readLines(path))
  write_ecsv(frame, path, replace = TRUE)
  expect_identical(read_ecsv(path), frame)
})

test_that("factors are stored as text, times and dates as such", {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(f = factor(c("u", "v")), d = as.Date(c("2026-01-01", NA)),
    t = as.POSIXct(c("2026-01-01", NA), tz = "UTC")), path)
  frame <- read_ecsv(path)
  expect_identical(frame$f, c("u", "v"))
  expect_identical(frame$d, as.Date(c("2026-01-01", NA)))
  expect_identical(frame$t, as.POSIXct(c("2026-01-01", NA), tz = "UTC"))
  expect_s3_class(read_ecsv(path, factors = TRUE)$f, "factor")
})

test_that("cells can be vectors", {
  frame <- data.frame(id = 1:3)
  frame$v <- list(c(1, 2), NULL, numeric())
  frame$a <- array(as.numeric(1:12), c(3, 2, 2))
  path <- new_path(".ecsv")
  write_ecsv(frame, path)
  again <- read_ecsv(path)
  expect_identical(again$v, frame$v)
  expect_identical(again$a, frame$a)
  frame$v <- list("a", 1, 2)
  expect_status(write_ecsv(frame, path, replace = TRUE), "UNSUPPORTED")
})

test_that("columns and rows are selected, and batches read", {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(a = 1:100, b = 100:1), path)
  expect_identical(read_ecsv(path, columns = "b", rows = 11:20)$b, 90:81)
  expect_status(read_ecsv(path, columns = "c"), "NOT_FOUND")
  expect_status(read_ecsv(path, rows = c(1, 3)), "UNSUPPORTED")
  batches <- ecsv_batches(path, rows = 30)
  sizes <- integer()
  while (!is.null(batch <- next_batch(batches))) sizes <- c(sizes, nrow(batch))
  expect_identical(sum(sizes), 100L)
  expect_gt(length(sizes), 1)
  close(batches)
  expect_status(next_batch(batches), "CLOSED")
})

test_that("rows are read by an index", {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(a = 1:100, b = "x\n", stringsAsFactors = FALSE), path)
  index <- ecsv_index(path, step = 7)
  expect_identical(attr(index, "rows"), 100)
  expect_identical(as.integer(read_ecsv(path, rows = 50:60, table_index = index)$a), 50:60)
  expect_status(ecsv_index(path, step = -1), "INVALID_ARGUMENT")
})

test_that("rows are appended to a file", {
  path <- new_path(".ecsv")
  writer <- ecsv_writer(path, data.frame(a = integer(), b = character(), stringsAsFactors = FALSE), units = c(a = "s"))
  append_rows(writer, data.frame(a = 1:2, b = c("x", "y"), stringsAsFactors = FALSE))
  append_rows(writer, data.frame(a = 3L, b = "z", stringsAsFactors = FALSE))
  close(writer)
  frame <- read_ecsv(path)
  expect_identical(as.integer(frame$a), 1:3)
  expect_identical(attr(frame$a, "unit"), "s")
  expect_status(append_rows(writer, frame), "CLOSED")
})

test_that("a table is stored in an ASDF file in batches", {
  path <- new_path()
  file <- asdf_new()
  like <- data.frame(a = integer(), b = character(), stringsAsFactors = FALSE)
  expect_status(asdf_table_writer(file, "t", like, temporary_directory = "nowhere"), "FILE_NOT_FOUND")
  writer <- asdf_table_writer(file, "t", like, units = c(a = "s"), compression = "zlib")
  append_rows(writer, data.frame(a = 1:2, b = c("x", "longer"), stringsAsFactors = FALSE))
  append_rows(writer, data.frame(a = NA_integer_, b = "z", stringsAsFactors = FALSE))
  expect_false(asdf_exists(file, "t"))
  close(writer)
  expect_status(append_rows(writer, like), "CLOSED")
  asdf_write(file, path)
  frame <- asdf_read_table(asdf_open(path), "t")
  expect_identical(as.integer(frame$a), c(1:2, NA))
  expect_identical(as.character(frame$b), c("x", "longer", "z"))
  expect_identical(attr(frame$a, "unit"), "s")
})

test_that("wrong cells are failures with line and column name", {
  path <- new_path(".ecsv")
  writeLines(c("# %ECSV 1.0", "# ---", "# datatype:", "# - {name: a, datatype: int8}", "a", "1", "300"), path)
  condition <- expect_status(read_ecsv(path), "VALUE_RANGE")
  expect_identical(condition$line, 7)
  expect_identical(condition$subject, "a")
})

test_that("rows are streamed into an ASDF file", {
  path <- new_path()
  stream <- asdf_stream(path, "spectra", dim = 3, datatype = "float32", durable = FALSE)
  push_rows(stream, matrix(as.numeric(1:6), 3))
  push_rows(stream, c(7, 8, 9))
  expect_identical(row_count(stream), 3)
  expect_status(push_rows(stream, 1:2), "INVALID_ARGUMENT")
  close(stream)
  expect_identical(asdf_read(asdf_open(path), "spectra"), matrix(as.numeric(1:9), 3))
  other <- new_path()
  discard(asdf_stream(other, "spectra"))
  expect_false(file.exists(other))
  expect_status(asdf_stream(other, "spectra", datatype = "text"), "BAD_DATATYPE")
})

test_that("a part of the rows keeps units, descriptions, metadata and dimensions", {
  frame <- data.frame(x = 1:4, s = letters[1:4])
  attr(frame$x, "unit") <- "Jy"
  attr(frame$s, "description") <- "name"
  attr(frame$x, "meta") <- list(k = 2L)
  frame$wide <- array(1:24, c(4, 2, 3))
  attr(frame$wide, "unit") <- "m"
  attr(frame, "meta") <- list(survey = "x")
  path <- new_path(".ecsv")
  write_ecsv(frame, path)
  table <- read_ecsv(path)
  parts <- list(
    table[2:3, ], table[table$x > 1 & table$x < 4, ], table[c(FALSE, TRUE, TRUE, FALSE), c("x", "s", "wide")],
    subset(table, x %in% 2:3), head(tail(table, 3), 2), table[-c(1, 4), ]
  )
  for (part in parts) {
    expect_identical(as.vector(part$x), 2:3)
    expect_identical(attr(part$x, "unit"), "Jy")
    expect_identical(attr(part$x, "meta"), list(k = 2L))
    expect_identical(attr(part$s, "description"), "name")
    expect_equal(part$wide, table$wide[2:3, , ], ignore_attr = TRUE)
    expect_identical(dim(part$wide), c(2L, 2L, 3L))
    expect_identical(attr(part, "meta"), list(survey = "x"))
    again <- new_path(".ecsv")
    write_ecsv(part, again)
    expect_identical(attr(read_ecsv(again)$x, "unit"), "Jy")
    expect_identical(attr(read_ecsv(again), "meta"), list(survey = "x"))
  }
  expect_identical(as.vector(table[2:3, "x"]), 2:3)
  expect_identical(dim(table[2:3, "wide"]), c(2L, 2L, 3L))
  expect_identical(names(table["x"]), "x")
  expect_identical(nrow(table[0, ]), 0L)
  expect_true(is.data.frame(table[order(-table$x), ]) && inherits(table, "data.frame"))
  plain <- read_ecsv({
    path <- new_path(".ecsv")
    write_ecsv(data.frame(a = 1:2), path)
    path
  })
  expect_identical(class(plain), "data.frame")
})

test_that("missing texts come back in one column", {
  path <- tempfile(fileext = ".ecsv")
  table <- data.frame(note = c("a", NA, ""), id = 3:1)
  for (i in 1:2) {
    write_ecsv(table, path, replace = TRUE)
    table <- read_ecsv(path)
    expect_identical(names(table), c("note", "id"))
    expect_identical(table$note, c("a", NA, ""))
    expect_null(attr(table, "meta"))
  }
  expect_identical(read_ecsv(path, columns = "note")$note, c("a", NA, ""))
  raw <- read_ecsv(path, raw_columns = TRUE)
  expect_identical(names(raw), c("note", "note.mask", "id"))
  expect_error(read_ecsv(path, columns = "note.mask"), class = "asdf_error")
})

test_that("sorted rows keep units and metadata", {
  path <- tempfile(fileext = ".ecsv")
  write_ecsv(data.frame(flux = c(2, NA, NaN, -1), id = 1:4), path, units = c(flux = "Jy"), meta = list(by = "R"))
  table <- read_ecsv(path)
  sorted <- table[order(table$flux), c("id", "flux")]
  expect_identical(as.integer(sorted$id)[1:2], c(4L, 1L))
  expect_identical(attr(sorted$flux, "unit"), "Jy")
  expect_identical(attr(sorted, "meta")$by, "R")
})

test_that("cells of open tables change, and the rest stays", {
  path <- tempfile(fileext = ".ecsv")
  writeLines(c("# %ECSV 1.0", "# ---", "# datatype:", "# - {name: n, datatype: int8, unit: Jy}",
    "# - {name: big, datatype: string, subtype: json}", "# - {name: list, datatype: string, subtype: 'float32[null]'}",
    "# - {name: words, datatype: string, subtype: 'string[2]'}", "# meta: {by: R}", "n big list words",
    '1 1 "[1,2]" "[""a"",""b""]"', '2 "" "[]" "[""c"",""d""]"'), path)
  table <- asdf_open_table(path)
  expect_identical(dim(table), c(2L, 4L))
  expect_identical(names(table), c("n", "big", "list", "words"))
  table[2, "n"] <- 5
  table[1, "n"] <- NA
  table[2, "big"] <- "123456789012345678901234567890"
  table[2, "list"] <- c(7, 8, 9)
  table[1, "words"] <- c("long text", NA)
  file <- asdf_new()
  asdf_set(file, "t", table, compression = "zlib")
  changed <- tempfile(fileext = ".ecsv")
  write_ecsv(asdf_open_table(file, "t"), changed)
  text <- readLines(changed)
  expect_true(any(grepl("unit: Jy, datatype: int8", text, fixed = TRUE)))
  expect_identical(tail(text, 2L), c('"" 1 [1.0,2.0] "[""long text"",null]"',
    '5 123456789012345678901234567890 [7.0,8.0,9.0] "[""c"",""d""]"'))
  expect_identical(as.integer(table[["n"]]), c(NA, 5L))
  expect_output(print(table), "table of 2 rows x 4 columns: n, big")
  for (row in list(0, 3, 1.5, NA, c(1, 3), "a")) expect_error(table[row, "n"] <- 1, class = "asdf_error_out_of_range")
  expect_error(table[1, "n"] <- 1000, class = "asdf_error_overflow")
  expect_error(table[1, "none"] <- 1, class = "asdf_error_not_found")
  expect_error(table[1, "big"] <- "{", class = "asdf_error_value_range")
  expect_error(write_ecsv(table, path, units = c(n = "m")), class = "asdf_error_invalid_argument")
})

test_that("metadata need no file", {
  meta <- asdf_new_mapping()
  meta[["author/name"]] <- "me"
  path <- tempfile(fileext = ".ecsv")
  write_ecsv(data.frame(a = 1), path, meta = meta)
  expect_identical(attr(read_ecsv(path), "meta")$author$name, "me")
  meta <- list(list = c(1.5, 2.5), grid = matrix(1:4, 2L), words = c("a", "b"), one = 3)
  write_ecsv(data.frame(a = 1), path, meta = meta, replace = TRUE)
  read <- attr(read_ecsv(path), "meta")
  expect_equal(unlist(read$list), c(1.5, 2.5))
  expect_equal(unlist(read$grid), 1:4)
  expect_identical(unlist(read$words), c("a", "b"))
  file <- asdf_new()
  asdf_set(file, "m/quantity/value", 1.5)
  asdf_set_quantity(file, "m/quantity", "m")
  expect_error(write_ecsv(data.frame(a = 1), path, meta = file[["m"]]), class = "asdf_error_tree")
})

test_that("open tables and tables of files give the columns and rows that are asked for", {
  path <- tempfile(fileext = ".ecsv")
  writeLines(c("# %ECSV 1.0", "# ---", "# datatype:", "# - {name: flux, datatype: float32}",
    "# - {name: id, datatype: uint64}", "# - {name: t, datatype: string}", "# meta:", "#   __serialized_columns__:",
    "#     t: {__class__: astropy.time.core.Time, format: isot, scale: utc,",
    "#         value: !astropy.table.SerializedColumn {name: t}}", "flux id t", "1.5 18446744073709551615 2027-01-01T00:00:00",
    "2.5 1 2027-01-02T00:00:00"), path)
  table <- asdf_open_table(path)
  expect_identical(as.numeric(table[1, "flux"]), 1.5)
  expect_identical(as.numeric(table$flux), c(1.5, 2.5))
  expect_s3_class(table[2, "t"], "POSIXct")
  error <- expect_error(table[2, "t"] <- "garbage", class = "asdf_error_value_range")
  expect_match(conditionMessage(error), "row 2: 'garbage' is not a time")
  table[2, "t"] <- "2027-01-03T00:00:00"
  expect_identical(table[2, "t"], as.POSIXct("2027-01-03", tz = "UTC"))
  expect_error(table[1, "id"], class = "asdf_error_overflow")
  expect_error(table[1, "none"], class = "asdf_error_not_found")
  expect_error(table$none, class = "asdf_error_not_found")
  table[1:2, "flux"] <- c(9, NA)
  table[2:1, "t"] <- as.POSIXct(c("2027-02-02", "2027-02-01"), tz = "UTC")
  expect_identical(as.numeric(table$flux), c(9, NA))
  expect_identical(table[, "t"], as.POSIXct(c("2027-02-01", "2027-02-02"), tz = "UTC"))
  table[1:2, "flux"] <- 4
  expect_identical(as.numeric(table$flux), c(4, 4))
  expect_error(table[1:2, "flux"] <- 1:3, class = "asdf_error_invalid_argument")
  expect_error(table[2:3, "flux"] <- 1, class = "asdf_error_out_of_range")
  expect_error(read_ecsv(path, rows = 2:3), class = "asdf_error_out_of_range")
  file <- asdf_new()
  asdf_set(file, "cat", data.frame(a = 1:4, b = c("w", "x", "y", "z")))
  expect_identical(as.integer(asdf_read_table(file, "cat", rows = 2:3)$a), 2:3)
  expect_error(asdf_read_table(file, "cat", rows = 4:5), class = "asdf_error_out_of_range")
  expect_identical(names(asdf_read_table(file, "cat", columns = "b")), "b")
  expect_error(asdf_read_table(file, "cat", columns = "none"), class = "asdf_error_not_found")
})

test_that("rows of tables with arrays in their cells are bound", {
  path <- tempfile(fileext = ".ecsv")
  frame <- data.frame(n = 1:3)
  frame$g <- array(1:18, c(3, 2, 3))
  frame$v <- list(1, c(2, 3), NULL)[c(1, 2, 2)]
  write_ecsv(frame, path, units = c(g = "m"))
  table <- read_ecsv(path)
  both <- rbind(table[2:3, ], table[1, ])
  expect_s3_class(both, "asdf_table")
  expect_identical(as.vector(both$g), as.vector(frame$g[c(2, 3, 1), , ]))
  expect_identical(dim(both$g), c(3L, 2L, 3L))
  expect_identical(attr(both$g, "unit"), "m")
  other <- table
  other$g <- array(1, c(3, 3, 2))
  expect_error(rbind(table, other), class = "asdf_error_invalid_argument")
})
