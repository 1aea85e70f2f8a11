//! Values of one column and its missing cells and elements.

use crate::error::{Error, Result, Status};
use crate::reserve::copy_of;
use crate::table::{Bitmap, CellShape, ElementType, Values};
use std::ops::Range;
use std::sync::Arc;

/// Parts of a column.
#[derive(Debug)]
pub struct ColumnParts {
    /// Type of the elements.
    pub element_type: ElementType,
    /// Shape of a cell.
    pub cell_shape: CellShape,
    /// Elements of all cells, in order. The value of a missing element is arbitrary.
    pub values: Values,
    /// Cells of variable length only: index in `values` of the first element of each cell, followed by the number of
    /// all elements. There is one offset more than rows.
    pub offsets: Option<Vec<i64>>,
    /// Validity bitmap of the cells; `None` if the column has no mask. A masked column may have all its cells.
    pub cells: Option<Bitmap>,
    /// Validity bitmap of the elements, only for cells that are arrays. Without it an element is missing if its cell
    /// is.
    pub elements: Option<Bitmap>,
    /// Number of cells.
    pub row_count: usize,
}

/// Values of one column. A column never changes.
#[derive(Debug)]
pub struct Column {
    parts: ColumnParts,
}

impl Column {
    /// Makes a column of these parts.
    ///
    /// Fails with [`Status::InvalidArgument`] if they do not fit together: values of another type or number than
    /// declared, offsets that decrease, or truth values other than 0 and 1.
    pub fn new(parts: ColumnParts) -> Result<Column> {
        let wrong = |what: &str| {
            Err(Error::new(Status::InvalidArgument, format!("the parts of the column do not fit together: {what}")))
        };
        let fits = match parts.element_type {
            ElementType::Scalar(scalar) => parts.values.scalar_type() == Some(scalar),
            _ => parts.values.text().is_some(),
        };
        if !fits {
            return wrong("the values are not of the declared type");
        }
        if let Values::Bool8(values) = &parts.values
            && values.iter().any(|&value| value > 1)
        {
            return wrong("a truth value is neither 0 nor 1");
        }
        let count = parts.values.len();
        match (parts.cell_shape.element_count(), &parts.offsets) {
            (Some(of_cell), None) => {
                if u64::try_from(parts.row_count).ok().and_then(|rows| rows.checked_mul(of_cell)) != Some(count as u64)
                {
                    return wrong(
                        "the number of values is not the number of rows times the number of elements in a cell",
                    );
                }
            }
            (None, Some(offsets)) if matches!(parts.cell_shape, CellShape::Variable(_)) => {
                let row = parts.cell_shape.row_of_last_axis().and_then(|row| i64::try_from(row).ok());
                let whole = |pair: &[i64]| match (pair, row) {
                    ([start, end], Some(0)) => start == end,
                    ([start, end], Some(row)) => start <= end && (end - start) % row == 0,
                    _ => false,
                };
                if offsets.len() != parts.row_count + 1
                    || offsets.first() != Some(&0)
                    || offsets.last().and_then(|&last| usize::try_from(last).ok()) != Some(count)
                    || !offsets.windows(2).all(whole)
                {
                    return wrong("the offsets do not match the number of cells, their shape and the number of values");
                }
            }
            _ => return wrong("cells of variable length need offsets, and other cells have none"),
        }
        if parts.cells.as_ref().is_some_and(|cells| cells.len() != parts.row_count) {
            return wrong("the validity bitmap of the cells does not have one bit for each row");
        }
        if parts.elements.as_ref().is_some_and(|elements| elements.len() != count) {
            return wrong("the validity bitmap of the elements does not have one bit for each value");
        }
        if parts.elements.is_some() && parts.cell_shape == CellShape::Scalar {
            return wrong("cells of one element have a validity bitmap for cells only, not for elements");
        }
        Ok(Column { parts })
    }

    /// Makes a column of cells with one element each. Without `cells` none is missing.
    pub fn scalars(element_type: ElementType, values: Values, cells: Option<Bitmap>) -> Result<Column> {
        let row_count = values.len();
        let cell_shape = CellShape::Scalar;
        Column::new(ColumnParts { element_type, cell_shape, values, offsets: None, cells, elements: None, row_count })
    }

    /// Returns the parts of the column.
    pub(crate) fn into_parts(self) -> ColumnParts {
        self.parts
    }

    /// Returns a column of other values of the same shape, of which the same are missing.
    pub(super) fn with_values(&self, values: Values) -> Result<Column> {
        let ColumnParts { cell_shape, offsets, cells, elements, row_count, .. } = &self.parts;
        let offsets = offsets.as_deref().map(copy_of).transpose()?;
        let (cells, elements) = (cells.clone(), elements.clone());
        let (cell_shape, element_type) = (cell_shape.clone(), ElementType::of_values(&values));
        Column::new(ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count: *row_count })
    }

    /// Returns a copy of the column with other missing cells and elements. The values are copied.
    pub(crate) fn with_missing(&self, cells: Option<Bitmap>, elements: Option<Bitmap>) -> Result<Column> {
        let ColumnParts { element_type, ref cell_shape, ref values, ref offsets, row_count, .. } = self.parts;
        let offsets = offsets.as_deref().map(copy_of).transpose()?;
        let (cell_shape, values) = (cell_shape.clone(), values.copy()?);
        Column::new(ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count })
    }

    /// Returns the type of the elements.
    pub fn element_type(&self) -> ElementType {
        self.parts.element_type
    }

    /// Returns the shape of a cell.
    pub fn cell_shape(&self) -> &CellShape {
        &self.parts.cell_shape
    }

    /// Returns the elements of all cells. The value of a missing element is arbitrary.
    pub fn values(&self) -> &Values {
        &self.parts.values
    }

    /// Returns, for cells of variable length, the index in the values of the first element of each cell, followed by
    /// the number of all elements. `None` for other cells.
    pub fn offsets(&self) -> Option<&[i64]> {
        self.parts.offsets.as_deref()
    }

    /// Returns the validity bitmap of the cells; `None` if the column has no mask. A masked column may have all its
    /// cells.
    pub fn cells(&self) -> Option<&Bitmap> {
        self.parts.cells.as_ref()
    }

    /// Returns the validity bitmap of the elements of array cells; `None` if an element is missing only where its cell
    /// is. All elements of a missing fixed-shape cell are missing.
    pub fn elements(&self) -> Option<&Bitmap> {
        self.parts.elements.as_ref()
    }

    /// Returns whether the column has a mask, even if nothing is missing.
    pub fn is_masked(&self) -> bool {
        self.cells().is_some() || self.elements().is_some()
    }

    /// Returns whether a cell or an element is missing.
    pub(crate) fn lacks_elements(&self) -> bool {
        [self.cells(), self.elements()].into_iter().flatten().any(|bitmap| bitmap.count_zeros() > 0)
    }

    /// Returns the column with a mask, in which nothing is missing if the column had none.
    pub(crate) fn with_mask(self: Arc<Column>) -> Result<Arc<Column>> {
        if self.is_masked() {
            return Ok(self);
        }
        let cells = Some(Bitmap::filled(true, self.row_count())?);
        let column = match Arc::try_unwrap(self) {
            Ok(own) => Column { parts: ColumnParts { cells, ..own.parts } },
            Err(shared) => shared.with_missing(cells, None)?,
        };
        Ok(Arc::new(column))
    }

    /// Returns the parts of the column for changes in place. They must fit together afterwards.
    pub(super) fn parts_mut(&mut self) -> &mut ColumnParts {
        &mut self.parts
    }

    /// Returns the number of cells.
    pub fn row_count(&self) -> usize {
        self.parts.row_count
    }

    /// Returns whether the cell of a row is present. A cell that is present may hold missing elements.
    pub fn has_cell(&self, row: usize) -> bool {
        row < self.row_count() && self.cells().is_none_or(|cells| cells.get(row))
    }

    /// Returns whether an element is present. `index` counts the elements of all cells.
    pub fn has_element(&self, index: usize) -> bool {
        match &self.parts.elements {
            Some(elements) => elements.get(index),
            None => self.row_of(index).is_some_and(|row| self.has_cell(row)),
        }
    }

    /// Returns the range of a cell's elements in the values; empty for a row that does not exist.
    pub fn elements_of(&self, row: usize) -> Range<usize> {
        if row >= self.row_count() {
            return 0..0;
        }
        match (&self.parts.offsets, self.parts.cell_shape.element_count()) {
            (Some(offsets), _) => match offsets.get(row..).unwrap_or_default() {
                [start, end, ..] => *start as usize..*end as usize,
                _ => 0..0,
            },
            (None, of_cell) => {
                let of_cell = of_cell.unwrap_or_default() as usize;
                row * of_cell..(row + 1) * of_cell
            }
        }
    }

    /// Returns the row that an element belongs to.
    pub(super) fn row_of(&self, index: usize) -> Option<usize> {
        if index >= self.parts.values.len() {
            return None;
        }
        match (&self.parts.offsets, self.parts.cell_shape.element_count()) {
            (Some(offsets), _) => offsets.partition_point(|&start| start as usize <= index).checked_sub(1),
            (None, of_cell) => index.checked_div(of_cell.unwrap_or_default() as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;

    fn parts(cell_shape: CellShape, count: usize, offsets: Option<Vec<i64>>, row_count: usize) -> ColumnParts {
        ColumnParts {
            element_type: ElementType::Scalar(ScalarType::Int16),
            cell_shape,
            values: Values::Int16(vec![0; count]),
            offsets,
            cells: None,
            elements: None,
            row_count,
        }
    }

    #[test]
    fn cells_find_their_elements() {
        let fixed = Column::new(parts(CellShape::Fixed(vec![2, 3]), 12, None, 2)).unwrap();
        assert_eq!((fixed.elements_of(1), fixed.elements_of(2)), (6..12, 0..0));
        let mut variable = parts(CellShape::Variable(vec![2]), 6, Some(vec![0, 4, 4, 6]), 3);
        variable.cells = Some(Bitmap::filled(true, 3).unwrap());
        variable.cells.as_mut().unwrap().set(2, false);
        let variable = Column::new(variable).unwrap();
        assert_eq!((0..3).map(|row| variable.elements_of(row)).collect::<Vec<_>>(), [0..4, 4..4, 4..6]);
        assert_eq!([3, 4, 6].map(|element| variable.has_element(element)), [true, false, false]);
        let none = Column::new(parts(CellShape::Fixed(vec![0]), 0, None, 7)).unwrap();
        assert_eq!((none.elements_of(3), none.has_element(0), none.has_cell(6)), (0..0, false, true));
    }

    #[test]
    fn parts_must_fit_together() {
        let refused = |parts| assert_eq!(Column::new(parts).unwrap_err().status(), Status::InvalidArgument);
        refused(parts(CellShape::Scalar, 3, None, 2));
        refused(parts(CellShape::Fixed(vec![2]), 3, None, 2));
        refused(parts(CellShape::Scalar, 2, Some(vec![0, 1, 2]), 2));
        refused(parts(CellShape::Variable(vec![]), 2, None, 2));
        refused(parts(CellShape::Variable(vec![]), 2, Some(vec![0, 2, 1]), 2));
        refused(parts(CellShape::Variable(vec![2]), 3, Some(vec![0, 3]), 1));
        refused(parts(CellShape::Variable(vec![0]), 3, Some(vec![0, 3]), 1));
        refused(ColumnParts { values: Values::Int8(vec![1]), ..parts(CellShape::Scalar, 0, None, 1) });
        let elements = Some(Bitmap::filled(true, 2).unwrap());
        refused(ColumnParts { elements: elements.clone(), ..parts(CellShape::Scalar, 2, None, 2) });
        refused(ColumnParts { elements: elements.clone(), ..parts(CellShape::Fixed(vec![2]), 4, None, 2) });
        refused(ColumnParts { cells: elements, ..parts(CellShape::Scalar, 3, None, 3) });
        let truth = ElementType::Scalar(ScalarType::Bool8);
        assert!(Column::scalars(truth, Values::Bool8(vec![0, 2]), None).is_err());
    }
}
