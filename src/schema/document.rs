//! A document of schemas: its text, and its tree and compiled schemas once they are needed.

use super::language::compile::{Compiler, base_of, id_of};
use super::language::rule::Schema;
use super::language::uri::{join, split_fragment};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::reserve;
use crate::tree::{Key, Kind, NodeId, Scalar, Tree, path, percent_decode};
use crate::yaml;
use foldhash::{HashMap, HashMapExt};
use once_cell::race::OnceBox;
use std::sync::Arc;

/// Maximum number of nodes of a document. Schemas are small.
const MAX_NODES: u64 = 1 << 20;

/// A document of schemas.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: Box<str>,
    /// Name of the file, for messages.
    pub(super) name: Arc<str>,
    text: Arc<Box<str>>,
    /// True for a document of the caller, whose references stand alone.
    is_custom: bool,
    parsed: OnceBox<Result<Parsed>>,
}

/// The tree of a document.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) tree: Tree,
    lone_references: bool,
    /// The compiled schemas, by the numbers of their nodes.
    schemas: Box<[OnceBox<Result<Schema>>]>,
    /// Schemas inside that have an `id` of their own, by it.
    inner: HashMap<String, NodeId>,
}

/// The copy compiles its schemas anew: their references lead to documents of its own set.
impl Clone for Document {
    fn clone(&self) -> Document {
        let Document { uri, name, text, is_custom, .. } = self;
        let (uri, name, text) = (uri.clone(), name.clone(), text.clone());
        Document { uri, name, text, is_custom: *is_custom, parsed: OnceBox::new() }
    }
}

impl Document {
    pub(super) fn new(uri: &str, name: &str, text: Box<str>, is_custom: bool) -> Document {
        let parsed = OnceBox::new();
        Document { uri: uri.into(), name: Arc::from(name), text: Arc::new(text), is_custom, parsed }
    }

    /// Returns the tree of the document. Fails with the errors of reading YAML.
    pub(super) fn parsed(&self) -> Result<&Parsed> {
        let parsed = self.parsed.get_or_init(|| Box::new(self.parse()));
        parsed.as_ref().map_err(Error::clone)
    }

    fn parse(&self) -> Result<Parsed> {
        let tree = parse(&self.text).map_err(|error| error.in_file(&self.name))?;
        let dialect = tree.find(tree.root(), Key::String("$schema")).map(|dialect| tree.text(tree.dealias(dialect)));
        let is_draft = dialect.is_some_and(|uri| uri.starts_with("http://json-schema.org/"));
        let schemas = reserve::collected((0..tree.node_count()).map(|_| Ok(OnceBox::new())))?.into_boxed_slice();
        let inner = inner(&tree, &self.uri);
        Ok(Parsed { lone_references: self.is_custom || is_draft, schemas, inner, tree })
    }

    /// Returns the compiled schema at a node.
    pub(super) fn schema(&self, node: NodeId) -> Result<&Schema> {
        let parsed = self.parsed()?;
        let compile = || {
            let compiler = Compiler { tree: &parsed.tree, uri: &self.uri, lone_references: parsed.lone_references };
            Box::new(compiler.schema(node))
        };
        match parsed.schemas.get(node.number() as usize).map(|place| place.get_or_init(compile)) {
            Some(schema) => schema.as_ref().map_err(Error::clone),
            None => Err(Error::new(Status::Internal, "a schema is not part of its document")),
        }
    }

    /// Returns the node of a URI that leads into the document: its own URI, or that of a schema inside.
    pub(super) fn find(&self, uri: &str) -> Result<Option<NodeId>> {
        let (address, fragment) = split_fragment(uri);
        let parsed = self.parsed()?;
        let start = match parsed.inner.get(uri).or_else(|| parsed.inner.get(address)) {
            Some(node) if fragment.is_empty() || parsed.inner.contains_key(uri) => return Ok(Some(*node)),
            Some(node) => *node,
            None if address == &*self.uri => parsed.tree.root(),
            None => return Ok(None),
        };
        let fragment = percent_decode(fragment)?;
        let mut node = start;
        for token in tokens(&fragment) {
            let child = match parsed.tree.kind(node) {
                Kind::Mapping => parsed.tree.find_token(node, &token),
                _ => path::index(&token).and_then(|index| parsed.tree.items(node).get(index).copied()),
            };
            let Some(child) = child else {
                let message = format!("the schema '{}' has nothing at '{fragment}'", self.uri);
                return Err(Error::new(Status::Schema, message).in_file(&self.name));
            };
            node = parsed.tree.dealias(child);
        }
        Ok(Some(node))
    }
}

/// Returns the keys of a JSON Pointer. As in Python asdf, the first `/` may be missing, and `~` may stand for itself.
fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    let pointer = pointer.strip_prefix('/').unwrap_or(pointer);
    let tokens = (!pointer.is_empty()).then(|| pointer.split('/')).into_iter().flatten();
    tokens.map(|token| token.replace("~1", "/").replace("~0", "~"))
}

/// Parses the text of a document.
pub(super) fn parse(text: &str) -> Result<Tree> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let limits = Limits { nodes: MAX_NODES, ..Limits::default() };
    Ok(yaml::parse(reserve::text_of(text)?.into_string(), 0, 1, &limits)?.tree)
}

/// Returns the schemas inside a document that have an `id` of their own.
fn inner(tree: &Tree, uri: &str) -> HashMap<String, NodeId> {
    let mut inner = HashMap::new();
    for node in tree.live_nodes().filter(|node| *node != tree.root()) {
        let Some(id) = id_of(tree, node) else { continue };
        let path = tree.path(node);
        // Values are no schemas.
        if path.split('/').any(|key| matches!(key, "enum" | "default" | "examples")) {
            continue;
        }
        let base = tree.parent(node).map_or_else(|| uri.to_owned(), |parent| base_of(tree, uri, parent));
        inner.entry(join(&base, id).trim_end_matches('#').to_owned()).or_insert(node);
    }
    inner
}

/// Returns the `id` of the whole document, without a fragment.
pub(super) fn uri_of(text: &str) -> Option<String> {
    let written = |line: &str| {
        let value = line.strip_prefix("id:")?.trim();
        let value = value.split(" #").next().unwrap_or(value).trim();
        let value = value.trim_matches(|quote| quote == '"' || quote == '\'');
        let is_plain = value.contains(':') && !value.starts_with(['&', '*', '!', '|', '>']) && !value.contains('\\');
        is_plain.then(|| value.to_owned())
    };
    let uri = match text.lines().find_map(written) {
        Some(uri) => uri,
        None if text.contains("id") => {
            let tree = parse(text).ok()?;
            let id = tree.dealias(tree.find(tree.root(), Key::String("id"))?);
            match (tree.kind(id), tree.scalar(id)) {
                (Kind::Scalar, Ok(Scalar::String(id))) => id.to_owned(),
                _ => return None,
            }
        }
        None => return None,
    };
    Some(split_fragment(&uri).0.to_owned())
}
