//! A block that is written before all of its bytes are known: its header is filled in afterwards.
//!
//! The bytes are compressed and added to the checksum as they come; no more than a few MiB of them are held.

use super::output::Output;
use crate::codec::{Compression, Encoder, Label};
use crate::error::{Error, Result, Status};
use crate::layout::{BlockRequest, Checksum, Hasher, Planner};
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, try_zeroed};

/// Bytes that are pulled from a source at a time.
const PIECE: u64 = 1 << 20;

/// A block whose header is still to be written.
pub(super) struct OpenBlock {
    encoding: Option<(Encoder, Label)>,
    hasher: Option<Hasher>,
    /// Bytes that were put, and bytes that were written for them.
    data_size: u64,
    stored_size: u64,
    encoded: Vec<u8>,
}

impl OpenBlock {
    /// Leaves room for the header. `data_size` tells the number of bytes, if it is known.
    ///
    /// Fails as [`Encoder::new`] does, and with [`Status::Unsupported`] for an output in which nothing can be filled in.
    pub(super) fn begin(
        compression: Option<&Compression>,
        checksum: bool,
        data_size: Option<u64>,
        threads: usize,
        planner: &Planner,
        output: &mut Output,
    ) -> Result<OpenBlock> {
        if !output.can_patch() {
            let message = "the bytes are known only as they come, and the header before them not at all: write the file \
                           under a name or into memory";
            return Err(Error::new(Status::Unsupported, message));
        }
        let encoding = compression
            .map(|compression| {
                let encoder = Encoder::new(compression, data_size, threads)?;
                Ok::<_, Error>((encoder, compression.codec().label()))
            })
            .transpose()?;
        output.zeros(planner.header_length())?;
        Ok(OpenBlock {
            encoding,
            hasher: checksum.then(Hasher::new),
            data_size: 0,
            stored_size: 0,
            encoded: Vec::new(),
        })
    }

    /// Adds bytes.
    pub(super) fn put(&mut self, bytes: &[u8], output: &mut Output) -> Result<()> {
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

    /// Adds all bytes of a source, each asked for once.
    pub(super) fn pull(&mut self, source: &dyn Source, unit: u64, output: &mut Output) -> Result<()> {
        pull(source, unit, &mut |bytes| self.put(bytes, output))
    }

    /// Ends the block: `slack_for` says, by the number of bytes stored, how many are reserved behind them, and
    /// `is_streamed` whether the block runs to the end of the file.
    pub(super) fn finish(
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
            // Some readers cannot open compressed blocks of no bytes.
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

/// Calls `take` with all bytes of a source in order, each asked for once, and a multiple of `unit` at a time.
pub(super) fn pull(source: &dyn Source, unit: u64, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let unit = unit.max(1);
    let size = source.len();
    let most = (PIECE / unit).max(1).saturating_mul(unit).min(size);
    let mut buffer = try_zeroed(usize::try_from(most).map_err(|_| Error::out_of_memory(most))?)?;
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
