//! Applies the edits of a tree to the text that it was read from. Unchanged parts stay byte for byte.
//!
//! Each change becomes a patch: another value, another tag, a new or a removed entry. If the text around a change has a
//! form that is not handled here, the enclosing collection is written again by the emitter. The patched text is read
//! again and compared with the tree. If they differ, the whole tree is written by the emitter: an unusual text can lose
//! its comments, but never its content.

pub(super) mod entries;
pub(super) mod moved;
pub(super) mod surroundings;

use self::entries::{CurrentEntries, Entry};
use self::moved::MovedTexts;
use self::surroundings::Surroundings;
use super::read::{parse, reads_as};
use super::write::{Context, EmitOptions, Emitter, Handles, emit};
use crate::error::Result;
use crate::limits::Limits;
use crate::reserve::{self, GrowingList, GrowingText};
use crate::tags;
use crate::tree::{Kind, NodeId, Style, Tree};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// A replacement of a range of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Byte range of the source that is removed.
    pub range: Range<usize>,
    /// Text inserted in its place.
    pub text: String,
}

/// Returns the text of a tree that was read from a text and edited since.
///
/// Fails like [`emit`], and like [`parse`] for the resulting text.
pub(crate) fn splice(tree: &Tree, limits: &Limits) -> Result<String> {
    if let Some(text) = by_patches(tree, limits)? {
        return Ok(text);
    }
    let mut text = String::new();
    emit(tree, &mut text, &EmitOptions::of_limits(limits))?;
    // An edited tree can exceed the nesting limit of the reader.
    parse(reserve::text_of(&text)?.into_string(), 0, 1, limits)?;
    Ok(text)
}

/// Returns the source of a tree with its changed parts replaced. Returns `None` if that text does not give the same
/// tree when read.
pub(crate) fn by_patches(tree: &Tree, limits: &Limits) -> Result<Option<String>> {
    let with_texts = Splicer::new(tree, true)?;
    let has_texts = !with_texts.texts.is_empty();
    if let Some(text) = with_texts.checked_text(limits)? {
        return Ok(Some(text));
    }
    if has_texts { Splicer::new(tree, false)?.checked_text(limits) } else { Ok(None) }
}

fn patched(source: &str, patches: &[Patch]) -> Result<String> {
    let mut text = String::new();
    reserve::room_in_text(&mut text, source.len())?;
    let mut at = 0;
    for Patch { range, text: new } in patches {
        reserve::append(&mut text, source.get(at..range.start).unwrap_or_default())?;
        reserve::append(&mut text, new)?;
        at = range.end;
    }
    reserve::append(&mut text, source.get(at..).unwrap_or_default())?;
    Ok(text)
}

/// Joins entries with a text before and one after each of them.
fn joined(before: &str, entries: &[String], after: &str) -> Result<String> {
    let mut text = GrowingText::default();
    for part in entries.iter().flat_map(|entry| [before, entry, after]) {
        text.push_str(part);
    }
    text.finish()
}

/// A collection whose entries may have changed, with the data needed to write it again.
struct Visit {
    id: NodeId,
    /// Range to replace, and how the value is written there.
    whole: Range<usize>,
    context: Context,
    indent: usize,
}

pub(super) struct Splicer<'a> {
    pub(super) tree: &'a Tree,
    pub(super) around: Surroundings<'a>,
    line_end: &'static str,
    pub(super) emitter: Emitter<'a>,
    /// Moved nodes whose original text can be reused.
    pub(super) texts: MovedTexts,
    /// The changed nodes and their ancestors.
    touched: HashSet<NodeId>,
    patches: GrowingList<Patch>,
    visits: Vec<Visit>,
}

impl<'a> Splicer<'a> {
    /// Creates a splicer for a tree. Moved nodes keep their original text if `moves_text` is set.
    fn new(tree: &'a Tree, moves_text: bool) -> Result<Splicer<'a>> {
        let mut touched = HashSet::new();
        for id in tree.changed() {
            let mut node = Some(id);
            while let Some(id) = node {
                node = if reserve::insert(&mut touched, id)? { tree.parent(id) } else { None };
            }
        }
        let source = tree.source();
        Ok(Splicer {
            tree,
            around: Surroundings(source.as_bytes()),
            line_end: if source.contains("\r\n") { "\r\n" } else { "\n" },
            emitter: Emitter::new(tree, String::new(), handles_of(source), &EmitOptions::default()),
            texts: if moves_text { MovedTexts::of(tree, &touched) } else { MovedTexts::default() },
            touched,
            patches: GrowingList::new(),
            visits: Vec::new(),
        })
    }

    /// Returns the source with the changed parts replaced; `None` if that text does not give the same tree when read.
    fn checked_text(self, limits: &Limits) -> Result<Option<String>> {
        let tree = self.tree;
        let Some(patches) = self.patches()? else { return Ok(None) };
        let text = patched(tree.source(), &patches)?;
        Ok(reads_as(&text, tree, limits)?.then_some(text))
    }

    /// Returns the patches; `None` if the text cannot be kept.
    fn patches(mut self) -> Result<Option<Vec<Patch>>> {
        let root = self.tree.root();
        if !self.keeps_anchors() || self.tree.replaced(root).is_some() {
            return Ok(None);
        }
        let Some(span) = self.tree.span(root).filter(|span| !span.is_empty()) else { return Ok(None) };
        if self.tree.is_retagged(root) {
            let Some(marker) = self.around.document_start(span.start) else { return Ok(None) };
            if !self.retag(root, marker, span.start) {
                return Ok(None);
            }
        }
        self.visits.push(Visit { id: root, whole: span, context: Context::Root, indent: 0 });
        while let Some(visit) = self.visits.pop() {
            let known = (self.patches.items().len(), self.visits.len());
            if self.collection(&visit)?.is_none() {
                if visit.context == Context::Root {
                    return Ok(None);
                }
                self.patches.items().truncate(known.0);
                self.visits.truncate(known.1);
                self.replace_value(visit.id, visit.whole, visit.context, visit.indent)?;
            }
        }
        self.move_insertions_off_removed_lines();
        // If a collection and its last child are both extended at the same position, the text of the child comes first.
        let mut patches = self.patches.finish()?;
        patches.reverse();
        reserve::sort_by_key(&mut patches, |patch| (patch.range.start, patch.range.end))?;
        let apart = patches.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
        Ok(apart.then_some(patches))
    }

    /// Moves lines that are inserted after a removed line to the end of the last remaining line before it. Such an
    /// insertion follows an entry that ends where its removed last child ended.
    fn move_insertions_off_removed_lines(&mut self) {
        let begins_line = |at: usize| self.around.line_start(at) == at;
        let lines_go = |patch: &&Patch| {
            let Range { start, end } = patch.range;
            patch.text.is_empty() && start < end && begins_line(start) && begins_line(end)
        };
        let removed: BTreeMap<usize, usize> =
            self.patches.items().iter().filter(lines_go).map(|patch| (patch.range.start, patch.range.end)).collect();
        for patch in self.patches.items() {
            if !patch.range.is_empty() || !patch.text.starts_with(self.line_end) {
                continue;
            }
            let mut at = patch.range.start;
            while let Some((&start, _)) = removed.range(..=at).next_back().filter(|&(_, &end)| at < end)
                && start > 0
            {
                at = self.around.line_content_end(self.around.line_start(start - 1));
            }
            patch.range = at..at;
        }
    }

    /// Returns whether each needed anchor either stands in unchanged text or is written by the emitter.
    fn keeps_anchors(&mut self) -> bool {
        let anchors: Vec<(NodeId, String)> = self.emitter.anchors().map(|(id, name)| (id, name.to_owned())).collect();
        for (id, name) in anchors {
            let mut node = Some(id);
            while let Some(around) = node
                && (self.texts.contains(around)
                    || self.tree.span(around).is_some()
                        && self.tree.replaced(around).is_none()
                        && !self.tree.is_moved(around))
            {
                node = self.tree.parent(around);
            }
            if node.is_none() {
                if self.tree.anchor(id) != Some(&*name) {
                    return false;
                }
                self.emitter.skip_anchored(id);
            }
        }
        true
    }

    /// Patches a collection with changed entries. Returns `None` if the emitter must write it again.
    fn collection(&mut self, visit: &Visit) -> Result<Option<()>> {
        let tree = self.tree;
        let id = visit.id;
        let Some(entries) = Entry::all_of(tree, &self.around, id, visit.whole.start, visit.context)? else {
            return Ok(None);
        };
        let flow = tree.style(id) == Style::Flow;
        let now = CurrentEntries::new(tree, id)?;
        let Some(first) = entries.first().filter(|_| entries.iter().any(|entry| now.has(entry))) else {
            // No entry remains, or there was none.
            return Ok(None);
        };
        let column = self.around.column(first.start);
        let context = match (flow, tree.kind(id)) {
            (true, _) => Context::Flow,
            (false, Kind::Sequence) => Context::Item,
            (false, _) => Context::Value,
        };
        if !now.keeps_order(&entries) {
            return Ok(None);
        }
        if self.remove(&entries, &now, flow).is_none() {
            return Ok(None);
        }
        self.insert(&entries, &now, flow, column)?;
        for entry in entries.iter().filter(|entry| now.has(entry)) {
            if let Some(key) = entry.key.filter(|key| self.touched.contains(key))
                && !self.rename(entry, key, flow)?
            {
                // The text of a new key includes its value.
                self.emitter.allow_literals(!self.around.comment_follows(entry.end));
                let text = self.emitter.pair_text(key, now.value_at(entry), flow, column)?;
                self.patch(entry.start..self.around.trimmed(entry.end), &text);
                continue;
            }
            let value = now.value_at(entry);
            if value == entry.value && !self.touched.contains(&value) {
                continue;
            }
            let Some(after) = entry.after else { return Ok(None) };
            let whole = after..self.around.trimmed(entry.end).max(after);
            if value != entry.value {
                // Include the comment after the value: it describes the former value.
                let behind = if flow || !self.texts.contains(value) { 0 } else { self.comment_behind(whole.end).len() };
                let whole = whole.start..whole.end + behind;
                self.replace_value(value, whole, context, column)?;
                continue;
            }
            let content = tree.span(value).filter(|span| !span.is_empty() && tree.replaced(value).is_none());
            let Some(content) = content else {
                self.replace_value(value, whole, context, column)?;
                continue;
            };
            if tree.is_retagged(value) && !self.retag(value, after, content.start) {
                self.replace_value(value, whole, context, column)?;
                continue;
            }
            if tree.kind(value) != Kind::Scalar && tree.kind(value) != Kind::Alias {
                self.visits.push(Visit { id: value, whole, context, indent: column });
            }
        }
        Ok(Some(()))
    }

    /// Replaces a value by newly written text.
    fn replace_value(&mut self, id: NodeId, whole: Range<usize>, context: Context, indent: usize) -> Result<()> {
        self.emitter.allow_literals(!self.around.comment_follows(whole.end));
        let text = self.value_text(id, context, indent)?;
        // In flow style the text of a value has no leading space.
        let text =
            if context == Context::Flow && !self.around.begins_item(whole.start) { format!(" {text}") } else { text };
        self.patch(whole, &text);
        Ok(())
    }

    /// Replaces the text of a key. Returns false if more than its text must change.
    fn rename(&mut self, entry: &Entry, key: NodeId, flow: bool) -> Result<bool> {
        let Some(span) = self.tree.replaced(key).filter(|span| !span.is_empty()) else { return Ok(false) };
        let before = self.around.0[entry.start..span.start].trim_ascii_end();
        if !matches!(before, b"" | b"?") {
            return Ok(false);
        }
        let Some(text) = self.emitter.simple_key_text(key, flow)? else { return Ok(false) };
        self.patch(span, &text);
        Ok(true)
    }

    /// Sets the tag before unchanged content. Returns false if a tag cannot be inserted there.
    fn retag(&mut self, id: NodeId, after: usize, content: usize) -> bool {
        let properties = self.around.properties(after);
        let text = self.emitter.properties_text(id);
        match properties {
            Some(range) if !text.is_empty() => self.patch(range, &text),
            // Include the spaces before it, so that the line does not end with a space.
            Some(range) => {
                let blanks = self.around.0[after..range.start].iter().rev().take_while(|&&byte| byte == b' ').count();
                self.patch(range.start - blanks..range.end, "");
            }
            None if text.is_empty() => {}
            None => {
                let block = self.tree.style(id) == Style::Block;
                let same_line = !self.around.0[after..content].contains(&b'\n');
                if (block && same_line) || self.around.begins_item(after) {
                    return false;
                }
                self.patch(after..after, &format!(" {text}"));
            }
        }
        true
    }

    fn patch(&mut self, range: Range<usize>, text: &str) {
        let mut written = GrowingText::default();
        for (number, line) in text.split('\n').enumerate() {
            written.push_str(if number > 0 { self.line_end } else { "" });
            written.push_str(line);
        }
        match written.finish() {
            Ok(text) => self.patches.push(Patch { range, text }),
            Err(_) => self.patches.refuse(),
        }
    }

    /// Removes the text of removed entries. Returns `None` if the emitter must write the collection again.
    fn remove(&mut self, entries: &[Entry], now: &CurrentEntries, flow: bool) -> Option<()> {
        let mut at = 0;
        while at < entries.len() {
            if now.has(&entries[at]) {
                at += 1;
                continue;
            }
            let run = entries[at..].iter().take_while(|entry| !now.has(entry)).count();
            let (first, last) = (&entries[at], &entries[at + run - 1]);
            let next = entries.get(at + run);
            let line_start = self.around.line_start(first.start);
            let own_line = self.around.0[line_start..first.start].iter().all(|&byte| byte == b' ');
            let before = at.checked_sub(1).map(|before| &entries[before]);
            let mut left = "";
            let range = match next {
                _ if !flow && own_line => line_start..self.around.next_line(self.around.trimmed(last.end)),
                Some(next) => first.start..next.start,
                None if flow => {
                    left = before?.blank_after();
                    before?.end..last.end
                }
                None => return None,
            };
            self.patch(range, left);
            at += run;
        }
        Some(())
    }

    /// Inserts new entries after the entries that precede them.
    fn insert(&mut self, entries: &[Entry], now: &CurrentEntries, flow: bool, column: usize) -> Result<()> {
        if now.entries.iter().all(|&(_, value)| !now.is_new(value)) {
            return Ok(());
        }
        let indentation = " ".repeat(column);
        let mut before: Option<&Entry> = None;
        let mut texts: Vec<String> = Vec::new();
        // In the order of the current entries.
        let mut staying = entries.iter().filter(|entry| now.has(entry));
        // The following entry is not known yet, so a comment after any entry rules out literals.
        let follows =
            |entry: &Entry| self.around.comment_follows(self.around.line_content_end(self.around.trimmed(entry.end)));
        self.emitter.allow_literals(!entries.iter().any(follows));
        let steps = now.entries.iter().map(Some).chain([None]);
        for step in steps {
            let existing = match step {
                Some(&(key, value)) if now.is_new(value) => {
                    let text = self.entry_text(key, value, flow, column)?;
                    reserve::push(&mut texts, text)?;
                    continue;
                }
                Some(_) => staying.next(),
                None => None,
            };
            let new = std::mem::take(&mut texts);
            if !new.is_empty() {
                match (before, existing) {
                    (Some(entry), _) if flow => {
                        self.patch(entry.end..entry.end, &format!("{}, {}", entry.blank_after(), new.join(", ")));
                    }
                    (None, Some(entry)) if flow => {
                        self.patch(entry.start..entry.start, &format!("{}, ", new.join(", ")));
                    }
                    (Some(entry), _) => {
                        let text = joined(&format!("\n{indentation}"), &new, "")?;
                        let end = self.around.line_content_end(self.around.trimmed(entry.end));
                        self.patch(end..end, &text);
                    }
                    (None, Some(entry)) => {
                        let text = joined("", &new, &format!("\n{indentation}"))?;
                        self.patch(entry.start..entry.start, &text);
                    }
                    (None, None) => {}
                }
            }
            before = existing;
        }
        Ok(())
    }
}

/// Returns `Handles::Asdf` if a text declares the tag handles that this library writes, and `Handles::None` otherwise.
fn handles_of(source: &str) -> Handles {
    let directives = source.lines().take_while(|line| !line.starts_with("---"));
    let tags: Vec<Vec<&str>> = directives
        .filter_map(|line| line.strip_prefix("%TAG "))
        .map(|directive| directive.split_ascii_whitespace().collect())
        .collect();
    let declared = |handle: &str| tags.iter().rev().find(|directive| directive.first() == Some(&handle));
    let is_ours =
        declared("!").is_some_and(|directive| directive.get(1) == Some(&tags::STANDARD)) && declared("!!").is_none();
    if is_ours { Handles::Asdf } else { Handles::None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::edit::Content;

    const HEAD: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

    /// Changes a document and returns its content, if it was patched.
    fn change(content: &str, change: impl FnOnce(&mut Tree)) -> Option<String> {
        let text = format!("{HEAD}{content}...\n");
        let mut tree = parse(text, 0, 1, &Limits::default()).unwrap().tree;
        tree.remember_original();
        change(&mut tree);
        let text = splice(&tree, &Limits::default()).unwrap();
        let read = parse(text.clone(), 0, 1, &Limits::default()).unwrap().tree;
        assert!(crate::tree::same(&tree, &read).unwrap(), "{text}");
        let text = by_patches(&tree, &Limits::default()).unwrap()?;
        let content = text.strip_prefix(HEAD).unwrap_or(&text);
        Some(content.strip_suffix("...\n").unwrap().to_owned())
    }

    fn set(tree: &mut Tree, path: &str, text: &str) {
        let place = tree.place(tree.root(), path).unwrap();
        let style = if text.parse::<f64>().is_ok() { Style::Plain } else { Style::Automatic };
        tree.replace(place, Content::Scalar(text, style));
    }

    fn remove(tree: &mut Tree, path: &str) {
        let place = tree.lookup(tree.root(), path).unwrap();
        tree.remove(place).unwrap();
    }

    #[track_caller]
    fn check(content: &str, expected: &str, edit: impl FnOnce(&mut Tree)) {
        assert_eq!(change(content, edit).as_deref(), Some(expected));
    }

    const BLOCKS: &str = "\
# first
a: 1   # one
b:     # two
  c: 'x'
  # inside
  d: !t/u-1.0.0 {e: 1, f: [1, 2 , 3]}  # flow

list:
- 1 # item
-   g: 1
    h: 2
- - 5
  - 6
text: |
  literal
  # no comment

last: end
";

    /// Checks that an edit replaces this part of [`BLOCKS`].
    #[track_caller]
    fn check_blocks(from: &str, to: &str, edit: impl FnOnce(&mut Tree)) {
        check(BLOCKS, &BLOCKS.replacen(from, to, 1), edit);
    }

    #[test]
    fn nothing_changed_is_nothing_written() {
        check(BLOCKS, BLOCKS, |_| {});
    }

    #[test]
    fn scalars_are_replaced_where_they_stand() {
        let edit = |from: &str, to: &str, path: &str, text: &str| {
            check_blocks(from, to, |tree| set(tree, path, text));
        };
        edit("a: 1 ", "a: two words ", "a", "two words");
        edit("'x'", "1", "b/c", "1");
        edit("{e: 1,", "{e: z,", "b/d/e", "z");
        edit("[1, 2 , 3]", "[1, 22 , 3]", "b/d/f/1", "22");
        edit("- 1 #", "- one #", "list/0", "one");
        edit("g: 1", "g: new", "list/1/g", "new");
        edit("- - 5", "- - five", "list/2/0", "five");
        edit("|\n  literal\n  # no comment\n", "short\n", "text", "short");
        edit("last: end", "last: |-\n  two\n  lines", "last", "two\nlines");
        edit("last: end", "last: ''", "last", "");
    }

    #[test]
    fn entries_come() {
        let edit = |from: &str, to: &str, path: &str| {
            check_blocks(from, to, |tree| set(tree, path, "new"));
        };
        edit("last: end\n", "last: end\nnew: new\n", "new");
        edit("last: end\n", "last: end\nnew:\n  deep: new\n", "new/deep");
        edit("# flow\n", "# flow\n  new: new\n", "b/new");
        edit("{e: 1, f: [1, 2 , 3]}", "{e: 1, f: [1, 2 , 3], new: new}", "b/d/new");
        edit("2 , 3]", "2 , 3, new]", "b/d/f/-");
        edit("  - 6\n", "  - 6\n- new\n", "list/-");
        edit("  - 6\n", "  - 6\n  - new\n", "list/2/-");
        edit("    h: 2\n", "    h: 2\n    new: new\n", "list/1/new");
    }

    #[test]
    fn entries_go() {
        let edit = |from: &str, to: &str, path: &str| {
            check_blocks(from, to, |tree| remove(tree, path));
        };
        edit("a: 1   # one\n", "", "a");
        edit("  c: 'x'\n", "", "b/c");
        edit("e: 1, ", "", "b/d/e");
        edit(", f: [1, 2 , 3]", "", "b/d/f");
        edit(" , 3]", "]", "b/d/f/2");
        edit("- 1 # item\n", "", "list/0");
        edit("-   g: 1\n    h: 2\n", "", "list/1");
        edit("g: 1\n    h: 2", "h: 2", "list/1/g");
        edit("text: |\n  literal\n  # no comment\n", "", "text");
        edit("last: end\n", "", "last");
        check("a:\n  b: 1 # gone\n# stays\nc: 2\n", "a: {} # gone\n# stays\nc: 2\n", |tree| remove(tree, "a/b"));
    }

    #[test]
    fn several_changes_at_once() {
        check("a: 1\nb: 2\nc: 3\n", "a: x\nc: 3\nd: 4\n", |tree| {
            set(tree, "a", "x");
            remove(tree, "b");
            let place = tree.place(tree.root(), "d").unwrap();
            tree.replace(place, Content::Scalar("4", Style::Plain));
        });
        check("f: [1, 2, 3]\n", "f: [2, new]\n", |tree| {
            remove(tree, "f/0");
            remove(tree, "f/1");
            set(tree, "f/-", "new");
        });
    }

    #[test]
    fn keys_are_renamed_where_they_stand() {
        let rename = |from: &str, to: &str, path: &str, key: &str| {
            check_blocks(from, to, |tree| tree.rename_key(tree.root(), path, key).unwrap());
        };
        rename("last: end", "first: end", "last", "first");
        rename("a: 1   # one", "'1': 1   # one", "a", "1");
        rename("b:     # two", "long name:     # two", "b", "long name");
        rename("{e: 1", "{x: 1", "b/d/e", "x");
    }

    #[test]
    fn an_entry_comes_after_the_last_lines_of_another_went() {
        check("- a: 1\n  b: 2\n", "- a: 1\n- new\n", |tree| {
            remove(tree, "0/b");
            set(tree, "-", "new");
        });
    }

    #[test]
    fn comments_do_not_become_text_of_literals() {
        let edit = |tree: &mut Tree| set(tree, "new", "two\nlines");
        check("a: 1\n", "a: 1\nnew: |-\n  two\n  lines\n", edit);
        check("a: 1\n# note\n", "a: 1\nnew: \"two\\nlines\"\n# note\n", edit);
    }

    #[test]
    fn entries_that_come_at_one_place_come_from_inside_out() {
        check(
            "a: # kept\n  b:\n    c: 1 # one\n",
            "a: # kept\n  b:\n    c: 1 # one\n    d: 2\n  e: 3\nf: 4\n",
            |tree| {
                set(tree, "f", "4");
                set(tree, "a/e", "3");
                set(tree, "a/b/d", "2");
            },
        );
    }

    #[test]
    fn tags_are_set_where_they_belong() {
        let tag = |content: &str, expected: &str, path: &str, tag: Option<&str>| {
            check(content, expected, |tree| {
                let place = tree.lookup(tree.root(), path).unwrap();
                tree.set_tag(place, tag);
            });
        };
        let t = Some("tag:stsci.edu:asdf/t-1.0.0");
        tag("a: 1 # x\n", "a: !t-1.0.0 1 # x\n", "a", t);
        tag("a: !old 1\n", "a: !t-1.0.0 1\n", "a", t);
        tag("a: !old 1\n", "a: 1\n", "a", None);
        tag("a: !old # why\n  b: 1 # kept\n", "a: !t-1.0.0 # why\n  b: 1 # kept\n", "a", t);
        tag("a: # why\n  b: 1 # kept\n", "a: !t-1.0.0 # why\n  b: 1 # kept\n", "a", t);
        tag("a:\n- b: 1 # kept\n", "a: !t-1.0.0\n- b: 1 # kept\n", "a", t);
        tag("- !old {b: 1}\n", "- !t-1.0.0 {b: 1}\n", "0", t);
        tag("a: [1, 2]\n", "a: [!t-1.0.0 1, 2]\n", "a/0", t);
        tag("a: &n {b: 1}\nc: *n\n", "a: &n !t-1.0.0 {b: 1}\nc: *n\n", "a", t);
        tag("b: 1\n", "b: 1\n", "", Some("tag:stsci.edu:asdf/core/asdf-1.1.0"));
    }

    #[test]
    fn anchors_stay_or_move_on() {
        check("a: &n {b: 1}\nc: *n\nd: *n\n", "a: x\nc: &n {b: 1}\nd: *n\n", |tree| set(tree, "a", "x"));
        check("a: &n {b: 1}\nc: *n\n", "a: &n {b: x}\nc: *n\n", |tree| set(tree, "c/b", "x"));
        check("a: &n {b: 1}\nc: *n\n", "a: &n {b: 1}\nc: why\n", |tree| set(tree, "c", "why"));
        check("a: &n {b: 1}\nc: {<<: *n, d: 2}\n", "a: &n {b: 1}\nc: {<<: *n, d: z}\n", |tree| set(tree, "c/d", "z"));
    }

    #[test]
    fn omitted_values_are_set_and_passed() {
        let text = "a:\nb: # none\n- \n- !t\n- 1\nc: {d, e: , f: 1}\n";
        check(text, &text.replace("a:\n", "a: new\n"), |tree| set(tree, "a", "new"));
        check(text, &text.replace("1}", "new}"), |tree| set(tree, "c/f", "new"));
        check(text, &text.replace("e: ,", "e: new ,"), |tree| set(tree, "c/e", "new"));
        check(text, &text.replace("- 1", "- new"), |tree| set(tree, "b/2", "new"));
        check(text, &text.replace("- !t", "- new"), |tree| set(tree, "b/1", "new"));
        check(text, &text.replace("1}\n", "1}\nnew: new\n"), |tree| set(tree, "new", "new"));
        check(text, &text.replace("- \n- !t\n", "- !t\n"), |tree| remove(tree, "b/0"));
        // Readers take a comma or a brace right after a colon or a tag for a part of it.
        check("m: {p: 1, q: }\n", "m: {p: 1, q: , r: 7 }\n", |tree| set(tree, "m/r", "7"));
        check("m: {p: !t }\n", "m: {p: !t , r: 7 }\n", |tree| set(tree, "m/r", "7"));
        check("m: {q: # c\n }\n", "m: {q: , r: 7 # c\n }\n", |tree| set(tree, "m/r", "7"));
        check("m: {q: , r: 7}\n", "m: {q: }\n", |tree| remove(tree, "m/r"));
        check("m: [!t , 7]\n", "m: [!t ]\n", |tree| remove(tree, "m/1"));
    }

    #[test]
    fn line_ends_are_those_of_the_text() {
        let text = "%YAML 1.1\r\n--- \r\na: 1\r\nb: 2\r\n...\r\n";
        let mut tree = parse(text.to_owned(), 0, 1, &Limits::default()).unwrap().tree;
        tree.remember_original();
        set(&mut tree, "c/d", "three");
        assert_eq!(
            splice(&tree, &Limits::default()).unwrap(),
            text.replace("b: 2\r\n", "b: 2\r\nc:\r\n  d: three\r\n")
        );
    }

    #[test]
    fn odd_texts_are_written_anew_and_mean_the_same() {
        assert_eq!(change("", |tree| set(tree, "a", "1")), None);
        assert_eq!(change("{}\n", |tree| set(tree, "a", "1")), None);
        assert_eq!(change("{a: 1} # x\n# y\n", |tree| remove(tree, "a")), None);
        // A name for two anchors: the emitter gives the second one another name.
        assert_eq!(change("a: &n [1]\nb: *n\nc: &n [2]\nd: *n\ne: 1\n", |tree| set(tree, "e", "2")), None);
    }
}
