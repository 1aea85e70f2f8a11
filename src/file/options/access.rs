//! Access to other files: which of them a file may refer to, and how they are opened.
//!
//! The look-up inside these files is in `family`.

use super::uri;
use super::uri::Uri;
use crate::error::{Error, Result, Status};
use crate::file::disk::folder::folder_of;
use crate::remote::{Remote, is_remote_scheme, url_of, without_secrets};
use crate::source::{FileSource, Source, open_beneath};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Callback that opens a file by its URI. `None` denies the access ([`Status::AccessDenied`]).
///
/// The URI has no fragment. It is resolved against the URI of the referring file. It is relative if the first file was
/// not opened by name.
pub type Resolver = dyn Fn(&str) -> Result<Option<Arc<dyn Source>>> + Send + Sync;

/// Other files that may be opened because a file refers to them. Files on servers are read by the library of
/// [`OpenOptions::remote`](super::OpenOptions::remote).
#[derive(Clone, Default)]
pub enum Access {
    /// No other files.
    #[default]
    Deny,
    /// Regular files in the directory of the file that is opened by name, and below it. Neither `..` nor symbolic links
    /// lead out of the directory. If the file is on a server: files of the same server in its directory and below.
    SameDirectory,
    /// Regular files in these directories and below them, under the rules of [`Access::SameDirectory`]. The directories
    /// must exist. A URL stands for a directory on a server.
    Roots(Vec<PathBuf>),
    /// Files that this callback opens, under any URI scheme.
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

/// A directory in which files may be opened, and the segments of its path in URIs.
struct Root {
    directory: PathBuf,
    segments: Vec<Vec<u8>>,
}

/// The first file, to which access is relative.
#[derive(Clone, Copy)]
pub(crate) enum Base<'a> {
    /// A file that was not opened by name.
    Unnamed,
    Path(&'a Path),
    /// A file on a server, or a source with a URI.
    Uri(&'a Uri),
}

/// An [`Access`] with resolved directories.
#[derive(Default)]
pub(crate) struct Policy {
    access: Access,
    roots: Vec<Root>,
    /// Directories on servers.
    remote_roots: Vec<Uri>,
    remote: Remote,
}

/// The bytes of a file, and its name for messages.
pub(crate) struct Opened {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) name: Arc<str>,
    /// Path of the file; `None` for bytes of a callback.
    pub(crate) path: Option<PathBuf>,
}

impl Policy {
    /// Creates the policy for files that a first file refers to.
    pub(crate) fn new(access: &Access, remote: &Remote, base: Base) -> Result<Policy> {
        let (mut roots, mut remote_roots) = (Vec::new(), Vec::new());
        match (access, base) {
            (Access::SameDirectory, Base::Path(path)) => roots = roots_of(folder_of(path))?,
            (Access::SameDirectory, Base::Uri(uri)) => remote_roots.extend(uri.folder_on_server()),
            (Access::Roots(directories), _) => {
                for directory in directories {
                    match url_of(directory) {
                        Some(url) => remote_roots.extend(Uri::resolve(None, &format!("{url}/"))?.folder_on_server()),
                        None => roots.extend(roots_of(directory)?),
                    }
                }
            }
            (Access::Deny | Access::Callback(_) | Access::SameDirectory, _) => {}
        }
        Ok(Policy { access: access.clone(), roots, remote_roots, remote: remote.clone() })
    }

    /// Returns the URI of a file that is opened by this name.
    pub(crate) fn uri_of(&self, path: &Path) -> Result<Option<Uri>> {
        let Some(name) = path.file_name() else { return Ok(None) };
        let resolved = match &self.access {
            // The URI opens nothing, so links need not be resolved. Behind `..` they decide which directory is meant.
            Access::Deny if !path.components().any(|part| part == Component::ParentDir) => std::path::absolute(path),
            _ => folder_of(path).canonicalize().map(|directory| directory.join(name)),
        };
        let resolved = resolved.map_err(|error| {
            Error::io(&format!("cannot find the directory '{}' of the file", folder_of(path).display()), &error)
        })?;
        Ok(Some(Uri::of_path(&resolved)))
    }

    pub(crate) fn denies_all(&self) -> bool {
        matches!(self.access, Access::Deny)
    }

    /// Opens the file that a URI names, if the policy allows it.
    pub(crate) fn open(&self, uri: &Uri) -> Result<Opened> {
        match &self.access {
            Access::Deny => Err(Error::new(
                Status::ExternalReference,
                "the open option 'access' (ASDF_OPTION_ACCESS) allows no other files",
            )),
            Access::SameDirectory | Access::Roots(_) => self.open_file(uri),
            Access::Callback(resolver) => match resolver(&uri.to_string())? {
                Some(source) => Ok(Opened { source, name: Arc::from(uri.to_string()), path: None }),
                None => Err(Error::new(Status::AccessDenied, "the callback denied the access")),
            },
        }
    }

    /// Opens a file on a server that is in or below an allowed directory of the same server.
    fn open_remote(&self, uri: &Uri) -> Result<Opened> {
        if !self.remote_roots.iter().any(|root| uri.is_below(root)) {
            let message = "the file is outside the directories on servers that the open options 'access' and \
                           'directories' (ASDF_OPTION_ACCESS, ASDF_OPTION_DIRECTORIES) allow";
            return Err(Error::new(Status::AccessDenied, message));
        }
        let url = uri.to_string();
        let source = self.remote.open(&url)?;
        Ok(Opened { source, name: Arc::from(without_secrets(&url)), path: None })
    }

    fn open_file(&self, uri: &Uri) -> Result<Opened> {
        match uri.scheme() {
            Some("file") => {}
            Some(scheme) if is_remote_scheme(scheme) => return self.open_remote(uri),
            Some(scheme) => {
                let message =
                    format!("the scheme '{scheme}' is not supported; a resolver callback can open such files");
                return Err(Error::new(Status::Unsupported, message));
            }
            None => {
                let message = "the URI is relative, but the referring file was not opened by name";
                return Err(Error::new(Status::AccessDenied, message));
            }
        }
        let segments = uri.file_segments()?;
        let message = "the file is outside the directories that the open option 'access' (ASDF_OPTION_ACCESS) allows";
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

/// Returns a directory under its real path, and under the given path if that differs.
fn roots_of(given: &Path) -> Result<Vec<Root>> {
    let find = |result: std::io::Result<PathBuf>| {
        result.map_err(|error| Error::io(&format!("cannot find the directory '{}'", given.display()), &error))
    };
    let directory = find(given.canonicalize())?;
    let given = find(std::path::absolute(given))?;
    let [real, spelled] = [&directory, &given].map(|path| Root {
        directory: directory.clone(),
        segments: uri::path_segments(path).map(Cow::into_owned).collect(),
    });
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
        // On systems with drive letters, a colon is not an ordinary character of a name.
        Ok(name) if !name.contains(':') => Ok(OsString::from(name)),
        _ => Err(Error::new(Status::Path, "the URI has a segment that cannot be a file name")),
    }
}
