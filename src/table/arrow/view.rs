//! Arrays of Arrow that somebody else made, in borrowed memory.

use super::{Array, Buffer};
use crate::error::{Error, Result, Status};
use std::ops::Range;

/// An array of Arrow whose memory is borrowed. What its buffers mean, its [`Field`](super::Field) says.
#[derive(Clone, Debug, Default)]
pub struct ArrayView<'a> {
    /// The number of values.
    pub length: usize,
    /// How many values of the buffers come before the first.
    pub offset: usize,
    /// Which values are there; without it all are.
    pub validity: Option<&'a [u8]>,
    /// The other buffers that Arrow wants for the type, each at least as long as the values need it.
    pub buffers: Vec<&'a [u8]>,
    /// The columns of a struct, or what a list holds.
    pub children: Vec<ArrayView<'a>>,
    /// What the numbers of a dictionary stand for.
    pub dictionary: Option<Box<ArrayView<'a>>>,
}

impl<'a> ArrayView<'a> {
    /// One of our own arrays.
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

    /// The bytes of all buffers, those of children and of dictionaries included.
    pub(super) fn stored_bytes(&self) -> u64 {
        let own = self.validity.iter().chain(&self.buffers).map(|buffer| buffer.len() as u64);
        let parts = self.children.iter().chain(self.dictionary.as_deref()).map(ArrayView::stored_bytes);
        own.chain(parts).fold(0, u64::saturating_add)
    }

    /// Whether the value at this place is there.
    pub(super) fn has(&self, place: usize) -> bool {
        let bit = self.offset.saturating_add(place);
        self.validity.is_none_or(|bits| bit_of(bits, bit))
    }

    /// A buffer after that of what is missing.
    pub(super) fn buffer(&self, index: usize) -> Result<&'a [u8]> {
        self.buffers.get(index).copied().ok_or_else(|| contradiction("lacks a buffer"))
    }

    /// What a list holds.
    pub(super) fn items(&self) -> Result<&ArrayView<'a>> {
        self.children.first().ok_or_else(|| contradiction("lacks what its lists hold"))
    }

    /// Some values as places in the buffers.
    pub(super) fn places(&self, values: &Range<usize>) -> Result<Range<usize>> {
        let place = |value| self.offset.checked_add(value).filter(|_| value <= self.length);
        match (place(values.start), place(values.end)) {
            (Some(start), Some(end)) if start <= end => Ok(start..end),
            _ => Err(contradiction("has fewer values than are asked of it")),
        }
    }

    /// The bytes of some values of a fixed width, from the first buffer.
    pub(super) fn bytes_of(&self, values: &Range<usize>, width: usize) -> Result<&'a [u8]> {
        let places = self.places(values)?;
        // An array of no values need not have buffers.
        if places.is_empty() {
            return Ok(&[]);
        }
        let bytes = places.start.checked_mul(width).zip(places.end.checked_mul(width));
        let buffer = self.buffer(0)?;
        let bytes = bytes.and_then(|(start, end)| buffer.get(start..end));
        bytes.ok_or_else(|| contradiction("has a buffer that is too short"))
    }

    /// A number of the first buffer, which are offsets of 32 or 64 bits.
    pub(super) fn offset_at(&self, place: usize, large: bool) -> Result<usize> {
        let offset = if large {
            number_at(self.buffer(0)?, place).map(i64::from_ne_bytes)
        } else {
            number_at(self.buffer(0)?, place).map(|bytes| i64::from(i32::from_ne_bytes(bytes)))
        };
        let offset = offset.ok_or_else(|| contradiction("has a buffer that is too short"))?;
        usize::try_from(offset).map_err(|_| contradiction("has an offset that is negative"))
    }
}

/// A bit; false where there is none.
pub(super) fn bit_of(bits: &[u8], place: usize) -> bool {
    bits.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1)
}

/// The bytes of a number.
pub(super) fn number_at<const WIDTH: usize>(buffer: &[u8], place: usize) -> Option<[u8; WIDTH]> {
    let start = place.checked_mul(WIDTH)?;
    buffer.get(start..start.checked_add(WIDTH)?)?.try_into().ok()
}

/// The error for an array that is not what Arrow asks of it.
pub(super) fn contradiction(what: &str) -> Error {
    Error::new(Status::InvalidArgument, format!("an array of Arrow {what}"))
}
