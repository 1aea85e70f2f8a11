//! Reads everything in a file and collects the errors.

use asdfkit::Error;
use asdfkit::array::{Array, Datatype};
use asdfkit::file::{File, Node, NodeType};
use asdfkit::source::try_zeroed;
use std::collections::HashSet;

/// An error at a place in the tree.
pub(crate) struct Failure {
    pub(crate) at: String,
    pub(crate) error: Error,
}

/// Reads every value and every array below the root.
pub(crate) fn touch(file: &File) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut pending = Vec::new();
    let mut seen = HashSet::new();
    match file.root() {
        Ok(root) => pending.push((root, String::new())),
        Err(error) => failures.push(Failure { at: String::new(), error }),
    }
    while let Some((node, at)) = pending.pop() {
        if let Err(error) = touch_one(&node, &at, &mut seen, &mut pending) {
            failures.push(Failure { at, error });
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
                pending.push((node.item("", index)?, format!("{at}/{index}")));
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

/// Returns the elements of an array in their stored datatype and native byte order, and its mask.
pub(crate) fn read(array: &Array) -> Result<(Vec<u8>, Vec<u8>), Error> {
    read_as(array, array.datatype())
}

/// Returns the elements of an array in a datatype and native byte order. Missing elements have their stored values.
/// Also returns a byte for each element (1 if missing) if the array has a mask.
pub(crate) fn read_as(array: &Array, datatype: &Datatype) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let room = |size: u64| try_zeroed(usize::try_from(size).unwrap_or(usize::MAX));
    let mut elements = room(array.byte_size(datatype)?)?;
    if !array.is_masked() {
        array.read(datatype, &mut elements, &Default::default())?;
        return Ok((elements, Vec::new()));
    }
    let mut mask = room(array.element_count().unsigned_abs())?;
    array.read_masked(None, datatype, &mut elements, &mut mask, &Default::default())?;
    Ok((elements, mask))
}

/// Returns whether a node has this tag of the standard, in any version.
pub(crate) fn is_core(node: &Node, name: &str) -> Result<bool, Error> {
    let tag = node.tag("")?.unwrap_or_default();
    Ok(tag
        .strip_prefix("tag:stsci.edu:asdf/core/")
        .and_then(|tag| tag.rsplit_once('-'))
        .is_some_and(|(n, _)| n == name))
}
