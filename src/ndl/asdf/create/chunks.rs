//! Arrays that a new file stores in chunks: those with a directive for it, and those that can grow.

use super::{Creator, Entity};
use crate::array::{ByteOrder, Datatype, ScalarType, dtype_text};
use crate::codec::ChunkCodecs;
use crate::error::Result;
use crate::file::{ArrayOptions, Node};
use crate::ndl::Size;
use crate::ndl::asdf::shared::filters::chunk_codecs_of;

impl Creator<'_> {
    /// Returns the path name of an array that can grow in the last block. The arrays are in the order of their blocks.
    pub(super) fn find_last(&self, in_order: &[&Entity]) -> Option<String> {
        // New chunks of another array would follow it.
        let growing = in_order.iter().filter(|entity| grows(entity) && !entity.is_in_tree()).count();
        let is_alone = growing == 1 && self.options.streamed.is_none() && self.options.compression.is_none();
        let last = in_order.iter().rfind(|entity| !entity.is_in_tree() && !entity.form.is_inline)?;
        let storage = last.storage;
        let is_plain = storage.chunk.is_none() && storage.filter.as_ref().is_none_or(Vec::is_empty);
        (is_alone && grows(last) && is_plain && last.form.mask.is_none()).then(|| last.path.to_owned())
    }

    /// Returns the shape of the chunks of an array: that of the description, or one for an array that can grow.
    pub(super) fn chunk(&mut self, entity: &Entity, datatype: &Datatype, in_file: &[i64]) -> Result<Option<Vec<i64>>> {
        let grows = grows(entity) && self.grows_last.as_deref() != Some(entity.path);
        let wanted = entity.storage.chunk.as_ref();
        if in_file.is_empty() || wanted.is_none() && !grows {
            return Ok(None);
        }
        let reason = if entity.form.is_inline {
            "the elements are in the tree"
        } else if entity.form.mask.is_some() {
            "it has a mask"
        } else if in_file.iter().skip(entity.shape.len()).any(|&extent| extent == 0) {
            "its elements have no parts"
        } else {
            // The datatype of an element can have dimensions of its own.
            let own =
                wanted.map(|chunk| chunk.iter().map(|&extent| i64::try_from(extent).unwrap_or(i64::MAX)).collect());
            let mut chunk = own.unwrap_or_else(|| usual_chunk(in_file, datatype));
            chunk.extend(in_file.iter().skip(chunk.len()));
            return Ok(Some(chunk));
        };
        if wanted.is_some() {
            self.note(entity.path, format!("the array is not stored in chunks: {reason}"))?;
        }
        Ok(None)
    }

    /// Returns those of these codecs that can keep the elements.
    fn usable(
        &mut self,
        entity: &Entity,
        mut codecs: ChunkCodecs,
        (datatype, byteorder): (&Datatype, ByteOrder),
    ) -> Result<ChunkCodecs> {
        let item_size = usize::try_from(datatype.item_size()?).unwrap_or(usize::MAX);
        if let Err(error) = codecs.pipeline(&dtype_text(datatype, byteorder), item_size) {
            self.note(entity.path, format!("the filters are not applied: {}", error.message()))?;
            codecs = ChunkCodecs::default();
        }
        Ok(codecs)
    }

    /// Completes the options of an array in chunks: the filters of the description become codecs of the chunks.
    pub(super) fn chunk_options(
        &mut self,
        entity: &Entity,
        datatype: &Datatype,
        options: ArrayOptions,
    ) -> Result<ArrayOptions> {
        let Some(filters) = entity.storage.filter.as_ref().filter(|filters| !filters.is_empty()) else {
            return Ok(options);
        };
        if options.compression.is_some() {
            let message = "the codec from the options applies to all blocks; the filters are not applied";
            self.note(entity.path, message)?;
            return Ok(options);
        }
        let (codecs, others) = chunk_codecs_of(filters);
        for name in others {
            self.note(entity.path, format!("chunks have no filter '{name}' here; it is not applied"))?;
        }
        let chunk_codecs = self.usable(entity, codecs, (datatype, options.byteorder))?;
        Ok(ArrayOptions { chunk_codecs, ..options })
    }
}

/// Returns true if the first extent of an array is unlimited.
fn grows(entity: &Entity) -> bool {
    entity.shape.first().is_some_and(|dimension| dimension.extent == Size::Unlimited)
}

/// Bytes of a chunk whose shape the description does not say.
const CHUNK_BYTES: u64 = 1 << 20;

/// Returns the shape of chunks of about a megabyte for an array that grows along its first dimension.
fn usual_chunk(in_file: &[i64], datatype: &Datatype) -> Vec<i64> {
    let mut chunk: Vec<i64> = in_file.iter().map(|&extent| extent.max(1)).collect();
    let bytes = |chunk: &[i64]| {
        let item = datatype.item_size().unwrap_or(u64::MAX).max(1);
        chunk.iter().skip(1).fold(item, |size, &extent| size.saturating_mul(extent.unsigned_abs()))
    };
    while bytes(&chunk) > CHUNK_BYTES
        && let Some(longest) = chunk.iter_mut().skip(1).max().filter(|extent| **extent > 1)
    {
        *longest = *longest / 2 + *longest % 2;
    }
    let rows = (CHUNK_BYTES / bytes(&chunk)).max(1);
    chunk.first_mut().into_iter().for_each(|first| *first = rows as i64);
    chunk
}

/// A number as a fill value of chunks.
enum FillNumber {
    Integer(i64),
    Float(f64),
    Bool(bool),
}

/// Returns the number that an element in native byte order is, if metadata of zarr express it.
fn one_number(element: &[u8], scalar: ScalarType) -> Option<FillNumber> {
    macro_rules! of {
        ($number:ty) => {
            element.first_chunk().map(|bytes| <$number>::from_ne_bytes(*bytes))
        };
    }
    Some(match scalar {
        ScalarType::Bool8 => FillNumber::Bool(*element.first()? != 0),
        ScalarType::Int8 => FillNumber::Integer(of!(i8)?.into()),
        ScalarType::Int16 => FillNumber::Integer(of!(i16)?.into()),
        ScalarType::Int32 => FillNumber::Integer(of!(i32)?.into()),
        ScalarType::Int64 => FillNumber::Integer(of!(i64)?),
        ScalarType::Uint8 => FillNumber::Integer(of!(u8)?.into()),
        ScalarType::Uint16 => FillNumber::Integer(of!(u16)?.into()),
        ScalarType::Uint32 => FillNumber::Integer(of!(u32)?.into()),
        ScalarType::Uint64 => FillNumber::Integer(i64::try_from(of!(u64)?).ok()?),
        ScalarType::Float32 => FillNumber::Float(of!(f32)?.into()),
        ScalarType::Float64 => FillNumber::Float(of!(f64)?),
        ScalarType::Float16 | ScalarType::Complex64 | ScalarType::Complex128 => return None,
    })
}

/// Sets the fill value of a chunked array. Numbers that JSON does not have are texts.
fn set_fill_value(root: &Node, path: &str, number: FillNumber) -> Result<()> {
    match number {
        FillNumber::Integer(number) => root.set_i64(path, number),
        FillNumber::Float(number) if number.is_nan() => root.set_string(path, "NaN"),
        FillNumber::Float(number) if number == f64::INFINITY => root.set_string(path, "Infinity"),
        FillNumber::Float(number) if number == f64::NEG_INFINITY => root.set_string(path, "-Infinity"),
        FillNumber::Float(number) => root.set_f64(path, number),
        FillNumber::Bool(value) => root.set_bool(path, value),
    }
}

/// Sets an array in chunks whose elements are all equal, without storing a chunk. `element` is one of them, or a single
/// zero byte. Returns false if the metadata cannot express it.
pub(super) fn set_fill(
    root: &Node,
    place: &str,
    (datatype, in_file): (&Datatype, &[i64]),
    element: &[u8],
    options: &ArrayOptions,
) -> Result<bool> {
    let number = match (element, datatype.scalar()) {
        ([0], _) => None,
        (_, Some(scalar)) => match one_number(element, scalar) {
            Some(number) => Some(number),
            None => return Ok(false),
        },
        (_, None) => return Ok(false),
    };
    root.set_array_zeros(place, datatype, in_file, options)?;
    let path = format!("{place}/.zarray/fill_value");
    number.map_or(Ok(()), |number| set_fill_value(root, &path, number))?;
    Ok(true)
}
