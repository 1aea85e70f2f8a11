//! Steps of an array that grows: rows at the end of the last block, and the save that keeps them.
//!
//! How a file grows, and what each cut leaves, is described at [`growth`](crate::file::disk::growth).

use super::begin_growth::{begin_growth, can_grow};
use super::chunk_steps::end_steps;
use crate::array::{Array, Datatype, DiscardedWrites, Order, ReadOptions, Region, WritablePayload};
use crate::error::{Error, Result, Status};
use crate::file::blocks::plan::SMALL_FILE;
use crate::file::disk::growth::{GrowingArray, NewRows};
use crate::file::edit::chunked::ChunkEditor;
use crate::file::{File, Node, WriteOptions};
use crate::progress;
use crate::source::{ClosableSource, Source, try_zeroed};
use crate::tree::Style;
use crate::tree::edit::Content;
use std::path::Path;
use std::sync::Arc;

/// Adds rows to an array; see [`Array::append`].
pub(super) fn append_rows(
    array: &Array,
    rows: i64,
    memory: &Datatype,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<()> {
    let file = array.node()?.file();
    let invalid = |message: &str| Err(Error::new(Status::InvalidArgument, message));
    if array.shape().is_empty() {
        return invalid("an array without dimensions has no rows");
    }
    if rows < 0 {
        return invalid("the number of new rows must not be negative");
    }
    let part = array.of_rows(rows)?;
    if array.chunk_shape().is_some() {
        file.check_writable()?;
        part.write_region_to(None, memory, bytes, options, &mut DiscardedWrites)?;
        return if rows > 0 { append_to_chunks(array, rows, memory, bytes, options) } else { Ok(()) };
    }
    let _change = file.begin_change()?;
    let path = file.update_path()?;
    end_steps(file)?;
    let mut taken = TakenGrowth::of(file, array)?;
    let Some(growing) = &mut taken.growing else {
        return Err(Error::new(Status::Internal, "the array does not grow"));
    };
    growing.growth.check()?;
    file.state()?.update.check_unchanged(path)?;
    if rows == 0 {
        return part.write_region_to(None, memory, bytes, options, &mut DiscardedWrites);
    }
    let mut new = growing.growth.add(rows)?;
    part.write_region_to(None, memory, bytes, options, &mut RowBytes(&mut new))?;
    new.done()?;
    follow(file, growing)
}

/// Adds rows to a chunked array. Their chunks stay in memory until the file is saved.
fn append_to_chunks(array: &Array, rows: i64, memory: &Datatype, bytes: &[u8], options: &ReadOptions) -> Result<()> {
    let node = array.node()?;
    let now = node.array("")?;
    let mut shape = now.shape().to_vec();
    let mut start = vec![0; shape.len()];
    let more = || Error::new(Status::InvalidArgument, "the number of rows exceeds 64 signed bits");
    if let (Some(extent), Some(first)) = (shape.first_mut(), start.first_mut()) {
        *first = *extent;
        *extent = extent.checked_add(rows).ok_or_else(more)?;
    }
    ChunkEditor::appending(&now)?.resize(&shape, None)?;
    node.file().own_state()?.update.is_appending = true;
    if let Some(extent) = shape.first_mut() {
        *extent = rows;
    }
    let region = Region { start: &start, count: &shape, step: None };
    let write = || {
        let grown = node.array("")?;
        let changed = grown.changed_chunks(Some(&region), memory, bytes, options)?;
        let editor = ChunkEditor::appending(&grown)?;
        editor.put(editor.encoded(changed, options.threads)?)
    };
    // The array has rows of fill values now.
    write().inspect_err(|error| node.file().note_failure(error))
}

/// The growth of a file, taken out of its state while a call uses it. Dropping it puts it back.
struct TakenGrowth<'a> {
    file: &'a File,
    growing: Option<GrowingArray>,
}

impl<'a> TakenGrowth<'a> {
    /// Takes the growth of this array, which begins if the array does not grow yet.
    fn of(file: &'a File, array: &Array) -> Result<TakenGrowth<'a>> {
        let mut taken = TakenGrowth { file, growing: file.own_state()?.update.growth.take() };
        if let Some(growing) = &taken.growing {
            check_still_grows(array, growing)?;
        } else {
            taken.growing = Some(begin_growth(array)?);
        }
        Ok(taken)
    }
}

impl Drop for TakenGrowth<'_> {
    fn drop(&mut self) {
        if let Ok(mut state) = self.file.own_state() {
            state.update.growth = self.growing.take();
        }
    }
}

/// Fails unless this array is the one that grows, and is as it was.
fn check_still_grows(array: &Array, growing: &GrowingArray) -> Result<()> {
    let node = array.node()?;
    if node.id() != growing.array {
        let message = "another array of the file grows; only one in a block of its own can, or those in chunks";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    let state = node.file().state()?;
    if state.is_changed && (state.tree().check(growing.number).is_err() || !state.store().replaced().is_empty()) {
        return Err(unsaved());
    }
    Ok(())
}

/// Error for an array that cannot begin to grow because of unsaved changes.
pub(super) fn unsaved() -> Error {
    let message = "the file has unsaved changes; save it before rows are appended";
    Error::new(Status::InvalidArgument, message)
}

/// New rows as a payload.
struct RowBytes<'a, 'b>(&'a mut NewRows<'b>);

impl WritablePayload for RowBytes<'_, '_> {
    fn prepare(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        progress::commit()
    }

    fn fetch(&mut self, _: u64, buffer: &mut [u8]) -> Result<()> {
        // All bytes between elements are new.
        buffer.fill(0);
        Ok(())
    }

    fn store(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.0.put(offset, bytes)
    }
}

/// Extends an array along its first dimension by rows of this element, or of zeros, if its block is the last one and
/// the file is so large that it should not be written anew. Returns false for another change.
pub(super) fn extend_last_block(
    file: &File,
    node: &Node,
    path: &str,
    shape: &[i64],
    fill: Option<&[u8]>,
) -> Result<bool> {
    {
        let state = file.state()?;
        let length = state.update.file.as_ref().map_or(0, |source| source.len());
        if length <= SMALL_FILE || state.is_changed || state.update.overwritten.is_some() {
            return Ok(false);
        }
    }
    let Ok(array) = node.array(path) else { return Ok(false) };
    let (Some((before, inner)), Some((after, others))) = (array.shape().split_first(), shape.split_first()) else {
        return Ok(false);
    };
    let size = usize::try_from(array.datatype().item_size()?).unwrap_or(usize::MAX);
    let is_filled = fill.is_none_or(|fill| fill.len() == size);
    if after <= before || inner != others || !is_filled || !can_grow(&array) {
        return Ok(false);
    }
    let zeros = try_zeroed(if fill.is_some() { 0 } else { size })?;
    // One element, again and again.
    let options = ReadOptions { order: Order::Strided(vec![0; shape.len()]), ..ReadOptions::default() };
    array.append(after - before, array.datatype(), fill.unwrap_or(&zeros), &options)?;
    Ok(true)
}

/// Keeps the rows that were added since the last save. The growth ends if the file has other changes, which another
/// kind of save writes.
pub(super) fn keep_steps(file: &File, path: &Path, options: &WriteOptions) -> Result<()> {
    let mut taken = TakenGrowth { file, growing: file.own_state()?.update.growth.take() };
    let Some(growing) = &mut taken.growing else { return Ok(()) };
    if growing.growth.is_waiting() {
        let state = file.state()?;
        state.check_complete(options)?;
        state.update.check_unchanged(path)?;
        drop(state);
        progress::commit()?;
        growing.growth.sync(options.durable)?;
    }
    if file.state()?.is_changed {
        taken.growing = None;
    }
    Ok(())
}

/// Ends the growth of an array, before a change that writes the file in another way. Rows that were added are kept.
pub(super) fn end_growth(file: &File) -> Result<()> {
    end_steps(file)?;
    if file.own_state()?.update.growth.is_none() {
        return Ok(());
    }
    let durable = file.family.options().durable;
    keep_steps(file, file.update_path()?, &WriteOptions { durable, ..WriteOptions::default() })?;
    let growing = file.own_state()?.update.growth.take();
    drop(growing);
    Ok(())
}

/// Ends the growth of an array before its elements are overwritten. Fails if rows were added since the last save: the
/// hash of their record would not fit.
pub(super) fn end_growth_without_steps(file: &File) -> Result<()> {
    if file.state()?.update.growth.as_ref().is_some_and(|growing| growing.growth.is_waiting()) {
        let message = "rows were added to the array; save the file before its elements are overwritten";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    end_growth(file)
}

/// Continues with the file with its new rows.
fn follow(file: &File, growing: &GrowingArray) -> Result<()> {
    let store = file.store()?;
    let grown = Arc::new(growing.growth.grown()?);
    let source = Arc::new(ClosableSource::new(grown.clone()));
    let layout = store.of_file().map(|stored| stored.layout.grown(source.clone(), file.limits())).transpose()?;
    let Some(layout) = layout else { return Ok(()) };
    let mut state = file.own_state()?;
    let tree = state.tree_mut();
    if tree.check(growing.number).is_ok() {
        tree.replace(growing.number, Content::Scalar(&growing.growth.rows().to_string(), Style::Plain));
    }
    state.store_mut().follow(source, layout);
    state.update.file = Some(grown);
    Ok(())
}
