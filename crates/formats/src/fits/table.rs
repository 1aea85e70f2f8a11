//! Binary tables: rows, heap, and their columns as arrays in memory.

use super::column::{Column, Conversion, Form};
use super::file::Hdu;
use crate::element::Element;
use crate::failure::{Failure, Result, status};

/// A binary table without its bytes.
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) row_size: usize,
    /// Offset of the heap in the data.
    pub(crate) heap: usize,
    pub(crate) columns: Vec<Column>,
    /// Size of rows, gap and heap.
    pub(crate) size: usize,
    hdu: usize,
    data_offset: usize,
}

impl Table {
    /// Reads the structure of a table, and compares it with the size of the data.
    pub(crate) fn read(hdu: &Hdu, data: &[u8]) -> Result<Table> {
        let header = &hdu.header;
        let number = |extent: u64| usize::try_from(extent).unwrap_or(usize::MAX);
        let (row_size, rows) = match hdu.axes[..] {
            [row_size, rows] => (number(row_size), number(rows)),
            _ => return Err(header.failure("NAXIS", "a table has two axes")),
        };
        if hdu.bitpix != 8 {
            return Err(header.failure("BITPIX", "a table has BITPIX 8"));
        }
        let fields = header.count("TFIELDS")?;
        if fields > 999 {
            return Err(header.failure("TFIELDS", format!("{fields} columns are more than 999")));
        }
        let mut columns: Vec<Column> = Vec::new();
        let mut offset = 0_usize;
        for number in 1..=number(fields) {
            let column = Column::read(header, number, offset)?;
            let end = column.form.width().and_then(|width| offset.checked_add(width));
            offset = end.filter(|&end| end <= row_size).ok_or_else(|| {
                header.failure(
                    &format!("TFORM{number}"),
                    format!("the columns up to this one are wider than NAXIS1, which is {row_size}"),
                )
            })?;
            columns.push(column);
        }
        if offset != row_size {
            return Err(header.failure(
                "NAXIS1",
                format!("NAXIS1 is {row_size}, but the columns of the table have {offset} bytes in a row"),
            ));
        }
        let rows_size = rows * row_size;
        let heap = header.integer("THEAP").map_or(Some(rows_size), |heap| usize::try_from(heap).ok());
        let heap = heap
            .filter(|&heap| heap >= rows_size && heap <= data.len())
            .ok_or_else(|| header.failure("THEAP", "the heap does not lie behind the rows"))?;
        let mut table =
            Table { rows, row_size, heap, columns, size: data.len(), hdu: header.hdu, data_offset: hdu.data_offset };
        for index in 0..table.columns.len() {
            table.finish_column(index, data)?;
        }
        Ok(table)
    }

    /// Finds what depends on the data: the longest cell, and texts that are not ASCII.
    fn finish_column(&mut self, index: usize, data: &[u8]) -> Result<()> {
        let column = &self.columns[index];
        let is_text = column.form.code == b'A';
        if column.form.descriptor.is_some() {
            let mut longest = 0;
            let mut is_ascii = true;
            for row in 0..self.rows {
                let cell = self.variable_cell(column, data, row)?;
                is_ascii &= !is_text || cell.is_ascii();
                longest = longest.max(count(column, cell.len(), self.length(column, data, row)));
            }
            let column = &mut self.columns[index];
            if is_text {
                column.element = if is_ascii { Element::Ascii(longest) } else { Element::Ucs4(longest) };
            } else {
                column.cell = vec![longest];
            }
            if !is_ascii {
                column.conversion = Conversion::Latin1;
            }
        } else if is_text && !(0..self.rows).all(|row| self.fixed_cell(column, data, row).is_ascii()) {
            let column = &mut self.columns[index];
            column.conversion = Conversion::Latin1;
            column.element = Element::Ucs4(column.element.size());
        }
        Ok(())
    }

    /// Bytes of a cell in the row.
    pub(crate) fn fixed_cell<'a>(&self, column: &Column, data: &'a [u8], row: usize) -> &'a [u8] {
        let start = row * self.row_size + column.offset;
        &data[start..start + column.form.width().unwrap_or(0)]
    }

    /// Number of elements in a cell, as the descriptor states it.
    fn length(&self, column: &Column, data: &[u8], row: usize) -> usize {
        descriptor(column.form, self.fixed_cell(column, data, row)).0
    }

    /// Bytes of a cell in the heap.
    pub(crate) fn variable_cell<'a>(&self, column: &Column, data: &'a [u8], row: usize) -> Result<&'a [u8]> {
        let (length, offset) = descriptor(column.form, self.fixed_cell(column, data, row));
        let size = match column.form.code {
            b'X' => Some(length.div_ceil(8)),
            _ => length.checked_mul(column.stored_size()),
        };
        let start = self.heap.checked_add(offset);
        let end = start.zip(size).and_then(|(start, size)| start.checked_add(size));
        // A cell without elements may have any offset.
        if size == Some(0) {
            return Ok(&[]);
        }
        start.zip(end).and_then(|(start, end)| data.get(start..end)).ok_or_else(|| {
            let byte = self.data_offset + row * self.row_size + column.offset;
            Failure::new(
                status::CORRUPT,
                format!(
                    "HDU {}: column {} ({}), row {}, descriptor at byte {byte}: {length} elements at offset {offset} lie \
                     outside the heap",
                    self.hdu,
                    column.number,
                    column.name,
                    row + 1
                ),
            )
        })
    }

    /// Returns true if the rows and the heap come back unchanged from the elements of the columns.
    pub(crate) fn is_exact(&self, data: &[u8]) -> bool {
        self.size == self.rows * self.row_size
            && self.columns.iter().all(|column| {
                column.form.descriptor.is_none()
                    && (matches!(column.conversion, Conversion::Bytes | Conversion::Swap | Conversion::Offset)
                        || (0..self.rows).all(|row| column.is_exact(self.fixed_cell(column, data, row))))
            })
    }

    /// Returns true if a mask is needed: cells of different lengths, or logical values that are missing.
    pub(crate) fn needs_mask(&self, column: &Column, data: &[u8]) -> bool {
        if column.form.descriptor.is_some() {
            return column.form.code != b'A'
                && (0..self.rows).any(|row| self.length(column, data, row) != column.elements());
        }
        column.conversion == Conversion::Logical
            && (0..self.rows).any(|row| self.fixed_cell(column, data, row).contains(&0))
    }

    /// Returns true if a column holds the integer that stands for missing values.
    pub(crate) fn has_null(&self, column: &Column, data: &[u8]) -> bool {
        let Some(null) = column.null else { return false };
        if column.form.descriptor.is_some() {
            return false;
        }
        (0..self.rows).any(|row| {
            self.fixed_cell(column, data, row).chunks_exact(column.stored_size()).any(|number| {
                let sign = number.first().is_some_and(|&byte| byte & 0x80 != 0) && number.len() > 1;
                let start = if sign { -1_i64 } else { 0 };
                number.iter().fold(start, |value, &byte| value << 8 | i64::from(byte)) == null
            })
        })
    }

    /// Elements of a column in some rows, in native byte order.
    pub(crate) fn decode(&self, column: &Column, data: &[u8], first: usize, elements: &mut [u8]) -> Result<()> {
        let size = column.cell_size();
        if size == 0 {
            return Ok(());
        }
        for (index, cell) in elements.chunks_exact_mut(size).enumerate() {
            if column.form.descriptor.is_none() {
                column.decode(self.fixed_cell(column, data, first + index), cell);
                continue;
            }
            let stored = self.variable_cell(column, data, first + index)?;
            let length = count(column, stored.len(), self.length(column, data, first + index));
            cell.fill(0);
            let used = match column.element {
                Element::Ascii(_) => length,
                Element::Ucs4(_) => length * 4,
                element => length * element.size(),
            };
            column.decode(stored, &mut cell[..used]);
        }
        Ok(())
    }

    /// Mask of a column in some rows: 1 for a missing element.
    pub(crate) fn mask(&self, column: &Column, data: &[u8], first: usize, mask: &mut [u8]) {
        let size = column.elements();
        if size == 0 {
            return;
        }
        for (index, cell) in mask.chunks_exact_mut(size).enumerate() {
            if column.form.descriptor.is_none() {
                column.missing(self.fixed_cell(column, data, first + index), cell);
                continue;
            }
            let length = self.length(column, data, first + index).min(size);
            cell[..length].fill(0);
            cell[length..].fill(1);
        }
    }
}

/// Number of elements of a cell in the heap.
fn count(column: &Column, size: usize, length: usize) -> usize {
    if column.form.code == b'X' { length } else { size / column.stored_size() }
}

/// Number of elements and offset that a descriptor states. A cell without descriptor has no elements.
fn descriptor(form: Form, bytes: &[u8]) -> (usize, usize) {
    let number = |bytes: &[u8]| {
        let value = bytes.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        usize::try_from(value).unwrap_or(usize::MAX)
    };
    let half = if form.descriptor == Some(b'Q') { 8 } else { 4 };
    match (bytes.get(..half), bytes.get(half..2 * half)) {
        (Some(length), Some(offset)) => (number(length), number(offset)),
        _ => (0, 0),
    }
}
