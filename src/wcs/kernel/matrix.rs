//! Linear algebra: the inverse of a matrix, and least squares.

/// Turns the rows of the identity into those of the inverse of a square matrix, by Gauss-Jordan elimination with pivots.
/// Rows may be longer than the matrix is wide. Returns false if there is no inverse.
pub(in crate::wcs) fn invert<Row: AsRef<[f64]> + AsMut<[f64]> + Clone>(left: &mut [Row], right: &mut [Row]) -> bool {
    let count = left.len();
    for column in 0..count {
        let size = |row: &usize| left[*row].as_ref()[column].abs();
        let Some(pivot) = (column..count).max_by(|one, other| size(one).total_cmp(&size(other))) else { return false };
        left.swap(column, pivot);
        right.swap(column, pivot);
        let diagonal = left[column].as_ref()[column];
        if diagonal == 0.0 || !diagonal.is_finite() {
            return false;
        }
        let factor = 1.0 / diagonal;
        for rows in [&mut *left, &mut *right] {
            rows[column].as_mut()[..count].iter_mut().for_each(|element| *element *= factor);
        }
        for row in (0..count).filter(|row| *row != column) {
            let factor = left[row].as_ref()[column];
            for rows in [&mut *left, &mut *right] {
                let own = rows[column].clone();
                let elements = rows[row].as_mut()[..count].iter_mut().zip(own.as_ref());
                elements.for_each(|(element, other)| *element -= factor * other);
            }
        }
    }
    true
}

/// Returns the coefficients of columns whose sum is as near as possible to each right side. There are at least as many
/// values in a column as there are columns. `None` if the columns depend on one another.
pub(in crate::wcs) fn least_squares(mut columns: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    // Columns of about the same size keep the pivots comparable.
    let sizes: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    for (column, size) in columns.iter_mut().zip(&sizes) {
        column.iter_mut().for_each(|value| *value /= size);
    }
    let diagonal = eliminate(&mut columns, &mut right)?;
    let solve = |right: &Vec<f64>| {
        let mut solution = vec![0.0; columns.len()];
        for row in (0..columns.len()).rev() {
            let known: f64 = (row + 1..columns.len()).map(|column| columns[column][row] * solution[column]).sum();
            solution[row] = (right[row] - known) / diagonal[row];
        }
        solution.iter().zip(&sizes).map(|(coefficient, size)| coefficient / size).collect()
    };
    Some(right.iter().map(solve).collect())
}

fn norm(column: &[f64]) -> f64 {
    column.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Turns columns into a triangular matrix by Householder reflections, which are also applied to the right sides (Golub
/// & Van Loan, Matrix Computations, algorithm 5.2.1). Returns the diagonal.
fn eliminate(columns: &mut [Vec<f64>], right: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let mut diagonal = Vec::with_capacity(columns.len());
    for step in 0..columns.len() {
        let (done, rest) = columns.split_at_mut(step + 1);
        let column = done.last_mut()?.get_mut(step..)?;
        let size = norm(column);
        if size.is_nan() || size <= 1e-13 {
            return None;
        }
        let pivot = if column[0] > 0.0 { -size } else { size };
        column[0] -= pivot;
        let length: f64 = column.iter().map(|value| value * value).sum();
        for other in rest.iter_mut().chain(right.iter_mut()) {
            let other = &mut other[step..];
            let product: f64 = column.iter().zip(&*other).map(|(one, other)| one * other).sum();
            let factor = 2.0 * product / length;
            other.iter_mut().zip(&*column).for_each(|(value, part)| *value -= factor * part);
        }
        diagonal.push(pivot);
    }
    Some(diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        for count in 1..=4 {
            let element = |i: usize, j: usize| if i == j && count > 1 { 0.0 } else { 1.0 + (i * 3 + j) as f64 };
            let matrix: Vec<[f64; 4]> = (0..count).map(|i| std::array::from_fn(|j| element(i, j))).collect();
            let mut inverse: Vec<[f64; 4]> =
                (0..count).map(|i| std::array::from_fn(|j| f64::from(u8::from(i == j)))).collect();
            assert!(invert(&mut matrix.clone(), &mut inverse));
            for i in 0..count {
                for j in 0..count {
                    let sum: f64 = (0..count).map(|k| inverse[i][k] * matrix[k][j]).sum();
                    assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-12, "{count}: {sum}");
                }
            }
        }
        let identity = [vec![1.0, 0.0], vec![0.0, 1.0]];
        assert!(!invert(&mut [vec![1.0, 2.0], vec![2.0, 4.0]], &mut identity.clone()));
        assert!(!invert(&mut [vec![f64::NAN, 2.0], vec![2.0, 4.0]], &mut identity.clone()));
    }

    #[test]
    fn least_squares_find_a_line_and_refuse_equal_columns() {
        let x = vec![0.0, 1.0, 2.0, 3.0];
        let ones = vec![1.0; 4];
        let found = least_squares(vec![ones.clone(), x.clone()], vec![vec![1.0, 3.0, 5.0, 7.0]]).unwrap();
        assert!((found[0][0] - 1.0).abs() < 1e-14 && (found[0][1] - 2.0).abs() < 1e-14);
        assert_eq!(least_squares(vec![x.clone(), x.clone()], vec![ones]), None);
    }
}
