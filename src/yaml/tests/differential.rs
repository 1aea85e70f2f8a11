//! Compares reading with gaps (`GapsEngine`) with the scanner alone, on random and damaged documents.
//!
//! The environment variable `ASDFKIT_YAML_DOCUMENTS` sets the number of documents.

use crate::error::Result;
use crate::limits::Limits;
use crate::tree::edit::Content;
use crate::tree::restructure::KeyPosition;
use crate::tree::{Kind, NodeId, Style, Tree, same};
use crate::yaml::read::reduced::{Simple, Thresholds};
use crate::yaml::read::{Parsed, parse, read_by};
use crate::yaml::splice::{by_patches, splice};
use crate::yaml::write::{EmitOptions, emit};

/// Minimal thresholds, so that even short lists get gaps.
const MINIMAL: Thresholds = Thresholds { part: usize::MAX, bytes: 2, items: 2 };

fn by_scanner(text: &str, limits: &Limits) -> Result<Parsed> {
    read_by(text, None, limits)
}

/// Reads a text with gaps. Returns `None` if it has no gaps or cannot be read that way.
fn by_gaps(text: &str, thresholds: Thresholds, limits: &Limits) -> Option<Parsed> {
    let simple = Simple::new(text, thresholds, limits.nodes)?;
    read_by(text, Some(&simple), limits).ok()
}

/// Describes all nodes, in document order.
fn dump(tree: &Tree) -> Vec<String> {
    let mut out = Vec::new();
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        let (target, parent) = (tree.dealias(id).number(), tree.parent(id));
        let (kind, style, span) = (tree.kind(id), tree.style(id), tree.span(id));
        let text = if kind == Kind::Scalar { tree.text(id) } else { "" };
        let (tag, anchor, count) = (tree.tag(id), tree.anchor(id), tree.item_count(id));
        let number = id.number();
        out.push(format!(
            "{number} {target} {parent:?} {kind:?} {style:?} {span:?} {tag:?} {anchor:?} {count} {text:?}"
        ));
        if let Some(list) = tree.plain_items(id) {
            let nodes = tree.items(id).iter().map(|&item| (item, tree.text(item)));
            assert!(list.eq(nodes));
        }
        stack.extend(tree.items(id).iter().rev());
    }
    out.push(format!("{}", tree.node_count()));
    out
}

/// Compares the results of both ways of reading. Returns whether the text was read with gaps.
fn compare_with(text: &str, thresholds: Thresholds, limits: &Limits) -> bool {
    let Some(gaps) = by_gaps(text, thresholds, limits) else { return false };
    let whole = by_scanner(text, limits).unwrap_or_else(|error| panic!("{error}\n{text:?}"));
    for (gaps, whole) in dump(&gaps.tree).iter().zip(dump(&whole.tree)) {
        assert_eq!(*gaps, whole, "{text}");
    }
    assert_eq!(gaps.tree.node_count(), whole.tree.node_count(), "{text}");
    assert_eq!(gaps.warnings, whole.warnings, "{text}");
    true
}

fn compare(text: &str) -> bool {
    compare_with(text, MINIMAL, &Limits::default())
}

fn document(content: &str) -> String {
    format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{content}...\n")
}

const SEED: &str = "\
name: asdfkit
version: 0.1.0
time: '2027-03-01T00:01:00.000'
list: [1, -2.5, abc d]
empty: []
meta: !a/b-1.0.0
  x: 1
  y: true
  z: null
  deep:
    p: yes
    q: 12:30:00
    r: http://x.y/z

  # a comment
  s: 1.5e+3
  t: last
rows:
- a: 1
  b: 2
  c: [3, 4]
- a: 5
  b: 6
- &anchor
  k: v
  l: w
text: |
  a: 1
  b: 2
long: some words
  that go on
folded: one
 two: 2
flow: {
  a: b
  }
arrays:
- !core/ndarray-1.1.0 {source: 0, datatype: float32, byteorder: little, shape: [2, 3]}
- !core/ndarray-1.1.0 {source: 1, datatype: float32, byteorder: little, shape: [2, 3]}
- !core/ndarray-1.1.0 {source: 2, datatype: [ascii, 4], byteorder: little, shape: []}
image: !core/ndarray-1.1.0
  data:
  - [1, 2, 3]
  - [4, 5, 6]
  - [7, 8, 9]
numbers: &numbers [1.0, 2.0, -3.0e+5,
  0.25, .5, 100_000,
123456789012345678901234567890, 2020-13-02]
nested: [[1, 2, 3], [4, 5, 6], ['a', b, null], [], {a: 1, b: [2, 3]}]
block:
- 1.5
- 2.5
- -3.5
- x, y
alias: *anchor
again: 1
name: twice
";

#[test]
fn gaps_are_read_as_the_scanner_reads_them() {
    let good = SEED.replace("folded: one\n two: 2\n", "").replace("  a: b\n  }", "  a: b }");
    assert!(!compare(&document(&good)), "a block scalar looks like simple lines");
    let good = good.replace("text: |\n  a: 1\n  b: 2\n", "");
    assert!(compare(&document(&good)));
    assert!(compare_with(&document(&good), Thresholds { part: usize::MAX, ..Thresholds::DEFAULT }, &Limits::default()));
    for text in [
        "a: 1\nb: 2\nc: 3\n",
        "a:\nb: 2\nc: 3\nd:\ne: 5\nf: 6\n",
        "- a: 1\n  b: 2\n  c: 3\n- a: 4\n  b: 5\n  c: 6\n",
        "a:\n  b: 1\n  c: 2\n  d: 3\ne:\n  f: 1\n  g: 2\n  h: [1, 2, 3]\n",
        "- 1\n- 2\n- 3\n- 4\n",
        "a:\n- 1\n- 2\n- 3\n- 4\nb: 1\n",
        "a: !t/x-1.0.0 {b: c}\nd: !t/x-1.0.0 {b: c}\ne: !t/x-1.0.0 [f]\n",
        "- !t [1]\n- !t [2]\n- x\n- !t 'y'\n",
        "[1, 2, 3, 4]\n",
        "- - 1\n  - 2\n  - 3\n- - 4\n  - 5\n  - 6\n",
        "a: &x [1, 2, 3]\nb: *x\n",
        "a: !t &x [1, 2, 3]\nb: [[1, 2, 3, 4], [5, 6, 7, 8]]\n",
        "a: [1,\n2,\n\n 3\n]\n",
        "{a: 1, b: 2, c: 3}\n",
        "a: !t &x {b: 1, c: [2, {d: 3}],\n e: f}\nb: *x\n",
    ] {
        assert!(compare(&document(text)), "{text}");
    }
    assert!(!compare(&document("a: 'x\n  b: 2\n  c: 3\n  '\n")));
    assert!(!compare(&document("a: |\n  [1, 2, 3]\n")));
    assert!(!compare(&document("a: x [1, 2, 3]\n")));
    assert!(!compare(&document("a: b # [1, 2, 3]\n")));
    assert!(!compare(&document("[1, 2, 3]: b\n")));
    assert!(!compare(&document("a: |\n  {b: 1, c: 2}\n")));
    assert!(!compare(&document("{b: 1, c: 2}: d\n")));
}

#[test]
fn scanner_sees_the_first_value_of_a_region_and_what_is_not_simple() {
    for (text, remains) in [
        ("a: 1\nb: 2\nc:\n  d: 3\n  e: !t\n    - 4\n    - f: 5\n      g: 6\nh: 7\n", "a: 1\n"),
        ("a:\n  b: !x\n  - c: 1\n    d: 2\n  - !y\n    e: 3\nf: 4\n", "a:\n  b: !x\n  - c: 1\n"),
        (
            "a: 1\nb:\n  c: 2\n  d: 3\n  e: \"x\"\n  f: 4\n  g: 5\nh: 6\n",
            "a: 1\nb:\n  c: 2\n  e: \"x\"\n  f: 4\nh: 6\n",
        ),
        ("a: 1\nb: 2\n\n# c\nd: 3\ne: some\n  words\nf: 4\ng: 5\n", "a: 1\ne: some\n  words\nf: 4\n"),
        ("a: 1\nb: 2\nc:\nd: 3\ne: 4\n", "a: 1\nc:\nd: 3\n"),
    ] {
        // The tilde is not simple.
        let [text, remains] = [text, remains].map(|content| document(&format!("{content}z: ~\n")));
        assert!(
            matches!(Simple::new(&text, MINIMAL, 99), Some(Simple::Reduced(found)) if found.text == remains),
            "{text}"
        );
        assert!(compare(&text), "{text}");
    }
    let deep: String = (0..30).map(|level| format!("{0}k: v\n{0}l:\n", "  ".repeat(level))).collect();
    assert!(compare(&document(&format!("{deep}{}m: 1\nn: 2\n", "  ".repeat(30)))));
}

#[test]
fn tags_in_gaps_are_those_of_the_directives() {
    let content = "a: !t/x 1\nb: !<u:/v> [1, 2]\nc: !t/y\n  d: !z-1.0 'e'\n  f: 2\ng: 3\n";
    let directives = [
        ("", true),
        ("%YAML 1.1\n", true),
        ("%TAG ! tag:a.b/\n", true),
        ("%TAG ! tag:a.b,2000:\n", false),
        ("# c\n\n%TAG !! tag:a.b/\n%TAG !e! tag:c.d/\n", true),
        ("%TAG ! !local-\n", false),
        ("%TAG ! a%20\n", false),
    ];
    for (directives, expected) in directives {
        for start in ["--- !root\n", "--- \n", "---\n# c\n"] {
            let text = format!("{directives}{start}{content}...\n");
            assert!(compare(&text) || !expected, "{text}");
        }
    }
    assert!(!compare("%TAG ! a\n%TAG ! b\n--- !root\na: !t 1\nb: 2\n"));
    assert!(compare("a: !t 1\nb: !u 2\nc: 3\n"));
}

#[test]
fn simple_documents_need_no_scanner() {
    let whole = |text: &str| matches!(Simple::new(text, MINIMAL, 99), Some(Simple::Whole(_)));
    for text in [
        "a: 1\n",
        "a: 1",
        "a: 1\n...\n",
        "a: 1\n...",
        "---\na: 1\n",
        "--- !t\na: 1\n",
        "%YAML 1.1\n---\na: 1\n",
        "%TAG ! x:\n--- !<u:/v>\na: !t {b: [1]}\n",
        "%YAML 1.1\n%TAG ! x:y/\n--- !t/u-1.0.0\na: !t\n  b:\n  - c: 1\n  - d:\n      e: !t x\n    f: 2\n",
    ] {
        assert!(whole(text) && compare(text), "{text}");
    }
    for text in [
        "",
        "---\n",
        "a:\n",
        "- 1\n",
        " a: 1\n",
        "a: 1\n....\n",
        "a: 1\n... x\n",
        "a: 1\n---\nb: 2\n",
        "a: 1\n  b: 2\n",
        "a: 1\n# c\n...\n",
        "a: 1\nb: ~\n",
        "--- a: 1\n",
        "--- !t \na: 1\n",
        "--- !t &x\na: 1\n",
        "---  !t\na: 1\n",
        "---x\na: 1\n",
        "# c\na: 1\n",
        "%YAML 1.1\na: 1\n",
        "%YAML 1.2\n---\na: 1\n",
        "%YAML 1.1\r\n---\na: 1\n",
        "%TAG ! x y\n---\na: 1\n",
        "%TAG ! \n---\na: 1\n",
        "%TAG ! a\n%TAG ! b\n---\na: 1\n",
        "%TAG !e! a\n---\na: 1\n",
        "%X\n---\na: 1\n",
    ] {
        assert!(!whole(text), "{text}");
        compare(text);
    }
}

#[test]
fn limits_hold_in_gaps() {
    let content = "a: [[[1, 2, 3], [4, 5, 6]], [7]]\nb: 1\nc: 2\nd:\n  e:\n  - f: [1]\n    g: 3\ne: {f: [1, 2]}\n";
    check_limits(&document(content));
    check_limits(&document(&format!("{content}g: ~\n")));
}

fn check_limits(text: &str) {
    for number in 0..60 {
        for limits in
            [Limits { depth: number, ..Limits::default() }, Limits { nodes: number.into(), ..Limits::default() }]
        {
            let gaps = by_gaps(text, MINIMAL, &limits).is_some();
            assert_eq!(gaps, by_scanner(text, &limits).is_ok(), "{limits:?}");
        }
    }
}

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// Values of simple lines.
const PLAIN: [&str; 13] = [
    "1",
    "two words",
    "'q: #'",
    "[1, 2]",
    "[]",
    "-1.5e+3",
    "!t/a-1.0.0 {source: 0, shape: [2]}",
    "!t/b [x, 'y']",
    "!t/a-1.0.0 text",
    "!<asdf://a.b/c-1.0.0> {d: 1}",
    "[[1, 2, 3], [4, 5, 6]]",
    "{a: b, c: [d, {e: f}]}",
    "123456789012345678901",
];

/// Other values, some of which look like simple lines.
const OTHER: [&str; 29] = [
    "\"d\"",
    "{a: b, ? c}",
    "&n x",
    "*n",
    "!t y",
    "~",
    "",
    "a # c",
    "|\n   l: 1\n   m: 2",
    "|\n   - 1\n   - 2\n   - 3",
    "'x\n    y: 1\n    z: 2'",
    "'x\n    - 1\n    - 2'",
    "some\n      more",
    "[1,\n 2, 3,\n4]",
    "[1, 2,\n3 # c\n]",
    "{\n   p: 1\n   }",
    "&m [1, 2, 3, 4]",
    "!t &l [1, 2, 3, 4]",
    "[1, 2, 3]: x",
    "[1, 2, 3,]",
    "[1, 2 3, 4\n5]",
    "{a: [1, 2, 3, 4], b: \"c\"}",
    "{a: 1,\n b: 2, c: d,\ne: [f]}",
    "!t &k {a: 1, b: 2, c: 3}",
    "{a: 1, b: 2}: x",
    "[a: 1, 2, 3]",
    "[1, 2, 3] # c",
    ">\n   [1, 2, 3, 4]\n   [5, 6]",
    "\"[1, 2, 3, 4]\"",
];

const DAMAGE: [&str; 26] = [
    " ", "  ", "\n", "\n\n", ": ", "- ", "'", "[", "]", "{", "}", "|", ">", "#", "&a ", "*a", "!t ", "? ", ",", "\t",
    "x", "...", "\n...\n", "---", "\r", "!",
];

fn random_content(random: &mut Random) -> String {
    let lines: Vec<&str> = SEED.lines().collect();
    let mut content = String::from(random.of(&["top: &n 1\n", "top: &n 1\n", "", "- &n 1\n"]));
    let mut levels = vec![(0, content.starts_with('-'))];
    let count = if random.below(4) > 0 { 14 } else { 50 };
    for number in 0..2 + random.below(count) {
        let (level, in_list) = levels.last().copied().unwrap_or((0, false));
        let indentation = " ".repeat(level);
        // Mostly values of simple lines, so that there are gaps.
        let value = if random.below(5) > 0 {
            if random.below(2) == 0 { PLAIN[0] } else { random.of(&PLAIN) }
        } else {
            random.of(&OTHER)
        };
        let key = if random.below(9) > 0 { format!("k{number}") } else { "same".into() };
        let tag = random.of(&["", "", " !t/h", " !<asdf://a.b/h>", " !x # c"]);
        match random.below(14) {
            0 if !in_list => {
                content.push_str(&format!("{indentation}{key}:{tag}\n"));
                levels.push((level + 2, random.below(2) == 0));
            }
            1 if !in_list => {
                content.push_str(&format!("{indentation}{key}: !m\n{indentation}- a: {value}\n"));
                levels.push((level + 2, false));
            }
            2 if !in_list => {
                content.push_str(&format!("{indentation}{key}:{tag}\n"));
                levels.push((level, true));
            }
            3 if levels.len() > 1 => {
                levels.pop();
            }
            4 => content.push_str([lines[random.below(lines.len())], "", "# comment"][random.below(3)]),
            5 if in_list => {
                content.push_str(&format!("{indentation}- - {value}\n"));
                levels.push((level + 2, true));
            }
            6 if in_list => {
                content.push_str(&format!("{indentation}- a: {value}\n"));
                levels.push((level + 2, false));
            }
            7 if in_list => {
                content.push_str(&format!("{indentation}-{tag}\n"));
                levels.push((level + 1 + random.below(3), random.below(2) == 0));
            }
            8 if in_list => {
                content.push_str(&format!("{indentation}- {key}:{tag}\n"));
                levels.push((level + 2, false));
                levels.push((level + 3, random.below(2) == 0));
            }
            _ if in_list => content.push_str(&format!("{indentation}- {value}")),
            _ => content.push_str(&format!("{indentation}{key}: {value}")),
        }
        if !content.ends_with('\n') {
            content.push('\n');
        }
    }
    for _ in 0..random.below(4).saturating_sub(2) {
        let mut at = random.below(content.len());
        while !content.is_char_boundary(at) {
            at -= 1;
        }
        if random.below(2) == 0 {
            content.insert_str(at, random.of(&DAMAGE));
        } else {
            content.remove(at);
        }
    }
    content
}

/// Returns the items of all sequences and the values of all mappings.
pub(super) fn places(tree: &Tree) -> Vec<NodeId> {
    let mut out = Vec::new();
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        let step = if tree.kind(id) == Kind::Mapping { 2 } else { 1 };
        let items = tree.items(id);
        out.extend(items.iter().skip(step - 1).step_by(step));
        stack.extend(items);
    }
    out
}

/// Number of kinds of edits.
pub(super) const EDITS: usize = 13;

/// Edits a tree at one place, or moves that node to the path `to`. Returns whether the edit succeeded.
pub(super) fn edit(tree: &mut Tree, place: NodeId, what: usize, from: (&Tree, NodeId), to: &str) -> bool {
    let root = tree.root();
    let path = tree.path(place);
    match what {
        6 => tree.insert_item(root, &path, Some(from.1.number() as usize % 3)).is_ok(),
        7 => tree.insert_key(root, &path, "inserted", KeyPosition::First).is_ok(),
        8 => tree.insert_key(root, &path, "inserted too", KeyPosition::Last).is_ok(),
        9 => tree.rename_key(root, &path, "renamed").is_ok(),
        10 | 11 => tree.move_node(root, &path, to).is_ok(),
        12 => tree.move_node(root, &path, &format!("{to}/moved")).is_ok(),
        0 => tree.remove(place).is_ok(),
        1 => tree.copy_from(place, from.0, from.1).is_ok(),
        2 if tree.kind(place) == Kind::Sequence => {
            tree.append_item(place, Content::Scalar("7", Style::Plain));
            true
        }
        3 => tree.place(place, "new").is_ok(),
        _ => {
            tree.replace(place, Content::Scalar("changed", Style::Automatic));
            true
        }
    }
}

fn written(tree: &Tree) -> Option<String> {
    let mut out = String::new();
    emit(tree, &mut out, &EmitOptions::default()).is_ok().then_some(out)
}

#[test]
fn lists_change_as_if_their_items_had_been_nodes_from_the_start() {
    let mut random = Random(2);
    let limits = Limits::default();
    let mut changed = 0;
    for _ in 0..3000 {
        let text = document(&random_content(&mut random));
        let Some(mut gaps) = by_gaps(&text, MINIMAL, &limits) else { continue };
        let mut whole = by_scanner(&text, &limits).unwrap();
        let (from_gaps, from_whole) = (by_gaps(&text, MINIMAL, &limits).unwrap(), by_scanner(&text, &limits).unwrap());
        let origins = places(&from_whole.tree);
        for _ in 0..1 + random.below(6) {
            let places = places(&whole.tree);
            if places.is_empty() {
                break;
            }
            let (place, origin) = (places[random.below(places.len())], origins[random.below(origins.len())]);
            let what = random.below(EDITS);
            let to = whole.tree.path(places[random.below(places.len())]);
            if random.below(4) == 0 {
                // Programs may ask for these before an edit.
                let _ = (gaps.tree.path(place), gaps.tree.items(gaps.tree.parent(place).unwrap_or(place)));
            }
            let done = edit(&mut gaps.tree, place, what, (&from_gaps.tree, origin), &to);
            assert_eq!(done, edit(&mut whole.tree, place, what, (&from_whole.tree, origin), &to), "{text}");
            changed += 1;
            assert_eq!(dump(&gaps.tree), dump(&whole.tree), "{text}");
        }
        assert_eq!(written(&gaps.tree), written(&whole.tree), "{text}");
    }
    assert!(changed > 2000, "{changed}");
}

#[test]
fn edited_texts_hold_what_the_trees_hold() {
    let mut random = Random(3);
    let limits = Limits::default();
    let (mut patched, mut anew) = (0, 0);
    for _ in 0..3000 {
        let text = document(&random_content(&mut random));
        let Ok(Parsed { mut tree, .. }) = parse(text.clone(), 0, 1, &limits) else { continue };
        let from = parse(text.clone(), 0, 1, &limits).unwrap().tree;
        let origins = places(&from);
        tree.remember_original();
        for _ in 0..1 + random.below(4) {
            let places = places(&tree);
            if places.is_empty() {
                break;
            }
            let (place, origin) = (places[random.below(places.len())], origins[random.below(origins.len())]);
            let to = tree.path(places[random.below(places.len())]);
            edit(&mut tree, place, random.below(EDITS), (&from, origin), &to);
        }
        // Some trees cannot be written, because ASDF forbids their keys.
        let Ok(spliced) = splice(&tree, &limits) else { continue };
        let read = parse(spliced.clone(), 0, 1, &limits).unwrap_or_else(|error| panic!("{error}\n{text:?}"));
        assert!(same(&tree, &read.tree), "{text}\n{spliced}");
        *(if by_patches(&tree, &limits).unwrap().is_some() { &mut patched } else { &mut anew }) += 1;
    }
    println!("{patched} texts were patched, {anew} written anew");
    assert!(patched > 4 * anew && patched > 1000, "{patched} texts were patched, {anew} written anew");
}

#[test]
fn damaged_texts_are_read_alike_or_left_to_the_scanner() {
    let count = std::env::var("ASDFKIT_YAML_DOCUMENTS").map_or(20_000, |count| count.parse().unwrap());
    let mut random = Random(1);
    let mut read = 0;
    for _ in 0..count {
        let content = random_content(&mut random);
        read += usize::from(compare(&document(&content)));
        if random.below(10) == 0 {
            let limits = Limits { depth: random.below(8) as u32, ..Limits::default() };
            compare_with(&document(&content), MINIMAL, &limits);
        }
    }
    println!("{read} of {count} documents were read with gaps, each as without");
    assert!(read > count / 10, "{read}");
}
