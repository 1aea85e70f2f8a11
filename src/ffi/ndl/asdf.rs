//! Descriptions of ASDF files, and ASDF files made from descriptions.
//!
//! # Descriptions and ASDF files
//!
//! Any ASDF file can be described: mappings are groups, arrays are ndarrays, scalars and even lists of scalars are
//! attributes, and a path name is the path of the node. No block is read unless values of arrays are asked for. What
//! the language has no form for (null, masks, references to other files) is left out or written in another form, and
//! noted.
//!
//! The other way round a file is made that holds what a description tells: its values, else fill values or zeros, which
//! take no room on the disk where the system can leave it out. What the tree cannot tell, as the names of constants and
//! the coordinates of dimensions, stands under its key `ndl`, so that the file is described as what it was made from.
//!
//! ```c
//! asdf_file *file = NULL;
//! asdf_ndl *description = NULL;
//! asdf_file_open("image.asdf", NULL, &file);
//! asdf_ndl_describe(file, NULL, &description);
//! asdf_ndl_create_asdf(description, "empty.asdf", NULL, NULL);   // of the same shape
//! asdf_ndl_free(description);
//! asdf_file_free(file);
//! ```

use super::read::ReadDescription;
use crate::error::Result;
use crate::ffi::array::options::compression;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard_handle, guard_wanted_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_ndl, asdf_options, asdf_report};
use crate::ffi::file::options::write_options;
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::asdf::{CreateOptions, DescribeOptions, Note, Values, create, describe};
use std::ffi::c_char;

/// No values of arrays.
pub const ASDF_NDL_VALUES_NONE: i32 = 0;
/// Those that stand in the tree, for which no block is read.
pub const ASDF_NDL_VALUES_INLINE: i32 = 1;
/// All.
pub const ASDF_NDL_VALUES_ALL: i32 = 2;
/// Those of dimension coordinates.
pub const ASDF_NDL_VALUES_COORDINATES: i32 = 3;

/// Describes an ASDF file. What it holds never makes this fail; asdf_ndl_report() lists what cannot be told.
///
/// Values that are asked for and do not fit into memory are ASDF_ERR_OUT_OF_MEMORY, a part that is asked for and is not
/// there ASDF_ERR_NOT_FOUND.
///
/// @param file    the file
/// @param options how to describe it, or NULL
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

/// Makes an ASDF file that holds what is described. It appears under its name when it is whole.
///
/// What cannot be stored fails, with the path name in the details: an array without datatype or a string of unknown
/// length as ASDF_ERR_INCOMPLETE, what ASDF has no form for as ASDF_ERR_UNSUPPORTED, names that ASDF keeps for itself
/// (`asdf_library`, `history` and `ndl` in the root) as ASDF_ERR_INVALID_ARGUMENT, too many bytes and too deep nesting
/// as ASDF_ERR_LIMIT. A file that has the name is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set.
///
/// `x-asdf` keys, as asdf_ndl_describe() writes them, choose the form in the file: tags, null, masks, storage in the
/// tree, datatypes of elements, Fortran's order. The report has a note for each key that the file does not follow, and
/// for everything else that is not as the description says, such as filters that are no codec of ASDF.
///
/// @param ndl     the description
/// @param path    the name of the file
/// @param options how to make it, or NULL
/// @param report  gets the notes, none if all is as described; NULL on failure. It may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_asdf(
    ndl: *const asdf_ndl,
    path: *const c_char,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_wanted_handle(report, "report", |caller| {
        let options = take(caller, options, "asdf_ndl_create_asdf")?;
        Ok(make(caller, ndl, path, &options)?.iter().collect())
    })
}

fn describe_options(options: &Taken) -> DescribeOptions {
    DescribeOptions {
        values: match options.constant(ASDF_OPTION_DESCRIBED_VALUES) {
            Some(ASDF_NDL_VALUES_NONE) => Values::None,
            Some(ASDF_NDL_VALUES_ALL) => Values::All,
            Some(ASDF_NDL_VALUES_COORDINATES) => Values::Coordinates,
            _ => Values::Inline,
        },
        only: part_of(options, ASDF_OPTION_ONLY),
        all: options.flag(ASDF_OPTION_ALL, false),
        annotate: options.flag(ASDF_OPTION_ANNOTATE, false),
        widen: options.flag(ASDF_OPTION_WIDEN_FLOAT16, false),
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

/// A path name, of which the empty one means none.
fn part_of(options: &Taken, key: i32) -> Option<String> {
    options.text(key).filter(|path| !path.is_empty()).map(str::to_owned)
}

fn make(caller: &Caller, ndl: *const asdf_ndl, path: *const c_char, options: &Taken) -> Result<Vec<Note>> {
    let description = &caller.handle(ndl, "ndl")?.parsed.description;
    create(description, caller.file_name(path, "path")?, &create_options(options)?)
}
