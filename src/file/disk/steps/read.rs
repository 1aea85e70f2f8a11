//! The state of a file with appended steps: which of its records counts. See [`steps`](super).

use super::format::{Record, SLOT, SLOTS, Written, hash_of_head, slots_before};
use crate::error::{Error, Result};
use crate::file::disk::folder::sync_file;
use crate::file::disk::growth::hash_of;
use crate::file::disk::record_line;
use crate::layout::{Layout, index_of};
use crate::limits::Limits;
use crate::source::{
    FileSource, Kept, MemorySource, OverlaySource, Patches, Source, Witness, read_exact_at, read_vec_at, write_all_at,
};
use std::sync::Arc;

/// The last complete step of a file.
struct Step {
    record: Record,
    /// The bytes before the records after the step.
    head: Vec<u8>,
    /// Changes after the first block, in order.
    changes: Vec<Written>,
    /// True if the file has not all changes yet.
    is_behind: bool,
}

impl Step {
    /// Returns the last complete step; `None` for a file without records.
    fn find(source: &dyn Source, layout: &Layout) -> Result<Option<Step>> {
        let (Some(tree), Some(first)) = (&layout.tree, layout.blocks.first()) else { return Ok(None) };
        let slots = slots_before(first.offset);
        // A server would need another request.
        if slots < tree.range.end || source.request_cost() > MemorySource::of_vec(Vec::new()).request_cost() {
            return Ok(None);
        }
        let mut bytes = [0; SLOTS];
        read_exact_at(source, slots, &mut bytes)?;
        let mut records: Vec<Record> = bytes.chunks(SLOT).filter_map(Record::decode).collect();
        records.retain(|record| record.slots == slots && record.fresh.end <= source.len());
        records.sort_by_key(|record| std::cmp::Reverse(record.sequence));
        for (place, record) in records.iter().enumerate() {
            let before = records.get(place + 1).filter(|before| {
                before.session == record.session && before.sequence.checked_add(1) == Some(record.sequence)
            });
            if let Some(step) = Step::of(source, record, before, first.offset)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Returns the step of a record if it is complete.
    fn of(source: &dyn Source, record: &Record, before: Option<&Record>, first: u64) -> Result<Option<Step>> {
        let stored = read_vec_at(source, 0, record.slots)?;
        let mut head = stored.clone();
        let (mut changes, mut is_behind) = (Vec::new(), false);
        for change in before.into_iter().chain([record]).flat_map(|record| &record.changes) {
            let range = change.range();
            if range.end <= record.slots {
                let place = head.get_mut(range.start as usize..range.end as usize);
                place.into_iter().for_each(|place| place.copy_from_slice(&change.bytes));
            } else if range.start >= first && range.end <= record.fresh.end {
                changes.push(change.clone());
            } else {
                return Ok(None);
            }
        }
        if hash_of_head(&head) != record.head {
            return Ok(None);
        }
        if head != stored {
            is_behind = true;
            if hash_of(source, record.fresh.clone())? != record.hash {
                return Ok(None);
            }
        }
        for change in &changes {
            is_behind |= read_vec_at(source, change.offset, change.bytes.len() as u64)? != change.bytes;
        }
        Ok(Some(Step { record: record.clone(), head, changes, is_behind }))
    }
}

/// Returns what is read in place of a source: the last complete step. Returns `None` for a file without records.
pub(in crate::file) fn lay_over(source: &Arc<dyn Source>, layout: &Layout) -> Result<Option<Arc<dyn Source>>> {
    let Some(Step { record, head, changes, .. }) = Step::find(&**source, layout)? else { return Ok(None) };
    source.remember(Witness::Growing(record.slots, SLOT as u64, record.prefix()));
    // The next step may change all these bytes while they are read.
    let (mut patches, mut kept) = (Patches::default(), head);
    patches.add(0..kept.len() as u64, Kept::At(0));
    // Of two changes of a place, the later one counts.
    for change in changes.iter().rev() {
        patches.add(change.range(), Kept::At(kept.len() as u64));
        kept.extend_from_slice(&change.bytes);
    }
    let kept = Arc::new(MemorySource::of_vec(kept));
    Ok(Some(Arc::new(OverlaySource::new(source.clone(), kept, patches, record.fresh.end)?)))
}

/// Makes a file what it is after its last complete step, waits for the disk, writes the block index and removes the
/// records. Returns true if the file was changed. No other handle may have it open for update.
pub(in crate::file) fn repair(file: &Arc<FileSource>, limits: &Limits) -> Result<bool> {
    let source: Arc<dyn Source> = file.clone();
    // Reading the file finds its faults.
    let Ok(layout) = Layout::read(source, limits) else { return Ok(false) };
    let Some(Step { record, head, changes, is_behind }) = Step::find(&**file, &layout)? else { return Ok(false) };
    let fail = |error: std::io::Error| Error::io("cannot complete the last step of the file", &error);
    if is_behind {
        for change in &changes {
            write_all_at(file.descriptor(), change.offset, &change.bytes).map_err(fail)?;
        }
        write_all_at(file.descriptor(), 0, &head).map_err(fail)?;
    }
    if file.len() > record.fresh.end {
        file.descriptor().set_len(record.fresh.end).map_err(fail)?;
    }
    // The changes must be on the disk before their record is removed.
    sync_file(file.descriptor())?;
    let grown: Arc<dyn Source> = Arc::new(file.grown()?);
    if let Ok(offsets) = Layout::read(grown, limits).and_then(|layout| layout.blocks.offsets())
        && let Ok(index) = index_of(&offsets)
    {
        // Without the index, or with a part of it, all blocks are found, too.
        let _ = write_all_at(file.descriptor(), record.fresh.end, &index);
    }
    record_line::remove(file.descriptor(), record.slots, record.sequence, SLOT).map_err(fail)?;
    Ok(true)
}
