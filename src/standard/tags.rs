//! The tags of tables, and their versions in each version of the standard.

use super::object_kind::ObjectKind;
use super::units::{Spelling, Unit};
use crate::error::Result;
use crate::file::is_chunked_tag;
use crate::tags::{self, ASTROPY, STANDARD, StandardVersion, name_in, standard_tag};

/// The role that a tag gives to a node in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tagged {
    /// A table whose columns contain their names.
    Table,
    /// A table with a separate list of column names.
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
    /// An object of astropy that consists of arrays.
    Object(ObjectKind),
    /// Coordinates without a frame, or a velocity.
    Representation,
    /// Coordinates in the frame ICRS.
    Icrs,
    /// Anything else.
    Other,
}

/// Returns the role of a tag in any version.
pub(super) fn meaning(tag: &str) -> Tagged {
    match (name_in(STANDARD, tag), name_in(ASTROPY, tag)) {
        (Some(tags::TABLE | "table/table"), _) => Tagged::Table,
        (Some(tags::COLUMN | "table/column"), _) => Tagged::Column,
        (Some(tags::NDARRAY | tags::EXTERNAL_ARRAY), _) => Tagged::Array,
        (None, None) if is_chunked_tag(tag) => Tagged::Array,
        (Some(tags::QUANTITY), _) => Tagged::Quantity,
        (Some(tags::TIME), _) => Tagged::Time,
        (_, Some("table/table")) => Tagged::AstropyTable,
        (_, Some("table/ndarraymixin")) => Tagged::Mixin,
        (_, Some("coordinates/representation")) => Tagged::Representation,
        (_, Some("coordinates/frames/icrs")) => Tagged::Icrs,
        (_, Some("time/timedelta")) => Tagged::TimeDelta,
        (_, Some(name)) => ObjectKind::of_name(name).map_or(Tagged::Other, Tagged::Object),
        _ => Tagged::Other,
    }
}

/// Tags of a table in one version of the standard.
pub(super) struct Tags {
    pub(super) table: String,
    pub(super) astropy_table: String,
    pub(super) column: String,
    pub(super) time: String,
    pub(super) time_delta: String,
    /// Tag of units in VOUnit spelling; an error if the version of the standard has no units.
    unit: Result<String>,
    /// An error if the version of the standard has no quantities.
    pub(super) quantity: Result<String>,
}

impl Tags {
    /// Returns the tags for a version of the standard.
    pub(super) fn of(standard: StandardVersion) -> Result<Tags> {
        Ok(Tags {
            table: standard_tag(tags::TABLE, standard)?,
            astropy_table: tags::astropy_tag("table/table", standard),
            column: standard_tag(tags::COLUMN, standard)?,
            time: standard_tag(tags::TIME, standard)?,
            time_delta: tags::astropy_tag("time/timedelta", standard),
            unit: standard_tag(tags::UNIT, standard),
            quantity: standard_tag(tags::QUANTITY, standard),
        })
    }
}

impl Tags {
    /// Returns the tag of the standard for a unit whose text is the same in VOUnit spelling; `None` for other texts.
    pub(super) fn of_unit(&self, unit: &str) -> Option<&str> {
        let tag = self.unit.as_deref().ok()?;
        (!unit.is_empty() && Unit::parse(unit, Spelling::VoUnit).is_ok()).then_some(tag)
    }
}

/// Returns the full tag of coordinates, the same in all versions of the standard. Astropy reads and writes this version
/// of ICRS only.
pub(super) fn coordinates_tag(kind: ObjectKind) -> Option<&'static str> {
    Some(match kind {
        ObjectKind::SkyCoord => "tag:astropy.org:astropy/coordinates/skycoord-1.0.0",
        ObjectKind::EarthLocation => "tag:astropy.org:astropy/coordinates/earthlocation-1.2.0",
        ObjectKind::Angle => "tag:astropy.org:astropy/coordinates/angle-1.2.0",
        ObjectKind::Latitude => "tag:astropy.org:astropy/coordinates/latitude-1.2.0",
        ObjectKind::Longitude => "tag:astropy.org:astropy/coordinates/longitude-1.2.0",
        ObjectKind::Representation(_) => "tag:astropy.org:astropy/coordinates/representation-1.2.0",
        ObjectKind::Icrs => "tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0",
        _ => return None,
    })
}

/// Full tag of spectral coordinates, the same in all versions of the standard.
pub(super) const FULL_SPECTRAL: &str = "tag:astropy.org:astropy/coordinates/spectralcoord-1.2.0";

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
