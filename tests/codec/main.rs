//! Codecs with payloads of other programs, payloads of this library, damaged payloads, and false sizes.
//!
//! The payloads of other programs come from Python's zlib, bz2 and lzma modules, from the C library liblz4 1.9.4 and from
//! the program zstd 1.5.4.

#[cfg(all(feature = "blsc", feature = "bls2"))]
mod blosc;
mod custom;
mod framings;
mod pieces;
#[cfg(feature = "zstd")]
mod zstd;

use asdfkit::codec::{AnyCodec, Codec, Compression, Decoder, Label, Outcome, decode_into, encode};
use asdfkit::source::{MemorySource, Source};
use asdfkit::{Limits, Result, Status};

const TEXT: &[u8] = b"ASDF is a format; ASDF is a format; the tree is YAML, the blocks are binary.";

const ZLIB_TEXT: &str = "789c730c767153c82c56485448cb2fca4d2cb15670c41029c9485528294a4d0589463afafae880459272f293\
    b381ca8a80ccccbcc4a24a3d00a47618f5";
const BZP2_TEXT: &str = "425a68393141592653599c77aa1a00000a1f8040050008250608203b6f9c20200040949a2034d3d401ea7a85\
    34680340004dc18b12c8bee9e710356ac6a332501dc53e8f5a4b42c76a9e2d078f87c6a2dc90a6698fe2ee48a70a12138ef54340";
const LZ4_TEXT: &str = "000000414c000000fe0341534446206973206120666f726d61743b201200807468652074726565280051\
    59414d4c2c1200f003626c6f636b73206172652062696e6172792e";
const GZIP_TEXT: &str = "1f8b0800000000000003730c767153c82c56485448cb2fca4d2cb15670c41029c9485528294a4d0589463afa\
    fae880459272f293b381ca8a80ccccbcc4a24a3d00b9fac3894c000000";
const DEFLATE_TEXT: &str = "730c767153c82c56485448cb2fca4d2cb15670c41029c9485528294a4d0589463afafae880459272f293\
    b381ca8a80ccccbcc4a24a3d00";
/// Linked blocks, with content size and all checksums.
const FRAME_TEXT: &str = "04224d187c404c00000000000000063d000000fe0341534446206973206120666f726d61743b201200807468\
    65207472656528005159414d4c2c1200f003626c6f636b73206172652062696e6172792eeea5946200000000918d63a1";
/// Independent blocks, with only the header checksum.
const BARE_FRAME_TEXT: &str = "04224d186040823d000000fe0341534446206973206120666f726d61743b2012008074686520747265\
    6528005159414d4c2c1200f003626c6f636b73206172652062696e6172792e00000000";
/// Independent blocks, with content size and content checksum.
const SIZED_FRAME_TEXT: &str = "04224d186c404c00000000000000363d000000fe0341534446206973206120666f726d61743b20120080\
    746865207472656528005159414d4c2c1200f003626c6f636b73206172652062696e6172792e00000000918d63a1";
/// 200,000 bytes in four linked blocks of 64 KiB; each refers to the previous one.
const LINKED_FRAME: &str = "04224d185440ae3d010000ff230000000102030406080a0c0f1215181c2024282d32373c42484e545b62697078808890 \
    99a2abb4bec8d2dce7f2fd0814202c3200 ff*256 b6507880889099d2391d120a0100000fdc ff*257 \
    e85024282d3237fc10ca630a0100000f3200 ff*256 e8500102030406abd9e837170000000fdc ff*14 \
    3550fd0814202c2f7a70c7000000007303f084";

/// With content size and checksum.
const ZSTD_TEXT: &str = "28b52ffd244ced0100140341534446206973206120666f726d61743b20746865207472656559414d4c2c626c6f636b7320\
    6172652062696e6172792e030035452f1570e5cd30515290c6";
/// Without content size and checksum.
const BARE_ZSTD_TEXT: &str = "28b52ffd0058f50100540341534446206973206120666f726d61743b2074686520747265652069732059414d4c2c\
    626c6f636b73206172652062696e6172792e020081b09437c3";

#[cfg(feature = "xz")]
const XZ_TEXT: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a3e0004b00395d002094c48ab710ae213c88aa37f484a074\
    ad35b110cc7b46903bcf083bebccd6d25decaadd0d0603c4ca4bb345f56bf0f78d8457a78968a31a9c000000006fb83aabfff7d4530001\
    554c811120981fb6f37d010000000004595a";

/// Payloads of [`TEXT`] that mark their end and have a checksum.
const STREAMS: &[(Codec, &str)] = &[
    (Codec::Zlib, ZLIB_TEXT),
    (Codec::Bzp2, BZP2_TEXT),
    (Codec::Lz4, FRAME_TEXT),
    (Codec::Lz4f, FRAME_TEXT),
    #[cfg(feature = "zstd")]
    (Codec::Zstd, ZSTD_TEXT),
    #[cfg(feature = "xz")]
    (Codec::Xz, XZ_TEXT),
];

fn hex(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in text.split_whitespace() {
        if let Some(count) = word.strip_prefix("ff*") {
            bytes.resize(bytes.len() + count.parse::<usize>().unwrap(), 0xFF);
            continue;
        }
        for pair in word.as_bytes().chunks(2) {
            bytes.push(u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
        }
    }
    bytes
}

/// A source that is neither memory nor a file: only the calling thread reads it.
struct Other(MemorySource);

impl Source for Other {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.0.read_at(offset, buffer)
    }
}

/// Decodes the whole payload at an offset other than 0, on one thread and on several, from memory and from another
/// source, and checks that the results agree.
fn decode(codec: Codec, payload: &[u8], data_size: usize) -> Result<(Vec<u8>, Outcome)> {
    let mut file = b"HEAD".to_vec();
    file.extend_from_slice(payload);
    file.extend_from_slice(b"the bytes of something else");
    let source = MemorySource::of_vec(file);
    let decode = |source: &dyn Source, threads| {
        let mut output = vec![0xAA; data_size];
        decode_into(codec, source, 4, payload.len() as u64, &mut output, threads).map(|outcome| (output, outcome))
    };
    let one = decode(&source, 1);
    for several in [decode(&source, 3), decode(&Other(source), 3)] {
        match (&one, several) {
            (Ok(one), Ok(several)) => assert!(*one == several, "{codec:?}"),
            (Err(one), Err(several)) => assert_eq!(
                (one.status(), one.message(), one.location()),
                (several.status(), several.message(), several.location())
            ),
            (_, several) => panic!("{codec:?}: several threads make {:?} of {:?}", several.err(), one.err()),
        }
    }
    one
}

/// Decodes through a [`Decoder`] with buffers of the sizes that `next_size` returns.
fn decode_in_pieces(
    codec: Codec,
    payload: &[u8],
    data_size: usize,
    mut next_size: impl FnMut() -> usize,
) -> Result<(Vec<u8>, Outcome)> {
    let source = MemorySource::of_vec(payload.to_vec());
    let mut decoder = Decoder::new(codec, &source, 0, payload.len() as u64, data_size as u64, &Limits::default())?;
    let mut output = Vec::new();
    loop {
        let mut buffer = vec![0; next_size().max(1)];
        match decoder.read(&mut buffer)? {
            0 => return decoder.finish().map(|outcome| (output, outcome)),
            count => output.extend_from_slice(&buffer[..count]),
        }
    }
}

fn status<T>(result: Result<T>) -> Status {
    result.err().expect("this should have failed").status()
}

fn encoded(codec: Codec, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    encode(&Compression::new(codec, None).unwrap(), data, &mut out, 1).unwrap();
    out
}

/// An LZ4 chunk around the bytes of an LZ4 block.
fn chunk(decoded: u32, block: &[u8]) -> Vec<u8> {
    let mut out = (block.len() as u32 + 4).to_be_bytes().to_vec();
    out.extend_from_slice(&decoded.to_le_bytes());
    out.extend_from_slice(block);
    out
}

const CLEAN: Outcome = Outcome { trailing_bytes: 0, lz4_frame: false };
const FRAME: Outcome = Outcome { trailing_bytes: 0, lz4_frame: true };

/// Knuth's generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: usize) -> usize {
        self.next() as usize % bound
    }

    /// Returns a mixture of noise and long runs.
    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length);
        let alphabet = 1 + self.below(256);
        while bytes.len() < length {
            let value = self.below(alphabet) as u8;
            let run = if self.below(4) == 0 { self.below(300) } else { 1 };
            bytes.resize((bytes.len() + run).min(length), value);
        }
        bytes
    }
}

#[test]
fn foreign_payloads_decode() {
    for (codec, payload, data, outcome) in [
        (Codec::Zlib, "789c6360a03d00000064 0001", &[0; 100][..], CLEAN),
        (Codec::Zlib, "789c030000000001", b"", CLEAN),
        (Codec::Zlib, ZLIB_TEXT, TEXT, CLEAN),
        (Codec::Bzp2, "425a683917724538509000000000", b"", CLEAN),
        (Codec::Bzp2, BZP2_TEXT, TEXT, CLEAN),
        (Codec::Lz4, "", b"", CLEAN),
        (Codec::Lz4, "00000009040000004061626364", b"abcd", CLEAN),
        (
            Codec::Lz4,
            "0000001610000000f001000102030405060708090a0b0c0d0e0f",
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
            CLEAN,
        ),
        (Codec::Lz4, "0000000f640000001f0001004b500000000000", &[0; 100], CLEAN),
        (Codec::Lz4, LZ4_TEXT, TEXT, CLEAN),
        (Codec::Lz4, FRAME_TEXT, TEXT, FRAME),
        (Codec::Lz4, BARE_FRAME_TEXT, TEXT, FRAME),
        (Codec::Lz4, "04224d186440a700000000055dcc02", b"", FRAME),
        (Codec::Lz4f, FRAME_TEXT, TEXT, CLEAN),
        (Codec::Lz4f, "04224d186440a700000000055dcc02", b"", CLEAN),
        #[cfg(feature = "zstd")]
        (Codec::Zstd, ZSTD_TEXT, TEXT, CLEAN),
        #[cfg(feature = "zstd")]
        (Codec::Zstd, BARE_ZSTD_TEXT, TEXT, CLEAN),
        #[cfg(feature = "zstd")]
        (Codec::Zstd, "28b52ffd240001000099e9d851", b"", CLEAN),
        #[cfg(feature = "zstd")]
        (Codec::Zstd, "28b52ffd045821000061626364cc925dd2", b"abcd", CLEAN),
        #[cfg(feature = "zstd")]
        (Codec::Zstd, "28b52ffd045845000010000001003f012c2f502cc9", &[0; 100], CLEAN),
    ] {
        let payload = hex(payload);
        assert_eq!(decode(codec, &payload, data.len()).unwrap(), (data.to_vec(), outcome));
        assert_eq!(decode_in_pieces(codec, &payload, data.len(), || 7).unwrap(), (data.to_vec(), outcome));
    }
}

#[test]
fn linked_frame_blocks_refer_to_each_other() {
    let data: Vec<u8> = (0..200_000_u32).map(|index| index % 50).map(|index| ((index * index) >> 3) as u8).collect();
    let payload = hex(LINKED_FRAME);
    assert_eq!(decode(Codec::Lz4, &payload, data.len()).unwrap(), (data.clone(), FRAME));
    assert_eq!(decode_in_pieces(Codec::Lz4, &payload, data.len(), || 30_011).unwrap(), (data, FRAME));
}

#[test]
fn we_write_what_others_write() {
    assert_eq!(encoded(Codec::Bzp2, TEXT), hex(BZP2_TEXT));
    assert_eq!(encoded(Codec::Bzp2, b""), hex("425a683917724538509000000000"));
    assert_eq!(encoded(Codec::Zlib, b""), hex("789c030000000001"));
    assert_eq!(encoded(Codec::Lz4, b"abcd"), hex("00000009040000004061626364"));
    assert!(encoded(Codec::Lz4, b"").is_empty());
    assert_eq!(encoded(Codec::Lz4f, TEXT), hex(SIZED_FRAME_TEXT));
    let mut stored = Vec::new();
    encode(&Compression::new(Codec::Zlib, Some(0)).unwrap(), TEXT, &mut stored, 1).unwrap();
    assert!(stored.starts_with(&hex("7801014c00b3ff")) && stored.len() == TEXT.len() + 11);
}

#[test]
fn levels_outside_the_codec_are_refused() {
    for (codec, level) in [(Codec::Zlib, 10), (Codec::Bzp2, 0), (Codec::Bzp2, 10), (Codec::Lz4, 0), (Codec::Lz4f, 1)] {
        assert_eq!(status(Compression::new(codec, Some(level))), Status::InvalidArgument);
    }
    for (codec, levels) in [(Codec::Zlib, 0..=9), (Codec::Bzp2, 1..=9)] {
        for level in levels {
            let mut out = b"before".to_vec();
            encode(&Compression::new(codec, Some(level)).unwrap(), TEXT, &mut out, 1).unwrap();
            assert_eq!(decode(codec, &out[6..], TEXT.len()).unwrap(), (TEXT.to_vec(), CLEAN));
        }
    }
}

#[test]
fn round_trips_of_any_data_in_any_pieces() {
    let mut random = Random(7);
    for round in 0..60 {
        let length = if round < 40 { random.below(3000) } else { random.below(700_000) };
        let data = random.bytes(length);
        for &codec in Codec::ALL {
            let payload = encoded(codec, &data);
            assert_eq!(decode(codec, &payload, length).unwrap(), (data.clone(), CLEAN));
            let largest = 1 + random.below(length + 100);
            let pieces = decode_in_pieces(codec, &payload, length, || random.below(largest)).unwrap();
            assert_eq!(pieces, (data.clone(), CLEAN));
        }
    }
}

#[test]
fn large_data_make_several_lz4_chunks() {
    let data = Random(3).bytes(9 << 20);
    let payload = encoded(Codec::Lz4, &data);
    let first = u32::from_be_bytes(payload[..4].try_into().unwrap()) as usize;
    assert_eq!(payload[4..8], (4_u32 << 20).to_le_bytes());
    assert_eq!(payload[first + 8..first + 12], (4_u32 << 20).to_le_bytes());
    assert!(decode(Codec::Lz4, &payload, data.len()).unwrap() == (data.clone(), CLEAN));
    assert!(decode_in_pieces(Codec::Lz4, &payload, data.len(), || 1_000_003).unwrap() == (data, CLEAN));
}

/// Data of several pieces, partly noise: compressed in turn by one encoder, or in parallel by several threads.
fn long_data() -> Vec<u8> {
    let mut data = Random(31).bytes(5 << 19);
    let mut random = Random(37);
    data[1 << 20..5 << 18].fill_with(|| random.next() as u8);
    data
}

#[test]
fn threads_make_no_difference_to_what_is_encoded() {
    let data = long_data();
    for length in [data.len(), (1 << 20) + 1] {
        let data = &data[..length];
        let cases = [
            (Codec::Zlib, None),
            (Codec::Zlib, Some(0)),
            (Codec::Lz4, None),
            (Codec::Bzp2, Some(1)),
            #[cfg(feature = "blsc")]
            (Codec::Blosc, None),
            #[cfg(feature = "bls2")]
            (Codec::Blosc2, None),
        ];
        for (codec, level) in cases {
            let encoded = |threads| {
                let mut out = Vec::new();
                encode(&Compression::new(codec, level).unwrap(), data, &mut out, threads).unwrap();
                out
            };
            let one = encoded(1);
            assert!(one == encoded(3));
            assert!(decode(codec, &one, length).unwrap() == (data.to_vec(), CLEAN));
            assert!(decode_in_pieces(codec, &one, length, || 70_001).unwrap() == (data.to_vec(), CLEAN));
        }
    }
    // The header is that of zlib for the level. Encoding in pieces hardly increases the size.
    for (level, header) in [(0, 0x7801), (1, 0x7801), (2, 0x785E), (5, 0x785E), (6, 0x789C), (7, 0x78DA)] {
        let mut out = Vec::new();
        encode(&Compression::new(Codec::Zlib, Some(level)).unwrap(), &data, &mut out, 1).unwrap();
        assert_eq!(u16::from_be_bytes([out[0], out[1]]), header);
        let mut whole = flate2::Compress::new(flate2::Compression::new(level), true);
        let mut plain = Vec::with_capacity(6 << 20);
        whole.compress_vec(&data, &mut plain, flate2::FlushCompress::Finish).unwrap();
        assert_eq!(plain[..2], out[..2]);
        assert!(out.len() < plain.len() + plain.len() / 500, "{level}: {} instead of {}", out.len(), plain.len());
    }
}

#[test]
fn bzip2_blocks_decode_on_several_threads() {
    let data = long_data();
    let payload = encoded(Codec::Bzp2, &data);
    assert!(decode(Codec::Bzp2, &payload, data.len()).unwrap() == (data.clone(), CLEAN));
    let more = [&payload[..], b"trailing", &payload].concat();
    assert_eq!(decode(Codec::Bzp2, &more, data.len()).unwrap().1.trailing_bytes, 8 + payload.len() as u64);
    for size in [data.len() - 1, data.len() + 1] {
        assert_eq!(status(decode(Codec::Bzp2, &payload, size)), Status::DecodedSize);
    }
    let mut random = Random(41);
    for _ in 0..2 {
        let mut damaged = payload.clone();
        let place = random.below(damaged.len() - 10);
        damaged[place] ^= 1 << random.below(8);
        assert!(decode(Codec::Bzp2, &damaged, data.len()).is_err());
        assert!(decode(Codec::Bzp2, &payload[..place], data.len()).is_err());
    }
    // Damage the checksum of the whole stream.
    let mut damaged = payload;
    let last = damaged.len() - 2;
    damaged[last] ^= 1;
    assert_eq!(status(decode(Codec::Bzp2, &damaged, data.len())), Status::Corrupt);
}

#[test]
fn damaged_blocks_of_bzip2_before_a_cut_checksum_are_an_error() {
    // Marks of two blocks and of the end, with nothing between them.
    let mut bits: Vec<bool> = Vec::new();
    for (number, count) in [
        (0x425a_6839_u64, 32),
        (0x3141_5926_5359, 48),
        (0, 32),
        (0x3141_5926_5359, 48),
        (0, 32),
        (0x1772_4538_5090, 48),
        (0, 24),
    ] {
        bits.extend((0..count).rev().map(|bit| number >> bit & 1 == 1));
    }
    let stored: Vec<u8> =
        bits.chunks(8).map(|byte| byte.iter().fold(0, |number, &bit| number << 1 | u8::from(bit))).collect();
    assert_eq!(status(decode(Codec::Bzp2, &stored, 10)), Status::Corrupt);
}

#[test]
fn a_block_of_bzip2_may_hold_the_number_that_blocks_begin_with() {
    let data = long_data();
    let payload = encoded(Codec::Bzp2, &data);
    let bits: Vec<bool> = payload.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
    let number = |bits: &[bool]| bits.iter().fold(0_u64, |number, &bit| number << 1 | u64::from(bit));
    // Fields of the first block: mark, checksum, a flag, start position of the data, and the map of bytes in use.
    let mut at = 32 + 48 + 32 + 1 + 24;
    at += 16 + 16 * number(&bits[at..at + 16]).count_ones() as usize;
    assert!(number(&bits[at..at + 3]) >= 4, "the data need many tables");
    let count_at = at + 3;
    let count = number(&bits[count_at..count_at + 15]);
    let mut end = count_at + 15;
    for _ in 0..count {
        end += bits[end..].iter().position(|bit| !bit).unwrap() + 1;
    }
    // Selectors of unused tables: their bits can have any value.
    for mark in [0x3141_5926_5359_u64, 0x1772_4538_5090] {
        let mut spelled: Vec<bool> = (0..48).rev().map(|bit| mark >> bit & 1 == 1).collect();
        if spelled[47] {
            spelled.push(false);
        }
        let more = count + spelled.iter().filter(|bit| !**bit).count() as u64;
        let mut changed = bits[..count_at].to_vec();
        changed.extend((0..15).rev().map(|bit| more >> bit & 1 == 1));
        changed.extend(&bits[count_at + 15..end]);
        changed.extend(spelled);
        changed.extend(&bits[end..]);
        let changed: Vec<u8> = changed
            .chunks(8)
            .map(|byte| byte.iter().enumerate().fold(0, |sum, (bit, &set)| sum | u8::from(set) << (7 - bit)))
            .collect();
        let (found, outcome) = decode(Codec::Bzp2, &changed, data.len()).unwrap();
        assert!(found == data && outcome.trailing_bytes <= 1);
    }
}

#[test]
fn chunks_may_grow_shrink_and_be_empty() {
    let data = Random(5).bytes(4000);
    let mut payload = Vec::new();
    for range in [0..10, 10..3333, 3333..3333, 3333..4000] {
        payload.extend(chunk(range.len() as u32, &lz4_flex::block::compress(&data[range])));
    }
    assert_eq!(decode(Codec::Lz4, &payload, 4000).unwrap(), (data.clone(), CLEAN));
    for size in [1, 9, 10, 11, 3000, 3999] {
        assert_eq!(decode_in_pieces(Codec::Lz4, &payload, 4000, || size).unwrap(), (data.clone(), CLEAN));
    }
}

#[test]
fn chunks_decode_one_by_one() {
    let data = Random(5).bytes(40_000);
    let mut payload = b"HEAD".to_vec();
    for range in [0..10, 10..3333, 3333..3333, 3333..4000, 4000..39_999, 39_999..40_000] {
        payload.extend(chunk(range.len() as u32, &lz4_flex::block::compress(&data[range])));
    }
    payload.extend([0; 3]);
    let source = MemorySource::of_vec(payload.clone());
    let lz4 = AnyCodec::from(Codec::Lz4);
    let index = |size: u64, data_size, most| lz4.chunk_index(&source, 4, size, data_size, most);
    let size = payload.len() as u64 - 4;
    let found = index(size, 40_000, 5).unwrap().unwrap();
    assert_eq!((found.chunks.len(), found.trailing_bytes), (5, 3));
    assert!(index(size, 40_000, 4).unwrap().is_none());
    let mut scratch = Vec::new();
    let mut end = 0;
    for one in found.chunks.iter().rev() {
        let mut out = vec![0; one.decoded_length as usize];
        found.decode(one, &source, &mut scratch, &mut out).unwrap();
        assert_eq!(out, data[one.decoded_offset as usize..][..out.len()]);
        end = end.max(one.decoded_offset + one.decoded_length);
    }
    assert_eq!(end, 40_000);
    // Wrong sizes give the same error as decoding of the whole payload.
    for (size, data_size) in [(size - 8, 40_000), (size, 39_999), (size, 40_001), (size, 1 << 40)] {
        let whole = Decoder::new(Codec::Lz4, &source, 4, size, data_size, &Limits::default())
            .and_then(Decoder::finish)
            .unwrap_err();
        let error = index(size, data_size, 9).unwrap_err();
        assert_eq!((error.status(), error.location()), (whole.status(), whole.location()), "{size} {data_size}");
    }
    let frame = MemorySource::of_vec(hex(FRAME_TEXT));
    assert!(lz4.chunk_index(&frame, 0, frame.len(), TEXT.len() as u64, 9).unwrap().is_none());
    // Damage inside a chunk is reported at the offset of its size fields.
    let mut damaged = found.chunks[1];
    damaged.stored_length -= 1;
    let error = found.decode(&damaged, &source, &mut scratch, &mut vec![0; 3323]).unwrap_err();
    assert_eq!((error.status(), error.location().offset), (Status::Corrupt, Some(damaged.stored_offset - 8)));
}

#[test]
fn a_decoder_skips_and_then_reads() {
    let data = Random(11).bytes(300_000);
    for &codec in Codec::ALL {
        let source = MemorySource::of_vec(encoded(codec, &data));
        let mut decoder = Decoder::new(codec, &source, 0, source.len(), 300_000, &Limits::default()).unwrap();
        decoder.skip(123_456).unwrap();
        let mut some = [0; 1000];
        let mut done = 0;
        while done < some.len() {
            done += decoder.read(&mut some[done..]).unwrap();
        }
        assert_eq!(some, data[123_456..124_456]);
        assert_eq!(status(decoder.skip(300_000)), Status::OutOfRange);
        assert_eq!(decoder.finish().unwrap(), CLEAN);
    }
}

#[test]
fn streams_cut_anywhere_are_errors() {
    for &(codec, payload) in STREAMS.iter().chain(&[(Codec::Lz4, LZ4_TEXT)]) {
        let payload = hex(payload);
        for length in 0..payload.len() {
            let error = decode(codec, &payload[..length], TEXT.len()).unwrap_err();
            assert!(matches!(error.status(), Status::Truncated | Status::DecodedSize), "{length}: {error}");
            assert!(error.location().offset.is_some(), "{length}: {error}");
            assert!(decode_in_pieces(codec, &payload[..length], TEXT.len(), || 5).is_err());
        }
        // The file itself can end early too.
        let size = payload.len() as u64;
        let source = MemorySource::of_vec(payload[..payload.len() - 1].to_vec());
        let mut output = vec![0; TEXT.len()];
        assert_eq!(status(decode_into(codec, &source, 0, size, &mut output, 1)), Status::Truncated);
    }
}

#[test]
fn flipped_bits_are_seen_where_there_is_a_checksum() {
    for (codec, payload, checked) in [
        (Codec::Lz4, BARE_FRAME_TEXT, false),
        (Codec::Lz4, LZ4_TEXT, false),
        #[cfg(feature = "zstd")]
        (Codec::Zstd, BARE_ZSTD_TEXT, false),
    ]
    .into_iter()
    .chain(STREAMS.iter().map(|&(codec, payload)| (codec, payload, true)))
    {
        let payload = hex(payload);
        let mut errors = 0;
        for bit in 0..payload.len() * 8 {
            let mut damaged = payload.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match decode(codec, &damaged, TEXT.len()) {
                // Some bits have no meaning, for example those that pad the last byte.
                Ok((output, _)) => assert!(!checked || output == TEXT, "bit {bit} of {codec:?}"),
                Err(_) => errors += 1,
            }
        }
        assert!(errors * 4 > payload.len() * if checked { 30 } else { 6 }, "{errors} errors in {codec:?}");
    }
}

#[test]
fn every_checksum_of_a_frame_is_verified() {
    let payload = hex(FRAME_TEXT);
    // Content checksum and block checksum, counted from the end; header checksum, from the start; then the content size
    // with a correct header checksum.
    for place in [payload.len() - 1, payload.len() - 9, 14] {
        let mut damaged = payload.clone();
        damaged[place] ^= 1;
        let error = decode(Codec::Lz4, &damaged, TEXT.len()).unwrap_err();
        assert_eq!(error.status(), Status::Corrupt);
        assert!(error.message().contains("wrong checksum"), "{error}");
    }
    let mut damaged = payload;
    damaged[6] += 1;
    let header = twox_hash::XxHash32::oneshot(0, &damaged[4..14]);
    damaged[14] = (header >> 8) as u8;
    assert_eq!(status(decode(Codec::Lz4, &damaged, TEXT.len())), Status::Corrupt);
}

#[test]
fn noise_never_panics() {
    let mut random = Random(13);
    let texts = [ZLIB_TEXT, BZP2_TEXT, LZ4_TEXT, FRAME_TEXT, BARE_FRAME_TEXT, LINKED_FRAME, ZSTD_TEXT, BARE_ZSTD_TEXT];
    let starts = texts.map(hex);
    for _ in 0..3000 {
        let mut payload = starts[random.below(starts.len())].clone();
        for _ in 0..1 + random.below(6) {
            let place = random.below(payload.len());
            payload[place] = random.next() as u8;
        }
        let size = [0, 1, TEXT.len(), 100, 1000, 200_000][random.below(6)];
        for &codec in Codec::ALL {
            let pieces = decode_in_pieces(codec, &payload, size, || 50);
            match (decode(codec, &payload, size), pieces) {
                (Ok(whole), Ok(pieces)) => assert_eq!(whole, pieces),
                // A Zstandard frame needs a window only if it is decoded in pieces. The window may exceed the limit.
                (Ok(_), Err(error)) => assert_eq!(error.status(), Status::Limit, "{codec:?}"),
                (Err(error), Ok(_)) => panic!("{codec:?} only decodes in pieces: {error}"),
                (Err(_), Err(_)) => {}
            }
        }
    }
}

#[test]
fn sizes_must_be_those_declared() {
    for &(codec, payload) in STREAMS.iter().chain(&[(Codec::Lz4, LZ4_TEXT)]) {
        let payload = hex(payload);
        for size in [0, 1, TEXT.len() - 1, TEXT.len() + 1, 1000, 1_000_000] {
            assert_eq!(status(decode(codec, &payload, size)), Status::DecodedSize, "{codec:?} {size}");
            assert_eq!(status(decode_in_pieces(codec, &payload, size, || 10)), Status::DecodedSize);
        }
    }
}

#[test]
fn a_bomb_takes_no_memory() {
    let source = MemorySource::of_vec(vec![0x78; 80]);
    for &codec in Codec::ALL {
        let result = Decoder::new(codec, &source, 0, 80, 1 << 40, &Limits::default());
        assert_eq!(status(result), Status::DecodedSize);
    }
    // A chunk with 4 GiB in one of its size fields, in a payload for which the declared size is possible.
    let mut payload = chunk(u32::MAX, &[0x10, 0x61]);
    payload.resize(20 << 20, 0);
    let read = |payload: Vec<u8>, data_size: u64| {
        let source = MemorySource::of_vec(payload);
        let mut decoder = Decoder::new(Codec::Lz4, &source, 0, source.len(), data_size, &Limits::default())?;
        decoder.read(&mut [0])
    };
    assert_eq!(status(read(payload.clone(), 1 << 20)), Status::DecodedSize);
    assert_eq!(status(read(payload.clone(), 5_000_000_000)), Status::Corrupt);
    payload[..4].fill(0xFF);
    assert_eq!(status(read(payload, 1 << 20)), Status::Truncated);
}

#[test]
fn a_chunk_beyond_the_limit_still_decodes_in_place() {
    let data = vec![1; 10_000];
    let payload = chunk(10_000, &lz4_flex::block::compress(&data));
    let limits = Limits { decoded_bytes: 9_999, ..Limits::default() };
    let source = MemorySource::of_vec(payload.clone());
    let mut decoder = Decoder::new(Codec::Lz4, &source, 0, source.len(), 10_000, &limits).unwrap();
    assert_eq!(status(decoder.read(&mut [0; 100])), Status::Limit);
    assert_eq!(decode(Codec::Lz4, &payload, 10_000).unwrap(), (data, CLEAN));
}

#[test]
fn bytes_after_a_stream_are_counted() {
    for &(codec, payload) in STREAMS {
        let one = hex(payload);
        for extra in [&b"x"[..], &[0; 4], b"garbage", &one] {
            let outcome = decode(codec, &[&one, extra].concat(), TEXT.len()).unwrap().1;
            assert_eq!(outcome.trailing_bytes, extra.len() as u64);
        }
        // Only the first of two streams is decoded.
        assert_eq!(status(decode(codec, &[&one[..], &one].concat(), 2 * TEXT.len())), Status::DecodedSize);
    }
}

/// Decodes an LZ4 block byte by byte according to its specification. Returns `None` if the block is invalid or has
/// another size.
fn plain_lz4(mut block: &[u8], size: usize) -> Option<Vec<u8>> {
    fn length(nibble: u8, block: &mut &[u8]) -> Option<usize> {
        let mut length = usize::from(nibble);
        let mut more = nibble == 15;
        while more {
            let (byte, rest) = block.split_first()?;
            (length, more, *block) = (length + usize::from(*byte), *byte == 255, rest);
        }
        Some(length)
    }
    let mut output = Vec::new();
    loop {
        let (token, rest) = block.split_first()?;
        block = rest;
        let count = length(token >> 4, &mut block)?;
        let (literals, rest) = block.split_at_checked(count)?;
        output.extend_from_slice(literals);
        block = rest;
        if block.is_empty() {
            return (output.len() == size).then_some(output);
        }
        let offset = usize::from(u16::from_le_bytes(*block.first_chunk()?));
        block = &block[2..];
        let count = length(token & 15, &mut block)? + 4;
        if output.len() + count > size {
            return None;
        }
        for _ in 0..count {
            output.push(*output.get(output.len().checked_sub(offset)?)?);
        }
    }
}

#[test]
fn damaged_lz4_blocks_decode_as_a_plain_decoder_has_it() {
    let mut random = Random(19);
    let mut right = 0;
    for round in 0..20_000 {
        let length = 1 + random.below(if round % 10 == 0 { 3000 } else { 120 });
        let data = random.bytes(length);
        let mut block = lz4_flex::block::compress(&data);
        for _ in 0..random.below(4) {
            let place = random.below(block.len());
            match random.below(3) {
                0 => block.truncate(place + 1),
                1 => block[place] = [0, 0x0F, 0xF0, 0xFF][random.below(4)],
                _ => block[place] = random.next() as u8,
            }
        }
        let size = (length + 1 + random.below(3)).saturating_sub(2).max(1);
        let ours = decode(Codec::Lz4, &chunk(size as u32, &block), size).ok().map(|(output, _)| output);
        let plain = plain_lz4(&block, size);
        // A chunk with impossible sizes is refused before decoding.
        assert!(ours == plain || (ours.is_none() && size > block.len() * 255), "{size} {block:02x?}");
        right += usize::from(plain.is_some());
    }
    assert!((2000..18_000).contains(&right), "{right}");
}

/// Data of runs, repetitions and noise, whose sizes lie around those at which the encoder changes its method.
#[test]
fn encoded_lz4_blocks_decode_with_a_plain_decoder() {
    let mut random = Random(23);
    for round in 0..4000 {
        let length = match round % 8 {
            0 => 65_500 + random.below(80),
            1 => random.below(30),
            _ => random.below(2000),
        };
        let mut data = Vec::with_capacity(length);
        while data.len() < length {
            match random.below(3) {
                0 => {
                    let count = 1 + random.below(40);
                    data.extend(random.bytes(count));
                }
                1 => {
                    let count = 1 + random.below(300);
                    data.resize(data.len() + count, random.next() as u8);
                }
                _ => {
                    let start = random.below(data.len() + 1);
                    let end = data.len().min(start + 1 + random.below(200));
                    data.extend_from_within(start..end);
                }
            }
        }
        data.truncate(length);
        let payload = encoded(Codec::Lz4, &data);
        if length > 0 {
            assert!(plain_lz4(&payload[8..], length).as_deref() == Some(&data[..]), "round {round}");
        }
    }
}

#[test]
fn bytes_that_are_no_whole_chunk_may_follow_the_chunks() {
    // As in Python asdf, which ignores them.
    let payload = hex(LZ4_TEXT);
    for extra in [&b"\0"[..], &[0, 0], &[0; 3], b"x", &[0, 1], &[0, 0, 1], b"abcd", b"\0\0\0\x10abc", b"more after it"]
    {
        let padded = [&payload[..], extra].concat();
        let outcome = Outcome { trailing_bytes: extra.len() as u64, lz4_frame: false };
        assert_eq!(decode(Codec::Lz4, &padded, TEXT.len()).unwrap(), (TEXT.to_vec(), outcome));
        let (_, found) = decode_in_pieces(Codec::Lz4, &padded, TEXT.len(), || 10).unwrap();
        assert_eq!(found, outcome);
    }
    for extra in [&[0; 4][..], &[0; 8], &[0; 20], b"\0\0\0\x02ab", &chunk(0, b""), &chunk(1, b"\x10a")] {
        assert!(decode(Codec::Lz4, &[&payload, extra].concat(), TEXT.len()).is_err(), "{extra:?}");
    }
}

#[test]
fn wrappers_and_framings_of_another_kind_are_corrupt() {
    for payload in [GZIP_TEXT, DEFLATE_TEXT, BZP2_TEXT] {
        assert_eq!(status(decode(Codec::Zlib, &hex(payload), TEXT.len())), Status::Corrupt);
    }
    // A zlib stream that needs a preset dictionary.
    assert_eq!(status(decode(Codec::Zlib, &hex("78bb00000001030000000001"), 0)), Status::Corrupt);
    assert_eq!(status(decode(Codec::Bzp2, &hex(ZLIB_TEXT), TEXT.len())), Status::Corrupt);
    // Chunks without the inner size; without the outer size; too short for the inner size.
    let whole = hex(LZ4_TEXT);
    assert!(decode(Codec::Lz4, &[&[0, 0, 0, 61][..], &whole[8..]].concat(), TEXT.len()).is_err());
    assert!(decode(Codec::Lz4, &whole[4..], TEXT.len()).is_err());
    assert_eq!(status(decode(Codec::Lz4, &[0, 0, 0, 3, 0, 0, 0, 0], 4)), Status::Corrupt);
    // An LZ4 block that decodes to fewer bytes than its chunk declares.
    assert_eq!(status(decode(Codec::Lz4, &chunk(5, b"\x40abcd"), 5)), Status::Corrupt);
}

#[test]
fn errors_tell_the_place_in_the_file() {
    let mut payload = chunk(4, b"\x40abcd");
    payload.extend(chunk(4, b"\x50abcd"));
    let error = decode(Codec::Lz4, &payload, 8).unwrap_err();
    assert_eq!((error.status(), error.location().offset), (Status::Corrupt, Some(4 + 13)));
    assert_eq!(Label(*b"lz4\0").to_string(), "lz4");
}

#[test]
fn lz4_frames_hold_large_and_incompressible_data() {
    let mut random = Random(17);
    let noise: Vec<u8> = (0..(4 << 20) + 5).map(|_| random.next() as u8).collect();
    for data in [random.bytes(9 << 20), noise] {
        let payload = encoded(Codec::Lz4f, &data);
        assert!(payload.len() <= data.len() + 15 + 2 * 4 + 8);
        assert!(decode(Codec::Lz4f, &payload, data.len()).unwrap() == (data.clone(), CLEAN));
        assert!(decode_in_pieces(Codec::Lz4f, &payload, data.len(), || 1_000_003).unwrap() == (data, CLEAN));
    }
    assert_eq!(status(decode(Codec::Lz4f, &hex(LZ4_TEXT), TEXT.len())), Status::Corrupt);
}

#[test]
fn up_to_three_zeros_fill_lz4_payloads_of_too_few_chunks() {
    let chunk = hex(LZ4_TEXT);
    for (filler, expected) in [
        (&[][..], Status::DecodedSize),
        (&[0], Status::DecodedSize),
        (&[0, 0], Status::DecodedSize),
        (&[0, 0, 0], Status::DecodedSize),
        (&[1], Status::Truncated),
        (&[0, 1], Status::Truncated),
        (&[0, 0, 1], Status::Truncated),
        (&[0, 0, 0, 0], Status::Corrupt),
        (&[0, 0, 0, 1], Status::Truncated),
    ] {
        let payload = [&chunk[..], filler].concat();
        assert_eq!(status(decode(Codec::Lz4, &payload, TEXT.len() + 10)), expected, "{filler:?}");
    }
}
