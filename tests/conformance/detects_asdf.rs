//! Test of the conformance program: every alteration of a correct manifest must make it fail.

use crate::hex::hex;
use crate::verdict::Verdict;
use crate::{manifest, pairs, typed_json};
use asdfkit::internals::md5;
use serde_json::{Value, json};
use std::path::Path;

const HEAD: &str =
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n# by hand\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

const TREE: &str = "
nothing: ~
truth: yes
number: 0x1F
float: -0.5
text: é
bytes: !!binary AQI=
date: 2020-01-02
time: 2020-01-02 03:04:05.5+01:30
list: &l [1, {a: 2}]
again: *l
1: one
false: key
reference: {$ref: '#/list/1'}
foreign: !<tag:example.org,2024:thing> {x: 5}
word: !<tag:example.org,2024:word> 5
complex: !core/complex-1.0.0 1-0.5j
integer: !core/integer-1.1.0 {sign: '-', words: !core/ndarray-1.1.0 {data: [0, 1], datatype: uint32}}
stored: !core/ndarray-1.1.0 {source: 0, datatype: int16, byteorder: big, shape: [2]}
floats: !core/ndarray-1.1.0 {source: 1, datatype: float64, byteorder: little, shape: [1, 2]}
inline: !core/ndarray-1.1.0 [!core/complex-1.0.0 1+2j]
flags: !core/ndarray-1.1.0 [[true], [false]]
masked: !core/ndarray-1.1.0 {data: [5, 6], datatype: int8, mask: 6}
...
";

/// A block with three bytes of slack after its payload.
fn block(flags: u32, payload: &[u8], checksum: [u8; 16]) -> Vec<u8> {
    let size = payload.len() as u64;
    let mut block = b"\xD3BLK\0\x30".to_vec();
    block.extend(flags.to_be_bytes());
    block.extend([0; 4]);
    for size in [size + 3, size, size] {
        block.extend(size.to_be_bytes());
    }
    block.extend(checksum);
    block.extend(payload);
    block.extend([0; 3]);
    block
}

fn described_block(offset: usize, flags: u32, payload: &[u8], checksum: [u8; 16]) -> Value {
    let kind = match checksum {
        checksum if checksum == md5(payload) => "md5_used",
        [0, ..] => "none",
        _ => "other",
    };
    let size = payload.len();
    json!({
        "offset": offset, "header_size": 48, "flags": flags, "compression": "", "allocated_size": size + 3,
        "used_size": size, "data_size": size, "checksum": hex(&checksum), "checksum_kind": kind,
    })
}

fn described_array(shape: Value, datatype: Value, byteorder: Value, elements: &[u8], first: Value) -> Value {
    json!({"ndarray": {
        "shape": shape, "datatype": datatype, "byteorder": byteorder, "nbytes": elements.len(),
        "md5_le": hex(&md5(elements)), "first": first,
    }})
}

/// Writes a file with this content and returns its entry for the manifest.
fn entry(directory: &Path, name: &str, content: &[u8], expect: &str, blocks: Value, values: Option<Value>) -> Value {
    std::fs::write(directory.join(name), content).unwrap();
    let mut entry = json!({
        "file": name, "size": content.len(), "md5": hex(&md5(content)), "expect": expect, "blocks": blocks,
        "python": {"outcome": "ok", "standard": "1.6.0", "comments": ["ASDF_STANDARD 1.6.0", "by hand"]},
    });
    if let Some(values) = values {
        entry["values"] = values;
    }
    entry
}

fn full_entry(directory: &Path) -> Value {
    let (integers, floats) = ([0xFF, 0xFE, 0x01, 0x02], [[0; 8], 1.5f64.to_le_bytes()].concat());
    let mut content = format!("{HEAD}{}", &TREE[1..]).into_bytes();
    let offsets = [content.len(), content.len() + 54 + 4 + 3];
    content.extend(block(2, &integers, md5(&integers)));
    content.extend(block(0, &floats, [0; 16]));
    let blocks =
        [described_block(offsets[0], 2, &integers, md5(&integers)), described_block(offsets[1], 0, &floats, [0; 16])];
    let complex: Vec<u8> = [1f64, 2.0].into_iter().flat_map(f64::to_le_bytes).collect();
    let mut masked = described_array(json!([2]), json!("int8"), json!(null), &[5, 6], json!([5, 6]));
    masked["ndarray"]["mask_md5"] = json!(hex(&md5(&[0, 1])));
    masked["ndarray"]["mask_count"] = json!(1);
    let values = json!({"map": [
        [{"str": "nothing"}, {"null": null}],
        [{"str": "truth"}, {"bool": true}],
        [{"str": "number"}, {"int": "31"}],
        [{"str": "float"}, {"float": "-0x1.0000000000000p-1"}],
        [{"str": "text"}, {"str": "é"}],
        [{"str": "bytes"}, {"binary": "0102"}],
        [{"str": "date"}, {"date": "2020-01-02"}],
        [{"str": "time"}, {"timestamp": "2020-01-02T03:04:05.500000+01:30"}],
        [{"str": "list"}, {"seq": [{"int": "1"}, {"map": [[{"str": "a"}, {"int": "2"}]]}]}],
        [{"str": "again"}, {"alias_of": "/list"}],
        [{"int": "1"}, {"str": "one"}],
        [{"bool": false}, {"str": "key"}],
        [{"str": "reference"}, {"ref": {"$ref": "#/list/1"}}],
        [{"str": "foreign"}, {"tagged": {"tag": "tag:example.org,2024:thing", "value": {"map": [[{"str": "x"}, {"int": "5"}]]}}}],
        [{"str": "word"}, {"tagged": {"tag": "tag:example.org,2024:word", "value": {"str": "5"}}}],
        [{"str": "complex"}, {"complex": ["0x1.0000000000000p+0", "-0x1.0000000000000p-1"]}],
        [{"str": "integer"}, {"integer": "-4294967296"}],
        [{"str": "stored"}, described_array(json!([2]), json!("int16"), json!("big"), &[0xFE, 0xFF, 0x02, 0x01], json!([-2, 258]))],
        [{"str": "floats"}, described_array(json!([1, 2]), json!("float64"), json!("little"), &floats,
            json!(["0x0.0p+0", "0x1.8000000000000p+0"]))],
        [{"str": "inline"}, described_array(json!([1]), json!("complex128"), json!(null), &complex,
            json!([["0x1.0000000000000p+0", "0x1.0000000000000p+1"]]))],
        [{"str": "flags"}, described_array(json!([2, 1]), json!("bool8"), json!(null), &[1, 0], json!([true, false]))],
        [{"str": "masked"}, masked],
    ]});
    entry(directory, "full.asdf", &content, "ok", json!(blocks), Some(values))
}

/// An array of records.
fn record_entry(directory: &Path) -> Value {
    let tree = "d: !core/ndarray-1.1.0\n  source: 0\n  byteorder: big\n  shape: [2]\n  datatype:\n  - {name: a, datatype: \
                int16, byteorder: little}\n  - {datatype: [ascii, 2]}\n  - {name: c, datatype: [int16], shape: [2]}\n...\n";
    let mut content = format!("{HEAD}{tree}").into_bytes();
    let stored = [1, 2, b'a', b'b', 3, 4, 5, 6].repeat(2);
    let little = [1, 2, b'a', b'b', 4, 3, 6, 5].repeat(2);
    let blocks = json!([described_block(content.len(), 0, &stored, md5(&stored))]);
    content.extend(block(0, &stored, md5(&stored)));
    let datatype = json!([
        {"name": "a", "datatype": "int16", "byteorder": "little"},
        {"name": "f1", "datatype": ["ascii", 2]},
        {"name": "c", "datatype": [{"name": "f0", "datatype": "int16", "byteorder": "big"}], "shape": [2]},
    ]);
    let array = described_array(json!([2]), datatype, json!(null), &little, json!([]));
    let values = json!({"map": [[{"str": "d"}, array]]});
    entry(directory, "record.asdf", &content, "ok", blocks, Some(values))
}

/// Arrays with a mask: a number, another array by reference, null.
fn mask_entry(directory: &Path) -> Value {
    let tree = "n: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: [4], mask: 98}\n\
                r: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: [2, 2], mask: {$ref: '#/m'}}\n\
                m: !core/ndarray-1.1.0 {data: [0, 1], datatype: uint8}\n\
                i: !core/ndarray-1.1.0 {data: [97, null], datatype: uint8}\n...\n";
    let mut content = format!("{HEAD}{tree}").into_bytes();
    let blocks = json!([described_block(content.len(), 0, b"abcd", md5(b"abcd"))]);
    content.extend(block(0, b"abcd", md5(b"abcd")));
    let array = |shape: Value, elements: &[u8], mask: &[u8]| {
        let mut array = described_array(shape, json!("uint8"), json!(null), elements, json!(elements));
        if !mask.is_empty() {
            array["ndarray"]["mask_md5"] = json!(hex(&md5(mask)));
            array["ndarray"]["mask_count"] = json!(mask.iter().sum::<u8>());
        }
        array
    };
    let values = json!({"map": [
        [{"str": "n"}, array(json!([4]), b"abcd", &[0, 1, 0, 0])],
        [{"str": "r"}, array(json!([2, 2]), b"abcd", &[0, 1, 0, 1])],
        [{"str": "m"}, array(json!([2]), &[0, 1], &[])],
        [{"str": "i"}, array(json!([2]), b"a\0", &[0, 1])],
    ]});
    entry(directory, "mask.asdf", &content, "ok", blocks, Some(values))
}

fn run(directory: &Path, entry: &Value) -> Verdict {
    let path = directory.join("manifest.json");
    std::fs::write(&path, json!({"files": [entry]}).to_string()).unwrap();
    manifest::run(&path).unwrap().pop().unwrap().1
}

/// Returns the entry with one thing altered, in all variants, each with a description of the alteration.
fn alterations(entry: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(pointer) = pending.pop() {
        let value = entry.pointer(&pointer).unwrap();
        let key = pointer.rsplit('/').next().unwrap_or_default();
        let mut altered = Vec::new();
        match value {
            // The outcome in Python is not compared, and expectations have their own test.
            _ if matches!(key, "outcome" | "expect") => {}
            Value::Null => {}
            Value::Bool(value) => altered.push(json!(!value)),
            Value::Number(number) => altered.push(json!(number.as_i64().unwrap() + 1)),
            Value::String(text) => altered.push(json!(format!("{text}x"))),
            Value::Array(items) => {
                pending.extend((0..items.len()).map(|index| format!("{pointer}/{index}")));
                if !items.is_empty() && key != "first" {
                    altered.push(json!(items[..items.len() - 1]));
                }
            }
            Value::Object(object) => {
                pending.extend(object.keys().map(|key| format!("{pointer}/{}", key.replace('/', "~1"))));
                if let Some((kind, content)) = typed_json::kind(value).filter(|(kind, _)| *kind != "$ref") {
                    let other = if kind == "str" { "int" } else { "str" };
                    altered.push(json!({other: content}));
                }
            }
        }
        for value in altered {
            let mut copy = entry.clone();
            *copy.pointer_mut(&pointer).unwrap() = value;
            found.push((pointer.clone(), copy));
        }
    }
    found
}

#[test]
fn every_altered_value_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for entry in [full_entry(directory), record_entry(directory), mask_entry(directory)] {
        match run(directory, &entry) {
            Verdict::Passed => {}
            Verdict::Failed(reason) => panic!("{reason}"),
            Verdict::Skipped => panic!("skipped"),
        }
        let altered = alterations(&entry);
        assert!(altered.len() > 30);
        for (pointer, altered) in altered {
            assert!(matches!(run(directory, &altered), Verdict::Failed(_)), "{pointer} of {altered:#}");
        }
    }
}

#[test]
fn a_mask_that_is_not_expected_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    for pair in [0, 2] {
        let mut entry = mask_entry(directory.path());
        let array = entry["values"]["map"][pair][1]["ndarray"].as_object_mut().unwrap();
        let (mask, count) = (array.remove("mask_md5"), array.remove("mask_count"));
        if mask.or(count).is_none() {
            array.insert("mask_md5".to_owned(), json!(hex(&md5(&[0, 0]))));
            array.insert("mask_count".to_owned(), json!(0));
        }
        let Verdict::Failed(reason) = run(directory.path(), &entry) else { panic!() };
        assert!(reason.contains("having a mask"), "{reason}");
    }
}

#[test]
fn identities_are_compared() {
    let directory = tempfile::tempdir().unwrap();
    let mut entry = full_entry(directory.path());
    let list = entry["values"]["map"][8][1].clone();
    entry["values"]["map"][9][1] = list;
    let Verdict::Failed(reason) = run(directory.path(), &entry) else { panic!() };
    assert!(reason.starts_with("/again: is the same node as /list"), "{reason}");
}

#[test]
fn every_other_expectation_is_noticed() {
    let temporary = tempfile::tempdir().unwrap();
    let directory = temporary.path();
    let one = || Some(json!({"map": [[{"str": "a"}, {"int": "1"}]]}));
    let file = |tree: &str| format!("{HEAD}{tree}...\n").into_bytes();
    let array = "a: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: [2]}\n";
    let mut bad_checksum = file(array);
    let blocks = json!([described_block(bad_checksum.len(), 0, b"ab", [7; 16])]);
    bad_checksum.extend(block(0, b"ab", [7; 16]));
    let value = json!({"map": [[{"str": "a"}, described_array(json!([2]), json!("uint8"), json!(null), b"ab", json!([97, 98]))]]});
    let none = || json!([]);
    let entries = [
        entry(directory, "ok.asdf", &file("a: 1\n"), "ok", none(), one()),
        entry(directory, "warn.asdf", &file("a: 0\na: 1\n"), "warn", none(), one()),
        entry(directory, "error.asdf", &file("a: 1\nb: *undefined\n"), "error", none(), None),
        entry(directory, "access.asdf", &file("a: !core/complex-1.0.0 one\n"), "error-on-access", none(), None),
        entry(directory, "verify.asdf", &bad_checksum, "error-on-verify", blocks, Some(value)),
    ];
    for entry in &entries {
        for expect in ["ok", "warn", "error", "error-on-access", "error-on-verify", "other"] {
            let right = entry["expect"] == expect;
            // A reader may refuse a file that it could read with a warning.
            if (&entry["expect"], expect) == (&json!("warn"), "error") {
                continue;
            }
            let mut altered = entry.clone();
            altered["expect"] = json!(expect);
            let verdict = run(directory, &altered);
            assert_eq!(matches!(verdict, Verdict::Passed), right, "{} as {expect}", entry["file"]);
            assert_eq!(matches!(verdict, Verdict::Failed(_)), !right, "{} as {expect}", entry["file"]);
        }
    }
}

#[test]
fn pairs_that_differ_are_noticed() {
    let temporary = tempfile::tempdir().unwrap();
    let directory = temporary.path();
    let tree = &TREE[1..];
    let inline = tree
        .replace("{source: 0, datatype: int16, byteorder: big, shape: [2]}", "[-2, 258]")
        .replace("{source: 1, datatype: float64, byteorder: little, shape: [1, 2]}", "[[0.0, 1.5]]");
    full_entry(directory);
    let run = |inline: &str| {
        std::fs::write(directory.join("full.yaml"), format!("{HEAD}{inline}")).unwrap();
        pairs::run(directory).unwrap().pop().unwrap().1
    };
    assert!(matches!(run(&inline), Verdict::Passed));
    for (from, to) in [
        ("nothing: ~", "nothing: 0"),
        ("truth: yes", "truth: no"),
        ("0x1F", "0x1E"),
        ("-0.5\n", "0.5\n"),
        ("é", "e"),
        ("AQI=", "AQE="),
        ("2020-01-02\n", "2020-01-03\n"),
        ("&l [1, {a: 2}]", "&l [1, {b: 2}]"),
        ("&l [1, {a: 2}]", "&l [1, {a: 2}, 3]"),
        ("1: one", "'1': one"),
        ("{x: 5}", "{x: '5'}"),
        ("word> 5", "words> 5"),
        ("1-0.5j", "1+0.5j"),
        ("[-2, 258]", "[-2, 257]"),
        ("[-2, 258]", "[[-2, 258]]"),
        ("[[0.0, 1.5]]", "[[-0.0, 1.5]]"),
        ("[[0.0, 1.5]]", "[[.nan, 1.5]]"),
        ("[[true], [false]]", "[[true], [true]]"),
        ("flags:", "other:"),
        ("mask: 6", "mask: 5"),
        (", mask: 6", ""),
    ] {
        assert_eq!(inline.matches(from).count(), 1, "{from}");
        assert!(matches!(run(&inline.replace(from, to)), Verdict::Failed(_)), "{from} as {to}");
    }
}
