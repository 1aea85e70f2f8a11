//! What has a datatype, a storage and values: an array, a dimension coordinate or an attribute.

use super::Builder;
use crate::error::{Error, Result, Status};
use crate::ndl::read::{StorageOf, parts};
use crate::ndl::write::text::in_attribute;
use crate::ndl::{Datatype, Dimension, Elements, Extensions, Size, Storage, Value, is_extension_key};

/// A group, a dimension coordinate or an array by its path name, or one of its attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The path name.
    pub path: &'a str,
    /// The name of the attribute, if one is meant.
    pub attribute: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// An attribute of what has the path name.
    pub fn attribute(path: &'a str, name: &'a str) -> Place<'a> {
        Place { path, attribute: Some(name) }
    }

    /// An error with this place.
    pub(super) fn tell(self, error: Error) -> Error {
        match self.attribute {
            Some(name) => in_attribute(name, error).at_path(self.path),
            None => error.at_path(self.path),
        }
    }

    pub(super) fn not_found(self) -> Error {
        let what = if self.attribute.is_some() { "attribute of this name" } else { "thing of this path name" };
        self.tell(Error::new(Status::NotFound, format!("the description has no such {what}")))
    }
}

/// The array, the dimension coordinate or the group itself.
impl<'a> From<&'a str> for Place<'a> {
    fn from(path: &'a str) -> Place<'a> {
        Place { path, attribute: None }
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
        let message = "a value needs a datatype, which is missing";
        self.datatype.as_ref().ok_or_else(|| Error::new(Status::Incomplete, message))
    }
}

impl Builder {
    /// Changes something by its place, which errors get.
    fn change<T>(&mut self, place: Place, change: impl FnOnce(Subject) -> Result<T>) -> Result<T> {
        let subject = self.subject(place).ok_or_else(|| place.not_found())?;
        change(subject).map_err(|error| place.tell(error))
    }

    fn subject(&mut self, place: Place) -> Option<Subject<'_>> {
        let description = &mut self.description;
        if let Some(name) = place.attribute {
            let attribute = description.attributes_mut(place.path)?.get_mut(name)?;
            let shape =
                attribute.shape.as_ref().map(|shape| shape.iter().map(|&count| Dimension::fixed(count)).collect());
            return Some(Subject {
                of: StorageOf::Attribute,
                shape,
                datatype: &mut attribute.datatype,
                storage: &mut attribute.storage,
                value: &mut attribute.value,
                extensions: &mut attribute.extensions,
            });
        }
        if let Some(dimcoord) = description.dimcoords.get_mut(place.path) {
            return Some(Subject {
                of: StorageOf::DimCoord,
                shape: Some(vec![Dimension { extent: dimcoord.size, ..Dimension::default() }]),
                datatype: &mut dimcoord.datatype,
                storage: &mut dimcoord.storage,
                value: &mut dimcoord.value,
                extensions: &mut dimcoord.extensions,
            });
        }
        let ndarray = description.ndarrays.get_mut(place.path)?;
        Some(Subject {
            of: StorageOf::Ndarray,
            shape: ndarray.shape.clone(),
            datatype: &mut ndarray.datatype,
            storage: &mut ndarray.storage,
            value: &mut ndarray.value,
            extensions: &mut ndarray.extensions,
        })
    }

    /// Gives an array, a dimension coordinate or an attribute another datatype.
    ///
    /// Fails with [`Status::InvalidArgument`] as long as it has values or a fill value.
    pub fn set_datatype<'a>(&mut self, place: impl Into<Place<'a>>, datatype: Datatype) -> Result<()> {
        self.change(place.into(), |subject| {
            if subject.value.is_some() || subject.storage.fillvalue.is_some() {
                let message = "the values and the fill value are of the old datatype; take them out first";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            *subject.datatype = Some(datatype);
            Ok(())
        })
    }

    /// Gives elements to an array, a dimension coordinate or an attribute, in the order of their indices; `elements` makes
    /// them for its datatype, as [`Elements::of_memory`] and [`Elements::of_texts`] do.
    ///
    /// Fails with [`Status::Incomplete`] if it has no datatype or no shape, with [`Status::InvalidArgument`] if there are
    /// not as many elements as the shape of the values says, or these are not as many along a dimension as are stored or
    /// there are, and as `elements` does.
    pub fn set_elements<'a>(
        &mut self,
        place: impl Into<Place<'a>>,
        shape: &[u64],
        elements: impl FnOnce(&Datatype) -> Result<Elements>,
    ) -> Result<()> {
        self.change(place.into(), |subject| {
            let datatype = subject.datatype()?;
            let value = Value::new(shape.to_vec(), elements(datatype)?, datatype)?;
            parts::check_extents(&value, subject.shape.as_deref(), subject.storage)?;
            *subject.value = Some(value);
            Ok(())
        })
    }

    /// Gives a value to an array, a dimension coordinate or an attribute, in the notation of the language; or takes it
    /// out.
    ///
    /// Fails with [`Status::Incomplete`] if it has no datatype or no shape, and for what is wrong with the text as
    /// [`Builder::finish`] would tell; but what other things it refers to is left to that.
    pub fn set_value<'a>(&mut self, place: impl Into<Place<'a>>, text: Option<&str>) -> Result<()> {
        self.change(place.into(), |subject| {
            *subject.value = match text {
                Some(text) => Some(parts::value(text, subject.shape.as_deref(), subject.storage, subject.datatype()?)?),
                None => None,
            };
            Ok(())
        })
    }

    /// Gives a storage directive, in the notation of the language, or takes it out. The key may also begin with `x-`.
    ///
    /// Fails with [`Status::InvalidArgument`] for a key that is no directive of an array, a dimension coordinate or an
    /// attribute, with [`Status::Incomplete`] for a fill value without a datatype, and for what is wrong with the text.
    pub fn set_directive<'a>(&mut self, place: impl Into<Place<'a>>, key: &str, text: Option<&str>) -> Result<()> {
        self.change(place.into(), |subject| {
            let Some(text) = text else { return subject.storage.remove(key) };
            if key == "fillvalue" {
                subject.datatype()?;
            }
            let (shape, datatype) = (subject.shape.as_deref(), subject.datatype.as_ref());
            parts::directive(subject.storage, (key, text), subject.of, shape, datatype)
        })
    }

    /// Gives what stands under an `x-` key of a group, an array, a dimension coordinate or an attribute, as YAML; or
    /// takes it out.
    ///
    /// Fails with [`Status::InvalidArgument`] for any other key, and for what is wrong with the text.
    pub fn set_extension<'a>(&mut self, place: impl Into<Place<'a>>, key: &str, text: Option<&str>) -> Result<()> {
        let place = place.into();
        if place.attribute.is_none()
            && let Some(group) = self.description.groups.get_mut(place.path)
        {
            return extend(&mut group.extensions, key, text).map_err(|error| place.tell(error));
        }
        self.change(place, |subject| extend(subject.extensions, key, text))
    }

    /// As [`Builder::set_extension`], for the description itself.
    pub fn set_root_extension(&mut self, key: &str, text: Option<&str>) -> Result<()> {
        extend(&mut self.description.extensions, key, text)
    }

    /// Gives a dimension coordinate another size.
    ///
    /// Fails with [`Status::NotFound`] for any other path name, and with [`Status::InvalidArgument`] for a size of 0 or
    /// one that is not known.
    pub fn set_size(&mut self, path: &str, size: Size) -> Result<()> {
        let dimcoord = self.description.dimcoords.get_mut(path).ok_or_else(|| Place::from(path).not_found())?;
        super::check_size(size).map_err(|error| error.at_path(path))?;
        dimcoord.size = size;
        Ok(())
    }

    /// Gives an array another shape.
    ///
    /// Fails with [`Status::NotFound`] for any other path name, and with [`Status::InvalidArgument`] for a dimension
    /// without an extent and a name.
    pub fn set_shape(&mut self, path: &str, shape: Vec<Dimension>) -> Result<()> {
        let ndarray = self.description.ndarrays.get_mut(path).ok_or_else(|| Place::from(path).not_found())?;
        super::check_shape(&shape).map_err(|error| error.at_path(path))?;
        ndarray.shape = Some(shape);
        Ok(())
    }
}

fn extend(extensions: &mut Extensions, key: &str, text: Option<&str>) -> Result<()> {
    if !is_extension_key(key) {
        let message = format!("'{}' is not the key of an extension, which begins with 'x-'", key.escape_debug());
        return Err(Error::new(Status::InvalidArgument, message));
    }
    match text {
        Some(text) => extensions.insert(key, parts::content(text)?),
        None => extensions.remove(key),
    };
    Ok(())
}
