//! Compares the meaning of parts of two descriptions, independent of their notation.

use crate::error::Result;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::write::flow::{Dialect, Flow};
use crate::ndl::{Content, Datatype, DatatypeKind, Enumeration, Extensions, Filter, Named, Value};

/// Compares datatypes. The order of members counts, the order of constants does not; extensions are ignored. Recursion
/// is as deep as the datatype, which is limited.
pub(crate) fn datatypes(one: &Datatype, other: &Datatype) -> bool {
    match (one.kind(), other.kind()) {
        (DatatypeKind::Enum(one), DatatypeKind::Enum(other)) => enumerations(one, other),
        (DatatypeKind::Compound(one), DatatypeKind::Compound(other)) => {
            one.len() == other.len()
                && one.iter().zip(other.iter()).all(|(one, other)| one.0 == other.0 && datatypes(one.1, other.1))
        }
        (DatatypeKind::Vlen(one), DatatypeKind::Vlen(other)) => datatypes(one, other),
        (DatatypeKind::Array { base: one, shape }, DatatypeKind::Array { base: other, shape: other_shape }) => {
            shape == other_shape && datatypes(one, other)
        }
        (one, other) => one == other,
    }
}

fn enumerations(one: &Enumeration, other: &Enumeration) -> bool {
    one.base == other.base
        && one.members.len() == other.members.len()
        && one.members.iter().all(|(name, number)| other.members.get(name) == Some(number))
}

/// Compares shape and elements of values. Constants are compared by name.
pub(super) fn values(one: (&Value, &Datatype), other: (&Value, &Datatype)) -> Result<bool> {
    if one.0.shape() != other.0.shape() {
        return Ok(false);
    }
    // Fast path. It fails for equal values with constants in another order, and for NaN.
    if one.1 == other.1 && one.0.elements() == other.0.elements() {
        return Ok(true);
    }
    Ok(value_text(one.0, one.1)? == value_text(other.0, other.1)?)
}

/// Returns a value as JSON.
pub(super) fn value_text(value: &Value, datatype: &Datatype) -> Result<String> {
    let mut json = Flow::new(Dialect::Json);
    json.value(value, datatype)?;
    json.into_text()
}

/// Compares filters and the meaning of their parameters.
pub(super) fn filters(one: &[Filter], other: &[Filter]) -> bool {
    let same_parameters = |one: &Filter, other: &Filter| match (&one.parameters, &other.parameters) {
        (Some(one), Some(other)) => contents(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.name == other.name && same_parameters(one, other))
}

/// Compares extensions in any order.
pub(super) fn extensions(one: &Extensions, other: &Extensions) -> bool {
    mappings(one, other)
}

fn mappings(one: &Named<Content>, other: &Named<Content>) -> bool {
    one.len() == other.len()
        && one.iter().all(|(key, content)| other.get(key).is_some_and(|other| contents(content, other)))
}

/// Compares content by the core schema, with keys in any order. Its depth is limited, so recursion is safe.
fn contents(one: &Content, other: &Content) -> bool {
    match (one, other) {
        (Content::Scalar(one), Content::Scalar(other)) => {
            let core = |scalar: &crate::ndl::ContentScalar| scalar.tag.clone();
            let of_one = scalar::resolve(&one.text, one.plain, core(one).as_deref());
            let of_other = scalar::resolve(&other.text, other.plain, core(other).as_deref());
            match (of_one, of_other) {
                (Core::Integer(one), Core::Integer(other)) => {
                    one == other || scalar::decimal_integer(one) == scalar::decimal_integer(other)
                }
                (Core::Float(one), Core::Float(other)) => {
                    let bits = |text| scalar::float64(text).map(f64::to_bits);
                    one == other || bits(one) == bits(other)
                }
                (one, other) => one == other,
            }
        }
        (Content::List(one), Content::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| contents(one, other))
        }
        (Content::Mapping(one), Content::Mapping(other)) => mappings(one, other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndl::{Elements, FloatType, IntegerType};

    fn enumeration(members: &[(&str, i128)], inferred: bool) -> Datatype {
        let members = members.iter().map(|&(name, number)| (name, number)).collect();
        Datatype::new(DatatypeKind::Enum(Enumeration { base: IntegerType::Uint8, inferred, members })).unwrap()
    }

    #[test]
    fn constants_count_by_name_in_any_order() {
        let (one, other) = (enumeration(&[("A", 0), ("B", 1)], true), enumeration(&[("B", 1), ("A", 0)], false));
        assert!(datatypes(&one, &other));
        assert!(!datatypes(&one, &enumeration(&[("A", 0), ("B", 2)], true)));
        let value = |datatype, positions| Value::new(vec![2], Elements::Constants(positions), datatype).unwrap();
        assert!(values((&value(&one, vec![0, 1]), &one), (&value(&other, vec![1, 0]), &other)).unwrap());
        assert!(!values((&value(&one, vec![0, 1]), &one), (&value(&other, vec![0, 1]), &other)).unwrap());
    }

    #[test]
    fn nan_is_the_same_as_nan() {
        let float = Datatype::from(FloatType::Float64);
        let value = |number| Value::new(vec![1], Elements::Float64(vec![number]), &float).unwrap();
        assert!(values((&value(f64::NAN), &float), (&value(f64::NAN), &float)).unwrap());
        assert!(!values((&value(1.0), &float), (&value(2.0), &float)).unwrap());
    }

    #[test]
    fn contents_count_by_meaning() {
        let same = |one: &str, other: &str| contents(&Content::plain(one), &Content::plain(other));
        let many = "6".repeat(82);
        assert!(same(&many, &format!("+00{many}")) && !same(&many, &format!("-{many}")) && same("-0", "0"));
        assert!(same("16", "0x10") && same("1e3", "1000.0") && same("~", "null") && same("True", "true"));
        assert!(!same("1", "1.0") && !same("a", "b") && !contents(&Content::plain("1"), &Content::text("1")));
        assert!(contents(&Content::plain("a"), &Content::text("a")));
        let mapping = |one, other| Content::mapping([(one, Content::plain("1")), (other, Content::plain("2"))]);
        let swapped = Content::mapping([("b", Content::plain("2")), ("a", Content::plain("0x1"))]);
        assert!(contents(&mapping("a", "b"), &swapped) && !contents(&mapping("b", "a"), &swapped));
    }
}
