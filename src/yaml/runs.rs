//! Runs of plain lines, which need no scanner.
//!
//! Most lines of most trees are `key: value`, one below the other. Of each such run only the first line is handed to
//! the scanner. If it tells of the pair on that line, in a block mapping and exactly where it stands, then the lines
//! below it, with the same indentation, can only be further pairs of the same mapping, and their events are made here.
//! If anything is not as expected, or wrong, the whole text is read again without this short cut, so that it can
//! neither change what is read nor what an error says.

use super::engine::{Engine, Event, EventKind};
use super::granit::GranitEngine;
use super::source::Document;
use crate::error::{Error, Result, Status};
use crate::tree::Style;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

/// Longer keys are left to the scanner, which has limits of its own for them.
const MAX_KEY: usize = 100;

/// A text without all lines of its runs but their first ones.
pub(super) struct Reduced<'a> {
    source: &'a str,
    text: String,
    /// Where parts of the reduced text begin, there and in the source.
    parts: Vec<(usize, usize)>,
    runs: Vec<Run>,
}

struct Run {
    /// The pair that the scanner is to tell of, by its places in the source.
    key: Range<usize>,
    value: Range<usize>,
    /// The lines that it does not see.
    rest: Range<usize>,
}

/// The parts of a line `key: value`, by their places in the source.
struct Line {
    indentation: usize,
    key: Range<usize>,
    value: Range<usize>,
}

impl<'a> Reduced<'a> {
    /// The text without its runs; nothing if they make up less than one part in `worthwhile` of it.
    pub(super) fn new(source: &'a str, worthwhile: usize) -> Option<Reduced<'a>> {
        let mut runs = Vec::new();
        let mut removed = 0;
        let mut finder = Finder { source, runs: &mut runs, removed: &mut removed, open: None };
        let mut start = 0;
        for newline in memchr::memchr_iter(b'\n', source.as_bytes()) {
            finder.line(start..newline);
            start = newline + 1;
        }
        finder.line(start..source.len());
        if runs.is_empty() || removed < source.len() / worthwhile {
            return None;
        }
        let mut text = String::with_capacity(source.len() - removed);
        let mut parts = Vec::with_capacity(runs.len() + 1);
        let mut kept = 0;
        for run in &runs {
            parts.push((text.len(), kept));
            text.push_str(&source[kept..run.rest.start]);
            kept = run.rest.end;
        }
        parts.push((text.len(), kept));
        text.push_str(&source[kept..]);
        Some(Reduced { source, text, parts, runs })
    }
}

/// The run that may go on in the next line.
struct OpenRun {
    first: Line,
    /// Where the lines after the first begin, and the last of them.
    rest: usize,
    last: usize,
}

struct Finder<'a, 'r> {
    source: &'a str,
    runs: &'r mut Vec<Run>,
    removed: &'r mut usize,
    open: Option<OpenRun>,
}

impl Finder<'_, '_> {
    fn line(&mut self, place: Range<usize>) {
        let line = plain_line(self.source, place.clone());
        if let (Some(open), Some(line)) = (&mut self.open, &line)
            && open.first.indentation == line.indentation
        {
            open.last = place.start;
            return;
        }
        if let Some(open) = self.open.take() {
            // A value can go on in a line that is indented more, with blank lines between. The last line of the run is
            // then left to the scanner, too.
            let text = &self.source[place.clone()];
            let indentation = text.len() - text.trim_ascii_start().len();
            let goes_on = indentation == text.len() || indentation > open.first.indentation;
            let end = if goes_on { open.last } else { place.start };
            if end > open.rest {
                *self.removed += end - open.rest;
                self.runs.push(Run { key: open.first.key, value: open.first.value, rest: open.rest..end });
            }
        }
        let scalar = line.filter(|line| self.source.as_bytes()[line.value.start] != b'[');
        self.open = scalar.map(|first| OpenRun { first, rest: place.end + 1, last: place.start });
    }
}

/// A line with a plain key and a value that is a plain or single-quoted scalar, or a list of plain ones in brackets,
/// all of them of characters that have no meaning to YAML where they stand.
fn plain_line(source: &str, place: Range<usize>) -> Option<Line> {
    let bytes = source.as_bytes().get(place.clone())?;
    let indentation = bytes.iter().position(|&byte| byte != b' ')?;
    let key = &bytes[indentation..];
    let length = key.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b"_-".contains(byte))?;
    if length > MAX_KEY || !key.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') {
        return None;
    }
    let after = key[length..].strip_prefix(b": ")?;
    let value = &after[after.iter().position(|&byte| byte != b' ')?..];
    let is_plain = match value {
        [b'\'', inner @ .., b'\''] => inner.iter().all(|&byte| matches!(byte, b' '..=b'&' | b'('..=b'~')),
        [b'[', inner @ .., b']'] => inner.is_empty() || items(inner).all(|item| is_plain_scalar(item, false)),
        _ => is_plain_scalar(value, true),
    };
    let key_start = place.start + indentation;
    let key = key_start..key_start + length;
    is_plain.then(|| Line { indentation, key, value: place.end - value.len()..place.end })
}

fn items(inner: &[u8]) -> impl Iterator<Item = &[u8]> {
    inner.split(|&byte| byte == b',').enumerate().map(|(number, item)| match number {
        0 => item,
        // A blank is required, so that an item without one is refused as the empty one.
        _ => item.strip_prefix(b" ").unwrap_or_default(),
    })
}

/// Whether every reader takes the text for a plain scalar, in a block or in brackets.
fn is_plain_scalar(text: &[u8], in_block: bool) -> bool {
    let begins = match text {
        [first, ..] if first.is_ascii_alphanumeric() || b"_/(".contains(first) => true,
        [b'-' | b'+' | b'.', second, ..] => second.is_ascii_alphanumeric() || *second == b'.',
        _ => false,
    };
    begins
        && text.last() != Some(&b' ')
        && text.iter().enumerate().all(|(index, &byte)| match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => true,
            b' ' | b'_' | b'.' | b'+' | b'-' | b'/' | b'(' | b')' | b'=' | b';' => true,
            b',' => in_block,
            b':' => in_block && text.get(index + 1).is_some_and(u8::is_ascii_alphanumeric),
            _ => false,
        })
}

/// The scanner on a reduced text, with the events of the lines that it does not see. Its errors tell nothing of the
/// text: it must be read again without this engine.
pub(super) struct RunsEngine<'a> {
    scanner: GranitEngine<'a>,
    reduced: &'a Reduced<'a>,
    /// The part of the reduced text that the last event was in.
    part: usize,
    /// The first run that the scanner has not told of, and whether it has told of its key.
    run: usize,
    in_pair: bool,
    /// For each open collection whether it is a block mapping.
    open: Vec<bool>,
    /// The lines to make events of, and events made.
    rest: Range<usize>,
    made: VecDeque<Event<'a>>,
}

impl<'a> RunsEngine<'a> {
    pub(super) fn new(reduced: &'a Reduced<'a>, document: Document<'a>, depth: u32) -> RunsEngine<'a> {
        let scanner = GranitEngine::new(&reduced.text, document, depth);
        let (open, made) = (Vec::new(), VecDeque::new());
        RunsEngine { scanner, reduced, part: 0, run: 0, in_pair: false, open, rest: 0..0, made }
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

    /// Compares what the scanner tells with what is expected of the next run.
    fn check(&mut self, event: &Event) -> Result<()> {
        match event.kind {
            EventKind::MappingStart { style, .. } => self.open.push(style == Style::Block),
            EventKind::SequenceStart { .. } => self.open.push(false),
            EventKind::CollectionEnd => {
                self.open.pop();
            }
            _ => {}
        }
        let Some(run) = self.reduced.runs.get(self.run) else { return Ok(()) };
        let expected = if self.in_pair { &run.value } else { &run.key };
        let is_expected = event.span == *expected;
        match &event.kind {
            EventKind::Scalar { style, tag: None, .. } if is_expected => {
                let quoted = self.reduced.source.as_bytes().get(expected.start) == Some(&b'\'');
                let wanted = if quoted { Style::SingleQuoted } else { Style::Plain };
                if *style != wanted || self.open.last() != Some(&true) {
                    return Err(unexpected());
                }
                if self.in_pair {
                    self.rest = run.rest.clone();
                    self.run += 1;
                }
                self.in_pair = !self.in_pair;
                Ok(())
            }
            _ if self.in_pair => Err(unexpected()),
            // Collections begin, and omitted values are found, where the next scalar begins.
            EventKind::Scalar { .. } if !event.span.is_empty() && event.span.end > expected.start => Err(unexpected()),
            EventKind::Alias { .. } if event.span.end > expected.start => Err(unexpected()),
            _ if event.span.start > expected.start && !matches!(event.kind, EventKind::CollectionEnd) => {
                Err(unexpected())
            }
            _ => Ok(()),
        }
    }

    /// Makes the events of the next line that the scanner did not see.
    fn make(&mut self) -> Result<()> {
        let source = self.reduced.source;
        let left = &source.as_bytes()[self.rest.clone()];
        let end = self.rest.start + memchr::memchr(b'\n', left).unwrap_or(left.len());
        let line = plain_line(source, self.rest.start..end).ok_or_else(unexpected)?;
        self.rest.start = (end + 1).min(self.rest.end);
        self.made.push_back(scalar(source, line.key, Style::Plain));
        let value = line.value;
        match source.as_bytes()[value.start] {
            b'\'' => self.made.push_back(scalar(source, value, Style::SingleQuoted)),
            b'[' => {
                let kind = EventKind::SequenceStart { style: Style::Flow, tag: None };
                self.made.push_back(Event { kind, span: value.start..value.start + 1 });
                let mut start = value.start + 1;
                let inner = &source.as_bytes()[start..value.end - 1];
                for item in items(inner).filter(|_| !inner.is_empty()) {
                    self.made.push_back(scalar(source, start..start + item.len(), Style::Plain));
                    start += item.len() + ", ".len();
                }
                let kind = EventKind::CollectionEnd;
                self.made.push_back(Event { kind, span: value.end - 1..value.end });
            }
            _ => self.made.push_back(scalar(source, value, Style::Plain)),
        }
        Ok(())
    }
}

impl<'a> Engine<'a> for RunsEngine<'a> {
    fn next(&mut self) -> Result<Option<Event<'a>>> {
        if self.made.is_empty() && !self.rest.is_empty() {
            self.make()?;
        }
        if let Some(event) = self.made.pop_front() {
            return Ok(Some(event));
        }
        let Some(mut event) = self.scanner.next()? else {
            return if self.run == self.reduced.runs.len() { Ok(None) } else { Err(unexpected()) };
        };
        let start = self.place(event.span.start);
        // The end is in the same part, unless the scalar goes on over a run, which the comparison then shows.
        event.span = start..start + event.span.len();
        self.check(&event)?;
        Ok(Some(event))
    }
}

fn scalar(source: &str, span: Range<usize>, style: Style) -> Event<'_> {
    let margin = usize::from(style == Style::SingleQuoted);
    let text = Cow::Borrowed(&source[span.start + margin..span.end - margin]);
    Event { kind: EventKind::Scalar { text, style, tag: None }, span }
}

fn unexpected() -> Error {
    Error::new(Status::Internal, "a run of plain lines is not what it seems")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::tree::{Kind, Tree};
    use crate::yaml::parse::{Parsed, read_by};

    fn by_scanner(text: &str) -> Result<Parsed> {
        read_by(text, &Limits::default(), |document, depth| GranitEngine::new(document.text, document, depth))
    }

    /// Reads a text by its runs; nothing if it has none or is refused that way.
    fn by_runs(text: &str) -> Option<Parsed> {
        let reduced = Reduced::new(text, usize::MAX)?;
        // The engine borrows from the reduced text, and both must outlive the reading.
        read_by(text, &Limits::default(), |document, depth| RunsEngine::new(&reduced, document, depth)).ok()
    }

    /// What can be told of all nodes, in document order.
    fn dump(tree: &Tree) -> Vec<String> {
        let mut out = Vec::new();
        let mut stack = vec![tree.root()];
        while let Some(id) = stack.pop() {
            let target = tree.dealias(id).number();
            let (kind, style, span) = (tree.kind(id), tree.style(id), tree.span(id));
            let text = if kind == Kind::Scalar { tree.text(id) } else { "" };
            let (tag, anchor) = (tree.tag(id), tree.anchor(id));
            out.push(format!("{} {target} {kind:?} {style:?} {span:?} {tag:?} {anchor:?} {text:?}", id.number()));
            stack.extend(tree.items(id).iter().rev());
        }
        out
    }

    /// Compares both ways and tells whether the text was read by its runs.
    fn compare(text: &str) -> bool {
        let Some(runs) = by_runs(text) else { return false };
        let whole = by_scanner(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(dump(&runs.tree), dump(&whole.tree), "{text}");
        assert_eq!(runs.warnings, whole.warnings, "{text}");
        true
    }

    fn document(content: &str) -> String {
        format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{content}...\n")
    }

    const SEED: &str = "\
name: asdfkit
version: 0.1.0
time: '2027-03-01T00:01:00.000'
list: [1, -2.5, abc d]
empty: []
meta: !a/b-1.0.0
  x: 1
  y: true
  z: null
  deep:
    p: yes
    q: 12:30:00
    r: http://x.y/z

  # a comment
  s: 1.5e+3
  t: last
rows:
- a: 1
  b: 2
  c: [3, 4]
- a: 5
  b: 6
- &anchor
  k: v
  l: w
text: |
  a: 1
  b: 2
long: some words
  that go on
folded: one
 two: 2
flow: {
  a: b
  }
alias: *anchor
again: 1
name: twice
";

    #[test]
    fn runs_are_read_as_the_scanner_reads_them() {
        let good = SEED.replace("folded: one\n two: 2\n", "").replace("  a: b\n  }", "  a: b }");
        assert!(!compare(&document(&good)), "a block scalar looks like a run");
        assert!(compare(&document(&good.replace("text: |\n  a: 1\n  b: 2\n", ""))));
        assert!(compare(&document("a: 1\nb: 2\nc: 3\n")));
        assert!(compare(&document("a:\nb: 2\nc: 3\nd:\ne: 5\nf: 6\n")));
        assert!(compare(&document("- a: 1\n  b: 2\n  c: 3\n- a: 4\n  b: 5\n  c: 6\n")));
        assert!(compare(&document("a:\n  b: 1\n  c: 2\n  d: 3\ne:\n  f: 1\n  g: 2\n  h: [1, 2, 3]\n")));
        assert!(!compare(&document("a: 'x\n  b: 2\n  c: 3\n  '\n")));
    }

    #[test]
    fn lines_are_plain_or_not() {
        let is_plain = |line: &str| plain_line(line, 0..line.len()).is_some();
        for line in ["a: 1", "  a_b-c:   -1.5", "a: b, c: d".split(',').next().unwrap(), "k: 'it''s'"] {
            assert_eq!(is_plain(line), !line.contains("''"), "{line}");
        }
        for line in ["a: 12:30", "a: [x]", "a: []", "a: .5", "a: (1 2)", "a: ''"] {
            assert!(is_plain(line), "{line}");
        }
        for line in [
            "",
            "a",
            "a:",
            "a: ",
            "a:b",
            "a : b",
            "- a: b",
            "? a: b",
            "a: b ",
            "a: b\r",
            "a: \tb",
            "a: b #c",
            "a: #c",
            "a: b: c",
            "a: b:",
            "a: - b",
            "a: -",
            "a: --- x",
            "a: |",
            "a: >",
            "a: !t x",
            "a: &a x",
            "a: *a",
            "a: \"x\"",
            "a: {b: c}",
            "a: [b, [c]]",
            "a: [b,c]",
            "a: [b, ]",
            "a: [b: c]",
            "a: [b",
            "a: 'x",
            "a: 'x' y",
            "a: é",
            "<<: x",
            "1: x",
            "a: @x",
            "a: `x",
            "a: %x",
            "a: ? x",
            "a: , x",
            "a: ~",
            "\ta: b",
            "a: [ b]",
            "a: [b ]",
            "a: '\u{7f}'",
        ] {
            assert!(!is_plain(line), "{line}");
        }
    }

    #[test]
    fn damaged_texts_are_read_alike_or_left_to_the_scanner() {
        let lines: Vec<&str> = SEED.lines().collect();
        let pieces = [
            " ", "  ", "\n", "\n\n", ": ", "- ", "'", "[", "]", "{", "}", "|", ">", "#", "&a ", "*a", "!t ", "? ", ",",
            "\t", "x",
        ];
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let values = [
            "1",
            "two words",
            "'q: #'",
            "[1, 2]",
            "[]",
            "\"d\"",
            "{a: b}",
            "&n x",
            "*n",
            "!t y",
            "~",
            "",
            "a # c",
            "|\n   l: 1\n   m: 2",
            "'x\n    y: 1\n    z: 2'",
            "some\n      more",
            "[1,\n 2]",
            "{\n   p: 1\n   }",
        ];
        let mut read = 0;
        for _ in 0..20_000 {
            let mut content = String::from("top: &n 1\n");
            let mut levels = vec![0];
            for number in 0..2 + random(14) {
                let level = levels.last().copied().unwrap_or(0);
                let indentation = " ".repeat(level);
                // Mostly what runs are made of, so that there are some.
                let value = if random(4) > 0 { values[random(5)] } else { values[random(values.len())] };
                let key = if random(9) > 0 { format!("k{number}") } else { "same".into() };
                match random(12) {
                    0 => {
                        content.push_str(&format!("{indentation}{key}:\n"));
                        levels.push(level + 2);
                    }
                    1 => {
                        content.push_str(&format!("{indentation}{key}: !m\n{indentation}- a: {value}\n"));
                        levels.push(level + 2);
                    }
                    2 if levels.len() > 1 => {
                        levels.pop();
                    }
                    3 => content.push_str([lines[random(lines.len())], "", "# comment"][random(3)]),
                    _ => content.push_str(&format!("{indentation}{key}: {value}")),
                }
                if !content.ends_with('\n') {
                    content.push('\n');
                }
            }
            for _ in 0..random(4).saturating_sub(2) {
                let mut at = random(content.len());
                while !content.is_char_boundary(at) {
                    at -= 1;
                }
                if random(2) == 0 {
                    content.insert_str(at, pieces[random(pieces.len())]);
                } else {
                    content.remove(at);
                }
            }
            read += usize::from(compare(&document(&content)));
        }
        assert!(read > 2000, "{read}");
    }
}
