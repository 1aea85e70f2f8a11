//! Writing over elements of arrays where they are stored: at once, but only for good when the file is saved.
//!
//! What is overwritten goes into a journal first, by the megabyte and once for each. Saving gives the journal up, closing
//! the file without that gives back what was there; after a crash the next opening does.

use crate::array::{Array, ArraySource, Datatype, Payload, Place, ReadOptions, Region};
use crate::error::{Error, Result, Status};
use crate::file::disk::draft;
use crate::file::disk::folder::sync_file;
use crate::file::disk::journal::mark_modified;
use crate::file::disk::overwritten::Overwritten;
use crate::file::{File, NodeArray, WriteOptions};
use crate::layout::{BlockHeader, md5_of_range};
use crate::progress::{self, Counted};
use crate::source::{BytesOrigin, EditableSource, Source, read_exact_at};
use std::cmp::Ordering;
use std::ops::Range;

/// What is kept at a time.
const PIECE: u64 = 1 << 20;

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
                    None => file.update_state_mut().forget_unwritten(),
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
        progress::commit()
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
        match &mut self.file.update_state_mut().overwritten {
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
        // Earlier writes since the last save share the journal, so it cannot undo this one alone.
        progress::commit()?;
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

impl File {
    /// Begins a journal of what is written over, unless there is one.
    fn begin_overwriting(&self) -> Result<()> {
        let mut update = self.update_state_mut();
        if update.overwritten.is_some() {
            return Ok(());
        }
        update.begin_overwriting(self.update_path()?, self.head_length(), self.family.options().durable)
    }

    /// How many bytes of the file as it is stored stand before its blocks.
    pub(super) fn head_length(&self) -> u64 {
        let first = self.store().of_file().and_then(|stored| stored.layout.blocks.first());
        first.map_or(0, |header| header.offset)
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

    /// Gives blocks that were written to, and had checksums, new ones if the options want any.
    pub(super) fn renew_checksums(&self, options: &WriteOptions) -> Result<()> {
        let mut update = self.update_state_mut();
        let Some(overwritten) = update.overwritten.as_mut().filter(|_| options.checksums) else { return Ok(()) };
        overwritten.file.expect_changes();
        let renew = || {
            let store = self.store();
            let Some(stored) = store.of_file() else { return Ok(()) };
            for (&number, checksum) in &overwritten.blocks {
                if *checksum != [0; 16] {
                    let header = stored.layout.blocks.get(number)?;
                    let range = header.stored_range(overwritten.file.len())?;
                    progress::expect_more(Counted::Stored, range.end - range.start);
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
        if self.update_state().overwritten.is_none() {
            return Ok(());
        }
        if let Some(path) = &self.inner.origin.update {
            draft::remove_dead(path);
        }
        self.renew_checksums(options)?;
        let mut update = self.update_state_mut();
        let Some(overwritten) = &mut update.overwritten else { return Ok(()) };
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
            progress::commit()?;
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
        update.overwritten = None;
        let sure = update.check_name(options.durable);
        drop(update);
        if let Some(layout) = layout {
            self.store_mut().read_again(layout);
        }
        finished.and(sure)
    }
}
