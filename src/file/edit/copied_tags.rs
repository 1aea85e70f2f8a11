//! Tags of copied nodes, in the versions that belong to the standard of the target file.
//!
//! Readers ignore a tag whose version does not belong to the standard of the file. Tags of unknown extensions do not
//! change.

use crate::error::{Error, Result, Status};
use crate::file::File;
use crate::tags::{
    self, ASTROPY, ASTROPY_TAGS, GWCS, GWCS_TAGS, STANDARD, STANDARD_TAGS, Spans, StandardVersion, Table, versions,
};
use crate::tree::edit::Content;
use crate::tree::{Key, Kind, NodeId, Style, Tree};

use StandardVersion::{V1_2_0, V1_5_0, V1_6_0};

/// Time formats that every version of `time/time` has.
const TIME_FORMATS: [&str; 10] = ["iso", "yday", "byear", "jyear", "decimalyear", "jd", "mjd", "gps", "unix", "cxcsec"];

/// Name of the tag of magnitudes of a unit. Its node is the text of the unit; up to standard 1.5.0 it is a mapping with
/// the unit.
const MAGNITUDE: &str = "units/magunit";

/// Keys of the frames of the standard that have another form since version 1.1.0.
const FRAME_KEYS: [&str; 9] = [
    "galcen_coord",
    "galcen_dec",
    "galcen_distance",
    "galcen_ra",
    "galcen_v_sun",
    "obsgeoloc",
    "obsgeovel",
    "roll",
    "z_sun",
];

/// Maximum number of nodes that are checked in the datatype of an array. No real datatype has as many.
const MAX_DATATYPE_NODES: usize = 1 << 16;

/// Adapts the tags of nodes that are copied into a file with another version of the standard.
pub(super) struct CopiedTags {
    target: StandardVersion,
}

/// A tag as required in the target file.
struct Adapted {
    tag: String,
    /// Tag versions before and after.
    change: (String, String),
}

impl CopiedTags {
    /// Returns `None` if no tag has to change, because the files are the same or declare the same version.
    pub(super) fn between(from: &File, to: &File) -> Option<CopiedTags> {
        let is_same = from.is_same(to) || from.standard() == to.standard();
        (!is_same).then(|| CopiedTags::of(to.standard_version()))
    }

    /// Adapts tags to this version of the standard.
    pub(super) fn of(target: StandardVersion) -> CopiedTags {
        CopiedTags { target }
    }

    /// Sets the tag of a copied node to the version that belongs to the target standard. The children of the node must
    /// be copied already.
    ///
    /// Fails with [`Status::Unsupported`] if the standard has no such tag, or no form for the content of the node.
    pub(super) fn adapt(&self, tree: &mut Tree, node: NodeId) -> Result<()> {
        let Some(tag) = tree.tag(node) else { return Ok(()) };
        let refused = |why: &str| {
            let message = format!("the node has the tag '{tag}', and {why} standard {}", self.target.as_str());
            Error::new(Status::Unsupported, message)
        };
        let tables = [(STANDARD_TAGS, STANDARD), (ASTROPY_TAGS, ASTROPY), (GWCS_TAGS, GWCS)];
        let of_table = |(table, prefix)| Some((table, prefix, tag.strip_prefix(prefix)?));
        let Some((table, prefix, name)) = tables.into_iter().find_map(of_table) else { return Ok(()) };
        let Some((name, version)) = name.rsplit_once('-') else { return Ok(()) };
        // The standard left these tags to extensions, which read the old versions in every later standard.
        if prefix == STANDARD && name.starts_with(tags::WCS) && self.target >= V1_5_0 {
            return Ok(());
        }
        let adapted = match versions(table, name) {
            Some(spans) => self.of_table(table, name, version, spans),
            None => match name.strip_prefix(tags::TRANSFORM).filter(|_| prefix == STANDARD) {
                Some(transform) => self.of_transform(transform, version),
                // Not a tag of the standard: it belongs to an unknown extension.
                None => return Ok(()),
            },
        };
        let Some((new_name, new_version)) = adapted else { return Err(refused("no version of it belongs to")) };
        let adapted =
            Adapted { tag: format!("{prefix}{new_name}-{new_version}"), change: (version.to_owned(), new_version) };
        if let Some(what) = self.obstacle(tree, node, prefix == STANDARD, name, &adapted.change) {
            return Err(refused(&format!("{what} has no place in")));
        }
        let changes = adapted.tag != tag;
        if changes && name == MAGNITUDE && adapted.change.1 == "1.0.0" {
            nest_magnitude(tree, node);
        }
        if changes {
            tree.set_tag(node, Some(&adapted.tag));
        }
        Ok(())
    }

    /// Returns name and version of a tag of the table in the target standard.
    fn of_table(&self, table: Table, name: &str, version: &str, spans: Spans) -> Option<(String, String)> {
        let belong = spans.of(self.target);
        if belong.contains(&version) {
            return Some((name.to_owned(), version.to_owned()));
        }
        if !spans.has(version) {
            // Unlike core tags, tags of extensions can have newer versions for the same standard.
            let may_be_newer = self.target >= V1_6_0 && !name.starts_with("core/") && !belong.is_empty();
            return may_be_newer.then(|| (name.to_owned(), version.to_owned()));
        }
        if let Some(newest) = belong.last() {
            return Some((name.to_owned(), (*newest).to_owned()));
        }
        let other = tags::renamed(name)?;
        let newest = versions(table, other)?.of(self.target).last()?;
        Some((other.to_owned(), (*newest).to_owned()))
    }

    /// Returns name and version of the tag of a transform in the target standard.
    fn of_transform(&self, transform: &str, version: &str) -> Option<(String, String)> {
        let name = [tags::TRANSFORM, transform].concat();
        if self.target >= V1_6_0 {
            return Some((name, version.to_owned()));
        }
        let newest = tags::newest_minor(transform)?;
        let minor: u64 = version.strip_prefix("1.")?.strip_suffix(".0")?.parse().ok()?;
        Some((name, format!("1.{}.0", minor.min(newest))))
    }

    /// Returns the part of a node that the new tag does not allow, if there is one.
    fn obstacle(
        &self,
        tree: &Tree,
        node: NodeId,
        is_standard: bool,
        name: &str,
        (old, new): &(String, String),
    ) -> Option<&'static str> {
        let under = |key: &str| {
            let is_mapping = tree.kind(node) == Kind::Mapping;
            is_mapping.then(|| tree.find(node, Key::String(key))).flatten().map(|value| tree.dealias(value))
        };
        let changes = old != new;
        match name {
            MAGNITUDE if changes && tree.kind(node) != Kind::Scalar => Some("the form of its content"),
            tags::NDARRAY | tags::QUANTITY if is_standard && self.target <= V1_5_0 => {
                datatype_obstacle(tree, under("datatype")?)
            }
            tags::ASDF if is_standard && self.target < V1_2_0 => {
                (tree.kind(under("history")?) == Kind::Mapping).then_some("a history that is a mapping")
            }
            tags::TIME if is_standard && changes => {
                let format = under("format").map(|format| tree.text(format));
                if format.is_some_and(|format| !TIME_FORMATS.contains(&format)) && self.target <= V1_5_0 {
                    return Some("the format of the time");
                }
                let is_other = (old == "1.0.0") != (new == "1.0.0");
                (is_other && under("location").is_some()).then_some("the form of the location")
            }
            // The published schemas of the other versions are the same but for these keys.
            "wcs/celestial_frame" | "wcs/spectral_frame" if is_standard && changes => {
                let frame = under("reference_frame").filter(|&frame| tree.kind(frame) == Kind::Mapping)?;
                let changed = FRAME_KEYS.iter().any(|key| tree.find(frame, Key::String(key)).is_some());
                changed.then_some("the form of the reference frame")
            }
            _ => None,
        }
    }
}

/// Puts the unit of a magnitude into a mapping.
fn nest_magnitude(tree: &mut Tree, node: NodeId) {
    let unit = tree.text(node).to_owned();
    tree.replace(node, Content::Mapping(Style::Flow));
    let place = tree.append_pair(node, "unit", Content::Scalar(&unit, Style::Automatic));
    tree.set_tag(place, Some(tags::FULL_ASTROPY_UNIT));
}

/// Returns the part of a datatype that standards up to 1.5.0 do not allow, if there is one.
fn datatype_obstacle(tree: &Tree, datatype: NodeId) -> Option<&'static str> {
    let mut pending = vec![datatype];
    let mut count = 0;
    while let Some(node) = pending.pop() {
        count += 1;
        let node = tree.dealias(node);
        match tree.kind(node) {
            Kind::Scalar if tree.text(node) == "float16" => return Some("float16"),
            _ if count > MAX_DATATYPE_NODES => return Some("a datatype of so many parts"),
            Kind::Sequence => pending.extend(tree.items(node)),
            Kind::Mapping if !matches!(tree.reference(node), Ok(None)) => {
                return Some("a datatype in another place, which cannot be checked,");
            }
            Kind::Mapping => pending.extend(tree.find(node, Key::String("datatype"))),
            Kind::Scalar | Kind::Alias => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{NewOptions, Node, OpenOptions};
    use std::sync::Arc;

    /// Returns the copy of a value in a file with another version of the standard.
    fn copied(from: &str, value: &str, to: &str) -> Result<Node> {
        let text = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD {from}\n%YAML 1.1\n%TAG ! {STANDARD}\n%TAG !a! {ASTROPY}\n---\nv: {value}\n...\n"
        );
        let file = File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap();
        let standard = StandardVersion::from_text(to).unwrap();
        let root = File::new(&NewOptions { standard, ..NewOptions::default() }).root().unwrap();
        let before = root.count("").unwrap();
        let copied = root.copy_from("c/d", &file.root().unwrap().at("v").unwrap(), None);
        if let Err(error) = copied {
            assert_eq!(root.count("").unwrap(), before, "something was copied");
            return Err(error);
        }
        root.at("c/d")
    }

    fn tag(from: &str, value: &str, to: &str) -> String {
        let tag = copied(from, value, to).unwrap().tag("").unwrap().unwrap();
        tag.replace(STANDARD, "!").replace(ASTROPY, "!a!")
    }

    #[test]
    fn tags_follow_the_standard_of_the_file() {
        for (from, value, to, expected) in [
            ("1.6.0", "!core/ndarray-1.1.0 [1]", "1.4.0", "!core/ndarray-1.0.0"),
            ("1.3.0", "!core/ndarray-1.0.0 [1]", "1.6.0", "!core/ndarray-1.1.0"),
            ("1.6.0", "!core/ndarray-1.1.0 [1]", "1.7.0", "!core/ndarray-1.2.0"),
            ("1.6.0", "!core/ndarray-1.0.0 [1]", "1.6.0", "!core/ndarray-1.0.0"),
            ("1.6.0", "!core/ndarray-1.0.0 [1]", "1.4.0", "!core/ndarray-1.0.0"),
            ("1.5.0", "!core/table-1.0.0 {meta: {}}", "1.6.0", "!table/table-1.2.0"),
            ("1.6.0", "!table/column-1.1.0 {}", "1.5.0", "!core/column-1.0.0"),
            ("1.6.0", "!time/time-1.2.0 {format: unix_tai}", "1.7.0", "!time/time-1.2.0"),
            ("1.6.0", "!time/time-1.4.0 {format: jd, location: {}}", "1.1.0", "!time/time-1.1.0"),
            ("1.6.0", "!time/time-1.9.0 J2000", "1.7.0", "!time/time-1.9.0"),
            ("1.6.0", "!unit/quantity-1.3.0 {}", "1.4.0", "!unit/quantity-1.1.0"),
            ("1.4.0", "!wcs/step-1.2.0 {}", "1.3.0", "!wcs/step-1.1.0"),
            ("1.4.0", "!wcs/wcs-1.2.0 {}", "1.6.0", "!wcs/wcs-1.2.0"),
            ("1.4.0", "!wcs/celestial_frame-1.1.0 {}", "1.5.0", "!wcs/celestial_frame-1.1.0"),
            (
                "1.4.0",
                "!wcs/celestial_frame-1.1.0 {reference_frame: {type: ICRS}}",
                "1.0.0",
                "!wcs/celestial_frame-1.0.0",
            ),
            ("1.0.0", "!wcs/composite_frame-1.0.0 {frames: []}", "1.3.0", "!wcs/composite_frame-1.1.0"),
            ("1.6.0", "!<tag:stsci.edu:gwcs/wcs-1.4.0> {}", "1.5.0", "tag:stsci.edu:gwcs/wcs-1.2.0"),
            ("1.6.0", "!<tag:stsci.edu:gwcs/frame2d-1.2.0> {}", "1.1.0", "tag:stsci.edu:gwcs/frame2d-1.0.0"),
            ("1.5.0", "!<tag:stsci.edu:gwcs/wcs-1.2.0> {}", "1.6.0", "tag:stsci.edu:gwcs/wcs-1.2.0"),
            ("1.6.0", "!transform/affine-1.5.0 {}", "1.5.0", "!transform/affine-1.3.0"),
            ("1.6.0", "!transform/affine-1.2.0 {}", "1.5.0", "!transform/affine-1.2.0"),
            ("1.5.0", "!transform/add-1.2.0 {}", "1.6.0", "!transform/add-1.2.0"),
            ("1.6.0", "!a!table/table-1.3.0 {}", "1.5.0", "!a!table/table-1.1.0"),
            ("1.6.0", "!a!units/unit-1.0.0 mgy", "1.5.0", "!a!units/unit-1.0.0"),
            ("1.6.0", "!core/other-3.0.0 {}", "1.5.0", "!core/other-3.0.0"),
            ("1.6.0", "!<asdf://x.org/y-1.0.0> {}", "1.0.0", "asdf://x.org/y-1.0.0"),
        ] {
            assert_eq!(tag(from, value, to), expected, "{value} from {from} to {to}");
        }
        let inner = copied("1.6.0", "{a: [&x !unit/quantity-1.3.0 {value: !core/ndarray-1.1.0 [1]}, *x]}", "1.1.0");
        assert_eq!(inner.unwrap().tag("a/1/value").unwrap().unwrap(), format!("{STANDARD}core/ndarray-1.0.0"));
    }

    #[test]
    fn what_a_standard_does_not_have_is_refused() {
        for (from, value, to, what) in [
            ("1.6.0", "!core/ndarray-1.1.0 {data: [1], datatype: float16}", "1.4.0", "float16 has no place in"),
            (
                "1.6.0",
                "!core/ndarray-1.0.0 {source: 0, datatype: [{name: a, datatype: [int8, {datatype: float16}]}]}",
                "1.5.0",
                "float16",
            ),
            ("1.6.0", "!core/ndarray-1.1.0 {datatype: {$ref: '#/x'}}", "1.5.0", "in another place"),
            ("1.6.0", "!unit/quantity-1.3.0 {value: 1, datatype: float16}", "1.5.0", "float16"),
            ("1.6.0", "!core/integer-1.1.0 {}", "1.2.0", "no version of it belongs to standard 1.2.0"),
            (
                "1.4.0",
                "!wcs/celestial_frame-1.1.0 {reference_frame: {obsgeoloc: []}}",
                "1.0.0",
                "the form of the reference frame",
            ),
            ("1.6.0", "!unit/quantity-1.3.0 {}", "1.0.0", "no version"),
            ("1.6.0", "!<tag:stsci.edu:gwcs/fitswcs_imaging-1.0.0> {}", "1.5.0", "no version"),
            ("1.6.0", "!<tag:stsci.edu:gwcs/wcs-1.4.0> {}", "1.0.0", "no version"),
            ("1.6.0", "!time/time-1.4.0 {format: galexsec}", "1.5.0", "the format of the time"),
            ("1.6.0", "!time/time-1.4.0 {value: J2000, location: {}}", "1.0.0", "the form of the location"),
            ("1.6.0", "!core/ndarray-1.9.0 [1]", "1.5.0", "no version"),
            ("1.6.0", "!transform/brand_new-1.0.0 {}", "1.5.0", "no version"),
            ("1.6.0", "!a!units/magunit-1.1.0 {unit: AB}", "1.5.0", "the form of its content"),
            ("1.6.0", "!core/asdf-1.1.0 {history: {}}", "1.1.0", "a history that is a mapping"),
        ] {
            let error = copied(from, &format!("{{x: {value}}}"), to).unwrap_err();
            assert_eq!(error.status(), Status::Unsupported, "{value}");
            assert!(error.message().contains(what), "{error}");
            let tag = value.split(' ').next().unwrap().replace("!a!", ASTROPY).replace("!<", "!").replace('>', "");
            let tag = tag.strip_prefix("!tag:").map_or(tag.replace('!', STANDARD), |tag| ["tag:", tag].concat());
            assert!(error.message().contains(&tag), "{error}");
            assert_eq!(error.location().path.as_deref(), Some("/v/x"));
        }
    }
}
