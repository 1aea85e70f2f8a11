//! The new file: blocks of headers and data, which get their name when all are written.

use std::ffi::CString;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

use tempfile::NamedTempFile;

use super::Settings;
use crate::failure::{Failure, Result, status};
use crate::fits::BLOCK;
use crate::fits::card::Raw;

/// A FITS file while it is written.
pub(crate) struct Output {
    path: PathBuf,
    writer: BufWriter<NamedTempFile>,
    /// Bytes since the start of a block.
    in_block: usize,
    /// Number of HDUs so far.
    pub(crate) hdus: usize,
    /// HDUs whose checksums must be renewed.
    renewed: Vec<usize>,
    settings: Settings,
}

impl Output {
    pub(crate) fn create(path: &Path, settings: Settings) -> Result<Output> {
        if !settings.replace && path.symlink_metadata().is_ok() {
            return Err(exists(path));
        }
        // The file behind a link is replaced, not the link.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".asdfkit-").suffix(".fits-tmp");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).map_err(|error| Failure::file(path, &error))?;
        let writer = BufWriter::with_capacity(1 << 16, file);
        Ok(Output { path: path.to_path_buf(), writer, in_block: 0, hdus: 0, renewed: Vec::new(), settings })
    }

    /// Writes a header, which starts the next HDU.
    pub(crate) fn header(&mut self, cards: &[Raw]) -> Result<()> {
        self.hdus += 1;
        self.bytes(cards.as_flattened())?;
        self.bytes(format!("{:<80}", "END").as_bytes())?;
        self.pad(b' ')
    }

    /// Has the checksums of the HDU computed again, which was just written.
    pub(crate) fn renew_checksums(&mut self) {
        self.renewed.push(self.hdus);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.in_block = (self.in_block + bytes.len()) % BLOCK;
        self.writer.write_all(bytes).map_err(|error| Failure::file(&self.path, &error))
    }

    /// Fills the last block.
    pub(crate) fn pad(&mut self, fill: u8) -> Result<()> {
        if self.in_block == 0 {
            return Ok(());
        }
        self.bytes(&vec![fill; BLOCK - self.in_block])
    }

    /// Gives the file its name.
    pub(crate) fn finish(self) -> Result<()> {
        let path = self.path;
        let file = self.writer.into_inner().map_err(|error| Failure::file(&path, error.error()))?;
        for hdu in self.renewed {
            renew(file.path(), hdu)?;
        }
        if self.settings.durable {
            // Otherwise a crash could leave an empty file under the name.
            file.as_file().sync_data().map_err(|error| Failure::file(&path, &error))?;
        }
        if self.settings.replace {
            file.persist(&path).map_err(|error| Failure::file(&path, &error.error))?;
        } else {
            file.persist_noclobber(&path).map_err(|error| match error.error.kind() {
                std::io::ErrorKind::AlreadyExists => exists(&path),
                _ => Failure::file(&path, &error.error),
            })?;
        }
        Ok(())
    }
}

fn exists(path: &Path) -> Failure {
    let message = format!("{}: the file exists; set ASDF_OPTION_REPLACE to replace it", path.display());
    Failure::new(status::FILE_EXISTS, message)
}

/// Computes CHECKSUM and DATASUM of an HDU, whose number counts from 1.
#[allow(unsafe_code)]
fn renew(path: &Path, hdu: usize) -> Result<()> {
    let name = path.to_str().and_then(|path| CString::new(path).ok());
    let name = name.ok_or_else(|| Failure::new(status::INVALID_ARGUMENT, "the name of a file is not UTF-8"))?;
    let number = i32::try_from(hdu).unwrap_or(i32::MAX);
    let (mut handle, mut kind, mut code, mut closed) = (null_mut(), 0, 0, 0);
    // SAFETY: the name is a C string, all outputs are writable, and the handle is used until it is closed. 1 opens for
    // writing.
    unsafe {
        fitsio_sys::ffdkopn(&mut handle, name.as_ptr(), 1, &mut code);
        if !handle.is_null() {
            fitsio_sys::ffmahd(handle, number, &mut kind, &mut code);
            fitsio_sys::ffpcks(handle, &mut code);
            fitsio_sys::ffclos(handle, &mut closed);
        }
    }
    if code == 0 && closed == 0 {
        return Ok(());
    }
    Err(Failure::new(status::IO, format!("HDU {}: no checksums (cfitsio status {})", hdu - 1, code.max(closed))))
}
