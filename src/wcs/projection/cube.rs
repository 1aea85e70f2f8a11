//! Quadrilateralized spherical cubes (CG 5.6): tangential, TSC, COBE's, CSC, and of equal area, QSC. Lengths within a
//! face are in units of 45°.

use super::{DEGREE, NOWHERE, Project, R, argd, asind, atand, sind};

/// Positions of the faces in the plane.
const CENTERS: [[f64; 2]; 6] = [[0.0, 2.0], [0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [6.0, 0.0], [0.0, -2.0]];

/// Returns the face of a direction, with the coordinates of the direction on it: ζ along its normal, then ξ and η.
fn on_face([l, m, n]: [f64; 3]) -> (usize, [f64; 3]) {
    let mut face = 0;
    let mut zeta = n;
    for (other, value) in [(1, l), (2, m), (3, -l), (4, -m), (5, -n)] {
        if value > zeta {
            (face, zeta) = (other, value);
        }
    }
    let (xi, eta) = match face {
        0 => (m, -l),
        1 => (m, n),
        2 => (-l, n),
        3 => (-m, n),
        4 => (l, n),
        _ => (m, l),
    };
    (face, [zeta, xi, eta])
}

/// Returns the direction for coordinates on a face.
fn direction(face: usize, [zeta, xi, eta]: [f64; 3]) -> [f64; 3] {
    match face {
        0 => [-eta, xi, zeta],
        1 => [zeta, xi, eta],
        2 => [-xi, zeta, eta],
        3 => [-zeta, -xi, eta],
        4 => [xi, -zeta, eta],
        _ => [eta, xi, -zeta],
    }
}

/// Returns the face at a point of the plane, and the coordinates within it.
fn face_at(x: f64, y: f64) -> Option<(usize, f64, f64)> {
    let (mut x, y) = (x / 45.0, y / 45.0);
    let inside = if x.abs() <= 1.0 { y.abs() <= 3.0 } else { x.abs() <= 7.0 && y.abs() <= 1.0 };
    if !inside {
        return None;
    }
    if x < -1.0 {
        x += 8.0;
    }
    Some(if x > 5.0 {
        (4, x - 6.0, y)
    } else if x > 3.0 {
        (3, x - 4.0, y)
    } else if x > 1.0 {
        (2, x - 2.0, y)
    } else if y > 1.0 {
        (0, x, y - 2.0)
    } else if y < -1.0 {
        (5, x, y + 2.0)
    } else {
        (1, x, y)
    })
}

/// Returns the point of the plane for coordinates within a face that may leave it by a tolerance.
fn in_plane(face: usize, x: f64, y: f64, tolerance: f64) -> [f64; 2] {
    let limited = |value: f64| if value.abs() > 1.0 { 1f64.copysign(value) } else { value };
    if x.abs() > 1.0 + tolerance || y.abs() > 1.0 + tolerance {
        return NOWHERE;
    }
    let [x0, y0] = CENTERS[face];
    [45.0 * (limited(x) + x0), 45.0 * (limited(y) + y0)]
}

fn cosines(phi: f64, theta: f64) -> [f64; 3] {
    let (phi_sine, phi_cosine) = (phi * DEGREE).sin_cos();
    let (theta_sine, theta_cosine) = (theta * DEGREE).sin_cos();
    [theta_cosine * phi_cosine, theta_cosine * phi_sine, theta_sine]
}

fn angles([l, m, n]: [f64; 3]) -> [f64; 2] {
    [argd(l, m), asind(n)]
}

/// Returns the coordinates on a face for the ratios ξ/ζ and η/ζ.
fn from_ratios(x: f64, y: f64) -> [f64; 3] {
    let zeta = 1.0 / (1.0 + x * x + y * y).sqrt();
    [zeta, zeta * x, zeta * y]
}

/// Tangential spherical cube, TSC (CG 5.6.1).
#[derive(Clone, Debug)]
pub(super) struct Tsc;

impl Project for Tsc {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        match face_at(x, y) {
            Some((face, x, y)) => angles(direction(face, from_ratios(x, y))),
            None => NOWHERE,
        }
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (face, [zeta, xi, eta]) = on_face(cosines(phi, theta));
        in_plane(face, xi / zeta, eta / zeta, 1e-12)
    }
}

/// COBE quadrilateralized spherical cube, CSC (CG 5.6.2): polynomial fits, in the precision of binary32 like the
/// original.
#[derive(Clone, Debug)]
pub(super) struct Csc;

/// Coefficients of the fit from the plane to the sphere: row j belongs to the power 2j of the other coordinate.
const BACK: [&[f32]; 7] = [
    &[-0.27292696, -0.07629969, -0.22797056, 0.54852384, -0.62930065, 0.25795794, 0.02584375],
    &[-0.02819452, -0.01471565, 0.48051509, -1.74114454, 1.71547508, -0.53022337],
    &[0.27058160, -0.56800938, 0.30803317, 0.98938102, -0.83180469],
    &[-0.60441560, 1.50880086, -0.93678576, 0.08693841],
    &[0.93412077, -1.41601920, 0.33887446],
    &[-0.63915306, 0.52032238],
    &[0.14381585],
];

impl Csc {
    #[rustfmt::skip]
    fn forth(chi: f32, psi: f32) -> f32 {
        let (c, p) = (chi * chi, psi * psi);
        let fit = 0.141189631152 + 0.0809701286525 * c - 0.281528535557 * p + 0.15384112876 * c * p
            - 0.178251207466 * c * c + 0.106959469314 * p * p;
        let inner = -0.13161671474 * (1.0 - c) + 0.004869491981 * c + (1.0 - p) * fit;
        let outer = -0.159596235474 - (1.0 - c) * (0.0759196200467 - 0.0217762490699 * c);
        chi * (c + (1.0 - c) * (1.37484847732 + p * inner + c * outer))
    }

    fn back(x: f32, y: f32) -> f32 {
        let (xx, yy) = (x * x, y * y);
        let row = |coefficients: &[f32]| coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * xx + coefficient);
        let sum = BACK.iter().rev().fold(0.0, |sum, coefficients| sum * yy + row(coefficients));
        x + x * (1.0 - xx) * sum
    }
}

impl Project for Csc {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let Some((face, x, y)) = face_at(x, y) else { return NOWHERE };
        let (x, y) = (x as f32, y as f32);
        let (chi, psi) = (Csc::back(x, y), Csc::back(y, x));
        angles(direction(face, from_ratios(f64::from(chi), f64::from(psi))))
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let (face, [zeta, xi, eta]) = on_face(cosines(phi, theta));
        let (chi, psi) = ((xi / zeta) as f32, (eta / zeta) as f32);
        in_plane(face, f64::from(Csc::forth(chi, psi)), f64::from(Csc::forth(psi, chi)), 1e-7)
    }
}

/// Quadrilateralized spherical cube, QSC (CG 5.6.3).
#[derive(Clone, Debug)]
pub(super) struct Qsc;

impl Qsc {
    /// Returns 1 − ζ, from the distance to the center of the face where the difference would lose digits.
    fn depth(face: usize, zeta: f64, phi: f64, theta: f64) -> f64 {
        let depth = 1.0 - zeta;
        if depth >= 1e-8 {
            return depth;
        }
        let (along, across) = match face {
            0 => (0.0, (90.0 - theta) * DEGREE),
            5 => (0.0, (90.0 + theta) * DEGREE),
            _ => {
                let center = 90.0 * (face as f64 - 1.0);
                let turn = (phi - center) / 360.0;
                ((turn - turn.round()) * 360.0 * DEGREE, theta * DEGREE)
            }
        };
        (along * along + across * across) / 2.0
    }
}

impl Project for Qsc {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let Some((face, x, y)) = face_at(x, y) else { return NOWHERE };
        let along_x = x.abs() > y.abs();
        let (major, minor) = if along_x { (x, y) } else { (y, x) };
        if major == 0.0 && minor == 0.0 {
            return angles(direction(face, [1.0, 0.0, 0.0]));
        }
        let w = 15.0 * minor / major;
        let omega = sind(w) / ((w * DEGREE).cos() - std::f64::consts::FRAC_1_SQRT_2);
        let tau = 1.0 + omega * omega;
        let z = major * major * (1.0 - 1.0 / (1.0 + tau).sqrt());
        let mut zeta = 1.0 - z;
        if zeta < -1.0 {
            if zeta < -1.0 - 1e-12 {
                return NOWHERE;
            }
            zeta = -1.0;
        }
        let rho = (z * (2.0 - z).max(0.0) / tau).sqrt().copysign(major);
        let (xi, eta) = if along_x { (rho, rho * omega) } else { (rho * omega, rho) };
        angles(direction(face, [zeta, xi, eta]))
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        if theta.abs() == 90.0 {
            return [0.0 * phi, 90f64.copysign(theta)];
        }
        let (face, [zeta, xi, eta]) = on_face(cosines(phi, theta));
        let z = Qsc::depth(face, zeta, phi, theta);
        if zeta.is_nan() {
            return NOWHERE;
        }
        if xi == 0.0 && eta == 0.0 {
            return in_plane(face, 0.0, 0.0, 1e-12);
        }
        let along_x = xi.abs() > eta.abs();
        let (major, minor) = if along_x { (xi, eta) } else { (eta, xi) };
        let omega = minor / major;
        let tau = 1.0 + omega * omega;
        let length = (z / (1.0 - 1.0 / (1.0 + tau).sqrt())).sqrt().copysign(major);
        let width = length / 15.0 * (atand(omega) - (omega / (tau + tau).sqrt()).asin() * R);
        let (x, y) = if along_x { (length, width) } else { (width, length) };
        in_plane(face, x, y, 1e-12)
    }
}
