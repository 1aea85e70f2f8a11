//! Pictures of arrays and columns, in the terminal or as files.

pub(crate) mod arguments;
pub(crate) mod chart;
pub(crate) mod image;
pub(crate) mod place;
pub(crate) mod sample;
pub(crate) mod show;
mod sky;
mod terminal;
mod values;
