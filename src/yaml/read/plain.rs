//! The part of YAML that needs no scanner: simple lines, and flow collections. A simple line has a key, a hyphen, or
//! both, and at most one value. Scalars are plain or single-quoted and hold no character with a special meaning in
//! YAML.
//!
//! The result is a list of *pieces*: scalars, single brackets and tags by their positions, the start and the end of
//! block collections, in document order.

use super::bytes::{Class, InBlock, InFlow, InKey, InQuotes, InTag, InUri, count_of};
use crate::tree::Extent;

/// Maximum length of a key in bytes. Longer keys are left to the scanner, which has its own limits for them.
const MAX_KEY: usize = 100;
/// Maximum length in bytes of a simple line that holds a flow collection. In longer lines, collections get gaps of
/// their own.
const MAX_FLOW_LINE: usize = 1024;
/// Maximum nesting depth of a flow collection. Deeper ones are left to the scanner. A search starts at each bracket, so
/// each byte is read at most this many times.
pub(super) const MAX_FLOW_DEPTH: u32 = 8;

/// A line `key: value`, `key:`, `- value`, `-` or `- key: value`.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// Position of its end in the source.
    pub(super) end: usize,
    /// Number of spaces at its start.
    pub(super) column: usize,
    /// True if the line is an item of a sequence, not a pair of a mapping.
    pub(super) is_item: bool,
    /// Position in the source after the hyphen and the spaces that follow it.
    pub(super) content: usize,
    /// Column of the key in `- key: value` and `- key:`, whose item is a mapping.
    pub(super) key_column: Option<usize>,
    /// True if nothing but a tag follows the colon or the hyphen: the value is in the lines below.
    pub(super) is_header: bool,
    /// True if the value has a tag.
    pub(super) is_tagged: bool,
}

/// Kind of a piece.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PieceKind {
    Plain,
    Quoted,
    Tag,
    /// Opening bracket of a sequence.
    Sequence,
    /// Opening bracket of a mapping.
    Mapping,
    /// Closing bracket of a sequence or a mapping.
    End,
    BlockSequence,
    BlockMapping,
    BlockEnd,
}

impl PieceKind {
    #[inline]
    pub(super) fn of(source: &[u8], piece: Extent) -> PieceKind {
        // No other piece is empty or ends at the start of the source.
        if piece.end <= piece.start {
            return match piece {
                BLOCK_END => PieceKind::BlockEnd,
                Extent { end: 0, .. } => PieceKind::BlockSequence,
                _ => PieceKind::BlockMapping,
            };
        }
        match source.get(piece.start as usize) {
            Some(b'[') => PieceKind::Sequence,
            Some(b'{') => PieceKind::Mapping,
            Some(b']' | b'}') => PieceKind::End,
            Some(b'\'') => PieceKind::Quoted,
            Some(b'!') => PieceKind::Tag,
            _ => PieceKind::Plain,
        }
    }
}

/// The end of a block collection.
pub(super) const BLOCK_END: Extent = Extent { start: u32::MAX, end: 0 };

/// Returns the start of a block collection, at the position where the scanner reports it.
pub(super) fn block_start(is_sequence: bool, position: usize) -> Extent {
    let piece = Extent::new(position..position);
    if is_sequence { Extent { end: 0, ..piece } } else { piece }
}

/// Returns the nesting depth that collections of pieces reach, block collections and flow collections counted apart.
/// `in_block` and `in_flow` collections are open around the pieces.
pub(super) fn depth(source: &[u8], pieces: &[Extent], mut in_block: u32, mut in_flow: u32) -> u32 {
    let mut depth = in_block.max(in_flow);
    for &piece in pieces {
        match PieceKind::of(source, piece) {
            PieceKind::BlockSequence | PieceKind::BlockMapping => in_block += 1,
            PieceKind::BlockEnd => in_block -= 1,
            PieceKind::Sequence | PieceKind::Mapping => in_flow += 1,
            PieceKind::End => in_flow -= 1,
            PieceKind::Plain | PieceKind::Quoted | PieceKind::Tag => {}
        }
        depth = depth.max(in_block).max(in_flow);
    }
    depth
}

fn count_of_blanks(bytes: &[u8]) -> usize {
    bytes.iter().position(|&byte| byte != b' ').unwrap_or(bytes.len())
}

/// Reads the line that begins at `start`, and appends its pieces, the key included. Returns `None` for any other kind
/// of line; pieces may have been appended even then.
pub(super) fn line(source: &[u8], start: usize, pieces: &mut Vec<Extent>) -> Option<Line> {
    let rest = source.get(start..)?;
    let column = count_of_blanks(rest);
    let mut at = start + column;
    let is_item = source.get(at) == Some(&b'-');
    let mut key_column = None;
    if is_item {
        at += 1;
        if !is_end(source, at) {
            at += blanks(source, at).filter(|blanks| !is_end(source, at + blanks))?;
        }
    }
    let content = at;
    match key(source, at, pieces) {
        Some(end) if is_item => (key_column, at) = (Some(at - start), end),
        Some(end) => at = end,
        None if is_item => {}
        None => return None,
    }
    let mut line = Line { column, is_item, content, key_column, is_header: true, is_tagged: false, end: at };
    if is_end(source, at) {
        return Some(line);
    }
    if at > content {
        at += blanks(source, at)?;
    }
    if source.get(at) == Some(&b'!') {
        let length = tag(&source[at..])?;
        line.is_tagged = true;
        pieces.push(Extent::new(at..at + length));
        at += length;
        line.end = at;
        if is_end(source, at) {
            return Some(line);
        }
        at += blanks(source, at)?;
    }
    line.is_header = false;
    line.end = value(source, start, at, pieces)?;
    Some(line)
}

/// Returns whether a line ends at a position.
fn is_end(source: &[u8], at: usize) -> bool {
    source.get(at).is_none_or(|&byte| byte == b'\n')
}

/// Reads the value at the end of the line that begins at `start`. Returns the end of the line.
fn value(source: &[u8], start: usize, at: usize, pieces: &mut Vec<Extent>) -> Option<usize> {
    let text = source.get(at..)?;
    let end = match text.first()? {
        b'\'' => {
            let length = count_of::<InQuotes>(&text[1..]);
            let end = at + 1 + length;
            (source.get(end) == Some(&b'\'')).then_some(end + 1)?
        }
        b'[' | b'{' => {
            let end = memchr::memchr(b'\n', text).map_or(source.len(), |length| at + length);
            let is_short = end - start <= MAX_FLOW_LINE;
            let flow = is_short.then(|| flow(&source[..end], at, usize::MAX, pieces)).flatten();
            return flow.filter(|flow| *flow == end);
        }
        _ => at + plain_in_block(text)?,
    };
    pieces.push(Extent::new(at..end));
    is_end(source, end).then_some(end)
}

/// Returns whether a text is a tag of the form `!name` or `!<URI>`.
pub(super) fn is_tag(text: &str) -> bool {
    text.starts_with('!') && tag(text.as_bytes()) == Some(text.len())
}

/// Returns whether a text can be the prefix of a `%TAG` directive.
pub(super) fn is_uri(text: &str) -> bool {
    !text.is_empty() && count_of::<InUri>(text.as_bytes()) == text.len()
}

/// Returns the length of the tag at the start of a text: `!name` or `!<URI>`.
fn tag(text: &[u8]) -> Option<usize> {
    if let [b'!', b'<', uri @ ..] = text {
        let length = count_of::<InUri>(uri);
        return (length > 0 && uri.get(length) == Some(&b'>')).then_some(length + 3);
    }
    Some(1 + count_of::<InTag>(text.get(1..)?)).filter(|&length| length > 1)
}

/// Returns the full form of a tag that [`line`] has found. `prefix` stands for the handle `!`.
pub(super) fn full_tag(written: &str, prefix: &str) -> String {
    match written.strip_prefix("!<").and_then(|rest| rest.strip_suffix('>')) {
        Some(uri) => uri.to_owned(),
        None => [prefix, written.get(1..).unwrap_or_default()].concat(),
    }
}

/// Returns the prefix for the handle `!`; `None` if a directive makes that difficult to tell.
pub(super) fn tag_prefix(text: &str) -> Option<&str> {
    let mut prefix = None;
    for line in text.lines().take_while(|line| line.starts_with(['%', '#']) || line.is_empty()) {
        let mut words = line.split_ascii_whitespace();
        if words.next() == Some("%TAG") && words.next() == Some("!") {
            let found = words.next().filter(|found| is_uri(found))?;
            if prefix.replace(found).is_some() || words.next().is_some() {
                return None;
            }
        }
    }
    Some(prefix.unwrap_or("!"))
}

/// Counts the spaces at `at`; `None` if there is no space.
fn blanks(bytes: &[u8], at: usize) -> Option<usize> {
    Some(count_of_blanks(bytes.get(at..)?)).filter(|&count| count > 0)
}

/// Reads a key and its colon, which a space or the end of the line follows. Returns the position after the colon.
fn key(bytes: &[u8], at: usize, pieces: &mut Vec<Extent>) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let first = rest.first()?;
    if !(first.is_ascii_alphabetic() || *first == b'_') {
        return None;
    }
    let length = count_of::<InKey>(rest);
    if length > MAX_KEY || !matches!(rest[length..], [b':'] | [b':', b' ' | b'\n', ..]) {
        return None;
    }
    pieces.push(Extent::new(at..at + length));
    Some(at + length + 1)
}

/// Reads the flow collection whose first bracket is at `at`, over several lines if necessary, and appends its pieces.
/// Returns the position after it. Returns `None` for any other text, and once `pieces` has more than `most` entries;
/// pieces may have been appended even then.
pub(super) fn flow(bytes: &[u8], at: usize, most: usize, pieces: &mut Vec<Extent>) -> Option<usize> {
    let mut at = at;
    let (mut depth, mut mappings) = (0, 0u32);
    loop {
        if pieces.len() > most {
            return None;
        }
        at = skip_space(bytes, at);
        match *bytes.get(at)? {
            bracket @ (b'[' | b'{') => {
                if depth == MAX_FLOW_DEPTH {
                    return None;
                }
                depth += 1;
                mappings = mappings << 1 | u32::from(bracket == b'{');
                pieces.push(Extent::new(at..at + 1));
                at = skip_space(bytes, at + 1);
                if *bytes.get(at)? != bracket + 2 {
                    if bracket == b'{' {
                        at = key(bytes, at, pieces)?;
                    }
                    continue;
                }
            }
            b'\'' => {
                let inner = &bytes[at + 1..];
                let length = count_of::<InQuotes>(inner);
                if inner.get(length) != Some(&b'\'') {
                    return None;
                }
                pieces.push(Extent::new(at..at + length + 2));
                at += length + 2;
            }
            _ => loop {
                let length = plain_in_flow(&bytes[at..])?;
                pieces.push(Extent::new(at..at + length));
                at += length;
                // Most items of lists are followed by another one in the same line.
                match bytes[at..] {
                    [b',', b' ', next, ..] if mappings & 1 == 0 && InBlock::holds(next) && next != b' ' => at += 2,
                    _ => break,
                }
            },
        }
        loop {
            at = skip_space(bytes, at);
            match (*bytes.get(at)?, mappings & 1) {
                (b',', in_mapping) => {
                    at = skip_space(bytes, at + 1);
                    match (bytes.get(at)?, in_mapping) {
                        // A trailing comma is allowed.
                        (b']', 0) | (b'}', 1) => continue,
                        (_, 1) => at = key(bytes, at, pieces)?,
                        _ => {}
                    }
                    break;
                }
                (b']', 0) | (b'}', 1) => {
                    pieces.push(Extent::new(at..at + 1));
                    at += 1;
                    depth -= 1;
                    mappings >>= 1;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => return None,
            }
        }
    }
}

fn skip_space(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(b' ' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Returns the length of the plain scalar at the start of a text, if it reaches to the end of the line.
fn plain_in_block(text: &[u8]) -> Option<usize> {
    if !begins_plain(text, b'.') {
        return None;
    }
    let mut length = count_of::<InBlock>(text);
    while let [b':', next, ..] = text[length..]
        && next.is_ascii_alphanumeric()
    {
        length += 1 + count_of::<InBlock>(&text[length + 1..]);
    }
    (text[length - 1] != b' ').then_some(length)
}

/// Returns the length of the plain scalar at the start of a text in a flow collection.
fn plain_in_flow(text: &[u8]) -> Option<usize> {
    // The scalar may be at the start of a line, where `...` ends the document.
    if !begins_plain(text, b'0') {
        return None;
    }
    let mut length = count_of::<InFlow>(text);
    while text[length - 1] == b' ' {
        length -= 1;
    }
    Some(length)
}

/// Returns whether a plain scalar may begin like `text`. After a leading point, `after_point` is allowed besides
/// letters and digits.
fn begins_plain(text: &[u8], after_point: u8) -> bool {
    match text {
        [first, ..] if first.is_ascii_alphanumeric() || b"_/(".contains(first) => true,
        [b'-' | b'+', second, ..] => second.is_ascii_alphanumeric() || *second == b'.',
        [b'.', second, ..] => second.is_ascii_alphanumeric() || *second == after_point,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Option<Vec<&str>> {
        let mut pieces = Vec::new();
        line(text.as_bytes(), 0, &mut pieces).filter(|line| line.end == text.len())?;
        Some(pieces.into_iter().map(|piece| &text[piece.range()]).collect())
    }

    #[test]
    fn lines_are_plain_or_not() {
        let plain = [
            ("a: 1", "a 1"),
            ("  a_b-c:   -1.5", "a_b-c -1.5"),
            ("a: 12:30", "a 12:30"),
            ("a: x, y", "a x,_y"),
            ("a: [x]", "a [ x ]"),
            ("a: []", "a [ ]"),
            ("a: [1,2 , 3 ]", "a [ 1 2 3 ]"),
            ("a: [1, {b: 2,} , ]", "a [ 1 { b 2 } ]"),
            ("a: [x y, [z], {b: c, d: {}}]", "a [ x_y [ z ] { b c d { } } ]"),
            ("a: {b: 'c', d: [e]}", "a { b 'c' d [ e ] }"),
            ("a: .5", "a .5"),
            ("a: ..", "a .."),
            ("a: (1 2)", "a (1_2)"),
            ("a: ''", "a ''"),
            ("a: !t/x-1.0.0 b", "a !t/x-1.0.0 b"),
            ("- 1", "1"),
            ("  -   -1", "-1"),
            ("- !t {a: b}", "!t { a b }"),
            ("- 'a: b'", "'a:_b'"),
            ("- a: b", "a b"),
            ("- a:", "a"),
            ("-", ""),
            ("a:", "a"),
            ("a: !t", "a !t"),
            ("a: !<u:/v> [1]", "a !<u:/v> [ 1 ]"),
        ];
        for (text, expected) in plain {
            let found = pieces(text).map(|pieces| pieces.join(" ").replace("x y", "x_y"));
            let found = found.map(|found| found.replace("x, y", "x,_y").replace("1 2)", "1_2)").replace(": b", ":_b"));
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
        let read = |text: &str| {
            let line = super::line(text.as_bytes(), 0, &mut Vec::new()).unwrap();
            (line.column, line.is_item, line.key_column, line.is_header, line.is_tagged)
        };
        assert_eq!(read("  - !a.b/c [1]"), (2, true, None, false, true));
        assert_eq!(read("  -  a: 1"), (2, true, Some(5), false, false));
        assert_eq!(read("- a: !t"), (0, true, Some(2), true, true));
        assert_eq!(read(" a:"), (1, false, None, true, false));
        assert_eq!(read("-"), (0, true, None, true, false));
        let ends = ["a: b\nc", "a:\n", "- 'x'\n\n", "- [1, 2]\n- 3", "a: !t\nb", "a: 12:30:00 x, y and more\n", "-\nx"];
        for text in ends {
            let end = super::line(text.as_bytes(), 0, &mut Vec::new()).unwrap().end;
            assert_eq!(Some(end), text.find('\n'), "{text}");
        }
    }

    #[test]
    fn tags_have_a_full_form() {
        assert_eq!(full_tag("!<asdf://a.b/c-1.0>", "tag:x/"), "asdf://a.b/c-1.0");
        assert_eq!(full_tag("!a/b", "tag:x/"), "tag:x/a/b");
        let prefixes = [
            ("%YAML 1.1\n%TAG ! tag:x/\n--- a\n", Some("tag:x/")),
            ("%TAG !! tag:x/\n--- a\n%TAG ! y\n", Some("!")),
            ("a: b\n%TAG ! y\n", Some("!")),
            ("%TAG ! a\n%TAG ! b\n", None),
            ("%TAG ! a b\n", None),
            ("%TAG ! a%20\n", None),
            ("%TAG !\n", None),
        ];
        for (text, prefix) in prefixes {
            assert_eq!(tag_prefix(text), prefix, "{text}");
        }
    }

    #[test]
    fn other_lines_are_left_to_the_scanner() {
        let others = [
            "",
            "a",
            "a: ",
            "a:b",
            "a : b",
            "- ",
            "-a",
            "- - a",
            "- a : b",
            "- !t a: b",
            "- a: b: c",
            "- ?",
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
            "a: ! x",
            "a: !",
            "a: !t ",
            "a: !!int 1",
            "a: !<t",
            "a: !<> x",
            "a: !<t>x",
            "a: !<t%20> x",
            "a: !t &a x",
            "a: &a x",
            "a: *a",
            "a: \"x\"",
            "a: {b}",
            "a: {b: }",
            "a: {b : c}",
            "a: {b:c}",
            "a: [b, , ]",
            "a: [,]",
            "a: {,}",
            "a: [, b]",
            "a: [b: c]",
            "a: [b",
            "a: [b}",
            "a: {b: c]",
            "a: [b] ",
            "a: [b] c",
            "a: [b]]",
            "a: ['x''y']",
            "a: ['x' y]",
            "a: [..]",
            "a: [-]",
            "a: [a\tb]",
            "a: 'x",
            "a: 'x' y",
            "a: 'it''s'",
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
            "a: '\u{7f}'",
            "a: [é]",
            "...",
            "---",
            "--- a",
        ];
        for text in others {
            assert_eq!(pieces(text), None, "{text}");
        }
        assert_eq!(pieces(&format!("a: {}1{}", "[".repeat(9), "]".repeat(9))), None);
        assert_eq!(pieces(&format!("{}: 1", "k".repeat(101))), None);
        assert_eq!(pieces(&format!("a: [{}1]", "1, ".repeat(400))), None);
    }

    #[test]
    fn collections_reach_over_lines() {
        let text = "[1.0,\n2, -3 ,\n\n  x y\n]z";
        let mut pieces = Vec::new();
        assert_eq!(flow(text.as_bytes(), 0, 99, &mut pieces), Some(text.len() - 1));
        assert_eq!(pieces.len(), 6);
        assert!(flow(text.as_bytes(), 0, 3, &mut Vec::new()).is_none());
        for text in ["[a\nb]", "[1,\n...\n]", "[1,\n---\n]", "[1 # c\n]", "[1,\r\n2]", "[1,\n", "[1, [2]"] {
            assert!(flow(text.as_bytes(), 0, 99, &mut Vec::new()).is_none(), "{text}");
        }
    }
}
