//! Arrow arrays of a table's columns. They share the memory of a column where Arrow has the same layout.

use super::{Format, lists_of};
use crate::error::{Error, Result, Status};
use crate::table::{Bitmap, Column, Table, Values};
use std::ops::Range;
use std::sync::Arc;

/// Part of a column that a buffer refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnPart {
    /// Elements; for text, the bytes of all texts.
    Values,
    /// Offsets of the texts in the bytes.
    TextOffsets,
    /// Offsets of the cells in the elements.
    Offsets,
    /// Validity bitmap of the cells.
    Cells,
    /// Validity bitmap of the elements.
    Elements,
}

/// Piece of memory, kept alive by this value.
#[derive(Clone, Debug)]
pub enum Buffer {
    /// No buffer: no value is missing.
    Absent,
    /// Part of a column.
    Of(Arc<Column>, ColumnPart),
    /// Bits made for the array.
    Bits(Arc<Bitmap>),
    /// Offsets made for the array.
    Offsets(Arc<Vec<i64>>),
}

impl Buffer {
    /// Returns the bytes, unless the buffer is absent.
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

/// Arrow array. Cloning it copies no values.
#[derive(Clone, Debug)]
pub struct Array {
    /// Number of values.
    pub length: usize,
    /// Number of values in the buffers before the first value of the array.
    pub offset: usize,
    /// Number of missing values.
    pub null_count: usize,
    /// Buffers in the order that Arrow prescribes for the type. The first is the validity bitmap.
    pub buffers: Vec<Buffer>,
    /// Columns of a struct, or items of a list.
    pub children: Vec<Array>,
}

impl Array {
    /// Makes an array of a whole table: a struct of its columns. [`Field::of_header`](super::Field::of_header)
    /// describes it.
    pub fn of_table(table: &Table) -> Result<Array> {
        let columns = table.columns().iter().map(of_column).collect::<Result<_>>()?;
        Ok(Array { buffers: vec![Buffer::Absent], children: columns, ..Array::of_length(table.row_count()) })
    }

    fn of_length(length: usize) -> Array {
        Array { length, offset: 0, null_count: 0, buffers: Vec::new(), children: Vec::new() }
    }

    /// Returns the array of a range of rows, cut to the rows that exist.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Array {
        let end = rows.end.min(self.length);
        let start = rows.start.min(end);
        let columns = self.children.iter().map(|column| {
            let mut part = Array { offset: start, length: end - start, ..column.clone() };
            if part.length != column.length {
                part.null_count = part.count_nulls();
            }
            part
        });
        Array { length: end - start, children: columns.collect(), ..self.clone() }
    }

    /// Returns the array with a validity bitmap of the column, if the column has one.
    fn with_missing(mut self, column: &Arc<Column>, part: ColumnPart) -> Array {
        let bits = Buffer::Of(column.clone(), part);
        if let (Some(first), true) = (self.buffers.first_mut(), bits.bytes().is_some()) {
            *first = bits;
            self.null_count = self.count_nulls();
        }
        self
    }

    fn count_nulls(&self) -> usize {
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
    // Cells without axes may have a validity bitmap of elements, which then replaces that of the cells.
    let has_element_bitmap = lists.is_empty() && column.elements().is_some();
    Ok(if has_element_bitmap { array } else { array.with_missing(column, ColumnPart::Cells) })
}

fn multiplied(length: usize, of_each: u64) -> Result<usize> {
    let product = usize::try_from(of_each).ok().and_then(|of_each| length.checked_mul(of_each));
    product.ok_or_else(|| Error::new(Status::ValueRange, "a column has too many elements for this platform"))
}

/// Makes an array of the elements, none of them missing yet.
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

/// Makes the offsets of `count` lists of variable length. All lists in a cell have the same length.
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
