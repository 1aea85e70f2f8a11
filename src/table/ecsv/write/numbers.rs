//! Writes numbers and truth values as text, spelled as in Python.

use crate::float::{DotZero, Float, Float16, Notation};
use crate::table::Values;

/// Spelling of elements.
#[derive(Clone, Copy)]
pub(crate) struct Spelling {
    truths: [&'static str; 2],
    floats: Notation,
}

impl Spelling {
    /// Spelling in fields.
    pub(crate) const FIELD: Spelling = Spelling { truths: ["False", "True"], floats: Notation::PYTHON };
    /// Spelling in JSON as Python writes it.
    pub(super) const JSON: Spelling = Spelling {
        truths: ["false", "true"],
        floats: Notation { nan: "NaN", infinity: "Infinity", negative_infinity: "-Infinity", ..Notation::PYTHON },
    };
    /// Spelling in standard JSON.
    pub(super) const STRICT_JSON: Spelling = Spelling {
        truths: ["false", "true"],
        floats: Notation { nan: "null", infinity: "null", negative_infinity: "null", ..Notation::PYTHON },
    };

    /// Returns the text for a number that is not finite.
    pub(super) fn non_finite(&self, value: f64) -> &'static str {
        self.floats.non_finite(value)
    }

    /// Appends the element at `index`. Appends nothing for text, or if there is no such element.
    #[inline]
    pub(crate) fn write(&self, out: &mut Vec<u8>, values: &Values, index: usize) {
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
            Values::Float16(items) => with!(items, |value| self.floats.write(out, Float16(value))),
            Values::Float32(items) => with!(items, |value| self.floats.write(out, value)),
            Values::Float64(items) => with!(items, |value| self.floats.write(out, value)),
            Values::Complex64(items) => with!(items, |parts| self.write_complex(out, parts)),
            Values::Complex128(items) => with!(items, |parts| self.write_complex(out, parts)),
            Values::Text(_) => {}
        }
    }

    /// Omits the real part only if it is +0, since readers assume +0 for a missing one.
    fn write_complex<T: Float + Into<f64>>(&self, out: &mut Vec<u8>, [real, imaginary]: [T; 2]) {
        let part = Notation { dot_zero: DotZero::Never, ..self.floats };
        if real.into() == 0.0 && !real.is_negative() {
            part.write(out, imaginary);
            return out.push(b'j');
        }
        out.push(b'(');
        part.write(out, real);
        part.write_signed(out, imaginary);
        out.extend_from_slice(b"j)");
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
        // The number is slightly below 1e-4, but its shortest digits are not.
        assert_eq!(text(Spelling::FIELD, Values::Float32(vec![1e-4, -1e-4])), ["0.0001", "-0.0001"]);
        assert_eq!(text(Spelling::FIELD, Values::Complex64(vec![[1e-4, -1e-4]])), ["(0.0001-0.0001j)"]);
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
    fn every_binary16_number_round_trips_with_five_digits() {
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
