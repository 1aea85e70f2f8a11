//! The text of the block index: finding it at the end of a file, parsing its list of offsets, writing it.
//!
//! The parser understands only as much YAML as a list of integers needs. The offsets are verified elsewhere.

use super::block::{BlockHeader, MAGIC};
use super::tree_extent::skip_blanks;
use crate::error::{Error, Result};
use crate::reserve;
use crate::source::{Source, read_exact_at, read_vec_at, try_zeroed};

/// The first line of an index.
pub(super) const TITLE: &[u8] = b"#ASDF BLOCK INDEX";
/// Size in bytes of the first piece read from the end of the file. Each further piece is `TAIL_GROWTH` times larger.
const FIRST_TAIL: u64 = 8 << 10;
const TAIL_GROWTH: u64 = 4;
/// Maximum number of zero bytes after an index that are searched. With more, the index is not found and the headers are
/// read one by one.
const MAX_TRAILING_ZEROS: u64 = 64 << 10;
/// Longest line of an offset: `- `, 19 digits and a line end.
const MAX_ENTRY: u64 = 23;
/// Maximum length in bytes of the text around the list.
const MAX_FRAME: u64 = 256;
const MIN_SPACING: u64 = BlockHeader::MIN_LENGTH as u64;

/// Returns whether an index begins with these bytes. They must contain the whole first line unless the file ends
/// before.
pub(super) fn starts_here(bytes: &[u8]) -> bool {
    bytes.strip_prefix(TITLE).is_some_and(|rest| matches!(rest, [] | [b'\r'] | [b'\n', ..] | [b'\r', b'\n', ..]))
}

/// Returns whether an index begins at `offset`. The start of its first line is sufficient in a file that ends at `end`.
pub(super) fn is_at(source: &dyn Source, offset: u64, end: u64) -> Result<bool> {
    let mut buffer = [0; TITLE.len() + 2];
    let count = end.saturating_sub(offset).min(buffer.len() as u64) as usize;
    let bytes = &mut buffer[..count];
    read_exact_at(source, offset, bytes)?;
    Ok(starts_here(bytes) || (!bytes.is_empty() && TITLE.starts_with(bytes)))
}

/// Returns whether a source contains only padding or one index (possibly damaged) after `from`, the end of the last of
/// `blocks` blocks.
pub(crate) fn only_index_follows(source: &dyn Source, from: u64, blocks: u64) -> Result<bool> {
    let end = source.len();
    let (content, _) = skip_blanks(source, from, end)?;
    if content == end {
        return Ok(true);
    }
    let most = longest(blocks).saturating_add(MAX_TRAILING_ZEROS);
    if content != from || end - from > most || !is_at(source, from, end)? {
        return Ok(false);
    }
    let text = read_vec_at(source, from, end - from)?;
    Ok(memchr::memmem::find(&text, &MAGIC).is_none())
}

/// Returns a length in bytes that no ordinary index of this number of blocks exceeds.
pub(super) fn longest(blocks: u64) -> u64 {
    blocks.saturating_mul(MAX_ENTRY).saturating_mul(2).saturating_add(MAX_FRAME)
}

/// Finds the last index of a file. Returns its offset and its list, or `None` if there is no index or it cannot be
/// parsed.
///
/// `lowest` is the lowest possible offset of the index. The listed offsets increase by at least the length of a header.
pub(super) fn find(source: &dyn Source, length: u64, lowest: u64, max_blocks: u64) -> Result<Option<(u64, Vec<u64>)>> {
    let most = (length / MIN_SPACING).min(max_blocks).saturating_mul(MAX_ENTRY);
    let most = most.saturating_add(MAX_FRAME + TAIL_GROWTH * MAX_TRAILING_ZEROS);
    let lowest = lowest.max(length.saturating_sub(most));
    let mut tail: Vec<u8> = Vec::new();
    let mut size = FIRST_TAIL;
    loop {
        let start = lowest.max(length.saturating_sub(size));
        let wanted = usize::try_from(length - start).map_err(|_| Error::out_of_memory(length - start))?;
        let mut longer = try_zeroed(wanted)?;
        let (front, back) = longer.split_at_mut(wanted - tail.len());
        read_exact_at(source, start, front)?;
        back.copy_from_slice(&tail);
        tail = longer;
        let text_length = tail.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let text = &tail[..text_length];
        let title = memchr::memrchr_iter(b'#', text).find(|&at| starts_here(&text[at..]));
        if let Some(at) = title {
            return Ok(parse(&text[at..], max_blocks).map(|offsets| (start + at as u64, offsets)));
        }
        let may_go_on = if text.is_empty() { size < MAX_TRAILING_ZEROS } else { may_be_index(text, length) };
        if start == lowest || !may_go_on {
            return Ok(None);
        }
        size *= TAIL_GROWTH;
    }
}

/// Returns whether the text may be the end of an index whose title lies before it.
///
/// Only the start of the text is checked: a wrong result costs time, but the blocks found are correct.
fn may_be_index(text: &[u8], length: u64) -> bool {
    let start = &text[..text.len().min(64)];
    let is_index_byte = |byte: &u8| {
        byte.is_ascii_digit() || b"- \t\r\n[],.%YM".contains(byte) || TITLE.iter().skip(1).any(|part| part == byte)
    };
    if !start.iter().all(is_index_byte) {
        return false;
    }
    // The first and the last number may be cut off. Small numbers belong to the YAML version.
    let numbers = start.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let numbers: Vec<u64> = numbers
        .map(|digits| {
            digits.iter().fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
        })
        .collect();
    let whole = numbers.get(1..numbers.len().saturating_sub(1)).unwrap_or_default();
    let offsets: Vec<u64> = whole.iter().copied().filter(|&number| number >= MIN_SPACING).collect();
    offsets.iter().all(|&offset| offset < length)
        && offsets.windows(2).all(|pair| pair[1].saturating_sub(pair[0]) >= MIN_SPACING)
}

/// Returns the offsets in an index text, or `None` unless it is a list of integers that increase by at least a header
/// length.
fn parse(text: &[u8], max_blocks: u64) -> Option<Vec<u64>> {
    let mut scanner = Scanner { bytes: text.strip_prefix(TITLE)?, at: 0 };
    scanner.line_end()?;
    while scanner.peek() == Some(b'%') {
        scanner.skip(|byte| byte != b'\n');
        scanner.line_end()?;
    }
    scanner.blank_lines();
    if scanner.eat(b"---") && !matches!(scanner.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
        return None;
    }
    scanner.blank_lines();
    let mut list = List { offsets: Vec::new(), max_blocks };
    match scanner.peek()? {
        b'[' => scanner.flow_list(&mut list)?,
        b'-' => scanner.block_list(&mut list)?,
        _ => return None,
    }
    scanner.blank_lines();
    scanner.eat(b"...");
    scanner.blank_lines();
    (scanner.peek().is_none() && !list.offsets.is_empty()).then_some(list.offsets)
}

struct List {
    offsets: Vec<u64>,
    max_blocks: u64,
}

impl List {
    fn push(&mut self, offset: u64) -> Option<()> {
        let apart =
            self.offsets.last().is_none_or(|last| last.checked_add(MIN_SPACING).is_some_and(|next| next <= offset));
        if !apart || self.offsets.len() as u64 >= self.max_blocks {
            return None;
        }
        // Without memory for the index, the blocks are found one after another.
        reserve::push(&mut self.offsets, offset).ok()
    }
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let found = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(text));
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn blanks(&mut self) {
        self.skip(|byte| byte == b' ' || byte == b'\t');
    }

    fn blank_lines(&mut self) {
        self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    }

    /// Skips blanks and a line end, or the end of the text.
    fn line_end(&mut self) -> Option<()> {
        self.blanks();
        (self.eat(b"\n") || self.eat(b"\r\n") || self.peek().is_none()).then_some(())
    }

    fn integer(&mut self) -> Option<u64> {
        let mut value: u64 = 0;
        let start = self.at;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            self.at += 1;
        }
        // In YAML 1.1, a number with a leading zero is octal.
        (self.at > start && (self.bytes[start] != b'0' || self.at == start + 1)).then_some(value)
    }

    fn block_list(&mut self, list: &mut List) -> Option<()> {
        loop {
            let line = self.at;
            self.blanks();
            if !(self.eat(b"- ") || self.eat(b"-\t")) {
                self.at = line;
                return Some(());
            }
            self.blanks();
            list.push(self.integer()?)?;
            self.line_end()?;
        }
    }

    fn flow_list(&mut self, list: &mut List) -> Option<()> {
        self.eat(b"[");
        loop {
            self.blank_lines();
            if self.eat(b"]") {
                return Some(());
            }
            list.push(self.integer()?)?;
            self.blank_lines();
            if !self.eat(b",") && self.peek() != Some(b']') {
                return None;
            }
        }
    }
}

/// Returns the index of a file with blocks at these offsets.
pub(crate) fn index_of(offsets: &[u64]) -> Result<Vec<u8>> {
    encode(offsets.iter().copied())
}

/// Returns the index of a file with blocks at these offsets. It is empty without blocks, because such a file must have
/// no index.
pub(super) fn encode(offsets: impl Iterator<Item = u64>) -> Result<Vec<u8>> {
    use std::io::Write;
    let mut offsets = offsets.peekable();
    let mut out = Vec::new();
    if offsets.peek().is_none() {
        return Ok(out);
    }
    out.extend(TITLE);
    out.extend(b"\n%YAML 1.1\n---\n");
    for offset in offsets {
        reserve::room_for(&mut out, MAX_ENTRY as usize)?;
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "- {offset}");
    }
    reserve::extend(&mut out, b"...\n".iter().copied())?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    fn parsed(text: &str) -> Option<Vec<u64>> {
        parse(format!("#ASDF BLOCK INDEX\n{text}").as_bytes(), 5)
    }

    #[test]
    fn lists_that_count() {
        for text in [
            "%YAML 1.1\n---\n- 100\n- 154\n...\n",
            "%YAML 1.1\r\n---\r\n- 100\r\n- 154\r\n...\r\n",
            "%YAML 1.1\n--- [100, 154]\n...",
            "%YAML 1.1\n---\n[100,154,]\n...\n",
            "---\n[ 100\n, 154 ]\n",
            "%YAML 1.1\n---\n  -   100\n  - 154  ",
            "- 100\n- 154\n\n",
        ] {
            assert_eq!(parsed(text), Some(vec![100, 154]), "{text:?}");
        }
    }

    #[test]
    fn lists_that_do_not() {
        for text in [
            "",
            "---\n...\n",
            "--- []\n...\n",
            "--- [\n...\n",
            "--- [100 154]\n",
            "--- [100, 154\n...\n",
            "--- [,]\n",
            "---[100]\n",
            "---\n- 154\n- 100\n",
            "---\n- 100\n- 100\n",
            "---\n- 100\n- 153\n",
            "---\n- 100.0\n",
            "---\n- 0100\n",
            "---\n- -100\n",
            "---\n-100\n",
            "---\n- 100 # x\n",
            "---\n- a\n",
            "---\n- 100\nx: 1\n",
            "---\n- 100\n...\n- 200\n",
            "---\n- 18446744073709551616\n",
            "---\n- 18446744073709551615\n- 18446744073709551615\n",
            "---\n[0,54,108,162,216,270]\n",
        ] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }

    #[test]
    fn first_lines() {
        for text in [&b"#ASDF BLOCK INDEX\n"[..], b"#ASDF BLOCK INDEX\r\nx", b"#ASDF BLOCK INDEX"] {
            assert!(starts_here(text));
        }
        assert!(!starts_here(b"#ASDF BLOCK INDEX \n"));
        assert!(!starts_here(b"#ASDF BLOCK INDEXES\n"));
        let is_at = |text: &[u8]| is_at(&MemorySource::of_vec(text.to_vec()), 0, text.len() as u64).unwrap();
        assert!(is_at(b"#ASDF BLO") && !is_at(b"#ASDF BLOB") && !is_at(b""));
    }

    #[test]
    fn found_at_the_end_of_large_files() {
        for count in [1_u64, 400, 20_000] {
            let offsets: Vec<u64> = (0..count).map(|n| 1000 + n * 54).collect();
            let mut file = vec![b'#'; 1000 + 54 * count as usize];
            let start = file.len() as u64;
            let text = encode(offsets.iter().copied()).unwrap();
            file.extend(&text);
            for zeros in [0, 1, 10_000] {
                file.resize(start as usize + text.len() + zeros, 0);
                let source = MemorySource::of_vec(file.clone());
                let found = find(&source, source.len(), 60, 1 << 24).unwrap();
                assert_eq!(found, Some((start, offsets.clone())), "{count} blocks, {zeros} zeros");
            }
            // The title lies before `lowest`.
            let source = MemorySource::of_vec(file.clone());
            assert_eq!(find(&source, source.len(), start + 1, 1 << 24).unwrap(), None);
        }
    }

    #[test]
    fn an_index_alone_follows_blocks() {
        let follows = |text: &[u8]| only_index_follows(&MemorySource::of_vec(text.to_vec()), 1, 1).unwrap();
        let index = [&b"x"[..], &encode([60].into_iter()).unwrap()].concat();
        assert!(follows(&index) && follows(b"x\0\0") && follows(b"x"));
        assert!(!follows(b"x\0#ASDF BLOCK INDEX\n") && !follows(b"xother"));
        assert!(!follows(&[&index[..], &MAGIC].concat()));
        let mut longest_of_one = index;
        longest_of_one.resize(1 + (longest(1) + MAX_TRAILING_ZEROS) as usize, 0);
        assert!(follows(&longest_of_one));
        longest_of_one.push(0);
        assert!(!follows(&longest_of_one));
    }

    #[test]
    fn nothing_to_find() {
        for filler in [0, b'7', b'#', 0xFF] {
            let source = MemorySource::of_vec(vec![filler; 3_000_000]);
            assert_eq!(find(&source, source.len(), 10, 1 << 24).unwrap(), None);
        }
        // Numbers in a payload are searched only while they may be offsets.
        assert!(may_be_index(b"34\n- 1200\n- 1300\n- 14", 2000));
        assert!(may_be_index(b"ASDF BLOCK INDEX\n%YAML 1.1\n---\n- 1200\n", 2000));
        assert!(!may_be_index(b"34\n- 1200\n- 1300\n- 14", 1250));
        assert!(!may_be_index(b"34 1200 1201 1202", 2000));
        assert!(!may_be_index(b"34 1200 1300 # 14", 2000));
        assert_eq!(encode(std::iter::empty()).unwrap(), b"");
    }
}
