//! What descriptions come to: sizes, differences, and whether a file is what a description promises.
//!
//! # Comparing descriptions
//!
//! Notation does not matter: groups or none, short or long attributes, inferred datatypes, spellings of references and
//! numbers, the order of keys, and whether a group is listed in which nothing is.
//!
//! ```c
//! asdf_ndl_differences *differences = NULL;
//! int64_t count = 0;
//! char line[512];
//! asdf_ndl_compare(before, after, 0, &differences);
//! asdf_ndl_differences_count(differences, &count);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_ndl_difference_text(differences, i, line, sizeof line, NULL);
//!     puts(line);   // ~ /image@units: value "K" -> "mK"
//! }
//! asdf_ndl_differences_free(differences);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::buffer::buffer_of;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_ndl, asdf_ndl_differences};
use crate::ndl::{ConformanceOptions, Difference, DifferenceOptions, Operation};
use std::ffi::c_char;

impl Class for asdf_ndl_differences {
    const TAG: u32 = u32::from_be_bytes(*b"NDIF");
    const NAME: &'static str = "asdf_ndl_differences";
    type Value = Vec<Difference>;
}

/// Attributes do not matter.
pub const ASDF_NDL_IGNORE_ATTRIBUTES: i32 = 1;
/// Storage directives do not matter.
pub const ASDF_NDL_IGNORE_STORAGE: i32 = 2;
/// Values of arrays and dimension coordinates do not matter.
pub const ASDF_NDL_IGNORE_VALUES: i32 = 4;
/// What stands under x- keys does not matter.
pub const ASDF_NDL_IGNORE_EXTENSIONS: i32 = 8;

/// Only the newer description has it.
pub const ASDF_NDL_ADDED: i32 = 1;
/// Only the older description has it.
pub const ASDF_NDL_REMOVED: i32 = 2;
/// Both have it, but not alike.
pub const ASDF_NDL_CHANGED: i32 = 3;

fn counted(number: Option<u128>) -> Result<i64> {
    let too_large = |_| Error::new(Status::Limit, "the size is larger than an int64_t");
    number.map_or(Ok(-1), |number| i64::try_from(number).map_err(too_large))
}

/// The size of an array or a dimension coordinate.
///
/// @param ndl           the description
/// @param path          its path name; if nothing has it, that is ASDF_ERR_NOT_FOUND
/// @param elements      gets how many elements are stored, or else how many there are; -1 if that is not
///                      known. May be NULL
/// @param element_bytes gets the bytes of an element without gaps, -1 if elements differ; may be NULL
/// @param bytes         gets the bytes of all elements, -1 if not known; may be NULL. Sizes beyond int64_t are
///                      ASDF_ERR_LIMIT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_size(
    ndl: *const asdf_ndl,
    path: *const c_char,
    elements: *mut i64,
    element_bytes: *mut i64,
    bytes: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let size = caller.handle(ndl, "ndl")?.parsed.description.size_of(caller.text(path, "path")?)?;
        let counts = (counted(size.elements)?, counted(size.element_bytes)?, counted(size.bytes)?);
        caller.optional_out(elements).put(counts.0);
        caller.optional_out(element_bytes).put(counts.1);
        caller.optional_out(bytes).put(counts.2);
        Ok(())
    })
}

/// The sizes of all arrays and dimension coordinates together.
///
/// @param ndl     the description
/// @param bytes   gets the sum of the bytes that are known; beyond int64_t that is ASDF_ERR_LIMIT
/// @param unknown gets how many of them have a size that is not known; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_total_size(ndl: *const asdf_ndl, bytes: *mut i64, unknown: *mut i64) -> asdf_status {
    guard(|caller| {
        let bytes = caller.out(bytes, "bytes")?;
        let sizes = caller.handle(ndl, "ndl")?.parsed.description.sizes()?;
        bytes.put(counted(Some(sizes.known_bytes))?);
        caller.optional_out(unknown).put_number(sizes.unknown as u64);
        Ok(())
    })
}

/// Whether two descriptions mean the same.
///
/// @param ndl   a description
/// @param other another one
/// @param same  gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_is_same(ndl: *const asdf_ndl, other: *const asdf_ndl, same: *mut i32) -> asdf_status {
    guard(|caller| {
        let same = caller.out(same, "same")?;
        let (ndl, other) = (caller.handle(ndl, "ndl")?, caller.handle(other, "other")?);
        same.put(ndl.parsed.description.means_the_same(&other.parsed.description)?.into());
        Ok(())
    })
}

/// In what a newer description differs from an older one.
///
/// @param ndl         the older description
/// @param newer       the newer one
/// @param ignore      a sum of ASDF_NDL_IGNORE_ constants, or 0
/// @param differences gets the differences, none if both mean the same; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_compare(
    ndl: *const asdf_ndl,
    newer: *const asdf_ndl,
    ignore: i32,
    differences: *mut *mut asdf_ndl_differences,
) -> asdf_status {
    guard_handle(differences, "differences", |caller| {
        if !(0..=15).contains(&ignore) {
            let message = format!("{ignore} is not a sum of ASDF_NDL_IGNORE_ constants");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let options = DifferenceOptions {
            ignore_attributes: ignore & ASDF_NDL_IGNORE_ATTRIBUTES != 0,
            ignore_storage: ignore & ASDF_NDL_IGNORE_STORAGE != 0,
            ignore_values: ignore & ASDF_NDL_IGNORE_VALUES != 0,
            ignore_extensions: ignore & ASDF_NDL_IGNORE_EXTENSIONS != 0,
        };
        let (ndl, newer) = (caller.handle(ndl, "ndl")?, caller.handle(newer, "newer")?);
        ndl.parsed.description.differences(&newer.parsed.description, &options)
    })
}

/// In what a file is not as a description promises: what is missing is removed, what is too much added, what is
/// different changed. An unlimited dimension promises any extent; what either description does not tell of datatypes,
/// storage and values is no fault; stored extents and x- keys do not matter.
///
/// @param ndl         what is promised
/// @param file        the description of the file
/// @param subset      1 if the file may have further groups, arrays, attributes and coordinates of dimensions, else 0
/// @param differences gets the differences, none if the file conforms; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_conform(
    ndl: *const asdf_ndl,
    file: *const asdf_ndl,
    subset: i32,
    differences: *mut *mut asdf_ndl_differences,
) -> asdf_status {
    guard_handle(differences, "differences", |caller| {
        let (ndl, file) = (caller.handle(ndl, "ndl")?, caller.handle(file, "file")?);
        let options = ConformanceOptions { subset: subset != 0 };
        ndl.parsed.description.violations(&file.parsed.description, &options)
    })
}

/// The number of differences.
///
/// @param differences the differences
/// @param count       gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_differences_count(
    differences: *const asdf_ndl_differences,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(differences, "differences")?.len() as u64);
        Ok(())
    })
}

/// All differences as JSON, in UTF-8: a list of objects of "op" ("add", "remove" or "change"), "at", "what", and "old"
/// and "new" as far as they are there.
///
/// @param differences the differences
/// @param buffer      gets the JSON, without NUL at its end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_differences_json(
    differences: *const asdf_ndl_differences,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        Ok(buffer_of(Difference::list_to_json(caller.handle(differences, "differences")?).into_bytes()))
    })
}

fn difference(differences: &[Difference], index: i64) -> Result<&Difference> {
    let difference = usize::try_from(index).ok().and_then(|index| differences.get(index));
    difference.ok_or_else(|| {
        let message = format!("there is no difference {index}, but {} of them", differences.len());
        Error::new(Status::OutOfRange, message)
    })
}

/// Whether something was added, removed or changed.
///
/// @param differences the differences
/// @param index       number of the difference, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param operation   gets ASDF_NDL_ADDED, ASDF_NDL_REMOVED or ASDF_NDL_CHANGED
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_difference_operation(
    differences: *const asdf_ndl_differences,
    index: i64,
    operation: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let operation = caller.out(operation, "operation")?;
        let difference = difference(caller.handle(differences, "differences")?, index)?;
        operation.put(match difference.operation {
            Operation::Add => ASDF_NDL_ADDED,
            Operation::Remove => ASDF_NDL_REMOVED,
            Operation::Change => ASDF_NDL_CHANGED,
        });
        Ok(())
    })
}

/// Where a text goes: buffer, capacity, and the length that it has.
type TextBuffer = (*mut c_char, usize, *mut usize);

fn put_text(
    differences: *const asdf_ndl_differences,
    index: i64,
    (buffer, capacity, needed): TextBuffer,
    text: impl FnOnce(&Difference) -> String,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&text(difference(caller.handle(differences, "differences")?, index)?))
    })
}

fn put_content(
    differences: *const asdf_ndl_differences,
    index: i64,
    (buffer, capacity, needed): TextBuffer,
    content: impl FnOnce(&Difference) -> &Option<String>,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let content = content(difference(caller.handle(differences, "differences")?, index)?);
        out.put(content.as_deref().ok_or_else(|| Error::new(Status::NotFound, "the difference has no such side"))?)
    })
}

/// Where a difference is: a path name, with "@" and the name of an attribute if it is in one; "" for the description.
///
/// @param differences the differences
/// @param index       number of the difference, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer      gets the place
/// @param capacity    bytes of the buffer
/// @param needed      gets the length of the place; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_difference_place(
    differences: *const asdf_ndl_differences,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(differences, index, (buffer, capacity, needed), |difference| difference.at.clone())
}

/// What differs: "group", "dimcoord", "ndarray" or "attribute" as a whole, or "size", "shape", "dims", "type", "value",
/// "storage." with the name of a directive, "extensions" or "storage.extensions".
///
/// @param differences the differences
/// @param index       number of the difference, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer      gets the word
/// @param capacity    bytes of the buffer
/// @param needed      gets the length of the word; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_difference_subject(
    differences: *const asdf_ndl_differences,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(differences, index, (buffer, capacity, needed), |difference| difference.what.clone())
}

/// A difference as one line of text: "+", "-" or "~", the place, what, and old and new content, cut where it is long.
///
/// @param differences the differences
/// @param index       number of the difference, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer      gets the line
/// @param capacity    bytes of the buffer
/// @param needed      gets the length of the line; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_difference_text(
    differences: *const asdf_ndl_differences,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(differences, index, (buffer, capacity, needed), Difference::to_string)
}

/// What was there before a difference, or was promised, as JSON in one line, like that of asdf_ndl_to_json().
///
/// @param differences the differences
/// @param index       number of the difference, from 0; outside is ASDF_ERR_OUT_OF_RANGE, one that added something
///                    ASDF_ERR_NOT_FOUND
/// @param buffer      gets the JSON
/// @param capacity    bytes of the buffer
/// @param needed      gets the length of the JSON; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_difference_old(
    differences: *const asdf_ndl_differences,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_content(differences, index, (buffer, capacity, needed), |difference| &difference.old)
}

/// What is there after a difference, or in the file, as JSON; see asdf_ndl_difference_old().
///
/// @param differences the differences
/// @param index       number of the difference, from 0; outside is ASDF_ERR_OUT_OF_RANGE, one that removed something
///                    ASDF_ERR_NOT_FOUND
/// @param buffer      gets the JSON
/// @param capacity    bytes of the buffer
/// @param needed      gets the length of the JSON; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_difference_new(
    differences: *const asdf_ndl_differences,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_content(differences, index, (buffer, capacity, needed), |difference| &difference.new)
}

/// Gives another owner of differences.
///
/// @param differences the differences
/// @param another     gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_differences_retain(
    differences: *const asdf_ndl_differences,
    another: *mut *mut asdf_ndl_differences,
) -> asdf_status {
    guard_retain(differences, "differences", another)
}

/// Gives up differences; the last owner frees them.
///
/// @param differences the differences, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_differences_free(differences: *mut asdf_ndl_differences) {
    guard_silently(|caller| caller.release(differences));
}
