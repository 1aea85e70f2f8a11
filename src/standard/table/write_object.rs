//! Stores objects of astropy: quantities, times, places, sky coordinates. The nodes equal those of asdf-astropy.

use super::moment;
use super::notes::{self, Notes};
use super::object::{Attribute, Object};
use super::plan::Converted;
use super::serialized::format_of_text;
use super::stored_unit::set_unit;
use super::write_column::Storable;
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, Node};
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::{Tags, coordinates_tag};
use crate::tree::edit::Content;
use crate::tree::path::escape;
use crate::tree::{Kind, Style};

/// Numeric formats of points in time that the standard knows.
const NUMERIC_FORMATS: [&str; 12] = [
    "jd",
    "mjd",
    "decimalyear",
    "byear",
    "jyear",
    "unix",
    "unix_tai",
    "gps",
    "cxcsec",
    "utime",
    "tai_seconds",
    "galexsec",
];
/// Formats of points in time that are texts.
const TEXT_FORMATS: [&str; 8] = ["iso", "isot", "yday", "fits", "byear_str", "jyear_str", "datetime", "datetime64"];
/// Formats of points in time that the standard knows only as the format of the object.
const OTHER_FORMATS: [&str; 2] = ["plot_date", "ymdhms"];
/// Keys of a time that refine its format, and their defaults.
const TIME_DETAILS: [(&str, &str); 3] = [("in_subfmt", "*"), ("out_subfmt", "*"), ("precision", "3")];

/// Returns whether a column can be stored as this object. Otherwise its parts stay plain columns.
pub(super) fn can_be_stored(object: &Object) -> bool {
    match object.kind {
        ObjectKind::SkyCoord => object.text("frame").is_some() && object.attributes.iter().all(|(_, it)| is_part(it)),
        ObjectKind::Records => matches!(object.get("data"), Some(Attribute::Fields(_))) && object.attributes.len() == 1,
        ObjectKind::Representation(_) | ObjectKind::Icrs => false,
        _ => is_known(object),
    }
}

/// Returns whether an object without a value for each row can be stored in metadata.
pub(super) fn can_be_metadata(object: &Object) -> bool {
    object.kind == ObjectKind::SkyCoord && can_be_stored(object) || is_known(object)
}

fn is_part(attribute: &Attribute) -> bool {
    match attribute {
        Attribute::Text(_) | Attribute::Literal(_) | Attribute::Array(_) => true,
        Attribute::Unit(_) | Attribute::Column(_) | Attribute::Fields(_) => false,
        Attribute::Object(object) => is_known(object),
    }
}

fn is_known(object: &Object) -> bool {
    let measured = |key: &str| matches!(object.get(key), Some(Attribute::Object(it)) if it.kind.is_measured());
    match object.kind {
        kind if kind.is_measured() => {
            matches!(object.get("unit"), Some(Attribute::Unit(_)))
                && matches!(
                    object.get("value"),
                    Some(Attribute::Column(_) | Attribute::Literal(_) | Attribute::Array(_))
                )
        }
        ObjectKind::EarthLocation => ["x", "y", "z"].into_iter().all(measured),
        ObjectKind::Time if object.text("scale") == Some("local") => false,
        ObjectKind::Time => {
            let format = object.text("format").unwrap_or_default();
            let is_known = NUMERIC_FORMATS.contains(&format) || TEXT_FORMATS.contains(&format);
            match object.get("value") {
                Some(Attribute::Text(_)) => is_known || OTHER_FORMATS.contains(&format),
                Some(Attribute::Column(_) | Attribute::Literal(_) | Attribute::Array(_)) => is_known,
                Some(_) => false,
                None => moment::times(object).is_some(),
            }
        }
        ObjectKind::TimeDelta => {
            let is_number =
                |part: &Attribute| matches!(part, Attribute::Column(_) | Attribute::Literal(_) | Attribute::Array(_));
            ["jd1", "jd2"].iter().all(|part| object.get(part).is_some_and(is_number))
        }
        ObjectKind::Representation(_) => object.attributes.iter().all(|(key, _)| measured(key)),
        ObjectKind::Icrs => measured("ra") && measured("dec") && object.attributes.len() <= 3,
        _ => false,
    }
}

/// Returns whether the column with the values of points in time is also what an ASDF file stores. Texts of missing times,
/// texts of numbers, and formats that the standard does not store are converted.
pub(super) fn is_stored_as_it_is(object: &Object, parts: &[Storable]) -> bool {
    let Some(Attribute::Column(name)) = object.get("value") else { return false };
    let Some(part) = parts.iter().find(|part| part.header.name == *name) else { return false };
    let formats = if part.is_text() { &TEXT_FORMATS[..] } else { &NUMERIC_FORMATS[..] };
    !part.lacks_elements() && object.text("format").is_some_and(|format| formats.contains(&format))
}

/// State of storing the objects of one table.
pub(super) struct ObjectWriter<'a> {
    pub(super) tags: &'a Tags,
    pub(super) arrays: &'a ArrayOptions,
    /// Columns of the file with the values of the object.
    pub(super) parts: &'a [Storable],
}

impl ObjectWriter<'_> {
    /// Stores points or spans of time in another form than that of their columns.
    pub(super) fn converted(&self, node: &Node, object: &Object, converted: &Converted) -> Result<()> {
        match converted {
            Converted::Times(times) => {
                node.set_times("", times, self.arrays)?;
                details(node, object)?;
                self.only_part(object).map_or(Ok(()), |part| self.note(node, part))
            }
            // Astropy refuses spans with another key.
            Converted::Spans(spans) => node.set_time_delta("", spans, self.arrays),
        }
    }

    /// Stores an object that is a column of a table in a node. Tables of astropy cannot contain angles, so these are
    /// stored as quantities with a note of their class.
    pub(super) fn column(&self, node: &Node, object: &Object) -> Result<()> {
        if !object.kind.is_measured() {
            self.object(node, object)?;
        } else {
            self.measured(node, object, &self.quantity()?)?;
            if !matches!(object.kind, ObjectKind::Quantity) {
                node.set_string("class", &object.kind.class())?;
            }
        }
        match (object.kind, self.only_part(object)) {
            (ObjectKind::Time, Some(part)) => self.note(node, part),
            (kind, Some(part)) if kind.is_measured() => self.note(node, part),
            _ => Ok(()),
        }
    }

    /// Notes the description, the format and the metadata of a column in a node that has no other place for them.
    fn note(&self, node: &Node, part: &Storable) -> Result<()> {
        let header = &part.header;
        let notes = Notes::of_column(header);
        if header.description.is_none() && header.meta.is_none() && notes == Notes::default() {
            return Ok(());
        }
        notes::write_noted(node, header.description.as_deref(), header.meta.as_ref(), &notes, self)
    }

    /// Returns the column of the file that has the name of the object.
    fn only_part(&self, object: &Object) -> Option<&Storable> {
        match object.get("value") {
            Some(Attribute::Column(name)) => self.part(name).ok(),
            _ => None,
        }
    }

    fn quantity(&self) -> Result<String> {
        self.tags.quantity.clone()
    }

    fn part(&self, name: &str) -> Result<&Storable> {
        self.parts.iter().find(|part| part.header.name == name).ok_or_else(|| {
            Error::new(Status::NotFound, format!("the table has no column '{name}', to which its metadata refer"))
        })
    }

    /// Stores an object in a node.
    pub(super) fn object(&self, node: &Node, object: &Object) -> Result<()> {
        match object.kind {
            ObjectKind::Angle | ObjectKind::Latitude | ObjectKind::Longitude => {
                self.measured(node, object, coordinates_tag(object.kind).unwrap_or_default())
            }
            kind if kind.is_measured() => self.measured(node, object, &self.quantity()?),
            ObjectKind::Time => self.time(node, object),
            ObjectKind::TimeDelta => {
                tagged_mapping(node, &self.tags.time_delta)?;
                self.attributes(node, object)
            }
            ObjectKind::Representation(class) => {
                tagged_mapping(node, coordinates_tag(object.kind).unwrap_or_default())?;
                node.set_string("type", class)?;
                let components = node.make("components")?;
                components.set_mapping("", false)?;
                for (key, attribute) in &object.attributes {
                    // Velocities beside positions have a name behind a point, as in `differentials.s`.
                    match key.strip_prefix("differentials.") {
                        Some(name) => {
                            self.attribute(&node.make(&format!("differentials/{}", escape(name)))?, attribute)?
                        }
                        None => self.attribute(&components.make(&format!("/{}", escape(key)))?, attribute)?,
                    }
                }
                Ok(())
            }
            ObjectKind::Icrs => self.icrs(node, object),
            _ => {
                tagged_mapping(node, coordinates_tag(object.kind).unwrap_or_default())?;
                self.attributes(node, object)
            }
        }
    }

    fn attributes(&self, node: &Node, object: &Object) -> Result<()> {
        object
            .attributes
            .iter()
            .try_for_each(|(key, attribute)| self.attribute(&node.make(&format!("/{}", escape(key)))?, attribute))
    }

    fn attribute(&self, place: &Node, attribute: &Attribute) -> Result<()> {
        match attribute {
            Attribute::Text(text) | Attribute::Unit(text) => place.set_string("", text),
            Attribute::Literal(text) => set_literal(place, text),
            Attribute::Column(name) => self.part(name)?.set(place, "", self.arrays),
            Attribute::Array(array) => array.set(place, self.arrays),
            Attribute::Fields(_) => Ok(()),
            Attribute::Object(object) => self.object(place, object),
        }
    }

    /// Stores values with a unit.
    fn measured(&self, node: &Node, object: &Object, tag: &str) -> Result<()> {
        tagged_mapping(node, tag)?;
        match object.get("value") {
            Some(Attribute::Column(name)) => self.part(name)?.set(node, "value", self.arrays)?,
            Some(Attribute::Array(array)) => array.set(&node.make("value")?, self.arrays)?,
            Some(Attribute::Literal(text)) => {
                set_literal(&node.make("value")?, text)?;
                let is_integer = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
                node.set_string("datatype", if is_integer { "int64" } else { "float64" })?;
            }
            _ => {}
        }
        // The unit of the column is that of the values: a conversion changes it, and not what the metadata say.
        let own = self.only_part(object).and_then(|part| part.header.unit.as_deref()).filter(|unit| !unit.is_empty());
        if let Some(Attribute::Unit(unit)) = object.get("unit") {
            set_unit(node, "unit", own.unwrap_or(unit), self.tags)?;
        }
        match object.get("wrap_angle") {
            Some(Attribute::Object(wrap)) => self.object(&node.make("wrap_angle")?, wrap),
            _ if tag.contains("/longitude-") => {
                let whole = Attribute::Literal("360.0".to_owned());
                self.object(&node.make("wrap_angle")?, &Object::measured(ObjectKind::Angle, "deg".to_owned(), whole))
            }
            _ => Ok(()),
        }
    }

    /// Stores points in time. Unlike astropy, keeps numbers of years, and the scale where it is not the default of the
    /// format.
    fn time(&self, node: &Node, object: &Object) -> Result<()> {
        if let Some(times) = moment::times(object) {
            node.set_times("", &times, self.arrays)?;
            self.time_place(node, object)?;
            return details(node, object);
        }
        tagged_mapping(node, &self.tags.time)?;
        let format = object.text("format").unwrap_or_default();
        let mut detected = format;
        match object.get("value") {
            Some(Attribute::Column(name)) => {
                let part = self.part(name)?;
                part.set(node, "value", self.arrays)?;
                if part.is_text() {
                    detected = part.first_text().map_or("iso", format_of_text);
                }
            }
            Some(Attribute::Array(array)) => {
                array.set(&node.make("value")?, self.arrays)?;
                detected = array.first_text().map_or(format, |text| format_of_text(&text));
            }
            Some(Attribute::Text(text)) => {
                node.set_string("value", text)?;
                detected = format_of_text(text);
            }
            Some(Attribute::Literal(text)) => set_literal(&node.make("value")?, text)?,
            _ => {}
        }
        if NUMERIC_FORMATS.contains(&format) && detected == format {
            node.set_string("format", format)?;
        } else if detected != format {
            node.set_string("base_format", format)?;
        }
        if let Some(scale) = object.text("scale")
            && (scale != "utc" || !has_scale_utc(format))
        {
            node.set_string("scale", scale)?;
        }
        details(node, object)?;
        self.time_place(node, object)
    }

    /// Stores the place of points in time, if they have one.
    fn time_place(&self, node: &Node, object: &Object) -> Result<()> {
        if let Some(Attribute::Object(location)) = object.get("location") {
            let place = node.make("location")?;
            place.set_mapping("", false)?;
            for axis in ["x", "y", "z"] {
                if let Some(Attribute::Object(value)) = location.get(axis) {
                    self.object(&place.make(axis)?, value)?;
                }
            }
        }
        Ok(())
    }

    /// Stores coordinates in the frame ICRS.
    fn icrs(&self, node: &Node, object: &Object) -> Result<()> {
        tagged_mapping(node, coordinates_tag(ObjectKind::Icrs).unwrap_or_default())?;
        let mut data =
            Object { kind: ObjectKind::Representation("UnitSphericalRepresentation"), attributes: Vec::new() };
        for (own, component) in [("ra", "lon"), ("dec", "lat")] {
            data.attributes.extend(object.get(own).cloned().map(|value| (component.to_owned(), value)));
        }
        self.object(&node.make("data")?, &data)?;
        node.set_mapping("frame_attributes", true)
    }
}

/// Stores the attributes of points in time that refine their format.
fn details(node: &Node, object: &Object) -> Result<()> {
    for (key, usual) in TIME_DETAILS {
        match object.get(key) {
            Some(Attribute::Text(text)) if text != usual => node.set_string(key, text)?,
            Some(Attribute::Literal(text)) if text != usual => set_literal(&node.make(key)?, text)?,
            _ => {}
        }
    }
    Ok(())
}

/// Returns whether astropy reads values of this format without a scale as UTC.
fn has_scale_utc(format: &str) -> bool {
    !matches!(format, "gps" | "cxcsec" | "unix_tai" | "tai_seconds" | "byear" | "jyear" | "byear_str" | "jyear_str")
}

fn tagged_mapping(node: &Node, tag: &str) -> Result<()> {
    node.set_mapping("", false)?;
    node.set_tag("", Some(tag))
}

/// Stores a number or a truth value as it is spelled.
fn set_literal(node: &Node, text: &str) -> Result<()> {
    node.edit("", |tree| {
        let place = tree.place(node.id(), "")?;
        if tree.kind(place) != Kind::Alias {
            tree.replace(place, Content::Scalar(text, Style::Plain));
        }
        Ok(())
    })
}
