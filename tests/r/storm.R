# Handles of files, nodes, arrays, tables, streams, readers and descriptions under garbage collection: freed in random
# order, used after closing, in forked processes. The argument is the number of rounds, or "once" for a call of each
# function, or "gctorture" for these calls with a garbage collection after every few allocations.
library(asdfkit)
mode <- commandArgs(trailingOnly = TRUE)[[1]]
set.seed(1)

image <- tempfile(fileext = ".asdf")
file <- asdf_new()
file[["a/b"]] <- 1L
asdf_set(file, "data", matrix(c(1, NA, NaN, 4:60), 6), compression = "zlib")
file[["table"]] <- data.frame(x = c(1.5, NA), s = c("a", NA), i = bit64::as.integer64(c("9007199254740993", NA)))
asdf_write(file, image)
table <- tempfile(fileext = ".ecsv")
rows <- data.frame(n = 1:3, t = c("x", NA, "z"))
rows$v <- list(c(1, NA), NULL, 3)
write_ecsv(rows, table, units = c(n = "s"), meta = list(a = list(1L, "b")))
output <- tempfile(fileext = ".asdf")

# Objects of every class, some of which depend on others.
makers <- list(
  function() asdf_open(image),
  function() asdf_open(image)$a,
  function() asdf_array(asdf_open(image), "data"),
  function() {
    file <- asdf_open(image)
    list(file, file$a, asdf_array(file, "data"))
  },
  function() asdf_read_table(asdf_open(image), "table"),
  function() read_ecsv(table),
  function() {
    batches <- ecsv_batches(table, rows = 1, progress = function(done, total) NULL)
    next_batch(batches)
    batches
  },
  function() ndl_describe(asdf_open(image)),
  function() append_rows(ecsv_writer(tempfile(tmpdir = tempdir()), rows), rows),
  function() push_rows(asdf_stream(tempfile(tmpdir = tempdir()), "x", dim = 2), c(1, 2)),
  function() {
    file <- asdf_new()
    file$x <- list(a = 1L, b = "t", c = as.numeric(1:4))
    file
  }
)

# Uses an object, open or closed; failures are conditions of this package.
use <- function(object) {
  tryCatch({
    if (inherits(object, "asdf_array")) asdf_read(object)
    if (inherits(object, "asdf_node")) as.list(object)
    if (inherits(object, "asdf_file")) names(object)
    if (inherits(object, "ecsv_batches")) next_batch(object)
    if (inherits(object, "asdf_row_stream")) row_count(object)
    if (inherits(object, "asdf_ndl")) ndl_export(object)
  }, asdf_error = function(condition) stopifnot(condition$status == "ASDF_ERR_CLOSED"))
}

storm <- function(count) {
  kept <- vector("list", 40)
  for (index in seq_len(count)) {
    made <- makers[[sample(length(makers), 1)]]()
    if (inherits(made, "asdf_file") && index %% 3 == 0) close(made)
    if (inherits(made, "ecsv_batches") && index %% 3 == 0) close(made)
    if (inherits(made, "asdf_row_stream") && index %% 3 == 0) discard(made)
    if (is.list(made) && inherits(made[[1]], "asdf_file") && index %% 3 == 0) close(made[[1]])
    use(made)
    place <- sample(length(kept), 1)
    use(kept[[place]])
    kept[[place]] <- made
    tryCatch(asdf_read(asdf_open(image), "nothing"), asdf_error_not_found = function(condition) NULL)
    if (index %% 200 == 0) gc()
  }
  lapply(kept, use)
}

memory <- function() {
  gc()
  as.numeric(sub("\\D*(\\d+).*", "\\1", grep("VmRSS", readLines("/proc/self/status"), value = TRUE))) / 1024
}

if (mode %in% c("once", "gctorture")) {
  # A step of 1 takes minutes for each call.
  if (mode == "gctorture") gctorture2(step = 13)
  for (maker in makers) use(maker())
  write_ecsv(read_ecsv(table), tempfile(fileext = ".ecsv"))
  tryCatch(read_ecsv(table, progress = function(done, total) stop("mine")), error = function(condition) NULL)
  tryCatch(read_ecsv(output), asdf_error = function(condition) condition$file)
  asdf_write(asdf_open(image), output)
  report <- ndl_compare(ndl_describe(image), ndl_describe(output))
  changed <- asdf_open(output, "r+")
  changed[["a/b"]] <- "text"
  asdf_save(changed)
  print(changed)
  asdf_write_raw(changed)
  asdf_verify(changed)
  gctorture2(step = 0)
  stopifnot(identical(asdf_open(output)[["a/b"]], "text"))
} else {
  rounds <- as.integer(mode)
  storm(min(rounds, 2000))
  before <- memory()
  storm(rounds)
  grown <- memory() - before
  descriptors <- length(dir("/proc/self/fd"))
  cat(sprintf("%d rounds: %.1f MiB more, %d descriptors\n", rounds, grown, descriptors))
  stopifnot(grown < 30, descriptors < 50)
  file <- asdf_open(image)
  array <- asdf_array(file, "data")
  expected <- asdf_read(array)
  found <- parallel::mclapply(1:20, function(index) {
    storm(20)
    gc()
    identical(asdf_read(array), expected)
  }, mc.cores = 2)
  stopifnot(all(unlist(found)), identical(asdf_read(array), expected))
}
