//! Scalar datatypes: names in files, sizes, and numbers in the C interface.

macro_rules! scalar_types {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal, $size:literal, $unit:literal;)*) => {
        /// The type of a number or truth value in an array.
        ///
        /// The discriminants are the numbers in the C interface and never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum ScalarType {
            $($(#[$doc])* $variant = $code,)*
        }

        impl ScalarType {
            /// All scalar types in the order of their numbers.
            pub const ALL: &'static [ScalarType] = &[$(ScalarType::$variant,)*];

            /// The number in the C interface.
            pub fn code(self) -> i32 {
                self as i32
            }

            /// Returns the type with this number in the C interface.
            pub(crate) fn from_code(code: i32) -> Option<ScalarType> {
                match code {
                    $($code => Some(ScalarType::$variant),)*
                    _ => None,
                }
            }

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
    Int8 = 1, "int8", 1, 1;
    /// Signed 16-bit integer.
    Int16 = 2, "int16", 2, 2;
    /// Signed 32-bit integer.
    Int32 = 3, "int32", 4, 4;
    /// Signed 64-bit integer.
    Int64 = 4, "int64", 8, 8;
    /// Unsigned 8-bit integer.
    Uint8 = 11, "uint8", 1, 1;
    /// Unsigned 16-bit integer.
    Uint16 = 12, "uint16", 2, 2;
    /// Unsigned 32-bit integer.
    Uint32 = 13, "uint32", 4, 4;
    /// Unsigned 64-bit integer.
    Uint64 = 14, "uint64", 8, 8;
    /// IEEE 754 binary16.
    Float16 = 21, "float16", 2, 2;
    /// IEEE 754 binary32.
    Float32 = 22, "float32", 4, 4;
    /// IEEE 754 binary64.
    Float64 = 23, "float64", 8, 8;
    /// Two binary32 numbers: real and imaginary part.
    Complex64 = 31, "complex64", 8, 4;
    /// Two binary64 numbers: real and imaginary part.
    Complex128 = 32, "complex128", 16, 8;
    /// One byte: 0 is false, any other value is true.
    Bool8 = 41, "bool8", 1, 1;
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
    fn numbers_and_names_convert_back() {
        for &scalar in ScalarType::ALL {
            assert_eq!(ScalarType::from_code(scalar.code()), Some(scalar));
            assert_eq!(ScalarType::from_name(scalar.name()), Some(scalar));
            let bits: usize = scalar.name().trim_start_matches(char::is_alphabetic).parse().unwrap();
            assert_eq!(scalar.size() * 8, bits);
        }
        assert_eq!(ScalarType::from_code(0), None);
        assert_eq!(ScalarType::from_name("INT8"), None);
    }
}
