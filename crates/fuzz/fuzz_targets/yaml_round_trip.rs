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

/// Returns the words of a text that do not begin with `&`. The first of two equal keys loses its value, and an alias of
/// that value becomes the value with an anchor. The second writing leaves the anchor out, so lines can end elsewhere.
fn without_anchors(text: &str) -> Vec<&str> {
    text.split([' ', '\n']).filter(|word| !word.is_empty() && !word.starts_with('&')).collect()
}
