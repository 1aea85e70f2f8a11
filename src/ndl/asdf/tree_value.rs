//! Elements that stand in the tree of an ASDF file: nested lists of scalars, references, regions and lists.

use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::ndl::{Datatype, DatatypeKind, Elements, Region, Selection};

/// Puts all elements of an array, or what stands for one that is not given, at `path`.
///
/// Recursion goes as deep as the shape and the datatype, which are bounded.
pub(super) fn write(
    root: &Node,
    path: &str,
    shape: &[u64],
    elements: Option<&Elements>,
    datatype: &Datatype,
) -> Result<()> {
    let mut next = 0;
    lists(root, path, shape, &mut |root, path| {
        next += 1;
        match elements {
            Some(elements) => element(root, path, elements, next - 1, datatype),
            None => empty(root, path, datatype),
        }
    })
}

/// Nested lists of this shape, with what `leaf` puts at the place of each element in turn.
fn lists(root: &Node, path: &str, shape: &[u64], leaf: &mut dyn FnMut(&Node, &str) -> Result<()>) -> Result<()> {
    let Some((&extent, inner)) = shape.split_first() else { return leaf(root, path) };
    root.set_sequence(path, true)?;
    for index in 0..extent {
        lists(root, &item(root, path, index)?, inner, leaf)?;
    }
    Ok(())
}

/// Adds an item to a list that has so many, and gives its path.
fn item(root: &Node, list: &str, index: u64) -> Result<String> {
    root.set_null(&format!("{list}/-"))?;
    Ok(format!("{list}/{index}"))
}

/// What stands for an element that is not known: nothing for references, no elements for lists.
fn empty(root: &Node, path: &str, datatype: &Datatype) -> Result<()> {
    match datatype.kind() {
        DatatypeKind::Vlen(_) => root.set_sequence(path, true),
        DatatypeKind::String => root.set_string(path, ""),
        _ => root.set_null(path),
    }
}

fn element(root: &Node, path: &str, elements: &Elements, index: usize, datatype: &Datatype) -> Result<()> {
    let none = || Error::new(Status::Internal, "an element of a value is not where it should be");
    match (elements, datatype.kind()) {
        (Elements::Texts(texts), _) => root.set_string(path, texts.get(index).ok_or_else(none)?),
        (Elements::Integers(numbers), _) => root.set_i64(path, *numbers.get(index).ok_or_else(none)?),
        (Elements::Unsigned(numbers), _) => {
            let number = *numbers.get(index).ok_or_else(none)?;
            match i64::try_from(number) {
                Ok(number) => root.set_i64(path, number),
                Err(_) => root.set_integer(path, &number.to_string()),
            }
        }
        (Elements::Float32(numbers), _) => root.set_f64(path, f64::from(*numbers.get(index).ok_or_else(none)?)),
        (Elements::Float64(numbers), _) => root.set_f64(path, *numbers.get(index).ok_or_else(none)?),
        (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
            let position = *positions.get(index).ok_or_else(none)?;
            let (name, number) = enumeration.members.at(position as usize).ok_or_else(none)?;
            if enumeration.is_boolean() { root.set_bool(path, name == "TRUE") } else { integer(root, path, *number) }
        }
        (Elements::Opaque(blobs), _) => root.set_binary(path, blobs.get(index).ok_or_else(none)?),
        (Elements::Objects(paths), _) => match paths.get(index).ok_or_else(none)? {
            Some(target) => root.set_reference_to(path, target),
            None => root.set_null(path),
        },
        (Elements::Regions(regions), _) => match regions.get(index).ok_or_else(none)? {
            Some(selected) => region(root, path, selected),
            None => root.set_null(path),
        },
        (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
            root.set_sequence(path, true)?;
            for (position, (column, (_, member))) in columns.iter().zip(members.iter()).enumerate() {
                element(root, &item(root, path, position as u64)?, column, index, member)?;
            }
            Ok(())
        }
        (Elements::Lists(inner), DatatypeKind::Vlen(base)) => {
            let range = inner.range(index).ok_or_else(none)?;
            root.set_sequence(path, true)?;
            for (position, index) in range.enumerate() {
                element(root, &item(root, path, position as u64)?, inner.base(), index, base)?;
            }
            Ok(())
        }
        (Elements::Arrays { size, base }, DatatypeKind::Array { base: inner, shape }) => {
            let mut next = index * *size as usize;
            lists(root, path, shape, &mut |root, path| {
                next += 1;
                element(root, path, base, next - 1, inner)
            })
        }
        _ => Err(Error::new(Status::InvalidArgument, "a value is not of the datatype beside it")),
    }
}

fn integer(root: &Node, path: &str, number: i128) -> Result<()> {
    match i64::try_from(number) {
        Ok(number) => root.set_i64(path, number),
        Err(_) => root.set_integer(path, &number.to_string()),
    }
}

/// One block stands as its corners, several and elements as a list.
fn region(root: &Node, path: &str, region: &Region) -> Result<()> {
    root.set_mapping(path, true)?;
    root.set_reference_to(&format!("{path}/target"), region.target())?;
    let selection = format!("{path}/selection");
    if region.selection() == Selection::Element || region.len() != 1 {
        root.set_sequence(&selection, true)?;
    }
    for position in 0..region.len() {
        if let Some(index) = region.element(position) {
            tuple(root, &item(root, &selection, position as u64)?, index)?;
        }
        if let Some((start, opposite)) = region.block(position) {
            let place = if region.len() == 1 { path.to_owned() } else { item(root, &selection, position as u64)? };
            if region.len() != 1 {
                root.set_mapping(&place, true)?;
            }
            tuple(root, &format!("{place}/start"), start)?;
            tuple(root, &format!("{place}/opposite"), opposite)?;
        }
    }
    Ok(())
}

fn tuple(root: &Node, path: &str, index: &[u64]) -> Result<()> {
    root.set_sequence(path, true)?;
    for &number in index {
        root.set_u64(&format!("{path}/-"), number)?;
    }
    Ok(())
}
