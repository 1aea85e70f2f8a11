//! Mending what the frame of a file says of its blocks: their index and their checksums.
//!
//! Payloads and tree stay as they are; what is lost is not looked for here.

use crate::error::{Error, Result, Status};
use crate::file::write::external::Sources;
use crate::file::write::output::{Output, Target};
use crate::file::{File, WriteOptions};
use crate::layout::{self, BlockHeader, ChecksumMatch, PlanOptions, Planner};
use crate::progress::{self, Counted};
use crate::source::{ClosableSource, Source, read_vec_at};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What to mend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Write the block index, if it is missing or wrong.
    pub index: bool,
    /// Give checksums to blocks that have none.
    pub absent_checksums: bool,
    /// Give new ones to compressed blocks whose checksum is that of the decoded bytes, as earlier writers made it.
    pub decoded_checksums: bool,
    /// Give new ones to blocks that do not match theirs: their bytes, as they are now, are what is meant.
    pub wrong_checksums: bool,
}

/// What was mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Whether the block index was written.
    pub index: bool,
    /// The number of blocks that got another checksum.
    pub checksums: u64,
}

/// Bytes to stand at an offset of the file.
type Patch = (u64, Vec<u8>);

impl File {
    /// Mends a file that was opened for update and has no changes that wait to be saved. If there is nothing to mend,
    /// nothing is written; else the file is replaced as [`File::save`] replaces it.
    ///
    /// Fails with [`Status::Truncated`] for a block that the file ends in, with [`Status::Layout`] if something else than
    /// an index stands behind the last block, and with what decoding reports for blocks that do not match their checksum:
    /// such files are to be recovered.
    pub fn repair(&self, what: Repairs, options: &WriteOptions) -> Result<Repaired> {
        let _change = self.begin_change()?;
        self.repair_stored(what, options).map_err(|error| self.name_in(error))
    }

    fn repair_stored(&self, what: Repairs, options: &WriteOptions) -> Result<Repaired> {
        let path = self.update_path()?;
        self.update_state_mut().undo_failed_save()?;
        if self.inner.changed.load(Ordering::Acquire) || self.update_state().overwritten.is_some() {
            let message = "the file has changes that are not saved; save them first";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let (source, headers) = self.stored_headers()?;
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
        let write = |target: Target, _: &Sources| write_patched(&*source, &patches, length, target);
        let replaced = self.replace_stored(path, options, Sources::default(), write)?;
        self.finish_replaced(replaced)?;
        Ok(repaired)
    }

    /// The file as it is stored, and all its block headers.
    fn stored_headers(&self) -> Result<(Arc<ClosableSource>, Vec<BlockHeader>)> {
        let store = self.store();
        let Some(stored) = store.of_file() else {
            return Err(Error::new(Status::Internal, "a file opened for update is not stored"));
        };
        let blocks = &stored.layout.blocks;
        blocks.check()?;
        let headers = (0..blocks.count()?).map(|number| blocks.get(number)).collect::<Result<_>>()?;
        Ok((stored.source.clone(), headers))
    }

    /// The checksum of the bytes as they are stored, if the header is to get that.
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
                && match self.verify_stored(header, source)? {
                    ChecksumMatch::Absent | ChecksumMatch::Stored => false,
                    ChecksumMatch::Decoded => what.decoded_checksums,
                    ChecksumMatch::Mismatch => what.wrong_checksums,
                }
        };
        let range = header.stored_range(source.len())?;
        wanted.then(|| layout::md5_of_range(source, range)).transpose()
    }
}

/// The index that the file should end with, and where it begins, unless it is there or there is to be none.
fn missing_index(headers: &[BlockHeader], source: &dyn Source) -> Result<Option<Patch>> {
    let (Some(first), Some(last)) = (headers.first(), headers.last()) else { return Ok(None) };
    let Some(end) = last.end() else { return Ok(None) };
    last.stored_range(source.len())?;
    if end > source.len() {
        let message = "the file ends inside the bytes that its last block reserves";
        return Err(Error::new(Status::Truncated, message).at_offset(source.len()));
    }
    let offsets: Vec<u64> = headers.iter().map(|header| header.offset).collect();
    let mut planner = Planner::after(first.offset, &PlanOptions::default())?;
    planner.pass(first.offset..end, &offsets)?;
    let index = planner.index();
    let tail = source.len() - end;
    if tail == index.len() as u64 && read_vec_at(source, end, tail)? == index {
        return Ok(None);
    }
    if layout::is_last_index(source, end, headers.len() as u64)? {
        return Ok(Some((end, index)));
    }
    let message = "what stands behind the last block is no index, and may be what is left of a block";
    Err(Error::new(Status::Layout, message).at_offset(end))
}

/// Writes a source with patches, which are in order, and of this length.
fn write_patched(source: &dyn Source, patches: &[Patch], length: u64, target: Target) -> Result<()> {
    let mut output = Output(target);
    let mut at = 0;
    for (offset, bytes) in patches {
        output.copy(source, at..*offset)?;
        output.put(bytes)?;
        at = offset + bytes.len() as u64;
    }
    output.copy(source, at.min(length)..length)?;
    output.finish()
}
