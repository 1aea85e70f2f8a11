//! Simple nodes: keys, scalars, aliases, tags and anchors.

use super::{Cursor, MAX_KEY, PieceKind, Run, push};
use crate::error::Result;
use crate::tree::Style;
use crate::yaml::scan::Scanner;
use crate::yaml::scan::classes::{Class, InDoubleQuoted, InSingleQuoted, begins_simple, count_of, is_in_simple_tag};
use crate::yaml::scan::is_in_word;
use crate::yaml::scan::quoted::{SHORT_ESCAPE, short_escape};

impl Scanner<'_> {
    /// Reads a node: its tag and anchor, and an alias, a scalar or a flow collection. Returns its end. If the node is not
    /// simple, some of its pieces may be in the run.
    #[inline]
    pub(super) fn simple_node<const IN_FLOW: bool>(
        &self,
        start: Cursor,
        depth: u32,
        run: &mut Run,
    ) -> Result<Option<Cursor>> {
        match self.bytes.get(start.at) {
            Some(b'!' | b'&' | b'[' | b'{') => self.simple_other_node::<IN_FLOW>(start, depth, run),
            _ => Ok(self.simple_scalar::<IN_FLOW>(start.at, run)?.map(|at| Cursor { at, ..start })),
        }
    }

    fn simple_other_node<const IN_FLOW: bool>(
        &self,
        start: Cursor,
        depth: u32,
        run: &mut Run,
    ) -> Result<Option<Cursor>> {
        let Some(at) = self.after_properties(start.at, run)? else { return Ok(None) };
        match self.bytes.get(at) {
            Some(b'[' | b'{') => self.simple_collection(Cursor { at, ..start }, depth, run),
            _ => Ok(self.simple_scalar::<IN_FLOW>(at, run)?.map(|at| Cursor { at, ..start })),
        }
    }

    /// Reads the tag and the anchor of a node, if they are there. Returns the position after them and their spaces.
    #[inline]
    pub(super) fn after_properties(&self, mut at: usize, run: &mut Run) -> Result<Option<usize>> {
        let (mut has_tag, mut has_anchor) = (false, false);
        while let Some(&byte @ (b'!' | b'&')) = self.bytes.get(at) {
            let is_tag = byte == b'!';
            let end = if is_tag { self.end_of_simple_tag(at) } else { self.end_of_name(at) };
            let is_second = std::mem::replace(if is_tag { &mut has_tag } else { &mut has_anchor }, true);
            let Some(end) = end.filter(|&end| !is_second && self.is_blank_or_end(end)) else {
                return Ok(None);
            };
            push(run, if is_tag { PieceKind::Tag } else { PieceKind::Anchor }, at, end)?;
            at = self.after_spaces(end);
        }
        if (has_tag || has_anchor) && self.bytes.get(at) == Some(&b'*') {
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
        let is_closed = !is_whole || self.bytes.get(end) == Some(&b'>');
        (length > 0 && is_closed).then_some(end + usize::from(is_whole))
    }

    /// Returns the end of an anchor or alias.
    fn end_of_name(&self, start: usize) -> Option<usize> {
        let length = self.bytes[start + 1..].iter().take_while(|&&byte| is_in_word(byte)).count();
        (length > 0).then_some(start + 1 + length)
    }

    /// Reads a scalar or an alias. Returns its end.
    #[inline(always)]
    pub(super) fn simple_scalar<const IN_FLOW: bool>(&self, start: usize, run: &mut Run) -> Result<Option<usize>> {
        let Some(&byte) = self.bytes.get(start) else { return Ok(None) };
        let (kind, end) = match byte {
            b'-' if self.is_blank_or_end(start + 1) => return Ok(None),
            _ if begins_simple(byte) => {
                (PieceKind::Scalar(Style::Plain), self.end_of_plain_part::<IN_FLOW, true>(start).ok())
            }
            b'\'' => self.simple_quoted::<InSingleQuoted>(start, byte, Style::SingleQuoted),
            b'"' => self.simple_quoted::<InDoubleQuoted>(start, byte, Style::DoubleQuoted),
            b'*' => (PieceKind::Alias, self.end_of_name(start).filter(|&end| self.may_name_end(end))),
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

    /// Returns the kind and the end of a text in quotes, if it ends in its line and its escapes are short.
    #[inline]
    fn simple_quoted<C: Class>(&self, start: usize, quote: u8, style: Style) -> (PieceKind, Option<usize>) {
        let mut kind = PieceKind::Scalar(style);
        let mut end = start + 1;
        loop {
            end += count_of::<C>(&self.bytes[end..]);
            if short_escape(&self.bytes[end..], quote).is_none() {
                return (kind, (self.bytes.get(end) == Some(&quote)).then_some(end + 1));
            }
            kind = PieceKind::Escaped(style);
            end += SHORT_ESCAPE;
        }
    }

    /// Reads a key. Returns the position of its colon.
    #[inline]
    pub(super) fn simple_key<const IN_FLOW: bool>(
        &self,
        start: usize,
        line_start: usize,
        run: &mut Run,
    ) -> Result<Option<usize>> {
        if let Some(end) = self.end_of_plain_key::<IN_FLOW>(start) {
            push(run, PieceKind::Scalar(Style::Plain), start, end)?;
            return Ok(Some(end));
        }
        let length = run.len();
        if self.may_be_marker(Cursor { at: start, line_start }) || self.bytes.get(start) == Some(&b'*') {
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

    /// Returns whether a plain key stands at a position.
    #[inline]
    pub(in crate::yaml::scan) fn is_simple_key(&self, start: usize) -> bool {
        !self.has_unicode_breaks && self.end_of_plain_key::<false>(start).is_some()
    }

    /// Returns the end of the plain key at a position, where its colon stands.
    #[inline]
    fn end_of_plain_key<const IN_FLOW: bool>(&self, start: usize) -> Option<usize> {
        let byte = *self.bytes.get(start)?;
        if !begins_simple(byte) || matches!(byte, b'-' | b'.') {
            return None;
        }
        let end = self.end_of_plain_part::<IN_FLOW, true>(start).ok()?;
        // Only a colon with a blank after it ends a plain scalar.
        (self.bytes.get(end) == Some(&b':') && end - start <= MAX_KEY).then_some(end)
    }

    /// Returns whether a document may end at a position: a marker stands at the start of a line.
    #[inline]
    pub(super) fn may_be_marker(&self, cursor: Cursor) -> bool {
        cursor.at == cursor.line_start && matches!(self.bytes.get(cursor.at), Some(b'-' | b'.'))
    }
}
