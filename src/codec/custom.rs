//! Codecs that the caller brings: what they must do, and under which labels they are found.
//!
//! A codec of the caller is given whole payloads only. How large they may be is checked before it is called, and what it
//! gave afterwards.

use super::input::Input;
use super::{Codec, Label};
use crate::error::{Error, Result, Status};
use std::fmt;
use std::sync::Arc;

/// A way of compressing payloads that the caller brings.
///
/// It may be called on several threads at once if files are.
pub trait CustomCodec: Send + Sync {
    /// Decodes `stored` into `out`, whose length is the size that the block declares, and tells how many bytes it gave.
    ///
    /// Damaged bytes are [`Status::Corrupt`]. Both slices may be empty, and everything about `stored` may be hostile.
    fn decode(&self, stored: &[u8], out: &mut [u8]) -> Result<usize>;

    /// Appends the payload for `data`, which are not empty, to `out`.
    fn encode(&self, data: &[u8], out: &mut Vec<u8>) -> Result<()>;
}

/// A codec of the caller's under its label.
#[derive(Clone)]
pub struct LabelledCodec {
    label: Label,
    codec: Arc<dyn CustomCodec>,
}

impl LabelledCodec {
    /// A codec under a label of printable ASCII characters.
    ///
    /// Fails with [`Status::InvalidArgument`] for other labels and those of the codecs that this build has.
    pub fn new(label: Label, codec: Arc<dyn CustomCodec>) -> Result<LabelledCodec> {
        let length = label.0.iter().position(|&byte| byte == 0).unwrap_or(label.0.len());
        let (text, padding) = label.0.split_at(length);
        if text.is_empty() || !text.iter().all(u8::is_ascii_graphic) || padding.iter().any(|&byte| byte != 0) {
            let message = format!("'{label}' is no label: it has 1 to 4 printable ASCII characters");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        if Codec::ALL.iter().any(|codec| codec.label() == label) {
            let message = format!("the library itself has the codec '{label}'");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(LabelledCodec { label, codec })
    }

    /// The label to store in the block header.
    pub fn label(&self) -> Label {
        self.label
    }

    /// Decodes the whole payload that `input` holds into `out`, which takes memory for all stored bytes.
    pub(super) fn decode(&self, input: &mut Input<'_>, out: &mut [u8]) -> Result<()> {
        let position = input.position();
        let mut scratch = Vec::new();
        let stored = input.take_slice(input.remaining(), &mut scratch)?;
        let declared = out.len();
        let count = self.codec.decode(stored, out).map_err(|error| error.at_offset(position))?;
        if count != declared {
            let label = self.label;
            let message =
                format!("the codec '{label}' decodes the block to {count} bytes, but {declared} are declared");
            return Err(Error::new(Status::DecodedSize, message).at_offset(position));
        }
        Ok(())
    }

    pub(super) fn encode(&self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.codec.encode(data, out)
    }
}

/// The same codec under the same label.
impl PartialEq for LabelledCodec {
    fn eq(&self, other: &LabelledCodec) -> bool {
        self.label == other.label && Arc::ptr_eq(&self.codec, &other.codec)
    }
}

impl Eq for LabelledCodec {}

impl fmt::Debug for LabelledCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LabelledCodec({})", self.label)
    }
}

/// A codec of this library, or one that the caller brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyCodec {
    /// One of this library.
    BuiltIn(Codec),
    /// One of the caller's.
    Custom(LabelledCodec),
}

impl AnyCodec {
    /// The label to store in the block header.
    pub fn label(&self) -> Label {
        match self {
            AnyCodec::BuiltIn(codec) => codec.label(),
            AnyCodec::Custom(codec) => codec.label(),
        }
    }

    /// Fails with [`Status::DecodedSize`] if no payload of `used_size` stored bytes can decode to `data_size` bytes.
    /// What the caller's codecs can do is not known.
    pub fn check_sizes(&self, used_size: u64, data_size: u64) -> Result<()> {
        match self {
            AnyCodec::BuiltIn(codec) => codec.check_sizes(used_size, data_size),
            AnyCodec::Custom(_) => Ok(()),
        }
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

/// The codecs with which payloads can be decoded: those of this library and any that the caller adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codecs(Vec<LabelledCodec>);

impl Codecs {
    /// Adds a codec of the caller's, in place of an earlier one of the same label.
    pub fn add(&mut self, codec: LabelledCodec) {
        self.0.retain(|earlier| earlier.label != codec.label);
        self.0.push(codec);
    }

    /// The codec behind a label, or nothing for an uncompressed payload. Fails as [`Codec::from_label`] does.
    pub fn find(&self, label: Label) -> Result<Option<AnyCodec>> {
        match self.0.iter().find(|codec| codec.label == label) {
            Some(codec) => Ok(Some(AnyCodec::Custom(codec.clone()))),
            None => Ok(Codec::from_label(label)?.map(AnyCodec::BuiltIn)),
        }
    }
}
