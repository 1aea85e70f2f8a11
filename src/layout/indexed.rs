//! Verification of a block index, and access to blocks through a valid one.
//!
//! Finding and parsing the index text, and access without an index, are implemented elsewhere.

use super::block::BlockHeader;
use super::chain::{self, Chain};
use super::tree_extent;
use crate::error::{Error, Result, Status, Warning};
use std::collections::HashSet;

/// The offsets of an accepted index.
///
/// An index is accepted if all of these hold:
///
/// * the first offset is that of the first block;
/// * the last block ends where the index starts;
/// * the offsets increase by at least the length of a header;
/// * for each distance between neighbouring offsets, the first block with this distance has a valid header and ends
///   exactly at its neighbour.
///
/// A missing, added or moved entry changes a distance. It passes only if a real block before it has the same distance.
/// Therefore the header of a block and the header of its predecessor are checked in the same way before the block is
/// used. An index of equal blocks costs a few reads. An index of unequal blocks costs one read per block, as many as
/// without an index.
///
/// If there are gaps between blocks, all headers are read before the index is accepted.
#[derive(Clone)]
pub(super) struct Indexed {
    offsets: Vec<u64>,
    /// Offset at which the index starts.
    start: u64,
    /// True if every header was checked.
    complete: bool,
    /// Number and header of the block that was checked last.
    checked: Option<(usize, BlockHeader)>,
    highest_used: usize,
}

/// Agreement of an index with the headers of the blocks.
enum Agreement {
    /// All headers read agree with the index. The flag is true if these were all headers.
    Fits(bool, Vec<Warning>),
    /// There is a gap between blocks, and not all headers were read.
    Apart,
    /// A header contradicts the index.
    Wrong,
}

impl Indexed {
    /// Accepts or rejects offsets. Fails only if the source fails.
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
        let mut agreement = indexed.compare(chain, false)?;
        if let Agreement::Apart = agreement {
            agreement = indexed.compare(chain, true)?;
        }
        let Agreement::Fits(complete, warnings) = agreement else { return Ok(None) };
        indexed.complete = complete;
        Ok(Some((indexed, warnings)))
    }

    /// Returns the blocks of a file that this process has written. The last one ends at `end`.
    pub(super) fn known(offsets: Vec<u64>, end: u64) -> Indexed {
        Indexed { offsets, start: end, complete: true, checked: None, highest_used: 0 }
    }

    /// Checks every header. Returns `None` if one does not agree with the index.
    pub(super) fn check_all(&mut self, chain: &mut Chain) -> Result<Option<Vec<Warning>>> {
        let Agreement::Fits(complete, warnings) = self.compare(chain, true)? else { return Ok(None) };
        self.complete = complete;
        Ok(Some(warnings))
    }

    pub(super) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// Returns the number of the highest block that was returned.
    pub(super) fn highest_used(&self) -> usize {
        self.highest_used
    }

    /// Returns the offset at which a block should end.
    fn next(&self, number: usize) -> u64 {
        self.offsets.get(number + 1).copied().unwrap_or(self.start)
    }

    /// Returns the offsets of the blocks whose headers are compared first.
    fn first_of_each_distance(&self) -> Vec<u64> {
        let (mut distances, last) = (HashSet::new(), self.offsets.len().saturating_sub(1));
        let of_block = |(number, &offset): (usize, &u64)| {
            let is_new = distances.insert(self.next(number).checked_sub(offset)?);
            (is_new || number == last).then_some(offset)
        };
        self.offsets.iter().enumerate().filter_map(of_block).collect()
    }

    /// Compares the index with all headers, or with the first header of each distance and the last one.
    fn compare(&self, chain: &mut Chain, every: bool) -> Result<Agreement> {
        let mut distances = HashSet::new();
        let mut last_distance = None;
        let mut looked_at = 0;
        let mut warnings = Vec::new();
        let mut ahead = 0;
        if !every && chain.source().has_slow_requests() {
            chain.read_ahead(&self.first_of_each_distance());
        }
        for (number, &offset) in self.offsets.iter().enumerate() {
            let next = self.next(number);
            let is_last = number + 1 == self.offsets.len();
            let Some(distance) = next.checked_sub(offset) else { return Ok(Agreement::Wrong) };
            let is_new = last_distance != Some(distance) && distances.insert(distance);
            last_distance = Some(distance);
            if !(every || is_new || is_last) {
                continue;
            }
            if every && number == ahead {
                ahead += chain.read_ahead(&self.offsets[number..]);
            }
            looked_at += 1;
            let Some(header) = usable(chain.header(offset))? else { return Ok(Agreement::Wrong) };
            warnings.extend(chain.oddity(&header)?);
            let Some(end) = header.end() else { return Ok(Agreement::Wrong) };
            if end == next {
                continue;
            }
            if end > next || is_last {
                return Ok(Agreement::Wrong);
            }
            if !every {
                return Ok(Agreement::Apart);
            }
            // If a block is missing from the index, all numbers after it are wrong.
            let (content, _) = tree_extent::skip_blanks(chain.source(), end, next)?;
            if content < next && chain.is_block(content)? {
                return Ok(Agreement::Wrong);
            }
            warnings.push(chain::gap(end, next));
        }
        Ok(Agreement::Fits(looked_at == self.offsets.len(), warnings))
    }

    /// Returns the header of a block in the index, or `None` if it shows that the index is wrong.
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

    /// Returns the header of a block if it agrees with the index.
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

/// Converts errors about a malformed header to `None`; read errors stay errors.
fn usable(header: Result<BlockHeader>) -> Result<Option<BlockHeader>> {
    match header {
        Ok(header) => Ok(Some(header)),
        Err(error) if is_about_content(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether an error is about the content of the file and not about reading it.
pub(super) fn is_about_content(error: &Error) -> bool {
    matches!(error.status(), Status::Layout | Status::BlockHeader | Status::Truncated | Status::Limit)
}
