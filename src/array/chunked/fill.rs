//! Fill values: the bytes of an element of a chunk that is not stored.

use super::metadata::MetadataParser;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::scalar_type::ScalarType;
use crate::error::{Error, Result};
use crate::float::Float16;
use crate::source::try_zeroed;
use crate::tree::scalar::decode_base64;
use crate::tree::{Kind, NodeId, Scalar};

/// The largest element with a fill value, in bytes.
const MAX_ITEM: u64 = 1 << 24;

impl MetadataParser<'_> {
    /// Returns the bytes of the fill value at a node; `None` for null.
    pub(super) fn fill(&self, node: NodeId, datatype: &Datatype, order: ByteOrder) -> Result<Option<Vec<u8>>> {
        let size = datatype.item_size()?;
        if self.is_null(node) || size > MAX_ITEM {
            return Ok(None);
        }
        let mut bytes = match datatype {
            Datatype::Scalar(scalar) => return self.number_fill(node, *scalar, order).map(Some),
            Datatype::Ucs4(_) => self.characters(node, order)?,
            Datatype::Ascii(_) | Datatype::Record(_) => self.encoded_fill(node)?,
        };
        if bytes.len() as u64 > size {
            return Err(self.bad_fill(node, datatype));
        }
        let padding = try_zeroed(size as usize - bytes.len())?;
        bytes.extend_from_slice(&padding);
        Ok(Some(bytes))
    }

    fn bad_fill(&self, node: NodeId, datatype: &Datatype) -> Error {
        self.bad(node, format!("'fill_value' is not a value of {datatype}"))
    }

    /// Returns the bytes of a text in base64. The number 0 stands for no bytes.
    fn encoded_fill(&self, node: NodeId) -> Result<Vec<u8>> {
        let decoded = match self.tree.kind(node) {
            Kind::Scalar if self.tree.text(node) == "0" => Some(Vec::new()),
            Kind::Scalar => decode_base64(self.tree.text(node)),
            _ => None,
        };
        decoded.ok_or_else(|| self.bad(node, "'fill_value' must be a text in base64"))
    }

    fn characters(&self, node: NodeId, order: ByteOrder) -> Result<Vec<u8>> {
        let text = self.text(node, "fill_value")?;
        let is_zero = matches!(self.tree.scalar(node), Ok(Scalar::Integer(_)));
        let units = text.chars().filter(|_| !is_zero).map(u32::from);
        Ok(units
            .flat_map(|unit| match order {
                ByteOrder::Little => unit.to_le_bytes(),
                ByteOrder::Big => unit.to_be_bytes(),
            })
            .collect())
    }

    fn number_fill(&self, node: NodeId, scalar: ScalarType, order: ByteOrder) -> Result<Vec<u8>> {
        use ScalarType as S;
        let datatype = Datatype::from(scalar);
        let bad = || self.bad_fill(node, &datatype);
        let mut bytes = match scalar {
            S::Complex64 | S::Complex128 => {
                let part = if scalar == S::Complex64 { S::Float32 } else { S::Float64 };
                let parts = match self.tree.kind(node) {
                    Kind::Sequence => self.tree.items(node).to_vec(),
                    _ => vec![node],
                };
                if parts.len() > 2 {
                    return Err(bad());
                }
                let mut bytes = Vec::with_capacity(scalar.size());
                for part_node in parts {
                    let part_node = self.tree.resolve(part_node)?;
                    bytes.extend(self.float(part_node, part).ok_or_else(bad)?);
                }
                bytes.resize(scalar.size(), 0);
                bytes
            }
            S::Float16 | S::Float32 | S::Float64 => self.float(node, scalar).ok_or_else(bad)?,
            S::Bool8 => vec![u8::from(self.truth(node).ok_or_else(bad)?)],
            _ => {
                let value = self.integer(node).ok_or_else(bad)?;
                let bits = 8 * scalar.size() as u32;
                let is_unsigned = matches!(scalar, S::Uint8 | S::Uint16 | S::Uint32 | S::Uint64);
                let (lowest, highest) = match is_unsigned {
                    true => (0, (1_i128 << bits) - 1),
                    false => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
                };
                if !(lowest..=highest).contains(&value) {
                    return Err(bad());
                }
                value.to_le_bytes()[..scalar.size()].to_vec()
            }
        };
        if order == ByteOrder::Big {
            bytes.chunks_exact_mut(scalar.unit()).for_each(<[u8]>::reverse);
        }
        Ok(bytes)
    }

    fn truth(&self, node: NodeId) -> Option<bool> {
        match self.tree.scalar(node).ok()? {
            Scalar::Bool(value) => Some(value),
            Scalar::Integer(integer) => Some(integer.to_i64()? != 0),
            _ => None,
        }
    }

    fn integer(&self, node: NodeId) -> Option<i128> {
        match self.tree.scalar(node).ok()? {
            Scalar::Integer(integer) => integer.to_i128(),
            Scalar::Bool(value) => Some(value.into()),
            Scalar::Float(value) if value.trunc() == value && value.abs() < 9e15 => Some(value as i128),
            _ => None,
        }
    }

    /// Returns the little-endian bytes of a float. JSON writes NaN and the infinities as texts, and the form 3 of the
    /// metadata the bits of others.
    fn float(&self, node: NodeId, scalar: ScalarType) -> Option<Vec<u8>> {
        if self.tree.kind(node) != Kind::Scalar {
            return None;
        }
        let text = self.tree.text(node);
        let value = match (text, self.tree.scalar(node).ok()?) {
            ("NaN", _) => f64::NAN,
            ("Infinity", _) => f64::INFINITY,
            ("-Infinity", _) => f64::NEG_INFINITY,
            (_, Scalar::Float(value)) => value,
            (_, Scalar::Integer(integer)) => text.parse().ok().or_else(|| Some(integer.to_i128()? as f64))?,
            (_, Scalar::String(text)) => match text.strip_prefix("0x") {
                Some(digits) => {
                    let bits = u64::from_str_radix(digits, 16).ok()?;
                    return Some(bits.to_le_bytes()[..scalar.size()].to_vec());
                }
                // A float without a point, such as 1e20, is a text in YAML 1.1.
                None if text.starts_with(|first: char| first.is_ascii_digit() || first == '-') => text.parse().ok()?,
                None => return None,
            },
            _ => return None,
        };
        Some(match scalar {
            ScalarType::Float16 => Float16::from_f64(value).to_bits().to_le_bytes().to_vec(),
            ScalarType::Float32 => (value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        })
    }
}
