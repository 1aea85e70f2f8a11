//! Copies the cells of some rows of a column into a new column.

use super::runs::Runs;
use crate::error::Result;
use crate::reserve::list_for;
use crate::table::{Bitmap, Column, ColumnParts};
use std::ops::Range;

impl Column {
    /// Returns a column of the cells in these rows, in their order.
    pub(super) fn gathered(&self, rows: &Runs) -> Result<Column> {
        let mut values = self.values().without_elements();
        let mut offsets = self.offsets().map(|_| offsets_for(rows.count())).transpose()?;
        let mut cells = self.cells().map(|_| Bitmap::default());
        let mut elements = self.elements().map(|_| Bitmap::default());
        if offsets.is_none()
            && let Some(count) = self.values().len().checked_div(self.row_count())
        {
            values.reserve(count.saturating_mul(rows.count()))?;
        }
        rows.in_pieces(|runs| {
            values.append_ranges(self.values(), runs.iter().map(|run| self.elements_in(run.clone())))?;
            for run in runs {
                if let Some(offsets) = &mut offsets {
                    run.clone().for_each(|row| offsets.push(end_of(offsets) + self.elements_of(row).len() as i64));
                }
                if let (Some(cells), Some(all)) = (&mut cells, self.cells()) {
                    append_bits(cells, all, run.clone())?;
                }
                if let (Some(elements), Some(all)) = (&mut elements, self.elements()) {
                    append_bits(elements, all, self.elements_in(run.clone()))?;
                }
            }
            Ok(())
        })?;
        Column::new(ColumnParts {
            element_type: self.element_type(),
            cell_shape: self.cell_shape().clone(),
            values,
            offsets,
            cells,
            elements,
            row_count: rows.count(),
        })
    }
}

/// Makes a list that has memory for the offsets of so many cells.
fn offsets_for(cells: usize) -> Result<Vec<i64>> {
    let mut offsets = list_for(cells.saturating_add(1))?;
    offsets.push(0);
    Ok(offsets)
}

fn end_of(offsets: &[i64]) -> i64 {
    offsets.last().copied().unwrap_or_default()
}

fn append_bits(to: &mut Bitmap, from: &Bitmap, bits: Range<usize>) -> Result<()> {
    bits.into_iter().try_for_each(|bit| to.push(from.get(bit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::table::{CellShape, ElementType, Text, Values};

    fn bits(present: &[u8]) -> Option<Bitmap> {
        let mut bitmap = Bitmap::default();
        present.iter().for_each(|&bit| bitmap.push(bit == 1).unwrap());
        Some(bitmap)
    }

    fn text(pieces: &[&str]) -> Values {
        let mut text = Text::new();
        pieces.iter().for_each(|piece| text.push(piece).unwrap());
        Values::Text(text)
    }

    fn rows(numbers: &[i64], row_count: usize) -> Runs {
        Runs::of_numbers(numbers, row_count).unwrap()
    }

    #[test]
    fn cells_of_all_shapes_are_gathered() {
        let column = |cell_shape, values, offsets, cells, elements| {
            let element_type = ElementType::of_values(&values);
            Column::new(ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count: 3 })
                .unwrap()
        };
        let found = column(CellShape::Scalar, text(&["a", "", "日本"]), None, bits(&[1, 0, 1]), None)
            .gathered(&rows(&[2, 0, 2, 1], 3))
            .unwrap();
        assert_eq!((found.values(), found.cells()), (&text(&["日本", "a", "日本", ""]), bits(&[1, 1, 1, 0]).as_ref()));
        let pairs = Values::Int16(vec![1, 2, 3, 4, 5, 6]);
        let found = column(CellShape::Fixed(vec![2]), pairs, None, bits(&[1, 1, 0]), bits(&[1, 1, 0, 1, 0, 0]))
            .gathered(&rows(&[1, 2, 0], 3))
            .unwrap();
        assert_eq!(found.values(), &Values::Int16(vec![3, 4, 5, 6, 1, 2]));
        assert_eq!((found.cells(), found.elements()), (bits(&[1, 0, 1]).as_ref(), bits(&[0, 1, 0, 0, 1, 1]).as_ref()));
        let lists = text(&["a", "b", "c", "d", "e"]);
        let found = column(CellShape::Variable(vec![]), lists, Some(vec![0, 2, 2, 5]), bits(&[1, 0, 1]), None)
            .gathered(&rows(&[2, 0], 3))
            .unwrap();
        assert_eq!((found.values(), found.offsets()), (&text(&["c", "d", "e", "a", "b"]), Some(&[0, 3, 5][..])));
        // Nothing is missing in these rows, but the column stays masked.
        assert_eq!(found.cells(), bits(&[1, 1]).as_ref());
    }

    #[test]
    fn cells_without_elements_are_gathered() {
        for (cell_shape, offsets) in
            [(CellShape::Fixed(vec![0, 2]), None), (CellShape::Variable(vec![0]), Some(vec![0; 4]))]
        {
            let element_type = ElementType::Scalar(ScalarType::Float64);
            let values = Values::Float64(Vec::new());
            let parts =
                ColumnParts { element_type, cell_shape, values, offsets, cells: None, elements: None, row_count: 3 };
            let found = Column::new(parts).unwrap().gathered(&rows(&[1, 1, 0, 2], 3)).unwrap();
            assert_eq!((found.row_count(), found.values().len()), (4, 0));
        }
    }
}
