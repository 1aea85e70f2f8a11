//! Deciding whether a block index tells the truth, and finding blocks through one that does.
//!
//! Neither finds nor parses the index text, and does not know how to go on without an index.

use super::block::BlockHeader;
use super::chain::{self, Chain};
use super::tree_extent;
use crate::error::{Error, Result, Status, Warning};
use std::collections::HashSet;

/// Offsets of an index that was accepted.
///
/// What acceptance means: the first offset is that of the first block; the last block ends where the index
/// starts; offsets increase by a header or more; and for every distance between neighbouring offsets that
/// occurs, the first block with that distance has a sane header and ends exactly at its neighbour. An entry that
/// is missing, added or moved changes a distance, so it passes only if a true block before it has that very
/// distance too. To use a block, its own and its predecessor's header are checked in the same way. Thus an index
/// of equal blocks costs a few reads and one of unequal blocks a read per block, as much as going without.
///
/// If blocks lie apart, all headers are read before the index is accepted.
#[derive(Clone)]
pub(super) struct Indexed {
    offsets: Vec<u64>,
    /// Where the index starts.
    start: u64,
    /// Whether every header was checked.
    complete: bool,
    /// The header that was checked last and its number.
    checked: Option<(usize, BlockHeader)>,
    highest_used: usize,
}

enum Walk {
    /// All that was looked at fits; tells whether that was every header.
    Fits(bool, Vec<Warning>),
    /// There is a gap between blocks, and not every header was looked at.
    Apart,
    Wrong,
}

impl Indexed {
    /// Accepts offsets or discards them. Fails only if the source does.
    pub(super) fn accept(
        chain: &mut Chain,
        first: &BlockHeader,
        offsets: Vec<u64>,
        start: u64,
    ) -> Result<Option<(Indexed, Vec<Warning>)>> {
        if offsets.first() != Some(&first.offset) {
            return Ok(None);
        }
        let mut indexed = Indexed { offsets, start, complete: false, checked: None, highest_used: 0 };
        let mut walk = indexed.walk(chain, false)?;
        if let Walk::Apart = walk {
            walk = indexed.walk(chain, true)?;
        }
        let Walk::Fits(complete, warnings) = walk else { return Ok(None) };
        indexed.complete = complete;
        Ok(Some((indexed, warnings)))
    }

    /// Checks every header; false if one does not fit.
    pub(super) fn check_all(&mut self, chain: &mut Chain) -> Result<Option<Vec<Warning>>> {
        let Walk::Fits(complete, warnings) = self.walk(chain, true)? else { return Ok(None) };
        self.complete = complete;
        Ok(Some(warnings))
    }

    pub(super) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The number of the highest block that was handed out.
    pub(super) fn highest_used(&self) -> usize {
        self.highest_used
    }

    /// The offset at which the block should end.
    fn next(&self, number: usize) -> u64 {
        self.offsets.get(number + 1).copied().unwrap_or(self.start)
    }

    fn walk(&self, chain: &mut Chain, every: bool) -> Result<Walk> {
        let mut distances = HashSet::new();
        let mut last_distance = None;
        let mut looked_at = 0;
        let mut warnings = Vec::new();
        for (number, &offset) in self.offsets.iter().enumerate() {
            let next = self.next(number);
            let is_last = number + 1 == self.offsets.len();
            let Some(distance) = next.checked_sub(offset) else { return Ok(Walk::Wrong) };
            let is_new = last_distance != Some(distance) && distances.insert(distance);
            last_distance = Some(distance);
            if !(every || is_new || is_last) {
                continue;
            }
            looked_at += 1;
            let Some(header) = usable(chain.header(offset))? else { return Ok(Walk::Wrong) };
            warnings.extend(chain.oddities(&header)?);
            let Some(end) = header.end() else { return Ok(Walk::Wrong) };
            if end == next {
                continue;
            }
            if end > next || is_last {
                return Ok(Walk::Wrong);
            }
            if !every {
                return Ok(Walk::Apart);
            }
            // A block that the index does not list makes all numbers after it wrong.
            let (content, _) = tree_extent::skip_blanks(chain.source(), end, next)?;
            if content < next && chain.is_block(content)? {
                return Ok(Walk::Wrong);
            }
            warnings.push(chain::gap(end, next));
        }
        Ok(Walk::Fits(looked_at == self.offsets.len(), warnings))
    }

    /// The header of a block that the index lists; nothing if it shows that the index is wrong after all.
    pub(super) fn header(&mut self, chain: &mut Chain, number: usize) -> Result<Option<BlockHeader>> {
        if !self.complete
            && let Some(before) = number.checked_sub(1)
            && self.checked.is_none_or(|(checked, _)| checked != before && checked != number)
            && self.checked_header(chain, before)?.is_none()
        {
            return Ok(None);
        }
        let header = self.checked_header(chain, number)?;
        if header.is_some() {
            self.highest_used = self.highest_used.max(number);
        }
        Ok(header)
    }

    fn checked_header(&mut self, chain: &mut Chain, number: usize) -> Result<Option<BlockHeader>> {
        if let Some((_, header)) = self.checked.filter(|(checked, _)| *checked == number) {
            return Ok(Some(header));
        }
        let Some(&offset) = self.offsets.get(number) else { return Ok(None) };
        let Some(header) = usable(chain.header(offset))? else { return Ok(None) };
        if !self.complete && header.end() != Some(self.next(number)) {
            return Ok(None);
        }
        self.checked = Some((number, header));
        Ok(Some(header))
    }
}

/// Tells a header that is no header from a source that cannot be read.
fn usable(header: Result<BlockHeader>) -> Result<Option<BlockHeader>> {
    match header {
        Ok(header) => Ok(Some(header)),
        Err(error) if is_about_content(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an error says that bytes are not what they should be, rather than that they could not be had.
pub(super) fn is_about_content(error: &Error) -> bool {
    matches!(error.status(), Status::Layout | Status::BlockHeader | Status::Truncated | Status::Limit)
}
