//! Columns in memory.

pub(super) mod bitmap;
pub(super) mod build;
pub(super) mod column;
pub(super) mod convert_column;
mod decimal;
pub(super) mod element_type;
pub(super) mod header;
pub(super) mod kept_text;
pub(super) mod load_column;
pub(super) mod read_column;
mod set_cells;
pub(super) mod table;
pub(super) mod values;
