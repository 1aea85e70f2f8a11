//! Bytes at the end of a file that belong to neither a block nor the block index.

use super::blocks::Blocks;
use super::index;
use super::tree_extent::skip_blanks;
use crate::error::{Result, Warning};
use crate::source::{Source, read_vec_at};

/// Line that ends the text of an index.
const END_MARKER: &[u8] = b"\n...";

impl Blocks {
    /// Returns a note about the bytes after the block index, or after the last block of a file without an index. They
    /// do no harm. Bytes that may be a damaged block have a warning instead.
    pub(crate) fn trailing(&self) -> Result<Option<Warning>> {
        let count = self.count()?;
        let last = if count == 0 { return Ok(None) } else { self.get(count - 1)? };
        let Some(end) = last.end().filter(|&end| end < self.file_length()) else { return Ok(None) };
        let source = self.source();
        let has_index = index::is_at(source, end, self.file_length())?;
        let start = match has_index {
            true => end_of_index(source, end, self.file_length(), count)?,
            false => Some(end),
        };
        let Some(start) = start else { return Ok(None) };
        let (content, only_nul) = skip_blanks(source, start, self.file_length())?;
        let bytes = self.file_length() - start;
        let is_padding = content == self.file_length();
        if bytes == 0 || (!has_index && !is_padding) {
            return Ok(None);
        }
        let kind = match (is_padding, only_nul) {
            (true, true) => "zero ",
            (true, false) => "blank ",
            (false, _) => "",
        };
        let plural = if bytes == 1 { ("byte", "follows") } else { ("bytes", "follow") };
        let what = if has_index { "block index" } else { "last block" };
        let message = format!("{bytes} {kind}{} {} the {what}", plural.0, plural.1);
        Ok(Some(Warning::new(message).at_offset(start)))
    }
}

/// Returns the end of the index that begins at `start`, or `None` if its end marker is not found.
fn end_of_index(source: &dyn Source, start: u64, length: u64, blocks: u64) -> Result<Option<u64>> {
    let text = read_vec_at(source, start, index::longest(blocks).min(length - start))?;
    let Some(at) = memchr::memmem::find(&text, END_MARKER) else { return Ok(None) };
    let after = at + END_MARKER.len();
    let line_end = match text.get(after..).unwrap_or_default() {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    Ok(Some(start + (after + line_end) as u64))
}
