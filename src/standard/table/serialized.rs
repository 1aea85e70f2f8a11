//! Classes of columns, stored as in the metadata of ECSV tables under `__serialized_columns__`.

use super::object::{Attribute, Object, append_values};
use crate::error::Result;
use crate::file::{File, NewOptions, Node, NodeType};
use crate::limits::Limits;
use crate::table::serialized::{CLASS, KEY, UNIT_TAG, append_reference, append_tagged, append_text};
use crate::tree::edit::Content;
use crate::tree::path::escape;
use crate::tree::{NodeId, Style, Tree};
use std::collections::HashSet;

/// Class of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Numbers with an inseparable unit.
    Quantity { unit: String },
    /// Points in time, possibly at a place.
    Time { format: String, scale: Option<String>, location: Option<Attribute> },
    /// Spans of time, stored as two columns.
    TimeDelta { format: String, scale: Option<String> },
    /// An object whose attributes are stored in several columns.
    Object(Object),
}

/// A column with a class.
#[derive(Clone, Debug)]
pub(super) struct Serialized {
    pub(super) name: String,
    pub(super) class: Class,
}

impl Serialized {
    /// Adds the descriptions of columns to metadata. `masked` are the names of the columns with missing cells. Returns
    /// the new metadata.
    pub(super) fn add_to(meta: Option<Node>, columns: &[Serialized], masked: &HashSet<&str>) -> Result<Option<Node>> {
        if columns.is_empty() {
            return Ok(meta);
        }
        let whole = match &meta {
            Some(meta) => meta.file().for_copies(),
            None => File::new(&NewOptions::default()),
        };
        let whole = whole.root()?;
        match meta {
            Some(meta) if meta.node_type("")? == NodeType::Mapping => whole.copy_from("meta", &meta, None)?,
            Some(meta) => whole.copy_from("meta/meta", &meta, None)?,
            None => {}
        }
        for column in columns {
            let mut tree = Tree::new();
            let node = tree.place(tree.root(), "column")?;
            column.describe(&mut tree, node, masked)?;
            let described = File::of_tree(tree, None, &Limits::default()).root()?.get("column")?;
            whole.copy_from(&format!("meta/{KEY}/{}", escape(&column.name)), &described, None)?;
        }
        whole.get("meta").map(Some)
    }

    fn describe(&self, tree: &mut Tree, node: NodeId, masked: &HashSet<&str>) -> Result<()> {
        tree.replace(node, Content::Mapping(Style::Block));
        if let Class::Object(object) = &self.class {
            return object.describe(tree, node, masked);
        }
        append_text(tree, node, CLASS, self.class.name());
        if let Class::Time { format, scale, .. } | Class::TimeDelta { format, scale } = &self.class {
            append_text(tree, node, "format", format);
            if let Some(scale) = scale {
                append_text(tree, node, "scale", scale);
            }
        }
        if let Class::Time { location: Some(location), .. } = &self.class {
            location.append(tree, node, "location", masked)?;
        }
        if let Class::Quantity { unit } = &self.class {
            append_tagged(tree, node, "unit", UNIT_TAG, ("unit", unit));
        }
        match self.class {
            Class::TimeDelta { .. } => {
                for part in ["jd1", "jd2"] {
                    append_reference(tree, node, part, &format!("{}.{part}", self.name));
                }
            }
            _ => append_values(tree, node, "value", &self.name, masked.contains(&*self.name)),
        }
        Ok(())
    }
}

impl Class {
    /// Returns the name of the Python class that astropy uses for such a column.
    fn name(&self) -> &'static str {
        match self {
            Class::Quantity { .. } => "astropy.units.quantity.Quantity",
            Class::Time { .. } => "astropy.time.core.Time",
            Class::TimeDelta { .. } => "astropy.time.core.TimeDelta",
            Class::Object(object) => object.kind.class(),
        }
    }
}

/// Returns the astropy time format of points in time stored as text.
pub(super) fn format_of_text(text: &str) -> &'static str {
    match text.as_bytes() {
        [b'J', ..] => "jyear_str",
        [b'B', ..] => "byear_str",
        [_, _, _, _, b':', ..] => "yday",
        bytes if bytes.get(10) == Some(&b'T') => "isot",
        _ => "iso",
    }
}
