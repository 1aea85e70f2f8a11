//! Start and end of documents, and the handles of tags that their directives declare.

use super::{Event, EventKind, Events, ParserState, Version};
use crate::error::{Error, Result, Status};
use crate::tags;
use crate::tree::Extent;
use crate::yaml::document::quoted_part;
use crate::yaml::scan::{TokenKind, decode_uri, is_in_word};
use std::collections::HashMap;

/// Maximum number of unknown directives that warnings name.
const MAX_IGNORED_DIRECTIVES: usize = 10;

/// The prefixes that tag handles stand for.
#[derive(Default)]
pub(super) struct TagPrefixes<'a> {
    declared: HashMap<&'a str, &'a str>,
}

impl<'a> TagPrefixes<'a> {
    /// Returns the prefix of a handle as it is written.
    fn of(&self, handle: &str) -> Option<&'a str> {
        match self.declared.get(handle) {
            Some(prefix) => Some(prefix),
            None => match handle {
                "" => Some(""),
                "!" => Some("!"),
                "!!" => Some(tags::YAML),
                _ => None,
            },
        }
    }
}

impl Events<'_> {
    /// Reads the start of a document, or the end of the text (`yaml_parser_parse_document_start`).
    pub(super) fn document_start(&mut self, is_first: bool) -> Result<Option<Event>> {
        self.prefixes.declared.clear();
        self.ignored_directives.clear();
        while (!is_first || self.scanner.is_version_1_2()) && self.peek()?.kind == TokenKind::DocumentEnd {
            self.take()?;
        }
        let token = self.peek()?;
        let span = token.span;
        match token.kind {
            TokenKind::StreamEnd => {
                self.state = ParserState::End;
                return Ok(None);
            }
            TokenKind::DocumentEnd if is_first => {
                return Err(self.error("the marker '...' ends a document that has not begun", span.start));
            }
            TokenKind::DocumentStart => {}
            ref kind if is_directive(kind) => {}
            _ if is_first => {
                self.push(ParserState::DocumentEnd)?;
                self.state = ParserState::DocumentContent { start: span.start };
                return Ok(Some(Event::at(EventKind::DocumentStart { version: None }, span)));
            }
            _ => {}
        }
        let is_after_directives = is_directive(&token.kind);
        let version = self.directives()?;
        let token = self.take()?;
        if token.kind != TokenKind::DocumentStart {
            return Err(self.no_document(&token, is_after_directives));
        }
        self.push(ParserState::DocumentEnd)?;
        self.state = ParserState::DocumentContent { start: token.span.end };
        Ok(Some(Event::at(EventKind::DocumentStart { version }, span)))
    }

    /// Reads the directives before a document. Returns the version of YAML that they declare.
    /// Follows `yaml_parser_process_directives`.
    fn directives(&mut self) -> Result<Option<Version>> {
        let mut version = None;
        loop {
            let span = self.peek()?.span;
            let position = span.start;
            match &self.peek()?.kind {
                &TokenKind::VersionDirective { major, minor } => {
                    if version.is_some() {
                        return Err(self.error("a document can have only one %YAML directive", position));
                    }
                    if major != 1 {
                        let message = format!("YAML {major}.{minor} is not supported; this library reads YAML 1.1");
                        return Err(self.error(&message, position));
                    }
                    version = Some(Version { major, minor, position });
                }
                &TokenKind::TagDirective { handle, prefix } => {
                    let text = self.scanner.document().text;
                    let (handle, prefix) = (&text[handle.range()], &text[prefix.range()]);
                    let declared = &mut self.prefixes.declared;
                    declared.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<[&str; 2]>() as u64))?;
                    if declared.insert(handle, prefix).is_some() {
                        let message = format!("the handle '{}' is declared twice", quoted_part(handle));
                        return Err(self.error(&message, position));
                    }
                }
                TokenKind::UnknownDirective => self.ignore_directive(span),
                _ => return Ok(version),
            }
            self.take()?;
        }
    }

    /// Remembers a directive that YAML does not define, unless enough are known for a warning each.
    fn ignore_directive(&mut self, span: Extent) {
        if self.ignored_directives.len() < MAX_IGNORED_DIRECTIVES {
            self.ignored_directives.push(span);
        }
    }

    /// Reads the root of a document, whose content begins at `start` (`yaml_parser_parse_document_content`).
    pub(super) fn document_content(&mut self, start: u32) -> Result<Event> {
        let token = self.peek()?;
        match token.kind {
            TokenKind::VersionDirective { .. }
            | TokenKind::TagDirective { .. }
            | TokenKind::UnknownDirective
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => {
                self.pop();
                Ok(Self::omitted(start))
            }
            _ => self.block_node(false),
        }
    }

    /// Reads the end of a document (`yaml_parser_parse_document_end`).
    pub(super) fn document_end(&mut self) -> Result<Option<Event>> {
        if self.peek()?.kind == TokenKind::DocumentEnd {
            self.take()?;
        }
        self.state = ParserState::DocumentStart { is_first: false };
        Ok(None)
    }

    /// Fails if the handle of a tag is not declared.
    pub(super) fn check_handle(&self, tag: Extent) -> Result<()> {
        let (handle, _) = parts_of(&self.scanner.document().text[tag.range()]);
        match self.prefixes.of(handle) {
            Some(_) => Ok(()),
            None => {
                let message = format!(
                    "no %TAG directive declares the handle '{}' of this tag; quote a text that begins with '!'",
                    quoted_part(handle)
                );
                Err(self.error(&message, tag.start))
            }
        }
    }

    /// Returns a tag in full: the prefix that its handle stands for, and its suffix.
    pub(in crate::yaml) fn full_tag(&self, tag: &str) -> Result<String> {
        let (handle, suffix) = parts_of(tag);
        let prefix = self.prefixes.of(handle);
        let prefix = prefix.ok_or_else(|| Error::new(Status::Internal, "a tag with an unknown handle was accepted"))?;
        let (prefix, suffix) = (decode_uri(prefix)?, decode_uri(suffix)?);
        let mut full = String::new();
        let length = prefix.len() + suffix.len();
        full.try_reserve_exact(length).map_err(|_| Error::out_of_memory(length as u64))?;
        full.push_str(&prefix);
        full.push_str(&suffix);
        Ok(full)
    }
}

fn is_directive(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::VersionDirective { .. } | TokenKind::TagDirective { .. } | TokenKind::UnknownDirective)
}

/// Splits a tag as it is written into its handle (`!`, `!!` or `!name!`; empty if the suffix is the whole tag) and its
/// suffix, in which `%` and two digits stand for a byte.
fn parts_of(tag: &str) -> (&str, &str) {
    if let Some(whole) = tag.strip_prefix("!<") {
        return ("", whole.strip_suffix('>').unwrap_or(whole));
    }
    let word = tag[1..].bytes().take_while(|&byte| is_in_word(byte)).count();
    match tag.as_bytes().get(1 + word) {
        Some(b'!') => tag.split_at(word + 2),
        _ if tag.len() == 1 => ("", tag),
        _ => tag.split_at(1),
    }
}
