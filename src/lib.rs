//! Read and write ASDF files: a YAML tree with binary blocks.
//!
//! ```
//! use asdfkit::file::{File, WriteOptions};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("image.asdf");
//!
//! let pixels = [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0];
//! let file = File::default();
//! let root = file.root()?;
//! root.set_f64("meta/exposure/time", 139.8)?;
//! root.set_array("data", &pixels, [2, 3])?;
//! file.write(&path, &WriteOptions::default())?;
//!
//! let file = File::open(&path)?;
//! let root = file.root()?;
//! assert_eq!(root.f64("meta/exposure/time")?, 139.8);
//! let image = root.array("data")?;
//! assert_eq!(image.shape(), [2, 3]);
//! assert_eq!(image.read_vec::<f32>()?, pixels);
//! assert_eq!(image.read_vec::<u8>()?, [0, 1, 2, 3, 4, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A whole program, `examples/quickstart.rs`:
//!
//! ```no_run
#![doc = include_str!("../examples/quickstart.rs")]
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | [`mod@file`] | ASDF files, the nodes of their trees, and options |
//! | [`mod@array`] | n-dimensional arrays: datatypes, elements, regions, masks |
//! | [`table`] | tables, and their formats ECSV and Arrow |
//! | [`ndl`] | descriptions of files in the Ndarray Data Language |
//! | [`wcs`] | transforms and world coordinates, evaluated forward and back |
//! | [`codec`] | compression |
//! | [`references`] | references to the chunks of arrays, for readers of zarr |
//! | [`source`] | sources of bytes: files, memory, types of the caller |
//! | [`limits`] | bounds on memory and work when a file is read |
//! | [`progress`] | reports of the progress of calls, and cancelling them |
//! | [`error`] | errors and warnings |
//! | [`report`] | warnings, diagnostics, differences and losses in one form |
//! | [`schema`] | validation by YAML schemas |
//!
//! # Floating-point environment
//!
//! Like all Rust code, this crate expects the default environment: no traps, rounding to nearest, subnormal numbers. A
//! program that changes it, for example to trap overflows, must restore it for calls. Functions of the C interface do so
//! themselves.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `half` | conversions between [`array::Float16`] and the type `f16` of the crate `half` |
//! | `ndarray` | arrays of the crate `ndarray`, read by `Array::read_array` and set by `Node::set_ndarray` |
//! | `serde` | `Node::deserialize` and `Node::serialize`, for types that implement the traits of the crate `serde` |
//! | `reserve` | an allocator for the whole program, which serves small requests from a reserve when the system refuses memory; calls from C then fail with an error instead of ending the program |
//! | `bls2`, `blsc`, `libdeflate`, `xz`, `zstd` | codecs; on by default |

/// Implements `Debug` for types whose content says nothing to a reader. Only the name of the type is shown.
macro_rules! debug_by_name {
    ($type:ty, $name:literal) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }
    };
}

pub mod array;
#[cfg(target_arch = "x86_64")]
mod bytes;
pub mod codec;
pub mod error;
// WebAssembly has no C library, and no program in C that could call this interface.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod ffi;
pub mod file;
mod fits;
mod float;
mod hint;
mod json;
mod layout;
pub mod limits;
pub mod ndl;
mod process;
pub mod progress;
pub mod references;
pub mod remote;
pub mod report;
mod reserve;
pub mod schema;
pub mod source;
mod standard;
pub mod table;
mod tags;
mod tree;
pub mod wcs;
mod yaml;

pub use error::{Error, Location, Result, Status, Warning};
pub use limits::{Limit, Limits};
pub use report::Report;
pub use standard::units;
pub use standard::{
    ArrowTimes, Coordinates, CoordinatesKind, Extension, JulianDate, LeapSeconds, Metadata, Nanoseconds, NodeKind,
    NodeSearch, NodeTableWriter, SkyPoints, SoftwareEntry, TableForm, TableReadOptions, TableWriteOptions, Time,
    TimeDelta, TimeFormat, TimeOptions, TimeScale,
};

/// Parts of the YAML reader and the block layout, for the tests and benchmarks of this crate. They can change in any
/// version.
#[doc(hidden)]
pub mod internals {
    pub use crate::layout::{Layout, md5};
    pub use crate::tree::scalar::{Scalar, resolve};
    pub use crate::tree::{Kind, NodeId, Style, Tree};
    pub use crate::yaml::{EmitOptions, Parsed, emit, parse};
}
