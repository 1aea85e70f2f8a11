//! Tables: ECSV, tables in ASDF files, Arrow.

pub mod arrow;
pub(super) mod arrow_abi;
pub(super) mod arrow_export;
pub(super) mod arrow_import;
pub mod asdf;
pub mod build;
pub mod cells;
pub mod ecsv_read;
pub mod ecsv_write;
pub mod load;
pub mod logical;
pub mod look;
pub mod read;
pub mod rows;
