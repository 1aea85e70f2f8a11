//! Writes columns of tables as arrays of ASDF files.

use super::made::{Elements, Numbers};
use super::spooled::{SpooledColumn, SpooledElements};
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
    content: Content,
    pub(super) datatype: Datatype,
    /// Shape of a cell.
    pub(super) cell: Vec<i64>,
    /// The arrays of a column whose cells have different lengths.
    pub(super) cells: Option<Box<StoredCells>>,
}

/// The elements of a column.
enum Content {
    Memory(Arc<Column>),
    Spooled(SpooledElements),
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
        let cell = extents_of(column.cell_shape())?;
        let cells = StoredCells::of(header, column)?.map(Box::new);
        Ok(Storable { header: header.clone(), content: Content::Memory(column.clone()), datatype, cell, cells })
    }

    /// Prepares a column whose elements are in a temporary file.
    pub(super) fn spooled(header: &ColumnHeader, column: &SpooledColumn) -> Result<Storable> {
        let simple = |elements: &SpooledElements, cell| Storable {
            header: header.clone(),
            datatype: elements.datatype.clone(),
            content: Content::Spooled(elements.clone()),
            cell,
            cells: None,
        };
        let cells = column.lengths.as_ref().and_then(|lengths| {
            let (values, lengths) = (simple(&column.elements, Vec::new()), simple(lengths, Vec::new()));
            StoredCells::of_spooled(header, values, lengths).map(Box::new)
        });
        Ok(Storable { cells, ..simple(&column.elements, extents_of(&header.cell_shape)?) })
    }

    /// Returns the column; `None` if its elements are in a temporary file.
    pub(super) fn column(&self) -> Option<&Arc<Column>> {
        match &self.content {
            Content::Memory(column) => Some(column),
            Content::Spooled(_) => None,
        }
    }

    /// Returns whether a cell or an element is missing.
    pub(super) fn lacks_elements(&self) -> bool {
        match &self.content {
            Content::Memory(column) => column.lacks_elements(),
            Content::Spooled(elements) => elements.lacks_elements,
        }
    }

    /// Returns whether the elements are texts.
    pub(super) fn is_text(&self) -> bool {
        !matches!(self.datatype, Datatype::Scalar(_))
    }

    /// Returns the first text that is not missing.
    pub(super) fn first_text(&self) -> Option<&str> {
        match &self.content {
            Content::Memory(column) => {
                let first = (0..column.row_count()).find(|&row| column.has_cell(row))?;
                column.values().text().map(|text| text.get(first))
            }
            Content::Spooled(elements) => elements.first_text.as_deref(),
        }
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
        let set = || match &self.content {
            Content::Memory(column) => self.set_column(column, node, path, options),
            Content::Spooled(elements) => self.set_spooled(elements, node, path, options),
        };
        set().map_err(|error: Error| error.in_table_column(&self.header.name))
    }

    fn set_column(&self, column: &Arc<Column>, node: &Node, path: &str, options: &ArrayOptions) -> Result<()> {
        let shape = self.shape(column.row_count() as u64);
        match self.datatype {
            Datatype::Scalar(_) => {
                let data = ArrayData::new(self.datatype.clone(), &shape, Arc::new(Numbers(column.clone())));
                node.set_array_data(path, &data, options)?;
            }
            _ => {
                let text = Elements::text(column.clone(), &self.datatype)?;
                set_generated(node, path, (&self.datatype, &shape), Arc::new(text), options)?;
            }
        }
        if column.is_masked() {
            set_mask(node, path, &shape, Arc::new(Elements::mask(column.clone())?), options)?;
        }
        Ok(())
    }

    fn set_spooled(&self, elements: &SpooledElements, node: &Node, path: &str, options: &ArrayOptions) -> Result<()> {
        let shape = self.shape(elements.rows);
        set_generated(node, path, (&self.datatype, &shape), elements.source.clone(), options)?;
        elements.mask.iter().try_for_each(|mask| set_mask(node, path, &shape, mask.clone(), options))
    }

    /// Returns the shape of the array with so many cells.
    fn shape(&self, rows: u64) -> Vec<i64> {
        let mut shape = vec![rows as i64];
        shape.extend_from_slice(&self.cell);
        shape
    }
}

/// Returns the extents of a cell; none for cells of variable length.
fn extents_of(shape: &CellShape) -> Result<Vec<i64>> {
    match shape {
        CellShape::Fixed(extents) => {
            extents.iter().map(|&extent| i64::try_from(extent).map_err(|_| Error::out_of_memory(extent))).collect()
        }
        CellShape::Scalar | CellShape::Variable(_) => Ok(Vec::new()),
    }
}

/// Stores the mask of an array.
fn set_mask(node: &Node, path: &str, shape: &[i64], mask: Arc<dyn Source>, options: &ArrayOptions) -> Result<()> {
    set_generated(node, &format!("{path}/mask"), (&ScalarType::Bool8.into(), shape), mask, options)
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
