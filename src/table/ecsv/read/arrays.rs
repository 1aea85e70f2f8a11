//! Cells that hold arrays: nested JSON lists. The header gives their shape; the last extent may vary from cell to cell.

use crate::error::{Error, Result, Status};
use crate::table::CellShape;
use crate::table::cell::json::Json;
use crate::table::cell::parse::{Float, Integer, Refusal, float, truth};

/// Reader of the nested lists in cells of one shape.
pub(super) struct Lists<'a> {
    /// Fixed extents, slowest axis first.
    fixed: &'a [u64],
    /// True if a last extent of variable length follows.
    varies: bool,
    /// Number of items read so far in each open list.
    open: Vec<u64>,
}

impl<'a> Lists<'a> {
    /// Makes a reader for cells of this shape, which must be that of an array.
    pub(super) fn new(shape: &'a CellShape) -> Lists<'a> {
        let (fixed, varies) = match shape {
            CellShape::Scalar => (&[][..], false),
            CellShape::Fixed(extents) => (extents.as_slice(), false),
            CellShape::Variable(extents) => (extents.as_slice(), true),
        };
        Lists { fixed, varies, open: Vec::new() }
    }

    /// Reads the lists of one cell, and calls `element` for each element in C order.
    pub(super) fn read(&mut self, text: &str, mut element: impl FnMut(&mut Json<'_>) -> Result<()>) -> Result<()> {
        let rank = self.fixed.len() + usize::from(self.varies);
        let mut json = Json::new(text);
        let mut last_extent = None;
        self.open.clear();
        if !json.take(b'[') {
            return Err(json.expected("an array"));
        }
        self.open.push(0);
        let mut between = false;
        while let Some(&count) = self.open.last() {
            let level = self.open.len();
            if (between || count == 0) && json.take(b']') {
                self.check_extent(level, count, &mut last_extent)?;
                self.open.pop();
            } else {
                if between && !json.take(b',') {
                    return Err(json.expected("a comma or ]"));
                }
                if level < rank {
                    if !json.take(b'[') {
                        return Err(json.expected("a nested array"));
                    }
                    self.open.push(0);
                    between = false;
                    continue;
                }
                element(&mut json)?;
            }
            between = true;
            if let Some(count) = self.open.last_mut() {
                *count += 1;
            }
        }
        json.end()
    }

    /// Fails unless a list at this level may have `count` items.
    fn check_extent(&self, level: usize, count: u64, last_extent: &mut Option<u64>) -> Result<()> {
        let expected = match self.fixed.get(level - 1) {
            Some(&extent) => extent,
            None => *last_extent.get_or_insert(count),
        };
        if count == expected {
            return Ok(());
        }
        let message = format!("an array in the cell has {count} items on axis {} instead of {expected}", level - 1);
        Err(Error::new(Status::Cell, message))
    }
}

/// Reads an integer, or `None` for `null`.
#[inline]
pub(super) fn integer_element<T: Integer>(json: &mut Json<'_>) -> Result<Option<T>> {
    if json.take_word("null") {
        return Ok(None);
    }
    let number = json.number()?;
    let parsed = if number.is_whole { T::parse(number.text) } else { Err(Refusal::Form) };
    parsed.map(Some).map_err(|refusal| match refusal {
        Refusal::Form => Error::new(Status::Cell, format!("{} in the array is not an integer", number.text)),
        Refusal::Range => {
            Error::new(Status::ValueRange, format!("{} in the array is outside the range of {}", number.text, T::RANGE))
        }
    })
}

/// Reads a floating-point number, or `None` for `null`.
#[inline]
pub(super) fn float_element<T: Float>(json: &mut Json<'_>) -> Result<Option<T>> {
    if json.take_word("null") {
        return Ok(None);
    }
    json.peek();
    let start = *json;
    let number = json.number()?;
    float(number.text).map(Some).map_err(|_| start.expected("a number"))
}

/// Reads a truth value, or `None` for `null`. Strings count as well: Gaia files have arrays of `"True"` and of
/// `"true"`.
pub(super) fn truth_element(json: &mut Json<'_>, strict: bool, scratch: &mut String) -> Result<Option<u8>> {
    let next = json.peek();
    let start = *json;
    let value = match next {
        Some(b'n') if json.take_word("null") => return Ok(None),
        Some(b't') if json.take_word("true") => Some(1),
        Some(b'f') if json.take_word("false") => Some(0),
        Some(b'"') => {
            json.string(scratch)?;
            match scratch.as_str() {
                "true" => Some(1),
                "false" => Some(0),
                other => truth(other, strict).ok(),
            }
        }
        Some(b'0' | b'1') => truth(json.number()?.text, strict).ok(),
        _ => None,
    };
    value.map(Some).ok_or_else(|| start.expected("true or false"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(shape: &CellShape, text: &str) -> Result<Vec<Option<i64>>> {
        let mut found = Vec::new();
        Lists::new(shape).read(text, |json| {
            found.push(integer_element(json)?);
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn lists_have_the_shape_of_the_column() {
        let fixed = CellShape::Fixed(vec![2, 3]);
        let expected = [Some(1), None, Some(3), Some(4), Some(5), Some(i64::MAX)];
        assert_eq!(numbers(&fixed, " [[1,null,3] , [4, 5,9223372036854775807]]").unwrap(), expected);
        let variable = CellShape::Variable(vec![2]);
        assert_eq!(numbers(&variable, "[[1],[2]]").unwrap(), [Some(1), Some(2)]);
        assert_eq!(numbers(&variable, "[[],[]]").unwrap(), []);
        assert_eq!(numbers(&CellShape::Fixed(vec![0]), "[]").unwrap(), []);
        assert_eq!(numbers(&CellShape::Variable(vec![]), "[7]").unwrap(), [Some(7)]);
        let refused = |shape: &CellShape, text: &str| {
            assert_eq!(numbers(shape, text).unwrap_err().status(), Status::Cell, "{text}");
        };
        for text in ["[[1,2,3]]", "[[1,2,3],[4,5]]", "[[1,2,3],null]", "[1,2,3]", "[[1,2,3],[4,5,6]", "null", "7", ""] {
            refused(&fixed, text);
        }
        for text in ["[[1],[2,3]]", "[[1],[2],[3]]", "[]", "[[[1]],[[2]]]", "[[1,],[2]]", "[[1],[2]]]", "[[1 2],[3 4]]"]
        {
            refused(&variable, text);
        }
        for text in ["[1.0]", "[1e3]", "[\"1\"]", "[true]", "[NaN]"] {
            refused(&CellShape::Variable(vec![]), text);
        }
    }

    #[test]
    fn truth_values_are_read_from_strings() {
        let mut scratch = String::new();
        let mut read = |text: &str| truth_element(&mut Json::new(text), false, &mut scratch);
        let values = ["true", "false", "\"True\"", "\"False\"", "null", "1"].map(|text| read(text).unwrap());
        assert_eq!(values, [Some(1), Some(0), Some(1), Some(0), None, Some(1)]);
        assert_eq!(["\"true\"", " \"false\""].map(|text| read(text).unwrap()), [Some(1), Some(0)]);
        for text in ["True", "\"\"", "\"yes\"", "2", "[true]", "0.0"] {
            assert!(read(text).is_err(), "{text}");
        }
        // The message quotes the wrong value, not the text after it.
        for (text, quoted) in
            [(r#"[true, "maybe", false]"#, r#""\"maybe\", false]""#), ("[true, 2]", r#""2]""#), ("[ 1e2]", r#""1e2]""#)]
        {
            let shape = CellShape::Variable(vec![]);
            let read = Lists::new(&shape).read(text, |json| truth_element(json, false, &mut scratch).map(drop));
            let message = format!("expected true or false in the JSON text, found {quoted}");
            assert_eq!(read.unwrap_err().message(), message);
        }
    }
}
