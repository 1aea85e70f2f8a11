//! Byte swapping of elements and normalization of truth values, also in nested records.
//!
//! Types and sizes do not change here.

use super::stage::{BLOCK, Loop, Stage, run_widest};
use super::streaming;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::scalar_type::ScalarType;
use crate::error::Result;
use std::marker::PhantomData;

/// The operation that makes elements of one datatype and byte order native.
pub(crate) enum Fix {
    Nothing,
    /// Reverses the bytes of each unit of this size.
    Swap(usize),
    /// Sets bytes other than 0 to 1: a C compiler may assume that a bool is 0 or 1.
    Bool,
    /// Applies to the parts of each record of `size` bytes.
    Record {
        size: usize,
        parts: Vec<Part>,
    },
}

/// A field of a record, with all elements of its shape.
pub(crate) struct Part {
    offset: usize,
    size: usize,
    fix: Fix,
}

impl Fix {
    /// Fails as [`Datatype::item_size`] does.
    pub(crate) fn new(datatype: &Datatype, byteorder: ByteOrder) -> Result<Fix> {
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

    /// Returns whether bytes must be swapped. Without swaps a view may show stored elements, including bool8 bytes
    /// other than 0 and 1.
    pub(crate) fn swaps(&self) -> bool {
        match self {
            Fix::Nothing | Fix::Bool => false,
            Fix::Swap(_) => true,
            Fix::Record { parts, .. } => parts.iter().any(|part| part.fix.swaps()),
        }
    }

    /// Returns whether stored elements need no change.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Fix::Nothing)
    }

    /// Makes packed elements native. Swapping also turns native elements into the other byte order.
    pub(crate) fn apply(&self, bytes: &mut [u8]) {
        match self {
            Fix::Nothing => {}
            Fix::Swap(2) => run_widest(SwapInPlace::<u16>(bytes, PhantomData)),
            Fix::Swap(4) => run_widest(SwapInPlace::<u32>(bytes, PhantomData)),
            Fix::Swap(8) => run_widest(SwapInPlace::<u64>(bytes, PhantomData)),
            Fix::Swap(_) => {}
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

    /// Like [`Fix::apply`], from one buffer into another of the same size.
    pub(crate) fn apply_into(&self, input: &[u8], output: &mut [u8], stage: &mut Stage) {
        match self {
            Fix::Swap(2) => run_widest(Swap::<u16> { input, output, stage, unit: PhantomData }),
            Fix::Swap(4) => run_widest(Swap::<u32> { input, output, stage, unit: PhantomData }),
            Fix::Swap(8) => run_widest(Swap::<u64> { input, output, stage, unit: PhantomData }),
            _ => {
                output.copy_from_slice(input);
                self.apply(output);
            }
        }
    }
}

/// A unit of bytes to swap. The swap is done on integers, which the compiler vectorizes.
trait Unit {
    type Bytes: Copy;
    fn split(bytes: &[u8]) -> &[Self::Bytes];
    fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes];
    fn swapped(bytes: Self::Bytes) -> Self::Bytes;
}

macro_rules! units {
    ($($integer:ty),*) => {
        $(impl Unit for $integer {
            type Bytes = [u8; size_of::<$integer>()];
            #[inline(always)]
            fn split(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }
            #[inline(always)]
            fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes] {
                bytes.as_chunks_mut().0
            }
            #[inline(always)]
            fn swapped(bytes: Self::Bytes) -> Self::Bytes {
                <$integer>::from_ne_bytes(bytes).swap_bytes().to_ne_bytes()
            }
        })*
    };
}

units!(u16, u32, u64);

struct SwapInPlace<'a, U>(&'a mut [u8], PhantomData<U>);

impl<U: Unit> Loop for SwapInPlace<'_, U> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        for unit in U::split_mut(self.0) {
            *unit = U::swapped(*unit);
        }
    }
}

/// Like [`SwapInPlace`], from one buffer into another.
struct Swap<'a, U> {
    input: &'a [u8],
    output: &'a mut [u8],
    stage: &'a mut Stage,
    unit: PhantomData<U>,
}

impl<U: Unit> Loop for Swap<'_, U> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let done = streaming::swap(size_of::<U>(), self.input, self.output, self.stage);
        let (input, output) = (&self.input[done..], &mut self.output[done..]);
        for (input, output) in input.chunks(BLOCK).zip(output.chunks_mut(BLOCK)) {
            swap_into::<U>(input, self.stage.place(output));
            self.stage.store(output);
        }
    }
}

#[inline(always)]
fn swap_into<U: Unit>(input: &[u8], output: &mut [u8]) {
    for (from, to) in U::split(input).iter().zip(U::split_mut(output)) {
        *to = U::swapped(*from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Field;
    use crate::array::convert::stage::LARGE;
    use crate::array::convert::stage::tests::both_ways;
    use crate::array::tests::Lcg;

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

    /// Tests every length and alignment, in place and between buffers, with and without optional instructions.
    #[test]
    fn units_are_swapped_at_every_alignment() {
        let bytes = Lcg(4).bytes(BLOCK + 700);
        for unit in [2, 4, 8] {
            let fix = Fix::Swap(unit);
            for count in (0..70).chain([BLOCK / unit - 1, BLOCK / unit, BLOCK / unit + 67]) {
                let shift = count % 65;
                let input = &bytes[shift..][..count * unit];
                let expected: Vec<u8> = input.chunks(unit).flat_map(|unit| unit.iter().rev().copied()).collect();
                both_ways(|| {
                    let mut output = vec![0xA5; shift + input.len() + 1];
                    output[shift..][..input.len()].copy_from_slice(input);
                    fix.apply(&mut output[shift..][..input.len()]);
                    assert_eq!(output[shift..][..input.len()], expected);
                    for mut stage in [Stage::none(), Stage::for_size(LARGE)] {
                        output.fill(0xA5);
                        fix.apply_into(input, &mut output[shift..][..input.len()], &mut stage);
                        drop(stage);
                        assert_eq!(output[shift..][..input.len()], expected);
                        assert_eq!(output[shift + input.len()..], [0xA5]);
                    }
                });
            }
        }
    }
}
