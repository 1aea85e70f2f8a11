//! Arrays whose stored bytes are equal. They are equal without decoding.

use crate::core::call::check_interrupt;
use crate::core::failure::Result;
use crate::core::value;
use asdfkit::array::{Array, ArraySource};
use asdfkit::codec::Label;
use asdfkit::file::{BlockInfo, File, Node};
use asdfkit::{Error, Status};
use serde_json::Value;

/// Largest block that is compared in memory. Larger ones are compared as elements, piece by piece.
const LARGEST: u64 = 256 << 20;

/// Returns true if two arrays have one description, and blocks with the same compressed bytes.
///
/// Blocks that are not compressed are compared as elements, which costs the same.
pub(super) fn are_same(nodes: [&Node; 2], arrays: [&Array; 2]) -> Result<bool> {
    let [Some((old, first)), Some((new, second))] = [block(arrays[0])?, block(arrays[1])?] else { return Ok(false) };
    let [Some(one), Some(other)] = [Error::readable(old.block(first))?, Error::readable(new.block(second))?] else {
        return Ok(false);
    };
    let (Some(described), other_described) = (description(nodes[0])?, description(nodes[1])?) else { return Ok(false) };
    if !are_alike(&one, &other) || other_described.as_ref() != Some(&described) {
        return Ok(false);
    }
    let (Some(left), Some(right)) = (stored(&old, first, &one)?, stored(&new, second, &other)?) else {
        return Ok(false);
    };
    check_interrupt()?;
    Ok(left == right)
}

/// Returns the file and the number of the block of an array; `None` for other arrays.
fn block(array: &Array) -> Result<Option<(File, i64)>> {
    match array.source() {
        Some(ArraySource::Block(index)) => Ok(Error::readable(array.data_file())?.map(|file| (file, *index))),
        _ => Ok(None),
    }
}

fn are_alike(one: &BlockInfo, other: &BlockInfo) -> bool {
    one.compression != Label::NONE
        && one.compression == other.compression
        && one.decoded_size == other.decoded_size
        && one.stored_size == other.stored_size
        && one.stored_size.is_some_and(|size| size <= LARGEST)
}

/// Returns the node of an array without the number of its block; nothing for an array with a mask, which has a block of
/// its own.
fn description(node: &Node) -> Result<Option<Value>> {
    let mut described = value::of_node(node)?;
    let Some(keys) = described.as_object_mut() else { return Ok(None) };
    keys.remove("source");
    Ok(if keys.contains_key("mask") { None } else { Some(described) })
}

/// Returns the bytes of a block as they are stored; `None` if they cannot be read.
fn stored(file: &File, index: i64, block: &BlockInfo) -> Result<Option<Vec<u8>>> {
    let size = block.stored_size.unwrap_or_default();
    let mut bytes = Vec::new();
    let reserved = usize::try_from(size).ok().and_then(|size| bytes.try_reserve_exact(size).ok().map(|()| size));
    let Some(size) = reserved else { return Err(Error::new(Status::OutOfMemory, "a block does not fit").into()) };
    bytes.resize(size, 0);
    Ok(Error::readable(file.read_stored_block(index, &mut bytes))?.map(|()| bytes))
}
