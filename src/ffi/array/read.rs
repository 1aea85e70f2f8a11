//! Arrays: properties and reading of elements. Views and datatypes are in other files.
//!
//! # Arrays
//!
//! Elements are read into memory of the caller, in native byte order, converted to the requested datatype. They are in
//! C order, unless ASDF_OPTION_ORDER or ASDF_OPTION_STRIDES is set. The rules of conversion are:
//!
//! - A value that does not fit is ASDF_ERR_OVERFLOW; with ASDF_OPTION_CLAMP the nearest value is used instead.
//! - Integers are rounded to the nearest float.
//! - Only whole numbers are converted to integers.
//! - All numbers can be converted to complex128; complex numbers are converted to real ones only if their imaginary
//!   part is 0.
//! - Strings are read as UTF-8 or UTF-32 of a fixed length, padded with NULs, or one by one. A string that is too long
//!   is ASDF_ERR_OVERFLOW, and cut with ASDF_OPTION_CLAMP. A string that is not valid text is ASDF_ERR_ENCODING, unless
//!   the stored datatype is requested.
//! - Numbers with a unit are read in another unit with ASDF_OPTION_UNIT.
//! - Records are read as a record of the same fields, packed, each number in native byte order; or one field at a time
//!   as an array.
//!
//! Any other conversion is an error.
//!
//! ```c
//! asdf_array *image = NULL;
//! int64_t shape[ASDF_MAX_RANK];
//! int32_t rank;
//! size_t size;
//! asdf_node_get_array(root, "data", &image);
//! asdf_array_shape(image, shape, ASDF_MAX_RANK, &rank);
//! asdf_array_byte_size(image, ASDF_FLOAT64, &size);
//! double *pixels = malloc(size);
//! asdf_array_read(image, ASDF_FLOAT64, NULL, pixels, size, NULL, 0);
//! asdf_array_free(image);
//! ```

use super::datatype::{ASDF_BYTE_ORDER_BIG, ASDF_BYTE_ORDER_LITTLE};
use super::datatype::{code_of, in_memory, scalar_of};
use super::options::{memory_type, read_options, read_options_in_unit};
use crate::array::{Array, ArraySource, ByteOrder, Datatype, Region};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_datatype, asdf_options};
use crate::ffi::options::taken::{Taken, take};
use crate::file::File;
use std::borrow::Cow;
use std::ffi::{c_char, c_void};

impl Class for asdf_array {
    const TAG: u32 = u32::from_be_bytes(*b"ARRA");
    const NAME: &'static str = "asdf_array";
    type Value = Array;

    fn file(array: &Array) -> Option<usize> {
        array.file().map(File::family_number)
    }
}

/// Largest number of axes of an array.
pub const ASDF_MAX_RANK: i32 = 32;

/// Gets the extents of an array, slowest axis first.
///
/// @param array    the array
/// @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
/// @param rank     gets the number of axes, 0 for a single element; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_shape(
    array: *const asdf_array,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        out.put(caller.handle(array, "array")?.shape())
    })
}

/// Gets the stored strides: the bytes from one element to the next along each axis. They may be negative or 0. Only
/// programs that read the bytes of the file by other means need them. The strides of a chunked array are those within a
/// decoded chunk.
///
/// @param array    the array
/// @param strides  gets the strides; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
/// @param rank     gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_strides(
    array: *const asdf_array,
    strides: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(strides, capacity, rank, ["strides", "rank"])?;
        out.put(&caller.handle(array, "array")?.strides())
    })
}

/// Gets the shape of the chunks of a chunked array.
///
/// @param array    the array; ASDF_ERR_NOT_FOUND if it is not chunked
/// @param shape    gets the shape; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
/// @param rank     gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_chunk_shape(
    array: *const asdf_array,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        let array = caller.handle(array, "array")?;
        let none = || Error::new(Status::NotFound, "the array is not chunked");
        out.put(array.chunk_shape().ok_or_else(none)?)
    })
}

/// Gets the code of the stored datatype of an array.
///
/// @param array    the array
/// @param datatype gets the code: a scalar type, ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD; asdf_array_datatype_handle()
///                 returns the details
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_datatype(array: *const asdf_array, datatype: *mut i32) -> asdf_status {
    guard(|caller| {
        let datatype = caller.out(datatype, "datatype")?;
        datatype.put(code_of(caller.handle(array, "array")?.datatype()));
        Ok(())
    })
}

/// Gets the stored datatype of an array as a handle.
///
/// @param array    the array
/// @param datatype gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_datatype_handle(
    array: *const asdf_array,
    datatype: *mut *mut asdf_datatype,
) -> asdf_status {
    guard_handle(datatype, "datatype", |caller| Ok(caller.handle(array, "array")?.datatype().clone()))
}

/// Gets a readable form of the stored datatype of an array: "float32", "[ascii, 8]", "[x: int16, y: float64]".
///
/// @param array    the array
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_datatype_name(
    array: *const asdf_array,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&caller.handle(array, "array")?.datatype().to_string())
    })
}

/// Gets the stored byte order of an array. Reading always returns native byte order.
///
/// @param array     the array
/// @param byteorder gets ASDF_BYTE_ORDER_LITTLE or ASDF_BYTE_ORDER_BIG
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_byte_order(array: *const asdf_array, byteorder: *mut i32) -> asdf_status {
    guard(|caller| {
        let byteorder = caller.out(byteorder, "byteorder")?;
        byteorder.put(match caller.handle(array, "array")?.byteorder() {
            ByteOrder::Little => ASDF_BYTE_ORDER_LITTLE,
            ByteOrder::Big => ASDF_BYTE_ORDER_BIG,
        });
        Ok(())
    })
}

/// Gets the unit of the elements of an array: of the quantity, the column or another mapping with the key "unit" whose
/// value the array is. The text is that of asdf_node_get_unit().
///
/// Fails with ASDF_ERR_NOT_FOUND if there is no unit, and with ASDF_ERR_UNSUPPORTED if the tag of the unit is unknown.
///
/// @param array    the array
/// @param buffer   gets the unit
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_unit(
    array: *const asdf_array,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let array = caller.handle(array, "array")?;
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&array.unit()?)
    })
}

/// Gets the number of elements of an array.
///
/// @param array the array
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_element_count(array: *const asdf_array, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put(caller.handle(array, "array")?.element_count());
        Ok(())
    })
}

/// Gets the memory size of all elements of an array after reading. For another datatype handle, multiply the number of
/// elements by asdf_datatype_item_size().
///
/// @param array    the array
/// @param datatype code of the scalar type to read them as, or 0 for the stored datatype; ASDF_ERR_INVALID_ARGUMENT for
///                 any other number
/// @param size     gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_byte_size(
    array: *const asdf_array,
    datatype: i32,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let size = caller.out(size, "size")?;
        let array = caller.handle(array, "array")?;
        size.put(in_memory(array.byte_size(&*stored_or_scalar(array, datatype)?)?)?);
        Ok(())
    })
}

/// The datatype that a code without options stands for.
fn stored_or_scalar(array: &Array, code: i32) -> Result<Cow<'_, Datatype>> {
    if code == 0 { Ok(Cow::Borrowed(array.datatype())) } else { Ok(Cow::Owned(scalar_of(code)?.into())) }
}

/// Gets the memory size of the elements of a region after reading; see asdf_array_byte_size().
///
/// @param array    the array
/// @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
/// @param count    number of elements along each axis; ASDF_ERR_OUT_OF_RANGE if negative or larger than the extent. May
///                 be NULL for rank 0
/// @param datatype code of the scalar type to read them as, or 0 for the stored datatype; ASDF_ERR_INVALID_ARGUMENT for
///                 any other number
/// @param size     gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_region_size(
    array: *const asdf_array,
    rank: i32,
    count: *const i64,
    datatype: i32,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let size = caller.out(size, "size")?;
        let count = caller.numbers(count, super::datatype::rank(rank)?, "count")?;
        let array = caller.handle(array, "array")?;
        size.put(in_memory(array.region_size(count, &*stored_or_scalar(array, datatype)?)?)?);
        Ok(())
    })
}

/// Tests whether the elements of an array are in the tree rather than in a block.
///
/// @param array     the array
/// @param is_inline gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_is_inline(array: *const asdf_array, is_inline: *mut i32) -> asdf_status {
    guard(|caller| {
        let is_inline = caller.out(is_inline, "is_inline")?;
        is_inline.put(caller.handle(array, "array")?.is_inline().into());
        Ok(())
    })
}

/// Gets the block of an array, as written in the tree: negative numbers count from the end.
///
/// @param array the array; ASDF_ERR_NOT_FOUND if its elements are not in a block of its file
/// @param block gets the index of the block
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_block(array: *const asdf_array, block: *mut i64) -> asdf_status {
    guard(|caller| {
        let block = caller.out(block, "block")?;
        match caller.handle(array, "array")?.source() {
            Some(ArraySource::Block(index)) => block.put(*index),
            Some(ArraySource::Inline(_) | ArraySource::Uri(_) | ArraySource::Chunks | ArraySource::OtherFormat(_))
            | None => {
                return Err(Error::new(
                    Status::NotFound,
                    "the elements of the array are not in one block of its file, but in the tree, in chunks or in another file",
                ));
            }
        }
        Ok(())
    })
}

/// Reads all elements of an array, also strings and records.
///
/// @param array    the array
/// @param datatype code of the scalar type to read them as; 0 for the datatype in the options, and without one for the
///                 stored datatype; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param options  options, or NULL for the defaults
/// @param elements gets the elements; unspecified after a failure. May be NULL if there are no elements
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than asdf_array_byte_size() returns
/// @param mask     gets one byte for each element, in the order of the elements: 1 if it is missing, 0 if not. NULL for
///                 no mask. With a mask, ASDF_OPTION_STRIDES must be multiples of the element size; the mask has the
///                 same strides counted in elements. ASDF_ERR_INVALID_ARGUMENT if the mask overlaps the elements
/// @param mask_capacity size of the mask in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read(
    array: *const asdf_array,
    datatype: i32,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read")?;
        let to = Destination { datatype, elements: (elements, capacity), mask: (mask, mask_capacity), options };
        read(caller, array, None, to)
    })
}

/// Reads a region of an array: along each axis `count` elements from `start` on, `step` apart. The cost depends on the
/// size of the region, not of the array. Compressed elements are decoded in the chunks of the region (lz4), or from the
/// start up to the last needed byte (other codecs). Decoded bytes are kept for the next region (see
/// ASDF_OPTION_CACHE_BYTES). Unlike asdf_array_read(), this function does not detect damage after these bytes.
///
/// @param array    the array
/// @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
/// @param start    first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
/// @param count    number of elements along each axis: the shape of the result
/// @param step     distance between indices along each axis: not 0, negative to go backwards from start; NULL for 1
///                 along each axis
/// @param datatype code of the scalar type to read them as, or 0 as in asdf_array_read(); ASDF_ERR_INVALID_ARGUMENT for
///                 any other number
/// @param options  options, or NULL for the defaults
/// @param elements gets the elements, in C order unless the options say otherwise; unspecified after a failure. May be
///                 NULL if there are no elements
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
/// @param mask     gets one byte for each element, in the order of the elements: 1 if it is missing, 0 if not. NULL for
///                 no mask. With a mask, ASDF_OPTION_STRIDES must be multiples of the element size; the mask has the
///                 same strides counted in elements. ASDF_ERR_INVALID_ARGUMENT if the mask overlaps the elements
/// @param mask_capacity size of the mask in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_region(
    array: *const asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
    datatype: i32,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read_region")?;
        let region = region(caller, rank, start, count, step)?;
        let to = Destination { datatype, elements: (elements, capacity), mask: (mask, mask_capacity), options };
        read(caller, array, Some(&region), to)
    })
}

/// Arguments of a read: code of the datatype, output arguments, options.
struct Destination {
    datatype: i32,
    elements: (*mut c_void, usize),
    mask: (*mut u8, usize),
    options: Taken,
}

fn read(caller: &Caller, array: *const asdf_array, region: Option<&Region>, to: Destination) -> Result<()> {
    let array = caller.handle(array, "array")?;
    let options = read_options_in_unit(&to.options, |unit, allowed| array.conversion_to(unit, allowed))?;
    let target = &*memory_type(to.datatype, &to.options, || Ok(Cow::Borrowed(array.datatype())))?;
    let mask = caller.mask_beside(to.mask, (to.elements.0.cast_const(), to.elements.1))?;
    let elements = caller.buffer(to.elements.0, to.elements.1, "elements")?;
    match (mask, region) {
        (Some(mask), _) => array.read_masked(region, target, elements, mask, &options),
        (None, Some(region)) => array.read_region(region, target, elements, &options),
        (None, None) => array.read(target, elements, &options),
    }
}

/// Asks the operating system to load the bytes of a region in the background, because the program will read them soon.
/// This is a hint: it has no effect if the system or the source of the file does not support it. For compressed
/// elements it loads the chunks of the region (lz4) or all stored bytes (other codecs).
///
/// @param array the array
/// @param rank  number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
/// @param start first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
/// @param count number of elements along each axis
/// @param step  distance between indices along each axis: not 0, negative to go backwards from start; NULL for 1 along
///              each axis
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_prefetch(
    array: *const asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
) -> asdf_status {
    guard(|caller| {
        let region = region(caller, rank, start, count, step)?;
        caller.handle(array, "array")?.prefetch(Some(&region))
    })
}

pub(crate) fn region<'a>(
    caller: &'a Caller,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
) -> Result<Region<'a>> {
    let rank = super::datatype::rank(rank)?;
    Ok(Region {
        start: caller.numbers(start, rank, "start")?,
        count: caller.numbers(count, rank, "count")?,
        step: if step.is_null() { None } else { Some(caller.numbers(step, rank, "step")?) },
    })
}

/// Reads one string of an array of strings, as UTF-8 without trailing NULs.
///
/// @param array    the array; ASDF_ERR_CONVERSION if its elements are not strings
/// @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
/// @param index    index along each axis; ASDF_ERR_OUT_OF_RANGE if outside the array. May be NULL for rank 0
/// @param options  options, or NULL for the defaults
/// @param buffer   gets the string; ASDF_ERR_ENCODING if it is not valid text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; the string may contain NULs; may be NULL
/// @param missing  gets 1 if the string is missing, 0 if not. If it is NULL, the array must have no mask, or the
///                 options must set a fill value
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_string(
    array: *const asdf_array,
    rank: i32,
    index: *const i64,
    options: *const asdf_options,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    missing: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read_string")?;
        let out = caller.text_out(buffer, capacity, needed)?;
        let options = read_options(&options)?;
        let index = caller.numbers(index, super::datatype::rank(rank)?, "index")?;
        let array = caller.handle(array, "array")?;
        if missing.is_null() {
            return out.put(&array.read_string(index, &options)?);
        }
        let mut mask = [0];
        out.put(&array.read_string_masked(index, &mut mask, &options)?)?;
        caller.out(missing, "missing")?.put(mask[0].into());
        Ok(())
    })
}

/// Gets one field of an array of records as an array. Its axes are those of the records, followed by those of the
/// field. Nothing is read. For fields of nested records call it again.
///
/// @param array the array; ASDF_ERR_WRONG_TYPE if its elements are not records
/// @param name  name of the field; ASDF_ERR_NOT_FOUND if there is none. A field without a name is called "f" and its
///              number, from 0: "f0"
/// @param field gets the array; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_field(
    array: *const asdf_array,
    name: *const c_char,
    field: *mut *mut asdf_array,
) -> asdf_status {
    guard_handle(field, "field", |caller| caller.handle(array, "array")?.field(caller.text(name, "name")?))
}

/// Adds an owner to an array.
///
/// @param array   the array
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_retain(array: *const asdf_array, another: *mut *mut asdf_array) -> asdf_status {
    guard_retain(array, "array", another)
}

/// Gives up one owner of an array. The last owner frees it.
///
/// @param array the array, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_free(array: *mut asdf_array) {
    guard_silently(|caller| caller.release(array));
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_rank_is_that_of_the_limits() {
        assert_eq!(super::ASDF_MAX_RANK as u32, crate::Limits::MAX_RANK);
    }
}
