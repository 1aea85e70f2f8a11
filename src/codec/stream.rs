//! zlib and bzip2: formats that are one long stream with its own checksum.
//!
//! Both libraries take any piece of input and output, so their output goes straight to its destination.

use super::input::Input;
use crate::error::{Error, Result, Status};

/// What one call of a library did.
struct Step {
    consumed: usize,
    produced: usize,
    ended: bool,
}

enum Library {
    Zlib(flate2::Decompress),
    Bzp2(bzip2::Decompress),
}

impl Library {
    fn step(&mut self, stored: &[u8], output: &mut [u8]) -> Result<Step> {
        match self {
            Library::Zlib(stream) => {
                let (input_before, output_before) = (stream.total_in(), stream.total_out());
                let status = stream.decompress(stored, output, flate2::FlushDecompress::None).map_err(|error| {
                    let reason = match error.needs_dictionary() {
                        Some(_) => "a preset dictionary is needed",
                        None => error.message().unwrap_or("invalid data"),
                    };
                    Error::new(Status::Corrupt, format!("the zlib stream is damaged: {reason}"))
                })?;
                Ok(Step {
                    consumed: (stream.total_in() - input_before) as usize,
                    produced: (stream.total_out() - output_before) as usize,
                    ended: status == flate2::Status::StreamEnd,
                })
            }
            Library::Bzp2(stream) => {
                let (input_before, output_before) = (stream.total_in(), stream.total_out());
                let status = stream.decompress(stored, output).map_err(|error| {
                    let reason = match error {
                        bzip2::Error::DataMagic => "it does not begin as bzip2 does",
                        _ => "invalid data or a wrong checksum",
                    };
                    Error::new(Status::Corrupt, format!("the bzip2 stream is damaged: {reason}"))
                })?;
                if status == bzip2::Status::MemNeeded {
                    return Err(Error::new(Status::OutOfMemory, "cannot allocate the memory that bzip2 needs"));
                }
                Ok(Step {
                    consumed: (stream.total_in() - input_before) as usize,
                    produced: (stream.total_out() - output_before) as usize,
                    ended: status == bzip2::Status::StreamEnd,
                })
            }
        }
    }
}

/// A zlib or bzip2 stream being decoded. Only the first stream of a payload is.
pub(super) struct Stream {
    library: Library,
    ended: bool,
}

impl Stream {
    /// Expects a zlib header; raw deflate data and gzip files are refused.
    pub(super) fn zlib() -> Stream {
        Stream { library: Library::Zlib(flate2::Decompress::new(true)), ended: false }
    }

    /// Expects a bzip2 header.
    pub(super) fn bzp2() -> Stream {
        Stream { library: Library::Bzp2(bzip2::Decompress::new(false)), ended: false }
    }

    /// Decodes into the start of `output`, which is not empty. 0 means that the stream has ended and its
    /// checksum was right.
    pub(super) fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
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
