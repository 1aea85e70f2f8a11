//! Compressed blocks whose writer was ended before their sizes were known. Their bytes are decoded as far as they go,
//! and encoded again.

use crate::codec::{AnyCodec, Compression, Decoder, Label};
use crate::error::{Result, Status};
use crate::file::write::open_block::OpenBlock;
use crate::file::write::output::Output;
use crate::file::{OpenOptions, WriteOptions};
use crate::layout::{BlockHeader, Planner, Salvage, SalvagedBlock};
use crate::limits::Limits;
use crate::progress;
use crate::source::{Source, try_zeroed};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of bytes that are decoded at a time. At most so many are lost before the end of the stored bytes.
const STEP: usize = 1 << 10;
/// Number of bytes that are encoded at a time.
const PIECE: usize = 1 << 20;

/// Such a block.
pub(super) struct Unfinished {
    codec: AnyCodec,
    /// Place and size of the stored bytes.
    offset: u64,
    stored: u64,
}

/// Such blocks by the offsets of their headers.
pub(super) type UnfinishedBlocks = BTreeMap<u64, Unfinished>;

/// Finds such blocks. In `salvage` they become blocks that end early, with their decoded sizes.
pub(super) fn find(source: &Arc<dyn Source>, salvage: &mut Salvage, options: &OpenOptions) -> Result<UnfinishedBlocks> {
    let mut found = UnfinishedBlocks::new();
    for block in &mut salvage.blocks {
        let SalvagedBlock::Cut(header, stored) = *block else { continue };
        if !header.is_unfinished() {
            continue;
        }
        let Ok(Some(codec)) = options.codecs.find(Label(header.compression)) else { continue };
        let unfinished = Unfinished { codec, offset: header.payload_offset(), stored };
        let size = unfinished.decoded_size(source, &options.limits)?;
        found.insert(header.offset, unfinished);
        let header =
            BlockHeader { compression: [0; 4], allocated_size: size, used_size: size, data_size: size, ..header };
        *block = SalvagedBlock::Cut(header, size);
    }
    Ok(found)
}

impl Unfinished {
    fn decoder(&self, source: &Arc<dyn Source>, limits: &Limits) -> Result<Decoder<'static>> {
        let largest = self.codec.largest_decoded_size(self.stored).min(i64::MAX as u64);
        Decoder::of_shared(&self.codec, source.clone(), self.offset, self.stored, largest, limits)
    }

    /// Returns the number of bytes that can be decoded.
    fn decoded_size(&self, source: &Arc<dyn Source>, limits: &Limits) -> Result<u64> {
        let mut decoder = match self.decoder(source, limits) {
            Err(error) if is_end(error.status()) => return Ok(0),
            decoder => decoder?,
        };
        let (mut size, mut step) = (0, [0; STEP]);
        loop {
            progress::check()?;
            match decoder.read(&mut step) {
                Ok(0) => return Ok(size),
                Ok(count) => size += count as u64,
                Err(error) if is_end(error.status()) => return Ok(size),
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes the first `size` decoded bytes as a block of its own, with the same codec.
    pub(super) fn write(
        &self,
        source: &Arc<dyn Source>,
        size: u64,
        planner: &mut Planner,
        output: &mut Output,
        limits: &Limits,
        options: &WriteOptions,
    ) -> Result<()> {
        let compression = match &self.codec {
            AnyCodec::BuiltIn(codec) => Some(Compression::new(*codec, None)?),
            AnyCodec::Custom(_) => None,
        };
        let mut block =
            OpenBlock::begin(compression.as_ref(), options.checksums, Some(size), options.threads, planner, output)?;
        let mut decoder = self.decoder(source, limits)?;
        let mut piece = try_zeroed(PIECE)?;
        let (mut left, mut filled) = (size, 0);
        while left > 0 {
            // The same steps as before find the same bytes.
            let step = usize::try_from(left).unwrap_or(STEP).min(STEP);
            let Some(free) = piece.get_mut(filled..).and_then(|free| free.get_mut(..step)) else { break };
            let count = decoder.read(free)?;
            (left, filled) = (left - count as u64, filled + count);
            if left == 0 || filled + STEP > PIECE {
                block.put(piece.get(..filled).unwrap_or_default(), output)?;
                progress::advance(progress::Counted::Written, filled as u64)?;
                filled = 0;
            }
        }
        block.finish(|_, _| Ok(0), false, planner, output)
    }
}

/// Returns whether decoding ends here because the writer was ended here.
fn is_end(status: Status) -> bool {
    matches!(status, Status::Truncated | Status::Corrupt | Status::Checksum | Status::DecodedSize)
}
