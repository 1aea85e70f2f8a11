//! A text without what needs no scanner: all lines of runs but their first ones, and what is in long collections in
//! brackets.
//!
//! Nothing is certain here: where the same bytes stand in a block scalar or a comment, say, they mean something else. Who
//! lets the scanner read the reduced text compares what it tells with what is expected of each gap.
//!
//! Measured: time to read a tree without one kind of gap, as a multiple of the time with both, optimized at level 2.
//!
//! | tree | without runs | without lists |
//! |---|---|---|
//! | 2,000 groups of 100 lines `key: value`, 20 MB | 3.8 | 1.0 |
//! | 300,000 lines `- number`, 7 MB | 9.3 | 1.0 |
//! | 10,000 arrays, `name: !core/ndarray-1.1.0 {…}` each, 1 MB | 5.8 | 1.0 |
//! | a telescope's file, 800 scalars in 20 tagged groups, 28 KB | 3.7 | 1.0 |
//! | a description (NDL) of 10,000 arrays, runs of 3 lines, 1.6 MB | 1.3 | 1.0 |
//! | a million numbers in brackets, 21 MB | 1.2 | 14 |

use super::plain;
use super::plain::Line;
use crate::tree::Extent;
use std::ops::Range;

/// What is worth the trouble.
#[derive(Clone, Copy)]
pub(crate) struct Worth {
    /// Gaps, if they make up one part in this many of a text.
    pub(crate) part: usize,
    /// A collection in brackets has a gap of its own, if it is longer than so many bytes.
    pub(crate) bytes: usize,
    /// An event for plain scalars one after the other, if there are more than this.
    pub(crate) items: usize,
}

impl Worth {
    pub(crate) const USUAL: Worth = Worth { part: 8, bytes: 64, items: 64 };
}

/// Tags that are remembered beyond the run that they are in: the first ones.
pub(super) const MAX_TAGS: usize = 16;

/// A text with gaps.
pub(crate) struct Reduced<'a> {
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
    pub(super) kind: GapKind,
    /// What the scanner sees right before it, among all pieces: a line, or the first bracket of a collection.
    pub(super) before: Range<usize>,
    /// What is in it.
    pub(super) content: Range<usize>,
    /// Whether that is plain scalars, all of them items of the same list and without tags.
    pub(super) is_plain: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum GapKind {
    /// Lines below one like them: further pairs of its mapping.
    Pairs,
    /// Lines below one like them: further items of its sequence.
    Items,
    /// What is between the outermost brackets of a collection.
    Brackets,
}

impl<'a> Reduced<'a> {
    /// The text with gaps; nothing if they are not worth it, or hold more than `nodes` could be.
    pub(crate) fn new(source: &'a str, worth: Worth, nodes: u64) -> Option<Reduced<'a>> {
        let (gaps, pieces, tags) = (Vec::new(), Vec::new(), Vec::new());
        // A node has a tag and two brackets at most.
        let most = usize::try_from(nodes.saturating_mul(3)).unwrap_or(usize::MAX);
        let mut finder = Finder { source, worth, most, gaps, pieces, removed: 0, tags, open: None };
        let mut start = 0;
        while start <= source.len() {
            let newline = memchr::memchr(b'\n', &source.as_bytes()[start..]);
            let end = newline.map_or(source.len(), |length| start + length);
            start = 1 + finder.line(start..end);
            if finder.pieces.len() > most {
                return None;
            }
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
    /// The pieces of its first line, and where those of its last line begin.
    pieces: Range<usize>,
    last_pieces: usize,
    /// Where the lines after the first begin, and the last of them.
    rest: usize,
    last: usize,
    /// Whether all lines but the first and the last are plain scalars, and whether the last is one.
    are_plain: bool,
    is_last_plain: bool,
}

struct Finder<'a> {
    source: &'a str,
    worth: Worth,
    /// Pieces that there may be.
    most: usize,
    gaps: Vec<Gap>,
    pieces: Vec<Extent>,
    removed: usize,
    /// Tags that the scanner tells of at a gap before, each once.
    tags: Vec<Extent>,
    open: Option<OpenRun>,
}

impl Finder<'_> {
    /// Takes the line at a place. Collections in brackets that begin in it may reach into lines below: gives the end of
    /// the last one.
    fn line(&mut self, place: Range<usize>) -> usize {
        let known = self.pieces.len();
        let line = plain::line(self.source.as_bytes(), place.clone(), &mut self.pieces);
        let tag = self.tag_among(line.as_ref(), known..self.pieces.len());
        if let (Some(open), Some(line)) = (&self.open, &line)
            && open.first.indentation == line.indentation
            && open.first.is_item == line.is_item
            && self.is_known(tag, self.tag_among(Some(&open.first), open.pieces.clone()))
        {
            let is_plain = line.is_item && self.pieces.len() == known + 1 && !self.is_quoted(known);
            if let Some(open) = &mut self.open {
                open.are_plain &= open.is_last_plain;
                (open.last, open.last_pieces, open.is_last_plain) = (place.start, known, is_plain);
            }
            return place.end;
        }
        let known = self.end_run(place.clone(), known);
        match line {
            Some(first) => {
                let pieces = known..self.pieces.len();
                let (rest, last, last_pieces) = (place.end + 1, place.start, pieces.end);
                let (are_plain, is_last_plain) = (true, true);
                self.open = Some(OpenRun { first, pieces, last_pieces, rest, last, are_plain, is_last_plain });
                place.end
            }
            None => {
                self.pieces.truncate(known);
                self.collections(place)
            }
        }
    }

    fn is_quoted(&self, piece: usize) -> bool {
        let start = self.pieces.get(piece).map_or(0, |piece| piece.range().start);
        self.source.as_bytes().get(start) == Some(&b'\'')
    }

    /// The tag in a line of these pieces.
    fn tag_among(&self, line: Option<&Line>, pieces: Range<usize>) -> Option<Extent> {
        let line = line.filter(|line| line.is_tagged)?;
        self.pieces[pieces].get(usize::from(!line.is_item)).copied()
    }

    fn is_known(&self, tag: Option<Extent>, first: Option<Extent>) -> bool {
        let Some(tag) = tag else { return true };
        self.tags.iter().chain(&first).any(|known| self.source[known.range()] == self.source[tag.range()])
    }

    /// Ends the open run, below which the line at a place stands, whose pieces are those from `known` on. Gives where
    /// they are then.
    fn end_run(&mut self, next: Range<usize>, known: usize) -> usize {
        let Some(open) = self.open.take() else { return known };
        // A value can go on in a line that is indented more, with blank lines between. The last line of the run is
        // then left to the scanner, too.
        let text = &self.source[next.clone()];
        let indentation = text.len() - text.trim_ascii_start().len();
        let goes_on = indentation == text.len() || indentation > open.first.indentation;
        let (end, last) = if goes_on { (open.last, open.last_pieces) } else { (next.start, known) };
        let is_gap = end > open.rest;
        if is_gap {
            let tag = self.tag_among(Some(&open.first), open.pieces.clone());
            if let Some(tag) = tag.filter(|tag| self.tags.len() < MAX_TAGS && !self.is_known(Some(*tag), None)) {
                self.tags.push(tag);
            }
            let kind = if open.first.is_item { GapKind::Items } else { GapKind::Pairs };
            let is_plain = open.first.is_item && open.are_plain && (goes_on || open.is_last_plain);
            let content = open.pieces.end..last;
            self.gap(Gap { hidden: open.rest..end, kind, before: open.pieces.clone(), content, is_plain });
        }
        let unused = if is_gap { last } else { open.pieces.start };
        self.pieces.drain(unused..known);
        unused
    }

    /// Takes the long collections in brackets that begin in a line.
    fn collections(&mut self, line: Range<usize>) -> usize {
        let bytes = self.source.as_bytes();
        let Range { start: mut at, mut end } = line;
        while let Some(before) = memchr::memchr2(b'[', b'{', &bytes[at..end]) {
            let (text, known) = (&bytes[at..at + before], self.pieces.len());
            at += before;
            if !may_precede_value(text) {
                at += 1;
                continue;
            }
            let Some(flow) = plain::flow(bytes, at, self.most, &mut self.pieces) else {
                self.pieces.truncate(known);
                at += 1;
                continue;
            };
            if flow.end - at > self.worth.bytes {
                let (before, content) = (known..known + 1, known + 1..self.pieces.len() - 1);
                let (hidden, is_plain) = (at + 1..flow.end - 1, flow.is_plain);
                self.gap(Gap { hidden, kind: GapKind::Brackets, before, content, is_plain });
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

    fn gap(&mut self, gap: Gap) {
        self.removed += gap.hidden.len();
        self.gaps.push(gap);
    }
}

/// Whether a value may follow this part of a line, as far as its last characters tell. It need not be right: a gap in a
/// comment or in text is noticed, but then all is read again.
fn may_precede_value(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let last = text.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let has_properties = last.starts_with(b"!") || last.starts_with(b"&");
    !text.starts_with(b"#")
        && (has_properties || matches!(last.last(), None | Some(b':' | b'-' | b',' | b'[' | b'{' | b'?')))
}
