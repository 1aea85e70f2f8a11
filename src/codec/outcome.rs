//! Outcome of decoding a whole payload.

use super::input::Input;
use crate::error::{Error, Status, Warning};

/// Irregularities of a fully decoded payload, for warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Number of bytes inside `used_size` after the end of the compressed data.
    pub trailing_bytes: u64,
    /// True if the label is `lz4` but the payload is an LZ4 frame and not a sequence of chunks.
    pub lz4_frame: bool,
}

impl Outcome {
    /// Creates the outcome of a payload with `trailing_bytes` after the compressed data and no other irregularity.
    pub(super) fn of_trailing(trailing_bytes: u64) -> Outcome {
        Outcome { trailing_bytes, lz4_frame: false }
    }

    /// Returns warnings about the payload, which begins at byte `offset` of the file.
    pub fn warnings(&self, offset: u64) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.trailing_bytes > 0 {
            let message = format!("{} bytes after the compressed data are ignored", self.trailing_bytes);
            warnings.push(Warning::new(message).at_offset(offset));
        }
        if self.lz4_frame {
            let message = "the block has the label lz4 but contains an LZ4 frame, which few readers accept";
            warnings.push(Warning::new(message).at_offset(offset));
        }
        warnings
    }
}

/// Returns the error for data that end before the declared size is reached.
pub(super) fn too_few(produced: u64, declared: u64, input: &Input<'_>) -> Error {
    let message = format!("the block decodes to {produced} bytes, but {declared} are declared");
    Error::new(Status::DecodedSize, message).at_offset(input.position())
}
