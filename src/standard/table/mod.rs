//! Tables of ASDF files, read into tables in memory and written from them.

mod made;
mod notes;
mod object;
mod plain;
mod read;
mod read_column;
mod read_object;
mod serialized;
#[cfg(test)]
mod tests;
mod write;
mod write_column;

pub use read::{Metadata, TableReadOptions};
pub use write::{TableForm, TableWriteOptions};
