//! Round trips of files through descriptions: nothing of a description is lost, unless a note reports it.
//!
//! Each file is described with all values and annotations. A file is made from the description and described twice:
//! unchanged, and without the description under its key `ndl`, so that only its tree counts. Elements and masks are
//! read from both files. The trees below and the files of `tests/corpora` are tried;
//! `ASDFKIT_REFERENCE_FILES` and `ASDFKIT_SAMPLES` add more.

use asdfkit::Status;
use asdfkit::array::{Array, ByteOrder, Datatype, Order, ReadOptions, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{Access, ArrayData, ArrayOptions, File, NewOptions, OpenOptions, Storage, WriteOptions};
use asdfkit::ndl::asdf::{CreateOptions, DescribeOptions, Described, Note, Values, create, describe};
use asdfkit::ndl::{Description, DifferenceOptions, TextOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HEAD: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// Trees of files that lose nothing.
const KEPT: &[&str] = &[
    // Masks: numbers of every kind, arrays inside the array, references, null among the elements.
    "m: !core/ndarray-1.1.0 {data: [1, 2, -9], datatype: int16, mask: -9}",
    "m: !core/ndarray-1.1.0 {data: [1, 2, 3], datatype: int8, mask: 300}",
    "m: !core/ndarray-1.1.0 {data: [1, 2, 3], datatype: int8, mask: 2.0}",
    "m: !core/ndarray-1.1.0 {data: [1.5, .nan], datatype: float32, mask: .nan}",
    "m: !core/ndarray-1.1.0 {data: [1.5, 0.1], datatype: float32, mask: 0.1}",
    "m: !core/ndarray-1.1.0 {data: [1.5, .inf], datatype: float32, mask: 1.0e+300}",
    "m: !core/ndarray-1.1.0 {data: [1.5, .inf], datatype: float64, mask: -.inf}",
    "m: !core/ndarray-1.1.0 {data: [1.5, 2.0], datatype: float16, mask: 2}",
    "m: !core/ndarray-1.1.0 {data: [true, false], datatype: bool8, mask: 1}",
    "m: !core/ndarray-1.1.0 {data: [!core/complex-1.0.0 1+2j, !core/complex-1.0.0 0j], datatype: complex128, \
     mask: !core/complex-1.0.0 1+2j}",
    "m: !core/ndarray-1.1.0\n  data: [1, 2, 3]\n  datatype: int16\n  mask: !core/ndarray-1.1.0 {data: [false, true, false], datatype: bool8}",
    "m: !core/ndarray-1.1.0\n  data: [[1, 2], [3, 4]]\n  mask: !core/ndarray-1.1.0 {data: [1, 0], datatype: uint8}",
    "other: !core/ndarray-1.1.0 {data: [false, true]}\nm: !core/ndarray-1.1.0 {data: [1, 2], mask: {$ref: '#/other'}}",
    "m: !core/ndarray-1.1.0 {data: [1, null, 3]}",
    "m: !core/ndarray-1.1.0 {data: [1, 2], mask: !core/ndarray-1.1.0 {data: [true, false]}}\nto: {$ref: '#/m/mask'}",
    "l:\n- !core/ndarray-1.1.0 {data: [1, 2], mask: !core/ndarray-1.1.0 {data: [true, false]}}\n- 5",
    // Groups and attributes.
    "g: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 m, value: 5.5}",
    "g: {a: null, b: 1, c: null}\nn: null",
    "g: !<tag:example.org:list-1.0.0> [1, !<tag:example.org:item-1.0.0> x, null]",
    "g: !!set {a: null, b: null}\no: !!omap [{a: 1}, {b: 2}]",
    "d: 2020-01-02\nt: 2001-12-14t21:59:43.10-05:00\nb: !!binary AAEC",
    "far: {$ref: 'other.asdf#/x'}\nbig: !core/integer-1.1.0 {sign: +, string: '1180591620717411303424', words: [0, 0, 64]}",
    "z: !core/complex-1.0.0 1-2j\nl: [!core/complex-1.0.0 1-2j, !core/complex-1.0.0 0j]",
    "u: !core/integer-1.1.0 {sign: +, string: '18446744073709551615', words: [4294967295, 4294967295]}",
    "root: {$ref: '#'}\nall: [{$ref: '#'}, null, {$ref: '#/g'}]\ng: {}",
    // Arrays.
    "a: !core/ndarray-1.1.0 [[1, 2], [3, 4]]\nb: !core/ndarray-1.1.0 {data: [a, bcd], datatype: [ascii, 4]}",
    "a: !core/ndarray-1.1.0 {data: [[M110, 110]], datatype: [[ascii, 4], uint16]}",
    "z: 1\na: !core/ndarray-1.1.0 [1]\ny: {k: 1, j: !core/ndarray-1.1.0 [2], i: 3}\nx: 4",
];

/// Trees of files that lose something, with the path of the note about it.
const NOTED: &[(&str, &str)] = &[
    ("m: !core/ndarray-1.1.0 {data: [1], datatype: int8, mask: 18446744073709551615}", "/m"),
    ("m: !core/ndarray-1.1.0\n  data: [1, 2]\n  mask: !core/ndarray-1.1.0 {data: [a, b], datatype: [ascii, 1]}", "/m"),
];

fn opened(tree: &str) -> File {
    let bytes = format!("{HEAD}{tree}\n...\n").into_bytes();
    File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap()
}

fn all() -> DescribeOptions {
    DescribeOptions { values: Values::All, annotate: true, ..DescribeOptions::default() }
}

struct Made {
    folder: tempfile::TempDir,
    notes: Vec<Note>,
    /// True if the file must obey all rules of the format.
    strict: bool,
}

impl Made {
    fn of(description: &Description) -> asdfkit::Result<Made> {
        let folder = tempfile::tempdir().unwrap();
        let write = WriteOptions { durable: false, ..WriteOptions::default() };
        let options = CreateOptions { write, string_length: Some(1), ..CreateOptions::default() };
        let notes = create(description, folder.path().join("made.asdf"), &options)?;
        Ok(Made { folder, notes, strict: true })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("made.asdf")
    }

    /// Opens the file, with only its tree if `without_description`.
    fn opened(&self, without_description: bool) -> File {
        let options = OpenOptions { strict: self.strict, ..OpenOptions::default() };
        if !without_description {
            return File::open_with(self.path(), &options).unwrap();
        }
        let file = File::open_for_update(self.path(), &options).unwrap();
        let _ = file.root().unwrap().remove("ndl");
        file
    }

    /// Returns whether there is a note about the place of a difference.
    fn notes_of(&self, at: &str) -> bool {
        let path = at.split('@').next().unwrap();
        self.notes.iter().any(|note| note.path == path || at.replacen('@', "/", 1).replace("//", "/") == note.path)
    }
}

/// Returns the bytes of all elements and the mask, or the status if reading fails.
fn content(array: &Array) -> Result<(Vec<u8>, Vec<u8>), Status> {
    let plain = array.without_mask();
    let size = plain.byte_size(plain.datatype()).map_err(|error| error.status())?;
    let mut bytes = vec![0; size as usize];
    plain.read(plain.datatype(), &mut bytes, &ReadOptions::default()).map_err(|error| error.status())?;
    let mut mask = vec![7; array.element_count() as usize];
    array.read_mask(None, &mut mask, &ReadOptions::default()).map_err(|error| error.status())?;
    Ok((bytes, mask))
}

/// Returns whether the elements of an array could not be read, so that the new file contains others.
fn is_without_values(described: &Described, path: &str) -> bool {
    described.notes.iter().any(|note| note.path == path && note.message.starts_with("the values are left out"))
}

/// Returns the differences of a file made from a description of this one, and the number of arrays with missing
/// elements.
fn lost(file: &File, first: &Described, made: &Made) -> (Vec<String>, usize) {
    let mut out = Vec::new();
    let has_description = file.root().unwrap().at("ndl").is_ok();
    for without_description in [false, true] {
        if without_description && has_description {
            continue;
        }
        let again = describe(&made.opened(without_description), &all()).unwrap();
        let differences = first.description.differences(&again.description, &DifferenceOptions::default()).unwrap();
        let lost = differences.iter().filter(|difference| {
            let is_noted = made.notes_of(&difference.at) || is_without_values(first, &difference.at);
            // Only the description in the file says which dimensions are unlimited.
            let is_unlimited = without_description
                && matches!(difference.what.as_str(), "shape" | "storage.shape")
                && first.description.ndarrays.get(&difference.at).is_some_and(|array| array.storage.shape.is_some());
            !is_noted && !is_unlimited
        });
        out.extend(lost.map(|difference| format!("{difference} (tree alone: {without_description})")));
        let texts = [first, &again].map(|described| described.description.to_text(&TextOptions::default()).unwrap());
        if differences.is_empty() && made.notes.is_empty() && texts[0] != texts[1] {
            out.push(format!("another order (tree alone: {without_description}):\n{}\n{}", texts[0], texts[1]));
        }
    }
    let root = made.opened(false).root().unwrap();
    let mut masked = 0;
    for (path, _) in first.description.ndarrays.iter() {
        let Ok(old) = file.root().unwrap().array(path) else { continue };
        let datatype = old.datatype().clone();
        let Ok(old) = content(&old) else { continue };
        masked += usize::from(old.1.contains(&1));
        let new = root.array(path).map_err(|error| error.status());
        // Strings may have another length; their values are compared above.
        let is_same_type = new.as_ref().is_ok_and(|new| *new.datatype() == datatype);
        match new.and_then(|array| content(&array)) {
            Ok(new) if new.1 == old.1 && (new.0 == old.0 || !is_same_type) => {}
            _ if made.notes_of(path) || is_without_values(first, path) => {}
            new => out.push(format!("{path} reads {new:?} instead of {old:?}")),
        }
    }
    (out, masked)
}

fn round_trip(file: &File) -> (Vec<String>, Made, usize) {
    let first = describe(file, &all()).unwrap();
    let made = Made::of(&first.description).unwrap();
    let (lost, masked) = lost(file, &first, &made);
    (lost, made, masked)
}

#[test]
fn trees_lose_nothing() {
    let mut failures = Vec::new();
    let mut masked = 0;
    for tree in KEPT {
        let (mut lost, made, arrays) = round_trip(&opened(tree));
        lost.extend(made.notes.iter().map(|note| format!("noted: {note}")));
        masked += arrays;
        failures.extend(lost.iter().map(|lost| format!("{tree}\n    {lost}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(masked >= 12, "{masked}");
}

#[test]
fn losses_are_noted() {
    for (tree, path) in NOTED {
        let (lost, made, _) = round_trip(&opened(tree));
        assert!(lost.is_empty(), "{tree}: {lost:?}");
        assert!(made.notes.iter().any(|note| note.path == *path), "{tree}: {:?}", made.notes);
    }
}

/// Writes a file with an array for each kind of storage. Returns for each the key that no file keeps.
fn stored(path: &Path) -> Vec<(&'static str, &'static str)> {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let options = ArrayOptions::default;
    let codecs = [Codec::Zlib, Codec::Bzp2, Codec::Lz4, Codec::Lz4f];
    let compressed = codecs.map(|codec| {
        let compression = Compression::new(codec, None).unwrap();
        (codec.name(), ArrayOptions { compression: Some(compression), ..options() })
    });
    let others = [
        ("plain", options()),
        ("big", ArrayOptions { byteorder: ByteOrder::Big, ..options() }),
        ("fortran", ArrayOptions { stored_order: Order::Fortran, ..options() }),
        ("inline", ArrayOptions { storage: Storage::Inline, ..options() }),
        ("outside", ArrayOptions { storage: Storage::External, ..options() }),
    ];
    let numbers: Vec<u8> = (0..6i16).flat_map(i16::to_ne_bytes).collect();
    for (name, options) in compressed.into_iter().chain(others) {
        let data = ArrayData::new(ScalarType::Int16, &[2, 3], Arc::new(numbers.clone()));
        root.set_array_data(name, &data, &options).unwrap();
        root.set_array_data(&format!("{name}/mask"), &truths(&[1, 0, 0, 0, 0, 1]), &options).unwrap();
    }
    let text = ArrayData::new(Datatype::Ascii(3), &[], Arc::new(b"abc".to_vec()));
    root.set_array_data("text", &text, &options()).unwrap();
    file.write(path, &WriteOptions { durable: false, ..WriteOptions::default() }).unwrap();
    vec![("/outside", "source"), ("/outside.mask", "source")]
}

fn truths(bytes: &[u8; 6]) -> ArrayData<'static> {
    ArrayData::new(ScalarType::Bool8, &[2, 3], Arc::new(bytes.to_vec()))
}

#[test]
fn storage_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stored.asdf");
    let noted = stored(&path);
    let file =
        File::open_with(&path, &OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() }).unwrap();
    let first = describe(&file, &all()).unwrap();
    for (path, key) in &noted {
        assert!(
            format!("{:?}", first.description.ndarrays.get(path).unwrap().extensions).contains(key),
            "{path}: {:?}",
            first.notes
        );
    }
    let made = Made::of(&first.description).unwrap();
    let (lost, masked) = lost(&file, &first, &made);
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert_eq!(masked, 9);
    let paths: Vec<&str> = made.notes.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(paths.iter().filter(|path| path.starts_with("/outside")).count(), paths.len(), "{:?}", made.notes);
    for (path, _) in noted {
        assert!(paths.contains(&path), "{:?}", made.notes);
    }
}

#[test]
fn a_loss_is_noticed() {
    let tree = "m: !core/ndarray-1.1.0 {data: [1, 2, -9], datatype: int16, mask: -9}\ng: {n: null, v: 1}\n\
                k: !core/ndarray-1.1.0 {data: [1, 2], mask: !core/ndarray-1.1.0 {data: [true, false]}}";
    let file = opened(tree);
    let first = describe(&file, &all()).unwrap();
    for (path, other) in [("m/mask", "-8"), ("g/v", "2"), ("k/mask", "1"), ("m/data/0", "7"), ("g/n", "1")] {
        let made = Made::of(&first.description).unwrap();
        let changed = File::open_for_update(made.path(), &OpenOptions::default()).unwrap();
        changed.root().unwrap().set_i64(path, other.parse().unwrap()).unwrap();
        changed.save(&WriteOptions::default()).unwrap();
        drop(changed);
        assert!(!lost(&file, &first, &made).0.is_empty(), "{path}");
    }
}

fn corpus() -> Vec<PathBuf> {
    let more = ["ASDFKIT_REFERENCE_FILES", "ASDFKIT_SAMPLES"].into_iter().filter_map(std::env::var_os);
    let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora")];
    waiting.extend(more.map(PathBuf::from));
    let mut out = Vec::new();
    while let Some(path) = waiting.pop() {
        for entry in std::fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "asdf") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

/// Returns whether this status is a permitted refusal to make a file.
fn is_refusal(status: Status) -> bool {
    matches!(status, Status::Unsupported | Status::Incomplete | Status::Limit | Status::InvalidArgument)
}

#[test]
fn files_of_the_corpora_lose_nothing_that_is_not_noted() {
    let (mut made_files, mut masked, mut refused) = (0, 0, 0);
    let mut failures = Vec::new();
    let paths = corpus();
    for path in &paths {
        let access = OpenOptions::default();
        let Ok(file) = File::open_with(path, &access) else { continue };
        if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > 1 << 22) {
            continue;
        }
        let Ok(first) = describe(&file, &all()) else { continue };
        match Made::of(&first.description) {
            Ok(made) => {
                let strict = File::open_with(path, &OpenOptions { strict: true, ..OpenOptions::default() }).is_ok();
                let made = Made { strict, ..made };
                let (lost, arrays) = lost(&file, &first, &made);
                failures.extend(lost.iter().map(|lost| format!("{}: {lost}", name_of(path))));
                made_files += 1;
                masked += arrays;
            }
            Err(error) if is_refusal(error.status()) => refused += 1,
            Err(error) => failures.push(format!("{}: {error}", name_of(path))),
        }
    }
    println!("{} files read, {made_files} made, {refused} refused; {masked} arrays with missing elements", paths.len());
    assert!(made_files > 200 && masked > 3, "{made_files} files, {masked} arrays with missing elements");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}
