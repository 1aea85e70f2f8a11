//! Payloads encoded in pieces, compared with those encoded at once.

use super::{CLEAN, Random, decode, encoded, status};
use asdfkit::Status;
use asdfkit::codec::{Codec, Compression, Encoder};

fn in_pieces(codec: Codec, size: Option<u64>, threads: usize, pieces: &mut dyn Iterator<Item = &[u8]>) -> Vec<u8> {
    let mut encoder = Encoder::new(&Compression::new(codec, None).unwrap(), size, threads).unwrap();
    let mut out = b"before".to_vec();
    pieces.for_each(|piece| encoder.write(piece, &mut out).unwrap());
    encoder.finish(&mut out).unwrap();
    out.split_off(6)
}

fn streaming() -> impl Iterator<Item = Codec> {
    Codec::ALL.iter().copied().filter(|codec| !["blsc", "bls2"].contains(&codec.name()))
}

#[test]
fn pieces_make_the_payload_of_the_whole() {
    let mut random = Random(53);
    let large = random.bytes(9 << 20);
    for codec in streaming() {
        // More than two units of the codec.
        let unit = match codec.name() {
            "lz4" | "lz4f" => 4 << 20,
            "zlib" => 1 << 20,
            _ => 1 << 18,
        };
        for (data, piece) in [(&large[..2 * unit + 100], 700_001), (&large[..2 * unit], 1 << 20), (b"abc", 2), (b"", 1)]
        {
            let whole = encoded(codec, data);
            let size = data.len() as u64;
            let threads = if piece == 1 << 20 { 3 } else { 1 };
            assert_eq!(in_pieces(codec, Some(size), threads, &mut data.chunks(piece)), whole, "{codec:?} {size}");
            if codec == Codec::Zlib {
                assert_eq!(in_pieces(codec, Some(size), 1, &mut std::iter::once(data)), whole, "{size}");
            }
            let unsized_payload = in_pieces(codec, None, 1, &mut data.chunks(piece));
            assert_eq!(decode(codec, &unsized_payload, data.len()).unwrap(), (data.to_vec(), CLEAN));
        }
    }
}

/// Each piece refers to the bytes before it, of the same call or of the one before.
#[test]
fn matches_reach_into_earlier_pieces() {
    let data = Random(54).bytes(20_000).repeat(360);
    let whole = encoded(Codec::Zlib, &data);
    assert!(whole.len() < data.len() / 50);
    for threads in [1, 3] {
        assert_eq!(in_pieces(Codec::Zlib, None, threads, &mut data.chunks(1_000_000)), whole, "{threads}");
    }
    assert_eq!(decode(Codec::Zlib, &whole, data.len()).unwrap(), (data, CLEAN));
}

#[test]
fn formats_that_need_all_data_refuse_pieces() {
    for &codec in Codec::ALL {
        let result = Encoder::new(&Compression::new(codec, None).unwrap(), None, 1);
        match streaming().any(|streaming| streaming == codec) {
            true => drop(result.unwrap()),
            false => assert_eq!(status(result.map(drop)), Status::Unsupported),
        }
    }
}
