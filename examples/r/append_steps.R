# Appends time steps, each safe on the disk, and goes on with a file that exists: append_steps.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: append_steps.R FILE")
  quit(status = 2)
}
tryCatch({
  if (!file.exists(arguments[[1]])) {
    new <- asdf_new()
    asdf_create_array(new, "heat", c(3, 2, 0), "float32", chunks = c(3, 2, 4), maxdim = c(3, 2, NA),
      compression = "zlib")
    asdf_write(new, arguments[[1]])
  }
  file <- asdf_open(arguments[[1]], "r+")
  for (number in 1:5) {
    asdf_append(file, "heat", matrix(dim(asdf_array(file, "heat"))[[3]], 3, 2))
    asdf_save(file)                               # the step is on the disk
  }
  cat(dim(asdf_array(file, "heat"))[[3]], "steps\n")
  close(file)
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
