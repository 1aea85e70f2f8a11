//! Tags of the ASDF standard, and the tag versions that belong to each version of the standard.

use crate::error::{Error, Result, Status};
use crate::layout::StandardVersion;
use crate::tree::Tree;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style};

/// Prefix of the tags of the standard.
pub(crate) const PREFIX: &str = "tag:stsci.edu:asdf/";

/// Returns the name of a tag of the standard, without prefix and version: `core/ndarray`.
pub(crate) fn name_of(tag: &str) -> Option<&str> {
    let tag = tag.strip_prefix(PREFIX)?;
    Some(tag.rsplit_once('-').map_or(tag, |(name, _)| name))
}

/// Returns the full tag of this name, such as `unit/quantity`, in the newest version that belongs to the standard.
/// Fails with [`Status::Unsupported`] if the standard has no such tag.
pub(crate) fn standard_tag(name: &str, standard: StandardVersion) -> Result<String> {
    let versions = versions(STANDARD_TAGS, name).map(|spans| spans.of(standard)).unwrap_or_default();
    match versions.last() {
        Some(version) => Ok([PREFIX, name, "-", version].concat()),
        None => {
            let message = format!("{name} is not part of standard {}", standard.as_str());
            Err(Error::new(Status::Unsupported, message))
        }
    }
}

/// Versions of a tag, oldest first, that belong to this version of the standard and to later ones up to the next span.
/// An empty list means that the tag is not part of the standard.
type Span = (StandardVersion, &'static [&'static str]);

/// Versions of a tag by version of the standard, oldest first. Before the first span, the tag is not part of the
/// standard.
#[derive(Clone, Copy)]
pub(crate) struct Spans(&'static [Span]);

impl Spans {
    /// Returns the versions of the tag that belong to a version of the standard, oldest first.
    pub(crate) fn of(self, standard: StandardVersion) -> &'static [&'static str] {
        self.0.iter().rfind(|(first, _)| *first <= standard).map_or(&[], |(_, versions)| versions)
    }

    /// Returns true if any version of the standard has this version of the tag.
    pub(crate) fn has(self, version: &str) -> bool {
        self.0.iter().any(|(_, versions)| versions.contains(&version))
    }
}

/// Returns the versions of the tag of this name, if the table has it.
pub(crate) fn versions(table: Table, name: &str) -> Option<Spans> {
    table.iter().find(|(known, _)| *known == name).map(|(_, spans)| Spans(spans))
}

/// Tags with a common prefix: name and versions of each.
pub(crate) type Table = &'static [(&'static str, &'static [Span])];

/// Tags of the standard, according to its manifests. From 1.6.0 on, tables, times, units and FITS files have separate
/// manifests. A file can use any of their versions.
#[rustfmt::skip]
pub(crate) const STANDARD_TAGS: Table = {
    use StandardVersion::{V1_0_0, V1_1_0, V1_2_0, V1_3_0, V1_4_0, V1_5_0, V1_6_0, V1_7_0};
    &[
        ("core/asdf", &[(V1_0_0, &["1.0.0"]), (V1_2_0, &["1.1.0"])]),
        ("core/column", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &[])]),
        ("core/complex", &[(V1_0_0, &["1.0.0"])]),
        ("core/constant", &[(V1_0_0, &["1.0.0"])]),
        ("core/extension_metadata", &[(V1_2_0, &["1.0.0"])]),
        ("core/externalarray", &[(V1_3_0, &["1.0.0"])]),
        ("core/history_entry", &[(V1_0_0, &["1.0.0"])]),
        ("core/integer", &[(V1_3_0, &["1.0.0"]), (V1_6_0, &["1.1.0"]), (V1_7_0, &["1.2.0"])]),
        ("core/ndarray", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &["1.1.0"]), (V1_7_0, &["1.2.0"])]),
        ("core/software", &[(V1_0_0, &["1.0.0"])]),
        ("core/subclass_metadata", &[(V1_4_0, &["1.0.0"]), (V1_6_0, &[])]),
        ("core/table", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &[])]),
        ("fits/fits", &[(V1_0_0, &["1.0.0"]), (V1_6_0, &["1.1.0", "1.2.0"])]),
        ("table/column", &[(V1_6_0, &["1.1.0", "1.2.0"])]),
        ("table/table", &[(V1_6_0, &["1.1.0", "1.2.0"])]),
        ("time/time", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_6_0, &["1.2.0", "1.3.0", "1.4.0"])]),
        ("unit/defunit", &[(V1_0_0, &["1.0.0"])]),
        ("unit/quantity", &[(V1_1_0, &["1.1.0"]), (V1_6_0, &["1.2.0", "1.3.0"])]),
        ("unit/unit", &[(V1_0_0, &["1.0.0"])]),
        ("wcs/celestial_frame", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
        ("wcs/composite_frame", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
        ("wcs/icrs_coord", &[(V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
        ("wcs/spectral_frame", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_5_0, &[])]),
        ("wcs/step", &[(V1_0_0, &["1.0.0"]), (V1_1_0, &["1.1.0"]), (V1_4_0, &["1.2.0"]), (V1_5_0, &[])]),
        ("wcs/wcs", &[(V1_0_0, &["1.0.0"]), (V1_2_0, &["1.1.0"]), (V1_4_0, &["1.2.0"]), (V1_5_0, &[])]),
    ]
};

/// Sets the tag of the root of a new tree, and writes the name of this library.
pub(crate) fn begin_tree(tree: &mut Tree, standard: StandardVersion) {
    let root = tree.root();
    tree.set_tag(root, standard_tag("core/asdf", standard).ok().as_deref());
    let library = tree.append_pair(root, "asdf_library", Content::Mapping(Style::Flow));
    name_library_at(tree, library, standard);
}

/// Writes the name of this library as the writer into a changed tree, unless it is there already.
pub(crate) fn name_library(tree: &mut Tree, standard: StandardVersion) -> Result<()> {
    let place = tree.place(tree.root(), "asdf_library")?;
    let is_named = LIBRARY
        .iter()
        .all(|&(key, value)| tree.find_token(place, key).is_some_and(|found| tree.text(tree.dealias(found)) == value));
    if !is_named {
        tree.replace(place, Content::Mapping(Style::Flow));
        name_library_at(tree, place, standard);
    }
    Ok(())
}

const LIBRARY: [(&str, &str); 3] =
    [("name", env!("CARGO_PKG_NAME")), ("version", env!("CARGO_PKG_VERSION")), ("author", "The asdfkit developers")];

fn name_library_at(tree: &mut Tree, library: NodeId, standard: StandardVersion) {
    tree.set_tag(library, standard_tag("core/software", standard).ok().as_deref());
    for (key, value) in LIBRARY {
        append_string(tree, library, key, value);
    }
}

fn append_string(tree: &mut Tree, mapping: NodeId, key: &str, value: &str) {
    tree.append_pair(mapping, key, Content::Scalar(value, Style::Automatic));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_follow_the_manifests() {
        let tag = |name, text| standard_tag(name, StandardVersion::from_text(text).unwrap());
        assert_eq!(tag("core/asdf", "1.1.0").unwrap(), "tag:stsci.edu:asdf/core/asdf-1.0.0");
        assert_eq!(tag("core/asdf", "1.2.0").unwrap(), "tag:stsci.edu:asdf/core/asdf-1.1.0");
        assert_eq!(tag("core/ndarray", "1.5.0").unwrap(), "tag:stsci.edu:asdf/core/ndarray-1.0.0");
        assert_eq!(tag("core/ndarray", "1.6.0").unwrap(), "tag:stsci.edu:asdf/core/ndarray-1.1.0");
        assert_eq!(tag("core/integer", "1.2.0").unwrap_err().status(), Status::Unsupported);
        let error = standard_tag("wcs/wcs", StandardVersion::V1_5_0).unwrap_err();
        assert_eq!(error.message(), "wcs/wcs is not part of standard 1.5.0");
        assert_eq!(name_of("tag:stsci.edu:asdf/core/ndarray-1.1.0"), Some("core/ndarray"));
        assert_eq!(name_of("tag:stsci.edu:asdf/core/ndarray"), Some("core/ndarray"));
        assert_eq!(name_of("!core/ndarray-1.1.0"), None);
    }
}
