//! Failed reads are never taken for properties of a file: each operation gives the same result as on a healthy source,
//! or fails with the error of the source.

use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, OpenOptions, Storage, WriteOptions};
use asdfkit::ndl::TextOptions;
use asdfkit::ndl::asdf::{DescribeOptions, Values, describe};
use asdfkit::source::Source;
use asdfkit::{Error, Result, Status, TableReadOptions};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes in memory of which one read fails, or all reads from one on.
struct Faulty {
    bytes: Vec<u8>,
    reads: AtomicUsize,
    fails_at: usize,
    fails_on: bool,
    status: Status,
}

impl Source for Faulty {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let number = self.reads.fetch_add(1, Ordering::Relaxed);
        if number == self.fails_at || number > self.fails_at && self.fails_on {
            return Err(Error::new(self.status, "the medium failed"));
        }
        let rest = self.bytes.get(offset as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// Makes a file with arrays of all kinds: compressed, with masks, in the tree, of records, and one that is damaged.
fn file(index: bool) -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    for (number, name) in ["a", "b", "c"].into_iter().enumerate() {
        root.set_array(name, &[number as i32; 500], [500]).unwrap();
        root.set_array(&format!("{name}/mask"), &[number as u8; 500], [500]).unwrap();
    }
    let inline = ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() };
    root.set_array_data("inline", &ArrayData::of_slice(&[1.5, 2.5], &[2]), &inline).unwrap();
    root.set_string("meta/name", "x").unwrap();
    root.set_reference("again", "#/a").unwrap();
    root.set_reference("nowhere", "#/nothing").unwrap();
    root.set_array("lost", &[7; 2], [2]).unwrap();
    root.set_i64("lost/source", 99).unwrap();
    file.write_to_memory(&WriteOptions { block_index: index, ..WriteOptions::default() }).unwrap()
}

/// Returns all that some operations find in a file.
fn found(source: Arc<Faulty>) -> Result<Vec<String>> {
    let file = File::open_source(source, &OpenOptions { verify_checksums: true, ..OpenOptions::default() })?;
    let root = file.root()?;
    let mut found = Vec::new();
    for values in [Values::None, Values::All] {
        let described = describe(&file, &DescribeOptions { values, annotate: true, ..DescribeOptions::default() })?;
        found.push(described.description.to_text(&TextOptions::default())?);
        found.extend(described.notes.iter().map(ToString::to_string));
    }
    for name in ["a", "inline", "again", "nowhere", "lost"] {
        found.push(format!("{name}: {:?}", root.kind(name)?));
    }
    let table = root.table("again", &TableReadOptions::default());
    found.push(table.map_or_else(
        |error| if error.is_of_machine() { Err(error) } else { Ok(error.to_string()) },
        |table| Ok(format!("{table:?}")),
    )?);
    found.extend(file.warnings().iter().map(ToString::to_string));
    Ok(found)
}

#[test]
fn a_failed_read_is_no_property_of_the_file() {
    for (index, status, fails_on) in [
        (true, Status::Io, false),
        (true, Status::Io, true),
        (false, Status::FileChanged, true),
        (true, Status::Callback, false),
        (false, Status::Callback, false),
    ] {
        let source =
            |fails_at| Arc::new(Faulty { bytes: file(index), reads: AtomicUsize::new(0), fails_at, fails_on, status });
        let healthy = source(usize::MAX);
        let expected = found(healthy.clone()).unwrap();
        let count = healthy.reads.load(Ordering::Relaxed);
        assert!(count > 10 && expected.iter().any(|line| line.contains("99")), "{expected:#?}");
        for fails_at in 0..count {
            match found(source(fails_at)) {
                Ok(found) => assert_eq!(found, expected, "read {fails_at} of {count}"),
                Err(error) => assert_eq!(error.status(), status, "read {fails_at} of {count}: {error}"),
            }
        }
    }
}
