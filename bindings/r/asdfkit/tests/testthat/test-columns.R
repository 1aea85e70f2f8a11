# Columns of data frames: what is stored, what is refused because it would lose its meaning, rows added to a file.

stored <- function(frame, ...) {
  path <- new_path(".ecsv")
  write_ecsv(frame, path, ...)
  read_ecsv(path)
}

with_column <- function(values) {
  frame <- data.frame(a = 1:3)
  frame$b <- values
  frame
}

test_that("numbers keep NA, NaN, infinities and the sign of zero", {
  values <- c(NA, NaN, Inf, -Inf, -0, 5e-324, 1.7976931348623157e308)
  found <- stored(data.frame(x = values))$x
  expect_identical(is.na(found), is.na(values))
  expect_identical(is.nan(found), is.nan(values))
  expect_identical(found[3:7], values[3:7])
  expect_identical(1 / found[[5]], -Inf)
  texts <- c("a\nb", "\r", "\t ", "\"", "", "\u00e9t\u00e9 \U1F600", NA)
  expect_identical(stored(data.frame(s = texts))$s, texts)
  latin <- "\xe9t\xe9"
  Encoding(latin) <- "latin1"
  expect_identical(stored(data.frame(s = latin))$s, "\u00e9t\u00e9")
  expect_identical(stored(with_column(complex(real = 1:3, imaginary = -1)))$b, complex(real = 1:3, imaginary = -1))
})

test_that("cells keep their types, NA and missing cells", {
  big <- bit64::as.integer64("9007199254740993")
  expect_identical(stored(with_column(list(c(1, NA), NaN, NULL)))$b, list(c(1, NA), NaN, NULL))
  expect_identical(stored(with_column(list(TRUE, c(NA, FALSE), logical())))$b, list(TRUE, c(NA, FALSE), logical()))
  expect_identical(stored(with_column(list(big, c(big, NA), NULL)))$b, list(big, c(big, NA), NULL))
  missing <- matrix(c(1, NA, 3, NaN, 5, 6), 3)
  expect_identical(stored(with_column(missing))$b, missing)
})

test_that("arrays of strings are read", {
  path <- new_path(".ecsv")
  writeLines(c("# %ECSV 1.0", "# ---", "# datatype:", "# - {name: a, datatype: string, subtype: 'string[2]'}",
    "# - {name: b, datatype: string, subtype: 'string[null]'}", "a b", '"[""x"",""y""]" "[""p""]"',
    '"[""x"",null]" []'), path)
  frame <- read_ecsv(path)
  expect_identical(frame$a, matrix(c("x", "x", "y", NA), 2))
  expect_identical(frame$b, list("p", character()))
})

test_that("integers that R does not have are refused or widened", {
  column <- function(type, value, ...) {
    path <- new_path(".ecsv")
    writeLines(c("# %ECSV 1.0", "# ---", "# datatype:", paste0("# - {name: a, datatype: ", type, "}"), "a", value), path)
    read_ecsv(path, ...)$a
  }
  expect_identical(column("int32", "-2147483648"), -2147483648)
  condition <- expect_status(column("int64", "-9223372036854775808"), "OVERFLOW")
  expect_identical(condition$path, "a")
  expect_identical(column("int64", "-9223372036854775808", bigint = "character"), "-9223372036854775808")
  expect_status(column("uint64", "18446744073709551615"), "OVERFLOW")
  expect_identical(column("uint64", "18446744073709551615", bigint = "character"), "18446744073709551615")
  expect_status(column("int64", "9007199254740993", bigint = "numeric"), "OVERFLOW")
})

test_that("columns that would lose their meaning are refused", {
  refused <- list(
    data.frame(x = 1:3, y = 1:3, z = 1:3), list(factor("x"), NULL, NULL), list(Sys.Date(), NULL, NULL),
    list(sin, NULL, NULL), list(1, "a", NULL), structure(1:3, class = "labelled"), matrix(letters[1:6], 3)
  )
  for (values in refused) expect_status(stored(with_column(values)), "UNSUPPORTED")
  expect_status(stored(with_column(as.raw(1:3))), "INVALID_ARGUMENT")
  expect_status(stored(setNames(data.frame(1:3), "")), "INVALID_ARGUMENT")
  expect_status(stored(setNames(data.frame(1:3, 4:6), c("a", "a"))), "INVALID_ARGUMENT")
  expect_status(stored(data.frame(a = 1), units = "Jy"), "INVALID_ARGUMENT")
  expect_status(stored(list(a = 1)), "INVALID_ARGUMENT")
  expect_status(read_ecsv(new_path(".ecsv"), columns = character()), "INVALID_ARGUMENT")
  expect_status(read_ecsv(NA_character_), "INVALID_ARGUMENT")
  expect_status(next_batch(5), "WRONG_HANDLE")
})

test_that("times, dates and spans of time come back", {
  time <- as.POSIXct(c(0.3, NA, 1700000000.123456), origin = "1970-01-01", tz = "UTC")
  frame <- data.frame(t = time, d = as.Date(c("0999-01-01", NA, "2026-11-27")), s = as.difftime(c(1.5, NA, 0.1), units = "mins"))
  attr(frame$t, "description") <- "start"
  attr(frame$s, "description") <- "exposure"
  found <- stored(frame)
  expect_identical(names(found), c("t", "d", "s"))
  expect_equal(as.numeric(found$t), as.numeric(time), tolerance = 1e-15)
  expect_s3_class(found$t, "POSIXct")
  expect_identical(as.vector(unclass(found$d)), as.vector(unclass(frame$d)))
  expect_s3_class(found$d, "Date")
  expect_equal(as.numeric(found$s, units = "secs"), c(90, NA, 6), tolerance = 1e-15)
  expect_identical(attr(found$t, "description"), "start")
  expect_identical(attr(found$s, "description"), "exposure")
  # Microseconds are kept, and more is rounded.
  expect_identical(format(stored(data.frame(t = time))$t[[3L]] + 1e-7, "%OS6"), "20.123456")
  path <- new_path(".asdf")
  file <- asdf_new()
  asdf_set(file, "t", frame)
  asdf_write(file, path)
  expect_identical(as.vector(asdf_read_table(asdf_open(path), "t")$t), as.vector(found$t))
  # Nanoseconds in 64 bits hold the years 1678 to 2261 only.
  far <- as.POSIXct(c("1500-03-01 00:00:00", "9999-12-31 23:59:59", "2020-01-01 00:00:00", NA), tz = "UTC")
  expect_identical(as.numeric(stored(data.frame(t = far))$t), as.numeric(far))
  expect_status(stored(data.frame(t = .POSIXct(1e15, tz = "UTC"))), "OUT_OF_RANGE")
})

test_that("R refuses times that it does not hold, or warns", {
  text <- function(value, more = "") {
    path <- new_path(".ecsv")
    writeLines(c("# %ECSV 1.0", "# ---", "# datatype: [{name: t, datatype: string}]", paste0("# meta: ",
      "{__serialized_columns__: {t: {__class__: astropy.time.core.Time, format: isot, ", more,
      "value: !astropy.table.SerializedColumn {name: t}}}}"), "t", value), path)
    path
  }
  refused <- list("2016-12-31T23:59:60.5", c("1500-01-01", "2016-12-31T23:59:60.5"), "noon")
  for (value in refused) {
    error <- expect_error(read_ecsv(text(value)), class = "asdf_error")
    expect_match(conditionMessage(error), "column 't': .*times = \"stored\" reads")
    expect_identical(read_ecsv(text(value), times = "stored")$t, value)
  }
  expect_status(read_ecsv(text("2020-01-01T12:00:00", "out_subfmt: date, ")), "VALUE_RANGE")
  expect_s3_class(read_ecsv(text("2020-01-01", "out_subfmt: date, "))$t, "Date")
  expect_s3_class(read_ecsv(text("2020-01-01", "out_subfmt: date, "), times = "POSIXct")$t, "POSIXct")
  expect_warning(found <- read_ecsv(text("2026-01-01T00:00:00.000000001")), "nanoseconds")
  expect_s3_class(found$t, "POSIXct")
})

test_that("the header decides the classes of times", {
  column <- function(name, format) paste0(name, ": {__class__: astropy.time.core.Time, format: ", format,
    ", scale: tai, value: !astropy.table.SerializedColumn {name: ", name, "}}")
  path <- new_path(".ecsv")
  writeLines(c("# %ECSV 1.0", "# ---", "# datatype: [{name: m, datatype: float64}, {name: t, datatype: string}]",
    paste0("# meta: {__serialized_columns__: {", column("m", "mjd"), ", ", column("t", "isot"), "}}"), "m t",
    "58000.1234567 2020-01-01T00:00:37.5", "58001.0 2020-01-01T00:00:37", "58002.5 2020-01-01T00:00:38"), path)
  batches <- ecsv_batches(path, rows = 1)
  again <- new_path(".ecsv")
  writer <- NULL
  while (!is.null(batch <- next_batch(batches))) {
    expect_identical(vapply(batch, function(values) class(values)[[1L]], ""), c(m = "numeric", t = "POSIXct"))
    if (is.null(writer)) writer <- ecsv_writer(again, batch)
    append_rows(writer, batch)
  }
  close(writer)
  expect_identical(read_ecsv(again)$t, read_ecsv(path)$t)
  expect_identical(read_ecsv(again)$m, c(58000.1234567, 58001, 58002.5))
  expect_identical(read_ecsv(path, times = "POSIXct", rows = 2:2)$m,
    as.POSIXct("2017-09-05", tz = "UTC") - 37)
  expect_identical(read_ecsv(path, times = "stored", columns = "t")$t[[1L]], "2020-01-01T00:00:37.5")
  expect_error(read_ecsv(path, times = "text"))
})

# A table of astropy whose times are in two columns, with a quantity.
serialized <- function(scale = "tai") {
  column <- "!astropy.table.SerializedColumn"
  paste(c("# %ECSV 1.0", "# ---",
    "# datatype: [{name: t.jd1, datatype: float64}, {name: t.jd2, datatype: float64}, {name: f, unit: Jy, datatype: float64}]",
    "# meta:", "#   k: 5", "#   __serialized_columns__:",
    paste0("#     t: {__class__: astropy.time.core.Time, format: isot, scale: ", scale, ", __info__: {description: start},"),
    paste0("#         jd1: ", column, " {name: t.jd1}, jd2: ", column, " {name: t.jd2}}"),
    "#     f: {__class__: astropy.units.quantity.Quantity, unit: !astropy.units.Unit {unit: Jy},",
    paste0("#         value: ", column, " {name: f}}"),
    "# schema: astropy-2.0", "t.jd1 t.jd2 f", "2460311.0 0.25 1.5", ""), collapse = "\n")
}

test_that("times of other scales and formats are the same when they are written again", {
  table <- read_ecsv(charToRaw(serialized()))
  start <- as.POSIXct("2024-01-01 17:59:23", tz = "UTC")
  expect_identical(names(table), c("t", "f"))
  expect_equal(table$t, start, ignore_attr = TRUE)
  expect_identical(attr(table$t, "description"), "start")
  # The entry of the times told their scale TAI, which POSIXct has not. That of the other column stays, with its tags.
  meta <- attr(table, "meta")
  expect_identical(names(meta), c("k", "__serialized_columns__"))
  expect_identical(names(meta[["__serialized_columns__"]]), "f")
  expect_identical(attr(meta[["__serialized_columns__"]]$f$unit, "tag"), "!astropy.units.Unit")
  written <- function(frame, ...) {
    path <- new_path(".ecsv")
    write_ecsv(frame, path, ...)
    expect_equal(read_ecsv(path)$t, frame$t, ignore_attr = TRUE)
    readLines(path)
  }
  lines <- written(table)
  expect_length(grep("scale: utc", lines), 1L)
  expect_length(grep("unit: !astropy.units.Unit", lines), 1L)
  # Entries of columns that the frame does not have are left out, and so is that of a column of times.
  expect_length(grep("Quantity", written(table["t"])), 0L)
  expect_length(grep("Time", written(table["f"])), 0L)
  stale <- list(`__serialized_columns__` = list(t = list(`__class__` = "astropy.time.core.Time", scale = "tai")))
  expect_length(grep("tai", written(table, meta = stale)), 0L)
  file <- asdf_new()
  file[["t"]] <- table
  expect_identical(asdf_kind(file, "t/columns/0"), "time")
  expect_equal(asdf_read_table(file, "t")$t, start, ignore_attr = TRUE)
})

test_that("times whose scale R does not hold stay as they are stored, and so does their entry", {
  table <- read_ecsv(charToRaw(serialized("tdb")))
  expect_identical(names(table), c("t.jd1", "t.jd2", "f"))
  path <- new_path(".ecsv")
  write_ecsv(table, path)
  expect_length(grep("scale: tdb", readLines(path)), 1L)
  expect_identical(names(read_ecsv(path)), names(table))
})

test_that("a tag that no text can have is refused", {
  expect_status(asdf_set(asdf_new(), "a", structure(list(b = 1), tag = "!a b")), "INVALID_ARGUMENT")
  expect_status(asdf_set(asdf_new(), "a", structure(list(b = 1), tag = "!a> {}\nc: 1")), "INVALID_ARGUMENT")
  file <- asdf_new()
  asdf_set(file, "a", structure(list(1, "x"), tag = "!some.class"))
  expect_identical(asdf_tag(file, "a"), "!some.class")
  expect_identical(length(file[["a"]]), 2L)
})

test_that("rows of a writer are matched by name and type", {
  path <- new_path(".ecsv")
  writer <- ecsv_writer(path, data.frame(x = 1.5, b = bit64::as.integer64(1), s = ""), units = c(x = "s"))
  append_rows(writer, data.frame(s = c("t", ""), x = 1:2, b = bit64::as.integer64(c(5, NA))))
  append_rows(writer, data.frame(b = NA, x = NA, s = NA))
  expect_status(append_rows(writer, data.frame(x = 1, b = 1L)), "NOT_FOUND")
  expect_status(append_rows(writer, data.frame(x = 1, b = 1L, s = "", y = 1)), "NOT_FOUND")
  expect_status(append_rows(writer, data.frame(x = "a", b = 1L, s = "")), "INVALID_ARGUMENT")
  close(writer)
  expect_identical(as.list(read_ecsv(path)), list(x = structure(c(1, 2, NA), unit = "s"),
    b = bit64::as.integer64(c(5, NA, NA)), s = c("t", "", NA)))
  unfinished <- new_path(".ecsv")
  append_rows(ecsv_writer(unfinished, data.frame(x = 1)), data.frame(x = 1))
  gc()
  expect_false(file.exists(unfinished))
})

test_that("empty texts of later batches are not missing", {
  path <- new_path(".ecsv")
  again <- new_path(".ecsv")
  for (first in list("a", NA)) for (factors in c(FALSE, TRUE)) {
    write_ecsv(data.frame(n = 1:3, s = c(first, NA, "")), path, replace = TRUE)
    batches <- ecsv_batches(path, rows = 1, factors = factors)
    writer <- NULL
    while (!is.null(batch <- next_batch(batches))) {
      if (is.null(writer)) writer <- ecsv_writer(again, batch, replace = TRUE)
      append_rows(writer, batch)
    }
    close(writer)
    expect_identical(as.vector(read_ecsv(again)$s), c(first, NA, ""))
  }
  writer <- ecsv_writer(new_path(".ecsv"), data.frame(s = "a"))
  append_rows(writer, data.frame(s = "a"))
  error <- expect_status(append_rows(writer, data.frame(s = "")), "VALUE_RANGE")
  expect_match(conditionMessage(error), "empty_strings = \"mark_all\"", fixed = TRUE)
})

test_that("batches without a value have the columns of the others", {
  path <- new_path(".ecsv")
  seconds <- function(...) .difftime(c(...), "secs")
  frame <- function(spans) data.frame(s = spans, t = .POSIXct(as.numeric(spans), tz = "UTC"))
  writer <- ecsv_writer(path, frame(seconds(1)))
  for (spans in list(seconds(1, 2), seconds(NA_real_), seconds(0.1 + 0.2, NA))) append_rows(writer, frame(spans))
  close(writer)
  found <- read_ecsv(path)
  expect_identical(as.numeric(found$s), c(1, 2, NA, 0.1 + 0.2, NA))
  expect_equal(as.numeric(found$t), c(1, 2, NA, 0.3, NA))
})

test_that("rows of a stream have the datatype of the stream", {
  read <- function(values, ...) {
    path <- new_path()
    stream <- asdf_stream(path, "x", ...)
    push_rows(stream, values)
    close(stream)
    asdf_read(asdf_open(path), "x")
  }
  big <- bit64::as.integer64(c("9007199254740993", "-1"))
  expect_identical(read(big, datatype = "int64"), big)
  expect_identical(read(1:2, datatype = "complex128"), c(1 + 0i, 2 + 0i))
  expect_identical(read(c(TRUE, FALSE), datatype = "bool8"), c(TRUE, FALSE))
  expect_identical(read(c(0, 4294967295), datatype = "uint32"), c(0, 4294967295))
  expect_status(read(big), "INVALID_ARGUMENT")
  expect_status(read(as.Date("2026-01-01")), "INVALID_ARGUMENT")
  expect_status(read(NULL), "INVALID_ARGUMENT")
  expect_status(read(c(1, NA)), "UNSUPPORTED")
  expect_status(read(300, datatype = "int8"), "OVERFLOW")
  for (dim in list(2.5, 0, -1, NA, 1e300, "a")) expect_status(read(1, dim = dim), "INVALID_ARGUMENT")
  expect_status(row_count(1), "WRONG_HANDLE")
})

test_that("cells of columns of times change", {
  path <- tempfile(fileext = ".ecsv")
  start <- as.POSIXct("2027-01-31 04:05:06", tz = "UTC")
  write_ecsv(data.frame(n = 1:3, start = start, day = as.Date("2027-01-31")), path)
  table <- asdf_open_table(path)
  table[1, "start"] <- start + 3600.25
  table[2, "start"] <- NA
  table[3, "start"] <- as.Date("2028-02-29")
  table[2, "day"] <- as.Date("2028-02-29")
  table[3, "day"] <- NA
  expect_status(table[1, "day"] <- start, "VALUE_RANGE")
  expect_status(table[1, "n"] <- start, "WRONG_TYPE")
  expect_status(table[4, "start"] <- start, "OUT_OF_RANGE")
  write_ecsv(table, path, replace = TRUE)
  frame <- read_ecsv(path)
  expect_identical(frame$start, as.POSIXct(c("2027-01-31 05:05:06.25", NA, "2028-02-29 00:00:00"), tz = "UTC"))
  expect_identical(frame$day, as.Date(c("2027-01-31", "2028-02-29", NA)))
})
