# Arrays: types, missing elements, extreme values, regions, writing.

test_that("messages name argument, dimension and path, and count from 1", {
  path <- written(function(file) {
    file[["cube"]] <- array(as.numeric(1:24), c(2, 3, 4))
    file[["large"]] <- c(1, 2^62)
  })
  file <- asdf_open(path)
  message_of <- function(code, status) conditionMessage(expect_status(code, status))
  expect_match(message_of(asdf_read(file, "cube", strat = c(1, 1, 1)), "INVALID_ARGUMENT"), "the argument 'start'", fixed = TRUE)
  cube <- asdf_array(file, "cube")
  expect_match(message_of(cube[1, 1:4, 1], "OUT_OF_RANGE"), "/cube: an index of dimension 2 is outside 1 to 3", fixed = TRUE)
  expect_identical(cube[[1]], 1)
  expect_identical(cube[[2, 3, 4]], 24)
  expect_status(cube[[1, 1, 1:2]], "OUT_OF_RANGE")
  times <- asdf_new()
  asdf_set_time(times, "t", "2016-12-31T23:59:60")
  expect_match(message_of(asdf_get_time(times, "t"), "OUT_OF_RANGE"), "time number 1", fixed = TRUE)
  ecsv <- new_path(".ecsv")
  writeLines(c("# %ECSV 1.0", "# ---", "# datatype: [{name: k, datatype: uint64}]", "k", "9223372036854775809"), ecsv)
  told <- message_of(read_ecsv(ecsv), "OVERFLOW")
  expect_match(told, "element 1 is 9223372036854775809", fixed = TRUE)
  expect_match(told, "bigint = \"character\"", fixed = TRUE)
  expect_match(told, basename(ecsv), fixed = TRUE)
})

test_that("vectors of every type come back as they were", {
  values <- list(
    c(1L, -2147483647L, 2147483647L), c(0.1, -0, Inf, -Inf, NaN), c(TRUE, FALSE, TRUE), c(1 + 2i, NaN + 0i),
    matrix(1:6, 2), array(runif(24), c(2, 3, 4)), bit64::as.integer64(c("9223372036854775807", "-9223372036854775807")),
    matrix(c("a", "Größe", "", "\U0001F600"), 2), integer(), double()
  )
  for (value in values) {
    expect_identical(again(value, storage = "internal"), value)
    expect_identical(again(value, storage = "inline"), value)
    expect_identical(again(value, compression = "zlib"), value)
  }
})

test_that("dim sets the dimensions, also none", {
  file <- asdf_new()
  asdf_set(file, "a", 1:6, dim = c(3, 2))
  asdf_set(file, "b", 5, dim = integer())
  expect_identical(asdf_read(file, "a"), matrix(1:6, 3))
  expect_identical(dim(asdf_array(file, "b")), numeric())
  expect_identical(asdf_read(file, "b"), 5)
  expect_status(asdf_set(file, "c", 1:6, dim = c(3, 3)), "INVALID_ARGUMENT")
})

test_that("NA becomes a mask and comes back, and NaN stays NaN", {
  values <- list(
    c(1L, NA, 3L), c(1, NA, NaN), c(TRUE, NA, FALSE), matrix(c("a", NA, "b", "c"), 2), c(1 + 1i, NA),
    bit64::as.integer64(c("1", NA)), matrix(c(1, NA, NaN, 4), 2)
  )
  for (value in values) {
    result <- again(value, storage = "internal")
    expect_identical(result, value)
    expect_identical(is.nan(unclass(result)), is.nan(unclass(value)))
  }
  path <- written(function(file) file[["a"]] <- c(1, NA))
  expect_true(asdf_is_masked(asdf_open(path), "a"))
})

test_that("values are stored as another datatype if they fit", {
  types <- c("int8", "int16", "int32", "uint8", "uint16", "uint32", "float32", "float64")
  for (type in types) expect_equal(as.numeric(again(c(0, 1, 100), datatype = type)), c(0, 1, 100))
  expect_type(again(c(0, 1), datatype = "uint16"), "integer")
  expect_type(again(c(0, 4294967295), datatype = "uint32"), "double")
  expect_s3_class(again(c(0, 1), datatype = "int64"), "integer64")
  expect_identical(again(c(1, NA, 3), datatype = "uint8"), c(1L, NA, 3L))
  expect_status(again(c(0, 256), datatype = "uint8"), "OVERFLOW")
  expect_status(again(c(0, 0.5), datatype = "int32"), "OVERFLOW")
  expect_status(again(c(0, NaN), datatype = "int32"), "OVERFLOW")
  expect_status(again(c(0, 1e300), datatype = "float32"), "OVERFLOW")
  expect_status(again(c(0, 1), datatype = "number"), "BAD_DATATYPE")
  expect_status(again("a", datatype = "int8"), "INVALID_ARGUMENT")
})

test_that("the smallest integers never become NA", {
  least <- again(c(1, -2147483648), datatype = "int32")
  expect_identical(least, c(1, -2147483648))
  path <- written(function(file) asdf_set(file, "a", c(-9223372036854775808, 1), datatype = "int64"))
  file <- asdf_open(path)
  expect_status(asdf_read(file, "a"), "OVERFLOW")
  expect_identical(asdf_read(file, "a", bigint = "numeric"), c(-9223372036854775808, 1))
  expect_identical(asdf_read(file, "a", bigint = "character"), c("-9223372036854775808", "1"))
})

test_that("large unsigned integers fail or are text", {
  file <- asdf_open(written(function(file) asdf_set(file, "a", c(18446744073709549568, 1), datatype = "uint64")))
  expect_status(asdf_read(file, "a"), "OVERFLOW")
  expect_identical(asdf_read(file, "a", bigint = "character"), c("18446744073709549568", "1"))
})

test_that("regions are read", {
  image <- matrix(as.numeric(1:600), 20)
  file <- asdf_open(written(function(file) asdf_set(file, "a", image, compression = "zlib")))
  expect_identical(asdf_read(file, "a", start = c(3, 5), count = c(4, 6), step = c(2, 3)), image[seq(3, 9, 2), seq(5, 20, 3)])
  expect_identical(asdf_read(file, "a", start = c(20, 1), step = c(-1, 1)), image[20:1, ])
  array <- asdf_array(file, "a")
  expect_identical(dim(array), c(20, 30))
  expect_identical(array[2, ], image[2, ])
  expect_identical(array[, 3], image[, 3])
  expect_identical(array[5:2, 7, drop = FALSE], image[5:2, 7, drop = FALSE])
  expect_identical(array[], image)
  expect_identical(array[integer(), 1], image[integer(), 1])
  expect_status(array[21, 1], "OUT_OF_RANGE")
  expect_status(asdf_read(file, "a", start = 1), "INVALID_ARGUMENT")
  expect_status(asdf_read(file, "a", start = c(1, 1), count = c(21, 1)), "OUT_OF_RANGE")
  expect_status(asdf_read(file, "a", start = c(1, 1), count = c(-1, 1)), "INVALID_ARGUMENT")
  expect_identical(as.vector(array), as.vector(image))
})

test_that("regions are written in place", {
  path <- written(function(file) {
    asdf_set(file, "a", matrix(0, 4, 5))
    asdf_set(file, "masked", c(1, NA))
  })
  file <- asdf_open(path, "r+")
  array <- asdf_array(file, "a")
  array[2:3, 4] <- c(7, 8)
  array[1, ] <- 9
  asdf_write_region(file, "a", matrix(5, 1, 2), start = c(4, 1))
  expect_status(array[1, 1] <- NA_real_, "UNSUPPORTED")
  expect_status(asdf_write_region(file, "a", 1:3, start = c(1, 1), count = c(1, 2)), "INVALID_ARGUMENT")
  asdf_save(file, durable = FALSE)
  close(file)
  expected <- matrix(0, 4, 5)
  expected[2:3, 4] <- c(7, 8)
  expected[1, ] <- 9
  expected[4, 1:2] <- 5
  expect_identical(asdf_read(asdf_open(path), "a"), expected)
})

test_that("a vector that changes after it was set is stored as it was", {
  values <- runif(1000)
  kept <- values + 0
  file <- asdf_new()
  asdf_set(file, "a", values)
  values[1] <- -1
  expect_identical(asdf_read(file, "a"), kept)
})

test_that("arrays are resized, compressed and moved", {
  path <- written(function(file) asdf_set(file, "a", matrix(1:6, 2)))
  file <- asdf_open(path, "r+")
  asdf_resize(file, "a", c(2, 4))
  asdf_compress(file, "a", "zlib", level = 9)
  asdf_save(file, durable = FALSE)
  expect_identical(asdf_blocks(file)$compression, "zlib")
  expect_identical(asdf_read(file, "a"), cbind(matrix(1:6, 2), 0L))
  asdf_set_storage(file, "a", "inline")
  asdf_save(file, durable = FALSE)
  asdf_compact(file, durable = FALSE)
  expect_identical(nrow(asdf_blocks(file)), 0L)
  expect_status(asdf_set_storage(file, "nothing", "inline"), "NOT_FOUND")
})

test_that("arrays in chunks grow", {
  path <- written(function(file) {
    asdf_create_array(file, "z", c(4, 3, 0), "float32", chunks = c(4, 3, 2), maxdim = c(4, 3, NA), compression = "zlib")
    expect_status(asdf_create_array(file, "y", c(4, 0), chunks = c(4, 2, 2)), "INVALID_ARGUMENT")
    expect_status(asdf_create_array(file, "y", c(4, 0), maxdim = c(4, NA)), "INVALID_ARGUMENT")
    expect_status(asdf_create_array(file, "y", c(4, 0), chunks = c(4, 2), maxdim = c(3, NA)), "INVALID_ARGUMENT")
    expect_status(asdf_create_array(file, "y", 4, chunks = 1.5), "INVALID_ARGUMENT")
    expect_false("y" %in% names(file))
    asdf_forget_failure(file)
  })
  file <- asdf_open(path, "r+")
  for (step in 1:5) {
    asdf_append(file, "z", matrix(step, 4, 3))
    asdf_save(file, durable = FALSE)
    expect_identical(asdf_read(asdf_open(path), "z"), array(rep(as.numeric(1:step), each = 12), c(4, 3, step)))
  }
  asdf_resize(file, "z", c(4, 3, 2))
  asdf_save(file, durable = FALSE)
  expect_identical(asdf_read(file, "z"), array(rep(c(1, 2), each = 12), c(4, 3, 2)))
  asdf_set(file, "y", matrix(1:12, 4), chunks = c(3, 2), chunk_codec = "gzip", chunk_filters = c("delta", "shuffle"))
  expect_identical(asdf_get(file, "y/.zarray/compressor/id"), "gzip")
  expect_identical(unlist(asdf_read(file, "y")), unlist(matrix(1:12, 4)))
})

test_that("an array of two dimensions is a matrix", {
  file <- asdf_new()
  file[["m"]] <- matrix(1:6, 2)
  file[["v"]] <- c(1.5, 2.5)
  file[["c"]] <- array(1:24, c(2, 3, 4))
  expect_identical(as.matrix(file[["m"]]), matrix(1:6, 2))
  expect_identical(as.matrix(file[["v"]]), matrix(c(1.5, 2.5), ncol = 1L))
  expect_status(as.matrix(file[["c"]]), "INVALID_ARGUMENT")
  file[["copy"]] <- file[["m"]]
  expect_identical(asdf_read(file, "copy"), matrix(1:6, 2))
})

test_that("more values than a region has are a failure", {
  path <- written(function(file) file[["a"]] <- 1:6)
  file <- asdf_open(path, "r+")
  expect_status(asdf_write_region(file, "a", 1:4, start = 1, count = 2), "INVALID_ARGUMENT")
  expect_identical(asdf_read(file, "a"), 1:6)
  close(file)
})

test_that("failures of regions and streams name their place", {
  path <- new_path()
  file <- asdf_new()
  asdf_set(file, "m/x", 1:6 + 0)
  asdf_set(file, "m/i", 1:6, datatype = "int64")
  asdf_write(file, path)
  file <- asdf_open(path, "r+")
  array <- asdf_array(file, "m/x")
  failures <- list(
    function() asdf_write_region(file, "m/x", c(1, 2, 3), start = 5), function() asdf_read(file, "m/x", start = 5, count = 3),
    function() asdf_read(file[["m"]], "x", start = 6, count = 2), function() asdf_write_region(array, value = c(1, NA), start = 1),
    function() array[5:7] <- 1:3
  )
  for (failure in failures) {
    error <- expect_error(failure(), class = "asdf_error")
    expect_identical(error$path, "/m/x")
    expect_match(conditionMessage(error), "/m/x: ", fixed = TRUE)
  }
  error <- expect_error(asdf_write_region(file, "m/i", 1.5, start = 1), class = "asdf_error_overflow")
  expect_no_match(conditionMessage(error), "bigint")
  target <- new_path()
  stream <- asdf_stream(target, "a", dim = 2, datatype = "int16")
  for (values in list(c(1, 70000), c(1, NA), 1:3)) {
    error <- expect_error(push_rows(stream, values), class = "asdf_error")
    expect_identical(error$file, target)
  }
  discard(stream)
})
