//! Tree of a damaged file: the whole tree, or its entries before the damage.

use crate::error::{Error, Result, Status};
use crate::layout::SalvagedText;
use crate::limits::Limits;
use crate::reserve;
use crate::tree::Tree;
use crate::yaml;
use std::ops::Range;

/// Number of cuts that are tried one by one from the end. After that, a binary search is used.
const MAX_TRIED_IN_TURN: usize = 8;

/// Readable part of a tree.
pub(super) struct SalvagedTree {
    /// The tree; `None` if not even its first line is readable.
    pub(super) tree: Option<Tree>,
    /// Byte range of the file that is lost, and the line on which it begins.
    pub(super) lost: Option<(Range<u64>, u64)>,
}

/// Reads the part of a tree before the damage.
///
/// A top-level entry is complete if another entry or the end marker follows. The last entry of a truncated text is
/// dropped, because it can be incomplete even if it is readable.
pub(super) fn read(text: SalvagedText, limits: &Limits) -> Result<SalvagedTree> {
    let SalvagedText { offset, line, bytes, has_end } = text;
    let end = offset + bytes.len() as u64;
    let (valid, mut broken_at) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            bytes.truncate(valid);
            (String::from_utf8(bytes).unwrap_or_default(), Some(valid))
        }
    };
    if has_end && broken_at.is_none() {
        match yaml::parse(reserve::text_of(&valid)?.into_string(), offset, line, limits) {
            Ok(parsed) => return Ok(SalvagedTree { tree: Some(parsed.tree), lost: None }),
            Err(error) => broken_at = Some(place_of(error, offset)?),
        }
    }
    let mut cuts = entry_starts(&valid);
    cuts.retain(|&cut| broken_at.is_none_or(|at| cut <= at));
    let Some((tree, cut)) = longest(&valid, cuts, offset, line, limits)? else {
        return Ok(SalvagedTree { tree: None, lost: Some((offset..end, line)) });
    };
    // A missing part of the end marker is not a loss.
    let rest = valid.get(cut..).unwrap_or_default();
    let is_lost = broken_at.is_some() || !"...".starts_with(rest.trim_end());
    let lines = memchr::memchr_iter(b'\n', valid.get(..cut).unwrap_or_default().as_bytes()).count() as u64;
    Ok(SalvagedTree { tree: Some(tree), lost: is_lost.then(|| (offset + cut as u64..end, line + lines)) })
}

/// Returns the offset in the text at which reading failed. Returns errors that are not caused by the text.
fn place_of(error: Error, offset: u64) -> Result<usize> {
    match error.status() {
        Status::Yaml | Status::Encoding | Status::Tree => {
            let at = error.location().offset.and_then(|at| at.checked_sub(offset));
            Ok(at.and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX))
        }
        _ => Err(error),
    }
}

/// Returns the offsets of lines, after the document start, on which an entry of a top-level block mapping may begin.
fn entry_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let lines = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
    let mut begun = false;
    let mut starts = Vec::new();
    for start in lines {
        let rest = bytes.get(start..).unwrap_or_default();
        if !begun {
            begun = rest.starts_with(b"---");
            continue;
        }
        match rest {
            [] | [b' ' | b'\t' | b'\r' | b'\n' | b'#', ..] => {}
            // Items of a list below the previous key, and parts of an explicit pair.
            [b'-' | b'?' | b':'] | [b'-' | b'?' | b':', b' ' | b'\t' | b'\r' | b'\n', ..] => {}
            _ => starts.push(start),
        }
    }
    starts
}

/// Returns the tree of the longest readable text up to one of the cuts, and the cut.
fn longest(text: &str, mut cuts: Vec<usize>, offset: u64, line: u64, limits: &Limits) -> Result<Option<(Tree, usize)>> {
    let read = |cut: usize| -> Result<Option<Tree>> {
        let mut part = text.get(..cut).unwrap_or_default().to_owned();
        part.push_str("...\n");
        match yaml::parse(part, offset, line, limits) {
            Ok(parsed) => Ok(Some(parsed.tree)),
            Err(error) => place_of(error, offset).map(|_| None),
        }
    };
    for _ in 0..MAX_TRIED_IN_TURN {
        let Some(cut) = cuts.pop() else { return Ok(None) };
        if let Some(tree) = read(cut)? {
            return Ok(Some((tree, cut)));
        }
    }
    let mut best = None;
    let (mut low, mut high) = (0, cuts.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let Some(&cut) = cuts.get(middle) else { break };
        match read(cut)? {
            Some(tree) => {
                best = Some((tree, cut));
                low = middle + 1;
            }
            None => high = middle,
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str, has_end: bool) -> (Option<usize>, Option<(Range<u64>, u64)>) {
        let text = SalvagedText { offset: 100, line: 3, bytes: text.as_bytes().to_vec(), has_end };
        let read = read(text, &Limits::default()).unwrap();
        (read.tree.map(|tree| tree.pairs(tree.root()).len() / 2), read.lost)
    }

    #[test]
    fn whole_entries_are_kept() {
        let head = "%YAML 1.1\n---\n";
        let text = format!("{head}a: 1\nb:\n- 1\n- 2\nc: {{x: 1,\ny: 2}}\nd: 13\n");
        let from = |part: &str| text.find(part).unwrap() as u64 + 100;
        let end = text.len() as u64 + 100;
        assert_eq!(kept(&format!("{text}...\n"), true), (Some(4), None));
        // The number may be incomplete.
        assert_eq!(kept(&text, false), (Some(3), Some((from("d:")..end, 11))));
        assert_eq!(kept(&format!("{text}.."), false), (Some(4), None));
        assert_eq!(kept(&format!("{text}..x\n"), false), (Some(4), Some((end..end + 4, 12))));
        for (cut, pairs) in [("y: 2", 2), ("c:", 2), ("- 2", 1), ("b:", 1), ("a:", 0)] {
            let at = text.find(cut).unwrap() + 2;
            assert_eq!(kept(&text[..at], false).0, Some(pairs), "{cut}");
        }
        assert_eq!(kept("%YAML 1.1\n-", false).0, None);
        assert_eq!(kept("%YAML 1.1\n--- {a: 1, b", false).0, None);
    }

    #[test]
    fn damage_inside_keeps_what_stands_before_it() {
        let text = "%YAML 1.1\n---\na: 1\nb: [1, 2\nc: 3\nd: 4\n...\n";
        assert_eq!(kept(text, true).0, Some(1));
        let mut bytes = text.replace("[1", "1").into_bytes();
        bytes[25] = 0xFF;
        let text = SalvagedText { offset: 0, line: 1, bytes, has_end: true };
        let read = read(text, &Limits::default()).unwrap();
        assert_eq!((read.tree.unwrap().node_count(), read.lost), (3, Some((19..41, 4))));
        let many: String = (0..100).map(|number| format!("k{number}: 1\n")).collect();
        let text = format!("%YAML 1.1\n---\na: 1\nb: \"1\n{many}...\n");
        assert_eq!(kept(&text, true).0, Some(1));
    }
}
