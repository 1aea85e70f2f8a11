//! From numbers and texts in memory to elements of a datatype.

use crate::array::{Datatype as MemoryType, InMemory, Order, ReadOptions, ScalarType, packed_size};
use crate::error::{Error, Result, Status};
use crate::ndl::model::path_name;
use crate::ndl::{Blobs, Datatype, DatatypeKind, Elements, Enumeration, FloatType, IntegerType};
use std::fmt::Display;

/// Elements in a program's memory, in native byte order.
#[derive(Clone, Copy, Debug)]
pub struct MemoryElements<'a> {
    /// What each is in memory.
    pub datatype: &'a MemoryType,
    /// The memory.
    pub bytes: &'a [u8],
    /// How they lie there.
    pub order: &'a Order,
}

impl Elements {
    /// Elements in memory as those of a datatype, by the conversion rule of
    /// [`Array::read`](crate::array::Array::read): what [`Value::read`](crate::ndl::Value::read) gives is taken again.
    ///
    /// Constants are told by their numbers, floats are rounded to the nearest. Array datatypes add their dimensions behind
    /// those of `shape`, opaque bytes one of their size.
    ///
    /// Fails with [`Status::InvalidArgument`] if the memory is not as large as the shape says, with
    /// [`Status::Overflow`] for numbers that do not fit, with [`Status::ValueRange`] for one that no constant has, and with
    /// [`Status::Conversion`] for other datatypes than of numbers, constants and opaque bytes.
    pub fn of_memory(elements: MemoryElements, shape: &[u64], datatype: &Datatype) -> Result<Elements> {
        let mut shape = shape.to_vec();
        let base = base_of(datatype, &mut shape);
        let elements = match base.kind() {
            DatatypeKind::Integer(IntegerType::Uint64) => {
                Elements::Unsigned(numbers(elements, &shape, ScalarType::Uint64)?)
            }
            DatatypeKind::Integer(integer) => Elements::Integers(integers(elements, &shape, *integer)?),
            DatatypeKind::Float(FloatType::Float32) => {
                Elements::Float32(numbers(elements, &shape, ScalarType::Float32)?)
            }
            DatatypeKind::Float(FloatType::Float64) => {
                Elements::Float64(numbers(elements, &shape, ScalarType::Float64)?)
            }
            DatatypeKind::Enum(enumeration) if enumeration.base == IntegerType::Uint64 => {
                of_numbers(numbers::<u64>(elements, &shape, ScalarType::Uint64)?, enumeration)?
            }
            DatatypeKind::Enum(enumeration) => of_numbers(integers(elements, &shape, enumeration.base)?, enumeration)?,
            DatatypeKind::Opaque { size, .. } => {
                shape.push(*size);
                let bytes = numbers::<u8>(elements, &shape, ScalarType::Uint8)?;
                let size = usize::try_from(*size).map_err(|_| Error::out_of_memory(*size))?;
                Elements::Opaque(Blobs::of_size(bytes, size)?)
            }
            _ => {
                let message = format!("there is no conversion from {} to {}", elements.datatype, base.keyword());
                return Err(Error::new(Status::Conversion, message));
            }
        };
        in_arrays(elements, datatype)
    }

    /// Texts as elements of `string`, as constants of an enumeration by their names, as path names of `objref` (none if
    /// empty), or as elements of arrays of such one after the other.
    ///
    /// Fails with [`Status::ValueRange`] for names that no constant has, with [`Status::Path`] for what is no path name,
    /// and with [`Status::WrongType`] for other datatypes.
    pub fn of_texts(texts: &[&str], datatype: &Datatype) -> Result<Elements> {
        let elements = match base_of(datatype, &mut Vec::new()).kind() {
            DatatypeKind::String => Elements::Texts(texts.iter().collect()),
            DatatypeKind::Enum(enumeration) => {
                let members = &enumeration.members;
                constants(texts, |name| members.position(name).and_then(|position| u32::try_from(position).ok()))?
            }
            DatatypeKind::Objref => {
                let paths = texts.iter().map(|&path| match path {
                    "" => Ok(None),
                    _ if path_name::is_group_path(path) => Ok(Some(path.to_owned())),
                    _ => Err(Error::new(Status::Path, format!("'{}' is not a path name", path.escape_debug()))),
                });
                Elements::Objects(paths.collect::<Result<_>>()?)
            }
            _ => {
                let message = format!("texts cannot be elements of the datatype {}", datatype.keyword());
                return Err(Error::new(Status::WrongType, message));
            }
        };
        in_arrays(elements, datatype)
    }
}

/// The datatype of the elements of arrays of arrays, with their extents behind those of `shape`.
fn base_of<'a>(mut datatype: &'a Datatype, shape: &mut Vec<u64>) -> &'a Datatype {
    while let DatatypeKind::Array { base, shape: extents } = datatype.kind() {
        shape.extend(extents);
        datatype = base;
    }
    datatype
}

/// Elements of the base of a datatype as those of the datatype, if it is one of arrays. Recursion goes as deep as the
/// datatype, which is bounded.
fn in_arrays(elements: Elements, datatype: &Datatype) -> Result<Elements> {
    let DatatypeKind::Array { base, .. } = datatype.kind() else { return Ok(elements) };
    let inner = in_arrays(elements, base)?;
    match Elements::none_of(datatype) {
        Elements::Arrays { size, .. } if (inner.len() as u64).is_multiple_of(size) => {
            Ok(Elements::Arrays { size, base: Box::new(inner) })
        }
        _ => Err(Error::new(Status::InvalidArgument, "the elements do not fill the arrays that the datatype asks for")),
    }
}

/// Elements in memory as numbers that have the scalar type.
fn numbers<T: bytemuck::Pod>(elements: MemoryElements, shape: &[u64], scalar: ScalarType) -> Result<Vec<T>> {
    let too_large = || Error::new(Status::Limit, "the elements cannot be counted in 64 bits");
    let shape: Vec<i64> =
        shape.iter().map(|&extent| i64::try_from(extent).map_err(|_| too_large())).collect::<Result<_>>()?;
    let memory = InMemory::new(elements.datatype, &shape, elements.order, elements.bytes.len())?;
    let target = scalar.into();
    let size = packed_size(&target, &shape)?;
    let count = usize::try_from(size).map_err(|_| Error::out_of_memory(size))? / size_of::<T>();
    let mut out: Vec<T> = Vec::new();
    out.try_reserve_exact(count).map_err(|_| Error::out_of_memory(size))?;
    out.resize(count, T::zeroed());
    memory.read(elements.bytes, &target, bytemuck::cast_slice_mut(&mut out), &ReadOptions::default())?;
    Ok(out)
}

/// Elements in memory as integers in the range of a type other than `uint64`.
fn integers(elements: MemoryElements, shape: &[u64], integer: IntegerType) -> Result<Vec<i64>> {
    let integers = numbers::<i64>(elements, shape, ScalarType::Int64)?;
    match integers.iter().position(|&number| !integer.holds(number.into())) {
        None => Ok(integers),
        Some(position) => {
            let number = integers.get(position).copied().unwrap_or_default();
            let message = format!("element {position}, {number}, is not in the range of {}", integer.name());
            Err(Error::new(Status::Overflow, message))
        }
    }
}

fn of_numbers<T: Copy + Into<i128> + Display>(numbers: Vec<T>, enumeration: &Enumeration) -> Result<Elements> {
    let positions = enumeration.positions_by_number();
    constants(&numbers, |number| positions.get(&number.into()).copied())
}

fn constants<T: Copy + Display>(constants: &[T], position: impl Fn(T) -> Option<u32>) -> Result<Elements> {
    let positions = constants.iter().enumerate().map(|(index, &constant)| {
        position(constant).ok_or_else(|| {
            let constant = constant.to_string();
            let message = format!("element {index}, {}, is none of the constants", constant.escape_debug());
            Error::new(Status::ValueRange, message)
        })
    });
    positions.collect::<Result<_>>().map(Elements::Constants)
}
