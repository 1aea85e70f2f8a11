//! Touches everything in a file, as a program would that reads all of it, and collects what fails.

use asdfkit::Error;
use asdfkit::array::Datatype;
use asdfkit::file::{File, Node, NodeArray, NodeType};
use asdfkit::source::try_zeroed;
use std::collections::HashSet;

/// An error at a place in the tree, and whether that place needs what the library does not do yet.
pub(crate) struct Failure {
    pub(crate) at: String,
    pub(crate) error: Error,
    pub(crate) needs_more: bool,
}

/// Reads every value and every array below the root.
pub(crate) fn touch(file: &File) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut pending = Vec::new();
    let mut seen = HashSet::new();
    match file.root() {
        Ok(root) => pending.push((root, String::new())),
        Err(error) => failures.push(Failure { at: String::new(), error, needs_more: false }),
    }
    while let Some((node, at)) = pending.pop() {
        if let Err(error) = touch_one(&node, &at, &mut seen, &mut pending) {
            let needs_more = needs_more(&node);
            failures.push(Failure { at, error, needs_more });
        }
    }
    failures
}

fn touch_one(node: &Node, at: &str, seen: &mut HashSet<u64>, pending: &mut Vec<(Node, String)>) -> Result<(), Error> {
    if !seen.insert(node.identity("")?) {
        return Ok(());
    }
    if node.is_array("")? {
        return read(&node.array("")?).map(drop);
    }
    if is_core(node, "complex")? {
        return node.complex("").map(drop);
    }
    if is_core(node, "integer")? {
        return node.integer("").map(drop);
    }
    match node.node_type("")? {
        NodeType::Sequence | NodeType::Mapping => {
            for index in 0..node.count("")? {
                pending.push((node.item(index)?, format!("{at}/{index}")));
            }
            Ok(())
        }
        NodeType::Bool => node.bool("").map(drop),
        NodeType::Integer => node.integer("").map(drop),
        NodeType::Float => node.f64("").map(drop),
        NodeType::Binary => node.binary("").map(drop),
        NodeType::String | NodeType::Timestamp => node.string("").map(drop),
        _ => Ok(()),
    }
}

/// The elements of an array in the datatype they are stored in and the byte order of this machine.
pub(crate) fn read(array: &NodeArray) -> Result<Vec<u8>, Error> {
    read_as(array, array.datatype())
}

/// The elements of an array in a datatype and the byte order of this machine.
pub(crate) fn read_as(array: &NodeArray, datatype: &Datatype) -> Result<Vec<u8>, Error> {
    let size = array.byte_size(datatype)?;
    let mut elements = try_zeroed(usize::try_from(size).unwrap_or(usize::MAX))?;
    array.read(datatype, &mut elements, &Default::default())?;
    Ok(elements)
}

/// Whether a node has this tag of the standard, in any version.
pub(crate) fn is_core(node: &Node, name: &str) -> Result<bool, Error> {
    let tag = node.tag("")?.unwrap_or_default();
    Ok(tag
        .strip_prefix("tag:stsci.edu:asdf/core/")
        .and_then(|tag| tag.rsplit_once('-'))
        .is_some_and(|(n, _)| n == name))
}

/// Whether what stands at a place needs masks.
pub(crate) fn needs_more(node: &Node) -> bool {
    node.get("mask").is_ok()
}
