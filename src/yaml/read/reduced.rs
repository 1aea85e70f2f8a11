//! A text without the parts that need no scanner: all lines of runs except the first, and the content of long flow
//! collections.
//!
//! The gaps are only candidates: in a block scalar or a comment, for example, the same bytes have another meaning. The
//! reader of the reduced text must compare the events of the scanner with the expected events around each gap.
//!
//! Measured: time to read a tree without one kind of gap, as a multiple of the time with both kinds, at optimization
//! level 2.
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

/// Thresholds above which gaps and combined events save time.
#[derive(Clone, Copy)]
pub(crate) struct Thresholds {
    /// Gaps are used if they remove at least one part in this many of the text.
    pub(crate) part: usize,
    /// A flow collection longer than this many bytes gets a gap.
    pub(crate) bytes: usize,
    /// More consecutive plain scalars than this are combined into one event.
    pub(crate) items: usize,
}

impl Thresholds {
    pub(crate) const DEFAULT: Thresholds = Thresholds { part: 8, bytes: 64, items: 64 };
}

/// Number of tags that are remembered after the end of their run: the first ones.
pub(super) const MAX_TAGS: usize = 16;

/// A text with gaps.
pub(crate) struct Reduced<'a> {
    pub(super) source: &'a str,
    pub(super) text: String,
    /// Start of each part of the reduced text: position in the reduced text, position in the source.
    pub(super) parts: Vec<(usize, usize)>,
    pub(super) gaps: Vec<Gap>,
    pub(super) pieces: Vec<Extent>,
    pub(super) thresholds: Thresholds,
}

/// A byte range that the scanner does not see.
pub(super) struct Gap {
    pub(super) hidden: Range<usize>,
    pub(super) kind: GapKind,
    /// Range in `pieces` that the scanner sees right before the gap: a line, or the first bracket of a collection.
    pub(super) before: Range<usize>,
    /// Range in `pieces` of the content of the gap.
    pub(super) content: Range<usize>,
    /// True if the content consists of plain scalars without tags that are all items of one list.
    pub(super) is_plain: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum GapKind {
    /// Lines of a run: further pairs of the mapping of its first line.
    Pairs,
    /// Lines of a run: further items of the sequence of its first line.
    Items,
    /// Text between the outermost brackets of a flow collection.
    Brackets,
}

impl<'a> Reduced<'a> {
    /// Returns the text with gaps. Returns `None` if the gaps remove too little of the text, or if they hold more
    /// pieces than `nodes` nodes can have.
    pub(crate) fn new(source: &'a str, thresholds: Thresholds, nodes: u64) -> Option<Reduced<'a>> {
        let (gaps, pieces, tags) = (Vec::new(), Vec::new(), Vec::new());
        // A node has at most a tag and two brackets.
        let most = usize::try_from(nodes.saturating_mul(3)).unwrap_or(usize::MAX);
        let mut finder = Finder { source, thresholds, most, gaps, pieces, removed: 0, tags, open: None };
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
        if gaps.is_empty() || removed < source.len() / thresholds.part {
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
        Some(Reduced { source, text, parts, gaps, pieces, thresholds })
    }
}

/// A run that may continue in the next line.
struct OpenRun {
    first: Line,
    /// Pieces of the first line, and the index of the first piece of the last line.
    pieces: Range<usize>,
    last_pieces: usize,
    /// Positions where the second line and the last line begin.
    rest: usize,
    last: usize,
    /// True if all lines between the first and the last are plain scalars, and true if the last line is one.
    are_plain: bool,
    is_last_plain: bool,
}

struct Finder<'a> {
    source: &'a str,
    thresholds: Thresholds,
    /// Maximum number of pieces.
    most: usize,
    gaps: Vec<Gap>,
    pieces: Vec<Extent>,
    removed: usize,
    /// Distinct tags that the scanner reports at earlier gaps.
    tags: Vec<Extent>,
    open: Option<OpenRun>,
}

impl Finder<'_> {
    /// Processes the line at `place`. A flow collection that begins in it may end in a later line. Returns the end of
    /// the last line processed.
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

    /// Returns the tag in the line with these pieces.
    fn tag_among(&self, line: Option<&Line>, pieces: Range<usize>) -> Option<Extent> {
        let line = line.filter(|line| line.is_tagged)?;
        self.pieces[pieces].get(usize::from(!line.is_item)).copied()
    }

    fn is_known(&self, tag: Option<Extent>, first: Option<Extent>) -> bool {
        let Some(tag) = tag else { return true };
        self.tags.iter().chain(&first).any(|known| self.source[known.range()] == self.source[tag.range()])
    }

    /// Ends the open run. `next` is the line below the run, and its pieces begin at `known`. Returns the new index of
    /// these pieces.
    fn end_run(&mut self, next: Range<usize>, known: usize) -> usize {
        let Some(open) = self.open.take() else { return known };
        // A value can continue in a line with more indentation, with blank lines between. Then the scanner must also
        // see the last line of the run.
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

    /// Adds gaps for the long flow collections that begin in a line. Returns the end of the last line processed.
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
            if flow.end - at > self.thresholds.bytes {
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

/// Returns whether a value may follow this part of a line, judged by its last characters. A wrong answer costs only
/// time: the reader notices a gap in a comment or text and reads everything again.
fn may_precede_value(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let last = text.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let has_properties = last.starts_with(b"!") || last.starts_with(b"&");
    !text.starts_with(b"#")
        && (has_properties || matches!(last.last(), None | Some(b':' | b'-' | b',' | b'[' | b'{' | b'?')))
}
