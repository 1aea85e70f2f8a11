//! Warnings about keys and values that a reader may take for something else.

use crate::tags;
use crate::tree::scalar;
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Tree};

pub(super) const BEYOND_LIMITS: &str =
    "the integer is outside the range that the standard allows: -2^63 + 2 to 2^63 - 1";

/// Returns whether a scalar is a 64-bit integer of an inline array. Arrays may hold every 64-bit integer; the limits of
/// the standard apply only to integers outside arrays.
pub(super) fn is_element(tree: &Tree, id: NodeId) -> bool {
    if tree.kind(id) != Kind::Scalar || !matches!(tree.scalar(id), Ok(Scalar::Integer(Integer::Small(_)))) {
        return false;
    }
    std::iter::successors(tree.parent(id), |&node| tree.parent(node)).any(|node| tree.is_tagged(node, tags::NDARRAY))
}

/// Returns a warning about the key of a pair, if there is one.
pub(super) fn key_oddity(tree: &Tree, key: NodeId) -> Option<&'static str> {
    let key = tree.dealias(key);
    if tree.tag(key).is_some_and(|tag| tag != "!" && !tag.starts_with(tags::YAML)) {
        return Some("the key has an unknown tag and is read as a string");
    }
    match tree.key(key) {
        Key::Other(_) => Some("ASDF allows only strings, integers and booleans as keys"),
        _ => None,
    }
}

/// Returns whether [`oddity`] may find something in a text. It runs for every scalar, so it must be cheap.
#[inline]
pub(super) fn may_be_odd(text: &[u8]) -> bool {
    // A number with an early decimal point is neither a date nor an integer.
    matches!(text, [b'0'..=b'9' | b'+' | b'-', second, third, ..] if *second != b'.' && *third != b'.')
        && text.len() >= 10
}

/// Returns a warning about the value of a scalar, if there is one.
pub(super) fn oddity(text: &str, plain: bool, tag: Option<&str>) -> Option<&'static str> {
    let bytes = text.as_bytes();
    if !may_be_odd(bytes) {
        return None;
    }
    let typed = match tag {
        None => plain,
        Some(tag) => tag == "!" || tag.strip_prefix(tags::YAML) == Some("int"),
    };
    if !typed {
        return None;
    }
    if bytes[4] == b'-' && scalar::is_impossible_timestamp(text) {
        return Some("the date or time does not exist; it is read as a string");
    }
    if bytes.len() < 18 || bytes.contains(&b'.') {
        return None;
    }
    match scalar::resolve(text, plain, tag) {
        // The limits of the standard exclude the two most negative numbers.
        Ok(Scalar::Integer(integer)) if integer.to_i64().is_none_or(|value| value < -i64::MAX + 1) => {
            Some(BEYOND_LIMITS)
        }
        Err(_) => Some("the integer has too many digits to be converted"),
        _ => None,
    }
}
