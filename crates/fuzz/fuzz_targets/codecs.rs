//! Each codec: a damaged payload is decoded at once, on threads and in pieces with one result; encoding and decoding gives
//! the same bytes.
#![no_main]

use asdfkit::Limits;
use asdfkit::codec::{Codec, Compression, Decoder, decode_into, encode};
use asdfkit::source::MemorySource;
use asdfkit_fuzz::input::Choices;
use asdfkit_fuzz::judge::{judge, take};
use libfuzzer_sys::fuzz_target;

fn in_pieces(codec: Codec, payload: &[u8], size: usize, piece: usize) -> asdfkit::Result<Vec<u8>> {
    let source = MemorySource::of_vec(payload.to_vec());
    let limits = Limits { decoded_bytes: 16 << 20, ..Limits::default() };
    let mut decoder = Decoder::new(codec, &source, 0, payload.len() as u64, size as u64, &limits)?;
    let mut out = vec![0; size];
    let mut done = 0;
    while done < size {
        let end = (done + piece).min(size);
        done += decoder.read(&mut out[done..end])?;
    }
    decoder.finish()?;
    Ok(out)
}

fn at_once(codec: Codec, payload: &[u8], size: usize, threads: usize) -> asdfkit::Result<Vec<u8>> {
    let source = MemorySource::of_vec(payload.to_vec());
    let mut out = vec![0; size];
    decode_into(codec, &source, 0, payload.len() as u64, &mut out, threads)?;
    Ok(out)
}

fuzz_target!(|input: &[u8]| {
    let mut choices = Choices(input);
    let codec = *choices.of(Codec::ALL);
    let size = choices.below(1 << 16);
    let piece = choices.below(300) + 1;
    let item = choices.below(17) + 1;
    let bytes = choices.0;
    let whole = at_once(codec, bytes, size, 1);
    let pieces = in_pieces(codec, bytes, size, piece);
    let threaded = at_once(codec, bytes, size, 2);
    match (&whole, &pieces, &threaded) {
        (Ok(whole), Ok(pieces), Ok(threaded)) => assert!(whole == pieces && whole == threaded),
        (Err(whole), Err(pieces), Err(threaded)) => [whole, pieces, threaded].into_iter().for_each(judge),
        _ => panic!("{codec:?}: {:?} {:?} {:?}", whole.is_ok(), pieces.is_ok(), threaded.is_ok()),
    }
    let Some(compression) = take(Compression::new(codec, None)) else { return };
    let mut payload = Vec::new();
    if take(encode(&compression.of_items(item), bytes, &mut payload, 1)).is_some() {
        assert!(at_once(codec, &payload, bytes.len(), 1).is_ok_and(|decoded| decoded == bytes));
        assert!(in_pieces(codec, &payload, bytes.len(), piece).is_ok_and(|decoded| decoded == bytes));
    }
});
