//! Masks of arrays: what a description says of them, and where they stand in a file.
//!
//! A mask that stands in an array is described as an array beside it: that at `/a/mask` has the path name `/a.mask`.

use super::{EXTENSION, pointer};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Content, ContentScalar, Elements, Extensions, Value};
use std::collections::HashMap;

/// The key of a mask in an array, and under [`EXTENSION`].
pub(super) const KEY: &str = "mask";
/// The text that stands for a mask whose number is the fill value.
pub(super) const IS_FILL_VALUE: &str = "fillvalue";
/// What the path name of a mask has behind that of its array.
const SUFFIX: &str = ".mask";

/// The path name of the mask that stands in the array of a path name.
pub(super) fn name_of(array: &str) -> String {
    format!("{array}{SUFFIX}")
}

/// The path name of the array that a path name of a mask belongs to.
pub(super) fn array_of(mask: &str) -> Option<&str> {
    mask.strip_suffix(SUFFIX)
}

/// The mask that stands in an array as an array; nothing for numbers and references.
pub(super) fn array_in(array: &Node) -> Result<Option<Node>> {
    if !array.is_array("")? {
        return Ok(None);
    }
    let Ok(mask) = array.get(KEY) else { return Ok(None) };
    Ok((mask.reference("")?.is_none() && mask.is_array("")?).then_some(mask))
}

/// The node that a path name stands for: what its pointer leads to, or the mask in an array.
pub(super) fn node_of(root: &Node, path: &str) -> Result<Node> {
    let at_pointer = root.get(&pointer(path));
    if at_pointer.is_err()
        && let Some(array) = array_of(path)
        && let Ok(array) = root.get(&pointer(array))
        && let Some(mask) = array_in(&array)?
    {
        return Ok(mask);
    }
    at_pointer
}

/// Whether a path name is that of a mask that stands in an array.
pub(super) fn is_in_array(root: &Node, path: &str) -> bool {
    path.ends_with(SUFFIX) && root.get(&pointer(path)).is_err() && node_of(root, path).is_ok()
}

/// The path name of what a pointer leads to.
pub(super) fn path_of_pointer(root: &Node, pointer: String) -> String {
    let named = pointer.strip_suffix("/mask").map(name_of).filter(|name| is_in_array(root, name));
    named.unwrap_or(pointer)
}

/// Path names of masks that are to stand in arrays, with those of the arrays.
#[derive(Default)]
pub(super) struct MasksInArrays(HashMap<String, String>);

impl MasksInArrays {
    pub(super) fn insert(&mut self, mask: &str, array: &str) {
        self.0.insert(mask.to_owned(), array.to_owned());
    }

    pub(super) fn remove(&mut self, mask: &str) {
        self.0.remove(mask);
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Where what has this path name stands in the file.
    pub(super) fn pointer(&self, path: &str) -> String {
        self.0.get(path).map_or_else(|| pointer(path), |array| format!("{}/{KEY}", pointer(array)))
    }
}

/// A number that missing elements equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum MaskNumber {
    Integer(i128),
    Float(f64),
    Complex(f64, f64),
}

impl MaskNumber {
    /// The number at a node, if one stands there.
    pub(super) fn at(mask: &Node) -> Result<Option<MaskNumber>> {
        if mask.tag("")?.is_some_and(|tag| tag.contains("/core/complex-")) {
            return Ok(mask.complex("").ok().map(|(real, imaginary)| MaskNumber::Complex(real, imaginary)));
        }
        Ok(match mask.node_type("")? {
            NodeType::Integer => mask.integer("")?.parse().ok().map(MaskNumber::Integer),
            NodeType::Float => Some(MaskNumber::Float(mask.f64("")?)),
            _ => None,
        })
    }

    /// The number that a fill value is, if it is one.
    fn of_value(value: &Value) -> Option<MaskNumber> {
        let single = |elements: &Elements| match elements {
            Elements::Integers(numbers) => numbers.first().map(|&number| MaskNumber::Integer(number.into())),
            Elements::Unsigned(numbers) => numbers.first().map(|&number| MaskNumber::Integer(number.into())),
            Elements::Float32(numbers) => numbers.first().map(|&number| MaskNumber::Float(number.into())),
            Elements::Float64(numbers) => numbers.first().map(|&number| MaskNumber::Float(number)),
            _ => None,
        };
        single(value.elements())
    }

    /// The number as `x-asdf` tells it: a complex one as a list of its parts.
    pub(super) fn content(self) -> Content {
        let float = |number: f64| match number {
            number if number.is_nan() => Content::plain(".nan"),
            number if number.is_infinite() => Content::plain(if number > 0.0 { ".inf" } else { "-.inf" }),
            number => Content::plain(format!("{number:?}")),
        };
        match self {
            MaskNumber::Integer(number) => Content::plain(number.to_string()),
            MaskNumber::Float(number) => float(number),
            MaskNumber::Complex(real, imaginary) => Content::List(vec![float(real), float(imaginary)]),
        }
    }

    /// The number that [`MaskNumber::content`] tells.
    fn of_content(content: &Content) -> Option<MaskNumber> {
        let float = |content: &Content| match content {
            Content::Scalar(ContentScalar { text, plain: true, tag: None }) => {
                match scalar::resolve(text, true, None) {
                    Core::Integer(text) | Core::Float(text) => scalar::float64(text),
                    _ => None,
                }
            }
            _ => None,
        };
        match content {
            Content::Scalar(ContentScalar { text, plain: true, tag: None }) => {
                match scalar::resolve(text, true, None) {
                    Core::Integer(text) => scalar::integer(text).map(MaskNumber::Integer),
                    Core::Float(text) => scalar::float64(text).map(MaskNumber::Float),
                    _ => None,
                }
            }
            Content::List(parts) => match parts.as_slice() {
                [real, imaginary] => Some(MaskNumber::Complex(float(real)?, float(imaginary)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Sets the mask of the array at a path. Fails with [`Status::ValueRange`] for integers that trees do not hold.
    fn set(self, root: &Node, array: &str) -> Result<()> {
        let place = format!("{array}/{KEY}");
        match self {
            MaskNumber::Integer(number) => match i64::try_from(number) {
                Ok(number) => root.set_i64(&place, number),
                Err(_) => Err(Error::new(Status::ValueRange, "the number is beyond 64 signed bits")),
            },
            MaskNumber::Float(number) => root.set_f64(&place, number),
            MaskNumber::Complex(real, imaginary) => root.set_complex(&place, real, imaginary),
        }
    }
}

/// The mask that a description tells of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ToldMask {
    Number(MaskNumber),
    /// The fill value is the number.
    FillValue,
    /// The array of this path name.
    Array(String),
    /// What this URI leads to in another file.
    Elsewhere(String),
}

impl ToldMask {
    /// The mask that `x-asdf` tells, if it tells one; an error if that is not understood.
    pub(super) fn of(extensions: &Extensions) -> Result<Option<ToldMask>> {
        let Some(content) = super::fact(extensions, KEY) else { return Ok(None) };
        if let Some(number) = MaskNumber::of_content(content) {
            return Ok(Some(ToldMask::Number(number)));
        }
        match content {
            Content::Scalar(ContentScalar { text, .. }) if text == IS_FILL_VALUE => {
                return Ok(Some(ToldMask::FillValue));
            }
            Content::Scalar(ContentScalar { text, .. }) if text.starts_with('/') => {
                return Ok(Some(ToldMask::Array(text.clone())));
            }
            Content::Mapping(pairs) if pairs.len() == 1 => {
                if let Some(Content::Scalar(ContentScalar { text, .. })) = pairs.get("$ref") {
                    return Ok(Some(ToldMask::Elsewhere(text.clone())));
                }
            }
            _ => {}
        }
        let message = format!("what {EXTENSION} tells of the mask is neither a number nor the path name of an array");
        Err(Error::new(Status::InvalidArgument, message))
    }

    /// The content under `x-asdf` of a mask that is a reference into another file.
    pub(super) fn elsewhere(uri: String) -> Content {
        Content::mapping([("$ref", Content::text(uri))])
    }

    /// Sets the mask of the array at a pointer; one that stands in the array is set already.
    ///
    /// Fails with [`Status::InvalidArgument`] and [`Status::ValueRange`] for what no mask can be.
    pub(super) fn set(&self, root: &Node, array: &str, fillvalue: Option<&Value>, masks: &MasksInArrays) -> Result<()> {
        let place = format!("{array}/{KEY}");
        match self {
            ToldMask::Number(number) => number.set(root, array),
            ToldMask::FillValue => match fillvalue.and_then(MaskNumber::of_value) {
                Some(number) => number.set(root, array),
                None => Err(Error::new(Status::InvalidArgument, "there is no fill value that is a number")),
            },
            ToldMask::Array(path) if masks.contains(path) => Ok(()),
            ToldMask::Array(path) => root.set_reference_to(&place, &pointer(path)),
            ToldMask::Elsewhere(uri) => root.set_reference(&place, uri),
        }
    }
}
