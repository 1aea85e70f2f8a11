//! Search for the end of the tree and the first block.
//!
//! The file does not store the length of the tree: the end is the first line that is exactly `...`. The YAML is not
//! parsed.

use super::block::MAGIC;
use super::index;
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::source::{Source, read_exact_at};
use memchr::memmem;
use std::borrow::Cow;
use std::ops::Range;

const FIRST_PIECE: u64 = 32 << 10;
const LARGEST_PIECE: u64 = 4 << 20;

/// The text of the tree and its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeText {
    /// Offsets from the start of the `%YAML` line to the end of the line `...`.
    pub range: Range<u64>,
    /// Line of the file on which the tree starts, from 1.
    pub line: u64,
    /// The bytes of that range, unchanged: UTF-8 and line ends are not checked.
    pub bytes: Vec<u8>,
}

pub(super) struct Extent {
    pub(super) text: TreeText,
    pub(super) first_block: Option<u64>,
}

/// Finds the tree that starts at `start`, and the block after it. `known` are the bytes of the tree that were already
/// read.
pub(super) fn read(
    source: &dyn Source,
    length: u64,
    start: u64,
    line: u64,
    known: &[u8],
    limits: &Limits,
) -> Result<Extent> {
    let maximum = limits.tree_bytes.min(Limits::MAX_TREE_BYTES);
    let mut bytes = Cow::Borrowed(known);
    let mut searched = 0;
    let mut piece = FIRST_PIECE;
    loop {
        let read_end = start + bytes.len() as u64;
        let end = find_end(&bytes, searched, read_end == length);
        // The magic is not valid UTF-8, so a tree that runs into a block lacks its end. A further search could find
        // `...` in the data of the block.
        let tree_part = &bytes[searched..end.unwrap_or(bytes.len())];
        if let Some(at) = memmem::find(tree_part, &MAGIC) {
            return Err(no_end(Status::Layout, &bytes).at_offset(start + (searched + at) as u64));
        }
        let end_or_read = end.unwrap_or(bytes.len()) as u64;
        if end_or_read > maximum {
            return Err(Limit::TreeBytes.exceeded("the bytes of the tree", maximum).at_offset(start));
        }
        if let Some(end) = end {
            let tree_end = start + end as u64;
            let rest = &bytes[end..];
            let first_block = match memmem::find(rest, &MAGIC) {
                Some(at) => Some(tree_end + at as u64),
                None => find_magic(source, read_end.saturating_sub(3).max(tree_end), length)?,
            };
            let bytes = match bytes {
                Cow::Borrowed(known) => known[..end].to_vec(),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(end);
                    bytes
                }
            };
            return Ok(Extent { text: TreeText { range: start..tree_end, line, bytes }, first_block });
        }
        if read_end == length {
            return Err(no_end(Status::Truncated, &bytes).at_offset(length));
        }
        // An end marker or a magic may begin in the last bytes of this piece.
        searched = bytes.len().saturating_sub(5);
        append(bytes.to_mut(), piece.min(length - read_end), |room| read_exact_at(source, read_end, room))?;
        piece = (piece * 2).min(LARGEST_PIECE);
    }
}

fn append(bytes: &mut Vec<u8>, count: u64, fill: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<()> {
    let old = bytes.len();
    let count = usize::try_from(count).map_err(|_| Error::out_of_memory(count))?;
    bytes.try_reserve(count).map_err(|_| Error::out_of_memory(count as u64))?;
    bytes.resize(old + count, 0);
    fill(&mut bytes[old..])
}

/// Returns the end of the line `...`, searched from `from` on. `at_end` is true if the file ends with these bytes.
fn find_end(bytes: &[u8], from: usize, at_end: bool) -> Option<usize> {
    memmem::find_iter(&bytes[from..], b"\n...").find_map(|at| {
        let after = from + at + 4;
        match &bytes[after..] {
            [b'\n', ..] => Some(after + 1),
            [b'\r', b'\n', ..] => Some(after + 2),
            [] if at_end => Some(after),
            _ => None,
        }
    })
}

/// Returns the error for a tree without an end: [`Status::Layout`] if a block follows, [`Status::Truncated`] at the end of
/// the file.
fn no_end(status: Status, bytes: &[u8]) -> Error {
    let hint = if memmem::find(bytes, b"\n... ").is_some() {
        "; a line with blanks after '...' is not the end"
    } else if memchr::memchr(b'\n', bytes).is_none() && memchr::memchr(b'\r', bytes).is_some() {
        "; its lines seem to end in CR only"
    } else {
        ""
    };
    let before = if status == Status::Layout { "the first block" } else { "the end of the file" };
    Error::new(status, format!("the tree has no end line '...' before {before}{hint}"))
}

/// Returns the offset of the first block magic at or after `from`.
pub(super) fn find_magic(source: &dyn Source, from: u64, length: u64) -> Result<Option<u64>> {
    let mut buffer = Vec::new();
    let mut at = from;
    let mut piece = FIRST_PIECE;
    while length.saturating_sub(at) >= MAGIC.len() as u64 {
        buffer.clear();
        append(&mut buffer, piece.min(length - at), |room| read_exact_at(source, at, room))?;
        if let Some(found) = memmem::find(&buffer, &MAGIC) {
            return Ok(Some(at + found as u64));
        }
        at += buffer.len() as u64 - 3;
        piece = (piece * 2).min(LARGEST_PIECE);
    }
    Ok(None)
}

/// Returns a warning if the bytes between a tree and the end of a file without blocks are more than padding.
pub(super) fn warn_of_leftovers(source: &dyn Source, after_tree: Range<u64>) -> Result<Option<Warning>> {
    let (content, _) = skip_blanks(source, after_tree.start, after_tree.end)?;
    if content == after_tree.end || index::is_at(source, content, after_tree.end)? {
        return Ok(None);
    }
    Ok(Some(Warning::new("the bytes after the tree are neither padding nor a block").at_offset(content)))
}

/// Returns the offset of the first byte at or after `from` that is neither a blank nor a NUL, or `to`. The flag is true
/// if all skipped bytes were NULs.
pub(super) fn skip_blanks(source: &dyn Source, from: u64, to: u64) -> Result<(u64, bool)> {
    let mut buffer = Vec::new();
    let mut at = from;
    let mut only_nul = true;
    let mut piece = 64;
    while at < to {
        buffer.clear();
        append(&mut buffer, piece.min(to - at), |room| read_exact_at(source, at, room))?;
        for (index, byte) in buffer.iter().enumerate() {
            match byte {
                0 => {}
                b' ' | b'\t' | b'\r' | b'\n' => only_nul = false,
                _ => return Ok((at + index as u64, only_nul)),
            }
        }
        at += buffer.len() as u64;
        piece = (piece * 4).min(LARGEST_PIECE);
    }
    Ok((to, only_nul))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    fn extent(text: &[u8]) -> Result<Extent> {
        let source = MemorySource::of_vec(text.to_vec());
        read(&source, source.len(), 0, 3, &text[..text.len().min(7)], &Limits::default())
    }

    #[test]
    fn ends_of_trees() {
        for (text, end) in [
            (&b"%YAML 1.1\n---\n...\n"[..], 18),
            (b"%YAML 1.1\r\n---\r\n...\r\nx", 21),
            (b"%YAML 1.1\n---\n...", 17),
            (b"%YAML 1.1\n--- |\n ...\n... \n...x\n...\n\xD3BLK", 35),
        ] {
            let found = extent(text).unwrap().text;
            assert_eq!((found.range.clone(), found.line), (0..end, 3), "{text:?}");
            assert_eq!(found.bytes, text[..end as usize]);
        }
    }

    #[test]
    fn trees_without_end() {
        for text in [&b"%YAML 1.1\n---\na: 1\n"[..], b"%YAML 1.1\n---\n... \n", b"%YAML 1.1\n---\n...\r"] {
            let error = extent(text).err().unwrap();
            assert_eq!((error.status(), error.location().offset), (Status::Truncated, Some(text.len() as u64)));
        }
        // The end marker is in the bytes that were already read.
        let error = extent(b"%YAML 1.1\n---\na: 1\n\xD3BLK\n...\n").err().unwrap();
        assert_eq!((error.status(), error.location().offset), (Status::Layout, Some(19)));
    }

    #[test]
    fn markers_across_pieces() {
        for filler in FIRST_PIECE as usize - 30..FIRST_PIECE as usize + 10 {
            let mut text = b"%YAML 1.1\n---\na: ".to_vec();
            text.resize(filler, b'x');
            text.extend(b"\r\n...\r\n");
            let end = text.len() as u64;
            text.extend(b"   \xD3BL \xD3BLK");
            let found = extent(&text).unwrap();
            assert_eq!((found.text.range.end, found.first_block), (end, Some(end + 7)));
        }
    }

    #[test]
    fn far_blocks_and_none() {
        let mut text = b"%YAML 1.1\n---\n...\n".to_vec();
        text.resize(1_000_000, 0);
        assert_eq!(extent(&text).unwrap().first_block, None);
        text.extend(MAGIC);
        assert_eq!(extent(&text).unwrap().first_block, Some(1_000_000));
    }

    #[test]
    fn too_large_a_tree() {
        let mut text = b"%YAML 1.1\n--- ".to_vec();
        text.resize(100, b'x');
        text.extend(b"\n...\n");
        let source = MemorySource::of_vec(text);
        let read = |tree_bytes| read(&source, source.len(), 0, 1, &[], &Limits { tree_bytes, ..Limits::default() });
        assert!(read(105).is_ok());
        assert_eq!(read(104).err().unwrap().status(), Status::Limit);
    }

    #[test]
    fn leftovers_after_a_tree() {
        let warning =
            |text: &[u8]| warn_of_leftovers(&MemorySource::of_vec(text.to_vec()), 0..text.len() as u64).unwrap();
        assert_eq!(warning(b" \n\0\0"), None);
        assert_eq!(warning(b"#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- 5\n...\n"), None);
        assert_eq!(warning(b"  \xD3B").unwrap().location.offset, Some(2));
    }
}
