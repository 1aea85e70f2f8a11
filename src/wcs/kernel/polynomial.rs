//! Polynomials of one and two variables: power series, Chebyshev, Legendre, Hermite.

use super::{BLOCK, Inputs, Kernel, OutOfDomain};
use crate::array::{Loop, run_widest};

/// Map of an input from a domain to a window.
#[derive(Clone, Copy, Debug)]
pub(in crate::wcs) struct Rescale {
    offset: f64,
    factor: f64,
}

impl Rescale {
    pub(in crate::wcs) fn new(domain: [f64; 2], window: [f64; 2]) -> Option<Rescale> {
        if domain == window {
            return None;
        }
        let length = domain[1] - domain[0];
        let factor = (window[1] - window[0]) / length;
        let offset = (window[0] * domain[1] - window[1] * domain[0]) / length;
        Some(Rescale { offset, factor })
    }

    fn apply(map: Option<Rescale>, column: &[f64], out: &mut [f64; BLOCK]) {
        match map {
            None => out[..column.len()].copy_from_slice(column),
            Some(map) => {
                for (value, result) in column.iter().zip(out) {
                    *result = map.offset + map.factor * value;
                }
            }
        }
    }
}

/// Power series of one variable.
#[derive(Debug)]
pub(in crate::wcs) struct Polynomial1d {
    /// Coefficients, lowest power first; not empty.
    pub(in crate::wcs) coefficients: Vec<f64>,
    pub(in crate::wcs) rescale: Option<Rescale>,
}

impl Kernel for Polynomial1d {
    fn arity(&self) -> (usize, usize) {
        (1, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let mut x = [0.0; BLOCK];
        Rescale::apply(self.rescale, inputs.get(0), &mut x);
        let (x, output) = (&x[..inputs.count], &mut output[..inputs.count]);
        let (last, rest) = self.coefficients.split_last().unwrap_or((&0.0, &[]));
        output.fill(*last);
        for coefficient in rest.iter().rev() {
            for (sum, x) in output.iter_mut().zip(x) {
                *sum = *sum * x + coefficient;
            }
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let [slopes] = slopes else { return false };
        let mut x = [0.0; BLOCK];
        Rescale::apply(self.rescale, inputs.get(0), &mut x);
        let factor = self.rescale.map_or(1.0, |map| map.factor);
        for (slope, x) in slopes.iter_mut().zip(&x[..inputs.count]) {
            let (mut sum, mut derivative) = (0.0, 0.0);
            for coefficient in self.coefficients.iter().rev() {
                derivative = derivative * x + sum;
                sum = sum * x + coefficient;
            }
            *slope = derivative * factor;
        }
        true
    }
}

/// Power series of two variables up to a total degree.
#[derive(Debug)]
pub(in crate::wcs) struct Polynomial2d {
    /// Coefficients by power of y: those of the powers of x, lowest first.
    pub(in crate::wcs) by_y: Vec<Vec<f64>>,
    pub(in crate::wcs) rescale: [Option<Rescale>; 2],
}

impl Polynomial2d {
    /// Takes the coefficients whose total degree is at most that of the square matrix, row by row.
    pub(in crate::wcs) fn new(matrix: &[f64], size: usize, rescale: [Option<Rescale>; 2]) -> Polynomial2d {
        let column = |j: usize| (0..size - j).map(|i| matrix[i * size + j]).collect();
        Polynomial2d { by_y: (0..size).map(column).collect(), rescale }
    }
}

/// Points that are evaluated together, so that their sums stay in registers of the processor.
const TOGETHER: usize = 16;
type Several = [f64; TOGETHER];

impl Kernel for Polynomial2d {
    fn arity(&self) -> (usize, usize) {
        (2, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        if let [output] = outputs {
            run_widest(Values { polynomial: self, inputs, output });
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        if let [by_x, by_y] = slopes {
            run_widest(Slopes { polynomial: self, inputs, by_x, by_y });
        }
        true
    }
}

/// The loop that computes the values of a block.
struct Values<'a, 'b> {
    polynomial: &'a Polynomial2d,
    inputs: &'a Inputs<'b>,
    output: &'a mut [f64],
}

impl Loop for Values<'_, '_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let count = self.inputs.count;
        let mut start = 0;
        while start < count {
            let [x, y] = self.polynomial.several(self.inputs, start);
            let sums = self.polynomial.values(&x, &y);
            stored(&sums, self.output, start, count);
            start += TOGETHER;
        }
    }
}

/// The loop that computes the derivatives of a block.
struct Slopes<'a, 'b> {
    polynomial: &'a Polynomial2d,
    inputs: &'a Inputs<'b>,
    by_x: &'a mut [f64],
    by_y: &'a mut [f64],
}

impl Loop for Slopes<'_, '_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let count = self.inputs.count;
        let [x_factor, y_factor] = self.polynomial.rescale.map(|map| map.map_or(1.0, |map| map.factor));
        let mut start = 0;
        while start < count {
            let [x, y] = self.polynomial.several(self.inputs, start);
            let [mut by_x, mut by_y] = self.polynomial.slopes_at(&x, &y);
            for lane in 0..TOGETHER {
                by_x[lane] *= x_factor;
                by_y[lane] *= y_factor;
            }
            stored(&by_x, self.by_x, start, count);
            stored(&by_y, self.by_y, start, count);
            start += TOGETHER;
        }
    }
}

/// Writes the results for points up to a count.
#[inline(always)]
fn stored(results: &Several, to: &mut [f64], start: usize, count: usize) {
    let place = &mut to[start..count.min(start + TOGETHER)];
    match <&mut Several>::try_from(&mut *place) {
        Ok(all) => *all = *results,
        Err(_) => place.copy_from_slice(&results[..place.len()]),
    }
}

impl Polynomial2d {
    /// Returns the coordinates of some points, rescaled.
    #[inline(always)]
    fn several(&self, inputs: &Inputs, start: usize) -> [Several; 2] {
        let mut all = [[0.0; TOGETHER]; 2];
        for input in 0..2 {
            let column = inputs.get(input);
            let column = &column[start..column.len().min(start + TOGETHER)];
            match <&Several>::try_from(column) {
                Ok(several) => all[input] = *several,
                Err(_) => all[input][..column.len()].copy_from_slice(column),
            }
            if let Some(map) = self.rescale[input] {
                for value in &mut all[input] {
                    *value = map.offset + map.factor * *value;
                }
            }
        }
        all
    }

    /// Returns the values at some points, by Horner's scheme in x within that in y.
    #[inline(always)]
    fn values(&self, x: &Several, y: &Several) -> Several {
        let mut sums = [0.0; TOGETHER];
        let mut is_first = true;
        for column in self.by_y.iter().rev() {
            let (last, rest) = column.split_last().unwrap_or((&0.0, &[]));
            let mut inner = [*last; TOGETHER];
            for coefficient in rest.iter().rev() {
                for lane in 0..TOGETHER {
                    inner[lane] = inner[lane] * x[lane] + coefficient;
                }
            }
            // The highest power is not the sum of 0·y and the coefficient: y can be NaN or infinite.
            if is_first {
                (sums, is_first) = (inner, false);
                continue;
            }
            for lane in 0..TOGETHER {
                sums[lane] = sums[lane] * y[lane] + inner[lane];
            }
        }
        sums
    }

    /// Returns the derivatives by x and by y at some points, by the derivative of Horner's scheme.
    #[inline(always)]
    fn slopes_at(&self, x: &Several, y: &Several) -> [Several; 2] {
        let (mut sums, mut by_x, mut by_y) = ([0.0; TOGETHER], [0.0; TOGETHER], [0.0; TOGETHER]);
        for column in self.by_y.iter().rev() {
            let (mut inner, mut slope) = ([0.0; TOGETHER], [0.0; TOGETHER]);
            for coefficient in column.iter().rev() {
                for lane in 0..TOGETHER {
                    slope[lane] = slope[lane] * x[lane] + inner[lane];
                    inner[lane] = inner[lane] * x[lane] + coefficient;
                }
            }
            for lane in 0..TOGETHER {
                by_y[lane] = by_y[lane] * y[lane] + sums[lane];
                by_x[lane] = by_x[lane] * y[lane] + slope[lane];
                sums[lane] = sums[lane] * y[lane] + inner[lane];
            }
        }
        [by_x, by_y]
    }
}

/// Family of orthogonal polynomials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Family {
    Chebyshev,
    Legendre,
    /// Physicists' Hermite polynomials.
    Hermite,
}

impl Family {
    /// Returns Pₖ₊₁(x) from Pₖ(x) and Pₖ₋₁(x), for k ≥ 1.
    fn next(self, degree: usize, x: f64, value: f64, before: f64) -> f64 {
        let k = degree as f64;
        match self {
            Family::Chebyshev => 2.0 * x * value - before,
            Family::Legendre => ((2.0 * k + 1.0) * x * value - k * before) / (k + 1.0),
            Family::Hermite => 2.0 * x * value - 2.0 * k * before,
        }
    }

    /// Returns the sum of a series, by Clenshaw's recurrence from the highest degree down.
    fn clenshaw(self, x: f64, coefficients: &[f64]) -> f64 {
        let count = coefficients.len();
        let (mut value, mut before) = match coefficients {
            [] => return f64::NAN,
            [only] => (*only, 0.0),
            _ => (coefficients[count - 2], coefficients[count - 1]),
        };
        for degree in (0..count.saturating_sub(2)).rev() {
            let k = (degree + 2) as f64;
            let last = value;
            (value, before) = match self {
                Family::Chebyshev => (coefficients[degree] - before, last + before * (2.0 * x)),
                Family::Legendre => {
                    (coefficients[degree] - before * (k - 1.0) / k, last + before * x * (2.0 * k - 1.0) / k)
                }
                Family::Hermite => (coefficients[degree] - before * (2.0 * (k - 1.0)), last + before * (2.0 * x)),
            };
        }
        value + before * if self == Family::Hermite { 2.0 * x } else { x }
    }

    /// Writes P₀(x), P₁(x), …
    fn fill(self, x: f64, values: &mut [f64]) {
        if let Some(first) = values.first_mut() {
            *first = 1.0;
        }
        if let Some(second) = values.get_mut(1) {
            *second = if self == Family::Hermite { 2.0 * x } else { x };
        }
        for degree in 1..values.len().saturating_sub(1) {
            values[degree + 1] = self.next(degree, x, values[degree], values[degree - 1]);
        }
    }

    /// Writes the derivatives of P₀, P₁, … at x. `values` are those of [`Family::fill`].
    fn fill_slopes(self, x: f64, values: &[f64], slopes: &mut [f64]) {
        if let Some(first) = slopes.first_mut() {
            *first = 0.0;
        }
        if let Some(second) = slopes.get_mut(1) {
            *second = if self == Family::Hermite { 2.0 } else { 1.0 };
        }
        for degree in 1..slopes.len().saturating_sub(1) {
            // The recurrence has one term with x, whose factor is its value for x = 1 without the other term.
            let of_factor = self.next(degree, 1.0, values[degree], 0.0);
            slopes[degree + 1] = self.next(degree, x, slopes[degree], slopes[degree - 1]) + of_factor;
        }
    }
}

/// Series of orthogonal polynomials of one or two variables.
#[derive(Debug)]
pub(in crate::wcs) struct Series {
    pub(in crate::wcs) family: Family,
    /// Coefficients, row by row: the index of the first input is the row.
    pub(in crate::wcs) coefficients: Vec<f64>,
    /// Number of coefficients along each input.
    pub(in crate::wcs) shape: Vec<usize>,
    pub(in crate::wcs) rescale: [Option<Rescale>; 2],
}

impl Kernel for Series {
    fn arity(&self) -> (usize, usize) {
        (self.shape.len(), 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let (mut x, mut y) = ([0.0; BLOCK], [0.0; BLOCK]);
        Rescale::apply(self.rescale[0], inputs.get(0), &mut x);
        let &[rows, columns] = &self.shape[..] else {
            for (result, x) in output.iter_mut().zip(&x[..inputs.count]) {
                *result = self.family.clenshaw(*x, &self.coefficients);
            }
            return Ok(());
        };
        let (mut along_x, mut along_y) = (vec![0.0; rows], vec![0.0; columns]);
        Rescale::apply(self.rescale[1], inputs.get(1), &mut y);
        for point in 0..inputs.count {
            self.family.fill(x[point], &mut along_x);
            self.family.fill(y[point], &mut along_y);
            let mut sum = 0.0;
            for (row, p) in self.coefficients.chunks_exact(columns).zip(&along_x) {
                let inner: f64 = row.iter().zip(&along_y).map(|(coefficient, q)| coefficient * q).sum();
                sum += inner * p;
            }
            output[point] = sum;
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        // A series of one variable counts as one of two, whose second factor is constant.
        let (rows, columns) = (self.shape[0], self.shape.get(1).copied().unwrap_or(1));
        let mut along: [[Vec<f64>; 2]; 2] = [rows, columns].map(|count| [vec![0.0; count], vec![0.0; count]]);
        for point in 0..inputs.count {
            for (input, [values, derivatives]) in along.iter_mut().enumerate() {
                let x = inputs.get(input).get(point).copied().unwrap_or(0.0);
                let x = self.rescale[input].map_or(x, |map| map.offset + map.factor * x);
                self.family.fill(x, values);
                self.family.fill_slopes(x, values, derivatives);
            }
            for (input, slope) in slopes.iter_mut().enumerate() {
                let [p, q] = [&along[0][usize::from(input == 0)], &along[1][usize::from(input == 1)]];
                let mut sum = 0.0;
                for (row, p) in self.coefficients.chunks_exact(columns).zip(p) {
                    sum += p * row.iter().zip(q).map(|(coefficient, q)| coefficient * q).sum::<f64>();
                }
                slope[point] = sum * self.rescale[input].map_or(1.0, |map| map.factor);
            }
        }
        true
    }
}
