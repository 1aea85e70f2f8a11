//! Units of the nodes of a tree: of columns and quantities. Other texts with a tag, too.

use super::convert::Equivalency;
use super::read_in::without_unit;
use super::spelling::Spelling;
use super::unit::{Unit, UnitKind};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::tags::{self, ASTROPY, STANDARD, name_in};

/// Returns the unit at a node in a spelling that astropy and ECSV understand; `None` if its tag is unknown.
///
/// Units of the standard are in VOUnit spelling, which astropy reads with the same meaning.
pub(in crate::standard) fn spelled(node: &Node) -> Result<Option<String>> {
    match kind(node)? {
        Kind::Plain => node.text("").map(Some),
        Kind::Magnitude => magnitude(node),
        Kind::Unknown => Ok(None),
    }
}

impl Node {
    /// Returns the unit of the node at `path`: of a quantity, a column, or another mapping with the key `unit`. The
    /// node can also be a unit itself.
    ///
    /// The text is the one in the file: for the standard's `unit/unit` it is in VOUnit spelling. Magnitudes of a unit
    /// are spelled as astropy prints them, `mag(AB)`. Fails with [`Status::NotFound`] if there is no unit, and with
    /// [`Status::Unsupported`] for a unit with an unknown tag.
    pub fn unit(&self, path: &str) -> Result<String> {
        required(&self.unit_node(path)?)
    }

    /// Returns the unit of the node at `path`, parsed in the spelling that its tag stands for. A text that is no unit is
    /// kept. Fails like [`Node::unit`].
    pub fn parsed_unit(&self, path: &str) -> Result<Unit> {
        let node = self.unit_node(path)?;
        let is_standard = node.foreign_tag("")?.is_some_and(|tag| name_in(STANDARD, &tag) == Some(tags::UNIT));
        let spelling = if is_standard { Spelling::VoUnit } else { Spelling::Generic };
        Ok(Unit::read(&required(&node)?, spelling))
    }

    /// Returns the number at `path` in another unit than that of its quantity, as binary64.
    ///
    /// Fails with [`Status::Units`] if the number has no unit, like [`Node::f64`], and like [`Unit::conversion_to`].
    pub fn f64_in(&self, path: &str, unit: &Unit, equivalencies: &[Equivalency]) -> Result<f64> {
        let place = self.at(path)?;
        let node = place.resolved()?;
        let own = match parsed(&node)? {
            None => place.holder()?.map(|holder| parsed(&holder)).transpose()?.flatten(),
            own => own,
        };
        // A mapping with a number and a unit is read like a quantity.
        let is_mapping = node.node_type("")? == NodeType::Mapping;
        let number = match node.f64("") {
            Err(error) if is_mapping && error.status() == Status::WrongType && node.exists("value")? => {
                node.f64("value")?
            }
            number => number?,
        };
        let own = own.ok_or_else(|| node.locate(without_unit("the number", unit)))?;
        let conversion = own.conversion_to(unit, equivalencies).map_err(|error| node.locate(error))?;
        Ok(conversion.apply(number))
    }

    /// Returns the node of the unit of the node at `path`.
    fn unit_node(&self, path: &str) -> Result<Node> {
        let node = self.at(path)?.resolved()?;
        if node.foreign_tag("")?.is_some_and(|tag| is_unit_tag(&tag)) {
            return Ok(node);
        }
        let none = || node.locate(Error::new(Status::NotFound, "the node has no unit"));
        if node.node_type("")? != NodeType::Mapping {
            return Err(none());
        }
        let unit = match node.at("unit") {
            Err(error) if error.status() == Status::NotFound => return Err(none()),
            unit => unit?.resolved()?,
        };
        match unit.node_type("")? {
            NodeType::Null => Err(none()),
            _ => Ok(unit),
        }
    }
}

/// Returns the unit of a node; `None` if it has none.
pub(in crate::standard) fn parsed(node: &Node) -> Result<Option<Unit>> {
    match node.parsed_unit("") {
        Err(error) if error.status() == Status::NotFound => Ok(None),
        unit => unit.map(Some),
    }
}

/// Tag and text of a unit in a file.
pub(in crate::standard) enum StoredUnit {
    /// VOUnit text, for the tag of the standard.
    Standard(String),
    /// Generic text, for the tag of astropy.
    Astropy(String),
    /// Generic text of the unit that magnitudes refer to.
    Magnitude(String),
}

impl StoredUnit {
    /// Returns how asdf-astropy stores a unit, whose text is in VOUnit spelling or in another one. A text that is no unit
    /// is stored as it is, under the tag of astropy.
    pub(in crate::standard) fn of(text: &str) -> StoredUnit {
        if Unit::parse(text, Spelling::VoUnit).is_ok() {
            return StoredUnit::Standard(text.to_owned());
        }
        let unit = Unit::read(text, Spelling::VoUnit);
        match (unit.text(Spelling::VoUnit), unit.kind(), unit.physical()) {
            // In VOUnit, astropy would make units of the words of a text.
            (_, UnitKind::Unknown, _) => StoredUnit::Astropy(text.to_owned()),
            (Ok(text), ..) => StoredUnit::Standard(text),
            (Err(_), UnitKind::Magnitude, Some(of)) => StoredUnit::Magnitude(of.to_string()),
            _ => StoredUnit::Astropy(unit.to_string()),
        }
    }
}

/// Kind of a unit, determined by its tag.
#[derive(PartialEq, Eq)]
enum Kind {
    /// A unit given by its text alone.
    Plain,
    /// Magnitudes of a unit.
    Magnitude,
    Unknown,
}

fn kind(node: &Node) -> Result<Kind> {
    let Some(tag) = node.foreign_tag("")? else { return Ok(Kind::Plain) };
    Ok(match (name_in(STANDARD, &tag), name_in(ASTROPY, &tag)) {
        (Some(tags::UNIT), _) | (_, Some("units/unit")) => Kind::Plain,
        (_, Some("units/magunit")) => Kind::Magnitude,
        _ => Kind::Unknown,
    })
}

/// Returns whether a tag belongs to units, known or unknown.
pub(in crate::standard) fn is_unit_tag(tag: &str) -> bool {
    name_in(STANDARD, tag).is_some_and(|name| name.starts_with("unit/") && name != tags::QUANTITY)
        || name_in(ASTROPY, tag).is_some_and(|name| name.starts_with("units/") && name != "units/equivalency")
}

/// Returns the text of a magnitude unit. Version 1.0.0 of its tag has the unit under a key, later versions have it as
/// text.
fn magnitude(node: &Node) -> Result<Option<String>> {
    let of = if node.node_type("")? == NodeType::Mapping {
        let of = node.at("unit")?;
        if kind(&of)? != Kind::Plain {
            return Ok(None);
        }
        of.text("")?
    } else {
        node.text("")?
    };
    // An empty unit is written as 1, because astropy reads 'mag()' as no unit.
    Ok(Some(format!("mag({})", if of.is_empty() { "1" } else { &of })))
}

/// Returns the unit at a node. Fails with [`Status::Unsupported`] for a unit with an unknown tag.
pub(in crate::standard) fn required(node: &Node) -> Result<String> {
    spelled(node)?.ok_or_else(|| unknown(node))
}

/// Returns the error for a unit with an unknown tag.
pub(in crate::standard) fn unknown(node: &Node) -> Error {
    refused(node, "unit")
}

fn refused(node: &Node, what: &str) -> Error {
    let tag = node.tag("").ok().flatten().unwrap_or_default();
    let message = format!("the {what} has the unknown tag '{tag}'");
    node.locate(Error::new(Status::Unsupported, message))
}

/// Returns the text of an ordinary scalar. Fails with [`Status::Unsupported`] if it has a tag other than YAML's own.
pub(in crate::standard) fn plain_text(node: &Node) -> Result<String> {
    match node.foreign_tag("")? {
        None => node.text(""),
        Some(_) => Err(refused(node, "text")),
    }
}
