//! Keys that a copied node leaves out although the schema of its tag has a default for them.
//!
//! Readers of standards up to 1.5.0 add such keys with their defaults; readers of later standards do not. So the same
//! text means something else in a copy of a later standard, and such a copy is refused. Defaults that say nothing, such
//! as an empty description, are written into the copy.

use super::schema_defaults::{SCHEMA_DEFAULTS, TagDefaults};
use crate::error::{Error, Result, Status};
use crate::tags::StandardVersion;
use crate::tree::edit::Content;
use crate::tree::{Key, Kind, NodeId, Style, Tree};

/// Maximum number of parents of a key in [`SCHEMA_DEFAULTS`], up to the node with the tag.
const MAX_PARENTS: usize = 4;

/// A key that is missing in a mapping.
struct Missing {
    mapping: NodeId,
    key: &'static str,
    default: &'static str,
}

/// Checks copies into a later standard, whose readers add no keys.
pub(super) struct SchemaKeys {
    from: StandardVersion,
    to: StandardVersion,
}

impl SchemaKeys {
    /// Returns `None` if readers of both standards add the same keys to a node with the same tag.
    pub(super) fn between(from: StandardVersion, to: StandardVersion) -> Option<SchemaKeys> {
        let adds_keys = |standard| standard <= StandardVersion::V1_5_0;
        (adds_keys(from) && !adds_keys(to)).then_some(SchemaKeys { from, to })
    }

    /// Fails with [`Status::Unsupported`] if a node of the source, or an untagged node below it, leaves out a key with a
    /// default that is not empty.
    pub(super) fn check(&self, tree: &Tree, node: NodeId) -> Result<()> {
        match missing(tree, node, |missing| empty(missing.default).is_none()) {
            Some(missing) => Err(tree.locate(self.refused(tree, node, &missing), missing.mapping)),
            None => Ok(()),
        }
    }

    /// Does the same for the nodes above a copied node: their schemas can reach into it.
    pub(super) fn check_above(&self, tree: &Tree, copied: NodeId) -> Result<()> {
        let mut above = tree.parent(copied);
        for _ in 0..MAX_PARENTS {
            let Some(node) = above else { break };
            let reaches =
                |missing: &Missing| empty(missing.default).is_none() && is_within(tree, missing.mapping, copied);
            if let Some(missing) = missing(tree, node, reaches) {
                return Err(tree.locate(self.refused(tree, node, &missing), missing.mapping));
            }
            above = tree.parent(node);
        }
        Ok(())
    }

    /// Adds missing keys with empty defaults to a copied node, which still has its tag of the source.
    pub(super) fn add_empty(&self, tree: &mut Tree, node: NodeId) {
        while let Some(Missing { mapping, key, default }) =
            missing(tree, node, |missing| empty(missing.default).is_some())
        {
            let Some(content) = empty(default) else { break };
            tree.append_pair(mapping, key, content);
        }
    }

    /// Adds all missing keys with their defaults to a node, which still has its tag of the source.
    pub(super) fn add_all(&self, tree: &mut Tree, node: NodeId) {
        while let Some(Missing { mapping, key, default }) = missing(tree, node, |_| true) {
            tree.append_pair(mapping, key, written(default));
        }
    }

    fn refused(&self, tree: &Tree, node: NodeId, missing: &Missing) -> Error {
        let message = format!(
            "the key '{}' is missing: with the tag '{}', readers of standard {} take {} for it, and readers of \
             standard {} do not; set the key before the copy",
            missing.key,
            tree.tag(node).unwrap_or_default(),
            self.from.as_str(),
            missing.default,
            self.to.as_str()
        );
        Error::new(Status::Unsupported, message)
    }
}

/// Returns the first missing key of a node with a tag that is accepted.
fn missing(tree: &Tree, node: NodeId, accepts: impl Fn(&Missing) -> bool) -> Option<Missing> {
    let (name, version) = tree.tag(node)?.rsplit_once('-')?;
    let has_tag = |known: &&TagDefaults| known.name == name && known.versions.contains(&version);
    let TagDefaults { keys, .. } = SCHEMA_DEFAULTS.iter().find(has_tag)?;
    keys.iter().find_map(|&(path, default)| {
        let (parents, key) = path.rsplit_once('/').map_or((None, path), |(parents, key)| (Some(parents), key));
        let lacking = mappings_at(tree, node, parents).into_iter();
        let lacking = lacking.filter(|&mapping| tree.find(mapping, Key::String(key)).is_none());
        lacking.map(|mapping| Missing { mapping, key, default }).find(|missing| accepts(missing))
    })
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
            for (from, to) in [("1.0.0", "1.6.0"), ("1.5.0", "1.7.0")] {
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
