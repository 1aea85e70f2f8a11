//! Encoding of a bzip2 stream on several threads. The stream has the same bytes as on one thread.
//!
//! The data are cut where the sequential encoder ends its blocks, which follows from the lengths of the runs of equal
//! bytes. Each block is encoded as a stream of its own. The bits of the blocks then form one stream.

use super::blocks::{BLOCK, CHECKSUM, END, MARK, bits};
use super::{UNIT, compressor};
use crate::codec::format::PayloadEncoder;
use crate::codec::memory::append;
use crate::codec::parallel;
use crate::error::{Error, Result, Status};
use crate::reserve::room_for;

/// Longest run of equal bytes that is encoded as one run.
const LONGEST_RUN: usize = 255;

/// Length of the header of a stream in bytes.
const HEADER: usize = 4;

/// A bzip2 stream whose blocks are encoded on several threads.
pub(super) struct BlockEncoder {
    level: u32,
    threads: usize,
    /// Data of the block that is not complete yet, and its search for the end.
    waiting: Vec<u8>,
    search: BlockEnd,
    written: BitWriter,
    checksum: u32,
}

impl BlockEncoder {
    pub(super) fn new(level: u32, threads: usize) -> BlockEncoder {
        let (search, written) = (BlockEnd::new(level), BitWriter::default());
        BlockEncoder { level, threads, waiting: Vec::new(), search, written, checksum: 0 }
    }
}

impl PayloadEncoder for BlockEncoder {
    fn unit(&self) -> usize {
        UNIT * 4 * self.threads
    }

    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let BlockEncoder { level, threads, waiting, search, written, checksum } = self;
        let mut joined = std::mem::take(waiting);
        if !joined.is_empty() {
            append(&mut joined, &[data])?;
        }
        let all = if joined.is_empty() { data } else { &joined[..] };
        let mut blocks = Vec::new();
        let mut rest = all;
        while let Some(length) = search.find(rest) {
            let block;
            (block, rest) = rest.split_at(length);
            blocks.push(block);
        }
        if last && !rest.is_empty() {
            blocks.push(std::mem::take(&mut rest));
        }
        if written.is_new {
            written.is_new = false;
            append(out, &[b"BZh", &[b'0' + *level as u8]])?;
        }
        let make = |index: usize| encode_block(blocks.get(index).copied().unwrap_or_default(), *level);
        parallel::in_order(blocks.len(), *threads, make, |block: EncodedBlock| {
            *checksum = checksum.rotate_left(1) ^ block.checksum;
            written.append(&block.stream, 8 * HEADER, block.end, out)
        })?;
        if last {
            let end = (u128::from(END) << CHECKSUM | u128::from(*checksum)) << (128 - MARK - CHECKSUM);
            written.append(&end.to_be_bytes(), 0, MARK + CHECKSUM, out)?;
            return written.finish(out);
        }
        if joined.is_empty() {
            return append(waiting, &[rest]);
        }
        let done = joined.len() - rest.len();
        joined.drain(..done);
        *waiting = joined;
        Ok(())
    }
}

/// The search for the end of a block, in data that become longer.
struct BlockEnd {
    /// Number of bytes after the encoding of runs at which a block is full.
    full: usize,
    /// Number of bytes before and after the encoding of runs, up to the last run that is certainly complete.
    at: usize,
    size: usize,
}

impl BlockEnd {
    fn new(level: u32) -> BlockEnd {
        BlockEnd { full: level as usize * 100_000 - 19, at: 0, size: 0 }
    }

    /// Returns the length of the first block and begins anew, or returns `None` if more data can belong to the block.
    fn find(&mut self, data: &[u8]) -> Option<usize> {
        loop {
            let rest = data.get(self.at..)?;
            let first = rest.first()?;
            let run = rest.iter().take(LONGEST_RUN).take_while(|byte| *byte == first).count();
            if run == rest.len() {
                // The run may go on.
                return None;
            }
            self.at += run;
            // A run of four or more bytes is stored as four bytes and a count.
            self.size += if run < 4 { run } else { 5 };
            if self.size >= self.full {
                self.size = 0;
                return Some(std::mem::take(&mut self.at));
            }
        }
    }
}

/// A stream with one block.
struct EncodedBlock {
    stream: Vec<u8>,
    /// Bit after the block.
    end: usize,
    checksum: u32,
}

fn encode_block(data: &[u8], level: u32) -> Result<EncodedBlock> {
    let mut encoder = compressor(level)?;
    let mut stream = Vec::new();
    loop {
        room_for(&mut stream, UNIT)?;
        let rest = data.get(encoder.total_in() as usize..).unwrap_or_default();
        let status = encoder.compress_vec(rest, &mut stream, bzip2::Action::Finish);
        if status.map_err(|error| failure(&error.to_string()))? == bzip2::Status::StreamEnd {
            break;
        }
    }
    let checksum =
        bits(&stream, 8 * HEADER + MARK, CHECKSUM).filter(|_| bits(&stream, 8 * HEADER, MARK) == Some(BLOCK));
    let checksum = checksum.ok_or_else(|| failure("a block is not where it should be"))?;
    // The end mark, the checksum of the only block, and up to seven free bits.
    let is_end =
        |&end: &usize| bits(&stream, end, MARK) == Some(END) && bits(&stream, end + MARK, CHECKSUM) == Some(checksum);
    let end = (0..8).filter_map(|free| (8 * stream.len()).checked_sub(MARK + CHECKSUM + free)).find(is_end);
    let end = end.ok_or_else(|| failure("the data do not form one block"))?;
    Ok(EncodedBlock { end, checksum: checksum as u32, stream })
}

fn failure(reason: &str) -> Error {
    Error::new(Status::Internal, format!("compressing with bzip2: {reason}"))
}

/// Appends bits to bytes.
struct BitWriter {
    is_new: bool,
    /// The bits after the last whole byte, from the highest on, and their number.
    partial: u8,
    count: usize,
}

impl Default for BitWriter {
    fn default() -> BitWriter {
        BitWriter { is_new: true, partial: 0, count: 0 }
    }
}

impl BitWriter {
    /// Appends the bits from `start` to `end`. `start` is a multiple of 8.
    fn append(&mut self, bytes: &[u8], start: usize, end: usize, out: &mut Vec<u8>) -> Result<()> {
        let whole = bytes.get(start / 8..end / 8).unwrap_or_default();
        room_for(out, whole.len() + 1)?;
        let BitWriter { partial, count, .. } = self;
        if *count == 0 {
            out.extend_from_slice(whole);
        } else {
            out.extend(whole.iter().map(|byte| {
                let made = *partial | byte >> *count;
                *partial = byte << (8 - *count);
                made
            }));
        }
        let more = end % 8;
        if more > 0 {
            let last = bytes.get(end / 8).copied().unwrap_or_default() & !(0xFF >> more);
            let both = u16::from(*partial) << 8 | u16::from(last) << (8 - *count);
            *count += more;
            *partial = (both >> 8) as u8;
            if *count >= 8 {
                out.push(*partial);
                (*partial, *count) = (both as u8, *count - 8);
            }
        }
        Ok(())
    }

    /// Fills the last byte with zero bits.
    fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        if self.count > 0 {
            append(out, &[&[self.partial]])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::bzip2::Encoder;

    /// Data of this many bytes: noise, and runs of lengths around those at which the encoding changes.
    fn data(seed: u64, length: usize) -> Vec<u8> {
        let mut state = seed;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % end
        };
        let mut data = Vec::new();
        while data.len() < length {
            let byte = below(4) as u8;
            let run = match below(9) {
                0 => 250 + below(12),
                1 => 505 + below(10),
                _ => 1 + below(6),
            };
            data.extend(std::iter::repeat_n(byte, run as usize));
        }
        data.truncate(length);
        data
    }

    #[test]
    fn streams_have_the_bytes_of_the_sequential_encoder() {
        let zeros = vec![0; 3_000_000];
        let noise: Vec<u8> = (0..450_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let cases = [data(1, 900_000), data(2, 1_700_001), data(3, 99_981), data(4, 1), Vec::new(), zeros, noise];
        for (number, data) in cases.iter().enumerate() {
            for level in [1, 2] {
                let mut expected = Vec::new();
                let compress = bzip2::Compress::new(bzip2::Compression::new(level), 0);
                Encoder(compress).encode(data, true, &mut expected).unwrap();
                for piece in [usize::MAX, 70_000, 333_333] {
                    let mut encoder = BlockEncoder::new(level, 3);
                    let mut found = Vec::new();
                    let mut rest = &data[..];
                    while rest.len() > piece {
                        encoder.encode(&rest[..piece], false, &mut found).unwrap();
                        rest = &rest[piece..];
                    }
                    encoder.encode(rest, true, &mut found).unwrap();
                    assert!(found == expected, "case {number}, level {level}, pieces of {piece}");
                }
            }
        }
    }
}
