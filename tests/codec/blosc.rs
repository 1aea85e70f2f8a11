//! Blosc chunks made by the Python packages blosc 1.11.4 and blosc2 4.14.1, and features that only Blosc has.

use crate::*;
use asdfkit::codec::{AnyCodec, BloscCodec, BloscOptions, Shuffle};

/// Chunks of both formats that hold [`data`]. The flag is true if the chunk needs Zstandard.
const CHUNKS: &[(Codec, bool, &str)] = &[
    // Zstandard in two blocks; the first one is split into four streams.
    (
        Codec::Blosc,
        true,
        "02019104401f0000001000009101000018000000d7000000bb00000028b52ffd60000f8d05007409000306090c0f1215181b1e212427\
     2a2d303336393c3f4245484b4e5154575a5d606366696c6f7275787b7e8184878a8d909396999c9fa2a5a8abaeb1b4b7babdc0c3c6c9\
     cccfd2d5d8dbdee1e4e7eaedf0f3f6f9fcff0205080b0e1114171a1d202326292c2f3235383b3e4144474a4d505356595c5f6265686b\
     6e7174777a7d808386898c8f9295989b9ea1a4a7aaadb0b3b6b600010080959810f0630012d0afffffffd101fcb7440fc18a2895d0b6\
     00000028b52ffd60400e6505000409b6b9bcbfc2c5c8cbced1d4d7dadde0e3e6e9eceff2f5f8fbfe0104070a0d101316191c1f222528\
     2b2e3134373a3d404346494c4f5255585b5e6164676a6d707376797c7f8285888b8e9194979a9da0a3a6a9acafb2b5b8bbbec1c4c7ca\
     cdd0d3d6d9dcdfe2e5e8ebeef1f4f7fafd000306090c0f1215181b1e2124272a2d303336393c3f4245484b4e51545701020300809058\
     010012601060dfffffbf0b079cb7ccc3132d4537f00302",
    ),
    // Zstandard, bit shuffle.
    (
        Codec::Blosc,
        true,
        "02019404401f0000401f00009f000000140000008700000028b52ffd60401eed030052c60d11e0690cfb3661050380002e742f27cd4e\
     016e5a9f9fb5b4b9495bdf672d6daaaafe9b4aff7faa9ed64b6f7ae85244b0b11e874c30310220a0500ece340d0780a7cd0178d5079c\
     1e419dddd01525a4204b1a1939930c9139cc9473c4de392461be70a3c68424cb8327f6f697e6963575a404a70c3fca7051d606",
    ),
    // BloscLZ, bit shuffle.
    (
        Codec::Blosc,
        false,
        "02010404401f0000401f00005701000014000000d200000026803fe00ff803fee0e90607f880ff1f00f8ff01e0e90607f800c01ff0ff\
     03fee0e9060dff0000e0ffff0300ffff1f0000fce0e30d1e000000000000fcffffff1f00000000ffffffffff03000000e0ffffffff00\
     00e0d21b01ff00a0000200e0ffa00001ff03a0120000a010811502000000810703ffffffffe0bc37e008000200fcffe0060001ff1fe0\
     0824e10015e00101e10031e00000e1014de00001e10069e00100e06e6fe00a89e00900e00ac1e00a01e009f9e00a00e10a31e00901e1\
     0a69e00a00e10931e00a01e00fdf020000003b0000002300000000e03d030200fcffe03e0001ff1fe03d910300000000e0109201ff00\
     e08a000100e0e010afe04101e08cf9e0ffffffffff410002000000130000002300000000e0ffffffffffffffc7030200000013000000\
     2300000000e0ffffffffffffffc70302000000",
    ),
    // zlib, bit shuffle.
    (
        Codec::Blosc,
        false,
        "02016404401f0000401f0000f8000000140000007d00000078dae550c11180200c8bd7011c81515c8dd11c85117cf2e08c8a581f705e\
     9f2af9845ed394c64f618cb2fafec8d32172e89030bb85b27648402005dc5340eaaaca482c6f1e106401f9ef1e2e649d76a03af24ee8\
     f4a03a7e7cae824e351c516de38363a845efd9070b1a8ea69fc074012d979b12a3e9f2820d5910e1672900000078da6360a01af8f39f\
     5a409e7a8ec26d09c360040ffed301308c8251300a46c128187600000fa8c8351700000078da63601805a360148c8251300a46c15007\
     0007d000011700000078da63601805a360148c8251300a46c150070007d00001",
    ),
    // BloscLZ, delta and bit shuffle.
    (
        Codec::Blosc2,
        false,
        "05011d04401f0000401f0000f70000000302000000000000000000000000000024000000cf0000002a8040201008040281402010e0e5\
     06070880002000080002e0ea06070040201000040201e0e80608000000200000040001e0e80610000000000000040000002000000000\
     0100e0e20da001010020a008030000040080000100018007811502000000811502000000e0bd1be00801e000f9e00001e10115e00001\
     e10015e00101e0b137e01101e00af9e00a01e009f9e00a01e10a31e00901e0676fe03701e01cf9e01c01e01df9e01c01e11c69e08101\
     e042f9e0ffffffffffffffffffffffffffffffffffffffffffa00102000000",
    ),
    // LZ4, delta and byte shuffle, runs of one byte.
    (
        Codec::Blosc2,
        false,
        "05013d04401f0000401f0000b600000003010000000002000000000000000000240000008e000000120001001203070012050700190f\
     0e00031c00121d0700120707001f0d3800011f3f380001190d38001f1d7000161f7d70000f1f1f70000f1f3de000391fffe000391f3d\
     e000321f7dc001861ffdc0017f1f7fc0017f1ffd8003ffffffff420f0100ffff472f01000100ffff401f03a604ffff430f0100ffffff\
     ffffffffffffffffffffffffff66500000000000",
    ),
    // zlib in two blocks, delta and bit shuffle.
    (
        Codec::Blosc2,
        false,
        "05017d04401f0000001000002901000003020000000004000000000000000000280000009300000067000000785eedce310ac0201044\
     d1af58587a048fe2d1cccd030a9204628a986c33af199655766ac92906bf59452513f16641c989e09d55408680b38a26d06ad0e7bfa7\
     aecda30da7edb7bbabf196c9db43f3b7ff9edd779ddf67d17dd6dd171111111111ccec87482ccf92000000785eedcfbd0d83301005e0\
     8b2ca5ca00745e8109320b9ba46010666113770c4015c9ca8b3810bf964c6170f3bee6e4b37d7eaecae2f5acdbeafed2a0c3f7f3cb50\
     6ce9fa877967280ed6c323430160c4c38a0344ee5dc1c840fb6ae8ab6bf7b4bb6534cf9ad51b1b09efad4df966fb89a331fb22387177\
     e69024f2f239a75e8e08ff31b15808222222222249e40ff8bec3fd",
    ),
    // zlib, byte shuffle and then bit shuffle.
    (
        Codec::Blosc2,
        false,
        "05017504401f0000401f0000b301000001020000000004000000000000000000240000008b010000785eed98bf4bc43014c7df160fbc\
     f61f1047dd15fc016207d7fb2f14270747c562bab9080a2e8ae0df20f80f146f280ebabb48457172885b864224a9e6bcf67a6d1f7277\
     4ffb59be09e992bcf67d483b7367775b0b171d5cb420875439f20f89a28511b2367b12bd7cec21630aaa903f8bc2231921d7f3efad83\
     db2b6438409730721d3f8991019491aee0a090e1026584e2fa537421d01f5ecd197102dd6d4cf9f480dbe65bbe46bbe6fda2f9da9dc1\
     f660bbc16032daf2afb0b37479bf7df3888c4a3ee793e9f319e7a8fbbcbb828c4a3eefbd2859609c9c2ebfb6f7379e9041d9e771c49c\
     433f4606504632c103850cdabd5da69666a9a56bce88635a10d323db8a4d872e5fa35df3ac8d06f8dcecfcaff9bcd235bc3006f83cf9\
     a9adcc515a1a9f8f93f3c5b7e3d5cd076490f67997b9ebbe4006502661c20b143268f776a9bcd4d2616ae95a33e284d65c7ae0f5397b\
     f81aed9a677ddeab64dee7e61c0c409e4ad7f0c26813f679e92ff5a1310d74efe7e5ce6e7cdef8bcf179e373f2c8ef86fb5f7cfe09a9\
     b39d38",
    ),
];

/// Little-endian 4-byte integers that increase slowly.
fn data() -> Vec<u8> {
    (0..2000_u32).flat_map(|index| (index / 7 * 3).to_le_bytes()).collect()
}

fn chunks() -> impl Iterator<Item = (Codec, Vec<u8>)> {
    let here = CHUNKS.iter().filter(|(_, zstd, _)| !zstd || cfg!(feature = "zstd"));
    here.map(|&(codec, _, payload)| (codec, hex(payload)))
}

/// A chunk of format 2 without filters, from flags, type size, sizes, the last byte of the header, and the rest.
fn chunk2(flags: u8, type_size: u8, sizes: [i32; 2], special: u8, rest: &[u8]) -> Vec<u8> {
    let mut payload = vec![5, 1, flags | 5, type_size];
    payload.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
    payload.extend((32 + rest.len() as i32).to_le_bytes());
    payload.extend([0; 15]);
    payload.push(special);
    payload.extend(rest);
    payload
}

#[test]
fn foreign_chunks_decode() {
    let data = data();
    for (codec, payload) in chunks() {
        assert!(decode(codec, &payload, data.len()).unwrap() == (data.clone(), CLEAN));
        for size in [1, 77, 4095, 4097] {
            assert!(decode_in_pieces(codec, &payload, data.len(), || size).unwrap() == (data.clone(), CLEAN));
        }
        let outcome = decode(codec, &[&payload[..], b"more"].concat(), data.len()).unwrap().1;
        assert_eq!(outcome.trailing_bytes, 4);
        let (_, outcome) = decode_in_pieces(codec, &[&payload[..], b"more"].concat(), data.len(), || 99).unwrap();
        assert_eq!(outcome.trailing_bytes, 4);
    }
}

#[test]
fn chunks_cut_anywhere_are_errors() {
    let size = data().len();
    for (codec, payload) in chunks() {
        for length in 0..payload.len() {
            assert_eq!(status(decode(codec, &payload[..length], size)), Status::Truncated);
            // The same with a header that states the shorter size.
            if length > 16 {
                let mut cut = payload[..length].to_vec();
                cut[12..16].copy_from_slice(&(length as u32).to_le_bytes());
                assert!(matches!(status(decode(codec, &cut, size)), Status::Corrupt | Status::Truncated), "{length}");
            }
        }
        for wrong in [0, 1, size - 1, size + 1, 1 << 20] {
            assert_eq!(status(decode(codec, &payload, wrong)), Status::DecodedSize);
            assert_eq!(status(decode_in_pieces(codec, &payload, wrong, || 100)), Status::DecodedSize);
        }
    }
}

#[test]
fn damaged_chunks_decode_alike_whole_and_in_pieces() {
    let mut random = Random(23);
    let size = data().len();
    for (codec, payload) in chunks() {
        for round in 0..1500 {
            let mut damaged = payload.clone();
            let reach = if round % 2 == 0 { damaged.len() } else { 60 };
            for _ in 0..1 + random.below(3) {
                damaged[random.below(reach)] = random.next() as u8;
            }
            match (decode(codec, &damaged, size), decode_in_pieces(codec, &damaged, size, || 1000)) {
                (Ok(whole), Ok(pieces)) => assert!(whole == pieces),
                (Err(whole), Err(pieces)) => assert_eq!(whole.status(), pieces.status()),
                (whole, pieces) => panic!("{:?} but in pieces {:?}", whole.err(), pieces.err()),
            }
        }
    }
}

#[test]
fn chunks_of_one_value() {
    let nan4 = f32::NAN.to_le_bytes().repeat(10);
    let nan8 = f64::NAN.to_le_bytes().repeat(5);
    let value = [1, 2, 3].repeat(14);
    for (type_size, special, rest, data) in [
        (4, 0x10, &[][..], vec![0; 40]),
        (4, 0x20, &[], nan4),
        (8, 0x20, &[], nan8),
        (3, 0x30, &[1, 2, 3], value[..40].to_vec()),
        (4, 0x40, &[], vec![0; 40]),
    ] {
        // Blocks whose borders lie inside elements.
        for block in [40, 16, 7] {
            let payload = chunk2(0, type_size, [40, block], special, rest);
            assert_eq!(decode(Codec::Blosc2, &payload, 40).unwrap().0, data);
            assert_eq!(decode_in_pieces(Codec::Blosc2, &payload, 40, || 3).unwrap().0, data);
        }
    }
    assert_eq!(status(decode(Codec::Blosc2, &chunk2(0, 3, [40, 40], 0x30, &[1, 2]), 40)), Status::Truncated);
    // A chunk of no bytes, and a chunk of uncompressed bytes.
    assert_eq!(decode(Codec::Blosc2, &chunk2(2, 1, [0, 0], 0, &[]), 0).unwrap().0, b"");
    assert_eq!(decode(Codec::Blosc2, &chunk2(2, 1, [5, 2], 0, b"abcde"), 5).unwrap().0, b"abcde");
    assert_eq!(status(decode(Codec::Blosc2, &chunk2(2, 1, [5, 2], 0, b"abcd"), 5)), Status::Corrupt);
}

#[test]
fn unsupported_features_are_named() {
    let mut streams = 36_i32.to_le_bytes().to_vec();
    streams.extend(3_i32.to_le_bytes());
    streams.extend(b"abc");
    let chunk = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut payload = chunk2(0x10, 4, [40, 40], 0, &streams);
        change(&mut payload);
        let error = decode(Codec::Blosc2, &payload, 40).unwrap_err();
        (error.status(), error.message().to_owned())
    };
    type Change<'a> = (&'a dyn Fn(&mut Vec<u8>), &'a str);
    let changes: [Change; 10] = [
        (&|payload| payload[0] = 6, "version 6"),
        (&|payload| payload[2] |= 2 << 5, "the codec Snappy"),
        (&|payload| payload[2] |= 5 << 5, "the codec number 5"),
        (&|payload| (payload[2], payload[22]) = (payload[2] | 6 << 5, 37), "the codec number 37 from a plug-in"),
        (&|payload| payload[19] = 35, "the filter bytedelta"),
        (&|payload| payload[16] = 99, "the filter number 99"),
        (&|payload| (payload[16], payload[17]) = (1, 3), "a filter before the delta filter"),
        (&|payload| payload[31] = 0x01, "a dictionary"),
        (&|payload| payload[31] = 0x08, "stored elsewhere"),
        (&|payload| payload[31] = 0x50, "special values of kind 5"),
    ];
    for (change, name) in changes {
        let (status, message) = chunk(change);
        assert!(status == Status::Unsupported && message.contains(name), "{message} instead of {name}");
    }
    assert_eq!(chunk(&|_| ()).0, Status::Corrupt);
}

#[test]
fn false_headers_take_no_memory() {
    // 2 GiB in one block whose data are missing.
    let huge = chunk2(0x10, 4, [i32::MAX, i32::MAX], 0, &[36, 0, 0, 0, 0, 0, 0, 0]);
    let source = MemorySource::of_vec(huge.clone());
    let read = |decoded_bytes| {
        let limits = Limits { decoded_bytes, ..Limits::default() };
        let size = i32::MAX as u64;
        Decoder::new(Codec::Blosc2, &source, 0, huge.len() as u64, size, &limits)?.read(&mut [0])
    };
    assert_eq!(status(read(1 << 20)), Status::Limit);
    // One block per byte, in a chunk too small for the block offsets.
    let many = chunk2(0x10, 1, [1_000_000, 1], 0, &[0; 100]);
    assert_eq!(status(decode(Codec::Blosc2, &many, 1_000_000)), Status::Corrupt);
    for negative in [4, 8, 12] {
        let mut payload = huge.clone();
        payload[negative + 3] = 0x80;
        assert_eq!(status(decode(Codec::Blosc2, &payload, 100)), Status::Corrupt);
    }
}

#[test]
fn items_of_every_size_are_written() {
    let mut random = Random(29);
    for codec in [Codec::Blosc, Codec::Blosc2] {
        for item_size in [0, 1, 2, 3, 4, 8, 12, 16, 17, 255, 256, 100_000] {
            for length in [1, 100, 3000, 600_001] {
                let data = random.bytes(length);
                let compression = Compression::new(codec, None).unwrap().of_items(item_size);
                assert_eq!(compression.codec(), &AnyCodec::BuiltIn(codec));
                let mut payload = Vec::new();
                encode(&compression, &data, &mut payload, 1).unwrap();
                assert!(payload.len() <= data.len() + 32);
                let type_size = if item_size < 256 { item_size.max(1) } else { 1 };
                assert_eq!(usize::from(payload[3]), type_size, "{codec:?} {item_size} {length}");
                assert!(decode(codec, &payload, length).unwrap() == (data, CLEAN), "{item_size} {length}");
            }
        }
        assert_eq!(status(Compression::new(codec, Some(0))), Status::InvalidArgument);
        assert_eq!(status(Compression::new(codec, Some(10))), Status::InvalidArgument);
    }
}

#[test]
fn inner_codecs_filters_and_levels_are_written() {
    let numbers: Vec<u8> = (0..100_003u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
    let codecs = BloscCodec::ALL.into_iter().filter(|inner| inner.name().parse::<BloscCodec>().is_ok());
    assert_eq!(codecs.clone().count(), if cfg!(feature = "zstd") { 3 } else { 2 });
    for inner in codecs {
        let sizes = [Shuffle::None, Shuffle::Byte, Shuffle::Bit].map(|shuffle| {
            let mut least = usize::MAX;
            for (codec, level, length) in
                [(Codec::Blosc, 1, numbers.len()), (Codec::Blosc2, 9, numbers.len()), (Codec::Blosc, 5, 1001)]
            {
                for type_size in [None, Some(1), Some(4), Some(255)] {
                    let options = BloscOptions { codec: Some(inner), shuffle: Some(shuffle), type_size };
                    let compression = Compression::new(codec, Some(level)).unwrap().of_items(4).with_blosc(options);
                    let (data, mut payload) = (&numbers[..length], Vec::new());
                    encode(&compression.unwrap(), data, &mut payload, 2).unwrap();
                    assert!(decode(codec, &payload, length).unwrap() == (data.to_vec(), CLEAN), "{options:?} {length}");
                    if type_size == Some(4) && length > 1001 {
                        least = least.min(payload.len());
                    }
                }
            }
            least
        });
        assert!(sizes[1] < sizes[0] && sizes[2] < sizes[0], "{inner:?} {sizes:?}");
    }
    let other = Compression::new(Codec::Zlib, None).unwrap();
    assert!(other.clone().with_blosc(BloscOptions::default()).is_ok());
    let options = BloscOptions { type_size: Some(2), ..BloscOptions::default() };
    assert_eq!(status(other.with_blosc(options)), Status::InvalidArgument);
    assert_eq!(status("snappy".parse::<BloscCodec>()), Status::InvalidArgument);
}

#[test]
fn damaged_streams_name_their_codec() {
    for (inner, name) in [("lz4", "LZ4"), ("zlib", "zlib"), ("zstd", "Zstandard")] {
        let Ok(codec) = inner.parse::<BloscCodec>() else { continue };
        let options = BloscOptions { codec: Some(codec), ..BloscOptions::default() };
        let compression = Compression::new(Codec::Blosc, None).unwrap().with_blosc(options).unwrap();
        let mut payload = Vec::new();
        encode(&compression, &[7; 3000], &mut payload, 1).unwrap();
        // After the header, the place of the only block, and the size of its only stream.
        payload[24..].fill(0xFF);
        let error = decode(Codec::Blosc, &payload, 3000).unwrap_err();
        assert_eq!(error.status(), Status::Corrupt);
        let wanted = format!("it does not decode as {name} to 3000 bytes");
        assert!(error.message().contains(&wanted), "{}", error.message());
    }
}
