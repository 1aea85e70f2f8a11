//! Walking descriptions: objects by path name.
//!
//! # Content of descriptions
//!
//! Groups, dimension coordinates and arrays have path names ("/", "/site/wind"). No two objects of a description share
//! a path name, whatever their kinds. If a parameter is the name of an attribute, NULL means the array or dimension
//! coordinate itself.
//!
//! ```c
//! int64_t count, extents[ASDF_MAX_RANK];
//! int32_t rank;
//! char path[256], keyword[16];
//! asdf_ndl_count(description, ASDF_NDL_KIND_NDARRAY, &count);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_ndl_path(description, ASDF_NDL_KIND_NDARRAY, i, path, sizeof path, NULL);
//!     asdf_ndl_shape(description, path, NULL, extents, ASDF_MAX_RANK, &rank);
//!     asdf_ndl_keyword(description, path, NULL, keyword, sizeof keyword, NULL);
//!     printf("%s: %s, %d dimensions\n", path, keyword, rank);
//! }
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_ndl;
use crate::ndl::{Attribute, Datatype, Description, Dimension, Named, Storage, Value};
use std::ffi::c_char;

/// A group.
pub const ASDF_NDL_KIND_GROUP: i32 = 1;
/// A dimension coordinate.
pub const ASDF_NDL_KIND_DIMCOORD: i32 = 2;
/// An array.
pub const ASDF_NDL_KIND_NDARRAY: i32 = 3;

/// Common properties of an array, a dimension coordinate and an attribute.
pub(super) struct Subject<'a> {
    extents: Option<Vec<Option<u64>>>,
    coordinates: Vec<Option<&'a str>>,
    pub(super) datatype: Option<&'a Datatype>,
    pub(super) value: Option<&'a Value>,
    pub(super) storage: &'a Storage,
}

pub(super) fn not_found(what: &str) -> Error {
    Error::new(Status::NotFound, format!("the description has no {what}"))
}

fn description(caller: &Caller, ndl: *const asdf_ndl) -> Result<&Description> {
    Ok(&caller.handle(ndl, "ndl")?.parsed.description)
}

impl<'a> Subject<'a> {
    pub(super) fn find(
        caller: &'a Caller,
        ndl: *const asdf_ndl,
        path: *const c_char,
        attribute: *const c_char,
    ) -> Result<Subject<'a>> {
        let description = description(caller, ndl)?;
        let path = caller.text(path, "path")?;
        if let Some(name) = caller.optional_text(attribute, "attribute")? {
            let attributes = description.attributes(path).ok_or_else(|| not_found("object of this path name"))?;
            return attributes.get(name).map(Subject::of_attribute).ok_or_else(|| not_found("attribute of this name"));
        }
        if let Some(dimcoord) = description.dimcoords.get(path) {
            let (datatype, value) = (dimcoord.datatype.as_ref(), dimcoord.value.as_ref());
            return Ok(Subject {
                extents: Some(vec![dimcoord.size.fixed()]),
                coordinates: vec![None],
                datatype,
                value,
                storage: &dimcoord.storage,
            });
        }
        let ndarray = description.ndarrays.get(path).ok_or_else(|| not_found("array of this path name"))?;
        let shape = ndarray.shape.as_deref();
        let extents = |shape: &[Dimension]| shape.iter().map(|dimension| dimension.extent.fixed()).collect();
        let dimensions = shape.unwrap_or_default().iter();
        Ok(Subject {
            extents: shape.map(extents),
            coordinates: dimensions.map(|dimension| dimension.coordinate.as_deref()).collect(),
            datatype: ndarray.datatype.as_ref(),
            value: ndarray.value.as_ref(),
            storage: &ndarray.storage,
        })
    }

    fn of_attribute(attribute: &Attribute) -> Subject<'_> {
        let extents = attribute.shape.as_ref().map(|shape| shape.iter().map(|&extent| Some(extent)).collect());
        let (datatype, value) = (attribute.datatype.as_ref(), attribute.value.as_ref());
        Subject { extents, coordinates: Vec::new(), datatype, value, storage: &attribute.storage }
    }

    pub(super) fn datatype(&self) -> Result<&'a Datatype> {
        self.datatype.ok_or_else(|| not_found("datatype for this object"))
    }
}

pub(super) fn too_large() -> Error {
    Error::new(Status::ValueRange, "the number does not fit int64_t")
}

/// Converts extents to `int64_t`.
pub(super) fn signed(extents: &[u64]) -> Result<Vec<i64>> {
    extents.iter().map(|&extent| i64::try_from(extent).map_err(|_| too_large())).collect()
}

fn unknown_kind(kind: i32) -> Error {
    Error::new(Status::InvalidArgument, format!("{kind} is not a kind of object; use a constant ASDF_NDL_KIND_..."))
}

/// Returns the path name of an object of a kind, by its number in document order.
fn path_at(description: &Description, kind: i32, index: i64) -> Result<&str> {
    const WHAT: &str = "path name";
    match kind {
        ASDF_NDL_KIND_GROUP => Ok(entry(&description.groups, index, WHAT)?.0),
        ASDF_NDL_KIND_DIMCOORD => Ok(entry(&description.dimcoords, index, WHAT)?.0),
        ASDF_NDL_KIND_NDARRAY => Ok(entry(&description.ndarrays, index, WHAT)?.0),
        _ => Err(unknown_kind(kind)),
    }
}

/// Returns the name and the value at an index that the caller passes.
pub(super) fn entry<'a, T>(named: &'a Named<T>, index: i64, what: &str) -> Result<(&'a str, &'a T)> {
    at(index, what, |position| named.at(position))
}

/// Returns the result of `find` for an index that the caller passes.
pub(super) fn at<T>(index: i64, what: &str, find: impl FnOnce(usize) -> Option<T>) -> Result<T> {
    let found = usize::try_from(index).ok().and_then(find);
    found.ok_or_else(|| Error::new(Status::OutOfRange, format!("{what} {index} does not exist")))
}

/// Gets the number of groups, dimension coordinates or arrays. Groups that are not listed count if they have content.
///
/// @param ndl   the description
/// @param kind  ASDF_NDL_KIND_GROUP, ASDF_NDL_KIND_DIMCOORD or ASDF_NDL_KIND_NDARRAY; ASDF_ERR_INVALID_ARGUMENT for any
///              other number
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_count(ndl: *const asdf_ndl, kind: i32, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        let description = description(caller, ndl)?;
        count.put_number(match kind {
            ASDF_NDL_KIND_GROUP => description.groups.len(),
            ASDF_NDL_KIND_DIMCOORD => description.dimcoords.len(),
            ASDF_NDL_KIND_NDARRAY => description.ndarrays.len(),
            _ => return Err(unknown_kind(kind)),
        } as u64);
        Ok(())
    })
}

/// Gets the path name of a group, a dimension coordinate or an array.
///
/// @param ndl      the description
/// @param kind     kind of object, as for asdf_ndl_count()
/// @param index    its number, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the path name
/// @param capacity size of the buffer in bytes
/// @param needed   gets the length of the path name; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_path(
    ndl: *const asdf_ndl,
    kind: i32,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(path_at(description(caller, ndl)?, kind, index)?)
    })
}

/// Gets the kind of the object that has a path name.
///
/// @param ndl  the description
/// @param path path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param kind gets ASDF_NDL_KIND_GROUP, ASDF_NDL_KIND_DIMCOORD or ASDF_NDL_KIND_NDARRAY
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_kind(ndl: *const asdf_ndl, path: *const c_char, kind: *mut i32) -> asdf_status {
    guard(|caller| {
        let kind = caller.out(kind, "kind")?;
        let (description, path) = (description(caller, ndl)?, caller.text(path, "path")?);
        kind.put(match () {
            () if description.groups.contains(path) => ASDF_NDL_KIND_GROUP,
            () if description.dimcoords.contains(path) => ASDF_NDL_KIND_DIMCOORD,
            () if description.ndarrays.contains(path) => ASDF_NDL_KIND_NDARRAY,
            () => return Err(not_found("object of this path name")),
        });
        Ok(())
    })
}

/// Gets the number of attributes of a group, a dimension coordinate or an array.
///
/// @param ndl   the description
/// @param path  path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_attribute_count(
    ndl: *const asdf_ndl,
    path: *const c_char,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        let attributes = description(caller, ndl)?.attributes(caller.text(path, "path")?);
        count.put_number(attributes.ok_or_else(|| not_found("object of this path name"))?.len() as u64);
        Ok(())
    })
}

/// Gets the name of an attribute.
///
/// @param ndl      the description
/// @param path     path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
/// @param index    its number, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_attribute_name(
    ndl: *const asdf_ndl,
    path: *const c_char,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let attributes = description(caller, ndl)?.attributes(caller.text(path, "path")?);
        let attributes = attributes.ok_or_else(|| not_found("object of this path name"))?;
        out.put(entry(attributes, index, "attribute")?.0)
    })
}

/// Gets the shape of an array, a dimension coordinate or an attribute, with or without values.
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or its shape is not valid
/// @param attribute name of the attribute, or NULL for the object itself
/// @param extents   gets the extents, slowest axis first: -1 for an unlimited or unknown one; NULL if capacity is 0
/// @param capacity  size of the buffer in numbers; 0 to get only the rank
/// @param rank      gets the number of extents; may be NULL unless capacity is 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_shape(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    extents: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(extents, capacity, rank, ["extents", "rank"])?;
        let extents = Subject::find(caller, ndl, path, attribute)?
            .extents
            .ok_or_else(|| not_found("valid shape for this object"))?;
        let number =
            |extent: Option<u64>| extent.map_or(Ok(-1), |extent| i64::try_from(extent).map_err(|_| too_large()));
        out.put(&extents.into_iter().map(number).collect::<Result<Vec<i64>>>()?)
    })
}

/// Gets the dimension coordinate of a dimension of an array.
///
/// @param ndl       the description
/// @param path      path name of the array; ASDF_ERR_NOT_FOUND if it does not exist
/// @param dimension number of the dimension, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer    gets the path name of the dimension coordinate; "" if there is none
/// @param capacity  size of the buffer in bytes
/// @param needed    gets the length of the path name; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_coordinate(
    ndl: *const asdf_ndl,
    path: *const c_char,
    dimension: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let coordinates = Subject::find(caller, ndl, path, std::ptr::null())?.coordinates;
        let coordinate = at(dimension, "dimension", |position| coordinates.get(position).copied())?;
        out.put(coordinate.unwrap_or_default())
    })
}

/// Gets the keyword of the datatype: "string", "int8" to "uint64", "float32", "float64", "objref", "opaque", "enum",
/// "regref", "compound", "vlen" or "array".
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no datatype
/// @param attribute name of the attribute, or NULL for the object itself
/// @param buffer    gets the keyword
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_keyword(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(Subject::find(caller, ndl, path, attribute)?.datatype()?.keyword())
    })
}
