//! The core: the library `libasdfkit` that the process has loaded, called through its public C interface.
//!
//! This library holds no part of the core, and links to none. So a process has one core and one kind of handle.

mod functions;
mod load;

pub(crate) use functions::{Close, Handle, ReadRanges, Status};
pub(crate) use load::{core, load, load_message};
