//! Compiling a schema: a node of a document to rules.

use super::rule::{Dependency, MoreProperties, Patterns, Reference, Rule, Schema};
use super::uri::join;
use super::value::{self, Number, Types};
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::schema::pattern::Pattern;
use crate::tags;
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Tree};
use once_cell::race::OnceBox;
use std::sync::Arc;

/// A document while one of its schemas is compiled.
pub(in crate::schema) struct Compiler<'a> {
    pub(in crate::schema) tree: &'a Tree,
    /// URI of the document.
    pub(in crate::schema) uri: &'a str,
    /// True if the keywords beside `$ref` have no meaning, as in draft 4. Python asdf checks them in the schemas of
    /// packages.
    pub(in crate::schema) lone_references: bool,
}

impl Compiler<'_> {
    /// Compiles the schema at a node. Fails with [`Status::Schema`] at the faulty value.
    pub(in crate::schema) fn schema(&self, node: NodeId) -> Result<Schema> {
        let tree = self.tree;
        if tree.kind(node) != Kind::Mapping {
            return Err(self.bad(node, "a schema must be a mapping"));
        }
        let get = |key| tree.find(node, Key::String(key));
        if let Some(reference) = get("$ref").filter(|_| self.lone_references) {
            return Ok(Schema { rules: self.reference(node, reference)?.into_iter().collect() });
        }
        let patterns = match get("patternProperties") {
            Some(patterns) => Arc::new(self.patterns(patterns)?),
            None => Arc::default(),
        };
        let mut rules = Vec::new();
        for pair in tree.pairs(node).chunks_exact(2) {
            let Key::String(keyword) = tree.key(pair[0]) else { continue };
            rules.extend(self.rule(node, keyword, tree.dealias(pair[1]), &patterns)?);
        }
        Ok(Schema { rules })
    }

    /// Compiles a keyword. Keywords that check nothing have no rule.
    fn rule(&self, schema: NodeId, keyword: &str, value: NodeId, patterns: &Arc<Patterns>) -> Result<Option<Rule>> {
        let tree = self.tree;
        let get = |key| tree.find(schema, Key::String(key)).map(|value| tree.dealias(value));
        let flag = |key| get(key).is_some_and(|value| self.truth(value));
        Ok(Some(match keyword {
            "$ref" => return self.reference(schema, value),
            "type" => Rule::Type(self.types(schema, value)?),
            "enum" => Rule::Enum(self.list(value, "a list").map(|_| value)?),
            "minimum" => Rule::Minimum(self.number(value)?, flag("exclusiveMinimum")),
            "maximum" => Rule::Maximum(self.number(value)?, flag("exclusiveMaximum")),
            "multipleOf" => Rule::MultipleOf(self.number(value)?),
            "minLength" => Rule::MinLength(self.count(value)?),
            "maxLength" => Rule::MaxLength(self.count(value)?),
            "pattern" => Rule::Pattern(self.pattern(value)?, value),
            "items" if tree.kind(value) == Kind::Sequence => Rule::ItemList(reserve::copy_of(tree.items(value))?),
            "items" => Rule::Items(value),
            "additionalItems" => return Ok(self.more_items(get("items"), value)),
            "minItems" => Rule::MinItems(self.count(value)?),
            "maxItems" => Rule::MaxItems(self.count(value)?),
            "uniqueItems" if self.truth(value) => Rule::UniqueItems,
            "minProperties" => Rule::MinProperties(self.count(value)?),
            "maxProperties" => Rule::MaxProperties(self.count(value)?),
            "required" => Rule::Required(reserve::copy_of(self.list(value, "a list of keys")?)?),
            "properties" => {
                let pairs = self.mapping(value)?.map(|pair| (pair[0], pair[1]));
                Rule::Properties(reserve::collected(pairs.filter(|(key, _)| !is_note(tree, *key)).map(Ok))?)
            }
            "patternProperties" => Rule::PatternProperties(patterns.clone()),
            "additionalProperties" => return Ok(self.more_properties(get("properties"), patterns, value)),
            "dependencies" => {
                let dependency = |pair: &[NodeId]| {
                    let value = tree.dealias(pair[1]);
                    let dependency = match tree.kind(value) {
                        Kind::Sequence => Dependency::Keys(tree.items(value).to_vec()),
                        _ => Dependency::Schema(value),
                    };
                    (pair[0], dependency)
                };
                Rule::Dependencies(self.mapping(value)?.map(dependency).collect())
            }
            "allOf" => Rule::AllOf(self.list(value, "a list of schemas")?.to_vec()),
            "anyOf" => Rule::AnyOf(self.list(value, "a list of schemas")?.to_vec()),
            "oneOf" => Rule::OneOf(self.list(value, "a list of schemas")?.to_vec()),
            "not" => Rule::Not(value),
            "tag" => Rule::Tag(self.string(value)?.into()),
            "ndim" => Rule::Ndim(self.count(value)?),
            "max_ndim" => Rule::MaxNdim(self.count(value)?),
            "datatype" => Rule::Datatype(value, flag("exact_datatype")),
            _ => return Ok(None),
        }))
    }

    /// Creates an error at a place in the document.
    fn bad(&self, node: NodeId, message: &str) -> Error {
        let error = self.tree.locate(Error::new(Status::Schema, message), node);
        error.in_file(&Arc::from(self.uri))
    }

    fn truth(&self, value: NodeId) -> bool {
        self.tree.kind(value) == Kind::Scalar && matches!(self.tree.scalar(value), Ok(Scalar::Bool(true)))
    }

    fn string(&self, value: NodeId) -> Result<&str> {
        let value = self.tree.dealias(value);
        match (self.tree.kind(value), self.tree.scalar(value)) {
            (Kind::Scalar, Ok(Scalar::String(text))) => Ok(text),
            _ => Err(self.bad(value, "the value of this keyword must be a string")),
        }
    }

    fn list(&self, value: NodeId, what: &str) -> Result<&[NodeId]> {
        match self.tree.kind(value) {
            Kind::Sequence => Ok(self.tree.items(value)),
            _ => Err(self.bad(value, &format!("the value of this keyword must be {what}"))),
        }
    }

    fn mapping(&self, value: NodeId) -> Result<std::slice::ChunksExact<'_, NodeId>> {
        match self.tree.kind(value) {
            Kind::Mapping => Ok(self.tree.pairs(value).chunks_exact(2)),
            _ => Err(self.bad(value, "the value of this keyword must be a mapping")),
        }
    }

    fn number(&self, value: NodeId) -> Result<NodeId> {
        let number = Number::at(self.tree, value).map(|_| value);
        number.ok_or_else(|| self.bad(value, "the value of this keyword must be a number"))
    }

    /// Reads a number of things. A float counts as well if it is whole.
    fn count(&self, value: NodeId) -> Result<u64> {
        let count = match Number::at(self.tree, value) {
            Some(Number::Integer(Integer::Small(count))) => u64::try_from(count).ok(),
            Some(Number::Float(count)) if count >= 0.0 && count.fract() == 0.0 => Some(count as u64),
            _ => None,
        };
        count.ok_or_else(|| self.bad(value, "the value of this keyword must be an integer of at least 0"))
    }

    fn types(&self, schema: NodeId, value: NodeId) -> Result<Types> {
        let tree = self.tree;
        let names = match tree.kind(value) {
            Kind::Sequence => tree.items(value),
            _ => &[value],
        };
        let mut types = 0;
        for name in names {
            let found = value::type_named(self.string(*name)?);
            types |= found.ok_or_else(|| self.bad(*name, "JSON Schema does not have this type"))?;
        }
        let format = tree.find(schema, Key::String("format")).map(|format| tree.text(tree.dealias(format)));
        if types & value::STRING != 0 && format == Some("date-time") {
            types |= value::DATE_TIME;
        }
        Ok(types)
    }

    fn pattern(&self, value: NodeId) -> Result<Pattern> {
        let text = self.string(value)?;
        let bad = |message| self.bad(value, &format!("the regular expression is not valid: {message}"));
        Pattern::new(text).map_err(bad)
    }

    fn patterns(&self, value: NodeId) -> Result<Patterns> {
        let value = self.tree.dealias(value);
        let compiled = |pair: &[NodeId]| Ok((self.pattern(pair[0])?, pair[0], pair[1]));
        self.mapping(value)?.map(compiled).collect::<Result<Vec<_>>>().map(Patterns)
    }

    fn more_items(&self, items: Option<NodeId>, value: NodeId) -> Option<Rule> {
        let listed = match items.map(|items| (self.tree.kind(items), items)) {
            Some((Kind::Sequence, items)) => self.tree.item_count(items),
            // Every item has the schema of `items`.
            _ => return None,
        };
        match self.tree.kind(value) {
            Kind::Mapping => Some(Rule::MoreItems(listed, Some(value))),
            _ if self.truth(value) => None,
            _ => Some(Rule::MoreItems(listed, None)),
        }
    }

    fn more_properties(&self, named: Option<NodeId>, patterns: &Arc<Patterns>, value: NodeId) -> Option<Rule> {
        let schema = match self.tree.kind(value) {
            Kind::Mapping => Some(value),
            _ if self.truth(value) => return None,
            _ => None,
        };
        let named = named.filter(|named| self.tree.kind(*named) == Kind::Mapping);
        Some(Rule::MoreProperties(MoreProperties { named, patterns: patterns.clone(), schema }))
    }

    /// Compiles a `$ref`. With another value than a string, it is no keyword.
    fn reference(&self, schema: NodeId, value: NodeId) -> Result<Option<Rule>> {
        let Ok(reference) = self.string(value) else { return Ok(None) };
        let uri = join(&base_of(self.tree, self.uri, schema), reference).into();
        Ok(Some(Rule::Reference(Reference { uri, target: OnceBox::new() })))
    }
}

/// Returns the URI against which the references of a schema are resolved: that of the document, changed by each `id`
/// from the root to the schema. An `id` beside a `$ref` has no meaning.
pub(in crate::schema) fn base_of(tree: &Tree, uri: &str, schema: NodeId) -> String {
    let mut ids = Vec::new();
    let mut node = Some(schema);
    while let Some(inner) = node {
        ids.extend(id_of(tree, inner).filter(|id| !id.starts_with('#')));
        node = tree.parent(inner);
    }
    ids.iter().rev().fold(uri.to_owned(), |base, id| join(&base, id))
}

/// Returns whether the value of a key is a note about the mapping, for people. No schema applies to it.
pub(in crate::schema) fn is_note(tree: &Tree, key: NodeId) -> bool {
    tree.key(key) == Key::String(tags::NOTE_KEY)
}

/// Returns the `id` of a schema.
pub(in crate::schema) fn id_of(tree: &Tree, node: NodeId) -> Option<&str> {
    if tree.kind(node) != Kind::Mapping || tree.find(node, Key::String("$ref")).is_some() {
        return None;
    }
    let id = tree.dealias(tree.find(node, Key::String("id"))?);
    match (tree.kind(id), tree.scalar(id)) {
        (Kind::Scalar, Ok(Scalar::String(id))) => Some(id),
        _ => None,
    }
}
