//! Polynomials of one and two variables: power series, Chebyshev, Legendre, Hermite.

use super::{BLOCK, Inputs, Kernel, OutOfDomain};

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
const LANES: usize = 16;

impl Kernel for Polynomial2d {
    fn arity(&self) -> (usize, usize) {
        (2, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let (mut x, mut y) = ([0.0; BLOCK], [0.0; BLOCK]);
        Rescale::apply(self.rescale[0], inputs.get(0), &mut x);
        Rescale::apply(self.rescale[1], inputs.get(1), &mut y);
        for start in (0..inputs.count).step_by(LANES) {
            let lanes = |values: &[f64; BLOCK]| -> [f64; LANES] { std::array::from_fn(|lane| values[start + lane]) };
            let sums = self.lanes(&lanes(&x), &lanes(&y));
            let end = inputs.count.min(start + LANES);
            output[start..end].copy_from_slice(&sums[..end - start]);
        }
        Ok(())
    }
}

impl Polynomial2d {
    /// Returns the values at some points, by Horner's scheme in x within that in y.
    fn lanes(&self, x: &[f64; LANES], y: &[f64; LANES]) -> [f64; LANES] {
        let mut sums = [0.0; LANES];
        for (number, column) in self.by_y.iter().rev().enumerate() {
            let (last, rest) = column.split_last().unwrap_or((&0.0, &[]));
            let mut inner = [*last; LANES];
            for coefficient in rest.iter().rev() {
                for lane in 0..LANES {
                    inner[lane] = inner[lane] * x[lane] + coefficient;
                }
            }
            // The highest power is not the sum of 0·y and the coefficient: y can be NaN or infinite.
            if number == 0 {
                sums = inner;
                continue;
            }
            for lane in 0..LANES {
                sums[lane] = sums[lane] * y[lane] + inner[lane];
            }
        }
        sums
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
            // Starting from 0·x keeps NaN in series of degree 0.
            let mut sum = 0.0 * (x[point] + y[point]);
            for (row, p) in self.coefficients.chunks_exact(columns).zip(&along_x) {
                let inner: f64 = row.iter().zip(&along_y).map(|(coefficient, q)| coefficient * q).sum();
                sum += inner * p;
            }
            output[point] = sum;
        }
        Ok(())
    }
}
