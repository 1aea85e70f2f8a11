//! Decompresses consecutive Zstandard frames while they are read.

use crate::codec::zstd::is_no_memory;
use std::io::{BufRead, Error, ErrorKind, Read, Result};
use zstd_safe::{DCtx, InBuffer, OutBuffer};

/// Reader of the decompressed bytes of all frames. Windows larger than 128 MiB are refused, as in other decoders.
pub(super) struct ZstdReader<R> {
    stored: R,
    context: DCtx<'static>,
    /// True while a frame has begun and not ended.
    in_frame: bool,
}

impl<R: BufRead> ZstdReader<R> {
    /// Returns `None` if there is no memory for a decoder.
    pub(super) fn new(stored: R) -> Option<ZstdReader<R>> {
        Some(ZstdReader { stored, context: DCtx::try_create()?, in_frame: false })
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let mut output = OutBuffer::around(buffer);
        while output.pos() == 0 {
            let bytes = self.stored.fill_buf()?;
            let at_end = bytes.is_empty();
            if at_end && !self.in_frame {
                break;
            }
            let mut input = InBuffer::around(bytes);
            let missing = self.context.decompress_stream(&mut output, &mut input);
            let missing = missing.map_err(|code| match is_no_memory(code) {
                true => ErrorKind::OutOfMemory.into(),
                false => Error::other(zstd_safe::get_error_name(code)),
            })?;
            let taken = input.pos();
            self.stored.consume(taken);
            self.in_frame = missing != 0;
            if at_end && self.in_frame && output.pos() == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(output.pos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_one_another_and_end() {
        let frame = |text: &[u8]| {
            let mut out = vec![0; zstd_safe::compress_bound(text.len())];
            let size = zstd_safe::compress(&mut out[..], text, 3).unwrap();
            out.truncate(size);
            out
        };
        let stored = [frame(b"first, "), frame(b""), frame(b"second")].concat();
        for length in 1..20 {
            let mut reader = ZstdReader::new(std::io::BufReader::with_capacity(length, &stored[..])).unwrap();
            assert_eq!(reader.read(&mut []).unwrap(), 0);
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            assert_eq!(text, "first, second");
        }
        let mut reader = ZstdReader::new(&stored[..stored.len() - 1]).unwrap();
        let error = reader.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }
}
