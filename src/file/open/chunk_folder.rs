//! Stores of chunked arrays outside the ASDF file: a folder with a file for the metadata, and one for each chunk.
//!
//! The files are opened under the rules for other files. A chunk whose file does not exist has the fill value.

use crate::array::{ChunkKeys, ChunkMetadata, ChunkStore, Grid, Payload, StoredChunk};
use crate::error::{Error, Result, Status};
use crate::file::File;
use crate::file::options::uri::{Uri, reference_to_path};
use crate::source::{Source, read_vec_at};
use crate::tree::{Key, Kind, NodeId, Scalar, Tree};
use crate::yaml;
use std::sync::Arc;

/// The largest document with metadata, in bytes.
const MAX_METADATA: u64 = 16 << 20;
const METADATA_ONLY: &str = "a store of the type 'KVStore' is supported for the metadata '.zarray' only";

/// A store as the tree describes it.
#[derive(Clone)]
pub(super) enum StoreDescription {
    /// A folder. `nested` tells that its chunks are in folders of their own, unless the metadata say otherwise.
    Folder { path: String, nested: bool },
    /// The text of the document `.zarray`.
    Document(String),
}

impl StoreDescription {
    /// Reads the description at a node. Fails with [`Status::Unsupported`] for stores that are no folders.
    pub(super) fn parse(tree: &Tree, node: NodeId) -> Result<StoreDescription> {
        let node = tree.resolve(node)?;
        let bad = |message: String| tree.locate(Error::new(Status::BadArray, message), node);
        let unsupported = |message: String| tree.locate(Error::new(Status::Unsupported, message), node);
        let text = |key: &str| -> Result<Option<&str>> {
            if tree.kind(node) != Kind::Mapping {
                return Ok(None);
            }
            let Some(value) = tree.find(node, Key::String(key)) else { return Ok(None) };
            let value = tree.resolve(value)?;
            Ok((tree.kind(value) == Kind::Scalar).then(|| tree.text(value)))
        };
        let need = |key: &str| text(key)?.ok_or_else(|| bad(format!("the store of a chunked array has no '{key}'")));
        let kind = need("type_string")?;
        match kind {
            "DirectoryStore" | "LocalStore" | "NestedDirectoryStore" | "TempStore" => {}
            "FSStore" => {
                let system = text("fs")?.unwrap_or_default();
                if !is_local(system) {
                    return Err(unsupported("the file system of the store of a chunked array is not local".to_owned()));
                }
            }
            "KVStore" => {
                return document(tree, node).ok_or_else(|| unsupported(METADATA_ONLY.to_owned()));
            }
            _ => return Err(unsupported(format!("the store type '{kind}' of zarr is not supported"))),
        }
        Ok(StoreDescription::Folder { path: need("path")?.to_owned(), nested: kind == "NestedDirectoryStore" })
    }

    /// Reads the metadata of the array in this store.
    pub(super) fn read_metadata(&self, file: &File) -> Result<ChunkMetadata> {
        let folder = match self {
            StoreDescription::Document(text) => return metadata_of(text, 2, file),
            StoreDescription::Folder { path, .. } => Folder::new(file, path)?,
        };
        for (name, form) in [(".zarray", 2), ("zarr.json", 3)] {
            let Some(source) = folder.open(name)? else { continue };
            if source.len() > MAX_METADATA {
                let message = format!("'{name}' of the chunked array has more than {MAX_METADATA} bytes");
                return Err(Error::new(Status::Limit, message));
            }
            let text = String::from_utf8(read_vec_at(&*source, 0, source.len())?);
            let text = text.map_err(|_| Error::new(Status::Encoding, format!("'{name}' is not UTF-8")))?;
            return metadata_of(&text, form, file);
        }
        let message = format!("'{}' has neither '.zarray' nor 'zarr.json'", folder.base);
        Err(Error::new(Status::FileNotFound, message))
    }
}

/// Returns the document `.zarray` of a store that is a mapping.
fn document(tree: &Tree, node: NodeId) -> Option<StoreDescription> {
    let map = tree.resolve(tree.find(node, Key::String("map"))?).ok()?;
    let value = tree.resolve(tree.find(map, Key::String(".zarray"))?).ok()?;
    let text = match tree.scalar(value).ok()? {
        Scalar::Binary(bytes) => String::from_utf8(bytes.into_owned()).ok()?,
        Scalar::String(text) => text.to_owned(),
        _ => return None,
    };
    Some(StoreDescription::Document(text))
}

/// Returns true if the text of a file system of fsspec names the local one.
fn is_local(system: &str) -> bool {
    system.contains("fsspec.implementations.local") && system.contains("LocalFileSystem")
}

/// Reads metadata from the text of a document.
fn metadata_of(text: &str, form: u32, file: &File) -> Result<ChunkMetadata> {
    let limits = file.limits();
    // JSON is read as YAML. There a number such as 1e20 is a text, which the parser of fill values takes for a number.
    let document = format!("%YAML 1.1\n---\n{text}\n...\n");
    let parsed = yaml::parse(document, 0, 1, limits).and_then(|parsed| {
        let tree = &parsed.tree;
        if form == 2 {
            ChunkMetadata::parse_form2(tree, tree.root(), limits)
        } else {
            ChunkMetadata::parse_form3(tree, tree.root(), limits)
        }
    });
    parsed.map_err(|error| Error::because_of("the metadata of the chunked array cannot be read", &error.unplaced()))
}

/// A folder that a file refers to.
struct Folder {
    file: File,
    /// Reference to the folder, with a slash at its end.
    base: String,
}

impl Folder {
    fn new(file: &File, path: &str) -> Result<Folder> {
        let mut base = if path.starts_with("file://") { path.to_owned() } else { reference_to_path(path) };
        if !base.ends_with('/') {
            base.push('/');
        }
        if file.family.policy().denies_all() {
            let message = format!(
                "the chunks of the array are in '{path}'; set the open option 'access' (ASDF_OPTION_ACCESS) to allow \
                 other files"
            );
            return Err(Error::new(Status::ExternalReference, message));
        }
        Ok(Folder { file: file.clone(), base })
    }

    /// Opens a file of the folder; `None` if it does not exist.
    fn open(&self, name: &str) -> Result<Option<Arc<dyn Source>>> {
        self.file.check_open()?;
        let reference = format!("{}{name}", self.base);
        let uri = Uri::resolve(self.file.shared.origin.uri.as_ref(), &reference)?;
        match self.file.family.policy().open(&uri) {
            Ok(opened) => Ok(Some(opened.source)),
            Err(error) if error.status() == Status::FileNotFound => Ok(None),
            Err(error) => Err(Error::because_of(&format!("cannot open '{uri}'"), &error)),
        }
    }
}

/// Chunks in files of a folder.
pub(super) struct ChunkFolder {
    folder: Folder,
    keys: ChunkKeys,
    /// Separator of the indices in names, if the metadata have none.
    separator: &'static str,
    /// Number of this folder in the cache of the family.
    cache_number: u32,
}

impl std::fmt::Debug for ChunkFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ChunkFolder({})", self.folder.base)
    }
}

impl ChunkFolder {
    pub(super) fn new(file: &File, store: &StoreDescription, keys: &ChunkKeys) -> Result<ChunkFolder> {
        let StoreDescription::Folder { path, nested } = store else {
            return Err(Error::new(Status::Unsupported, METADATA_ONLY));
        };
        let separator = if *nested { "/" } else { "." };
        let cache_number = file.family.new_number();
        Ok(ChunkFolder { folder: Folder::new(file, path)?, keys: keys.clone(), separator, cache_number })
    }

    fn source(&self, grid: &Grid, number: u64) -> Result<Option<Arc<dyn Source>>> {
        self.folder.open(&self.keys.name(&grid.index(number), self.separator))
    }
}

impl ChunkStore for ChunkFolder {
    fn chunk(&self, grid: &Grid, number: u64) -> Result<Option<StoredChunk>> {
        let Some(source) = self.source(grid, number)? else { return Ok(None) };
        let payload = Payload::Stored { length: source.len(), source, offset: 0 };
        Ok(Some(StoredChunk { payload, cache: self.folder.file.family.payload_cache(self.cache_number, number) }))
    }

    fn stored_bytes(&self, grid: &Grid) -> Result<u64> {
        let mut size = 0_u64;
        for number in 0..grid.len() {
            size = size.saturating_add(self.source(grid, number)?.map_or(0, |source| source.len()));
        }
        Ok(size)
    }

    fn blocks(&self) -> Result<Option<Arc<Vec<i32>>>> {
        Ok(None)
    }
}
