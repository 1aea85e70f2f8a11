//! Writing the FITS file around an ASDF file.

use super::output::{MemorySink, Output, Target};
use crate::error::{Error, Result};
use crate::fits::{AsdfHeader, FitsFile, padding};
use crate::source::{FileSource, MemorySource, Source, write_all_at};
use std::io::Seek;
use std::ops::Range;
use std::sync::Arc;

/// The bytes around an ASDF file in a FITS file.
pub(crate) struct Frame {
    /// The HDUs before that with the ASDF file.
    before: Vec<Piece>,
    header: AsdfHeader,
    /// The HDUs after it.
    after: Option<Piece>,
}

/// Bytes of a FITS file that end with a block.
pub(crate) enum Piece {
    Bytes(Vec<u8>),
    /// Bytes of a source, which zeros follow up to the end of a block.
    Copied(Arc<dyn Source>, Range<u64>),
}

impl Piece {
    fn write(&self, output: &mut Output) -> Result<()> {
        match self {
            Piece::Bytes(bytes) => output.put(bytes),
            Piece::Copied(source, range) => {
                output.copy(&**source, range.clone())?;
                output.zeros(padding(range.end - range.start))
            }
        }
    }
}

impl Frame {
    /// Returns what stands around the ASDF file in a FITS file.
    pub(crate) fn of(fits: &FitsFile) -> Result<Frame> {
        let source = fits.source();
        let piece = |range| Piece::Copied(source.clone(), range);
        let after = Some(fits.after_asdf()).filter(|range| !range.is_empty()).map(piece);
        Ok(Frame { before: vec![piece(0..fits.asdf_header_range().start)], header: fits.asdf_header()?, after })
    }

    /// Returns a new FITS file, in which the ASDF file follows these HDUs.
    pub(super) fn new(before: Vec<Piece>) -> Frame {
        Frame { before, header: AsdfHeader::of_table(), after: None }
    }

    /// Writes the FITS file. `write` writes the ASDF file.
    pub(crate) fn write(&self, target: Target, write: impl FnOnce(Target) -> Result<()>) -> Result<()> {
        if let Target::File(file) = target {
            return self.write_to_file(file, write);
        }
        let mut sink = MemorySink(Vec::new());
        write(Target::Memory(&mut sink))?;
        let content = MemorySource::of_vec(sink.0);
        let mut output = Output::new(target);
        self.before.iter().try_for_each(|piece| piece.write(&mut output))?;
        output.put(&self.header.bytes(content.len(), &content, 0)?)?;
        output.copy(&content, 0..content.len())?;
        self.write_end(content.len(), &mut output)
    }

    fn write_to_file(&self, file: &mut std::fs::File, write: impl FnOnce(Target) -> Result<()>) -> Result<()> {
        let failed = |error: std::io::Error| Error::io("cannot write", &error);
        let mut output = Output::new(Target::File(file));
        self.before.iter().try_for_each(|piece| piece.write(&mut output))?;
        // The header follows when the length is known.
        output.zeros(self.header.size())?;
        output.finish()?;
        let start = file.stream_position().map_err(failed)?;
        write(Target::Within(file, start))?;
        let length = file.stream_position().map_err(failed)? - start;
        self.write_end(length, &mut Output::new(Target::File(file)))?;
        let content = FileSource::from_file(file.try_clone().map_err(failed)?)?;
        let header = self.header.bytes(length, &content, start)?;
        write_all_at(file, start - self.header.size(), &header).map_err(failed)
    }

    fn write_end(&self, length: u64, output: &mut Output) -> Result<()> {
        output.zeros(padding(length))?;
        if let Some(after) = &self.after {
            after.write(output)?;
        }
        output.finish()
    }
}
