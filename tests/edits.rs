//! Changes of existing files that are saved: the effect on their blocks.

use asdfkit::array::{ReadOptions, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, File, Key, NewOptions, OpenOptions, WriteOptions};
use asdfkit::{Result, Status};
use std::path::PathBuf;
use std::sync::Arc;

fn numbers(values: &[f64]) -> ArrayData<'static> {
    let shape = Box::leak(Box::new([values.len() as i64]));
    ArrayData::of_vec(values.to_vec(), shape)
}

fn set(file: &File, path: &str, values: &[f64]) {
    file.root().unwrap().set_array_data(path, &numbers(values), &ArrayOptions::default()).unwrap();
}

fn read(file: &File, path: &str) -> Result<Vec<f64>> {
    file.root()?.array(path)?.read_vec()
}

/// A directory that is deleted after the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Writes a file with the content that `make` sets, and opens it for changes.
    fn open(&self, make: impl FnOnce(&File)) -> File {
        let file = File::new(&NewOptions::default());
        make(&file);
        file.write(self.path(), &WriteOptions { durable: false, ..WriteOptions::default() }).unwrap();
        File::open_for_update(self.path(), &OpenOptions::default()).unwrap()
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("file.asdf")
    }

    /// Saves, then opens the new file with all checks.
    fn save(&self, file: &File) -> File {
        file.save(&WriteOptions { durable: false, ..WriteOptions::default() }).unwrap();
        let options = OpenOptions { verify_checksums: true, strict: true, ..OpenOptions::default() };
        let saved = File::open_with(self.path(), &options).unwrap();
        saved.verify().unwrap();
        // A wrong index would not be noticed above.
        let bytes = std::fs::read(self.path()).unwrap();
        let index = bytes.windows(12).rposition(|window| window == b"#ASDF BLOCK ");
        if let Some(index) = index {
            let text = String::from_utf8(bytes[index..].to_vec()).unwrap();
            let offsets: Vec<u64> = text.lines().filter_map(|line| line.strip_prefix("- ")?.parse().ok()).collect();
            let blocks = 0..saved.block_count().unwrap();
            let found: Vec<u64> = blocks.map(|number| saved.block(number as i64).unwrap().offset.unwrap()).collect();
            assert_eq!(offsets, found);
        }
        saved
    }
}

fn stored(file: &File, index: i64) -> Vec<u8> {
    let mut bytes = vec![0; file.block(index).unwrap().stored_size.unwrap() as usize];
    file.read_stored_block(index, &mut bytes).unwrap();
    bytes
}

#[test]
fn a_replaced_array_keeps_its_block_number() {
    let folder = Folder::new();
    let file = folder.open(|file| {
        for (path, count) in [("a", 10), ("b", 1000), ("c", 20)] {
            set(file, path, &vec![1.5; count]);
        }
    });
    let before = File::open(folder.path()).unwrap();
    let kept = file.root().unwrap().array("b").unwrap();
    for values in [vec![2.0; 3000], vec![3.0; 7]] {
        set(&file, "b", &values);
        assert_eq!((file.block_count().unwrap(), read(&file, "b").unwrap()), (3, values));
        assert_eq!(file.block(1).unwrap().offset, None);
        assert_eq!(file.block(-2).unwrap(), file.block(1).unwrap());
    }
    let saved = folder.save(&file);
    assert_eq!(saved.block_count().unwrap(), 3);
    assert_eq!(read(&saved, "b").unwrap(), [3.0; 7]);
    assert_eq!(saved.root().unwrap().i64("b/source").unwrap(), 1);
    for index in [0, 2] {
        assert_eq!(stored(&saved, index), stored(&before, index));
        assert_eq!(saved.block(index).unwrap().payload_offset.unwrap() % 64, 0);
    }
    // A handle of the old array still reads the old elements.
    assert_eq!(kept.read_vec::<f64>().unwrap(), [1.5; 1000]);

    // Save again, with a change of the last block and a new block.
    set(&file, "new", &[7.0]);
    set(&file, "c", &vec![8.0; 5000]);
    let saved = folder.save(&file);
    assert_eq!(saved.block_count().unwrap(), 4);
    assert_eq!(read(&saved, "c").unwrap(), vec![8.0; 5000]);
    assert_eq!(read(&saved, "new").unwrap(), [7.0]);
    assert_eq!(read(&saved, "b").unwrap(), [3.0; 7]);
}

#[test]
fn the_mask_of_a_replaced_array_keeps_its_block_number() {
    let folder = Folder::new();
    let masked = |file: &File, values: &[f64], mask: &[bool]| {
        set(file, "a", values);
        file.root().unwrap().set_array("a/mask", mask, [mask.len() as i64]).unwrap();
    };
    let missing = |file: &File| file.root().unwrap().array("a/mask").unwrap().read_vec::<bool>().unwrap();
    let file = folder.open(|file| {
        masked(file, &[1.0, 2.0], &[true, false]);
        set(file, "b", &[3.0]);
    });
    for (values, mask) in [(vec![4.0, 5.0], vec![false, true]), (vec![6.0; 3], vec![true; 3])] {
        masked(&file, &[0.0], &[true]);
        masked(&file, &values, &mask);
        let saved = folder.save(&file);
        assert_eq!((saved.block_count().unwrap(), missing(&saved)), (3, mask));
        assert_eq!(saved.root().unwrap().array("a").unwrap().without_mask().read_vec::<f64>().unwrap(), values);
        assert_eq!(saved.root().unwrap().i64("a/mask/source").unwrap(), 1);
        assert_eq!(read(&saved, "b").unwrap(), [3.0]);
    }
    // Without a new mask the block stays, and no later array of another key takes it.
    set(&file, "a", &[7.0]);
    set(&file, "mask", &[8.0]);
    let saved = folder.save(&file);
    assert_eq!((saved.block_count().unwrap(), saved.root().unwrap().i64("mask/source").unwrap()), (4, 3));
    masked(&file, &[9.0], &[false]);
    assert_eq!(folder.save(&file).block_count().unwrap(), 5);
}

#[test]
fn the_block_of_a_mask_that_others_name_is_left_alone() {
    let folder = Folder::new();
    let file = folder.open(|file| {
        set(file, "a", &[1.0]);
        file.root().unwrap().set_array("a/mask", &[true], [1]).unwrap();
    });
    let root = file.root().unwrap();
    set(&file, "a", &[2.0]);
    root.set_mapping("view", false).unwrap();
    root.set_i64("view/source", 1).unwrap();
    root.set_array("a/mask", &[false], [1]).unwrap();
    let saved = folder.save(&file);
    assert_eq!((saved.root().unwrap().i64("a/mask/source").unwrap(), saved.block_count().unwrap()), (2, 3));
}

#[test]
fn a_block_that_others_name_is_left_alone() {
    let folder = Folder::new();
    let file = folder.open(|file| {
        set(file, "a", &[1.0, 2.0]);
        let root = file.root().unwrap();
        root.set_mapping("view", false).unwrap();
        root.set_i64("view/source", -1).unwrap();
        root.set_string("view/datatype", "float64").unwrap();
        root.set_string("view/byteorder", if cfg!(target_endian = "big") { "big" } else { "little" }).unwrap();
        root.set_sequence("view/shape", true).unwrap();
        root.set_i64("view/shape/-", 1).unwrap();
        root.set_tag("view", Some("!core/ndarray-1.1.0")).unwrap();
    });
    set(&file, "a", &[5.0]);
    assert_eq!((read(&file, "a").unwrap(), read(&file, "view").unwrap()), (vec![5.0], vec![1.0]));
    let saved = folder.save(&file);
    assert_eq!((read(&saved, "a").unwrap(), read(&saved, "view").unwrap()), (vec![5.0], vec![1.0]));
    assert_eq!(saved.block_count().unwrap(), 2);
    // Now each array has its own block.
    set(&file, "view", &[6.0]);
    set(&file, "a", &[7.0]);
    let saved = folder.save(&file);
    assert_eq!((read(&saved, "a").unwrap(), read(&saved, "view").unwrap()), (vec![7.0], vec![6.0]));
    assert_eq!(saved.block_count().unwrap(), 2);
}

#[test]
fn an_alias_keeps_the_block_of_an_array_that_is_replaced() {
    let folder = Folder::new();
    folder.open(|file| set(file, "a", &[1.0, 2.0]));
    let text = std::fs::read(folder.path()).unwrap();
    let at = text.windows(2).position(|window| window == b"a:").unwrap();
    // Write into the slack, so that the blocks stay in place.
    let end = text.windows(5).position(|window| window == b"\n...\n").unwrap();
    let mut with_alias = text[..at].to_vec();
    with_alias.extend_from_slice(b"a: &x");
    with_alias.extend_from_slice(&text[at + 2..end]);
    with_alias.extend_from_slice(b"\nb: *x\n...\n");
    with_alias.extend_from_slice(&text[end + 5 + 10..]);
    std::fs::write(folder.path(), with_alias).unwrap();
    let file = File::open_for_update(folder.path(), &OpenOptions::default()).unwrap();
    set(&file, "a", &[5.0]);
    let saved = folder.save(&file);
    assert_eq!((read(&saved, "a").unwrap(), read(&saved, "b").unwrap()), (vec![5.0], vec![1.0, 2.0]));
    assert_eq!(saved.block_count().unwrap(), 2);
}

#[test]
fn a_replacement_goes_with_its_array() {
    let folder = Folder::new();
    let file = folder.open(|file| {
        set(file, "a", &[1.0]);
        set(file, "b", &[2.0]);
    });
    set(&file, "a", &[5.0]);
    file.root().unwrap().remove("a").unwrap();
    let saved = folder.save(&file);
    assert_eq!(saved.block_count().unwrap(), 2);
    assert_eq!(stored(&saved, 0), 1f64.to_ne_bytes());
    assert_eq!(read(&saved, "b").unwrap(), [2.0]);
}

#[test]
fn copies_take_the_place_of_arrays() {
    let folder = Folder::new();
    let file = folder.open(|file| {
        set(file, "a", &[1.0]);
        set(file, "b", &vec![2.0; 100]);
    });
    let other = File::new(&NewOptions::default());
    let compression = Some(Compression::new(Codec::Zlib, None).unwrap());
    let options = ArrayOptions { compression, ..ArrayOptions::default() };
    other.root().unwrap().set_array_data("x", &numbers(&[4.0; 50]), &options).unwrap();
    let other = other.write_to_memory(&WriteOptions::default()).unwrap();
    let other = File::open_memory(Arc::new(other), &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    root.copy_from("a", &other.root().unwrap().at("x").unwrap(), None).unwrap();
    root.copy_from("b", &root.at("a").unwrap(), None).unwrap();
    assert_eq!(read(&file, "b").unwrap(), [4.0; 50]);
    let saved = folder.save(&file);
    assert_eq!(saved.block_count().unwrap(), 2);
    assert_eq!((stored(&saved, 0), stored(&saved, 1)), (stored(&other, 0), stored(&other, 0)));
    assert_eq!((read(&saved, "a").unwrap(), read(&saved, "b").unwrap()), (vec![4.0; 50], vec![4.0; 50]));
}

#[test]
fn a_streamed_block_is_replaced_by_one_with_sizes() {
    let folder = Folder::new();
    folder.open(|file| {
        set(file, "a", &[1.0]);
        set(file, "b", &[2.0, 3.0]);
    });
    let written = std::fs::read(folder.path()).unwrap();
    let last = written.windows(4).rposition(|window| window == b"\xd3BLK").unwrap();
    let index = written.windows(6).rposition(|window| window == b"#ASDF ").unwrap();
    let mut streamed = written[..index].to_vec();
    streamed[last + 6..last + 54].fill(0);
    streamed[last + 9] = 1;
    let at = streamed.windows(10).rposition(|window| window == b"shape: [2]").unwrap();
    streamed.splice(at..at + 10, b"shape: ['*']".to_vec());
    for replaced in ["b", "a"] {
        std::fs::write(folder.path(), &streamed).unwrap();
        let file = File::open_for_update(folder.path(), &OpenOptions::default()).unwrap();
        assert!(file.block(1).unwrap().streamed);
        set(&file, replaced, &[7.0, 8.0, 9.0]);
        let saved = folder.save(&file);
        assert_eq!(saved.block_count().unwrap(), 2);
        assert_eq!(saved.block(1).unwrap().streamed, replaced == "a");
        assert_eq!(read(&saved, replaced).unwrap(), [7.0, 8.0, 9.0]);
        assert_eq!(
            read(&saved, if replaced == "a" { "b" } else { "a" }).unwrap().len(),
            if replaced == "a" { 2 } else { 1 }
        );
    }
}

#[test]
fn a_setter_that_fails_replaces_nothing() {
    let folder = Folder::new();
    let file = folder.open(|file| set(file, "a", &[1.0]));
    let root = file.root().unwrap();
    let mut data = numbers(&[1.0, 2.0]);
    data.shape = &[7];
    let error = root.set_array_data("a", &data, &ArrayOptions::default()).unwrap_err();
    assert_eq!(error.status(), Status::InvalidArgument);
    assert!(file.block(0).unwrap().offset.is_some());
    assert_eq!(read(&file, "a").unwrap(), [1.0]);
}

/// A file with an array of 2 by 3 numbers, a mask, an unknown key, and another array.
fn with_mask(folder: &Folder, compression: Option<Codec>) -> File {
    folder.open(|file| {
        let root = file.root().unwrap();
        let compression = compression.map(|codec| Compression::new(codec, None).unwrap());
        let options = ArrayOptions { compression, ..ArrayOptions::default() };
        let mut data = numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        data.shape = &[2, 3];
        root.set_array_data("a", &data, &options).unwrap();
        let mask = ArrayData::new(ScalarType::Bool8, &[2, 3], Arc::new(vec![0, 1, 0, 0, 0, 0]));
        root.set_array_data("a/mask", &mask, &ArrayOptions::default()).unwrap();
        root.make_key("a", Key::String("who")).unwrap().set_string("", "knows").unwrap();
        set(file, "b", &[7.0; 100]);
    })
}

#[test]
fn arrays_get_another_shape() {
    let filled = |file: &File| {
        let array = file.root().unwrap().array("a").unwrap();
        let (numbers, mask): (Vec<f64>, Vec<bool>) = array.read_masked_vec(None, &ReadOptions::default()).unwrap();
        (array.shape().to_vec(), numbers, mask)
    };
    for codec in [None, Some(Codec::Zlib), Some(Codec::Lz4)] {
        let folder = Folder::new();
        let file = with_mask(&folder, codec);
        let before = File::open(folder.path()).unwrap();
        let root = file.root().unwrap();
        root.resize_array("a", &[3, 2], Some(&9f64.to_ne_bytes())).unwrap();
        let expected = (vec![3, 2], vec![1.0, 2.0, 4.0, 5.0, 9.0, 9.0], vec![false, true, false, false, false, false]);
        assert_eq!(filled(&file), expected);
        let saved = folder.save(&file);
        assert_eq!(filled(&saved), expected);
        assert_eq!(saved.block_count().unwrap(), 3);
        assert_eq!(saved.block(0).unwrap().compression, before.block(0).unwrap().compression);
        assert_ne!(saved.block(0).unwrap().checksum, [0; 16]);
        assert_eq!(stored(&saved, 2), stored(&before, 2));
        assert_eq!(saved.root().unwrap().string("a/who").unwrap(), "knows");
        // Resize to smaller and larger before saving.
        root.resize_array("a", &[1, 1], None).unwrap();
        root.resize_array("a", &[1, 3], None).unwrap();
        assert_eq!(filled(&folder.save(&file)), (vec![1, 3], vec![1.0, 0.0, 0.0], vec![false; 3]));
        root.resize_array("a", &[0, 3], None).unwrap();
        assert_eq!(filled(&folder.save(&file)).0, [0, 3]);
    }
    let folder = Folder::new();
    let file = with_mask(&folder, None);
    let root = file.root().unwrap();
    let status = |shape: &[i64], fill| root.resize_array("a", shape, fill).unwrap_err().status();
    assert_eq!(status(&[6], None), Status::InvalidArgument);
    assert_eq!(status(&[2, -3], None), Status::InvalidArgument);
    assert_eq!(status(&[2, 2], Some(&[0; 4][..])), Status::InvalidArgument);
    assert_eq!(root.resize_array("a/who", &[1], None).unwrap_err().status(), Status::WrongType);
    root.set_array_data(
        "in",
        &numbers(&[1.0]),
        &ArrayOptions { storage: asdfkit::file::Storage::Inline, ..Default::default() },
    )
    .unwrap();
    assert_eq!(root.resize_array("in", &[1], None).unwrap_err().status(), Status::Unsupported);
}

#[test]
fn arrays_are_compressed_anew() {
    let folder = Folder::new();
    let file = with_mask(&folder, None);
    let root = file.root().unwrap();
    let before = std::fs::read(folder.path()).unwrap();
    for codec in Codec::ALL.iter().copied().map(Some).chain([None]) {
        let compression = codec.map(|codec| Compression::new(codec, None).unwrap());
        root.recompress_array("b", compression).unwrap();
        assert_eq!(read(&file, "b").unwrap(), [7.0; 100]);
        let saved = folder.save(&file);
        assert_eq!(read(&saved, "b").unwrap(), [7.0; 100]);
        assert_eq!(saved.block_count().unwrap(), 3);
        let block = saved.block(2).unwrap();
        assert_eq!(block.compression.to_string(), codec.map_or("", |codec| codec.name()));
        assert_ne!(block.checksum, [0; 16]);
    }
    // Except for the name of the library, the text is unchanged.
    let text = |bytes: &[u8]| bytes[..bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap()].to_vec();
    assert_eq!(text(&before), text(&std::fs::read(folder.path()).unwrap()));

    // A damaged block must not get a new, matching checksum.
    let saved = File::open(folder.path()).unwrap();
    let payload = saved.block(2).unwrap().payload_offset.unwrap() as usize;
    let mut bytes = std::fs::read(folder.path()).unwrap();
    bytes[payload + 3] ^= 1;
    file.close();
    std::fs::write(folder.path(), bytes).unwrap();
    let file = File::open_for_update(folder.path(), &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    let zlib = Compression::new(Codec::Zlib, None).unwrap();
    assert_eq!(root.recompress_array("b", Some(zlib)).unwrap_err().status(), Status::Checksum);
    assert_eq!(root.resize_array("b", &[5], None).unwrap_err().status(), Status::Checksum);
}

#[test]
fn a_replaced_array_keeps_mask_and_keys_on_request() {
    let folder = Folder::new();
    let file = with_mask(&folder, None);
    let root = file.root().unwrap();
    let options = ArrayOptions { keep: true, ..ArrayOptions::default() };
    let mut data = numbers(&[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    data.shape = &[2, 3];
    root.set_array_data("a", &data, &options).unwrap();
    let saved = folder.save(&file);
    assert_eq!(saved.root().unwrap().string("a/who").unwrap(), "knows");
    assert!(saved.root().unwrap().array("a").unwrap().is_masked());
    assert_eq!(saved.block_count().unwrap(), 3);
    data.shape = &[3, 2];
    assert_eq!(root.set_array_data("a", &data, &options).unwrap_err().status(), Status::InvalidArgument);
    file.forget_failure().unwrap();
    // Without the option nothing of the old array is kept.
    root.set_array_data("a", &data, &ArrayOptions::default()).unwrap();
    let saved = folder.save(&file);
    assert!(saved.root().unwrap().at("a/who").is_err());
    assert_eq!(read(&saved, "a").unwrap(), [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
}

#[test]
fn streamed_and_shared_blocks_are_changed() {
    let folder = Folder::new();
    let file = folder.open(|file| {
        set(file, "a", &[1.0, 2.0, 3.0, 4.0]);
        let options = ArrayOptions { storage: asdfkit::file::Storage::Streamed, ..ArrayOptions::default() };
        file.root().unwrap().set_array_data("rows", &numbers(&[5.0, 6.0, 7.0]), &options).unwrap();
    });
    let root = file.root().unwrap();
    assert!(file.block(1).unwrap().streamed);
    let zlib = Compression::new(Codec::Zlib, None).unwrap();
    root.recompress_array("rows", Some(zlib.clone())).unwrap();
    let saved = folder.save(&file);
    assert!(!saved.block(1).unwrap().streamed);
    assert_eq!(saved.root().unwrap().string("rows/shape/0").unwrap(), "*");
    assert_eq!(read(&saved, "rows").unwrap(), [5.0, 6.0, 7.0]);
    root.resize_array("rows", &[5], None).unwrap();
    let saved = folder.save(&file);
    assert_eq!(saved.root().unwrap().i64("rows/shape/0").unwrap(), 5);
    assert_eq!(read(&saved, "rows").unwrap(), [5.0, 6.0, 7.0, 0.0, 0.0]);

    // Two arrays share a block: both are compressed, and one gets its own block when its shape changes.
    root.copy_from("view", &root.at("a").unwrap(), None).unwrap();
    root.set_i64("view/source", 0).unwrap();
    root.recompress_array("view", Some(zlib)).unwrap();
    let saved = folder.save(&file);
    let count = saved.block_count().unwrap();
    assert_eq!(saved.block(0).unwrap().compression.to_string(), "zlib");
    assert_eq!(
        (read(&saved, "a").unwrap(), read(&saved, "view").unwrap()),
        (vec![1.0, 2.0, 3.0, 4.0], vec![1.0, 2.0, 3.0, 4.0])
    );
    root.resize_array("a", &[2], None).unwrap();
    let saved = folder.save(&file);
    assert_eq!((read(&saved, "a").unwrap(), read(&saved, "view").unwrap()), (vec![1.0, 2.0], vec![1.0, 2.0, 3.0, 4.0]));
    assert_eq!(saved.block_count().unwrap(), count + 1);
}

#[test]
fn many_arrays_are_replaced_in_time() {
    let folder = Folder::new();
    let count = 3000;
    let file = folder.open(|file| (0..count).for_each(|number| set(file, &format!("a{number}"), &[number as f64])));
    let start = std::time::Instant::now();
    for number in 0..count {
        set(&file, &format!("a{number}"), &[-(number as f64)]);
        file.root().unwrap().set_string("note", &number.to_string()).unwrap();
    }
    // A search of the whole tree for each array would take minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert_eq!(file.block_count().unwrap(), count);
    assert_eq!(read(&folder.save(&file), "a2999").unwrap(), [-2999.0]);
}
