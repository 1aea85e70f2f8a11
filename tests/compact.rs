//! Compacting: removed blocks, changed block numbers, and unchanged content.

use asdfkit::Status;
use asdfkit::array::ScalarType;
use asdfkit::file::{ArrayData, File, NewOptions, OpenOptions, SaveMode, WriteOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// A block of these bytes with slack after them.
fn block(payload: &[u8], slack: usize, flags: u32) -> Vec<u8> {
    let mut out = b"\xD3BLK\0\x30".to_vec();
    out.extend(flags.to_be_bytes());
    out.extend([0; 4]);
    let size = |size: usize| if flags == 0 { (size as u64).to_be_bytes() } else { [0; 8] };
    out.extend([size(payload.len() + slack), size(payload.len()), size(payload.len())].concat());
    out.extend([0; 16]);
    out.extend(payload);
    out.resize(out.len() + slack, 0);
    out
}

fn put(folder: &Path, tree: &str, blocks: &[Vec<u8>]) -> PathBuf {
    let path = folder.join("file.asdf");
    let text = format!("{HEAD}{tree}...\n{}\n", " ".repeat(2000));
    std::fs::write(&path, [text.into_bytes(), blocks.concat()].concat()).unwrap();
    path
}

fn array(source: &str, count: usize) -> String {
    format!("!core/ndarray-1.1.0 {{source: {source}, datatype: uint8, byteorder: big, shape: [{count}]}}")
}

/// Compacts a file of blocks that hold their numbers. Returns the resulting tree and the first byte of each block. The
/// file has room to spare, because one that would grow stays as it is.
fn compacted(tree: &str, blocks: &[Vec<u8>]) -> (String, Vec<Option<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), tree, blocks);
    let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
    file.compact(&WriteOptions::default()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let tree = text.split_once("core/asdf-1.1.0\n").unwrap().1.split_once("asdf_library:").unwrap().0.to_owned();
    let again = File::open_with(&path, &OpenOptions { strict: true, ..OpenOptions::default() }).unwrap();
    let mut found = Vec::new();
    for number in 0..again.block_count().unwrap() as i64 {
        let info = again.block(number).unwrap();
        assert!(info.allocated_size.is_none_or(|size| size == info.stored_size.unwrap()));
        let mut payload = vec![0; info.decoded_size as usize];
        again.read_decoded_block(number, &mut payload).unwrap();
        found.push(payload.first().copied());
    }
    (tree, found)
}

fn blocks(count: u8) -> Vec<Vec<u8>> {
    (0..count).map(|number| block(&[number; 3], usize::from(number) * 10, 0)).collect()
}

#[test]
fn unnamed_blocks_go_and_the_others_are_numbered_anew() {
    let tree = |a: &str, b: &str, c: &str| {
        format!("a: {}   # first\nb: # second\n  - {}\nc: {}\n", array(a, 3), array(b, 3), array(c, 2))
    };
    let (text, left) = compacted(&tree("3", "0x1", "3"), &blocks(6));
    assert_eq!((text, left), (tree("1", "0", "1"), vec![Some(1), Some(3)]));
    // Numbers from the end stay numbers from the end. Numbers that are still right keep their spelling.
    let (text, left) = compacted(&tree("-4", "-1", "0x0"), &blocks(6));
    assert_eq!((text, left), (tree("-2", "-1", "0x0"), vec![Some(0), Some(2), Some(5)]));
    let (text, left) = compacted("a: 1   # nothing\n", &blocks(3));
    assert_eq!((text.as_str(), left), ("a: 1   # nothing\n", vec![]));
}

#[test]
fn masks_and_shared_numbers_are_followed() {
    let mask = "!core/ndarray-1.1.0 {source: 4, datatype: bool8, byteorder: big, shape: [3]}";
    let masked = |source: &str, mask: &str| {
        format!("!core/ndarray-1.1.0 {{source: {source}, mask: {mask}, datatype: uint8, byteorder: big, shape: [3]}}")
    };
    let (text, left) = compacted(&format!("a: {}\n", masked("1", mask)), &blocks(6));
    assert_eq!((text, left), (format!("a: {}\n", masked("0", &mask.replace('4', "1"))), vec![Some(1), Some(4)]));
    // A number that is shared by an alias keeps its value there.
    let (text, left) = compacted(&format!("n: &n 2\na: {}\nb: *n\n", array("*n", 3)), &blocks(4));
    assert_eq!((text, left), (format!("n: &n 2\na: {}\nb: *n\n", array("0", 3)), vec![Some(2)]));
    let (text, left) = compacted(&format!("a: {}\nb: *n\n", array("&n 2", 3)), &blocks(4));
    assert_eq!(left, vec![Some(2)]);
    assert!(text.contains("source: 0,") && text.contains("b: 2\n") || text.contains("b: &n 2\n"), "{text}");
}

#[test]
fn a_possible_block_reference_keeps_the_block_number() {
    let tree =
        |end: &str| format!("odd: !some/thing-1.0.0 {{source: 2}}\na: {}\nb: {}\n", array("1", 3), array(end, 3));
    let (text, left) = compacted(&tree("5"), &blocks(7));
    assert_eq!((text, left), (tree("3"), vec![None, Some(1), Some(2), Some(5)]));
    let referred = |end: &str| format!("n: 1\na: {}\nb: {}\n", array("{$ref: '#/n'}", 3), array(end, 3));
    let (text, left) = compacted(&referred("3"), &blocks(4));
    assert_eq!((text, left), (referred("2"), vec![None, Some(1), Some(3)]));
    for tree in ["odd: {source: -2}\n", "odd: {chunk_block_map: 1}\n", "odd: {source: {$ref: 'x.asdf#/n'}}\n"] {
        let tree = format!("{tree}a: {}\n", array(if tree.contains("$ref") { "3" } else { "-1" }, 3));
        let tree = tree.replace("odd: {source: {", "odd: !core/ndarray-1.1.0 {source: {");
        let (text, left) = compacted(&tree, &blocks(4));
        assert_eq!((text.as_str(), left.len()), (tree.as_str(), 4));
    }
    // A value that is not a block number of this file refers to no block.
    let (_, left) = compacted("odd: {source: 77}\nodder: {source: x}\n", &blocks(2));
    assert_eq!(left, vec![]);
}

#[test]
fn streamed_blocks_stay_streamed() {
    let mut parts = blocks(2);
    parts.push(block(&[2; 5], 0, 1));
    let tree = |source: &str| format!("a: {}\n", array(source, 5));
    let (text, left) = compacted(&tree("-1"), &parts);
    assert_eq!((text, left), (tree("-1"), vec![Some(2)]));
    let (text, left) = compacted(&tree("2"), &parts);
    assert_eq!((text, left), (tree("0"), vec![Some(2)]));
    let (_, left) = compacted(&format!("a: {}\n", array("0", 3)), &parts);
    assert_eq!(left, vec![Some(0)]);
}

#[test]
fn changes_are_saved_and_the_file_can_be_used_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = put(folder.path(), &format!("a: {}\nb: {}\n", array("0", 3), array("1", 3)), &blocks(2));
    let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    let read = |name: &str| {
        let mut out = [0; 3];
        root.array(name).unwrap().read(&ScalarType::Uint8.into(), &mut out, &Default::default()).unwrap();
        out
    };
    let kept = root.array("a").unwrap();
    root.remove("a").unwrap();
    let data = ArrayData::new(ScalarType::Uint8, &[3], Arc::new(vec![7_u8; 3]));
    root.set_array_data("c", &data, &Default::default()).unwrap();
    file.compact(&WriteOptions::default()).unwrap();
    assert_eq!((read("b"), read("c"), file.block_count().unwrap()), ([1; 3], [7; 3], 2));
    let mut out = [9; 3];
    kept.read(&ScalarType::Uint8.into(), &mut out, &Default::default()).unwrap();
    assert_eq!(out, [0; 3]);
    root.set_array_data("d", &data, &Default::default()).unwrap();
    file.save(&WriteOptions::default()).unwrap();
    let again = File::open_with(&path, &OpenOptions { strict: true, ..OpenOptions::default() }).unwrap();
    assert_eq!((again.block_count().unwrap(), again.verify().unwrap().stored), (3, 2));
    // A second compaction changes nothing.
    file.compact(&WriteOptions::default()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    file.compact(&WriteOptions::default()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_failed_compaction_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut parts = blocks(3);
    parts[2].pop();
    let path = put(folder.path(), &format!("a: {}\nb: {}\n", array("1", 3), array("2", 3)), &parts);
    let mut cut = std::fs::read(&path).unwrap();
    cut.truncate(cut.len() - 25);
    std::fs::write(&path, &cut).unwrap();
    let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
    assert_eq!(file.compact(&WriteOptions::default()).unwrap_err().status(), Status::Truncated);
    assert_eq!(std::fs::read(&path).unwrap(), cut);
    assert_eq!(file.root().unwrap().at("a/source").unwrap().i64("").unwrap(), 1);
    let mut out = [9; 3];
    let array = file.root().unwrap().array("a").unwrap();
    array.read(&ScalarType::Uint8.into(), &mut out, &Default::default()).unwrap();
    assert_eq!(out, [1; 3]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let in_place = WriteOptions { save_mode: SaveMode::InPlace, ..WriteOptions::default() };
    assert_eq!(file.compact(&in_place).unwrap_err().status(), Status::NotInPlace);
    let status = |file: File| file.compact(&WriteOptions::default()).unwrap_err().status();
    assert_eq!(status(File::new(&NewOptions::default())), Status::InvalidArgument);
    assert_eq!(status(File::open(&path).unwrap()), Status::ReadOnly);
    file.close();
    assert_eq!(status(file), Status::Closed);
}
