//! Describes one array of an ASDF file: shape, datatype, storage, mask and values.

use super::values;
use crate::array::{Array, ArraySource, Datatype, Field, ReadOptions};
use crate::codec::Label;
use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::ndl::asdf::shared::choice::Choice;
use crate::ndl::asdf::shared::datatype::{charset_of, datatype_of, endian_of};
use crate::ndl::asdf::shared::filters::{filter_of, filter_of_stage};
use crate::ndl::asdf::shared::mask::{self, DeclaredMask, MaskNumber};
use crate::ndl::asdf::shared::names::{Facts, INLINE};
use crate::ndl::asdf::shared::reference::target;
use crate::ndl::{
    Content, Datatype as NdlDatatype, DatatypeKind, Dimension, Elements, Filter, FloatType, IntegerType, Ndarray,
    Storage, Value,
};
use crate::reserve::collected;
use crate::source::try_zeroed;

/// The parts of the description of one array.
pub(super) struct ArrayParts {
    pub(super) ndarray: Ndarray,
    pub(super) facts: Facts,
    pub(super) notes: Vec<String>,
    /// The mask, if it is an array inside this one.
    pub(super) mask: Option<Box<ArrayParts>>,
    /// True if some elements are null.
    has_nulls: bool,
}

impl ArrayParts {
    /// Describes the array at a node. `path` becomes its path name.
    pub(super) fn of(node: &Node, path: &str, choice: &Choice) -> Result<ArrayParts> {
        let mut parts = ArrayParts::without_mask(node, path, choice)?;
        if parts.has_nulls {
            match ArrayParts::missing(node, path, &mut parts, choice) {
                Ok(missing) => parts.mask = Some(Box::new(missing)),
                Err(error) if error.is_of_machine() => return Err(error),
                Err(error) => parts.notes.push(format!("the mask is left out: {}", error.message())),
            }
            return Ok(parts);
        }
        let Some(mask) = Error::readable(node.at(mask::KEY))? else { return Ok(parts) };
        if let Some(uri) = mask.reference("")? {
            let root = node.file().root()?;
            let content = target(&root, &uri)?.map_or_else(|| DeclaredMask::elsewhere(uri), Content::text);
            parts.facts.push((mask::KEY, content));
        } else if mask.is_array("")? {
            parts.mask = Some(Box::new(ArrayParts::without_mask(&mask, path, choice)?));
        } else {
            parts.mask_number(&mask)?;
        }
        Ok(parts)
    }

    /// Describes the mask array inside the array with the path name `array`.
    pub(super) fn of_mask(mask: &Node, array: &str, choice: &Choice) -> Result<ArrayParts> {
        ArrayParts::without_mask(mask, array, choice)
    }

    /// Returns a boolean array in the tree that marks the null elements of an array.
    fn missing(node: &Node, path: &str, parts: &mut ArrayParts, choice: &Choice) -> Result<ArrayParts> {
        parts.notes.push("null elements are described by a mask".to_owned());
        let array = choice.array(node)?;
        let mut ndarray = Ndarray {
            shape: parts.ndarray.shape.clone(),
            datatype: Some(NdlDatatype::boolean()),
            ..Ndarray::default()
        };
        if choice.includes_values(path, false, true) {
            let count = usize::try_from(array.element_count()).map_err(|_| Error::out_of_memory(u64::MAX))?;
            let mut missing = try_zeroed(count)?;
            array.read_mask(None, &mut missing, &ReadOptions::default())?;
            // The constants of the boolean enumeration are in the order FALSE, TRUE.
            let truths = collected(missing.into_iter().map(|missing| Ok(u32::from(missing))))?;
            let shape = array.shape().iter().map(|extent| extent.unsigned_abs()).collect();
            ndarray.value = Some(Value::new(shape, Elements::Constants(truths), &NdlDatatype::boolean())?);
        }
        let facts = vec![("kind", Content::text(INLINE))];
        Ok(ArrayParts { ndarray, facts, notes: Vec::new(), mask: None, has_nulls: false })
    }

    /// Describes the array without its mask. `path` decides if the options ask for its values.
    fn without_mask(node: &Node, path: &str, choice: &Choice) -> Result<ArrayParts> {
        let array = choice.array(node)?;
        let (datatype, kept) = datatype_of(array.datatype(), choice.options)?;
        let mut facts = Vec::new();
        if kept {
            facts.push(("datatype", content_of(array.datatype())?));
        }
        let storage = storage_of(node, &array, &mut facts)?;
        let ndarray = Ndarray { storage, ..Ndarray::default() };
        let has_nulls = array.has_null_elements();
        let mut parts = ArrayParts { ndarray, facts, notes: Vec::new(), mask: None, has_nulls };
        parts.shape(node, &array)?;
        if choice.includes_values(path, false, array.is_inline()) {
            match values::read(&array, &datatype, choice) {
                Ok(value) => parts.ndarray.value = Some(value),
                Err(error) if error.is_of_machine() || error.status() == Status::Limit => return Err(error),
                Err(error) => parts.notes.push(format!("the values are left out: {}", error.message())),
            }
        }
        parts.ndarray.datatype = Some(datatype);
        Ok(parts)
    }

    /// Sets the extents. The first extent of a streamed array, whose number of rows follows from its block, is
    /// unlimited.
    fn shape(&mut self, node: &Node, array: &Array) -> Result<()> {
        let stored =
            array.shape().iter().map(|&extent| u64::try_from(extent)).collect::<std::result::Result<Vec<_>, _>>();
        let stored = stored.map_err(|_| Error::new(Status::BadArray, "an extent is negative"))?;
        let mut dimensions: Vec<Dimension> = stored.iter().map(|&extent| Dimension::fixed(extent)).collect();
        let is_streamed = Error::readable(node.string("shape/0"))?.is_some_and(|first| first == "*");
        if let (true, Some(first)) = (is_streamed, dimensions.first_mut()) {
            *first = Dimension::unlimited();
            self.ndarray.storage.shape = Some(stored);
        }
        self.ndarray.shape = Some(dimensions);
        Ok(())
    }

    /// Describes a numeric mask as a fill value, its nearest form in NDL.
    fn mask_number(&mut self, mask: &Node) -> Result<()> {
        let Some(datatype) = &self.ndarray.datatype else { return Ok(()) };
        let number = MaskNumber::at(mask)?;
        let elements = match (datatype.kind(), number) {
            (DatatypeKind::Integer(IntegerType::Uint64), Some(MaskNumber::Integer(number))) => {
                u64::try_from(number).ok().map(|number| Elements::Unsigned(vec![number]))
            }
            (DatatypeKind::Integer(_), Some(MaskNumber::Integer(number))) => {
                i64::try_from(number).ok().map(|number| Elements::Integers(vec![number]))
            }
            (DatatypeKind::Float(FloatType::Float32), Some(MaskNumber::Float(number))) => {
                // A number beyond the range of `float32` cannot equal an element.
                let fits = number.is_infinite() || !(number as f32).is_infinite();
                fits.then(|| Elements::Float32(vec![number as f32]))
            }
            (DatatypeKind::Float(FloatType::Float32), Some(MaskNumber::Integer(_))) => {
                mask.f64("").ok().map(|number| Elements::Float32(vec![number as f32]))
            }
            (DatatypeKind::Float(FloatType::Float64), Some(MaskNumber::Float(number))) => {
                Some(Elements::Float64(vec![number]))
            }
            (DatatypeKind::Float(FloatType::Float64), Some(MaskNumber::Integer(_))) => {
                mask.f64("").ok().map(|number| Elements::Float64(vec![number]))
            }
            _ => None,
        };
        match elements.and_then(|elements| Value::scalar(elements, datatype).ok()) {
            Some(value) => {
                self.ndarray.storage.fillvalue = Some(value);
                self.facts.push((mask::KEY, Content::text(mask::IS_FILL_VALUE)));
                self.notes.push("the number of the mask is described as the fill value".to_owned());
            }
            None => {
                self.facts.extend(number.map(|number| (mask::KEY, number.content())));
                self.notes.push("the mask has no form in NDL and is left out".to_owned());
            }
        }
        Ok(())
    }
}

/// Returns byte order, character set and compression. Adds the location of the elements to `facts`.
pub(super) fn storage_of(node: &Node, array: &Array, facts: &mut Facts) -> Result<Storage> {
    let mut storage = Storage { charset: charset_of(array.datatype()), ..Storage::default() };
    if array.is_inline() {
        facts.push(("kind", Content::text(INLINE)));
        return Ok(storage);
    }
    storage.endian = endian_of(array.datatype(), array.byteorder());
    match array.source() {
        Some(ArraySource::Uri(uri) | ArraySource::OtherFormat(uri)) => facts.push(("source", Content::text(uri))),
        Some(ArraySource::Block(index)) => {
            let label = array.data_file()?.block(*index)?.compression;
            storage.filter = (label != Label::NONE).then(|| vec![filter_of(label)]);
        }
        Some(ArraySource::Chunks) => {
            let chunk = array.chunk_shape().filter(|chunk| !chunk.is_empty());
            storage.chunk = chunk.map(|chunk| chunk.iter().map(|extent| extent.unsigned_abs()).collect());
            let mut filters: Vec<Filter> = array.chunk_stages().iter().map(filter_of_stage).collect();
            let label = Error::readable(array.chunk_label())?.flatten().filter(|label| *label != Label::NONE);
            filters.extend(label.map(filter_of));
            storage.filter = (!filters.is_empty()).then_some(filters);
        }
        Some(ArraySource::Inline(_)) | None => {}
    }
    if let Some(count) = Error::readable(node.count("strides"))? {
        let strides: Result<Vec<Content>> =
            (0..count).map(|axis| Ok(Content::plain(node.integer(&format!("strides/{axis}"))?))).collect();
        facts.push(("strides", Content::List(strides?)));
    }
    if let Some(offset @ 1..) = Error::readable(node.i64("offset"))? {
        facts.push(("offset", Content::plain(offset.to_string())));
    }
    Ok(storage)
}

/// Returns a datatype in the form of the ASDF tree.
fn content_of(datatype: &Datatype) -> Result<Content> {
    let sized = |name: &str, length: u64| Content::List(vec![Content::text(name), Content::plain(length.to_string())]);
    Ok(match datatype {
        Datatype::Scalar(scalar) => Content::text(scalar.name()),
        Datatype::Ascii(length) => sized("ascii", *length),
        Datatype::Ucs4(length) => sized("ucs4", *length),
        Datatype::Record(fields) => Content::List(collected(fields.iter().map(content_of_field))?),
    })
}

fn content_of_field(field: &Field) -> Result<Content> {
    let mut pairs = Vec::new();
    if let Some(name) = &field.name {
        pairs.push(("name", Content::text(name)));
    }
    if let Some(order) = field.byteorder {
        pairs.push(("byteorder", Content::text(order.name())));
    }
    if !field.shape.is_empty() {
        let shape = field.shape.iter().map(|extent| Content::plain(extent.to_string())).collect();
        pairs.push(("shape", Content::List(shape)));
    }
    let datatype = content_of(&field.datatype)?;
    if pairs.is_empty() {
        return Ok(datatype);
    }
    pairs.push(("datatype", datatype));
    Ok(Content::mapping(pairs))
}
