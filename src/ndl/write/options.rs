//! Writes descriptions to files.

use crate::error::{Error, Result};
use crate::file::{Destination, Replacement};
use crate::ndl::{Description, TextOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Options for writing a description to a file.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// Options of the text.
    pub text: TextOptions,
    /// True to replace an existing file. Its comments are lost. If false, such a file is
    /// [`Status::FileExists`](crate::Status::FileExists).
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
pub fn file_name(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    path.with_extension("yaml")
}

impl Description {
    /// Writes the canonical text to a file, which appears under its name only when it is complete.
    ///
    /// Fails with [`Status::FileExists`](crate::Status::FileExists) if the file exists and [`WriteOptions::replace`] is
    /// false, and as [`Description::to_text`] does. After [`Status::NotDurable`](crate::Status::NotDurable) the file is
    /// complete, but may not yet be on the disk. A pipe or a character device is written to.
    pub fn write(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into();
        self.write_path(path, options).map_err(|error| error.in_file(&name))
    }

    fn write_path(&self, path: &Path, options: &WriteOptions) -> Result<()> {
        let text = self.to_text(&options.text)?;
        let put = |output: &mut std::fs::File| {
            output.write_all(text.as_bytes()).map_err(|error| Error::io("cannot write", &error))
        };
        match Destination::of(path, options.replace)? {
            Destination::File(target) => {
                let mut replacement = Replacement::begin(&target, options.replace, &[])?;
                put(replacement.file())?;
                replacement.commit(options.durable)?.finish()
            }
            Destination::Stream(mut output) => put(&mut output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn existing_files_are_not_replaced_by_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = file_name(folder.path().join("example.fmt"));
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
        assert!(description.write(folder.path().join("none/a.yaml"), &WriteOptions::default()).is_err());
    }
}
