//! Single elements of values: as a number, as text or in NDL notation.

use crate::error::{Error, Result, Status};
use crate::ndl::write::flow::{Dialect, Flow};
use crate::ndl::write::walk::element;
use crate::ndl::{Datatype, DatatypeKind, Elements, Enumeration, Value};

impl Value {
    /// Returns one element, by its position in C order, as an integer. For an enumeration this is the number of the
    /// constant.
    ///
    /// Fails with [`Status::OutOfRange`] if there is no such element, and with [`Status::WrongType`] for other
    /// datatypes.
    pub fn integer(&self, position: usize, datatype: &Datatype) -> Result<i128> {
        self.check_position(position)?;
        let number = match (self.elements(), datatype.kind()) {
            (Elements::Integers(numbers), _) => numbers.get(position).copied().map(i128::from),
            (Elements::Unsigned(numbers), _) => numbers.get(position).copied().map(i128::from),
            (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
                constant(enumeration, positions, position).map(|(_, number)| number)
            }
            _ => None,
        };
        number.ok_or_else(|| wrong_type(datatype, "an integer"))
    }

    /// Returns one integer or float as `f64`. Integers beyond 2^53 are rounded.
    ///
    /// Fails as [`Value::integer`] does, also for constants of an enumeration.
    pub fn number(&self, position: usize, datatype: &Datatype) -> Result<f64> {
        self.check_position(position)?;
        let number = match self.elements() {
            Elements::Integers(numbers) => numbers.get(position).map(|&number| number as f64),
            Elements::Unsigned(numbers) => numbers.get(position).map(|&number| number as f64),
            Elements::Float32(numbers) => numbers.get(position).copied().map(f64::from),
            Elements::Float64(numbers) => numbers.get(position).copied(),
            _ => None,
        };
        number.ok_or_else(|| wrong_type(datatype, "a number"))
    }

    /// Returns one element as text: a string, the name of a constant, or the path name of an object reference. A null
    /// reference gives an empty text.
    ///
    /// Fails as [`Value::integer`] does.
    pub fn text<'a>(&'a self, position: usize, datatype: &'a Datatype) -> Result<&'a str> {
        self.check_position(position)?;
        text(self.elements(), position, datatype).ok_or_else(|| wrong_type(datatype, "text"))
    }

    /// Returns one element in NDL notation on one line: `[1, {target: /a, selection: [[0, 2]]}]`.
    ///
    /// Fails with [`Status::OutOfRange`] if there is no such element, and with [`Status::InvalidArgument`] if the value
    /// does not fit the datatype.
    pub fn notation(&self, position: usize, datatype: &Datatype) -> Result<String> {
        self.check_position(position)?;
        let mut flow = Flow::new(Dialect::Yaml);
        element(self.elements(), position, datatype, &mut flow)?;
        flow.into_text()
    }

    fn check_position(&self, position: usize) -> Result<()> {
        let count = self.elements().len();
        if position < count {
            return Ok(());
        }
        let message = format!("there is no element {position}: the value has {count} elements, counted from 0");
        Err(Error::new(Status::OutOfRange, message))
    }
}

fn wrong_type(datatype: &Datatype, wanted: &str) -> Error {
    let message = format!("an element of the datatype {} cannot be read as {wanted}", datatype.keyword());
    Error::new(Status::WrongType, message)
}

/// Returns the name and the number of one constant.
pub(super) fn constant<'a>(enumeration: &'a Enumeration, positions: &[u32], element: usize) -> Option<(&'a str, i128)> {
    let position = *positions.get(element)?;
    enumeration.members.at(position as usize).map(|(name, &number)| (name, number))
}

/// Returns the text of an element: a string, a path name or the name of a constant.
pub(super) fn text<'a>(elements: &'a Elements, position: usize, datatype: &'a Datatype) -> Option<&'a str> {
    match (elements, datatype.kind()) {
        (Elements::Texts(texts), _) => texts.get(position),
        (Elements::Objects(paths), _) => paths.get(position).map(|path| path.as_deref().unwrap_or_default()),
        (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
            constant(enumeration, positions, position).map(|(name, _)| name)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndl::values::memory::tests::with;

    #[test]
    fn an_element_of_any_datatype_has_a_notation() {
        for (name, position, text) in [
            ("x", 2, ".inf"),
            ("i", 3, "-4"),
            ("e", 1, "\"OFF\""),
            ("m", 1, "[[3, 4]]"),
            ("o", 1, "\"BA==\""),
            ("s", 0, "\"é\""),
            ("r", 1, "null"),
            ("c", 0, "[1, \"[\"]"),
            ("v", 0, "[1.0, .nan]"),
            ("v", 1, "[]"),
            ("g", 0, "{target: /i, start: [0, 0], opposite: [1, 2]}"),
        ] {
            assert_eq!(with(name, |value, datatype| value.notation(position, datatype)).unwrap(), text);
        }
        let outside = with("v", |value, datatype| value.notation(2, datatype));
        assert_eq!(outside.unwrap_err().status(), Status::OutOfRange);
        let other = with("v", |value, _| value.notation(0, &Datatype::string()));
        assert_eq!(other.unwrap_err().status(), Status::InvalidArgument);
    }
}
