//! Typed views of what the standard's tags describe: tables, as the bridge between ASDF files and the tables in memory
//! that other formats are read into.
//!
//! A [`Table`](crate::table::Table) is read from a tree by [`Node::table`](crate::file::Node::table) and stored in one by
//! [`Node::set_table`](crate::file::Node::set_table).
//!
//! ```
//! use asdfkit::file::{File, NewOptions};
//! use asdfkit::standard::{TableReadOptions, TableWriteOptions};
//! use asdfkit::table::{CellShape, Column, ColumnHeader, ElementType, Header, Table, Values};
//! use std::sync::Arc;
//!
//! let column = Arc::new(Column::scalars(ElementType::of_values(&Values::Int32(vec![])), Values::Int32(vec![7, 8]), None)?);
//! let mut header = ColumnHeader::new("flux", column.element_type(), CellShape::Scalar);
//! header.unit = Some("Jy".into());
//! let header = Header { columns: vec![header], ..Header::default() };
//! let table = Table::new(Arc::new(header), vec![column], 2)?;
//!
//! let root = File::new(&NewOptions::default()).root()?;
//! root.set_table("catalogue", &table, &TableWriteOptions::default())?;
//! let table = root.table("catalogue", &TableReadOptions::default())?;
//! assert_eq!(table.header().columns[0].unit.as_deref(), Some("Jy"));
//! # Ok::<(), asdfkit::Error>(())
//! ```

mod made;
mod notes;
mod plain;
mod read_column;
mod read_table;
mod serialized;
mod tags;
#[cfg(test)]
mod tests;
mod unit;
mod write_column;
mod write_table;

pub use read_table::{Metadata, TableReadOptions};
pub use write_table::{TableForm, TableWriteOptions};
