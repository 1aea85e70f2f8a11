//! Pixels of world coordinates by iteration: Newton's method for chains without an inverse, of one or two axes.
//!
//! Differences on the sky are taken in the plane that touches the sphere at the wanted point, so that neither poles nor
//! the jump of longitudes matter. Derivatives are differences of the whole chain over a ten-thousandth of the image.

use super::frame::Frame;
use crate::error::{Error, Result, Status};
use crate::wcs::kernel::Registers;
use crate::wcs::kernel::rotation::to_cartesian;
use crate::wcs::model::{Blocks, Evaluation, Inside, Limits, Program, Scratch};
use crate::wcs::options::EvaluateOptions;
use crate::wcs::transform::Transform;
use std::sync::Arc;

/// Nodes of the grid of known points, along each axis.
const NODES: usize = 17;
/// Image size that is assumed where the file gives neither box nor shape.
const DEFAULT_SIZE: f64 = 2048.0;
/// Steps, as parts of a pixel, below which a point is as exact as rounding allows.
const NEGLIGIBLE: f64 = 1e-10;

/// Coordinates of a point, on the sky as a unit vector.
type Vector = [f64; 3];

/// A chain, with points whose world coordinates are known.
#[derive(Debug)]
pub(super) struct Newton {
    program: Arc<Program>,
    axes: usize,
    /// Coordinates that are longitude and latitude, if all are on the sky.
    celestial: Option<[usize; 2]>,
    /// Known points.
    grid: Vec<([f64; 2], Vector)>,
    /// Distance over which derivatives are taken.
    step: [f64; 2],
}

/// The world coordinates of a point that is wanted, with the directions in which differences from it are measured.
struct Target {
    value: Vector,
    along: [Vector; 2],
}

fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Newton {
    /// Returns `None` for other numbers of axes, and for a chain that fails at all known points.
    pub(super) fn new(
        forward: &Transform,
        world: Option<&Frame>,
        limits: Option<&Limits>,
        pixel_shape: Option<&[i64]>,
    ) -> Option<Newton> {
        let (inputs, outputs) = forward.arity();
        if inputs != outputs || !(1..=2).contains(&inputs) {
            return None;
        }
        let limits = limits.and_then(Limits::as_box);
        let ends: Vec<[f64; 2]> = (0..inputs)
            .map(|axis| {
                let given = limits.and_then(|limits| limits.0.get(axis).copied().flatten());
                let whole = pixel_shape.and_then(|shape| Some([-0.5, *shape.get(axis)? as f64 - 0.5]));
                let finite = given.filter(|ends| ends.iter().all(|end| end.is_finite()) && ends[0] < ends[1]);
                finite.or(whole).unwrap_or([-0.5, DEFAULT_SIZE - 0.5])
            })
            .collect();
        let celestial = world.and_then(Frame::celestial).filter(|_| inputs == 2);
        let step = std::array::from_fn(|axis| ends.get(axis).map_or(1.0, |[low, high]| (high - low) * 1e-4));
        let program = forward.program.clone();
        let mut newton = Newton { program, axes: inputs, celestial, grid: Vec::new(), step };
        newton.grid = newton.known(&ends)?;
        (!newton.grid.is_empty()).then_some(newton)
    }

    /// Evaluates the chain on a grid.
    fn known(&self, ends: &[[f64; 2]]) -> Option<Vec<([f64; 2], Vector)>> {
        let node = |axis: usize, index: usize| {
            let [low, high] = ends[axis];
            low + (high - low) * index as f64 / (NODES - 1) as f64
        };
        let mut grid = Vec::new();
        for row in 0..if self.axes == 2 { NODES } else { 1 } {
            let mut columns: Registers = vec![(0..NODES).map(|index| node(0, index)).collect()];
            if self.axes == 2 {
                columns.push(vec![node(1, row); NODES]);
            }
            let Ok(values) = self.program.apply(&columns, NODES, &mut Scratch::default()) else { continue };
            for point in 0..NODES {
                let pixel = [columns[0][point], columns.get(1).map_or(0.0, |column| column[point])];
                let value = self.vector(&values, point);
                if value.iter().all(|part| part.is_finite()) {
                    grid.push((pixel, value));
                }
            }
        }
        Some(grid)
    }

    /// Returns the world coordinates of a point in columns.
    fn vector(&self, columns: &[Vec<f64>], point: usize) -> Vector {
        match self.celestial {
            Some([longitude, latitude]) => to_cartesian([columns[longitude][point], columns[latitude][point]]),
            None => [columns[0][point], columns.get(1).map_or(0.0, |column| column[point]), 0.0],
        }
    }

    fn target(&self, columns: &[Vec<f64>], point: usize) -> Target {
        let value = self.vector(columns, point);
        let along = match self.celestial {
            Some([longitude, latitude]) => {
                let (sine, cosine) = columns[longitude][point].to_radians().sin_cos();
                let (up_sine, up_cosine) = columns[latitude][point].to_radians().sin_cos();
                [[-sine, cosine, 0.0], [-up_sine * cosine, -up_sine * sine, up_cosine]]
            }
            None => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        };
        Target { value, along }
    }

    /// Returns the known point that is nearest to a target.
    fn start(&self, target: &Target) -> [f64; 2] {
        let distance = |value: &Vector| {
            let difference: Vector = std::array::from_fn(|axis| value[axis] - target.value[axis]);
            dot(&difference, &difference)
        };
        let mut best = (f64::INFINITY, [0.0; 2]);
        for (pixel, value) in &self.grid {
            let here = distance(value);
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

/// An iteration with its options.
pub(super) struct Solver<'a> {
    newton: &'a Newton,
    limits: Option<Arc<Limits>>,
    options: EvaluateOptions,
}

/// State of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Moving,
    Converged,
    Lost,
}

/// A point on its way.
struct Traveller {
    target: Target,
    pixel: [f64; 2],
    /// Inverse of the matrix of derivatives.
    inverse: [[f64; 2]; 2],
    /// The last step, and the length of it.
    last: [f64; 2],
    length: f64,
    /// Length of the difference before the last step.
    difference: f64,
    state: State,
}

impl Traveller {
    /// Returns the difference from the target in its plane.
    fn difference(&self, value: &Vector) -> [f64; 2] {
        let difference: Vector = std::array::from_fn(|axis| value[axis] - self.target.value[axis]);
        [dot(&difference, &self.target.along[0]), dot(&difference, &self.target.along[1])]
    }

    /// Sets the derivatives from differences at two neighbors.
    fn derive(&mut self, here: [f64; 2], neighbors: [[f64; 2]; 2], step: [f64; 2], axes: usize) {
        let column =
            |axis: usize| -> [f64; 2] { std::array::from_fn(|row| (neighbors[axis][row] - here[row]) / step[axis]) };
        let [a, c] = column(0);
        let [b, d] = if axes == 2 { column(1) } else { [0.0, 1.0] };
        let determinant = a * d - b * c;
        self.inverse = [[d / determinant, -b / determinant], [-c / determinant, a / determinant]];
    }

    /// Moves the point by a step of Newton's method, or back by half of the last one if that led away from the target.
    fn advance(&mut self, here: [f64; 2], tolerance: f64, size: f64, is_behind: bool) {
        let difference = here[0].hypot(here[1]);
        if !difference.is_finite() || difference > 1.5 * self.difference || is_behind {
            // Near the end, differences consist of rounding errors, which can grow.
            if difference.is_finite() && !is_behind && self.length <= tolerance * 1e-3 {
                self.state = State::Converged;
                return;
            }
            // The first point is known to be valid.
            self.last = self.last.map(|part| part / 2.0);
            self.length /= 2.0;
            self.pixel = std::array::from_fn(|axis| self.pixel[axis] - self.last[axis]);
            if self.length < NEGLIGIBLE {
                self.state = State::Lost;
            }
            return;
        }
        let [[a, b], [c, d]] = self.inverse;
        let mut step = [-(a * here[0] + b * here[1]), -(c * here[0] + d * here[1])];
        let mut length = step[0].hypot(step[1]);
        if !length.is_finite() {
            self.state = State::Lost;
            return;
        }
        if length > size {
            step = step.map(|part| part * size / length);
            length = size;
        }
        let settled = length <= NEGLIGIBLE || (length >= 0.5 * self.length && self.length <= tolerance * 1e-3);
        self.pixel = std::array::from_fn(|axis| self.pixel[axis] + step[axis]);
        (self.last, self.length, self.difference) = (step, length, difference);
        if settled && length <= tolerance {
            self.state = State::Converged;
        }
    }
}

/// Memory of a solver.
#[derive(Default)]
pub(super) struct Memory {
    scratch: Scratch,
    columns: Registers,
}

impl Solver<'_> {
    /// Returns the world coordinates at the pixels of some points, each moved by a distance.
    fn values(&self, memory: &mut Memory, points: &[&mut Traveller], shift: [f64; 2]) -> Result<Vec<Vector>> {
        memory.columns.resize_with(self.newton.axes, Vec::new);
        for (axis, column) in memory.columns.iter_mut().enumerate() {
            column.clear();
            column.extend(points.iter().map(|point| point.pixel[axis] + shift[axis]));
        }
        let values = self.newton.program.apply(&memory.columns, points.len(), &mut memory.scratch);
        let values = values.map_err(|_| {
            Error::new(Status::OutOfDomain, "the iteration left the domain of a transform that asks for an error there")
        })?;
        Ok((0..points.len()).map(|point| self.newton.vector(&values, point)).collect())
    }

    fn solve(&self, memory: &mut Memory, points: &mut [Traveller]) -> Result<()> {
        let [x, y] = self.newton.step;
        let size = 1e4 * x.hypot(y);
        let mut slow = true;
        for iteration in 0..self.options.iterations.max(1) {
            let mut moving: Vec<&mut Traveller> =
                points.iter_mut().filter(|point| point.state == State::Moving).collect();
            if moving.is_empty() {
                return Ok(());
            }
            let values = self.values(memory, &moving, [0.0; 2])?;
            // The matrix changes little near the end: one of the first steps serves, unless they become slow.
            if iteration < 2 || slow {
                let right = self.values(memory, &moving, [x, 0.0])?;
                let above = if self.newton.axes == 2 { self.values(memory, &moving, [0.0, y])? } else { right.clone() };
                for (point, traveller) in moving.iter_mut().enumerate() {
                    let here = traveller.difference(&values[point]);
                    let neighbors = [traveller.difference(&right[point]), traveller.difference(&above[point])];
                    traveller.derive(here, neighbors, self.newton.step, self.newton.axes);
                }
            }
            slow = false;
            for (traveller, value) in moving.into_iter().zip(&values) {
                let before = traveller.length;
                let is_behind = self.newton.celestial.is_some() && dot(value, &traveller.target.value) <= 0.0;
                let here = traveller.difference(value);
                let is_first = iteration == 0;
                if is_first && (is_behind || here.iter().any(|part| !part.is_finite())) {
                    traveller.state = State::Lost;
                    continue;
                }
                traveller.advance(here, self.options.tolerance, size, is_behind);
                slow |= traveller.state == State::Moving && traveller.length > 0.1 * before;
            }
        }
        Ok(())
    }
}

impl Blocks for Solver<'_> {
    type Scratch = Memory;

    fn arity(&self) -> (usize, usize) {
        (self.newton.axes, self.newton.axes)
    }

    fn block(
        &self,
        memory: &mut Memory,
        _first: usize,
        count: usize,
        load: &mut dyn FnMut(usize, &mut [f64]),
        store: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<Evaluation> {
        let mut world = vec![vec![0.0; count]; self.newton.axes];
        for (axis, column) in world.iter_mut().enumerate() {
            load(axis, column);
        }
        let start = |point: usize| {
            let target = self.newton.target(&world, point);
            let is_known = target.value.iter().all(|part| part.is_finite());
            Traveller {
                pixel: self.newton.start(&target),
                inverse: [[0.0; 2]; 2],
                last: [0.0; 2],
                length: f64::INFINITY,
                difference: f64::INFINITY,
                state: if is_known { State::Moving } else { State::Lost },
                target,
            }
        };
        let mut points: Vec<Traveller> = (0..count).map(start).collect();
        self.solve(memory, &mut points)?;
        let mut evaluation = Evaluation::default();
        let mut columns = vec![vec![0.0; count]; self.newton.axes];
        for (point, traveller) in points.iter().enumerate() {
            let is_nan = world.iter().any(|column| column[point].is_nan());
            let mut value = traveller.pixel;
            if traveller.state != State::Converged {
                evaluation.unconverged += u64::from(!is_nan);
                value = [f64::NAN; 2];
            } else if let Some(limits) = &self.limits
                && limits.locate(|axis| value[axis]) != Inside::Yes
            {
                evaluation.outside += 1;
                value = [self.options.fill; 2];
            }
            for (axis, column) in columns.iter_mut().enumerate() {
                column[point] = value[axis];
            }
        }
        for (axis, column) in columns.iter().enumerate() {
            store(axis, column);
        }
        Ok(evaluation)
    }
}
