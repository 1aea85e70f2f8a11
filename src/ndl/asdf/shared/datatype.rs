//! Datatypes of stored arrays and of descriptions.

use super::options::DescribeOptions;
use crate::array::{ByteOrder, Datatype, Field, ScalarType};
use crate::error::{Error, Result, Status};
use crate::ndl::model::datatype::BINARY16;
use crate::ndl::{Datatype as NdlDatatype, DatatypeKind, FloatType, Named};

/// Returns the NDL datatype, and true if it loses information about the datatype in the file.
pub(in crate::ndl::asdf) fn datatype_of(datatype: &Datatype, options: &DescribeOptions) -> Result<(NdlDatatype, bool)> {
    let pair = |part: FloatType| {
        let parts = ["r", "i"].map(|name| (name, NdlDatatype::from(part)));
        NdlDatatype::new(DatatypeKind::Compound(parts.into_iter().collect()))
    };
    Ok(match datatype {
        Datatype::Scalar(ScalarType::Bool8) => (NdlDatatype::boolean(), false),
        Datatype::Scalar(ScalarType::Complex64) => (pair(FloatType::Float32)?, false),
        Datatype::Scalar(ScalarType::Complex128) => (pair(FloatType::Float64)?, false),
        Datatype::Scalar(ScalarType::Float16) if options.widen => (FloatType::Float32.into(), true),
        Datatype::Scalar(ScalarType::Float16) => {
            (NdlDatatype::new(DatatypeKind::Opaque { size: 2, tag: Some(BINARY16.to_owned()) })?, true)
        }
        Datatype::Scalar(scalar) => {
            let datatype = NdlDatatype::from_keyword(scalar.name());
            (datatype.ok_or_else(|| Error::new(Status::BadDatatype, "the datatype has no form in NDL"))?, false)
        }
        Datatype::Ascii(_) | Datatype::Ucs4(_) => (NdlDatatype::string(), true),
        Datatype::Record(fields) => {
            let mut members = Named::new();
            let mut kept = looks_complex(fields) || has_mixed_orders(fields);
            for (index, field) in fields.iter().enumerate() {
                let (base, of_field) = datatype_of(&field.datatype, options)?;
                kept |= of_field;
                let name = field.name.clone().unwrap_or_else(|| format!("f{index}"));
                if members.add(name, in_shape(base, &field.shape)?)?.is_some() {
                    return Err(Error::new(Status::BadDatatype, "two fields of the record have the same name"));
                }
            }
            (NdlDatatype::new(DatatypeKind::Compound(members))?, kept)
        }
    })
}

fn in_shape(base: NdlDatatype, shape: &[i64]) -> Result<NdlDatatype> {
    if shape.is_empty() {
        return Ok(base);
    }
    let shape: std::result::Result<Vec<u64>, _> = shape.iter().map(|&extent| u64::try_from(extent)).collect();
    let shape = shape.map_err(|_| Error::new(Status::BadDatatype, "an extent of a field is negative"))?;
    NdlDatatype::new(DatatypeKind::Array { base, shape })
}

/// Returns true if the same two fields would be read back as a complex number.
fn looks_complex(fields: &[Field]) -> bool {
    let [real, imaginary] = fields else { return false };
    let is = |field: &Field, name: &str| {
        let float = matches!(field.datatype.scalar(), Some(ScalarType::Float32 | ScalarType::Float64));
        field.name.as_deref() == Some(name) && field.shape.is_empty() && float
    };
    is(real, "r") && is(imaginary, "i") && real.datatype == imaginary.datatype
}

fn has_mixed_orders(fields: &[Field]) -> bool {
    let mut orders = Vec::new();
    for field in fields {
        collect_orders(&field.datatype, field.byteorder, &mut orders);
    }
    orders.windows(2).any(|pair| pair[0] != pair[1])
}

/// Collects the byte order of each scalar that is wider than one byte; `None` stands for that of the array.
fn collect_orders(datatype: &Datatype, order: Option<ByteOrder>, orders: &mut Vec<Option<ByteOrder>>) {
    match datatype {
        Datatype::Scalar(scalar) if scalar.unit() > 1 => orders.push(order),
        Datatype::Scalar(_) | Datatype::Ascii(_) => {}
        Datatype::Ucs4(_) => orders.push(order),
        Datatype::Record(fields) => {
            for field in fields.iter() {
                collect_orders(&field.datatype, field.byteorder.or(order), orders);
            }
        }
    }
}

/// Returns the byte order of all multi-byte scalars, or `None` if there are none or their orders differ.
pub(in crate::ndl::asdf) fn endian_of(datatype: &Datatype, order: ByteOrder) -> Option<ByteOrder> {
    let mut orders = Vec::new();
    collect_orders(datatype, None, &mut orders);
    let first = orders.first()?.unwrap_or(order);
    orders.iter().all(|other| other.unwrap_or(order) == first).then_some(first)
}

/// Returns the character set of all strings, or `None` if there are none or their sets differ.
pub(in crate::ndl::asdf) fn charset_of(datatype: &Datatype) -> Option<String> {
    let mut sets = Vec::new();
    collect_charsets(datatype, &mut sets);
    let first = *sets.first()?;
    sets.iter().all(|&other| other == first).then(|| first.to_owned())
}

fn collect_charsets(datatype: &Datatype, sets: &mut Vec<&'static str>) {
    match datatype {
        Datatype::Ascii(_) => sets.push("ascii"),
        Datatype::Ucs4(_) => sets.push("ucs4"),
        Datatype::Scalar(_) => {}
        Datatype::Record(fields) => fields.iter().for_each(|field| collect_charsets(&field.datatype, sets)),
    }
}

/// Returns true if elements must be stored in the tree: lists of any length, references, and a single text.
pub(in crate::ndl::asdf) fn is_in_tree(datatype: &NdlDatatype, rank: usize) -> bool {
    match datatype.kind() {
        DatatypeKind::Vlen(_) | DatatypeKind::Objref | DatatypeKind::Regref(_) => true,
        DatatypeKind::String => rank == 0,
        _ => false,
    }
}
