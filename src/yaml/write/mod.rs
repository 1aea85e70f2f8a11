//! Writes a tree as YAML text that readers of YAML 1.1 and 1.2 read alike.
//!
//! Styles are kept where they can hold their text. `quoting.rs` quotes the characters.

pub(crate) mod quoting;

use crate::error::{Error, Result};
use crate::float::TextOutput;
use crate::limits::{Limit, Limits};
use crate::reserve;
use crate::tags;
use crate::tree::scalar;
use crate::tree::{Key, Kind, NodeId, Style, Tree};
use std::collections::{HashMap, HashSet};

/// Maximum length in bytes of a key before a colon; longer keys are written after a `?`. Every reader accepts a colon
/// within this length.
pub(crate) const MAX_SIMPLE_KEY: usize = 128;

/// Bytes of room for what a short entry takes besides its indentation.
const ROOM: usize = 1 << 10;

/// Options for writing a tree.
#[derive(Clone, Debug)]
pub struct EmitOptions {
    /// Length of a line, in bytes, after which a flow collection continues on the next line.
    pub width: usize,
    /// Limits of the reader. A text that exceeds them is not written.
    pub limits: Limits,
}

impl Default for EmitOptions {
    fn default() -> EmitOptions {
        EmitOptions { width: 80, limits: Limits::default() }
    }
}

impl EmitOptions {
    /// Returns the defaults with these limits of the reader.
    pub(crate) fn of_limits(limits: &Limits) -> EmitOptions {
        EmitOptions { limits: limits.clone(), ..EmitOptions::default() }
    }
}

/// Appends the document of a tree to `out`, from `%YAML 1.1` through the end marker and its line feed.
///
/// Keys may be scalars of any type, as standards before 1.6.0 allow. Fails for a key or a merge key without a valid
/// value, and with [`Status::Limit`](crate::Status::Limit) for trees that exceed the limits of the options, as
/// [`parse`](super::parse) does.
pub fn emit(tree: &Tree, out: &mut String, options: &EmitOptions) -> Result<()> {
    let start = out.len();
    out.push_str("%YAML 1.1\n%TAG ! ");
    out.push_str(tags::STANDARD);
    out.push_str("\n---");
    let mut emitter = Emitter::new(tree, std::mem::take(out), Handles::Asdf, options);
    emitter.line_start = emitter.out.len() - "---".len();
    emitter.start = start;
    let result = emitter.write(tree.root(), Context::Root, 0);
    emitter.out.push_str("...\n");
    let result = result.and_then(|()| emitter.check_size());
    *out = emitter.out;
    result
}

/// Appends a tree to `out` as independent lines: without directives, markers and empty lines. Local tags (`!name`) and
/// tags of YAML are written with their handles, other tags in full.
pub(crate) fn emit_lines(tree: &Tree, out: &mut String, options: &EmitOptions) -> Result<()> {
    let mut emitter = Emitter::new(tree, std::mem::take(out), Handles::Local, options);
    emitter.literals = false;
    let start = emitter.out.len();
    let result = emitter.write(tree.root(), Context::Root, 0);
    *out = emitter.out;
    // Remove the text that would stand between `---` and the end of its line.
    let first = out[start..].find(|character| !matches!(character, ' ' | '\n')).unwrap_or_default();
    out.replace_range(start..start + first, "");
    result
}

/// Tag handles, which are written in place of tag prefixes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Handles {
    /// No handles: tags are written in full.
    None,
    /// `!` for the prefix of ASDF tags, and `!!` for that of YAML tags.
    Asdf,
    /// `!` for local tags, and `!!` for the prefix of YAML tags.
    Local,
}

/// Position of a node, which decides the text that may follow on the same line.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Context {
    /// After `---`.
    Root,
    /// After `-`.
    Item,
    /// After `key:`.
    Value,
    /// After the `:` that follows a key with `?`.
    ExplicitValue,
    /// In brackets or braces.
    Flow,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    BlockSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
}

/// A collection that is being written.
struct Frame<'a> {
    form: Form,
    items: &'a [NodeId],
    next: usize,
    /// Indentation of its entries or, in flow style, of continuation lines.
    indent: usize,
    /// True if its first entry stands on the line of the dash before it.
    compact: bool,
}

/// Anchor of a node that occurs more than once.
struct Anchor {
    name: String,
    written: bool,
}

/// Writes a tree, or parts of one.
pub(super) struct Emitter<'a> {
    tree: &'a Tree,
    out: String,
    /// Start of the current line in `out`.
    line_start: usize,
    width: usize,
    limits: Limits,
    /// Start of the text of the tree in `out`.
    start: usize,
    /// Number of nodes written so far, and of aliases among them.
    nodes: u64,
    aliases: u64,
    stack: Vec<Frame<'a>>,
    anchors: HashMap<NodeId, Anchor>,
    handles: Handles,
    /// True if scalars may be written in literal style (`|`).
    literals: bool,
    /// Written forms of tags, by their full form.
    tags: HashMap<&'a str, String>,
    /// True after the system refused memory for a text.
    is_refused: bool,
}

impl<'a> Emitter<'a> {
    /// Creates an emitter that appends to `out`.
    pub(super) fn new(tree: &'a Tree, out: String, handles: Handles, options: &EmitOptions) -> Emitter<'a> {
        Emitter {
            tree,
            line_start: out.len(),
            start: out.len(),
            out,
            width: options.width,
            limits: options.limits.clone(),
            nodes: 0,
            aliases: 0,
            stack: Vec::new(),
            anchors: anchors(tree),
            handles,
            literals: true,
            tags: HashMap::new(),
            is_refused: false,
        }
    }

    /// Iterates over the nodes that are written with an anchor, and the names of the anchors.
    pub(super) fn anchors(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.anchors.iter().map(|(&id, anchor)| (id, &*anchor.name))
    }

    /// Marks an anchored node as already written, so that it is written only as an alias.
    pub(super) fn skip_anchored(&mut self, id: NodeId) {
        if let Some(anchor) = self.anchors.get_mut(&id) {
            anchor.written = true;
        }
    }

    /// Sets whether scalars may be written in literal style (`|`). The line after a literal could be taken for a part
    /// of it.
    pub(super) fn allow_literals(&mut self, allow: bool) {
        self.literals = allow;
    }

    /// Returns the text after the `-` or `:` of a value, up to the end of its last line.
    pub(super) fn value_text(&mut self, node: NodeId, context: Context, indent: usize) -> Result<String> {
        self.write(node, context, indent)?;
        Ok(self.taken())
    }

    /// Returns the text of a pair, from its key up to the end of its last line.
    pub(super) fn pair_text(&mut self, key: NodeId, value: NodeId, flow: bool, indent: usize) -> Result<String> {
        let context = self.key(key, flow, indent)?;
        if flow {
            self.out.push(' ');
        }
        self.write(value, if flow { Context::Flow } else { context }, indent)?;
        Ok(self.taken())
    }

    /// Returns the text of a key without its colon. Returns `None` for aliases, for keys with anchors, and for keys
    /// that are too long to stand before a colon.
    pub(super) fn simple_key_text(&mut self, key: NodeId, flow: bool) -> Result<Option<String>> {
        if self.tree.kind(key) == Kind::Alias || self.anchors.contains_key(&key) {
            return Ok(None);
        }
        let context = self.key(key, flow, 0)?;
        let mut text = self.taken();
        text.pop();
        Ok((context == Context::Value).then_some(text))
    }

    /// Returns whether scalars may be written in literal style (`|`).
    pub(super) fn allows_literals(&self) -> bool {
        self.literals
    }

    /// Returns the anchor and the tag of a node, separated by a space.
    pub(super) fn properties_text(&mut self, node: NodeId) -> String {
        let name = self.anchors.get(&node).map(|anchor| format!("&{} ", anchor.name));
        self.out.push_str(name.as_deref().unwrap_or_default());
        self.tag(node);
        self.taken().trim_end().to_owned()
    }

    fn taken(&mut self) -> String {
        self.line_start = 0;
        let mut text = std::mem::take(&mut self.out);
        text.truncate(text.trim_end_matches('\n').len());
        text
    }

    fn write(&mut self, node: NodeId, context: Context, indent: usize) -> Result<()> {
        reserve::room_in_text(&mut self.out, ROOM + 4 * indent)?;
        self.value(node, context, indent);
        while self.step()? {}
        self.check_room()
    }

    /// Writes one entry of the innermost open collection, or its end. Returns false at the end of the tree.
    fn step(&mut self) -> Result<bool> {
        let Some(frame) = self.stack.last_mut() else { return Ok(false) };
        let (form, indent, first) = (frame.form, frame.indent, frame.next == 0);
        if first {
            self.check_depth()?;
        }
        self.check_size()?;
        let Some(frame) = self.stack.last_mut() else { return Ok(false) };
        let Some(&item) = frame.items.get(frame.next) else {
            self.stack.pop();
            match form {
                Form::FlowSequence => self.out.push(']'),
                Form::FlowMapping => self.out.push('}'),
                Form::BlockSequence | Form::BlockMapping => return Ok(true),
            }
            self.end_line_in_block();
            return Ok(true);
        };
        let value = frame.items.get(frame.next + 1).copied();
        let mapping = matches!(form, Form::BlockMapping | Form::FlowMapping);
        frame.next += 1 + usize::from(mapping);
        let compact = std::mem::take(&mut frame.compact);
        self.check_room()?;
        reserve::room_in_text(&mut self.out, ROOM + 4 * indent)?;
        match form {
            Form::BlockSequence => {
                self.begin_entry(indent, compact);
                self.out.push('-');
                self.value(item, Context::Item, indent);
            }
            Form::BlockMapping => {
                self.begin_entry(indent, compact);
                let context = self.key(item, false, indent)?;
                if let Some(value) = value {
                    self.value(value, context, indent);
                }
            }
            Form::FlowSequence | Form::FlowMapping => {
                if !first {
                    self.out.push(',');
                    if self.out.len() - self.line_start > self.width {
                        self.new_line();
                        write_blanks(&mut self.out, indent);
                    } else {
                        self.out.push(' ');
                    }
                }
                if mapping {
                    self.key(item, true, indent)?;
                    self.out.push(' ');
                }
                if let Some(node) = if mapping { value } else { Some(item) } {
                    self.value(node, Context::Flow, indent);
                }
            }
        }
        Ok(true)
    }

    /// Makes room for a text whose escapes, or whose lines with their indentation, may take more than there is. After a
    /// refusal, [`Emitter::check_room`] fails.
    fn make_room(&mut self, text: &str, indent: usize) {
        if text.len() * (indent + 4) > ROOM / 4 {
            let lines = text.bytes().filter(|&byte| byte == b'\n').count();
            // A byte has at most four characters, as in "\x01".
            let needed = ROOM + 4 * text.len() + (lines + 2) * (indent + 4);
            self.is_refused |= reserve::room_in_text(&mut self.out, needed).is_err();
        }
    }

    fn check_room(&self) -> Result<()> {
        if self.is_refused { Err(Error::out_of_memory(self.out.len() as u64)) } else { Ok(()) }
    }

    /// Fails with [`Status::Limit`] if the text so far has more bytes, nodes, anchors or aliases than readers accept.
    fn check_size(&self) -> Result<()> {
        let Limits { tree_bytes, nodes, anchors, .. } = self.limits;
        let tree_bytes = tree_bytes.min(Limits::MAX_TREE_BYTES);
        if (self.out.len() - self.start) as u64 > tree_bytes {
            return Err(Limit::TreeBytes.exceeded("the bytes of the YAML tree", tree_bytes));
        }
        if self.nodes > nodes {
            return Err(Limit::Nodes.exceeded("nodes in the YAML tree", nodes));
        }
        if self.aliases > anchors || self.anchors.len() as u64 > anchors {
            return Err(Limit::Anchors.exceeded("anchors or aliases in the YAML tree", anchors));
        }
        Ok(())
    }

    /// Fails with [`Status::Limit`] if collections are nested deeper than readers accept.
    fn check_depth(&self) -> Result<()> {
        let most = self.limits.depth as usize;
        if self.stack.len() <= most {
            return Ok(());
        }
        let flow =
            self.stack.iter().filter(|frame| matches!(frame.form, Form::FlowSequence | Form::FlowMapping)).count();
        if flow.max(self.stack.len() - flow) <= most {
            return Ok(());
        }
        let error = Limit::Depth.exceeded("the nesting depth of the YAML tree", most as u64);
        Err(match self.stack.iter().rev().find_map(|frame| frame.items.first()) {
            Some(&item) => self.tree.locate(error, item),
            None => error,
        })
    }

    fn begin_entry(&mut self, indent: usize, compact: bool) {
        if compact {
            self.out.push(' ');
        } else {
            self.new_line();
            write_blanks(&mut self.out, indent);
        }
    }

    /// Begins a line unless the current one is empty.
    fn new_line(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.line_start = self.out.len();
    }

    /// Ends the line after a value, unless a flow collection around it continues.
    fn end_line_in_block(&mut self) {
        let in_flow =
            self.stack.last().is_some_and(|frame| matches!(frame.form, Form::FlowSequence | Form::FlowMapping));
        if !in_flow {
            self.out.push('\n');
            self.line_start = self.out.len();
        }
    }

    /// Writes a key through its colon. Returns the context of its value.
    fn key(&mut self, key: NodeId, flow: bool, indent: usize) -> Result<Context> {
        self.nodes += 1;
        let target = self.tree.dealias(key);
        let merge = self.tree.is_merge_key(key);
        if matches!(self.tree.key(target), Key::Other(_)) {
            self.tree.check_key(key)?;
        }
        if merge && let Some(mapping) = self.tree.parent(key) {
            self.tree.check_merges(mapping)?;
        }
        let start = self.out.len();
        if self.alias(target) {
            // Without a space, the colon would be part of the name.
            self.out.push(' ');
        } else {
            self.anchor(target);
            if merge && self.tree.tag(target).is_none() {
                self.out.push_str("<<");
            } else {
                self.scalar(target, flow, None);
            }
        }
        if self.out.len() - start <= MAX_SIMPLE_KEY {
            self.out.push(':');
            return Ok(Context::Value);
        }
        self.out.insert_str(start, "? ");
        if flow {
            self.out.push_str(" :");
        } else {
            self.new_line();
            write_blanks(&mut self.out, indent);
            self.out.push(':');
        }
        Ok(Context::ExplicitValue)
    }

    /// Writes a scalar or begins a collection. Outside flow style, a space precedes it and a line end follows it.
    fn value(&mut self, node: NodeId, context: Context, indent: usize) {
        self.nodes += 1;
        let node = self.tree.dealias(node);
        let flow = context == Context::Flow;
        if !flow {
            self.out.push(' ');
        }
        if self.alias(node) {
            return self.end_line_in_block();
        }
        let anchored = self.anchor(node);
        let mapping = match self.tree.kind(node) {
            Kind::Mapping => true,
            Kind::Sequence => false,
            Kind::Scalar | Kind::Alias => {
                let ended = self.scalar(node, flow, (!flow && self.literals).then_some(indent + 2));
                if !ended {
                    self.end_line_in_block();
                }
                return;
            }
        };
        let tagged = self.tag(node);
        let items = self.tree.pairs_to_write(node);
        if flow || items.is_empty() || self.tree.style(node) == Style::Flow {
            self.out.push(if mapping { '{' } else { '[' });
            let form = if mapping { Form::FlowMapping } else { Form::FlowSequence };
            let indent = if flow { indent } else { indent + 2 };
            self.stack.push(Frame { form, items, next: 0, indent, compact: false });
            return;
        }
        // Remove the space: the entries begin a new line or write the space themselves.
        self.out.pop();
        let compact = context == Context::Item && !anchored && !tagged;
        let indent = match context {
            Context::Root => 0,
            Context::Value if !mapping => indent,
            _ => indent + 2,
        };
        let form = if mapping { Form::BlockMapping } else { Form::BlockSequence };
        self.stack.push(Frame { form, items, next: 0, indent, compact });
    }

    /// Writes an alias of the node, if the node was written already. Returns whether it did.
    fn alias(&mut self, node: NodeId) -> bool {
        match self.anchors.get(&node) {
            Some(anchor) if anchor.written => {
                self.aliases += 1;
                self.out.push('*');
                self.out.push_str(&anchor.name);
                true
            }
            _ => false,
        }
    }

    /// Writes the anchor of a node that is referred to later, and a space. Returns whether there is one.
    fn anchor(&mut self, node: NodeId) -> bool {
        if self.anchors.is_empty() {
            return false;
        }
        let Some(anchor) = self.anchors.get_mut(&node) else { return false };
        anchor.written = true;
        self.out.push('&');
        self.out.push_str(&anchor.name);
        self.out.push(' ');
        true
    }

    /// Writes the tag of a node and a space. Returns whether there is one.
    fn tag(&mut self, node: NodeId) -> bool {
        let Some(tag) = self.tree.tag(node) else { return false };
        self.make_room(tag, 0);
        let handles = self.handles;
        let written = self.tags.entry(tag).or_insert_with(|| written_tag(tag, handles));
        self.out.push_str(written);
        self.out.push(' ');
        true
    }

    /// Writes the tag and the text of a scalar. Literal style is used only if `indent` is given. Returns true if the
    /// scalar ended the line.
    fn scalar(&mut self, node: NodeId, flow: bool, indent: Option<usize>) -> bool {
        let text = self.tree.text(node);
        self.make_room(text, indent.unwrap_or_default());
        let tagged = self.tag(node);
        let style = self.tree.style(node);
        let plain = match style {
            // A tag determines the type of the text; without a tag, the text itself does.
            Style::Plain | Style::Automatic if tagged => quoting::fits_plain(text, flow),
            Style::Plain => self.stays_plain(text, flow),
            Style::Automatic => quoting::fits_plain(text, flow) && !scalar::is_ambiguous(text),
            _ => false,
        };
        if plain {
            self.out.push_str(if text.is_empty() { "null" } else { text });
            return false;
        }
        let wanted = match style {
            Style::DoubleQuoted | Style::Literal => style,
            Style::Folded => Style::Literal,
            _ if text.contains('\n') => Style::Literal,
            _ => Style::SingleQuoted,
        };
        match (wanted, indent) {
            (Style::Literal, Some(indent)) if quoting::fits_literal(text) => {
                quoting::write_literal(&mut self.out, text, indent);
                return true;
            }
            (Style::SingleQuoted | Style::Literal, _) if quoting::fits_single(text) => {
                quoting::write_single(&mut self.out, text);
            }
            _ => quoting::write_double(&mut self.out, text),
        }
        false
    }

    /// Returns whether an untagged plain text keeps its type without quotes. A text that needs quotes and would become
    /// a string by them gets the tag `!`: readers of YAML 1.1 then ignore the quotes.
    fn stays_plain(&mut self, text: &str, flow: bool) -> bool {
        if text.is_empty() || scalar::is_number(text) {
            return true;
        }
        let fits = quoting::fits_plain(text, flow);
        if !fits || scalar::is_ambiguous(text) {
            if scalar::is_string_when_plain(text) {
                return false;
            }
            if !fits {
                self.out.push_str("! ");
            }
        }
        fits
    }
}

/// Names the nodes that occur more than once in the tree, in document order.
fn anchors(tree: &Tree) -> HashMap<NodeId, Anchor> {
    let mut encounters: HashMap<NodeId, u32> = tree.alias_targets().map(|target| (target, 0)).collect();
    if encounters.is_empty() {
        return HashMap::new();
    }
    let mut order = Vec::new();
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        let id = tree.dealias(id);
        if let Some(count) = encounters.get_mut(&id) {
            *count += 1;
            if *count > 1 {
                continue;
            }
            order.push(id);
        }
        // Values of repeated keys count, too: an edited text keeps them, and they can contain themselves.
        stack.extend(tree.items(id).iter().rev());
    }
    order.retain(|id| encounters.get(id).is_some_and(|&count| count > 1));
    let mut names: HashMap<NodeId, String> = HashMap::new();
    let mut used: HashSet<&str> = HashSet::new();
    for &id in &order {
        if let Some(name) = tree.anchor(id).filter(|name| is_portable_name(name))
            && used.insert(name)
        {
            names.insert(id, name.to_owned());
        }
    }
    let mut fresh = (1..).map(|number| format!("id{number:03}")).filter(|name| !used.contains(name.as_str()));
    let mut name = |id| names.remove(&id).or_else(|| fresh.next()).unwrap_or_default();
    order.iter().map(|&id| (id, Anchor { name: name(id), written: false })).collect()
}

/// Returns whether every reader accepts the whole name as an anchor.
fn is_portable_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Returns the written form of a tag.
fn written_tag(tag: &str, handles: Handles) -> String {
    if tag == "!" {
        return tag.to_owned();
    }
    let prefixes: &[(&str, &str)] = match handles {
        Handles::None => &[],
        Handles::Asdf => &[("!", tags::STANDARD), ("!!", tags::YAML)],
        Handles::Local => &[("!", "!"), ("!!", tags::YAML)],
    };
    for (handle, prefix) in prefixes {
        if let Some(suffix) = tag.strip_prefix(prefix).filter(|suffix| !suffix.is_empty()) {
            return format!("{handle}{}", escaped(suffix, b"-_./:;?@&=+$~*'()"));
        }
    }
    format!("!<{}>", escaped(tag, b"-_./:;?@&=+$~*'()!"))
}

/// Percent-encodes each byte that is neither alphanumeric nor one of `free`.
fn escaped(text: &str, free: &[u8]) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || free.contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

pub(crate) fn write_blanks(out: &mut impl TextOutput, count: usize) {
    const BLANKS: &str = "                                                                ";
    let mut left = count;
    while left > 0 {
        let now = left.min(BLANKS.len());
        out.push(&BLANKS[..now]);
        left -= now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use crate::tree::Scalar;
    use crate::tree::edit::Content;

    fn written(tree: &Tree) -> String {
        let mut out = String::new();
        emit(tree, &mut out, &EmitOptions::default()).unwrap();
        out
    }

    fn body(tree: &Tree) -> String {
        written(tree).replace("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n", "").replace("...\n", "")
    }

    fn read(text: &str) -> Tree {
        crate::yaml::parse(text.to_owned(), 0, 1, &Limits::default()).unwrap().tree
    }

    #[test]
    fn strings_made_in_memory_stay_strings() {
        let cases = [
            ("plain", "plain"),
            ("two words", "two words"),
            ("1.0.0", "1.0.0"),
            ("", "''"),
            ("yes", "'yes'"),
            ("1e5", "'1e5'"),
            ("0o14", "'0o14'"),
            ("~", "'~'"),
            ("<<", "'<<'"),
            ("=", "'='"),
            ("1:30", "'1:30'"),
            ("2020-01-02", "'2020-01-02'"),
            ("*", "'*'"),
            ("...", "'...'"),
            ("---", "'---'"),
            (" a", "' a'"),
            ("it's: x", "'it''s: x'"),
            ("a\tb", "\"a\\tb\""),
            ("a\0\u{85}\u{FFFE}\r", "\"a\\0\\N\\uFFFE\\r\""),
            ("two\nlines", "|-\n  two\n  lines"),
            ("two\nlines\n", "|\n  two\n  lines"),
            (" two\nlines", "\" two\\nlines\""),
        ];
        for (text, expected) in cases {
            let mut tree = Tree::new();
            for path in ["value", text] {
                tree.append_pair(tree.root(), path, Content::Scalar(text, Style::Automatic));
            }
            let list = tree.append_pair(tree.root(), "list", Content::Sequence(Style::Flow));
            tree.append_item(list, Content::Scalar(text, Style::Automatic));
            let out = written(&tree);
            assert!(out.contains(&format!("\nvalue: {expected}\n")), "{out}");
            let back = read(&out);
            for path in ["value", "list/0", &crate::tree::path::escape(text)] {
                let id = back.find_token(back.root(), path).unwrap_or_else(|| back.lookup(back.root(), path).unwrap());
                assert_eq!(back.scalar(id).unwrap(), Scalar::String(text), "{out}");
            }
        }
    }

    #[test]
    fn trees_beyond_the_limits_of_the_reader_are_not_written() {
        let tree = read("a: [1, 2, 3]\n");
        for (nodes, expected) in [(6, Ok(())), (5, Err(Status::Limit))] {
            let options = EmitOptions::of_limits(&Limits { nodes, ..Limits::default() });
            let result = emit(&tree, &mut String::new(), &options);
            assert_eq!(result.map_err(|error| error.status()), expected);
        }
    }

    #[test]
    fn tags_take_their_shortest_form() {
        let cases = [
            ("tag:stsci.edu:asdf/core/x-1.0.0", "!core/x-1.0.0"),
            ("tag:stsci.edu:asdf/a!b%c d", "!a%21b%25c%20d"),
            ("tag:stsci.edu:asdf/", "!<tag:stsci.edu:asdf/>"),
            ("tag:yaml.org,2002:str", "!!str"),
            ("asdf://x.org/tags/é-1.0.0", "!<asdf://x.org/tags/%C3%A9-1.0.0>"),
            ("tag:x,2000:a", "!<tag:x%2C2000:a>"),
            ("!local", "!<!local>"),
        ];
        for (tag, expected) in cases {
            let mut tree = Tree::new();
            for (key, content) in [
                ("scalar", Content::Scalar("x", Style::Automatic)),
                ("empty", Content::Scalar("", Style::Plain)),
                ("list", Content::Sequence(Style::Block)),
            ] {
                let id = tree.append_pair(tree.root(), key, content);
                tree.set_tag(id, Some(tag));
            }
            let out = written(&tree);
            assert!(
                out.ends_with(&format!("\nscalar: {expected} x\nempty: {expected} ''\nlist: {expected} []\n...\n")),
                "{out}"
            );
            let back = read(&out);
            for key in ["scalar", "empty", "list"] {
                assert_eq!(back.tag(back.lookup(back.root(), key).unwrap()), Some(tag), "{out}");
            }
        }
    }

    #[test]
    fn lines_that_stand_by_themselves() {
        let text = "a: !<!x.Y> {b: 1}\n1.5: |\n  x\n\n  y\n~: !!omap\n- c: &n [2]\n- d: *n\ne: !<!p!q> {}\nf: !<tag:x,1:y> z\n";
        let mut out = String::new();
        emit_lines(&read(text), &mut out, &EmitOptions::default()).unwrap();
        let tail = "e: !p%21q {}\nf: !<tag:x%2C1:y> z\n";
        assert_eq!(out, format!("a: !x.Y {{b: 1}}\n1.5: \"x\\n\\ny\\n\"\n~: !!omap\n- c: &n [2]\n- d: *n\n{tail}"));
        let mut out = String::from("before\n");
        emit_lines(&read("--- {}\n"), &mut out, &EmitOptions::default()).unwrap();
        assert_eq!(out, "before\n{}\n");
    }

    #[test]
    fn an_alias_may_come_before_its_target() {
        let mut tree = read("a: 1\nb: &x\n  c: 2\nd: *x\n");
        let target = tree.lookup(tree.root(), "b").unwrap();
        let place = tree.lookup(tree.root(), "a").unwrap();
        let alias = tree.add_alias(target, place, (0, 0));
        tree.replace(place, Content::Sequence(Style::Block));
        tree.set_items(place, vec![alias]);
        assert_eq!(body(&tree), "---\na:\n- &x\n  c: 2\nb: *x\nd: *x\n");
        let d = tree.lookup(tree.root(), "d").unwrap();
        tree.remove(d).unwrap();
        tree.replace(place, Content::Scalar("1", Style::Plain));
        assert_eq!(body(&tree), "---\na: 1\nb:\n  c: 2\n");
    }

    #[test]
    fn what_cannot_be_plain_keeps_its_type() {
        let mut tree = read("- 2001-12-14 21:59:43");
        let id = tree.items(tree.root())[0];
        tree.replace(id, Content::Scalar("2001-12-14 \t 21:59:43", Style::Plain));
        let out = written(&tree);
        assert_eq!(body(&tree), "---\n- ! \"2001-12-14 \\t 21:59:43\"\n");
        let back = read(&out);
        assert!(matches!(back.scalar(back.items(back.root())[0]).unwrap(), Scalar::Timestamp(_)));
    }

    #[test]
    fn collections_are_nested_as_deep_as_readers_accept() {
        for (style, mapping) in [(Style::Flow, true), (Style::Flow, false), (Style::Block, true), (Style::Block, false)]
        {
            for depth in 240..270 {
                let mut tree = Tree::new();
                let mut place = tree.append_pair(tree.root(), "a", Content::Sequence(Style::Flow));
                for level in 1..depth {
                    let last = level + 1 == depth;
                    tree.replace(place, if mapping { Content::Mapping(style) } else { Content::Sequence(style) });
                    let content = if last { Content::Sequence(style) } else { Content::Mapping(style) };
                    place =
                        if mapping { tree.append_pair(place, "k", content) } else { tree.append_item(place, content) };
                }
                let mut out = String::new();
                let written = emit(&tree, &mut out, &EmitOptions::default());
                let read = crate::yaml::parse(out.clone(), 0, 1, &Limits::default());
                match written {
                    Ok(()) => assert!(read.is_ok(), "{style:?} {mapping} {depth}"),
                    Err(error) => {
                        assert_eq!(error.status(), Status::Limit);
                        assert!(depth > 253 && error.location().path.is_some(), "{style:?} {mapping} {depth}");
                    }
                }
            }
        }
    }

    #[test]
    fn keys_may_be_scalars_of_any_type() {
        for key in ["1.5", "~", "2020-01-02", "9223372036854775808"] {
            let mut out = String::new();
            emit(&read(&format!("a: {{? {key} : 1}}")), &mut out, &EmitOptions::default()).unwrap();
            assert!(out.contains(&format!("{key}: 1")), "{out}");
        }
    }
}
