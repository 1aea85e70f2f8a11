//! Masks of arrays, in descriptions and in files.
//!
//! A mask array inside an array is described as an array next to it: the mask `/a/mask` has the path name `/a.mask`.

use super::names::{EXTENSION, fact, pointer};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Content, ContentScalar, Elements, Extensions, Value};
use crate::reserve::room_in;
use crate::tags;
use std::collections::HashMap;

/// Key of a mask inside an array, and under [`EXTENSION`].
pub(in crate::ndl::asdf) const KEY: &str = "mask";
/// Value under [`EXTENSION`] for a mask whose number is the fill value.
pub(in crate::ndl::asdf) const IS_FILL_VALUE: &str = "fillvalue";
/// Suffix of the path name of a mask.
const SUFFIX: &str = ".mask";

/// Returns the path name of the mask inside the array `array`.
pub(in crate::ndl::asdf) fn name_of(array: &str) -> String {
    format!("{array}{SUFFIX}")
}

/// Returns the path name of the array that contains the mask `mask`.
pub(in crate::ndl::asdf) fn array_of(mask: &str) -> Option<&str> {
    mask.strip_suffix(SUFFIX)
}

/// Returns the mask inside an array if it is an array itself; `None` for numbers and references.
pub(in crate::ndl::asdf) fn array_in(array: &Node) -> Result<Option<Node>> {
    if !array.is_array("")? {
        return Ok(None);
    }
    let Some(mask) = Error::readable(array.at(KEY))? else { return Ok(None) };
    Ok((mask.reference("")?.is_none() && mask.is_array("")?).then_some(mask))
}

/// Returns the node with this path name: the target of its JSON Pointer, or the mask inside an array.
pub(in crate::ndl::asdf) fn node_of(root: &Node, path: &str) -> Result<Node> {
    let at_pointer = root.at(&pointer(path));
    if at_pointer.is_err()
        && let Some(array) = array_of(path)
        && let Some(array) = Error::readable(root.at(&pointer(array)))?
        && let Some(mask) = array_in(&array)?
    {
        return Ok(mask);
    }
    at_pointer
}

/// Returns true if the path name belongs to a mask inside an array.
pub(in crate::ndl::asdf) fn is_in_array(root: &Node, path: &str) -> Result<bool> {
    if !path.ends_with(SUFFIX) || Error::readable(root.at(&pointer(path)))?.is_some() {
        return Ok(false);
    }
    Ok(Error::readable(node_of(root, path))?.is_some())
}

/// Returns the path name of the node at a JSON Pointer.
pub(in crate::ndl::asdf) fn path_of_pointer(root: &Node, pointer: String) -> Result<String> {
    match pointer.strip_suffix("/mask").map(name_of) {
        Some(name) if is_in_array(root, &name)? => Ok(name),
        _ => Ok(pointer),
    }
}

/// Masks to be stored inside arrays: path name of the mask → path name of the array.
#[derive(Default)]
pub(in crate::ndl::asdf) struct MasksInArrays(HashMap<String, String>);

impl MasksInArrays {
    pub(in crate::ndl::asdf) fn insert(&mut self, mask: &str, array: &str) -> Result<()> {
        room_in(&mut self.0, 1)?;
        self.0.insert(mask.to_owned(), array.to_owned());
        Ok(())
    }

    pub(in crate::ndl::asdf) fn remove(&mut self, mask: &str) {
        self.0.remove(mask);
    }

    pub(in crate::ndl::asdf) fn contains(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the JSON Pointer of the object with this path name.
    pub(in crate::ndl::asdf) fn pointer(&self, path: &str) -> String {
        self.0.get(path).map_or_else(|| pointer(path), |array| format!("{}/{KEY}", pointer(array)))
    }
}

/// A numeric mask. Elements equal to the number are missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ndl::asdf) enum MaskNumber {
    Integer(i128),
    Float(f64),
    Complex(f64, f64),
}

impl MaskNumber {
    /// Reads the number at a node, if there is one.
    pub(in crate::ndl::asdf) fn at(mask: &Node) -> Result<Option<MaskNumber>> {
        if mask.tag("")?.as_deref().and_then(tags::name_of) == Some(tags::COMPLEX) {
            return Ok(mask.complex("").ok().map(|(real, imaginary)| MaskNumber::Complex(real, imaginary)));
        }
        Ok(match mask.node_type("")? {
            NodeType::Integer => mask.any_integer("")?.to_i128().map(MaskNumber::Integer),
            NodeType::Float => Some(MaskNumber::Float(mask.f64("")?)),
            _ => None,
        })
    }

    /// Returns the number of a fill value, if it is a number.
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

    /// Returns the number in its form under `x-asdf`; a complex number is a list of two parts.
    pub(in crate::ndl::asdf) fn content(self) -> Content {
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

    /// Reads the form that [`MaskNumber::content`] returns.
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

    /// Sets the mask of the array at a JSON Pointer. Fails with [`Status::ValueRange`] for integers beyond 64 signed
    /// bits.
    fn set(self, root: &Node, array: &str) -> Result<()> {
        let place = format!("{array}/{KEY}");
        match self {
            MaskNumber::Integer(number) => match i64::try_from(number) {
                Ok(number) => root.set_i64(&place, number),
                Err(_) => Err(Error::new(Status::ValueRange, "the number exceeds the range of int64")),
            },
            MaskNumber::Float(number) => root.set_f64(&place, number),
            MaskNumber::Complex(real, imaginary) => root.set_complex(&place, real, imaginary),
        }
    }
}

/// Mask of an array, as given in a description.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ndl::asdf) enum DeclaredMask {
    Number(MaskNumber),
    /// The fill value is the number of the mask.
    FillValue,
    /// The array with this path name.
    Array(String),
    /// A mask in another file, by its URI.
    Elsewhere(String),
}

impl DeclaredMask {
    /// Reads the mask under `x-asdf`, if there is one. Fails if its form is unknown.
    pub(in crate::ndl::asdf) fn of(extensions: &Extensions) -> Result<Option<DeclaredMask>> {
        let Some(content) = fact(extensions, KEY) else { return Ok(None) };
        if let Some(number) = MaskNumber::of_content(content) {
            return Ok(Some(DeclaredMask::Number(number)));
        }
        match content {
            Content::Scalar(ContentScalar { text, .. }) if text == IS_FILL_VALUE => {
                return Ok(Some(DeclaredMask::FillValue));
            }
            Content::Scalar(ContentScalar { text, .. }) if text.starts_with('/') => {
                return Ok(Some(DeclaredMask::Array(text.clone())));
            }
            Content::Mapping(pairs) if pairs.len() == 1 => {
                if let Some(Content::Scalar(ContentScalar { text, .. })) = pairs.get("$ref") {
                    return Ok(Some(DeclaredMask::Elsewhere(text.clone())));
                }
            }
            _ => {}
        }
        let message = format!(
            "the mask under {EXTENSION} must be a number, '{IS_FILL_VALUE}', a reference or the path name of an array"
        );
        Err(Error::new(Status::InvalidArgument, message))
    }

    /// Returns the content under `x-asdf` for a mask in another file.
    pub(in crate::ndl::asdf) fn elsewhere(uri: String) -> Content {
        Content::mapping([("$ref", Content::text(uri))])
    }

    /// Sets the mask of the array at a JSON Pointer. A mask inside the array already exists then.
    ///
    /// Fails with [`Status::InvalidArgument`] or [`Status::ValueRange`] if the content cannot be a mask.
    pub(in crate::ndl::asdf) fn set(
        &self,
        root: &Node,
        array: &str,
        fillvalue: Option<&Value>,
        masks: &MasksInArrays,
    ) -> Result<()> {
        let place = format!("{array}/{KEY}");
        match self {
            DeclaredMask::Number(number) => number.set(root, array),
            DeclaredMask::FillValue => match fillvalue.and_then(MaskNumber::of_value) {
                Some(number) => number.set(root, array),
                None => Err(Error::new(Status::InvalidArgument, "the array has no numeric fill value")),
            },
            DeclaredMask::Array(path) if masks.contains(path) => Ok(()),
            DeclaredMask::Array(path) => root.set_reference_to(&place, &pointer(path)),
            DeclaredMask::Elsewhere(uri) => root.set_reference(&place, uri),
        }
    }
}
