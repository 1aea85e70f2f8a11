//! Changes cells of a column in place. Units, descriptions, metadata and the other cells stay.

use super::build::{present, values as values_of};
use super::column::Column;
use super::kept_text;
use super::read_column::read_converted;
use crate::error::{Error, Result, Status};
use crate::reserve::copy_of;
use crate::table::{Bitmap, CellShape, ColumnData, ColumnParts, ElementType, Table, Text, Values};
use std::iter::once;
use std::ops::Range;
use std::sync::Arc;

/// New content of some cells.
struct NewCells {
    values: Values,
    /// Validity of the elements; `None` if all are present.
    elements: Option<Bitmap>,
    /// True if the whole cells are missing.
    are_missing: bool,
}

impl NewCells {
    fn lacks_elements(&self) -> bool {
        self.elements.as_ref().is_some_and(|elements| elements.count_zeros() > 0)
    }

    fn has_element(&self, index: usize) -> bool {
        self.elements.as_ref().is_none_or(|elements| elements.get(index))
    }

    /// Returns whether a cell of these elements is present: if one of them is, or if it has none.
    fn has_cell(&self, mut elements: Range<usize>) -> bool {
        !self.are_missing && (elements.is_empty() || elements.any(|index| self.has_element(index)))
    }

    /// Passes the texts that are present to a function, each with its row; `rows` cells begin with the row `first`.
    fn check_texts(&self, first: u64, rows: usize, check: impl Fn(u64, &str) -> Result<()>) -> Result<()> {
        let Values::Text(texts) = &self.values else { return Ok(()) };
        let of_cell = texts.len().checked_div(rows).unwrap_or_default();
        let row_of = |index: usize| first.saturating_add(index.checked_div(of_cell).unwrap_or_default() as u64);
        let present = texts.iter().enumerate().filter(|(index, _)| self.has_element(*index));
        present.into_iter().try_for_each(|(index, text)| check(row_of(index), text))
    }
}

impl Table {
    /// Replaces cells as `Table::set_cells` does. `check` gets the number of the row and each text that is not missing.
    pub(crate) fn set_checked_cells(
        &mut self,
        name: &str,
        (first, count): (u64, u64),
        data: &ColumnData,
        clamp: bool,
        check: impl Fn(u64, &str) -> Result<()>,
    ) -> Result<()> {
        let column = self.column(name)?.clone();
        let set = || {
            let rows = column.rows(Some(first..first.saturating_add(count)))?;
            let given = values_of(data, &shape_of(&column, rows.len(), data)?)?;
            let elements = present(data.mask, given.len())?;
            let values = converted(given, column.element_type(), clamp)?;
            let new = NewCells { values, elements, are_missing: false };
            new.check_texts(first, rows.len(), check)?;
            Ok((rows, new))
        };
        let (rows, new) = set().map_err(|error: Error| error.in_table_column(name))?;
        drop(column);
        self.replace(name, rows, new)
    }

    /// Makes `count` cells of a column from the row `first` on missing. A cell of a column of different lengths loses
    /// its elements.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column, and [`Status::OutOfRange`] for rows that do not exist.
    pub fn set_missing(&mut self, name: &str, first: u64, count: u64) -> Result<()> {
        let column = self.column(name)?.clone();
        let rows = column.rows(Some(first..first.saturating_add(count)));
        let rows = rows.map_err(|error| error.in_table_column(name))?;
        let mut values = column.values().without_elements();
        if column.offsets().is_none() {
            values.append_ranges(column.values(), once(column.elements_in(rows.clone())))?;
        }
        let elements = Some(Bitmap::filled(false, values.len())?);
        drop(column);
        self.replace(name, rows, NewCells { values, elements, are_missing: true })
    }

    /// Replaces a text as `Table::set_text` does. `check` gets the number of the row and the text if it is not missing.
    pub(crate) fn set_checked_text(
        &mut self,
        name: &str,
        (row, element): (u64, u64),
        text: Option<&str>,
        check: impl Fn(u64, &str) -> Result<()>,
    ) -> Result<()> {
        let column = self.column(name)?.clone();
        let set = || {
            let made = column.with_text(row, element, text)?;
            text.map_or(Ok(()), |text| check(row, text))?;
            Ok(made)
        };
        let (rows, new) = set().map_err(|error: Error| error.in_table_column(name))?;
        drop(column);
        self.replace(name, rows, new)
    }

    /// Replaces the cells of `rows`, which exist.
    fn replace(&mut self, name: &str, rows: Range<usize>, new: NewCells) -> Result<()> {
        let position = self.position(name)?;
        let Some(place) = self.columns.get_mut(position) else { return Ok(()) };
        let replace = |place: &mut Arc<Column>| {
            if place.offsets().is_some() || place.values().text().is_some() {
                *place = Arc::new(place.spliced(&rows, &new)?);
                return Ok(());
            }
            if Arc::get_mut(place).is_none() {
                *place = Arc::new(place.with_missing(place.cells().cloned(), place.elements().cloned())?);
            }
            match Arc::get_mut(place) {
                Some(own) => own.overwrite(&rows, &new),
                None => Err(Error::new(Status::Internal, "a column is shared after it was copied")),
            }
        };
        replace(place).map_err(|error: Error| error.in_table_column(name))
    }
}

impl Column {
    /// Overwrites cells of a fixed number of numbers.
    fn overwrite(&mut self, rows: &Range<usize>, new: &NewCells) -> Result<()> {
        let range = self.elements_in(rows.clone());
        let (cells, elements) = self.changed_bitmaps(rows, range.clone(), new)?;
        let parts = self.parts_mut();
        let size = parts.values.bytes().map_or(0, <[u8]>::len).checked_div(parts.values.len()).unwrap_or_default();
        let old = parts.values.bytes_mut().and_then(|bytes| bytes.get_mut(range.start * size..range.end * size));
        if let (Some(old), Some(new)) = (old, new.values.bytes()) {
            old.copy_from_slice(new);
        }
        (parts.cells, parts.elements) = (cells, elements);
        Ok(())
    }

    /// Returns the bitmaps after a change of cells of a fixed shape.
    fn changed_bitmaps(
        &mut self,
        rows: &Range<usize>,
        range: Range<usize>,
        new: &NewCells,
    ) -> Result<(Option<Bitmap>, Option<Bitmap>)> {
        let lacks = new.lacks_elements();
        let is_partial = lacks && !new.are_missing && *self.cell_shape() != CellShape::Scalar;
        let new_elements = match self.elements().is_none() && is_partial {
            true => Some(bitmap(self.values().len(), |index| self.has_element(index))?),
            false => None,
        };
        let new_cells = match self.cells().is_none() && (lacks || new.are_missing) {
            true => Some(Bitmap::filled(true, self.row_count())?),
            false => None,
        };
        let parts = self.parts_mut();
        let (mut cells, mut elements) = (parts.cells.take().or(new_cells), parts.elements.take().or(new_elements));
        if let Some(elements) = &mut elements {
            range.clone().enumerate().for_each(|(index, element)| elements.set(element, new.has_element(index)));
        }
        if let Some(cells) = &mut cells {
            let of_cell = range.len().checked_div(rows.len()).unwrap_or_default();
            for (index, row) in rows.clone().enumerate() {
                cells.set(row, new.has_cell(index * of_cell..(index + 1) * of_cell));
            }
        }
        Ok((cells, elements))
    }

    /// Returns a copy in which cells are replaced, possibly by cells of another length.
    fn spliced(&self, rows: &Range<usize>, new: &NewCells) -> Result<Column> {
        let range = self.elements_in(rows.clone());
        let mut values = self.values().without_elements();
        values.append_ranges(self.values(), once(0..range.start))?;
        values.append(&new.values)?;
        values.append_ranges(self.values(), once(range.end..self.values().len()))?;
        let is_masked = new.lacks_elements() || new.are_missing;
        let of_cell = new.values.len().checked_div(rows.len()).unwrap_or_default();
        let has_new_cell = |row: usize| match self.offsets() {
            Some(_) => !new.are_missing,
            None => new.has_cell((row - rows.start) * of_cell..(row - rows.start + 1) * of_cell),
        };
        let cells = match self.cells().is_some() || is_masked {
            true => Some(bitmap(self.row_count(), |row| {
                if rows.contains(&row) { has_new_cell(row) } else { self.has_cell(row) }
            })?),
            false => None,
        };
        let is_array = *self.cell_shape() != CellShape::Scalar;
        let elements = match is_array && (self.elements().is_some() || new.lacks_elements()) {
            true => Some(bitmap(values.len(), |index| match index.checked_sub(range.start) {
                None => self.has_element(index),
                Some(inside) if inside < new.values.len() => new.has_element(inside),
                Some(inside) => self.has_element(inside - new.values.len() + range.end),
            })?),
            false => None,
        };
        let offsets = self.offsets().map(|offsets| spliced_offsets(offsets, rows, new.values.len())).transpose()?;
        let (element_type, cell_shape) = (self.element_type(), self.cell_shape().clone());
        let row_count = self.row_count();
        Column::new(ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count })
    }

    /// Returns the row of an element of text and the content of its cell with another text there.
    fn with_text(&self, row: u64, element: u64, text: Option<&str>) -> Result<(Range<usize>, NewCells)> {
        let rows = self.rows(Some(row..row.saturating_add(1)))?;
        let Values::Text(texts) = self.values() else {
            let message = format!("the elements are {}, not text", self.element_type());
            return Err(Error::new(Status::WrongType, message));
        };
        if let Some(text) = text {
            kept_text::check(text, self.element_type())?;
        }
        let range = self.elements_in(rows.clone());
        let Some(place) = usize::try_from(element).ok().filter(|&element| element < range.len()) else {
            let message =
                format!("the cell has {} elements, counted from 0: there is no element {element}", range.len());
            return Err(Error::new(Status::OutOfRange, message));
        };
        let (mut new, mut shown) = (Text::new(), Bitmap::default());
        for (index, old) in range.clone().enumerate() {
            let is_new = index == place;
            new.push(if is_new { text.unwrap_or_default() } else { texts.get(old) })?;
            shown.push(if is_new { text.is_some() } else { self.has_element(old) })?;
        }
        let elements = (shown.count_zeros() > 0).then_some(shown);
        Ok((rows, NewCells { values: Values::Text(new), elements, are_missing: false }))
    }
}

/// Returns offsets in which the cells of `rows` share `count` elements equally.
fn spliced_offsets(offsets: &[i64], rows: &Range<usize>, count: usize) -> Result<Vec<i64>> {
    let mut spliced = copy_of(offsets)?;
    let at = |row: usize| offsets.get(row).copied().unwrap_or_default();
    let of_cell = count.checked_div(rows.len()).unwrap_or_default();
    let growth = count as i64 - (at(rows.end) - at(rows.start));
    for (row, offset) in spliced.iter_mut().enumerate().skip(rows.start + 1) {
        *offset = match row < rows.end {
            true => at(rows.start) + ((row - rows.start) * of_cell) as i64,
            false => *offset + growth,
        };
    }
    Ok(spliced)
}

/// Returns the shape of the data for so many cells of a column.
fn shape_of(column: &Column, rows: usize, data: &ColumnData) -> Result<Vec<i64>> {
    let extent = |extent: u64| i64::try_from(extent).map_err(|_| Error::out_of_memory(extent));
    match column.cell_shape() {
        CellShape::Scalar => Ok(vec![extent(rows as u64)?]),
        CellShape::Fixed(extents) => once(rows as u64).chain(extents.iter().copied()).map(extent).collect(),
        CellShape::Variable(_) if rows != 1 => {
            let message = "cells of different lengths are replaced one at a time";
            Err(Error::new(Status::InvalidArgument, message))
        }
        CellShape::Variable(_) => {
            let size = data.datatype.item_size()?;
            let count = (data.bytes.len() as u64).checked_div(size).unwrap_or_default();
            let of_row = column.cell_shape().row_of_last_axis().unwrap_or_default();
            if count.checked_rem(of_row).unwrap_or(count) != 0 {
                let message = format!("a cell has a multiple of {of_row} elements, not {count}");
                return Err(Error::new(Status::InvalidArgument, message));
            }
            Ok(vec![extent(count)?])
        }
    }
}

/// Converts values to the type of a column.
fn converted(values: Values, element_type: ElementType, clamp: bool) -> Result<Values> {
    match (element_type, &values) {
        (ElementType::Scalar(scalar), _) if values.scalar_type() == Some(scalar) => Ok(values),
        (ElementType::Scalar(scalar), _) => {
            let count = values.len();
            let given = Arc::new(Column::scalars(ElementType::of_values(&values), values, None)?);
            let mut made = Values::zeroed(scalar, count)?;
            if let Some(out) = made.bytes_mut() {
                read_converted(&given, scalar, out, clamp)?;
            }
            Ok(made)
        }
        (_, Values::Text(texts)) => {
            texts.iter().try_for_each(|text| kept_text::check(text, element_type))?;
            Ok(values)
        }
        _ => {
            let message = format!("there is no conversion from numbers to {element_type}: pass texts");
            Err(Error::new(Status::Conversion, message))
        }
    }
}

fn bitmap(count: usize, bit: impl Fn(usize) -> bool) -> Result<Bitmap> {
    let mut bitmap = Bitmap::default();
    (0..count).try_for_each(|index| bitmap.push(bit(index)))?;
    Ok(bitmap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Datatype, Order, ScalarType};

    fn data<'a>(datatype: impl Into<Datatype>, bytes: &'a [u8], mask: Option<&'a [u8]>) -> ColumnData<'a> {
        ColumnData { datatype: datatype.into(), bytes, order: Order::C, mask, blank_padded: false }
    }

    fn shown(table: &Table, name: &str) -> Vec<bool> {
        let column = table.column(name).unwrap();
        (0..column.values().len()).map(|index| column.has_element(index)).collect()
    }

    #[test]
    fn numbers_change_in_place() {
        let mut table = Table::of_rows(3);
        table.add_array("n", &[], &data(ScalarType::Int16, bytemuck::bytes_of(&[1_i16, 2, 3]), None)).unwrap();
        let (before, copy) = (table.column("n").unwrap().values().bytes().unwrap().as_ptr(), table.clone());
        table.set_cells("n", 1, 1, &data(ScalarType::Float64, &9_f64.to_ne_bytes(), None), false).unwrap();
        assert_eq!(table.column("n").unwrap().values(), &Values::Int16(vec![1, 9, 3]));
        assert_eq!(copy.column("n").unwrap().values(), &Values::Int16(vec![1, 2, 3]));
        drop(copy);
        let own = table.column("n").unwrap().values().bytes().unwrap().as_ptr();
        table.set_cells("n", 2, 1, &data(ScalarType::Int16, &5_i16.to_ne_bytes(), None), false).unwrap();
        table.set_missing("n", 0, 1).unwrap();
        let now = table.column("n").unwrap();
        assert_eq!((now.values(), shown(&table, "n")), (&Values::Int16(vec![1, 9, 5]), vec![false, true, true]));
        assert!(own == now.values().bytes().unwrap().as_ptr() && own != before);
        table.set_cells("n", 0, 1, &data(ScalarType::Int16, &7_i16.to_ne_bytes(), None), false).unwrap();
        assert!(table.column("n").unwrap().is_masked() && !table.column("n").unwrap().lacks_elements());
        let large = 1e9_f64.to_ne_bytes();
        let status = |table: &mut Table, first, clamp| {
            table.set_cells("n", first, 1, &data(ScalarType::Float64, &large, None), clamp).map_err(|it| it.status())
        };
        assert_eq!(status(&mut table, 0, false), Err(Status::Overflow));
        assert_eq!(status(&mut table, 3, true), Err(Status::OutOfRange));
        assert_eq!(status(&mut table, u64::MAX, true), Err(Status::OutOfRange));
        status(&mut table, 0, true).unwrap();
        assert_eq!(table.column("n").unwrap().values(), &Values::Int16(vec![i16::MAX, 9, 5]));
    }

    #[test]
    fn elements_of_arrays_can_be_missing() {
        let mut table = Table::of_rows(2);
        table.add_array("g", &[2], &data(ScalarType::Uint8, &[1, 2, 3, 4], None)).unwrap();
        table.set_cells("g", 1, 1, &data(ScalarType::Uint8, &[5, 6], Some(&[1, 0])), false).unwrap();
        assert_eq!(shown(&table, "g"), [true, true, false, true]);
        table.set_cells("g", 0, 1, &data(ScalarType::Uint8, &[7, 8], Some(&[1, 1])), false).unwrap();
        let column = table.column("g").unwrap();
        assert_eq!(
            (column.has_cell(0), column.has_cell(1), shown(&table, "g")),
            (false, true, vec![false, false, false, true])
        );
        table.set_cells("g", 0, 2, &data(ScalarType::Uint8, &[1, 2, 3, 4], None), false).unwrap();
        assert_eq!((table.column("g").unwrap().has_cell(0), shown(&table, "g")), (true, vec![true; 4]));
        let wrong = |bytes: &[u8], mask: Option<&[u8]>| {
            table.clone().set_cells("g", 0, 1, &data(ScalarType::Uint8, bytes, mask), false).unwrap_err().status()
        };
        assert_eq!(wrong(&[1], None), Status::InvalidArgument);
        assert_eq!(wrong(&[1, 2], Some(&[0])), Status::InvalidArgument);
    }

    #[test]
    fn cells_of_any_length_are_replaced() {
        let mut table = Table::of_rows(3);
        let lists = data(ScalarType::Int8, &[1, 2, 3], Some(&[0, 0, 1]));
        table.add_variable("v", &[], &[-1, 1, 2], &lists).unwrap();
        table.set_cells("v", 1, 1, &data(ScalarType::Int8, &[7, 8, 9], Some(&[0, 1, 0])), false).unwrap();
        table.set_cells("v", 0, 1, &data(ScalarType::Int8, &[], None), false).unwrap();
        let column = table.column("v").unwrap();
        assert_eq!((column.values(), column.offsets()), (&Values::Int8(vec![7, 8, 9, 2, 3]), Some(&[0, 0, 3, 5][..])));
        assert_eq!(shown(&table, "v"), [true, false, true, true, false]);
        assert!(column.has_cell(0));
        table.set_missing("v", 1, 2).unwrap();
        let column = table.column("v").unwrap();
        assert_eq!((column.offsets(), column.has_cell(0), column.has_cell(2)), (Some(&[0, 0, 0, 0][..]), true, false));
        let two = table.set_cells("v", 0, 2, &data(ScalarType::Int8, &[1, 2], None), false).unwrap_err();
        assert_eq!(two.status(), Status::InvalidArgument);
        table.add_variable("w", &[2], &[2, 0, 0], &data(ScalarType::Int8, &[1, 2], None)).unwrap();
        let odd = table.set_cells("w", 0, 1, &data(ScalarType::Int8, &[1, 2, 3], None), false).unwrap_err();
        assert_eq!(odd.status(), Status::InvalidArgument);
    }

    #[test]
    fn texts_are_replaced() {
        let mut table = Table::of_rows(2);
        table.add_array("t", &[2], &data(Datatype::Ascii(2), b"a\0bbc\0d\0", None)).unwrap();
        table.set_text("t", 1, 0, Some("long text")).unwrap();
        table.set_text("t", 0, 1, None).unwrap();
        let text = |row, element| table.text_of("t", row, element).unwrap();
        assert_eq!([text(0, 0), text(0, 1), text(1, 0), text(1, 1)], [Some("a"), None, Some("long text"), Some("d")]);
        table.set_cells("t", 0, 1, &data(Datatype::Ascii(1), b"xy", None), false).unwrap();
        assert_eq!([0, 1].map(|element| table.text_of("t", 0, element).unwrap()), [Some("x"), Some("y")]);
        table.add_texts("j", ElementType::Json, false, [Some("1".into()), None].into_iter()).unwrap();
        let status = |table: &mut Table, name: &str, row, element, text| {
            table.set_text(name, row, element, Some(text)).map_err(|error| error.status())
        };
        status(&mut table, "j", 1, 0, "123456789012345678901234567890").unwrap();
        assert_eq!(table.text_of("j", 1, 0).unwrap(), Some("123456789012345678901234567890"));
        assert_eq!(status(&mut table, "j", 0, 0, "{"), Err(Status::ValueRange));
        assert_eq!(status(&mut table, "t", 0, 2, ""), Err(Status::OutOfRange));
        assert_eq!(status(&mut table, "t", 2, 0, ""), Err(Status::OutOfRange));
        assert_eq!(status(&mut table, "u", 0, 0, ""), Err(Status::NotFound));
        table.add_array("n", &[], &data(ScalarType::Uint8, &[1, 2], None)).unwrap();
        assert_eq!(status(&mut table, "n", 0, 0, ""), Err(Status::WrongType));
        let numbers = table.set_cells("t", 0, 1, &data(ScalarType::Uint8, &[1, 2], None), false).unwrap_err();
        assert_eq!(numbers.status(), Status::Conversion);
        let texts = table.set_cells("n", 0, 1, &data(Datatype::Ascii(1), b"1", None), false).unwrap_err();
        assert_eq!((texts.status(), texts.location().table_column.as_deref()), (Status::Conversion, Some("n")));
    }
}
