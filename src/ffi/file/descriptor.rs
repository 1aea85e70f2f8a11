//! File descriptors of the program.

use crate::error::{Error, Result, Status};

/// Duplicates a descriptor, so that the program keeps its own.
#[cfg(unix)]
pub(super) fn duplicate(descriptor: i32) -> Result<std::fs::File> {
    use std::os::fd::BorrowedFd;
    if descriptor < 0 {
        let message = format!("{descriptor} is not a file descriptor; pass one that is 0 or more");
        return Err(Error::new(Status::InvalidArgument, message));
    }
    // SAFETY: not -1. It is only used for a duplication, which fails if the descriptor is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let owned = borrowed.try_clone_to_owned();
    owned.map(std::fs::File::from).map_err(|error| Error::io("cannot duplicate the file descriptor", &error))
}

/// Other systems have no such descriptors.
#[cfg(not(unix))]
pub(super) fn duplicate(_: i32) -> Result<std::fs::File> {
    Err(Error::new(Status::Unsupported, "file descriptors are not supported on this system; open the file by name"))
}
