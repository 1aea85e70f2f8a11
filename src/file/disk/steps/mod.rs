//! Chunks that are appended one step after another, with one wait for the disk a step.
//!
//! # The file while it grows
//!
//! * Chunks are blocks at the end of the file, which has no block index.
//! * Two records stand in the room between the tree and the first block ([`format::Record`]). They are used in turns. A
//!   record tells where the blocks of a step are and their hash, and has the other bytes that the step changes: the tree
//!   (shape of the array, history) and the map of the chunks, which has room for more entries. They are *redone* from the
//!   record until they are in the file.
//!
//! # The order of writes
//!
//! | | bytes | state after a kill | state after a power cut |
//! |---|---|---|---|
//! | 1 | the blocks, at the end of the file | before the step | before the step |
//! | 2 | the record of the step, over that of the step before the last one | after the step | before or after the step |
//! | 3 | *wait for the disk* (fsync of the file) | after the step | before or after the step, during the wait |
//! | 4 | the changes of the record | after the step | after the step |
//!
//! The changes are not waited for: the record is on the disk. The next wait is for them, too, so only the last two records
//! are ever needed. Nothing that an earlier step needs is overwritten: a step that changes other bytes than the tree,
//! the header of a map and entries after its end is saved with a journal.
//!
//! # Reading
//!
//! The last record counts whose changes, after those of the record before it, give a tree with the hash of the record. Its
//! blocks are complete if the file has the tree already (it was written after the wait), or if they have the hash of the
//! record. Otherwise the record before counts. The bytes before the records and the changes are read in place of those of
//! the file, and bytes after the blocks of the record are not read ([`read`]). Readers that do not know records read the
//! tree and the map as they are in the file, which can be those of the step before, or a mixture of both for the moment of
//! the writes in 4.
//!
//! # The end
//!
//! Before the file is changed in another way, and when it is closed, blocks that were not saved are cut off, and the file is
//! synced. Then the older record is removed, and after another wait the newer one. On closing, the block index is written
//! before: as long as a record is there, it is not read. The next opening for update does the same after a kill.
//!
//! A tree that another program wrote does not fit the records, which then mean nothing.

mod format;
pub(in crate::file) mod read;
pub(in crate::file) mod write;
