//! A file without a name, for bytes that do not fit in memory. It is deleted when it is dropped or when the process
//! ends.

use crate::error::{Error, Result};
use std::fs::File;
use std::path::Path;

/// Bytes on disk that can only be appended to.
pub(crate) struct TemporaryFile {
    file: File,
    length: u64,
}

impl TemporaryFile {
    /// Creates an empty file in this directory, or in the system's directory for temporary files.
    pub(crate) fn create(directory: Option<&Path>) -> Result<TemporaryFile> {
        let made = match directory {
            Some(directory) => tempfile::tempfile_in(directory),
            None => tempfile::tempfile(),
        };
        let file = made.map_err(|error| match directory {
            Some(directory) => Error::io(&format!("cannot make a temporary file in '{}'", directory.display()), &error),
            None => Error::io("cannot make a temporary file", &error),
        })?;
        Ok(TemporaryFile { file, length: 0 })
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Appends bytes.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        super::write_all_at(&self.file, self.length, bytes)
            .map_err(|error| Error::io("cannot write a temporary file", &error))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Fills `buffer` with the bytes at `offset`, which must exist.
    pub(crate) fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match super::file::read_once(&self.file, offset + done as u64, rest) {
                Ok(0) => {
                    return Err(Error::io("cannot read a temporary file", &std::io::ErrorKind::UnexpectedEof.into()));
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io("cannot read a temporary file", &error)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appended_bytes_can_be_read_and_the_file_has_no_name() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = TemporaryFile::create(Some(directory.path())).unwrap();
        file.append(b"abc").unwrap();
        file.append(b"").unwrap();
        file.append(b"defg").unwrap();
        let mut found = [0; 4];
        file.read_exact_at(2, &mut found).unwrap();
        assert_eq!((&found, file.len()), (b"cdef", 7));
        assert!(file.read_exact_at(4, &mut found).is_err());
        #[cfg(unix)]
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        assert!(TemporaryFile::create(Some(&directory.path().join("missing"))).is_err());
    }
}
