//! Elements of inline arrays: the value of one element in the tree, and its conversion to the bytes of a datatype.

use super::datatype::Datatype;
use super::text::Encoding;
use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::float::{Float16, simple_float};
use crate::tags::COMPLEX;
use crate::tree::{Integer, NodeId, Scalar, Tree, complex, scalar};

/// An element of an inline array.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a> {
    pub(crate) node: NodeId,
    /// The text, if the element is known to be a plain scalar without a tag.
    pub(crate) plain: Option<&'a str>,
}

/// The value of one element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    Null,
    Bool(bool),
    Integer(i64),
    /// An integer from 2^63 to 2^64 - 1.
    Unsigned(u64),
    /// An integer outside the range of 64 bits, rounded to binary64.
    Huge(f64),
    Float(f64),
    Complex(f64, f64),
    Text,
}

impl Element<'_> {
    #[inline]
    pub(crate) fn leaf(self, tree: &Tree) -> Result<Leaf> {
        let Some(text) = self.plain else { return leaf(tree, self.node) };
        match simple_float(text) {
            Some(value) => Ok(Leaf::Float(value)),
            None => {
                let scalar = scalar::resolve(text, true, None).map_err(|error| tree.locate(error, self.node))?;
                of_scalar(scalar, tree, self.node)
            }
        }
    }

    /// The text of the scalar in the file.
    pub(crate) fn text<'t>(&'t self, tree: &'t Tree) -> &'t str {
        self.plain.unwrap_or_else(|| tree.text(self.node))
    }
}

/// Reads the value of the scalar at a node.
pub(crate) fn leaf(tree: &Tree, node: NodeId) -> Result<Leaf> {
    if tree.is_tagged(node, COMPLEX) {
        let (real, imaginary) = complex::parse(tree.text(node)).map_err(|error| tree.locate(error, node))?;
        return Ok(Leaf::Complex(real, imaginary));
    }
    of_scalar(tree.scalar(node)?, tree, node)
}

fn of_scalar(scalar: Scalar, tree: &Tree, node: NodeId) -> Result<Leaf> {
    Ok(match scalar {
        Scalar::Null => Leaf::Null,
        Scalar::Bool(value) => Leaf::Bool(value),
        Scalar::Integer(integer) => match (integer.to_i64(), integer.to_u64(), &integer) {
            (Some(value), _, _) => Leaf::Integer(value),
            (_, Some(value), _) => Leaf::Unsigned(value),
            // Rust parses any string of decimal digits as a float, possibly as infinity.
            (_, _, Integer::Large(digits)) => Leaf::Huge(digits.parse().unwrap_or(f64::INFINITY)),
            (None, None, Integer::Small(value)) => Leaf::Integer(*value),
        },
        Scalar::Float(value) => Leaf::Float(value),
        Scalar::String(_) | Scalar::Timestamp(_) => Leaf::Text,
        Scalar::Binary(_) => return Err(bad(tree, node, "a !!binary scalar cannot be an element of an array")),
    })
}

/// Returns the error for an element that the datatype cannot represent.
fn misfit(tree: &Tree, node: NodeId, leaf: Leaf, datatype: &Datatype) -> Error {
    let text = tree.text(node);
    let error = match leaf {
        Leaf::Text | Leaf::Complex(..) => {
            Error::new(Status::Conversion, format!("'{text}' cannot be converted to {datatype}"))
        }
        _ => Error::new(Status::Overflow, format!("an element is {text}, which {datatype} cannot hold")),
    };
    tree.locate(error, node)
}

impl Leaf {
    pub(crate) fn is_null(self) -> bool {
        matches!(self, Leaf::Null)
    }

    /// Writes the element at `node` as a native scalar or string. Null leaves the zeros in `out`.
    pub(crate) fn put(self, tree: &Tree, node: NodeId, datatype: &Datatype, out: &mut [u8]) -> Result<()> {
        match (datatype.scalar(), Encoding::of(datatype), self) {
            (_, _, Leaf::Null) => Ok(()),
            (Some(scalar), _, leaf) => leaf.store(scalar, out).ok_or_else(|| misfit(tree, node, leaf, datatype)),
            (None, Some(encoding), _) => encoding.store(tree.text(node), out).map_err(|(status, what)| {
                let message = format!("'{}' {what}, which {datatype} cannot hold", tree.text(node).escape_debug());
                tree.locate(Error::new(status, message), node)
            }),
            (None, None, leaf) => Err(misfit(tree, node, leaf, datatype)),
        }
    }

    /// Writes the value as a native element. Returns `None` if the type cannot represent it. Null leaves the zeros in
    /// `out`.
    pub(crate) fn store(self, scalar: ScalarType, out: &mut [u8]) -> Option<()> {
        use ScalarType as S;
        if matches!(self, Leaf::Null) {
            return Some(());
        }
        macro_rules! integer {
            ($type:ty) => {
                out.copy_from_slice(&<$type>::try_from(self.integer()?).ok()?.to_ne_bytes())
            };
        }
        match scalar {
            S::Int8 => integer!(i8),
            S::Int16 => integer!(i16),
            S::Int32 => integer!(i32),
            S::Int64 => integer!(i64),
            S::Uint8 => integer!(u8),
            S::Uint16 => integer!(u16),
            S::Uint32 => integer!(u32),
            S::Uint64 => integer!(u64),
            S::Float32 => out.copy_from_slice(&self.float32()?.to_ne_bytes()),
            S::Float64 => out.copy_from_slice(&self.float64()?.to_ne_bytes()),
            S::Complex64 => {
                let (real, imaginary) = match self {
                    Leaf::Complex(real, imaginary) => (narrow(real)?, narrow(imaginary)?),
                    other => (other.float32()?, 0.0),
                };
                let (head, tail) = out.split_at_mut(4);
                head.copy_from_slice(&real.to_ne_bytes());
                tail.copy_from_slice(&imaginary.to_ne_bytes());
            }
            S::Complex128 => {
                let (real, imaginary) = match self {
                    Leaf::Complex(real, imaginary) => (real, imaginary),
                    other => (other.float64()?, 0.0),
                };
                let (head, tail) = out.split_at_mut(8);
                head.copy_from_slice(&real.to_ne_bytes());
                tail.copy_from_slice(&imaginary.to_ne_bytes());
            }
            S::Bool8 => out.copy_from_slice(&[u8::from(self.float64()? != 0.0)]),
            S::Float16 => {
                let value = self.float64()?;
                let stored = Float16::from_f64(value);
                // A finite value that becomes infinite does not fit.
                if stored.0 & 0x7FFF == 0x7C00 && value.is_finite() {
                    return None;
                }
                out.copy_from_slice(&stored.to_ne_bytes());
            }
        }
        Some(())
    }

    fn integer(self) -> Option<i128> {
        match self {
            Leaf::Bool(value) => Some(value.into()),
            Leaf::Integer(value) => Some(value.into()),
            Leaf::Unsigned(value) => Some(value.into()),
            // No integer type reaches 1e30. Below, the conversion of an integral float to i128 is exact.
            Leaf::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => Some(value as i128),
            _ => None,
        }
    }

    fn float32(self) -> Option<f32> {
        match self {
            // Convert directly: rounding to binary64 first can give another result.
            Leaf::Integer(value) => Some(value as f32),
            Leaf::Unsigned(value) => Some(value as f32),
            other => narrow(other.float64()?),
        }
    }

    pub(crate) fn float64(self) -> Option<f64> {
        match self {
            Leaf::Bool(value) => Some(f64::from(u8::from(value))),
            Leaf::Integer(value) => Some(value as f64),
            Leaf::Unsigned(value) => Some(value as f64),
            Leaf::Huge(value) => Some(value).filter(|value| value.is_finite()),
            Leaf::Float(value) => Some(value),
            Leaf::Null | Leaf::Complex(..) | Leaf::Text => None,
        }
    }
}

/// Rounds to binary32; `None` if a finite value becomes infinite.
fn narrow(value: f64) -> Option<f32> {
    let narrow = value as f32;
    (narrow.is_finite() || !value.is_finite()).then_some(narrow)
}

pub(crate) fn bad(tree: &Tree, node: NodeId, message: impl Into<String>) -> Error {
    tree.locate(Error::new(Status::BadArray, message), node)
}
