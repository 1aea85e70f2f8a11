//! Building and changing descriptions.
//!
//! # Making descriptions
//!
//! A builder collects groups, dimension coordinates, arrays and attributes, one call for each. At the end
//! asdf_ndl_builder_finish() makes the description (asdf_ndl), which never changes. Each call checks its arguments, and
//! changes nothing if it fails. Errors that only the whole description can have are diagnostics of the description: an
//! unknown dimension coordinate, a path name that a group has, too, or a number of values that differs from the shape.
//! The diagnostics equal those of an NDL text with the same content.
//!
//! Datatypes, storage directives and values can be passed in NDL notation: "float32", "{array: {base: float32, shape:
//! [3, 3]}}", "[shuffle, {deflate: {level: 5}}]". If a parameter is the name of an attribute, NULL means the array or
//! dimension coordinate itself. Only one thread at a time may use a builder.
//!
//! ```c
//! static const int64_t shape[] = {-1, 3};                  // -1: it may grow
//! static const char *const coordinates[] = {"time", NULL};
//! asdf_ndl_builder *builder = NULL;
//! asdf_ndl *description = NULL;
//! asdf_ndl_builder_new(NULL, &builder);
//! asdf_ndl_builder_add_dimcoord(builder, "/time", -1, "float64");
//! asdf_ndl_builder_add_ndarray(builder, "/wind", 2, shape, coordinates, "float32");
//! asdf_ndl_builder_set_attribute_string(builder, "/wind", "units", "m/s", 3);
//! asdf_ndl_builder_set_storage(builder, "/wind", NULL, "chunk", "[512, 3]", 8);
//! asdf_ndl_builder_finish(builder, NULL, &description);
//! asdf_ndl_builder_free(builder);
//! asdf_ndl_write(description, "model.yaml", NULL);
//! ```

use super::read::ReadDescription;
use super::read::read_options;
use super::values::value_type;
use crate::error::{Error, Result, Status};
use crate::ffi::array::options::memory_order;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_ndl_builder, asdf_options};
use crate::ffi::options::taken::take;
use crate::ndl::{Address, Attribute, Builder, Datatype, Dimension, Elements, MemoryElements, Size};
use crate::process::ForkMutex;
use std::ffi::{c_char, c_void};

impl Class for asdf_ndl_builder {
    const TAG: u32 = u32::from_be_bytes(*b"NDLB");
    const NAME: &'static str = "asdf_ndl_builder";
    type Value = ForkMutex<Builder>;
}

/// Changes a builder.
fn change(builder: *mut asdf_ndl_builder, change: impl FnOnce(&Caller, &mut Builder) -> Result<()>) -> asdf_status {
    guard(|caller| {
        let builder = caller.handle(builder, "builder")?;
        change(caller, &mut *builder.lock()?)
    })
}

fn address<'a>(caller: &'a Caller, path: *const c_char, attribute: *const c_char) -> Result<Address<'a>> {
    Ok(Address { path: caller.text(path, "path")?, attribute: caller.optional_text(attribute, "attribute")? })
}

/// Converts an extent, or -1 for an unlimited one.
fn size(extent: i64) -> Result<Size> {
    match u64::try_from(extent) {
        Ok(extent) => Ok(Size::Fixed(extent)),
        Err(_) if extent == -1 => Ok(Size::Unlimited),
        Err(_) => Err(Error::new(
            Status::InvalidArgument,
            format!("the extent is {extent}, but must be 0 or more, or -1 for an unlimited dimension"),
        )),
    }
}

fn rank(rank: i32) -> Result<usize> {
    usize::try_from(rank)
        .map_err(|_| Error::new(Status::InvalidArgument, format!("the rank is {rank}, but must be 0 or more")))
}

/// The extents of an attribute, or of values.
fn extents(caller: &Caller, axes: i32, extents: *const i64) -> Result<Vec<u64>> {
    let natural = |&extent: &i64| {
        let message = || Error::new(Status::InvalidArgument, format!("the extent is {extent}, but must be 0 or more"));
        u64::try_from(extent).map_err(|_| message())
    };
    caller.numbers(extents, rank(axes)?, "extents")?.iter().map(natural).collect()
}

/// The dimensions of an array.
fn shape(caller: &Caller, axes: i32, extents: *const i64, coordinates: *const *const c_char) -> Result<Vec<Dimension>> {
    let rank = rank(axes)?;
    let names = if coordinates.is_null() { &[] } else { caller.numbers(coordinates, rank, "coordinates")? };
    let are_all_named = names.len() == rank && names.iter().all(|name| !name.is_null());
    let extents = if extents.is_null() && are_all_named { &[] } else { caller.numbers(extents, rank, "extents")? };
    let dimension = |position: usize| {
        let name = names.get(position).copied().unwrap_or(std::ptr::null());
        if let Some(name) = caller.optional_text(name, "coordinates")? {
            return Ok(Dimension::named(name));
        }
        let extent = extents.get(position).copied().ok_or_else(|| null_pointer("extents"))?;
        Ok(Dimension { extent: size(extent)?, ..Dimension::default() })
    };
    (0..rank).map(dimension).collect()
}

fn datatype(caller: &Caller, datatype: *const c_char) -> Result<Option<Datatype>> {
    caller.optional_text(datatype, "datatype")?.map(str::parse).transpose()
}

fn required_datatype(caller: &Caller, datatype: *const c_char) -> Result<Datatype> {
    caller.text(datatype, "datatype")?.parse()
}

/// Creates a builder.
///
/// @param from    description to start from, which stays unchanged; NULL for an empty description
/// @param builder gets the builder; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_new(
    from: *const asdf_ndl,
    builder: *mut *mut asdf_ndl_builder,
) -> asdf_status {
    guard_handle(builder, "builder", |caller| {
        let from = caller.options(from, "from")?;
        let made = match from {
            Some(from) => Builder::from(from.parsed.description.copied()?),
            None => Builder::new(),
        };
        Ok(ForkMutex::new(made))
    })
}

/// Adds a group. An existing group stays unchanged. Parent groups of other objects need not be added.
///
/// @param builder the builder
/// @param path    path name of the group; ASDF_ERR_PATH if malformed; ASDF_ERR_INVALID_ARGUMENT if an array or a
///                dimension coordinate has it
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_add_group(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| builder.add_group(caller.text(path, "path")?))
}

/// Adds a dimension coordinate.
///
/// @param builder  the builder
/// @param path     its path name; ASDF_ERR_PATH if malformed; ASDF_ERR_INVALID_ARGUMENT if it exists
/// @param extent   number of elements, at least 1, or -1 if unlimited; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param datatype its datatype in NDL notation; ASDF_ERR_BAD_DATATYPE if it is not a datatype; ASDF_ERR_YAML if it is
///                 not YAML. NULL for none, which gives a warning in the diagnostics
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_add_dimcoord(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    extent: i64,
    datatype: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| {
        let path = caller.text(path, "path")?;
        builder.add_dimcoord(path, size(extent)?, self::datatype(caller, datatype)?)
    })
}

/// Adds an array.
///
/// @param builder     the builder
/// @param path        its path name; ASDF_ERR_PATH if malformed; ASDF_ERR_INVALID_ARGUMENT if it exists
/// @param rank        number of dimensions
/// @param extents     extent along each dimension, slowest axis first, or -1 if unlimited; ignored for a dimension with
///                    a dimension coordinate. May be NULL if every dimension has one
/// @param coordinates dimension coordinate of each dimension: its path name, its name (searched in the group of the
///                    array and in the parent groups) or a relative path; NULL for a dimension without one. May be NULL
///                    for none at all
/// @param datatype    its datatype in NDL notation, or NULL; see asdf_ndl_builder_add_dimcoord()
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_add_ndarray(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    rank: i32,
    extents: *const i64,
    coordinates: *const *const c_char,
    datatype: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| {
        let path = caller.text(path, "path")?;
        let shape = shape(caller, rank, extents, coordinates)?;
        builder.add_ndarray(path, shape, self::datatype(caller, datatype)?)
    })
}

/// Changes the size of a dimension coordinate.
///
/// @param builder the builder
/// @param path    its path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param extent  number of elements, at least 1, or -1 if unlimited; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_size(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    extent: i64,
) -> asdf_status {
    change(builder, |caller, builder| builder.set_size(caller.text(path, "path")?, size(extent)?))
}

/// Changes the shape of an array.
///
/// @param builder     the builder
/// @param path        its path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param rank        number of dimensions
/// @param extents     extents, as for asdf_ndl_builder_add_ndarray(); may be NULL under the same condition
/// @param coordinates dimension coordinates, as for asdf_ndl_builder_add_ndarray(), or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_shape(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    rank: i32,
    extents: *const i64,
    coordinates: *const *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| {
        let path = caller.text(path, "path")?;
        builder.set_shape(path, shape(caller, rank, extents, coordinates)?)
    })
}

/// Changes the datatype of an array, a dimension coordinate or an attribute.
///
/// @param builder   the builder
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist; ASDF_ERR_INVALID_ARGUMENT if it still has
///                  values or a fill value (remove them first)
/// @param attribute name of the attribute, or NULL for the object itself
/// @param datatype  datatype in NDL notation; ASDF_ERR_BAD_DATATYPE if it is not a datatype
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_datatype(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    datatype: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| {
        builder.set_datatype(address(caller, path, attribute)?, required_datatype(caller, datatype)?)
    })
}

fn set_attribute(
    builder: *mut asdf_ndl_builder,
    (path, attribute): (*const c_char, *const c_char),
    make: impl FnOnce(&Caller) -> Result<Attribute>,
) -> asdf_status {
    change(builder, |caller, builder| {
        let (path, name) = (caller.text(path, "path")?, caller.text(attribute, "attribute")?);
        builder.set_attribute(path, name, make(caller)?)
    })
}

/// Sets a text attribute; it replaces an existing one of the name.
///
/// @param builder   the builder
/// @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
/// @param text      the text
/// @param length    its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_attribute_string(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    set_attribute(builder, (path, attribute), |caller| Ok(Attribute::text(caller.string(text, length, "text")?)))
}

/// Sets an integer attribute; it replaces an existing one of the name. Its datatype is int32 if the value fits,
/// otherwise int64.
///
/// @param builder   the builder
/// @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
/// @param value     the integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_attribute_i64(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    value: i64,
) -> asdf_status {
    set_attribute(builder, (path, attribute), |_| Ok(Attribute::integer(value)))
}

/// Sets a float64 attribute; it replaces an existing one of the name.
///
/// @param builder   the builder
/// @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
/// @param value     the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_attribute_f64(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    value: f64,
) -> asdf_status {
    set_attribute(builder, (path, attribute), |_| Ok(Attribute::float(value)))
}

/// Sets an attribute of any shape and datatype, without a value; it replaces an existing one of the name. Set its value
/// afterwards with one of the functions below; without a value, the description has an error.
///
/// @param builder   the builder
/// @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
/// @param rank      number of dimensions
/// @param extents   extent along each dimension, slowest axis first, 0 or more; may be NULL for rank 0
/// @param datatype  its datatype in NDL notation; ASDF_ERR_BAD_DATATYPE if it is not a datatype
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_attribute(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    rank: i32,
    extents: *const i64,
    datatype: *const c_char,
) -> asdf_status {
    set_attribute(builder, (path, attribute), |caller| {
        let shape = Some(self::extents(caller, rank, extents)?);
        Ok(Attribute { shape, datatype: Some(required_datatype(caller, datatype)?), ..Attribute::default() })
    })
}

/// Sets values from numbers, from the numbers of enum constants, or from opaque bytes.
///
/// Numbers are converted by the rules of asdf_array_read(): floats are rounded to the nearest value, and a value that
/// does not fit is ASDF_ERR_OVERFLOW. The function accepts all output of asdf_ndl_read_values(). ASDF_ERR_VALUE_RANGE
/// if no constant of an enum has the number; ASDF_ERR_CONVERSION for all other datatypes.
///
/// @param builder   the builder
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist; ASDF_ERR_INCOMPLETE if it has no datatype or
///                  shape
/// @param attribute name of the attribute, or NULL for the object itself
/// @param datatype  code of the scalar type of the elements, or 0 as in asdf_ndl_read_values();
///                  ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param rank      number of dimensions of the values; must be that of the shape
/// @param extents   number of values along each dimension, slowest axis first: that of the storage directive "shape" or
///                  "size", or else of the shape; any number for a dimension that is unlimited or has a dimension
///                  coordinate. ASDF_ERR_INVALID_ARGUMENT for any other number. May be NULL for rank 0
/// @param elements  the elements in native byte order, in C order unless the options set an order or strides. An array
///                  datatype appends its extents to those of the values; opaque bytes append one extent, their size.
///                  May be NULL if there are no elements
/// @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
/// @param options   datatype, order or strides of the elements, or NULL for C order
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_values(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    datatype: i32,
    rank: i32,
    extents: *const i64,
    elements: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    change(builder, |caller, builder| {
        let options = take(caller, options, "asdf_ndl_builder_set_values")?;
        let address = address(caller, path, attribute)?;
        let shape = self::extents(caller, rank, extents)?;
        let bytes = caller.bytes(elements, size, "elements")?;
        let order = &memory_order(&options)?;
        builder.set_elements(address, &shape, |declared| {
            let datatype = &*value_type(declared, datatype, &options)?;
            Elements::of_memory(MemoryElements { datatype, bytes, order }, &shape, declared)
        })
    })
}

/// Sets values from texts; see asdf_ndl_builder_set_values().
///
/// @param builder   the builder
/// @param path      path name
/// @param attribute name of the attribute, or NULL for the object itself
/// @param rank      number of dimensions of the values
/// @param extents   number of values along each dimension; may be NULL for rank 0
/// @param bytes     the values in UTF-8, in C order, one after the other: value i occupies the bytes from offset i to
///                  offset i + 1. A value is a text (which may contain NULs), the name of an enum constant
///                  (ASDF_ERR_VALUE_RANGE if there is none), or the path name of an object reference, "" for none
///                  (ASDF_ERR_PATH if malformed). ASDF_ERR_WRONG_TYPE for other datatypes. May be NULL if all values
///                  are empty
/// @param size      number of these bytes
/// @param offsets   ascending offsets in the bytes; ASDF_ERR_INVALID_ARGUMENT if they descend or lie outside the bytes.
///                  May be NULL if there are no values
/// @param count     number of offsets, one more than values; ASDF_ERR_INVALID_ARGUMENT if it does not match the extents
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_texts(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    rank: i32,
    extents: *const i64,
    bytes: *const c_char,
    size: usize,
    offsets: *const i64,
    count: i64,
) -> asdf_status {
    change(builder, |caller, builder| {
        let address = address(caller, path, attribute)?;
        let shape = self::extents(caller, rank, extents)?;
        let texts = caller.texts((bytes, size), (offsets, count))?;
        let texts: Vec<&str> = (0..texts.len()).map(|index| texts.get(index)).collect::<Result<_>>()?;
        builder.set_elements(address, &shape, |datatype| Elements::of_texts(&texts, datatype))
    })
}

/// Sets a value of any datatype in NDL notation: "[[1, 2], [3, 4]]", "{target: /image, start: [0, 0], opposite: [9,
/// 9]}".
///
/// Errors:
///
/// - ASDF_ERR_YAML if the text is not YAML
/// - ASDF_ERR_WRONG_TYPE if an element is not of the kind of the datatype
/// - ASDF_ERR_VALUE_RANGE if an element is out of range, not an enum constant, or not base64
/// - ASDF_ERR_INVALID_ARGUMENT if the lists do not match the shape
/// - ASDF_ERR_INCOMPLETE if datatype or shape is missing
///
/// @param builder   the builder
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute, or NULL for the object itself
/// @param value     the value; NULL removes an existing value
/// @param length    its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_value(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    value: *const c_char,
    length: usize,
) -> asdf_status {
    change(builder, |caller, builder| {
        builder.set_value(address(caller, path, attribute)?, caller.optional_string(value, length, "value")?)
    })
}

/// Sets a storage directive, in NDL notation.
///
/// @param builder   the builder
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute, or NULL for the object itself
/// @param directive "shape" or "size" (stored extents), "chunk", "filter", "endian", "charset", "fillvalue", or a key
///                  that begins with "x-"; ASDF_ERR_INVALID_ARGUMENT for any other word, or if the directive does not
///                  apply here
/// @param text      value of the directive: "[512, 3]", "little"; NULL removes it. ASDF_ERR_INVALID_ARGUMENT if it is
///                  not valid; for a fill value, the errors of asdf_ndl_builder_set_value()
/// @param length    its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_storage(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    directive: *const c_char,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    change(builder, |caller, builder| {
        let (address, directive) = (address(caller, path, attribute)?, caller.text(directive, "directive")?);
        builder.set_directive(address, directive, caller.optional_string(text, length, "text")?)
    })
}

/// Sets the content of an extension key ("x-..."), which NDL keeps and ignores.
///
/// @param builder   the builder
/// @param path      path name of a group, an array or a dimension coordinate; ASDF_ERR_NOT_FOUND if it does not exist.
///                  NULL for the description itself
/// @param attribute name of the attribute, or NULL for the object itself
/// @param key       the key; ASDF_ERR_INVALID_ARGUMENT if it does not begin with "x-"
/// @param text      one YAML document; ASDF_ERR_YAML if it is not. NULL removes existing content
/// @param length    its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_extension(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    key: *const c_char,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    change(builder, |caller, builder| {
        let (key, text) = (caller.text(key, "key")?, caller.optional_string(text, length, "text")?);
        if path.is_null() && attribute.is_null() {
            return builder.set_root_extension(key, text);
        }
        builder.set_extension(address(caller, path, attribute)?, key, text)
    })
}

/// Removes an attribute, an array, a dimension coordinate, or a group with its content.
///
/// @param builder   the builder
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist; ASDF_ERR_INVALID_ARGUMENT for the root
/// @param attribute name of the attribute, or NULL for the object itself
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_remove(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| builder.remove(address(caller, path, attribute)?))
}

/// Makes a description from the current content of the builder, which can be used further.
///
/// asdf_ndl_is_valid() and asdf_ndl_report() return its errors and warnings, which have no lines and columns. Fails
/// with ASDF_ERR_LIMIT if the description exceeds the limits of a text, and with ASDF_ERR_INCOMPLETE if a dimension has
/// neither an extent nor a name (possible if the builder started from a description with errors).
///
/// @param builder the builder
/// @param options options as for asdf_ndl_read(), or NULL for the defaults
/// @param ndl     gets the description; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_finish(
    builder: *const asdf_ndl_builder,
    options: *const asdf_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let options = take(caller, options, "asdf_ndl_builder_finish")?;
        let builder = caller.handle(builder, "builder")?.lock()?;
        let parsed = builder.finish(&read_options(&options))?;
        ReadDescription::new(None, parsed)
    })
}

/// Frees a builder.
///
/// @param builder the builder, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_free(builder: *mut asdf_ndl_builder) {
    guard_silently(|caller| caller.release(builder));
}
