//! Documents that are no ASDF trees: descriptions in NDL, and headers of tables.

use crate::error::Status;
use crate::limits::Limits;
use crate::tree::{Lines, Tree};
use crate::yaml::{Unmerged, parse, parse_lines, parse_unmerged};

fn keys_and_values(tree: &Tree) -> Vec<&str> {
    tree.pairs(tree.root()).iter().map(|&id| tree.text(id)).collect()
}

fn unmerged(text: &str) -> Unmerged {
    parse_unmerged(text.to_owned(), &Limits::default()).unwrap()
}

#[test]
fn unmerged_documents_keep_repeated_keys() {
    let text = "a: 1\na: 2\n<<: {b: 3}\n";
    assert_eq!(keys_and_values(&unmerged(text).tree), ["a", "1", "a", "2", "<<", ""]);
    let merged = parse(text.into(), 0, 1, &Limits::default()).unwrap().tree;
    assert_eq!(keys_and_values(&merged), ["b", "3", "a", "2"]);
}

#[test]
fn unmerged_documents_have_the_breaks_of_yaml_1_2() {
    assert_eq!(keys_and_values(&unmerged("a: x\u{85}y\nb: x\u{2028}y\n").tree), ["a", "x\u{85}y", "b", "x\u{2028}y"]);
    assert_eq!(keys_and_values(&unmerged("{a:}").tree), ["a", ""]);
}

#[test]
fn unmerged_documents_name_the_second_one() {
    assert_eq!(unmerged("a: 1\n").second_document, None);
    assert_eq!(unmerged("a: 1\n---\nb: 1\n").second_document, Some((3, 1)));
    assert_eq!([unmerged("").is_empty, unmerged("# x\n").is_empty, unmerged("a: 1").is_empty], [true, true, false]);
}

#[test]
fn errors_have_the_places_of_the_lines() {
    // "# a: 1" and "# b: ]" are lines 3 and 5 of the file.
    let mut lines = Lines::default();
    lines.begin(0, 20, 3, 3);
    lines.begin(5, 40, 5, 3);
    let error = parse_lines("a: 1\nb: ]\n".into(), lines, &Limits::default()).unwrap_err();
    let place = error.location();
    assert_eq!((error.status(), place.offset, place.line, place.column), (Status::Yaml, Some(43), Some(5), Some(6)));
}
