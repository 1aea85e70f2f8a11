//! The tags of tables, and which versions of them belong to a version of the standard.

use crate::error::Result;
use crate::file::standard_tag;
use crate::layout::StandardVersion;

/// What the tags of the standard begin with.
pub(super) const STANDARD: &str = "tag:stsci.edu:asdf/";
/// What the tags of astropy begin with.
pub(super) const ASTROPY: &str = "tag:astropy.org:astropy/";
/// A unit in astropy's spelling, which ECSV uses as well. That of the standard is VOUnit's, where `micron` is something else.
pub(super) const ASTROPY_UNIT: &str = "tag:astropy.org:astropy/units/unit-1.0.0";

/// What a tag makes of its node, where that has to do with tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tagged {
    /// Columns with names of their own.
    Table,
    /// Columns with names in a list beside them.
    AstropyTable,
    /// An array with name, unit, description and metadata.
    Column,
    /// An array.
    Array,
    /// An array with a unit.
    Quantity,
    /// Points in time.
    Time,
    /// Spans of time as the sum of two arrays.
    TimeDelta,
    /// An array that is a column of records.
    Mixin,
    /// Anything else.
    Other,
}

/// What a tag means, whatever its version.
pub(super) fn meaning(tag: &str) -> Tagged {
    match (name_in(STANDARD, tag), name_in(ASTROPY, tag)) {
        (Some("core/table" | "table/table"), _) => Tagged::Table,
        (Some("core/column" | "table/column"), _) => Tagged::Column,
        (Some("core/ndarray"), _) => Tagged::Array,
        (Some("unit/quantity"), _) => Tagged::Quantity,
        (Some("time/time"), _) => Tagged::Time,
        (_, Some("table/table")) => Tagged::AstropyTable,
        (_, Some("table/ndarraymixin")) => Tagged::Mixin,
        (_, Some("time/timedelta")) => Tagged::TimeDelta,
        _ => Tagged::Other,
    }
}

/// The name of a tag with this prefix, without prefix and version.
pub(super) fn name_in<'a>(prefix: &str, tag: &'a str) -> Option<&'a str> {
    tag.strip_prefix(prefix).map(|tag| tag.rsplit_once('-').map_or(tag, |(name, _)| name))
}

/// The tags of a table in one version of the standard.
pub(super) struct Tags {
    pub(super) table: String,
    pub(super) astropy_table: String,
    pub(super) column: String,
    /// Fails where the standard has no quantities.
    pub(super) quantity: Result<String>,
}

impl Tags {
    /// Those that belong to a version of the standard: up to 1.5.0 it had tables itself, since then an extension has.
    pub(super) fn of(standard: StandardVersion) -> Result<Tags> {
        let [table, column, astropy_table] = if standard < StandardVersion::V1_6_0 {
            ["core/table", "core/column", "table/table-1.0.0"]
        } else {
            ["table/table", "table/column", "table/table-1.3.0"]
        };
        Ok(Tags {
            table: standard_tag(table, standard)?,
            astropy_table: format!("{ASTROPY}{astropy_table}"),
            column: standard_tag(column, standard)?,
            quantity: standard_tag("unit/quantity", standard),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn what_is_written_is_known() {
        for standard in StandardVersion::ALL {
            let tags = Tags::of(standard).unwrap();
            assert_eq!(meaning(&tags.table), Tagged::Table);
            assert_eq!(meaning(&tags.astropy_table), Tagged::AstropyTable);
            assert_eq!(meaning(&tags.column), Tagged::Column);
            match tags.quantity {
                Ok(tag) => assert_eq!(meaning(&tag), Tagged::Quantity),
                Err(error) => assert_eq!((error.status(), standard.as_str()), (Status::Unsupported, "1.0.0")),
            }
        }
        assert_eq!(meaning("tag:stsci.edu:asdf/table/tables-1.0.0"), Tagged::Other);
        assert_eq!(meaning("!table/table-1.0.0"), Tagged::Other);
    }
}
