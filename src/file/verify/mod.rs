//! Findings about a file that is not whole: about blocks, arrays and references, without reading the elements of arrays.

mod references;

use super::open::named_blocks::{for_each_node, is_chunked_tag};
use super::{File, Verification};
use crate::error::{Error, Result, Status, Warning};
use crate::layout::ChecksumMatch;
use crate::progress;
use crate::report::{Entry, Kind, Report, Severity};
use crate::reserve;
use crate::tags::NDARRAY;
use crate::tree::NodeId;
use std::collections::BTreeSet;

/// Maximum number of problems that are kept.
const MAX_PROBLEMS: usize = 10_000;
/// Maximum number of unused blocks that a note names.
const MAX_NAMED: usize = 20;

/// Findings about a file.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// Numbers of blocks by kind of checksum. Blocks with a problem are not counted.
    pub verification: Verification,
    /// Damage: blocks that are cut or do not match their checksum, arrays that their blocks cannot hold, references that
    /// lead nowhere. Warnings of the file are not among them.
    pub problems: Vec<Error>,
    /// Parts that cannot be checked: blocks with an unknown codec, and references into files that must not be opened.
    pub unchecked: Vec<Error>,
    /// Facts that do no harm: blocks that no node uses, bytes at the end of the file.
    pub notes: Vec<Warning>,
    /// Number of problems and unchecked parts that were found but not kept, because there were too many.
    pub dropped: u64,
}

impl Inspection {
    /// Adds an error to the list that it belongs to. Fails with errors of the machine and of the limits.
    fn add(&mut self, error: Error) -> Result<()> {
        // A file that a reference names and that does not exist is a fact about the file.
        if (error.is_of_machine() || error.status() == Status::Limit) && error.status() != Status::FileNotFound {
            return Err(error);
        }
        let list = match error.status() {
            Status::UnknownCodec | Status::ExternalReference | Status::AccessDenied => &mut self.unchecked,
            _ => &mut self.problems,
        };
        if list.len() < MAX_PROBLEMS {
            list.push(error);
        } else {
            self.dropped += 1;
        }
        Ok(())
    }

    /// Returns the findings, and the warnings of the file, as one report. Problems have the severity
    /// [`Error`](Severity::Error), unchecked parts and warnings [`Warning`](Severity::Warning), notes
    /// [`Note`](Severity::Note). The code of a problem or an unchecked part is the status of its error.
    pub fn report(&self, warnings: &Report) -> Report {
        let problems = self.problems.iter().map(Entry::from);
        let unchecked = self.unchecked.iter().map(|error| Entry::from(error).with_severity(Severity::Warning));
        let notes = self.notes.iter().map(|note| {
            let note = Entry::from(note).with_severity(Severity::Note);
            Entry { kind: Kind::Note, ..note }
        });
        let entries = problems.chain(unchecked).chain(warnings.entries().iter().cloned()).chain(notes).collect();
        Report::new(entries, self.dropped.saturating_add(warnings.dropped()))
    }
}

impl File {
    /// Compares every block with its checksum, on one thread. See [`File::verify_on_threads`].
    pub fn verify(&self) -> Result<Verification> {
        self.verify_on_threads(1)
    }

    /// Checks blocks, arrays and references as [`File::inspect`] does, and fails with the first problem.
    pub fn verify_on_threads(&self, threads: usize) -> Result<Verification> {
        let found = self.inspect(threads)?;
        found.problems.into_iter().next().map_or(Ok(found.verification), Err)
    }

    /// Checks that a file is whole:
    ///
    /// * Every block is complete and matches its checksum. A compressed block without a checksum can be decoded.
    /// * The blocks hold all elements of the arrays, and all chunks of chunked arrays.
    /// * Every reference leads to a node. Other files are opened only if the open options allow it.
    ///
    /// Elements of arrays are not read. The threads take different blocks. Fails only with [`Status::Limit`] and with errors
    /// of the machine, such as [`Status::Io`] and [`Status::FileChanged`].
    pub fn inspect(&self, threads: usize) -> Result<Inspection> {
        let mut found = Inspection::default();
        self.check_open()?;
        if let Err(error) = self.check_blocks() {
            found.add(error)?;
            return Ok(found);
        }
        self.inspect_blocks(threads, &mut found)?;
        self.inspect_nodes(&mut found)?;
        found.notes.extend(self.note_of_unused_blocks()?);
        found.notes.extend(self.trailing_bytes()?);
        Ok(found)
    }

    fn inspect_blocks(&self, threads: usize, found: &mut Inspection) -> Result<()> {
        let mut failed = BTreeSet::new();
        match self.compare_checksums(threads) {
            Ok(verification) => found.verification = verification,
            Err(error) if error.is_of_machine() => return Err(error),
            Err(_) => failed = self.compare_each_checksum(found)?,
        }
        for number in (0..self.block_count()?).filter(|number| !failed.contains(number)) {
            progress::check()?;
            self.check_complete_block(number as i64).or_else(|error| found.add(error))?;
        }
        Ok(())
    }

    /// Compares every block with its checksum, so that one problem does not hide another. Returns the numbers of the
    /// blocks that could not be compared or do not match.
    fn compare_each_checksum(&self, found: &mut Inspection) -> Result<BTreeSet<u64>> {
        let mut failed = BTreeSet::new();
        for number in 0..self.block_count()? {
            let error = match self.verify_block(number as i64) {
                Ok(ChecksumMatch::Absent) => {
                    found.verification.absent += 1;
                    continue;
                }
                Ok(ChecksumMatch::Stored) => {
                    found.verification.stored += 1;
                    continue;
                }
                Ok(ChecksumMatch::Decoded) => {
                    found.verification.decoded += 1;
                    continue;
                }
                Ok(ChecksumMatch::Mismatch) => self.mismatch(number)?,
                Err(error) => error,
            };
            found.add(error)?;
            failed.insert(number);
        }
        Ok(failed)
    }

    fn inspect_nodes(&self, found: &mut Inspection) -> Result<()> {
        let (mut arrays, mut chunked): (Vec<NodeId>, Vec<NodeId>) = Default::default();
        let tree = self.tree()?;
        for_each_node(&tree, |id| {
            if tree.is_tagged(id, NDARRAY) {
                reserve::push(&mut arrays, id)
            } else if tree.tag(id).is_some_and(is_chunked_tag) {
                reserve::push(&mut chunked, id)
            } else {
                Ok(())
            }
        })?;
        // In the order of the document.
        arrays.sort_unstable();
        chunked.sort_unstable();
        for id in arrays {
            if let Err(error) = self.node(id).array("") {
                found.add(error)?;
            }
        }
        for id in chunked {
            let node = self.node(id);
            if let Err(error) = node.array("").and_then(|_| node.chunk_blocks("")) {
                found.add(error)?;
            }
        }
        found.add_references(self)
    }

    fn note_of_unused_blocks(&self) -> Result<Option<Warning>> {
        let unused = self.unused_blocks()?;
        let named: Vec<String> = unused.iter().take(MAX_NAMED).map(u64::to_string).collect();
        let more = unused.len().saturating_sub(MAX_NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        let what = if unused.len() == 1 { "block" } else { "blocks" };
        let message = format!("no node of the tree uses {what} {}{rest}", named.join(", "));
        Ok((!unused.is_empty()).then(|| Warning::new(message)))
    }
}

#[cfg(test)]
mod tests;
