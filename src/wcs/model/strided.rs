//! Coordinates of points in the memory of a caller: with any strides, in place, divided among threads.

use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};
use crate::wcs::kernel::BLOCK;
use std::ops::Range;

/// Smallest number of points for which a thread is started.
const POINTS_FOR_A_THREAD: usize = 2048;

/// Positions of coordinates in memory, in elements: coordinate `axis` of point `point` is the element
/// `axis * axis_stride + point * point_stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Distance of the coordinates of a point.
    pub axis_stride: usize,
    /// Distance of a coordinate of a point from that of the next point.
    pub point_stride: usize,
}

impl Layout {
    /// Returns the layout with one coordinate of all points after the other: x₀ x₁ … y₀ y₁ …
    pub fn columns(count: usize) -> Layout {
        Layout { axis_stride: count, point_stride: 1 }
    }

    /// Returns the layout with one point after the other: x₀ y₀ x₁ y₁ …
    pub fn points(axes: usize) -> Layout {
        Layout { axis_stride: 1, point_stride: axes }
    }

    /// Returns the number of elements up to the last coordinate.
    fn length(self, axes: usize, count: usize) -> Option<usize> {
        if axes == 0 || count == 0 {
            return Some(0);
        }
        let last =
            (axes - 1).checked_mul(self.axis_stride)?.checked_add((count - 1).checked_mul(self.point_stride)?)?;
        last.checked_add(1)
    }
}

/// Counts of points with a special result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evaluation {
    /// Points outside of the bounding box; all their outputs have the fill value.
    pub outside: u64,
    /// Points for which an iteration did not converge; all their outputs are NaN.
    pub unconverged: u64,
}

impl Evaluation {
    /// Fails with [`Status::NoConvergence`] if an iteration did not converge for some of `count` points, and the caller
    /// wants an error.
    pub(in crate::wcs) fn checked(self, count: usize, is_strict: bool) -> Result<Evaluation> {
        if is_strict && self.unconverged > 0 {
            let message = format!("{} of {count} points did not converge", self.unconverged);
            return Err(Error::new(Status::NoConvergence, message));
        }
        Ok(self)
    }

    /// Adds the counts of other points.
    pub(in crate::wcs) fn add(&mut self, other: Evaluation) {
        self.outside += other.outside;
        self.unconverged += other.unconverged;
    }
}

/// Inputs of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(in crate::wcs) enum Columns<'a> {
    From(&'a [f64], Layout),
    /// The inputs stand where the outputs are written.
    InPlace,
}

/// A function that is evaluated for blocks of points.
pub(in crate::wcs) trait Blocks: Sync {
    type Scratch: Default;

    fn arity(&self) -> (usize, usize);

    /// Evaluates a block. `load` reads an input, `store` writes an output; all inputs are loaded before any output is
    /// stored.
    fn block(
        &self,
        scratch: &mut Self::Scratch,
        first: usize,
        count: usize,
        load: &mut dyn FnMut(usize, &mut [f64]),
        store: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<Evaluation>;

    /// Evaluates all points, with at most this number of threads.
    fn evaluate(
        &self,
        count: usize,
        inputs: Columns,
        data: &mut [f64],
        layout: Layout,
        threads: usize,
    ) -> Result<Evaluation> {
        let (axes_in, axes_out) = self.arity();
        let axes = if matches!(inputs, Columns::InPlace) { axes_in.max(axes_out) } else { axes_out };
        if let Columns::From(from, layout) = inputs {
            check(from.len(), layout, axes_in, count)?;
        }
        check(data.len(), layout, axes, count)?;
        let _expected = progress::expect(Counted::Elements, Some(result_bytes(axes_out, count)))?;
        let pieces = divided(data, layout, axes, count, threads.max(1).min(count / POINTS_FOR_A_THREAD + 1))?;
        let mut pieces = pieces.into_iter();
        let Some(own) = pieces.next() else { return Ok(Evaluation::default()) };
        if pieces.len() == 0 {
            return self.piece(own, inputs);
        }
        let call = &progress::share();
        std::thread::scope(|scope| {
            let start = |piece| scope.spawn(move || call.run(|| self.piece(piece, inputs)));
            let running: Vec<_> = pieces.map(start).collect();
            // This thread works, too: it makes the reports.
            let mut result = self.piece(own, inputs);
            for thread in running {
                match (thread.join(), &mut result) {
                    (Ok(Ok(evaluation)), Ok(sum)) => sum.add(evaluation),
                    (Ok(Err(error)), Ok(_)) => result = Err(error),
                    (Ok(_), Err(_)) => {}
                    (Err(panic), _) => std::panic::resume_unwind(panic),
                }
            }
            result
        })
    }

    /// Evaluates the points of a piece.
    fn piece(&self, mut piece: Piece, inputs: Columns) -> Result<Evaluation> {
        let mut scratch = Self::Scratch::default();
        let mut sum = Evaluation::default();
        let piece = std::cell::RefCell::new(&mut piece);
        let range = piece.borrow().range.clone();
        for first in range.clone().step_by(BLOCK) {
            let count = BLOCK.min(range.end - first);
            let mut load = |axis: usize, column: &mut [f64]| match inputs {
                Columns::InPlace => piece.borrow().read(axis, first, column),
                Columns::From(from, Layout { axis_stride, point_stride }) => {
                    read(&from[axis * axis_stride + first * point_stride..], point_stride, column);
                }
            };
            let mut store = |axis: usize, column: &[f64]| piece.borrow_mut().write(axis, first, column);
            sum.add(self.block(&mut scratch, first, count, &mut load, &mut store)?);
            progress::advance(Counted::Elements, result_bytes(self.arity().1, count))?;
        }
        Ok(sum)
    }
}

/// Returns the size of the results in bytes.
fn result_bytes(axes: usize, count: usize) -> u64 {
    (axes as u64).saturating_mul(count as u64).saturating_mul(size_of::<f64>() as u64)
}

fn check(length: usize, layout: Layout, axes: usize, count: usize) -> Result<()> {
    match layout.length(axes, count) {
        Some(needed) if needed <= length => Ok(()),
        _ => {
            let message =
                format!("{axes} coordinates of {count} points with these strides do not fit {length} elements");
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}

fn read(from: &[f64], stride: usize, column: &mut [f64]) {
    if stride == 1 {
        column.copy_from_slice(&from[..column.len()]);
    } else {
        column.iter_mut().enumerate().for_each(|(point, value)| *value = from[point * stride]);
    }
}

/// The part of the memory that one thread writes.
pub(in crate::wcs) struct Piece<'a> {
    range: Range<usize>,
    /// Elements of each axis from the first point on, or of all axes together.
    axes: Vec<&'a mut [f64]>,
    together: bool,
    layout: Layout,
}

impl Piece<'_> {
    fn start(&self, axis: usize, first: usize) -> (usize, usize) {
        let point = (first - self.range.start) * self.layout.point_stride;
        if self.together { (0, axis * self.layout.axis_stride + point) } else { (axis, point) }
    }

    fn read(&self, axis: usize, first: usize, column: &mut [f64]) {
        let (part, start) = self.start(axis, first);
        read(&self.axes[part][start..], self.layout.point_stride, column);
    }

    fn write(&mut self, axis: usize, first: usize, column: &[f64]) {
        let (part, start) = self.start(axis, first);
        let stride = self.layout.point_stride;
        let to = &mut self.axes[part][start..];
        if stride == 1 {
            to[..column.len()].copy_from_slice(column);
        } else {
            column.iter().enumerate().for_each(|(point, value)| to[point * stride] = *value);
        }
    }
}

/// Divides memory into pieces of consecutive points.
fn divided(data: &mut [f64], layout: Layout, axes: usize, count: usize, parts: usize) -> Result<Vec<Piece<'_>>> {
    let Layout { axis_stride, point_stride } = layout;
    let overlap = || Error::new(Status::InvalidArgument, "with these strides the coordinates of points overlap");
    let size = count.div_ceil(parts).next_multiple_of(BLOCK);
    let ranges = (0..count).step_by(size.max(1)).map(|start| start..count.min(start + size));
    if count > 1 && point_stride == 0 {
        return Err(overlap());
    }
    let length_of_points = |points: usize| points.saturating_sub(1).saturating_mul(point_stride).saturating_add(1);
    if axes <= 1 || axis_stride >= length_of_points(count) {
        let mut columns: Vec<&mut [f64]> = match axes {
            0 | 1 => vec![data],
            _ => data.chunks_mut(axis_stride).take(axes).collect(),
        };
        let mut pieces = Vec::new();
        for range in ranges {
            let length = (range.len() * point_stride).max(1);
            let mut own = Vec::with_capacity(columns.len());
            for column in &mut columns {
                let whole = std::mem::take(column);
                let end = length.min(whole.len());
                let (head, tail) = whole.split_at_mut(end);
                own.push(head);
                *column = tail;
            }
            pieces.push(Piece { range, axes: own, together: false, layout });
        }
        return Ok(pieces);
    }
    let length_of_axes = (axes - 1).saturating_mul(axis_stride).saturating_add(1);
    if count > 1 && (axis_stride == 0 || point_stride < length_of_axes) {
        return Err(overlap());
    }
    let mut rest = data;
    let mut pieces = Vec::new();
    for range in ranges {
        let end = (range.len() * point_stride).max(length_of_axes).min(rest.len());
        let (head, tail) = rest.split_at_mut(end);
        rest = tail;
        pieces.push(Piece { range, axes: vec![head], together: true, layout });
    }
    Ok(pieces)
}
