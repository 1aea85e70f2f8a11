//! Arrow types that columns can have, with their format strings.

use crate::array::ScalarType;

/// Type of the values of an array and layout of its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Missing values only, without buffers.
    Null,
    /// Truth values, one bit each.
    Bool,
    /// Numbers in native byte order, neither truth values nor complex numbers.
    Number(ScalarType),
    /// UTF-8 with offsets of 32 bits.
    Text,
    /// UTF-8 with offsets of 64 bits.
    LargeText,
    /// UTF-8 with views of 16 bytes, which hold short texts and point to long ones.
    TextView,
    /// Lists of any length with offsets of 32 bits.
    List,
    /// Lists of any length with offsets of 64 bits.
    LargeList,
    /// Lists of this length.
    FixedList(u64),
    /// Struct of named fields.
    Struct,
}

impl Format {
    const NAMES: &[(Format, &'static str)] = &[
        (Format::Null, "n"),
        (Format::Bool, "b"),
        (Format::Number(ScalarType::Int8), "c"),
        (Format::Number(ScalarType::Uint8), "C"),
        (Format::Number(ScalarType::Int16), "s"),
        (Format::Number(ScalarType::Uint16), "S"),
        (Format::Number(ScalarType::Int32), "i"),
        (Format::Number(ScalarType::Uint32), "I"),
        (Format::Number(ScalarType::Int64), "l"),
        (Format::Number(ScalarType::Uint64), "L"),
        (Format::Number(ScalarType::Float16), "e"),
        (Format::Number(ScalarType::Float32), "f"),
        (Format::Number(ScalarType::Float64), "g"),
        (Format::Text, "u"),
        (Format::LargeText, "U"),
        (Format::TextView, "vu"),
        (Format::List, "+l"),
        (Format::LargeList, "+L"),
        (Format::Struct, "+s"),
    ];

    /// Returns the type of a format string, or `None` if no column can have it.
    pub fn parse(text: &str) -> Option<Format> {
        if let Some(length) = text.strip_prefix("+w:") {
            // Arrow stores lengths of fixed lists in signed 32-bit integers.
            let plain = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
            return length.parse::<i32>().ok().filter(|_| plain).map(|length| Format::FixedList(length as u64));
        }
        Self::NAMES.iter().find(|(_, name)| *name == text).map(|(format, _)| *format)
    }

    /// Returns the format string.
    pub fn name(self) -> String {
        match self {
            Format::FixedList(length) => format!("+w:{length}"),
            _ => Self::NAMES.iter().find(|(format, _)| *format == self).map_or("", |(_, name)| name).to_owned(),
        }
    }

    /// Returns the Arrow type for elements of this type.
    pub(super) fn of_scalar(scalar: ScalarType) -> Format {
        match scalar {
            ScalarType::Bool8 => Format::Bool,
            ScalarType::Complex64 | ScalarType::Complex128 => Format::FixedList(2),
            _ => Format::Number(scalar),
        }
    }

    /// Returns the Arrow type for the two parts of a complex number.
    pub(super) fn of_parts(scalar: ScalarType) -> Option<Format> {
        match scalar {
            ScalarType::Complex64 => Some(Format::Number(ScalarType::Float32)),
            ScalarType::Complex128 => Some(Format::Number(ScalarType::Float64)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &(format, name) in Format::NAMES {
            assert_eq!((Format::parse(name), format.name().as_str()), (Some(format), name));
        }
        assert_eq!(Format::parse("+w:3"), Some(Format::FixedList(3)));
        assert_eq!(Format::FixedList(3).name(), "+w:3");
        for wrong in ["", "z", "+w:", "+w:-1", "+w:+1", "+w:3000000000", "d:19,10", "tss:"] {
            assert_eq!(Format::parse(wrong), None, "{wrong}");
        }
    }
}
