//! The values that descriptions give.
//!
//! # Values in descriptions
//!
//! A description may give the elements of arrays, dimension coordinates and attributes. They are read one by one, or
//! all at once into memory of yours, converted as the elements of arrays of ASDF files are. What is no number and no
//! text is told in the notation of the language.
//!
//! ```c
//! int64_t extents[ASDF_MAX_RANK], levels = 1;
//! int32_t rank;
//! asdf_ndl_value_shape(description, "/level", NULL, extents, ASDF_MAX_RANK, &rank);
//! for (int32_t i = 0; i < rank; i++) levels *= extents[i];
//! double *level = malloc(levels * sizeof *level);
//! asdf_ndl_read_values(description, "/level", NULL, ASDF_FLOAT64, level, levels * sizeof *level, NULL);
//!
//! char region[256];
//! asdf_ndl_value_notation(description, "/cutouts", NULL, 0, region, sizeof region, NULL);
//! // {target: /sky, start: [10, 20], opposite: [29, 39]}
//! ```

use super::walk::{Subject, not_found, signed, too_large};
use crate::array::Datatype as MemoryType;
use crate::error::Result;
use crate::ffi::array::datatype::scalar_of;
use crate::ffi::array::options::read_options;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_datatype, asdf_ndl, asdf_options};
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::{Datatype, Value};
use std::ffi::{c_char, c_void};

/// A value with its datatype.
fn value(
    caller: &Caller,
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
) -> Result<(&Value, &Datatype)> {
    let subject = Subject::find(caller, ndl, path, attribute)?;
    subject.value.zip(subject.datatype).ok_or_else(|| not_found("a value"))
}

/// The number of an element; what is no number of one is none that exists.
fn position(index: i64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// How many values there are along each dimension; along those that may grow, as many as are given.
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param extents   gets the extents, slowest axis first; NULL if capacity is 0
/// @param capacity  how many extents there is room for; 0 to get only their number
/// @param rank      gets the number of extents; may be NULL unless capacity is 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_value_shape(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    extents: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(extents, capacity, rank, ["extents", "rank"])?;
        out.put(&signed(value(caller, ndl, path, attribute)?.0.shape())?)
    })
}

/// One integer, or the number of a constant of an enum.
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
/// @param value     gets the number; one beyond int64_t is ASDF_ERR_VALUE_RANGE, any other datatype
///                  ASDF_ERR_WRONG_TYPE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_value_i64(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    index: i64,
    value: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let out = caller.out(value, "value")?;
        let (value, datatype) = self::value(caller, ndl, path, attribute)?;
        out.put(i64::try_from(value.integer(position(index), datatype)?).map_err(|_| too_large())?);
        Ok(())
    })
}

/// One number. Integers beyond 2^53 are rounded.
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
/// @param value     gets the number; a datatype that is not of numbers is ASDF_ERR_WRONG_TYPE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_value_f64(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    index: i64,
    value: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let out = caller.out(value, "value")?;
        let (value, datatype) = self::value(caller, ndl, path, attribute)?;
        out.put(value.number(position(index), datatype)?);
        Ok(())
    })
}

/// One text, name of a constant of an enum, or path name that an object reference holds ("" if it holds none).
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer    gets the text; any other datatype is ASDF_ERR_WRONG_TYPE
/// @param capacity  bytes of the buffer
/// @param needed    gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_value_text(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let (value, datatype) = value(caller, ndl, path, attribute)?;
        out.put(value.text(position(index), datatype)?)
    })
}

/// One element in the notation of the language, whatever its datatype: "[1, 0.5]" for a compound, a vlen or an array
/// datatype, base64 for opaque bytes, "{target: /sky, selection: [[3, 4]]}" for a region reference; texts in quotes
/// where they need them.
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer    gets the text, which is one line
/// @param capacity  bytes of the buffer
/// @param needed    gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_value_notation(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let (value, datatype) = value(caller, ndl, path, attribute)?;
        out.put(&value.notation(position(index), datatype)?)
    })
}

/// Reads all elements as numbers, by the conversion rule of asdf_array_read(): what does not fit is ASDF_ERR_OVERFLOW.
///
/// Constants of an enum are their numbers, those of FALSE and TRUE truth values. An array datatype adds its extents
/// behind those of asdf_ndl_value_shape(); opaque bytes add one of their size, and are followed by zeros in it. Of any
/// other datatype that is not of numbers this is ASDF_ERR_CONVERSION.
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param datatype  code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param options   how to read, or NULL
/// @param elements  gets the elements; what it holds after a failure is not specified. May be NULL if there are none
/// @param capacity  bytes that may be written; fewer than the elements take are ASDF_ERR_BUFFER_TOO_SMALL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_values(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    datatype: i32,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_ndl_read_values")?;
        let target = scalar_of(datatype)?.into();
        read(caller, value(caller, ndl, path, attribute)?, &target, (elements, capacity), &options)
    })
}

/// Reads all elements, also as strings (texts, names of constants, and path names of object references, which are empty
/// where there is none) and compounds as records. See asdf_ndl_read_values().
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param datatype  what to read them as. Text can be read as ASDF_ASCII, which then is UTF-8 of so many bytes, and as
///                  ASDF_UCS4; one that is too long is ASDF_ERR_OVERFLOW, or cut where ASDF_OPTION_CLAMP
///                  is 1. A record has fields with the names of the members, in their order, and with the extents
///                  that array datatypes and opaque bytes add; each member is converted by itself
/// @param options   how to read, or NULL
/// @param elements  gets the elements, strings filled up with NUL, records without gaps; may be NULL if there are none
/// @param capacity  bytes that may be written
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_values_typed(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    datatype: *const asdf_datatype,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_ndl_read_values_typed")?;
        let target = caller.handle(datatype, "datatype")?;
        read(caller, value(caller, ndl, path, attribute)?, target, (elements, capacity), &options)
    })
}

fn read(
    caller: &Caller,
    (value, datatype): (&Value, &Datatype),
    target: &MemoryType,
    (elements, capacity): (*mut c_void, usize),
    options: &Taken,
) -> Result<()> {
    value.read(datatype, target, caller.buffer(elements, capacity, "elements")?, &read_options(options)?)
}
