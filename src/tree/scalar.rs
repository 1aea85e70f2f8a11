//! What a scalar means: YAML 1.1 as PyYAML's safe loader reads it.

use crate::error::Result;
use std::borrow::Cow;

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    /// It fits 64 bits.
    Small(i64),
    /// It does not; the decimal digits with a sign if negative.
    Large(String),
}

impl Integer {
    /// The value, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Large(_) => None,
        }
    }
}

/// The meaning of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(Integer),
    /// A binary64 number.
    Float(f64),
    /// A date or a date with time, as its text.
    Timestamp(&'a str),
    /// Text.
    String(&'a str),
    /// Bytes (`!!binary`).
    Binary(Cow<'a, [u8]>),
}

/// The meaning of `text`; `plain` tells that it stands without quotes.
pub fn resolve<'a>(text: &'a str, plain: bool, tag: Option<&str>) -> Result<Scalar<'a>> {
    let _ = (plain, tag);
    Ok(Scalar::String(text))
}
