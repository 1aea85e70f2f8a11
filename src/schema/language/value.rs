//! Values of a tree as JSON Schema sees them: their types, the order of numbers, and equality.

use crate::tags;
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Tree};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Types of JSON Schema, as a set of bits. An integer has two of them.
pub(in crate::schema) type Types = u8;

pub(in crate::schema) const NULL: Types = 1;
pub(in crate::schema) const BOOLEAN: Types = 2;
pub(in crate::schema) const INTEGER: Types = 4;
pub(in crate::schema) const NUMBER: Types = 8;
pub(in crate::schema) const STRING: Types = 16;
pub(in crate::schema) const ARRAY: Types = 32;
pub(in crate::schema) const OBJECT: Types = 64;
/// A date with time: a string for schemas with the format `date-time`.
pub(in crate::schema) const DATE_TIME: Types = 128;

/// The types with their names.
const NAMES: [(&str, Types); 7] = [
    ("null", NULL),
    ("boolean", BOOLEAN),
    ("integer", INTEGER),
    ("number", NUMBER),
    ("string", STRING),
    ("array", ARRAY),
    ("object", OBJECT),
];

/// Returns the type with this name.
pub(in crate::schema) fn type_named(name: &str) -> Option<Types> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, bit)| *bit)
}

/// Returns the names of the types, joined by "or".
pub(in crate::schema) fn names_of(types: Types) -> String {
    let names: Vec<&str> = NAMES.iter().filter(|(_, bit)| types & bit != 0).map(|(name, _)| *name).collect();
    names.join(" or ")
}

/// Returns the types of the value at a node, which is not an alias. Bytes, dates and sets have none.
pub(in crate::schema) fn types_of(tree: &Tree, node: NodeId) -> Types {
    match tree.kind(node) {
        Kind::Mapping if tree.tag(node) == Some("tag:yaml.org,2002:set") => 0,
        Kind::Mapping => OBJECT,
        Kind::Sequence if is_ordered(tree, node) => OBJECT,
        Kind::Sequence => ARRAY,
        Kind::Scalar | Kind::Alias => match tree.scalar(node) {
            Ok(Scalar::Null) => NULL,
            Ok(Scalar::Bool(_)) => BOOLEAN,
            Ok(Scalar::Integer(_)) => INTEGER | NUMBER,
            Ok(Scalar::Float(_)) => NUMBER,
            Ok(Scalar::Timestamp(text)) => {
                if text.contains(':') {
                    DATE_TIME
                } else {
                    0
                }
            }
            Ok(Scalar::Binary(_)) => 0,
            Ok(Scalar::String(_)) | Err(_) => STRING,
        },
    }
}

/// Returns whether a sequence is an ordered mapping, which schemas see as a mapping.
fn is_ordered(tree: &Tree, node: NodeId) -> bool {
    tree.tag(node) == Some(tags::FULL_ORDERED_MAPPING) && tree.kind(node) == Kind::Sequence
}

/// The pairs of a mapping or of an ordered mapping.
#[derive(Clone, Debug)]
pub(in crate::schema) struct Members<'a> {
    tree: &'a Tree,
    node: NodeId,
    /// Keys and values of an ordered mapping in turn.
    ordered: Option<Box<[NodeId]>>,
}

impl<'a> Members<'a> {
    pub(in crate::schema) fn of(tree: &'a Tree, node: NodeId) -> Members<'a> {
        let pairs =
            || tree.items(node).iter().flat_map(|item| tree.pairs(tree.dealias(*item)).iter().copied()).collect();
        Members { tree, node, ordered: is_ordered(tree, node).then(pairs) }
    }

    /// Returns keys and values in turn.
    pub(in crate::schema) fn pairs(&self) -> &[NodeId] {
        self.ordered.as_deref().unwrap_or_else(|| self.tree.pairs(self.node))
    }

    /// Returns the value under exactly this key.
    pub(in crate::schema) fn find(&self, key: Key) -> Option<NodeId> {
        match &self.ordered {
            None => self.tree.find(self.node, key),
            Some(pairs) => pairs.chunks_exact(2).rfind(|pair| self.tree.key(pair[0]) == key).map(|pair| pair[1]),
        }
    }
}

/// Describes the value at a node for messages.
pub(in crate::schema) fn described(tree: &Tree, node: NodeId) -> String {
    let shown = |text: &str| -> String {
        let mut part: String = text.chars().take(40).collect();
        if part.len() < text.len() {
            part.push('…');
        }
        part
    };
    let tag = tree.foreign_tag(node).map(|tag| format!("{} ", tags::short_tag(tag))).unwrap_or_default();
    let value = match tree.kind(node) {
        Kind::Mapping => "a mapping".to_owned(),
        Kind::Sequence => "a list".to_owned(),
        Kind::Scalar | Kind::Alias => match tree.scalar(node) {
            Ok(Scalar::Null) => "null".to_owned(),
            Ok(Scalar::Bool(value)) => format!("the boolean {value}"),
            Ok(Scalar::Integer(value)) => format!("the integer {}", shown(&value.to_string())),
            Ok(Scalar::Float(_)) => format!("the number {}", shown(tree.text(node))),
            Ok(Scalar::Timestamp(text)) => format!("the time {}", shown(text)),
            Ok(Scalar::Binary(_)) => "bytes".to_owned(),
            Ok(Scalar::String(text)) => format!("the string '{}'", shown(text)),
            Err(_) => format!("'{}'", shown(tree.text(node))),
        },
    };
    format!("{tag}{value}")
}

/// A number, exact.
#[derive(Clone, Debug)]
pub(in crate::schema) enum Number {
    Integer(Integer),
    Float(f64),
}

impl Number {
    /// Returns the number at a node.
    pub(in crate::schema) fn at(tree: &Tree, node: NodeId) -> Option<Number> {
        let node = tree.dealias(node);
        if tree.kind(node) != Kind::Scalar {
            return None;
        }
        match tree.scalar(node) {
            Ok(Scalar::Integer(value)) => Some(Number::Integer(value)),
            Ok(Scalar::Float(value)) => Some(Number::Float(value)),
            _ => None,
        }
    }

    /// Compares two numbers. `None` if one is NaN.
    pub(in crate::schema) fn compare(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Float(left), Number::Float(right)) => left.partial_cmp(right),
            (Number::Integer(left), Number::Integer(right)) => Some(match (left.to_i128(), right.to_i128()) {
                (Some(left), Some(right)) => left.cmp(&right),
                _ => big(left).cmp(&big(right)),
            }),
            (Number::Integer(left), Number::Float(right)) => compare_mixed(left, *right),
            (Number::Float(_), Number::Integer(_)) => other.compare(self).map(Ordering::reverse),
        }
    }

    /// Returns whether the number is a multiple of another one, as Python computes it.
    pub(in crate::schema) fn is_multiple_of(&self, divisor: &Number) -> bool {
        match (self, divisor) {
            (Number::Integer(value), Number::Integer(divisor)) => {
                let divisor = big(divisor);
                divisor != BigInt::ZERO && big(value) % divisor == BigInt::ZERO
            }
            (value, Number::Float(divisor)) => {
                let value = value.to_float();
                let quotient = value / divisor;
                if quotient.is_finite() { quotient.fract() == 0.0 } else { value % divisor == 0.0 }
            }
            (Number::Float(value), divisor) => value % divisor.to_float() == 0.0,
        }
    }

    fn to_float(&self) -> f64 {
        match self {
            Number::Float(value) => *value,
            Number::Integer(value) => value.to_string().parse().unwrap_or(f64::NAN),
        }
    }
}

/// Returns an integer of any size. The digits of a large one are decimal.
fn big(value: &Integer) -> BigInt {
    match value {
        Integer::Small(value) => BigInt::from(*value),
        Integer::Large(digits) => digits.parse().unwrap_or_default(),
    }
}

fn compare_mixed(left: &Integer, right: f64) -> Option<Ordering> {
    if right.is_nan() {
        return None;
    }
    if right.is_infinite() {
        return Some(if right > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    // The digits of a whole float are exact.
    let whole: BigInt = format!("{:.0}", right.trunc()).parse().unwrap_or_default();
    Some(big(left).cmp(&whole).then_with(|| 0.0f64.total_cmp(&(right.fract() + 0.0))))
}

/// Two nodes of trees, to be compared.
type Pair = (NodeId, NodeId);

/// Returns whether two values are equal: numbers by value, booleans never equal to numbers, tags ignored. `None` if
/// comparing takes more than `budget` steps.
pub(in crate::schema) fn equal(
    left: &Tree,
    right: &Tree,
    pair: Pair,
    leave_out: &dyn Fn(&str) -> bool,
    budget: &mut u64,
) -> Option<bool> {
    let mut pairs: Vec<Pair> = vec![pair];
    while let Some((a, b)) = pairs.pop() {
        *budget = budget.checked_sub(1)?;
        let (a, b) = (left.dealias(a), right.dealias(b));
        match (left.kind(a), right.kind(b)) {
            (Kind::Sequence, Kind::Sequence) => {
                if left.item_count(a) != right.item_count(b) {
                    return Some(false);
                }
                pairs.extend(left.items(a).iter().copied().zip(right.items(b).iter().copied()));
            }
            (Kind::Mapping, Kind::Mapping) => {
                let ours = left.pairs(a).chunks_exact(2).filter(|pair| !left_out(left, pair, leave_out));
                let mut count = 0;
                for pair in ours {
                    let Some(value) = right.find(b, left.key(pair[0])) else { return Some(false) };
                    pairs.push((pair[1], value));
                    count += 1;
                }
                if count != right.pairs(b).len() / 2 {
                    return Some(false);
                }
            }
            (Kind::Scalar, Kind::Scalar) if same_scalar(left, a, right, b) => {}
            _ => return Some(false),
        }
    }
    Some(true)
}

fn left_out(tree: &Tree, pair: &[NodeId], leave_out: &dyn Fn(&str) -> bool) -> bool {
    pair.first().is_some_and(|key| matches!(tree.key(*key), Key::String(key) if leave_out(key)))
}

fn same_scalar(left: &Tree, a: NodeId, right: &Tree, b: NodeId) -> bool {
    match (left.scalar(a), right.scalar(b)) {
        (Ok(Scalar::Null), Ok(Scalar::Null)) => true,
        (Ok(Scalar::Bool(a)), Ok(Scalar::Bool(b))) => a == b,
        (Ok(Scalar::String(a)), Ok(Scalar::String(b))) => a == b,
        (Ok(Scalar::Timestamp(a)), Ok(Scalar::Timestamp(b))) => a == b,
        (Ok(Scalar::Binary(a)), Ok(Scalar::Binary(b))) => a == b,
        (Err(_), Err(_)) => left.text(a) == right.text(b),
        _ => {
            let numbers = Number::at(left, a).zip(Number::at(right, b));
            numbers.is_some_and(|(a, b)| a.compare(&b) == Some(Ordering::Equal))
        }
    }
}

/// Returns a number that equal values share. Different values rarely share it.
pub(in crate::schema) fn fingerprint(tree: &Tree, node: NodeId) -> u64 {
    let node = tree.dealias(node);
    let mix = |word: u64, next: u64| (word ^ next).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let of_text = |text: &str| text.bytes().fold(7, |word, byte| mix(word, byte.into()));
    match tree.kind(node) {
        Kind::Mapping => mix(1, tree.pairs(node).len() as u64),
        Kind::Sequence => {
            let first = tree.items(node).iter().take(4).map(|item| tree.dealias(*item));
            let texts = first.filter(|item| matches!(tree.scalar(*item), Ok(Scalar::String(_))));
            texts.fold(mix(2, tree.item_count(node) as u64), |word, item| mix(word, of_text(tree.text(item))))
        }
        Kind::Scalar | Kind::Alias => match (tree.scalar(node), Number::at(tree, node)) {
            (Ok(Scalar::Bool(value)), _) => mix(3, value.into()),
            (_, Some(number)) => mix(4, (number.to_float() + 0.0).to_bits()),
            (Ok(Scalar::String(text)), _) => of_text(text),
            _ => 5,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        match crate::tree::scalar::resolve(text, true, None).unwrap() {
            Scalar::Integer(value) => Number::Integer(value),
            Scalar::Float(value) => Number::Float(value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_compare_exactly() {
        for (left, right, expected) in [
            ("1", "1.0", Some(Ordering::Equal)),
            ("9007199254740993", "9007199254740992.0", Some(Ordering::Greater)),
            ("-3", "-2.5", Some(Ordering::Less)),
            ("-2", "-2.5", Some(Ordering::Greater)),
            ("123456789012345678901234567890", "1.0e+29", Some(Ordering::Greater)),
            ("1", ".nan", None),
            ("1", ".inf", Some(Ordering::Less)),
        ] {
            assert_eq!(number(left).compare(&number(right)), expected, "{left} {right}");
            assert_eq!(number(right).compare(&number(left)), expected.map(Ordering::reverse), "{right} {left}");
        }
    }

    #[test]
    fn multiples_are_those_of_python() {
        for (value, divisor, expected) in [
            ("10", "2", true),
            ("7", "2", false),
            ("4.5", "1.5", true),
            ("35", "1.5", false),
            ("0.0075", "0.0001", true),
            ("0.00751", "0.0001", false),
            ("1.0e+308", "0.5", true),
            (".inf", "2", false),
            ("7", "0", false),
        ] {
            assert_eq!(number(value).is_multiple_of(&number(divisor)), expected, "{value} {divisor}");
        }
    }
}
