//! Elements of images: types, scaling, undefined pixels.

use super::header::Header;
use crate::element::{Element, flip_sign, swap_into};

/// Conversion of the numbers of an image to elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scaling {
    /// The stored numbers are the elements.
    Plain,
    /// The stored numbers are integers with an offset of half of their range.
    Offset,
    /// Elements are floats: number × scale + zero, and NaN for undefined pixels.
    Physical { scale: f64, zero: f64, blank: Option<i64> },
}

/// Stored type and scaling of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImageForm {
    pub(crate) bitpix: i64,
    pub(crate) scaling: Scaling,
}

impl ImageForm {
    /// Form of an image, from BITPIX (or ZBITPIX), BSCALE, BZERO and BLANK.
    pub(crate) fn of(header: &Header, bitpix: i64) -> ImageForm {
        let scale = header.float("BSCALE").unwrap_or(1.0);
        let zero = header.float("BZERO").unwrap_or(0.0);
        let blank = header.integer("BLANK").filter(|_| bitpix > 0);
        let scaling = if scale == 1.0 && Some(zero) == offset(bitpix) {
            Scaling::Offset
        } else if scale == 1.0 && zero == 0.0 && blank.is_none() {
            Scaling::Plain
        } else {
            Scaling::Physical { scale, zero, blank }
        };
        ImageForm { bitpix, scaling }
    }

    /// Form that stores elements of a type. `None` for types that no image has.
    pub(crate) fn storing(element: Element) -> Option<ImageForm> {
        let (bitpix, scaling) = match element {
            Element::Uint8 | Element::Bool8 => (8, Scaling::Plain),
            Element::Int8 => (8, Scaling::Offset),
            Element::Int16 => (16, Scaling::Plain),
            Element::Uint16 => (16, Scaling::Offset),
            Element::Int32 => (32, Scaling::Plain),
            Element::Uint32 => (32, Scaling::Offset),
            Element::Int64 => (64, Scaling::Plain),
            Element::Uint64 => (64, Scaling::Offset),
            Element::Float32 => (-32, Scaling::Plain),
            Element::Float64 => (-64, Scaling::Plain),
            _ => return None,
        };
        Some(ImageForm { bitpix, scaling })
    }

    /// The same numbers without scaling.
    pub(crate) fn stored(self) -> ImageForm {
        ImageForm { bitpix: self.bitpix, scaling: Scaling::Plain }
    }

    /// True if elements are floats that differ from the stored numbers.
    pub(crate) fn is_physical(self) -> bool {
        matches!(self.scaling, Scaling::Physical { .. })
    }

    /// Value of BZERO, if the form needs one.
    pub(crate) fn zero(self) -> Option<f64> {
        if self.scaling == Scaling::Offset { offset(self.bitpix) } else { None }
    }

    /// Size of a stored number in bytes.
    pub(crate) fn stored_size(self) -> usize {
        match self.bitpix {
            16 => 2,
            32 | -32 => 4,
            64 | -64 => 8,
            _ => 1,
        }
    }

    /// Type of the elements.
    pub(crate) fn element(self) -> Element {
        match (self.scaling, self.bitpix) {
            (Scaling::Physical { .. }, 8 | 16 | -32) => Element::Float32,
            (Scaling::Physical { .. }, _) | (_, -64) => Element::Float64,
            (Scaling::Plain, 8) => Element::Uint8,
            (Scaling::Plain, 16) => Element::Int16,
            (Scaling::Plain, 32) => Element::Int32,
            (Scaling::Plain, 64) => Element::Int64,
            (Scaling::Offset, 8) => Element::Int8,
            (Scaling::Offset, 16) => Element::Uint16,
            (Scaling::Offset, 32) => Element::Uint32,
            (Scaling::Offset, 64) => Element::Uint64,
            _ => Element::Float32,
        }
    }

    /// Turns stored numbers into elements.
    pub(crate) fn decode(self, stored: &[u8], elements: &mut [u8]) {
        let size = self.stored_size();
        match self.scaling {
            Scaling::Plain => swap_into(size, stored, elements),
            Scaling::Offset => {
                swap_into(size, stored, elements);
                flip_sign(size, elements);
            }
            Scaling::Physical { scale, zero, blank } => {
                let numbers = stored.chunks_exact(size).map(|number| self.number(number));
                #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
                if self.element() == Element::Float32 {
                    let (scale, zero) = (scale as f32, zero as f32);
                    for (number, element) in numbers.zip(elements.as_chunks_mut::<4>().0) {
                        let value = match number {
                            Number::Integer(number) if Some(number) == blank => f32::NAN,
                            Number::Integer(number) => scaled32(number as f32, scale, zero),
                            Number::Float(number) => scaled32(number as f32, scale, zero),
                        };
                        *element = value.to_ne_bytes();
                    }
                } else {
                    for (number, element) in numbers.zip(elements.as_chunks_mut::<8>().0) {
                        let value = match number {
                            Number::Integer(number) if Some(number) == blank => f64::NAN,
                            Number::Integer(number) => scaled64(number as f64, scale, zero),
                            Number::Float(number) => scaled64(number, scale, zero),
                        };
                        *element = value.to_ne_bytes();
                    }
                }
            }
        }
    }

    /// Turns elements into stored numbers. The form must not be physical.
    pub(crate) fn encode(self, elements: &[u8], stored: &mut [u8]) {
        let size = self.stored_size();
        swap_into(size, elements, stored);
        if self.scaling == Scaling::Offset {
            for number in stored.chunks_exact_mut(size) {
                number[0] ^= 0x80;
            }
        }
    }

    /// Returns true if stored numbers hold an undefined pixel.
    pub(crate) fn has_blank(self, stored: &[u8]) -> bool {
        let Scaling::Physical { blank: Some(blank), .. } = self.scaling else { return false };
        stored
            .chunks_exact(self.stored_size())
            .any(|number| matches!(self.number(number), Number::Integer(number) if number == blank))
    }

    fn number(self, stored: &[u8]) -> Number {
        match (self.bitpix, stored) {
            (16, &[a, b]) => Number::Integer(i16::from_be_bytes([a, b]).into()),
            (32, &[a, b, c, d]) => Number::Integer(i32::from_be_bytes([a, b, c, d]).into()),
            (-32, &[a, b, c, d]) => Number::Float(f32::from_be_bytes([a, b, c, d]).into()),
            (64, &[a, b, c, d, e, f, g, h]) => Number::Integer(i64::from_be_bytes([a, b, c, d, e, f, g, h])),
            (-64, &[a, b, c, d, e, f, g, h]) => Number::Float(f64::from_be_bytes([a, b, c, d, e, f, g, h])),
            _ => Number::Integer(stored.first().copied().unwrap_or(0).into()),
        }
    }
}

enum Number {
    Integer(i64),
    Float(f64),
}

// Two steps with rounding in between, as astropy does: never a fused multiplication and addition.
fn scaled32(number: f32, scale: f32, zero: f32) -> f32 {
    let product = if scale == 1.0 { number } else { number * scale };
    if zero == 0.0 { product } else { product + zero }
}

fn scaled64(number: f64, scale: f64, zero: f64) -> f64 {
    let product = if scale == 1.0 { number } else { number * scale };
    if zero == 0.0 { product } else { product + zero }
}

/// Offset of unsigned integers, and of signed bytes.
fn offset(bitpix: i64) -> Option<f64> {
    match bitpix {
        8 => Some(-128.0),
        16 => Some(32_768.0),
        32 => Some(2_147_483_648.0),
        64 => Some(9_223_372_036_854_775_808.0),
        _ => None,
    }
}
