//! Writes columns of tables as arrays of ASDF files.

use super::made::{Elements, Numbers};
use super::stored_cells::StoredCells;
use crate::array::{Datatype, Order, ScalarType};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, Node, Storage};
use crate::source::{Source, read_vec_at};
use crate::table::{CellShape, Column, ColumnHeader, ElementType};
use std::sync::Arc;

/// A column that can be stored as an array.
pub(super) struct Storable {
    pub(super) header: ColumnHeader,
    pub(super) column: Arc<Column>,
    pub(super) datatype: Datatype,
    /// Shape of a cell.
    pub(super) cell: Vec<i64>,
    /// The arrays of a column whose cells have different lengths.
    pub(super) cells: Option<Box<StoredCells>>,
}

impl Storable {
    /// Prepares a column. Numbers keep their type. Texts become strings of fixed length in UTF-32 units, the length of
    /// the longest.
    ///
    /// Fails with [`Status::ValueRange`] for a text that ends with NUL, which would be lost in a string of fixed length.
    pub(super) fn new(header: &ColumnHeader, column: &Arc<Column>) -> Result<Storable> {
        let datatype = match column.element_type() {
            ElementType::Scalar(scalar) => Datatype::Scalar(scalar),
            _ => Datatype::Ucs4(longest(column).map_err(|error| error.in_table_column(&header.name))?),
        };
        let cell = match column.cell_shape() {
            CellShape::Scalar => Vec::new(),
            CellShape::Fixed(extents) => extents
                .iter()
                .map(|&extent| i64::try_from(extent).map_err(|_| Error::out_of_memory(extent)))
                .collect::<Result<_>>()?,
            CellShape::Variable(_) => Vec::new(),
        };
        let cells = StoredCells::of(header, column)?.map(Box::new);
        Ok(Storable { header: header.clone(), column: column.clone(), datatype, cell, cells })
    }

    /// Returns the column under another name.
    pub(super) fn renamed(mut self, name: String) -> Storable {
        self.header.name = name;
        self
    }

    /// Stores the array at `path`, with a mask if the column has one. Numbers are not copied. A column whose cells have
    /// different lengths stores these lengths here.
    pub(super) fn set(&self, node: &Node, path: &str, options: &ArrayOptions) -> Result<()> {
        if let Some(cells) = &self.cells {
            return cells.lengths.set(node, path, options);
        }
        let set = || {
            let mut shape = vec![self.column.row_count() as i64];
            shape.extend_from_slice(&self.cell);
            match self.datatype {
                Datatype::Scalar(_) => {
                    let data = ArrayData::new(self.datatype.clone(), &shape, Arc::new(Numbers(self.column.clone())));
                    node.set_array_data(path, &data, options)?;
                }
                _ => {
                    let text = Elements::text(self.column.clone(), &self.datatype)?;
                    set_generated(node, path, (&self.datatype, &shape), Arc::new(text), options)?;
                }
            }
            if self.column.is_masked() {
                let mask = Arc::new(Elements::mask(self.column.clone())?);
                set_generated(node, &format!("{path}/mask"), (&ScalarType::Bool8.into(), &shape), mask, options)?;
            }
            Ok(())
        };
        set().map_err(|error: Error| error.in_table_column(&self.header.name))
    }
}

/// Stores an array whose elements are generated when the file is written, or now if they are stored in the tree.
pub(super) fn set_generated(
    node: &Node,
    path: &str,
    (datatype, shape): (&Datatype, &[i64]),
    source: Arc<dyn Source>,
    options: &ArrayOptions,
) -> Result<()> {
    if options.storage != Storage::Inline && options.stored_order == Order::C {
        return node.set_array_source(path, datatype, shape, source, options);
    }
    let bytes = read_vec_at(&*source, 0, source.len())?;
    let data = ArrayData { datatype: datatype.clone(), shape, bytes: ArrayBytes::Copied(&bytes), order: Order::C };
    node.set_array_data(path, &data, options)
}

/// Returns the number of characters of the longest text; at least 1.
fn longest(column: &Column) -> Result<u64> {
    let mut longest = 1;
    for (index, text) in column.values().text().into_iter().flat_map(|text| text.iter()).enumerate() {
        if text.ends_with('\0') && column.has_element(index) {
            let message = format!("the string {index} ends with NUL, which an ASDF string array cannot store");
            return Err(Error::new(Status::ValueRange, message));
        }
        // The byte length alone shows that most texts are not longer.
        if text.len() > longest {
            longest = longest.max(text.chars().count());
        }
    }
    Ok(longest as u64)
}
