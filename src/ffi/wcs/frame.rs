//! Frames of world coordinates: names, axes and reference frames.
//!
//! # Frames
//!
//! A frame names and describes coordinates: those of pixels, of the sky, and of the steps between. Functions take the
//! number of a frame: 0 is the frame of the pixels, and the last of asdf_wcs_frame_count() is that of the world. A
//! composite frame has parts, which are frames as well: asdf_wcs_frame_part() returns their numbers.
//!
//! ```c
//! int64_t frames = 0, axes = 0;
//! char name[64], unit[64];
//! asdf_wcs_frame_count(wcs, &frames);
//! asdf_wcs_frame_axis_count(wcs, frames - 1, &axes);
//! for (int64_t axis = 0; axis < axes; axis++) {
//!     asdf_wcs_axis_name(wcs, frames - 1, axis, name, sizeof name, NULL);
//!     asdf_wcs_axis_unit(wcs, frames - 1, axis, unit, sizeof unit, NULL);
//!     printf("%s (%s)\n", name, unit);
//! }
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::element;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_wcs;
use crate::wcs::{Frame, FrameAxis, ReferenceFrame, Wcs};
use std::ffi::c_char;

/// A name without information about axes.
pub const ASDF_FRAME_NAMED: i32 = 0;
/// Axes of any kind.
pub const ASDF_FRAME_GENERIC: i32 = 1;
/// Two axes of a plane, usually of a detector.
pub const ASDF_FRAME_PLANE: i32 = 2;
/// Longitude and latitude on the sky.
pub const ASDF_FRAME_CELESTIAL: i32 = 3;
/// A spectral coordinate.
pub const ASDF_FRAME_SPECTRAL: i32 = 4;
/// Time.
pub const ASDF_FRAME_TEMPORAL: i32 = 5;
/// Polarization.
pub const ASDF_FRAME_STOKES: i32 = 6;
/// Several frames together.
pub const ASDF_FRAME_COMPOSITE: i32 = 7;

/// Returns the frames of the steps, then the parts of composite frames.
fn frames(wcs: &Wcs) -> Vec<&Frame> {
    let parts = wcs.frames().flat_map(|frame| &frame.frames);
    wcs.frames().chain(parts).collect()
}

fn frame_of(caller: &Caller, wcs: *const asdf_wcs, frame: i64) -> Result<&Frame> {
    element(&frames(caller.handle(wcs, "wcs")?), frame, "frame").copied()
}

fn axis_of(caller: &Caller, wcs: *const asdf_wcs, frame: i64, axis: i64) -> Result<&FrameAxis> {
    element(&frame_of(caller, wcs, frame)?.axes, axis, "axis")
}

fn reference_of(caller: &Caller, wcs: *const asdf_wcs, frame: i64) -> Result<&ReferenceFrame> {
    let frame = frame_of(caller, wcs, frame)?;
    frame.reference.as_ref().ok_or_else(|| {
        let message = format!("the frame '{}' has no reference frame", frame.name);
        Error::new(Status::NotFound, message)
    })
}

/// Gets the number of frames, without parts of composite frames.
///
/// @param wcs   the world coordinates
/// @param count gets the number, at least 1
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_count(wcs: *const asdf_wcs, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(wcs, "wcs")?.frames().len() as u64);
        Ok(())
    })
}

/// Gets the name of a frame. asdf_wcs_transform() takes these names.
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_name(
    wcs: *const asdf_wcs,
    frame: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&frame_of(caller, wcs, frame)?.name)
    })
}

/// Gets the kind of a frame.
///
/// @param wcs   the world coordinates
/// @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param kind  gets an ASDF_FRAME_ constant
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_kind(wcs: *const asdf_wcs, frame: i64, kind: *mut i32) -> asdf_status {
    guard(|caller| {
        let kind = caller.out(kind, "kind")?;
        kind.put(frame_of(caller, wcs, frame)?.kind as i32);
        Ok(())
    })
}

/// Gets the number of parts of a composite frame.
///
/// @param wcs   the world coordinates
/// @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param count gets the number, 0 for other frames
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_part_count(wcs: *const asdf_wcs, frame: i64, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(frame_of(caller, wcs, frame)?.frames.len() as u64);
        Ok(())
    })
}

/// Gets the number of a part of a composite frame, for the functions that take the number of a frame.
///
/// @param wcs   the world coordinates
/// @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param index number of the part in its frame, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param part  gets the number of the part as a frame
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_part(
    wcs: *const asdf_wcs,
    frame: i64,
    index: i64,
    part: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let part = caller.out(part, "part")?;
        let wanted = element(&frame_of(caller, wcs, frame)?.frames, index, "part")?;
        let all = frames(caller.handle(wcs, "wcs")?);
        part.put_number(all.iter().position(|frame| std::ptr::eq(*frame, wanted)).map(|place| place as u64));
        Ok(())
    })
}

/// Gets the number of axes of a frame.
///
/// @param wcs   the world coordinates
/// @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param count gets the number, 0 for ASDF_FRAME_NAMED
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_axis_count(wcs: *const asdf_wcs, frame: i64, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(frame_of(caller, wcs, frame)?.axes.len() as u64);
        Ok(())
    })
}

/// Gets the order of the axes of a frame: which coordinate each axis is in the native order, longitude before latitude.
/// Other functions return the axes in the order of the coordinates.
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param order    gets a number for each axis
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small; 0 to get only the number
/// @param count    gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_axes_order(
    wcs: *const asdf_wcs,
    frame: i64,
    order: *mut i64,
    capacity: i32,
    count: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(order, capacity, count, ["order", "count"])?;
        let order: Vec<i64> = frame_of(caller, wcs, frame)?.axes_order.iter().map(|&place| place as i64).collect();
        out.put(&order)
    })
}

/// Gets the name of an axis of a frame.
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name, which may be empty
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_axis_name(
    wcs: *const asdf_wcs,
    frame: i64,
    axis: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&axis_of(caller, wcs, frame, axis)?.name)
    })
}

/// Gets the unit of an axis of a frame.
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the unit as in the file; empty for a number without dimension
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_axis_unit(
    wcs: *const asdf_wcs,
    frame: i64,
    axis: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&axis_of(caller, wcs, frame, axis)?.unit)
    })
}

/// Gets the type of an axis of a frame: "SPATIAL", "SPECTRAL", "TIME", "STOKES" or any other word.
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the type
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_axis_type(
    wcs: *const asdf_wcs,
    frame: i64,
    axis: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&axis_of(caller, wcs, frame, axis)?.axis_type)
    })
}

/// Gets the physical type of an axis of a frame: a word of the UCD1+ vocabulary such as "pos.eq.ra", or a word after
/// "custom:".
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the physical type
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_axis_physical_type(
    wcs: *const asdf_wcs,
    frame: i64,
    axis: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&axis_of(caller, wcs, frame, axis)?.physical_type)
    })
}

/// Gets the name of the reference frame of a frame: "icrs", "fk5", "galactic" and others of astropy. The zero point of
/// times is "time".
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if it has no
///                 reference frame. The parts of a composite frame have reference frames, it has none itself
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_frame_reference(
    wcs: *const asdf_wcs,
    frame: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&reference_of(caller, wcs, frame)?.name)
    })
}

/// Gets the number of attributes of a reference frame.
///
/// @param wcs   the world coordinates
/// @param frame number of the frame; errors as for asdf_wcs_frame_reference()
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_reference_attribute_count(
    wcs: *const asdf_wcs,
    frame: i64,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(reference_of(caller, wcs, frame)?.attributes.len() as u64);
        Ok(())
    })
}

/// Gets the name of an attribute of a reference frame, such as "equinox".
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; errors as for asdf_wcs_frame_reference()
/// @param index    number of the attribute, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_reference_attribute_name(
    wcs: *const asdf_wcs,
    frame: i64,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&element(&reference_of(caller, wcs, frame)?.attributes, index, "attribute")?.0)
    })
}

/// Gets the value of an attribute of a reference frame.
///
/// @param wcs      the world coordinates
/// @param frame    number of the frame; errors as for asdf_wcs_frame_reference()
/// @param index    number of the attribute, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the text of a single value, and YAML for any other
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_wcs_reference_attribute_value(
    wcs: *const asdf_wcs,
    frame: i64,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&element(&reference_of(caller, wcs, frame)?.attributes, index, "attribute")?.1)
    })
}
