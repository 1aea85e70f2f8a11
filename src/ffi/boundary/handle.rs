//! Handles: boxes with a tag that tells their kind and a count of their owners.
//!
//! In C, a handle is a pointer to one of the opaque types in `types`. Here it is a pointer to a `Slot`.

mod owners;

use crate::error::{Error, Result, Status};
use owners::Owners;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering, fence};

/// A kind of handle: the opaque C type and the Rust value behind it.
pub(crate) trait Class {
    /// Number that identifies the kind; different for each kind.
    const TAG: u32;
    /// The type's name in C.
    const NAME: &'static str;
    /// Value behind the handle.
    type Value: Send + Sync;

    /// Number that identifies the file of the handle; files that refer to one another share it.
    fn file(_: &Self::Value) -> Option<usize> {
        None
    }
}

/// Common first fields of the handles of all kinds.
#[repr(C)]
struct Head {
    tag: AtomicU32,
    owners: Owners,
}

#[repr(C)]
struct Slot<V> {
    head: Head,
    value: V,
}

/// Tag of a freed handle, readable until its memory is reused.
const FREED: u32 = 0;

/// Creates a handle with one owner.
pub(super) fn make<C: Class>(value: C::Value) -> *mut C {
    let head = Head { tag: AtomicU32::new(C::TAG), owners: Owners(AtomicUsize::new(1)) };
    Box::into_raw(Box::new(Slot { head, value })).cast()
}

/// Returns the value of a handle, if the handle is of this kind.
///
/// # Safety
/// `handle` is NULL or points to a handle of any kind that lives for all of `'a`. The kind is checked.
pub(super) unsafe fn value<'a, C: Class>(handle: *const C, argument: &str) -> Result<&'a C::Value> {
    if handle.is_null() {
        return Err(null_pointer(argument));
    }
    // SAFETY: not NULL, so by the contract of this function a handle.
    if !unsafe { is_kind(handle) } {
        let message = format!("the argument '{argument}' is not an {}, or is already freed", C::NAME);
        return Err(Error::new(Status::WrongHandle, message));
    }
    // SAFETY: the tag says that `make::<C>` made it.
    Ok(unsafe { &(*handle.cast::<Slot<C::Value>>()).value })
}

/// Adds an owner to a handle that `value` has accepted.
///
/// # Safety
/// As for `value`, which must have succeeded for this handle.
pub(super) unsafe fn retain<C: Class>(handle: *const C) -> *mut C {
    // SAFETY: `value` succeeded, so `make::<C>` made it.
    let slot = unsafe { &*handle.cast::<Slot<C::Value>>() };
    slot.head.owners.add();
    handle.cast_mut()
}

/// Gives up one owner; the last one drops the value. Ignores NULL and handles of other kinds.
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
    if !head.owners.give_up() {
        return;
    }
    head.tag.store(FREED, Ordering::Relaxed);
    // SAFETY: it came from `Box::into_raw`, and no owner is left.
    drop(unsafe { Box::from_raw(slot) });
}

/// An owner of a handle that the library keeps inside another object.
pub(crate) struct Owner<C: Class>(*mut C);

// SAFETY: the values of handles can be used on any thread (`Class::Value: Send + Sync`), and so can the owner count.
unsafe impl<C: Class> Send for Owner<C> {}

impl<C: Class> Owner<C> {
    /// # Safety
    /// `retain` returned the handle, and nothing else gives up this owner.
    pub(super) unsafe fn new(handle: *mut C) -> Owner<C> {
        Owner(handle)
    }

    /// Value behind the handle.
    pub(crate) fn value(&self) -> &C::Value {
        // SAFETY: `retain` returned it, so `make::<C>` made it, and this owner has not given it up.
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
        // SAFETY: the handle lives until the last line; the calls must refuse its kind.
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
