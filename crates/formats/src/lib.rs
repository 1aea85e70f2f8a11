//! Converts files of other formats to ASDF and back. The first one is FITS.
//!
//! A shared library of its own, `libasdfkit_formats`, so that the core stays free of other libraries. It calls the
//! loaded core through the public C interface. `include/asdf_formats.h` declares its functions.

mod core;
mod decoder;
mod element;
mod exports;
mod failure;
mod fits;
mod report;
mod to_asdf;
mod to_fits;
