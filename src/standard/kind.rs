//! What stands at a node, by its tag and its content together.

use super::tags::{self, STANDARD, Tagged};
use super::unit::is_unit_tag;
use crate::array::is_number_list;
use crate::error::Result;
use crate::file::{Node, NodeType};

/// What stands at a place, with the tags of the standard and of astropy taken into account.
///
/// [`NodeType`] tells how the same node is built in YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[non_exhaustive]
pub enum NodeKind {
    /// Null.
    Null = 0,
    /// `true` or `false`.
    Bool = 1,
    /// An integer of any size: one of YAML or a `core/integer`.
    Integer = 2,
    /// A binary64 number.
    Float = 3,
    /// A `core/complex`.
    Complex = 4,
    /// Text, also with a tag that is not known here.
    String = 5,
    /// A date, or a date with time, of YAML.
    Timestamp = 6,
    /// Bytes (`!!binary`).
    Binary = 7,
    /// A `core/ndarray`.
    Array = 8,
    /// A sequence without a tag, of numbers or of such sequences of equal length, that can be read as an array.
    NumberList = 9,
    /// Another sequence.
    Sequence = 10,
    /// A mapping that is none of the other kinds.
    Mapping = 11,
    /// A table of the standard or of astropy.
    Table = 12,
    /// A column of a table: an array with a name, and maybe a unit and a description.
    Column = 13,
    /// A number or an array with a unit (`unit/quantity`).
    Quantity = 14,
    /// Points in time (`time/time`).
    Time = 15,
    /// Spans of time (astropy's `time/timedelta`).
    TimeDelta = 16,
    /// A unit.
    Unit = 17,
    /// A JSON reference that cannot be followed: it leads nowhere, in a circle, or into a file that cannot be opened or
    /// that the open options do not allow.
    Reference = 18,
}

impl Node {
    /// The kind of what stands at `path`; references are followed where that is possible.
    ///
    /// The tag decides where the standard or astropy gives it a meaning, whatever its version; its content can still be
    /// malformed. Each element of a list without a tag is looked at once at most, until one is no number.
    pub fn kind(&self, path: &str) -> Result<NodeKind> {
        let place = self.get(path)?;
        let node = match place.resolved() {
            Ok(node) => node,
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

/// What a tag tells, if it tells more than the structure of the node does.
fn of_tag(tag: &str) -> Option<NodeKind> {
    match tags::meaning(tag) {
        Tagged::Table | Tagged::AstropyTable => Some(NodeKind::Table),
        Tagged::Column => Some(NodeKind::Column),
        Tagged::Array => Some(NodeKind::Array),
        Tagged::Quantity => Some(NodeKind::Quantity),
        Tagged::Time => Some(NodeKind::Time),
        Tagged::TimeDelta => Some(NodeKind::TimeDelta),
        Tagged::Mixin => None,
        Tagged::Other if is_unit_tag(tag) => Some(NodeKind::Unit),
        Tagged::Other => match tags::name_in(STANDARD, tag) {
            Some("core/integer") => Some(NodeKind::Integer),
            Some("core/complex") => Some(NodeKind::Complex),
            _ => None,
        },
    }
}
