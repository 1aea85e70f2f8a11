//! Bytes of columns in the form that blocks store, generated on request.

use crate::array::{Datatype, TextEncoding};
use crate::error::{Error, Result};
use crate::source::{Source, try_zeroed};
use crate::table::{Column, Values};
use std::sync::Arc;

/// The numbers of a column, without a copy.
pub(super) struct Numbers(pub(super) Arc<Column>);

impl AsRef<[u8]> for Numbers {
    fn as_ref(&self) -> &[u8] {
        self.0.values().bytes().unwrap_or_default()
    }
}

/// One part of an element.
enum Part {
    /// Numbers, with their size in bytes.
    Numbers(Arc<Column>, usize),
    /// Texts as UTF-32 units: the number of texts in an element, and the bytes of each.
    Text(Arc<Column>, usize, usize),
    /// Mask byte: 1 if the element is missing.
    Mask(Arc<Column>),
}

impl Part {
    fn size(&self) -> usize {
        match self {
            Part::Numbers(_, size) => *size,
            Part::Text(_, count, size) => count * size,
            Part::Mask(_) => 1,
        }
    }

    /// Writes the part of the element `number` into `out`, filling it.
    fn write(&self, number: usize, out: &mut [u8]) {
        match self {
            Part::Numbers(column, size) => {
                let bytes = column.values().bytes().unwrap_or_default();
                if let Some(element) = bytes.get(number * size..).and_then(|rest| rest.get(..*size)) {
                    out.copy_from_slice(element);
                }
            }
            Part::Text(column, count, size) => {
                let Values::Text(text) = column.values() else { return };
                for (index, out) in out.chunks_exact_mut((*size).max(1)).enumerate() {
                    TextEncoding::Units.encode(text.get(number * count + index), out);
                }
            }
            Part::Mask(column) => out.fill(u8::from(!column.has_element(number))),
        }
    }
}

/// Elements of a sequence of parts, packed and in native byte order.
pub(super) struct Elements {
    parts: Vec<Part>,
    size: usize,
    length: u64,
}

impl Elements {
    fn new(parts: Vec<Part>, count: usize) -> Result<Elements> {
        let size = parts.iter().try_fold(0_usize, |size, part| size.checked_add(part.size()));
        let length = size.and_then(|size| (count as u64).checked_mul(size as u64));
        match (size, length) {
            (Some(size), Some(length)) => Ok(Elements { parts, size, length }),
            _ => Err(Error::out_of_memory(u64::MAX)),
        }
    }

    /// Makes one element per text of a column.
    pub(super) fn text(column: Arc<Column>, datatype: &Datatype) -> Result<Elements> {
        let count = column.values().len();
        Elements::new(vec![part(column, datatype, 1)?], count)
    }

    /// Makes the mask of a column: one byte per element.
    pub(super) fn mask(column: Arc<Column>) -> Result<Elements> {
        let count = column.values().len();
        Elements::new(vec![Part::Mask(column)], count)
    }

    /// Makes one element per row from the cells of columns. Each field is a column, its datatype and the number of
    /// elements in a cell.
    pub(super) fn records(fields: Vec<(Arc<Column>, Datatype, u64)>, rows: usize) -> Result<Elements> {
        let part_of = |(column, datatype, count)| part(column, &datatype, usize::try_from(count).unwrap_or(usize::MAX));
        Elements::new(fields.into_iter().map(part_of).collect::<Result<_>>()?, rows)
    }
}

fn part(column: Arc<Column>, datatype: &Datatype, count: usize) -> Result<Part> {
    let item = usize::try_from(datatype.item_size()?).unwrap_or(usize::MAX);
    let size = item.checked_mul(count).ok_or_else(|| Error::out_of_memory(u64::MAX))?;
    Ok(match datatype {
        Datatype::Scalar(_) => Part::Numbers(column, size),
        _ => Part::Text(column, count, item),
    })
}

impl Source for Elements {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = available.min(buffer.len());
        let mut element = Vec::new();
        let mut done = 0;
        while done < wanted {
            let at = offset + done as u64;
            let (number, within) = ((at / self.size as u64) as usize, (at % self.size as u64) as usize);
            let count = (self.size - within).min(wanted - done);
            let out = buffer.get_mut(done..done + count).unwrap_or_default();
            if count == self.size {
                self.write(number, out);
            } else {
                if element.is_empty() {
                    element = try_zeroed(self.size)?;
                }
                self.write(number, &mut element);
                out.copy_from_slice(element.get(within..within + count).unwrap_or_default());
            }
            done += count;
        }
        Ok(done)
    }
}

impl Elements {
    fn write(&self, number: usize, mut out: &mut [u8]) {
        for part in &self.parts {
            let (own, rest) = out.split_at_mut(part.size());
            part.write(number, own);
            out = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::table::{Bitmap, ElementType, Text};

    #[test]
    fn elements_are_made_from_any_byte_on() {
        let mut text = Text::new();
        ["é", "", "abc"].iter().for_each(|piece| text.push(piece).unwrap());
        let mut cells = Bitmap::filled(true, 3).unwrap();
        cells.set(1, false);
        let text = Arc::new(Column::scalars(ElementType::String, Values::Text(text), Some(cells)).unwrap());
        let numbers = Values::Int16(vec![1, 2, 3]);
        let numbers = Arc::new(Column::scalars(ElementType::Scalar(ScalarType::Int16), numbers, None).unwrap());
        let fields = vec![(text.clone(), Datatype::Ucs4(3), 1), (numbers, Datatype::Scalar(ScalarType::Int16), 1)];
        let records = Elements::records(fields, 3).unwrap();
        let mut expected = Vec::new();
        for (piece, number) in [("é\0\0", 1_i16), ("\0\0\0", 2), ("abc", 3)] {
            expected.extend(piece.chars().flat_map(|character| u32::from(character).to_ne_bytes()));
            expected.extend(number.to_ne_bytes());
        }
        assert_eq!(records.len(), expected.len() as u64);
        for start in 0..=expected.len() {
            for length in [0, 1, 5, 20, 99] {
                let mut out = vec![9; length];
                let count = records.read_at(start as u64, &mut out).unwrap();
                assert_eq!(out[..count], expected[start..(start + length).min(expected.len())]);
            }
        }
        let mut mask = [9; 3];
        assert_eq!(Elements::mask(text).unwrap().read_at(0, &mut mask).unwrap(), 3);
        assert_eq!(mask, [0, 1, 0]);
    }
}
