//! Keys that a node leaves out although the schema of its tag has a default for them.
//!
//! Readers of standards up to 1.5.0 add such keys with their defaults; readers of later standards do not. So the same
//! text can mean something else in another version of the standard. A copy is refused if a default that says something
//! gets lost or appears. A translation writes the defaults that would get lost, and is refused if one would appear.
//! Defaults that say nothing, such as an empty description, are written where they would get lost.

use super::schema_defaults::{SCHEMA_DEFAULTS, TagDefaults};
use crate::error::{Error, Result, Status};
use crate::tags::{self, StandardVersion};
use crate::tree::edit::Content;
use crate::tree::{Key, Kind, NodeId, Style, Tree};
use foldhash::{HashSet, HashSetExt};

/// Maximum number of parents of a key in [`SCHEMA_DEFAULTS`], up to the node with the tag.
const MAX_PARENTS: usize = 4;

/// A key that is missing in a mapping, and that readers add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Missing {
    /// The mapping without the key.
    pub(super) mapping: NodeId,
    /// The node whose tag has the schema with the default.
    tagged: NodeId,
    key: &'static str,
    default: &'static str,
}

impl Missing {
    /// Returns the missing key without the node that has the tag.
    fn entry(&self) -> (NodeId, &'static str, &'static str) {
        (self.mapping, self.key, self.default)
    }

    fn is_missing(&self, tree: &Tree) -> bool {
        tree.find(self.mapping, Key::String(self.key)).is_none()
    }
}

/// Keys that readers of one standard add to nodes, and those that readers of another standard add to the same nodes
/// with the tags of that standard.
pub(super) struct SchemaKeys {
    from: StandardVersion,
    to: StandardVersion,
    before: Vec<Missing>,
}

impl SchemaKeys {
    /// Looks at nodes that still have the tags of their standard. Returns `None` if readers of both standards add no
    /// keys.
    pub(super) fn of(
        tree: &Tree,
        nodes: impl Iterator<Item = NodeId>,
        [from, to]: [StandardVersion; 2],
    ) -> Option<SchemaKeys> {
        if from == to || !(adds_keys(from) || adds_keys(to)) {
            return None;
        }
        let before = nodes.flat_map(|node| missing(tree, node, from)).collect();
        Some(SchemaKeys { from, to, before })
    }

    /// Looks at the same nodes with the tags of the other standard. Adds the missing keys with empty defaults that
    /// readers of the other standard do not add, and returns those with other defaults, and the missing keys that only
    /// readers of the other standard add.
    fn settle(&self, tree: &mut Tree, nodes: impl Iterator<Item = NodeId>) -> (Vec<Missing>, Vec<Missing>) {
        let after: Vec<Missing> = nodes.flat_map(|node| missing(tree, node, self.to)).collect();
        let only_in = |some: &[Missing], others: &[Missing]| -> Vec<Missing> {
            let mut seen: HashSet<_> = HashSet::with_capacity(others.len());
            seen.extend(others.iter().map(Missing::entry));
            some.iter().filter(|missing| seen.insert(missing.entry())).copied().collect()
        };
        let (mut lost, mut gained) = (only_in(&self.before, &after), only_in(&after, &self.before));
        gained.retain(|missing| empty(missing.default).is_none());
        lost.retain(|missing| match empty(missing.default) {
            Some(content) => {
                add(tree, missing, content);
                false
            }
            None => true,
        });
        (lost, gained)
    }

    /// Completes copied nodes with the tags of the other standard. Fails with [`Status::Unsupported`] at the mapping of
    /// a key whose default is lost or appears.
    pub(super) fn copied(
        &self,
        tree: &mut Tree,
        nodes: impl Iterator<Item = NodeId>,
    ) -> std::result::Result<(), (NodeId, Error)> {
        let (lost, gained) = self.settle(tree, nodes);
        if let Some(missing) = lost.first() {
            return Err((missing.mapping, self.lost(tree, missing)));
        }
        match gained.first() {
            Some(missing) => Err((missing.mapping, self.gained(tree, missing))),
            None => Ok(()),
        }
    }

    /// Completes the nodes of a translated tree. Fails with [`Status::Unsupported`], located at its mapping, if a
    /// default appears.
    pub(super) fn translated(&self, tree: &mut Tree, nodes: impl Iterator<Item = NodeId>) -> Result<()> {
        let (lost, gained) = self.settle(tree, nodes);
        lost.iter().for_each(|missing| add(tree, missing, written(missing.default)));
        match gained.iter().find(|missing| missing.is_missing(tree)) {
            Some(missing) => Err(tree.locate(self.gained(tree, missing), missing.mapping)),
            None => Ok(()),
        }
    }

    /// Fails with [`Status::Unsupported`] if the schemas of nodes above a copied node have defaults that reach into it,
    /// and readers of the other standard do not add them.
    pub(super) fn check_above(&self, tree: &Tree, copied: NodeId) -> Result<()> {
        let mut above = tree.parent(copied).filter(|_| !adds_keys(self.to));
        for _ in 0..MAX_PARENTS {
            let Some(node) = above else { break };
            let reaches =
                |missing: &Missing| empty(missing.default).is_none() && is_within(tree, missing.mapping, copied);
            if let Some(missing) = missing(tree, node, self.from).into_iter().find(reaches) {
                return Err(tree.locate(self.lost(tree, &missing), missing.mapping));
            }
            above = tree.parent(node);
        }
        Ok(())
    }

    fn lost(&self, tree: &Tree, missing: &Missing) -> Error {
        let message = format!(
            "the key '{}' is missing: with the tag '{}', readers of standard {} take {} for it, and readers of \
             standard {} do not; set the key before the copy",
            missing.key,
            tree.tag(missing.tagged).unwrap_or_default(),
            self.from.as_str(),
            missing.default,
            self.to.as_str()
        );
        Error::new(Status::Unsupported, message)
    }

    fn gained(&self, tree: &Tree, missing: &Missing) -> Error {
        let message = format!(
            "the key '{}' is missing: with the tag '{}', readers of standard {} take {} for it, and readers of \
             standard {} do not; set the key first",
            missing.key,
            tree.tag(missing.tagged).unwrap_or_default(),
            self.to.as_str(),
            missing.default,
            self.from.as_str()
        );
        Error::new(Status::Unsupported, message)
    }
}

/// Adds a missing key, unless it was added for another node with the same mapping.
fn add(tree: &mut Tree, missing: &Missing, content: Content) {
    if missing.is_missing(tree) {
        tree.append_pair(missing.mapping, missing.key, content);
    }
}

/// Returns whether readers of this standard add missing keys.
fn adds_keys(standard: StandardVersion) -> bool {
    standard <= StandardVersion::V1_5_0
}

/// Returns the missing keys that readers of a standard add to a node because of its tag.
fn missing(tree: &Tree, node: NodeId, standard: StandardVersion) -> Vec<Missing> {
    let known = || {
        let (name, version) = tree.tag(node).filter(|_| adds_keys(standard))?.rsplit_once('-')?;
        let has_tag = |known: &&TagDefaults| known.name == name && known.versions.contains(&version);
        let defaults = SCHEMA_DEFAULTS.iter().find(has_tag)?;
        tags::belongs(name, version, standard).then_some(defaults.keys)
    };
    let mut found = Vec::new();
    for &(path, default) in known().unwrap_or_default() {
        let (parents, key) = path.rsplit_once('/').map_or((None, path), |(parents, key)| (Some(parents), key));
        let mappings = mappings_at(tree, node, parents).into_iter();
        let lacking = mappings.filter(|&mapping| tree.find(mapping, Key::String(key)).is_none());
        found.extend(lacking.map(|mapping| Missing { mapping, tagged: node, key, default }));
    }
    found
}

/// Returns the content of a default that says nothing; `None` for other defaults.
fn empty(default: &str) -> Option<Content<'static>> {
    match default {
        "null" | "false" => Some(Content::Scalar(if default == "null" { "null" } else { "false" }, Style::Plain)),
        "\"\"" => Some(Content::Scalar("", Style::Automatic)),
        "{}" => Some(Content::Mapping(Style::Flow)),
        _ => None,
    }
}

/// Returns the content of a default, which is JSON.
fn written(default: &'static str) -> Content<'static> {
    let text = default.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match (default, text) {
        (_, Some(text)) => Content::Scalar(text, Style::Automatic),
        ("{}", _) => Content::Mapping(Style::Flow),
        ("Infinity", _) => Content::Scalar(".inf", Style::Plain),
        ("-Infinity", _) => Content::Scalar("-.inf", Style::Plain),
        _ => Content::Scalar(default, Style::Plain),
    }
}

/// Returns the mappings at a path of keys, in which `*` stands for all items of a sequence. References are not
/// followed: readers add no keys to them, and the node that they lead to has its own tag.
fn mappings_at(tree: &Tree, node: NodeId, path: Option<&str>) -> Vec<NodeId> {
    let mut nodes = vec![tree.dealias(node)];
    for part in path.into_iter().flat_map(|path| path.split('/')) {
        let below = |node: NodeId| match (tree.kind(node), part) {
            (Kind::Sequence, "*") if tree.plain_items(node).is_none() => tree.items(node).to_vec(),
            (Kind::Mapping, key) => tree.find(node, Key::String(key)).into_iter().collect(),
            _ => Vec::new(),
        };
        nodes = nodes.into_iter().filter(|&node| !is_reference(tree, node)).flat_map(below).collect();
        nodes.iter_mut().for_each(|node| *node = tree.dealias(*node));
    }
    nodes.retain(|&node| tree.kind(node) == Kind::Mapping && !is_reference(tree, node));
    nodes
}

fn is_reference(tree: &Tree, node: NodeId) -> bool {
    !matches!(tree.reference(node), Ok(None))
}

/// Returns true if a node is `top` or below it.
fn is_within(tree: &Tree, node: NodeId, top: NodeId) -> bool {
    let mut above = Some(node);
    for _ in 0..=MAX_PARENTS {
        let Some(node) = above else { break };
        if node == top {
            return true;
        }
        above = tree.parent(node);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{File, NewOptions, Node, OpenOptions};
    use std::sync::Arc;

    #[test]
    fn paths_are_short() {
        let parts = |defaults: &TagDefaults| defaults.keys.iter().map(|(path, _)| path.split('/').count()).max();
        let longest = SCHEMA_DEFAULTS.iter().filter_map(parts).max().unwrap();
        assert!((2..=MAX_PARENTS).contains(&longest));
    }

    fn opened(from: &str, text: &str) -> Node {
        let head = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n%TAG !a! tag:astropy.org:astropy/\n---";
        let text = format!("#ASDF 1.0.0\n#ASDF_STANDARD {from}\n{head}\n{text}\n...\n");
        File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
    }

    fn copied(from: &str, text: &str, path: &str, to: &str) -> Result<()> {
        let standard = StandardVersion::from_text(to).unwrap();
        let root = File::new(&NewOptions { standard, ..NewOptions::default() }).root().unwrap();
        let before = root.count("").unwrap();
        let result = root.copy_from("c/d", &opened(from, text).at(path).unwrap(), None);
        assert_eq!(root.count("").unwrap() > before, result.is_ok(), "a part was copied");
        result
    }

    #[test]
    fn nodes_that_readers_complete_are_refused() {
        let icrs = |ra: &str| format!("v: !a!coordinates/frames/icrs-1.0.0 {{ra: {ra}, dec: {{unit: deg}}}}");
        for (text, path, key, place) in [
            ("v: !transform/rotate3d-1.2.0 {phi: 1, psi: 2, theta: 3}", "v", "direction", "/v"),
            ("v: {w: [1, !transform/rotate3d-1.0.0 {phi: 1}]}", "v", "direction", "/v/w/1"),
            ("v: !transform/tabular-1.2.0 {method: linear}", "v", "bounds_error", "/v"),
            ("v: !transform/identity-1.0.0 {}", "v", "n_dims", "/v"),
            (&icrs("{value: 1, wrap_angle: 1}"), "v", "unit", "/v/ra"),
            (&icrs("{value: 1, unit: deg}"), "v/ra", "wrap_angle", "/v/ra"),
            ("v: !<tag:stsci.edu:gwcs/spectral_frame-1.0.0> {name: x}", "v", "reference_position", "/v"),
            ("a: &a {phi: 1}\nv: !transform/rotate3d-1.2.0 {<<: *a}", "v", "direction", "/v"),
        ] {
            for (from, to) in [("1.1.0", "1.6.0"), ("1.5.0", "1.7.0")] {
                let error = copied(from, text, path, to).unwrap_err();
                assert_eq!(error.status(), Status::Unsupported, "{text}");
                assert!(error.message().contains(&format!("the key '{key}' is missing")), "{error}");
                assert_eq!(error.location().path.as_deref(), Some(place), "{error}");
            }
            // Readers of both standards complete the node, or neither do.
            for (from, to) in [("1.1.0", "1.4.0"), ("1.6.0", "1.6.0"), ("1.6.0", "1.7.0")] {
                copied(from, text, path, to).unwrap();
            }
        }
    }

    #[test]
    fn nodes_that_only_new_readers_complete_are_refused() {
        let error = copied("1.6.0", "v: {w: !transform/rotate3d-1.4.0 {phi: 1}}", "v", "1.5.0").unwrap_err();
        assert_eq!((error.status(), error.location().path.as_deref()), (Status::Unsupported, Some("/v/w")), "{error}");
        assert!(error.message().contains("readers of standard 1.5.0 take"), "{error}");
        copied("1.6.0", "v: !transform/rotate3d-1.4.0 {direction: zxz}", "v", "1.5.0").unwrap();
        copied("1.6.0", "v: !table/table-1.2.0 {columns: []}", "v", "1.5.0").unwrap();
        // Readers of standard 1.0.0 do not know the tag.
        copied("1.0.0", "v: !<tag:stsci.edu:gwcs/spectral_frame-1.0.0> {name: x}", "v", "1.6.0").unwrap();
    }

    #[test]
    fn empty_defaults_are_written_into_the_copy() {
        for (node, expected) in [
            ("!core/column-1.0.0 {name: a}", "!core/column-1.0.0 {name: a, description: '', meta: {}}"),
            ("!core/table-1.0.0 {meta: {x: 1}}", "!core/table-1.0.0 {meta: {x: 1}}"),
            ("!a!table/table-1.1.0 {columns: []}", "!a!table/table-1.1.0 {columns: [], meta: {}, qtable: false}"),
            ("!fits/fits-1.0.0 [{header: []}, {data: 1}]", "!fits/fits-1.0.0 [{header: [], data: null}, {data: 1}]"),
            ("!<tag:stsci.edu:gwcs/step-1.0.0> {}", "!<tag:stsci.edu:gwcs/step-1.0.0> {transform: null}"),
        ] {
            let root = |to: &str| {
                let standard = StandardVersion::from_text(to).unwrap();
                File::new(&NewOptions { standard, ..NewOptions::default() }).root().unwrap()
            };
            for (to, expected) in [("1.6.0", expected), ("1.4.0", node)] {
                let [copy, whole] = [root(to), root(to)];
                copy.copy_from("v", &opened("1.5.0", &format!("v: {node}")).at("v").unwrap(), None).unwrap();
                whole.copy_from("v", &opened("1.5.0", &format!("v: {expected}")).at("v").unwrap(), None).unwrap();
                assert_eq!(copy.to_yaml("").unwrap(), whole.to_yaml("").unwrap());
            }
        }
    }

    #[test]
    fn complete_nodes_are_copied() {
        for (text, path) in [
            ("v: !transform/rotate3d-1.2.0 {phi: 1, direction: zxz}", "v"),
            ("v: !transform/rotate3d-1.2.0 {phi: 1, direction: null}", "v"),
            ("a: &a {direction: zxz}\nv: !transform/rotate3d-1.2.0 {<<: *a}", "v"),
            // Not a version with a schema for these standards, a node without the tag, not a mapping, a reference.
            ("v: !transform/rotate3d-1.9.0 {phi: 1}", "v"),
            ("v: {phi: 1, psi: 2}", "v"),
            ("v: !transform/rotate3d-1.2.0 [1, 2]", "v"),
            ("v: !fits/fits-1.0.0 [{$ref: '#/w'}, 1, [1, 2], {data: null}]\nw: {header: []}", "v"),
            // Only the copied part matters.
            ("v: !a!coordinates/frames/icrs-1.0.0 {ra: {value: 1}, dec: {unit: deg}}", "v/dec"),
            ("v: !a!coordinates/frames/icrs-1.0.0 {ra: {value: {x: 1}}}", "v/ra/value"),
            ("v: !transform/compose-1.2.0 {forward: [1, 2], x: !transform/rotate3d-1.0.0 {}}", "v/forward"),
        ] {
            copied("1.4.0", text, path, "1.6.0").unwrap();
        }
    }
}
