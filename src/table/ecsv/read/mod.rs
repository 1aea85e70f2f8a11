//! Reads columns from ECSV text.

pub(super) mod arrays;
pub(super) mod builders;
pub(super) mod cells;
pub(super) mod columns;
pub(super) mod convert;
pub(super) mod datatype;
pub(super) mod header;
pub(super) mod index;
pub(super) mod index_scan;
pub(super) mod input;
pub(super) mod lines;
pub(super) mod marks;
pub(super) mod names;
pub(super) mod options;
pub(super) mod pieces;
pub(super) mod probe;
pub(super) mod reader;
pub(super) mod records;
pub(super) mod untyped;
