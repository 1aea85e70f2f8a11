//! Scripts of edits: a file that is changed, saved and opened again has the content of a model with the same changes.
#![no_main]

use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, File, Node, NodeKey, NodeType, OpenOptions, WriteOptions};
use asdfkit_fuzz::asdf::file_of;
use asdfkit_fuzz::folder::folder;
use asdfkit_fuzz::input::Choices;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(folder);

/// Keys of the mappings. Some need quotes, some look like other types.
const KEYS: &[&str] = &["a", "b", "no", "12", "k: v", "é", "x y", "<<"];
const TEXTS: &[&str] =
    &["", "plain", "true", "1e3", " padded ", "two\nlines", "é\u{1f600}", "# no comment", "'\"", "a\n\n b\n"];
/// Maximum number of edits in a script.
const EDITS: usize = 60;

#[derive(Clone, Debug, PartialEq)]
enum Model {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    Sequence(Vec<Model>),
    Mapping(Vec<(&'static str, Model)>),
    Array(Vec<i16>),
}

impl Model {
    /// Returns the paths of all collections, with their number of items.
    fn collections(&self, path: String, found: &mut Vec<String>) {
        match self {
            Model::Sequence(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.collections(format!("{path}/{index}"), found);
                }
            }
            Model::Mapping(pairs) => {
                for (key, value) in pairs {
                    value.collections(format!("{path}/{key}"), found);
                }
            }
            _ => return,
        }
        found.push(path);
    }

    fn at(&mut self, path: &str) -> &mut Model {
        path.split('/').skip(1).fold(self, |model, part| match model {
            Model::Sequence(items) => &mut items[part.parse::<usize>().expect("an index")],
            Model::Mapping(pairs) => &mut pairs.iter_mut().find(|(key, _)| *key == part).expect("a key").1,
            _ => unreachable!("only collections have paths below them"),
        })
    }

    fn set(&mut self, place: &Place, value: Model) {
        match (self, place) {
            (Model::Sequence(items), Place::Index(index)) if *index == items.len() => items.push(value),
            (Model::Sequence(items), Place::Index(index)) => items[*index] = value,
            (Model::Mapping(pairs), Place::Key(key)) => match pairs.iter_mut().find(|(other, _)| other == key) {
                Some(pair) => pair.1 = value,
                None => pairs.push((key, value)),
            },
            _ => unreachable!("the place was made for this collection"),
        }
    }
}

/// A place of a collection, which need not exist.
enum Place {
    Index(usize),
    Key(&'static str),
}

impl Place {
    fn path(&self, collection: &str, length: usize) -> String {
        match self {
            Place::Index(index) if *index == length => format!("{collection}/-"),
            Place::Index(index) => format!("{collection}/{index}"),
            Place::Key(key) => format!("{collection}/{key}"),
        }
    }
}

/// Returns whether a write adds this key: the name of the library.
fn is_writer(key: &NodeKey) -> bool {
    *key == NodeKey::String("asdf_library".to_owned())
}

fn compare(node: &Node, model: &Model) {
    let kind = node.node_type("").expect("a kind");
    let place = || format!("{:?}", node.path());
    match model {
        Model::Null => assert_eq!(kind, NodeType::Null, "{}", place()),
        Model::Bool(value) => assert_eq!(node.bool("").expect("a boolean"), *value, "{}", place()),
        Model::Integer(value) => assert_eq!(node.i64("").expect("an integer"), *value, "{}", place()),
        Model::Float(value) => {
            assert_eq!(kind, NodeType::Float, "{}", place());
            let read = node.f64("").expect("a float");
            assert!(read.to_bits() == value.to_bits() || read.is_nan() && value.is_nan(), "{}: {read}", place());
        }
        Model::Text(value) => {
            assert_eq!(kind, NodeType::String, "{}", place());
            assert_eq!(&node.string("").expect("a text"), value, "{}", place());
        }
        Model::Array(elements) => {
            assert_eq!(
                &node.array("").expect("an array").read_vec::<i16>().expect("elements"),
                elements,
                "{}",
                place()
            );
        }
        Model::Sequence(items) => {
            assert_eq!((kind, node.count("").expect("a count")), (NodeType::Sequence, items.len()), "{}", place());
            for (index, item) in items.iter().enumerate() {
                compare(&node.item("", index).expect("an item"), item);
            }
        }
        Model::Mapping(pairs) => {
            assert_eq!(kind, NodeType::Mapping, "{}", place());
            let found: Vec<(NodeKey, Node)> = node.pairs().expect("pairs").filter(|(key, _)| !is_writer(key)).collect();
            assert_eq!(found.len(), pairs.len(), "{}", place());
            for ((found, node), (key, value)) in found.iter().zip(pairs) {
                assert_eq!(*found, NodeKey::String(key.to_string()), "{}", place());
                compare(node, value);
            }
        }
    }
}

/// Sets a value in the file, and returns it.
fn set(root: &Node, path: &str, choices: &mut Choices) -> asdfkit::Result<Model> {
    Ok(match choices.below(10) {
        0 => root.set_null(path).map(|()| Model::Null)?,
        1 => {
            let value = choices.is_true();
            root.set_bool(path, value).map(|()| Model::Bool(value))?
        }
        2 | 3 => {
            let value = choices.number();
            root.set_i64(path, value).map(|()| Model::Integer(value))?
        }
        4 => {
            let value = f64::from_bits(choices.number() as u64 ^ (choices.number() as u64) << 44);
            root.set_f64(path, value).map(|()| Model::Float(value))?
        }
        5 => {
            let value = choices.of(TEXTS).repeat(*choices.of(&[1, 1, 1, 60]));
            root.set_string(path, &value)?;
            Model::Text(value)
        }
        6 => root.set_sequence(path, choices.is_true()).map(|()| Model::Sequence(Vec::new()))?,
        7 => root.set_mapping(path, choices.is_true()).map(|()| Model::Mapping(Vec::new()))?,
        _ => {
            let count = choices.below(300);
            let first = choices.number() as i16;
            let elements: Vec<i16> = (0..count as i16).map(|index| first.wrapping_add(index / 4)).collect();
            let mut options = ArrayOptions::default();
            if choices.below(3) == 1 {
                options.compression = Some(Compression::new(Codec::Zlib, None)?);
            }
            let shape = [count as i64];
            root.set_array_data(path, &ArrayData::of_vec(elements.clone(), &shape), &options)?;
            Model::Array(elements)
        }
    })
}

fuzz_target!(|input: &[u8]| {
    let mut choices = Choices(input);
    let path = FOLDER.path().join("edited.asdf");
    std::fs::write(&path, file_of(b"{}", &[])).expect("a file");
    let writing = WriteOptions { durable: false, ..WriteOptions::default() };
    let reading = OpenOptions { verify_checksums: true, ..OpenOptions::default() };
    let mut file = File::open_for_update(&path, &reading).expect("the file that was written");
    let mut model = Model::Mapping(Vec::new());
    for _ in 0..EDITS {
        if choices.is_empty() {
            break;
        }
        let root = file.root().expect("a root");
        let mut collections = Vec::new();
        model.collections(String::new(), &mut collections);
        let collection = choices.of(&collections).clone();
        let (place, length) = match model.at(&collection) {
            Model::Sequence(items) => (Place::Index(choices.below(items.len() + 1)), items.len()),
            Model::Mapping(pairs) => (Place::Key(choices.of::<&'static str>(KEYS)), pairs.len()),
            _ => unreachable!("collections have places"),
        };
        let at = place.path(&collection, length);
        match choices.below(12) {
            0..=6 => {
                let value = set(&root, &at, &mut choices).unwrap_or_else(|error| panic!("{at}: {error}"));
                model.at(&collection).set(&place, value);
            }
            7 => {
                // A removal that fails is a change that is missing, and such a file is not written.
                let is_there = match (model.at(&collection), &place) {
                    (Model::Sequence(items), Place::Index(index)) if *index < items.len() => {
                        items.remove(*index);
                        true
                    }
                    (Model::Mapping(pairs), Place::Key(key)) => {
                        let before = pairs.len();
                        pairs.retain(|(other, _)| other != key);
                        pairs.len() < before
                    }
                    _ => false,
                };
                if is_there {
                    root.remove(&at).unwrap_or_else(|error| panic!("{at}: {error}"));
                }
            }
            8 => {
                // A copy of a whole collection, unless it grows too much.
                let from = choices.of(&collections).clone();
                let copied = model.at(&from).clone();
                if format!("{copied:?}").len() < 4096
                    && !from.is_empty()
                    && !at.starts_with(&from)
                    && !from.starts_with(&at)
                {
                    let source = root.at(&from).expect("a collection");
                    root.copy_from(&at, &source, None).unwrap_or_else(|error| panic!("{from} to {at}: {error}"));
                    model.at(&collection).set(&place, copied);
                }
            }
            9 => compare(&root, &model),
            _ => {
                file.save(&writing).unwrap_or_else(|error| panic!("not saved: {error}"));
                compare(&root, &model);
                let saved = File::open_with(&path, &reading).unwrap_or_else(|error| panic!("not opened: {error}"));
                compare(&saved.root().expect("a root"), &model);
                saved.verify().unwrap_or_else(|error| panic!("damaged: {error}"));
                if choices.is_true() {
                    file.close();
                    file = File::open_for_update(&path, &reading).expect("the file that was saved");
                }
            }
        }
    }
    let written = file.write_to_memory(&writing).unwrap_or_else(|error| panic!("not written: {error}"));
    let again = File::open_memory(std::sync::Arc::new(written), &reading).expect("the file that was written");
    compare(&again.root().expect("a root"), &model);
});
