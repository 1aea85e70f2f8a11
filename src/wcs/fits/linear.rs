//! Linear transformations of any number of axes.

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

/// Returns the inverse of a square matrix, by Gauss-Jordan elimination with pivots; `None` if there is none.
pub(super) fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let mut left = matrix.to_vec();
    let mut right: Vec<Vec<f64>> =
        (0..count).map(|i| (0..count).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..count {
        let size = |row: &usize| left[*row][column].abs();
        let pivot = (column..count).max_by(|one, other| size(one).total_cmp(&size(other)))?;
        if left[pivot][column] == 0.0 || !left[pivot][column].is_finite() {
            return None;
        }
        left.swap(column, pivot);
        right.swap(column, pivot);
        let factor = 1.0 / left[column][column];
        for rows in [&mut left, &mut right] {
            rows[column].iter_mut().for_each(|element| *element *= factor);
        }
        for row in (0..count).filter(|row| *row != column) {
            let factor = left[row][column];
            for rows in [&mut left, &mut right] {
                let own = rows[column].clone();
                rows[row].iter_mut().zip(own).for_each(|(element, other)| *element -= factor * other);
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, -3.0, 0.5], vec![4.0, 0.25, 7.0]];
        let inverse = inverse(&matrix).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                let sum: f64 = (0..3).map(|k| inverse[i][k] * matrix[k][j]).sum();
                assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        assert_eq!(super::inverse(&[vec![1.0, 2.0], vec![2.0, 4.0]]), None);
    }
}
