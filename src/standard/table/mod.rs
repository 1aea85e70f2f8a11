//! Tables of ASDF files, read into tables in memory and written from them.

mod arrow_export;
mod arrow_import;
mod cell_parts;
mod cells;
mod coordinates;
mod encoded_array;
mod entry;
mod keys;
mod made;
mod moment;
mod notes;
mod object;
#[cfg(test)]
mod object_tests;
mod plain;
mod plan;
mod quantity_text;
mod read;
mod read_column;
mod read_object;
mod serialized;
mod spooled;
mod stored_cells;
mod stored_unit;
mod tagged_meta;
#[cfg(test)]
mod tests;
mod time_columns;
mod time_layout;
#[cfg(test)]
mod time_tests;
mod time_values;
mod variable;
#[cfg(test)]
mod variable_tests;
mod write;
mod write_column;
mod write_object;
mod writer;
#[cfg(test)]
mod writer_tests;

pub use arrow_import::ArrowTimes;
pub use read::{Metadata, TableReadOptions};
pub use write::{TableForm, TableWriteOptions};
pub use writer::NodeTableWriter;
