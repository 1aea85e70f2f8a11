//! Positions on the sky as nodes, as asdf-astropy writes a `SkyCoord`.

use super::names;
use crate::error::{Error, Result, Status};
use crate::file::{ArrayData, ArrayOptions, Node};
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::coordinates_tag;
use crate::standard::units::{Spelling, Unit};
use crate::tags::{self, standard_tag};

/// Positions on the sky, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct SkyPoints<'a> {
    /// Name of the frame as astropy has it: `icrs`, `fk5`, `galactic`.
    pub frame: &'a str,
    /// Shape of the points, slowest axis first; empty for a single point.
    pub shape: &'a [i64],
    /// Longitudes in C order: right ascensions, galactic longitudes, azimuths.
    pub longitudes: &'a [f64],
    /// Latitudes in C order: declinations, galactic latitudes, altitudes.
    pub latitudes: &'a [f64],
    /// Unit of the angles.
    pub unit: &'a str,
    /// Distances in C order, and their unit.
    pub distances: Option<(&'a [f64], &'a str)>,
}

impl SkyPoints<'_> {
    /// Stores the positions at `path` below a node as astropy's `coordinates/skycoord`. Several positions become arrays
    /// with the storage of the options.
    ///
    /// Attributes of the frame are nodes like others, such as a time under `equinox` or `obstime`. Astropy has a default
    /// for each. Velocities are quantities, such as one under `pm_ra_cosdec`.
    ///
    /// Fails with
    ///
    /// - [`Status::InvalidArgument`] for a frame that astropy does not have, and for numbers that do not fit the shape,
    /// - [`Status::Units`] for a unit that is not one of angles or distances,
    /// - [`Status::OutOfRange`] for latitudes beyond 90 degrees and negative distances, which astropy refuses,
    /// - [`Status::Unsupported`] in files of standard 1.0.0, which has no quantities.
    pub fn set(&self, node: &Node, path: &str, options: &ArrayOptions) -> Result<()> {
        self.check()?;
        // A standard without quantities is an error before anything is stored.
        standard_tag(tags::QUANTITY, node.file().standard_version())?;
        node.setting(path, || self.store(&node.make(path)?, options))
    }

    fn check(&self) -> Result<()> {
        if !names::is_frame(self.frame) {
            let message = format!("astropy has no frame '{}'; the frames are icrs, fk5, …", self.frame.escape_debug());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let count =
            self.shape.iter().try_fold(1_usize, |count, &extent| count.checked_mul(usize::try_from(extent).ok()?));
        let lengths = [Some(self.longitudes), Some(self.latitudes), self.distances.map(|(numbers, _)| numbers)];
        if lengths.into_iter().flatten().any(|numbers| Some(numbers.len()) != count) {
            let message = format!("the shape {:?} does not hold the numbers of the coordinates", self.shape);
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let degrees = conversion(self.unit, "deg")?;
        if self.latitudes.iter().any(|latitude| (latitude * degrees).abs() > 90.0 + 1e-10) {
            return Err(Error::new(Status::OutOfRange, "a latitude is beyond 90 degrees"));
        }
        let Some((distances, unit)) = self.distances else { return Ok(()) };
        if !unit.is_empty() {
            conversion(unit, "m")?;
        }
        if distances.iter().any(|distance| *distance < 0.0) {
            return Err(Error::new(Status::OutOfRange, "a distance is negative"));
        }
        Ok(())
    }

    /// Stores the points in a node.
    fn store(&self, node: &Node, options: &ArrayOptions) -> Result<()> {
        let (longitude, latitude) = names::angles(self.frame);
        node.set_tag("", None)?;
        node.set_mapping("", false)?;
        for (key, numbers, unit, kind) in [
            (longitude, Some(self.longitudes), self.unit, Some(ObjectKind::Longitude)),
            (latitude, Some(self.latitudes), self.unit, Some(ObjectKind::Latitude)),
            ("distance", self.distances.map(|(numbers, _)| numbers), self.distances.map_or("", |(_, unit)| unit), None),
        ] {
            let Some(numbers) = numbers else { continue };
            let place = node.make(key)?;
            place.set_quantity("", Some(unit))?;
            match *numbers {
                [number] if self.shape.is_empty() => {
                    place.set_f64("value", number)?;
                    place.set_string("datatype", "float64")?;
                }
                _ => place.set_array_data("value", &ArrayData::of_slice(numbers, self.shape), options)?,
            }
            if kind == Some(ObjectKind::Longitude) {
                place.set_f64("wrap_angle/value", 360.0)?;
                place.set_string("wrap_angle/datatype", "float64")?;
                place.set_quantity("wrap_angle", Some("deg"))?;
                place.set_tag("wrap_angle", coordinates_tag(ObjectKind::Angle))?;
            }
            if let Some(kind) = kind {
                place.set_tag("", coordinates_tag(kind))?;
            }
        }
        node.set_string("frame", self.frame)?;
        node.set_string("representation_type", "spherical")?;
        node.set_tag("", coordinates_tag(ObjectKind::SkyCoord))
    }
}

/// Returns the factor from a unit to another one. Fails with [`Status::Units`] if there is none.
fn conversion(unit: &str, other: &str) -> Result<f64> {
    let [from, to] = [unit, other].map(|text| Unit::read(text, Spelling::VoUnit));
    let linear = from.conversion_to(&to, &[])?.linear();
    let (factor, _) = linear.ok_or_else(|| {
        Error::new(Status::Units, format!("'{}' is no unit of angles or distances", unit.escape_debug()))
    })?;
    Ok(factor)
}
