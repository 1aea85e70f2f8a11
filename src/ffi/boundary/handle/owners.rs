//! The number of owners of a handle.
//!
//! The atomic types come from the parent module: `crates/models` compiles this file with types that try all orders of
//! the threads.

use super::{AtomicUsize, Ordering, fence};

/// A number of owners, at least 1 until the last of them has given it up.
pub(super) struct Owners(pub(super) AtomicUsize);

impl Owners {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives up one owner. Returns true for the last one, after all that the others did.
    pub(super) fn give_up(&self) -> bool {
        if self.0.fetch_sub(1, Ordering::Release) != 1 {
            return false;
        }
        fence(Ordering::Acquire);
        true
    }
}
