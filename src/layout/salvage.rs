//! What is left of a damaged file: the text of its tree, and its blocks under the numbers that they had.
//!
//! Blocks are followed as long as each leads to the next. Where that ends, the index tells where to go on if it agreed so
//! far; without one the next header is searched, and whoever asks must see whether the numbers from there on are right.

use super::block::{BlockHeader, MAGIC, MIN_HEADER_SIZE};
use super::chain::{Chain, Following};
use super::checksum::md5_of_range;
use super::header::{self, Follows};
use super::{index, tree_extent};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::source::{Source, read_vec_at};
use std::ops::Range;
use std::sync::Arc;

/// Magics that are tried in one search, and headers that are looked at for all of them.
const MAX_TRIES: usize = 1 << 10;
const MAX_STEPS: u64 = 1 << 20;
/// Longer headers are not believed where they were searched.
const MAX_PLAUSIBLE_HEADER: u16 = 8 << 10;

/// The parts of a damaged file.
pub(crate) struct Salvage {
    /// The bytes of the header line and the comments.
    pub header: Range<u64>,
    /// The version of the standard that the file is read by.
    pub standard: super::Standard,
    /// The text of the tree, unless the file has none.
    pub tree: Option<SalvagedText>,
    /// What is left of the blocks, by their numbers.
    pub blocks: Vec<SalvagedBlock>,
    /// Whether there were surely no more blocks than these.
    pub is_complete: bool,
    /// Whether an index stands at the end, and is right about all blocks.
    pub has_index: bool,
    /// From this block on numbers may be wrong, because headers had to be searched.
    pub doubtful_from: Option<usize>,
    /// The blocks whose bytes may be others, as their headers contradict what surrounds them and no checksum helps.
    pub unsure: Vec<usize>,
    /// Bytes that belong to no block that was found.
    pub unknown: Vec<Range<u64>>,
}

/// The text of a tree that may have lost its end.
pub(crate) struct SalvagedText {
    /// Where it begins in the file.
    pub offset: u64,
    /// The line of the file on which it begins, from 1.
    pub line: u64,
    /// Up to the line `...` if there is one, else up to the first block or the end of the file.
    pub bytes: Vec<u8>,
    /// Whether there is a line `...`.
    pub has_end: bool,
}

/// What is left of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SalvagedBlock {
    /// All bytes that the header tells of.
    Whole(BlockHeader),
    /// The payload ends early, or its size cannot be true: so many bytes are there.
    Cut(BlockHeader, u64),
    /// Nothing but the offset at which it should be.
    Lost(u64),
}

impl Salvage {
    /// Looks for what is left of a file.
    ///
    /// Fails if not even its first lines can be read, with [`Status::Limit`], or with an error of the source.
    pub(crate) fn read(source: Arc<dyn Source>, limits: &Limits) -> Result<Salvage> {
        let length = source.len();
        let (header, bytes) = header::read(&*source, length, &mut Vec::new())?;
        let mut tree = None;
        // Where the blocks begin, or what is not padding.
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
        let mut walk = Walk { source, length, chain, index: None, max_blocks: limits.blocks, steps: 0, salvage };
        if first < length && !index::is_at(&*walk.source, first, length)? {
            walk.index = index::find(&*walk.source, length, first, limits.blocks)?.map(|(_, offsets)| offsets);
            // There may be padding of any kind before the first block.
            let listed = walk.index.as_ref().and_then(|offsets| offsets.first().copied()).filter(|&at| at > first);
            let begins = match listed {
                Some(at) if !walk.chain.is_block(first)? && walk.chain.is_block(at)? => at,
                _ => first,
            };
            walk.walk(begins)?;
            let count = walk.salvage.blocks.len();
            walk.salvage.has_index = walk.index.is_some_and(|offsets| offsets.len() == count);
        } else if let Some(tree) = &walk.salvage.tree {
            walk.salvage.is_complete = tree.has_end;
        }
        Ok(walk.salvage)
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

/// The header of a payload of this size that begins there.
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

/// What a block leads to.
enum Next {
    Block(u64),
    /// The file ends as it should.
    End,
    /// Neither.
    Nothing,
}

struct Walk {
    source: Arc<dyn Source>,
    length: u64,
    chain: Chain,
    index: Option<Vec<u64>>,
    max_blocks: u64,
    steps: u64,
    salvage: Salvage,
}

impl Walk {
    /// Goes from block to block, the first of which should be at this offset.
    fn walk(&mut self, first: u64) -> Result<()> {
        let mut at = Some(first);
        while let Some(offset) = at {
            if self.salvage.blocks.len() as u64 >= self.max_blocks {
                return Err(Error::limit("the number of blocks", self.max_blocks).at_offset(offset));
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

    /// Takes the block at an offset and tells where the next one is.
    fn step(&mut self, offset: u64) -> Result<Option<u64>> {
        let listed = self.listed_after(offset);
        let header = match content(self.chain.header(offset))? {
            Some(header) => header,
            None => {
                // What stands before the first block may be padding of any kind.
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
            // The index knows of more blocks, and agreed so far: the sizes in the header are wrong, or what follows it.
            (_, Some(next)) => {
                let block = self.sized(header, next)?;
                self.push(block)?;
                Ok(Some(next))
            }
            (Next::Nothing, None) => match header.end().filter(|&end| end <= self.length) {
                // What stands behind the block is damaged.
                Some(end) => {
                    if header.checksum == [0; 16] {
                        self.salvage.unsure.push(self.salvage.blocks.len());
                    }
                    self.push(SalvagedBlock::Whole(header))?;
                    self.search(end, end)
                }
                None => match self.find_chain(header.payload_offset())? {
                    // The sizes are wrong.
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

    /// A block whose header may be wrong about its sizes, and which ends before `next`: they are as its checksum says. If that
    /// does not help, its bytes may be others.
    fn sized(&mut self, header: BlockHeader, next: u64) -> Result<SalvagedBlock> {
        if let Some(header) = self.by_checksum(&header, next)? {
            return Ok(SalvagedBlock::Whole(header));
        }
        self.salvage.unsure.push(self.salvage.blocks.len());
        let room = next.saturating_sub(header.payload_offset());
        Ok(SalvagedBlock::Whole(with_range(&header, header.payload_offset(), header.used_size.min(room))))
    }

    /// The header with the sizes for which the payload, which ends before `next`, matches its checksum.
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

    /// Where the index says that the block after the one at this offset is, if it agreed on all blocks so far.
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

    /// Searches the next block from an offset on; what is passed from `unknown` on belongs to no block.
    fn search(&mut self, unknown: u64, from: u64) -> Result<Option<u64>> {
        let Some(found) = self.find_chain(from)? else {
            self.salvage.is_complete = false;
            self.salvage.unknown.push(unknown..self.length);
            return Ok(None);
        };
        // Another block must have begun here, unless it is padding before the first that was passed.
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

    /// The first place from an offset on at which blocks begin that lead to the end of the file.
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

    /// Whether a plausible block begins here, from which others lead to the end of the file.
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

/// A result without the errors that tell of damage.
fn content<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.status(), Status::Layout | Status::BlockHeader | Status::Truncated) => Ok(None),
        Err(error) => Err(error),
    }
}
