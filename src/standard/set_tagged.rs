//! Sets quantities and times, with the tags of the file's version of the standard.

use crate::error::{Error, Result, Status};
use crate::file::{Node, StandardVersion};
use crate::standard::units::node::StoredUnit;
use crate::tags::{self, standard_tag};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree, scalar};

impl Node {
    /// Makes a quantity (`unit/quantity`) of the mapping at `path`, or of a new mapping. `None` keeps the unit that is
    /// there. Its number or array is set like any other node, before or after, under `value`.
    ///
    /// A unit in VOUnit spelling is stored as it is (`unit/unit`). One in another spelling is stored as asdf-astropy
    /// stores it: in VOUnit spelling, or under a tag of astropy if VOUnit does not have it. A text that is no unit is
    /// stored as it is, under that tag.
    ///
    /// Fails with [`Status::WrongType`] if another node is at `path`, so that no value is lost, and with
    /// [`Status::Unsupported`] in files of standard 1.0.0, which has no quantities.
    pub fn set_quantity(&self, path: &str, unit: Option<&str>) -> Result<()> {
        let standard = self.file().standard_version();
        self.edit(path, |tree| {
            let tag = standard_tag(tags::QUANTITY, standard)?;
            let unit_tag = standard_tag(tags::UNIT, standard)?;
            let existing = tree.existing_place(self.id(), path).map(|place| tree.dealias(place));
            if let Some(node) = existing.filter(|&node| !can_be_quantity(tree, node)) {
                let message = "only a mapping without another tag can become a quantity; set the value below it";
                return Err(tree.locate(Error::new(Status::WrongType, message), node));
            }
            let place = tree.place(self.id(), path)?;
            let node = tree.dealias(place);
            if tree.kind(node) != Kind::Mapping {
                tree.replace(node, Content::Mapping(Style::Block));
            }
            tree.set_tag(node, Some(&tag));
            if let Some(unit) = unit {
                let (text, unit_tag) = match StoredUnit::of(unit) {
                    StoredUnit::Standard(text) => (text, &*unit_tag),
                    StoredUnit::Magnitude(of) if standard >= StandardVersion::V1_6_0 => {
                        (of, tags::FULL_ASTROPY_MAGNITUDE)
                    }
                    StoredUnit::Magnitude(of) => (format!("mag({of})"), tags::FULL_ASTROPY_UNIT),
                    StoredUnit::Astropy(text) => (text, tags::FULL_ASTROPY_UNIT),
                };
                let place = tree.place(node, "unit")?;
                tree.replace(place, Content::Scalar(&text, Style::Automatic));
                tree.set_tag(place, Some(unit_tag));
            }
            Ok(())
        })
    }

    /// Sets a time (`time/time`) as text: a date with time in UTC as in `2027-01-31T04:05:06.7`, the day of a year with
    /// time in UTC as in `2027:031:04:05:06.7`, or a Besselian or Julian epoch as in `B1950.0` and `J2000.0`.
    ///
    /// Fails with [`Status::InvalidArgument`] for any other text.
    pub fn set_time(&self, path: &str, time: &str) -> Result<()> {
        let standard = self.file().standard_version();
        self.edit(path, |tree| {
            if !is_time(time) {
                let message = format!(
                    "'{}' is no time: write it as '2027-01-31T04:05:06.7', '2027:031:04:05:06.7', 'B1950.0' or 'J2000.0'",
                    time.escape_debug()
                );
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let tag = standard_tag(tags::TIME, standard)?;
            let place = self.place(tree, path)?;
            tree.replace(place, Content::Scalar(time, Style::Automatic));
            tree.set_tag(place, Some(&tag));
            Ok(())
        })
    }
}

/// Returns whether a node is a quantity, or holds nothing that would be lost if it became one.
fn can_be_quantity(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::Mapping => {
            (tree.foreign_tag(node).is_none() || tree.is_tagged(node, tags::QUANTITY))
                && node != tree.root()
                && matches!(tree.reference(node), Ok(None))
        }
        Kind::Scalar => matches!(tree.scalar(node), Ok(Scalar::Null)),
        Kind::Sequence | Kind::Alias => false,
    }
}

/// Returns whether a text is a time in one of the forms that need no further description.
fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(year) = whole.strip_prefix(['B', 'J']) {
        return is_number(year) && is_number(fraction);
    }
    let form: String = whole.chars().map(|digit| if digit.is_ascii_digit() { '9' } else { digit }).collect();
    let numbers: Vec<u32> = whole.split(|digit: char| !digit.is_ascii_digit()).flat_map(str::parse).collect();
    let is_day = match (&*form, &numbers[..]) {
        ("9999-99-99T99:99:99" | "9999-99-99 99:99:99", _) => !scalar::is_impossible_timestamp(&whole[..10]),
        ("9999:999:99:99:99", [_, day, ..]) => (1..=366).contains(day),
        _ => false,
    };
    // A minute with a leap second has 61 seconds.
    is_day
        && is_number(fraction)
        && matches!(numbers[..], [.., hour, minute, second] if hour < 24 && minute < 60 && second < 61)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeKind;
    use crate::file::{File, NewOptions};

    fn new(standard: StandardVersion) -> Node {
        File::new(&NewOptions { standard, ..NewOptions::default() }).root().unwrap()
    }

    #[test]
    fn units_have_the_tags_of_asdf_astropy() {
        let (standard, astropy) = ("tag:stsci.edu:asdf/unit/unit-1.0.0", "tag:astropy.org:astropy/units/unit-1.0.0");
        let magnitude = "tag:astropy.org:astropy/units/magunit-1.1.0";
        for (unit, tag, text) in [
            ("km.s**-1", standard, "km.s**-1"),
            ("km / s", standard, "km / s"),
            ("m/s/kg", standard, "m.kg**-1.s**-1"),
            ("micron", standard, "um"),
            ("electron / s", astropy, "electron / s"),
            ("electron.s**-1", astropy, "electron / s"),
            ("%", astropy, "%"),
            ("dex(cm/s2)", astropy, "dex(cm / s2)"),
            ("mag(AB)", magnitude, "mag(AB)"),
            ("no unit", astropy, "no unit"),
            ("", standard, ""),
        ] {
            let root = new(StandardVersion::V1_6_0);
            root.set_f64("x/value", 0.5).unwrap();
            root.set_quantity("x", Some(unit)).unwrap();
            assert_eq!(root.tag("x/unit").unwrap().as_deref(), Some(tag), "{unit}");
            assert_eq!(root.unit("x").unwrap(), text);
        }
        let root = new(StandardVersion::V1_5_0);
        root.set_quantity("x", Some("mag(AB)")).unwrap();
        assert_eq!(root.tag("x/unit").unwrap().as_deref(), Some(astropy));
        assert_eq!(root.unit("x").unwrap(), "mag(AB)");
    }

    #[test]
    fn a_quantity_has_the_tags_of_the_standard() {
        for (standard, version) in [(StandardVersion::V1_1_0, "1.1.0"), (StandardVersion::V1_6_0, "1.3.0")] {
            let root = new(standard);
            root.set_f64("step/value", 0.5).unwrap();
            root.set_quantity("step", Some("arcsec")).unwrap();
            assert_eq!(root.tag("step").unwrap(), Some(format!("tag:stsci.edu:asdf/unit/quantity-{version}")));
            assert_eq!(root.tag("step/unit").unwrap().as_deref(), Some("tag:stsci.edu:asdf/unit/unit-1.0.0"));
            assert_eq!((root.kind("step").unwrap(), root.f64("step").unwrap()), (NodeKind::Quantity, 0.5));
            root.set_quantity("step", Some("deg")).unwrap();
            root.set_quantity("step", None).unwrap();
            assert_eq!((root.unit("step").unwrap().as_str(), root.f64("step").unwrap()), ("deg", 0.5));
            root.set_null("made").unwrap();
            root.set_quantity("made", Some("")).unwrap();
            root.set_array("made/value", &[1_u8, 2], [2]).unwrap();
            assert_eq!(root.array("made").unwrap().read_vec::<u8>().unwrap(), [1, 2]);
        }
    }

    #[test]
    fn no_value_is_lost_to_a_quantity() {
        let root = new(StandardVersion::V1_6_0);
        root.set_f64("number", 1.5).unwrap();
        root.set_array("array", &[1_u8, 2], [2]).unwrap();
        root.set_reference_to("reference", "array").unwrap();
        for path in ["", "number", "array", "reference", "number/x"] {
            let error = root.set_quantity(path, Some("m")).unwrap_err();
            assert_eq!(error.status(), Status::WrongType, "{path}");
        }
        assert_eq!((root.count("").unwrap(), root.f64("number").unwrap()), (4, 1.5));
        let error = new(StandardVersion::V1_0_0).set_quantity("step", Some("m")).unwrap_err();
        assert_eq!(error.status(), Status::Unsupported);
    }

    #[test]
    fn times_have_a_form_of_the_standard() {
        let root = new(StandardVersion::V1_6_0);
        for time in [
            "2027-01-31T04:05:06",
            "2027-01-31 04:05:06.789",
            "2016-12-31T23:59:60",
            "2024:366:00:00:00.5",
            "B1950.0",
            "J2000",
        ] {
            root.set_time("start", time).unwrap();
            assert_eq!((root.kind("start").unwrap(), root.string("start").unwrap().as_str()), (NodeKind::Time, time));
        }
        assert_eq!(root.tag("start").unwrap().as_deref(), Some("tag:stsci.edu:asdf/time/time-1.4.0"));
        for text in [
            "",
            "now",
            "2027-01-31",
            "2027-02-30T00:00:00",
            "2027-01-31T04:05:06Z",
            "2027-01-31T24:00:00",
            "2027-01-31T04:05:06.",
            "2024:367:00:00:00",
            "J",
            "J2000.",
            "2000.5",
            "é027-01-31T04:05:06",
        ] {
            let error = root.set_time("start", text).unwrap_err();
            assert_eq!(error.status(), Status::InvalidArgument, "{text}");
        }
        assert_eq!(root.string("start").unwrap(), "J2000");
        assert_eq!(root.set_time("", "J2000").unwrap_err().status(), Status::InvalidArgument);
    }
}
