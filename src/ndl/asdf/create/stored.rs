//! Datatypes of elements in blocks of ASDF files.

use crate::Limits;
use crate::array::{Datatype, Field, ScalarType, TextEncoding};
use crate::error::{Error, Result, Status};
use crate::ndl::asdf::shared::datatype::{charset_of, datatype_of};
use crate::ndl::asdf::shared::names::fact;
use crate::ndl::asdf::shared::options::DescribeOptions;
use crate::ndl::compare::same;
use crate::ndl::write::flow::{Dialect, Flow};
use crate::ndl::{
    Datatype as NdlDatatype, DatatypeKind, Elements, Enumeration, Extensions, FloatType, IntegerType, Named,
};
use crate::reserve::{collected, push};
use crate::yaml;

/// Datatype in the file, with the dimensions that each element appends to those of the array.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) datatype: Datatype,
    pub(super) dimensions: Vec<u64>,
}

/// Encoding and length of strings.
pub(super) struct StringLengths {
    /// True for ASCII, false for UCS-4.
    pub(super) ascii: bool,
    /// Minimum length in characters. Strings without values need it.
    pub(super) default: Option<u64>,
}

impl StringLengths {
    /// Returns the datatype of strings that holds all known texts.
    fn datatype(&self, known: &[&Elements]) -> Result<Datatype> {
        let texts = known.iter().filter_map(|elements| match elements {
            Elements::Texts(texts) => Some(texts),
            _ => None,
        });
        let longest =
            texts.flat_map(|texts| texts.iter()).map(|text| if self.ascii { text.len() } else { text.chars().count() });
        // NumPy has no strings of length 0.
        let longest = longest.max().map(|length| (length as u64).max(1));
        let length = longest.max(self.default).ok_or_else(|| {
            Error::new(
                Status::Incomplete,
                "ASDF needs a fixed length of strings: give values, or set the length in the options",
            )
        })?;
        Ok(if self.ascii { Datatype::Ascii(length) } else { Datatype::Ucs4(length) })
    }
}

/// Returns the stored form of a datatype. `known` are the given elements.
///
/// Fails with [`Status::Unsupported`] for datatypes that only the tree can hold, and for member names that the standard
/// does not allow. Recursion is as deep as the datatype, which is limited.
pub(super) fn stored(datatype: &NdlDatatype, known: &[&Elements], strings: &StringLengths) -> Result<Stored> {
    let plain = |scalar: ScalarType| Stored { datatype: scalar.into(), dimensions: Vec::new() };
    Ok(match datatype.kind() {
        DatatypeKind::Integer(integer) => plain(integer.scalar()),
        DatatypeKind::Float(FloatType::Float32) => plain(ScalarType::Float32),
        DatatypeKind::Float(FloatType::Float64) => plain(ScalarType::Float64),
        DatatypeKind::Enum(enumeration) if is_bool8(enumeration) => plain(ScalarType::Bool8),
        DatatypeKind::Enum(enumeration) => plain(enumeration.base.scalar()),
        kind if kind.is_binary16() => plain(ScalarType::Float16),
        DatatypeKind::Opaque { size, .. } => Stored { datatype: ScalarType::Uint8.into(), dimensions: vec![*size] },
        DatatypeKind::Array { base, shape } => {
            let bases: Vec<&Elements> = known.iter().filter_map(|elements| base_of(elements)).collect();
            let Stored { datatype, dimensions } = stored(base, &bases, strings)?;
            Stored { datatype, dimensions: [shape.clone(), dimensions].concat() }
        }
        DatatypeKind::Compound(members) => match complex_of(members) {
            Some(scalar) => plain(scalar),
            None => Stored { datatype: record(members, known, strings)?, dimensions: Vec::new() },
        },
        DatatypeKind::String => Stored { datatype: strings.datatype(known)?, dimensions: Vec::new() },
        DatatypeKind::Vlen(_) | DatatypeKind::Objref | DatatypeKind::Regref(_) => {
            let message = format!("elements of the datatype {} cannot be stored in a block", datatype.keyword());
            return Err(Error::new(Status::Unsupported, message));
        }
    })
}

/// Returns the datatype under `x-asdf`, if its description equals the declared datatype.
pub(super) fn requested(extensions: &Extensions, datatype: &NdlDatatype, charset: Option<&str>) -> Option<Stored> {
    let mut flow = Flow::new(Dialect::Yaml);
    flow.content(fact(extensions, "datatype")?);
    let tree = yaml::parse(flow.into_text().ok()?, 0, 1, &Limits::default()).ok()?.tree;
    let stored = Datatype::parse(&tree, tree.root()).ok()?;
    let (described, _) = datatype_of(&stored, &DescribeOptions::default()).ok()?;
    let has_charset = charset.is_none() || charset == charset_of(&stored).as_deref();
    (has_charset && same::datatypes(&described, datatype)).then(|| Stored { datatype: stored, dimensions: Vec::new() })
}

fn record(members: &Named<NdlDatatype>, known: &[&Elements], strings: &StringLengths) -> Result<Datatype> {
    let mut fields = Vec::new();
    for (index, (name, member)) in members.iter().enumerate() {
        if !name.chars().any(|character| character.is_ascii_alphabetic() || character == '_') {
            let message =
                format!("the name of the member '{name}' needs a letter or an underscore to be stored in ASDF");
            return Err(Error::new(Status::Unsupported, message));
        }
        let columns: Vec<&Elements> = known
            .iter()
            .filter_map(|elements| if let Elements::Compound(columns) = elements { columns.get(index) } else { None })
            .collect();
        let Stored { datatype, dimensions } = stored(member, &columns, strings)?;
        let shape = signed(&dimensions)?;
        push(&mut fields, Field { name: Some(name.to_owned()), datatype, byteorder: None, shape })?;
    }
    Datatype::record(fields)
}

/// Converts extents to the type of ASDF shapes.
pub(super) fn signed(extents: &[u64]) -> Result<Vec<i64>> {
    let too_large = |_| Error::new(Status::Limit, "an extent exceeds 63 bits");
    collected(extents.iter().map(|&extent| i64::try_from(extent).map_err(too_large)))
}

fn is_bool8(enumeration: &Enumeration) -> bool {
    enumeration.is_boolean() && enumeration.base.size() == 1
}

/// Returns the complex type that corresponds to a pair of floats.
fn complex_of(members: &Named<NdlDatatype>) -> Option<ScalarType> {
    let (Some(("r", real)), Some(("i", imaginary)), 2) = (members.at(0), members.at(1), members.len()) else {
        return None;
    };
    match (real.kind(), imaginary.kind()) {
        (DatatypeKind::Float(FloatType::Float32), DatatypeKind::Float(FloatType::Float32)) => {
            Some(ScalarType::Complex64)
        }
        (DatatypeKind::Float(FloatType::Float64), DatatypeKind::Float(FloatType::Float64)) => {
            Some(ScalarType::Complex128)
        }
        _ => None,
    }
}

fn base_of(elements: &Elements) -> Option<&Elements> {
    match elements {
        Elements::Arrays { base, .. } => Some(base),
        _ => None,
    }
}

/// Appends one element in native byte order, in the form of [`stored`].
pub(super) fn write(
    elements: &Elements,
    index: usize,
    datatype: &NdlDatatype,
    stored: &Datatype,
    out: &mut Vec<u8>,
) -> Result<()> {
    let none = || Error::new(Status::Internal, "an element of a value is missing");
    match (elements, datatype.kind()) {
        (Elements::Integers(numbers), DatatypeKind::Integer(integer)) => {
            write_integer(i128::from(*numbers.get(index).ok_or_else(none)?), *integer, out);
        }
        (Elements::Unsigned(numbers), _) => out.extend(numbers.get(index).ok_or_else(none)?.to_ne_bytes()),
        (Elements::Float32(numbers), _) => out.extend(numbers.get(index).ok_or_else(none)?.to_ne_bytes()),
        (Elements::Float64(numbers), _) => out.extend(numbers.get(index).ok_or_else(none)?.to_ne_bytes()),
        (Elements::Constants(positions), DatatypeKind::Enum(enumeration)) => {
            let position = *positions.get(index).ok_or_else(none)?;
            let (_, number) = enumeration.members.at(position as usize).ok_or_else(none)?;
            write_integer(*number, enumeration.base, out);
        }
        (Elements::Opaque(blobs), kind @ DatatypeKind::Opaque { size, .. }) => {
            let blob = blobs.get(index).ok_or_else(none)?;
            let start = out.len();
            out.extend_from_slice(blob);
            out.resize(out.len() + (*size as usize).saturating_sub(blob.len()), 0);
            // The bytes of a number are little-endian in descriptions.
            if cfg!(target_endian = "big") && kind.is_binary16() {
                out[start..].reverse();
            }
        }
        (Elements::Texts(texts), _) => write_text(texts.get(index).ok_or_else(none)?, stored, out)?,
        (Elements::Compound(columns), DatatypeKind::Compound(members)) => {
            let fields = if let Datatype::Record(fields) = stored { &fields[..] } else { &[] };
            for (position, (column, (_, member))) in columns.iter().zip(members.iter()).enumerate() {
                // The parts of a complex number are not fields of a record.
                let field = fields.get(position).map_or(stored, |field| &field.datatype);
                write(column, index, member, field, out)?;
            }
        }
        (Elements::Arrays { size, base }, DatatypeKind::Array { base: datatype, .. }) => {
            let size = *size as usize;
            for inner in index * size..(index + 1) * size {
                write(base, inner, datatype, stored, out)?;
            }
        }
        _ => return Err(Error::new(Status::InvalidArgument, "a value does not fit its datatype")),
    }
    Ok(())
}

fn write_integer(number: i128, integer: IntegerType, out: &mut Vec<u8>) {
    // Values are checked against their type, so truncation loses nothing.
    match integer.size() {
        1 => out.extend((number as i8).to_ne_bytes()),
        2 => out.extend((number as i16).to_ne_bytes()),
        4 => out.extend((number as i32).to_ne_bytes()),
        _ => out.extend((number as i64).to_ne_bytes()),
    }
}

fn write_text(text: &str, stored: &Datatype, out: &mut Vec<u8>) -> Result<()> {
    let Some(encoding) = TextEncoding::of(stored) else {
        return Err(Error::new(Status::Internal, "the stored datatype of a text is not a string"));
    };
    let start = out.len();
    out.resize(start + stored.item_size()? as usize, 0);
    let written = encoding.store(text, out.get_mut(start..).unwrap_or_default());
    written.map_err(|(status, what)| Error::new(status, format!("a text {what}, but its stored datatype is {stored}")))
}
