//! Validity bitmap: one bit for each cell or element, 1 if it is present, 0 if it is missing.

use crate::error::{Error, Result};

/// List of bits, eight in a byte, the first in the lowest bit, as in Arrow. The unused bits of the last byte are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bitmap {
    bytes: Vec<u8>,
    length: usize,
}

impl Bitmap {
    /// Makes a bitmap of `length` bits of the same value.
    pub fn filled(value: bool, length: usize) -> Result<Bitmap> {
        let mut bitmap = Bitmap::default();
        bitmap.extend(value, length)?;
        Ok(bitmap)
    }

    /// Returns the number of bits.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the packed bits.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bit at `index`, or false if `index` is not less than the length.
    pub fn get(&self, index: usize) -> bool {
        self.bytes.get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
    }

    /// Appends a bit.
    pub fn push(&mut self, value: bool) -> Result<()> {
        if self.length.is_multiple_of(8) {
            self.bytes.try_reserve(1).map_err(|_| Error::out_of_memory(1))?;
            self.bytes.push(0);
        }
        if let (true, Some(last)) = (value, self.bytes.last_mut()) {
            *last |= 1 << (self.length % 8);
        }
        self.length += 1;
        Ok(())
    }

    /// Appends the same bit `count` times.
    pub fn extend(&mut self, value: bool, count: usize) -> Result<()> {
        let mut left = count;
        while left > 0 && !self.length.is_multiple_of(8) {
            self.push(value)?;
            left -= 1;
        }
        let whole = left / 8;
        self.bytes.try_reserve(whole).map_err(|_| Error::out_of_memory(whole as u64))?;
        self.bytes.resize(self.bytes.len() + whole, if value { 0xFF } else { 0 });
        self.length += whole * 8;
        for _ in 0..left % 8 {
            self.push(value)?;
        }
        Ok(())
    }

    /// Appends all bits of another bitmap.
    pub(crate) fn append(&mut self, other: &Bitmap) -> Result<()> {
        let shift = self.length % 8;
        self.bytes.try_reserve(other.bytes.len()).map_err(|_| Error::out_of_memory(other.bytes.len() as u64))?;
        if shift == 0 {
            self.bytes.extend_from_slice(&other.bytes);
        } else {
            for &byte in &other.bytes {
                if let Some(last) = self.bytes.last_mut() {
                    *last |= byte << shift;
                }
                self.bytes.push(byte >> (8 - shift));
            }
        }
        self.length += other.length;
        self.bytes.truncate(self.length.div_ceil(8));
        Ok(())
    }

    /// Sets the bit at `index`. Does nothing if `index` is not less than the length.
    pub fn set(&mut self, index: usize, value: bool) {
        if let (true, Some(byte)) = (index < self.length, self.bytes.get_mut(index / 8)) {
            let bit = 1 << (index % 8);
            *byte = if value { *byte | bit } else { *byte & !bit };
        }
    }

    /// Returns the number of bits that are 0.
    pub(crate) fn count_zeros(&self) -> usize {
        let ones: u64 = self.bytes.iter().map(|byte| u64::from(byte.count_ones())).sum();
        self.length - ones as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_round_trip() {
        let mut bitmap = Bitmap::filled(true, 3).unwrap();
        bitmap.push(false).unwrap();
        bitmap.extend(true, 17).unwrap();
        bitmap.extend(false, 10).unwrap();
        bitmap.push(true).unwrap();
        let expected: Vec<bool> = (0..32).map(|i| i != 3 && !(21..31).contains(&i)).collect();
        assert_eq!((0..bitmap.len()).map(|i| bitmap.get(i)).collect::<Vec<_>>(), expected);
        assert_eq!(bitmap.count_zeros(), 11);
        bitmap.set(3, true);
        bitmap.set(0, false);
        bitmap.set(99, true);
        assert_eq!((bitmap.get(0), bitmap.get(3), bitmap.get(99), bitmap.count_zeros()), (false, true, false, 11));
        assert_eq!(bitmap.bytes().len(), 4);
    }

    #[test]
    fn bitmaps_of_any_length_are_appended() {
        let made = |length: usize, of: usize| {
            let mut bitmap = Bitmap::default();
            (0..length).for_each(|bit| bitmap.push(bit % of == 0).unwrap());
            bitmap
        };
        for (one, other) in (0..20).flat_map(|one| (0..20).map(move |other| (one, other))) {
            let mut both = made(one, 3);
            both.append(&made(other, 2)).unwrap();
            let mut expected = made(one, 3);
            (0..other).for_each(|bit| expected.push(bit % 2 == 0).unwrap());
            assert_eq!(both, expected);
        }
    }
}
