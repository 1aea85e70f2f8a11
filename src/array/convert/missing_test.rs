//! Tests whether packed native elements are missing.

use crate::array::ScalarType;
use crate::array::element::datatype::Datatype;
use crate::array::element::leaf::Leaf;
use crate::error::{Error, Result};
use crate::float::Float16;

/// A test whether packed native elements are missing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Test {
    /// The element equals this integer or truth value.
    Integer(ScalarType, [u8; 8]),
    /// The element equals this float or complex number.
    Float(ScalarType, f64, f64),
    /// The element, or one part of a complex number, is NaN.
    Nan(ScalarType),
    /// The element is not zero.
    NotZero(ScalarType),
    /// One of the bytes of an element of this size is not zero.
    AnyByte(usize),
    /// No element is missing.
    Never(ScalarType),
}

impl Test {
    /// Returns the test whether elements of a scalar type equal a number.
    pub(crate) fn equal(number: Leaf, scalar: ScalarType) -> Test {
        let is_nan = match number {
            Leaf::Float(value) => value.is_nan(),
            Leaf::Complex(real, imaginary) => real.is_nan() || imaginary.is_nan(),
            _ => false,
        };
        if is_nan {
            return Test::Nan(scalar);
        }
        let mut bytes = [0; 16];
        let Some(stored) = bytes.get_mut(..scalar.size()) else { return Test::Never(scalar) };
        if number.store(scalar, stored).is_none() {
            return Test::Never(scalar);
        }
        let mut test = Test::Never(scalar);
        let is_float = visit_floats(scalar, stored, |real, imaginary| test = Test::Float(scalar, real, imaginary));
        if scalar == ScalarType::Bool8 {
            // Only the integers 0 and 1 equal a truth value.
            let mut small = [0];
            match number.store(ScalarType::Uint8, &mut small) {
                Some(()) if small[0] < 2 => Test::Integer(scalar, [small[0], 0, 0, 0, 0, 0, 0, 0]),
                _ => test,
            }
        } else if is_float {
            test
        } else {
            Test::Integer(scalar, bytes.as_chunks().0.first().copied().unwrap_or_default())
        }
    }

    /// Returns the test for elements of a mask array: not zero means missing.
    pub(crate) fn truth(datatype: &Datatype) -> Result<Test> {
        Ok(match datatype.scalar() {
            Some(scalar) => Test::NotZero(scalar),
            None => {
                let size = datatype.item_size()?;
                Test::AnyByte(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?)
            }
        })
    }

    pub(crate) fn item_size(self) -> usize {
        match self {
            Test::Integer(scalar, _) | Test::Float(scalar, ..) | Test::Nan(scalar) => scalar.size(),
            Test::NotZero(scalar) | Test::Never(scalar) => scalar.size(),
            Test::AnyByte(size) => size.max(1),
        }
    }

    /// Writes 1 for each missing element and 0 for each other one.
    pub(super) fn apply(self, elements: &[u8], out: &mut [u8]) {
        let mut places = out.iter_mut();
        let mut put = |missing: bool| {
            if let Some(place) = places.next() {
                *place = u8::from(missing);
            }
        };
        match self {
            Test::Never(_) => out.fill(0),
            Test::Integer(ScalarType::Bool8, [value, ..]) => {
                elements.iter().for_each(|&byte| put((byte != 0) == (value != 0)));
            }
            Test::Integer(scalar, value) => compare(scalar.size(), elements, &value, true, out),
            Test::Float(scalar, real, imaginary) => {
                visit_floats(scalar, elements, |r, i| put(r == real && i == imaginary));
            }
            Test::Nan(scalar) => {
                if !visit_floats(scalar, elements, |real, imaginary| put(real.is_nan() || imaginary.is_nan())) {
                    out.fill(0);
                }
            }
            Test::NotZero(scalar) => {
                if !visit_floats(scalar, elements, |real, imaginary| put(real != 0.0 || imaginary != 0.0)) {
                    compare(scalar.size(), elements, &[0; 8], false, out);
                }
            }
            Test::AnyByte(size) => {
                elements.chunks_exact(size.max(1)).for_each(|element| put(element.iter().any(|&byte| byte != 0)));
            }
        }
    }
}

/// Writes 1 for each element whose bytes equal (or, unless `equal`, differ from) the first bytes of `value`, else 0.
fn compare(size: usize, elements: &[u8], value: &[u8; 8], equal: bool, out: &mut [u8]) {
    match size {
        1 => compare_items::<1>(elements, value, equal, out),
        2 => compare_items::<2>(elements, value, equal, out),
        4 => compare_items::<4>(elements, value, equal, out),
        _ => compare_items::<8>(elements, value, equal, out),
    }
}

fn compare_items<const N: usize>(elements: &[u8], value: &[u8; 8], equal: bool, out: &mut [u8]) {
    let Some(value) = value.first_chunk::<N>() else { return };
    for (element, out) in elements.as_chunks().0.iter().zip(out) {
        *out = u8::from((element == value) == equal);
    }
}

/// Calls `visit` with the real and imaginary part of each float or complex number, packed and native. Returns false for
/// other types.
fn visit_floats(scalar: ScalarType, elements: &[u8], mut visit: impl FnMut(f64, f64)) -> bool {
    match scalar {
        ScalarType::Float16 => {
            let load = |bytes: &[u8; 2]| f64::from(Float16::from_ne_bytes(*bytes).to_f32());
            elements.as_chunks().0.iter().for_each(|bytes| visit(load(bytes), 0.0));
        }
        ScalarType::Float32 => {
            elements.as_chunks().0.iter().for_each(|bytes| visit(f32::from_ne_bytes(*bytes).into(), 0.0));
        }
        ScalarType::Float64 => elements.as_chunks().0.iter().for_each(|bytes| visit(f64::from_ne_bytes(*bytes), 0.0)),
        ScalarType::Complex64 => {
            for [real, imaginary] in elements.as_chunks().0.as_chunks().0 {
                visit(f32::from_ne_bytes(*real).into(), f32::from_ne_bytes(*imaginary).into());
            }
        }
        ScalarType::Complex128 => {
            for [real, imaginary] in elements.as_chunks().0.as_chunks().0 {
                visit(f64::from_ne_bytes(*real), f64::from_ne_bytes(*imaginary));
            }
        }
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results of a test for native elements of a type; each has the same number of bytes.
    fn results<const N: usize>(test: Test, elements: &[[u8; N]]) -> Vec<u8> {
        assert_eq!(test.item_size(), N);
        let mut out = vec![7; elements.len()];
        test.apply(elements.as_flattened(), &mut out);
        out
    }

    fn ones_and_twos<const N: usize>(scalar: ScalarType, one: [u8; N], two: [u8; N]) {
        let elements = [one, two, [0; N], one];
        assert_eq!(results(Test::equal(Leaf::Integer(1), scalar), &elements), [1, 0, 0, 1], "{scalar}");
        assert_eq!(results(Test::equal(Leaf::Float(2.0), scalar), &elements), [0, 1, 0, 0], "{scalar}");
        assert_eq!(results(Test::equal(Leaf::Float(2.5), scalar), &elements), [0; 4], "{scalar}");
        assert_eq!(results(Test::equal(Leaf::Float(f64::NAN), scalar), &elements), [0; 4], "{scalar}");
        assert_eq!(results(Test::truth(&scalar.into()).unwrap(), &elements), [1, 1, 0, 1], "{scalar}");
        assert_eq!(results(Test::Never(scalar), &elements), [0; 4], "{scalar}");
    }

    #[test]
    fn numbers_of_each_type_are_compared() {
        ones_and_twos(ScalarType::Int8, 1_i8.to_ne_bytes(), 2_i8.to_ne_bytes());
        ones_and_twos(ScalarType::Uint8, 1_u8.to_ne_bytes(), 2_u8.to_ne_bytes());
        ones_and_twos(ScalarType::Int16, 1_i16.to_ne_bytes(), 2_i16.to_ne_bytes());
        ones_and_twos(ScalarType::Uint16, 1_u16.to_ne_bytes(), 2_u16.to_ne_bytes());
        ones_and_twos(ScalarType::Int32, 1_i32.to_ne_bytes(), 2_i32.to_ne_bytes());
        ones_and_twos(ScalarType::Uint32, 1_u32.to_ne_bytes(), 2_u32.to_ne_bytes());
        ones_and_twos(ScalarType::Int64, 1_i64.to_ne_bytes(), 2_i64.to_ne_bytes());
        ones_and_twos(ScalarType::Uint64, 1_u64.to_ne_bytes(), 2_u64.to_ne_bytes());
        ones_and_twos(ScalarType::Float16, Float16::from_f64(1.0).to_ne_bytes(), Float16::from_f64(2.0).to_ne_bytes());
        ones_and_twos(ScalarType::Float32, 1_f32.to_ne_bytes(), 2_f32.to_ne_bytes());
        ones_and_twos(ScalarType::Float64, 1_f64.to_ne_bytes(), 2_f64.to_ne_bytes());
        ones_and_twos(ScalarType::Complex64, single(1.0, 0.0), single(2.0, 0.0));
        ones_and_twos(ScalarType::Complex128, double(1.0, 0.0), double(2.0, 0.0));
    }

    #[test]
    fn nan_and_negative_zero_of_each_float_type() {
        let floats = [f64::NAN, -0.0, 1.0];
        let halves = floats.map(|number| Float16::from_f64(number).to_ne_bytes());
        let singles = floats.map(|number| (number as f32).to_ne_bytes());
        let doubles = floats.map(f64::to_ne_bytes);
        let nan = |scalar| Test::equal(Leaf::Float(f64::NAN), scalar);
        assert_eq!(results(nan(ScalarType::Float16), &halves), [1, 0, 0]);
        assert_eq!(results(nan(ScalarType::Float32), &singles), [1, 0, 0]);
        assert_eq!(results(nan(ScalarType::Float64), &doubles), [1, 0, 0]);
        assert_eq!(results(Test::NotZero(ScalarType::Float16), &halves), [1, 0, 1]);
        assert_eq!(results(Test::NotZero(ScalarType::Float32), &singles), [1, 0, 1]);
        assert_eq!(results(Test::NotZero(ScalarType::Float64), &doubles), [1, 0, 1]);
    }

    fn single(real: f32, imaginary: f32) -> [u8; 8] {
        bytemuck::cast([real, imaginary])
    }

    fn double(real: f64, imaginary: f64) -> [u8; 16] {
        bytemuck::cast([real, imaginary])
    }

    #[test]
    fn one_part_decides_whether_a_complex_number_is_nan_or_not_zero() {
        let parts =
            [double(0.0, 0.0), double(f64::NAN, 0.0), double(0.0, f64::NAN), double(1.0, 0.0), double(0.0, 1.0)];
        for number in [Leaf::Float(f64::NAN), Leaf::Complex(f64::NAN, 0.0), Leaf::Complex(0.0, f64::NAN)] {
            assert_eq!(results(Test::equal(number, ScalarType::Complex128), &parts), [0, 1, 1, 0, 0]);
        }
        assert_eq!(results(Test::NotZero(ScalarType::Complex128), &parts), [0, 1, 1, 1, 1]);
        assert_eq!(results(Test::equal(Leaf::Complex(0.0, 1.0), ScalarType::Complex128), &parts), [0, 0, 0, 0, 1]);
        let singles = [single(1.0, 2.0), single(1.0, 3.0), single(2.0, 2.0)];
        assert_eq!(results(Test::equal(Leaf::Complex(1.0, 2.0), ScalarType::Complex64), &singles), [1, 0, 0]);
    }

    #[test]
    fn truth_values_equal_zero_and_one_alone() {
        let bytes = [[0], [1], [2], [255]];
        assert_eq!(results(Test::equal(Leaf::Integer(0), ScalarType::Bool8), &bytes), [1, 0, 0, 0]);
        assert_eq!(results(Test::equal(Leaf::Integer(1), ScalarType::Bool8), &bytes), [0, 1, 1, 1]);
        assert_eq!(results(Test::equal(Leaf::Integer(2), ScalarType::Bool8), &bytes), [0; 4]);
        assert_eq!(results(Test::truth(&ScalarType::Bool8.into()).unwrap(), &bytes), [0, 1, 1, 1]);
    }

    #[test]
    fn a_number_that_the_type_cannot_hold_is_never_there() {
        for number in [Leaf::Integer(-1), Leaf::Integer(256), Leaf::Float(0.5)] {
            assert!(matches!(Test::equal(number, ScalarType::Uint8), Test::Never(ScalarType::Uint8)), "{number:?}");
        }
    }

    #[test]
    fn any_byte_of_a_text_counts() {
        let test = Test::truth(&Datatype::Ascii(3)).unwrap();
        assert_eq!(results(test, &[*b"\0\0\0", *b"a\0\0", *b"\0\0b", *b"\0\0\0"]), [0, 1, 1, 0]);
        assert_eq!(Test::AnyByte(0).item_size(), 1);
    }
}
