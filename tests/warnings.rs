//! Warnings about readable files: one file for each irregularity that the specification names.

use asdfkit::array::ReadOptions;
use asdfkit::codec::{Codec, Compression, encode};
use asdfkit::file::{File, OpenOptions, WriteOptions};
use asdfkit::{Report, Warning};
use std::sync::Arc;

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n";
const ARRAY: &str = "a: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: little, shape: [4]}";

fn tree(content: &str) -> Vec<u8> {
    format!("{HEAD}--- !core/asdf-1.1.0\n{content}\n...\n").into_bytes()
}

/// A block with these flags, label, sizes (allocated, used, data) and checksum.
fn block(flags: u32, label: &[u8; 4], sizes: [u64; 3], checksum: [u8; 16], stored: &[u8]) -> Vec<u8> {
    let mut out = b"\xD3BLK\x00\x30".to_vec();
    out.extend(flags.to_be_bytes());
    out.extend(label);
    sizes.iter().for_each(|size| out.extend(size.to_be_bytes()));
    out.extend(checksum);
    out.extend(stored);
    out
}

fn plain(stored: &[u8]) -> Vec<u8> {
    block(0, &[0; 4], [stored.len() as u64; 3], [0; 16], stored)
}

fn compressed(codec: Codec, label: &[u8; 4], junk: &[u8]) -> Vec<u8> {
    let mut stored = Vec::new();
    encode(&Compression::new(codec, None).unwrap(), &[1, 2, 3, 4], &mut stored, 1).unwrap();
    stored.extend(junk);
    let size = stored.len() as u64;
    block(0, label, [size, size, 4], [0; 16], &stored)
}

fn with(content: &str, rest: &[&[u8]]) -> Vec<u8> {
    [tree(content), rest.concat()].concat()
}

/// Returns the warnings of a file after reading its array `a`, if it has one, and checking its blocks.
fn warnings(bytes: Vec<u8>) -> Vec<Warning> {
    let file = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
    if let Ok(array) = file.root().unwrap().array("a") {
        let size = array.element_count() as usize * array.datatype().item_size().unwrap() as usize;
        array.read(&array.datatype().clone(), &mut vec![0; size], &ReadOptions::default()).unwrap();
    }
    file.check_blocks().unwrap();
    file.warnings()
}

fn inline(data: &str) -> Vec<u8> {
    tree(&format!("a: !core/ndarray-1.1.0 {data}"))
}

#[test]
fn each_irregularity_is_reported_once() {
    let standard = |line: &str| format!("#ASDF 1.0.0\n{line}\n%YAML 1.1\n---\n{{}}\n...\n").into_bytes();
    let first = |line: &str| format!("{line}\n%YAML 1.1\n---\n{{}}\n...\n").into_bytes();
    let numbers = [1, 2, 3, 4];
    let (none, md5) = ([0; 16], [7; 16]);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("inside a header line", b"#ASDF 1.0.0".to_vec()),
        ("version 1.0.1 of the file format", first("#ASDF 1.0.1")),
        ("has blanks other than", first("#ASDF  \t 1.0.0 ")),
        ("version 1.9.0 of the ASDF standard", standard("#ASDF_STANDARD 1.9.0")),
        ("blank line", standard("")),
        ("YAML 1.2", b"#ASDF 1.0.0\n%YAML 1.2\n---\na: yes\n...\n".to_vec()),
        ("YAML 1.3", b"#ASDF 1.0.0\n%YAML 1.3\n---\na: yes\n...\n".to_vec()),
        ("%FOO", b"#ASDF 1.0.0\n%YAML 1.1\n%FOO bar\n---\n{}\n...\n".to_vec()),
        ("should be a mapping", tree("[1, 2]")),
        ("data_size 5 but used_size 4", with(ARRAY, &[&block(0, &[0; 4], [4, 4, 5], none, &numbers)])),
        ("between two blocks", with(ARRAY, &[&plain(&numbers), b"   ", &plain(&numbers)])),
        ("after the last block", with(ARRAY, &[&plain(&numbers), b"garb"])),
        ("after the last block", with(ARRAY, &[&plain(&numbers), b"#ASDF BLOCK INDEX  \n%YAML 1.1\n---\n[1]\n...\n"])),
        ("inside the allocated bytes", with(ARRAY, &[&block(0, &[0; 4], [9, 4, 4], none, &numbers)])),
        ("allocated size 4", with(ARRAY, &[&block(1, &[0; 4], [4, 0, 0], none, &numbers)])),
        (
            "allocated size 4",
            with(
                ARRAY,
                &[&block(1, &[0; 4], [4; 3], none, &numbers), b"#ASDF BLOCK INDEX\n%YAML 1.1\n---\n[1]\n...\n"],
            ),
        ),
        ("used size 3", with(ARRAY, &[&block(1, &[0; 4], [0, 3, 0], none, &numbers)])),
        ("data size 2", with(ARRAY, &[&block(1, &[0; 4], [0, 0, 2], none, &numbers)])),
        ("a checksum", with(ARRAY, &[&block(1, &[0; 4], [0; 3], md5, &numbers)])),
        ("a checksum", with(ARRAY, &[&plain(&numbers), &block(1, &[0; 4], [4; 3], md5, &numbers)])),
        ("LZ4 frame", with(ARRAY, &[&compressed(Codec::Lz4f, b"lz4\0", &[])])),
        ("after", with(ARRAY, &[&compressed(Codec::Zlib, b"zlib", b"junk")])),
        (
            "not ASCII",
            with(
                "a: !core/ndarray-1.1.0 {source: 0, datatype: [ascii, 4], byteorder: big, shape: [1]}",
                &[&plain(&[65, 200, 66, 0])],
            ),
        ),
        ("stride", with(&ARRAY.replace("shape", "strides: [0], shape"), &[&plain(&numbers)])),
        ("mask", with(&ARRAY.replace("shape", "mask: null, shape"), &[&plain(&numbers)])),
        (
            "stored with padding",
            with(
                "a: !core/ndarray-1.1.0 {source: 0, datatype: [int8, int16], byteorder: big, shape: [1]}",
                &[&plain(&numbers)],
            ),
        ),
        ("text", inline("[1, abc]")),
        ("key", tree("a: {b: 1, b: 2}")),
        ("key", tree("a: {1.5: 1}")),
        ("key", tree("a: {null: 1}")),
        ("key", tree("a: {2001-12-14: 1}")),
        ("key", tree("a: {!!binary aGk=: 1}")),
        ("outside the range", tree("a: -9223372036854775808")),
        ("outside the range", tree("a: 123456789012345678901234567890")),
    ];
    let mut wrong = Vec::new();
    for (said, bytes) in cases {
        let found = warnings(bytes);
        if found.len() != 1 || !found[0].message.contains(said) {
            wrong.push(format!("{said}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn correct_files_cause_no_warning() {
    let numbers = [1, 2, 3, 4];
    let silent = [
        b"#ASDF 1.0.0\n".to_vec(),
        b"#ASDF 1.0.0\n%YAML 1.1\n---\na: yes\n...\n".to_vec(),
        with(ARRAY, &[&plain(&numbers), &[0; 9]]),
        with(ARRAY, &[&block(1, &[0; 4], [0; 3], [0; 16], &numbers)]),
        // Bytes inside a stream that look like a block are content of the stream.
        with(ARRAY, &[&block(1, &[0; 4], [4; 3], [0; 16], &numbers), &plain(&numbers)]),
        with(ARRAY, &[&block(0x8000_0002, &[0; 4], [4; 3], [0; 16], &numbers)]),
        with(ARRAY, &[&block(0, &[0; 4], [9, 4, 4], [0; 16], b"\x01\x02\x03\x04.....")]),
        with(ARRAY, &[&compressed(Codec::Zlib, b"zlib", &[])]),
    ];
    for bytes in silent {
        assert_eq!(warnings(bytes.clone()), [], "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_warning_tells_where() {
    let bytes = with(ARRAY, &[&block(1, &[0; 4], [4; 3], [7; 16], &[1, 2, 3, 4])]);
    let header = bytes.len() as u64 - 4 - 54;
    assert_eq!(warnings(bytes)[0].location.offset, Some(header));
    let version = &warnings(b"#ASDF 1.0.0\n#a comment\n%YAML 1.2\n---\na: 1\n...\n".to_vec())[0].location;
    assert_eq!((version.offset, version.line, version.column), (Some(23), Some(3), Some(1)));
}

#[test]
fn yaml_1_2_is_typed_as_yaml_1_1() {
    let bytes = b"#ASDF 1.0.0\n%YAML 1.2\n---\na: yes\nb: 017\n...\n".to_vec();
    let file = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    assert_eq!((root.bool("a").unwrap(), root.i64("b").unwrap()), (true, 15));
}

/// A report of an array, then of blocks from the last to the first, then of another array: each begins with the former.
#[test]
fn reports_only_append() {
    let array = "!core/ndarray-1.1.0 {source: 0, byteorder: little, datatype: int8, shape: [2], strides: [0]}";
    let odd = block(0, &[0; 4], [4, 4, 5], [0; 16], &[1, 2, 3, 4]);
    let bytes = with(&format!("a: {array}\nb: {array}"), &[&plain(&[1; 64]), &odd.repeat(3)]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.asdf");
    std::fs::write(&path, bytes).unwrap();
    let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    let mut earlier: Vec<Report> = vec![file.report()];
    let mut grows = |count: usize| {
        let report = file.report();
        let before = earlier.last().unwrap().entries();
        assert_eq!(&report.entries()[..before.len()], before);
        assert_eq!(report.entries().len(), before.len() + count);
        earlier.push(report);
    };
    root.array("a").unwrap();
    grows(1);
    for number in [3, 1, 2] {
        file.block(number).unwrap();
    }
    grows(3);
    root.array("b").unwrap();
    grows(1);
    file.check_blocks().unwrap();
    grows(0);
    root.set_i64("c", 1).unwrap();
    file.save(&WriteOptions::default()).unwrap();
    grows(0);
    file.close();
    grows(0);
}

#[test]
fn a_report_counts_the_warnings_that_were_not_kept() {
    let each = "- !core/ndarray-1.1.0 {source: 0, byteorder: little, datatype: int8, shape: [2], strides: [0]}\n";
    let bytes = with(each.repeat(3).trim_end(), &[&plain(&[1; 64]), b"garb"]);
    let file = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    for index in (0..3).chain(0..3) {
        root.array(&index.to_string()).unwrap();
    }
    file.check_blocks().unwrap();
    let (warnings, report) = (file.warnings(), file.report());
    assert_eq!((warnings.len(), report.entries().len(), report.dropped()), (5, 5, 0));
    for (warning, entry) in warnings.iter().zip(report.entries()) {
        assert_eq!((&warning.to_string(), warning.location.offset), (&entry.text, entry.offset));
    }

    let repeated: Vec<String> = (0..130).map(|number| format!("- {{a: {number}, a: 1}}")).collect();
    let file = File::open_memory(Arc::new(with(&repeated.join("\n"), &[])), &OpenOptions::default()).unwrap();
    let report = file.report();
    assert_eq!(
        (report.entries().len() as u64 + report.dropped(), file.warnings().len()),
        (131, report.entries().len())
    );
    assert!(report.dropped() > 0);

    // Each block is irregular and is checked twice.
    let odd = block(0, &[0; 4], [4, 4, 5], [0; 16], &[1, 2, 3, 4]);
    let file = File::open_memory(Arc::new(with("{}", &[&odd.repeat(1200)])), &OpenOptions::default()).unwrap();
    file.check_blocks().unwrap();
    file.check_blocks().unwrap();
    let report = file.report();
    assert_eq!((report.entries().len(), report.dropped()), (1000, 200));
}
