//! Test of the conformance program for descriptions: every alteration of a correct manifest must make it fail.

use crate::ndl;
use crate::verdict::Verdict;
use serde_json::{Value, json};
use std::path::Path;

const TEXT: &str = "\
/:
  attributes: {n: 1, s: {shape: [2], type: string, value: [a, b], storage: {charset: ascii}}}
/g:
  dimcoords:
    t: {size: null, type: float32, storage: {size: 2, chunk: [4]}, value: [0.1, .nan]}
  ndarrays:
    a:
      shape: [t, 3]
      type:
        compound:
          - k: {enum: {members: {OFF: 0, ON: 200}}}
          - o: {opaque: {size: 2, tag: raw}}
          - m: {array: {base: int16, shape: [2]}}
      storage: {endian: big, filter: [shuffle, {deflate: {level: 4}}], fillvalue: [OFF, AA==, [1, 2]]}
    r: {shape: [], type: {regref: {selection: block}}, value: {target: /g/a, start: [1, 1], opposite: [0, 2]}}
    e: {shape: [2], type: {regref: {selection: element}}, value: [{target: /g/a, selection: [[0, 1]]}, null]}
    p: {shape: [2], type: objref, value: [/g, null], storage: {shape: [2]}}
    v: {shape: [1], type: {vlen: {base: uint64}}, value: [[18446744073709551615]]}
    w: {shape: [1], value: [-1]}
";

const CANONICAL: &str = r#"/:
  attributes:
    "n": 1
    s:
      shape: [2]
      type: string
      storage:
        charset: ascii
      value: [a, b]
/g:
  dimcoords:
    t:
      size: null
      type: float32
      storage:
        size: 2
        chunk: [4]
      value: [0.1, .nan]
  ndarrays:
    a:
      shape: [/g/t, 3]
      type:
        compound:
          - k:
              enum:
                base: uint8
                members:
                  "OFF": 0
                  "ON": 200
          - o:
              opaque:
                size: 2
                tag: raw
          - m:
              array:
                base: int16
                shape: [2]
      storage:
        filter: [shuffle, {deflate: {"level": 4}}]
        endian: big
        fillvalue: ["OFF", "AA==", [1, 2]]
    r:
      shape: []
      type:
        regref:
          selection: block
      value: {target: /g/a, start: [0, 1], opposite: [1, 2]}
    e:
      shape: [2]
      type:
        regref:
          selection: element
      value: [{target: /g/a, selection: [[0, 1]]}, null]
    p:
      shape: [2]
      type: objref
      storage:
        shape: [2]
      value: [/g, null]
    v:
      shape: [1]
      type:
        vlen:
          base: uint64
      value: [[18446744073709551615]]
    w:
      shape: [1]
      type: int32
      value: [-1]
"#;

/// The manifest entry for [`TEXT`].
fn entry() -> Value {
    let block = json!({"regref": {"selection": "block"}});
    let kind = json!({"enum": {"base": "uint8", "members": {"OFF": 0, "ON": 200}, "inferred": true}});
    let members = json!([
        ["k", kind],
        ["o", {"opaque": {"size": 2, "tag": "raw"}}],
        ["m", {"array": {"base": "int16", "shape": [2]}}],
    ]);
    let none = || json!({});
    let size =
        |elements: Value, item: Value, bytes: Value| json!({"elements": elements, "itemsize": item, "bytes": bytes});
    json!({
        "file": "full.yaml",
        "kind": "document",
        "valid": true,
        "strict_valid": false,
        "diagnostics": [["warning", "W-TYPE-MISSING", "/g/w", 19]],
        "model": {
            "form": "grouped",
            "groups": {
                "/": {"listed": true, "attributes": {
                    "n": {"type": "int32", "shape": [], "value": 1, "short": true},
                    "s": {"type": "string", "shape": [2], "value": ["a", "b"], "storage": {"charset": "ascii"}},
                }},
                "/g": {"listed": true, "attributes": {}},
            },
            "dimcoords": {
                "/g/t": {"size": null, "type": "float32", "storage": {"size": 2, "chunk": [4]}, "value": [0.1, "nan"],
                    "attributes": none()},
            },
            "ndarrays": {
                "/g/a": {"shape": [null, 3], "dims": ["/g/t", null], "type": {"compound": members}, "storage": {
                    "endian": "big", "filter": ["shuffle", {"deflate": {"level": 4}}], "fillvalue": ["OFF", "AA==", [1, 2]],
                }, "attributes": none()},
                "/g/r": {"shape": [], "dims": [], "type": block, "attributes": none(),
                    "value": {"target": "/g/a", "blocks": [[[0, 1], [1, 2]]]}},
                "/g/e": {"shape": [2], "dims": [null], "type": {"regref": {"selection": "element"}}, "attributes": none(),
                    "value": [{"target": "/g/a", "elements": [[0, 1]]}, null]},
                "/g/p": {"shape": [2], "dims": [null], "type": "objref", "value": ["/g", null],
                    "storage": {"shape": [2]}, "attributes": none()},
                "/g/v": {"shape": [1], "dims": [null], "type": {"vlen": {"base": "uint64"}},
                    "value": [[u64::MAX]], "attributes": none()},
                "/g/w": {"shape": [1], "dims": [null], "type": "int32", "type_inferred": true, "value": [-1],
                    "attributes": none()},
            },
        },
        "sizes": {
            "/g/t": size(json!(2), json!(4), json!(8)),
            "/g/a": size(json!(null), json!(7), json!(null)),
            "/g/r": size(json!(1), json!(null), json!(null)),
            "/g/e": size(json!(2), json!(null), json!(null)),
            "/g/p": size(json!(2), json!(null), json!(null)),
            "/g/v": size(json!(1), json!(null), json!(null)),
            "/g/w": size(json!(1), json!(4), json!(4)),
        },
        "canonical": CANONICAL,
        "equals": "same.yaml",
    })
}

fn run(directory: &Path, entry: &Value) -> Verdict {
    let path = directory.join("manifest.json");
    std::fs::write(&path, json!({"samples": [entry]}).to_string()).unwrap();
    ndl::run(&path).unwrap().pop().unwrap().1
}

fn expect_pass(directory: &Path, entry: &Value) {
    if let Verdict::Failed(reason) = run(directory, entry) {
        panic!("{reason}");
    }
}

/// Returns the entry with one thing altered, in all variants, each with the place of the alteration.
fn alterations(entry: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut pending = vec![String::new()];
    while let Some(pointer) = pending.pop() {
        let mut altered = Vec::new();
        match entry.pointer(&pointer).unwrap() {
            Value::Null => altered.push(json!(1)),
            Value::Bool(value) => altered.push(json!(!value)),
            Value::Number(number) => altered.push(json!(number.as_f64().unwrap() / 2.0 + 1.25)),
            Value::String(text) => altered.push(json!(format!("{text}x"))),
            Value::Array(items) => {
                pending.extend((0..items.len()).map(|index| format!("{pointer}/{index}")));
                let mut longer = items.clone();
                longer.push(json!(0));
                altered.push(json!(longer));
            }
            Value::Object(object) => {
                pending.extend(object.keys().map(|key| format!("{pointer}/{}", key.replace('/', "~1"))));
                if !pointer.is_empty() {
                    let mut larger = object.clone();
                    larger.insert("other".to_owned(), json!(null));
                    altered.push(json!(larger));
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
    std::fs::write(directory.join("full.yaml"), TEXT).unwrap();
    std::fs::write(directory.join("same.yaml"), TEXT.replace("[t, 3]", "[/g/t, 3]").replace("{n: 1,", "{n: 0x1,"))
        .unwrap();
    let entry = entry();
    expect_pass(directory, &entry);
    let altered = alterations(&entry);
    assert!(altered.len() > 150);
    for (pointer, altered) in altered {
        assert!(matches!(run(directory, &altered), Verdict::Failed(_)), "{pointer}");
    }
    std::fs::write(directory.join("same.yaml"), TEXT.replace("{n: 1,", "{n: 2,")).unwrap();
    assert!(matches!(run(directory, &entry), Verdict::Failed(_)));
}

#[test]
fn every_altered_diagnostic_and_fragment_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    std::fs::write(directory.join("type.yaml"), "type:\n  vlen:\n    base: int8\n").unwrap();
    std::fs::write(directory.join("shape.yaml"), "shape: [1, null]\n").unwrap();
    std::fs::write(directory.join("bad.yaml"), "ndarrays:\n  a: {shape: [1], type: int8, value: [1000]}\n").unwrap();
    let fragment = |file, kind, result: Value| json!({"file": file, "kind": kind, "result": result, "valid": true, "strict_valid": true, "diagnostics": []});
    for entry in [
        fragment("type.yaml", "fragment-type", json!({"vlen": {"base": "int8"}})),
        fragment("shape.yaml", "fragment-shape", json!([1, null])),
        json!({"file": "bad.yaml", "kind": "document", "valid": false, "strict_valid": false,
            "diagnostics": [["error", "E-VALUE-RANGE", "/a", 2]]}),
    ] {
        expect_pass(directory, &entry);
        for (pointer, altered) in alterations(&entry) {
            assert!(matches!(run(directory, &altered), Verdict::Failed(_)), "{pointer} of {entry}");
        }
    }
}
