//! Distortions of pixels by polynomials: the SIP convention (Shupe et al. 2005, ASP Conf. Ser. 347, 491).

use super::series::Series2d;
use crate::wcs::kernel::{Inverse, Point, each};

/// Largest number of steps of the inverse.
const MAX_STEPS: usize = 50;

/// Polynomials f and g of the distances (u, v) from the reference pixel: (u + f, v + g).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Distortion {
    pub(super) f: Series2d,
    pub(super) g: Series2d,
}

impl Distortion {
    /// Returns the point that the polynomials lead to.
    pub(super) fn apply(&self, u: f64, v: f64) -> [f64; 2] {
        [u + self.f.value(u, v), v + self.g.value(u, v)]
    }
}

/// Polynomials of SIP: from pixels to the plane, and back if the header has them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sip {
    pub(super) forward: Distortion,
    pub(super) backward: Option<Distortion>,
}

impl Point<2, 2> for Sip {
    fn at(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        self.forward.apply(u, v)
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(Undistorted(self.clone())))
    }
}

/// The inverse, by Newton's method from the approximation in the header. A point for which it does not converge is NaN.
#[derive(Clone, Debug)]
struct Undistorted(Sip);

impl Point<2, 2> for Undistorted {
    const IS_ITERATIVE: bool = true;

    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let Sip { forward, backward } = &self.0;
        solve(forward, [x, y], backward.as_ref().map_or([x, y], |approximation| approximation.apply(x, y)))
            .or_else(|| solve(forward, [x, y], [x, y]))
            .unwrap_or([f64::NAN; 2])
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(self.0.clone()))
    }
}

/// Finds the point that a distortion moves to a target.
pub(super) fn solve(distortion: &Distortion, target: [f64; 2], start: [f64; 2]) -> Option<[f64; 2]> {
    let [mut u, mut v] = start;
    let mut last = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let (f, f_u, f_v) = distortion.f.with_derivatives(u, v);
        let (g, g_u, g_v) = distortion.g.with_derivatives(u, v);
        let [p, q] = [u + f - target[0], v + g - target[1]];
        let (a, b, c, d) = (1.0 + f_u, f_v, g_u, 1.0 + g_v);
        let determinant = a * d - b * c;
        // Behind a fold the determinant is negative: another pixel has the same place.
        if determinant.is_nan() || determinant <= 0.0 {
            return None;
        }
        let (du, dv) = ((d * p - b * q) / determinant, (a * q - c * p) / determinant);
        (u, v) = (u - du, v - dv);
        let length = du.hypot(dv);
        let rounding = 4.0 * f64::EPSILON * (1.0 + u.hypot(v));
        if length <= rounding || (length >= last && length <= 1e3 * rounding) {
            return Some([u, v]);
        }
        last = length;
    }
    None
}
