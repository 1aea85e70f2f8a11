//! Pseudocylindrical projections (CG 5.3), Bonne's and the polyconic projection (CG 5.5).

use super::{DEGREE, NOWHERE, Project, R, argd, asind, cosd, sind, tand};
use std::f64::consts::{PI, SQRT_2};

/// Sanson-Flamsteed, SFL (CG 5.3.1).
#[derive(Clone, Debug)]
pub(super) struct Sfl;

impl Project for Sfl {
    const TOLERANCE: f64 = 1e-12;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let cosine = (y / R).cos();
        if cosine == 0.0 {
            return NOWHERE;
        }
        [x / cosine, y]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        [phi * cosd(theta), theta]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Parabolic, PAR (CG 5.3.2).
#[derive(Clone, Debug)]
pub(super) struct Par;

impl Project for Par {
    const TOLERANCE: f64 = 1e-12;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let s = y / 180.0;
        if s.abs() > 1.0 {
            return NOWHERE;
        }
        let width = 1.0 - 4.0 * s * s;
        let theta = 3.0 * asind(s);
        if width == 0.0 {
            return if x.abs() < 1e-13 { [0.0, theta] } else { NOWHERE };
        }
        [x / width, theta]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let s = sind(theta / 3.0);
        [phi * (1.0 - 4.0 * s * s), 180.0 * s]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Mollweide, MOL (CG 5.3.3).
#[derive(Clone, Debug)]
pub(super) struct Mol;

/// Returns twice the auxiliary angle: v + sin v = π sin θ, by bisection.
fn auxiliary(theta: f64) -> f64 {
    let target = PI * sind(theta);
    let (mut low, mut high) = (-PI, PI);
    let mut v = target;
    for _ in 0..100 {
        let excess = v - target + v.sin();
        if excess < 0.0 {
            if excess > -1e-13 {
                break;
            }
            low = v;
        } else {
            if excess < 1e-13 {
                break;
            }
            high = v;
        }
        v = (low + high) / 2.0;
    }
    v
}

impl Project for Mol {
    const TOLERANCE: f64 = 1e-11;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let scaled = y / R;
        let squared = 2.0 - scaled * scaled;
        let phi = if squared <= 1e-12 {
            if squared < -1e-12 || x.abs() >= 1e-12 {
                return NOWHERE;
            }
            0.0
        } else {
            90.0 / R * x / squared.sqrt()
        };
        let root = if squared <= 1e-12 { 0.0 } else { squared.sqrt() };
        let limited = |value: f64| -> Option<f64> {
            if value.abs() > 1.0 + 1e-12 {
                return None;
            }
            Some(if value.abs() > 1.0 { 1f64.copysign(value) } else { value })
        };
        let Some(sine) = limited(scaled / SQRT_2) else { return NOWHERE };
        let Some(z) = limited(sine.asin() * 2.0 / PI + scaled * root / PI) else { return NOWHERE };
        [phi, asind(z)]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if theta.abs() == 90.0 {
            return [0.0 * phi, (SQRT_2 * R).copysign(theta)];
        }
        if theta == 0.0 {
            return [phi * SQRT_2 * 2.0 / PI, 0.0];
        }
        if theta.is_nan() {
            return NOWHERE;
        }
        let gamma = auxiliary(theta) / 2.0;
        [phi * (2.0 * SQRT_2 / PI) * gamma.cos(), SQRT_2 * R * gamma.sin()]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Hammer-Aitoff, AIT (CG 5.3.4).
#[derive(Clone, Debug)]
pub(super) struct Ait;

impl Project for Ait {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (u, v) = (x / (4.0 * R), y / (2.0 * R));
        let squared = 1.0 - u * u - v * v;
        if squared < 0.5 - 1e-13 {
            return NOWHERE;
        }
        let z = squared.max(0.5).sqrt();
        let sine = y * z / R;
        let theta = if sine.abs() > 1.0 { 90f64.copysign(sine) } else { asind(sine) };
        if sine.abs() > 1.0 + 1e-13 || squared.is_nan() {
            return NOWHERE;
        }
        [2.0 * argd(2.0 * z * z - 1.0, x * z / (2.0 * R)), theta]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (sine, cosine) = (theta * DEGREE).sin_cos();
        let (half_sine, half_cosine) = (phi / 2.0 * DEGREE).sin_cos();
        let g = R * (2.0 / (1.0 + cosine * half_cosine)).sqrt();
        [2.0 * g * cosine * half_sine, g * sine]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Bonne's equal area, BON (CG 5.5.1), for a latitude other than 0, at which it is the projection SFL.
#[derive(Clone, Debug)]
pub(super) struct Bon {
    sign: f64,
    center: f64,
}

impl Bon {
    pub(super) fn new(theta1: f64) -> Bon {
        Bon { sign: 1f64.copysign(theta1), center: R * cosd(theta1) / sind(theta1) + theta1 }
    }
}

impl Project for Bon {
    const TOLERANCE: f64 = 1e-11;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let d = self.center - y;
        let radius = self.sign * (x * x + d * d).sqrt();
        let angle = if radius == 0.0 { 0.0 } else { argd(d / radius, x / radius) };
        let theta = self.center - radius;
        let cosine = cosd(theta);
        let phi = if cosine == 0.0 { 0.0 } else { angle * (radius / R) / cosine };
        [phi, theta]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let radius = self.center - theta;
        let angle = if radius == 0.0 { 0.0 } else { R * phi * cosd(theta) / radius };
        let (sine, cosine) = (angle * DEGREE).sin_cos();
        [radius * sine, self.center - radius * cosine]
    }
}

/// Polyconic, PCO (CG 5.5.2).
#[derive(Clone, Debug)]
pub(super) struct Pco;

impl Pco {
    /// Curvature of parallels close to the equator.
    const K: f64 = DEGREE / (2.0 * R);

    /// Returns the latitude of a point, by regula falsi between the equator and y.
    fn latitude(x: f64, y: f64) -> f64 {
        let squared = x * x;
        let excess = |theta: f64| {
            let d = y - theta;
            squared + d * (d - 2.0 * R / tand(theta))
        };
        let (mut positive, mut negative) = (y, 0.0);
        let (mut above, mut below) = (squared, -squared);
        let mut theta = 0.0;
        for _ in 0..64 {
            let fraction = above / (above - below);
            let fraction = if fraction.is_nan() { 0.5 } else { fraction.clamp(0.1, 0.9) };
            theta = positive + fraction * (negative - positive);
            let here = excess(theta);
            if here.abs() < 1e-12 || (positive - negative).abs() < 1e-12 {
                break;
            }
            if here > 0.0 { (positive, above) = (theta, here) } else { (negative, below) = (theta, here) }
        }
        theta
    }
}

impl Project for Pco {
    const TOLERANCE: f64 = 1e-12;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let distance = y.abs();
        if x.is_nan() || y.is_nan() {
            return NOWHERE;
        }
        if distance < 1e-12 {
            return [x, 0.0];
        }
        if (distance - 90.0).abs() < 1e-12 {
            return [0.0, 90f64.copysign(y)];
        }
        if x == 0.0 {
            return [0.0, y];
        }
        if distance < 1e-4 {
            let theta = y / (1.0 + Pco::K * x * x);
            return [x / cosd(theta), theta];
        }
        let theta = Pco::latitude(x, y);
        let tangent = tand(theta);
        let phi = argd(R - (y - theta) * tangent, x * tangent) / sind(theta);
        [phi, theta]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if theta == 0.0 {
            return [phi, 0.0];
        }
        if theta.abs() < 1e-4 {
            return [phi * cosd(theta), (1.0 + Pco::K * phi * phi) * theta];
        }
        let (sine, cosine) = (theta * DEGREE).sin_cos();
        let (angle_sine, angle_cosine) = (phi * sine * DEGREE).sin_cos();
        let cotangent = cosine / sine;
        [R * cotangent * angle_sine, R * (cotangent * (1.0 - angle_cosine) + theta * DEGREE)]
    }
}
