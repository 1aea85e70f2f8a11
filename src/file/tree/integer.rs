//! Integers of any size in the form of the standard (`core/integer`): a sign, and an array of 32-bit words.

use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::tags::{self, StandardVersion, standard_tag};
use crate::tree::edit::Content;
use crate::tree::{Integer, NodeId, Style, Tree};
use num_bigint::{BigInt, BigUint, Sign};

/// Maximum number of words. The time of a conversion to decimal digits grows faster than linearly.
const MAX_WORDS: u64 = 10_000;

/// Returns the value of a `core/integer` node.
pub(super) fn read(node: &Node) -> Result<Integer> {
    let sign = match node.string("sign")?.as_str() {
        "+" => Sign::Plus,
        "-" => Sign::Minus,
        other => {
            let message = format!("the sign of an integer must be '+' or '-', not '{other}'");
            return Err(node.file().name_in(Error::new(Status::TagContent, message).at_path(node.path()?)));
        }
    };
    let words = node.array("words")?;
    let count = words.element_count().unsigned_abs();
    if count > MAX_WORDS {
        return Err(Error::limit("words of an integer", MAX_WORDS));
    }
    let value = BigInt::from_biguint(sign, BigUint::new(words.read_vec()?));
    Ok(i64::try_from(&value).map_or_else(|_| Integer::Large(value.to_string()), Integer::Small))
}

/// Replaces the content of a place by a `core/integer` of this value.
pub(crate) fn write(tree: &mut Tree, place: NodeId, value: &BigInt, standard: StandardVersion) -> Result<()> {
    let tag = standard_tag(tags::INTEGER, standard)?;
    let array_tag = standard_tag(tags::NDARRAY, standard)?;
    tree.replace(place, Content::Mapping(Style::Block));
    tree.set_tag(place, Some(&tag));
    let words = tree.append_pair(place, "words", Content::Mapping(Style::Block));
    tree.set_tag(words, Some(&array_tag));
    let data = tree.append_pair(words, "data", Content::Sequence(Style::Flow));
    let digits = value.magnitude().to_u32_digits();
    for word in &digits {
        tree.append_item(data, Content::Scalar(&word.to_string(), Style::Plain));
    }
    tree.append_pair(words, "datatype", Content::Scalar("uint32", Style::Automatic));
    let shape = tree.append_pair(words, "shape", Content::Sequence(Style::Flow));
    tree.append_item(shape, Content::Scalar(&digits.len().to_string(), Style::Plain));
    let sign = if value.sign() == Sign::Minus { "-" } else { "+" };
    tree.append_pair(place, "sign", Content::Scalar(sign, Style::Automatic));
    tree.append_pair(place, "string", Content::Scalar(&value.to_string(), Style::Automatic));
    Ok(())
}

/// Parses decimal digits with an optional sign.
pub(crate) fn parse(digits: &str) -> Result<BigInt> {
    let malformed =
        || Error::new(Status::InvalidArgument, "an integer must consist of decimal digits with an optional sign");
    let bare = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if bare.is_empty() || !bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(malformed());
    }
    // A 32-bit word holds at least nine decimal digits.
    if bare.len() as u64 > MAX_WORDS * 9 {
        return Err(Error::limit("digits of an integer", MAX_WORDS * 9));
    }
    digits.strip_prefix('+').unwrap_or(digits).parse().map_err(|_| malformed())
}
