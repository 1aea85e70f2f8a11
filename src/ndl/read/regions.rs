//! Reads region references.

use super::objects::Object;
use super::reader::{Pair, shown};
use super::values::ValueReader;
use crate::error::Result;
use crate::ndl::model::path_name;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Code, Extensions, Region, Selection, is_extension_key};
use crate::reserve::{copy_of, extend, push, text_of};
use crate::tree::{Kind, NodeId};

/// The keys of a region.
#[derive(Default)]
struct Keys<'r> {
    target: Option<Pair<'r>>,
    start: Option<NodeId>,
    opposite: Option<NodeId>,
    selection: Option<NodeId>,
}

/// The array that a region refers to.
struct Target {
    path: String,
    /// Number of elements along each dimension, `None` where it is unknown; the whole is `None` if the rank is unknown.
    limits: Option<Vec<Option<u64>>>,
}

impl<'r> ValueReader<'_, 'r, '_> {
    /// Reads one region. Returns `None` for null and after an error, which is reported.
    pub(super) fn region(&mut self, node: NodeId, selection: Selection) -> Option<Region> {
        if self.reader.is_null(node) {
            return None;
        }
        if self.reader.kind(node) != Kind::Mapping {
            self.malformed(node, "a region reference must be a mapping or null");
            return None;
        }
        let mut extensions = Extensions::new();
        let keys = self.region_keys(node, &mut extensions)?;
        let target = self.target(node, keys.target)?;
        let corners = self.corners(node, &keys, selection)?;
        let rank = target.limits.as_ref().map(Vec::len).or(corners.first().map(Vec::len)).unwrap_or(0);
        let mut region = Region::new(target.path.as_str(), selection, rank);
        for index in &corners {
            if !self.is_within(node, index, rank, &target) {
                return None;
            }
        }
        let added: Result<()> = match selection {
            Selection::Element => corners.iter().try_for_each(|index| region.add_element(index)),
            Selection::Block => {
                corners.as_chunks::<2>().0.iter().try_for_each(|[one, other]| region.add_block(one, other))
            }
        };
        // The lengths of the indices were checked.
        self.hold(added);
        region.extensions = extensions;
        Some(region)
    }

    fn malformed(&mut self, node: NodeId, message: impl Into<String>) {
        self.fail(Code::RegrefForm, node, message);
    }

    fn region_keys(&mut self, node: NodeId, extensions: &mut Extensions) -> Option<Keys<'r>> {
        let mut keys = Keys::default();
        for pair in self.reader.pairs(node) {
            match pair.name {
                "target" => keys.target = Some(pair),
                "start" => keys.start = Some(pair.value),
                "opposite" => keys.opposite = Some(pair.value),
                "selection" => keys.selection = Some(pair.value),
                name if is_extension_key(name) => self.reader.extend(extensions, pair),
                name => {
                    self.malformed(pair.key, format!("a region reference has no key '{}'", shown(name)));
                    return None;
                }
            }
        }
        Some(keys)
    }

    fn target(&mut self, node: NodeId, pair: Option<Pair>) -> Option<Target> {
        let Some(pair) = pair else {
            self.malformed(node, "a region reference needs a 'target'");
            return None;
        };
        let path = match self.reader.core(pair.value) {
            Some(Core::Text(text)) if path_name::is_group_path(text) => self.reader.held(text_of(text))?.into_string(),
            _ => {
                self.malformed(pair.value, "the target must be the path name of an array and begin with a slash");
                return None;
            }
        };
        let limits = match self.objects.get(&path) {
            Some(Object::Ndarray { limits }) => {
                let limits = limits.as_deref().map(copy_of).transpose();
                self.reader.held(limits)?
            }
            Some(Object::DimCoord { size, stored }) => Some(vec![stored.or(size.fixed())]),
            Some(Object::Group) | None => {
                let message = format!("there is no array with the path name '{}'", shown(&path));
                self.fail(Code::RegrefTarget, pair.value, message);
                return None;
            }
        };
        Some(Target { path, limits })
    }

    /// Reads the indices of elements, or the two corners of each block one after the other.
    fn corners(&mut self, node: NodeId, keys: &Keys, selection: Selection) -> Option<Vec<Vec<u64>>> {
        match (selection, keys.start, keys.opposite, keys.selection) {
            (Selection::Block, Some(start), Some(opposite), None) => self.block(node, start, opposite).map(Vec::from),
            (Selection::Block, None, None, Some(list)) if self.reader.kind(list) == Kind::Sequence => {
                let mut corners = Vec::new();
                for item in self.reader.items(list) {
                    // The model has no extensions of single blocks, so they are refused.
                    let mut others = Extensions::new();
                    let keys = match self.reader.kind(item) {
                        Kind::Mapping => self.region_keys(item, &mut others)?,
                        _ => Keys::default(),
                    };
                    match keys {
                        Keys { target: None, start: Some(start), opposite: Some(opposite), selection: None }
                            if others.is_empty() =>
                        {
                            let block = self.block(item, start, opposite)?;
                            self.reader.held(extend(&mut corners, block))?;
                        }
                        _ => {
                            self.malformed(
                                item,
                                "a block of a selection must be a mapping with the keys 'start' and 'opposite'",
                            );
                            return None;
                        }
                    }
                }
                Some(corners)
            }
            (Selection::Block, ..) => {
                self.malformed(
                    node,
                    "a selection of blocks needs 'start' and 'opposite', or a list of such blocks under 'selection'",
                );
                None
            }
            (Selection::Element, None, None, Some(list)) if self.reader.kind(list) == Kind::Sequence => {
                let mut indices = Vec::new();
                for item in self.reader.items(list) {
                    let index = self.index(item)?;
                    self.reader.held(push(&mut indices, index))?;
                }
                Some(indices)
            }
            (Selection::Element, ..) => {
                self.malformed(node, "a selection of elements needs a list of their indices under 'selection'");
                None
            }
        }
    }

    fn block(&mut self, node: NodeId, start: NodeId, opposite: NodeId) -> Option<[Vec<u64>; 2]> {
        let (start, opposite) = (self.index(start)?, self.index(opposite)?);
        if start.len() != opposite.len() {
            self.malformed(node, "the two corners of a block must have the same number of indices");
            return None;
        }
        Some([start, opposite])
    }

    fn index(&mut self, node: NodeId) -> Option<Vec<u64>> {
        let index = self.reader.naturals(node);
        if index.is_none() {
            self.malformed(node, "an index must be a list of integers from 0, one for each dimension");
        }
        index
    }

    fn is_within(&mut self, node: NodeId, index: &[u64], rank: usize, target: &Target) -> bool {
        if index.len() != rank {
            let message = format!("the index has {} numbers, but the array has {rank} dimensions", index.len());
            self.fail(Code::RegrefRank, node, message);
            return false;
        }
        let limits = target.limits.as_deref().unwrap_or_default();
        let outside = index
            .iter()
            .zip(limits)
            .find_map(|(&index, limit)| Some((index, (*limit).filter(|&limit| index >= limit)?)));
        if let Some((index, limit)) = outside {
            let message =
                format!("the index {index} is out of range: the dimension has {limit} elements, counted from 0");
            self.fail(Code::RegrefBounds, node, message);
        }
        outside.is_none()
    }
}
