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
