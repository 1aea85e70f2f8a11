//! Arrays of numpy in YAML that is not ASDF: type, shape, order, and bytes in base64.

use super::keys::text;
use crate::array::{Datatype, Order, ReadOptions, ScalarType};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, Node, NodeType};
use crate::table::serialized::append_text;
use crate::tree::edit::Content;
use crate::tree::scalar::{binary_text, decode_base64};
use crate::tree::{NodeId, Style, Tree};

/// Tag of such arrays.
pub(super) const ARRAY_TAG: &str = "!numpy.ndarray";
/// Tag of tuples of Python.
const TUPLE_TAG: &str = "tag:yaml.org,2002:python/tuple";
/// Maximum size in bytes of an array that is written into YAML.
const MAX_BYTES: u64 = 64 << 20;

/// An array with its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EncodedArray {
    pub(super) datatype: Datatype,
    pub(super) shape: Vec<i64>,
    order: Order,
    bytes: Vec<u8>,
}

impl EncodedArray {
    /// Reads the array of a node of YAML; `None` if its type or size is not known.
    pub(super) fn of_yaml(node: &Node) -> Result<Option<EncodedArray>> {
        if node.node_type("")? != NodeType::Mapping || !node.exists("buffer")? || !node.exists("shape")? {
            return Ok(None);
        }
        let Some(datatype) = text(node, "dtype")?.and_then(|name| datatype(&name)) else { return Ok(None) };
        // astropy encodes the bytes, and YAML encodes the text of these.
        let encoded = match node.node_type("buffer")? {
            NodeType::Binary => String::from_utf8(node.binary("buffer")?).ok(),
            NodeType::String => Some(node.text("buffer")?),
            _ => None,
        };
        let Some(bytes) = encoded.and_then(|text| decode_base64(&text)) else { return Ok(None) };
        let mut shape = Vec::new();
        for index in 0..node.count("shape")? {
            shape.push(node.i64(&format!("shape/{index}"))?);
        }
        let order = if text(node, "order")?.as_deref() == Some("F") { Order::Fortran } else { Order::C };
        let item = i64::try_from(datatype.item_size()?).unwrap_or(i64::MAX);
        let size = shape.iter().try_fold(item, |size, &extent| size.checked_mul(extent).filter(|_| extent >= 0));
        let is_whole = size.is_some_and(|size| usize::try_from(size) == Ok(bytes.len()));
        // numpy of a machine of another byte order names the order in the type.
        Ok((is_whole && cfg!(target_endian = "little")).then_some(EncodedArray { datatype, shape, order, bytes }))
    }

    /// Reads the array of an ASDF file, up to 64 MiB.
    pub(super) fn of_array(node: &Node) -> Result<EncodedArray> {
        let array = node.array("")?;
        if array.is_masked() {
            let message = "an array with missing elements cannot be in metadata of ECSV";
            return Err(node.locate(Error::new(Status::Masked, message)));
        }
        let datatype = array.datatype().clone();
        if name(&datatype).is_none() {
            let message = format!("an array of {datatype} cannot be in metadata of ECSV");
            return Err(node.locate(Error::new(Status::Unsupported, message)));
        }
        if (array.element_count() as u64).saturating_mul(datatype.item_size()?) > MAX_BYTES {
            return Err(node.locate(Error::limit("the bytes of an array in metadata", MAX_BYTES)));
        }
        let (bytes, _) = array.load(&datatype, false, &ReadOptions::default())?;
        let (shape, bytes) = (array.shape().to_vec(), bytes.as_ref().to_vec());
        Ok(EncodedArray { datatype, shape, order: Order::C, bytes })
    }

    /// Returns the elements as binary64; `None` if they have another type.
    pub(super) fn doubles(&self) -> Option<Vec<f64>> {
        let is_row = self.shape.len() < 2 || self.order == Order::C;
        let is_double = self.datatype == Datatype::Scalar(ScalarType::Float64);
        let (values, _) = self.bytes.as_chunks();
        (is_double && is_row).then(|| values.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect())
    }

    /// Makes an array of binary64 numbers.
    pub(super) fn of_doubles(values: &[f64], shape: &[i64]) -> EncodedArray {
        let bytes = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        let datatype = Datatype::Scalar(ScalarType::Float64);
        EncodedArray { datatype, shape: shape.to_vec(), order: Order::C, bytes }
    }

    /// Returns the first element, if it is text.
    pub(super) fn first_text(&self) -> Option<String> {
        let size = usize::try_from(self.datatype.item_size().ok()?).ok()?;
        let first = self.bytes.get(..size)?;
        let text: String = match self.datatype {
            Datatype::Ascii(_) => first.iter().map(|byte| char::from(*byte)).collect(),
            Datatype::Ucs4(_) => {
                let (units, _) = first.as_chunks();
                units.iter().map(|unit| char::from_u32(u32::from_ne_bytes(*unit)).unwrap_or_default()).collect()
            }
            _ => return None,
        };
        Some(text.trim_end_matches('\0').to_owned())
    }

    /// Stores the array in an ASDF file.
    pub(super) fn set(&self, node: &Node, options: &ArrayOptions) -> Result<()> {
        let (datatype, bytes, order) = (self.datatype.clone(), ArrayBytes::Copied(&self.bytes), self.order.clone());
        node.set_array_data("", &ArrayData { datatype, shape: &self.shape, bytes, order }, options)
    }

    /// Appends the array to a mapping of YAML, as astropy writes it on a little-endian machine.
    pub(super) fn append(&self, tree: &mut Tree, mapping: NodeId, key: &str) {
        let place = tree.append_pair(mapping, key, Content::Mapping(Style::Block));
        tree.set_tag(place, Some(ARRAY_TAG));
        let text = binary_text(binary_text(&self.little_endian()).replace('\n', "").as_bytes());
        let buffer = tree.append_pair(place, "buffer", Content::Scalar(&text, Style::Literal));
        tree.set_tag(buffer, Some("tag:yaml.org,2002:binary"));
        append_text(tree, place, "dtype", &name(&self.datatype).unwrap_or_default());
        append_text(tree, place, "order", if self.order == Order::Fortran { "F" } else { "C" });
        let shape = tree.append_pair(place, "shape", Content::Sequence(Style::Flow));
        tree.set_tag(shape, Some(TUPLE_TAG));
        for extent in &self.shape {
            tree.append_item(shape, Content::Scalar(&extent.to_string(), Style::Plain));
        }
    }

    fn little_endian(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        let unit = match &self.datatype {
            Datatype::Scalar(ScalarType::Complex64) | Datatype::Ucs4(_) => 4,
            Datatype::Scalar(ScalarType::Complex128) => 8,
            Datatype::Scalar(scalar) => scalar.size(),
            _ => 1,
        };
        if cfg!(target_endian = "big") {
            bytes.chunks_exact_mut(unit.max(1)).for_each(<[u8]>::reverse);
        }
        bytes
    }
}

/// Returns the datatype with this name in numpy.
fn datatype(name: &str) -> Option<Datatype> {
    let length = |digits: &str| digits.parse::<u64>().ok().filter(|length| *length > 0);
    if let Some(digits) = name.strip_prefix("<U") {
        return length(digits).map(Datatype::Ucs4);
    }
    if let Some(digits) = name.strip_prefix("|S").or_else(|| name.strip_prefix('S')) {
        return length(digits).map(Datatype::Ascii);
    }
    let scalar = match name {
        "bool" => Some(ScalarType::Bool8),
        _ => ScalarType::from_name(name).filter(|scalar| *scalar != ScalarType::Bool8),
    };
    scalar.map(Datatype::Scalar)
}

/// Returns the name of a datatype in numpy; `None` for records.
fn name(datatype: &Datatype) -> Option<String> {
    match datatype {
        Datatype::Scalar(ScalarType::Bool8) => Some("bool".to_owned()),
        Datatype::Scalar(scalar) => Some(scalar.name().to_owned()),
        Datatype::Ucs4(length) => Some(format!("<U{length}")),
        Datatype::Ascii(length) => Some(format!("|S{length}")),
        Datatype::Record(_) => None,
    }
}
