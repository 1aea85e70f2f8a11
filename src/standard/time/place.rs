//! The place on Earth of points in time, as geocentric coordinates in metres.

use super::read_node::optional;
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::standard::units::node::parsed;
use crate::standard::units::{Spelling, Unit};

/// Equatorial radius in metres and flattening of the ellipsoid WGS84.
const RADIUS: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// Reads a place: geocentric `x`, `y`, `z`, or, in version 1.0.0, geodetic `long` and `lat` in degrees with a height
/// `h`. Each is a quantity, or a number in the common `unit`.
pub(super) fn read(node: &Node) -> Result<Vec<[f64; 3]>> {
    let (metre, degree) = (Unit::parse("m", Spelling::Generic)?, Unit::parse("deg", Spelling::Generic)?);
    let common = parsed(node)?;
    let common = common.as_ref().unwrap_or(&metre);
    let coordinates = |keys: [&str; 3], units: [[&Unit; 2]; 3]| -> Result<Vec<[f64; 3]>> {
        let mut columns = Vec::new();
        for (key, [unit, wanted]) in keys.iter().zip(units) {
            columns.push(coordinate(node, key, unit, wanted)?);
        }
        let count = columns.iter().map(Vec::len).max().unwrap_or(0);
        if columns.iter().any(|column| column.len() != count) {
            return Err(node.locate(Error::new(Status::TagContent, "the coordinates of places differ in number")));
        }
        let place = |index| {
            [0, 1, 2].map(|axis: usize| {
                columns.get(axis).and_then(|column: &Vec<f64>| column.get(index).copied()).unwrap_or(f64::NAN)
            })
        };
        Ok((0..count).map(place).collect())
    };
    if optional(node, "long")?.is_some() {
        let units = [[&degree; 2], [&degree; 2], [common, &metre]];
        return Ok(coordinates(["long", "lat", "h"], units)?.into_iter().map(geocentric).collect());
    }
    coordinates(["x", "y", "z"], [[common, &metre]; 3])
}

/// Reads one coordinate of all places, and converts it to the wanted unit. Without a unit of its own it is in `unit`.
fn coordinate(node: &Node, key: &str, unit: &Unit, wanted: &Unit) -> Result<Vec<f64>> {
    let Some(found) = optional(node, key)? else {
        // The height is optional.
        if key == "h" {
            return Ok(vec![0.0]);
        }
        let message = format!("the place has no key '{key}'");
        return Err(node.locate(Error::new(Status::TagContent, message)));
    };
    let own = parsed(&found)?;
    let conversion = own.as_ref().unwrap_or(unit).conversion_to(wanted, &[]).map_err(|error| found.locate(error))?;
    let value = if found.is_array("")? || found.node_type("")? == NodeType::Sequence {
        found.array("")?.read_vec::<f64>()?
    } else {
        vec![number(&found)?]
    };
    Ok(value.into_iter().map(|value| conversion.apply(value)).collect())
}

fn number(node: &Node) -> Result<f64> {
    match node.node_type("")? {
        NodeType::Mapping => node.f64("value"),
        _ => node.f64(""),
    }
}

/// Converts longitude and latitude in degrees and a height in metres.
fn geocentric([longitude, latitude, height]: [f64; 3]) -> [f64; 3] {
    let (sine, cosine) = latitude.to_radians().sin_cos();
    let eccentricity = FLATTENING * (2.0 - FLATTENING);
    let normal = RADIUS / (1.0 - eccentricity * sine * sine).sqrt();
    let (east, north) = longitude.to_radians().sin_cos();
    let distance = (normal + height) * cosine;
    [distance * north, distance * east, (normal * (1.0 - eccentricity) + height) * sine]
}

/// Stores places under `location` of a node, in the form of the version of `time/time`.
pub(super) fn write(node: &Node, places: &[[f64; 3]], shape: &[i64], is_first_version: bool) -> Result<()> {
    for (axis, key) in ["x", "y", "z"].iter().enumerate() {
        let path = if is_first_version { format!("location/{key}") } else { format!("location/{key}/value") };
        let values: Vec<f64> = places.iter().filter_map(|place| place.get(axis).copied()).collect();
        match values[..] {
            [value] => node.set_f64(&path, value)?,
            _ => node.set_array(&path, &values, shape)?,
        }
        if !is_first_version {
            node.set_quantity(&format!("location/{key}"), Some("m"))?;
        }
    }
    if is_first_version {
        node.set_string("location/unit", "m")?;
    }
    Ok(())
}
