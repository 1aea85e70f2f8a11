//! Writes columns whose cells have different lengths, as two arrays: the elements of all cells, one after the other, and
//! the number of elements in each cell.

use super::cell_parts::parts_of;
use super::notes;
use super::stored_unit::set_unit;
use super::variable::{LENGTHS, SHAPE, VALUES};
use super::write_column::Storable;
use crate::error::Result;
use crate::file::{ArrayOptions, Node};
use crate::standard::tags::Tags;
use crate::table::{CellShape, Column, ColumnHeader};
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
        let CellShape::Variable(extents) = column.cell_shape() else { return Ok(None) };
        let named = |element_type| ColumnHeader::new(&*header.name, element_type, CellShape::Scalar);
        let storable = |column: Arc<Column>| Storable::new(&named(column.element_type()), &column);
        let [values, lengths] = parts_of(column)?;
        Ok(Some(StoredCells { values: storable(values)?, lengths: storable(lengths)?, extents: extents.clone() }))
    }

    /// Makes them of arrays whose elements are in a temporary file.
    pub(super) fn of_spooled(header: &ColumnHeader, values: Storable, lengths: Storable) -> Option<StoredCells> {
        let CellShape::Variable(extents) = &header.cell_shape else { return None };
        Some(StoredCells { values, lengths, extents: extents.clone() })
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
