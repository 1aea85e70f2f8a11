# World coordinates: pixels to the sky and back, and transforms as functions.

asdf_wcs <- function(x, path, ...) .Call(C_node_get_wcs, x, path, make_options("get_wcs", list(...)))

wcs_from_cards <- function(cards, ...) {
  .Call(C_wcs_read_cards, paste(cards, collapse = "\n"), make_options("read_cards", list(...)))
}

wcs_cards <- function(wcs, ...) {
  made <- .Call(C_wcs_make_cards, wcs, make_options("make_cards", list(...)))
  starts <- seq(1, nchar(made[[1L]]), by = 80)
  list(cards = substring(made[[1L]], starts, starts + 79), error = made[[2L]], inverse_error = made[[3L]])
}

asdf_transform <- function(x, path, ...) .Call(C_node_get_transform, x, path, make_options("get_wcs", list(...)))

wcs_transform <- function(wcs, from = NULL, to = NULL) .Call(C_wcs_transform, wcs, from, to)

transform_inverse <- function(transform) .Call(C_transform_inverse, transform)

wcs_world <- function(wcs, points, ...) {
  arity <- .Call(C_transform_arity, wcs_transform(wcs))
  result <- .Call(C_points, wcs, 1L, points_of(points, arity[[1L]]), arity[[2L]], make_options("to_world", list(...)))
  named_axes(result, wcs, last = TRUE)
}

wcs_pixels <- function(wcs, points, ...) {
  arity <- .Call(C_transform_arity, wcs_transform(wcs))
  result <- .Call(C_points, wcs, -1L, points_of(points, arity[[2L]]), arity[[1L]], make_options("to_pixel", list(...)))
  named_axes(result, wcs, last = FALSE)
}

# Longitude and latitude in degrees, in whatever order and units the last frame has them.
wcs_sky <- function(wcs, x, y, ...) {
  check_plane(wcs, 1L, "pixel", "wcs_world() takes points of any number of axes")
  sky_points(wcs, TRUE, x, y, c("longitude", "latitude"), make_options("to_world", list(...)))
}

# Evaluates points of two numbers; the shorter vector is repeated.
sky_points <- function(wcs, to_sky, first, second, names, options) {
  points <- cbind(first, second, deparse.level = 0L)
  if (!is.numeric(points) || ncol(points) != 2L) refuse("INVALID_ARGUMENT", "the points must be two vectors of numbers")
  result <- .Call(C_sky_points, wcs, to_sky, as.double(points[, 1L]), as.double(points[, 2L]), options)
  colnames(result) <- names
  result
}

# Fails with the reason if one side of a WCS has not two axes.
check_plane <- function(wcs, side, kind, instead) {
  axes <- .Call(C_transform_arity, wcs_transform(wcs))[[side]]
  if (axes == 2L) return(invisible())
  frames <- wcs_frames(wcs)
  names <- frames[[if (side == 1L) 1L else length(frames)]]$axes
  refuse("ARITY", paste0("the WCS has ", axes, " ", kind, " axes (", paste(names, collapse = ", "), "), and not 2: ", instead))
}

wcs_pixel <- function(wcs, longitude, latitude, ...) {
  check_plane(wcs, 2L, "world", "wcs_pixels() takes points of any number of axes")
  sky_points(wcs, FALSE, longitude, latitude, c("x", "y"), make_options("to_pixel", list(...)))
}

transform_evaluate <- function(transform, points, ...) {
  arity <- .Call(C_transform_arity, transform)
  result <- .Call(C_points, transform, 0L, points_of(points, arity[[1L]]), arity[[2L]], make_options("to_world", list(...)))
  if (arity[[2L]] == 1L) as.vector(result) else result
}

wcs_frames <- function(wcs) {
  kinds <- names(constants$frame)
  named <- function(frame) {
    frame$kind <- kinds[match(frame$kind, constants$frame)]
    frame$parts <- lapply(frame$parts, named)
    frame
  }
  frames <- lapply(.Call(C_wcs_frames, wcs), named)
  setNames(frames, vapply(frames, function(frame) frame$name, ""))
}

wcs_footprint <- function(wcs, center = FALSE) named_axes(.Call(C_wcs_footprint, wcs, center), wcs, last = TRUE)

wcs_center <- function(wcs) .Call(C_wcs_center, wcs, .Call(C_transform_arity, wcs_transform(wcs))[[1L]])

wcs_orientation <- function(wcs, x, y) {
  found <- .Call(C_wcs_orientation, wcs, x, y)
  list(pixel_scale = found[[1L]], position_angle = found[[2L]], mirrored = found[[3L]] != 0)
}

# Points as a matrix of numbers with a row for each. A vector is one point, or many points of one coordinate.
points_of <- function(points, axes) {
  if (is.data.frame(points)) points <- as.matrix(points)
  if (!is.matrix(points)) points <- matrix(points, ncol = axes, byrow = TRUE)
  if (!is.numeric(points) || ncol(points) != axes) {
    refuse("INVALID_ARGUMENT", paste("the points must be a matrix of numbers with", axes, "columns"))
  }
  storage.mode(points) <- "double"
  points
}

# Gives the columns the names of the axes of the last or the first frame.
named_axes <- function(result, wcs, last) {
  frames <- .Call(C_wcs_frames, wcs)
  axes <- frames[[if (last) length(frames) else 1L]]$axes
  if (length(axes) == ncol(result) && all(nzchar(axes))) colnames(result) <- axes
  result
}

print.asdf_wcs <- function(x, ...) {
  cat("<WCS ", paste(names(wcs_frames(x)), collapse = " -> "), ">\n", sep = "")
  invisible(x)
}
