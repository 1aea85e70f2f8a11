//! The functions that JavaScript calls. It reaches what Rust takes for private.
#![allow(unsafe_code, unreachable_pub)]

use crate::answer::Answer;
use crate::call;
use std::cell::RefCell;

thread_local! {
    /// The last answer. It stays until the next request.
    static LAST: RefCell<Kept> = const { RefCell::new(Kept { json: Vec::new(), bytes: Vec::new(), places: [0; 4] }) };
}

struct Kept {
    json: Vec<u8>,
    bytes: Vec<u8>,
    /// Addresses and lengths of both.
    places: [usize; 4],
}

/// Returns memory for a request; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn asdfkit_allocate(length: usize) -> *mut u8 {
    let mut memory = Vec::<u8>::new();
    match memory.try_reserve_exact(length) {
        Ok(()) => std::mem::ManuallyDrop::new(memory).as_mut_ptr(),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Answers a request and frees it. Returns the address of four numbers: address and length of the JSON text, and of the
/// bytes. They are valid until the next call.
///
/// # Safety
///
/// `request` comes from [`asdfkit_allocate`] with the same length, and `length` bytes were written to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdfkit_call(request: *mut u8, length: usize) -> *const usize {
    // SAFETY: the caller promises that the memory was allocated with this capacity, and is filled.
    let request = unsafe { Vec::from_raw_parts(request, length, length) };
    let Answer { json, bytes } = call::answer(&request);
    LAST.with_borrow_mut(|last| {
        last.json = json.to_string().into_bytes();
        last.bytes = bytes;
        last.places = [last.json.as_ptr() as usize, last.json.len(), last.bytes.as_ptr() as usize, last.bytes.len()];
        last.places.as_ptr()
    })
}
