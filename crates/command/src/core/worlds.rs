//! World coordinate systems of a file.

use super::failure::{Failure, Result};
use super::walk::Walk;
use asdfkit::file::{Node, NodeType};
use asdfkit::wcs::{BuildOptions, Frame, Wcs};

/// A WCS and the path of its node.
pub(crate) struct World {
    pub(crate) path: String,
    pub(crate) wcs: Wcs,
}

/// Returns whether a node is a WCS.
pub(crate) fn is_world(node: &Node) -> Result<bool> {
    Ok(node.tag("")?.is_some_and(|tag| tag.starts_with("tag:stsci.edu:gwcs/wcs-")))
}

impl World {
    /// Returns the WCS at a path, or the first one of the tree. It does not depend on the file.
    pub(crate) fn find(root: &Node, path: &str) -> Result<World> {
        let read = |path: String, node: &Node| -> Result<World> {
            Ok(World { path, wcs: Wcs::from_node(node, &BuildOptions::default())? })
        };
        if !path.is_empty() {
            return read(path.to_owned(), &root.at(path)?);
        }
        let mut walk = Walk::new(root.clone(), String::new());
        while let Some(visit) = walk.next()? {
            if visit.node_type == Some(NodeType::Mapping) && is_world(&visit.node)? {
                return read(visit.path, &visit.node);
            }
            if visit.alias_of.is_none() {
                walk.enter(&visit)?;
            }
        }
        Err(Failure::usage("the file has no WCS: no node with the tag gwcs/wcs"))
    }

    /// Returns the frame of the world.
    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.wcs.frames().last()
    }

    /// Returns the names of pixel axes or world coordinates, with a number where the file has none.
    pub(crate) fn names(frame: Option<&Frame>, axes: usize, word: &str) -> Vec<String> {
        let name = |axis: usize| frame.and_then(|frame| frame.axes.get(axis)).map(|axis| axis.name.as_str());
        let named = |axis: usize| match name(axis) {
            None | Some("") => format!("{word}{}", axis + 1),
            Some(name) => name.to_owned(),
        };
        (0..axes).map(named).collect()
    }

    /// Returns the units of world coordinates.
    pub(crate) fn units(&self) -> Vec<&str> {
        self.frame().into_iter().flat_map(|frame| &frame.axes).map(|axis| axis.unit.as_str()).collect()
    }

    /// Returns the name of the reference frame on the sky, such as `icrs`.
    pub(crate) fn reference(&self) -> Option<&str> {
        let frame = self.frame()?;
        let mut all = std::iter::once(frame).chain(&frame.frames);
        Some(all.find_map(|frame| frame.reference.as_ref())?.name.as_str())
    }
}
