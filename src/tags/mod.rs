//! Tags as data: prefixes and names, and the versions that belong to each version of the ASDF standard.
//!
//! A full tag is a prefix, a name and a version: `tag:stsci.edu:asdf/`, `core/ndarray`, `-1.1.0`. What a tag says about
//! the content of a node is not here.

mod known;
mod transforms;
mod versions;

use std::borrow::Cow;

pub(crate) use known::full_tag;
pub(crate) use transforms::newest_minor;
pub use versions::StandardVersion;
pub(crate) use versions::{
    ASTROPY_TAGS, EXTENSIONS, GWCS_TAGS, STANDARD_TAGS, Spans, Table, astropy_tag, belongs, renamed, standard_tag,
    versions,
};

/// Prefix of the tags of the ASDF standard.
pub(crate) const STANDARD: &str = "tag:stsci.edu:asdf/";
/// Prefix of the tags of astropy.
pub(crate) const ASTROPY: &str = "tag:astropy.org:astropy/";
/// Prefix of the tags of gwcs.
pub(crate) const GWCS: &str = "tag:stsci.edu:gwcs/";
/// Prefix of the tags that YAML itself defines, written `!!` in documents.
pub(crate) const YAML: &str = "tag:yaml.org,2002:";
/// Prefixes of tags whose nodes name no blocks outside arrays.
pub(crate) const WITHOUT_BLOCKS: [&str; 4] = [YAML, "tag:astropy.org:", GWCS, "asdf://stsci.edu/datamodels/"];

/// Name of the tag of a tree.
pub(crate) const ASDF: &str = "core/asdf";
/// Name of the tag of arrays.
pub(crate) const NDARRAY: &str = "core/ndarray";
/// Name of the tag of arrays in files of other formats.
pub(crate) const EXTERNAL_ARRAY: &str = "core/externalarray";
/// Name of the tag of integers beyond 64 bits.
pub(crate) const INTEGER: &str = "core/integer";
/// Name of the tag of complex numbers.
pub(crate) const COMPLEX: &str = "core/complex";
/// Name of the tag of programs and libraries.
pub(crate) const SOFTWARE: &str = "core/software";
/// Name of the tag of extensions that a file was written with.
pub(crate) const EXTENSION: &str = "core/extension_metadata";
/// Name of the tag of entries in the history of a file.
pub(crate) const HISTORY_ENTRY: &str = "core/history_entry";
/// Name of the tag of numbers and arrays with a unit.
pub(crate) const QUANTITY: &str = "unit/quantity";
/// Name of the tag of units.
pub(crate) const UNIT: &str = "unit/unit";
/// Name of the tag of points in time.
pub(crate) const TIME: &str = "time/time";
/// Name of the tag of tables up to standard 1.5.0.
pub(crate) const TABLE: &str = "core/table";
/// Name of the tag of columns of tables up to standard 1.5.0.
pub(crate) const COLUMN: &str = "core/column";
/// Names of transforms begin with this.
pub(crate) const TRANSFORM: &str = "transform/";
/// Names of world coordinate systems, which the standard has up to 1.4.0, begin with this.
pub(crate) const WCS: &str = "wcs/";

/// Full tag of complex numbers, which has the same version in all standards.
pub(crate) const FULL_COMPLEX: &str = "tag:stsci.edu:asdf/core/complex-1.0.0";
/// Full tag of a unit in the spelling of astropy and ECSV. The standard uses VOUnit spelling, in which `micron` is a
/// different unit.
pub(crate) const FULL_ASTROPY_UNIT: &str = "tag:astropy.org:astropy/units/unit-1.0.0";
/// Full tag of magnitudes of a unit, which is the text of the node, as asdf-astropy writes them since standard 1.6.0.
pub(crate) const FULL_ASTROPY_MAGNITUDE: &str = "tag:astropy.org:astropy/units/magunit-1.1.0";
/// Full tag of merge keys.
pub(crate) const FULL_MERGE: &str = "tag:yaml.org,2002:merge";
/// Full tag of ordered mappings.
pub(crate) const FULL_ORDERED_MAPPING: &str = "tag:yaml.org,2002:omap";
/// Full tag of lists of pairs, whose keys may repeat.
pub(crate) const FULL_PAIRS: &str = "tag:yaml.org,2002:pairs";
/// Key of a note on the mapping that has it, for people who read the file.
pub(crate) const NOTE_KEY: &str = "//";
/// The chunked arrays of asdf-zarr, without a version.
pub(crate) const CHUNKED: &str = "asdf://asdf-format.org/zarr/tags/zarr";

/// Returns the form of a tag in which files spell it: `!core/ndarray-1.1.0` for a tag of the standard, `!!binary` for
/// one of YAML. Other tags stay as they are.
pub fn short_tag(tag: &str) -> Cow<'_, str> {
    let shortened = |prefix, handle: &str| tag.strip_prefix(prefix).map(|name| [handle, name].concat());
    match shortened(STANDARD, "!").or_else(|| shortened(YAML, "!!")) {
        Some(short) => short.into(),
        None => tag.into(),
    }
}

/// Returns the name of a tag of the standard, without prefix and version: `core/ndarray`.
pub(crate) fn name_of(tag: &str) -> Option<&str> {
    name_in(STANDARD, tag)
}

/// Returns whether a tag is that of magnitudes of a unit, whose text is the unit that they refer to.
pub(crate) fn is_magnitude(tag: &str) -> bool {
    name_in(ASTROPY, tag) == Some("units/magunit")
}

/// Returns the name of a tag with this prefix, without prefix and version.
pub(crate) fn name_in<'a>(prefix: &str, tag: &'a str) -> Option<&'a str> {
    tag.strip_prefix(prefix).map(|tag| tag.rsplit_once('-').map_or(tag, |(name, _)| name))
}

/// Returns whether a tag of astropy is one of numbers and arrays with a unit: angles and spectral coordinates.
pub(crate) fn is_measured(tag: &str) -> bool {
    name_in(ASTROPY, tag).is_some_and(|name| {
        matches!(
            name,
            "coordinates/angle" | "coordinates/latitude" | "coordinates/longitude" | "coordinates/spectralcoord"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn tags_follow_the_manifests() {
        let tag = |name, text| standard_tag(name, StandardVersion::from_text(text).unwrap());
        assert_eq!(tag(ASDF, "1.1.0").unwrap(), "tag:stsci.edu:asdf/core/asdf-1.0.0");
        assert_eq!(tag(ASDF, "1.2.0").unwrap(), "tag:stsci.edu:asdf/core/asdf-1.1.0");
        assert_eq!(tag(NDARRAY, "1.5.0").unwrap(), "tag:stsci.edu:asdf/core/ndarray-1.0.0");
        assert_eq!(tag(NDARRAY, "1.6.0").unwrap(), "tag:stsci.edu:asdf/core/ndarray-1.1.0");
        assert_eq!(tag(INTEGER, "1.2.0").unwrap_err().status(), Status::Unsupported);
        let error = standard_tag("wcs/wcs", StandardVersion::V1_5_0).unwrap_err();
        assert_eq!(error.message(), "wcs/wcs is not part of standard 1.5.0");
        assert_eq!(tag(TABLE, "1.5.0").unwrap(), "tag:stsci.edu:asdf/core/table-1.0.0");
        assert_eq!(tag(TABLE, "1.6.0").unwrap(), "tag:stsci.edu:asdf/table/table-1.2.0");
        let astropy = StandardVersion::ALL
            .map(|standard| astropy_tag("table/table", standard))
            .map(|tag| tag.rsplit_once('-').unwrap().1.to_owned());
        assert_eq!(astropy, ["1.1.0", "1.1.0", "1.1.0", "1.1.0", "1.1.0", "1.1.0", "1.3.0", "1.3.0"]);
        assert_eq!(name_of("tag:stsci.edu:asdf/core/ndarray-1.1.0"), Some(NDARRAY));
        assert_eq!(name_of("tag:stsci.edu:asdf/core/ndarray"), Some(NDARRAY));
        assert_eq!(name_of("!core/ndarray-1.1.0"), None);
    }

    #[test]
    fn tags_are_shortened() {
        for (tag, short) in [
            ("tag:stsci.edu:asdf/core/ndarray-1.1.0", "!core/ndarray-1.1.0"),
            ("tag:yaml.org,2002:binary", "!!binary"),
            ("asdf://x.org/y-1.0.0", "asdf://x.org/y-1.0.0"),
        ] {
            assert_eq!(short_tag(tag), short);
        }
    }

    #[test]
    fn names_and_full_tags_are_in_the_tables() {
        for name in [ASDF, NDARRAY, COMPLEX, SOFTWARE, HISTORY_ENTRY, UNIT, TIME, TABLE, COLUMN] {
            assert!(StandardVersion::ALL.into_iter().all(|standard| standard_tag(name, standard).is_ok()), "{name}");
        }
        assert!(versions(STANDARD_TAGS, INTEGER).is_some() && versions(STANDARD_TAGS, QUANTITY).is_some());
        for standard in StandardVersion::ALL {
            assert_eq!(standard_tag(COMPLEX, standard).unwrap(), FULL_COMPLEX);
        }
        assert_eq!(name_in(ASTROPY, FULL_ASTROPY_UNIT), Some("units/unit"));
        for tag in [FULL_MERGE, FULL_ORDERED_MAPPING, FULL_PAIRS] {
            assert!(tag.starts_with(YAML), "{tag}");
        }
    }
}
