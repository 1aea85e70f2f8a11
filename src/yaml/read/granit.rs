//! Syntax engine based on the crate `granit-parser`; no other file names this crate.

use super::engine::{Engine, Event, EventKind};
use super::source::Document;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::tree::Style;
use granit_parser::{ErrorKind, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle, Tag};
use std::borrow::Cow;

pub(crate) struct GranitEngine<'a> {
    parser: Parser<'a, StrInput<'a>>,
    document: Document<'a>,
    depth: u32,
}

impl<'a> GranitEngine<'a> {
    /// Creates an engine for a text whose collections are nested at most `depth` deep. Positions refer to `document`.
    pub(crate) fn new(text: &'a str, document: Document<'a>, depth: u32) -> GranitEngine<'a> {
        let options = granit_parser::options! {
            // Most trees have no anchors, and anchor events slow down every event.
            emit_anchor_events: memchr::memchr(b'&', document.text.as_bytes()).is_some(),
            emit_comments: false,
            flow_nesting_limit: depth as usize,
            block_nesting_limit: depth as usize,
        };
        GranitEngine { parser: Parser::new_from_str_with_options(text, options), document, depth }
    }

    fn error(&self, error: &ScanError) -> Error {
        let converted = match error.kind() {
            ErrorKind::RecursionLimitExceeded => {
                Limit::Depth.exceeded("the nesting depth of the YAML tree", u64::from(self.depth))
            }
            ErrorKind::UnknownAnchor => {
                Error::new(Status::Yaml, "the alias names an anchor that is not defined before it")
            }
            ErrorKind::UndeclaredTagHandle => {
                Error::new(Status::Yaml, "the handle of the tag is not declared by a %TAG directive")
            }
            _ => Error::new(Status::Yaml, error.info()),
        };
        self.document.locate(converted, error.marker().byte_offset().unwrap_or(self.document.text.len()))
    }
}

impl<'a> Engine<'a> for GranitEngine<'a> {
    fn next(&mut self) -> Result<Option<Event<'a>>> {
        use granit_parser::Event as Granit;
        loop {
            // Events are large: take the needed fields out of them without moving the whole event.
            let mut next = self.parser.next_event();
            let (event, span) = match &mut next {
                None => return Ok(None),
                Some(Ok((event, span))) => (event, &*span),
                Some(Err(error)) => return Err(self.error(error)),
            };
            let kind = match event {
                Granit::DocumentStart(_, version) => {
                    EventKind::DocumentStart { version: version.map(|version| (version.major, version.minor)) }
                }
                Granit::Scalar(text, style, _, tag) => {
                    // granit-parser reports an omitted value as a tilde with an empty span. A block scalar of line
                    // breaks has an empty span, too.
                    let omitted = *style == ScalarStyle::Plain && span.start.byte_offset() == span.end.byte_offset();
                    let text = if omitted { Cow::Borrowed("") } else { std::mem::take(text) };
                    EventKind::Scalar { text, style: scalar_style(*style), tag: full_tag(tag) }
                }
                Granit::SequenceStart(style, _, tag) => {
                    EventKind::SequenceStart { style: collection_style(*style), tag: full_tag(tag) }
                }
                Granit::MappingStart(style, _, tag) => {
                    EventKind::MappingStart { style: collection_style(*style), tag: full_tag(tag) }
                }
                Granit::SequenceEnd | Granit::MappingEnd => EventKind::CollectionEnd,
                Granit::Anchor(number, name) => EventKind::Anchor { number: *number, name: std::mem::take(name) },
                Granit::Alias(number) => EventKind::Alias { number: *number },
                _ => continue,
            };
            return Ok(Some(Event { kind, span: self.range(span) }));
        }
    }
}

impl GranitEngine<'_> {
    fn range(&self, span: &Span) -> std::ops::Range<usize> {
        let length = self.document.text.len();
        let range = span.byte_range().unwrap_or(length..length);
        range.start.min(length)..range.end.clamp(range.start.min(length), length)
    }
}

fn scalar_style(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}

fn collection_style(style: StructureStyle) -> Style {
    match style {
        StructureStyle::Block => Style::Block,
        StructureStyle::Flow => Style::Flow,
    }
}

#[inline]
fn full_tag(tag: &Option<Cow<Tag>>) -> Option<String> {
    tag.as_ref().map(|tag| [tag.handle(), tag.suffix()].concat())
}
