//! Celestial axes of FITS headers: systems, projections, and the pole of the native coordinates (Calabretta & Greisen
//! 2002, A&A 395, 1077; "CG" below).

use super::card::wrong;
use crate::error::{Error, Result, Status};
use crate::wcs::kernel::Inputs;
use crate::wcs::projection::{Bad, made, native_latitude};

/// Largest excess of a latitude that counts as rounding, as in wcslib.
const TOLERANCE: f64 = 1e-10;

/// Projections: code in FITS, name in ASDF, and the numbers of the parameters with their defaults. A parameter without
/// a default is required.
type Code = (&'static str, &'static str, &'static [(usize, Option<f64>)]);

const CONIC: &[(usize, Option<f64>)] = &[(1, None), (2, Some(0.0))];

const CODES: [Code; 27] = [
    ("AZP", "zenithal_perspective", &[(1, Some(0.0)), (2, Some(0.0))]),
    ("SZP", "slant_zenithal_perspective", &[(1, Some(0.0)), (2, Some(0.0)), (3, Some(90.0))]),
    ("TAN", "gnomonic", &[]),
    ("STG", "stereographic", &[]),
    ("SIN", "slant_orthographic", &[(1, Some(0.0)), (2, Some(0.0))]),
    ("ARC", "zenithal_equidistant", &[]),
    ("ZEA", "zenithal_equal_area", &[]),
    ("AIR", "airy", &[(1, Some(90.0))]),
    ("CYP", "cylindrical_perspective", &[(1, Some(1.0)), (2, Some(1.0))]),
    ("CEA", "cylindrical_equal_area", &[(1, Some(1.0))]),
    ("CAR", "plate_carree", &[]),
    ("MER", "mercator", &[]),
    ("SFL", "sanson_flamsteed", &[]),
    ("PAR", "parabolic", &[]),
    ("MOL", "molleweide", &[]),
    ("AIT", "hammer_aitoff", &[]),
    ("COP", "conic_perspective", CONIC),
    ("COE", "conic_equal_area", CONIC),
    ("COD", "conic_equidistant", CONIC),
    ("COO", "conic_orthomorphic", CONIC),
    ("BON", "bonne_equal_area", &[(1, None)]),
    ("PCO", "polyconic", &[]),
    ("TSC", "tangential_spherical_cube", &[]),
    ("CSC", "cobe_quad_spherical_cube", &[]),
    ("QSC", "quad_spherical_cube", &[]),
    ("HPX", "healpix", &[(1, Some(4.0)), (2, Some(3.0))]),
    ("XPH", "healpix_polar", &[]),
];

/// A projection with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Projection {
    /// Name in ASDF.
    pub(super) name: &'static str,
    pub(super) values: Vec<f64>,
}

/// Native longitude and latitude of the reference point, and whether the plane has its origin there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reference {
    pub(super) longitude: Option<f64>,
    pub(super) latitude: Option<f64>,
    pub(super) is_origin: bool,
}

/// Parameters of the celestial axes as in the header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub(super) projection: Projection,
    pub(super) reference: Reference,
    /// Celestial longitude and latitude of the reference point.
    pub(super) point: [f64; 2],
    /// Native longitude of the celestial pole.
    pub(super) longitude_of_pole: Option<f64>,
    /// Celestial latitude of the native pole.
    pub(super) latitude_of_pole: f64,
}

/// The way from the plane of the projection to the sky.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Celestial {
    pub(super) projection: Projection,
    /// Point of the plane that is the origin of the coordinates in the header.
    pub(super) origin: [f64; 2],
    /// Celestial longitude and latitude of the native pole, and native longitude of the celestial pole.
    pub(super) pole: [f64; 3],
    /// True if native longitudes must be between -180 and 180 degrees on the way back.
    pub(super) is_ranged: bool,
}

impl Projection {
    /// Returns the projection of a code in a header. `parameter` returns the parameters of the latitude axis.
    ///
    /// Fails with [`Status::Unsupported`] for a code that is not known.
    pub(super) fn of(code: &str, parameter: impl Fn(usize) -> Result<Option<f64>>) -> Result<Projection> {
        let Some((_, name, parameters)) = CODES.iter().find(|(known, ..)| *known == code) else {
            let message = format!("the projection '{code}' is not supported");
            return Err(Error::new(Status::Unsupported, message));
        };
        let mut values = Vec::with_capacity(parameters.len());
        for (number, default) in *parameters {
            match parameter(*number)?.or(*default) {
                Some(value) => values.push(value),
                None => return wrong(format!("the projection {code} needs its parameter {number} (PVi_{number})")),
            }
        }
        match made(name, &values, true) {
            Ok(_) => Ok(Projection { name, values }),
            Err(Bad(parameter)) => wrong(format!("the value of '{parameter}' defines no projection {code}")),
        }
    }

    /// Returns the native longitude and latitude of the point in the center of the plane.
    fn center(&self) -> [f64; 2] {
        // The polar form of HEALPix has its pole there.
        let latitude = if self.name == "healpix_polar" { 90.0 } else { native_latitude(self.name, &self.values).0 };
        [0.0, latitude]
    }

    /// Returns whether points depend on the sine and cosine of the native longitude only.
    fn is_zenithal(&self) -> bool {
        native_latitude(self.name, &self.values).1
    }

    /// Returns the point of the plane with these native coordinates.
    fn plane(&self, longitude: f64, latitude: f64) -> Option<[f64; 2]> {
        let kernel = made(self.name, &self.values, false).ok()?;
        let registers = [vec![longitude], vec![latitude]];
        let mut outputs = [vec![0.0], vec![0.0]];
        kernel.evaluate(&Inputs { registers: &registers, places: &[0, 1], count: 1 }, &mut outputs).ok()?;
        Some([outputs[0][0], outputs[1][0]])
    }
}

fn sind(angle: f64) -> f64 {
    angle.to_radians().sin()
}

fn cosd(angle: f64) -> f64 {
    angle.to_radians().cos()
}

/// Returns an angle between -180 and 180 degrees.
fn half_turn(angle: f64) -> f64 {
    if angle > 180.0 {
        angle - 360.0
    } else if angle < -180.0 {
        angle + 360.0
    } else {
        angle
    }
}

impl Given {
    /// Finds the native pole (CG, section 2.4; decisions where the pole is ambiguous are those of wcslib).
    pub(super) fn resolve(&self) -> Result<Celestial> {
        let [longitude, latitude] = self.point;
        if latitude.abs() > 90.0 + TOLERANCE {
            return wrong(format!("the latitude {latitude} of the reference point is beyond a pole"));
        }
        let center = self.projection.center();
        let native = [self.reference.longitude.unwrap_or(center[0]), self.reference.latitude.unwrap_or(center[1])];
        if native[1].abs() > 90.0 + TOLERANCE {
            return wrong(format!("the native latitude {} of the reference point is beyond a pole", native[1]));
        }
        let origin = match self.reference.is_origin.then(|| self.projection.plane(native[0], native[1])) {
            None => [0.0; 2],
            Some(Some(origin)) if origin.iter().all(|part| part.is_finite()) => origin,
            Some(_) => return wrong("the reference point is not in the plane of the projection"),
        };
        let default = half_turn(if latitude < native[1] { 180.0 } else { 0.0 } + native[0]);
        let of_pole = self.longitude_of_pole.filter(|angle| *angle != 999.0).unwrap_or(default);
        let pole = if native[1] == 90.0 {
            [longitude, latitude, of_pole]
        } else {
            let pole = self.latitude_of_native_pole(native, of_pole)?;
            [self.longitude_of_native_pole(native, of_pole, pole)?, pole, of_pole]
        };
        let is_ranged = !self.projection.is_zenithal();
        Ok(Celestial { projection: self.projection.clone(), origin, pole, is_ranged })
    }

    /// Returns the celestial latitude of the native pole (CG, equation 8).
    fn latitude_of_native_pole(&self, native: [f64; 2], of_pole: f64) -> Result<f64> {
        let latitude = self.point[1];
        let angle = of_pole - native[0];
        let (u, v) = if angle == 0.0 {
            (native[1], 90.0 - latitude)
        } else {
            let (x, y) = (cosd(native[1]) * cosd(angle), sind(native[1]));
            let z = x.hypot(y);
            // The latitude of the pole is not determined by the other values.
            if z == 0.0 {
                if sind(latitude) != 0.0 {
                    return wrong("a reference point in the native equator, 90° from the pole, needs the latitude 0");
                }
                return Ok(self.latitude_of_pole.clamp(-90.0, 90.0));
            }
            let ratio = sind(latitude) / z;
            if ratio.abs() > 1.0 + TOLERANCE {
                return wrong("no pole has these coordinates of the reference point and this LONPOLE");
            }
            (y.atan2(x).to_degrees(), ratio.clamp(-1.0, 1.0).acos().to_degrees())
        };
        let (one, other) = (half_turn(u + v), half_turn(u - v));
        let is_valid = |latitude: f64| latitude.abs() < 90.0 + TOLERANCE;
        let distance = |latitude: f64| (self.latitude_of_pole - latitude).abs();
        let (near, far) = if distance(one) < distance(other) { (one, other) } else { (other, one) };
        match [near, far].into_iter().find(|latitude| is_valid(*latitude)) {
            Some(latitude) => Ok(latitude.clamp(-90.0, 90.0)),
            None => wrong("no pole has these coordinates of the reference point and this LONPOLE"),
        }
    }

    /// Returns the celestial longitude of the native pole (CG, equations 9 and 10).
    fn longitude_of_native_pole(&self, native: [f64; 2], of_pole: f64, pole: f64) -> Result<f64> {
        let [longitude, latitude] = self.point;
        let angle = of_pole - native[0];
        let z = cosd(pole) * cosd(latitude);
        let result = if z.abs() < TOLERANCE {
            if cosd(latitude).abs() < TOLERANCE {
                longitude
            } else if pole > 0.0 {
                longitude + angle - 180.0
            } else {
                longitude - angle
            }
        } else {
            let x = (sind(native[1]) - sind(pole) * sind(latitude)) / z;
            let y = if angle == 0.0 { 0.0 } else { sind(angle) * cosd(native[1]) / cosd(latitude) };
            if x == 0.0 && y == 0.0 {
                return wrong("no pole has these coordinates of the reference point and this LONPOLE");
            }
            longitude - y.atan2(x).to_degrees()
        };
        // The longitude has the sign of that of the reference point, which decides about the range of all longitudes.
        Ok(match longitude >= 0.0 {
            true if result < 0.0 => result + 360.0,
            true if result > 360.0 => result - 360.0,
            false if result > 0.0 => result - 360.0,
            false if result < -360.0 => result + 360.0,
            _ => result,
        })
    }
}
