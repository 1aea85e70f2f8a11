//! Writes descriptions as YAML, JSON and CDL.

pub(super) mod cdl;
pub(super) mod datatype_text;
pub(super) mod directive;
pub(super) mod flow;
pub(super) mod json;
pub(super) mod options;
pub(super) mod spelling;
pub(super) mod text;
pub(super) mod walk;
