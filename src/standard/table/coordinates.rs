//! Columns of a table as coordinates.

use super::entry;
use super::object::{Attribute, Object};
use super::write_column::Storable;
use super::write_object::ObjectWriter;
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, File, NewOptions, Node};
use crate::standard::coordinates::{Coordinates, names};
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::{FULL_SPECTRAL, Tags};
use crate::table::{LogicalColumn, Table, logical_columns};

/// Key of the coordinates in the file that holds their description.
const PLACE: &str = "column";

impl Table {
    /// Returns the coordinates of a logical column: positions in a frame, places on Earth, coordinates without a frame,
    /// angles or spectral coordinates, which the metadata describe under `__serialized_columns__`. Numbers are not
    /// copied. Positions in a frame are a [`SkyCoord`](crate::CoordinatesKind::SkyCoord), even if the column is a frame.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column, and with [`Status::WrongType`] if it is not one of
    /// coordinates.
    pub fn coordinates(&self, name: &str) -> Result<Coordinates> {
        let columns = logical_columns(self.header());
        let logical = columns.iter().find(|column| column.name == name).ok_or_else(|| {
            Error::new(Status::NotFound, format!("the table has no logical column '{}'", name.escape_debug()))
        })?;
        let refused = || {
            let message = format!("the column '{}' does not have coordinates", name.escape_debug());
            Error::new(Status::WrongType, message)
        };
        let (object, tag) = described(logical)?.ok_or_else(refused)?;
        let values = logical.parts(self)?;
        let with_header = values.header().columns.iter().zip(values.columns());
        let parts = with_header.map(|(header, column)| Storable::new(header, column)).collect::<Result<Vec<_>>>()?;
        let file = File::new(&NewOptions::default());
        let (root, tags) = (file.root()?, Tags::of(file.standard().effective)?);
        let writer = ObjectWriter { tags: &tags, arrays: &ArrayOptions::default(), parts: &parts };
        writer.object(&root.make(PLACE)?, &object)?;
        if let Some(tag) = tag {
            root.set_tag(PLACE, Some(tag))?;
        }
        Coordinates::read(&root, PLACE)
            .map_err(|error| if error.status() == Status::WrongType { refused() } else { error })
    }
}

/// Returns the object that a column is, and its tag if that is not the one of its kind.
fn described(logical: &LogicalColumn) -> Result<Option<(Object, Option<&'static str>)>> {
    let (Some(attributes), Some(class)) = (&logical.attributes, &logical.class) else { return Ok(None) };
    let last = class.rsplit_once('.').map_or(&**class, |(_, last)| last);
    let frame = last.to_ascii_lowercase();
    if names::is_frame(&frame) {
        return Ok(entry::object_of_kind(attributes, ObjectKind::SkyCoord)?.map(|object| (framed(object, frame), None)));
    }
    match last {
        "SpectralCoord" => {
            let object = entry::object_of_kind(attributes, ObjectKind::Angle)?;
            Ok(object.map(|object| (object, Some(FULL_SPECTRAL))))
        }
        _ => Ok(object(attributes)?.map(|object| (object, None))),
    }
}

/// Returns the object of a known class, unless it is one without coordinates.
fn object(attributes: &Node) -> Result<Option<Object>> {
    use ObjectKind::{Angle, EarthLocation, Latitude, Longitude, Representation, SkyCoord};
    let object = entry::object_of(attributes)?;
    Ok(object.filter(|object| {
        matches!(object.kind, Angle | EarthLocation | Latitude | Longitude | Representation(_) | SkyCoord)
    }))
}

/// Adds the name of the frame.
fn framed(mut object: Object, frame: String) -> Object {
    object.attributes.push(("frame".to_owned(), Attribute::Text(frame)));
    object
}
