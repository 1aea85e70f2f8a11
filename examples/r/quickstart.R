# Reads a number, an image and a table, and writes another file: quickstart.R
library(asdfkit)

file <- asdf_open("image.asdf")
seconds <- file[["meta/exposure/time"]]
image <- asdf_read(file, "data")                  # matrix
window <- asdf_read(file, "data", start = c(201, 101), count = c(32, 32), step = c(2, 2))
catalogue <- read_ecsv("catalogue.ecsv")          # data.frame; NA where missing; attr(catalogue$flux, "unit")
cat(seconds, dim(image), dim(window), nrow(catalogue), "\n")

copy <- asdf_new()
copy[["meta/telescope"]] <- "Roman"
asdf_set(copy, "data", image, compression = "zlib", datatype = "float32")
asdf_write(copy, "copy.asdf")
