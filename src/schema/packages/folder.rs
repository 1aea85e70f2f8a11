//! Schemas in a folder and the folders below it, with archives in them.

use super::archive;
use super::collect::{MAX_TEXT, Texts, is_archive_name, is_schema_name};
use crate::error::{Error, Result};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Maximum depth of folders. Links can form a circle.
const MAX_DEPTH: usize = 24;

/// Reads a path: a folder with schemas, an archive, or one schema.
pub(in crate::schema) fn read(path: &Path, texts: &mut Texts) -> Result<()> {
    if path.is_dir() {
        return read_folder(path, texts);
    }
    let name = path.to_string_lossy().into_owned();
    if is_archive_name(&name) { archive::read(path, texts) } else { texts.add(name, bytes_of(path, MAX_TEXT)?) }
}

fn read_folder(folder: &Path, texts: &mut Texts) -> Result<()> {
    let mut folders: Vec<(PathBuf, usize)> = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let mut inside = Vec::new();
        for path in sorted(&folder)? {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            // Schemas for the tests of a package are no part of it.
            if name.starts_with('.') || matches!(name, "tests" | "_tests" | "__pycache__") {
                continue;
            }
            if path.is_dir() {
                inside.extend((depth < MAX_DEPTH).then_some((path, depth + 1)));
            } else if is_schema_name(name) {
                texts.add(path.to_string_lossy().into_owned(), bytes_of(&path, MAX_TEXT)?)?;
            } else if is_archive_name(name) {
                archive::read(&path, texts)?;
            }
        }
        folders.extend(inside.into_iter().rev());
    }
    Ok(())
}

/// Returns the paths in a folder, sorted by name.
pub(super) fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: std::io::Error| Error::io(&format!("cannot read the folder '{}'", folder.display()), &error);
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<_>>>();
    if let Ok(paths) = &mut paths {
        paths.sort_unstable();
    }
    paths.map_err(failed)
}

/// Reads a file of at most this many bytes.
pub(super) fn bytes_of(path: &Path, maximum: u64) -> Result<Vec<u8>> {
    let name = path.display();
    let failed = |error: std::io::Error| Error::io(&format!("cannot read '{name}'"), &error);
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(maximum + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > maximum {
        return Err(Error::limit(&format!("the bytes of '{name}'"), maximum));
    }
    Ok(bytes)
}
