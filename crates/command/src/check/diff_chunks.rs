//! Differences between the chunks of two chunked arrays, block by block.

use super::difference::{Difference, Differences};
use crate::core::call::check_interrupt;
use crate::core::failure::Result;
use crate::core::size::count;
use asdfkit::Error;
use asdfkit::file::{ChunkBlocks, File, Node};
use asdfkit::report::Operation;

/// Key of a chunked array whose value differs between equal arrays: a block number.
pub(super) const MAP_KEY: &str = "chunk_block_map";

/// Adds the differences between the chunks of two nodes, if either is a chunked array.
///
/// The chunks are compared as they are decoded by the codec of ASDF. The block numbers do not matter.
pub(super) fn compare(path: &str, nodes: [&Node; 2], out: &mut Differences) -> Result<bool> {
    let mut sides = Vec::new();
    for node in nodes {
        match node.chunk_blocks("") {
            Ok(None) => return Ok(false),
            Ok(Some(blocks)) => sides.push(Ok(blocks)),
            Err(error) if error.is_of_machine() => return Err(error.into()),
            Err(error) => sides.push(Err(error)),
        }
    }
    let [old, new] = &sides[..] else { return Ok(false) };
    match (old, new) {
        (Ok(old), Ok(new)) => {
            let files = [nodes[0].file(), nodes[1].file()];
            if let Some(message) = difference(files, [old, new])? {
                out.add(Difference::new(Operation::Change, path, message));
            }
        }
        _ => {
            let text = |side: &std::result::Result<ChunkBlocks, Error>| match side {
                Ok(blocks) => count(blocks.chunks.len() as u64, "chunk"),
                Err(error) => format!("unreadable chunks ({})", error.message()),
            };
            let message = format!("{} -> {}", text(old), text(new));
            out.add(Difference::new(Operation::Change, path, message));
        }
    }
    Ok(true)
}

fn difference(files: [&File; 2], sides: [&ChunkBlocks; 2]) -> Result<Option<String>> {
    let [old, new] = sides;
    if old.chunks.len() != new.chunks.len() {
        let counts = [old.chunks.len() as u64, new.chunks.len() as u64].map(|number| count(number, "chunk"));
        return Ok(Some(format!("{} -> {}", counts[0], counts[1])));
    }
    let (mut differ, mut first) = (0, None);
    let mut bytes = [Vec::new(), Vec::new()];
    for (index, blocks) in old.chunks.iter().zip(&new.chunks).enumerate() {
        check_interrupt()?;
        let equal = match blocks {
            (None, None) => true,
            (Some(old), Some(new)) => {
                read(files[0], *old, &mut bytes[0])?;
                read(files[1], *new, &mut bytes[1])?;
                bytes[0] == bytes[1]
            }
            _ => false,
        };
        if !equal {
            differ += 1;
            first.get_or_insert(index);
        }
    }
    Ok(first
        .map(|first| format!("{} of {} differ, first chunk {first}", differ, count(old.chunks.len() as u64, "chunk"))))
}

/// Reads the decoded payload of a block.
fn read(file: &File, number: u64, bytes: &mut Vec<u8>) -> Result<()> {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let size = file.block(number)?.decoded_size;
    let size = usize::try_from(size).map_err(|_| Error::new(asdfkit::Status::OutOfMemory, "the chunk is too large"))?;
    bytes.clear();
    bytes.try_reserve_exact(size).map_err(|_| Error::new(asdfkit::Status::OutOfMemory, "the chunk is too large"))?;
    bytes.resize(size, 0);
    file.read_decoded_block(number, bytes)?;
    Ok(())
}
