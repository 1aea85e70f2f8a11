//! Decompresses consecutive bzip2 streams while they are read. Zero bytes between and after streams are padding.

use super::skip_padding;
use crate::codec::memory::created;
use std::io::{BufRead, Error, ErrorKind, Read, Result};

/// Reader of the decompressed bytes of all streams.
pub(super) struct Bzip2Reader<R> {
    stored: R,
    /// Decoder of the current stream; `None` between streams.
    stream: Option<bzip2::Decompress>,
}

impl<R: BufRead> Bzip2Reader<R> {
    pub(super) fn new(stored: R) -> Bzip2Reader<R> {
        Bzip2Reader { stored, stream: None }
    }
}

impl<R: BufRead> Read for Bzip2Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while !buffer.is_empty() {
            if self.stream.is_none() && skip_padding(&mut self.stored)? {
                break;
            }
            let bytes = self.stored.fill_buf()?;
            let at_end = bytes.is_empty();
            let stream = match &mut self.stream {
                Some(stream) => stream,
                None => {
                    let stream = created("bzip2", || bzip2::Decompress::new(false)).map_err(Error::other)?;
                    self.stream.insert(stream)
                }
            };
            let before = (stream.total_in(), stream.total_out());
            // The library counts in 32 bits.
            let most = buffer.len().min(1 << 30);
            let status = stream.decompress(bytes, buffer.get_mut(..most).unwrap_or_default());
            let taken = (stream.total_in() - before.0) as usize;
            let made = (stream.total_out() - before.1) as usize;
            self.stored.consume(taken);
            match status.map_err(Error::other)? {
                bzip2::Status::MemNeeded => return Err(ErrorKind::OutOfMemory.into()),
                bzip2::Status::StreamEnd => self.stream = None,
                _ if at_end && made == 0 => return Err(ErrorKind::UnexpectedEof.into()),
                _ => {}
            }
            if made > 0 {
                return Ok(made);
            }
        }
        Ok(0)
    }
}
