//! The head of a document as ASDF writers write it: directives and the line of the start marker.

use super::plain;

/// A head that needs no scanner: `%YAML 1.1`, a `%TAG` directive for the handle `!`, and `---` with at most a tag after
/// it. Each line may be missing, but no directive comes without `---`.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    /// Position in the text after the head.
    pub(super) end: usize,
    /// The tag of the root as it is written.
    pub(super) tag: Option<&'a str>,
}

impl<'a> Head<'a> {
    /// Reads the head of a text. Returns `None` if it is of any other kind.
    pub(super) fn new(text: &'a str) -> Option<Head<'a>> {
        let rest = text.strip_prefix("%YAML 1.1\n").unwrap_or(text);
        let rest = match rest.strip_prefix("%TAG ! ") {
            Some(directive) => {
                let (prefix, rest) = directive.split_once('\n')?;
                plain::is_uri(prefix).then_some(rest)?
            }
            None => rest,
        };
        let has_directives = rest.len() < text.len();
        let (tag, rest) = match rest.strip_prefix("---") {
            Some(line) => {
                let (after_marker, rest) = line.split_once('\n')?;
                let tag = match after_marker {
                    "" => None,
                    _ => Some(after_marker.strip_prefix(' ').filter(|tag| plain::is_tag(tag))?),
                };
                (tag, rest)
            }
            None if has_directives => return None,
            None => (None, rest),
        };
        Some(Head { end: text.len() - rest.len(), tag })
    }
}
