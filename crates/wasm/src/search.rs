//! Search in a tree: the nodes whose key, value or tag holds a text.

use crate::answer::Answer;
use crate::opened::Opened;
use crate::request::Request;
use crate::tree::{facts, key_text, step};
use asdfkit::file::{Node, NodeType};
use asdfkit::{Error, Result};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Most nodes that one search looks at.
const VISITED: usize = 500_000;
/// Most nodes that one search finds.
const FOUND: usize = 200;

/// Finds nodes by a text, in any case of its letters. Tells whether all nodes were looked at.
pub(crate) fn find(opened: &Opened, request: &Request) -> Result<Answer> {
    let wanted = request.text("text")?.to_lowercase();
    let mut found: Vec<Value> = Vec::new();
    let mut stack: Vec<(Node, Option<String>, String)> = vec![(opened.file()?.root()?, None, String::new())];
    // An alias leads to a node that has been looked at, or is about to be.
    let mut seen = HashSet::new();
    let mut visited = 0;
    while let Some((node, key, path)) = stack.pop() {
        if visited == VISITED || found.len() == FOUND {
            return Ok(json!({"nodes": found, "isComplete": false}).into());
        }
        visited += 1;
        if let Some(key) = key
            && (contains(&key, &wanted) || Error::readable(holds(&node, &wanted))?.unwrap_or(false))
        {
            let mut known = facts(&node)?;
            known.insert("path".to_owned(), json!(path));
            known.insert("key".to_owned(), json!(key));
            found.push(Value::from(known));
        }
        let Some(children) = Error::readable(children(&node))?.filter(|children| !children.is_empty()) else {
            continue;
        };
        if seen.insert(node.identity("")?) {
            // The first child is the next one. Children that are not looked at take no memory here.
            let children = children.into_iter().take(VISITED - visited + 1);
            let first = stack.len();
            stack.extend(children.map(|(key, child)| {
                let child_path = format!("{path}/{}", step(&key));
                (child, Some(key), child_path)
            }));
            stack.get_mut(first..).unwrap_or_default().reverse();
        }
    }
    Ok(json!({"nodes": found, "isComplete": true}).into())
}

/// Returns whether a text holds another one, which has small letters, in any case.
fn contains(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(wanted)
}

/// Returns the children with their keys; none for a scalar and for the elements of an array.
fn children(node: &Node) -> Result<Vec<(String, Node)>> {
    Ok(match node.node_type("")? {
        NodeType::Mapping => node.pairs()?.map(|(key, child)| (key_text(&key), child)).collect(),
        NodeType::Sequence if !node.is_array("")? => {
            node.children()?.enumerate().map(|(index, child)| (index.to_string(), child)).collect()
        }
        _ => Vec::new(),
    })
}

/// Returns whether the tag or the value of a node holds a text.
fn holds(node: &Node, wanted: &str) -> Result<bool> {
    if node.tag("")?.is_some_and(|tag| contains(&tag, wanted)) {
        return Ok(true);
    }
    match node.node_type("")? {
        NodeType::Mapping | NodeType::Sequence | NodeType::Binary => Ok(false),
        _ => Ok(contains(&node.text("")?, wanted)),
    }
}
