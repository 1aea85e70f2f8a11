//! The format `xz`: one .xz stream, decoded and encoded in pieces.
//!
//! The library grows its window with the data. A window that is larger than those of the usual levels counts against
//! the caller's limit.

use super::format::{EncoderOptions, Format, Levels, PayloadDecoder, PayloadEncoder};
use super::input::Input;
use super::memory::{append, no_memory};
use super::stream::{Step, Stream, StreamLibrary};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use lzma_rust2::{Action, XzOptions, XzStream, XzWriter, lzma2_get_memory_usage};
use std::io::{ErrorKind, Write};

/// Largest window of the levels of xz, which every decoder is expected to support.
const USUAL_WINDOW: u32 = 64 << 20;

/// Number of bytes that are encoded together.
const UNIT: usize = 256 * 1024;

/// One .xz stream.
pub(super) struct Xz;

impl Format for Xz {
    fn name(&self) -> &str {
        "xz"
    }

    fn levels(&self) -> Option<Levels> {
        Some(Levels { range: 0..=9, default: 6 })
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        // At best, a part of more than eight bytes stands for 2 MiB.
        (used_size / 8).saturating_mul(2 << 20)
    }

    /// The window may take up to `buffer_limit` bytes, but not more than data of `data_size` bytes can use.
    fn open(&self, _input: &mut Input<'_>, _data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        let window = u32::try_from(buffer_limit).unwrap_or(u32::MAX).max(USUAL_WINDOW);
        let library = XzStream::new_mem_limit(false, lzma2_get_memory_usage(window));
        Ok(Box::new(Stream::new(Decompress { library, window })))
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        let mut settings = XzOptions::with_preset(options.level);
        // A window that is larger than the data would only cost memory.
        let size = options.data_size.and_then(|size| u32::try_from(size).ok()).unwrap_or(u32::MAX);
        let window = settings.lzma_options.dict_size.min(size.max(4096));
        settings.lzma_options.dict_size = window;
        check_memory(window)?;
        let writer = XzWriter::new(Vec::new(), settings).map_err(|error| failure(&error))?;
        Ok(Box::new(Compress(Some(writer))))
    }
}

struct Decompress {
    library: XzStream,
    window: u32,
}

impl StreamLibrary for Decompress {
    fn step(&mut self, stored: &[u8], output: &mut [u8]) -> Result<Step> {
        let action = if stored.is_empty() { Action::Finish } else { Action::Run };
        let step = self.library.process(stored, output, action).map_err(|error| match error.kind() {
            ErrorKind::OutOfMemory if self.library.memory_usage() > Some(self.library.mem_limit()) => {
                Limit::DecodedBytes.exceeded("memory for decoded block bytes", u64::from(self.window))
            }
            ErrorKind::OutOfMemory => no_memory("xz"),
            ErrorKind::UnexpectedEof => Error::new(Status::Truncated, "the compressed data end early"),
            ErrorKind::Unsupported => Error::new(Status::Unsupported, format!("the xz stream cannot be read: {error}")),
            _ => Error::new(Status::Corrupt, format!("the xz stream is damaged: {error}")),
        })?;
        Ok(Step {
            consumed: step.bytes_consumed,
            produced: step.bytes_produced,
            ended: step.status == lzma_rust2::Status::StreamEnd,
        })
    }
}

/// A stream that is being encoded; `None` after its end.
struct Compress(Option<XzWriter<Vec<u8>>>);

impl PayloadEncoder for Compress {
    fn unit(&self) -> usize {
        UNIT
    }

    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let Some(writer) = &mut self.0 else {
            return Err(Error::new(Status::Internal, "the xz stream has ended"));
        };
        for piece in data.chunks(UNIT) {
            writer.write_all(piece).map_err(|error| failure(&error))?;
            append(out, &[writer.inner()])?;
            writer.inner_mut().clear();
        }
        match self.0.take_if(|_| last) {
            Some(writer) => append(out, &[&writer.finish().map_err(|error| failure(&error))?]),
            None => Ok(()),
        }
    }
}

/// Fails unless there is memory for an encoder, whose allocations cannot fail.
fn check_memory(window: u32) -> Result<()> {
    // The window, its index of two numbers for each byte, and tables.
    let needed = usize::try_from(window).unwrap_or(usize::MAX).saturating_mul(12).saturating_add(16 << 20);
    Vec::<u8>::new().try_reserve_exact(needed).map_err(|_| no_memory("xz"))
}

fn failure(error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::OutOfMemory => no_memory("xz"),
        _ => Error::new(Status::Internal, format!("compressing with xz: {error}")),
    }
}
