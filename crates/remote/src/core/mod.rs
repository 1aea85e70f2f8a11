//! The core: the library `libasdfkit` that the process has loaded, called through its public C interface.
//!
//! This library holds no part of the core, and links to none: `asdfkit-loader` finds it.

mod functions;
mod load;

pub(crate) use functions::{Close, Handle, ReadRanges, Status};
pub(crate) use load::{core, load, load_message};
