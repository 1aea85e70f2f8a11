//! Codecs of the caller: the interface that they implement, and their labels.
//!
//! A codec of the caller gets whole payloads only. The sizes are checked before each call, and the result after it.

use super::format::{EncoderOptions, Format, PayloadDecoder, PayloadEncoder};
use super::input::{Input, StoredBytes};
use super::label::Label;
use super::memory::try_resize;
use super::outcome::Outcome;
use super::table::Codec;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::progress::{self, Counted};
use std::fmt;
use std::sync::Arc;

/// A compression method that the caller provides.
///
/// May be called on several threads at once if files are used on several threads.
pub trait CustomCodec: Send + Sync {
    /// Decodes `stored` into `out` and returns the number of bytes written. The length of `out` is the size that the
    /// block header declares.
    ///
    /// Returns [`Status::Corrupt`] for damaged bytes. Both slices may be empty. `stored` comes from the file and must
    /// not be trusted.
    fn decode(&self, stored: &[u8], out: &mut [u8]) -> Result<usize>;

    /// Appends the payload for `data` to `out`. `data` is not empty.
    fn encode(&self, data: &[u8], out: &mut Vec<u8>) -> Result<()>;
}

/// A codec of the caller with its label.
#[derive(Clone)]
pub struct LabelledCodec {
    label: Label,
    codec: Arc<dyn CustomCodec>,
}

impl LabelledCodec {
    /// Creates a codec under a label of 1 to 4 printable ASCII characters.
    ///
    /// Fails with [`Status::InvalidArgument`] for other labels and for labels of codecs in this build.
    pub fn new(label: Label, codec: Arc<dyn CustomCodec>) -> Result<LabelledCodec> {
        let name = label.name();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_graphic()) || Label::of_name(name) != label {
            let message = format!("'{label}' is not a valid label: 1 to 4 printable ASCII characters are needed");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        if Codec::ALL.iter().any(|codec| codec.label() == label) {
            let message = format!("the label '{label}' belongs to a codec of the library");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(LabelledCodec { label, codec })
    }

    /// The label to store in the block header.
    pub fn label(&self) -> Label {
        self.label
    }

    /// Decodes the whole payload of `input` into `out`. Allocates memory for all stored bytes.
    fn decode(&self, input: &mut Input<'_>, out: &mut [u8]) -> Result<()> {
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
}

impl Format for LabelledCodec {
    fn name(&self) -> &str {
        self.label.name()
    }

    /// Returns no limit: the compression ratios of the caller's codecs are not known.
    fn largest_decoded_size(&self, _used_size: u64) -> u64 {
        u64::MAX
    }

    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        if data_size > buffer_limit {
            return Err(Limit::DecodedBytes
                .exceeded("memory for decoded block bytes", buffer_limit)
                .at_offset(input.position()));
        }
        let mut decoded = Vec::new();
        self.decode(input, try_resize(&mut decoded, data_size)?)?;
        Ok(Box::new(Decoded { bytes: decoded, handed_out: 0 }))
    }

    fn decode_at_once(&self, stored: StoredBytes<'_>, output: &mut [u8], _threads: usize) -> Result<Option<Outcome>> {
        self.decode(&mut stored.input()?, output)?;
        progress::advance(Counted::Elements, output.len() as u64)?;
        Ok(Some(Outcome::of_trailing(0)))
    }

    fn takes_pieces(&self) -> bool {
        false
    }

    fn encoder(&self, _options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        Ok(Box::new(self.clone()))
    }
}

impl PayloadEncoder for LabelledCodec {
    fn unit(&self) -> usize {
        usize::MAX
    }

    fn encode(&mut self, data: &[u8], _last: bool, out: &mut Vec<u8>) -> Result<()> {
        self.codec.encode(data, out)
    }
}

/// A decoded payload. `handed_out` counts the bytes that were returned.
struct Decoded {
    bytes: Vec<u8>,
    handed_out: usize,
}

impl PayloadDecoder for Decoded {
    fn read(&mut self, _input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        let waiting = self.bytes.get(self.handed_out..).unwrap_or_default();
        let count = waiting.len().min(output.len());
        output[..count].copy_from_slice(&waiting[..count]);
        self.handed_out += count;
        Ok(count)
    }
}

/// Two are equal if they have the same label and share the same codec.
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
