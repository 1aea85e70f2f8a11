//! The LZ4 frame format.
//!
//! Blocks are decoded one at a time. If the caller's buffer cannot hold the largest block of the frame (at most 4 MiB),
//! the block is decoded into a buffer of the decoder. All checksums are verified.
//!
//! External dictionaries, skippable frames, several frames in a row and the legacy frame are not supported.

use crate::codec::format::{PayloadDecoder, PayloadEncoder};
use crate::codec::input::Input;
use crate::codec::memory::{append, try_resize};
use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;
use std::hash::Hasher;
use twox_hash::XxHash32;

/// The first four bytes of a frame.
const MAGIC: [u8; 4] = [0x04, 0x22, 0x4D, 0x18];

/// Maximum size of a block in bytes.
const LARGEST_BLOCK: usize = 4 << 20;

/// Maximum distance of a match in bytes.
const WINDOW: usize = 64 * 1024;

/// Returns whether a frame begins here. As the size field of a chunk, the magic would mean 69,356,824 bytes, and no
/// known writer makes chunks of that size.
pub(super) fn is_next(input: &mut Input<'_>) -> Result<bool> {
    Ok(input.peek()? == Some(MAGIC))
}

/// A frame that is decoded in order.
pub(super) struct Frame {
    max_block_size: u64,
    content_size: Option<u64>,
    block_checksums: bool,
    content_hasher: Option<XxHash32>,
    /// The last decoded bytes, kept for frames whose blocks refer to earlier blocks; `None` for independent blocks.
    history: Option<Vec<u8>>,
    decoded: u64,
    ended: bool,
    scratch: Vec<u8>,
    /// The block decoded last. Of its `block_length` bytes, `handed_out` were returned.
    block: Vec<u8>,
    block_length: usize,
    handed_out: usize,
}

impl Frame {
    /// Reads the header of the frame, including the magic.
    pub(super) fn new(input: &mut Input<'_>) -> Result<Frame> {
        let position = input.position();
        let corrupt = |message: &str| Err(Error::new(Status::Corrupt, message).at_offset(position));
        if input.take::<4>()? != MAGIC {
            return corrupt("this is not an LZ4 frame");
        }
        let mut hasher = XxHash32::with_seed(0);
        let [flags, sizes] = input.take()?;
        hasher.write(&[flags, sizes]);
        let has = |bit: u8| flags & bit != 0;
        if flags >> 6 != 1 || has(0x02) || sizes & 0x8F != 0 {
            return corrupt("the header of the LZ4 frame has an unknown version or reserved bits set");
        }
        let max_block_size = match sizes >> 4 {
            code @ 4..=7 => 1_u64 << (8 + 2 * code),
            _ => return corrupt("the header of the LZ4 frame has an invalid block size"),
        };
        let mut content_size = None;
        if has(0x08) {
            let bytes = input.take::<8>()?;
            hasher.write(&bytes);
            content_size = Some(u64::from_le_bytes(bytes));
        }
        if has(0x01) {
            let message = "the LZ4 frame needs a dictionary, which ASDF files cannot contain";
            return Err(Error::new(Status::Unsupported, message).at_offset(position));
        }
        let [checksum] = input.take()?;
        if checksum != (hasher.finish() >> 8) as u8 {
            return corrupt("the header of the LZ4 frame has a wrong checksum");
        }
        Ok(Frame {
            max_block_size,
            content_size,
            block_checksums: has(0x10),
            content_hasher: has(0x04).then(|| XxHash32::with_seed(0)),
            history: (!has(0x20)).then(Vec::new),
            decoded: 0,
            ended: false,
            scratch: Vec::new(),
            block: Vec::new(),
            block_length: 0,
            handed_out: 0,
        })
    }

    /// Decodes one block, which may be empty, or reads the end of the frame. Returns the number of bytes written to
    /// `direct`, which must hold the largest block. Without `direct` the bytes stay in `self.block`.
    fn next_block(&mut self, input: &mut Input<'_>, direct: Option<&mut [u8]>) -> Result<usize> {
        let corrupt = |message: String| Error::new(Status::Corrupt, message);
        let word = u32::from_le_bytes(input.take()?);
        if word == 0 {
            self.end(input)?;
            return Ok(0);
        }
        let (compressed, size) = (word >> 31 == 0, u64::from(word & 0x7FFF_FFFF));
        if size > self.max_block_size {
            return Err(corrupt(format!(
                "an LZ4 block has {size} bytes, but the frame allows only {}",
                self.max_block_size
            )));
        }
        let stored = input.take_slice(size, &mut self.scratch)?;
        let checksum = self.block_checksums.then(|| hash(stored));
        let waits = direct.is_none();
        let target = match direct {
            Some(target) => target,
            None => try_resize(&mut self.block, self.max_block_size)?,
        };
        let length = if compressed {
            let dictionary = self.history.as_deref().map_or(&[][..], |past| &past[past.len().saturating_sub(WINDOW)..]);
            lz4_flex::block::decompress_into_with_dict(stored, target, dictionary)
                .map_err(|error| corrupt(format!("an LZ4 block is damaged: {error}")))?
        } else {
            target[..stored.len()].copy_from_slice(stored);
            stored.len()
        };
        if checksum.is_some() && checksum != Some(u32::from_le_bytes(input.take()?)) {
            return Err(corrupt("an LZ4 block has a wrong checksum".into()));
        }
        let bytes = &target[..length];
        self.decoded = self.decoded.saturating_add(bytes.len() as u64);
        if let Some(hasher) = &mut self.content_hasher {
            hasher.write(bytes);
        }
        if let Some(history) = &mut self.history {
            remember(history, bytes)?;
        }
        if waits {
            (self.handed_out, self.block_length) = (0, length);
        }
        Ok(if waits { 0 } else { length })
    }

    /// Checks the fields after the end mark: content size and checksum.
    fn end(&mut self, input: &mut Input<'_>) -> Result<()> {
        self.ended = true;
        if self.content_size.is_some_and(|size| size != self.decoded) {
            return Err(Error::new(Status::Corrupt, "the LZ4 frame decodes to a size that differs from its header"));
        }
        if let Some(hasher) = &self.content_hasher
            && u64::from(u32::from_le_bytes(input.take()?)) != hasher.finish()
        {
            return Err(Error::new(Status::Corrupt, "the LZ4 frame has a wrong checksum"));
        }
        Ok(())
    }
}

impl PayloadDecoder for Frame {
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        while self.handed_out == self.block_length {
            if self.ended {
                return Ok(0);
            }
            let position = input.position();
            let direct = usize::try_from(self.max_block_size).ok().and_then(|size| output.get_mut(..size));
            let count = self.next_block(input, direct).map_err(|error| error.at_offset(position))?;
            if count > 0 {
                return Ok(count);
            }
        }
        let waiting = &self.block[self.handed_out..self.block_length];
        let count = waiting.len().min(output.len());
        output[..count].copy_from_slice(&waiting[..count]);
        self.handed_out += count;
        Ok(count)
    }
}

/// Encodes a frame of independent blocks with a content checksum, and with the content size if it is known.
pub(super) struct FrameWriter {
    content_size: Option<u64>,
    /// Hasher of the content; `None` before the header is written.
    hasher: Option<XxHash32>,
    compressed: Vec<u8>,
}

impl FrameWriter {
    pub(super) fn new(content_size: Option<u64>) -> FrameWriter {
        FrameWriter { content_size, hasher: None, compressed: Vec::new() }
    }

    fn begin(&self, out: &mut Vec<u8>) -> Result<()> {
        // Readers allocate the largest block that a frame allows, so choose the smallest that holds the data, or 4 MiB.
        let fits = |code: &u8| self.content_size.is_some_and(|size| size <= 1 << (8 + 2 * code));
        let block_size = (4..7).find(fits).unwrap_or(7);
        // Flags: version 1, independent blocks, content checksum. The content size follows if it is known.
        let mut descriptor = [0x64, block_size << 4, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut length = 2;
        if let Some(size) = self.content_size {
            descriptor[0] |= 0x08;
            descriptor[2..].copy_from_slice(&size.to_le_bytes());
            length = descriptor.len();
        }
        let descriptor = descriptor.get(..length).unwrap_or_default();
        append(out, &[&MAGIC, descriptor, &[(hash(descriptor) >> 8) as u8]])
    }
}

impl PayloadEncoder for FrameWriter {
    fn unit(&self) -> usize {
        LARGEST_BLOCK
    }

    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let mut hasher = match self.hasher.take() {
            Some(hasher) => hasher,
            None => {
                self.begin(out)?;
                XxHash32::with_seed(0)
            }
        };
        hasher.write(data);
        let largest = lz4_flex::block::get_maximum_output_size(data.len().min(LARGEST_BLOCK));
        if self.compressed.len() < largest {
            self.compressed = try_zeroed(largest)?;
        }
        for block in data.chunks(LARGEST_BLOCK) {
            let size = lz4_flex::block::compress_into(block, &mut self.compressed)
                .map_err(|error| Error::new(Status::Internal, format!("compressing with lz4: {error}")))?;
            // Blocks are far smaller than 2 GiB, so the casts cannot truncate. The highest bit marks uncompressed
            // blocks.
            match self.compressed.get(..size) {
                Some(smaller) if size < block.len() => append(out, &[&(size as u32).to_le_bytes(), smaller])?,
                _ => append(out, &[&(block.len() as u32 | 1 << 31).to_le_bytes(), block])?,
            }
        }
        if last {
            return append(out, &[&[0; 4], &(hasher.finish() as u32).to_le_bytes()]);
        }
        self.hasher = Some(hasher);
        Ok(())
    }
}

fn hash(bytes: &[u8]) -> u32 {
    XxHash32::oneshot(0, bytes)
}

/// Appends the bytes that a later match can reach to the history. The history is shortened only after it has doubled,
/// so that many tiny blocks do not each move a whole window.
fn remember(history: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    let reachable = &bytes[bytes.len().saturating_sub(WINDOW)..];
    if history.len() + reachable.len() > 2 * WINDOW {
        history.drain(..history.len().saturating_sub(WINDOW));
    }
    history.try_reserve(reachable.len()).map_err(|_| Error::out_of_memory(reachable.len() as u64))?;
    history.extend_from_slice(reachable);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_bounded_and_holds_a_whole_window() {
        let (mut all, mut history) = (Vec::new(), Vec::new());
        for length in [1, 1000, WINDOW, 5, WINDOW + 7, 3 * WINDOW, 1].into_iter().chain([100; 2000]) {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 7 + length) as u8).collect();
            remember(&mut history, &bytes).unwrap();
            all.extend(bytes);
            assert!(history.len() <= 2 * WINDOW);
            assert!(history.ends_with(&all[all.len().saturating_sub(WINDOW)..]));
        }
    }
}
