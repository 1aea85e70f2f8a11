//! Visits the elements of values and the nested lists around them, for any output notation.

use crate::error::{Error, Result, Status};
use crate::ndl::model::value::count_of;
use crate::ndl::{Datatype, DatatypeKind, Elements, IntegerType, Region, Value};

/// Maximum number of lists in the text of a value without elements, because the number of elements does not limit them.
const MAX_EMPTY_LISTS: u128 = 2_000_000;

/// Receiver of the parts of a value, in order.
pub(crate) trait ValueVisitor {
    /// Begins a list of elements along a dimension, or of a vlen.
    fn open(&mut self);
    /// Ends the list.
    fn close(&mut self);
    /// Begins the members of a compound.
    fn open_compound(&mut self) {
        self.open();
    }
    /// Ends the members.
    fn close_compound(&mut self) {
        self.close();
    }
    /// Begins the elements of a vlen.
    fn open_vlen(&mut self) {
        self.open();
    }
    /// Ends the elements.
    fn close_vlen(&mut self) {
        self.close();
    }
    fn text(&mut self, text: &str);
    fn integer(&mut self, number: i128, integer: IntegerType);
    fn float32(&mut self, number: f32);
    fn float64(&mut self, number: f64);
    /// Writes the constant with this name of an enumeration.
    fn constant(&mut self, name: &str, datatype: &Datatype);
    fn opaque(&mut self, bytes: &[u8]);
    fn object(&mut self, path: Option<&str>);
    fn region(&mut self, region: Option<&Region>);
}

/// Visits all elements of a value.
pub(super) fn walk(value: &Value, datatype: &Datatype, visitor: &mut dyn ValueVisitor) -> Result<()> {
    grid(value.shape(), visitor, &mut |visitor, position| element(value.elements(), position, datatype, visitor))
}

/// Opens and closes the nested lists of this shape, and calls `element` for each position.
///
/// Uses no recursion, because the rank comes from a file or a caller and is not limited.
fn grid(
    shape: &[u64],
    visitor: &mut dyn ValueVisitor,
    element: &mut dyn FnMut(&mut dyn ValueVisitor, usize) -> Result<()>,
) -> Result<()> {
    let full = shape.iter().position(|&extent| extent == 0);
    let lists = full.map_or(shape, |rank| shape.get(..rank).unwrap_or_default());
    if full.is_some() && count_of(lists)? > MAX_EMPTY_LISTS {
        let message = format!("a value without elements needs more than {MAX_EMPTY_LISTS} lists, the limit");
        return Err(Error::new(Status::Limit, message));
    }
    let mut indices = vec![0u64; lists.len()];
    let mut opened = 0;
    for position in 0.. {
        (opened..lists.len()).for_each(|_| visitor.open());
        if full.is_some() {
            visitor.open();
            visitor.close();
        } else {
            element(visitor, position)?;
        }
        opened = lists.len();
        // Advances the innermost index that is not at its end, and resets those inside it.
        for (index, &extent) in indices.iter_mut().zip(lists).rev() {
            *index += 1;
            if *index < extent {
                break;
            }
            *index = 0;
            opened -= 1;
            visitor.close();
        }
        if opened == 0 {
            break;
        }
    }
    Ok(())
}

/// Visits one element. Recursion is as deep as the datatype, which is limited.
pub(crate) fn element(
    elements: &Elements,
    position: usize,
    datatype: &Datatype,
    visitor: &mut dyn ValueVisitor,
) -> Result<()> {
    match (elements, datatype.kind()) {
        (Elements::Texts(texts), DatatypeKind::String) => {
            visitor.text(texts.get(position).ok_or_else(not_of_datatype)?)
        }
        (Elements::Integers(numbers), DatatypeKind::Integer(integer)) => {
            visitor.integer(number(numbers, position)?.into(), *integer);
        }
        (Elements::Unsigned(numbers), DatatypeKind::Integer(integer)) => {
            visitor.integer(number(numbers, position)?.into(), *integer);
        }
        (Elements::Float32(numbers), DatatypeKind::Float(_)) => visitor.float32(number(numbers, position)?),
        (Elements::Float64(numbers), DatatypeKind::Float(_)) => visitor.float64(number(numbers, position)?),
        (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
            let constant = enumeration.members.at(number(positions, position)? as usize);
            visitor.constant(constant.ok_or_else(not_of_datatype)?.0, datatype);
        }
        (Elements::Opaque(blobs), DatatypeKind::Opaque { .. }) => {
            visitor.opaque(blobs.get(position).ok_or_else(not_of_datatype)?)
        }
        (Elements::Objects(paths), DatatypeKind::Objref) => {
            visitor.object(paths.get(position).ok_or_else(not_of_datatype)?.as_deref())
        }
        (Elements::Regions(regions), DatatypeKind::Regref(_)) => {
            visitor.region(regions.get(position).ok_or_else(not_of_datatype)?.as_ref())
        }
        (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
            visitor.open_compound();
            for (column, (_, member)) in columns.iter().zip(members.iter()) {
                element(column, position, member, visitor)?;
            }
            visitor.close_compound();
        }
        (Elements::Lists(lists), DatatypeKind::Vlen(base)) => {
            visitor.open_vlen();
            for position in lists.range(position).ok_or_else(not_of_datatype)? {
                element(lists.base(), position, base, visitor)?;
            }
            visitor.close_vlen();
        }
        (Elements::Arrays { size, base }, DatatypeKind::Array { base: datatype, shape }) => {
            let first =
                usize::try_from(*size).ok().and_then(|size| size.checked_mul(position)).ok_or_else(not_of_datatype)?;
            grid(shape, visitor, &mut |visitor, position| element(base, first + position, datatype, visitor))?;
        }
        _ => return Err(not_of_datatype()),
    }
    Ok(())
}

fn number<T: Copy>(numbers: &[T], position: usize) -> Result<T> {
    numbers.get(position).copied().ok_or_else(not_of_datatype)
}

/// Fails for a value with a wrong datatype, which is possible because the fields of the model are public.
pub(super) fn not_of_datatype() -> Error {
    Error::new(Status::InvalidArgument, "the value does not fit its datatype")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Brackets(String);

    impl ValueVisitor for Brackets {
        fn open(&mut self) {
            self.0.push('[');
        }
        fn close(&mut self) {
            self.0.push(']');
        }
        fn integer(&mut self, number: i128, _: IntegerType) {
            self.0.push_str(&number.to_string());
        }
        fn text(&mut self, _: &str) {}
        fn float32(&mut self, _: f32) {}
        fn float64(&mut self, _: f64) {}
        fn constant(&mut self, _: &str, _: &Datatype) {}
        fn opaque(&mut self, _: &[u8]) {}
        fn object(&mut self, _: Option<&str>) {}
        fn region(&mut self, _: Option<&Region>) {}
    }

    fn written(shape: &[u64]) -> Result<String> {
        let int8 = Datatype::from(IntegerType::Int8);
        let count = i64::try_from(count_of(shape)?).unwrap();
        let value = Value::new(shape.to_vec(), Elements::Integers((0..count).collect()), &int8)?;
        let mut brackets = Brackets(String::new());
        walk(&value, &int8, &mut brackets)?;
        Ok(brackets.0)
    }

    #[test]
    fn lists_nest_by_shape() {
        for (shape, text) in [
            (&[][..], "0"),
            (&[1], "[0]"),
            (&[3], "[012]"),
            (&[2, 3], "[[012][345]]"),
            (&[2, 1, 2], "[[[01]][[23]]]"),
            (&[0], "[]"),
            (&[0, 3], "[]"),
            (&[3, 0], "[[][][]]"),
            (&[2, 1, 0, 7], "[[[]][[]]]"),
        ] {
            assert_eq!(written(shape).unwrap(), text);
        }
        let deep = written(&vec![1; 100_000]).unwrap();
        assert_eq!(deep.len(), 200_001);
        assert_eq!(written(&[u64::MAX, 0]).unwrap_err().status(), Status::Limit);
        assert_eq!(written(&[0, u64::MAX]).unwrap(), "[]");
    }

    #[test]
    fn a_value_with_a_wrong_datatype_is_refused() {
        let int8 = Datatype::from(IntegerType::Int8);
        let value = Value::new(vec![2], Elements::Integers(vec![0; 2]), &int8).unwrap();
        let error = walk(&value, &Datatype::string(), &mut Brackets(String::new())).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
    }
}
