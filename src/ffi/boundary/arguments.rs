//! Numbers that arguments are, checked in one way by all functions.

use crate::error::{Error, Result, Status};

pub(crate) fn unknown_number(constants: &str, number: i32) -> Error {
    Error::new(Status::InvalidArgument, format!("{number} is none of {constants}..."))
}

/// A number of things that the caller gives.
pub(crate) fn count(number: i64, argument: &str) -> Result<usize> {
    usize::try_from(number).map_err(|_| not_a_count(number, argument))
}

/// A number of bytes of a file, which may be more than memory holds.
pub(crate) fn file_size(number: i64, argument: &str) -> Result<u64> {
    u64::try_from(number).map_err(|_| not_a_count(number, argument))
}

fn not_a_count(number: i64, argument: &str) -> Error {
    Error::new(Status::InvalidArgument, format!("the argument '{argument}' is {number}, which counts nothing"))
}

/// The element of a list at an index of the caller.
pub(crate) fn element<'a, T>(list: &'a [T], index: i64, what: &str) -> Result<&'a T> {
    usize::try_from(index)
        .ok()
        .and_then(|index| list.get(index))
        .ok_or_else(|| Error::new(Status::OutOfRange, format!("there is no {what} {index} among {}", list.len())))
}
