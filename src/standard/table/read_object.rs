//! Reads objects of astropy, such as sky coordinates, as columns and attributes.

use super::keys::{optional, required};
use super::moment;
use super::object::{Attribute, Object};
use super::serialized::format_of_text;
use crate::array::{Datatype, ReadOptions};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::{Tagged, meaning};
use crate::standard::time::TimeOptions;
use crate::standard::units::node as unit;

/// Maximum number of objects inside one another: angles, in a place, in a time, in a sky coordinate.
const MAX_DEPTH: usize = 6;

/// Way in which the arrays of objects are read.
pub(super) trait ReadArrays {
    /// Reads an array as a column of this name with this unit, or as a part of the object.
    fn read_array(&mut self, name: &str, unit: Option<String>, array: &Node) -> Result<Attribute>;

    /// Returns whether arrays become columns.
    fn makes_columns(&self) -> bool;
}

/// Reader of objects.
pub(super) struct ObjectReader<'a>(pub(super) &'a mut dyn ReadArrays);

impl ObjectReader<'_> {
    /// Reads an object that has a value for each row. An object with a single array becomes the column `name`; the
    /// arrays of any other become columns `name.attribute`.
    ///
    /// Fails with [`Status::Unsupported`] for an object without arrays, and for attributes that ECSV has no form for.
    pub(super) fn object_column(&mut self, node: &Node, kind: ObjectKind, name: &str) -> Result<Object> {
        let object = self.object(node, kind, name, 0)?;
        if object.has_columns() {
            return Ok(object);
        }
        let message = format!("the column '{name}' has no array with a value for each row");
        Err(node.locate(Error::new(Status::Unsupported, message)))
    }

    /// Reads the place of points in time, if they have one.
    pub(super) fn location(&mut self, time: &Node, name: &str) -> Result<Option<Attribute>> {
        let Some(place) = optional(time, "location")? else { return Ok(None) };
        self.object(&place, ObjectKind::EarthLocation, &format!("{name}.location"), 0).map(Attribute::Object).map(Some)
    }

    fn object(&mut self, node: &Node, kind: ObjectKind, name: &str, depth: usize) -> Result<Object> {
        if depth > MAX_DEPTH {
            let message = format!("an object is nested more than {MAX_DEPTH} deep");
            return Err(node.locate(Error::new(Status::Unsupported, message)));
        }
        let attributes = match kind {
            ObjectKind::SkyCoord | ObjectKind::TimeDelta => self.attributes(node, name, depth)?,
            ObjectKind::EarthLocation => self.place(node, name, depth)?,
            ObjectKind::Time => self.time_attributes(node, name, depth)?,
            ObjectKind::Angle | ObjectKind::Latitude | ObjectKind::Longitude | ObjectKind::Quantity => {
                self.measured(node, name, depth)?
            }
            ObjectKind::Distance
            | ObjectKind::Magnitude
            | ObjectKind::Decibel
            | ObjectKind::Dex
            | ObjectKind::Records => return Err(node.locate(Error::new(Status::Internal, "no tag has this kind"))),
            ObjectKind::Representation(_) => self.attributes(&required(node, "components")?, name, depth)?,
            ObjectKind::Icrs => self.icrs(node, name, depth)?,
        };
        Ok(Object { kind, attributes })
    }

    /// Reads all attributes of an object.
    fn attributes(&mut self, node: &Node, name: &str, depth: usize) -> Result<Vec<(String, Attribute)>> {
        let mut attributes = Vec::new();
        for index in 0..node.count("")? {
            let NodeKey::String(key) = node.key("", index)? else {
                return Err(node.locate(Error::new(Status::TagContent, "a key of an object is not text")));
            };
            let value = node.item("", index)?;
            if value.node_type("")? != NodeType::Null {
                attributes.push((key.clone(), self.attribute(&value, &format!("{name}.{key}"), depth)?));
            }
        }
        Ok(attributes)
    }

    pub(super) fn attribute(&mut self, node: &Node, name: &str, depth: usize) -> Result<Attribute> {
        let Some(tag) = node.foreign_tag("")? else { return scalar(node) };
        let kind = match meaning(&tag) {
            Tagged::Object(kind) => kind,
            Tagged::Quantity => ObjectKind::Quantity,
            Tagged::Time => ObjectKind::Time,
            Tagged::Representation => representation(node)?,
            Tagged::Icrs => ObjectKind::Icrs,
            Tagged::TimeDelta => ObjectKind::TimeDelta,
            Tagged::Array => return self.0.read_array(name, None, node),
            _ => {
                let message = format!("an attribute of the column has the tag '{tag}' and cannot be read into a table");
                return Err(node.locate(Error::new(Status::Unsupported, message)));
            }
        };
        let object = self.object(node, kind, name, depth + 1)?;
        if kind.is_attribute() && object.has_columns() {
            let message = "coordinates with a value for each row cannot be an attribute of a column";
            return Err(node.locate(Error::new(Status::Unsupported, message)));
        }
        Ok(Attribute::Object(object))
    }

    /// Reads the frame ICRS with spherical coordinates.
    fn icrs(&mut self, node: &Node, name: &str, depth: usize) -> Result<Vec<(String, Attribute)>> {
        let Attribute::Object(Object {
            kind: ObjectKind::Representation("SphericalRepresentation" | "UnitSphericalRepresentation"),
            mut attributes,
        }) = self.attribute(&required(node, "data")?, name, depth)?
        else {
            let message = "coordinates that are not spherical cannot be an attribute of a column";
            return Err(node.locate(Error::new(Status::Unsupported, message)));
        };
        for (key, _) in &mut attributes {
            match &**key {
                "lon" => "ra".clone_into(key),
                "lat" => "dec".clone_into(key),
                _ => {}
            }
        }
        attributes.push(("representation_type".to_owned(), Attribute::Text("spherical".to_owned())));
        Ok(attributes)
    }

    /// Reads a quantity or an angle: unit, value, and the angle at which a longitude wraps.
    fn measured(&mut self, node: &Node, name: &str, depth: usize) -> Result<Vec<(String, Attribute)>> {
        let unit = unit::required(&required(node, "unit")?)?;
        let value = self.values(&required(node, "value")?, name, Some(unit.clone()))?;
        let mut attributes = vec![("unit".to_owned(), Attribute::Unit(unit)), ("value".to_owned(), value)];
        if let Some(wrap) = optional(node, "wrap_angle")? {
            attributes.push(("wrap_angle".to_owned(), self.attribute(&wrap, &format!("{name}.wrap_angle"), depth)?));
        }
        Ok(attributes)
    }

    /// Reads points in time, which may be text alone.
    fn time_attributes(&mut self, node: &Node, name: &str, depth: usize) -> Result<Vec<(String, Attribute)>> {
        let is_mapping = node.node_type("")? == NodeType::Mapping;
        let value = if is_mapping { required(node, "value")? } else { node.clone() };
        let format = if is_mapping { optional(node, "format")? } else { None };
        let format = match format {
            Some(format) => format.text("")?,
            None => format_of_text(&first_text(&value)?).to_owned(),
        };
        let mut attributes = vec![("format".to_owned(), Attribute::Text(format))];
        if is_mapping {
            if let Some(scale) = optional(node, "scale")? {
                attributes.push(("scale".to_owned(), scalar(&scale)?));
            }
            for key in ["in_subfmt", "out_subfmt", "precision"] {
                if let Some(value) = optional(node, key)? {
                    attributes.push((key.to_owned(), scalar(&value)?));
                }
            }
            if let Some(place) = optional(node, "location")? {
                let place = self.object(&place, ObjectKind::EarthLocation, &format!("{name}.location"), depth + 1)?;
                attributes.push(("location".to_owned(), Attribute::Object(place)));
            }
        }
        if let Some(shown) = if is_mapping { optional(node, "base_format")? } else { None }
            && !self.0.makes_columns()
        {
            attributes[0].1 = scalar(&shown)?;
            attributes.extend(moment::parts(&node.time("", &TimeOptions::default())?));
            return Ok(attributes);
        }
        let value = if is_mapping { self.values(&value, name, None)? } else { Attribute::Text(node.text("")?) };
        attributes.push(("value".to_owned(), value));
        Ok(attributes)
    }

    /// Reads a place on Earth, which must be geocentric.
    fn place(&mut self, node: &Node, name: &str, depth: usize) -> Result<Vec<(String, Attribute)>> {
        for axis in ["x", "y", "z"] {
            if !node.exists(axis)? {
                let message = format!("the place '{name}' has no geocentric coordinates x, y, z");
                return Err(node.locate(Error::new(Status::Unsupported, message)));
            }
        }
        let mut attributes = self.attributes(node, name, depth)?;
        if !attributes.iter().any(|(key, _)| key == "ellipsoid") {
            attributes.push(("ellipsoid".to_owned(), Attribute::Text("WGS84".to_owned())));
        }
        Ok(attributes)
    }

    /// Reads the values of all rows as a column, or a single value.
    fn values(&mut self, value: &Node, name: &str, unit: Option<String>) -> Result<Attribute> {
        let is_array = value.is_array("")? || value.node_type("")? == NodeType::Sequence;
        if is_array && (!self.0.makes_columns() || !value.array("")?.shape().is_empty()) {
            return self.0.read_array(name, unit, value);
        }
        scalar(value)
    }
}

/// Returns the kind of coordinates without a frame, or of a velocity.
pub(super) fn representation(node: &Node) -> Result<ObjectKind> {
    let class = required(node, "type")?.text("")?;
    let has_velocity = match optional(node, "differentials")? {
        Some(differentials) => differentials.count("")? > 0,
        None => false,
    };
    let kind = ObjectKind::of_representation(&class).filter(|_| !has_velocity);
    kind.ok_or_else(|| {
        let with = if has_velocity { " with velocities" } else { "" };
        let message =
            format!("an attribute of the column has the type '{class}'{with} and cannot be read into a table");
        node.locate(Error::new(Status::Unsupported, message))
    })
}

/// Returns the text, or the first one of an array of texts, of points in time that have no format. Empty if there is none.
fn first_text(value: &Node) -> Result<String> {
    if !value.is_array("")? {
        return value.text("");
    }
    let array = value.array("")?;
    if !matches!(array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_)) {
        let message = "points in time without a format cannot be an attribute of a column";
        return Err(value.locate(Error::new(Status::Unsupported, message)));
    }
    let (texts, _) = array.load_text(true, &ReadOptions::default())?;
    Ok(texts.iter().next().unwrap_or_default().to_owned())
}

/// Returns an attribute that is a number, a truth value or text.
pub(super) fn scalar(node: &Node) -> Result<Attribute> {
    Ok(match node.node_type("")? {
        NodeType::String => Attribute::Text(unit::plain_text(node)?),
        NodeType::Bool | NodeType::Integer | NodeType::Float if node.foreign_tag("")?.is_none() => {
            Attribute::Literal(node.text("")?)
        }
        _ => {
            let message = "an attribute of the column is not a number or text and cannot be read into a table";
            return Err(node.locate(Error::new(Status::Unsupported, message)));
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::error::{Result, Status};
    use crate::file::{File, Node, OpenOptions};
    use crate::standard::TableReadOptions;
    use crate::table::{Table, logical_columns};
    use std::sync::Arc;

    fn open(tree: &str) -> Node {
        let text = format!(
            "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}\n...\n"
        );
        File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
    }

    fn read(root: &Node) -> Result<Table> {
        root.table("t", &TableReadOptions::default())
    }

    /// Returns a table of astropy with a column `i` of two rows, and this column `c`.
    fn with_column(column: &str) -> Node {
        let head = "t: !<tag:astropy.org:astropy/table/table-1.3.0>\n  colnames: [i, c]\n  qtable: true\n  columns:\n  \
                - !core/ndarray-1.1.0 {data: [1, 2], datatype: int64}\n  - ";
        open(&format!("{head}{column}"))
    }

    #[test]
    fn objects_of_several_arrays_become_columns() {
        const A: &str = "!<tag:astropy.org:astropy/coordinates";
        let angle = |name: &str, value: &str| format!("{A}/{name}> {{unit: !unit/unit-1.0.0 deg, value: {value}");
        let sky = format!(
            "{A}/skycoord-1.0.0> {{ra: {}, wrap_angle: {}}}}}, dec: {}}}, frame: fk5, equinox: !time/time-1.4.0 {{scale: tt, \
             value: J2000.000}}, obstime: !time/time-1.4.0 2020-01-01T00:00:00, obsgeoloc: null}}",
            angle("longitude-1.2.0", "[1.0, 2.0]"),
            angle("angle-1.2.0", "360.0, datatype: float64"),
            angle("latitude-1.2.0", "!core/ndarray-1.1.0 {data: [3.0, 4.0], mask: 4.0}"),
        );
        let table = read(&with_column(&sky)).unwrap();
        let names: Vec<_> = table.header().columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["i", "c.ra", "c.dec"]);
        assert_eq!(table.header().columns[1].unit.as_deref(), Some("deg"));
        let described = table.header().meta.as_ref().unwrap().at("__serialized_columns__/c").unwrap();
        let facts = [
            ("__class__", "astropy.coordinates.sky_coordinate.SkyCoord"),
            ("frame", "fk5"),
            ("ra/__class__", "astropy.coordinates.angles.Longitude"),
            ("ra/unit/unit", "deg"),
            ("ra/value/name", "c.ra"),
            ("ra/wrap_angle/value", "360.0"),
            ("dec/value/__class__", "astropy.utils.masked.core.MaskedNDArray"),
            ("dec/value/data/name", "c.dec"),
            ("equinox/format", "jyear_str"),
            ("equinox/value", "J2000.000"),
            ("obstime/value", "2020-01-01T00:00:00"),
        ];
        for (path, text) in facts {
            assert_eq!(described.text(path).unwrap(), text, "{path}");
        }
        assert!(!described.exists("obsgeoloc").unwrap());
        let tag = |path: &str| described.tag(path).unwrap();
        assert_eq!(tag("ra/wrap_angle").as_deref(), Some("!astropy.coordinates.Angle"));
        assert_eq!(tag("equinox").as_deref(), Some("!astropy.time.Time"));
        let logical = &logical_columns(table.header())[1];
        assert_eq!((logical.name.as_str(), logical.members.len()), ("c", 2));
    }

    #[test]
    fn coordinates_and_frames_are_attributes() {
        const A: &str = "!<tag:astropy.org:astropy/coordinates";
        let angle = |name: &str, value: &str| format!("{A}/{name}> {{unit: deg, value: {value}}}");
        let spherical = format!(
            "{A}/representation-1.2.0> {{type: UnitSphericalRepresentation, components: {{lat: {}, lon: {}}}}}",
            angle("latitude-1.2.0", "-28.9"),
            angle("longitude-1.2.0", "266.4"),
        );
        let velocity = "components: {d_x: !unit/quantity-1.3.0 {unit: km/s, value: 12.9}}";
        let sky = |more: &str| {
            with_column(&format!(
                "{A}/skycoord-1.0.0> {{frame: galactocentric, x: !unit/quantity-1.3.0 {{unit: pc, value: [1.0, 2.0]}}, \
                 galcen_coord: {A}/frames/icrs-1.1.0> {{data: {spherical}, frame_attributes: {{}}}}{more}}}"
            ))
        };
        let table =
            read(&sky(&format!(", v: {A}/representation-1.2.0> {{type: CartesianDifferential, {velocity}}}"))).unwrap();
        let described = table.header().meta.as_ref().unwrap().at("__serialized_columns__/c").unwrap();
        for (path, text) in [
            ("galcen_coord/ra/value", "266.4"),
            ("galcen_coord/dec/unit/unit", "deg"),
            ("galcen_coord/representation_type", "spherical"),
            ("v/d_x/value", "12.9"),
            ("x/value/name", "c.x"),
        ] {
            assert_eq!(described.text(path).unwrap(), text, "{path}");
        }
        let tag = |path: &str| described.tag(path).unwrap();
        assert_eq!(tag("galcen_coord").as_deref(), Some("!astropy.coordinates.ICRS"));
        assert_eq!(tag("v").as_deref(), Some("!astropy.coordinates.CartesianDifferential"));
        for refused in [
            format!("type: Other, {velocity}"),
            "type: CartesianRepresentation".to_owned(),
            "type: CartesianRepresentation, components: {x: !core/ndarray-1.1.0 {data: [1.0, 2.0]}}".to_owned(),
            format!("type: CartesianRepresentation, {velocity}, differentials: {{s: 1}}"),
        ] {
            let error = read(&sky(&format!(", v: {A}/representation-1.2.0> {{{refused}}}"))).unwrap_err();
            assert!(matches!(error.status(), Status::Unsupported | Status::TagContent | Status::NotFound), "{error}");
        }
    }

    #[test]
    fn objects_that_cannot_be_columns_are_refused_or_left_out() {
        const A: &str = "!<tag:astropy.org:astropy/coordinates";
        let array = "!unit/quantity-1.3.0 {unit: m, value: [1.0, 2.0]}";
        for (column, path) in [
            (format!("{A}/skycoord-1.0.0> {{x: {array}, y: !<tag:example.org:other-1.0.0> 5}}"), "/t/columns/1/y"),
            (format!("{A}/skycoord-1.0.0> {{x: {array}, y: [a, b]}}"), "/t/columns/1/y"),
            (format!("{A}/skycoord-1.0.0> {{x: 1.0, frame: icrs}}"), "/t/columns/1"),
            (format!("{A}/earthlocation-1.2.0> {{longitude: {array}, latitude: {array}}}"), "/t/columns/1"),
            (format!("{A}/angle-1.2.0> {{unit: !unit/nounit-1.0.0 deg, value: [1.0, 2.0]}}"), "/t/columns/1/unit"),
            (
                "!time/time-1.4.0 {value: [1.0, 2.0], format: jd, location: {height: 5}}".to_owned(),
                "/t/columns/1/location",
            ),
        ] {
            let root = with_column(&column);
            let error = read(&root).unwrap_err();
            assert_eq!(
                (error.status(), error.location().path.as_deref()),
                (Status::Unsupported, Some(path)),
                "{error}"
            );
            let table = root.table("t", &TableReadOptions { leave_out: true, ..TableReadOptions::default() }).unwrap();
            assert_eq!((table.columns().len(), table.row_count(), table.warnings().len()), (1, 2, 1));
            assert!(table.header().meta.is_none());
        }
        let short = format!("{A}/angle-1.2.0> {{unit: deg, value: [1.0, 2.0, 3.0]}}");
        assert_eq!(read(&with_column(&short)).unwrap_err().status(), Status::TagContent);
    }
}
