//! A description as JSON, for programs that read no YAML.

use super::directive::Directive;
use super::flow::{Dialect, Flow};
use super::{
    Attribute, Datatype, DatatypeKind, Description, DimCoord, Dimension, Extensions, Group, Named, Ndarray, Size,
    Storage, Value,
};
use crate::error::Result;

impl Description {
    /// The model as JSON, on one line: an object of `form` (`flat` or `grouped`), `groups`, `dimcoords` and `ndarrays`,
    /// the latter three by path name.
    ///
    /// References are resolved (`shape` has the extents, null for unlimited ones, and `dims` the path names of dimension
    /// coordinates) and values have their datatypes: texts, numbers, the names of constants, opaque bytes in base64, path
    /// names, compounds as lists of their members, regions as `target` with `blocks` (first and last index) or
    /// `elements`. Floats that are not finite are the texts `nan`, `inf` and `-inf`. What the description does not tell
    /// is left out, or null. Keys with `x-` stand among the others.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if a value is not of the datatype beside
    /// it.
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
        extensions(&mut json, &self.extensions);
        json.end_mapping();
        Ok(json.into_text())
    }
}

impl Datatype {
    /// The datatype as JSON: a keyword, or an object of the keyword with its parameters. Members of a compound are a list
    /// of names and datatypes.
    pub fn to_json(&self) -> String {
        let mut json = Flow::new(Dialect::Json);
        write_datatype(&mut json, self);
        json.into_text()
    }
}

pub(super) fn group(json: &mut Flow, group: &Group) -> Result<()> {
    json.begin_mapping();
    json.key("listed");
    json.word(if group.listed { "true" } else { "false" });
    attributes(json, &group.attributes)?;
    extensions(json, &group.extensions);
    json.end_mapping();
    Ok(())
}

pub(super) fn dimcoord(json: &mut Flow, dimcoord: &DimCoord) -> Result<()> {
    json.begin_mapping();
    json.key("size");
    size(json, dimcoord.size);
    let DimCoord { datatype, datatype_inferred, storage, value, .. } = dimcoord;
    array(json, datatype.as_ref(), *datatype_inferred, storage, value.as_ref())?;
    attributes(json, &dimcoord.attributes)?;
    extensions(json, &dimcoord.extensions);
    json.end_mapping();
    Ok(())
}

pub(super) fn ndarray(json: &mut Flow, ndarray: &Ndarray) -> Result<()> {
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
    extensions(json, &ndarray.extensions);
    json.end_mapping();
    Ok(())
}

/// The extents of an array; null for one that is unlimited, or not known.
pub(super) fn extents(json: &mut Flow, dimensions: &[Dimension]) {
    json.begin_list();
    dimensions.iter().for_each(|dimension| size(json, dimension.extent));
    json.end_list();
}

/// The path names of dimension coordinates, null where there is none.
pub(super) fn coordinates(json: &mut Flow, dimensions: &[Dimension]) {
    json.begin_list();
    for dimension in dimensions {
        match &dimension.coordinate {
            Some(path) => json.quoted(path),
            None => json.word("null"),
        }
    }
    json.end_list();
}

pub(super) fn size(json: &mut Flow, size: Size) {
    json.word(&size.fixed().map_or("null".to_owned(), |size| size.to_string()));
}

/// What arrays and dimension coordinates have in common, but for what they have in common with groups.
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
        Some(datatype) => write_datatype(json, datatype),
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

pub(super) fn attribute(json: &mut Flow, attribute: &Attribute) -> Result<()> {
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
    extensions(json, &attribute.extensions);
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
    extensions(json, &storage.extensions);
    json.end_mapping();
    Ok(())
}

/// Recursion goes as deep as the datatype, which is bounded.
fn write_datatype(json: &mut Flow, of: &Datatype) {
    if let DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) | DatatypeKind::Objref = of.kind() {
        return json.quoted(of.keyword());
    }
    json.begin_mapping();
    json.key(of.keyword());
    if let DatatypeKind::Compound(members) = of.kind() {
        json.begin_list();
        for (name, member) in members.iter() {
            json.begin_list();
            json.quoted(name);
            write_datatype(json, member);
            json.end_list();
        }
        json.end_list();
        return json.end_mapping();
    }
    json.begin_mapping();
    match of.kind() {
        DatatypeKind::Opaque { size, tag } => {
            json.key("size");
            json.word(&size.to_string());
            if let Some(tag) = tag {
                json.key("tag");
                json.quoted(tag);
            }
        }
        DatatypeKind::Regref(selection) => {
            json.key("selection");
            json.quoted(selection.name());
        }
        DatatypeKind::Enum(enumeration) => {
            json.key("base");
            json.quoted(enumeration.base.name());
            json.key("members");
            json.begin_mapping();
            for (name, number) in enumeration.members.iter() {
                json.key(name);
                json.word(&number.to_string());
            }
            json.end_mapping();
            if enumeration.inferred {
                json.key("inferred");
                json.word("true");
            }
        }
        DatatypeKind::Vlen(base) => {
            json.key("base");
            write_datatype(json, base);
        }
        DatatypeKind::Array { base, shape } => {
            json.key("base");
            write_datatype(json, base);
            json.key("shape");
            json.numbers(shape);
        }
        _ => {}
    }
    extensions(json, of.extensions());
    json.end_mapping();
    json.end_mapping();
}

fn extensions(json: &mut Flow, extensions: &Extensions) {
    for (key, content) in extensions.iter() {
        json.key(key);
        json.content(content);
    }
}
