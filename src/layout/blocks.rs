//! The blocks of a file by number, searched on demand.
//!
//! Blocks are found through the block index if it is valid, otherwise by stepping from header to header.

use super::block::BlockHeader;
use super::chain::{Chain, Following};
use super::index;
use super::indexed::{Indexed, is_about_content};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::process::PerProcess;
use crate::source::{Source, Witness};
use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard};

/// Maximum number of warnings kept per file. Further warnings are only counted.
const MAX_WARNINGS: usize = 1000;

/// The blocks of one file. Can be used from several threads at once.
///
/// Opening reads only the first header. The index is searched when another block or the number of blocks is requested.
/// [`Indexed`] says which index is accepted. Before a block is returned, its header and the header of the previous block
/// are read and must agree with the index too. An index that fails any check is ignored.
///
/// An index can still pass these checks if it was forged, or if an error happens to repeat a distance of real blocks.
/// If a later check shows that, the blocks returned before are searched again. If one of them was not the block with
/// its number, this call and every later call fails. [`check`](Blocks::check) reads every header.
///
/// Without an index, headers are read from the first block to the requested one, and are kept.
pub struct Blocks {
    length: u64,
    first: Option<BlockHeader>,
    max_blocks: u64,
    source: Arc<dyn Source>,
    crlf: bool,
    known: PerProcess<KnownBlocks>,
}

/// Blocks that are known so far.
#[derive(Clone)]
struct KnownBlocks {
    chain: Chain,
    search: BlockSearch,
    /// Warnings in the order in which they were found.
    warnings: Vec<Warning>,
    /// Offsets of the blocks with a warning, so that a block that is checked twice is reported once.
    warned: BTreeSet<u64>,
    /// Offsets of further warnings, which are not kept.
    dropped: BTreeSet<u64>,
}

/// Progress of the search for blocks.
#[derive(Clone)]
enum BlockSearch {
    /// Only the first block is known.
    NotBegun,
    Indexed(Indexed),
    Scanned(Scan),
    /// The index returned a block under a wrong number. Holds the offset of that block.
    WrongIndex(u64),
}

/// Headers that were read one after the other.
#[derive(Clone)]
struct Scan {
    headers: Vec<BlockHeader>,
    /// True if the last block is among them.
    complete: bool,
}

impl Blocks {
    /// Creates the blocks of a file. `first` is the offset of the first block, if there is one. `head` are the bytes at
    /// the start of the file that were already read.
    pub(super) fn new(
        source: Arc<dyn Source>,
        length: u64,
        first: Option<u64>,
        head: &[u8],
        limits: &Limits,
        crlf: bool,
    ) -> Result<Blocks> {
        let mut chain = Chain::new(source.clone(), length, crlf);
        if let Some(offset) = first {
            chain.take_from(head, offset);
        }
        let first = first.map(|offset| chain.header(offset)).transpose()?;
        let mut known = KnownBlocks::new(chain, first.is_some());
        if let Some(header) = &first {
            let odd = known.chain.oddity(header)?;
            known.note(odd);
        }
        let known = PerProcess::new(known);
        let blocks = Blocks { length, first, max_blocks: limits.blocks, source, crlf, known };
        if let Some(header) = &blocks.first {
            blocks.remember(header);
        }
        Ok(blocks)
    }

    /// Returns the blocks of the same file after its last block has become longer.
    pub(super) fn grown(&self, source: Arc<dyn Source>, limits: &Limits) -> Result<Blocks> {
        let (length, first) = (source.len(), self.first.map(|first| first.offset));
        Blocks::new(source, length, first, &[], limits, self.crlf)
    }

    /// Returns the same blocks with known offsets. The last one ends with the file.
    pub(super) fn at_offsets(self, offsets: Vec<u64>) -> Blocks {
        self.known().search = BlockSearch::Indexed(Indexed::known(offsets, self.length));
        self
    }

    /// Returns the length of the file when it was opened. A streamed block ends there.
    pub(crate) fn file_length(&self) -> u64 {
        self.length
    }

    pub(super) fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// Returns the number of blocks. Without a valid index this reads every header and fails at a malformed one.
    pub fn count(&self) -> Result<u64> {
        let mut known = self.known();
        self.search_index(&mut known)?;
        self.scan(&mut known, usize::MAX)?;
        Ok(known.count())
    }

    /// Returns the header of the first block, if there is one.
    pub fn first(&self) -> Option<BlockHeader> {
        self.first
    }

    /// Returns the offsets of all block headers. With a valid index only a few headers are read. Fails as
    /// [`count`](Blocks::count) does.
    pub fn offsets(&self) -> Result<Vec<u64>> {
        let mut known = self.known();
        self.search_index(&mut known)?;
        self.scan(&mut known, usize::MAX)?;
        Ok(match &known.search {
            BlockSearch::Indexed(indexed) => indexed.offsets().to_vec(),
            BlockSearch::Scanned(scan) => scan.headers.iter().map(|header| header.offset).collect(),
            BlockSearch::NotBegun | BlockSearch::WrongIndex(_) => Vec::new(),
        })
    }

    /// Returns the header of block `number`, counted from 0.
    ///
    /// Fails with [`Status::BlockNotFound`] if there is no such block. Fails with [`Status::BlockHeader`] or
    /// [`Status::Truncated`] if its header, or a header on the way to it, is malformed.
    pub fn get(&self, number: u64) -> Result<BlockHeader> {
        if let (0, Some(first)) = (number, self.first) {
            return Ok(first);
        }
        let mut known = self.known();
        self.search_index(&mut known)?;
        self.header_in(&mut known, number).inspect(|header| self.remember(header))
    }

    /// Returns the header of block `number`, counted from the end; the last block is 1. Fails as [`get`](Blocks::get)
    /// does.
    pub(crate) fn get_from_end(&self, number: u64) -> Result<BlockHeader> {
        let mut known = self.known();
        self.search_index(&mut known)?;
        self.scan(&mut known, usize::MAX)?;
        let count = known.count();
        match count.checked_sub(number) {
            Some(from_start) if number > 0 => {
                self.header_in(&mut known, from_start).inspect(|header| self.remember(header))
            }
            _ => Err(not_found(format!("-{number}"), count)),
        }
    }

    /// Reads the header of every block. Afterwards [`warnings`](Blocks::warnings) are complete, and the index, if it is
    /// used, is verified.
    pub fn check(&self) -> Result<()> {
        let mut known = self.known();
        self.search_index(&mut known)?;
        let known = &mut *known;
        if let BlockSearch::Indexed(indexed) = &mut known.search {
            match indexed.check_all(&mut known.chain)? {
                Some(warnings) => known.note(warnings),
                None => self.discard_index(known)?,
            }
        }
        self.scan(known, usize::MAX)
    }

    /// Returns the warnings about the blocks found so far, in the order in which they were found.
    pub fn warnings(&self) -> Vec<Warning> {
        self.known().warnings.clone()
    }

    /// Returns the number of warnings that were found but not kept.
    pub(super) fn dropped_warning_count(&self) -> u64 {
        self.known().dropped.len() as u64
    }

    fn known(&self) -> MutexGuard<'_, KnownBlocks> {
        let chain = || Chain::new(self.source.clone(), self.length, self.crlf);
        let anew = || KnownBlocks::new(chain(), self.first.is_some());
        // It is consistent between any two steps, so it stays valid if a thread panics while it holds the lock.
        self.known.lock(|parent| parent.cloned().unwrap_or_else(anew))
    }

    /// Records the header of a returned block for the detection of changes: its checksum changes with the payload.
    fn remember(&self, header: &BlockHeader) {
        self.source.remember(Witness::Part(header.offset, header.encode_fields()));
    }

    /// Searches the index on the first call.
    fn search_index(&self, known: &mut KnownBlocks) -> Result<()> {
        if let BlockSearch::WrongIndex(offset) = known.search {
            return Err(wrong_index(offset));
        }
        let (BlockSearch::NotBegun, Some(first)) = (&known.search, &self.first) else { return Ok(()) };
        let mut accepted = None;
        // After a streamed block everything is payload.
        if let Some(end) = first.end() {
            let source = known.chain.source();
            if let Some((start, offsets)) = index::find(source, self.length, end.min(self.length), self.max_blocks)? {
                accepted = Indexed::accept(&mut known.chain, first, offsets, start)?;
            }
        }
        known.search = match accepted {
            Some((indexed, warnings)) => {
                known.note(warnings);
                BlockSearch::Indexed(indexed)
            }
            None => BlockSearch::Scanned(Scan { headers: vec![*first], complete: false }),
        };
        Ok(())
    }

    /// Returns the header of a block after the search for the index.
    fn header_in(&self, known: &mut KnownBlocks, number: u64) -> Result<BlockHeader> {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if let BlockSearch::Indexed(indexed) = &mut known.search {
            if number >= indexed.offsets().len() as u64 {
                return Err(not_found(number, indexed.offsets().len() as u64));
            }
            if let Some(header) = indexed.header(&mut known.chain, index)? {
                let odd = known.chain.oddity(&header)?;
                known.note(odd);
                return Ok(header);
            }
            self.discard_index(known)?;
        }
        self.scan(known, index)?;
        match &known.search {
            BlockSearch::Scanned(scan) => {
                scan.headers.get(index).copied().ok_or_else(|| not_found(number, scan.headers.len() as u64))
            }
            _ => Err(Error::new(Status::Internal, "blocks were neither indexed nor scanned")),
        }
    }

    /// Discards the index, which turned out to be wrong. Fails if the index led to wrong blocks before.
    fn discard_index(&self, known: &mut KnownBlocks) -> Result<()> {
        let Some(first) = self.first else { return Ok(()) };
        let scan = BlockSearch::Scanned(Scan { headers: vec![first], complete: false });
        let BlockSearch::Indexed(indexed) = std::mem::replace(&mut known.search, scan) else { return Ok(()) };
        let used = indexed.highest_used();
        let scanned = self.scan(known, used);
        let BlockSearch::Scanned(Scan { headers, .. }) = &known.search else { return Ok(()) };
        let wrong = indexed
            .offsets()
            .iter()
            .enumerate()
            .take(used + 1)
            .find(|(number, offset)| headers.get(*number).is_none_or(|header| header.offset != **offset));
        match (wrong, scanned) {
            (None, _) => Ok(()),
            // The blocks could not be compared because of a read error. Keep the index, so that the next call tries
            // again.
            (Some(_), Err(error)) if !is_about_content(&error) => {
                known.search = BlockSearch::Indexed(indexed);
                Err(error)
            }
            (Some((_, &offset)), _) => {
                known.search = BlockSearch::WrongIndex(offset);
                Err(wrong_index(offset))
            }
        }
    }

    /// Reads headers up to block `until`, or to the last block. Does nothing if an index is used.
    fn scan(&self, known: &mut KnownBlocks, until: usize) -> Result<()> {
        loop {
            let BlockSearch::Scanned(scan) = &mut known.search else { return Ok(()) };
            let Some(last) = scan.headers.last().filter(|_| !scan.complete && scan.headers.len() <= until) else {
                return Ok(());
            };
            let (following, gap) = known.chain.following(last)?;
            let mut odd = None;
            match following {
                Following::Nothing => scan.complete = true,
                Following::Block(offset) => {
                    let header = known.chain.header(offset)?;
                    if scan.headers.len() as u64 >= self.max_blocks {
                        return Err(Limit::Blocks.exceeded("the number of blocks", self.max_blocks).at_offset(offset));
                    }
                    odd = known.chain.oddity(&header)?;
                    let size = size_of::<BlockHeader>() as u64;
                    scan.headers.try_reserve(1).map_err(|_| Error::out_of_memory(size))?;
                    scan.headers.push(header);
                }
            }
            known.note(gap);
            known.note(odd);
        }
    }
}

impl KnownBlocks {
    /// Begins when no block except the first was read.
    fn new(chain: Chain, has_blocks: bool) -> KnownBlocks {
        let search = if has_blocks {
            BlockSearch::NotBegun
        } else {
            BlockSearch::Scanned(Scan { headers: Vec::new(), complete: true })
        };
        KnownBlocks { chain, search, warnings: Vec::new(), warned: BTreeSet::new(), dropped: BTreeSet::new() }
    }

    fn note(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        for warning in warnings {
            let offset = warning.location.offset.unwrap_or_default();
            if self.warned.contains(&offset) {
                continue;
            }
            if self.warnings.len() < MAX_WARNINGS {
                self.warned.insert(offset);
                self.warnings.push(warning);
            } else {
                self.dropped.insert(offset);
            }
        }
    }

    /// Returns the number of blocks known so far.
    fn count(&self) -> u64 {
        match &self.search {
            BlockSearch::Indexed(indexed) => indexed.offsets().len() as u64,
            BlockSearch::Scanned(scan) => scan.headers.len() as u64,
            BlockSearch::NotBegun | BlockSearch::WrongIndex(_) => 0,
        }
    }
}

fn not_found(number: impl std::fmt::Display, count: u64) -> Error {
    let have = match count {
        0 => "no blocks".into(),
        1 => "one block".into(),
        _ => format!("{count} blocks"),
    };
    Error::new(Status::BlockNotFound, format!("the file has no block {number}; it has {have}"))
}

fn wrong_index(offset: u64) -> Error {
    let message = "the block index is wrong: through it, wrong blocks were read before this was noticed";
    Error::new(Status::Layout, message).at_offset(offset)
}
