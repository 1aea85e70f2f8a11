//! Built-in codecs and codecs of the caller under one type, with a lookup by label.

use super::chunk_index::ChunkIndex;
use super::custom::LabelledCodec;
use super::format::Format;
use super::input::StoredBytes;
use super::label::Label;
use super::table::Codec;
use crate::error::Result;
use crate::source::Source;

/// A built-in codec or a codec of the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyCodec {
    /// A codec of this library.
    BuiltIn(Codec),
    /// A codec of the caller.
    Custom(LabelledCodec),
}

impl AnyCodec {
    pub(super) fn format(&self) -> &dyn Format {
        match self {
            AnyCodec::BuiltIn(codec) => codec.format(),
            AnyCodec::Custom(codec) => codec,
        }
    }

    /// Returns the label to store in the block header.
    pub fn label(&self) -> Label {
        Label::of_name(self.format().name())
    }

    /// Fails with [`Status::DecodedSize`](crate::Status::DecodedSize) if no payload of `used_size` stored bytes can
    /// decode to `data_size` bytes.
    ///
    /// Codecs of the caller always pass, because their bounds are not known.
    pub fn check_sizes(&self, used_size: u64, data_size: u64) -> Result<()> {
        self.format().check_sizes(used_size, data_size)
    }

    /// Returns the largest size to which a payload of `used_size` stored bytes can decode.
    pub(crate) fn largest_decoded_size(&self, used_size: u64) -> u64 {
        self.format().largest_decoded_size(used_size)
    }

    /// Returns the codec of the format that the payload really has: `lz4f` for an LZ4 frame under the label `lz4`.
    ///
    /// Fails with [`Status::Truncated`](crate::Status::Truncated) if the source ends before the payload, or with an
    /// error of the source.
    pub(crate) fn of_payload(&self, source: &dyn Source, offset: u64, used_size: u64) -> Result<AnyCodec> {
        match self.format().actual_name(StoredBytes { source, offset, used_size })? {
            Some(name) => name.parse().map(AnyCodec::BuiltIn),
            None => Ok(self.clone()),
        }
    }

    /// Returns whether the `used_size` bytes at `offset` of `source` consist of chunks that can be decoded separately.
    ///
    /// Impossible sizes of chunks are errors, as in [`Decoder`](super::Decoder).
    pub(crate) fn is_chunked(&self, source: &dyn Source, offset: u64, used_size: u64, data_size: u64) -> Result<bool> {
        self.format().is_chunked(StoredBytes { source, offset, used_size }, data_size)
    }

    /// Finds the chunks of the `used_size` bytes at `offset` of `source`, which must decode to `data_size` bytes.
    ///
    /// Returns `None` if there are more than `most` chunks or if the payload is not in chunks. Impossible sizes are
    /// errors, as in [`Decoder`](super::Decoder).
    pub fn chunk_index(
        &self,
        source: &dyn Source,
        offset: u64,
        used_size: u64,
        data_size: u64,
        most: usize,
    ) -> Result<Option<ChunkIndex>> {
        self.format().chunk_index(StoredBytes { source, offset, used_size }, data_size, most)
    }
}

impl From<Codec> for AnyCodec {
    fn from(codec: Codec) -> AnyCodec {
        AnyCodec::BuiltIn(codec)
    }
}

impl From<&AnyCodec> for AnyCodec {
    fn from(codec: &AnyCodec) -> AnyCodec {
        codec.clone()
    }
}

/// The codecs that can decode payloads: the built-in ones and the codecs of the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codecs(Vec<LabelledCodec>);

impl Codecs {
    /// Adds a codec of the caller. It replaces an earlier codec with the same label.
    pub fn add(&mut self, codec: LabelledCodec) {
        self.0.retain(|earlier| earlier.label() != codec.label());
        self.0.push(codec);
    }

    /// Returns the codec with this label, or `None` for an uncompressed payload. Fails with
    /// [`Status::UnknownCodec`](crate::Status::UnknownCodec) for other labels.
    pub fn find(&self, label: Label) -> Result<Option<AnyCodec>> {
        match self.0.iter().find(|codec| codec.label() == label) {
            Some(codec) => Ok(Some(AnyCodec::Custom(codec.clone()))),
            None => Ok(Codec::from_label(label)?.map(AnyCodec::BuiltIn)),
        }
    }
}
