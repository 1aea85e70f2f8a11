//! Elements in the tree of an ASDF file: nested lists of scalars, references, regions and lists.

use super::choice::Choice;
use super::mask::MasksInArrays;
use super::names::Spellings;
use super::reference::target;
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::ndl::model::datatype::ConstantNumbers;
use crate::ndl::model::path_name;
use crate::ndl::{Datatype, DatatypeKind, Description, Elements, Region, Selection, Value};
use crate::reserve::{collected, push};
use crate::tree::path;
use std::cell::{Cell, RefCell};

/// Maximum number of references in a chain from one reference to the next.
const MAX_STEPS: usize = 64;

/// Possible targets of references in a description.
pub(in crate::ndl::asdf) struct Targets<'a> {
    pub(in crate::ndl::asdf) description: &'a Description,
    pub(in crate::ndl::asdf) masks: &'a MasksInArrays,
    /// Number of references without a target. They are stored as null, because other readers fail at such references.
    pub(in crate::ndl::asdf) dangling: Cell<u64>,
}

impl Targets<'_> {
    /// Returns true if all references have a target.
    pub(in crate::ndl::asdf) fn are_known(&self, elements: &Elements) -> bool {
        match elements {
            Elements::Objects(paths) => paths.iter().flatten().all(|path| self.is_known(path)),
            _ => true,
        }
    }

    /// Returns true if the path name belongs to an object, or to an attribute of a group that the tree holds.
    fn is_known(&self, path: &str) -> bool {
        let mut path = path;
        for _ in 0..MAX_STEPS {
            if self.description.contains(path) {
                return true;
            }
            // Attributes are not objects in NDL, but references in ASDF may point to them.
            let Some((group, name)) = path_name::split(path) else { return false };
            let Ok(tokens) = path::tokens(name) else { return false };
            let [key] = tokens.as_slice() else { return false };
            let attribute = self.description.groups.get(group).and_then(|group| group.attributes.get(key));
            let Some(value) = attribute.and_then(|attribute| attribute.value.as_ref()) else { return false };
            match value.elements() {
                Elements::Texts(_)
                | Elements::Integers(_)
                | Elements::Unsigned(_)
                | Elements::Float32(_)
                | Elements::Float64(_) => return true,
                Elements::Objects(paths) => match paths.as_slice() {
                    [Some(next)] if value.shape().is_empty() => path = next,
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// Returns the JSON Pointer of the object with this path name. Counts a path name without an object as dangling.
    fn pointer(&self, path: &str) -> Option<String> {
        if self.is_known(path) {
            return Some(self.masks.pointer(path));
        }
        self.dangling.set(self.dangling.get() + 1);
        None
    }

    fn put(&self, root: &Node, path: &str, target: Option<&str>) -> Result<()> {
        match target.and_then(|target| self.pointer(target)) {
            Some(pointer) => root.set_reference_to(path, &pointer),
            None => root.set_null(path),
        }
    }
}

/// Writes all elements of an array to `path`. Without elements it writes a placeholder for each.
///
/// Recursion is as deep as the shape and the datatype, which are limited.
pub(in crate::ndl::asdf) fn write(
    root: &Node,
    path: &str,
    shape: &[u64],
    elements: Option<&Elements>,
    datatype: &Datatype,
    targets: &Targets,
) -> Result<()> {
    let mut next = 0;
    lists(root, path, shape, &mut |root, path| {
        next += 1;
        match elements {
            Some(elements) => element(root, path, elements, next - 1, datatype, targets),
            None => empty(root, path, datatype),
        }
    })
}

/// Writes nested lists of this shape; `leaf` writes each element.
fn lists(root: &Node, path: &str, shape: &[u64], leaf: &mut dyn FnMut(&Node, &str) -> Result<()>) -> Result<()> {
    let Some((&extent, inner)) = shape.split_first() else { return leaf(root, path) };
    root.set_sequence(path, true)?;
    for index in 0..extent {
        lists(root, &item(root, path, index)?, inner, leaf)?;
    }
    Ok(())
}

/// Appends an item to a list of `index` items, and returns its path.
fn item(root: &Node, list: &str, index: u64) -> Result<String> {
    root.set_null(&format!("{list}/-"))?;
    Ok(format!("{list}/{index}"))
}

/// Writes the placeholder of an unknown element: an empty list, an empty text, or null.
fn empty(root: &Node, path: &str, datatype: &Datatype) -> Result<()> {
    match datatype.kind() {
        DatatypeKind::Vlen(_) => root.set_sequence(path, true),
        DatatypeKind::String => root.set_string(path, ""),
        _ => root.set_null(path),
    }
}

fn element(
    root: &Node,
    path: &str,
    elements: &Elements,
    index: usize,
    datatype: &Datatype,
    targets: &Targets,
) -> Result<()> {
    let none = || Error::new(Status::Internal, "an element of a value is missing");
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
        (Elements::Objects(paths), _) => targets.put(root, path, paths.get(index).ok_or_else(none)?.as_deref()),
        (Elements::Regions(regions), _) => match regions.get(index).ok_or_else(none)? {
            Some(selected) => region(root, path, selected, targets),
            None => root.set_null(path),
        },
        (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
            root.set_sequence(path, true)?;
            for (position, (column, (_, member))) in columns.iter().zip(members.iter()).enumerate() {
                element(root, &item(root, path, position as u64)?, column, index, member, targets)?;
            }
            Ok(())
        }
        (Elements::Lists(inner), DatatypeKind::Vlen(base)) => {
            let range = inner.range(index).ok_or_else(none)?;
            root.set_sequence(path, true)?;
            for (position, index) in range.enumerate() {
                element(root, &item(root, path, position as u64)?, inner.base(), index, base, targets)?;
            }
            Ok(())
        }
        (Elements::Arrays { size, base }, DatatypeKind::Array { base: inner, shape }) => {
            let mut next = index * *size as usize;
            lists(root, path, shape, &mut |root, path| {
                next += 1;
                element(root, path, base, next - 1, inner, targets)
            })
        }
        _ => Err(Error::new(Status::InvalidArgument, "a value does not fit its datatype")),
    }
}

fn integer(root: &Node, path: &str, number: i128) -> Result<()> {
    match i64::try_from(number) {
        Ok(number) => root.set_i64(path, number),
        Err(_) => root.set_integer(path, &number.to_string()),
    }
}

/// Writes a region: a single block by its corners, several blocks and elements as a list.
fn region(root: &Node, path: &str, region: &Region, targets: &Targets) -> Result<()> {
    let Some(target) = targets.pointer(region.target()) else { return root.set_null(path) };
    root.set_mapping(path, true)?;
    root.set_reference_to(&format!("{path}/target"), &target)?;
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

/// Reads elements that [`write`] put into the tree.
pub(in crate::ndl::asdf) struct Reader<'a> {
    pub(in crate::ndl::asdf) choice: &'a Choice<'a>,
    /// Descriptions with the arrays that regions refer to.
    pub(in crate::ndl::asdf) descriptions: [&'a Description; 2],
    pub(in crate::ndl::asdf) spellings: &'a Spellings,
    /// Cache for the datatype that is being read.
    pub(in crate::ndl::asdf) constants: RefCell<ConstantNumbers>,
}

impl Reader<'_> {
    /// Reads the elements at a node, in the shape from [`shape_of`].
    ///
    /// Fails with [`Status::BadArray`] or [`Status::WrongType`] if the elements do not fit the shape and the datatype.
    /// Recursion is as deep as these, which are limited.
    pub(in crate::ndl::asdf) fn read(&self, node: &Node, shape: Vec<u64>, datatype: &Datatype) -> Result<Value> {
        self.constants.take();
        let mut elements = Elements::none_of(datatype);
        each(node, &shape, &mut |node| self.element(node, datatype, &mut elements))?;
        Value::new(shape, elements, datatype).map_err(|error| Error::new(Status::BadArray, error.message()))
    }

    fn element(&self, node: &Node, datatype: &Datatype, elements: &mut Elements) -> Result<()> {
        self.choice.take(1)?;
        match (elements, datatype.kind()) {
            (Elements::Texts(texts), _) => texts.try_push(&node.string("")?)?,
            (Elements::Integers(numbers), _) => push(numbers, node.i64("")?)?,
            (Elements::Unsigned(numbers), _) => push(numbers, node.u64("")?)?,
            (Elements::Float32(numbers), _) => push(numbers, node.f64("")? as f32)?,
            (Elements::Float64(numbers), _) => push(numbers, node.f64("")?)?,
            (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
                let number = match node.node_type("")? {
                    NodeType::Bool => node.bool("")?.into(),
                    _ => node
                        .any_integer("")?
                        .to_i128()
                        .ok_or_else(|| Error::new(Status::BadArray, "the number of a constant exceeds 128 bits"))?,
                };
                push(positions, self.constants.borrow_mut().find(number, enumeration)?)?;
            }
            (Elements::Opaque(blobs), _) => blobs.try_push(&node.binary("")?)?,
            (Elements::Objects(paths), _) => push(paths, self.target(node)?)?,
            (Elements::Regions(regions), DatatypeKind::Regref(selection)) => {
                push(regions, self.region(node, *selection)?)?;
            }
            (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
                check_length(node, columns.len() as u64)?;
                for (index, (column, (_, member))) in columns.iter_mut().zip(members.iter()).enumerate() {
                    self.element(&node.item("", index)?, member, column)?;
                }
            }
            (Elements::Lists(lists), DatatypeKind::Vlen(base)) => {
                let count = length(node)?;
                lists.push_list(|elements| {
                    (0..count).try_for_each(|index| self.element(&node.item("", index)?, base, elements))
                })?;
            }
            (Elements::Arrays { base, .. }, DatatypeKind::Array { base: inner, shape }) => {
                each(node, shape, &mut |node| self.element(node, inner, base))?;
            }
            _ => return Err(Error::new(Status::Internal, "the elements do not fit their datatype")),
        }
        Ok(())
    }

    /// Returns the path name of a reference into the file; `None` for null.
    fn target(&self, node: &Node) -> Result<Option<String>> {
        match node.reference("")? {
            None if node.node_type("")? == NodeType::Null => Ok(None),
            uri => {
                let root = node.file().root()?;
                let path = uri.as_deref().map(|uri| target(&root, uri)).transpose()?.flatten();
                let path = path.ok_or_else(|| unexpected("a reference into the file"))?;
                Ok(Some(self.spellings.of(path)))
            }
        }
    }

    fn region(&self, node: &Node, selection: Selection) -> Result<Option<Region>> {
        if node.reference("")?.is_none() && node.node_type("")? == NodeType::Null {
            return Ok(None);
        }
        let target = self.target(&node.at("target")?)?;
        let target = target.ok_or_else(|| unexpected("the target of a region"))?;
        let rank = self.rank(&target);
        let mut region = Region::new(target, selection, rank);
        let Some(list) = Error::readable(node.at("selection"))? else {
            region.add_block(&tuple_at(node, "start")?, &tuple_at(node, "opposite")?)?;
            return Ok(Some(region));
        };
        for index in 0..length(&list)? {
            let item = list.item("", index)?;
            match selection {
                Selection::Element => region.add_element(&tuple_at(&item, "")?)?,
                Selection::Block => region.add_block(&tuple_at(&item, "start")?, &tuple_at(&item, "opposite")?)?,
            }
        }
        Ok(Some(region))
    }

    fn rank(&self, path: &str) -> usize {
        let known = |description: &&Description| {
            let shape = description.ndarrays.get(path).map(|ndarray| ndarray.shape.as_ref().map_or(0, Vec::len));
            shape.or_else(|| description.dimcoords.contains(path).then_some(1))
        };
        self.descriptions.iter().find_map(known).unwrap_or(0)
    }
}

/// Returns the lengths of nested lists, determined from the first item of each list. Dimensions below an empty list
/// keep their declared extent.
pub(in crate::ndl::asdf) fn shape_of(node: &Node, extents: &[Option<u64>]) -> Result<Vec<u64>> {
    let mut shape = Vec::new();
    let mut list = Some(node.clone());
    for extent in extents {
        let count = list.as_ref().map(length).transpose()?;
        push(&mut shape, count.map_or(extent.unwrap_or(0), |count| count as u64))?;
        list = match (list, count) {
            (Some(list), Some(1..)) => Some(list.item("", 0)?),
            _ => None,
        };
    }
    Ok(shape)
}

/// Calls `leaf` for each element of nested lists of this shape.
fn each(node: &Node, shape: &[u64], leaf: &mut dyn FnMut(&Node) -> Result<()>) -> Result<()> {
    let Some((&extent, inner)) = shape.split_first() else { return leaf(node) };
    for index in 0..check_length(node, extent)? {
        each(&node.item("", index)?, inner, leaf)?;
    }
    Ok(())
}

fn check_length(node: &Node, expected: u64) -> Result<usize> {
    let count = length(node)?;
    if count as u64 != expected {
        return Err(Error::new(Status::BadArray, format!("a list has {count} items instead of {expected}")));
    }
    Ok(count)
}

/// Returns the number of items of a list. Does not follow references.
fn length(node: &Node) -> Result<usize> {
    if node.reference("")?.is_some() || node.node_type("")? != NodeType::Sequence {
        return Err(unexpected("a list"));
    }
    node.count("")
}

fn unexpected(wanted: &str) -> Error {
    Error::new(Status::WrongType, format!("expected {wanted}"))
}

fn tuple_at(node: &Node, path: &str) -> Result<Vec<u64>> {
    let list = node.at(path)?;
    collected((0..length(&list)?).map(|index| list.item("", index)?.u64("")))
}
