//! The structs of the C Data and C Stream interfaces of Arrow, which never change, and their transfer of ownership.
//!
//! A struct owns its data as long as its `release` is not NULL. To move a struct, copy its bytes and set `release` of
//! the source to NULL.

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::handle::null_pointer;
use std::ffi::{c_char, c_int, c_void};

/// Values can be missing.
pub(super) const NULLABLE: i64 = 2;

/// The type of an array.
#[repr(C)]
pub struct ArrowSchema {
    pub(super) format: *const c_char,
    pub(super) name: *const c_char,
    pub(super) metadata: *const c_char,
    pub(super) flags: i64,
    pub(super) n_children: i64,
    pub(super) children: *mut *mut ArrowSchema,
    pub(super) dictionary: *mut ArrowSchema,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(super) private_data: *mut c_void,
}

/// Values of an array.
#[repr(C)]
pub struct ArrowArray {
    pub(super) length: i64,
    pub(super) null_count: i64,
    pub(super) offset: i64,
    pub(super) n_buffers: i64,
    pub(super) n_children: i64,
    pub(super) buffers: *mut *const c_void,
    pub(super) children: *mut *mut ArrowArray,
    pub(super) dictionary: *mut ArrowArray,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(super) private_data: *mut c_void,
}

/// A sequence of arrays of one type.
#[repr(C)]
pub struct ArrowArrayStream {
    pub(super) get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub(super) get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub(super) get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub(super) private_data: *mut c_void,
}

/// A struct that is moved by its bytes.
pub(super) trait Moved: Sized {
    /// Its name in C.
    const NAME: &'static str;
    /// A struct that owns nothing.
    const RELEASED: Self;
    /// Tells whether the struct owns nothing.
    fn is_released(&self) -> bool;
}

macro_rules! moved {
    ($name:ident) => {
        impl Moved for $name {
            const NAME: &'static str = stringify!($name);
            // SAFETY: numbers, pointers and optional callbacks, all of which may be zero.
            const RELEASED: $name = unsafe { std::mem::zeroed() };

            fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it is not released yet, and the interface requires its producer to set a valid callback.
                    as_caller(|| unsafe { release(self) })
                }
            }
        }
    };
}

moved!(ArrowSchema);
moved!(ArrowArray);
moved!(ArrowArrayStream);

/// Moves a struct out of memory of the program and leaves it released there.
pub(super) fn taken<T: Moved>(_: &Caller, from: *mut T, argument: &str) -> Result<T> {
    if from.is_null() {
        return Err(null_pointer(argument));
    }
    // SAFETY: an argument of the running call, which the header requires to point to such a struct.
    let moved = unsafe { std::ptr::replace(from, T::RELEASED) };
    if moved.is_released() {
        let message = format!("the {} of the argument '{argument}' is already released", T::NAME);
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(moved)
}
