//! Removes entries of astropy's `__serialized_columns__` whose columns a table does not have.

use super::memory::build::copied;
use super::serialized::{entries, references};
use crate::error::Result;
use crate::file::Node;
use crate::tree::{Kind, NodeId, Tree};
use std::collections::{HashMap, HashSet};

/// Returns the metadata of a table with these columns, without the entries that refer to others. Returns `None` if
/// nothing remains. The metadata are copied if there are such entries.
pub(super) fn pruned(meta: &Node, names: &HashSet<&str>) -> Result<Option<Node>> {
    if meta.in_tree(|tree, meta| dangling(tree, meta, names).is_empty())? {
        return Ok(Some(meta.clone()));
    }
    let copy = copied(meta)?;
    let root = copy.file().root()?;
    for path in
        copy.in_tree(|tree, meta| dangling(tree, meta, names).iter().map(|&id| tree.path(id)).collect::<Vec<_>>())?
    {
        root.remove(&path)?;
    }
    if let Some(path) = copy.in_tree(|tree, meta| empty_entries(tree, meta).map(|id| tree.path(id)))? {
        root.remove(&path)?;
    }
    Ok(if copy.count("")? > 0 { Some(copy) } else { None })
}

/// Removes the entries that refer, at any depth, to a column that the table does not have.
pub(super) fn prune(tree: &mut Tree, meta: NodeId, names: &HashSet<&str>) -> Result<()> {
    let dangling = dangling(tree, meta, names);
    for &entry in &dangling {
        tree.remove(entry)?;
    }
    match empty_entries(tree, meta).filter(|_| !dangling.is_empty()) {
        Some(place) => tree.remove(place),
        None => Ok(()),
    }
}

/// Returns the entries that refer, at any depth, to a column that the table does not have.
fn dangling(tree: &Tree, meta: NodeId, names: &HashSet<&str>) -> Vec<NodeId> {
    let Some(entries) = entries(tree, meta) else { return Vec::new() };
    let references = references(tree).filter(|(_, name)| !names.contains(name));
    let affected = with_ancestors(tree, references.map(|(reference, _)| reference).collect());
    let pairs = tree.pairs(entries).chunks_exact(2);
    pairs.filter(|pair| affected.contains(&tree.dealias(pair[1]))).map(|pair| pair[1]).collect()
}

/// Returns the node to remove if there is no entry: their mapping. In an ordered mapping that is written as a list, it
/// is the whole item.
pub(super) fn empty_entries(tree: &Tree, meta: NodeId) -> Option<NodeId> {
    let entries = entries(tree, meta).filter(|&entries| tree.pairs(entries).is_empty())?;
    let item = tree.parent(entries).filter(|&parent| tree.dealias(meta) != parent && tree.pairs(parent).len() == 2);
    Some(item.unwrap_or(entries))
}

/// Returns these nodes, and all nodes that contain them, directly or by an alias.
fn with_ancestors(tree: &Tree, nodes: Vec<NodeId>) -> HashSet<NodeId> {
    let mut aliases: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for alias in tree.live_nodes().filter(|&id| tree.kind(id) == Kind::Alias) {
        aliases.entry(tree.dealias(alias)).or_default().push(alias);
    }
    let mut found = HashSet::new();
    let mut left = nodes;
    while let Some(node) = left.pop() {
        if found.insert(node) {
            left.extend(tree.parent(node));
            left.extend(aliases.get(&node).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::table::serialized::COLUMN_TAG;
    use crate::yaml::{self, EmitOptions};

    fn read(meta: &str) -> (Tree, NodeId) {
        let tree = yaml::parse(format!("meta: {meta}\n"), 0, 1, &Limits::default()).unwrap().tree;
        let meta = tree.lookup(tree.root(), "meta").unwrap();
        (tree, meta)
    }

    fn written(tree: &Tree) -> String {
        let mut out = String::new();
        yaml::emit_lines(tree, &mut out, &EmitOptions::default()).unwrap();
        out
    }

    #[test]
    fn entries_without_their_columns_are_removed() {
        let reference = |name: &str| format!("!<{COLUMN_TAG}> {{name: {name}}}");
        let nested = format!("!<{COLUMN_TAG}> {{__class__: X, value: &b {}}}", reference("b"));
        let text = format!(
            "!!omap\n- k: 1\n- __serialized_columns__: {{t: {{v: {}, w: {nested}}}, u: {{x: [*b]}}, c: {{v: {}}}}}",
            reference("a"),
            reference("a"),
        );
        let (mut tree, meta) = read(&text);
        let before = written(&tree);
        prune(&mut tree, meta, &HashSet::from(["a", "b"])).unwrap();
        assert_eq!(written(&tree), before);
        prune(&mut tree, meta, &HashSet::from(["a"])).unwrap();
        let left = "{c: {v: !astropy.table.SerializedColumn {name: a}}}";
        assert_eq!(written(&tree), format!("meta: !!omap\n- k: 1\n- __serialized_columns__: {left}\n"));
        prune(&mut tree, meta, &HashSet::new()).unwrap();
        assert_eq!(written(&tree), "meta: !!omap\n- k: 1\n");
    }
}
