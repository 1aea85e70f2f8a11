//! Newton's method for many points at once. Derivatives are carried through the chain. They are computed at the first
//! pixel, and again where steps do not become much shorter.

use super::newton::Newton;
use super::position::{MAX_AXES, Pixel, Position, Target, inverse};
use crate::error::Result;
use crate::wcs::kernel::{Inputs, Registers};
use crate::wcs::model::{Blocks, Evaluation, Inside, Limits, Scratch, SlopeScratch};
use crate::wcs::options::EvaluateOptions;
use std::sync::Arc;

/// Distance in pixels below which a point is as exact as rounding allows.
const NEGLIGIBLE: f64 = 1e-11;

/// An iteration with its options.
pub(super) struct Solver<'a> {
    pub(super) newton: &'a Newton,
    pub(super) limits: Option<Arc<Limits>>,
    pub(super) options: EvaluateOptions,
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
    pixel: Pixel,
    /// Inverse of the matrix of derivatives.
    inverse: [Pixel; MAX_AXES],
    /// The last step.
    last: Pixel,
    /// Length that the last step had before it was limited.
    length: f64,
    state: State,
    /// True if derivatives at the present pixel are needed.
    needs_slopes: bool,
}

fn length_of(step: &Pixel) -> f64 {
    step.iter().map(|part| part * part).sum::<f64>().sqrt()
}

impl Traveller {
    fn new(target: Target, pixel: Pixel) -> Traveller {
        let state = if target.position.is_finite() { State::Moving } else { State::Lost };
        let (inverse, last) = ([[0.0; MAX_AXES]; MAX_AXES], [0.0; MAX_AXES]);
        Traveller { target, pixel, inverse, last, length: f64::INFINITY, state, needs_slopes: true }
    }

    /// Moves the point by a step of Newton's method for a difference from the target, or back by half of the last step if
    /// that led away.
    fn advance(&mut self, difference: &Pixel, is_behind: bool, tolerance: f64, largest: f64) {
        let mut step = [0.0; MAX_AXES];
        for (part, row) in step.iter_mut().zip(&self.inverse) {
            *part = -row.iter().zip(difference).map(|(a, b)| a * b).sum::<f64>();
        }
        let length = length_of(&step);
        if !length.is_finite() || is_behind || length > 1.5 * self.length {
            self.retreat(length, is_behind, tolerance);
            return;
        }
        let factor = if length > largest { largest / length } else { 1.0 };
        for (pixel, (step, last)) in self.pixel.iter_mut().zip(step.iter().zip(&mut self.last)) {
            *last = step * factor;
            *pixel += *last;
        }
        // Steps become shorter by this factor, or faster; so they sum up to little more than the next one.
        let rate = if self.length.is_finite() { length / self.length } else { 1.0 };
        let is_at_rest = self.length <= tolerance * 1e-3 && rate > 0.5;
        self.needs_slopes = rate > 0.1 && self.length.is_finite();
        self.length = length;
        if length <= tolerance && (length * rate.min(1.0) <= NEGLIGIBLE || is_at_rest) {
            self.state = State::Converged;
        }
    }

    fn retreat(&mut self, length: f64, is_behind: bool, tolerance: f64) {
        // The first pixel must have a value. Near the end, steps consist of rounding errors, which can grow.
        if !self.length.is_finite() {
            self.state = State::Lost;
        } else if length.is_finite() && !is_behind && self.length <= tolerance * 1e-3 {
            self.state = State::Converged;
        } else {
            for (pixel, last) in self.pixel.iter_mut().zip(&mut self.last) {
                *last /= 2.0;
                *pixel -= *last;
            }
            self.needs_slopes = true;
            if length_of(&self.last) < NEGLIGIBLE {
                self.state = State::Lost;
            }
        }
    }
}

/// Memory of a solver.
#[derive(Default)]
pub(super) struct Memory {
    scratch: Scratch,
    slopes: SlopeScratch,
    /// World coordinates, then pixels.
    columns: Registers,
    /// Pixels of the points that still move.
    pixels: Registers,
    vectors: Registers,
    positions: Vec<Position>,
    moving: Vec<usize>,
    travellers: Vec<Traveller>,
}

impl Solver<'_> {
    /// Takes one step of the points with these indices.
    fn step(&self, memory: &mut Memory, indices: &[usize], with_slopes: bool) {
        let Memory { scratch, slopes, pixels, vectors, positions, travellers, .. } = memory;
        let (newton, axes) = (self.newton, &self.newton.axes);
        pixels.resize_with(axes.count, Vec::new);
        for (axis, column) in pixels.iter_mut().enumerate() {
            column.clear();
            column.extend(indices.iter().map(|&index| travellers[index].pixel[axis]));
        }
        let count = indices.len();
        let evaluated = if with_slopes {
            newton.program.values_and_slopes(pixels, count, scratch, slopes)
        } else {
            newton.program.values(pixels, count, scratch).map(|world| (world, Vec::new()))
        };
        let Ok((world, slopes)) = evaluated else {
            // A point is outside of the domain. Each is tried alone.
            match indices {
                [index] => self.fail(&mut travellers[*index]),
                _ => indices.iter().for_each(|index| self.step(memory, &[*index], with_slopes)),
            }
            return;
        };
        axes.positions(&world, vectors, positions);
        let largest = length_of(&newton.size);
        for (point, (&index, position)) in indices.iter().zip(positions.iter()).enumerate() {
            let traveller = &mut travellers[index];
            if with_slopes {
                traveller.inverse = inverse(axes.slopes(&traveller.target, position, &slopes, point), axes.count);
            }
            let difference = axes.difference(&traveller.target, position);
            let is_behind = axes.is_behind(&traveller.target, position);
            traveller.advance(&difference, is_behind, self.options.tolerance, largest);
        }
    }

    fn fail(&self, traveller: &mut Traveller) {
        traveller.retreat(f64::NAN, false, self.options.tolerance);
    }

    /// Iterates until no point moves.
    fn solve(&self, memory: &mut Memory) {
        for _ in 0..self.options.iterations.max(1) {
            let mut moving = std::mem::take(&mut memory.moving);
            for with_slopes in [false, true] {
                moving.clear();
                let points = memory.travellers.iter().enumerate();
                moving.extend(
                    points
                        .filter(|(_, point)| point.state == State::Moving && point.needs_slopes == with_slopes)
                        .map(|(index, _)| index),
                );
                if !moving.is_empty() {
                    self.step(memory, &moving, with_slopes);
                }
            }
            memory.moving = moving;
            if memory.travellers.iter().all(|point| point.state != State::Moving) {
                return;
            }
        }
    }

    /// Finds the pixels of the world coordinates in the columns.
    fn travel(&self, memory: &mut Memory, count: usize) {
        let (newton, axes) = (self.newton, &self.newton.axes);
        let places: [usize; MAX_AXES] = std::array::from_fn(|axis| axis);
        let world = Inputs { registers: &memory.columns, places: &places[..axes.count], count };
        axes.positions(&world, &mut memory.vectors, &mut memory.positions);
        memory.travellers.clear();
        for position in &memory.positions {
            let target = axes.target(*position);
            let start = newton.near(&target).unwrap_or_else(|| newton.nearest(&target));
            memory.travellers.push(Traveller::new(target, start));
        }
        self.solve(memory);
        // From the nearest known pixel, which has a value, a point gets there that the polynomial leads astray.
        let mut any = false;
        for traveller in &mut memory.travellers {
            if traveller.state != State::Converged && traveller.target.position.is_finite() {
                *traveller = Traveller::new(traveller.target, newton.nearest(&traveller.target));
                any = true;
            }
        }
        if any {
            self.solve(memory);
        }
    }
}

impl Blocks for Solver<'_> {
    type Scratch = Memory;

    fn arity(&self) -> (usize, usize) {
        (self.newton.axes.count, self.newton.axes.count)
    }

    fn block(
        &self,
        memory: &mut Memory,
        _first: usize,
        count: usize,
        load: &mut dyn FnMut(usize, &mut [f64]),
        store: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<Evaluation> {
        let axes = self.newton.axes.count;
        memory.columns.resize_with(axes, Vec::new);
        for (axis, column) in memory.columns.iter_mut().enumerate() {
            column.resize(count, 0.0);
            load(axis, column);
        }
        self.travel(memory, count);
        let mut evaluation = Evaluation::default();
        for (point, traveller) in memory.travellers.iter().enumerate() {
            let mut value = traveller.pixel;
            if traveller.state != State::Converged {
                let is_nan = memory.columns.iter().any(|column| column[point].is_nan());
                evaluation.unconverged += u64::from(!is_nan);
                value = [f64::NAN; MAX_AXES];
            } else if let Some(limits) = &self.limits
                && limits.locate(|axis| value[axis]) != Inside::Yes
            {
                evaluation.outside += 1;
                value = [self.options.fill; MAX_AXES];
            }
            for (column, value) in memory.columns.iter_mut().zip(value) {
                column[point] = value;
            }
        }
        for (axis, column) in memory.columns.iter().enumerate() {
            store(axis, column);
        }
        Ok(evaluation)
    }
}
