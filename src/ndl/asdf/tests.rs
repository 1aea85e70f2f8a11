//! Descriptions are written as files, and described again from these files.

use super::*;
use crate::file::{File, NodeType, OpenOptions, WriteOptions};
use crate::ndl::{
    Content, Description, Difference, DifferenceOptions, Elements, Operation, ReadOptions, TextOptions, parse,
};
use crate::{Result, Status};
use std::path::PathBuf;

/// A file in a temporary directory, which is removed when the value is dropped.
struct Made {
    directory: tempfile::TempDir,
    notes: Vec<Note>,
}

impl Made {
    fn of(description: &Description, options: &CreateOptions) -> Result<Made> {
        let directory = tempfile::tempdir().unwrap();
        let write = WriteOptions { durable: false, ..WriteOptions::default() };
        let options = CreateOptions { write, ..options.clone() };
        let notes = create(description, directory.path().join("made.asdf"), &options)?;
        Ok(Made { directory, notes })
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("made.asdf")
    }

    fn described(&self, options: &DescribeOptions) -> Result<Described> {
        describe(&File::open_with(self.path(), &OpenOptions { strict: true, ..OpenOptions::default() })?, options)
    }
}

fn parsed(text: &str) -> Description {
    let parsed = parse(text.as_bytes(), &ReadOptions::default());
    assert!(parsed.is_valid(), "{:?}", parsed.diagnostics);
    parsed.description
}

fn all() -> DescribeOptions {
    DescribeOptions { values: Values::All, ..DescribeOptions::default() }
}

/// Returns true for differences that every file adds: a byte order, and values that were not given.
fn is_of_files(difference: &Difference) -> bool {
    let whats = ["storage.endian", "storage.shape", "storage.size", "value"];
    difference.operation == Operation::Add && whats.contains(&difference.what.as_str())
}

/// Checks that the file gives the same description as the text.
fn comes_back(text: &str) -> Described {
    let description = parsed(text);
    let described = Made::of(&description, &CreateOptions::default()).unwrap().described(&all()).unwrap();
    let differences = description.differences(&described.description, &DifferenceOptions::default()).unwrap();
    let differences: Vec<String> =
        differences.iter().filter(|difference| !is_of_files(difference)).map(Difference::to_string).collect();
    assert!(differences.is_empty(), "{text}: {differences:?} {:?}", described.notes);
    let again = described.description.to_text(&TextOptions::default()).unwrap();
    assert!(parse(again.as_bytes(), &ReadOptions::default()).is_valid(), "{again}");
    described
}

#[test]
fn values_come_back_from_blocks_and_the_tree() {
    for array in [
        "shape: [], type: string, value: 'No'",
        "shape: [2], type: string, value: ['', é]",
        "shape: [2, 0], type: objref, value: [[], []]",
        "shape: [3], type: objref, value: [/a, null, /]",
        "shape: [null], type: objref, value: [/a]",
        "shape: [2], type: {vlen: {base: float32}}, value: [[1.5, .nan], []]",
        "shape: [1, 2], type: {vlen: {base: {vlen: {base: string}}}}, value: [[[[No], []], []]]",
        "shape: [1], type: {vlen: {base: uint64}}, value: [[0, 18446744073709551615]]",
        "shape: [1], type: {vlen: {base: {enum: {members: {A: 0, B: 5}}}}}, value: [[B, A]]",
        "shape: [1], type: {vlen: {base: {enum: {base: int8, members: {'FALSE': 0, 'TRUE': 1}}}}}, value: [['TRUE']]",
        "shape: [1], type: {vlen: {base: {opaque: {size: 2}}}}, value: [[AAE=, AA==]]",
        "shape: [1], type: {vlen: {base: {array: {base: int8, shape: [2, 1]}}}}, value: [[[[1], [2]]]]",
        "shape: [1], type: {vlen: {base: {compound: [k: int64, s: string, r: objref]}}}, value: [[[1, x, /a]]]",
        "shape: [3], type: {regref: {selection: block}}, value: [{target: /s, start: [0, 1], opposite: [1, 0]}, null, \
         {target: /s, selection: [{start: [0, 0], opposite: [0, 0]}, {start: [1, 1], opposite: [1, 1]}]}]",
        "shape: [2], type: {regref: {selection: element}}, value: [{target: /s, selection: [[1, 1], [0, 0]]}, \
         {target: /s, selection: []}]",
        "shape: [], type: {regref: {selection: element}}, value: {target: /s, selection: [[1, 1]]}",
    ] {
        let text = format!("ndarrays:\n  s: {{shape: [2, 2], type: int8}}\n  a: {{{array}}}\n");
        let described = comes_back(&text);
        assert!(described.notes.is_empty(), "{text}: {:?}", described.notes);
        let value = |description: &Description| description.ndarrays.get("/a").unwrap().value.clone().unwrap();
        // Opaque bytes are stored with their trailing zeros.
        if !array.contains("opaque") {
            assert_eq!(format!("{:?}", value(&described.description)), format!("{:?}", value(&parsed(&text))));
        }
    }
}

#[test]
fn values_are_included_as_requested() {
    let text = "dimcoords: {x: {size: 2, type: int8, value: [1, 2]}}\n\
                ndarrays: {b: {shape: [x], type: int8, value: [3, 4]}, t: {shape: [1], type: objref, value: [/b]}}\n";
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    for (values, told) in [
        (Values::None, [false, false, false]),
        (Values::Inline, [false, false, true]),
        (Values::Coordinates, [true, false, false]),
        (Values::All, [true; 3]),
    ] {
        let description = made.described(&DescribeOptions { values, ..all() }).unwrap().description;
        let of_array = |path: &str| description.ndarrays.get(path).unwrap().value.is_some();
        let found = [description.dimcoords.get("/x").unwrap().value.is_some(), of_array("/b"), of_array("/t")];
        assert_eq!(found, told, "{values:?}");
    }
}

#[test]
fn groups_become_lists_again() {
    let described = comes_back(
        "/l:\n  x-asdf: {kind: sequence, 'null': ['2']}\n  attributes: {'1': x}\n\
         /l/0: {attributes: {a: 1}}\n/l/3: {x-asdf: {kind: sequence}}\n\
         /m:\n  x-asdf: {kind: sequence}\n  attributes: {'0': 1, '1': 2}\n\
         /n:\n  x-asdf: {kind: sequence}\n  attributes: {'0': {shape: [], type: {opaque: {size: 1}}, value: AA==}}\n\
         \x20 ndarrays: {'1': {shape: [2], type: int8, value: [1, 2]}}\n\
         /other:\n  x-asdf: {kind: sequence}\n  attributes: {'7': 1}\n",
    );
    let paths: Vec<&str> = described.notes.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(paths, ["/l/2"]);
}

#[test]
fn lists_are_lists_in_the_file() {
    let text = "/l:\n  x-asdf: {kind: sequence}\n  attributes: {'1': x}\n/l/0: {attributes: {a: 1}}\n\
                /other:\n  x-asdf: {kind: sequence}\n  attributes: {'7': 1}\n";
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    let root = File::open(made.path()).unwrap().root().unwrap();
    assert_eq!((root.count("l").unwrap(), root.string("l/1").unwrap()), (2, "x".to_owned()));
    assert_eq!(root.node_type("l").unwrap(), crate::file::NodeType::Sequence);
    assert_eq!(root.node_type("other").unwrap(), crate::file::NodeType::Mapping);
    assert_eq!(made.notes.iter().map(|note| note.path.as_str()).collect::<Vec<_>>(), ["/other"]);
}

#[test]
fn names_with_tildes_are_keys() {
    let described = comes_back(
        "/g~x:\n  attributes: {'a~b': 1, 'c/d': 2, to: {shape: [], type: objref, value: /g~x/n~0~m}}\n\
         \x20 dimcoords: {d~: {size: 1, type: int8}}\n\
         \x20 ndarrays:\n    n~0~m: {shape: [d~], type: int8, value: [1]}\n\
         \x20   t: {shape: [1], type: objref, value: [/g~x/n~0~m]}\n\
         \x20   r: {shape: [], type: {regref: {selection: element}}, value: {target: /g~x/n~0~m, selection: [[0]]}}\n",
    );
    assert!(described.notes.is_empty());
    let two = parsed("ndarrays: {'a~b': {shape: [], type: int8}, a~0b: {shape: [], type: int8}}");
    let error = Made::of(&two, &CreateOptions::default()).err().unwrap();
    assert_eq!((error.status(), error.location().path.as_deref()), (Status::InvalidArgument, Some("/a~0b")));
}

#[test]
fn a_part_is_described_with_its_coordinates() {
    let text = "/:\n  attributes: {title: x}\n  dimcoords: {t: {size: 2, type: int8}, u: {size: 1, type: int8}}\n\
                \x20 ndarrays: {other: {shape: [], type: int8}}\n\
                /a/b:\n  attributes: {n: 1}\n  ndarrays: {m: {shape: [/t], type: int8}, n: {shape: [], type: int8}}\n\
                /a/bc:\n  attributes: {n: 1}\n";
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    let told = |only: &str| {
        let options = DescribeOptions { only: Some(only.to_owned()), values: Values::None, ..all() };
        made.described(&options).map(|described| described.description)
    };
    let paths = |only: &str| {
        let description = told(only).unwrap();
        let text = description.to_text(&TextOptions::default()).unwrap();
        assert!(description.means_the_same(&parsed(&text)).unwrap(), "{text}");
        let groups = description.groups.iter().filter(|(_, group)| group.listed).map(|(path, _)| path);
        let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
        let ndarrays = description.ndarrays.iter().map(|(path, _)| path);
        groups.chain(dimcoords).chain(ndarrays).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(paths("/a/b"), ["/a/b", "/t", "/a/b/m", "/a/b/n"]);
    assert_eq!(paths("/a/b/m"), ["/t", "/a/b/m"]);
    assert_eq!(paths("/t"), ["/t"]);
    assert_eq!(paths("/").len(), 9);
    let error = told("/a/c").unwrap_err();
    assert_eq!((error.status(), error.location().path.as_deref()), (Status::NotFound, Some("/a/c")));
    assert_eq!(told("a").unwrap_err().status(), Status::NotFound);
}

#[test]
fn changes_in_the_file_are_noted() {
    let text = "ndarrays:\n  gone: {shape: [1], type: objref, value: [/s]}\n  longer: {shape: [1], type: objref, value: [/s]}\n\
                \x20 ragged: {shape: [2, null], type: objref}\n  scalar: {shape: [1], type: {vlen: {base: int8}}, value: [[1]]}\n\
                \x20 s: {shape: [2], type: {enum: {members: {A: 0}}}}\n";
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    let file = File::open_for_update(made.path(), &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    root.remove("gone").unwrap();
    root.set_reference_to("longer/-", "/s").unwrap();
    root.set_reference_to("ragged/0/-", "/s").unwrap();
    root.set_string("scalar/0/0", "x").unwrap();
    root.set_i64("s", 7).unwrap();
    let described = describe(&file, &all()).unwrap();
    let paths: Vec<&str> = described.notes.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(paths, ["/gone", "/longer", "/ragged", "/scalar", "/s"]);
    assert!(described.description.ndarrays.iter().all(|(_, ndarray)| ndarray.value.is_none()));
    assert!(described.description.to_text(&TextOptions::default()).is_ok());
}

#[test]
fn datatypes_that_the_language_lacks_come_back() {
    let datatypes = [
        ("c", "{compound: [r: float32, i: float32]}", "[{name: r, datatype: float32}, {name: i, datatype: float32}]"),
        (
            "o",
            "{compound: [a: int16, b: float64]}",
            "[{name: a, datatype: int16, byteorder: big}, \
         {name: b, datatype: float64, byteorder: little}]",
        ),
        ("s", "string", "[ascii, 5]"),
        ("u", "{compound: [k: {array: {base: string, shape: [2]}}]}", "[{name: k, datatype: [ucs4, 3], shape: [2]}]"),
    ];
    let arrays: String = datatypes
        .map(|(name, datatype, stored)| {
            format!("  {name}: {{shape: [2], type: {datatype}, x-asdf: {{datatype: {stored}}}}}\n")
        })
        .concat();
    let text = format!(
        "ndarrays:\n{arrays}  v: {{shape: [1], type: string, value: [abc], x-asdf: {{datatype: [ascii, 5]}}}}\n"
    );
    let made = Made::of(&parsed(&text), &CreateOptions::default()).unwrap();
    let root = File::open(made.path()).unwrap().root().unwrap();
    for (name, _, stored) in datatypes.into_iter().chain([("v", "", "[ascii, 5]")]) {
        let expected = crate::yaml::parse(stored.to_owned(), 0, 1, &crate::Limits::default()).unwrap().tree;
        let expected = crate::array::Datatype::parse(&expected, expected.root()).unwrap();
        assert_eq!(root.array(name).unwrap().datatype(), &expected, "{name}");
    }
    comes_back(&text);
    let long = "ndarrays: {a: {shape: [1], type: string, value: [abcdef], x-asdf: {datatype: [ascii, 5]}}}";
    let error = Made::of(&parsed(long), &CreateOptions::default()).err().unwrap();
    assert_eq!((error.status(), error.location().path.as_deref()), (Status::Overflow, Some("/a")));
    let other = parsed("ndarrays: {a: {shape: [1], type: int8, x-asdf: {datatype: float16}}}");
    assert!(Made::of(&other, &CreateOptions::default()).is_ok());
}

/// Returns the target of each reference in a tree. Fails at a reference without a target.
fn references(file: &File) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut waiting = vec![file.root().unwrap()];
    while let Some(node) = waiting.pop() {
        for index in 0..node.count("").unwrap() {
            let item = node.item("", index).unwrap();
            match item.reference("").unwrap() {
                Some(uri) => {
                    let target = uri.strip_prefix('#').unwrap().to_owned();
                    let found = file.root().unwrap().at(&target);
                    assert!(found.is_ok_and(|found| found.node_type("").is_ok()), "{uri}");
                    out.push((item.path().unwrap(), target));
                }
                None if matches!(item.node_type("").unwrap(), NodeType::Mapping | NodeType::Sequence) => {
                    waiting.push(item);
                }
                None => {}
            }
        }
    }
    out.sort();
    out
}

#[test]
fn references_lead_to_the_root_and_to_masks() {
    let text = "/:\n  attributes: {up: {shape: [], type: objref, value: /}, both: {shape: [2], type: objref, value: [/g, /]}}\n\
                \x20 ndarrays:\n    r: {shape: [2], type: objref, value: [/, /m.mask]}\n\
                \x20   v: {shape: [1], type: {vlen: {base: objref}}, value: [[/, /m]]}\n\
                \x20   m: {shape: [2], type: int8, value: [1, 2], x-asdf: {mask: /m.mask}}\n\
                \x20   m.mask: {shape: [2], type: uint8, value: [0, 1]}\n\
                /g:\n  attributes: {up: {shape: [], type: objref, value: /}}\n";
    let described = comes_back(text);
    assert!(described.notes.is_empty(), "{:?}", described.notes);
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    assert!(made.notes.is_empty(), "{:?}", made.notes);
    let found = references(&File::open(made.path()).unwrap());
    let found: Vec<(&str, &str)> = found.iter().map(|(path, target)| (path.as_str(), target.as_str())).collect();
    let expected = [
        ("/both/0", "/g"),
        ("/both/1", ""),
        ("/g/up", ""),
        ("/r/0", ""),
        ("/r/1", "/m/mask"),
        ("/up", ""),
        ("/v/0/0", ""),
        ("/v/0/1", "/m"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn references_to_nothing_are_noted_and_null() {
    let text = "ndarrays:\n  r: {shape: [2], type: objref, value: [/gone, /r]}\n\
                \x20 v: {shape: [1], type: {vlen: {base: objref}}, value: [[/gone, /gone, /r]]}\n";
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    let notes: Vec<String> = made.notes.iter().map(Note::to_string).collect();
    let lost = "references without a target are stored as null";
    assert_eq!(notes, [format!("/r: {lost}: 1"), format!("/v: {lost}: 2")]);
    let file = File::open(made.path()).unwrap();
    assert_eq!(references(&file).len(), 2);
    assert_eq!(file.root().unwrap().node_type("v/0/1").unwrap(), NodeType::Null);
}

#[test]
fn x_asdf_keys_are_followed_or_noted() {
    for (text, path) in [
        ("m: {shape: [2], type: int8, x-asdf: {mask: /gone}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {mask: fillvalue}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {mask: [1, x]}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {mask: /m.mask}}\n  m.mask: {shape: [2], type: objref}", "/m"),
        ("m: {shape: [2], type: objref, x-asdf: {mask: 5}}", "/m"),
        (
            "m: {shape: [2], type: int8, x-asdf: {mask: /m.mask}}\n  m.mask: {shape: [2], type: int8, x-asdf: {mask: /m.mask.mask}}\n\
             \x20 m.mask.mask: {shape: [2], type: int8}",
            "/m.mask",
        ),
        ("m: {shape: [], type: int8, x-asdf: {kind: inline}}", "/m"),
        ("m: {shape: [1], type: uint64, value: [18446744073709551615], x-asdf: {kind: inline}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {kind: sequence}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {datatype: int16}}", "/m"),
        ("m: {shape: [2, 2], type: int8, value: [[1, 2], [3, 4]], x-asdf: {strides: [1, 3]}}", "/m"),
        ("m: {shape: [2, 2], type: int8, x-asdf: {strides: [1, 2]}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {offset: 8}}", "/m"),
        ("m: {shape: [2], type: int8, x-asdf: {source: other.asdf}}", "/m"),
    ] {
        let text = format!("ndarrays:\n  {text}\n");
        let made = Made::of(&parsed(&text), &CreateOptions::default()).unwrap();
        assert!(made.notes.iter().any(|note| note.path == path), "{text}: {:?}", made.notes);
        // Keys that the file does not follow are not described.
        let told = made.described(&DescribeOptions { annotate: true, ..all() }).unwrap().description;
        let told = told.ndarrays.get(path).unwrap();
        assert!(told.extensions.is_empty(), "{text}: {:?}", told.extensions);
    }
    for (text, path) in [
        ("attributes: {a: {shape: [], type: string, value: x, x-asdf: {kind: integer}}}", "/a"),
        ("attributes: {a: {shape: [], type: string, value: a b, x-asdf: {kind: reference}}}", "/a"),
        ("attributes: {a: {shape: [], type: string, value: x, x-asdf: {tag: 'tag:yaml.org,2002:timestamp'}}}", "/a"),
        ("attributes: {a: {shape: [], type: string, value: '?', x-asdf: {tag: 'tag:yaml.org,2002:binary'}}}", "/a"),
        ("attributes: {a: {shape: [1], type: int32, value: [1], x-asdf: {tag: 'tag:example.org:x'}}}", "/a"),
        ("attributes: {a: 1}\nx-asdf: {}\nndarrays: {}", ""),
        ("/g: {x-asdf: {tag: 'tag:stsci.edu:asdf/core/ndarray-1.1.0'}}", "/g"),
        ("/g: {x-asdf: {tag: '!local'}}", "/g"),
        ("/g: {attributes: {n: 1}, x-asdf: {'null': [n]}}", "/g"),
        ("/: {x-asdf: {'null': [history]}}", "/"),
        ("/: {x-asdf: {kind: sequence}}", "/"),
    ] {
        let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
        assert_eq!(made.notes.iter().any(|note| note.path == path), !path.is_empty(), "{text}: {:?}", made.notes);
        made.described(&all()).unwrap();
    }
}

#[test]
fn records_of_mixed_byte_orders_keep_their_values() {
    let datatype = "[{name: a, datatype: int16, byteorder: big}, {name: b, datatype: float64, byteorder: little}, \
                    {name: c, datatype: [ucs4, 2], byteorder: big}]";
    for kind in ["", ", kind: inline"] {
        let text = format!(
            "ndarrays: {{a: {{shape: [2], type: {{compound: [a: int16, b: float64, c: string]}}, \
             value: [[258, 1.5, é], [-2, 0.1, xy]], x-asdf: {{datatype: {datatype}{kind}}}}}}}"
        );
        comes_back(&text);
        let made = Made::of(&parsed(&text), &CreateOptions::default()).unwrap();
        assert!(made.notes.is_empty(), "{:?}", made.notes);
    }
}

#[test]
fn a_part_is_described_with_its_masks() {
    let text = "/g:\n  ndarrays:\n    m: {shape: [2], type: int8, value: [1, 2], x-asdf: {mask: /g/m.mask}}\n\
                \x20   m.mask: {shape: [2], type: uint8, value: [0, 1]}\n    n.mask: {shape: [1], type: int8}\n";
    let made = Made::of(&parsed(text), &CreateOptions::default()).unwrap();
    let root = File::open(made.path()).unwrap().root().unwrap();
    assert!(root.is_array("g/m/mask").unwrap() && root.at("g/m.mask").is_err());
    let options = DescribeOptions { only: Some("/g/m".to_owned()), ..all() };
    let told = made.described(&options).unwrap().description;
    let arrays: Vec<&str> = told.ndarrays.iter().map(|(path, _)| path).collect();
    assert_eq!(arrays, ["/g/m.mask", "/g/m"]);
    assert!(told.ndarrays.iter().all(|(_, ndarray)| ndarray.value.is_some()));
}

#[test]
fn storage_that_only_the_description_keeps_is_noted() {
    let text =
        "ndarrays: {a: {shape: [2], type: string, value: [x, y], storage: {charset: utf-8, chunk: [1], fillvalue: z}}}";
    let notes = Made::of(&parsed(text), &CreateOptions::default()).unwrap().notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes.iter().all(|note| note.path == "/a"));
}

#[test]
fn chunks_and_filters_are_kept() {
    let text = "ndarrays:\n  a: {shape: [null, 4], type: int16, storage: {chunk: [2, 3], filter: [shuffle, {deflate: {level: 4}}]}}\n  \
                b: {shape: [5], type: int32, value: [1, 2, 3, 4, 5], storage: {chunk: [2], filter: [{zstd: {level: 7}}]}}\n  \
                c: {shape: [5], type: float32, storage: {chunk: [2], fillvalue: 1.5, \
                filter: [{blosc: {level: 3, codec: zlib, shuffle: bit}}, szip]}}";
    let options = CreateOptions { extent: 3, ..CreateOptions::default() };
    let made = Made::of(&parsed(text), &options).unwrap();
    let notes: Vec<String> = made.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["/c: chunks have no filter 'szip' here; it is not applied"]);
    let told =
        made.described(&DescribeOptions { values: Values::All, ..DescribeOptions::default() }).unwrap().description;
    let storage = |path: &str| &told.ndarrays.get(path).unwrap().storage;
    let filters = |path: &str| {
        let filters = storage(path).filter.iter().flatten();
        let text = |content: &Content| match content {
            Content::Mapping(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| match value {
                    Content::Scalar(scalar) => format!("{key}={}", scalar.text),
                    other => panic!("{other:?}"),
                });
                pairs.collect::<Vec<_>>().join(" ")
            }
            other => panic!("{other:?}"),
        };
        filters.map(|f| format!("{} {}", f.name, f.parameters.as_ref().map_or(String::new(), text))).collect::<Vec<_>>()
    };
    assert_eq!(
        (storage("/a").chunk.as_deref(), filters("/a")),
        (Some(&[2, 3][..]), vec!["shuffle ".into(), "deflate level=4".into()])
    );
    assert_eq!((storage("/b").chunk.as_deref(), filters("/b")), (Some(&[2][..]), vec!["zstd level=7".to_owned()]));
    assert_eq!(filters("/c"), ["blosc level=3 codec=zlib shuffle=bit", "szip "]);
    let values = |path: &str| told.ndarrays.get(path).unwrap().value.as_ref().unwrap().elements().clone();
    assert_eq!(values("/b"), Elements::Integers(vec![1, 2, 3, 4, 5]));
    assert_eq!(values("/c"), Elements::Float32(vec![1.5; 5]));
}

#[test]
fn an_unlimited_first_extent_makes_an_array_that_grows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grows.asdf");
    let text = "dimcoords: {t: {size: null, type: float64}}\nndarrays: {a: {shape: [t, 3], type: int32}}";
    create(&parsed(text), &path, &CreateOptions { extent: 0, ..CreateOptions::default() }).unwrap();
    let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    for step in 0..3_i32 {
        let row: Vec<u8> = [step; 3].into_iter().flat_map(i32::to_ne_bytes).collect();
        let options = crate::array::ReadOptions::default();
        root.array("a").unwrap().append(1, &crate::array::ScalarType::Int32.into(), &row, &options).unwrap();
        let time = f64::from(step).to_ne_bytes();
        root.array("t").unwrap().append(1, &crate::array::ScalarType::Float64.into(), &time, &options).unwrap();
        file.save(&crate::file::WriteOptions::default()).unwrap();
    }
    // The last one needs no chunks.
    let text = "ndarrays: {b: {shape: [2], type: int8}, a: {shape: [null, 3], type: int32}}";
    let alone = folder.path().join("alone.asdf");
    create(&parsed(text), &alone, &CreateOptions { extent: 0, ..CreateOptions::default() }).unwrap();
    let single = File::open_for_update(&alone, &OpenOptions::default()).unwrap().root().unwrap().array("a").unwrap();
    assert_eq!(single.chunk_shape(), None);
    let row = [7_i32; 3].map(i32::to_ne_bytes);
    let options = crate::array::ReadOptions::default();
    single.append(1, &crate::array::ScalarType::Int32.into(), row.as_flattened(), &options).unwrap();
    let root = File::open(&path).unwrap().root().unwrap();
    assert_eq!(root.array("a").unwrap().read_vec::<i32>().unwrap(), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    assert_eq!(root.array("t").unwrap().read_vec::<f64>().unwrap(), [0.0, 1.0, 2.0]);
}

#[test]
fn fill_values_are_stored_unless_zeros_are_asked_for() {
    let text = "ndarrays: {a: {shape: [2], type: int8, storage: {fillvalue: 7}}}";
    for (zeros, expected) in [(false, 7), (true, 0)] {
        let made = Made::of(&parsed(text), &CreateOptions { zeros, ..CreateOptions::default() }).unwrap();
        let told = made.described(&all()).unwrap().description;
        let value = told.ndarrays.get("/a").unwrap().value.as_ref().unwrap();
        assert_eq!(value.elements(), &crate::ndl::Elements::Integers(vec![expected; 2]));
    }
}

#[test]
fn arrays_with_shared_elements_are_limited() {
    let elements = "1, ".repeat(99_999) + "1";
    let arrays = |count: u32| {
        (0..count).map(|index| format!("a{index}: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {{data: *data}}\n"))
    };
    for (count, is_noted) in [(3, false), (100, true)] {
        let text = format!(
            "#ASDF 1.0.0\n%YAML 1.1\n---\nlist: &data [{elements}]\n{}...\n",
            arrays(count).collect::<String>()
        );
        let file = File::open_memory(std::sync::Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap();
        let described = describe(&file, &DescribeOptions::default()).unwrap();
        assert!(described.description.ndarrays.contains("/a0"));
        let note = described.notes.iter().find(|note| note.message.contains("second place"));
        assert_eq!(note.is_some(), is_noted, "{:?}", described.notes.first());
    }
}

#[test]
fn elements_with_many_places_in_the_tree_are_limited() {
    let datatype = |depth: usize| "{vlen: {base: ".repeat(depth) + "int8" + &"}}".repeat(depth);
    // Each of the 30 levels contains the next list twice.
    let lists: String = (1..30).rev().map(|level| format!("l{level}: &l{level} [*l{0}, *l{0}]\n", level + 1)).collect();
    let text = format!(
        "#ASDF 1.0.0\n%YAML 1.1\n---\nl30: &l30 [1, 2]\n{lists}a: [*l1]\nb: [[1]]\nndl:\n  x-ndl: 0.6.1\n  /:\n    ndarrays:\n\
         \x20     a: {{shape: [1], type: {}}}\n      b: {{shape: [1], type: {{vlen: {{base: int8}}}}}}\n...\n",
        datatype(30)
    );
    let file = File::open_memory(std::sync::Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap();
    let described = describe(&file, &DescribeOptions::default()).unwrap();
    let note = described.notes.iter().find(|note| note.path == "/a").unwrap();
    assert!(note.message.contains("second place"), "{note}");
    assert!(described.description.ndarrays.get("/a").unwrap().value.is_none());
}

#[test]
fn sixteen_bit_floats_are_opaque_bytes_that_say_so_and_come_back() {
    let half = "ndarrays: {h: {shape: [2], type: {opaque: {size: 2, tag: IEEE 754 binary16}}, value: [AD4=, AEA=]}}";
    let made = Made::of(&parsed(half), &CreateOptions::default()).unwrap();
    let root = File::open(made.path()).unwrap().root().unwrap();
    assert_eq!(root.array("h").unwrap().datatype(), &crate::array::ScalarType::Float16.into());
    let text = made.described(&all()).unwrap().description.to_text(&TextOptions::default()).unwrap();
    let expected = "    type:\n      opaque:\n        size: 2\n        tag: IEEE 754 binary16 # 16-bit floats\n";
    assert!(text.contains(expected), "{text}");
    let again = parsed(&text);
    assert_eq!(again.to_text(&TextOptions::default()).unwrap(), text);
    Made::of(&again, &CreateOptions::default()).unwrap();
    let widened = made.described(&DescribeOptions { widen: true, ..all() }).unwrap().description;
    let array = widened.ndarrays.get("/h").unwrap();
    assert_eq!(array.value.as_ref().unwrap().elements(), &Elements::Float32(vec![1.5, 2.0]));
}
