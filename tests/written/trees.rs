//! Trees of ASDF files: random changes by the setters, and all ways to write them.

use crate::random::Lcg;
use crate::{arrays, check_refusal, content, texts};
use asdfkit::array::{Datatype, Order, ScalarType};
use asdfkit::file::{
    Access, ArrayOptions, File, Key, KeyPosition, NewOptions, Node, NodeType, OpenOptions, RecoverOptions, SaveMode,
    Software, StandardVersion, Storage, WriteOptions,
};
use asdfkit::{Limits, Result};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Places of a tree that can get children, by their paths.
fn places(node: &Node, path: &str, out: &mut Vec<String>) {
    let is_reference = !matches!(node.reference(""), Ok(None));
    if out.len() > 40 || is_reference || node.is_array("").unwrap_or(true) {
        return;
    }
    match node.node_type("") {
        Ok(NodeType::Mapping) => out.push(path.to_owned()),
        Ok(NodeType::Sequence) => out.push(path.to_owned()),
        _ => return,
    }
    for index in 0..node.count("").unwrap().min(20) {
        let child = node.item("", index).unwrap();
        if let Ok(path) = child.path() {
            places(&child, &path, out);
        }
    }
}

fn place(random: &mut Lcg, root: &Node) -> String {
    let mut all = Vec::new();
    places(root, "", &mut all);
    let place = random.pick(&all).clone();
    match root.node_type(&place) {
        Ok(NodeType::Sequence) => {
            let count = root.count(&place).unwrap();
            match random.below(count + 1) {
                at if at < count => format!("{place}/{at}"),
                _ => format!("{place}/-"),
            }
        }
        _ => format!("{place}/{}", texts::token(&texts::name(random))),
    }
}

/// Makes collections inside each other.
fn nest(random: &mut Lcg, root: &Node, path: &str) -> Result<()> {
    let depth = *random.pick(&[1, 3, 10, 100, 252, 253, 254, 255, 256, 257, 300, 509, 510, 511, 512, 600]);
    let style = random.below(3);
    let mut node = root.make(path)?;
    for level in 0..depth {
        let flow = if style == 2 { level % 2 == 0 } else { style == 1 };
        let is_sequence = random.below(2) == 0;
        if is_sequence {
            node.set_sequence("", flow)?;
        } else {
            node.set_mapping("", flow)?;
        }
        node = node.make(if is_sequence { "-" } else { "k" })?;
    }
    match random.below(3) {
        0 => Ok(()),
        1 => node.set_string("", &texts::text(random)),
        _ => node.set_sequence("", random.below(2) == 0),
    }
}

fn number(random: &mut Lcg) -> f64 {
    match random.below(3) {
        0 => f64::from_bits(random.next() << 32 | random.next()),
        _ => *random.pick(&[
            0.0,
            -0.0,
            1.0,
            1e300,
            1e-300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            5e-324,
            1e16,
            0.1,
        ]),
    }
}

fn key<'a>(random: &mut Lcg, text: &'a str) -> Key<'a> {
    match random.below(4) {
        0 => Key::Integer(*random.pick(&[0, 1, -1, i64::MAX, i64::MIN, 7])),
        1 => Key::Bool(random.below(2) == 0),
        _ => Key::String(text),
    }
}

const INTEGERS: &[&str] = &["9223372036854775808", "-18446744073709551617", "007", "+5", "-0", "1e5"];

const TIMES: &[&str] = &["2001-01-01", "2001-02-30", "2001-01-01T01:02:03.4Z", "x", "2001-1-1 1:2:3"];

const TAGS: &[&str] = &[
    "!core/asdf-1.1.0",
    "!t",
    "tag:example.org:a/b-1.0.0",
    "!unit/unit-1.0.0",
    "tag:yaml.org,2002:str",
    "tag:yaml.org,2002:int",
    "tag:yaml.org,2002:seq",
    "tag:yaml.org,2002:map",
    "tag:yaml.org,2002:omap",
    "tag:yaml.org,2002:set",
    "!",
    "!!",
    "",
    " ",
    "a b",
    "tag:x,{y}",
    "!%",
    "tag:é",
    "!a!b",
    "!<x>",
    "tag:yaml.org,2002:merge",
    "tag:yaml.org,2002:null",
];

const PIECES: &[&str] = &[
    "{a: 1, b: [x, 'y', \"z\"]}",
    "[*a]",
    "- 1\n- 2\n",
    "a: &a [1, 2]\nb: *a\n",
    "a: |+\n  x\n\nb: >-\n  y\n",
    "{? [a] : b}",
    "a: {<<: {x: 1}, y: 2}",
    "!!set {a, b}",
    "!!omap [a: 1, b: 2]",
    "{1: a, true: b, 'x': c}",
    "{q: }",
    "# only a comment",
    "'",
    "- !t a\n- !<tag:example.org:x> b\n",
    "a: 2001-01-01\nb: 1:30\nc: 0o7\nd: .inf\n",
    "\"\\u263a\\x41\\0\"",
    "{$ref: '#/a'}",
];

/// Copies a node of another file, which was given as text.
fn copy(random: &mut Lcg, root: &Node, path: &str) -> Result<()> {
    let piece = random.pick(PIECES);
    let indented = piece.replace('\n', "\n  ");
    let text =
        format!("#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nx:\n  {indented}\n...\n");
    let other = File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default())?;
    root.copy_from(path, &other.root()?.at("x")?, None)
}

/// Makes one random change.
fn change(random: &mut Lcg, file: &File) -> Result<()> {
    let root = file.root()?;
    let path = &place(random, &root);
    let text = texts::text(random);
    match random.below(32) {
        0 => root.set_null(path),
        1 => root.set_bool(path, random.below(2) == 0),
        2 => root.set_i64(path, *random.pick(&[0, -1, i64::MAX, i64::MIN, 60])),
        3 => {
            let integer = *random.pick(INTEGERS);
            root.set_integer(path, integer)
        }
        4 => root.set_f64(path, number(random)),
        5 => root.set_complex(path, number(random), number(random)),
        6..10 => root.set_string(path, &text),
        10 => {
            let time = *random.pick(TIMES);
            root.set_timestamp(path, time)
        }
        11 => root.set_binary(path, text.as_bytes()),
        12 => root.set_sequence(path, random.below(2) == 0),
        13 | 14 => root.set_mapping(path, random.below(2) == 0),
        // Without its tag, an array is a mapping whose block has a provisional number.
        15 if !root.is_array(path).unwrap_or(false) => root.set_tag(path, Some(*random.pick(TAGS))),
        16 => root.set_reference(path, &text),
        17 => root.set_reference_to(path, &text),
        18 => root.make_key(path, key(random, &text)).and_then(|node| node.set_string("", &text)),
        19 => root.insert_key(path, &text, KeyPosition::First),
        20 => root.rename_key(path, &text),
        21 => root.move_to(path, &place(random, &root)),
        22 => root.remove(path),
        23 => nest(random, &root, path),
        24 => {
            let software = Software { name: &text, version: &texts::text(random), author: Some(&text), homepage: None };
            let software = (random.below(2) == 0).then_some(software);
            file.add_history(
                &texts::text(random),
                software,
                *random.pick(&[None, None, Some("2001-01-01T00:00:00"), Some("x")]),
            )
        }
        25 => file.add_comment(&text),
        26 => copy(random, &root, path),
        _ => arrays::set(random, &root, path),
    }
}

fn write_options(random: &mut Lcg) -> WriteOptions {
    WriteOptions {
        replace: true,
        durable: false,
        alignment: *random.pick(&[1, 1, 8, 64, 4096, 3]),
        tree_slack: *random.pick(&[None, None, Some(0), Some(1), Some(5000)]),
        checksums: random.below(2) == 0,
        block_index: random.below(2) == 0,
        save_mode: *random.pick(&[SaveMode::Auto, SaveMode::Whole, SaveMode::InPlace]),
        ..WriteOptions::default()
    }
}

/// Makes random changes. Those that are refused are forgotten, after a check that they prevent writing.
fn change_often(random: &mut Lcg, file: &File, case: &str) {
    for _ in 0..1 + random.below(8) {
        if let Err(error) = change(random, file) {
            check_refusal(&error, case);
            file.forget_failure().unwrap();
        }
    }
}

fn names(folder: &Path) -> BTreeSet<String> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

const ROWS: &str = "rows of a stream";

/// Writes a file in one of the ways. Returns the path of what was written.
fn write(random: &mut Lcg, file: &File, folder: &Path) -> Result<()> {
    let (path, options) = (folder.join("file.asdf"), write_options(random));
    match random.below(5) {
        0 => file.explode(&path, &options),
        1 => file.implode(&path, &options),
        2 => {
            let storage = *random.pick(&[Storage::Internal, Storage::Streamed, Storage::External]);
            let array = ArrayOptions { storage, ..ArrayOptions::default() };
            let datatype = Datatype::Scalar(ScalarType::Int16);
            let mut stream = file.stream(&path, ROWS, datatype, &[2], &array, &options)?;
            stream.push(3, &[7; 12], &Order::C)?;
            stream.finish()
        }
        _ => file.write(&path, &options),
    }
}

/// The defaults, but files that an exploded file refers to may be opened.
fn open() -> OpenOptions {
    OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() }
}

/// A written file has no warnings but those about what the caller wanted.
fn check_warnings(file: &File, case: &str) {
    for warning in file.warnings() {
        let is_wanted = ["is not yet stable", "outside the range that the standard allows"]
            .iter()
            .any(|wanted| warning.message.contains(wanted));
        assert!(is_wanted, "{case}: {warning:?}");
    }
}

/// Compares what is read at a path with the expected content. `label` names the writer.
fn check_read(path: &Path, options: &OpenOptions, expected: &str, label: &str) -> File {
    let read = File::open_with(path, options).unwrap_or_else(|error| panic!("{label}: {error}"));
    let found = content::of_file(&read).unwrap_or_else(|error| panic!("{label}: {error}"));
    assert!(found == expected, "{label}:\nexpected {expected}\nfound {found}");
    read
}

/// Opens a written file for update, changes and saves it; a copy is recovered.
fn check_again(random: &mut Lcg, folder: &Path, case: &str) -> usize {
    let path = folder.join("file.asdf");
    let file = File::open_for_update(&path, &open()).unwrap();
    let old = content::of_file(&file).unwrap();
    change_often(random, &file, case);
    let expected = content::of_file(&file);
    let options = write_options(random);
    let is_compacted = random.below(4) == 0;
    let saved = if is_compacted { file.compact(&options) } else { file.save(&options) };
    match saved {
        Ok(()) => {
            let expected = expected.unwrap_or_else(|error| panic!("{case}: saved, but not readable: {error}"));
            drop(file);
            check_read(&path, &open(), &expected, &format!("{case}, saved again"));
            1
        }
        Err(error) => {
            check_refusal(&error, case);
            drop(file);
            check_read(&path, &open(), &old, &format!("{case}, not saved"));
            0
        }
    }
}

fn check_recovered(folder: &Path, expected: &str, case: &str) {
    let new = folder.join("recovered.asdf");
    let write = WriteOptions { durable: false, ..WriteOptions::default() };
    let options = RecoverOptions { write, ..RecoverOptions::default() };
    let recovered =
        File::recover(folder.join("file.asdf"), &new, &options).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert!(recovered.losses.is_empty(), "{case}: {:?}", recovered.losses);
    check_read(&new, &open(), expected, &format!("{case}, recovered"));
}

pub(crate) fn check(random: &mut Lcg, case: &str) -> usize {
    let standard = *random.pick(&StandardVersion::ALL);
    let file = File::new(&NewOptions { standard, ..NewOptions::default() });
    change_often(random, &file, case);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file.asdf"), "old").unwrap();
    let content = content::of_file(&file);
    match write(random, &file, folder.path()) {
        Ok(()) => {
            let content = content.unwrap_or_else(|error| panic!("{case}: written, but not readable: {error}"));
            let path = folder.path().join("file.asdf");
            let read = File::open_with(&path, &open()).unwrap_or_else(|error| panic!("{case}: {error}"));
            let found = content::of_file(&read).unwrap_or_else(|error| panic!("{case}: {error}"));
            let is_streamed = read.root().unwrap().exists(ROWS).unwrap();
            assert!(is_streamed || found == content, "{case}:\nexpected {content}\nfound {found}");
            check_warnings(&read, case);
            drop(read);
            if names(folder.path()).len() == 1 {
                check_recovered(folder.path(), &found, case);
            }
            1 + check_again(random, folder.path(), case)
        }
        Err(error) => {
            check_refusal(&error, case);
            assert_eq!(std::fs::read(folder.path().join("file.asdf")).unwrap(), b"old", "{case}");
            assert_eq!(names(folder.path()).len(), 1, "{case}: {:?}", names(folder.path()));
            0
        }
    }
}

/// Returns limits that random trees exceed.
fn limits(random: &mut Lcg) -> Limits {
    let mut limits = Limits::default();
    match random.below(6) {
        0 => limits.depth = random.below(12) as u32,
        1 => limits.nodes = random.below(40) as u64,
        2 => limits.tree_bytes = 100 + random.below(1000) as u64,
        // A large integer is an array of rank 1.
        3 => limits.rank = 1 + random.below(3) as u32,
        4 => limits.blocks = random.below(4) as u64,
        _ => limits.anchors = random.below(2) as u64,
    }
    limits
}

/// The writer and the reader have the same low limits.
pub(crate) fn check_limits(random: &mut Lcg, case: &str) -> usize {
    let limits = limits(random);
    let file = File::new(&NewOptions { limits: limits.clone(), ..NewOptions::default() });
    change_often(random, &file, case);
    let content = content::of_file(&file);
    let options = write_options(random);
    match file.write_to_memory(&options) {
        Ok(bytes) => {
            let open = OpenOptions { limits: limits.clone(), ..OpenOptions::default() };
            let read = File::open_memory(Arc::new(bytes), &open).and_then(|read| content::of_file(&read));
            let found = read.unwrap_or_else(|error| panic!("{case}, limits: {error}"));
            let content = content.unwrap_or_else(|error| panic!("{case}: written, but not readable: {error}"));
            assert!(found == content, "{case}, limits: {limits:?}\nexpected {content}\nfound {found}");
            1
        }
        Err(error) => {
            check_refusal(&error, case);
            0
        }
    }
}
