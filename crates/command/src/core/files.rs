//! Arguments that name several files: folders, and files followed by paths of nodes.

use super::failure::{Failure, Result};
use super::input::is_standard;
use super::tree_path::TreePath;
use asdfkit::{Error, Status};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Suffixes of tables in text.
const TABLES: [&str; 5] = [".ecsv", ".ecsv.gz", ".ecsv.bz2", ".ecsv.xz", ".ecsv.zst"];
/// Maximum number of files below the folders of one call.
const MOST: usize = 1_000_000;

/// Files that a folder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// Those that have a tree.
    Asdf,
    /// Tables in text, too.
    All,
}

/// Returns the files that arguments name. A folder stands for the files of these kinds below it, sorted by name.
pub(crate) fn expanded(paths: &[PathBuf], kinds: Kinds) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if is_standard(path) || !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        collect(path, kinds, &mut found)?;
        if found.len() == before {
            let wanted = if kinds == Kinds::Asdf { "ASDF files" } else { "ASDF or ECSV files" };
            let error = Error::new(Status::FileNotFound, format!("this is a directory without {wanted}"));
            return Err(error.in_file(&path.to_string_lossy().into()).into());
        }
    }
    Ok(found)
}

/// Adds the files below a folder. Links to folders are not followed, so that no circle is walked.
fn collect(folder: &Path, kinds: Kinds, found: &mut Vec<PathBuf>) -> Result<()> {
    let start = found.len();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error| Failure::System(format!("cannot read the folder {}", folder.display()), error);
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            if entry.file_type().map_err(failed)?.is_dir() {
                folders.push(path);
            } else if has_suffix(&path, kinds) && path.is_file() {
                found.push(path);
            }
            if found.len() > MOST {
                return Err(Failure::usage(format!("the folders have more than {MOST} files")));
            }
        }
    }
    found[start..].sort();
    Ok(())
}

fn has_suffix(path: &Path, kinds: Kinds) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let is_table = || kinds == Kinds::All && TABLES.iter().any(|suffix| name.ends_with(suffix));
    !name.starts_with('.') && (name.ends_with(".asdf") || is_table())
}

/// Files, and the paths of nodes after them.
#[derive(Debug)]
pub(crate) struct FilesAndPaths {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) paths: Vec<TreePath>,
    /// True if one file was named, and no folder.
    pub(crate) is_single: bool,
}

impl FilesAndPaths {
    /// Divides arguments: the first one is a file, and so are all after it that are names of files on the disk, with a
    /// dot in their names, and of folders that end with a slash. If `keys` are given by an option, all arguments are files.
    /// Folders stand for files of `kinds`; with a path, for ASDF files, since only they have paths.
    pub(crate) fn of(arguments: &[OsString], keys: &[TreePath], kinds: Kinds) -> Result<FilesAndPaths> {
        if let [first, second, ..] = arguments
            && keys.is_empty()
        {
            check_order(Path::new(first), Path::new(second))?;
        }
        let count = match arguments {
            all if !keys.is_empty() => all.len(),
            [] => 0,
            [_, rest @ ..] => 1 + rest.iter().take_while(|argument| is_further_file(Path::new(argument))).count(),
        };
        let mut paths = keys.to_vec();
        for argument in &arguments[count..] {
            paths.push(path_of(argument)?);
        }
        let files: Vec<PathBuf> = arguments[..count].iter().map(PathBuf::from).collect();
        let is_single = matches!(&files[..], [file] if !file.is_dir());
        let kinds = if paths.is_empty() { kinds } else { Kinds::Asdf };
        Ok(FilesAndPaths { files: expanded(&files, kinds)?, paths, is_single })
    }

    /// Returns the only path; the empty one if there is none.
    pub(crate) fn path(&self) -> Result<Option<&TreePath>> {
        match &self.paths[..] {
            [] => Ok(None),
            [path] => Ok(Some(path)),
            [_, second, ..] if second.starts_with("/[") => {
                let region = second.trim_start_matches('/');
                Err(Failure::usage(format!("the region {region} stands right after the path, or after --region")))
            }
            [first, ..] => Err(Failure::usage(format!("'{first}' is no file, and only one path is possible"))),
        }
    }
}

/// Fails if a path stands before the file.
fn check_order(first: &Path, second: &Path) -> Result<()> {
    let has_dot = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b'.'));
    if !is_standard(first) && !has_dot(first) && !first.exists() && is_further_file(second) {
        let (first, second) = (first.display(), second.display());
        return Err(Failure::usage(format!("'{first}' is no file; a path stands after its file: {second} {first}")));
    }
    Ok(())
}

/// Returns true for an argument after the first file that is no path of a node.
fn is_further_file(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    match bytes.last() {
        // The path `/` is the whole tree.
        Some(b'/') => bytes.len() > 1 && path.is_dir(),
        _ => path.file_name().is_some_and(|name| name.as_encoded_bytes().contains(&b'.')) && path.is_file(),
    }
}

/// Returns the path of a node that an argument is.
pub(crate) fn path_of(argument: &OsStr) -> Result<TreePath> {
    let text = argument.to_str().ok_or_else(|| Failure::usage("a path of a node is not UTF-8"))?;
    let Ok(path) = text.parse();
    Ok(path)
}
