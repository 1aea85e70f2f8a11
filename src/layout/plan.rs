//! Offsets of all parts of a new file: slack, block headers, payloads and index.
//!
//! Computes offsets only; it does not write and does not need the tree or the payloads.

use super::block::{BlockHeader, MAX_HEADER_SIZE, MAX_OFFSET, MIN_HEADER_SIZE};
use super::checksum::Checksum;
use super::index;
use crate::error::{Error, Result, Status};
use crate::reserve;
use std::ops::Range;

/// The slack of [`default_slack`] ends at a multiple of this many bytes.
const SLACK_STEP: u64 = 512;
const MIN_SLACK: u64 = 128;
const MAX_SLACK: u64 = 1 << 20;
/// Minimum slack after a tree that has outgrown its slack.
const MIN_GROWTH: u64 = 8 << 10;
/// Blocks that are copied after a part whose length changed move by a multiple of this many bytes.
pub(crate) const PAGE: u64 = 4096;
/// Largest alignment in bytes that a longer header can provide.
const MAX_ALIGNMENT: u64 = MAX_HEADER_SIZE - MIN_HEADER_SIZE as u64 + 1;

/// Space that is reserved after a tree so that it can grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TreeSlack {
    /// As in [`default_slack`] if blocks follow, otherwise none: without blocks a tree can grow anyway.
    #[default]
    Default,
    /// For files that are large enough to be saved in place: the default, extended to the end of a page. A tree that
    /// outgrows it gets a quarter of its length, see [`slack_before`].
    Growing,
    /// This many bytes, with or without blocks.
    Bytes(u64),
}

/// Options for the layout of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlanOptions {
    /// Payloads start at multiples of this many bytes; headers are lengthened accordingly. With 0 and 1 every header
    /// has its minimum length. At most 65,488.
    pub alignment: u64,
    /// The slack after the tree.
    pub tree_slack: TreeSlack,
    /// True to write a block index. Without blocks or after a streamed block, no index is written.
    pub index: bool,
}

impl Default for PlanOptions {
    fn default() -> Self {
        PlanOptions { alignment: 64, tree_slack: TreeSlack::Default, index: true }
    }
}

/// A block to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockRequest {
    /// Number of payload bytes as stored.
    pub stored_size: u64,
    /// Number of payload bytes when decoded; equal to `stored_size` without compression.
    pub data_size: u64,
    /// The compression label, padded with NULs; all NULs for no compression.
    pub compression: [u8; 4],
    /// MD5 of the payload as stored, or zeros for no checksum. A streamed block is written without a checksum.
    pub checksum: Checksum,
    /// True if the payload runs to the end of the file. Only the last block can be streamed, without compression and
    /// slack.
    pub streamed: bool,
    /// Number of bytes to reserve after the payload.
    pub slack: u64,
}

/// Plans a file from its start to its end, one block after another. A block can be written before the next one is
/// encoded.
#[derive(Clone, Debug)]
pub(crate) struct Planner {
    slack: u64,
    /// End of the part that is planned so far.
    end: u64,
    alignment: u64,
    offsets: Option<Vec<u64>>,
    streamed: bool,
}

impl Planner {
    /// Begins a file whose header lines and tree have these lengths in bytes. The length of the tree includes the line
    /// `...` and its line end. A `tree_length` of 0 means no tree; then there is no slack, because the standard does
    /// not allow it.
    ///
    /// Fails with [`Status::InvalidArgument`] for an alignment that no header can provide.
    pub(crate) fn new(
        header_length: u64,
        tree_length: u64,
        has_blocks: bool,
        options: &PlanOptions,
    ) -> Result<Planner> {
        if options.alignment > MAX_ALIGNMENT {
            return Err(invalid(format!("payloads can be aligned to at most {MAX_ALIGNMENT} bytes")));
        }
        let text_end = add(header_length, tree_length)?;
        let slack = match options.tree_slack {
            _ if tree_length == 0 => 0,
            TreeSlack::Default | TreeSlack::Growing if !has_blocks => 0,
            TreeSlack::Default => default_slack(text_end),
            TreeSlack::Growing => {
                let end = text_end.saturating_add(default_slack(text_end));
                end.checked_next_multiple_of(PAGE).unwrap_or(end) - text_end
            }
            TreeSlack::Bytes(bytes) => bytes,
        };
        Ok(Planner {
            slack,
            end: add(text_end, slack)?,
            alignment: options.alignment,
            offsets: options.index.then(Vec::new),
            streamed: false,
        })
    }

    /// Continues an existing file that ends at `end` and has no blocks yet.
    ///
    /// Fails as [`Planner::new`] does.
    pub(crate) fn after(end: u64, options: &PlanOptions) -> Result<Planner> {
        let mut planner = Planner::new(0, 0, true, options)?;
        planner.end = add(end, 0)?;
        Ok(planner)
    }

    /// Adds a part of another file that is copied unchanged. `offsets` are the offsets of the blocks in it, in the
    /// other file.
    ///
    /// Fails with [`Status::InvalidArgument`] if the result exceeds the largest possible file.
    pub(crate) fn pass(&mut self, part: Range<u64>, offsets: &[u64]) -> Result<()> {
        let start = self.end;
        self.end = add(start, part.end.saturating_sub(part.start))?;
        if let Some(known) = &mut self.offsets {
            known.extend(offsets.iter().map(|offset| start + offset.saturating_sub(part.start)));
        }
        Ok(())
    }

    /// Returns the number of bytes to reserve after a payload of this size. It is at least `slack`, and the block ends
    /// at the same offset within a page as `end`: payloads of the blocks that follow keep their alignment.
    ///
    /// Fails with [`Status::InvalidArgument`] if the block exceeds the largest possible file.
    pub(crate) fn slack_to(&self, stored_size: u64, slack: u64, end: u64) -> Result<u64> {
        let payload = add(self.end, self.header_length())?;
        let reached = add(payload, add(stored_size, slack)?)?;
        Ok(slack + (end % PAGE + PAGE - reached % PAGE) % PAGE)
    }

    /// Returns the number of slack bytes after the tree; [`slack_bytes`] returns their content.
    pub(crate) fn slack(&self) -> u64 {
        self.slack
    }

    /// Returns the length of the header of the next block in bytes.
    pub(crate) fn header_length(&self) -> u64 {
        BlockHeader::MIN_LENGTH as u64 - u64::from(MIN_HEADER_SIZE)
            + u64::from(aligned_header_size(self.end, self.alignment))
    }

    /// Returns the header that the next block has while it is written. `size` is its size, if it is known. It has the
    /// length of the final header.
    pub(crate) fn unfinished(&self, compression: [u8; 4], size: Option<u64>) -> BlockHeader {
        let header_size = aligned_header_size(self.end, self.alignment);
        let unknown = BlockHeader::unfinished(self.end, header_size, compression);
        match size {
            Some(size) if !unknown.is_compressed() => {
                BlockHeader { flags: 0, allocated_size: size, used_size: size, data_size: size, ..unknown }
            }
            _ => unknown,
        }
    }

    /// Returns the end of the part of the file that is planned so far.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Adds a block and returns its header. The bytes of [`BlockHeader::encode`] go where the last block ended, then
    /// the payload, then zeros as slack.
    ///
    /// Fails with [`Status::InvalidArgument`] for an invalid block.
    pub(crate) fn add(&mut self, request: &BlockRequest) -> Result<BlockHeader> {
        check(request).map_err(|what| invalid(format!("the block {what}")))?;
        if self.streamed {
            return Err(invalid("a streamed block must be the last block".into()));
        }
        let sized = |size| if request.streamed { 0 } else { size };
        let header = BlockHeader {
            offset: self.end,
            header_size: aligned_header_size(self.end, self.alignment),
            flags: BlockHeader::flags_for(request.streamed),
            compression: request.compression,
            allocated_size: sized(add(request.stored_size, request.slack)?),
            used_size: sized(request.stored_size),
            data_size: sized(request.data_size),
            checksum: if request.streamed { [0; 16] } else { request.checksum },
        };
        self.end = add(header.payload_offset(), add(request.stored_size, request.slack)?)?;
        self.streamed = request.streamed;
        if let Some(offsets) = &mut self.offsets {
            reserve::push(offsets, header.offset)?;
        }
        Ok(header)
    }

    /// Returns the offsets of all blocks; `None` if the file has no index.
    pub(crate) fn offsets(&self) -> Option<&[u64]> {
        self.offsets.as_deref()
    }

    /// Returns the text of the index, which ends the file; empty if the file has no index.
    pub(crate) fn index(&self) -> Result<Vec<u8>> {
        match &self.offsets {
            Some(offsets) if !self.streamed => index::encode(offsets.iter().copied()),
            _ => Ok(Vec::new()),
        }
    }
}

fn check(request: &BlockRequest) -> std::result::Result<(), &'static str> {
    let compressed = request.compression != [0; 4];
    if request.streamed && (compressed || request.slack > 0) {
        Err("is streamed and must have no compression and no slack")
    } else if !compressed && request.stored_size != request.data_size {
        Err("is not compressed, but its stored size differs from the size of its data")
    } else {
        Ok(())
    }
}

/// Returns the size of a header at `offset` that aligns the payload.
fn aligned_header_size(offset: u64, alignment: u64) -> u16 {
    let payload = offset + BlockHeader::MIN_LENGTH as u64;
    let missing = payload.next_multiple_of(alignment.max(1)) - payload;
    // The alignment was checked, so the sum fits in 16 bits.
    MIN_HEADER_SIZE.saturating_add(u16::try_from(missing).unwrap_or(0))
}

/// Adds sizes. The sum must stay below the largest offset, with space for one more header.
fn add(left: u64, right: u64) -> Result<u64> {
    left.checked_add(right)
        .filter(|&sum| sum <= MAX_OFFSET - 2 * MAX_HEADER_SIZE)
        .ok_or_else(|| invalid("the file would exceed the largest possible file".into()))
}

fn invalid(message: String) -> Error {
    Error::new(Status::InvalidArgument, message)
}

/// Returns the slack after a tree that ends at `text_end`, so that it can grow by a few entries without moving the
/// blocks.
///
/// The slack is a tenth of the text, at least 128 bytes and at most 1 MiB, rounded up to end at a multiple of 512. Thus
/// a file grows by less than 640 bytes or by about an eighth of its tree.
fn default_slack(text_end: u64) -> u64 {
    let wanted = (text_end / 10).clamp(MIN_SLACK, MAX_SLACK);
    let end = text_end.saturating_add(wanted);
    end.checked_next_multiple_of(SLACK_STEP).unwrap_or(end) - text_end
}

/// Returns the slack after a tree that ends at `text_end`, if the blocks began at `first_block`.
///
/// The blocks stay in place if the tree still fits before them and no other slack is requested. Otherwise they move by
/// whole pages, so that their payloads keep their alignment.
pub(crate) fn slack_before(first_block: u64, text_end: u64, wanted: TreeSlack) -> u64 {
    let least = match wanted {
        TreeSlack::Default | TreeSlack::Growing if text_end <= first_block => return first_block - text_end,
        TreeSlack::Default => default_slack(text_end),
        // The tree will probably grow again, and each time the file would be written anew.
        TreeSlack::Growing => (text_end / 4).clamp(MIN_GROWTH, MAX_SLACK),
        TreeSlack::Bytes(bytes) => bytes,
    };
    let start = text_end.saturating_add(least);
    let missing = (first_block % PAGE + PAGE - start % PAGE) % PAGE;
    start.saturating_add(missing) - text_end
}

/// Returns the content of the slack after a tree: blanks and a line end, so that the text stays YAML.
///
/// Fails with [`Status::OutOfMemory`].
pub(crate) fn slack_bytes(length: u64) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let size = usize::try_from(length).map_err(|_| Error::out_of_memory(length))?;
    out.try_reserve_exact(size).map_err(|_| Error::out_of_memory(length))?;
    out.resize(size, b' ');
    if let Some(last) = out.last_mut() {
        *last = b'\n';
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(size: u64) -> BlockRequest {
        BlockRequest { stored_size: size, data_size: size, ..BlockRequest::default() }
    }

    /// Plans a file of 33 bytes of header lines and a tree of this length.
    fn plan(tree_length: u64, blocks: &[BlockRequest], options: &PlanOptions) -> Result<(Planner, Vec<BlockHeader>)> {
        let mut planner = Planner::new(33, tree_length, !blocks.is_empty(), options)?;
        let headers = blocks.iter().map(|block| planner.add(block)).collect::<Result<_>>()?;
        Ok((planner, headers))
    }

    #[test]
    fn payloads_are_aligned_and_blocks_meet() {
        for alignment in [0, 1, 2, 3, 64, 4096, MAX_ALIGNMENT] {
            let options = PlanOptions { alignment, ..PlanOptions::default() };
            let blocks = [request(5), BlockRequest { slack: 7, ..request(0) }, request(1000)];
            let (planner, headers) = plan(100, &blocks, &options).unwrap();
            let mut at = 133 + planner.slack();
            for block in &headers {
                assert_eq!(block.offset, at);
                assert_eq!(block.payload_offset() % alignment.max(1), 0);
                assert_eq!(block.encode().len() as u64, block.payload_offset() - block.offset);
                at = block.end().unwrap();
            }
            assert_eq!(planner.end(), at);
            let shortest = 133 + planner.slack() + 54 == headers[0].payload_offset();
            assert_eq!(headers[0].header_size == 48, alignment < 2 || shortest);
        }
    }

    #[test]
    fn unfinished_headers_are_as_long_as_final_ones() {
        for alignment in [0, 64, 4096] {
            let (planner, _) = plan(100, &[request(5)], &PlanOptions { alignment, ..PlanOptions::default() }).unwrap();
            let known = planner.unfinished([0; 4], Some(1000));
            assert!(!known.is_streamed() && known.offset == planner.end());
            assert_eq!((known.allocated_size, known.used_size, known.data_size), (1000, 1000, 1000));
            let unknown = [planner.unfinished([0; 4], None), planner.unfinished(*b"zlib", Some(1000))];
            assert!(unknown[0].is_streamed() && !unknown[1].is_streamed());
            for unfinished in [&known, &unknown[0], &unknown[1]] {
                assert_eq!(unfinished.encode().len() as u64, planner.header_length());
                assert_eq!(unfinished.payload_offset() % alignment.max(1), 0);
            }
        }
    }

    #[test]
    fn slack() {
        let slack = |tree, blocks: &[BlockRequest], tree_slack| {
            let options = PlanOptions { tree_slack, ..PlanOptions::default() };
            plan(tree, blocks, &options).unwrap().0.slack()
        };
        assert_eq!(slack(100, &[], TreeSlack::Default), 0);
        assert_eq!(slack(100, &[request(1)], TreeSlack::Default), 512 - 133);
        assert_eq!(slack(100, &[], TreeSlack::Bytes(9)), 9);
        assert_eq!(slack(0, &[request(1)], TreeSlack::Bytes(9)), 0);
        assert_eq!(slack(100, &[], TreeSlack::Growing), 0);
        assert_eq!(slack(100, &[request(1)], TreeSlack::Growing), 4096 - 133);
        assert_eq!(default_slack(512), 512);
        assert_eq!(default_slack(30_000), 33_280 - 30_000);
        assert!(default_slack(1 << 30) <= MAX_SLACK + SLACK_STEP);
        assert_eq!(slack_bytes(3).unwrap(), b"  \n");
        assert_eq!(slack_bytes(0).unwrap(), b"");
    }

    #[test]
    fn slack_before_blocks_that_are_there() {
        assert_eq!(slack_before(1000, 900, TreeSlack::Default), 100);
        assert_eq!(slack_before(1000, 1000, TreeSlack::Default), 0);
        for (first, end) in [(1000, 1001), (4096, 5000), (70, 3_000_000)] {
            let slack = slack_before(first, end, TreeSlack::Default);
            assert!(slack >= default_slack(end) && slack < default_slack(end) + 4096);
            assert_eq!((end + slack) % 4096, first % 4096);
            assert_eq!((end + slack_before(first, end, TreeSlack::Bytes(7))) % 4096, first % 4096);
            let slack = slack_before(first, end, TreeSlack::Growing);
            assert_eq!((end + slack) % 4096, first % 4096);
            let least = (end / 4).max(8192);
            assert!((least..least + 4096).contains(&slack), "{slack}");
        }
    }

    #[test]
    fn streamed_blocks() {
        let streamed = BlockRequest { streamed: true, checksum: [1; 16], ..request(10) };
        let plan = |blocks: &[BlockRequest]| plan(0, blocks, &PlanOptions::default());
        let (planner, headers) = plan(&[request(3), streamed.clone()]).unwrap();
        assert!(headers[1].is_streamed() && headers[1].encode()[10..].iter().all(|&byte| byte == 0));
        assert_eq!((planner.index().unwrap().len(), planner.end()), (0, headers[1].payload_offset() + 10));
        assert!(plan(&[streamed.clone(), request(3)]).is_err());
        assert!(plan(&[BlockRequest { compression: *b"zlib", ..streamed }]).is_err());
    }

    #[test]
    fn impossible_requests() {
        let options = |alignment| PlanOptions { alignment, ..PlanOptions::default() };
        assert!(plan(0, &[], &options(MAX_ALIGNMENT + 1)).is_err());
        assert!(plan(0, &[request(u64::MAX)], &options(64)).is_err());
        assert!(plan(0, &[request(MAX_OFFSET / 2), request(MAX_OFFSET / 2)], &options(64)).is_err());
        assert!(plan(0, &[BlockRequest { data_size: 4, ..request(5) }], &options(64)).is_err());
    }
}
