//! Datatype and subtype of a column, which determine the type of its elements and the shape of its cells.

use crate::error::{Error, Result, Status};
use crate::limits::{Limit, Limits};
use crate::table::{CellShape, ElementType};

/// Datatype names of other programs, and the ECSV datatypes that they mean.
const ALIASES: &[(&str, &str)] = &[
    ("int", "int64"),
    ("long", "int64"),
    ("uint", "uint64"),
    ("half", "float16"),
    ("single", "float32"),
    ("float", "float64"),
    ("double", "float64"),
    ("longdouble", "float128"),
    ("complex", "complex128"),
    ("str", "string"),
    ("bytes", "string"),
    ("object", "string"),
];

/// Element type and cell shape of a column, with a warning about their declaration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) element_type: ElementType,
    pub(crate) cell_shape: CellShape,
    pub(crate) warning: Option<String>,
}

impl Declared {
    /// Interprets a datatype and a subtype.
    ///
    /// Fails with [`Status::BadDatatype`] for an unknown datatype, for an array of complex numbers, and if the
    /// dimensions in the subtype are not a list of extents (only the last one may be null). Fails with
    /// [`Status::Limit`] for too many dimensions or too many elements in a cell. An unknown subtype is a warning.
    pub(crate) fn new(datatype: &str, subtype: Option<&str>, strict: bool, limits: &Limits) -> Result<Declared> {
        let (element_type, warning) = datatype_of(datatype, strict)?;
        let scalar = |warning| Declared { element_type, cell_shape: CellShape::Scalar, warning };
        let Some(subtype) = subtype else { return Ok(scalar(warning)) };
        let unknown = || Ok(scalar(Some(format!("the subtype '{subtype}' is unknown and is ignored"))));
        if element_type != ElementType::String {
            return unknown();
        }
        let (base, dimensions) = match subtype.find('[') {
            Some(bracket) => subtype.split_at(bracket),
            None => (subtype, ""),
        };
        let cell_shape = shape_of(dimensions, limits)?;
        let (element_type, alias) = match base {
            "json" => (ElementType::Json, None),
            _ if cell_shape == CellShape::Scalar => return unknown(),
            _ => match datatype_of(base, strict) {
                Ok(known) => known,
                Err(_) => return unknown(),
            },
        };
        if is_complex(element_type) {
            let message = format!("ECSV has no arrays of {element_type}");
            return Err(Error::new(Status::BadDatatype, message));
        }
        Ok(Declared { element_type, cell_shape, warning: alias.or(warning) })
    }
}

fn is_complex(element_type: ElementType) -> bool {
    use crate::array::ScalarType::{Complex64, Complex128};
    matches!(element_type, ElementType::Scalar(Complex64 | Complex128) | ElementType::Complex256)
}

/// Returns the type of a datatype name, with a warning if ECSV does not have the name.
fn datatype_of(name: &str, strict: bool) -> Result<(ElementType, Option<String>)> {
    // JSON is a subtype, not a datatype.
    if let Some(known) = ElementType::from_name(name).filter(|&known| known != ElementType::Json) {
        return Ok((known, None));
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, meaning)| *meaning);
    match alias.or_else(|| is_numpy_text(name).then_some("string")).and_then(ElementType::from_name) {
        Some(meaning) if !strict => {
            let warning = format!("'{name}' is not an ECSV datatype and is read as {meaning}");
            Ok((meaning, Some(warning)))
        }
        _ => Err(Error::new(Status::BadDatatype, format!("'{name}' is not an ECSV datatype"))),
    }
}

/// Returns whether a name is numpy's for texts (`S5`, `U3`) or for times, which are read as text.
fn is_numpy_text(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let sized = name.strip_prefix(['S', 'U']).is_some_and(is_number);
    let time = name.strip_prefix("datetime64").is_some_and(|unit| unit.is_empty() || unit.starts_with('['));
    sized || time
}

/// Returns the shape in the brackets of a subtype. Without brackets a cell holds one element.
fn shape_of(dimensions: &str, limits: &Limits) -> Result<CellShape> {
    let malformed = |what: &str| {
        let message = format!("the dimensions '{dimensions}' of the subtype are malformed: {what}");
        Error::new(Status::BadDatatype, message)
    };
    if dimensions.is_empty() {
        return Ok(CellShape::Scalar);
    }
    let inner = dimensions.strip_prefix('[').and_then(|rest| rest.trim_ascii_end().strip_suffix(']'));
    let inner = inner.ok_or_else(|| malformed("a bracket is missing"))?.trim_ascii();
    if inner.is_empty() {
        return Ok(CellShape::Scalar);
    }
    let (mut extents, mut is_variable) = (Vec::new(), false);
    for extent in inner.split(',').map(str::trim_ascii) {
        if is_variable {
            return Err(malformed("only the last extent may be null"));
        }
        if extents.len() as u64 >= u64::from(limits.rank) {
            return Err(Limit::Rank.exceeded("the axes of a cell", u64::from(limits.rank)));
        }
        match extent {
            "null" => is_variable = true,
            _ if extent.bytes().all(|byte| byte.is_ascii_digit()) => {
                extents.push(extent.parse().map_err(|_| malformed("an extent does not fit 64 bits"))?);
            }
            _ => return Err(malformed("an extent is neither a number nor null")),
        }
    }
    let shape = if is_variable { CellShape::Variable(extents) } else { CellShape::Fixed(extents) };
    let count = if is_variable { shape.row_of_last_axis() } else { shape.element_count() };
    match count {
        Some(count) if count <= limits.cell_elements => Ok(shape),
        _ => Err(Limit::CellElements.exceeded("the elements of a cell", limits.cell_elements)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;

    fn declared(datatype: &str, subtype: Option<&str>) -> Result<Declared> {
        Declared::new(datatype, subtype, false, &Limits::default())
    }

    fn plain(datatype: &str, subtype: &str) -> (ElementType, CellShape) {
        let declared = declared(datatype, Some(subtype)).unwrap();
        assert_eq!(declared.warning, None);
        (declared.element_type, declared.cell_shape)
    }

    #[test]
    fn subtypes_have_shapes() {
        let float64 = ElementType::Scalar(ScalarType::Float64);
        assert_eq!(plain("string", "float64[3,2]"), (float64, CellShape::Fixed(vec![3, 2])));
        assert_eq!(plain("string", "float64[ 4, null ]"), (float64, CellShape::Variable(vec![4])));
        assert_eq!(plain("string", "string[0]"), (ElementType::String, CellShape::Fixed(vec![0])));
        assert_eq!(plain("string", "json"), (ElementType::Json, CellShape::Scalar));
        assert_eq!(plain("string", "json[2]"), (ElementType::Json, CellShape::Fixed(vec![2])));
    }

    #[test]
    fn unknown_subtypes_leave_the_datatype() {
        let cases =
            [("string", "quux"), ("string", "quux[2]"), ("string", "int64"), ("int64", "json"), ("float64", "MJD")];
        for (datatype, subtype) in cases.into_iter().chain([("int64", "int64[2]"), ("string", "float64[]")]) {
            let found = declared(datatype, Some(subtype)).unwrap();
            let expected = (ElementType::from_name(datatype).unwrap(), CellShape::Scalar, true);
            assert_eq!(
                (found.element_type, found.cell_shape, found.warning.is_some()),
                expected,
                "{datatype} {subtype}"
            );
        }
    }

    #[test]
    fn foreign_names_are_accepted_unless_strict() {
        for (name, meaning) in [("int", "int64"), ("S5", "string"), ("datetime64[s]", "string"), ("object", "string")] {
            let found = declared(name, None).unwrap();
            assert_eq!((found.element_type.name(), found.warning.is_some()), (meaning, true));
            let error = Declared::new(name, None, true, &Limits::default()).unwrap_err();
            assert_eq!(error.status(), Status::BadDatatype);
        }
        for name in ["", "json", "Int8", "int128", "S", "S5x", "datetime64x"] {
            assert_eq!(declared(name, None).unwrap_err().status(), Status::BadDatatype, "{name}");
        }
    }

    #[test]
    fn malformed_dimensions_and_large_cells_are_errors() {
        for subtype in
            ["int8[2", "int8[null,2]", "int8[-1]", "int8[a]", "int8[1,]", "int8[18446744073709551616]", "int8[2]x"]
        {
            assert_eq!(declared("string", Some(subtype)).unwrap_err().status(), Status::BadDatatype, "{subtype}");
        }
        let deep = format!("int8[{}1]", "1,".repeat(32));
        for subtype in ["int8[4294967296,4294967296]", "int8[1000000000]", "int8[1000000000,null]", &deep] {
            assert_eq!(declared("string", Some(subtype)).unwrap_err().status(), Status::Limit, "{subtype}");
        }
        assert_eq!(declared("string", Some("complex64[2]")).unwrap_err().status(), Status::BadDatatype);
    }
}
