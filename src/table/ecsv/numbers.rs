//! Numbers and truth values as text: the fewest digits that read back to the same bits, spelled as Python spells them.

use crate::array::Float16;
use crate::table::Values;

/// How what is no finite number is spelled.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    truths: [&'static str; 2],
    nan: &'static str,
    infinity: &'static str,
    negative_infinity: &'static str,
}

impl Spelling {
    /// As fields have it.
    pub(super) const FIELD: Spelling =
        Spelling { truths: ["False", "True"], nan: "nan", infinity: "inf", negative_infinity: "-inf" };
    /// As Python has it in JSON.
    pub(super) const JSON: Spelling =
        Spelling { truths: ["false", "true"], nan: "NaN", infinity: "Infinity", negative_infinity: "-Infinity" };
    /// As JSON allows it.
    pub(super) const STRICT_JSON: Spelling =
        Spelling { truths: ["false", "true"], nan: "null", infinity: "null", negative_infinity: "null" };

    /// What stands for a number that is not finite.
    pub(super) fn special(&self, value: f64) -> &'static str {
        if value.is_nan() {
            self.nan
        } else if value > 0.0 {
            self.infinity
        } else {
            self.negative_infinity
        }
    }

    /// Appends the element at this place; nothing for text, and where there is none.
    #[inline]
    pub(super) fn write(&self, out: &mut Vec<u8>, values: &Values, index: usize) {
        macro_rules! integer {
            ($items:expr) => {
                if let Some(&value) = $items.get(index) {
                    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
                }
            };
        }
        macro_rules! with {
            ($items:expr, $write:expr) => {
                if let Some(&value) = $items.get(index) {
                    $write(value);
                }
            };
        }
        match values {
            Values::Bool8(items) => {
                with!(items, |value| out.extend_from_slice(self.truths[usize::from(value != 0)].as_bytes()));
            }
            Values::Int8(items) => integer!(items),
            Values::Int16(items) => integer!(items),
            Values::Int32(items) => integer!(items),
            Values::Int64(items) => integer!(items),
            Values::Uint8(items) => integer!(items),
            Values::Uint16(items) => integer!(items),
            Values::Uint32(items) => integer!(items),
            Values::Uint64(items) => integer!(items),
            Values::Float16(items) => with!(items, |value| self.write_f16(out, Float16(value))),
            Values::Float32(items) => with!(items, |value| self.write_float(out, value, f64::from(value))),
            Values::Float64(items) => with!(items, |value| self.write_float(out, value, value)),
            Values::Complex64(items) => with!(items, |parts| self.write_complex(out, parts)),
            Values::Complex128(items) => with!(items, |parts| self.write_complex(out, parts)),
            Values::Text(_) => {}
        }
    }

    #[inline]
    fn write_float(&self, out: &mut Vec<u8>, value: impl zmij::Float, wide: f64) {
        if !wide.is_finite() {
            return out.extend_from_slice(self.special(wide).as_bytes());
        }
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value);
        if wide.abs() < 1e-4 && wide != 0.0 {
            write_small(out, text);
        } else {
            out.extend_from_slice(text.as_bytes());
        }
    }

    fn write_f16(&self, out: &mut Vec<u8>, value: Float16) {
        let wide = f64::from(value.to_f32());
        // Five digits tell any two binary16 numbers apart.
        let roundings = (0..5).filter_map(|digits| format!("{wide:.digits$e}").parse::<f64>().ok());
        let short = roundings.filter(|_| wide.is_finite()).find(|&short| Float16::from_f64(short) == value);
        let short = short.unwrap_or(wide);
        self.write_float(out, short, short);
    }

    /// Only a real part that is zero and positive is left out, as that is what readers take for it.
    fn write_complex<T: zmij::Float + Into<f64> + Copy>(&self, out: &mut Vec<u8>, [real, imaginary]: [T; 2]) {
        let (wide_real, wide_imaginary): (f64, f64) = (real.into(), imaginary.into());
        let has_real = wide_real != 0.0 || wide_real.is_sign_negative();
        if has_real {
            out.push(b'(');
            self.write_part(out, real, wide_real);
            if wide_imaginary.is_nan() || wide_imaginary.is_sign_positive() {
                out.push(b'+');
            }
        }
        self.write_part(out, imaginary, wide_imaginary);
        out.extend_from_slice(if has_real { b"j)" } else { b"j" });
    }

    /// A part of a complex number, whose fraction is left out if there is none.
    fn write_part(&self, out: &mut Vec<u8>, value: impl zmij::Float, wide: f64) {
        self.write_float(out, value, wide);
        if out.ends_with(b".0") {
            out.truncate(out.len() - 2);
        }
    }
}

/// Appends a number of less than a ten-thousandth, which has an exponent of at least two digits.
fn write_small(out: &mut Vec<u8>, text: &str) {
    match text.split_once("e-") {
        Some((digits, exponent)) => {
            out.extend_from_slice(digits.as_bytes());
            out.extend_from_slice(if exponent.len() < 2 { b"e-0" } else { b"e-" });
            out.extend_from_slice(exponent.as_bytes());
        }
        None => {
            let (sign, places) = text.split_once("0.0000").unwrap_or(("", text));
            let (first, rest) = places.split_at_checked(1).unwrap_or((places, ""));
            let point = if rest.is_empty() { "" } else { "." };
            for part in [sign, first, point, rest, "e-05"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(spelling: Spelling, values: Values) -> Vec<String> {
        let texts = (0..values.len()).map(|index| {
            let mut out = Vec::new();
            spelling.write(&mut out, &values, index);
            String::from_utf8(out).unwrap()
        });
        texts.collect()
    }

    #[test]
    fn numbers_are_short_and_exact() {
        let floats =
            vec![0.0, -0.0, 1.0, 0.1, 1e16, 1e15, 1e-4, 5e-324, f64::MAX, f64::NAN, f64::INFINITY, -f64::INFINITY];
        let expected = "0.0 -0.0 1.0 0.1 1e+16 1000000000000000.0 0.0001 5e-324 1.7976931348623157e+308 nan inf -inf";
        assert_eq!(text(Spelling::FIELD, Values::Float64(floats.clone())).join(" "), expected);
        let small = vec![1e-5, -1.25e-5, 9.999999e-5, 1e-6, -2.5e-9, 1e-10];
        let expected = ["1e-05", "-1.25e-05", "9.999999e-05", "1e-06", "-2.5e-09", "1e-10"];
        assert_eq!(text(Spelling::JSON, Values::Float64(small)), expected);
        assert_eq!(text(Spelling::FIELD, Values::Float32(vec![1e-5, 1e-7])), ["1e-05", "1e-07"]);
        assert_eq!(text(Spelling::JSON, Values::Float64(floats.clone()))[9..], ["NaN", "Infinity", "-Infinity"]);
        assert_eq!(text(Spelling::STRICT_JSON, Values::Float64(floats))[9..], ["null", "null", "null"]);
        assert_eq!(text(Spelling::FIELD, Values::Float32(vec![0.1, 16_777_216.0])), ["0.1", "16777216.0"]);
        assert_eq!(text(Spelling::FIELD, Values::Int64(vec![i64::MIN, 7])), ["-9223372036854775808", "7"]);
        assert_eq!(text(Spelling::FIELD, Values::Bool8(vec![0, 1])), ["False", "True"]);
        assert_eq!(text(Spelling::JSON, Values::Bool8(vec![0, 1])), ["false", "true"]);
        let complex = vec![
            [1.0, 2.0],
            [-0.0, -0.0],
            [f64::NAN, -f64::NAN],
            [f64::INFINITY, -f64::INFINITY],
            [0.0, -1.5],
            [0.0, 0.0],
            [1e-5, 1e16],
        ];
        let expected = ["(1+2j)", "(-0-0j)", "(nan+nanj)", "(inf-infj)", "-1.5j", "0j", "(1e-05+1e+16j)"];
        assert_eq!(text(Spelling::FIELD, Values::Complex128(complex)), expected);
        assert_eq!(text(Spelling::FIELD, Values::Complex64(vec![[0.1, -1.5]])), ["(0.1-1.5j)"]);
    }

    #[test]
    fn every_binary16_number_comes_back_from_five_digits() {
        let all: Vec<u16> = (0..=u16::MAX).collect();
        for (bits, text) in all.iter().zip(text(Spelling::FIELD, Values::Float16(all.clone()))) {
            let number: f64 = text.parse().unwrap();
            let back = Float16::from_f64(number);
            assert!(back == Float16(*bits) || number.is_nan() && back.0 & 0x7C00 == 0x7C00, "{bits:04x} {text}");
            assert!(
                text.trim_start_matches(['-', '0', '.']).chars().filter(char::is_ascii_digit).count() <= 7,
                "{text}"
            );
        }
        let short = text(Spelling::FIELD, Values::Float16(vec![0x2E66, 0x3C00, 0x7BFF, 0xFC00]));
        assert_eq!(short, ["0.1", "1.0", "65500.0", "-inf"]);
    }
}
