//! Reads sizes and shapes.

use super::objects::Objects;
use super::reader::{Pair, Reader, shown};
use crate::ndl::model::scalar::Core;
use crate::ndl::{Code, Dimension, Size};
use crate::reserve::push;
use crate::tree::{Kind, NodeId};

impl Reader<'_, '_> {
    /// Reads the size of a dimension coordinate.
    pub(super) fn size(&mut self, place: &str, pair: Pair) -> Size {
        if self.is_null(pair.value) {
            self.warn_of_empty(place, pair.value, pair.key);
            return Size::Unlimited;
        }
        match self.natural(pair.value).filter(|&size| size > 0) {
            Some(size) => Size::Fixed(size),
            None => {
                let message = "a size must be an integer from 1 to 2^64-1, or null if the dimension may grow";
                self.report_value(Code::Size, place, pair, message);
                Size::Unknown
            }
        }
    }

    fn warn_of_empty(&mut self, place: &str, node: NodeId, near: NodeId) {
        if self.tree.text(node).is_empty() {
            let node = if self.is_omitted(node) { near } else { node };
            self.report(Code::EmptyNull, place, node, "an empty value is read as null: the dimension may grow");
        }
    }

    /// Reads the shape of an array in a group.
    pub(super) fn shape(&mut self, place: &str, group: &str, pair: Pair, objects: &Objects) -> Option<Vec<Dimension>> {
        if self.kind(pair.value) != Kind::Sequence {
            self.report_value(Code::ShapeForm, place, pair, "a shape must be a list; the shape of a scalar is []");
            return None;
        }
        let mut previous = pair.key;
        let mut dimensions = Vec::new();
        for item in self.items(pair.value) {
            let dimension = self.dimension(place, group, item, previous, objects);
            self.held(push(&mut dimensions, dimension))?;
            previous = if self.is_omitted(item) { previous } else { item };
        }
        Some(dimensions)
    }

    fn dimension(&mut self, place: &str, group: &str, item: NodeId, near: NodeId, objects: &Objects) -> Dimension {
        match self.core(item) {
            Some(Core::Null) => {
                self.warn_of_empty(place, item, near);
                Dimension::unlimited()
            }
            Some(Core::Text(reference)) => self.reference(place, group, item, reference, objects),
            _ => match self.natural(item) {
                Some(extent) => Dimension::fixed(extent),
                None => {
                    let text = shown(self.tree.text(item));
                    let message = format!(
                        "an item of a shape must be an integer from 0 to 2^64-1, null or a dimension coordinate, \
                         not '{text}'"
                    );
                    self.report(Code::ShapeItem, place, item, message);
                    Dimension::default()
                }
            },
        }
    }

    /// Reads the shape of an attribute, which has only integers.
    pub(super) fn attribute_shape(&mut self, place: &str, pair: Pair) -> Option<Vec<u64>> {
        if self.kind(pair.value) != Kind::Sequence {
            self.report_value(Code::ShapeForm, place, pair, "a shape must be a list; the shape of a scalar is []");
            return None;
        }
        let mut shape = Some(Vec::new());
        for item in self.items(pair.value) {
            let extent = self.natural(item);
            if extent.is_none() {
                let (code, message) = match self.core(item) {
                    Some(Core::Null) => {
                        (Code::AttrShape, "an attribute cannot grow, so its shape must be a list of integers")
                    }
                    Some(Core::Text(_)) => (Code::AttrShape, "an attribute cannot have dimension coordinates"),
                    _ => (Code::ShapeItem, "an item of the shape of an attribute must be an integer from 0 to 2^64-1"),
                };
                let node = if self.is_omitted(item) { pair.key } else { item };
                self.report(code, place, node, message);
            }
            shape = shape.zip(extent).and_then(|(mut shape, extent)| {
                self.held(push(&mut shape, extent))?;
                Some(shape)
            });
        }
        shape
    }
}
