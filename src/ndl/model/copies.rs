//! Copies of parts of a description. They grow with the description, so a copy fails if the system refuses memory.

use crate::error::Result;
use crate::ndl::{
    Attribute, Content, ContentScalar, Description, DimCoord, Dimension, Filter, Group, Named, Ndarray, Storage, Value,
};
use crate::reserve::{collected, copy_of, text_of};

impl<T> Named<T> {
    /// Returns a copy whose values come from `copy`.
    pub(crate) fn copied(&self, copy: impl Fn(&T) -> Result<T>) -> Result<Named<T>> {
        Named::collected(self.iter().map(|(name, thing)| Ok((name, copy(thing)?))))
    }
}

impl Content {
    /// Recursion is as deep as the content, which is limited.
    pub(crate) fn copied(&self) -> Result<Content> {
        Ok(match self {
            Content::Scalar(ContentScalar { text, plain, tag }) => {
                let text = text_of(text)?.into_string();
                Content::Scalar(ContentScalar { text, plain: *plain, tag: tag.clone() })
            }
            Content::List(items) => Content::List(collected(items.iter().map(Content::copied))?),
            Content::Mapping(pairs) => Content::Mapping(pairs.copied(Content::copied)?),
        })
    }
}

impl Storage {
    pub(crate) fn copied(&self) -> Result<Storage> {
        let Storage { shape, size, chunk, filter, endian, charset, fillvalue, extensions } = self;
        let copied = |filter: &Filter| {
            let parameters = filter.parameters.as_ref().map(Content::copied).transpose()?;
            Ok(Filter { name: filter.name.clone(), parameters })
        };
        Ok(Storage {
            shape: shape.as_deref().map(copy_of).transpose()?,
            size: *size,
            chunk: chunk.as_deref().map(copy_of).transpose()?,
            filter: filter.as_ref().map(|filters| collected(filters.iter().map(copied))).transpose()?,
            endian: *endian,
            charset: charset.clone(),
            fillvalue: fillvalue.as_ref().map(Value::copied).transpose()?,
            extensions: extensions.copied(Content::copied)?,
        })
    }
}

impl Attribute {
    pub(crate) fn copied(&self) -> Result<Attribute> {
        let Attribute { short, shape, datatype, storage, value, extensions } = self;
        Ok(Attribute {
            short: *short,
            shape: shape.as_deref().map(copy_of).transpose()?,
            datatype: datatype.clone(),
            storage: storage.copied()?,
            value: value.as_ref().map(Value::copied).transpose()?,
            extensions: extensions.copied(Content::copied)?,
        })
    }
}

impl Description {
    pub(crate) fn copied(&self) -> Result<Description> {
        let Description { flat, groups, dimcoords, ndarrays, extensions } = self;
        let value = |value: &Option<Value>| value.as_ref().map(Value::copied).transpose();
        let group = |group: &Group| {
            let attributes = group.attributes.copied(Attribute::copied)?;
            Ok(Group { listed: group.listed, attributes, extensions: group.extensions.copied(Content::copied)? })
        };
        Ok(Description {
            flat: *flat,
            groups: groups.copied(group)?,
            dimcoords: dimcoords.copied(|dimcoord| dimcoord.with_value(value(&dimcoord.value)?))?,
            ndarrays: ndarrays.copied(|ndarray| ndarray.with_value(value(&ndarray.value)?))?,
            extensions: extensions.copied(Content::copied)?,
        })
    }
}

impl Dimension {
    pub(crate) fn copies(shape: &[Dimension]) -> Result<Vec<Dimension>> {
        collected(shape.iter().map(|dimension| Ok(dimension.clone())))
    }
}

impl DimCoord {
    /// Returns a copy with another value.
    pub(crate) fn with_value(&self, value: Option<Value>) -> Result<DimCoord> {
        let DimCoord { size, datatype, datatype_inferred, storage, value: _, attributes, extensions } = self;
        Ok(DimCoord {
            size: *size,
            datatype: datatype.clone(),
            datatype_inferred: *datatype_inferred,
            storage: storage.copied()?,
            value,
            attributes: attributes.copied(Attribute::copied)?,
            extensions: extensions.copied(Content::copied)?,
        })
    }
}

impl Ndarray {
    /// Returns a copy with another value.
    pub(crate) fn with_value(&self, value: Option<Value>) -> Result<Ndarray> {
        let Ndarray { shape, datatype, datatype_inferred, storage, value: _, attributes, extensions } = self;
        Ok(Ndarray {
            shape: shape.as_deref().map(Dimension::copies).transpose()?,
            datatype: datatype.clone(),
            datatype_inferred: *datatype_inferred,
            storage: storage.copied()?,
            value,
            attributes: attributes.copied(Attribute::copied)?,
            extensions: extensions.copied(Content::copied)?,
        })
    }
}
