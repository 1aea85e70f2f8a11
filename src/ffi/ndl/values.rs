//! Values in descriptions.
//!
//! # Values in descriptions
//!
//! A description can contain the elements of arrays, dimension coordinates and attributes. They are read one by one, or
//! all at once into memory of the caller, with the conversions of arrays in ASDF files. Elements that are neither
//! numbers nor texts are returned in NDL notation.
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
use crate::error::{Error, Result, Status};
use crate::ffi::array::options::{memory_type, read_options};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_options};
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::{Datatype, Value};
use std::borrow::Cow;
use std::ffi::{c_char, c_void};

/// A value with its datatype.
fn value(
    caller: &Caller,
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
) -> Result<(&Value, &Datatype)> {
    let subject = Subject::find(caller, ndl, path, attribute)?;
    subject.value.zip(subject.datatype).ok_or_else(|| not_found("values for this object"))
}

/// Converts the index of an element; a negative one becomes an index that does not exist.
fn position(index: i64) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// Gets the shape of the values: their number along each dimension. Along unlimited dimensions it is the number of
/// values in the description.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
/// @param attribute name of the attribute, or NULL for the object itself
/// @param extents   gets the extents, slowest axis first; NULL if capacity is 0
/// @param capacity  size of the buffer in numbers; 0 to get only the rank
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

/// Gets one integer, or the number of an enum constant.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
/// @param attribute name of the attribute, or NULL for the object itself
/// @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param value     gets the number; ASDF_ERR_VALUE_RANGE if it does not fit int64_t; ASDF_ERR_WRONG_TYPE for any other
///                  datatype
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

/// Gets one number. Integers beyond 2^53 are rounded.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
/// @param attribute name of the attribute, or NULL for the object itself
/// @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param value     gets the number; ASDF_ERR_WRONG_TYPE if the datatype is not numeric
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

/// Gets one text, name of an enum constant, or path name of an object reference ("" if it refers to nothing).
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
/// @param attribute name of the attribute, or NULL for the object itself
/// @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer    gets the text; ASDF_ERR_WRONG_TYPE for any other datatype
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
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

/// Gets one element of any datatype in NDL notation: "[1, 0.5]" for a compound, a vlen or an array datatype, base64 for
/// opaque bytes, "{target: /sky, selection: [[3, 4]]}" for a region reference; texts in quotes if necessary.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
/// @param attribute name of the attribute, or NULL for the object itself
/// @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer    gets the text, on one line
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
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

/// Reads all elements as numbers, strings of fixed length or records, with the conversion rules of asdf_array_read(): a
/// value that does not fit is ASDF_ERR_OVERFLOW.
///
/// - Enum constants are returned as their numbers; those of an enum with FALSE and TRUE as truth values.
/// - An array datatype appends its extents to those of asdf_ndl_value_shape().
/// - Opaque bytes append one extent, their size; shorter values are padded with zeros.
/// - Texts, names of enum constants and path names of object references (empty if they refer to nothing) can be read as
///   strings of ASDF_ASCII (here UTF-8 of that many bytes) or ASDF_UCS4, padded with NULs. One that is too long is
///   ASDF_ERR_OVERFLOW, and cut with ASDF_OPTION_CLAMP.
/// - Compounds can be read as packed records whose fields have the names of the members, in their order, and the extents
///   that array datatypes and opaque bytes append. Each member is converted separately.
/// - All other conversions are ASDF_ERR_CONVERSION.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
/// @param attribute name of the attribute, or NULL for the object itself
/// @param datatype  code of the scalar type to read them as; 0 for the datatype in the options, and without one for
///                  that of the values, if they are numbers or bytes; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param options   options, or NULL for the defaults
/// @param elements  gets the elements; unspecified after a failure. May be NULL if there are no elements
/// @param capacity  size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the size of the elements
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
        let (value, stored) = value(caller, ndl, path, attribute)?;
        let target = value_type(stored, datatype, &options)?;
        value.read(stored, &target, caller.buffer(elements, capacity, "elements")?, &read_options(&options)?)
    })
}

/// The datatype in memory that a code stands for.
pub(super) fn value_type<'a>(stored: &Datatype, code: i32, options: &'a Taken) -> Result<Cow<'a, MemoryType>> {
    memory_type(code, options, || {
        let scalar = stored.memory_scalar().ok_or_else(|| {
            let message = format!(
                "elements of the datatype {} have no size of their own; set a datatype with \
                 asdf_options_set_datatype()",
                stored.keyword()
            );
            Error::new(Status::InvalidArgument, message)
        })?;
        Ok(Cow::Owned(scalar.into()))
    })
}
