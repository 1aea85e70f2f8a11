//! Parts of a tree read into values of Rust types, and written from them, by the crate `serde`.

mod deserialize;
mod serialize;
mod tagged;

pub use tagged::Tagged;

use crate::error::{Error, Status};
use std::fmt::Display;

/// Nesting depth of values. A value is read and written by recursion, so this bounds the stack, too.
const MAX_DEPTH: u32 = 255;

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
    Error::new(Status::Unsupported, "bytes are read and written by Node::binary and Node::set_binary, not by serde")
}
