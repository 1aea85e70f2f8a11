//! Reads the elements of an array of an ASDF file as a value of a description.

use crate::array::{Array, Datatype, Field, ReadOptions, ScalarType, TextEncoding};
use crate::error::{Error, Result};
use crate::ndl::asdf::shared::choice::Choice;
use crate::ndl::model::datatype::ConstantNumbers;
use crate::ndl::model::value::element_count;
use crate::ndl::{Blobs, Datatype as NdlDatatype, DatatypeKind, Elements, Enumeration, Texts, Value};
use crate::reserve;
use crate::reserve::collected;
use crate::source::zeroed_bytes;

/// Reads all elements. Missing elements are read with their stored values.
///
/// Fails with [`Status::OutOfMemory`] if the elements do not fit into memory, and with the errors of reading an array.
pub(super) fn read(array: &Array, datatype: &NdlDatatype, choice: &Choice) -> Result<Value> {
    let stored = match array.datatype() {
        Datatype::Scalar(ScalarType::Float16) if choice.options.widen => ScalarType::Float32.into(),
        stored => stored.clone(),
    };
    let shape = array.shape().iter().map(|&extent| extent.unsigned_abs()).collect();
    Value::new(shape, all_elements(array, &stored, choice)?, datatype)
}

/// Reads all elements of an array with a declared datatype and shape. Constants are read by number. Opaque bytes and
/// array datatypes take the last dimensions of the array.
///
/// Fails with [`Status::BadArray`] for a number without a constant, and as [`read`] does.
pub(super) fn read_as(array: &Array, datatype: &NdlDatatype, shape: Vec<u64>, choice: &Choice) -> Result<Value> {
    let stored = all_elements(array, array.datatype(), choice)?;
    Value::new(shape, fitted(stored, datatype)?, datatype)
}

fn all_elements(array: &Array, stored: &Datatype, choice: &Choice) -> Result<Elements> {
    if array.is_inline() {
        choice.take(array.element_count().unsigned_abs())?;
    }
    let array = array.without_mask();
    let size = array.byte_size(stored)?;
    let mut bytes = zeroed_bytes(size)?;
    array.read(stored, &mut bytes, &ReadOptions::default())?;
    let count = usize::try_from(array.element_count()).map_err(|_| Error::out_of_memory(u64::MAX))?;
    elements(stored, &bytes, count)
}

/// Converts stored elements to the declared datatype. Recursion is as deep as the datatype, which is limited.
fn fitted(stored: Elements, datatype: &NdlDatatype) -> Result<Elements> {
    let flat = if let Elements::Arrays { base, .. } = stored { *base } else { stored };
    Ok(match (flat, datatype.kind()) {
        (Elements::Integers(numbers), DatatypeKind::Enum(enumeration)) => {
            constants(numbers.into_iter().map(i128::from), enumeration)?
        }
        (Elements::Unsigned(numbers), DatatypeKind::Enum(enumeration)) => {
            constants(numbers.into_iter().map(i128::from), enumeration)?
        }
        // The constants of bool8 are 0 and 1.
        (Elements::Constants(truths), DatatypeKind::Enum(enumeration)) => {
            constants(truths.into_iter().map(i128::from), enumeration)?
        }
        (Elements::Integers(bytes), DatatypeKind::Opaque { size, .. }) => {
            let bytes = collected(bytes.into_iter().map(|byte| Ok(byte as u8)))?;
            let size = usize::try_from(*size).map_err(|_| Error::out_of_memory(*size))?;
            Elements::Opaque(Blobs::of_size(bytes, size)?)
        }
        (flat, DatatypeKind::Array { base, shape }) => {
            Elements::Arrays { size: element_count(shape), base: Box::new(fitted(flat, base)?) }
        }
        (Elements::Compound(columns), DatatypeKind::Compound(members)) if columns.len() == members.len() => {
            let columns = columns.into_iter().zip(members.iter()).map(|(column, (_, member))| fitted(column, member));
            Elements::Compound(columns.collect::<Result<_>>()?)
        }
        (flat, _) => flat,
    })
}

fn constants(numbers: impl ExactSizeIterator<Item = i128>, enumeration: &Enumeration) -> Result<Elements> {
    let mut positions = ConstantNumbers::default();
    let position = |number: i128| positions.find(number, enumeration);
    Ok(Elements::Constants(collected(numbers.map(position))?))
}

/// Reads packed elements in native byte order.
fn elements(datatype: &Datatype, bytes: &[u8], count: usize) -> Result<Elements> {
    Ok(match datatype {
        Datatype::Scalar(scalar) => scalars(*scalar, bytes)?,
        Datatype::Ascii(_) => Elements::Texts(texts(TextEncoding::Bytes, datatype, bytes, count)?),
        Datatype::Ucs4(_) => Elements::Texts(texts(TextEncoding::Units, datatype, bytes, count)?),
        Datatype::Record(fields) => {
            let record = datatype.item_size()? as usize;
            let mut offset = 0;
            let mut columns = Vec::new();
            for field in fields.iter() {
                let size = field.size()? as usize;
                columns.push(column(field, bytes, record, offset..offset + size, count)?);
                offset += size;
            }
            Elements::Compound(columns)
        }
    })
}

/// Reads the elements of one field from packed records.
fn column(field: &Field, bytes: &[u8], record: usize, part: std::ops::Range<usize>, count: usize) -> Result<Elements> {
    let mut gathered = Vec::new();
    let total = part.len() * count;
    gathered.try_reserve_exact(total).map_err(|_| Error::out_of_memory(total as u64))?;
    for record in bytes.chunks_exact(record.max(1)).take(count) {
        gathered.extend_from_slice(record.get(part.clone()).unwrap_or_default());
    }
    if field.shape.is_empty() {
        return elements(&field.datatype, &gathered, count);
    }
    let size: u64 = field.shape.iter().map(|extent| extent.unsigned_abs()).product();
    let base = elements(&field.datatype, &gathered, count * size as usize)?;
    Ok(Elements::Arrays { size, base: Box::new(base) })
}

fn scalars(scalar: ScalarType, bytes: &[u8]) -> Result<Elements> {
    macro_rules! numbers {
        ($number:ty, $of:ident, $into:ty) => {{
            let items = bytes.chunks_exact(size_of::<$number>());
            let number = |item: &[u8]| <$number>::from_ne_bytes(item.try_into().unwrap_or_default());
            Elements::$of(collected(items.map(|item| Ok(number(item) as $into)))?)
        }};
    }
    macro_rules! parts {
        ($float:ty, $of:ident) => {{
            let part = |first: usize| {
                let items = bytes.chunks_exact(size_of::<$float>()).skip(first).step_by(2);
                let number = |item: &[u8]| Ok(<$float>::from_ne_bytes(item.try_into().unwrap_or_default()));
                collected(items.map(number)).map(Elements::$of)
            };
            Elements::Compound(vec![part(0)?, part(1)?])
        }};
    }
    Ok(match scalar {
        ScalarType::Int8 => numbers!(i8, Integers, i64),
        ScalarType::Int16 => numbers!(i16, Integers, i64),
        ScalarType::Int32 => numbers!(i32, Integers, i64),
        ScalarType::Int64 => numbers!(i64, Integers, i64),
        ScalarType::Uint8 => numbers!(u8, Integers, i64),
        ScalarType::Uint16 => numbers!(u16, Integers, i64),
        ScalarType::Uint32 => numbers!(u32, Integers, i64),
        ScalarType::Uint64 => numbers!(u64, Unsigned, u64),
        ScalarType::Float32 => numbers!(f32, Float32, f32),
        ScalarType::Float64 => numbers!(f64, Float64, f64),
        // The boolean enumeration has the order FALSE, TRUE, and the bytes that were read are 0 or 1.
        ScalarType::Bool8 => numbers!(u8, Constants, u32),
        ScalarType::Complex64 => parts!(f32, Float32),
        ScalarType::Complex128 => parts!(f64, Float64),
        // Opaque bytes are little-endian, so that every machine describes a file by the same text.
        ScalarType::Float16 => {
            let mut bytes = reserve::copy_of(bytes)?;
            for number in bytes.as_chunks_mut::<2>().0 {
                *number = u16::from_ne_bytes(*number).to_le_bytes();
            }
            Elements::Opaque(Blobs::of_size(bytes, 2)?)
        }
    })
}

/// Reads `count` texts of fixed length. If the length is 0, all texts are empty.
fn texts(encoding: TextEncoding, datatype: &Datatype, bytes: &[u8], count: usize) -> Result<Texts> {
    let mut out = Texts::default();
    let mut text = String::new();
    let length = datatype.item_size()? as usize;
    for index in 0..count {
        let item = bytes.get(index * length..(index + 1) * length).unwrap_or_default();
        let decoded = encoding.decode(item, &mut text);
        decoded.map_err(|(status, what)| Error::new(status, format!("the text of element {index} {what}")))?;
        out.try_push(&text)?;
    }
    Ok(out)
}
