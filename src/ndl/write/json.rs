//! Writes a description as JSON, for programs without a YAML reader.

use super::directive::Directive;
use super::flow::{Dialect, Flow};
use crate::error::Result;
use crate::ndl::{Attribute, Datatype, Description, DimCoord, Dimension, Group, Named, Ndarray, Size, Storage, Value};

impl Description {
    /// Returns the model as JSON on one line: an object with the keys `form` (`flat` or `grouped`), `groups`,
    /// `dimcoords` and `ndarrays`. The last three map path names to objects.
    ///
    /// * References are resolved: `shape` has the extents, null for unlimited ones, and `dims` the path names of
    ///   dimension coordinates.
    /// * Values have their datatypes: texts, numbers, names of constants, base64 for opaque bytes, path names, lists of
    ///   members for compounds. Regions are a `target` with `blocks` (first and last index) or `elements`.
    /// * NaN and infinity are the texts `nan`, `inf` and `-inf`.
    /// * Content that the description does not give is missing or null.
    /// * Keys with `x-` are among the other keys.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if a value does not fit its datatype.
    pub fn to_json(&self) -> Result<String> {
        let mut json = Flow::new(Dialect::Json);
        json.begin_mapping();
        json.key("form");
        json.quoted(if self.flat { "flat" } else { "grouped" });
        json.key("groups");
        json.begin_mapping();
        for (path, of) in self.groups.iter() {
            json.key(path);
            group(&mut json, of).map_err(|error| error.at_path(path))?;
        }
        json.end_mapping();
        json.key("dimcoords");
        json.begin_mapping();
        for (path, of) in self.dimcoords.iter() {
            json.key(path);
            dimcoord(&mut json, of).map_err(|error| error.at_path(path))?;
        }
        json.end_mapping();
        json.key("ndarrays");
        json.begin_mapping();
        for (path, of) in self.ndarrays.iter() {
            json.key(path);
            ndarray(&mut json, of).map_err(|error| error.at_path(path))?;
        }
        json.end_mapping();
        json.extensions(&self.extensions);
        json.end_mapping();
        json.into_text()
    }
}

pub(crate) fn group(json: &mut Flow, group: &Group) -> Result<()> {
    json.begin_mapping();
    json.key("listed");
    json.word(if group.listed { "true" } else { "false" });
    attributes(json, &group.attributes)?;
    json.extensions(&group.extensions);
    json.end_mapping();
    Ok(())
}

pub(crate) fn dimcoord(json: &mut Flow, dimcoord: &DimCoord) -> Result<()> {
    json.begin_mapping();
    json.key("size");
    size(json, dimcoord.size);
    let DimCoord { datatype, datatype_inferred, storage, value, .. } = dimcoord;
    array(json, datatype.as_ref(), *datatype_inferred, storage, value.as_ref())?;
    attributes(json, &dimcoord.attributes)?;
    json.extensions(&dimcoord.extensions);
    json.end_mapping();
    Ok(())
}

pub(crate) fn ndarray(json: &mut Flow, ndarray: &Ndarray) -> Result<()> {
    json.begin_mapping();
    json.key("shape");
    match &ndarray.shape {
        Some(dimensions) => {
            extents(json, dimensions);
            json.key("dims");
            coordinates(json, dimensions);
        }
        None => json.word("null"),
    }
    let Ndarray { datatype, datatype_inferred, storage, value, .. } = ndarray;
    array(json, datatype.as_ref(), *datatype_inferred, storage, value.as_ref())?;
    attributes(json, &ndarray.attributes)?;
    json.extensions(&ndarray.extensions);
    json.end_mapping();
    Ok(())
}

/// Writes the extents of an array; null for an unlimited or unknown extent.
pub(crate) fn extents(json: &mut Flow, dimensions: &[Dimension]) {
    json.begin_list();
    dimensions.iter().for_each(|dimension| size(json, dimension.extent));
    json.end_list();
}

/// Writes the path names of dimension coordinates; null for dimensions without one.
pub(crate) fn coordinates(json: &mut Flow, dimensions: &[Dimension]) {
    json.begin_list();
    for dimension in dimensions {
        match &dimension.coordinate {
            Some(path) => json.quoted(path),
            None => json.word("null"),
        }
    }
    json.end_list();
}

pub(crate) fn size(json: &mut Flow, size: Size) {
    json.word(&size.fixed().map_or("null".to_owned(), |size| size.to_string()));
}

/// Writes datatype, storage and value, which arrays and dimension coordinates share.
fn array(
    json: &mut Flow,
    datatype: Option<&Datatype>,
    is_inferred: bool,
    storage: &Storage,
    value: Option<&Value>,
) -> Result<()> {
    self::datatype(json, datatype);
    if is_inferred {
        json.key("type_inferred");
        json.word("true");
    }
    stored(json, storage, datatype)?;
    self::value(json, value, datatype)
}

fn datatype(json: &mut Flow, datatype: Option<&Datatype>) {
    json.key("type");
    match datatype {
        Some(datatype) => json.datatype(datatype),
        None => json.word("null"),
    }
}

fn value(json: &mut Flow, value: Option<&Value>, datatype: Option<&Datatype>) -> Result<()> {
    let (Some(value), Some(datatype)) = (value, datatype) else { return Ok(()) };
    json.key("value");
    json.value(value, datatype)
}

fn attributes(json: &mut Flow, attributes: &Named<Attribute>) -> Result<()> {
    json.key("attributes");
    json.begin_mapping();
    for (name, of) in attributes.iter() {
        json.key(name);
        attribute(json, of)?;
    }
    json.end_mapping();
    Ok(())
}

pub(crate) fn attribute(json: &mut Flow, attribute: &Attribute) -> Result<()> {
    let of = attribute.datatype.as_ref();
    json.begin_mapping();
    datatype(json, of);
    json.key("shape");
    match &attribute.shape {
        Some(shape) => json.numbers(shape),
        None => json.word("null"),
    }
    stored(json, &attribute.storage, of)?;
    match (&attribute.value, of) {
        (Some(_), Some(_)) => value(json, attribute.value.as_ref(), of)?,
        _ => {
            json.key("value");
            json.word("null");
        }
    }
    if attribute.short {
        json.key("short");
        json.word("true");
    }
    json.extensions(&attribute.extensions);
    json.end_mapping();
    Ok(())
}

fn stored(json: &mut Flow, storage: &Storage, datatype: Option<&Datatype>) -> Result<()> {
    if storage.is_empty() {
        return Ok(());
    }
    json.key("storage");
    json.begin_mapping();
    for directive in Directive::ALL {
        if directive.is_in(storage) {
            json.key(directive.name());
            directive.write(json, storage, datatype)?;
        }
    }
    json.extensions(&storage.extensions);
    json.end_mapping();
    Ok(())
}
