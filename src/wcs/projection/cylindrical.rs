//! Cylindrical projections (CG 5.2).

use super::{NOWHERE, Project, R, asind, atand, cosd, sind, tand};

/// Cylindrical perspective, CYP (CG 5.2.1).
#[derive(Clone, Debug)]
pub(super) struct Cyp {
    pub(super) mu: f64,
    pub(super) lambda: f64,
}

impl Project for Cyp {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let eta = y / (R * (self.mu + self.lambda));
        let sine = eta * self.mu / (eta * eta + 1.0).sqrt();
        [x / self.lambda, atand(eta) + asind(sine)]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let below = self.mu + cosd(theta);
        if below == 0.0 {
            return NOWHERE;
        }
        [self.lambda * phi, R * (self.mu + self.lambda) * sind(theta) / below]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Cylindrical equal area, CEA (CG 5.2.2).
#[derive(Clone, Debug)]
pub(super) struct Cea {
    pub(super) lambda: f64,
}

impl Project for Cea {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let sine = self.lambda * y / R;
        if sine.abs() > 1.0 + 1e-13 {
            return NOWHERE;
        }
        [x, if sine.abs() > 1.0 { 90f64.copysign(sine) } else { asind(sine) }]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        [phi, R * sind(theta) / self.lambda]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Plate carrée, CAR (CG 5.2.3). Python does not check its range.
#[derive(Clone, Debug)]
pub(super) struct Car;

impl Project for Car {
    const CHECKED: bool = false;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        [x, y]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        [phi, theta]
    }

    fn is_separable(&self) -> bool {
        true
    }
}

/// Mercator, MER (CG 5.2.4).
#[derive(Clone, Debug)]
pub(super) struct Mer;

impl Project for Mer {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        [x, 2.0 * atand((y / R).exp()) - 90.0]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if theta.abs() >= 90.0 {
            return NOWHERE;
        }
        [phi, R * tand((90.0 + theta) / 2.0).ln()]
    }

    fn is_separable(&self) -> bool {
        true
    }
}
