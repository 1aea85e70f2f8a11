//! Reads ASDF files where they are: on web servers and in object stores.
//!
//! A shared library of its own, `libasdfkit_remote`, so that the core stays free of networks. It calls the loaded core
//! through the public C interface. `include/asdf_remote.h` declares its functions.

mod cache;
mod core;
mod disk;
mod exports;
mod failure;
mod object;
mod runtime;
mod settings;
mod statistics;
mod store;
