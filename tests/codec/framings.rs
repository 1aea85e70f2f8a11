//! Blosc payloads of several chunks, and files with codecs of other libraries.

use super::{CLEAN, decode, decode_in_pieces, status};
use asdfkit::Status;
use asdfkit::codec::Codec;
use asdfkit::file::{File, OpenOptions};

/// Bytes of a file whose only block decodes to the integers from 0 to 999.
fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/corpora/reports/{name}.asdf", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Payload of the block of such a file.
fn payload(name: &str) -> Vec<u8> {
    let bytes = file(name);
    let start = bytes.windows(4).position(|word| word == b"\xd3BLK").unwrap() + 6 + 48;
    let used = u64::from_be_bytes(bytes[start - 32..start - 24].try_into().unwrap()) as usize;
    bytes[start..start + used].to_vec()
}

fn integers(count: i32) -> Vec<u8> {
    (0..count).flat_map(i32::to_le_bytes).collect()
}

/// Checks that the payload decodes to `data`, whole and in pieces.
fn check(codec: Codec, payload: &[u8], data: &[u8]) {
    assert!(decode(codec, payload, data.len()).unwrap() == (data.to_vec(), CLEAN));
    for size in [1, 999, 100_000] {
        assert!(decode_in_pieces(codec, payload, data.len(), || size).unwrap() == (data.to_vec(), CLEAN));
    }
    let more = [payload, b"more"].concat();
    assert_eq!(decode(codec, &more, data.len()).unwrap().1.trailing_bytes, 4);
    assert_eq!(decode_in_pieces(codec, &more, data.len(), || 77).unwrap().1.trailing_bytes, 4);
    for size in [0, data.len() - 4, data.len() + 4] {
        assert_eq!(status(decode(codec, payload, size)), Status::DecodedSize);
        assert_eq!(status(decode_in_pieces(codec, payload, size, || 77)), Status::DecodedSize);
    }
    for cut in (0..payload.len()).step_by(7) {
        let whole = status(decode(codec, &payload[..cut], data.len()));
        let pieces = status(decode_in_pieces(codec, &payload[..cut], data.len(), || 1000));
        assert!(whole != Status::Internal && pieces != Status::Internal, "{cut}: {whole:?} {pieces:?}");
    }
}

#[test]
fn files_of_other_libraries_are_read() {
    for (name, codec) in [("blsc_abacus_framed", "blsc"), ("bls2_cframe", "bls2"), ("xz_block", "xz")] {
        if codec.parse::<Codec>().is_err() || (codec == "blsc" && !cfg!(feature = "zstd")) {
            continue;
        }
        let opened = File::open_memory(std::sync::Arc::new(file(name)), &OpenOptions::default()).unwrap();
        let array = opened.root().unwrap().array("data").unwrap();
        let expected: Vec<i32> = (0..1000).collect();
        assert_eq!(array.read_vec::<i32>().unwrap(), expected, "{name}");
        check(codec.parse().unwrap(), &payload(name), &integers(1000));
    }
}

#[cfg(all(feature = "blsc", feature = "zstd"))]
#[test]
fn chunks_after_their_sizes_join() {
    let one = payload("blsc_abacus_framed");
    let data = integers(1000);
    let three = [&one[..], &one, &one].concat();
    check(Codec::Blosc, &three, &[&data[..], &data, &data].concat());
    // A chunk that decodes to more bytes than are left, and a size that is not that of the chunk.
    assert_eq!(status(decode(Codec::Blosc, &three, 2 * data.len())), Status::DecodedSize);
    let mut other = three.clone();
    other[one.len() + 3] ^= 1;
    assert_eq!(status(decode(Codec::Blosc, &other, 3 * data.len())), Status::Corrupt);
}

#[cfg(feature = "bls2")]
#[test]
fn false_sizes_in_a_frame_take_no_memory() {
    let frame = payload("bls2_cframe");
    // Lengths of header and frame, sizes of the data and of a chunk.
    for place in [11, 16, 30, 39] {
        for byte in [0x00, 0x01, 0x7f, 0xff] {
            let mut damaged = frame.clone();
            damaged[place..place + 3].fill(byte);
            let found = decode(Codec::Blosc2, &damaged, 4000);
            assert!(byte == 0 || found.is_err(), "{place} {byte}");
        }
    }
}

#[cfg(feature = "bls2")]
#[test]
fn chunks_beyond_their_part_of_a_frame_are_refused() {
    let frame = payload("bls2_cframe");
    let number = |at: usize| u64::from_be_bytes(frame[at..at + 8].try_into().unwrap());
    let (length, stored) = (number(7) as usize & 0xFFFF_FFFF, number(39) as usize);
    let (chunks, offsets) = (length, length + stored);
    for (chunk, room) in [(chunks, stored), (offsets, frame.len() - offsets)] {
        let mut damaged = frame.clone();
        damaged[chunk + 12..chunk + 16].copy_from_slice(&(room as u32 + 1).to_le_bytes());
        let error = decode(Codec::Blosc2, &damaged, 4000).unwrap_err();
        assert_eq!(error.status(), Status::Corrupt);
        assert_eq!(error.message(), "the Blosc frame is damaged: a chunk is not where it should be");
    }
}
