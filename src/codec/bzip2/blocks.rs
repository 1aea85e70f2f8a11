//! Decoding of a whole bzip2 stream on several threads.
//!
//! Blocks begin at any bit with a 48-bit mark, which can also occur inside a block by chance. Each piece between two
//! marks is therefore decoded as a separate stream, which succeeds only if a block ends where the piece ends. After any
//! error the sequential decoder takes over.

use crate::codec::memory::created;
use crate::codec::outcome::Outcome;
use crate::codec::parallel;
use crate::error::{Error, Status};
use crate::progress::{self, Counted};

/// Marks at the start of a block and after the last block; 48 bits each.
pub(super) const BLOCK: u64 = 0x3141_5926_5359;
pub(super) const END: u64 = 0x1772_4538_5090;

/// Bits of a mark and of the checksum after it.
pub(super) const MARK: usize = 48;
pub(super) const CHECKSUM: usize = 32;

/// Decodes the stream at the start of `stored` into `output`. Returns `None` if the stream must be decoded
/// sequentially.
pub(super) fn decode(stored: &[u8], output: &mut [u8], threads: usize) -> Option<Outcome> {
    let header: &[u8; 4] = stored.first_chunk()?;
    let [b'B', b'Z', b'h', level @ b'1'..=b'9'] = *header else { return None };
    let marks = Marks::find(stored)?;
    let count = marks.starts.len().checked_sub(1).filter(|&count| count > 1)?;
    // Few blocks exceed this size when decoded; those that do exceed it by far.
    let usual = usize::from(level - b'0') * 100_000;
    let most = output.len();
    let mut rest = output;
    let mut checksum = 0_u32;
    let decoded = parallel::in_order(
        count,
        threads,
        |index| {
            let (start, end) = (marks.starts[index], marks.starts[index + 1]);
            decode_block(stored, *header, start, end, usual, most).ok_or_else(fall_back)
        },
        |(block, block_checksum): (Vec<u8>, u32)| {
            let (here, after) = std::mem::take(&mut rest).split_at_mut_checked(block.len()).ok_or_else(fall_back)?;
            here.copy_from_slice(&block);
            rest = after;
            checksum = checksum.rotate_left(1) ^ block_checksum;
            progress::advance(Counted::Elements, block.len() as u64)
        },
    );
    let end = marks.starts[count];
    let complete = decoded.is_ok() && rest.is_empty() && bits(stored, end + MARK, CHECKSUM)? == u64::from(checksum);
    let length = (end + MARK + CHECKSUM).div_ceil(8);
    complete.then(|| Outcome::of_trailing((stored.len() - length) as u64))
}

/// Error that means "decode sequentially". It is never shown to users.
fn fall_back() -> Error {
    Error::new(Status::Corrupt, "the bzip2 stream must be decoded sequentially")
}

/// Decodes the block between two bit positions as a separate stream. Returns its bytes and its checksum.
fn decode_block(
    stored: &[u8],
    header: [u8; 4],
    start: usize,
    end: usize,
    usual: usize,
    most: usize,
) -> Option<(Vec<u8>, u32)> {
    let checksum = bits(stored, start + MARK, CHECKSUM)?;
    let mut stream = Vec::new();
    stream.try_reserve_exact((end - start).div_ceil(8) + 16).ok()?;
    stream.extend_from_slice(&header);
    let mut at = start;
    while at < end {
        let count = (end - at).min(56);
        let bytes = (bits(stored, at, count)? << (64 - count)).to_be_bytes();
        stream.extend_from_slice(bytes.get(..count.div_ceil(8))?);
        at += count;
    }
    // The last byte may have free bits, which take the first bits of the end mark.
    let free = (8 - (end - start) % 8) % 8;
    let tail = (u128::from(END) << CHECKSUM | u128::from(checksum)) << (128 - MARK - CHECKSUM);
    if let Some(last) = stream.last_mut().filter(|_| free > 0) {
        *last |= (tail >> (128 - free)) as u8;
    }
    stream.extend_from_slice(&(tail << free).to_be_bytes()[..(MARK + CHECKSUM - free).div_ceil(8)]);

    let mut decoder = created("bzip2", || bzip2::Decompress::new(false)).ok()?;
    let mut block = Vec::new();
    let mut room = usual.min(most);
    loop {
        block.try_reserve_exact(room).ok()?;
        let rest = stream.get(usize::try_from(decoder.total_in()).ok()?..)?;
        match decoder.decompress_vec(rest, &mut block) {
            Ok(bzip2::Status::StreamEnd) => break,
            Ok(bzip2::Status::Ok) if block.len() == block.capacity() && block.len() < most => room = block.len(),
            _ => return None,
        }
    }
    (decoder.total_in() == stream.len() as u64).then_some((block, checksum as u32))
}

/// Returns `count` bits from bit `start` on; at most 56.
pub(super) fn bits(bytes: &[u8], start: usize, count: usize) -> Option<u64> {
    let mut window = [0; 8];
    let from = bytes.get(start / 8..(start + count).div_ceil(8))?;
    window.get_mut(..from.len())?.copy_from_slice(from);
    Some((u64::from_be_bytes(window) << (start % 8)).checked_shr(64 - count as u32).unwrap_or(0))
}

/// Bit positions of the block marks, followed by the position of the end mark. Some may be chance matches.
struct Marks {
    starts: Vec<usize>,
}

impl Marks {
    fn find(stored: &[u8]) -> Option<Marks> {
        // Bit `s` of a table entry is set if the byte can stand at this place of a mark that begins `s` bits into a
        // byte. The lower 8 bits are for the block mark, the upper 8 for the end mark. The tables use bytes 2 and 4 of
        // a window, whose bits all belong to the mark.
        let mut tables = [[0_u16; 256]; 2];
        for (mark, half) in [(BLOCK, 0), (END, 8)] {
            for shift in 0..8 {
                let bytes = (mark << (64 - MARK - shift)).to_be_bytes();
                tables[0][usize::from(bytes[2])] |= 1 << (shift + half);
                tables[1][usize::from(bytes[4])] |= 1 << (shift + half);
            }
        }
        let [third, fifth] = tables;
        let mut starts = Vec::new();
        for (place, window) in stored.windows(5).enumerate() {
            let found = third[usize::from(window[2])] & fifth[usize::from(window[4])];
            if found == 0 {
                continue;
            }
            for shift in (0..8).filter(|shift| (found | found >> 8) & 1 << shift != 0) {
                let start = 8 * place + shift;
                match bits(stored, start, MARK) {
                    Some(BLOCK) => {
                        starts.try_reserve(1).ok()?;
                        starts.push(start);
                    }
                    Some(END) => {
                        starts.push(start);
                        return Some(Marks { starts });
                    }
                    _ => {}
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(data: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::Compress::new(bzip2::Compression::new(1), 0);
        let mut out = Vec::with_capacity(2 * data.len() + 1000);
        assert_eq!(encoder.compress_vec(data, &mut out, bzip2::Action::Finish).unwrap(), bzip2::Status::StreamEnd);
        out
    }

    #[test]
    fn blocks_are_decoded_one_by_one() {
        let mut data: Vec<u8> = (0..150_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        // A long run: its block decodes to more than its usual size.
        data.resize(550_000, 7);
        let stream = encoded(&data);
        let followed = [&stream[..], b"more"].concat();
        for threads in [1, 3] {
            let mut out = vec![0; data.len()];
            let trailing =
                |stored: &[u8], out: &mut [u8]| decode(stored, out, threads).map(|found| found.trailing_bytes);
            assert_eq!(trailing(&stream, &mut out), Some(0));
            assert!(out == data);
            assert_eq!(trailing(&followed, &mut out), Some(4));
            assert_eq!(trailing(&stream, &mut out[1..]), None);
            assert_eq!(trailing(&stream, &mut vec![0; data.len() + 1]), None);
            for at in [0, 3, 10, stream.len() / 2, stream.len() - 3] {
                let mut damaged = stream.clone();
                damaged[at] ^= 0x10;
                assert_eq!(trailing(&damaged, &mut out), None, "{at}");
            }
            assert_eq!(trailing(&stream[..stream.len() - 1], &mut out), None);
        }
        // One block is left to the sequential decoder.
        assert_eq!(decode(&encoded(b"short"), &mut [0; 5], 3), None);
    }
}
