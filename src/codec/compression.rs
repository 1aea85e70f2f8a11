//! Choice of a codec, its level and the size of the elements.

use super::any_codec::AnyCodec;
use super::blosc_options::BloscOptions;
use super::custom::LabelledCodec;
use super::format::{EncoderOptions, Levels, PayloadEncoder};
use super::table::Codec;
use crate::error::{Error, Result, Status};

/// A codec with a valid level and the size of the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compression {
    codec: AnyCodec,
    level: u32,
    item_size: usize,
    blosc: BloscOptions,
}

impl Compression {
    /// Creates a compression with a built-in codec. LZ4 has no levels and takes only `None`.
    ///
    /// | codec | levels | default |
    /// |---|---|---|
    /// | zlib | 0–9 | 6 |
    /// | bzip2 | 1–9 | 9 |
    /// | Zstandard | 1–22; the highest take hundreds of megabytes of memory | 3 |
    /// | Blosc | 1–9, of its inner codec: of LZ4 all are the same; n of zlib; 2 n − 1 of Zstandard, 22 for 9 | 5 |
    /// | xz | 0–9 | 6 |
    ///
    /// Fails with [`Status::InvalidArgument`] for another level.
    pub fn new(codec: Codec, level: Option<u32>) -> Result<Compression> {
        let invalid = |message| Err(Error::new(Status::InvalidArgument, message));
        let name = codec.name();
        let level = match (codec.format().levels(), level) {
            (Some(Levels { default, .. }), None) => default,
            (Some(Levels { range, .. }), Some(level)) if range.contains(&level) => level,
            (Some(Levels { range, .. }), Some(level)) => {
                let (lowest, highest) = (range.start(), range.end());
                return invalid(format!(
                    "{name} has no compression level {level}; its levels are {lowest} to {highest}"
                ));
            }
            (None, None) => 0,
            (None, Some(_)) => return invalid(format!("{name} has no compression levels")),
        };
        Ok(Compression { codec: codec.into(), level, item_size: 1, blosc: BloscOptions::default() })
    }

    /// Creates a compression with a codec of the caller.
    pub fn custom(codec: LabelledCodec) -> Compression {
        Compression { codec: AnyCodec::Custom(codec), level: 0, item_size: 1, blosc: BloscOptions::default() }
    }

    /// Sets the size of an element in bytes; the default is 1. Blosc compresses better if the size is right.
    pub fn of_items(self, item_size: usize) -> Compression {
        Compression { item_size, ..self }
    }

    /// Sets the options of Blosc. Fails with [`Status::InvalidArgument`] if one is set for another codec.
    pub fn with_blosc(self, options: BloscOptions) -> Result<Compression> {
        if options != BloscOptions::default() && !self.codec.format().takes_blosc_options() {
            let name = self.codec.format().name();
            let message = format!("inner codec, shuffling and type size are options of blsc and bls2, not of {name}");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(Compression { blosc: options, ..self })
    }

    /// Returns the codec.
    pub fn codec(&self) -> &AnyCodec {
        &self.codec
    }

    /// Returns the level; 0 for a codec without levels.
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    /// Returns the options of Blosc.
    pub(crate) fn blosc(&self) -> &BloscOptions {
        &self.blosc
    }

    /// Returns whether an [`Encoder`](super::Encoder) can encode piece by piece. Otherwise all bytes must be in memory.
    pub fn takes_pieces(&self) -> bool {
        self.codec.format().takes_pieces()
    }

    /// Begins a payload on up to `threads` threads.
    pub(super) fn encoder(&self, data_size: Option<u64>, threads: usize) -> Result<Box<dyn PayloadEncoder>> {
        let Compression { level, item_size, blosc, .. } = *self;
        self.codec.format().encoder(&EncoderOptions { level, item_size, blosc, data_size, threads: threads.max(1) })
    }
}
