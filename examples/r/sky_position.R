# Converts a pixel of an image to a position on the sky, and back: sky_position.R FILE X Y
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 3) {
  message("usage: sky_position.R FILE X Y")
  quit(status = 2)
}
tryCatch({
  wcs <- asdf_wcs(asdf_open(arguments[[1]]), "meta/wcs")
  sky <- wcs_sky(wcs, as.numeric(arguments[[2]]), as.numeric(arguments[[3]]))
  pixel <- wcs_pixel(wcs, sky[, 1], sky[, 2])
  cat(sprintf("ra %.6f, dec %.6f: pixel %.3f, %.3f\n", sky[, 1], sky[, 2], pixel[, 1], pixel[, 2]))
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
