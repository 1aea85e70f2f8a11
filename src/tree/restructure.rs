//! Edits of the structure of a tree: inserting, renaming and moving nodes.

use super::edit::{Content, collection_for};
use super::{Key, Kind, NodeId, Style, Tree, path};
use crate::error::{Error, Result, Status};
use crate::tags;
use std::borrow::Cow;

/// Position of a new pair in a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPosition<'a> {
    /// Before all other pairs.
    First,
    /// After all other pairs.
    Last,
    /// Right before the pair with this key.
    Before(&'a str),
    /// Right after the pair with this key.
    After(&'a str),
}

/// A child that was removed from its collection, with the data needed to put it back.
struct Detached {
    parent: NodeId,
    /// Position among the children of the parent.
    position: usize,
    /// The child, or the pair of a mapping, or the item of an ordered mapping or a list of pairs that held only the
    /// child.
    entry: Vec<NodeId>,
    /// The key of a child of a mapping.
    key: Option<NodeId>,
    /// The item of an ordered mapping or a list of pairs that held only the child.
    item: Option<NodeId>,
}

impl Tree {
    /// Returns the node at `path` below `start` and the collection that contains it; `None` as the collection for the
    /// root.
    ///
    /// Fails with [`Status::InvalidArgument`] for a pair that belongs to a merged mapping.
    pub(crate) fn own_entry(&self, start: NodeId, path: &str) -> Result<(Option<NodeId>, NodeId)> {
        let node = self.lookup(start, path)?;
        if let Some(collection) = self.collection_of(start, path)?
            && self.parent(node) != Some(collection)
            && self.item_with(collection, node).is_none()
        {
            let key = path::tokens(path)?.pop().unwrap_or_default();
            return Err(self.locate(self.merged(&key, node), collection));
        }
        Ok((self.parent(node), node))
    }

    /// Returns the collection in which the last token of `path` is looked up; `None` for the root of the path.
    pub(super) fn collection_of(&self, start: NodeId, path: &str) -> Result<Option<NodeId>> {
        let tokens = path::tokens(path)?;
        let Some((_, before)) = tokens.split_last() else { return Ok(None) };
        let before: String = before.iter().map(|token| format!("/{}", path::escape(token))).collect();
        self.resolve(self.lookup(start, &before)?).map(Some)
    }

    fn merged(&self, key: &str, value: NodeId) -> Error {
        let message = format!(
            "the key '{key}' belongs to a mapping that is merged by '<<'; it is defined at {}",
            self.path(value)
        );
        Error::new(Status::InvalidArgument, message)
    }

    /// Returns the collection at `path`. Fails with [`Status::WrongType`] if it is not of this kind.
    fn collection_at(&self, start: NodeId, path: &str, kind: Kind) -> Result<NodeId> {
        let node = self.resolve(self.lookup(start, path)?)?;
        if self.kind(node) == kind {
            return Ok(node);
        }
        let wanted = if kind == Kind::Mapping { "a mapping" } else { "a sequence" };
        Err(self.locate(Error::new(Status::WrongType, format!("the node must be {wanted}")), node))
    }

    /// Inserts null into the sequence at `path`: before the item with this index, or at the end if `index` is `None`.
    pub(crate) fn insert_item(&mut self, start: NodeId, path: &str, index: Option<usize>) -> Result<NodeId> {
        let sequence = self.collection_at(start, path, Kind::Sequence)?;
        let index = self.position_in(sequence, index)?;
        self.make_room_for_child(sequence)?;
        let item = self.new_node(Content::Scalar("null", Style::Plain), sequence);
        self.items_mut(sequence).insert(index, item);
        self.reapply_merges();
        Ok(item)
    }

    fn position_in(&self, sequence: NodeId, index: Option<usize>) -> Result<usize> {
        let count = self.item_count(sequence);
        match index {
            None => Ok(count),
            Some(index) if index <= count => Ok(index),
            Some(index) => {
                let message = format!("the position {index} is out of range for a sequence of {count} items");
                Err(self.locate(Error::new(Status::OutOfRange, message), sequence))
            }
        }
    }

    /// Inserts a pair with a new key and the value null into the mapping at `path`. Returns the value.
    pub(crate) fn insert_key(&mut self, start: NodeId, path: &str, key: &str, at: KeyPosition) -> Result<NodeId> {
        let mapping = self.collection_at(start, path, Kind::Mapping)?;
        self.check_new_key(mapping, key)?;
        let position = match at {
            KeyPosition::First => 0,
            KeyPosition::Last => self.item_count(mapping),
            KeyPosition::Before(neighbour) => self.position_of_key(mapping, neighbour)?,
            KeyPosition::After(neighbour) => self.position_of_key(mapping, neighbour)? + 2,
        };
        self.make_room_for_child(mapping)?;
        let value = self.new_node(Content::Scalar("null", Style::Plain), mapping);
        let key = self.new_node(Content::Scalar(key, Style::Automatic), mapping);
        self.insert_pair(mapping, position, [key, value]);
        Ok(value)
    }

    /// Returns the value under a key of this type in the mapping at `path`. A missing key is appended, with the value
    /// null.
    ///
    /// Fails with [`Status::InvalidArgument`] for a key of another type than ASDF allows.
    pub(crate) fn make_key(&mut self, start: NodeId, path: &str, key: Key) -> Result<NodeId> {
        let mapping = self.collection_at(start, path, Kind::Mapping)?;
        if let Some(value) = self.find(mapping, key).filter(|&value| self.parent(value) == Some(mapping)) {
            return Ok(value);
        }
        let style = match key {
            Key::String(_) => Style::Automatic,
            Key::Integer(_) | Key::Bool(_) => Style::Plain,
            Key::Other(text) => {
                let text = text.escape_debug();
                let message = format!("ASDF allows only strings, integers and booleans as keys, not '{text}'");
                return Err(self.locate(Error::new(Status::InvalidArgument, message), mapping));
            }
        };
        self.make_room_for_child(mapping)?;
        let value = self.new_node(Content::Scalar("null", Style::Plain), mapping);
        let key = self.new_node(Content::Scalar(&key.text(), style), mapping);
        self.push_pair(mapping, key, value);
        self.reapply_merges();
        Ok(value)
    }

    /// Fails if the mapping has this key; a merged key does not count.
    fn check_new_key(&self, mapping: NodeId, key: &str) -> Result<()> {
        match self.find_token(mapping, key) {
            Some(value) if self.parent(value) == Some(mapping) => {
                let message = format!("the mapping already has the key '{key}'");
                Err(self.locate(Error::new(Status::InvalidArgument, message), value))
            }
            _ => Ok(()),
        }
    }

    /// Fails if the mapping is an item of an ordered mapping (`!!omap`) that has this key.
    fn check_new_key_of_list(&self, item: NodeId, key: &str) -> Result<()> {
        let list = self.parent(item).filter(|&list| self.tag(list) == Some(tags::FULL_ORDERED_MAPPING));
        match list.and_then(|list| self.find_in_pairs(list, key)) {
            Some(value) => {
                let message = format!("the ordered mapping already has the key '{key}'");
                Err(self.locate(Error::new(Status::InvalidArgument, message), value))
            }
            None => Ok(()),
        }
    }

    /// Returns the position of the key in the list of keys and values of the mapping.
    fn position_of_key(&self, mapping: NodeId, key: &str) -> Result<usize> {
        let value = self.child(mapping, key).map_err(|error| self.locate(error, mapping))?;
        self.position_of_pair(mapping, value).ok_or_else(|| self.locate(self.merged(key, value), mapping))
    }

    /// Changes the key of the value at `path`. The position of the pair and the value stay the same.
    pub(crate) fn rename_key(&mut self, start: NodeId, path: &str, key: &str) -> Result<()> {
        let (parent, value) = self.own_entry(start, path)?;
        let Some(mapping) = parent.filter(|&parent| self.kind(parent) == Kind::Mapping) else {
            let message = "only a value of a mapping has a key that can be renamed";
            return Err(self.locate(Error::new(Status::WrongType, message), value));
        };
        if self.find_token(mapping, key) != Some(value) {
            self.check_new_key(mapping, key)?;
            self.check_new_key_of_list(mapping, key)?;
        }
        if let Some(position) = self.plain_pair(mapping, value) {
            let old = self.items(mapping)[position];
            self.unindex_pair(mapping, [old, value]);
            self.write_key(old, key);
            self.index_pair(mapping, [old, value]);
            return Ok(());
        }
        let same = self.values_under_key_of(mapping, value);
        // Rename all repetitions of the key, or the value hidden by the last one would become visible.
        let keys: Vec<NodeId> =
            self.items(mapping).chunks_exact(2).filter(|pair| same.contains(&pair[1])).map(|pair| pair[0]).collect();
        for old in keys {
            self.write_key(old, key);
        }
        self.reapply_keys(mapping);
        Ok(())
    }

    /// Gives a key another text. Quotes stay.
    fn write_key(&mut self, old: NodeId, key: &str) {
        let style = match self.style(self.dealias(old)) {
            quoted @ (Style::SingleQuoted | Style::DoubleQuoted) => quoted,
            _ => Style::Automatic,
        };
        self.replace(old, Content::Scalar(key, style));
    }

    /// Moves the node at `from` to `to`, as JSON Patch (RFC 6902) does. The node is removed first. An index at the end
    /// of `to` then names the item before which the node is inserted.
    ///
    /// On failure the tree is unchanged.
    pub(crate) fn move_node(&mut self, start: NodeId, from: &str, to: &str) -> Result<()> {
        let (parent, node) = self.own_entry(start, from)?;
        let Some(parent) = parent else {
            return Err(Error::new(Status::InvalidArgument, "the root of the tree cannot be moved"));
        };
        let (old, new) = (path::tokens(from)?, path::tokens(to)?);
        if old == new && !old.is_empty() {
            return Ok(());
        }
        if new.starts_with(&old) {
            return Err(self.locate(into_itself(), node));
        }
        self.prepare_children(parent)?;
        let detached = self.detach(parent, node)?;
        let result = self.target(start, &new).and_then(|target| {
            self.check_move(node, target.0)?;
            self.make_room_for_child(target.0)?;
            if self.find_path(start, to).is_none() {
                self.check_new_tokens(target.0, target.1)?;
            }
            Ok(target)
        });
        match result {
            Ok((collection, rest)) => {
                self.note_moved(node, parent);
                if let Some(key) = detached.key {
                    self.discard_node(key);
                }
                if let Some(item) = detached.item {
                    self.node_mut(item).removed = true;
                }
                self.attach(node, collection, rest);
                self.order_anchors(node);
                Ok(())
            }
            Err(error) => {
                self.put_back(detached);
                Err(error)
            }
        }
    }

    /// Takes a child out of its collection, whose children are prepared for an edit.
    fn detach(&mut self, parent: NodeId, node: NodeId) -> Result<Detached> {
        let mapping = self.kind(parent) == Kind::Mapping;
        let plain = self.plain_pair(parent, node);
        if mapping && plain.is_none() && self.values_under_key_of(parent, node).len() > 1 {
            let message = "the key occurs more than once in its mapping; moving one value would uncover another";
            return Err(self.locate(Error::new(Status::InvalidArgument, message), node));
        }
        if let Some(list) = self.list_of_single_pair(parent) {
            return self.detach_item(list, parent);
        }
        if let Some(position) = plain {
            let entry = self.take_plain_pair(parent, position);
            return Ok(Detached { parent, position, key: entry.first().copied(), entry, item: None });
        }
        let found = if mapping { self.position_of_pair(parent, node) } else { self.position_of_item(parent, node) };
        let position = found.ok_or_else(|| Error::new(Status::Stale, "the node is not among those of its parent"))?;
        let count = if mapping { 2 } else { 1 };
        let entry: Vec<NodeId> = self.items_mut(parent).drain(position..position + count).collect();
        self.reapply_keys_or_merges(parent);
        let key = entry.first().copied().filter(|_| mapping);
        Ok(Detached { parent, position, entry, key, item: None })
    }

    /// Detaches an item with one pair from an ordered mapping or a list of pairs, because its value is moved.
    fn detach_item(&mut self, list: NodeId, item: NodeId) -> Result<Detached> {
        if self.alias_targets().any(|target| target == item) {
            let message = "the pair of this value has an alias; without the value it would be no pair";
            return Err(self.locate(Error::new(Status::InvalidArgument, message), item));
        }
        self.note_items(list);
        let position = self.take_item(list, item).unwrap_or_default();
        self.reapply_merges();
        let key = self.items(item).first().copied();
        Ok(Detached { parent: list, position, entry: vec![item], key, item: Some(item) })
    }

    /// Puts a detached child back.
    fn put_back(&mut self, detached: Detached) {
        let Detached { parent, position, entry, .. } = detached;
        if let (Kind::Mapping, &[key, value]) = (self.kind(parent), entry.as_slice()) {
            return self.insert_pair(parent, position, [key, value]);
        }
        self.items_mut(parent).splice(position..position, entry);
        self.reapply_merges();
    }

    fn reapply_keys_or_merges(&mut self, collection: NodeId) {
        if self.kind(collection) == Kind::Mapping {
            self.reapply_keys(collection);
        } else {
            self.reapply_merges();
        }
    }

    /// Returns the last existing collection on the path, and the remaining tokens, which must be created in it.
    fn target<'a>(&self, start: NodeId, tokens: &'a [Cow<'a, str>]) -> Result<(NodeId, &'a [Cow<'a, str>])> {
        let mut place = start;
        let mut rest = tokens;
        while let Some((token, after)) = rest.split_first() {
            let node = self.resolve(place)?;
            match self.kind(node) {
                Kind::Sequence if token == "-" || self.is_new_key(node, token) => return Ok((node, rest)),
                Kind::Sequence if after.is_empty() && self.find_in_pairs(node, token).is_some() => {
                    let pair = self.find_in_pairs(node, token).and_then(|value| self.parent(value));
                    return Ok((pair.unwrap_or(node), rest));
                }
                Kind::Sequence if after.is_empty() => {
                    let index = path::index(token).ok_or_else(|| {
                        let message = format!("'{token}' is not an index into the sequence");
                        self.locate(Error::new(Status::NotFound, message), node)
                    })?;
                    self.position_in(node, Some(index))?;
                    return Ok((node, rest));
                }
                Kind::Mapping if after.is_empty() || self.find_token(node, token).is_none() => return Ok((node, rest)),
                _ => place = self.child(node, token).map_err(|error| self.locate(error, node))?,
            }
            rest = after;
        }
        Err(Error::new(Status::InvalidArgument, "the root of the tree cannot be replaced"))
    }

    /// Fails if a detached node cannot be attached in this collection.
    fn check_move(&self, node: NodeId, target: NodeId) -> Result<()> {
        if self.is_within(target, node) {
            return Err(self.locate(into_itself(), node));
        }
        for &mapping in self.merging.iter().filter(|&&mapping| self.check(mapping).is_ok()) {
            if self.is_within(mapping, node)
                && self.merged_into(mapping).iter().any(|&source| self.is_within(target, source))
            {
                let error =
                    Error::new(Status::InvalidArgument, "a mapping cannot be moved into a mapping that it merges");
                return Err(self.locate(error, mapping));
            }
        }
        Ok(())
    }

    /// Returns whether `node` is `other` or one of its descendants.
    fn is_within(&self, node: NodeId, other: NodeId) -> bool {
        let mut next = Some(node);
        while let Some(id) = next {
            if id == other {
                return true;
            }
            next = self.parent(id);
        }
        false
    }

    fn attach(&mut self, node: NodeId, collection: NodeId, rest: &[Cow<str>]) {
        let Some((last, before)) = rest.split_last() else { return };
        let parent = match before {
            [] => collection,
            _ => {
                let parent = self.make(collection, before);
                self.fill(parent, collection_for(last));
                parent
            }
        };
        let parent = if self.is_new_key(parent, last) { self.append_pair_item(parent) } else { parent };
        self.node_mut(node).parent = parent;
        self.note_items(parent);
        if self.kind(parent) == Kind::Sequence {
            let index = path::index(last).unwrap_or(usize::MAX).min(self.item_count(parent));
            self.items_mut(parent).insert(index, node);
            return self.reapply_merges();
        }
        let former = self.find_token(parent, last).filter(|&value| self.parent(value) == Some(parent));
        match former.and_then(|value| Some((value, self.position_of_pair(parent, value)?))) {
            Some((value, position)) => {
                let plain = self.plain_pair(parent, value);
                let key = self.items(parent)[position];
                if plain.is_some() {
                    self.unindex_pair(parent, [key, value]);
                }
                self.discard_node(value);
                self.items_mut(parent)[position + 1] = node;
                if plain.is_some() {
                    self.index_pair(parent, [key, node]);
                } else {
                    self.reapply_keys(parent);
                }
            }
            None => {
                let key = self.new_node(Content::Scalar(last, Style::Automatic), parent);
                self.insert_pair(parent, self.item_count(parent), [key, node]);
            }
        }
    }

    /// Restores the order of anchors and aliases after a node was moved: the first occurrence gets the content, so that
    /// no alias precedes its target.
    fn order_anchors(&mut self, moved: NodeId) {
        let concerned =
            self.live_aliases().any(|alias| self.is_within(alias, moved) || self.is_within(self.dealias(alias), moved));
        if !concerned {
            return;
        }
        let mut stack = vec![self.root()];
        let mut met = std::collections::HashSet::new();
        while let Some(id) = stack.pop() {
            if self.kind(id) == Kind::Alias {
                let target = self.dealias(id);
                if met.contains(&target) {
                    continue;
                }
                let aliases: Vec<NodeId> = self.live_aliases().filter(|&other| self.dealias(other) == target).collect();
                self.swap_with_alias(target, id, &aliases);
            }
            met.insert(id);
            stack.extend(self.items(id).iter().rev());
        }
        self.reapply_merges();
    }
}

fn into_itself() -> Error {
    Error::new(Status::InvalidArgument, "a node cannot be moved into itself")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::yaml;

    fn tree(content: &str) -> Tree {
        let text = format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{content}...\n");
        let mut tree = yaml::parse(text, 0, 1, &Limits::default()).unwrap().tree;
        tree.remember_original();
        tree
    }

    /// Changes a tree, and checks the content of its text, which must be changed in place.
    #[track_caller]
    fn check(content: &str, expected: &str, change: impl FnOnce(&mut Tree, NodeId) -> Result<()>) {
        let mut tree = tree(content);
        let root = tree.root();
        change(&mut tree, root).unwrap();
        let text = yaml::by_patches(&tree, &Limits::default()).unwrap().unwrap();
        let content = text.split_once("asdf-1.1.0\n").unwrap().1;
        assert_eq!(content.strip_suffix("...\n").unwrap(), expected);
    }

    #[track_caller]
    fn fails(content: &str, status: Status, change: impl FnOnce(&mut Tree, NodeId) -> Result<()>) {
        let mut tree = tree(content);
        let root = tree.root();
        assert_eq!(change(&mut tree, root).unwrap_err().status(), status);
        assert_eq!(yaml::splice(&tree, &Limits::default()).unwrap(), tree.source());
    }

    const TEXT: &str = "\
a: 1   # one
'b':     # two
  c: 'x'
  # inside
  d: !t/u-1.0.0 {e: 1, f: [1, 2 , 3]}  # flow
# before the list
list:
- 1 # item
-   g: 1   # in it
    h: 2
- - 5
  - 6  # six
last: end
";

    #[test]
    fn items_are_inserted() {
        let insert = |from: &str, to: &str, path: &str, index| {
            check(TEXT, &TEXT.replacen(from, to, 1), |tree, root| tree.insert_item(root, path, index).map(|_| ()));
        };
        insert("- 1 #", "- null\n- 1 #", "list", Some(0));
        insert("# item\n", "# item\n- null\n", "list", Some(1));
        insert("# six\n", "# six\n- null\n", "list", None);
        insert("[1, 2 ", "[1, null, 2 ", "b/d/f", Some(1));
        insert("[1,", "[null, 1,", "b/d/f", Some(0));
        insert(" 3]", " 3, null]", "b/d/f", Some(3));
        fails(TEXT, Status::OutOfRange, |tree, root| tree.insert_item(root, "list", Some(4)).map(|_| ()));
        fails(TEXT, Status::WrongType, |tree, root| tree.insert_item(root, "b", None).map(|_| ()));
        fails(TEXT, Status::NotFound, |tree, root| tree.insert_item(root, "none", None).map(|_| ()));
    }

    #[test]
    fn keys_are_inserted() {
        let insert = |from: &str, to: &str, path: &str, position| {
            check(TEXT, &TEXT.replacen(from, to, 1), |tree, root| {
                tree.insert_key(root, path, "new", position).map(|_| ())
            });
        };
        insert("a: 1 ", "new: null\na: 1 ", "", KeyPosition::First);
        insert("# one\n", "# one\nnew: null\n", "", KeyPosition::After("a"));
        insert("# one\n", "# one\nnew: null\n", "", KeyPosition::Before("b"));
        insert("# flow\n", "# flow\n  new: null\n", "b", KeyPosition::Last);
        insert("{e: 1,", "{e: 1, new: null,", "b/d", KeyPosition::After("e"));
        insert("  g: 1   # in it\n", "  g: 1   # in it\n    new: null\n", "list/1", KeyPosition::Before("h"));
        let insert = |key, position| move |tree: &mut Tree, root| tree.insert_key(root, "b", key, position).map(|_| ());
        fails(TEXT, Status::InvalidArgument, insert("c", KeyPosition::First));
        fails(TEXT, Status::NotFound, insert("new", KeyPosition::After("z")));
        fails(TEXT, Status::WrongType, |tree, root| tree.insert_key(root, "a", "x", KeyPosition::Last).map(|_| ()));
    }

    #[test]
    fn keys_of_each_type_are_made() {
        let make = |key| move |tree: &mut Tree, root| tree.make_key(root, "b/d", key).map(|_| ());
        check(TEXT, &TEXT.replacen("[1, 2 , 3]}", "[1, 2 , 3], 7: null}", 1), make(Key::Integer(7)));
        check(TEXT, &TEXT.replacen("[1, 2 , 3]}", "[1, 2 , 3], true: null}", 1), make(Key::Bool(true)));
        check(TEXT, &TEXT.replacen("[1, 2 , 3]}", "[1, 2 , 3], '7': null}", 1), make(Key::String("7")));
        check(TEXT, &TEXT.replacen("[1, 2 , 3]}", "[1, 2 , 3], a/b: null}", 1), make(Key::String("a/b")));
        check(TEXT, TEXT, make(Key::String("e")));
        fails(TEXT, Status::InvalidArgument, make(Key::Other("1.5")));
        fails(TEXT, Status::WrongType, |tree, root| tree.make_key(root, "a", Key::Integer(1)).map(|_| ()));
        fails(TEXT, Status::NotFound, |tree, root| tree.make_key(root, "z", Key::Integer(1)).map(|_| ()));
    }

    #[test]
    fn keys_of_one_text_and_different_types_are_different() {
        let mut tree = Tree::new();
        let root = tree.root();
        let made = [Key::Integer(1), Key::String("1"), Key::Bool(true), Key::String("true")]
            .map(|key| tree.make_key(root, "", key).unwrap());
        assert_eq!(tree.items(root).len(), 8);
        assert_eq!(tree.make_key(root, "", Key::Integer(1)).unwrap(), made[0]);
        assert_eq!(tree.find(root, Key::String("true")), Some(made[3]));
    }

    #[test]
    fn keys_are_renamed() {
        let rename = |from: &str, to: &str, path: &str, key: &str| {
            check(TEXT, &TEXT.replacen(from, to, 1), |tree, root| tree.rename_key(root, path, key));
        };
        rename("a:", "two words:", "a", "two words");
        rename("a:", "'yes':", "a", "yes");
        rename("'b':", "'new':", "b", "new");
        rename("f: [", "new: [", "b/d/f", "new");
        rename("list:", "new:", "list", "new");
        rename("g: 1", "new: 1", "list/1/g", "new");
        let rename = |path, key| move |tree: &mut Tree, root| tree.rename_key(root, path, key);
        fails(TEXT, Status::InvalidArgument, rename("a", "list"));
        fails(TEXT, Status::WrongType, rename("list/0", "x"));
        fails(TEXT, Status::WrongType, rename("", "x"));
        check("{a: 1, b: 2, a: 3}\n", "{c: 1, b: 2, c: 3}\n", rename("a", "c"));
        check("a: &x 1\n? &y b\n: *x\n", "a: &x 1\n? &y b\n: *x\n", rename("a", "a"));
        check("a: &x 1\n? b\n: *x\n", "a: &x 1\n? c\n: *x\n", rename("b", "c"));
        // The new key is found, the old key is not.
        let mut tree = tree(TEXT);
        tree.rename_key(tree.root(), "b/c", "z").unwrap();
        assert!(tree.lookup(tree.root(), "b/z").is_ok() && tree.lookup(tree.root(), "b/c").is_err());
    }

    #[test]
    fn nodes_move_with_their_text() {
        let go = |content: &str, from: &'static str, to: &'static str, expected: &str| {
            check(content, expected, |tree, root| tree.move_node(root, from, to));
        };
        go("a: 1   # one\nb:\n  c: 2 # two\n  e: 3\n", "b/c", "d", "a: 1   # one\nb:\n  e: 3\nd: 2 # two\n");
        go("a: 1   # one\nb: 2\n", "a", "b", "b: 1   # one\n");
        go("a:\n  b:\n    c: 1 # it\n", "a/b", "a", "a:\n  c: 1 # it\n");
        go("- a # 1\n- b # 2\n- c\n", "2", "0", "- c\n- a # 1\n- b # 2\n");
        go("- a # 1\n- b # 2\n- c\n", "0", "1", "- b # 2\n- a # 1\n- c\n");
        go("- a # 1\n- b # 2\n- c\n", "0", "-", "- b # 2\n- c\n- a # 1\n");
        go("[a, b , {c: d}]\n", "2", "0", "[{c: d}, a, b]\n");
    }

    #[test]
    fn a_mapping_moves_with_its_comments() {
        let text = "b:   # two\n  c: 'x'\n  # inside\n  d: [1,  2] # flow\ne:\n  f: 1\n";
        let moved = "e:\n  f: 1\n  g:   # two\n    c: 'x'\n    # inside\n    d: [1,  2] # flow\n";
        check(text, moved, |tree, root| tree.move_node(root, "b", "e/g"));
        let made = "e:\n  f: 1\nx:\n  z:   # two\n    c: 'x'\n    # inside\n    d: [1,  2] # flow\n";
        check(text, made, |tree, root| tree.move_node(root, "b", "x/z"));
        let list = TEXT.split_once("list:\n").unwrap().1.split_once("last").unwrap().0;
        let to_end = TEXT.replace(&format!("list:\n{list}"), "") + &format!("list:\n{list}");
        check(TEXT, &to_end, |tree, root| {
            tree.move_node(root, "list", "list2").and_then(|()| tree.rename_key(root, "list2", "list"))
        });
        let inner = list.lines().map(|line| format!("  {line}\n")).collect::<String>();
        let inside =
            to_end.replace(&format!("list:\n{list}"), "").replace("# flow\n", &format!("# flow\n  list:\n{inner}"));
        check(TEXT, &inside, |tree, root| tree.move_node(root, "list", "b/list"));
        let out = "b:\n  - - 5\n    - 6  # six\n  - 7\nc: 1\n";
        check(out, "b:\n  - 7\nc: 1\nd:\n- 5\n- 6  # six\n", |tree, root| tree.move_node(root, "b/0", "d"));
        check("a:\n- 1 # x\n- 2\nb:\n- 3\n", "b:\n- 3\n- - 1 # x\n  - 2\n", |tree, root| {
            tree.move_node(root, "a", "b/-")
        });
        check(
            "a: !t/x-1.0.0   # t\n  b: 1\nc: [{d: 1}]\n",
            "c: [{d: 1}]\ne: !t/x-1.0.0   # t\n  b: 1\n",
            |tree, root| tree.move_node(root, "a", "e"),
        );
        check(
            "a: # t\n  b: |\n    x\n\n     y\n  c: \"z\\\n    w\"\nc: {d: 1}\n",
            "c: {d: 1, a: {b: \"x\\n\\n y\\n\", c: \"zw\"}}\n",
            |tree, root| tree.move_node(root, "a", "c/a"),
        );
        check(
            "a: # t\n  b: |\n    x\n\n     y\n  c: \"z\\\n    w\"\nc:\n  d: 1\n",
            "c:\n  d: 1\n  a: # t\n    b: |\n      x\n\n       y\n    c: \"z\\\n      w\"\n",
            |tree, root| tree.move_node(root, "a", "c/a"),
        );
    }

    #[test]
    fn changes_inside_do_not_keep_a_node_from_moving() {
        check("a:\n  b: 1 # x\n  c: 2\nd: 1\n", "d: 1\ne:\n  b: 7\n  c: 2\n", |tree, root| {
            let place = tree.place(root, "a/b")?;
            tree.replace(place, Content::Scalar("7", Style::Plain));
            tree.move_node(root, "a", "e")
        });
        check("a:\n  b: 1 # x\n  c: 2\nd: 1\n", "d: 1\nb: 1 # x\ne:\n  c: 2\n", |tree, root| {
            tree.move_node(root, "a/b", "b")?;
            tree.move_node(root, "a", "e")
        });
    }

    #[test]
    fn what_comes_behind_lines_that_go_has_its_place() {
        check("l:\n- a: 1\n  b: 2 # x\nc: 3\n", "l:\n- a: 1\n- 2 # x\nc: 3\n", |tree, root| {
            tree.move_node(root, "l/0/b", "l/1")
        });
        check("a: 1\nb: 2\n", "a: 1\nc:\n- 2\n", |tree, root| tree.move_node(root, "b", "c/-"));
        check("l:\n- a: 1\n  b: 2 # x\n  d: 4\nc: 3\n", "l:\n- a: 1\n- 2 # x\n- 4\nc: 3\n", |tree, root| {
            tree.move_node(root, "l/0/b", "l/1")?;
            tree.move_node(root, "l/0/d", "l/-")
        });
    }

    #[test]
    fn aliases_never_come_before_what_they_mean() {
        let go = |content: &str, from: &'static str, to: &'static str, expected: &str| {
            check(content, expected, |tree, root| tree.move_node(root, from, to));
        };
        let text = "a: &n {b: 1}   # it\nc: *n\nd: *n\n";
        go(text, "a", "e", "c: &n {b: 1}\nd: *n\ne: *n\n");
        go(text, "d", "a/e", "a: &n {b: 1, e: *n}   # it\nc: *n\n");
        go("- &n [1]\n- x\n- *n\n", "2", "0", "- &n [1]\n- *n\n- x\n");
        go("- &n\n  a: 1 # one\n- x\n- *n\n", "0", "-", "- x\n- &n\n  a: 1 # one\n- *n\n");
        go("a: {b: &n [1], c: *n}\nd: *n\n", "a", "e", "d: &n [1]\ne: {b: *n, c: *n}\n");
        go("a: &n {self: *n, x: 1}\nb: 2\n", "a", "c", "b: 2\nc: &n {self: *n, x: 1}\n");
        // The target of an alias is not the position of the alias.
        fails(text, Status::InvalidArgument, |tree, root| tree.move_node(root, "a", "c/x"));
        let mut tree = tree(text);
        let a = tree.lookup(tree.root(), "a").unwrap();
        tree.move_node(tree.root(), "a", "e").unwrap();
        assert_eq!(tree.path(a), "/e");
        assert_eq!(tree.path(tree.dealias(a)), "/c");
    }

    #[test]
    fn moves_that_make_no_sense_are_refused() {
        let go = |status, from: &'static str, to: &'static str| {
            fails(TEXT, status, |tree, root| tree.move_node(root, from, to));
        };
        go(Status::InvalidArgument, "", "x");
        go(Status::InvalidArgument, "a", "");
        go(Status::InvalidArgument, "b", "b/d/x");
        go(Status::InvalidArgument, "list/0", "list/0/x");
        go(Status::NotFound, "none", "x");
        go(Status::NotFound, "a", "list/x");
        go(Status::OutOfRange, "list/0", "list/3");
        go(Status::WrongType, "b", "a/x");
        fails("{a: 1, b: 2, a: 3}\n", Status::InvalidArgument, |tree, root| tree.move_node(root, "a", "c"));
        let merging = "m: &m {a: 1}\nn: {<<: *m, b: 2}\n";
        fails(merging, Status::InvalidArgument, |tree, root| tree.move_node(root, "n", "m/n"));
        fails(merging, Status::InvalidArgument, |tree, root| tree.move_node(root, "n/a", "c"));
        fails(merging, Status::InvalidArgument, |tree, root| tree.rename_key(root, "n/a", "c"));
        fails(merging, Status::InvalidArgument, |tree, root| {
            tree.insert_key(root, "n", "x", KeyPosition::After("a")).map(|_| ())
        });
        fails(merging, Status::InvalidArgument, |tree, root| tree.own_entry(root, "n/a").map(|_| ()));
        check(merging, "m: &m {a: 1}\nn: {<<: *m, b: 2, a: null}\n", |tree, root| tree.place(root, "n/a").map(|_| ()));
        check(merging, "n: {<<: &m {a: 1}, b: 2}\nx: *m\n", |tree, root| tree.move_node(root, "m", "x"));
    }

    #[test]
    fn ordered_mappings_keep_one_pair_in_each_item() {
        let text = "a: !!omap\n- x: 1\n- z: {k: 2}\n";
        let remove = |path: &'static str| {
            move |tree: &mut Tree, root| tree.entry_to_remove(root, path).and_then(|node| tree.remove(node))
        };
        for path in ["a/x", "a/0", "a/0/x"] {
            check(text, "a: !!omap\n- z: {k: 2}\n", remove(path));
        }
        check(text, "a: !!omap\n- x: 1\n- z: {}\n", remove("a/z/k"));
        check(text, "a: !!omap\n- w: 1\n- z: {k: 2}\n", |tree, root| tree.rename_key(root, "a/x", "w"));
        check(text, "a: !!omap\n- x: 1\nb: {k: 2}\n", |tree, root| tree.move_node(root, "a/z", "b"));
        check(text, "a: !!omap\n- x: 1\n- b: {k: 2}\n", |tree, root| tree.move_node(root, "a/z", "a/b"));
        check(text, "a: !!omap\n- x: {k: 2}\n", |tree, root| tree.move_node(root, "a/z", "a/x"));
        check(text, "a: !!omap\n- x: 1\n- z: {k: 2}\n- b: null\n", |tree, root| tree.place(root, "a/b").map(drop));
        check("a: !!pairs [x: 1, x: 2]\n", "a: !!pairs [x: 2]\n", remove("a/x"));
        let shared = "i: &i {x: 1}\na: !!omap [*i, &j {z: 2}]\nb: *j\n";
        check(shared, "i: &i {x: 1}\na: !!omap [&j {z: 2}]\nb: *j\n", remove("a/x"));
        check(shared, "i: &i {x: 1}\na: !!omap [*i]\nb: {z: 2}\n", remove("a/z"));
        fails(shared, Status::InvalidArgument, |tree, root| tree.move_node(root, "a/z", "c"));
        fails(text, Status::InvalidArgument, |tree, root| tree.rename_key(root, "a/x", "z"));
        fails(text, Status::NotFound, |tree, root| tree.rename_key(root, "a/b", "c"));
        fails("a: [{x: 1}]\n", Status::NotFound, |tree, root| tree.place(root, "a/b").map(drop));
    }
}
