//! FITS files without ASDF, read as ASDF files: the tree comes from libasdfkit_formats, and pixels stay in the FITS file.

use super::failure::{Failure, Result};
use super::formats::{self, Finding};
use asdfkit::source::{FileSource, Source};
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};

/// A FITS file followed by an HDU with its ASDF form.
pub(crate) struct WithTree {
    fits: FileSource,
    hdu: FileSource,
    /// Byte where the HDU begins. Zeros are between an earlier end of the FITS file and this byte.
    place: u64,
    /// The folder of the HDU, which is removed with this value.
    _folder: TempDir,
    /// The FITS file, if it is a copy of a stream or of a compressed file.
    _copy: Option<NamedTempFile>,
}

impl WithTree {
    /// Makes the HDU in a temporary folder. `copy` is a temporary file at the path `fits` that this value keeps.
    pub(crate) fn of(fits: &Path, copy: Option<NamedTempFile>) -> Result<(WithTree, Vec<Finding>)> {
        let failed = |error| Failure::System("cannot make a temporary folder".to_owned(), error);
        let folder = tempfile::tempdir().map_err(failed)?;
        let path = folder.path().join("asdf.hdu");
        let (place, findings) = formats::fits_to_hdu(fits, &path)?;
        let (fits, hdu) = (FileSource::open(fits)?, FileSource::open(&path)?);
        Ok((WithTree { fits, hdu, place, _folder: folder, _copy: copy }, findings))
    }
}

impl Source for WithTree {
    fn len(&self) -> u64 {
        self.place + self.hdu.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> asdfkit::Result<usize> {
        let most = usize::try_from(self.place.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        let (before, after) = buffer.split_at_mut(most);
        let count = if before.is_empty() { 0 } else { self.fits.read_at(offset, before)? };
        before[count..].fill(0);
        let after = match after {
            [] => 0,
            after => self.hdu.read_at((offset + most as u64) - self.place, after)?,
        };
        Ok(most + after)
    }
}
