//! Conversion of stored elements into the caller's, also of those that are missing.

pub(super) mod kernel;
pub(super) mod masking;
pub(super) mod missing_test;
pub(super) mod native;
pub(super) mod numbers;
pub(super) mod stage;
