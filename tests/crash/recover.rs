//! Recovery of damaged files: recovered content is correct, losses are reported, and the damaged file is not changed.

use asdfkit::Status;
use asdfkit::array::ScalarType;
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{
    ArrayData, ArrayOptions, File, Loss, LossKind, NewOptions, NodeType, OpenOptions, RecoverOptions, WriteOptions,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn quick() -> RecoverOptions {
    RecoverOptions {
        write: WriteOptions { replace: true, durable: false, ..WriteOptions::default() },
        ..RecoverOptions::default()
    }
}

/// Arrays of a file by path: shape and bytes, or `None` if they cannot be read.
type Arrays = BTreeMap<String, Option<(Vec<i64>, Vec<u8>)>>;

fn arrays(file: &File) -> Arrays {
    let mut found = Arrays::new();
    let mut pending = vec![file.root().unwrap()];
    while let Some(node) = pending.pop() {
        if found.len() > 1000 {
            break;
        }
        if node.tag("").ok().flatten().is_some_and(|tag| tag.contains("core/ndarray")) {
            let path = node.path().unwrap();
            let read = node.array("").and_then(|array| {
                let array = array.without_mask();
                let mut bytes = vec![0; array.datatype().item_size()? as usize * array.element_count() as usize];
                array.read(&array.datatype().clone(), &mut bytes, &Default::default())?;
                Ok((array.shape().to_vec(), bytes))
            });
            found.insert(path, read.ok());
            pending.extend(node.at("mask"));
            continue;
        }
        if matches!(node.node_type(""), Ok(NodeType::Mapping | NodeType::Sequence)) {
            pending.extend((0..node.count("").unwrap()).filter_map(|index| node.item("", index).ok()));
        }
    }
    found
}

struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap() }
    }

    fn damaged(&self) -> PathBuf {
        self.folder.path().join("damaged.asdf")
    }

    fn new_path(&self) -> PathBuf {
        self.folder.path().join("recovered.asdf")
    }

    fn recover(&self, bytes: &[u8], options: &RecoverOptions) -> asdfkit::Result<(File, Vec<Loss>)> {
        std::fs::write(self.damaged(), bytes).unwrap();
        let recovery = File::recover(self.damaged(), self.new_path(), options)?;
        assert_eq!(std::fs::read(self.damaged()).unwrap(), bytes);
        let file = File::open_with(self.new_path(), &OpenOptions { strict: false, ..OpenOptions::default() }).unwrap();
        file.check_blocks().unwrap();
        Ok((file, recovery.losses))
    }
}

/// Checks that recovered arrays are unchanged or have fewer rows. Each loss must be reported with its path or with the
/// folder where the tree ends.
fn check(whole: &Arrays, recovered: &File, losses: &[Loss], context: &str) {
    let found = arrays(recovered);
    let told = |path: &str| losses.iter().find(|loss| loss.path.as_deref() == Some(path)).map(|loss| loss.kind);
    let tree_is_cut = losses.iter().any(|loss| loss.kind == LossKind::Tree);
    for (path, before) in whole {
        let Some(before) = before else { continue };
        match (found.get(path), told(path)) {
            (None, _) => assert!(tree_is_cut, "{context}: {path} is gone"),
            (Some(Some(now)), None) => assert_eq!(now, before, "{context}: {path}"),
            (Some(Some(now)), Some(LossKind::ArrayEnd)) => {
                let is_shorter = now.0[1..] == before.0[1..] && (1..before.0[0]).contains(&now.0[0]);
                assert!(is_shorter, "{context}: {path}: {losses:?}");
                assert!(before.1.starts_with(&now.1), "{context}: {path}: {losses:?}");
            }
            (Some(Some(_)), Some(LossKind::ArrayDamaged)) => {}
            // A streamed array may have no rows left.
            (Some(Some(now)), Some(LossKind::Array)) => assert!(now.1.is_empty(), "{context}: {path}"),
            (Some(None), Some(LossKind::Array | LossKind::ArrayDamaged)) => {}
            (now, told) => panic!("{context}: {path} is {now:?}, but is reported as {told:?}: {losses:?}"),
        }
    }
}

fn reference_files() -> Vec<PathBuf> {
    let folder = std::env::var_os("ASDFKIT_REFERENCE_FILES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("build/reference_files"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(folder.join("1.6.0")) else {
        eprintln!("the reference files are missing: run scripts/setup.sh test to download them");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "asdf"));
    files.sort();
    files
}

/// Distance in bytes between places of damage: a prime, so that the places in lines and headers vary.
fn step(usual: usize) -> usize {
    std::env::var("ASDFKIT_RECOVER_STEP").map_or(usual, |step| step.parse().unwrap())
}

#[test]
fn reference_files_cut_anywhere() {
    let folder = TestFolder::new();
    for path in reference_files() {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = File::open(&path).unwrap();
        let whole = arrays(&file);
        let streamed = (0..file.block_count().unwrap()).any(|number| file.block(number as i64).unwrap().streamed);
        for cut in (0..bytes.len()).step_by(step(37)).chain([bytes.len()]) {
            let context = format!("{name} cut at {cut}");
            match folder.recover(&bytes[..cut], &quick()) {
                Ok((recovered, losses)) => {
                    // A streamed array has as many rows as are present.
                    if streamed && losses.is_empty() {
                        continue;
                    }
                    check(&whole, &recovered, &losses, &context);
                    assert!(cut < bytes.len() || losses.is_empty(), "{context}: {losses:?}");
                }
                Err(error) => {
                    let typed = [Status::NotAsdf, Status::Version, Status::Layout, Status::Truncated];
                    assert!(typed.contains(&error.status()) && cut < bytes.len(), "{context}: {error}");
                }
            }
        }
    }
}

#[test]
fn a_number_under_source_is_a_block_number_only_in_nodes_of_unknown_tags() {
    let folder = TestFolder::new();
    for (tag, losses) in
        [(None, 0), (Some("tag:stsci.edu:asdf/core/software-1.0.0"), 0), (Some("tag:x.org:y-1.0.0"), 3)]
    {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        root.set_i64("source", 7).unwrap();
        root.set_i64("node/source", 1).unwrap();
        root.set_tag("node", tag).unwrap();
        let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
        let (_, found) = folder.recover(&bytes, &quick()).unwrap();
        assert_eq!(found.len(), losses, "{tag:?}: {found:?}");
    }
}

/// A file whose second array contains a similar file and is masked by the third array. The tree refers to the last
/// block from the end.
fn nested(index: bool) -> Vec<u8> {
    let inner = sample();
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let rows = inner.len() as i64 / 8;
    let data = |bytes: &[u8]| Arc::new(bytes.to_vec());
    let masked = [rows, 8];
    let inner = &inner[..rows as usize * 8];
    let set = |name: &str, shape: &[i64], bytes: &[u8]| {
        root.set_array_data(name, &ArrayData::new(ScalarType::Uint8, shape, data(bytes)), &ArrayOptions::default())
            .unwrap();
    };
    set("first", &[50, 2], &[1; 100]);
    set("file", &masked, inner);
    set("file/mask", &masked, &vec![1; inner.len()]);
    set("text", &[20], b"\xD3BLK and more of it.");
    set("last", &[7, 3], &[5; 21]);
    root.set_i64("last/source", -1).unwrap();
    file.write_to_memory(&WriteOptions { block_index: index, ..WriteOptions::default() }).unwrap()
}

#[test]
fn blocks_inside_payloads_are_not_taken_for_others() {
    let folder = TestFolder::new();
    for index in [true, false] {
        let bytes = nested(index);
        let whole = arrays(&File::open_memory(Arc::new(bytes.clone()), &OpenOptions::default()).unwrap());
        assert_eq!(whole.len(), 5);
        let text_end = magics(&bytes)[0];
        let (file, losses) = folder.recover(&bytes, &quick()).unwrap();
        check(&whole, &file, &losses, "whole");
        assert!(losses.is_empty(), "{losses:?}");
        for at in (20..bytes.len()).step_by(step(67)) {
            // Three kinds of damage: a cut; zeros, but too few to erase a checksum, since otherwise nothing would
            // reveal them; another byte.
            let end = (at + 12).min(bytes.len());
            let mut zeros = bytes.clone();
            zeros[at..end].fill(0);
            let mut other = bytes.clone();
            other[at] ^= 0x20;
            for (kind, damaged) in [("cut", &bytes[..at]), ("zeros", &zeros), ("other", &other)] {
                let context = format!("index {index}, {kind} at {at}");
                match folder.recover(damaged, &quick()) {
                    // Changed text can be valid and have another meaning.
                    Ok(_) if at < text_end && kind != "cut" => {}
                    Ok((recovered, losses)) => check(&whole, &recovered, &losses, &context),
                    Err(error) => assert!(error.status() != Status::Internal, "{context}: {error}"),
                }
            }
        }
    }
}

/// Four arrays of 40 rows, each in its own block, with text before and after. The third is compressed.
fn sample() -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    for (number, name) in ["a", "b", "c", "d"].iter().enumerate() {
        let bytes: Vec<u8> = (0..40 * 3 * 2).map(|byte| (byte * 7 + number * 50) as u8).collect();
        let compression = (number == 2).then(|| Compression::new(Codec::Zlib, None).unwrap());
        let options = ArrayOptions { compression, ..ArrayOptions::default() };
        root.set_array_data(name, &ArrayData::new(ScalarType::Uint16, &[40, 3], Arc::new(bytes)), &options).unwrap();
    }
    root.set_string("last", "text").unwrap();
    file.write_to_memory(&WriteOptions::default()).unwrap()
}

fn kinds(losses: &[Loss]) -> Vec<(LossKind, Option<u64>, &str)> {
    losses.iter().map(|loss| (loss.kind, loss.block, loss.path.as_deref().unwrap_or_default())).collect()
}

fn magics(bytes: &[u8]) -> Vec<usize> {
    (0..bytes.len() - 4).filter(|&at| &bytes[at..at + 4] == b"\xD3BLK").collect()
}

#[test]
fn nothing_is_lost_of_a_whole_file() {
    let folder = TestFolder::new();
    let (file, losses) = folder.recover(&sample(), &quick()).unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    assert!(file.history().is_err());
    assert_eq!(file.verify().unwrap().stored, 4);
}

#[test]
fn rows_that_are_there_are_kept() {
    let bytes = sample();
    let whole = arrays(&File::open_memory(Arc::new(bytes.clone()), &OpenOptions::default()).unwrap());
    let folder = TestFolder::new();
    // The payload begins after the header, whose length follows the magic.
    let second = magics(&bytes)[1];
    let payload = second + 6 + usize::from(u16::from_be_bytes([bytes[second + 4], bytes[second + 5]]));
    let cut = &bytes[..payload + 100];
    let (file, losses) = folder.recover(cut, &quick()).unwrap();
    check(&whole, &file, &losses, "rows");
    let expected = [
        (LossKind::BlockEnd, Some(1), ""),
        (LossKind::Block, Some(2), ""),
        (LossKind::Block, Some(3), ""),
        (LossKind::ArrayEnd, Some(1), "/b"),
        (LossKind::Array, Some(2), "/c"),
        (LossKind::Array, Some(3), "/d"),
    ];
    let mut found = kinds(&losses);
    found.sort_by_key(|(kind, block, path)| (*path, *block, *kind as i32));
    assert_eq!(found, expected);
    assert_eq!((losses[0].offset, losses[0].bytes), (Some(second as u64), Some(140)));
    assert_eq!(file.root().unwrap().array("b").unwrap().shape(), [16, 3]);
    assert_eq!(file.block_count().unwrap(), 4);
    assert_eq!(file.verify().unwrap_err().location().path.as_deref(), Some("/c"));
    let entry = file.history().unwrap().string("0/description").unwrap();
    assert!(entry.contains("/b") && entry.contains("/d"), "{entry}");

    let (file, losses) = folder.recover(cut, &RecoverOptions { whole_blocks: true, ..quick() }).unwrap();
    check(&whole, &file, &losses, "whole blocks");
    assert!(kinds(&losses).contains(&(LossKind::Array, Some(1), "/b")));
}

#[test]
fn headers_that_are_damaged() {
    let bytes = sample();
    let whole = arrays(&File::open_memory(Arc::new(bytes.clone()), &OpenOptions::default()).unwrap());
    let places = magics(&bytes);
    let index = bytes.windows(17).rposition(|window| window == b"#ASDF BLOCK INDEX").unwrap();
    let folder = TestFolder::new();
    for (number, &header) in places.iter().enumerate() {
        for (at, value) in [(0, 0), (3, 0), (5, 1), (9, 1), (14, 0x7F), (17, 9), (21, 9), (22, 9), (29, 1)] {
            for with_index in [true, false] {
                let mut damaged = if with_index { bytes.clone() } else { bytes[..index].to_vec() };
                damaged[header + at] = value;
                let context = format!("byte {at} of block {number}, index {with_index}");
                let (file, losses) = folder.recover(&damaged, &quick()).unwrap();
                // With an index the other blocks are always found.
                check(&whole, &file, &losses, &context);
                let lost = losses.iter().filter(|loss| loss.kind == LossKind::Array).count();
                assert!(!with_index || lost <= 1, "{context}: {losses:?}");
            }
        }
    }
}

#[test]
fn damaged_bytes_are_found() {
    let bytes = sample();
    let places = magics(&bytes);
    let folder = TestFolder::new();
    for (number, path) in [(0, "/a"), (2, "/c")] {
        let mut damaged = bytes.clone();
        let size = usize::from(u16::from_be_bytes([bytes[places[number] + 4], bytes[places[number] + 5]]));
        damaged[places[number] + 6 + size + 9] ^= 0x10;
        let (_, losses) = folder.recover(&damaged, &quick()).unwrap();
        let number = Some(number as u64);
        assert_eq!(kinds(&losses), [(LossKind::BlockDamaged, number, ""), (LossKind::ArrayDamaged, number, path)]);
    }
}

#[test]
fn a_tree_without_its_end() {
    let bytes = sample();
    let text = bytes.windows(5).position(|window| window == b"\nlast").unwrap();
    let end = bytes.windows(5).position(|window| window == b"\n...\n").unwrap();
    let folder = TestFolder::new();
    let mut damaged = bytes.clone();
    damaged[end + 1] = b'x';
    let (file, losses) = folder.recover(&damaged, &quick()).unwrap();
    assert_eq!(kinds(&losses), [(LossKind::Tree, None, "")]);
    assert_eq!(file.root().unwrap().string("last").unwrap(), "text");
    damaged[text + 6] = b'"';
    let (file, losses) = folder.recover(&damaged, &quick()).unwrap();
    assert_eq!(losses[0].kind, LossKind::Tree);
    assert!(file.root().unwrap().at("last").is_err());
    assert_eq!(arrays(&file).len(), 4);
    assert!(arrays(&file).values().all(Option::is_some));
    // A block that is not referenced by an array is still found.
    let third = bytes.windows(3).position(|window| window == b"\nc:").unwrap();
    damaged[third + 2] = b'"';
    let (file, losses) = folder.recover(&damaged, &quick()).unwrap();
    assert!(kinds(&losses).contains(&(LossKind::BlockName, Some(3), "")));
    assert_eq!((arrays(&file).len(), file.block_count().unwrap()), (2, 4));
}

#[test]
fn names_are_not_taken() {
    let folder = TestFolder::new();
    std::fs::write(folder.damaged(), sample()).unwrap();
    std::fs::write(folder.new_path(), "mine").unwrap();
    let recover =
        |to: &Path, options: &RecoverOptions| File::recover(folder.damaged(), to, options).unwrap_err().status();
    let careful = RecoverOptions::default();
    assert_eq!(recover(&folder.new_path(), &careful), Status::FileExists);
    assert_eq!(std::fs::read(folder.new_path()).unwrap(), b"mine");
    assert_eq!(recover(&folder.damaged(), &careful), Status::FileExists);
    assert_eq!(recover(&folder.damaged(), &quick()), Status::InvalidArgument);
    assert_eq!(recover(&folder.folder.path().join("missing/x.asdf"), &quick()), Status::FileNotFound);
    std::fs::write(folder.damaged(), "no file of this kind").unwrap();
    assert_eq!(recover(&folder.new_path(), &quick()), Status::NotAsdf);
    std::fs::write(folder.damaged(), "#ASDF 1.0.0\n%YAML 1.1\n--- {a: 1").unwrap();
    assert_eq!(recover(&folder.new_path(), &quick()), Status::Truncated);
    assert_eq!(std::fs::read(folder.new_path()).unwrap(), b"mine");
    assert_eq!(std::fs::read_dir(folder.folder.path()).unwrap().count(), 2);
}
