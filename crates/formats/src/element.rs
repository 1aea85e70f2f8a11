//! Types of elements that FITS data have in memory, in native byte order.

/// Type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float32,
    Float64,
    Complex64,
    Complex128,
    Bool8,
    /// Text of a number of bytes.
    Ascii(usize),
    /// Text of a number of UTF-32 code units.
    Ucs4(usize),
}

impl Element {
    /// Size in bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            Element::Int8 | Element::Uint8 | Element::Bool8 => 1,
            Element::Int16 | Element::Uint16 => 2,
            Element::Int32 | Element::Uint32 | Element::Float32 => 4,
            Element::Int64 | Element::Uint64 | Element::Float64 | Element::Complex64 => 8,
            Element::Complex128 => 16,
            Element::Ascii(length) => length,
            Element::Ucs4(length) => length.saturating_mul(4),
        }
    }

    /// Size of the numbers that an element consists of.
    pub(crate) fn part(self) -> usize {
        match self {
            Element::Complex64 => 4,
            Element::Complex128 => 8,
            Element::Ascii(_) => 1,
            Element::Ucs4(_) => 4,
            other => other.size(),
        }
    }

    /// Code of the type in the core.
    pub(crate) fn code(self) -> i32 {
        match self {
            Element::Int8 => 1,
            Element::Int16 => 2,
            Element::Int32 => 3,
            Element::Int64 => 4,
            Element::Uint8 => 11,
            Element::Uint16 => 12,
            Element::Uint32 => 13,
            Element::Uint64 => 14,
            Element::Float32 => 22,
            Element::Float64 => 23,
            Element::Complex64 => 31,
            Element::Complex128 => 32,
            Element::Bool8 => 41,
            Element::Ascii(_) => 51,
            Element::Ucs4(_) => 52,
        }
    }

    /// Name of the type of numbers in a tree.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Element::Int8 => "int8",
            Element::Int16 => "int16",
            Element::Int32 => "int32",
            Element::Int64 => "int64",
            Element::Uint8 => "uint8",
            Element::Uint16 => "uint16",
            Element::Uint32 => "uint32",
            Element::Uint64 => "uint64",
            Element::Float32 => "float32",
            Element::Float64 => "float64",
            Element::Complex64 => "complex64",
            Element::Complex128 => "complex128",
            Element::Bool8 => "bool8",
            Element::Ascii(_) => "ascii",
            Element::Ucs4(_) => "ucs4",
        }
    }

    /// Type of a code of the core. Texts have the given length. `None` for the types that FITS lacks.
    pub(crate) fn of_code(code: i32, length: usize) -> Option<Element> {
        Some(match code {
            1 => Element::Int8,
            2 => Element::Int16,
            3 => Element::Int32,
            4 => Element::Int64,
            11 => Element::Uint8,
            12 => Element::Uint16,
            13 => Element::Uint32,
            14 => Element::Uint64,
            22 => Element::Float32,
            23 => Element::Float64,
            31 => Element::Complex64,
            32 => Element::Complex128,
            41 => Element::Bool8,
            51 => Element::Ascii(length),
            52 => Element::Ucs4(length),
            _ => return None,
        })
    }
}

/// Copies numbers of a size and exchanges native and big-endian order.
pub(crate) fn swap_into(part: usize, from: &[u8], to: &mut [u8]) {
    macro_rules! swap {
        ($number:ty, $size:literal) => {
            for (from, to) in from.as_chunks::<$size>().0.iter().zip(to.as_chunks_mut::<$size>().0) {
                *to = <$number>::from_be_bytes(*from).to_ne_bytes();
            }
        };
    }
    match part {
        2 => swap!(u16, 2),
        4 => swap!(u32, 4),
        8 => swap!(u64, 8),
        _ => to.copy_from_slice(from),
    }
}

/// Inverts the highest bit of native numbers, which converts between signed ones and unsigned ones with an offset.
pub(crate) fn flip_sign(part: usize, bytes: &mut [u8]) {
    let highest = if cfg!(target_endian = "little") { part - 1 } else { 0 };
    for number in bytes.chunks_exact_mut(part) {
        number[highest] ^= 0x80;
    }
}
