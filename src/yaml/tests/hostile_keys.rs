//! Reads, edits and writes random documents whose keys have tags, anchors, aliases and merges.
//!
//! The environment variable `ASDFKIT_KEY_DOCUMENTS` sets the number of documents.

use super::documents::Random;
use super::edits::{EDITS, edit, places};
use crate::limits::Limits;
use crate::tree::{Key, Kind, NodeId, Tree, same};
use crate::yaml::read::{Parsed, parse};
use crate::yaml::splice::splice;

const SCALARS: [&str; 14] =
    ["1", "x", "'q'", "", "1.5", "true", "~", "!!int x", "!!int 0x10", "!!str 1", "!t y", "2020-01-02", "<<", "!t <<"];

const KEYS: [&str; 22] = [
    "a",
    "b",
    "c",
    "x",
    "k",
    "'a'",
    "16",
    "0x10",
    "true",
    "~",
    "1.5",
    "!!int 16",
    "!!int x",
    "!!float z",
    "!!bool no",
    "!t a",
    "!!str 16",
    "!!timestamp t",
    "!!binary '='",
    "! 16",
    "\"a/b~\"",
    "!!merge m",
];

/// A random document in flow style.
struct Writer {
    out: String,
    anchors: Vec<(String, Kind)>,
    /// Invalid values and keys are rare, so that most documents can be read.
    allows_invalid: bool,
}

impl Writer {
    fn of<'t>(&self, random: &mut Random, texts: &[&'t str]) -> &'t str {
        loop {
            let text = texts[random.below(texts.len())];
            let is_invalid = matches!(text, "!!int x" | "!!float z" | "!!timestamp t" | "!!binary '='");
            if self.allows_invalid || !is_invalid {
                return text;
            }
        }
    }

    fn anchor(&mut self, random: &mut Random, kind: Kind) {
        if random.below(3) == 0 {
            let name = format!("n{}", self.anchors.len());
            self.out.push_str(&format!("&{name} "));
            self.anchors.push((name, kind));
        }
    }

    fn alias(&self, random: &mut Random, kinds: &[Kind]) -> Option<String> {
        let names: Vec<&String> =
            self.anchors.iter().filter(|(_, kind)| kinds.contains(kind)).map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| format!("*{} ", names[random.below(names.len())]))
    }

    fn node(&mut self, random: &mut Random, depth: usize) {
        match random.below(if depth == 0 { 3 } else { 8 }) {
            0 => match self.alias(random, &[Kind::Scalar, Kind::Sequence, Kind::Mapping]) {
                Some(alias) => self.out.push_str(&alias),
                None => self.out.push('0'),
            },
            1 | 2 => {
                self.anchor(random, Kind::Scalar);
                self.out.push_str(self.of(random, &SCALARS));
            }
            3 => {
                self.anchor(random, Kind::Sequence);
                let is_list_of_pairs = random.below(3) == 0;
                self.out.push_str(if is_list_of_pairs { "!!omap [" } else { "[" });
                for _ in 0..random.below(4) {
                    if is_list_of_pairs {
                        self.anchor(random, Kind::Mapping);
                        self.out.push_str(&format!("{{ {} : ", self.of(random, &KEYS)));
                    }
                    self.node(random, depth - 1);
                    self.out.push_str(if is_list_of_pairs { " } , " } else { " , " });
                }
                self.out.push(']');
            }
            4 => self.out.push_str(&format!("{{$ref: '#/{}'}}", ["a", "b", "a/x", "none"][random.below(4)])),
            _ => self.mapping(random, depth - 1),
        }
    }

    fn mapping(&mut self, random: &mut Random, depth: usize) {
        self.anchor(random, Kind::Mapping);
        self.out.push('{');
        for _ in 0..random.below(5) {
            match (random.below(6), self.alias(random, &[Kind::Scalar]), self.alias(random, &[Kind::Mapping])) {
                // The key is a merge key if the scalar is one.
                (0, Some(key), Some(source)) if random.below(2) == 0 => {
                    self.out.push_str(&format!("{key}: {source} , "));
                    continue;
                }
                (0, Some(key), _) => self.out.push_str(&format!("{key}: ")),
                (1 | 2, _, Some(source)) => {
                    let sources = [source.clone(), format!("[{source}, {{m: 1, a: 2}}]"), "{m: 1, x: 2}".to_owned()];
                    self.out.push_str(&format!("<<: {} , ", sources[random.below(3)]));
                    continue;
                }
                _ => {
                    self.anchor(random, Kind::Scalar);
                    self.out.push_str(&format!("{} : ", self.of(random, &KEYS)));
                }
            }
            self.node(random, depth);
            self.out.push_str(" , ");
        }
        self.out.push('}');
    }
}

fn hostile_document(random: &mut Random) -> String {
    let mut writer = Writer { out: String::new(), anchors: Vec::new(), allows_invalid: random.below(8) == 0 };
    for key in ["a", "b", "c", "d"] {
        writer.out.push_str(&format!("{key}: "));
        writer.node(random, 4);
        writer.out.push('\n');
    }
    format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{}...\n", writer.out)
}

/// Asks for each node what programs and errors ask for.
fn look_at_all(tree: &Tree) {
    for id in tree.live_nodes() {
        let path = tree.path(id);
        let _ = (tree.location(id), tree.scalar(id).is_ok(), tree.resolve(id).is_ok(), tree.reference(id).is_ok());
        let _ = (tree.lookup(tree.root(), &path).is_ok(), tree.lookup(id, "a/x").is_ok());
        for pair in tree.pairs(id).chunks_exact(2).filter(|_| tree.kind(id) == Kind::Mapping) {
            assert!(tree.find(id, tree.key(pair[0])).is_some() || matches!(tree.key(pair[0]), Key::Other("")));
        }
    }
}

/// Copies a node to a tree of its own, and copies the copy.
fn copy(tree: &Tree, id: NodeId) {
    let mut part = Tree::new();
    if part.copy_from(part.root(), tree, id).is_ok() {
        assert_eq!(part.contradiction(), None);
        let mut again = Tree::new();
        again.copy_from(again.root(), &part, part.root()).unwrap();
        assert!(same(&part, &again).unwrap());
    }
}

#[test]
fn trees_stay_consistent_in_random_edits() {
    let count = std::env::var("ASDFKIT_KEY_DOCUMENTS").map_or(1_500, |count| count.parse().unwrap());
    let mut random = Random(4);
    let limits = Limits::default();
    let (mut read, mut written) = (0, 0);
    for _ in 0..count {
        let text = hostile_document(&mut random);
        let mut tree = match parse(text.clone(), 0, 1, &limits) {
            Ok(Parsed { tree, .. }) => tree,
            Err(error) => {
                assert!(error.location().line.is_some(), "{error}\n{text}");
                continue;
            }
        };
        read += 1;
        assert_eq!(tree.contradiction(), None, "{text}");
        look_at_all(&tree);
        let from = tree.clone();
        let origins = places(&from);
        tree.remember_original();
        let mut history = Vec::new();
        for _ in 0..1 + random.below(6) {
            let places = places(&tree);
            if places.is_empty() {
                break;
            }
            let (place, origin) = (places[random.below(places.len())], origins[random.below(origins.len())]);
            let (from_path, to) = (tree.path(place), tree.path(places[random.below(places.len())]));
            let what = random.below(EDITS + 1);
            history.push(format!("{what} {from_path} {to} {}", from.path(origin)));
            if what == EDITS && tree.kind(place) != Kind::Alias {
                let _ = tree.retag(place, [None, Some("tag:yaml.org,2002:int"), Some("!t")][random.below(3)]);
            } else {
                edit(&mut tree, place, what, (&from, origin), &to);
            }
            assert_eq!(tree.contradiction(), None, "{text}{history:?}");
            look_at_all(&tree);
            copy(&tree, place);
        }
        // Some trees cannot be written, because ASDF forbids their keys.
        let Ok(spliced) = splice(&tree, &limits) else { continue };
        let again = parse(spliced.clone(), 0, 1, &limits).unwrap_or_else(|error| panic!("{error}\n{text}{spliced}"));
        assert!(same(&tree, &again.tree).unwrap(), "{text}{history:?}\n{spliced}");
        written += 1;
    }
    println!("{read} of {count} documents were read, {written} written");
    assert!(read > count / 3 && written > count / 10, "{read} of {count} documents were read, {written} written");
}
