//! Decoding of formats that are one long stream with its own checksum, such as zlib and bzip2.
//!
//! Their libraries accept input and output of any size, so the output is written directly to its destination.

use super::format::PayloadDecoder;
use super::input::Input;
use crate::error::{Error, Result, Status};

/// Result of one call of a library.
pub(super) struct Step {
    pub(super) consumed: usize,
    pub(super) produced: usize,
    pub(super) ended: bool,
}

/// Decoder of a library.
pub(super) trait StreamLibrary: Send {
    /// Decodes from the start of `stored` into the start of `output`.
    fn step(&mut self, stored: &[u8], output: &mut [u8]) -> Result<Step>;
}

/// A stream that is decoded in order. Only the first stream of a payload is decoded.
pub(super) struct Stream<L> {
    library: L,
    ended: bool,
}

impl<L> Stream<L> {
    pub(super) fn new(library: L) -> Stream<L> {
        Stream { library, ended: false }
    }
}

impl<L: StreamLibrary> PayloadDecoder for Stream<L> {
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        while !self.ended {
            let position = input.position();
            let stored = input.fill()?;
            let exhausted = stored.is_empty();
            let step = self.library.step(stored, output).map_err(|error| error.at_offset(position))?;
            input.consume(step.consumed);
            self.ended = step.ended;
            if step.produced > 0 {
                return Ok(step.produced);
            }
            if !step.ended && exhausted {
                return Err(input.ends_early());
            }
            if !step.ended && step.consumed == 0 {
                return Err(Error::new(Status::Corrupt, "the compressed data are invalid: decoding makes no progress")
                    .at_offset(position));
            }
        }
        Ok(0)
    }
}
