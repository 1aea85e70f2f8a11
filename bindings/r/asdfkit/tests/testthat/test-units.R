# Units: texts, kinds, equality, conversions.

test_that("units are written in all spellings", {
  expect_identical(unit_format("km.s**-1", spelling = "vounit"), "km / s")
  expect_identical(unit_format("km/s", "fits"), "km s-1")
  expect_status(unit_format("mag(AB)", "fits"), "UNITS")
  expect_error(unit_format("m", "other"))
})

test_that("units have a kind and equal others", {
  expect_identical(unit_kind("mag(AB)"), "magnitude")
  expect_identical(unit_kind("no unit"), "unknown")
  expect_identical(unit_physical("mag(AB)"), "AB")
  expect_null(unit_physical("m"))
  expect_true(unit_equal("N", "kg m / s2"))
  expect_false(unit_equal("N", "J"))
})

test_that("values are converted", {
  values <- matrix(c(1, 2.5, 3, 4), 2)
  expect_identical(unit_convert(values, "mm", "m"), values * 0.001)
  expect_identical(unit_convert(20L, "deg_C", "K", equivalencies = "temperature"), 293.15)
  expect_status(unit_convert(20, "deg_C", "K"), "UNITS")
  expect_status(unit_convert(1, "m", "km", clamp = TRUE), "INVALID_ARGUMENT")
})

test_that("converted numbers of a column have the new unit", {
  expect_identical(unit_convert(structure(c(1, 2), unit = "Jy"), "Jy", "mJy"), structure(c(1000, 2000), unit = "mJy"))
})

test_that("numbers with the attribute unit are quantities", {
  with_unit <- function(values, unit) structure(values, unit = unit)
  path <- written(function(file) {
    file[["distance"]] <- with_unit(c(1, 2), "km")
    file[["rate"]] <- with_unit(3.5, "electron / s")
    asdf_set(file, "image", with_unit(matrix(1:4, 2), "Jy"), compression = "zlib")
    file[["distance"]] <- with_unit(c(1, NA), "m")
    file[["plain"]] <- with_unit("text", "km")
    expect_status(asdf_set(file, "image", with_unit(1:4, "Jy"), compression = "zip"), "INVALID_ARGUMENT")
    asdf_forget_failure(file)
    asdf_set(file, "image", with_unit(matrix(1:4, 2), "Jy"))
  })
  file <- asdf_open(path)
  on.exit(close(file))
  for (name in c("distance", "rate", "image")) expect_identical(asdf_kind(file, name), "quantity")
  expect_identical(asdf_unit(file, "distance"), "m")
  expect_identical(asdf_read(file, "distance"), c(1, NA))
  expect_identical(file[["rate/value"]], 3.5)
  expect_identical(asdf_get_quantity(file, "rate", "electron / s"), 3.5)
  expect_identical(asdf_read(file, "image"), matrix(1:4, 2))
  expect_identical(file[["plain"]], "text")
})

test_that("arrays, numbers and columns are read in another unit", {
  path <- written(function(file) {
    file[["distance/value"]] <- 1:3
    asdf_set_quantity(file, "distance", "km")
    file[["angle/value"]] <- 180
    asdf_set_quantity(file, "angle", "deg")
    file[["plain"]] <- c(1, 2)
  })
  file <- asdf_open(path)
  on.exit(close(file))
  expect_identical(asdf_unit(file, "distance"), "km")
  expect_null(asdf_unit(file, "plain"))
  expect_identical(asdf_read(file, "distance", unit = "m"), c(1000, 2000, 3000))
  expect_identical(asdf_read(file, "distance", start = 2, unit = "Mm"), c(0.002, 0.003))
  expect_identical(asdf_read(file, "distance"), 1:3)
  expect_status(asdf_read(file, "distance", unit = "s"), "UNITS")
  expect_status(asdf_read(file, "plain", unit = "m"), "UNITS")
  expect_equal(asdf_get_quantity(file, "angle", "arcmin"), 10800)
  expect_status(asdf_get_quantity(file, "angle", "m"), "UNITS")

  text <- c("# %ECSV 1.0", "# ---", "# datatype:", "# - {name: d, unit: km, datatype: int32}",
    "# - {name: n, datatype: int32}", "d n", "1 2")
  bytes <- charToRaw(paste0(paste(text, collapse = "\n"), "\n"))
  table <- read_ecsv(bytes, units = c(d = "m"))
  expect_identical(as.numeric(table$d), 1000)
  expect_identical(attr(table$d, "unit"), "m")
  expect_status(read_ecsv(bytes, units = c(d = "s")), "UNITS")
  expect_status(read_ecsv(bytes, units = c(n = "m")), "UNITS")
})
