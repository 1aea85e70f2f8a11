//! Runs in flow collections, and flow collections in runs.

use super::{Cursor, MAX_LENGTH, MAX_NESTED, PieceKind, Run, push};
use crate::error::Result;
use crate::tree::Style;
use crate::yaml::scan::Scanner;
use crate::yaml::scan::classes::{InPlainFlow, begins_simple, count_of};

/// Flow collections that are open.
#[derive(Clone, Copy, Default)]
struct Nested {
    /// One bit for each, set for mappings. That of the innermost is the lowest.
    kinds: u32,
    count: u32,
    most: u32,
}

impl Nested {
    /// Opens a collection. Returns false if too many are open.
    fn open(&mut self, is_mapping: bool) -> bool {
        self.kinds = self.kinds << 1 | u32::from(is_mapping);
        self.count += 1;
        self.count <= self.most
    }

    /// Closes the innermost collection. Returns whether none is open then.
    fn close(&mut self) -> bool {
        self.kinds >>= 1;
        self.count -= 1;
        self.count == 0
    }

    fn is_mapping(self) -> bool {
        self.kinds & 1 == 1
    }
}

impl Scanner<'_> {
    /// Reads items of a flow sequence. A comma comes before the first one, unless it is the first of all.
    #[inline]
    pub(in crate::yaml) fn scan_flow_items(&mut self, is_first: bool, depth: u32, run: &mut Run) -> Result<()> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && self.flow_level > 0 && run.len() < MAX_LENGTH {
            let Some(item) = self.next_in_flow(needs_comma) else { break };
            if self.scan_plain_items(item, run)? {
                needs_comma = true;
                continue;
            }
            if !self.scan_flow_value(item, b']', depth, run)? {
                break;
            }
            needs_comma = true;
        }
        Ok(())
    }

    /// Reads pairs of a flow mapping. A comma comes before the first one, unless it is the first of all. Returns whether
    /// the last key has no value in the run; its colon comes next then.
    #[inline]
    pub(in crate::yaml) fn scan_flow_pairs(&mut self, is_first: bool, depth: u32, run: &mut Run) -> Result<bool> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && self.flow_level > 0 && run.len() < MAX_LENGTH {
            let Some(Cursor { at, line_start }) = self.next_in_flow(needs_comma) else { break };
            let Some(colon) = self.simple_key::<true>(at, line_start, run)? else { break };
            if !self.scan_flow_value(Cursor { at: self.after_spaces(colon + 1), line_start }, b'}', depth, run)? {
                self.line_start = line_start;
                self.stop_at_colon(colon)?;
                return Ok(true);
            }
            needs_comma = true;
        }
        Ok(false)
    }

    /// Reads plain items of a flow sequence with a comma right after them, and moves to the last comma. Returns whether
    /// there is one.
    #[inline]
    fn scan_plain_items(&mut self, mut item: Cursor, run: &mut Run) -> Result<bool> {
        let length = run.len();
        while run.len() < MAX_LENGTH {
            let Cursor { at: start, line_start } = item;
            let is_plain = match self.bytes.get(start) {
                Some(b'-') => !self.is_blank_or_end(start + 1) && start > line_start,
                Some(b'.') => start > line_start,
                Some(&byte) => begins_simple(byte),
                None => false,
            };
            let end = start + if is_plain { count_of::<InPlainFlow>(&self.bytes[start..]) } else { 0 };
            if end == start || self.bytes.get(end) != Some(&b',') || self.is_blank(end - 1) {
                break;
            }
            push(run, PieceKind::Scalar(Style::Plain), start, end)?;
            self.move_to(Cursor { at: end, line_start });
            item = match self.bytes.get(end + 1..end + 3) {
                Some(&[b' ', byte]) if begins_simple(byte) => Cursor { at: end + 2, line_start },
                _ => self.after_breaks(Cursor { at: end + 1, line_start }),
            };
        }
        Ok(run.len() > length)
    }

    /// Reads the value or item of a flow collection, and moves to the comma or the bracket after it. Returns whether it
    /// was simple; otherwise the run is as before.
    #[inline]
    fn scan_flow_value(&mut self, start: Cursor, bracket: u8, depth: u32, run: &mut Run) -> Result<bool> {
        let length = run.len();
        let end = self.simple_node::<true>(start, depth, run)?;
        let end = end.map(|end| self.after_breaks(end));
        match end.filter(|end| matches!(self.bytes.get(end.at), Some(&byte) if byte == b',' || byte == bracket)) {
            Some(end) => {
                self.move_to(end);
                Ok(true)
            }
            None => {
                run.truncate(length);
                Ok(false)
            }
        }
    }

    /// Reads a flow collection whose entries are simple nodes, and whose pairs have a key and a value. Returns its end.
    pub(super) fn simple_collection(&self, start: Cursor, depth: u32, run: &mut Run) -> Result<Option<Cursor>> {
        let mut nested = Nested { most: depth.min(MAX_NESTED), ..Nested::default() };
        let mut cursor = start;
        loop {
            // An entry or a bracket comes next: at first the bracket that opens the collection.
            let is_closing = nested.count > 0 && self.is_closing(cursor.at, nested);
            if !is_closing {
                let is_whole = self.simple_entry(&mut cursor, nested, run)?;
                if run.len() >= MAX_LENGTH {
                    return Ok(None);
                }
                match is_whole {
                    None => return Ok(None),
                    Some(true) => {}
                    Some(false) => {
                        if !self.open_bracket(&mut cursor, &mut nested, run)? {
                            return Ok(None);
                        }
                        continue;
                    }
                }
            }
            while self.is_closing(cursor.at, nested) {
                push(run, PieceKind::CollectionEnd, cursor.at, cursor.at + 1)?;
                cursor.at += 1;
                if nested.close() {
                    return Ok(Some(cursor));
                }
                cursor = self.after_breaks(cursor);
            }
            if self.bytes.get(cursor.at) != Some(&b',') {
                return Ok(None);
            }
            cursor = self.after_breaks(Cursor { at: cursor.at + 1, ..cursor });
        }
    }

    /// Reads an entry of a flow collection, and moves after it and the blanks that follow. If its value is a collection,
    /// moves to the bracket, and returns false. Returns nothing if the entry is not simple.
    #[inline]
    fn simple_entry(&self, cursor: &mut Cursor, nested: Nested, run: &mut Run) -> Result<Option<bool>> {
        if self.may_be_marker(*cursor) {
            return Ok(None);
        }
        if nested.is_mapping() {
            let Some(colon) = self.simple_key::<true>(cursor.at, cursor.line_start, run)? else { return Ok(None) };
            cursor.at = self.after_spaces(colon + 1);
        }
        let Some(at) = self.after_properties(cursor.at, run)? else { return Ok(None) };
        cursor.at = at;
        if matches!(self.bytes.get(at), Some(b'[' | b'{')) {
            return Ok(Some(false));
        }
        let Some(end) = self.simple_scalar::<true>(at, run)? else { return Ok(None) };
        *cursor = self.after_breaks(Cursor { at: end, ..*cursor });
        Ok(Some(true))
    }

    /// Reads a bracket that opens a collection, and moves after it and the blanks that follow. Returns false if too many
    /// are open.
    #[inline]
    fn open_bracket(&self, cursor: &mut Cursor, nested: &mut Nested, run: &mut Run) -> Result<bool> {
        let is_mapping = self.bytes.get(cursor.at) == Some(&b'{');
        let start = if is_mapping { PieceKind::MappingStart } else { PieceKind::SequenceStart };
        push(run, start(Style::Flow), cursor.at, cursor.at + 1)?;
        *cursor = self.after_breaks(Cursor { at: cursor.at + 1, ..*cursor });
        Ok(nested.open(is_mapping))
    }

    /// Returns whether the bracket of the innermost open collection stands at a position.
    #[inline]
    fn is_closing(&self, position: usize, nested: Nested) -> bool {
        self.bytes.get(position) == Some(if nested.is_mapping() { &b'}' } else { &b']' })
    }

    /// Returns where the next entry of a flow collection begins, after a comma if `needs_comma` is true.
    #[inline]
    fn next_in_flow(&self, needs_comma: bool) -> Option<Cursor> {
        let mut cursor = Cursor { at: self.at, line_start: self.line_start };
        if needs_comma {
            cursor = self.after_breaks(cursor);
            if self.bytes.get(cursor.at) != Some(&b',') {
                return None;
            }
            cursor.at += 1;
        }
        let cursor = self.after_breaks(cursor);
        (!self.may_be_marker(cursor)).then_some(cursor)
    }

    /// Skips spaces and line breaks.
    #[inline]
    pub(super) fn after_breaks(&self, mut cursor: Cursor) -> Cursor {
        loop {
            cursor.at = self.after_spaces(cursor.at);
            match self.bytes.get(cursor.at) {
                Some(b'\n' | b'\r') => {
                    cursor.at += self.break_length(cursor.at);
                    cursor.line_start = cursor.at;
                }
                _ => return cursor,
            }
        }
    }
}
