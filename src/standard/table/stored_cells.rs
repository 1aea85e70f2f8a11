//! Writes columns whose cells have different lengths, as two arrays: the elements of all cells, one after the other, and
//! the number of elements in each cell.

use super::notes;
use super::stored_unit::set_unit;
use super::variable::{LENGTHS, SHAPE, VALUES};
use super::write_column::Storable;
use crate::array::ScalarType;
use crate::error::{Error, Result};
use crate::file::{ArrayOptions, Node};
use crate::standard::tags::Tags;
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ElementType, Values};
use std::sync::Arc;

/// The arrays of a column whose cells have different lengths.
pub(super) struct StoredCells {
    values: Storable,
    pub(super) lengths: Storable,
    extents: Vec<u64>,
}

impl StoredCells {
    /// Prepares the arrays; `None` for cells of one length.
    pub(super) fn of(header: &ColumnHeader, column: &Arc<Column>) -> Result<Option<StoredCells>> {
        let (CellShape::Variable(extents), Some(offsets)) = (column.cell_shape(), column.offsets()) else {
            return Ok(None);
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
        let named = |element_type| ColumnHeader::new(&*header.name, element_type, CellShape::Scalar);
        let storable = |column: Column| Storable::new(&named(column.element_type()), &Arc::new(column));
        Ok(Some(StoredCells { values: storable(values)?, lengths: storable(lengths)?, extents: extents.clone() }))
    }

    /// Stores the mapping of both arrays at `path`. A unit makes a quantity of the elements, with this tag.
    pub(super) fn set(
        &self,
        node: &Node,
        path: &str,
        unit: Option<(&str, &str)>,
        tags: &Tags,
        options: &ArrayOptions,
    ) -> Result<()> {
        let place = node.make(path)?;
        place.set_mapping("", false)?;
        match unit {
            Some((unit, tag)) => {
                let quantity = place.make(VALUES)?;
                quantity.set_mapping("", false)?;
                quantity.set_tag("", Some(tag))?;
                self.values.set(&quantity, "value", options)?;
                set_unit(&quantity, "unit", unit, tags)?;
            }
            None => self.values.set(&place, VALUES, options)?,
        }
        self.lengths.set(&place, LENGTHS, options)?;
        self.set_shape(&place)
    }

    /// Stores a column that already has its lengths at `data`: the mapping is a note about it.
    pub(super) fn set_noted(&self, column: &Node, options: &ArrayOptions) -> Result<()> {
        let place = column.make(&notes::cells_path())?;
        place.set_mapping("", false)?;
        self.values.set(&place, VALUES, options)?;
        // The copy has the same block.
        place.copy_from(LENGTHS, &column.at("data")?, None)?;
        self.set_shape(&place)
    }

    fn set_shape(&self, place: &Node) -> Result<()> {
        if self.extents.is_empty() {
            return Ok(());
        }
        place.set_sequence(SHAPE, true)?;
        self.extents.iter().try_for_each(|&extent| place.set_u64(&format!("{SHAPE}/-"), extent))
    }
}
