//! The [`Array`]: a description combined with the location of the bytes.

use super::mask::Missing;
use super::owner::ArrayOwner;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::payload::Payload;
use crate::array::place::descriptor::{DeclaredShape, Descriptor};
use crate::array::place::geometry::Geometry;
use crate::error::{Result, Warning};
use crate::limits::Limits;
use std::sync::Arc;

/// An array of a file, from [`Node::array`](crate::file::Node::array). It keeps the file alive. Every element lies inside
/// its bytes. Cloning an array copies no elements.
///
/// Errors have the name of the file and the path of the array. Warnings of reading are added to the warnings of the
/// file. After [`File::close`](crate::file::File::close), reads fail with [`Status::Closed`](crate::Status::Closed).
#[derive(Clone, Debug)]
pub struct Array {
    pub(crate) datatype: Datatype,
    pub(crate) byteorder: ByteOrder,
    pub(crate) geometry: Geometry,
    pub(crate) payload: Payload,
    pub(crate) missing: Missing,
    /// Limit on memory for decoded bytes in a read, in bytes.
    pub(crate) decoded_bytes: u64,
    pub(crate) warnings: Vec<Warning>,
    /// Place of the array in its file; `None` for parts of other arrays, such as masks.
    pub(crate) owner: Option<Arc<dyn ArrayOwner>>,
}

impl Array {
    /// Makes an array from a description with elements in a block or another file.
    ///
    /// Reads no byte of the payload. Fails with [`Status::Bounds`](crate::Status::Bounds) if an element lies outside
    /// the payload, and with [`Status::BadArray`](crate::Status::BadArray) if the description lacks shape or datatype
    /// (only descriptions of inline data may lack them).
    pub(crate) fn open(descriptor: &Descriptor, payload: Payload, limits: &Limits) -> Result<Array> {
        let (Some(shape), Some(datatype)) = (&descriptor.shape, &descriptor.datatype) else {
            return Err(crate::Error::new(crate::Status::BadArray, "the description lacks shape or datatype"));
        };
        let item_size = datatype.item_size()?;
        let length = payload.length();
        if let (DeclaredShape::Streamed(_), None) = (shape, length) {
            // An absent payload without a length fails with its own error, not with one about the shape.
            payload.check()?;
        }
        let geometry = Geometry::new(shape, descriptor.strides.as_deref(), descriptor.offset, item_size, length)?;
        let mut warnings = descriptor.warnings.clone();
        if let (Datatype::Record(_), None, 0, Some(length)) = (datatype, &descriptor.strides, descriptor.offset, length)
            && i128::from(geometry.count()) * i128::from(item_size) != i128::from(length)
            && matches!(shape, DeclaredShape::Fixed(_))
        {
            let message = "the block is longer than its records, so they may have been stored with padding that the \
                           datatype does not show; the values of the fields may then be wrong";
            warnings.push(Warning::new(message));
        }
        Ok(Array {
            datatype: datatype.clone(),
            byteorder: descriptor.byteorder,
            geometry,
            payload,
            missing: Missing::new(None, descriptor.mask.is_some()),
            decoded_bytes: limits.decoded_bytes,
            warnings,
            owner: None,
        })
    }

    /// Adds a warning if bytes follow the last whole row.
    pub(crate) fn with_check_of_rows(mut self) -> Array {
        let rest = self.payload.length().map_or(0, |length| self.geometry.rest_of_rows(length));
        if rest > 0 {
            let message =
                format!("the last row is incomplete: the block ends with {rest} bytes that are not a whole row");
            self.warnings.push(Warning::new(message));
        }
        self
    }

    /// Makes an array of native elements, packed in C order in a payload. No element is missing.
    ///
    /// Fails with [`Status::Bounds`](crate::Status::Bounds) if the payload is too short.
    pub(crate) fn packed(payload: Payload, datatype: Datatype, shape: &[i64]) -> Result<Array> {
        let declared = DeclaredShape::Fixed(shape.to_vec());
        let geometry = Geometry::new(&declared, None, 0, datatype.item_size()?, payload.length())?;
        Ok(Array {
            datatype,
            byteorder: ByteOrder::NATIVE,
            geometry,
            payload,
            missing: Missing::Nothing,
            decoded_bytes: 0,
            warnings: Vec::new(),
            owner: None,
        })
    }

    /// The dimensions, slowest first; empty for a single element.
    pub fn shape(&self) -> &[i64] {
        self.geometry.shape()
    }

    /// The number of elements.
    pub fn element_count(&self) -> i64 {
        self.geometry.count()
    }

    /// The datatype of the stored elements.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// The byte order of the stored elements.
    pub fn byteorder(&self) -> ByteOrder {
        self.byteorder
    }

    /// The position of the elements in the payload.
    #[cfg(test)]
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The location of the bytes.
    pub(crate) fn payload(&self) -> &Payload {
        &self.payload
    }

    /// Returns the shape of the chunks of a chunked array.
    pub fn chunk_shape(&self) -> Option<&[i64]> {
        match &self.payload {
            Payload::Chunked(chunks) => Some(chunks.grid.chunk()),
            _ => None,
        }
    }

    /// Returns the bytes from one element to the next along each dimension: in the decoded bytes of the array, or of each
    /// chunk of a chunked array.
    pub fn strides(&self) -> Vec<i64> {
        let mut strides = self.geometry.strides().to_vec();
        if let Payload::Chunked(chunks) = &self.payload {
            strides.iter_mut().zip(&chunks.strides).for_each(|(stride, &in_chunk)| *stride = in_chunk);
        }
        strides
    }

    /// Returns whether elements may be missing: the array has a mask, or nulls in inline data.
    pub fn is_masked(&self) -> bool {
        !matches!(self.missing, Missing::Nothing)
    }

    /// Deviations from the standard that do not prevent reading.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
