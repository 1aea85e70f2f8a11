//! The kinds of coordinates, determined by their tags.

use crate::tags::{ASTROPY, STANDARD, name_in};

/// Kind of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoordinatesKind {
    /// Positions on the sky or in space, in a frame (`coordinates/skycoord`).
    SkyCoord,
    /// A frame, with positions or without (`coordinates/frames/…`, `wcs/icrs_coord`).
    Frame,
    /// Positions or velocities without a frame (`coordinates/representation`).
    Representation,
    /// Places on Earth, in geocentric coordinates (`coordinates/earthlocation`).
    EarthLocation,
    /// Angles (`coordinates/angle`).
    Angle,
    /// Latitudes (`coordinates/latitude`).
    Latitude,
    /// Longitudes (`coordinates/longitude`).
    Longitude,
    /// Wavelengths, frequencies, energies or velocities of light (`coordinates/spectralcoord`).
    Spectral,
}

impl CoordinatesKind {
    /// All kinds.
    pub const ALL: [CoordinatesKind; 8] = [
        CoordinatesKind::SkyCoord,
        CoordinatesKind::Frame,
        CoordinatesKind::Representation,
        CoordinatesKind::EarthLocation,
        CoordinatesKind::Angle,
        CoordinatesKind::Latitude,
        CoordinatesKind::Longitude,
        CoordinatesKind::Spectral,
    ];

    /// Returns whether the coordinates are one number or array with a unit, the component `value`.
    #[must_use]
    pub fn is_single(self) -> bool {
        use CoordinatesKind::{Angle, Latitude, Longitude, Spectral};
        matches!(self, Angle | Latitude | Longitude | Spectral)
    }
}

/// Returns the kind of a tag in any version, and the name of the frame that the tag stands for.
pub(in crate::standard) fn kind_of_tag(tag: &str) -> Option<(CoordinatesKind, Option<&str>)> {
    if name_in(STANDARD, tag) == Some("wcs/icrs_coord") {
        return Some((CoordinatesKind::Frame, Some("icrs")));
    }
    let name = name_in(ASTROPY, tag)?.strip_prefix("coordinates/")?;
    if let Some(frame) = name.strip_prefix("frames/") {
        return Some((CoordinatesKind::Frame, Some(frame)));
    }
    let kind = match name {
        "skycoord" => CoordinatesKind::SkyCoord,
        "representation" => CoordinatesKind::Representation,
        "earthlocation" => CoordinatesKind::EarthLocation,
        "angle" => CoordinatesKind::Angle,
        "latitude" => CoordinatesKind::Latitude,
        "longitude" => CoordinatesKind::Longitude,
        "spectralcoord" => CoordinatesKind::Spectral,
        _ => return None,
    };
    Some((kind, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_kinds_in_any_version() {
        for (tag, expected) in [
            ("tag:astropy.org:astropy/coordinates/skycoord-1.0.0", Some((CoordinatesKind::SkyCoord, None))),
            ("tag:astropy.org:astropy/coordinates/frames/fk5-1.2.0", Some((CoordinatesKind::Frame, Some("fk5")))),
            ("tag:astropy.org:astropy/coordinates/frames/icrs-9.0.0", Some((CoordinatesKind::Frame, Some("icrs")))),
            ("tag:astropy.org:astropy/coordinates/spectralcoord-1.1.0", Some((CoordinatesKind::Spectral, None))),
            ("tag:stsci.edu:asdf/wcs/icrs_coord-1.1.0", Some((CoordinatesKind::Frame, Some("icrs")))),
            ("tag:stsci.edu:asdf/unit/quantity-1.3.0", None),
            ("tag:astropy.org:astropy/coordinates/other-1.0.0", None),
            ("tag:astropy.org:astropy/time/timedelta-1.0.0", None),
        ] {
            assert_eq!(kind_of_tag(tag), expected, "{tag}");
        }
    }
}
