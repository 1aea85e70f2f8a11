//! Random texts, read by this library and by libyaml: the same steps, or both refuse. The environment variable
//! `ASDFKIT_YAML_DOCUMENTS` sets the number of texts.

use super::corpus::{BODIES, HEAD, TEXTS};
use super::{Random, Step, libyaml, steps_of};
use asdfkit::internals::{Style, parse};
use asdfkit::{Limits, Status};
use std::path::{Path, PathBuf};

/// Parts of texts that mean something to YAML.
const PARTS: &[&str] = &[
    "a",
    "b",
    "key",
    "é",
    "1",
    "-1.5",
    "true",
    "~",
    "''",
    "\"\"",
    "'it''s'",
    "\"x\\n\"",
    "'a b'",
    "\"a\\\n b\"",
    "'x\n\n y'",
    ": ",
    ":",
    " :",
    ":\n",
    "- ",
    "-",
    "-\n",
    "? ",
    "?",
    "?\n",
    ",",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "[a, b]",
    "{a: b}",
    "&x ",
    "&y",
    "*x",
    "*x ",
    "*y",
    "&x\n",
    "!t ",
    "!!str ",
    "! ",
    "!",
    "!<u> ",
    "!t\n",
    "!!int",
    "!e!x ",
    "|",
    "|\n",
    ">\n",
    "|-\n",
    ">+\n",
    "|2\n",
    "|+",
    "  x\n",
    " ",
    "  ",
    "   ",
    "\t",
    "\n",
    "\n\n",
    "\n  ",
    "\n ",
    "\n    ",
    "\r\n",
    "\r",
    "#",
    " # c",
    "# c\n",
    "<<: ",
    "<<",
    "---\n",
    "...\n",
    "--- ",
    "...",
    "%YAML 1.1\n",
    "%TAG ! x\n",
    "%TAG !e! y:\n",
    "%",
    "@",
    "`",
    "\\",
    "'",
    "\"",
    "|",
    ">",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{a0}",
    "a: b\n",
    "- a\n",
    "  a: b\n",
    "  - b\n",
    "text of words",
    "x: [1,\n 2]",
    "k: 'v'\n",
    "a, b",
    "a:b",
    "a#b",
    "a #b",
    ":a",
    "?a",
    "-a",
    "12:30",
    "{a, b: c}",
    "[a: b]",
];

fn count(default: usize) -> usize {
    std::env::var("ASDFKIT_YAML_DOCUMENTS").map_or(default, |count| count.parse().expect("a number"))
}

/// Returns the only difference that is not one: a document without content is an empty mapping here.
fn is_empty_document(steps: &[Step]) -> bool {
    matches!(steps, [Step::Scalar { value, style: Style::Plain, .. }] if value.is_empty())
}

/// Compares both readers. Returns whether both have read the text.
fn compare(text: &str) -> bool {
    let theirs = libyaml::parse(text);
    let ours = parse(text.to_owned(), 0, 1, &Limits::default());
    match (ours, theirs) {
        (Ok(parsed), Some(theirs)) => {
            let ours = steps_of(&parsed.tree);
            assert!(ours == theirs || is_empty_document(&theirs), "{text:?}\n ours: {ours:?}\n libyaml: {theirs:?}");
            true
        }
        (Err(error), Some(theirs)) => {
            // What ASDF forbids, or PyYAML refuses after libyaml has read it.
            let is_refused_later = matches!(error.status(), Status::Tree | Status::TagContent | Status::Limit);
            assert!(is_refused_later, "{text:?}\n ours: {error}\n libyaml: {theirs:?}");
            false
        }
        (Ok(parsed), None) => {
            let is_known = text.contains("%YAML") || has_unknown_directive(text) || steps_of(&parsed.tree).len() <= 2;
            assert!(is_known, "{text:?}\n ours: {:?}\n libyaml refuses", steps_of(&parsed.tree));
            false
        }
        (Err(_), None) => false,
    }
}

fn has_unknown_directive(text: &str) -> bool {
    let name = |line: &str| line.strip_prefix('%').map(|rest| rest.split([' ', '\t']).next() != Some("TAG"));
    text.lines().any(|line| name(line) == Some(true))
}

/// Returns a text of random parts.
fn soup(random: &mut Random) -> String {
    let length = 1 + random.below(14);
    (0..length).map(|_| random.pick(PARTS)).collect()
}

/// Replaces, inserts, removes or copies parts of a text.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(characters.len() + 1);
        let end = (at + random.below(8)).min(characters.len());
        match random.below(4) {
            0 => drop(characters.drain(at..end)),
            1 => drop(characters.splice(at..at, random.pick(PARTS).chars())),
            2 => drop(characters.splice(at..end, random.pick(PARTS).chars())),
            _ => {
                let copy: Vec<char> = characters[at..end].to_vec();
                let to = random.below(characters.len() + 1);
                characters.splice(to..to, copy);
            }
        }
    }
    characters.into_iter().collect()
}

/// Texts of the corpora, which are not too long.
fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = BODIES.iter().map(|body| format!("{HEAD}{body}...\n")).collect();
    seeds.extend(TEXTS.iter().map(|text| format!("a: {text}\nb: [{text}]\n")));
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora")];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpora exist") {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let end = bytes.windows(5).position(|window| window == b"\n...\n").map_or(bytes.len(), |end| end + 5);
        if let Ok(text) = std::str::from_utf8(&bytes[..end]) {
            let text = if path.extension().is_some_and(|extension| extension == "ecsv") {
                text.lines()
                    .filter_map(|line| line.strip_prefix("# "))
                    .skip(2)
                    .map(|line| format!("{line}\n"))
                    .collect()
            } else {
                text.to_owned()
            };
            if text.len() < 3000 {
                seeds.push(text);
            }
        }
    }
    assert!(seeds.len() > 400, "{}", seeds.len());
    seeds
}

#[test]
fn random_parts_read_alike() {
    let mut random = Random(31);
    let read = (0..count(30_000)).filter(|_| compare(&soup(&mut random))).count();
    println!("{read} texts of random parts are read by both");
    assert!(read > 100);
}

#[test]
fn mutated_texts_read_alike() {
    let mut random = Random(32);
    let seeds = seeds();
    let mut read = 0;
    for number in 0..count(20_000) {
        let seed = &seeds[number % seeds.len()];
        read += usize::from(compare(&mutated(seed, &mut random)));
    }
    println!("{read} mutated texts are read by both");
    assert!(read > 100);
}
