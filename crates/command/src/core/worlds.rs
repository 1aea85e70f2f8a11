//! World coordinate systems of a file.

use super::failure::{Failure, Result};
use super::walk::Walk;
use asdfkit::file::{Node, NodeType};
use asdfkit::wcs::{BuildOptions, CardOptions, Frame, Wcs};

/// Size of a card in bytes.
const CARD: usize = 80;

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
        if !path.is_empty() {
            return World::read(path.to_owned(), &root.at(path)?);
        }
        World::first(root, |world| world.map(Some))
    }

    /// Returns the first WCS of the tree that `choose` takes.
    pub(crate) fn first(root: &Node, mut choose: impl FnMut(Result<World>) -> Result<Option<World>>) -> Result<World> {
        let mut walk = Walk::new(root.clone(), String::new());
        while let Some(visit) = walk.next()? {
            let is_world = visit.node_type == Some(NodeType::Mapping) && is_world(&visit.node)?;
            if is_world && let Some(world) = choose(World::read(visit.path.clone(), &visit.node))? {
                return Ok(world);
            }
            if visit.alias_of.is_none() {
                walk.enter(&visit)?;
            }
        }
        Err(Failure::not_found("the file has no WCS: no node with the tag gwcs/wcs"))
    }

    /// Returns the WCS of the cards in a list of a node with the tag `fits/fits`: keyword, value and comment of each card.
    /// Returns `None` if the cards have no WCS.
    pub(crate) fn of_header(header: &Node, path: String) -> Result<Option<World>> {
        let mut cards = String::new();
        for index in 0..header.count("")? {
            let card = header.item("", index)?;
            let Ok(keyword) = card.string("0") else { continue };
            let value = match card.node_type("1") {
                Ok(NodeType::String) => format!("'{}'", card.string("1")?.replace('\'', "''")),
                Ok(NodeType::Integer) => card.i64("1").map_or_else(|_| String::new(), |number| number.to_string()),
                Ok(NodeType::Float) => format!("{:E}", card.f64("1")?),
                _ => continue,
            };
            let text = format!("{keyword:<8}= {value}");
            // Longer cards, and those of other characters, do not belong to a WCS.
            if keyword.len() <= 8 && text.len() <= CARD && text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
                cards.push_str(&format!("{text:<CARD$}"));
            }
        }
        if !cards.contains("CTYPE1") {
            return Ok(None);
        }
        cards.push_str(&format!("{:<CARD$}", "END"));
        Ok(Some(World { path, wcs: Wcs::from_cards(cards, &CardOptions::default())? }))
    }

    fn read(path: String, node: &Node) -> Result<World> {
        Ok(World { path, wcs: Wcs::from_node(node, &BuildOptions::default())? })
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
