//! A value with the tag that stands before it in the tree.

use ::serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use ::serde::ser::{Serialize, SerializeTupleStruct, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// The name by which the serializer and the deserializer of this crate know a [`Tagged`].
pub(super) const NAME: &str = "$asdfkit::file::Tagged";

/// A value with its tag, which other types lose: in a struct that is read and written by `serde`, a field of this type
/// keeps it.
///
/// Formats of other crates see a pair of tag and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tagged<T> {
    /// The full tag; `None` if there is none. On writing, a tag that begins with `!` is short for one of the standard, as
    /// in [`Node::set_tag`](crate::file::Node::set_tag).
    pub tag: Option<String>,
    /// Value behind the tag.
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
