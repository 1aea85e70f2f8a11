test_that("positions on the sky have components and attributes", {
  file <- asdf_new()
  asdf_set_coordinates(file, "sky", c(10, 20), c(-5, 41.25), frame = "fk5", distances = c(1, 2), distance_unit = "kpc")
  asdf_set_time(file, "sky/equinox", "J1975.0")
  expect_identical(asdf_kind(file, "sky"), "coordinates")
  sky <- asdf_get_coordinates(file, "sky", units = c(distance = "pc"))
  expect_identical(sky[1:3], list(kind = "sky", frame = "fk5", representation = "spherical"))
  expect_identical(names(sky$components), c("ra", "dec", "distance"))
  expect_identical(sky$components$dec, structure(c(-5, 41.25), unit = "deg"))
  expect_identical(sky$components$distance, structure(c(1000, 2000), unit = "pc"))
  expect_identical(names(sky$attributes), "equinox")
  expect_s3_class(asdf_get_time(sky$attributes$equinox, ""), "POSIXct")
  asdf_set_coordinates(file, "one", 10, 20, frame = "galactic")
  expect_identical(asdf_get_coordinates(file, "one")$components$l, structure(10, unit = "deg"))
  plane <- matrix(c(1, 2, 3, 4, 5, 6), 2)
  asdf_set_coordinates(file, "plane", plane, plane)
  expect_identical(dim(asdf_get_coordinates(file, "plane")$components$ra), c(2L, 3L))
})

test_that("wrong coordinates are refused", {
  file <- asdf_new()
  file[["x"]] <- 5
  expect_status(asdf_get_coordinates(file, "x"), "WRONG_TYPE")
  expect_status(asdf_set_coordinates(file, "y", 1, 91), "OUT_OF_RANGE")
  expect_status(asdf_set_coordinates(file, "y", c(1, 2), 1), "INVALID_ARGUMENT")
  asdf_set_coordinates(file, "y", 1, 2)
  expect_status(asdf_get_coordinates(file, "y", units = c(ra = "m")), "UNITS")
  expect_status(asdf_get_coordinates(file, "y", units = c(x = "m")), "NOT_FOUND")
})

test_that("columns of tables have coordinates", {
  path <- new_path(".ecsv")
  writeLines(c(
    "# %ECSV 1.0", "# ---", "# datatype:", "# - {name: name, datatype: string}",
    "# - {name: place.ra, unit: deg, datatype: float64}", "# - {name: place.dec, unit: deg, datatype: float64}",
    "# meta: !!omap", "# - __serialized_columns__:", "#     place:",
    "#       __class__: astropy.coordinates.sky_coordinate.SkyCoord",
    "#       dec: !astropy.table.SerializedColumn",
    "#         __class__: astropy.coordinates.angles.core.Latitude", "#         unit: !astropy.units.Unit {unit: deg}",
    "#         value: !astropy.table.SerializedColumn {name: place.dec}", "#       frame: fk5", "#       equinox: J1975",
    "#       ra: !astropy.table.SerializedColumn", "#         __class__: astropy.coordinates.angles.core.Longitude",
    "#         unit: !astropy.units.Unit {unit: deg}",
    "#         value: !astropy.table.SerializedColumn {name: place.ra}", "#         wrap_angle: !astropy.coordinates.Angle",
    "#           unit: !astropy.units.Unit {unit: deg}", "#           value: 360.0",
    "#       representation_type: unitspherical", "# schema: astropy-2.0", "name place.ra place.dec", "a 10.0 -5.0",
    "b 20.0 41.25"), path)
  table <- asdf_open_table(path)
  place <- asdf_get_coordinates(table, "place", units = c(ra = "arcmin"))
  expect_identical(place$frame, "fk5")
  expect_identical(place$components$dec, structure(c(-5, 41.25), unit = "deg"))
  expect_identical(place$components$ra, structure(c(600, 1200), unit = "arcmin"))
  expect_status(asdf_get_coordinates(table, "none"), "NOT_FOUND")
  expect_status(asdf_get_coordinates(table, "name"), "WRONG_TYPE")
})
