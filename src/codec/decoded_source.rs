//! A source of the decoded bytes of a payload, decoded on each read.

use super::any_codec::AnyCodec;
use super::decoder::Decoder;
use crate::error::Result;
use crate::limits::Limits;
use crate::process::PerProcess;
use crate::source::{OwnSource, Source, SourceKind};
use std::sync::Arc;

/// Decodes each byte once if read in order. A read at an earlier offset decodes again from the start.
pub(crate) struct DecodedSource {
    codec: Option<AnyCodec>,
    source: Arc<dyn Source>,
    offset: u64,
    used_size: u64,
    data_size: u64,
    limits: Limits,
    current: PerProcess<Option<PositionedDecoder>>,
}

struct PositionedDecoder {
    decoder: Decoder<'static>,
    position: u64,
}

impl DecodedSource {
    /// Creates a source for the `used_size` bytes at `offset` of `source`, which decode to `data_size` bytes. Without a
    /// codec, the stored bytes are returned unchanged.
    pub(crate) fn new(
        codec: Option<AnyCodec>,
        source: Arc<dyn Source>,
        offset: u64,
        used_size: u64,
        data_size: u64,
        limits: &Limits,
    ) -> DecodedSource {
        let limits = limits.clone();
        DecodedSource { codec, source, offset, used_size, data_size, limits, current: PerProcess::default() }
    }

    fn begin(&self, codec: &AnyCodec) -> Result<PositionedDecoder> {
        let Self { source, offset, used_size, data_size, limits, .. } = self;
        let decoder = Decoder::of_shared(codec, source.clone(), *offset, *used_size, *data_size, limits)?;
        Ok(PositionedDecoder { decoder, position: 0 })
    }

    fn fill(&self, current: &mut PositionedDecoder, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        current.decoder.skip(offset - current.position)?;
        current.position = offset;
        let mut done = 0;
        while done < buffer.len() {
            let count = current.decoder.read(&mut buffer[done..])?;
            if count == 0 {
                break;
            }
            done += count;
            current.position += count as u64;
        }
        Ok(done)
    }
}

impl Source for DecodedSource {
    fn len(&self) -> u64 {
        self.data_size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        if offset >= self.data_size || buffer.is_empty() {
            return Ok(0);
        }
        let Some(codec) = &self.codec else {
            let available = usize::try_from(self.data_size - offset).unwrap_or(usize::MAX).min(buffer.len());
            return self.source.read_at(self.offset + offset, &mut buffer[..available]);
        };
        let mut kept = self.current.lock_or_default();
        // After an error the decoder cannot be used again, so it is not put back.
        let mut current = match kept.take().filter(|current| current.position <= offset) {
            Some(current) => current,
            None => self.begin(codec)?,
        };
        let count = self.fill(&mut current, offset, buffer)?;
        if current.position < self.data_size {
            *kept = Some(current);
        } else {
            current.decoder.finish()?;
        }
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for DecodedSource {
    fn kind(&self) -> SourceKind {
        SourceKind::Computed { unit: 1 }
    }

    fn opened_file(&self) -> Option<Arc<std::fs::File>> {
        self.source.opened_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{Codec, Compression, encode};
    use crate::source::MemorySource;

    #[test]
    fn bytes_can_be_read_in_any_order() {
        let data: Vec<u8> = (0..100_000u32).flat_map(|value| (value / 7).to_le_bytes()).collect();
        for &codec in Codec::ALL {
            let mut stored = vec![9; 5];
            encode(&Compression::new(codec, None).unwrap(), &data, &mut stored, 1).unwrap();
            let (length, size) = (stored.len() as u64 - 5, data.len() as u64);
            let source = Arc::new(MemorySource::of_vec(stored.clone()));
            let decoded = DecodedSource::new(Some(codec.into()), source, 5, length, size, &Limits::default());
            for start in [0usize, 1000, 50_000, 399_990, 10, 399_999, 400_000] {
                let mut part = vec![0; 500];
                let count = decoded.read_at(start as u64, &mut part).unwrap();
                assert_eq!(part[..count], data[start..data.len().min(start + 500)], "{}", codec.name());
            }
            stored.truncate(stored.len() - 3);
            let source = Arc::new(MemorySource::of_vec(stored));
            let cut = DecodedSource::new(Some(codec.into()), source, 5, length - 3, size, &Limits::default());
            assert!(cut.read_at(399_000, &mut [0; 1000]).is_err(), "{}", codec.name());
        }
    }
}
