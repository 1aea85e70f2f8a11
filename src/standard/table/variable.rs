//! Reads columns whose cells have different lengths. An ASDF file has two arrays for such a column: the elements of all
//! cells, one after the other, and the number of elements in each cell.

use crate::array::{Array, ReadOptions, Region};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::standard::tags::{Tagged, meaning};
use crate::table::{Bitmap, CellShape, Column, ColumnParts, Values};
use std::ops::Range;

/// Key of the elements of all cells.
pub(super) const VALUES: &str = "values";
/// Key of the number of elements in each cell, over all its axes; -1 for a missing cell.
pub(super) const LENGTHS: &str = "lengths";
/// Key of the extents of a cell before the last one, if there are any.
pub(super) const SHAPE: &str = "shape";

/// Number of lengths that are read at a time.
const LENGTHS_AT_ONCE: u64 = 1 << 16;

/// Cells of different lengths that are read.
pub(super) struct VariableCells {
    /// Node of the elements, for errors.
    pub(super) node: Node,
    pub(super) values: Array,
    /// Extents of a cell before the last one.
    extents: Vec<u64>,
}

/// Returns whether a node is a mapping of values and lengths.
pub(super) fn is_variable(node: &Node) -> Result<bool> {
    if node.node_type("")? != NodeType::Mapping || node.foreign_tag("")?.is_some() {
        return Ok(false);
    }
    Ok(node.exists(VALUES)? && node.exists(LENGTHS)?)
}

impl VariableCells {
    /// Reads the elements and the extents in a mapping of values and lengths.
    pub(super) fn open(mapping: &Node) -> Result<VariableCells> {
        let values = mapping.at(VALUES)?;
        let is_quantity = values.foreign_tag("")?.is_some_and(|tag| meaning(&tag) == Tagged::Quantity);
        let node = if is_quantity { values.at("value")? } else { values };
        let values = node.array("")?;
        if values.shape().len() != 1 {
            let message = "the elements of cells of different lengths are an array of one axis";
            return Err(node.locate(Error::new(Status::TagContent, message)));
        }
        let mut extents = Vec::new();
        if mapping.exists(SHAPE)? {
            for index in 0..mapping.count(SHAPE)? {
                extents.push(mapping.u64(&format!("{SHAPE}/{index}"))?);
            }
        }
        Ok(VariableCells { node, values, extents })
    }

    /// Returns the range of the elements in some rows.
    ///
    /// Fails with [`Status::TagContent`] if the lengths are not those of the elements.
    pub(super) fn elements_of(
        &self,
        lengths: Option<&Array>,
        rows: &Range<u64>,
        options: &ReadOptions,
    ) -> Result<Range<u64>> {
        let count = self.values.element_count().unsigned_abs();
        let Some(lengths) = lengths.filter(|lengths| lengths.shape() != [(rows.end - rows.start) as i64]) else {
            return Ok(0..count);
        };
        let wrong = || {
            let message = "the lengths of the cells do not fit the number of their elements";
            self.node.locate(Error::new(Status::TagContent, message))
        };
        if lengths.shape().len() != 1 {
            return Err(wrong());
        }
        let (mut done, mut first, mut end) = (0, 0, 0_u64);
        while done < rows.end {
            // A piece ends where the rows begin, so that the sum up to there is at hand.
            let until = if done < rows.start { rows.start } else { rows.end };
            let taken = (until - done).min(LENGTHS_AT_ONCE);
            let region = Region { start: &[done as i64], count: &[taken as i64], step: None };
            let (values, mask) = lengths.read_masked_vec::<i64>(Some(&region), options)?;
            for (length, is_missing) in values.into_iter().zip(mask) {
                if !is_missing && length != -1 {
                    let length = u64::try_from(length).map_err(|_| wrong())?;
                    end = end.checked_add(length).filter(|end| *end <= count).ok_or_else(wrong)?;
                }
            }
            done += taken;
            if done == rows.start {
                first = end;
            }
        }
        Ok(if rows.is_empty() { 0..0 } else { first..end })
    }

    /// Makes the column of these elements.
    ///
    /// Fails with [`Status::TagContent`] if the lengths are not those of the elements.
    pub(super) fn column(&self, values: Column, lengths: &Column) -> Result<Column> {
        let made = self.made(values, lengths);
        made.map_err(|error| match error.status() {
            Status::InvalidArgument => {
                let message = "the lengths of the cells do not fit the number of their elements";
                self.node.locate(Error::new(Status::TagContent, message))
            }
            _ => error,
        })
    }

    fn made(&self, values: Column, lengths: &Column) -> Result<Column> {
        let wrong = || Error::new(Status::InvalidArgument, "the lengths of the cells are wrong");
        let mut offsets = Vec::new();
        let rows = lengths.row_count();
        offsets.try_reserve_exact(rows.saturating_add(1)).map_err(|_| Error::out_of_memory(8 * rows as u64))?;
        let (mut end, mut cells) = (0_i64, None);
        offsets.push(end);
        for row in 0..rows {
            let length = if lengths.has_cell(row) { integer(lengths.values(), row).ok_or_else(wrong)? } else { -1 };
            if length == -1 {
                cells.get_or_insert(Bitmap::filled(true, rows)?).set(row, false);
            } else {
                end = end.checked_add(length).filter(|_| length >= 0).ok_or_else(wrong)?;
            }
            offsets.push(end);
        }
        let ColumnParts { element_type, values, cells: elements, .. } = values.into_parts();
        let (cell_shape, offsets) = (CellShape::Variable(self.extents.clone()), Some(offsets));
        Column::new(ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count: rows })
    }
}

/// Returns an integer of a column of integers.
fn integer(values: &Values, index: usize) -> Option<i64> {
    Some(match values {
        Values::Int8(values) => (*values.get(index)?).into(),
        Values::Int16(values) => (*values.get(index)?).into(),
        Values::Int32(values) => (*values.get(index)?).into(),
        Values::Int64(values) => *values.get(index)?,
        Values::Uint8(values) => (*values.get(index)?).into(),
        Values::Uint16(values) => (*values.get(index)?).into(),
        Values::Uint32(values) => (*values.get(index)?).into(),
        Values::Uint64(values) => i64::try_from(*values.get(index)?).ok()?,
        _ => return None,
    })
}
