//! Compares descriptions.

pub(super) mod descriptions;
pub(super) mod difference;
pub(super) mod same;
