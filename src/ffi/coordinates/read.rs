//! Coordinates of files and tables: kind, frame, components and attributes.
//!
//! # Coordinates
//!
//! An asdf_coordinates is what astropy's tags of coordinates describe, in any version: positions on the sky (SkyCoord),
//! a frame with or without positions, coordinates without a frame (representations), a place on Earth, angles, and
//! spectral coordinates. It has components, which are numbers or arrays with a unit, and attributes, which are nodes.
//!
//! All names are those of astropy. A component has a name in its frame, such as "ra", "l" or "pm_ra_cosdec", and a
//! general name: "lon", "lat", "distance", "x", "y", "z", "pm_lon_coslat", "pm_lat", "radial_velocity". Functions find
//! it under both. Angles and spectral coordinates have the one component "value". Attributes of frames are "equinox",
//! "obstime" (asdf_node_get_time()), "location" (coordinates again) and so on.
//!
//! ```c
//! asdf_coordinates *sky = NULL;
//! char frame[30];
//! int64_t count;
//! asdf_node_get_coordinates(root, "target", &sky);
//! asdf_coordinates_frame(sky, frame, sizeof frame, NULL);
//! asdf_coordinates_count(sky, &count);
//! double *ra = malloc(count * sizeof *ra);
//! asdf_coordinates_read(sky, "lon", "deg", NULL, ra, count);
//! asdf_coordinates_free(sky);
//! ```

use super::make::read_options;
use crate::ffi::boundary::arguments::element;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::outputs::too_small;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_coordinates, asdf_node, asdf_options, asdf_table};
use crate::ffi::options::taken::take;
use crate::ffi::table::look::open;
use crate::file::File;
use crate::standard::{Coordinates, CoordinatesKind};
use std::ffi::c_char;

impl Class for asdf_coordinates {
    const TAG: u32 = u32::from_be_bytes(*b"CORD");
    const NAME: &'static str = "asdf_coordinates";
    type Value = Coordinates;

    fn file(coordinates: &Coordinates) -> Option<usize> {
        Some(File::family_number(coordinates.node().file()))
    }
}

/// Kind: positions on the sky or in space in a frame, astropy's SkyCoord.
pub const ASDF_COORDINATES_KIND_SKY: i32 = 1;
/// Kind: a frame, with or without positions.
pub const ASDF_COORDINATES_KIND_FRAME: i32 = 2;
/// Kind: positions or velocities without a frame, astropy's representations and differentials.
pub const ASDF_COORDINATES_KIND_REPRESENTATION: i32 = 3;
/// Kind: places on Earth, in geocentric coordinates.
pub const ASDF_COORDINATES_KIND_EARTH_LOCATION: i32 = 4;
/// Kind: angles.
pub const ASDF_COORDINATES_KIND_ANGLE: i32 = 5;
/// Kind: latitudes.
pub const ASDF_COORDINATES_KIND_LATITUDE: i32 = 6;
/// Kind: longitudes, with the attribute "wrap_angle".
pub const ASDF_COORDINATES_KIND_LONGITUDE: i32 = 7;
/// Kind: wavelengths, frequencies, energies or velocities, with the attributes "observer" and "target".
pub const ASDF_COORDINATES_KIND_SPECTRAL: i32 = 8;

/// Reads coordinates at a path: astropy's coordinates/skycoord, coordinates/frames/..., representation, earthlocation,
/// angle, latitude, longitude and spectralcoord in any version, and the standard's wcs/icrs_coord. Numbers are read
/// later, so the handle keeps the file open.
///
/// Errors:
///
/// - ASDF_ERR_WRONG_TYPE for any other node
/// - ASDF_ERR_TAG_CONTENT if a required part is missing
///
/// @param node        node that the path starts from
/// @param path        the path
/// @param coordinates gets the coordinates; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_coordinates(
    node: *const asdf_node,
    path: *const c_char,
    coordinates: *mut *mut asdf_coordinates,
) -> asdf_status {
    guard_handle(coordinates, "coordinates", |caller| {
        Coordinates::read(caller.handle(node, "node")?, caller.text(path, "path")?)
    })
}

/// Gets the coordinates of a logical column: positions, places on Earth, coordinates without a frame or angles (see
/// Logical columns). They are those of this moment, and do not depend on the table.
///
/// @param table       the table
/// @param name        name of the logical column; ASDF_ERR_NOT_FOUND if there is none, ASDF_ERR_WRONG_TYPE if it is not
///                    one of coordinates
/// @param coordinates gets the coordinates; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_get_coordinates(
    table: *const asdf_table,
    name: *const c_char,
    coordinates: *mut *mut asdf_coordinates,
) -> asdf_status {
    guard_handle(coordinates, "coordinates", |caller| {
        let table = open(caller, table)?.clone();
        table.coordinates(caller.text(name, "name")?)
    })
}

/// Gets the kind of coordinates.
///
/// @param coordinates the coordinates
/// @param kind        gets an ASDF_COORDINATES_KIND_ constant
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_kind(coordinates: *const asdf_coordinates, kind: *mut i32) -> asdf_status {
    guard(|caller| {
        let kind = caller.out(kind, "kind")?;
        kind.put(kind_number(caller.handle(coordinates, "coordinates")?.kind()));
        Ok(())
    })
}

/// Gets the name of the frame as astropy has it: "icrs", "fk5", "galactic", "altaz". Empty without a frame.
///
/// @param coordinates the coordinates
/// @param buffer      gets the name
/// @param capacity    size of the buffer in bytes
/// @param needed      gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_frame(
    coordinates: *const asdf_coordinates,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(coordinates, "coordinates")?.frame())
    })
}

/// Gets the name of the representation of positions as astropy has it: "spherical", "unitspherical", "cartesian",
/// "cylindrical". Empty without positions.
///
/// @param coordinates the coordinates
/// @param buffer      gets the name
/// @param capacity    size of the buffer in bytes
/// @param needed      gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_representation(
    coordinates: *const asdf_coordinates,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(coordinates, "coordinates")?.representation())
    })
}

/// Gets the name of the representation of velocities as astropy has it: "sphericalcoslat", "spherical", "cartesian".
/// Empty without velocities.
///
/// @param coordinates the coordinates
/// @param buffer      gets the name
/// @param capacity    size of the buffer in bytes
/// @param needed      gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_differential(
    coordinates: *const asdf_coordinates,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(coordinates, "coordinates")?.differential())
    })
}

/// Gets the extents of the points, slowest axis first. All components have this shape, or are single numbers.
///
/// @param coordinates the coordinates; ASDF_ERR_TAG_CONTENT if components differ in their shape
/// @param shape       gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity    size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                    rank
/// @param rank        gets the number of axes, 0 for a single point; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_shape(
    coordinates: *const asdf_coordinates,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        out.put(&caller.handle(coordinates, "coordinates")?.shape()?)
    })
}

/// Gets the number of points, the product of the extents.
///
/// @param coordinates the coordinates; ASDF_ERR_TAG_CONTENT if components differ in their shape
/// @param count       gets the number, 1 for a single point, 0 for a frame without positions
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_count(coordinates: *const asdf_coordinates, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(coordinates, "coordinates")?.count()? as u64);
        Ok(())
    })
}

/// Gets the number of components.
///
/// @param coordinates the coordinates
/// @param count       gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_component_count(
    coordinates: *const asdf_coordinates,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(coordinates, "coordinates")?.names().len() as u64);
        Ok(())
    })
}

/// Gets the name of a component in its frame: "ra", "dec", "distance". Longitude, latitude and distance, or x, y and z,
/// come first; velocities come last.
///
/// @param coordinates the coordinates
/// @param index       its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer      gets the name
/// @param capacity    size of the buffer in bytes
/// @param needed      gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_component_name(
    coordinates: *const asdf_coordinates,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let names: Vec<&str> = caller.handle(coordinates, "coordinates")?.names().collect();
        out.put(element(&names, index, "component")?)
    })
}

/// Tests whether coordinates have a component.
///
/// @param coordinates the coordinates
/// @param name        name of the component in its frame, or its general name
/// @param has         gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_has_component(
    coordinates: *const asdf_coordinates,
    name: *const c_char,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let has = caller.out(has, "has")?;
        let coordinates = caller.handle(coordinates, "coordinates")?;
        has.put(i32::from(coordinates.has(caller.text(name, "name")?)));
        Ok(())
    })
}

/// Gets the unit of a component, as the file has it.
///
/// @param coordinates the coordinates
/// @param name        name of the component in its frame, or its general name; ASDF_ERR_NOT_FOUND if there is none
/// @param buffer      gets the unit; empty if the numbers have no dimension
/// @param capacity    size of the buffer in bytes
/// @param needed      gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_unit(
    coordinates: *const asdf_coordinates,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let coordinates = caller.handle(coordinates, "coordinates")?;
        out.put(coordinates.unit(caller.text(name, "name")?)?)
    })
}

/// Reads all numbers of a component as doubles, in C order, converted to a unit. Missing ones are NaN. A single number
/// is repeated for all points.
///
/// @param coordinates the coordinates
/// @param name        name of the component in its frame, or its general name; ASDF_ERR_NOT_FOUND if there is none
/// @param unit        the unit, in any spelling; ASDF_ERR_UNITS if that of the component cannot be converted to it. NULL
///                    for the unit of the component
/// @param options     options, or NULL for the defaults
/// @param values      gets the numbers
/// @param capacity    size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of points
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_read(
    coordinates: *const asdf_coordinates,
    name: *const c_char,
    unit: *const c_char,
    options: *const asdf_options,
    values: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let coordinates = caller.handle(coordinates, "coordinates")?;
        let name = caller.text(name, "name")?;
        let unit = caller.optional_text(unit, "unit")?;
        let options = read_options(&take(caller, options, "asdf_coordinates_read")?);
        caller.out(values, "values")?;
        let count = coordinates.count()?;
        if coordinates.has(name) && capacity < count {
            return Err(too_small(capacity, count));
        }
        let numbers = coordinates.numbers(name, unit, &options)?;
        caller.numbers_out(values, numbers.len(), "values")?.copy_from_slice(&numbers);
        Ok(())
    })
}

/// Gets the array of a component, whose numbers have the unit of the component.
///
/// @param coordinates the coordinates
/// @param name        name of the component in its frame, or its general name; ASDF_ERR_NOT_FOUND if there is none,
///                    ASDF_ERR_WRONG_TYPE if it is a single number
/// @param array       gets the array; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_array(
    coordinates: *const asdf_coordinates,
    name: *const c_char,
    array: *mut *mut asdf_array,
) -> asdf_status {
    guard_handle(array, "array", |caller| {
        let coordinates = caller.handle(coordinates, "coordinates")?;
        coordinates.array(caller.text(name, "name")?)
    })
}

/// Gets the number of attributes.
///
/// @param coordinates the coordinates
/// @param count       gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_attribute_count(
    coordinates: *const asdf_coordinates,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(coordinates, "coordinates")?.attributes().len() as u64);
        Ok(())
    })
}

/// Gets the name of an attribute: "equinox", "obstime", "location".
///
/// @param coordinates the coordinates
/// @param index       its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer      gets the name
/// @param capacity    size of the buffer in bytes
/// @param needed      gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_attribute_name(
    coordinates: *const asdf_coordinates,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let attributes = caller.handle(coordinates, "coordinates")?.attributes();
        let (name, _) = element(attributes, index, "attribute")?;
        out.put(name)
    })
}

/// Gets the node of an attribute: a time (asdf_node_get_time()), coordinates (asdf_node_get_coordinates()), a quantity
/// (asdf_node_get_f64() and asdf_node_get_unit()) or text.
///
/// @param coordinates the coordinates
/// @param name        name of the attribute; ASDF_ERR_NOT_FOUND if there is none
/// @param node        gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_attribute(
    coordinates: *const asdf_coordinates,
    name: *const c_char,
    node: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(node, "node", |caller| {
        let coordinates = caller.handle(coordinates, "coordinates")?;
        Ok(coordinates.attribute(caller.text(name, "name")?)?.clone())
    })
}

/// Adds an owner to coordinates.
///
/// @param coordinates the coordinates
/// @param another     gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_retain(
    coordinates: *const asdf_coordinates,
    another: *mut *mut asdf_coordinates,
) -> asdf_status {
    guard_retain(coordinates, "coordinates", another)
}

/// Gives up one owner of coordinates. The last owner frees them.
///
/// @param coordinates the coordinates; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_coordinates_free(coordinates: *mut asdf_coordinates) {
    guard_silently(|caller| caller.release(coordinates));
}

/// Returns the constant of a kind.
fn kind_number(kind: CoordinatesKind) -> i32 {
    match kind {
        CoordinatesKind::SkyCoord => ASDF_COORDINATES_KIND_SKY,
        CoordinatesKind::Frame => ASDF_COORDINATES_KIND_FRAME,
        CoordinatesKind::Representation => ASDF_COORDINATES_KIND_REPRESENTATION,
        CoordinatesKind::EarthLocation => ASDF_COORDINATES_KIND_EARTH_LOCATION,
        CoordinatesKind::Angle => ASDF_COORDINATES_KIND_ANGLE,
        CoordinatesKind::Latitude => ASDF_COORDINATES_KIND_LATITUDE,
        CoordinatesKind::Longitude => ASDF_COORDINATES_KIND_LONGITUDE,
        CoordinatesKind::Spectral => ASDF_COORDINATES_KIND_SPECTRAL,
    }
}
