//! Bits of a stream, first bit highest. They end at the end of the stream.

/// A place among the bits of a stream.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Offset in bits.
    position: usize,
}

/// Bits that a look into the stream always has.
const LOOK: u32 = 57;

impl<'a> Bits<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Bits<'a> {
        Bits { bytes, position: 0 }
    }

    /// Returns the next bits, the first one highest; zeros stand for those behind the end.
    fn look(&self) -> u64 {
        let rest = self.bytes.get(self.position / 8..).unwrap_or_default();
        let word = match rest.first_chunk() {
            Some(word) => u64::from_be_bytes(*word),
            None => rest.iter().rev().fold(0, |word, byte| word >> 8 | u64::from(*byte) << 56),
        };
        word << (self.position % 8)
    }

    /// Skips bits. Returns `None` if the stream has fewer.
    pub(super) fn skip(&mut self, count: usize) -> Option<()> {
        let position = self.position.checked_add(count).filter(|&end| end.div_ceil(8) <= self.bytes.len())?;
        self.position = position;
        Some(())
    }

    /// Reads a number of 1 to 32 bits.
    pub(super) fn take(&mut self, count: u32) -> Option<u32> {
        let number = self.look() >> (64 - count);
        self.skip(count as usize)?;
        u32::try_from(number).ok()
    }

    /// Skips a code of RICE: zeros, a one, and low bits.
    pub(super) fn skip_code(&mut self, low: u32) -> Option<()> {
        let mut zeros = self.look().leading_zeros();
        while zeros >= LOOK {
            self.skip(LOOK as usize)?;
            zeros = self.look().leading_zeros();
        }
        self.skip((zeros + 1 + low) as usize)
    }

    /// Moves on to the next byte, unless the place is at the begin of one.
    pub(super) fn align(&mut self) {
        self.position = self.position.next_multiple_of(8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_to_the_end() {
        let mut bits = Bits::new(&[0b1010_0000, 0, 0, 0, 0, 0, 0, 0, 0b0000_0011]);
        assert_eq!(bits.take(3), Some(0b101));
        assert_eq!(bits.skip_code(1), Some(()));
        assert_eq!(bits.take(1), None);
        bits = Bits::new(&[0xf0, 0x12]);
        assert_eq!(bits.take(4), Some(15));
        assert_eq!(bits.take(12), Some(0x012));
        assert_eq!(bits.skip(1), None);
        bits = Bits::new(&[0; 20]);
        assert_eq!(bits.skip_code(0), None);
        bits = Bits::new(&[0xff, 0x80]);
        bits.take(1).unwrap();
        bits.align();
        assert_eq!(bits.take(8), Some(0x80));
    }
}
