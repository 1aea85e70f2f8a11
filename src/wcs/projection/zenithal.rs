//! Zenithal projections whose radius depends on the native latitude alone (CG 5.1).

use super::{DEGREE, NOWHERE, Project, R, argd, asind, cosd, sind, tand};

/// Returns native longitude and radius of a point of the plane.
fn polar(x: f64, y: f64) -> (f64, f64) {
    let radius = (x * x + y * y).sqrt();
    (if radius == 0.0 { 0.0 } else { argd(-y, x) }, radius)
}

/// Returns the point of the plane at a native longitude and radius.
fn from_polar(phi: f64, radius: f64) -> [f64; 2] {
    let (sine, cosine) = (phi * DEGREE).sin_cos();
    [radius * sine, -radius * cosine]
}

/// Gnomonic, TAN (CG 5.1.3).
#[derive(Clone, Debug)]
pub(super) struct Tan;

impl Project for Tan {
    const IS_GNOMONIC: bool = true;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (phi, radius) = polar(x, y);
        [phi, argd(radius, R)]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (sine, cosine) = (theta * DEGREE).sin_cos();
        if sine <= 0.0 {
            return NOWHERE;
        }
        from_polar(phi, R * cosine / sine)
    }
}

/// Stereographic, STG (CG 5.1.4).
#[derive(Clone, Debug)]
pub(super) struct Stg;

impl Project for Stg {
    const CHECKED: bool = false;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (phi, radius) = polar(x, y);
        [phi, 90.0 - 2.0 * (radius / (2.0 * R)).atan() * R]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (sine, cosine) = (theta * DEGREE).sin_cos();
        let below = 1.0 + sine;
        if below == 0.0 {
            return NOWHERE;
        }
        from_polar(phi, 2.0 * R * cosine / below)
    }
}

/// Zenithal equidistant, ARC (CG 5.1.6).
#[derive(Clone, Debug)]
pub(super) struct Arc;

impl Project for Arc {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (phi, radius) = polar(x, y);
        [phi, 90.0 - radius]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        from_polar(phi, 90.0 - theta)
    }
}

/// Zenithal equal area, ZEA (CG 5.1.8).
#[derive(Clone, Debug)]
pub(super) struct Zea;

impl Project for Zea {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (phi, radius) = polar(x, y);
        let sine = radius / (2.0 * R);
        if sine > 1.0 {
            return if (radius - 2.0 * R).abs() < 1e-12 { [phi, -90.0] } else { NOWHERE };
        }
        [phi, 90.0 - 2.0 * asind(sine)]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        from_polar(phi, 2.0 * R * sind((90.0 - theta) / 2.0))
    }
}

/// Airy, AIR (CG 5.1.9).
#[derive(Clone, Debug)]
pub(super) struct Air {
    weight: f64,
}

impl Air {
    /// Fails for latitudes of −90 and below.
    pub(super) fn new(theta_b: f64) -> Option<Air> {
        if theta_b == 90.0 {
            return Some(Air { weight: -0.5 });
        }
        if theta_b.is_nan() || theta_b <= -90.0 {
            return None;
        }
        let cosine = cosd((90.0 - theta_b) / 2.0);
        let squared = cosine * cosine;
        Some(Air { weight: cosine.ln() * squared / (1.0 - squared) })
    }

    /// Returns the radius in units of 2R for the cosine of half the distance from the pole.
    fn radius(&self, cosine: f64) -> f64 {
        let tangent = (1.0 - cosine * cosine).sqrt() / cosine;
        -(cosine.ln() / tangent + self.weight * tangent)
    }

    /// Returns the cosine for a radius in units of 2R, by regula falsi.
    fn cosine(&self, radius: f64) -> Option<f64> {
        let (mut high, mut low) = (1.0, 1.0);
        let (mut below, mut above) = (0.0, 0.0);
        let mut bracketed = false;
        for _ in 0..30 {
            low = high / 2.0;
            above = self.radius(low);
            if above >= radius {
                bracketed = true;
                break;
            }
            (high, below) = (low, above);
        }
        if !bracketed {
            return None;
        }
        for _ in 0..100 {
            let fraction = ((above - radius) / (above - below)).clamp(0.1, 0.9);
            let cosine = low + fraction * (high - low);
            let here = self.radius(cosine);
            if (here - radius).abs() < 1e-12 {
                return Some(cosine);
            }
            if here < radius { (high, below) = (cosine, here) } else { (low, above) = (cosine, here) }
        }
        None
    }
}

impl Project for Air {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (phi, distance) = polar(x, y);
        let radius = distance / (2.0 * R);
        if radius.is_nan() {
            return NOWHERE;
        }
        let half = if radius == 0.0 {
            0.0
        } else if radius < 1e-4 * (0.5 - self.weight) {
            radius / (0.5 - self.weight) * R
        } else {
            match self.cosine(radius) {
                Some(cosine) => cosine.acos() * R,
                None => return NOWHERE,
            }
        };
        [phi, 90.0 - 2.0 * half]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if theta <= -90.0 {
            return NOWHERE;
        }
        if theta == 90.0 {
            return from_polar(phi, 0.0);
        }
        let half = (90.0 - theta) / 2.0;
        let radius = if half * DEGREE < 1e-4 {
            2.0 * R * half * DEGREE * (0.5 - self.weight)
        } else {
            -2.0 * R * (cosd(half).ln() / tand(half) + self.weight * tand(half))
        };
        from_polar(phi, radius)
    }
}
