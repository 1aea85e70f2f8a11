//! Conversions between scalar types.
//!
//! The loops run over packed native elements and are simple enough for the compiler to vectorize.

use super::stage::{BLOCK, Loop, Stage, run_widest};
use super::streaming;
use crate::array::element::scalar_type::ScalarType;
use crate::error::{Error, Result, Status};
use crate::float::{self, Float, Float16};
use crate::tree::complex;
use std::marker::PhantomData;

/// Elements converted between two checks for misfits: as many of the largest type as fit into a block.
const BATCH: usize = BLOCK / size_of::<Complex<f64>>();

/// Converts packed native elements. Fails with the index of the first one that does not fit. The flag requests clamping
/// instead.
pub(super) type Convert = fn(&[u8], &mut [u8], bool, &mut Stage) -> std::result::Result<(), usize>;

/// A scalar type in memory.
trait Element: Copy {
    type Bytes: Copy;
    fn split(bytes: &[u8]) -> &[Self::Bytes];
    fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes];
    fn load(bytes: Self::Bytes) -> Self;
    fn store(self) -> Self::Bytes;
}

/// The conversion rule from one type to another.
trait ConvertTo<T> {
    /// Returns the converted value and whether it fits.
    fn checked(self) -> (T, bool);
    /// Returns the nearest value that the type can represent.
    fn clamped(self) -> T;
}

#[derive(Clone, Copy)]
struct Bool(u8);

#[derive(Clone, Copy)]
struct Complex<F> {
    real: F,
    imaginary: F,
}

fn run<S: Element + ConvertTo<T>, T: Element>(
    input: &[u8],
    output: &mut [u8],
    clamp: bool,
    stage: &mut Stage,
) -> std::result::Result<(), usize> {
    run_widest(Batches::<S, T> { input, output, clamp, stage, types: PhantomData })
}

/// Like `run` for float32 to float64, where every value fits.
fn widen(input: &[u8], output: &mut [u8], clamp: bool, stage: &mut Stage) -> std::result::Result<(), usize> {
    let done = streaming::widen(input, output, stage);
    run::<f32, f64>(&input[done * size_of::<f32>()..], &mut output[done * size_of::<f64>()..], clamp, stage)
}

struct Batches<'a, S, T> {
    input: &'a [u8],
    output: &'a mut [u8],
    clamp: bool,
    stage: &'a mut Stage,
    types: PhantomData<(S, T)>,
}

impl<S: Element + ConvertTo<T>, T: Element> Loop for Batches<'_, S, T> {
    type Result = std::result::Result<(), usize>;

    #[inline(always)]
    fn run(self) -> Self::Result {
        let head = self.stage.head(self.output, size_of::<T>()).min(self.input.len() / size_of::<S>());
        let (first, input) = self.input.split_at(head * size_of::<S>());
        let (start, output) = self.output.split_at_mut(head * size_of::<T>());
        if !batch::<S, T>(first, start, self.clamp) {
            return Err(first_misfit::<S, T>(first));
        }
        let batches = input.chunks(BATCH * size_of::<S>()).zip(output.chunks_mut(BATCH * size_of::<T>()));
        for (index, (input, output)) in batches.enumerate() {
            let right = batch::<S, T>(input, self.stage.place(output), self.clamp);
            self.stage.store(output);
            if !right {
                return Err(head + index * BATCH + first_misfit::<S, T>(input));
            }
        }
        Ok(())
    }
}

/// Converts all elements and returns whether all of them fit.
#[inline(always)]
fn batch<S: Element + ConvertTo<T>, T: Element>(input: &[u8], output: &mut [u8], clamp: bool) -> bool {
    let pairs = S::split(input).iter().zip(T::split_mut(output));
    let mut right = true;
    if clamp {
        for (from, to) in pairs {
            *to = S::load(*from).clamped().store();
        }
    } else {
        for (from, to) in pairs {
            let (value, fits) = S::load(*from).checked();
            *to = value.store();
            right &= fits;
        }
    }
    right
}

#[cold]
fn first_misfit<S: Element + ConvertTo<T>, T: Element>(input: &[u8]) -> usize {
    let first = S::split(input).iter().position(|from| !ConvertTo::<T>::checked(S::load(*from)).1);
    first.unwrap_or(0)
}

macro_rules! numbers {
    ($($type:ty),*) => {
        $(impl Element for $type {
            type Bytes = [u8; size_of::<$type>()];
            #[inline(always)]
            fn split(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }
            fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes] {
                bytes.as_chunks_mut().0
            }
            fn load(bytes: Self::Bytes) -> Self {
                <$type>::from_ne_bytes(bytes)
            }
            fn store(self) -> Self::Bytes {
                self.to_ne_bytes()
            }
        })*
    };
}

macro_rules! from_bool {
    ($($type:ty),*) => {
        $(impl ConvertTo<$type> for Bool {
            #[inline(always)]
            fn checked(self) -> ($type, bool) {
                (self.clamped(), true)
            }
            fn clamped(self) -> $type {
                u8::from(self.0 != 0) as $type
            }
        })*
    };
}

macro_rules! complex {
    ($($part:ty),*) => {
        $(impl Element for Complex<$part> {
            type Bytes = [[u8; size_of::<$part>()]; 2];
            #[inline(always)]
            fn split(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0.as_chunks().0
            }
            fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes] {
                bytes.as_chunks_mut().0.as_chunks_mut().0
            }
            fn load([real, imaginary]: Self::Bytes) -> Self {
                Complex { real: <$part>::from_ne_bytes(real), imaginary: <$part>::from_ne_bytes(imaginary) }
            }
            fn store(self) -> Self::Bytes {
                [self.real.to_ne_bytes(), self.imaginary.to_ne_bytes()]
            }
        })*
    };
}

macro_rules! to_complex {
    ($($from:ty),* => $part:ty) => {
        $(impl ConvertTo<Complex<$part>> for $from {
            #[inline(always)]
            fn checked(self) -> (Complex<$part>, bool) {
                let (real, fits) = ConvertTo::<$part>::checked(self);
                (Complex { real, imaginary: 0.0 }, fits)
            }
            #[inline(always)]
            fn clamped(self) -> Complex<$part> {
                Complex { real: ConvertTo::<$part>::clamped(self), imaginary: 0.0 }
            }
        })*
    };
}

macro_rules! complex_to_complex {
    ($($from:ty => $to:ty),*) => {
        $(impl ConvertTo<Complex<$to>> for Complex<$from> {
            #[inline(always)]
            fn checked(self) -> (Complex<$to>, bool) {
                let (real, real_fits) = ConvertTo::<$to>::checked(self.real);
                let (imaginary, imaginary_fits) = ConvertTo::<$to>::checked(self.imaginary);
                (Complex { real, imaginary }, real_fits & imaginary_fits)
            }
            #[inline(always)]
            fn clamped(self) -> Complex<$to> {
                Complex {
                    real: ConvertTo::<$to>::clamped(self.real),
                    imaginary: ConvertTo::<$to>::clamped(self.imaginary),
                }
            }
        })*
    };
}

macro_rules! complex_to_real {
    ($($from:ty),* => $to:tt) => {
        $(complex_to_real!(@one $from => $to);)*
    };
    (@one $from:ty => [$($to:ty),*]) => {
        $(impl ConvertTo<$to> for Complex<$from> {
            #[inline(always)]
            fn checked(self) -> ($to, bool) {
                let (value, fits) = ConvertTo::<$to>::checked(self.real);
                (value, fits & (self.imaginary == 0.0))
            }
            #[inline(always)]
            fn clamped(self) -> $to {
                ConvertTo::<$to>::clamped(self.real)
            }
        })*
    };
}

/// Conversions of float16 by way of a wider float.
macro_rules! float16 {
    ($($from:ty),* => f16) => {
        $(impl ConvertTo<Float16> for $from {
            #[inline(always)]
            fn checked(self) -> (Float16, bool) {
                let wide = ConvertTo::<f64>::clamped(self);
                let value = Float16::from_f64(wide);
                (value, value.0 & 0x7FFF != 0x7C00 || wide.is_infinite())
            }
            #[inline(always)]
            fn clamped(self) -> Float16 {
                let wide = ConvertTo::<f64>::clamped(self);
                let most = Float16::MAX;
                Float16::from_f64(if wide.is_finite() { wide.clamp(-most, most) } else { wide })
            }
        })*
    };
    (f16 => $($to:ty),*) => {
        $(impl ConvertTo<$to> for Float16 {
            #[inline(always)]
            fn checked(self) -> ($to, bool) {
                self.to_f32().checked()
            }
            fn clamped(self) -> $to {
                self.to_f32().clamped()
            }
        })*
    };
}

macro_rules! integers {
    ($($from:ty),* => $to:tt) => {
        $(integers!(@one $from => $to);)*
    };
    (@one $from:ty => [$($to:ty),*]) => {
        $(impl ConvertTo<$to> for $from {
            #[inline(always)]
            fn checked(self) -> ($to, bool) {
                let value = self as $to;
                #[allow(unused_comparisons)]
                let fits = value as $from == self && (value < 0) == (self < 0);
                (value, fits)
            }
            #[inline(always)]
            fn clamped(self) -> $to {
                (self as i128).clamp(<$to>::MIN as i128, <$to>::MAX as i128) as $to
            }
        })*
        impl ConvertTo<f32> for $from {
            fn checked(self) -> (f32, bool) {
                (self as f32, true)
            }
            fn clamped(self) -> f32 {
                self as f32
            }
        }
        impl ConvertTo<f64> for $from {
            fn checked(self) -> (f64, bool) {
                (self as f64, true)
            }
            fn clamped(self) -> f64 {
                self as f64
            }
        }
    };
}

macro_rules! floats_to_integers {
    ($($from:ty),* => $to:tt) => {
        $(floats_to_integers!(@one $from => $to);)*
    };
    (@one $from:ty => [$($to:ty),*]) => {
        $(impl ConvertTo<$to> for $from {
            #[inline(always)]
            fn checked(self) -> ($to, bool) {
                // The bounds are 0 or powers of two, so they are exact in every float type.
                const LOW: $from = <$to>::MIN as $from;
                const HIGH: $from = (<$to>::MAX / 2 + 1) as $from * 2.0;
                let value = self as $to;
                (value, (LOW..HIGH).contains(&self) && value as $from == self)
            }
            #[inline(always)]
            fn clamped(self) -> $to {
                self as $to
            }
        })*
    };
}

numbers!(i8, i16, i32, i64, u8, u16, u32, u64, Float16, f32, f64);
from_bool!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
complex!(f32, f64);
to_complex!(Bool, i8, i16, i32, i64, u8, u16, u32, u64, Float16, f32, f64 => f32);
to_complex!(Bool, i8, i16, i32, i64, u8, u16, u32, u64, Float16, f32, f64 => f64);
complex_to_real!(f32, f64 => [i8, i16, i32, i64, u8, u16, u32, u64, Float16, f32, f64]);
float16!(Bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 => f16);
float16!(f16 => i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
complex_to_complex!(f32 => f32, f32 => f64, f64 => f32, f64 => f64);
integers!(i8, i16, i32, i64, u8, u16, u32, u64 => [i8, i16, i32, i64, u8, u16, u32, u64]);
floats_to_integers!(f32, f64 => [i8, i16, i32, i64, u8, u16, u32, u64]);

impl Element for Bool {
    type Bytes = u8;
    #[inline(always)]
    fn split(bytes: &[u8]) -> &[u8] {
        bytes
    }
    fn split_mut(bytes: &mut [u8]) -> &mut [u8] {
        bytes
    }
    fn load(byte: u8) -> Self {
        Bool(byte)
    }
    fn store(self) -> u8 {
        self.0
    }
}

macro_rules! wider_floats {
    ($($from:ty => $to:ty),*) => {
        $(impl ConvertTo<$to> for $from {
            fn checked(self) -> ($to, bool) {
                (self.into(), true)
            }
            fn clamped(self) -> $to {
                self.into()
            }
        })*
    };
}

wider_floats!(f32 => f32, f32 => f64, f64 => f64, Float16 => Float16);

impl ConvertTo<f32> for f64 {
    #[inline(always)]
    fn checked(self) -> (f32, bool) {
        let value = self as f32;
        (value, value.is_finite() || !self.is_finite())
    }
    #[inline(always)]
    fn clamped(self) -> f32 {
        let value = self as f32;
        if value.is_infinite() && self.is_finite() { f32::MAX.copysign(value) } else { value }
    }
}

/// Returns the conversion between two types. Fails with [`Status::Conversion`] if there is none.
pub(super) fn find(source: ScalarType, target: ScalarType) -> Result<Convert> {
    use ScalarType as S;
    macro_rules! to {
        ($from:ty) => {
            match target {
                S::Int8 => Some(run::<$from, i8> as Convert),
                S::Int16 => Some(run::<$from, i16> as Convert),
                S::Int32 => Some(run::<$from, i32> as Convert),
                S::Int64 => Some(run::<$from, i64> as Convert),
                S::Uint8 => Some(run::<$from, u8> as Convert),
                S::Uint16 => Some(run::<$from, u16> as Convert),
                S::Uint32 => Some(run::<$from, u32> as Convert),
                S::Uint64 => Some(run::<$from, u64> as Convert),
                S::Float16 => Some(run::<$from, Float16> as Convert),
                S::Float32 => Some(run::<$from, f32> as Convert),
                S::Float64 => Some(run::<$from, f64> as Convert),
                S::Complex64 => Some(run::<$from, Complex<f32>> as Convert),
                S::Complex128 => Some(run::<$from, Complex<f64>> as Convert),
                S::Bool8 => None,
            }
        };
    }
    let convert = match source {
        S::Int8 => to!(i8),
        S::Int16 => to!(i16),
        S::Int32 => to!(i32),
        S::Int64 => to!(i64),
        S::Uint8 => to!(u8),
        S::Uint16 => to!(u16),
        S::Uint32 => to!(u32),
        S::Uint64 => to!(u64),
        S::Float16 => to!(Float16),
        S::Float32 if target == S::Float64 => Some(widen as Convert),
        S::Float32 => to!(f32),
        S::Float64 => to!(f64),
        S::Bool8 => to!(Bool),
        S::Complex64 => to!(Complex<f32>),
        S::Complex128 => to!(Complex<f64>),
    };
    convert.ok_or_else(|| Error::new(Status::Conversion, format!("there is no conversion from {source} to {target}")))
}

/// Formats a native element for an error message.
pub(super) fn show(scalar: ScalarType, bytes: &[u8]) -> String {
    use ScalarType as S;
    fn first<T: Element>(bytes: &[u8]) -> Option<T> {
        T::split(bytes).first().map(|&bytes| T::load(bytes))
    }
    fn real(number: impl Float) -> String {
        let mut text = String::new();
        float::Notation::PYTHON.write(&mut text, number);
        text
    }
    let text = match scalar {
        S::Int8 => first::<i8>(bytes).map(|value| value.to_string()),
        S::Int16 => first::<i16>(bytes).map(|value| value.to_string()),
        S::Int32 => first::<i32>(bytes).map(|value| value.to_string()),
        S::Int64 => first::<i64>(bytes).map(|value| value.to_string()),
        S::Uint8 => first::<u8>(bytes).map(|value| value.to_string()),
        S::Uint16 => first::<u16>(bytes).map(|value| value.to_string()),
        S::Uint32 => first::<u32>(bytes).map(|value| value.to_string()),
        S::Uint64 => first::<u64>(bytes).map(|value| value.to_string()),
        S::Float32 => first::<f32>(bytes).map(real),
        S::Float64 => first::<f64>(bytes).map(real),
        S::Complex64 => first::<Complex<f32>>(bytes).map(|value| complex::shortest(value.real, value.imaginary)),
        S::Complex128 => first::<Complex<f64>>(bytes).map(|value| complex::shortest(value.real, value.imaginary)),
        S::Float16 => first::<Float16>(bytes).map(real),
        S::Bool8 => None,
    };
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::convert::stage::LARGE;
    use crate::array::convert::stage::tests::both_ways;
    use crate::array::tests::Lcg;

    fn convert<S: Element, T: Element>(
        types: (ScalarType, ScalarType),
        clamp: bool,
        values: &[S],
    ) -> std::result::Result<Vec<T>, usize> {
        let mut input = vec![0; values.len() * types.0.size()];
        S::split_mut(&mut input).iter_mut().zip(values).for_each(|(bytes, value)| *bytes = value.store());
        let mut output = vec![0; values.len() * types.1.size()];
        let convert = find(types.0, types.1).unwrap();
        convert(&input, &mut output, clamp, &mut Stage::none())?;
        Ok(T::split(&output).iter().map(|&bytes| T::load(bytes)).collect())
    }

    /// Tests integers around every power of two against exact arithmetic.
    #[test]
    fn integers_convert_exactly_or_not_at_all() {
        let mut values: Vec<i128> = (0..=64).flat_map(|bit| [-1, 0, 1].map(|by| (1i128 << bit) + by)).collect();
        values.extend(values.clone().iter().map(|value| -value));
        macro_rules! pair {
            ($from:ty, $from_type:ident => $($to:ty, $to_type:ident);*) => {
                for &value in &values {
                    let Ok(stored) = <$from>::try_from(value) else { continue };
                    $(if ScalarType::$from_type != ScalarType::$to_type {
                        let types = (ScalarType::$from_type, ScalarType::$to_type);
                        let found = convert::<$from, $to>(types, false, &[0, stored]);
                        match <$to>::try_from(value) {
                            Ok(expected) => assert_eq!(found, Ok(vec![0, expected])),
                            Err(_) => assert_eq!(found, Err(1), "{value} {types:?}"),
                        }
                        let limit = if value < 0 { <$to>::MIN } else { <$to>::MAX };
                        let expected = <$to>::try_from(value).unwrap_or(limit);
                        assert_eq!(convert::<$from, $to>(types, true, &[stored]), Ok(vec![expected]));
                    })*
                }
            };
        }
        macro_rules! all {
            ($($from:ty, $type:ident);*) => {
                $(pair!($from, $type => i8, Int8; i16, Int16; i32, Int32; i64, Int64; u8, Uint8; u16, Uint16; u32, Uint32; u64, Uint64);)*
            };
        }
        all!(i8, Int8; i16, Int16; i32, Int32; i64, Int64; u8, Uint8; u16, Uint16; u32, Uint32; u64, Uint64);
    }

    #[test]
    fn floats_convert_to_integers_only_if_integral() {
        use ScalarType::*;
        let fails = |value: f64| convert::<f64, i32>((Float64, Int32), false, &[value]).is_err();
        for value in [0.5, f64::NAN, f64::INFINITY, 2147483648.0, -2147483649.0, 1e300, -0.1] {
            assert!(fails(value), "{value}");
        }
        for value in [0.0, -0.0, 2147483647.0, -2147483648.0] {
            assert!(!fails(value), "{value}");
        }
        // As binary32 the largest int32 is 2^31, which does not fit.
        assert!(convert::<f32, i32>((Float32, Int32), false, &[i32::MAX as f32]).is_err());
        assert!(convert::<f64, i64>((Float64, Int64), false, &[9223372036854775808.0]).is_err());
        assert!(convert::<f64, u64>((Float64, Uint64), false, &[18446744073709551616.0]).is_err());
        assert_eq!(convert::<f64, u64>((Float64, Uint64), false, &[9223372036854775808.0]), Ok(vec![1 << 63]));
        assert_eq!(convert::<f64, u8>((Float64, Uint8), false, &[255.0]), Ok(vec![255]));
        assert!(convert::<f64, u8>((Float64, Uint8), false, &[256.0]).is_err());
        assert!(convert::<f64, u8>((Float64, Uint8), false, &[-1.0]).is_err());
        let clamped = convert::<f64, i8>((Float64, Int8), true, &[f64::NAN, 1e9, -1e9, 1.9, -1.9]);
        assert_eq!(clamped, Ok(vec![0, 127, -128, 1, -1]));
    }

    #[test]
    fn narrowing_floats_overflows_only_from_finite_to_infinite() {
        use ScalarType::*;
        let types = (Float64, Float32);
        assert_eq!(convert::<f64, f32>(types, false, &[1.0, 1e300]), Err(1));
        assert_eq!(
            convert::<f64, f32>(types, true, &[-1e300, f64::NEG_INFINITY]),
            Ok(vec![f32::MIN, f32::NEG_INFINITY])
        );
        let found = convert::<f64, f32>(types, false, &[f64::INFINITY, 0.1, 1e-300, f64::NAN]).unwrap();
        assert_eq!(found[..3], [f32::INFINITY, 0.1, 0.0]);
        assert!(found[3].is_nan());
    }

    #[test]
    fn numbers_convert_to_complex_and_bool_to_numbers() {
        use ScalarType::*;
        let found = convert::<i16, Complex<f32>>((Int16, Complex64), false, &[-7]).unwrap();
        assert_eq!((found[0].real, found[0].imaginary), (-7.0, 0.0));
        let convert = find(Bool8, Float64).unwrap();
        let mut output = [0; 24];
        convert(&[0, 1, 255], &mut output, false, &mut Stage::none()).unwrap();
        assert_eq!(f64::split(&output).iter().map(|&bytes| f64::load(bytes)).collect::<Vec<_>>(), [0.0, 1.0, 1.0]);
        for (source, target) in [(Complex128, Bool8), (Int8, Bool8), (Float64, Bool8)] {
            let error = find(source, target).err().unwrap();
            assert_eq!(error.status(), Status::Conversion);
        }
    }

    #[test]
    fn complex_numbers_convert_to_real_ones_without_imaginary_part() {
        use ScalarType::*;
        let complex = |real, imaginary| Complex { real, imaginary };
        let all = [complex(1.0, 0.0), complex(-2.0, -0.0), complex(0.5, 1e-300), complex(1e300, 0.0)];
        let to_f32 = |clamp, values: &[_]| convert::<Complex<f64>, f32>((Complex128, Float32), clamp, values);
        assert_eq!(to_f32(false, &all[..2]), Ok(vec![1.0, -2.0]));
        assert_eq!(to_f32(false, &all[..3]), Err(2));
        assert_eq!(to_f32(false, &[all[0], all[3]]), Err(1));
        assert_eq!(to_f32(false, &[complex(1.0, f64::NAN)]), Err(0));
        assert_eq!(to_f32(true, &all), Ok(vec![1.0, -2.0, 0.5, f32::MAX]));
        let types = (Complex64, Int8);
        assert_eq!(
            convert::<Complex<f32>, i8>(types, false, &[Complex { real: 1.5, imaginary: 0.0 }]),
            Err(0),
            "a fraction is lost"
        );
    }

    #[test]
    fn float16_accepts_all_values_that_it_can_represent() {
        use crate::float::Float16 as Half;
        use ScalarType::*;
        let from_f64 = |clamp, values: &[f64]| convert::<f64, Half>((Float64, Float16), clamp, values);
        let half = |value| Half::from_f64(value);
        assert_eq!(from_f64(false, &[1.0, 65519.0, f64::INFINITY]), Ok(vec![half(1.0), Half(0x7BFF), Half(0x7C00)]));
        assert_eq!(from_f64(false, &[0.1, -65520.0]), Err(1));
        assert_eq!(from_f64(true, &[-1e300, f64::NEG_INFINITY]), Ok(vec![Half(0xFBFF), Half(0xFC00)]));
        let types = (Int64, Float16);
        assert_eq!(convert::<i64, Half>(types, false, &[-7, 65519, i64::MAX]), Err(2));
        assert_eq!(convert::<i64, Half>(types, true, &[i64::MAX]), Ok(vec![Half(0x7BFF)]));
        let to_i16 = |values: &[Half]| convert::<Half, i16>((Float16, Int16), false, values);
        assert_eq!(to_i16(&[half(-7.0), half(0.5)]), Err(1));
        assert_eq!(to_i16(&[half(32752.0), half(-0.0)]), Ok(vec![32752, 0]));
        let found = convert::<Half, Complex<f64>>((Float16, Complex128), false, &[half(0.1)]).unwrap();
        assert_eq!((found[0].real, found[0].imaginary), (0.0999755859375, 0.0));
    }

    #[test]
    fn the_first_misfit_is_reported() {
        let mut values = vec![1i32; 5000];
        values[4321] = 40000;
        values[4400] = -40000;
        let input: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        let convert = find(ScalarType::Int32, ScalarType::Int16).unwrap();
        assert_eq!(convert(&input, &mut [0; 10000], false, &mut Stage::none()), Err(4321));
        assert_eq!(show(ScalarType::Int32, &input[4 * 4321..]), "40000");
    }

    #[test]
    fn float32_widens_at_every_length_and_alignment() {
        for count in 0..70 {
            let floats: Vec<f32> = (1..=count).map(|number| number as f32 / 8.0).collect();
            let expected: Vec<f64> = floats.iter().map(|&number| number.into()).collect();
            let convert = find(ScalarType::Float32, ScalarType::Float64).unwrap();
            both_ways(|| {
                for mut stage in [Stage::none(), Stage::for_size(LARGE)] {
                    let shift = count % 9;
                    let mut output = vec![0.0; shift + expected.len()];
                    let made = bytemuck::cast_slice_mut(&mut output[shift..]);
                    convert(bytemuck::cast_slice(&floats), made, false, &mut stage).unwrap();
                    drop(stage);
                    assert_eq!(output[shift..], expected);
                }
            });
        }
    }

    /// Tests whole runs against single elements, at every alignment, with and without optional instructions.
    #[test]
    fn runs_and_single_elements_convert_alike() {
        let mut random = Lcg(3);
        let pairs = ScalarType::ALL.iter().flat_map(|&from| ScalarType::ALL.iter().map(move |&to| (from, to)));
        for (from, to) in pairs {
            let Ok(convert) = find(from, to) else { continue };
            for clamp in [false, true] {
                let (shift, count) = (random.below(17) as usize, 2 * BATCH + random.below(60) as usize);
                // Small numbers, which fit, and an occasional large one.
                let mut input = random.bytes(shift + count * from.size());
                let small = random.below(3) > 0;
                input
                    .iter_mut()
                    .enumerate()
                    .filter(|(index, _)| small && index % 97 != 0)
                    .for_each(|(_, byte)| *byte = 0);
                let input = &input[shift..];
                let mut expected = vec![0; count * to.size()];
                let mut wrong = None;
                let elements = input.chunks_exact(from.size()).zip(expected.chunks_exact_mut(to.size()));
                for (index, (input, output)) in elements.enumerate() {
                    if convert(input, output, clamp, &mut Stage::none()).is_err() {
                        wrong.get_or_insert(index);
                    }
                }
                both_ways(|| {
                    for mut stage in [Stage::none(), Stage::for_size(LARGE)] {
                        let mut output = vec![0; shift + expected.len()];
                        let result = convert(input, &mut output[shift..], clamp, &mut stage);
                        drop(stage);
                        assert_eq!(result.err(), wrong, "{from} {to}");
                        let sure = wrong.unwrap_or(count) * to.size();
                        assert_eq!(output[shift..][..sure], expected[..sure], "{from} {to}");
                    }
                });
            }
        }
    }
}
