//! An array: what its description says, and where its bytes are.

use super::mask::Missing;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::payload::Payload;
use crate::array::place::descriptor::{DeclaredShape, Descriptor};
use crate::array::place::geometry::Geometry;
use crate::error::{Result, Warning};
use crate::limits::Limits;

/// An array whose every element is known to lie inside its bytes. Cloning one copies no elements.
#[derive(Clone, Debug)]
pub struct Array {
    pub(crate) datatype: Datatype,
    pub(crate) byteorder: ByteOrder,
    pub(crate) geometry: Geometry,
    pub(crate) payload: Payload,
    pub(crate) missing: Missing,
    /// Memory that a read may take for decoded bytes.
    pub(crate) decoded_bytes: u64,
    pub(crate) warnings: Vec<Warning>,
}

impl Array {
    /// The array of a description whose elements are in a block or another file.
    ///
    /// No byte of the payload is touched. Fails with [`Status::Bounds`](crate::Status::Bounds) if the array reaches
    /// outside the payload and with [`Status::BadArray`](crate::Status::BadArray) if the description lacks something,
    /// as that of inline data may.
    pub fn open(descriptor: &Descriptor, payload: Payload, limits: &Limits) -> Result<Array> {
        let (Some(shape), Some(datatype)) = (&descriptor.shape, &descriptor.datatype) else {
            return Err(crate::Error::new(crate::Status::BadArray, "the description lacks shape or datatype"));
        };
        let item_size = datatype.item_size()?;
        let length = payload.length();
        if let (DeclaredShape::Streamed(_), None) = (shape, length) {
            // Without its length, a payload that cannot be read gives its own error rather than one of the shape.
            payload.check()?;
        }
        let geometry = Geometry::new(shape, descriptor.strides.as_deref(), descriptor.offset, item_size, length)?;
        let mut warnings = descriptor.warnings.clone();
        if let (Datatype::Record(_), None, 0, Some(length)) = (datatype, &descriptor.strides, descriptor.offset, length)
            && i128::from(geometry.count()) * i128::from(item_size) != i128::from(length)
            && matches!(shape, DeclaredShape::Fixed(_))
        {
            let message = "the block is longer than its records: they may have been stored with padding that the \
                           datatype does not show, and be shifted";
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
        })
    }

    /// The array of native elements that a payload holds packed in C order, nothing of which is missing.
    ///
    /// Fails with [`Status::Bounds`](crate::Status::Bounds) if they are more than the payload holds.
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
        })
    }

    /// The dimensions, slowest first; none for a single element.
    pub fn shape(&self) -> &[i64] {
        self.geometry.shape()
    }

    /// The number of elements.
    pub fn element_count(&self) -> i64 {
        self.geometry.count()
    }

    /// The type of the elements as they are stored.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// The byte order in which the elements are stored.
    pub fn byteorder(&self) -> ByteOrder {
        self.byteorder
    }

    /// Where the elements lie in the payload.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Where the bytes are.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// Whether a mask, or null among inline data, says that elements are missing.
    pub fn is_masked(&self) -> bool {
        !matches!(self.missing, Missing::Nothing)
    }

    /// What is odd about the array although it can be read.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
