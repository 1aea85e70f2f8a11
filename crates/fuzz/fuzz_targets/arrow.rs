//! Arrow arrays of another program, whose buffers, lengths and types need not fit: import is an error or a table, which is
//! exported and imported again.
#![no_main]

use asdfkit::Limits;
use asdfkit::table::arrow::{Array, ArrayView, Field, Importer};
use asdfkit_fuzz::input::Choices;
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;

const FORMATS: &[&str] = &[
    "n", "b", "c", "C", "s", "S", "i", "I", "l", "L", "e", "f", "g", "u", "U", "vu", "+l", "+L", "+w:2", "+w:0", "+s",
    "z", "tdD",
];

/// Makes a field and its array. `depth` bounds how deep lists nest.
fn column<'a>(choices: &mut Choices<'a>, name: usize, depth: usize) -> (Field, ArrayView<'a>) {
    let format = *choices.of(FORMATS);
    let mut view = ArrayView { length: choices.below(9), offset: choices.below(3), ..ArrayView::default() };
    let buffer = |choices: &mut Choices<'a>| {
        let length = choices.below(40).min(choices.0.len());
        let (buffer, rest) = choices.0.split_at(length);
        choices.0 = rest;
        buffer
    };
    if choices.is_true() {
        view.validity = Some(buffer(choices));
    }
    for _ in 0..choices.below(4) {
        view.buffers.push(buffer(choices));
    }
    let mut children = Vec::new();
    if depth > 0 && format.starts_with('+') {
        for child in 0..choices.below(3) {
            let (field, array) = column(choices, child, depth - 1);
            children.push(field);
            view.children.push(array);
        }
    }
    let mut field = Field {
        name: format!("c{name}"),
        format: format.to_owned(),
        nullable: choices.is_true(),
        metadata: Vec::new(),
        children,
        dictionary: None,
    };
    if depth > 0 && choices.below(8) == 1 {
        let (values, dictionary) = column(choices, 0, depth - 1);
        field.dictionary = Some(Box::new(values));
        view.dictionary = Some(Box::new(dictionary));
    }
    if choices.below(4) == 1 {
        let key = *choices.of(&["ecsv:datatype", "ecsv:subtype", "ecsv:meta", "ARROW:extension:name"]);
        field.metadata.push((key.to_owned(), String::from_utf8_lossy(buffer(choices)).into_owned()));
    }
    (field, view)
}

fuzz_target!(|input: &[u8]| {
    let mut choices = Choices(input);
    let mut whole = Field {
        name: String::new(),
        format: "+s".to_owned(),
        nullable: false,
        metadata: Vec::new(),
        children: Vec::new(),
        dictionary: None,
    };
    let mut view = ArrayView { length: choices.below(9), ..ArrayView::default() };
    for name in 0..1 + choices.below(3) {
        let (field, array) = column(&mut choices, name, 3);
        whole.children.push(field);
        view.children.push(array);
    }
    let limits = Limits { table_bytes: 1 << 20, ..Limits::default() };
    let Some(mut importer) = take(Importer::new(&whole, &limits)) else { return };
    if take(importer.append(&view)).is_none() {
        return;
    }
    let Some(table) = take(importer.take()) else { return };
    let (Some(field), Some(array)) = (take(Field::of_header(table.header())), take(Array::of_table(&table))) else {
        return;
    };
    let Some(mut again) = take(Importer::new(&field, &Limits::default())) else { return };
    again.append(&ArrayView::of(&array)).expect("what was exported");
    assert_eq!(take(again.take()).map(|table| table.row_count()), Some(table.row_count()));
});
