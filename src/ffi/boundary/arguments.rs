//! Numbers that arguments are, checked in one way by all functions.

use crate::error::{Error, Result, Status};

pub(crate) fn unknown_number(constants: &str, number: i32) -> Error {
    Error::new(Status::InvalidArgument, format!("{number} is none of {constants}..."))
}

/// The element of a list at an index of the caller.
pub(crate) fn element<'a, T>(list: &'a [T], index: i64, what: &str) -> Result<&'a T> {
    usize::try_from(index)
        .ok()
        .and_then(|index| list.get(index))
        .ok_or_else(|| Error::new(Status::OutOfRange, format!("there is no {what} {index} among {}", list.len())))
}
