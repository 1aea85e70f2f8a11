//! Export of tables through the structs of Arrow: their owned data and their callbacks.
//!
//! Each struct owns its data independently, so that children can be moved out and outlive their parents.

use super::arrow_abi::{ArrowArray, ArrowArrayStream, ArrowSchema, Moved, NULLABLE};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_silently};
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::thread::with_last_error;
use crate::table::arrow::{Array, Buffer, Field};
use std::ffi::{CString, c_char, c_int, c_void};

/// Child structs, which the consumer of the parent may move out. The remaining ones are released on drop.
struct Children<T>(Vec<*mut T>);

impl<T> Children<T> {
    fn new(children: Vec<T>) -> Children<T> {
        Children(children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect())
    }
}

impl<T> Drop for Children<T> {
    fn drop(&mut self) {
        for &child in &self.0 {
            // SAFETY: `new` made it from a box, and only this function takes it back.
            drop(unsafe { Box::from_raw(child) });
        }
    }
}

/// Data that an `ArrowSchema` owns.
struct SchemaOwner {
    format: CString,
    name: CString,
    metadata: Vec<u8>,
    children: Children<ArrowSchema>,
}

/// Converts a field to an Arrow struct.
///
/// Fails with [`Status::Encoding`] if the name contains a NUL, and with [`Status::Limit`] if metadata exceed 2 GiB.
pub(super) fn schema_of(field: &Field) -> Result<ArrowSchema> {
    // Fields nest no deeper than the axes of an array, and two more.
    let children = Children::new(field.children.iter().map(schema_of).collect::<Result<_>>()?);
    let text = |text: &str| {
        let message = format!("the name '{}' contains a NUL, where Arrow would end it", text.escape_debug());
        CString::new(text).map_err(|_| Error::new(Status::Encoding, message))
    };
    let (format, name) = (text(&field.format)?, text(&field.name)?);
    let mut owner = Box::new(SchemaOwner { format, name, metadata: metadata_of(field)?, children });
    Ok(ArrowSchema {
        format: owner.format.as_ptr(),
        name: owner.name.as_ptr(),
        metadata: if field.metadata.is_empty() { std::ptr::null() } else { owner.metadata.as_ptr().cast() },
        flags: if field.nullable { NULLABLE } else { 0 },
        n_children: owner.children.0.len() as i64,
        children: owner.children.0.as_mut_ptr(),
        dictionary: std::ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(owner).cast(),
    })
}

/// Encodes metadata as Arrow does: the number of pairs, then each key and value after its length, all as 32-bit
/// integers.
fn metadata_of(field: &Field) -> Result<Vec<u8>> {
    let number = |count: usize| {
        let number = i32::try_from(count).map(i32::to_ne_bytes);
        number.map_err(|_| Error::new(Status::Limit, "the metadata exceed the limit of Arrow, 2 GiB"))
    };
    let mut bytes = number(field.metadata.len())?.to_vec();
    for text in field.metadata.iter().flat_map(|(key, value)| [key, value]) {
        bytes.extend(number(text.len())?);
        bytes.extend(text.as_bytes());
    }
    Ok(bytes)
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    guard_silently(|_| {
        // SAFETY: Arrow requires the caller to pass one of our structs that is not released.
        let owner = unsafe {
            (*schema).release = None;
            Box::from_raw((*schema).private_data.cast::<SchemaOwner>())
        };
        drop(owner);
        Ok(())
    });
}

/// Data that an `ArrowArray` owns.
struct ArrayOwner {
    /// Keeps the memory of the buffers.
    _buffers: Vec<Buffer>,
    pointers: Vec<*const c_void>,
    children: Children<ArrowArray>,
}

/// Address of empty buffers, because some programs do not accept NULL.
static NO_BYTES: [u64; 8] = [0; 8];

/// Converts an array to an Arrow struct.
pub(super) fn array_of(array: Array) -> ArrowArray {
    // Arrays nest as deep as their fields.
    let children = Children::new(array.children.into_iter().map(array_of).collect());
    let pointers = array.buffers.iter().map(|buffer| match buffer.bytes() {
        None => std::ptr::null(),
        Some([]) => NO_BYTES.as_ptr().cast(),
        Some(bytes) => bytes.as_ptr().cast(),
    });
    let mut owner = Box::new(ArrayOwner { pointers: pointers.collect(), _buffers: array.buffers, children });
    ArrowArray {
        length: array.length as i64,
        null_count: array.null_count as i64,
        offset: array.offset as i64,
        n_buffers: owner.pointers.len() as i64,
        n_children: owner.children.0.len() as i64,
        buffers: owner.pointers.as_mut_ptr(),
        children: owner.children.0.as_mut_ptr(),
        dictionary: std::ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(owner).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    guard_silently(|_| {
        // SAFETY: as for `release_schema`.
        let owner = unsafe {
            (*array).release = None;
            Box::from_raw((*array).private_data.cast::<ArrayOwner>())
        };
        drop(owner);
        Ok(())
    });
}

/// Returns the next batch; `None` after the last one.
pub(super) type Batches = Box<dyn FnMut() -> Result<Option<Array>> + Send>;

/// Data that an `ArrowArrayStream` owns.
struct StreamOwner {
    field: Field,
    batches: Batches,
    last_error: Option<CString>,
}

/// Converts batches of this field to an Arrow struct.
pub(super) fn stream_of(field: Field, batches: Batches) -> ArrowArrayStream {
    let owner = Box::new(StreamOwner { field, batches, last_error: None });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(owner).cast(),
    }
}

/// Runs a callback of a stream, keeps its error for [`get_last_error`], and returns an errno.
///
/// # Safety
/// The stream is one of ours that is not released, and `out` points to memory for a `T`.
unsafe fn answer<T: Moved>(
    stream: *mut ArrowArrayStream,
    out: *mut T,
    make: impl FnOnce(&mut StreamOwner) -> Result<T>,
) -> c_int {
    // SAFETY: `stream_of` made it, and Arrow forbids calls of one stream on two threads at once.
    let owner = unsafe { &mut *(*stream).private_data.cast::<StreamOwner>() };
    let status = guard(|_| {
        let made = make(owner)?;
        // SAFETY: required by this function; the previous content is not released, as Arrow specifies.
        unsafe { out.write(made) }
        Ok(())
    });
    owner.last_error = match status {
        ASDF_OK => None,
        _ => with_last_error(|error| {
            CString::new(error.map_or_else(String::new, Error::to_string).replace('\0', "")).ok()
        }),
    };
    system_number(status)
}

/// Returns the errno that is closest to a status.
fn system_number(status: asdf_status) -> c_int {
    match Status::from_code(status) {
        None => 0,
        Some(Status::OutOfMemory) => libc::ENOMEM,
        Some(_) if status / 100 == 2 => libc::EIO,
        Some(_) => libc::EINVAL,
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: Arrow requires the same of the caller.
    unsafe { answer(stream, out, |owner| schema_of(&owner.field)) }
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    let next = |owner: &mut StreamOwner| Ok((owner.batches)()?.map_or(ArrowArray::RELEASED, array_of));
    // SAFETY: Arrow requires the same of the caller.
    unsafe { answer(stream, out, next) }
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: Arrow requires the caller to pass one of our streams that is not released.
    let owner = unsafe { &*(*stream).private_data.cast::<StreamOwner>() };
    owner.last_error.as_ref().map_or(std::ptr::null(), |error| error.as_ptr())
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    guard_silently(|_| {
        // SAFETY: as for `release_schema`.
        let owner = unsafe {
            (*stream).release = None;
            Box::from_raw((*stream).private_data.cast::<StreamOwner>())
        };
        drop(owner);
        Ok(())
    });
}
