//! Codecs of the caller: lookup by label, checks of the declared sizes, writing.

use crate::*;
use asdfkit::Error;
use asdfkit::array::{ReadOptions, ScalarType};
use asdfkit::codec::{AnyCodec, Codecs, CustomCodec, LabelledCodec};
use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, OpenOptions, WriteOptions};
use std::sync::Arc;

const LABEL: Label = Label(*b"runs");

/// A codec of pairs of a count and a byte. `claims` is added to the number of bytes that it reports.
struct Runs {
    claims: isize,
}

impl CustomCodec for Runs {
    fn decode(&self, stored: &[u8], out: &mut [u8]) -> Result<usize> {
        let mut done = 0;
        for pair in stored.chunks(2) {
            let &[count, value] = pair else { return Err(Error::new(Status::Corrupt, "half a run")) };
            let Some(run) = out.get_mut(done..done + usize::from(count)) else {
                return Err(Error::new(Status::DecodedSize, "too many runs"));
            };
            run.fill(value);
            done += run.len();
        }
        Ok(done.checked_add_signed(self.claims).unwrap())
    }

    fn encode(&self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        for run in data.chunk_by(|one, next| one == next).flat_map(|run| run.chunks(255)) {
            out.extend([run.len() as u8, run[0]]);
        }
        if out.contains(&0xEE) { Err(Error::new(Status::InvalidArgument, "not this byte")) } else { Ok(()) }
    }
}

fn labelled(label: &[u8; 4]) -> Result<LabelledCodec> {
    LabelledCodec::new(Label(*label), Arc::new(Runs { claims: 0 }))
}

fn runs(claims: isize) -> AnyCodec {
    AnyCodec::Custom(LabelledCodec::new(LABEL, Arc::new(Runs { claims })).unwrap())
}

#[test]
fn whole_and_in_pieces_within_the_limit() {
    let source = MemorySource::of_vec(vec![9, 9, 200, 5, 100, 7, 9]);
    let mut out = [0; 300];
    assert_eq!(decode_into(runs(0), &source, 2, 4, &mut out, 1).unwrap(), CLEAN);
    assert_eq!((out[199], out[200], out[299]), (5, 7, 7));
    let limits = Limits { decoded_bytes: 300, ..Limits::default() };
    let mut decoder = Decoder::new(runs(0), &source, 2, 4, 300, &limits).unwrap();
    decoder.skip(190).unwrap();
    let mut some = [0; 20];
    assert_eq!(decoder.read(&mut some).unwrap(), 20);
    assert_eq!((some[9], some[10]), (5, 7));
    assert_eq!(decoder.finish().unwrap(), CLEAN);
    // Beyond the limit the codec is not called.
    let limits = Limits { decoded_bytes: 299, ..Limits::default() };
    assert_eq!(status(Decoder::new(runs(0), &source, 2, 4, 300, &limits)), Status::Limit);
    assert_eq!(status(decode_into(runs(0), &source, 2, 6, &mut out, 1)), Status::Truncated);
}

#[test]
fn decoded_sizes_are_compared_with_declared_sizes() {
    let source = MemorySource::of_vec(vec![3, 1]);
    for (claims, size) in [(1, 3), (-1, 3), (0, 4), (0, 2)] {
        let error = decode_into(runs(claims), &source, 0, 2, &mut vec![0; size], 1).unwrap_err();
        assert_eq!((error.status(), error.location().offset), (Status::DecodedSize, Some(0)), "{claims} {size}");
        let pieces = Decoder::new(runs(claims), &source, 0, 2, size as u64, &Limits::default());
        assert_eq!(status(pieces), Status::DecodedSize);
    }
    assert_eq!(status(decode_into(runs(0), &source, 0, 1, &mut [0; 3], 1)), Status::Corrupt);
}

#[test]
fn labels_are_printable_and_not_taken() {
    for label in [b"\0\0\0\0", b"a b\0", b"a\0b\0", b"\xffabc", b"zlib", b"lz4\0"] {
        assert_eq!(status(labelled(label)), Status::InvalidArgument);
    }
    let mut codecs = Codecs::default();
    assert_eq!(status(codecs.find(LABEL)), Status::UnknownCodec);
    codecs.add(labelled(b"a\0\0\0").unwrap());
    codecs.add(labelled(&LABEL.0).unwrap());
    let first = codecs.find(LABEL).unwrap();
    codecs.add(labelled(&LABEL.0).unwrap());
    assert_ne!(codecs.find(LABEL).unwrap(), first);
    assert_eq!(codecs.find(Codec::Zlib.label()).unwrap(), Some(Codec::Zlib.into()));
    assert_eq!(codecs.find(Label::NONE).unwrap(), None);
}

#[test]
fn files_are_written_and_read_with_it() {
    let file = File::new(&NewOptions::default());
    let root = file.root().unwrap();
    let set = |path: &str, bytes: Vec<u8>| {
        let compression = Compression::custom(labelled(&LABEL.0).unwrap());
        let options = ArrayOptions { compression: Some(compression), ..ArrayOptions::default() };
        let shape = [bytes.len() as i64];
        root.set_array_data(path, &ArrayData::new(ScalarType::Uint8, &shape, Arc::new(bytes)), &options)
    };
    set("a", [[4; 300].as_slice(), &[5; 400]].concat()).unwrap();
    set("empty", Vec::new()).unwrap();
    let bytes = file.write_to_memory(&WriteOptions::default()).unwrap();

    let open = |codecs: Codecs| {
        let options = OpenOptions { codecs, verify_checksums: true, ..OpenOptions::default() };
        File::open_memory(Arc::new(bytes.clone()), &options).unwrap()
    };
    let mut codecs = Codecs::default();
    codecs.add(labelled(&LABEL.0).unwrap());
    let read = |file: &File| {
        let mut out = vec![0; 700];
        let array = file.root()?.array("a")?;
        array.read(&ScalarType::Uint8.into(), &mut out, &ReadOptions::default()).map(|_| out)
    };
    let known = open(codecs);
    assert_eq!(known.block(0).unwrap().stored_size, Some(8));
    assert_eq!(read(&known).unwrap()[298..302], [4, 4, 5, 5]);
    assert_eq!(status(read(&open(Codecs::default()))), Status::UnknownCodec);
    // In a copy to another file the payload is unchanged, and can be read there.
    let other = File::new(&NewOptions::default());
    other.root().unwrap().copy_from("a", &known.root().unwrap().at("a").unwrap(), None).unwrap();
    assert_eq!(read(&other).unwrap()[298..302], [4, 4, 5, 5]);
    let mut out = vec![0; 700];
    other.read_decoded_block(0, &mut out).unwrap();
    assert_eq!(out[699], 5);

    // A failed encoding leaves no partial file.
    set("b", vec![0xEE]).unwrap();
    assert_eq!(status(file.write_to_memory(&WriteOptions::default())), Status::InvalidArgument);
    let mut out = b"before".to_vec();
    let compression = Compression::custom(labelled(&LABEL.0).unwrap());
    assert!(encode(&compression, &[0xEE], &mut out, 1).is_err());
    assert_eq!(out, b"before");
}
