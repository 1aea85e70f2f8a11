//! Arguments of the caller: handles, strings, bytes, numbers and buffers, checked and converted to Rust types.
//!
//! Raw pointers are dereferenced only here, in `outputs` and in `handle`.

use super::arguments::count;
use super::handle;
use super::handle::{Class, Owner, null_pointer};
use super::lent::{LentBytes, asdf_release_callback};
use super::outputs::{BytesOut, ListOut, Out, TextOut, too_small};
use super::texts::{Texts, utf8};
use super::thread::use_file;
use crate::error::{Error, Location, Result, Status};
use crate::source::SharedBytes;
use bytemuck::Pod;
use std::ffi::{CStr, c_char, c_void};
use std::path::Path;
use std::sync::Arc;

/// Access to the arguments of the call that runs inside a guard. References to them live as long as it does.
///
/// The methods only get pointers that are arguments of that call. The header requires that each is NULL or points to
/// what the description of its parameter says, until the call returns. The unsafe code of this folder relies on this.
pub(crate) struct Caller(());

/// Memory of an input and an output.
pub(crate) enum Memory<'a> {
    Apart(&'a [f64], &'a mut [f64]),
    /// Both in the same memory, from these elements on.
    Shared {
        memory: &'a mut [f64],
        input: usize,
        output: usize,
    },
}

/// Length of a text that ends at its first NUL: ASDF_NUL_TERMINATED.
const NUL_TERMINATED: usize = usize::MAX;

impl Caller {
    /// Only a guard creates one.
    pub(super) fn new() -> Caller {
        Caller(())
    }

    /// Returns the value of a handle.
    pub(crate) fn handle<C: Class>(&self, handle: *const C, argument: &str) -> Result<&C::Value> {
        // SAFETY: an argument of the running call (see the type).
        let value = unsafe { handle::value(handle, argument) }?;
        C::file(value).map_or(Ok(()), use_file)?;
        Ok(value)
    }

    /// Returns the value of an options handle, or `None` for NULL, which means the defaults.
    pub(crate) fn options<C: Class>(&self, handle: *const C, argument: &str) -> Result<Option<&C::Value>> {
        if handle.is_null() { Ok(None) } else { self.handle(handle, argument).map(Some) }
    }

    /// Adds an owner to a handle.
    pub(super) fn retain<C: Class>(&self, handle: *const C, argument: &str) -> Result<*mut C> {
        self.handle(handle, argument)?;
        // SAFETY: the line before accepted it.
        Ok(unsafe { handle::retain(handle) })
    }

    /// Adds an owner to a handle, which lives as long as the result.
    pub(crate) fn owner<C: Class>(&self, handle: *const C, argument: &str) -> Result<Owner<C>> {
        let handle = self.retain(handle, argument)?;
        // SAFETY: the line before made an owner.
        Ok(unsafe { Owner::new(handle) })
    }

    /// Gives up one owner of an owner of a handle. The last owner frees it.
    pub(crate) fn release<C: Class>(&self, handle: *mut C) -> Result<()> {
        // SAFETY: an argument of the running call, which the program gives up.
        unsafe { handle::release(handle) };
        Ok(())
    }

    /// Calls `work` with a handle of a value, which is freed afterwards unless `work` has added an owner.
    pub(crate) fn lend_handle<C: Class, T>(&self, value: C::Value, work: impl FnOnce(*const C) -> T) -> T {
        let handle = handle::make::<C>(value);
        // SAFETY: the line before made the only owner.
        let owner = unsafe { Owner::new(handle) };
        let done = work(handle);
        drop(owner);
        done
    }

    fn c_string(&self, text: *const c_char, argument: &str) -> Result<&CStr> {
        if text.is_null() {
            return Err(null_pointer(argument));
        }
        // SAFETY: an argument of the running call; such strings end with NUL.
        Ok(unsafe { CStr::from_ptr(text) })
    }

    /// A NUL-terminated string.
    pub(crate) fn text(&self, text: *const c_char, argument: &str) -> Result<&str> {
        utf8(self.c_string(text, argument)?.to_bytes(), argument)
    }

    /// A NUL-terminated string, or `None` for NULL.
    pub(crate) fn optional_text(&self, text: *const c_char, argument: &str) -> Result<Option<&str>> {
        if text.is_null() { Ok(None) } else { self.text(text, argument).map(Some) }
    }

    /// The name of a file: any bytes where the system allows names that are not UTF-8.
    pub(crate) fn file_name(&self, name: *const c_char, argument: &str) -> Result<&Path> {
        let name = self.c_string(name, argument)?.to_bytes();
        #[cfg(unix)]
        return Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name)));
        #[cfg(not(unix))]
        return utf8(name, argument).map(Path::new);
    }

    /// A value of type string.
    pub(crate) fn string(&self, text: *const c_char, length: usize, argument: &str) -> Result<&str> {
        utf8(self.text_bytes(text, length, argument)?, argument)
    }

    /// The bytes of a text with its length, which can be [`NUL_TERMINATED`].
    pub(crate) fn text_bytes(&self, text: *const c_char, length: usize, argument: &str) -> Result<&[u8]> {
        match length {
            NUL_TERMINATED => Ok(self.c_string(text, argument)?.to_bytes()),
            _ => self.bytes(text.cast(), length, argument),
        }
    }

    /// A value of type string, or `None` for (NULL, 0).
    pub(crate) fn optional_string(&self, text: *const c_char, length: usize, argument: &str) -> Result<Option<&str>> {
        if text.is_null() && length == 0 { Ok(None) } else { self.string(text, length, argument).map(Some) }
    }

    /// Texts one after the other: text i occupies the bytes from offset i to offset i + 1.
    pub(crate) fn texts(
        &self,
        (bytes, size): (*const c_char, usize),
        (offsets, offset_count): (*const i64, i64),
    ) -> Result<Texts<'_>> {
        let bytes = self.bytes(bytes.cast(), size, "bytes")?;
        Texts::new(bytes, self.numbers(offsets, count(offset_count, "count")?, "offsets")?)
    }

    /// Bytes to read from.
    pub(crate) fn bytes(&self, bytes: *const c_void, size: usize, argument: &str) -> Result<&[u8]> {
        self.numbers(bytes.cast(), size, argument)
    }

    /// Runs `work` with bytes that the program lends beyond the call. If it succeeds, the bytes are released after
    /// their last use.
    pub(crate) fn lend<T>(
        &self,
        bytes: *const c_void,
        size: usize,
        (release, user): (asdf_release_callback, *mut c_void),
        argument: &str,
        work: impl FnOnce(SharedBytes) -> Result<T>,
    ) -> Result<T> {
        let bytes = self.bytes(bytes, size, argument)?;
        // SAFETY: the function that the bytes are an argument of asks for it.
        let lent = Arc::new(unsafe { LentBytes::new(bytes, release, user) });
        let done = work(lent.clone())?;
        lent.own();
        Ok(done)
    }

    /// A copy of bytes that are needed beyond the call.
    pub(crate) fn copied_bytes(&self, bytes: *const c_void, size: usize, argument: &str) -> Result<SharedBytes> {
        let bytes = self.bytes(bytes, size, argument)?;
        let mut copy = Vec::new();
        copy.try_reserve_exact(size).map_err(|_| Error::out_of_memory(size as u64))?;
        copy.extend_from_slice(bytes);
        Ok(Arc::new(copy))
    }

    /// A mask to write to, beside the elements that the same call writes; `None` for NULL.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn mask_beside(
        &self,
        (mask, mask_capacity): (*mut u8, usize),
        (elements, capacity): (*const c_void, usize),
    ) -> Result<Option<&mut [u8]>> {
        if mask.is_null() {
            return Ok(None);
        }
        check_apart(mask, mask_capacity, elements, capacity)?;
        self.buffer(mask.cast(), mask_capacity, "mask").map(Some)
    }

    /// Numbers to read from.
    pub(crate) fn numbers<T: Copy>(&self, numbers: *const T, count: usize, argument: &str) -> Result<&[T]> {
        if count == 0 {
            return Ok(&[]);
        }
        if numbers.is_null() {
            return Err(null_pointer(argument));
        }
        check_size::<T>(count, argument)?;
        // SAFETY: an argument of the running call, and of a size that one object can have.
        Ok(unsafe { std::slice::from_raw_parts(numbers, count) })
    }

    /// Bytes to write to, which may be uninitialised: nothing reads them before it has written them.
    // The mutable reference does not come from the shared one but from the program, which lends its buffer.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn buffer(&self, buffer: *mut c_void, capacity: usize, argument: &str) -> Result<&mut [u8]> {
        if capacity == 0 {
            return Ok(&mut []);
        }
        if buffer.is_null() {
            return Err(null_pointer(argument));
        }
        check_size::<u8>(capacity, argument)?;
        // SAFETY: an argument of the running call, and of a size that one object can have.
        Ok(unsafe { std::slice::from_raw_parts_mut(buffer.cast(), capacity) })
    }

    /// Numbers to write to, which may be uninitialised: nothing reads them before it has written them.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn numbers_out<T: Copy>(&self, numbers: *mut T, capacity: usize, argument: &str) -> Result<&mut [T]> {
        if capacity == 0 {
            return Ok(&mut []);
        }
        if numbers.is_null() {
            return Err(null_pointer(argument));
        }
        check_size::<T>(capacity, argument)?;
        // SAFETY: an argument of the running call, and of a size that one object can have.
        Ok(unsafe { std::slice::from_raw_parts_mut(numbers, capacity) })
    }

    /// Writes values to a buffer of the program. Fails if it has room for fewer.
    pub(crate) fn put_values<T: Pod>(
        &self,
        (out, capacity): (*mut T, usize),
        argument: &str,
        values: &[T],
    ) -> Result<()> {
        if capacity < values.len() {
            return Err(too_small(capacity, values.len()));
        }
        self.numbers_out(out, values.len(), argument)?.copy_from_slice(values);
        Ok(())
    }

    /// Numbers to read from, and numbers to write to, which may share memory.
    pub(crate) fn memory(
        &self,
        (input, length): (*const f64, usize),
        (output, capacity): (*mut f64, usize),
    ) -> Result<Memory<'_>> {
        let size = size_of::<f64>();
        let ends_before = |start: usize, count: usize, other: usize| start.saturating_add(size * count) <= other;
        let (from, to) = (input.addr(), output.addr());
        if ends_before(from, length, to) || ends_before(to, capacity, from) {
            let input = self.numbers(input, length, "input")?;
            return Ok(Memory::Apart(input, self.numbers_out(output, capacity, "output")?));
        }
        let (input_place, output_place) = (from.saturating_sub(to) / size, to.saturating_sub(from) / size);
        let start = if input_place == 0 { input.cast_mut() } else { output };
        let count = (input_place + length).max(output_place + capacity);
        let memory = self.numbers_out(start, count, "output")?;
        Ok(Memory::Shared { memory, input: input_place, output: output_place })
    }

    /// A required output.
    pub(crate) fn out<T>(&self, out: *mut T, argument: &str) -> Result<Out<'_, T>> {
        if out.is_null() { Err(null_pointer(argument)) } else { Ok(self.optional_out(out)) }
    }

    /// An optional output.
    pub(crate) fn optional_out<T>(&self, out: *mut T) -> Out<'_, T> {
        Out::new(self, out)
    }

    /// Writes a position in a file to optional outputs.
    pub(crate) fn put_position(&self, location: &Location, offset: *mut i64, line: *mut i64, column: *mut i64) {
        self.optional_out(offset).put_number(location.offset);
        self.optional_out(line).put_number(location.line);
        self.optional_out(column).put_number(location.column);
    }

    /// An output for a string.
    pub(crate) fn text_out(&self, buffer: *mut c_char, capacity: usize, needed: *mut usize) -> Result<TextOut<'_>> {
        Ok(TextOut::new(self.bytes_out(buffer.cast(), capacity, needed)?))
    }

    /// An output for numbers and their count.
    pub(crate) fn list_out(
        &self,
        list: *mut i64,
        capacity: i32,
        count: *mut i32,
        arguments: [&str; 2],
    ) -> Result<ListOut<'_>> {
        let [list_name, count_name] = arguments;
        let capacity = usize::try_from(capacity).map_err(|_| {
            let message = format!("the capacity of the argument '{list_name}' is {capacity}, but must be 0 or more");
            Error::new(Status::InvalidArgument, message)
        })?;
        if capacity == 0 && count.is_null() {
            return Err(null_pointer(count_name));
        }
        if capacity > 0 && list.is_null() {
            return Err(null_pointer(list_name));
        }
        Ok(ListOut::new(self.optional_out(list), capacity, self.optional_out(count)))
    }

    /// An output for bytes and their number.
    pub(crate) fn bytes_out(&self, buffer: *mut c_void, capacity: usize, needed: *mut usize) -> Result<BytesOut<'_>> {
        if capacity == 0 && needed.is_null() {
            return Err(null_pointer("needed"));
        }
        Ok(BytesOut::new(self.buffer(buffer, capacity, "buffer")?, self.optional_out(needed)))
    }
}

fn check_size<T>(count: usize, argument: &str) -> Result<()> {
    match count.checked_mul(size_of::<T>()) {
        Some(size) if isize::try_from(size).is_ok() => Ok(()),
        _ => {
            let message = format!("the argument '{argument}' has {count} elements, more than memory can hold");
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}

/// Checks that a mask and the elements beside it share no memory.
fn check_apart(mask: *const u8, mask_capacity: usize, elements: *const c_void, capacity: usize) -> Result<()> {
    let ends_before = |from: usize, size: usize, other: usize| from.saturating_add(size) <= other;
    let (mask, elements) = (mask.addr(), elements.addr());
    if !ends_before(mask, mask_capacity, elements) && !ends_before(elements, capacity, mask) {
        return Err(Error::new(
            Status::InvalidArgument,
            "the mask and the elements share memory; pass separate buffers",
        ));
    }
    Ok(())
}
