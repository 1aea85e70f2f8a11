//! Trees of the small files that users reported (`tests/corpora/reports`), and of their kind.

use asdfkit::array::{Array, Datatype, ReadOptions, Region};
use asdfkit::file::{ArrayOptions, File, NewOptions, OpenOptions, StandardVersion, Storage, WriteOptions};
use asdfkit::table::ecsv::{self, TableReader};
use asdfkit::{Result, Status};
use std::path::PathBuf;
use std::sync::Arc;

fn report(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/reports")).join(name)
}

fn text_of(standard: &str, tree: &str) -> String {
    format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD {standard}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}...\n"
    )
}

/// Opens a file with this tree.
fn open(standard: &str, tree: &str) -> Result<File> {
    File::open_memory(Arc::new(text_of(standard, tree).into_bytes()), &OpenOptions::default())
}

/// Opens a file with this tree for changes.
fn update(tree: &str) -> (File, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    std::fs::write(&path, text_of("1.6.0", tree)).unwrap();
    (File::open_for_update(&path, &OpenOptions::default()).unwrap(), folder)
}

#[test]
fn a_key_without_a_value_of_its_type_is_an_error_with_a_position() {
    for (name, status) in
        [("y1_key_tag_crash.asdf", Status::TagContent), ("k2_key_hex_10001_digits_no_tag.asdf", Status::Limit)]
    {
        let error = File::open(report(name)).err().unwrap();
        assert_eq!((error.status(), error.location().line.is_some()), (status, true), "{name}: {error}");
        assert!(error.location().column.is_some() && error.location().path.is_some(), "{name}: {error}");
    }
    let digits = "1".repeat(10_001);
    for key in ["!!int x", "!!float x", "!!bool 2", "!!binary =", "!!timestamp x", &format!("? 0x{digits}"), "!!int ''"]
    {
        for tree in [
            format!("{{{key} : 1}}"),
            format!("[{{a: {{b: {{{key} : {{c: 1}}}}}}}}]"),
            format!("{{m: {{<<: {{{key} : 1}}}}}}"),
            format!("{{a: &a {}, b: {{*a : 1}}}}", key.trim_start_matches("? ")),
        ] {
            let error = open("1.6.0", &format!("x: {tree}\n")).err().unwrap();
            assert!(matches!(error.status(), Status::TagContent | Status::Limit), "{tree:.80}: {error:.200}");
            assert!(error.location().line.is_some() && error.location().path.is_some(), "{tree:.80}");
            let table =
                format!("# %ECSV 1.0\n# ---\n# datatype:\n# - {{name: a, datatype: int64}}\n# meta: {tree}\na\n1\n");
            let error =
                TableReader::of_memory(Arc::new(table.into_bytes()), &ecsv::ReadOptions::default()).err().unwrap();
            assert!(error.location().line.is_some(), "{tree:.80}: {error:.200}");
        }
    }
}

#[test]
fn a_tag_that_would_spoil_a_key_is_refused() {
    let (file, _folder) = update("a: &a '0x10'\nb: {*a : 1, 16: 2}\nc: text\n");
    let root = file.root().unwrap();
    for (path, tag, status) in [
        ("a", "tag:yaml.org,2002:int", Status::InvalidArgument),
        ("a", "tag:yaml.org,2002:bool", Status::TagContent),
        ("c", "tag:yaml.org,2002:int", Status::TagContent),
    ] {
        assert_eq!(root.set_tag(path, Some(tag)).unwrap_err().status(), status, "{path} {tag}");
        assert_eq!((root.i64("b/0x10").unwrap(), root.i64("b/16").unwrap()), (1, 2));
    }
    root.remove("b/16").unwrap();
    root.set_tag("a", Some("tag:yaml.org,2002:int")).unwrap();
    assert_eq!(root.i64("b/16").unwrap(), 1);
}

#[test]
fn a_replaced_mapping_with_a_merge_key_changes_no_other_mapping() {
    const TREE: &str = "p: {}\nq: {}\nz: {x: 1, x: 2}\na: {<<: {m: 1}}\nc: {<<: {k: 5}}\n";
    for scalars_before in 0..9 {
        for edit in 0..5 {
            let (file, _folder) = update(TREE);
            let root = file.root().unwrap();
            for number in 0..scalars_before {
                root.set_i64(&format!("n{number}"), number).unwrap();
            }
            match edit {
                0 => root.set_string("a", "text").unwrap(),
                1 => root.remove("a").unwrap(),
                2 => root.set_sequence("a", true).unwrap(),
                3 => root.move_to("a", "p/a").unwrap(),
                _ => root.copy_from("a", &root.at("q").unwrap(), None).unwrap(),
            }
            root.set_i64("last", 1).unwrap();
            assert_eq!((root.i64("z/x").unwrap(), root.i64("c/k").unwrap()), (2, 5), "{edit}");
        }
    }
}

#[test]
fn values_in_the_tree_have_no_byte_order() {
    let record = |x: &str, y: &str| {
        format!(
            "x: !core/ndarray-1.0.0\n  data: [[7, 1.5, [ab, [1, 2]]], [8, 2.5, ['\u{e9}', [3, 4]]]]\n  datatype:\n  \
             - {{name: i, datatype: int32, byteorder: {x}}}\n  - {{name: f, datatype: float64, byteorder: {y}}}\n  \
             - {{name: r, byteorder: {y}, datatype: [{{name: t, datatype: [ucs4, 2], byteorder: {x}}}, \
             {{name: n, datatype: int16, shape: [2], byteorder: {y}}}]}}\n  byteorder: {y}\n  shape: [2]\n"
        )
    };
    for (x, y) in [("big", "big"), ("big", "little"), ("little", "big"), ("little", "little")] {
        let (file, folder) = update(&record(x, y));
        check_records(&file.root().unwrap().array("x").unwrap());
        // The description, with its byte orders, stays when the elements move to a block and back.
        for storage in [Storage::Internal, Storage::Inline] {
            let options = ArrayOptions { storage, ..ArrayOptions::default() };
            file.root().unwrap().set_storage("x", &options).unwrap();
            check_records(&file.root().unwrap().array("x").unwrap());
            file.save(&WriteOptions::default()).unwrap();
            let saved = File::open(folder.path().join("file.asdf")).unwrap();
            check_records(&saved.root().unwrap().array("x").unwrap());
        }
    }
    let file = File::open(report("inline_record_big.asdf")).unwrap();
    let array = file.root().unwrap().array("a").unwrap();
    assert_eq!(array.field("x").unwrap().read_vec::<i32>().unwrap(), [7, 8]);
    assert_eq!(array.field("y").unwrap().read_vec::<f64>().unwrap(), [1.5, 2.5]);
}

fn check_records(array: &Array) {
    assert_eq!(array.field("i").unwrap().read_vec::<i32>().unwrap(), [7, 8]);
    assert_eq!(array.field("f").unwrap().read_vec::<f32>().unwrap(), [1.5, 2.5]);
    let region = Region { start: &[1], count: &[1], step: None };
    let last = array.field("i").unwrap().read_vec_with::<i64>(Some(&region), &ReadOptions::default()).unwrap();
    assert_eq!(last, [8]);
    let inner = array.field("r").unwrap();
    assert_eq!(inner.field("n").unwrap().read_vec::<i16>().unwrap(), [1, 2, 3, 4]);
    let texts = inner.field("t").unwrap();
    let mut bytes = [0; 16];
    texts.read(&Datatype::Ucs4(2), &mut bytes, &ReadOptions::default()).unwrap();
    let characters: Vec<u32> = bytes.as_chunks().0.iter().map(|&bytes| u32::from_ne_bytes(bytes)).collect();
    assert_eq!(characters, ['a' as u32, 'b' as u32, 0xE9, 0]);
}

#[test]
fn block_scalars_of_line_breaks_keep_what_their_header_says() {
    let file = File::open(report("y2_keep_only_breaks.asdf")).unwrap();
    let root = file.root().unwrap();
    assert_eq!((root.string("a").unwrap(), root.string("b").unwrap()), ("\n\n".into(), "\n".into()));
    for header in ["|+", ">+", "|+2", ">1+", "|", ">-", "|2", ">-1"] {
        for breaks in 0..4 {
            for blanks in ["", " "] {
                let body = format!("{blanks}\n").repeat(breaks);
                let file = open("1.6.0", &format!("m:\n  x: {header}\n{body}  y: 1\nz: {header}\n{body}")).unwrap();
                let kept = if header.contains('+') { "\n".repeat(breaks) } else { String::new() };
                let root = file.root().unwrap();
                let found = [root.string("m/x").unwrap(), root.string("z").unwrap()];
                assert_eq!(found, [&*kept, &*kept], "{header} {body:?}");
            }
        }
    }
}

#[test]
fn paths_reach_into_ordered_mappings_and_lists_of_pairs() {
    let file = File::open(report("omap.asdf")).unwrap();
    assert_eq!(file.root().unwrap().f64("meta/BoxSize").unwrap(), 32.0);
    let file =
        open("1.6.0", "m: !!omap [{a: {b: 1}}, {2: c}]\np: !!pairs [{k: 1}, {k: 2}]\ns: !!set {x, y}\n").unwrap();
    let root = file.root().unwrap();
    assert_eq!(root.i64("m/a/b").unwrap(), 1);
    assert_eq!(root.i64("m/0/a/b").unwrap(), 1);
    assert_eq!(root.i64("p/k").unwrap(), 1);
    assert!(root.exists("s/x").unwrap());
    for (path, status) in [("m/z", Status::NotFound), ("m/2", Status::NotFound), ("p/z", Status::NotFound)] {
        assert_eq!(root.at(path).err().map(|error| error.status()), Some(status), "{path}");
    }
    let (file, _folder) = update("m: !!omap\n- a: 1\n- b: 2\n");
    file.root().unwrap().set_i64("m/b", 3).unwrap();
    file.save(&WriteOptions::default()).unwrap();
    assert!(file.root().unwrap().to_yaml("").unwrap().contains("m: !!omap\n- a: 1\n- b: 3\n"));
}

#[test]
fn keys_of_any_type_are_printed_and_copied_within_old_standards() {
    let file = File::open(report("float_key.asdf")).unwrap();
    let root = file.root().unwrap();
    assert!(root.to_yaml("data").unwrap().contains("1.5: a"), "{}", root.to_yaml("data").unwrap());
    for (standard, status) in [(StandardVersion::V1_5_0, None), (StandardVersion::V1_6_0, Some(Status::Tree))] {
        let target = File::new(&NewOptions { standard, ..NewOptions::default() });
        let copied = target.root().unwrap().copy_from("data", &root.at("data").unwrap(), None);
        assert_eq!(copied.err().map(|error| error.status()), status);
        if status.is_none() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("copy.asdf");
            target.write(&path, &WriteOptions::default()).unwrap();
            let copy = File::open(&path).unwrap();
            assert_eq!(copy.root().unwrap().string("data/1.5").unwrap(), "a");
        }
    }
}
