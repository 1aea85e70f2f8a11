//! Access to the decoded bytes of a payload by position.

use crate::codec::Decoder;
use crate::error::{Error, Result, Status};
use crate::source::Source;

/// Access to the decoded bytes of a payload by position. The caller must have checked that the bytes exist.
pub(crate) trait Fetch {
    /// Fills `buffer` with the bytes from `position` on.
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()>;

    /// Returns `size` bytes from `position` on if they are in memory already, so that no copy is needed.
    fn borrow(&self, position: u64, size: usize) -> Option<&[u8]> {
        let _ = (position, size);
        None
    }

    /// Returns the source of the bytes, and the offset of the first byte in it, if the caller's own type reads them. It
    /// may ask for many ranges at once.
    fn callers_source(&self) -> Option<(&dyn Source, u64)> {
        None
    }
}

/// Bytes in memory.
pub(crate) struct Memory<'a>(pub(crate) &'a [u8]);

impl Fetch for Memory<'_> {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        let bytes = usize::try_from(position).ok().and_then(|position| self.0.get(position..)?.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or_else(|| Error::new(Status::Internal, "an array lies outside its bytes"))?);
        Ok(())
    }

    fn borrow(&self, position: u64, size: usize) -> Option<&[u8]> {
        self.0.get(usize::try_from(position).ok()?..)?.get(..size)
    }
}

/// Bytes decoded on demand; positions must increase.
pub(crate) struct Forward<'a> {
    pub(crate) decoder: Decoder<'a>,
    pub(crate) position: u64,
}

impl Fetch for Forward<'_> {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        let skipped = position.checked_sub(self.position);
        self.decoder
            .skip(skipped.ok_or_else(|| Error::new(Status::Internal, "compressed bytes cannot be read backwards"))?)?;
        let mut done = 0;
        while done < buffer.len() {
            match self.decoder.read(&mut buffer[done..])? {
                0 => return Err(Error::new(Status::Internal, "an array lies outside its bytes")),
                count => done += count,
            }
        }
        self.position = position + buffer.len() as u64;
        Ok(())
    }
}
