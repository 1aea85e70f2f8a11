//! Meaning of an entry by the schemas: title, description, type, unit and default.

use super::Schemas;
use super::check::evaluate::is_reference;
use super::language::rule::{Place, Rule};
use super::language::value::names_of;
use crate::error::Result;
use crate::json::{Escapes, Style, Writer};
use crate::tags::{self, StandardVersion};
use crate::tree::{Key, Kind, NodeId, Scalar, Tree, fragment_of, path};

/// Maximum number of schemas that are looked at for one entry.
const MAX_SCHEMAS: usize = 1 << 12;

const STYLE: Style = Style { comma: ", ", colon: ": ", escapes: Escapes { letters: "bfrt", more: &[] } };

/// Meaning of an entry of a tree. Fields that no schema tells are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Description {
    /// Short name.
    pub title: Option<String>,
    /// Explanation.
    pub description: Option<String>,
    /// Types of JSON Schema, or a tag; for an array, also its datatype and its number of dimensions.
    pub type_name: Option<String>,
    /// Unit of the value: from the schema, or from the entry itself.
    pub unit: Option<String>,
    /// Value of a missing entry, as YAML.
    pub default: Option<String>,
    /// URI of the schema that describes the entry.
    pub schema: Option<String>,
    /// The note of a mapping, which the mapping has under the key `//`.
    pub note: Option<String>,
}

impl Description {
    /// Returns the fields with their names.
    fn fields(&self) -> [(&'static str, &Option<String>); 7] {
        [
            ("title", &self.title),
            ("description", &self.description),
            ("type", &self.type_name),
            ("unit", &self.unit),
            ("default", &self.default),
            ("schema", &self.schema),
            ("note", &self.note),
        ]
    }

    /// Returns the known fields as a JSON object on one line: `title`, `description`, `type`, `unit`, `default`,
    /// `schema`, `note`. All are strings.
    pub fn to_json(&self) -> String {
        let mut json = Writer::new(String::new(), &STYLE);
        json.open("{");
        for (name, value) in self.fields() {
            if let Some(value) = value {
                json.key(name);
                json.string(value);
            }
        }
        json.close("}");
        json.into_text()
    }

    /// Returns whether no field is known.
    pub fn is_empty(&self) -> bool {
        self.fields().iter().all(|(_, value)| value.is_none())
    }
}

/// An entry of a tree: a node, the version of the standard, and the schema of the root that the caller names.
pub(crate) struct Described<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) root: NodeId,
    pub(crate) standard: StandardVersion,
    pub(crate) schema: Option<&'a str>,
}

impl Schemas {
    /// Describes the entry at a path, which need not exist. Fails with [`Status::Path`](crate::Status::Path) for a
    /// malformed path, and with the errors of malformed schemas.
    pub(crate) fn describe(&self, entry: &Described, path: &str) -> Result<Description> {
        let tree = entry.tree;
        let mut node = Some(tree.resolve(entry.root).unwrap_or(tree.dealias(entry.root)));
        let mut places = entry.schema.map(|uri| self.place(uri)).transpose()?.into_iter().collect::<Vec<_>>();
        places = self.with_tag(entry, node, places)?;
        let tokens = path::tokens(path)?;
        for (index, token) in tokens.iter().enumerate() {
            let parent = node;
            node = node.and_then(|node| child(tree, node, token));
            if token == tags::NOTE_KEY {
                let text = parent.and_then(|parent| note(tree, parent));
                let is_last = index + 1 == tokens.len();
                return Ok(Description { note: text.filter(|_| is_last), ..Description::default() });
            }
            places = self.below(places, token)?;
            places = self.with_tag(entry, node, places)?;
        }
        let mut description = self.told_by(places)?;
        if let Some(node) = node {
            description.note = note(tree, node);
            let own = tree.find(node, Key::String("unit")).filter(|_| tree.kind(node) == Kind::Mapping);
            description.unit = own.and_then(|unit| text_at(tree, unit)).or(description.unit);
        }
        Ok(description)
    }

    /// Adds the schemas of the tag of a node.
    fn with_tag(&self, entry: &Described, node: Option<NodeId>, mut places: Vec<Place>) -> Result<Vec<Place>> {
        let Some(tag) = node.and_then(|node| entry.tree.foreign_tag(node)) else { return Ok(places) };
        for uri in self.uris_of_tag(tag, entry.standard) {
            places.extend(self.place(uri).ok());
        }
        Ok(places)
    }

    /// Returns the schemas with the targets of their references and choices, each once and in the order of precedence.
    fn expanded(&self, places: Vec<Place>) -> Result<Vec<Place>> {
        let mut found: Vec<Place> = Vec::new();
        let mut pending: Vec<Place> = places.into_iter().rev().collect();
        while let Some(place) = pending.pop() {
            if found.contains(&place) || found.len() >= MAX_SCHEMAS {
                continue;
            }
            found.push(place);
            let (schema, tree) = self.schema(place)?;
            let mut inner = Vec::new();
            for rule in &schema.rules {
                match rule {
                    Rule::Reference(reference) => inner.extend(self.target(place.document, reference).ok()),
                    Rule::AllOf(schemas) | Rule::AnyOf(schemas) | Rule::OneOf(schemas) => {
                        inner.extend(schemas.iter().map(|node| Place { node: tree.dealias(*node), ..place }));
                    }
                    _ => {}
                }
            }
            pending.extend(inner.into_iter().rev());
        }
        Ok(found)
    }

    /// Returns the schemas of a child.
    fn below(&self, places: Vec<Place>, token: &str) -> Result<Vec<Place>> {
        let mut found = Vec::new();
        for place in self.expanded(places)? {
            let (schema, tree) = self.schema(place)?;
            let mut add = |node: NodeId| found.push(Place { node: tree.dealias(node), ..place });
            let is_named = |node: &NodeId| tree.key(*node).text() == token;
            for rule in &schema.rules {
                match rule {
                    Rule::Properties(properties) => {
                        properties.iter().filter(|(key, _)| is_named(key)).for_each(|(_, schema)| add(*schema));
                    }
                    Rule::PatternProperties(patterns) => {
                        let fits = patterns.0.iter().filter(|(pattern, ..)| pattern.is_in(token) == Ok(true));
                        fits.for_each(|(.., schema)| add(*schema));
                    }
                    Rule::MoreProperties(more) => {
                        let is_known = more.named.is_some_and(|named| tree.find_token(named, token).is_some());
                        more.schema.filter(|_| !is_known).into_iter().for_each(&mut add);
                    }
                    Rule::Items(schema) if path::index(token).is_some() => add(*schema),
                    Rule::ItemList(schemas) => {
                        path::index(token).and_then(|index| schemas.get(index)).into_iter().for_each(|node| add(*node));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// Collects what schemas say. Earlier ones take precedence.
    fn told_by(&self, places: Vec<Place>) -> Result<Description> {
        let mut out = Description::default();
        for place in self.expanded(places)? {
            let (schema, tree) = self.schema(place)?;
            let told = |key| tree.find(place.node, Key::String(key));
            let text = |key| told(key).and_then(|node| text_at(tree, node)).map(|text| text.trim().to_owned());
            out.title = out.title.or_else(|| text("title"));
            out.description = out.description.or_else(|| text("description"));
            out.unit = out.unit.or_else(|| text("unit")).or_else(|| only_unit(tree, place.node));
            out.default = out.default.or_else(|| told("default").map(|node| written(tree, node)));
            out.type_name = out.type_name.or_else(|| type_name(tree, &schema.rules));
            if out.schema.is_none() {
                let (uri, _) = self.document_of(place);
                let pointer = tree.path(place.node);
                let fragment = if pointer.is_empty() { String::new() } else { fragment_of(&pointer) };
                out.schema = Some(format!("{uri}{fragment}"));
            }
        }
        Ok(out)
    }
}

/// Returns the child that a token of a path leads to.
fn child(tree: &Tree, node: NodeId, token: &str) -> Option<NodeId> {
    let node = tree.resolve(node).ok()?;
    let child = match tree.kind(node) {
        Kind::Mapping => tree.find_token(node, token)?,
        _ => tree.items(node).get(path::index(token)?).copied()?,
    };
    let child = tree.dealias(child);
    Some(if is_reference(tree, child) { tree.resolve(child).unwrap_or(child) } else { child })
}

/// Returns the note of a mapping.
pub(crate) fn note(tree: &Tree, node: NodeId) -> Option<String> {
    let note = tree.find(node, Key::String(tags::NOTE_KEY)).filter(|_| tree.kind(node) == Kind::Mapping)?;
    text_at(tree, note)
}

/// Returns the string at a node.
fn text_at(tree: &Tree, node: NodeId) -> Option<String> {
    let node = tree.dealias(node);
    match (tree.kind(node), tree.scalar(node)) {
        (Kind::Scalar, Ok(Scalar::String(text))) => Some(text.to_owned()),
        _ => None,
    }
}

/// Returns the only unit that the schema of a quantity allows.
fn only_unit(tree: &Tree, schema: NodeId) -> Option<String> {
    let properties = tree.dealias(tree.find(schema, Key::String("properties"))?);
    let unit =
        tree.dealias(tree.find(properties, Key::String("unit")).filter(|_| tree.kind(properties) == Kind::Mapping)?);
    let units = tree.dealias(tree.find(unit, Key::String("enum")).filter(|_| tree.kind(unit) == Kind::Mapping)?);
    match tree.items(units) {
        [unit] => text_at(tree, *unit),
        _ => None,
    }
}

/// Returns a value as YAML.
fn written(tree: &Tree, node: NodeId) -> String {
    let node = tree.dealias(node);
    match tree.kind(node) {
        Kind::Scalar => tree.text(node).to_owned(),
        _ => tree.span(node).and_then(|span| tree.source().get(span)).unwrap_or_default().trim().to_owned(),
    }
}

/// Returns the type that rules demand.
fn type_name(tree: &Tree, rules: &[Rule]) -> Option<String> {
    let kind = rules.iter().find_map(|rule| match rule {
        Rule::Type(types) => Some(names_of(*types)),
        Rule::Tag(tag) => Some(tags::short_tag(tag).into_owned()),
        _ => None,
    });
    let details: Vec<String> = rules
        .iter()
        .filter_map(|rule| match rule {
            Rule::Datatype(datatype, _) => Some(written(tree, *datatype)),
            Rule::Ndim(rank) => Some(format!("{rank} dimensions")),
            Rule::MaxNdim(rank) => Some(format!("at most {rank} dimensions")),
            _ => None,
        })
        .collect();
    match (kind, details.is_empty()) {
        (kind, true) => kind,
        (Some(kind), false) => Some(format!("{kind} ({})", details.join(", "))),
        (None, false) => Some(details.join(", ")),
    }
}
