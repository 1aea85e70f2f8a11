//! Documents and texts that are difficult to read or write.

use super::{Random, Step};
use asdfkit::internals::Style;

/// The lines before the root in these documents, and the start of its line.
pub(super) const HEAD: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- ";

/// Continuations of [`HEAD`].
pub(super) const BODIES: &[&str] = &[
    "!core/asdf-1.1.0\na: 1\nb: [1, 2.5, x]\nc: {d: e, f: [g]}\n",
    "a\n",
    "[]\n",
    "{}\n",
    "\na:\nb: ~\nc: ''\n? d\n? e\n: f\n",
    "\na: !t\nb: !!str\nc: &x\nd: *x\ne: !<tag:a,b> v\nf: !core%2Fx y\ng: !<!local> z\nh: !!int '12'\ni: ! '12'\nj: ! 12\n",
    "\n- - a\n  - b\n- c: d\n  e:\n  - f\n  - g\n-\n  - h\n- !t\n  i: j\n- &z\n  k: l\n- *z\n",
    "\na: &x {self: *x}\nb: &y [*y, *x]\n",
    "\na: &x 1\nb: &x 2\nc: *x\n&k key: *k\nd: {*k : other, z: *k}\n",
    "\na: plain\n  over\n  lines\n\n  and paragraphs\nb: 'single\n  quoted\n\n  text '' '\nc: \"double\\\n  \\ quoted\\n\n\n  \\u00e9\\x41\\U0001F600\\t\\\\\\\"\\/\\0\\a\\b\\e\\N\\_\\L\\P \"\n",
    "\na: |\n  lit\n   eral\n\nb: |-\n  x\nc: |+\n  y\n\nd: >\n  fol\n  ded\n\n  text\n   more\n  less\ne: >-\n  z\nf: |2\n   blank\ng: >+\n  k\n\n",
    "# comment\na: b # comment\n# comment\nc: 'd' # comment\n\n# last\n",
    "{a: b:c, 'd':e, \"f\": g, ? h : i, j, k: , l: [m: n, o]}\n",
    "\n1: int\n'1': str\ntrue: bool\n~: null\n1.5: float\n? complex key\n: v\n",
    "\n<<: {a: 1}\nb: 2\n",
    "\nurl: http://x.y/z#w\nhash: a#b\ncolon: a:b\ndash: -a\nquestion: ?a\nat: a@b\npercent: 10%\n",
    "\na: [1,\n2, # c\n  3\n]\nb: {c: 1,\n  d: 2}\n",
    "\na: \"x\\\n    y\"\nb: 'x\n\n\n  y'\nc: x\n\n  y\n",
    "\né: ü\n\u{1F600}: [\u{1F600}, 'ß', \"\u{10FFFF}\"]\n",
    "\n\"\": empty\nb: {'': again}\n",
    "|\n  root\n  literal\n",
    "'a\n\n  b'\n",
    "\na:   \t b\nc:\t'd'\n",
    "\nls: 'x\u{2028}  y'\nps: 'x  \u{2029}y z'\nnel: 'x \u{85} y'\nn: 'a\n  b\u{2028}c'\ndq: \"a \u{2028} b\"\n",
    "\nfirst: ']\n\n\u{2028}  ]]'\nend: '\\b''s\u{2028}\u{2029}    '\nmixed: 'a \u{85}\n \u{2028} \r\n b\n\u{2028}'\nonly: '\u{85}'\n",
    "\n- [\"a\u{2028} b\", 'c\u{2029}']\n- ? '\u{2028}'\n  : '\u{2028}'\n- 'a\r\n\r\n  b \u{85} \u{85} c'\n",
];

/// Texts that need quotes, seem to need them, or fail with the wrong quotes.
pub(super) const TEXTS: &[&str] = &[
    "",
    "a",
    "yes",
    "1e5",
    "0o14",
    "~",
    "null",
    "1.5",
    "-0",
    " lead",
    "trail ",
    "a: b",
    "a #b",
    "#c",
    "- d",
    "?",
    "-",
    "---",
    "...",
    "two\nlines",
    "end\n",
    "ends\n\n",
    "\nstart",
    "a\n\nb",
    " a\n b\n",
    "tab\there",
    "é",
    "\u{1F600}",
    "*a",
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "'",
    "\"",
    "\\",
    "it's",
    "[x]",
    "{x}",
    "a,b",
    "x]y",
    "a:b",
    "a:",
    ":a",
    "<<",
    "=",
    "key with blanks",
    "|",
    ">",
    "a long text of many words that goes beyond the width of a line, which is eighty characters, and is folded",
    "\r",
    "a\rb",
    "\u{7}",
    "\u{feff}x",
    "\u{a0}",
    "1:30",
    "2020-01-02",
    "0x1F",
    "x\u{2028}y",
    "x\u{85}y",
];

/// Returns a document of up to about forty nodes.
pub(super) fn random_steps(random: &mut Random) -> Vec<Step> {
    let styles = [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded];
    let tags = ["tag:stsci.edu:asdf/core/x-1.0.0", "tag:yaml.org,2002:str", "tag:example.org,2000:a/b", "!local"];
    let mut steps = Vec::new();
    // For each open collection: true for a mapping, and the number of its children so far.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut nodes: Vec<bool> = Vec::new();
    loop {
        let at_key = open.last().is_some_and(|&(mapping, children)| mapping && children.is_multiple_of(2));
        let may_end = open.last().is_some_and(|&(mapping, children)| !mapping || children.is_multiple_of(2));
        let choice = random.below(10);
        if may_end && (steps.len() > 40 || choice < 2) {
            open.pop();
            steps.push(Step::End);
        } else {
            let tag = (random.below(6) == 0).then(|| random.pick(&tags).to_owned());
            if let Some((_, children)) = open.last_mut() {
                *children += 1;
            }
            let collection = !at_key && steps.len() <= 40 && (open.is_empty() || choice < 5);
            let style = if random.below(2) == 0 { Style::Flow } else { Style::Block };
            if collection {
                nodes.push(false);
                let mapping = random.below(2) == 0;
                steps.push(if mapping { Step::Mapping { tag, style } } else { Step::Sequence { tag, style } });
                open.push((mapping, 0));
            } else if choice == 9 && !open.is_empty() && nodes.iter().any(|&scalar| scalar || !at_key) {
                let candidates: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node] || !at_key).collect();
                steps.push(Step::Alias(candidates[random.below(candidates.len())]));
            } else {
                nodes.push(true);
                let value = random.pick(TEXTS).to_owned();
                // A plain merge key needs a mapping.
                let choices = if value == "<<" { 1..5 } else { 0..5 };
                let style = styles[choices.start + random.below(choices.len())];
                steps.push(Step::Scalar { value, tag, style });
            }
        }
        if open.is_empty() {
            return steps;
        }
    }
}

/// Returns a document of long flow lists and block lists: numbers, words, rows of them, arrays.
pub(super) fn long_steps(random: &mut Random) -> Vec<Step> {
    let plain = |value: &str| Step::Scalar { value: value.to_owned(), tag: None, style: Style::Plain };
    let values = [
        "1",
        "-2.5",
        "3.25e-7",
        "0.123456789012345678",
        "null",
        "true",
        "word",
        "two words",
        "2020-01-02",
        "a/b",
        "x, y",
    ];
    let mut steps =
        vec![Step::Mapping { tag: Some("tag:stsci.edu:asdf/core/asdf-1.1.0".to_owned()), style: Style::Block }];
    for key in 0..1 + random.below(6) {
        steps.push(plain(&format!("key{key}")));
        let style = if random.below(3) == 0 { Style::Block } else { Style::Flow };
        let count = random.below(200);
        match random.below(4) {
            0 => {
                steps.push(Step::Sequence { tag: None, style });
                for _ in 0..count {
                    let tag = Some("tag:stsci.edu:asdf/core/ndarray-1.1.0".to_owned());
                    steps.push(Step::Mapping { tag, style: Style::Flow });
                    for (key, value) in [("source", "0"), ("datatype", "float32"), ("byteorder", "little")] {
                        steps.extend([plain(key), plain(value)]);
                    }
                    steps.extend([plain("shape"), Step::Sequence { tag: None, style: Style::Flow }, plain("4")]);
                    steps.extend([Step::End, Step::End]);
                }
                steps.push(Step::End);
            }
            1 => {
                steps.push(Step::Sequence { tag: None, style });
                let columns = random.below(90);
                for _ in 0..count / 8 {
                    steps.push(Step::Sequence { tag: None, style: Style::Flow });
                    steps.extend((0..columns).map(|_| plain(values[random.below(4)])));
                    steps.push(Step::End);
                }
                steps.push(Step::End);
            }
            _ => {
                steps.push(Step::Sequence { tag: None, style });
                // Occasionally a value that is not plain.
                let quoted = random.below(300);
                for number in 0..count {
                    let value = random.pick(&values).to_owned();
                    let style = if number == quoted { Style::SingleQuoted } else { Style::Plain };
                    steps.push(Step::Scalar { value, tag: None, style });
                }
                steps.push(Step::End);
            }
        }
    }
    steps.push(Step::End);
    steps
}

/// Returns one of the documents above with a few characters lost, doubled or exchanged.
pub(super) fn damaged(random: &mut Random) -> String {
    let mut text: Vec<char> = format!("{HEAD}{}...\n", random.pick(BODIES)).chars().collect();
    for _ in 0..=random.below(3) {
        let (from, to) = (random.below(text.len()), random.below(text.len()));
        match random.below(3) {
            0 => drop(text.remove(from)),
            1 => text.insert(to, text[from]),
            _ => text.swap(from, to),
        }
    }
    text.into_iter().collect()
}
