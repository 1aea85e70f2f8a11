//! Blocks whose size is not known before they are written. The header is completed afterwards; until then it says that
//! the block reaches to the end of the file.
//!
//! Bytes are compressed and added to the checksum piece by piece, so only a few MiB are in memory.

use super::output::Output;
use crate::codec::{Compression, Encoder, Label};
use crate::error::{Error, Result, Status};
use crate::layout::{BlockRequest, Checksum, Hasher, Planner};
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, zeroed_bytes};

/// Size of the pieces that are read from a source, in bytes.
const PIECE: u64 = 1 << 20;

/// A block whose header is not complete yet.
pub(in crate::file) struct OpenBlock {
    encoding: Option<(Encoder, Label)>,
    hasher: Option<Hasher>,
    /// Number of bytes before compression, and number of bytes written.
    data_size: u64,
    stored_size: u64,
    encoded: Vec<u8>,
}

impl OpenBlock {
    /// Begins a block: writes a header that is replaced at the end. `data_size` is the number of bytes before compression, if it is
    /// known.
    ///
    /// Fails as [`Encoder::new`] does, and with [`Status::Unsupported`] if the output cannot be changed afterwards.
    pub(in crate::file) fn begin(
        compression: Option<&Compression>,
        checksum: bool,
        data_size: Option<u64>,
        threads: usize,
        planner: &Planner,
        output: &mut Output,
    ) -> Result<OpenBlock> {
        if !output.can_patch() {
            let message = "the output cannot be changed, but the header of the block is completed after its bytes; \
                           write the file under a name or into memory";
            return Err(Error::new(Status::Unsupported, message));
        }
        let encoding = compression
            .map(|compression| {
                let encoder = Encoder::new(compression, data_size, threads)?;
                Ok::<_, Error>((encoder, compression.codec().label()))
            })
            .transpose()?;
        let label = encoding.as_ref().map_or(Label::NONE, |(_, label)| *label);
        output.put(&planner.unfinished(label.0, data_size).encode())?;
        Ok(OpenBlock {
            encoding,
            hasher: checksum.then(Hasher::new),
            data_size: 0,
            stored_size: 0,
            encoded: Vec::new(),
        })
    }

    /// Adds bytes.
    pub(in crate::file) fn put(&mut self, bytes: &[u8], output: &mut Output) -> Result<()> {
        self.data_size = self.data_size.saturating_add(bytes.len() as u64);
        match &mut self.encoding {
            None => store(bytes, &mut self.hasher, &mut self.stored_size, output),
            Some((encoder, _)) => {
                self.encoded.clear();
                encoder.write(bytes, &mut self.encoded)?;
                store(&self.encoded, &mut self.hasher, &mut self.stored_size, output)
            }
        }
    }

    /// Adds all bytes of a source. Each byte is read once.
    pub(super) fn pull(&mut self, source: &dyn Source, unit: u64, output: &mut Output) -> Result<()> {
        pull(source, unit, &mut |bytes| self.put(bytes, output))
    }

    /// Completes the block. `slack_for` returns the free space after the payload, in bytes, for the size as stored.
    /// `is_streamed` is true if the block extends to the end of the file.
    pub(in crate::file) fn finish(
        mut self,
        slack_for: impl FnOnce(&Planner, u64) -> Result<u64>,
        is_streamed: bool,
        planner: &mut Planner,
        output: &mut Output,
    ) -> Result<()> {
        let mut compression = Label::NONE;
        if let Some((encoder, label)) = self.encoding.take()
            && self.data_size > 0
        {
            // Some readers cannot open compressed blocks without bytes.
            compression = label;
            self.encoded.clear();
            encoder.finish(&mut self.encoded)?;
            store(&self.encoded, &mut self.hasher, &mut self.stored_size, output)?;
        }
        let slack = slack_for(planner, self.stored_size)?;
        let request = BlockRequest {
            stored_size: self.stored_size,
            data_size: self.data_size,
            compression: compression.0,
            checksum: self.hasher.map_or(Checksum::default(), Hasher::finish),
            streamed: is_streamed,
            slack,
        };
        let header = planner.add(&request)?;
        output.patch(header.offset, &header.encode())?;
        output.zeros(slack)
    }
}

fn store(bytes: &[u8], hasher: &mut Option<Hasher>, stored_size: &mut u64, output: &mut Output) -> Result<()> {
    if let Some(hasher) = hasher {
        hasher.update(bytes);
    }
    *stored_size = stored_size.saturating_add(bytes.len() as u64);
    output.put(bytes)
}

/// Calls `take` with all bytes of a source in order. Each byte is read once; each piece is a multiple of `unit`.
pub(super) fn pull(source: &dyn Source, unit: u64, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let unit = unit.max(1);
    let size = source.len();
    let most = (PIECE / unit).max(1).saturating_mul(unit).min(size);
    let mut buffer = zeroed_bytes(most)?;
    let mut at = 0;
    while at < size {
        let count = most.min(size - at) as usize;
        read_exact_at(source, at, &mut buffer[..count])?;
        take(&buffer[..count])?;
        at += count as u64;
        progress::advance(Counted::Written, count as u64)?;
    }
    Ok(())
}
