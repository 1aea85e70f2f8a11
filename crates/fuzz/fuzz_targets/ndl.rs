//! Descriptions: each diagnostic has a place; a valid description is written as text, and reads the same.
#![no_main]

use asdfkit::ndl::{CdlOptions, Language, ReadOptions, TextOptions, parse};
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = parse(bytes, &ReadOptions { strict: true, ..ReadOptions::default() });
    let parsed = parse(bytes, &ReadOptions::default());
    for diagnostic in &parsed.diagnostics {
        assert!(diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.is_empty(), "{diagnostic}");
    }
    assert_eq!(parsed.is_valid(), parsed.error_count == 0);
    let description = &parsed.description;
    for (_, ndarray) in description.ndarrays.iter() {
        let _ = ndarray.byte_count();
        let (Some(value), Some(datatype)) = (&ndarray.value, &ndarray.datatype) else { continue };
        assert!(value.elements().are_of(datatype));
    }
    if !parsed.is_valid() {
        return;
    }
    let _ = take(description.sizes());
    let _ = take(description.to_cdl(&CdlOptions::default()));
    let _ = take(description.generate(Language::C, "x"));
    let _ = take(description.to_json());
    if let Some(text) = take(description.to_text(&TextOptions::default())) {
        let again = parse(text.as_bytes(), &ReadOptions::default());
        assert!(again.is_valid(), "{text}: {:?}", again.diagnostics);
        assert!(description.means_the_same(&again.description).unwrap_or(true), "{text}");
    }
});
