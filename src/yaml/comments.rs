//! Comments beside the nodes of a text: reading those that are there, and writing those that were set in a tree.

use super::read::reads_as;
use super::read::{Parsed, parse};
use super::splice::surroundings::Surroundings;
use crate::error::Result;
use crate::limits::Limits;
use crate::reserve;
use crate::tree::{CommentPosition, Kind, NodeId, Style, Tree};
use std::ops::Range;

/// Returns the comment of a node: the one that was set, or the one in the text that the node was read from.
pub(crate) fn comment_of_node(tree: &Tree, id: NodeId, position: CommentPosition) -> Option<String> {
    match tree.set_comment_of(id, position) {
        Some(comment) => Some(comment.to_owned()).filter(|comment| !comment.is_empty()),
        None => comment_of(tree, id, position),
    }
}

/// Returns the comment beside a node that was read, without its `#`. Lines are separated by line feeds.
fn comment_of(tree: &Tree, id: NodeId, position: CommentPosition) -> Option<String> {
    let text = tree.source();
    let range = place(tree, text, id, position)?.1;
    let lines = text.get(range)?.lines().map(|line| {
        let line = line.trim().trim_start_matches('#');
        line.strip_prefix(' ').unwrap_or(line)
    });
    let comment = lines.collect::<Vec<_>>().join("\n");
    (!comment.is_empty()).then_some(comment)
}

/// Gives copies of nodes the comments that the nodes have in the text that they were read from.
pub(crate) fn copy_comments(from: &Tree, to: &mut Tree, copies: &[(NodeId, NodeId)]) {
    // Most texts have no comments at all.
    if memchr::memchr(b'#', from.source().as_bytes()).is_none() {
        return;
    }
    for &(old, new) in copies {
        for position in [CommentPosition::Before, CommentPosition::LineEnd] {
            if from.set_comment_of(old, position).is_none()
                && let Some(comment) = comment_of(from, old, position)
            {
                to.set_comment(new, position, &comment);
            }
        }
    }
}

/// Writes the comments that were set in a tree into its text. A comment that has no place there is left out.
pub(crate) fn with_comments(tree: &Tree, text: String, limits: &Limits) -> Result<String> {
    let Parsed { tree: read, .. } = parse(reserve::text_of(&text)?.into_string(), 0, 1, limits)?;
    let mut patches: Vec<(Range<usize>, String)> = Vec::new();
    for (id, position, comment) in tree.set_comments() {
        let Some(there) = read.find_path(read.root(), &tree.path(id)) else { continue };
        let Some((indent, range)) = place(&read, &text, there, position) else { continue };
        let written = match position {
            _ if comment.is_empty() => String::new(),
            CommentPosition::LineEnd => format!("  # {comment}"),
            CommentPosition::Before | CommentPosition::DocumentEnd => {
                let blanks = " ".repeat(indent);
                comment.split('\n').map(|line| format!("{blanks}# {line}").trim_end().to_owned() + "\n").collect()
            }
        };
        reserve::push(&mut patches, (range, written))?;
    }
    reserve::sort_by_key(&mut patches, |(range, _)| (range.start, range.end))?;
    let mut out = String::new();
    reserve::room_in_text(&mut out, text.len())?;
    let mut at = 0;
    for (range, written) in patches {
        if range.start < at {
            continue;
        }
        reserve::append(&mut out, text.get(at..range.start).unwrap_or_default())?;
        reserve::append(&mut out, &written)?;
        at = range.end;
    }
    reserve::append(&mut out, text.get(at..).unwrap_or_default())?;
    // A text of an unusual form can lose its comments, but never its content.
    Ok(if reads_as(&out, &read, limits)? { out } else { text })
}

/// Returns the place of a comment: its indentation, and the range of the comment that is there, which can be empty.
/// `None` if there can be no such comment.
fn place(tree: &Tree, text: &str, id: NodeId, position: CommentPosition) -> Option<(usize, Range<usize>)> {
    let around = Surroundings(text.as_bytes());
    if position == CommentPosition::DocumentEnd {
        let end = text.rfind("\n...").map_or(text.len(), |end| end + 1);
        return Some((0, comment_lines(&around, text, end)..end));
    }
    let parent = tree.parent(id)?;
    if tree.style(parent) == Style::Flow {
        return None;
    }
    let span = tree.span(id)?;
    let start = match tree.kind(parent) {
        Kind::Mapping => tree.span(tree.key_before(parent, id)?)?,
        _ => dash(&around, text, span.start)?,
    };
    if position == CommentPosition::Before {
        let line = around.line_start(start.start);
        let indent = text.get(line..)?.bytes().take_while(|&byte| byte == b' ').count();
        return Some((indent, comment_lines(&around, text, line)..line));
    }
    let is_block = matches!(tree.style(id), Style::Block | Style::Literal | Style::Folded);
    let from = if is_block { start.end } else { span.end };
    let end = around.line_content_end(from);
    // In the rest of the line stand a colon, a tag, an anchor, the sign of a block scalar or another key.
    let rest = text.get(from..end)?;
    let comment = rest.find(" #").map(|at| rest.get(..at).unwrap_or_default().trim_end().len());
    let code = comment.map_or(rest.trim_end(), |at| rest.get(..at).unwrap_or_default());
    let has_key = is_block && tree.kind(id) != Kind::Scalar && text.get(from..span.start)?.find('\n').is_none();
    (!has_key).then_some((0, from + code.len()..end))
}

/// Returns the start of the comment lines right before a line.
fn comment_lines(around: &Surroundings, text: &str, mut line: usize) -> usize {
    while line > 0 {
        let before = around.line_start(line - 1);
        if !text.get(before..line).is_some_and(|line| line.trim_start().starts_with('#')) {
            break;
        }
        line = before;
    }
    line
}

/// Returns the dash of the item whose content begins at a position.
fn dash(around: &Surroundings, text: &str, at: usize) -> Option<Range<usize>> {
    let mut line = around.line_start(at);
    loop {
        let indent = text.get(line..)?.bytes().take_while(|&byte| byte == b' ').count();
        if text.get(line + indent..)?.starts_with('-') {
            return Some(line + indent..line + indent + 1);
        }
        line = around.line_start(line.checked_sub(1)?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CommentPosition::{Before, DocumentEnd, LineEnd};

    const TEXT: &str = "%YAML 1.1\n--- # root\n# first\n#  line\na: 1  # one\nb:  # block\n  - x\n  # item\n  - y: 2 # two\n\
                        c: |  # text\n  # no comment\nd: [1, 2] # list\ne: 'a # b'\n# last\n...\n";

    fn tree(text: &str) -> Tree {
        parse(text.to_owned(), 0, 1, &Limits::default()).unwrap().tree
    }

    fn comment(tree: &Tree, path: &str, position: CommentPosition) -> Option<String> {
        comment_of(tree, tree.find_path(tree.root(), path).unwrap(), position)
    }

    #[test]
    fn comments_of_a_text_are_read() {
        let tree = tree(TEXT);
        for (path, position, expected) in [
            ("a", Before, Some("first\n line")),
            ("a", LineEnd, Some("one")),
            ("b", Before, None),
            ("b", LineEnd, Some("block")),
            ("b/0", Before, None),
            ("b/1", Before, Some("item")),
            ("b/1/y", LineEnd, Some("two")),
            ("c", LineEnd, Some("text")),
            ("d", LineEnd, Some("list")),
            ("d/0", LineEnd, None),
            ("e", LineEnd, None),
            ("", DocumentEnd, Some("last")),
        ] {
            assert_eq!(comment(&tree, path, position).as_deref(), expected, "{path} {position:?}");
        }
    }

    #[test]
    fn comments_after_a_dash_are_read() {
        let tree = tree("a: 1\nb:\n  - # note\n    c: 1\n  - [2] # list\n");
        assert_eq!(comment(&tree, "b/0", LineEnd).as_deref(), Some("note"));
        assert_eq!(comment(&tree, "b/1", LineEnd).as_deref(), Some("list"));
    }

    #[test]
    fn copies_get_the_comments_of_the_text() {
        let from = tree(TEXT);
        let mut to = tree("a: 1\nb: 2\n");
        let pair = |path: &str| (from.find_path(from.root(), path).unwrap(), to.find_path(to.root(), path).unwrap());
        let copies = ["a", "b"].map(pair);
        copy_comments(&from, &mut to, &copies);
        let text = with_comments(&to, "a: 1\nb: 2\n".to_owned(), &Limits::default()).unwrap();
        assert_eq!(text, "# first\n#  line\na: 1  # one\nb: 2  # block\n");
    }

    #[test]
    fn comments_that_were_set_come_before_those_of_the_text() {
        let mut tree = tree(TEXT);
        let [a, b] = ["a", "b"].map(|path| tree.find_path(tree.root(), path).unwrap());
        tree.set_comment(a, LineEnd, "new");
        tree.set_comment(b, LineEnd, "");
        let comments = [(a, LineEnd), (a, Before), (b, LineEnd), (b, Before)];
        let found = comments.map(|(id, position)| comment_of_node(&tree, id, position));
        assert_eq!(found.each_ref().map(Option::as_deref), [Some("new"), Some("first\n line"), None, None]);
    }

    #[test]
    fn comments_are_written_replaced_and_removed() {
        let mut changed = tree(TEXT);
        for (path, position, text) in [
            ("a", Before, ""),
            ("a", LineEnd, "new"),
            ("b", Before, "two\nlines"),
            ("b/0", LineEnd, "x"),
            ("b/1", Before, "other"),
            ("c", LineEnd, ""),
            ("d", LineEnd, "numbers"),
            ("e", LineEnd, "quoted"),
            ("", DocumentEnd, "end"),
            ("d/0", LineEnd, "no place"),
        ] {
            let id = changed.find_path(changed.root(), path).unwrap();
            changed.set_comment(id, position, text);
        }
        let text = with_comments(&changed, TEXT.to_owned(), &Limits::default()).unwrap();
        assert_eq!(
            text,
            "%YAML 1.1\n--- # root\na: 1  # new\n# two\n# lines\nb:  # block\n  - x  # x\n  # other\n  - y: 2 # two\n\
             c: |\n  # no comment\nd: [1, 2]  # numbers\ne: 'a # b'  # quoted\n# end\n...\n"
        );
    }
}
