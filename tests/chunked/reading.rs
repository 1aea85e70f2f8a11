//! Chunked arrays of asdf-zarr: every sample has its elements beside it as an ordinary array.

use asdfkit::array::{Array, Datatype, Order, ReadOptions, Region};
use asdfkit::file::{Access, File, OpenOptions};
use asdfkit::{Result, Status};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chunked/samples")
}

fn opened(name: &str, access: Access) -> File {
    let options = OpenOptions { access, ..OpenOptions::default() };
    File::open_with(samples().join(name), &options).unwrap()
}

fn read(array: &Array, region: Option<&Region>, options: &ReadOptions) -> Result<Vec<u8>> {
    let datatype = array.datatype();
    let size = match region {
        Some(region) => array.region_size(region.count, datatype)?,
        None => array.byte_size(datatype)?,
    };
    let mut out = vec![0; size as usize];
    match region {
        Some(region) => array.read_region(region, datatype, &mut out, options)?,
        None => array.read(datatype, &mut out, options)?,
    }
    Ok(out)
}

/// Calls `check` with each chunked array and the array with its elements.
fn for_each_pair(file: &File, mut check: impl FnMut(&str, &Array, &Array)) -> usize {
    let root = file.root().unwrap();
    let mut count = 0;
    while let Ok(expected) = root.array(&format!("e{count}")) {
        let name = format!("z{count}");
        let found = root.array(&name).unwrap_or_else(|error| panic!("{name}: {error}"));
        check(&name, &found, &expected);
        count += 1;
    }
    count
}

fn next(state: &mut u64, end: i64) -> i64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*state >> 33) % end.max(1) as u64) as i64
}

/// Returns a random region with steps in both directions.
fn region(state: &mut u64, shape: &[i64]) -> [Vec<i64>; 3] {
    let [mut start, mut count, mut step] = [const { Vec::new() }; 3];
    for &extent in shape {
        let by = next(state, 3) + 1;
        let number = if extent == 0 { 0 } else { next(state, extent / by) + 1 };
        let reach = (number - 1).max(0) * by;
        let first = if extent == 0 { 0 } else { next(state, extent - reach) };
        let backwards = next(state, 2) == 0 && number > 0;
        start.push(if backwards { first + reach } else { first });
        step.push(if backwards { -by } else { by });
        count.push(number);
    }
    [start, count, step]
}

fn compare(file: &File) -> usize {
    let mut state = 7;
    for_each_pair(file, |name, found, expected| {
        assert_eq!(found.shape(), expected.shape(), "{name}");
        assert!(found.datatype().is_alike(expected.datatype()), "{name}: {} {}", found.datatype(), expected.datatype());
        for threads in [1, 3] {
            for order in [Order::C, Order::Fortran] {
                let options = ReadOptions { threads, order, ..ReadOptions::default() };
                assert_eq!(read(found, None, &options).unwrap(), read(expected, None, &options).unwrap(), "{name}");
            }
            let options = ReadOptions { threads, ..ReadOptions::default() };
            for _ in 0..8 {
                let [start, count, step] = region(&mut state, found.shape());
                let region = Region { start: &start, count: &count, step: Some(&step) };
                let both = [found, expected].map(|array| read(array, Some(&region), &options).unwrap());
                assert_eq!(both[0], both[1], "{name} {region:?}");
            }
        }
        if let Datatype::Record(fields) = found.datatype() {
            for name in fields.iter().filter_map(|field| field.name.as_deref()) {
                let both = [found, expected].map(|array| array.field(name).unwrap());
                assert_eq!(both[0].shape(), both[1].shape());
                let [start, count, step] = region(&mut state, both[0].shape());
                let region = Region { start: &start, count: &count, step: Some(&step) };
                let options = ReadOptions::default();
                let both = both.map(|array| read(&array, Some(&region), &options).unwrap());
                assert_eq!(both[0], both[1], "{name}");
            }
        }
    })
}

#[test]
fn chunks_in_blocks_read_as_arrays() {
    assert_eq!(compare(&opened("internal.asdf", Access::Deny)), 33);
}

#[test]
fn chunks_in_folders_read_as_arrays() {
    assert_eq!(compare(&opened("stores.asdf", Access::SameDirectory)), 8);
    let denied = opened("stores.asdf", Access::Deny);
    assert_eq!(denied.root().unwrap().array("z0").unwrap_err().status(), Status::ExternalReference);
}

#[test]
fn other_calls_know_chunks() {
    let file = opened("internal.asdf", Access::Deny);
    for_each_pair(&file, |name, found, _| {
        assert_eq!(found.view(found.datatype()).unwrap_err().status(), Status::NotViewable, "{name}");
        found.prefetch(None).unwrap();
        let Ok(map) = found.chunk_map() else { return };
        for chunk in &map.chunks {
            assert!(chunk.is_complete && chunk.first == 0, "{name}");
            assert!(chunk.origin.iter().zip(&chunk.shape).zip(found.shape()).all(|((o, n), all)| o + n <= *all));
        }
    });
    let inspection = file.inspect(1).unwrap();
    assert!(inspection.problems.is_empty(), "{:?}", inspection.problems);
}

/// Returns the sample with text replaced by text of the same length.
fn changed(from: &str, to: &str) -> File {
    assert_eq!(from.len(), to.len());
    let mut bytes =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/reports/zarr_internal.asdf")).unwrap();
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
    bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
    File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap()
}

#[test]
fn hostile_metadata_are_errors() {
    for (from, to, status) in [
        ("chunk_block_map: 4", "chunk_block_map: 9", Status::BlockNotFound),
        ("chunk_block_map: 4", "chunk_block_map: 5", Status::BadArray),
        ("chunk_block_map: 4", "chunk_block_map: x", Status::BadArray),
        ("dtype: <i4", "dtype: O  ", Status::BadDatatype),
        ("shape: [8, 8]", "shape: [9, 8]", Status::BadArray),
        ("shape: [8, 8]", "shape: [8   ]", Status::BadArray),
        ("shape: [8, 8]", "shape: [8,-8]", Status::BadArray),
        ("zarr_format: 2", "zarr_format: 4", Status::BadArray),
        ("order: C", "order: X", Status::BadArray),
    ] {
        let error = changed(from, to).root().unwrap().array("z").map(|_| ()).unwrap_err();
        assert_eq!(error.status(), status, "{from} -> {to}: {error}");
        assert!(error.location().path.as_deref().is_some_and(|path| path.starts_with("/z")), "{error}");
    }
    let huge = |shape: &str, chunks: &str| {
        let text = format!(
            "#ASDF 1.0.0\n%YAML 1.1\n---\nz: !<asdf://asdf-format.org/zarr/tags/zarr-1.0.0>\n  .zarray: {{shape: {shape}, \
             chunks: {chunks}, dtype: <i4, compressor: null, filters: null, order: C, fill_value: 0, zarr_format: 2}}\n  \
             chunk_block_map: 0\n...\n"
        );
        let block = [&b"\xd3BLK\0\x30"[..], &[0; 8], &[0, 0, 0, 0, 0, 0, 0, 4].repeat(3), &[0; 16], &[255; 4]].concat();
        File::open_memory(Arc::new([text.as_bytes(), &block].concat()), &OpenOptions::default()).unwrap()
    };
    for (shape, chunks, status) in [
        ("[9223372036854775807]", "[1]", Status::BadArray),
        ("[4611686018427387904, 4611686018427387904]", "[1, 1]", Status::Bounds),
        ("[9223372036854775807]", "[9223372036854775807]", Status::Bounds),
        ("[4]", "[0]", Status::BadArray),
    ] {
        let error = huge(shape, chunks).root().unwrap().array("z").map(|_| ()).unwrap_err();
        assert_eq!(error.status(), status, "{shape} {chunks}: {error}");
    }
    // A chunk that is not stored takes no memory, however large it is.
    let file = huge("[3]", "[1152921504606846975]");
    assert_eq!(file.root().unwrap().array("z").unwrap().read_vec::<i32>().unwrap(), [0; 3]);
}
