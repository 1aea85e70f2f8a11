# Writes spectra as they come: write_stream.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: write_stream.R FILE")
  quit(status = 2)
}
tryCatch({
  spectra <- asdf_stream(arguments[[1]], "spectra", dim = 4, datatype = "float32")
  for (number in 1:10) push_rows(spectra, rep(number, 4))
  close(spectra)                                  # the file gets its name
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
