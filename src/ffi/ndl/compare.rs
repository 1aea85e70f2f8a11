//! What descriptions come to: sizes, differences, and whether a file is what a description promises.
//!
//! # Comparing descriptions
//!
//! Notation does not matter: groups or none, short or long attributes, inferred datatypes, spellings of references and
//! numbers, the order of keys, and whether a group is listed in which nothing is.
//!
//! ```c
//! asdf_report *differences = NULL;
//! asdf_ndl_compare(before, after, 0, &differences);
//! print_report(differences);   // ~ /image@units: value "K" -> "mK"
//! asdf_report_free(differences);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_report};
use crate::ndl::{ConformanceOptions, DifferenceOptions};
use crate::report::{Entry, Severity};
use std::ffi::c_char;

/// Attributes do not matter.
pub const ASDF_NDL_IGNORE_ATTRIBUTES: i32 = 1;
/// Storage directives do not matter.
pub const ASDF_NDL_IGNORE_STORAGE: i32 = 2;
/// Values of arrays and dimension coordinates do not matter.
pub const ASDF_NDL_IGNORE_VALUES: i32 = 4;
/// What stands under x- keys does not matter.
pub const ASDF_NDL_IGNORE_EXTENSIONS: i32 = 8;

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

/// Reports the differences between two descriptions.
///
/// Each entry has these fields:
///
/// - ASDF_REPORT_KIND is ASDF_REPORT_KIND_DIFFERENCE, ASDF_REPORT_SEVERITY is ASDF_SEVERITY_NOTE.
/// - ASDF_REPORT_OPERATION tells whether something was added, removed or changed.
/// - ASDF_REPORT_PATH is the path name, with "@" and the name of an attribute; "" for the description as a whole.
/// - ASDF_REPORT_SUBJECT is "group", "dimcoord", "ndarray" or "attribute" for all of it. For a part it is "size",
///   "shape", "dims", "type", "value", "extensions", "storage.extensions", or "storage." with the name of a directive.
/// - ASDF_REPORT_OLD and ASDF_REPORT_NEW are JSON like that of ASDF_NDL_FORMAT_JSON. What was added has no old content,
///   what was removed no new content.
/// - ASDF_REPORT_TEXT is "+", "-" or "~", path, subject, and old and new content, cut where it is long.
///
/// @param ndl    the older description
/// @param newer  the newer one
/// @param ignore a sum of ASDF_NDL_IGNORE_ constants, or 0
/// @param report gets the differences, none if both mean the same; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_compare(
    ndl: *const asdf_ndl,
    newer: *const asdf_ndl,
    ignore: i32,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle(report, "report", |caller| {
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
        Ok(ndl.parsed.description.differences(&newer.parsed.description, &options)?.iter().collect())
    })
}

/// Reports where a file is not as a description promises.
///
/// The entries have the fields that asdf_ndl_compare() lists, but ASDF_SEVERITY_ERROR. ASDF_OPERATION_REMOVE marks what
/// the file lacks, ASDF_OPERATION_ADD what it has beyond the promise, ASDF_OPERATION_CHANGE what is different. The old
/// content was promised, the new content is in the file. An unlimited dimension promises any extent; what either
/// description does not tell of datatypes, storage and values is no fault; stored extents and x- keys do not matter.
///
/// @param ndl    what is promised
/// @param file   the description of the file
/// @param subset 1 if the file may have further groups, arrays, attributes and coordinates of dimensions, else 0
/// @param report gets the differences, none if the file conforms; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_conform(
    ndl: *const asdf_ndl,
    file: *const asdf_ndl,
    subset: i32,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle(report, "report", |caller| {
        let (ndl, file) = (caller.handle(ndl, "ndl")?, caller.handle(file, "file")?);
        let options = ConformanceOptions { subset: subset != 0 };
        let violations = ndl.parsed.description.violations(&file.parsed.description, &options)?;
        Ok(violations.iter().map(|violation| Entry::from(violation).with_severity(Severity::Error)).collect())
    })
}
