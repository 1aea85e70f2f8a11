//! Atomic changes of files on disk.

pub(super) mod draft;
mod fit;
pub(super) mod folder;
pub(super) mod grown;
pub(super) mod growth;
pub(super) mod growth_format;
mod identity;
pub(super) mod interrupted;
pub(super) mod journal;
pub(super) mod journal_format;
pub(super) mod overwritten;
mod record_line;
pub(super) mod replace;
pub(super) mod rights;
pub(super) mod steps;
pub(super) mod temporary;
pub(super) mod undo;
#[cfg(test)]
mod undo_test;
pub(super) mod update_state;
