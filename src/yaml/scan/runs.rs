//! Runs: simple scalars one after another, found without tokens.
//!
//! Most lines of a tree are `key: value` or `- item`, and most lists hold numbers. A run holds the byte ranges of such
//! scalars. Each of them stands in one line, is plain or quoted without escapes, and has neither tag nor anchor. Anything
//! else ends the run, and the scanner goes on with tokens. So a run never decides what is an error.

use super::Scanner;
use super::classes::{InDoubleQuoted, InPlainBlock, InPlainFlow, InSingleQuoted, begins_simple, count_of};
use crate::error::{Error, Result};
use crate::tree::Extent;

/// Maximum number of scalars in a run.
const MAX_LENGTH: usize = 4096;
/// Maximum length of a key in a run in bytes.
const MAX_KEY: usize = 256;

/// A position in the text, and the start of its line.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    line_start: usize,
}

/// A key in a run.
struct Key {
    end: usize,
    colon: usize,
}

impl Scanner<'_> {
    /// Reads items of a block sequence, after the `-` of the first one.
    #[inline]
    pub(in crate::yaml) fn scan_items(&mut self, run: &mut Vec<Extent>) -> Result<()> {
        run.clear();
        if !self.may_begin_run() {
            return Ok(());
        }
        let column = self.at - self.line_start;
        let mut after_dash = self.at;
        while self.bytes.get(after_dash) == Some(&b' ') && run.len() < MAX_LENGTH {
            let start = self.after_spaces(after_dash);
            let Some(end) = self.end_of_simple::<false>(start) else { break };
            if !self.end_line(start, end) {
                break;
            }
            push(run, start, end)?;
            after_dash = self.at + 1;
            if after_dash - self.line_start != column || self.bytes.get(self.at) != Some(&b'-') {
                break;
            }
        }
        Ok(())
    }

    /// Reads pairs of a block mapping: keys and values in turn. If the last key has no value in the run, its colon comes
    /// next.
    #[inline]
    pub(in crate::yaml) fn scan_pairs(&mut self, run: &mut Vec<Extent>) -> Result<()> {
        run.clear();
        if !self.may_begin_run() {
            return Ok(());
        }
        self.skip_to_token();
        while self.is_key_allowed && self.column() == self.indent && run.len() < MAX_LENGTH {
            let start = self.at;
            let Some(key) = self.simple_key::<false>(start, self.line_start) else { break };
            push(run, start, key.end)?;
            let value = self.after_spaces(key.colon + 1);
            match self.end_of_simple::<false>(value) {
                Some(end) if self.end_line(value, end) => push(run, value, end)?,
                _ => return self.stop_at_colon(key.colon),
            }
        }
        Ok(())
    }

    /// Reads items of a flow sequence. A comma comes before the first one, unless it is the first of all.
    #[inline]
    pub(in crate::yaml) fn scan_flow_items(&mut self, is_first: bool, run: &mut Vec<Extent>) -> Result<()> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && run.len() < MAX_LENGTH {
            let Some(Place { at: start, line_start }) = self.next_in_flow(needs_comma) else { break };
            let end = self.end_of_simple::<true>(start);
            let after = end.and_then(|end| self.end_of_entry(end, line_start, b']'));
            let (Some(end), Some(after)) = (end, after) else { break };
            push(run, start, end)?;
            self.move_to(after);
            needs_comma = true;
        }
        Ok(())
    }

    /// Reads pairs of a flow mapping: keys and values in turn. A comma comes before the first one, unless it is the first
    /// of all. If the last key has no value in the run, its colon comes next.
    #[inline]
    pub(in crate::yaml) fn scan_flow_pairs(&mut self, is_first: bool, run: &mut Vec<Extent>) -> Result<()> {
        run.clear();
        let mut needs_comma = !is_first;
        while self.may_begin_run() && run.len() < MAX_LENGTH {
            let Some(Place { at: start, line_start }) = self.next_in_flow(needs_comma) else { break };
            let Some(key) = self.simple_key::<true>(start, line_start) else { break };
            push(run, start, key.end)?;
            let value = self.after_spaces(key.colon + 1);
            let end = self.end_of_simple::<true>(value);
            let after = end.and_then(|end| self.end_of_entry(end, line_start, b'}'));
            let (Some(end), Some(after)) = (end, after) else {
                self.line_start = line_start;
                return self.stop_at_colon(key.colon);
            };
            push(run, value, end)?;
            self.move_to(after);
            needs_comma = true;
        }
        Ok(())
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
    fn stop_at_colon(&mut self, colon: usize) -> Result<()> {
        self.colons.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<usize>() as u64))?;
        self.colons.push(colon);
        self.at = colon;
        self.is_key_allowed = false;
        Ok(())
    }

    /// Returns the end of a scalar that ends in its line and needs no decoding.
    #[inline]
    fn end_of_simple<const IN_FLOW: bool>(&self, start: usize) -> Option<usize> {
        match *self.bytes.get(start)? {
            quote @ (b'\'' | b'"') => self.end_of_simple_quoted(start, quote),
            b'-' if self.is_blank_or_end(start + 1) => None,
            byte if begins_simple(byte) => self.end_of_simple_plain::<IN_FLOW>(start),
            _ => None,
        }
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
                Some(b':' | b'#' | 0xC2 | 0xE2) => end += 1,
                _ => break,
            }
        }
        while self.is_blank(end - 1) {
            end -= 1;
        }
        Some(end)
    }

    /// Returns the ends of the key at `start` and of the blanks after it, if it is simple.
    #[inline]
    fn simple_key<const IN_FLOW: bool>(&self, start: usize, line_start: usize) -> Option<Key> {
        if start == line_start && matches!(self.bytes.get(start), Some(b'-' | b'.')) {
            return None;
        }
        let end = self.end_of_simple::<IN_FLOW>(start)?;
        let colon = self.after_spaces(end);
        let is_key =
            self.bytes.get(colon) == Some(&b':') && self.is_blank_or_end(colon + 1) && colon - start <= MAX_KEY;
        is_key.then_some(Key { end, colon })
    }

    /// Moves after a scalar of a block collection, to the next token. Returns false if the scalar does not end there.
    #[inline]
    fn end_line(&mut self, start: usize, end: usize) -> bool {
        let at = end + count_of_blanks(&self.bytes[end..]);
        let is_quoted = matches!(self.bytes[start], b'\'' | b'"');
        match self.bytes.get(at) {
            Some(b'\n' | b'\r') if !is_quoted => match self.next_line(at) {
                Some(next) => {
                    self.move_to(next);
                    self.is_key_allowed = true;
                }
                None => return false,
            },
            None | Some(b'\n' | b'\r' | b'#') => {
                self.at = at;
                self.is_key_allowed = false;
            }
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
        // A document may end at the start of a line.
        let may_be_marker = place.at == place.line_start && matches!(self.bytes.get(place.at), Some(b'-' | b'.'));
        (!may_be_marker).then_some(place)
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

    /// Returns where the comma or the bracket after an entry of a flow collection stands.
    #[inline]
    fn end_of_entry(&self, end: usize, line_start: usize, bracket: u8) -> Option<Place> {
        let place = self.after_breaks(Place { at: end, line_start });
        let byte = *self.bytes.get(place.at)?;
        (byte == b',' || byte == bracket).then_some(place)
    }
}

fn count_of_blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

#[inline]
fn push(run: &mut Vec<Extent>, start: usize, end: usize) -> Result<()> {
    if run.len() == run.capacity() {
        run.try_reserve(64).map_err(|_| Error::out_of_memory(64 * size_of::<Extent>() as u64))?;
    }
    run.push(Extent::new(start..end));
    Ok(())
}
