//! Writes columns as ECSV text.

pub(super) mod array_writer;
pub(super) mod compressed_output;
pub(super) mod field_writer;
pub(super) mod header_writer;
pub(super) mod numbers;
pub(super) mod options;
pub(super) mod record_writer;
pub(super) mod table_writer;
mod validated;
