//! What is said of a table and its columns, before any row.

use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::table::{CellShape, ElementType};

/// What separates the fields of a record in text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Delimiter {
    /// Blanks.
    #[default]
    Space,
    /// A comma.
    Comma,
}

/// What is said of one column.
#[derive(Clone, Debug)]
pub struct ColumnHeader {
    /// The name; those of a table differ.
    pub name: String,
    /// What the elements are.
    pub element_type: ElementType,
    /// How many of them a cell holds.
    pub cell_shape: CellShape,
    /// The unit, as it is spelled.
    pub unit: Option<String>,
    /// What the column holds, in words.
    pub description: Option<String>,
    /// How a value is to be shown to people, in printf's or Python's notation. It never affects data.
    pub format: Option<String>,
    /// Whatever else is said.
    pub meta: Option<Node>,
    /// Whether an empty field is an empty text and no missing cell, since another column says what is missing
    /// ([`LogicalColumn`](crate::table::LogicalColumn)).
    pub has_empty_texts: bool,
    /// The datatype as the file spells it; empty for what was not read from one.
    pub declared_datatype: String,
    /// The subtype as the file spells it.
    pub declared_subtype: Option<String>,
}

impl ColumnHeader {
    /// A column of which nothing is said but name and type.
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

/// What is said of a table.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// What is said of each column, in order.
    pub columns: Vec<ColumnHeader>,
    /// Whatever else is said of the table as a whole.
    pub meta: Option<Node>,
    /// The name of a convention that the metadata follow.
    pub schema: Option<String>,
    /// What separates the fields in the text that the table was read from.
    pub delimiter: Delimiter,
    /// The version of ECSV that the text declares.
    pub version: Option<String>,
}

impl Header {
    /// The place of the column with this name. Names are compared exactly.
    ///
    /// Fails with [`Status::NotFound`] if there is none.
    pub fn position(&self, name: &str) -> Result<usize> {
        let found = self.columns.iter().position(|column| column.name == name);
        found.ok_or_else(|| Error::new(Status::NotFound, format!("the table has no column '{name}'")))
    }
}
