//! Arrow arrays that another program made, in borrowed memory.

use super::{Array, Buffer};
use crate::error::{Error, Result, Status};
use std::ops::Range;

/// Arrow array in borrowed memory. A [`Field`](super::Field) describes the contents of its buffers.
#[derive(Clone, Debug, Default)]
pub struct ArrayView<'a> {
    /// Number of values.
    pub length: usize,
    /// Number of values in the buffers before the first value of the array.
    pub offset: usize,
    /// Validity bitmap; `None` if no value is missing.
    pub validity: Option<&'a [u8]>,
    /// Other buffers in the order that Arrow prescribes for the type, each long enough for the values.
    pub buffers: Vec<&'a [u8]>,
    /// Columns of a struct, or items of a list.
    pub children: Vec<ArrayView<'a>>,
    /// Values of the dictionary that the numbers index.
    pub dictionary: Option<Box<ArrayView<'a>>>,
}

impl<'a> ArrayView<'a> {
    /// Makes a view of an array that this library made.
    pub fn of(array: &'a Array) -> ArrayView<'a> {
        let mut buffers = array.buffers.iter().map(Buffer::bytes);
        ArrayView {
            length: array.length,
            offset: array.offset,
            validity: buffers.next().flatten(),
            buffers: buffers.map(Option::unwrap_or_default).collect(),
            children: array.children.iter().map(ArrayView::of).collect(),
            dictionary: None,
        }
    }

    /// Returns the number of bytes in all buffers, including those of children and dictionaries.
    pub(super) fn stored_bytes(&self) -> u64 {
        let own = self.validity.iter().chain(&self.buffers).map(|buffer| buffer.len() as u64);
        let parts = self.children.iter().chain(self.dictionary.as_deref()).map(ArrayView::stored_bytes);
        own.chain(parts).fold(0, u64::saturating_add)
    }

    /// Returns whether a value is present.
    pub(super) fn has(&self, place: usize) -> bool {
        let bit = self.offset.saturating_add(place);
        self.validity.is_none_or(|bits| bit_of(bits, bit))
    }

    /// Returns a buffer by its index; the validity bitmap is not counted.
    pub(super) fn buffer(&self, index: usize) -> Result<&'a [u8]> {
        self.buffers.get(index).copied().ok_or_else(|| invalid_array("has too few buffers"))
    }

    /// Returns the items of a list.
    pub(super) fn items(&self) -> Result<&ArrayView<'a>> {
        self.children.first().ok_or_else(|| invalid_array("has no items for its lists"))
    }

    /// Converts a range of values to a range of places in the buffers.
    pub(super) fn places(&self, values: &Range<usize>) -> Result<Range<usize>> {
        let place = |value| self.offset.checked_add(value).filter(|_| value <= self.length);
        match (place(values.start), place(values.end)) {
            (Some(start), Some(end)) if start <= end => Ok(start..end),
            _ => Err(invalid_array("has fewer values than its parent needs")),
        }
    }

    /// Returns the bytes of a range of values of fixed width, from the first buffer.
    pub(super) fn bytes_of(&self, values: &Range<usize>, width: usize) -> Result<&'a [u8]> {
        let places = self.places(values)?;
        // Arrow allows an array without values to have no buffers.
        if places.is_empty() {
            return Ok(&[]);
        }
        let bytes = places.start.checked_mul(width).zip(places.end.checked_mul(width));
        let buffer = self.buffer(0)?;
        let bytes = bytes.and_then(|(start, end)| buffer.get(start..end));
        bytes.ok_or_else(|| invalid_array("has too short a buffer"))
    }

    /// Returns an offset of 32 or 64 bits from the first buffer.
    pub(super) fn offset_at(&self, place: usize, large: bool) -> Result<usize> {
        let offset = if large {
            number_at(self.buffer(0)?, place).map(i64::from_ne_bytes)
        } else {
            number_at(self.buffer(0)?, place).map(|bytes| i64::from(i32::from_ne_bytes(bytes)))
        };
        let offset = offset.ok_or_else(|| invalid_array("has too short a buffer"))?;
        usize::try_from(offset).map_err(|_| invalid_array("has a negative offset"))
    }
}

/// Returns a bit, or false beyond the end.
pub(super) fn bit_of(bits: &[u8], place: usize) -> bool {
    bits.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
}

/// Returns the bytes of a number.
pub(super) fn number_at<const WIDTH: usize>(buffer: &[u8], place: usize) -> Option<[u8; WIDTH]> {
    let start = place.checked_mul(WIDTH)?;
    buffer.get(start..start.checked_add(WIDTH)?)?.try_into().ok()
}

/// Error for an array that violates the Arrow format or its field.
pub(super) fn invalid_array(what: &str) -> Error {
    Error::new(Status::InvalidArgument, format!("an Arrow array {what}"))
}
