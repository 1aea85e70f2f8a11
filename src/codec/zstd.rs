//! The format `zstd`: one Zstandard frame, with a checksum if the writer added one.
//!
//! The memory for the window, as declared by the frame, counts against the caller's limit. No window is needed if the
//! whole output is in memory. Dictionaries, several frames in a row and skippable frames are not supported.

use super::format::{EncoderOptions, Format, Levels, PayloadDecoder, PayloadEncoder};
use super::input::{Input, StoredBytes};
use super::memory;
use super::outcome::{Outcome, too_few};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::progress::{self, Counted};
use crate::reserve::room_for;
use zstd_safe::zstd_sys::{ZSTD_EndDirective, ZSTD_ErrorCode};
use zstd_safe::{CCtx, CParameter, DCtx, DParameter, InBuffer, OutBuffer};

/// The first four bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Window size that every decoder is expected to support. Writers choose it by the level, not by the data.
const USUAL_WINDOW: u64 = 1 << zstd_safe::WINDOWLOG_LIMIT_DEFAULT;

/// Binary logarithm of the largest window that the library supports.
const LARGEST_WINDOW: u32 =
    if cfg!(target_pointer_width = "32") { zstd_safe::WINDOWLOG_MAX_32 } else { zstd_safe::WINDOWLOG_MAX_64 };

/// Minimum free space in bytes for compressed output.
const MIN_FREE: usize = 128 * 1024;

/// Number of bytes that are encoded together.
const UNIT: usize = 256 * 1024;

/// One Zstandard frame.
pub(super) struct Zstd;

impl Format for Zstd {
    fn name(&self) -> &str {
        "zstd"
    }

    fn levels(&self) -> Option<Levels> {
        Some(Levels { range: 1..=22, default: 3 })
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        // At best, a block of four bytes stands for 128 KiB of one value.
        used_size.saturating_mul((128 << 10) / 4)
    }

    /// The window may take up to `buffer_limit` bytes, but not more than data of `data_size` bytes can use.
    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        let limit = buffer_limit.min(data_size.max(USUAL_WINDOW)).max(1);
        let log = limit.ilog2().clamp(zstd_safe::WINDOWLOG_MIN, LARGEST_WINDOW);
        let context = open(input, DParameter::WindowLogMax(log))?;
        Ok(Box::new(Decoder { context, window_limit: 1 << log, ended: false }))
    }

    /// Decodes the frame directly into `output`, without a window.
    fn decode_at_once(&self, stored: StoredBytes<'_>, output: &mut [u8], _threads: usize) -> Result<Option<Outcome>> {
        let declared = output.len() as u64;
        if self.check_sizes(stored.used_size, declared).is_err() {
            return Ok(None);
        }
        let mut input = stored.input()?;
        let mut context = open(&mut input, DParameter::WindowLogMax(LARGEST_WINDOW))?;
        context.set_parameter(DParameter::StableOutBuffer(true)).map_err(failure)?;
        let mut buffer = OutBuffer::around(output);
        let mut counted = 0;
        loop {
            let has_ended = step(&mut context, &mut input, &mut buffer, 1 << LARGEST_WINDOW)?;
            progress::advance(Counted::Elements, (buffer.pos() - counted) as u64)?;
            counted = buffer.pos();
            if has_ended {
                break;
            }
        }
        let produced = buffer.pos() as u64;
        if produced < declared {
            return Err(too_few(produced, declared, &input));
        }
        Ok(Some(Outcome::of_trailing(input.remaining())))
    }

    /// Begins a frame with a checksum, and with the size of the data if it is known.
    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        let mut context = CCtx::try_create().ok_or_else(no_memory)?;
        // Levels are at most 22, so the cast cannot truncate.
        context.set_parameter(CParameter::CompressionLevel(options.level as i32)).map_err(failure)?;
        context.set_parameter(CParameter::ChecksumFlag(true)).map_err(failure)?;
        context.set_pledged_src_size(options.data_size).map_err(failure)?;
        Ok(Box::new(Encoder(context)))
    }
}

/// Decodes one frame and returns the number of bytes written. Returns `None` if the frame is damaged or decodes to more
/// bytes than `out` holds.
#[cfg(any(feature = "blsc", feature = "bls2"))]
pub(super) fn decode_frame(frame: &[u8], out: &mut [u8]) -> Result<Option<usize>> {
    match zstd_safe::decompress(out, frame) {
        Ok(size) => Ok(Some(size)),
        Err(code) if is_no_memory(code) => Err(no_memory()),
        Err(_) => Ok(None),
    }
}

/// Encodes one frame and returns its size. Returns `None` if it does not fit in `out`.
#[cfg(any(feature = "blsc", feature = "bls2"))]
pub(super) fn encode_frame(data: &[u8], out: &mut [u8], level: i32) -> Result<Option<usize>> {
    match zstd_safe::compress(out, data, level) {
        Ok(size) => Ok(Some(size)),
        Err(code) if number(code) == TOO_SMALL_OUTPUT => Ok(None),
        Err(code) => Err(failure(code)),
    }
}

/// A frame that is decoded in pieces, through the decoder's own window.
struct Decoder {
    context: DCtx<'static>,
    window_limit: u64,
    ended: bool,
}

impl PayloadDecoder for Decoder {
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        let mut buffer = OutBuffer::around(output);
        while !self.ended && buffer.pos() == 0 {
            self.ended = step(&mut self.context, input, &mut buffer, self.window_limit)?;
        }
        Ok(buffer.pos())
    }
}

/// Creates a context with one parameter set. Checks that the input begins with the magic of a frame.
fn open(input: &mut Input<'_>, parameter: DParameter) -> Result<DCtx<'static>> {
    match input.peek()? {
        Some(MAGIC) => {}
        Some(_) => {
            return Err(Error::new(Status::Corrupt, "this is not a Zstandard frame").at_offset(input.position()));
        }
        None => return Err(input.ends_early()),
    }
    let mut context = DCtx::try_create().ok_or_else(no_memory)?;
    context.set_parameter(parameter).map_err(failure)?;
    Ok(context)
}

/// Calls the library once. Returns whether the frame has ended.
fn step(
    context: &mut DCtx<'static>,
    input: &mut Input<'_>,
    output: &mut OutBuffer<'_, [u8]>,
    window_limit: u64,
) -> Result<bool> {
    let position = input.position();
    let stored = input.fill()?;
    let exhausted = stored.is_empty();
    let mut pending = InBuffer::around(stored);
    let before = output.pos();
    let missing = context.decompress_stream(output, &mut pending).map_err(|code| {
        let error = match number(code) {
            TOO_LARGE_WINDOW if window_limit < 1 << LARGEST_WINDOW => {
                Limit::DecodedBytes.exceeded("memory for decoded block bytes", window_limit)
            }
            _ => failure(code),
        };
        error.at_offset(position)
    })?;
    let consumed = pending.pos();
    input.consume(consumed);
    if missing == 0 {
        return Ok(true);
    }
    if output.pos() == before && consumed == 0 {
        return Err(match exhausted {
            true => input.ends_early(),
            false => Error::new(Status::Corrupt, "the compressed data are invalid: decoding makes no progress")
                .at_offset(position),
        });
    }
    Ok(false)
}

/// A frame that is being encoded.
struct Encoder(CCtx<'static>);

impl PayloadEncoder for Encoder {
    fn unit(&self) -> usize {
        UNIT
    }

    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let directive = if last { ZSTD_EndDirective::ZSTD_e_end } else { ZSTD_EndDirective::ZSTD_e_continue };
        let mut input = InBuffer::around(data);
        loop {
            room_for(out, MIN_FREE)?;
            let length = out.len();
            let mut output = OutBuffer::around_pos(out, length);
            let waiting = self.0.compress_stream2(&mut output, &mut input, directive).map_err(failure)?;
            let done = if last { waiting == 0 } else { input.pos() == data.len() };
            if done {
                return Ok(());
            }
        }
    }
}

const TOO_LARGE_WINDOW: usize = ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge as usize;
const NO_MEMORY: usize = ZSTD_ErrorCode::ZSTD_error_memory_allocation as usize;
const OTHER_DICTIONARY: usize = ZSTD_ErrorCode::ZSTD_error_dictionary_wrong as usize;
const TOO_SMALL_OUTPUT: usize = ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall as usize;

/// Returns the error number, which the library returns negated.
fn number(code: usize) -> usize {
    code.wrapping_neg()
}

/// Returns whether the library could not allocate memory.
pub(super) fn is_no_memory(code: usize) -> bool {
    number(code) == NO_MEMORY
}

fn failure(code: usize) -> Error {
    match number(code) {
        NO_MEMORY => no_memory(),
        OTHER_DICTIONARY => {
            Error::new(Status::Unsupported, "the Zstandard frame needs a dictionary, which ASDF files cannot contain")
        }
        TOO_LARGE_WINDOW => Error::new(
            Status::Unsupported,
            "the Zstandard frame needs a larger window than libzstd supports on this platform",
        ),
        TOO_SMALL_OUTPUT => {
            Error::new(Status::DecodedSize, "the Zstandard frame decodes to more bytes than the block header declares")
        }
        _ => {
            let reason = zstd_safe::get_error_name(code);
            Error::new(Status::Corrupt, format!("the Zstandard frame is damaged: {reason}"))
        }
    }
}

fn no_memory() -> Error {
    memory::no_memory("Zstandard")
}

#[cfg(all(test, any(feature = "blsc", feature = "bls2")))]
mod tests {
    use super::*;

    #[test]
    fn frames_that_do_not_fit_are_none() {
        let data = [7; 1000];
        let mut out = [0; 100];
        let size = encode_frame(&data, &mut out, 3).unwrap().unwrap();
        assert_eq!(encode_frame(&data, &mut out[..size - 1], 3).unwrap(), None);
        let mut decoded = [0; 1000];
        assert_eq!(decode_frame(&out[..size], &mut decoded).unwrap(), Some(1000));
        assert_eq!(decoded, data);
        assert_eq!(decode_frame(&out[..size], &mut decoded[..999]).unwrap(), None);
        assert_eq!(decode_frame(&out[..size - 1], &mut decoded).unwrap(), None);
    }
}
