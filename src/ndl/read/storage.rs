//! Reads storage directives.

use super::objects::Objects;
use super::reader::{Pair, Reader, shown};
use crate::array::ByteOrder;
use crate::error::Result;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Code, Datatype, DatatypeKind, Dimension, Filter, Size, Storage, is_extension_key};
use crate::reserve::push;
use crate::tree::{Kind, NodeId};

/// Kind of object that a storage belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ndl) enum StorageOf {
    Attribute,
    DimCoord,
    Ndarray,
}

impl StorageOf {
    fn allows(self, directive: &str) -> bool {
        match directive {
            "shape" => self == StorageOf::Ndarray,
            "size" => self == StorageOf::DimCoord,
            "endian" | "charset" => true,
            _ => self != StorageOf::Attribute,
        }
    }

    fn name(self) -> &'static str {
        match self {
            StorageOf::Attribute => "an attribute",
            StorageOf::DimCoord => "a dimension coordinate",
            StorageOf::Ndarray => "an ndarray",
        }
    }
}

impl<'r> Reader<'r, '_> {
    /// Reads the stored extent, which other objects may refer to. [`Reader::storage`] reads the other directives later.
    pub(super) fn stored_extent(
        &mut self,
        section: Option<Pair<'r>>,
        place: &str,
        of: StorageOf,
        shape: Option<&[Dimension]>,
    ) -> Storage {
        let mut storage = Storage::default();
        for pair in self.optional_pairs(section) {
            self.extent_directive(&mut storage, pair, place, of, shape);
        }
        storage
    }

    fn extent_directive(
        &mut self,
        storage: &mut Storage,
        pair: Pair,
        place: &str,
        of: StorageOf,
        shape: Option<&[Dimension]>,
    ) {
        match pair.name {
            "shape" if of == StorageOf::Ndarray => storage.shape = self.stored_shape(place, pair, shape),
            "size" if of == StorageOf::DimCoord => {
                let size = shape.and_then(|shape| shape.first()).map(|dimension| dimension.extent);
                storage.size = self.stored_size(place, pair, size.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn stored_shape(&mut self, place: &str, pair: Pair, shape: Option<&[Dimension]>) -> Option<Vec<u64>> {
        let stored = self.naturals(pair.value).filter(|stored| shape.is_none_or(|shape| stored.len() == shape.len()));
        let Some(stored) = stored else {
            let message = "the stored shape must be a list of integers, one for each dimension";
            self.report_value(Code::StorageShape, place, pair, message);
            return None;
        };
        let is_larger =
            |(&stored, dimension): (&u64, &Dimension)| dimension.extent.fixed().is_some_and(|most| stored > most);
        if stored.iter().zip(shape.unwrap_or_default()).any(is_larger) {
            self.report_value(Code::StorageShape, place, pair, "the stored shape must not exceed the shape");
            return None;
        }
        Some(stored)
    }

    fn stored_size(&mut self, place: &str, pair: Pair, size: Size) -> Option<u64> {
        let stored = self.natural(pair.value).filter(|&stored| size.fixed().is_none_or(|size| stored <= size));
        if stored.is_none() {
            let message = "the stored size must be an integer from 0 to the size";
            self.report_value(Code::StorageSize, place, pair, message);
        }
        stored
    }

    /// Reads all directives except the stored extent.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn storage(
        &mut self,
        storage: &mut Storage,
        section: Option<Pair<'r>>,
        place: &str,
        of: StorageOf,
        shape: Option<&[Dimension]>,
        datatype: Option<&Datatype>,
        objects: &Objects,
    ) {
        for pair in self.section(section, place) {
            self.directive(storage, pair, place, of, shape, datatype, objects);
        }
    }

    /// Reads one directive, except the stored extent.
    #[allow(clippy::too_many_arguments)]
    fn directive(
        &mut self,
        storage: &mut Storage,
        pair: Pair<'r>,
        place: &str,
        of: StorageOf,
        shape: Option<&[Dimension]>,
        datatype: Option<&Datatype>,
        objects: &Objects,
    ) {
        match pair.name {
            "shape" | "size" | "chunk" | "filter" | "endian" | "charset" | "fillvalue" if !of.allows(pair.name) => {
                let message = format!("the directive '{}' is not allowed for {}", pair.name, of.name());
                self.report(Code::StorageContext, place, pair.key, message);
            }
            "shape" | "size" => {}
            "chunk" => storage.chunk = self.chunk(place, pair, shape),
            "filter" => storage.filter = self.filters(place, pair),
            "endian" => storage.endian = self.endian(place, pair, datatype),
            "charset" => storage.charset = self.charset(place, pair, datatype),
            "fillvalue" => {
                storage.fillvalue =
                    datatype.and_then(|datatype| self.value(place, pair, Vec::new(), datatype, objects));
            }
            name if is_extension_key(name) => self.extend(&mut storage.extensions, pair),
            _ => self.unknown_key(place, pair, ""),
        }
    }

    /// Reads one directive of any kind.
    pub(super) fn single_directive(
        &mut self,
        storage: &mut Storage,
        pair: Pair<'r>,
        of: StorageOf,
        shape: Option<&[Dimension]>,
        datatype: Option<&Datatype>,
        objects: &Objects,
    ) {
        self.extent_directive(storage, pair, "", of, shape);
        self.directive(storage, pair, "", of, shape, datatype, objects);
    }

    /// Reports a fill value without a datatype, which is lost.
    pub(super) fn refuse_untyped_fill(&mut self, place: &str, section: Option<Pair<'r>>) {
        if let Some(pair) = self.optional_pairs(section).find(|pair| pair.name == "fillvalue") {
            self.report_value(
                Code::Infer,
                place,
                pair,
                "the datatype is missing, so the fill value cannot be read; give it under 'type'",
            );
        }
    }

    fn chunk(&mut self, place: &str, pair: Pair, shape: Option<&[Dimension]>) -> Option<Vec<u64>> {
        let fits = |chunk: &Vec<u64>| {
            !chunk.is_empty() && !chunk.contains(&0) && shape.is_none_or(|shape| shape.len() == chunk.len())
        };
        let Some(chunk) = self.naturals(pair.value).filter(fits) else {
            let message = "a chunk must be a list of integers from 1, one for each dimension; a scalar has no chunk";
            self.report_value(Code::Chunk, place, pair, message);
            return None;
        };
        let is_larger =
            |(&chunk, dimension): (&u64, &Dimension)| dimension.extent.fixed().is_some_and(|most| chunk > most);
        if chunk.iter().zip(shape.unwrap_or_default()).any(is_larger) {
            let message = "the chunk is larger than the shape; some formats refuse this";
            self.report_value(Code::ChunkLarge, place, pair, message);
        }
        Some(chunk)
    }

    fn filters(&mut self, place: &str, pair: Pair) -> Option<Vec<Filter>> {
        if self.kind(pair.value) != Kind::Sequence {
            self.report_value(
                Code::Filter,
                place,
                pair,
                "'filter' must be a list of filters, in the order in which they are applied on writing",
            );
            return None;
        }
        let mut filters = Some(Vec::new());
        for item in self.items(pair.value) {
            let filter = self.filter(item);
            let filter = self.held(filter)?;
            if filter.is_none() {
                let message = "a filter must be a name, or a mapping from its name to its parameters";
                let node = if self.is_omitted(item) { pair.key } else { item };
                self.report(Code::Filter, place, node, message);
            }
            filters = filters.zip(filter).and_then(|(mut filters, filter)| {
                self.held(push(&mut filters, filter))?;
                Some(filters)
            });
        }
        filters
    }

    fn filter(&self, node: NodeId) -> Result<Option<Filter>> {
        Ok(match self.kind(node) {
            Kind::Scalar if !self.is_null(node) && !self.tree.text(node).is_empty() => {
                Some(Filter { name: self.tree.text(node).to_owned(), parameters: None })
            }
            Kind::Mapping => match self.only_pair(node) {
                Some(pair) if !pair.name.is_empty() => {
                    Some(Filter { name: pair.name.to_owned(), parameters: Some(self.content(pair.value)?) })
                }
                _ => None,
            },
            _ => None,
        })
    }

    fn endian(&mut self, place: &str, pair: Pair, datatype: Option<&Datatype>) -> Option<ByteOrder> {
        let endian = match self.core(pair.value) {
            Some(Core::Text("little")) => ByteOrder::Little,
            Some(Core::Text("big")) => ByteOrder::Big,
            _ => {
                let message =
                    format!("the byte order must be 'little' or 'big', not '{}'", shown(self.tree.text(pair.value)));
                self.report_value(Code::Endian, place, pair, message);
                return None;
            }
        };
        let has_order = |kind: &DatatypeKind| {
            matches!(kind, DatatypeKind::Integer(_) | DatatypeKind::Float(_) | DatatypeKind::Enum(_))
        };
        if datatype.is_some_and(|datatype| !datatype.has(&has_order)) {
            self.report(
                Code::EndianNa,
                place,
                pair.key,
                "the directive 'endian' has no effect, because the datatype has no numbers",
            );
        }
        Some(endian)
    }

    fn charset(&mut self, place: &str, pair: Pair, datatype: Option<&Datatype>) -> Option<String> {
        let Some(Core::Text(charset)) = self.core(pair.value) else {
            let message = "a character set must be text, for example ascii, utf-8 or ucs4";
            self.report_value(Code::Charset, place, pair, message);
            return None;
        };
        let is_text = |kind: &DatatypeKind| *kind == DatatypeKind::String;
        if datatype.is_some_and(|datatype| !datatype.has(&is_text)) {
            self.report(
                Code::CharsetNa,
                place,
                pair.key,
                "the directive 'charset' has no effect, because the datatype has no text",
            );
        }
        Some(charset.to_owned())
    }
}
