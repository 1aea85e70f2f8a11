//! Files created, written and read again through the public Rust interface.

use asdfkit::array::{ByteOrder, Datatype, ReadOptions, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{
    ArrayData, ArrayOptions, ChecksumMatch, File, NewOptions, Node, NodeKey, NodeType, OpenOptions, StandardVersion,
    Storage, WriteOptions,
};
use asdfkit::source::{MemorySource, Source};
use asdfkit::{Result, Status};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

fn bytes_of(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

fn array<'a>(values: &[f64], shape: &'a [i64]) -> ArrayData<'a> {
    ArrayData::of_vec(values.to_vec(), shape)
}

fn read_f64(file: &File, path: &str) -> Result<Vec<f64>> {
    file.root()?.array(path)?.read_vec()
}

fn reopen(file: &File) -> File {
    let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
    File::open_memory(Arc::new(bytes), &OpenOptions { verify_checksums: true, strict: true, ..Default::default() })
        .unwrap()
}

fn status<T>(result: Result<T>) -> Status {
    match result {
        Ok(_) => panic!("no error"),
        Err(error) => error.status(),
    }
}

#[test]
fn values_of_every_kind_come_back() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    root.set_null("a/null").unwrap();
    root.set_bool("a/bool", true).unwrap();
    root.set_i64("a/least", i64::MIN + 2).unwrap();
    root.set_u64("a/most", i64::MAX as u64).unwrap();
    root.set_integer("a/large", "-123456789012345678901234567890").unwrap();
    root.set_f64("a/tiny", 5e-324).unwrap();
    root.set_f64("a/minus zero", -0.0).unwrap();
    root.set_complex("a/complex", -0.0, f64::INFINITY).unwrap();
    root.set_string("a/yes", "yes").unwrap();
    root.set_string("a/lines", "one\n two\n\nthree").unwrap();
    root.set_timestamp("a/time", "2027-01-31T04:05:06.7Z").unwrap();
    root.set_binary("a/bytes", &[0, 255, 10]).unwrap();
    root.set_sequence("list", true).unwrap();
    root.set_i64("list/-", 1).unwrap();
    root.set_string("list/-", "1").unwrap();
    root.set_reference_to("ref", "a/minus zero").unwrap();
    root.set_string("unit", "m s-1").unwrap();
    root.set_tag("unit", Some("!unit/unit-1.0.0")).unwrap();

    let file = reopen(&file);
    let root = file.root().unwrap();
    assert_eq!(root.node_type("a/null").unwrap(), NodeType::Null);
    assert!(root.bool("a/bool").unwrap());
    assert_eq!(root.i64("a/least").unwrap(), i64::MIN + 2);
    assert_eq!(root.u64("a/most").unwrap(), i64::MAX as u64);
    assert_eq!(root.integer("a/large").unwrap(), "-123456789012345678901234567890");
    assert_eq!(root.f64("a/tiny").unwrap().to_bits(), 1);
    assert_eq!(root.f64("ref").unwrap().to_bits(), (-0.0f64).to_bits());
    assert_eq!(root.reference("ref").unwrap().as_deref(), Some("#/a/minus%20zero"));
    let (real, imaginary) = root.complex("a/complex").unwrap();
    assert!(real.is_sign_negative() && imaginary == f64::INFINITY);
    assert_eq!(root.string("a/yes").unwrap(), "yes");
    assert_eq!(root.string("a/lines").unwrap(), "one\n two\n\nthree");
    assert_eq!(root.node_type("a/time").unwrap(), NodeType::Timestamp);
    assert_eq!(root.string("a/time").unwrap(), "2027-01-31T04:05:06.7Z");
    assert_eq!(root.binary("a/bytes").unwrap(), [0, 255, 10]);
    assert_eq!(root.node_type("list/0").unwrap(), NodeType::Integer);
    assert_eq!(root.node_type("list/1").unwrap(), NodeType::String);
    assert_eq!(root.tag("unit").unwrap().as_deref(), Some("tag:stsci.edu:asdf/unit/unit-1.0.0"));
    assert_eq!(root.string("asdf_library/name").unwrap(), "asdfkit");
    assert_eq!(root.key("", 0).unwrap(), NodeKey::String("asdf_library".into()));
}

#[test]
fn the_least_integer_is_written_and_read_with_a_warning() {
    // The lower limit in the standard is higher by two.
    let file = File::new(&NewOptions::default());
    file.root().unwrap().set_i64("least", i64::MIN).unwrap();
    let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
    let again = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
    assert_eq!(again.root().unwrap().i64("least").unwrap(), i64::MIN);
    assert_eq!(again.warnings().len(), 1);
}

#[test]
fn wrong_types_say_where() {
    let file = File::new(&NewOptions::default());
    file.root().unwrap().set_string("a/text", "x").unwrap();
    let file = reopen(&file);
    let root = file.root().unwrap();
    let error = root.f64("a/text").unwrap_err();
    assert_eq!(error.status(), Status::WrongType);
    assert_eq!(error.location().path.as_deref(), Some("/a/text"));
    assert!(error.location().line.is_some() && error.location().offset.is_some(), "{error}");
    assert_eq!(status(root.f64("a/missing")), Status::NotFound);
    assert_eq!(status(root.f64("a/text/deeper")), Status::WrongType);
    assert_eq!(status(root.set_f64("a/text", 1.0)), Status::ReadOnly);
}

#[test]
fn arrays_come_back_however_they_are_stored() {
    let values: Vec<f64> = (0..24).map(|n| f64::from(n) * 0.1 - 1.0).collect();
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let shape = [2, 3, 4];
    root.set_array_data("plain", &array(&values, &shape), &ArrayOptions::default()).unwrap();
    let inline = ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() };
    root.set_array_data("inline", &array(&values, &shape), &inline).unwrap();
    for &codec in Codec::ALL {
        let compression = Some(Compression::new(codec, None).unwrap());
        let options = ArrayOptions { compression, slack: 100, ..ArrayOptions::default() };
        root.set_array_data(codec.name(), &array(&values, &shape), &options).unwrap();
    }
    for (path, byteorder) in [("little", ByteOrder::Little), ("big", ByteOrder::Big)] {
        let options = ArrayOptions { byteorder, ..ArrayOptions::default() };
        root.set_array_data(path, &array(&values, &shape), &options).unwrap();
        assert_eq!(root.array(path).unwrap().byteorder(), byteorder);
    }
    assert_eq!(read_f64(&file, "zlib").unwrap(), values, "before it is written");
    let written = reopen(&file);
    for path in ["plain", "inline", "little", "big"].into_iter().chain(Codec::ALL.iter().map(|codec| codec.name())) {
        assert_eq!(read_f64(&written, path).unwrap(), values, "{path}");
        assert_eq!(written.root().unwrap().array(path).unwrap().shape(), shape);
    }
    let blocks = 3 + Codec::ALL.len() as i64;
    assert_eq!(written.block_count().unwrap(), blocks as u64);
    for index in 0..blocks {
        assert_eq!(written.verify_block(index).unwrap(), ChecksumMatch::Stored);
        assert_eq!(written.block(index).unwrap().payload_offset.unwrap() % 64, 0);
    }
    assert_eq!(written.verify().unwrap().stored, blocks as u64);
    assert_eq!(written.root().unwrap().array("plain").unwrap().byteorder(), ByteOrder::NATIVE);
}

#[test]
fn children_are_iterated() {
    let root = File::new(&NewOptions::default()).root().unwrap();
    root.set_mapping("m", false).unwrap();
    root.set_i64("m/b", 1).unwrap();
    root.set_i64("m/a", 2).unwrap();
    root.set_sequence("list", false).unwrap();
    root.set_reference_to("list/-", "/m").unwrap();
    let numbers = |node: Node| node.i64("").unwrap();
    let mapping = root.at("m").unwrap();
    assert_eq!(mapping.children().unwrap().rev().map(numbers).collect::<Vec<_>>(), [2, 1]);
    let pairs: Vec<_> = mapping.pairs().unwrap().map(|(key, node)| (key, numbers(node))).collect();
    assert_eq!(pairs, [(NodeKey::String("b".to_owned()), 1), (NodeKey::String("a".to_owned()), 2)]);
    let list = root.at("list").unwrap();
    assert_eq!(list.children().unwrap().next().unwrap().i64("a").unwrap(), 2);
    assert_eq!(list.pairs().err().unwrap().status(), Status::WrongType);
    assert_eq!(root.at("m/a").unwrap().children().err().unwrap().status(), Status::WrongType);
}

/// Records the ranges of bytes that are read.
struct Watched(MemorySource, Mutex<Vec<Range<u64>>>);

impl Source for Watched {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.1.lock().unwrap().push(offset..offset + buffer.len() as u64);
        self.0.read_at(offset, buffer)
    }
}

/// Records how many ranges each request asks for.
struct Server {
    bytes: MemorySource,
    cost: u64,
    requests: Mutex<Vec<usize>>,
}

impl Source for Server {
    fn len(&self) -> u64 {
        self.bytes.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.requests.lock().unwrap().push(1);
        self.bytes.read_at(offset, buffer)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        self.requests.lock().unwrap().push(ranges.len());
        self.bytes.read_ranges(ranges)
    }

    fn request_cost(&self) -> u64 {
        self.cost
    }
}

#[test]
fn a_server_is_asked_for_many_ranges_at_once() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let image: Vec<u8> = (0..9_000_000u32).map(|number| (number.wrapping_mul(number) >> 7) as u8).collect();
    root.set_array("image", &image, [300, 30_000]).unwrap();
    let lz4 = ArrayOptions { compression: Some(Compression::new(Codec::Lz4, None).unwrap()), ..Default::default() };
    root.set_array_data("packed", &ArrayData::of_slice(&image, &[300, 30_000]), &lz4).unwrap();
    for number in 0..50 {
        root.set_array(&format!("n{number}"), &image[..9000 + 64 * number], [9000 + 64 * number as i64]).unwrap();
    }
    let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
    let open = |cost| {
        let source = Arc::new(Server { bytes: MemorySource::of_vec(bytes.clone()), cost, requests: Mutex::default() });
        let opened = File::open_source(source.clone(), &OpenOptions::default()).unwrap();
        opened.block_count().unwrap();
        source.requests.lock().unwrap().clear();
        (source, opened)
    };
    let requests = |cost, path: &str| {
        let (source, opened) = open(cost);
        let array = opened.root().unwrap().array(path).unwrap();
        source.requests.lock().unwrap().clear();
        let found: Vec<u8> = array.read_region_vec([0..300, 100..110]).unwrap();
        let expected: Vec<u8> = image.chunks(30_000).flat_map(|row| row[100..110].to_vec()).collect();
        assert_eq!(found, expected);
        source.requests.lock().unwrap().clone()
    };
    assert_eq!(requests(1000, "image"), [300]);
    // The gaps cost less than requests. One request reads at most 4 MiB.
    assert_eq!(requests(1 << 20, "image"), [1, 1, 1]);
    assert_eq!(requests(1000, "packed").last(), Some(&3));
    let (source, opened) = open(1000);
    opened.check_blocks().unwrap();
    assert_eq!(*source.requests.lock().unwrap(), [52]);
}

#[test]
fn reading_one_array_touches_no_other() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    // Larger than the pieces in which the end of the tree is searched.
    let values = vec![0.5; 100_000];
    for number in 0..5 {
        root.set_array_data(&format!("a{number}"), &array(&values, &[100_000]), &ArrayOptions::default()).unwrap();
    }
    for block_index in [true, false] {
        let options = WriteOptions { block_index, ..WriteOptions::default() };
        let bytes = file.write_to_memory(&options).unwrap();
        let source = Arc::new(Watched(MemorySource::of_vec(bytes), Mutex::default()));
        let opened = File::open_source(source.clone(), &OpenOptions::default()).unwrap();
        assert_eq!(read_f64(&opened, "a3").unwrap(), values);
        let read = std::mem::take(&mut *source.1.lock().unwrap());
        for number in [1, 2, 4] {
            let payload = opened.block(number).unwrap().payload_offset.unwrap();
            // The end of the file is searched for an index; this piece may begin in the last block.
            let payload = payload..payload + 800_000 - 16_384;
            let touched = read.iter().find(|range| range.start < payload.end && payload.start < range.end);
            assert_eq!(touched, None, "block {number}, index {block_index}");
        }
        let total: u64 = read.iter().map(|range| range.end - range.start).sum();
        assert!(total < 800_000 + 100_000, "{total} bytes");
    }
}

#[test]
fn replaced_arrays_leave_no_block() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    for path in ["a", "b", "a", "c"] {
        root.set_array_data(path, &array(&[1.0, 2.0], &[2]), &ArrayOptions::default()).unwrap();
    }
    root.remove("c").unwrap();
    root.set_array_data("d", &array(&[3.0], &[]), &ArrayOptions::default()).unwrap();
    let written = reopen(&file);
    assert_eq!(written.block_count().unwrap(), 3);
    assert_eq!(read_f64(&written, "a").unwrap(), [1.0, 2.0]);
    assert_eq!(read_f64(&written, "d").unwrap(), [3.0]);
}

#[test]
fn nodes_are_copied_with_their_blocks_as_stored() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let compression = Some(Compression::new(Codec::Zlib, Some(9)).unwrap());
    let options = ArrayOptions { compression, ..ArrayOptions::default() };
    root.set_array_data("other", &array(&[9.0; 10], &[10]), &ArrayOptions::default()).unwrap();
    root.set_array_data("group/data", &array(&[1.5; 100], &[100]), &options).unwrap();
    root.set_string("group/name", "x").unwrap();
    let source = reopen(&file);
    let target = File::new(&NewOptions::default());
    let from = source.root().unwrap().at("group").unwrap();
    target.root().unwrap().copy_from("copied/here", &from, None).unwrap();
    let written = reopen(&target);
    assert_eq!(written.block_count().unwrap(), 1);
    assert_eq!(read_f64(&written, "copied/here/data").unwrap(), [1.5; 100]);
    let stored = |file: &File, index| {
        let mut bytes = vec![0; file.block(index).unwrap().stored_size.unwrap() as usize];
        file.read_stored_block(index, &mut bytes).unwrap();
        bytes
    };
    assert_eq!(stored(&written, 0), stored(&source, 1));
    assert_eq!(written.block(0).unwrap().checksum, source.block(1).unwrap().checksum);
    // Copies within one file, also repeated, share one block.
    let again = target.root().unwrap().at("copied").unwrap();
    target.root().unwrap().copy_from("twice", &again, None).unwrap();
    assert_eq!(read_f64(&reopen(&target), "twice/here/data").unwrap(), [1.5; 100]);
}

#[test]
fn a_failed_setter_makes_the_write_fail() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    root.set_i64("a", 1).unwrap();
    assert_eq!(status(root.set_i64("a/b", 2)), Status::WrongType);
    assert_eq!(status(file.write_to_memory(&WriteOptions::default())), Status::Incomplete);
    file.forget_failure().unwrap();
    let written = reopen(&file);
    assert_eq!(written.root().unwrap().i64("a").unwrap(), 1);
    assert_eq!(status(root.set_timestamp("a", "yesterday")), Status::InvalidArgument);
    assert_eq!(status(root.set_u64("a", u64::MAX)), Status::ValueRange);
    assert_eq!(root.i64("a").unwrap(), 1);
}

#[test]
fn the_version_of_the_standard_decides_the_tags() {
    for version in StandardVersion::ALL {
        let file = File::new(&NewOptions { standard: version, ..NewOptions::default() });
        let root = file.root().unwrap();
        root.set_array_data("data", &array(&[1.0], &[1]), &ArrayOptions::default()).unwrap();
        let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();
        let again = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
        assert_eq!(again.standard().effective, version);
        let tag = again.root().unwrap().tag("data").unwrap().unwrap();
        let expected = if version < StandardVersion::V1_6_0 { "1.0.0" } else { "1." };
        assert!(tag.starts_with(&format!("tag:stsci.edu:asdf/core/ndarray-{expected}")), "{tag}");
        let large = root.set_integer("large", "99999999999999999999");
        assert_eq!(large.is_ok(), version >= StandardVersion::V1_3_0);
    }
}

#[test]
fn writing_replaces_a_file_at_once_or_not_at_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file.asdf");
    std::fs::write(&path, b"what was there").unwrap();
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let _ = root.set_i64("a/-", 1);
    let _ = root.set_i64("a/0/b", 1);
    root.set_u64("too large", u64::MAX).unwrap_err();
    let replacing = WriteOptions { replace: true, ..WriteOptions::default() };
    assert_eq!(status(file.write(&path, &replacing)), Status::Incomplete);
    assert_eq!(std::fs::read(&path).unwrap(), b"what was there");
    file.forget_failure().unwrap();
    assert_eq!(status(file.write(&path, &WriteOptions::default())), Status::FileExists);
    assert_eq!(std::fs::read(&path).unwrap(), b"what was there");
    file.write(&path, &replacing).unwrap();
    assert_eq!(File::open(&path).unwrap().root().unwrap().i64("a/0").unwrap(), 1);
    let names: Vec<_> = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["file.asdf"], "no temporary file is left");
    let long = directory.path().join("é".repeat(125) + ".asdf");
    file.write(&long, &WriteOptions::default()).unwrap();
    let missing = directory.path().join("no folder").join("file.asdf");
    assert_eq!(status(file.write(&missing, &WriteOptions::default())), Status::FileNotFound);
    for options in [WriteOptions::default(), replacing] {
        assert_eq!(status(file.write(directory.path(), &options)), Status::InvalidArgument);
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let (target, link) = (directory.path().join("target.asdf"), directory.path().join("link.asdf"));
    std::fs::write(&target, b"old").unwrap();
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let file = File::new(&NewOptions::default());
    assert_eq!(status(file.write(&link, &WriteOptions::default())), Status::FileExists);
    let replacing = WriteOptions { replace: true, ..WriteOptions::default() };
    file.write(&link, &replacing).unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    let metadata = std::fs::metadata(&target).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert!(metadata.len() > 3);

    let dangling = directory.path().join("dangling.asdf");
    std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
    assert_eq!(status(file.write(&dangling, &WriteOptions::default())), Status::FileExists);
    file.write(&dangling, &replacing).unwrap();
    assert!(std::fs::symlink_metadata(&dangling).unwrap().is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_written_to() {
    use std::os::unix::fs::FileTypeExt;
    let directory = tempfile::tempdir().unwrap();
    let file = File::new(&NewOptions::default());
    let expected = file.write_to_memory(&WriteOptions::default()).unwrap();
    let pipe = directory.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for replace in [false, true] {
        let options = WriteOptions { replace, ..WriteOptions::default() };
        file.write(Path::new("/dev/null"), &options).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        file.write(&pipe, &options).unwrap();
        assert_eq!(reader.join().unwrap(), expected);
        assert_eq!(status(file.implode(&pipe, &options)), Status::InvalidArgument);
    }
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_closed_file_fails_and_its_views_stay_valid() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file.asdf");
    let file = File::new(&NewOptions::default());
    file.root().unwrap().set_array_data("data", &array(&[1.0, 2.0], &[2]), &ArrayOptions::default()).unwrap();
    file.write(&path, &WriteOptions::default()).unwrap();
    let file = File::open(&path).unwrap();
    let root = file.root().unwrap();
    let data = root.array("data").unwrap();
    let view = data.view(&Datatype::Scalar(ScalarType::Float64)).unwrap();
    file.close();
    file.close();
    assert_eq!(status(root.count("")), Status::Closed);
    assert_eq!(status(file.root()), Status::Closed);
    assert_eq!(status(file.block_count()), Status::Closed);
    let mut out = [0; 16];
    let read = data.read(&Datatype::Scalar(ScalarType::Float64), &mut out, &ReadOptions::default());
    assert_eq!(status(read), Status::Closed);
    assert_eq!(view.bytes(), bytes_of(&[1.0, 2.0]));
}

#[test]
fn comments_are_kept_and_cannot_break_the_header() {
    let file = File::new(&NewOptions::default());
    file.add_comment("made by a test, é").unwrap();
    for bad in ["two\nlines", "ASDF_STANDARD 1.0.0"] {
        assert_eq!(status(file.add_comment(bad)), Status::InvalidArgument);
    }
    let again = reopen(&file);
    assert!(again.comments().unwrap().iter().any(|comment| comment == "made by a test, é"));
    assert_eq!(again.standard().declared.as_deref(), Some("1.6.0"));
}

#[test]
fn the_root_is_a_mapping_or_at_least_a_collection() {
    let open = |root: &str| {
        let text = format!("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---{root}\n...\n");
        File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default())
    };
    assert_eq!(status(open(" 5")), Status::Tree);
    let list = open(" [1, 2]").unwrap();
    assert_eq!((list.root().unwrap().i64("1").unwrap(), list.warnings().len()), (2, 1));
    let empty = open("").unwrap();
    assert_eq!((empty.root().unwrap().count("").unwrap(), empty.warnings().len()), (0, 0));
}

#[test]
fn a_file_modified_while_it_is_open_is_not_read_as_a_mix() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file.asdf");
    for compression in [None, Some(Compression::new(Codec::Zlib, None).unwrap())] {
        let file = File::new(&NewOptions::default());
        let options = ArrayOptions { compression, ..Default::default() };
        file.root().unwrap().set_array_data("data", &array(&[1.0, 2.0], &[2]), &options).unwrap();
        file.write(&path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();

        let open = File::open(&path).unwrap();
        let data = open.root().unwrap().array("data").unwrap();
        let read = || data.read(&Datatype::Scalar(ScalarType::Float64), &mut [0; 16], &ReadOptions::default());
        read().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.iter_mut().rfind(|byte| **byte == b'1').unwrap() = b'2';
        std::fs::write(&path, &bytes).unwrap();
        std::fs::File::open(&path).unwrap().set_modified(std::time::SystemTime::now()).unwrap();
        assert_eq!(status(read()), Status::FileChanged);
        let seen = if options.compression.is_none() { Status::FileChanged } else { Status::NotViewable };
        assert_eq!(status(data.view(&Datatype::Scalar(ScalarType::Float64))), seen);
        assert_eq!(status(open.read_stored_block(0, &mut [0; 64])), Status::FileChanged);
        assert_eq!(status(open.read_decoded_block(0, &mut [0; 16])), Status::FileChanged);
        assert_eq!(status(open.verify()), Status::FileChanged);
        let copy = File::new(&NewOptions::default());
        copy.root().unwrap().copy_from("data", &open.root().unwrap().at("data").unwrap(), None).unwrap();
        assert_eq!(status(copy.write_to_memory(&WriteOptions::default())), Status::FileChanged);
    }
}
