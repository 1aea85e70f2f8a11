//! The functions that programs need beside all others: version, last failure, reports and buffers.

pub mod buffer;
pub mod error;
pub mod report;
pub mod version;
