//! Values under keys of nodes.

use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::standard::units::node as unit;

/// Returns the node under a key; `None` if it is missing or null.
pub(super) fn optional(node: &Node, key: &str) -> Result<Option<Node>> {
    match node.at(key) {
        Ok(found) if found.node_type("")? == NodeType::Null => Ok(None),
        Ok(found) => Ok(Some(found)),
        Err(error) if error.status() == Status::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

pub(super) fn optional_text(node: &Node, key: &str) -> Result<Option<String>> {
    optional(node, key)?.map(|found| unit::plain_text(&found)).transpose()
}

/// Returns the node under a key. Fails with [`Status::TagContent`] if it is missing or null.
pub(super) fn required(node: &Node, key: &str) -> Result<Node> {
    optional(node, key)?.ok_or_else(|| {
        let message = format!("the node has no key '{key}', which its tag requires");
        node.locate(Error::new(Status::TagContent, message))
    })
}

/// Returns the text under a key, if it is text.
pub(super) fn text(mapping: &Node, key: &str) -> Result<Option<String>> {
    if mapping.node_type("")? != NodeType::Mapping || !mapping.exists(key)? {
        return Ok(None);
    }
    let value = mapping.at(key)?;
    match value.node_type("")? {
        NodeType::String => value.text("").map(Some),
        _ => Ok(None),
    }
}
