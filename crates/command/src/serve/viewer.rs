//! The files of the viewer, a page that reads files in the browser. They are installed beside the program, or given.

use super::files::{Entry, Folder};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Place of the viewer below the prefix of an installation.
const PLACE: &str = "share/asdfkit/viewer";
/// Place of the page in the folder of the viewer.
const PAGE: &str = "viewer/index.html";
/// Largest file of a viewer.
const MOST: u64 = 64 << 20;

/// A folder with the viewer.
pub(super) struct Viewer(Folder);

impl Viewer {
    /// Opens the given folder, or the one of the installation if it exists.
    pub(super) fn find(given: Option<&Path>) -> io::Result<Option<Viewer>> {
        let folder = match given {
            Some(folder) => folder.to_owned(),
            None => match installed() {
                Some(folder) => folder,
                None => return Ok(None),
            },
        };
        let viewer = Viewer(Folder::open(&folder)?);
        match viewer.0.find(PAGE) {
            Some(Entry::File(..)) => Ok(Some(viewer)),
            _ => Err(io::Error::new(io::ErrorKind::NotFound, format!("the folder has no {PAGE}"))),
        }
    }

    /// Returns the type and the bytes of a file of the viewer.
    pub(super) fn file(&self, path: &str) -> Option<(&'static str, Vec<u8>)> {
        let kind = match path.rsplit_once('.')?.1 {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "wasm" => "application/wasm",
            _ => return None,
        };
        let Entry::File(path, _) = self.0.find(path)? else { return None };
        let (file, metadata) = self.0.open_file(&path).ok()?;
        let mut bytes = Vec::new();
        let length = file.take(metadata.len().min(MOST)).read_to_end(&mut bytes).ok()?;
        (length as u64 == metadata.len()).then_some((kind, bytes))
    }
}

fn installed() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folder = program.parent()?.parent()?.join(PLACE);
    folder.is_dir().then_some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_files_of_a_page_are_given() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Viewer::find(Some(folder.path())).is_err());
        fs::create_dir(folder.path().join("viewer")).unwrap();
        for (name, text) in [("viewer/index.html", "page"), ("core.js", "code"), ("LICENSE-MIT", "text")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let viewer = Viewer::find(Some(folder.path())).unwrap().unwrap();
        assert_eq!(viewer.file("core.js"), Some(("text/javascript; charset=utf-8", b"code".to_vec())));
        assert!(viewer.file("viewer/index.html").is_some_and(|(kind, _)| kind.starts_with("text/html")));
        for path in ["LICENSE-MIT", "none.js", "../core.js", "viewer", ""] {
            assert_eq!(viewer.file(path), None, "{path}");
        }
    }
}
