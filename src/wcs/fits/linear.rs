//! Linear transformations of any number of axes.

use crate::wcs::kernel::matrix::invert;
use crate::wcs::kernel::{Inputs, Inverse, Kernel, OutOfDomain};

/// A square matrix with its inverse, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dense {
    pub(super) matrix: Vec<Vec<f64>>,
    pub(super) inverse: Vec<Vec<f64>>,
}

impl Kernel for Dense {
    fn arity(&self) -> (usize, usize) {
        (self.matrix.len(), self.matrix.len())
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        for (row, output) in self.matrix.iter().zip(outputs) {
            for point in 0..inputs.count {
                output[point] = row.iter().enumerate().map(|(input, element)| element * inputs.get(input)[point]).sum();
            }
        }
        Ok(())
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Dense { matrix: self.inverse.clone(), inverse: self.matrix.clone() })
    }

    fn dependence(&self) -> Vec<Vec<bool>> {
        self.matrix.iter().map(|row| row.iter().map(|element| *element != 0.0).collect()).collect()
    }
}

/// Returns the inverse of a square matrix; `None` if there is none.
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let identity = |i: usize| (0..count).map(|j| f64::from(u8::from(i == j))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(identity).collect();
    invert(&mut matrix.to_vec(), &mut inverse).then_some(inverse)
}
