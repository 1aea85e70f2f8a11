//! The bytes around an ASDF file: it can be compressed as a whole, or be in an HDU of a FITS file.

use super::decompressed;
use crate::codec::FileCompression;
use crate::error::{Result, Status};
use crate::file::OpenOptions;
use crate::file::disk::{grown, steps};
use crate::fits::FitsFile;
use crate::layout::Layout;
use crate::source::{ClosableSource, MappedSource, PartSource, Source};
use std::sync::Arc;

/// An ASDF file, and what holds it.
pub(super) struct Container {
    /// The bytes of the ASDF file.
    pub(super) source: Arc<ClosableSource>,
    pub(super) layout: Layout,
    /// Compression of the whole file on disk.
    pub(super) compression: Option<FileCompression>,
    /// The FITS file that holds the ASDF file.
    pub(super) fits: Option<Arc<FitsFile>>,
}

impl Container {
    /// Reads the layout of a source. With `is_changed`, the file must not be compressed as a whole.
    pub(super) fn read(source: Arc<dyn Source>, options: &OpenOptions, is_changed: bool) -> Result<Container> {
        let wrapped = if options.mapped { MappedSource::wrap(source.clone())? } else { source.clone() };
        let error = match Container::of_asdf(wrapped.clone(), options) {
            Ok(container) if is_changed => return Ok(container),
            Ok(container) => return container.after_last_step(options),
            // Ordinary files are not looked at twice.
            Err(error) if error.status() == Status::NotAsdf => error,
            Err(error) => return Err(error),
        };
        if FitsFile::begins_in(&*source)? {
            return Container::of_fits(wrapped, options);
        }
        let Some(compression) = decompressed::compression_of(&*source)? else { return Err(error) };
        if is_changed {
            return Err(decompressed::only_read(compression));
        }
        let content = decompressed::decompress(compression, source, options)?;
        let is_fits = FitsFile::begins_in(&*content)?;
        let read = if is_fits { Container::of_fits } else { Container::of_asdf };
        Ok(Container { compression: Some(compression), ..read(content, options)? })
    }

    fn of_asdf(source: Arc<dyn Source>, options: &OpenOptions) -> Result<Container> {
        let source = Arc::new(ClosableSource::new(source));
        let layout = Layout::read(source.clone(), &options.limits)?;
        Ok(Container { source, layout, compression: None, fits: None })
    }

    /// Returns the file after the last complete step of an array that grows.
    fn after_last_step(self, options: &OpenOptions) -> Result<Container> {
        let source: Arc<dyn Source> = self.source.clone();
        let last = match grown::lay_over(&source, &self.layout)? {
            Some(grown) => Some(grown),
            None => steps::read::lay_over(&source, &self.layout)?,
        };
        let Some(source) = last else { return Ok(self) };
        let source = Arc::new(ClosableSource::new(source));
        Ok(Container { layout: Layout::read(source.clone(), &options.limits)?, source, ..self })
    }

    fn of_fits(source: Arc<dyn Source>, options: &OpenOptions) -> Result<Container> {
        let fits = FitsFile::read(source.clone(), &options.limits)?;
        let asdf = fits.asdf();
        let part = Arc::new(PartSource::new(source, asdf.clone()));
        let container = Container::of_asdf(part, options).map_err(|error| error.moved_by(asdf.start))?;
        Ok(Container { fits: Some(Arc::new(fits)), ..container })
    }
}
