//! A regular file that is read at given positions: no shared cursor, and no signal if the file shrinks.

use super::ahead::ReadAhead;
use super::known::{FileStamp, KnownFile};
use super::{Map, OwnSource, Source, Witness};
use crate::error::{Error, Result, Status};
use std::fs::{File, Metadata};
use std::path::Path;
use std::sync::Arc;

/// A file on disk. Its length is the length at the time of opening.
pub struct FileSource {
    file: Arc<File>,
    length: u64,
    /// Stamp of the file when it was opened.
    opened: FileStamp,
    known: Arc<KnownFile>,
    /// True if this process may change the file.
    is_writable: bool,
    /// True if the name that was opened belonged to the file itself, not to a link.
    is_named: bool,
    ahead: ReadAhead,
}

debug_by_name!(FileSource, "FileSource");

impl FileSource {
    /// Opens a regular file for reading.
    pub fn open(path: impl AsRef<Path>) -> Result<FileSource> {
        let path = path.as_ref();
        FileSource::open_as(path, false)
    }

    /// Opens a regular file for reading and writing. Fails if writing is not permitted.
    pub(crate) fn open_writable(path: &Path) -> Result<FileSource> {
        FileSource::open_as(path, true)
    }

    fn open_as(path: &Path, writable: bool) -> Result<FileSource> {
        if path.as_os_str().is_empty() {
            return Err(Error::new(Status::FileNotFound, "the file name is empty"));
        }
        // Opening a pipe or a device can have effects: the writer of a pipe loses its reader, a tape is rewound.
        let named = std::fs::symlink_metadata(path).ok();
        let followed = match &named {
            Some(link) if link.is_symlink() => std::fs::metadata(path).ok(),
            named => named.clone(),
        };
        followed.as_ref().map_or(Ok(()), check_regular)?;
        let mut options = std::fs::OpenOptions::new();
        options.read(true).write(writable);
        // If a pipe has taken the name meanwhile, O_NONBLOCK keeps the call from waiting for a writer.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let file = options.open(path).map_err(|error| Error::io("cannot open the file", &error))?;
        let opened = metadata_of(&file)?;
        let is_named = named.is_some_and(|named| is_same(&named, &opened));
        Ok(FileSource { is_writable: writable, is_named, ..FileSource::of_opened(file, &opened)? })
    }

    /// Creates a source from an open file. It must be a regular file.
    pub fn from_file(file: File) -> Result<FileSource> {
        let metadata = metadata_of(&file)?;
        FileSource::of_opened(file, &metadata)
    }

    fn of_opened(file: File, metadata: &Metadata) -> Result<FileSource> {
        check_regular(metadata)?;
        let opened = FileStamp::of(metadata);
        Ok(FileSource {
            file: Arc::new(file),
            length: metadata.len(),
            opened,
            known: Arc::new(KnownFile::new(opened)),
            is_writable: true,
            is_named: false,
            ahead: ReadAhead::default(),
        })
    }

    /// Stops the detection of changes until the file is [renewed](FileSource::renew). For callers that are about to
    /// change bytes which are not read.
    pub(crate) fn expect_changes(&self) {
        self.known.expect_changes(self.opened);
    }

    /// Accepts the current state of the file as unchanged. For callers that changed the file and know that all bytes to
    /// read are still in place. The length does not change.
    pub(crate) fn renew(&self) -> Result<()> {
        self.known.renew(self.opened, FileStamp::of_file(&self.file)?);
        Ok(())
    }

    /// Same as [`FileSource::renew`] after a change of blocks only: header and tree are still those that were read.
    pub(crate) fn renew_blocks(&self) -> Result<()> {
        self.known.renew_blocks(self.opened, FileStamp::of_file(&self.file)?);
        Ok(())
    }

    /// Returns the same file with its current length, after a change as described at [`FileSource::renew`].
    pub(crate) fn grown(&self) -> Result<FileSource> {
        self.renew()?;
        Ok(FileSource {
            file: self.file.clone(),
            length: self.known.length(self.opened),
            opened: self.opened,
            known: self.known.clone(),
            is_writable: self.is_writable,
            is_named: self.is_named,
            ahead: ReadAhead::default(),
        })
    }

    /// Returns the file, for callers that know the positions of its bytes.
    pub fn descriptor(&self) -> &Arc<File> {
        &self.file
    }
}

pub(super) fn metadata_of(file: &File) -> Result<Metadata> {
    file.metadata().map_err(|error| Error::io("cannot get the size of the file", &error))
}

/// Returns whether `path` currently names this very file.
pub(crate) fn is_same_file(file: &File, path: &Path) -> Result<bool> {
    let own = file.metadata().map_err(|error| Error::io("cannot identify the file", &error))?;
    match std::fs::metadata(path) {
        Ok(there) => Ok(is_same(&own, &there)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("cannot identify the file", &error)),
    }
}

#[cfg(unix)]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (left.dev(), left.ino()) == (right.dev(), right.ino())
}

#[cfg(not(unix))]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    // Portable comparison: a file created later is a different file.
    FileStamp::of(left) == FileStamp::of(right) && left.created().ok() == right.created().ok()
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(available);
        // A file that this process may change is read anew each time.
        let ahead = |start, window: &mut [u8]| read_once(&self.file, start, window).unwrap_or(0);
        if !self.is_writable && self.ahead.read(offset, &mut buffer[..wanted], self.length, ahead) {
            return Ok(wanted);
        }
        let mut done = 0;
        while done < wanted {
            match read_once(&self.file, offset + done as u64, &mut buffer[done..wanted]) {
                Ok(0) => {
                    return Err(Error::new(Status::FileChanged, "the file became shorter while it was open")
                        .at_offset(offset + done as u64));
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io("cannot read", &error).at_offset(offset + done as u64)),
            }
        }
        Ok(done)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for FileSource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length => Map::of_file(&self.file, offset, length).map(Some),
            _ => Ok(None),
        }
    }

    fn file(&self) -> Option<Arc<File>> {
        Some(self.file.clone())
    }

    #[cfg(target_os = "linux")]
    fn will_need(&self, offset: u64, length: u64) {
        use rustix::fs::{Advice, fadvise};
        // Only a hint, so the result is ignored.
        let _ = fadvise(&self.file, offset, std::num::NonZeroU64::new(length), Advice::WillNeed);
    }

    fn remember(&self, witness: Witness) {
        self.known.remember(self.opened, witness);
    }

    fn check_unchanged(&self) -> Result<()> {
        self.known.check(self.opened, &self.file, || self.ahead.forget())
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        is_same_file(&self.file, path)
    }

    fn is_named(&self) -> bool {
        self.is_named
    }
}

/// Fails with [`Status::Io`] for anything but a regular file.
pub(super) fn check_regular(metadata: &Metadata) -> Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let message = match metadata.is_dir() {
        true => "this is a directory, not a file".to_owned(),
        false => {
            let kind = special_kind(metadata);
            format!("this is {kind}, not a file; read it into memory, or give a source of bytes by a callback")
        }
    };
    Err(Error::new(Status::Io, message))
}

/// Returns the kind of something that is neither a file nor a directory.
#[cfg(unix)]
fn special_kind(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn special_kind(_: &Metadata) -> &'static str {
    "a pipe or a device"
}

#[cfg(unix)]
pub(super) fn read_once(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
pub(super) fn read_once(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// For systems without threads, such as WebAssembly: the cursor of a file belongs to the one thread.
#[cfg(not(any(unix, windows)))]
pub(super) fn read_once(mut file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    use std::io::{Read, Seek};
    file.seek(std::io::SeekFrom::Start(offset))?;
    file.read(buffer)
}

/// Writes all bytes at an offset of a file.
pub(crate) fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
    let mut done = 0;
    while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
        match write_once(file, offset + done as u64, rest) {
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn write_once(file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_once(file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

#[cfg(not(any(unix, windows)))]
fn write_once(mut file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<usize> {
    use std::io::{Seek, Write};
    file.seek(std::io::SeekFrom::Start(offset))?;
    file.write(bytes)
}
