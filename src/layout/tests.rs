//! Whole files, valid and damaged, read by [`Layout::read`].

use super::*;
use crate::error::{Error, Status};
use crate::source::MemorySource;
use crate::tags::StandardVersion;
use std::sync::atomic::{AtomicU64, Ordering};

fn read(bytes: &[u8]) -> Result<Layout> {
    Layout::read(Arc::new(MemorySource::of_vec(bytes.to_vec())), &Limits::default())
}

const TREE: &str = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\na: 1\n...\n";

fn header(allocated: u64, used: u64) -> BlockHeader {
    BlockHeader {
        offset: 0,
        header_size: 48,
        flags: 0,
        compression: [0; 4],
        allocated_size: allocated,
        used_size: used,
        data_size: used,
        checksum: [0; 16],
    }
}

fn block(payload: &[u8]) -> Vec<u8> {
    let size = payload.len() as u64;
    [header(size, size).encode(), payload.to_vec()].concat()
}

fn streamed(payload: &[u8]) -> Vec<u8> {
    [BlockHeader { flags: 1, ..header(0, 0) }.encode(), payload.to_vec()].concat()
}

/// Returns a file of a tree and these parts, and the offset of each part.
fn file(parts: &[&[u8]]) -> (Vec<u8>, Vec<u64>) {
    let mut bytes = TREE.as_bytes().to_vec();
    let mut offsets = Vec::new();
    for part in parts {
        offsets.push(bytes.len() as u64);
        bytes.extend(*part);
    }
    (bytes, offsets)
}

fn indexed(mut bytes: Vec<u8>, offsets: &[u64]) -> Vec<u8> {
    bytes.extend(index::encode(offsets.iter().copied()).unwrap());
    bytes
}

/// Returns the offsets of all blocks, requested one by one, in reverse order if `backwards`; and the number of
/// warnings.
fn offsets_of(bytes: &[u8], backwards: bool) -> Result<(Vec<u64>, usize)> {
    let layout = read(bytes)?;
    let count = layout.blocks.count()?;
    let mut found = vec![0; count as usize];
    for number in 0..count {
        let number = if backwards { count - 1 - number } else { number };
        found[number as usize] = layout.blocks.get(number)?.offset;
        assert_eq!(layout.blocks.get_from_end(count - number)?.offset, found[number as usize]);
    }
    assert_eq!(layout.blocks.get(count).unwrap_err().status(), Status::BlockNotFound);
    assert_eq!(layout.blocks.get_from_end(count + 1).unwrap_err().status(), Status::BlockNotFound);
    assert_eq!(layout.blocks.get_from_end(0).unwrap_err().status(), Status::BlockNotFound);
    layout.blocks.check()?;
    assert_eq!(layout.blocks.count()?, count);
    Ok((found, layout.warnings().len()))
}

#[track_caller]
fn expect(bytes: &[u8], offsets: &[u64], warnings: usize) {
    for backwards in [false, true] {
        assert_eq!(offsets_of(bytes, backwards).unwrap(), (offsets.to_vec(), warnings));
    }
}

#[track_caller]
fn refused(bytes: &[u8]) -> Error {
    read(bytes).err().expect("an error")
}

#[test]
fn parts_and_their_places() {
    let (mut bytes, offsets) = file(&[b"  \0\xD3BL ", &block(b"abcd"), &block(b"")]);
    bytes.extend([0; 5]);
    let layout = read(&bytes).unwrap();
    let tree = layout.tree.as_ref().unwrap();
    assert_eq!((layout.header.clone(), tree.range.clone(), tree.line), (0..33, 33..56, 3));
    assert_eq!(tree.bytes, &TREE.as_bytes()[33..]);
    assert_eq!(layout.comments, ["ASDF_STANDARD 1.6.0"]);
    assert_eq!(layout.standard.effective, StandardVersion::V1_6_0);
    expect(&bytes, &offsets[1..], 0);
}

#[test]
fn files_without_a_tree() {
    let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n".as_bytes();
    expect(text, &[], 0);
    expect(&[text, &block(b"abcd")].concat(), &[33], 0);
    expect(&indexed([text, &block(b"abcd"), &block(b"e")].concat(), &[33, 91]), &[33, 91], 0);
    assert_eq!(refused(&[text, b"    \n", &block(b"abcd")].concat()).status(), Status::Layout);
}

#[test]
fn crlf_throughout() {
    let mut bytes = TREE.replace('\n', "\r\n").into_bytes();
    let start = bytes.len() as u64;
    bytes.extend(block(b"ab"));
    expect(&bytes, &[start], 0);
    bytes.extend(b"xyz");
    let layout = read(&bytes).unwrap();
    layout.blocks.check().unwrap();
    assert!(layout.warnings()[0].message.contains("transfer in text mode"));
    bytes.splice(start as usize + 4..start as usize + 6, [0, 47]);
    let error = refused(&bytes);
    assert_eq!(error.status(), Status::BlockHeader);
    assert!(error.message().contains("transfer in text mode"), "{}", error.message());
}

#[test]
fn first_headers_that_refuse_the_file() {
    let with = |header: BlockHeader| file(&[&header.encode(), b"abcd", &block(b"abcd")]).0;
    for (bytes, status) in [
        (with(BlockHeader { header_size: 47, ..header(4, 4) }), Status::BlockHeader),
        (with(header(2, 4)), Status::BlockHeader),
        (with(header(1 << 63, 4)), Status::BlockHeader),
        (with(BlockHeader { compression: *b"zlib", flags: 1, ..header(4, 4) }), Status::BlockHeader),
        (file(&[&block(b"")[..53]]).0, Status::Truncated),
        (file(&[&block(b"")[..4]]).0, Status::Truncated),
        (file(&[&BlockHeader { header_size: 65535, ..header(0, 0) }.encode()[..6000]]).0, Status::Truncated),
    ] {
        let error = refused(&bytes);
        assert_eq!(error.status(), status);
        assert!(error.location().offset.is_some());
    }
}

#[test]
fn irregular_headers_can_be_used() {
    let long = BlockHeader { header_size: 65535, flags: 0x8000_0002, ..header(4, 4) }.encode();
    let (bytes, offsets) = file(&[&long, b"abcd", &block(b"x")]);
    expect(&bytes, &[offsets[0], offsets[2]], 0);
    let (bytes, offsets) = file(&[&header(9, 4).encode(), b"abcd\xD3BLK.", &block(b"x")]);
    expect(&bytes, &[offsets[0], offsets[2]], 0);
    let (bytes, offsets) = file(&[&BlockHeader { data_size: 3, ..header(4, 4) }.encode(), b"abcd"]);
    expect(&bytes, &offsets[..1], 1);
    // First only reserved bytes are missing, then payload bytes, up to a very large announced size.
    for (allocated, used) in [(100, 4), (100, 5), (1 << 62, 1 << 62)] {
        let (bytes, offsets) = file(&[&header(allocated, used).encode(), b"abcd"]);
        expect(&bytes, &offsets[..1], 1);
        let found = read(&bytes).unwrap().blocks.get(0).unwrap().stored_range(bytes.len() as u64);
        assert_eq!(found.is_ok(), used == 4);
    }
}

#[test]
fn bytes_between_and_after_blocks() {
    let (one, two) = (block(b"abcd"), block(b"ef"));
    for (between, after, count, warnings) in [
        (&b""[..], &b""[..], 2, 0),
        (b"", b"\0\0\0", 2, 0),
        (b"", b"garbage", 2, 1),
        (b"", b"   ", 2, 1),
        (b"", b"#ASDF BLOCK IND", 2, 0),
        (b"", b"#ASDF BLOCK INDEX \n%YAML 1.1\n---\n- 56\n...\n", 2, 1),
        (b"", b"#ASDF BLOCK INDEX\n%YAML 1.1\n--- [\n...\n", 2, 0),
        (b" \n\0", b"", 2, 1),
        (b"xyz", b"", 1, 1),
    ] {
        let (bytes, offsets) = file(&[&one, between, &two, after]);
        expect(&bytes, &[offsets[0], offsets[2]][..count], warnings);
    }
    // A later header is checked when it is needed.
    let (bytes, _) = file(&[&one, &header(2, 4).encode(), b"abcd"]);
    let layout = read(&bytes).unwrap();
    for _ in 0..2 {
        assert!(layout.blocks.get(0).is_ok());
        assert_eq!(layout.blocks.get(1).unwrap_err().status(), Status::BlockHeader);
        assert_eq!(layout.blocks.count().unwrap_err().status(), Status::BlockHeader);
    }
}

#[test]
fn streamed_blocks_take_the_rest() {
    let tail = [block(b"abcd"), index::encode([56].into_iter()).unwrap()].concat();
    let (bytes, offsets) = file(&[&streamed(&tail)]);
    expect(&bytes, &offsets, 0);
    let last = read(&bytes).unwrap().blocks.get_from_end(1).unwrap();
    assert_eq!(last.decoded_size(bytes.len() as u64), tail.len() as u64);
    let (bytes, offsets) = file(&[&block(b"abcd"), &streamed(b"")]);
    expect(&bytes, &offsets, 0);
    // Sizes in the header of a stream are told, unless a block follows them.
    let ordinary = |size| BlockHeader { flags: 1, ..header(size, size) }.encode();
    let (bytes, offsets) = file(&[&ordinary(4), b"abcd", &block(b"efgh")]);
    expect(&bytes, &offsets[..1], 0);
    let (bytes, offsets) = file(&[&ordinary(3), b"abcd", &block(b"efgh")]);
    expect(&bytes, &offsets[..1], 1);
    // An index after a stream that lists bytes of the stream which look like blocks.
    let (bytes, offsets) = file(&[&block(b"abcd"), &streamed(b""), &block(b"fake")]);
    expect(&indexed(bytes.clone(), &offsets), &offsets[..2], 0);
    expect(&indexed(bytes, &[offsets[0], offsets[2]]), &offsets[..2], 0);
}

#[test]
fn the_blocks_of_a_longer_file_are_at_the_known_offsets() {
    let (short, _) = file(&[&block(b"abcd")]);
    let (long, offsets) = file(&[&block(b"abcd"), &block(b"efgh"), &block(b"ijkl")]);
    let source = Arc::new(MemorySource::of_vec(long));
    let layout = read(&short).unwrap().longer(source, vec![offsets[0], offsets[2]], &Limits::default()).unwrap();
    assert_eq!(layout.blocks.count().unwrap(), 2);
    assert_eq!(layout.blocks.get(1).unwrap().offset, offsets[2]);
}

#[test]
fn indexes_right_and_wrong() {
    for payloads in [[&b"aaaa"[..], b"bbbb", b"cccc", b"dddd"], [b"a", b"bb", b"", b"dddd"]] {
        let blocks = payloads.map(block);
        let (bytes, offsets) = file(&[&blocks[0], &blocks[1], &blocks[2], &blocks[3]]);
        let [a, b, c, d] = offsets[..] else { panic!() };
        let far = bytes.len() as u64 + 500;
        for list in [
            &[a, b, c, d][..],
            &[a + 1, b, c, d],
            &[a, b + 1, c, d],
            &[a, b, c, d - 1],
            &[a, b, c],
            &[a, b, d],
            &[a, c, d],
            &[a, d],
            &[a],
            &[b, c, d],
            &[a, b, c, d, d + 54],
            &[a, b, c, d, far],
            &[a + 15, b + 15, c + 15, d + 15],
        ] {
            for zeros in [0, 3] {
                let mut bytes = indexed(bytes.clone(), list);
                bytes.resize(bytes.len() + zeros, 0);
                expect(&bytes, &offsets, 0);
                // Request each block first.
                for (number, offset) in offsets.iter().enumerate() {
                    assert_eq!(read(&bytes).unwrap().blocks.get(number as u64).unwrap().offset, *offset);
                    let from_end = offsets.len() - number;
                    assert_eq!(read(&bytes).unwrap().blocks.get_from_end(from_end as u64).unwrap().offset, *offset);
                }
            }
        }
    }
}

#[test]
fn an_index_steps_over_gaps_but_not_over_blocks() {
    let (bytes, offsets) = file(&[&block(b"abcd"), b"xyz", &block(b"abcdefg"), &block(b"ef")]);
    let (a, b, c) = (offsets[0], offsets[2], offsets[3]);
    expect(&indexed(bytes.clone(), &[a, b, c]), &[a, b, c], 1);
    // Without an index, the scan stops at the gap.
    expect(&indexed(bytes.clone(), &[a, b]), &[a], 1);
    expect(&indexed(bytes, &[a, c]), &[a, c], 1);
    let (bytes, offsets) = file(&[&block(b"abcd"), b"   ", &block(b"abcdefg"), &block(b"ef")]);
    let (a, b, c) = (offsets[0], offsets[2], offsets[3]);
    expect(&indexed(bytes.clone(), &[a, b, c]), &[a, b, c], 1);
    expect(&indexed(bytes, &[a, c]), &[a, b, c], 1);
}

#[test]
fn text_of_an_index_in_a_payload() {
    let text = index::encode([56].into_iter()).unwrap();
    let (bytes, offsets) = file(&[&block(&text), &block(b"x")]);
    expect(&bytes, &offsets, 0);
    let (bytes, offsets) = file(&[&block(b"x"), &block(&text)]);
    expect(&bytes, &offsets, 0);
    expect(&indexed(bytes, &offsets), &offsets, 0);
    // A whole file inside a block.
    let (inner, inner_offsets) = file(&[&block(b"abc"), &block(b"")]);
    let (bytes, offsets) = file(&[&block(&indexed(inner, &inner_offsets))]);
    expect(&bytes, &offsets, 0);
    // An index in a file without blocks.
    expect(&indexed(TREE.into(), &[56]), &[], 0);
}

/// Two short blocks together are as long as each of the other blocks, and the index lists them as one. Only the first
/// block with this distance is checked, and it is a real one.
#[test]
fn a_wrong_index_is_detected() {
    let double = block(&[7; 54]);
    let single = block(b"");
    let parts: [&[u8]; 6] = [&double, &double, &single, &single, &double, &double];
    let (bytes, offsets) = file(&parts);
    let wrong: Vec<u64> = offsets.iter().copied().filter(|offset| *offset != offsets[3]).collect();
    let bytes = indexed(bytes, &wrong);
    // Block 4 of the index is really block 5. The header of its block 2 reveals this.
    let layout = read(&bytes).unwrap();
    assert_eq!(layout.blocks.get(4).unwrap().offset, offsets[5]);
    for _ in 0..2 {
        assert_eq!(layout.blocks.get(2).unwrap_err().status(), Status::Layout);
    }
    assert_eq!(layout.blocks.check().unwrap_err().status(), Status::Layout);
    // In order, or after a check, no wrong block is returned.
    let layout = read(&bytes).unwrap();
    for (number, offset) in offsets.iter().enumerate() {
        assert_eq!(layout.blocks.get(number as u64).unwrap().offset, *offset);
    }
    let layout = read(&bytes).unwrap();
    layout.blocks.check().unwrap();
    assert_eq!(layout.blocks.get(4).unwrap().offset, offsets[4]);
}

#[test]
fn too_many_blocks() {
    let (bytes, offsets) = file(&[&block(b"a"), &block(b"b"), &block(b"c")]);
    for bytes in [indexed(bytes.clone(), &offsets), bytes] {
        let limits = Limits { blocks: 2, ..Limits::default() };
        let layout = Layout::read(Arc::new(MemorySource::of_vec(bytes)), &limits).unwrap();
        assert!(layout.blocks.get(1).is_ok());
        assert_eq!(layout.blocks.get(2).unwrap_err().status(), Status::Limit);
    }
}

#[test]
fn messages_say_how_many_blocks_there_are() {
    let parts = [&block(b"a")[..], &block(b"b")];
    for (count, expected) in [(0, "it has no blocks"), (1, "it has one block"), (2, "it has 2 blocks")] {
        let error = read(&file(&parts[..count]).0).unwrap().blocks.get(9).unwrap_err();
        assert_eq!(error.message(), format!("the file has no block 9; {expected}"));
    }
}

#[test]
fn a_thousand_warnings_are_kept() {
    let odd = BlockHeader { data_size: 0, ..header(1, 1) }.encode();
    let (bytes, _) = file(&vec![&[&odd[..], b"a"].concat()[..]; 1002]);
    let layout = read(&bytes).unwrap();
    layout.blocks.check().unwrap();
    assert_eq!((layout.warnings().len(), layout.dropped_warning_count()), (1000, 2));
}

#[test]
fn a_file_cut_anywhere_shows_it() {
    let parts: [&[u8]; 3] = [&block(b"abcd"), &block(b"efghij"), &block(b"k")];
    let (bytes, mut offsets) = file(&parts);
    let blocks_end = bytes.len() as u64;
    let whole = indexed(bytes, &offsets);
    let tree_end = offsets[0];
    offsets.push(blocks_end);
    // At these lengths the remaining bytes are a valid file.
    let legal = |cut: u64| cut == 12 || cut == 33 || cut == tree_end - 1 || offsets.contains(&cut);
    for cut in 0..whole.len() as u64 {
        let Ok(layout) = read(&whole[..cut as usize]) else { continue };
        if layout.tree.is_none() {
            assert!(legal(cut) || !layout.warnings().is_empty(), "{cut}");
            continue;
        }
        let Ok(()) = layout.blocks.check() else { continue };
        if cut >= blocks_end {
            assert_eq!(layout.blocks.count().unwrap(), 3);
        } else {
            assert!(legal(cut) || !layout.warnings().is_empty(), "{cut}");
        }
    }
}

#[test]
fn planned_files_read_back() {
    let request = |payload: &[u8], slack| BlockRequest {
        stored_size: payload.len() as u64,
        data_size: payload.len() as u64,
        checksum: md5(payload),
        slack,
        ..BlockRequest::default()
    };
    let payloads: [&[u8]; 3] = [b"abcd", b"", b"\xD3BLK#ASDF BLOCK INDEX\n"];
    let requests = [request(payloads[0], 3), request(payloads[1], 0), request(payloads[2], 100)];
    for alignment in [0, 64] {
        for tree_slack in [TreeSlack::Default, TreeSlack::Growing, TreeSlack::Bytes(0), TreeSlack::Bytes(1)] {
            let options = PlanOptions { alignment, tree_slack, index: true };
            let mut planner = Planner::new(33, 23, true, &options).unwrap();
            let mut bytes = TREE.as_bytes().to_vec();
            bytes.extend(slack_bytes(planner.slack()).unwrap());
            let mut headers = Vec::new();
            for (request, payload) in requests.iter().zip(payloads) {
                let header = planner.add(request).unwrap();
                bytes.extend(header.encode());
                bytes.extend(payload);
                bytes.resize(header.end().unwrap() as usize, 0);
                headers.push(header);
            }
            assert_eq!(bytes.len() as u64, planner.end());
            bytes.extend(planner.index().unwrap());
            let source = MemorySource::of_vec(bytes.clone());
            let layout = read(&bytes).unwrap();
            for (number, header) in headers.iter().enumerate() {
                assert_eq!(layout.blocks.get(number as u64).unwrap(), *header);
                let verdict = verify_checksum(&source, header, None, || panic!("not compressed")).unwrap();
                assert_eq!(verdict, ChecksumMatch::Stored);
            }
            assert_eq!(layout.blocks.count().unwrap(), 3);
            assert_eq!(layout.warnings(), []);
        }
    }
}

struct Counting(MemorySource, AtomicU64, AtomicU64);

impl Source for Counting {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.2.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.0.read_at(offset, buffer)
    }
}

#[test]
fn the_cost_follows_the_requests() {
    let count = 10_000;
    let cost = |with_index: bool, size: usize, count: usize, number: u64| {
        let one = block(&vec![1; size]);
        let (bytes, offsets) = file(&vec![&one[..]; count]);
        let bytes = if with_index { indexed(bytes, &offsets) } else { bytes };
        let source = Arc::new(Counting(MemorySource::of_vec(bytes), AtomicU64::new(0), AtomicU64::new(0)));
        let layout = Layout::read(source.clone(), &Limits::default()).unwrap();
        assert_eq!(layout.blocks.get(number).unwrap().offset, offsets[number as usize]);
        (source.1.load(Ordering::Relaxed), source.2.load(Ordering::Relaxed))
    };
    let (reads, bytes) = cost(true, 1024, count, count as u64 - 1);
    assert!(reads < 15 && bytes < 300_000, "{reads} reads, {bytes} bytes");
    let (reads, bytes) = cost(false, 1024, count, count as u64 - 1);
    assert!(reads < 250 && bytes < 11_000_000, "{reads} reads, {bytes} bytes");
    // Payloads of distant blocks are not read.
    let (reads, bytes) = cost(false, 100_000, 50, 49);
    assert!(reads < 60 && bytes < 100_000, "{reads} reads, {bytes} bytes");
    let (reads, bytes) = cost(true, 100_000, 50, 0);
    assert!(reads < 4 && bytes < 20_000, "{reads} reads, {bytes} bytes");
}

#[test]
fn several_threads_share_the_blocks() {
    let one = block(b"abc");
    let (bytes, offsets) = file(&vec![&one[..]; 500]);
    let layout = read(&bytes).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_usize {
            let (layout, offsets) = (&layout, &offsets);
            scope.spawn(move || {
                for number in (0..500).map(|n| (n * 7 + thread * 100) % 500) {
                    assert_eq!(layout.blocks.get(number as u64).unwrap().offset, offsets[number]);
                }
            });
        }
    });
}
