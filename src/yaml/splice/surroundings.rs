//! The text around the nodes of a tree: line starts and line ends, and the text between a key and its value.
//!
//! The syntax known here is limited to blanks, comments, tags and anchors, which can stand between two nodes.

use std::ops::Range;

/// The text that a tree was read from.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a>(pub(in crate::yaml) &'a [u8]);

impl Surroundings<'_> {
    /// Returns the position after blanks, line ends and comments, and after commas if `commas` is set (flow style).
    pub(in crate::yaml) fn skip(&self, mut at: usize, commas: bool) -> usize {
        while let Some(&byte) = self.0.get(at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b',' if commas => at += 1,
                b'#' if at == 0 || matches!(self.0[at - 1], b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b'{') => {
                    at = self.next_line(at);
                }
                _ => break,
            }
        }
        at
    }

    /// Returns the range of the tag and the anchor after a dash, a colon or the start of a document.
    pub(in crate::yaml) fn properties(&self, after: usize) -> Option<Range<usize>> {
        let mut range: Option<Range<usize>> = None;
        let mut at = self.skip(after, false);
        while let Some(b'!' | b'&') = self.0.get(at) {
            let rest = &self.0[at..];
            let length = match rest {
                [b'!', b'<', ..] => rest.iter().position(|&byte| byte == b'>').map_or(rest.len(), |end| end + 1),
                _ => rest.iter().position(|byte| b" \t\r\n,[]{}".contains(byte)).unwrap_or(rest.len()),
            };
            range = Some(range.map_or(at, |range| range.start)..at + length);
            at = self.skip(at + length, false);
        }
        range
    }

    /// Returns the end of the marker `---` before the root.
    pub(in crate::yaml) fn document_start(&self, root: usize) -> Option<usize> {
        let before = std::str::from_utf8(self.0.get(..root)?).ok()?;
        let marker = if before.starts_with("---") { Some(0) } else { before.rfind("\n---").map(|at| at + 1) };
        marker.map(|at| at + "---".len())
    }

    /// Returns whether an item of a flow sequence begins here, rather than a value after a colon.
    pub(in crate::yaml) fn begins_item(&self, at: usize) -> bool {
        at > 0 && !matches!(self.0[at - 1], b':' | b'-')
    }

    /// Returns `end` without the white space before it, such as the line ends after a block scalar.
    pub(in crate::yaml) fn trimmed(&self, end: usize) -> usize {
        let text = &self.0[..end];
        text.trim_ascii_end().len()
    }

    pub(in crate::yaml) fn line_start(&self, at: usize) -> usize {
        memchr::memrchr(b'\n', &self.0[..at]).map_or(0, |newline| newline + 1)
    }

    pub(in crate::yaml) fn next_line(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.0[at..]).map_or(self.0.len(), |newline| at + newline + 1)
    }

    /// Returns the end of the line of a position, before its line end.
    pub(in crate::yaml) fn line_content_end(&self, at: usize) -> usize {
        let end = memchr::memchr(b'\n', &self.0[at..]).map_or(self.0.len(), |newline| at + newline);
        if end > at && self.0[end - 1] == b'\r' { end - 1 } else { end }
    }

    /// Counts the characters between the start of the line and a position in it.
    pub(in crate::yaml) fn column(&self, at: usize) -> usize {
        let line = &self.0[self.line_start(at)..at];
        std::str::from_utf8(line).map_or(line.len(), |line| line.chars().count())
    }

    /// Returns whether a comment follows a position. A literal scalar written there would swallow it.
    pub(in crate::yaml) fn comment_follows(&self, at: usize) -> bool {
        self.0[at..].trim_ascii_start().starts_with(b"#")
    }
}
