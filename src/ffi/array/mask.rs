//! Masks: which elements of an array are missing.
//!
//! # Masks
//!
//! Elements are missing where the array's mask says so: where they equal a number (a float NaN where it is NaN), or
//! where another array, which may be smaller and is repeated then, is not zero; and where null stands among inline
//! elements. Reading an array that has a mask is ASDF_ERR_MASKED unless the options ask for the mask, or for a value in
//! the place of missing elements. To ignore the mask, take the array without it; only that one can be viewed.
//!
//! A missing element has no value, so it need not fit the datatype asked for: its place gets the fill value, or without
//! one what is stored there, clamped where necessary. Where the options set strides, those of an array with a mask are
//! multiples of an element. To write a mask, set the number or the array under the key `mask` of the array's node
//! ("image/mask").
//!
//! ```c
//! asdf_read_options *options = NULL;
//! const double nan = NAN;
//! asdf_read_options_new(&options);
//! asdf_read_options_set_fill(options, ASDF_FLOAT64, &nan, sizeof nan);
//! asdf_array_read(image, ASDF_FLOAT32, pixels, size, options);
//! ```

use super::datatype::scalar_of;
use super::read::region;
use crate::array::{Datatype, Fill, Region};
use crate::error::Result;
use crate::ffi::boundary::arguments::{chosen, set};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::lent::LentMask;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_datatype, asdf_read_options};
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
/// @param mask     gets a byte for each element, 1 if it is missing and else 0; what it holds after a failure is not
///                 specified. May be NULL if there are no elements
/// @param capacity bytes that may be written; fewer than there are elements are ASDF_ERR_BUFFER_TOO_SMALL
/// @param options  how to read, or NULL. Order and strides are those of the mask; what the options say of a mask of
///                 their own and of a fill value does not matter
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_mask(
    array: *const asdf_array,
    mask: *mut u8,
    capacity: usize,
    options: *const asdf_read_options,
) -> asdf_status {
    guard(|caller| read_mask(caller, array, None, mask, capacity, options))
}

/// Reads which elements of a region are missing; see asdf_array_read_mask().
///
/// @param array    the array; a mask that does not suit it is ASDF_ERR_BAD_ARRAY
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count    number of elements along each axis: the shape of what is read
/// @param step     distance of the indices along each axis, as in asdf_array_read_region(); NULL for 1
/// @param mask     gets a byte for each element, 1 if it is missing and else 0; what it holds after a failure is not
///                 specified. May be NULL if there are no elements
/// @param capacity bytes that may be written; fewer than there are elements are ASDF_ERR_BUFFER_TOO_SMALL
/// @param options  how to read, or NULL. Order and strides are those of the mask
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_mask_region(
    array: *const asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
    mask: *mut u8,
    capacity: usize,
    options: *const asdf_read_options,
) -> asdf_status {
    guard(|caller| {
        let region = region(caller, rank, start, count, step)?;
        read_mask(caller, array, Some(&region), mask, capacity, options)
    })
}

fn read_mask(
    caller: &Caller,
    array: *const asdf_array,
    region: Option<&Region>,
    mask: *mut u8,
    capacity: usize,
    options: *const asdf_read_options,
) -> Result<()> {
    let choices = chosen(caller, options)?;
    let array = caller.handle(array, "array")?;
    array.read_mask(region, caller.buffer(mask.cast(), capacity, "mask")?, &choices.options)
}

/// Sets where reads tell which elements are missing: asdf_array_read() and its likes, and asdf_array_read_string().
/// Each writes a byte for each element that it reads, 1 if it is missing and else 0, in the order of the elements; with
/// strides, which must be multiples of an element then, as many bytes from one to the next as there are elements.
///
/// @param options  the options
/// @param mask     gets the bytes of each read with these options, from the start; it must stay valid as long, and not
///                 overlap the elements (ASDF_ERR_INVALID_ARGUMENT). NULL for none, the default. Two reads at once
///                 need options of their own
/// @param capacity bytes that may be written; fewer than a read needs are ASDF_ERR_BUFFER_TOO_SMALL there
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_mask(
    options: *mut asdf_read_options,
    mask: *mut u8,
    capacity: usize,
) -> asdf_status {
    set(options, |_, choices| {
        choices.mask = (!mask.is_null()).then_some(LentMask { mask, capacity });
        Ok(())
    })
}

/// Sets what is put in the place of missing elements.
///
/// @param options  the options
/// @param datatype code of the scalar type of the value; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param value    one element, which is copied. Reads convert it to the datatype asked for like an element of the
///                 array, but never clamp it. NULL for none, the default
/// @param size     bytes of the value; another number than the datatype has is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_fill(
    options: *mut asdf_read_options,
    datatype: i32,
    value: *const c_void,
    size: usize,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.options.fill = fill(caller, &scalar_of(datatype)?.into(), value, size)?;
        Ok(())
    })
}

/// Sets what is put in the place of missing elements, also of strings and records.
///
/// @param options  the options
/// @param datatype datatype of the value
/// @param value    one element, packed, each number in native byte order; see asdf_read_options_set_fill(). NULL for
///                 none, the default
/// @param size     bytes of the value; another number than the datatype has is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_fill_typed(
    options: *mut asdf_read_options,
    datatype: *const asdf_datatype,
    value: *const c_void,
    size: usize,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.options.fill = fill(caller, caller.handle(datatype, "datatype")?, value, size)?;
        Ok(())
    })
}

fn fill(caller: &Caller, datatype: &Datatype, value: *const c_void, size: usize) -> Result<Option<Fill>> {
    if value.is_null() {
        return Ok(None);
    }
    Fill::new(datatype.clone(), caller.bytes(value, size, "value")?).map(Some)
}
