//! Decoding of a whole `lz4` payload on several threads. The chunks are independent of one another.

use crate::codec::chunk_index::{ChunkIndex, CodedChunk};
use crate::codec::memory::try_resize;
use crate::codec::outcome::Outcome;
use crate::codec::parallel;
use crate::error::Result;
use crate::progress::{self, Counted};
use crate::source::{Map, Source, read_exact_at};

/// Maximum number of chunks for parallel decoding. More chunks are too small to be worth it.
pub(super) const MOST_CHUNKS: usize = 1 << 16;

/// Minimum number of decoded bytes for one thread at a time.
const SHARE: u64 = 1 << 20;

/// Decodes all chunks into `output`, whose length is their total decoded size.
pub(super) fn decode(source: &dyn Source, index: &ChunkIndex, output: &mut [u8], threads: usize) -> Result<Outcome> {
    let memory = in_memory(source, index);
    if memory.is_some() || source.file().is_some() {
        decode_independently(source, index, memory.as_deref(), output, threads)?;
    } else {
        decode_after_reading(source, index, output, threads)?;
    }
    Ok(Outcome::of_trailing(index.trailing_bytes))
}

/// Returns the stored bytes from the first to the last chunk if they are in memory.
fn in_memory(source: &dyn Source, index: &ChunkIndex) -> Option<Map> {
    let start = index.chunks.first()?.stored_offset;
    let last = index.chunks.last()?;
    source.in_memory(start, last.stored_offset + last.stored_length - start)
}

/// Decodes on threads that read the stored bytes themselves, unless these are in memory.
fn decode_independently(
    source: &dyn Source,
    index: &ChunkIndex,
    memory: Option<&[u8]>,
    output: &mut [u8],
    threads: usize,
) -> Result<()> {
    let start = index.chunks.first().map_or(0, |chunk| chunk.stored_offset);
    let mut rest = output;
    let parts: Vec<(&CodedChunk, &mut [u8])> = index
        .chunks
        .iter()
        .map(|chunk| {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(chunk.decoded_length as usize);
            rest = after;
            (chunk, out)
        })
        .collect();
    parallel::for_each(parts.into_iter(), threads, |scratch: &mut Vec<u8>, (chunk, out)| {
        match memory {
            Some(bytes) => {
                let bytes = bytes.get((chunk.stored_offset - start) as usize..).unwrap_or_default();
                index.decode_stored(chunk, bytes.get(..chunk.stored_length as usize).unwrap_or_default(), out)?;
            }
            None => index.decode(chunk, source, scratch, out)?,
        }
        progress::advance(Counted::Elements, chunk.decoded_length)
    })
}

/// Decodes bytes that the calling thread reads, for sources that only this thread may read.
fn decode_after_reading(source: &dyn Source, index: &ChunkIndex, output: &mut [u8], threads: usize) -> Result<()> {
    let mut chunks = &index.chunks[..];
    let mut output = output;
    let mut stored = Vec::new();
    while let Some(first) = chunks.first() {
        let mut shares = Vec::with_capacity(threads.min(chunks.len()));
        while shares.len() < threads
            && let Some(next) = chunks.first()
            && (shares.is_empty() || next.stored_offset + next.stored_length - first.stored_offset <= parallel::HELD)
        {
            let share;
            (share, chunks) = chunks.split_at(share_length(chunks));
            let length: u64 = share.iter().map(|chunk| chunk.decoded_length).sum();
            let (out, rest) = std::mem::take(&mut output).split_at_mut(length as usize);
            output = rest;
            shares.push((share, out));
        }
        let Some(last) = shares.last().and_then(|(share, _)| share.last()) else { break };
        let start = first.stored_offset;
        let stored = try_resize(&mut stored, last.stored_offset + last.stored_length - start)?;
        read_exact_at(source, start, stored)?;
        parallel::for_each(shares.into_iter(), threads, |_: &mut (), (share, mut out)| {
            for chunk in share {
                let (here, rest) = std::mem::take(&mut out).split_at_mut(chunk.decoded_length as usize);
                out = rest;
                // The bytes of all shares were read from `start` on.
                let from = stored.get((chunk.stored_offset - start) as usize..).unwrap_or_default();
                index.decode_stored(chunk, from.get(..chunk.stored_length as usize).unwrap_or_default(), here)?;
                progress::advance(Counted::Elements, chunk.decoded_length)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Returns the number of leading chunks that make up the share of one thread. `chunks` is not empty.
fn share_length(chunks: &[CodedChunk]) -> usize {
    let start = chunks.first().map_or(0, |chunk| chunk.decoded_offset);
    chunks.iter().take_while(|chunk| chunk.decoded_offset - start < SHARE).count()
}
