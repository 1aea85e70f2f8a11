//! Elements of arrays in pieces of bounded size, and their text and JSON.

use super::call::check_interrupt;
use super::failure::{Failure, Result};
use super::region::{Pieces, Selection};
use super::value;
use super::walk::escape;
use asdfkit::array::{Array, Datatype, Float16, ReadOptions, Region, ScalarType};
use asdfkit::units::Conversion;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Maximum size of a piece in bytes.
const PIECE_BYTES: u64 = 4 << 20;
/// Maximum number of scalar parts of one element.
const MAX_LEAVES: usize = 1 << 16;

/// Consecutive elements in C order and native byte order, and which of them are missing.
pub(crate) struct Piece<'a> {
    /// Bytes of the elements.
    pub(crate) bytes: &'a [u8],
    /// One byte for each element: not 0 if it is missing. Empty if the array has no mask.
    pub(crate) mask: &'a [u8],
}

impl Piece<'_> {
    /// Returns true if the element is missing.
    pub(crate) fn is_missing(&self, index: usize) -> bool {
        self.mask.get(index).is_some_and(|missing| *missing != 0)
    }
}

/// Reads a selection of an array piece by piece, as elements of `datatype`.
pub(crate) fn for_each_piece(
    array: &Array,
    selection: &Selection,
    (datatype, conversion): &(Datatype, Option<Conversion>),
    threads: usize,
    mut take: impl FnMut(Piece) -> Result<()>,
) -> Result<()> {
    let item = datatype.item_size()?.max(1);
    let most = i64::try_from(PIECE_BYTES / item).unwrap_or(i64::MAX).max(1);
    let options = ReadOptions { threads, conversion: *conversion, ..ReadOptions::default() };
    let (mut bytes, mut mask) = (Vec::new(), Vec::new());
    for (start, count) in Pieces::new(selection, most) {
        check_interrupt()?;
        let region = Region { start: &start, count: &count, step: Some(&selection.step) };
        let size = array.region_size(&count, datatype)? as usize;
        bytes.clear();
        bytes.try_reserve(size).map_err(|_| asdfkit::Error::out_of_memory(size as u64))?;
        bytes.resize(size, 0);
        if array.is_masked() {
            mask.clear();
            mask.resize(count.iter().product::<i64>() as usize, 0);
            array.read_masked(Some(&region), datatype, &mut bytes, &mut mask, &options)?;
        } else {
            array.read_region(&region, datatype, &mut bytes, &options)?;
        }
        take(Piece { bytes: &bytes, mask: &mask })?;
    }
    Ok(())
}

/// One number, truth value or string of an element.
pub(crate) struct Leaf {
    /// Name of the field, with those of the records around it and an index in its shape; empty without a record.
    pub(crate) name: String,
    /// Path of the field below the array, with an index in its shape as a region; empty without a record.
    pub(crate) path: String,
    datatype: Datatype,
    start: usize,
    end: usize,
}

/// Returns the scalar parts of an element in memory, in their order.
pub(crate) fn leaves(datatype: &Datatype) -> Result<Vec<Leaf>> {
    let mut found = Vec::new();
    // Parts that are not yet taken apart, the next one last.
    let mut rest = vec![(String::new(), String::new(), datatype.clone())];
    let mut offset = 0;
    while let Some((name, path, datatype)) = rest.pop() {
        if let Datatype::Record(fields) = &datatype {
            let mut parts = Vec::new();
            for (index, field) in fields.iter().enumerate() {
                let own = field.name.clone().unwrap_or_else(|| format!("f{index}"));
                let path = format!("{path}/{}", escape(&own));
                let full = if name.is_empty() { own } else { format!("{name}.{own}") };
                let count = field.shape.iter().product::<i64>();
                if found.len() + rest.len() + parts.len() + count as usize > MAX_LEAVES {
                    return Err(Failure::usage(format!("the elements have more than {MAX_LEAVES} parts")));
                }
                for part in 0..count {
                    let (name, path) = match position(part, &field.shape) {
                        place if place.is_empty() => (full.clone(), path.clone()),
                        place => (format!("{full}[{place}]"), format!("{path}[...,{place}]")),
                    };
                    parts.push((name, path, field.datatype.clone()));
                }
            }
            rest.extend(parts.into_iter().rev());
            continue;
        }
        let size = datatype.item_size()? as usize;
        found.push(Leaf { name, path, datatype, start: offset, end: offset + size });
        offset += size;
    }
    Ok(found)
}

/// Returns the indices of the element with a number in C order.
fn position(mut number: i64, shape: &[i64]) -> String {
    let mut indices = Vec::new();
    for extent in shape.iter().rev() {
        indices.push((number % extent).to_string());
        number /= extent;
    }
    indices.reverse();
    indices.join(",")
}

impl Leaf {
    /// Returns the bytes of this part of an element.
    fn of<'a>(&self, element: &'a [u8]) -> &'a [u8] {
        &element[self.start..self.end]
    }

    /// Returns true if the part is text.
    pub(crate) fn is_text(&self) -> bool {
        self.datatype.scalar().is_none()
    }

    /// Returns true if the part is a complex number.
    pub(crate) fn is_complex(&self) -> bool {
        matches!(self.datatype.scalar(), Some(ScalarType::Complex64 | ScalarType::Complex128))
    }

    /// Appends the text of this part of an element.
    pub(crate) fn write_text(&self, element: &[u8], out: &mut String) {
        let bytes = self.of(element);
        match self.datatype.scalar() {
            Some(scalar) => write_scalar(scalar, bytes, out),
            None => write_string(&self.datatype, bytes, out),
        }
    }

    /// Returns this part of an element as JSON.
    pub(crate) fn json(&self, element: &[u8]) -> Value {
        let bytes = self.of(element);
        let mut text = String::new();
        match self.datatype.scalar() {
            None => {
                write_string(&self.datatype, bytes, &mut text);
                Value::from(text)
            }
            Some(ScalarType::Bool8) => Value::from(bytes != [0]),
            Some(ScalarType::Complex64) => {
                let (real, imaginary) = bytes.split_at(4);
                Value::from(vec![number_of(ScalarType::Float32, real), number_of(ScalarType::Float32, imaginary)])
            }
            Some(ScalarType::Complex128) => {
                let (real, imaginary) = bytes.split_at(8);
                Value::from(vec![number_of(ScalarType::Float64, real), number_of(ScalarType::Float64, imaginary)])
            }
            Some(scalar) => number_of(scalar, bytes),
        }
    }
}

/// A number, for comparisons and statistics.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    /// Value or real part.
    pub(crate) real: f64,
    /// Imaginary part.
    pub(crate) imaginary: f64,
    /// Exact value of an integer.
    pub(crate) exact: Option<i128>,
}

impl Leaf {
    /// Returns the value of a number or a truth value; `None` for text.
    pub(crate) fn numbers(&self, element: &[u8]) -> Option<Numbers> {
        let bytes = self.of(element);
        let integer = |value: i128| Numbers { real: value as f64, imaginary: 0.0, exact: Some(value) };
        let complex = |real: f64, imaginary: f64| Numbers { real, imaginary, exact: None };
        Some(match self.datatype.scalar()? {
            ScalarType::Int8 => integer(i8::from_ne_bytes(native(bytes)).into()),
            ScalarType::Int16 => integer(i16::from_ne_bytes(native(bytes)).into()),
            ScalarType::Int32 => integer(i32::from_ne_bytes(native(bytes)).into()),
            ScalarType::Int64 => integer(i64::from_ne_bytes(native(bytes)).into()),
            ScalarType::Uint8 => integer(u8::from_ne_bytes(native(bytes)).into()),
            ScalarType::Uint16 => integer(u16::from_ne_bytes(native(bytes)).into()),
            ScalarType::Uint32 => integer(u32::from_ne_bytes(native(bytes)).into()),
            ScalarType::Uint64 => integer(u64::from_ne_bytes(native(bytes)).into()),
            ScalarType::Bool8 => integer((bytes != [0]).into()),
            ScalarType::Float16 => complex(Float16::from_bits(u16::from_ne_bytes(native(bytes))).to_f32().into(), 0.0),
            ScalarType::Float32 => complex(f32::from_ne_bytes(native(bytes)).into(), 0.0),
            ScalarType::Float64 => complex(f64::from_ne_bytes(native(bytes)), 0.0),
            ScalarType::Complex64 => {
                let (real, imaginary) = bytes.split_at(4);
                complex(f32::from_ne_bytes(native(real)).into(), f32::from_ne_bytes(native(imaginary)).into())
            }
            ScalarType::Complex128 => {
                let (real, imaginary) = bytes.split_at(8);
                complex(f64::from_ne_bytes(native(real)), f64::from_ne_bytes(native(imaginary)))
            }
            _ => return None,
        })
    }
}

/// Returns one element as JSON: its value, or an object of the fields of a record.
pub(crate) fn element_json(leaves: &[Leaf], element: &[u8]) -> Value {
    match leaves {
        [leaf] if leaf.name.is_empty() => leaf.json(element),
        fields => Value::from(fields.iter().map(|leaf| (leaf.name.clone(), leaf.json(element))).collect::<Map<_, _>>()),
    }
}

fn number_of(scalar: ScalarType, bytes: &[u8]) -> Value {
    let mut text = String::new();
    write_scalar(scalar, bytes, &mut text);
    value::number(&text)
}

fn native<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(bytes);
    out
}

/// Appends the shortest text of a number that reads back as the same number.
pub(crate) fn write_scalar(scalar: ScalarType, bytes: &[u8], out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match scalar {
        ScalarType::Int8 => write!(out, "{}", i8::from_ne_bytes(native(bytes))),
        ScalarType::Int16 => write!(out, "{}", i16::from_ne_bytes(native(bytes))),
        ScalarType::Int32 => write!(out, "{}", i32::from_ne_bytes(native(bytes))),
        ScalarType::Int64 => write!(out, "{}", i64::from_ne_bytes(native(bytes))),
        ScalarType::Uint8 => write!(out, "{}", u8::from_ne_bytes(native(bytes))),
        ScalarType::Uint16 => write!(out, "{}", u16::from_ne_bytes(native(bytes))),
        ScalarType::Uint32 => write!(out, "{}", u32::from_ne_bytes(native(bytes))),
        ScalarType::Uint64 => write!(out, "{}", u64::from_ne_bytes(native(bytes))),
        ScalarType::Float16 => write!(out, "{:?}", Float16::from_bits(u16::from_ne_bytes(native(bytes))).to_f32()),
        ScalarType::Float32 => write!(out, "{:?}", f32::from_ne_bytes(native(bytes))),
        ScalarType::Float64 => write!(out, "{:?}", f64::from_ne_bytes(native(bytes))),
        ScalarType::Complex64 => {
            let (real, imaginary) = bytes.split_at(4);
            write!(out, "{:?}{:+?}j", f32::from_ne_bytes(native(real)), f32::from_ne_bytes(native(imaginary)))
        }
        ScalarType::Complex128 => {
            let (real, imaginary) = bytes.split_at(8);
            write!(out, "{:?}{:+?}j", f64::from_ne_bytes(native(real)), f64::from_ne_bytes(native(imaginary)))
        }
        ScalarType::Bool8 => write!(out, "{}", bytes != [0]),
        other => write!(out, "<{other}>"),
    };
}

/// Appends a string without its padding. Bytes outside its encoding become replacement characters.
fn write_string(datatype: &Datatype, bytes: &[u8], out: &mut String) {
    match datatype {
        Datatype::Ucs4(_) => {
            let units = bytes.chunks_exact(4).map(|unit| u32::from_ne_bytes(native(unit)));
            let units: Vec<u32> = units.collect();
            let length = units.iter().rposition(|unit| *unit != 0).map_or(0, |last| last + 1);
            out.extend(units[..length].iter().map(|unit| char::from_u32(*unit).unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
        _ => {
            let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            out.push_str(&String::from_utf8_lossy(&bytes[..length]));
        }
    }
}

/// Returns a datatype as numpy and the ASDF standard spell it, in one line.
pub(crate) fn datatype_text(datatype: &Datatype) -> String {
    match datatype {
        Datatype::Scalar(scalar) => scalar.name().to_owned(),
        Datatype::Ascii(length) => format!("ascii({length})"),
        Datatype::Ucs4(length) => format!("ucs4({length})"),
        Datatype::Record(fields) => format!("record of {}", super::size::count(fields.len() as u64, "field")),
    }
}
