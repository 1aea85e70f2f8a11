//! Allocation of buffers whose sizes come from a file. Missing memory is an error, not an abort.

use crate::error::{Error, Result, Status};
use crate::reserve::room_for;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Resizes `buffer` to exactly `size` bytes. The memory is reused if it is large enough; the old content is lost.
pub(super) fn try_resize(buffer: &mut Vec<u8>, size: u64) -> Result<&mut [u8]> {
    let length = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
    if length > buffer.capacity() {
        buffer.clear();
        buffer.try_reserve_exact(length).map_err(|_| Error::out_of_memory(size))?;
    }
    buffer.resize(length, 0);
    Ok(buffer)
}

/// Calls a constructor of a library that panics if an allocation fails, and for no other reason.
pub(crate) fn created<T>(library: &str, make: impl FnOnce() -> T) -> Result<T> {
    // The captures of the constructor are dropped with it.
    catch_unwind(AssertUnwindSafe(make)).map_err(|_| no_memory(library))
}

/// Error for a failed allocation inside a library.
pub(crate) fn no_memory(library: &str) -> Error {
    Error::new(Status::OutOfMemory, format!("cannot allocate memory for {library}"))
}

/// Appends all parts in order.
pub(super) fn append(out: &mut Vec<u8>, parts: &[&[u8]]) -> Result<()> {
    room_for(out, parts.iter().map(|part| part.len()).sum())?;
    parts.iter().for_each(|part| out.extend_from_slice(part));
    Ok(())
}
