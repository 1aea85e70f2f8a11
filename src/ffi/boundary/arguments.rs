//! Checks of numeric arguments, the same for all functions.

use crate::error::{Error, Result, Status};

pub(crate) fn unknown_number(constants: &str, number: i32) -> Error {
    Error::new(
        Status::InvalidArgument,
        format!("{number} is not a constant {constants}...; see the header for the allowed ones"),
    )
}

/// Checks a count that the caller passes.
pub(crate) fn count(number: i64, argument: &str) -> Result<usize> {
    usize::try_from(number).map_err(|_| not_a_count(number, argument))
}

/// Checks a size in a file, in bytes; it may exceed the size of memory.
pub(crate) fn file_size(number: i64, argument: &str) -> Result<u64> {
    u64::try_from(number).map_err(|_| not_a_count(number, argument))
}

fn not_a_count(number: i64, argument: &str) -> Error {
    Error::new(Status::InvalidArgument, format!("the argument '{argument}' is {number}, but must be 0 or more"))
}

/// Returns the element of a list at an index that the caller passes.
pub(crate) fn element<'a, T>(list: &'a [T], index: i64, what: &str) -> Result<&'a T> {
    usize::try_from(index).ok().and_then(|index| list.get(index)).ok_or_else(|| {
        Error::new(Status::OutOfRange, format!("{what} {index} does not exist: there are {}", list.len()))
    })
}
