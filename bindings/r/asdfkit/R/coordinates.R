# Coordinates: positions on the sky, frames, places on Earth and angles, as components with units, and attributes.

coordinates_kinds <- c("sky", "frame", "representation", "earth_location", "angle", "latitude", "longitude", "spectral")

asdf_get_coordinates <- function(x, path = "", units = NULL, ...) {
  handle <- if (inherits(x, "asdf_open_table")) {
    .Call(C_table_get_coordinates, table_handle(x), path)
  } else {
    .Call(C_node_get_coordinates, x, path)
  }
  options <- make_options("read_coordinates", list(...))
  names <- .Call(C_coordinates_components, handle)
  unknown <- setdiff(names(units), names)
  if (length(unknown)) refuse("NOT_FOUND", paste0("the coordinates have no component '", unknown[[1L]], "'"), path)
  component <- function(name) {
    unit <- if (name %in% names(units)) units[[name]]
    values <- .Call(C_coordinates_read, handle, name, unit, options)
    structure(values, unit = if (is.null(unit)) .Call(C_coordinates_unit, handle, name) else unit)
  }
  texts <- .Call(C_coordinates_texts, handle)
  list(
    kind = coordinates_kinds[[.Call(C_coordinates_kind, handle)]],
    frame = texts[[1L]], representation = texts[[2L]], differential = texts[[3L]],
    components = lapply(setNames(nm = names), component),
    attributes = lapply(setNames(nm = .Call(C_coordinates_attributes, handle)), function(name) {
      .Call(C_coordinates_attribute, handle, name)
    })
  )
}

asdf_set_coordinates <- function(x, path, longitudes, latitudes, frame = "icrs", unit = "deg", distances = NULL,
                                 distance_unit = NULL, ...) {
  count <- length(longitudes)
  if (length(latitudes) != count || !(is.null(distances) || length(distances) == count)) {
    refuse("INVALID_ARGUMENT", "the numbers of the coordinates differ in number", path)
  }
  shape <- if (!is.null(dim(longitudes))) dim(longitudes) else if (count != 1L) count
  if (!is.null(distances)) distances <- as.double(distances)
  .Call(C_node_set_coordinates, x, path, frame, as.double(shape), list(as.double(longitudes), as.double(latitudes)),
        unit, distances, distance_unit, make_options("set_coordinates", list(...)))
  invisible(x)
}
