//! The filter `delta`: the first number, then the differences of consecutive numbers.

use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;
use std::fmt;

/// A type of numbers, as numpy names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    kind: Kind,
    size: usize,
    is_big: bool,
}

/// The type as numpy writes it.
impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match (self.size, self.is_big) {
            (1, _) => '|',
            (_, true) => '>',
            (_, false) => '<',
        };
        let kind = match self.kind {
            Kind::Signed => 'i',
            Kind::Unsigned => 'u',
            Kind::Float => 'f',
        };
        write!(formatter, "{order}{kind}{}", self.size)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Float,
}

impl Number {
    /// Reads a type such as `<i4`, `>f8` or `|u1`. Returns `None` for types without differences.
    pub(crate) fn parse(text: &str) -> Option<Number> {
        let (order, text) = match text.as_bytes().first()? {
            b'<' | b'>' | b'|' | b'=' => text.split_at_checked(1)?,
            _ => ("=", text),
        };
        let (kind, size) = text.split_at_checked(1)?;
        let (kind, sizes): (_, &[usize]) = match kind {
            "i" => (Kind::Signed, &[1, 2, 4, 8]),
            "u" => (Kind::Unsigned, &[1, 2, 4, 8]),
            "f" => (Kind::Float, &[4, 8]),
            _ => return None,
        };
        let size = size.parse().ok().filter(|size| sizes.contains(size))?;
        let is_big = order == ">" || order == "=" && cfg!(target_endian = "big");
        Some(Number { kind, size, is_big })
    }

    pub(super) fn is_integer(self) -> bool {
        self.kind != Kind::Float
    }

    /// Returns the integer at the start of the bytes, sign extended.
    fn integer(self, bytes: &[u8]) -> i64 {
        let mut value = [0; 8];
        for (at, byte) in value.iter_mut().zip(bytes) {
            *at = *byte;
        }
        if self.is_big {
            value[..self.size].reverse();
        }
        let value = i64::from_le_bytes(value);
        let unused = 64 - 8 * self.size as u32;
        match self.kind {
            Kind::Unsigned => value,
            Kind::Signed | Kind::Float => value << unused >> unused,
        }
    }

    fn put_integer(self, value: i64, out: &mut [u8]) {
        let mut value = value.to_le_bytes();
        if self.is_big {
            value[..self.size].reverse();
        }
        out.copy_from_slice(&value[..self.size]);
    }

    fn float(self, bytes: &[u8]) -> f64 {
        let bits = self.integer(bytes) as u64;
        match self.size {
            4 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    fn put_float(self, value: f64, out: &mut [u8]) {
        let bits = match self.size {
            4 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        self.put_integer(bits as i64, out);
    }
}

/// Differences of numbers, stored in a type of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Delta {
    number: Number,
    stored: Number,
}

impl Delta {
    /// Fails with [`Status::Unsupported`] if floats are stored as integers, or integers as floats.
    pub(crate) fn new(number: Number, stored: Number) -> Result<Delta> {
        if (number.kind == Kind::Float) != (stored.kind == Kind::Float) {
            let message = "the filter 'delta' between integers and floats is not supported";
            return Err(Error::new(Status::Unsupported, message));
        }
        Ok(Delta { number, stored })
    }

    /// Returns the types of the decoded and the encoded numbers.
    pub(super) fn types(&self) -> [Number; 2] {
        [self.number, self.stored]
    }

    pub(super) fn encoded_size(&self, size: u64) -> Result<u64> {
        let item = self.number.size as u64;
        let count = if size.is_multiple_of(item) { Some(size / item) } else { None };
        count.and_then(|count| count.checked_mul(self.stored.size as u64)).ok_or_else(|| {
            let message = format!("the filter 'delta' has numbers of {item} bytes, which do not fill the chunk");
            Error::new(Status::Unsupported, message)
        })
    }

    /// Fails with [`Status::Conversion`] if the differences do not lead back to the same numbers: those of floats are
    /// rounded, and a smaller type does not hold each difference.
    pub(super) fn encode(&self, decoded: &[u8]) -> Result<Vec<u8>> {
        let Delta { number, stored } = *self;
        let size = self.encoded_size(decoded.len() as u64)?;
        let mut encoded = try_zeroed(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?)?;
        let items = encoded.chunks_exact_mut(stored.size).zip(decoded.chunks_exact(number.size));
        if number.kind != Kind::Float {
            let mut last = 0_i64;
            for (out, item) in items {
                let next = number.integer(item);
                stored.put_integer(next.wrapping_sub(last), out);
                last = next;
            }
        } else {
            // numpy rounds each difference to the decoded type.
            let mut last: Option<f64> = None;
            for (out, item) in items {
                let next = number.float(item);
                let difference = last.map_or(next, |last| next - last);
                stored.put_float(if number.size == 4 { f64::from(difference as f32) } else { difference }, out);
                last = Some(next);
            }
        }
        let is_exact = number.kind != Kind::Float && stored.size == number.size;
        if !is_exact && self.decode(&encoded, decoded.len())? != decoded {
            let message = format!(
                "the filter 'delta' cannot keep the elements: differences of {number} are rounded or \
                                   do not fit {stored}"
            );
            return Err(Error::new(Status::Conversion, message));
        }
        Ok(encoded)
    }

    pub(super) fn decode(&self, encoded: &[u8], size: usize) -> Result<Vec<u8>> {
        let Delta { number, stored } = *self;
        let mut decoded = try_zeroed(size)?;
        let items = decoded.chunks_exact_mut(number.size).zip(encoded.chunks_exact(stored.size));
        if number.kind != Kind::Float {
            let mut sum = 0_i64;
            for (out, item) in items {
                sum = sum.wrapping_add(stored.integer(item));
                number.put_integer(sum, out);
            }
            return Ok(decoded);
        }
        // numpy rounds each sum to the decoded type, and keeps the sign of a first zero.
        let mut sum: Option<f64> = None;
        for (out, item) in items {
            let next = stored.float(item);
            let next = sum.map_or(next, |sum| sum + next);
            let next = if number.size == 4 { f64::from(next as f32) } else { next };
            number.put_float(next, out);
            sum = Some(next);
        }
        Ok(decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_summed_up() {
        let delta = |number: &str, stored: &str| {
            Delta::new(Number::parse(number).unwrap(), Number::parse(stored).unwrap()).unwrap()
        };
        let narrow = delta("<i4", "|i1");
        assert_eq!(narrow.encoded_size(12).unwrap(), 3);
        let numbers: Vec<u8> = [-5_i32, -6, 121].into_iter().flat_map(i32::to_le_bytes).collect();
        assert_eq!(narrow.decode(&[-5_i8 as u8, -1_i8 as u8, 127], 12).unwrap(), numbers);
        assert_eq!(narrow.encode(&numbers).unwrap(), [-5_i8 as u8, -1_i8 as u8, 127]);
        let wide: Vec<u8> = [1_i32, 130].into_iter().flat_map(i32::to_le_bytes).collect();
        assert_eq!(narrow.encode(&wide).unwrap_err().status(), Status::Conversion);
        let wrapping = delta("|u1", "|u1");
        assert_eq!(wrapping.decode(&[250, 10, 1], 3).unwrap(), [250, 4, 5]);
        assert_eq!(wrapping.encode(&[250, 4, 5]).unwrap(), [250, 10, 1]);
        let big = delta(">f4", ">f4");
        let stored: Vec<u8> = [1.5_f32, -0.25].into_iter().flat_map(f32::to_be_bytes).collect();
        let expected: Vec<u8> = [1.5_f32, 1.25].into_iter().flat_map(f32::to_be_bytes).collect();
        assert_eq!(big.decode(&stored, 8).unwrap(), expected);
        assert_eq!(big.encode(&expected).unwrap(), stored);
        let rounded: Vec<u8> = [1e10_f32, 1.0].into_iter().flat_map(f32::to_be_bytes).collect();
        assert_eq!(big.encode(&rounded).unwrap_err().status(), Status::Conversion);
        assert_eq!(narrow.encoded_size(13).unwrap_err().status(), Status::Unsupported);
        let mixed = Delta::new(Number::parse("<f4").unwrap(), Number::parse("<i4").unwrap());
        assert_eq!(mixed.unwrap_err().status(), Status::Unsupported);
        for text in ["<f2", "|b1", "<c8", "i", "", "<i3", "é"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }
}
