//! Values read and written through serde, compared with the results of `yaml_serde` for the same text.

#![cfg(feature = "serde")]

use asdfkit::file::{File, NewOptions, Node, NodeType, OpenOptions, StandardVersion, Tagged, WriteOptions};
use asdfkit::{Limits, Status};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

fn open(yaml: &str) -> Node {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{yaml}...\n"
    );
    File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
}

fn new() -> Node {
    File::new(&NewOptions::default()).root().unwrap()
}

fn status<T: DeserializeOwned + Debug>(node: &Node, path: &str) -> Status {
    node.deserialize::<T>(path).unwrap_err().status()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Meters(f64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Nothing;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Filter {
    Open,
    Band(String),
    Range(f32, f32),
    Grism { lines: u16, order: i8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Exposure {
    name: String,
    seconds: f64,
    gain: f32,
    counts: [u64; 3],
    offset: i64,
    letter: char,
    good: bool,
    note: Option<String>,
    absent: Option<u8>,
    distance: Meters,
    nothing: Nothing,
    pair: (i8, String),
    filters: Vec<Filter>,
    names: BTreeMap<String, Vec<i32>>,
    numbers: BTreeMap<i64, bool>,
    empty: Vec<u8>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Document<T> {
    value: T,
}

fn exposure() -> Exposure {
    Exposure {
        name: "M 31: \"yes\"\n# é".to_owned(),
        seconds: 139.8,
        gain: 0.1,
        counts: [0, 1, i64::MAX as u64],
        offset: i64::MIN,
        letter: 'y',
        good: true,
        note: Some("null".to_owned()),
        absent: None,
        distance: Meters(f64::INFINITY),
        nothing: Nothing,
        pair: (-3, "12".to_owned()),
        filters: vec![
            Filter::Open,
            Filter::Band("r".to_owned()),
            Filter::Range(0.25, 12.5),
            Filter::Grism { lines: 300, order: -1 },
        ],
        names: [("a/b".to_owned(), vec![1, 2]), ("~".to_owned(), vec![])].into(),
        numbers: [(-1, true), (7, false)].into(),
        empty: Vec::new(),
    }
}

#[test]
fn a_struct_is_written_so_that_both_read_it() {
    let root = new();
    root.serialize("value", &exposure()).unwrap();
    assert_eq!(root.deserialize::<Exposure>("value").unwrap(), exposure());

    let bytes = root.file().write_to_memory(&WriteOptions::default()).unwrap();
    let reopened = File::open_memory(Arc::new(bytes.clone()), &OpenOptions::default()).unwrap().root().unwrap();
    assert_eq!(reopened.deserialize::<Exposure>("value").unwrap(), exposure());

    let text = String::from_utf8(bytes).unwrap();
    let document = yaml_serde::Deserializer::from_str(&text);
    let theirs: Document<Exposure> = yaml_serde::with::singleton_map_recursive::deserialize(document).unwrap();
    assert_eq!(theirs.value, exposure());
}

#[test]
fn output_of_yaml_serde_can_be_read() {
    let mut text = Vec::new();
    let mut serializer = yaml_serde::Serializer::new(&mut text);
    let value = BTreeMap::from([("value", exposure())]);
    yaml_serde::with::singleton_map_recursive::serialize(&value, &mut serializer).unwrap();
    let root = open(std::str::from_utf8(&text).unwrap());
    assert_eq!(root.deserialize::<Exposure>("value").unwrap(), exposure());
}

#[test]
fn untyped_values_are_those_of_yaml_serde() {
    let yaml = "a: [1, -2, 3.5, true, null, text, 'quoted', 18446744073709551615, .inf]\nb: {c: {d: []}, e: {}}\n\
                f: |\n  lines\n  more\n";
    let theirs: yaml_serde::Value = yaml_serde::from_str(yaml).unwrap();
    let root = open(yaml);
    assert_eq!(root.deserialize::<yaml_serde::Value>("").unwrap(), theirs);
    let copy = new();
    copy.serialize("copy", &theirs["b"]).unwrap();
    assert_eq!(copy.deserialize::<yaml_serde::Value>("copy").unwrap(), theirs["b"]);
}

#[test]
fn tags_are_kept_by_a_wrapper() {
    let root =
        open("value: {unit: !unit/unit-1.0.0 m, plain: 3, list: !<asdf://example.org/tags/mine-1.0.0> [1, 2]}\n");
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Tags {
        unit: Tagged<String>,
        plain: Tagged<u8>,
        list: Tagged<Vec<Tagged<u8>>>,
    }
    let tags: Tags = root.deserialize("value").unwrap();
    assert_eq!(tags.unit, Tagged { tag: Some("tag:stsci.edu:asdf/unit/unit-1.0.0".to_owned()), value: "m".to_owned() });
    assert_eq!((&tags.plain.tag, tags.plain.value), (&None, 3));
    assert_eq!((tags.list.tag.as_deref(), tags.list.value[1].value), (Some("asdf://example.org/tags/mine-1.0.0"), 2));

    let copy = new();
    copy.serialize("value", &tags).unwrap();
    assert_eq!(copy.deserialize::<Tags>("value").unwrap(), tags);
    assert_eq!(copy.tag("value/list").unwrap().as_deref(), Some("asdf://example.org/tags/mine-1.0.0"));
    assert_eq!(copy.tag("value/plain").unwrap(), None);
    copy.serialize("short", &Tagged { tag: Some("!unit/unit-1.0.0".to_owned()), value: "s" }).unwrap();
    assert_eq!(copy.tag("short").unwrap(), tags.unit.tag);
    let wrong = Tagged { tag: Some("a b".to_owned()), value: 1 };
    assert_eq!(new().serialize("x", &wrong).unwrap_err().status(), Status::InvalidArgument);
    let json = serde_json::to_string(&tags.plain).unwrap();
    assert_eq!((json.as_str(), serde_json::from_str(&json).unwrap()), ("[null,3]", tags.plain));
}

#[test]
fn errors_name_the_place() {
    let root = open("value:\n  - {name: a, seconds: 1}\n  - {name: b, seconds: long}\n  - {name: c}\n");
    #[derive(Debug, Deserialize)]
    struct Item {
        #[allow(dead_code)]
        name: String,
        #[allow(dead_code)]
        seconds: f64,
    }
    let error = root.deserialize::<Vec<Item>>("value").unwrap_err();
    assert_eq!(error.status(), Status::WrongType);
    assert_eq!(error.message(), "invalid type: string \"long\", expected f64");
    let location = error.location();
    assert_eq!(location.path.as_deref(), Some("/value/1/seconds"));
    assert_eq!((location.line, location.column), (Some(8), Some(24)));
    let error = root.deserialize::<Item>("value/2").unwrap_err();
    assert_eq!((error.message(), error.location().path.as_deref()), ("missing field `seconds`", Some("/value/2")));
    let error = root.deserialize::<Filter>("value/0").unwrap_err();
    assert!(error.message().starts_with("expected the name of a variant"), "{error}");
    let error = root.deserialize::<Filter>("value/0/name").unwrap_err();
    assert!(error.message().starts_with("unknown variant `a`"), "{error}");
    assert_eq!(error.location().path.as_deref(), Some("/value/0/name"));
    assert_eq!(status::<u8>(&root, "value/7"), Status::NotFound);
}

#[test]
fn integers_of_any_size_come_back() {
    let root = new();
    let large = (u64::MAX, i128::MIN, u128::MAX, -1i128);
    root.serialize("value", &large).unwrap();
    assert_eq!(root.deserialize::<(u64, i128, u128, i128)>("value").unwrap(), large);
    assert_eq!(root.integer("value/1").unwrap(), i128::MIN.to_string());
    assert_eq!(status::<i64>(&root, "value/0"), Status::WrongType);
    assert_eq!(status::<f64>(&root, "value/0"), Status::ValueRange);
    root.set_integer("larger", &"9".repeat(60)).unwrap();
    assert_eq!(status::<u128>(&root, "larger"), Status::ValueRange);
    let old =
        File::new(&NewOptions { standard: StandardVersion::from_text("1.2.0").unwrap(), ..NewOptions::default() });
    assert_eq!(old.root().unwrap().serialize("x", &u64::MAX).unwrap_err().status(), Status::Unsupported);
}

#[test]
fn bytes_and_stored_arrays_are_refused() {
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&[1])
        }
    }
    let root = new();
    root.set_binary("bytes", &[1, 2]).unwrap();
    assert_eq!(status::<String>(&root, "bytes"), Status::Unsupported);
    assert_eq!(root.clone().serialize("x", &Bytes).unwrap_err().status(), Status::Unsupported);

    let root = open(
        "stored: !core/ndarray-1.0.0 {source: 0, datatype: int8, byteorder: big, shape: [2]}\n\
         inline: !core/ndarray-1.0.0 {data: [[1, 2], [3, 4]], datatype: int8, shape: [2, 2]}\n\
         short: !core/ndarray-1.0.0 [5, 6]\n",
    );
    assert_eq!(status::<Vec<i8>>(&root, "stored"), Status::Unsupported);
    assert_eq!(root.deserialize::<Vec<Vec<i8>>>("inline").unwrap(), [[1, 2], [3, 4]]);
    assert_eq!(root.deserialize::<Vec<i8>>("short").unwrap(), [5, 6]);
}

#[test]
fn aliases_are_followed_and_depth_is_bounded() {
    #[derive(Debug, Default, Serialize, Deserialize)]
    struct Nested {
        inner: Option<Box<Nested>>,
    }
    let root = open("a: &a {x: 1}\nb: [*a, *a]\nloop: &loop {inner: *loop}\nref: {$ref: '#/a/x'}\n");
    assert_eq!(root.deserialize::<Vec<BTreeMap<String, u8>>>("b").unwrap().len(), 2);
    assert_eq!(root.deserialize::<u8>("ref").unwrap(), 1);
    assert_eq!(status::<Nested>(&root, "loop"), Status::Limit);
    root.deserialize::<IgnoredAny>("loop").unwrap();

    let nested = |depth| (0..depth).fold(Nested::default(), |inner, _| Nested { inner: Some(Box::new(inner)) });
    let root = new();
    root.serialize("x", &nested(254)).unwrap();
    let read: Nested = root.deserialize("x").unwrap();
    assert!(read.inner.is_some());
    assert_eq!(new().serialize("x", &nested(255)).unwrap_err().status(), Status::Limit);

    let levels: String = (1..9).map(|n| format!("l{n}: &l{n} [{}]\n", format!("*l{},", n - 1).repeat(10))).collect();
    let bomb = format!("l0: &l0 [{}]\n{levels}", "0,".repeat(10));
    let limits = Limits { nodes: 10_000, ..Limits::default() };
    let text = format!("#ASDF 1.0.0\n%YAML 1.1\n---\n{bomb}...\n");
    let options = OpenOptions { limits, ..OpenOptions::default() };
    let root = File::open_memory(Arc::new(text.into_bytes()), &options).unwrap().root().unwrap();
    assert_eq!(status::<yaml_serde::Value>(&root, "l8"), Status::Limit);
}

#[test]
fn a_failed_write_leaves_nothing_and_keys_are_checked() {
    let root = new();
    let error = root.serialize("x", &BTreeMap::from([(Some("a"), 1), (None, 2)])).unwrap_err();
    assert_eq!(
        (error.status(), error.message()),
        (Status::InvalidArgument, "ASDF allows only strings, integers and booleans as keys, not 'null'",)
    );
    assert_eq!(root.node_type("x").unwrap_err().status(), Status::NotFound);
    let lists = BTreeMap::from([(vec![1], 1)]);
    assert_eq!(root.serialize("x", &lists).unwrap_err().status(), Status::InvalidArgument);
    root.serialize("x", &BTreeMap::from([(true, 1), (false, 2)])).unwrap();
    assert_eq!(root.deserialize::<BTreeMap<bool, u8>>("x").unwrap(), BTreeMap::from([(true, 1), (false, 2)]));
    root.serialize("texts", &["true", "1", "~", ""]).unwrap();
    for item in 0..4 {
        assert_eq!(root.node_type(&format!("texts/{item}")).unwrap(), NodeType::String);
    }
}
