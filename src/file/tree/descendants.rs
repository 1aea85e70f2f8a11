//! The nodes below a node.

use crate::error::Result;
use crate::file::Node;
use crate::reserve;
use crate::tree::{Kind, NodeId, Tree, Walk};

/// Returns a node and all nodes below it, in the order of the file, that `accept` accepts. It gets the key of a value
/// of a mapping, and the tag. Aliases and references are not followed, so each node occurs once.
pub(crate) fn descendants(node: &Node, accept: impl Fn(Option<&str>, Option<&str>) -> bool) -> Result<Vec<Node>> {
    node.follow(Walk::to_node(""), |file, tree, start| {
        let mut found = Vec::new();
        let mut stack = vec![(start, None)];
        while let Some((node, key)) = stack.pop() {
            if accept(key.map(|key| tree.key(key).text()).as_deref(), tree.tag(node)) {
                reserve::push(&mut found, file.node(node))?;
            }
            push_children(tree, node, &mut stack)?;
        }
        Ok(found)
    })
}

/// Pushes the children of a node, the first one last, with their keys in a mapping.
fn push_children(tree: &Tree, node: NodeId, stack: &mut Vec<(NodeId, Option<NodeId>)>) -> Result<()> {
    let items = tree.try_items(node)?;
    match tree.kind(node) {
        Kind::Mapping => {
            let pairs = items.chunks_exact(2).rev().filter(|pair| !tree.is_merge_key(pair[0]));
            reserve::extend(stack, pairs.map(|pair| (pair[1], Some(pair[0]))))
        }
        _ => reserve::extend(stack, items.iter().rev().map(|&item| (item, None))),
    }
}
