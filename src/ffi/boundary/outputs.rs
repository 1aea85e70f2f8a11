//! Outputs: variables and buffers of the caller, written last and only on success.

use super::caller::Caller;
use crate::error::{Error, Result, Status};
use std::marker::PhantomData;

/// An output parameter; it may be uninitialised, or NULL where that is allowed.
pub(crate) struct Out<'a, T>(*mut T, PhantomData<&'a Caller>);

impl<'a, T> Out<'a, T> {
    /// Only a [`Caller`] creates one, from an argument of its call.
    pub(super) fn new(_: &'a Caller, out: *mut T) -> Out<'a, T> {
        Out(out, PhantomData)
    }

    /// Writes the output.
    pub(crate) fn put(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: an argument of the running call, which points to a variable of this type.
            unsafe { self.0.write(value) }
        }
    }
}

impl Out<'_, i64> {
    /// Writes a size, an offset or a count in a file; -1 if it is not known.
    pub(crate) fn put_number(&self, number: impl Into<Option<u64>>) {
        self.put(number.into().map_or(-1, |number| i64::try_from(number).unwrap_or(i64::MAX)));
    }
}

/// An output list of numbers and their count.
pub(crate) struct ListOut<'a> {
    list: Out<'a, i64>,
    capacity: usize,
    count: Out<'a, i32>,
}

impl<'a> ListOut<'a> {
    /// `list` points to `capacity` numbers, or is NULL for none.
    pub(super) fn new(list: Out<'a, i64>, capacity: usize, count: Out<'a, i32>) -> ListOut<'a> {
        ListOut { list, capacity, count }
    }

    /// Writes all numbers and their count, or only the count if the capacity is 0.
    pub(crate) fn put(self, numbers: &[i64]) -> Result<()> {
        self.count.put(i32::try_from(numbers.len()).unwrap_or(i32::MAX));
        if self.capacity == 0 {
            return Ok(());
        }
        if numbers.len() > self.capacity {
            let message = format!("the buffer holds {} of {} numbers; pass a larger one", self.capacity, numbers.len());
            return Err(Error::new(Status::BufferTooSmall, message));
        }
        for (position, &number) in numbers.iter().enumerate() {
            // SAFETY: an argument of the running call, whose capacity is larger than `position`.
            unsafe { self.list.0.add(position).write(number) }
        }
        Ok(())
    }
}

/// An output buffer and its required size.
pub(crate) struct BytesOut<'a> {
    buffer: &'a mut [u8],
    needed: Out<'a, usize>,
}

impl<'a> BytesOut<'a> {
    pub(super) fn new(buffer: &'a mut [u8], needed: Out<'a, usize>) -> BytesOut<'a> {
        BytesOut { buffer, needed }
    }

    /// Writes all bytes and their number, or only the number if the capacity is 0.
    pub(crate) fn put(self, bytes: &[u8]) -> Result<()> {
        self.needed.put(bytes.len());
        if self.buffer.is_empty() {
            return Ok(());
        }
        let Some(buffer) = self.buffer.get_mut(..bytes.len()) else {
            return Err(too_small(self.buffer.len(), bytes.len()));
        };
        buffer.copy_from_slice(bytes);
        Ok(())
    }
}

/// An output buffer for a string with a final NUL.
pub(crate) struct TextOut<'a>(BytesOut<'a>);

impl<'a> TextOut<'a> {
    pub(super) fn new(out: BytesOut<'a>) -> TextOut<'a> {
        TextOut(out)
    }

    /// Writes the whole text and its length, or only the length if the capacity is 0.
    pub(crate) fn put(self, text: &str) -> Result<()> {
        self.put_bytes(text.as_bytes())
    }

    /// Writes a system name, whose bytes need not be UTF-8.
    pub(crate) fn put_bytes(self, text: &[u8]) -> Result<()> {
        let available = self.0.buffer.len();
        self.0.needed.put(text.len());
        if available == 0 {
            return Ok(());
        }
        if text.len() >= available {
            return Err(too_small(available, text.len() + 1));
        }
        self.put_all(text);
        Ok(())
    }

    /// Writes as many whole characters as fit, and fails if the text is longer.
    pub(crate) fn put_cut(self, text: &str) -> Result<()> {
        let available = self.0.buffer.len();
        self.0.needed.put(text.len());
        if available == 0 {
            return Ok(());
        }
        let cut = whole_characters(text, available - 1);
        self.put_all(cut.as_bytes());
        if cut.len() < text.len() { Err(too_small(available, text.len() + 1)) } else { Ok(()) }
    }

    /// Writes `text` and a NUL, which must fit.
    fn put_all(self, text: &[u8]) {
        let (to, rest) = self.0.buffer.split_at_mut(text.len());
        to.copy_from_slice(text);
        if let Some(end) = rest.first_mut() {
            *end = 0;
        }
    }
}

/// Returns the longest prefix of whole characters with at most `length` bytes.
fn whole_characters(text: &str, length: usize) -> &str {
    let mut length = length.min(text.len());
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    text.get(..length).unwrap_or_default()
}

pub(crate) fn too_small(available: usize, needed: usize) -> Error {
    let message = format!("the buffer is too small: it has {available} bytes, but {needed} are needed");
    Error::new(Status::BufferTooSmall, message)
}
