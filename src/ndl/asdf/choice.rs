//! Which elements of arrays are told.

use super::array::is_inline;
use super::describe::{DescribeOptions, Values};
use crate::error::{Error, Result, Status};
use crate::file::{File, Node, NodeArray};
use crate::ndl::ROOT;
use std::cell::Cell;

/// How often elements that stand in the tree are looked at, on average: as part of each list that they are in, some of which
/// may be told as one attribute.
const LOOKS: usize = 8;
/// And how many are told again because what they are in has a second place in the tree.
const MAX_REPEATED: usize = 1 << 20;

/// What the options ask for, and how much of it may still be told.
pub(super) struct Choice<'a> {
    pub(super) options: &'a DescribeOptions,
    /// Elements of the tree; arrays and lists may share them. Once more are asked for, there are none.
    left: Cell<Option<usize>>,
}

impl Choice<'_> {
    pub(super) fn new<'a>(file: &File, options: &'a DescribeOptions) -> Result<Choice<'a>> {
        let nodes = file.root()?.in_tree(|tree, _| tree.node_count())?;
        Ok(Choice { options, left: Cell::new(Some(nodes.saturating_mul(LOOKS).saturating_add(MAX_REPEATED))) })
    }

    /// Whether the elements of what has this path name are to be told.
    pub(super) fn tells(&self, path: &str, is_coordinate: bool, is_in_tree: bool) -> bool {
        let is_asked = match self.options.values {
            Values::None => false,
            Values::Coordinates => is_coordinate,
            Values::Inline => is_in_tree,
            Values::All => true,
        };
        // A part may have dimension coordinates outside.
        is_asked && (is_coordinate || self.has(path))
    }

    /// Whether a path name is that of what alone is to be described, or of something in it.
    pub(super) fn has(&self, path: &str) -> bool {
        let Some(only) = self.options.only.as_deref().filter(|only| *only != ROOT) else { return true };
        path.strip_prefix(only).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Takes so many elements of the tree from those that may be told.
    pub(super) fn take(&self, elements: u64) -> Result<()> {
        let elements = usize::try_from(elements).ok();
        self.left.set(self.left.get().zip(elements).and_then(|(left, elements)| left.checked_sub(elements)));
        if self.left.get().is_some() {
            return Ok(());
        }
        let message = format!("more than {MAX_REPEATED} elements have a second place in the tree");
        Err(Error::new(Status::BadArray, message))
    }

    /// The array at a node. Shape and datatype of one whose elements stand in the tree follow from all of them.
    pub(super) fn array(&self, node: &Node) -> Result<NodeArray> {
        if node.get("source").is_err() {
            self.take(0)?;
        }
        let array = node.array("")?;
        if is_inline(&array) {
            self.take(array.element_count().unsigned_abs())?;
        }
        Ok(array)
    }
}
