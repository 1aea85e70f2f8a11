//! Datatypes: codes for scalars, and handles for all datatypes.
//!
//! # Datatypes
//!
//! Each scalar type has a code of type int32_t. A datatype handle can represent any type, also strings of fixed length
//! and records.
//!
//! Calls that read, set or write elements take a code. The code 0 stands for the datatype in their options
//! (asdf_options_set_datatype()), which can be of any type. Without one it stands for the datatype of the array itself.
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
//!
//! asdf_options_set_datatype(options, record);
//! asdf_array_read(table, 0, options, records, size, NULL, 0);
//! ```

use crate::array::{ByteOrder, Datatype, Field, ScalarType};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_datatype, asdf_options};
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_DATATYPE;
use crate::ffi::options::values::Value;
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
/// Text of a fixed number of bytes, ASCII in files; not a scalar.
pub const ASDF_ASCII: i32 = 51;
/// Text of a fixed number of UTF-32 code units; not a scalar.
pub const ASDF_UCS4: i32 = 52;
/// A record of fields; not a scalar.
pub const ASDF_RECORD: i32 = 61;

/// Defines the conversions between scalar types and their codes.
macro_rules! scalar_codes {
    ($($code:ident: $scalar:ident),* $(,)?) => {
        /// Returns the code of a scalar type.
        pub(crate) fn scalar_code(scalar: ScalarType) -> i32 {
            match scalar {
                $(ScalarType::$scalar => $code,)*
            }
        }

        /// Returns the scalar type of a code.
        pub(crate) fn scalar_of(code: i32) -> Result<ScalarType> {
            match code {
                $($code => Ok(ScalarType::$scalar),)*
                _ => {
                    let message = format!("the datatype code {code} is not a scalar type; use ASDF_INT8 to ASDF_BOOL8");
                    Err(Error::new(Status::InvalidArgument, message))
                }
            }
        }
    };
}

scalar_codes! {
    ASDF_INT8: Int8,
    ASDF_INT16: Int16,
    ASDF_INT32: Int32,
    ASDF_INT64: Int64,
    ASDF_UINT8: Uint8,
    ASDF_UINT16: Uint16,
    ASDF_UINT32: Uint32,
    ASDF_UINT64: Uint64,
    ASDF_FLOAT16: Float16,
    ASDF_FLOAT32: Float32,
    ASDF_FLOAT64: Float64,
    ASDF_COMPLEX64: Complex64,
    ASDF_COMPLEX128: Complex128,
    ASDF_BOOL8: Bool8,
}

/// Returns the code of a datatype.
pub(super) fn code_of(datatype: &Datatype) -> i32 {
    match datatype {
        Datatype::Scalar(scalar) => scalar_code(*scalar),
        Datatype::Ascii(_) => ASDF_ASCII,
        Datatype::Ucs4(_) => ASDF_UCS4,
        Datatype::Record(_) => ASDF_RECORD,
    }
}

/// Checks a number of axes.
pub(crate) fn rank(rank: i32) -> Result<usize> {
    usize::try_from(rank).ok().filter(|&rank| rank <= crate::Limits::MAX_RANK as usize).ok_or_else(|| {
        let message = format!("the rank {rank} is not supported: an array has 0 to {} axes", crate::Limits::MAX_RANK);
        Error::new(Status::InvalidArgument, message)
    })
}

/// Creates a datatype handle for a code.
///
/// @param code     code of a scalar type; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param datatype gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_scalar(code: i32, datatype: *mut *mut asdf_datatype) -> asdf_status {
    guard_handle(datatype, "datatype", |_| Ok(scalar_of(code)?.into()))
}

/// Gets the size of one element of a scalar type.
///
/// @param code code of a scalar type; ASDF_ERR_INVALID_ARGUMENT for any other number
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

/// Creates a datatype of strings of fixed length, padded with NULs.
///
/// @param code     ASDF_ASCII or ASDF_UCS4; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param length   number of bytes (ASDF_ASCII) or code units (ASDF_UCS4); ASDF_ERR_INVALID_ARGUMENT if negative
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
            .map_err(|_| Error::new(Status::InvalidArgument, format!("the string length {length} is negative")))?;
        let made = match code {
            ASDF_ASCII => Datatype::Ascii(length),
            ASDF_UCS4 => Datatype::Ucs4(length),
            _ => {
                return Err(Error::new(
                    Status::InvalidArgument,
                    format!("the datatype code {code} is not a string type; use ASDF_ASCII or ASDF_UCS4"),
                ));
            }
        };
        made.item_size()?;
        Ok(made)
    })
}

/// Creates a datatype of records. Fields follow one another without the padding of a C struct. Fails with
/// ASDF_ERR_BAD_DATATYPE if there are no fields, two fields have the same name, or records are nested too deeply.
///
/// @param count     number of fields; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param names     name of each field, NULL for a field without a name
/// @param datatypes datatype of each field
/// @param ranks     number of axes of each field; NULL if all fields are single elements
/// @param extents   extents along all axes of the first field, then of the second field, and so on; may be NULL if
///                  there are none
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
        let count = usize::try_from(count).map_err(|_| {
            Error::new(Status::InvalidArgument, format!("the number of fields is {count}, but must be 0 or more"))
        })?;
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

/// Gets the code of a datatype.
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

/// Gets the size of one element.
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

/// Gets the length of a string type.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a string type
/// @param length   gets the number of bytes (ASDF_ASCII) or code units (ASDF_UCS4)
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

/// Gets a readable form of a datatype: "float32", "[ascii, 8]", "[x: int16, y: float64]".
///
/// @param datatype the datatype
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Tests whether two datatypes are equal, including the names and byte orders of their fields.
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

/// Gets the number of fields of a record.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
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

/// Gets the name of a field; empty if it has none.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
/// @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the datatype of a field.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
/// @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
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

/// Gets the offset of a field in its record.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
/// @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
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

/// Gets the extents of a field, slowest axis first.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
/// @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
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

/// Gets the stored byte order of the elements of a field, for views of them as they are stored.
///
/// @param datatype  the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
/// @param index     number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param byteorder gets ASDF_BYTE_ORDER_LITTLE or ASDF_BYTE_ORDER_BIG; -1 if the field has none of its own: then it has
///                  that of the record that contains it, and in the end that of the array
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_field_byte_order(
    datatype: *const asdf_datatype,
    index: i64,
    byteorder: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let byteorder = caller.out(byteorder, "byteorder")?;
        let (field, _) = field(caller.handle(datatype, "datatype")?, index)?;
        byteorder.put(match field.byteorder {
            Some(ByteOrder::Little) => ASDF_BYTE_ORDER_LITTLE,
            Some(ByteOrder::Big) => ASDF_BYTE_ORDER_BIG,
            None => -1,
        });
        Ok(())
    })
}

/// Sets the datatype that the code 0 of a call stands for.
///
/// - In calls that read or write elements, it is that of the elements in memory. Strings are padded with NULs, or with
///   blanks (ASDF_OPTION_BLANK_PADDED). Records are packed, each number in native byte order.
/// - A new array gets this datatype. The byte orders of fields in it are those in the file.
///
/// @param options  the options
/// @param datatype the datatype; it is copied
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_datatype(
    options: *mut asdf_options,
    datatype: *const asdf_datatype,
) -> asdf_status {
    change(options, |caller, values| {
        let datatype = caller.handle(datatype, "datatype")?.clone();
        values.set_object(ASDF_OPTION_DATATYPE, Value::Datatype(datatype));
        Ok(())
    })
}

/// Adds an owner to a datatype.
///
/// @param datatype the datatype
/// @param another  gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_datatype_retain(
    datatype: *const asdf_datatype,
    another: *mut *mut asdf_datatype,
) -> asdf_status {
    guard_retain(datatype, "datatype", another)
}

/// Gives up one owner of a datatype. The last owner frees it.
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

/// Returns a field of a record, and the fields before it.
fn field(datatype: &Datatype, index: i64) -> Result<(&Field, &[Field])> {
    let fields = fields(datatype)?;
    let found = usize::try_from(index).ok().and_then(|index| Some((fields.get(index)?, fields.get(..index)?)));
    found.ok_or_else(|| {
        Error::new(Status::OutOfRange, format!("field {index} does not exist: the record has {} fields", fields.len()))
    })
}

/// Converts a size to `usize`.
pub(super) fn in_memory(size: u64) -> Result<usize> {
    usize::try_from(size).map_err(|_| Error::out_of_memory(size))
}

fn wrong_kind(wanted: &str, found: &Datatype) -> Error {
    Error::new(Status::WrongType, format!("the datatype is {found}, not {wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_convert_back_and_those_of_other_datatypes_are_refused() {
        for &scalar in ScalarType::ALL {
            assert_eq!(scalar_of(scalar_code(scalar)).unwrap(), scalar);
        }
        for other in [0, ASDF_ASCII, ASDF_UCS4, ASDF_RECORD] {
            assert_eq!(scalar_of(other).unwrap_err().status(), Status::InvalidArgument);
        }
    }
}
