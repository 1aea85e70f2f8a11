//! World coordinates: pixels to the sky or another world and back.
//!
//! # World coordinates
//!
//! An asdf_wcs is the WCS of an image or a spectrum: a gwcs/wcs node, or a FITS header. It has frames, and a transform
//! from each frame to the next. It is made once and evaluated for any number of points, from any number of threads, and
//! does not keep its file open.
//!
//! Pixel (0, 0) is the center of the first pixel, and the fastest axis comes first: x is the index along the last axis
//! of the array. World coordinates have the units of the last frame.
//!
//! A WCS can be opened even if one of its transforms is not known or not valid. Then its frames can be used, and the
//! functions that need this transform fail with its error, which names the tag and the path: ASDF_ERR_UNKNOWN_TRANSFORM
//! and the other errors of asdf_node_get_transform().
//!
//! Pixels outside of the bounding box have no world coordinates: all are NaN, or the fill value of the options.
//! ASDF_OPTION_BOUNDING_BOX 0 evaluates the transforms there as well.
//!
//! ```c
//! asdf_wcs *wcs = NULL;
//! double ra, dec, x, y;
//! asdf_node_get_wcs(root, "roman/meta/wcs", NULL, &wcs);
//! asdf_wcs_sky_at(wcs, 1024, 2048, NULL, &ra, &dec);
//! asdf_wcs_pixel_at(wcs, ra, dec, NULL, &x, &y);
//! asdf_wcs_free(wcs);
//! ```

use super::evaluate::{Coordinates, Function, build_options, evaluate_options};
use super::transform::{put_interval, put_matrix};
use crate::error::{Error, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_transform, asdf_wcs};
use crate::ffi::options::taken::take;
use crate::wcs::Wcs;
use std::ffi::c_char;

impl Class for asdf_wcs {
    const TAG: u32 = u32::from_be_bytes(*b"WCS ");
    const NAME: &'static str = "asdf_wcs";
    type Value = Wcs;
}

/// Makes a WCS from a node: a gwcs/wcs, or an astropy/wcs/wcs with the cards of a FITS header, also sliced or wrapped.
/// A transform of gwcs that is not known or not valid is no error here.
///
/// @param node    node that the path starts from
/// @param path    the path; ASDF_ERR_NOT_TRANSFORM if the node is no WCS, ASDF_ERR_TAG_CONTENT and ASDF_ERR_ARITY if its
///                steps or frames are not valid
/// @param options options, or NULL for the defaults
/// @param wcs     gets the WCS; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_wcs(
    node: *const asdf_node,
    path: *const c_char,
    options: *const asdf_options,
    wcs: *mut *mut asdf_wcs,
) -> asdf_status {
    guard_handle(wcs, "wcs", |caller| {
        let options = build_options(&take(caller, options, "asdf_node_get_wcs")?);
        let node = caller.handle(node, "node")?.at(caller.text(path, "path")?)?;
        Wcs::from_node(&node, &options)
    })
}

/// Gets longitude and latitude of a pixel of an image of the sky, in degrees.
///
/// @param wcs       the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
/// @param x         pixel along the fastest axis
/// @param y         pixel along the slower axis
/// @param options   options, or NULL for the defaults
/// @param longitude gets the longitude, such as the right ascension; NaN outside of the bounding box
/// @param latitude  gets the latitude, such as the declination
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_sky_at(
    wcs: *const asdf_wcs,
    x: f64,
    y: f64,
    options: *const asdf_options,
    longitude: *mut f64,
    latitude: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let outputs = (caller.out(longitude, "longitude")?, caller.out(latitude, "latitude")?);
        let wcs = caller.handle(wcs, "wcs")?;
        let options = evaluate_options(&take(caller, options, "asdf_wcs_sky_at")?)?;
        let [longitude, latitude] = wcs.sky(x, y, &options)?;
        outputs.0.put(longitude);
        outputs.1.put(latitude);
        Ok(())
    })
}

/// Gets the pixel at a longitude and latitude of an image of the sky.
///
/// @param wcs       the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
/// @param longitude longitude in degrees, such as the right ascension
/// @param latitude  latitude in degrees, such as the declination; ASDF_ERR_INVALID_ARGUMENT beyond +-90
/// @param options   options, or NULL for the defaults
/// @param x         gets the pixel along the fastest axis; NaN outside of the bounding box, and if an iteration does not
///                  converge
/// @param y         gets the pixel along the slower axis
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_pixel_at(
    wcs: *const asdf_wcs,
    longitude: f64,
    latitude: f64,
    options: *const asdf_options,
    x: *mut f64,
    y: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let outputs = (caller.out(x, "x")?, caller.out(y, "y")?);
        let wcs = caller.handle(wcs, "wcs")?;
        let options = evaluate_options(&take(caller, options, "asdf_wcs_pixel_at")?)?;
        let [x, y] = wcs.pixel_of_sky(longitude, latitude, &options)?;
        outputs.0.put(x);
        outputs.1.put(y);
        Ok(())
    })
}

/// Computes the world coordinates of many pixels. Strides are described with asdf_transform_evaluate(): those of
/// x0 x1 ... y0 y1 ... are the number of points and 1, those of x0 y0 x1 y1 ... are 1 and the number of axes.
///
/// @param wcs                the WCS
/// @param count              number of points
/// @param input              pixels; may be NULL if there are none
/// @param length             number of elements of the input; ASDF_ERR_INVALID_ARGUMENT if less than the points take
/// @param input_axis_stride  distance of two coordinates of a pixel, in numbers
/// @param input_point_stride distance of two pixels, in numbers
/// @param options            options, or NULL for the defaults
/// @param output             gets the world coordinates; unspecified after a failure. May be the input, or NULL if there
///                           are none
/// @param capacity           size of the output in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the results take
/// @param axis_stride        distance of two coordinates of a result, in numbers
/// @param point_stride       distance of two results, in numbers; ASDF_ERR_INVALID_ARGUMENT if results overlap
/// @param outside            gets the number of pixels outside of the bounding box; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_pixel_to_world(
    wcs: *const asdf_wcs,
    count: i64,
    input: *const f64,
    length: usize,
    input_axis_stride: i64,
    input_point_stride: i64,
    options: *const asdf_options,
    output: *mut f64,
    capacity: usize,
    axis_stride: i64,
    point_stride: i64,
    outside: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let wcs = caller.handle(wcs, "wcs")?;
        let options = evaluate_options(&take(caller, options, "asdf_wcs_pixel_to_world")?)?;
        let input =
            Coordinates { start: input, length, axis_stride: input_axis_stride, point_stride: input_point_stride };
        let output = Coordinates { start: output, length: capacity, axis_stride, point_stride };
        let done = Function::PixelToWorld(wcs).evaluate(caller, count, &input, &output, &options)?;
        caller.optional_out(outside).put_number(done.outside);
        Ok(())
    })
}

/// Computes the pixels of many points in world coordinates. If each step has an inverse in the file or an analytic one,
/// these are applied. Otherwise pixels are found by iteration. A latitude beyond +-90 degrees counts as NaN. Strides are
/// those of asdf_wcs_pixel_to_world().
///
/// @param wcs                the WCS; ASDF_ERR_NO_INVERSE if a step has no inverse and the numbers of axes exclude an
///                           iteration
/// @param count              number of points
/// @param input              world coordinates; may be NULL if there are none
/// @param length             number of elements of the input; ASDF_ERR_INVALID_ARGUMENT if less than the points take
/// @param input_axis_stride  distance of two coordinates of a point, in numbers
/// @param input_point_stride distance of two points, in numbers
/// @param options            options, or NULL for the defaults
/// @param output             gets the pixels; unspecified after a failure. May be the input, or NULL if there are none
/// @param capacity           size of the output in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the results take
/// @param axis_stride        distance of two coordinates of a pixel, in numbers
/// @param point_stride       distance of two pixels, in numbers; ASDF_ERR_INVALID_ARGUMENT if results overlap
/// @param outside            gets the number of pixels outside of the bounding box, which are replaced; may be NULL
/// @param unconverged        gets the number of points for which the iteration did not converge, whose pixels are NaN;
///                           may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_world_to_pixel(
    wcs: *const asdf_wcs,
    count: i64,
    input: *const f64,
    length: usize,
    input_axis_stride: i64,
    input_point_stride: i64,
    options: *const asdf_options,
    output: *mut f64,
    capacity: usize,
    axis_stride: i64,
    point_stride: i64,
    outside: *mut i64,
    unconverged: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let wcs = caller.handle(wcs, "wcs")?;
        let options = evaluate_options(&take(caller, options, "asdf_wcs_world_to_pixel")?)?;
        let input =
            Coordinates { start: input, length, axis_stride: input_axis_stride, point_stride: input_point_stride };
        let output = Coordinates { start: output, length: capacity, axis_stride, point_stride };
        let done = Function::WorldToPixel(wcs).evaluate(caller, count, &input, &output, &options)?;
        caller.optional_out(outside).put_number(done.outside);
        caller.optional_out(unconverged).put_number(done.unconverged);
        Ok(())
    })
}

/// Tests whether pixels of world coordinates are found by iteration, because a step has no inverse.
///
/// @param wcs       the WCS; ASDF_ERR_NO_INVERSE if there is no inverse at all
/// @param numerical gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_is_inverse_numerical(wcs: *const asdf_wcs, numerical: *mut i32) -> asdf_status {
    guard(|caller| {
        let numerical = caller.out(numerical, "numerical")?;
        numerical.put(caller.handle(wcs, "wcs")?.is_inverse_numerical()?.into());
        Ok(())
    })
}

/// Makes the transform from one frame to another. From a later frame to an earlier one, it consists of inverses.
///
/// @param wcs       the WCS
/// @param from      name of a frame; NULL for that of the pixels
/// @param to        name of a frame; NULL for that of the world. ASDF_ERR_NOT_FOUND if there is no frame of this name
/// @param transform gets the transform; NULL on failure, with the error of the step that cannot be evaluated or inverted
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_transform(
    wcs: *const asdf_wcs,
    from: *const c_char,
    to: *const c_char,
    transform: *mut *mut asdf_transform,
) -> asdf_status {
    guard_handle(transform, "transform", |caller| {
        let wcs = caller.handle(wcs, "wcs")?;
        let (from, to) = (caller.optional_text(from, "from")?, caller.optional_text(to, "to")?);
        let first = wcs.frames().next().map_or("", |frame| &frame.name);
        let last = wcs.frames().last().map_or("", |frame| &frame.name);
        wcs.transform(from.unwrap_or(first), to.unwrap_or(last))
    })
}

/// Gets the name of a WCS.
///
/// @param wcs      the WCS; ASDF_ERR_NOT_FOUND if it has no name
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_name(
    wcs: *const asdf_wcs,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let name = caller.handle(wcs, "wcs")?.name();
        out.put(name.ok_or_else(|| Error::new(Status::NotFound, "the WCS has no name"))?)
    })
}

/// Gets the numbers of pixels along the axes of the image.
///
/// @param wcs      the WCS; ASDF_ERR_NOT_FOUND if the file does not tell them
/// @param shape    gets the numbers, the fastest axis first: width, height
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small; 0 to get only the number of
///                 axes
/// @param count    gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_pixel_shape(
    wcs: *const asdf_wcs,
    shape: *mut i64,
    capacity: i32,
    count: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, count, ["shape", "count"])?;
        let shape = caller.handle(wcs, "wcs")?.pixel_shape();
        out.put(shape.ok_or_else(|| Error::new(Status::NotFound, "the WCS has no pixel_shape"))?)
    })
}

/// Gets the interval of a pixel axis in the bounding box, which is that of the first step.
///
/// @param wcs   the WCS; ASDF_ERR_UNSUPPORTED if its box depends on values of inputs
/// @param axis  number of the pixel axis, from 0 for the fastest; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param low   gets the lower end, which is inside; minus infinity if there is none
/// @param high  gets the upper end, which is inside; infinity if there is none
/// @param has   gets 1, or 0 if the WCS has no bounding box; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_bounding_box(
    wcs: *const asdf_wcs,
    axis: i64,
    low: *mut f64,
    high: *mut f64,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let outputs = (caller.out(low, "low")?, caller.out(high, "high")?, caller.optional_out(has));
        let wcs = caller.handle(wcs, "wcs")?;
        put_interval(wcs.bounding_box(), wcs.forward()?.arity().0, axis, &outputs)
    })
}

/// Gets the world coordinates of the corners of the bounding box, or of the whole image where there is no box. The
/// corners of an image are in the order (low x, low y), (low x, high y), (high x, high y), (high x, low y). For other
/// numbers of axes, the last pixel axis varies fastest.
///
/// @param wcs      the WCS; ASDF_ERR_NOT_FOUND if it has neither a bounding box nor a pixel_shape
/// @param center   not 0 for the centers of the pixels in the corners, 0 for the corners themselves
/// @param corners  gets the coordinates of one corner after the other; may be NULL if the capacity is 0
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small; 0 to get only the counts
/// @param count    gets the number of corners; also if the capacity is too small
/// @param axes     gets the number of coordinates of a corner; also if the capacity is too small
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_footprint(
    wcs: *const asdf_wcs,
    center: i32,
    corners: *mut f64,
    capacity: usize,
    count: *mut i64,
    axes: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let (count, axes) = (caller.out(count, "count")?, caller.out(axes, "axes")?);
        if capacity > 0 {
            caller.out(corners, "corners")?;
        }
        let found = caller.handle(wcs, "wcs")?.footprint(center != 0)?;
        count.put_number(found.len() as u64);
        axes.put_number(found.first().map_or(0, Vec::len) as u64);
        if capacity == 0 {
            return Ok(());
        }
        caller.put_values((corners, capacity), "corners", &found.concat())
    })
}

/// Gets the center of an image: the pixel in the middle of the bounding box, or of the whole image where there is no
/// box.
///
/// @param wcs      the WCS; ASDF_ERR_NOT_FOUND if it has neither a bounding box nor a pixel_shape
/// @param pixel    gets the pixel, the fastest axis first
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of pixel axes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_center(wcs: *const asdf_wcs, pixel: *mut f64, capacity: usize) -> asdf_status {
    guard(|caller| {
        caller.out(pixel, "pixel")?;
        caller.put_values((pixel, capacity), "pixel", &caller.handle(wcs, "wcs")?.center()?)
    })
}

/// Gets the scale of an image of the sky at a pixel, also outside of the bounding box: the square root of the area of
/// the pixel.
///
/// @param wcs   the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
/// @param x     pixel along the fastest axis
/// @param y     pixel along the slower axis
/// @param scale gets the scale in degrees
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_pixel_scale(wcs: *const asdf_wcs, x: f64, y: f64, scale: *mut f64) -> asdf_status {
    guard(|caller| {
        let scale = caller.out(scale, "scale")?;
        scale.put(caller.handle(wcs, "wcs")?.pixel_scale(x, y)?);
        Ok(())
    })
}

/// Gets the orientation of an image of the sky at a pixel, also outside of the bounding box.
///
/// @param wcs      the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
/// @param x        pixel along the fastest axis
/// @param y        pixel along the slower axis
/// @param angle    gets the position angle of the y axis in degrees: from north through east, from 0 up to 360
/// @param mirrored gets 1 if east is to the right where north is up, else 0
/// @param x_scale  gets the length of the pixel along the x axis in degrees
/// @param y_scale  gets the length of the pixel along the y axis in degrees
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_orientation(
    wcs: *const asdf_wcs,
    x: f64,
    y: f64,
    angle: *mut f64,
    mirrored: *mut i32,
    x_scale: *mut f64,
    y_scale: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let (angle, mirrored) = (caller.out(angle, "angle")?, caller.out(mirrored, "mirrored")?);
        let (x_scale, y_scale) = (caller.out(x_scale, "x_scale")?, caller.out(y_scale, "y_scale")?);
        let geometry = caller.handle(wcs, "wcs")?.sky_geometry(x, y)?;
        angle.put(geometry.position_angle);
        mirrored.put(geometry.is_mirrored.into());
        x_scale.put(geometry.scale[0]);
        y_scale.put(geometry.scale[1]);
        Ok(())
    })
}

/// Gets the index of the array element that contains a pixel.
///
/// @param wcs      the WCS
/// @param pixel    coordinates of the pixel, the fastest axis first
/// @param length   number of coordinates
/// @param index    gets the index, the slowest axis first; INT64_MIN for NaN
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of coordinates
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_array_index(
    wcs: *const asdf_wcs,
    pixel: *const f64,
    length: usize,
    index: *mut i64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(index, "index")?;
        let pixel = caller.numbers(pixel, length, "pixel")?;
        caller.put_values((index, capacity), "index", &caller.handle(wcs, "wcs")?.array_index(pixel))
    })
}

/// Gets which world coordinates depend on which pixel axes. Dependence that is not known counts as dependence.
///
/// @param wcs      the WCS
/// @param matrix   gets a byte for each world coordinate and each pixel axis: 1 if the coordinate depends on the axis,
///                 else 0. The pixel axes of the first coordinate come first
/// @param capacity size of the matrix in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the product of both numbers
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_axis_correlation(
    wcs: *const asdf_wcs,
    matrix: *mut u8,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(matrix, "matrix")?;
        put_matrix(caller, (matrix, capacity), &caller.handle(wcs, "wcs")?.axis_correlation()?)
    })
}

/// Adds an owner to a WCS.
///
/// @param wcs     the WCS
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_retain(wcs: *const asdf_wcs, another: *mut *mut asdf_wcs) -> asdf_status {
    guard_retain(wcs, "wcs", another)
}

/// Gives up one owner of a WCS. The last owner frees it.
///
/// @param wcs the WCS; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_free(wcs: *mut asdf_wcs) {
    guard_silently(|caller| caller.release(wcs));
}
