//! Columns of a binary table as the fields of records.
//!
//! A column of variable length becomes a field with room for the longest row, and a field with the number of values.

use super::array::moved_half;
use super::conversion::{Conversion, Scaling};
use super::converted::Part;
use super::hdu::Hdu;
use super::heap::HeapColumn;
use crate::array::{Datatype, Field, ScalarType};
use crate::error::{Error, Result, Status};
use crate::source::Source;
use std::sync::Arc;

/// Largest number of columns.
const MOST: i64 = 999;
/// Largest number of axes of a field.
const MOST_AXES: usize = 32;

/// The columns of a table.
#[derive(Default)]
pub(super) struct Columns {
    /// The fields of the elements.
    pub(super) fields: Vec<Field>,
    /// The fields as stored, without offset and scale.
    pub(super) stored: Vec<Field>,
    pub(super) parts: Vec<Part>,
}

/// The value of a card `TFORMn`.
struct Form {
    /// Number of values, bits or characters.
    repeat: u64,
    letter: u8,
    /// Letter of the values in the heap.
    inner: Option<u8>,
}

/// A column.
struct Column {
    stored: ScalarType,
    scalar: ScalarType,
    conversion: Conversion,
    /// Number of scalars.
    count: u64,
}

impl Columns {
    /// Reads the columns from the header, and the lengths of columns of variable length from the data.
    ///
    /// Fails with [`Status::FitsHeader`] for cards that contradict each other, and for values outside of the heap.
    pub(super) fn of_table(hdu: &Hdu, source: &dyn Source) -> Result<Columns> {
        let mut columns = Columns::default();
        let row = hdu.axes.first().copied().unwrap_or(0);
        let (mut at, mut first) = (0, 0);
        let mut lengths = Vec::new();
        for number in 1..=hdu.header.needed("TFIELDS", 0..=MOST)? {
            let keyword = format!("TFORM{number}");
            let form = Form::of_column(hdu, &keyword)?;
            let name = hdu.header.text(&format!("TTYPE{number}"))?.filter(|name| !name.is_empty());
            let shape = shape_of(hdu, number)?;
            let (field, stored, mut part) = match form.letter {
                b'A' => text(hdu, &form, number, shape)?,
                b'P' | b'Q' if form.repeat > 0 => {
                    lengths.push((name.map(str::to_owned), form.letter, at));
                    variable(source, hdu, &form, number, at)?
                }
                _ => Column::new(hdu, &form, number)?.fields(hdu, &form, number, shape)?,
            };
            (part.stored, part.first) = (at, first);
            at += part.stored_bytes();
            first = part.end();
            if at > row {
                let what = format!("ends at byte {at} of a row, but NAXIS1 is {row}");
                return Err(hdu.header.wrong(&keyword, &what));
            }
            columns.fields.push(Field { name: name.map(str::to_owned), ..field });
            columns.stored.push(Field { name: name.map(str::to_owned), ..stored });
            if part.count > 0 && part.conversion.size() > 0 {
                columns.parts.push(part);
            }
        }
        columns.add_lengths(lengths, first);
        Ok(columns)
    }

    /// Adds a field with the number of values for each column of variable length: its name, its letter, and the place of
    /// its descriptors.
    fn add_lengths(&mut self, columns: Vec<(Option<String>, u8, u64)>, mut first: u64) {
        for (name, letter, stored) in columns {
            let scalar = if letter == b'Q' { ScalarType::Int64 } else { ScalarType::Int32 };
            let mut name = name.map(|name| format!("{name}_length"));
            while name.is_some() && self.fields.iter().any(|field| field.name == name) {
                name = name.map(|name| name + "_");
            }
            let field = Field { name, ..field(scalar.into(), Vec::new()) };
            self.fields.push(field.clone());
            self.stored.push(field);
            let part = Part { stored, first, count: 1, conversion: Conversion::Copy(scalar.size()), heap: None };
            first = part.end();
            self.parts.push(part);
        }
    }
}

impl Form {
    fn of_column(hdu: &Hdu, keyword: &str) -> Result<Form> {
        let form = hdu.header.text(keyword)?.ok_or_else(|| hdu.header.wrong(keyword, "is missing"))?.trim_start();
        let bad = || hdu.header.wrong(keyword, &format!("is '{form}', which is not the form of a column"));
        let digits = form.bytes().take_while(u8::is_ascii_digit).count();
        let repeat = match form.get(..digits).unwrap_or_default() {
            "" => 1,
            digits => digits.parse::<u32>().map_err(|_| bad())?.into(),
        };
        let letter = form.as_bytes().get(digits).copied().ok_or_else(bad)?;
        if !b"LXBIJKAEDCMPQ".contains(&letter) {
            return Err(bad());
        }
        if matches!(letter, b'P' | b'Q') && repeat > 1 {
            return Err(bad());
        }
        let is_variable = matches!(letter, b'P' | b'Q');
        let inner = form.as_bytes().get(digits + 1).copied().filter(|_| is_variable);
        if is_variable && repeat > 0 && !inner.is_some_and(|inner| b"LXBIJKAEDCM".contains(&inner)) {
            return Err(bad());
        }
        Ok(Form { repeat, letter, inner })
    }
}

/// Returns the extents in `TDIMn`, the slowest first.
fn shape_of(hdu: &Hdu, number: i64) -> Result<Option<Vec<i64>>> {
    let keyword = format!("TDIM{number}");
    let Some(text) = hdu.header.text(&keyword)?.filter(|text| !text.is_empty()) else { return Ok(None) };
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let extents = inner.map(|inner| inner.split(',').rev().map(|extent| extent.trim().parse::<u32>()).collect());
    match extents {
        Some(Ok(extents)) => {
            let extents: Vec<u32> = extents;
            if extents.len() > MOST_AXES {
                return Err(hdu.header.wrong(&keyword, &format!("has more than {MOST_AXES} extents")));
            }
            Ok(Some(extents.into_iter().map(i64::from).collect()))
        }
        _ => Err(hdu.header.wrong(&keyword, &format!("is '{text}', which is no list of extents"))),
    }
}

/// Fails unless the extents in `TDIMn` have this number of values.
fn check_extents(hdu: &Hdu, number: i64, shape: &[i64], count: u64) -> Result<()> {
    let product = shape.iter().try_fold(1_u64, |product, extent| product.checked_mul(extent.unsigned_abs()));
    if product == Some(count) {
        return Ok(());
    }
    let what = format!("does not have the {count} values of TFORM{number}");
    Err(hdu.header.wrong(&format!("TDIM{number}"), &what))
}

fn field(datatype: Datatype, shape: Vec<i64>) -> Field {
    Field { name: None, datatype, byteorder: None, shape }
}

/// Returns the field of a column of texts. The first extent in `TDIMn` is the length of a text.
fn text(hdu: &Hdu, form: &Form, number: i64, shape: Option<Vec<i64>>) -> Result<(Field, Field, Part)> {
    let mut shape = shape.unwrap_or_else(|| vec![form.repeat as i64]);
    check_extents(hdu, number, &shape, form.repeat)?;
    let length = shape.pop().unwrap_or(0).unsigned_abs();
    let count = form.repeat.checked_div(length).unwrap_or(0);
    let field = field(Datatype::Ascii(length), shape);
    let conversion = Conversion::Text(length as usize);
    let part = Part { stored: 0, first: 0, count, conversion, heap: None };
    Ok((field.clone(), field, part))
}

/// Returns the field of a column of variable length, whose descriptors are at this place of a row.
fn variable(source: &dyn Source, hdu: &Hdu, form: &Form, number: i64, at: u64) -> Result<(Field, Field, Part)> {
    hdu.check_complete(source.len())?;
    let keyword = format!("TFORM{number}");
    let letter = form.inner.unwrap_or(b'B');
    let column = Column::new(hdu, &Form { repeat: 1, letter, inner: None }, number)?;
    let bits = if letter == b'X' { 1 } else { 8 * column.stored.size() as u64 };
    let heap = HeapColumn::of_table(hdu, form.letter, bits)?;
    let row = hdu.axes.first().copied().unwrap_or(0);
    if at + heap.size() > row {
        let what = format!("ends at byte {} of a row, but NAXIS1 is {row}", at + heap.size());
        return Err(hdu.header.wrong(&keyword, &what));
    }
    let most = heap.most(source, hdu, at, &keyword)?;
    let count = if letter == b'X' { most.div_ceil(8) } else { most };
    let descriptor = if heap.is_wide { ScalarType::Int64 } else { ScalarType::Int32 };
    let (values, conversion) = match letter {
        b'A' => (field(Datatype::Ascii(count), Vec::new()), Conversion::Copy(1)),
        _ => (field(column.scalar.into(), vec![count as i64]), column.conversion),
    };
    let part = Part { stored: 0, first: 0, count, conversion, heap: Some(Arc::new(heap)) };
    Ok((values, field(descriptor.into(), vec![2]), part))
}

impl Column {
    fn new(hdu: &Hdu, form: &Form, number: i64) -> Result<Column> {
        let (stored, count) = match form.letter {
            b'X' => (ScalarType::Uint8, form.repeat.div_ceil(8)),
            b'P' => (ScalarType::Int32, 2 * form.repeat),
            b'Q' => (ScalarType::Int64, 2 * form.repeat),
            letter => (scalar_of(letter), form.repeat),
        };
        let copy = Column { stored, scalar: stored, conversion: Conversion::Copy(stored.size()), count };
        match form.letter {
            b'L' => Ok(Column {
                stored: ScalarType::Int8,
                scalar: ScalarType::Bool8,
                conversion: Conversion::Logical,
                count,
            }),
            b'X' | b'P' | b'Q' => Ok(copy),
            _ => copy.scaled(hdu, number),
        }
    }

    /// Returns the column with the scale and the offset of its cards.
    fn scaled(self, hdu: &Hdu, number: i64) -> Result<Column> {
        let keyword = format!("TSCAL{number}");
        let scale = hdu.header.number(&keyword)?.unwrap_or(1.0);
        let zero = hdu.header.number(&format!("TZERO{number}"))?.unwrap_or(0.0);
        if scale == 1.0 && zero == 0.0 {
            return Ok(self);
        }
        if let Some((scalar, _)) = moved_half(self.stored).filter(|(_, half)| scale == 1.0 && zero == *half) {
            return Ok(Column { scalar, conversion: Conversion::FlipSign(scalar.size()), ..self });
        }
        let width = match self.stored {
            ScalarType::Uint8 => 1,
            ScalarType::Int16 => 2,
            ScalarType::Int32 => 4,
            ScalarType::Int64 => 8,
            ScalarType::Float32 => -4,
            ScalarType::Float64 => -8,
            _ => {
                let message = format!("{hdu}: {keyword} scales complex numbers, which are not read");
                return Err(Error::new(Status::Unsupported, message).at_offset(hdu.header.start));
            }
        };
        let scaling = Scaling { width, scale, zero, blank: None, is_wide: true };
        Ok(Column { scalar: ScalarType::Float64, conversion: Conversion::Scale(scaling), ..self })
    }

    fn fields(self, hdu: &Hdu, form: &Form, number: i64, shape: Option<Vec<i64>>) -> Result<(Field, Field, Part)> {
        let own_shape = || if self.count == 1 && form.letter != b'X' { Vec::new() } else { vec![self.count as i64] };
        let shape = match shape {
            // The extents of bits and of arrays in the heap are not those of the stored values.
            Some(shape) if !matches!(form.letter, b'X' | b'P' | b'Q') => {
                check_extents(hdu, number, &shape, self.count)?;
                shape
            }
            _ => own_shape(),
        };
        let part = Part { stored: 0, first: 0, count: self.count, conversion: self.conversion, heap: None };
        Ok((field(self.scalar.into(), shape.clone()), field(self.stored.into(), shape), part))
    }
}

fn scalar_of(letter: u8) -> ScalarType {
    match letter {
        b'I' => ScalarType::Int16,
        b'J' => ScalarType::Int32,
        b'K' => ScalarType::Int64,
        b'E' => ScalarType::Float32,
        b'D' => ScalarType::Float64,
        b'C' => ScalarType::Complex64,
        b'M' => ScalarType::Complex128,
        _ => ScalarType::Uint8,
    }
}
