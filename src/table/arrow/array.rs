//! The columns of a table as arrays of Arrow, which share the memory of the columns where both have them alike.

use super::{Format, lists_of};
use crate::error::{Error, Result, Status};
use crate::table::{Bitmap, Column, Table, Values};
use std::ops::Range;
use std::sync::Arc;

/// What a buffer shows of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnPart {
    /// The elements; of text all of it.
    Values,
    /// Where in the text each one begins.
    TextOffsets,
    /// Where the elements of each cell begin.
    Offsets,
    /// Which cells are there.
    Cells,
    /// Which elements are there.
    Elements,
}

/// A piece of memory, kept alive as long as this is.
#[derive(Clone, Debug)]
pub enum Buffer {
    /// None: nothing is missing.
    Absent,
    /// A part of a column.
    Of(Arc<Column>, ColumnPart),
    /// Bits that were made for this.
    Bits(Arc<Bitmap>),
    /// Offsets that were made for this.
    Offsets(Arc<Vec<i64>>),
}

impl Buffer {
    /// The bytes, if the buffer is there.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Buffer::Absent => None,
            Buffer::Of(column, part) => match part {
                ColumnPart::Values => match column.values() {
                    Values::Text(text) => Some(text.bytes().as_bytes()),
                    values => values.bytes(),
                },
                ColumnPart::TextOffsets => column.values().text().map(|text| bytemuck::cast_slice(text.offsets())),
                ColumnPart::Offsets => column.offsets().map(bytemuck::cast_slice),
                ColumnPart::Cells => column.cells().map(Bitmap::bytes),
                ColumnPart::Elements => column.elements().map(Bitmap::bytes),
            },
            Buffer::Bits(bits) => Some(bits.bytes()),
            Buffer::Offsets(offsets) => Some(bytemuck::cast_slice(offsets)),
        }
    }
}

/// An array of Arrow. Copying one copies no values.
#[derive(Clone, Debug)]
pub struct Array {
    /// The number of values.
    pub length: usize,
    /// How many values of the buffers come before the first.
    pub offset: usize,
    /// How many values are missing.
    pub null_count: usize,
    /// The buffers that Arrow wants for the type. The first tells what is missing.
    pub buffers: Vec<Buffer>,
    /// The columns of a struct, or what a list holds.
    pub children: Vec<Array>,
}

impl Array {
    /// A whole table, as a struct of its columns, which [`Field::of_header`](super::Field::of_header) describes.
    pub fn of_table(table: &Table) -> Result<Array> {
        let columns = table.columns().iter().map(of_column).collect::<Result<_>>()?;
        Ok(Array { buffers: vec![Buffer::Absent], children: columns, ..Array::of_length(table.row_count()) })
    }

    fn of_length(length: usize) -> Array {
        Array { length, offset: 0, null_count: 0, buffers: Vec::new(), children: Vec::new() }
    }

    /// Some rows of a table. Rows that are not there are left out.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Array {
        let end = rows.end.min(self.length);
        let start = rows.start.min(end);
        let columns = self.children.iter().map(|column| {
            let mut part = Array { offset: start, length: end - start, ..column.clone() };
            if part.length != column.length {
                part.null_count = part.count_missing();
            }
            part
        });
        Array { length: end - start, children: columns.collect(), ..self.clone() }
    }

    /// The array with what a part of a column tells to be missing, if it tells that.
    fn with_missing(mut self, column: &Arc<Column>, part: ColumnPart) -> Array {
        let bits = Buffer::Of(column.clone(), part);
        if let (Some(first), true) = (self.buffers.first_mut(), bits.bytes().is_some()) {
            *first = bits;
            self.null_count = self.count_missing();
        }
        self
    }

    fn count_missing(&self) -> usize {
        let Some(bits) = self.buffers.first().and_then(Buffer::bytes) else { return 0 };
        (self.offset..self.offset + self.length)
            .filter(|bit| bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 0))
            .count()
    }
}

fn of_column(column: &Arc<Column>) -> Result<Array> {
    let lists = lists_of(column.cell_shape())?;
    let mut lengths = vec![column.row_count()];
    for list in &lists {
        let length = lengths.last().copied().unwrap_or_default();
        lengths.push(match list {
            Format::FixedList(of_each) => multiplied(length, *of_each)?,
            _ => column.values().len(),
        });
    }
    let mut array = of_values(column)?;
    if column.elements().is_some() {
        array = array.with_missing(column, ColumnPart::Elements);
    }
    for (list, &length) in lists.iter().zip(&lengths).rev() {
        let mut buffers = vec![Buffer::Absent];
        if *list == Format::LargeList {
            buffers.push(offsets_of_lists(column, length)?);
        }
        array = Array { buffers, children: vec![array], ..Array::of_length(length) };
    }
    // What is missing among cells of no axes may be told of elements, and is told of those alone then.
    let told = lists.is_empty() && column.elements().is_some();
    Ok(if told { array } else { array.with_missing(column, ColumnPart::Cells) })
}

fn multiplied(length: usize, of_each: u64) -> Result<usize> {
    let product = usize::try_from(of_each).ok().and_then(|of_each| length.checked_mul(of_each));
    product.ok_or_else(|| Error::new(Status::ValueRange, "a column has more elements than this machine can count"))
}

/// The elements, none of which is missing yet.
fn of_values(column: &Arc<Column>) -> Result<Array> {
    let shown = |part| Buffer::Of(column.clone(), part);
    let mut array = Array::of_length(column.values().len());
    array.buffers = match column.values() {
        Values::Bool8(values) => vec![Buffer::Absent, Buffer::Bits(Arc::new(packed(values)?))],
        Values::Text(_) => vec![Buffer::Absent, shown(ColumnPart::TextOffsets), shown(ColumnPart::Values)],
        Values::Complex64(_) | Values::Complex128(_) => {
            let parts = Array::of_length(multiplied(array.length, 2)?);
            array.children = vec![Array { buffers: vec![Buffer::Absent, shown(ColumnPart::Values)], ..parts }];
            vec![Buffer::Absent]
        }
        _ => vec![Buffer::Absent, shown(ColumnPart::Values)],
    };
    Ok(array)
}

fn packed(values: &[u8]) -> Result<Bitmap> {
    let mut bits = Bitmap::filled(false, values.len())?;
    for (place, _) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
        bits.set(place, true);
    }
    Ok(bits)
}

/// Where each of so many lists of variable length begins, and the last one ends. All of a cell have the same length.
fn offsets_of_lists(column: &Arc<Column>, count: usize) -> Result<Buffer> {
    let of_cell = count.checked_div(column.row_count()).unwrap_or_default();
    if of_cell == 1 {
        return Ok(Buffer::Of(column.clone(), ColumnPart::Offsets));
    }
    let mut offsets = Vec::new();
    let bytes = count.saturating_add(1).saturating_mul(size_of::<i64>());
    offsets.try_reserve_exact(count.saturating_add(1)).map_err(|_| Error::out_of_memory(bytes as u64))?;
    offsets.push(0);
    for row in 0..column.row_count() {
        let elements = column.elements_of(row);
        let length = elements.len().checked_div(of_cell).unwrap_or_default();
        offsets.extend((1..=of_cell).map(|list| (elements.start + list * length) as i64));
    }
    Ok(Buffer::Offsets(Arc::new(offsets)))
}
