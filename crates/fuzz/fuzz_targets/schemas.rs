//! Schemas of strangers: their compilation, validation of a tree, descriptions, and regular expressions.
//!
//! The parts of the input are a tree and schemas.
#![no_main]

use asdfkit::schema::Schemas;
use asdfkit_fuzz::asdf::{file_of, open};
use asdfkit_fuzz::input::parts;
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let parts = parts(input);
    let (tree, texts) = parts.split_first().expect("there is always one part");
    let Some(root) = take(open(file_of(tree, &[]))).and_then(|file| take(file.root())) else { return };
    let mut schemas = Schemas::new();
    let mut uris = Vec::new();
    for text in texts {
        let Ok(text) = std::str::from_utf8(text) else { continue };
        uris.extend(take(schemas.add_text(text)));
    }
    for uri in &uris {
        let _ = take(root.validate(&schemas, Some(uri))).map(|report| report.to_json());
        let _ = take(root.describe("", &schemas, Some(uri))).map(|description| description.to_json());
        let _ = take(root.describe("a", &schemas, Some(uri)));
    }
    let _ = take(root.validate(&schemas, None));
});
