# A user who interrupts a long call: it ends soon and leaves no file.
library(asdfkit)
file <- asdf_new()
asdf_set(file, "data", runif(6e7), compression = "zlib")
path <- tempfile(fileext = ".asdf")
system(paste("(sleep 1; kill -INT", Sys.getpid(), ") &"))
time <- system.time(end <- tryCatch({
  asdf_write(file, path)
  "written"
}, interrupt = function(condition) "interrupted"))[["elapsed"]]
cat(end, "after", time, "s\n")
stopifnot(end == "interrupted", time < 5, !file.exists(path))
