# Averages a light curve in bins of a day, and writes the bins with their unit: bin_light_curve.R FILE NEW
# The file has the columns mjd and flux.
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 2) quit(status = 2)
tryCatch({
  curve <- read_ecsv(arguments[[1]], columns = c("mjd", "flux"))
  unit <- attr(curve$flux, "unit")
  bins <- aggregate(flux ~ floor(mjd), data = curve, FUN = mean)  # leaves out rows with NA
  names(bins) <- c("day", "flux")
  write_ecsv(bins, arguments[[2]], units = c(flux = unit))
  cat(nrow(bins), "days, flux in", unit, "\n")
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
