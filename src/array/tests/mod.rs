//! Helpers for the tests of arrays: payloads in memory and reproducible random numbers.

#[cfg(test)]
pub(super) mod random_reads;
#[cfg(test)]
pub(super) mod random_writes;

use super::read::mask::Missing;
use super::{
    Array, ByteOrder, Cache, CacheLimits, DeclaredShape, Geometry, Payload, PayloadCache, ScalarType, TemporaryFiles,
};
use crate::codec::{Codec, Compression, encode};
use crate::error::Result;
use crate::limits::Limits;
use crate::source::{FileSource, MemorySource, Source};
use crate::tree::Tree;
use std::sync::Arc;

pub(super) const NATIVE: ByteOrder = ByteOrder::NATIVE;

/// Reproducible random numbers.
pub(super) struct Lcg(pub(super) u64);

impl Lcg {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    pub(super) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

/// The tree of a YAML document.
pub(super) fn tree(text: &str) -> Tree {
    let text = format!("%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- {text}\n...\n");
    crate::yaml::parse(text, 0, 1, &Limits::default()).unwrap().tree
}

/// Uncompressed bytes after `offset` other bytes.
pub(super) fn stored(bytes: &[u8], offset: u64) -> Payload {
    let mut file = vec![0xEE; offset as usize];
    file.extend_from_slice(bytes);
    Payload::Stored { source: Arc::new(MemorySource::of_vec(file)), offset, length: bytes.len() as u64 }
}

/// The same bytes in a file, which are read by positioned reads.
pub(super) fn stored_in_file(bytes: &[u8], offset: u64) -> Payload {
    use std::os::unix::fs::FileExt;
    let file = tempfile::tempfile().unwrap();
    file.write_all_at(bytes, offset).unwrap();
    Payload::Stored { source: Arc::new(FileSource::from_file(file).unwrap()), offset, length: bytes.len() as u64 }
}

/// The same bytes in a source whose type is the caller's own.
pub(super) fn stored_by_caller(bytes: &[u8], offset: u64) -> Payload {
    let Payload::Stored { source, .. } = stored(bytes, offset) else { unreachable!() };
    Payload::Stored { source: Arc::new(OfCaller(source)), offset, length: bytes.len() as u64 }
}

struct OfCaller(Arc<dyn Source>);

impl Source for OfCaller {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn request_cost(&self) -> u64 {
        30
    }
}

/// Compressed bytes between a few other bytes.
pub(super) fn encoded(bytes: &[u8], codec: Codec) -> Payload {
    let mut packed = Vec::new();
    encode(&Compression::new(codec, None).unwrap(), bytes, &mut packed, 1).unwrap();
    payload(&packed, bytes.len(), codec)
}

/// Bytes compressed with lz4 in chunks of this size.
pub(super) fn encoded_in_chunks(bytes: &[u8], size: usize) -> Payload {
    let mut packed = Vec::new();
    for chunk in bytes.chunks(size) {
        let block = lz4_flex::block::compress(chunk);
        packed.extend_from_slice(&(block.len() as u32 + 4).to_be_bytes());
        packed.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        packed.extend_from_slice(&block);
    }
    payload(&packed, bytes.len(), Codec::Lz4)
}

fn payload(packed: &[u8], decoded: usize, codec: Codec) -> Payload {
    let used_size = packed.len() as u64;
    let file = [&[0xEE; 5][..], packed, &[0xEE; 5]].concat();
    let source = Arc::new(MemorySource::of_vec(file));
    let (codec, cache) = (codec.into(), PayloadCache::default());
    Payload::Encoded { source, offset: 5, used_size, data_size: decoded as u64, codec, cache }
}

/// The payload, with these limits on cached decoded bytes.
pub(super) fn cached(payload: Payload, limits: CacheLimits) -> Payload {
    match payload {
        Payload::Encoded { source, offset, used_size, data_size, codec, .. } => {
            let cache = PayloadCache::new(Cache::new(limits), 0, offset);
            Payload::Encoded { source, offset, used_size, data_size, codec, cache }
        }
        other => other,
    }
}

/// Cache limits on memory and disk, in bytes.
pub(super) fn limits(memory: u64, disk: u64) -> CacheLimits {
    CacheLimits { memory, disk, files: TemporaryFiles::SystemDirectory }
}

/// An array with a memory limit of 1 MiB for decoding.
pub(super) fn array(scalar: ScalarType, byteorder: ByteOrder, geometry: Geometry, payload: Payload) -> Array {
    let datatype = scalar.into();
    Array {
        datatype,
        byteorder,
        geometry,
        payload,
        missing: Missing::Nothing,
        decoded_bytes: 1 << 20,
        warnings: Vec::new(),
        owner: None,
    }
}

/// An array packed in C order.
pub(super) fn contiguous(scalar: ScalarType, byteorder: ByteOrder, shape: &[i64], payload: Payload) -> Array {
    let shape = DeclaredShape::Fixed(shape.to_vec());
    let geometry = Geometry::new(&shape, None, 0, scalar.size() as u64, payload.length()).unwrap();
    array(scalar, byteorder, geometry, payload)
}
