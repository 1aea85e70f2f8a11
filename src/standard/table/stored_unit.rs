//! Units of quantities and columns in ASDF files.

use crate::error::Result;
use crate::file::Node;
use crate::standard::tags::Tags;
use crate::tags;

/// Stores a unit at a path. A unit whose text is the same in VOUnit spelling gets the tag of the standard, any other one
/// that of astropy, so that texts stay as they are.
pub(super) fn set_unit(node: &Node, path: &str, unit: &str, tags: &Tags) -> Result<()> {
    node.set_string(path, unit)?;
    node.set_tag(path, Some(tags.of_unit(unit).unwrap_or(tags::FULL_ASTROPY_UNIT)))
}

/// Stores the unit of a column. Without the tag of the standard it has none, because its spelling is that of ECSV.
pub(super) fn set_column_unit(column: &Node, unit: &str, tags: &Tags) -> Result<()> {
    column.set_string("unit", unit)?;
    match tags.of_unit(unit) {
        Some(tag) => column.set_tag("unit", Some(tag)),
        None => Ok(()),
    }
}
