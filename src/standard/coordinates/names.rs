//! Names of the components of coordinates. A component has a general name, such as `lon`, and one in its frame, such as
//! `ra`. All names are those of astropy.

use std::borrow::Cow;

/// Frames of astropy whose usual components are longitude, latitude and distance, with the names of the first two.
const SPHERICAL_FRAMES: [(&str, &str, &str); 25] = [
    ("altaz", "az", "alt"),
    ("barycentricmeanecliptic", "lon", "lat"),
    ("barycentrictrueecliptic", "lon", "lat"),
    ("cirs", "ra", "dec"),
    ("custombarycentricecliptic", "lon", "lat"),
    ("fk4", "ra", "dec"),
    ("fk4noeterms", "ra", "dec"),
    ("fk5", "ra", "dec"),
    ("galactic", "l", "b"),
    ("galacticlsr", "l", "b"),
    ("gcrs", "ra", "dec"),
    ("geocentricmeanecliptic", "lon", "lat"),
    ("geocentrictrueecliptic", "lon", "lat"),
    ("hadec", "ha", "dec"),
    ("hcrs", "ra", "dec"),
    ("heliocentriceclipticiau76", "lon", "lat"),
    ("heliocentricmeanecliptic", "lon", "lat"),
    ("heliocentrictrueecliptic", "lon", "lat"),
    ("icrs", "ra", "dec"),
    ("lsr", "ra", "dec"),
    ("lsrd", "ra", "dec"),
    ("lsrk", "ra", "dec"),
    ("precessedgeocentric", "ra", "dec"),
    ("supergalactic", "sgl", "sgb"),
    ("tete", "ra", "dec"),
];
/// Frames of astropy whose usual components are x, y and z.
const CARTESIAN_FRAMES: [&str; 3] = ["galactocentric", "itrs", "teme"];
/// Frames with other names of x, y and z, and of the velocities along them.
const CARTESIAN_NAMES: [(&str, [(&str, &str); 6]); 2] = [
    ("galactic", [("x", "u"), ("y", "v"), ("z", "w"), ("v_x", "U"), ("v_y", "V"), ("v_z", "W")]),
    ("supergalactic", [("x", "sgx"), ("y", "sgy"), ("z", "sgz"), ("v_x", "v_x"), ("v_y", "v_y"), ("v_z", "v_z")]),
];
/// General names of components, in the order in which coordinates list them. Velocities come
/// last.
const GENERAL: [&str; 30] = [
    "value",
    "lon",
    "lat",
    "distance",
    "height",
    "x",
    "y",
    "rho",
    "phi",
    "z",
    "theta",
    "r",
    "pm_lon_coslat",
    "pm_lon",
    "pm_lat",
    "radial_velocity",
    "v_x",
    "v_y",
    "v_z",
    "d_lon_coslat",
    "d_lon",
    "d_lat",
    "d_distance",
    "d_x",
    "d_y",
    "d_rho",
    "d_phi",
    "d_z",
    "d_theta",
    "d_r",
];

/// Returns whether astropy has a frame of this name.
pub(in crate::standard) fn is_frame(frame: &str) -> bool {
    CARTESIAN_FRAMES.contains(&frame) || SPHERICAL_FRAMES.iter().any(|(name, ..)| *name == frame)
}

/// Returns the names of longitude and latitude in a frame.
pub(super) fn angles(frame: &str) -> (&'static str, &'static str) {
    let known = SPHERICAL_FRAMES.iter().find(|(name, ..)| *name == frame);
    known.map_or(("lon", "lat"), |(_, lon, lat)| (lon, lat))
}

/// Returns the name that a component has in a frame.
pub(super) fn in_frame<'a>(frame: &str, general: &'a str) -> Cow<'a, str> {
    let (lon, lat) = angles(frame);
    match general {
        "lon" => lon.into(),
        "lat" => lat.into(),
        "pm_lon_coslat" => format!("pm_{lon}_cos{lat}").into(),
        "pm_lon" => format!("pm_{lon}").into(),
        "pm_lat" => format!("pm_{lat}").into(),
        _ => {
            let names = CARTESIAN_NAMES.iter().find(|(name, _)| *name == frame);
            let own = names.and_then(|(_, names)| names.iter().find(|(known, _)| *known == general));
            own.map_or(general, |(_, own)| own).into()
        }
    }
}

/// Returns the place of a component among all components. The name is the general one, or that of the frame. `None` if
/// the name is not one of a component.
pub(super) fn place_of(frame: &str, name: &str) -> Option<usize> {
    let own = || GENERAL.iter().position(|general| in_frame(frame, general) == name);
    GENERAL.iter().position(|general| *general == name).or_else(own)
}

/// Returns the name of a representation, such as `unitspherical`, of a class of astropy.
pub(super) fn representation_name(class: &str) -> String {
    let short = class.strip_suffix("Representation").or_else(|| class.strip_suffix("Differential")).unwrap_or(class);
    short.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_have_a_name_in_each_frame() {
        for (frame, general, own) in [
            ("icrs", "lon", "ra"),
            ("fk5", "pm_lon_coslat", "pm_ra_cosdec"),
            ("galactic", "pm_lat", "pm_b"),
            ("galactic", "x", "u"),
            ("galactic", "v_y", "V"),
            ("supergalactic", "pm_lon_coslat", "pm_sgl_cossgb"),
            ("supergalactic", "z", "sgz"),
            ("altaz", "lat", "alt"),
            ("itrs", "lon", "lon"),
            ("unknown", "distance", "distance"),
        ] {
            assert_eq!(in_frame(frame, general), own);
            assert_eq!(place_of(frame, own), place_of(frame, general));
        }
        for attribute in ["obstime", "equinox", "roll", "z_sun", "v_bary", "location"] {
            assert_eq!(place_of("lsr", attribute), None, "{attribute}");
        }
        assert!(is_frame("teme") && is_frame("icrs") && !is_frame("ICRS"));
        assert_eq!(representation_name("UnitSphericalCosLatDifferential"), "unitsphericalcoslat");
        assert_eq!(representation_name("CartesianRepresentation"), "cartesian");
    }
}
