//! Damaged files, and what is found in them.

use crate::Status;
use crate::array::ScalarType;
use crate::codec::{Codec, Compression};
use crate::file::{Access, ArrayOptions, File, Inspection, NewOptions, OpenOptions, Storage, WriteOptions};
use std::path::Path;
use std::sync::Arc;

const CORPORA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/");

fn opened(bytes: Vec<u8>) -> File {
    File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap()
}

/// Returns the statuses of problems and unchecked parts, and the notes.
fn found(file: &File) -> (Vec<Status>, Vec<Status>, Vec<String>) {
    let Inspection { problems, unchecked, notes, .. } = file.inspect(1).unwrap();
    let statuses = |errors: Vec<crate::Error>| errors.iter().map(crate::Error::status).collect();
    let verified = file.verify().err().map(|error| error.status());
    assert_eq!(verified, problems.first().map(crate::Error::status));
    (statuses(problems), statuses(unchecked), notes.iter().map(ToString::to_string).collect())
}

fn written(checksums: bool, compression: Option<Codec>) -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let options = ArrayOptions {
        compression: compression.map(|codec| Compression::new(codec, None).unwrap()),
        ..ArrayOptions::default()
    };
    let elements: Vec<u32> = (0..1000).collect();
    root.set_array_data("a", &crate::file::ArrayData::of_slice(&elements, &[1000]), &options).unwrap();
    root.set_integer("last", "1").unwrap();
    file.write_to_memory(&WriteOptions { checksums, ..WriteOptions::default() }).unwrap()
}

fn tree(text: &str) -> File {
    opened(format!("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\n{text}\n...\n").into_bytes())
}

#[test]
fn whole_files_have_no_findings() {
    for codec in [None, Some(Codec::Zlib)] {
        for checksums in [false, true] {
            let file = opened(written(checksums, codec));
            assert_eq!(found(&file), (vec![], vec![], vec![]));
            let verification = file.inspect(2).unwrap().verification;
            assert_eq!((verification.stored, verification.absent), if checksums { (1, 0) } else { (0, 1) });
        }
    }
}

#[test]
fn cut_and_damaged_blocks_are_found_without_checksums() {
    let whole = written(false, None);
    let payload = opened(whole.clone()).block(0).unwrap().payload_offset.unwrap() as usize;
    for left in [0, 1, 3999] {
        let (problems, _, _) = found(&opened(whole[..payload + left].to_vec()));
        assert_eq!(problems[0], Status::Truncated);
    }
    let mut damaged = written(false, Some(Codec::Zlib));
    let payload = opened(damaged.clone()).block(0).unwrap().payload_offset.unwrap() as usize;
    damaged[payload + 40] ^= 0xFF;
    assert_eq!(found(&opened(damaged)).0, [Status::Corrupt]);
    let mut damaged = written(true, None);
    let at = damaged.windows(3).position(|part| part == b"\xD3BL").unwrap() + 100;
    damaged[at] ^= 1;
    assert_eq!(found(&opened(damaged)).0, [Status::Checksum]);
}

#[test]
fn an_unknown_codec_is_not_damage() {
    for checksums in [false, true] {
        let mut bytes = written(checksums, Some(Codec::Zlib));
        let at = bytes.windows(4).position(|part| part == b"zlib").unwrap();
        bytes[at..at + 4].copy_from_slice(b"new1");
        let file = opened(bytes);
        assert_eq!(found(&file), (vec![], vec![Status::UnknownCodec], vec![]));
        let error = &file.inspect(1).unwrap().unchecked[0];
        assert!(error.message().contains("new1"), "{error}");
    }
}

#[test]
fn arrays_that_do_not_fit_are_found() {
    let bytes = written(true, None);
    let at = bytes.windows(6).position(|part| part == b"[1000]").unwrap();
    let mut longer = bytes.clone();
    longer[at + 1] = b'2';
    assert_eq!(found(&opened(longer)).0, [Status::Bounds]);
    let mut elsewhere = bytes;
    let at = elsewhere.windows(9).position(|part| part == b"source: 0").unwrap() + 8;
    elsewhere[at] = b'3';
    assert_eq!(
        found(&opened(elsewhere)),
        (vec![Status::BlockNotFound], vec![], vec!["no node of the tree uses block 0".to_owned()])
    );
}

#[test]
fn chunks_are_looked_at() {
    let bytes = std::fs::read(Path::new(CORPORA).join("reports/zarr_internal.asdf")).unwrap();
    assert_eq!(found(&opened(bytes.clone())), (vec![], vec![], vec![]));
    let file = opened(bytes.clone());
    let map = file.block(4).unwrap().payload_offset.unwrap() as usize;
    for number in [7_i32, -2] {
        let mut damaged = bytes.clone();
        damaged[map..map + 4].copy_from_slice(&number.to_le_bytes());
        let (problems, _, _) = found(&opened(damaged));
        let own = if number > 0 { Status::BlockNotFound } else { Status::BadArray };
        assert_eq!(problems, [Status::Checksum, own]);
    }
    let at = bytes.windows(12).position(|part| part == b"block_map: 4").unwrap() + 11;
    let mut damaged = bytes;
    damaged[at] = b'9';
    let (problems, _, notes) = found(&opened(damaged));
    assert_eq!(problems, [Status::BlockNotFound]);
    assert_eq!(notes, ["no node of the tree uses blocks 0, 1, 2, 3, 4"]);
}

#[test]
fn references_that_lead_nowhere_are_found() {
    assert_eq!(found(&tree("a: {$ref: '#/b/0'}\nb: [{$ref: '#/c'}]\nc: 1")).0, []);
    let dangling = tree("a: {$ref: '#/b/1'}\nb: [1]\nc: [{$ref: '#/d'}, {$ref: '#/c/1'}]");
    assert_eq!(found(&dangling).0, [Status::DanglingReference, Status::DanglingReference, Status::ReferenceCycle]);
    let error = &dangling.inspect(1).unwrap().problems[0];
    assert_eq!(error.location().path.as_deref(), Some("/a"), "{error}");
    assert!(error.message().contains("#/b/1"), "{error}");
    // Other files are opened only if the options allow it.
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\n";
    std::fs::write(path("there.asdf"), format!("{text}x: 1\n...\n")).unwrap();
    let list = "a: [{$ref: 'there.asdf#/x'}, {$ref: 'there.asdf#/y'}, {$ref: 'none.asdf#/x'}]";
    std::fs::write(path("main.asdf"), format!("{text}{list}\n...\n")).unwrap();
    let (problems, unchecked, _) = found(&File::open(path("main.asdf")).unwrap());
    assert_eq!((problems.len(), unchecked.len()), (0, 3));
    let options = OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() };
    let (mut problems, unchecked, _) = found(&File::open_with(path("main.asdf"), &options).unwrap());
    problems.sort_by_key(|status| status.code());
    assert_eq!(problems, [Status::FileNotFound, Status::DanglingReference]);
    assert_eq!(unchecked, []);
}

#[test]
fn bytes_at_the_end_are_noted() {
    let indexed = written(true, None);
    let bare = {
        let at = indexed.windows(11).position(|part| part == b"#ASDF BLOCK").unwrap();
        indexed[..at].to_vec()
    };
    for (bytes, rest, expected) in [
        (&indexed, &b""[..], None),
        (&bare, b"", None),
        (&indexed, b"\0\0\0", Some("3 zero bytes follow the block index")),
        (&indexed, b"junk\0", Some("5 bytes follow the block index")),
        (&indexed, b"\n", Some("1 blank byte follows the block index")),
        (&bare, b"\0\0", Some("2 zero bytes follow the last block")),
    ] {
        let (problems, unchecked, notes) = found(&opened([bytes, rest].concat()));
        assert!(problems.is_empty() && unchecked.is_empty());
        assert_eq!(notes.len(), usize::from(expected.is_some()), "{notes:?}");
        assert!(expected.is_none_or(|expected| notes[0].contains(expected)), "{notes:?}");
    }
    // Bytes that may be a damaged block are a warning.
    let junk = opened([&bare, &b"junk"[..]].concat());
    junk.inspect(1).unwrap();
    assert!(junk.warnings()[0].message.contains("neither a block nor a block index"));
}

#[test]
fn an_incomplete_last_row_is_a_warning() {
    let file = File::new(&NewOptions::default());
    let options = ArrayOptions { storage: Storage::Streamed, ..ArrayOptions::default() };
    let elements = [1_u16; 12];
    let root = file.root().unwrap();
    root.set_array_data("rows", &crate::file::ArrayData::of_slice(&elements, &[4, 3]), &options).unwrap();
    let whole = file.write_to_memory(&WriteOptions::default()).unwrap();
    let warnings = |bytes: &[u8], look: &dyn Fn(&File)| {
        let file = opened(bytes.to_vec());
        look(&file);
        file.warnings().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let look: [&dyn Fn(&File); 3] = [
        &|file| file.check_blocks().unwrap(),
        &|file| assert_eq!(file.root().unwrap().array("rows").unwrap().datatype().scalar(), Some(ScalarType::Uint16)),
        &|file| assert!(file.inspect(1).unwrap().problems.is_empty()),
    ];
    for look in look {
        assert!(warnings(&whole, look).is_empty());
        for cut in [1, 5] {
            let found = warnings(&whole[..whole.len() - cut], look);
            assert_eq!(found.len(), 1, "{found:?}");
            let expected = format!("at /rows: the last row is incomplete: the block ends with {} bytes", 6 - cut);
            assert!(found[0].contains(&expected), "{found:?}");
        }
    }
    let strict = OpenOptions { strict: true, ..OpenOptions::default() };
    File::open_memory(Arc::new(whole.clone()), &strict).unwrap();
    let cut = Arc::new(whole[..whole.len() - 1].to_vec());
    assert_eq!(File::open_memory(cut, &strict).err().unwrap().status(), Status::Strict);
}
