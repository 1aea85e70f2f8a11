//! The state of a file with an array that grows: which of its records counts. See [`growth`](super::growth).

use super::folder::sync_file;
use super::growth::{hash_of, slots_before};
use super::growth_format::{DIGITS, Record, SLOT, SLOTS, decode_rows, encode_rows, tree_hash};
use super::record_line;
use crate::error::{Error, Result};
use crate::layout::Layout;
use crate::limits::Limits;
use crate::source::{
    FileSource, Kept, MemorySource, OverlaySource, Patches, Source, Witness, read_exact_at, read_vec_at, write_all_at,
};
use std::ops::Range;
use std::sync::Arc;

/// The last complete step of a file.
struct Grown {
    record: Record,
    /// True if the tree has another number of rows.
    is_behind: bool,
}

impl Grown {
    /// Returns the last complete step of a file whose tree and first block stand at these places; `None` for a file
    /// that does not grow.
    fn find(source: &dyn Source, tree: &Range<u64>, first_block: u64) -> Result<Option<Grown>> {
        let slots = slots_before(first_block);
        // A server would need another request.
        if slots < tree.end || source.request_cost() > MemorySource::of_vec(Vec::new()).request_cost() {
            return Ok(None);
        }
        let mut bytes = [0; SLOTS];
        read_exact_at(source, slots, &mut bytes)?;
        let mut records: Vec<Record> = bytes.chunks(SLOT).filter_map(Record::decode).collect();
        records.retain(|record| record.tree == *tree && record.is_consistent() && record.fresh.end <= source.len());
        records.sort_by_key(|record| std::cmp::Reverse(record.sequence));
        for record in records {
            let place = read_vec_at(source, record.number, DIGITS as u64)?;
            let Some(known) = decode_rows(&place) else { continue };
            if tree_hash(source, tree, record.number)? != record.tree_hash {
                continue;
            }
            let is_behind = known != record.rows;
            if !is_behind || hash_of(source, record.fresh.clone())? == record.hash {
                return Ok(Some(Grown { record, is_behind }));
            }
        }
        Ok(None)
    }

    fn of(source: &dyn Source, layout: &Layout) -> Result<Option<Grown>> {
        match (&layout.tree, layout.blocks.first()) {
            (Some(tree), Some(first)) => Grown::find(source, &tree.range, first.offset),
            _ => Ok(None),
        }
    }
}

/// Returns what is read in place of a source: the last complete step, if the tree has another number of rows or if the
/// file goes on after that step. Returns `None` if the source is read as it is.
pub(in crate::file) fn lay_over(source: &Arc<dyn Source>, layout: &Layout) -> Result<Option<Arc<dyn Source>>> {
    let Some(Grown { record, is_behind }) = Grown::of(&**source, layout)? else { return Ok(None) };
    let first = layout.blocks.first().map_or(0, |first| first.offset);
    source.remember(Witness::Growing(slots_before(first), SLOT as u64, record.prefix()));
    if !is_behind && record.fresh.end == source.len() {
        return Ok(None);
    }
    let mut patches = Patches::default();
    patches.add(record.number..record.number + DIGITS as u64, Kept::At(0));
    let number = Arc::new(MemorySource::of_vec(encode_rows(record.rows).to_vec()));
    Ok(Some(Arc::new(OverlaySource::new(source.clone(), number, patches, record.fresh.end)?)))
}

/// Makes a file what it is after its last complete step, waits for the disk, and removes the records. Returns true if the
/// file was changed. No other handle may have it open for update.
pub(in crate::file) fn repair(file: &Arc<FileSource>, limits: &Limits) -> Result<bool> {
    let source: Arc<dyn Source> = file.clone();
    // Reading the file finds its faults.
    let Ok(layout) = Layout::read(source, limits) else { return Ok(false) };
    let Some(Grown { record, is_behind }) = Grown::of(&**file, &layout)? else { return Ok(false) };
    let fail = |error: std::io::Error| Error::io("cannot complete the last step of the file", &error);
    if is_behind {
        write_all_at(file.descriptor(), record.number, &encode_rows(record.rows)).map_err(fail)?;
    }
    if file.len() > record.fresh.end {
        file.descriptor().set_len(record.fresh.end).map_err(fail)?;
    }
    // The number in the tree must be on the disk before its record is removed.
    sync_file(file.descriptor())?;
    let slots = slots_before(layout.blocks.first().map_or(0, |first| first.offset));
    record_line::remove(file.descriptor(), slots, record.sequence, SLOT).map_err(fail)?;
    Ok(true)
}
