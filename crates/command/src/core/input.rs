//! Input files: their kind, and opening them from the disk or from standard input.

use super::arguments::TableText;
use super::call::check_interrupt;
use super::failure::{Failure, Result};
use super::formats::Finding;
use super::limits;
use super::plain_fits::WithTree;
use super::stream;
use asdfkit::file::{Access, File, OpenOptions, name_left};
use asdfkit::ndl;
use asdfkit::remote::{Remote, url_of, without_secrets};
use asdfkit::source::{FileSource, Source, read_vec_at};
use asdfkit::table::ecsv;
use asdfkit::{Error, Limit, Status};
use std::cell::Cell;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// First bytes of a FITS file.
const FITS: &[u8] = b"SIMPLE  =";

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// An ASDF file, on its own or in a FITS file, or a FITS file that is read as one.
    Asdf,
    /// An ECSV table, compressed or not.
    Ecsv,
    /// A description in NDL, or any other YAML text.
    Ndl,
}

/// An input: a file, or the bytes of standard input or of a pipe.
pub(crate) struct Input {
    path: PathBuf,
    /// Bytes that can be read only once, and are kept; those of a file in a served folder.
    stream: Option<Arc<dyn Source>>,
    /// True if the tree was made of the content of a FITS file.
    is_made: Cell<bool>,
    /// The folder of a served file, and the open file.
    served: Option<(PathBuf, Arc<FileSource>)>,
}

impl Input {
    /// Finds the input of a name. `-` reads standard input to its end; a pipe is read to its end, too.
    pub(crate) fn open(path: &Path) -> Result<Input> {
        let limits = limits::chosen();
        let stream = match is_standard(path) {
            false if url_of(path).is_some() => {
                let url = url_of(path).unwrap_or_default();
                let named = |error: Error| error.in_file(&without_secrets(url).into());
                Some(Remote::default().open(url).map_err(named)?)
            }
            true => Some(stream::of_standard_input(&limits)?),
            false if is_pipe(path)? => Some(stream::of_pipe(path, &limits)?),
            false => {
                super::new_file::limit_rights(path);
                None
            }
        };
        Ok(Input { path: path.to_owned(), stream, is_made: Cell::new(false), served: None })
    }

    /// Makes the input of a file in a folder from which nothing leads out. The name may lead elsewhere by now: bytes are those
    /// of the open file, or of a file below the folder.
    pub(crate) fn served(folder: &Path, name: &Path, file: std::fs::File) -> Result<Input> {
        let path = folder.join(name);
        let source = Arc::new(FileSource::from_file(file)?);
        Ok(Input {
            path,
            stream: Some(source.clone()),
            is_made: Cell::new(false),
            served: Some((folder.to_owned(), source)),
        })
    }

    /// Returns whether the tree is one that was made of a FITS file.
    pub(crate) fn is_made(&self) -> bool {
        self.is_made.get()
    }

    /// Name of the input for messages.
    pub(crate) fn name(&self) -> String {
        url_of(&self.path).map_or_else(|| self.path.to_string_lossy().into_owned(), without_secrets)
    }

    fn named(&self, error: Error) -> Error {
        error.in_file(&self.name().into())
    }

    /// Returns the format, judged by the first bytes and, for text without a mark, the suffix.
    pub(crate) fn format(&self) -> Result<Format> {
        let mut start = [0; 5];
        let length = self.source()?.read_at(0, &mut start).map_err(|error| self.named(error))?;
        if start[..length] == *b"#ASDF" {
            return Ok(Format::Asdf);
        }
        let mut input = self.table_input()?;
        if ecsv::probe(&mut input)?.is_some() {
            return Ok(Format::Ecsv);
        }
        if self.begins_with(b"#ASDF")? || self.begins_with(FITS)? {
            return Ok(Format::Asdf);
        }
        let suffix = self.path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        Ok(match suffix.as_deref() {
            Some("yaml" | "yml" | "ndl") => Format::Ndl,
            Some("ecsv") => Format::Ecsv,
            None if self.stream.is_some() && length > 0 => Format::Ndl,
            _ => Format::Asdf,
        })
    }

    /// Returns whether the input begins with these bytes, after decompression if it is compressed as a whole.
    fn begins_with(&self, expected: &[u8]) -> Result<bool> {
        let mut input = self.table_input()?;
        let mut start = vec![0; expected.len()];
        let mut done = 0;
        while let Some(rest) = start.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match input.read(rest) {
                Ok(0) => break,
                Ok(count) => done += count,
                // Opening the input reports the damage.
                Err(error) if matches!(error.status(), Status::Corrupt | Status::Truncated) => break,
                Err(error) => return Err(self.named(error).into()),
            }
        }
        Ok(start == expected)
    }

    /// Opens an ASDF file for reading.
    pub(crate) fn asdf(&self) -> Result<File> {
        self.asdf_with(OpenOptions::default())
    }

    /// Opens an ASDF file for reading, with options. Files beside it may hold its arrays, as `explode` writes them.
    pub(crate) fn asdf_with(&self, options: OpenOptions) -> Result<File> {
        Ok(self.asdf_and_findings(options)?.0)
    }

    /// Opens an ASDF file for reading, or a FITS file without ASDF as one. Also returns what the conversion of the latter
    /// found.
    pub(crate) fn asdf_and_findings(&self, options: OpenOptions) -> Result<(File, Vec<Finding>)> {
        let options = OpenOptions { access: Access::SameDirectory, limits: limits::chosen(), ..options };
        let opened = match (&self.served, &self.stream) {
            (Some((folder, _)), _) => {
                File::open_beneath(folder, self.path.strip_prefix(folder).unwrap_or(&self.path), &options)
            }
            (_, Some(stream)) if url_of(&self.path).is_some() => {
                File::open_source_at(stream.clone(), &self.name(), &options)
            }
            (_, Some(stream)) => File::open_source(stream.clone(), &options).map_err(|error| self.named(error)),
            (_, None) => File::open_with(&self.path, &options),
        };
        match opened {
            Err(error) if error.status() == Status::NotAsdf && self.begins_with(FITS)? => {
                let (source, findings) = self.plain_fits().map_err(|failure| match failure {
                    Failure::Library(error) => Failure::Library(self.named(error)),
                    failure => failure,
                })?;
                self.is_made.set(true);
                let file = File::open_source(Arc::new(source), &options).map_err(|error| self.named(error))?;
                Ok((file, findings))
            }
            opened => Ok((opened?, Vec::new())),
        }
    }

    /// Puts an ASDF tree after a FITS file. A stream and a compressed file are copied first.
    fn plain_fits(&self) -> Result<(WithTree, Vec<Finding>)> {
        let mut start = [0; FITS.len()];
        let path = match &self.served {
            Some((_, source)) => path_of(source),
            None => Some(self.path.clone()).filter(|_| self.stream.is_none()),
        };
        if let Some(path) = path
            && self.source()?.read_at(0, &mut start)? == FITS.len()
            && start == FITS
        {
            return WithTree::of(&path, None);
        }
        let copy = self.decompressed_copy()?;
        let path = copy.path().to_owned();
        WithTree::of(&path, Some(copy))
    }

    /// Copies the input to a temporary file, decompressed if it is compressed as a whole.
    pub(crate) fn decompressed_copy(&self) -> Result<NamedTempFile> {
        let failed = |error| Failure::System("cannot write a temporary file".to_owned(), error);
        let limit = limits::chosen().temporary_bytes;
        let mut copy = NamedTempFile::new().map_err(failed)?;
        let mut input = self.table_input()?;
        let (mut piece, mut total) = (vec![0; 1 << 20], 0);
        loop {
            check_interrupt()?;
            let count = input.read(&mut piece)?;
            if count == 0 {
                return Ok(copy);
            }
            total += count as u64;
            if total > limit {
                return Err(Limit::TemporaryBytes.exceeded("the bytes of a temporary file", limit).into());
            }
            copy.write_all(&piece[..count]).map_err(failed)?;
        }
    }

    /// Opens an ASDF file whose arrays are read in pieces: a few decoded pieces of compressed arrays are kept.
    pub(crate) fn asdf_in_pieces(&self) -> Result<File> {
        self.asdf_with(OpenOptions { cache_bytes: Some(16 << 20), ..OpenOptions::default() })
    }

    fn table_input(&self) -> Result<ecsv::Input> {
        Ok(match &self.stream {
            Some(stream) => {
                ecsv::Input::of_source(stream.clone()).map_err(|error| self.named(error))?.with_name(self.name())
            }
            None => ecsv::Input::open(&self.path)?,
        })
    }

    /// Opens an ECSV table.
    pub(crate) fn table(&self, options: &ecsv::ReadOptions) -> Result<ecsv::TableReader> {
        let options = &ecsv::ReadOptions { limits: limits::chosen(), ..options.clone() };
        Ok(ecsv::TableReader::of_input(self.table_input()?, options)?)
    }

    /// Opens a table in text as arguments say.
    pub(crate) fn text_table(&self, text: &TableText, options: ecsv::ReadOptions) -> Result<ecsv::TableReader> {
        let external_header = text.header.clone().map(ecsv::ExternalHeader::Path);
        let null_values = text.null.clone();
        self.table(&ecsv::ReadOptions { external_header, null_values, as_text: text.as_text, ..options })
    }

    /// Returns the format of a file that can be a table in text without a mark.
    pub(crate) fn format_of_table(&self, text: &TableText) -> Result<Format> {
        if text.is_given() { Ok(Format::Ecsv) } else { self.format() }
    }

    /// Returns whether the first line is that of an ECSV table.
    pub(crate) fn is_ecsv(&self) -> bool {
        // A file that cannot be read is refused later, as one of the format that its suffix tells.
        self.table_input().is_ok_and(|mut input| matches!(ecsv::probe(&mut input), Ok(Some(_))))
    }

    /// Returns whether the first line is that of an ASDF file.
    pub(crate) fn is_asdf(&self) -> bool {
        self.begins_with(b"#ASDF").unwrap_or(false)
    }

    /// Returns whether the input begins like a FITS file.
    pub(crate) fn is_fits(&self) -> bool {
        self.begins_with(FITS).unwrap_or(false)
    }

    /// Reads the first bytes of a text, decompressed if it is compressed.
    pub(crate) fn first_bytes(&self, most: usize) -> Result<Vec<u8>> {
        let mut input = self.table_input()?;
        let mut bytes = vec![0; most];
        let mut length = 0;
        while length < most {
            match input.read(&mut bytes[length..])? {
                0 => break,
                count => length += count,
            }
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Reads a description.
    pub(crate) fn description(&self, options: &ndl::ReadOptions) -> Result<ndl::Parsed> {
        let options = &ndl::ReadOptions { limits: limits::of_descriptions(), ..options.clone() };
        let mut parsed = match &self.stream {
            // One byte more than allowed, so that the parser refuses a text that is too long.
            Some(stream) => {
                let length = stream.len().min(options.limits.bytes.saturating_add(1));
                ndl::parse(&read_vec_at(&**stream, 0, length)?, options)
            }
            None => ndl::read_file(&self.path, options)?,
        };
        for diagnostic in parsed.diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == ndl::Code::Limit) {
            diagnostic.message = limits::in_arguments(&diagnostic.message);
        }
        Ok(parsed)
    }

    /// Fails if a new file would replace this input, also under another name.
    pub(crate) fn check_differs(&self, target: &Path) -> Result<()> {
        if self.stream.is_some() || is_standard(target) || !is_same_file(&self.path, target) {
            return Ok(());
        }
        let message = "the file to write is the file that is read";
        Err(Error::new(Status::InvalidArgument, message).in_file(&target.to_string_lossy().into()).into())
    }

    /// True for standard input and pipes.
    pub(crate) fn is_stream(&self) -> bool {
        self.stream.is_some() && self.served.is_none()
    }

    /// Opens the bytes themselves.
    pub(crate) fn source(&self) -> Result<Arc<dyn Source>> {
        Ok(match &self.stream {
            Some(stream) => stream.clone(),
            None => Arc::new(FileSource::open(&self.path).map_err(|error| self.named(name_left(&self.path, error)))?),
        })
    }

    /// Reads the first line, which may be at most `limit` bytes long.
    pub(crate) fn first_line(&self, limit: usize) -> Result<String> {
        let head = self.first_bytes(limit)?;
        let end = match head.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            Some(end) => end,
            None if head.len() < limit => head.len(),
            None => return Err(Failure::usage(format!("the first line is longer than {limit} bytes"))),
        };
        let line = std::str::from_utf8(&head[..end]).map_err(|_| Failure::usage("the first line is not UTF-8"))?;
        Ok(line.to_owned())
    }

    /// Returns the size in bytes.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.stream {
            Some(stream) => Some(stream.len()),
            None => std::fs::metadata(&self.path).ok().map(|metadata| metadata.len()),
        }
    }
}

/// Returns a name that leads to an open file, if the system has such names.
fn path_of(source: &FileSource) -> Option<PathBuf> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        Some(format!("/proc/self/fd/{}", source.descriptor().as_raw_fd()).into())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = source;
        None
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

/// Returns true for a pipe, whose bytes can be read once. Fails for other names that no file has: devices and sockets.
fn is_pipe(path: &Path) -> Result<bool> {
    // Opening the file tells why there are no metadata.
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(false) };
    if metadata.is_file() || metadata.is_dir() {
        return Ok(false);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if metadata.file_type().is_fifo() {
            return Ok(true);
        }
    }
    let message = "this is a device or a socket, not a file; '-' reads standard input";
    Err(Error::new(Status::Io, message).in_file(&path.to_string_lossy().into()).into())
}

/// Fails for what a change cannot be written back to: standard input and pipes.
pub(crate) fn check_changeable(path: &Path) -> Result<()> {
    let what = match is_standard(path) {
        true => "standard input",
        false if is_pipe(path)? => "a pipe",
        false => return Ok(()),
    };
    let error = Error::new(Status::InvalidArgument, format!("{what} cannot be changed in place"));
    Err(error.in_file(&path.to_string_lossy().into()).into())
}
