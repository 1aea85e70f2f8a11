//! Regions of arrays as numbers or texts.

use crate::answer::{Answer, check_size, refused};
use crate::opened::Opened;
use crate::request::Request;
use asdfkit::array::{Array, Datatype, ReadOptions, Region, ScalarType};
use asdfkit::file::{Node, NodeType};
use asdfkit::{Error, NodeKind, Result, Status};
use serde_json::json;

/// Returns the array at a node, also that of a quantity, a column or a time.
pub(crate) fn array_of(node: &Node) -> Result<Option<Array>> {
    if node.is_array("")? {
        return Ok(Some(node.array("")?));
    }
    if matches!(node.kind("")?, NodeKind::Quantity | NodeKind::Column | NodeKind::Time)
        && node.node_type("")? == NodeType::Mapping
    {
        for key in ["value", "data"] {
            if node.exists(key)? && node.is_array(key)? {
                return Ok(Some(node.array(key)?));
            }
        }
    }
    Ok(None)
}

/// Returns the array that a request names by a path, and a field.
pub(crate) fn requested_array(opened: &Opened, request: &Request) -> Result<Array> {
    let node = opened.file()?.root()?.at(request.text("path")?)?;
    let array = array_of(&node)?.ok_or_else(|| refused("there is no array at this path"))?;
    match request.optional_text("field") {
        Some(field) => array.field(field),
        None => Ok(array),
    }
}

/// Returns a datatype as text.
pub(crate) fn datatype_text(datatype: &Datatype) -> String {
    match datatype {
        Datatype::Scalar(scalar) => scalar.name().to_owned(),
        Datatype::Ascii(length) => format!("ascii({length})"),
        Datatype::Ucs4(length) => format!("ucs4({length})"),
        Datatype::Record(fields) => format!("record of {} fields", fields.len()),
    }
}

/// A part of an array.
pub(crate) struct Part {
    pub(crate) start: Vec<i64>,
    pub(crate) count: Vec<i64>,
    pub(crate) step: Vec<i64>,
}

impl Part {
    /// Returns the number of elements.
    pub(crate) fn element_count(&self) -> Result<usize> {
        let count = self.count.iter().try_fold(1_u64, |all, count| all.checked_mul(u64::try_from(*count).ok()?));
        check_size(count.ok_or_else(|| refused("the counts are negative or too large"))?)
    }

    /// Reads the elements as one datatype, and which of them are missing; the latter is empty without a mask.
    pub(crate) fn read(&self, array: &Array, datatype: &Datatype) -> Result<(Vec<u8>, Vec<u8>)> {
        let region = Region { start: &self.start, count: &self.count, step: Some(&self.step) };
        let elements = self.element_count()?;
        let mut bytes = zeroed(check_size(array.region_size(&self.count, datatype)?)?)?;
        let options = ReadOptions::default();
        if !array.is_masked() {
            array.read_region(&region, datatype, &mut bytes, &options)?;
            return Ok((bytes, Vec::new()));
        }
        let mut mask = zeroed(elements)?;
        array.read_masked(Some(&region), datatype, &mut bytes, &mut mask, &options)?;
        Ok((bytes, mask))
    }
}

fn zeroed(size: usize) -> Result<Vec<u8>> {
    asdfkit::source::try_zeroed(size)
}

/// Reads a region. The answer has the elements in C order, then the mask if there is one.
pub(crate) fn read(opened: &Opened, request: &Request) -> Result<Answer> {
    let array = requested_array(opened, request)?;
    let shape = array.shape();
    let part = Part {
        start: request.integers("start")?.unwrap_or_else(|| vec![0; shape.len()]),
        count: match request.integers("count")? {
            Some(count) => count,
            None => shape.to_vec(),
        },
        step: request.integers("step")?.unwrap_or_else(|| vec![1; shape.len()]),
    };
    let datatype = match array.datatype() {
        // JavaScript has no type of this width everywhere.
        Datatype::Scalar(ScalarType::Float16) => Datatype::Scalar(ScalarType::Float32),
        Datatype::Record(_) => return Err(refused("the elements are records: name a field")),
        other => other.clone(),
    };
    let (mut bytes, mask) = part.read(&array, &datatype)?;
    let mut json = json!({
        "datatype": datatype_text(&datatype),
        "shape": part.count,
        "masked": !mask.is_empty(),
        "elementBytes": bytes.len(),
    });
    let elements = part.element_count()?;
    match datatype {
        Datatype::Ascii(length) => {
            json["texts"] = json!(texts(&bytes, elements, length as usize, |text| std::str::from_utf8(text)
                .map(str::to_owned)
                .ok())?);
            bytes.clear();
        }
        Datatype::Ucs4(length) => {
            json["texts"] = json!(texts(&bytes, elements, 4 * length as usize, of_ucs4)?);
            bytes.clear();
        }
        _ => {}
    }
    if json["texts"].is_array() {
        json["elementBytes"] = json!(0);
    }
    bytes.extend_from_slice(&mask);
    Ok(Answer { json, bytes })
}

fn texts(bytes: &[u8], count: usize, size: usize, decode: impl Fn(&[u8]) -> Option<String>) -> Result<Vec<String>> {
    let wrong = || Error::new(Status::Corrupt, "an element is no valid text");
    let text = |element: &[u8]| decode(element).map(|text| text.trim_end_matches('\0').to_owned()).ok_or_else(wrong);
    // Texts of length zero have no bytes, but each takes memory here.
    check_size((count as u64).saturating_mul(size_of::<String>() as u64))?;
    (0..count).map(|index| text(bytes.get(index * size..(index + 1) * size).unwrap_or_default())).collect()
}

fn of_ucs4(element: &[u8]) -> Option<String> {
    let code = |unit: &[u8]| unit.try_into().ok().map(u32::from_ne_bytes).and_then(char::from_u32);
    element.chunks_exact(4).map(code).collect()
}
