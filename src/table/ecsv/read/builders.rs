//! Builds columns from the fields of records, and converts each field to the type of its column.

use super::arrays::{Lists, float_element, integer_element, truth_element};
use super::cells::{CellError, Cells, Expected, Missing, Reading, Records};
use crate::error::{Error, Result, Status};
use crate::float::Float16;
use crate::table::cell::fault::Fault;
use crate::table::cell::json::Json;
use crate::table::cell::parse::{Float, Integer, Refusal, complex, float, truth};
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Text, Values};

/// Builder of a column.
pub(super) struct ColumnBuilder {
    /// Index of the column in the file, which is also the index of its field in each record.
    column: usize,
    element_type: ElementType,
    has_empty_texts: bool,
    cell_shape: CellShape,
    values: Values,
    offsets: Option<Vec<i64>>,
    cells: Option<Bitmap>,
    elements: Option<Bitmap>,
    row_count: usize,
}

impl ColumnBuilder {
    /// Makes a builder without cells for the column at this index in the file.
    ///
    /// Fails with [`Status::Unsupported`] if the cells are arrays of complex numbers, which JSON cannot represent.
    pub(super) fn new(column: usize, header: &ColumnHeader) -> Result<ColumnBuilder> {
        let values = match header.element_type {
            ElementType::Scalar(scalar) => Values::of_type(scalar),
            _ => Values::Text(Text::new()),
        };
        let is_complex = header.element_type == ElementType::Complex256
            || matches!(values, Values::Complex64(_) | Values::Complex128(_));
        if is_complex && header.cell_shape != CellShape::Scalar {
            let message =
                format!("the column '{}' holds arrays of complex numbers, which ECSV cannot store", header.name);
            return Err(Error::new(Status::Unsupported, message));
        }
        let offsets = matches!(header.cell_shape, CellShape::Variable(_)).then(|| vec![0]);
        Ok(ColumnBuilder {
            column,
            element_type: header.element_type,
            has_empty_texts: header.has_empty_texts,
            cell_shape: header.cell_shape.clone(),
            values,
            offsets,
            cells: None,
            elements: None,
            row_count: 0,
        })
    }

    /// Appends the cells of these records. After a failure the builder must not be used.
    pub(super) fn add(&mut self, records: Records<'_>, reading: &Reading) -> std::result::Result<(), Fault> {
        let keeps_blanks = self.element_type == ElementType::String && self.cell_shape == CellShape::Scalar;
        let trims = reading.trim_quoted || !keeps_blanks && !reading.strict;
        let cells = Cells { records, reading, column: self.column, trims, has_empty_texts: self.has_empty_texts };
        let before = self.values.len();
        let missing = match self.cell_shape {
            CellShape::Scalar => self.add_scalars(&cells)?,
            _ => self.add_arrays(&cells)?,
        };
        self.record_missing(&missing, before, records.record_count)
            .map_err(|error| Fault::of(&error, 0).in_column(self.column))
    }

    /// Appends cells of one element each.
    fn add_scalars(&mut self, cells: &Cells<'_>) -> std::result::Result<Missing, Fault> {
        let (strict, depth) = (cells.reading.strict, cells.reading.depth);
        match &mut self.values {
            Values::Bool8(values) => cells.numbers(values, Expected::new("a truth value"), |text| truth(text, strict)),
            Values::Int8(values) => add_integers(cells, values),
            Values::Int16(values) => add_integers(cells, values),
            Values::Int32(values) => add_integers(cells, values),
            Values::Int64(values) => add_integers(cells, values),
            Values::Uint8(values) => add_integers(cells, values),
            Values::Uint16(values) => add_integers(cells, values),
            Values::Uint32(values) => add_integers(cells, values),
            Values::Uint64(values) => add_integers(cells, values),
            Values::Float16(values) => cells.numbers(values, NUMBER, |text| float(text).map(float16_bits)),
            Values::Float32(values) => cells.numbers(values, NUMBER, float),
            Values::Float64(values) => cells.numbers(values, NUMBER, float),
            Values::Complex64(values) => cells.numbers(values, COMPLEX, complex),
            Values::Complex128(values) => cells.numbers(values, COMPLEX, complex),
            Values::Text(values) => match self.element_type {
                ElementType::Float128 => cells.texts(values, NUMBER, |text| Ok(float::<f64>(text).map(drop)?)),
                ElementType::Complex256 => cells.texts(values, COMPLEX, |text| Ok(complex::<f64>(text).map(drop)?)),
                ElementType::Json => cells.texts(values, Expected::new("JSON"), |text| {
                    let mut json = Json::new(text);
                    json.value(depth)?;
                    Ok(json.end()?)
                }),
                ElementType::String | ElementType::Scalar(_) => cells.texts(values, Expected::new("text"), |_| Ok(())),
            },
        }
    }

    /// Appends cells that are arrays.
    fn add_arrays(&mut self, cells: &Cells<'_>) -> std::result::Result<Missing, Fault> {
        let (strict, depth) = (cells.reading.strict, cells.reading.depth);
        let mut scratch = String::new();
        let mut lists = ArrayCells { cells, shape: &self.cell_shape, offsets: self.offsets.as_mut() };
        match &mut self.values {
            Values::Bool8(values) => {
                lists.add(values, |json, values| put(values, truth_element(json, strict, &mut scratch)?))
            }
            Values::Int8(values) => lists.add(values, put_integer),
            Values::Int16(values) => lists.add(values, put_integer),
            Values::Int32(values) => lists.add(values, put_integer),
            Values::Int64(values) => lists.add(values, put_integer),
            Values::Uint8(values) => lists.add(values, put_integer),
            Values::Uint16(values) => lists.add(values, put_integer),
            Values::Uint32(values) => lists.add(values, put_integer),
            Values::Uint64(values) => lists.add(values, put_integer),
            Values::Float16(values) => {
                lists.add(values, |json, values| put(values, float_element(json)?.map(float16_bits)))
            }
            Values::Float32(values) => lists.add(values, put_float),
            Values::Float64(values) => lists.add(values, put_float),
            // `new` refuses arrays of complex numbers.
            Values::Complex64(_) | Values::Complex128(_) => Ok(Missing::default()),
            Values::Text(values) => match self.element_type {
                ElementType::Json => lists.add(values, |json, values| {
                    let text = json.value(depth)?;
                    values.push(text).map(|()| true)
                }),
                ElementType::Float128 => lists.add(values, |json, values| {
                    let number = if json.take_word("null") { None } else { Some(json.number()?.text) };
                    values.push(number.unwrap_or_default()).map(|()| number.is_some())
                }),
                _ => lists.add(values, |json, values| {
                    let is_present = !json.take_word("null");
                    scratch.clear();
                    if is_present {
                        json.string(&mut scratch)?;
                    }
                    values.push(&scratch).map(|()| is_present)
                }),
            },
        }
    }

    /// Records the missing cells and elements among the appended cells, whose values begin at `before`.
    fn record_missing(&mut self, missing: &Missing, before: usize, row_count: usize) -> Result<()> {
        let of_cell = self.elements_of_fixed_cell();
        if !missing.elements.is_empty() && self.elements.is_none() {
            self.elements = Some(self.element_bitmap(before)?);
        }
        if let Some(elements) = &mut self.elements {
            elements.extend(true, self.values.len() - before)?;
            missing.elements.iter().for_each(|&element| elements.set(element, false));
            for row in &missing.rows {
                let first = before + row * of_cell;
                (first..first + of_cell).for_each(|element| elements.set(element, false));
            }
        }
        if !missing.rows.is_empty() && self.cells.is_none() {
            self.cells = Some(Bitmap::filled(true, self.row_count)?);
        }
        if let Some(cells) = &mut self.cells {
            cells.extend(true, row_count)?;
            missing.rows.iter().for_each(|row| cells.set(self.row_count + row, false));
        }
        self.row_count += row_count;
        Ok(())
    }

    /// Returns the number of elements in each cell; 0 for cells of variable length, since a missing one has no
    /// elements.
    fn elements_of_fixed_cell(&self) -> usize {
        self.cell_shape.element_count().and_then(|count| usize::try_from(count).ok()).unwrap_or_default()
    }

    /// Makes a validity bitmap for the first `count` elements from the validity of their cells.
    fn element_bitmap(&self, count: usize) -> Result<Bitmap> {
        let mut elements = Bitmap::filled(true, count)?;
        let of_cell = self.elements_of_fixed_cell();
        if let Some(cells) = &self.cells {
            let missing = (0..cells.len()).filter(|&row| !cells.get(row));
            missing.for_each(|row| (row * of_cell..(row + 1) * of_cell).for_each(|at| elements.set(at, false)));
        }
        Ok(elements)
    }

    /// Appends the cells of another builder of the same column.
    pub(super) fn append(&mut self, other: &mut ColumnBuilder) -> Result<()> {
        if self.elements.is_some() || other.elements.is_some() {
            for builder in [&mut *self, &mut *other] {
                if builder.elements.is_none() {
                    builder.elements = Some(builder.element_bitmap(builder.values.len())?);
                }
            }
        }
        if self.cells.is_some() || other.cells.is_some() {
            for builder in [&mut *self, &mut *other] {
                if builder.cells.is_none() {
                    builder.cells = Some(Bitmap::filled(true, builder.row_count)?);
                }
            }
        }
        for (bits, others) in [(&mut self.elements, &other.elements), (&mut self.cells, &other.cells)] {
            if let (Some(bits), Some(others)) = (bits, others) {
                bits.append(others)?;
            }
        }
        if let (Some(offsets), Some(others)) = (&mut self.offsets, &other.offsets) {
            offsets.try_reserve(others.len()).map_err(|_| Error::out_of_memory(others.len() as u64 * 8))?;
            let start = self.values.len() as i64;
            offsets.extend(others.iter().skip(1).map(|offset| start + offset));
        }
        self.values.append(&other.values)?;
        self.row_count += other.row_count;
        Ok(())
    }

    /// Removes all cells, and keeps the memory of their values.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        if let Some(offsets) = &mut self.offsets {
            offsets.truncate(1);
        }
        (self.cells, self.elements, self.row_count) = (None, None, 0);
    }

    /// Returns the memory of the cells in bytes.
    pub(super) fn memory(&self) -> u64 {
        let bits = [&self.cells, &self.elements].into_iter().flatten().map(|bits| bits.bytes().len() as u64);
        let offsets = self.offsets.as_ref().map_or(0, |offsets| size_of_val(offsets.as_slice()) as u64);
        self.values.memory() + offsets + bits.sum::<u64>()
    }

    /// Returns the finished column.
    pub(super) fn finish(mut self) -> Result<Column> {
        self.values.shrink_to_fit();
        Column::new(ColumnParts {
            element_type: self.element_type,
            cell_shape: self.cell_shape,
            values: self.values,
            offsets: self.offsets,
            cells: self.cells,
            elements: self.elements,
            row_count: self.row_count,
        })
    }
}

/// Returns the bits of a binary16 number, as a column stores them.
fn float16_bits(Float16(bits): Float16) -> u16 {
    bits
}

const NUMBER: Expected = Expected::new("a number");
const COMPLEX: Expected = Expected::new("a complex number");

/// Appends integers.
fn add_integers<T: Integer + Default>(cells: &Cells<'_>, values: &mut Vec<T>) -> std::result::Result<Missing, Fault> {
    cells.numbers(values, Expected::integer(T::RANGE), T::parse)
}

/// List of elements that is filled one by one.
trait Elements {
    fn count(&self) -> usize;

    /// Appends `count` placeholders for missing elements.
    fn fill(&mut self, count: usize) -> Result<()>;

    /// Size of an element in bytes; for text without the characters.
    const SIZE: u64;
}

impl<T: Default + Clone> Elements for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn fill(&mut self, count: usize) -> Result<()> {
        self.try_reserve(count).map_err(|_| Error::out_of_memory(count as u64))?;
        self.resize(self.len() + count, T::default());
        Ok(())
    }

    const SIZE: u64 = size_of::<T>() as u64;
}

impl Elements for Text {
    fn count(&self) -> usize {
        self.len()
    }

    fn fill(&mut self, count: usize) -> Result<()> {
        self.reserve(count, 0)?;
        (0..count).try_for_each(|_| self.push(""))
    }

    const SIZE: u64 = size_of::<i64>() as u64;
}

/// Appends an element, or a placeholder for `None`. Returns whether the element is present.
#[inline]
fn put<T: Default>(values: &mut Vec<T>, value: Option<T>) -> Result<bool> {
    values.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<T>() as u64))?;
    let is_present = value.is_some();
    values.push(value.unwrap_or_default());
    Ok(is_present)
}

fn put_integer<T: Integer + Default>(json: &mut Json<'_>, values: &mut Vec<T>) -> Result<bool> {
    put(values, integer_element(json)?)
}

fn put_float<T: Float + Default>(json: &mut Json<'_>, values: &mut Vec<T>) -> Result<bool> {
    put(values, float_element(json)?)
}

/// Cells that hold arrays.
struct ArrayCells<'a> {
    cells: &'a Cells<'a>,
    shape: &'a CellShape,
    offsets: Option<&'a mut Vec<i64>>,
}

impl ArrayCells<'_> {
    /// Appends the elements of the cells. `element` appends one and returns whether it is present.
    fn add<E: Elements>(
        &mut self,
        values: &mut E,
        mut element: impl FnMut(&mut Json<'_>, &mut E) -> Result<bool>,
    ) -> std::result::Result<Missing, Fault> {
        let mut lists = Lists::new(self.shape);
        let mut nulls = Vec::new();
        let of_cell = if self.offsets.is_some() { Some(0) } else { self.shape.element_count() };
        let rows = self.cells.each(Expected::new("an array"), |text| {
            match text {
                None => values.fill(self.cells.reading.reserve_padding(of_cell, E::SIZE)?)?,
                Some(text) => lists.read(text, |json| {
                    let place = values.count();
                    if !element(json, values)? {
                        nulls.try_reserve(1).map_err(|_| Error::out_of_memory(8))?;
                        nulls.push(place);
                    }
                    Ok(())
                })?,
            }
            if let Some(offsets) = &mut self.offsets {
                offsets.try_reserve(1).map_err(|_| Error::out_of_memory(8))?;
                offsets.push(values.count() as i64);
            }
            Ok(())
        })?;
        Ok(Missing { rows, elements: nulls })
    }
}

// For `?` after the parser of a number.
impl From<Refusal> for CellError {
    fn from(refusal: Refusal) -> CellError {
        CellError::Refused(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;

    /// Returns a builder of pairs; the second of the three cells is missing.
    fn builder() -> ColumnBuilder {
        let values = vec![1, 2, 0, 0, 5, 6];
        let mut builder = ColumnBuilder {
            column: 0,
            element_type: ElementType::Scalar(ScalarType::Int8),
            has_empty_texts: false,
            cell_shape: CellShape::Fixed(vec![2]),
            values: Values::Int8(values),
            offsets: None,
            cells: None,
            elements: None,
            row_count: 0,
        };
        builder.record_missing(&Missing { rows: vec![1], elements: vec![] }, 0, 3).unwrap();
        assert!(builder.elements.is_none());
        builder
    }

    fn bits(bitmap: &Option<Bitmap>) -> Vec<u8> {
        let bitmap = bitmap.as_ref().unwrap();
        (0..bitmap.len()).map(|index| u8::from(bitmap.get(index))).collect()
    }

    #[test]
    fn elements_of_missing_cells_are_missing_once_an_element_is() {
        let mut one = builder();
        let Values::Int8(values) = &mut one.values else { panic!() };
        values.extend([7, 0]);
        one.record_missing(&Missing { rows: vec![], elements: vec![7] }, 6, 1).unwrap();
        assert_eq!(bits(&one.cells), [1, 0, 1, 1]);
        assert_eq!(bits(&one.elements), [1, 1, 0, 0, 1, 1, 1, 0]);
        let mut all = builder();
        all.append(&mut one).unwrap();
        assert_eq!(bits(&all.cells), [1, 0, 1, 1, 0, 1, 1]);
        assert_eq!(bits(&all.elements), [1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0]);
        // Fourteen numbers of one byte, and seven and fourteen bits.
        assert_eq!(all.memory(), 14 + 1 + 2);
        all.clear();
        assert!(all.cells.is_none() && all.elements.is_none() && all.row_count == 0);
    }
}
