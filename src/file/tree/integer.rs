//! Integers of any size as the standard keeps them (`core/integer`): a sign, and words of 32 bits in an array.

use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::file::open::standard_tags::core_tag;
use crate::layout::StandardVersion;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use num_bigint::{BigInt, BigUint, Sign};

/// Words read or written at most: conversion to decimal digits takes more than linear time.
const MAX_WORDS: u64 = 10_000;

/// The decimal digits of a `core/integer` node.
pub(super) fn read(node: &Node) -> Result<String> {
    let sign = match node.string("sign")?.as_str() {
        "+" => Sign::Plus,
        "-" => Sign::Minus,
        other => {
            let message = format!("the sign of an integer is '+' or '-', not '{other}'");
            return Err(node.file().name_in(Error::new(Status::TagContent, message).at_path(node.path()?)));
        }
    };
    let words = node.array("words")?;
    let count = words.element_count().unsigned_abs();
    if count > MAX_WORDS {
        return Err(Error::limit("words of an integer", MAX_WORDS));
    }
    Ok(BigInt::from_biguint(sign, BigUint::new(words.read_vec()?)).to_string())
}

/// Makes the content of a place a `core/integer` of this value; `digits` are decimal with an optional sign.
pub(crate) fn write(tree: &mut Tree, place: NodeId, value: &BigInt, standard: StandardVersion) -> Result<()> {
    let tag = core_tag("integer", standard)?;
    let array_tag = core_tag("ndarray", standard)?;
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

/// The value of decimal digits with an optional sign.
pub(crate) fn parse(digits: &str) -> Result<BigInt> {
    let malformed = || Error::new(Status::InvalidArgument, "an integer is decimal digits with an optional sign");
    let bare = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if bare.is_empty() || !bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(malformed());
    }
    // A word holds a little more than nine digits.
    if bare.len() as u64 > MAX_WORDS * 9 {
        return Err(Error::limit("digits of an integer", MAX_WORDS * 9));
    }
    digits.strip_prefix('+').unwrap_or(digits).parse().map_err(|_| malformed())
}
