//! Round trips: every number reads back with the same bits from every notation, also by way of binary64.

use super::{DotZero, Float, Float16, Notation};
use std::fmt::{Debug, LowerExp};
use std::ops::{Neg, Range};
use std::str::FromStr;

/// The notation for parts of complex numbers, with the fewest digits in the exponent.
const BARE: Notation = Notation { dot_zero: DotZero::Never, exponent_digits: 1, ..Notation::PYTHON };
const NOTATIONS: [Notation; 3] = [Notation::PYTHON, Notation::YAML, BARE];

fn text(notation: Notation, number: impl Float) -> String {
    let mut out = String::new();
    notation.write(&mut out, number);
    out
}

/// A type that `str::parse` can read.
trait Parsed: Float + FromStr<Err: Debug> + LowerExp {
    fn bits(self) -> u64;
    fn of_wide(wide: f64) -> Self;
}

impl Parsed for f32 {
    fn bits(self) -> u64 {
        self.to_bits().into()
    }

    fn of_wide(wide: f64) -> f32 {
        wide as f32
    }
}

impl Parsed for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }

    fn of_wide(wide: f64) -> f64 {
        wide
    }
}

/// Checks that a non-negative number reads back with the same bits, and that the negative number differs only by `-`.
/// The text is written at the start of `out`, which is reused to save time. Returns its length.
fn check_value<T: Parsed + Neg<Output = T>>(number: T, notation: Notation, out: &mut String) -> usize {
    out.clear();
    notation.write(out, number);
    let end = out.len();
    notation.write(out, -number);
    let (text, negative) = out.split_at(end);
    assert_eq!(negative.strip_prefix('-'), Some(text));
    if number.is_finite() {
        assert_eq!(text.parse::<T>().unwrap().bits(), number.bits(), "{text}");
        assert_eq!(T::of_wide(text.parse().unwrap()).bits(), number.bits(), "{text} by way of binary64");
    } else {
        assert_eq!(text, notation.infinity);
    }
    end
}

/// Checks the value of a text and the places of its point and exponent.
fn check<T: Parsed + Neg<Output = T>>(number: T, notation: Notation, out: &mut String) {
    let end = check_value(number, notation, out);
    let text = &out[..end];
    let exponent = text.find('e').map(|at| &text[at + 1..]);
    let needs_point = match notation.dot_zero {
        DotZero::Never => false,
        DotZero::WithoutExponent => exponent.is_none(),
        DotZero::Always => true,
    };
    assert!(text.contains('.') || !needs_point || !number.is_finite(), "{text}");
    let Some(exponent) = exponent else { return };
    assert!(exponent.starts_with(['+', '-']) && exponent.len() > notation.exponent_digits, "{text}");
    let exponent: i32 = exponent.parse().unwrap();
    assert!(!(-4..16).contains(&exponent) && text.find('.').is_none_or(|at| at == 1), "{text}");
}

fn check_in_each_notation<T: Parsed + Neg<Output = T>>(number: T, out: &mut String) {
    NOTATIONS.into_iter().for_each(|notation| check(number, notation, out));
}

/// Returns the digits and the exponent of a text.
fn digits(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let shown = digits.trim_start_matches('0');
    let exponent = exponent.parse::<i32>().unwrap() + whole.len() as i32 - 1 - (digits.len() - shown.len()) as i32;
    (shown.trim_end_matches('0').to_owned(), if shown.is_empty() { 0 } else { exponent })
}

/// Compares the digits with those of the standard library. For ties it rounds up, while this library rounds to even, as
/// Python does.
fn check_digits<T: Parsed>(number: T) {
    let ours = text(Notation::PYTHON, number);
    let [(found, exponent), (expected, expected_exponent)] = [&ours, &format!("{number:e}")].map(|text| digits(text));
    assert_eq!((found.len(), exponent), (expected.len(), expected_exponent), "{ours}");
    if !found.is_empty() {
        assert!(found == expected || found.parse::<u64>().unwrap() + 1 == expected.parse().unwrap(), "{ours}");
    }
    // A number has no exponent if and only if its digits are in the range.
    assert_eq!(ours.contains('e'), !(-4..16).contains(&digits(&ours).1), "{ours}");
}

/// Checks all binary32 numbers with these bits and their negatives, each in one of the notations.
fn check_all(bits: Range<u32>) {
    let mut out = String::new();
    for (bits, notation) in bits.zip(NOTATIONS.into_iter().cycle()) {
        check_value(f32::from_bits(bits), notation, &mut out);
    }
}

/// Returns the bits around the limits of each exponent and around each power of ten.
fn edges<T: Parsed>(exponents: u64, fraction_bits: u32, power: impl Fn(&str) -> T) -> impl Iterator<Item = u64> {
    let half = 1u64 << (fraction_bits - 1);
    let of_exponents = (0..exponents).flat_map(move |exponent| {
        let first = exponent << fraction_bits;
        [first.wrapping_sub(2), first.wrapping_sub(1), first, first + 1, first + 2, first + half - 1, first + half]
    });
    let of_powers = (-330..=309)
        .flat_map(|exponent| (1..10).map(move |digit| format!("{digit}e{exponent}")))
        .map(move |text| power(&text).bits())
        .flat_map(|bits| [bits.wrapping_sub(1), bits, bits + 1]);
    let infinity = exponents << fraction_bits;
    of_exponents.chain(of_powers).filter(move |&bits| bits <= infinity)
}

#[test]
fn edges_and_a_spread_of_binary32_read_back() {
    let mut out = String::new();
    let edges = edges::<f32>(255, 23, |text| text.parse().unwrap());
    for bits in edges.map(|bits| bits as u32).chain((0..=f32::INFINITY.to_bits()).step_by(40_009)) {
        let number = f32::from_bits(bits);
        check_in_each_notation(number, &mut out);
        if number.is_finite() && bits != 0x15AE_43FD {
            check_digits(number);
        }
    }
    assert_eq!(text(Notation::PYTHON, f32::from_bits(0x15AE_43FD)), "7.0385307e-26");
    assert_eq!(text(Notation::YAML, f32::from_bits(0x95AE_43FD)), "-7.0385307e-26");
}

#[test]
fn edges_and_random_binary64_read_back() {
    let mut out = String::new();
    let random = random_bits(2).take(100_000).map(|bits| bits >> 1);
    for bits in edges::<f64>(2047, 52, |text| text.parse().unwrap()).chain(random) {
        let number = f64::from_bits(bits);
        if !number.is_nan() {
            check_in_each_notation(number, &mut out);
        }
        if number.is_finite() {
            check_digits(number);
        }
    }
}

#[test]
fn every_binary16_number_reads_back_from_its_five_digits_at_most() {
    for bits in 0..=u16::MAX {
        let number = Float16(bits);
        for notation in NOTATIONS {
            let text = text(notation, number);
            if !number.is_finite() {
                assert_eq!(text, notation.non_finite(number));
                continue;
            }
            let wide: f64 = text.parse().unwrap();
            assert_eq!(Float16::from_f64(wide).0, bits, "{text}");
            assert_eq!(Float16::from_f64(text.parse::<f32>().unwrap().into()).0, bits, "{text} by way of binary32");
            let (digits, exponent) = digits(text.trim_start_matches('-'));
            assert!(digits.len() <= 5, "{text}");
            assert_eq!(text.contains('e'), !(-4..16).contains(&exponent), "{text}");
        }
    }
}

#[test]
fn numbers_end_as_the_notation_has_it() {
    let cases = [
        (0.0, "0.0", "0.0", "0"),
        (-0.0, "-0.0", "-0.0", "-0"),
        (100.0, "100.0", "100.0", "100"),
        (1e15, "1000000000000000.0", "1000000000000000.0", "1000000000000000"),
        (9999999999999998.0, "9999999999999998.0", "9999999999999998.0", "9999999999999998"),
        (1e16, "1e+16", "1.0e+16", "1e+16"),
        (1e-4, "0.0001", "0.0001", "0.0001"),
        (0.00012345, "0.00012345", "0.00012345", "0.00012345"),
        (9.999e-5, "9.999e-05", "9.999e-05", "9.999e-5"),
        (-1e-5, "-1e-05", "-1.0e-05", "-1e-5"),
        (5e-324, "5e-324", "5.0e-324", "5e-324"),
        (f64::NAN, "nan", ".nan", "nan"),
        (f64::INFINITY, "inf", ".inf", "inf"),
        (f64::NEG_INFINITY, "-inf", "-.inf", "-inf"),
    ];
    for (number, python, yaml, bare) in cases {
        assert_eq!(NOTATIONS.map(|notation| text(notation, number)), [python, yaml, bare]);
    }
    assert_eq!(text(Notation::PYTHON, 1e-4f32), "0.0001");
    assert_eq!(text(Notation::PYTHON, 1e-4f32.next_down()), "9.999999e-05");
    assert_eq!(text(BARE, -1e14f32), "-100000000000000");
    assert_eq!(text(Notation::PYTHON, 1e16f32.next_down()), "9999999000000000.0");
    assert_eq!(text(Notation::PYTHON, 1e16f32), "1e+16");
}

/// Returns pseudorandom bits, always the same for a seed.
fn random_bits(mut seed: u64) -> impl Iterator<Item = u64> {
    std::iter::repeat_with(move || {
        seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (seed ^ seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    })
}

#[test]
#[ignore = "slow: 2^32 numbers"]
fn every_binary32_number_reads_back() {
    let infinity = f32::INFINITY.to_bits();
    // Numbers without an exponent take less time than others; small shares balance the threads.
    let share = (infinity + 1).div_ceil(256);
    let next = std::sync::atomic::AtomicU32::new(0);
    let work = || {
        loop {
            let from = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed) * share;
            if from > infinity {
                break;
            }
            check_all(from..(from + share).min(infinity + 1));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
}

#[test]
#[ignore = "slow: 10^7 numbers"]
fn many_random_binary64_numbers_read_back() {
    let mut out = String::new();
    for bits in random_bits(64).take(10_000_000) {
        let number = f64::from_bits(bits >> 1);
        if number.is_finite() {
            check_in_each_notation(number, &mut out);
            check_digits(number);
        }
    }
}
