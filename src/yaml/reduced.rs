//! A text without what needs no scanner: all lines of runs but their first ones, and what is in long lists.
//!
//! Nothing is certain here: where the same bytes stand in a block scalar or a comment, say, they mean something else. Who
//! lets the scanner read the reduced text compares what it tells with what is expected of each gap.

use super::plain::{self, Line};
use crate::tree::Extent;
use std::ops::Range;

/// What is worth the trouble.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    /// Gaps, if they make up one part in this many of a text.
    pub(super) part: usize,
    /// A list of its own gap, if it is longer than so many bytes.
    pub(super) bytes: usize,
    /// An event for plain scalars one after the other, if there are more than this.
    pub(super) items: usize,
}

impl Worth {
    pub(super) const USUAL: Worth = Worth { part: 8, bytes: 64, items: 64 };
}

/// Tags that are remembered beyond the run that they are in.
const MAX_TAGS: usize = 16;

/// A text with gaps.
pub(super) struct Reduced<'a> {
    pub(super) source: &'a str,
    pub(super) text: String,
    /// Where parts of the reduced text begin, there and in the source.
    pub(super) parts: Vec<(usize, usize)>,
    pub(super) gaps: Vec<Gap>,
    pub(super) pieces: Vec<Extent>,
    pub(super) worth: Worth,
}

/// Bytes that the scanner does not see.
pub(super) struct Gap {
    pub(super) hidden: Range<usize>,
    /// What it sees at the gap, or is behind it, among all pieces.
    pub(super) pieces: Range<usize>,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// Lines like the one before the gap, whose pieces are given.
    Lines {
        /// Whether they are items of a sequence and no pairs of a mapping.
        are_items: bool,
        /// Whether each is an item that is a plain scalar without a tag.
        are_plain: bool,
        /// The place of the tag in the line before the gap, as it is written.
        tag: Option<Range<usize>>,
    },
    /// What is between the outermost brackets of a list, whose pieces are given.
    Items {
        /// Whether they are plain scalars.
        are_plain: bool,
    },
}

impl<'a> Reduced<'a> {
    /// The text with gaps; nothing if they are not worth it.
    pub(super) fn new(source: &'a str, worth: Worth) -> Option<Reduced<'a>> {
        let (gaps, pieces, tags) = (Vec::new(), Vec::new(), Vec::new());
        let mut finder = Finder { source, worth, gaps, pieces, removed: 0, tags, open: None };
        let mut start = 0;
        while start <= source.len() {
            let newline = memchr::memchr(b'\n', &source.as_bytes()[start..]);
            let end = newline.map_or(source.len(), |length| start + length);
            start = 1 + finder.line(start..end);
        }
        let Finder { gaps, pieces, removed, .. } = finder;
        if gaps.is_empty() || removed < source.len() / worth.part {
            return None;
        }
        let mut text = String::with_capacity(source.len() - removed);
        let mut parts = Vec::with_capacity(gaps.len() + 1);
        let mut kept = 0;
        for gap in &gaps {
            parts.push((text.len(), kept));
            text.push_str(&source[kept..gap.hidden.start]);
            kept = gap.hidden.end;
        }
        parts.push((text.len(), kept));
        text.push_str(&source[kept..]);
        Some(Reduced { source, text, parts, gaps, pieces, worth })
    }
}

/// The run that may go on in the next line.
struct OpenRun {
    first: Line,
    /// The pieces of its first line.
    pieces: Range<usize>,
    /// Where the lines after the first begin, and the last of them.
    rest: usize,
    last: usize,
    are_plain: bool,
}

struct Finder<'a> {
    source: &'a str,
    worth: Worth,
    gaps: Vec<Gap>,
    pieces: Vec<Extent>,
    removed: usize,
    /// The places of tags that the scanner tells of at a gap before, each once.
    tags: Vec<Range<usize>>,
    open: Option<OpenRun>,
}

impl Finder<'_> {
    /// Takes the line at a place. Lists that begin in it may reach into lines below: gives the end of the last one.
    fn line(&mut self, place: Range<usize>) -> usize {
        let known = self.pieces.len();
        let line = plain::line(self.source.as_bytes(), place.clone(), &mut self.pieces);
        if let (Some(open), Some(line)) = (&self.open, &line)
            && open.first.indentation == line.indentation
            && open.first.is_item == line.is_item
            && self.is_known(line.tag.clone(), open.first.tag.clone())
        {
            let is_plain = self.pieces.len() == known + 1 && line.tag.is_none() && self.begins_plain(known);
            self.pieces.truncate(known);
            if let Some(open) = &mut self.open {
                open.last = place.start;
                open.are_plain &= open.first.is_item && is_plain;
            }
            return place.end;
        }
        let added = self.pieces.len() - known;
        self.end_run(place.clone());
        let known = self.pieces.len() - added;
        match line {
            Some(first) => {
                let (rest, last, pieces) = (place.end + 1, place.start, known..known + added);
                self.open = Some(OpenRun { first, pieces, rest, last, are_plain: true });
                place.end
            }
            None => {
                self.pieces.truncate(known);
                self.lists(place)
            }
        }
    }

    fn begins_plain(&self, piece: usize) -> bool {
        let start = self.pieces.get(piece).map_or(0, |piece| piece.range().start);
        self.source.as_bytes().get(start) != Some(&b'\'')
    }

    fn is_known(&self, tag: Option<Range<usize>>, first: Option<Range<usize>>) -> bool {
        let Some(tag) = tag else { return true };
        self.tags.iter().chain(&first).any(|known| self.source[known.clone()] == self.source[tag.clone()])
    }

    /// Ends the open run, below which the line at a place stands.
    fn end_run(&mut self, next: Range<usize>) {
        let Some(open) = self.open.take() else { return };
        // A value can go on in a line that is indented more, with blank lines between. The last line of the run is
        // then left to the scanner, too.
        let text = &self.source[next.clone()];
        let indentation = text.len() - text.trim_ascii_start().len();
        let goes_on = indentation == text.len() || indentation > open.first.indentation;
        let end = if goes_on { open.last } else { next.start };
        if end <= open.rest {
            self.pieces.drain(open.pieces);
            return;
        }
        let Line { is_item, tag, .. } = open.first;
        if let Some(tag) = &tag
            && self.tags.len() < MAX_TAGS
            && !self.is_known(Some(tag.clone()), None)
        {
            self.tags.push(tag.clone());
        }
        let content = Content::Lines { are_items: is_item, are_plain: is_item && open.are_plain, tag };
        self.gap(open.rest..end, open.pieces, content);
    }

    /// Takes the long lists that begin in a line.
    fn lists(&mut self, line: Range<usize>) -> usize {
        let bytes = self.source.as_bytes();
        let Range { start: mut at, mut end } = line;
        while let Some(before) = memchr::memchr(b'[', &bytes[at..end]) {
            at += before;
            let known = self.pieces.len();
            let Some(flow) = plain::flow(bytes, at, &mut self.pieces) else {
                self.pieces.truncate(known);
                at += 1;
                continue;
            };
            if flow.end - at > self.worth.bytes {
                let content = Content::Items { are_plain: flow.is_plain };
                self.gap(at + 1..flow.end - 1, known..self.pieces.len(), content);
            } else {
                self.pieces.truncate(known);
            }
            at = flow.end;
            if at > end {
                end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            }
        }
        end
    }

    fn gap(&mut self, hidden: Range<usize>, pieces: Range<usize>, content: Content) {
        self.removed += hidden.len();
        self.gaps.push(Gap { hidden, pieces, content });
    }
}
