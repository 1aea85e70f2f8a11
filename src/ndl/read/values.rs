//! Reads values: nested lists with one level for each dimension, and lists inside elements.

use super::ReadLimits;
use super::objects::Objects;
use super::reader::{Pair, Reader};
use crate::error::Result;
use crate::ndl::model::datatype::ConstantNumbers;
use crate::ndl::{Code, Datatype, DatatypeKind, Elements, Value};
use crate::reserve::collected;
use crate::tree::{Kind, NodeId};

/// Required number of values along a dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Extent {
    Fixed(u64),
    /// The length of the first list; all others must be as long.
    Any,
}

/// State while one value of an array, attribute or directive is read.
pub(super) struct ValueReader<'a, 'r, 'o> {
    pub(super) reader: &'a mut Reader<'r, 'o>,
    pub(super) place: &'a str,
    pub(super) objects: &'a Objects,
    /// Node for reports about values without a text.
    near: NodeId,
    extents: Vec<Extent>,
    failed: bool,
    /// True after an error in the shape of the lists was reported, because one report is enough.
    shape_reported: bool,
    pub(super) constants: ConstantNumbers,
}

impl<'r> Reader<'r, '_> {
    /// Reads the value of a pair. Reports errors and then returns `None`.
    pub(super) fn value(
        &mut self,
        place: &str,
        pair: Pair<'r>,
        extents: Vec<Extent>,
        datatype: &Datatype,
        objects: &Objects,
    ) -> Option<Value> {
        if let Some(value) = self.detached_value(pair, datatype) {
            return self.fitting(place, pair, &extents, datatype, value);
        }
        let is_bare = self.kind(pair.value) != Kind::Sequence
            && !extents.is_empty()
            && extents.iter().all(|extent| *extent == Extent::Fixed(1));
        let rank = if is_bare { 0 } else { extents.len() };
        let mut elements = Elements::none_of(datatype);
        let (shape_reported, failed) = (false, false);
        let constants = ConstantNumbers::default();
        let mut reading =
            ValueReader { reader: self, place, objects, near: pair.key, extents, failed, shape_reported, constants };
        reading.dimension(pair.value, 0, rank, datatype, &mut elements);
        if reading.failed {
            return None;
        }
        let extent = |extent: &Extent| if let Extent::Fixed(count) = extent { *count } else { 0 };
        let shape = collected(reading.extents.iter().map(|given| Ok(extent(given))));
        let shape = self.held(shape)?;
        if is_bare {
            let message = "a single value is given in place of lists; it is accepted because the array has one element";
            self.report_value(Code::ValueScalar, place, pair, message);
        }
        Some(Value::of_checked(shape, elements))
    }

    /// Returns a detached value. In its place, the text has a list that holds only its number.
    fn detached_value(&self, pair: Pair, datatype: &Datatype) -> Option<&'r Value> {
        let is_number = pair.name == "value" && self.kind(pair.value) == Kind::Sequence && is_detachable(datatype);
        let number = self.items(pair.value).next().filter(|_| is_number && !self.detached.is_empty());
        number.and_then(|number| self.detached.get(usize::try_from(self.natural(number)?).ok()?)).copied()
    }

    /// Checks the shape and the depth of a value outside the text, by the rules for values in the text.
    fn fitting(
        &mut self,
        place: &str,
        pair: Pair,
        extents: &[Extent],
        datatype: &Datatype,
        value: &Value,
    ) -> Option<Value> {
        if extents.len().saturating_add(datatype.list_depth()) > ReadLimits::MAX_VALUE_DEPTH {
            self.report(Code::Limit, place, pair.value, too_deep());
            return None;
        }
        if let Some(message) = misfit(value.shape(), extents) {
            self.report(Code::ValueShape, place, pair.value, message);
            return None;
        }
        self.held(value.copied())
    }
}

/// Returns true if values of a datatype may be kept outside the text. References may not, because they must be
/// resolved.
pub(in crate::ndl) fn is_detachable(datatype: &Datatype) -> bool {
    !datatype.has(&|kind| matches!(kind, DatatypeKind::Objref | DatatypeKind::Regref(_)))
}

/// Returns an error message if the shape of a value does not suit the required extents.
pub(super) fn misfit(shape: &[u64], extents: &[Extent]) -> Option<String> {
    if shape.len() != extents.len() {
        return Some(format!("the value has {} dimensions, but the shape has {}", shape.len(), extents.len()));
    }
    shape.iter().zip(extents).enumerate().find_map(|(dimension, (&count, extent))| match *extent {
        Extent::Fixed(wanted) if wanted != count => Some(wrong_count(count, dimension, wanted)),
        Extent::Fixed(_) | Extent::Any => None,
    })
}

fn wrong_count(count: u64, dimension: usize, wanted: u64) -> String {
    format!("the value has {count} items along dimension {}, but needs {wanted}", dimension + 1)
}

fn too_deep() -> String {
    format!("a value must not nest deeper than {} levels", ReadLimits::MAX_VALUE_DEPTH)
}

impl ValueReader<'_, '_, '_> {
    /// Reports an error in the value. Further errors in its shape are not reported.
    pub(super) fn fail(&mut self, code: Code, node: NodeId, message: impl Into<String>) {
        self.failed = true;
        if code == Code::ValueShape && std::mem::replace(&mut self.shape_reported, true) {
            return;
        }
        self.report(code, node, message);
    }

    /// Notes if there was no memory for an element.
    pub(super) fn hold(&mut self, added: Result<()>) {
        if self.reader.held(added).is_none() {
            self.failed = true;
        }
    }

    pub(super) fn report(&mut self, code: Code, node: NodeId, message: impl Into<String>) {
        let node = if self.reader.is_omitted(node) { self.near } else { node };
        self.reader.report(code, self.place, node, message);
    }

    /// Returns true, and reports an error, if the lists nest too deep.
    pub(super) fn is_too_deep(&mut self, node: NodeId, depth: usize) -> bool {
        let is_too_deep = depth >= ReadLimits::MAX_VALUE_DEPTH;
        if is_too_deep && !std::mem::replace(&mut self.failed, true) {
            self.report(Code::Limit, node, too_deep());
        }
        is_too_deep
    }

    fn dimension(&mut self, node: NodeId, depth: usize, rank: usize, datatype: &Datatype, elements: &mut Elements) {
        if depth == rank {
            return self.element(node, depth, datatype, elements);
        }
        if self.is_too_deep(node, depth) {
            return;
        }
        if self.reader.kind(node) != Kind::Sequence {
            let message = format!("dimension {} needs a list; a single value is not repeated", depth + 1);
            return self.fail(Code::ValueShape, node, message);
        }
        let count = self.reader.tree.item_count(node) as u64;
        let Some(extent) = self.extents.get_mut(depth) else { return };
        match *extent {
            Extent::Any => *extent = Extent::Fixed(count),
            Extent::Fixed(wanted) if wanted != count => {
                return self.fail(Code::ValueShape, node, wrong_count(count, depth, wanted));
            }
            Extent::Fixed(_) => {}
        }
        for item in self.reader.items(node) {
            self.dimension(item, depth + 1, rank, datatype, elements);
        }
    }

    /// Reads one element of an array datatype with this shape.
    pub(super) fn array(
        &mut self,
        node: NodeId,
        depth: usize,
        shape: &[u64],
        datatype: &Datatype,
        elements: &mut Elements,
    ) {
        let Some((&wanted, inner)) = shape.split_first() else {
            return self.element(node, depth, datatype, elements);
        };
        if self.is_too_deep(node, depth) {
            return;
        }
        if self.reader.kind(node) != Kind::Sequence || self.reader.tree.item_count(node) as u64 != wanted {
            return self.fail(
                Code::ValueShape,
                node,
                format!("an element of the array datatype must be a list of {wanted} items"),
            );
        }
        for item in self.reader.items(node) {
            self.array(item, depth + 1, inner, datatype, elements);
        }
    }
}
