//! n-dimensional arrays: what a node of the tree describes, and its elements in the caller's memory.
//!
//! An [`Array`] is made from a [`Descriptor`], which the tree alone gives, and a [`Payload`], which says where the
//! bytes are. This room knows sources, codecs and trees, and nothing of files and their blocks.
//!
//! Errors of an array carry no place in the tree, for an array does not keep the tree; who has it adds the place.

mod cache;
mod chunk_map;
mod convert;
mod copy;
mod datatype;
mod decoded;
mod descriptor;
mod destination;
mod encoded;
mod geometry;
mod in_memory;
mod inline;
mod inline_leaf;
mod inline_lists;
mod inline_record;
mod inline_values;
mod kernel;
mod made;
mod mask;
mod masking;
mod native;
mod overwrite;
mod payload;
mod prefetch;
#[cfg(test)]
mod random_reads;
#[cfg(test)]
mod random_writes;
mod read;
mod record;
mod region;
mod resized;
mod scalar_type;
mod stage;
#[cfg(test)]
mod testing;
mod text;
mod view;
mod window;
pub(crate) mod write;

use crate::error::{Result, Warning};
use crate::limits::Limits;
use mask::Missing;

pub use cache::{Cache, CacheLimits, CachePlace, TemporaryFiles};
pub use chunk_map::{Chunk, ChunkMap};
pub use datatype::{ByteOrder, Datatype, Field};
pub use descriptor::{ArraySource, DeclaredShape, Descriptor};
pub use destination::Order;
pub use geometry::Geometry;
pub(crate) use in_memory::InMemory;
pub(crate) use made::MadeElements;
pub use made::packed_size;
pub use mask::Mask;
pub use masking::Fill;
pub(crate) use overwrite::Place;
pub use payload::Payload;
pub use read::ReadOptions;
pub use region::Region;
pub use scalar_type::ScalarType;
pub(crate) use text::{Encoding as TextEncoding, put_text, text_of_memory};
pub use view::View;
pub(crate) use window::{PayloadKey, Rows, Window};

/// An array whose every element is known to lie inside its bytes. Cloning one copies no elements.
#[derive(Clone, Debug)]
pub struct Array {
    datatype: Datatype,
    byteorder: ByteOrder,
    geometry: Geometry,
    payload: Payload,
    missing: Missing,
    /// Memory that a read may take for decoded bytes.
    decoded_bytes: u64,
    warnings: Vec<Warning>,
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
            // How many rows there are is not known before why the bytes cannot be had.
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
