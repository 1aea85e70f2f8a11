//! One step of encoding a chunk, and its configuration.

use super::{Delta, check_size, shuffle};
use crate::codec::any_codec::AnyCodec;
use crate::codec::blosc_options::{BloscOptions, Shuffle};
use crate::codec::compression::Compression;
use crate::codec::decoder::decode_into;
use crate::codec::encode::encode;
use crate::codec::memory::append;
use crate::codec::table::Codec;
use crate::codec::whole::FileCompression;
use crate::error::{Error, Result, Status};
use crate::source::{MemorySource, try_zeroed};
use std::io::{Cursor, Read};

/// Level of gzip unless another one is wanted: that of zlib.
const GZIP_LEVEL: u32 = 6;

/// A step of encoding a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// A codec whose stream is that of a block.
    Block(Compression),
    /// An LZ4 block after its decoded size, a little-endian u32.
    Lz4,
    /// One or more gzip members, written with this level.
    Gzip(u32),
    /// The bytes of elements of this size, sorted by their place in the element.
    Shuffle(usize),
    /// Differences of consecutive numbers.
    Delta(Delta),
}

/// Settings of a compressor in the metadata of an array. Decoding does not depend on them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Settings<'a> {
    pub(crate) level: Option<i64>,
    /// Codec inside of Blosc.
    pub(crate) inner: Option<&'a str>,
    /// Filter of Blosc.
    pub(crate) shuffle: Option<Shuffle>,
    /// Size of the elements.
    pub(crate) item_size: usize,
}

/// A value in the configuration of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Text(String),
    Number(i64),
}

impl Stage {
    /// Returns the compressor with this name of numcodecs. New chunks get its settings where this library has them, and
    /// its defaults otherwise.
    ///
    /// Fails with [`Status::UnknownCodec`] for another name, and for a codec that is not in this build.
    pub(crate) fn compressor(name: &str, settings: &Settings) -> Result<Stage> {
        let level = settings.level.and_then(|level| u32::try_from(level).ok());
        let block = |label: &str| {
            let codec = label.parse::<Codec>()?;
            let new = Compression::new(codec, level).or_else(|_| Compression::new(codec, None))?;
            let options = BloscOptions {
                codec: settings.inner.and_then(|name| name.parse().ok()),
                shuffle: settings.shuffle,
                type_size: None,
            };
            let new = if codec.takes_blosc_options() { new.with_blosc(options)? } else { new };
            Ok(Stage::Block(new.of_items(settings.item_size)))
        };
        match name {
            "zlib" => block("zlib"),
            "bz2" => block("bzp2"),
            "zstd" => block("zstd"),
            "blosc" => block("blsc"),
            "lz4" => Ok(Stage::Lz4),
            "gzip" => Ok(Stage::Gzip(level.filter(|level| *level <= 9).unwrap_or(GZIP_LEVEL))),
            _ => Err(Error::new(Status::UnknownCodec, format!("the codec '{name}' of zarr is not supported"))),
        }
    }

    /// Returns the codec of ASDF that has the same stream.
    pub(crate) fn codec(&self) -> Option<Codec> {
        match self {
            Stage::Block(compression) => match compression.codec() {
                AnyCodec::BuiltIn(codec) => Some(*codec),
                AnyCodec::Custom(_) => None,
            },
            // `Codec::Lz4` describes this form of a single chunk.
            Stage::Lz4 => Some(Codec::Lz4),
            Stage::Gzip(_) | Stage::Shuffle(_) | Stage::Delta(_) => None,
        }
    }

    /// Returns whether the step makes bytes of a number that depends on the data.
    pub(crate) fn is_compressor(&self) -> bool {
        matches!(self, Stage::Block(_) | Stage::Lz4 | Stage::Gzip(_))
    }

    /// Returns the configuration of the step as numcodecs has it, by key.
    ///
    /// Fails with [`Status::Unsupported`] for a codec that numcodecs does not have.
    pub(crate) fn configuration(&self) -> Result<Vec<(&'static str, Setting)>> {
        let text = |value: &str| Setting::Text(value.to_owned());
        let level = |level: u32| ("level", Setting::Number(level.into()));
        Ok(match self {
            Stage::Block(compression) => {
                let label = compression.codec().label().to_string();
                let of = |id: &str| Ok(vec![("id", text(id)), level(compression.level())]);
                return match label.as_str() {
                    "zlib" => of("zlib"),
                    "bzp2" => of("bz2"),
                    "zstd" => of("zstd"),
                    "blsc" => Ok(blosc_configuration(compression)),
                    "lz4" => Stage::Lz4.configuration(),
                    name => {
                        let message = format!("readers of zarr have no codec for '{name}'");
                        Err(Error::new(Status::Unsupported, message))
                    }
                };
            }
            Stage::Lz4 => vec![("id", text("lz4")), ("acceleration", Setting::Number(1))],
            Stage::Gzip(used) => vec![("id", text("gzip")), level(*used)],
            Stage::Shuffle(size) => vec![
                ("id", text("shuffle")),
                ("elementsize", Setting::Number(i64::try_from(*size).unwrap_or(i64::MAX))),
            ],
            Stage::Delta(delta) => {
                let [decoded, encoded] = delta.types().map(|number| Setting::Text(number.to_string()));
                vec![("id", text("delta")), ("dtype", decoded), ("astype", encoded)]
            }
        })
    }

    /// Returns the configuration of the step, a JSON object. No text in it needs an escape.
    pub(crate) fn to_json(&self) -> Result<String> {
        let pairs = self.configuration()?.into_iter().map(|(key, value)| match value {
            Setting::Text(text) => format!(r#""{key}":"{text}""#),
            Setting::Number(number) => format!(r#""{key}":{number}"#),
        });
        Ok(format!("{{{}}}", pairs.collect::<Vec<String>>().join(",")))
    }

    /// Returns the number of encoded bytes; `None` if it depends on the data.
    pub(super) fn encoded_size(&self, size: u64) -> Result<Option<u64>> {
        match self {
            Stage::Shuffle(_) => Ok(Some(size)),
            Stage::Delta(delta) => delta.encoded_size(size).map(Some),
            Stage::Block(_) | Stage::Lz4 | Stage::Gzip(_) => Ok(None),
        }
    }

    /// Encodes a chunk, or the bytes from the step before.
    pub(super) fn encode(&self, decoded: Vec<u8>, threads: usize) -> Result<Vec<u8>> {
        let mut encoded = Vec::new();
        match self {
            Stage::Block(compression) => encode(compression, &decoded, &mut encoded, threads)?,
            Stage::Lz4 => return encode_lz4(&decoded),
            Stage::Gzip(level) => return encode_gzip(&decoded, *level, threads),
            Stage::Shuffle(item) => return shuffle::encode(&decoded, *item),
            Stage::Delta(delta) => return delta.encode(&decoded),
        }
        Ok(encoded)
    }

    /// Decodes to exactly `size` bytes.
    pub(super) fn decode(&self, encoded: Vec<u8>, size: usize) -> Result<Vec<u8>> {
        match self {
            Stage::Block(compression) => decode_block(compression.codec(), encoded, size),
            Stage::Lz4 => decode_block(&AnyCodec::BuiltIn(Codec::Lz4), framed(encoded)?, size),
            Stage::Gzip(_) => decode_gzip(encoded, size),
            Stage::Shuffle(item) => shuffle::decode(&encoded, *item),
            Stage::Delta(delta) => delta.decode(&encoded, size),
        }
    }
}

fn blosc_configuration(compression: &Compression) -> Vec<(&'static str, Setting)> {
    let blosc = compression.blosc();
    let shuffle = match blosc.shuffle {
        Some(Shuffle::None) => 0,
        None | Some(Shuffle::Byte) => 1,
        Some(Shuffle::Bit) => 2,
    };
    vec![
        ("id", Setting::Text("blosc".to_owned())),
        ("cname", Setting::Text(blosc.codec.map_or("lz4", |codec| codec.name()).to_owned())),
        ("clevel", Setting::Number(compression.level().into())),
        ("shuffle", Setting::Number(shuffle)),
        ("blocksize", Setting::Number(0)),
    ]
}

/// Returns the configuration of the codec of a block, as [`Stage::to_json`] does.
pub(crate) fn block_to_json(codec: Codec) -> Result<String> {
    Stage::Block(Compression::new(codec, None)?).to_json()
}

fn decode_block(codec: &AnyCodec, encoded: Vec<u8>, size: usize) -> Result<Vec<u8>> {
    let used = encoded.len() as u64;
    codec.check_sizes(used, size as u64)?;
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

/// Returns an LZ4 block after its decoded size.
fn encode_lz4(decoded: &[u8]) -> Result<Vec<u8>> {
    let size = u32::try_from(decoded.len()).ok().filter(|size| *size <= i32::MAX as u32);
    let size = size.ok_or_else(|| {
        let message = format!("{} bytes do not fit in an LZ4 block, which is limited to 2 GiB", decoded.len());
        Error::new(Status::Unsupported, message)
    })?;
    let mut encoded = try_zeroed(4 + lz4_flex::block::get_maximum_output_size(decoded.len()))?;
    encoded[..4].copy_from_slice(&size.to_le_bytes());
    let used = lz4_flex::block::compress_into(decoded, &mut encoded[4..]);
    let used = used.map_err(|error| Error::new(Status::Internal, format!("compressing with lz4: {error}")))?;
    encoded.truncate(4 + used);
    encoded.shrink_to_fit();
    Ok(encoded)
}

/// Returns one gzip member: a zlib stream with another header and another checksum.
fn encode_gzip(decoded: &[u8], level: u32, threads: usize) -> Result<Vec<u8>> {
    let mut stream = Vec::new();
    encode(&Compression::new(Codec::Zlib, Some(level))?, decoded, &mut stream, threads)?;
    let deflated = stream.get(2..stream.len().saturating_sub(4)).unwrap_or_default();
    let mut checksum = flate2::Crc::new();
    decoded.chunks(1 << 30).for_each(|part| checksum.update(part));
    let mut encoded = Vec::new();
    // No name, no time, an unknown system.
    let header = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    // The field of the size holds its low 32 bits.
    let size = (decoded.len() as u64 as u32).to_le_bytes();
    append(&mut encoded, &[&header, deflated, &checksum.sum().to_le_bytes(), &size])?;
    Ok(encoded)
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
