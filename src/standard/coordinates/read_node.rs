//! Coordinates from nodes: astropy's tags in any version, and `wcs/icrs_coord` of old standards.

use super::kind::{CoordinatesKind, kind_of_tag};
use super::names;
use super::points::{Component, Coordinates};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::standard::time::read_node::optional;
use crate::standard::units::node as unit;

/// Keys of a sky coordinate that are neither components nor attributes.
const NAMES: [&str; 3] = ["frame", "representation_type", "differential_type"];

impl Coordinates {
    /// Reads the coordinates at `path` below a node: a sky coordinate, a frame, coordinates without a frame, a place on
    /// Earth, an angle or a spectral coordinate of astropy, in any version, or the standard's `wcs/icrs_coord`. Numbers
    /// are read later.
    ///
    /// Fails with [`Status::WrongType`] for any other node, and with [`Status::TagContent`] if a required part is
    /// missing.
    pub fn read(node: &Node, path: &str) -> Result<Coordinates> {
        let node = node.at(path)?.resolved()?;
        let tag = node.foreign_tag("")?;
        let Some((kind, frame)) = tag.as_deref().and_then(kind_of_tag) else {
            let message = "the node is not a coordinate, a frame, a place on Earth or an angle";
            return Err(node.locate(Error::new(Status::WrongType, message)));
        };
        if node.node_type("")? != NodeType::Mapping {
            return Err(node.locate(Error::new(Status::TagContent, "coordinates must be a mapping")));
        }
        let mut reader = Reader {
            made: Coordinates {
                kind,
                frame: frame.unwrap_or_default().to_owned(),
                representation: String::new(),
                differential: String::new(),
                components: Vec::new(),
                attributes: Vec::new(),
                node: node.clone(),
            },
        };
        match kind {
            CoordinatesKind::SkyCoord => reader.sky(&node)?,
            CoordinatesKind::Frame => reader.frame(&node)?,
            CoordinatesKind::Representation => reader.representation(&node)?,
            CoordinatesKind::EarthLocation => reader.place(&node)?,
            _ => reader.single(&node)?,
        }
        let mut made = reader.made;
        made.components.sort_by_key(|component| names::place_of(&made.frame, &component.name).unwrap_or(usize::MAX));
        Ok(made)
    }
}

struct Reader {
    made: Coordinates,
}

impl Reader {
    /// Reads a sky coordinate: names, components and attributes under keys of one mapping.
    fn sky(&mut self, node: &Node) -> Result<()> {
        self.made.frame = required(node, "frame")?.text("")?;
        for key in NAMES {
            let Some(name) = optional(node, key)? else { continue };
            match key {
                "representation_type" => self.made.representation = name.text("")?,
                "differential_type" => self.made.differential = name.text("")?,
                _ => {}
            }
        }
        for (key, value) in entries(node)? {
            if NAMES.contains(&&*key) {
                continue;
            }
            let is_angle = || -> Result<bool> {
                let tag = value.foreign_tag("")?;
                let kind = tag.as_deref().and_then(kind_of_tag).map(|(kind, _)| kind);
                Ok(matches!(kind, Some(CoordinatesKind::Latitude | CoordinatesKind::Longitude)))
            };
            // Frames that programs define can have names of their own for their angles.
            if names::place_of(&self.made.frame, &key).is_some() || is_angle()? {
                self.add(key, &value, "")?;
            } else {
                self.made.attributes.push((key, value));
            }
        }
        if self.made.representation.is_empty() && !self.made.components.is_empty() {
            self.made.representation = if self.made.has("x") { "cartesian" } else { "spherical" }.to_owned();
        }
        Ok(())
    }

    /// Reads a frame: positions as a representation, and attributes. Version 1.0.0 of ICRS has `ra` and `dec` instead.
    fn frame(&mut self, node: &Node) -> Result<()> {
        if let Some(attributes) = optional(node, "frame_attributes")? {
            self.made.attributes = entries(&attributes)?;
        }
        if let Some(data) = optional(node, "data")? {
            return self.representation(&data);
        }
        for key in ["ra", "dec"] {
            if let Some(angle) = optional(node, key)? {
                self.add(key.to_owned(), &angle, "deg")?;
                "unitspherical".clone_into(&mut self.made.representation);
            }
        }
        Ok(())
    }

    /// Reads positions or velocities with the name of their class, and velocities beside positions.
    fn representation(&mut self, node: &Node) -> Result<()> {
        let class = required(node, "type")?.text("")?;
        let name = names::representation_name(&class);
        match class.ends_with("Differential") {
            true => self.made.differential = name,
            false => self.made.representation = name,
        }
        for (key, value) in entries(&required(node, "components")?)? {
            self.add(names::in_frame(&self.made.frame, &key).into_owned(), &value, "")?;
        }
        let Some(differentials) = optional(node, "differentials")? else { return Ok(()) };
        for (_, differential) in entries(&differentials)? {
            self.made.differential = names::representation_name(&required(&differential, "type")?.text("")?);
            for (key, value) in entries(&required(&differential, "components")?)? {
                self.add(key, &value, "")?;
            }
        }
        Ok(())
    }

    /// Reads a place on Earth.
    fn place(&mut self, node: &Node) -> Result<()> {
        "cartesian".clone_into(&mut self.made.representation);
        for (key, value) in entries(node)? {
            match &*key {
                "x" | "y" | "z" => self.add(key, &value, "m")?,
                _ => self.made.attributes.push((key, value)),
            }
        }
        Ok(())
    }

    /// Reads one number or array with a unit.
    fn single(&mut self, node: &Node) -> Result<()> {
        self.add("value".to_owned(), node, "")?;
        for (key, value) in entries(node)? {
            if !matches!(&*key, "value" | "unit" | "datatype") {
                self.made.attributes.push((key, value));
            }
        }
        Ok(())
    }

    /// Adds a component: a mapping of value and unit, or a number or an array in the usual unit.
    fn add(&mut self, name: String, node: &Node, usual: &str) -> Result<()> {
        let is_measured = node.node_type("")? == NodeType::Mapping && node.exists("value")?;
        let unit = if is_measured { optional(node, "unit")? } else { None };
        let unit = unit.map_or_else(|| Ok(usual.to_owned()), |unit| unit::required(&unit))?;
        let value = if is_measured { required(node, "value")? } else { node.clone() };
        self.made.components.push(Component { name, value, unit });
        Ok(())
    }
}

/// Returns the keys of a mapping that are text, with their values, unless these are null.
fn entries(node: &Node) -> Result<Vec<(String, Node)>> {
    if node.node_type("")? != NodeType::Mapping {
        return Err(node.locate(Error::new(Status::TagContent, "a part of coordinates must be a mapping")));
    }
    let mut entries = Vec::new();
    for (key, value) in node.pairs()? {
        let NodeKey::String(key) = key else { continue };
        let value = value.resolved()?;
        if value.node_type("")? != NodeType::Null {
            entries.push((key, value));
        }
    }
    Ok(entries)
}

fn required(node: &Node, key: &str) -> Result<Node> {
    optional(node, key)?.ok_or_else(|| {
        let message = format!("the coordinates have no key '{key}', which their tag requires");
        node.locate(Error::new(Status::TagContent, message))
    })
}
