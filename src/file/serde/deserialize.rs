//! Deserializer: reads nodes into values of Rust types.
//!
//! Scalars have their YAML 1.1 types. An enum is the name of its variant, or a mapping from that name to the content.
//! Aliases and references are followed.

use super::{MAX_DEPTH, no_bytes, tagged};
use crate::error::{Error, Result, Status};
use crate::file::tree::node::{describe, wrong_type};
use crate::file::{Node, NodeKey, NodeType};
use crate::limits::Limit;
use crate::tags;
use ::serde::de::value::StringDeserializer;
use ::serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use ::serde::forward_to_deserialize_any;
use std::cell::Cell;

impl Node {
    /// Reads the node at `path` into a value. See [`Tagged`](crate::file::Tagged) for tags.
    ///
    /// The error names path, line and column. Fails with
    ///
    /// * [`Status::WrongType`] if the node does not match `T`,
    /// * [`Status::ValueRange`] if a float of `T` cannot represent an integer exactly,
    /// * [`Status::Unsupported`] for bytes, and for array elements in a block (see [`Node::array`]),
    /// * [`Status::Limit`] for more levels than [`Limits::USUAL_DEPTH`](crate::Limits::USUAL_DEPTH), or for more values
    ///   than the limit on nodes; aliases can multiply values.
    pub fn deserialize<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let budget = Cell::new(self.file().limits().nodes);
        T::deserialize(NodeDeserializer::new(self.at(path)?, 0, &budget)?)
    }
}

struct NodeDeserializer<'a> {
    /// Node at the place of the value, which can be an alias or a reference.
    place: Node,
    /// Node of the value, with aliases and references resolved.
    node: Node,
    /// Depth: number of collections around the value.
    depth: u32,
    /// Number of values that may still be read.
    budget: &'a Cell<u64>,
}

impl<'a> NodeDeserializer<'a> {
    fn new(place: Node, depth: u32, budget: &'a Cell<u64>) -> Result<NodeDeserializer<'a>> {
        if depth > MAX_DEPTH {
            return Err(place.locate(Error::new(Status::Limit, format!("values nest deeper than {MAX_DEPTH} levels"))));
        }
        match budget.get().checked_sub(1) {
            Some(rest) => budget.set(rest),
            None => return Err(place.locate(Limit::Nodes.exceeded("values to be read", place.file().limits().nodes))),
        }
        Ok(NodeDeserializer { node: place.resolved()?, place, depth, budget })
    }

    /// Returns the result of `read`. An error without a place gets the place of the node.
    fn located<T>(self, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        read(&self).map_err(|error| match error.location().path {
            Some(_) => error,
            None => self.place.locate(error),
        })
    }

    fn wrong_type<T>(&self, wanted: &str) -> Result<T> {
        Err(self.node.in_tree(|tree, id| wrong_type(wanted, describe(tree, id)))?)
    }

    /// Returns the node with the items of a sequence. For an inline array in the form of a mapping, this is its `data`.
    fn list(&self) -> Result<Node> {
        if self.node.node_type("")? != NodeType::Mapping || !self.node.is_array("")? {
            return Ok(self.node.clone());
        }
        let data = self.node.at("data").and_then(|data| data.resolved());
        data.map_err(|error| match error.status() {
            Status::NotFound => {
                Error::new(Status::Unsupported, "the elements of the array are in a block; read them with Node::array")
            }
            _ => error,
        })
    }

    fn children(&self, node: Node) -> Result<Children<'a>> {
        let count = node.count("")?;
        Ok(Children { node, next: 0, count, depth: self.depth + 1, budget: self.budget })
    }

    fn visit_scalar<'de, V: Visitor<'de>>(&self, node_type: NodeType, visitor: V) -> Result<V::Value> {
        match node_type {
            NodeType::Null => visitor.visit_unit(),
            NodeType::Bool => visitor.visit_bool(self.node.bool("")?),
            NodeType::Float => visitor.visit_f64(self.node.f64("")?),
            NodeType::Binary => Err(no_bytes()),
            NodeType::String | NodeType::Timestamp => visitor.visit_string(self.node.string("")?),
            NodeType::Integer | NodeType::Sequence | NodeType::Mapping => self.visit_integer(visitor),
        }
    }

    fn visit_integer<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value> {
        let integer = self.node.any_integer("")?;
        if let Some(value) = integer.to_u64() {
            return visitor.visit_u64(value);
        }
        if let Some(value) = integer.to_i64() {
            return visitor.visit_i64(value);
        }
        // Beyond 64 bits only the digits are known.
        let digits = integer.to_string();
        if let Ok(value) = digits.parse() {
            return visitor.visit_u128(value);
        }
        match digits.parse() {
            Ok(value) => visitor.visit_i128(value),
            Err(_) => Err(Error::new(Status::ValueRange, "the integer does not fit 128 bits")),
        }
    }

    fn visit_float<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|this| match this.node.node_type("")? {
            node_type @ (NodeType::Null
            | NodeType::Bool
            | NodeType::String
            | NodeType::Timestamp
            | NodeType::Binary) => this.visit_scalar(node_type, visitor),
            _ => visitor.visit_f64(this.node.f64("")?),
        })
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|this| match this.node.node_type("")? {
            NodeType::Sequence => visitor.visit_seq(this.children(this.node.clone())?),
            NodeType::Mapping if this.node.tagged("", tags::INTEGER)?.is_none() => {
                visitor.visit_map(this.children(this.node.clone())?)
            }
            node_type => this.visit_scalar(node_type, visitor),
        })
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit_float(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit_float(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        self.located(|_| Err(no_bytes()))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let is_null = self.node.node_type("").is_ok_and(|node_type| node_type == NodeType::Null);
        if is_null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|this| {
            let list = this.list()?;
            match list.node_type("")? {
                NodeType::Sequence => visitor.visit_seq(this.children(list)?),
                _ => this.wrong_type("a sequence"),
            }
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, name: &'static str, _: usize, visitor: V) -> Result<V::Value> {
        if name != tagged::NAME {
            return self.deserialize_seq(visitor);
        }
        let tag = self.node.tag("")?;
        visitor.visit_seq(TagAndValue { tag: Some(tag), value: Some(self) })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.located(|this| match this.node.node_type("")? {
            NodeType::Mapping => visitor.visit_map(this.children(this.node.clone())?),
            _ => this.wrong_type("a mapping"),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.located(|this| match this.node.node_type("")? {
            NodeType::String => visitor.visit_enum(this.node.string("")?.into_deserializer()),
            NodeType::Mapping if this.node.count("")? == 1 => visitor.visit_enum(this.children(this.node.clone())?),
            _ => this.wrong_type("the name of a variant, or a mapping from it to the content,"),
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string unit unit_struct struct identifier
    }
}

/// Iterator over the children of a collection.
struct Children<'a> {
    node: Node,
    next: usize,
    count: usize,
    depth: u32,
    budget: &'a Cell<u64>,
}

impl<'a> Children<'a> {
    fn value(&mut self) -> Result<NodeDeserializer<'a>> {
        self.next += 1;
        NodeDeserializer::new(self.node.item("", self.next - 1)?, self.depth, self.budget)
    }
}

impl<'de> SeqAccess<'de> for Children<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next == self.count {
            return Ok(None);
        }
        seed.deserialize(self.value()?).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.next)
    }
}

impl<'de> MapAccess<'de> for Children<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next == self.count {
            return Ok(None);
        }
        seed.deserialize(KeyDeserializer(self.node.key("", self.next)?)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.value()?)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count - self.next)
    }
}

/// The only pair of a mapping: name and content of a variant.
impl<'de, 'a> EnumAccess<'de> for Children<'a> {
    type Error = Error;
    type Variant = NodeDeserializer<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(mut self, seed: V) -> Result<(V::Value, NodeDeserializer<'a>)> {
        let variant = seed.deserialize(KeyDeserializer(self.node.key("", 0)?))?;
        Ok((variant, self.value()?))
    }
}

impl<'de> VariantAccess<'de> for NodeDeserializer<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        ::serde::de::Deserialize::deserialize(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }
}

/// Key of a pair. Keys that ASDF does not allow are read as text.
struct KeyDeserializer(NodeKey);

impl<'de> Deserializer<'de> for KeyDeserializer {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            NodeKey::String(text) | NodeKey::Other(text) => visitor.visit_string(text),
            NodeKey::Integer(value) => visitor.visit_i64(value),
            NodeKey::Bool(value) => visitor.visit_bool(value),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            NodeKey::String(text) => StringDeserializer::new(text).deserialize_enum(name, variants, visitor),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

/// Tag and value, in the form that [`Tagged`](crate::file::Tagged) expects.
struct TagAndValue<'a> {
    tag: Option<Option<String>>,
    value: Option<NodeDeserializer<'a>>,
}

impl<'de> SeqAccess<'de> for TagAndValue<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if let Some(tag) = self.tag.take() {
            return match tag {
                Some(tag) => seed.deserialize(SomeTag(tag)).map(Some),
                None => seed.deserialize(().into_deserializer()).map(Some),
            };
        }
        self.value.take().map(|value| seed.deserialize(value)).transpose()
    }
}

/// A tag that is present.
struct SomeTag(String);

impl<'de> Deserializer<'de> for SomeTag {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(StringDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
