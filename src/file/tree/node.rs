//! Nodes: places in the tree of a file, and the functions that read them.
//!
//! Aliases and JSON references are followed automatically, also into other files if the open options allow it. Only
//! [`Node::reference`] returns a reference itself. A node behind a reference belongs to the file that contains it.

use super::integer;
use crate::error::{Error, Location, Result, Status};
use crate::file::open::state::FileState;
use crate::file::{File, is_chunked_tag};
use crate::report::Report;
use crate::reserve;
use crate::schema::{Description, Schemas};
use crate::tags;
use crate::tree::{
    CommentPosition, Integer, Key, Kind, NON_SPECIFIC_TAG, NodeId, Scalar, Stop, Style, Tree, Walk, complex,
};
use crate::yaml::{self, EmitOptions};
use std::fmt;

/// Type of a node according to YAML 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NodeType {
    /// Null: no value.
    Null,
    /// `true` or `false`.
    Bool,
    /// An integer of any size.
    Integer,
    /// A float (binary64).
    Float,
    /// A string.
    String,
    /// A date, or a date with time.
    Timestamp,
    /// Bytes.
    Binary,
    /// A sequence of items.
    Sequence,
    /// A mapping: pairs of key and value.
    Mapping,
}

/// Key of a pair, with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKey {
    /// A string.
    String(String),
    /// An integer within 64 signed bits.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
    /// Text of a key whose type ASDF does not allow.
    Other(String),
}

impl NodeKey {
    fn of(key: Key) -> NodeKey {
        match key {
            Key::String(text) => NodeKey::String(text.to_owned()),
            Key::Integer(value) => NodeKey::Integer(value),
            Key::Bool(value) => NodeKey::Bool(value),
            Key::Other(text) => NodeKey::Other(text.to_owned()),
        }
    }
}

/// Tags of the standard that mark a node as a number.
enum TaggedNumber {
    Integer,
    Complex,
    Quantity,
}

/// The number at the end of a path.
enum Number<T> {
    /// The value of a scalar without such a tag.
    Plain(T),
    Tagged(TaggedNumber, Node),
}

/// A place in the tree of a file. It keeps the file alive.
#[derive(Clone)]
pub struct Node {
    file: File,
    id: NodeId,
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("id", &self.id).finish_non_exhaustive()
    }
}

impl File {
    /// Returns the root of the tree, which is a mapping in a valid file.
    pub fn root(&self) -> Result<Node> {
        let root = self.state()?.tree().root();
        Ok(Node::new(self.clone(), root))
    }

    /// Returns the node with this number.
    pub(crate) fn node(&self, id: NodeId) -> Node {
        Node::new(self.clone(), id)
    }
}

impl Node {
    pub(crate) fn new(file: File, id: NodeId) -> Node {
        Node { file, id }
    }

    pub(crate) fn id(&self) -> NodeId {
        self.id
    }

    /// Returns the file that contains the node.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Makes an empty mapping in a tree of its own, which belongs to no file, for metadata and other values that are
    /// copied to where they are needed.
    pub fn new_mapping() -> Result<Node> {
        File::for_values().root()
    }

    /// Calls `read` with the tree and this node, with references followed.
    pub(crate) fn in_tree<T>(&self, read: impl FnOnce(&Tree, NodeId) -> T) -> Result<T> {
        self.with("", |tree, id| Ok(read(tree, id)))
    }

    /// Calls `read` with the tree and the node at `path` below this node, with references followed.
    fn with<T>(&self, path: &str, read: impl FnOnce(&Tree, NodeId) -> Result<T>) -> Result<T> {
        self.follow(Walk::to_node(path), |_, tree, id| read(tree, id))
    }

    /// Calls `read` with the tree and the place at `path`, which can be an alias or a reference.
    pub(super) fn at_place<T>(&self, path: &str, read: impl FnOnce(&Tree, NodeId) -> Result<T>) -> Result<T> {
        self.follow(Walk::to_place(path), |_, tree, place| read(tree, place))
    }

    /// Calls `read` with the end of a walk that starts here, and the file of that node.
    pub(super) fn follow<T>(
        &self,
        walk: Result<Walk>,
        read: impl FnOnce(&File, &Tree, NodeId) -> Result<T>,
    ) -> Result<T> {
        self.follow_locked(walk, |file, state, id| read(file, state.tree(), id))
    }

    /// Calls `read` with the end of a walk that starts here, and the file of that node, whose state is locked meanwhile.
    pub(super) fn follow_locked<T>(
        &self,
        walk: Result<Walk>,
        read: impl FnOnce(&File, &FileState, NodeId) -> Result<T>,
    ) -> Result<T> {
        let state = self.file.state()?;
        let tree = state.tree();
        let mut walk = walk.map_err(|error| self.file.name_in(error))?;
        let stop = tree.check(self.id).and_then(|()| tree.advance(self.id, &mut walk));
        let (reference, uri) = match stop.map_err(|error| self.file.name_in(error))? {
            Stop::At(id) => return read(&self.file, &state, id).map_err(|error| self.file.name_in(error)),
            Stop::Leaves { reference, uri } => (reference, uri),
        };
        drop(state);
        let (file, id) = self.file.follow_out(reference, uri, walk)?;
        let state = file.state()?;
        state.tree().check(id).and_then(|()| read(&file, &state, id)).map_err(|error| file.name_in(error))
    }

    fn scalar<T>(&self, path: &str, wanted: &str, read: impl FnOnce(&Scalar) -> Option<Result<T>>) -> Result<T> {
        self.with(path, |tree, id| read_scalar(tree, id, wanted, read))
    }

    /// Returns the place at `path` below this node.
    pub fn at(&self, path: &str) -> Result<Node> {
        self.follow(Walk::to_place(path), |file, _, id| Ok(Node { file: file.clone(), id }))
    }

    /// Returns true if a node exists at `path`. Returns false, too, if the path passes through a scalar.
    pub fn exists(&self, path: &str) -> Result<bool> {
        match self.follow(Walk::to_place(path).map(Walk::without_explanations), |_, _, _| Ok(())) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.status(), Status::NotFound | Status::WrongType) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Follows references from this node. The result can be in another file.
    pub(crate) fn resolved(&self) -> Result<Node> {
        self.follow(Walk::to_node(""), |file, _, id| Ok(Node { file: file.clone(), id }))
    }

    /// Returns the type of the node at `path`.
    pub fn node_type(&self, path: &str) -> Result<NodeType> {
        self.with(path, |tree, id| {
            Ok(match tree.kind(id) {
                Kind::Sequence => NodeType::Sequence,
                Kind::Mapping => NodeType::Mapping,
                Kind::Scalar | Kind::Alias => match tree.scalar(id)? {
                    Scalar::Null => NodeType::Null,
                    Scalar::Bool(_) => NodeType::Bool,
                    Scalar::Integer(_) => NodeType::Integer,
                    Scalar::Float(_) => NodeType::Float,
                    Scalar::Timestamp(_) => NodeType::Timestamp,
                    Scalar::String(_) => NodeType::String,
                    Scalar::Binary(_) => NodeType::Binary,
                },
            })
        })
    }

    /// Returns the full tag of the node at `path`, if it has one. The non-specific tag of YAML, as in `! 12`, counts as
    /// none, because readers treat the scalar as plain.
    pub fn tag(&self, path: &str) -> Result<Option<String>> {
        self.with(path, |tree, id| Ok(tree.tag(id).filter(|tag| *tag != NON_SPECIFIC_TAG).map(str::to_owned)))
    }

    /// Returns the tag of the node at `path`, if it carries a meaning beyond the types of YAML.
    pub(crate) fn foreign_tag(&self, path: &str) -> Result<Option<String>> {
        self.with(path, |tree, id| Ok(tree.foreign_tag(id).map(str::to_owned)))
    }

    /// Returns the style of the text of the node at `path`.
    pub fn style(&self, path: &str) -> Result<Style> {
        self.with(path, |tree, id| Ok(tree.style(id)))
    }

    /// Returns the JSON Pointer of this place from the root; empty for the root.
    pub fn path(&self) -> Result<String> {
        self.at_place("", |tree, place| Ok(tree.path(place)))
    }

    /// Validates this node with all nodes below it, as [`File::validate`](crate::file::File::validate) does. `schema`
    /// is the URI of a schema that the node must match besides those of its tag.
    pub fn validate(&self, schemas: &Schemas, schema: Option<&str>) -> Result<Report> {
        let node = self.resolved()?;
        node.file().validate_node(node.id(), schemas, schema)
    }

    /// Describes the entry at a path below this node: what the schemas of the tags on the way say about it, and the
    /// note of a mapping. The entry need not exist, so the default of a missing one can be asked for. `schema` is the
    /// URI of a further schema of this node, which takes precedence.
    ///
    /// The key `//` is never that of a schema: it is the note of its mapping.
    pub fn describe(&self, path: &str, schemas: &Schemas, schema: Option<&str>) -> Result<Description> {
        let node = self.resolved()?;
        node.file().describe_below(node.id(), path, schemas, schema)
    }

    /// Returns the position of this place in the file (byte, line and column), and its path.
    pub fn location(&self) -> Result<Location> {
        let mut location = self.at_place("", |tree, place| Ok(tree.location(place)))?;
        location.file = self.file.shared.origin.name.clone();
        Ok(location)
    }

    /// Adds line, column and path of this place to an error. A byte offset in the error stays.
    pub(crate) fn locate(&self, mut error: Error) -> Error {
        if let Ok(location) = self.location() {
            if let (Some(line), Some(column)) = (location.line, location.column) {
                error = error.at_line(line, column);
            }
            error = error.at_path(location.path.unwrap_or_default());
        }
        self.file.name_in(error)
    }

    /// Returns a number that identifies a node. Two places have the same number if and only if they are aliases of one
    /// node, also across files.
    pub fn identity(&self, path: &str) -> Result<u64> {
        self.follow(Walk::to_node(path), |file, _, id| {
            Ok(u64::from(file.shared.origin.number) << 32 | u64::from(id.number()))
        })
    }

    /// Returns the URI of the JSON reference at `path`; `None` if the node is not a reference.
    pub fn reference(&self, path: &str) -> Result<Option<String>> {
        self.at_place(path, |tree, place| Ok(tree.reference(place)?.map(str::to_owned)))
    }

    /// Returns the number of items of a sequence, or of pairs of a mapping.
    pub fn count(&self, path: &str) -> Result<usize> {
        self.with(path, |tree, id| match tree.kind(id) {
            Kind::Sequence => Ok(tree.item_count(id)),
            Kind::Mapping => Ok(tree.pairs(id).len() / 2),
            Kind::Scalar | Kind::Alias => {
                Err(tree.locate(wrong_type("a sequence or a mapping", describe(tree, id)), id))
            }
        })
    }

    /// Returns an item of the sequence at `path`, or a value of the mapping there, by its position from 0.
    pub fn item(&self, path: &str, index: usize) -> Result<Node> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            let (items, step) = match tree.kind(id) {
                Kind::Mapping => (tree.pairs(id), 2),
                _ => (tree.try_items(id)?, 1),
            };
            let position = index.checked_mul(step).and_then(|position| position.checked_add(step - 1));
            let item = position.and_then(|position| items.get(position).copied()).ok_or_else(|| {
                let message = format!("there is no child {index}: the node has {} children", items.len() / step);
                tree.locate(Error::new(Status::OutOfRange, message), id)
            })?;
            Ok(Node { file: file.clone(), id: item })
        })
    }

    /// Returns the items of a sequence, or the values of a mapping, in their order. Like the result of [`Node::at`],
    /// they can be references.
    ///
    /// ```
    /// # use asdfkit::file::{File, NewOptions};
    /// # let file = File::new(&NewOptions::default());
    /// # file.root()?.set_sequence("exposures", true)?;
    /// # file.root()?.set_f64("exposures/-", 1.5)?;
    /// # file.root()?.set_f64("exposures/-", 2.5)?;
    /// let exposures = file.root()?.at("exposures")?.children()?;
    /// let seconds: Vec<f64> = exposures.map(|node| node.f64("")).collect::<Result<_, _>>()?;
    /// assert_eq!(seconds, [1.5, 2.5]);
    /// # Ok::<(), asdfkit::Error>(())
    /// ```
    pub fn children(&self) -> Result<impl ExactSizeIterator<Item = Node> + DoubleEndedIterator + use<>> {
        self.follow(Walk::to_node(""), |file, tree, id| {
            let children: Vec<NodeId> = match tree.kind(id) {
                Kind::Sequence => reserve::copy_of(tree.try_items(id)?)?,
                Kind::Mapping => reserve::collected(tree.pairs(id).iter().skip(1).step_by(2).copied().map(Ok))?,
                Kind::Scalar | Kind::Alias => {
                    let error = wrong_type("a sequence or a mapping", describe(tree, id));
                    return Err(tree.locate(error, id));
                }
            };
            let file = file.clone();
            Ok(children.into_iter().map(move |id| Node { file: file.clone(), id }))
        })
    }

    /// Returns the pairs of a mapping in their order. Values can be references.
    pub fn pairs(&self) -> Result<impl ExactSizeIterator<Item = (NodeKey, Node)> + DoubleEndedIterator + use<>> {
        self.follow(Walk::to_node(""), |file, tree, id| {
            if tree.kind(id) != Kind::Mapping {
                return Err(tree.locate(wrong_type("a mapping", describe(tree, id)), id));
            }
            let pair = |pair: &[NodeId]| match *pair {
                [key, value] => Some((NodeKey::of(tree.key(key)), Node { file: file.clone(), id: value })),
                _ => None,
            };
            Ok(reserve::collected(tree.pairs(id).chunks_exact(2).filter_map(pair).map(Ok))?.into_iter())
        })
    }

    /// Returns a key of the mapping at `path` by the position of its pair, from 0.
    pub fn key(&self, path: &str, index: usize) -> Result<NodeKey> {
        self.with(path, |tree, id| {
            if tree.kind(id) != Kind::Mapping {
                return Err(tree.locate(wrong_type("a mapping", describe(tree, id)), id));
            }
            let pairs = tree.pairs(id);
            let key = index.checked_mul(2).and_then(|position| pairs.get(position)).ok_or_else(|| {
                let message = format!("there is no pair {index}: the mapping has {} pairs", pairs.len() / 2);
                tree.locate(Error::new(Status::OutOfRange, message), id)
            })?;
            Ok(NodeKey::of(tree.key(*key)))
        })
    }

    /// Returns the value of a key with this type in the mapping at `path`. A path, in contrast, finds a string key
    /// before an integer key of the same text.
    pub fn at_key(&self, path: &str, key: Key) -> Result<Node> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            if tree.kind(id) != Kind::Mapping {
                return Err(tree.locate(wrong_type("a mapping", describe(tree, id)), id));
            }
            let value = tree.find(id, key).ok_or_else(|| {
                let kind = match key {
                    Key::String(_) | Key::Other(_) => "key",
                    Key::Integer(_) => "integer key",
                    Key::Bool(_) => "boolean key",
                };
                let message = format!("the mapping has no {kind} '{}'", key.text());
                tree.locate(Error::new(Status::NotFound, message), id)
            })?;
            Ok(Node { file: file.clone(), id: value })
        })
    }

    /// Returns the boolean at `path`.
    pub fn bool(&self, path: &str) -> Result<bool> {
        self.scalar(path, "a bool", |scalar| match scalar {
            Scalar::Bool(value) => Some(Ok(*value)),
            _ => None,
        })
    }

    /// Returns the integer at `path`. Fails with [`Status::ValueRange`] if it does not fit.
    pub fn i32(&self, path: &str) -> Result<i32> {
        let value = self.any_integer(path)?;
        let fitting = value.to_i64().and_then(|value| i32::try_from(value).ok());
        fitting.ok_or_else(|| self.out_of_range(path, &value, "a signed integer of 32 bits"))
    }

    /// Returns the integer at `path`. Fails with [`Status::ValueRange`] if it does not fit.
    pub fn i64(&self, path: &str) -> Result<i64> {
        let value = self.any_integer(path)?;
        value.to_i64().ok_or_else(|| self.out_of_range(path, &value, "a signed integer of 64 bits"))
    }

    /// Returns the integer at `path`. Fails with [`Status::ValueRange`] if it does not fit.
    pub fn u64(&self, path: &str) -> Result<u64> {
        let value = self.any_integer(path)?;
        value.to_u64().ok_or_else(|| self.out_of_range(path, &value, "an unsigned integer of 64 bits"))
    }

    fn out_of_range(&self, path: &str, value: &Integer, wanted: &str) -> Error {
        let digits = value.to_string();
        let shown = if digits.len() > 40 { format!("an integer of {} digits", digits.len()) } else { digits };
        let error = Error::new(Status::ValueRange, format!("{shown} does not fit {wanted}"));
        match self.at(path) {
            Ok(node) => node.locate(error),
            Err(_) => error,
        }
    }

    /// Returns the decimal digits of the integer at `path`: a plain integer of any size, or a `core/integer`.
    pub fn integer(&self, path: &str) -> Result<String> {
        Ok(self.any_integer(path)?.to_string())
    }

    /// Returns the integer at `path`: a plain integer of any size, or a `core/integer`.
    pub(crate) fn any_integer(&self, path: &str) -> Result<Integer> {
        let plain = |scalar: &Scalar| match scalar {
            Scalar::Integer(value) => Some(Ok(value.clone())),
            _ => None,
        };
        self.number(path, "an integer", plain, |kind, node| match kind {
            TaggedNumber::Integer => integer::read(&node),
            TaggedNumber::Quantity => node.quantity_value()?.any_integer(""),
            TaggedNumber::Complex => node.scalar("", "an integer", plain),
        })
    }

    /// Returns the number at `path` as binary64. Reads a float, an integer or `core/integer` that binary64 represents
    /// exactly, a `core/complex` with imaginary part zero, or the number of a quantity.
    pub fn f64(&self, path: &str) -> Result<f64> {
        let plain = |scalar: &Scalar| match scalar {
            Scalar::Float(value) => Some(Ok(*value)),
            Scalar::Integer(integer) => Some(exact_f64(integer)),
            _ => None,
        };
        self.number(path, "a number", plain, |kind, node| match kind {
            TaggedNumber::Integer => exact_f64(&integer::read(&node)?).map_err(|error| node.locate(error)),
            TaggedNumber::Complex => match node.parse_complex()? {
                (real, 0.0) => Ok(real),
                _ => {
                    let message = "the imaginary part of the complex number is not zero";
                    Err(node.locate(Error::new(Status::ValueRange, message)))
                }
            },
            TaggedNumber::Quantity => node.quantity_value()?.f64(""),
        })
    }

    /// Returns real and imaginary part of the complex number at `path`. Reads a `core/complex`, a real number as
    /// [`Node::f64`] does, or the number of a quantity.
    pub fn complex(&self, path: &str) -> Result<(f64, f64)> {
        let plain = |scalar: &Scalar| match scalar {
            Scalar::Float(value) => Some(Ok((*value, 0.0))),
            Scalar::Integer(integer) => Some(exact_f64(integer).map(|value| (value, 0.0))),
            _ => None,
        };
        self.number(path, "a number", plain, |kind, node| match kind {
            TaggedNumber::Complex => node.parse_complex(),
            TaggedNumber::Quantity => node.quantity_value()?.complex(""),
            TaggedNumber::Integer => Ok((node.f64("")?, 0.0)),
        })
    }

    /// Returns the number at `path`: `plain` reads it from a scalar, `tagged` from a node whose tag marks a number. The
    /// tree is not locked when `tagged` is called, because the node may refer to other files.
    fn number<T>(
        &self,
        path: &str,
        wanted: &str,
        plain: impl FnOnce(&Scalar) -> Option<Result<T>>,
        tagged: impl FnOnce(TaggedNumber, Node) -> Result<T>,
    ) -> Result<T> {
        let found = self.follow(Walk::to_node(path), |file, tree, id| {
            let tag = tree.tag(id);
            let kind = match tag.and_then(tags::name_of) {
                Some(tags::INTEGER) => TaggedNumber::Integer,
                Some(tags::COMPLEX) => TaggedNumber::Complex,
                Some(tags::QUANTITY) => TaggedNumber::Quantity,
                _ if tag.is_some_and(tags::is_measured) => TaggedNumber::Quantity,
                _ => return read_scalar(tree, id, wanted, plain).map(Number::Plain),
            };
            Ok(Number::Tagged(kind, Node { file: file.clone(), id }))
        })?;
        match found {
            Number::Plain(value) => Ok(value),
            Number::Tagged(kind, node) => tagged(kind, node),
        }
    }

    /// Returns real and imaginary part of this `core/complex`.
    fn parse_complex(&self) -> Result<(f64, f64)> {
        self.with("", |tree, id| match tree.kind(id) {
            Kind::Scalar => complex::parse(tree.text(id)).map_err(|error| tree.locate(error, id)),
            _ => Err(tree.locate(wrong_type("a complex number", describe(tree, id)), id)),
        })
    }

    /// Returns the value of this quantity. Fails if the value is itself a quantity.
    pub(super) fn quantity_value(&self) -> Result<Node> {
        let value = self.at("value")?;
        if value.tagged("", tags::QUANTITY)?.is_some() {
            let message = "the value of a quantity cannot be a quantity";
            return Err(value.locate(Error::new(Status::TagContent, message)));
        }
        Ok(value)
    }

    /// Returns the string at `path`. Timestamps and scalars with an unknown tag are strings, too.
    pub fn string(&self, path: &str) -> Result<String> {
        self.scalar(path, "a string", |scalar| match scalar {
            Scalar::String(text) | Scalar::Timestamp(text) => Some(reserve::text_of(text).map(String::from)),
            _ => None,
        })
    }

    /// Returns the note of the mapping at `path`: the text under its key `//`. `None` if there is none, or if the node is
    /// no mapping.
    pub fn note(&self, path: &str) -> Result<Option<String>> {
        self.with(path, |tree, id| {
            let note = (tree.kind(id) == Kind::Mapping).then(|| tree.find_token(id, tags::NOTE_KEY)).flatten();
            let is_text = |note: &NodeId| matches!(tree.scalar(tree.dealias(*note)), Ok(Scalar::String(_)));
            Ok(note.filter(is_text).map(|note| tree.text(tree.dealias(note)).to_owned()))
        })
    }

    /// Returns the comment of the node at `path`, without `#`; `None` if there is none.
    pub fn comment(&self, path: &str, position: CommentPosition) -> Result<Option<String>> {
        self.at_place(path, |tree, place| Ok(yaml::comment_of_node(tree, place, position)))
    }

    /// Returns the bytes at `path` (`!!binary`).
    pub fn binary(&self, path: &str) -> Result<Vec<u8>> {
        self.scalar(path, "bytes", |scalar| match scalar {
            Scalar::Binary(bytes) => Some(reserve::copy_of(bytes)),
            _ => None,
        })
    }

    /// Returns the text of the scalar at `path` as written, whatever its type.
    pub fn text(&self, path: &str) -> Result<String> {
        self.with(path, |tree, id| match tree.kind(id) {
            Kind::Scalar => reserve::text_of(tree.text(id)).map(String::from),
            _ => Err(tree.locate(wrong_type("a scalar", describe(tree, id)), id)),
        })
    }

    /// Returns the node at `path`, with its descendants, as a YAML document. Tags, styles and aliases within it are
    /// kept, comments are not. The elements of arrays in blocks are not part of the text.
    pub fn to_yaml(&self, path: &str) -> Result<String> {
        self.with(path, |tree, id| {
            let mut part = Tree::new();
            let place = part.root();
            part.copy_from(place, tree, id)?;
            let mut text = String::new();
            yaml::emit(&part, &mut text, &EmitOptions::default())?;
            Ok(text)
        })
    }

    /// Returns the node at `path` if it has this tag of the standard, in any version.
    pub(in crate::file) fn tagged(&self, path: &str, name: &str) -> Result<Option<Node>> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            let tagged = tree.is_tagged(id, name);
            Ok(tagged.then(|| Node { file: file.clone(), id }))
        })
    }

    /// Returns true if the node at `path` is an array: a node with the tag `core/ndarray` or `core/externalarray`, or a
    /// chunked array of asdf-zarr.
    pub fn is_array(&self, path: &str) -> Result<bool> {
        self.follow(Walk::to_node(path), |_, tree, id| {
            let is_array = tree.is_tagged(id, tags::NDARRAY) || tree.tag(id).is_some_and(is_chunked_tag);
            Ok(is_array || tree.is_tagged(id, tags::EXTERNAL_ARRAY))
        })
    }
}

/// Reads the scalar at a node. Fails with [`Status::WrongType`] if `read` returns `None`.
fn read_scalar<T>(tree: &Tree, id: NodeId, wanted: &str, read: impl FnOnce(&Scalar) -> Option<Result<T>>) -> Result<T> {
    if tree.kind(id) != Kind::Scalar {
        return Err(tree.locate(wrong_type(wanted, describe(tree, id)), id));
    }
    let scalar = tree.scalar(id)?;
    match read(&scalar) {
        Some(result) => result.map_err(|error| tree.locate(error, id)),
        None => Err(tree.locate(wrong_type(wanted, describe(tree, id)), id)),
    }
}

pub(in crate::file) fn wrong_type(wanted: &str, found: &str) -> Error {
    Error::new(Status::WrongType, format!("expected {wanted}, found {found}"))
}

pub(in crate::file) fn describe(tree: &Tree, id: NodeId) -> &'static str {
    match tree.kind(id) {
        Kind::Sequence | Kind::Mapping if tree.is_tagged(id, tags::NDARRAY) => "an array",
        Kind::Sequence => "a sequence",
        Kind::Mapping => "a mapping",
        Kind::Scalar | Kind::Alias => match tree.scalar(id) {
            Ok(Scalar::Null) => "null",
            Ok(Scalar::Bool(_)) => "a bool",
            Ok(Scalar::Integer(_)) => "an integer",
            Ok(Scalar::Float(_)) => "a float",
            Ok(Scalar::Timestamp(_)) => "a timestamp",
            Ok(Scalar::String(_)) => "a string",
            Ok(Scalar::Binary(_)) => "a binary value",
            Err(_) => "a malformed value",
        },
    }
}

fn exact_f64(integer: &Integer) -> Result<f64> {
    let (value, exact) = match integer {
        Integer::Small(value) => (*value as f64, *value as f64 as i128 == i128::from(*value)),
        Integer::Large(digits) => {
            let value: f64 = digits.parse().unwrap_or(f64::INFINITY);
            // Formatting with no fractional digits is exact.
            (value, format!("{value:.0}") == *digits)
        }
    };
    if exact { Ok(value) } else { Err(Error::new(Status::ValueRange, "binary64 cannot represent the integer exactly")) }
}
