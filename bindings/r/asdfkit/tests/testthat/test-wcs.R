# World coordinates: pixels and the sky, frames, transforms, what cannot be evaluated.

# An image of 100 * 50 pixels of 0.36 arc seconds around (150, 30) degrees, with its reference pixel at (10, 20).
tree <- "#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: camera
  pixel_shape: [100, 50]
  steps:
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>
      {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}
    transform: !transform/compose-1.3.0
      bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]
      forward:
      - !transform/concatenate-1.3.0
        forward: [!transform/shift-1.2.0 {offset: -10.0}, !transform/shift-1.2.0 {offset: -20.0}]
      - !transform/concatenate-1.3.0
        forward: [!transform/scale-1.2.0 {factor: -1.0e-4}, !transform/scale-1.2.0 {factor: 1.0e-4}]
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: plane
    transform: !transform/compose-1.3.0
      forward:
      - !transform/gnomonic-1.2.0 {direction: pix2sky}
      - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: 150.0, theta: 30.0, psi: 180.0}
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>
      axes_names: [ra, dec]
      axes_order: [0, 1]
      name: sky
      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/fk5-1.1.0>
        {frame_attributes: {equinox: J1975.0}}
      unit: [deg, deg]
shift: !transform/shift-1.2.0 {name: move, offset: 2.5, bounding_box: [0.0, 10.0]}
unknown: !transform/unheard_of-1.0.0 {}
...
"

wcs_file <- function() {
  path <- tempfile(fileext = ".asdf")
  writeLines(tree, path)
  asdf_open(path)
}

test_that("pixels have positions on the sky, and back", {
  file <- wcs_file()
  wcs <- asdf_wcs(file, "wcs")
  close(file)
  expect_equal(wcs_sky(wcs, 10, 20), cbind(longitude = 150, latitude = 30))
  expect_equal(wcs_world(wcs, c(10, 20)), cbind(ra = 150, dec = 30))
  expect_equal(wcs_pixel(wcs, 150, 30), cbind(x = 10, y = 20), tolerance = 1e-9)
  sky <- wcs_sky(wcs, c(0, 10, 1000), c(5, 20, 0), threads = 2)
  expect_identical(is.nan(sky[, "longitude"]), c(FALSE, FALSE, TRUE))
  expect_false(anyNA(wcs_sky(wcs, 1000, 0, bounding_box = FALSE)))
  expect_equal(wcs_pixels(wcs, sky[1:2, ]), cbind(x = c(0, 10), y = c(5, 20)), tolerance = 1e-9)
  expect_identical(unname(wcs_world(wcs, data.frame(x = c(0, 10), y = c(5, 20)))), unname(sky[1:2, ]))
  expect_equal(dim(wcs_world(wcs, matrix(0, 0, 2))), c(0L, 2L))
  expect_status(wcs_world(wcs, matrix(0, 1, 3)), "INVALID_ARGUMENT")
  expect_status(wcs_sky(wcs, 1, 2, tolerance = 1e-6), "INVALID_ARGUMENT")
  expect_equal(wcs_pixel(wcs, 150, 30, tolerance = 1e-6, iterations = 5), cbind(x = 10, y = 20), tolerance = 1e-9)
})

test_that("the image and its frames are described", {
  wcs <- asdf_wcs(wcs_file(), "wcs")
  expect_identical(wcs_center(wcs), c(49.5, 24.5))
  expect_identical(dim(wcs_footprint(wcs)), c(4L, 2L))
  expect_gt(wcs_footprint(wcs, center = TRUE)[1, "ra"], 150)
  orientation <- wcs_orientation(wcs, 10, 20)
  expect_equal(orientation$pixel_scale, 1e-4)
  expect_false(orientation$mirrored)
  frames <- wcs_frames(wcs)
  expect_identical(names(frames), c("detector", "plane", "sky"))
  expect_identical(frames$sky$kind, "celestial")
  expect_identical(frames$sky$physical_types, c("pos.eq.ra", "pos.eq.dec"))
  expect_identical(frames$sky$reference, "fk5")
  expect_identical(frames$sky$attributes, c(equinox = "J1975.0"))
  expect_null(frames$detector$reference)
  expect_output(print(wcs), "detector -> plane -> sky")
  plane <- wcs_transform(wcs, "detector", "plane")
  expect_equal(transform_evaluate(plane, c(110, 20)), matrix(c(-0.01, 0), 1))
  expect_status(wcs_transform(wcs, "nowhere"), "NOT_FOUND")
})

test_that("transforms are functions", {
  file <- wcs_file()
  shift <- asdf_transform(file, "shift")
  expect_identical(transform_evaluate(shift, c(1, 20)), c(3.5, 22.5))
  expect_identical(transform_evaluate(shift, c(1, 20), bounding_box = TRUE), c(3.5, NaN))
  expect_identical(transform_evaluate(transform_inverse(shift), 3.5), 1)
  expect_status(asdf_transform(file, "unknown"), "UNKNOWN_TRANSFORM")
  expect_status(asdf_wcs(file, "shift"), "NOT_TRANSFORM")
})

test_that("wcs_sky has the longitude first, and tells why it cannot", {
  turned <- sub("axes_names: [ra, dec]\n      axes_order: [0, 1]", "axes_names: [ra, dec]\n      axes_order: [1, 0]", tree,
    fixed = TRUE)
  wcs <- asdf_wcs(asdf_open(charToRaw(turned)), "wcs")
  # The frame has the latitude first, which is the right ascension of `tree`.
  expect_equal(as.numeric(wcs_world(wcs, c(0, 5))), rev(as.numeric(wcs_sky(wcs, 0, 5))))
  sky <- wcs_sky(wcs, 0, 5, bounding_box = FALSE)
  expect_equal(sky[, "latitude"], wcs_world(wcs, c(0, 5))[[1L]], ignore_attr = TRUE)
  spectrum <- wcs_from_cards(c("WCSAXES =                    1", "CTYPE1  = 'WAVE    '", "CRVAL1  =              5.0e-07",
    "CRPIX1  =                  1.0", "CDELT1  =              1.0e-09", "CUNIT1  = 'm       '"))
  expect_match(conditionMessage(expect_status(wcs_sky(spectrum, 1, 2), "ARITY")), "1 pixel axes", fixed = TRUE)
})
