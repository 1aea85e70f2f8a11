# Progress of calls: reports, failures and interrupts in the function, closing what a call uses.

long_table <- function() {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(a = 1:20000), path)
  path
}

test_that("a function receives the progress", {
  path <- long_table()
  reports <- list()
  read_ecsv(path, progress = function(done, total) reports[[length(reports) + 1]] <<- c(done, total))
  expect_identical(reports[[1]][[1]], 0)
  last <- reports[[length(reports)]]
  expect_identical(last[[1]], as.numeric(file.size(path)))
  expect_identical(last[[1]], last[[2]])
})

test_that("failures, FALSE and jumps end the call", {
  path <- long_table()
  expect_error(read_ecsv(path, progress = function(done, total) stop("mine")), "mine")
  expect_status(read_ecsv(path, progress = function(done, total) FALSE), "CANCELLED")
  jump <- function() withRestarts(read_ecsv(path, progress = function(done, total) invokeRestart("leave")),
    leave = function() "left")
  expect_identical(jump(), "left")
  output <- new_path()
  file <- asdf_new()
  asdf_set(file, "data", as.numeric(1:10))
  expect_error(asdf_write(file, output, progress = function(done, total) stop("mine")), "mine")
  expect_false(file.exists(output))
  asdf_write(file, output)
  expect_identical(asdf_read(asdf_open(output), "data"), as.numeric(1:10))
})

test_that("users interrupt calls", {
  skip_on_os("windows")
  path <- long_table()
  interrupted <- tryCatch(read_ecsv(path, progress = function(done, total) {
    tools::pskill(Sys.getpid(), tools::SIGINT)
    Sys.sleep(1)
  }), interrupt = function(condition) "interrupted")
  expect_identical(interrupted, "interrupted")
  expect_identical(nrow(read_ecsv(path)), 20000L)
})

test_that("a function can call the library, but not close what the call uses", {
  path <- long_table()
  inner <- NULL
  read_ecsv(path, progress = function(done, total) inner <<- nrow(read_ecsv(path)))
  expect_identical(inner, 20000L)
  batches <- ecsv_batches(path, rows = 5000, progress = function(done, total) close(batches))
  expect_status(next_batch(batches), "INVALID_ARGUMENT")
  stream <- NULL
  stream <- asdf_stream(new_path(), "x", progress = function(done, total) if (!is.null(stream)) discard(stream))
  expect_status(push_rows(stream, as.numeric(1:10)), "INVALID_ARGUMENT")
  file <- asdf_open(written(function(file) asdf_set(file, "data", as.numeric(1:10), compression = "zlib")))
  expect_status(asdf_read(file, "data", progress = function(done, total) close(file)), "INVALID_ARGUMENT")
  expect_identical(asdf_read(file, "data"), as.numeric(1:10))
})

test_that("objects whose functions refer to them are freed", {
  skip_if_not(dir.exists("/proc/self/fd"))
  path <- long_table()
  make <- function() batches <- ecsv_batches(path, progress = function(done, total) is.null(batches))
  for (index in 1:20) make()
  gc()
  expect_false(path %in% Sys.readlink(dir("/proc/self/fd", full.names = TRUE)))
})
