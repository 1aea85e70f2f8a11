//! Errors in context: they name the value that was being read, and stand at the text to mend.
//!
//! The scanner and the events know one token. The builder knows the open collections and the nodes before the token, so
//! it also finds faults that show only later: a bracket or a quote that is not closed, a text that goes on in the next
//! line.

use super::{Builder, OpenCollection};
use crate::error::{Error, Status};
use crate::tree::{Kind, NodeId, Style};
use crate::yaml::document::quoted_part;
use std::ops::Range;

/// A fault and its position.
struct Cause {
    position: usize,
    message: String,
    /// Number of open collections that contain the position.
    depth: usize,
}

impl Builder<'_> {
    /// Adds to an error its place in the file, and what was being read there. The byte offset of the error is a position
    /// in the text. The events found a token that cannot stand there if `has_misplaced_token` is true.
    #[cold]
    pub(super) fn in_context(&self, error: Error, has_misplaced_token: bool) -> Error {
        let offset = error.location().offset;
        let Some(position) = offset.and_then(|offset| usize::try_from(offset).ok()) else { return error };
        let status = error.status();
        if !matches!(status, Status::Yaml | Status::Tree | Status::TagContent) {
            return self.document.locate(error.unplaced(), position);
        }
        let cause = self.earlier_cause(position, has_misplaced_token).unwrap_or_else(|| Cause {
            position,
            message: error.message().to_owned(),
            depth: self.open.len(),
        });
        let context = self.what_was_read(cause.position, cause.depth).unwrap_or_default();
        let error = Error::new(status, format!("{context}{}", cause.message));
        self.document.locate(error, cause.position)
    }

    /// Returns the cause of an error at a position if it is not the token there.
    fn earlier_cause(&self, position: usize, has_misplaced_token: bool) -> Option<Cause> {
        let byte = self.bytes().get(position);
        let cannot_begin = matches!(byte, Some(b'|' | b'>' | b'%' | b'@' | b'`' | b'\t'));
        if has_misplaced_token || cannot_begin && self.is_in_flow() {
            let cause = self.unclosed_bracket(position).or_else(|| self.early_quote(position));
            if cause.is_some() {
                return cause;
            }
        }
        if byte == Some(&b':') && !self.is_in_flow() {
            return self.early_quote(position).or_else(|| self.colon_after_text(position));
        }
        None
    }

    /// Finds a bracket that is not closed: the text ends, or goes on at the column of the entries around the bracket.
    fn unclosed_bracket(&self, position: usize) -> Option<Cause> {
        let (depth, open) =
            self.open.iter().enumerate().rev().find(|(_, open)| self.opening_bracket(open).is_some())?;
        if depth + 1 < self.open.len() && !self.is_in_flow() {
            return None;
        }
        let start = self.span(open.id).start;
        let bracket = self.opening_bracket(open)?;
        let closing = if bracket == '[' { ']' } else { '}' };
        let line = self.line_start(position);
        let around = self.open[..depth].iter().rev().find(|open| self.tree.style(open.id) == Style::Block);
        let around = around.map(|open| self.column(self.span(open.id).start));
        let rest = &self.bytes()[position.min(self.bytes().len())..];
        let is_end = rest.is_empty() || position == line && (rest.starts_with(b"---") || rest.starts_with(b"..."));
        let message = if is_end {
            format!("this '{bracket}' has no closing '{closing}'")
        } else if line > start && around.is_some_and(|column| self.indentation(line) <= column) {
            let line = self.document.line_of(position);
            format!("this '{bracket}' has no closing '{closing}' before line {line}, or a ',' is missing there")
        } else {
            return None;
        };
        Some(Cause { position: start, message, depth })
    }

    /// Finds a text in quotes with more text after its closing quote.
    fn early_quote(&self, position: usize) -> Option<Cause> {
        let node = self.scalar_before(position)?;
        let span = self.span(node);
        let example = match self.tree.style(node) {
            Style::SingleQuoted => "''",
            Style::DoubleQuoted => "\\\"",
            _ => return None,
        };
        let (line, last_line) = (self.line_start(position), self.line_start(span.end));
        let byte = *self.bytes().get(position)?;
        let cause = |position, message| Some(Cause { position, message, depth: self.open.len() });
        if last_line < line {
            None
        } else if span.start < line && byte == b':' && self.is_blank(position + 1) {
            cause(span.start, "a key must end in the line in which it begins; is a closing quote missing?".to_owned())
        } else if span.start < line {
            let line = self.document.line_of(position);
            let message = "where other text follows it; is a quote missing?";
            cause(span.start, format!("this text in quotes ends in line {line}, {message}"))
        } else if byte == b':' && position == span.end && !self.is_blank(position + 1) {
            cause(position, "a blank must follow the ':' after a key".to_owned())
        } else if matches!(byte, b':' | b',' | b'[' | b']' | b'{' | b'}') {
            None
        } else if self.is_in_flow() {
            cause(position, format!("a ',' is missing before this text; write a quote within a text as {example}"))
        } else {
            cause(position, format!("text stands after the closing quote; write a quote within the text as {example}"))
        }
    }

    /// Finds the reason why no key may stand before the colon at a position, after a plain text.
    fn colon_after_text(&self, position: usize) -> Option<Cause> {
        let node = self.scalar_before(position).filter(|&node| self.tree.style(node) == Style::Plain)?;
        let start = self.span(node).start;
        let (first, line) = (self.line_start(start), self.line_start(position));
        let depth = self.open.len();
        let cause = |position: usize, message: &str| Some(Cause { position, message: message.to_owned(), depth });
        if position == line + self.indentation(line) {
            return None;
        }
        if first == line {
            return if start == line + self.indentation(line) {
                cause(start, "a key can have at most 1,024 characters; write a longer one after '? '")
            } else {
                cause(position, "a text that contains ': ' must be quoted; a mapping begins in the next line")
            };
        }
        let column = self.indentation(line);
        if start == first + self.indentation(first) && column == self.column(start) {
            let number = self.document.line_of(position);
            let message = format!("this is no key with ': ', so the text goes on to line {number}, which has a ': '");
            return cause(start, &message);
        }
        cause(
            line + column,
            "this line is indented like a part of the text before it; indent a key like its neighbours",
        )
    }

    /// Returns the innermost value or list that contains a position, as the beginning of a message. The position is in
    /// the first `depth` open collections.
    fn what_was_read(&self, position: usize, depth: usize) -> Option<String> {
        let line = self.line_start(position);
        let is_left = |open: &OpenCollection| {
            let start = self.span(open.id).start;
            self.tree.style(open.id) == Style::Block && start < line && self.column(start) > self.indentation(line)
        };
        let left = self.open[..depth].iter().rev().take_while(|open| is_left(open)).count();
        let depth = depth - left;
        for (index, open) in self.open[..depth].iter().enumerate().rev().filter(|(_, open)| open.is_mapping) {
            let end = self.open.get(index + 1).map_or(self.pending.len(), |inner| inner.first);
            let children = &self.pending[open.first..end];
            let is_complete = children.len().is_multiple_of(2);
            let Some(&key) = children.chunks(2).next_back().and_then(|pair| pair.first()) else { continue };
            let is_after = is_complete && index + 1 == depth && line > self.content_end as usize;
            let relation = if is_after { "after" } else { "in" };
            return Some(format!("{relation} the value of {}: ", self.key_and_line(key, line)?));
        }
        let list = self.open[..depth].first()?;
        let start = self.span(list.id).start;
        (!list.is_mapping && start < line)
            .then(|| format!("in the list that begins in line {}: ", self.document.line_of(start)))
    }

    /// Returns a key for a message, with its line unless that begins at `line`.
    fn key_and_line(&self, key: NodeId, line: usize) -> Option<String> {
        let start = self.span(key).start;
        let key = self.tree.dealias(key);
        if self.tree.kind(key) != Kind::Scalar {
            return None;
        }
        let name = quoted_part(self.tree.text(key));
        match self.line_start(start) == line {
            true => Some(format!("'{name}'")),
            false => Some(format!("'{name}', begun in line {}", self.document.line_of(start))),
        }
    }

    /// Returns the last node, if it is a scalar and only blanks and line breaks stand between it and a position.
    fn scalar_before(&self, position: usize) -> Option<NodeId> {
        let node = self.pending.last().copied().unwrap_or(self.tree.root());
        self.tree.check(node).ok()?;
        let between = self.bytes().get(self.span(node).end..position)?;
        let is_scalar = self.tree.kind(node) == Kind::Scalar;
        (is_scalar && between.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))).then_some(node)
    }

    /// Returns the bracket that begins an open collection, if one does.
    fn opening_bracket(&self, open: &OpenCollection) -> Option<char> {
        let byte = *self.bytes().get(self.span(open.id).start)?;
        (self.tree.style(open.id) == Style::Flow && matches!(byte, b'[' | b'{')).then(|| char::from(byte))
    }

    fn is_in_flow(&self) -> bool {
        self.open.last().is_some_and(|open| self.tree.style(open.id) == Style::Flow)
    }

    fn span(&self, id: NodeId) -> Range<usize> {
        self.tree.span(id).unwrap_or_default()
    }

    fn bytes(&self) -> &[u8] {
        self.document.text.as_bytes()
    }

    fn is_blank(&self, position: usize) -> bool {
        matches!(self.bytes().get(position), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
    }

    /// Returns the position of the first character of the line of a position.
    fn line_start(&self, position: usize) -> usize {
        let before = &self.bytes()[..position.min(self.bytes().len())];
        before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |found| found + 1)
    }

    fn column(&self, position: usize) -> usize {
        position - self.line_start(position)
    }

    /// Returns the number of spaces at the beginning of the line that begins at a position.
    fn indentation(&self, line: usize) -> usize {
        self.bytes()[line..].iter().take_while(|&&byte| byte == b' ').count()
    }
}
