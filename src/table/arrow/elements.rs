//! The elements of an array of Arrow, without the lists around them.

use super::plan::Element;
use super::view::{bit_of, invalid_array, number_at};
use super::{ArrayView, Format};
use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::table::{ElementType, Text, Values};
use std::ops::Range;

impl Element {
    /// Returns whether an element of this array can be missing at all.
    pub(super) fn may_have_nulls(&self, array: &ArrayView) -> bool {
        array.validity.is_some() || !matches!(self, Element::Complex(_) | Element::Direct(Format::Number(_)))
    }

    /// Returns whether an element is present.
    pub(super) fn has(&self, array: &ArrayView, place: usize) -> bool {
        match self {
            Element::Direct(Format::Null) => false,
            Element::Direct(_) | Element::Complex(_) => array.has(place),
            Element::Dictionary(index, stored) => {
                array.has(place) && entry(array, *index, place).is_ok_and(|(values, entry)| stored.has(values, entry))
            }
        }
    }

    /// Appends elements. The value of a missing element is arbitrary.
    pub(super) fn append_to(&self, out: &mut Values, array: &ArrayView, elements: Range<usize>) -> Result<()> {
        match self {
            Element::Direct(format) => append(out, *format, array, elements),
            Element::Complex(scalar) => append_complex(out, *scalar, array, &elements),
            Element::Dictionary(index, stored) => {
                for place in elements {
                    if !array.has(place) {
                        append_placeholder(out)?;
                        continue;
                    }
                    let (values, entry) = entry(array, *index, place)?;
                    append(out, *stored, values, entry..entry + 1)?;
                }
                Ok(())
            }
        }
    }
}

impl Format {
    fn has(self, array: &ArrayView, place: usize) -> bool {
        self != Format::Null && array.has(place)
    }
}

/// Appends elements that are stored in this format.
fn append(out: &mut Values, format: Format, array: &ArrayView, elements: Range<usize>) -> Result<()> {
    match (format, out) {
        (Format::Number(scalar), out) => out.append_bytes(array.bytes_of(&elements, scalar.size())?),
        (Format::Bool, Values::Bool8(out)) => append_bits(out, array, &elements),
        (_, Values::Text(out)) => append_texts(out, format, array, elements),
        _ => Err(Error::new(Status::Internal, "the elements of the Arrow array and of the column differ in type")),
    }
}

fn append_bits(out: &mut Vec<u8>, array: &ArrayView, elements: &Range<usize>) -> Result<()> {
    let places = array.places(elements)?;
    if places.is_empty() {
        return Ok(());
    }
    let bits = array.buffer(0)?;
    if places.end.div_ceil(8) > bits.len() {
        return Err(invalid_array("has too short a buffer"));
    }
    out.try_reserve(places.len()).map_err(|_| Error::out_of_memory(places.len() as u64))?;
    out.extend(places.map(|place| u8::from(bit_of(bits, place))));
    Ok(())
}

fn append_texts(out: &mut Text, format: Format, array: &ArrayView, elements: Range<usize>) -> Result<()> {
    for element in elements {
        // Arrow allows any bytes for a missing text, so they are not read.
        let bytes = match format {
            _ if !format.has(array, element) => &[],
            Format::TextView => viewed_text(array, element)?,
            _ => text(array, element, format == Format::LargeText)?,
        };
        let text = std::str::from_utf8(bytes).map_err(|_| {
            Error::new(Status::Encoding, format!("the text of element {element} of the Arrow array is not valid UTF-8"))
        })?;
        out.push(text)?;
    }
    Ok(())
}

fn text<'a>(array: &ArrayView<'a>, element: usize, large: bool) -> Result<&'a [u8]> {
    let place = array.places(&(element..element + 1))?.start;
    let (start, end) = (array.offset_at(place, large)?, array.offset_at(place + 1, large)?);
    array.buffer(1)?.get(start..end).ok_or_else(|| invalid_array("has offsets outside its text"))
}

/// Maximum length in bytes of a text that is stored inside its view.
const MAX_INLINE_LENGTH: usize = 12;

fn viewed_text<'a>(array: &ArrayView<'a>, element: usize) -> Result<&'a [u8]> {
    let view = array.bytes_of(&(element..element + 1), 16)?;
    let number = |index| number_at(view, index).map(i32::from_ne_bytes).and_then(|number| usize::try_from(number).ok());
    let found = match number(0) {
        Some(length @ 0..=MAX_INLINE_LENGTH) => view.get(4..4 + length),
        Some(length) => {
            let piece = number(2).and_then(|piece| array.buffers.get(piece.checked_add(1)?));
            piece.zip(number(3)).and_then(|(piece, start)| piece.get(start..start.checked_add(length)?))
        }
        None => None,
    };
    found.ok_or_else(|| invalid_array("has a text view that points outside its buffers"))
}

fn append_complex(out: &mut Values, scalar: ScalarType, array: &ArrayView, elements: &Range<usize>) -> Result<()> {
    let places = array.places(elements)?;
    let parts = array.items()?;
    let Some((start, end)) = places.start.checked_mul(2).zip(places.end.checked_mul(2)) else {
        return Err(invalid_array("has fewer values than its parent needs"));
    };
    if parts.validity.is_some() {
        let halved = |place: usize| !parts.has(place * 2) || !parts.has(place * 2 + 1);
        if elements.clone().zip(places).any(|(element, place)| array.has(element) && halved(place)) {
            let message = "one part of a complex number is missing: only both parts together can be missing";
            return Err(Error::new(Status::Unsupported, message));
        }
    }
    out.append_bytes(parts.bytes_of(&(start..end), scalar.size() / 2)?)
}

/// Returns the values of the dictionary, and the index of the value that an element refers to.
fn entry<'b, 'a>(array: &'b ArrayView<'a>, index: ScalarType, place: usize) -> Result<(&'b ArrayView<'a>, usize)> {
    let values = array.dictionary.as_deref().ok_or_else(|| invalid_array("has no dictionary"))?;
    let bytes = array.bytes_of(&(place..place + 1), index.size())?;
    let entry = match index {
        ScalarType::Int8 => number_at(bytes, 0).and_then(|bytes| i8::from_ne_bytes(bytes).try_into().ok()),
        ScalarType::Uint8 => number_at(bytes, 0).map(|bytes| u8::from_ne_bytes(bytes).into()),
        ScalarType::Int16 => number_at(bytes, 0).and_then(|bytes| i16::from_ne_bytes(bytes).try_into().ok()),
        ScalarType::Uint16 => number_at(bytes, 0).map(|bytes| u16::from_ne_bytes(bytes).into()),
        ScalarType::Int32 => number_at(bytes, 0).and_then(|bytes| i32::from_ne_bytes(bytes).try_into().ok()),
        ScalarType::Uint32 => number_at(bytes, 0).and_then(|bytes| u32::from_ne_bytes(bytes).try_into().ok()),
        ScalarType::Int64 => number_at(bytes, 0).and_then(|bytes| i64::from_ne_bytes(bytes).try_into().ok()),
        ScalarType::Uint64 => number_at(bytes, 0).and_then(|bytes| u64::from_ne_bytes(bytes).try_into().ok()),
        _ => None,
    };
    let entry = entry.filter(|&entry: &usize| entry < values.length);
    Ok((values, entry.ok_or_else(|| invalid_array("has an index outside its dictionary"))?))
}

fn append_placeholder(out: &mut Values) -> Result<()> {
    match out {
        Values::Text(text) => text.push(""),
        values => {
            let size = values.scalar_type().map_or(0, ScalarType::size);
            values.append_bytes([0; 16].get(..size).unwrap_or_default())
        }
    }
}

/// Makes an empty list of elements of this type.
pub(super) fn no_values(element_type: ElementType) -> Values {
    match element_type {
        ElementType::Scalar(scalar) => Values::of_type(scalar),
        _ => Values::Text(Text::new()),
    }
}
