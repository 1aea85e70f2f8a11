//! Creates an ASDF file from a description. Elements without given values get the fill value or zero.

mod chunks;
mod extents;
mod form;
mod group_nodes;
mod sequence;
mod stored;

use self::chunks::set_fill;
use self::form::{Form, Holder, LostKeys};
use self::sequence::{ListLength, ListLengths};
use self::stored::{Stored, StringLengths, signed, stored, write};
use super::describe::describe_tree;
use super::shared::choice::Choice;
use super::shared::datatype::is_in_tree;
use super::shared::filters::compression_of;
use super::shared::mask::{self, DeclaredMask, MasksInArrays};
use super::shared::names::{Spellings, pointer};
use super::shared::options::{DescribeOptions, Note, Values};
use super::shared::tree_value::Targets;
use super::shared::{sidecar, tree_value};
use crate::array::{ByteOrder, Datatype as StoredDatatype, Order, packed_size};
use crate::codec::Compression;
use crate::error::{Error, Result, Status};
use crate::file::{
    ArrayData, ArrayOptions, Destination, File, NewOptions, Node, Storage as ArrayStorage, WriteOptions,
};
use crate::limits::Limits;
use crate::ndl::{Datatype, DatatypeKind, Description, Dimension, Elements, ROOT, Size, Storage, Value};
use crate::progress;
use crate::reserve::{collected, copy_of, insert, push, table_of};
use crate::source::Source;
use std::cell::Cell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Options for creating a file from a description.
#[derive(Clone, Debug)]
pub struct CreateOptions {
    /// Maximum size of all arrays together in bytes, before compression.
    pub max_bytes: u64,
    /// Compression of all blocks; `None` uses the filters of each array. Uncompressed blocks of zeros become holes in
    /// the file if the file system supports sparse files.
    pub compression: Option<Compression>,
    /// Minimum length of strings in characters. Strings without values need it.
    pub string_length: Option<u64>,
    /// Number of elements along unlimited dimensions without a stored extent.
    pub extent: u64,
    /// Extents that replace those of the description, by path name. The path name of a dimension coordinate sets its
    /// size and that of all dimensions that use it. The path name of an array sets its unlimited dimensions without a
    /// dimension coordinate. The description in the file then has the new sizes, so that a small file of the same
    /// structure can be made.
    pub extents: Vec<(String, u64)>,
    /// True to write zeros in place of fill values.
    pub zeros: bool,
    /// Path name of the one array that is stored as the last, streamed block, up to the end of the file. Its first
    /// dimension must be unlimited.
    pub streamed: Option<String>,
    /// Options for writing the file.
    pub write: WriteOptions,
}

impl Default for CreateOptions {
    fn default() -> CreateOptions {
        CreateOptions {
            max_bytes: 1 << 30,
            compression: None,
            string_length: None,
            extent: 0,
            extents: Vec::new(),
            zeros: false,
            streamed: None,
            write: WriteOptions::default(),
        }
    }
}

/// Keys of the root that cannot come from the description.
const RESERVED: [&str; 3] = ["asdf_library", "history", sidecar::KEY];
/// Size in bytes that one element in the tree counts towards [`CreateOptions::max_bytes`].
const TREE_ELEMENT: u128 = 64;

/// Creates an ASDF file from a description, so that `describe` returns the same description. The key `ndl` of the file
/// holds the parts that the tree cannot express. Returns notes on all differences from the description.
///
/// The file appears under its name only when it is complete. Errors name the path:
///
/// * [`Status::Incomplete`] for an array without a datatype or a string of unknown length
/// * [`Status::Unsupported`] for content without a form in ASDF
/// * [`Status::InvalidArgument`] for a reserved name, or for an extent that differs from the given values
/// * [`Status::NotFound`] for an extent of an unknown array or dimension coordinate
/// * [`Status::Limit`] for arrays larger than [`CreateOptions::max_bytes`] or a tree that is too deep
/// * [`Status::FileExists`] if the file exists and [`WriteOptions::replace`] is false
pub fn create(description: &Description, path: impl AsRef<Path>, options: &CreateOptions) -> Result<Vec<Note>> {
    let path = path.as_ref();
    let in_file = |error: Error| error.in_file(&path.to_string_lossy().into());
    Destination::check(path, options.write.replace).map_err(in_file)?;
    let resized = (!options.extents.is_empty()).then(|| extents::with_extents(description, options)).transpose()?;
    let description = resized.as_ref().unwrap_or(description);
    let file = File::new(&NewOptions::default());
    let mut creator = Creator {
        options,
        file,
        spellings: Spellings::new(description)?,
        masks: MasksInArrays::default(),
        grows_last: None,
        lost: LostKeys::default(),
        notes: Vec::new(),
    };
    creator.fill(description)?;
    let without_values = DescribeOptions { values: Values::None, ..DescribeOptions::default() };
    let described = describe_tree(&creator.file, &Choice::new(&creator.file, &without_values)?)?;
    if let Some(mut side) = sidecar::of(description, &described.description)? {
        creator.lost.take_out_of(&mut side);
        sidecar::write(side, &creator.file.root()?)?;
    }
    creator.file.write(path, &options.write)?;
    Ok(creator.notes)
}

/// Fails if two path names have the same JSON Pointer, as `/a~b` and `/a~0b` do.
fn check_names(description: &Description) -> Result<()> {
    let groups = description.groups.iter().map(|(path, _)| path);
    let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
    let ndarrays = description.ndarrays.iter().map(|(path, _)| path);
    let mut places = HashSet::new();
    for path in groups.chain(dimcoords).chain(ndarrays).filter(|path| path.contains('~')) {
        if !insert(&mut places, pointer(path))? {
            let message = "another path name has the same key in an ASDF file";
            return Err(Error::new(Status::InvalidArgument, message).at_path(path));
        }
    }
    Ok(())
}

/// An array, or a dimension coordinate in the form of an array.
struct Entity<'a> {
    path: &'a str,
    shape: Vec<Dimension>,
    datatype: &'a Datatype,
    storage: &'a Storage,
    value: Option<&'a Value>,
    form: Form,
}

impl Entity<'_> {
    /// Returns true if the elements are stored in the tree as nested lists, not as an array.
    fn is_in_tree(&self) -> bool {
        self.form.stored.is_none() && is_in_tree(self.datatype, self.shape.len())
    }

    /// Returns true if the array can mark the missing elements of another array.
    fn can_be_mask(&self) -> bool {
        matches!(self.datatype.kind(), DatatypeKind::Integer(_) | DatatypeKind::Float(_) | DatatypeKind::Enum(_))
    }
}

struct Creator<'a> {
    options: &'a CreateOptions,
    file: File,
    /// Path names with tildes whose JSON Pointers have another form.
    pub(super) spellings: Spellings,
    /// Masks that are stored inside their arrays.
    pub(super) masks: MasksInArrays,
    /// Path name of the array that grows and needs no chunks for it, because its block is the last one.
    grows_last: Option<String>,
    /// Keys under `x-asdf` that the file does not follow.
    lost: LostKeys,
    notes: Vec<Note>,
}

impl Creator<'_> {
    pub(super) fn note(&mut self, path: &str, message: impl Into<String>) -> Result<()> {
        push(&mut self.notes, Note { path: path.to_owned(), message: message.into() })
    }

    /// Notes that the file does not follow a key under `x-asdf`, and drops the key from the description in the file.
    pub(super) fn lose(&mut self, holder: Holder, key: &'static str, reason: impl Into<String>) -> Result<()> {
        self.note(&holder.path(), reason)?;
        self.lost.add(holder, key)?;
        // The failed attempt changed nothing else in the file. `forget_failure` fails only in a child process of a
        // fork, but this process created the file.
        let _ = self.file.forget_failure();
        Ok(())
    }

    fn fill(&mut self, description: &Description) -> Result<()> {
        let mut entities = entities(description)?;
        self.check_size(&entities)?;
        let root = self.file.root()?;
        check_names(description)?;
        self.find_masks(&mut entities)?;
        let lists = ListLengths::of(description, &self.masks)?;
        let groups = description.groups.iter().map(|(path, _)| path).filter(|path| *path != ROOT).enumerate();
        let mut groups = collected(groups.map(|(position, path)| Ok((path.matches('/').count(), position, path))))?;
        groups.sort_unstable();
        for (_, _, path) in groups {
            check_place(path, 0)
                .and_then(|()| self.group(&root, path, lists.get(path)))
                .map_err(|error| error.at_path(path))?;
        }
        for (path, group) in description.groups.iter() {
            let is_mapping = !matches!(lists.get(path), ListLength::Items(_));
            self.group_form(&root, description, (path, group), is_mapping).map_err(|error| error.at_path(path))?;
            for (name, attribute) in group.attributes.iter() {
                self.attribute(&root, description, path, (name, attribute)).map_err(|error| error.at_path(path))?;
            }
        }
        let arrays = entities.iter().filter(|entity| !self.masks.contains(entity.path));
        let masks = entities.iter().filter(|entity| self.masks.contains(entity.path));
        let in_order = collected(arrays.chain(masks).map(Ok))?;
        self.grows_last = self.find_last(&in_order);
        for entity in in_order {
            self.array(&root, description, entity).map_err(|error| error.at_path(entity.path))?;
        }
        for entity in &entities {
            self.mask(&root, entity).map_err(|error| error.at_path(entity.path))?;
        }
        Ok(())
    }

    /// Finds the masks that are stored inside their arrays. Their path names show it.
    fn find_masks(&mut self, entities: &mut [Entity]) -> Result<()> {
        let possible =
            table_of(entities.iter().map(|entity| (entity.path, entity.can_be_mask() && !entity.is_in_tree())))?;
        for entity in entities.iter_mut() {
            let is_in_tree = entity.is_in_tree();
            let Some(DeclaredMask::Array(path)) = &mut entity.form.mask else { continue };
            *path = self.spellings.of(std::mem::take(path));
            let reason = match possible.get(path.as_str()) {
                None => format!("the mask is left out: there is no array {path}"),
                Some(false) => format!("the mask is left out: {path} is not an array of numbers or booleans"),
                Some(true) if is_in_tree => "the mask is left out: the array is stored as lists".to_owned(),
                Some(true) => {
                    if *path == mask::name_of(entity.path) {
                        self.masks.insert(path, entity.path)?;
                    }
                    continue;
                }
            };
            entity.form.mask = None;
            entity.form.lost.push((mask::KEY, reason));
        }
        for entity in entities.iter_mut() {
            if self.masks.contains(entity.path) && entity.form.mask.take().is_some() {
                self.masks.remove(&mask::name_of(entity.path));
                entity.form.lost.push((mask::KEY, "the mask is left out: the array is itself a mask".to_owned()));
            }
        }
        Ok(())
    }

    /// Sets the mask of an array.
    fn mask(&mut self, root: &Node, entity: &Entity) -> Result<()> {
        let Some(mask) = &entity.form.mask else { return Ok(()) };
        let set = match entity.is_in_tree() {
            true => Err(Error::new(Status::InvalidArgument, "the array is stored as lists")),
            false => mask.set(root, &self.masks.pointer(entity.path), entity.storage.fillvalue.as_ref(), &self.masks),
        };
        match set {
            Ok(()) => {}
            Err(error) if matches!(error.status(), Status::InvalidArgument | Status::ValueRange) => {
                let reason = format!("the mask is left out: {}", error.message());
                self.lose(Holder::Array(entity.path.to_owned()), mask::KEY, reason)?;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Fails if the arrays exceed [`CreateOptions::max_bytes`]. Runs before any content is created.
    fn check_size(&self, entities: &[Entity]) -> Result<()> {
        let mut total = 0u128;
        for entity in entities {
            progress::check()?;
            let size = self.size(entity).map_err(|error| error.at_path(entity.path))?;
            total = total.saturating_add(size);
        }
        if total > u128::from(self.options.max_bytes) {
            let message = format!("the arrays need {total} bytes, but the limit is {} bytes", self.options.max_bytes);
            return Err(Error::new(Status::Limit, message).with_option("limit_created_bytes"));
        }
        Ok(())
    }

    fn size(&self, entity: &Entity) -> Result<u128> {
        let shape = self.stored_shape(entity)?;
        let count = shape.iter().fold(1u128, |count, &extent| count.saturating_mul(extent.into()));
        if entity.is_in_tree() {
            return Ok(count.saturating_mul(TREE_ELEMENT));
        }
        let Stored { datatype, dimensions } = self.stored(entity)?;
        let item = dimensions
            .iter()
            .fold(u128::from(datatype.item_size()?), |size, &extent| size.saturating_mul(extent.into()));
        let item = if entity.form.is_inline { item.saturating_mul(TREE_ELEMENT) } else { item };
        Ok(count.saturating_mul(item))
    }

    fn stored(&self, entity: &Entity) -> Result<Stored> {
        if let Some(stored) = &entity.form.stored {
            return Ok(stored.clone());
        }
        let known: Vec<&Elements> =
            [entity.value, entity.storage.fillvalue.as_ref()].into_iter().flatten().map(Value::elements).collect();
        let ascii = entity.storage.charset.as_deref() == Some("ascii");
        stored(entity.datatype, &known, &StringLengths { ascii, default: self.options.string_length })
    }

    /// Returns the shape of the array in the file.
    fn stored_shape(&self, entity: &Entity) -> Result<Vec<u64>> {
        if let Some(value) = entity.value {
            return copy_of(value.shape());
        }
        if let Some(shape) = &entity.storage.shape {
            return copy_of(shape);
        }
        if let Some(size) = entity.storage.size {
            return Ok(vec![size]);
        }
        let extents = entity.shape.iter().map(|dimension| match dimension.extent {
            Size::Fixed(extent) => Ok(extent),
            Size::Unlimited => Ok(self.options.extent),
            Size::Unknown => Err(Error::new(Status::Incomplete, "an extent is unknown")),
        });
        collected(extents)
    }

    fn array(&mut self, root: &Node, description: &Description, entity: &Entity) -> Result<()> {
        let shape = self.stored_shape(entity)?;
        check_place(entity.path, shape.len() + entity.datatype.depth())?;
        let place = self.masks.pointer(entity.path);
        self.note_storage(entity)?;
        if entity.is_in_tree() {
            let targets = Targets { description, masks: &self.masks, dangling: Cell::new(0) };
            let elements = entity.value.map(Value::elements);
            tree_value::write(root, &place, &shape, elements, entity.datatype, &targets)?;
            if let count @ 1.. = targets.dangling.get() {
                self.note(entity.path, format!("references without a target are stored as null: {count}"))?;
            }
            return Ok(());
        }
        let Stored { datatype, dimensions } = self.stored(entity)?;
        let in_file = signed(&[shape, dimensions].concat())?;
        let mut options = self.array_options(entity, &datatype, &in_file)?;
        if options.storage == ArrayStorage::Inline {
            let elements =
                ArrayData::new(datatype.clone(), &in_file, Arc::new(self.bytes(entity, &datatype, &in_file)?));
            match root.set_array_data(&place, &elements, &options) {
                Err(error)
                    if matches!(error.status(), Status::InvalidArgument | Status::ValueRange | Status::Limit) =>
                {
                    let reason = format!("the elements cannot be stored in the tree: {}", error.message());
                    self.lose(Holder::Array(entity.path.to_owned()), "kind", reason)?;
                    options.storage = ArrayStorage::Internal;
                }
                set => return set,
            }
        }
        if entity.value.is_some() {
            let bytes = self.bytes(entity, &datatype, &in_file)?;
            return root.set_array_data(&place, &ArrayData::new(datatype, &in_file, Arc::new(bytes)), &options);
        }
        let element = self.fill_element(entity, &datatype)?;
        if options.chunks.is_some() {
            if set_fill(root, &place, (&datatype, &in_file), &element, &options)? {
                return Ok(());
            }
            let bytes = self.bytes(entity, &datatype, &in_file)?;
            return root.set_array_data(&place, &ArrayData::new(datatype, &in_file, Arc::new(bytes)), &options);
        }
        if element == [0] && options.compression.is_none() && options.storage == ArrayStorage::Internal {
            return root.set_array_zeros(&place, &datatype, &in_file, &options);
        }
        let length = packed_size(&datatype, &in_file)?;
        root.set_array_source(&place, &datatype, &in_file, Arc::new(Repeated { element, length }), &options)
    }

    /// Returns all elements in native byte order: the values, or repeated fill elements.
    fn bytes(&self, entity: &Entity, datatype: &StoredDatatype, shape: &[i64]) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let size = packed_size(datatype, shape)?;
        let size = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
        bytes.try_reserve_exact(size).map_err(|_| Error::out_of_memory(size as u64))?;
        match entity.value {
            Some(value) => {
                for index in 0..value.elements().len() {
                    write(value.elements(), index, entity.datatype, datatype, &mut bytes)?;
                }
            }
            None => bytes.extend(self.fill_element(entity, datatype)?.iter().cycle().take(size)),
        }
        Ok(bytes)
    }

    /// Returns one fill element in native byte order, or a single zero byte if all its bytes are zero.
    fn fill_element(&self, entity: &Entity, datatype: &StoredDatatype) -> Result<Vec<u8>> {
        let mut element = Vec::new();
        if let Some(fill) = entity.storage.fillvalue.as_ref().filter(|_| !self.options.zeros) {
            write(fill.elements(), 0, entity.datatype, datatype, &mut element)?;
        }
        Ok(if element.iter().all(|&byte| byte == 0) { vec![0] } else { element })
    }

    fn array_options(&mut self, entity: &Entity, datatype: &StoredDatatype, in_file: &[i64]) -> Result<ArrayOptions> {
        let mut options = ArrayOptions {
            byteorder: entity.storage.endian.unwrap_or(ByteOrder::Little),
            compression: self.options.compression.clone(),
            ..ArrayOptions::default()
        };
        let holder = || Holder::Array(entity.path.to_owned());
        let is_empty = in_file.contains(&0);
        let has_filters = entity.storage.filter.as_ref().is_some_and(|filters| !filters.is_empty());
        if self.options.streamed.as_deref() == Some(entity.path) {
            if entity.shape.first().map(|dimension| dimension.extent) != Some(Size::Unlimited) {
                let message = "only an array with an unlimited first dimension can be the streamed last block";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            if entity.form.is_inline {
                self.lose(
                    holder(),
                    "kind",
                    "the array is the streamed last block, so its elements are not stored in the tree",
                )?;
            }
            if entity.form.strides.is_some() {
                self.lose(holder(), "strides", "the strides are not kept; the streamed last block is in C order")?;
            }
            if has_filters {
                self.note(entity.path, "a streamed block cannot be compressed; the filters are not applied")?;
            }
            return Ok(ArrayOptions { storage: ArrayStorage::Streamed, compression: None, ..options });
        }
        if entity.form.is_inline {
            if has_filters {
                self.note(entity.path, "elements in the tree cannot be compressed; the filters are not applied")?;
            }
            options.storage = ArrayStorage::Inline;
        }
        match entity.form.is_fortran(datatype, in_file) {
            // Without values all elements are equal and are written in C order.
            Ok(true) if entity.value.is_some() && !entity.form.is_inline => options.stored_order = Order::Fortran,
            Ok(false) => {}
            Ok(true) => self.lose(holder(), "strides", "the strides are not kept; the array is stored in C order")?,
            Err(reason) => self.lose(holder(), "strides", reason)?,
        }
        if let Some(chunk) = self.chunk(entity, datatype, in_file)? {
            return self.chunk_options(entity, datatype, ArrayOptions { chunks: Some(chunk), ..options });
        }
        if let (Some(filters), false) = (&entity.storage.filter, entity.form.is_inline) {
            let codec = compression_of(filters);
            match (&options.compression, codec) {
                _ if has_filters && is_empty => {
                    self.note(entity.path, "an empty block is not compressed; the filters are not applied")?;
                }
                (None, Some(compression)) => options.compression = Some(compression),
                (None, None) if has_filters => {
                    self.note(entity.path, "ASDF has no codec for the filters; the block is not compressed")?;
                }
                (Some(chosen), of_filters)
                    if has_filters && of_filters.as_ref().is_none_or(|own| own.codec() != chosen.codec()) =>
                {
                    self.note(
                        entity.path,
                        "the codec from the options applies to all blocks; the filters are not applied",
                    )?;
                }
                _ => {}
            }
        }
        Ok(options)
    }

    /// Notes the storage directives that ASDF cannot express. Only the description in the file keeps them.
    fn note_storage(&mut self, entity: &Entity) -> Result<()> {
        for (key, reason) in &entity.form.lost {
            self.lose(Holder::Array(entity.path.to_owned()), key, reason)?;
        }
        let storage = entity.storage;
        let is_own = |charset: &String| matches!(charset.to_ascii_lowercase().as_str(), "ascii" | "ucs4");
        if storage.charset.as_ref().is_some_and(|charset| !is_own(charset)) {
            self.note(entity.path, "ASDF has no such character set; strings are stored as UCS-4")?;
        }
        if storage.chunk.is_some() && entity.is_in_tree() {
            self.note(entity.path, "the chunks are not kept; the elements are in the tree")?;
        }
        // Chunks have one.
        let is_chunked = storage.chunk.is_some() && entity.value.is_none() && !entity.is_in_tree();
        if storage.fillvalue.is_some() && !is_chunked && entity.form.mask != Some(DeclaredMask::FillValue) {
            self.note(entity.path, "ASDF has no fill values; only the description in the file keeps this one")?;
        }
        Ok(())
    }
}

/// Returns all dimension coordinates and arrays.
fn entities(description: &Description) -> Result<Vec<Entity<'_>>> {
    let lacking = |path: &str, what: &str| {
        Err(Error::new(Status::Incomplete, format!("the {what} is missing, so the array cannot be stored"))
            .at_path(path))
    };
    let mut out = Vec::new();
    for (path, dimcoord) in description.dimcoords.iter() {
        let Some(datatype) = &dimcoord.datatype else { return lacking(path, "datatype") };
        let shape = vec![Dimension { extent: dimcoord.size, ..Dimension::default() }];
        let (storage, value) = (&dimcoord.storage, dimcoord.value.as_ref());
        let form = Form::of(&dimcoord.extensions, datatype, storage.charset.as_deref());
        push(&mut out, Entity { path, shape, datatype, storage, value, form })?;
    }
    for (path, ndarray) in description.ndarrays.iter() {
        let Some(datatype) = &ndarray.datatype else { return lacking(path, "datatype") };
        let Some(shape) = &ndarray.shape else { return lacking(path, "shape") };
        let shape = Dimension::copies(shape)?;
        let (storage, value) = (&ndarray.storage, ndarray.value.as_ref());
        let form = Form::of(&ndarray.extensions, datatype, storage.charset.as_deref());
        push(&mut out, Entity { path, shape, datatype, storage, value, form })?;
    }
    Ok(out)
}

/// Fails for reserved names of the root and for content that would nest too deep. `below` is the depth inside the
/// object.
fn check_place(path: &str, below: usize) -> Result<()> {
    if let Some(name) = RESERVED.iter().find(|name| path.strip_prefix('/') == Some(**name)) {
        return Err(Error::new(
            Status::InvalidArgument,
            format!("the name '{name}' is reserved in the root of an ASDF file"),
        ));
    }
    // The added levels cover the mapping of an array and the lists in it.
    if path.matches('/').count() + below + 4 > Limits::USUAL_DEPTH as usize {
        return Err(Error::new(Status::Limit, format!("ASDF trees nest at most {} levels deep", Limits::USUAL_DEPTH)));
    }
    Ok(())
}

/// Source of bytes that repeats one element.
struct Repeated {
    element: Vec<u8>,
    length: u64,
}

impl Source for Repeated {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let count = available.min(buffer.len());
        let first = (offset % self.element.len() as u64) as usize;
        for (byte, &repeated) in buffer.iter_mut().take(count).zip(self.element.iter().cycle().skip(first)) {
            *byte = repeated;
        }
        Ok(count)
    }
}
