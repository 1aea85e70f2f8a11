//! Reads the elements of a column into the caller's memory, converted to the requested type, with a mask.
//!
//! A column is read as an array, so that both convert values by the same rules. The values are not copied for that.
//! Text becomes strings of fixed length, and numbers that are kept as text become numbers, when they are read.

use super::decimal::{intermediate_type, put_number};
use crate::array::{Array, Datatype, Mask, Order, Payload, ReadOptions, Region, ScalarType, put_text};
use crate::error::{Error, Result, Status, Warning};
use crate::source::{MemorySource, Source, read_in_units, try_zeroed};
use crate::table::{CellShape, Column, ElementType, Table, Text};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

impl Table {
    /// Reads the elements of all cells, or of the cells in `rows`, as `target` into the start of `out`. Conversion
    /// follows the rules of [`Array::read_region`]. Elements are in native byte order, and in C order unless the
    /// options choose another.
    ///
    /// * Cells of a fixed shape are read as an array with one such cell for each row.
    /// * Cells of variable length are read one after another as a single list; [`Table::read_cell_lengths`] returns
    ///   their lengths.
    /// * Text becomes strings of fixed length, padded with NUL: UTF-8 for [`Datatype::Ascii`], UTF-32 for
    ///   [`Datatype::Ucs4`]. Text includes JSON, float128 and complex256.
    /// * Float128 and complex256 can become other numbers as well. A float is the nearest one, with a warning if it is
    ///   not exact. A number that is not exactly an integer of the target type is an error.
    ///
    /// `mask` gets one byte for each element in the same order: 1 if it is missing, otherwise 0. After a failure the
    /// contents of `out` and `mask` are unspecified.
    ///
    /// Errors name the column. Fails as [`Array::read_masked`] does, and with
    ///
    /// * [`Status::Masked`] if an element is missing and there is neither a mask nor a value in `options.fill`;
    /// * [`Status::NotFound`] if there is no such column;
    /// * [`Status::OutOfRange`] for rows that do not exist.
    pub fn read_column(
        &self,
        name: &str,
        rows: Option<Range<u64>>,
        target: &Datatype,
        out: &mut [u8],
        mask: Option<&mut [u8]>,
        options: &ReadOptions,
    ) -> Result<Vec<Warning>> {
        let column = self.column(name)?;
        let read = || read(column, column.rows(rows)?, target, out, mask, options);
        let warnings = read().map_err(|error| error.in_table_column(name))?;
        Ok(warnings.into_iter().map(|warning| Warning::new(format!("the column '{name}': {warning}"))).collect())
    }

    /// Returns the number of elements in all cells of a column, or in the cells of `rows`.
    pub fn element_count(&self, name: &str, rows: Option<Range<u64>>) -> Result<u64> {
        let column = self.column(name)?;
        let count = || Ok(column.elements_in(column.rows(rows)?).len() as u64);
        count().map_err(|error: Error| error.in_table_column(name))
    }

    /// Writes the number of elements in each cell of a column, or in each cell of `rows`; -1 for a missing cell.
    ///
    /// Fails with [`Status::BufferTooSmall`] if `lengths` is shorter than the number of rows, and as
    /// [`Table::element_count`] does.
    pub fn read_cell_lengths(&self, name: &str, rows: Option<Range<u64>>, lengths: &mut [i64]) -> Result<()> {
        let column = self.column(name)?;
        let rows = column.rows(rows).map_err(|error| error.in_table_column(name))?;
        let available = lengths.len();
        let lengths = lengths.get_mut(..rows.len()).ok_or_else(|| {
            let message = format!("the lengths of {} cells do not fit a buffer of {available} lengths", rows.len());
            Error::new(Status::BufferTooSmall, message)
        })?;
        for (row, length) in rows.zip(lengths) {
            *length = if column.has_cell(row) { column.elements_of(row).len() as i64 } else { -1 };
        }
        Ok(())
    }

    /// Returns the length of the longest text in a column whose elements are text. Missing texts do not count.
    ///
    /// The unit is that of a string type: with `count_bytes` bytes of UTF-8, as for [`Datatype::Ascii`], otherwise
    /// characters, as for [`Datatype::Ucs4`].
    ///
    /// Fails with [`Status::WrongType`] for a column of numbers.
    pub fn longest_text(&self, name: &str, count_bytes: bool) -> Result<u64> {
        let column = self.column(name)?;
        let text = text_in(column, name)?;
        let length = |text: &str| if count_bytes { text.len() } else { text.chars().count() };
        let present = text.iter().enumerate().filter(|(index, _)| column.has_element(*index));
        Ok(present.map(|(_, text)| length(text)).max().unwrap_or(0) as u64)
    }

    /// Returns the text of one element of the cell in a row, or `None` if it is missing.
    ///
    /// Fails with [`Status::WrongType`] for a column of numbers, and with [`Status::OutOfRange`] for a row or an
    /// element that does not exist. Any element of a missing cell is missing.
    pub fn text_of(&self, name: &str, row: u64, element: u64) -> Result<Option<&str>> {
        let column = self.column(name)?;
        let text = text_in(column, name)?;
        let outside = |what: String| Err(Error::new(Status::OutOfRange, format!("the column '{name}' has {what}")));
        let Some(row) = usize::try_from(row).ok().filter(|&row| row < column.row_count()) else {
            return outside(format!("{} rows, counted from 0: there is no row {row}", column.row_count()));
        };
        if !column.has_cell(row) {
            return Ok(None);
        }
        let elements = column.elements_of(row);
        match usize::try_from(element).ok().filter(|&element| element < elements.len()) {
            Some(element) => {
                let index = elements.start + element;
                Ok(column.has_element(index).then(|| text.get(index)))
            }
            None => outside(format!(
                "{} elements in row {row}, counted from 0: there is no element {element}",
                elements.len()
            )),
        }
    }
}

/// Returns the texts of a column. Fails with [`Status::WrongType`] for a column of numbers.
pub(super) fn text_in<'a>(column: &'a Column, name: &str) -> Result<&'a Text> {
    column.values().text().ok_or_else(|| {
        let message = format!("the elements of the column '{name}' are {}, not text", column.element_type());
        Error::new(Status::WrongType, message)
    })
}

impl Column {
    /// Returns `rows` if they exist, or all rows for `None`.
    pub(super) fn rows(&self, rows: Option<Range<u64>>) -> Result<Range<usize>> {
        let Some(rows) = rows else { return Ok(0..self.row_count()) };
        match (usize::try_from(rows.start), usize::try_from(rows.end)) {
            (Ok(start), Ok(end)) if start <= end && end <= self.row_count() => Ok(start..end),
            _ => {
                let (count, Range { start, end }) = (self.row_count(), rows);
                let message = format!("the rows from {start} to {end} do not exist: the column has {count} rows");
                Err(Error::new(Status::OutOfRange, message))
            }
        }
    }

    /// Returns the range of the elements of these rows in the values.
    pub(in crate::table) fn elements_in(&self, rows: Range<usize>) -> Range<usize> {
        match rows.end.checked_sub(1) {
            Some(last) if rows.start <= last => self.elements_of(rows.start).start..self.elements_of(last).end,
            _ => 0..0,
        }
    }

    /// Returns whether any element of these rows is missing.
    pub(super) fn lacks_elements_in(&self, rows: Range<usize>) -> bool {
        match (self.elements(), self.cells()) {
            (Some(elements), _) => self.elements_in(rows).any(|index| !elements.get(index)),
            (None, Some(cells)) => rows.into_iter().any(|row| !cells.get(row) && !self.elements_of(row).is_empty()),
            (None, None) => false,
        }
    }
}

fn read(
    column: &Arc<Column>,
    rows: Range<usize>,
    target: &Datatype,
    out: &mut [u8],
    mask: Option<&mut [u8]>,
    options: &ReadOptions,
) -> Result<Vec<Warning>> {
    let lacks_elements = column.lacks_elements_in(rows.clone());
    if lacks_elements && mask.is_none() && options.fill.is_none() {
        return Err(missing_without_mask());
    }
    if options.function().is_some() && column.values().text().is_some() && target.scalar().is_none() {
        let message = format!("elements of type {} cannot be converted to another unit as text", column.element_type());
        return Err(Error::new(Status::Conversion, message));
    }
    if matches!(target, Datatype::Ascii(0) | Datatype::Ucs4(0)) && column.values().text().is_some() {
        return read_without_bytes(column, rows, target, mask, options);
    }
    let shape = shape_of(column)?;
    let elements = column.elements_in(rows.clone());
    let (mut start, mut count) = (vec![0; shape.len()], shape.clone());
    let along = if column.offsets().is_some() { elements } else { rows };
    if let (Some(start), Some(count)) = (start.first_mut(), count.first_mut()) {
        (*start, *count) = (along.start as i64, along.len() as i64);
    }
    let region = Region { start: &start, count: &count, step: None };
    let inexact = Arc::new(AtomicU64::new(0));
    let mut array = array_of(column, &shape, target, options, &inexact)?;
    if lacks_elements {
        let missing = source_payload(Arc::new(MissingElements(column.clone())));
        array = array.masked_by(Mask::array(Array::packed(missing, ScalarType::Bool8.into(), &shape)?));
    }
    // Array code warns of bytes above 127 in an ASCII string. Text of a column is UTF-8, where they are valid.
    match mask {
        Some(mask) => array.read_masked(Some(&region), target, out, mask, options)?,
        None => array.read_region(&region, target, out, options)?,
    }
    Ok(match inexact.load(Ordering::Relaxed) {
        0 => Vec::new(),
        count => vec![Warning::new(format!("{count} numbers were rounded to {target}"))],
    })
}

/// Reads all elements of a column as a scalar type.
pub(super) fn read_converted(column: &Arc<Column>, target: ScalarType, out: &mut [u8], clamp: bool) -> Result<()> {
    let options = ReadOptions { clamp, ..ReadOptions::default() };
    read(column, 0..column.row_count(), &target.into(), out, None, &options).map(drop)
}

/// Error for missing elements that the caller would take for values.
pub(super) fn missing_without_mask() -> Error {
    let message = "some values are missing: pass a mask or a fill value";
    Error::new(Status::Masked, message)
}

/// Reads texts into strings of length zero. `out` gets no bytes; only the mask is filled. Without `options.clamp` all
/// texts must be missing or empty.
fn read_without_bytes(
    column: &Arc<Column>,
    rows: Range<usize>,
    target: &Datatype,
    mask: Option<&mut [u8]>,
    options: &ReadOptions,
) -> Result<Vec<Warning>> {
    let elements = column.elements_in(rows.clone());
    let text = column.values().text();
    for index in elements.clone().filter(|&index| !options.clamp && column.has_element(index)) {
        let text = text.map_or("", |text| text.get(index));
        put_text(text, target, false, &mut []).map_err(|error| error_in_row(column, index, &error))?;
    }
    let Some(mask) = mask else { return Ok(Vec::new()) };
    let order = match options.order {
        Order::Fortran => Order::Fortran,
        Order::C | Order::Strided(_) => Order::C,
    };
    let options = ReadOptions { clamp: true, order, threads: options.threads, ..ReadOptions::default() };
    read(column, rows, &Datatype::Ascii(1), &mut try_zeroed(elements.len())?, Some(mask), &options)
}

/// Returns the shape of a column as an array. Cells of variable length make one list of elements.
fn shape_of(column: &Column) -> Result<Vec<i64>> {
    let extent = |extent: u64| i64::try_from(extent).map_err(|_| Error::out_of_memory(extent));
    let mut shape = vec![extent(column.row_count() as u64)?];
    match column.cell_shape() {
        CellShape::Scalar => {}
        CellShape::Fixed(extents) => {
            for &count in extents {
                shape.push(extent(count)?);
            }
        }
        CellShape::Variable(_) => shape = vec![extent(column.values().len() as u64)?],
    }
    Ok(shape)
}

/// Returns all elements as an array of a type that can be converted to `target`.
fn array_of(
    column: &Arc<Column>,
    shape: &[i64],
    target: &Datatype,
    options: &ReadOptions,
    inexact: &Arc<AtomicU64>,
) -> Result<Array> {
    let (kind, clamp) = (column.element_type(), options.clamp);
    let (payload, datatype) = match (kind, target.scalar()) {
        (ElementType::Scalar(scalar), _) => {
            let bytes = MemorySource::new(Arc::new(ColumnBytes(column.clone())));
            (source_payload(Arc::new(bytes)), scalar.into())
        }
        (ElementType::Float128 | ElementType::Complex256, Some(scalar)) => {
            // Numbers in another unit are computed in binary64.
            let is_converted = options.function().is_some();
            let wide = if is_converted { ScalarType::Float64 } else { scalar };
            let made = intermediate_type(kind == ElementType::Complex256, wide);
            let must_be_exact = is_converted && !clamp && scalar.is_integer();
            let inexact = inexact.clone();
            let make = move |text: &str, out: &mut [u8]| {
                if !put_number(text, made, clamp, out)? {
                    if must_be_exact {
                        let message = "a number with more digits than binary64 has no exact integer in another unit";
                        return Err(Error::new(Status::Overflow, message));
                    }
                    inexact.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            };
            (TextElements::payload(column, made.size(), make)?, made.into())
        }
        (_, None) if matches!(target, Datatype::Ascii(_) | Datatype::Ucs4(_)) => {
            let (datatype, size) = (target.clone(), target.item_size()?);
            let size = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
            let make = move |text: &str, out: &mut [u8]| put_text(text, &datatype, clamp, out);
            (TextElements::payload(column, size, make)?, target.clone())
        }
        _ => return Err(Error::new(Status::Conversion, format!("there is no conversion from {kind} to {target}"))),
    };
    Array::packed(payload, datatype, shape)
}

fn source_payload(source: Arc<dyn Source>) -> Payload {
    Payload::Stored { length: source.len(), source, offset: 0 }
}

/// Bytes of a column whose elements are not text.
struct ColumnBytes(Arc<Column>);

impl AsRef<[u8]> for ColumnBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.values().bytes().unwrap_or_default()
    }
}

/// Elements of a column of text, each converted to `size` bytes when it is read.
struct TextElements<F> {
    column: Arc<Column>,
    size: usize,
    length: u64,
    make: F,
}

impl<F: Fn(&str, &mut [u8]) -> Result<()> + Send + Sync + 'static> TextElements<F> {
    fn payload(column: &Arc<Column>, size: usize, make: F) -> Result<Payload> {
        let length =
            (column.values().len() as u64).checked_mul(size as u64).filter(|&length| length <= i64::MAX as u64);
        let length = length.ok_or_else(|| Error::out_of_memory(u64::MAX))?;
        Ok(source_payload(Arc::new(TextElements { column: column.clone(), size, length, make })))
    }

    fn fill(&self, offset: u64, units: &mut [u8]) -> Result<()> {
        let first = (offset / self.size as u64) as usize;
        let Some(text) = self.column.values().text() else { return Ok(()) };
        for (index, unit) in (first..).zip(units.chunks_exact_mut(self.size)) {
            if self.column.has_element(index) {
                (self.make)(text.get(index), unit).map_err(|error| error_in_row(&self.column, index, &error))?;
            } else {
                unit.fill(0);
            }
        }
        Ok(())
    }
}

fn error_in_row(column: &Column, index: usize, error: &Error) -> Error {
    match column.row_of(index) {
        Some(row) => Error::because_of(&format!("row {row}"), error),
        None => error.clone(),
    }
}

impl<F: Fn(&str, &mut [u8]) -> Result<()> + Send + Sync + 'static> Source for TextElements<F> {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        read_in_units(self.length, self.size, offset, buffer, |at, units| self.fill(at, units))
    }
}

/// Mask of a column: one byte for each element, 1 if it is missing.
struct MissingElements(Arc<Column>);

impl Source for MissingElements {
    fn len(&self) -> u64 {
        self.0.values().len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        read_in_units(self.len(), 1, offset, buffer, |at, bytes| {
            for (index, byte) in (at as usize..).zip(bytes) {
                *byte = u8::from(!self.0.has_element(index));
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Fill, Order};
    use crate::table::{Bitmap, ColumnHeader, ColumnParts, Values};

    /// Makes a table of one column named `a`.
    fn table(parts: ColumnParts) -> Table {
        let mut table = Table::of_rows(parts.row_count);
        let header = ColumnHeader::new("a", parts.element_type, parts.cell_shape.clone());
        table.add_column(header, Arc::new(Column::new(parts).unwrap())).unwrap();
        table
    }

    fn bits(present: &[u8]) -> Option<Bitmap> {
        let mut bitmap = Bitmap::default();
        present.iter().for_each(|&bit| bitmap.push(bit == 1).unwrap());
        Some(bitmap)
    }

    fn int16(cell_shape: CellShape, values: Vec<i16>, row_count: usize) -> ColumnParts {
        ColumnParts {
            element_type: ElementType::Scalar(ScalarType::Int16),
            cell_shape,
            values: Values::Int16(values),
            offsets: None,
            cells: None,
            elements: None,
            row_count,
        }
    }

    fn read(table: &Table, rows: Option<Range<u64>>, options: &ReadOptions) -> Result<(Vec<i32>, Vec<u8>)> {
        let count = table.element_count("a", rows.clone())? as usize;
        let (mut out, mut mask) = (vec![0; 4 * count], vec![9; count]);
        table.read_column("a", rows, &ScalarType::Int32.into(), &mut out, Some(&mut mask), options)?;
        Ok((out.as_chunks::<4>().0.iter().map(|&bytes| i32::from_ne_bytes(bytes)).collect(), mask))
    }

    #[test]
    fn rows_of_all_shapes_are_read() {
        let scalars = table(int16(CellShape::Scalar, vec![1, -2, 3], 3));
        let options = ReadOptions::default();
        assert_eq!(read(&scalars, None, &options).unwrap(), (vec![1, -2, 3], vec![0; 3]));
        assert_eq!(read(&scalars, Some(1..2), &options).unwrap(), (vec![-2], vec![0]));
        for rows in [2..4, 4..4, Range { start: 3, end: 2 }] {
            assert_eq!(read(&scalars, Some(rows), &options).unwrap_err().status(), Status::OutOfRange);
        }
        let fixed = ColumnParts { cells: bits(&[1, 0]), ..int16(CellShape::Fixed(vec![2]), vec![1, 2, 3, 4], 2) };
        let fixed = table(fixed);
        assert_eq!(read(&fixed, None, &options).unwrap(), (vec![1, 2, 3, 4], vec![0, 0, 1, 1]));
        let fortran = ReadOptions { order: Order::Fortran, ..options.clone() };
        assert_eq!(read(&fixed, None, &fortran).unwrap(), (vec![1, 3, 2, 4], vec![0, 1, 0, 1]));
        let variable = ColumnParts {
            offsets: Some(vec![0, 2, 2, 3]),
            cells: bits(&[1, 0, 1]),
            elements: bits(&[1, 0, 1]),
            ..int16(CellShape::Variable(vec![]), vec![1, 2, 3], 3)
        };
        let variable = table(variable);
        assert_eq!(read(&variable, None, &options).unwrap(), (vec![1, 2, 3], vec![0, 1, 0]));
        assert_eq!(read(&variable, Some(1..3), &options).unwrap(), (vec![3], vec![0]));
        let mut lengths = [9; 3];
        variable.read_cell_lengths("a", None, &mut lengths).unwrap();
        assert_eq!(lengths, [2, -1, 1]);
        let empty = table(int16(CellShape::Fixed(vec![0, 3]), vec![], 2));
        assert_eq!(read(&empty, None, &options).unwrap(), (vec![], vec![]));
    }

    #[test]
    fn missing_elements_are_never_read_as_values() {
        let table = table(ColumnParts { cells: bits(&[1, 0, 1]), ..int16(CellShape::Scalar, vec![1, 2, 3], 3) });
        let target = ScalarType::Int16.into();
        let mut out = [0; 6];
        let plain = |rows, out: &mut [u8]| table.read_column("a", rows, &target, out, None, &ReadOptions::default());
        assert_eq!(plain(None, &mut out).unwrap_err().status(), Status::Masked);
        assert_eq!(plain(Some(0..2), &mut out).unwrap_err().status(), Status::Masked);
        plain(Some(2..3), &mut out).unwrap();
        assert_eq!(out[..2], 3i16.to_ne_bytes());
        let fill = Some(Fill::new(ScalarType::Int8.into(), &[7]).unwrap());
        let options = ReadOptions { fill, ..ReadOptions::default() };
        table.read_column("a", None, &target, &mut out, None, &options).unwrap();
        assert_eq!(out, *[1i16, 7, 3].map(i16::to_ne_bytes).as_flattened());
        assert_eq!(read(&table, None, &options).unwrap(), (vec![1, 7, 3], vec![0, 1, 0]));
    }

    #[test]
    fn missing_text_need_not_be_valid() {
        let mut table = Table::of_rows(2);
        let mut text = crate::table::Text::new();
        text.push("no number, and long").unwrap();
        text.push("1.25").unwrap();
        let column = Column::scalars(ElementType::Float128, Values::Text(text), bits(&[0, 1])).unwrap();
        table.add_column(ColumnHeader::new("a", ElementType::Float128, CellShape::Scalar), Arc::new(column)).unwrap();
        let (mut out, mut mask) = ([0; 16], [9; 2]);
        let mut read = |target: &Datatype| {
            let warnings = table.read_column("a", None, target, &mut out, Some(&mut mask), &ReadOptions::default());
            assert_eq!((warnings.unwrap(), mask), (Vec::new(), [1, 0]));
            out
        };
        assert_eq!(read(&ScalarType::Float64.into())[8..], 1.25f64.to_ne_bytes());
        assert_eq!(read(&ScalarType::Float16.into())[2..4], 0x3D00u16.to_ne_bytes());
        assert_eq!(read(&Datatype::Ascii(4))[4..8], *b"1.25");
        assert_eq!(read(&ScalarType::Complex64.into())[8..], [1.25f32, 0.0].map(f32::to_ne_bytes).concat());
        let status = table.read_column("a", None, &ScalarType::Bool8.into(), &mut out, None, &ReadOptions::default());
        assert_eq!(status.unwrap_err().status(), Status::Masked);
        let status =
            table.read_column("a", Some(1..2), &ScalarType::Bool8.into(), &mut out, None, &ReadOptions::default());
        assert_eq!(status.unwrap_err().status(), Status::Conversion);
    }
}
