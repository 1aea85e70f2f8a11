//! Serializer: writes values into a separate tree, which is then copied into the tree of a file.
//!
//! An enum is written as the name of its variant, or as a mapping from that name to the content.

use super::{MAX_DEPTH, no_bytes, tagged};
use crate::error::{Error, Result, Status};
use crate::file::tree::integer;
use crate::file::{Node, StandardVersion};
use crate::float;
use crate::tags::full_tag;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Style, Tree};
use ::serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

impl Node {
    /// Sets the node at `path` to a value. See [`Tagged`](crate::file::Tagged) for tags. Integers beyond 64 signed bits
    /// are written as `core/integer`, which requires version 1.3.0 of the standard.
    ///
    /// Fails with the errors of the `Serialize` implementation, and with
    ///
    /// * [`Status::Unsupported`] for bytes (see [`Node::set_binary`]),
    /// * [`Status::InvalidArgument`] for duplicate keys, and for keys that are not strings, integers or booleans,
    /// * [`Status::Limit`] for more levels than [`Limits::USUAL_DEPTH`](crate::Limits::USUAL_DEPTH).
    pub fn serialize<T: Serialize + ?Sized>(&self, path: &str, value: &T) -> Result<()> {
        // A separate tree, so that a failure leaves nothing in the tree of the file.
        let mut part = Tree::new();
        let standard = self.file().standard_version();
        let made = part.place(part.root(), "value").and_then(|place| {
            value.serialize(PlaceSerializer { tree: &mut part, place, depth: 0, standard })?;
            Ok(place)
        });
        self.edit(path, |tree| {
            let made = made?;
            let place = self.place(tree, path)?;
            tree.copy_from(place, &part, made).map(|_| ())
        })
    }
}

/// Writes one value to its place, which holds null before.
struct PlaceSerializer<'a> {
    tree: &'a mut Tree,
    place: NodeId,
    /// Depth: number of collections around the value.
    depth: u32,
    standard: StandardVersion,
}

impl<'a> PlaceSerializer<'a> {
    fn plain(self, text: &str) -> Result<()> {
        self.tree.replace(self.place, Content::Scalar(text, Style::Plain));
        Ok(())
    }

    fn integer(self, value: impl TryInto<i64> + ToString + Copy) -> Result<()> {
        let digits = value.to_string();
        match value.try_into() {
            Ok(_) => self.plain(&digits),
            Err(_) => integer::write(self.tree, self.place, &integer::parse(&digits)?, self.standard),
        }
    }

    fn float(self, value: impl float::Float) -> Result<()> {
        let mut text = String::new();
        float::Notation::YAML.write(&mut text, value);
        self.plain(&text)
    }

    fn collection(self, content: Content) -> Result<Collection<'a>> {
        if self.depth == MAX_DEPTH {
            return Err(Error::new(Status::Limit, format!("values nest deeper than {MAX_DEPTH} levels")));
        }
        self.tree.replace(self.place, content);
        let PlaceSerializer { tree, place, depth, standard } = self;
        Ok(Collection { tree, place, depth: depth + 1, standard, fields: Fields::All, key: None })
    }

    fn sequence(self) -> Result<Collection<'a>> {
        self.collection(Content::Sequence(Style::Block))
    }

    fn mapping(self) -> Result<Collection<'a>> {
        self.collection(Content::Mapping(Style::Block))
    }

    /// Creates the place for the content of a variant, under its name.
    fn variant(self, name: &'static str) -> Result<PlaceSerializer<'a>> {
        let mapping = self.mapping()?;
        let place = mapping.tree.append_pair(mapping.place, name, NULL);
        Ok(PlaceSerializer { tree: mapping.tree, place, depth: mapping.depth, standard: mapping.standard })
    }
}

const NULL: Content = Content::Scalar("null", Style::Plain);

impl<'a> Serializer for PlaceSerializer<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Collection<'a>;
    type SerializeTuple = Collection<'a>;
    type SerializeTupleStruct = Collection<'a>;
    type SerializeTupleVariant = Collection<'a>;
    type SerializeMap = Collection<'a>;
    type SerializeStruct = Collection<'a>;
    type SerializeStructVariant = Collection<'a>;

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.plain(if value { "true" } else { "false" })
    }

    fn serialize_i8(self, value: i8) -> Result<()> {
        self.integer(value)
    }

    fn serialize_i16(self, value: i16) -> Result<()> {
        self.integer(value)
    }

    fn serialize_i32(self, value: i32) -> Result<()> {
        self.integer(value)
    }

    fn serialize_i64(self, value: i64) -> Result<()> {
        self.integer(value)
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u32(self, value: u32) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        self.integer(value)
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.float(value)
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.float(value)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.tree.replace(self.place, Content::Scalar(value, Style::Automatic));
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<()> {
        Err(no_bytes())
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.plain("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self.variant(variant)?)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Collection<'a>> {
        self.sequence()
    }

    fn serialize_tuple(self, _: usize) -> Result<Collection<'a>> {
        self.sequence()
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Collection<'a>> {
        if name != tagged::NAME {
            return self.sequence();
        }
        let PlaceSerializer { tree, place, depth, standard } = self;
        Ok(Collection { tree, place, depth, standard, fields: Fields::TagFirst, key: None })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Collection<'a>> {
        self.variant(variant)?.sequence()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Collection<'a>> {
        self.mapping()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Collection<'a>> {
        self.mapping()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Collection<'a>> {
        self.variant(variant)?.mapping()
    }
}

/// Role of the next field.
enum Fields {
    /// A child of the collection.
    All,
    /// The tag of a [`Tagged`](crate::file::Tagged). Its value replaces the collection.
    TagFirst,
    /// The value that has this tag.
    Value(Option<String>),
}

/// A sequence, a mapping, or a value with its tag, while it is written.
struct Collection<'a> {
    tree: &'a mut Tree,
    place: NodeId,
    /// Depth of the children: number of collections around them.
    depth: u32,
    standard: StandardVersion,
    fields: Fields,
    /// Key of the next pair, in a separate tree.
    key: Option<(Tree, NodeId)>,
}

impl Collection<'_> {
    fn at(&mut self, place: NodeId) -> PlaceSerializer<'_> {
        PlaceSerializer { tree: self.tree, place, depth: self.depth, standard: self.standard }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let place = self.tree.append_item(self.place, NULL);
        value.serialize(self.at(place))
    }

    fn pair<T: Serialize + ?Sized>(&mut self, key: Content, value: &T) -> Result<()> {
        let place = self.tree.append_new_key(self.place, key)?;
        value.serialize(self.at(place))
    }

    fn tag_or_value<T: Serialize + ?Sized>(&mut self, field: &T) -> Result<()> {
        field.serialize(self.at(self.place))?;
        match std::mem::replace(&mut self.fields, Fields::All) {
            Fields::Value(tag) => self.tree.set_tag(self.place, tag.as_deref()),
            _ => {
                let is_tag = self.tree.style(self.place) == Style::Automatic;
                let tag = is_tag.then(|| full_tag(self.tree.text(self.place))).transpose()?;
                self.fields = Fields::Value(tag);
            }
        }
        Ok(())
    }
}

/// Implements the traits of collections without keys.
macro_rules! items {
    ($($name:ident :: $method:ident;)*) => {
        $(
            impl $name for Collection<'_> {
                type Ok = ();
                type Error = Error;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                    self.item(value)
                }

                fn end(self) -> Result<()> {
                    Ok(())
                }
            }
        )*
    };
}

items! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleVariant::serialize_field;
}

/// Implements the traits of collections with names as keys.
macro_rules! fields {
    ($($name:ident)*) => {
        $(
            impl $name for Collection<'_> {
                type Ok = ();
                type Error = Error;

                fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
                    self.pair(Content::Scalar(key, Style::Automatic), value)
                }

                fn end(self) -> Result<()> {
                    Ok(())
                }
            }
        )*
    };
}

fields! { SerializeStruct SerializeStructVariant }

impl SerializeTupleStruct for Collection<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.fields {
            Fields::All => self.item(value),
            Fields::TagFirst | Fields::Value(_) => self.tag_or_value(value),
        }
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl SerializeMap for Collection<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let mut tree = Tree::new();
        let place = tree.place(tree.root(), "key")?;
        key.serialize(PlaceSerializer { tree: &mut tree, place, depth: self.depth, standard: self.standard })?;
        if tree.kind(place) != Kind::Scalar {
            return Err(Error::new(
                Status::InvalidArgument,
                "the key of a mapping is a string, an integer or a boolean",
            ));
        }
        self.key = Some((tree, place));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.key.take() {
            Some((tree, key)) => self.pair(Content::Scalar(tree.text(key), tree.style(key)), value),
            None => Err(Error::new(Status::InvalidArgument, "a value without its key")),
        }
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
