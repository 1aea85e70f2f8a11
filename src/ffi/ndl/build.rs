//! Making and altering descriptions.
//!
//! # Making descriptions
//!
//! A builder gets groups, dimension coordinates, arrays and attributes one by one, and what belongs to each; the
//! description itself (asdf_ndl) is made at the end, and never changes. Each call checks what it is given, and changes
//! nothing if it fails. What only the whole can tell (a name that no dimension coordinate has, a path name that is also
//! that of a group, values that are not as many as the shape says) is among the diagnostics of the description, which
//! are those of a text that says the same.
//!
//! Datatypes, storage directives and values are also taken in the notation of the language: "float32", "{array: {base:
//! float32, shape: [3, 3]}}", "[shuffle, {deflate: {level: 5}}]". Where a function takes the name of an attribute, NULL
//! means the array or dimension coordinate itself. A builder is changed by one thread at a time.
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
use crate::error::{Error, Result, Status};
use crate::ffi::array::datatype::scalar_of;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_ndl_builder, asdf_options};
use crate::ffi::options::taken::take;
use crate::ndl::{Attribute, Builder, Datatype, Dimension, Elements, MemoryElements, Place, Size};
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

fn place<'a>(caller: &'a Caller, path: *const c_char, attribute: *const c_char) -> Result<Place<'a>> {
    Ok(Place { path: caller.text(path, "path")?, attribute: caller.optional_text(attribute, "attribute")? })
}

/// An extent, or -1 for one that may grow.
fn size(extent: i64) -> Result<Size> {
    match u64::try_from(extent) {
        Ok(extent) => Ok(Size::Fixed(extent)),
        Err(_) if extent == -1 => Ok(Size::Unlimited),
        Err(_) => Err(Error::new(Status::InvalidArgument, format!("{extent} is neither an extent nor -1"))),
    }
}

fn rank(rank: i32) -> Result<usize> {
    usize::try_from(rank)
        .map_err(|_| Error::new(Status::InvalidArgument, format!("an array cannot have {rank} dimensions")))
}

/// The extents of an attribute, or of values.
fn extents(caller: &Caller, axes: i32, extents: *const i64) -> Result<Vec<u64>> {
    let natural = |&extent: &i64| {
        let message = || Error::new(Status::InvalidArgument, format!("there cannot be {extent} elements"));
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

/// Makes a builder.
///
/// @param from    what it begins with: a description, which stays as it is; NULL for that of an empty file
/// @param builder gets the builder; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_new(
    from: *const asdf_ndl,
    builder: *mut *mut asdf_ndl_builder,
) -> asdf_status {
    guard_handle(builder, "builder", |caller| {
        let from = caller.options(from, "from")?;
        let made = from.map_or_else(Builder::new, |from| Builder::from(from.parsed.description.clone()));
        Ok(ForkMutex::new(made))
    })
}

/// Lists a group; one that is there stays as it is. Groups that others are in need not be added.
///
/// @param builder the builder
/// @param path    the path name; what is none is ASDF_ERR_PATH, that of an array or a dimension coordinate
///                ASDF_ERR_INVALID_ARGUMENT
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
/// @param path     its path name; what is none is ASDF_ERR_PATH, one that something has ASDF_ERR_INVALID_ARGUMENT
/// @param extent   how many elements it has, at least 1, or -1 if it may grow; others are ASDF_ERR_INVALID_ARGUMENT
/// @param datatype its datatype in the notation of the language; what is none is ASDF_ERR_BAD_DATATYPE, what is no YAML
///                 ASDF_ERR_YAML. NULL for none, which the diagnostics warn of
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
/// @param path        its path name; what is none is ASDF_ERR_PATH, one that something has ASDF_ERR_INVALID_ARGUMENT
/// @param rank        number of dimensions
/// @param extents     extent along each dimension, slowest axis first, or -1 if it may grow; not looked at where a
///                    dimension coordinate is named. May be NULL if one is for each
/// @param coordinates for each dimension the dimension coordinate, by its path name, by its name (looked for in the
///                    group of the array, and in those that this is in) or by a relative path; NULL where there is none.
///                    May be NULL altogether
/// @param datatype    its datatype in the notation of the language, or NULL; see asdf_ndl_builder_add_dimcoord()
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

/// Gives a dimension coordinate another size.
///
/// @param builder the builder
/// @param path    its path name; any other is ASDF_ERR_NOT_FOUND
/// @param extent  how many elements it has, at least 1, or -1 if it may grow; others are ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_size(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    extent: i64,
) -> asdf_status {
    change(builder, |caller, builder| builder.set_size(caller.text(path, "path")?, size(extent)?))
}

/// Gives an array another shape.
///
/// @param builder     the builder
/// @param path        its path name; any other is ASDF_ERR_NOT_FOUND
/// @param rank        number of dimensions
/// @param extents     extents, as for asdf_ndl_builder_add_ndarray(); NULL where that takes it
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

/// Gives an array, a dimension coordinate or an attribute another datatype.
///
/// @param builder   the builder
/// @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND, one whose values or fill value
///                  are not taken out before ASDF_ERR_INVALID_ARGUMENT
/// @param attribute the name of an attribute, or NULL
/// @param datatype  the datatype in the notation of the language; what is none is ASDF_ERR_BAD_DATATYPE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_set_datatype(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
    datatype: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| {
        builder.set_datatype(place(caller, path, attribute)?, required_datatype(caller, datatype)?)
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

/// Gives an attribute that is a text, in the place of one that has the name.
///
/// @param builder   the builder
/// @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
/// @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
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

/// Gives an attribute that is an integer, in the place of one that has the name: int32 if it is in its range, else
/// int64.
///
/// @param builder   the builder
/// @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
/// @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
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

/// Gives an attribute that is a float64, in the place of one that has the name.
///
/// @param builder   the builder
/// @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
/// @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
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

/// Gives an attribute of any shape and datatype, in the place of one that has the name. Its value is given after that,
/// by one of the functions below; as long as it is missing, that is an error in the description.
///
/// @param builder   the builder
/// @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
/// @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
/// @param rank      number of dimensions
/// @param extents   extent along each dimension, slowest axis first, from 0; may be NULL for rank 0
/// @param datatype  its datatype in the notation of the language; what is none is ASDF_ERR_BAD_DATATYPE
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

/// Gives numbers, constants by their numbers, or opaque bytes as values.
///
/// They are converted by the rule of asdf_array_read(): what does not fit is ASDF_ERR_OVERFLOW, floats become the
/// nearest. What asdf_ndl_read_values() gives is taken again. A number that no constant of an enum has is
/// ASDF_ERR_VALUE_RANGE, any other datatype ASDF_ERR_CONVERSION.
///
/// @param builder   the builder
/// @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND. Without datatype or shape it is
///                  ASDF_ERR_INCOMPLETE
/// @param attribute the name of an attribute, or NULL
/// @param datatype  code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank      number of dimensions of the values: that of the shape
/// @param extents   how many values there are along each dimension, slowest axis first: as many as are stored
///                  (directive "shape" or "size"), or else as the shape says, any number where it may grow or names a
///                  dimension coordinate. Another number is ASDF_ERR_INVALID_ARGUMENT. May be NULL for rank 0
/// @param elements  the elements in native byte order: in C order, unless the options say how they lie. An array
///                  datatype adds its extents behind those of the values, opaque bytes one of their size. May be NULL if
///                  there are none
/// @param size      bytes of that memory; other than the elements take is ASDF_ERR_INVALID_ARGUMENT
/// @param options   order or strides of the elements, or NULL
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
        let place = place(caller, path, attribute)?;
        let memory_type = scalar_of(datatype)?.into();
        let shape = self::extents(caller, rank, extents)?;
        let bytes = caller.bytes(elements, size, "elements")?;
        let elements = MemoryElements { datatype: &memory_type, bytes, order: &options.order()? };
        builder.set_elements(place, &shape, |datatype| Elements::of_memory(elements, &shape, datatype))
    })
}

/// Gives texts as values; see asdf_ndl_builder_set_values().
///
/// @param builder   the builder
/// @param path      the path name
/// @param attribute the name of an attribute, or NULL
/// @param rank      number of dimensions of the values
/// @param extents   how many values there are along each dimension; may be NULL for rank 0
/// @param bytes     the values in C order, one after the other, UTF-8: value i is in the bytes from offset i to offset
///                  i + 1. Values are texts, which may hold NULs, names of constants of an enum (others are
///                  ASDF_ERR_VALUE_RANGE), or path names that object references hold (what is none is ASDF_ERR_PATH),
///                  "" for none. Another datatype is ASDF_ERR_WRONG_TYPE. May be NULL if all are empty
/// @param size      number of these bytes
/// @param offsets   offsets in the bytes. One below the one before, or outside the bytes, is ASDF_ERR_INVALID_ARGUMENT.
///                  May be NULL if there are no values
/// @param count     number of offsets, one more than values; other than the extents say is ASDF_ERR_INVALID_ARGUMENT
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
        let place = place(caller, path, attribute)?;
        let shape = self::extents(caller, rank, extents)?;
        let texts = caller.texts((bytes, size), (offsets, count))?;
        let texts: Vec<&str> = (0..texts.len()).map(|index| texts.get(index)).collect::<Result<_>>()?;
        builder.set_elements(place, &shape, |datatype| Elements::of_texts(&texts, datatype))
    })
}

/// Gives a value in the notation of the language, whatever the datatype: "[[1, 2], [3, 4]]", "{target: /image, start:
/// [0, 0], opposite: [9, 9]}".
///
/// @param builder   the builder
/// @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param value     the value; NULL takes out the one that is there. What is no YAML is ASDF_ERR_YAML, an element of
///                  another kind than the datatype has ASDF_ERR_WRONG_TYPE, one that is out of range, no constant or no
///                  base64 ASDF_ERR_VALUE_RANGE, lists other than the shape says ASDF_ERR_INVALID_ARGUMENT; without
///                  datatype or shape it is ASDF_ERR_INCOMPLETE
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
        builder.set_value(place(caller, path, attribute)?, caller.optional_string(value, length, "value")?)
    })
}

/// Gives a storage directive, in the notation of the language.
///
/// @param builder   the builder
/// @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param directive "shape" or "size" (of what is stored), "chunk", "filter", "endian", "charset", "fillvalue", or a key
///                  that begins with "x-"; another word, or one that has no meaning here, is ASDF_ERR_INVALID_ARGUMENT
/// @param text      what it is: "[512, 3]", "little"; NULL takes it out. What is wrong with it is
///                  ASDF_ERR_INVALID_ARGUMENT or, of a fill value, as for asdf_ndl_builder_set_value()
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
        let (place, directive) = (place(caller, path, attribute)?, caller.text(directive, "directive")?);
        builder.set_directive(place, directive, caller.optional_string(text, length, "text")?)
    })
}

/// Gives what stands under a key of one's own, which the language keeps and ignores.
///
/// @param builder   the builder
/// @param path      the path name of a group, an array or a dimension coordinate; one that nothing has is
///                  ASDF_ERR_NOT_FOUND. NULL for the description itself
/// @param attribute the name of an attribute, or NULL
/// @param key       the key, which begins with "x-"; another is ASDF_ERR_INVALID_ARGUMENT
/// @param text      YAML of one document; what is none is ASDF_ERR_YAML. NULL takes out what is there
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
        builder.set_extension(place(caller, path, attribute)?, key, text)
    })
}

/// Takes out an attribute, an array, a dimension coordinate, or a group with all that is in it.
///
/// @param builder   the builder
/// @param path      the path name; one that nothing has is ASDF_ERR_NOT_FOUND, the root ASDF_ERR_INVALID_ARGUMENT
/// @param attribute the name of an attribute, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_builder_remove(
    builder: *mut asdf_ndl_builder,
    path: *const c_char,
    attribute: *const c_char,
) -> asdf_status {
    change(builder, |caller, builder| builder.remove(place(caller, path, attribute)?))
}

/// Makes the description of what the builder has; it can go on after that.
///
/// asdf_ndl_is_valid() and asdf_ndl_report() tell errors and warnings, which have no lines and columns. More than
/// a text may hold is ASDF_ERR_LIMIT. A dimension of a description that was read with errors may have neither an extent
/// nor a name, which is ASDF_ERR_INCOMPLETE.
///
/// @param builder the builder
/// @param options as for reading, or NULL
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
