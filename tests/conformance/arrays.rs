//! Compares an array with its description in a manifest: shape, datatype, byte order, mask, MD5 of the elements.

use crate::hex::hex;
use crate::typed_json::{Comparison, hex_float, same_float};
use crate::walk::read;
use asdfkit::Error;
use asdfkit::array::{ByteOrder, Datatype, Field, ScalarType};
use asdfkit::file::{Node, NodeType};
use asdfkit::internals::md5;
use serde_json::Value;

pub(crate) fn compare(comparison: &mut Comparison, expected: &Value, node: &Node, at: &str) -> Result<(), Error> {
    if !node.is_array("")? {
        comparison.findings.differ(at, "is not an array");
        return Ok(());
    }
    let scalar = expected["datatype"].as_str().and_then(ScalarType::from_name);
    let masked = expected.get("mask_md5").is_some();
    let array = match node.array("") {
        Ok(array) => array,
        Err(error) => {
            comparison.findings.error(at, &error);
            return Ok(());
        }
    };
    let findings = &mut *comparison.findings;
    findings.same(at, "the shape", Some(array.shape().to_vec()), integers(&expected["shape"]));
    // Inline elements have no byte order; the manifest contains the byte order of the machine on which it was made.
    let order = (!is_inline(node)).then(|| array.byteorder());
    if !same_datatype(array.datatype(), order, &expected["datatype"]) {
        findings.differ(at, format_args!("the datatype is {}, expected {}", array.datatype(), expected["datatype"]));
    }
    if let (Some(expected), Some(order)) = (expected["byteorder"].as_str(), order) {
        findings.same(at, "the byte order", order.name(), expected);
    }
    findings.same(at, "having a mask", array.is_masked(), masked);
    match read(&array) {
        Ok((elements, mask)) => {
            if masked {
                findings.same(
                    at,
                    "the MD5 of the mask",
                    Some(hex(&md5(&mask)).as_str()),
                    expected["mask_md5"].as_str(),
                );
                let missing = mask.iter().filter(|&&byte| byte == 1).count() as u64;
                findings.same(at, "the number of missing elements", Some(missing), expected["mask_count"].as_u64());
            }
            let elements = little_endian(elements, array.datatype());
            let (found, wanted) = (hex(&md5(&elements)), &expected["md5_le"]);
            // Text does not distinguish NaNs.
            let other_nans = || hex(&md5(&with_negative_nans(&elements, array.datatype())));
            if found != *wanted && !(is_inline(node) && other_nans() == *wanted) {
                findings.differ(at, format_args!("the MD5 of the elements is {found}, expected {wanted}"));
            }
            findings.same(at, "the bytes of the elements", Some(elements.len() as u64), expected["nbytes"].as_u64());
            for (index, expected) in expected["first"].as_array().into_iter().flatten().enumerate() {
                if let Some(scalar) = scalar
                    && !same_element(scalar, elements.get(index * scalar.size()..).unwrap_or_default(), expected)
                {
                    findings.differ(at, format_args!("element {index} is not {expected}"));
                }
            }
        }
        Err(error) => findings.error(at, &error),
    }
    Ok(())
}

fn is_inline(node: &Node) -> bool {
    node.node_type("").is_ok_and(|kind| kind == NodeType::Sequence) || node.at("data").is_ok()
}

fn integers(value: &Value) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Value::as_i64).collect()
}

/// Returns whether a datatype matches the manifest, including the byte orders of the fields of records if they have one.
fn same_datatype(datatype: &Datatype, order: Option<ByteOrder>, expected: &Value) -> bool {
    match datatype {
        Datatype::Scalar(scalar) => expected.as_str() == Some(scalar.name()),
        Datatype::Ascii(length) => *expected == serde_json::json!(["ascii", length]),
        Datatype::Ucs4(length) => *expected == serde_json::json!(["ucs4", length]),
        Datatype::Record(fields) => {
            let expected = expected.as_array().map(Vec::as_slice).unwrap_or_default();
            fields.len() == expected.len()
                && fields
                    .iter()
                    .zip(expected)
                    .enumerate()
                    .all(|(index, (field, expected))| same_field(field, &format!("f{index}"), order, expected))
        }
    }
}

fn same_field(field: &Field, default_name: &str, order: Option<ByteOrder>, expected: &Value) -> bool {
    let order = order.map(|order| field.byteorder.unwrap_or(order));
    let name = field.name.as_deref().unwrap_or(default_name);
    // If the bytes of an element have no order, the manifest contains none.
    let is_order = |name: &str| order.is_none_or(|order| order.name() == name);
    expected["name"].as_str() == Some(name)
        && expected["byteorder"].as_str().is_none_or(is_order)
        && expected.get("shape").map_or(Some(Vec::new()), integers).as_ref() == Some(&field.shape)
        && same_datatype(&field.datatype, order, &expected["datatype"])
}

/// Returns the elements with the bytes of each number in little-endian order. The input has the byte order of this
/// machine.
fn little_endian(mut elements: Vec<u8>, datatype: &Datatype) -> Vec<u8> {
    if cfg!(target_endian = "big") {
        swap(&mut elements, datatype);
    }
    elements
}

/// Swaps the bytes of each number of packed elements.
fn swap(elements: &mut [u8], datatype: &Datatype) {
    match datatype {
        Datatype::Scalar(scalar) => elements.chunks_exact_mut(scalar.unit()).for_each(<[u8]>::reverse),
        Datatype::Ascii(_) => {}
        Datatype::Ucs4(_) => elements.chunks_exact_mut(4).for_each(<[u8]>::reverse),
        Datatype::Record(fields) => {
            let size = datatype.item_size().unwrap_or_default() as usize;
            for mut rest in elements.chunks_exact_mut(size.max(1)) {
                for field in fields.iter() {
                    let count: i64 = field.shape.iter().product();
                    let bytes = field.datatype.item_size().unwrap_or_default() as usize * count as usize;
                    let (part, after) = rest.split_at_mut(bytes);
                    swap(part, &field.datatype);
                    rest = after;
                }
            }
        }
    }
}

/// Returns little-endian floats with every NaN in the form that PyYAML creates from `.nan`: quiet, with the sign that
/// the processor gives it.
fn with_negative_nans(elements: &[u8], datatype: &Datatype) -> Vec<u8> {
    let mut out = elements.to_vec();
    match datatype.scalar() {
        Some(ScalarType::Float16) => out.as_chunks_mut().0.iter_mut().for_each(|bytes| {
            if u16::from_le_bytes(*bytes) & 0x7FFF > 0x7C00 {
                *bytes = 0xFE00_u16.to_le_bytes();
            }
        }),
        Some(ScalarType::Float32) => out.as_chunks_mut().0.iter_mut().for_each(|bytes| {
            if f32::from_le_bytes(*bytes).is_nan() {
                *bytes = 0xFFC0_0000_u32.to_le_bytes();
            }
        }),
        Some(ScalarType::Float64) => out.as_chunks_mut().0.iter_mut().for_each(|bytes| {
            if f64::from_le_bytes(*bytes).is_nan() {
                *bytes = 0xFFF8_0000_0000_0000_u64.to_le_bytes();
            }
        }),
        _ => {}
    }
    out
}

/// Returns whether little-endian bytes begin with the element in the manifest.
fn same_element(scalar: ScalarType, bytes: &[u8], expected: &Value) -> bool {
    let Some(bytes) = bytes.get(..scalar.size()) else { return false };
    let float = |bytes: &[u8], expected: &Value| {
        let value = match bytes.len() {
            4 => bytes.try_into().map(f32::from_le_bytes).map(f64::from),
            _ => bytes.try_into().map(f64::from_le_bytes),
        };
        value.is_ok_and(|value| {
            expected.as_str().and_then(hex_float).is_some_and(|expected| same_float(value, expected))
        })
    };
    match scalar {
        ScalarType::Float32 | ScalarType::Float64 => float(bytes, expected),
        ScalarType::Complex64 | ScalarType::Complex128 => {
            let (real, imaginary) = bytes.split_at(scalar.unit());
            float(real, &expected[0]) && float(imaginary, &expected[1])
        }
        // Not computed here; the MD5 is checked.
        ScalarType::Float16 => true,
        ScalarType::Bool8 => expected.as_bool() == Some(bytes != [0]),
        _ => {
            let signed = matches!(scalar, ScalarType::Int8 | ScalarType::Int16 | ScalarType::Int32 | ScalarType::Int64);
            let negative = signed && bytes.last().is_some_and(|&byte| byte > 127);
            let mut wide = [if negative { 255 } else { 0 }; 16];
            wide[..bytes.len()].copy_from_slice(bytes);
            let expected = expected.as_i64().map(i128::from).or(expected.as_u64().map(i128::from));
            expected == Some(i128::from_le_bytes(wide))
        }
    }
}
