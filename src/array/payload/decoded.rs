//! Decoded bytes of one compressed payload, from the first byte up to the last byte requested so far.
//!
//! The decoder pauses where it stopped: no byte is decoded twice, and no byte beyond the requested ones. Several
//! threads may read at once; one of them decodes.

use super::fetch::{Fetch, Memory};
use crate::codec::{AnyCodec, Decoder, Outcome, decode_into};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::progress::{self, Counted};
use crate::source::{Source, TemporaryFile, try_zeroed, zeroed_bytes};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Declared sizes up to this many times the compressed size are trusted before anything is decoded.
const TRUSTED_RATIO: u64 = 32;
/// Declared sizes up to this one are always trusted.
const TRUSTED_SIZE: u64 = 16 << 20;

/// Bytes decoded at a time: for a temporary file, and as the first piece in memory.
const PIECE: u64 = 256 * 1024;

/// A compressed payload and the memory limit for decoding it.
#[derive(Clone)]
pub(crate) struct Compressed {
    pub(crate) codec: AnyCodec,
    pub(crate) source: Arc<dyn Source>,
    pub(crate) offset: u64,
    pub(crate) used_size: u64,
    pub(crate) data_size: u64,
    /// Limit on memory for decoded bytes, in bytes.
    pub(crate) decoded_bytes: u64,
}

impl Compressed {
    fn limits(&self) -> Limits {
        Limits { decoded_bytes: self.decoded_bytes, ..Limits::default() }
    }

    /// Makes a decoder that begins at the first byte.
    pub(crate) fn decoder(&self) -> Result<Decoder<'_>> {
        let source = &*self.source;
        Decoder::new(&self.codec, source, self.offset, self.used_size, self.data_size, &self.limits())
    }

    /// Like [`Compressed::decoder`], but the decoder keeps the source alive.
    pub(crate) fn shared_decoder(&self) -> Result<Decoder<'static>> {
        let Compressed { codec, source, offset, used_size, data_size, .. } = self;
        Decoder::of_shared(codec, source.clone(), *offset, *used_size, *data_size, &self.limits())
    }

    /// Decodes all bytes into `out`, which must have the declared size.
    pub(crate) fn decode(&self, out: &mut [u8], threads: usize) -> Result<Outcome> {
        decode_into(&self.codec, &*self.source, self.offset, self.used_size, out, threads)
    }

    /// Returns whether to allocate the declared size at once. Otherwise memory grows with the decoded bytes.
    fn is_size_trusted(&self) -> bool {
        self.data_size <= self.used_size.saturating_mul(TRUSTED_RATIO).max(TRUSTED_SIZE)
    }

    /// Returns whether the codec can only decode the whole payload.
    fn is_all_or_nothing(&self) -> bool {
        matches!(self.codec, AnyCodec::Custom(..))
    }
}

/// The storage of decoded bytes.
enum Storage {
    Memory(Vec<u8>),
    File(TemporaryFile),
}

impl Storage {
    fn len(&self) -> u64 {
        match self {
            Storage::Memory(bytes) => bytes.len() as u64,
            Storage::File(file) => file.len(),
        }
    }
}

/// The state of the decoder. The mutex only makes the type `Sync`: access needs the exclusive lock on [`DecodedPrefix`].
enum DecoderState {
    /// There is no decoder: nothing was decoded yet, or a call was cancelled, whose bytes stay in the storage.
    Fresh,
    Waiting(Box<Mutex<Decoder<'static>>>),
    Finished(Outcome),
    Failed(Status, String),
}

struct DecodedPrefix {
    storage: Storage,
    decoder_state: DecoderState,
}

/// Decoded bytes of a payload, extended on demand.
pub(crate) struct Decoded {
    compressed: Compressed,
    prefix: RwLock<DecodedPrefix>,
}

impl Decoded {
    /// Keeps decoded bytes in memory. Fails as [`AnyCodec::check_sizes`] does.
    pub(crate) fn in_memory(compressed: &Compressed) -> Result<Decoded> {
        Decoded::new(compressed, Storage::Memory(Vec::new()))
    }

    /// Keeps decoded bytes in a temporary file in this directory, or in the system's directory for such files.
    pub(super) fn in_file(compressed: &Compressed, directory: Option<&Path>) -> Result<Decoded> {
        Decoded::new(compressed, Storage::File(TemporaryFile::create(directory)?))
    }

    fn new(compressed: &Compressed, storage: Storage) -> Result<Decoded> {
        let Compressed { used_size, data_size, offset, .. } = *compressed;
        compressed.codec.check_sizes(used_size, data_size).map_err(|error| error.at_offset(offset))?;
        let prefix = RwLock::new(DecodedPrefix { storage, decoder_state: DecoderState::Fresh });
        Ok(Decoded { compressed: compressed.clone(), prefix })
    }

    /// Decodes at least up to byte `end`. At the last byte, also checks the end of the data.
    pub(crate) fn advance(&self, end: u64, threads: usize) -> Result<()> {
        let all = self.compressed.data_size;
        if self.read_prefix().is_ready(end, all) {
            return Ok(());
        }
        let mut prefix = self.write_prefix();
        if prefix.is_ready(end, all) {
            return Ok(());
        }
        let result = prefix.advance(&self.compressed, end, threads);
        match &result {
            Ok(()) => {}
            // The bytes decoded before stay, and the next call continues after them.
            Err(error) if error.status() == Status::Cancelled => prefix.decoder_state = DecoderState::Fresh,
            Err(error) => prefix.decoder_state = DecoderState::Failed(error.status(), error.message().to_owned()),
        }
        result
    }

    /// Returns the number of bytes before `end` that are not decoded yet.
    pub(crate) fn missing_up_to(&self, end: u64) -> u64 {
        end.saturating_sub(self.read_prefix().storage.len())
    }

    /// Returns the findings besides the data, if the whole payload has been decoded.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match self.read_prefix().decoder_state {
            DecoderState::Finished(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Fills `buffer` from decoded bytes.
    fn read(&self, position: u64, buffer: &mut [u8]) -> Result<()> {
        match &self.read_prefix().storage {
            Storage::Memory(bytes) => Memory(bytes).fetch(position, buffer),
            Storage::File(file) => file.read_exact_at(position, buffer),
        }
    }

    fn read_prefix(&self) -> RwLockReadGuard<'_, DecodedPrefix> {
        self.prefix.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_prefix(&self) -> RwLockWriteGuard<'_, DecodedPrefix> {
        self.prefix.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DecodedPrefix {
    /// Returns whether the bytes before `end` are decoded, and the end of the data is checked if these are `all` bytes.
    fn is_ready(&self, end: u64, all: u64) -> bool {
        let is_checked = end < all || all == 0 || matches!(self.decoder_state, DecoderState::Finished(_));
        self.storage.len() >= end && is_checked
    }

    fn advance(&mut self, compressed: &Compressed, end: u64, threads: usize) -> Result<()> {
        let all = compressed.data_size;
        if let (DecoderState::Fresh, Storage::Memory(bytes)) = (&self.decoder_state, &mut self.storage)
            && ((end == all && compressed.is_size_trusted()) || compressed.is_all_or_nothing())
        {
            let mut decoded = zeroed_bytes(all)?;
            self.decoder_state = DecoderState::Finished(compressed.decode(&mut decoded, threads)?);
            *bytes = decoded;
            return Ok(());
        }
        if let DecoderState::Fresh = self.decoder_state {
            let mut decoder = compressed.shared_decoder()?;
            // Skip the bytes that a cancelled call left in the storage.
            decoder.skip(self.storage.len())?;
            self.decoder_state = DecoderState::Waiting(Box::new(Mutex::new(decoder)));
        }
        match &mut self.decoder_state {
            DecoderState::Waiting(decoder) => {
                let decoder = decoder.get_mut().unwrap_or_else(PoisonError::into_inner);
                match &mut self.storage {
                    Storage::Memory(bytes) => decode_to_memory(decoder, bytes, end, all)?,
                    Storage::File(file) => decode_to_file(decoder, file, end)?,
                }
            }
            DecoderState::Failed(status, message) => return Err(Error::new(*status, message.clone())),
            DecoderState::Fresh | DecoderState::Finished(_) => {
                return Err(Error::new(Status::Internal, "an array lies outside its bytes"));
            }
        }
        if end == all
            && let DecoderState::Waiting(decoder) = std::mem::replace(&mut self.decoder_state, DecoderState::Fresh)
        {
            let decoder = decoder.into_inner().unwrap_or_else(PoisonError::into_inner);
            self.decoder_state = DecoderState::Finished(decoder.finish()?);
        }
        Ok(())
    }
}

/// Memory grows with the decoded bytes, up to the declared size.
fn decode_to_memory(decoder: &mut Decoder<'_>, bytes: &mut Vec<u8>, end: u64, all: u64) -> Result<()> {
    let size = |size: u64| usize::try_from(size).map_err(|_| Error::out_of_memory(size));
    let (end, all) = (size(end)?, size(all)?);
    while bytes.len() < end {
        // Double the size, so that declared bytes that do not exist take no memory.
        let begun = bytes.len();
        let next = end.min(begun.saturating_add(begun.max(PIECE as usize)));
        if next > bytes.capacity() {
            let room = next.max(bytes.capacity().saturating_mul(2).min(all));
            bytes.try_reserve_exact(room - begun).map_err(|_| Error::out_of_memory(room as u64))?;
        }
        bytes.resize(next, 0);
        let mut done = begun;
        while done < next {
            let part = bytes.get_mut(done..).unwrap_or_default();
            match decoder.read(part).and_then(|count| {
                progress::advance(Counted::Elements, count as u64)?;
                Ok(count)
            }) {
                Ok(count) => done += count,
                Err(error) => {
                    bytes.truncate(done);
                    return Err(error);
                }
            }
        }
    }
    Ok(())
}

fn decode_to_file(decoder: &mut Decoder<'_>, file: &mut TemporaryFile, end: u64) -> Result<()> {
    let mut piece = try_zeroed((end - file.len()).min(PIECE) as usize)?;
    while file.len() < end {
        let size = (end - file.len()).min(piece.len() as u64) as usize;
        let piece = piece.get_mut(..size).unwrap_or_default();
        let count = decoder.read(piece)?;
        file.append(piece.get(..count).unwrap_or_default())?;
        progress::advance(Counted::Elements, count as u64)?;
    }
    Ok(())
}

impl Fetch for &Decoded {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        self.read(position, buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Payload;
    use crate::array::tests::{Lcg, encoded};
    use crate::codec::Codec;

    fn compressed(bytes: &[u8], codec: Codec) -> Compressed {
        let Payload::Encoded { source, offset, used_size, data_size, codec, .. } = encoded(bytes, codec) else {
            unreachable!()
        };
        Compressed { codec, source, offset, used_size, data_size, decoded_bytes: 1 << 30 }
    }

    #[test]
    fn bytes_are_read_in_any_order() {
        let mut random = Lcg(3);
        let bytes = random.bytes(400_000);
        for &codec in Codec::ALL {
            let compressed = compressed(&bytes, codec);
            for mut decoded in
                [&Decoded::in_memory(&compressed).unwrap(), &Decoded::in_file(&compressed, None).unwrap()]
            {
                for _ in 0..20 {
                    let start = random.below(bytes.len() as u64) as usize;
                    let end = start + random.below((bytes.len() - start) as u64 + 1).min(9000) as usize;
                    decoded.advance(end as u64, 1).unwrap();
                    let mut found = vec![0; end - start];
                    decoded.fetch(start as u64, &mut found).unwrap();
                    assert_eq!(found, bytes[start..end], "{codec:?}");
                }
                assert_eq!(decoded.outcome(), None);
                decoded.advance(bytes.len() as u64, 1).unwrap();
                assert_eq!(decoded.outcome().unwrap().trailing_bytes, 0);
                let mut found = vec![0; bytes.len()];
                decoded.fetch(0, &mut found).unwrap();
                assert_eq!(found, bytes);
            }
        }
    }

    #[test]
    fn failures_repeat_and_earlier_bytes_stay() {
        let bytes = Lcg(4).bytes(100_000);
        for &codec in Codec::ALL {
            let mut compressed = compressed(&bytes, codec);
            compressed.used_size -= 20;
            for decoded in [Decoded::in_memory(&compressed).unwrap(), Decoded::in_file(&compressed, None).unwrap()] {
                let first = decoded.advance(bytes.len() as u64, 1).expect_err(&format!("{codec:?}"));
                assert_eq!(decoded.advance(bytes.len() as u64, 1).unwrap_err().status(), first.status());
            }
            if codec == Codec::Zlib {
                let decoded = Decoded::in_memory(&compressed).unwrap();
                decoded.advance(50_000, 1).unwrap();
                assert!(decoded.advance(bytes.len() as u64, 1).is_err());
                let mut found = vec![0; 50_000];
                (&decoded).fetch(0, &mut found).unwrap();
                assert_eq!(found, bytes[..50_000]);
            }
        }
    }
}
