//! Datatypes of descriptions: inspection.
//!
//! # Datatypes of descriptions
//!
//! A datatype describes the structure of an element: members of a compound, constants of an enum, elements of an array
//! or a vlen, nested to any depth. The caller frees the handles, in any order.
//!
//! ```c
//! asdf_ndl_datatype *compound = NULL, *member = NULL;
//! int64_t count;
//! char name[64], keyword[16];
//! asdf_ndl_get_datatype(description, "/site/wind", NULL, &compound);
//! asdf_ndl_datatype_member_count(compound, &count);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_ndl_datatype_member_name(compound, i, name, sizeof name, NULL);
//!     asdf_ndl_datatype_member(compound, i, &member);
//!     asdf_ndl_datatype_keyword(member, keyword, sizeof keyword, NULL);
//!     printf("%s: %s\n", name, keyword);
//!     asdf_ndl_datatype_free(member);
//! }
//! asdf_ndl_datatype_free(compound);
//! ```

use super::walk::{Subject, entry, not_found, signed, too_large};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_ndl_datatype};
use crate::ndl::{Datatype, DatatypeKind};
use std::ffi::c_char;

impl Class for asdf_ndl_datatype {
    const TAG: u32 = u32::from_be_bytes(*b"NDLT");
    const NAME: &'static str = "asdf_ndl_datatype";
    type Value = crate::ndl::Datatype;
}

fn wrong_kind(datatype: &Datatype, what: &str) -> Error {
    Error::new(Status::WrongType, format!("a datatype of the kind '{}' has no {what}", datatype.keyword()))
}

/// Returns the number of an enum constant.
fn constant(datatype: &Datatype, index: i64) -> Result<i128> {
    match datatype.kind() {
        DatatypeKind::Enum(enumeration) => Ok(*entry(&enumeration.members, index, "constant")?.1),
        _ => Err(wrong_kind(datatype, "constants")),
    }
}

/// Gets the datatype of an array, a dimension coordinate or an attribute.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no datatype
/// @param attribute the name of an attribute, or NULL
/// @param datatype  gets the datatype; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_get_datatype(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    datatype: *mut *mut asdf_ndl_datatype,
) -> asdf_status {
    guard_handle(datatype, "datatype", |caller| Ok(Subject::find(caller, ndl, path, attribute)?.datatype()?.clone()))
}

/// Gets the keyword of a datatype; see asdf_ndl_keyword().
///
/// @param datatype the datatype
/// @param buffer   gets the keyword
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_keyword(
    datatype: *const asdf_ndl_datatype,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(datatype, "datatype")?.keyword())
    })
}

/// Gets the NDL notation of a datatype, on one line: "float32", "{array: {base: float32, shape: [3, 3]}}".
///
/// @param datatype the datatype
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_text(
    datatype: *const asdf_ndl_datatype,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&caller.handle(datatype, "datatype")?.to_text()?)
    })
}

/// Gets the size of one element without padding, also of opaque bytes.
///
/// @param datatype the datatype
/// @param size     gets the number of bytes; -1 if elements have no fixed size: text, references, vlen, and datatypes
///                 that contain them. ASDF_ERR_VALUE_RANGE if it does not fit int64_t; ASDF_ERR_LIMIT if it does not
///                 fit 128 bits
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_element_size(
    datatype: *const asdf_ndl_datatype,
    size: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let out = caller.out(size, "size")?;
        let size = caller.handle(datatype, "datatype")?.element_size()?;
        out.put(size.map_or(Ok(-1), i64::try_from).map_err(|_| too_large())?);
        Ok(())
    })
}

/// Gets the number of members of a compound, or of constants of an enum.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param count    gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_member_count(
    datatype: *const asdf_ndl_datatype,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        let datatype = caller.handle(datatype, "datatype")?;
        count.put_number(match datatype.kind() {
            DatatypeKind::Compound(members) => members.len() as u64,
            DatatypeKind::Enum(enumeration) => enumeration.members.len() as u64,
            _ => return Err(wrong_kind(datatype, "members")),
        });
        Ok(())
    })
}

/// Gets the name of a member of a compound, or of a constant of an enum.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param index    its number, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_member_name(
    datatype: *const asdf_ndl_datatype,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let datatype = caller.handle(datatype, "datatype")?;
        out.put(match datatype.kind() {
            DatatypeKind::Compound(members) => entry(members, index, "member")?.0,
            DatatypeKind::Enum(enumeration) => entry(&enumeration.members, index, "constant")?.0,
            _ => return Err(wrong_kind(datatype, "members")),
        })
    })
}

/// Gets the datatype of a member of a compound.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param index    number of the member, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param member   gets the datatype of the member; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_member(
    datatype: *const asdf_ndl_datatype,
    index: i64,
    member: *mut *mut asdf_ndl_datatype,
) -> asdf_status {
    guard_handle(member, "member", |caller| {
        let datatype = caller.handle(datatype, "datatype")?;
        match datatype.kind() {
            DatatypeKind::Compound(members) => Ok(entry(members, index, "member")?.1.clone()),
            _ => Err(wrong_kind(datatype, "members with datatypes")),
        }
    })
}

/// Gets the number of a constant of an enum.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param index    position of the constant, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param value    gets the number; ASDF_ERR_VALUE_RANGE if it does not fit int64_t
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_constant_i64(
    datatype: *const asdf_ndl_datatype,
    index: i64,
    value: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let number = constant(caller.handle(datatype, "datatype")?, index)?;
        value.put(i64::try_from(number).map_err(|_| too_large())?);
        Ok(())
    })
}

/// Gets the number of a constant of an enum whose base is unsigned.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param index    position of the constant, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param value    gets the number; ASDF_ERR_VALUE_RANGE if negative
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_constant_u64(
    datatype: *const asdf_ndl_datatype,
    index: i64,
    value: *mut u64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let number = constant(caller.handle(datatype, "datatype")?, index)?;
        let negative = |_| Error::new(Status::ValueRange, format!("the constant {number} is negative"));
        value.put(u64::try_from(number).map_err(negative)?);
        Ok(())
    })
}

/// Gets the base of a datatype: that of the elements of an array or a vlen, or of the constants of an enum.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param base     gets the base; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_base(
    datatype: *const asdf_ndl_datatype,
    base: *mut *mut asdf_ndl_datatype,
) -> asdf_status {
    guard_handle(base, "base", |caller| {
        let datatype = caller.handle(datatype, "datatype")?;
        Ok(match datatype.kind() {
            DatatypeKind::Array { base, .. } | DatatypeKind::Vlen(base) => base.clone(),
            DatatypeKind::Enum(enumeration) => enumeration.base.into(),
            _ => return Err(wrong_kind(datatype, "base")),
        })
    })
}

/// Gets the shape of an array datatype.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param extents  gets the extents, slowest axis first; NULL if capacity is 0
/// @param capacity size of the buffer in numbers; 0 to get only the rank
/// @param rank     gets the number of extents; may be NULL unless capacity is 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_shape(
    datatype: *const asdf_ndl_datatype,
    extents: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(extents, capacity, rank, ["extents", "rank"])?;
        let datatype = caller.handle(datatype, "datatype")?;
        match datatype.kind() {
            DatatypeKind::Array { shape, .. } => out.put(&signed(shape)?),
            _ => Err(wrong_kind(datatype, "shape")),
        }
    })
}

/// Gets the tag of opaque bytes, such as a media type.
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind, one without a tag ASDF_ERR_NOT_FOUND
/// @param buffer   gets the tag
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_tag(
    datatype: *const asdf_ndl_datatype,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let datatype = caller.handle(datatype, "datatype")?;
        match datatype.kind() {
            DatatypeKind::Opaque { tag, .. } => {
                out.put(tag.as_deref().ok_or_else(|| not_found("tag for this datatype"))?)
            }
            _ => Err(wrong_kind(datatype, "tag")),
        }
    })
}

/// Gets the selection of a region reference: "block" or "element".
///
/// @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
/// @param buffer   gets the word
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_selection(
    datatype: *const asdf_ndl_datatype,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let datatype = caller.handle(datatype, "datatype")?;
        match datatype.kind() {
            DatatypeKind::Regref(selection) => out.put(selection.name()),
            _ => Err(wrong_kind(datatype, "selection")),
        }
    })
}

/// Adds an owner to a datatype.
///
/// @param datatype the datatype
/// @param another  gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_retain(
    datatype: *const asdf_ndl_datatype,
    another: *mut *mut asdf_ndl_datatype,
) -> asdf_status {
    guard_retain(datatype, "datatype", another)
}

/// Gives up one owner of a datatype. The last owner frees it.
///
/// @param datatype the datatype, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_datatype_free(datatype: *mut asdf_ndl_datatype) {
    guard_silently(|caller| caller.release(datatype));
}
