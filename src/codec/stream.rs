//! Decoding of formats that are one long stream with its own checksum, as zlib and bzip2.
//!
//! Their libraries take any piece of input and output, so the output goes straight to its destination.

use super::format::PayloadDecoder;
use super::input::Input;
use crate::error::{Error, Result, Status};

/// What one call of a library did.
pub(super) struct Step {
    pub(super) consumed: usize,
    pub(super) produced: usize,
    pub(super) ended: bool,
}

/// The decoder of a library.
pub(super) trait StreamLibrary: Send {
    /// Decodes from the start of `stored` into the start of `output`.
    fn step(&mut self, stored: &[u8], output: &mut [u8]) -> Result<Step>;
}

/// A stream being decoded. Only the first stream of a payload is.
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
                return Err(Error::new(Status::Corrupt, "the compressed data lead nowhere").at_offset(position));
            }
        }
        Ok(0)
    }
}
