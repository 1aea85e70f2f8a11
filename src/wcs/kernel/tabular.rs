//! Tables of values on a grid of points: linear interpolation, and the value of the nearest point.

use super::{Inputs, Inverse, Kernel, OutOfDomain};

/// Largest number of inputs of a table.
pub(in crate::wcs) const MAX_AXES: usize = 8;

/// Way between the points of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Method {
    Linear,
    Nearest,
}

/// Treatment of points outside of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::wcs) enum Outside {
    Error,
    Value(f64),
    Extrapolate,
}

/// A table.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Table {
    /// Ascending points along each axis; not empty.
    points: Vec<Vec<f64>>,
    /// Values; the first axis varies slowest.
    values: Vec<f64>,
    method: Method,
    outside: Outside,
}

impl Table {
    /// Makes a table with points that ascend or descend along each axis.
    pub(in crate::wcs) fn new(
        mut points: Vec<Vec<f64>>,
        mut values: Vec<f64>,
        method: Method,
        outside: Outside,
    ) -> Table {
        for axis in 0..points.len() {
            if points[axis].first() > points[axis].last() {
                points[axis].reverse();
                let inner: usize = points[axis + 1..].iter().map(Vec::len).product();
                let length = points[axis].len();
                for part in values.chunks_exact_mut(inner * length) {
                    reverse_rows(part, inner);
                }
            }
        }
        Table { points, values, method, outside }
    }

    /// Returns the position of a coordinate along an axis: the interval before it, and the fraction of that interval.
    fn place(&self, axis: usize, x: f64) -> (usize, f64) {
        let points = &self.points[axis];
        if points.len() == 1 {
            return (0, 0.0);
        }
        let interval = points.partition_point(|point| *point <= x).saturating_sub(1).min(points.len() - 2);
        let (low, high) = (points[interval], points[interval + 1]);
        (interval, (x - low) / (high - low))
    }

    fn is_outside(&self, axis: usize, x: f64) -> bool {
        let points = &self.points[axis];
        x < points[0] || x > points[points.len() - 1]
    }

    fn value(&self, point: &[f64]) -> f64 {
        let mut places = [(0, 0.0); MAX_AXES];
        for (axis, x) in point.iter().enumerate() {
            if x.is_nan() {
                return f64::NAN;
            }
            places[axis] = self.place(axis, *x);
        }
        let places = &places[..point.len()];
        match self.method {
            Method::Nearest => {
                let index = self.points.iter().zip(places).fold(0, |index, (points, (interval, fraction))| {
                    index * points.len() + (interval + usize::from(*fraction > 0.5)).min(points.len() - 1)
                });
                self.values[index]
            }
            Method::Linear => self.blend(places),
        }
    }

    /// Returns the sum of the values at all corners of a cell, each with its weight.
    fn blend(&self, places: &[(usize, f64)]) -> f64 {
        let mut sum = 0.0;
        for corner in 0..1usize << places.len() {
            let (mut index, mut weight) = (0, 1.0);
            for (axis, (interval, fraction)) in places.iter().enumerate() {
                let high = corner >> axis & 1;
                weight *= if high == 1 { *fraction } else { 1.0 - fraction };
                index = index * self.points[axis].len() + (interval + high).min(self.points[axis].len() - 1);
            }
            // An infinite value counts only where it has a weight.
            if weight != 0.0 {
                sum += weight * self.values[index];
            }
        }
        sum
    }
}

/// Reverses the order of rows of a length.
fn reverse_rows(values: &mut [f64], length: usize) {
    let count = values.len() / length;
    for row in 0..count / 2 {
        let (head, tail) = values.split_at_mut((count - 1 - row) * length);
        head[row * length..(row + 1) * length].swap_with_slice(&mut tail[..length]);
    }
}

impl Kernel for Table {
    fn arity(&self) -> (usize, usize) {
        (self.points.len(), 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let axes = self.points.len();
        let mut here = [0.0; MAX_AXES];
        for point in 0..inputs.count {
            let mut outside = false;
            for (axis, x) in here[..axes].iter_mut().enumerate() {
                *x = inputs.get(axis)[point];
                outside |= self.is_outside(axis, *x);
            }
            output[point] = match (outside, self.outside) {
                (true, Outside::Error) => return Err(OutOfDomain { point }),
                (true, Outside::Value(value)) => value,
                _ => self.value(&here[..axes]),
            };
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let ([points], [slope], Method::Linear) = (self.points.as_slice(), slopes, self.method) else { return false };
        if points.len() == 1 {
            return false;
        }
        for (x, slope) in inputs.get(0).iter().zip(slope) {
            let (interval, _) = self.place(0, *x);
            let rise = self.values[interval + 1] - self.values[interval];
            *slope = rise / (points[interval + 1] - points[interval]);
        }
        true
    }

    fn inverse(&self) -> Inverse {
        let [points] = self.points.as_slice() else { return Inverse::None };
        let rises = self.values.windows(2).all(|pair| pair[0] < pair[1]);
        let falls = self.values.windows(2).all(|pair| pair[0] > pair[1]);
        if !rises && !falls {
            return Inverse::None;
        }
        Inverse::of(Table::new(vec![self.values.clone()], points.clone(), self.method, self.outside))
    }

    fn default_box(&self) -> Option<Vec<[f64; 2]>> {
        Some(self.points.iter().map(|points| [points[0], points[points.len() - 1]]).collect())
    }
}
