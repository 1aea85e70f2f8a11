//! Input files: their kind, and opening them from the disk or from standard input.

use super::failure::{Failure, Result};
use asdfkit::file::{Access, File, OpenOptions};
use asdfkit::ndl;
use asdfkit::source::{FileSource, MemorySource, SharedBytes, Source};
use asdfkit::table::ecsv;
use asdfkit::{Error, Status};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// An ASDF file.
    Asdf,
    /// An ECSV table, compressed or not.
    Ecsv,
    /// A description in NDL, or any other YAML text.
    Ndl,
}

/// An input, whose bytes are in a file or, for `-`, in memory.
pub(crate) struct Input {
    path: PathBuf,
    bytes: Option<SharedBytes>,
}

impl Input {
    /// Finds the input of a name; `-` reads standard input to its end.
    pub(crate) fn open(path: &Path) -> Result<Input> {
        let bytes = match is_standard(path) {
            true => Some(Arc::new(read_standard_input()?) as SharedBytes),
            false => None,
        };
        Ok(Input { path: path.to_owned(), bytes })
    }

    /// Name of the input for messages.
    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Returns the format, judged by the first bytes and, for text without a mark, the suffix.
    pub(crate) fn format(&self) -> Result<Format> {
        let mut start = [0; 5];
        let length = match &self.bytes {
            Some(bytes) => {
                let bytes: &[u8] = (**bytes).as_ref();
                let length = bytes.len().min(start.len());
                start[..length].copy_from_slice(&bytes[..length]);
                length
            }
            None => {
                let failed = |error| Error::io("cannot open the file", &error).in_file(&self.name().into());
                let file = std::fs::File::open(&self.path).map_err(failed)?;
                let failed = |error| Error::io("cannot read the file", &error).in_file(&self.name().into());
                let mut taken = Vec::new();
                file.take(start.len() as u64).read_to_end(&mut taken).map_err(failed)?;
                start[..taken.len()].copy_from_slice(&taken);
                taken.len()
            }
        };
        if start[..length] == *b"#ASDF" {
            return Ok(Format::Asdf);
        }
        let mut input = self.table_input()?;
        if ecsv::probe(&mut input)?.is_some() {
            return Ok(Format::Ecsv);
        }
        let suffix = self.path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        Ok(match suffix.as_deref() {
            Some("yaml" | "yml" | "ndl") => Format::Ndl,
            Some("ecsv") => Format::Ecsv,
            None if self.bytes.is_some() && length > 0 => Format::Ndl,
            _ => Format::Asdf,
        })
    }

    /// Opens an ASDF file for reading.
    pub(crate) fn asdf(&self) -> Result<File> {
        self.asdf_with(OpenOptions::default())
    }

    /// Opens an ASDF file for reading, with options. Files beside it may hold its arrays, as `explode` writes them.
    pub(crate) fn asdf_with(&self, options: OpenOptions) -> Result<File> {
        let options = OpenOptions { access: Access::SameDirectory, ..options };
        Ok(match &self.bytes {
            Some(bytes) => File::open_memory(bytes.clone(), &options)?,
            None => File::open(&self.path, &options)?,
        })
    }

    /// Opens an ASDF file whose arrays are read in pieces: a few decoded pieces of compressed arrays are kept.
    pub(crate) fn asdf_in_pieces(&self) -> Result<File> {
        self.asdf_with(OpenOptions { cache_bytes: Some(16 << 20), ..OpenOptions::default() })
    }

    fn table_input(&self) -> Result<ecsv::Input> {
        Ok(match &self.bytes {
            Some(bytes) => ecsv::Input::of_memory(bytes.clone())?,
            None => ecsv::Input::open(&self.path)?,
        })
    }

    /// Opens an ECSV table.
    pub(crate) fn table(&self, options: &ecsv::ReadOptions) -> Result<ecsv::TableReader> {
        Ok(match &self.bytes {
            Some(bytes) => ecsv::TableReader::of_memory(bytes.clone(), options)?,
            None => ecsv::TableReader::open(&self.path, options)?,
        })
    }

    /// Reads a description.
    pub(crate) fn description(&self, options: &ndl::ReadOptions) -> Result<ndl::Parsed> {
        Ok(match &self.bytes {
            Some(bytes) => ndl::parse((**bytes).as_ref(), options),
            None => ndl::read_file(&self.path, options)?,
        })
    }

    /// Fails if a new file would replace this input, also under another name.
    pub(crate) fn check_differs(&self, target: &Path) -> Result<()> {
        if self.bytes.is_some() || is_standard(target) || !is_same_file(&self.path, target) {
            return Ok(());
        }
        let message = "the file to write is the file that is read";
        Err(Error::new(Status::InvalidArgument, message).in_file(&target.to_string_lossy().into()).into())
    }

    /// Opens the bytes themselves.
    pub(crate) fn source(&self) -> Result<Arc<dyn Source>> {
        Ok(match &self.bytes {
            Some(bytes) => Arc::new(MemorySource::new(bytes.clone())),
            None => Arc::new(FileSource::open(&self.path).map_err(|error| error.in_file(&self.name().into()))?),
        })
    }

    /// Reads the first line, which may be at most `limit` bytes long.
    pub(crate) fn first_line(&self, limit: usize) -> Result<String> {
        let mut head = vec![0; limit];
        let length = self.source()?.read_at(0, &mut head)?;
        let head = &head[..length];
        let end = match head.iter().position(|byte| *byte == b'\n') {
            Some(end) => end,
            None if length < limit => length,
            None => return Err(Failure::usage(format!("the first line is longer than {limit} bytes"))),
        };
        let line = std::str::from_utf8(&head[..end]).map_err(|_| Failure::usage("the first line is not UTF-8"))?;
        Ok(line.to_owned())
    }

    /// Returns the size in bytes.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.bytes {
            Some(bytes) => Some(((**bytes).as_ref() as &[u8]).len() as u64),
            None => std::fs::metadata(&self.path).ok().map(|metadata| metadata.len()),
        }
    }
}

/// Returns true if two names lead to one file.
fn is_same_file(first: &Path, second: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path| std::fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
        matches!((identity(first), identity(second)), (Ok(first), Ok(second)) if first == second)
    }
    #[cfg(not(unix))]
    {
        matches!((first.canonicalize(), second.canonicalize()), (Ok(first), Ok(second)) if first == second)
    }
}

/// Returns true for the name `-`, which means standard input or standard output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads standard input to its end.
pub(crate) fn read_standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let failed = |error| Failure::System("cannot read standard input".to_owned(), error);
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Fails for a file that a change would have to write back to standard input.
pub(crate) fn check_changeable(path: &Path) -> Result<()> {
    match is_standard(path) {
        true => Err(Error::new(Status::InvalidArgument, "standard input cannot be changed in place").into()),
        false => Ok(()),
    }
}
