//! Saves of appended chunks with one wait for the disk; see [`steps`](crate::file::disk::steps).

use super::change::Change;
use super::in_place::InPlacePlan;
use crate::error::{Error, Result, Status};
use crate::file::disk::steps::write::{SLOTS, Steps, Written, slots_before};
use crate::file::write::prepared::Prepared;
use crate::file::{File, WriteOptions};
use crate::progress;
use crate::source::{ClosableSource, Source};
use std::path::Path;
use std::sync::Arc;

/// Room after the tree of a file that is written anew while chunks are appended, in bytes: for the records, and for the
/// tree to grow.
pub(super) const ROOM: u64 = 2 * SLOTS as u64;

/// Saves in place, with one wait if the changes are those of a step.
pub(super) fn save_in_place(
    plan: InPlacePlan,
    prepared: Prepared,
    path: &Path,
    head: Vec<u8>,
    options: &WriteOptions,
) -> Result<()> {
    let file = prepared.file.clone();
    let Some(steps) = file.own_state()?.update.steps.take() else {
        return save_with_journal(plan, prepared, path, &head, options);
    };
    let mut taken = TakenSteps { file: &file, steps: Some(steps) };
    let Some(steps) = &mut taken.steps else { return Ok(()) };
    steps.check()?;
    let changes = match plan.appended_at() {
        Some(offset) if options.durable && offset == steps.end() && plan.file().len() == offset => {
            plan.changes_of_step(&prepared.store, steps.slots(), head.len() as u64)?
        }
        _ => None,
    };
    // A reader of the last record that meets the new header of a map would miss entries.
    let is_kept = |change: &Written| !plan.is_header(change) || steps.keeps(change.offset);
    match changes.filter(|changes| Steps::fits(changes) && changes.iter().all(is_kept)) {
        Some(changes) => save_step(&plan, prepared, path, steps, changes, options),
        None => {
            drop(taken);
            end_steps(&file)?;
            let plan = InPlacePlan::new(&prepared, path, &head, options)?;
            let plan =
                plan.ok_or_else(|| Error::new(Status::Internal, "the save in place is not possible any more"))?;
            save_with_journal(plan, prepared, path, &head, options)
        }
    }
}

/// Saves with a journal. After two saves in a row that could be steps, the next ones are.
fn save_with_journal(
    mut plan: InPlacePlan,
    prepared: Prepared,
    path: &Path,
    head: &[u8],
    options: &WriteOptions,
) -> Result<()> {
    let file = prepared.file.clone();
    let slots = plan.first_block().map_or(0, |first| slots_before(first.offset));
    let is_step = options.durable
        && options.block_index
        && file.state()?.update.is_appending
        && plan
            .changes_of_step(&prepared.store, slots, head.len() as u64)?
            .is_some_and(|changes| Steps::fits(&changes));
    let begins = is_step && file.state()?.update.last_was_step;
    if begins {
        plan.leave_out_index();
    }
    let start = plan.start_until(slots).to_vec();
    let headers = plan.headers();
    let saved = plan.save(prepared, path, options);
    file.own_state()?.update.last_was_step = is_step && saved.is_ok();
    saved?;
    if begins { begin_steps(&file, &start, headers) } else { Ok(()) }
}

/// Writes the first record into a file that was just saved. `head` are the bytes before it.
fn begin_steps(file: &File, head: &[u8], headers: Vec<Written>) -> Result<()> {
    let store = file.store()?;
    let stored = file.state()?.update.file.clone();
    let (Some(stored), Some(known)) = (stored, store.of_file()) else { return Ok(()) };
    let offsets = known.layout.blocks.offsets()?;
    // Without the record, the next save has a journal, too.
    if let Ok(steps) = Steps::begin(stored, head, offsets, headers) {
        file.own_state()?.update.steps = Some(steps);
    }
    Ok(())
}

fn save_step(
    plan: &InPlacePlan,
    prepared: Prepared,
    path: &Path,
    steps: &mut Steps,
    changes: Vec<Written>,
    options: &WriteOptions,
) -> Result<()> {
    let file = prepared.file.clone();
    file.state()?.update.check_unchanged(path)?;
    plan.file().expect_changes();
    let store = prepared.store.clone();
    let write = || {
        let (end, hash, offsets) = plan.write_blocks(&prepared, options)?;
        // After the step is kept, nothing may fail.
        let grown = Arc::new(plan.file().grown()?);
        plan.file().expect_changes();
        let source = Arc::new(ClosableSource::new(grown.clone()));
        let known = store.of_file().ok_or_else(|| Error::new(Status::Internal, "a saved file has no blocks"))?;
        let layout = known.layout.longer(source.clone(), offsets.clone(), file.limits())?;
        progress::commit()?;
        Ok(((end, hash), offsets, grown, source, layout))
    };
    let (written, offsets, grown, source, layout) = match write() {
        Ok(written) => written,
        Err(error) => {
            return Err(match steps.cut() {
                Ok(()) => error,
                Err(more) => error.with_more(more.message()),
            });
        }
    };
    let changes_blocks = plan.changes_blocks();
    let kept = steps.keep(written, plan.start_until(steps.slots()), changes, offsets);
    // Without it, changes by others go unnoticed until the next step.
    let _ = plan.file().renew();
    if kept.as_ref().is_err_and(|error| error.status() != Status::NotDurable) {
        return kept;
    }
    let cache_number = changes_blocks.then(|| file.family.new_number());
    file.continue_with_blocks(source, layout, prepared, cache_number, |update| update.file = Some(grown))?;
    kept.and_then(|()| file.state()?.update.check_name(options.durable))
}

/// The steps of a file, taken out of its state while a call uses them. Dropping it puts them back.
struct TakenSteps<'a> {
    file: &'a File,
    steps: Option<Steps>,
}

impl Drop for TakenSteps<'_> {
    fn drop(&mut self) {
        if let Ok(mut state) = self.file.own_state() {
            state.update.steps = self.steps.take();
        }
    }
}

/// Ends the steps of a file, before a change that writes the file in another way.
pub(super) fn end_steps(file: &File) -> Result<()> {
    let steps = file.own_state()?.update.steps.take();
    if let Some(steps) = steps {
        steps.end_before_change();
    }
    Ok(())
}
