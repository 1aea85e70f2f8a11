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
/// It is accepted only if all of these hold:
///
/// * its first offset is the first block;
/// * its offsets increase;
/// * its last block ends where the index starts;
/// * for each distance between neighbouring offsets, the first block with this distance has a valid header and ends at
///   its neighbour.
///
/// Before a block is returned, its header and the header of the previous block are read and must agree with the index
/// too. An index that fails any check is ignored.
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

#[derive(Clone)]
struct KnownBlocks {
    chain: Chain,
    found: Found,
    /// Warnings in the order in which they were found.
    warnings: Vec<Warning>,
    /// Offsets of the blocks with a warning, so that a block that is checked twice is reported once.
    warned: BTreeSet<u64>,
    /// Offsets of further warnings, which are not kept.
    dropped: BTreeSet<u64>,
}

#[derive(Clone)]
enum Found {
    NotSearched,
    Indexed(Indexed),
    Scanned(Scan),
    /// The index returned a block under a wrong number. Holds the offset of that block.
    WrongIndex(u64),
}

#[derive(Clone)]
struct Scan {
    headers: Vec<BlockHeader>,
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
            let odd = known.chain.oddities(header)?;
            known.note(odd);
        }
        let known = PerProcess::new(known);
        let blocks = Blocks { length, first, max_blocks: limits.blocks, source, crlf, known };
        if let Some(header) = &blocks.first {
            blocks.remember(header);
        }
        Ok(blocks)
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
        self.seek(&mut known)?;
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
        self.seek(&mut known)?;
        self.scan(&mut known, usize::MAX)?;
        Ok(match &known.found {
            Found::Indexed(indexed) => indexed.offsets().to_vec(),
            Found::Scanned(scan) => scan.headers.iter().map(|header| header.offset).collect(),
            Found::NotSearched | Found::WrongIndex(_) => Vec::new(),
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
        self.seek(&mut known)?;
        self.get_known(&mut known, number).inspect(|header| self.remember(header))
    }

    /// Returns the header of block `number`, counted from the end; the last block is 1. Fails as [`get`](Blocks::get)
    /// does.
    pub(crate) fn get_from_end(&self, number: u64) -> Result<BlockHeader> {
        let mut known = self.known();
        self.seek(&mut known)?;
        self.scan(&mut known, usize::MAX)?;
        let count = known.count();
        match count.checked_sub(number) {
            Some(from_start) if number > 0 => {
                self.get_known(&mut known, from_start).inspect(|header| self.remember(header))
            }
            _ => Err(not_found(format!("-{number}"), count)),
        }
    }

    /// Reads the header of every block. Afterwards [`warnings`](Blocks::warnings) are complete, and the index, if it is
    /// used, is verified.
    pub fn check(&self) -> Result<()> {
        let mut known = self.known();
        self.seek(&mut known)?;
        let known = &mut *known;
        if let Found::Indexed(indexed) = &mut known.found {
            match indexed.check_all(&mut known.chain)? {
                Some(warnings) => known.note(warnings),
                None => self.distrust(known)?,
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
    fn seek(&self, known: &mut KnownBlocks) -> Result<()> {
        if let Found::WrongIndex(offset) = known.found {
            return Err(wrong_index(offset));
        }
        let (Found::NotSearched, Some(first)) = (&known.found, &self.first) else { return Ok(()) };
        let mut accepted = None;
        // After a streamed block everything is payload.
        if let Some(end) = first.end() {
            let source = known.chain.source();
            if let Some((start, offsets)) = index::find(source, self.length, end.min(self.length), self.max_blocks)? {
                accepted = Indexed::accept(&mut known.chain, first, offsets, start)?;
            }
        }
        known.found = match accepted {
            Some((indexed, warnings)) => {
                known.note(warnings);
                Found::Indexed(indexed)
            }
            None => Found::Scanned(Scan { headers: vec![*first], complete: false }),
        };
        Ok(())
    }

    fn get_known(&self, known: &mut KnownBlocks, number: u64) -> Result<BlockHeader> {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if let Found::Indexed(indexed) = &mut known.found {
            if number >= indexed.offsets().len() as u64 {
                return Err(not_found(number, indexed.offsets().len() as u64));
            }
            if let Some(header) = indexed.header(&mut known.chain, index)? {
                let odd = known.chain.oddities(&header)?;
                known.note(odd);
                return Ok(header);
            }
            self.distrust(known)?;
        }
        self.scan(known, index)?;
        match &known.found {
            Found::Scanned(scan) => {
                scan.headers.get(index).copied().ok_or_else(|| not_found(number, scan.headers.len() as u64))
            }
            _ => Err(Error::new(Status::Internal, "blocks were neither indexed nor scanned")),
        }
    }

    /// Discards the index, which turned out to be wrong. Fails if the index led to wrong blocks before.
    fn distrust(&self, known: &mut KnownBlocks) -> Result<()> {
        let Some(first) = self.first else { return Ok(()) };
        let scan = Found::Scanned(Scan { headers: vec![first], complete: false });
        let Found::Indexed(indexed) = std::mem::replace(&mut known.found, scan) else { return Ok(()) };
        let used = indexed.highest_used();
        let scanned = self.scan(known, used);
        let Found::Scanned(Scan { headers, .. }) = &known.found else { return Ok(()) };
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
                known.found = Found::Indexed(indexed);
                Err(error)
            }
            (Some((_, &offset)), _) => {
                known.found = Found::WrongIndex(offset);
                Err(wrong_index(offset))
            }
        }
    }

    /// Reads headers up to block `until`, or to the last block. Does nothing if an index is used.
    fn scan(&self, known: &mut KnownBlocks, until: usize) -> Result<()> {
        loop {
            let Found::Scanned(scan) = &mut known.found else { return Ok(()) };
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
                    odd = known.chain.oddities(&header)?;
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
    /// Facts that are known before any block except the first was read.
    fn new(chain: Chain, has_blocks: bool) -> KnownBlocks {
        let found =
            if has_blocks { Found::NotSearched } else { Found::Scanned(Scan { headers: Vec::new(), complete: true }) };
        KnownBlocks { chain, found, warnings: Vec::new(), warned: BTreeSet::new(), dropped: BTreeSet::new() }
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
        match &self.found {
            Found::Indexed(indexed) => indexed.offsets().len() as u64,
            Found::Scanned(scan) => scan.headers.len() as u64,
            Found::NotSearched | Found::WrongIndex(_) => 0,
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
