//! Projections of the sphere to a plane, as FITS defines them: Calabretta & Greisen 2002 (A&A 395, 1077; "CG" below)
//! and Calabretta & Roukema 2007 (MNRAS 381, 865). Bounds, tolerances and special cases are those of wcslib, which
//! Python uses. All angles and plane coordinates are in degrees. A point that a projection cannot represent is NaN.
//!
//! The crate mapproj 0.4.0 does not replace them. At 2,000 directions it differs from astropy 8.0.2, which has wcslib, by
//! 54° in PAR, 16° in AIR, 2e-6° in ZEA, 1e-6° in MOL, 8e-7° in AIT and 4e-7° in MER, from the plane to the sky. It
//! agrees in TAN, SIN, STG, ARC, SFL, CEA and HPX. It has no native coordinates, no BON, PCO, cubes and XPH.

mod conic;
mod cube;
mod cylindrical;
mod healpix;
mod made;
mod perspective;
mod pseudo;
mod slant;
mod zenithal;

pub(super) use made::{Bad, made, native_latitude, parameters_of};

use super::kernel::{Each, Inverse, Point};
use std::f64::consts::PI;
use std::fmt;

/// Radius of the sphere: a degree along a great circle has the length 1.
const R: f64 = 180.0 / PI;
const DEGREE: f64 = PI / 180.0;
const NOWHERE: [f64; 2] = [f64::NAN, f64::NAN];

fn sind(degrees: f64) -> f64 {
    (degrees * DEGREE).sin()
}

fn cosd(degrees: f64) -> f64 {
    (degrees * DEGREE).cos()
}

fn tand(degrees: f64) -> f64 {
    (degrees * DEGREE).tan()
}

fn asind(value: f64) -> f64 {
    value.asin() * R
}

fn atand(value: f64) -> f64 {
    value.atan() * R
}

/// Returns the angle of the direction (x, y); 0 for (0, 0).
fn argd(x: f64, y: f64) -> f64 {
    if x == 0.0 && y == 0.0 { 0.0 } else { y.atan2(x) * R }
}

/// A projection.
trait Project: Clone + fmt::Debug + Send + Sync + 'static {
    /// Largest excess of native coordinates over their range that counts as rounding.
    const TOLERANCE: f64 = 1e-13;
    /// True if the range of native coordinates is checked.
    const CHECKED: bool = true;

    /// True for the gnomonic projection.
    const IS_GNOMONIC: bool = false;

    /// Returns native longitude and latitude of a point of the plane.
    fn sky(&self, x: f64, y: f64) -> [f64; 2];

    /// Returns the point of the plane for native longitude and latitude.
    fn plane(&self, phi: f64, theta: f64) -> [f64; 2];

    /// Returns true if each output depends on the input of the same index alone, as astropy reports it.
    fn is_separable(&self) -> bool {
        false
    }
}

/// From the plane to the sphere.
#[derive(Clone, Debug)]
struct ToSky<P>(P);

impl<P: Project> Point<2, 2> for ToSky<P> {
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [phi, theta] = self.0.sky(x, y);
        if !P::CHECKED {
            return [phi, theta];
        }
        if phi.abs() > 180.0 + P::TOLERANCE || theta.abs() > 90.0 + P::TOLERANCE {
            return NOWHERE;
        }
        // Not `clamp`, which would be the same here but hides that NaN passes.
        let limited = |value: f64, limit: f64| if value.abs() > limit { limit.copysign(value) } else { value };
        [limited(phi, 180.0), limited(theta, 90.0)]
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Each(ToPlane(self.0.clone())))
    }

    fn is_gnomonic(&self) -> Option<bool> {
        P::IS_GNOMONIC.then_some(true)
    }

    fn is_diagonal(&self) -> bool {
        self.0.is_separable()
    }
}

/// From the sphere to the plane.
#[derive(Clone, Debug)]
struct ToPlane<P>(P);

impl<P: Project> Point<2, 2> for ToPlane<P> {
    fn at(&self, [phi, theta]: [f64; 2]) -> [f64; 2] {
        self.0.plane(phi, theta)
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Each(ToSky(self.0.clone())))
    }

    fn is_gnomonic(&self) -> Option<bool> {
        P::IS_GNOMONIC.then_some(false)
    }

    fn is_diagonal(&self) -> bool {
        self.0.is_separable()
    }
}
