//! Scalar datatypes: names in files, and sizes.

macro_rules! scalar_types {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $size:literal, $unit:literal;)*) => {
        /// The type of a number or truth value in an array.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ScalarType {
            $($(#[$doc])* $variant,)*
        }

        impl ScalarType {
            /// All scalar types.
            pub const ALL: &'static [ScalarType] = &[$(ScalarType::$variant,)*];

            /// The name in a file.
            pub fn name(self) -> &'static str {
                match self {
                    $(ScalarType::$variant => $name,)*
                }
            }

            /// Returns the type with exactly this name.
            pub fn from_name(name: &str) -> Option<ScalarType> {
                match name {
                    $($name => Some(ScalarType::$variant),)*
                    _ => None,
                }
            }

            /// Bytes of one element.
            pub fn size(self) -> usize {
                match self {
                    $(ScalarType::$variant => $size,)*
                }
            }

            /// Size in bytes of the unit for byte order and alignment: the element, or one part of a complex number.
            pub fn unit(self) -> usize {
                match self {
                    $(ScalarType::$variant => $unit,)*
                }
            }
        }
    };
}

scalar_types! {
    /// Signed 8-bit integer.
    Int8 = "int8", 1, 1;
    /// Signed 16-bit integer.
    Int16 = "int16", 2, 2;
    /// Signed 32-bit integer.
    Int32 = "int32", 4, 4;
    /// Signed 64-bit integer.
    Int64 = "int64", 8, 8;
    /// Unsigned 8-bit integer.
    Uint8 = "uint8", 1, 1;
    /// Unsigned 16-bit integer.
    Uint16 = "uint16", 2, 2;
    /// Unsigned 32-bit integer.
    Uint32 = "uint32", 4, 4;
    /// Unsigned 64-bit integer.
    Uint64 = "uint64", 8, 8;
    /// IEEE 754 binary16.
    Float16 = "float16", 2, 2;
    /// IEEE 754 binary32.
    Float32 = "float32", 4, 4;
    /// IEEE 754 binary64.
    Float64 = "float64", 8, 8;
    /// Two binary32 numbers: real and imaginary part.
    Complex64 = "complex64", 8, 4;
    /// Two binary64 numbers: real and imaginary part.
    Complex128 = "complex128", 16, 8;
    /// One byte: 0 is false, any other value is true.
    Bool8 = "bool8", 1, 1;
}

impl ScalarType {
    /// Returns whether the elements are integers.
    pub(crate) fn is_integer(self) -> bool {
        use ScalarType as S;
        matches!(self, S::Int8 | S::Int16 | S::Int32 | S::Int64 | S::Uint8 | S::Uint16 | S::Uint32 | S::Uint64)
    }
}

impl std::fmt::Display for ScalarType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_convert_back() {
        for &scalar in ScalarType::ALL {
            assert_eq!(ScalarType::from_name(scalar.name()), Some(scalar));
            let bits: usize = scalar.name().trim_start_matches(char::is_alphabetic).parse().unwrap();
            assert_eq!(scalar.size() * 8, bits);
        }
        assert_eq!(ScalarType::from_name("INT8"), None);
    }
}
