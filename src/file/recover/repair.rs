//! Repair of the block index and of checksums.
//!
//! Payloads and tree are not changed, and lost data are not recovered.

use crate::error::{Error, Result, Status};
use crate::file::write::output::{Output, Target};
use crate::file::write::prepared::Prepared;
use crate::file::{File, WriteOptions};
use crate::layout::{self, BlockHeader, ChecksumMatch, PlanOptions, Planner};
use crate::progress::{self, Counted};
use crate::reserve;
use crate::source::{ClosableSource, Source, read_vec_at};
use std::sync::Arc;

/// Selection of repairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Write the block index if it is missing or wrong.
    pub index: bool,
    /// Add checksums to blocks without one.
    pub absent_checksums: bool,
    /// Renew checksums of compressed blocks that are those of the decoded bytes, as earlier writers computed them.
    pub decoded_checksums: bool,
    /// Renew checksums that do not match. The current bytes of the blocks count as correct.
    pub wrong_checksums: bool,
}

/// Repairs that were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// True if the block index was written.
    pub index: bool,
    /// Number of blocks with a new checksum.
    pub checksums: u64,
}

/// Offset in the file, and bytes to write there.
type Patch = (u64, Vec<u8>);

impl File {
    /// Repairs a file that was opened for update and has no unsaved changes. If no repair is necessary, nothing is
    /// written. Otherwise the file is replaced, as [`File::save`] does.
    ///
    /// The following failures mean that the file must be recovered instead: [`Status::Truncated`] if the file ends
    /// inside a block, [`Status::Layout`] if bytes other than an index follow the last block, and decoding errors of
    /// blocks that do not match their checksum.
    pub fn repair(&self, what: Repairs, options: &WriteOptions) -> Result<Repaired> {
        let _change = self.begin_change()?;
        self.end_growth()?;
        self.repair_stored(what, options).map_err(|error| self.name_in(error))
    }

    fn repair_stored(&self, what: Repairs, options: &WriteOptions) -> Result<Repaired> {
        let path = self.update_path()?;
        let mut state = self.own_state()?;
        state.update.undo_failed_save()?;
        if state.is_changed || state.update.overwritten.is_some() {
            let message = "the file has unsaved changes; save them first";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        drop(state);
        let prepared = Prepared::of(self)?;
        let (source, headers) = prepared.stored_headers()?;
        let _expectation = progress::expect(Counted::StoredAndWritten, Some(source.len()))?;
        let mut repaired = Repaired::default();
        let mut patches = Vec::new();
        for header in headers.iter().filter(|header| !header.is_streamed()) {
            if let Some(checksum) = self.better_checksum(header, &*source, what)? {
                patches.push((header.checksum_offset(), checksum.to_vec()));
                repaired.checksums += 1;
            }
        }
        let mut length = source.len();
        if what.index
            && let Some((end, index)) = missing_index(&headers, &*source)?
        {
            repaired.index = true;
            length = end + index.len() as u64;
            patches.push((end, index));
        }
        if repaired == Repaired::default() {
            return Ok(repaired);
        }
        self.check_whole(options)?;
        let write = |target: Target, _: &Prepared| write_patched(&*source, &patches, length, target);
        let replaced = self.replace_stored(path, options, prepared, write, u64::MAX)?;
        replaced.map_or(Ok(()), |replaced| self.finish_replaced(replaced))?;
        Ok(repaired)
    }

    /// Returns the checksum of the stored bytes, if the header needs a new one.
    fn better_checksum(
        &self,
        header: &BlockHeader,
        source: &dyn Source,
        what: Repairs,
    ) -> Result<Option<layout::Checksum>> {
        let wanted = if header.checksum == [0; 16] {
            what.absent_checksums
        } else {
            (what.decoded_checksums || what.wrong_checksums)
                && match self.verify_stored(header, source, None)? {
                    ChecksumMatch::Absent | ChecksumMatch::Stored => false,
                    ChecksumMatch::Decoded => what.decoded_checksums,
                    ChecksumMatch::Mismatch => what.wrong_checksums,
                }
        };
        let range = header.stored_range(source.len())?;
        wanted.then(|| layout::md5_of_range(source, range)).transpose()
    }
}

impl Prepared {
    /// Returns the stored file and all its block headers.
    fn stored_headers(&self) -> Result<(Arc<ClosableSource>, Vec<BlockHeader>)> {
        let Some(stored) = self.store.of_file() else {
            return Err(Error::new(Status::Internal, "a file opened for update is not stored"));
        };
        let blocks = &stored.layout.blocks;
        blocks.check()?;
        let headers = (0..blocks.count()?).map(|number| blocks.get(number)).collect::<Result<_>>()?;
        Ok((stored.source.clone(), headers))
    }
}

/// Returns the correct block index with its offset. Returns `None` if the file has it, or needs none.
fn missing_index(headers: &[BlockHeader], source: &dyn Source) -> Result<Option<Patch>> {
    let (Some(first), Some(last)) = (headers.first(), headers.last()) else { return Ok(None) };
    let Some(end) = last.end() else { return Ok(None) };
    last.stored_range(source.len())?;
    if end > source.len() {
        let message = "the file ends inside the bytes that its last block reserves";
        return Err(Error::new(Status::Truncated, message).at_offset(source.len()));
    }
    let offsets = reserve::collected(headers.iter().map(|header| Ok(header.offset)))?;
    let mut planner = Planner::after(first.offset, &PlanOptions::default())?;
    planner.pass(first.offset..end, &offsets)?;
    let index = planner.index()?;
    let tail = source.len() - end;
    if tail == index.len() as u64 && read_vec_at(source, end, tail)? == index {
        return Ok(None);
    }
    if layout::only_index_follows(source, end, headers.len() as u64)? {
        return Ok(Some((end, index)));
    }
    let message =
        "the bytes after the last block are not an index, and may be the rest of a block; recover the file instead";
    Err(Error::new(Status::Layout, message).at_offset(end))
}

/// Writes a source with patches, in order of their offsets, and with this new length.
fn write_patched(source: &dyn Source, patches: &[Patch], length: u64, target: Target) -> Result<()> {
    let mut output = Output::new(target);
    let mut at = 0;
    for (offset, bytes) in patches {
        output.copy(source, at..*offset)?;
        output.put(bytes)?;
        at = offset + bytes.len() as u64;
    }
    output.copy(source, at.min(length)..length)?;
    output.finish()
}
