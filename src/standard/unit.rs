//! Units of columns and quantities, and other texts with a tag.

use super::tags::{ASTROPY, STANDARD};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};

/// The unit at a node, spelled as astropy prints it and ECSV has it; nothing if the meaning of its tag is not known.
///
/// The standard's units are spelled as VOUnit has it, which astropy reads in the same sense.
pub(super) fn spelled(node: &Node) -> Result<Option<String>> {
    match kind(node)? {
        Kind::Plain => node.text("").map(Some),
        Kind::Magnitude => magnitude(node),
        Kind::Unknown => Ok(None),
    }
}

impl Node {
    /// The unit of what stands at `path`: of a quantity, a column, or another mapping with the key `unit`; or that unit
    /// itself.
    ///
    /// Its text is the one in the file, where the standard's `unit/unit` is spelled as VOUnit has it; magnitudes of a
    /// unit are spelled as astropy prints them, `mag(AB)`. Fails with [`Status::NotFound`] if there is no unit, and with
    /// [`Status::Unsupported`] for a unit whose tag is not known.
    pub fn unit(&self, path: &str) -> Result<String> {
        let node = self.get(path)?.resolved()?;
        if node.foreign_tag("")?.is_some_and(|tag| is_unit_tag(&tag)) {
            return required(&node);
        }
        let none = || node.locate(Error::new(Status::NotFound, "there is no unit here"));
        if node.node_type("")? != NodeType::Mapping {
            return Err(none());
        }
        let unit = match node.get("unit") {
            Err(error) if error.status() == Status::NotFound => return Err(none()),
            unit => unit?.resolved()?,
        };
        match unit.node_type("")? {
            NodeType::Null => Err(none()),
            _ => required(&unit),
        }
    }
}

/// A unit by its tag.
#[derive(PartialEq, Eq)]
enum Kind {
    /// Its text is all of it.
    Plain,
    /// Magnitudes of a unit.
    Magnitude,
    Unknown,
}

fn kind(node: &Node) -> Result<Kind> {
    let Some(tag) = node.foreign_tag("")? else { return Ok(Kind::Plain) };
    let named = |prefix| tag.strip_prefix(prefix).and_then(|tag: &str| tag.rsplit_once('-')).map(|(name, _)| name);
    Ok(match (named(STANDARD), named(ASTROPY)) {
        (Some("unit/unit"), _) | (_, Some("units/unit")) => Kind::Plain,
        (_, Some("units/magunit")) => Kind::Magnitude,
        _ => Kind::Unknown,
    })
}

/// Whether a tag is one of units, known here or not.
pub(super) fn is_unit_tag(tag: &str) -> bool {
    let of = |prefix, folder| tag.strip_prefix(prefix).and_then(|tag: &str| tag.strip_prefix(folder));
    of(STANDARD, "unit/").is_some_and(|name| !name.starts_with("quantity-"))
        || of(ASTROPY, "units/").is_some_and(|name| !name.starts_with("equivalency-"))
}

/// A logarithmic unit: version 1.0.0 of its tag has the unit under a key, later ones as text.
fn magnitude(node: &Node) -> Result<Option<String>> {
    let of = if node.node_type("")? == NodeType::Mapping {
        let of = node.get("unit")?;
        if kind(&of)? != Kind::Plain {
            return Ok(None);
        }
        of.text("")?
    } else {
        node.text("")?
    };
    // Magnitudes of no unit; astropy takes 'mag()' for none.
    Ok(Some(format!("mag({})", if of.is_empty() { "1" } else { &of })))
}

/// Fails with [`Status::Unsupported`] for a unit whose tag is not known.
pub(super) fn required(node: &Node) -> Result<String> {
    spelled(node)?.ok_or_else(|| unknown(node))
}

/// The error for a unit whose tag is not known.
pub(super) fn unknown(node: &Node) -> Error {
    refused(node, "unit")
}

fn refused(node: &Node, what: &str) -> Error {
    let tag = node.tag("").ok().flatten().unwrap_or_default();
    let message = format!("the {what} has the tag '{tag}', whose meaning is not known here");
    node.locate(Error::new(Status::Unsupported, message))
}

/// The text of a scalar that means no more than that. Fails with [`Status::Unsupported`] if it has a tag besides YAML's
/// own.
pub(super) fn plain_text(node: &Node) -> Result<String> {
    match node.foreign_tag("")? {
        None => node.text(""),
        Some(_) => Err(refused(node, "text")),
    }
}
