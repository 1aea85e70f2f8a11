//! Chunked arrays that this library writes: new ones, changed regions, other shapes and codecs, copies.

use asdfkit::Status;
use asdfkit::array::{ByteOrder, Datatype, Order, ReadOptions, Region, ScalarType};
use asdfkit::codec::{BloscOptions, ChunkCodecs, ChunkCompressor, ChunkFilter, Codec, Compression};
use asdfkit::file::{Access, ArrayBytes, ArrayData, ArrayOptions, File, NewOptions, Node, OpenOptions, WriteOptions};
use std::path::Path;
use std::sync::Arc;

struct Random(u64);

impl Random {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % end.max(1) as u64) as i64
    }

    /// Returns start, count and step of a region with elements.
    fn region(&mut self, shape: &[i64]) -> [Vec<i64>; 3] {
        let [mut start, mut count, mut step] = [const { Vec::new() }; 3];
        for &extent in shape {
            let by = self.below(3) + 1;
            let number = self.below(extent / by) + 1;
            let first = self.below(extent - (number - 1) * by);
            let backwards = self.below(2) == 0;
            start.push(if backwards { first + (number - 1) * by } else { first });
            step.push(if backwards { -by } else { by });
            count.push(number);
        }
        [start, count, step]
    }
}

/// Elements in C order that the file must hold.
struct Model {
    shape: Vec<i64>,
    elements: Vec<i32>,
}

impl Model {
    fn at(&self, index: &[i64]) -> usize {
        index.iter().zip(&self.shape).fold(0, |at, (index, extent)| at * extent + index) as usize
    }

    fn write(&mut self, [start, count, step]: &[Vec<i64>; 3], new: &[i32]) {
        for (number, &value) in new.iter().enumerate() {
            let at = self.at(&index_of(number, count)
                .iter()
                .enumerate()
                .map(|(a, i)| start[a] + i * step[a])
                .collect::<Vec<_>>());
            self.elements[at] = value;
        }
    }

    fn resize(&mut self, shape: &[i64]) {
        let mut new = Model { shape: shape.to_vec(), elements: vec![0; shape.iter().product::<i64>() as usize] };
        for number in 0..new.elements.len() {
            let index = index_of(number, shape);
            if index.iter().zip(&self.shape).all(|(index, extent)| index < extent) {
                new.elements[number] = self.elements[self.at(&index)];
            }
        }
        *self = new;
    }
}

fn index_of(number: usize, shape: &[i64]) -> Vec<i64> {
    let (mut rest, mut index) = (number as i64, vec![0; shape.len()]);
    for (index, &extent) in index.iter_mut().zip(shape).rev() {
        (*index, rest) = (rest % extent, rest / extent);
    }
    index
}

fn set(root: &Node, path: &str, model: &Model, chunks: &[i64], random: &mut Random) {
    let codecs = [None, Some(Codec::Zlib), Some(Codec::Lz4), Some(Codec::Bzp2)];
    let names = ["zlib", "gzip", "bz2", "lz4"];
    let compressor = names.get(random.below(8) as usize);
    let compressor = compressor.map(|name| ChunkCompressor::new(name, None, BloscOptions::default()).unwrap());
    let filters = [&[][..], &[ChunkFilter::Delta], &[ChunkFilter::Shuffle], &ChunkFilter::ALL];
    let filters = filters[random.below(6).max(2) as usize - 2].to_vec();
    let compression = codecs[random.below(4) as usize].map(|codec| Compression::new(codec, None).unwrap());
    let options = ArrayOptions {
        chunks: Some(chunks.to_vec()),
        compression: compression.filter(|_| compressor.is_none()),
        chunk_codecs: ChunkCodecs { filters, compressor },
        threads: random.below(3) as usize + 1,
        byteorder: if random.below(2) == 0 { ByteOrder::Little } else { ByteOrder::Big },
        stored_order: if random.below(2) == 0 { Order::C } else { Order::Fortran },
        ..ArrayOptions::default()
    };
    root.set_array_data(path, &ArrayData::of_slice(&model.elements, &model.shape), &options).unwrap();
}

fn check(root: &Node, path: &str, model: &Model) {
    let array = root.array(path).unwrap();
    assert_eq!(array.shape(), model.shape);
    assert_eq!(array.read_vec::<i32>().unwrap(), model.elements);
}

fn reopened(file: &File) -> File {
    let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
    let file = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
    let found = file.inspect(1).unwrap();
    assert!(found.problems.is_empty() && found.notes.is_empty(), "{:?} {:?}", found.problems, found.notes);
    file
}

#[test]
fn random_changes_keep_the_other_elements() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 1..40 {
        let mut random = Random(seed);
        let rank = random.below(4) as usize;
        let shape: Vec<i64> = (0..rank).map(|_| random.below(7) + 1).collect();
        let chunks: Vec<i64> = (0..rank).map(|_| random.below(4) + 1).collect();
        let count = shape.iter().product::<i64>();
        let mut model = Model { shape, elements: (0..count).map(|_| random.below(1000) as i32).collect() };
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        root.set_array("other", &[1_u8, 2, 3], [3]).unwrap();
        // The blocks of an array that is replaced are not written.
        set(&root, "z", &model, &chunks, &mut random);
        set(&root, "z", &model, &chunks, &mut random);
        check(&root, "z", &model);
        check(&reopened(&file).root().unwrap(), "z", &model);
        let path = folder.path().join(format!("{seed}.asdf"));
        file.write(&path, &WriteOptions::default()).unwrap();
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        let root = file.root().unwrap();
        for _ in 0..6 {
            let array = root.array("z").unwrap();
            match random.below(4) {
                0 => {
                    let shape: Vec<i64> = model.shape.iter().map(|_| random.below(7) + 1).collect();
                    root.resize_array("z", &shape, None).unwrap();
                    model.resize(&shape);
                }
                1 => {
                    let compression = Compression::new(Codec::Zlib, None).unwrap();
                    root.recompress_array("z", Some(compression).filter(|_| random.below(2) == 0)).unwrap();
                }
                2 => file.save(&WriteOptions::default()).unwrap(),
                _ => {
                    let region = random.region(&model.shape);
                    let count = region[1].iter().product::<i64>();
                    let new: Vec<i32> = (0..count).map(|_| random.below(1000) as i32).collect();
                    let bytes: Vec<u8> = new.iter().flat_map(|value| value.to_ne_bytes()).collect();
                    let part = Region { start: &region[0], count: &region[1], step: Some(&region[2]) };
                    let options = ReadOptions::default();
                    array.write_region(Some(&part), &ScalarType::Int32.into(), &bytes, &options).unwrap();
                    model.write(&region, &new);
                    assert_eq!(array.read_vec::<i32>().unwrap(), model.elements);
                }
            }
            check(&root, "z", &model);
        }
        file.save(&WriteOptions::default()).unwrap();
        check(&root, "z", &model);
        check(&File::open(&path).unwrap().root().unwrap(), "z", &model);
        let other = File::new(&NewOptions::default());
        other.root().unwrap().set_array("first", &[1_u8], [1]).unwrap();
        other.root().unwrap().copy_from("copy", &root.at("z").unwrap(), None).unwrap();
        check(&other.root().unwrap(), "copy", &model);
        check(&reopened(&other).root().unwrap(), "copy", &model);
    }
}

#[test]
fn zeros_have_no_chunks_until_they_are_written() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let options = ArrayOptions { chunks: Some(vec![1000, 1000]), ..ArrayOptions::default() };
    root.set_array_zeros("z", &ScalarType::Float64.into(), &[1_000_000, 1000], &options).unwrap();
    let array = root.array("z").unwrap();
    let region = Region { start: &[5000, 10], count: &[1, 2], step: None };
    let bytes = [1.5_f64, 2.5].map(f64::to_ne_bytes);
    array
        .write_region(Some(&region), &ScalarType::Float64.into(), bytes.as_flattened(), &ReadOptions::default())
        .unwrap();
    assert_eq!(array.read_region_vec::<f64>([5000..5001, 9..13]).unwrap(), [0.0, 1.5, 2.5, 0.0]);
    assert_eq!(file.block_count().unwrap(), 2);
    let file = reopened(&file);
    let array = file.root().unwrap().array("z").unwrap();
    assert_eq!(array.read_region_vec::<f64>([5000..5001, 9..13]).unwrap(), [0.0, 1.5, 2.5, 0.0]);
    assert_eq!(array.read_region_vec::<f64>([999_999..1_000_000, 999..1000]).unwrap(), [0.0]);
}

#[test]
fn wrong_chunks_are_refused() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let data = ArrayData::of_slice(&[1_i32, 2, 3, 4], &[2, 2]);
    let status = |chunks: &[i64], more: ArrayOptions| {
        let options = ArrayOptions { chunks: Some(chunks.to_vec()), ..more };
        root.set_array_data("z", &data, &options).unwrap_err().status()
    };
    assert_eq!(status(&[2], ArrayOptions::default()), Status::InvalidArgument);
    assert_eq!(status(&[2, 0], ArrayOptions::default()), Status::InvalidArgument);
    assert_eq!(status(&[2, -1], ArrayOptions::default()), Status::InvalidArgument);
    let storage = asdfkit::file::Storage::Inline;
    assert_eq!(status(&[2, 2], ArrayOptions { storage, ..ArrayOptions::default() }), Status::InvalidArgument);
    let compressor = Some(ChunkCompressor::new("zlib", None, BloscOptions::default()).unwrap());
    let twice = ArrayOptions {
        compression: Some(Compression::new(Codec::Zlib, None).unwrap()),
        chunk_codecs: ChunkCodecs { compressor, ..ChunkCodecs::default() },
        ..ArrayOptions::default()
    };
    assert_eq!(status(&[2, 2], twice), Status::InvalidArgument);
    let floats = ArrayData::of_slice(&[1_f64, 2.5], &[2]);
    let chunk_codecs = ChunkCodecs { filters: vec![ChunkFilter::Delta], compressor: None };
    let options = ArrayOptions { chunks: Some(vec![2]), chunk_codecs, ..ArrayOptions::default() };
    assert_eq!(root.set_array_data("z", &floats, &options).unwrap_err().status(), Status::InvalidArgument);
    assert!(!root.exists("z").unwrap());
}

#[test]
fn records_and_texts_have_chunks() {
    let field = |name: &str, scalar: ScalarType| asdfkit::array::Field {
        name: Some(name.to_owned()),
        datatype: scalar.into(),
        byteorder: Some(ByteOrder::Big),
        shape: Vec::new(),
    };
    let record = Datatype::record(vec![field("a", ScalarType::Int16), field("b", ScalarType::Float32)]).unwrap();
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let options = ArrayOptions { chunks: Some(vec![2]), ..ArrayOptions::default() };
    let elements: Vec<u8> =
        (0..5_i16).flat_map(|n| [&n.to_ne_bytes()[..], &f32::from(n).to_ne_bytes()].concat()).collect();
    let set = |path: &str, datatype: &Datatype, bytes: &[u8]| {
        let bytes = ArrayBytes::Copied(bytes);
        let data = ArrayData { datatype: datatype.clone(), shape: &[5], order: Order::C, bytes };
        root.set_array_data(path, &data, &options).unwrap();
    };
    set("r", &record, &elements);
    set("t", &Datatype::Ascii(2), b"a\0bb\0\0ccd\0");
    let file = reopened(&file);
    let array = file.root().unwrap().array("r").unwrap();
    assert_eq!(array.field("b").unwrap().read_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0]);
    let mut read = vec![0; 30];
    array.read(&record, &mut read, &ReadOptions::default()).unwrap();
    assert_eq!(read, elements);
    assert_eq!(file.root().unwrap().array("t").unwrap().read_string(&[3], &ReadOptions::default()).unwrap(), "cc");
}

#[test]
fn threads_write_regions_of_one_array() {
    const SIDE: i64 = 64;
    let folder = tempfile::tempdir().unwrap();
    for chunks in [None, Some(vec![10, 24])] {
        let path = folder.path().join("x.asdf");
        let file = File::new(&NewOptions::default());
        let options = ArrayOptions { chunks: chunks.clone(), ..ArrayOptions::default() };
        let shape = [SIDE, SIDE];
        file.root().unwrap().set_array_zeros("a", &ScalarType::Int32.into(), &shape, &options).unwrap();
        file.write(&path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        let array = file.root().unwrap().array("a").unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let array = &array;
                scope.spawn(move || {
                    for row in (0..SIDE).filter(|row| row % 8 == thread) {
                        let values: Vec<u8> = (0..SIDE).flat_map(|x| ((row * SIDE + x) as i32).to_ne_bytes()).collect();
                        let region = Region { start: &[row, 0], count: &[1, SIDE], step: None };
                        let options = ReadOptions::default();
                        array.write_region(Some(&region), &ScalarType::Int32.into(), &values, &options).unwrap();
                    }
                });
            }
        });
        let expected: Vec<i32> = (0..(SIDE * SIDE) as i32).collect();
        assert_eq!(array.read_vec::<i32>().unwrap(), expected);
        file.save(&WriteOptions::default()).unwrap();
        let file = File::open(&path).unwrap();
        assert_eq!(file.root().unwrap().array("a").unwrap().read_vec::<i32>().unwrap(), expected);
    }
}

#[test]
fn descriptions_have_chunk_filter_and_level() {
    let zarr = |name: &str, level| Some(ChunkCompressor::new(name, level, BloscOptions::default()).unwrap());
    let label = Some(Compression::new(Codec::Zlib, None).unwrap());
    let shuffle = vec![ChunkFilter::Shuffle];
    for (compression, chunk_codecs, expected) in [
        (label.clone(), ChunkCodecs::default(), "deflate: null"),
        (label, ChunkCodecs { filters: shuffle.clone(), compressor: None }, "shuffle, deflate: null"),
        (None, ChunkCodecs { filters: shuffle, compressor: zarr("zlib", Some(3)) }, "shuffle, deflate: {level: 3}"),
        (None, ChunkCodecs { filters: Vec::new(), compressor: zarr("gzip", Some(2)) }, "gzip: {level: 2}"),
    ] {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        let options = ArrayOptions { chunks: Some(vec![2, 3]), compression, chunk_codecs, ..ArrayOptions::default() };
        root.set_array_data("z", &ArrayData::of_slice(&[1_i32, 2, 3, 4, 5, 6], &[2, 3]), &options).unwrap();
        let described = asdfkit::ndl::asdf::describe(&reopened(&file), &Default::default()).unwrap();
        let storage = &described.description.ndarrays.get("/z").unwrap().storage;
        assert_eq!(storage.chunk, Some(vec![2, 3]));
        let text = described.description.to_text(&Default::default()).unwrap();
        let text = text.replace("\"level\"", "level");
        let line = text.lines().find(|line| line.contains("filter:")).unwrap_or_default();
        let plain: String = line.chars().filter(|character| !"[]".contains(*character)).collect();
        let plain =
            plain.replace("{deflate: null}", "deflate: null").replace("{deflate: {", "deflate: {").replace("}}", "}");
        let plain = plain.replace("{gzip: {", "gzip: {");
        assert_eq!(plain.trim(), format!("filter: {expected}"), "{line}");
    }
}

#[test]
fn compact_drops_chunks_that_are_no_longer_used() {
    let folder = tempfile::tempdir().unwrap();
    for compression in [None, Some(Compression::new(Codec::Zlib, None).unwrap())] {
        let path = folder.path().join("x.asdf");
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        let elements: Vec<i32> = (0..64).collect();
        root.set_array("first", &[1_u8, 2], [2]).unwrap();
        let options = ArrayOptions { chunks: Some(vec![2, 8]), compression, ..ArrayOptions::default() };
        root.set_array_data("z", &ArrayData::of_slice(&elements, &[8, 8]), &options).unwrap();
        root.set_array_data("gone", &ArrayData::of_slice(&elements, &[8, 8]), &options).unwrap();
        root.set_array("last", &[3_u8, 4], [2]).unwrap();
        let options = WriteOptions { replace: true, ..WriteOptions::default() };
        file.write(&path, &options).unwrap();
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        let root = file.root().unwrap();
        root.remove("gone").unwrap();
        root.remove("first").unwrap();
        root.resize_array("z", &[4, 8], None).unwrap();
        file.save(&WriteOptions::default()).unwrap();
        let kept = root.array("z").unwrap();
        assert_eq!(file.block_count().unwrap(), 12);
        file.compact(&WriteOptions::default()).unwrap();
        // Two chunks, their map, and the last array.
        assert_eq!((file.block_count().unwrap(), file.unused_blocks().unwrap()), (4, vec![]));
        let check = |root: &Node| {
            assert_eq!(root.array("z").unwrap().read_vec::<i32>().unwrap(), elements[..32]);
            assert_eq!(root.array("last").unwrap().read_vec::<u8>().unwrap(), [3, 4]);
        };
        check(&root);
        assert_eq!(kept.read_vec::<i32>().unwrap(), elements[..32]);
        check(&File::open(&path).unwrap().root().unwrap());
        assert!(File::open(&path).unwrap().verify().is_ok());
        // The array changes further.
        root.resize_array("z", &[6, 8], None).unwrap();
        file.save(&WriteOptions::default()).unwrap();
        let read = File::open(&path).unwrap().root().unwrap().array("z").unwrap().read_vec::<i32>().unwrap();
        assert_eq!((&read[..32], &read[32..]), (&elements[..32], &[0; 16][..]));
    }
}

fn open_beside(path: &Path) -> File {
    File::open_with(path, &OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() }).unwrap()
}

#[test]
fn exploded_files_keep_chunks_and_drop_other_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let elements: Vec<i32> = (0..64).collect();
    let large = vec![7_u8; 100_000];
    root.set_array("first", &large, [100_000]).unwrap();
    let options = ArrayOptions { chunks: Some(vec![3, 5]), ..ArrayOptions::default() };
    root.set_array_data("z", &ArrayData::of_slice(&elements, &[8, 8]), &options).unwrap();
    root.set_array("last", &large, [100_000]).unwrap();
    let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
    for map in ["chunk_block_map: 7", "chunk_block_map: -2"] {
        let path = folder.path().join(format!("{}.asdf", map.len()));
        let at = bytes.windows(18).position(|part| part == b"chunk_block_map: 7").unwrap();
        std::fs::write(&path, [&bytes[..at], map.as_bytes(), &bytes[at + 18..]].concat()).unwrap();
        let main = folder.path().join(format!("main{}.asdf", map.len()));
        File::open(&path).unwrap().explode(&main, &WriteOptions::default()).unwrap();
        assert!(std::fs::metadata(&main).unwrap().len() < 10_000);
        let exploded = open_beside(&main);
        assert_eq!(exploded.root().unwrap().i64("z/chunk_block_map").unwrap(), 7);
        let back = folder.path().join(format!("back{}.asdf", map.len()));
        exploded.implode(&back, &WriteOptions::default()).unwrap();
        for path in [&main, &back] {
            let root = open_beside(path).root().unwrap();
            assert_eq!(root.array("z").unwrap().read_vec::<i32>().unwrap(), elements);
            assert_eq!(root.array("first").unwrap().read_vec::<u8>().unwrap(), large);
            assert_eq!(root.array("last").unwrap().read_vec::<u8>().unwrap(), large);
        }
    }
}
