//! Builds and changes descriptions part by part.

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
use crate::reserve::collected;
pub use elements::MemoryElements;
use std::str::FromStr;
pub use subject::Address;

/// Builds a description. Each call checks its arguments and changes nothing if it fails. [`Builder::finish`] checks the
/// description as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Builder {
    description: Description,
}

impl Builder {
    /// Returns a builder with the description of an empty file.
    pub fn new() -> Builder {
        let mut description = Description::new();
        // The root always exists, but is not listed.
        description.groups.insert(ROOT, Group::default());
        Builder { description }
    }

    /// Returns the description so far. References to dimension coordinates are not resolved.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Checks the whole description and returns it as if it were parsed from its text, with diagnostics
    /// ([`Description::check`]).
    pub fn finish(&self, options: &ReadOptions) -> Result<Parsed> {
        self.description.check(options)
    }

    /// Lists a group, and adds it if it does not exist.
    ///
    /// Fails with [`Status::Path`] for an invalid path name, and with [`Status::InvalidArgument`] if an array or a
    /// dimension coordinate has the path name.
    pub fn add_group(&mut self, path: &str) -> Result<()> {
        if !self.description.groups.contains(path) {
            self.check_free(path)?;
            self.add_ancestors(path)?;
            self.description.groups.add(path, Group::default())?;
        }
        if let Some(group) = self.description.groups.get_mut(path) {
            group.listed = true;
        }
        Ok(())
    }

    /// Adds a dimension coordinate and its parent groups.
    ///
    /// Fails with [`Status::Path`] for an invalid path name. Fails with [`Status::InvalidArgument`] if the path name is
    /// taken, or the size is 0 or unknown.
    pub fn add_dimcoord(&mut self, path: &str, size: Size, datatype: Option<Datatype>) -> Result<()> {
        self.check_free(path)?;
        check_size(size).map_err(|error| error.at_path(path))?;
        self.description.dimcoords.make_room(1)?;
        self.add_ancestors(path)?;
        self.description.dimcoords.insert(path, DimCoord { size, datatype, ..DimCoord::default() });
        Ok(())
    }

    /// Adds an array and its parent groups.
    ///
    /// Fails with [`Status::Path`] for an invalid path name. Fails with [`Status::InvalidArgument`] if the path name is
    /// taken, or for a dimension with neither an extent nor a name.
    pub fn add_ndarray(&mut self, path: &str, shape: Vec<Dimension>, datatype: Option<Datatype>) -> Result<()> {
        self.check_free(path)?;
        check_shape(&shape).map_err(|error| error.at_path(path))?;
        self.description.ndarrays.make_room(1)?;
        self.add_ancestors(path)?;
        self.description.ndarrays.insert(path, Ndarray { shape: Some(shape), datatype, ..Ndarray::default() });
        Ok(())
    }

    /// Sets an attribute of a group, an array or a dimension coordinate. Replaces one with the same name.
    ///
    /// Fails with [`Status::NotFound`] for an unknown path name, and with [`Status::InvalidArgument`] for an invalid
    /// name of an attribute.
    pub fn set_attribute(&mut self, path: &str, name: &str, attribute: Attribute) -> Result<()> {
        if !path_name::is_attribute_name(name) {
            let message = "the name of an attribute needs at least one character and must not contain NUL";
            return Err(Error::new(Status::InvalidArgument, message).at_path(path));
        }
        let attributes = self.description.attributes_mut(path).ok_or_else(|| Address::from(path).not_found())?;
        attributes.add(name, attribute).map(drop)
    }

    /// Removes an attribute, an array, a dimension coordinate, or a group with all its members.
    ///
    /// Fails with [`Status::NotFound`] if there is no such object, and with [`Status::InvalidArgument`] for the root.
    pub fn remove<'a>(&mut self, address: impl Into<Address<'a>>) -> Result<()> {
        let address = address.into();
        let Address { path, attribute } = address;
        let description = &mut self.description;
        if let Some(name) = attribute {
            let removed = description.attributes_mut(path).and_then(|attributes| attributes.remove(name));
            return removed.map(drop).ok_or_else(|| address.not_found());
        }
        if path == ROOT {
            return Err(Error::new(Status::InvalidArgument, "the root group cannot be removed").at_path(path));
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
        if count(description) < before { Ok(()) } else { Err(address.not_found()) }
    }

    /// Fails if a new object cannot have this path name, because it is invalid or taken.
    fn check_free(&self, path: &str) -> Result<()> {
        if path == ROOT || !path_name::is_group_path(path) {
            let message = "a path name must consist of names that each follow a slash; '', '.' and '..' are not names";
            return Err(Error::new(Status::Path, message).at_path(path));
        }
        if self.description.contains(path) {
            let message = "the path name is taken";
            return Err(Error::new(Status::InvalidArgument, message).at_path(path));
        }
        Ok(())
    }

    /// Adds the missing parent groups of an object, all or none.
    fn add_ancestors(&mut self, path: &str) -> Result<()> {
        let missing = path_name::ancestors(path).take_while(|group| !self.description.contains(group));
        let missing = collected(missing.map(Ok))?;
        // The object itself may be a group.
        self.description.groups.make_room(missing.len() + 1)?;
        for group in missing.into_iter().rev() {
            self.description.groups.insert(group, Group::default());
        }
        Ok(())
    }
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

/// Starts from an existing description.
impl From<Description> for Builder {
    fn from(description: Description) -> Builder {
        Builder { description }
    }
}

/// Parses NDL notation, for example `{array: {base: float32, shape: [3]}}`.
///
/// Fails with [`Status::BadDatatype`] for an invalid datatype, and with [`Status::Yaml`] or a related status for
/// invalid YAML.
impl FromStr for Datatype {
    type Err = Error;

    fn from_str(text: &str) -> Result<Datatype> {
        parts::datatype(text)
    }
}

/// Parses any YAML that keeps the rules of the language: no foreign tags, no merge keys, no repeated keys.
impl FromStr for Content {
    type Err = Error;

    fn from_str(text: &str) -> Result<Content> {
        parts::content(text)
    }
}

fn check_size(size: Size) -> Result<()> {
    match size {
        Size::Fixed(0) | Size::Unknown => {
            let message = "the size of a dimension coordinate must be at least 1 or unlimited";
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
    let message = "a dimension needs an extent or the name of a dimension coordinate";
    Err(Error::new(Status::InvalidArgument, message))
}
