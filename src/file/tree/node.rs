//! A place in a file's tree: looking around and reading values.
//!
//! Aliases and JSON references are passed through as if their targets stood in their place, also those into other
//! files that the open options allow; only [`Node::reference`] shows a reference itself. A node found behind such a
//! reference belongs to the file that it stands in.

use super::integer;
use crate::error::{Error, Location, Result, Status};
use crate::file::File;
use crate::file::open::standard_tags;
use crate::tree::{Integer, Key, Kind, NON_SPECIFIC_TAG, NodeId, Scalar, Stop, Style, Tree, Walk, complex};
use std::borrow::Cow;
use std::fmt;

/// What stands at a place, by the rules of YAML 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[non_exhaustive]
pub enum NodeType {
    /// Nothing.
    Null = 0,
    /// `true` or `false`.
    Bool = 1,
    /// An integer of any size.
    Integer = 2,
    /// A binary64 number.
    Float = 3,
    /// Text.
    String = 4,
    /// A date, or a date with time.
    Timestamp = 5,
    /// Bytes.
    Binary = 6,
    /// A list.
    Sequence = 7,
    /// Pairs of key and value.
    Mapping = 8,
}

/// The key of a pair, with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKey {
    /// Text.
    String(String),
    /// An integer within 64 bits.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
    /// What ASDF does not allow but the file holds, as its text.
    Other(String),
}

/// Name of the tag of a number or an array with a unit.
pub(super) const QUANTITY: &str = "unit/quantity";

/// Tags of the standard that make a number of what they stand at.
enum TaggedNumber {
    Integer,
    Complex,
    Quantity,
}

/// A place in the tree of a file, which it keeps alive.
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
    /// The root of the tree, which is a mapping.
    pub fn root(&self) -> Result<Node> {
        self.check_open()?;
        Ok(Node::new(self.clone(), self.tree().root()))
    }

    /// The node of the tree with this number.
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

    /// The file that the node belongs to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// What `read` makes of the tree and the node that stands here.
    pub(crate) fn in_tree<T>(&self, read: impl FnOnce(&Tree, NodeId) -> T) -> Result<T> {
        self.with("", |tree, id| Ok(read(tree, id)))
    }

    /// Calls `read` with the tree and what stands at `path` below this node, references followed.
    fn with<T>(&self, path: &str, read: impl FnOnce(&Tree, NodeId) -> Result<T>) -> Result<T> {
        self.follow(Walk::to_node(path), |_, tree, id| read(tree, id))
    }

    /// Calls `read` with the tree and the place at `path` itself, which may be an alias or a reference.
    fn at_place<T>(&self, path: &str, read: impl FnOnce(&Tree, NodeId) -> Result<T>) -> Result<T> {
        self.follow(Walk::to_place(path), |_, tree, place| read(tree, place))
    }

    /// Calls `read` with what is at the end of a walk from here, and the file that it ends in.
    pub(super) fn follow<T>(
        &self,
        walk: Result<Walk>,
        read: impl FnOnce(&File, &Tree, NodeId) -> Result<T>,
    ) -> Result<T> {
        self.file.check_open()?;
        let mut walk = walk.map_err(|error| self.file.name_in(error))?;
        let (reference, uri) = {
            let tree = self.file.tree();
            let stop = tree.check(self.id).and_then(|()| tree.advance(self.id, &mut walk));
            match stop.map_err(|error| self.file.name_in(error))? {
                Stop::At(id) => return read(&self.file, &tree, id).map_err(|error| self.file.name_in(error)),
                Stop::Leaves { reference, uri } => (reference, uri),
            }
        };
        let (file, id) = self.file.follow_out(reference, uri, walk)?;
        let tree = file.tree();
        tree.check(id).and_then(|()| read(&file, &tree, id)).map_err(|error| file.name_in(error))
    }

    fn scalar<T>(&self, path: &str, wanted: &str, read: impl FnOnce(&Scalar) -> Option<Result<T>>) -> Result<T> {
        self.with(path, |tree, id| {
            if tree.kind(id) != Kind::Scalar {
                return Err(tree.locate(wrong_type(wanted, describe(tree, id)), id));
            }
            let scalar = tree.scalar(id)?;
            match read(&scalar) {
                Some(result) => result.map_err(|error| tree.locate(error, id)),
                None => Err(tree.locate(wrong_type(wanted, describe(tree, id)), id)),
            }
        })
    }

    /// The place at `path` below this node.
    pub fn get(&self, path: &str) -> Result<Node> {
        self.follow(Walk::to_place(path), |file, _, id| Ok(Node { file: file.clone(), id }))
    }

    /// What stands here once references are followed, which may be in another file.
    pub(crate) fn resolved(&self) -> Result<Node> {
        self.follow(Walk::to_node(""), |file, _, id| Ok(Node { file: file.clone(), id }))
    }

    /// What stands at `path`.
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

    /// The full tag of what stands at `path`, if it has one. The non-specific tag of YAML, as in `! 12`, counts as none:
    /// readers take the scalar for a plain one.
    pub fn tag(&self, path: &str) -> Result<Option<String>> {
        self.with(path, |tree, id| Ok(tree.tag(id).filter(|tag| *tag != NON_SPECIFIC_TAG).map(str::to_owned)))
    }

    /// The tag of what stands at `path`, if it means something that neither YAML nor the text alone tells.
    pub(crate) fn foreign_tag(&self, path: &str) -> Result<Option<String>> {
        self.with(path, |tree, id| Ok(tree.foreign_tag(id).map(str::to_owned)))
    }

    /// The style in which what stands at `path` is written.
    pub fn style(&self, path: &str) -> Result<Style> {
        self.with(path, |tree, id| Ok(tree.style(id)))
    }

    /// The JSON Pointer of this place from the root; empty for the root.
    pub fn path(&self) -> Result<String> {
        self.at_place("", |tree, place| Ok(tree.path(place)))
    }

    /// Where this place is written: byte, line and column of the file, and the path.
    pub fn location(&self) -> Result<Location> {
        let mut location = self.at_place("", |tree, place| Ok(tree.location(place)))?;
        location.file = self.file.inner.origin.name.clone();
        Ok(location)
    }

    /// Adds line, column and path of this place to an error, which may already name a byte elsewhere.
    pub(crate) fn locate(&self, mut error: Error) -> Error {
        if let Ok(location) = self.location() {
            if let (Some(line), Some(column)) = (location.line, location.column) {
                error = error.at_line(line, column);
            }
            error = error.at_path(location.path.unwrap_or_default());
        }
        self.file.name_in(error)
    }

    /// A number that two places share exactly if they are aliases of one node, also where references lead into other
    /// files.
    pub fn identity(&self, path: &str) -> Result<u64> {
        self.follow(Walk::to_node(path), |file, _, id| {
            Ok(u64::from(file.inner.origin.number) << 32 | u64::from(id.number()))
        })
    }

    /// The URI of the JSON reference that stands at `path`, if one does.
    pub fn reference(&self, path: &str) -> Result<Option<String>> {
        self.at_place(path, |tree, place| Ok(tree.reference(place)?.map(str::to_owned)))
    }

    /// The number of items of a sequence or pairs of a mapping.
    pub fn count(&self, path: &str) -> Result<usize> {
        self.with(path, |tree, id| match tree.kind(id) {
            Kind::Sequence => Ok(tree.item_count(id)),
            Kind::Mapping => Ok(tree.pairs(id).len() / 2),
            Kind::Scalar | Kind::Alias => {
                Err(tree.locate(wrong_type("a sequence or a mapping", describe(tree, id)), id))
            }
        })
    }

    /// The item of the sequence at `path`, or the value of a pair of the mapping there, at this position from 0.
    pub fn item(&self, path: &str, index: usize) -> Result<Node> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            let (items, step) = match tree.kind(id) {
                Kind::Mapping => (tree.pairs(id), 2),
                _ => (tree.items(id), 1),
            };
            let position = index.checked_mul(step).and_then(|position| position.checked_add(step - 1));
            let item = position.and_then(|position| items.get(position).copied()).ok_or_else(|| {
                let message = format!("there is no child {index} among {}", items.len() / step);
                tree.locate(Error::new(Status::OutOfRange, message), id)
            })?;
            Ok(Node { file: file.clone(), id: item })
        })
    }

    /// The key of the pair at this position, from 0, of the mapping at `path`.
    pub fn key(&self, path: &str, index: usize) -> Result<NodeKey> {
        self.with(path, |tree, id| {
            if tree.kind(id) != Kind::Mapping {
                return Err(tree.locate(wrong_type("a mapping", describe(tree, id)), id));
            }
            let pairs = tree.pairs(id);
            let key = index.checked_mul(2).and_then(|position| pairs.get(position)).ok_or_else(|| {
                let message = format!("there is no pair {index} among {}", pairs.len() / 2);
                tree.locate(Error::new(Status::OutOfRange, message), id)
            })?;
            Ok(match tree.key(*key) {
                Key::String(text) => NodeKey::String(text.to_owned()),
                Key::Integer(value) => NodeKey::Integer(value),
                Key::Bool(value) => NodeKey::Bool(value),
                Key::Other(text) => NodeKey::Other(text.to_owned()),
            })
        })
    }

    /// The value under exactly this key of the mapping at `path`. A path alone finds a string key before an integer key of
    /// the same spelling.
    pub fn get_key(&self, path: &str, key: Key) -> Result<Node> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            if tree.kind(id) != Kind::Mapping {
                return Err(tree.locate(wrong_type("a mapping", describe(tree, id)), id));
            }
            let value = tree.find(id, key).ok_or_else(|| {
                let message = format!("the mapping has no key '{}' of this type", key.text());
                tree.locate(Error::new(Status::NotFound, message), id)
            })?;
            Ok(Node { file: file.clone(), id: value })
        })
    }

    /// The truth value at `path`.
    pub fn bool(&self, path: &str) -> Result<bool> {
        self.scalar(path, "a bool", |scalar| match scalar {
            Scalar::Bool(value) => Some(Ok(*value)),
            _ => None,
        })
    }

    /// The integer at `path`, if it fits.
    pub fn i32(&self, path: &str) -> Result<i32> {
        let digits = self.integer(path)?;
        digits.parse().map_err(|_| self.out_of_range(path, &digits, "a signed integer of 32 bits"))
    }

    /// The integer at `path`, if it fits.
    pub fn i64(&self, path: &str) -> Result<i64> {
        let digits = self.integer(path)?;
        digits.parse().map_err(|_| self.out_of_range(path, &digits, "a signed integer of 64 bits"))
    }

    /// The integer at `path`, if it fits.
    pub fn u64(&self, path: &str) -> Result<u64> {
        let digits = self.integer(path)?;
        digits.parse().map_err(|_| self.out_of_range(path, &digits, "an unsigned integer of 64 bits"))
    }

    fn out_of_range(&self, path: &str, digits: &str, wanted: &str) -> Error {
        let shown = if digits.len() > 40 { format!("an integer of {} digits", digits.len()) } else { digits.into() };
        let error = Error::new(Status::ValueRange, format!("{shown} does not fit {wanted}"));
        match self.get(path) {
            Ok(node) => node.locate(error),
            Err(_) => error,
        }
    }

    /// The decimal digits of the integer at `path`: a plain one of any size, or a `core/integer`.
    pub fn integer(&self, path: &str) -> Result<String> {
        match self.tagged_number(path)? {
            Some((TaggedNumber::Integer, node)) => return integer::read(&node),
            Some((TaggedNumber::Quantity, node)) => return node.quantity_value()?.integer(""),
            Some((TaggedNumber::Complex, _)) | None => {}
        }
        self.scalar(path, "an integer", |scalar| match scalar {
            Scalar::Integer(Integer::Small(value)) => Some(Ok(value.to_string())),
            Scalar::Integer(Integer::Large(digits)) => Some(Ok(digits.clone())),
            _ => None,
        })
    }

    /// The number at `path`: a float, an integer or `core/integer` that binary64 holds exactly, a `core/complex` whose
    /// imaginary part is zero, or the number of a quantity.
    pub fn f64(&self, path: &str) -> Result<f64> {
        match self.tagged_number(path)? {
            Some((TaggedNumber::Integer, node)) => {
                exact_f64(&Integer::Large(integer::read(&node)?)).map_err(|error| node.locate(error))
            }
            Some((TaggedNumber::Complex, node)) => match node.parse_complex()? {
                (real, 0.0) => Ok(real),
                _ => {
                    let message = "the imaginary part of the complex number is not zero";
                    Err(node.locate(Error::new(Status::ValueRange, message)))
                }
            },
            Some((TaggedNumber::Quantity, node)) => node.quantity_value()?.f64(""),
            None => self.scalar(path, "a number", |scalar| match scalar {
                Scalar::Float(value) => Some(Ok(*value)),
                Scalar::Integer(integer) => Some(exact_f64(integer)),
                _ => None,
            }),
        }
    }

    /// The complex number at `path`: a `core/complex`, a real number as [`Node::f64`] reads it, or the number of a
    /// quantity. Real part, imaginary part.
    pub fn complex(&self, path: &str) -> Result<(f64, f64)> {
        match self.tagged_number(path)? {
            Some((TaggedNumber::Complex, node)) => node.parse_complex(),
            Some((TaggedNumber::Quantity, node)) => node.quantity_value()?.complex(""),
            Some((TaggedNumber::Integer, _)) | None => Ok((self.f64(path)?, 0.0)),
        }
    }

    /// What stands at `path`, if its tag makes a number of it.
    fn tagged_number(&self, path: &str) -> Result<Option<(TaggedNumber, Node)>> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            let number = match tree.tag(id).and_then(standard_tags::name_of) {
                Some("core/integer") => TaggedNumber::Integer,
                Some("core/complex") => TaggedNumber::Complex,
                Some(QUANTITY) => TaggedNumber::Quantity,
                _ => return Ok(None),
            };
            Ok(Some((number, Node { file: file.clone(), id })))
        })
    }

    /// Real and imaginary part of the `core/complex` here.
    fn parse_complex(&self) -> Result<(f64, f64)> {
        self.with("", |tree, id| match tree.kind(id) {
            Kind::Scalar => complex::parse(tree.text(id)).map_err(|error| tree.locate(error, id)),
            _ => Err(tree.locate(wrong_type("a complex number", describe(tree, id)), id)),
        })
    }

    /// The value of the quantity here, which is no quantity itself.
    pub(super) fn quantity_value(&self) -> Result<Node> {
        let value = self.get("value")?;
        if value.tagged("", QUANTITY)?.is_some() {
            let message = "the value of a quantity cannot be a quantity";
            return Err(value.locate(Error::new(Status::TagContent, message)));
        }
        Ok(value)
    }

    /// The string at `path`. Timestamps and scalars with an unknown tag are text, too.
    pub fn string(&self, path: &str) -> Result<String> {
        self.scalar(path, "a string", |scalar| match scalar {
            Scalar::String(text) | Scalar::Timestamp(text) => Some(Ok((*text).to_owned())),
            _ => None,
        })
    }

    /// The bytes at `path` (`!!binary`).
    pub fn binary(&self, path: &str) -> Result<Vec<u8>> {
        self.scalar(path, "bytes", |scalar| match scalar {
            Scalar::Binary(bytes) => Some(Ok(Cow::clone(bytes).into_owned())),
            _ => None,
        })
    }

    /// The text of the scalar at `path` as it is written, whatever it means.
    pub fn text(&self, path: &str) -> Result<String> {
        self.with(path, |tree, id| match tree.kind(id) {
            Kind::Scalar => Ok(tree.text(id).to_owned()),
            _ => Err(tree.locate(wrong_type("a scalar", describe(tree, id)), id)),
        })
    }

    /// What stands at `path`, if its tag is this one of the standard in any version.
    pub(in crate::file) fn tagged(&self, path: &str, name: &str) -> Result<Option<Node>> {
        self.follow(Walk::to_node(path), |file, tree, id| {
            let tagged = tree.tag(id).and_then(standard_tags::name_of) == Some(name);
            Ok(tagged.then(|| Node { file: file.clone(), id }))
        })
    }

    /// Whether an array stands at `path`: a node with the tag of `core/ndarray`.
    pub fn is_array(&self, path: &str) -> Result<bool> {
        Ok(self.tagged(path, "core/ndarray")?.is_some())
    }
}

pub(in crate::file) fn wrong_type(wanted: &str, found: &str) -> Error {
    Error::new(Status::WrongType, format!("{wanted} is asked for, but {found} stands here"))
}

pub(in crate::file) fn describe(tree: &Tree, id: NodeId) -> &'static str {
    match tree.kind(id) {
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
            Err(_) => "something malformed",
        },
    }
}

fn exact_f64(integer: &Integer) -> Result<f64> {
    let (value, exact) = match integer {
        Integer::Small(value) => (*value as f64, *value as f64 as i128 == i128::from(*value)),
        Integer::Large(digits) => {
            let value: f64 = digits.parse().unwrap_or(f64::INFINITY);
            // With no digits after the point the formatting of floats is exact.
            (value, format!("{value:.0}") == *digits)
        }
    };
    if exact { Ok(value) } else { Err(Error::new(Status::ValueRange, "binary64 cannot hold the integer exactly")) }
}
