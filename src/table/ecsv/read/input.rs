//! Input: the bytes of a table from first to last, decompressed if necessary.
//!
//! The first bytes determine the compression. The data are read piece by piece with little memory.

use crate::codec::FileCompression;
use crate::error::{Error, Result};
use crate::file::name_left;
use crate::progress::Counted;
use crate::source::{FileSource, MemorySource, SharedBytes, Source, SourceReader};
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

/// Number of compressed bytes that are read at a time.
const PIECE: usize = 128 * 1024;

/// Bytes of a table in order.
pub struct Input {
    name: Option<Arc<str>>,
    source: Arc<dyn Source>,
    reader: Box<dyn Read + Send>,
    compression: Option<FileCompression>,
    position: u64,
    /// True if carriage returns alone end the lines. They are then read as line feeds.
    has_carriage_returns: bool,
    /// First error. After it the decoder is not called again.
    failure: Option<Error>,
}

debug_by_name!(Input, "Input");

impl Input {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Input> {
        let path = path.as_ref();
        let name: Arc<str> = Arc::from(path.to_string_lossy());
        let opened = FileSource::open(path).and_then(|file| Input::of_source(Arc::new(file)));
        let mut input = opened.map_err(|error| name_left(path, error).in_file(&name))?;
        input.name = Some(name);
        Ok(input)
    }

    /// Makes an input of bytes in memory.
    pub fn of_memory(bytes: SharedBytes) -> Result<Input> {
        Input::of_source(Arc::new(MemorySource::new(bytes)))
    }

    /// Makes an input of any source.
    ///
    /// Fails with [`Status::UnknownCodec`](crate::Status::UnknownCodec) if this build does not support the compression.
    pub fn of_source(source: Arc<dyn Source>) -> Result<Input> {
        let mut first = [0; FileCompression::FIRST];
        let count = source.read_at(0, &mut first)?;
        let compression = FileCompression::of(first.get(..count).unwrap_or_default());
        // Readers look for a wish to end the call between records, where they can go on later.
        let stored = SourceReader::new(source.clone(), Some(Counted::Text));
        let reader: Box<dyn Read + Send> = match compression {
            None => Box::new(stored),
            Some(compression) => compression.reader(BufReader::with_capacity(PIECE, stored))?,
        };
        Ok(Input { name: None, source, reader, compression, position: 0, has_carriage_returns: false, failure: None })
    }

    /// Sets the name for messages.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> Input {
        Input { name: Some(name.into()), ..self }
    }

    /// Returns the name for messages. A file has its own.
    pub fn name(&self) -> Option<&Arc<str>> {
        self.name.as_ref()
    }

    /// Returns the number of bytes read so far, decompressed. Offsets in errors count the same bytes.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Reads carriage returns as line feeds from now on, also in `read`, which was read already.
    pub(super) fn end_lines_with_carriage_returns(&mut self, read: &mut [u8]) {
        self.has_carriage_returns = true;
        with_line_feeds(read);
    }

    /// Returns whether carriage returns are read as line feeds.
    pub(super) fn has_carriage_returns(&self) -> bool {
        self.has_carriage_returns
    }

    /// Returns the length of the source in bytes, compressed or not.
    pub fn stored_bytes(&self) -> u64 {
        self.source.len()
    }

    /// Returns whether the bytes are decompressed.
    pub(super) fn is_compressed(&self) -> bool {
        self.compression.is_some()
    }

    /// Returns the source of the bytes as they are stored.
    pub(super) fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Continues at another byte. The input must not be compressed.
    pub(super) fn seek(&mut self, offset: u64) {
        self.reader = Box::new(SourceReader::at(self.source.clone(), offset, Some(Counted::Text)));
        self.position = offset;
    }

    /// Reads into the start of `buffer`, which must not be empty, and returns the number of bytes read. 0 means the
    /// end: checksums were right, and the source did not detectably change meanwhile.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let read = self.read_next(buffer);
        self.failure = read.as_ref().err().cloned();
        read
    }

    /// Fails with [`Status::FileChanged`](crate::Status::FileChanged) if the source is known to have changed since it was
    /// opened.
    pub(crate) fn check_unchanged(&self) -> Result<()> {
        self.source.check_unchanged()
    }

    fn read_next(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Ok(0) if !buffer.is_empty() => return self.source.check_unchanged().map(|()| 0),
                Ok(count) => {
                    self.position += count as u64;
                    if self.has_carriage_returns {
                        with_line_feeds(buffer.get_mut(..count).unwrap_or_default());
                    }
                    return Ok(count);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let error = self.error_of(error);
                    return Err(self.source.check_unchanged().err().unwrap_or(error));
                }
            }
        }
    }

    /// Converts an error of a decoder: one of the source, passed through, or one of the compressed data.
    fn error_of(&self, error: std::io::Error) -> Error {
        error.downcast::<Error>().unwrap_or_else(|error| match self.compression {
            Some(compression) => compression.error_of(&error).at_offset(self.position),
            None => Error::io("cannot read", &error),
        })
    }
}

fn with_line_feeds(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use std::io::Write;

    fn all(bytes: Vec<u8>, piece: usize) -> Result<Vec<u8>> {
        let mut input = Input::of_memory(Arc::new(bytes))?;
        let (mut out, mut buffer) = (Vec::new(), vec![0; piece]);
        loop {
            match input.read(&mut buffer)? {
                0 => return Ok(out),
                count => out.extend_from_slice(&buffer[..count]),
            }
            assert_eq!(input.position(), out.len() as u64);
        }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[cfg(feature = "xz")]
    fn xz(bytes: &[u8]) -> Vec<u8> {
        let mut writer = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    #[cfg(feature = "zstd")]
    fn zstd(bytes: &[u8]) -> Vec<u8> {
        let mut out = vec![0; zstd_safe::compress_bound(bytes.len())];
        let count = zstd_safe::compress(&mut out[..], bytes, 1).unwrap();
        out.truncate(count);
        out
    }

    type Compress = fn(&[u8]) -> Vec<u8>;

    fn compressions() -> Vec<Compress> {
        vec![
            gzip,
            bzip2,
            #[cfg(feature = "xz")]
            xz,
            #[cfg(feature = "zstd")]
            zstd,
        ]
    }

    #[test]
    fn compressed_members_follow_one_another() {
        let text: Vec<u8> = (0..300_000_u32).map(|number| (number.wrapping_mul(number) % 251) as u8).collect();
        let (head, tail) = text.split_at(123_456);
        for compress in compressions().into_iter().chain([<[u8]>::to_vec as Compress]) {
            let stored = [compress(head), compress(tail)].concat();
            for piece in [1 << 20, 777] {
                assert!(all(stored.clone(), piece).unwrap() == text);
            }
        }
        assert_eq!(all(Vec::new(), 10).unwrap(), []);
    }

    #[test]
    fn zero_bytes_after_gzip_and_bzip2_data_are_padding() {
        let text = b"some text".repeat(50);
        for compress in [gzip, bzip2] {
            for padding in [1, 512, 300_000] {
                let zeros = vec![0; padding];
                let stored = [compress(&text), zeros.clone(), compress(b""), compress(&text), zeros].concat();
                assert!(all(stored.clone(), 4096).unwrap() == text.repeat(2));
                assert!(all([stored, b"junk".to_vec()].concat(), 4096).is_err());
            }
        }
    }

    #[test]
    fn damaged_and_shortened_data_are_errors() {
        let text = b"some text, some text, some text".repeat(100);
        for compress in compressions() {
            let stored = compress(&text);
            for end in 6..stored.len() {
                assert_eq!(all(stored[..end].to_vec(), 4096).unwrap_err().status(), Status::Truncated, "{end}");
            }
            let mut damaged = stored.clone();
            damaged[stored.len() / 2] ^= 0x40;
            assert_eq!(all(damaged, 4096).unwrap_err().status(), Status::Corrupt);
            assert!(all([stored, b"junk".to_vec()].concat(), 4096).is_err());
        }
    }

    #[test]
    fn inputs_have_names_and_see_changes() {
        let input = Input::of_memory(Arc::new(b"text".to_vec())).unwrap().with_name("table");
        assert_eq!((input.name().map(|name| &**name), input.is_compressed()), (Some("table"), false));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.ecsv.gz");
        std::fs::write(&path, gzip(b"text")).unwrap();
        let input = Input::open(&path).unwrap();
        assert_eq!((input.name().map(|name| &**name), input.is_compressed()), (path.to_str(), true));
        input.check_unchanged().unwrap();
        std::fs::write(&path, gzip(b"another text")).unwrap();
        assert_eq!(input.check_unchanged().unwrap_err().status(), Status::FileChanged);
    }

    #[test]
    fn errors_of_the_source_pass_through() {
        struct Failing;
        impl Source for Failing {
            fn len(&self) -> u64 {
                1 << 20
            }
            fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
                let start = gzip(b"text");
                if offset > 0 {
                    return Err(Error::new(Status::Callback, "no"));
                }
                let count = buffer.len().min(12);
                buffer[..count].copy_from_slice(&start[..count]);
                Ok(count)
            }
        }
        let mut input = Input::of_source(Arc::new(Failing)).unwrap();
        let error = std::iter::repeat_with(|| input.read(&mut [0; 64])).find_map(|read| read.err()).unwrap();
        assert_eq!(error.status(), Status::Callback);
    }
}
