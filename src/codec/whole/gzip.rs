//! Decompresses consecutive gzip members while they are read. Zero bytes between and after members are padding.

use super::skip_padding;
use crate::codec::memory::created;
use crate::error::Result as Created;
use flate2::bufread::GzDecoder;
use std::io::{BufRead, Error, Read, Result};

/// Reader of the decompressed bytes of all members.
pub(super) struct GzipReader<R> {
    /// Decoder of the current member; `None` at the end.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipReader<R> {
    pub(super) fn new(stored: R) -> Created<GzipReader<R>> {
        Ok(GzipReader { member: Some(begin(stored)?) })
    }
}

fn begin<R: BufRead>(stored: R) -> Created<GzDecoder<R>> {
    created("zlib", || GzDecoder::new(stored))
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut stored = match self.member.take() {
                Some(member) => member.into_inner(),
                None => break,
            };
            if !skip_padding(&mut stored)? {
                self.member = Some(begin(stored).map_err(Error::other)?);
            }
        }
        Ok(0)
    }
}
