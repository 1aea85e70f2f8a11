//! Trees: what is written reads the same, and is not changed when it is written again.
#![no_main]

use asdfkit::Limits;
use asdfkit::internals::{EmitOptions, Tree, emit, parse};
use libfuzzer_sys::fuzz_target;

fn write(tree: &Tree) -> Option<String> {
    let mut out = String::new();
    emit(tree, &mut out, &EmitOptions::default()).ok().map(|()| out)
}

fuzz_target!(|text: &str| {
    let Ok(parsed) = parse(text.to_owned(), 0, 1, &Limits::default()) else { return };
    let Some(written) = write(&parsed.tree) else { return };
    let again = parse(written.clone(), 0, 1, &Limits::default());
    let again = again.unwrap_or_else(|error| panic!("{error}: {written:?}"));
    let second = write(&again.tree).unwrap_or_else(|| panic!("not written again: {written:?}"));
    if second != written {
        assert_eq!(without_anchors(&second), without_anchors(&written));
    }
});

/// Returns a text without anchors, blanks and line ends. The first of two equal keys loses its value, and an alias of that
/// value becomes the value with an anchor. The second writing leaves the anchor out, so lines can end elsewhere.
fn without_anchors(text: &str) -> String {
    let mut out = String::new();
    let (mut before, mut in_anchor) = (' ', false);
    for character in text.chars() {
        in_anchor = if in_anchor { !character.is_whitespace() } else { character == '&' && " \n[{".contains(before) };
        if !in_anchor && !character.is_whitespace() {
            out.push(character);
        }
        before = character;
    }
    out
}
