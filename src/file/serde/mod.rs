//! Conversion between parts of a tree and values of Rust types, with the crate `serde`.

mod deserialize;
mod serialize;
mod tagged;

pub use tagged::Tagged;

use crate::error::{Error, Status};
use crate::limits::Limits;
use std::fmt::Display;

/// Maximum nesting depth of values. Values are read and written by recursion, so this also bounds the stack.
const MAX_DEPTH: u32 = Limits::USUAL_DEPTH;

impl ::serde::de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(Status::WrongType, message.to_string())
    }
}

impl ::serde::ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(Status::InvalidArgument, message.to_string())
    }
}

fn no_bytes() -> Error {
    Error::new(Status::Unsupported, "serde cannot read or write bytes here; use Node::binary and Node::set_binary")
}
