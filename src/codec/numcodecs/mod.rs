//! Codecs of zarr chunks, in the formats of numcodecs: compressors and the filters before them.
//!
//! A [`Pipeline`] decodes one chunk in memory. The decoded size of every stage follows from the size of the chunk, so no
//! stage makes more bytes than the chunk has.

mod delta;
mod shuffle;

pub(crate) use self::delta::{Delta, Number};
use super::decoder::decode_into;
use super::table::Codec;
use super::whole::FileCompression;
use crate::error::{Error, Result, Status};
use crate::source::{MemorySource, try_zeroed};
use std::io::{Cursor, Read};

/// A step of encoding a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A codec whose stream is that of a block.
    Block(Codec),
    /// An LZ4 block after its decoded size, a little-endian u32.
    Lz4,
    /// One or more gzip members.
    Gzip,
    /// The bytes of elements of this size, sorted by their place in the element.
    Shuffle(usize),
    /// Differences of consecutive numbers.
    Delta(Delta),
}

impl Stage {
    /// Returns the compressor with this name of numcodecs. Fails with [`Status::UnknownCodec`] for another name, and for
    /// a codec that is not in this build.
    pub(crate) fn compressor(name: &str) -> Result<Stage> {
        let block = |label: &str| label.parse().map(Stage::Block);
        match name {
            "zlib" => block("zlib"),
            "bz2" => block("bzp2"),
            "zstd" => block("zstd"),
            "blosc" => block("blsc"),
            "lz4" => Ok(Stage::Lz4),
            "gzip" => Ok(Stage::Gzip),
            _ => Err(Error::new(Status::UnknownCodec, format!("the codec '{name}' of zarr is not supported"))),
        }
    }

    /// Returns the codec of ASDF that has the same stream.
    pub(crate) fn codec(&self) -> Option<Codec> {
        match self {
            Stage::Block(codec) => Some(*codec),
            // `Codec::Lz4` describes this form of a single chunk.
            Stage::Lz4 => Some(Codec::Lz4),
            Stage::Gzip | Stage::Shuffle(_) | Stage::Delta(_) => None,
        }
    }

    /// Returns the configuration of the step as numcodecs has it, a JSON object. Readers need no more to decode.
    ///
    /// Fails with [`Status::Unsupported`] for a codec that numcodecs does not have.
    pub(crate) fn to_json(&self) -> Result<String> {
        Ok(match self {
            Stage::Block(codec) => return block_to_json(*codec),
            Stage::Lz4 => r#"{"id":"lz4","acceleration":1}"#.to_owned(),
            Stage::Gzip => r#"{"id":"gzip","level":5}"#.to_owned(),
            Stage::Shuffle(size) => format!(r#"{{"id":"shuffle","elementsize":{size}}}"#),
            Stage::Delta(delta) => {
                let [decoded, encoded] = delta.types();
                format!(r#"{{"id":"delta","dtype":"{decoded}","astype":"{encoded}"}}"#)
            }
        })
    }

    /// Returns the number of encoded bytes; `None` if it depends on the data.
    fn encoded_size(&self, size: u64) -> Result<Option<u64>> {
        match self {
            Stage::Shuffle(_) => Ok(Some(size)),
            Stage::Delta(delta) => delta.encoded_size(size).map(Some),
            Stage::Block(_) | Stage::Lz4 | Stage::Gzip => Ok(None),
        }
    }

    /// Decodes to exactly `size` bytes.
    fn decode(&self, encoded: Vec<u8>, size: usize) -> Result<Vec<u8>> {
        match self {
            Stage::Block(codec) => decode_block(*codec, encoded, size),
            Stage::Lz4 => decode_block(Codec::Lz4, framed(encoded)?, size),
            Stage::Gzip => decode_gzip(encoded, size),
            Stage::Shuffle(item) => shuffle::decode(&encoded, *item),
            Stage::Delta(delta) => delta.decode(&encoded, size),
        }
    }
}

/// Returns the configuration of the codec of a block, as [`Stage::to_json`] does.
pub(crate) fn block_to_json(codec: Codec) -> Result<String> {
    let configuration = match codec.name() {
        "zlib" => r#"{"id":"zlib","level":6}"#,
        "bzp2" => r#"{"id":"bz2","level":9}"#,
        "zstd" => r#"{"id":"zstd","level":3}"#,
        "blsc" => r#"{"id":"blosc","cname":"lz4","clevel":5,"shuffle":1,"blocksize":0}"#,
        "lz4" => r#"{"id":"lz4","acceleration":1}"#,
        name => {
            let message = format!("readers of zarr have no codec for '{name}'");
            return Err(Error::new(Status::Unsupported, message));
        }
    };
    Ok(configuration.to_owned())
}

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

fn decode_block(codec: Codec, encoded: Vec<u8>, size: usize) -> Result<Vec<u8>> {
    let used = encoded.len() as u64;
    codec.format().check_sizes(used, size as u64)?;
    let mut decoded = try_zeroed(size)?;
    decode_into(codec, &MemorySource::of_vec(encoded), 0, used, &mut decoded, 1)?;
    Ok(decoded)
}

/// Returns an LZ4 block in the framing of ASDF.
fn framed(block: Vec<u8>) -> Result<Vec<u8>> {
    let size = u32::try_from(block.len());
    let size = size.map_err(|_| Error::new(Status::Corrupt, "an LZ4 block is larger than 4 GiB"))?;
    let mut framed = Vec::new();
    framed.try_reserve_exact(block.len() + 4).map_err(|_| Error::out_of_memory(block.len() as u64))?;
    framed.extend_from_slice(&size.to_be_bytes());
    framed.extend_from_slice(&block);
    Ok(framed)
}

fn decode_gzip(encoded: Vec<u8>, size: usize) -> Result<Vec<u8>> {
    let largest = (encoded.len() as u64).saturating_mul(1040);
    if size as u64 > largest {
        return check_size(largest, size as u64).map(|()| Vec::new());
    }
    let mut reader = FileCompression::Gzip.reader(Cursor::new(encoded))?;
    let mut decoded = try_zeroed(size)?;
    let mut done = 0;
    let mut spare = [0];
    loop {
        let rest = decoded.get_mut(done..).filter(|rest| !rest.is_empty());
        let is_full = rest.is_none();
        let count = reader.read(rest.unwrap_or(&mut spare)).map_err(|error| FileCompression::Gzip.error_of(&error))?;
        match (count, is_full) {
            (0, true) => return Ok(decoded),
            (0, false) => return check_size(done as u64, size as u64).map(|()| Vec::new()),
            (_, true) => return check_size(size as u64 + 1, size as u64).map(|()| Vec::new()),
            (count, false) => done += count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{Compression, encode};
    use std::io::Write;

    fn pipeline(stages: Vec<Stage>) -> Pipeline {
        Pipeline::new(stages).unwrap()
    }

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn encoded(bytes: &[u8], name: &str) -> Vec<u8> {
        match Stage::compressor(name).unwrap() {
            Stage::Gzip => gzipped(bytes),
            Stage::Lz4 => lz4_flex::block::compress_prepend_size(bytes),
            Stage::Block(codec) => {
                let mut out = Vec::new();
                encode(&Compression::new(codec, None).unwrap(), bytes, &mut out, 1).unwrap();
                out
            }
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn compressors_decode_to_the_exact_size() {
        let bytes: Vec<u8> = (0..1000_u32).flat_map(|number| (number / 3).to_le_bytes()).collect();
        for name in ["zlib", "gzip", "bz2", "lz4", "zstd", "blosc"] {
            let Ok(stage) = Stage::compressor(name) else { continue };
            let pipeline = pipeline(vec![stage]);
            let stored = encoded(&bytes, name);
            assert_eq!(pipeline.decode(stored.clone(), 4000).unwrap(), bytes, "{name}");
            for size in [0, 3999, 4001, 1 << 40] {
                let error = pipeline.decode(stored.clone(), size).unwrap_err();
                let expected = [Status::DecodedSize, Status::Corrupt, Status::Truncated];
                assert!(expected.contains(&error.status()), "{name} {size}: {error}");
            }
            assert!(pipeline.decode(stored[..stored.len() / 2].to_vec(), 4000).is_err(), "{name}");
            assert!(pipeline.decode(Vec::new(), 4000).is_err(), "{name}");
        }
        let error = Stage::compressor("vlen-utf8").unwrap_err();
        assert_eq!(error.status(), Status::UnknownCodec);
        assert_eq!(error.message(), "the codec 'vlen-utf8' of zarr is not supported");
    }

    #[test]
    fn sizes_of_filters_are_checked() {
        let empty = Pipeline::default();
        assert_eq!(empty.decode(vec![1, 2], 2).unwrap(), [1, 2]);
        assert_eq!(empty.decode(vec![1, 2], 3).unwrap_err().status(), Status::DecodedSize);
        let shuffled = pipeline(vec![Stage::Shuffle(2)]);
        assert_eq!(shuffled.decode(vec![1, 2, 3, 4], 4).unwrap(), [1, 3, 2, 4]);
        assert_eq!(shuffled.decode(vec![1, 2, 3], 4).unwrap_err().status(), Status::DecodedSize);
        let refused = Pipeline::new(vec![Stage::Gzip, Stage::Shuffle(2)]).unwrap_err();
        assert_eq!(refused.status(), Status::Unsupported);
    }
}
