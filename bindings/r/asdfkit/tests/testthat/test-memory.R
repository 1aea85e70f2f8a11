# Handles under garbage collection: many, in any order, after closing, in forked processes.

storm <- function(count) {
  path <- written(function(file) {
    file[["a/b"]] <- 1L
    asdf_set(file, "data", as.numeric(1:10))
  })
  kept <- list()
  for (index in seq_len(count)) {
    file <- asdf_open(path)
    kept[[index %% 50 + 1]] <- switch(index %% 4 + 1, file, file$a, asdf_array(file, "data"), list(file, file$a))
    if (index %% 7 == 0) close(file)
    if (index %% 13 == 0) kept[[sample(length(kept), 1)]] <- NULL
    if (index %% 500 == 0) gc()
  }
  kept
}

test_that("handles are freed in any order", {
  kept <- storm(as.integer(Sys.getenv("ASDFKIT_R_HANDLES", "3000")))
  for (object in kept) {
    if (inherits(object, "asdf_array")) tryCatch(asdf_read(object), asdf_error_closed = function(condition) NULL)
  }
  rm(kept)
  gc()
  expect_lt(length(dir("/proc/self/fd")), 200)
})

test_that("forked processes read, and must not write", {
  skip_on_os("windows")
  path <- written(function(file) asdf_set(file, "data", as.numeric(1:1000), compression = "zlib"))
  file <- asdf_open(path, "r+")
  sums <- parallel::mclapply(1:4, function(index) sum(asdf_read(file, "data")), mc.cores = 2)
  expect_identical(unlist(sums), rep(500500, 4))
  forbidden <- parallel::mclapply(1:2, function(index) tryCatch(asdf_save(file), asdf_error = function(e) e$status),
    mc.cores = 2)
  expect_true("ASDF_ERR_FORKED" %in% unlist(forbidden))
  expect_identical(sum(asdf_read(file, "data")), 500500)
})
