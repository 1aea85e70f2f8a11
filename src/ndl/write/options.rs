//! Writes descriptions to files.

use crate::error::{Error, Result, Status};
use crate::file::Replacement;
use crate::ndl::{Description, TextOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Options for writing a description to a file.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// Options of the text.
    pub text: TextOptions,
    /// True to replace an existing file. Its comments are lost.
    pub replace: bool,
    /// True to wait until the text is on the disk before the file gets its name.
    pub durable: bool,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions { text: TextOptions::default(), replace: false, durable: true }
    }
}

/// Returns the file name of the description of a file: `example.yaml` for `example.fmt`.
pub fn file_name(path: &Path) -> PathBuf {
    path.with_extension("yaml")
}

impl Description {
    /// Writes the canonical text to a file, which appears under its name only when it is complete.
    ///
    /// Fails with [`Status::FileExists`] if the file exists and [`WriteOptions::replace`] is false, and as
    /// [`Description::to_text`] does. After [`Status::NotDurable`] the file is complete, but may not yet be on the
    /// disk.
    pub fn write(&self, path: &Path, options: &WriteOptions) -> Result<()> {
        let name = path.to_string_lossy().into();
        self.write_path(path, options).map_err(|error| error.in_file(&name))
    }

    fn write_path(&self, path: &Path, options: &WriteOptions) -> Result<()> {
        let text = self.to_text(&options.text)?;
        // `symlink_metadata` also finds a link without a target, which takes the name too.
        if !options.replace && path.symlink_metadata().is_ok() {
            return Err(taken());
        }
        // A link is followed, so that the new content replaces its target, not the link.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut replacement = Replacement::begin(&target)?;
        replacement.file().write_all(text.as_bytes()).map_err(|error| Error::io("writing", &error))?;
        let replaced =
            if options.replace { replacement.commit(options.durable) } else { replacement.commit_new(options.durable) };
        replaced?.finish()
    }
}

fn taken() -> Error {
    Error::new(Status::FileExists, "the file exists; allow replacing it in the options, or choose another name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_are_not_replaced_by_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = file_name(&folder.path().join("example.fmt"));
        assert!(path.ends_with("example.yaml"));
        let description = Description::new();
        description.write(&path, &WriteOptions::default()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
        std::fs::write(&path, "mine").unwrap();
        let error = description.write(&path, &WriteOptions::default()).unwrap_err();
        assert_eq!((error.status(), error.location().file.is_some()), (Status::FileExists, true));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        description.write(&path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(description.write(&folder.path().join("none/a.yaml"), &WriteOptions::default()).is_err());
    }

    #[test]
    fn a_name_taken_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.yaml");
        let replacement = Replacement::begin(&path).unwrap();
        std::fs::write(&path, "mine").unwrap();
        let error = replacement.commit_new(false).err().unwrap();
        assert_eq!(error.status(), Status::FileExists);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
}
