//! Features of Zstandard frames only: windows, levels, dictionaries.

use crate::*;

/// 200,000 bytes of a pattern, without content size, with a checksum.
const LONG: &str = "28b52ffd0458e4010024030000000102030406080a0c0f1215181c2024282d32373c42484e545b6269707880889099a2ab\
    b4bec8d2dce7f2fd0814202c0100b2fc5f7305054d0000083c01003c0d39100228ba4a74";

/// [`BARE_ZSTD_TEXT`] with a window of `2^log` bytes.
fn with_window(log: u8) -> Vec<u8> {
    let mut payload = hex(BARE_ZSTD_TEXT);
    payload[5] = (log - 10) << 3;
    payload
}

#[test]
fn matches_reach_across_pieces_and_blocks() {
    let data: Vec<u8> = (0..200_000_u32).map(|index| index % 50).map(|index| ((index * index) >> 3) as u8).collect();
    let payload = hex(LONG);
    assert_eq!(decode(Codec::Zstd, &payload, data.len()).unwrap(), (data.clone(), CLEAN));
    assert_eq!(decode_in_pieces(Codec::Zstd, &payload, data.len(), || 30_011).unwrap(), (data, CLEAN));
}

#[test]
fn every_level_decodes_and_none_beside_them_exists() {
    for level in 1..=22 {
        let mut out = b"before".to_vec();
        encode(&Compression::new(Codec::Zstd, Some(level)).unwrap(), TEXT, &mut out, 1).unwrap();
        assert_eq!(decode(Codec::Zstd, &out[6..], TEXT.len()).unwrap(), (TEXT.to_vec(), CLEAN));
    }
    for level in [0, 23, u32::MAX] {
        assert_eq!(status(Compression::new(Codec::Zstd, Some(level))), Status::InvalidArgument);
    }
    // Like the program zstd, the encoder stores the size in one byte if it fits, and a checksum.
    assert!(encoded(Codec::Zstd, TEXT).starts_with(&hex("28b52ffd244c")));
    assert!(encoded(Codec::Zstd, TEXT).ends_with(&hex("515290c6")));
}

#[test]
fn a_window_takes_memory_only_within_the_limit() {
    let read = |log: u8, decoded_bytes: u64| {
        let source = MemorySource::of_vec(with_window(log));
        let limits = Limits { decoded_bytes, ..Limits::default() };
        let mut decoder = Decoder::new(Codec::Zstd, &source, 0, source.len(), TEXT.len() as u64, &limits)?;
        let mut output = [0; TEXT.len()];
        decoder.read(&mut output)
    };
    assert_eq!(read(10, 0).unwrap(), TEXT.len());
    assert_eq!(status(read(11, 0)), Status::Limit);
    assert_eq!(read(20, 1 << 20).unwrap(), TEXT.len());
    assert_eq!(status(read(21, 1 << 20)), Status::Limit);
    // A decoder of small data still accepts the windows that writers use for data of any size.
    assert_eq!(read(27, 1 << 40).unwrap(), TEXT.len());
    assert_eq!(status(read(28, 1 << 40)), Status::Limit);
    // When the whole output is in memory, no window is needed. Only the maximum of libzstd applies.
    assert_eq!(decode(Codec::Zstd, &with_window(30), TEXT.len()).unwrap(), (TEXT.to_vec(), CLEAN));
    assert_eq!(status(decode(Codec::Zstd, &with_window(41), TEXT.len())), Status::Unsupported);
}

#[test]
fn the_best_that_the_format_can_do_passes() {
    let mut payload = hex("28b52ffd0038");
    for block in 0..100_u32 {
        let header = (128 << 10 << 3) | 1 << 1 | u32::from(block == 99);
        payload.extend_from_slice(&header.to_le_bytes()[..3]);
        payload.push(7);
    }
    let data = vec![7; 100 * (128 << 10)];
    assert!(decode(Codec::Zstd, &payload, data.len()).unwrap() == (data, CLEAN));
    let too_many = payload.len() * (128 << 10);
    assert_eq!(status(decode(Codec::Zstd, &payload, too_many)), Status::DecodedSize);
}

#[test]
fn invalid_frames_are_refused() {
    let with_dictionary = [&hex("28b52ffd25074c")[..], &hex(ZSTD_TEXT)[6..]].concat();
    assert_eq!(status(decode(Codec::Zstd, &with_dictionary, TEXT.len())), Status::Unsupported);
    // A skippable frame, and a frame of an old version.
    for payload in ["502a4d1804000000000000 00", "27b52ffd0000000000"] {
        assert_eq!(status(decode(Codec::Zstd, &hex(payload), 0)), Status::Corrupt);
    }
    let mut damaged = hex(ZSTD_TEXT);
    *damaged.last_mut().unwrap() ^= 1;
    let error = decode(Codec::Zstd, &damaged, TEXT.len()).unwrap_err();
    assert!(error.status() == Status::Corrupt && error.message().contains("checksum"), "{error}");
    // The size in the header is wrong.
    for lie in [0x4b, 0x4d] {
        let mut damaged = hex(ZSTD_TEXT);
        damaged[5] = lie;
        assert!(decode(Codec::Zstd, &damaged, TEXT.len()).is_err());
        assert!(decode_in_pieces(Codec::Zstd, &damaged, TEXT.len(), || 100).is_err());
    }
}
