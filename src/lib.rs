//! Read and write ASDF files: a YAML tree with binary blocks.
//!
//! ```
//! use asdfkit::file::{File, NewOptions, OpenOptions, WriteOptions};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("image.asdf");
//!
//! let pixels = [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0];
//! let file = File::new(&NewOptions::default());
//! let root = file.root()?;
//! root.set_f64("meta/exposure/time", 139.8)?;
//! root.set_array("data", &pixels, [2, 3])?;
//! file.write(&path, &WriteOptions::default())?;
//!
//! let file = File::open(&path, &OpenOptions::default())?;
//! let root = file.root()?;
//! assert_eq!(root.f64("meta/exposure/time")?, 139.8);
//! let image = root.array("data")?;
//! assert_eq!(image.shape(), [2, 3]);
//! assert_eq!(image.read_vec::<f32>()?, pixels);
//! assert_eq!(image.read_vec::<u8>()?, [0, 1, 2, 3, 4, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rooms
//!
//! From the ground up; each uses those above it in this list, none below: [`error`], [`limits`], `process`, `float` ·
//! [`source`] · [`layout`], [`codec`], [`tree`] · [`yaml`], [`mod@array`] · [`mod@file`] · [`table`] · [`standard`],
//! [`ndl`] · the C interface.

pub mod array;
pub mod codec;
pub mod error;
#[doc(hidden)]
pub mod ffi;
pub mod file;
mod float;
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
