//! The search path of packages.

use super::collect::{Texts, is_archive_name};
use super::folder::{self, sorted};
use super::python;
use crate::error::{Error, Result, Status};
use std::path::{Path, PathBuf};

/// Environment variable with further folders and archives, as in `PATH`.
const VARIABLE: &str = "ASDFKIT_SCHEMAS";
/// Folder of schemas below the prefix of an installation.
const INSTALLED: &str = "share/asdfkit/schemas";

/// Returns what to do if no schemas are found.
pub(in crate::schema) fn advice() -> String {
    format!(
        "install them with `pip install asdf-standard asdf-transform-schemas` (or the package of the file's tags, such \
         as rad) or `make install-schemas`, name a folder or a wheel by the argument for packages (`--schemas`), or set \
         {VARIABLE}"
    )
}

/// Reads a package: a path of a folder, an archive or a schema, or the name of a package on the search path.
pub(in crate::schema) fn read_package(name: &str, texts: &mut Texts) -> Result<()> {
    let path = Path::new(name);
    if path.exists() {
        return folder::read(path, texts);
    }
    for folder in folders() {
        if read_named(&folder, name, texts)? {
            return Ok(());
        }
    }
    for folder in python::folders() {
        if python::read(&folder, Some(name), texts)? {
            return Ok(());
        }
    }
    let message = format!("no package of schemas and no file has the name '{name}': {}", advice());
    Err(Error::new(Status::SchemaNotFound, message))
}

/// Reads all packages on the search path.
pub(in crate::schema) fn read_all(texts: &mut Texts) -> Result<()> {
    for folder in folders() {
        folder::read(&folder, texts)?;
    }
    for folder in python::folders() {
        python::read(&folder, None, texts)?;
    }
    if texts.texts.is_empty() {
        return Err(Error::new(Status::SchemaNotFound, format!("no schemas were found: {}", advice())));
    }
    Ok(())
}

/// Returns the folders and archives of the search path that exist, without those of Python.
fn folders() -> Vec<PathBuf> {
    let variable = std::env::var_os(VARIABLE).unwrap_or_default();
    let mut found: Vec<PathBuf> =
        std::env::split_paths(&variable).filter(|path| !path.as_os_str().is_empty() && path.exists()).collect();
    let places = [program(), std::env::current_exe().ok()];
    for place in places.into_iter().flatten() {
        let installed = place.ancestors().skip(1).take(4).map(|prefix| prefix.join(INSTALLED));
        found.extend(installed.filter(|folder| folder.is_dir()).take(1));
    }
    found.dedup();
    found
}

/// Returns the file that holds this code: the shared library, or the program that it is linked into.
#[cfg(target_os = "linux")]
fn program() -> Option<PathBuf> {
    let address = advice as fn() -> String as usize as u64;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let holds = |line: &&str| {
        let range = line.split_once(' ').and_then(|(range, _)| range.split_once('-'));
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let bounds = range.and_then(|(start, end)| Some(number(start)?..number(end)?));
        bounds.is_some_and(|bounds| bounds.contains(&address))
    };
    let line = maps.lines().find(holds)?;
    line.find('/').and_then(|start| line.get(start..)).map(PathBuf::from)
}

#[cfg(not(target_os = "linux"))]
fn program() -> Option<PathBuf> {
    None
}

/// Reads the package of this name from a folder: a folder or archives with the name. Returns whether there is one.
fn read_named(folder: &Path, name: &str, texts: &mut Texts) -> Result<bool> {
    if python::read(folder, Some(name), texts)? {
        return Ok(true);
    }
    let wanted = python::normalized(name);
    let mut found = false;
    for path in sorted(folder).unwrap_or_default() {
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
        let package = if is_archive_name(file) { file.split('-').next().unwrap_or(file) } else { file };
        if python::normalized(package) == wanted {
            folder::read(&path, texts)?;
            found = true;
        }
    }
    Ok(found)
}
