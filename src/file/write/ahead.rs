//! Chunks that threads compress and hash while the calling thread writes those before them.

use crate::codec::{self, AnyCodec, Compression, parallel};
use crate::error::{Error, Result, Status};
use crate::file::WriteOptions;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::layout::{self, Checksum};
use crate::progress::{self, Counted};
use crate::source::OwnSource;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of the chunks that are made ready together, unless one chunk has more.
const TOGETHER: u64 = if cfg!(test) { 500 } else { 16 << 20 };
/// The most chunks that are made ready together.
const MOST: usize = 1024;

/// Written parts of a chunk: its bytes after compression, unless it has none, and their checksum.
pub(super) struct ReadyChunk {
    pub(super) compressed: Option<Vec<u8>>,
    pub(super) checksum: Checksum,
}

/// Returns the bytes in memory of a block that another thread may compress: one of a chunked array, with a codec of the
/// library. Those of callers run on the calling thread.
fn bytes_in_memory(block: &PendingBlock) -> Option<(&dyn OwnSource, u64, Option<&Compression>)> {
    let PendingBytes::Raw(source, compression) = &block.bytes else { return None };
    let is_built_in = |compression: &Compression| matches!(compression.codec(), AnyCodec::BuiltIn(_));
    let is_fit = block.chunked.is_some() && compression.as_ref().is_none_or(is_built_in) && !source.is_empty();
    let own = source.editable().filter(|_| is_fit)?;
    Some((own, source.len(), compression.as_ref()))
}

fn make_ready(block: &PendingBlock, options: &WriteOptions) -> Result<ReadyChunk> {
    let gone = || Error::new(Status::Internal, "the bytes of a chunk are not in memory");
    let (source, size, compression) = bytes_in_memory(block).ok_or_else(gone)?;
    let bytes = source.map(0, size)?.ok_or_else(gone)?;
    let compressed = match compression {
        Some(compression) => {
            let mut compressed = Vec::new();
            codec::encode(compression, &bytes, &mut compressed, 1)?;
            Some(compressed)
        }
        None => {
            progress::advance(Counted::Written, size)?;
            None
        }
    };
    let has_checksum = block.checksum.unwrap_or(options.checksums);
    let checksum =
        if has_checksum { layout::md5(compressed.as_deref().unwrap_or(&bytes)) } else { Checksum::default() };
    Ok(ReadyChunk { compressed, checksum })
}

/// Chunks that are made ready together.
struct Batch<'a> {
    blocks: &'a [PendingBlock],
    next: AtomicUsize,
    ready: Vec<Mutex<Option<Result<ReadyChunk>>>>,
}

impl<'a> Batch<'a> {
    /// Returns the first blocks of a list that fit together; none if the first one must be written in another way.
    fn first_of(blocks: &'a [PendingBlock]) -> Batch<'a> {
        let mut size = 0_u64;
        let fits = |block: &&PendingBlock| {
            let is_first = size == 0;
            let Some((_, length, _)) = bytes_in_memory(block) else { return false };
            size = size.saturating_add(length);
            is_first || size <= TOGETHER
        };
        let count = blocks.iter().take(MOST).take_while(fits).count();
        let blocks = blocks.get(..count).unwrap_or_default();
        Batch { blocks, next: AtomicUsize::new(0), ready: blocks.iter().map(|_| Mutex::new(None)).collect() }
    }

    /// Makes all chunks ready.
    fn make_ready(&self, options: &WriteOptions) {
        // A thread costs more than a single chunk is worth, and most lists of blocks have no chunks.
        let threads = options.threads.min(self.blocks.len());
        parallel::beside_threads(threads, || self.work(options), || self.work(options));
    }

    /// Makes chunks ready until none is left. Several threads share the work.
    fn work(&self, options: &WriteOptions) {
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(block), Some(place)) = (self.blocks.get(next), self.ready.get(next)) else { return };
            let made = progress::check().and_then(|()| make_ready(block, options));
            if made.is_err() {
                // No other chunk is needed.
                self.next.store(self.blocks.len(), Ordering::Relaxed);
            }
            *lock(place) = Some(made);
        }
    }
}

/// Calls `write` for each block in order, with the chunk that was made ready, or without one for a block that must be
/// written in another way.
pub(super) fn for_each_block(
    blocks: &[PendingBlock],
    options: &WriteOptions,
    mut write: impl FnMut(&PendingBlock, Option<ReadyChunk>) -> Result<()>,
) -> Result<()> {
    if options.threads < 2 {
        return blocks.iter().try_for_each(|block| write(block, None));
    }
    let mut rest = blocks;
    let mut batch = Batch::first_of(rest);
    batch.make_ready(options);
    while let Some((first, others)) = rest.split_first() {
        if batch.blocks.is_empty() {
            write(first, None)?;
            rest = others;
            batch = Batch::first_of(rest);
            batch.make_ready(options);
            continue;
        }
        rest = rest.get(batch.blocks.len()..).unwrap_or_default();
        let next = Batch::first_of(rest);
        let mut written = Ok(());
        let threads = if next.blocks.is_empty() { 1 } else { options.threads };
        parallel::beside_threads(
            threads,
            || next.work(options),
            || {
                written =
                    batch.blocks.iter().zip(&batch.ready).try_for_each(|(block, ready)| match lock(ready).take() {
                        Some(ready) => write(block, Some(ready?)),
                        None => Err(Error::new(Status::Internal, "a chunk was not made ready")),
                    });
                if written.is_ok() {
                    next.work(options);
                }
            },
        );
        written?;
        batch = next;
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
