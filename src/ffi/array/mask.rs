//! Masks: which elements of an array are missing.
//!
//! # Masks
//!
//! Elements are missing where the array's mask says so: where they equal a number (a float NaN where it is NaN), or
//! where another array, which may be smaller and is repeated then, is not zero; and where null stands among inline
//! elements. Reading an array that has a mask is ASDF_ERR_MASKED unless the call is given memory for the mask, or the
//! options hold a value for missing elements (asdf_options_set_fill()). To ignore the mask, take the array without it;
//! only that one can be viewed.
//!
//! A missing element has no value, so it need not fit the datatype asked for: its place gets the fill value, or without
//! one what is stored there, clamped where necessary. Where the options set strides, those of an array with a mask are
//! multiples of an element. To write a mask, set the number or the array under the key `mask` of the array's node
//! ("image/mask").
//!
//! ```c
//! asdf_options *options = NULL;
//! const double nan = NAN;
//! asdf_options_new(&options);
//! asdf_options_set_fill(options, ASDF_FLOAT64, &nan, sizeof nan);
//! asdf_array_read(image, ASDF_FLOAT32, options, pixels, size, NULL, 0);
//! ```

use super::datatype::scalar_of;
use super::options::read_options;
use super::read::region;
use crate::array::{Datatype, Fill, Region};
use crate::error::Result;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_datatype, asdf_options};
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_FILL;
use crate::ffi::options::taken::{Taken, take};
use crate::ffi::options::values::{Value, Values};
use std::ffi::c_void;

/// Whether a mask, or null among inline elements, says that elements are missing.
///
/// @param array    the array
/// @param has_mask gets 1 or 0; 1 also if the mask marks no element
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_has_mask(array: *const asdf_array, has_mask: *mut i32) -> asdf_status {
    guard(|caller| {
        let has_mask = caller.out(has_mask, "has_mask")?;
        has_mask.put(caller.handle(array, "array")?.is_masked().into());
        Ok(())
    })
}

/// The same array as if it had no mask, to be read and viewed as it is stored. Where null stands among inline elements,
/// that is zero, or no text.
///
/// @param array the array
/// @param plain gets the array without the mask; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_without_mask(array: *const asdf_array, plain: *mut *mut asdf_array) -> asdf_status {
    guard_handle(plain, "plain", |caller| Ok(caller.handle(array, "array")?.without_mask()))
}

/// Reads which elements of an array are missing. Nothing is missing of an array without a mask.
///
/// @param array    the array; a mask that does not suit it is ASDF_ERR_BAD_ARRAY
/// @param options  how to read, or NULL. Order and strides are those of the mask; a fill value does not matter
/// @param mask     gets a byte for each element, 1 if it is missing and else 0; what it holds after a failure is not
///                 specified. May be NULL if there are no elements
/// @param capacity bytes that may be written; fewer than there are elements are ASDF_ERR_BUFFER_TOO_SMALL
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

/// Reads which elements of a region are missing; see asdf_array_read_mask().
///
/// @param array    the array; a mask that does not suit it is ASDF_ERR_BAD_ARRAY
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count    number of elements along each axis: the shape of what is read
/// @param step     distance of the indices along each axis, as in asdf_array_read_region(); NULL for 1
/// @param options  how to read, or NULL. Order and strides are those of the mask
/// @param mask     gets a byte for each element, 1 if it is missing and else 0; what it holds after a failure is not
///                 specified. May be NULL if there are no elements
/// @param capacity bytes that may be written; fewer than there are elements are ASDF_ERR_BUFFER_TOO_SMALL
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

/// Sets the value in the place of missing elements.
///
/// @param options  the options
/// @param datatype code of the scalar type of the value; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param value    one element, which is copied. Reads convert it to the datatype asked for like an element of the
///                 array, but never clamp it
/// @param size     bytes of the value; another number than the datatype has is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_fill(
    options: *mut asdf_options,
    datatype: i32,
    value: *const c_void,
    size: usize,
) -> asdf_status {
    change(options, |caller, values| set_fill(caller, values, &scalar_of(datatype)?.into(), value, size))
}

/// Sets the value in the place of missing elements, also of strings and records.
///
/// @param options  the options
/// @param datatype datatype of the value
/// @param value    one element, packed, each number in native byte order; see asdf_options_set_fill()
/// @param size     bytes of the value; another number than the datatype has is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_fill_typed(
    options: *mut asdf_options,
    datatype: *const asdf_datatype,
    value: *const c_void,
    size: usize,
) -> asdf_status {
    change(options, |caller, values| set_fill(caller, values, caller.handle(datatype, "datatype")?, value, size))
}

fn set_fill(
    caller: &Caller,
    values: &mut Values,
    datatype: &Datatype,
    value: *const c_void,
    size: usize,
) -> Result<()> {
    let fill = Fill::new(datatype.clone(), caller.bytes(value, size, "value")?)?;
    values.set_object(ASDF_OPTION_FILL, Value::Fill(fill));
    Ok(())
}
