//! The arrays of a tree, with the names that they have in references.

use crate::error::Result;
use crate::file::{Node, NodeKey, NodeType};
use crate::reserve;
use crate::standard::NodeKind;

/// An array of a tree.
pub(super) struct FoundArray {
    pub(super) node: Node,
    /// The collection that holds the node; `None` for the root.
    pub(super) parent: Option<Node>,
    pub(super) path: String,
    pub(super) names: Vec<String>,
    /// True for a column of a table.
    pub(super) is_column: bool,
}

/// Returns the arrays at and below the node of a path, in the order of the tree. Arrays inside others, and parts of trees that aliases name a
/// second time, are not entered.
pub(super) fn arrays_below(root: &Node, path: &str) -> Result<Vec<FoundArray>> {
    let path = path.trim_start_matches('/');
    let start = FoundArray {
        node: root.at(path)?,
        parent: None,
        path: if path.is_empty() { String::new() } else { format!("/{path}") },
        names: Vec::new(),
        is_column: false,
    };
    let mut found = Vec::new();
    let mut entered = std::collections::BTreeSet::new();
    let mut open = vec![start];
    while let Some(place) = open.pop() {
        let kind = place.node.kind("")?;
        match kind {
            NodeKind::Array => reserve::push(&mut found, place)?,
            NodeKind::Column if place.node.is_array("data").unwrap_or(false) => {
                let column = FoundArray { is_column: true, node: place.node.at("data")?, ..place };
                reserve::push(&mut found, column)?;
            }
            NodeKind::Quantity if place.node.is_array("value").unwrap_or(false) => reserve::push(&mut found, place)?,
            NodeKind::Reference | NodeKind::NumberList => {}
            _ => {
                let is_mapping = match place.node.node_type("")? {
                    NodeType::Mapping => true,
                    NodeType::Sequence => false,
                    _ => continue,
                };
                if entered.insert(place.node.identity("")?) {
                    let children = children(&place, is_mapping)?;
                    reserve::extend(&mut open, children.into_iter().rev())?;
                }
            }
        }
    }
    // The root itself is an array.
    if let [FoundArray { names, .. }] = &mut found[..]
        && names.is_empty()
    {
        names.push(zarr_name(path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("array")));
    }
    Ok(found)
}

fn children(place: &FoundArray, is_mapping: bool) -> Result<Vec<FoundArray>> {
    let mut children = Vec::new();
    let mut used = std::collections::BTreeSet::new();
    let mut add = |node: Node, step: String, name: String| {
        let name = if used.insert(name.clone()) { name } else { step.clone() };
        used.insert(name.clone());
        let mut names = place.names.clone();
        names.push(zarr_name(&name));
        let escaped = step.replace('~', "~0").replace('/', "~1");
        let path = format!("{}/{escaped}", place.path);
        let found = FoundArray { node, parent: Some(place.node.clone()), path, names, is_column: false };
        reserve::push(&mut children, found)
    };
    if is_mapping {
        for (key, node) in place.node.pairs()? {
            let key = match key {
                NodeKey::String(key) => key,
                NodeKey::Integer(number) => number.to_string(),
                _ => continue,
            };
            add(node, key.clone(), key)?;
        }
        return Ok(children);
    }
    for (index, node) in place.node.children()?.enumerate() {
        let step = index.to_string();
        // Columns are known by their names.
        let name = match node.kind("")? {
            NodeKind::Column => node.string("name").unwrap_or_else(|_| step.clone()),
            _ => step.clone(),
        };
        add(node, step, name)?;
    }
    Ok(children)
}

/// Returns the name of a group or an array. Slashes, and points and underscores at the start, have a meaning for zarr.
fn zarr_name(key: &str) -> String {
    let name = key.replace('%', "%25").replace('/', "%2F");
    match name.as_bytes() {
        [] => "%00".to_owned(),
        [b'.', ..] => format!("%2E{}", &name[1..]),
        [b'_', b'_', ..] => format!("%5F{}", &name[1..]),
        _ => name,
    }
}
