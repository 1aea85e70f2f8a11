//! Writing over elements of arrays where they are stored: at once, but only for good when the file is saved.
//!
//! What is overwritten goes into a journal first, by the megabyte and once for each. Saving gives the journal up, closing
//! the file without that gives back what was there; after a crash the next opening does.

use super::draft;
use super::journal::{Journal, interrupted, mark_modified};
use super::replace::{folder_of, sync_file, sync_folder};
use super::{File, NodeArray, WriteOptions, lock, read, write};
use crate::array::{Array, ArraySource, Datatype, Payload, Place, ReadOptions, Region};
use crate::error::{Error, Result, Status};
use crate::layout::{BlockHeader, Checksum, md5_of_range};
use crate::process::Process;
use crate::source::{BytesOrigin, EditableSource, FileSource, Source, read_exact_at, write_all_at};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What is kept at a time.
const PIECE: u64 = 1 << 20;
/// How much of a file's start tells it from another, and of what stands before its blocks.
const WITNESS: u64 = 64 << 10;

/// What was written over since the file was saved. Dropped, it is given back.
pub(super) struct Overwritten {
    journal: Journal,
    file: Arc<FileSource>,
    /// The blocks that were written to, with the checksums that they had.
    blocks: BTreeMap<u64, Checksum>,
    /// Set when waiting for the file failed. Elements may be lost then, and waiting again would not tell.
    is_unsure: bool,
    /// Set when the old elements were given back to the file for the sake of a new one.
    is_given_back: bool,
    is_kept: bool,
    process: Process,
}

impl Drop for Overwritten {
    fn drop(&mut self) {
        // To give it back is up to the process that wrote.
        if !self.is_kept
            && self.process.is_current()
            && let Some(file) = self.file.file()
        {
            // Should it fail, the journal stays for the next opening.
            let _ = self.journal.roll_back(&file).and(self.file.renew_blocks());
        }
    }
}

impl NodeArray {
    /// Writes elements of the type `memory`, which lie in `bytes` as the options say, over those of a region, or over all.
    /// What does not fit is seen before anything is written; conversion is that of reading.
    ///
    /// In a file that was opened for update they are written where they are stored. Whoever reads through this file sees
    /// them at once; [`File::save`] makes them last, and closing the file without it gives back what was there. An array
    /// that is not saved yet is changed in memory.
    ///
    /// Fails with [`Status::Unsupported`] for elements that are compressed, in the tree, in another file or made by a
    /// callback, with [`Status::Masked`] for an array with a mask, and as reading does.
    pub fn write_region(
        &self,
        region: Option<&Region>,
        memory: &Datatype,
        bytes: &[u8],
        options: &ReadOptions,
    ) -> Result<()> {
        let _change = self.file().begin_change()?;
        self.overwrite(region, memory, bytes, options).map_err(|error| self.locate(error))
    }

    fn overwrite(&self, region: Option<&Region>, memory: &Datatype, bytes: &[u8], options: &ReadOptions) -> Result<()> {
        let unsupported = |message: &str| Err(Error::new(Status::Unsupported, message));
        match self.source() {
            ArraySource::Inline(_) => {
                return unsupported("the elements stand in the tree; set the array anew, or store it in a block first");
            }
            ArraySource::Uri(_) => return unsupported("the elements are in another file; open that one for update"),
            ArraySource::Block(_) => {}
        }
        let (source, range) = match self.payload() {
            Payload::Stored { source, offset, length } => (source, *offset..offset.saturating_add(*length)),
            Payload::Encoded { .. } => {
                return unsupported("the elements are compressed; store the array uncompressed first");
            }
            absent @ Payload::Absent { .. } => return absent.check(),
        };
        let file = self.file();
        if file.store().reads_from(source) {
            let mut place = StoredPlace { file, range, number: None };
            let written = Array::write_region(self, region, memory, bytes, options, &mut place);
            if let Err(error) = &written {
                match place.number {
                    // What is there is neither what was nor what is to be.
                    Some(_) => file.note_failure(error),
                    None => file.forget_unwritten(),
                }
            }
            let settled = place.settle();
            return written.and(settled);
        }
        if let Some(editable) = source.editable() {
            return Array::write_region(self, region, memory, bytes, options, &mut MemoryPlace(editable));
        }
        match source.origin() {
            BytesOrigin::Zeros => unsupported("the zeros are not stored yet; save the file first"),
            BytesOrigin::Made { .. } => unsupported("a callback makes the elements; save the file first"),
            BytesOrigin::Anywhere => unsupported(
                "the elements are not this file's own: they are lent, in another file, or were looked up before it was \
                 saved",
            ),
        }
    }
}

struct MemoryPlace<'a>(&'a EditableSource);

impl Place for MemoryPlace<'_> {
    fn prepare(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        Ok(())
    }

    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        read_exact_at(self.0, position, buffer)
    }

    fn store(&mut self, position: u64, bytes: &[u8]) -> Result<()> {
        self.0.overwrite(position, bytes)
    }
}

/// The payload of a stored block.
struct StoredPlace<'a> {
    file: &'a File,
    range: Range<u64>,
    /// The block, once it is being written to.
    number: Option<u64>,
}

impl StoredPlace<'_> {
    /// Does something with what was written over.
    fn with<T>(&self, work: impl FnOnce(&mut Overwritten) -> Result<T>) -> Result<T> {
        let mut overwritten = write(&self.file.inner.overwritten);
        match &mut *overwritten {
            Some(overwritten) => work(overwritten),
            None => Err(Error::new(Status::Internal, "nothing is being written over")),
        }
    }

    /// Takes the file for what it is now.
    fn settle(&self) -> Result<()> {
        if self.number.is_none() { Ok(()) } else { self.with(|overwritten| overwritten.file.renew_blocks()) }
    }
}

impl Place for StoredPlace<'_> {
    fn prepare(&mut self, position: u64, size: u64) -> Result<()> {
        self.file.begin_overwriting()?;
        let start = self.range.start.saturating_add(position);
        let end = start.saturating_add(size);
        let whole = (start - start % PIECE).max(self.range.start)
            ..end.checked_next_multiple_of(PIECE).unwrap_or(u64::MAX).min(self.range.end);
        self.with(|Overwritten { journal, file, .. }| {
            let mut at = whole.start;
            while at < whole.end {
                let extent = file.file().and_then(|file| extent_at(&file, at));
                let (is_hole, end) = extent.unwrap_or((false, whole.end));
                if is_hole {
                    // All of it at once costs no more.
                    journal.keep_zeros(at..end.min(self.range.end))?;
                } else {
                    journal.keep(&**file, at..end.min(whole.end))?;
                }
                at = end;
            }
            Ok(())
        })
    }

    fn begin(&mut self) -> Result<()> {
        let (number, header) = self.file.block_at(self.range.start)?;
        self.with(|overwritten| overwritten.make_ready(number, &header))?;
        self.number = Some(number);
        self.with(|overwritten| overwritten.take_checksum(number, &header))
    }

    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        self.with(|Overwritten { file, .. }| read_exact_at(&**file, self.range.start.saturating_add(position), buffer))
    }

    fn store(&mut self, position: u64, bytes: &[u8]) -> Result<()> {
        self.with(|overwritten| overwritten.write(self.range.start.saturating_add(position), bytes))
    }
}

/// Whether there is a hole at an offset of a file, and where it ends, or where the next one begins; if the system tells it.
#[cfg(target_os = "linux")]
fn extent_at(file: &std::fs::File, offset: u64) -> Option<(bool, u64)> {
    use rustix::fs::{SeekFrom, seek};
    match seek(file, SeekFrom::Data(offset)) {
        Ok(data) if data > offset => Some((true, data)),
        Err(rustix::io::Errno::NXIO) => Some((true, u64::MAX)),
        Ok(_) => seek(file, SeekFrom::Hole(offset)).ok().filter(|&hole| hole > offset).map(|hole| (false, hole)),
        Err(_) => None,
    }
}

#[cfg(not(target_os = "linux"))]
fn extent_at(_: &std::fs::File, _: u64) -> Option<(bool, u64)> {
    None
}

impl Overwritten {
    /// Makes sure what is kept. Nothing is overwritten before.
    fn make_ready(&mut self, number: u64, header: &BlockHeader) -> Result<()> {
        if !self.blocks.contains_key(&number) && header.checksum != [0; 16] {
            let place = header.checksum_offset();
            self.journal.keep(&*self.file, place..place + header.checksum.len() as u64)?;
        }
        if self.journal.is_waiting() { self.journal.ready() } else { Ok(()) }
    }

    /// Takes the block's checksum off when it is written to for the first time.
    fn take_checksum(&mut self, number: u64, header: &BlockHeader) -> Result<()> {
        self.file.expect_changes();
        if let Entry::Vacant(entry) = self.blocks.entry(number) {
            entry.insert(header.checksum);
            if header.checksum != [0; 16] {
                self.write(header.checksum_offset(), &[0; 16])?;
            }
        }
        Ok(())
    }

    /// Whether the journal could be taken for one of a new file: the new file has the bytes by which the journal knows its
    /// own file.
    fn may_fit(&self, head: u64, new: &FileSource) -> Result<bool> {
        for range in witnesses(head) {
            if range.end > new.len() || md5_of_range(&*self.file, range.clone())? != md5_of_range(new, range)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let file = self.file.file().ok_or_else(|| Error::new(Status::Internal, "the file has no descriptor"))?;
        write_all_at(&file, offset, bytes).map_err(|error| Error::io("writing", &error))
    }
}

/// The parts before the blocks by which a file is known again.
fn witnesses(head: u64) -> [Range<u64>; 2] {
    [0..head.min(WITNESS), head.saturating_sub(WITNESS).max(head.min(WITNESS))..head]
}

impl File {
    /// Begins a journal, unless there is one.
    fn begin_overwriting(&self) -> Result<()> {
        let mut overwritten = write(&self.inner.overwritten);
        if overwritten.is_some() {
            return Ok(());
        }
        let path = self.update_path()?;
        let Some(file) = lock(&self.inner.updated).clone() else {
            return Err(Error::new(Status::Internal, "a file opened for update has no descriptor"));
        };
        self.undo_failed_save()?;
        let mut journal = Journal::begin(path, file.len(), self.family.options().durable)?;
        // Who overwrites has a journal, so that from here on nobody else does.
        let head = self.head_length();
        let begun = self
            .check_unchanged(path)
            .and_then(|()| witnesses(head).into_iter().try_for_each(|range| journal.watch(&*file, range)));
        let (is_unsure, is_given_back, process) = (false, false, Process::current());
        let blocks = BTreeMap::new();
        *overwritten = Some(Overwritten { journal, file, blocks, is_unsure, is_given_back, is_kept: false, process });
        if begun.is_err() {
            *overwritten = None;
        }
        begun
    }

    /// How many bytes of the file as it is stored stand before its blocks.
    fn head_length(&self) -> u64 {
        let first = self.store().of_file().and_then(|stored| stored.layout.blocks.first());
        first.map_or(0, |header| header.offset)
    }

    /// Ends a journal by which nothing was overwritten yet, after a call that failed.
    fn forget_unwritten(&self) {
        let mut overwritten = write(&self.inner.overwritten);
        if overwritten.as_ref().is_some_and(|overwritten| !overwritten.journal.is_ready()) {
            *overwritten = None;
        }
    }

    /// Sees to it that a new file, which is about to get the name of this one, will not be taken for one whose save was
    /// interrupted. A journal of what was written over that fits the new file gives back what was there, which the new
    /// file has not.
    pub(super) fn make_way(&self, target: &Path, new: &std::fs::File) -> Result<bool> {
        let head = self.head_length();
        let mut guard = write(&self.inner.overwritten);
        let Some(overwritten) = &mut *guard else { return interrupted::make_way(target, new) };
        let new = new.try_clone().map_err(|error| Error::io("reading the new file", &error))?;
        overwritten.file.expect_changes();
        if !overwritten.may_fit(head, &FileSource::from_file(new)?)? {
            return Ok(false);
        }
        overwritten.is_given_back = true;
        let file = overwritten.file.file().ok_or_else(|| Error::new(Status::Internal, "the file has no descriptor"))?;
        overwritten.journal.roll_back(&file)?;
        overwritten.file.renew_blocks()?;
        sync_folder(folder_of(target)).map(|()| false)
    }

    /// Notes that what was written over is gone, if it was given back for the sake of a new file that there is not.
    pub(super) fn note_given_back(&self, error: &Error) {
        let mut overwritten = write(&self.inner.overwritten);
        if overwritten.as_ref().is_some_and(|overwritten| overwritten.is_given_back) {
            *overwritten = None;
            self.note_failure(error);
        }
    }

    /// Fails if elements that were written over may be lost.
    pub(super) fn check_overwritten(&self) -> Result<()> {
        if read(&self.inner.overwritten).as_ref().is_some_and(|overwritten| overwritten.is_unsure) {
            let message = "elements that were written over may be lost, as waiting for the disk failed; close the file, \
                           which gives back what was there, and write them again";
            return Err(Error::new(Status::Incomplete, message));
        }
        Ok(())
    }

    /// The block whose payload begins here.
    fn block_at(&self, payload: u64) -> Result<(u64, BlockHeader)> {
        let store = self.store();
        if let Some(stored) = store.of_file() {
            let blocks = &stored.layout.blocks;
            let (mut low, mut high) = (0, blocks.count()?);
            while low < high {
                let number = low + (high - low) / 2;
                let header = blocks.get(number)?;
                match header.payload_offset().cmp(&payload) {
                    Ordering::Equal => return Ok((number, header)),
                    Ordering::Less => low = number + 1,
                    Ordering::Greater => high = number,
                }
            }
        }
        Err(Error::new(Status::Internal, "the array is in no block of the file"))
    }

    /// Whether something was written over that is not saved.
    pub(super) fn has_overwritten(&self) -> bool {
        read(&self.inner.overwritten).is_some()
    }

    /// Whether a block was written to since the file was saved, so that it has no checksum any more.
    pub(super) fn is_overwritten(&self, number: u64) -> bool {
        read(&self.inner.overwritten).as_ref().is_some_and(|overwritten| overwritten.blocks.contains_key(&number))
    }

    /// Gives blocks that were written to, and had checksums, new ones if the options want any.
    pub(super) fn renew_checksums(&self, options: &WriteOptions) -> Result<()> {
        let mut overwritten = write(&self.inner.overwritten);
        let Some(overwritten) = overwritten.as_mut().filter(|_| options.checksums) else { return Ok(()) };
        overwritten.file.expect_changes();
        let renew = || {
            let store = self.store();
            let Some(stored) = store.of_file() else { return Ok(()) };
            for (&number, checksum) in &overwritten.blocks {
                if *checksum != [0; 16] {
                    let header = stored.layout.blocks.get(number)?;
                    let range = header.stored_range(overwritten.file.len())?;
                    let checksum = md5_of_range(&*overwritten.file, range)?;
                    overwritten.write(header.checksum_offset(), &checksum)?;
                }
            }
            Ok(())
        };
        let renewed = renew();
        overwritten.file.renew_blocks()?;
        renewed
    }

    /// Makes what was written over last, as nothing else of the file was changed.
    pub(super) fn keep_overwritten(&self, options: &WriteOptions) -> Result<()> {
        if !self.has_overwritten() {
            return Ok(());
        }
        if let Some(path) = &self.inner.origin.update {
            draft::remove_dead(path);
        }
        self.renew_checksums(options)?;
        let mut guard = write(&self.inner.overwritten);
        let Some(overwritten) = &mut *guard else { return Ok(()) };
        overwritten.file.expect_changes();
        let mut keep = || {
            if let Some(file) = overwritten.file.file() {
                mark_modified(&file);
                if options.durable {
                    sync_file(&file).inspect_err(|_| overwritten.is_unsure = true)?;
                }
            }
            // Read as long as nothing is lost if that fails.
            let source = self.store().of_file().map(|stored| stored.source.clone());
            let layout = source.map(|source| self.layout_of_saved(source)).transpose()?;
            overwritten.file.renew_blocks()?;
            overwritten.journal.commit(options.durable).map(|()| layout)
        };
        let layout = match keep() {
            Ok(layout) => layout,
            Err(error) => {
                overwritten.file.renew_blocks()?;
                return Err(error);
            }
        };
        overwritten.is_kept = true;
        let finished = overwritten.journal.finish();
        *guard = None;
        drop(guard);
        if let Some(layout) = layout {
            self.store_mut().read_again(layout);
        }
        finished.and_then(|()| self.check_name(options))
    }

    /// Forgets what was written over: another file, which has it, took the place of this one. The journal stays if it is
    /// not sure that the old file will not come back.
    pub(super) fn forget_overwritten(&self, is_sure: bool) {
        if let Some(mut overwritten) = write(&self.inner.overwritten).take() {
            overwritten.is_kept = true;
            if is_sure {
                // Should it stay, it is seen that it is of another file.
                let _ = overwritten.journal.commit(false);
            }
        }
    }
}
