//! Reads the elements of a column into memory that the library allocates: elements of one size, or texts of any length.

use super::read_column::{missing_without_mask, text_in};
use crate::array::{Datatype, ElementBytes, Loaded, LoadedText, Order, ReadOptions, Text};
use crate::error::{Error, Result, Status, Warning};
use crate::source::try_zeroed;
use crate::table::{Column, Table};
use std::ops::Range;

impl Table {
    /// Reads the elements of all cells, or of the cells in `rows`, into new memory. With `masked` it reads the mask as
    /// well. Otherwise like [`Table::read_column`].
    ///
    /// Fails with [`Status::InvalidArgument`] for [`Order::Strided`], and with [`Status::OutOfMemory`] if the elements
    /// do not fit in memory.
    pub fn load_column(
        &self,
        name: &str,
        rows: Option<Range<u64>>,
        target: &Datatype,
        masked: bool,
        options: &ReadOptions,
    ) -> Result<(Loaded, Vec<Warning>)> {
        let count = self.element_count(name, rows.clone())?;
        let allocate = || {
            if matches!(options.order, Order::Strided(_)) {
                let message = "elements in memory of the library cannot be strided: choose C order or Fortran order";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let size = count.saturating_mul(target.item_size()?);
            let elements = ElementBytes::zeroed(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?)?;
            Ok((elements, if masked { Some(try_zeroed(count as usize)?) } else { None }))
        };
        let (mut elements, mut mask) = allocate().map_err(|error: Error| error.in_table_column(name))?;
        let warnings = self.read_column(name, rows, target, elements.as_mut_slice(), mask.as_deref_mut(), options)?;
        Ok(((elements, mask), warnings))
    }

    /// Copies the texts of all cells, or of the cells in `rows`, into new memory: strings, JSON, and numbers that are
    /// kept as text. A missing text becomes `fill`, or empty without `fill`.
    ///
    /// With `masked` the result has one byte for each text, 1 if it is missing, otherwise 0. Fails with
    /// [`Status::Masked`] if a text is missing and there is neither a mask nor `fill`. Fails with [`Status::WrongType`]
    /// for a column of numbers, and as [`Table::element_count`] does.
    pub fn load_text(
        &self,
        name: &str,
        rows: Option<Range<u64>>,
        masked: bool,
        fill: Option<&str>,
    ) -> Result<LoadedText> {
        let column = self.column(name)?;
        let text = text_in(column, name)?;
        let load = || load_text(column, text, column.rows(rows)?, masked, fill);
        load().map_err(|error: Error| error.in_table_column(name))
    }
}

fn load_text(column: &Column, text: &Text, rows: Range<usize>, masked: bool, fill: Option<&str>) -> Result<LoadedText> {
    if !masked && fill.is_none() && column.lacks_elements_in(rows.clone()) {
        return Err(missing_without_mask());
    }
    let count = column.elements_in(rows.clone()).len();
    let mut mask = if masked { Some(try_zeroed(count)?) } else { None };
    let mut texts = Text::new();
    texts.reserve(count, 0)?;
    for row in rows {
        let has_cell = column.has_cell(row);
        for index in column.elements_of(row) {
            if column.elements().map_or(has_cell, |elements| elements.get(index)) {
                texts.push(text.get(index))?;
                continue;
            }
            if let Some(place) = mask.as_mut().and_then(|mask| mask.get_mut(texts.len())) {
                *place = 1;
            }
            texts.push(fill.unwrap_or_default())?;
        }
    }
    texts.shrink_to_fit();
    Ok((texts, mask))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::table::{Bitmap, CellShape, ColumnHeader, ColumnParts, ElementType, Values};
    use std::sync::Arc;

    fn bits(present: &[u8]) -> Option<Bitmap> {
        let mut bitmap = Bitmap::default();
        present.iter().for_each(|&bit| bitmap.push(bit == 1).unwrap());
        Some(bitmap)
    }

    /// Makes a column of three rows: two texts, the second one missing; a missing cell; one text.
    fn table() -> Table {
        let mut values = Text::new();
        ["a", "hidden", "é"].iter().for_each(|text| values.push(text).unwrap());
        let cell_shape = CellShape::Variable(Vec::new());
        let parts = ColumnParts {
            element_type: ElementType::String,
            cell_shape: cell_shape.clone(),
            values: Values::Text(values),
            offsets: Some(vec![0, 2, 2, 3]),
            cells: bits(&[1, 0, 1]),
            elements: bits(&[1, 0, 1]),
            row_count: 3,
        };
        let mut table = Table::of_rows(3);
        let header = ColumnHeader::new("a", ElementType::String, cell_shape);
        table.add_column(header, Arc::new(Column::new(parts).unwrap())).unwrap();
        table
    }

    #[test]
    fn texts_are_copied_with_their_mask() {
        let table = table();
        let (texts, mask) = table.load_text("a", None, true, None).unwrap();
        assert_eq!((texts.bytes(), texts.offsets(), mask), ("aé", &[0, 1, 1, 3][..], Some(vec![0, 1, 0])));
        let (texts, mask) = table.load_text("a", None, true, Some("--")).unwrap();
        assert_eq!((texts.bytes(), mask), ("a--é", Some(vec![0, 1, 0])));
        let (texts, mask) = table.load_text("a", Some(1..3), false, None).unwrap();
        assert_eq!((texts.bytes(), texts.offsets(), mask), ("é", &[0, 2][..], None));
        let (texts, mask) = table.load_text("a", Some(1..2), true, None).unwrap();
        assert_eq!((texts.offsets(), mask), (&[0][..], Some(Vec::new())));
        let status = |rows, masked| table.load_text("a", rows, masked, None).unwrap_err().status();
        assert_eq!(status(None, false), Status::Masked);
        assert_eq!(status(Some(2..4), true), Status::OutOfRange);
        assert_eq!(table.load_text("b", None, true, None).unwrap_err().status(), Status::NotFound);
    }

    #[test]
    fn elements_are_loaded() {
        let table = table();
        let options = ReadOptions::default();
        let ((elements, mask), warnings) = table.load_column("a", None, &Datatype::Ascii(2), true, &options).unwrap();
        assert_eq!((elements.as_ref(), mask, warnings), (&b"a\0\0\0\xC3\xA9"[..], Some(vec![0, 1, 0]), Vec::new()));
        let status = |target: &Datatype, options: &ReadOptions| {
            table.load_column("a", None, target, true, options).unwrap_err().status()
        };
        assert_eq!(status(&ScalarType::Int8.into(), &options), Status::Conversion);
        assert_eq!(status(&Datatype::Ascii(1 << 60), &options), Status::OutOfMemory);
        let strided = ReadOptions { order: Order::Strided(vec![2]), ..options };
        assert_eq!(status(&Datatype::Ascii(2), &strided), Status::InvalidArgument);
    }
}
