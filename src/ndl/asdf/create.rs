//! From a description to an ASDF file that holds what it describes: the values that it gives, else fill values or zeros.

use super::choice::Choice;
use super::describe::describe_tree;
use super::sequence::{ListLength, ListLengths};
use super::stored::{Stored, StringLengths, signed, stored, told, write};
use super::{DescribeOptions, Note, Spellings, Values, extents, pointer, sidecar, tree_value};
use crate::array::{ByteOrder, packed_size};
use crate::codec::{Codec, Compression};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayData, ArrayOptions, File, NewOptions, Node, Storage as Place, WriteOptions};
use crate::ndl::{
    Attribute, Datatype, DatatypeKind, Description, Dimension, Elements, Extensions, Filter, ROOT, Size, Storage,
    Value, path_name,
};
use crate::source::Source;
use crate::tree::path::escape;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// How a file is made from a description.
#[derive(Clone, Debug)]
pub struct CreateOptions {
    /// Bytes that all arrays may take together, before compression.
    pub max_bytes: u64,
    /// How all blocks are compressed; without it each is as its filters say. Blocks that are not compressed and of zeros
    /// take no room on the disk where the system can leave it out.
    pub compression: Option<Compression>,
    /// Characters of strings where no value tells how many there are.
    pub string_length: Option<u64>,
    /// Elements along unlimited dimensions of which nothing is stored yet.
    pub extent: u64,
    /// Elements along single dimensions, whatever the description says: of the dimension coordinate of this path name, and
    /// of the arrays that it belongs to; or of the unlimited dimensions without one of the array of this path name. A
    /// smaller file of the same structure is then described with these sizes.
    pub extents: Vec<(String, u64)>,
    /// Whether elements that no value tells are zero although there is a fill value.
    pub zeros: bool,
    /// The path name of the one array that is stored as the last block, which runs to the end of the file; its first
    /// dimension is unlimited.
    pub streamed: Option<String>,
    /// Whether a file that has the name already is replaced.
    pub overwrite: bool,
    /// How the file is written.
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
            overwrite: false,
            write: WriteOptions::default(),
        }
    }
}

/// Keys of the root that are not the description's.
const RESERVED: [&str; 3] = ["asdf_library", "history", sidecar::KEY];
/// Levels of the tree; ASDF files that nest deeper are refused by readers.
const MAX_DEPTH: usize = 255;
/// What one element in the tree counts towards [`CreateOptions::max_bytes`].
const TREE_ELEMENT: u128 = 64;

/// Writes an ASDF file that holds what is described: `describe` tells the same of it. What the tree cannot tell stands
/// under its key `ndl`. Gives what is not as the description says.
///
/// The file appears under its name when it is whole. Fails, naming the path, with [`Status::Incomplete`] for arrays without
/// datatype and strings of unknown length, with [`Status::Unsupported`] for what ASDF has no form for, with
/// [`Status::InvalidArgument`] for names that ASDF reserves and extents that are not those of values, with
/// [`Status::NotFound`] for extents of what is not there, with [`Status::Limit`] for more bytes than the options allow and
/// too deep nesting, and with [`Status::FileExists`] if a file has the name.
pub fn create(description: &Description, path: &Path, options: &CreateOptions) -> Result<Vec<Note>> {
    if !options.overwrite && path.symlink_metadata().is_ok() {
        let message = format!("'{}' exists; it is not replaced unless that is asked for", path.display());
        return Err(Error::new(Status::FileExists, message));
    }
    let resized = (!options.extents.is_empty()).then(|| extents::with_extents(description, options)).transpose()?;
    let description = resized.as_ref().unwrap_or(description);
    let file = File::new(&NewOptions::default());
    let mut creator = Creator { options, file, spellings: Spellings::new(description), notes: Vec::new() };
    creator.fill(description)?;
    let without_values = DescribeOptions { values: Values::None, ..DescribeOptions::default() };
    let told = describe_tree(&creator.file, &Choice::new(&creator.file, &without_values)?)?;
    if let Some(side) = sidecar::of(description, &told.description) {
        sidecar::write(side, &creator.file.root()?)?;
    }
    creator.file.write(path, &options.write)?;
    Ok(creator.notes)
}

/// Fails if two path names lead to one place, as `/a~b` and `/a~0b` do.
fn check_names(description: &Description) -> Result<()> {
    let groups = description.groups.iter().map(|(path, _)| path);
    let dimcoords = description.dimcoords.iter().map(|(path, _)| path);
    let ndarrays = description.ndarrays.iter().map(|(path, _)| path);
    let mut places = HashSet::new();
    for path in groups.chain(dimcoords).chain(ndarrays).filter(|path| path.contains('~')) {
        if !places.insert(pointer(path)) {
            let message = "another path name stands for the same key in an ASDF file";
            return Err(Error::new(Status::InvalidArgument, message).at_path(path));
        }
    }
    Ok(())
}

/// An ndarray, or a dimension coordinate as one.
struct Entity<'a> {
    path: &'a str,
    shape: Vec<Dimension>,
    datatype: &'a Datatype,
    storage: &'a Storage,
    value: Option<&'a Value>,
    extensions: &'a Extensions,
}

struct Creator<'a> {
    options: &'a CreateOptions,
    file: File,
    /// Of path names that are other keys than they look.
    spellings: Spellings,
    notes: Vec<Note>,
}

impl Creator<'_> {
    fn note(&mut self, path: &str, message: impl Into<String>) {
        self.notes.push(Note { path: path.to_owned(), message: message.into() });
    }

    fn fill(&mut self, description: &Description) -> Result<()> {
        let entities = entities(description)?;
        self.check_size(&entities)?;
        let root = self.file.root()?;
        check_names(description)?;
        let lists = ListLengths::of(description);
        let mut groups: Vec<&str> =
            description.groups.iter().map(|(path, _)| path).filter(|path| *path != ROOT).collect();
        groups.sort_by_key(|path| path.matches('/').count());
        for path in groups {
            check_place(path, 0)
                .and_then(|()| self.group(&root, path, lists.get(path)))
                .map_err(|error| error.at_path(path))?;
        }
        for (path, group) in description.groups.iter() {
            for (name, attribute) in group.attributes.iter() {
                self.attribute(&root, description, path, (name, attribute)).map_err(|error| error.at_path(path))?;
            }
        }
        for entity in &entities {
            self.array(&root, description, entity).map_err(|error| error.at_path(entity.path))?;
        }
        Ok(())
    }

    fn group(&mut self, root: &Node, path: &str, list: ListLength) -> Result<()> {
        let place = pointer(path);
        let ListLength::Items(count) = list else {
            if list == ListLength::Unknown {
                self.note(path, "what is in it is not numbered as the items of a list are; stored as a mapping");
            }
            return root.set_mapping(&place, false);
        };
        root.set_sequence(&place, false)?;
        // What is in the group takes their places.
        (0..count).try_for_each(|_| root.set_null(&format!("{place}/-")))
    }

    /// Before anything is made.
    fn check_size(&self, entities: &[Entity]) -> Result<()> {
        let mut total = 0u128;
        for entity in entities {
            let size = self.size(entity).map_err(|error| error.at_path(entity.path))?;
            total = total.saturating_add(size);
        }
        if total > u128::from(self.options.max_bytes) {
            let message = format!("the arrays take {total} bytes, but at most {} are allowed", self.options.max_bytes);
            return Err(Error::new(Status::Limit, message));
        }
        Ok(())
    }

    fn size(&self, entity: &Entity) -> Result<u128> {
        let shape = self.stored_shape(entity)?;
        let count = shape.iter().fold(1u128, |count, &extent| count.saturating_mul(extent.into()));
        if is_in_tree(entity.datatype, shape.len()) {
            return Ok(count.saturating_mul(TREE_ELEMENT));
        }
        let Stored { datatype, dimensions } = self.stored(entity)?;
        let item = dimensions
            .iter()
            .fold(u128::from(datatype.item_size()?), |size, &extent| size.saturating_mul(extent.into()));
        Ok(count.saturating_mul(item))
    }

    fn stored(&self, entity: &Entity) -> Result<Stored> {
        if let Some(told) = told(entity.extensions, entity.datatype, entity.storage.charset.as_deref()) {
            return Ok(told);
        }
        let known: Vec<&Elements> =
            [entity.value, entity.storage.fillvalue.as_ref()].into_iter().flatten().map(Value::elements).collect();
        let ascii = entity.storage.charset.as_deref() == Some("ascii");
        stored(entity.datatype, &known, &StringLengths { ascii, default: self.options.string_length })
    }

    /// How many elements are in the file along each dimension.
    fn stored_shape(&self, entity: &Entity) -> Result<Vec<u64>> {
        if let Some(value) = entity.value {
            return Ok(value.shape().to_vec());
        }
        if let Some(shape) = &entity.storage.shape {
            return Ok(shape.clone());
        }
        if let Some(size) = entity.storage.size {
            return Ok(vec![size]);
        }
        let extents = entity.shape.iter().map(|dimension| match dimension.extent {
            Size::Fixed(extent) => Ok(extent),
            Size::Unlimited => Ok(self.options.extent),
            Size::Unknown => Err(Error::new(Status::Incomplete, "an extent is not known")),
        });
        extents.collect()
    }

    fn array(&mut self, root: &Node, description: &Description, entity: &Entity) -> Result<()> {
        let shape = self.stored_shape(entity)?;
        check_place(entity.path, shape.len() + entity.datatype.depth())?;
        let place = pointer(entity.path);
        if is_in_tree(entity.datatype, shape.len()) {
            let elements = entity.value.map(|value| without_dangling(value.elements(), description));
            return tree_value::write(root, &place, &shape, elements.as_ref(), entity.datatype);
        }
        let Stored { datatype, dimensions } = self.stored(entity)?;
        let in_file = signed(&[shape.clone(), dimensions].concat())?;
        let options = self.array_options(entity)?;
        self.note_storage(entity);
        if let Some(value) = entity.value {
            let mut bytes = Vec::new();
            let size = packed_size(&datatype, &in_file)? as usize;
            bytes.try_reserve_exact(size).map_err(|_| Error::out_of_memory(size as u64))?;
            for index in 0..value.elements().len() {
                write(value.elements(), index, entity.datatype, &datatype, &mut bytes)?;
            }
            return root.set_array(&place, &ArrayData::new(datatype, &in_file, Arc::new(bytes)), &options);
        }
        let mut element = Vec::new();
        if let Some(fill) = entity.storage.fillvalue.as_ref().filter(|_| !self.options.zeros) {
            write(fill.elements(), 0, entity.datatype, &datatype, &mut element)?;
        }
        let is_zero = element.iter().all(|&byte| byte == 0);
        if is_zero && options.compression.is_none() && options.storage == Place::Internal {
            return root.set_array_zeros(&place, &datatype, &in_file, &options);
        }
        let length = packed_size(&datatype, &in_file)?;
        let repeated = Arc::new(Repeated { element: if is_zero { vec![0] } else { element }, length });
        root.set_array_source(&place, &datatype, &in_file, repeated, &options)
    }

    fn array_options(&mut self, entity: &Entity) -> Result<ArrayOptions> {
        let mut options = ArrayOptions {
            byteorder: entity.storage.endian.unwrap_or(ByteOrder::Little),
            compression: self.options.compression.clone(),
            ..ArrayOptions::default()
        };
        if self.options.streamed.as_deref() == Some(entity.path) {
            if entity.shape.first().map(|dimension| dimension.extent) != Some(Size::Unlimited) {
                let message = "only an array whose first dimension is unlimited can be the last block";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            return Ok(ArrayOptions { storage: Place::Streamed, compression: None, ..options });
        }
        if let (Some(filters), None) = (&entity.storage.filter, &options.compression) {
            match codec_of(filters) {
                Some(codec) => options.compression = Some(Compression::new(codec, None)?),
                None if filters.is_empty() => {}
                None => self.note(entity.path, "its filters are no codec of ASDF; the block is not compressed"),
            }
        }
        Ok(options)
    }

    /// Notes what ASDF has no form for, and only the description in the file tells.
    fn note_storage(&mut self, entity: &Entity) {
        let storage = entity.storage;
        let is_own = |charset: &String| matches!(charset.to_ascii_lowercase().as_str(), "ascii" | "ucs4");
        if storage.charset.as_ref().is_some_and(|charset| !is_own(charset)) {
            self.note(entity.path, "its charset is none of ASDF; strings are stored as UCS-4");
        }
        if storage.chunk.is_some() {
            self.note(entity.path, "ASDF has no chunks; the block is stored as a whole");
        }
        if storage.fillvalue.is_some() {
            self.note(entity.path, "ASDF has no fill values; they are known to the description in the file alone");
        }
    }

    /// An attribute of a group, as far as the tree can hold it; the sidecar has the others.
    fn attribute(
        &mut self,
        root: &Node,
        description: &Description,
        group: &str,
        (name, attribute): (&str, &Attribute),
    ) -> Result<()> {
        let (Some(datatype), Some(value)) = (&attribute.datatype, &attribute.value) else {
            return Err(Error::new(Status::Incomplete, format!("the attribute '{name}' lacks datatype or value")));
        };
        let is_plain = match datatype.kind() {
            DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) => true,
            DatatypeKind::Enum(enumeration) => enumeration.is_boolean(),
            DatatypeKind::Objref => value.elements() == &without_dangling(value.elements(), description),
            _ => false,
        };
        let child = path_name::join(&pointer(group), &escape(name));
        let is_reserved = group == ROOT && RESERVED.contains(&name);
        let is_taken = is_reserved || description.contains(&child) || self.spellings.contains(&child);
        if !is_plain || is_taken {
            return Ok(());
        }
        check_place(&child, value.shape().len())?;
        tree_value::write(root, &child, value.shape(), Some(value.elements()), datatype)
    }
}

/// All arrays and dimension coordinates.
fn entities(description: &Description) -> Result<Vec<Entity<'_>>> {
    let lacking = |path: &str, what: &str| {
        Err(Error::new(Status::Incomplete, format!("the {what} is missing: nothing can be stored")).at_path(path))
    };
    let mut out = Vec::new();
    for (path, dimcoord) in description.dimcoords.iter() {
        let Some(datatype) = &dimcoord.datatype else { return lacking(path, "datatype") };
        let shape = vec![Dimension { extent: dimcoord.size, ..Dimension::default() }];
        let (storage, value) = (&dimcoord.storage, dimcoord.value.as_ref());
        out.push(Entity { path, shape, datatype, storage, value, extensions: &dimcoord.extensions });
    }
    for (path, ndarray) in description.ndarrays.iter() {
        let Some(datatype) = &ndarray.datatype else { return lacking(path, "datatype") };
        let Some(shape) = ndarray.shape.clone() else { return lacking(path, "shape") };
        let (storage, value) = (&ndarray.storage, ndarray.value.as_ref());
        out.push(Entity { path, shape, datatype, storage, value, extensions: &ndarray.extensions });
    }
    Ok(out)
}

/// Whether elements stand in the tree: lists of any length and references, and a single text.
pub(super) fn is_in_tree(datatype: &Datatype, rank: usize) -> bool {
    match datatype.kind() {
        DatatypeKind::Vlen(_) | DatatypeKind::Objref | DatatypeKind::Regref(_) => true,
        DatatypeKind::String => rank == 0,
        _ => false,
    }
}

/// References without those that lead nowhere, at which other readers fail.
fn without_dangling(elements: &Elements, description: &Description) -> Elements {
    match elements {
        Elements::Objects(paths) => {
            let known = |path: &Option<String>| path.clone().filter(|path| description.contains(path));
            Elements::Objects(paths.iter().map(known).collect())
        }
        other => other.clone(),
    }
}

/// The codec that a list of filters is, if it is one.
fn codec_of(filters: &[Filter]) -> Option<Codec> {
    let [filter] = filters else { return None };
    match filter.known_name()? {
        "deflate" => Some(Codec::Zlib),
        "bzip2" => Some(Codec::Bzp2),
        "lz4" => Some(Codec::Lz4),
        _ => None,
    }
}

/// Fails for names that ASDF keeps for itself, and for what would stand too deep in the tree.
fn check_place(path: &str, below: usize) -> Result<()> {
    if let Some(name) = RESERVED.iter().find(|name| path.strip_prefix('/') == Some(**name)) {
        return Err(Error::new(
            Status::InvalidArgument,
            format!("ASDF keeps the name '{name}' of the root for itself"),
        ));
    }
    // The mapping of an array, and lists in it.
    if path.matches('/').count() + below + 4 > MAX_DEPTH {
        return Err(Error::new(Status::Limit, format!("ASDF trees nest at most {MAX_DEPTH} levels deep")));
    }
    Ok(())
}

/// One element over and over.
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
