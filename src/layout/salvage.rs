//! Recovery of a damaged file: the text of its tree, and its blocks with their original numbers.
//!
//! Blocks are followed as long as each one leads to the next. After that, the index gives the next offset if it agreed
//! so far. Without an index, the next header is searched; the caller must then check that the numbers from there on are
//! right.

use super::block::{BlockHeader, MAGIC, MIN_HEADER_SIZE};
use super::chain::{Chain, Following};
use super::checksum::md5_of_range;
use super::header::{self, Follows};
use super::{index, tree_extent};
use crate::error::{Error, Result, Status};
use crate::limits::{Limit, Limits};
use crate::source::{Source, read_vec_at};
use std::ops::Range;
use std::sync::Arc;

/// Limits of the searches: magics tried in one search, and headers read in all searches.
const MAX_TRIES: usize = 1 << 10;
const MAX_STEPS: u64 = 1 << 20;
/// In a search, longer headers are rejected as implausible.
const MAX_PLAUSIBLE_HEADER: u16 = 8 << 10;

/// The parts of a damaged file.
pub(crate) struct Salvage {
    /// Range of the header line and the comments.
    pub header: Range<u64>,
    /// The version of the standard by which the file is read.
    pub standard: super::Standard,
    /// The text of the tree, unless the file has no tree.
    pub tree: Option<SalvagedText>,
    /// The remains of the blocks, by block number.
    pub blocks: Vec<SalvagedBlock>,
    /// True if the file certainly had no more blocks.
    pub is_complete: bool,
    /// True if there is an index at the end that lists all blocks correctly.
    pub has_index: bool,
    /// Numbers may be wrong from this block on, because headers were found by a search.
    pub doubtful_from: Option<usize>,
    /// Blocks whose bytes may be wrong: their headers contradict the surrounding bytes, and no checksum confirms them.
    pub unsure: Vec<usize>,
    /// Ranges that do not belong to any block found.
    pub unknown: Vec<Range<u64>>,
}

/// The text of a tree that may lack its end.
pub(crate) struct SalvagedText {
    /// Offset of the text in the file.
    pub offset: u64,
    /// Line of the file on which the text begins, from 1.
    pub line: u64,
    /// The bytes up to the line `...` if there is one, otherwise up to the first block or the end of the file.
    pub bytes: Vec<u8>,
    /// True if the line `...` is present.
    pub has_end: bool,
}

/// The remains of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SalvagedBlock {
    /// All bytes of the block are present.
    Whole(BlockHeader),
    /// The payload ends early or its size is impossible. Holds the number of bytes that are present.
    Cut(BlockHeader, u64),
    /// Only the offset at which the block should begin is known.
    Lost(u64),
}

impl Salvage {
    /// Recovers the parts of a file.
    ///
    /// Fails if even the first lines cannot be read, with [`Status::Limit`], or with an error of the source.
    pub(crate) fn read(source: Arc<dyn Source>, limits: &Limits) -> Result<Salvage> {
        let length = source.len();
        let (header, bytes) = header::read(&*source, length, &mut Vec::new())?;
        let mut tree = None;
        // Offset at which the blocks begin, or the first byte that is not padding.
        let mut first = header.length;
        if header.follows == Follows::Tree {
            let known = bytes.get(header.length as usize..).unwrap_or_default();
            let text = tree_text(&*source, header.length, header.lines + 1, known, limits)?;
            let end = text.offset + text.bytes.len() as u64;
            first = tree_extent::skip_blanks(&*source, end, length)?.0;
            tree = Some(text);
        }
        let salvage = Salvage {
            header: 0..header.length,
            standard: header.standard,
            tree,
            blocks: Vec::new(),
            is_complete: true,
            has_index: false,
            doubtful_from: None,
            unsure: Vec::new(),
            unknown: Vec::new(),
        };
        let chain = Chain::new(source.clone(), length, false);
        let mut salvager =
            Salvager { source, length, chain, index: None, max_blocks: limits.blocks, steps: 0, salvage };
        if first < length && !index::is_at(&*salvager.source, first, length)? {
            salvager.index = index::find(&*salvager.source, length, first, limits.blocks)?.map(|(_, offsets)| offsets);
            // There may be arbitrary padding before the first block.
            let listed = salvager.index.as_ref().and_then(|offsets| offsets.first().copied()).filter(|&at| at > first);
            let begins = match listed {
                Some(at) if !salvager.chain.is_block(first)? && salvager.chain.is_block(at)? => at,
                _ => first,
            };
            salvager.follow_from(begins)?;
            let count = salvager.salvage.blocks.len();
            salvager.salvage.has_index = salvager.index.is_some_and(|offsets| offsets.len() == count);
        } else if let Some(tree) = &salvager.salvage.tree {
            salvager.salvage.is_complete = tree.has_end;
        }
        Ok(salvager.salvage)
    }
}

fn tree_text(source: &dyn Source, start: u64, line: u64, known: &[u8], limits: &Limits) -> Result<SalvagedText> {
    let end = match tree_extent::read(source, source.len(), start, line, known, limits) {
        Ok(extent) => {
            let bytes = extent.text.bytes;
            return Ok(SalvagedText { offset: start, line, bytes, has_end: true });
        }
        Err(error) if matches!(error.status(), Status::Layout | Status::Truncated) => error.location().offset,
        Err(error) => return Err(error),
    };
    let end = end.unwrap_or(start).clamp(start, source.len());
    Ok(SalvagedText { offset: start, line, bytes: read_vec_at(source, start, end - start)?, has_end: false })
}

/// Returns the header with a payload of `size` bytes at offset `start`.
fn with_range(header: &BlockHeader, start: u64, size: u64) -> BlockHeader {
    let added = start.saturating_sub(header.offset + BlockHeader::MIN_LENGTH as u64);
    BlockHeader {
        header_size: MIN_HEADER_SIZE.saturating_add(u16::try_from(added).unwrap_or(u16::MAX)),
        flags: 0,
        allocated_size: size,
        used_size: size,
        data_size: if header.is_compressed() { header.data_size } else { size },
        ..*header
    }
}

/// Content after a block.
enum Next {
    Block(u64),
    /// The regular end of the file.
    End,
    /// Neither a block nor the end.
    Nothing,
}

/// Goes through the blocks of a damaged file.
struct Salvager {
    source: Arc<dyn Source>,
    length: u64,
    chain: Chain,
    index: Option<Vec<u64>>,
    max_blocks: u64,
    steps: u64,
    salvage: Salvage,
}

impl Salvager {
    /// Follows the blocks from this offset on.
    fn follow_from(&mut self, first: u64) -> Result<()> {
        let mut at = Some(first);
        while let Some(offset) = at {
            if self.salvage.blocks.len() as u64 >= self.max_blocks {
                return Err(Limit::Blocks.exceeded("the number of blocks", self.max_blocks).at_offset(offset));
            }
            at = self.step(offset)?;
        }
        Ok(())
    }

    fn push(&mut self, block: SalvagedBlock) -> Result<()> {
        let size = size_of::<SalvagedBlock>() as u64;
        self.salvage.blocks.try_reserve(1).map_err(|_| Error::out_of_memory(size))?;
        self.salvage.blocks.push(block);
        Ok(())
    }

    /// Adds the block at an offset and returns the offset of the next block.
    fn step(&mut self, offset: u64) -> Result<Option<u64>> {
        let listed = self.listed_after(offset);
        let header = match content(self.chain.header(offset))? {
            Some(header) => header,
            None => {
                // There may be arbitrary padding before the first block.
                if self.salvage.blocks.is_empty() && self.index.as_ref().and_then(|list| list.first()) != Some(&offset)
                {
                    return self.search(offset, offset);
                }
                self.push(SalvagedBlock::Lost(offset))?;
                return match listed {
                    Some(next) => Ok(Some(next)),
                    None => self.search(offset, offset.saturating_add(1)),
                };
            }
        };
        match (self.next(&header)?, listed) {
            (Next::Block(next), _) => {
                self.push(SalvagedBlock::Whole(header))?;
                Ok(Some(next))
            }
            (Next::End, None) => {
                self.push(SalvagedBlock::Whole(header))?;
                Ok(None)
            }
            // The index lists more blocks and agreed so far, so the sizes in this header or the bytes after the block
            // are wrong.
            (_, Some(next)) => {
                let block = self.sized(header, next)?;
                self.push(block)?;
                Ok(Some(next))
            }
            (Next::Nothing, None) => match header.end().filter(|&end| end <= self.length) {
                // The bytes after the block are damaged.
                Some(end) => {
                    if header.checksum == [0; 16] {
                        self.salvage.unsure.push(self.salvage.blocks.len());
                    }
                    self.push(SalvagedBlock::Whole(header))?;
                    self.search(end, end)
                }
                None => match self.find_chain(header.payload_offset())? {
                    // The sizes in the header are wrong.
                    Some(next) => {
                        let block = self.sized(header, next)?;
                        self.push(block)?;
                        self.salvage.doubtful_from.get_or_insert(self.salvage.blocks.len());
                        Ok(Some(next))
                    }
                    None => {
                        let there = self.length.saturating_sub(header.payload_offset());
                        let block = match self.by_checksum(&header, self.length)? {
                            Some(header) => SalvagedBlock::Whole(header),
                            None if header.stored_range(self.length).is_ok() => SalvagedBlock::Whole(header),
                            None => SalvagedBlock::Cut(header, there),
                        };
                        self.push(block)?;
                        self.salvage.is_complete = false;
                        Ok(None)
                    }
                },
            },
        }
    }

    /// Returns a block that ends before `next` and whose header may have wrong sizes. The sizes are those that match
    /// the checksum. If none do, the block is recorded as unsure.
    fn sized(&mut self, header: BlockHeader, next: u64) -> Result<SalvagedBlock> {
        if let Some(header) = self.by_checksum(&header, next)? {
            return Ok(SalvagedBlock::Whole(header));
        }
        self.salvage.unsure.push(self.salvage.blocks.len());
        let room = next.saturating_sub(header.payload_offset());
        Ok(SalvagedBlock::Whole(with_range(&header, header.payload_offset(), header.used_size.min(room))))
    }

    /// Returns the header with the sizes for which the payload matches its checksum. The payload must end at or before
    /// `next`.
    fn by_checksum(&self, header: &BlockHeader, next: u64) -> Result<Option<BlockHeader>> {
        if header.checksum == [0; 16] {
            return Ok(None);
        }
        let (start, used) = (header.payload_offset(), header.used_size);
        let least = header.offset + BlockHeader::MIN_LENGTH as u64;
        for (start, size) in [(start, used), (start, next.saturating_sub(start)), (next.saturating_sub(used), used)] {
            let end = start.checked_add(size).filter(|&end| end <= next && start >= least);
            if let Some(end) = end
                && start - least <= u64::from(u16::MAX - MIN_HEADER_SIZE)
                && md5_of_range(&*self.source, start..end)? == header.checksum
            {
                return Ok(Some(with_range(header, start, size)));
            }
        }
        Ok(None)
    }

    /// Returns the offset of the block after the one at this offset, according to the index. Discards the index if it
    /// disagrees with a block.
    fn listed_after(&mut self, offset: u64) -> Option<u64> {
        let number = self.salvage.blocks.len();
        if self.index.as_ref()?.get(number) != Some(&offset) {
            self.index = None;
        }
        self.index.as_ref()?.get(number + 1).copied().filter(|&next| next < self.length)
    }

    fn next(&mut self, header: &BlockHeader) -> Result<Next> {
        if header.is_streamed() {
            return Ok(Next::End);
        }
        Ok(match header.end() {
            Some(end) if end == self.length => Next::End,
            Some(end) if end < self.length => match self.chain.following(header)? {
                (Following::Block(offset), _) => Next::Block(offset),
                (Following::Nothing, None) => Next::End,
                (Following::Nothing, Some(_)) => Next::Nothing,
            },
            _ => Next::Nothing,
        })
    }

    /// Searches the next block from offset `from` on. The bytes from `unknown` up to it belong to no block.
    fn search(&mut self, unknown: u64, from: u64) -> Result<Option<u64>> {
        let Some(found) = self.find_chain(from)? else {
            self.salvage.is_complete = false;
            self.salvage.unknown.push(unknown..self.length);
            return Ok(None);
        };
        // A block must have begun here, unless the skipped bytes are padding before the first block.
        let is_known = match self.salvage.blocks.last() {
            Some(SalvagedBlock::Lost(lost)) => *lost == unknown,
            last => last.is_none(),
        };
        if !is_known {
            self.push(SalvagedBlock::Lost(unknown))?;
        }
        self.salvage.doubtful_from.get_or_insert(self.salvage.blocks.len());
        self.salvage.unknown.push(unknown..found);
        Ok(Some(found))
    }

    /// Returns the first offset at or after `from` with a chain of blocks that leads to the end of the file.
    fn find_chain(&mut self, from: u64) -> Result<Option<u64>> {
        let mut at = from;
        for _ in 0..MAX_TRIES {
            let Some(found) = tree_extent::find_magic(&*self.source, at, self.length)? else { break };
            if self.leads_to_the_end(found)? {
                return Ok(Some(found));
            }
            at = found.saturating_add(MAGIC.len() as u64);
        }
        Ok(None)
    }

    /// Returns whether a plausible block begins here, with a chain of blocks that leads to the end of the file.
    fn leads_to_the_end(&mut self, mut offset: u64) -> Result<bool> {
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Ok(false);
            }
            let Some(header) = content(self.chain.header(offset))?.filter(is_plausible) else { return Ok(false) };
            match self.next(&header)? {
                Next::Block(next) => offset = next,
                Next::End => return Ok(true),
                Next::Nothing => return Ok(false),
            }
        }
    }
}

fn is_plausible(header: &BlockHeader) -> bool {
    let text = header.compression.iter().skip_while(|byte| byte.is_ascii_graphic());
    header.header_size <= MAX_PLAUSIBLE_HEADER && header.flags <= 1 && text.into_iter().all(|byte| *byte == 0)
}

/// Converts errors that indicate damage to `None`.
fn content<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.status(), Status::Layout | Status::BlockHeader | Status::Truncated) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: BlockHeader = BlockHeader {
        offset: 100,
        header_size: MIN_HEADER_SIZE,
        flags: 1,
        compression: [0; 4],
        allocated_size: 9,
        used_size: 8,
        data_size: 7,
        checksum: [3; 16],
    };

    #[test]
    fn a_header_gets_another_payload() {
        let found = with_range(&HEADER, HEADER.payload_offset() + 16, 5);
        assert_eq!(
            (found.offset, found.payload_offset(), found.checksum),
            (100, HEADER.payload_offset() + 16, [3; 16])
        );
        assert_eq!((found.flags, found.allocated_size, found.used_size, found.data_size), (0, 5, 5, 5));
        let compressed = BlockHeader { compression: *b"zlib", ..HEADER };
        assert_eq!(with_range(&compressed, compressed.payload_offset(), 5).data_size, 7);
    }

    #[test]
    fn plausible_headers() {
        assert!(is_plausible(&HEADER));
        for compression in [*b"zlib", *b"lz4\0"] {
            assert!(is_plausible(&BlockHeader { compression, ..HEADER }));
        }
        assert!(is_plausible(&BlockHeader { header_size: MAX_PLAUSIBLE_HEADER, ..HEADER }));
        for odd in [
            BlockHeader { header_size: MAX_PLAUSIBLE_HEADER + 1, ..HEADER },
            BlockHeader { flags: 2, ..HEADER },
            BlockHeader { compression: *b"a\0b\0", ..HEADER },
            BlockHeader { compression: [0, 0, 0, 200], ..HEADER },
        ] {
            assert!(!is_plausible(&odd), "{odd:?}");
        }
    }
}
