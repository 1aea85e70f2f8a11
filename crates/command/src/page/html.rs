//! Text that becomes HTML, and the parts of a page that do not depend on the file.

use crate::core::output::printable;

/// Style of all pages.
pub(crate) const STYLE: &str = include_str!("page.css");
/// Search, sorting and keys. It reads the page alone.
pub(super) const SCRIPT: &str = include_str!("page.js");
/// Checksum of the script, which lets the browser run it and no other.
pub(super) const SCRIPT_SUM: &str = "sha256-hopYi6m0rfbchMmqrRLZXlsNPW52ZI266zGDjXNvVSs=";

/// Returns text that no browser takes for markup, also within the quotes of an attribute. Control characters, which could
/// turn the direction of text, are spelled out.
pub(crate) fn escaped(text: &str) -> String {
    let text = printable(text);
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => out.extend(character.escape_default()),
            other => out.push(other),
        }
    }
    out
}

/// Returns text of several lines for an element that keeps them.
pub(super) fn escaped_lines(text: &str) -> String {
    text.lines().map(escaped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        let text = escaped("<script>alert(\"1\")</script> & 'x' `y` \u{202e}\u{2066}\0");
        assert_eq!(
            text,
            "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; &#96;y&#96; \\u{202e}\\u{2066}\\u{0}"
        );
        assert_eq!(escaped_lines("a<\nb"), "a&lt;\nb");
    }
}
