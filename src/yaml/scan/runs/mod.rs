//! Runs: simple nodes one after another, found without tokens.
//!
//! Most lines of a tree are `key: value` or `- item`, and most lists hold numbers. A run holds the pieces of such entries.
//! Their scalars stand in one line, and are plain or quoted, or omitted. Anything else ends the run, and the scanner goes
//! on with tokens. So a run never decides what is an error.

mod block;
mod flow;
mod nodes;

pub(in crate::yaml) use self::block::{BlockKind, BlockRun};

use super::Scanner;
use crate::error::{Error, Result};
use crate::tree::{Extent, Style};

/// Maximum number of pieces in a run.
const MAX_LENGTH: usize = 4096;
/// Maximum length of a key in a run in bytes.
const MAX_KEY: usize = 256;
/// Maximum number of nested collections in an entry.
const MAX_NESTED: u32 = 8;

/// A part of an entry, and its byte range in the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::yaml) struct Piece {
    pub(in crate::yaml) kind: PieceKind,
    pub(in crate::yaml) span: Extent,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::yaml) enum PieceKind {
    /// The tag of the node that comes next.
    Tag,
    /// The anchor of the node that comes next.
    Anchor,
    Alias,
    /// A scalar whose text stands between its quotes, or in its byte range, as it is.
    Scalar(Style),
    /// A scalar in quotes with escapes. [`unescape`](super::unescape) makes its text.
    Escaped(Style),
    /// An omitted value. The byte range is empty.
    Omitted,
    SequenceStart(Style),
    MappingStart(Style),
    /// The end of the innermost open collection. The byte range is empty in block style.
    CollectionEnd,
}

/// Pieces of a run.
pub(in crate::yaml) type Run = Vec<Piece>;

/// A position in the text, and the start of its line.
#[derive(Clone, Copy)]
struct Cursor {
    at: usize,
    line_start: usize,
}

impl Scanner<'_> {
    /// Returns whether a run may begin at the current position: all tokens before it were taken.
    #[inline]
    fn may_begin_run(&self) -> bool {
        self.queue.is_empty() && !self.has_unicode_breaks
    }

    #[inline]
    fn after_spaces(&self, mut position: usize) -> usize {
        while self.bytes.get(position) == Some(&b' ') {
            position += 1;
        }
        position
    }

    #[inline]
    fn move_to(&mut self, cursor: Cursor) {
        self.at = cursor.at;
        self.line_start = cursor.line_start;
        self.is_key_allowed = false;
    }

    /// Makes the colon after a key the next token.
    fn stop_at_colon(&mut self, colon: usize) -> Result<()> {
        self.at = colon;
        self.is_key_allowed = false;
        self.expect_colon(colon)
    }
}

#[inline]
fn push(run: &mut Run, kind: PieceKind, start: usize, end: usize) -> Result<()> {
    if run.len() == run.capacity() {
        reserve(run)?;
    }
    run.push(Piece { kind, span: Extent::new(start..end) });
    Ok(())
}

#[cold]
fn reserve(run: &mut Run) -> Result<()> {
    run.try_reserve(64).map_err(|_| Error::out_of_memory(64 * size_of::<Piece>() as u64))
}
