//! Handles: boxes with a tag that tells their kind and a count of their owners.
//!
//! To C a handle is a pointer to one of the opaque types in `types`; here it is a pointer to a `Slot`.

use super::caller::Caller;
use crate::error::{Error, Result, Status};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};

/// A kind of handle: the opaque type of C with what is behind it.
pub(crate) trait Class {
    /// A number that no other kind has.
    const TAG: u32;
    /// The type's name in C.
    const NAME: &'static str;
    /// What the handle stands for.
    type Value: Send + Sync;

    /// The number of the file that it hangs on, which those that lead to one another share.
    fn file(_: &Self::Value) -> Option<usize> {
        None
    }
}

/// What all handles begin with, whatever their kind.
#[repr(C)]
struct Head {
    tag: AtomicU32,
    owners: AtomicUsize,
}

#[repr(C)]
struct Slot<V> {
    head: Head,
    value: V,
}

/// A freed handle answers with this for as long as its memory is not used again.
const FREED: u32 = 0;

/// A new handle with one owner.
pub(super) fn make<C: Class>(value: C::Value) -> *mut C {
    let head = Head { tag: AtomicU32::new(C::TAG), owners: AtomicUsize::new(1) };
    Box::into_raw(Box::new(Slot { head, value })).cast()
}

/// What a handle stands for, if it is one of this kind.
///
/// # Safety
/// `handle` is NULL or points to a handle that lives for all of `'a`; of any kind, for that is checked.
pub(super) unsafe fn value<'a, C: Class>(handle: *const C, argument: &str) -> Result<&'a C::Value> {
    if handle.is_null() {
        return Err(null_pointer(argument));
    }
    // SAFETY: not NULL, so by the contract of this function a handle.
    if !unsafe { is_kind(handle) } {
        let message = format!("the argument '{argument}' is not an {}, or was freed", C::NAME);
        return Err(Error::new(Status::WrongHandle, message));
    }
    // SAFETY: the tag says that `make::<C>` made it.
    Ok(unsafe { &(*handle.cast::<Slot<C::Value>>()).value })
}

/// Counts another owner of a handle that `value` has accepted.
///
/// # Safety
/// As for `value`, which must have succeeded.
pub(super) unsafe fn retain<C: Class>(handle: *const C) -> *mut C {
    // SAFETY: `value` succeeded, so `make::<C>` made it.
    let slot = unsafe { &*handle.cast::<Slot<C::Value>>() };
    slot.head.owners.fetch_add(1, Ordering::Relaxed);
    handle.cast_mut()
}

/// Gives up one owner; the last one takes the value along. NULL and handles of other kinds are left alone.
///
/// # Safety
/// `handle` is NULL or a handle that the caller owns.
pub(super) unsafe fn release<C: Class>(handle: *mut C) {
    // SAFETY: not NULL, so a handle.
    if handle.is_null() || !unsafe { is_kind(handle) } {
        return;
    }
    let slot: *mut Slot<C::Value> = handle.cast();
    // SAFETY: the tag says that `make::<C>` made it, and this owner has not given it up yet.
    let head = unsafe { &(*slot).head };
    if head.owners.fetch_sub(1, Ordering::Release) != 1 {
        return;
    }
    fence(Ordering::Acquire);
    head.tag.store(FREED, Ordering::Relaxed);
    // SAFETY: it came from `Box::into_raw`, and no owner is left.
    drop(unsafe { Box::from_raw(slot) });
}

/// An owner of a handle that is not given to the program, but kept with something that is.
pub(crate) struct Owner<C: Class>(*mut C);

// SAFETY: what handles stand for can be used on any thread, and so can the count of their owners.
unsafe impl<C: Class> Send for Owner<C> {}

impl<C: Class> Owner<C> {
    /// Another owner of a handle.
    pub(crate) fn new(caller: &Caller, handle: *const C, argument: &str) -> Result<Owner<C>> {
        caller.retain(handle, argument).map(Owner)
    }

    /// What the handle stands for.
    pub(crate) fn value(&self) -> &C::Value {
        // SAFETY: `retain` accepted it, so `make::<C>` made it, and this owner has not given it up.
        unsafe { &(*self.0.cast::<Slot<C::Value>>()).value }
    }
}

impl<C: Class> Drop for Owner<C> {
    fn drop(&mut self) {
        // SAFETY: this owner gives it up once.
        unsafe { release(self.0) }
    }
}

/// # Safety
/// `handle` points to a handle of any kind.
unsafe fn is_kind<C: Class>(handle: *const C) -> bool {
    let head: *const Head = handle.cast();
    // SAFETY: every handle begins with a head.
    head.is_aligned() && unsafe { (*head).tag.load(Ordering::Relaxed) } == C::TAG
}

pub(crate) fn null_pointer(argument: &str) -> Error {
    Error::new(Status::NullPointer, format!("the argument '{argument}' is NULL"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    enum First {}
    enum Second {}
    impl Class for First {
        const TAG: u32 = 1;
        const NAME: &'static str = "first";
        type Value = Arc<u8>;
    }
    impl Class for Second {
        const TAG: u32 = 2;
        const NAME: &'static str = "second";
        type Value = u64;
    }

    #[test]
    fn the_last_owner_frees() {
        let witness = Arc::new(7);
        let handle = make::<First>(witness.clone());
        // SAFETY: the handle has two owners, each of which gives it up once.
        unsafe {
            assert_eq!(**value(handle, "h").unwrap(), 7);
            assert_eq!(retain(handle), handle);
            release(handle);
            assert_eq!(Arc::strong_count(&witness), 2);
            release(handle);
        }
        assert_eq!(Arc::strong_count(&witness), 1);
    }

    #[test]
    fn another_kind_is_refused_and_not_freed() {
        let handle = make::<Second>(5);
        // SAFETY: the handle lives until the last line; its kind is what is tried.
        unsafe {
            let wrong: *mut First = handle.cast();
            assert_eq!(value(wrong, "h").unwrap_err().status(), Status::WrongHandle);
            let null = std::ptr::null::<First>();
            assert_eq!(value(null, "h").unwrap_err().message(), "the argument 'h' is NULL");
            release(wrong);
            release(std::ptr::null_mut::<First>());
            assert_eq!(*value(handle, "h").unwrap(), 5);
            release(handle);
        }
    }
}
