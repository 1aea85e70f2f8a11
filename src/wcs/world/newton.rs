//! Pixels of world coordinates by iteration, for chains without an inverse: a grid of points whose world coordinates are
//! known, and a polynomial that leads from world coordinates near to the pixel.

use super::fit::{Features, Fit};
use super::frame::Frame;
use super::position::{Axes, MAX_AXES, Pixel, Position, Target, Vector, dot};
use super::solver::Solver;
use crate::wcs::kernel::{BLOCK, Registers};
use crate::wcs::model::{Limits, Program, Scratch};
use crate::wcs::options::EvaluateOptions;
use crate::wcs::transform::Transform;
use std::sync::Arc;

/// Nodes of the grid of known points along each axis, for one axis and more.
const NODES: [usize; MAX_AXES] = [65, 17, 9, 5];
/// Image size that is assumed where the file gives neither box nor shape.
const DEFAULT_SIZE: f64 = 2048.0;
/// Largest residual of the polynomial, as part of the image.
const RESIDUAL: f64 = 0.05;

/// A chain, with points whose world coordinates are known.
#[derive(Debug)]
pub(super) struct Newton {
    pub(super) program: Arc<Program>,
    pub(super) axes: Axes,
    /// Size of the image along each axis.
    pub(super) size: Pixel,
    /// Known points.
    grid: Vec<(Pixel, Position)>,
    fit: Option<(Scaled, Fit)>,
}

/// Coordinates in which the known points lie from −1 to 1.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    /// Direction to the middle of the known points, to the east and to the north.
    basis: [Vector; 3],
    middle: [f64; MAX_AXES],
    half: [f64; MAX_AXES],
}

impl Newton {
    /// Returns `None` unless there are as many world coordinates as pixel axes, at most 4, and for a chain that fails at
    /// all known points.
    pub(super) fn new(
        forward: &Transform,
        world: Option<&Frame>,
        limits: Option<&Limits>,
        pixel_shape: Option<&[i64]>,
    ) -> Option<Newton> {
        let (inputs, outputs) = forward.arity();
        if inputs != outputs || !(1..=MAX_AXES).contains(&inputs) {
            return None;
        }
        let limits = limits.and_then(Limits::as_box);
        let mut ends = [[0.0; 2]; MAX_AXES];
        for (axis, ends) in ends[..inputs].iter_mut().enumerate() {
            let given = limits.and_then(|limits| limits.0.get(axis).copied().flatten());
            let whole = pixel_shape.and_then(|shape| Some([-0.5, *shape.get(axis)? as f64 - 0.5]));
            let finite = given.filter(|ends| ends.iter().all(|end| end.is_finite()) && ends[0] < ends[1]);
            *ends = finite.or(whole).unwrap_or([-0.5, DEFAULT_SIZE - 0.5]);
        }
        let axes = Axes { count: inputs, celestial: world.and_then(Frame::celestial) };
        let size = ends.map(|[low, high]| high - low);
        let mut newton = Newton { program: forward.program.clone(), axes, size, grid: Vec::new(), fit: None };
        newton.find_known(&ends);
        newton.fit = newton.fitted();
        (!newton.grid.is_empty()).then_some(newton)
    }

    /// Evaluates the chain on a grid.
    fn find_known(&mut self, ends: &[[f64; 2]; MAX_AXES]) {
        let (count, nodes) = (self.axes.count, NODES[self.axes.count - 1]);
        let pixels: Vec<Pixel> = (0..nodes.pow(count as u32))
            .map(|mut number| {
                let mut pixel = [0.0; MAX_AXES];
                for axis in 0..count {
                    let [low, high] = ends[axis];
                    pixel[axis] = low + (high - low) * (number % nodes) as f64 / (nodes - 1) as f64;
                    number /= nodes;
                }
                pixel
            })
            .collect();
        for block in pixels.chunks(BLOCK) {
            // If a point fails, each is tried alone.
            if !self.add_known(block) {
                for pixel in block {
                    self.add_known(std::slice::from_ref(pixel));
                }
            }
        }
    }

    /// Adds the points whose world coordinates are finite. Returns false if one is outside of the domain of the chain.
    fn add_known(&mut self, pixels: &[Pixel]) -> bool {
        let columns: Registers =
            (0..self.axes.count).map(|axis| pixels.iter().map(|pixel| pixel[axis]).collect()).collect();
        let (mut scratch, mut positions) = (Scratch::default(), Vec::new());
        let Ok(world) = self.program.values(&columns, pixels.len(), &mut scratch) else { return false };
        self.axes.positions(&world, &mut Registers::new(), &mut positions);
        let known = pixels.iter().copied().zip(positions);
        self.grid.extend(known.filter(|(_, position)| position.is_finite()));
        true
    }

    /// Fits the known pixels by polynomials of the world coordinates; `None` where they are no good start.
    fn fitted(&self) -> Option<(Scaled, Fit)> {
        let mut scaled = self.scaled()?;
        let mut points: Vec<(Features, Pixel)> = Vec::with_capacity(self.grid.len());
        for (pixel, position) in &self.grid {
            points.push((scaled.features(&self.axes, position)?, *pixel));
        }
        for axis in 0..self.axes.count {
            let values = || points.iter().map(|(features, _)| features[axis]);
            let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            let half = (high - low) / 2.0;
            if half.is_nan() || half <= 0.0 {
                return None;
            }
            (scaled.middle[axis], scaled.half[axis]) = (low + half, half);
            points.iter_mut().for_each(|(features, _)| features[axis] = (features[axis] - low) / half - 1.0);
        }
        let fit = Fit::new(&points, self.axes.count, &self.size.map(|size| size * RESIDUAL))?;
        Some((scaled, fit))
    }

    /// Returns the directions for the features, without scale.
    fn scaled(&self) -> Option<Scaled> {
        let mut sum = [0.0; 3];
        for (_, position) in &self.grid {
            sum = std::array::from_fn(|axis| sum[axis] + position.direction[axis]);
        }
        let length = dot(&sum, &sum).sqrt();
        if self.axes.celestial.is_some() && length < 0.1 * self.grid.len() as f64 {
            return None;
        }
        let [x, y, z] = sum.map(|part| part / length);
        let across = x.hypot(y);
        let (cosine, sine) = if across > 0.0 { (x / across, y / across) } else { (1.0, 0.0) };
        let basis = [[x, y, z], [-sine, cosine, 0.0], [-z * cosine, -z * sine, across]];
        Some(Scaled { basis, middle: [0.0; MAX_AXES], half: [1.0; MAX_AXES] })
    }

    /// Returns a pixel near that of a target: by the polynomial, if there is one and the target is on its side of the
    /// sky.
    pub(super) fn near(&self, target: &Target) -> Option<Pixel> {
        let (scaled, fit) = self.fit.as_ref()?;
        Some(fit.at(&scaled.features(&self.axes, &target.position)?))
    }

    /// Returns the known pixel that is nearest to a target.
    pub(super) fn nearest(&self, target: &Target) -> Pixel {
        let distance = |position: &Position| {
            let mut sum = 0.0;
            for axis in self.axes.others() {
                let scale = self.fit.as_ref().map_or(1.0, |(scaled, _)| scaled.half[axis]);
                sum += ((position.world[axis] - target.position.world[axis]) / scale).powi(2);
            }
            if self.axes.celestial.is_some() {
                for axis in 0..3 {
                    sum += (position.direction[axis] - target.position.direction[axis]).powi(2);
                }
            }
            sum
        };
        let mut best = (f64::INFINITY, [0.0; MAX_AXES]);
        for (pixel, position) in &self.grid {
            let here = distance(position);
            if here < best.0 {
                best = (here, *pixel);
            }
        }
        best.1
    }

    pub(super) fn solver(&self, limits: Option<Arc<Limits>>, options: &EvaluateOptions) -> Solver<'_> {
        Solver { newton: self, limits, options: options.clone() }
    }
}

impl Scaled {
    /// Returns the scaled coordinates of a position; on the sky those in the plane that touches it in the middle.
    fn features(&self, axes: &Axes, position: &Position) -> Option<Features> {
        let mut features = position.world;
        if let Some(pair) = axes.celestial {
            let [middle, east, north] = &self.basis;
            let toward = dot(&position.direction, middle);
            if toward.is_nan() || toward <= 0.1 {
                return None;
            }
            for (axis, along) in pair.into_iter().zip([east, north]) {
                features[axis] = dot(&position.direction, along) / toward;
            }
        }
        for axis in 0..axes.count {
            features[axis] = (features[axis] - self.middle[axis]) / self.half[axis];
        }
        Some(features)
    }
}
