//! The blocks of a file by number, found as they are asked for.
//!
//! Through the block index if there is one that holds, else by stepping from header to header.

use super::block::BlockHeader;
use super::chain::{Chain, Following};
use super::index;
use super::indexed::{Indexed, is_about_content};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::Limits;
use crate::process::PerProcess;
use crate::source::{Source, Witness};
use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard};

/// More oddities than this are counted as one file's misfortune and not kept.
const MAX_WARNINGS: usize = 1000;

/// The blocks of one file. May be used from several threads at once.
///
/// Opening reads the first header only. An index is looked for when another block or the number of blocks is
/// asked for, and used only if it stands the following: its first offset is the first block, its offsets
/// increase, its last block ends where it starts, and the first block of each distance between neighbours that
/// occurs has a sane header and ends at its neighbour. To hand out a block, its header and the one before are
/// read and must fit the index too. An index that fails at any of this is ignored. What could still pass is an
/// index made wrong on purpose, or by an accident that repeats a distance of true blocks: should a later look
/// show that, blocks that were handed out before are searched again, and if one was another block than its
/// number says, this and every later call fails. [`check`](Blocks::check) looks at every header.
///
/// Without an index, headers are read from the first block to the one asked for, and each is remembered.
pub struct Blocks {
    length: u64,
    first: Option<BlockHeader>,
    max_blocks: u64,
    source: Arc<dyn Source>,
    crlf: bool,
    state: PerProcess<State>,
}

#[derive(Clone)]
struct State {
    chain: Chain,
    found: Found,
    /// Warnings in the order in which they came.
    warnings: Vec<Warning>,
    /// Offsets that they are about, so that a block looked at twice is reported once.
    warned: BTreeSet<u64>,
    /// Offsets of further warnings, which are not kept.
    dropped: BTreeSet<u64>,
}

#[derive(Clone)]
enum Found {
    Unsought,
    Indexed(Indexed),
    Scanned(Scan),
    /// The index gave out a block under a wrong number; the byte at which that came to light.
    Deceived(u64),
}

#[derive(Clone)]
struct Scan {
    headers: Vec<BlockHeader>,
    complete: bool,
}

impl Blocks {
    /// The blocks of a file whose first block, if any, is at `first`.
    pub(super) fn new(
        source: Arc<dyn Source>,
        length: u64,
        first: Option<u64>,
        limits: &Limits,
        crlf: bool,
    ) -> Result<Blocks> {
        let mut chain = Chain::new(source.clone(), length, crlf);
        let first = first.map(|offset| chain.header(offset)).transpose()?;
        let mut state = State::new(chain, first.is_some());
        if let Some(header) = &first {
            let odd = state.chain.oddities(header)?;
            state.note(odd);
        }
        let state = PerProcess::new(state);
        let blocks = Blocks { length, first, max_blocks: limits.blocks, source, crlf, state };
        if let Some(header) = &blocks.first {
            blocks.remember(header);
        }
        Ok(blocks)
    }

    /// The length of the file, taken once when it was opened; a streamed block ends there.
    pub fn file_length(&self) -> u64 {
        self.length
    }

    /// The number of blocks. Without a usable index this reads every header, and fails at a malformed one.
    pub fn count(&self) -> Result<u64> {
        let mut state = self.state();
        self.seek(&mut state)?;
        self.scan(&mut state, usize::MAX)?;
        Ok(state.known())
    }

    /// The header of the first block, if there is one.
    pub fn first(&self) -> Option<BlockHeader> {
        self.first
    }

    /// Where the headers of all blocks are. Through a usable index few of them are read. Fails as [`count`](Blocks::count)
    /// does.
    pub fn offsets(&self) -> Result<Vec<u64>> {
        let mut state = self.state();
        self.seek(&mut state)?;
        self.scan(&mut state, usize::MAX)?;
        Ok(match &state.found {
            Found::Indexed(indexed) => indexed.offsets().to_vec(),
            Found::Scanned(scan) => scan.headers.iter().map(|header| header.offset).collect(),
            Found::Unsought | Found::Deceived(_) => Vec::new(),
        })
    }

    /// The header of block `number`, from 0. Fails with [`Status::BlockNotFound`] if there is none, and with
    /// [`Status::BlockHeader`] or [`Status::Truncated`] if its header, or one on the way to it, is malformed.
    pub fn get(&self, number: u64) -> Result<BlockHeader> {
        if let (0, Some(first)) = (number, self.first) {
            return Ok(first);
        }
        let mut state = self.state();
        self.seek(&mut state)?;
        self.get_known(&mut state, number).inspect(|header| self.remember(header))
    }

    /// The header of the block that is `number`-th from the end, the last being 1. Fails as [`get`](Blocks::get) does.
    pub fn get_from_end(&self, number: u64) -> Result<BlockHeader> {
        let mut state = self.state();
        self.seek(&mut state)?;
        self.scan(&mut state, usize::MAX)?;
        let count = state.known();
        match count.checked_sub(number) {
            Some(from_start) if number > 0 => {
                self.get_known(&mut state, from_start).inspect(|header| self.remember(header))
            }
            _ => Err(not_found(format!("-{number}"), count)),
        }
    }

    /// Reads the header of every block, so that [`warnings`](Blocks::warnings) are complete and the index, if it
    /// is used, is known to be right.
    pub fn check(&self) -> Result<()> {
        let mut state = self.state();
        self.seek(&mut state)?;
        let state = &mut *state;
        if let Found::Indexed(indexed) = &mut state.found {
            match indexed.check_all(&mut state.chain)? {
                Some(warnings) => state.note(warnings),
                None => self.distrust(state)?,
            }
        }
        self.scan(state, usize::MAX)
    }

    /// What was noticed about the blocks so far, in the order in which it was.
    pub fn warnings(&self) -> Vec<Warning> {
        self.state().warnings.clone()
    }

    /// Number of warnings that were found but not kept.
    pub(super) fn dropped_warning_count(&self) -> u64 {
        self.state().dropped.len() as u64
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let chain = || Chain::new(self.source.clone(), self.length, self.crlf);
        let anew = || State::new(chain(), self.first.is_some());
        // The state is consistent between any two steps, so a panic elsewhere in a holder does no harm to it.
        self.state.lock(|parent| parent.cloned().unwrap_or_else(anew))
    }

    /// Lets the file be known again by a block that is handed out: with its header its checksum changes.
    fn remember(&self, header: &BlockHeader) {
        let bytes = header.encode();
        self.source.remember(Witness::Block(header.offset, bytes.get(..BlockHeader::MIN_LENGTH).unwrap_or_default()));
    }

    /// Looks for the index once.
    fn seek(&self, state: &mut State) -> Result<()> {
        if let Found::Deceived(offset) = state.found {
            return Err(deceived(offset));
        }
        let (Found::Unsought, Some(first)) = (&state.found, &self.first) else { return Ok(()) };
        let mut accepted = None;
        // Behind a streamed block everything is payload.
        if let Some(end) = first.end() {
            let source = state.chain.source();
            if let Some((start, offsets)) = index::find(source, self.length, end.min(self.length), self.max_blocks)? {
                accepted = Indexed::accept(&mut state.chain, first, offsets, start)?;
            }
        }
        state.found = match accepted {
            Some((indexed, warnings)) => {
                state.note(warnings);
                Found::Indexed(indexed)
            }
            None => Found::Scanned(Scan { headers: vec![*first], complete: false }),
        };
        Ok(())
    }

    fn get_known(&self, state: &mut State, number: u64) -> Result<BlockHeader> {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        if let Found::Indexed(indexed) = &mut state.found {
            if number >= indexed.offsets().len() as u64 {
                return Err(not_found(number, indexed.offsets().len() as u64));
            }
            if let Some(header) = indexed.header(&mut state.chain, index)? {
                let odd = state.chain.oddities(&header)?;
                state.note(odd);
                return Ok(header);
            }
            self.distrust(state)?;
        }
        self.scan(state, index)?;
        match &state.found {
            Found::Scanned(scan) => {
                scan.headers.get(index).copied().ok_or_else(|| not_found(number, scan.headers.len() as u64))
            }
            _ => Err(Error::new(Status::Internal, "blocks were neither indexed nor scanned")),
        }
    }

    /// Goes on without the index, which turned out wrong; fails if it led to wrong blocks before.
    fn distrust(&self, state: &mut State) -> Result<()> {
        let Some(first) = self.first else { return Ok(()) };
        let scan = Found::Scanned(Scan { headers: vec![first], complete: false });
        let Found::Indexed(indexed) = std::mem::replace(&mut state.found, scan) else { return Ok(()) };
        let used = indexed.highest_used();
        let scanned = self.scan(state, used);
        let Found::Scanned(Scan { headers, .. }) = &state.found else { return Ok(()) };
        let wrong = indexed
            .offsets()
            .iter()
            .enumerate()
            .take(used + 1)
            .find(|(number, offset)| headers.get(*number).is_none_or(|header| header.offset != **offset));
        match (wrong, scanned) {
            (None, _) => Ok(()),
            // The blocks could not be compared. Until they can, the index stays in use and in doubt.
            (Some(_), Err(error)) if !is_about_content(&error) => {
                state.found = Found::Indexed(indexed);
                Err(error)
            }
            (Some((_, &offset)), _) => {
                state.found = Found::Deceived(offset);
                Err(deceived(offset))
            }
        }
    }

    /// Steps on to the block `until`, or to the last if there are fewer. Does nothing under an index.
    fn scan(&self, state: &mut State, until: usize) -> Result<()> {
        loop {
            let Found::Scanned(scan) = &mut state.found else { return Ok(()) };
            let Some(last) = scan.headers.last().filter(|_| !scan.complete && scan.headers.len() <= until) else {
                return Ok(());
            };
            let (following, gap) = state.chain.following(last)?;
            let mut odd = None;
            match following {
                Following::Nothing => scan.complete = true,
                Following::Block(offset) => {
                    let header = state.chain.header(offset)?;
                    if scan.headers.len() as u64 >= self.max_blocks {
                        return Err(Error::limit("the number of blocks", self.max_blocks).at_offset(offset));
                    }
                    odd = state.chain.oddities(&header)?;
                    let size = size_of::<BlockHeader>() as u64;
                    scan.headers.try_reserve(1).map_err(|_| Error::out_of_memory(size))?;
                    scan.headers.push(header);
                }
            }
            state.note(gap);
            state.note(odd);
        }
    }
}

impl State {
    /// Before any block but the first was looked at.
    fn new(chain: Chain, has_blocks: bool) -> State {
        let found =
            if has_blocks { Found::Unsought } else { Found::Scanned(Scan { headers: Vec::new(), complete: true }) };
        State { chain, found, warnings: Vec::new(), warned: BTreeSet::new(), dropped: BTreeSet::new() }
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

    /// The number of blocks known of.
    fn known(&self) -> u64 {
        match &self.found {
            Found::Indexed(indexed) => indexed.offsets().len() as u64,
            Found::Scanned(scan) => scan.headers.len() as u64,
            Found::Unsought | Found::Deceived(_) => 0,
        }
    }
}

fn not_found(number: impl std::fmt::Display, count: u64) -> Error {
    let have = match count {
        0 => "no blocks".into(),
        1 => "one block".into(),
        _ => format!("{count} blocks"),
    };
    Error::new(Status::BlockNotFound, format!("there is no block {number}: the file has {have}"))
}

fn deceived(offset: u64) -> Error {
    let message = "the block index is wrong, and blocks that were read through it were others than those asked for";
    Error::new(Status::Layout, message).at_offset(offset)
}
