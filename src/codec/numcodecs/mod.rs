//! Codecs of zarr chunks, in the formats of numcodecs: compressors and the filters before them.
//!
//! A [`Pipeline`] encodes and decodes one chunk in memory. The decoded size of every stage follows from the size of the
//! chunk, so no stage makes more bytes than the chunk has.

mod choice;
mod delta;
mod shuffle;
mod stage;

pub use self::choice::{ChunkCodecs, ChunkCompressor, ChunkFilter};
pub(crate) use self::delta::{Delta, Number};
pub(crate) use self::stage::{Setting, Settings, Stage, block_to_json};
use crate::error::{Error, Result, Status};

/// The steps of encoding a chunk, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pipeline(Vec<Stage>);

impl Pipeline {
    /// Creates a pipeline. Fails with [`Status::Unsupported`] if a stage follows a compressor: the number of its bytes
    /// would be unknown.
    pub(crate) fn new(stages: Vec<Stage>) -> Result<Pipeline> {
        let filters = stages.split_last().map_or(&[][..], |(_, filters)| filters);
        if filters.iter().any(|stage| matches!(stage.encoded_size(0), Ok(None))) {
            let message = "chunks with a filter or a second compressor after a compressor are not supported";
            return Err(Error::new(Status::Unsupported, message));
        }
        Ok(Pipeline(stages))
    }

    /// Returns true if the stored bytes are the chunk itself.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The steps, in the order of encoding.
    pub(crate) fn stages(&self) -> &[Stage] {
        &self.0
    }

    /// Returns whether the last step is a compressor.
    pub(crate) fn is_compressed(&self) -> bool {
        self.0.last().is_some_and(Stage::is_compressor)
    }

    /// Encodes a chunk. Fails with [`Status::Unsupported`] if elements of a filter do not fill the chunk, and with
    /// [`Status::Conversion`] if a filter would lose digits.
    pub(crate) fn encode(&self, chunk: Vec<u8>, threads: usize) -> Result<Vec<u8>> {
        self.0.iter().try_fold(chunk, |bytes, stage| stage.encode(bytes, threads))
    }

    /// Decodes a chunk of `size` bytes. Fails with [`Status::DecodedSize`] if the bytes decode to more or fewer, and
    /// with [`Status::Corrupt`] or [`Status::Truncated`] for damaged bytes.
    pub(crate) fn decode(&self, stored: Vec<u8>, size: u64) -> Result<Vec<u8>> {
        let mut sizes = Vec::with_capacity(self.0.len());
        let mut next = Some(size);
        for stage in &self.0 {
            let size = next.ok_or_else(|| Error::new(Status::Internal, "the size of a filtered chunk is unknown"))?;
            sizes.push(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?);
            next = stage.encoded_size(size)?;
        }
        if let Some(size) = next {
            check_size(stored.len() as u64, size)?;
        }
        self.0.iter().zip(sizes).rev().try_fold(stored, |bytes, (stage, size)| stage.decode(bytes, size))
    }
}

/// Fails with [`Status::DecodedSize`] unless a chunk has the size that its metadata declare.
pub(crate) fn check_size(size: u64, declared: u64) -> Result<()> {
    if size == declared {
        return Ok(());
    }
    let message = format!("the chunk has {size} bytes, but its shape and datatype need {declared}");
    Err(Error::new(Status::DecodedSize, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    fn pipeline(stages: Vec<Stage>) -> Pipeline {
        Pipeline::new(stages).unwrap()
    }

    fn compressor(name: &str) -> Result<Stage> {
        Stage::compressor(name, &Settings { item_size: 4, ..Settings::default() })
    }

    #[test]
    fn other_gzip_members_and_lz4_blocks_are_decoded() {
        let bytes: Vec<u8> = (0..5000_u32).flat_map(|number| (number / 3).to_le_bytes()).collect();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&bytes).unwrap();
        let gzipped = pipeline(vec![Stage::Gzip(6)]).decode(encoder.finish().unwrap(), 20_000).unwrap();
        let prepended = lz4_flex::block::compress_prepend_size(&bytes);
        assert_eq!((gzipped, pipeline(vec![Stage::Lz4]).decode(prepended, 20_000).unwrap()), (bytes.clone(), bytes));
    }

    #[test]
    fn what_is_encoded_is_decoded_by_others() {
        let bytes: Vec<u8> = (0..5000_u32).flat_map(|number| (number / 3).to_le_bytes()).collect();
        let mut read = Vec::new();
        let gzipped = pipeline(vec![Stage::Gzip(9)]).encode(bytes.clone(), 2).unwrap();
        flate2::read::GzDecoder::new(&gzipped[..]).read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
        let lz4 = pipeline(vec![Stage::Lz4]).encode(bytes.clone(), 1).unwrap();
        assert_eq!(lz4_flex::block::decompress_size_prepended(&lz4).unwrap(), bytes);
    }

    #[test]
    fn compressors_decode_to_the_exact_size() {
        let bytes: Vec<u8> = (0..1000_u32).flat_map(|number| (number / 3).to_le_bytes()).collect();
        for name in ["zlib", "gzip", "bz2", "lz4", "zstd", "blosc"] {
            let Ok(stage) = compressor(name) else { continue };
            let pipeline = pipeline(vec![Stage::Shuffle(4), stage]);
            let stored = pipeline.encode(bytes.clone(), 1).unwrap();
            assert_eq!(pipeline.encode(bytes.clone(), 3).unwrap(), stored);
            assert_eq!(pipeline.decode(stored.clone(), 4000).unwrap(), bytes, "{name}");
            for size in [0, 3999, 4001, 1 << 40] {
                let error = pipeline.decode(stored.clone(), size).unwrap_err();
                let expected = [Status::DecodedSize, Status::Corrupt, Status::Truncated];
                let is_too_large = usize::try_from(size).is_err() && error.status() == Status::OutOfMemory;
                assert!(is_too_large || expected.contains(&error.status()), "{name} {size}: {error}");
            }
            assert!(pipeline.decode(stored[..stored.len() / 2].to_vec(), 4000).is_err(), "{name}");
            assert!(pipeline.decode(Vec::new(), 4000).is_err(), "{name}");
        }
        let error = compressor("vlen-utf8").unwrap_err();
        assert_eq!(error.status(), Status::UnknownCodec);
        assert_eq!(error.message(), "the codec 'vlen-utf8' of zarr is not supported");
    }

    #[test]
    fn sizes_of_filters_are_checked() {
        let empty = Pipeline::default();
        assert!(empty.is_empty() && !pipeline(vec![Stage::Shuffle(4)]).is_empty());
        assert_eq!(empty.decode(vec![1, 2], 2).unwrap(), [1, 2]);
        assert_eq!(empty.decode(vec![1, 2], 3).unwrap_err().status(), Status::DecodedSize);
        let shuffled = pipeline(vec![Stage::Shuffle(2)]);
        assert_eq!(shuffled.decode(vec![1, 2, 3, 4], 4).unwrap(), [1, 3, 2, 4]);
        assert_eq!(shuffled.encode(vec![1, 3, 2, 4], 1).unwrap(), [1, 2, 3, 4]);
        assert_eq!(shuffled.encode(vec![1, 3, 2], 1).unwrap_err().status(), Status::Unsupported);
        assert_eq!(shuffled.decode(vec![1, 2, 3], 4).unwrap_err().status(), Status::DecodedSize);
        let refused = Pipeline::new(vec![Stage::Gzip(6), Stage::Shuffle(2)]).unwrap_err();
        assert_eq!(refused.status(), Status::Unsupported);
    }
}
