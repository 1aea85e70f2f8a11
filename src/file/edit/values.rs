//! Setting values, arrays, tags and references in a new file, by path.
//!
//! Collections that are missing on the way are made: a sequence where the next part of the path is `-`, else a mapping.
//! In a sequence a number names an item that exists, and `-` appends one. A setter that fails changes nothing and is
//! remembered, so that the file is not written without the value that was meant to be in it.

use super::array::redescribe;
use super::storage::check_streamed;
use crate::array::{self, ByteOrder, Datatype, Element, InMemory, MadeElements, Order, ScalarType};
use crate::error::{Error, Result, Status};
use crate::file::blocks::Store;
use crate::file::blocks::apart::Place;
use crate::file::blocks::made::{MadeBlock, MadeBytes};
use crate::file::blocks::number_of;
use crate::file::open::block_uses::{BlockUses, block_source, count_from_start};
use crate::file::open::file::lock;
use crate::file::open::standard_tags::{core_tag, name_of};
use crate::file::tree::integer;
use crate::file::{ArrayOptions, File, Node, Storage};
use crate::float;
use crate::source::{EditableSource, SharedBytes, Source, ZeroSource};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree, complex, fragment_of, path, scalar};
use std::sync::atomic::Ordering;
use std::sync::{Arc, RwLockWriteGuard};

/// An array in memory, its elements in native byte order.
#[derive(Clone)]
pub struct ArrayData<'a> {
    /// The type of the elements. Byte orders in it are those of the file; in memory all is native.
    pub datatype: Datatype,
    /// The extents, slowest first in C order; empty for a single element.
    pub shape: &'a [i64],
    /// The memory that the elements lie in.
    pub bytes: ArrayBytes<'a>,
    /// How they lie there. In C and Fortran order they take exactly as many bytes as there are; strided, they may
    /// overlap.
    pub order: Order,
}

/// The memory that the elements of an array lie in.
#[derive(Clone)]
pub enum ArrayBytes<'a> {
    /// The elements, nothing between them, are copied at once.
    Copied(&'a [u8]),
    /// Kept as they are until the file is written. What has to be packed or swapped is so on the way: in pieces of
    /// 1 MiB, or of the whole array while it is compressed.
    Shared(SharedBytes),
}

impl ArrayData<'_> {
    /// Elements packed in C order.
    pub fn new(datatype: impl Into<Datatype>, shape: &[i64], bytes: SharedBytes) -> ArrayData<'_> {
        let bytes = ArrayBytes::Shared(bytes);
        ArrayData { datatype: datatype.into(), shape, bytes, order: Order::C }
    }

    /// Elements in C order, which are kept until the file is written instead of being copied.
    pub fn of_vec<T: Element>(elements: Vec<T>, shape: &[i64]) -> ArrayData<'_> {
        ArrayData::new(T::SCALAR_TYPE, shape, Arc::new(VecBytes(elements)))
    }
}

impl<'a> ArrayData<'a> {
    /// Elements in C order, which are copied when the array is set.
    pub fn of_slice<T: Element>(elements: &'a [T], shape: &'a [i64]) -> ArrayData<'a> {
        let bytes = ArrayBytes::Copied(bytemuck::cast_slice(elements));
        ArrayData { datatype: T::SCALAR_TYPE.into(), shape, bytes, order: Order::C }
    }
}

/// Elements that are shared as bytes.
struct VecBytes<T>(Vec<T>);

impl<T: Element> AsRef<[u8]> for VecBytes<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl AsRef<[u8]> for ArrayBytes<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            ArrayBytes::Copied(bytes) => bytes,
            ArrayBytes::Shared(bytes) => (**bytes).as_ref(),
        }
    }
}

impl Node {
    /// Runs a change of what stands at `path`, and remembers if it fails.
    pub(crate) fn edit<T>(&self, path: &str, change: impl FnOnce(&mut Tree) -> Result<T>) -> Result<T> {
        self.edit_locked(path, File::tree_mut, change)
    }

    /// Runs a change of the tree after which no further node names a block, or which counts that itself.
    pub(super) fn edit_values<T>(&self, path: &str, change: impl FnOnce(&mut Tree) -> Result<T>) -> Result<T> {
        self.edit_locked(path, File::tree_mut_for_values, change)
    }

    fn edit_locked<T>(
        &self,
        path: &str,
        lock_tree: impl for<'a> FnOnce(&'a File) -> RwLockWriteGuard<'a, Tree>,
        change: impl FnOnce(&mut Tree) -> Result<T>,
    ) -> Result<T> {
        self.try_edit(path, lock_tree, change).inspect_err(|error| self.file().note_failure(error))
    }

    /// Runs a change of how arrays are stored, which says what it said before if that fails. Only a failure in the middle is
    /// remembered: the change sets `is_begun` before it begins.
    pub(super) fn edit_storage<T>(&self, change: impl FnOnce(&mut Tree, &mut bool) -> Result<T>) -> Result<T> {
        let mut is_begun = false;
        let result = self.try_edit("", File::tree_mut, |tree| change(tree, &mut is_begun));
        result.inspect_err(|error| {
            if is_begun {
                self.file().note_failure(error);
            }
        })
    }

    /// Runs a change of what stands at `path`. An error without a path gets this one.
    pub(super) fn try_edit<T>(
        &self,
        path: &str,
        lock_tree: impl for<'a> FnOnce(&'a File) -> RwLockWriteGuard<'a, Tree>,
        change: impl FnOnce(&mut Tree) -> Result<T>,
    ) -> Result<T> {
        let file = self.file();
        let result = file.check_writable().and_then(|()| {
            let mut tree = lock_tree(file);
            tree.check(self.id())?;
            if tree.node_count() as u64 >= file.limits().nodes {
                return Err(Error::limit("nodes", file.limits().nodes));
            }
            file.inner.changed.store(true, Ordering::Release);
            change(&mut tree).map_err(|error| error.at_path(joined(&tree.path(self.id()), path)))
        });
        result.map_err(|error| file.name_in(error))
    }

    /// Adds the place at `path`, where something may still be missing, to an error that has none.
    pub(super) fn at(&self, path: &str, error: Error) -> Error {
        match self.path() {
            Ok(base) => self.file().name_in(error.at_path(joined(&base, path))),
            Err(_) => error,
        }
    }

    /// The number for the block of an array that is to stand at `path`: that of the block of the array that stands there
    /// now, if nothing else names it, else the next one.
    pub(super) fn block_number(&self, tree: &Tree, path: &str, store: &Store) -> Result<u64> {
        match tree.existing_place(self.id(), path) {
            Some(place) if tree.alias_targets().all(|target| target != place) => {
                self.file().block_number_of(tree, place, store)
            }
            _ => self.file().next_block_number(store),
        }
    }

    /// Finds or makes the place at `path` for new content, which the root never is.
    pub(in crate::file) fn place(&self, tree: &mut Tree, path: &str) -> Result<NodeId> {
        let place = tree.place(self.id(), path)?;
        if place == tree.root() {
            return Err(Error::new(Status::InvalidArgument, "the root of the tree cannot be replaced"));
        }
        Ok(place)
    }

    fn set_content(&self, path: &str, content: Content, tag: Option<&str>) -> Result<()> {
        let change = |tree: &mut Tree| {
            let place = self.place(tree, path)?;
            tree.replace(place, content);
            tree.set_tag(place, tag);
            Ok(())
        };
        match content {
            // It may be the number of a block.
            Content::Scalar(text, Style::Plain) if text.parse::<i64>().is_ok() => self.edit(path, change),
            _ => self.edit_values(path, change),
        }
    }

    /// Sets null.
    pub fn set_null(&self, path: &str) -> Result<()> {
        self.set_content(path, Content::Scalar("null", Style::Plain), None)
    }

    /// Sets a truth value.
    pub fn set_bool(&self, path: &str, value: bool) -> Result<()> {
        self.set_content(path, Content::Scalar(if value { "true" } else { "false" }, Style::Plain), None)
    }

    /// Sets an integer.
    pub fn set_i64(&self, path: &str, value: i64) -> Result<()> {
        self.set_content(path, Content::Scalar(&value.to_string(), Style::Plain), None)
    }

    /// Sets an integer, which the standard wants to fit a signed one of 64 bits; larger ones are
    /// [`Status::ValueRange`], [`Node::set_integer`] takes them.
    pub fn set_u64(&self, path: &str, value: u64) -> Result<()> {
        match i64::try_from(value) {
            Ok(value) => self.set_i64(path, value),
            Err(_) => self.edit(path, |_| {
                let message = format!("{value} is beyond 64 signed bits; it can be set as a core/integer");
                Err(Error::new(Status::ValueRange, message))
            }),
        }
    }

    /// Sets an integer of any size from decimal digits with an optional sign: literally if it fits 64 signed bits,
    /// else as a `core/integer`, which the standard has from version 1.3.0 on.
    pub fn set_integer(&self, path: &str, digits: &str) -> Result<()> {
        let standard = self.file().standard_version();
        self.edit(path, |tree| {
            let value = integer::parse(digits)?;
            match i64::try_from(&value) {
                Ok(value) => {
                    let place = self.place(tree, path)?;
                    tree.replace(place, Content::Scalar(&value.to_string(), Style::Plain));
                }
                Err(_) => {
                    core_tag("integer", standard)?;
                    let place = self.place(tree, path)?;
                    integer::write(tree, place, &value, standard)?;
                }
            }
            Ok(())
        })
    }

    /// Sets a binary64 number.
    pub fn set_f64(&self, path: &str, value: f64) -> Result<()> {
        let mut text = String::new();
        float::YAML.write(&mut text, value);
        self.set_content(path, Content::Scalar(&text, Style::Plain), None)
    }

    /// Sets a complex number (`core/complex`).
    pub fn set_complex(&self, path: &str, real: f64, imaginary: f64) -> Result<()> {
        match core_tag("complex", self.file().standard_version()) {
            Ok(tag) => {
                let text = complex::format(real, imaginary);
                self.set_content(path, Content::Scalar(&text, Style::Plain), Some(&tag))
            }
            Err(error) => self.edit(path, |_| Err(error)),
        }
    }

    /// Sets a string; it is quoted where a reader could take it for something else.
    pub fn set_string(&self, path: &str, value: &str) -> Result<()> {
        self.set_content(path, Content::Scalar(value, Style::Automatic), None)
    }

    /// Sets a date, or a date with time, in the form that YAML has for them: `2027-01-31`, `2027-01-31T04:05:06.7Z`.
    /// Another text is [`Status::InvalidArgument`].
    pub fn set_timestamp(&self, path: &str, value: &str) -> Result<()> {
        if matches!(scalar::resolve(value, true, None), Ok(Scalar::Timestamp(_))) {
            return self.set_content(path, Content::Scalar(value, Style::Plain), None);
        }
        let message = format!("'{}' is neither a date nor a date with time", value.escape_debug());
        self.edit(path, |_| Err(Error::new(Status::InvalidArgument, message)))
    }

    /// Sets bytes (`!!binary`).
    pub fn set_binary(&self, path: &str, value: &[u8]) -> Result<()> {
        let tag = format!("{}binary", scalar::YAML_TAG_PREFIX);
        self.set_content(path, Content::Scalar(&scalar::binary_text(value), Style::Literal), Some(&tag))
    }

    /// Sets an empty sequence, written in brackets or line by line.
    pub fn set_sequence(&self, path: &str, flow: bool) -> Result<()> {
        self.set_content(path, Content::Sequence(collection_style(flow)), None)
    }

    /// Sets an empty mapping, written in braces or line by line.
    pub fn set_mapping(&self, path: &str, flow: bool) -> Result<()> {
        self.set_content(path, Content::Mapping(collection_style(flow)), None)
    }

    /// Sets the tag of what stands at `path`, or takes it away. A tag that begins with `!` is short for one of the
    /// standard: `!unit/unit-1.0.0` for `tag:stsci.edu:asdf/unit/unit-1.0.0`.
    pub fn set_tag(&self, path: &str, tag: Option<&str>) -> Result<()> {
        self.edit(path, |tree| {
            let full = tag.map(full_tag).transpose()?;
            let place = tree.lookup(self.id(), path)?;
            if tree.kind(place) == Kind::Alias {
                let message = "an alias has no tag of its own";
                return Err(tree.locate(Error::new(Status::InvalidArgument, message), place));
            }
            tree.set_tag(place, full.as_deref());
            Ok(())
        })
    }

    /// Sets a JSON reference with this URI: relative to the file, with the path as its fragment.
    pub fn set_reference(&self, path: &str, uri: &str) -> Result<()> {
        self.edit(path, |tree| {
            if uri.chars().any(|character| character.is_control() || character == ' ') {
                return Err(Error::new(Status::InvalidArgument, "a URI holds no blanks or control characters"));
            }
            let place = self.place(tree, path)?;
            tree.replace(place, Content::Mapping(Style::Flow));
            tree.append_pair(place, "$ref", Content::Scalar(uri, Style::Automatic));
            Ok(())
        })
    }

    /// Sets a JSON reference to the place `target` of this file, a path from the root; escapes are made here.
    pub fn set_reference_to(&self, path: &str, target: &str) -> Result<()> {
        let uri = path::tokens(target).map(|tokens| {
            let pointer: String = tokens.iter().map(|token| format!("/{}", path::escape(token))).collect();
            fragment_of(&pointer)
        });
        match uri {
            Ok(uri) => self.set_reference(path, &uri),
            Err(error) => self.edit(path, |_| Err(error)),
        }
    }

    /// Sets an array of these extents, slowest first, whose elements come in C order; they are copied.
    ///
    /// Fails with [`Status::InvalidArgument`] unless there are as many elements as the extents say. To store it otherwise
    /// than by default, or without a copy, see [`Node::set_array_data`].
    pub fn set_array<T: Element>(&self, path: &str, elements: &[T], shape: impl AsRef<[i64]>) -> Result<()> {
        self.set_array_data(path, &ArrayData::of_slice(elements, shape.as_ref()), &ArrayOptions::default())
    }

    /// Sets an array. In a block its bytes are kept until the file is written.
    ///
    /// Fails with [`Status::InvalidArgument`] unless all elements lie within the bytes, which they fill if they are
    /// packed, and with [`Status::Encoding`] for strings that are not ASCII or valid UTF-32, as the datatype says.
    pub fn set_array_data(&self, path: &str, data: &ArrayData, options: &ArrayOptions) -> Result<()> {
        self.check_kept(path, data.shape, options)?;
        self.edit_values(path, |tree| {
            let tag = self.file().array_tag(&data.datatype)?;
            let bytes = data.bytes.as_ref();
            let memory = InMemory::new(&data.datatype, data.shape, &data.order, bytes.len())?;
            if options.storage == Storage::Inline {
                // Made apart, so that nothing is left in the tree if it fails.
                let mut part = Tree::new();
                let node = part.place(part.root(), "array")?;
                array::check_inline(&data.datatype, data.shape, memory.count())?;
                let elements = memory.native().pack(bytes, &Order::C, ByteOrder::NATIVE)?;
                array::describe_inline(&mut part, node, &data.datatype, data.shape, &elements)?;
                part.set_tag(node, Some(&tag));
                let place = self.place(tree, path)?;
                return tree.copy_from(place, &part, node).map(|_| ());
            }
            array::check_text_in(&memory, &data.datatype, bytes)?;
            let orders = (&options.stored_order, options.byteorder);
            let bytes: Arc<dyn Source> = match &data.bytes {
                ArrayBytes::Copied(bytes) => Arc::new(EditableSource::new(memory.pack(bytes, orders.0, orders.1)?)),
                ArrayBytes::Shared(bytes) => Arc::new(memory.packed(bytes.clone(), orders.0, orders.1)?),
            };
            self.put_array(tree, path, (&data.datatype, data.shape), bytes, options)
        })
    }

    /// Sets an array whose elements a source has or makes, packed in C order, native. It is asked for them when the file
    /// is written, for 1 MiB or one element at a time, in order and for each once; and also if the array is read before
    /// that. Each time that the file is written it is asked again.
    ///
    /// Fails with [`Status::InvalidArgument`] unless the source has as many bytes as the elements take, and for storage
    /// in the tree or in another order.
    pub fn set_array_source(
        &self,
        path: &str,
        datatype: &Datatype,
        shape: &[i64],
        source: Arc<dyn Source>,
        options: &ArrayOptions,
    ) -> Result<()> {
        self.check_kept(path, shape, options)?;
        self.edit_values(path, |tree| {
            check_packed_block(options)?;
            let bytes = Arc::new(MadeElements::new(source, datatype, shape, options.byteorder)?);
            self.put_array(tree, path, (datatype, shape), bytes, options)
        })
    }

    /// Sets an array of zeros, which take no room on the disk where the system can leave some out, to be written over later
    /// with [`NodeArray::write_region`](crate::file::NodeArray::write_region). There is no checksum.
    ///
    /// Fails with [`Status::InvalidArgument`] for storage in the tree, compression, or a checksum asked for.
    pub fn set_array_zeros(
        &self,
        path: &str,
        datatype: &Datatype,
        shape: &[i64],
        options: &ArrayOptions,
    ) -> Result<()> {
        self.check_kept(path, shape, options)?;
        self.edit_values(path, |tree| {
            if options.storage != Storage::Internal || options.compression.is_some() || options.checksum == Some(true) {
                let message = "zeros to be written over have a block that is neither compressed nor has a checksum";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let bytes = Arc::new(ZeroSource(array::packed_size(datatype, shape)?));
            self.put_array(tree, path, (datatype, shape), bytes, options)
        })
    }

    /// Fails with [`Status::InvalidArgument`] if the array at `path` has something to keep that does not suit this shape.
    fn check_kept(&self, path: &str, shape: &[i64], options: &ArrayOptions) -> Result<()> {
        let inline = options.storage == Storage::Inline;
        let checked = match options.keep {
            true if inline => {
                let message = "an array in the tree keeps nothing of the one whose place it takes";
                Err(Error::new(Status::InvalidArgument, message))
            }
            true => self.file().check_open().and_then(|()| self.check_kept_mask(path, shape)),
            false => Ok(()),
        };
        checked.map_err(|error| self.at(path, error)).inspect_err(|error| self.file().note_failure(error))
    }

    /// Puts an array, whose packed bytes are as the options say, into a block of its own.
    fn put_array(
        &self,
        tree: &mut Tree,
        path: &str,
        (datatype, shape): (&Datatype, &[i64]),
        bytes: Arc<dyn Source>,
        options: &ArrayOptions,
    ) -> Result<()> {
        let file = self.file();
        let apart = Place::of(options)?;
        let tag = file.array_tag(datatype)?;
        let item_size = datatype.item_size()? as usize;
        let compression = options.compression.clone().map(|compression| compression.of_items(item_size));
        let mut store = file.store_mut();
        if apart == Some(Place::Streamed) {
            check_streamed(tree, &store, tree.lookup(self.id(), path).ok())?;
        }
        let number = match apart {
            None => self.block_number(tree, path, &store)?,
            Some(_) => store.apart().next(),
        };
        let place = self.place(tree, path)?;
        file.count_block(tree, number, &store)?;
        let orders = (&options.stored_order, options.byteorder);
        let keep = options.keep && tree.tag(place).and_then(name_of) == Some("core/ndarray");
        if keep && tree.kind(place) == Kind::Mapping {
            redescribe(tree, place, number as i64, (datatype, orders, shape), file.limits())?;
        } else {
            array::describe_stored(tree, place, number as i64, datatype, orders, shape)?;
            tree.set_tag(place, Some(&tag));
        }
        if apart == Some(Place::Streamed) {
            let (stored, count) = store.counts()?;
            count_from_start(tree, stored, count);
            array::leave_rows_open(tree, place, datatype, shape)?;
        }
        let owners = block_source(tree, place).map(|(scalar, _)| scalar).into_iter().collect();
        let bytes = MadeBytes::Raw(bytes, compression);
        let block = MadeBlock { bytes, slack: options.slack, checksum: options.checksum, owners };
        match apart {
            None => store.put(number, block),
            Some(apart) => {
                store.apart_mut().add(block, apart);
                Ok(())
            }
        }
    }

    /// Removes what stands at `path` from its mapping or sequence.
    ///
    /// Fails with [`Status::InvalidArgument`] for a pair that stands there only because another mapping is merged in.
    pub fn remove(&self, path: &str) -> Result<()> {
        self.edit(path, |tree| {
            let (_, place) = tree.own_entry(self.id(), path)?;
            tree.remove(place)
        })
    }
}

/// Fails unless an array is to be stored in a block, in C order.
pub(crate) fn check_packed_block(options: &ArrayOptions) -> Result<()> {
    if options.storage == Storage::Inline || options.stored_order != Order::C {
        let message = "elements that come one after the other are stored in a block, in C order";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(())
}

impl File {
    /// The number for other bytes of the array at a node: that of its block if nothing else names it, else the next one.
    pub(super) fn block_number_of(&self, tree: &Tree, node: NodeId, store: &Store) -> Result<u64> {
        let (stored, count) = store.counts()?;
        if let Some((_, index)) = block_source(tree, node)
            && let Some(number) = number_of(index, count).filter(|&number| number < count)
        {
            let mut known = lock(&self.inner.block_uses);
            let single = known.as_ref().and_then(|uses| uses.is_single(number));
            let single = single.or_else(|| known.insert(BlockUses::of(tree, stored, count)).is_single(number));
            if single == Some(true) {
                return Ok(number);
            }
        }
        self.next_block_number(store)
    }

    fn next_block_number(&self, store: &Store) -> Result<u64> {
        let (_, count) = store.counts()?;
        if count >= self.limits().blocks {
            return Err(Error::limit("blocks", self.limits().blocks));
        }
        Ok(count)
    }

    /// The tag of an array of this type. Fails with [`Status::Unsupported`] if the standard does not have the type.
    pub(crate) fn array_tag(&self, datatype: &Datatype) -> Result<String> {
        let standard = self.standard_version();
        let tag = core_tag("ndarray", standard)?;
        if datatype.holds(ScalarType::Float16) && tag.ends_with("-1.0.0") {
            let message = format!("float16 is not part of standard {}", standard.as_str());
            return Err(Error::new(Status::Unsupported, message));
        }
        Ok(tag)
    }

    /// Prepares the tree for one more array that names the block of this number, which is replaced, or added if it is
    /// the next one.
    pub(super) fn count_block(&self, tree: &mut Tree, number: u64, store: &Store) -> Result<()> {
        let (stored, count) = store.counts()?;
        if number == count {
            count_from_start(tree, stored, count);
            if let Some(uses) = &mut *lock(&self.inner.block_uses) {
                uses.add(number);
            }
        }
        Ok(())
    }

    /// Lets go of blocks whose arrays were replaced or removed before they were written, and numbers the others anew.
    /// Blocks that are stored stay, also those whose replacement goes: their numbers are their places in the file.
    pub(crate) fn drop_unused_blocks(&self) -> Result<()> {
        let mut tree = self.tree_mut();
        let mut store = self.store_mut();
        let (first, count) = store.counts()?;
        store.apart_mut().drop_unused(|owner| tree.check(owner).is_ok());
        let (replaced, made) = store.waiting_mut();
        for block in replaced.values_mut().chain(made.iter_mut()) {
            block.owners.retain(|&owner| tree.check(owner).is_ok());
        }
        if replaced.values().any(|block| block.owners.is_empty()) {
            let uses = BlockUses::of(&tree, first, count);
            replaced.retain(|&number, block| !block.owners.is_empty() || uses.is_named(number));
        }
        if made.iter().all(|block| !block.owners.is_empty()) {
            return Ok(());
        }
        made.retain(|block| !block.owners.is_empty());
        for (number, block) in (first..).zip(made.iter()) {
            for &owner in &block.owners {
                tree.replace(owner, Content::Scalar(&number.to_string(), Style::Plain));
            }
        }
        Ok(())
    }
}

/// The path of what stands at `path` below the node at `base`.
fn joined(base: &str, path: &str) -> String {
    if path.is_empty() { base.to_owned() } else { format!("{base}/{}", path.strip_prefix('/').unwrap_or(path)) }
}

fn collection_style(flow: bool) -> Style {
    if flow { Style::Flow } else { Style::Block }
}

/// The full form of a tag given in full or as the shorthand of files that this library writes.
pub(in crate::file) fn full_tag(tag: &str) -> Result<String> {
    let full = match tag.strip_prefix('!') {
        Some(short) => format!("{}{short}", crate::file::open::standard_tags::PREFIX),
        None => tag.to_owned(),
    };
    if full.is_empty() || tag == "!" || full.chars().any(|character| character.is_control() || character == ' ') {
        return Err(Error::new(Status::InvalidArgument, format!("'{}' cannot be a tag", tag.escape_debug())));
    }
    Ok(full)
}
