//! A text without the parts that need no scanner: all lines of regions except the first, and the content of long flow
//! collections. If one region is the whole content of the document, no scanner is needed at all.
//!
//! A *region* consists of simple lines (`plain.rs`) that follow one another, none of which is indented less than the
//! first. Its first lines up to the first value remain in the text. They show in which collections the other lines are:
//!
//! ```yaml
//! meta:              # remains
//!   name: image      # remains
//!   time: 12.5       # a further pair of `meta`
//!   filter:          # a pair of `meta`, with a mapping
//!     name: F062
//! rows: [1, 2]       # a pair of the mapping that holds `meta`, which ends here
//! ```
//!
//! The gaps are only candidates: in a block scalar, for example, the same bytes have another meaning. The reader of the
//! reduced text must compare the events of the scanner with the expected events around each gap.

use super::head::Head;
use super::plain;
use super::plain::Line;
use crate::tree::Extent;
use std::ops::Range;

/// Thresholds above which gaps and plain items save time or memory.
#[derive(Clone, Copy)]
pub(crate) struct Thresholds {
    /// Gaps are used if they remove at least one part in this many of the text.
    pub(crate) part: usize,
    /// A flow collection longer than this many bytes gets a gap.
    pub(crate) bytes: usize,
    /// A list of more plain scalars than this takes less memory as plain items.
    pub(crate) items: usize,
}

impl Thresholds {
    pub(crate) const DEFAULT: Thresholds = Thresholds { part: 8, bytes: 64, items: 64 };
}

/// Maximum number of nested collections in which the first value of a region stands, and that the lines after it may
/// begin.
pub(super) const MAX_LEVELS: usize = 8;

/// A text that is read faster than by the scanner alone.
pub(crate) enum Simple<'a> {
    Whole(Whole<'a>),
    Reduced(Reduced<'a>),
}

/// A text whose content is one region: a mapping, with nothing but a simple head before it and an end marker after it.
pub(crate) struct Whole<'a> {
    pub(super) head: Head<'a>,
    /// The pieces of all pairs of the mapping, and its end.
    pub(super) pieces: Vec<Extent>,
    pub(super) tag_prefix: &'a str,
    pub(super) thresholds: Thresholds,
}

/// A text with gaps.
pub(crate) struct Reduced<'a> {
    pub(super) source: &'a str,
    pub(crate) text: String,
    /// Start of each part of the reduced text: position in the reduced text, position in the source.
    pub(super) parts: Vec<(usize, usize)>,
    pub(super) gaps: Vec<Gap>,
    pub(super) pieces: Vec<Extent>,
    /// The prefix for the tag handle `!`. It is empty if no piece is a tag.
    pub(super) tag_prefix: &'a str,
    pub(super) thresholds: Thresholds,
}

/// A byte range that the scanner does not see.
pub(super) struct Gap {
    pub(super) hidden: Range<usize>,
    pub(super) kind: GapKind,
    /// Range in `pieces` that the scanner sees right before the gap: the first lines of a region, or the first bracket
    /// of a collection.
    pub(super) before: Range<usize>,
    /// Range in `pieces` of the content of the gap.
    pub(super) content: Range<usize>,
    /// Number of collections that begin before the gap and end in it.
    pub(super) ends: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum GapKind {
    /// Lines of a region whose first line is a pair.
    Pairs,
    /// Lines of a region whose first line is an item.
    Items,
    /// Text between the outermost brackets of a flow collection.
    Brackets,
}

impl Whole<'_> {
    /// Returns whether no collection is nested deeper than `depth`.
    pub(super) fn fits(&self, source: &str, depth: u32) -> bool {
        let most = plain::MAX_FLOW_DEPTH.max(2 * MAX_LEVELS as u32);
        most <= depth || plain::depth(source.as_bytes(), &self.pieces, 1, 0) <= depth
    }
}

impl<'a> Simple<'a> {
    /// Reads the simple parts of a text. Returns `None` if the gaps remove too little of the text, or if they hold more
    /// pieces than `nodes` nodes can have.
    pub(crate) fn new(source: &'a str, thresholds: Thresholds, nodes: u64) -> Option<Simple<'a>> {
        // A node has at most a tag and two marks of a collection.
        let most = usize::try_from(nodes.saturating_mul(3)).unwrap_or(usize::MAX);
        let tag_prefix = plain::tag_prefix(source);
        let mut finder = Finder::new(source, thresholds, most, tag_prefix.is_some());
        let head = Head::new(source);
        finder.body = head.map(|head| head.end);
        let mut start = head.map_or(0, |head| head.end);
        while start <= source.len() {
            start = finder.line(start);
            if finder.pieces.len() > most {
                return None;
            }
            if start > source.len() {
                // The lines of the last region may have to be processed again.
                start = finder.end_region(0).unwrap_or(start);
            }
        }
        let Finder { gaps, pieces, removed, is_whole, .. } = finder;
        let tag_prefix = tag_prefix.unwrap_or_default();
        if let (true, Some(head)) = (is_whole, head) {
            return Some(Simple::Whole(Whole { head, pieces, tag_prefix, thresholds }));
        }
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
        Some(Simple::Reduced(Reduced { source, text, parts, gaps, pieces, tag_prefix, thresholds }))
    }
}

/// A block collection, by the column of its keys or hyphens.
#[derive(Clone, Copy, PartialEq)]
struct Level {
    column: usize,
    is_item: bool,
}

impl Level {
    /// Returns whether a line at another level ends this collection.
    fn is_ended_by(self, other: Level) -> bool {
        self.column > other.column || (self.column == other.column && self.is_item && !other.is_item)
    }

    /// Returns whether a line at another level can hold the value of a header at this level. Hyphens may stand below
    /// the key.
    fn can_hold(self, other: Level) -> bool {
        self.column < other.column || (self.column == other.column && !self.is_item && other.is_item)
    }
}

/// A collection that begins in a gap.
#[derive(Clone, Copy)]
struct Nested {
    level: Level,
    /// The line before it.
    header: Place,
}

/// A line of a region.
#[derive(Clone, Copy)]
struct Place {
    level: Level,
    /// Position in the source.
    start: usize,
    /// Index of its first piece.
    pieces: usize,
}

/// A region that may continue in the next line.
struct Region {
    /// Position of its first line.
    start: usize,
    /// Collections in which the first value stands, the outermost first. They begin in the lines that remain.
    first: Vec<Level>,
    /// Collections that begin in lines of the gap and have not ended.
    nested: Vec<Nested>,
    /// Pieces of the lines that remain.
    before: Range<usize>,
    /// Positions of the first line of the gap, and after its last line.
    hidden: Range<usize>,
    /// Position of the line with the first value, once it was read.
    value: Option<usize>,
    /// Number of collections in `first` that have ended.
    ends: usize,
    /// The last line, and whether its value is in the lines below.
    last: Place,
    is_header: bool,
}

struct Finder<'a> {
    source: &'a str,
    thresholds: Thresholds,
    /// Maximum number of pieces.
    most: usize,
    knows_tags: bool,
    /// Position after the head of the document, if it is simple.
    body: Option<usize>,
    /// True if one region is the whole content.
    is_whole: bool,
    gaps: Vec<Gap>,
    pieces: Vec<Extent>,
    /// Pieces of the current line.
    line: Vec<Extent>,
    removed: usize,
    open: Option<Region>,
    /// Start of a line that is left to the scanner although it is simple.
    left: Option<usize>,
}

/// Whether a line was added to a region.
enum Taken {
    Yes,
    /// The line is not part of the region.
    No,
    /// The line is not part of the region, and lines from this position must be processed again.
    Again(usize),
}

impl<'a> Finder<'a> {
    fn new(source: &'a str, thresholds: Thresholds, most: usize, knows_tags: bool) -> Finder<'a> {
        // Room for all pieces of a small text: reallocating takes longer than finding them.
        let pieces = Vec::with_capacity((source.len() / 16).min(4096));
        let (gaps, line) = (Vec::new(), Vec::new());
        Finder {
            source,
            thresholds,
            most,
            knows_tags,
            body: None,
            is_whole: false,
            gaps,
            pieces,
            line,
            removed: 0,
            open: None,
            left: None,
        }
    }

    /// Processes the line that begins at `start`. A flow collection that begins in it may end in a later line. Returns
    /// the start of the next line to process, which can be an earlier one.
    fn line(&mut self, start: usize) -> usize {
        let known = self.pieces.len();
        let line = plain::line(self.source.as_bytes(), start, &mut self.pieces)
            .filter(|line| (self.knows_tags || !line.is_tagged) && self.left != Some(start));
        let Some(line) = line else {
            self.pieces.truncate(known);
            return self.other_line(start);
        };
        let next = line.end + 1;
        let level = Level { column: line.column, is_item: line.is_item };
        // Most lines are at the level of the last one.
        if let Some(open) = &mut self.open
            && open.value.is_some()
            && open.last.level == level
            && !(open.is_header || line.is_header || line.key_column.is_some())
        {
            open.last = Place { level, start, pieces: known };
            open.hidden.end = next;
            return next;
        }
        self.line.clear();
        self.line.extend_from_slice(&self.pieces[known..]);
        self.pieces.truncate(known);
        match self.take_line(line, start) {
            Taken::Yes => next,
            Taken::Again(start) => start,
            Taken::No => match self.end_region(line.column) {
                Some(start) => start,
                None => {
                    // The first line of a region can always be taken.
                    self.take_line(line, start);
                    next
                }
            },
        }
    }

    /// Processes a line that is not simple.
    fn other_line(&mut self, start: usize) -> usize {
        let rest = &self.source.as_bytes()[start..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let column = rest[..length].iter().take_while(|&&byte| byte == b' ').count();
        let text = &rest[column..length];
        // A carriage return ends a comment.
        let is_comment = text.starts_with(b"#") && !text.contains(&b'\r');
        if self.open.is_some() && (text.is_empty() || is_comment) {
            return start + length + 1;
        }
        self.end_region(column).unwrap_or_else(|| 1 + self.collections(start..start + length))
    }

    /// Adds a line to the open region, or begins one.
    fn take_line(&mut self, line: Line, start: usize) -> Taken {
        let pieces = std::mem::take(&mut self.line);
        let level = Level { column: line.column, is_item: line.is_item };
        let taken = match line.key_column {
            None => self.take(&line, level, line.is_header, &pieces, start),
            // The item and its first pair are in the same line.
            Some(column) => match self.take(&line, level, true, &[], start) {
                Taken::Yes => self.take(&line, Level { column, is_item: false }, line.is_header, &pieces, start),
                other => other,
            },
        };
        self.line = pieces;
        taken
    }

    fn take(&mut self, line: &Line, level: Level, is_header: bool, pieces: &[Extent], start: usize) -> Taken {
        let next = line.end + 1;
        let Some(open) = &mut self.open else {
            let known = self.pieces.len();
            self.pieces.extend(pieces);
            let last = Place { level, start, pieces: known };
            self.open = Some(Region {
                start,
                first: vec![level],
                nested: Vec::new(),
                before: known..self.pieces.len(),
                hidden: next..next,
                value: (!is_header).then_some(start),
                ends: 0,
                last,
                is_header,
            });
            return Taken::Yes;
        };
        let mut begins = false;
        if open.is_header {
            let has_value = open.value.is_some();
            let is_full = if has_value { open.nested.len() } else { open.first.len() } == MAX_LEVELS;
            if !open.last.level.can_hold(level) || is_full {
                // The header has no value, or the scanner must see it.
                self.left = (has_value && !is_full).then_some(open.last.start);
                return match has_value {
                    true => Taken::Again(self.cut_region()),
                    false => Taken::No,
                };
            }
            match has_value {
                true => open.nested.push(Nested { level, header: open.last }),
                false => open.first.push(level),
            }
            begins = true;
        } else {
            let nested = open.nested.iter().rposition(|nested| !nested.level.is_ended_by(level));
            let inner = nested.map(|index| open.nested[index].level);
            let still = open.first.len() - open.ends;
            let first = open.first[..still].iter().rposition(|first| !first.is_ended_by(level));
            let Some(around) = inner.or(first.map(|index| open.first[index])) else { return Taken::No };
            if around != level {
                return Taken::No;
            }
            let kept = nested.map_or(0, |index| index + 1);
            let mut ended = open.nested.len() - kept;
            open.nested.truncate(kept);
            if let (None, Some(index)) = (nested, first) {
                ended += still - (index + 1);
                open.ends += still - (index + 1);
            }
            self.pieces.extend(std::iter::repeat_n(plain::BLOCK_END, ended));
        }
        // The scanner reports a sequence whose hyphens stand below the key at the content of its first item.
        let is_below = open.last.level.column == level.column;
        let position = if is_below { line.content } else { start + level.column };
        open.last = Place { level, start, pieces: self.pieces.len() };
        open.is_header = is_header;
        if begins {
            self.pieces.push(plain::block_start(level.is_item, position));
        }
        self.pieces.extend(pieces);
        if open.value.is_some() {
            open.hidden.end = next;
        } else {
            open.value = (!is_header).then_some(start);
            open.before.end = self.pieces.len();
            open.hidden = next..next;
        }
        Taken::Yes
    }

    /// Ends the open region before a line at `column`. Returns the position from which lines must be processed again,
    /// if the scanner must see lines of the region.
    fn end_region(&mut self, column: usize) -> Option<usize> {
        let open = self.open.as_ref()?;
        // A line with more indentation can belong to a collection or a value of the gap.
        let outermost = open.nested.first();
        let is_inside =
            outermost.is_some_and(|nested| column > nested.header.level.column || column == nested.level.column);
        if open.value.is_some() && (is_inside || (open.is_header && !open.hidden.is_empty())) {
            return Some(self.cut_region());
        }
        let open = self.open.take()?;
        let is_hidden = open.last.start >= open.hidden.start;
        let end = match column > open.last.level.column && is_hidden {
            true => open.last,
            false => Place { start: open.hidden.end, pieces: self.pieces.len(), ..open.last },
        };
        self.region_gap(&open, end);
        None
    }

    /// Ends the open region before the outermost header whose collection has not ended. Returns the position of that
    /// header.
    fn cut_region(&mut self) -> usize {
        let Some(mut open) = self.open.take() else { return 0 };
        let end = open.nested.first().map_or(open.last, |nested| nested.header);
        open.nested.clear();
        self.region_gap(&open, end);
        end.start
    }

    /// Adds the gap of a region up to a place.
    fn region_gap(&mut self, open: &Region, end: Place) {
        let hidden = open.hidden.start..end.start.min(self.source.len());
        if self.is_all(open, hidden.end) {
            self.is_whole = true;
            let levels = open.nested.len() + open.first.len() - open.ends;
            self.pieces.extend(std::iter::repeat_n(plain::BLOCK_END, levels));
            return;
        }
        if hidden.is_empty() {
            self.pieces.truncate(open.before.start);
            if let Some(value) = open.value {
                self.collections(value..open.hidden.start - 1);
            }
            return;
        }
        self.pieces.truncate(end.pieces);
        self.pieces.extend(std::iter::repeat_n(plain::BLOCK_END, open.nested.len()));
        let kind = if open.first[0].is_item { GapKind::Items } else { GapKind::Pairs };
        let content = open.before.end..self.pieces.len();
        self.gap(Gap { hidden, kind, before: open.before.clone(), content, ends: open.ends });
    }

    /// Returns whether a region up to `end` is all there is between the head and the end of the document.
    fn is_all(&self, open: &Region, end: usize) -> bool {
        self.body == Some(open.start)
            && open.value.is_some()
            && open.first[0] == Level { column: 0, is_item: false }
            && matches!(self.source.as_bytes()[end..], [] | [b'.', b'.', b'.'] | [b'.', b'.', b'.', b'\n'])
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
            let Some(end_of_flow) = plain::flow(bytes, at, self.most, &mut self.pieces) else {
                self.pieces.truncate(known);
                at += 1;
                continue;
            };
            if end_of_flow - at > self.thresholds.bytes {
                let (before, content) = (known..known + 1, known + 1..self.pieces.len() - 1);
                self.gap(Gap { hidden: at + 1..end_of_flow - 1, kind: GapKind::Brackets, before, content, ends: 0 });
            } else {
                self.pieces.truncate(known);
            }
            at = end_of_flow;
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
