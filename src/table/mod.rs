//! Tables: columns of one length with names, units, descriptions and missing values.
//!
//! A [`Table`] is in memory. Columns can be added, but do not change; cloning a table copies no values. A [`Header`]
//! holds the names and descriptions of the columns; it is known before any row is read and shared by the batches of a
//! large file. Metadata are nodes of a YAML tree, the same [`Node`](crate::file::Node)s as those of an ASDF file.

pub mod arrow;
mod cell;
pub mod ecsv;
mod logical;
mod masks;
mod memory;
mod metadata;
mod prune;
mod rows;
pub(crate) mod serialized;
mod writer_state;

pub use crate::array::Text;
pub use logical::{LogicalColumn, Member, logical_columns};
pub use memory::bitmap::Bitmap;
pub use memory::build::ColumnData;
pub use memory::column::{Column, ColumnParts};
pub use memory::element_type::{CellShape, ElementType};
pub use memory::header::{ColumnHeader, Delimiter, Header};
pub use memory::table::Table;
pub use memory::values::Values;
pub(crate) use metadata::check as check_metadata;
pub use rows::{Rows, SortKey};
pub(crate) use writer_state::WriterState;
