//! Converts numbers and texts in memory to elements of a datatype.

use crate::array::{Datatype as MemoryType, InMemory, Order, ReadOptions, ScalarType, packed_size};
use crate::error::{Error, Result, Status};
use crate::ndl::model::path_name;
use crate::ndl::{Blobs, Datatype, DatatypeKind, Elements, Enumeration, FloatType, IntegerType, Texts};
use crate::reserve::{collected, copy_of};
use std::fmt::Display;

/// Elements in the memory of a program, in native byte order.
#[derive(Clone, Copy, Debug)]
pub struct MemoryElements<'a> {
    /// Datatype in memory.
    pub datatype: &'a MemoryType,
    /// The bytes.
    pub bytes: &'a [u8],
    /// Order of the elements in memory.
    pub order: &'a Order,
}

impl Elements {
    /// Converts elements in memory to elements of a datatype. The conversion follows
    /// [`Array::read`](crate::array::Array::read). It accepts the output of [`Value::read`](crate::ndl::Value::read).
    ///
    /// Constants are given by number, and floats are rounded to the nearest. Array datatypes append their dimensions to
    /// `shape`; opaque bytes append one dimension, their size.
    ///
    /// Fails with [`Status::InvalidArgument`] if the size of the memory differs from the shape, with
    /// [`Status::Overflow`] for numbers that do not fit, and with [`Status::ValueRange`] for a number without a
    /// constant. Fails with [`Status::Conversion`] for datatypes other than numbers, enumerations and opaque bytes.
    pub fn of_memory(elements: MemoryElements, shape: &[u64], datatype: &Datatype) -> Result<Elements> {
        let mut shape = copy_of(shape)?;
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

    /// Converts texts to elements of `string`, to constants of an enumeration by name, or to path names of `objref`,
    /// where an empty text is null. For an array datatype, the texts are the elements of all arrays in order.
    ///
    /// Fails with [`Status::ValueRange`] for names without a constant, with [`Status::Path`] for invalid path names,
    /// and with [`Status::WrongType`] for other datatypes.
    pub fn of_texts(texts: &[&str], datatype: &Datatype) -> Result<Elements> {
        let elements = match base_of(datatype, &mut Vec::new()).kind() {
            DatatypeKind::String => {
                let mut given = Texts::default();
                texts.iter().try_for_each(|text| given.try_push(text))?;
                Elements::Texts(given)
            }
            DatatypeKind::Enum(enumeration) => {
                let members = &enumeration.members;
                constants(texts, |name| members.position(name).and_then(|position| u32::try_from(position).ok()))?
            }
            DatatypeKind::Objref => {
                let paths = texts.iter().map(|&path| match path {
                    "" => Ok(None),
                    _ if path_name::is_group_path(path) => Ok(Some(path.to_owned())),
                    _ => Err(Error::new(Status::Path, format!("'{}' is not a valid path name", path.escape_debug()))),
                });
                Elements::Objects(collected(paths)?)
            }
            _ => {
                let message = format!("texts cannot be elements of the datatype {}", datatype.keyword());
                return Err(Error::new(Status::WrongType, message));
            }
        };
        in_arrays(elements, datatype)
    }
}

/// Returns the base of nested array datatypes, and appends their extents to `shape`.
fn base_of<'a>(mut datatype: &'a Datatype, shape: &mut Vec<u64>) -> &'a Datatype {
    while let DatatypeKind::Array { base, shape: extents } = datatype.kind() {
        shape.extend(extents);
        datatype = base;
    }
    datatype
}

/// Wraps elements of the base into elements of an array datatype. Recursion is as deep as the datatype, which is
/// limited.
fn in_arrays(elements: Elements, datatype: &Datatype) -> Result<Elements> {
    let DatatypeKind::Array { base, .. } = datatype.kind() else { return Ok(elements) };
    let inner = in_arrays(elements, base)?;
    match Elements::none_of(datatype) {
        Elements::Arrays { size, .. } if (inner.len() as u64).is_multiple_of(size) => {
            Ok(Elements::Arrays { size, base: Box::new(inner) })
        }
        _ => Err(Error::new(
            Status::InvalidArgument,
            "the number of elements must be a multiple of the size of the array datatype",
        )),
    }
}

/// Converts elements in memory to numbers of a scalar type.
fn numbers<T: bytemuck::Pod>(elements: MemoryElements, shape: &[u64], scalar: ScalarType) -> Result<Vec<T>> {
    let too_large = || Error::new(Status::Limit, "an extent of the elements exceeds 63 bits");
    let shape: Vec<i64> = collected(shape.iter().map(|&extent| i64::try_from(extent).map_err(|_| too_large())))?;
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

/// Converts elements in memory to integers in the range of a type other than `uint64`.
fn integers(elements: MemoryElements, shape: &[u64], integer: IntegerType) -> Result<Vec<i64>> {
    let integers = numbers::<i64>(elements, shape, ScalarType::Int64)?;
    match integers.iter().position(|&number| !integer.holds(number.into())) {
        None => Ok(integers),
        Some(position) => {
            let number = integers.get(position).copied().unwrap_or_default();
            let message = format!("element {position} is {number}, which is not in the range of {}", integer.name());
            Err(Error::new(Status::Overflow, message))
        }
    }
}

fn of_numbers<T: Copy + Into<i128> + Display>(numbers: Vec<T>, enumeration: &Enumeration) -> Result<Elements> {
    let positions = enumeration.positions_by_number()?;
    constants(&numbers, |number| positions.get(&number.into()).copied())
}

fn constants<T: Copy + Display>(constants: &[T], position: impl Fn(T) -> Option<u32>) -> Result<Elements> {
    let positions = constants.iter().enumerate().map(|(index, &constant)| {
        position(constant).ok_or_else(|| {
            let constant = constant.to_string();
            let message =
                format!("element {index} is {}, which is not a constant of the enumeration", constant.escape_debug());
            Error::new(Status::ValueRange, message)
        })
    });
    collected(positions).map(Elements::Constants)
}
