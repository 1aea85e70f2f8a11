//! The array of a picture and its part, found by a path.

use crate::core::failure::{Failure, Result};
use crate::core::region::Selection;
use crate::core::tree_path::TreePath;
use crate::core::walk::Walk;
use crate::look::get::{array_of, split_region};
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
        let found = match root.exists(inner)? {
            true => {
                let node = root.at(inner)?;
                array_of(&node)?.map(|array| (array, Error::readable(node.unit("")).ok().flatten()))
            }
            false => match inner.rsplit_once('/') {
                Some((parent, name)) if root.exists(parent)? && holds_columns(&root.at(parent)?)? => {
                    part_of(&root.at(parent)?, name)?
                }
                // The error names the keys that there are.
                _ => return Err(root.at(inner).map(drop).err().map_or_else(nothing, Failure::from)),
            },
        };
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

fn nothing() -> Failure {
    Failure::usage("there is no array to show")
}

fn holds_columns(node: &Node) -> Result<bool> {
    Ok(node.is_array("")? || node.exists("columns")?)
}

/// Returns the field of an array of records, or the column of a table, with its unit.
fn part_of(table: &Node, name: &str) -> Result<Option<(Array, Option<String>)>> {
    let name = name.replace("~1", "/").replace("~0", "~");
    if let Some(records) = array_of(table)? {
        return Ok(Some((records.field(&name)?, None)));
    }
    let columns = table.at("columns")?;
    for index in 0..columns.count("")? {
        let column = columns.item("", index)?;
        if Error::readable(column.text("name"))?.as_deref() == Some(&name) {
            let unit = Error::readable(column.unit("")).ok().flatten();
            return Ok(array_of(&column)?.map(|array| (array, unit)));
        }
    }
    Err(Failure::usage(format!("the table has no column '{name}'")))
}
