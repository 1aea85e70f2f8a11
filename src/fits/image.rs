//! New HDUs with the elements of arrays as images.

use super::array::moved_half;
use super::cards::Cards;
use super::conversion::Conversion;
use super::converted::{ConvertedSource, Part};
use crate::array::{ByteOrder, ScalarType};
use crate::source::{PartSource, Source};
use std::sync::Arc;

/// Most characters of a name that fits into one card.
const MOST_NAME: usize = 60;

/// Elements of an array, in C order without gaps.
pub(crate) struct ImageElements<'a> {
    pub(crate) source: Arc<dyn Source>,
    /// First byte of the elements in the source.
    pub(crate) offset: u64,
    pub(crate) scalar: ScalarType,
    pub(crate) byteorder: ByteOrder,
    pub(crate) shape: &'a [i64],
    pub(crate) count: u64,
}

/// A new HDU.
pub(crate) struct NewImage {
    pub(crate) header: Vec<u8>,
    /// Data without the zeros after them.
    pub(crate) data: Arc<dyn Source>,
}

impl NewImage {
    /// Returns an image extension; `None` if images have no such elements.
    pub(crate) fn new(elements: &ImageElements, name: &str, version: u64) -> Option<NewImage> {
        let (stored, half) = stored_type(elements.scalar)?;
        let bits = 8 * stored.size() as i64;
        let is_float = matches!(stored, ScalarType::Float32 | ScalarType::Float64);
        let mut cards = Cards::new();
        cards.add_text("XTENSION", "IMAGE", "Image extension");
        cards.add("BITPIX", &(if is_float { -bits } else { bits }).to_string(), "array data type");
        cards.add("NAXIS", &elements.shape.len().to_string(), "number of array dimensions");
        for (axis, extent) in elements.shape.iter().rev().enumerate() {
            cards.add(&format!("NAXIS{}", axis + 1), &extent.to_string(), "");
        }
        cards.add("PCOUNT", "0", "number of parameters");
        cards.add("GCOUNT", "1", "number of groups");
        if let Some(half) = half {
            cards.add("BSCALE", "1", "");
            cards.add("BZERO", &format!("{half:.0}"), "");
        }
        cards.add_text("EXTNAME", name, "extension name");
        cards.add("EXTVER", &version.to_string(), "extension value");
        let size = stored.size();
        let conversion = Conversion::Arrange {
            size,
            is_swapped: elements.byteorder == ByteOrder::Little && size > 1,
            is_flipped: half.is_some(),
        };
        let length = elements.count * size as u64;
        let data: Arc<dyn Source> = match conversion {
            Conversion::Arrange { is_swapped: false, is_flipped: false, .. } => {
                Arc::new(PartSource::new(elements.source.clone(), elements.offset..elements.offset + length))
            }
            _ => Arc::new(ConvertedSource {
                source: elements.source.clone(),
                offset: elements.offset,
                count: 1,
                stored_size: length,
                size: length,
                parts: vec![Part { stored: 0, first: 0, count: elements.count, conversion, heap: None }],
            }),
        };
        Some(NewImage { header: cards.end().bytes().to_vec(), data })
    }
}

/// Returns the type of the stored values, and the offset of those whose range is moved; `None` if images have no such
/// type.
fn stored_type(scalar: ScalarType) -> Option<(ScalarType, Option<f64>)> {
    let stored = [ScalarType::Uint8, ScalarType::Int16, ScalarType::Int32, ScalarType::Int64];
    match scalar {
        ScalarType::Float32 | ScalarType::Float64 => Some((scalar, None)),
        _ if stored.contains(&scalar) => Some((scalar, None)),
        _ => stored.into_iter().find_map(|stored| {
            moved_half(stored).filter(|(moved, _)| *moved == scalar).map(|(_, half)| (stored, Some(half)))
        }),
    }
}

/// Returns the header of a primary HDU without data. `model` is the value of `DATAMODL`.
pub(crate) fn primary_header(model: Option<&str>) -> Vec<u8> {
    let mut cards = Cards::new();
    cards.add("SIMPLE", "T", "conforms to FITS standard");
    cards.add("BITPIX", "8", "array data type");
    cards.add("NAXIS", "0", "number of array dimensions");
    cards.add("EXTEND", "T", "");
    if let Some(model) = model {
        cards.add_text("DATAMODL", model, "Type of data model");
    }
    cards.end().bytes().to_vec()
}

/// Returns the name of an HDU for the array with this key: capital letters, digits and `_`.
pub(crate) fn hdu_name(key: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' };
    let name: String = key.chars().take(MOST_NAME).map(letter).collect();
    match name.as_str() {
        "" => "DATA".to_owned(),
        // These names have a meaning of their own.
        "ASDF" | "PRIMARY" => name + "_",
        _ => name,
    }
}
