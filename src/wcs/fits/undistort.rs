//! Polynomials that undo a distortion within a region: the inverse that trees give to readers that do not iterate.

use super::least_squares::{Square, fit, grid};
use super::series::Series2d;
use super::sip::{Distortion, solve};

/// Largest degree of the polynomials.
const MAX_DEGREE: usize = 15;
/// Distance from the exact pixel that is small enough to end the search for a better degree.
const GOOD: f64 = 1e-10;

/// Polynomials of the coordinates in a square: (u, v) for the point that a distortion moves it to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Undistortion {
    pub(super) square: Square,
    pub(super) u: Series2d,
    pub(super) v: Series2d,
}

impl Undistortion {
    fn apply(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.square.to(point);
        [self.u.value(x, y), self.v.value(x, y)]
    }

    /// Fits polynomials for the region between two corners. `None` if none are within this distance from the exact
    /// pixel, as where a distortion folds the plane.
    pub(super) fn fitted(
        distortion: &Distortion,
        low: [f64; 2],
        high: [f64; 2],
        tolerance: f64,
    ) -> Option<Undistortion> {
        let mut best: Option<(f64, Undistortion)> = None;
        let start = distortion.f.degree().max(distortion.g.degree());
        for degree in (start..=MAX_DEGREE).step_by(2) {
            let Some(found) = Undistortion::of_degree(distortion, low, high, degree) else { break };
            let error = found.error(distortion, low, high);
            let is_better = best.as_ref().is_none_or(|(least, _)| error < *least);
            if is_better {
                best = Some((error, found));
            }
            if error <= GOOD || !is_better {
                break;
            }
        }
        best.filter(|(error, _)| *error <= tolerance).map(|(_, found)| found)
    }

    fn of_degree(distortion: &Distortion, low: [f64; 2], high: [f64; 2], degree: usize) -> Option<Undistortion> {
        let pixels = grid(low, high, 2 * degree + 3).ok()?;
        let points: Vec<[f64; 2]> = pixels.iter().map(|[u, v]| distortion.apply(*u, *v)).collect();
        let square = Square::around(&points)?;
        let points: Vec<[f64; 2]> = points.into_iter().map(|point| square.to(point)).collect();
        let column = |axis: usize| -> Vec<f64> { pixels.iter().map(|pixel| pixel[axis]).collect() };
        let terms: Vec<(usize, usize)> = Series2d::terms(degree).collect();
        let [u, v] = fit(degree, &terms, &points, [&column(0), &column(1)])?;
        Some(Undistortion { square, u, v })
    }

    /// Returns the largest distance from the exact pixel, at points between those of the fit.
    fn error(&self, distortion: &Distortion, low: [f64; 2], high: [f64; 2]) -> f64 {
        let distance = |pixel: [f64; 2]| {
            let point = distortion.apply(pixel[0], pixel[1]);
            // In a fold, the pixel is not the only one that leads to the point.
            let Some(exact) = solve(distortion, point, pixel) else { return f64::INFINITY };
            let found = self.apply(point);
            (found[0] - exact[0]).hypot(found[1] - exact[1])
        };
        grid(low, high, 40).map_or(f64::INFINITY, |points| points.into_iter().map(distance).fold(0.0, f64::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_a_distortion_is_exact_or_missing() {
        let mut f = Series2d::zero(3);
        let mut g = Series2d::zero(3);
        for (i, j, value) in [(2, 0, 2e-6), (1, 1, -3e-6), (0, 3, 1e-10)] {
            f.set(i, j, value);
            g.set(j, i, -value);
        }
        let distortion = Distortion { f, g };
        let (low, high) = ([-2048.0, -1024.0], [2048.0, 1024.0]);
        let found = Undistortion::fitted(&distortion, low, high, 1e-6).unwrap();
        assert!(found.error(&distortion, low, high) < 1e-8, "{}", found.error(&distortion, low, high));
        // This one folds the plane at u = 1000.
        let mut f = Series2d::zero(2);
        f.set(2, 0, -5e-4);
        let folded = Distortion { f, g: Series2d::zero(2) };
        assert_eq!(Undistortion::fitted(&folded, low, high, 1e-3), None);
    }
}
