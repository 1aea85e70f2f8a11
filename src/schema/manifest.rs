//! Manifests: which schemas belong to a tag, and for which versions of the standard.

use crate::tags::StandardVersion;
use crate::tree::{Key, Kind, NodeId, Scalar, Tree};
use foldhash::HashMap;

/// The tags of all manifests.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifests {
    requirements: Vec<Requirement>,
    tags: HashMap<Box<str>, Vec<Entry>>,
}

/// A tag in a manifest.
#[derive(Clone, Debug)]
struct Entry {
    /// Index of the requirement of the manifest.
    requirement: usize,
    schemas: Vec<Box<str>>,
}

/// The versions of the standard for which a manifest holds.
#[derive(Clone, Debug, Default)]
struct Requirement {
    exact: Option<Version>,
    bounds: Vec<(Bound, Version)>,
}

/// Parts of a version; missing ones are 0.
type Version = [u64; 3];

#[derive(Clone, Copy, Debug)]
enum Bound {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

/// Returns whether a text is that of a manifest.
pub(super) fn is_manifest(text: &str) -> bool {
    let has = |key: &str| text.lines().any(|line| line.starts_with(key));
    has("extension_uri:") && has("tags:")
}

impl Manifests {
    /// Adds a manifest.
    pub(super) fn add(&mut self, tree: &Tree) {
        let get = |node, key| tree.find(node, Key::String(key)).map(|value| tree.dealias(value));
        let root = tree.root();
        let requirement = get(root, "asdf_standard_requirement").map(|node| Requirement::of(tree, node));
        self.requirements.push(requirement.unwrap_or_default());
        let Some(tags) = get(root, "tags") else { return };
        for item in tree.items(tags) {
            let item = tree.dealias(*item);
            let Some(tag) = get(item, "tag_uri").and_then(|tag| string(tree, tag)) else { continue };
            let schemas = match get(item, "schema_uri") {
                Some(list) if tree.kind(list) == Kind::Sequence => tree.items(list).to_vec(),
                single => single.into_iter().collect(),
            };
            let schemas =
                schemas.into_iter().filter_map(|uri| string(tree, tree.dealias(uri))).map(Box::from).collect();
            let entry = Entry { requirement: self.requirements.len() - 1, schemas };
            self.tags.entry(Box::from(tag)).or_default().push(entry);
        }
    }

    /// Returns the URIs of the schemas of a tag in a file of this version of the standard.
    pub(super) fn schemas_of(&self, tag: &str, standard: StandardVersion) -> &[Box<str>] {
        let entries = self.tags.get(tag).map_or(&[][..], Vec::as_slice);
        let holds = |entry: &&Entry| {
            self.requirements.get(entry.requirement).is_none_or(|requirement| requirement.holds(standard))
        };
        entries.iter().find(holds).map_or(&[], |entry| &entry.schemas)
    }
}

fn string(tree: &Tree, node: NodeId) -> Option<&str> {
    match (tree.kind(node), tree.scalar(node)) {
        (Kind::Scalar, Ok(Scalar::String(text))) => Some(text),
        _ => None,
    }
}

impl Requirement {
    fn of(tree: &Tree, node: NodeId) -> Requirement {
        if tree.kind(node) == Kind::Scalar {
            return Requirement { exact: version(tree.text(node)), bounds: Vec::new() };
        }
        let bound = |pair: &[NodeId]| {
            let bound = match tree.text(tree.dealias(*pair.first()?)) {
                "gt" => Bound::Greater,
                "gte" => Bound::GreaterOrEqual,
                "lt" => Bound::Less,
                "lte" => Bound::LessOrEqual,
                _ => return None,
            };
            Some((bound, version(tree.text(tree.dealias(*pair.get(1)?)))?))
        };
        Requirement { exact: None, bounds: tree.pairs(node).chunks_exact(2).filter_map(bound).collect() }
    }

    fn holds(&self, standard: StandardVersion) -> bool {
        let Some(version) = version(standard.as_str()) else { return true };
        let within = |(bound, limit): &(Bound, Version)| match bound {
            Bound::Greater => version > *limit,
            Bound::GreaterOrEqual => version >= *limit,
            Bound::Less => version < *limit,
            Bound::LessOrEqual => version <= *limit,
        };
        self.exact.is_none_or(|exact| exact == version) && self.bounds.iter().all(within)
    }
}

fn version(text: &str) -> Option<Version> {
    let mut version = [0; 3];
    let mut places = version.iter_mut();
    for part in text.split('.') {
        *places.next()? = part.parse().ok()?;
    }
    Some(version)
}
