//! Datatypes: codes for scalars, and handles for whatever elements are.
//!
//! # Datatypes
//!
//! A scalar type has a code, which functions take and give as int32_t. A datatype handle stands for any type, also for
//! strings of fixed length and records.
//!
//! ```c
//! asdf_datatype *record = NULL;
//! int64_t fields = 0;
//! asdf_array_datatype_handle(table, &record);
//! asdf_datatype_field_count(record, &fields);
//! for (int64_t i = 0; i < fields; i++) {
//!     char name[64];
//!     asdf_datatype_field_name(record, i, name, sizeof name, NULL);
//! }
//! asdf_datatype_free(record);
//!
//! asdf_datatype_string(ASDF_ASCII, 16, &text);
//! asdf_datatype_scalar(ASDF_FLOAT64, &number);
//! const char *names[] = {"name", "position"};
//! const asdf_datatype *datatypes[] = {text, number};
//! const int32_t ranks[] = {0, 1};
//! const int64_t extents[] = {3};
//! asdf_datatype_record(2, names, datatypes, ranks, extents, &record);
//! ```

use crate::array::{Datatype, Field, ScalarType};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_datatype;
use std::ffi::c_char;

impl Class for asdf_datatype {
    const TAG: u32 = u32::from_be_bytes(*b"TYPE");
    const NAME: &'static str = "asdf_datatype";
    type Value = Datatype;
}

/// The least significant byte comes first.
pub const ASDF_BYTE_ORDER_LITTLE: i32 = 0;
/// The most significant byte comes first.
pub const ASDF_BYTE_ORDER_BIG: i32 = 1;

/// Signed 8-bit integer.
pub const ASDF_INT8: i32 = 1;
/// Signed 16-bit integer.
pub const ASDF_INT16: i32 = 2;
/// Signed 32-bit integer.
pub const ASDF_INT32: i32 = 3;
/// Signed 64-bit integer.
pub const ASDF_INT64: i32 = 4;
/// Unsigned 8-bit integer.
pub const ASDF_UINT8: i32 = 11;
/// Unsigned 16-bit integer.
pub const ASDF_UINT16: i32 = 12;
/// Unsigned 32-bit integer.
pub const ASDF_UINT32: i32 = 13;
/// Unsigned 64-bit integer.
pub const ASDF_UINT64: i32 = 14;
/// IEEE 754 binary16.
pub const ASDF_FLOAT16: i32 = 21;
/// IEEE 754 binary32: float.
pub const ASDF_FLOAT32: i32 = 22;
/// IEEE 754 binary64: double.
pub const ASDF_FLOAT64: i32 = 23;
/// Two float32: real and imaginary part.
pub const ASDF_COMPLEX64: i32 = 31;
/// Two float64: real and imaginary part.
pub const ASDF_COMPLEX128: i32 = 32;
/// A byte: 0 is false, anything else true.
pub const ASDF_BOOL8: i32 = 41;
/// Text of a fixed number of bytes, ASCII in files; no scalar.
pub const ASDF_ASCII: i32 = 51;
/// Text of a fixed number of UTF-32 code units; no scalar.
pub const ASDF_UCS4: i32 = 52;
/// A record of fields; no scalar.
pub const ASDF_RECORD: i32 = 61;

/// The scalar type of a code.
pub(crate) fn scalar_of(code: i32) -> Result<ScalarType> {
    ScalarType::from_code(code)
        .ok_or_else(|| Error::new(Status::InvalidArgument, format!("{code} is not the code of a scalar datatype")))
}

/// The code of a datatype.
pub(super) fn code_of(datatype: &Datatype) -> i32 {
    match datatype {
        Datatype::Scalar(scalar) => scalar.code(),
        Datatype::Ascii(_) => ASDF_ASCII,
        Datatype::Ucs4(_) => ASDF_UCS4,
        Datatype::Record(_) => ASDF_RECORD,
    }
}

/// A number of axes.
pub(crate) fn rank(rank: i32) -> Result<usize> {
    usize::try_from(rank).ok().filter(|&rank| rank <= crate::Limits::MAX_RANK as usize).ok_or_else(|| {
        let message = format!("an array has 0 to {} axes, not {rank}", crate::Limits::MAX_RANK);
        Error::new(Status::InvalidArgument, message)
    })
}

/// Gives the datatype of a code.
///
/// @param code     code of a scalar type; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param datatype gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_scalar(code: i32, datatype: *mut *mut asdf_datatype) -> asdf_status {
    guard_handle(datatype, "datatype", |_| Ok(scalar_of(code)?.into()))
}

/// The bytes that one element of a scalar type takes.
///
/// @param code code of a scalar type; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param size gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_code_size(code: i32, size: *mut usize) -> asdf_status {
    guard(|caller| {
        let size = caller.out(size, "size")?;
        size.put(scalar_of(code)?.size());
        Ok(())
    })
}

/// Gives a datatype of strings of fixed length, filled up with NUL.
///
/// @param code     ASDF_ASCII or ASDF_UCS4; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param length   number of bytes or code units; a negative one is ASDF_ERR_INVALID_ARGUMENT
/// @param datatype gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_string(
    code: i32,
    length: i64,
    datatype: *mut *mut asdf_datatype,
) -> asdf_status {
    guard_handle(datatype, "datatype", |_| {
        let length = u64::try_from(length)
            .map_err(|_| Error::new(Status::InvalidArgument, format!("a string cannot have the length {length}")))?;
        let made = match code {
            ASDF_ASCII => Datatype::Ascii(length),
            ASDF_UCS4 => Datatype::Ucs4(length),
            _ => return Err(Error::new(Status::InvalidArgument, format!("{code} is not the code of a string type"))),
        };
        made.item_size()?;
        Ok(made)
    })
}

/// Gives a datatype of records: fields one after the other, without gaps as a C struct may have. What is wrong with the
/// fields is ASDF_ERR_BAD_DATATYPE: none, two of one name, records too deep.
///
/// @param count     number of fields; a negative one is ASDF_ERR_INVALID_ARGUMENT
/// @param names     name of each field, NULL for none
/// @param datatypes datatype of each field
/// @param ranks     number of axes of each field; NULL if all are single elements
/// @param extents   extents along all axes of the first field, then of the next; may be NULL if there are none
/// @param record    gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_record(
    count: i64,
    names: *const *const c_char,
    datatypes: *const *const asdf_datatype,
    ranks: *const i32,
    extents: *const i64,
    record: *mut *mut asdf_datatype,
) -> asdf_status {
    guard_handle(record, "record", |caller| {
        let count = usize::try_from(count)
            .map_err(|_| Error::new(Status::InvalidArgument, format!("a record cannot have {count} fields")))?;
        let names = caller.numbers(names, count, "names")?;
        let datatypes = caller.numbers(datatypes, count, "datatypes")?;
        let ranks = if ranks.is_null() { None } else { Some(caller.numbers(ranks, count, "ranks")?) };
        let mut total = 0;
        for &each in ranks.unwrap_or_default() {
            total += rank(each)?;
        }
        let mut extents = caller.numbers(extents, total, "extents")?;
        let mut fields = Vec::new();
        for (position, (&name, &datatype)) in names.iter().zip(datatypes).enumerate() {
            let axes = ranks.and_then(|ranks| ranks.get(position)).map_or(Ok(0), |&each| rank(each))?;
            let (shape, rest) = extents.split_at_checked(axes).unwrap_or_default();
            extents = rest;
            let name = caller.optional_text(name, "names")?.filter(|name| !name.is_empty());
            fields.push(Field {
                name: name.map(str::to_owned),
                datatype: caller.handle(datatype, "datatypes")?.clone(),
                byteorder: None,
                shape: shape.to_vec(),
            });
        }
        Datatype::record(fields)
    })
}

/// The code of a datatype.
///
/// @param datatype the datatype
/// @param code     gets the code of a scalar type, or ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_code(datatype: *const asdf_datatype, code: *mut i32) -> asdf_status {
    guard(|caller| {
        let code = caller.out(code, "code")?;
        code.put(code_of(caller.handle(datatype, "datatype")?));
        Ok(())
    })
}

/// The bytes of one element.
///
/// @param datatype the datatype
/// @param size     gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_item_size(datatype: *const asdf_datatype, size: *mut usize) -> asdf_status {
    guard(|caller| {
        let size = caller.out(size, "size")?;
        size.put(in_memory(caller.handle(datatype, "datatype")?.item_size()?)?);
        Ok(())
    })
}

/// The length of a string type.
///
/// @param datatype ASCII or UCS4; another is ASDF_ERR_WRONG_TYPE
/// @param length   gets the number of characters
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_string_length(datatype: *const asdf_datatype, length: *mut i64) -> asdf_status {
    guard(|caller| {
        let length = caller.out(length, "length")?;
        match caller.handle(datatype, "datatype")? {
            Datatype::Ascii(count) | Datatype::Ucs4(count) => length.put_number(*count),
            other => return Err(wrong_kind("a string type", other)),
        }
        Ok(())
    })
}

/// A datatype for people: "float32", "[ascii, 8]", "[x: int16, y: float64]".
///
/// @param datatype the datatype
/// @param buffer   gets the text
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_name(
    datatype: *const asdf_datatype,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&caller.handle(datatype, "datatype")?.to_string())
    })
}

/// Whether two datatypes are the same: with the same fields, names and byte orders of fields included.
///
/// @param first  a datatype
/// @param second a datatype
/// @param equal  gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_equal(
    first: *const asdf_datatype,
    second: *const asdf_datatype,
    equal: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let equal = caller.out(equal, "equal")?;
        equal.put((caller.handle(first, "first")? == caller.handle(second, "second")?).into());
        Ok(())
    })
}

/// The number of fields of a record.
///
/// @param datatype a record; another is ASDF_ERR_WRONG_TYPE
/// @param count    gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_field_count(datatype: *const asdf_datatype, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(fields(caller.handle(datatype, "datatype")?)?.len() as u64);
        Ok(())
    })
}

/// The name of a field; empty if it has none.
///
/// @param datatype a record; another is ASDF_ERR_WRONG_TYPE
/// @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_field_name(
    datatype: *const asdf_datatype,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let (field, _) = field(caller.handle(datatype, "datatype")?, index)?;
        out.put(field.name.as_deref().unwrap_or_default())
    })
}

/// The datatype of a field.
///
/// @param datatype a record; another is ASDF_ERR_WRONG_TYPE
/// @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param found    gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_field_datatype(
    datatype: *const asdf_datatype,
    index: i64,
    found: *mut *mut asdf_datatype,
) -> asdf_status {
    guard_handle(found, "found", |caller| {
        let (field, _) = field(caller.handle(datatype, "datatype")?, index)?;
        Ok(field.datatype.clone())
    })
}

/// Where a field begins in its record.
///
/// @param datatype a record; another is ASDF_ERR_WRONG_TYPE
/// @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param offset   gets the offset in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_field_offset(
    datatype: *const asdf_datatype,
    index: i64,
    offset: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let offset = caller.out(offset, "offset")?;
        let (_, before) = field(caller.handle(datatype, "datatype")?, index)?;
        let mut total = 0_u64;
        for field in before {
            total = total.saturating_add(field.size()?);
        }
        offset.put(in_memory(total)?);
        Ok(())
    })
}

/// The extents of a field, slowest axis first.
///
/// @param datatype a record; another is ASDF_ERR_WRONG_TYPE
/// @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param shape    gets the extents; ASDF_MAX_RANK of them always have room
/// @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
/// @param rank     gets the number of axes, 0 for a single element; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_field_shape(
    datatype: *const asdf_datatype,
    index: i64,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        let (field, _) = field(caller.handle(datatype, "datatype")?, index)?;
        out.put(&field.shape)
    })
}

/// Gives another owner of a datatype.
///
/// @param datatype the datatype
/// @param another  gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_retain(
    datatype: *const asdf_datatype,
    another: *mut *mut asdf_datatype,
) -> asdf_status {
    guard_retain(datatype, "datatype", another)
}

/// Gives up a datatype.
///
/// @param datatype the datatype, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_free(datatype: *mut asdf_datatype) {
    guard_silently(|caller| caller.release(datatype));
}

fn fields(datatype: &Datatype) -> Result<&[Field]> {
    match datatype {
        Datatype::Record(fields) => Ok(fields),
        other => Err(wrong_kind("a record", other)),
    }
}

/// A field of a record with those before it.
fn field(datatype: &Datatype, index: i64) -> Result<(&Field, &[Field])> {
    let fields = fields(datatype)?;
    let found = usize::try_from(index).ok().and_then(|index| Some((fields.get(index)?, fields.get(..index)?)));
    found.ok_or_else(|| Error::new(Status::OutOfRange, format!("there is no field {index} among {}", fields.len())))
}

/// A size of something in memory.
fn in_memory(size: u64) -> Result<usize> {
    usize::try_from(size).map_err(|_| Error::out_of_memory(size))
}

fn wrong_kind(wanted: &str, found: &Datatype) -> Error {
    Error::new(Status::WrongType, format!("{wanted} is asked for, but the datatype is {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_codes_of_the_scalar_types() {
        let constants = [
            (ASDF_INT8, "int8"),
            (ASDF_INT16, "int16"),
            (ASDF_INT32, "int32"),
            (ASDF_INT64, "int64"),
            (ASDF_UINT8, "uint8"),
            (ASDF_UINT16, "uint16"),
            (ASDF_UINT32, "uint32"),
            (ASDF_UINT64, "uint64"),
            (ASDF_FLOAT16, "float16"),
            (ASDF_FLOAT32, "float32"),
            (ASDF_FLOAT64, "float64"),
            (ASDF_COMPLEX64, "complex64"),
            (ASDF_COMPLEX128, "complex128"),
            (ASDF_BOOL8, "bool8"),
        ];
        assert_eq!(constants.len(), ScalarType::ALL.len());
        for (code, name) in constants {
            assert_eq!(scalar_of(code).unwrap().name(), name);
        }
        for other in [0, ASDF_ASCII, ASDF_UCS4, ASDF_RECORD] {
            assert_eq!(scalar_of(other).unwrap_err().status(), Status::InvalidArgument);
        }
    }
}
