//! A schema as a list of rules: each keyword with its checked value.

use super::value::Types;
use crate::schema::pattern::Pattern;
use crate::tree::NodeId;
use once_cell::race::OnceBox;
use std::sync::Arc;

/// A schema: a node of one of the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::schema) struct Place {
    /// Index of the document.
    pub(in crate::schema) document: usize,
    pub(in crate::schema) node: NodeId,
}

/// A compiled schema. Nodes are those of its document.
#[derive(Debug)]
pub(in crate::schema) struct Schema {
    pub(in crate::schema) rules: Vec<Rule>,
}

/// A keyword with its value.
#[derive(Debug)]
pub(in crate::schema) enum Rule {
    Reference(Reference),
    Type(Types),
    Enum(NodeId),
    Minimum(NodeId, bool),
    Maximum(NodeId, bool),
    MultipleOf(NodeId),
    MinLength(u64),
    MaxLength(u64),
    Pattern(Pattern, NodeId),
    Items(NodeId),
    ItemList(Vec<NodeId>),
    /// Items from this index on: a schema, or none are allowed.
    MoreItems(usize, Option<NodeId>),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    MinProperties(u64),
    MaxProperties(u64),
    /// Keys.
    Required(Vec<NodeId>),
    /// Keys and their schemas.
    Properties(Vec<(NodeId, NodeId)>),
    PatternProperties(Arc<Patterns>),
    MoreProperties(MoreProperties),
    /// Keys, and what they require.
    Dependencies(Vec<(NodeId, Dependency)>),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    Not(NodeId),
    Tag(Box<str>),
    Ndim(u64),
    MaxNdim(u64),
    /// A datatype, and whether it must be exactly that of the array.
    Datatype(NodeId, bool),
}

impl Rule {
    /// Returns the keyword.
    pub(in crate::schema) fn keyword(&self) -> &'static str {
        match self {
            Rule::Reference(_) => "$ref",
            Rule::Type(_) => "type",
            Rule::Enum(_) => "enum",
            Rule::Minimum(..) => "minimum",
            Rule::Maximum(..) => "maximum",
            Rule::MultipleOf(_) => "multipleOf",
            Rule::MinLength(_) => "minLength",
            Rule::MaxLength(_) => "maxLength",
            Rule::Pattern(..) => "pattern",
            Rule::Items(_) | Rule::ItemList(_) => "items",
            Rule::MoreItems(..) => "additionalItems",
            Rule::MinItems(_) => "minItems",
            Rule::MaxItems(_) => "maxItems",
            Rule::UniqueItems => "uniqueItems",
            Rule::MinProperties(_) => "minProperties",
            Rule::MaxProperties(_) => "maxProperties",
            Rule::Required(_) => "required",
            Rule::Properties(_) => "properties",
            Rule::PatternProperties(_) => "patternProperties",
            Rule::MoreProperties(_) => "additionalProperties",
            Rule::Dependencies(_) => "dependencies",
            Rule::AllOf(_) => "allOf",
            Rule::AnyOf(_) => "anyOf",
            Rule::OneOf(_) => "oneOf",
            Rule::Not(_) => "not",
            Rule::Tag(_) => "tag",
            Rule::Ndim(_) => "ndim",
            Rule::MaxNdim(_) => "max_ndim",
            Rule::Datatype(..) => "datatype",
        }
    }
}

/// A `$ref`: its absolute URI, and the schema there.
#[derive(Debug)]
pub(in crate::schema) struct Reference {
    pub(in crate::schema) uri: Box<str>,
    pub(in crate::schema) target: OnceBox<Place>,
}

/// Expressions for keys, with their texts and their schemas.
#[derive(Debug, Default)]
pub(in crate::schema) struct Patterns(pub(in crate::schema) Vec<(Pattern, NodeId, NodeId)>);

/// Properties that neither `properties` nor `patternProperties` name.
#[derive(Debug)]
pub(in crate::schema) struct MoreProperties {
    /// The mapping of `properties`.
    pub(in crate::schema) named: Option<NodeId>,
    pub(in crate::schema) patterns: Arc<Patterns>,
    /// Their schema; `None` if they are not allowed.
    pub(in crate::schema) schema: Option<NodeId>,
}

/// Requirements of a key that is present.
#[derive(Debug)]
pub(in crate::schema) enum Dependency {
    /// Other keys.
    Keys(Vec<NodeId>),
    Schema(NodeId),
}
