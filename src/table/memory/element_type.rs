//! Types of the elements of a column, and shapes of its cells.

use crate::array::ScalarType;
use crate::table::Values;
use std::fmt;

/// Type of the elements of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementType {
    /// A number or truth value, as in arrays.
    Scalar(ScalarType),
    /// A number with up to 21 digits and a large exponent, kept as its text, since no type of this library holds it.
    Float128,
    /// A complex number of two float128 parts, kept as text.
    Complex256,
    /// Text.
    String,
    /// A JSON value, kept as its text.
    Json,
}

impl ElementType {
    /// The types and their names in ECSV. There, JSON is the name of a subtype, not of a datatype.
    const NAMES: &[(ElementType, &'static str)] = &[
        (ElementType::Scalar(ScalarType::Bool8), "bool"),
        (ElementType::Scalar(ScalarType::Int8), "int8"),
        (ElementType::Scalar(ScalarType::Int16), "int16"),
        (ElementType::Scalar(ScalarType::Int32), "int32"),
        (ElementType::Scalar(ScalarType::Int64), "int64"),
        (ElementType::Scalar(ScalarType::Uint8), "uint8"),
        (ElementType::Scalar(ScalarType::Uint16), "uint16"),
        (ElementType::Scalar(ScalarType::Uint32), "uint32"),
        (ElementType::Scalar(ScalarType::Uint64), "uint64"),
        (ElementType::Scalar(ScalarType::Float16), "float16"),
        (ElementType::Scalar(ScalarType::Float32), "float32"),
        (ElementType::Scalar(ScalarType::Float64), "float64"),
        (ElementType::Float128, "float128"),
        (ElementType::Scalar(ScalarType::Complex64), "complex64"),
        (ElementType::Scalar(ScalarType::Complex128), "complex128"),
        (ElementType::Complex256, "complex256"),
        (ElementType::String, "string"),
        (ElementType::Json, "json"),
    ];

    /// Returns the name in ECSV.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(known, _)| *known == self).map_or("", |(_, name)| name)
    }

    /// Returns the type of this name. The spelling must match exactly.
    pub fn from_name(name: &str) -> Option<ElementType> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(known, _)| *known)
    }

    /// Returns whether the elements are kept as text.
    pub fn is_text(self) -> bool {
        !matches!(self, ElementType::Scalar(_))
    }

    /// Returns the default type of such values. The default of text is a string.
    pub fn of_values(values: &Values) -> ElementType {
        values.scalar_type().map_or(ElementType::String, ElementType::Scalar)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Shape of the cells of a column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CellShape {
    /// One element in each cell.
    Scalar,
    /// An array of this shape in each cell, slowest axis first.
    Fixed(Vec<u64>),
    /// An array in each cell. Its last extent may differ from cell to cell; these are the extents before it.
    Variable(Vec<u64>),
}

impl CellShape {
    /// Returns the number of elements in each cell, if all cells have the same and it fits 64 bits.
    pub fn element_count(&self) -> Option<u64> {
        match self {
            CellShape::Scalar => Some(1),
            CellShape::Fixed(extents) => product(extents),
            CellShape::Variable(_) => None,
        }
    }

    /// Returns the number of elements in one step along the last axis of a variable cell: the product of the other
    /// extents.
    pub(crate) fn row_of_last_axis(&self) -> Option<u64> {
        match self {
            CellShape::Variable(extents) => product(extents),
            _ => None,
        }
    }
}

fn product(extents: &[u64]) -> Option<u64> {
    if extents.contains(&0) {
        return Some(0);
    }
    extents.iter().try_fold(1_u64, |product, &extent| product.checked_mul(extent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &(element_type, name) in ElementType::NAMES {
            assert_eq!(element_type.name(), name);
            assert_eq!(ElementType::from_name(name), Some(element_type));
        }
        for &scalar in ScalarType::ALL {
            assert_ne!(ElementType::Scalar(scalar).name(), "");
        }
        assert_eq!(ElementType::from_name("Int8"), None);
    }

    #[test]
    fn elements_of_cells_are_counted_without_overflow() {
        assert_eq!(CellShape::Fixed(vec![3, 2]).element_count(), Some(6));
        assert_eq!(CellShape::Fixed(vec![u64::MAX, 2]).element_count(), None);
        assert_eq!(CellShape::Fixed(vec![u64::MAX, 2, 0]).element_count(), Some(0));
        assert_eq!(CellShape::Variable(vec![]).row_of_last_axis(), Some(1));
    }
}
