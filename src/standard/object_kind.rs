//! Kinds of astropy's objects: sky coordinates, places on Earth, angles, times and their parts. Each has a Python class,
//! and a tag in YAML that is not ASDF.

use std::borrow::Cow;

/// Prefix of the tags that astropy gives to objects in YAML that is not ASDF.
const YAML_TAG: &str = "!astropy.";

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
    Distance,
    Quantity,
    Magnitude,
    Decibel,
    Dex,
    Time,
    TimeDelta,
    /// Records, with a column for each field.
    Records,
    /// Coordinates without a frame, or a velocity. Holds the name of the class.
    Representation(&'static str),
    /// Coordinates in the frame ICRS, as an attribute.
    Icrs,
}

impl ObjectKind {
    /// Kinds with a fixed name, and the names of their classes. All versions of astropy find the classes under these
    /// names.
    const CLASSES: [(ObjectKind, &'static str); 14] = [
        (ObjectKind::SkyCoord, "astropy.coordinates.sky_coordinate.SkyCoord"),
        (ObjectKind::EarthLocation, "astropy.coordinates.earth.EarthLocation"),
        (ObjectKind::Angle, "astropy.coordinates.angles.Angle"),
        (ObjectKind::Latitude, "astropy.coordinates.angles.Latitude"),
        (ObjectKind::Longitude, "astropy.coordinates.angles.Longitude"),
        (ObjectKind::Distance, "astropy.coordinates.distances.Distance"),
        (ObjectKind::Quantity, "astropy.units.quantity.Quantity"),
        (ObjectKind::Magnitude, "astropy.units.function.logarithmic.Magnitude"),
        (ObjectKind::Decibel, "astropy.units.function.logarithmic.Decibel"),
        (ObjectKind::Dex, "astropy.units.function.logarithmic.Dex"),
        (ObjectKind::Time, "astropy.time.core.Time"),
        (ObjectKind::TimeDelta, "astropy.time.core.TimeDelta"),
        (ObjectKind::Records, "astropy.table.column.Column"),
        (ObjectKind::Icrs, "astropy.coordinates.builtin_frames.icrs.ICRS"),
    ];

    /// Returns the kind of a tag of astropy in ASDF, given without prefix and version.
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

    /// Returns the kind of a Python class of astropy, whose module depends on the version of astropy.
    pub(super) fn of_class(class: &str) -> Option<ObjectKind> {
        ObjectKind::of_last_part(class.strip_prefix("astropy.")?)
    }

    /// Returns the kind of a tag in YAML that is not ASDF.
    pub(super) fn of_yaml_tag(tag: &str) -> Option<ObjectKind> {
        ObjectKind::of_last_part(tag.strip_prefix(YAML_TAG)?)
    }

    /// Returns the kind of a function unit such as `mag(AB)`; for other units, a quantity.
    pub(super) fn of_unit(unit: &str) -> ObjectKind {
        match unit.split_once('(') {
            Some(("mag", _)) => ObjectKind::Magnitude,
            Some(("dex", _)) => ObjectKind::Dex,
            Some(("dB", _)) => ObjectKind::Decibel,
            _ => ObjectKind::Quantity,
        }
    }

    fn of_last_part(dotted: &str) -> Option<ObjectKind> {
        let name = last_part(dotted);
        let known = ObjectKind::CLASSES.iter().find(|(_, class)| last_part(class) == name);
        known.map(|(kind, _)| *kind).or_else(|| ObjectKind::of_representation(name))
    }

    /// Returns whether an object of this kind can only be an attribute, without a value for each row.
    pub(super) fn is_attribute(self) -> bool {
        matches!(self, ObjectKind::Representation(_) | ObjectKind::Icrs)
    }

    /// Returns whether an object of this kind consists of values with a unit.
    pub(super) fn is_measured(self) -> bool {
        use ObjectKind::{Angle, Decibel, Dex, Distance, Latitude, Longitude, Magnitude, Quantity};
        matches!(self, Angle | Latitude | Longitude | Distance | Quantity | Magnitude | Decibel | Dex)
    }

    /// Returns the Python class.
    pub(super) fn class(self) -> Cow<'static, str> {
        match self {
            ObjectKind::Representation(class) => format!("astropy.coordinates.representation.{class}").into(),
            _ => ObjectKind::CLASSES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, class)| class).into(),
        }
    }

    /// Returns the tag that astropy gives to an object without a value for each row.
    pub(super) fn yaml_tag(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            ObjectKind::SkyCoord => "!astropy.coordinates.sky_coordinate.SkyCoord",
            ObjectKind::EarthLocation => "!astropy.coordinates.earth.EarthLocation",
            ObjectKind::Quantity | ObjectKind::Distance => "!astropy.units.Quantity",
            ObjectKind::Time => "!astropy.time.Time",
            ObjectKind::TimeDelta => "!astropy.time.TimeDelta",
            ObjectKind::Magnitude => "!astropy.units.Magnitude",
            ObjectKind::Decibel => "!astropy.units.Decibel",
            ObjectKind::Dex => "!astropy.units.Dex",
            _ => return format!("!astropy.coordinates.{}", last_part(&self.class())).into(),
        })
    }
}

/// Returns the part of a dotted name behind the last dot.
fn last_part(dotted: &str) -> &str {
    dotted.rsplit_once('.').map_or(dotted, |(_, last)| last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_a_class_and_a_tag() {
        for (kind, class) in ObjectKind::CLASSES {
            assert_eq!((ObjectKind::of_class(class), kind.class()), (Some(kind), class.into()));
        }
        let latitude = Some(ObjectKind::Latitude);
        assert_eq!(ObjectKind::of_class("astropy.coordinates.angles.core.Latitude"), latitude);
        assert_eq!(ObjectKind::of_yaml_tag("!astropy.coordinates.Latitude"), latitude);
        let cartesian = ObjectKind::of_representation("CartesianRepresentation").unwrap();
        assert_eq!(ObjectKind::of_yaml_tag(&cartesian.yaml_tag()), Some(cartesian));
        assert_eq!(ObjectKind::of_class("mypackage.Latitude"), None);
        assert_eq!(ObjectKind::of_yaml_tag("!numpy.ndarray"), None);
        assert_eq!(ObjectKind::of_unit("mag(AB)"), ObjectKind::Magnitude);
        assert_eq!(ObjectKind::of_unit("mag"), ObjectKind::Quantity);
    }
}
