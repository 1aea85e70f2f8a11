//! Reads arrays and dimension coordinates.
//!
//! They may refer to one another. So the order is sizes, then shapes, then everything that may refer to elements of
//! other arrays.

use super::objects::{Object, Objects};
use super::reader::{Pair, Reader};
use super::storage::StorageOf;
use super::values::Extent;
use crate::error::Result;
use crate::ndl::{
    Code, Datatype, Description, DimCoord, Dimension, Extensions, Ndarray, Size, Storage, Value, is_extension_key,
};
use crate::reserve::collected;
use crate::tree::NodeId;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum EntityKind {
    DimCoord,
    Ndarray,
}

/// An array or a dimension coordinate, as written.
pub(super) struct Entity<'r> {
    pub(super) group: &'r str,
    pub(super) path: String,
    pub(super) pair: Pair<'r>,
    pub(super) body: Body<'r>,
    /// True if it becomes part of the description. Others are read only to find their errors.
    pub(super) is_kept: bool,
}

/// Values of the known keys.
#[derive(Default)]
pub(super) struct Body<'r> {
    /// The size or the shape.
    extent: Option<Pair<'r>>,
    datatype: Option<Pair<'r>>,
    storage: Option<Pair<'r>>,
    value: Option<Pair<'r>>,
    attributes: Option<Pair<'r>>,
    extensions: Extensions,
    /// True if the body is missing or not a mapping, which was reported.
    pub(super) is_missing: bool,
}

/// An entity after the first pass over sizes and shapes.
struct Declared<'r> {
    entity: Entity<'r>,
    /// The shape; a dimension coordinate has one dimension.
    shape: Option<Vec<Dimension>>,
    storage: Storage,
}

impl<'r> Reader<'r, '_> {
    /// Collects the keys of a body.
    pub(super) fn body(&mut self, kind: EntityKind, place: &str, mapping: NodeId) -> Body<'r> {
        let mut body = Body::default();
        let extent = if kind == EntityKind::DimCoord { "size" } else { "shape" };
        for pair in self.pairs(mapping) {
            match pair.name {
                "type" => body.datatype = Some(pair),
                "storage" => body.storage = Some(pair),
                "value" => body.value = Some(pair),
                "attributes" => body.attributes = Some(pair),
                name if name == extent => body.extent = Some(pair),
                "size" => self.unknown_key(place, pair, "; use 'shape' for an ndarray"),
                "shape" => self.unknown_key(place, pair, "; use 'size' for a dimension coordinate"),
                name if is_extension_key(name) => self.extend(&mut body.extensions, pair),
                _ => self.unknown_key(place, pair, ""),
            }
        }
        body
    }

    /// Reads dimension coordinates and arrays. Returns `None` if the system refused memory.
    pub(super) fn read_entities(
        &mut self,
        (dimcoords, ndarrays): (Vec<Entity<'r>>, Vec<Entity<'r>>),
        objects: &mut Objects,
        description: &mut Description,
    ) -> Option<()> {
        let dimcoords = collected(dimcoords.into_iter().map(|entity| Ok(self.declare_dimcoord(entity, objects))));
        let dimcoords = self.held(dimcoords)?;
        let ndarrays = collected(ndarrays.into_iter().map(|entity| Ok(self.declare_ndarray(entity, objects))));
        let ndarrays = self.held(ndarrays)?;
        for declared in dimcoords {
            if let Some((path, dimcoord)) = self.dimcoord(declared, objects) {
                self.held(description.dimcoords.add(path, dimcoord))?;
            }
        }
        for declared in ndarrays {
            if let Some((path, ndarray)) = self.ndarray(declared, objects) {
                self.held(description.ndarrays.add(path, ndarray))?;
            }
        }
        Some(())
    }

    fn declare_dimcoord(&mut self, entity: Entity<'r>, objects: &mut Objects) -> Declared<'r> {
        let size = match entity.body.extent {
            _ if entity.body.is_missing => Size::Unknown,
            Some(pair) => self.size(&entity.path, pair),
            None => {
                self.report(Code::SizeMissing, &entity.path, entity.pair.key, "a dimension coordinate needs a 'size'");
                Size::Unknown
            }
        };
        let shape = Some(vec![Dimension { extent: size, ..Dimension::default() }]);
        let storage = self.stored_extent(entity.body.storage, &entity.path, StorageOf::DimCoord, shape.as_deref());
        if entity.is_kept {
            objects.update(&entity.path, Object::DimCoord { size, stored: storage.size });
        }
        Declared { entity, shape, storage }
    }

    fn declare_ndarray(&mut self, entity: Entity<'r>, objects: &mut Objects) -> Declared<'r> {
        let shape = match entity.body.extent {
            _ if entity.body.is_missing => None,
            Some(pair) => self.shape(&entity.path, entity.group, pair, objects),
            None => {
                self.report(Code::ShapeMissing, &entity.path, entity.pair.key, "an ndarray needs a 'shape'");
                None
            }
        };
        let storage = self.stored_extent(entity.body.storage, &entity.path, StorageOf::Ndarray, shape.as_deref());
        if entity.is_kept {
            let limits = match (&storage.shape, &shape) {
                (Some(stored), _) => Some(collected(stored.iter().map(|&count| Ok(Some(count))))),
                (None, Some(shape)) => Some(collected(shape.iter().map(|dimension| Ok(dimension.extent.fixed())))),
                (None, None) => None,
            };
            let limits = limits.and_then(|limits| self.held(limits));
            objects.update(&entity.path, Object::Ndarray { limits });
        }
        Declared { entity, shape, storage }
    }

    fn dimcoord(&mut self, declared: Declared<'r>, objects: &Objects) -> Option<(String, DimCoord)> {
        let (entity, shape, content) = self.content_of(declared, StorageOf::DimCoord, objects);
        let size = shape.and_then(|shape| shape.first().map(|dimension| dimension.extent)).unwrap_or_default();
        let dimcoord = DimCoord {
            size,
            datatype: content.datatype,
            datatype_inferred: content.is_inferred,
            storage: content.storage,
            value: content.value,
            attributes: self.attributes(entity.body.attributes, &entity.path, objects),
            extensions: entity.body.extensions,
        };
        entity.is_kept.then_some((entity.path, dimcoord))
    }

    fn ndarray(&mut self, declared: Declared<'r>, objects: &Objects) -> Option<(String, Ndarray)> {
        let (entity, shape, content) = self.content_of(declared, StorageOf::Ndarray, objects);
        let ndarray = Ndarray {
            shape,
            datatype: content.datatype,
            datatype_inferred: content.is_inferred,
            storage: content.storage,
            value: content.value,
            attributes: self.attributes(entity.body.attributes, &entity.path, objects),
            extensions: entity.body.extensions,
        };
        entity.is_kept.then_some((entity.path, ndarray))
    }

    /// Reads the parts that arrays and dimension coordinates share: datatype, storage and value.
    fn content_of(
        &mut self,
        declared: Declared<'r>,
        of: StorageOf,
        objects: &Objects,
    ) -> (Entity<'r>, Option<Vec<Dimension>>, ArrayContent) {
        let Declared { entity, shape, mut storage } = declared;
        let body = &entity.body;
        let value = body.value.filter(|pair| {
            let is_null = self.is_null(pair.value);
            if is_null {
                self.report_value(Code::EmptyNull, &entity.path, *pair, "the value is null and is treated as missing");
            }
            !is_null
        });
        let mut is_inferred = false;
        let datatype = match body.datatype {
            Some(pair) => self.datatype_of(&entity.path, pair),
            None if body.is_missing => None,
            None => {
                let message = if value.is_some() {
                    "the datatype is missing and is inferred from the values"
                } else {
                    "the datatype is missing"
                };
                self.report(Code::TypeMissing, &entity.path, entity.pair.key, message);
                is_inferred = true;
                if value.is_none() {
                    self.refuse_untyped_fill(&entity.path, body.storage);
                }
                value.and_then(|pair| self.infer_datatype(&entity.path, pair.value))
            }
        };
        is_inferred &= datatype.is_some();
        self.storage(&mut storage, body.storage, &entity.path, of, shape.as_deref(), datatype.as_ref(), objects);
        let extents = self.held(value_extents(shape.as_deref(), &storage)).flatten();
        let value = match (value, &datatype, extents) {
            (Some(pair), Some(datatype), Some(extents)) => self.value(&entity.path, pair, extents, datatype, objects),
            _ => None,
        };
        (entity, shape, ArrayContent { datatype, is_inferred, storage, value })
    }
}

struct ArrayContent {
    datatype: Option<Datatype>,
    is_inferred: bool,
    storage: Storage,
    value: Option<Value>,
}

/// Returns the required number of values along each dimension: the stored extent if it is given, otherwise the extent.
pub(super) fn value_extents(shape: Option<&[Dimension]>, storage: &Storage) -> Result<Option<Vec<Extent>>> {
    if let Some(stored) = &storage.shape {
        return collected(stored.iter().map(|&count| Ok(Extent::Fixed(count)))).map(Some);
    }
    if let Some(stored) = storage.size {
        return Ok(Some(vec![Extent::Fixed(stored)]));
    }
    let extent = |dimension: &Dimension| Ok(dimension.extent.fixed().map_or(Extent::Any, Extent::Fixed));
    shape.map(|shape| collected(shape.iter().map(extent))).transpose()
}
