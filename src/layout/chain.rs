//! Stepping from block to block by their headers.
//!
//! Reads headers and the bytes between blocks; payload bytes are read only if headers lie close together. Does not keep
//! the blocks.

use super::block::{BlockHeader, MAGIC};
use super::{index, tree_extent};
use crate::error::{Error, Result, Status, Warning};
use crate::reserve;
use crate::source::{Source, read_exact_at};
use std::sync::Arc;

const HEADER: usize = BlockHeader::MIN_LENGTH;
/// Maximum distance in bytes of headers that count as close. For close headers, one large read is cheaper than a read
/// for each.
const NEAR: u64 = 4 << 10;
/// Number of close headers in a row after which a window is read.
const NEAR_RUN: u32 = 4;
/// Size of the window in bytes.
const WINDOW: u64 = 64 << 10;
/// The most headers for which a source of the caller is asked at once.
const TOGETHER: usize = 1 << 12;

/// Content of the file after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    /// A block, or the start of its magic if the file ends there.
    Block(u64),
    Nothing,
}

/// Reads the headers of one file.
#[derive(Clone)]
pub(super) struct Chain {
    source: Arc<dyn Source>,
    length: u64,
    /// True if a conversion of line ends may have damaged the file.
    crlf: bool,
    /// Bytes of one large read, and their offset.
    window: Vec<u8>,
    window_start: u64,
    /// Cache of the last read: offset, bytes, and the number of valid bytes.
    last: (u64, [u8; HEADER], usize),
    /// Number of reads so far that were each close to the one before.
    near_run: u32,
    /// Headers that will be needed soon, in the order of their offsets.
    ahead: Vec<(u64, [u8; HEADER])>,
}

impl Chain {
    pub(super) fn new(source: Arc<dyn Source>, length: u64, crlf: bool) -> Chain {
        let last = (0, [0; HEADER], 0);
        Chain { source, length, crlf, window: Vec::new(), window_start: 0, last, near_run: 0, ahead: Vec::new() }
    }

    /// Takes the header at an offset from the start of the file, so that it is not read again, if `head` holds it
    /// whole.
    pub(super) fn take_from(&mut self, head: &[u8], offset: u64) {
        let known = usize::try_from(offset).ok().and_then(|start| head.get(start..)?.first_chunk());
        if let Some(bytes) = known {
            self.last = (offset, *bytes, HEADER);
        }
    }

    pub(super) fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// Reads the first headers at these offsets at once, if the type of the source is the caller's own. Returns how
    /// many were asked for.
    pub(super) fn read_ahead(&mut self, offsets: &[u64]) -> usize {
        self.ahead.clear();
        if !self.source.is_of_caller() {
            return offsets.len();
        }
        let asked = offsets.get(..TOGETHER).unwrap_or(offsets);
        let last = self.length.saturating_sub(HEADER as u64);
        let inside = asked.iter().take_while(|&&offset| offset <= last);
        self.ahead.extend(inside.map(|&offset| (offset, [0; HEADER])));
        let mut ranges = Vec::from_iter(self.ahead.iter_mut().map(|(offset, bytes)| (*offset, &mut bytes[..])));
        if self.source.read_ranges(&mut ranges).is_err() {
            // The header that cannot be read is found when it is needed.
            self.ahead.clear();
        }
        asked.len()
    }

    /// Returns a header that [`Chain::read_ahead`] has read.
    fn known_ahead(&self, offset: u64) -> Option<[u8; HEADER]> {
        let found = self.ahead.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        self.ahead.get(found).map(|(_, bytes)| *bytes)
    }

    /// Reads the bytes of a header at an offset, or fewer if the file ends before.
    fn peek(&mut self, offset: u64) -> Result<([u8; HEADER], usize)> {
        let count = self.length.saturating_sub(offset).min(HEADER as u64) as usize;
        let (last_offset, bytes, last_count) = self.last;
        if last_offset == offset && last_count == count {
            return Ok((bytes, count));
        }
        if let Some(bytes) = self.known_ahead(offset) {
            self.last = (offset, bytes, HEADER);
            return Ok((bytes, HEADER));
        }
        self.near_run = if offset.abs_diff(last_offset) <= NEAR { self.near_run.saturating_add(1) } else { 0 };
        if self.windowed(offset, count).is_none() && self.near_run >= NEAR_RUN {
            let size = WINDOW.min(self.length.saturating_sub(offset)) as usize;
            // Set the window only after it is filled: the read may fail.
            let mut window = std::mem::take(&mut self.window);
            let missing = size.saturating_sub(window.len());
            reserve::room_for(&mut window, missing)?;
            window.resize(size, 0);
            read_exact_at(&*self.source, offset, &mut window)?;
            (self.window, self.window_start) = (window, offset);
        }
        let mut bytes = [0; HEADER];
        match self.windowed(offset, count) {
            Some(found) => bytes[..count].copy_from_slice(found),
            None => read_exact_at(&*self.source, offset, &mut bytes[..count])?,
        }
        self.last = (offset, bytes, count);
        Ok((bytes, count))
    }

    /// Returns bytes of the window.
    fn windowed(&self, offset: u64, count: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.window_start)?).ok()?;
        self.window.get(start..start.checked_add(count)?)
    }

    /// Returns whether a block begins here, or the start of its magic if the file ends there.
    pub(super) fn is_block(&mut self, offset: u64) -> Result<bool> {
        let (bytes, count) = self.peek(offset)?;
        Ok(count > 0 && bytes[..count.min(MAGIC.len())] == MAGIC[..count.min(MAGIC.len())])
    }

    /// Reads the header at an offset. Fails if it is incomplete or contradicts itself.
    pub(super) fn header(&mut self, offset: u64) -> Result<BlockHeader> {
        let (bytes, count) = self.peek(offset)?;
        let ends_early = || {
            Err(Error::new(Status::Truncated, format!("the file ends inside the block header at byte {offset}"))
                .at_offset(self.length))
        };
        if count < HEADER {
            return ends_early();
        }
        match BlockHeader::decode(&bytes, offset) {
            Ok(header) if header.payload_offset() > self.length => ends_early(),
            Err(error) if self.crlf => {
                Err(Error::new(error.status(), format!("{}{CRLF_HINT}", error.message())).at_offset(offset))
            }
            result => result,
        }
    }

    /// Finds the content after a block. Returns a warning unless it is a block without a gap or a regular end of the
    /// file.
    pub(super) fn following(&mut self, header: &BlockHeader) -> Result<(Following, Option<Warning>)> {
        let Some(end) = header.end().filter(|&end| end < self.length) else {
            return Ok((Following::Nothing, None));
        };
        if self.is_block(end)? {
            return Ok((Following::Block(end), None));
        }
        let (content, only_nul) = tree_extent::skip_blanks(&*self.source, end, self.length)?;
        if content < self.length && self.is_block(content)? {
            return Ok((Following::Block(content), Some(gap(end, content))));
        }
        if (content == self.length && only_nul) || index::is_at(&*self.source, content, self.length)? {
            return Ok((Following::Nothing, None));
        }
        let hint = if self.crlf { CRLF_HINT } else { "" };
        let message = format!("the bytes after the last block are neither a block nor a block index{hint}");
        Ok((Following::Nothing, Some(Warning::new(message).at_offset(end))))
    }

    /// Returns a warning about a header that is irregular but usable.
    pub(super) fn oddity(&mut self, header: &BlockHeader) -> Result<Option<Warning>> {
        let message = match header.end() {
            Some(end) => self.oddity_of_sizes(header, end),
            None => self.oddity_of_stream(header)?,
        };
        Ok(message.map(|message| Warning::new(message).at_offset(header.offset)))
    }

    fn oddity_of_sizes(&self, header: &BlockHeader, end: u64) -> Option<String> {
        let (data, used) = (header.data_size, header.used_size);
        if header.stored_range(self.length).is_err() {
            Some("the file ends inside the block's payload".to_owned())
        } else if !header.is_compressed() && data != used {
            Some(format!("the uncompressed block has data_size {data} but used_size {used}; {used} bytes are read"))
        } else if end > self.length {
            Some("the file ends inside the allocated bytes of the block".to_owned())
        } else {
            None
        }
    }

    /// Returns a message if the fields of a streamed block are not zero. Writers of streams leave sizes and checksum
    /// zero. Other values suggest an ordinary last block with a damaged flag; the block index after it would then be
    /// read as payload.
    fn oddity_of_stream(&mut self, header: &BlockHeader) -> Result<Option<String>> {
        let sizes = [("allocated", header.allocated_size), ("used", header.used_size), ("data", header.data_size)];
        let field = match sizes.into_iter().find(|(_, size)| *size != 0) {
            _ if header.checksum != [0; 16] => "a checksum".to_owned(),
            Some((name, size)) if !self.leads_to_block(header)? => format!("the {name} size {size}"),
            _ => return Ok(None),
        };
        Ok(Some(format!(
            "the streamed block has {field} in its header, which is ignored: the payload runs to the end of the file"
        )))
    }

    /// Returns whether a block begins at the end of the allocated size.
    ///
    /// The standard allows bytes of a stream that look like a block. If the stream contains a real block, arrays on
    /// that block fail with their own error.
    fn leads_to_block(&mut self, header: &BlockHeader) -> Result<bool> {
        match header.payload_offset().checked_add(header.allocated_size) {
            Some(end) if header.allocated_size > 0 && end < self.length => self.is_block(end),
            _ => Ok(false),
        }
    }
}

const CRLF_HINT: &str =
    "; the first line of the file ends in CR LF: a transfer in text mode may have damaged its blocks";

/// Returns the warning for bytes between two blocks.
pub(super) fn gap(from: u64, to: u64) -> Warning {
    Warning::new(format!("{} bytes between two blocks belong to neither of them", to - from)).at_offset(from)
}
