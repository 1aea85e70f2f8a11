//! Arrays: what they are, and reading their elements. Views and datatypes stand elsewhere.
//!
//! # Arrays
//!
//! Elements arrive in memory of yours in native byte order, converted to the datatype you ask for: in C order, or as
//! ASDF_OPTION_ORDER or ASDF_OPTION_STRIDES say. A value that does not fit is
//! ASDF_ERR_OVERFLOW, or the nearest that does by an option; integers become the nearest float; an integer is made of
//! whole numbers only; complex128 is made of any number, a real number of complex ones without imaginary part only.
//! Strings arrive as UTF-8 or UTF-32 of a fixed length, filled up with NUL, or one by one; records packed, or one field
//! as an array. What cannot be had that way is an error, never something else.
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
use super::datatype::{code_of, scalar_of};
use super::options::read_options;
use crate::array::{ArraySource, ByteOrder, Datatype, Region};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_datatype, asdf_options};
use crate::ffi::options::taken::{Taken, take};
use crate::file::NodeArray;
use std::ffi::{c_char, c_void};

impl Class for asdf_array {
    const TAG: u32 = u32::from_be_bytes(*b"ARRA");
    const NAME: &'static str = "asdf_array";
    type Value = NodeArray;

    fn file(array: &NodeArray) -> Option<usize> {
        Some(array.file().family_number())
    }
}

/// No array has more axes.
pub const ASDF_MAX_RANK: i32 = 32;

/// The extents of an array, slowest axis first.
///
/// @param array    the array
/// @param shape    gets the extents; ASDF_MAX_RANK of them always have room
/// @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
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

/// Bytes from one element to the next along each axis, as they are stored; they may be negative or 0. Reading does not
/// ask for them, but who takes the bytes from the file by other means does.
///
/// @param array    the array
/// @param strides  gets the strides; ASDF_MAX_RANK of them always have room
/// @param capacity strides that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
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
        out.put(caller.handle(array, "array")?.geometry().strides())
    })
}

/// What the elements of an array are as they are stored.
///
/// @param array    the array
/// @param datatype gets the code: a scalar type, or ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD, of which
///                 asdf_array_datatype_handle() tells more
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_datatype(array: *const asdf_array, datatype: *mut i32) -> asdf_status {
    guard(|caller| {
        let datatype = caller.out(datatype, "datatype")?;
        datatype.put(code_of(caller.handle(array, "array")?.datatype()));
        Ok(())
    })
}

/// What the elements of an array are, in full.
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

/// What the elements of an array are, for people: "float32", "[ascii, 8]", "[x: int16, y: float64]".
///
/// @param array    the array
/// @param buffer   gets the text
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
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

/// The byte order in which the elements of an array are stored. Reading always gives native order.
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

/// The number of elements of an array.
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

/// The bytes that all elements of an array take once they are read.
///
/// @param array    the array
/// @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param size     gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_byte_size(
    array: *const asdf_array,
    datatype: i32,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| put_byte_size(caller, array, &scalar_of(datatype)?.into(), size))
}

/// The bytes that all elements of an array take once they are read.
///
/// @param array    the array
/// @param datatype what to read them as
/// @param size     gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_byte_size_typed(
    array: *const asdf_array,
    datatype: *const asdf_datatype,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| put_byte_size(caller, array, caller.handle(datatype, "datatype")?, size))
}

fn put_byte_size(caller: &Caller, array: *const asdf_array, target: &Datatype, size: *mut usize) -> Result<()> {
    let size = caller.out(size, "size")?;
    let needed = caller.handle(array, "array")?.byte_size(target)?;
    size.put(usize::try_from(needed).map_err(|_| Error::out_of_memory(needed))?);
    Ok(())
}

/// The bytes that the elements of a region take once they are read.
///
/// @param array    the array
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param count    number of elements along each axis; a negative one, or one larger than the extent, is
///                 ASDF_ERR_OUT_OF_RANGE. May be NULL for rank 0
/// @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
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
    guard(|caller| put_region_size(caller, array, (rank, count), &scalar_of(datatype)?.into(), size))
}

/// The bytes that the elements of a region take once they are read; see asdf_array_region_size().
///
/// @param array    the array
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param count    number of elements along each axis; a negative one, or one larger than the extent, is
///                 ASDF_ERR_OUT_OF_RANGE. May be NULL for rank 0
/// @param datatype what to read them as
/// @param size     gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_region_size_typed(
    array: *const asdf_array,
    rank: i32,
    count: *const i64,
    datatype: *const asdf_datatype,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| put_region_size(caller, array, (rank, count), caller.handle(datatype, "datatype")?, size))
}

fn put_region_size(
    caller: &Caller,
    array: *const asdf_array,
    (rank, count): (i32, *const i64),
    target: &Datatype,
    size: *mut usize,
) -> Result<()> {
    let size = caller.out(size, "size")?;
    let count = caller.numbers(count, super::datatype::rank(rank)?, "count")?;
    let needed = caller.handle(array, "array")?.region_size(count, target)?;
    size.put(usize::try_from(needed).map_err(|_| Error::out_of_memory(needed))?);
    Ok(())
}

/// Whether the elements of an array stand in the tree rather than in a block.
///
/// @param array     the array
/// @param is_inline gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_is_inline(array: *const asdf_array, is_inline: *mut i32) -> asdf_status {
    guard(|caller| {
        let is_inline = caller.out(is_inline, "is_inline")?;
        let source = caller.handle(array, "array")?.source();
        is_inline.put(matches!(source, ArraySource::Inline(_)).into());
        Ok(())
    })
}

/// The block that holds the elements of an array, as the tree says it: negative numbers count from the end.
///
/// @param array the array; one without a block in its file is ASDF_ERR_NOT_FOUND
/// @param block gets the index of the block
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_block(array: *const asdf_array, block: *mut i64) -> asdf_status {
    guard(|caller| {
        let block = caller.out(block, "block")?;
        match caller.handle(array, "array")?.source() {
            ArraySource::Block(index) => block.put(*index),
            ArraySource::Inline(_) | ArraySource::Uri(_) => {
                return Err(Error::new(Status::NotFound, "the array is not in a block of its file"));
            }
        }
        Ok(())
    })
}

/// Reads all elements of an array.
///
/// @param array    the array
/// @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param options  how to read, or NULL
/// @param elements gets the elements; what it holds after a failure is not specified. May be NULL if there are none
/// @param capacity bytes that may be written; fewer than asdf_array_byte_size() says are ASDF_ERR_BUFFER_TOO_SMALL
/// @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
///                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
///                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
/// @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
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
        let target = scalar_of(datatype)?.into();
        let to = Destination { elements: (elements, capacity), mask: (mask, mask_capacity), options };
        read(caller, array, None, &target, to)
    })
}

/// Reads all elements of an array, also strings and records.
///
/// @param array    the array
/// @param datatype what to read them as. Strings can be read as ASDF_ASCII, which then is UTF-8 of so many bytes, and as
///                 ASDF_UCS4 of any length; one that is too long is ASDF_ERR_OVERFLOW, or cut where
///                 ASDF_OPTION_CLAMP is 1, one that is not valid text ASDF_ERR_ENCODING, unless it is
///                 read as it is stored. Records can be read as a record of the same fields; they are packed, each
///                 number in native byte order
/// @param options  how to read, or NULL
/// @param elements gets the elements; what it holds after a failure is not specified. May be NULL if there are none
/// @param capacity bytes that may be written; fewer than asdf_array_byte_size_typed() says are
///                 ASDF_ERR_BUFFER_TOO_SMALL
/// @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
///                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
///                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
/// @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_typed(
    array: *const asdf_array,
    datatype: *const asdf_datatype,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read_typed")?;
        let target = caller.handle(datatype, "datatype")?;
        let to = Destination { elements: (elements, capacity), mask: (mask, mask_capacity), options };
        read(caller, array, None, target, to)
    })
}

/// Reads a region of an array: along each axis `count` elements from `start` on, `step` apart. What it costs follows
/// the region, not the array. Where the elements are compressed, that means the chunks touched (lz4) or all up to the
/// last byte needed; these are kept, so that the next region need not decode them again (see
/// ASDF_OPTION_CACHE_BYTES). Damage behind that is not seen, as asdf_array_read() would.
///
/// @param array    the array
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count    number of elements along each axis: the shape of what is read
/// @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
/// @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param options  how to read, or NULL
/// @param elements gets the elements, in C order unless the options say otherwise; what it holds after a failure is not
///                 specified. May be NULL if there are none
/// @param capacity bytes that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
/// @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
///                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
///                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
/// @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
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
        let target = scalar_of(datatype)?.into();
        let region = region(caller, rank, start, count, step)?;
        let to = Destination { elements: (elements, capacity), mask: (mask, mask_capacity), options };
        read(caller, array, Some(&region), &target, to)
    })
}

/// Reads a region of an array; see asdf_array_read_region().
///
/// @param array    the array
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count    number of elements along each axis: the shape of what is read
/// @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
/// @param datatype what to read them as
/// @param options  how to read, or NULL
/// @param elements gets the elements, in C order unless the options say otherwise; what it holds after a failure is not
///                 specified. May be NULL if there are none
/// @param capacity bytes that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
/// @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
///                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
///                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
/// @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_read_region_typed(
    array: *const asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
    datatype: *const asdf_datatype,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_read_region_typed")?;
        let target = caller.handle(datatype, "datatype")?;
        let region = region(caller, rank, start, count, step)?;
        let to = Destination { elements: (elements, capacity), mask: (mask, mask_capacity), options };
        read(caller, array, Some(&region), target, to)
    })
}

/// Where elements go, where their mask, and how.
struct Destination {
    elements: (*mut c_void, usize),
    mask: (*mut u8, usize),
    options: Taken,
}

fn read(
    caller: &Caller,
    array: *const asdf_array,
    region: Option<&Region>,
    target: &Datatype,
    to: Destination,
) -> Result<()> {
    let options = read_options(&to.options)?;
    let array = caller.handle(array, "array")?;
    let mask = caller.mask_beside(to.mask, (to.elements.0.cast_const(), to.elements.1))?;
    let elements = caller.buffer(to.elements.0, to.elements.1, "elements")?;
    match (mask, region) {
        (Some(mask), _) => array.read_masked(region, target, elements, mask, &options),
        (None, Some(region)) => array.read_region(region, target, elements, &options),
        (None, None) => array.read(target, elements, &options),
    }
}

/// Lets the system begin to fetch the bytes of a region that will be read soon, while the program does something else.
/// A hint: where the system or the source of the file cannot do that, nothing happens. Of compressed elements it takes
/// the chunks touched (lz4) or all bytes stored.
///
/// @param array the array
/// @param rank  number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count number of elements along each axis
/// @param step  distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
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

/// Reads one string of an array of strings, without the NULs at its end, as UTF-8.
///
/// @param array    the array; one of anything else is ASDF_ERR_CONVERSION
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param index    index along each axis; outside is ASDF_ERR_OUT_OF_RANGE. May be NULL for rank 0
/// @param options  how to read, or NULL
/// @param buffer   gets the string; one that is not valid text is ASDF_ERR_ENCODING
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the string, in which NULs may be; may be NULL
/// @param missing  gets 1 if the string is missing and else 0. With NULL the array must have no mask, or the options a
///                 fill value
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

/// One field of an array of records, as an array: its axes are those of the records, then those of the field. Nothing
/// is read. Fields of records in records are had by another call.
///
/// @param array the array; one of anything but records is ASDF_ERR_WRONG_TYPE
/// @param name  the name; another than those of the fields is ASDF_ERR_NOT_FOUND. A field without a name is "f" with its
///              number, counted from 0
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

/// Gives another owner of an array.
///
/// @param array   the array
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_retain(array: *const asdf_array, another: *mut *mut asdf_array) -> asdf_status {
    guard_retain(array, "array", another)
}

/// Gives up an array.
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
