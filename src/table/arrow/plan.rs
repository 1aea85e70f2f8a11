//! What a column becomes that is described by a field of Arrow.

use super::field::{JSON_EXTENSION, keys};
use super::{Field, Format, MAX_DEPTH, meta_read};
use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::table::{CellShape, ColumnHeader, ElementType};

/// How the elements of a column are found in an array of Arrow.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Lengths of the fixed lists around them, outermost first.
    pub(super) fixed: Vec<u64>,
    /// Whether the offsets of lists of any length, inside those, have 64 bits; nothing if there are no such lists.
    pub(super) variable: Option<bool>,
    /// How the elements themselves are stored.
    pub(super) element: Element,
}

/// How elements are stored.
#[derive(Clone, Debug)]
pub(super) enum Element {
    /// As Arrow stores this type.
    Direct(Format),
    /// As pairs of parts.
    Complex(ScalarType),
    /// As numbers of this type, each of which stands for an element that is stored so.
    Dictionary(ScalarType, Format),
}

impl Plan {
    /// What is said of the column, and how its elements are found.
    ///
    /// Fails with [`Status::Unsupported`] if no column can hold what the field describes.
    pub(super) fn of_field(field: &Field) -> Result<(ColumnHeader, Plan)> {
        let (plan, innermost) = Plan::of_lists(field)?;
        let said = element_said(field, innermost);
        let (element, element_type) = element_of(innermost, said)?;
        let plan = Plan { element, ..plan };
        let cell_shape = match (plan.variable, plan.fixed.is_empty()) {
            (Some(_), _) => CellShape::Variable(plan.fixed.clone()),
            (None, false) => CellShape::Fixed(plan.fixed.clone()),
            (None, true) => CellShape::Scalar,
        };
        let text = |key| field.said(key).map(str::to_owned);
        let mut header = ColumnHeader::new(&*field.name, element_type, cell_shape);
        header.unit = text(keys::UNIT);
        header.description = text(keys::DESCRIPTION);
        header.format = text(keys::FORMAT);
        header.meta = field.said(keys::META).map(meta_read::read).transpose()?;
        if header.cell_shape == CellShape::Scalar && element_type != ElementType::Json {
            header.declared_subtype = text(keys::SUBTYPE);
        }
        Ok((header, plan))
    }

    /// The lists around the elements, and the field of those.
    fn of_lists(field: &Field) -> Result<(Plan, &Field)> {
        let mut plan = Plan { fixed: Vec::new(), variable: None, element: Element::Direct(Format::Null) };
        let outermost = field;
        let mut field = field;
        while let Some(format) = Format::parse(&field.format) {
            match format {
                Format::FixedList(_) if is_complex(field, outermost) => break,
                Format::FixedList(length) if plan.variable.is_none() => plan.fixed.push(length),
                Format::List | Format::LargeList if plan.variable.is_none() => {
                    plan.variable = Some(format == Format::LargeList);
                }
                Format::FixedList(_) | Format::List | Format::LargeList => {
                    let message = "lists inside lists of any length: only the innermost may differ from cell to cell";
                    return Err(Error::new(Status::Unsupported, message));
                }
                _ => break,
            }
            if plan.fixed.len() > MAX_DEPTH {
                let message = format!("lists are nested more than {MAX_DEPTH} deep");
                return Err(Error::new(Status::Unsupported, message));
            }
            let [items] = field.children.as_slice() else {
                return Err(Error::new(Status::InvalidArgument, "a list does not hold one kind of items"));
            };
            field = items;
        }
        Ok((plan, field))
    }
}

/// The type of elements that the metadata tell, which a column that came from a table still has.
fn element_said(field: &Field, innermost: &Field) -> Option<ElementType> {
    if innermost.said(keys::EXTENSION) == Some(JSON_EXTENSION) {
        return Some(ElementType::Json);
    }
    let subtype = field.said(keys::SUBTYPE).and_then(|subtype| subtype.split('[').next());
    let of_elements = subtype.and_then(ElementType::from_name).filter(|_| field.said(keys::DATATYPE) == Some("string"));
    of_elements.or_else(|| field.said(keys::DATATYPE).and_then(ElementType::from_name))
}

/// The complex type that a field of pairs stands for, if the metadata say that it does.
fn complex_of(field: &Field, said: Option<ElementType>) -> Option<ScalarType> {
    let Some(ElementType::Scalar(scalar)) = said else { return None };
    let [parts] = field.children.as_slice() else { return None };
    let part = Format::of_parts(scalar)?;
    (field.format == Format::of_scalar(scalar).name() && parts.format == part.name()).then_some(scalar)
}

fn is_complex(field: &Field, outermost: &Field) -> bool {
    complex_of(field, element_said(outermost, field)).is_some()
}

/// How elements of this field are stored, and what they are.
fn element_of(field: &Field, said: Option<ElementType>) -> Result<(Element, ElementType)> {
    if let Some(scalar) = complex_of(field, said) {
        return Ok((Element::Complex(scalar), ElementType::Scalar(scalar)));
    }
    let unknown = |format: &str| {
        let message = format!("the type '{}' of Arrow: no column can hold its values", format.escape_debug());
        Error::new(Status::Unsupported, message)
    };
    let format = Format::parse(&field.format).ok_or_else(|| unknown(&field.format))?;
    let (element, stored) = match (&field.dictionary, format) {
        (None, _) => (Element::Direct(format), format),
        (Some(values), Format::Number(index)) if values.dictionary.is_none() => {
            let stored = Format::parse(&values.format).ok_or_else(|| unknown(&values.format))?;
            (Element::Dictionary(index, stored), stored)
        }
        _ => return Err(unknown(&field.format)),
    };
    let element_type = match stored {
        Format::Bool => ElementType::Scalar(ScalarType::Bool8),
        Format::Number(scalar) => ElementType::Scalar(scalar),
        Format::Null | Format::Text | Format::LargeText | Format::TextView => {
            said.filter(|said| said.is_text()).unwrap_or(ElementType::String)
        }
        Format::List | Format::LargeList | Format::FixedList(_) | Format::Struct => return Err(unknown(&field.format)),
    };
    Ok((element, element_type))
}
