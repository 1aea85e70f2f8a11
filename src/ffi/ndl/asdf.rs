//! Descriptions of ASDF files, and ASDF files made from descriptions.
//!
//! # Descriptions and ASDF files
//!
//! asdf_ndl_describe() makes a description of any ASDF file. Mappings become groups, arrays become ndarrays, scalars
//! and rectangular lists of scalars become attributes; the path name is the path of the node. No block is read unless
//! the options request values of arrays. Content that the language cannot express (null, masks, references to other
//! files) is left out or converted, and the report has a note about it.
//!
//! asdf_ndl_create_asdf() makes an ASDF file from a description. Arrays get their values, or fill values or zeros;
//! zeros take no disk space where the system supports sparse files. Information that has no place in an ASDF tree, such
//! as names of enum constants and coordinates of dimensions, is stored under its key `ndl`. A description of the new
//! file therefore equals the original one.
//!
//! ```c
//! asdf_file *file = NULL;
//! asdf_ndl *description = NULL;
//! asdf_file_open("image.asdf", NULL, &file);
//! asdf_ndl_describe(file, NULL, &description);
//! asdf_ndl_create_asdf(description, "empty.asdf", NULL, NULL);   // a file of the same structure
//! asdf_ndl_free(description);
//! asdf_file_free(file);
//! ```

use super::read::ReadDescription;
use crate::error::Result;
use crate::ffi::array::options::compression;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard_handle, guard_handle_if_requested};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_ndl, asdf_options, asdf_report};
use crate::ffi::file::options::write_options;
use crate::ffi::options::choice::{Choice, choice};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::asdf::{CreateOptions, DescribeOptions, Note, Values, create, describe};
use crate::report::{Entry, Report};
use std::ffi::c_char;

/// No values of arrays.
pub const ASDF_NDL_VALUES_NONE: i32 = 0;
/// Values of arrays in the tree; no block is read.
pub const ASDF_NDL_VALUES_INLINE: i32 = 1;
/// Values of all arrays.
pub const ASDF_NDL_VALUES_ALL: i32 = 2;
/// Values of dimension coordinates.
pub const ASDF_NDL_VALUES_COORDINATES: i32 = 3;

pub(crate) const DESCRIBED_VALUES: Choice<Values> = choice![
    ASDF_NDL_VALUES_NONE => Values::None,
    ASDF_NDL_VALUES_INLINE => Values::Inline,
    ASDF_NDL_VALUES_ALL => Values::All,
    ASDF_NDL_VALUES_COORDINATES => Values::Coordinates,
];

/// Describes an ASDF file. The content of the file is never an error; asdf_ndl_report() lists the content that the
/// description cannot express.
///
/// Fails with ASDF_ERR_OUT_OF_MEMORY if requested values do not fit in memory, and with ASDF_ERR_NOT_FOUND if the part
/// of ASDF_OPTION_ONLY does not exist. Fails if the file cannot be read or changes, for example with ASDF_ERR_IO,
/// ASDF_ERR_CALLBACK or ASDF_ERR_FILE_CHANGED.
///
/// @param file    the file
/// @param options options, or NULL for the defaults
/// @param ndl     gets the description; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe(
    file: *const asdf_file,
    options: *const asdf_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let options = take(caller, options, "asdf_ndl_describe")?;
        let described = describe(caller.handle(file, "file")?, &describe_options(&options))?;
        Ok(ReadDescription::of_asdf(described))
    })
}

/// Creates an ASDF file from a description. The file gets its name when it is complete.
///
/// Errors, with the path name in the details:
///
/// - ASDF_ERR_INCOMPLETE for an array without datatype, or a string of unknown length
/// - ASDF_ERR_UNSUPPORTED for content that ASDF cannot store
/// - ASDF_ERR_INVALID_ARGUMENT for the reserved names `asdf_library`, `history` and `ndl` in the root, and for an extent
///   (ASDF_OPTION_EXTENT) that differs from the values of the description
/// - ASDF_ERR_NOT_FOUND for an extent under a path name that does not exist
/// - ASDF_ERR_LIMIT for too many bytes or too deep nesting
/// - ASDF_ERR_FILE_EXISTS if a file of this name exists, unless ASDF_OPTION_REPLACE is 1
///
/// `x-asdf` keys, as asdf_ndl_describe() writes them, set ASDF properties: tags, null, masks, storage in the tree,
/// datatypes of elements, Fortran order. The report has a note for each such key without effect, and for all other
/// differences between file and description, such as filters that ASDF does not have.
///
/// @param ndl     the description
/// @param path    name of the file
/// @param options options, or NULL for the defaults
/// @param report  gets the notes, possibly none; NULL on failure. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_asdf(
    ndl: *const asdf_ndl,
    path: *const c_char,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle_if_requested(report, "report", |caller| {
        let options = take(caller, options, "asdf_ndl_create_asdf")?;
        let notes = make(caller, ndl, path, &options)?;
        // The file has its name already, so that a refused list of notes is no failure.
        let report = Report::collected(notes.iter().map(Entry::from));
        Ok(report.unwrap_or_else(|_| Report::new(Vec::new(), notes.len() as u64)))
    })
}

fn describe_options(options: &Taken) -> DescribeOptions {
    let usual = DescribeOptions::default();
    DescribeOptions {
        values: DESCRIBED_VALUES.taken(options, ASDF_OPTION_DESCRIBED_VALUES).copied().unwrap_or(usual.values),
        only: part_of(options, ASDF_OPTION_ONLY),
        all: options.flag(ASDF_OPTION_ALL, usual.all),
        annotate: options.flag(ASDF_OPTION_ANNOTATE, usual.annotate),
        widen: options.flag(ASDF_OPTION_WIDEN_FLOAT16, usual.widen),
    }
}

fn create_options(options: &Taken) -> Result<CreateOptions> {
    let usual = CreateOptions::default();
    let extents = options.ints_at(ASDF_OPTION_EXTENT);
    Ok(CreateOptions {
        max_bytes: options.count(ASDF_OPTION_LIMIT_CREATED_BYTES).unwrap_or(usual.max_bytes),
        compression: compression(options)?,
        string_length: options.count(ASDF_OPTION_STRING_LENGTH).filter(|&length| length > 0),
        extent: options.count(ASDF_OPTION_EXTENT).unwrap_or(usual.extent),
        extents: extents.iter().map(|(path, extent)| (path.clone(), extent.unsigned_abs())).collect(),
        zeros: options.flag(ASDF_OPTION_ZEROS, usual.zeros),
        streamed: part_of(options, ASDF_OPTION_STREAMED),
        write: write_options(options)?,
    })
}

/// A path name; the empty one means `None`.
fn part_of(options: &Taken, key: i32) -> Option<String> {
    options.text(key).filter(|path| !path.is_empty()).map(str::to_owned)
}

fn make(caller: &Caller, ndl: *const asdf_ndl, path: *const c_char, options: &Taken) -> Result<Vec<Note>> {
    let description = &caller.handle(ndl, "ndl")?.parsed.description;
    create(description, caller.file_name(path, "path")?, &create_options(options)?)
}
