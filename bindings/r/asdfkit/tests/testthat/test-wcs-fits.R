cards <- c("NAXIS   = 2", "NAXIS1  = 100", "NAXIS2  = 80", "CTYPE1  = 'RA---TAN'", "CTYPE2  = 'DEC--TAN'",
  "CRPIX1  = 50", "CRPIX2  = 40", "CRVAL1  = 150", "CRVAL2  = 2", "CDELT1  = -1E-4", "CDELT2  = 1E-4")

test_that("cards of a FITS header become world coordinates", {
  file <- asdf_new()
  asdf_set_wcs_cards(file, "meta/wcs", cards)
  expect_equal(unlist(asdf_get(file, "meta/wcs/pixel_shape")), c(100, 80))
  expect_status(asdf_set_wcs_cards(file, "other", "CTYPE1  = 'RA---TAN'"), "INVALID_ARGUMENT")
  expect_status(asdf_set_wcs_cards(file, "other", cards, alternate = "A"), "NOT_FOUND")
  asdf_forget_failure(file)
  close(file)
})

test_that("cards are read and made without a file", {
  wcs <- wcs_from_cards(cards)
  expect_equal(as.numeric(wcs_sky(wcs, 49, 39)), c(150, 2))
  expect_status(wcs_from_cards("SIMPLE  = T"), "INVALID_ARGUMENT")
  made <- wcs_cards(wcs, max_error = 1e-6)
  expect_true(made$error < 1e-6 && all(nchar(made$cards) == 80))
  expect_equal(wcs_sky(wcs_from_cards(made$cards), 3, 4), wcs_sky(wcs, 3, 4))
  expect_status(wcs_cards(wcs_from_cards("CTYPE1  = 'WAVE'")), "UNSUPPORTED")
})

test_that("a part of an image has its own pixels", {
  file <- asdf_new()
  asdf_set_wcs_cards(file, "wcs", cards)
  asdf_set_wcs_cutout(file, "part", file[["wcs"]], start = c(11, 21), count = c(30, 20))
  expect_equal(unlist(asdf_get(file, "part/pixel_shape")), c(30, 20))
  shifts <- asdf_get(file, "part/steps/0/transform/forward/0/forward")
  expect_equal(asdf_get(shifts, "0/offset"), 10)
  expect_equal(asdf_get(shifts, "1/offset"), 20)
  expect_status(asdf_set_wcs_cutout(file, "no", file[["wcs"]], c(1, 1), c(0, 1)), "INVALID_ARGUMENT")
  expect_status(asdf_set_wcs_cutout(file, "no", file[["wcs"]], c(1, 1), 1), "INVALID_ARGUMENT")
  expect_status(asdf_set_wcs_cutout(file, "no", file[["part/steps"]], c(1, 1), c(1, 1)), "NOT_TRANSFORM")
  asdf_forget_failure(file)
  close(file)
})
