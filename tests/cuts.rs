//! Truncation of real files at any byte: the result is an error, a warning or the same content, never silent loss.

use asdfkit::file::{File, Node, NodeKey, NodeType, OpenOptions};
use asdfkit::{Error, Result, Status};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All content of a file.
#[derive(Debug, Default)]
struct Content {
    /// Every path of the tree, with descriptions of the arrays.
    tree: Vec<String>,
    /// Elements of each array, or the error of reading them. The flag marks a streamed array.
    arrays: Vec<(String, bool, Result<Vec<u8>>)>,
    blocks: Vec<Vec<u8>>,
    /// Offsets of the block headers.
    offsets: Vec<u64>,
    errors: Vec<Error>,
    warnings: usize,
}

/// Reads all content of a file, or returns the error of opening it.
fn read(bytes: &[u8]) -> Result<Content> {
    let file = File::open_memory(Arc::new(bytes.to_vec()), &OpenOptions::default())?;
    let mut content = Content::default();
    let mut pending = vec![(file.root()?, String::new())];
    let mut seen = HashSet::new();
    while let Some((node, at)) = pending.pop() {
        if let Err(error) = visit(&node, &at, &mut content, &mut seen, &mut pending) {
            content.errors.push(error);
        }
    }
    if let Err(error) = blocks(&file, &mut content) {
        content.errors.push(error);
    }
    content.warnings = file.warnings().len();
    Ok(content)
}

fn visit(
    node: &Node,
    at: &str,
    content: &mut Content,
    seen: &mut HashSet<u64>,
    pending: &mut Vec<(Node, String)>,
) -> Result<()> {
    let identity = node.identity("")?;
    content.tree.push(format!("{at} {identity} {:?} {:?}", node.tag("")?, node.node_type("")?));
    if !seen.insert(identity) {
        return Ok(());
    }
    if node.is_array("")? {
        let array = node.array("")?;
        let mut elements = vec![0; array.byte_size(array.datatype())? as usize];
        let result = array.read(array.datatype(), &mut elements, &Default::default());
        let streamed = node.string("shape/0").is_ok();
        let shape = &array.shape()[usize::from(streamed)..];
        content.tree.push(format!("{} {:?} {shape:?}", array.datatype(), array.byteorder()));
        content.arrays.push((at.to_owned(), streamed, result.map(|()| elements)));
        return Ok(());
    }
    match node.node_type("")? {
        kind @ (NodeType::Sequence | NodeType::Mapping) => {
            for index in 0..node.count("")? {
                let key = if kind == NodeType::Mapping { node.key("", index)? } else { NodeKey::Integer(index as i64) };
                pending.push((node.item("", index)?, format!("{at}/{key:?}")));
            }
        }
        _ => content.tree.push(node.text("")?),
    }
    Ok(())
}

fn blocks(file: &File, content: &mut Content) -> Result<()> {
    for number in 0..file.block_count()? as i64 {
        let block = file.block(number)?;
        content.offsets.push(block.offset.unwrap_or_default());
        let mut bytes = vec![0; block.decoded_size as usize];
        file.read_decoded_block(number, &mut bytes)?;
        content.blocks.push(bytes);
    }
    file.check_blocks()
}

/// Returns whether an error reports damage of the file, as opposed to a missing feature of the library.
fn tells_damage(error: &Error) -> bool {
    assert_ne!(error.status(), Status::Internal, "{error}");
    !matches!(error.status(), Status::Unsupported | Status::ExternalReference | Status::Masked)
}

/// Returns an objection if the content of a file truncated at `length` must not be accepted.
fn objection(bytes: &[u8], whole: &Content, length: usize) -> Option<String> {
    // Complete header lines are a valid file without tree and blocks.
    let is_header =
        bytes[..length].ends_with(b"\n") && bytes[..length].split_inclusive(|&b| b == b'\n').all(|l| l[0] == b'#');
    let cut = match read(&bytes[..length]) {
        Err(error) => return (!tells_damage(&error)).then(|| error.to_string()),
        Ok(_) if is_header && length > 0 => return None,
        Ok(cut) => cut,
    };
    if cut.warnings > whole.warnings || cut.errors.iter().any(tells_damage) {
        return None;
    }
    if cut.tree != whole.tree {
        return Some("the tree differs".into());
    }
    for ((at, streamed, is), (_, _, was)) in cut.arrays.iter().zip(&whole.arrays) {
        match (is, was) {
            (Ok(is), Ok(was)) if is == was || (*streamed && was.starts_with(is)) => {}
            (Err(is), Err(was)) if is.status() == was.status() => {}
            (Err(is), _) if tells_damage(is) => return None,
            _ => return Some(format!("the array {at} differs")),
        }
    }
    // The loss of a block that no array uses is not noticed if the cut is before the block.
    let next = whole.offsets.get(cut.blocks.len()).map_or(bytes.len(), |&next| next as usize);
    let at_boundary = cut.blocks.len() == whole.blocks.len()
        || bytes.get(length..next).is_some_and(|gap| gap.iter().all(|&byte| matches!(byte, b' ' | b'\n' | 0)));
    let is_stream = whole.arrays.iter().any(|(_, streamed, _)| *streamed);
    let all_alike =
        cut.blocks.iter().zip(&whole.blocks).all(|(is, was)| is == was || (is_stream && was.starts_with(is)));
    (!at_boundary || !all_alike).then(|| "the blocks differ".into())
}

fn cut_everywhere(path: &Path, step: usize) {
    let bytes = std::fs::read(path).unwrap();
    let whole = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(whole.warnings == 0 && !whole.errors.iter().any(tells_damage), "{}: {whole:?}", path.display());
    // Offsets near the ends of parts are always tried.
    let ends: HashSet<usize> =
        whole.offsets.iter().flat_map(|&offset| offset as usize - 8..offset as usize + 64).collect();
    for length in (0..bytes.len()).filter(|length| length % step == 0 || *length < 64 || ends.contains(length)) {
        if let Some(objection) = objection(&bytes, &whole, length) {
            panic!("{} cut at {length} of {}: {objection}", path.display(), bytes.len());
        }
    }
}

/// Returns the official reference files; none if they are not available.
fn reference_files() -> Vec<PathBuf> {
    let Some(directory) = std::env::var_os("ASDFKIT_REFERENCE_FILES") else {
        eprintln!("not run: ASDFKIT_REFERENCE_FILES does not name the official reference files");
        return Vec::new();
    };
    let mut files = Vec::new();
    let mut pending = vec![PathBuf::from(directory)];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "asdf") {
            files.push(path);
        }
    }
    assert_eq!(files.len(), 112);
    files
}

#[test]
fn differences_are_objections() {
    let file = |tree: &str, payload: &[u8]| {
        let mut file = format!("#ASDF 1.0.0\n%YAML 1.1\n---\n{tree}\n...\n").into_bytes();
        file.extend(b"\xD3BLK\0\x30\0\0\0\0\0\0\0\0");
        file.extend((payload.len() as u64).to_be_bytes().repeat(3));
        file.extend([0; 16]);
        file.extend(payload);
        file
    };
    let array = "a: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {source: 0, datatype: int8, byteorder: big, shape: [2]}";
    let whole = read(&file(array, b"ab")).unwrap();
    let object = |other: Vec<u8>| objection(&other, &whole, other.len());
    assert_eq!(object(file(array, b"ab")), None);
    assert_eq!(object(file(&array.replace('a', "b"), b"ab")).unwrap(), "the tree differs");
    assert_eq!(object(file(&array.replace("[2]", "[1]"), b"ab")).unwrap(), "the tree differs");
    assert_eq!(object(file(array, b"ac")).unwrap(), "the array /String(\"a\") differs");
    assert_eq!(object(file(array, b"abc")).unwrap(), "the blocks differ");
    assert_eq!(object(file(array, b"a")), None);
}

#[test]
fn a_file_cut_off_is_never_silently_less() {
    cut_everywhere(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples-c/quickstart.asdf")), 499);
    for path in reference_files().iter().filter(|path| path.parent().unwrap().ends_with("1.6.0")) {
        cut_everywhere(path, 1);
    }
}

#[test]
#[ignore = "slow: run by make torture"]
fn every_reference_file_cut_at_every_byte() {
    for path in reference_files() {
        cut_everywhere(&path, 1);
    }
}
