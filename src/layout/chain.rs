//! Stepping from block to block by their headers.
//!
//! Reads headers and what stands between blocks, never payloads on purpose; remembers no blocks.

use super::block::{BlockHeader, MAGIC};
use super::{index, tree_extent};
use crate::error::{Error, Result, Status, Warning};
use crate::source::{Source, read_exact_at};
use std::sync::Arc;

const HEADER: usize = BlockHeader::MIN_LENGTH;
/// While headers lie this close together, reading a piece that holds many is cheaper than reading each.
const NEAR: u64 = 4 << 10;
const NEAR_RUN: u32 = 4;
const WINDOW: u64 = 64 << 10;

/// What stands behind a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    /// A block, or what is left of its magic at the end of the file.
    Block(u64),
    Nothing,
}

/// Reads headers of one file.
#[derive(Clone)]
pub(super) struct Chain {
    source: Arc<dyn Source>,
    length: u64,
    /// Whether the file may have suffered a conversion of line ends.
    crlf: bool,
    window: Vec<u8>,
    window_start: u64,
    /// What the last look found: where, the bytes, and how many of them count.
    last: (u64, [u8; HEADER], usize),
    near_run: u32,
}

impl Chain {
    pub(super) fn new(source: Arc<dyn Source>, length: u64, crlf: bool) -> Chain {
        Chain { source, length, crlf, window: Vec::new(), window_start: 0, last: (0, [0; HEADER], 0), near_run: 0 }
    }

    pub(super) fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// The bytes at an offset, as many as a header needs unless the file ends before.
    fn peek(&mut self, offset: u64) -> Result<([u8; HEADER], usize)> {
        let count = self.length.saturating_sub(offset).min(HEADER as u64) as usize;
        let (last_offset, bytes, last_count) = self.last;
        if last_offset == offset && last_count == count {
            return Ok((bytes, count));
        }
        self.near_run = if offset.abs_diff(last_offset) <= NEAR { self.near_run.saturating_add(1) } else { 0 };
        if self.windowed(offset, count).is_none() && self.near_run >= NEAR_RUN {
            let size = WINDOW.min(self.length.saturating_sub(offset)) as usize;
            // The window counts only once it is filled.
            let mut window = std::mem::take(&mut self.window);
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

    fn windowed(&self, offset: u64, count: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset.checked_sub(self.window_start)?).ok()?;
        self.window.get(start..start.checked_add(count)?)
    }

    /// Whether a block, or what is left of its magic at the end of the file, begins here.
    pub(super) fn is_block(&mut self, offset: u64) -> Result<bool> {
        let (bytes, count) = self.peek(offset)?;
        Ok(count > 0 && bytes[..count.min(MAGIC.len())] == MAGIC[..count.min(MAGIC.len())])
    }

    /// The header at an offset. Fails unless it is complete and does not contradict itself.
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

    /// What stands behind a block, with a warning if it is not another block at once or a clean end.
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
        let message = format!("the bytes after the last block are not a block{hint}");
        Ok((Following::Nothing, Some(Warning::new(message).at_offset(end))))
    }

    /// What is odd about a header that can be used nevertheless.
    pub(super) fn oddities(&mut self, header: &BlockHeader) -> Result<Option<Warning>> {
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
            Some(format!("the uncompressed block has {data} bytes of data but uses {used}, which are read"))
        } else if end > self.length {
            Some("the file ends inside the bytes that the block reserves".to_owned())
        } else {
            None
        }
    }

    /// Writers of streams leave sizes and checksum zero. Others suggest an ordinary last block whose flag was damaged, and
    /// to which the block index is now payload.
    fn oddity_of_stream(&mut self, header: &BlockHeader) -> Result<Option<String>> {
        let sizes = [("allocated", header.allocated_size), ("used", header.used_size), ("data", header.data_size)];
        let field = match sizes.into_iter().find(|(_, size)| *size != 0) {
            _ if header.checksum != [0; 16] => "a checksum".to_owned(),
            Some((name, size)) if !self.leads_to_block(header)? => format!("the {name} size {size}"),
            _ => return Ok(None),
        };
        Ok(Some(format!("the streamed block has {field}, which is ignored: it runs to the end of the file")))
    }

    /// Whether a block begins at the end of the allocated size. By the standard, bytes of a stream may look like a block.
    /// If the stream has swallowed a real one, arrays on that block fail by themselves.
    fn leads_to_block(&mut self, header: &BlockHeader) -> Result<bool> {
        match header.payload_offset().checked_add(header.allocated_size) {
            Some(end) if header.allocated_size > 0 && end < self.length => self.is_block(end),
            _ => Ok(false),
        }
    }
}

const CRLF_HINT: &str = "; the file's first line ends in CR LF: a transfer as text may have damaged its blocks";

/// The warning for bytes between two blocks.
pub(super) fn gap(from: u64, to: u64) -> Warning {
    Warning::new(format!("{} bytes between two blocks belong to neither", to - from)).at_offset(from)
}
