//! Order of the cells of a column: numbers by their value, texts by code point, missing cells last.

use super::runs::check_at;
use crate::error::{Error, Result, Status};
use crate::float::{Decimal, Float16, split_sign};
use crate::table::ecsv::complex_parts;
use crate::table::{CellShape, Column, ElementType, Text, Values};
use std::cmp::Ordering;

/// Class of a cell: 0 for a value that the others are compared with. Cells of higher classes come later in both
/// directions: numbers that are NaN, complex numbers with a part that is NaN in the order of numpy, missing cells.
type Class = u8;

const MISSING: Class = 4;

/// Cells of a column, prepared for comparison.
pub(super) struct Keys<'a> {
    cells: Cells<'a>,
    is_descending: bool,
}

enum Cells<'a> {
    Numbers(Vec<(Class, u64)>),
    /// Complex numbers, whose real part counts more.
    Pairs(Vec<(Class, [u64; 2])>),
    /// Real or complex numbers that no machine type holds.
    Wide(Vec<(Class, [Wide; 2])>),
    Texts(&'a Column, &'a Text),
}

impl<'a> Keys<'a> {
    /// Prepares the cells of a column.
    ///
    /// Fails with [`Status::WrongType`] if the cells are arrays, which have no order, and with [`Status::ValueRange`] if
    /// a text is not the number that it should be.
    pub(super) fn of(column: &'a Column, is_descending: bool) -> Result<Keys<'a>> {
        if *column.cell_shape() != CellShape::Scalar {
            return Err(Error::new(Status::WrongType, "the cells are arrays, which have no order"));
        }
        Ok(Keys { cells: cells(column)?, is_descending })
    }

    /// Compares the cells of two rows.
    pub(super) fn compare(&self, one: usize, other: usize) -> Ordering {
        match &self.cells {
            Cells::Numbers(numbers) => self.ordered(numbers.get(one), numbers.get(other)),
            Cells::Pairs(numbers) => self.ordered(numbers.get(one), numbers.get(other)),
            Cells::Wide(numbers) => self.ordered(numbers.get(one), numbers.get(other)),
            Cells::Texts(column, text) => {
                let cell = |row| if column.has_cell(row) { (0, text.get(row)) } else { (MISSING, "") };
                self.ordered(Some(&cell(one)), Some(&cell(other)))
            }
        }
    }

    fn ordered<T: Ord>(&self, one: Option<&(Class, T)>, other: Option<&(Class, T)>) -> Ordering {
        let (Some((class, value)), Some((other_class, other))) = (one, other) else { return Ordering::Equal };
        let by_value = || if self.is_descending { other.cmp(value) } else { value.cmp(other) };
        class.cmp(other_class).then_with(by_value)
    }
}

/// Returns the cells as values with an order.
fn cells(column: &Column) -> Result<Cells<'_>> {
    // Signed integers are moved to the range of unsigned ones.
    let signed = |value: i64| (0, value as u64 ^ 1 << 63);
    let is_complex = column.element_type() == ElementType::Complex256;
    match column.values() {
        Values::Bool8(values) | Values::Uint8(values) => numbers(column, values, |&value| (0, value.into())),
        Values::Uint16(values) => numbers(column, values, |&value| (0, value.into())),
        Values::Uint32(values) => numbers(column, values, |&value| (0, value.into())),
        Values::Uint64(values) => numbers(column, values, |&value| (0, value)),
        Values::Int8(values) => numbers(column, values, |&value| signed(value.into())),
        Values::Int16(values) => numbers(column, values, |&value| signed(value.into())),
        Values::Int32(values) => numbers(column, values, |&value| signed(value.into())),
        Values::Int64(values) => numbers(column, values, |&value| signed(value)),
        Values::Float16(values) => numbers(column, values, |&bits| float(Float16::from_bits(bits).to_f32().into())),
        Values::Float32(values) => numbers(column, values, |&value| float(value.into())),
        Values::Float64(values) => numbers(column, values, |&value| float(value)),
        Values::Complex64(values) => {
            list(column, values.iter(), |pair| Ok(pair_of(pair.map(f64::from)))).map(Cells::Pairs)
        }
        Values::Complex128(values) => list(column, values.iter(), |&pair| Ok(pair_of(pair))).map(Cells::Pairs),
        Values::Text(text) if is_complex || column.element_type() == ElementType::Float128 => {
            list(column, 0..text.len(), |row| wide(text.get(row), is_complex)).map(Cells::Wide)
        }
        Values::Text(text) => Ok(Cells::Texts(column, text)),
    }
}

fn numbers<'a, T>(column: &Column, values: &[T], key: impl Fn(&T) -> (Class, u64)) -> Result<Cells<'a>> {
    list(column, values.iter(), |value| Ok(key(value))).map(Cells::Numbers)
}

/// Makes the list of the cells. What is under the mask has no meaning, and is not looked at.
fn list<T, K: Default>(
    column: &Column,
    values: impl ExactSizeIterator<Item = T>,
    key: impl Fn(T) -> Result<(Class, K)>,
) -> Result<Vec<(Class, K)>> {
    let mut keys = Vec::new();
    let bytes = (values.len() * size_of::<(Class, K)>()) as u64;
    keys.try_reserve_exact(values.len()).map_err(|_| Error::out_of_memory(bytes))?;
    for (row, value) in values.enumerate() {
        check_at(row)?;
        keys.push(match column.has_cell(row) {
            true => key(value).map_err(|error| Error::because_of(&format!("row {row}"), &error))?,
            false => (MISSING, K::default()),
        });
    }
    Ok(keys)
}

/// Returns a key of a float. The two zeros are equal.
fn float(value: f64) -> (Class, u64) {
    let bits = (value + 0.0).to_bits();
    match value.is_nan() {
        true => (2, 0),
        // The larger the magnitude of a negative number, the smaller it is.
        false if bits >> 63 == 1 => (0, !bits),
        false => (0, bits | 1 << 63),
    }
}

fn pair_of([real, imaginary]: [f64; 2]) -> (Class, [u64; 2]) {
    let ((of_real, real), (of_imaginary, imaginary)) = (float(real), float(imaginary));
    (of_real + of_imaginary / 2, [real, imaginary])
}

/// A number that is not NaN, of any size and precision.
#[derive(Default, PartialEq, Eq)]
struct Wide {
    is_negative: bool,
    /// Magnitude; `None` for infinity.
    magnitude: Option<Decimal>,
}

impl Wide {
    /// Reads a part of a number; the class tells whether it is NaN.
    fn of(text: &str) -> Result<(Class, Wide)> {
        let not_a_number = || Error::new(Status::ValueRange, format!("'{text}' is not a valid number"));
        let near: f64 = text.parse().map_err(|_| not_a_number())?;
        match Decimal::of_text(text) {
            _ if near.is_nan() => Ok((2, Wide::default())),
            magnitude => Ok((0, Wide { is_negative: split_sign(text).0, magnitude })),
        }
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Wide) -> Ordering {
        let is_zero = |wide: &Wide| wide.magnitude.as_ref().is_some_and(|magnitude| magnitude.equals(0.0));
        let magnitudes = |one: &Wide, other: &Wide| match (&one.magnitude, &other.magnitude) {
            (Some(one), Some(other)) => one.cmp(other),
            // Infinity exceeds every number.
            (one, other) => one.is_none().cmp(&other.is_none()),
        };
        match (self.is_negative, other.is_negative) {
            _ if is_zero(self) && is_zero(other) => Ordering::Equal,
            (false, false) => magnitudes(self, other),
            (true, true) => magnitudes(other, self),
            (is_negative, _) => {
                if is_negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn wide(text: &str, is_complex: bool) -> Result<(Class, [Wide; 2])> {
    let parts = if is_complex { complex_parts(text).map_err(|_| not_complex(text))? } else { (Some(text), None) };
    let (of_real, real) = Wide::of(parts.0.unwrap_or("0"))?;
    let (of_imaginary, imaginary) = Wide::of(parts.1.unwrap_or("0"))?;
    Ok((of_real + of_imaginary / 2, [real, imaginary]))
}

fn not_complex(text: &str) -> Error {
    Error::new(Status::ValueRange, format!("'{text}' is not a valid complex number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Bitmap;

    /// Returns the rows in their order.
    fn order(column: &Column, is_descending: bool) -> Vec<usize> {
        let keys = Keys::of(column, is_descending).unwrap();
        let mut rows: Vec<usize> = (0..column.row_count()).collect();
        rows.sort_by(|&one, &other| keys.compare(one, other));
        rows
    }

    fn column(element_type: ElementType, values: Values, missing: &[usize]) -> Column {
        let mut cells = Bitmap::filled(true, values.len()).unwrap();
        missing.iter().for_each(|&row| cells.set(row, false));
        Column::scalars(element_type, values, Some(cells)).unwrap()
    }

    fn of_values(values: Values, missing: &[usize]) -> Column {
        column(ElementType::of_values(&values), values, missing)
    }

    fn of_texts(element_type: ElementType, texts: &[&str], missing: &[usize]) -> Column {
        let mut text = Text::new();
        texts.iter().for_each(|piece| text.push(piece).unwrap());
        column(element_type, Values::Text(text), missing)
    }

    #[test]
    fn numbers_have_the_order_of_their_values() {
        let integers = of_values(Values::Int64(vec![0, i64::MIN, i64::MAX, -1, 7]), &[4]);
        assert_eq!((order(&integers, false), order(&integers, true)), (vec![1, 3, 0, 2, 4], vec![2, 0, 3, 1, 4]));
        let large = of_values(Values::Uint64(vec![u64::MAX, 1 << 63, 0]), &[]);
        assert_eq!(order(&large, false), [2, 1, 0]);
        let floats = vec![f64::NAN, 0.0, -0.0, f64::NEG_INFINITY, 5.0, f64::INFINITY, -5e-324, -f64::NAN];
        let floats = of_values(Values::Float64(floats), &[4]);
        assert_eq!(order(&floats, false), [3, 6, 1, 2, 5, 0, 7, 4]);
        assert_eq!(order(&floats, true), [5, 1, 2, 6, 3, 0, 7, 4]);
        let halves = of_values(Values::Float16(vec![0x7E00, 0xBC00, 0x0001, 0xFC00]), &[]);
        assert_eq!(order(&halves, false), [3, 1, 2, 0]);
    }

    #[test]
    fn complex_numbers_have_the_order_of_numpy() {
        let nan = f64::NAN;
        let values = vec![[nan, nan], [nan, 1.0], [2.0, nan], [2.0, -1.0], [2.0, -2.0], [-3.0, 9.0], [1.0, nan]];
        let column = of_values(Values::Complex128(values), &[]);
        assert_eq!(order(&column, false), [5, 4, 3, 6, 2, 1, 0]);
        let texts = ["(nan+nanj)", "(nan+1j)", "(2+nanj)", "(2-1j)", "(2-2j)", "(-3+9j)", "(1+nanj)", "2e-4000j"];
        let wide = of_texts(ElementType::Complex256, &texts, &[]);
        assert_eq!(order(&wide, false), [5, 7, 4, 3, 6, 2, 1, 0]);
    }

    #[test]
    fn wide_numbers_are_compared_exactly() {
        let texts = ["1e4000", "-1e4000", "1.00000000000000000001", "1", "-0", "0e5", "inf", "-inf", "nan", "x"];
        let wide = of_texts(ElementType::Float128, &texts, &[9]);
        assert_eq!(order(&wide, false), [7, 1, 4, 5, 3, 2, 0, 6, 8, 9]);
        assert_eq!(order(&wide, true), [6, 0, 2, 3, 4, 5, 1, 7, 8, 9]);
        let wrong = of_texts(ElementType::Float128, &["1", "x"], &[]);
        assert_eq!(Keys::of(&wrong, false).err().unwrap().status(), Status::ValueRange);
    }

    #[test]
    fn texts_have_the_order_of_their_code_points() {
        let texts = of_texts(ElementType::String, &["b", "", "\u{10000}", "\u{FFFF}", "B", "é", "~", "ba"], &[7]);
        assert_eq!(order(&texts, false), [1, 4, 0, 6, 5, 3, 2, 7]);
        assert_eq!(order(&texts, true), [2, 3, 5, 6, 0, 4, 1, 7]);
    }

    #[test]
    fn arrays_have_no_order() {
        let parts = of_values(Values::Int8(vec![1, 2]), &[]).into_parts();
        let arrays = Column::new(crate::table::ColumnParts {
            cell_shape: CellShape::Fixed(vec![2]),
            row_count: 1,
            cells: None,
            ..parts
        });
        assert_eq!(Keys::of(&arrays.unwrap(), false).err().unwrap().status(), Status::WrongType);
    }
}
