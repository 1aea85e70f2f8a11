//! Texts that ask much of a reader: random parts, lines and lists that break off, and changed texts of the corpora.

use super::Random;
use super::corpus::{BODIES, HEAD, TEXTS};
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
    "!a%00b ",
    "!%C3%A9 ",
    "!%FF ",
    "!a%4 ",
    "!<a%2Cb> ",
    "!!merge <<: ",
    "<<: *x\n",
    "<<: {a: b}\n",
    "&x {a: b}\n",
    "&k key: ",
    "!k key: ",
    "*x : ",
    "? [a]\n",
    "%YAML 1.2\n",
    "%YAML 1.3\n",
    "%YAML 2.0\n",
    "%FOO bar # c\n",
    "--- # c\n",
    "--- |\n",
    "\"\\x41\\u00e9\"",
    "\"\\q\"",
    "'a\tb'",
    "a\tb",
    "a:\tb",
    "-\ta",
    "\ta: b\n",
    "a \t: b",
    "= ",
    "\u{e9}\u{300}",
    "\u{1f600}",
    "\u{fffd}",
    "\u{7f}",
    "\u{0}",
    "\u{80}",
    "[a: b]",
];

/// Simple scalars, which a run of them can hold.
const SIMPLE: &[&str] =
    &["a", "1", "-2.5e3", "two words", "'it'", "\"q\"", "x-y", "a:b", "a#b", "~", "é", ".5", "<<", "=", "http://a/b"];

/// Nodes with tags, anchors and aliases, and small collections, which a run can hold, too.
const NODES: &[&str] = &[
    "&x a",
    "&x a",
    "&y 'b'",
    "*x",
    "*x",
    "!t a",
    "!!str a",
    "! a",
    "!<u> a",
    "!a/b-1.0.0 \"q\"",
    "&x !t a",
    "!t &x a",
    "[]",
    "{}",
    "[a, b]",
    "[a, b,]",
    "[a,b]",
    "[ a , *x ]",
    "{a: b}",
    "{a: b, c: 'd'}",
    "{ a : b ,}",
    "{a: [b, {c: d}]}",
    "[[a], [b]]",
    "[&x a, !t b]",
    "!t [a]",
    "&x {a: *x}",
    "!t &x {a: !!int 1}",
    "[a,\n    b]",
    "{a: b,\n    c: d\n    }",
    "[a, # c\n    b]",
    "[[[[[[[[a]]]]]]]]",
    "[[[[[[[[[a]]]]]]]]]",
];

/// Values that end a run, or continue the scalar before them.
const HARD: &[&str] = &[
    "",
    "''",
    "'it''s'",
    "'a: b'",
    "'a\n  b'",
    "\"a\\\n  b\"",
    "\"\\t\"",
    "'x' y",
    "\"x\"#",
    "'x'#c",
    "'x':",
    "\"x\": y",
    "a: b",
    "a : b",
    "a:",
    ":",
    ":a",
    "-",
    "- a",
    "- - a",
    "-a",
    "?a",
    "? a",
    "[a, b]",
    "{a: b}",
    "[",
    "}",
    "a]",
    "a,b",
    ",",
    "|\n    text",
    ">-\n    text\n\n",
    "|",
    "&x a",
    "&x",
    "*x",
    "!t a",
    "!!str",
    "!",
    "a\n    b",
    "a\n\n    b",
    "a\n b",
    "a\n\tb",
    "a\n    # c\n    b",
    "#a",
    "%a",
    "@a",
    "`",
    "...",
    "---",
    "--- a",
    "\ta",
    "[a]: b",
    "[a] b",
    "[a]#",
    "{a: b}: c",
    "[a",
    "[a, b",
    "[a}",
    "{a]",
    "{a, b}",
    "{a}",
    "{a: }",
    "{: a}",
    "{? a: b}",
    "[a: b]",
    "[? a]",
    "[,]",
    "[a,,b]",
    "[a\n  ,b]",
    "[a\n,b]",
    "[a,\n---\n]",
    "[a,\n--- ]",
    "[a, - b]",
    "[-, a]",
    "[*x: a]",
    "[*z]",
    "*x a",
    "*x:",
    "*x : a",
    "*x#",
    "*x,",
    "*x]",
    "&x",
    "&x\n    a",
    "&x *x",
    "&x &y a",
    "!t !u a",
    "&x\ta",
    "!t\ta",
    "!t, a",
    "!t[a]",
    "!e!x a",
    "!e! a",
    "!!! a",
    "!a!b c",
    "!!a%41 b",
    "!<a",
    "!<> a",
    "!<a>b c",
    "!a{b} c",
    "!a,b c",
    "! ",
    "&x",
    "& a",
    "&a: b",
    "&a:b c",
    "&x - a",
    "!t - a",
    "!t a: b",
    "&x a: b",
    "[!t, a]",
    "[&x, a]",
    "[!t ]",
    "{!t a: b}",
    "{&x a: b}",
    "{*x : b}",
    "{a: &x}",
    "{a: !t}",
    "{a: *x}",
    "{a: b}c",
    "{\"a\":b}",
    "{'a' : b}",
    "{a:b}",
    "{a :b}",
    "['a'b]",
    "[\"a\" #\n ]",
    "a\u{85}b",
    "\u{2028}",
    "\u{feff}a",
    "a\u{feff}",
    "\u{a0}",
];

/// Returns a node that a run can hold.
fn simple(random: &mut Random) -> &'static str {
    let from = if random.below(3) == 0 { NODES } else { SIMPLE };
    from[random.below(from.len())]
}

/// Ends of a line.
const ENDS: &[&str] = &["", "", "", "", " ", "\t", "  # c", "\t# c", " #", "#", " \t "];

/// Lines between others.
const BETWEEN: &[&str] =
    &["", "", "  ", "\t", "# c", "    # c", " # c", "---", "...", "\u{feff}", "--- # c", "%TAG ! x", "\u{85}"];

/// Returns block collections of lines that look alike, most of which are simple.
pub(super) fn lines(random: &mut Random) -> String {
    let line_break = ["\n", "\n", "\n", "\n", "\r\n", "\r"][random.below(6)];
    let rarity = 4 << random.below(6);
    let mut text = String::new();
    if random.below(8) == 0 {
        text.push_str(random.pick(&[
            "--- ",
            "---\n",
            "%YAML 1.1\n---\n",
            "\u{feff}",
            "- ",
            "? ",
            "a: ",
            "[",
            "&x ",
            "!t\n",
        ]));
    }
    let (mut column, mut form, mut is_open) = (0, 0, true);
    for _ in 0..=random.below(4) {
        let is_odd = random.below(rarity) == 0;
        if is_open || is_odd {
            form = random.below(6);
        }
        if is_odd {
            column = random.below(5);
        }
        let indent = " ".repeat(column);
        for number in 0..=random.below(6) {
            let is_odd = random.below(rarity) == 0;
            let value = if is_odd { random.pick(HARD) } else { simple(random) };
            let line = match form {
                0 | 1 => format!("{indent}key{number}: {value}"),
                2 => format!("{indent}- {value}"),
                3 => format!("{indent}{}: {}", random.pick(SIMPLE), value),
                4 => format!("{indent}- {}: {}", random.pick(SIMPLE), value),
                _ => format!(
                    "{indent}{}{}{}",
                    random.pick(SIMPLE),
                    random.pick(&[": ", ":", " : ", ":  ", ":\t"]),
                    value
                ),
            };
            text.push_str(&line);
            text.push_str(if random.below(3) == 0 { random.pick(ENDS) } else { "" });
            text.push('\n');
            if random.below(rarity) == 0 {
                text.push_str(random.pick(BETWEEN));
                text.push('\n');
            }
        }
        is_open = random.below(2) == 0;
        if is_open {
            let openers: &[&str] =
                if matches!(form, 2 | 4) { &["-\n", "- k:\n", "- &x\n"] } else { &["k:\n", "? k\n:\n", "k: &x\n"] };
            text.push_str(&format!("{indent}{}", random.pick(openers)));
            let is_compact = text.ends_with("- k:\n");
            column += if is_compact { 4 } else { random.below(3) };
        } else if column > 1 && random.below(2) == 0 {
            column -= 2;
        }
    }
    if random.below(4) == 0 { text } else { text.replace('\n', line_break) }
}

/// Returns lists in brackets and braces over several lines, most of whose entries are simple.
pub(super) fn lists(random: &mut Random) -> String {
    let rarity = 4 << random.below(6);
    let mut text = random.pick(&["", "a: ", "- ", "a:\n  ", "--- ", "&x ", "!t "]).to_owned();
    let mut open = Vec::new();
    let begin = |text: &mut String, open: &mut Vec<bool>, is_mapping: bool| {
        text.push(if is_mapping { '{' } else { '[' });
        open.push(is_mapping);
    };
    begin(&mut text, &mut open, random.below(2) == 0);
    for _ in 0..random.below(24) {
        let Some(&is_mapping) = open.last() else { break };
        let is_odd = random.below(rarity) == 0;
        if is_mapping && !is_odd || !is_mapping && random.below(rarity) == 0 {
            text.push_str(random.pick(SIMPLE));
            text.push_str(random.pick(&[": ", ": ", ": ", ":", " : ", ":\n", ":\t", ""]));
        }
        match random.below(12) {
            0 if open.len() < 4 => begin(&mut text, &mut open, random.below(2) == 0),
            _ if random.below(rarity) == 0 => text.push_str(random.pick(HARD)),
            _ => text.push_str(simple(random)),
        }
        text.push_str(match random.below(3 * rarity) {
            0 => random.pick(&[",,", "\n", "\n  ", "", " # c\n,", ",#"]),
            number if number % 4 == 0 => {
                random.pick(&[" ,", ",", ",\n", ",\n  ", ", # c\n", "\n, ", "\t,\t", ",\r\n", ",\n\n", ",\n\t"])
            }
            _ => ", ",
        });
        if open.len() > 1 && random.below(8) == 0 {
            let is_mapping = open.pop().unwrap_or_default() ^ (random.below(rarity) == 0);
            text.push(if is_mapping { '}' } else { ']' });
            text.push_str(if random.below(rarity) == 0 {
                random.pick(&[": ", ":", " : "])
            } else {
                random.pick(&[", ", ",\n"])
            });
        }
    }
    while let Some(is_mapping) = open.pop() {
        if random.below(rarity) > 0 {
            text.push(if is_mapping { '}' } else { ']' });
        }
    }
    let ends = ["", "\n", " # c\n", "\n...\n", "\nb: c\n", ": a\n", " a", "\n- b\n", ","];
    let range = if random.below(4) == 0 { 0..ends.len() } else { 0..4 };
    text.push_str(random.pick(&ends[range]));
    text
}

/// Returns a text of more simple scalars than a run holds.
pub(super) fn long_list(random: &mut Random) -> String {
    let value = |random: &mut Random| random.pick(SIMPLE).to_owned();
    let count = 4094 + random.below(5);
    let is_odd = |number: usize| number + 3 > count;
    let (before, between, after) =
        [("", "\n- ", "\n"), ("", "\nk: ", "\n"), ("[", ", ", "]\n"), ("{", ", k: ", "}\n")][random.below(4)];
    let mut text = before.to_owned();
    for number in 0..count {
        text.push_str(if number == 0 { between.trim_start_matches([',', ' ', '\n']) } else { between });
        text.push_str(&if is_odd(number) && random.below(2) == 0 {
            random.pick(HARD).to_owned()
        } else {
            value(random)
        });
    }
    text + after
}

/// Returns a text of random parts.
pub(super) fn soup(random: &mut Random) -> String {
    let length = 1 + random.below(14);
    (0..length).map(|_| random.pick(PARTS)).collect()
}

/// Replaces, inserts, removes or copies parts of a text.
pub(super) fn mutated(text: &str, random: &mut Random) -> String {
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

/// Longest part of a file of the corpora that becomes a seed.
const LONGEST: usize = 3000;

/// Returns texts of the corpora: trees, headers of tables, descriptions. Of long texts, the first lines.
pub(super) fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = BODIES.iter().map(|body| format!("{HEAD}{body}...\n")).collect();
    seeds.extend(TEXTS.iter().map(|text| format!("a: {text}\nb: [{text}]\n")));
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let references = std::env::var_os("ASDFKIT_REFERENCE_FILES").map(PathBuf::from);
    let mut folders = vec![project.join("tests/corpora")];
    folders.extend(references.filter(|folder| folder.is_dir()));
    seeds.extend(files_in(folders).iter().filter_map(|path| head_of(path)));
    assert!(seeds.len() > 400, "{}", seeds.len());
    seeds
}

/// Returns the files in folders and in the folders in them, in order.
fn files_in(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder exists") {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    paths
}

/// Returns the texts in a folder, and their parts before each end of a line.
pub(super) fn texts_in(folder: PathBuf) -> impl Iterator<Item = String> {
    let texts = files_in(vec![folder]).into_iter().filter_map(|path| String::from_utf8(std::fs::read(path).ok()?).ok());
    texts.flat_map(|text| {
        let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).chain([text.len()]).collect();
        ends.into_iter().map(move |end| text[..end].to_owned())
    })
}

/// Returns the YAML text at the start of a file.
fn head_of(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).unwrap();
    let end = bytes.windows(5).position(|window| window == b"\n...\n").map_or(bytes.len(), |end| end + 5);
    let mut text = std::str::from_utf8(&bytes[..end]).ok()?.to_owned();
    if path.extension().is_some_and(|extension| extension == "ecsv") {
        let lines = text.lines().filter_map(|line| line.strip_prefix("# ")).skip(2);
        text = lines.map(|line| format!("{line}\n")).collect();
    }
    if text.len() > LONGEST {
        let end = text.bytes().take(LONGEST).rposition(|byte| byte == b'\n')? + 1;
        text.truncate(end);
    }
    Some(text)
}
