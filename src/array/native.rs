//! The bytes of elements made native where they are: byte order and truth values, through records of any depth.
//!
//! Nothing changes its type or size here.

use super::datatype::{ByteOrder, Datatype};
use super::scalar_type::ScalarType;
use crate::error::Result;

/// What elements of one datatype and byte order need to be native.
pub(super) enum Fix {
    Nothing,
    /// The bytes of each unit of this size are to be turned round.
    Swap(usize),
    /// A C compiler may assume that a bool is 0 or 1.
    Bool,
    /// The parts of each record of `size` bytes.
    Record {
        size: usize,
        parts: Vec<Part>,
    },
}

/// A field, with all its elements.
pub(super) struct Part {
    offset: usize,
    size: usize,
    fix: Fix,
}

impl Fix {
    /// Fails with what [`Datatype::item_size`] reports.
    pub(super) fn new(datatype: &Datatype, byteorder: ByteOrder) -> Result<Fix> {
        let swap = |unit| if byteorder == ByteOrder::NATIVE { Fix::Nothing } else { Fix::Swap(unit) };
        Ok(match datatype {
            Datatype::Scalar(ScalarType::Bool8) => Fix::Bool,
            Datatype::Scalar(scalar) if scalar.unit() > 1 => swap(scalar.unit()),
            Datatype::Scalar(_) | Datatype::Ascii(_) => Fix::Nothing,
            Datatype::Ucs4(_) => swap(4),
            Datatype::Record(fields) => {
                let mut parts = Vec::new();
                let mut offset = 0;
                for field in fields.iter() {
                    let size = field.size()? as usize;
                    let fix = Fix::new(&field.datatype, field.byteorder.unwrap_or(byteorder))?;
                    if size > 0 && !matches!(fix, Fix::Nothing) {
                        parts.push(Part { offset, size, fix });
                    }
                    offset += size;
                }
                if parts.is_empty() { Fix::Nothing } else { Fix::Record { size: offset, parts } }
            }
        })
    }

    /// Whether bytes change their order.
    pub(super) fn swaps(&self) -> bool {
        match self {
            Fix::Nothing | Fix::Bool => false,
            Fix::Swap(_) => true,
            Fix::Record { parts, .. } => parts.iter().any(|part| part.fix.swaps()),
        }
    }

    /// Whether stored elements may be shown as they are: a bool8 that is neither 0 nor 1 may, if it is told.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Fix::Nothing)
    }

    /// Makes packed elements native. What was native gets the other byte order.
    pub(super) fn apply(&self, bytes: &mut [u8]) {
        match self {
            Fix::Nothing => {}
            Fix::Swap(unit) => swap_units(bytes, *unit),
            Fix::Bool => bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0)),
            Fix::Record { size, parts } => {
                for record in bytes.chunks_exact_mut(*size) {
                    for part in parts {
                        if let Some(bytes) = record.get_mut(part.offset..).and_then(|rest| rest.get_mut(..part.size)) {
                            part.fix.apply(bytes);
                        }
                    }
                }
            }
        }
    }
}

/// Turns the bytes of each unit of this size round.
fn swap_units(bytes: &mut [u8], unit: usize) {
    match unit {
        2 => swap(bytes, |unit| u16::from_ne_bytes(unit).swap_bytes().to_ne_bytes()),
        4 => swap(bytes, |unit| u32::from_ne_bytes(unit).swap_bytes().to_ne_bytes()),
        8 => swap(bytes, |unit| u64::from_ne_bytes(unit).swap_bytes().to_ne_bytes()),
        _ => {}
    }
}

fn swap<const N: usize>(bytes: &mut [u8], swapped: impl Fn([u8; N]) -> [u8; N]) {
    for unit in bytes.as_chunks_mut().0 {
        *unit = swapped(*unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Field;

    const FOREIGN: ByteOrder = if cfg!(target_endian = "big") { ByteOrder::Little } else { ByteOrder::Big };

    #[test]
    fn bytes_are_swapped_by_unit() {
        for &scalar in ScalarType::ALL {
            let mut bytes: Vec<u8> = (0..32).collect();
            Fix::new(&scalar.into(), FOREIGN).unwrap().apply(&mut bytes);
            let expected: Vec<u8> = match scalar {
                ScalarType::Bool8 => (0..32).map(|byte| byte.min(1)).collect(),
                _ => (0..32u8)
                    .collect::<Vec<_>>()
                    .chunks(scalar.unit())
                    .flat_map(|unit| unit.iter().rev().copied())
                    .collect(),
            };
            assert_eq!(bytes, expected, "{scalar}");
        }
    }

    #[test]
    fn each_field_of_a_record_has_its_own_order() {
        let field = |datatype: Datatype, byteorder, shape: &[i64]| Field {
            name: None,
            datatype,
            byteorder,
            shape: shape.to_vec(),
        };
        let inner = Datatype::Record(
            [field(ScalarType::Int16.into(), None, &[]), field(ScalarType::Int16.into(), Some(ByteOrder::NATIVE), &[])]
                .into(),
        );
        let record = Datatype::Record(
            [
                field(ScalarType::Int8.into(), None, &[]),
                field(ScalarType::Int32.into(), Some(ByteOrder::NATIVE), &[]),
                field(inner, None, &[2]),
                field(ScalarType::Float64.into(), None, &[0]),
                field(Datatype::Ascii(3), None, &[]),
                field(Datatype::Ucs4(1), None, &[]),
            ]
            .into(),
        );
        let mut bytes: Vec<u8> = (0..40).collect();
        let fix = Fix::new(&record, FOREIGN).unwrap();
        assert!(fix.swaps());
        fix.apply(&mut bytes);
        let expected = [0, 1, 2, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 13, 14, 15, 19, 18, 17, 16];
        assert_eq!(bytes[..20], expected);
        assert_eq!(bytes[20..], expected.map(|byte| byte + 20));
        assert!(!Fix::new(&record, ByteOrder::NATIVE).unwrap().swaps());
    }
}
