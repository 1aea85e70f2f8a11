//! Open files: state, blocks, and the other files that they refer to.
//!
//! # Locks
//!
//! Everything of a file that can change is its [`FileState`](state::FileState), behind one lock. A call locks it once,
//! takes what it needs (shared pointers to tree and blocks, numbers, handles), and works without the lock. What it took
//! stays as it was: a change copies a tree, or blocks, that somebody holds.
//!
//! While a thread holds the state of a file, it calls nothing that locks a state, of this file or of another one. It runs
//! no callback of the program either: sources, codecs and resolvers are called, and dropped blocks are freed, before or
//! after; reports of progress wait. A change of several steps marks the state as changing, and locks it for each step.
//!
//! The order of the locks, each of which can be taken while those before it are held:
//!
//! 1. the slot of a member of a family, held while that file is opened, so that it is opened once;
//! 2. the state of one file;
//! 3. what calls that only read fill, each held for itself: warnings, verified blocks, decoded bytes, and found blocks,
//!    which are held while a header is read.

mod block_uses;
pub(super) mod blocks;
pub(super) mod by_file;
mod chunk_folder;
pub(super) mod chunked;
mod container;
pub(super) mod decompressed;
mod external;
mod failures;
pub(super) mod family;
pub(super) mod file;
pub(super) mod held_blocks;
#[cfg(test)]
mod locks_test;
pub(super) mod named_blocks;
pub(super) mod shared;
pub(super) mod state;
mod streamed_rows;
pub(super) mod tree_rules;
pub(super) mod validated;
pub(super) mod writer_name;
