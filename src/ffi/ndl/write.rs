//! Writing descriptions as text, JSON, CDL, files and source code.
//!
//! # Writing descriptions
//!
//! Descriptions are written as canonical text, or exported to other formats. Equal descriptions have the same canonical
//! text. Readers of YAML 1.1 and 1.2 read it with the same result, and writing it again after reading does not change
//! it. A description that was read with errors is incomplete and has no canonical text.
//!
//! ```c
//! char name[256];
//! asdf_ndl_file_name("example.asdf", name, sizeof name, NULL);   // example.yaml
//! asdf_ndl_write(description, name, NULL);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::basics::buffer::buffer_of;
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_ndl, asdf_options};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::TextOptions;
use crate::ndl::{CdlOptions, Description, Language, WriteOptions, file_name};
use std::ffi::c_char;

/// The canonical text, in YAML.
pub const ASDF_NDL_FORMAT_TEXT: i32 = 1;
/// JSON.
pub const ASDF_NDL_FORMAT_JSON: i32 = 2;
/// CDL, the text form of netCDF.
pub const ASDF_NDL_FORMAT_CDL: i32 = 3;
/// A header of C99.
pub const ASDF_NDL_FORMAT_C: i32 = 4;
/// A module of Fortran 2003.
pub const ASDF_NDL_FORMAT_FORTRAN: i32 = 5;

fn text_options(options: &Taken) -> TextOptions {
    let usual = TextOptions::default();
    TextOptions { sort: options.flag(ASDF_OPTION_SORT, usual.sort), ..usual }
}

fn description(caller: &Caller, ndl: *const asdf_ndl) -> Result<&Description> {
    Ok(&caller.handle(ndl, "ndl")?.parsed.description)
}

/// Exports a description as text.
///
/// - ASDF_NDL_FORMAT_TEXT: the canonical text.
/// - ASDF_NDL_FORMAT_JSON: JSON on one line, an object of "form" ("flat" or "grouped"), "groups", "dimcoords" and
///   "ndarrays", the latter three by path name. Missing information is left out, or null. References are resolved,
///   values are typed; non-finite floats are the texts "nan", "inf" and "-inf". Only this format accepts descriptions
///   that were read with errors.
/// - ASDF_NDL_FORMAT_CDL: CDL, from which ncgen makes a netCDF-4 file. Content that netCDF cannot store (references,
///   array datatypes outside compounds, extents of 0, attributes of rank 2 and more), and names that CDL does not
///   allow, are ASDF_ERR_UNSUPPORTED.
/// - ASDF_NDL_FORMAT_C: a header of C99. An array "/g/a" becomes a type name_g_a of its elements, and macros
///   name_g_a_RANK, name_g_a_EXTENT_0 and so on; unlimited dimensions have no macro.
/// - ASDF_NDL_FORMAT_FORTRAN: a module of Fortran 2003. A compound becomes a type g_a, an enumeration a kind g_a_kind
///   with parameters, and the extents an array g_a_shape, in Fortran order, with -1 for unlimited dimensions.
///
/// In source code, characters other than letters and digits become "_"; identifiers that would be equal get numbers.
/// Fails with ASDF_ERR_UNSUPPORTED for datatypes that the programming language does not have, and with ASDF_ERR_LIMIT
/// for elements of 2 GiB or more.
///
/// @param ndl     the description; ASDF_ERR_INCOMPLETE if it lacks information that the format needs
/// @param format  an ASDF_NDL_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param name    name of the CDL data set, prefix of the C identifiers, or name of the Fortran module. NULL for the
///                other formats
/// @param options options, or NULL for the defaults
/// @param buffer  gets the text in UTF-8, without a final NUL; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_export(
    ndl: *const asdf_ndl,
    format: i32,
    name: *const c_char,
    options: *const asdf_options,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        let options = take(caller, options, "asdf_ndl_export")?;
        let description = description(caller, ndl)?;
        let text = match format {
            ASDF_NDL_FORMAT_TEXT => description.to_text(&text_options(&options)),
            ASDF_NDL_FORMAT_JSON => description.to_json(),
            ASDF_NDL_FORMAT_CDL => description.to_cdl(&CdlOptions {
                name: caller.text(name, "name")?.to_owned(),
                values: options.flag(ASDF_OPTION_CDL_VALUES, CdlOptions::default().values),
            }),
            ASDF_NDL_FORMAT_C => description.generate(Language::C, caller.text(name, "name")?),
            ASDF_NDL_FORMAT_FORTRAN => description.generate(Language::Fortran, caller.text(name, "name")?),
            _ => Err(unknown_number("ASDF_NDL_FORMAT_", format)),
        };
        Ok(buffer_of(text?.into_bytes()))
    })
}

/// Writes the canonical text of a description to a file. The file gets its name when it is complete. After
/// ASDF_ERR_NOT_DURABLE it has its name; only waiting until the name is on disk failed. Pipes and character devices are
/// written to.
///
/// @param ndl     the description; ASDF_ERR_INCOMPLETE if it was read with errors and is incomplete
/// @param path    name of the file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write(
    ndl: *const asdf_ndl,
    path: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_ndl_write")?;
        let path = caller.file_name(path, "path")?;
        let usual = WriteOptions::default();
        let options = WriteOptions {
            text: text_options(&options),
            replace: options.flag(ASDF_OPTION_REPLACE, usual.replace),
            durable: options.flag(ASDF_OPTION_DURABLE, usual.durable),
        };
        description(caller, ndl)?.write(path, &options)
    })
}

/// Gets the usual name of the description of a file: "example.yaml" for "example.asdf".
///
/// @param path     name of the described file
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_file_name(
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let name = file_name(caller.file_name(path, "path")?);
        let name = name.to_str().ok_or_else(|| Error::new(Status::Encoding, "the file name is not valid UTF-8"))?;
        out.put(name)
    })
}
