//! Installed packages of Python that announce schemas to asdf. Python is not started.

use super::collect::{MAX_TEXT, Texts};
use super::folder::{self, bytes_of, sorted};
use crate::error::Result;
use std::path::{Path, PathBuf};

/// Heading of the entry points by which packages announce schemas.
const HEADING: &str = "[asdf.resource_mappings]";
/// End of the name of the folder that describes an installed package.
const DESCRIPTION: &str = ".dist-info";

/// Returns the folders of installed packages that belong to the first Python on the path.
pub(super) fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["python3", "python", "python3.exe", "python.exe"];
    let programs = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    let Some(program) = programs.into_iter().find(|program| program.is_file()) else { return Vec::new() };
    let found = folders_of(&program);
    if !found.is_empty() {
        return found;
    }
    // The name on the path can be a link to a program elsewhere.
    program.canonicalize().map(|program| folders_of(&program)).unwrap_or_default()
}

fn folders_of(program: &Path) -> Vec<PathBuf> {
    let Some(prefix) = program.parent().and_then(Path::parent) else { return Vec::new() };
    let mut found = Vec::new();
    for library in [prefix.join("lib"), prefix.join("local/lib")] {
        let versions = sorted(&library).unwrap_or_default();
        let is_python = |path: &&PathBuf| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("python3"))
        };
        for version in versions.iter().filter(is_python).rev() {
            found.extend(["site-packages", "dist-packages"].map(|name| version.join(name)));
        }
    }
    found.push(prefix.join("Lib").join("site-packages"));
    found.retain(|folder| folder.is_dir());
    found
}

/// Reads the packages in a folder of installed packages: all that announce schemas, or those of one name. Returns
/// whether there is one.
pub(super) fn read(folder: &Path, name: Option<&str>, texts: &mut Texts) -> Result<bool> {
    let mut found = false;
    for description in sorted(folder).unwrap_or_default() {
        let Some(package) = package_name(&description) else { continue };
        if name.is_some_and(|name| normalized(name) != normalized(package)) {
            continue;
        }
        for module in modules(&description) {
            folder::read(&folder.join(module), texts)?;
            found = true;
        }
    }
    Ok(found)
}

/// Returns the name of the package that a folder describes.
fn package_name(description: &Path) -> Option<&str> {
    let name = description.file_name()?.to_str()?.strip_suffix(DESCRIPTION)?;
    name.split_once('-').map(|(package, _version)| package)
}

/// Returns the modules whose functions announce the schemas of a package.
fn modules(description: &Path) -> Vec<String> {
    let bytes = bytes_of(&description.join("entry_points.txt"), MAX_TEXT).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let lines = text.lines().map(str::trim).skip_while(|line| *line != HEADING).skip(1);
    let mut modules: Vec<String> = lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split_once('='))
        .filter_map(|(_, function)| function.trim().split(['.', ':']).next())
        .filter(|module| !module.is_empty() && *module != "asdf")
        .map(str::to_owned)
        .collect();
    modules.dedup();
    modules
}

/// Returns the name of a package as registries compare names.
pub(super) fn normalized(name: &str) -> String {
    name.to_ascii_lowercase().replace(['_', '.'], "-")
}
