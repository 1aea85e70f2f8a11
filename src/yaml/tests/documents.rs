//! Random documents: simple lines, and all that YAML allows.

pub(super) fn document(content: &str) -> String {
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

pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    pub(super) fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
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

/// Other values. Some look like simple lines.
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

pub(super) fn random_content(random: &mut Random) -> String {
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

#[test]
fn names_of_anchors_that_libyaml_refuses_are_not_written() {
    for name in ["é", "a.b", "a b", "", "x:", "a*", "a\u{85}"] {
        let text = document("a: &x [1]\nb: *x\n");
        let mut tree = crate::yaml::parse(text, 0, 1, &crate::limits::Limits::default()).unwrap().tree;
        let list = tree.lookup(tree.root(), "a").unwrap();
        tree.set_anchor(list, name);
        let mut written = String::new();
        crate::yaml::emit(&tree, &mut written, &crate::yaml::EmitOptions::default()).unwrap();
        assert!(written.contains("a: &id001 [1]\nb: *id001\n"), "{name:?}: {written}");
    }
}
