//! Setting values, arrays, tags and references by path.
//!
//! Missing collections on the path are created: a sequence if the next part of the path is `-`, otherwise a mapping. In
//! a sequence, a number selects an existing item, and `-` appends one. A setter that fails changes nothing, and its
//! failure is recorded, so that the file is not written without the value.

use super::array_data::{ArrayBytes, ArrayData};
use super::chunked::NewChunks;
use super::redescribe::redescribe;
use super::storage::check_streamed;
use crate::array::{self, ByteOrder, Datatype, Element, InMemory, MadeElements, Order};
use crate::error::{Error, Result, Status};
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::blocks::unnumbered::UnnumberedStorage;
use crate::file::open::named_blocks::{block_source, count_from_start};
use crate::file::open::state::{FileState, Uses};
use crate::file::tree::integer;
use crate::file::{ArrayOptions, Node, Storage};
use crate::float;
use crate::limits::{Limit, Limits};
use crate::source::{EditableSource, Source, ZeroSource};
use crate::tags::{self, standard_tag};
use crate::tree::edit::Content;
use crate::tree::restructure::KeyPosition;
use crate::tree::{CommentPosition, Kind, NodeId, Scalar, Style, Tree, complex, fragment_of, path, scalar};
use std::sync::Arc;

impl Node {
    /// Runs a change at `path`, and records a failure.
    pub(crate) fn edit<T>(&self, path: &str, change: impl FnOnce(&mut Tree) -> Result<T>) -> Result<T> {
        self.edit_state(path, Uses::Added, |state| change(state.tree_mut()))
    }

    /// Runs a change that adds no use of a block. Records a failure.
    pub(super) fn edit_values<T>(&self, path: &str, change: impl FnOnce(&mut Tree) -> Result<T>) -> Result<T> {
        self.edit_state(path, Uses::Counted, |state| change(state.tree_mut()))
    }

    /// Runs a change of tree and blocks, and records a failure.
    pub(super) fn edit_state<T>(
        &self,
        path: &str,
        uses: Uses,
        change: impl FnOnce(&mut FileState) -> Result<T>,
    ) -> Result<T> {
        self.try_edit(path, uses, change).inspect_err(|error| self.file().note_failure(error))
    }

    /// Runs a change of the storage of arrays, which leaves the values unchanged if it fails early. Only a failure
    /// after `is_begun` was set is recorded, because the tree can be inconsistent then.
    pub(super) fn edit_storage<T>(&self, change: impl FnOnce(&mut FileState, &mut bool) -> Result<T>) -> Result<T> {
        let mut is_begun = false;
        let result = self.try_edit("", Uses::Added, |state| change(state, &mut is_begun));
        result.inspect_err(|error| {
            if is_begun {
                self.file().note_failure(error);
            }
        })
    }

    /// Runs a change at `path`, with the state locked. An error without a path gets this one.
    pub(super) fn try_edit<T>(
        &self,
        path: &str,
        uses: Uses,
        change: impl FnOnce(&mut FileState) -> Result<T>,
    ) -> Result<T> {
        let file = self.file();
        let result = file.state_to_change().and_then(|mut state| {
            state.begin_change_of(uses);
            state.tree().check(self.id())?;
            if state.tree().node_count() as u64 >= file.limits().nodes {
                return Err(Limit::Nodes.exceeded("nodes", file.limits().nodes));
            }
            state.prepare_edit()?;
            state.is_changed = true;
            let result = change(&mut state);
            #[cfg(debug_assertions)]
            state.tree().assert_consistent();
            result.map_err(|error| error.at_path(joined(&state.tree().path(self.id()), path)))
        });
        result.map_err(|error| file.name_in(error))
    }

    /// Adds the path to an error that has none. The node at `path` need not exist.
    pub(super) fn located(&self, path: &str, error: Error) -> Error {
        match self.path() {
            Ok(base) => self.file().name_in(error.at_path(joined(&base, path))),
            Err(_) => error,
        }
    }

    /// Returns the block number for an array to be set at `path`. This is the block number of the array that is there
    /// now, if no other node names its block, for a mask that of the mask before it, and otherwise the next number.
    pub(super) fn block_number(&self, state: &mut FileState, path: &str) -> Result<u64> {
        let limits = self.file().limits();
        match state.tree().existing_place(self.id(), path) {
            Some(place) if state.tree().alias_targets().all(|target| target != place) => {
                state.block_number_of(place, limits)
            }
            Some(_) => state.next_block_number(limits),
            None => {
                let array = self.array_of_mask(state.tree(), path);
                let former = array.map_or(Ok(None), |array| state.take_mask_block(array))?;
                former.map_or_else(|| state.next_block_number(limits), Ok)
            }
        }
    }

    /// Returns the mapping whose key `mask` is at `path`.
    fn array_of_mask(&self, tree: &Tree, path: &str) -> Option<NodeId> {
        let array = path.strip_suffix("mask")?;
        let array = if array.is_empty() { array } else { array.strip_suffix('/')? };
        tree.find_path(self.id(), array)
    }

    /// Finds or creates the place at `path` for new content. Fails for the root.
    pub(crate) fn place(&self, tree: &mut Tree, path: &str) -> Result<NodeId> {
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
            // An integer can be a block number.
            Content::Scalar(text, Style::Plain) if text.parse::<i64>().is_ok() => self.edit(path, change),
            _ => self.edit_values(path, change),
        }
    }

    /// Sets null.
    pub fn set_null(&self, path: &str) -> Result<()> {
        self.set_content(path, Content::Scalar("null", Style::Plain), None)
    }

    /// Sets a boolean.
    pub fn set_bool(&self, path: &str, value: bool) -> Result<()> {
        self.set_content(path, Content::Scalar(if value { "true" } else { "false" }, Style::Plain), None)
    }

    /// Sets an integer.
    pub fn set_i64(&self, path: &str, value: i64) -> Result<()> {
        self.set_content(path, Content::Scalar(&value.to_string(), Style::Plain), None)
    }

    /// Sets an integer. The standard limits integers to 64 signed bits. Larger values are [`Status::ValueRange`]; use
    /// [`Node::set_integer`] for them.
    pub fn set_u64(&self, path: &str, value: u64) -> Result<()> {
        match i64::try_from(value) {
            Ok(value) => self.set_i64(path, value),
            Err(_) => self.edit(path, |_| {
                let message = format!("{value} does not fit 64 signed bits; set_integer stores it as a core/integer");
                Err(Error::new(Status::ValueRange, message))
            }),
        }
    }

    /// Sets an integer of any size, given as decimal digits with an optional sign. An integer beyond 64 signed bits is
    /// written as `core/integer`, which requires version 1.3.0 of the standard.
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
                    standard_tag(tags::INTEGER, standard)?;
                    let place = self.place(tree, path)?;
                    integer::write(tree, place, &value, standard)?;
                }
            }
            Ok(())
        })
    }

    /// Sets a float (binary64).
    pub fn set_f64(&self, path: &str, value: f64) -> Result<()> {
        let mut text = String::new();
        float::Notation::YAML.write(&mut text, value);
        self.set_content(path, Content::Scalar(&text, Style::Plain), None)
    }

    /// Sets a float with the shortest text that gives the same binary32 number: 0.1 for `0.1f32`, whose value as
    /// binary64 is 0.10000000149011612.
    pub fn set_f32(&self, path: &str, value: f32) -> Result<()> {
        let mut text = String::new();
        float::Notation::YAML.write(&mut text, value);
        self.set_content(path, Content::Scalar(&text, Style::Plain), None)
    }

    /// Sets a complex number (`core/complex`).
    pub fn set_complex(&self, path: &str, real: f64, imaginary: f64) -> Result<()> {
        match standard_tag(tags::COMPLEX, self.file().standard_version()) {
            Ok(tag) => {
                let text = complex::format(real, imaginary);
                self.set_content(path, Content::Scalar(&text, Style::Plain), Some(&tag))
            }
            Err(error) => self.edit(path, |_| Err(error)),
        }
    }

    /// Sets a string. It is quoted if its text would have another type in YAML.
    pub fn set_string(&self, path: &str, value: &str) -> Result<()> {
        self.set_content(path, Content::Scalar(value, Style::Automatic), None)
    }

    /// Sets a date, or a date with time, in the form of YAML 1.1: `2027-01-31` or `2027-01-31T04:05:06.7Z`. Other texts
    /// are [`Status::InvalidArgument`].
    pub fn set_timestamp(&self, path: &str, value: &str) -> Result<()> {
        if matches!(scalar::resolve(value, true, None), Ok(Scalar::Timestamp(_))) {
            return self.set_content(path, Content::Scalar(value, Style::Plain), None);
        }
        let message = format!("'{}' is neither a date nor a date with time", value.escape_debug());
        self.edit(path, |_| Err(Error::new(Status::InvalidArgument, message)))
    }

    /// Sets bytes (`!!binary`).
    pub fn set_binary(&self, path: &str, value: &[u8]) -> Result<()> {
        let tag = [tags::YAML, "binary"].concat();
        self.set_content(path, Content::Scalar(&scalar::binary_text(value), Style::Literal), Some(&tag))
    }

    /// Sets an empty sequence in flow style (brackets) or block style (one item per line).
    pub fn set_sequence(&self, path: &str, flow: bool) -> Result<()> {
        self.set_content(path, Content::Sequence(collection_style(flow)), None)
    }

    /// Sets an empty mapping in flow style (braces) or block style (one pair per line).
    pub fn set_mapping(&self, path: &str, flow: bool) -> Result<()> {
        self.set_content(path, Content::Mapping(collection_style(flow)), None)
    }

    /// Sets or removes the tag of the node at `path`. A leading `!` abbreviates a tag of the standard:
    /// `!unit/unit-1.0.0` stands for `tag:stsci.edu:asdf/unit/unit-1.0.0`; `!!set` stands for `tag:yaml.org,2002:set`.
    ///
    /// Fails with [`Status::InvalidArgument`] for a tag of the standard or of YAML that does not exist.
    /// Fails with [`Status::TagContent`] if the text of a scalar is not a value of the type that a tag of YAML demands.
    /// Fails with [`Status::InvalidArgument`] if an alias of the node is a key of a mapping and would repeat another
    /// key.
    pub fn set_tag(&self, path: &str, tag: Option<&str>) -> Result<()> {
        self.edit(path, |tree| {
            let place = tree.lookup(self.id(), path)?;
            let full = tag.map(tags::full_tag).transpose()?;
            if tree.kind(place) == Kind::Alias {
                let message = "an alias has no tag of its own";
                return Err(tree.locate(Error::new(Status::InvalidArgument, message), place));
            }
            tree.retag(place, full.as_deref())
        })
    }

    /// Sets the note of the mapping at `path`: the value of its key `//`, for people who read the file. A new note comes
    /// before all other keys.
    ///
    /// Fails with [`Status::WrongType`] if the node is not a mapping.
    pub fn set_note(&self, path: &str, note: &str) -> Result<()> {
        self.edit_values(path, |tree| {
            let mapping = tree.resolve(tree.lookup(self.id(), path)?)?;
            let place = match tree.find_token(mapping, tags::NOTE_KEY) {
                Some(place) if tree.parent(place) == Some(mapping) => place,
                _ => tree.insert_key(mapping, "", tags::NOTE_KEY, KeyPosition::First)?,
            };
            tree.replace(place, Content::Scalar(note, Style::Automatic));
            tree.set_tag(place, None);
            Ok(())
        })
    }

    /// Sets the comment of the node at `path`, which replaces the one that is there; an empty one removes it.
    ///
    /// Fails with [`Status::Unsupported`] for a node in brackets or braces, which has no line of its own, and for the
    /// root, unless the comment stands at the end of the document. Fails with [`Status::InvalidArgument`] for control
    /// characters, and for line feeds in a comment at the end of a line.
    pub fn set_comment(&self, path: &str, position: CommentPosition, text: &str) -> Result<()> {
        self.edit_values(path, |tree| {
            let place = tree.lookup(self.id(), path)?;
            let is_bad = |character: char| {
                character.is_control() && character != '\n' || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
            };
            let is_long = position == CommentPosition::LineEnd && text.contains('\n');
            if is_long || text.chars().any(is_bad) {
                let message = "a comment has no control characters, and at the end of a line no line feeds";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let parent = tree.parent(place);
            let has_place = match position {
                CommentPosition::DocumentEnd => parent.is_none(),
                _ => parent.is_some_and(|parent| tree.style(parent) != Style::Flow),
            };
            if !has_place {
                let message = "this node has no line of its own for such a comment; set one of the node around it";
                return Err(Error::new(Status::Unsupported, message));
            }
            tree.set_comment(place, position, text);
            Ok(())
        })
    }

    /// Sets a JSON reference with this URI, relative to the file. The fragment is the path in the target file.
    pub fn set_reference(&self, path: &str, uri: &str) -> Result<()> {
        self.edit(path, |tree| {
            if uri.chars().any(|character| character.is_control() || character == ' ') {
                return Err(Error::new(
                    Status::InvalidArgument,
                    "a URI must not contain blanks or control characters; write a blank as %20",
                ));
            }
            let place = self.place(tree, path)?;
            tree.replace(place, Content::Mapping(Style::Flow));
            tree.append_pair(place, "$ref", Content::Scalar(uri, Style::Automatic));
            Ok(())
        })
    }

    /// Sets a JSON reference to the path `target` in this file, counted from the root. Necessary escapes are added.
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

    /// Sets an array with elements in C order and these extents, slowest axis first. The elements are copied.
    ///
    /// Fails with [`Status::InvalidArgument`] if the number of elements does not match the extents. For other storage,
    /// or to avoid the copy, use [`Node::set_array_data`].
    pub fn set_array<T: Element>(&self, path: &str, elements: &[T], shape: impl AsRef<[i64]>) -> Result<()> {
        self.set_array_data(path, &ArrayData::of_slice(elements, shape.as_ref()), &ArrayOptions::default())
    }

    /// Sets an array. The chunks of a chunked array are made at once. Otherwise shared memory is kept until the file is written, if the array is stored in a block.
    ///
    /// Fails with [`Status::InvalidArgument`] if elements are outside the bytes, or if packed elements do not fill the
    /// bytes. Fails with [`Status::Encoding`] for strings that are not ASCII or not valid UTF-32, according to the
    /// datatype.
    pub fn set_array_data(&self, path: &str, data: &ArrayData, options: &ArrayOptions) -> Result<()> {
        self.check_new(path, data.shape, options)?;
        if let Some(chunk) = &options.chunks {
            return NewChunks::set(self, path, data, chunk, options);
        }
        self.edit_state(path, Uses::Counted, |state| {
            let tag = array::array_tag(&data.datatype, self.file().standard_version())?;
            let bytes = data.bytes.as_ref();
            let memory = InMemory::new(&data.datatype, data.shape, &data.order, bytes.len())?;
            if options.storage == Storage::Inline {
                // A separate tree, so that a failure leaves nothing in the tree of the file.
                let mut part = Tree::new();
                let node = part.place(part.root(), "array")?;
                array::check_inline(&data.datatype, data.shape, memory.count())?;
                let elements = memory.native().pack(bytes, &Order::C, ByteOrder::NATIVE)?;
                array::describe_inline(&mut part, node, &data.datatype, data.shape, &elements)?;
                part.set_tag(node, Some(&tag));
                let tree = state.tree_mut();
                let place = self.place(tree, path)?;
                return tree.copy_from(place, &part, node).map(|_| ());
            }
            array::check_text_in(&memory, &data.datatype, bytes)?;
            let orders = (&options.stored_order, options.byteorder);
            let bytes: Arc<dyn Source> = match &data.bytes {
                ArrayBytes::Copied(bytes) => Arc::new(EditableSource::new(memory.pack(bytes, orders.0, orders.1)?)),
                ArrayBytes::Shared(bytes) => Arc::new(memory.packed(bytes.clone(), orders.0, orders.1)?),
            };
            self.put_array(state, path, (&data.datatype, data.shape), bytes, options)
        })
    }

    /// Sets an array whose elements come from a source, packed in C order, in native byte order. Each write of the file
    /// reads the source once, in order, 1 MiB or one element at a time. Reading the array before the file is written
    /// reads the source as well.
    ///
    /// Fails with [`Status::InvalidArgument`] if the length of the source does not match the elements, and for storage
    /// in the tree or in another order.
    pub fn set_array_source(
        &self,
        path: &str,
        datatype: &Datatype,
        shape: &[i64],
        source: Arc<dyn Source>,
        options: &ArrayOptions,
    ) -> Result<()> {
        self.check_new(path, shape, options)?;
        // Without this owner, a failure would close the source while the state is locked.
        let owned = source.clone();
        let set = self.edit_state(path, Uses::Counted, |state| {
            check_packed_block(options)?;
            let bytes = Arc::new(MadeElements::new(source, datatype, shape, options.byteorder)?);
            self.put_array(state, path, (datatype, shape), bytes, options)
        });
        drop(owned);
        set
    }

    /// Sets an array of zeros, to be overwritten later with
    /// [`Array::write_region`](crate::array::Array::write_region). On file systems with holes the zeros occupy
    /// no space. The block has no checksum.
    ///
    /// Fails with [`Status::InvalidArgument`] for storage in the tree, compression, or a requested checksum.
    pub fn set_array_zeros(
        &self,
        path: &str,
        datatype: &Datatype,
        shape: &[i64],
        options: &ArrayOptions,
    ) -> Result<()> {
        self.check_new(path, shape, options)?;
        if let Some(chunk) = &options.chunks {
            return NewChunks::set_zeros(self, path, (datatype, shape), chunk, options);
        }
        self.edit_state(path, Uses::Counted, |state| {
            if options.storage != Storage::Internal || options.compression.is_some() || options.checksum == Some(true) {
                let message =
                    "an array of zeros must be stored in a block of its file, without compression and without checksum";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let bytes = Arc::new(ZeroSource(array::packed_size(datatype, shape)?));
            self.put_array(state, path, (datatype, shape), bytes, options)
        })
    }

    /// Fails with [`Status::Limit`] for more dimensions than the limit allows, and with [`Status::InvalidArgument`] if
    /// options ask to keep parts of the array at `path` that do not fit the new array.
    fn check_new(&self, path: &str, shape: &[i64], options: &ArrayOptions) -> Result<()> {
        let inline = options.storage == Storage::Inline;
        let most = self.file().limits().rank.min(Limits::MAX_RANK);
        let checked = match options.keep {
            _ if shape.len() > most as usize => Err(Limit::Rank.exceeded("the dimensions of an array", most.into())),
            true if inline => {
                let message = "the option 'keep' (ASDF_OPTION_KEEP) requires storage in a block, not in the tree";
                Err(Error::new(Status::InvalidArgument, message))
            }
            true => self.file().check_open().and_then(|()| self.check_kept_mask(path, shape)),
            false => Ok(()),
        };
        checked.map_err(|error| self.located(path, error)).inspect_err(|error| self.file().note_failure(error))
    }

    /// Puts an array into a block of its own. The bytes are packed in the orders of the options.
    fn put_array(
        &self,
        state: &mut FileState,
        path: &str,
        (datatype, shape): (&Datatype, &[i64]),
        bytes: Arc<dyn Source>,
        options: &ArrayOptions,
    ) -> Result<()> {
        let file = self.file();
        let unnumbered = UnnumberedStorage::of(options)?;
        let tag = array::array_tag(datatype, file.standard_version())?;
        let item_size = datatype.item_size()? as usize;
        let compression = options.compression.clone().map(|compression| compression.of_items(item_size));
        if unnumbered == Some(UnnumberedStorage::Streamed) {
            let (tree, store) = (state.tree(), state.store());
            check_streamed(tree, store, tree.find_path(self.id(), path))?;
            // It replaces another streamed block.
            store.check_more(u64::from(store.unnumbered().streamed().is_none()), file.limits())?;
        }
        let number = match unnumbered {
            None => self.block_number(state, path)?,
            Some(_) => state.store().unnumbered().next(),
        };
        let place = self.place(state.tree_mut(), path)?;
        state.count_block(number)?;
        let orders = (&options.stored_order, options.byteorder);
        let keep = options.keep && state.tree().is_tagged(place, tags::NDARRAY);
        let mask = if keep { None } else { state.mask_block(place)? };
        let (tree, store) = state.parts_mut();
        if keep && tree.kind(place) == Kind::Mapping {
            redescribe(tree, place, number as i64, (datatype, orders, shape), file.limits())?;
        } else {
            array::describe_stored(tree, place, number as i64, datatype, orders, shape)?;
            tree.set_tag(place, Some(&tag));
        }
        if unnumbered == Some(UnnumberedStorage::Streamed) {
            let (stored, count) = store.counts()?;
            count_from_start(tree, stored, count)?;
            array::leave_rows_open(tree, place, datatype, shape)?;
        }
        let owners = block_source(tree, place).map(|(scalar, _)| scalar).into_iter().collect();
        let bytes = PendingBytes::Raw(bytes, compression);
        let (slack, checksum) = (options.slack, options.checksum);
        let block = PendingBlock { slack, checksum, owners, ..PendingBlock::new(bytes) };
        match unnumbered {
            None => store.put(number, block)?,
            Some(unnumbered) => {
                store.unnumbered_mut().add(block, unnumbered);
            }
        }
        if let Some(mask) = mask {
            state.leave_mask_block(mask, number);
        }
        Ok(())
    }

    /// Removes the node at `path` from its mapping or sequence. In an ordered mapping, its whole item is removed.
    ///
    /// Fails with [`Status::InvalidArgument`] for a pair that exists only through a merge of another mapping. The file
    /// does not remember [`Status::NotFound`]: it lacks nothing then.
    pub fn remove(&self, path: &str) -> Result<()> {
        let removed = self.try_edit(path, Uses::Added, |state| {
            let tree = state.tree_mut();
            let place = tree.entry_to_remove(self.id(), path)?;
            tree.remove(place)
        });
        removed.inspect_err(|error| {
            if error.status() != Status::NotFound {
                self.file().note_failure(error);
            }
        })
    }
}

/// Fails unless the options store an array in a block, in C order.
pub(crate) fn check_packed_block(options: &ArrayOptions) -> Result<()> {
    if options.storage == Storage::Inline || options.stored_order != Order::C || options.chunks.is_some() {
        let message = "elements from a source or a stream must be stored in one block, in C order";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(())
}

/// Joins the path of a node and a path below it.
fn joined(base: &str, path: &str) -> String {
    if path.is_empty() { base.to_owned() } else { format!("{base}/{}", path.strip_prefix('/').unwrap_or(path)) }
}

fn collection_style(flow: bool) -> Style {
    if flow { Style::Flow } else { Style::Block }
}
