//! Blocks of a file as users see them: properties, bytes and checksums. Also the payloads of arrays.

use crate::array::{Payload, PayloadCache, StoredChunk};
use crate::codec::{Codecs, Decoder, Label, decode_into, parallel};
use crate::error::{Error, Result, Status, Warning};
use crate::file::File;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::blocks::{BlockStore, Found, Stored};
use crate::layout::{self, BlockHeader, ChecksumMatch};
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, settle, try_zeroed};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of blocks whose digests are computed together.
const AT_ONCE: u64 = 64;

/// Properties of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockInfo {
    /// Offset of the block header in the file, in bytes; `None` if the block is not written yet.
    pub offset: Option<u64>,
    /// Offset of the payload in the file, in bytes; `None` if the block is not written yet.
    pub payload_offset: Option<u64>,
    /// Compression label.
    pub compression: Label,
    /// Bytes reserved for the payload in the file; `None` if the block is not written yet or is streamed.
    pub allocated_size: Option<u64>,
    /// Size of the payload as stored, in bytes; `None` if the block will be compressed when it is written.
    pub stored_size: Option<u64>,
    /// Size of the decoded payload, in bytes.
    pub decoded_size: u64,
    /// MD5 checksum in the header; zeros if the block has none.
    pub checksum: [u8; 16],
    /// True if the payload extends to the end of the file.
    pub streamed: bool,
}

/// Result of verifying all blocks: numbers of blocks by kind of checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Blocks without a checksum.
    pub absent: u64,
    /// Blocks whose checksum matches the bytes as stored.
    pub stored: u64,
    /// Compressed blocks whose checksum matches the decoded bytes.
    pub decoded: u64,
}

impl File {
    /// Returns the number of blocks. Without a block index, this reads all block headers.
    pub fn block_count(&self) -> Result<u64> {
        self.store()?.count().map_err(|error| self.name_in(error))
    }

    /// Reads all block headers, so that [`File::warnings`] and the number of blocks are complete.
    pub fn check_blocks(&self) -> Result<()> {
        match self.store()?.of_file() {
            Some(stored) => stored.layout.blocks.check().map_err(|error| self.name_in(error))?,
            None => return Ok(()),
        }
        self.check_streamed_rows()
    }

    /// Returns a note about bytes after the last block or the block index of the stored file.
    pub(crate) fn trailing_bytes(&self) -> Result<Option<Warning>> {
        match self.store()?.of_file() {
            Some(stored) => stored.layout.blocks.trailing().map_err(|error| self.name_in(error)),
            None => Ok(None),
        }
    }

    /// Returns the properties of a block. A negative index counts from the end.
    pub fn block(&self, index: i64) -> Result<BlockInfo> {
        Ok(match self.find_block(index)? {
            Found::Stored { header, stored, .. } => {
                settle(&*stored.source, Ok(())).map_err(|error| self.name_in(error))?;
                let (length, start) = (stored.source.len(), self.store()?.start());
                BlockInfo {
                    offset: Some(start + header.offset),
                    payload_offset: Some(start + header.payload_offset()),
                    compression: Label(header.compression),
                    allocated_size: header.end().map(|_| header.allocated_size),
                    stored_size: Some(if header.is_streamed() {
                        header.decoded_size(length)
                    } else {
                        header.used_size
                    }),
                    decoded_size: header.decoded_size(length),
                    checksum: header.checksum,
                    streamed: header.is_streamed(),
                }
            }
            Found::Pending(block) => {
                let mut info = BlockInfo {
                    offset: None,
                    payload_offset: None,
                    compression: Label::NONE,
                    allocated_size: None,
                    stored_size: None,
                    decoded_size: 0,
                    checksum: [0; 16],
                    streamed: false,
                };
                match &block.bytes {
                    PendingBytes::Raw(bytes, compression) => {
                        info.decoded_size = bytes.len();
                        info.compression =
                            compression.as_ref().map_or(Label::NONE, |compression| compression.codec().label());
                        info.stored_size = compression.is_none().then_some(info.decoded_size);
                    }
                    PendingBytes::Copied { range, header, decoded_size, .. } => {
                        info.decoded_size = *decoded_size;
                        info.compression = Label(header.compression);
                        info.stored_size = Some(range.end - range.start);
                        info.checksum = header.checksum;
                    }
                }
                info
            }
        })
    }

    /// Reads the payload of a block as stored, without decoding, into the start of `out`.
    ///
    /// Fails with [`Status::BufferTooSmall`] if `out` is shorter than [`BlockInfo::stored_size`].
    pub fn read_stored_block(&self, index: i64, out: &mut [u8]) -> Result<()> {
        self.read_stored(index, out).map_err(|error| self.name_in(error))
    }

    fn read_stored(&self, index: i64, out: &mut [u8]) -> Result<()> {
        let _expectation = progress::expect(Counted::Elements, Some(out.len() as u64))?;
        match self.find_block(index)? {
            Found::Stored { header, stored, .. } => {
                let (source, range) = (&*stored.source, header.stored_range(stored.source.len())?);
                settle(source, read_exact_at(source, range.start, prefix(out, range.end - range.start)?))
            }
            Found::Pending(PendingBlock { bytes: PendingBytes::Copied { source, range, .. }, .. }) => {
                settle(&*source, read_exact_at(&*source, range.start, prefix(out, range.end - range.start)?))
            }
            Found::Pending(PendingBlock { bytes: PendingBytes::Raw(bytes, None), .. }) => {
                read_exact_at(&*bytes, 0, prefix(out, bytes.len())?)
            }
            Found::Pending(_) => {
                Err(Error::new(Status::Unsupported, "the block is compressed only when the file is written"))
            }
        }
    }

    /// Reads the decoded payload of a block into the start of `out`.
    ///
    /// Fails with [`Status::BufferTooSmall`] if `out` is shorter than [`BlockInfo::decoded_size`].
    pub fn read_decoded_block(&self, index: i64, out: &mut [u8]) -> Result<()> {
        self.read_decoded(index, out).map_err(|error| self.name_in(error))
    }

    fn read_decoded(&self, index: i64, out: &mut [u8]) -> Result<()> {
        let _expectation = progress::expect(Counted::Elements, Some(out.len() as u64))?;
        match self.find_block(index)? {
            Found::Stored { number, header, stored } => {
                self.verify_once(number, &header, &stored)?;
                let source = &*stored.source;
                let out = prefix(out, header.decoded_size(source.len()))?;
                self.decode_stored(source, &header, header.stored_range(source.len())?, self.codecs(), out)
            }
            Found::Pending(PendingBlock {
                bytes: PendingBytes::Copied { source, range, header, decoded_size, codecs, .. },
                ..
            }) => self.decode_stored(&*source, &header, range, &codecs, prefix(out, decoded_size)?),
            Found::Pending(PendingBlock { bytes: PendingBytes::Raw(bytes, _), .. }) => {
                read_exact_at(&*bytes, 0, prefix(out, bytes.len())?)
            }
        }
    }

    fn decode_stored(
        &self,
        source: &dyn Source,
        header: &BlockHeader,
        range: Range<u64>,
        codecs: &Codecs,
        out: &mut [u8],
    ) -> Result<()> {
        match codecs.find(Label(header.compression)).map_err(|error| error.at_offset(header.offset))? {
            None => settle(source, read_exact_at(source, range.start, out)),
            Some(codec) => {
                let outcome = decode_into(codec, source, range.start, range.end - range.start, out, 1);
                let outcome = settle(source, outcome)?;
                self.warn(outcome.warnings(range.start));
                Ok(())
            }
        }
    }

    /// Codecs for the payloads of this file.
    fn codecs(&self) -> &Codecs {
        &self.family.options().codecs
    }

    /// Compares a block with its checksum. Returns whether the checksum is that of the stored or of the decoded bytes.
    pub fn verify_block(&self, index: i64) -> Result<ChecksumMatch> {
        match self.find_block(index)? {
            Found::Stored { header, stored, .. } => {
                let _expectation = progress::expect(Counted::Stored, Some(header.used_size.min(stored.source.len())))?;
                self.verify_stored(&header, &*stored.source, None).map_err(|error| self.name_in(error))
            }
            Found::Pending(_) => Ok(ChecksumMatch::Absent),
        }
    }

    /// Compares every block with its checksum, on up to `threads` threads. Fails with [`Status::Checksum`] at the first
    /// block that does not match.
    pub(crate) fn compare_checksums(&self, threads: usize) -> Result<Verification> {
        let length = self.store()?.of_file().map_or(0, |stored| stored.source.len());
        let _expectation = progress::expect(Counted::Stored, Some(length))?;
        let count = self.block_count()?;
        let size = count.div_ceil(threads.max(1) as u64).clamp(1, AT_ONCE);
        let groups = usize::try_from(count.div_ceil(size)).map_err(|_| Error::out_of_memory(count))?;
        let sum = Mutex::new(Verification::default());
        parallel::for_each(0..groups, threads, |_: &mut (), group| {
            let first = group as u64 * size;
            let part = self.verify_blocks(first..count.min(first + size))?;
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.absent += part.absent;
            sum.stored += part.stored;
            sum.decoded += part.decoded;
            Ok(())
        })?;
        Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn verify_blocks(&self, numbers: Range<u64>) -> Result<Verification> {
        let found: Vec<Result<Found>> = numbers.clone().map(|number| self.find_block(number as i64)).collect();
        let mut digests = self.stored_digests(&found).into_iter();
        let mut verification = Verification::default();
        for (number, found) in numbers.zip(found) {
            let Found::Stored { header, stored, .. } = found? else {
                verification.absent += 1;
                continue;
            };
            let digest = if layout::has_checksum(&header) { digests.next() } else { None };
            match self.verify_stored(&header, &*stored.source, digest).map_err(|error| self.name_in(error))? {
                ChecksumMatch::Absent => verification.absent += 1,
                ChecksumMatch::Stored => verification.stored += 1,
                ChecksumMatch::Decoded => verification.decoded += 1,
                ChecksumMatch::Mismatch => return Err(self.name_in(mismatch(number, header.offset))),
            }
        }
        Ok(verification)
    }

    /// Returns the digests of the stored bytes of the blocks that have a checksum, or none at all if one of them cannot
    /// be read: blocks before it are still to be compared, one by one.
    fn stored_digests(&self, found: &[Result<Found>]) -> Vec<layout::Checksum> {
        let with_checksum = found.iter().filter_map(|found| match found {
            Ok(Found::Stored { header, stored, .. }) if layout::has_checksum(header) => Some((header, &stored.source)),
            _ => None,
        });
        let Some((_, source)) = with_checksum.clone().next() else { return Vec::new() };
        let ranges: Result<Vec<_>> = with_checksum.map(|(header, source)| header.stored_range(source.len())).collect();
        ranges.and_then(|ranges| layout::md5_of_ranges(&**source, &ranges)).unwrap_or_default()
    }

    pub(crate) fn verify_stored(
        &self,
        header: &BlockHeader,
        source: &dyn Source,
        digest: Option<layout::Checksum>,
    ) -> Result<ChecksumMatch> {
        settle(source, layout::verify_checksum(source, header, digest, || self.decoded_checksum(header, source)))
    }

    /// Returns the error about a block that does not match its checksum.
    pub(crate) fn mismatch(&self, number: u64) -> Result<Error> {
        let offset = self.block(i64::try_from(number).unwrap_or(i64::MAX))?.offset;
        Ok(self.name_in(mismatch(number, offset.unwrap_or_default())))
    }

    /// Fails with [`Status::Truncated`] if the file ends inside a stored block, and with
    /// [`Status::UnknownCodec`] if the block cannot be decoded. Decodes a compressed block that has no checksum.
    pub(crate) fn check_complete_block(&self, index: i64) -> Result<()> {
        let Found::Stored { header, stored, .. } = self.find_block(index)? else { return Ok(()) };
        let source = &*stored.source;
        let check = || {
            header.stored_range(source.len())?;
            self.codecs().find(Label(header.compression)).map_err(|error| error.at_offset(header.offset))?;
            if header.is_compressed() && !layout::has_checksum(&header) {
                self.decoded_checksum(&header, source)?;
            }
            Ok(())
        };
        settle(source, check()).map_err(|error| self.name_in(error))
    }

    /// Decodes a compressed block that is stored, to check that decoding works.
    pub(crate) fn check_decoding(&self, index: i64) -> Result<()> {
        match self.find_block(index)? {
            Found::Stored { header, stored, .. } if header.is_compressed() => {
                self.decoded_checksum(&header, &*stored.source).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn decoded_checksum(&self, header: &BlockHeader, source: &dyn Source) -> Result<layout::Checksum> {
        let range = header.stored_range(source.len())?;
        let Some(codec) = self.codecs().find(Label(header.compression)).map_err(|e| e.at_offset(header.offset))? else {
            return layout::md5_of_range(source, range);
        };
        let size = range.end - range.start;
        let mut decoder = Decoder::new(codec, source, range.start, size, header.data_size, self.limits())?;
        let mut hasher = layout::Hasher::new();
        let mut buffer = try_zeroed(header.data_size.min(256 << 10) as usize)?;
        loop {
            match decoder.read(&mut buffer)? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        decoder.finish()?;
        Ok(hasher.finish())
    }

    /// Verifies a block before its bytes are used for the first time, if the open options ask for it.
    fn verify_once(&self, number: u64, header: &BlockHeader, stored: &Stored) -> Result<()> {
        if !self.shared.verify_checksums || stored.verified.lock_or_default().contains(&number) {
            return Ok(());
        }
        match self.verify_stored(header, &*stored.source, None)? {
            ChecksumMatch::Mismatch => return Err(mismatch(number, header.offset)),
            ChecksumMatch::Decoded => self
                .warn([Warning::new("the checksum is that of the decoded bytes, as earlier writers computed it")
                    .at_offset(header.offset)]),
            ChecksumMatch::Stored | ChecksumMatch::Absent => {}
        }
        stored.verified.lock_or_default().insert(number);
        Ok(())
    }

    fn find_block(&self, index: i64) -> Result<Found> {
        self.find_in(&*self.store()?, index)
    }

    /// Returns the block of this index among these blocks of the file.
    fn find_in(&self, store: &BlockStore, index: i64) -> Result<Found> {
        let found = store.find(index).or_else(|error| match store.of_file() {
            Some(stored) => settle(&*stored.source, Err(error)),
            None => Err(error),
        });
        let mut found = found.map_err(|error| self.name_in(error))?;
        // Only elements of a changeable file are overwritten.
        if store.is_changeable()
            && let Found::Stored { number, header, .. } = &mut found
            && self.state()?.update.is_overwritten(*number)
        {
            header.checksum = [0; 16];
        }
        Ok(found)
    }

    /// Returns the decoded bytes of a block for the arrays in it.
    pub(crate) fn payload(&self, index: i64) -> Result<Payload> {
        self.payload_in(&*self.store()?, index)
    }

    /// Returns whether a block extends to the end of the stored file.
    pub(super) fn is_streamed_in(&self, store: &BlockStore, index: i64) -> Result<bool> {
        Ok(matches!(self.find_in(store, index)?, Found::Stored { header, .. } if header.is_streamed()))
    }

    /// Returns the decoded bytes of the block of this index among these blocks of the file.
    pub(super) fn payload_in(&self, store: &BlockStore, index: i64) -> Result<Payload> {
        self.chunk_in(store, index).map(|chunk| chunk.payload)
    }

    /// Returns the decoded bytes of a block, with their cache.
    pub(super) fn chunk_in(&self, store: &BlockStore, index: i64) -> Result<StoredChunk> {
        match self.find_in(store, index)? {
            Found::Stored { number, header, stored } => {
                self.verify_once(number, &header, &stored).map_err(|error| self.name_in(error))?;
                let source = stored.source.clone();
                let range = header.stored_range(source.len())?;
                let decoded_size = header.decoded_size(source.len());
                let cache = self.family.payload_cache(stored.cache_number, range.start);
                let payload = stored_payload(source, &header, range, decoded_size, self.codecs(), cache.clone());
                Ok(StoredChunk { payload, cache })
            }
            Found::Pending(PendingBlock {
                bytes: PendingBytes::Copied { source, range, header, decoded_size, codecs, cache },
                ..
            }) => {
                let payload = stored_payload(source, &header, range, decoded_size, &codecs, cache.clone());
                Ok(StoredChunk { payload, cache })
            }
            Found::Pending(PendingBlock { bytes: PendingBytes::Raw(bytes, _), .. }) => {
                let length = bytes.len();
                let payload = Payload::Stored { source: bytes, offset: 0, length };
                Ok(StoredChunk { payload, cache: PayloadCache::default() })
            }
        }
    }

    /// Returns the block of this index as this file writes it again. A pending block shares its bytes with the file.
    pub(crate) fn own_block(&self, index: i64) -> Result<PendingBlock> {
        Ok(match self.find_block(index)? {
            Found::Stored { header, stored, .. } => {
                self.copied(header, &stored).map_err(|error| self.name_in(error))?
            }
            Found::Pending(block) => block,
        })
    }

    /// Returns the block of this index in a form that another file can store.
    pub(crate) fn copy_of_block(&self, index: i64) -> Result<PendingBlock> {
        self.own_block(index)?.copied()
    }

    /// Returns a stored block of this file in a form that is written again without decoding.
    pub(in crate::file) fn copied(&self, header: BlockHeader, stored: &Stored) -> Result<PendingBlock> {
        let source = stored.source.clone();
        let range = header.stored_range(source.len())?;
        let decoded_size = header.decoded_size(source.len());
        let cache = self.family.payload_cache(stored.cache_number, range.start);
        let codecs = self.codecs().clone();
        let bytes = PendingBytes::Copied { source, range, header, decoded_size, codecs, cache };
        Ok(PendingBlock::new(bytes))
    }
}

fn stored_payload(
    source: Arc<dyn Source>,
    header: &BlockHeader,
    range: Range<u64>,
    decoded_size: u64,
    codecs: &Codecs,
    cache: PayloadCache,
) -> Payload {
    let (offset, size) = (range.start, range.end - range.start);
    match codecs.find(Label(header.compression)) {
        Ok(None) => Payload::Stored { source, offset, length: size },
        Ok(Some(codec)) => Payload::Encoded { source, offset, used_size: size, data_size: decoded_size, codec, cache },
        // The array can still be described without its bytes.
        Err(error) => Payload::absent(&error, Some(decoded_size)),
    }
}

/// Returns the first `length` bytes of a buffer. Fails with [`Status::BufferTooSmall`] if the buffer is shorter.
fn prefix(out: &mut [u8], length: u64) -> Result<&mut [u8]> {
    let available = out.len();
    usize::try_from(length).ok().and_then(|length| out.get_mut(..length)).ok_or_else(|| {
        let message = format!("the buffer holds {available} bytes, but {length} bytes are needed");
        Error::new(Status::BufferTooSmall, message)
    })
}

fn mismatch(number: u64, offset: u64) -> Error {
    let message = format!("the bytes of block {number} do not match its checksum");
    Error::new(Status::Checksum, message).at_offset(offset)
}
