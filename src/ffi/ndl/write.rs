//! Descriptions as text, JSON, CDL, files and source code.
//!
//! # Writing descriptions
//!
//! The canonical text is one text for one content, which readers of YAML 1.1 and 1.2 take alike, and is its own
//! canonical text. What was read with errors is incomplete, and has none.
//!
//! ```c
//! char name[256];
//! asdf_ndl_file_name("example.asdf", name, sizeof name, NULL);   // example.yaml
//! asdf_ndl_write(description, name, NULL);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::{chosen, new, set};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_ndl, asdf_ndl_write_options};
use crate::ndl::{CdlOptions, Description, Language, WriteOptions, file_name};
use crate::process::ForkRwLock;
use std::ffi::c_char;

impl Class for asdf_ndl_write_options {
    const TAG: u32 = u32::from_be_bytes(*b"ONDW");
    const NAME: &'static str = "asdf_ndl_write_options";
    type Value = ForkRwLock<NdlWriteChoices>;
}

/// A header of C99.
pub const ASDF_NDL_LANGUAGE_C: i32 = 1;
/// A module of Fortran 2003.
pub const ASDF_NDL_LANGUAGE_FORTRAN: i32 = 2;

/// What an `asdf_ndl_write_options` holds.
#[derive(Clone, Default)]
pub struct NdlWriteChoices {
    write: WriteOptions,
    values: bool,
}

/// Makes options for writing descriptions: in document order, CDL without values, no file replaced, durable.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write_options_new(options: *mut *mut asdf_ndl_write_options) -> asdf_status {
    new(options)
}

/// Whether groups, and what is in each, stand in the order of their path names, instead of that of the document.
///
/// @param options the options
/// @param sort    1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write_options_set_sort(
    options: *mut asdf_ndl_write_options,
    sort: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.write.text.sort = sort != 0;
        Ok(())
    })
}

/// Whether CDL holds the values of arrays, too. Of compounds with constants of enumerations in them ncgen 4.9 makes
/// wrong values, or none, by its own fault.
///
/// @param options the options
/// @param values  1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write_options_set_values(
    options: *mut asdf_ndl_write_options,
    values: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.values = values != 0;
        Ok(())
    })
}

/// Whether a file that has the name is replaced. Comments in it are lost.
///
/// @param options the options
/// @param replace 1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write_options_set_replace(
    options: *mut asdf_ndl_write_options,
    replace: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.write.replace = replace != 0;
        Ok(())
    })
}

/// Whether writing a file waits until all is on the disk.
///
/// @param options the options
/// @param durable 1, the default, or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write_options_set_durable(
    options: *mut asdf_ndl_write_options,
    durable: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.write.durable = durable != 0;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write_options_free(options: *mut asdf_ndl_write_options) {
    guard_silently(|caller| caller.release(options));
}

fn description(caller: &Caller, ndl: *const asdf_ndl) -> Result<&Description> {
    Ok(&caller.handle(ndl, "ndl")?.parsed.description)
}

/// The canonical text of a description, in UTF-8.
///
/// @param ndl     the description; one that lacks something since it was read with errors is ASDF_ERR_INCOMPLETE
/// @param options how to write it, or NULL
/// @param buffer  gets the text, without NUL at its end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_to_text(
    ndl: *const asdf_ndl,
    options: *const asdf_ndl_write_options,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        let options = chosen(caller, options)?;
        Ok(description(caller, ndl)?.to_text(&options.write.text)?.into_bytes())
    })
}

/// A description as JSON on one line, in UTF-8: an object of "form" ("flat" or "grouped"), "groups", "dimcoords" and
/// "ndarrays", the latter three by path name. What the description does not tell is left out, or null. References are
/// resolved, values are typed; floats that are not finite are the texts "nan", "inf" and "-inf".
///
/// @param ndl    the description
/// @param buffer gets the JSON, without NUL at its end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_to_json(ndl: *const asdf_ndl, buffer: *mut *mut asdf_buffer) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| Ok(description(caller, ndl)?.to_json()?.into_bytes()))
}

/// A description as CDL, of which ncgen makes a netCDF-4 file.
///
/// @param ndl     the description; what netCDF cannot hold (references, array datatypes outside compounds, extents of
///                0, attributes of rank 2 and more) and names that CDL cannot write are ASDF_ERR_UNSUPPORTED, what is
///                missing ASDF_ERR_INCOMPLETE; the path of the error says where
/// @param name    the name of the data set
/// @param options how to write it, or NULL
/// @param buffer  gets the CDL, without NUL at its end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_to_cdl(
    ndl: *const asdf_ndl,
    name: *const c_char,
    options: *const asdf_ndl_write_options,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        let (name, choices) = (caller.text(name, "name")?.to_owned(), chosen(caller, options)?);
        let options = CdlOptions { name, values: choices.values };
        Ok(description(caller, ndl)?.to_cdl(&options)?.into_bytes())
    })
}

/// Source code for the arrays of a description: datatypes of elements, constants of enumerations, extents.
///
/// In C an array "/g/a" is a type name_g_a of its elements and macros name_g_a_RANK and name_g_a_EXTENT_0 and so on,
/// none for unlimited dimensions. In Fortran a compound is a type g_a, an enumeration a kind g_a_kind and parameters,
/// and extents are g_a_shape, in the order of Fortran, with -1 for unlimited dimensions. Characters other than letters
/// and digits become "_"; identifiers that meet get numbers.
///
/// @param ndl      the description; one that lacks a shape is ASDF_ERR_INCOMPLETE, what the language does not have
///                 ASDF_ERR_UNSUPPORTED, an element of 2 GiB and more ASDF_ERR_LIMIT
/// @param language an ASDF_NDL_LANGUAGE_ constant; others are ASDF_ERR_INVALID_ARGUMENT
/// @param name     what identifiers of C begin with, and the name of the module of Fortran
/// @param buffer   gets the code, without NUL at its end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_generate(
    ndl: *const asdf_ndl,
    language: i32,
    name: *const c_char,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        let (name, language) = (caller.text(name, "name")?, self::language(language)?);
        Ok(description(caller, ndl)?.generate(language, name)?.into_bytes())
    })
}

fn language(language: i32) -> Result<Language> {
    match language {
        ASDF_NDL_LANGUAGE_C => Ok(Language::C),
        ASDF_NDL_LANGUAGE_FORTRAN => Ok(Language::Fortran),
        _ => {
            let message = format!("{language} is not an ASDF_NDL_LANGUAGE_ constant");
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}

/// Writes the canonical text of a description to a file, which has its name only when it is whole. After
/// ASDF_ERR_NOT_DURABLE it has the name; only waiting for that failed.
///
/// @param ndl     the description; one that lacks something since it was read with errors is ASDF_ERR_INCOMPLETE
/// @param path    the name of the file; one that is taken is ASDF_ERR_FILE_EXISTS, unless the options allow to replace
/// @param options how to write it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_write(
    ndl: *const asdf_ndl,
    path: *const c_char,
    options: *const asdf_ndl_write_options,
) -> asdf_status {
    guard(|caller| {
        let (path, options) = (caller.file_name(path, "path")?, chosen(caller, options)?);
        description(caller, ndl)?.write(path, &options.write)
    })
}

/// The name of the file with the description of another file: "example.yaml" for "example.asdf".
///
/// @param path     the name of the other file
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
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
        let name = name.to_str().ok_or_else(|| Error::new(Status::Encoding, "the name is not UTF-8"))?;
        out.put(name)
    })
}
