//! Zenithal perspective, AZP (CG 5.1.1).

use super::{DEGREE, NOWHERE, Project, R, argd, asind, atand, cosd, sind, tand};

/// Returns the larger of two angles after each was brought below 90°.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    let reduced = |angle: f64| if angle > 90.0 { angle - 360.0 } else { angle };
    reduced(a).max(reduced(b))
}

/// Zenithal perspective, AZP (CG 5.1.1).
#[derive(Clone, Debug)]
pub(super) struct Azp {
    mu: f64,
    /// Functions of the angle between line of sight and normal of the plane.
    sine: f64,
    cosine: f64,
    tangent: f64,
}

impl Azp {
    pub(super) fn new(mu: f64, gamma: f64) -> Azp {
        Azp { mu, sine: sind(gamma), cosine: cosd(gamma), tangent: tand(gamma) }
    }

    /// Returns the latitude below which points of this longitude are hidden.
    fn limit(&self, phi_cosine: f64) -> f64 {
        let mut limit = if self.mu.abs() > 1.0 { asind(-1.0 / self.mu) } else { -90.0 };
        if (self.mu * self.cosine).abs() < 1.0 {
            let slope = self.tangent * phi_cosine;
            let t = self.mu / (1.0 + slope * slope).sqrt();
            if t.abs() <= 1.0 {
                let (s, t) = (atand(-slope), asind(t));
                limit = limit.max(greater(s - t, s + t + 180.0));
            }
        }
        limit
    }
}

impl Project for Azp {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let upright = y * self.cosine;
        let radius = (x * x + upright * upright).sqrt();
        if radius == 0.0 {
            return [0.0, 90.0];
        }
        let phi = argd(-upright, x);
        let rho = radius / (R * (self.mu + 1.0) + y * self.sine);
        let t = rho * self.mu / (rho * rho + 1.0).sqrt();
        if t.abs() > 1.0 + 1e-13 {
            return NOWHERE;
        }
        let omega = if t.abs() > 1.0 { 90f64.copysign(t) } else { asind(t) };
        let psi = argd(rho, 1.0);
        if rho.is_nan() {
            return NOWHERE;
        }
        [phi, greater(psi - omega, psi + omega + 180.0)]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (phi_sine, phi_cosine) = (phi * DEGREE).sin_cos();
        let (theta_sine, theta_cosine) = (theta * DEGREE).sin_cos();
        let denominator = self.mu + theta_sine + theta_cosine * phi_cosine * self.tangent;
        if denominator == 0.0 || theta < self.limit(phi_cosine) {
            return NOWHERE;
        }
        let radius = R * (self.mu + 1.0) * theta_cosine / denominator;
        [radius * phi_sine, -radius * phi_cosine / self.cosine]
    }
}
