//! Read and write ASDF files: a YAML tree with binary blocks.
//!
//! ```
//! use asdfkit::array::{ReadOptions, ScalarType};
//! use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, OpenOptions, WriteOptions};
//! use std::sync::Arc;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("image.asdf");
//!
//! let pixels: Vec<u8> = (0..6).flat_map(|n| (n as f32).to_ne_bytes()).collect();
//! let file = File::new(&NewOptions::default());
//! let root = file.root()?;
//! root.set_f64("meta/exposure/time", 139.8)?;
//! let image = ArrayData::new(ScalarType::Float32, &[2, 3], Arc::new(pixels));
//! root.set_array("data", &image, &ArrayOptions::default())?;
//! file.write(&path, &WriteOptions::default())?;
//!
//! let file = File::open(&path, &OpenOptions::default())?;
//! let root = file.root()?;
//! assert_eq!(root.f64("meta/exposure/time")?, 139.8);
//! let mut numbers = [0; 6];
//! root.array("data")?.read(&ScalarType::Uint8.into(), &mut numbers, &ReadOptions::default())?;
//! assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rooms
//!
//! From the ground up; each uses those above it in this list, none below: [`error`], [`limits`], `process`, `float`, `json`
//! · [`source`] · [`layout`], [`codec`], [`tree`] · [`yaml`], [`mod@array`] · [`mod@file`] · [`table`] · [`standard`],
//! [`ndl`] · the C interface.

pub mod array;
pub mod codec;
pub mod error;
#[doc(hidden)]
pub mod ffi;
pub mod file;
mod float;
mod json;
pub mod layout;
pub mod limits;
pub mod ndl;
mod process;
pub mod source;
pub mod standard;
pub mod table;
pub mod tree;
pub mod yaml;

pub use error::{Error, Location, Result, Status, Warning};
pub use limits::Limits;
