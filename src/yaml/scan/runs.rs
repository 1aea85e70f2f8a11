//! Runs: simple nodes one after another, found without tokens.
//!
//! Most lines of a tree are `key: value` or `- item`, and most lists hold numbers. A run holds the pieces of such entries.
//! Their scalars stand in one line, and are plain or quoted without escapes. Anything else ends the run, and the scanner
//! goes on with tokens. So a run never decides what is an error.

use super::classes::{
    InDoubleQuoted, InPlainBlock, InPlainFlow, InSingleQuoted, begins_simple, count_of, is_in_simple_tag,
};
use super::{Scanner, is_in_word};
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
    FlowSequenceStart,
    FlowMappingStart,
    FlowEnd,
}

/// Pieces of a run.
pub(in crate::yaml) type Run = Vec<Piece>;

/// A position in the text, and the start of its line.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    line_start: usize,
}

impl Scanner<'_> {
    /// Reads items of a block sequence, after the `-` of the first one. At most `depth` more flow collections may be
    /// nested.
    #[inline]
    pub(in crate::yaml) fn scan_items(&mut self, depth: u32, run: &mut Run) -> Result<()> {
        run.clear();
        if !self.may_begin_run() {
            return Ok(());
        }
        let column = self.at - self.line_start;
        let mut after_dash = self.at;
        while self.bytes.get(after_dash) == Some(&b' ') && run.len() < MAX_LENGTH {
            if !self.scan_block_value(after_dash, depth, run)? {
                break;
            }
            after_dash = self.at + 1;
            if after_dash - self.line_start != column || self.bytes.get(self.at) != Some(&b'-') {
                break;
            }
        }
        Ok(())
    }

    /// Reads pairs of a block mapping. Returns whether the last key has no value in the run; its colon comes next then.
    #[inline]
    pub(in crate::yaml) fn scan_pairs(&mut self, depth: u32, run: &mut Run) -> Result<bool> {
        run.clear();
        if !self.may_begin_run() {
            return Ok(false);
        }
        self.skip_to_token();
        while self.is_key_allowed && self.column() == self.indent && run.len() < MAX_LENGTH {
            let Some(colon) = self.simple_key::<false>(self.at, self.line_start, run)? else { break };
            if !self.scan_block_value(colon + 1, depth, run)? {
                return self.stop_at_colon(colon);
            }
        }
        Ok(false)
    }

    /// Reads items of a flow sequence. A comma comes before the first one, unless it is the first of all.
    #[inline]
    pub(in crate::yaml) fn scan_flow_items(&mut self, is_first: bool, depth: u32, run: &mut Run) -> Result<()> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && run.len() < MAX_LENGTH {
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
        while self.may_begin_run() && run.len() < MAX_LENGTH {
            let Some(Place { at, line_start }) = self.next_in_flow(needs_comma) else { break };
            let Some(colon) = self.simple_key::<true>(at, line_start, run)? else { break };
            if !self.scan_flow_value(Place { at: self.after_spaces(colon + 1), line_start }, b'}', depth, run)? {
                self.line_start = line_start;
                return self.stop_at_colon(colon);
            }
            needs_comma = true;
        }
        Ok(false)
    }

    /// Reads plain items of a flow sequence with a comma right after them, and moves to the last comma. Returns whether
    /// there is one.
    #[inline]
    fn scan_plain_items(&mut self, mut item: Place, run: &mut Run) -> Result<bool> {
        let length = run.len();
        while run.len() < MAX_LENGTH {
            let Place { at: start, line_start } = item;
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
            self.move_to(Place { at: end, line_start });
            item = match self.bytes.get(end + 1..end + 3) {
                Some(&[b' ', byte]) if begins_simple(byte) => Place { at: end + 2, line_start },
                _ => self.after_breaks(Place { at: end + 1, line_start }),
            };
        }
        Ok(run.len() > length)
    }

    /// Reads the value or item of a block collection after the indicator before it, and moves to the next token. Returns
    /// whether it was simple; otherwise the run is as before.
    #[inline]
    fn scan_block_value(&mut self, after_indicator: usize, depth: u32, run: &mut Run) -> Result<bool> {
        let length = run.len();
        let start = Place { at: self.after_spaces(after_indicator), line_start: self.line_start };
        let is_simple = match self.simple_node::<false>(start, depth, run)? {
            Some(end) => {
                let is_plain = run.last().is_some_and(|last| last.kind == PieceKind::Scalar(Style::Plain));
                self.end_line(end, is_plain)
            }
            None => false,
        };
        if !is_simple {
            run.truncate(length);
        }
        Ok(is_simple)
    }

    /// Reads the value or item of a flow collection, and moves to the comma or the bracket after it. Returns whether it
    /// was simple; otherwise the run is as before.
    #[inline]
    fn scan_flow_value(&mut self, start: Place, bracket: u8, depth: u32, run: &mut Run) -> Result<bool> {
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
    fn move_to(&mut self, place: Place) {
        self.at = place.at;
        self.line_start = place.line_start;
        self.is_key_allowed = false;
    }

    /// Makes the colon after a key the next token.
    fn stop_at_colon(&mut self, colon: usize) -> Result<bool> {
        self.colons.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<usize>() as u64))?;
        self.colons.push(colon);
        self.at = colon;
        self.is_key_allowed = false;
        Ok(true)
    }

    /// Reads a node: its tag and anchor, and an alias, a scalar or a flow collection. Returns its end. If the node is not
    /// simple, some of its pieces may be in the run.
    #[inline]
    fn simple_node<const IN_FLOW: bool>(&self, start: Place, depth: u32, run: &mut Run) -> Result<Option<Place>> {
        match self.bytes.get(start.at) {
            Some(&byte) if begins_simple(byte) => {
                Ok(self.simple_scalar::<IN_FLOW>(start.at, run)?.map(|at| Place { at, ..start }))
            }
            _ => self.simple_other_node::<IN_FLOW>(start, depth, run),
        }
    }

    fn simple_other_node<const IN_FLOW: bool>(&self, start: Place, depth: u32, run: &mut Run) -> Result<Option<Place>> {
        let Some(at) = self.after_properties(start.at, run)? else { return Ok(None) };
        match self.bytes.get(at) {
            Some(b'[' | b'{') => self.simple_collection(Place { at, ..start }, depth, run),
            _ => Ok(self.simple_scalar::<IN_FLOW>(at, run)?.map(|at| Place { at, ..start })),
        }
    }

    /// Reads the tag and the anchor of a node, if they are there. Returns the start of its content.
    #[inline]
    fn after_properties(&self, mut at: usize, run: &mut Run) -> Result<Option<usize>> {
        let mut last = None;
        while let Some(&byte @ (b'!' | b'&')) = self.bytes.get(at) {
            let end = if byte == b'!' { self.end_of_simple_tag(at) } else { self.end_of_name(at) };
            let Some(end) = end.filter(|&end| last != Some(byte) && self.bytes.get(end) == Some(&b' ')) else {
                return Ok(None);
            };
            push(run, if byte == b'!' { PieceKind::Tag } else { PieceKind::Anchor }, at, end)?;
            last = Some(byte);
            at = self.after_spaces(end);
        }
        if last.is_some() && self.bytes.get(at) == Some(&b'*') {
            return Ok(None);
        }
        Ok(Some(at))
    }

    /// Returns the end of a tag with a handle that is always known, and without escapes.
    fn end_of_simple_tag(&self, start: usize) -> Option<usize> {
        let rest = &self.bytes[start + 1..];
        let is_whole = rest.first() == Some(&b'<');
        let first = usize::from(is_whole);
        let length = rest[first..].iter().take_while(|&&byte| is_in_simple_tag(byte)).count();
        let end = start + 1 + first + length;
        match self.bytes.get(end) {
            Some(b'>') if is_whole && length > 0 => Some(end + 1),
            Some(b' ') if !is_whole && length > 0 => Some(end),
            _ => None,
        }
    }

    /// Returns the end of an anchor or alias.
    fn end_of_name(&self, start: usize) -> Option<usize> {
        let length = self.bytes[start + 1..].iter().take_while(|&&byte| is_in_word(byte)).count();
        (length > 0).then_some(start + 1 + length)
    }

    /// Reads a scalar or an alias. Returns its end.
    #[inline]
    fn simple_scalar<const IN_FLOW: bool>(&self, start: usize, run: &mut Run) -> Result<Option<usize>> {
        let Some(&byte) = self.bytes.get(start) else { return Ok(None) };
        let (kind, end) = match byte {
            _ if begins_simple(byte) && byte != b'-' => {
                (PieceKind::Scalar(Style::Plain), self.end_of_simple_plain::<IN_FLOW>(start))
            }
            b'\'' => (PieceKind::Scalar(Style::SingleQuoted), self.end_of_simple_quoted(start, byte)),
            b'"' => (PieceKind::Scalar(Style::DoubleQuoted), self.end_of_simple_quoted(start, byte)),
            b'*' => (PieceKind::Alias, self.end_of_name(start).filter(|&end| self.may_name_end(end))),
            b'-' if !self.is_blank_or_end(start + 1) => {
                (PieceKind::Scalar(Style::Plain), self.end_of_simple_plain::<IN_FLOW>(start))
            }
            _ => return Ok(None),
        };
        if let Some(end) = end {
            push(run, kind, start, end)?;
        }
        Ok(end)
    }

    /// Returns whether the name of an alias may end at a position.
    fn may_name_end(&self, end: usize) -> bool {
        self.is_blank_or_end(end) || matches!(self.bytes.get(end), Some(b',' | b']' | b'}'))
    }

    /// Reads a flow collection whose entries are simple nodes, and whose pairs have a key and a value. Returns its end.
    fn simple_collection(&self, start: Place, depth: u32, run: &mut Run) -> Result<Option<Place>> {
        let most = depth.min(MAX_NESTED);
        // One bit for each open collection; the innermost is the lowest. It is set for mappings.
        let mut open = 0_u32;
        let mut count = 0;
        let mut place = start;
        loop {
            // A bracket that opens is next.
            let is_mapping = self.bytes.get(place.at) == Some(&b'{');
            if count == most || run.len() >= MAX_LENGTH {
                return Ok(None);
            }
            open = open << 1 | u32::from(is_mapping);
            count += 1;
            let kind = if is_mapping { PieceKind::FlowMappingStart } else { PieceKind::FlowSequenceStart };
            push(run, kind, place.at, place.at + 1)?;
            place = self.after_breaks(Place { at: place.at + 1, ..place });
            let mut is_entry = !self.is_closing(place.at, open);
            // Entries follow until a bracket opens.
            loop {
                if is_entry {
                    if self.may_be_marker(place) || run.len() >= MAX_LENGTH {
                        return Ok(None);
                    }
                    if open & 1 == 1 {
                        let Some(colon) = self.simple_key::<true>(place.at, place.line_start, run)? else {
                            return Ok(None);
                        };
                        place.at = self.after_spaces(colon + 1);
                    }
                    let Some(at) = self.after_properties(place.at, run)? else { return Ok(None) };
                    place.at = at;
                    if matches!(self.bytes.get(at), Some(b'[' | b'{')) {
                        break;
                    }
                    let Some(end) = self.simple_scalar::<true>(at, run)? else { return Ok(None) };
                    place = self.after_breaks(Place { at: end, ..place });
                }
                if !is_entry && self.is_closing(place.at, open) {
                    push(run, PieceKind::FlowEnd, place.at, place.at + 1)?;
                    (open, count) = (open >> 1, count - 1);
                    place.at += 1;
                    if count == 0 {
                        return Ok(Some(place));
                    }
                    place = self.after_breaks(place);
                }
                is_entry = match self.bytes.get(place.at) {
                    Some(b',') => {
                        place = self.after_breaks(Place { at: place.at + 1, ..place });
                        !self.is_closing(place.at, open)
                    }
                    Some(b']' | b'}') if self.is_closing(place.at, open) => false,
                    _ => return Ok(None),
                };
            }
        }
    }

    /// Returns whether the bracket of the innermost open collection stands at a position.
    #[inline]
    fn is_closing(&self, position: usize, open: u32) -> bool {
        self.bytes.get(position) == Some(if open & 1 == 1 { &b'}' } else { &b']' })
    }

    fn end_of_simple_quoted(&self, start: usize, quote: u8) -> Option<usize> {
        let rest = &self.bytes[start + 1..];
        let length = if quote == b'"' { count_of::<InDoubleQuoted>(rest) } else { count_of::<InSingleQuoted>(rest) };
        let is_doubled = quote == b'\'' && rest.get(length + 1) == Some(&quote);
        (rest.get(length) == Some(&quote) && !is_doubled).then_some(start + length + 2)
    }

    #[inline]
    fn end_of_simple_plain<const IN_FLOW: bool>(&self, start: usize) -> Option<usize> {
        let mut end = start;
        loop {
            let rest = &self.bytes[end..];
            end += if IN_FLOW { count_of::<InPlainFlow>(rest) } else { count_of::<InPlainBlock>(rest) };
            match self.bytes.get(end) {
                Some(b':') if self.is_blank_or_end(end + 1) => break,
                Some(b':') if IN_FLOW && matches!(self.bytes[end + 1], b',' | b'?' | b'[' | b']' | b'{' | b'}') => {
                    return None;
                }
                Some(b'#') if self.is_blank(end - 1) => break,
                Some(b':' | b'#') => end += 1,
                _ => break,
            }
        }
        while self.is_blank(end - 1) {
            end -= 1;
        }
        Some(end)
    }

    /// Reads a key. Returns the position of its colon.
    #[inline]
    fn simple_key<const IN_FLOW: bool>(&self, start: usize, line_start: usize, run: &mut Run) -> Result<Option<usize>> {
        let length = run.len();
        if self.may_be_marker(Place { at: start, line_start }) || self.bytes.get(start) == Some(&b'*') {
            return Ok(None);
        }
        let Some(end) = self.simple_scalar::<IN_FLOW>(start, run)? else { return Ok(None) };
        let colon = self.after_spaces(end);
        let is_key =
            self.bytes.get(colon) == Some(&b':') && self.is_blank_or_end(colon + 1) && colon - start <= MAX_KEY;
        if !is_key {
            run.truncate(length);
        }
        Ok(is_key.then_some(colon))
    }

    /// Returns whether a simple key stands at a position: a scalar with a colon after it.
    #[inline]
    pub(super) fn is_simple_key(&self, start: usize) -> bool {
        let end = match self.bytes.get(start) {
            Some(&byte) if begins_simple(byte) && !matches!(byte, b'-' | b'.') => {
                self.end_of_simple_plain::<false>(start)
            }
            _ => None,
        };
        end.is_some_and(|end| self.bytes.get(end) == Some(&b':') && end - start <= MAX_KEY && !self.has_unicode_breaks)
    }

    /// Returns whether a document may end at a position: a marker stands at the start of a line.
    #[inline]
    fn may_be_marker(&self, place: Place) -> bool {
        place.at == place.line_start && matches!(self.bytes.get(place.at), Some(b'-' | b'.'))
    }

    /// Moves from the end of a node of a block collection to the next token. Returns false if the node does not end there.
    #[inline]
    fn end_line(&mut self, end: Place, is_plain: bool) -> bool {
        let at = end.at + count_of_blanks(&self.bytes[end.at..]);
        match self.bytes.get(at) {
            Some(b'\n' | b'\r') if is_plain => match self.next_line(at) {
                Some(next) => {
                    self.move_to(next);
                    self.is_key_allowed = true;
                }
                None => return false,
            },
            None | Some(b'\n' | b'\r' | b'#') => self.move_to(Place { at, ..end }),
            _ => return false,
        }
        if matches!(self.bytes.get(self.at), Some(b'\n' | b'\r' | b'#')) {
            self.skip_to_token();
        }
        true
    }

    /// Returns the first character after a line break at `at` and the empty lines that follow it, unless it can continue
    /// a plain scalar.
    #[inline]
    fn next_line(&self, mut at: usize) -> Option<Place> {
        loop {
            let line_start = at + self.break_length(at);
            at = self.after_spaces(line_start);
            match self.bytes.get(at) {
                Some(b'\n' | b'\r') => {}
                Some(b'\t') => return None,
                Some(_) if (at - line_start) as isize > self.indent => return None,
                _ => return Some(Place { at, line_start }),
            }
        }
    }

    /// Returns where the next entry of a flow collection begins, after a comma if `needs_comma` is true.
    #[inline]
    fn next_in_flow(&self, needs_comma: bool) -> Option<Place> {
        let mut place = Place { at: self.at, line_start: self.line_start };
        if needs_comma {
            place = self.after_breaks(place);
            if self.bytes.get(place.at) != Some(&b',') {
                return None;
            }
            place.at += 1;
        }
        let place = self.after_breaks(place);
        (!self.may_be_marker(place)).then_some(place)
    }

    /// Skips spaces and line breaks.
    #[inline]
    fn after_breaks(&self, mut place: Place) -> Place {
        loop {
            place.at = self.after_spaces(place.at);
            match self.bytes.get(place.at) {
                Some(b'\n' | b'\r') => {
                    place.at += self.break_length(place.at);
                    place.line_start = place.at;
                }
                _ => return place,
            }
        }
    }
}

fn count_of_blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

#[inline]
fn push(run: &mut Run, kind: PieceKind, start: usize, end: usize) -> Result<()> {
    if run.len() == run.capacity() {
        run.try_reserve(64).map_err(|_| Error::out_of_memory(64 * size_of::<Piece>() as u64))?;
    }
    run.push(Piece { kind, span: Extent::new(start..end) });
    Ok(())
}
