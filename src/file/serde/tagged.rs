//! A value with its tag in the tree.

use ::serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use ::serde::ser::{Serialize, SerializeTupleStruct, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Name that marks a [`Tagged`] for the serializer and the deserializer of this crate.
pub(super) const NAME: &str = "$asdfkit::file::Tagged";

/// A value with its tag. Other types lose the tag; a field of this type in a `serde` struct keeps it.
///
/// In formats of other crates this is a pair of tag and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tagged<T> {
    /// Full tag; `None` for no tag. On writing, a leading `!` abbreviates a tag of the standard, as in
    /// [`Node::set_tag`](crate::file::Node::set_tag).
    pub tag: Option<String>,
    /// The value.
    pub value: T,
}

impl<T: Serialize> Serialize for Tagged<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple_struct(NAME, 2)?;
        pair.serialize_field(&self.tag)?;
        pair.serialize_field(&self.value)?;
        pair.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Tagged<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tagged<T>, D::Error> {
        deserializer.deserialize_tuple_struct(NAME, 2, PairVisitor(PhantomData))
    }
}

struct PairVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PairVisitor<T> {
    type Value = Tagged<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a tag and a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Tagged<T>, A::Error> {
        let missing = |count| ::serde::de::Error::invalid_length(count, &"a tag and a value");
        let tag = pair.next_element()?.ok_or_else(|| missing(0))?;
        let value = pair.next_element()?.ok_or_else(|| missing(1))?;
        Ok(Tagged { tag, value })
    }
}
