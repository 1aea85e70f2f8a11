//! Kinds of astropy's objects: sky coordinates, places on Earth, angles, times and their parts.

use std::borrow::Cow;

/// Classes in `astropy.coordinates` for coordinates without a frame, and for velocities.
const REPRESENTATIONS: [&str; 14] = [
    "CartesianRepresentation",
    "UnitSphericalRepresentation",
    "RadialRepresentation",
    "SphericalRepresentation",
    "PhysicsSphericalRepresentation",
    "CylindricalRepresentation",
    "CartesianDifferential",
    "UnitSphericalDifferential",
    "SphericalDifferential",
    "UnitSphericalCosLatDifferential",
    "SphericalCosLatDifferential",
    "RadialDifferential",
    "PhysicsSphericalDifferential",
    "CylindricalDifferential",
];

/// Kind of an object, or of a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectKind {
    SkyCoord,
    EarthLocation,
    Angle,
    Latitude,
    Longitude,
    Quantity,
    Time,
    /// Coordinates without a frame, or a velocity, as an attribute. Holds the name of the class.
    Representation(&'static str),
    /// Coordinates in the frame ICRS, as an attribute.
    Icrs,
}

impl ObjectKind {
    /// Returns the kind of a tag of astropy, given without prefix and version.
    pub(super) fn of_name(name: &str) -> Option<ObjectKind> {
        Some(match name {
            "coordinates/skycoord" => ObjectKind::SkyCoord,
            "coordinates/earthlocation" => ObjectKind::EarthLocation,
            "coordinates/angle" => ObjectKind::Angle,
            "coordinates/latitude" => ObjectKind::Latitude,
            "coordinates/longitude" => ObjectKind::Longitude,
            _ => return None,
        })
    }

    /// Returns the kind of coordinates without a frame from the name of their class.
    pub(super) fn of_representation(class: &str) -> Option<ObjectKind> {
        REPRESENTATIONS.iter().find(|known| **known == class).map(|known| ObjectKind::Representation(known))
    }

    /// Returns whether an object of this kind can only be an attribute, without a value for each row.
    pub(super) fn is_attribute(self) -> bool {
        matches!(self, ObjectKind::Representation(_) | ObjectKind::Icrs)
    }

    /// Returns the Python class. All versions of astropy find the classes under these names.
    pub(super) fn class(self) -> &'static str {
        match self {
            ObjectKind::SkyCoord => "astropy.coordinates.sky_coordinate.SkyCoord",
            ObjectKind::EarthLocation => "astropy.coordinates.earth.EarthLocation",
            ObjectKind::Angle => "astropy.coordinates.angles.Angle",
            ObjectKind::Latitude => "astropy.coordinates.angles.Latitude",
            ObjectKind::Longitude => "astropy.coordinates.angles.Longitude",
            ObjectKind::Quantity => "astropy.units.quantity.Quantity",
            ObjectKind::Time => "astropy.time.core.Time",
            ObjectKind::Representation(class) => class,
            ObjectKind::Icrs => "astropy.coordinates.builtin_frames.icrs.ICRS",
        }
    }

    /// Returns the tag that astropy gives to an object without a value for each row.
    pub(super) fn tag(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            ObjectKind::SkyCoord => "!astropy.coordinates.sky_coordinate.SkyCoord",
            ObjectKind::EarthLocation => "!astropy.coordinates.earth.EarthLocation",
            ObjectKind::Angle => "!astropy.coordinates.Angle",
            ObjectKind::Latitude => "!astropy.coordinates.Latitude",
            ObjectKind::Longitude => "!astropy.coordinates.Longitude",
            ObjectKind::Quantity => "!astropy.units.Quantity",
            ObjectKind::Time => "!astropy.time.Time",
            ObjectKind::Icrs => "!astropy.coordinates.ICRS",
            ObjectKind::Representation(class) => return format!("!astropy.coordinates.{class}").into(),
        })
    }
}
