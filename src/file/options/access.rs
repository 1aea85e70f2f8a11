//! Which other files an open file may lead to, and how they are opened.
//!
//! What is looked for in them is no matter of this file; see `family`.

use super::uri;
use super::uri::Uri;
use crate::error::{Error, Result, Status};
use crate::file::disk::folder::folder_of;
use crate::source::{FileSource, Source, open_beneath};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Finds the bytes of a file by its URI. Nothing means that it must not be opened ([`Status::AccessDenied`]).
///
/// The URI is resolved against that of the file it stands in, and has no fragment. It is relative if the first file
/// was not opened by name.
pub type Resolver = dyn Fn(&str) -> Result<Option<Arc<dyn Source>>> + Send + Sync;

/// Which other files may be opened because a file names them. Nothing is ever fetched from a network.
#[derive(Clone, Default)]
pub enum Access {
    /// None.
    #[default]
    Deny,
    /// Regular files in the directory of the file that is opened by name, and below. Neither `..` nor symbolic links
    /// lead out of it.
    SameDirectory,
    /// Regular files in these directories and below, as with [`Access::SameDirectory`]. They must exist.
    Roots(Vec<PathBuf>),
    /// Those that this function gives, whatever their scheme.
    Callback(Arc<Resolver>),
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Access::Deny => f.write_str("Deny"),
            Access::SameDirectory => f.write_str("SameDirectory"),
            Access::Roots(roots) => f.debug_tuple("Roots").field(roots).finish(),
            Access::Callback(_) => f.write_str("Callback"),
        }
    }
}

/// A directory that files may be opened in, and how URIs spell it.
struct Root {
    directory: PathBuf,
    segments: Vec<Vec<u8>>,
}

/// An [`Access`] with its directories looked up.
#[derive(Default)]
pub(crate) struct Policy {
    access: Access,
    roots: Vec<Root>,
}

/// The bytes of a file and the name to show for it.
pub(crate) struct Opened {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) name: Arc<str>,
    /// Its name where it is a file.
    pub(crate) path: Option<PathBuf>,
}

impl Policy {
    /// The policy for a file that has this URI, if it was opened by name.
    pub(crate) fn new(access: &Access, path: Option<&Path>) -> Result<Policy> {
        let roots = match access {
            Access::Deny | Access::Callback(_) => Vec::new(),
            Access::SameDirectory => match path {
                Some(path) => roots_of(folder_of(path))?,
                None => Vec::new(),
            },
            Access::Roots(directories) => {
                let mut roots = Vec::new();
                for directory in directories {
                    roots.extend(roots_of(directory)?);
                }
                roots
            }
        };
        Ok(Policy { access: access.clone(), roots })
    }

    /// The URI of a file that is opened by this name.
    pub(crate) fn uri_of(&self, path: &Path) -> Result<Option<Uri>> {
        let Some(name) = path.file_name() else { return Ok(None) };
        let directory = folder_of(path);
        let directory = match &self.access {
            // Nothing will be opened by it, so it need not be found out where links lead.
            Access::Deny => std::path::absolute(directory),
            _ => directory.canonicalize(),
        };
        let directory = directory.map_err(|error| Error::io("finding the directory of the file", &error))?;
        Ok(Some(Uri::of_path(&directory.join(name))))
    }

    pub(crate) fn denies_all(&self) -> bool {
        matches!(self.access, Access::Deny)
    }

    /// Opens what a URI names, if that is allowed.
    pub(crate) fn open(&self, uri: &Uri) -> Result<Opened> {
        match &self.access {
            Access::Deny => Err(Error::new(Status::ExternalReference, "the open options allow no other files")),
            Access::SameDirectory | Access::Roots(_) => self.open_file(uri),
            Access::Callback(resolver) => match resolver(&uri.to_string())? {
                Some(source) => Ok(Opened { source, name: Arc::from(uri.to_string()), path: None }),
                None => Err(Error::new(Status::AccessDenied, "the callback refuses it")),
            },
        }
    }

    fn open_file(&self, uri: &Uri) -> Result<Opened> {
        match uri.scheme() {
            Some("file") => {}
            Some(scheme) => {
                let message = format!("the scheme '{scheme}' is not supported; a callback of the program may do it");
                return Err(Error::new(Status::Unsupported, message));
            }
            None => {
                let message = "it is relative, but the file that it stands in was not opened by name";
                return Err(Error::new(Status::AccessDenied, message));
            }
        }
        let segments = uri.file_segments()?;
        let message = "it lies outside of the directories that the open options allow";
        let mut answer = Err(Error::new(Status::AccessDenied, message));
        for root in &self.roots {
            let Some(below) = segments.strip_prefix(root.segments.as_slice()) else { continue };
            let name = relative_path(below)?;
            answer = open_beneath(&root.directory, &name).map(|source| opened(source, root.directory.join(name)));
            if !answer.as_ref().is_err_and(|error| error.status() == Status::AccessDenied) {
                break;
            }
        }
        answer
    }
}

fn opened(source: FileSource, path: PathBuf) -> Opened {
    Opened { source: Arc::new(source), name: Arc::from(path.to_string_lossy()), path: Some(path) }
}

/// A directory under the name that it really has, and under the one that it was given by.
fn roots_of(given: &Path) -> Result<Vec<Root>> {
    let find = |result: std::io::Result<PathBuf>| {
        result.map_err(|error| Error::io(&format!("finding the directory '{}'", given.display()), &error))
    };
    let directory = find(given.canonicalize())?;
    let names = [uri::path_segments(&directory), uri::path_segments(&find(std::path::absolute(given))?)];
    let [real, spelled] = names.map(|segments| Root { directory: directory.clone(), segments });
    Ok(if real.segments == spelled.segments { vec![real] } else { vec![real, spelled] })
}

fn relative_path(segments: &[Vec<u8>]) -> Result<PathBuf> {
    segments.iter().map(|segment| file_name(segment)).collect()
}

#[cfg(unix)]
fn file_name(name: &[u8]) -> Result<OsString> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(name.to_vec()))
}

#[cfg(not(unix))]
fn file_name(name: &[u8]) -> Result<OsString> {
    match std::str::from_utf8(name) {
        // Where drives have letters, a colon is more than a part of a name.
        Ok(name) if !name.contains(':') => Ok(OsString::from(name)),
        _ => Err(Error::new(Status::Path, "it has a name that no file can have")),
    }
}
