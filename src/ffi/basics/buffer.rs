//! Buffers: bytes that the library allocated.
//!
//! # Buffers
//!
//! A buffer holds bytes whose number only the library knows, such as a file written to memory. Its first byte is
//! aligned for the elements that it holds.
//!
//! ```c
//! asdf_buffer *buffer = NULL;
//! const void *bytes;
//! size_t size;
//! if (asdf_file_write_memory(file, NULL, &buffer) == ASDF_OK) {
//!     asdf_buffer_bytes(buffer, &bytes, &size);
//!     send(socket, bytes, size, 0);
//!     asdf_buffer_free(buffer);
//! }
//! ```

use crate::ffi::boundary::guard::{guard, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_buffer;
use crate::source::SharedBytes;
use std::ffi::c_void;
use std::sync::Arc;

impl Class for asdf_buffer {
    const TAG: u32 = u32::from_be_bytes(*b"BUFF");
    const NAME: &'static str = "asdf_buffer";
    type Value = SharedBytes;
}

/// Elements of one type, shown as bytes.
struct Elements<T>(Vec<T>);

impl<T: bytemuck::NoUninit> AsRef<[u8]> for Elements<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

/// Makes a buffer of elements, which keep their alignment.
pub(crate) fn buffer_of<T: bytemuck::NoUninit + Send + Sync>(elements: Vec<T>) -> SharedBytes {
    Arc::new(Elements(elements))
}

/// Gets the address and the size of the bytes of a buffer.
///
/// @param buffer the buffer
/// @param bytes  gets the address of the first byte; valid until the last owner frees the buffer. It is never NULL, but
///               must not be dereferenced if the size is 0
/// @param size   gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_buffer_bytes(
    buffer: *const asdf_buffer,
    bytes: *mut *const c_void,
    size: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let (bytes, size) = (caller.out(bytes, "bytes")?, caller.out(size, "size")?);
        let held = (**caller.handle(buffer, "buffer")?).as_ref();
        bytes.put(held.as_ptr().cast());
        size.put(held.len());
        Ok(())
    })
}

/// Adds an owner to a buffer.
///
/// @param buffer  the buffer
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_buffer_retain(buffer: *const asdf_buffer, another: *mut *mut asdf_buffer) -> asdf_status {
    guard_retain(buffer, "buffer", another)
}

/// Gives up one owner of a buffer. The last owner frees the bytes.
///
/// @param buffer the buffer, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_buffer_free(buffer: *mut asdf_buffer) {
    guard_silently(|caller| caller.release(buffer));
}
