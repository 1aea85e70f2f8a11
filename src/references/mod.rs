//! References: JSON that tells readers of zarr where the chunks of arrays lie in ASDF files (kerchunk, version 1).
//!
//! Readers such as fsspec with zarr and xarray, Dask and VirtualiZarr then read the arrays as they lie, also from object
//! stores, without a library for ASDF. No byte of the arrays is copied or decoded.
//!
//! ```no_run
//! use asdfkit::file::File;
//! use asdfkit::references::{ReferenceOptions, References};
//!
//! let mut references = References::new(&ReferenceOptions::default());
//! references.add(&File::open("image.asdf")?)?;
//! let export = references.finish()?;
//! std::fs::write("image.json", export.to_json()?)?;
//! for entry in export.report.entries() {
//!     eprintln!("{}", entry.text);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Arrays that zarr cannot express are left out, and the report names them. References are written in the form that all
//! of these readers understand: zarr 2 metadata, arrays in C order, codecs as filters, whole URLs.

mod arrays;
mod describe;
mod export;
mod join;
mod options;
mod slabs;
mod stored;
#[cfg(test)]
mod tests;
mod url;
mod values;
mod variable;
mod write;

pub use export::{Exported, ExportedArray, Reference, References};
pub use options::{Join, ReferenceOptions};
pub use url::ReferencedFile;
