//! Masks: missing elements of an array.
//!
//! # Masks
//!
//! The mask of an array marks missing elements. It has one of these forms:
//!
//! - Number: elements that are equal to it are missing (NaN matches NaN).
//! - Array: elements are missing where the mask array is not zero. A smaller mask array is repeated.
//! - Null: a null among inline elements is a missing element.
//!
//! Reading an array with a mask fails with ASDF_ERR_MASKED, unless the caller passes memory for the mask or a fill
//! value for missing elements (asdf_options_set_fill()). To ignore the mask, use asdf_array_without_mask(); only an
//! array without a mask can be viewed.
//!
//! A missing element never causes a conversion error. In the output, it gets the fill value, or without one the stored
//! value, clamped if necessary. With ASDF_OPTION_STRIDES, the strides of an array with a mask must be multiples of the
//! element size. To write a mask, set a number or an array under the key `mask` of the array's node ("image/mask").
//!
//! ```c
//! asdf_options *options = NULL;
//! const double nan = NAN;
//! asdf_options_new(&options);
//! asdf_options_set_fill(options, ASDF_FLOAT64, &nan, sizeof nan);
//! asdf_array_read(image, ASDF_FLOAT32, options, pixels, size, NULL, 0);
//! ```

use super::datatype::scalar_of;
use super::options::{no_datatype, read_options};
use super::read::region;
use crate::array::{Fill, Region};
use crate::error::Result;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_options};
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_FILL;
use crate::ffi::options::taken::{Taken, take};
use crate::ffi::options::values::Value;
use std::ffi::c_void;

/// Tests whether an array has a mask, or null among inline elements.
///
/// @param array    the array
/// @param has_mask gets 1 or 0; also 1 if the mask marks no element
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_has_mask(array: *const asdf_array, has_mask: *mut i32) -> asdf_status {
    guard(|caller| {
        let has_mask = caller.out(has_mask, "has_mask")?;
        has_mask.put(caller.handle(array, "array")?.is_masked().into());
        Ok(())
    })
}

/// Gets the same array without its mask, to read or view its stored elements. Null among inline elements is read as
/// zero, or as an empty text.
///
/// @param array the array
/// @param plain gets the array without the mask; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_without_mask(array: *const asdf_array, plain: *mut *mut asdf_array) -> asdf_status {
    guard_handle(plain, "plain", |caller| Ok(caller.handle(array, "array")?.without_mask()))
}

/// Reads the mask of an array. An array without a mask has no missing elements.
///
/// @param array    the array; ASDF_ERR_BAD_ARRAY if its mask does not fit it
/// @param options  options, or NULL for the defaults. Order and strides apply to the mask; a fill value has no effect
/// @param mask     gets one byte for each element: 1 if it is missing, 0 if not; unspecified after a failure. May be
///                 NULL if there are no elements
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of elements
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_mask(
    array: *const asdf_array,
    options: *const asdf_options,
    mask: *mut u8,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read_mask")?;
        read_mask(caller, array, None, &options, (mask, capacity))
    })
}

/// Reads the mask of a region of an array; see asdf_array_read_mask().
///
/// @param array    the array; ASDF_ERR_BAD_ARRAY if its mask does not fit it
/// @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
/// @param start    first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
/// @param count    number of elements along each axis: the shape of the result
/// @param step     distance of the indices along each axis, as in asdf_array_read_region(); NULL for 1
/// @param options  options, or NULL for the defaults. Order and strides apply to the mask
/// @param mask     gets one byte for each element: 1 if it is missing, 0 if not; unspecified after a failure. May be
///                 NULL if there are no elements
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of elements
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_mask_region(
    array: *const asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
    options: *const asdf_options,
    mask: *mut u8,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read_mask_region")?;
        let region = region(caller, rank, start, count, step)?;
        read_mask(caller, array, Some(&region), &options, (mask, capacity))
    })
}

fn read_mask(
    caller: &Caller,
    array: *const asdf_array,
    region: Option<&Region>,
    options: &Taken,
    (mask, capacity): (*mut u8, usize),
) -> Result<()> {
    let array = caller.handle(array, "array")?;
    array.read_mask(region, caller.buffer(mask.cast(), capacity, "mask")?, &read_options(options)?)
}

/// Sets the fill value, which replaces missing elements.
///
/// @param options  the options
/// @param datatype code of the scalar type of the value; 0 for the datatype that the options have now, such as a string
///                 or a record; ASDF_ERR_INVALID_ARGUMENT for any other number, or if they have none
/// @param value    one element, packed, each number in native byte order; it is copied. Reading converts it to the
///                 requested datatype like an element of the array, but never clamps it
/// @param size     size of the value in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the datatype
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_fill(
    options: *mut asdf_options,
    datatype: i32,
    value: *const c_void,
    size: usize,
) -> asdf_status {
    change(options, |caller, values| {
        let datatype = match datatype {
            0 => values.datatype().ok_or_else(no_datatype)?.clone(),
            code => scalar_of(code)?.into(),
        };
        let fill = Fill::new(datatype, caller.bytes(value, size, "value")?)?;
        values.set_object(ASDF_OPTION_FILL, Value::Fill(fill));
        Ok(())
    })
}
