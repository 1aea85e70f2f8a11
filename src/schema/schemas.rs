//! A set of schemas and manifests, from packages or memory.

use super::document::{Document, parse, uri_of};
use super::draft4;
use super::language::rule::{Place, Reference, Rule, Schema};
use super::language::uri::split_fragment;
use super::manifest::{Manifests, is_manifest};
use super::packages::collect::Texts;
use super::packages::place;
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::tags::StandardVersion;
use crate::tree::Tree;
use foldhash::{HashMap, HashMapExt};

/// Schemas with the tags that they describe.
///
/// Texts are read when schemas are added, and parsed when they are used for the first time. Several threads can use the
/// same schemas. Nothing is ever fetched from the network.
#[derive(Clone, Debug)]
pub struct Schemas {
    documents: Vec<Document>,
    by_uri: HashMap<Box<str>, usize>,
    manifests: Manifests,
}

impl Default for Schemas {
    fn default() -> Schemas {
        Schemas::new()
    }
}

impl Schemas {
    /// Creates a set without packages. It has only the schema of draft 4 of JSON Schema.
    pub fn new() -> Schemas {
        let mut schemas = Schemas { documents: Vec::new(), by_uri: HashMap::new(), manifests: Manifests::default() };
        schemas.insert(Document::new(draft4::URI, "draft 4", draft4::TEXT.into(), false));
        schemas
    }

    /// Reads packages: paths of folders, wheels and single schemas, or names of packages on the search path. Without
    /// any, reads all packages on the search path.
    ///
    /// The search path has the folders and archives of the environment variable `ASDFKIT_SCHEMAS`, the folder
    /// `share/asdfkit/schemas` of the installation, and the packages of the first Python on `PATH`. Of two schemas with
    /// the same URI, the first one is used.
    ///
    /// Fails with [`Status::SchemaNotFound`] if there is no such package, or none at all.
    pub fn load<S: AsRef<str>>(packages: &[S]) -> Result<Schemas> {
        let mut schemas = Schemas::new();
        if packages.is_empty() {
            schemas.add_all()?;
        }
        packages.iter().try_for_each(|package| schemas.add_package(package.as_ref()))?;
        Ok(schemas)
    }

    /// Adds all packages on the search path; see [`Schemas::load`].
    pub fn add_all(&mut self) -> Result<()> {
        let mut texts = Texts::default();
        place::read_all(&mut texts)?;
        self.add_texts(texts)
    }

    /// Adds a package: the path of a folder, a wheel or a single schema, or the name of a package on the search path.
    pub fn add_package(&mut self, package: &str) -> Result<()> {
        let mut texts = Texts::default();
        place::read_package(package, &mut texts)?;
        let before = self.documents.len();
        let is_empty = texts.texts.is_empty();
        self.add_texts(texts)?;
        if is_empty || (self.documents.len() == before && before == 1) {
            let message = format!("'{package}' has no schemas with an 'id'");
            return Err(Error::new(Status::SchemaNotFound, message));
        }
        Ok(())
    }

    fn add_texts(&mut self, texts: Texts) -> Result<()> {
        for text in texts.texts {
            let Some(uri) = uri_of(&text.text) else { continue };
            if self.by_uri.contains_key(&*uri) {
                continue;
            }
            if is_manifest(&text.text) {
                self.manifests.add(&parse(&text.text)?);
            }
            self.insert(Document::new(&uri, &text.name, reserve::text_of(&text.text)?, false));
        }
        Ok(())
    }

    /// Adds a schema or a manifest as text in YAML or JSON, and returns its URI: its `id`, or a new one if it has none.
    /// It replaces a schema with the same URI.
    ///
    /// Fails with the errors of reading YAML.
    pub fn add_text(&mut self, text: &str) -> Result<String> {
        self.add_text_of(text, &format!("memory:{}", self.documents.len()))
    }

    /// Does the same as [`Schemas::add_text`] for the text of a file, whose name stands for the URI of a schema without
    /// an `id`.
    pub fn add_text_of(&mut self, text: &str, name: &str) -> Result<String> {
        let tree = parse(text)?;
        let uri = uri_of(text).unwrap_or_else(|| name.to_owned());
        if is_manifest(text) {
            self.manifests.add(&tree);
        }
        self.insert(Document::new(&uri, "", reserve::text_of(text)?, true));
        Ok(uri)
    }

    fn insert(&mut self, document: Document) {
        if self.by_uri.insert(document.uri.clone(), self.documents.len()).is_some() {
            // References were compiled to lead to the old document.
            self.documents = self.documents.clone();
        }
        self.documents.push(document);
    }

    /// Returns the URIs of all schemas and manifests, in the order in which they were added.
    pub fn uris(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().map(|document| &*document.uri)
    }

    /// Returns the URIs of the schemas of a tag in files of this version of the standard.
    pub fn uris_of_tag(&self, tag: &str, standard: StandardVersion) -> impl Iterator<Item = &str> {
        self.manifests.schemas_of(tag, standard).iter().map(|uri| &**uri)
    }

    /// Returns the schema of a URI. Fails with [`Status::SchemaNotFound`] if no document has it.
    pub(super) fn place(&self, uri: &str) -> Result<Place> {
        self.find(uri, None)?.ok_or_else(|| {
            let message = format!("no schema has the URI '{uri}'; add the package that holds it ({})", place::advice());
            Error::new(Status::SchemaNotFound, message)
        })
    }

    /// Returns the schema of a URI that a document refers to, if there is one.
    fn find(&self, uri: &str, from: Option<usize>) -> Result<Option<Place>> {
        let (address, _) = split_fragment(uri);
        let known = self.by_uri.get(address.trim_end_matches('/')).or_else(|| self.by_uri.get(address));
        for document in from.into_iter().chain(known.copied()) {
            if let Some(found) = self.documents.get(document)
                && let Some(node) = found.find(uri)?
            {
                return Ok(Some(Place { document, node }));
            }
        }
        Ok(None)
    }

    /// Returns the schema that a reference leads to.
    pub(super) fn target(&self, document: usize, reference: &Reference) -> Result<Place> {
        let find = || {
            self.find(&reference.uri, Some(document))?.map(Box::new).ok_or_else(|| {
                let message = format!("a reference leads to '{}', and no schema has this URI", reference.uri);
                Error::new(Status::SchemaNotFound, message)
            })
        };
        reference.target.get_or_try_init(find).copied()
    }

    /// Returns the compiled schema at a place, and the tree of its document.
    pub(super) fn schema(&self, place: Place) -> Result<(&Schema, &Tree)> {
        let document = self.documents.get(place.document);
        let document = document.ok_or_else(|| Error::new(Status::Internal, "no schemas have this number"))?;
        Ok((document.schema(place.node)?, &document.parsed()?.tree))
    }

    /// Returns a rule of a schema that was applied.
    pub(super) fn rule(&self, place: Place, index: usize) -> Option<&Rule> {
        self.schema(place).ok()?.0.rules.get(index)
    }

    /// Returns the URI and the tree of the document of a schema.
    pub(super) fn document_of(&self, place: Place) -> (&str, Option<&Tree>) {
        match self.documents.get(place.document) {
            Some(document) => (&document.uri, document.parsed().ok().map(|parsed| &parsed.tree)),
            None => ("", None),
        }
    }
}
