//! Edits of a tree: creating nodes along a path, replacing content, removing nodes.

#[cfg(feature = "serde")]
use super::Key;
use super::{Collection, Kind, NodeData, NodeId, Style, TagId, Text, Tree, path};
use crate::error::{Error, Result, Status};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// New content of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'a> {
    /// A scalar with this text, written in this style.
    Scalar(&'a str, Style),
    /// An empty sequence.
    Sequence(Style),
    /// An empty mapping.
    Mapping(Style),
}

impl Tree {
    /// Finds or makes the node at `path` below `start`.
    ///
    /// Missing collections on the way are made: a sequence if the next token is `-`, otherwise a mapping. A number needs
    /// a collection that exists. In a sequence, a number names an existing item and `-` appends an item; in a mapping,
    /// both are keys. In an ordered mapping, any other token is a key. A new node holds null until it gets content. On
    /// failure the tree is unchanged.
    pub(crate) fn place(&mut self, start: NodeId, path: &str) -> Result<NodeId> {
        let tokens = path::tokens(path)?;
        let mut place = start;
        for (done, token) in tokens.iter().enumerate() {
            let node = self.resolve(place)?;
            place = match self.kind(node) {
                Kind::Sequence if token == "-" || self.is_new_key(node, token) => {
                    self.check_new_tokens(node, &tokens[done..])?;
                    self.make_room_for_child(node)?;
                    return Ok(self.make(node, &tokens[done..]));
                }
                Kind::Mapping => match self.find_token(node, token) {
                    // A merged value belongs to another mapping; a new pair of this mapping overrides it.
                    Some(value) if done + 1 < tokens.len() || self.parent(value) == Some(node) => value,
                    _ => {
                        self.check_new_tokens(node, &tokens[done..])?;
                        self.make_room_for_child(node)?;
                        return Ok(self.make(node, &tokens[done..]));
                    }
                },
                _ => self.child(node, token).map_err(|error| self.locate(error, node))?,
            };
        }
        Ok(place)
    }

    /// Returns the node at `path` below `start`, if [`Tree::place`] would not have to make it.
    pub(crate) fn existing_place(&self, start: NodeId, path: &str) -> Option<NodeId> {
        self.find_path(start, path)?;
        self.own_entry(start, path).ok().map(|(_, place)| place)
    }

    /// Makes the node for the first of `tokens` in `node`, and each further one in the node before it. Returns the last
    /// node.
    pub(super) fn make(&mut self, node: NodeId, tokens: &[Cow<str>]) -> NodeId {
        let mut parent = node;
        for (position, token) in tokens.iter().enumerate() {
            let content = match tokens.get(position + 1) {
                Some(next) => collection_for(next),
                None => Content::Scalar("null", Style::Plain),
            };
            if self.is_new_key(parent, token) {
                parent = self.append_pair_item(parent);
            }
            parent = match self.kind(parent) {
                Kind::Sequence => self.append_item(parent, content),
                _ => self.append_pair(parent, token, content),
            };
        }
        parent
    }

    /// Adds a child under a string key that the mapping does not have yet.
    fn add_pair(&mut self, mapping: NodeId, key: &str, value: NodeId) {
        let key = self.new_node(Content::Scalar(key, Style::Automatic), mapping);
        self.push_pair(mapping, key, value);
        self.reapply_merges();
    }

    /// Replaces the content of a node. Handles to the node stay valid; handles to its former children do not.
    ///
    /// Aliases of the former content keep that content.
    pub(crate) fn replace(&mut self, id: NodeId, content: Content) {
        self.discard_content(id);
        self.fill(id, content);
        self.reapply_merges();
    }

    /// Sets the content of a node whose former content was discarded or never set.
    pub(super) fn fill(&mut self, id: NodeId, content: Content) {
        self.note_replaced(id);
        let parent = self.node(id).parent;
        let data = self.content(content, parent);
        *self.node_mut(id) = data;
    }

    /// Appends a pair with a new key to a mapping. The value holds `content`.
    pub(crate) fn append_pair(&mut self, mapping: NodeId, key: &str, content: Content) -> NodeId {
        let value = self.new_node(content, mapping);
        self.add_pair(mapping, key, value);
        value
    }

    /// Appends a pair to a mapping: a key of any type, and null as its value.
    ///
    /// Fails with [`Status::InvalidArgument`] for a key that ASDF does not allow or that the mapping already has.
    #[cfg(feature = "serde")]
    pub(crate) fn append_new_key(&mut self, mapping: NodeId, key: Content) -> Result<NodeId> {
        let value = self.new_node(Content::Scalar("null", Style::Plain), mapping);
        let key = self.new_node(key, mapping);
        let message = match self.key(key) {
            Key::Other(text) => {
                format!("ASDF allows only strings, integers and booleans as keys, not '{}'", text.escape_debug())
            }
            found if self.find(mapping, found).is_some() => format!("the key '{}' occurs more than once", found.text()),
            _ => {
                self.push_pair(mapping, key, value);
                self.reapply_merges();
                return Ok(value);
            }
        };
        Err(Error::new(Status::InvalidArgument, message))
    }

    /// Appends an item that holds `content` to a sequence.
    pub(crate) fn append_item(&mut self, sequence: NodeId, content: Content) -> NodeId {
        let item = self.new_node(content, sequence);
        self.note_items(sequence);
        self.items_mut(sequence).push(item);
        self.reapply_merges();
        item
    }

    /// Converts a mapping to a sequence of mappings with one pair each, in the order of the pairs.
    pub(crate) fn list_pairs(&mut self, mapping: NodeId) {
        let pairs = self.pairs_to_write(mapping).to_vec();
        let mut items = Vec::with_capacity(pairs.len() / 2);
        for pair in pairs.chunks_exact(2) {
            let single = self.new_node(Content::Mapping(Style::Block), mapping);
            for &node in pair {
                self.node_mut(node).parent = single;
            }
            self.set_items(single, pair.to_vec());
            items.push(single);
        }
        let node = self.node_mut(mapping);
        node.kind = Kind::Sequence;
        let collection = node.data as usize;
        self.collections[collection] = Collection { items, ..Collection::default() };
    }

    /// Makes a node with `parent` as its parent, without adding it to the parent's children.
    pub(super) fn new_node(&mut self, content: Content, parent: NodeId) -> NodeId {
        let data = self.content(content, parent);
        self.push(data)
    }

    /// Makes the data of a node that holds `content`, without adding it to the arena.
    fn content(&mut self, content: Content, parent: NodeId) -> NodeData {
        let (kind, style) = match content {
            Content::Scalar(_, style) => (Kind::Scalar, style),
            Content::Sequence(style) => (Kind::Sequence, style),
            Content::Mapping(style) => (Kind::Mapping, style),
        };
        let data = if let Content::Scalar(text, _) = content {
            self.texts.push(Box::from(text));
            self.texts.len() - 1
        } else {
            self.collections.push(Collection::default())
        };
        NodeData {
            kind,
            style,
            text: Text::Stored,
            removed: false,
            tag: TagId::NONE,
            start: 0,
            end: 0,
            data: data as u32,
            parent,
        }
    }

    /// Removes the content of a node with all descendants. Content that has aliases outside is first moved to an alias.
    pub(super) fn discard_content(&mut self, id: NodeId) {
        let mut subtree = vec![id];
        let mut next = 0;
        while next < subtree.len() {
            subtree.extend_from_slice(self.items(subtree[next]));
            next += 1;
        }
        let kept = if self.aliases.is_empty() { HashSet::new() } else { self.move_aliased_content(&subtree) };
        for node in subtree.into_iter().skip(1).filter(|node| !kept.contains(node)) {
            self.node_mut(node).removed = true;
        }
        self.anchors.remove(&id);
    }

    /// Moves the content of each node of a doomed subtree that has aliases outside to the first such alias. Returns the
    /// nodes of the moved content.
    fn move_aliased_content(&mut self, subtree: &[NodeId]) -> HashSet<NodeId> {
        let positions: HashMap<NodeId, usize> = subtree.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let mut aliases: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for alias in self.live_aliases().filter(|&alias| positions.contains_key(&self.dealias(alias))) {
            aliases.entry(self.dealias(alias)).or_default().push(alias);
        }
        let mut kept = HashSet::new();
        let is_doomed = |node: &NodeId, kept: &HashSet<NodeId>| positions.contains_key(node) && !kept.contains(node);
        // Outer nodes come first, because the content of inner ones moves with them.
        let has_alias_outside =
            |(_, aliases): &(&NodeId, &Vec<NodeId>)| aliases.iter().any(|alias| !positions.contains_key(alias));
        let mut waiting: BTreeSet<usize> =
            aliases.iter().filter(has_alias_outside).filter_map(|(target, _)| positions.get(target).copied()).collect();
        while let Some(target) = waiting.pop_first().map(|position| subtree[position]) {
            let Some(here) = aliases.get(&target).filter(|_| !kept.contains(&target)) else { continue };
            let Some(&first) = here.iter().find(|alias| !is_doomed(alias, &kept)) else { continue };
            self.swap_with_alias(target, first, here);
            let mut moved = self.items(first).to_vec();
            while let Some(node) = moved.pop() {
                kept.insert(node);
                moved.extend_from_slice(self.items(node));
                // An alias in the moved content needs its target.
                waiting.extend(
                    Some(self.dealias(node)).filter(|other| *other != node).and_then(|other| positions.get(&other)),
                );
            }
        }
        kept
    }

    /// Moves the content of a node to one of its aliases, and makes the node an alias. `aliases` are all its aliases.
    pub(super) fn swap_with_alias(&mut self, target: NodeId, alias: NodeId, aliases: &[NodeId]) {
        self.note_content_moved_to_alias(alias, target);
        self.note_replaced(target);
        self.move_merging(target, alias);
        let mut content = self.node(target);
        content.parent = self.node(alias).parent;
        *self.node_mut(alias) = content;
        for item in self.items(alias).to_vec() {
            self.node_mut(item).parent = alias;
        }
        for &other in aliases.iter().filter(|&&other| other != alias) {
            self.node_mut(other).data = alias.number();
        }
        if let Some(name) = self.anchors.remove(&target) {
            self.anchors.insert(alias, name);
        }
        let place = self.node_mut(target);
        (place.kind, place.data) = (Kind::Alias, alias.number());
        (place.start, place.end, place.tag) = (0, 0, TagId::NONE);
        self.aliases.push(target);
    }

    /// Sets or removes the tag of a node that may have aliases.
    ///
    /// Fails if the text of a scalar is not a value of the type that the tag demands. Fails if an alias of the node is
    /// a key that would repeat another key of its mapping.
    pub(crate) fn retag(&mut self, id: NodeId, tag: Option<&str>) -> Result<()> {
        let former = self.tag(id).map(str::to_owned);
        let aliases = self.live_aliases().filter(|&alias| self.dealias(alias) == id);
        let keys: Vec<(NodeId, NodeId)> =
            aliases.filter_map(|alias| Some((self.mapping_of_key(alias)?, alias))).collect();
        let counts: Vec<usize> = keys.iter().map(|&(mapping, _)| self.pairs(mapping).len()).collect();
        self.set_tag(id, tag);
        let is_scalar = self.kind(id) == Kind::Scalar;
        let mut result = if is_scalar { self.scalar(id).map(drop) } else { Ok(()) };
        for &(mapping, _) in &keys {
            self.reapply_keys(mapping);
        }
        if keys.iter().zip(&counts).any(|(&(mapping, _), &count)| self.pairs(mapping).len() != count) {
            let message = "with this tag, an alias of the node would repeat another key of its mapping";
            result = result.and(Err(self.locate(Error::new(Status::InvalidArgument, message), id)));
        }
        if result.is_err() {
            self.set_tag(id, former.as_deref());
            for (mapping, _) in keys {
                self.reapply_keys(mapping);
            }
        }
        result
    }

    /// Returns the mapping that a node is a key of.
    fn mapping_of_key(&self, id: NodeId) -> Option<NodeId> {
        let mapping = self.parent(id).filter(|&parent| self.kind(parent) == Kind::Mapping)?;
        self.items(mapping).iter().step_by(2).any(|&key| key == id).then_some(mapping)
    }

    /// Removes a node from its sequence, or from its mapping with all pairs of its key.
    pub(crate) fn remove(&mut self, id: NodeId) -> Result<()> {
        let Some(parent) = self.parent(id) else {
            return Err(Error::new(Status::InvalidArgument, "the root cannot be removed"));
        };
        self.prepare_children(parent)?;
        if let Some(pair) = self.take_pair_by_hole(parent, id) {
            for node in pair.into_iter().rev() {
                self.discard_node(node);
            }
            return Ok(());
        }
        if let Some(position) = self.plain_pair(parent, id) {
            let pair = self.take_plain_pair(parent, position);
            for node in pair.into_iter().rev() {
                self.discard_node(node);
            }
            return Ok(());
        }
        let removed = if self.kind(parent) == Kind::Mapping { self.values_under_key_of(parent, id) } else { vec![id] };
        for &value in &removed {
            self.discard_content(value);
            // Content with aliases must not move from one of these nodes to another and back.
            self.node_mut(value).removed = true;
        }
        if self.kind(parent) == Kind::Mapping {
            for key in self.remove_pairs_of(parent, &removed) {
                self.discard_node(key);
            }
            self.reapply_keys(parent);
        } else {
            self.take_item(parent, id);
            self.reapply_merges();
        }
        Ok(())
    }

    /// Takes an item out of a sequence. Returns its former index.
    pub(super) fn take_item(&mut self, sequence: NodeId, item: NodeId) -> Option<usize> {
        let index = self.position_of_item(sequence, item)?;
        self.items_mut(sequence).remove(index);
        Some(index)
    }

    /// Returns the index of an item of a sequence.
    pub(super) fn position_of_item(&self, sequence: NodeId, item: NodeId) -> Option<usize> {
        Tree::position_among(self.items(sequence), item)
    }

    /// Removes the pairs with these values from the items of a mapping. Returns their keys.
    pub(super) fn remove_pairs_of(&mut self, mapping: NodeId, values: &[NodeId]) -> Vec<NodeId> {
        let items = self.items(mapping).to_vec();
        let (removed, staying): (Vec<_>, Vec<_>) = items.chunks_exact(2).partition(|pair| values.contains(&pair[1]));
        *self.items_mut(mapping) = staying.concat();
        removed.into_iter().map(|pair| pair[0]).collect()
    }

    /// Removes a key or a value that is no longer part of its mapping. Aliases of it keep its content.
    pub(super) fn discard_node(&mut self, key: NodeId) {
        self.discard_content(key);
        self.node_mut(key).removed = true;
    }

    /// Returns all values under the key of `value`: keys can repeat.
    pub(super) fn values_under_key_of(&self, mapping: NodeId, value: NodeId) -> Vec<NodeId> {
        let pairs = self.items(mapping).chunks_exact(2);
        let Some(key) = pairs.clone().find(|pair| pair[1] == value).map(|pair| pair[0]) else { return vec![value] };
        if self.is_merge_key(key) {
            return vec![value];
        }
        let is_same = |pair: &&[NodeId]| !self.is_merge_key(pair[0]) && self.key(pair[0]) == self.key(key);
        pairs.filter(is_same).map(|pair| pair[1]).collect()
    }
}

/// Returns the kind of collection to make if `token` names its first entry.
pub(super) fn collection_for<'a>(token: &str) -> Content<'a> {
    if token == "-" { Content::Sequence(Style::Block) } else { Content::Mapping(Style::Block) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_at(tree: &Tree, path: &str) -> String {
        let id = tree.lookup(tree.root(), path).unwrap();
        tree.text(tree.resolve(id).unwrap()).to_owned()
    }

    fn set(tree: &mut Tree, path: &str, text: &str) -> NodeId {
        let id = tree.place(tree.root(), path).unwrap();
        tree.replace(id, Content::Scalar(text, Style::Plain));
        id
    }

    #[test]
    fn mappings_are_made_on_the_way() {
        let mut tree = Tree::new();
        let id = set(&mut tree, "meta/exposure/time", "139.8");
        assert_eq!(tree.path(id), "/meta/exposure/time");
        set(&mut tree, "/meta/exposure/time", "140.2");
        assert_eq!(text_at(&tree, "meta/exposure/time"), "140.2");
        assert_eq!(tree.pairs(tree.root()).len(), 2);
    }

    #[test]
    fn numbers_index_sequences_and_never_make_them() {
        let mut tree = Tree::new();
        let list = tree.place(tree.root(), "list").unwrap();
        tree.replace(list, Content::Sequence(Style::Flow));
        set(&mut tree, "list/-", "a");
        set(&mut tree, "list/-", "b");
        set(&mut tree, "list/0", "c");
        assert_eq!((text_at(&tree, "list/0"), text_at(&tree, "list/1")), ("c".into(), "b".into()));
        assert_eq!(tree.place(tree.root(), "list/2").unwrap_err().status(), Status::NotFound);
        assert_eq!(tree.place(tree.root(), "list/0/x").unwrap_err().status(), Status::WrongType);
        assert_eq!(tree.items(list).len(), 2);
    }

    #[test]
    fn an_appended_item_makes_its_sequence() {
        let mut tree = Tree::new();
        let item = set(&mut tree, "new/-", "a");
        assert_eq!(tree.path(item), "/new/0");
        set(&mut tree, "new/-", "b");
        set(&mut tree, "deep/-/-/x", "c");
        let kind = |path| tree.kind(tree.lookup(tree.root(), path).unwrap());
        assert_eq!(
            [kind("new"), kind("deep"), kind("deep/0"), kind("deep/0/0")],
            [Kind::Sequence, Kind::Sequence, Kind::Sequence, Kind::Mapping]
        );
        assert_eq!((text_at(&tree, "new/1"), text_at(&tree, "deep/0/0/x")), ("b".into(), "c".into()));
        // A number is a key of an existing mapping only, and so is `-`.
        assert_eq!(tree.place(tree.root(), "numbered/0").unwrap_err().status(), Status::NotFound);
        let numbered = tree.place(tree.root(), "numbered").unwrap();
        tree.replace(numbered, Content::Mapping(Style::Block));
        set(&mut tree, "numbered/0", "d");
        set(&mut tree, "numbered/-", "e");
        set(&mut tree, "-", "f");
        let kind = |path| tree.kind(tree.lookup(tree.root(), path).unwrap());
        assert_eq!([kind("numbered"), kind("")], [Kind::Mapping; 2]);
        assert_eq!((text_at(&tree, "numbered/-"), text_at(&tree, "-")), ("e".into(), "f".into()));
    }

    #[test]
    fn paths_that_mean_something_else_are_refused() {
        let text = "--- {list: [1], a: !core/ndarray-1.1.0 {source: 0}, frames: {01: x, 010: y, 2: z}}\n...\n";
        let text = format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n{text}");
        let mut tree = crate::yaml::parse(text, 0, 1, &crate::limits::Limits::default()).unwrap().tree;
        let mut refused = |path: &str| {
            let error = tree.place(tree.root(), path).unwrap_err();
            (error.status(), error.message().to_owned())
        };
        for (path, status, words) in [
            ("list[0]", Status::InvalidArgument, "the path of an item is 'list/0'"),
            ("a[0, 1]", Status::InvalidArgument, "by regions"),
            ("a/unit", Status::InvalidArgument, "beside the array"),
            ("new/5", Status::NotFound, "append an item by 'new/-'"),
            ("list/-/0/x", Status::NotFound, "'-/-'"),
        ] {
            let (found, message) = refused(path);
            assert!(found == status && message.contains(words), "{path}: {message}");
        }
        for path in ["a/mask", "list[x]", "other[0]", "frames/5"] {
            tree.place(tree.root(), path).unwrap();
        }
        for (path, words) in [("frames/00000001", "Its path is '1'"), ("frames/00000010", "Its path is '8'")] {
            let message = tree.lookup(tree.root(), path).unwrap_err().message().to_owned();
            assert!(message.contains(words), "{message}");
        }
        assert!(tree.lookup(tree.root(), "frames/2").is_ok());
    }

    #[test]
    fn pairs_become_a_list() {
        let text = "--- {a: &x {c: 1, b: 2}, d: *x}\n...\n".to_owned();
        let mut tree = crate::yaml::parse(text, 0, 1, &crate::limits::Limits::default()).unwrap().tree;
        let a = tree.lookup(tree.root(), "a").unwrap();
        tree.list_pairs(a);
        tree.list_pairs(tree.root());
        assert_eq!((text_at(&tree, "0/a/1/b"), text_at(&tree, "1/d/0/c")), ("2".into(), "1".into()));
        let b = tree.lookup(tree.root(), "0/a/1/b").unwrap();
        assert_eq!(tree.path(b), "/0/a/1/b");
    }

    #[test]
    fn wide_mappings_stay_linear_and_find_all_keys() {
        let mut tree = Tree::new();
        for number in 0..5000 {
            set(&mut tree, &format!("key{number}"), &number.to_string());
        }
        for number in (0..5000).filter(|number| number % 11 == 0) {
            let id = tree.lookup(tree.root(), &format!("key{number}")).unwrap();
            tree.remove(id).unwrap();
        }
        assert!(
            (0..5000)
                .all(|number| tree.find_token(tree.root(), &format!("key{number}")).is_some() == (number % 11 > 0))
        );
        assert_eq!(tree.contradiction(), None);
        assert_eq!(text_at(&tree, "key4999"), "4999");
        let id = tree.lookup(tree.root(), "key4998").unwrap();
        tree.remove(id).unwrap();
        assert_eq!(tree.check(id).unwrap_err().status(), Status::Stale);
        assert!(tree.lookup(tree.root(), "key4998").is_err());
        assert_eq!(text_at(&tree, "key4999"), "4999");
    }

    #[test]
    fn keys_that_repeat_go_together() {
        let text = "--- {a: 1, b: 2, a: 3, <<: &m {c: 4}, c: 5}\n...\n".to_owned();
        let mut tree = crate::yaml::parse(text, 0, 1, &crate::limits::Limits::default()).unwrap().tree;
        let place = |tree: &Tree, path: &str| tree.lookup(tree.root(), path);
        let b = place(&tree, "b").unwrap();
        tree.remove(b).unwrap();
        assert_eq!((text_at(&tree, "a"), text_at(&tree, "c")), ("3".into(), "5".into()));
        let a = place(&tree, "a").unwrap();
        tree.remove(a).unwrap();
        assert!(place(&tree, "a").is_err());
        let c = place(&tree, "c").unwrap();
        tree.remove(c).unwrap();
        assert_eq!(text_at(&tree, "c"), "4");
    }

    #[test]
    fn merged_pairs_follow_their_mapping() {
        let text = "--- {m: &m {a: 1}, n: {<<: *m, b: 2}}\n...\n".to_owned();
        let mut tree = crate::yaml::parse(text, 0, 1, &crate::limits::Limits::default()).unwrap().tree;
        set(&mut tree, "m/new", "3");
        assert_eq!(text_at(&tree, "n/new"), "3");
        let a = tree.lookup(tree.root(), "m/a").unwrap();
        tree.remove(a).unwrap();
        assert!(tree.lookup(tree.root(), "n/a").is_err());
        set(&mut tree, "m", "4");
        assert_eq!((text_at(&tree, "n/new"), text_at(&tree, "n/b")), ("3".into(), "2".into()));
    }

    #[test]
    fn aliases_keep_what_their_target_held() {
        let mut tree = Tree::new();
        let shared = tree.place(tree.root(), "a/inner").unwrap();
        tree.replace(shared, Content::Mapping(Style::Block));
        let leaf = set(&mut tree, "a/inner/deeper/leaf", "1");
        for key in ["b", "c"] {
            let alias = tree.add_alias(shared, tree.root(), (0, 0));
            let root = tree.root();
            tree.add_pair(root, key, alias);
        }
        set(&mut tree, "a", "2");
        assert_eq!(text_at(&tree, "b/deeper/leaf"), "1");
        assert_eq!(text_at(&tree, "c/deeper/leaf"), "1");
        tree.check(leaf).unwrap();
        assert_eq!(tree.path(leaf), "/b/deeper/leaf");
        let (b, c) = (tree.place(tree.root(), "b").unwrap(), tree.place(tree.root(), "c").unwrap());
        assert_eq!(tree.dealias(c), b);
    }

    #[test]
    fn recursion_is_copied_as_recursion() {
        let mut from = Tree::new();
        set(&mut from, "x/value", "1");
        let x = from.lookup(from.root(), "x").unwrap();
        let alias = from.add_alias(x, x, (0, 0));
        from.add_pair(x, "self", alias);
        let mut tree = Tree::new();
        let place = tree.place(tree.root(), "copy").unwrap();
        tree.copy_from(place, &from, x).unwrap();
        assert_eq!(text_at(&tree, "copy/self/self/value"), "1");
        let inner = tree.lookup(tree.root(), "copy/self").unwrap();
        assert_eq!(tree.dealias(inner), place);
    }

    #[test]
    fn references_are_followed_and_cycles_found() {
        let mut tree = Tree::new();
        set(&mut tree, "a/b~1c", "1");
        set(&mut tree, "one/$ref", "#/two");
        set(&mut tree, "two/$ref", "#/a");
        set(&mut tree, "loop/$ref", "#/loop");
        set(&mut tree, "longer/$ref", "#/longer/x");
        set(&mut tree, "nowhere/$ref", "#/a/missing");
        set(&mut tree, "outside/$ref", "other.asdf#/a");
        set(&mut tree, "number/$ref", "5");
        assert_eq!(text_at(&tree, "one/b~1c"), "1");
        assert_eq!(text_at(&tree, "number/$ref"), "5");
        let status = |path: &str| {
            let place = tree.lookup(tree.root(), path)?;
            tree.resolve(place)
        };
        assert_eq!(status("loop").unwrap_err().status(), Status::ReferenceCycle);
        assert_eq!(status("longer").unwrap_err().status(), Status::ReferenceCycle);
        let dangling = status("nowhere").unwrap_err();
        assert_eq!(dangling.status(), Status::DanglingReference);
        assert_eq!(dangling.location().path.as_deref(), Some("/nowhere"));
        assert_eq!(status("outside").unwrap_err().status(), Status::ExternalReference);
        assert_eq!(status("one/x").unwrap_err().status(), Status::NotFound);
        let one = tree.lookup(tree.root(), "one").unwrap();
        assert_eq!(tree.reference(one).unwrap(), Some("#/two"));
    }
}
