//! Conversions between datatypes without loss: the rule `safe` of numpy.

use crate::array::{Datatype, ScalarType};

/// Returns whether every element of one datatype can be converted to the other without loss. Names of fields and byte
/// orders have no meaning.
pub(super) fn is_safe(from: &Datatype, to: &Datatype) -> bool {
    match (from, to) {
        (Datatype::Scalar(from), Datatype::Scalar(to)) => is_safe_number(*from, *to),
        (Datatype::Ascii(from), Datatype::Ascii(to) | Datatype::Ucs4(to)) => to >= from,
        (Datatype::Ucs4(from), Datatype::Ucs4(to)) => to >= from,
        (Datatype::Scalar(from), Datatype::Ascii(length) | Datatype::Ucs4(length)) => *length >= text_length(*from),
        (Datatype::Record(from), Datatype::Record(to)) => {
            let mut fields = from.iter().zip(to.iter());
            from.len() == to.len()
                && fields.all(|(from, to)| from.shape == to.shape && is_safe(&from.datatype, &to.datatype))
        }
        _ => false,
    }
}

/// A kind of numbers.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    Complex,
}

fn kind(scalar: ScalarType) -> Kind {
    use ScalarType::{
        Bool8, Complex64, Complex128, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
        Uint64,
    };
    match scalar {
        Bool8 => Kind::Bool,
        Int8 | Int16 | Int32 | Int64 => Kind::Signed,
        Uint8 | Uint16 | Uint32 | Uint64 => Kind::Unsigned,
        Float16 | Float32 | Float64 => Kind::Float,
        Complex64 | Complex128 => Kind::Complex,
    }
}

fn is_safe_number(from: ScalarType, to: ScalarType) -> bool {
    // Bytes of a number, or of one part of it.
    let (size, unit) = (from.unit(), to.unit());
    match (kind(from), kind(to)) {
        (Kind::Bool, _) => true,
        (Kind::Signed, Kind::Signed)
        | (Kind::Unsigned, Kind::Unsigned)
        | (Kind::Float | Kind::Complex, Kind::Complex)
        | (Kind::Float, Kind::Float) => size <= unit,
        (Kind::Unsigned, Kind::Signed) => size < unit,
        // A float needs twice the bytes of an integer; 64 bits count as enough for every integer.
        (Kind::Signed | Kind::Unsigned, Kind::Float | Kind::Complex) => 2 * size <= unit || unit == 8,
        _ => false,
    }
}

/// Returns the length of a string that every number of this type fits into.
fn text_length(from: ScalarType) -> u64 {
    match (kind(from), from.size()) {
        (Kind::Bool, _) => 5,
        (Kind::Signed, 1) => 4,
        (Kind::Signed, 2) => 6,
        (Kind::Signed, 4) => 11,
        (Kind::Signed, _) => 21,
        (Kind::Unsigned, 1) => 3,
        (Kind::Unsigned, 2) => 5,
        (Kind::Unsigned, 4) => 10,
        (Kind::Unsigned, _) => 20,
        (Kind::Float, _) => 32,
        (Kind::Complex, _) => 64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_cast_as_in_numpy() {
        // Rows and columns in the order bool8, int8, uint8, ... complex128.
        let table = "11111111111111 .1.1.1.1.11111 ..111111111111 ...1.1.1..1111 ....11111.1111 .....1.1...1.1 \
                     ......111..1.1 .......1...1.1 ........1..1.1 .........11111 ..........1111 ...........1.1 \
                     ............11 .............1";
        let names = [
            "bool8",
            "int8",
            "uint8",
            "int16",
            "uint16",
            "int32",
            "uint32",
            "int64",
            "uint64",
            "float16",
            "float32",
            "float64",
            "complex64",
            "complex128",
        ];
        for (from, row) in names.iter().zip(table.split_whitespace()) {
            for (to, cell) in names.iter().zip(row.chars()) {
                let [from, to] = [from, to].map(|name| ScalarType::from_name(name).unwrap());
                assert_eq!(is_safe_number(from, to), cell == '1', "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn strings_hold_shorter_ones_and_numbers() {
        let (ascii, ucs4) = (Datatype::Ascii, Datatype::Ucs4);
        assert!(is_safe(&ascii(3), &ascii(3)) && is_safe(&ascii(3), &ucs4(4)) && is_safe(&ucs4(2), &ucs4(2)));
        assert!(!is_safe(&ascii(3), &ascii(2)) && !is_safe(&ucs4(3), &ascii(9)));
        let scalar = |name: &str| Datatype::Scalar(ScalarType::from_name(name).unwrap());
        assert!(is_safe(&scalar("int64"), &ascii(21)) && !is_safe(&scalar("int64"), &ucs4(20)));
        assert!(!is_safe(&ascii(9), &scalar("int64")));
        let record = |name: &str| {
            let field = crate::array::Field {
                name: Some("a".to_owned()),
                datatype: scalar(name),
                byteorder: None,
                shape: Vec::new(),
            };
            Datatype::record(vec![field]).unwrap()
        };
        assert!(is_safe(&record("int8"), &record("int16")) && !is_safe(&record("int16"), &record("int8")));
        assert!(!is_safe(&record("int8"), &scalar("int8")) && !is_safe(&scalar("int8"), &record("int8")));
    }
}
