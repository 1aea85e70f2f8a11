//! Points in time and spans of time.

pub mod make;
pub mod read;
