//! Lines of equal value through a grid of values, by marching squares.

use super::scene::Point;

/// Values at equal distances, row by row.
pub(super) struct Field<'a> {
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) values: &'a [f64],
}

impl Field<'_> {
    fn value(&self, column: usize, row: usize) -> f64 {
        self.values.get(row * self.columns + column).copied().unwrap_or(f64::NAN)
    }

    /// Returns the pieces of the line of a level, in columns and rows. Cells with a value that is not a number, or with
    /// a jump of more than `jump`, have no piece.
    pub(super) fn line(&self, level: f64, jump: f64) -> Vec<[Point; 2]> {
        let mut pieces = Vec::new();
        for row in 0..self.rows.saturating_sub(1) {
            for column in 0..self.columns.saturating_sub(1) {
                self.add_cell(column, row, level, jump, &mut pieces);
            }
        }
        pieces
    }

    fn add_cell(&self, column: usize, row: usize, level: f64, jump: f64, pieces: &mut Vec<[Point; 2]>) {
        let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
        let values = corners.map(|(column, row)| self.value(column, row));
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.iter().any(|value| !value.is_finite()) || high - low > jump || level < low || level > high {
            return;
        }
        let mut crossings = Vec::new();
        for side in 0..4 {
            let (from, to) = (side, (side + 1) % 4);
            if (values[from] < level) == (values[to] < level) {
                continue;
            }
            let part = (level - values[from]) / (values[to] - values[from]);
            let along = |from: usize, to: usize| from as f64 + (to as f64 - from as f64) * part;
            crossings.push([along(corners[from].0, corners[to].0), along(corners[from].1, corners[to].1)]);
        }
        // A saddle has four crossings; both ways to join them are right.
        pieces.extend(crossings.chunks_exact(2).map(|pair| [pair[0], pair[1]]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_crosses_the_grid() {
        let values: Vec<f64> = (0..9).map(|index| f64::from(index % 3)).collect();
        let field = Field { columns: 3, rows: 3, values: &values };
        let pieces = field.line(0.5, 10.0);
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().flatten().all(|point| point[0] == 0.5));
        assert!(field.line(0.5, 0.9).is_empty() && field.line(5.0, 10.0).is_empty());
        let holes = [0.0, 1.0, f64::NAN, 1.0];
        assert!(Field { columns: 2, rows: 2, values: &holes }.line(0.5, 10.0).is_empty());
    }
}
