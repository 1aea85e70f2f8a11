//! Overwriting elements of stored arrays. The change is visible at once, and becomes permanent when the file is saved.
//!
//! The old bytes are first copied to a journal, in pieces of 1 MiB, each piece once. A save removes the journal.
//! Closing the file without a save restores the old bytes; after a crash the next opening does.

use super::append::{append_rows, end_growth_without_steps};
use super::in_place::has_other_names;
use crate::array::{Array, ArraySource, Datatype, Payload, ReadOptions, Region, WritablePayload};
use crate::error::{Error, Result, Status};
use crate::file::blocks::BlockStore;
use crate::file::disk::draft;
use crate::file::disk::folder::sync_file;
use crate::file::disk::journal::mark_modified;
use crate::file::disk::overwritten::Overwritten;
use crate::file::edit::chunked::ChunkEditor;
use crate::file::{File, WriteOptions};
use crate::fits::{FitsFile, HduPlace, is_hdu_source};
use crate::layout::{BlockHeader, md5_of_range};
use crate::progress::{self, Counted};
use crate::source::{EditableSource, OwnSource, Source, SourceKind, read_exact_at};
use std::cmp::Ordering;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Size of the pieces that are kept in the journal, in bytes.
const PIECE: u64 = 1 << 20;

impl Array {
    /// Overwrites the elements of a region, or all elements. The new elements have the datatype `memory` and are in
    /// `bytes`, in the order of the options. They are converted by the rules for reading. Values that do not fit are
    /// detected before anything is written.
    ///
    /// In a file opened for update, this overwrites the stored elements. Reads through this file return the new
    /// elements at once. [`File::save`] makes the change permanent; closing the file without a save restores the old
    /// elements. In an array that is not saved yet, the elements in memory are overwritten.
    ///
    /// Several threads may write regions of one file at once, also of one array; the regions must be disjoint. Chunks are
    /// decoded and encoded at the same time, all else one after another. The changed chunks of a chunked array are kept
    /// in memory until the file is saved.
    ///
    /// Fails with [`Status::FileChanged`] if others changed or replaced the file, and with [`Status::NotInPlace`] if the
    /// file has several names (hard links).
    ///
    /// In a FITS file, the data of images and of tables without conversions are overwritten, and those of unsigned
    /// integers. [`File::save`] renews the checksums of their HDUs, if these have any.
    ///
    /// Fails with [`Status::Unsupported`] for elements that are compressed, in the tree, in another file, lent, made by
    /// a callback, scaled data of an HDU, or zeros that are not saved yet, and for an array that was looked up before a save that wrote a new
    /// file. Fails with [`Status::Masked`] for an array with a mask, and for the same reasons as reading.
    pub fn write_region(
        &self,
        region: Option<&Region>,
        memory: &Datatype,
        bytes: &[u8],
        options: &ReadOptions,
    ) -> Result<()> {
        let file = self.node()?.file();
        if self.chunk_shape().is_some() {
            return self.overwrite_chunks(region, memory, bytes, options).map_err(|error| self.locate(error));
        }
        let _turn = file.shared.region_turn().map_err(|error| self.locate(error))?;
        let _change = file.begin_change()?;
        end_growth_without_steps(file).map_err(|error| self.locate(error))?;
        self.overwrite(region, memory, bytes, options).map_err(|error| self.locate(error))
    }

    /// Adds elements after the last ones along the first dimension: `rows` times a row of this array. They have the
    /// datatype `memory` and are in `bytes`, in the order of the options, and are converted as by
    /// [`Array::write_region`].
    ///
    /// The elements are written to the file at once, after the end that it had. [`File::save`] makes them part of the
    /// array, with one wait for the disk. Until then nobody else sees them, and closing the file drops them. This array
    /// keeps its shape; look it up again to read them.
    ///
    /// The file must be open for update, without other unsaved changes when the array begins to grow. The array must be
    /// stored uncompressed in the last block of the file, or be chunked. The first call prepares the file: it makes room
    /// for the number of rows and for two records before the first block. Only if there is none, the file is written
    /// anew, once. The block has no checksum from then on, and is streamed.
    ///
    /// Fails with [`Status::Unsupported`] for an array that cannot grow, with [`Status::NotInPlace`] if the file has
    /// several names (hard links), and for the same reasons as [`Array::write_region`]. After a failure, the array is as
    /// before the call.
    pub fn append(&self, rows: i64, memory: &Datatype, bytes: &[u8], options: &ReadOptions) -> Result<()> {
        let file = self.node()?.file();
        let chunks = if self.chunk_shape().is_some() { file.shared.all_chunk_turns() } else { Ok(Vec::new()) };
        let _chunks = chunks.map_err(|error| self.locate(error))?;
        let _turn = file.shared.region_turn().map_err(|error| self.locate(error))?;
        append_rows(self, rows, memory, bytes, options).map_err(|error| self.locate(error))
    }

    fn overwrite_chunks(
        &self,
        region: Option<&Region>,
        memory: &Datatype,
        bytes: &[u8],
        options: &ReadOptions,
    ) -> Result<()> {
        let file = self.node()?.file();
        {
            // While another thread writes a region, the file is not writable.
            let _turn = file.shared.region_turn()?;
            file.check_writable()?;
        }
        let editor = ChunkEditor::of(self)?;
        let _chunks = file.shared.chunk_turns(self.touched_chunks(region)?)?;
        let changed = editor.encoded(self.changed_chunks(region, memory, bytes, options)?, options.threads)?;
        progress::commit()?;
        let _turn = file.shared.region_turn()?;
        editor.put(changed)
    }

    fn overwrite(&self, region: Option<&Region>, memory: &Datatype, bytes: &[u8], options: &ReadOptions) -> Result<()> {
        let unsupported = |message: &str| Err(Error::new(Status::Unsupported, message));
        let file = self.node()?.file();
        match self.source() {
            Some(ArraySource::Inline(_)) => {
                return unsupported("the elements are in the tree; set the array again, or store it in a block first");
            }
            Some(ArraySource::Uri(hdu)) if let Some(fits) = file.store()?.fits().filter(|_| is_hdu_source(hdu)) => {
                let place = self.place_in_hdu(fits, hdu)?;
                return self.overwrite_stored(region, memory, bytes, options, place);
            }
            Some(ArraySource::Uri(_) | ArraySource::OtherFormat(_)) => {
                return unsupported("the elements are in another file; open that file for update");
            }
            Some(ArraySource::Block(_) | ArraySource::Chunks) | None => {}
        }
        let (source, range) = match self.payload() {
            Payload::Stored { source, offset, length } => (source, *offset..offset.saturating_add(*length)),
            Payload::Encoded { .. } => {
                return unsupported(
                    "the elements are compressed; read them and set the array again, or remove the compression and save",
                );
            }
            Payload::Chunked(_) => return unsupported("the elements are stored in chunks"),
            absent @ Payload::Absent { .. } => return absent.check(),
        };
        let store = file.store()?;
        if store.reads_from(source) {
            if file.shared.origin.is_unnamed_update {
                return unsupported("the file is in memory; set the array again, whose elements can then be changed");
            }
            let start = store.start();
            let place = StoredPlace::Block(range.start + start..range.end + start);
            return self.overwrite_stored(region, memory, bytes, options, place);
        }
        if let Some(editable) = source.editable() {
            return self.write_region_to(region, memory, bytes, options, &mut MemoryPayload(editable));
        }
        match source.kind() {
            SourceKind::Zeros => unsupported("the zeros are not stored yet; save the file first"),
            SourceKind::Computed { .. } => {
                unsupported("the elements are computed when the file is saved; save it first")
            }
            SourceKind::Stored => unsupported(
                "the elements do not belong to this file: they are lent or moved to it, in another file, or were \
                 looked up before the last save; save the file, open it for update, and look the array up",
            ),
        }
    }
}

impl Array {
    /// Returns the place of the elements in an HDU.
    fn place_in_hdu(&self, fits: &FitsFile, hdu: &str) -> Result<StoredPlace> {
        let file = self.node()?.file();
        let place = fits.writable(hdu, file.limits())?;
        let own = file.store()?.opened_file();
        let there = self.payload().place().and_then(|(source, _)| source.opened_file());
        match (own, there) {
            (Some(own), Some(there)) if Arc::ptr_eq(&own, &there) => Ok(StoredPlace::Hdu(place)),
            _ => {
                let message = "the elements do not belong to the current file: the array was looked up before the last \
                               save, or the file is in memory";
                Err(Error::new(Status::Unsupported, message))
            }
        }
    }

    /// Overwrites elements in the file on disk.
    fn overwrite_stored(
        &self,
        region: Option<&Region>,
        memory: &Datatype,
        bytes: &[u8],
        options: &ReadOptions,
        place: StoredPlace,
    ) -> Result<()> {
        let file = self.node()?.file();
        file.state()?.update.check_before_overwriting(file.update_path()?)?;
        let (store, overwritten) = (file.store()?, TakenOverwritten::take_from(file)?);
        let mut payload = StoredPayload { file, store, place, is_begun: false, overwritten };
        let written = self.write_region_to(region, memory, bytes, options, &mut payload);
        let settled = payload.settle(written.is_ok());
        let is_begun = payload.is_begun;
        drop(payload);
        if let Err(error) = &written {
            if is_begun {
                // The array now contains old and new elements.
                file.note_failure(error);
            } else {
                file.own_state()?.update.forget_unwritten();
            }
        }
        written.and(settled)
    }
}

/// The payload of a pending block in memory.
struct MemoryPayload<'a>(&'a EditableSource);

impl WritablePayload for MemoryPayload<'_> {
    fn prepare(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        progress::commit()
    }

    fn fetch(&mut self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        read_exact_at(self.0, offset, buffer)
    }

    fn store(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.0.overwrite(offset, bytes)
    }
}

/// The record of overwritten bytes, taken out of the state of the file while a call uses it: the call can report
/// progress. Dropping it puts it back.
struct TakenOverwritten<'a> {
    file: &'a File,
    record: Option<Overwritten>,
}

impl<'a> TakenOverwritten<'a> {
    fn take_from(file: &'a File) -> Result<TakenOverwritten<'a>> {
        Ok(TakenOverwritten { file, record: file.own_state()?.update.overwritten.take() })
    }

    fn get(&mut self) -> Result<&mut Overwritten> {
        let missing = || Error::new(Status::Internal, "no elements are being overwritten");
        self.record.as_mut().ok_or_else(missing)
    }
}

impl Drop for TakenOverwritten<'_> {
    fn drop(&mut self) {
        // If the file was closed meanwhile, the old elements are restored.
        if let Ok(mut state) = self.file.own_state() {
            state.update.overwritten = self.record.take();
        }
    }
}

/// Place of elements in the file on disk.
enum StoredPlace {
    /// The payload of a block.
    Block(Range<u64>),
    Hdu(HduPlace),
}

/// The payload of a stored block, or the data of an HDU.
struct StoredPayload<'a> {
    file: &'a File,
    store: Arc<BlockStore>,
    place: StoredPlace,
    /// Set when writing begins.
    is_begun: bool,
    overwritten: TakenOverwritten<'a>,
}

impl StoredPayload<'_> {
    fn range(&self) -> &Range<u64> {
        match &self.place {
            StoredPlace::Block(range) => range,
            StoredPlace::Hdu(place) => &place.range,
        }
    }

    /// Begins a journal for overwritten bytes, unless one exists.
    fn begin_record(&mut self) -> Result<()> {
        if self.overwritten.record.is_some() {
            return Ok(());
        }
        let mut state = self.file.own_state()?;
        if state.update.file.as_ref().map_or(Ok(false), |file| has_other_names(file))? {
            let message = "the file has several names (hard links), and the journal with the old elements would be \
                           found under one of them only";
            return Err(Error::new(Status::NotInPlace, message));
        }
        let head = head_of(&self.store);
        state.update.begin_overwriting(self.file.update_path()?, head, self.file.family.options().durable)?;
        self.overwritten.record = state.update.overwritten.take();
        Ok(())
    }

    /// Accepts the current state of the file as unchanged. If `is_done`, all elements were written.
    fn settle(&mut self, is_done: bool) -> Result<()> {
        if !self.is_begun { Ok(()) } else { self.overwritten.get()?.settle(is_done) }
    }
}

impl WritablePayload for StoredPayload<'_> {
    fn prepare(&mut self, offset: u64, size: u64) -> Result<()> {
        self.begin_record()?;
        let range = self.range();
        let start = range.start.saturating_add(offset);
        let end = start.saturating_add(size);
        let whole = (start - start % PIECE).max(range.start)
            ..end.checked_next_multiple_of(PIECE).unwrap_or(u64::MAX).min(range.end);
        let Overwritten { journal, file, .. } = self.overwritten.get()?;
        let mut at = whole.start;
        while at < whole.end {
            let extent = file.file().and_then(|file| extent_at(&file, at));
            let (is_hole, end) = extent.unwrap_or((false, whole.end));
            if is_hole {
                journal.keep_zeros(at..end.min(whole.end))?;
            } else {
                journal.keep(&**file, at..end.min(whole.end))?;
            }
            at = end;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        let start = self.range().start;
        let hdu = self.store.fits().and_then(|fits| fits.hdu_at(start));
        let block = match &self.place {
            StoredPlace::Block(range) => Some(block_at(&self.store, range.start)?),
            StoredPlace::Hdu(_) => None,
        };
        // Earlier writes since the last save share the journal, so it cannot undo this one alone.
        progress::commit()?;
        match &block {
            Some((number, header)) => self.overwritten.get()?.make_ready(*number, header)?,
            None => self.overwritten.get()?.complete_batch()?,
        }
        self.is_begun = true;
        let overwritten = self.overwritten.get()?;
        overwritten.hdus.extend(hdu);
        block.map_or(Ok(()), |(number, header)| overwritten.take_checksum(number, &header))
    }

    fn fetch(&mut self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let from = self.range().start.saturating_add(offset);
        read_exact_at(&*self.overwritten.get()?.file, from, buffer)?;
        if let StoredPlace::Hdu(place) = &self.place {
            place.convert(offset, buffer);
        }
        Ok(())
    }

    fn store(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let to = self.range().start.saturating_add(offset);
        match &self.place {
            StoredPlace::Hdu(place) if place.is_converted() => {
                let mut stored = bytes.to_vec();
                place.convert(offset, &mut stored);
                self.overwritten.get()?.overwrite(to, &stored)
            }
            _ => self.overwritten.get()?.overwrite(to, bytes),
        }
    }
}

/// Returns whether an offset of a file is in a hole, and the end of that hole or data. `None` if the system cannot
/// tell.
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

/// Returns the bytes before the blocks of the stored file. They are never overwritten as elements.
fn head_of(store: &BlockStore) -> Range<u64> {
    let first = store.of_file().and_then(|stored| stored.layout.blocks.first()).map(|header| header.offset);
    match store.fits() {
        // Headers of other HDUs can change.
        Some(fits) => fits.asdf().start..first.map_or(fits.asdf().end, |first| fits.asdf().start + first),
        None => 0..first.unwrap_or(0),
    }
}

/// Returns a header of a block with its place in the file on disk.
fn on_disk(header: BlockHeader, store: &BlockStore) -> BlockHeader {
    BlockHeader { offset: header.offset + store.start(), ..header }
}

/// Returns number and header of the block whose payload begins at this offset of the file on disk.
fn block_at(store: &BlockStore, payload: u64) -> Result<(u64, BlockHeader)> {
    if let Some(stored) = store.of_file() {
        let blocks = &stored.layout.blocks;
        let (mut low, mut high) = (0, blocks.count()?);
        while low < high {
            let number = low + (high - low) / 2;
            let header = on_disk(blocks.get(number)?, store);
            match header.payload_offset().cmp(&payload) {
                Ordering::Equal => return Ok((number, header)),
                Ordering::Less => low = number + 1,
                Ordering::Greater => high = number,
            }
        }
    }
    Err(Error::new(Status::Internal, "the array has no block in the file"))
}

impl File {
    /// Computes new checksums for overwritten blocks that had checksums, if the options ask for checksums, and for
    /// overwritten HDUs.
    pub(super) fn renew_checksums(&self, options: &WriteOptions) -> Result<()> {
        let (store, mut taken) = (self.store()?, TakenOverwritten::take_from(self)?);
        let is_wanted = options.checksums || store.fits().is_some();
        let Some(overwritten) = taken.record.as_mut().filter(|_| is_wanted) else { return Ok(()) };
        overwritten.file.expect_changes();
        let mut renew = || {
            overwritten.journal.begin_writes()?;
            let Some(stored) = store.of_file() else { return Ok(()) };
            for (&number, checksum) in overwritten.blocks.iter().filter(|_| options.checksums) {
                if *checksum != [0; 16] {
                    let header = on_disk(stored.layout.blocks.get(number)?, &store);
                    let range = header.stored_range(overwritten.file.len())?;
                    progress::expect_more(Counted::Stored, range.end - range.start);
                    let checksum = md5_of_range(&*overwritten.file, range)?;
                    overwritten.write(header.checksum_offset(), &checksum)?;
                }
            }
            store.fits().map_or(Ok(()), |fits| self.renew_hdu_sums(fits, overwritten))
        };
        let renewed = renew();
        let settled = overwritten.settle(renewed.is_ok());
        renewed.and(settled)
    }

    /// Makes overwritten elements permanent, if the file has no other changes.
    pub(crate) fn keep_overwritten(&self, path: &Path, options: &WriteOptions) -> Result<()> {
        {
            let state = self.state()?;
            if state.update.overwritten.is_none() {
                return Ok(());
            }
            state.update.check_unchanged(path)?;
        }
        self.warn(draft::look_for_left(path));
        self.renew_checksums(options)?;
        let (store, mut taken) = (self.store()?, TakenOverwritten::take_from(self)?);
        let overwritten = taken.get()?;
        overwritten.file.expect_changes();
        let mut keep = || {
            if let Some(file) = overwritten.file.file() {
                overwritten.journal.begin_writes()?;
                mark_modified(&file);
                if options.durable {
                    sync_file(&file).inspect_err(|_| overwritten.is_unsure = true)?;
                }
            }
            // Read the layout first: a failure here loses nothing.
            let source = store.of_file().map(|stored| stored.source.clone());
            let layout = source.map(|source| self.layout_of_saved(source)).transpose()?;
            progress::commit()?;
            overwritten.check_not_replaced(path)?;
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
        taken.record = None;
        drop(taken);
        drop(store);
        let mut state = self.own_state()?;
        if let Some(layout) = layout {
            state.store_mut().read_again(layout);
        }
        finished.and(state.update.check_name(options.durable))
    }
}
