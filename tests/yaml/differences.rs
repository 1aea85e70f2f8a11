//! The differences from libyaml that `docs/reference/yaml.md` lists: each stands there with an example that shows it, and
//! none besides.

use super::judge::{Difference, Verdict, judge};
use asdfkit::file::{File, OpenOptions};
use asdfkit::internals::parse;
use asdfkit::{Limits, Status};
use std::collections::HashSet;
use std::sync::Arc;

const PAGE: &str = include_str!("../../docs/reference/yaml.md");

/// Returns the name of a difference on the page, and an example of it.
fn shown(difference: Difference) -> (&'static str, String) {
    let (name, example) = match difference {
        Difference::UnknownDirective => ("unknown directive", "%FOO x\n---\na: 1\n"),
        Difference::MinorVersion => ("minor version", "%YAML 1.3\n---\na: 1\n"),
        Difference::NoDocument => ("no document", "# text\n"),
        Difference::EmptyDocument => ("empty document", "---\n...\n"),
        Difference::SecondDocument => ("second document", "a: 1\n---\nb: 2\n"),
        Difference::CollectionKey => ("collection as a key", "[a, b]: 1\n"),
        Difference::KeyContent => ("content of a key", "!!int x: 1\n"),
        Difference::MergeValue => ("value of a merge key", "<<: 1\n"),
        Difference::TagBytes => ("bytes in a tag", "!a%00b c\n"),
        Difference::Depth => return ("depth", format!("{}{}", "[".repeat(256), "]".repeat(256))),
    };
    (name, example.to_owned())
}

#[test]
fn each_difference_is_on_the_page() {
    let rows = PAGE.lines().filter(|line| line.starts_with("| ")).skip(1);
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').map(str::trim).collect()).collect();
    let mut names = HashSet::new();
    for difference in Difference::ALL {
        let (name, example) = shown(difference);
        assert!(names.insert(name), "{name}");
        let row = rows.iter().find(|row| row[1] == name).unwrap_or_else(|| panic!("{name} is not on the page"));
        let written = format!("`{}`", example.replace('\n', "\\n"));
        assert!(row[2] == written || difference == Difference::Depth, "{row:?} instead of {written}");
        assert_eq!(judge(&example), Verdict::Differs(difference), "{example:?}");
    }
    assert_eq!(rows.len(), names.len());
}

#[test]
fn further_texts_of_each_difference() {
    use Difference::*;
    let nested = format!("{}a", "- ".repeat(256));
    let cases = [
        ("\u{feff}%FOO\n# c\n%BAR x y # z\n%YAML 1.1\n---\na\n", UnknownDirective),
        ("# a\n\u{feff}# b\n%FOO\n---\na: 1\n", UnknownDirective),
        ("# a\n\u{feff} \n%FOO\n---\na: 1\n", UnknownDirective),
        ("%FOO\r%BAR\r---\ra: 1\r", UnknownDirective),
        ("%FOO\n%YAML 1.7\n---\n", UnknownDirective),
        ("%YAML 1.1# c\n\n%FOO bar\n---\na: 1\n", UnknownDirective),
        ("%YAML 1.0\n--- a\n", MinorVersion),
        ("%YAML 1.0# c\n--- a\n", MinorVersion),
        ("%YAML 1.123456789\n%TAG !e! x\n--- !e!a b\n", MinorVersion),
        ("", NoDocument),
        ("\u{feff}", NoDocument),
        ("\n \n# a\r\n#b", NoDocument),
        ("---", EmptyDocument),
        ("--- # c\n", EmptyDocument),
        ("--- !t\n", EmptyDocument),
        ("&a\n", EmptyDocument),
        ("--- !\n...\n", EmptyDocument),
        ("a\n...\n---\n", SecondDocument),
        ("---\n---\n", SecondDocument),
        ("? - a\n: b\n", CollectionKey),
        ("a: &x {}\n*x : b\n", CollectionKey),
        ("[{}: a]\n", CollectionKey),
        ("? !!float x\n", KeyContent),
        ("a: &x !!bool maybe\n*x : b\n", KeyContent),
        ("<<: [{}, 1]\n", MergeValue),
        ("a: &x {<<: *x}\n", MergeValue),
        ("a: &x\n  b: {<<: [*x]}\n", MergeValue),
        ("<<:\n", MergeValue),
        ("!<%ED%A0%80> a\n", TagBytes),
        ("!%C0%80 a\n", TagBytes),
        ("a: [b,\n!%00 c]\n", TagBytes),
        (&nested, Depth),
    ];
    for (text, difference) in cases {
        assert_eq!(judge(text), Verdict::Differs(difference), "{text:?}");
    }
}

#[test]
fn what_is_no_difference() {
    let refused = [
        "*a",
        "a: *a\na: &a b\n",
        "...\n",
        "%YAML 2.0\n---\n",
        "%FOO\n",
        "%FOO\na\n",
        "a\u{0}",
        "a\u{7f}",
        "\u{fffe}",
        "-\t\n 1: a",
        "- &x !t &x a",
        "[!t &x !t a]",
        "a: [b, [[c], ?]], ~, [d], ]\n",
        ": a",
    ];
    for text in refused {
        assert_eq!(judge(text), Verdict::Refused, "{text:?}");
    }
    let read =
        ["%YAML 1.2\n--- 0o14\n", "&a a: &a b\nc: *a\n", "a: \u{feff}b", "\u{feff}# c\n\u{feff}a: b\n", "--- ''", "~"];
    for text in read {
        assert_eq!(judge(text), Verdict::Read, "{text:?}");
    }
}

#[test]
fn other_encodings_are_refused() {
    let head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n--- ";
    let open = |content: &[u8]| {
        let bytes = [head.as_bytes(), content, b"\n...\n"].concat();
        File::open_memory(Arc::new(bytes), &OpenOptions::default()).and_then(|file| file.root().map(drop))
    };
    assert!(open("{a: é}".as_bytes()).is_ok());
    let latin_1 = [&b"{a: "[..], &[0xE9], b"}"].concat();
    assert_eq!(open(&latin_1).unwrap_err().status(), Status::Encoding);
    let wide: Vec<u8> = "{a: b}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(open(&wide).unwrap_err().status(), Status::Encoding);
}

#[test]
fn limits_are_those_of_the_caller() {
    let limits = Limits { depth: 2, ..Limits::default() };
    assert!(parse("[[a]]".to_owned(), 0, 1, &limits).is_ok());
    assert_eq!(parse("[[[a]]]".to_owned(), 0, 1, &limits).unwrap_err().status(), Status::Limit);
    assert!(parse("- - [[a]]".to_owned(), 0, 1, &limits).is_ok());
}
