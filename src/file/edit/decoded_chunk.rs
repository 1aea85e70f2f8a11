//! The bytes of a chunk without its codecs of zarr, decoded when they are read.

use crate::codec::numcodecs::Pipeline;
use crate::error::Result;
use crate::source::{OwnSource, Source, read_vec_at};
use std::sync::{Arc, Mutex, PoisonError};

/// A chunk before its pipeline.
pub(super) struct DecodedChunk {
    encoded: Arc<dyn Source>,
    pipeline: Pipeline,
    size: u64,
    /// The decoded bytes, until the last of them are read.
    decoded: Mutex<Option<Vec<u8>>>,
}

impl DecodedChunk {
    /// `size` is the number of decoded bytes.
    pub(super) fn new(encoded: Arc<dyn Source>, pipeline: &Pipeline, size: u64) -> DecodedChunk {
        DecodedChunk { encoded, pipeline: pipeline.clone(), size, decoded: Mutex::new(None) }
    }
}

impl Source for DecodedChunk {
    fn len(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut kept = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        let decoded = match &mut *kept {
            Some(decoded) => decoded,
            None => {
                let encoded = read_vec_at(&*self.encoded, 0, self.encoded.len())?;
                kept.insert(self.pipeline.decode(encoded, self.size)?)
            }
        };
        let rest = usize::try_from(offset).ok().and_then(|offset| decoded.get(offset..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        if count == rest.len() {
            *kept = None;
        }
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for DecodedChunk {
    fn opened_file(&self) -> Option<Arc<std::fs::File>> {
        self.encoded.opened_file()
    }
}
