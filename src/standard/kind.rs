//! The kind of a node, determined by its tag and its content.

use super::coordinates::kind_of_tag;
use super::tags::{Tagged, meaning};
use super::units::node::is_unit_tag;
use crate::array::is_number_list;
use crate::error::Result;
use crate::file::{Node, NodeType};
use crate::tags;
use std::ffi::CStr;

/// The kind of a node, with the tags of the standard and of astropy taken into account.
///
/// [`NodeType`] is the type of the same node in YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeKind {
    /// Null.
    Null,
    /// `true` or `false`.
    Bool,
    /// An integer of any size: a YAML integer or a `core/integer`.
    Integer,
    /// A binary64 number.
    Float,
    /// A `core/complex`.
    Complex,
    /// Text, including text with an unknown tag.
    String,
    /// A YAML date, or date with time.
    Timestamp,
    /// Bytes (`!!binary`).
    Binary,
    /// A `core/ndarray`.
    Array,
    /// A sequence without a tag that can be read as an array: its items are numbers, or such sequences of equal length.
    NumberList,
    /// Any other sequence.
    Sequence,
    /// A mapping of no other kind.
    Mapping,
    /// A table of the standard or of astropy.
    Table,
    /// A column of a table: an array with a name and optionally a unit and a description.
    Column,
    /// A number or an array with a unit (`unit/quantity`).
    Quantity,
    /// Points in time (`time/time`).
    Time,
    /// Spans of time (astropy's `time/timedelta`).
    TimeDelta,
    /// A unit.
    Unit,
    /// Coordinates of astropy: positions on the sky, a frame, a place on Earth, angles, spectral coordinates.
    Coordinates,
    /// A JSON reference that cannot be followed. Its target does not exist, it leads back to itself, or it leads to a
    /// file that cannot be opened or that the open options do not allow.
    Reference,
}

impl NodeKind {
    /// Returns the name of the kind, such as "number list".
    pub fn name(self) -> &'static str {
        self.c_name().to_str().unwrap_or_default()
    }

    /// Returns the name as C programs get it.
    pub(crate) const fn c_name(self) -> &'static CStr {
        match self {
            NodeKind::Null => c"null",
            NodeKind::Bool => c"bool",
            NodeKind::Integer => c"integer",
            NodeKind::Float => c"float",
            NodeKind::Complex => c"complex",
            NodeKind::String => c"string",
            NodeKind::Timestamp => c"timestamp",
            NodeKind::Binary => c"binary",
            NodeKind::Array => c"array",
            NodeKind::NumberList => c"number list",
            NodeKind::Sequence => c"sequence",
            NodeKind::Mapping => c"mapping",
            NodeKind::Table => c"table",
            NodeKind::Column => c"column",
            NodeKind::Quantity => c"quantity",
            NodeKind::Time => c"time",
            NodeKind::TimeDelta => c"time delta",
            NodeKind::Unit => c"unit",
            NodeKind::Reference => c"reference",
            NodeKind::Coordinates => c"coordinates",
        }
    }
}

impl Node {
    /// Returns the kind of the node at `path`. References are followed where possible.
    ///
    /// If the standard or astropy defines the tag, the tag determines the kind, in any version; the content can still
    /// be malformed. For any other list, each element is read at most once, up to the first that is not a number.
    pub fn kind(&self, path: &str) -> Result<NodeKind> {
        let place = self.at(path)?;
        let node = match place.resolved() {
            Ok(node) => node,
            Err(error) if error.is_of_machine() => return Err(error),
            Err(error) => {
                return match place.reference("") {
                    Ok(Some(_)) => Ok(NodeKind::Reference),
                    _ => Err(error),
                };
            }
        };
        if let Some(kind) = node.foreign_tag("")?.and_then(|tag| of_tag(&tag)) {
            return Ok(kind);
        }
        Ok(match node.node_type("")? {
            NodeType::Null => NodeKind::Null,
            NodeType::Bool => NodeKind::Bool,
            NodeType::Integer => NodeKind::Integer,
            NodeType::Float => NodeKind::Float,
            NodeType::String => NodeKind::String,
            NodeType::Timestamp => NodeKind::Timestamp,
            NodeType::Binary => NodeKind::Binary,
            NodeType::Mapping => NodeKind::Mapping,
            NodeType::Sequence => {
                let limits = node.file().limits();
                match node.in_tree(|tree, id| is_number_list(tree, id, limits))? {
                    true => NodeKind::NumberList,
                    false => NodeKind::Sequence,
                }
            }
        })
    }
}

/// Returns the kind that a tag defines, if it says more than the structure of the node.
fn of_tag(tag: &str) -> Option<NodeKind> {
    match meaning(tag) {
        Tagged::Table | Tagged::AstropyTable => Some(NodeKind::Table),
        Tagged::Column => Some(NodeKind::Column),
        Tagged::Array => Some(NodeKind::Array),
        Tagged::Quantity => Some(NodeKind::Quantity),
        Tagged::Time => Some(NodeKind::Time),
        Tagged::TimeDelta => Some(NodeKind::TimeDelta),
        Tagged::Mixin => None,
        _ if kind_of_tag(tag).is_some() => Some(NodeKind::Coordinates),
        Tagged::Object(_) | Tagged::Representation | Tagged::Icrs => None,
        Tagged::Other if is_unit_tag(tag) => Some(NodeKind::Unit),
        Tagged::Other => match tags::name_of(tag) {
            Some(tags::INTEGER) => Some(NodeKind::Integer),
            Some(tags::COMPLEX) => Some(NodeKind::Complex),
            _ => None,
        },
    }
}
