//! Options that only Blosc has: the codec inside of it, the filter, the size of an element.

use crate::error::{Error, Result, Status};
use std::str::FromStr;

/// Options of Blosc. What is `None` has its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BloscOptions {
    /// Codec that compresses the filtered bytes; LZ4 by default.
    pub codec: Option<BloscCodec>,
    /// Filter before compression; bytes are shuffled by default.
    pub shuffle: Option<Shuffle>,
    /// Size in bytes of the elements that are shuffled; that of an element of the array by default.
    pub type_size: Option<u8>,
}

/// Codec inside of a Blosc chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BloscCodec {
    /// LZ4, the fastest.
    Lz4,
    /// zlib.
    Zlib,
    /// Zstandard; needs the cargo feature `zstd`.
    Zstd,
}

/// Filter of a Blosc chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shuffle {
    /// None.
    None,
    /// The first bytes of all elements come first, then all second bytes, and so on.
    Byte,
    /// The same with bits.
    Bit,
}

impl BloscCodec {
    /// All codecs, in the order of their numbers in a chunk.
    pub const ALL: [BloscCodec; 3] = [BloscCodec::Lz4, BloscCodec::Zlib, BloscCodec::Zstd];

    /// Returns the name that Blosc has for the codec.
    pub fn name(self) -> &'static str {
        match self {
            BloscCodec::Lz4 => "lz4",
            BloscCodec::Zlib => "zlib",
            BloscCodec::Zstd => "zstd",
        }
    }
}

impl FromStr for BloscCodec {
    type Err = Error;

    /// Returns the codec with this name. Fails with [`Status::UnknownCodec`] if it is not in this build, and with
    /// [`Status::InvalidArgument`] for an unknown name.
    fn from_str(name: &str) -> Result<BloscCodec> {
        match BloscCodec::ALL.into_iter().find(|codec| codec.name() == name) {
            Some(BloscCodec::Zstd) if !cfg!(feature = "zstd") => Err(Error::new(
                Status::UnknownCodec,
                "the codec 'zstd' is not in this build: it needs the cargo feature 'zstd'",
            )),
            Some(codec) => Ok(codec),
            None => {
                let names = BloscCodec::ALL.map(BloscCodec::name).join(", ");
                let message = format!("Blosc has no codec {name:?} here; the codecs are {names}");
                Err(Error::new(Status::InvalidArgument, message))
            }
        }
    }
}
