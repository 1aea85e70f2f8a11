//! Outcome of decoding a whole payload.

use super::input::Input;
use crate::error::{Error, Status, Warning};

/// Oddities of a fully decoded payload, which a reader may want to warn about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Bytes inside `used_size` after the end of the compressed data.
    pub trailing_bytes: u64,
    /// The label says `lz4`, but the payload is an LZ4 frame and not a sequence of chunks.
    pub lz4_frame: bool,
}

impl Outcome {
    /// Outcome of a payload with `trailing_bytes` after the compressed data and no other oddity.
    pub(super) fn of_trailing(trailing_bytes: u64) -> Outcome {
        Outcome { trailing_bytes, lz4_frame: false }
    }

    /// Warnings about the payload, which begins at byte `offset` of the file.
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
