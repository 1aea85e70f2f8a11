//! Stored values of an HDU as elements of an array: unsigned integers, scaled values, logicals and texts.
//!
//! Stored values and elements are big-endian.

/// Conversion of stored values into elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Conversion {
    /// Values of this many bytes that are elements.
    Copy(usize),
    /// Integers of this many bytes whose range is moved by half: the offset of unsigned integers, and of signed bytes.
    FlipSign(usize),
    /// Numbers of this many bytes, for a FITS file.
    Arrange {
        size: usize,
        /// True if their bytes are in the opposite order.
        is_swapped: bool,
        /// True if their range is moved by half.
        is_flipped: bool,
    },
    /// Scaled numbers.
    Scale(Scaling),
    /// `T` for true.
    Logical,
    /// Texts of this many bytes, padded with blanks, or ended by NUL.
    Text(usize),
}

/// Scale and offset of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scaling {
    /// Bytes of a stored number, negative for floats.
    pub(super) width: i64,
    pub(super) scale: f64,
    pub(super) zero: f64,
    /// Stored integer that means a missing value.
    pub(super) blank: Option<i64>,
    /// True if elements are float64, not float32.
    pub(super) is_wide: bool,
}

impl Conversion {
    /// Bytes of a stored value.
    pub(super) fn stored_size(&self) -> usize {
        match self {
            Conversion::Copy(size) | Conversion::FlipSign(size) | Conversion::Text(size) => *size,
            Conversion::Arrange { size, .. } => *size,
            Conversion::Scale(scaling) => scaling.width.unsigned_abs() as usize,
            Conversion::Logical => 1,
        }
    }

    /// Bytes of an element.
    pub(super) fn size(&self) -> usize {
        match self {
            Conversion::Scale(Scaling { is_wide: true, .. }) => 8,
            Conversion::Scale(_) => 4,
            other => other.stored_size(),
        }
    }

    /// Converts values. Both slices hold the same number of them.
    pub(super) fn convert(&self, stored: &[u8], elements: &mut [u8]) {
        match *self {
            Conversion::Copy(_) => elements.copy_from_slice(stored),
            Conversion::FlipSign(size) => {
                elements.copy_from_slice(stored);
                elements.iter_mut().step_by(size.max(1)).for_each(|byte| *byte ^= 0x80);
            }
            Conversion::Arrange { size, is_swapped, is_flipped } => {
                elements.copy_from_slice(stored);
                for number in elements.chunks_exact_mut(size.max(1)) {
                    if is_swapped {
                        number.reverse();
                    }
                    if let Some(byte) = number.first_mut().filter(|_| is_flipped) {
                        *byte ^= 0x80;
                    }
                }
            }
            Conversion::Scale(scaling) => scaling.convert(stored, elements),
            Conversion::Logical => {
                stored.iter().zip(elements).for_each(|(stored, element)| *element = u8::from(*stored == b'T'));
            }
            Conversion::Text(size) => {
                elements.copy_from_slice(stored);
                elements.chunks_exact_mut(size.max(1)).for_each(end_text);
            }
        }
    }
}

/// Replaces blanks at the end of a text, and everything from the first NUL on, by NULs.
fn end_text(text: &mut [u8]) {
    let length = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    let blanks = text.iter().take(length).rev().take_while(|&&byte| byte == b' ').count();
    text.iter_mut().skip(length - blanks).for_each(|byte| *byte = 0);
}

impl Scaling {
    fn convert(&self, stored: &[u8], elements: &mut [u8]) {
        match self.width {
            1 => self.integers(stored, elements, u8::from_be_bytes),
            2 => self.integers(stored, elements, i16::from_be_bytes),
            4 => self.integers(stored, elements, i32::from_be_bytes),
            8 => self.integers(stored, elements, i64::from_be_bytes),
            -4 => self.floats(stored, elements, f32::from_be_bytes),
            _ => self.floats(stored, elements, f64::from_be_bytes),
        }
    }

    fn integers<const SIZE: usize, T: Into<Stored>>(
        &self,
        stored: &[u8],
        elements: &mut [u8],
        read: impl Fn([u8; SIZE]) -> T,
    ) {
        let blank = self.blank;
        self.write(stored, elements, |bytes| match read(bytes).into().0 {
            integer if Some(integer) == blank => None,
            integer => Some((integer as f64, integer as f32)),
        });
    }

    fn floats<const SIZE: usize, T: Into<f64>>(
        &self,
        stored: &[u8],
        elements: &mut [u8],
        read: impl Fn([u8; SIZE]) -> T,
    ) {
        self.write(stored, elements, |bytes| {
            let number = read(bytes).into();
            Some((number, number as f32))
        });
    }

    /// Writes scaled numbers. Each step is rounded in the type of the elements, as astropy does.
    fn write<const SIZE: usize>(
        &self,
        stored: &[u8],
        elements: &mut [u8],
        read: impl Fn([u8; SIZE]) -> Option<(f64, f32)>,
    ) {
        let (stored, (scale, zero)) = (stored.as_chunks::<SIZE>().0, (self.scale, self.zero));
        // The sum with 0 would change the sign of -0.
        let has_zero = zero != 0.0;
        if self.is_wide {
            let scaled = |number: f64| if has_zero { number * scale + zero } else { number * scale };
            for (bytes, element) in stored.iter().zip(elements.as_chunks_mut::<8>().0) {
                *element = read(*bytes).map_or(f64::NAN, |(number, _)| scaled(number)).to_be_bytes();
            }
            return;
        }
        let (scale, zero) = (scale as f32, zero as f32);
        let scaled = |number: f32| if has_zero { number * scale + zero } else { number * scale };
        for (bytes, element) in stored.iter().zip(elements.as_chunks_mut::<4>().0) {
            *element = read(*bytes).map_or(f32::NAN, |(_, number)| scaled(number)).to_be_bytes();
        }
    }
}

/// A stored integer.
struct Stored(i64);

macro_rules! stored {
    ($($type:ty)*) => {
        $(impl From<$type> for Stored {
            fn from(integer: $type) -> Stored {
                Stored(i64::from(integer))
            }
        })*
    };
}

stored!(u8 i16 i32 i64);
