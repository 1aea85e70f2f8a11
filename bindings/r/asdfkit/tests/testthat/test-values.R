# Scalars and collections of trees.

test_that("scalars keep their type and value", {
  values <- list(TRUE, FALSE, 1L, -2147483647L, 0.1, -Inf, NaN, "Größe", "", 1 + 2i, as.raw(0:255), raw())
  for (value in values) expect_identical(again(value), value)
  expect_identical(again(bit64::as.integer64("9007199254740993")), bit64::as.integer64("9007199254740993"))
  expect_null(again(NULL))
  timestamp <- function(text) structure(text, tag = "tag:yaml.org,2002:timestamp")
  expect_identical(again(as.POSIXct("2026-11-23 12:00:00.5", tz = "UTC")), timestamp("2026-11-23T12:00:00.500000Z"))
  expect_identical(again(as.Date("2026-11-23")), timestamp("2026-11-23"))
  expect_identical(again(timestamp("2026-11-23T12:00:00.123456789")), timestamp("2026-11-23T12:00:00.123456789"))
})

test_that("a loop over the names copies what it gets", {
  tree <- c(
    "a/b: !<tag:example.org:model-1.0.0> 1.5", "'1': text", "'': empty", "a~b: 3", "u: !unit/unit-1.0.0 m",
    "t: !time/time-1.1.0 2020-01-01T00:00:00", "m: 2020-01-01T00:00:00.123456789",
    "q: !unit/quantity-1.1.0 {value: 1.5, unit: !unit/unit-1.0.0 m, note: x}", "sub: {x/y: 1, 7: 2}",
    "array: !core/ndarray-1.0.0 {data: [1, 2, 3], datatype: int8, shape: [3]}", "bytes: !!binary |-", "  AAAA"
  )
  head <- c("#ASDF 1.0.0", "#ASDF_STANDARD 1.5.0", "%YAML 1.1", "%TAG ! tag:stsci.edu:asdf/", "--- !core/asdf-1.1.0")
  from <- asdf_open(charToRaw(paste0(c(head, tree, "...", ""), collapse = "\n")))
  to <- asdf_new(standard = "1.5.0")
  for (key in names(from)) to[[key]] <- from[[key]]
  lines <- strsplit(rawToChar(asdf_write_raw(to)), "\n")[[1L]]
  expect_identical(lines[seq_along(tree) + 6L], tree)
  expect_identical(names(from)[1:4], c("a~1b", "1", "/", "a~0b"))
  expect_identical(attr(from[["u"]], "tag"), "tag:stsci.edu:asdf/unit/unit-1.0.0")
  expect_identical(names(as.list(from))[[1L]], "a/b")
  expect_equal(from$`a/b`, "1.5", ignore_attr = TRUE)
})

test_that("keys of each type are made", {
  from <- asdf_open(charToRaw("#ASDF 1.0.0\n%YAML 1.1\n--- {1: one, '1': text, true: yes, a/b: 2}\n...\n"))
  keys <- asdf_keys(from)
  expect_identical(keys, list(1L, "1", TRUE, "a/b"))
  to <- asdf_new()
  to[["made"]] <- structure(list(), names = character())
  for (key in keys) asdf_set_key(to, "made", key, asdf_get_key(from, "", key))
  asdf_set_key(to, "made", bit64::as.integer64("9007199254740993"), list(a = 1L))
  expect_identical(asdf_keys(to, "made")[1:4], keys)
  expect_identical(asdf_get_key(to, "made", 1), "one")
  expect_identical(asdf_get_key(to, "made", "1"), "text")
  expect_identical(asdf_get_key(to, "made", bit64::as.integer64("9007199254740993"))$a, 1L)
  expect_status(asdf_get_key(to, "made", 2L), "NOT_FOUND")
  for (wrong in list(NA, 1.5, 1:2)) expect_status(asdf_set_key(to, "made", wrong, 1), "INVALID_ARGUMENT")
  expect_status(asdf_set_key(to, "made", 3L, NA), "INVALID_ARGUMENT")
  expect_identical(length(to$made), 5L)
})

test_that("a path does not lead into an array", {
  file <- asdf_new()
  file[["image"]] <- matrix(1:6, 2)
  expect_status(file[["image/name"]] <- 1, "WRONG_TYPE")
  expect_status(file[["image/a/b"]] <- list(c = 1), "WRONG_TYPE")
  file[["list"]] <- list(1L, "x")
  file[["list/0"]] <- 2L
  expect_identical(file[["list/0"]], 2L)
})

test_that("strings in other encodings become UTF-8, and invalid ones are failures", {
  latin1 <- "Gr\xf6\xdfe <1>"
  Encoding(latin1) <- "latin1"
  expect_identical(again(latin1), "Größe <1>")
  expect_identical(again(c(latin1, "a"), dim = 2), c("Größe <1>", "a"))
  for (encoding in c("unknown", "UTF-8")) {
    invalid <- "a\xff\xfeb"
    Encoding(invalid) <- encoding
    expect_status(again(invalid), "ENCODING")
    expect_status(again(c(invalid, "a"), dim = 2), "ENCODING")
    expect_status(write_ecsv(data.frame(a = invalid, stringsAsFactors = FALSE), new_path(".ecsv")), "ENCODING")
  }
})

test_that("integers beyond 32 bits are integer64, exact doubles or text", {
  big <- bit64::as.integer64("9007199254740993")
  expect_identical(again(big, bigint = "character"), "9007199254740993")
  expect_status(again(big, bigint = "numeric"), "OVERFLOW")
  expect_identical(again(bit64::as.integer64("4294967296"), bigint = "numeric"), 4294967296)
  path <- written(function(file) file[["a"]] <- bit64::as.integer64("-2147483648"))
  expect_identical(asdf_open(path)[["a"]], bit64::as.integer64("-2147483648"))
})

test_that("NA is no scalar", {
  for (missing in list(NA, NA_integer_, NA_real_, NA_character_, NA_complex_, bit64::NA_integer64_)) {
    expect_status(again(missing), "INVALID_ARGUMENT")
  }
})

test_that("lists become mappings and sequences", {
  value <- list(a = 1L, b = list("x", NULL, list(c = TRUE)), `key/with~signs` = "y")
  file <- asdf_new()
  file[["value"]] <- value
  expect_identical(as.list(file$value), value)
  expect_identical(names(file$value), c("a", "b", "key~1with~0signs"))
  expect_identical(file[["value/b/2/c"]], TRUE)
  expect_identical(file$value[[1]], 1L)
  expect_identical(length(file$value), 3L)
  expect_status(file[["twice"]] <- list(a = 1, a = 2), "INVALID_ARGUMENT")
  file[["texts"]] <- c("a", "b")
  expect_identical(as.list(file$texts), list("a", "b"))
  file[["empty"]] <- list()
  expect_identical(asdf_kind(file, "empty"), "sequence")
})

test_that("paths are found, and what is missing is told", {
  file <- asdf_open(written(function(file) file[["meta/exposure/time"]] <- 139.8))
  expect_identical(file[["meta/exposure/time"]], 139.8)
  expect_identical(file$meta$exposure$time, 139.8)
  expect_null(file$nothing)
  expect_true(asdf_exists(file, "meta"))
  expect_false(asdf_exists(file, "meta/nothing"))
  expect_identical(asdf_get(file, "nothing", default = 5), 5)
  condition <- expect_status(file[["meta/exposure/tim"]], "NOT_FOUND")
  expect_identical(condition$path, "/meta/exposure")
  expect_match(conditionMessage(condition), "did you mean 'time'")
  expect_identical(.DollarNames(file, "^me"), "meta")
  expect_identical(asdf_path(file$meta$exposure), "/meta/exposure")
  expect_output(print(file), "meta: mapping of 1")
  expect_output(print(file$meta), "exposure: mapping of 1")
})

test_that("trees are changed", {
  path <- written(function(file) file[["a"]] <- list(b = 1L, c = list(1L, 2L)))
  file <- asdf_open(path, "r+")
  file[["a/b"]] <- 2L
  file$a$d <- "new"
  asdf_rename(file, "a/c", "list")
  asdf_move(file, "a/d", "d")
  file[["a/list/0"]] <- NULL
  asdf_set(file, "null", NULL)
  asdf_set_tag(file, "a", "tag:example.org:tag-1.0.0")
  asdf_set_reference(file, "there", "#/a")
  asdf_save(file, durable = FALSE)
  close(file)
  again <- asdf_open(path)
  expect_identical(as.list(again$a), list(b = 2L, list = list(2L)))
  expect_identical(again$d, "new")
  expect_identical(asdf_kind(again, "null"), "null")
  expect_identical(as.list(again$there), as.list(again$a))
  expect_identical(again[["a/list"]], 2L)
  expect_status(asdf_set(again, "a/b", 3L), "READ_ONLY")
  copy <- asdf_new()
  copy[["copied"]] <- again$a
  expect_identical(copy[["copied/b"]], 2L)
})

test_that("history entries are added and read", {
  file <- asdf_new()
  expect_identical(asdf_history(file), list())
  asdf_add_history(file, "made", time = as.POSIXct("2026-01-02", tz = "UTC"), software = list(name = "r", version = "1"))
  expect_identical(asdf_history(file)[[1]]$description, "made")
  expect_status(asdf_add_history(file, "made", software = list(home = "x")), "INVALID_ARGUMENT")
})

test_that("a path that ends with - appends a value with all its parts", {
  file <- asdf_new()
  for (value in list(c(1, NA, 3), list(a = c(TRUE, NA)), c("a", "b"), 1:3)) asdf_set(file, "list/-", value)
  asdf_set(file, "list/-", data.frame(a = c(1.5, NA)))
  expect_identical(asdf_read(file[["list/0"]]), c(1, NA, 3))
  expect_identical(asdf_read(file[["list/1/a"]]), c(TRUE, NA))
  expect_identical(asdf_read(file[["list/3"]]), 1:3)
  expect_identical(asdf_read_table(file, "list/4")$a, c(1.5, NA))
})

test_that("quantities and times have the tags of the standard", {
  file <- asdf_new(standard = "1.5.0")
  file[["step/value"]] <- 0.5
  asdf_set_quantity(file, "step", "arcsec")
  asdf_set_time(file, "start", "J2000.0")
  expect_identical(asdf_tag(file, "step"), "tag:stsci.edu:asdf/unit/quantity-1.1.0")
  expect_identical(attr(file[["step/unit"]], "tag"), "tag:stsci.edu:asdf/unit/unit-1.0.0")
  expect_identical(file[["start"]], structure("J2000.0", tag = "tag:stsci.edu:asdf/time/time-1.1.0"))
  expect_status(asdf_set_quantity(file, "start", "m"), "WRONG_TYPE")
  expect_status(asdf_set_time(file, "start", "now"), "INVALID_ARGUMENT")
})

test_that("notes and comments are set and found again", {
  file <- asdf_new()
  file[["meta/time"]] <- 3.5
  asdf_set_note(file, "meta", "for people")
  asdf_set_comment(file, "meta", "set by hand")
  asdf_set_comment(file, "meta/time", "seconds", "line_end")
  asdf_set_comment(file, "", "the end", "document_end")
  path <- tempfile(fileext = ".asdf")
  asdf_write(file, path)
  found <- asdf_open(path)
  expect_identical(asdf_note(found, "meta"), "for people")
  expect_identical(asdf_comment(found, "meta"), "set by hand")
  expect_identical(asdf_comment(found, "meta/time", "line_end"), "seconds")
  expect_identical(asdf_comment(found, "", "document_end"), "the end")
  expect_null(asdf_note(found))
  expect_null(asdf_comment(found, "meta/time"))
  expect_status(asdf_set_note(file, "meta/time", "x"), "WRONG_TYPE")
  expect_status(asdf_set_comment(file, "meta/time", "a\nb", "line_end"), "INVALID_ARGUMENT")
  expect_error(asdf_comment(found, "meta", "behind"))
})

test_that("times are POSIXct and Date", {
  file <- asdf_new()
  start <- as.POSIXct("2027-01-31 04:05:06", tz = "UTC") + c(0.25, NA, 3600)
  asdf_set_time(file, "start", start)
  expect_equal(asdf_get_time(file, "start"), start)
  asdf_set_time(file, "day", as.Date("2017-01-01"))
  expect_identical(asdf_get_time(file, "day"), as.POSIXct("2017-01-01", tz = "UTC"))
  expect_match(file[["day"]], "2017-01-01T00:00:00.000", fixed = TRUE)
  asdf_set_time(file, "text", "2016-12-31T23:59:59")
  expect_identical(attr(asdf_get_time(file, "text"), "tzone"), "UTC")
  expect_status(asdf_get_time(file, "none"), "NOT_FOUND")
  asdf_set_time(file, "far", as.Date(c("9999-01-01", NA, "0001-01-01")))
  expect_identical(as.Date(asdf_get_time(file, "far")), as.Date(c("9999-01-01", NA, "0001-01-01")))
  expect_status(asdf_set_time(file, "far", .POSIXct(1e15, tz = "UTC")), "OUT_OF_RANGE")
})

test_that("days with a leap second have 86400 numbers, and the leap second none", {
  file <- asdf_new()
  for (text in c("2015-06-30T12:00:00", "1972-06-30T06:00:00", "2016-12-31T23:59:59", "1500-01-01T12:00:00")) {
    asdf_set_time(file, "t", text)
    expect_identical(format(asdf_get_time(file, "t"), "%Y-%m-%dT%H:%M:%OS3"), paste0(text, ".000"))
  }
  asdf_set_time(file, "t", "2016-12-31T23:59:60.5")
  expect_match(conditionMessage(expect_status(asdf_get_time(file, "t"), "OUT_OF_RANGE")), "leap second")
})

test_that("a class that cannot be stored is refused", {
  file <- asdf_new()
  error <- expect_error(asdf_set(file, "a", as.difftime(5, units = "mins")), "difftime")
  expect_s3_class(error, "asdf_error")
  asdf_set(file, "a", unclass(as.difftime(5, units = "mins")))
  expect_identical(file[["a"]], 5)
})
