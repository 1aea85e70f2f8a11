//! HEALPix grids as projections: HPX (Calabretta & Roukema 2007), and XPH, which has a pole in its center.

use super::{DEGREE, NOWHERE, Project, R, asind, sind};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// HEALPix with H facets along the equator and K = X facets between the poles, HPX.
#[derive(Clone, Debug)]
pub(super) struct Hpx {
    h: f64,
    k: f64,
    odd_h: bool,
    odd_k: bool,
}

impl Hpx {
    /// Fails if a number of facets is not positive; tells the parameter.
    pub(super) fn new(h: f64, k: f64) -> Result<Hpx, &'static str> {
        if h.is_nan() || h <= 0.0 {
            return Err("H");
        }
        if k.is_nan() || k <= 0.0 {
            return Err("X");
        }
        let is_odd = |number: f64| (number + 0.5).floor().rem_euclid(2.0) == 1.0;
        Ok(Hpx { h, k, odd_h: is_odd(h), odd_k: is_odd(k) })
    }

    /// Half of the width of a facet.
    fn half(&self) -> f64 {
        180.0 / self.h
    }

    /// Returns the distance of a longitude from the center of its facet in a polar cap.
    fn offset_at(&self, longitude: f64, north: bool) -> f64 {
        let half = self.half();
        let center = -180.0 + (2.0 * ((longitude + 180.0) * self.h / 360.0).floor() + 1.0) * half;
        let offset = longitude - center;
        if north || self.odd_k {
            return offset;
        }
        let odd = ((longitude / half).floor() + f64::from(u8::from(self.odd_h))).rem_euclid(2.0) == 1.0;
        if odd { offset - half } else { offset + half }
    }
}

impl Project for Hpx {
    const TOLERANCE: f64 = 1e-12;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let half = self.half();
        let distance = y.abs();
        if x.is_nan() || y.is_nan() {
            return NOWHERE;
        }
        if distance <= 90.0 * (self.k - 1.0) / self.h {
            return [x, asind(y * self.h / (90.0 * self.k))];
        }
        if distance > half * (self.k + 1.0) / 2.0 {
            return NOWHERE;
        }
        let sigma = (self.k + 1.0) / 2.0 - distance / half;
        let offset = self.offset_at(x, y > 0.0);
        let (theta, factor) = if sigma == 0.0 {
            (90.0, 1e9)
        } else {
            let sine = 1.0 - sigma * sigma / self.k;
            if sine < -1.0 {
                return NOWHERE;
            }
            (asind(sine), 1.0 / sigma)
        };
        let stretched = offset * factor;
        if stretched.abs() >= half + 1e-12 {
            return NOWHERE;
        }
        let phi = if stretched != 0.0 { x + (stretched - offset) } else { x };
        [phi, if y < 0.0 { -theta } else { theta }]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if phi.is_nan() || theta.is_nan() {
            return NOWHERE;
        }
        let sine = sind(theta);
        if sine.abs() <= (self.k - 1.0) / self.k {
            return [phi, 90.0 * self.k / self.h * sine];
        }
        let sigma = (self.k * (1.0 - sine.abs())).sqrt();
        let x = phi + (sigma - 1.0) * self.offset_at(phi, theta > 0.0);
        let y = self.half() * ((self.k + 1.0) / 2.0 - sigma);
        [if x > 180.0 { 360.0 - x } else { x }, if theta < 0.0 { -y } else { y }]
    }
}

/// HEALPix with H = 4 and K = 3 around the north pole, XPH.
#[derive(Clone, Debug)]
pub(super) struct Xph;

/// Sine of the latitude where the polar caps begin.
const CAP: f64 = 2.0 / 3.0;

impl Project for Xph {
    const TOLERANCE: f64 = 1e-12;

    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (x, y) = (x / SQRT_2, y / SQRT_2);
        if x.is_nan() || y.is_nan() {
            return NOWHERE;
        }
        let (xi, eta, base) = if x <= 0.0 && y > 0.0 {
            (-x - y, x - y, -180.0)
        } else if x < 0.0 && y <= 0.0 {
            (x - y, x + y, -90.0)
        } else if x >= 0.0 && y < 0.0 {
            (x + y, -x + y, 0.0)
        } else {
            (-x + y, -x - y, 90.0)
        };
        let e = eta + 90.0;
        if e.abs() > 90.0 {
            return NOWHERE;
        }
        if e.abs() <= 45.0 {
            if xi.abs() > 45.0 + 1e-12 {
                return NOWHERE;
            }
            return [base + xi + 45.0, asind(e / 67.5)];
        }
        let sigma = (90.0 - e.abs()) / 45.0;
        let phi = if x == 0.0 {
            if y <= 0.0 { 0.0 } else { 180.0 }
        } else if y == 0.0 {
            90f64.copysign(x)
        } else if xi == 0.0 {
            base + 45.0
        } else {
            base + 45.0 + xi / sigma
        };
        if e < 0.0 && e + 90.0 + 1e-12 < xi.abs() {
            return NOWHERE;
        }
        let theta = if sigma < 1e-4 { 90.0 - sigma * CAP.sqrt() * R } else { asind(1.0 - sigma * sigma / 3.0) };
        [phi, if e < 0.0 { -theta } else { theta }]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if phi.is_nan() || theta.is_nan() {
            return NOWHERE;
        }
        let phi = (phi + 180.0).rem_euclid(360.0) - 180.0;
        let p = (phi + 180.0) % 90.0;
        let sine = sind(theta);
        let (xi, eta) = if sine.abs() <= CAP {
            (p, 67.5 * sine)
        } else {
            let sigma = if theta >= 90.0 - 1e-4 * CAP.sqrt() * R {
                (90.0 - theta) * 1.5f64.sqrt() * DEGREE
            } else {
                (3.0 * (1.0 - sine.abs())).sqrt()
            };
            let eta = 45.0 * (2.0 - sigma);
            (45.0 + (p - 45.0) * sigma, if theta < 0.0 { -eta } else { eta })
        };
        let (xi, eta) = (xi - 45.0, eta - 90.0);
        let (x, y) = if phi < -90.0 {
            (-xi + eta, -xi - eta)
        } else if phi < 0.0 {
            (xi + eta, -xi + eta)
        } else if phi < 90.0 {
            (xi - eta, xi + eta)
        } else {
            (-xi - eta, xi - eta)
        };
        [x * FRAC_1_SQRT_2, y * FRAC_1_SQRT_2]
    }
}
