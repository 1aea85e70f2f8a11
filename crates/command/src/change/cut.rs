//! Parts of images for `asdfkit copy --region`: arrays are cut, and the WCS of the image is shifted.

use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Result};
use crate::core::region::Selection;
use crate::core::tree_path::TreePath;
use crate::core::walk::Walk;
use asdfkit::Error;
use asdfkit::array::{Array, ReadOptions, Region};
use asdfkit::file::{ArrayData, ArrayOptions, Node, NodeType};
use asdfkit::wcs::{BuildOptions, Wcs};
use std::sync::Arc;

/// An array or a WCS within the part that is copied.
struct Found<T> {
    /// Path from the node that is copied.
    path: String,
    what: T,
}

/// Arrays and WCS of an image, and the region of it.
pub(super) struct Cut {
    arrays: Vec<Found<Array>>,
    worlds: Vec<Found<Node>>,
    selection: Selection,
    /// Shape of the image.
    shape: Vec<i64>,
    /// WCS of the image outside of the part, with its path from the root.
    beside: Option<Found<Node>>,
}

impl Cut {
    /// Finds the image of the part at `path`: the array there, or else the largest one.
    pub(super) fn new(root: &Node, path: &str, region: &str) -> Result<Cut> {
        let node = root.at(path)?;
        let (mut arrays, mut worlds) = (Vec::new(), Vec::new());
        let mut walk = Walk::new(node, String::new());
        while let Some(visit) = walk.next()? {
            if visit.node_type.is_none() || visit.alias_of.is_some() {
                continue;
            }
            if visit.node_type == Some(NodeType::Mapping) && Wcs::is_at(&visit.node)? {
                worlds.push(Found { path: visit.path, what: visit.node });
            } else if visit.node.is_array("")? {
                if let Some(array) = Error::readable(visit.node.array(""))? {
                    arrays.push(Found { path: visit.path, what: array });
                }
            } else {
                walk.enter(&visit)?;
            }
        }
        let size = |array: &Found<Array>| array.what.element_count();
        let image = arrays.iter().reduce(|most, other| if size(other) > size(most) { other } else { most });
        let Some(image) = image else {
            let message = format!("there is no array at '{}' to cut", TreePath::shown_of(path));
            let failure = Failure::not_found(message);
            return Err(match root.file().name() {
                Some(name) => failure.in_file(name),
                None => failure,
            });
        };
        let shape = image.what.shape().to_vec();
        let mut selection = Selection::parse(region, &shape)?;
        selection.keep_all();
        if selection.count.contains(&0) {
            return Err(Failure::usage(format!("the region '{region}' selects no element")));
        }
        arrays.retain(|array| is_part_of(array.what.shape(), &shape));
        let beside = if worlds.is_empty() { world_beside(root, path)? } else { None };
        worlds.retain(|world| fits(&world.what, &shape));
        let beside = beside.filter(|world| fits(&world.what, &shape));
        Ok(Cut { arrays, worlds, selection, shape, beside })
    }

    /// Cuts the copy of the part at `to`.
    pub(super) fn apply(&self, root: &Node, to: &str, threads: usize) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for Found { path, what: array } in &self.arrays {
            check_interrupt()?;
            let path = join(to, path);
            self.set_array(root, &path, array, threads)?;
            lines.push(format!("cut {path}"));
        }
        for Found { path, what: world } in &self.worlds {
            let path = join(to, path);
            Wcs::write_cutout(root, &path, world, &self.region())?;
            lines.push(format!("shift the WCS {path}"));
        }
        if let Some(Found { path, what: world }) = &self.beside {
            Wcs::write_cutout(root, path, world, &self.region())?;
            lines.push(format!("copy and shift the WCS {path}"));
        }
        Ok(lines)
    }

    /// Returns the path of a WCS outside of the part, which is copied, too.
    pub(super) fn path_beside(&self) -> Option<&str> {
        self.beside.as_ref().map(|world| world.path.as_str())
    }

    fn region(&self) -> Region<'_> {
        let Selection { start, count, step, .. } = &self.selection;
        Region { start, count, step: Some(step) }
    }

    /// Replaces the copy of an array by its part. Tag, mask and other keys stay.
    fn set_array(&self, root: &Node, path: &str, array: &Array, threads: usize) -> Result<()> {
        let first = self.shape.len() - array.shape().len();
        let Selection { start, count, step, .. } = &self.selection;
        let (start, count, step) = (&start[first..], &count[first..], &step[first..]);
        let region = Region { start, count, step: Some(step) };
        let options = ReadOptions { threads, ..ReadOptions::default() };
        let size = array.region_size(count, array.datatype())? as usize;
        let mut bytes = Vec::new();
        bytes.try_reserve(size).map_err(|_| Error::out_of_memory(size as u64))?;
        bytes.resize(size, 0);
        if array.is_masked() {
            let mut mask = vec![0; count.iter().product::<i64>() as usize];
            array.read_masked(Some(&region), array.datatype(), &mut bytes, &mut mask, &options)?;
            let place = join(path, "mask");
            // A mask can also be a value, which stays.
            if root.is_array(&place)? {
                let data = ArrayData::of_slice(&mask, count);
                root.set_array_data(&place, &data, &ArrayOptions { keep: true, ..ArrayOptions::default() })?;
            }
        } else {
            array.read_region(&region, array.datatype(), &mut bytes, &options)?;
        }
        let data = ArrayData::new(array.datatype().clone(), count, Arc::new(bytes));
        root.set_array_data(path, &data, &ArrayOptions { keep: true, ..ArrayOptions::default() })?;
        Ok(())
    }
}

/// Returns whether an array belongs to the image: it has the shape of the image, or of its last axes.
fn is_part_of(shape: &[i64], image: &[i64]) -> bool {
    shape.len() >= image.len().min(2) && image.ends_with(shape)
}

/// Returns whether a WCS can be that of the image. One of another shape is not.
fn fits(node: &Node, image: &[i64]) -> bool {
    let world = Wcs::from_node(node, &BuildOptions::default());
    world.is_ok_and(|world| world.array_shape().is_none_or(|shape| image.ends_with(&shape)))
}

/// Finds the WCS of an array: the only one below the nearest of its parents with any.
fn world_beside(root: &Node, path: &str) -> Result<Option<Found<Node>>> {
    let mut parent = path;
    while let Some((before, _)) = parent.rsplit_once('/') {
        parent = before;
        let mut worlds = Vec::new();
        let mut walk = Walk::new(root.at(parent)?, parent.to_owned());
        while let Some(visit) = walk.next()? {
            if visit.node_type != Some(NodeType::Mapping) && visit.node_type != Some(NodeType::Sequence) {
                continue;
            }
            if visit.alias_of.is_none() && visit.node_type == Some(NodeType::Mapping) && Wcs::is_at(&visit.node)? {
                worlds.push(Found { path: visit.path, what: visit.node });
            } else if !visit.node.is_array("")? {
                walk.enter(&visit)?;
            }
        }
        // One of several can belong to another image.
        if !worlds.is_empty() {
            return Ok(worlds.pop().filter(|_| worlds.is_empty()));
        }
    }
    Ok(None)
}

/// Joins two paths. The second can begin with a slash, or be empty.
pub(super) fn join(path: &str, more: &str) -> String {
    if more.is_empty() || more.starts_with('/') { format!("{path}{more}") } else { format!("{path}/{more}") }
}
