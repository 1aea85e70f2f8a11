//! Typed views of what the standard's tags describe: tables, as the bridge between ASDF files and the tables in memory
//! that other formats are read into.
//!
//! A [`Table`](crate::table::Table) is read from a tree by [`Node::table`](crate::file::Node::table) and stored in one by
//! [`Node::set_table`](crate::file::Node::set_table).

mod kind;
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

pub use kind::NodeKind;
pub use read_table::{Metadata, TableReadOptions};
pub use write_table::{TableForm, TableWriteOptions};
