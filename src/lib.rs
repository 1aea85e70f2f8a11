//! Read and write ASDF files: a YAML tree with binary blocks.
//!
//! The rooms of the crate, from the ground up; each uses those above it in this list, none below:
//! [`error`], [`limits`] · [`source`] · [`layout`], [`codec`], [`tree`] · `yaml`, [`array`] · [`file`](mod@file) · `ffi`.

pub mod array;
pub mod codec;
pub mod error;
pub mod file;
pub mod layout;
pub mod limits;
pub mod source;
pub mod tree;
pub mod yaml;

pub use error::{Error, Location, Result, Status, Warning};
pub use limits::Limits;
