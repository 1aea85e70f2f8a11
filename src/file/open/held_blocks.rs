//! Nodes of unknown tags with data in blocks, which a copy of the nodes would lose.

use super::named_blocks::{block_source, for_each_node, integers, is_chunked_tag, may_name_block};
use crate::error::{Error, Result, Status};
use crate::file::blocks::{BlockStore, number_of};
use crate::reserve;
use crate::tags::{self, STANDARD_TAGS, versions};
use crate::tree::{Key, Kind, NodeId, Tree};
use std::collections::BTreeSet;

/// A key in a node of an unknown tag, with integers that may be block numbers.
struct Candidate {
    mapping: NodeId,
    key: String,
    numbers: Vec<i64>,
}

/// Returns the keys of a mapping whose integers may be block numbers, if its tag, or the next tag above it, belongs to
/// an unknown extension.
fn candidates(tree: &Tree, mapping: NodeId) -> Result<Vec<Candidate>> {
    if tree.kind(mapping) != Kind::Mapping {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for pair in tree.pairs(mapping).chunks_exact(2) {
        let &[key, value] = pair else { continue };
        let Key::String(key) = tree.key(key) else { continue };
        if may_name_block(key) {
            let numbers = integers(tree, value)?;
            if !numbers.is_empty() {
                found.push(Candidate { mapping, key: key.to_owned(), numbers });
            }
        }
    }
    if found.is_empty() || !nearest_tag(tree, mapping).is_some_and(is_of_unknown_extension) {
        found.clear();
    }
    Ok(found)
}

/// Returns the tag of a node, or of the nearest node above it that has one.
fn nearest_tag(tree: &Tree, node: NodeId) -> Option<&str> {
    std::iter::successors(Some(node), |&node| tree.parent(node)).find_map(|node| tree.tag(node))
}

/// Returns whether a tag belongs to an extension whose nodes may name blocks in ways that are not known.
pub(crate) fn is_of_unknown_extension(tag: &str) -> bool {
    let is_standard = tags::name_of(tag)
        .is_some_and(|name| versions(STANDARD_TAGS, name).is_some() || name.starts_with(tags::TRANSFORM));
    // A copy of a chunked array copies its blocks.
    !is_standard && !is_chunked_tag(tag) && !tags::WITHOUT_BLOCKS.iter().any(|prefix| tag.starts_with(prefix))
}

/// Returns the numbers of the blocks that arrays name.
fn blocks_of_arrays(tree: &Tree, count: u64) -> Result<BTreeSet<u64>> {
    let mut named = BTreeSet::new();
    for_each_node(tree, |id| {
        named.extend(block_source(tree, id).and_then(|(_, index)| number_of(index, count)));
        Ok(())
    })?;
    Ok(named)
}

/// Fails with [`Status::Unsupported`] if one of these nodes has data in blocks that no array names: a copy of the
/// nodes would lose the blocks.
pub(crate) fn check_held_blocks(tree: &Tree, store: &BlockStore, nodes: impl Iterator<Item = NodeId>) -> Result<()> {
    let mut found = Vec::new();
    for node in nodes {
        reserve::extend(&mut found, candidates(tree, node)?)?;
    }
    if found.is_empty() {
        return Ok(());
    }
    let count = store.count()?;
    let named = blocks_of_arrays(tree, count)?;
    let is_lost =
        |&index: &i64| number_of(index, count).is_some_and(|number| number < count && !named.contains(&number));
    match found.iter().find(|candidate| candidate.numbers.iter().any(is_lost)) {
        Some(candidate) => Err(refused(tree, candidate.mapping, &candidate.key)),
        None => Ok(()),
    }
}

fn refused(tree: &Tree, node: NodeId, key: &str) -> Error {
    let tag = nearest_tag(tree, node).unwrap_or_default();
    let message = format!(
        "the node has data in blocks that no array names (key '{key}', tag '{tag}'), which cannot be copied; a copy of \
         the whole file keeps them"
    );
    tree.locate(Error::new(Status::Unsupported, message), node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{ChunkBlocks, File, NewOptions, OpenOptions, WriteOptions};
    use std::path::PathBuf;
    use std::sync::Arc;

    fn sample() -> PathBuf {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/reports/zarr_internal.asdf"))
    }

    fn opened() -> File {
        File::open(sample()).unwrap()
    }

    /// Returns the file with the first occurrence of a text replaced by one of the same length.
    fn changed(from: &str, to: &str) -> File {
        assert_eq!(from.len(), to.len());
        let mut bytes = std::fs::read(sample()).unwrap();
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap()
    }

    /// Returns a file with three blocks, whose array uses the first one, and a node `n` of this text.
    fn with_node(text: &str) -> File {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        for key in ["a", "b", "c"] {
            root.set_array(key, &[1_u8, 2, 3], [3]).unwrap();
        }
        let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
        let at = |part: &[u8]| bytes.windows(part.len()).position(|found| found == part).unwrap();
        let (from, to) = (at(b"\nb:") + 1, at(b"..."));
        let changed = [&bytes[..from], format!("n: {text}\n").as_bytes(), &bytes[to..]].concat();
        File::open_memory(Arc::new(changed), &OpenOptions::default()).unwrap()
    }

    fn copied(file: &File, path: &str) -> Result<()> {
        let target = File::new(&NewOptions::default()).root().unwrap();
        target.copy_from("copy", &file.root().unwrap().at(path).unwrap(), None)
    }

    #[test]
    fn chunks_are_found() {
        let node = opened().root().unwrap().at("z").unwrap();
        let expected = ChunkBlocks { map: 4, chunks: vec![Some(1), Some(0), Some(3), Some(2)] };
        assert_eq!(node.chunk_blocks("").unwrap(), Some(expected));
        assert_eq!(opened().unused_blocks().unwrap(), []);
        assert_eq!(opened().root().unwrap().chunk_blocks("b").unwrap(), None);
        for (from, to, status) in [
            ("block_map: 4", "block_map: 9", Status::BlockNotFound),
            ("block_map: 4", "block_map: 5", Status::BadArray),
            ("shape: [8, 8]", "shape: [9, 8]", Status::BadArray),
        ] {
            let error = changed(from, to).root().unwrap().chunk_blocks("z").unwrap_err();
            assert_eq!((error.status(), error.location().path.as_deref()), (status, Some("/z")), "{error}");
        }
        assert_eq!(changed("zarr-1.0.0>", "zorr-1.0.0>").unused_blocks().unwrap(), [0, 1, 2, 3]);
    }

    #[test]
    fn a_copy_that_would_lose_blocks_is_refused() {
        for lost in ["{block_index: 2}", "{source: 1}", "{Blocks: [0, -1]}", "{x: [{data_block: 2}]}"] {
            let file = with_node(&format!("!<asdf://x.org/y-1.0.0> {lost}"));
            assert_eq!(file.unused_blocks().unwrap().len(), 1, "{lost}");
            assert_eq!(copied(&file, "n").unwrap_err().status(), Status::Unsupported, "{lost}");
            assert_eq!(copied(&file, "").unwrap_err().status(), Status::Unsupported, "{lost}");
        }
    }

    #[test]
    fn other_nodes_are_copied() {
        for node in [
            "{block_index: 2, source: 1}",
            "!<asdf://x.org/y-1.0.0> {block_index: 7, source: 0, index: 2}",
            "!<asdf://stsci.edu/datamodels/roman/tags/z-1.0.0> {block: 2}",
            "!<tag:stsci.edu:asdf/core/software-1.0.0> {name: x, source: 1}",
            "!<asdf://asdf-format.org/zarr/tags/zarr-1.0.0> {store: {path: x}}",
        ] {
            copied(&with_node(node), "n").unwrap();
        }
        // Within a file, the number keeps its meaning.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        std::fs::copy(sample(), &path).unwrap();
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        let root = file.root().unwrap();
        root.copy_from("again", &root.at("z").unwrap(), None).unwrap();
        file.save(&WriteOptions::default()).unwrap();
        assert_eq!(root.chunk_blocks("again").unwrap().unwrap().map, 4);
    }

    #[test]
    fn rewritten_files_keep_the_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let chunks_of = |path: &std::path::Path| {
            let file = File::open(path).unwrap();
            let blocks = file.root().unwrap().chunk_blocks("z").unwrap().unwrap();
            let read = |number: &Option<u64>| {
                let number = number.unwrap() as i64;
                let mut bytes = vec![0; file.block(number).unwrap().decoded_size as usize];
                file.read_decoded_block(number, &mut bytes).unwrap();
                bytes
            };
            blocks.chunks.iter().map(read).collect::<Vec<_>>()
        };
        let expected = chunks_of(&sample());
        for map in ["block_map: 4", "block_map: -2"] {
            let path = folder.path().join(format!("from{}.asdf", map.len()));
            let mut text = std::fs::read(sample()).unwrap();
            let at = text.windows(12).position(|part| part == b"block_map: 4").unwrap();
            text.splice(at..at + 12, map.bytes());
            std::fs::write(&path, text).unwrap();
            assert_eq!(chunks_of(&path), expected);
            let file = File::open(&path).unwrap();
            let options = WriteOptions { replace: true, ..WriteOptions::default() };
            let to = folder.path().join("to.asdf");
            file.explode(&to, &options).unwrap();
            assert_eq!(chunks_of(&to), expected);
            file.implode(&to, &options).unwrap();
            assert_eq!(chunks_of(&to), expected);
            file.write(&to, &options).unwrap();
            assert_eq!(chunks_of(&to), expected);
            // New arrays, a removed array, compaction.
            let file = File::open_for_update(&to, &OpenOptions::default()).unwrap();
            let root = file.root().unwrap();
            root.set_array("new", &[1_u8, 2, 3], [3]).unwrap();
            root.remove("b").unwrap();
            file.save(&options).unwrap();
            assert_eq!(chunks_of(&to), expected);
            root.remove("new").unwrap();
            file.compact(&options).unwrap();
            assert_eq!(chunks_of(&to), expected);
        }
    }
}
