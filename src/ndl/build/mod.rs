//! Descriptions that programs make or alter, part by part.

mod check;
mod elements;
mod subject;
#[cfg(test)]
mod tests;

use super::model::path_name;
use super::read::parts;
use super::{
    Attribute, Content, Datatype, Description, DimCoord, Dimension, Group, Ndarray, Parsed, ROOT, ReadOptions, Size,
};
use crate::error::{Error, Result, Status};
pub use elements::MemoryElements;
use std::str::FromStr;
pub use subject::Place;

/// A description that is being made. Each call checks what it is given, and changes nothing if it fails; what only the
/// whole can tell, [`Builder::finish`] does.
#[derive(Clone, Debug, PartialEq)]
pub struct Builder {
    description: Description,
}

impl Builder {
    /// Begins with the description of an empty file.
    pub fn new() -> Builder {
        let mut description = Description::new();
        // The root is there without being listed.
        description.groups.insert(ROOT, Group::default());
        Builder { description }
    }

    /// What was made so far: path names of dimension coordinates are not looked up yet.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The description as it would be read from its text, with what is wrong and odd in it ([`Description::check`]).
    pub fn finish(&self, options: &ReadOptions) -> Result<Parsed> {
        self.description.check(options)
    }

    /// Lists a group; one that is there stays as it is.
    ///
    /// Fails with [`Status::Path`] for what is no path name, and with [`Status::InvalidArgument`] if an array or a
    /// dimension coordinate has it.
    pub fn add_group(&mut self, path: &str) -> Result<()> {
        if !self.description.groups.contains(path) {
            self.check_free(path)?;
            self.add_ancestors(path);
            self.description.groups.insert(path, Group::default());
        }
        if let Some(group) = self.description.groups.get_mut(path) {
            group.listed = true;
        }
        Ok(())
    }

    /// Adds a dimension coordinate, and the groups that it is in.
    ///
    /// Fails with [`Status::Path`] for what is no path name, and with [`Status::InvalidArgument`] if something has it, or
    /// for a size of 0 or one that is not known.
    pub fn add_dimcoord(&mut self, path: &str, size: Size, datatype: Option<Datatype>) -> Result<()> {
        self.check_free(path)?;
        check_size(size).map_err(|error| error.at_path(path))?;
        self.add_ancestors(path);
        self.description.dimcoords.insert(path, DimCoord { size, datatype, ..DimCoord::default() });
        Ok(())
    }

    /// Adds an array, and the groups that it is in.
    ///
    /// Fails with [`Status::Path`] for what is no path name, and with [`Status::InvalidArgument`] if something has it, or
    /// for a dimension without an extent and a name.
    pub fn add_ndarray(&mut self, path: &str, shape: Vec<Dimension>, datatype: Option<Datatype>) -> Result<()> {
        self.check_free(path)?;
        check_shape(&shape).map_err(|error| error.at_path(path))?;
        self.add_ancestors(path);
        self.description.ndarrays.insert(path, Ndarray { shape: Some(shape), datatype, ..Ndarray::default() });
        Ok(())
    }

    /// Gives an attribute to what has the path name, in the place of one that has the name.
    ///
    /// Fails with [`Status::NotFound`] if nothing has the path name, and with [`Status::InvalidArgument`] if no attribute
    /// can have the name.
    pub fn set_attribute(&mut self, path: &str, name: &str, attribute: Attribute) -> Result<()> {
        if !path_name::is_attribute_name(name) {
            let message = "the name of an attribute has at least one character, and no NUL";
            return Err(Error::new(Status::InvalidArgument, message).at_path(path));
        }
        let attributes = self.description.attributes_mut(path).ok_or_else(|| Place::from(path).not_found())?;
        attributes.insert(name, attribute);
        Ok(())
    }

    /// Takes out an attribute, an array, a dimension coordinate, or a group with all that is in it.
    ///
    /// Fails with [`Status::NotFound`] if there is none, and with [`Status::InvalidArgument`] for the root.
    pub fn remove<'a>(&mut self, place: impl Into<Place<'a>>) -> Result<()> {
        let place = place.into();
        let Place { path, attribute } = place;
        let description = &mut self.description;
        if let Some(name) = attribute {
            let removed = description.attributes_mut(path).and_then(|attributes| attributes.remove(name));
            return removed.map(drop).ok_or_else(|| place.not_found());
        }
        if path == ROOT {
            return Err(Error::new(Status::InvalidArgument, "the root group cannot be taken out").at_path(path));
        }
        let count = |description: &Description| {
            description.groups.len() + description.dimcoords.len() + description.ndarrays.len()
        };
        let before = count(description);
        let is_outside =
            |other: &str| !other.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        description.groups.retain(is_outside);
        description.dimcoords.retain(is_outside);
        description.ndarrays.retain(is_outside);
        if count(description) < before { Ok(()) } else { Err(place.not_found()) }
    }

    /// Whether something new can have this path name.
    fn check_free(&self, path: &str) -> Result<()> {
        if path == ROOT || !path_name::is_group_path(path) {
            let message = "a path name is made of names that each follow a slash: none of them empty, '.' or '..'";
            return Err(Error::new(Status::Path, message).at_path(path));
        }
        if self.description.contains(path) {
            let message = "something in the description has this path name";
            return Err(Error::new(Status::InvalidArgument, message).at_path(path));
        }
        Ok(())
    }

    /// Adds the groups that something is in, as far as nothing has their path names.
    fn add_ancestors(&mut self, path: &str) {
        let missing: Vec<&str> =
            path_name::ancestors(path).take_while(|group| !self.description.contains(group)).collect();
        for group in missing.into_iter().rev() {
            self.description.groups.insert(group, Group::default());
        }
    }
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

/// Goes on with a description that is there.
impl From<Description> for Builder {
    fn from(description: Description) -> Builder {
        Builder { description }
    }
}

/// The notation of the language, as in `{array: {base: float32, shape: [3]}}`.
///
/// Fails with [`Status::BadDatatype`] if it is none, and with [`Status::Yaml`] and its like if the text is not YAML.
impl FromStr for Datatype {
    type Err = Error;

    fn from_str(text: &str) -> Result<Datatype> {
        parts::datatype(text)
    }
}

/// Any YAML that keeps the rules of the language: no foreign tags, no merge keys, no repeated keys.
impl FromStr for Content {
    type Err = Error;

    fn from_str(text: &str) -> Result<Content> {
        parts::content(text)
    }
}

fn check_size(size: Size) -> Result<()> {
    match size {
        Size::Fixed(0) | Size::Unknown => {
            let message = "the size of a dimension coordinate is at least 1, or unlimited";
            Err(Error::new(Status::InvalidArgument, message))
        }
        Size::Fixed(_) | Size::Unlimited => Ok(()),
    }
}

fn check_shape(shape: &[Dimension]) -> Result<()> {
    let is_known = |dimension: &Dimension| {
        dimension.extent != Size::Unknown || dimension.coordinate.is_some() || dimension.spelling.is_some()
    };
    if shape.iter().all(is_known) {
        return Ok(());
    }
    let message = "a dimension has an extent, or the name of a dimension coordinate";
    Err(Error::new(Status::InvalidArgument, message))
}
