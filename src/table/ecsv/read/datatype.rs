//! What a column's datatype and subtype say: the type of its elements and the shape of its cells.

use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::table::{CellShape, ElementType};

/// Names that other programs wrote, with the datatypes that they mean.
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

/// The type and shape of a column, and what is odd about how they are declared.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) element_type: ElementType,
    pub(crate) cell_shape: CellShape,
    pub(crate) oddity: Option<String>,
}

impl Declared {
    /// What a datatype and a subtype mean together.
    ///
    /// Fails with [`Status::BadDatatype`] if there is no such datatype, or if the subtype has dimensions that are not a
    /// list of extents of which the last may be null, and with [`Status::Limit`] for too many dimensions or elements of a
    /// cell.
    pub(crate) fn new(datatype: &str, subtype: Option<&str>, strict: bool, limits: &Limits) -> Result<Declared> {
        let (element_type, oddity) = datatype_of(datatype, strict)?;
        let scalar = |oddity| Declared { element_type, cell_shape: CellShape::Scalar, oddity };
        let Some(subtype) = subtype else { return Ok(scalar(oddity)) };
        let unknown = || Ok(scalar(Some(format!("the subtype '{subtype}' is unknown; the datatype alone counts"))));
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
            let message = format!("arrays of {element_type} have no form in ECSV");
            return Err(Error::new(Status::BadDatatype, message));
        }
        Ok(Declared { element_type, cell_shape, oddity: alias.or(oddity) })
    }
}

fn is_complex(element_type: ElementType) -> bool {
    use crate::array::ScalarType::{Complex64, Complex128};
    matches!(element_type, ElementType::Scalar(Complex64 | Complex128) | ElementType::Complex256)
}

/// The type that a datatype names, and what is odd about the name.
fn datatype_of(name: &str, strict: bool) -> Result<(ElementType, Option<String>)> {
    // JSON is a subtype only.
    if let Some(known) = ElementType::from_name(name).filter(|&known| known != ElementType::Json) {
        return Ok((known, None));
    }
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, meaning)| *meaning);
    match alias.or_else(|| is_numpy_text(name).then_some("string")).and_then(ElementType::from_name) {
        Some(meaning) if !strict => {
            let oddity = format!("the datatype '{name}' is not one of ECSV; it is taken for {meaning}");
            Ok((meaning, Some(oddity)))
        }
        _ => Err(Error::new(Status::BadDatatype, format!("there is no datatype '{name}'"))),
    }
}

/// Whether it is a name of numpy's for texts (`S5`, `U3`) or for times, which are read as text.
fn is_numpy_text(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let sized = name.strip_prefix(['S', 'U']).is_some_and(is_number);
    let time = name.strip_prefix("datetime64").is_some_and(|unit| unit.is_empty() || unit.starts_with('['));
    sized || time
}

/// The shape in the brackets of a subtype, without which cells hold one element.
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
            return Err(Error::limit("the axes of a cell", u64::from(limits.rank)));
        }
        match extent {
            "null" => is_variable = true,
            _ if extent.bytes().all(|byte| byte.is_ascii_digit()) => {
                extents.push(extent.parse().map_err(|_| malformed("an extent is not a number of 64 bits"))?);
            }
            _ => return Err(malformed("an extent is neither a number nor null")),
        }
    }
    let shape = if is_variable { CellShape::Variable(extents) } else { CellShape::Fixed(extents) };
    let count = if is_variable { shape.row_of_last_axis() } else { shape.element_count() };
    match count {
        Some(count) if count <= limits.cell_elements => Ok(shape),
        _ => Err(Error::limit("the elements of a cell", limits.cell_elements)),
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
        assert_eq!(declared.oddity, None);
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
                (found.element_type, found.cell_shape, found.oddity.is_some()),
                expected,
                "{datatype} {subtype}"
            );
        }
    }

    #[test]
    fn foreign_names_are_known_unless_strict() {
        for (name, meaning) in [("int", "int64"), ("S5", "string"), ("datetime64[s]", "string"), ("object", "string")] {
            let found = declared(name, None).unwrap();
            assert_eq!((found.element_type.name(), found.oddity.is_some()), (meaning, true));
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
