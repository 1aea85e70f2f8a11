//! The array of a picture and its part, found by a path.

use crate::core::failure::Result;
use crate::core::parts::{Part, array_of};
use crate::core::region::Selection;
use crate::core::tree_path::TreePath;
use crate::core::walk::Walk;
use crate::look::get::split_region;
use asdfkit::Error;
use asdfkit::array::Array;
use asdfkit::file::Node;

/// An array in a tree.
pub(crate) struct Place {
    /// Path as it is shown, without a region.
    pub(crate) path: String,
    pub(crate) array: Array,
    /// Part of the array.
    pub(crate) selection: Selection,
    /// Unit of the elements.
    pub(crate) unit: Option<String>,
}

impl Place {
    /// Finds the array at a path, or a column or field of the table there; `None` if there is none. A region stands at
    /// the end of the path, or is given.
    pub(crate) fn find(root: &Node, path: &TreePath, region: Option<&str>) -> Result<Option<Place>> {
        let (inner, own_region) = split_region(root, path)?;
        let region = region.or(own_region);
        let found = Part::find(root, inner)?.array()?;
        let Some((array, unit)) = found else { return Ok(None) };
        let selection = match region {
            Some(region) => Selection::parse(region, array.shape())?,
            None => Selection::all(array.shape()),
        };
        Ok(Some(Place { path: TreePath::shown_of(inner).to_owned(), array, selection, unit }))
    }

    /// Returns the array at a node, all of it; `None` if there is none.
    pub(crate) fn of_node(node: &Node, path: &str) -> Result<Option<Place>> {
        let unit = Error::readable(node.unit("")).ok().flatten();
        Ok(array_of(node)?.map(|array| {
            let selection = Selection::all(array.shape());
            Place { path: TreePath::shown_of(path).to_owned(), array, selection, unit }
        }))
    }

    /// Returns the path of the first array with two or more dimensions of numbers, or else of the first list of numbers.
    pub(crate) fn first(root: &Node) -> Result<Option<TreePath>> {
        let mut walk = Walk::new(root.clone(), String::new());
        let mut list = None;
        while let Some(visit) = walk.next()? {
            if visit.node_type.is_none() || visit.alias_of.is_some() {
                continue;
            }
            if !visit.node.is_array("")? {
                walk.enter(&visit)?;
                continue;
            }
            let Some(array) = Error::readable(visit.node.array(""))? else { continue };
            let is_number = array.datatype().scalar().is_some();
            let parsed = || visit.path.parse().unwrap_or_default();
            match array.shape().iter().filter(|extent| **extent > 1).count() {
                0 => {}
                1 if is_number => list = list.or_else(|| Some(parsed())),
                _ if is_number => return Ok(Some(parsed())),
                _ => {}
            }
        }
        Ok(list)
    }

    /// Chooses the middle one of all planes, and returns what was chosen: dimension, index and extent.
    pub(crate) fn choose_plane(&mut self) -> Vec<(usize, i64, i64)> {
        let mut chosen = Vec::new();
        let kept = self.selection.kept();
        for &dimension in &kept[..kept.len().saturating_sub(2)] {
            // An empty selection stays one, which is refused later.
            if self.selection.count[dimension] == 0 {
                continue;
            }
            let middle = (self.selection.count[dimension] - 1) / 2;
            self.selection.remove(dimension, middle);
            chosen.push((dimension, self.selection.start[dimension], self.array.shape()[dimension]));
        }
        chosen
    }
}
