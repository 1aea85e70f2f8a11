//! Conversion between scalar types with a function of numbers in between, as from one unit to another.
//!
//! The function is computed in binary64, except between integers: there the result is exact, or the element does not
//! fit.

use super::function::Conversion;
use super::numbers::{Convert, find, show};
use super::stage::Stage;
use crate::array::element::scalar_type::ScalarType;
use crate::error::{Error, Result, Status};
use crate::float::Convergents;

/// Elements converted at a time.
const BATCH: usize = 256;

/// A conversion of elements through a function.
pub(super) struct Scaled {
    function: Conversion,
    source: ScalarType,
    target: ScalarType,
    method: Method,
}

enum Method {
    /// Between integers. `None` if no small fraction equals the factor.
    Integers(Option<Fraction>),
    /// By way of binary64 numbers, `parts` of them for each element.
    Floats { parts: usize, widen: Convert, narrow: Convert },
}

impl Scaled {
    /// Fails with [`Status::Conversion`] for truth values, and for complex numbers if the function is not linear.
    pub(super) fn new(source: ScalarType, target: ScalarType, function: Conversion) -> Result<Scaled> {
        let refused = |why: &str| Err(Error::new(Status::Conversion, why));
        if source == ScalarType::Bool8 || target == ScalarType::Bool8 {
            return refused("truth values cannot be converted to another unit");
        }
        let (parts, wide) = wide_of(source);
        if parts == 2 && function.linear().is_none() {
            return refused("complex numbers cannot be converted to another unit by a function that is not linear");
        }
        let method = if source.is_integer() && target.is_integer() {
            Method::Integers(Fraction::of(&function))
        } else {
            Method::Floats { parts, widen: find(source, wide)?, narrow: find(wide, target)? }
        };
        Ok(Scaled { function, source, target, method })
    }

    /// Converts packed native elements. Fails with the index of the first one that does not fit.
    pub(super) fn convert(
        &self,
        input: &[u8],
        output: &mut [u8],
        clamp: bool,
        stage: &mut Stage,
    ) -> std::result::Result<(), usize> {
        match &self.method {
            Method::Integers(fraction) => {
                let keeps_zero = self.function.apply(0.0) == 0.0;
                let elements = input.chunks_exact(self.source.size()).zip(output.chunks_exact_mut(self.target.size()));
                for (index, (element, made)) in elements.enumerate() {
                    let value = integer_of(self.source, element);
                    let exact = match fraction {
                        Some(fraction) => fraction.of_integer(value, clamp),
                        None => (value == 0 && keeps_zero).then_some(0),
                    };
                    let result = match exact {
                        Some(exact) => exact,
                        None if clamp => self.function.apply(value as f64) as i128,
                        None => return Err(index),
                    };
                    if !put_integer(self.target, result, made) && !clamp {
                        return Err(index);
                    }
                }
                Ok(())
            }
            Method::Floats { .. } => {
                let (item, made) = (self.source.size(), self.target.size());
                let batches = input.chunks(BATCH * item).zip(output.chunks_mut(BATCH * made));
                for (number, (input, output)) in batches.enumerate() {
                    if !self.batch(input, output, clamp, stage) {
                        return Err(number * BATCH + self.first_misfit(input, output));
                    }
                }
                Ok(())
            }
        }
    }

    /// Converts at most [`BATCH`] elements by way of binary64. Returns whether all of them fit.
    fn batch(&self, input: &[u8], output: &mut [u8], clamp: bool, stage: &mut Stage) -> bool {
        let Method::Floats { parts, widen, narrow } = self.method else { return false };
        let mut wide = [0.0; 2 * BATCH];
        let Some(wide) = wide.get_mut(..input.len() / self.source.size() * parts) else { return false };
        // Every number can be rounded to binary64.
        let widened = widen(input, bytemuck::cast_slice_mut(wide), true, &mut Stage::none());
        let fit = self.apply(wide, parts, clamp);
        widened.is_ok() & fit && narrow(bytemuck::cast_slice(wide), output, clamp, stage).is_ok()
    }

    #[cold]
    fn first_misfit(&self, input: &[u8], output: &mut [u8]) -> usize {
        let mut elements = input.chunks_exact(self.source.size()).zip(output.chunks_exact_mut(self.target.size()));
        elements.position(|(element, made)| !self.batch(element, made, false, &mut Stage::none())).unwrap_or(0)
    }

    /// Applies the function to each number. Returns whether no finite number became infinite; with `clamp` these become
    /// the largest number.
    fn apply(&self, values: &mut [f64], parts: usize, clamp: bool) -> bool {
        let (factor, offset) = match self.function {
            Conversion::Linear { factor, offset } => (factor, offset),
            Conversion::Power { .. } => return apply(values, clamp, |_, value| self.function.apply(value)),
            // Zero has an infinite reciprocal and an infinite logarithm.
            Conversion::Reciprocal { .. } | Conversion::Logarithm { .. } => {
                values.iter_mut().for_each(|value| *value = self.function.apply(*value));
                return true;
            }
        };
        match (parts, offset) {
            // An offset of zero must not change the sign of a zero.
            (_, 0.0) => apply(values, clamp, |_, value| factor * value),
            (1, _) => apply(values, clamp, |_, value| factor * value + offset),
            // An offset is added to the real part.
            _ => apply(values, clamp, |index, value| factor * value + if index % 2 == 0 { offset } else { 0.0 }),
        }
    }

    /// Describes an element that does not fit.
    pub(super) fn describe(&self, element: &[u8]) -> String {
        let from = show(self.source, element);
        let (parts, wide) = wide_of(self.source);
        let mut values = [0.0; 2];
        let values = &mut values[..parts];
        let element = element.get(..self.source.size()).unwrap_or_default();
        if let Ok(widen) = find(self.source, wide) {
            let _ = widen(element, bytemuck::cast_slice_mut(values), true, &mut Stage::none());
        }
        self.apply(values, parts, false);
        format!("is {from}, which becomes {}; {} cannot hold it", show(wide, bytemuck::cast_slice(values)), self.target)
    }
}

/// Returns the number of binary64 numbers of an element, and the type that they make.
fn wide_of(source: ScalarType) -> (usize, ScalarType) {
    match source {
        ScalarType::Complex64 | ScalarType::Complex128 => (2, ScalarType::Complex128),
        _ => (1, ScalarType::Float64),
    }
}

/// Replaces each number by its function value; see [`Scaled::apply`].
#[inline(always)]
fn apply(values: &mut [f64], clamp: bool, function: impl Fn(usize, f64) -> f64) -> bool {
    let mut fit = true;
    for (index, value) in values.iter_mut().enumerate() {
        let after = function(index, *value);
        let is_beyond = after.is_infinite() & value.is_finite();
        fit &= !is_beyond;
        *value = if is_beyond & clamp { f64::MAX.copysign(after) } else { after };
    }
    fit | clamp
}

/// A linear function of integers: `numerator * value / denominator + offset`.
#[derive(Debug, PartialEq, Eq)]
struct Fraction {
    numerator: i128,
    denominator: i128,
    offset: i128,
}

/// Largest numerator if the denominator is 1, and largest offset: products with 64-bit integers fit 128 bits.
const LARGEST: f64 = (1_u64 << 61) as f64;
/// Largest number of convergents that are tried.
const MAX_CONVERGENTS: usize = 64;
/// Largest product of numerator and denominator if neither is 1. A larger one could approximate any number.
const LARGEST_PRODUCT: f64 = (1_u64 << 44) as f64;

impl Fraction {
    /// Returns the fraction whose quotient is the factor of a linear function, or next to it. `None` if there is no such
    /// fraction of small integers, or if the offset is not an integer.
    fn of(function: &Conversion) -> Option<Fraction> {
        let (factor, offset) = function.linear()?;
        if offset.fract() != 0.0 || offset.abs() > LARGEST || !factor.is_normal() {
            return None;
        }
        let is_quotient = |quotient: f64| {
            quotient == factor.abs() || quotient.next_up() == factor.abs() || quotient.next_down() == factor.abs()
        };
        for [numerator, denominator] in Convergents::of(factor.abs()).take(MAX_CONVERGENTS) {
            let is_small = numerator <= 1.0 || denominator == 1.0 || numerator * denominator <= LARGEST_PRODUCT;
            if !is_small || numerator > LARGEST || denominator > LARGEST {
                return None;
            }
            if numerator > 0.0 && is_quotient(numerator / denominator) {
                let sign = if factor < 0.0 { -1 } else { 1 };
                return Some(Fraction {
                    numerator: sign * numerator as i128,
                    denominator: denominator as i128,
                    offset: offset as i128,
                });
            }
        }
        None
    }

    /// Returns the function value of a 64-bit integer if it is an integer. With `clamp` its fraction is dropped.
    fn of_integer(&self, value: i128, clamp: bool) -> Option<i128> {
        let dividend = value * self.numerator + self.offset * self.denominator;
        (clamp || dividend % self.denominator == 0).then(|| dividend / self.denominator)
    }
}

/// Returns the value of an integer element.
fn integer_of(scalar: ScalarType, bytes: &[u8]) -> i128 {
    macro_rules! load {
        ($type:ty) => {
            bytes.first_chunk().map_or(0, |bytes| <$type>::from_ne_bytes(*bytes).into())
        };
    }
    use ScalarType as S;
    match scalar {
        S::Int8 => load!(i8),
        S::Int16 => load!(i16),
        S::Int32 => load!(i32),
        S::Int64 => load!(i64),
        S::Uint8 => load!(u8),
        S::Uint16 => load!(u16),
        S::Uint32 => load!(u32),
        S::Uint64 => load!(u64),
        _ => 0,
    }
}

/// Stores an integer, or the nearest one of the type. Returns whether it fits.
fn put_integer(scalar: ScalarType, value: i128, out: &mut [u8]) -> bool {
    macro_rules! store {
        ($type:ty) => {{
            let nearest = value.clamp(<$type>::MIN.into(), <$type>::MAX.into());
            out.copy_from_slice(&(nearest as $type).to_ne_bytes());
            nearest == value
        }};
    }
    use ScalarType as S;
    match scalar {
        S::Int8 => store!(i8),
        S::Int16 => store!(i16),
        S::Int32 => store!(i32),
        S::Int64 => store!(i64),
        S::Uint8 => store!(u8),
        S::Uint16 => store!(u16),
        S::Uint32 => store!(u32),
        S::Uint64 => store!(u64),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::convert::stage::LARGE;
    use crate::array::tests::Lcg;
    use crate::float::Float16;

    const fn linear(factor: f64, offset: f64) -> Conversion {
        Conversion::Linear { factor, offset }
    }

    fn convert(scaled: &Scaled, input: &[u8], clamp: bool) -> std::result::Result<Vec<u8>, usize> {
        let mut output = vec![0; input.len() / scaled.source.size() * scaled.target.size()];
        scaled.convert(input, &mut output, clamp, &mut Stage::none()).map(|()| output)
    }

    #[test]
    fn factors_of_units_are_fractions() {
        let fraction = |factor| Fraction::of(&linear(factor, 0.0)).map(|found| (found.numerator, found.denominator));
        for (factor, expected) in [
            (1000.0, Some((1000, 1))),
            (1e-3, Some((1, 1000))),
            (1e-15, Some((1, 1_000_000_000_000_000))),
            (1.0 / 3.6, Some((5, 18))),
            (3.6, Some((18, 5))),
            (1.0 / 15.0, Some((1, 15))),
            (-0.4, Some((-2, 5))),
            (31_557_600.0 / 86_400.0, Some((1461, 4))),
            (LARGEST, Some((1 << 61, 1))),
            (2.0 * LARGEST, None),
            (1.0 / LARGEST, Some((1, 1 << 61))),
            (0.5 / LARGEST, None),
            (1e30, None),
            (std::f64::consts::PI / 180.0, None),
            (1.602_176_634e-19, None),
            (f64::NAN, None),
            (0.0, None),
        ] {
            assert_eq!(fraction(factor), expected, "{factor}");
        }
        assert_eq!(Fraction::of(&linear(1.0, 273.15)), None);
    }

    /// Compares integers around powers of two with exact arithmetic.
    #[test]
    fn integers_are_exact_or_refused() {
        let values: Vec<i64> =
            (0..63).flat_map(|bit| [-3, -1, 0, 1, 2].map(|by| (1_i64 << bit) + by)).flat_map(|n| [n, -n]).collect();
        for (factor, numerator, denominator) in
            [(1000.0, 1000, 1), (0.001, 1, 1000), (60.0, 60, 1), (1.0 / 60.0, 1, 60), (1.0 / 3.6, 5, 18), (-2.0, -2, 1)]
        {
            let scaled = Scaled::new(ScalarType::Int64, ScalarType::Int32, linear(factor, 7.0)).unwrap();
            for &value in &values {
                let dividend = i128::from(value) * numerator + 7 * denominator;
                let exact = (dividend % denominator == 0).then(|| i32::try_from(dividend / denominator).ok()).flatten();
                let found = convert(&scaled, &value.to_ne_bytes(), false).ok();
                assert_eq!(found, exact.map(|exact| exact.to_ne_bytes().to_vec()), "{value} * {factor}");
                let nearest = (dividend / denominator).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                assert_eq!(convert(&scaled, &value.to_ne_bytes(), true).unwrap(), nearest.to_ne_bytes());
            }
        }
        let scaled = Scaled::new(ScalarType::Uint64, ScalarType::Uint64, linear(1000.0, 0.0)).unwrap();
        let largest = u64::MAX / 1000;
        assert_eq!(convert(&scaled, &largest.to_ne_bytes(), false).unwrap(), (largest * 1000).to_ne_bytes());
        assert!(convert(&scaled, &(largest + 1).to_ne_bytes(), false).is_err());
    }

    #[test]
    fn integers_without_an_exact_value_are_refused_or_clamped() {
        let input = [0_i16, 500].map(i16::to_ne_bytes).concat();
        for (function, first_misfit, clamped) in [
            (linear(0.017, 0.0), 1, [0, 8]),
            (linear(std::f64::consts::PI / 180.0, 0.0), 1, [0, 8]),
            (linear(1.0, 273.15), 0, [273, 773]),
            (linear(1e30, 0.0), 1, [0, i16::MAX]),
            (Conversion::Reciprocal { numerator: 1000.0 }, 0, [i16::MAX, 2]),
            (Conversion::Power { factor: 5.0, rate: -0.4 }, 0, [5, 0]),
            (Conversion::Logarithm { factor: 2.0, rate: 0.1 }, 0, [i16::MIN, 30]),
        ] {
            let scaled = Scaled::new(ScalarType::Int16, ScalarType::Int16, function).unwrap();
            assert_eq!(convert(&scaled, &input, false), Err(first_misfit), "{function:?}");
            let expected = clamped.map(i16::to_ne_bytes).concat();
            assert_eq!(convert(&scaled, &input, true), Ok(expected), "{function:?}");
        }
    }

    /// Returns the native bytes of a number from -128 to 127.
    fn small(scalar: ScalarType, value: i8) -> Vec<u8> {
        let mut bytes = vec![if value < 0 { 255 } else { 0 }; scalar.size()];
        let lowest = if cfg!(target_endian = "little") { 0 } else { scalar.size() - 1 };
        bytes[lowest] = value as u8;
        bytes
    }

    #[test]
    fn every_type_of_integers_is_read_and_stored() {
        let integers = || ScalarType::ALL.iter().copied().filter(|scalar| scalar.is_integer());
        let is_signed = |scalar: ScalarType| scalar.name().starts_with("int");
        for source in integers() {
            for target in integers() {
                let scaled = Scaled::new(source, target, linear(2.0, 1.0)).unwrap();
                assert_eq!(convert(&scaled, &small(source, 3), false), Ok(small(target, 7)), "{source} {target}");
                if is_signed(source) && is_signed(target) {
                    assert_eq!(convert(&scaled, &small(source, -3), false), Ok(small(target, -5)), "{source} {target}");
                }
            }
        }
    }

    /// Compares all pairs of types with the function between two plain conversions, at many lengths.
    #[test]
    fn elements_are_converted_by_way_of_binary64() {
        let mut random = Lcg(5);
        for &source in ScalarType::ALL.iter().filter(|&&source| source != ScalarType::Bool8) {
            for &target in ScalarType::ALL.iter().filter(|&&target| target != ScalarType::Bool8) {
                let is_complex = matches!(source, ScalarType::Complex64 | ScalarType::Complex128);
                let wide = if is_complex { ScalarType::Complex128 } else { ScalarType::Float64 };
                if source.is_integer() && target.is_integer() {
                    continue;
                }
                for clamp in [false, true] {
                    let count = BATCH + random.below(BATCH as u64 + 9) as usize;
                    let mut input = random.bytes(count * source.size());
                    input.iter_mut().enumerate().filter(|(at, _)| at % 64 != 0).for_each(|(_, byte)| *byte = 0);
                    let scaled = Scaled::new(source, target, linear(2.5, 0.0)).unwrap();
                    let (mut expected, mut wrong) = (Vec::new(), None);
                    for (index, element) in input.chunks(source.size()).enumerate() {
                        let mut numbers = vec![0.0; wide.size() / 8];
                        let bytes = bytemuck::cast_slice_mut(&mut numbers);
                        find(source, wide).unwrap()(element, bytes, false, &mut Stage::none()).unwrap();
                        let mut fits = true;
                        for number in &mut numbers {
                            let after: f64 = 2.5 * *number;
                            fits &= clamp || after.is_finite() || !number.is_finite();
                            *number = match after.is_infinite() && number.is_finite() {
                                true => f64::MAX.copysign(after),
                                false => after,
                            };
                        }
                        let mut made = vec![0; target.size()];
                        let narrow = find(wide, target).unwrap();
                        fits &= narrow(bytemuck::cast_slice(&numbers), &mut made, clamp, &mut Stage::none()).is_ok();
                        if !fits {
                            wrong.get_or_insert(index);
                        }
                        expected.extend(made);
                    }
                    for mut stage in [Stage::none(), Stage::for_size(LARGE)] {
                        let mut output = vec![0; expected.len()];
                        let result = scaled.convert(&input, &mut output, clamp, &mut stage);
                        drop(stage);
                        assert_eq!(result.err(), wrong, "{source} {target}");
                        if wrong.is_none() {
                            assert_eq!(output, expected, "{source} {target}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_beyond_the_range_are_named() {
        let scaled = Scaled::new(ScalarType::Float64, ScalarType::Float64, linear(1e10, 0.0)).unwrap();
        let input = [f64::INFINITY, f64::NAN, 1e300, -1e300].map(f64::to_ne_bytes).concat();
        assert_eq!(convert(&scaled, &input, false), Err(2));
        assert_eq!(scaled.describe(&input[16..]), "is 1e+300, which becomes inf; float64 cannot hold it");
        let clamped = convert(&scaled, &input, true).unwrap();
        assert_eq!(clamped[16..], [f64::MAX, f64::MIN].map(f64::to_ne_bytes).concat());
        let scaled = Scaled::new(ScalarType::Int16, ScalarType::Int8, linear(0.001, 0.0)).unwrap();
        assert_eq!(scaled.describe(&1500_i16.to_ne_bytes()), "is 1500, which becomes 1.5; int8 cannot hold it");
    }

    #[test]
    fn zeros_keep_their_sign_and_other_functions_are_applied() {
        let float = |function, target, value: f64| {
            convert(&Scaled::new(ScalarType::Float64, target, function).unwrap(), &value.to_ne_bytes(), false)
        };
        assert_eq!(float(linear(2.0, 0.0), ScalarType::Float64, -0.0), Ok((-0.0_f64).to_ne_bytes().to_vec()));
        let half = float(linear(0.5, 1.0), ScalarType::Float16, 3.0).unwrap();
        assert_eq!(half, Float16::from_f64(2.5).0.to_ne_bytes());
        let magnitude = Conversion::Logarithm { factor: 1.0, rate: -0.4 };
        assert_eq!(float(magnitude, ScalarType::Float32, 100.0), Ok((-5_f32).to_ne_bytes().to_vec()));
        assert_eq!(float(magnitude, ScalarType::Float64, 0.0), Ok(f64::INFINITY.to_ne_bytes().to_vec()));
        let reciprocal = Conversion::Reciprocal { numerator: 6.0 };
        assert_eq!(float(reciprocal, ScalarType::Int8, 2.0), Ok(vec![3]));
        assert_eq!(float(Conversion::Power { factor: 1.0, rate: 1.0 }, ScalarType::Float64, 400.0), Err(0));
        let complex = Scaled::new(ScalarType::Complex64, ScalarType::Complex128, linear(2.0, 1.0)).unwrap();
        let parts = convert(&complex, &[1_f32, 3.0].map(f32::to_ne_bytes).concat(), false).unwrap();
        assert_eq!(parts, [3.0, 6.0].map(f64::to_ne_bytes).concat());
        let status = |source, target, function| Scaled::new(source, target, function).err().map(|error| error.status());
        let refused = Some(Status::Conversion);
        assert_eq!(status(ScalarType::Complex64, ScalarType::Complex64, reciprocal), refused);
        assert_eq!(status(ScalarType::Bool8, ScalarType::Float64, linear(2.0, 0.0)), refused);
        assert_eq!(status(ScalarType::Float64, ScalarType::Bool8, linear(2.0, 0.0)), refused);
    }
}
