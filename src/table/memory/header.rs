//! Description of a table and its columns, known before any row is read.

use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::hint;
use crate::table::{CellShape, ElementType};

/// Delimiter between the fields of a record in text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// A space. Several in a row count as one, except in strict reading.
    #[default]
    Space,
    /// A comma.
    Comma,
}

/// Description of one column.
#[derive(Clone, Debug)]
pub struct ColumnHeader {
    /// Name, unique in the table.
    pub name: String,
    /// Type of the elements.
    pub element_type: ElementType,
    /// Shape of a cell.
    pub cell_shape: CellShape,
    /// Unit, as it is spelled in the file.
    pub unit: Option<String>,
    /// Description in words.
    pub description: Option<String>,
    /// Format for printing a value, in printf's or Python's notation. It never affects data.
    pub format: Option<String>,
    /// All other metadata of the column.
    pub meta: Option<Node>,
    /// True if an empty field of the file is an empty text instead of a missing cell, since another column is the mask.
    /// A file that such a column is written to has a mask, too.
    pub has_empty_texts: bool,
    /// Datatype as the file spells it; empty if the column was not read from a file.
    pub declared_datatype: String,
    /// Subtype as the file spells it.
    pub declared_subtype: Option<String>,
}

impl ColumnHeader {
    /// Makes a header of a column with name and type only.
    pub fn new(name: impl Into<String>, element_type: ElementType, cell_shape: CellShape) -> ColumnHeader {
        ColumnHeader {
            name: name.into(),
            element_type,
            cell_shape,
            unit: None,
            description: None,
            format: None,
            meta: None,
            has_empty_texts: false,
            declared_datatype: String::new(),
            declared_subtype: None,
        }
    }
}

/// Description of a table.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Descriptions of the columns, in order.
    pub columns: Vec<ColumnHeader>,
    /// All other metadata of the table as a whole.
    pub meta: Option<Node>,
    /// Name of a convention that the metadata follow.
    pub schema: Option<String>,
    /// Delimiter in the text that the table was read from.
    pub delimiter: Delimiter,
    /// ECSV version that the text declares.
    pub version: Option<String>,
    /// True if the table is a `QTable` of astropy, whose columns with a unit are quantities; `None` if not known.
    pub is_quantity_table: Option<bool>,
    /// Root of the header that the table was read from. Later changes do not change it.
    pub source: Option<Node>,
}

impl Header {
    /// Returns the description of the table as a whole.
    pub(in crate::table) fn without_columns(&self) -> Header {
        let Header { columns: _, meta, schema, delimiter, version, is_quantity_table, source } = self;
        Header {
            columns: Vec::new(),
            meta: meta.clone(),
            schema: schema.clone(),
            delimiter: *delimiter,
            version: version.clone(),
            is_quantity_table: *is_quantity_table,
            source: source.clone(),
        }
    }

    /// Returns the index of the column with this name. Names are compared exactly.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column.
    pub fn position(&self, name: &str) -> Result<usize> {
        let found = self.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| {
            let similar = hint::similar(name, self.columns.iter().map(|column| &*column.name));
            Error::new(Status::NotFound, format!("the table has no column '{name}'{similar}"))
        })
    }

    /// Fails with [`Status::InvalidArgument`] unless a batch of the table has columns of the same names and types, in the
    /// same order. Units and other metadata are not compared.
    pub(crate) fn check_batch(&self, batch: &Header) -> Result<()> {
        let (columns, ours) = (&batch.columns, &self.columns);
        if std::ptr::eq(batch, self) {
            return Ok(());
        }
        if columns.len() != ours.len() {
            let message = format!("the batch has {} columns, but the table has {}", columns.len(), ours.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let is_other = |(column, ours): &(&ColumnHeader, &ColumnHeader)| {
            column.name != ours.name || column.element_type != ours.element_type || column.cell_shape != ours.cell_shape
        };
        if let Some((column, ours)) = columns.iter().zip(ours).find(is_other) {
            let message = format!(
                "the column '{}' of the batch differs in name or type from the column '{}' of the table",
                column.name, ours.name
            );
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(())
    }
}
