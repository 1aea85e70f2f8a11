//! Division of cells of different lengths into two columns: the elements of all cells, and the number of elements in each.

use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::table::{Bitmap, Column, ElementType, Values};
use std::sync::Arc;

/// Returns the elements of all cells one after the other, and the number of elements in each cell.
pub(super) fn parts_of(column: &Column) -> Result<[Arc<Column>; 2]> {
    let Some(offsets) = column.offsets() else {
        return Err(Error::new(Status::Internal, "cells of variable length have no offsets"));
    };
    let rows = column.row_count();
    let mut lengths = Vec::new();
    lengths.try_reserve_exact(rows).map_err(|_| Error::out_of_memory(8 * rows as u64))?;
    let mut has_hidden = false;
    for (row, ends) in offsets.windows(2).enumerate() {
        let length = ends.iter().rev().copied().reduce(|end, start| end - start).unwrap_or_default();
        has_hidden |= length > 0 && !column.has_cell(row);
        lengths.push(if column.has_cell(row) { length } else { -1 });
    }
    let lengths = Values::Int64(lengths);
    let lengths = Column::scalars(ElementType::Scalar(ScalarType::Int64), lengths, None)?;
    let mut values = column.values().without_elements();
    // The elements under missing cells would count as those of other cells.
    let shown = (0..rows).filter(|&row| !has_hidden || column.has_cell(row)).map(|row| column.elements_of(row));
    values.append_ranges(column.values(), shown.clone())?;
    let mut elements = None;
    if let Some(all) = column.elements() {
        let shown = shown.flatten();
        let bits = elements.insert(Bitmap::default());
        shown.into_iter().try_for_each(|element| bits.push(all.get(element)))?;
    }
    let values = Column::scalars(column.element_type(), values, elements)?;
    Ok([Arc::new(values), Arc::new(lengths)])
}
