//! Reading of YAML, compared with libyaml: the same nodes, texts, tags, styles and identities.

use super::corpus::{BODIES, HEAD, damaged, long_steps, random_steps};
use super::{Random, libyaml, steps_of};
use asdfkit::internals::{Kind, Parsed, parse};
use asdfkit::{Limits, Result, Status};

fn read(text: &str) -> Result<Parsed> {
    parse(text.to_owned(), 1000, 3, &Limits::default())
}

#[track_caller]
fn same(text: &str) {
    let expected = libyaml::parse(text).unwrap_or_else(|| panic!("libyaml refuses {text:?}"));
    let ours = match read(text) {
        Ok(parsed) => parsed,
        Err(error) => panic!("{error}: {text:?}"),
    };
    assert_eq!(steps_of(&ours.tree), expected, "{text:?}");
}

#[test]
fn hand_made_documents_read_alike() {
    for body in BODIES {
        let text = format!("{HEAD}{body}...\n");
        same(&text);
        same(&text.replace("\n", "\r\n").replace("'x\r\n\r\n", "'x\r\n"));
        same(text.trim_end_matches("...\n"));
    }
    same("a: 1\nb: 2\n");
    same("# \u{2028}\na: 'x'\n\u{2029}b: y\nc: \"\\n \u{2028}\"\nd: |\n  x\u{85}\n");
    same("%YAML 1.2\n---\na: 0o14\n...\n");
    same(
        "%YAML 1.1\n%TAG !a! tag:stsci.edu:asdf/\n%TAG !! tag:example.org:\n%TAG !l! !loc-\n--- !a!x\n- !!y z\n- !l!foo [1]\n- !z w\n...\n",
    );
}

#[test]
fn each_unknown_directive_gives_a_warning() {
    // A carriage return alone ends a line, but is not counted.
    for (line_break, lines) in [("\n", [3, 6, 4]), ("\r\n", [3, 6, 4]), (" # %X\n", [3, 6, 4]), ("\r", [3, 3, 3])] {
        let text = ["%FIRST x", "%YAML 1.2", "# %COMMENT", "%SECOND", "--- a", ""].join(line_break);
        let warnings = read(&text).unwrap().warnings;
        let messages = [
            "the unknown directive %FIRST is ignored",
            "the unknown directive %SECOND is ignored",
            "the document declares YAML 1.2, but is read as YAML 1.1",
        ];
        assert!(warnings.iter().map(|warning| warning.message.as_str()).eq(messages), "{text:?}");
        assert!(warnings.iter().map(|warning| warning.location.line).eq(lines.map(Some)), "{text:?}");
    }
    let many = format!("{}--- a\n", "%A\n".repeat(20));
    assert_eq!(read(&many).unwrap().warnings.len(), 10);
}

#[test]
fn documents_that_libyaml_writes_read_alike() {
    let mut random = Random(20);
    let mut compared = 0;
    for _ in 0..2000 {
        let steps = random_steps(&mut random);
        let width = *random.pick(&[&80, &20, &-1]);
        let indent = *random.pick(&[&2, &4]);
        let unicode = random.below(2) == 0;
        let Some(text) = libyaml::emit(&steps, width, indent, unicode) else { continue };
        if libyaml::parse(&text).is_some() {
            same(&text);
            compared += 1;
        }
    }
    assert!(compared > 1800, "{compared}");
}

#[test]
fn long_lists_and_runs_read_alike() {
    let mut random = Random(22);
    for _ in 0..30 {
        let steps = long_steps(&mut random);
        for width in [80, 20, -1] {
            let text = libyaml::emit(&steps, width, 2, true).unwrap();
            same(&text);
            same(&text.replace('\n', "\r\n"));
        }
    }
}

#[test]
fn items_of_long_lists_know_their_places() {
    let numbers: Vec<String> = (0..1000).map(|number| format!("{number}.5")).collect();
    let flow = format!("a: é\nlist: [{}]\n", numbers.join(",\n  "));
    let block = format!("a: é\nlist:\n- {}\n", numbers.join("\n- "));
    for (body, first, column) in [(flow, 4, 3), (block, 5, 3)] {
        let text = format!("%YAML 1.1\n---\n{body}");
        let tree = read(&text).unwrap().tree;
        for index in [1, 2, 500, 998, 999] {
            let id = tree.lookup(tree.root(), &format!("list/{index}")).unwrap();
            let location = tree.location(id);
            assert_eq!((location.line, location.column), (Some(first + 2 + index), Some(column)), "{index}");
            assert_eq!(location.path, Some(format!("/list/{index}")));
            assert_eq!(tree.text(id), format!("{index}.5"));
        }
    }
}

#[test]
fn malformed_text_is_an_error_at_its_place() {
    let cases = [
        ("a: *x\n", Status::Yaml, 5, 4),
        ("a: b\n--- c\n", Status::Yaml, 6, 1),
        ("a:\n\tb: c\n", Status::Yaml, 6, 1),
        (": a\n", Status::Yaml, 5, 1),
        ("a: &é b\n", Status::Yaml, 5, 4),
        ("a: x\u{2028}y\n", Status::Yaml, 5, 6),
        ("- !b!x y\n", Status::Yaml, 5, 3),
        ("[1, 2]: a\n", Status::Tree, 5, 1),
        ("? {a: b}\n: a\n", Status::Tree, 5, 3),
        ("a: &x [1]\n*x : b\n", Status::Tree, 6, 1),
        ("a: b\n<<: 1\n", Status::Tree, 6, 5),
        ("a: 'b\n", Status::Yaml, 5, 4),
        ("é: \u{1}\n", Status::Encoding, 5, 4),
    ];
    for (body, status, line, column) in cases {
        let text = format!("%YAML 1.1\n---\n{body}");
        let error = read(&text).expect_err(body);
        assert_eq!(error.status(), status, "{body:?}: {error}");
        let place = error.location();
        assert_eq!((place.line, place.column), (Some(line), Some(column)), "{body:?}: {error}");
        let offset = place.offset.unwrap();
        assert!((1000..=1000 + text.len() as u64).contains(&offset), "{body:?}: {error}");
    }
    for head in
        ["%YAML 2.0\n", "%YAML 1.1\n%YAML 1.1\n", "%YAML 1.1\n%TAG !a! x\n%TAG !a! x\n", "%YAML 1.1\n%TAG !a x\n"]
    {
        assert_eq!(read(&format!("{head}---\na: b\n")).unwrap_err().status(), Status::Yaml, "{head}");
    }
}

#[test]
fn separators_of_yaml_1_1_end_lines() {
    let cases = [
        ("a: x\u{85}  y\n", "x y"),
        ("a: x\u{2028}  y\n", "x\u{2028}y"),
        ("# \u{2028}\u{2029}a: 'x'\n", "x"),
        ("b: 'y'\u{2029}a: z\n", "z"),
        ("a: \"\\n \u{2028}\"\n", "\n\u{2028}"),
        ("a: 'x\u{85}y'\n", "x y"),
        ("a: |\n  x\u{85}  y\n", "x\ny\n"),
        ("a: |\n  x\u{2028}  y\n", "x\u{2028}y\n"),
    ];
    for (text, value) in cases {
        same(text);
        let tree = read(text).unwrap().tree;
        assert_eq!(tree.text(tree.lookup(tree.root(), "a").unwrap()), value, "{text:?}");
    }
}

#[test]
fn irregular_text_causes_a_warning() {
    let cases = [
        ("a: 1\na: 2\n", 1),
        ("1.5: a\n", 1),
        ("~: a\n", 1),
        ("? \n: a\n", 1),
        ("{? : a}\n", 1),
        ("!x a: b\n", 1),
        ("a: 9223372036854775808\n", 1),
        ("a: [-9223372036854775807, -9223372036854775808, -9223372036854775806]\n", 2),
        ("a: '9223372036854775808'\n", 0),
        ("a: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> [-9223372036854775807, [-9223372036854775808]]\n", 0),
        ("a: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [-9223372036854775808]}\n", 0),
        ("a: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> [9223372036854775808]\n", 1),
        ("a: !<tag:stsci.edu:asdf/core/ndarray-1.1.0> {data: [1], 0: 1, 0: 2}\n", 1),
        ("a: 2020-13-02\nb: 2020-12-02\n", 1),
        ("a: 1.2345678901234567890123\n", 0),
        ("<<: {a: 1}\nb: 2\n'<<': 3\n", 0),
    ];
    for (body, count) in cases {
        let parsed = read(&format!("%YAML 1.1\n---\n{body}")).unwrap();
        assert_eq!(parsed.warnings.len(), count, "{body}: {:?}", parsed.warnings);
        for warning in parsed.warnings {
            assert!(warning.location.line >= Some(5) && warning.location.path.is_some(), "{warning}");
        }
    }
    assert_eq!(read("%YAML 1.1\n%FOO bar\n---\na: b\n").unwrap().warnings.len(), 1);
    assert_eq!(read("%YAML 1.0\n---\na: b\n").unwrap().warnings.len(), 1);
    let wide = format!("---\n{}", "a: 1\n".repeat(1000));
    let parsed = read(&wide).unwrap();
    assert_eq!((parsed.warnings.len(), parsed.dropped_warnings), (100, 899));
}

#[test]
fn empty_documents_are_empty_mappings() {
    for (text, tag) in [
        ("", None),
        ("%YAML 1.1\n---\n...\n", None),
        (
            "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n...\n",
            Some("tag:stsci.edu:asdf/core/asdf-1.1.0"),
        ),
    ] {
        let tree = read(text).unwrap().tree;
        assert_eq!(tree.kind(tree.root()), Kind::Mapping);
        assert!(tree.items(tree.root()).is_empty());
        assert_eq!(tree.tag(tree.root()), tag);
    }
}

#[test]
fn nodes_know_their_places() {
    let text = "%YAML 1.1\n---\né:\n  b: [x, 'yy']\n  c:\n  - |\n    lit\n  - z   # comment\n\n# more\nd: 1\n";
    let tree = read(text).unwrap().tree;
    let place = |path: &str| {
        let id = tree.lookup(tree.root(), path).unwrap();
        let location = tree.location(id);
        assert_eq!(location.offset, tree.span(id).map(|span| 1000 + span.start as u64));
        (location.line.unwrap(), location.column.unwrap(), &text[tree.span(id).unwrap()])
    };
    assert_eq!(place("é/b"), (6, 6, "[x, 'yy']"));
    assert_eq!(place("é/b/1"), (6, 10, "'yy'"));
    assert_eq!(place("é/c/1"), (10, 5, "z"));
    assert_eq!(place("d"), (13, 4, "1"));
    assert_eq!(place("é"), (6, 3, "b: [x, 'yy']\n  c:\n  - |\n    lit\n  - z"));
}

#[test]
fn limits_hold() {
    let limits = Limits { nodes: 10, anchors: 3, depth: 5, tree_bytes: 200, ..Limits::default() };
    let read = |text: &str| parse(text.to_owned(), 0, 1, &limits);
    assert!(read("[1, 2, 3, 4, 5, 6, 7, 8, 9]").is_ok());
    assert!(read("[[[[[]]]]]").is_ok());
    assert!(read("- - - - - a").is_ok());
    assert!(read("[&a 1, &b 2, &c 3, *a, *b, *c]").is_ok());
    for text in [
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
        "[[[[[[]]]]]]",
        "- - - - - - a",
        "[&a 1, &b 2, &c 3, &d 4]",
        "[&a 1, *a, *a, *a, *a]",
        "a: &a {b: 1, c: 2}\nd: {<<: *a}\n",
        &" ".repeat(201),
    ] {
        let error = read(text).expect_err(text);
        assert_eq!(error.status(), Status::Limit, "{text}: {error}");
    }
    for text in ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000)] {
        assert_eq!(support_read(&text).unwrap_err().status(), Status::Limit);
    }
}

fn support_read(text: &str) -> Result<Parsed> {
    parse(text.to_owned(), 0, 1, &Limits::default())
}

#[test]
fn damaged_documents_never_panic() {
    let mut random = Random(7);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let text = damaged(&mut random);
        match read(&text) {
            Ok(_) => accepted += 1,
            Err(error) => {
                let place = error.location();
                let lines = text.split('\n').count() as u64;
                assert!(place.offset.is_some_and(|offset| offset - 1000 <= text.len() as u64), "{error}: {text:?}");
                assert!(place.line.is_some_and(|line| (3..3 + lines).contains(&line)), "{error}: {text:?}");
            }
        }
    }
    assert!(accepted > 2000, "{accepted}");
}
