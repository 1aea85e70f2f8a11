//! Runs in block collections.

use super::{Cursor, MAX_LENGTH, PieceKind, Run, push};
use crate::error::{Error, Result};
use crate::tree::Style;
use crate::yaml::scan::Scanner;
use crate::yaml::scan::classes::begins_simple;

/// Kind of a block collection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::yaml) enum BlockKind {
    Mapping,
    Sequence,
    /// A sequence at the column of the mapping around it.
    IndentlessSequence,
}

/// A run in block collections.
#[derive(Debug, Default)]
pub(in crate::yaml) struct BlockRun {
    /// The kind of the collection in which the run began, and of those that began in it and have not ended, from outside
    /// to inside.
    pub(in crate::yaml) open: Vec<BlockKind>,
    /// True if the run ends with a key, whose colon comes next.
    pub(in crate::yaml) needs_value: bool,
    /// Maximum number of block collections that may begin in the run and be open.
    depth: u32,
    /// Maximum number of flow collections that may be nested.
    flow_depth: u32,
}

impl BlockRun {
    /// Prepares a run in a collection of this kind, in which so many block and flow collections may be nested.
    pub(in crate::yaml) fn begin(&mut self, kind: BlockKind, depth: u32, flow_depth: u32) -> Result<()> {
        (self.depth, self.flow_depth) = (depth, flow_depth);
        self.open.clear();
        self.open(kind)
    }

    fn open(&mut self, kind: BlockKind) -> Result<()> {
        self.open.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<BlockKind>() as u64))?;
        self.open.push(kind);
        Ok(())
    }

    /// Returns whether one more block collection may begin.
    fn has_room(&self) -> bool {
        self.open.len() <= self.depth as usize
    }
}

impl Scanner<'_> {
    /// Reads entries of a block collection, and of the block collections in them. The scanner stands after the dash of an
    /// item if the collection is a sequence, otherwise before a key.
    #[inline]
    pub(in crate::yaml) fn scan_block_run(&mut self, block: &mut BlockRun, run: &mut Run) -> Result<()> {
        run.clear();
        block.needs_value = false;
        if !self.may_begin_run() || self.flow_level > 0 {
            return Ok(());
        }
        if block.open.first() == Some(&BlockKind::Mapping) {
            self.skip_to_token();
        } else if !self.scan_content(self.at, block, run)? {
            return Ok(());
        }
        while run.len() < MAX_LENGTH && self.is_key_allowed {
            let Some(&kind) = block.open.last() else { return Ok(()) };
            let column = self.column();
            if kind == BlockKind::Mapping && column == self.indent {
                let Some(colon) = self.simple_key::<false>(self.at, self.line_start, run)? else { return Ok(()) };
                if !self.scan_content(colon + 1, block, run)? {
                    block.needs_value = true;
                    return self.stop_at_colon(colon);
                }
            } else if kind != BlockKind::Mapping && column == self.indent && self.is_dash(self.at) {
                if !self.scan_content(self.at + 1, block, run)? {
                    return Ok(());
                }
            } else if block.open.len() > 1 && (column < self.indent || kind == BlockKind::IndentlessSequence) {
                if kind != BlockKind::IndentlessSequence {
                    self.outdent();
                }
                block.open.pop();
                push(run, PieceKind::CollectionEnd, self.at, self.at)?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads what follows after a colon or a dash: a simple node, nothing, or the start of a block collection. Moves to
    /// the next token. Returns false if it is neither; the run and the scanner are then as before.
    #[inline]
    fn scan_content(&mut self, after_indicator: usize, block: &mut BlockRun, run: &mut Run) -> Result<bool> {
        let length = run.len();
        let start = Cursor { at: self.after_spaces(after_indicator), line_start: self.line_start };
        if start.at > after_indicator
            && let Some(end) = self.simple_node::<false>(start, block.flow_depth, run)?
            && self.end_line(end, run.last().is_some_and(|last| last.kind == PieceKind::Scalar(Style::Plain)))
        {
            return Ok(true);
        }
        run.truncate(length);
        let is_simple = block.has_room() && self.scan_block_start(after_indicator, block, run)?;
        if !is_simple {
            run.truncate(length);
        }
        Ok(is_simple)
    }

    /// Reads the start of a block collection, and its tag and anchor, after a colon or a dash. Moves to its first entry.
    /// For an omitted value, it reads tag and anchor only.
    fn scan_block_start(&mut self, after_indicator: usize, block: &mut BlockRun, run: &mut Run) -> Result<bool> {
        let before = Cursor { at: self.at, line_start: self.line_start };
        let start = self.after_spaces(after_indicator);
        let is_item = block.open.last() != Some(&BlockKind::Mapping);
        if is_item && start > after_indicator && (self.is_simple_key(start) || self.is_dash(start)) {
            let kind = if self.is_dash(start) { BlockKind::Sequence } else { BlockKind::Mapping };
            self.move_to(Cursor { at: start, ..before });
            return self.begin_in_run(kind, block, run);
        }
        let length = run.len();
        let Some(end) = self.after_properties(start, run)? else { return Ok(false) };
        self.move_to(Cursor { at: end, ..before });
        // A tab is an error where a key may begin: right after a dash.
        self.is_key_allowed = is_item && end == start;
        self.skip_to_token();
        let column = self.column();
        let kind = if self.line_start == before.line_start {
            None
        } else if column > self.indent && self.is_simple_key(self.at) {
            Some(BlockKind::Mapping)
        } else if column > self.indent && self.is_dash(self.at) {
            Some(BlockKind::Sequence)
        } else if column == self.indent && !is_item && self.is_dash(self.at) {
            Some(BlockKind::IndentlessSequence)
        } else {
            None
        };
        match kind {
            Some(kind) => self.begin_in_run(kind, block, run),
            None if self.line_start > before.line_start && self.begins_entry_after(block.open.last()) => {
                let position = run[length..].last().map_or(after_indicator, |property| property.span.end as usize);
                push(run, PieceKind::Omitted, position, position)?;
                Ok(true)
            }
            None => {
                self.move_to(before);
                self.is_key_allowed = true;
                Ok(false)
            }
        }
    }

    /// Returns whether the current position surely begins the next entry of the collection, or of a collection around it.
    /// It is in a line after that of the key or the dash.
    fn begins_entry_after(&self, kind: Option<&BlockKind>) -> bool {
        let column = self.column();
        if column == self.indent {
            return kind != Some(&BlockKind::Sequence) && self.is_simple_key(self.at)
                || kind != Some(&BlockKind::Mapping) && self.is_dash(self.at);
        }
        column < self.indent
            && !self.may_be_marker(Cursor { at: self.at, line_start: self.line_start })
            && self.bytes.get(self.at).is_some_and(|&byte| begins_simple(byte))
    }

    fn begin_in_run(&mut self, kind: BlockKind, block: &mut BlockRun, run: &mut Run) -> Result<bool> {
        block.open(kind)?;
        if kind != BlockKind::IndentlessSequence {
            self.indent_to(self.column())?;
        }
        let is_mapping = kind == BlockKind::Mapping;
        let start = if is_mapping { PieceKind::MappingStart } else { PieceKind::SequenceStart };
        push(run, start(Style::Block), self.at, self.at)?;
        self.is_key_allowed = true;
        Ok(true)
    }

    /// Returns whether the dash of an item stands at a position.
    #[inline]
    fn is_dash(&self, position: usize) -> bool {
        self.bytes.get(position) == Some(&b'-') && self.is_blank_or_end(position + 1)
    }

    /// Moves from the end of a node of a block collection to the next token. Returns false if the node does not end there.
    #[inline]
    fn end_line(&mut self, end: Cursor, is_plain: bool) -> bool {
        let line_start = end.at + 1;
        let next = self.after_spaces(line_start);
        if self.bytes.get(end.at) == Some(&b'\n')
            && (next - line_start) as isize <= self.indent
            && self.bytes.get(next).is_some_and(|&byte| begins_simple(byte) || byte == b'-')
        {
            self.move_to(Cursor { at: next, line_start });
            self.is_key_allowed = true;
            return true;
        }
        let at = self.after_blanks(end.at);
        match self.bytes.get(at) {
            Some(b'\n' | b'\r') if is_plain => match self.next_line(at) {
                Some(next) => {
                    self.move_to(next);
                    self.is_key_allowed = true;
                }
                None => return false,
            },
            None | Some(b'\n' | b'\r' | b'#') => self.move_to(Cursor { at, ..end }),
            _ => return false,
        }
        // A line may begin with a byte order mark.
        if matches!(self.bytes.get(self.at), Some(b'\n' | b'\r' | b'#' | 0xEF)) {
            self.skip_to_token();
        }
        true
    }

    /// Returns the first character after a line break at `at` and the empty lines that follow it, unless it can continue
    /// a plain scalar.
    #[inline]
    fn next_line(&self, mut at: usize) -> Option<Cursor> {
        loop {
            let line_start = at + self.break_length(at);
            at = self.after_spaces(line_start);
            match self.bytes.get(at) {
                Some(b'\n' | b'\r') => {}
                Some(b'\t') => return None,
                Some(_) if (at - line_start) as isize > self.indent => return None,
                _ => return Some(Cursor { at, line_start }),
            }
        }
    }
}
