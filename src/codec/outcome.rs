//! What the decoding of a whole payload found besides its data.

use super::input::Input;
use crate::error::{Error, Status, Warning};

/// What a fully decoded payload had besides its data; a reader may want to warn about either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Bytes inside `used_size` after the end of the compressed data.
    pub trailing_bytes: u64,
    /// The label says `lz4`, but the payload is an LZ4 frame and not a sequence of chunks.
    pub lz4_frame: bool,
}

impl Outcome {
    /// The outcome of a payload with so many bytes after the compressed data, and nothing else to say of it.
    pub(super) fn of_trailing(trailing_bytes: u64) -> Outcome {
        Outcome { trailing_bytes, lz4_frame: false }
    }

    /// What a reader should know of the payload, which begins at this byte of the file.
    pub fn warnings(&self, offset: u64) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.trailing_bytes > 0 {
            let message = format!("{} bytes after the compressed data are ignored", self.trailing_bytes);
            warnings.push(Warning::new(message).at_offset(offset));
        }
        if self.lz4_frame {
            let message = "the block is labelled lz4 but holds an LZ4 frame, which few readers accept";
            warnings.push(Warning::new(message).at_offset(offset));
        }
        warnings
    }
}

/// The error for data that end before the declared size is reached.
pub(super) fn too_few(produced: u64, declared: u64, input: &Input<'_>) -> Error {
    let message = format!("the block decodes to {produced} bytes, but {declared} are declared");
    Error::new(Status::DecodedSize, message).at_offset(input.position())
}
