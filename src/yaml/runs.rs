//! The scanner on a text with gaps, with the events of what is in them.
//!
//! Most lines of most trees are `key: value` or `- value`, one below the other. Of each such run only the first line is
//! handed to the scanner. If it tells of exactly what stands in that line, in a mapping or sequence in block style, then
//! the lines below it, with the same indentation, can only be further pairs or items of the same collection, and their
//! events are made here. Long lists in brackets have a gap between their brackets; if the scanner tells of an
//! empty list exactly there, the events of its items are made.
//!
//! If anything is not as expected, or wrong, the whole text is read again without this short cut, so that it can
//! neither change what is read nor what an error says.

use super::engine::{Engine, Event, EventKind};
use super::granit::GranitEngine;
use super::plain;
use super::reduced::{Content, Gap, Reduced};
use super::source::Document;
use crate::error::{Error, Result, Status};
use crate::tree::{Extent, Style};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

/// The scanner on a reduced text. Its errors tell nothing of the text: it must be read again without this engine.
pub(super) struct RunsEngine<'a> {
    scanner: GranitEngine<'a>,
    reduced: &'a Reduced<'a>,
    /// Collections in brackets that may be nested.
    depth: u32,
    /// The part of the reduced text that the last event was in.
    part: usize,
    /// The first gap whose surroundings the scanner has not told of, and how many of their pieces it has.
    gap: usize,
    told: usize,
    /// The open collections.
    open: Vec<Open>,
    in_flow: u32,
    /// The tags that the scanner has told of at gaps, as they are written and in full.
    tags: Vec<(&'a str, String)>,
    /// What to make events of: lines, and pieces of a list, before whose end the scanner has come.
    lines: Range<usize>,
    pieces: Range<usize>,
    list_end: Option<Event<'a>>,
    /// Events made.
    made: VecDeque<Event<'a>>,
    of_line: Vec<Extent>,
}

#[derive(Clone, Copy, PartialEq)]
enum Open {
    Mapping,
    Sequence,
    Flow,
}

impl<'a> RunsEngine<'a> {
    pub(super) fn new(reduced: &'a Reduced<'a>, document: Document<'a>, depth: u32) -> RunsEngine<'a> {
        RunsEngine {
            scanner: GranitEngine::new(&reduced.text, document, depth),
            reduced,
            depth,
            part: 0,
            gap: 0,
            told: 0,
            open: Vec::new(),
            in_flow: 0,
            tags: Vec::new(),
            lines: 0..0,
            pieces: 0..0,
            list_end: None,
            made: VecDeque::new(),
            of_line: Vec::new(),
        }
    }

    /// The place in the source of a position in the reduced text.
    fn place(&mut self, position: usize) -> usize {
        let parts = &self.reduced.parts;
        let is_in = |part: usize| {
            parts.get(part).is_some_and(|&(start, _)| start <= position)
                && parts.get(part + 1).is_none_or(|&(next, _)| position < next)
        };
        if !is_in(self.part) {
            self.part = parts.partition_point(|&(start, _)| start <= position).saturating_sub(1);
        }
        parts.get(self.part).map_or(position, |&(start, source)| source + (position - start))
    }

    /// Compares what the scanner tells with what is expected around the next gap.
    fn check(&mut self, event: Event<'a>) -> Result<Option<Event<'a>>> {
        let reduced = self.reduced;
        let around = self.open.last().copied();
        self.nest(&event.kind)?;
        let Some(gap) = reduced.gaps.get(self.gap) else { return Ok(Some(event)) };
        let Some(expected) = reduced.pieces.get(gap.pieces.start + self.told) else { return Err(unexpected()) };
        let is_there = event.span == expected.range();
        if self.told == 0 && !is_there {
            return if is_before(&event, expected.range().start) { Ok(Some(event)) } else { Err(unexpected()) };
        }
        match &gap.content {
            Content::Lines { are_items, tag, .. } => {
                let container = if *are_items { Open::Sequence } else { Open::Mapping };
                if self.told == 0 && is_block_start(&event.kind) {
                    // It begins where its first key or item does.
                    return Ok(Some(event));
                }
                if !is_there || (self.told == 0 && around != Some(container)) {
                    return Err(unexpected());
                }
                let is_tagged = self.told == usize::from(!are_items);
                self.compare(&event.kind, expected.range(), tag.clone().filter(|_| is_tagged))?;
                self.told += 1;
                if self.told == gap.pieces.len() {
                    self.lines = gap.hidden.clone();
                    self.next_gap();
                }
            }
            Content::Items { .. } => match &event.kind {
                EventKind::SequenceStart { style: Style::Flow, .. } if self.told == 0 => self.told = 1,
                EventKind::Anchor { .. } if self.told == 1 => {}
                EventKind::CollectionEnd if self.told == 1 && event.span == (gap.hidden.end..gap.hidden.end + 1) => {
                    self.pieces = gap.pieces.start + 1..gap.pieces.end - 1;
                    // What is made stands inside.
                    self.in_flow += 1;
                    self.list_end = Some(event);
                    self.next_gap();
                    return Ok(None);
                }
                _ if self.told == 0 && is_block_start(&event.kind) => {}
                _ => return Err(unexpected()),
            },
        }
        Ok(Some(event))
    }

    fn next_gap(&mut self) {
        self.gap += 1;
        self.told = 0;
    }

    /// Keeps account of the open collections.
    fn nest(&mut self, kind: &EventKind) -> Result<()> {
        let open = match kind {
            EventKind::MappingStart { style: Style::Block, .. } => Open::Mapping,
            EventKind::SequenceStart { style: Style::Block, .. } => Open::Sequence,
            EventKind::MappingStart { .. } | EventKind::SequenceStart { .. } => Open::Flow,
            EventKind::CollectionEnd => {
                if self.open.pop() == Some(Open::Flow) {
                    self.in_flow -= 1;
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.open.push(open);
        if open == Open::Flow {
            self.in_flow += 1;
        }
        if self.in_flow > self.depth { Err(unexpected()) } else { Ok(()) }
    }

    /// Compares an event with the piece that stands in its place, and keeps its tag, which is written as `tag`.
    fn compare(&mut self, kind: &EventKind, piece: Range<usize>, tag: Option<Range<usize>>) -> Result<()> {
        let source = self.reduced.source;
        let full = match (kind, source.as_bytes().get(piece.start)) {
            (EventKind::SequenceStart { style: Style::Flow, tag }, Some(b'[')) => tag,
            (EventKind::MappingStart { style: Style::Flow, tag }, Some(b'{')) => tag,
            (EventKind::CollectionEnd, Some(b']' | b'}')) => &None,
            (EventKind::Scalar { style: Style::SingleQuoted, tag, .. }, Some(b'\'')) => tag,
            (EventKind::Scalar { style: Style::Plain, .. }, Some(b'\'' | b'[' | b'{')) => return Err(unexpected()),
            (EventKind::Scalar { style: Style::Plain, tag, .. }, Some(_)) => tag,
            _ => return Err(unexpected()),
        };
        match (full, tag) {
            (None, None) => Ok(()),
            (Some(full), Some(written)) => {
                let written = &source[written];
                if !self.tags.iter().any(|(known, _)| *known == written) {
                    self.tags.push((written, full.clone()));
                }
                Ok(())
            }
            _ => Err(unexpected()),
        }
    }

    /// Makes the events of the next lines that the scanner did not see.
    fn make_lines(&mut self) -> Result<()> {
        let source = self.reduced.source;
        let gap = self.gap.checked_sub(1).and_then(|gap| self.reduced.gaps.get(gap));
        if let Some(Gap { content: Content::Lines { are_plain: true, .. }, .. }) = gap {
            self.of_line.clear();
            while !self.lines.is_empty() {
                self.next_line()?;
            }
            if self.of_line.len() > self.reduced.worth.items {
                let items = std::mem::take(&mut self.of_line);
                return self.push(plain_items(Cow::Owned(items)));
            }
            for index in 0..self.of_line.len() {
                self.push(event(source, self.of_line[index], None))?;
            }
            return Ok(());
        }
        self.of_line.clear();
        let line = self.next_line()?;
        let tag = match line.tag {
            None => None,
            Some(tag) => {
                let known = self.tags.iter().find(|(written, _)| *written == &source[tag.clone()]);
                Some(known.ok_or_else(unexpected)?.1.clone())
            }
        };
        let mut tag = tag;
        for index in 0..self.of_line.len() {
            let is_value = index == usize::from(!line.is_item);
            let tag = if is_value { tag.take() } else { None };
            self.push(event(source, self.of_line[index], tag))?;
        }
        Ok(())
    }

    /// Adds the pieces of the next line that the scanner did not see.
    fn next_line(&mut self) -> Result<plain::Line> {
        let source = self.reduced.source.as_bytes();
        let left = &source[self.lines.clone()];
        let end = self.lines.start + memchr::memchr(b'\n', left).unwrap_or(left.len());
        let line = plain::line(source, self.lines.start..end, &mut self.of_line).ok_or_else(unexpected)?;
        self.lines.start = (end + 1).min(self.lines.end);
        Ok(line)
    }

    /// Makes the events of the next pieces of a list, as many as belong together.
    fn make_pieces(&mut self) -> Result<()> {
        let Reduced { source, pieces, .. } = self.reduced;
        let left = &pieces[self.pieces.clone()];
        let before = pieces[self.pieces.start - 1].range().start;
        let is_start = source.as_bytes()[before] == b'[';
        let gap = self.gap.checked_sub(1).and_then(|gap| self.reduced.gaps.get(gap));
        let are_plain = matches!(gap, Some(Gap { content: Content::Items { are_plain: true }, .. }));
        let count = match is_start {
            true if are_plain => left.len(),
            true => left.iter().position(|piece| !is_plain(source, *piece)).unwrap_or(left.len()),
            false => 0,
        };
        if count > self.reduced.worth.items {
            self.pieces.start += count;
            return self.push(plain_items(Cow::Borrowed(&left[..count])));
        }
        for piece in &left[..count.max(1)] {
            self.push(event(source, *piece, None))?;
        }
        self.pieces.start += count.max(1);
        Ok(())
    }

    fn push(&mut self, event: Event<'a>) -> Result<()> {
        self.nest(&event.kind)?;
        self.made.push_back(event);
        Ok(())
    }
}

impl<'a> Engine<'a> for RunsEngine<'a> {
    fn next(&mut self) -> Result<Option<Event<'a>>> {
        loop {
            if let Some(event) = self.made.pop_front() {
                return Ok(Some(event));
            }
            if !self.lines.is_empty() {
                self.make_lines()?;
                continue;
            }
            if !self.pieces.is_empty() {
                self.make_pieces()?;
                continue;
            }
            if let Some(end) = self.list_end.take() {
                self.in_flow -= 1;
                return Ok(Some(end));
            }
            let Some(mut event) = self.scanner.next()? else {
                return if self.gap == self.reduced.gaps.len() { Ok(None) } else { Err(unexpected()) };
            };
            let start = self.place(event.span.start);
            // The end is in the same part, unless the scalar goes on over a gap, which the comparison then shows.
            event.span = start..start + event.span.len();
            if let Some(event) = self.check(event)? {
                return Ok(Some(event));
            }
        }
    }
}

/// Whether an event may come before the one that is expected at `start`.
fn is_before(event: &Event, start: usize) -> bool {
    match &event.kind {
        // Collections begin, and omitted values are found, where the next scalar begins.
        EventKind::Scalar { .. } => event.span.is_empty() || event.span.end <= start,
        EventKind::Alias { .. } => event.span.end <= start,
        EventKind::CollectionEnd => true,
        _ => event.span.start <= start,
    }
}

fn is_block_start(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::MappingStart { style: Style::Block, .. } | EventKind::SequenceStart { style: Style::Block, .. }
    )
}

fn is_plain(source: &str, piece: Extent) -> bool {
    !matches!(source.as_bytes().get(piece.range().start), None | Some(b'[' | b']' | b'{' | b'}' | b'\''))
}

/// The event of a piece.
fn event(source: &str, piece: Extent, tag: Option<String>) -> Event<'_> {
    let span = piece.range();
    let scalar = |inset: usize, style: Style, tag: Option<String>| {
        let text = Cow::Borrowed(&source[span.start + inset..span.end - inset]);
        EventKind::Scalar { text, style, tag }
    };
    let kind = match source.as_bytes()[span.start] {
        b'[' => EventKind::SequenceStart { style: Style::Flow, tag },
        b'{' => EventKind::MappingStart { style: Style::Flow, tag },
        b']' | b'}' => EventKind::CollectionEnd,
        b'\'' => scalar(1, Style::SingleQuoted, tag),
        _ => scalar(0, Style::Plain, tag),
    };
    Event { kind, span }
}

fn plain_items(items: Cow<'_, [Extent]>) -> Event<'_> {
    let start = items.first().map_or(0, |first| first.range().start);
    let end = items.last().map_or(start, |last| last.range().end);
    Event { kind: EventKind::PlainItems(items), span: start..end }
}

fn unexpected() -> Error {
    Error::new(Status::Internal, "a gap in the text is not what it seems")
}
