//! References read back: metadata and chunks are decoded in the simplest way, and compared with what the library reads.

use super::*;
use crate::array::{ByteOrder, Order, ReadOptions};
use crate::codec::{Codec, Compression};
use crate::error::Status;
use crate::file::{ArrayData, ArrayOptions, File, Storage, WriteOptions};
use std::path::Path;

/// Writes a file with an array, and returns it opened.
fn file_with(path: &Path, shape: &[i64], options: &ArrayOptions, first: i32) -> File {
    let count: i64 = shape.iter().product();
    let numbers: Vec<i32> = (0..count as i32).map(|number| number + first).collect();
    let file = File::default();
    file.root().unwrap().set_array_data("data", &ArrayData::of_slice(&numbers, shape), options).unwrap();
    file.write(path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();
    File::open(path).unwrap()
}

fn export(files: &[&File], options: &ReferenceOptions) -> Exported {
    let mut references = References::new(options);
    files.iter().for_each(|file| references.add(file).unwrap());
    references.finish().unwrap()
}

/// Reads the elements of an uncompressed array through its references.
fn read(array: &ExportedArray) -> Vec<i32> {
    let total: i64 = array.shape.iter().product();
    let mut elements = vec![-1; total as usize];
    let counts = array.chunk_counts().to_vec();
    for number in 0..array.len() as i64 {
        let (mut index, mut rest) = (vec![0; counts.len()], number);
        for (at, count) in index.iter_mut().zip(&counts).rev() {
            (*at, rest) = (rest % count, rest / count);
        }
        let Some(Reference::Bytes { url, offset, length }) = array.reference(&index) else { panic!("no bytes") };
        let bytes = std::fs::read(url.strip_prefix("file://").unwrap()).unwrap();
        let bytes = &bytes[offset as usize..(offset + length) as usize];
        for (place, bytes) in bytes.as_chunks::<4>().0.iter().enumerate() {
            let (mut at, mut rest, mut is_within) = (vec![0; counts.len()], place as i64, true);
            for axis in (0..counts.len()).rev() {
                at[axis] = index[axis] * array.chunk[axis] + rest % array.chunk[axis];
                rest /= array.chunk[axis];
                is_within &= at[axis] < array.shape[axis];
            }
            if is_within {
                let to = at.iter().zip(&array.shape).fold(0, |to, (at, extent)| to * extent + at);
                elements[to as usize] = i32::from_le_bytes(*bytes);
            }
        }
    }
    elements
}

fn little() -> ArrayOptions {
    ArrayOptions { byteorder: ByteOrder::Little, ..ArrayOptions::default() }
}

#[test]
fn slabs_have_the_elements_of_the_array() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.asdf");
    for (shape, slab) in
        [(&[60, 5][..], 100), (&[61, 5], 100), (&[7], 8), (&[3, 40, 5], 100), (&[], 4), (&[2, 3], 1 << 20)]
    {
        let file = file_with(&path, shape, &little(), 0);
        let exported = export(&[&file], &ReferenceOptions { slab_bytes: slab, ..ReferenceOptions::default() });
        let array = &exported.arrays[0];
        assert_eq!((&array.shape[..], exported.report.entries().len()), (shape, 0));
        let count: i64 = shape.iter().product();
        assert_eq!(read(array), (0..count as i32).collect::<Vec<_>>(), "{shape:?}");
        assert_eq!(exported.files[0].size, Some(std::fs::metadata(&path).unwrap().len()));
    }
}

#[test]
fn fortran_order_is_a_reversed_shape() {
    let folder = tempfile::tempdir().unwrap();
    let options = ArrayOptions { stored_order: Order::Fortran, ..little() };
    let file = file_with(&folder.path().join("a.asdf"), &[3, 5], &options, 0);
    let array = &export(&[&file], &ReferenceOptions::default()).arrays[0];
    assert_eq!(
        (&array.shape[..], &array.dimensions[..]),
        (&[5, 3][..], &["data_dim_1".to_owned(), "data_dim_0".to_owned()][..])
    );
    assert_eq!(read(array), (0..15).map(|at| at % 3 * 5 + at / 3).collect::<Vec<i32>>());
}

#[test]
fn files_are_joined_along_new_and_existing_dimensions() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, rows: i64, first: i32| file_with(&folder.path().join(name), &[rows, 3], &little(), first);
    let (a, b, c) = (make("a.asdf", 4, 0), make("b.asdf", 4, 12), make("c.asdf", 3, 24));
    let options = ReferenceOptions { slab_bytes: 24, ..ReferenceOptions::default() };
    let exported = export(&[&a, &b], &options);
    assert_eq!((&exported.arrays[0].shape[..], exported.files.len()), (&[2, 4, 3][..], 2));
    assert_eq!(read(&exported.arrays[0]), (0..24).collect::<Vec<_>>());
    let along = |axis| ReferenceOptions { join: Join::existing(axis), ..options.clone() };
    let array = &export(&[&a, &b, &c], &along(0)).arrays[0];
    assert_eq!((&array.shape[..], array.chunk_counts()), (&[11, 3][..], &[11, 1][..]));
    assert_eq!(read(array), (0..33).collect::<Vec<_>>());
    // The shapes differ in another dimension, or there is no such dimension.
    for wrong in [export(&[&a, &c], &options), export(&[&a, &c], &along(1)), export(&[&a, &b], &along(2))] {
        assert!(wrong.arrays.is_empty() && wrong.report.entries()[0].message.starts_with("the array is left out"));
    }
    let mut twice = References::new(&options);
    twice.add(&a).unwrap();
    assert_eq!(twice.add(&a).unwrap_err().status(), Status::InvalidArgument);
}

#[test]
fn compressed_blocks_are_chunks_with_a_filter() {
    let folder = tempfile::tempdir().unwrap();
    for &codec in Codec::ALL {
        let compression = Some(Compression::new(codec, None).unwrap());
        let options = ArrayOptions { compression, ..little() };
        let file = file_with(&folder.path().join(format!("{codec}.asdf")), &[6, 4], &options, 0);
        let exported = export(&[&file], &ReferenceOptions::default());
        let id = match codec.name() {
            "zlib" => "zlib",
            "bzp2" => "bz2",
            "zstd" => "zstd",
            "blsc" => "blosc",
            "lz4" => "lz4",
            _ => {
                assert!(exported.arrays.is_empty() && exported.report.entries().len() == 1, "{codec}");
                continue;
            }
        };
        let documents = exported.documents().unwrap();
        let (_, metadata) = documents.iter().find(|(key, _)| key == "data/.zarray").unwrap();
        assert!(metadata.contains(&format!("\"compressor\":null,\"filters\":[{{\"id\":\"{id}\"")), "{metadata}");
        let Some(Reference::Bytes { offset, length, .. }) = exported.arrays[0].reference(&[0, 0]) else { panic!() };
        assert!(offset + length <= exported.files[0].size.unwrap());
    }
}

#[test]
fn what_zarr_cannot_express_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.asdf");
    let file = file_with(&path, &[3], &ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() }, 7);
    let exported = export(&[&file], &ReferenceOptions::default());
    assert!(exported.arrays.is_empty());
    let entry = &exported.report.entries()[0];
    assert!(
        entry.message.contains("elements are in the tree") && entry.path.as_deref() == Some("/data"),
        "{}",
        entry.text
    );
    let exported = export(&[&file], &ReferenceOptions { inline_bytes: 1000, ..ReferenceOptions::default() });
    let array = file.root().unwrap().array("data").unwrap();
    let mut bytes = vec![0; 3 * array.datatype().item_size().unwrap() as usize];
    array.read(array.datatype(), &mut bytes, &ReadOptions::default()).unwrap();
    assert_eq!(exported.arrays[0].reference(&[0]), Some(Reference::Inline(&bytes)));
    assert_eq!(References::new(&ReferenceOptions::default()).finish().unwrap_err().status(), Status::InvalidArgument);
    let mut references = References::new(&ReferenceOptions { root: "none".to_owned(), ..ReferenceOptions::default() });
    assert_eq!(references.add(&file).unwrap_err().status(), Status::NotFound);
    let unnamed = File::open_memory(std::sync::Arc::new(std::fs::read(&path).unwrap()), &Default::default()).unwrap();
    assert_eq!(References::new(&ReferenceOptions::default()).add(&unnamed).unwrap_err().status(), Status::Unsupported);
}
