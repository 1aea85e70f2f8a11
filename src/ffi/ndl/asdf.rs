//! Descriptions of ASDF files, and ASDF files made from descriptions.
//!
//! # Descriptions and ASDF files
//!
//! Any ASDF file can be described: mappings are groups, arrays are ndarrays, scalars and even lists of scalars are
//! attributes, and a path name is the path of the node. No block is read unless values of arrays are asked for. What the
//! language has no form for (null, masks, references to other files) is left out or written in another form, and noted.
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
use crate::ffi::boundary::arguments::{chosen, chosen_as, new, set, unknown_number};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard_handle, guard_silently, guard_wanted_handle};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{
    asdf_file, asdf_ndl, asdf_ndl_create_options, asdf_ndl_describe_options, asdf_report, asdf_write_options,
};
use crate::ndl::asdf::{CreateOptions, DescribeOptions, Note, Values, create, describe};
use crate::process::ForkRwLock;
use std::ffi::c_char;

impl Class for asdf_ndl_create_options {
    const TAG: u32 = u32::from_be_bytes(*b"OCRE");
    const NAME: &'static str = "asdf_ndl_create_options";
    type Value = ForkRwLock<CreateOptions>;
}

impl Class for asdf_ndl_describe_options {
    const TAG: u32 = u32::from_be_bytes(*b"ODSC");
    const NAME: &'static str = "asdf_ndl_describe_options";
    type Value = ForkRwLock<DescribeOptions>;
}

/// No values of arrays.
pub const ASDF_NDL_VALUES_NONE: i32 = 0;
/// Those that stand in the tree, for which no block is read.
pub const ASDF_NDL_VALUES_INLINE: i32 = 1;
/// All.
pub const ASDF_NDL_VALUES_ALL: i32 = 2;
/// Those of dimension coordinates.
pub const ASDF_NDL_VALUES_COORDINATES: i32 = 3;

/// Makes options for describing files: values that stand in the tree, no annotations, neither history nor the name of
/// the library, binary16 numbers as opaque bytes.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_new(options: *mut *mut asdf_ndl_describe_options) -> asdf_status {
    new(options)
}

/// Sets which elements of arrays are told.
///
/// @param options the options
/// @param values  ASDF_NDL_VALUES_NONE, ASDF_NDL_VALUES_INLINE (the default), ASDF_NDL_VALUES_COORDINATES or
///                ASDF_NDL_VALUES_ALL; another is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_set_values(
    options: *mut asdf_ndl_describe_options,
    values: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.values = match values {
            ASDF_NDL_VALUES_NONE => Values::None,
            ASDF_NDL_VALUES_INLINE => Values::Inline,
            ASDF_NDL_VALUES_ALL => Values::All,
            ASDF_NDL_VALUES_COORDINATES => Values::Coordinates,
            _ => return Err(unknown_number("ASDF_NDL_VALUES_", values)),
        };
        Ok(())
    })
}

/// Sets which part of the file alone is described: one group, array or dimension coordinate with all that is in it, and
/// the dimension coordinates of its arrays.
///
/// @param options the options
/// @param path    its path name, one that nothing has is ASDF_ERR_NOT_FOUND when the file is described; NULL or ""
///                (the default) for the whole file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_set_only(
    options: *mut asdf_ndl_describe_options,
    path: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        let path = caller.optional_text(path, "path")?;
        options.only = path.filter(|path| !path.is_empty()).map(str::to_owned);
        Ok(())
    })
}

/// Sets whether `asdf_library` and `history` are described, too.
///
/// @param options the options
/// @param all     1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_set_all(
    options: *mut asdf_ndl_describe_options,
    all: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.all = all != 0;
        Ok(())
    })
}

/// Sets whether what has no form in the language is told under `x-asdf` keys: tags, strides, masks, lengths of strings.
///
/// @param options  the options
/// @param annotate 1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_set_annotate(
    options: *mut asdf_ndl_describe_options,
    annotate: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.annotate = annotate != 0;
        Ok(())
    })
}

/// Sets whether float16 arrays are described as float32, which holds their numbers exactly. The language has no 16-bit
/// float: otherwise they are opaque bytes with the tag `IEEE 754 binary16`, which asdf_ndl_create_asdf() makes float16
/// again.
///
/// @param options the options
/// @param widen   1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_set_widen(
    options: *mut asdf_ndl_describe_options,
    widen: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.widen = widen != 0;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_describe_options_free(options: *mut asdf_ndl_describe_options) {
    guard_silently(|caller| caller.release(options));
}

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
    options: *const asdf_ndl_describe_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let described = describe(caller.handle(file, "file")?, &chosen(caller, options)?)?;
        Ok(ReadDescription::of_asdf(described))
    })
}

/// Makes options for making files: at most 1 GiB of arrays, blocks compressed as the filters say, no rows of unlimited
/// dimensions, no file replaced.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_new(options: *mut *mut asdf_ndl_create_options) -> asdf_status {
    new(options)
}

/// Sets how many bytes all arrays may take together, before compression.
///
/// @param options the options
/// @param bytes   bytes; default 1 GiB
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_max_bytes(
    options: *mut asdf_ndl_create_options,
    bytes: u64,
) -> asdf_status {
    set(options, |_, options| {
        options.max_bytes = bytes;
        Ok(())
    })
}

/// Sets how all blocks are compressed, whatever filters the description has.
///
/// @param options the options
/// @param codec   as in asdf_array_options_set_compression(); NULL or "" (the default) for what the filters say
/// @param level   as there
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_compression(
    options: *mut asdf_ndl_create_options,
    codec: *const c_char,
    level: i32,
) -> asdf_status {
    set(options, |caller, options| {
        options.compression = compression(caller, codec, level)?;
        Ok(())
    })
}

/// Sets how many characters strings have where no value tells it; strings have a fixed length in ASDF.
///
/// @param options the options
/// @param length  characters; 0 (the default) makes such arrays ASDF_ERR_INCOMPLETE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_string_length(
    options: *mut asdf_ndl_create_options,
    length: u64,
) -> asdf_status {
    set(options, |_, options| {
        options.string_length = (length > 0).then_some(length);
        Ok(())
    })
}

/// Sets how many elements there are along unlimited dimensions, where the description does not say how many are stored.
///
/// @param options the options
/// @param extent  elements; default 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_extent(
    options: *mut asdf_ndl_create_options,
    extent: u64,
) -> asdf_status {
    set(options, |_, options| {
        options.extent = extent;
        Ok(())
    })
}

/// Sets how many elements there are along one dimension, whatever the description says: a smaller file of the same
/// structure is then described with these sizes. Several calls add up; the last one for a path name counts.
///
/// Making the file is ASDF_ERR_NOT_FOUND if there is nothing of the path name, and ASDF_ERR_INVALID_ARGUMENT for an
/// array without unlimited dimensions of its own, and where values are given.
///
/// @param options the options
/// @param path    the path name of a dimension coordinate, for it and the arrays that it belongs to; or of an array, for
///                its unlimited dimensions without one
/// @param extent  elements
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_add_extent(
    options: *mut asdf_ndl_create_options,
    path: *const c_char,
    extent: u64,
) -> asdf_status {
    set(options, |caller, options| {
        options.extents.push((caller.text(path, "path")?.to_owned(), extent));
        Ok(())
    })
}

/// Sets whether elements that no value tells are zero although there is a fill value.
///
/// @param options the options
/// @param zeros   1 for zeros, or 0 (the default) for the fill values
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_zeros(
    options: *mut asdf_ndl_create_options,
    zeros: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.zeros = zeros != 0;
        Ok(())
    })
}

/// Sets which array is the last block, which runs to the end of the file, so that rows can be added behind it. Its first
/// dimension must be unlimited, else making the file is ASDF_ERR_INVALID_ARGUMENT.
///
/// @param options the options
/// @param path    its path name; NULL or "" (the default) for none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_streamed(
    options: *mut asdf_ndl_create_options,
    path: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        let path = caller.optional_text(path, "path")?;
        options.streamed = path.filter(|path| !path.is_empty()).map(str::to_owned);
        Ok(())
    })
}

/// Sets whether a file that has the name already is replaced.
///
/// @param options   the options
/// @param overwrite 1, or 0 (the default) for ASDF_ERR_FILE_EXISTS
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_overwrite(
    options: *mut asdf_ndl_create_options,
    overwrite: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.overwrite = overwrite != 0;
        Ok(())
    })
}

/// Sets how the file is written: whether to wait for the disk, checksums, alignment and so on.
///
/// @param options       the options
/// @param write_options options of writing, which are copied; NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_set_write_options(
    options: *mut asdf_ndl_create_options,
    write_options: *const asdf_write_options,
) -> asdf_status {
    set(options, |caller, options| {
        options.write = chosen_as(caller, write_options, "write_options")?;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_create_options_free(options: *mut asdf_ndl_create_options) {
    guard_silently(|caller| caller.release(options));
}

/// Makes an ASDF file that holds what is described. It appears under its name when it is whole.
///
/// What cannot be stored fails, with the path name in the details: an array without datatype or a string of unknown
/// length as ASDF_ERR_INCOMPLETE, what ASDF has no form for as ASDF_ERR_UNSUPPORTED, names that ASDF keeps for itself
/// (`asdf_library`, `history` and `ndl` in the root) as ASDF_ERR_INVALID_ARGUMENT, too many bytes and too deep nesting
/// as ASDF_ERR_LIMIT. A file that has the name is ASDF_ERR_FILE_EXISTS.
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
    options: *const asdf_ndl_create_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_wanted_handle(report, "report", |caller| Ok(make(caller, ndl, path, options)?.iter().collect()))
}

fn make(
    caller: &Caller,
    ndl: *const asdf_ndl,
    path: *const c_char,
    options: *const asdf_ndl_create_options,
) -> Result<Vec<Note>> {
    let description = &caller.handle(ndl, "ndl")?.parsed.description;
    create(description, caller.file_name(path, "path")?, &chosen(caller, options)?)
}
