//! Sets datatype, storage, values and extensions of arrays, dimension coordinates and attributes.

use super::Builder;
use crate::error::{Error, Result, Status};
use crate::ndl::read::{StorageOf, parts};
use crate::ndl::write::text::in_attribute;
use crate::ndl::{Datatype, Dimension, Elements, Extensions, Size, Storage, Value, is_extension_key};
use crate::reserve::{collected, copy_of};

/// Address of a group, a dimension coordinate or an array, or of one of its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// The path name.
    pub path: &'a str,
    /// Name of the attribute, or `None` for the object itself.
    pub attribute: Option<&'a str>,
}

impl<'a> Address<'a> {
    /// Returns the address of an attribute of the object with this path name.
    pub fn attribute(path: &'a str, name: &'a str) -> Address<'a> {
        Address { path, attribute: Some(name) }
    }

    /// Adds this address to an error.
    pub(super) fn add_to(self, error: Error) -> Error {
        match self.attribute {
            Some(name) => in_attribute(name, error).at_path(self.path),
            None => error.at_path(self.path),
        }
    }

    pub(super) fn not_found(self) -> Error {
        let what = if self.attribute.is_some() { "attribute with this name" } else { "object with this path name" };
        self.add_to(Error::new(Status::NotFound, format!("the description has no such {what}")))
    }
}

/// Returns the address of the group, dimension coordinate or array itself.
impl<'a> From<&'a str> for Address<'a> {
    fn from(path: &'a str) -> Address<'a> {
        Address { path, attribute: None }
    }
}

struct Subject<'a> {
    of: StorageOf,
    shape: Option<Vec<Dimension>>,
    datatype: &'a mut Option<Datatype>,
    storage: &'a mut Storage,
    value: &'a mut Option<Value>,
    extensions: &'a mut Extensions,
}

impl Subject<'_> {
    fn datatype(&self) -> Result<&Datatype> {
        let message = "the datatype is missing, but a value needs one";
        self.datatype.as_ref().ok_or_else(|| Error::new(Status::Incomplete, message))
    }
}

impl Builder {
    /// Calls `change` with the subject at an address, and adds the address to errors.
    fn change<T>(&mut self, address: Address, change: impl FnOnce(Subject) -> Result<T>) -> Result<T> {
        let subject = self.subject(address)?.ok_or_else(|| address.not_found())?;
        change(subject).map_err(|error| address.add_to(error))
    }

    fn subject(&mut self, address: Address) -> Result<Option<Subject<'_>>> {
        let description = &mut self.description;
        if let Some(name) = address.attribute {
            let attributes = description.attributes_mut(address.path);
            let Some(attribute) = attributes.and_then(|attributes| attributes.get_mut(name)) else { return Ok(None) };
            let fixed = |shape: &Vec<u64>| collected(shape.iter().map(|&count| Ok(Dimension::fixed(count))));
            return Ok(Some(Subject {
                of: StorageOf::Attribute,
                shape: attribute.shape.as_ref().map(fixed).transpose()?,
                datatype: &mut attribute.datatype,
                storage: &mut attribute.storage,
                value: &mut attribute.value,
                extensions: &mut attribute.extensions,
            }));
        }
        if let Some(dimcoord) = description.dimcoords.get_mut(address.path) {
            return Ok(Some(Subject {
                of: StorageOf::DimCoord,
                shape: Some(vec![Dimension { extent: dimcoord.size, ..Dimension::default() }]),
                datatype: &mut dimcoord.datatype,
                storage: &mut dimcoord.storage,
                value: &mut dimcoord.value,
                extensions: &mut dimcoord.extensions,
            }));
        }
        let Some(ndarray) = description.ndarrays.get_mut(address.path) else { return Ok(None) };
        Ok(Some(Subject {
            of: StorageOf::Ndarray,
            shape: ndarray.shape.as_deref().map(Dimension::copies).transpose()?,
            datatype: &mut ndarray.datatype,
            storage: &mut ndarray.storage,
            value: &mut ndarray.value,
            extensions: &mut ndarray.extensions,
        }))
    }

    /// Sets the datatype of an array, a dimension coordinate or an attribute.
    ///
    /// Fails with [`Status::InvalidArgument`] if it has values or a fill value.
    pub fn set_datatype<'a>(&mut self, address: impl Into<Address<'a>>, datatype: Datatype) -> Result<()> {
        self.change(address.into(), |subject| {
            if subject.value.is_some() || subject.storage.fillvalue.is_some() {
                let message = "the values or the fill value have the old datatype; remove them first";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            *subject.datatype = Some(datatype);
            Ok(())
        })
    }

    /// Sets the elements of an array, a dimension coordinate or an attribute, in C order. `elements` creates them for
    /// the datatype, as [`Elements::of_memory`] and [`Elements::of_texts`] do.
    ///
    /// Fails with [`Status::Incomplete`] without a datatype or a shape. Fails with [`Status::InvalidArgument`] if
    /// `shape` differs from the stored or declared extents, or from the number of elements. Errors of `elements` are
    /// passed on.
    pub fn set_elements<'a>(
        &mut self,
        address: impl Into<Address<'a>>,
        shape: &[u64],
        elements: impl FnOnce(&Datatype) -> Result<Elements>,
    ) -> Result<()> {
        self.change(address.into(), |subject| {
            let datatype = subject.datatype()?;
            let value = Value::new(copy_of(shape)?, elements(datatype)?, datatype)?;
            parts::check_extents(&value, subject.shape.as_deref(), subject.storage)?;
            *subject.value = Some(value);
            Ok(())
        })
    }

    /// Sets or removes the value of an array, a dimension coordinate or an attribute, in NDL notation.
    ///
    /// Fails with [`Status::Incomplete`] without a datatype or a shape, and with the error of an invalid text.
    /// References to other objects are checked only by [`Builder::finish`].
    pub fn set_value<'a>(&mut self, address: impl Into<Address<'a>>, text: Option<&str>) -> Result<()> {
        self.change(address.into(), |subject| {
            *subject.value = match text {
                Some(text) => Some(parts::value(text, subject.shape.as_deref(), subject.storage, subject.datatype()?)?),
                None => None,
            };
            Ok(())
        })
    }

    /// Sets or removes a storage directive, in NDL notation, or an `x-` key.
    ///
    /// Fails with [`Status::InvalidArgument`] for a key that is not a directive of this kind of object, with
    /// [`Status::Incomplete`] for a fill value without a datatype, and with the error of an invalid text.
    pub fn set_directive<'a>(&mut self, address: impl Into<Address<'a>>, key: &str, text: Option<&str>) -> Result<()> {
        self.change(address.into(), |subject| {
            let Some(text) = text else { return subject.storage.remove(key) };
            if key == "fillvalue" {
                subject.datatype()?;
            }
            let (shape, datatype) = (subject.shape.as_deref(), subject.datatype.as_ref());
            parts::directive(subject.storage, (key, text), subject.of, shape, datatype)
        })
    }

    /// Sets or removes the value of an `x-` key of a group, an array, a dimension coordinate or an attribute, as YAML.
    ///
    /// Fails with [`Status::InvalidArgument`] for other keys, and with the error of an invalid text.
    pub fn set_extension<'a>(&mut self, address: impl Into<Address<'a>>, key: &str, text: Option<&str>) -> Result<()> {
        let address = address.into();
        if address.attribute.is_none()
            && let Some(group) = self.description.groups.get_mut(address.path)
        {
            return extend(&mut group.extensions, key, text).map_err(|error| address.add_to(error));
        }
        self.change(address, |subject| extend(subject.extensions, key, text))
    }

    /// Sets or removes an `x-` key of the description itself, as [`Builder::set_extension`] does.
    pub fn set_root_extension(&mut self, key: &str, text: Option<&str>) -> Result<()> {
        extend(&mut self.description.extensions, key, text)
    }

    /// Sets the size of a dimension coordinate.
    ///
    /// Fails with [`Status::NotFound`] if the path name is not that of a dimension coordinate, and with
    /// [`Status::InvalidArgument`] if the size is 0 or unknown.
    pub fn set_size(&mut self, path: &str, size: Size) -> Result<()> {
        let dimcoord = self.description.dimcoords.get_mut(path).ok_or_else(|| Address::from(path).not_found())?;
        super::check_size(size).map_err(|error| error.at_path(path))?;
        dimcoord.size = size;
        Ok(())
    }

    /// Sets the shape of an array.
    ///
    /// Fails with [`Status::NotFound`] if the path name is not that of an array, and with [`Status::InvalidArgument`]
    /// for a dimension with neither an extent nor a name.
    pub fn set_shape(&mut self, path: &str, shape: Vec<Dimension>) -> Result<()> {
        let ndarray = self.description.ndarrays.get_mut(path).ok_or_else(|| Address::from(path).not_found())?;
        super::check_shape(&shape).map_err(|error| error.at_path(path))?;
        ndarray.shape = Some(shape);
        Ok(())
    }
}

fn extend(extensions: &mut Extensions, key: &str, text: Option<&str>) -> Result<()> {
    if !is_extension_key(key) {
        let message = format!("'{}' is not the key of an extension; such keys begin with 'x-'", key.escape_debug());
        return Err(Error::new(Status::InvalidArgument, message));
    }
    match text {
        Some(text) => extensions.add(key, parts::content(text)?)?,
        None => extensions.remove(key),
    };
    Ok(())
}
