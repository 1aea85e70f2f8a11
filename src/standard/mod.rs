//! Typed views of nodes with tags of the standard. Tables connect ASDF files with the tables in memory that other
//! formats are read into.
//!
//! [`Node::table`](crate::file::Node::table) reads a [`Table`](crate::table::Table) from a tree, and
//! [`Node::set_table`](crate::file::Node::set_table) stores one.

mod kind;
mod made;
mod notes;
mod object;
mod plain;
mod read_column;
mod read_object;
mod read_table;
mod serialized;
mod set_tagged;
mod tags;
#[cfg(test)]
mod tests;
mod unit;
mod write_column;
mod write_table;

pub use kind::NodeKind;
pub use read_table::{Metadata, TableReadOptions};
pub use write_table::{TableForm, TableWriteOptions};
