//! Chooses the arrays whose elements a description includes, and limits the work on shared elements.

use super::options::{DescribeOptions, Values};
use crate::array::Array;
use crate::error::{Error, Result, Status};
use crate::file::{File, Node};
use crate::ndl::ROOT;
use std::cell::Cell;

/// Maximum average number of visits to each node of the tree. An element is visited once for each list around it that
/// may become an attribute.
const VISITS_PER_NODE: usize = 8;
/// Maximum number of elements that are included again because their array or list occurs in a second place of the tree.
const MAX_REPEATED: usize = 1 << 20;

/// The options, with the remaining budget of elements.
pub(in crate::ndl::asdf) struct Choice<'a> {
    pub(in crate::ndl::asdf) options: &'a DescribeOptions,
    /// Remaining number of visits to elements of the tree, which arrays and lists may share. `None` after the budget
    /// was exceeded.
    left: Cell<Option<usize>>,
}

impl Choice<'_> {
    pub(in crate::ndl::asdf) fn new<'a>(file: &File, options: &'a DescribeOptions) -> Result<Choice<'a>> {
        let nodes = file.root()?.in_tree(|tree, _| tree.node_count())?;
        Ok(Choice {
            options,
            left: Cell::new(Some(nodes.saturating_mul(VISITS_PER_NODE).saturating_add(MAX_REPEATED))),
        })
    }

    /// Returns true if the description includes the elements of the array with this path name.
    pub(in crate::ndl::asdf) fn includes_values(&self, path: &str, is_coordinate: bool, is_in_tree: bool) -> bool {
        let is_asked = match self.options.values {
            Values::None => false,
            Values::Coordinates => is_coordinate,
            Values::Inline => is_in_tree,
            Values::All => true,
        };
        // Dimension coordinates may lie outside the part that is described, and are included with it.
        is_asked && (is_coordinate || self.includes(path))
    }

    /// Returns true if the path name is inside the part that is described ([`DescribeOptions::only`]).
    pub(in crate::ndl::asdf) fn includes(&self, path: &str) -> bool {
        let Some(only) = self.options.only.as_deref().filter(|only| *only != ROOT) else { return true };
        path.strip_prefix(only).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Takes elements of the tree from the budget. Fails with [`Status::BadArray`] when it is exhausted.
    pub(in crate::ndl::asdf) fn take(&self, elements: u64) -> Result<()> {
        let elements = usize::try_from(elements).ok();
        self.left.set(self.left.get().zip(elements).and_then(|(left, elements)| left.checked_sub(elements)));
        if self.left.get().is_some() {
            return Ok(());
        }
        let message = format!("more than {MAX_REPEATED} elements occur in a second place of the tree");
        Err(Error::new(Status::BadArray, message))
    }

    /// Opens the array at a node. Opening an inline array visits all its elements to find shape and datatype.
    pub(in crate::ndl::asdf) fn array(&self, node: &Node) -> Result<Array> {
        if Error::readable(node.at("source"))?.is_none() {
            self.take(0)?;
        }
        let array = node.array("")?;
        if array.is_inline() {
            self.take(array.element_count().unsigned_abs())?;
        }
        Ok(array)
    }
}
