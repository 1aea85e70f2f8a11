//! Zstandard: one frame, with its own checksum if its writer asked for one.
//!
//! The frame says how much memory its window takes; that is held to the caller's limit, and no window is needed
//! where all of the output is at hand. Dictionaries, further frames and skippable frames are not supported.

use super::input::Input;
use crate::error::{Error, Result, Status};
use zstd_safe::zstd_sys::{ZSTD_EndDirective, ZSTD_ErrorCode};
use zstd_safe::{CCtx, CParameter, DCtx, DParameter, InBuffer, OutBuffer};

/// The first four bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The window that every decoder is expected to have. Writers choose it by the level, not by the data.
const USUAL_WINDOW: u64 = 1 << zstd_safe::WINDOWLOG_LIMIT_DEFAULT;

/// The largest window that the library has, as a power of two.
const LARGEST_WINDOW: u32 =
    if cfg!(target_pointer_width = "32") { zstd_safe::WINDOWLOG_MAX_32 } else { zstd_safe::WINDOWLOG_MAX_64 };

/// Least free space to compress into.
const ROOM: usize = 128 * 1024;

/// A frame being decoded piece by piece, through a window of our own.
pub(super) struct Zstd {
    context: DCtx<'static>,
    window_limit: u64,
    ended: bool,
}

impl Zstd {
    /// The window may take up to `buffer_limit` bytes, and no more than `data_size` bytes can have use for.
    pub(super) fn new(input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Zstd> {
        let limit = buffer_limit.min(data_size.max(USUAL_WINDOW)).max(1);
        let log = limit.ilog2().clamp(zstd_safe::WINDOWLOG_MIN, LARGEST_WINDOW);
        Ok(Zstd { context: open(input, DParameter::WindowLogMax(log))?, window_limit: 1 << log, ended: false })
    }

    /// Decodes into the start of `output`, which is not empty. 0 means that the frame has ended and its
    /// checksum was right.
    pub(super) fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        let mut buffer = OutBuffer::around(output);
        while !self.ended && buffer.pos() == 0 {
            self.ended = step(&mut self.context, input, &mut buffer, self.window_limit)?;
        }
        Ok(buffer.pos())
    }
}

/// Decodes the frame straight into `output` and tells how many bytes it gave.
pub(super) fn decode_whole(input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
    let mut context = open(input, DParameter::WindowLogMax(LARGEST_WINDOW))?;
    context.set_parameter(DParameter::StableOutBuffer(true)).map_err(failure)?;
    let mut buffer = OutBuffer::around(output);
    while !step(&mut context, input, &mut buffer, 1 << LARGEST_WINDOW)? {}
    Ok(buffer.pos())
}

/// A context with one parameter set, for an input that begins as a frame does.
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

/// One call of the library; tells whether the frame has ended.
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
                Error::limit("memory for decoded block bytes", window_limit)
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
            false => Error::new(Status::Corrupt, "the compressed data lead nowhere").at_offset(position),
        });
    }
    Ok(false)
}

/// A frame being encoded, with a checksum, and with the size of the data if that is known.
pub(super) struct FrameWriter {
    context: CCtx<'static>,
}

impl FrameWriter {
    pub(super) fn new(level: u32, data_size: Option<u64>) -> Result<FrameWriter> {
        let mut context = CCtx::try_create().ok_or_else(no_memory)?;
        // Levels are 22 at most.
        context.set_parameter(CParameter::CompressionLevel(level as i32)).map_err(failure)?;
        context.set_parameter(CParameter::ChecksumFlag(true)).map_err(failure)?;
        context.set_pledged_src_size(data_size).map_err(failure)?;
        Ok(FrameWriter { context })
    }

    /// Appends what the frame has for `data` so far; all that is left if they are the last.
    pub(super) fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let directive = if last { ZSTD_EndDirective::ZSTD_e_end } else { ZSTD_EndDirective::ZSTD_e_continue };
        let mut input = InBuffer::around(data);
        loop {
            out.try_reserve(ROOM).map_err(|_| Error::out_of_memory(out.len().saturating_add(ROOM) as u64))?;
            let length = out.len();
            let mut output = OutBuffer::around_pos(out, length);
            let waiting = self.context.compress_stream2(&mut output, &mut input, directive).map_err(failure)?;
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

/// The library returns its error numbers negated.
fn number(code: usize) -> usize {
    code.wrapping_neg()
}

fn failure(code: usize) -> Error {
    match number(code) {
        NO_MEMORY => no_memory(),
        OTHER_DICTIONARY => {
            Error::new(Status::Unsupported, "the Zstandard frame needs a dictionary, which ASDF has no place for")
        }
        TOO_LARGE_WINDOW => {
            Error::new(Status::Unsupported, "the Zstandard frame asks for a larger window than libzstd has here")
        }
        TOO_SMALL_OUTPUT => Error::new(Status::DecodedSize, "the Zstandard frame decodes to more bytes than declared"),
        _ => {
            let reason = zstd_safe::get_error_name(code);
            Error::new(Status::Corrupt, format!("the Zstandard frame is damaged: {reason}"))
        }
    }
}

fn no_memory() -> Error {
    Error::new(Status::OutOfMemory, "cannot allocate the memory that Zstandard needs")
}
