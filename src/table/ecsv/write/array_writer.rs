//! Writes cells that hold arrays, as JSON.

use super::numbers::Spelling;
use crate::error::{Error, Result, Status};
use crate::json::{self, Escapes, Style, Writer};
use crate::reserve::room_for;
use crate::table::memory::kept_text;
use crate::table::{CellShape, Column, ElementType, Values};

/// Maximum number of empty lists in one cell.
const MAX_EMPTY_LISTS: u64 = 1 << 20;

/// Compact style without blanks, at which some readers would split fields. Characters that some readers take for line
/// ends are escaped.
const STYLE: Style = Style {
    comma: ",",
    colon: ":",
    escapes: Escapes { letters: "rt", more: &['\u{7F}'..='\u{9F}', '\u{2028}'..='\u{2029}'] },
};

/// Writer of the cells of one column.
pub(super) struct ArrayWriter<'a> {
    column: &'a Column,
    spelling: Spelling,
    extents: Vec<u64>,
    is_variable: bool,
}

impl<'a> ArrayWriter<'a> {
    pub(super) fn new(column: &'a Column, spelling: Spelling) -> ArrayWriter<'a> {
        let (mut extents, is_variable) = match column.cell_shape() {
            CellShape::Scalar => (Vec::new(), false),
            CellShape::Fixed(extents) => (extents.clone(), false),
            CellShape::Variable(extents) => (extents.clone(), true),
        };
        if is_variable {
            extents.push(0);
        }
        ArrayWriter { column, spelling, extents, is_variable }
    }

    /// Appends the elements of a cell, which must be present, as nested lists. Missing elements are null. In a column
    /// of JSON they cannot be distinguished from the value null.
    pub(super) fn write(&mut self, out: &mut Vec<u8>, row: usize) -> Result<()> {
        let elements = self.column.elements_of(row);
        if self.is_variable
            && let Some(last) = self.extents.last_mut()
        {
            let of_row = self.column.cell_shape().row_of_last_axis().unwrap_or_default();
            *last = (elements.len() as u64).checked_div(of_row).unwrap_or_default();
        }
        if let Some(empty) = self.extents.iter().position(|&extent| extent == 0) {
            return write_empty(out, self.extents.get(..empty).unwrap_or_default());
        }
        let (column, spelling) = (self.column, self.spelling);
        let missing = column.elements();
        write_nested(out, &self.extents, |out, index| {
            let element = elements.start + index;
            if missing.is_some_and(|there| !there.get(element)) {
                out.extend_from_slice(b"null");
                return Ok(());
            }
            match column.values() {
                Values::Text(text) => write_text(out, text.get(element), column.element_type(), spelling),
                values => {
                    spelling.write(out, values, element);
                    Ok(())
                }
            }
        })
    }
}

/// Writes nested lists whose innermost lists are empty. `extents` are those of the outer lists.
fn write_empty(out: &mut Vec<u8>, extents: &[u64]) -> Result<()> {
    let count = extents.iter().try_fold(1_u64, |count, &extent| count.checked_mul(extent));
    if count.is_none_or(|count| count > MAX_EMPTY_LISTS) {
        let message = format!("an array without elements would need more than {MAX_EMPTY_LISTS} empty lists in JSON");
        return Err(Error::new(Status::Limit, message));
    }
    write_nested(out, extents, |out, _| {
        out.extend_from_slice(b"[]");
        Ok(())
    })
}

/// Writes nested lists of these nonzero extents. `write_leaf` writes the items of the innermost lists.
fn write_nested(
    out: &mut Vec<u8>,
    extents: &[u64],
    mut write_leaf: impl FnMut(&mut Vec<u8>, usize) -> Result<()>,
) -> Result<()> {
    let Some((&inner, outer)) = extents.split_last() else { return write_leaf(out, 0) };
    let mut json = Writer::new(out, &STYLE);
    let mut index = 0;
    let mut ended = outer.len();
    for list in 1..=outer.iter().product() {
        (0..=ended).for_each(|_| json.open("["));
        for _ in 0..inner {
            let out = json.item();
            room_for(out, 128)?;
            write_leaf(out, index)?;
            index += 1;
        }
        ended = closed_lists(list, outer);
        (0..=ended).for_each(|_| json.close("]"));
    }
    Ok(())
}

/// Returns how many outer lists end together with this innermost list, counted from 1.
fn closed_lists(list: u64, outer: &[u64]) -> usize {
    let mut rest = list;
    let is_whole = |&&extent: &&u64| {
        let whole = rest.is_multiple_of(extent);
        rest /= extent;
        whole
    };
    outer.iter().rev().take_while(is_whole).count()
}

fn write_text(out: &mut Vec<u8>, text: &str, element_type: ElementType, spelling: Spelling) -> Result<()> {
    kept_text::check(text, element_type)?;
    room_for(out, json::max_length(text))?;
    match element_type {
        ElementType::Json => out.extend_from_slice(text.as_bytes()),
        ElementType::Float128 => out.extend_from_slice(json_number(text, spelling).as_bytes()),
        _ => json::write_string(out, text, &STYLE.escapes),
    }
    Ok(())
}

/// Converts a valid number in text to the syntax of JSON.
fn json_number(text: &str, spelling: Spelling) -> String {
    let (sign, magnitude) = match text.strip_prefix('-') {
        Some(magnitude) => ("-", magnitude),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !magnitude.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return spelling.non_finite(text.parse().unwrap_or(f64::NAN)).to_owned();
    }
    let (digits, exponent) = magnitude.find(['e', 'E']).map_or((magnitude, ""), |at| magnitude.split_at(at));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    format!("{sign}{whole}.{fraction}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Bitmap, ColumnParts, Text};

    fn cells(parts: ColumnParts) -> Vec<String> {
        let column = Column::new(parts).unwrap();
        let mut writer = ArrayWriter::new(&column, Spelling::JSON);
        let texts = (0..column.row_count()).map(|row| {
            let mut out = Vec::new();
            writer.write(&mut out, row).unwrap();
            String::from_utf8(out).unwrap()
        });
        texts.collect()
    }

    fn parts(cell_shape: CellShape, values: Values, offsets: Option<Vec<i64>>, row_count: usize) -> ColumnParts {
        let element_type = ElementType::of_values(&values);
        ColumnParts { element_type, cell_shape, values, offsets, cells: None, elements: None, row_count }
    }

    #[test]
    fn lists_in_lists() {
        let twelve = || Values::Int16((0..12).collect());
        let fixed = |extents: &[u64]| parts(CellShape::Fixed(extents.to_vec()), twelve(), None, 1);
        assert_eq!(cells(fixed(&[12])), ["[0,1,2,3,4,5,6,7,8,9,10,11]"]);
        assert_eq!(cells(fixed(&[2, 3, 2])), ["[[[0,1],[2,3],[4,5]],[[6,7],[8,9],[10,11]]]"]);
        assert_eq!(cells(fixed(&[1, 12, 1])), ["[[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11]]]"]);
        let offsets = Some(vec![0, 0, 4, 12]);
        let variable = parts(CellShape::Variable(vec![2]), twelve(), offsets.clone(), 3);
        assert_eq!(cells(variable), ["[[],[]]", "[[0,1],[2,3]]", "[[4,5,6,7],[8,9,10,11]]"]);
        let variable = parts(CellShape::Variable(vec![]), twelve(), offsets, 3);
        assert_eq!(cells(variable)[..2], ["[]", "[0,1,2,3]"]);
        let none = || Values::Float64(Vec::new());
        assert_eq!(cells(parts(CellShape::Fixed(vec![2, 0, 3]), none(), None, 1)), ["[[],[]]"]);
        assert_eq!(cells(parts(CellShape::Fixed(vec![0]), none(), None, 1)), ["[]"]);
        let wide = Column::new(parts(CellShape::Fixed(vec![1 << 40, 0]), none(), None, 1)).unwrap();
        let error = ArrayWriter::new(&wide, Spelling::JSON).write(&mut Vec::new(), 0).unwrap_err();
        assert_eq!(error.status(), Status::Limit);
    }

    #[test]
    fn elements_of_all_kinds() {
        let pair = CellShape::Fixed(vec![2]);
        let mut missing = parts(pair.clone(), Values::Float32(vec![0.1, f32::NAN, 1.0, 2.0]), None, 2);
        missing.elements = Some(Bitmap::filled(true, 4).unwrap());
        missing.elements.as_mut().unwrap().set(2, false);
        assert_eq!(cells(missing), ["[0.1,NaN]", "[null,2.0]"]);
        let truths = parts(pair.clone(), Values::Bool8(vec![0, 1]), None, 1);
        assert_eq!(cells(truths), ["[false,true]"]);
        let texts = |element_type, texts: [&str; 2]| {
            let mut text = Text::new();
            texts.iter().for_each(|piece| text.push(piece).unwrap());
            ColumnParts { element_type, ..parts(pair.clone(), Values::Text(text), None, 1) }
        };
        let strings = texts(ElementType::String, ["\"\\\n\u{1}\u{2028}é", ""]);
        assert_eq!(cells(strings), ["[\"\\\"\\\\\\n\\u0001\\u2028é\",\"\"]"]);
        assert_eq!(cells(texts(ElementType::Json, ["{\"a\":1}", "null"])), ["[{\"a\":1},null]"]);
        assert_eq!(cells(texts(ElementType::Float128, ["+.5e-4000", "-Infinity"])), ["[0.5e-4000,-Infinity]"]);
        assert_eq!(cells(texts(ElementType::Float128, ["007.", "nan"])), ["[7.0,NaN]"]);
    }
}
