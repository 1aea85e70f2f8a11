//! Writing blocks: header, payload, and free space after the payload.
//!
//! Uncompressed bytes are copied directly to the output. At most one compressed block at a time is in memory.

use super::ahead::{self, ReadyChunk};
use super::open_block::{OpenBlock, pull};
use super::output::Output;
use super::prepared::Prepared;
use crate::codec::{self, Compression, parallel};
use crate::error::{Error, Result, Status};
use crate::file::WriteOptions;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::layout::{self, BlockHeader, BlockRequest, Checksum, Hasher, Planner};
use crate::progress::{self, Counted};
use crate::source::{Source, SourceKind, read_vec_at};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Payloads of up to this many bytes are hashed before they are written: they stay in a cache, and the header is
/// written once.
const HASHED_FIRST: usize = if cfg!(test) { 64 } else { 2 << 20 };

/// Bytes that are hashed at a time.
const PIECE: usize = if cfg!(test) { 100 } else { 2 << 20 };

impl Prepared {
    /// Adds the path of the array to an error of its block. Errors of the output stay unchanged.
    pub(crate) fn locate_block(&self, block: &PendingBlock, error: Error) -> Error {
        let is_of_output = matches!(error.status(), Status::Io | Status::NoSpace | Status::PermissionDenied);
        let owner = block.owners.iter().find(|&&owner| self.tree.check(owner).is_ok());
        match owner.and_then(|&owner| self.tree.parent(owner)) {
            Some(array) if !is_of_output => error.at_path(self.tree.path(array)),
            _ => error,
        }
    }

    /// Writes new blocks one after another.
    pub(crate) fn write_made_blocks(
        &self,
        planner: &mut Planner,
        output: &mut Output,
        options: &WriteOptions,
    ) -> Result<()> {
        output.gather(|output| {
            ahead::for_each_block(self.store.appended(), options, |block, ready| {
                let written = match ready {
                    Some(ready) => write_ready(block, &ready, planner, output),
                    None => write_block(block, planner, output, options, None),
                };
                written.map_err(|error| self.locate_block(block, error))
            })
        })
    }
}

/// Writes a block. If it replaces a block that ended at `former_end`, it gets enough free space to preserve the
/// alignment of the blocks after it.
pub(crate) fn write_block(
    block: &PendingBlock,
    planner: &mut Planner,
    output: &mut Output,
    options: &WriteOptions,
    former_end: Option<u64>,
) -> Result<()> {
    let destination = BlockDestination { planner, output, slack: block.slack, former_end };
    let checksums = block.checksum.unwrap_or(options.checksums);
    match &block.bytes {
        PendingBytes::Raw(source, compression) => {
            // Some readers cannot open compressed blocks without bytes.
            let compression = compression.as_ref().filter(|_| !source.is_empty());
            match (source.kind(), compression) {
                (SourceKind::Stored, None) => destination.write_stored(&**source, checksums, options.threads),
                (SourceKind::Stored, Some(compression)) => {
                    destination.write_compressed(&**source, compression, checksums, options.threads)
                }
                (SourceKind::Zeros, None) => {
                    let size = source.len();
                    destination.write(uncompressed(size, Checksum::default()), |output| output.hole(size))
                }
                (kind, _) => {
                    let unit = if let SourceKind::Computed { unit } = kind { unit } else { 1 };
                    destination.write_made(&**source, unit, compression, checksums, options.threads)
                }
            }
        }
        PendingBytes::Copied { source, range, header, decoded_size, .. } => {
            let request = BlockRequest {
                stored_size: range.end - range.start,
                data_size: *decoded_size,
                compression: header.compression,
                checksum: if header.is_streamed() { Checksum::default() } else { header.checksum },
                ..BlockRequest::default()
            };
            destination.write(request, |output| output.copy(&**source, range.clone()))
        }
    }
}

/// Writes a chunk that was compressed and hashed before.
fn write_ready(block: &PendingBlock, ready: &ReadyChunk, planner: &mut Planner, output: &mut Output) -> Result<()> {
    let PendingBytes::Raw(source, compression) = &block.bytes else {
        return Err(Error::new(Status::Internal, "a chunk was made ready that is copied"));
    };
    let size = source.len();
    let request = match (&ready.compressed, compression) {
        (Some(stored), Some(compression)) => BlockRequest {
            stored_size: stored.len() as u64,
            data_size: size,
            compression: compression.codec().label().0,
            checksum: ready.checksum,
            ..BlockRequest::default()
        },
        _ => uncompressed(size, ready.checksum),
    };
    let destination = BlockDestination { planner, output, slack: block.slack, former_end: None };
    destination.write(request, |output| match &ready.compressed {
        Some(stored) => output.put(stored),
        None => match source.map(0, size)? {
            Some(bytes) => output.put_counted(&bytes),
            None => output.copy(&**source, 0..size),
        },
    })
}

/// Destination of a block.
struct BlockDestination<'a, 'o> {
    planner: &'a mut Planner,
    output: &'a mut Output<'o>,
    /// Minimum size of the free space after the payload, in bytes.
    slack: u64,
    former_end: Option<u64>,
}

impl BlockDestination<'_, '_> {
    /// Writes a header, and then the payload by calling `put`.
    fn write(self, request: BlockRequest, put: impl FnOnce(&mut Output) -> Result<()>) -> Result<()> {
        let slack = slack_for(self.planner, request.stored_size, self.slack, self.former_end)?;
        self.output.put(&self.planner.add(&BlockRequest { slack, ..request })?.encode())?;
        put(self.output)?;
        self.output.zeros(slack)
    }

    /// Writes uncompressed bytes.
    fn write_stored(self, source: &dyn Source, checksums: bool, threads: usize) -> Result<()> {
        let size = source.len();
        match source.map(0, size)? {
            Some(bytes) if !checksums => {
                self.write(uncompressed(size, Checksum::default()), |output| output.put_counted(&bytes))
            }
            Some(bytes) if self.output.can_patch() && bytes.len() > HASHED_FIRST => {
                self.write_while_hashing(uncompressed(size, Checksum::default()), &bytes, threads)
            }
            Some(bytes) => {
                let mut hasher = Hasher::new();
                for piece in bytes.chunks(progress::piece_size(bytes.len()).max(1)) {
                    hasher.update(piece);
                    progress::advance(Counted::Written, piece.len() as u64)?;
                }
                self.write(uncompressed(size, hasher.finish()), |output| output.put_counted(&bytes))
            }
            // The checksum comes before the payload, so the bytes are read twice.
            None => {
                let mut checksum = Checksum::default();
                if checksums {
                    checksum = layout::md5_counted(source, 0..size, Counted::Written)?;
                }
                self.write(uncompressed(size, checksum), |output| output.copy(source, 0..size))
            }
        }
    }

    /// Writes a payload while its checksum is computed, which is written to the header afterwards.
    fn write_while_hashing(self, request: BlockRequest, bytes: &[u8], threads: usize) -> Result<()> {
        let slack = slack_for(self.planner, request.stored_size, self.slack, self.former_end)?;
        let header = self.planner.add(&BlockRequest { slack, ..request })?;
        self.output.put(&header.encode())?;
        let checksum = put_and_hash(bytes, self.output, threads)?;
        self.output.patch(header.offset, &BlockHeader { checksum, ..header }.encode())?;
        self.output.zeros(slack)
    }

    /// Writes bytes that are compressed as a whole.
    fn write_compressed(
        self,
        source: &dyn Source,
        compression: &Compression,
        checksums: bool,
        threads: usize,
    ) -> Result<()> {
        let (size, mut stored) = (source.len(), Vec::new());
        match source.map(0, size)? {
            Some(bytes) => codec::encode(compression, &bytes, &mut stored, threads)?,
            None => codec::encode(compression, &read_vec_at(source, 0, size)?, &mut stored, threads)?,
        }
        let request = BlockRequest {
            stored_size: stored.len() as u64,
            data_size: size,
            compression: compression.codec().label().0,
            checksum: if checksums { layout::md5(&stored) } else { Checksum::default() },
            ..BlockRequest::default()
        };
        self.write(request, |output| {
            for piece in stored.chunks(progress::piece_size(stored.len()).max(1)) {
                progress::check()?;
                output.put(piece)?;
            }
            Ok(())
        })
    }

    /// Writes bytes that are computed on reading and are read only once. Sizes and checksum are written to the header
    /// afterwards.
    fn write_made(
        self,
        source: &dyn Source,
        unit: u64,
        compression: Option<&Compression>,
        checksums: bool,
        threads: usize,
    ) -> Result<()> {
        let size = source.len();
        if compression.is_none() && !(checksums && self.output.can_patch()) {
            let request = uncompressed(size, Checksum::default());
            return self.write(request, |output| pull(source, unit, &mut |bytes| output.put(bytes)));
        }
        let mut open = OpenBlock::begin(compression, checksums, Some(size), threads, self.planner, self.output)?;
        open.pull(source, unit, self.output)?;
        let slack = |planner: &Planner, stored_size| slack_for(planner, stored_size, self.slack, self.former_end);
        open.finish(slack, false, self.planner, self.output)
    }
}

/// Writes bytes and returns their checksum. On one thread, each piece is hashed and written while it is in a cache. A
/// second thread hashes until all bytes are written; the calling thread then hashes the rest, with progress reports.
fn put_and_hash(bytes: &[u8], output: &mut Output, threads: usize) -> Result<Checksum> {
    if threads < 2 {
        let mut hasher = Hasher::new();
        for piece in bytes.chunks(PIECE) {
            hasher.update(piece);
            progress::advance(Counted::Written, piece.len() as u64)?;
            output.put_counted(piece)?;
        }
        return Ok(hasher.finish());
    }
    let hashing = Mutex::new((Hasher::new(), bytes.chunks(PIECE)));
    let is_written = AtomicBool::new(false);
    let hash_meanwhile = || {
        let mut hashing = hashing.lock().unwrap_or_else(PoisonError::into_inner);
        while !is_written.load(Ordering::Relaxed)
            && let Some(piece) = hashing.1.next()
        {
            hashing.0.update(piece);
            progress::count(Counted::Written, piece.len() as u64);
        }
    };
    let mut written = Ok(());
    parallel::beside_threads(2, hash_meanwhile, || {
        written = output.put_counted(bytes);
        is_written.store(true, Ordering::Relaxed);
    });
    written?;
    let (mut hasher, rest) = hashing.into_inner().unwrap_or_else(PoisonError::into_inner);
    for piece in rest {
        hasher.update(piece);
        progress::advance(Counted::Written, piece.len() as u64)?;
    }
    Ok(hasher.finish())
}

/// Returns the size of the free space after a payload of this size, in bytes.
fn slack_for(planner: &Planner, stored_size: u64, slack: u64, former_end: Option<u64>) -> Result<u64> {
    former_end.map_or(Ok(slack), |end| planner.slack_to(stored_size, slack, end))
}

fn uncompressed(size: u64, checksum: Checksum) -> BlockRequest {
    BlockRequest { stored_size: size, data_size: size, checksum, ..BlockRequest::default() }
}

/// Writes a streamed block: the last block of a file, which extends to its end.
pub(crate) fn write_streamed(block: &PendingBlock, planner: &mut Planner, output: &mut Output) -> Result<()> {
    let (source, range) = match &block.bytes {
        PendingBytes::Raw(source, _) => (source, 0..source.len()),
        PendingBytes::Copied { source, range, .. } => (source, range.clone()),
    };
    let size = range.end - range.start;
    let request = BlockRequest { stored_size: size, data_size: size, streamed: true, ..BlockRequest::default() };
    output.put(&planner.add(&request)?.encode())?;
    match source.kind() {
        SourceKind::Stored => output.copy(&**source, range),
        SourceKind::Zeros => output.hole(size),
        SourceKind::Computed { unit } => pull(&**source, unit, &mut |bytes| output.put(bytes)),
    }
}
