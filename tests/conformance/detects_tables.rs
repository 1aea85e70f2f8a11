//! Test of the conformance program for tables: every alteration of a correct manifest must make it fail.

use crate::hex::hex;
use crate::tables;
use crate::verdict::Verdict;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;

const TABLE: &str = "# %ECSV 1.0
# ---
# datatype:
# - {name: a, unit: km / s, datatype: float64, description: d, format: f, meta: {k: 1}}
# - {name: b, datatype: string, subtype: 'int32[2,null]'}
# - {name: c, datatype: string}
# delimiter: ','
# meta: !!omap [text: x, truth: yes, nothing: ~, list: [1, 2.5, .inf], tag: !mine {k: 2}, set: !!set {m},
#   time: 2020-01-02, b: !!binary AQI=]
# schema: s
a,b,c
1.5,\"[[1],[null]]\",x
,,null
";

fn manifest(outcome: &str) -> Value {
    let column = |name, datatype, subtype: Value, kind, base, shape: Value, values: Value| {
        json!({ "name": name, "datatype": datatype, "subtype": subtype, "kind": kind, "base": base, "shape": shape,
            "values": values, "unit": null, "description": null, "format": null, "meta": null })
    };
    let mut first = column("a", "float64", Value::Null, "scalar", "float64", json!([]), json!([1.5, null]));
    for (key, value) in [("unit", json!("km / s")), ("description", json!("d")), ("format", json!("f"))] {
        first[key] = value;
    }
    first["meta"] = json!({ "k": 1 });
    first["bits"] = json!(["3ff8000000000000", null]);
    let subtype = json!("int32[2,null]");
    let second = column("b", "string", subtype, "var", "int32", json!([2, null]), json!([[[1], [null]], null]));
    let third = column("c", "string", Value::Null, "scalar", "string", json!([]), json!(["x", null]));
    let meta = json!({
        "text": "x", "truth": true, "nothing": null, "list": [1, 2.5, { "$float": "inf" }],
        "tag": { "$tag": "!mine", "$value": { "k": 2 } }, "set": { "$set": ["m"] },
        "time": { "$timestamp": "2020-01-02" }, "b": { "$binary": "AQI=" },
    });
    json!({ "samples": [{
        "id": "one", "file": "one.ecsv", "bytes": TABLE.len(), "sha256": hex(&Sha256::digest(TABLE)),
        "options": { "null_values": ["null"] },
        "expect": { "outcome": outcome, "version": "1.0", "delimiter": ",", "schema": "s", "meta": meta, "nrows": 2,
            "columns": [first, second, third] },
    }] })
}

fn passes(folder: &Path, manifest: &Value) -> bool {
    let path = folder.join("manifest.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    let verdicts = tables::run(&path).unwrap();
    assert_eq!(verdicts.len(), 1);
    match &verdicts[0].1 {
        Verdict::Passed => true,
        Verdict::Failed(reason) => {
            println!("{reason}");
            false
        }
        Verdict::Skipped => panic!("nothing is skipped"),
    }
}

/// Collects the JSON pointers of all values that contain no other values.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{at}/{index}"), found));
        }
        Value::Object(pairs) if !pairs.is_empty() => {
            pairs.iter().for_each(|(key, value)| leaves(value, &format!("{at}/{key}"), found));
        }
        _ => found.push(at.to_owned()),
    }
}

#[test]
fn whatever_is_altered_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.ecsv"), TABLE).unwrap();
    let right = manifest("ok");
    assert!(passes(folder.path(), &right));
    let mut found = Vec::new();
    leaves(&right, "", &mut found);
    assert!(found.len() > 50);
    // The name in a report, and the bits of a missing cell, do not describe the table.
    for pointer in found.iter().filter(|pointer| !pointer.ends_with("/id") && !pointer.ends_with("/bits/1")) {
        let mut altered = right.clone();
        let place = altered.pointer_mut(pointer).unwrap();
        *place = match place {
            Value::String(text) => format!("{text}x").into(),
            Value::Number(number) => (number.as_f64().unwrap() + 1.0).into(),
            Value::Bool(value) => (!*value).into(),
            _ => json!("something"),
        };
        assert!(!passes(folder.path(), &altered), "{pointer}");
    }
    assert!(!passes(folder.path(), &manifest("error")));
    let mut other = right;
    other["samples"][0]["options"] = json!({});
    assert!(!passes(folder.path(), &other), "the option is not honoured");
}
