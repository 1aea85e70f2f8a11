//! Pieces of a selection: its elements in each chunk that it touches.

use crate::array::payload::grid::Grid;
use crate::array::place::destination::Destination;
use crate::array::place::region::Region;

/// Elements of a selection along one dimension, within one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Index of the chunk.
    chunk: i64,
    /// Index in the chunk of the first element.
    pub(crate) first: i64,
    /// Distance between the elements.
    pub(crate) step: i64,
    /// Number of elements.
    pub(crate) count: i64,
    /// Number of elements of the selection before these.
    pub(crate) done: i64,
}

/// The elements of a selection in one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Number of the chunk.
    pub(crate) number: u64,
    /// The elements along each dimension of the array.
    pub(crate) parts: Vec<Part>,
}

/// Dimension of a selection.
struct Axis {
    start: i64,
    step: i64,
    count: i64,
    /// Extent of a chunk.
    chunk: i64,
}

impl Axis {
    /// Returns the elements in one chunk, after the first `done` ones.
    fn part(&self, done: i64) -> Part {
        // Exact: each index lies within the array.
        let index = self.start.wrapping_add(self.step.wrapping_mul(done));
        let (chunk, first) = (index / self.chunk, index % self.chunk);
        let more =
            if self.step > 0 { (self.chunk - 1 - first) / self.step } else { first / self.step.saturating_neg() };
        Part { chunk, first, step: self.step, count: (more + 1).min(self.count - done), done }
    }
}

/// Iterator over the pieces, in C order of the selection.
pub(crate) struct Pieces<'a> {
    grid: &'a Grid,
    axes: Vec<Axis>,
    /// The next piece; empty at the end of a selection with dimensions.
    next: Option<Vec<Part>>,
}

impl<'a> Pieces<'a> {
    /// Returns the pieces of a region, or of the whole array, which must have been checked. The array may have further
    /// dimensions after those of the grid.
    pub(crate) fn new(grid: &'a Grid, region: Option<&Region>, destination: &Destination) -> Pieces<'a> {
        let shape = destination.shape();
        let axis = |axis: usize| {
            let (start, step) = region.map_or((0, 1), |r| (r.start[axis], r.step.map_or(1, |step| step[axis])));
            // The step between two elements does not matter if there is only one.
            let step = if shape[axis] > 1 { step } else { 1 };
            Axis { start, step, count: shape[axis], chunk: grid.chunk().get(axis).copied().unwrap_or(i64::MAX) }
        };
        let axes: Vec<Axis> = (0..shape.len()).map(axis).collect();
        let next = (!shape.contains(&0)).then(|| axes.iter().map(|axis| axis.part(0)).collect());
        Pieces { grid, axes, next }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let parts = self.next.take()?;
        let index: Vec<i64> = parts.iter().take(self.grid.chunk().len()).map(|part| part.chunk).collect();
        let piece = Piece { number: self.grid.number(&index), parts };
        let mut following = piece.parts.clone();
        for (axis, part) in self.axes.iter().zip(&mut following).rev() {
            let done = part.done + part.count;
            if done < axis.count {
                *part = axis.part(done);
                self.next = Some(following);
                break;
            }
            *part = axis.part(0);
        }
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Order;

    #[test]
    fn every_element_is_in_one_piece() {
        let grid = Grid::new(&[7, 5], &[3, 2]).unwrap();
        for (start, count, step) in
            [([0, 0], [7, 5], [1, 1]), ([6, 4], [7, 3], [-1, -2]), ([1, 1], [2, 2], [5, 3]), ([2, 3], [1, 1], [-4, 9])]
        {
            let destination = Destination::new(&count, 1, &Order::C).unwrap();
            let region = Region { start: &start, count: &count, step: Some(&step) };
            let mut found = Vec::new();
            for piece in Pieces::new(&grid, Some(&region), &destination) {
                let [rows, columns] = piece.parts[..] else { unreachable!() };
                let [row, column] = grid.index(piece.number)[..] else { unreachable!() };
                for y in 0..rows.count {
                    for x in 0..columns.count {
                        let at = [row * 3 + rows.first + y * rows.step, column * 2 + columns.first + x * columns.step];
                        let wanted = [start[0] + (rows.done + y) * step[0], start[1] + (columns.done + x) * step[1]];
                        assert_eq!(at, wanted);
                        found.push([rows.done + y, columns.done + x]);
                    }
                }
            }
            found.sort_unstable();
            let all = (0..count[0]).flat_map(|y| (0..count[1]).map(move |x| [y, x]));
            assert_eq!(found, Vec::from_iter(all));
        }
        let none = Destination::new(&[0, 5], 1, &Order::C).unwrap();
        assert_eq!(Pieces::new(&grid, None, &none).count(), 0);
        let single = Grid::new(&[], &[]).unwrap();
        let one = Destination::new(&[], 1, &Order::C).unwrap();
        assert_eq!(Pieces::new(&single, None, &one).count(), 1);
    }
}
