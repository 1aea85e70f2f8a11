//! Evaluation of descriptions: sizes, differences, and conformance of files.
//!
//! # Comparing descriptions
//!
//! These functions compare the meaning of descriptions. Differences of notation do not count: grouped or flat form,
//! short or long form of attributes, inferred datatypes, spelling of references and numbers, order of keys, and empty
//! groups.
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
use crate::report::{Entry, Report, Severity};
use std::ffi::c_char;

/// Ignore attributes.
pub const ASDF_NDL_IGNORE_ATTRIBUTES: i32 = 1;
/// Ignore storage directives.
pub const ASDF_NDL_IGNORE_STORAGE: i32 = 2;
/// Ignore values of arrays and dimension coordinates.
pub const ASDF_NDL_IGNORE_VALUES: i32 = 4;
/// Ignore the content of x- keys.
pub const ASDF_NDL_IGNORE_EXTENSIONS: i32 = 8;

fn counted(number: Option<u128>) -> Result<i64> {
    let too_large = |_| Error::new(Status::Limit, "the size does not fit int64_t");
    number.map_or(Ok(-1), |number| i64::try_from(number).map_err(too_large))
}

/// Gets the size of an array or a dimension coordinate. Fails with ASDF_ERR_LIMIT if a size does not fit int64_t.
///
/// @param ndl           the description
/// @param path          its path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param elements      gets the number of stored elements or, if that is not described, of all elements; -1 if
///                      unknown. May be NULL
/// @param element_bytes gets the size of an element in bytes without padding; -1 if it differs between elements. May be
///                      NULL
/// @param bytes         gets the size of all elements in bytes; -1 if unknown. May be NULL
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

/// Gets the total size of all arrays and dimension coordinates.
///
/// @param ndl     the description
/// @param bytes   gets the sum of all known sizes in bytes; ASDF_ERR_LIMIT if it does not fit int64_t
/// @param unknown gets the number of arrays and dimension coordinates of unknown size; may be NULL
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

/// Tests whether two descriptions have the same meaning.
///
/// @param ndl   a description
/// @param other another description
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

/// Lists the differences between two descriptions.
///
/// Each entry has these fields:
///
/// - ASDF_REPORT_KIND is ASDF_REPORT_KIND_DIFFERENCE, ASDF_REPORT_SEVERITY is ASDF_SEVERITY_NOTE.
/// - ASDF_REPORT_OPERATION is ASDF_OPERATION_ADD, ASDF_OPERATION_REMOVE or ASDF_OPERATION_CHANGE.
/// - ASDF_REPORT_PATH is the path name, with "@" and the name of an attribute; "" for the description as a whole.
/// - ASDF_REPORT_SUBJECT is "group", "dimcoord", "ndarray" or "attribute" for a whole object. For a part of it, it is
///   "size", "shape", "dims", "type", "value", "extensions", "storage.extensions", or "storage." with the name of a
///   directive.
/// - ASDF_REPORT_OLD and ASDF_REPORT_NEW are JSON as in ASDF_NDL_FORMAT_JSON. An addition has no old value, and a
///   removal has no new one.
/// - ASDF_REPORT_ENTRY is "+", "-" or "~", path, subject, and old and new value, shortened if long.
///
/// @param ndl    the older description
/// @param newer  the newer description
/// @param ignore a sum of ASDF_NDL_IGNORE_ constants, or 0
/// @param report gets the differences, none if both have the same meaning; NULL on failure
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
            let message =
                format!("the argument 'ignore' is {ignore}, which is not a sum of ASDF_NDL_IGNORE_ constants");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let options = DifferenceOptions {
            ignore_attributes: ignore & ASDF_NDL_IGNORE_ATTRIBUTES != 0,
            ignore_storage: ignore & ASDF_NDL_IGNORE_STORAGE != 0,
            ignore_values: ignore & ASDF_NDL_IGNORE_VALUES != 0,
            ignore_extensions: ignore & ASDF_NDL_IGNORE_EXTENSIONS != 0,
        };
        let (ndl, newer) = (caller.handle(ndl, "ndl")?, caller.handle(newer, "newer")?);
        let differences = ndl.parsed.description.differences(&newer.parsed.description, &options)?;
        Report::collected(differences.into_iter().map(Entry::from))
    })
}

/// Lists the places where a file does not conform to a description.
///
/// The entries have the fields of asdf_ndl_compare(), but with ASDF_SEVERITY_ERROR. The old value is that of the
/// required description, the new value that of the file:
///
/// - ASDF_OPERATION_REMOVE: the file lacks something.
/// - ASDF_OPERATION_ADD: the file has something that is not required.
/// - ASDF_OPERATION_CHANGE: the file differs.
///
/// An unlimited dimension allows any extent. A datatype, storage directive or value that is missing in either
/// description is not an error. Stored extents and x- keys are ignored.
///
/// @param ndl    the required description
/// @param file   the description of the file
/// @param subset 1 if the file may have additional groups, arrays, attributes and coordinates of dimensions, 0 if not
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
        Report::collected(violations.into_iter().map(|violation| Entry::from(violation).with_severity(Severity::Error)))
    })
}
