//! Slant projections: orthographic, SIN (CG 5.1.5), and zenithal perspective, SZP (CG 5.1.2).

use super::perspective::greater;
use super::{DEGREE, NOWHERE, Project, R, argd, asind, cosd, sind};

/// Returns the sine of the latitude: the root of a·s² + 2b·s + c = 0 that lies on the visible side.
fn sine_of(a: f64, b: f64, c: f64) -> Option<f64> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let (one, other) = ((-b + root) / a, (-b - root) / a);
    let mut sine = one.max(other);
    if sine > 1.0 {
        sine = if sine - 1.0 < 1e-13 { 1.0 } else { one.min(other) };
    }
    if sine < -1.0 && sine + 1.0 > -1e-13 {
        sine = -1.0;
    }
    (sine.abs() <= 1.0 || sine.is_nan()).then_some(sine)
}

/// Slant orthographic, SIN (CG 5.1.5).
#[derive(Clone, Debug)]
pub(super) struct Sin {
    pub(super) xi: f64,
    pub(super) eta: f64,
}

impl Sin {
    fn is_upright(&self) -> bool {
        self.xi == 0.0 && self.eta == 0.0
    }

    fn upright_sky(x: f64, y: f64) -> [f64; 2] {
        let squared = x * x + y * y;
        let phi = if squared == 0.0 { 0.0 } else { argd(-y, x) };
        if squared < 0.5 {
            [phi, squared.sqrt().acos() * R]
        } else if squared <= 1.0 {
            [phi, asind((1.0 - squared).sqrt())]
        } else {
            NOWHERE
        }
    }
}

impl Project for Sin {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let (x, y) = (x / R, y / R);
        if self.is_upright() {
            return Sin::upright_sky(x, y);
        }
        let squared = x * x + y * y;
        let s = self.xi * x + self.eta * y;
        let w = self.xi * self.xi + self.eta * self.eta;
        let (theta, z) = if squared < 1e-10 {
            (90.0 - R * (squared / (1.0 + s)).sqrt(), squared / 2.0)
        } else {
            match sine_of(w + 1.0, s - w, squared - s - s + w - 1.0) {
                Some(sine) => (asind(sine), 1.0 - sine),
                None => return NOWHERE,
            }
        };
        [argd(-y + self.eta * z, x - self.xi * z), theta]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (sine, cosine) = (phi * DEGREE).sin_cos();
        // Close to a pole, the small angle is more exact than the cosine.
        let from_pole = (90.0 - theta.abs()) * DEGREE;
        let (z, radius) = if from_pole < 1e-5 {
            let z = from_pole * from_pole / 2.0;
            (if theta > 0.0 { z } else { 2.0 - z }, from_pole)
        } else {
            (1.0 - sind(theta), cosd(theta))
        };
        if self.is_upright() {
            if theta < 0.0 {
                return NOWHERE;
            }
            return [R * radius * sine, -R * radius * cosine];
        }
        if theta < -(self.xi * sine - self.eta * cosine).atan() * R {
            return NOWHERE;
        }
        [R * (radius * sine + self.xi * z), R * (-radius * cosine + self.eta * z)]
    }
}

/// Slant zenithal perspective, SZP (CG 5.1.2).
#[derive(Clone, Debug)]
pub(super) struct Szp {
    mu: f64,
    /// Point of projection.
    point: [f64; 3],
}

impl Szp {
    pub(super) fn new(mu: f64, phi0: f64, theta0: f64) -> Szp {
        let across = mu * cosd(theta0);
        Szp { mu, point: [-across * sind(phi0), across * cosd(phi0), mu * sind(theta0) + 1.0] }
    }

    /// Returns the latitude below which points of this longitude are hidden.
    fn limit(&self, phi_sine: f64, phi_cosine: f64) -> f64 {
        let [xp, yp, zp] = self.point;
        let mut limit = if (zp - 1.0).abs() < 1.0 { asind(1.0 - zp) } else { -90.0 };
        if self.mu.abs() > 1.0 {
            let u = xp * phi_sine - yp * phi_cosine;
            let v = 1.0 / ((zp - 1.0) * zp - 1.0 + u * u).sqrt();
            if v.abs() <= 1.0 {
                let (s, t) = (argd(zp - 1.0, u), asind(v));
                limit = limit.max(greater(s - t, s + t + 180.0));
            }
        }
        limit
    }
}

impl Project for Szp {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let [xp, yp, zp] = self.point;
        let (x, y) = (x / R, y / R);
        let (x1, y1) = ((x - xp) / zp, (y - yp) / zp);
        let (s, squared) = (x * x1 + y * y1, x * x + y * y);
        let (theta, z) = if squared < 1e-10 {
            (90.0 - R * (squared / (1.0 + s)).sqrt(), squared / 2.0)
        } else {
            let t = x1 * x1 + y1 * y1;
            match sine_of(t + 1.0, s - t, squared - s - s + t - 1.0) {
                Some(sine) => (asind(sine), 1.0 - sine),
                None => return NOWHERE,
            }
        };
        [(x - x1 * z).atan2(-(y - y1 * z)) * R, theta]
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let [xp, yp, zp] = self.point;
        let (sine, cosine) = (phi * DEGREE).sin_cos();
        let s = 1.0 - sind(theta);
        let t = zp - s;
        if t == 0.0 || theta < self.limit(sine, cosine) {
            return NOWHERE;
        }
        let radius = zp * cosd(theta);
        [R * (radius * sine - xp * s) / t, -R * (radius * cosine + yp * s) / t]
    }
}
