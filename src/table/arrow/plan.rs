//! Storage plan of a column that an Arrow field describes.

use super::field::{JSON_EXTENSION, keys};
use super::{Field, Format, MAX_DEPTH, meta_read, words};
use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::table::{CellShape, ColumnHeader, ElementType};

/// Layout of a column's elements in an Arrow array.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Lengths of the fixed lists around the elements, outermost first.
    pub(super) fixed: Vec<u64>,
    /// Width of the offsets of the variable-length list inside the fixed ones: true for 64 bits, false for 32 bits.
    /// `None` without such a list.
    pub(super) variable: Option<bool>,
    /// Storage of the elements.
    pub(super) element: Element,
}

/// Storage of the elements in an array.
#[derive(Clone, Debug)]
pub(super) enum Element {
    /// Stored in this Arrow type.
    Direct(Format),
    /// Complex numbers of this type, stored as pairs of parts.
    Complex(ScalarType),
    /// Indices of the first type into a dictionary whose values have the second type.
    Dictionary(ScalarType, Format),
}

impl Plan {
    /// Returns the description of the column, and the layout of its elements.
    ///
    /// Fails with [`Status::Unsupported`] if a column cannot hold the values of the field.
    pub(super) fn of_field(field: &Field) -> Result<(ColumnHeader, Plan)> {
        let (plan, innermost) = Plan::of_lists(field)?;
        let declared = metadata_type(field, innermost);
        let (element, element_type) = element_of(innermost, declared)?;
        let plan = Plan { element, ..plan };
        let cell_shape = match (plan.variable, plan.fixed.is_empty()) {
            (Some(_), _) => CellShape::Variable(plan.fixed.clone()),
            (None, false) => CellShape::Fixed(plan.fixed.clone()),
            (None, true) => CellShape::Scalar,
        };
        let text = |key| field.metadata_value(key).map(str::to_owned);
        let mut header = ColumnHeader::new(&*field.name, element_type, cell_shape);
        header.unit = text(keys::UNIT);
        header.description = text(keys::DESCRIPTION);
        header.format = text(keys::FORMAT);
        header.meta = field.metadata_value(keys::META).map(meta_read::read).transpose()?;
        if header.cell_shape == CellShape::Scalar && element_type != ElementType::Json {
            header.declared_subtype = text(keys::SUBTYPE);
        }
        Ok((header, plan))
    }

    /// Returns the lists around the elements, and the field of the elements.
    fn of_lists(field: &Field) -> Result<(Plan, &Field)> {
        let mut plan = Plan { fixed: Vec::new(), variable: None, element: Element::Direct(Format::Null) };
        let outermost = field;
        let mut field = field;
        while let Some(format) = Format::parse(&field.format) {
            check_extension(field)?;
            match format {
                Format::FixedList(_) if is_complex(field, outermost) => break,
                Format::FixedList(length) if plan.variable.is_none() => plan.fixed.push(length),
                Format::List | Format::LargeList if plan.variable.is_none() => {
                    plan.variable = Some(format == Format::LargeList);
                }
                Format::FixedList(_) | Format::List | Format::LargeList => {
                    let message =
                        "a list of variable length cannot contain lists: only the innermost list may vary in length";
                    return Err(Error::new(Status::Unsupported, message));
                }
                _ => break,
            }
            if plan.fixed.len() > MAX_DEPTH {
                let message = format!("lists are nested more than {MAX_DEPTH} deep");
                return Err(Error::new(Status::Unsupported, message));
            }
            let [items] = field.children.as_slice() else {
                return Err(Error::new(Status::InvalidArgument, "an Arrow list needs exactly one child field"));
            };
            field = items;
        }
        Ok((plan, field))
    }
}

/// Fails for an extension type that gives the stored values another meaning, such as the numbers of a `pandas.period`.
fn check_extension(field: &Field) -> Result<()> {
    match field.metadata_value(keys::EXTENSION) {
        None | Some(JSON_EXTENSION) => Ok(()),
        Some(name) => {
            let message = format!("a column cannot hold values of the extension type '{}'", name.escape_debug());
            Err(Error::new(Status::Unsupported, message))
        }
    }
}

/// Returns the element type in the metadata. A column that was exported from a table has it.
fn metadata_type(field: &Field, innermost: &Field) -> Option<ElementType> {
    if innermost.metadata_value(keys::EXTENSION) == Some(JSON_EXTENSION) {
        return Some(ElementType::Json);
    }
    let subtype = field.metadata_value(keys::SUBTYPE).and_then(|subtype| subtype.split('[').next());
    let of_elements =
        subtype.and_then(ElementType::from_name).filter(|_| field.metadata_value(keys::DATATYPE) == Some("string"));
    of_elements.or_else(|| field.metadata_value(keys::DATATYPE).and_then(ElementType::from_name))
}

/// Returns the complex type of a field of pairs, if the metadata declare one.
fn complex_of(field: &Field, declared: Option<ElementType>) -> Option<ScalarType> {
    let Some(ElementType::Scalar(scalar)) = declared else { return None };
    let [parts] = field.children.as_slice() else { return None };
    let part = Format::of_parts(scalar)?;
    (field.format == Format::of_scalar(scalar).name() && parts.format == part.name()).then_some(scalar)
}

fn is_complex(field: &Field, outermost: &Field) -> bool {
    complex_of(field, metadata_type(outermost, field)).is_some()
}

/// Returns the storage and the type of the elements of a field.
fn element_of(field: &Field, declared: Option<ElementType>) -> Result<(Element, ElementType)> {
    if let Some(scalar) = complex_of(field, declared) {
        return Ok((Element::Complex(scalar), ElementType::Scalar(scalar)));
    }
    check_extension(field)?;
    let unknown = |format: &str| {
        let message = format!("a column cannot hold {}", words::values_of(format));
        Error::new(Status::Unsupported, message)
    };
    let format = Format::parse(&field.format).ok_or_else(|| unknown(&field.format))?;
    let (element, stored) = match (&field.dictionary, format) {
        (None, _) => (Element::Direct(format), format),
        (Some(values), Format::Number(index)) if values.dictionary.is_none() => {
            check_extension(values)?;
            let stored = Format::parse(&values.format).ok_or_else(|| unknown(&values.format))?;
            (Element::Dictionary(index, stored), stored)
        }
        _ => return Err(unknown(&field.format)),
    };
    let element_type = match stored {
        Format::Bool => ElementType::Scalar(ScalarType::Bool8),
        Format::Number(scalar) => ElementType::Scalar(scalar),
        Format::Null | Format::Text | Format::LargeText | Format::TextView => {
            declared.filter(|declared| declared.is_text()).unwrap_or(ElementType::String)
        }
        Format::List | Format::LargeList | Format::FixedList(_) | Format::Struct => return Err(unknown(&field.format)),
    };
    Ok((element, element_type))
}
