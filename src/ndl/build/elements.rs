//! From numbers and texts in memory to elements of a datatype.

use crate::error::{Error, Result, Status};
use crate::ndl::{Datatype, DatatypeKind, Elements, FloatType, IntegerType, path_name};
use std::fmt::Display;

impl Elements {
    /// Floats as elements of a datatype of floats, or of arrays of them one after the other: the nearest that it has.
    ///
    /// Fails with [`Status::ValueRange`] if one is too large for it, and with [`Status::WrongType`] for other datatypes.
    pub fn of_f64(numbers: &[f64], datatype: &Datatype) -> Result<Elements> {
        of_base(datatype, &|datatype| match datatype.kind() {
            DatatypeKind::Float(FloatType::Float64) => Ok(Elements::Float64(numbers.to_vec())),
            DatatypeKind::Float(FloatType::Float32) => {
                let narrow = |(position, &number): (usize, &f64)| {
                    let nearest = number as f32;
                    let is_held = nearest.is_finite() || !number.is_finite();
                    if is_held { Ok(nearest) } else { Err(out_of_range(position, number, "float32")) }
                };
                numbers.iter().enumerate().map(narrow).collect::<Result<_>>().map(Elements::Float32)
            }
            _ => Err(wrong_type("floats", datatype)),
        })
    }

    /// Integers as elements of a datatype of integers or floats (of these the nearest), as constants of an enumeration
    /// by their numbers, or as elements of arrays of such one after the other.
    ///
    /// Fails with [`Status::ValueRange`] for numbers that it does not have, and with [`Status::WrongType`] for other
    /// datatypes.
    pub fn of_i64(numbers: &[i64], datatype: &Datatype) -> Result<Elements> {
        of_base(datatype, &|datatype| match datatype.kind() {
            DatatypeKind::Float(FloatType::Float32) => {
                Ok(Elements::Float32(numbers.iter().map(|&number| number as f32).collect()))
            }
            DatatypeKind::Float(FloatType::Float64) => {
                Ok(Elements::Float64(numbers.iter().map(|&number| number as f64).collect()))
            }
            _ => of_integers(numbers, datatype),
        })
    }

    /// As [`Elements::of_i64`].
    pub fn of_u64(numbers: &[u64], datatype: &Datatype) -> Result<Elements> {
        of_base(datatype, &|datatype| match datatype.kind() {
            DatatypeKind::Float(FloatType::Float32) => {
                Ok(Elements::Float32(numbers.iter().map(|&number| number as f32).collect()))
            }
            DatatypeKind::Float(FloatType::Float64) => {
                Ok(Elements::Float64(numbers.iter().map(|&number| number as f64).collect()))
            }
            _ => of_integers(numbers, datatype),
        })
    }

    /// Texts as elements of `string`, as constants of an enumeration by their names, as path names of `objref` (none if
    /// empty), or as elements of arrays of such one after the other.
    ///
    /// Fails with [`Status::ValueRange`] for names that no constant has, with [`Status::Path`] for what is no path name,
    /// and with [`Status::WrongType`] for other datatypes.
    pub fn of_texts(texts: &[&str], datatype: &Datatype) -> Result<Elements> {
        of_base(datatype, &|datatype| match datatype.kind() {
            DatatypeKind::String => Ok(Elements::Texts(texts.iter().collect())),
            DatatypeKind::Enum(enumeration) => {
                let members = &enumeration.members;
                constants(texts, |name| members.position(name).and_then(|position| u32::try_from(position).ok()))
            }
            DatatypeKind::Objref => {
                let paths = texts.iter().map(|&path| match path {
                    "" => Ok(None),
                    _ if path_name::is_group_path(path) => Ok(Some(path.to_owned())),
                    _ => Err(Error::new(Status::Path, format!("'{}' is not a path name", path.escape_debug()))),
                });
                paths.collect::<Result<_>>().map(Elements::Objects)
            }
            _ => Err(wrong_type("texts", datatype)),
        })
    }
}

/// Elements of a datatype that is none of arrays, or of arrays of such. Recursion goes as deep as the datatype, which
/// is bounded.
fn of_base(datatype: &Datatype, elements: &dyn Fn(&Datatype) -> Result<Elements>) -> Result<Elements> {
    let DatatypeKind::Array { base, .. } = datatype.kind() else { return elements(datatype) };
    let inner = of_base(base, elements)?;
    match Elements::none_of(datatype) {
        Elements::Arrays { size, .. } if (inner.len() as u64).is_multiple_of(size) => {
            Ok(Elements::Arrays { size, base: Box::new(inner) })
        }
        _ => Err(Error::new(Status::InvalidArgument, "the elements do not fill the arrays that the datatype asks for")),
    }
}

fn of_integers<T: Copy + Into<i128>>(numbers: &[T], datatype: &Datatype) -> Result<Elements> {
    match datatype.kind() {
        DatatypeKind::Integer(integer @ IntegerType::Uint64) => integers(numbers, *integer).map(Elements::Unsigned),
        DatatypeKind::Integer(integer) => integers(numbers, *integer).map(Elements::Integers),
        DatatypeKind::Enum(enumeration) => {
            let positions = enumeration.positions_by_number();
            let numbers: Vec<i128> = numbers.iter().map(|&number| number.into()).collect();
            constants(&numbers, |number| positions.get(&number).copied())
        }
        _ => Err(wrong_type("integers", datatype)),
    }
}

fn integers<T: Copy + Into<i128>, N: TryFrom<i128>>(numbers: &[T], integer: IntegerType) -> Result<Vec<N>> {
    let checked = numbers.iter().enumerate().map(|(position, &number)| {
        let number: i128 = number.into();
        let held = integer.holds(number).then(|| N::try_from(number).ok()).flatten();
        held.ok_or_else(|| out_of_range(position, number, integer.name()))
    });
    checked.collect()
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

fn out_of_range(position: usize, number: impl Display, datatype: &str) -> Error {
    Error::new(Status::ValueRange, format!("element {position}, {number}, is not in the range of {datatype}"))
}

fn wrong_type(given: &str, datatype: &Datatype) -> Error {
    Error::new(Status::WrongType, format!("{given} cannot be elements of the datatype {}", datatype.keyword()))
}
