//! Writing of YAML: libyaml and other readers must read the content of the tree from our output.

use super::corpus::{BODIES, HEAD, TEXTS, damaged, random_steps};
use super::{Random, Step, libyaml, steps_of};
use asdfkit::Limits;
use asdfkit::internals::{EmitOptions, Kind, Scalar, Style, Tree, emit, parse, resolve};

fn read(text: &str) -> Tree {
    match parse(text.to_owned(), 0, 1, &Limits::default()) {
        Ok(parsed) => parsed.tree,
        Err(error) => panic!("{error}: {text:?}"),
    }
}

fn write(tree: &Tree) -> String {
    let mut out = String::new();
    emit(tree, &mut out, &EmitOptions::default()).unwrap();
    out
}

/// Returns the steps without the details that may change when a tree is written: the styles and the tags they imply.
fn meanings(steps: &[Step]) -> Vec<String> {
    let mut out = Vec::new();
    for step in steps {
        out.push(match step {
            Step::Scalar { value, tag, style } => {
                let meaning = resolve(value, *style == Style::Plain, tag.as_deref());
                let meaning = meaning.map_err(|error| error.status());
                // `null` may have been an omitted value, and the tag `!` may replace missing quotes.
                match (&meaning, tag.as_deref()) {
                    (Ok(Scalar::Null), None | Some("!")) => "null".to_owned(),
                    (_, Some("!")) => format!("{value:?} {meaning:?}"),
                    (_, None) => format!("{value:?} {meaning:?}"),
                    (_, Some(tag)) => format!("{tag} {value:?} {meaning:?}"),
                }
            }
            Step::Sequence { tag, .. } => format!("[ {tag:?}"),
            Step::Mapping { tag, .. } => format!("{{ {tag:?}"),
            Step::End => "end".to_owned(),
            Step::Alias(target) => format!("* {target}"),
        });
    }
    out
}

/// Checks that our output has the meaning of the tree for libyaml and for this library, and that it is unchanged when
/// written again.
#[track_caller]
fn survives(tree: &Tree) -> String {
    let text = write(tree);
    let expected = meanings(&steps_of(tree));
    let Some(steps) = libyaml::parse(&text) else { panic!("libyaml refuses {text:?}") };
    assert_eq!(meanings(&steps), expected, "{text}");
    let again = read(&text);
    assert_eq!(meanings(&steps_of(&again)), expected, "{text}");
    assert_eq!(write(&again), text);
    assert_eq!(text.matches("\n...").count(), 1, "{text:?}");
    assert!(text.ends_with("\n...\n"), "{text:?}");
    text
}

#[test]
fn hand_made_documents_survive() {
    for body in BODIES {
        survives(&read(&format!("{HEAD}{body}...\n")));
    }
}

#[test]
fn documents_that_libyaml_writes_survive() {
    let mut random = Random(40);
    let mut compared = 0;
    for _ in 0..4000 {
        let steps = random_steps(&mut random);
        let Some(text) = libyaml::emit(&steps, 80, 2, true) else { continue };
        if libyaml::parse(&text).is_none() {
            continue;
        }
        let parsed = parse(text.to_string(), 0, 1, &Limits::default()).unwrap();
        if parsed.warnings.iter().any(|warning| warning.message.contains("repeats")) {
            continue;
        }
        let tree = parsed.tree;
        let mut out = String::new();
        // Some have keys that are null or floats.
        if emit(&tree, &mut out, &EmitOptions::default()).is_ok() {
            survives(&tree);
            compared += 1;
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn damaged_documents_survive_if_they_can_be_read() {
    let mut random = Random(3);
    let mut compared = 0;
    for _ in 0..10_000 {
        let Ok(parsed) = parse(damaged(&mut random), 0, 1, &Limits::default()) else { continue };
        let repeats = parsed.warnings.iter().any(|warning| warning.message.contains("repeats"));
        if !repeats && emit(&parsed.tree, &mut String::new(), &EmitOptions::default()).is_ok() {
            survives(&parsed.tree);
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn awkward_strings_survive_everywhere() {
    for text in TEXTS {
        for style in [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded] {
            let scalar = |style| Step::Scalar { value: (*text).to_owned(), tag: None, style };
            let quoted = scalar(Style::DoubleQuoted);
            let block = |style| Step::Mapping { tag: None, style };
            for outer in [Style::Block, Style::Flow] {
                let steps = [
                    block(outer),
                    quoted.clone(),
                    scalar(style),
                    Step::Scalar { value: "list".into(), tag: None, style: Style::Plain },
                    Step::Sequence { tag: None, style: outer },
                    scalar(style),
                    quoted.clone(),
                    Step::End,
                    Step::End,
                ];
                let Some(written) = libyaml::emit(&steps, 80, 2, true) else { continue };
                if style == Style::Plain && libyaml::parse(&written).is_none_or(|read| read != steps) {
                    continue;
                }
                if parse(written.clone(), 0, 1, &Limits::default()).is_ok() {
                    survives(&read(&written));
                }
            }
        }
    }
}

/// Strings as read by PyYAML, a YAML 1.2 reader and C's `strtod`: all must take them for strings.
#[test]
fn strings_are_strings_for_a_reader_of_yaml_1_2() {
    let mut source = String::from("---\n");
    for (number, text) in TEXTS.iter().enumerate() {
        let quoted = serde_json::to_string(text).unwrap().replace('\u{85}', "\\N").replace('\u{2028}', "\\L");
        source.push_str(&format!("k{number}: {quoted}\n"));
    }
    let tree = read(&source);
    let written = survives(&tree);
    let body = written.split_once("--- ").or(written.split_once("---")).unwrap().1;
    let value: yaml_serde::Value = yaml_serde::from_str(body.trim_end_matches("...\n")).unwrap();
    for (number, text) in TEXTS.iter().enumerate() {
        assert_eq!(value[format!("k{number}").as_str()].as_str(), Some(*text));
    }
}

#[test]
fn the_form_is_that_of_asdf_files() {
    let body = "!core/asdf-1.1.0\nasdf_library: !core/software-1.0.0 {name: x, version: 1.0.0}\nhistory:\n  extensions:\n  - \
                !core/extension_metadata-1.0.0\n    extension_class: a.b\n  - k: v\n    l: [1, 2]\n  - - a\n    - b\n  - []\nd: \
                !core/ndarray-1.1.0\n  source: 0\n  shape: [4]\nt: |\n  two\n  lines\nu: 'yes'\nv: null\n";
    let text = format!("{HEAD}{body}...\n");
    assert_eq!(survives(&read(&text)), text);
}

#[test]
fn lines_of_long_lists_are_broken() {
    let numbers: Vec<String> = (0..1000).map(|number| format!("{number}.5")).collect();
    let text = survives(&read(&format!("{HEAD}\na:\n- [{}]\n", numbers.join(","))));
    assert!(text.lines().all(|line| line.len() < 90));
    assert!(text.lines().skip(5).all(|line| line.starts_with("  ") || line == "..."));
    assert!(text.lines().count() < 100);
}

#[test]
fn keys_may_be_long_or_odd() {
    let long = "k".repeat(2000);
    let text = format!(
        "{HEAD}\n? {long}\n: 1\n? \"two\\nlines\"\n: [1]\n? 'x{long}'\n: a: b\n? 'y{long}'\n: - a\n  - b\nf: {{? {long} : v, g: h}}\n? |\n  lit\n: |\n  l\n  m\n'1': a\n1: b\n\
         'true': c\nyes: d\n'': e\n"
    );
    survives(&read(&text));
}

#[test]
fn repeated_keys_are_written_once() {
    let tree = read("---\na: 1\nb: 2\na: 3\n");
    let text = write(&tree);
    assert_eq!(text, format!("{}\na: 3\nb: 2\n...\n", HEAD.trim_end()));
}

#[test]
fn names_of_anchors_are_kept() {
    let tree = read(
        "---\na: &keep [1]\nb: *keep\nc: &0-_a [2]\nd: *0-_a\ne: &keep [3]\nf: *keep\ng: &unused [4]\nh: &id001 [5]\ni: *id001\n",
    );
    let text = survives(&tree);
    for part in ["a: &keep [1]", "b: *keep", "c: &0-_a [2]", "e: &id002 [3]", "f: *id002", "g: [4]", "h: &id001 [5]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn deep_trees_need_no_stack() {
    let text = format!("{}{}", "[".repeat(250), "]".repeat(250));
    survives(&read(&text));
    let text = "- ".repeat(250) + "a\n";
    survives(&read(&text));
    let mut nested = String::new();
    for depth in 0..250 {
        nested.push_str(&format!("{}a:\n", " ".repeat(depth)));
    }
    let tree = read(&nested);
    assert_eq!(tree.kind(tree.root()), Kind::Mapping);
    survives(&tree);
}
