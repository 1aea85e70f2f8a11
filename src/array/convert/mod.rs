//! Conversion of stored elements to elements in the caller's memory, with masks and fill values.

pub(super) mod function;
pub(super) mod kernel;
pub(super) mod masking;
pub(super) mod missing_test;
pub(super) mod native;
pub(super) mod numbers;
mod scaled;
pub(super) mod stage;
mod streaming;
