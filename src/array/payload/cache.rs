//! Cache of decoded payloads, so that reads of many regions decode an array once.
//!
//! A cache is bounded. A file and the external files that it refers to share one cache. The least recently used entries
//! are removed first; a reader keeps the bytes that it is using. Each process has its own cache: a forked child neither
//! waits for threads of its parent nor uses temporary files that its parent writes.

use super::decoded::{Compressed, Decoded};
use crate::codec::{ChunkIndex, CodedChunk};
use crate::error::Result;
use crate::process::PerProcess;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Decoded chunks that are smaller on average do not get separate entries.
const LEAST_CHUNK: u64 = if cfg!(test) { 8 } else { 64 * 1024 };

/// The location of temporary files for decoded bytes that do not fit into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TemporaryFiles {
    /// Unnamed files in the system's directory for temporary files.
    #[default]
    SystemDirectory,
    /// Unnamed files in this directory.
    Directory(PathBuf),
    /// No temporary files. Each read of such bytes decodes them again if it can do so with little memory, or fails.
    Never,
}

/// Limits on the resources of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheLimits {
    /// Memory in bytes.
    pub(crate) memory: u64,
    /// Size of temporary files in bytes.
    pub(crate) disk: u64,
    /// Location of the temporary files.
    pub(crate) files: TemporaryFiles,
}

impl CacheLimits {
    /// No caching.
    pub(crate) const NOTHING: CacheLimits = CacheLimits { memory: 0, disk: 0, files: TemporaryFiles::Never };

    fn disk(&self) -> u64 {
        if self.files == TemporaryFiles::Never { 0 } else { self.disk }
    }
}

/// Decoded bytes kept for later reads. Clones share the same cache.
#[derive(Clone)]
pub(crate) struct Cache(Arc<Inner>);

struct Inner {
    limits: CacheLimits,
    content: PerProcess<CacheContent>,
}

#[derive(Default)]
struct CacheContent {
    entries: HashMap<Key, Entry>,
    /// Keys ordered by last use.
    by_use: BTreeMap<u64, Key>,
    uses: u64,
    memory: u64,
    disk: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    file: u32,
    offset: u64,
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Part {
    Bytes,
    Index,
    Chunk(usize),
    /// The whole payload as a chunk of a chunked array.
    Whole,
}

struct Entry {
    used: u64,
    memory: u64,
    disk: u64,
    value: Value,
}

#[derive(Clone)]
enum Value {
    Bytes(Arc<Decoded>),
    Index(Option<Arc<ChunkIndex>>),
    Chunk(Arc<Slot>),
}

/// The bytes of one chunk; `None` until a thread has decoded them.
type Slot = Mutex<Option<Arc<Vec<u8>>>>;

impl Cache {
    /// Makes an empty cache.
    pub(crate) fn new(limits: CacheLimits) -> Cache {
        Cache(Arc::new(Inner { limits, content: PerProcess::default() }))
    }

    /// Removes all entries.
    pub(crate) fn clear(&self) {
        *self.content() = CacheContent::default();
    }

    fn content(&self) -> MutexGuard<'_, CacheContent> {
        // A panic cannot leave the content half changed.
        self.0.content.lock_or_default()
    }
}

impl Default for Cache {
    fn default() -> Cache {
        Cache::new(CacheLimits::NOTHING)
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = self.content();
        write!(f, "Cache({} bytes in memory, {} on disk)", content.memory, content.disk)
    }
}

impl CacheContent {
    fn get(&mut self, key: Key) -> Option<Value> {
        let entry = self.entries.get_mut(&key)?;
        self.by_use.remove(&entry.used);
        self.uses += 1;
        entry.used = self.uses;
        self.by_use.insert(entry.used, key);
        Some(entry.value.clone())
    }

    fn remove(&mut self, key: Key) {
        if let Some(entry) = self.entries.remove(&key) {
            self.by_use.remove(&entry.used);
            self.memory -= entry.memory;
            self.disk -= entry.disk;
        }
    }

    /// Inserts a value of this size in memory and on disk, which must be within the limits. Removes the least recently
    /// used entries that make room for it.
    fn insert(&mut self, key: Key, [memory, disk]: [u64; 2], value: Value, limits: &CacheLimits) {
        self.remove(key);
        let mut oldest = 0;
        while let Some((&used, &other)) = self.by_use.range(oldest..).next()
            && (self.memory > limits.memory - memory || self.disk > limits.disk() - disk)
        {
            oldest = used + 1;
            let helps = self.entries.get(&other).is_some_and(|entry| match memory {
                0 => entry.disk > 0,
                _ => entry.memory > 0,
            });
            if helps {
                self.remove(other);
            }
        }
        self.uses += 1;
        self.by_use.insert(self.uses, key);
        self.entries.insert(key, Entry { used: self.uses, memory, disk, value });
        self.memory += memory;
        self.disk += disk;
    }
}

/// The entries of one payload in a cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct PayloadCache {
    cache: Cache,
    file: u32,
    offset: u64,
}

impl PayloadCache {
    /// Makes the cache of the payload at this offset of a file. `file` identifies the file in the shared cache.
    pub(crate) fn new(cache: Cache, file: u32, offset: u64) -> PayloadCache {
        PayloadCache { cache, file, offset }
    }

    fn key(&self, part: Part) -> Key {
        Key { file: self.file, offset: self.offset, part }
    }

    pub(crate) fn limits(&self) -> &CacheLimits {
        &self.cache.0.limits
    }

    /// Returns the decoded bytes in the cache.
    pub(crate) fn bytes(&self) -> Option<Arc<Decoded>> {
        match self.cache.content().get(self.key(Part::Bytes)) {
            Some(Value::Bytes(decoded)) => Some(decoded),
            _ => None,
        }
    }

    /// Returns the decoded bytes in the cache, or inserts an entry that has no bytes yet. Returns `None` if the bytes
    /// exceed the limits or no temporary file can be created.
    pub(crate) fn keep_bytes(&self, compressed: &Compressed) -> Result<Option<Arc<Decoded>>> {
        let key = self.key(Part::Bytes);
        let mut content = self.cache.content();
        if let Some(Value::Bytes(decoded)) = content.get(key) {
            return Ok(Some(decoded));
        }
        let (limits, size) = (self.limits(), compressed.data_size);
        let (cost, decoded) = if size <= limits.memory {
            ([size, 0], Decoded::in_memory(compressed)?)
        } else if size <= limits.disk() && limits.memory > 0 {
            let Some(decoded) = self.in_file(compressed) else { return Ok(None) };
            ([0, size], decoded)
        } else {
            return Ok(None);
        };
        let decoded = Arc::new(decoded);
        content.insert(key, cost, Value::Bytes(decoded.clone()), limits);
        Ok(Some(decoded))
    }

    /// Makes decoded bytes in a temporary file; `None` if the limits forbid it or the file cannot be created.
    pub(crate) fn in_file(&self, compressed: &Compressed) -> Option<Decoded> {
        let directory = match &self.limits().files {
            TemporaryFiles::Never => return None,
            TemporaryFiles::SystemDirectory => None,
            TemporaryFiles::Directory(directory) => Some(&**directory),
        };
        if compressed.data_size > self.limits().disk { None } else { Decoded::in_file(compressed, directory).ok() }
    }

    /// Returns whether the cache holds decoded bytes or a chunk index of the payload.
    pub(crate) fn is_used(&self) -> bool {
        let content = self.cache.content();
        [Part::Bytes, Part::Index].into_iter().any(|part| content.entries.contains_key(&self.key(part)))
    }

    /// Removes all entries of the payload.
    pub(crate) fn forget(&self) {
        let mut content = self.cache.content();
        let of_this = |key: &&Key| (key.file, key.offset) == (self.file, self.offset);
        let keys: Vec<Key> = content.entries.keys().filter(of_this).copied().collect();
        keys.into_iter().for_each(|key| content.remove(key));
    }

    /// Removes the decoded bytes of the payload.
    pub(crate) fn forget_bytes(&self) {
        self.cache.content().remove(self.key(Part::Bytes));
    }

    /// Returns the chunk index of a payload. `None` if the payload has no chunks or they are too small for separate
    /// entries.
    pub(crate) fn index(&self, compressed: &Compressed) -> Result<Option<Arc<ChunkIndex>>> {
        let Compressed { codec, source, offset, used_size, data_size, .. } = compressed;
        let key = self.key(Part::Index);
        if let Some(Value::Index(index)) = self.cache.content().get(key) {
            return Ok(index);
        }
        let most = usize::try_from(data_size / LEAST_CHUNK).unwrap_or(usize::MAX).saturating_add(1);
        let index = codec.chunk_index(&**source, *offset, *used_size, *data_size, most)?.map(Arc::new);
        let size = index.as_ref().map_or(0, |index| size_of_val(&*index.chunks)) as u64;
        let limits = self.limits();
        if size <= limits.memory {
            self.cache.content().insert(key, [size, 0], Value::Index(index.clone()), limits);
        }
        Ok(index)
    }

    /// Returns the decoded bytes of a chunk from the cache, or calls `decode` and keeps the result.
    pub(crate) fn chunk(
        &self,
        number: usize,
        chunk: &CodedChunk,
        decode: &mut dyn FnMut() -> Result<Vec<u8>>,
    ) -> Result<Arc<Vec<u8>>> {
        let Some(slot) = self.slot(number, chunk) else { return decode().map(Arc::new) };
        // Holding the lock makes other readers of the chunk wait instead of decoding it as well.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = &*slot {
            return Ok(bytes.clone());
        }
        let bytes = Arc::new(decode()?);
        *slot = Some(bytes.clone());
        Ok(bytes)
    }

    /// Returns the bytes of a chunk of a chunked array, which is the whole payload.
    pub(crate) fn kept_whole(&self) -> Option<Arc<Vec<u8>>> {
        let Some(Value::Chunk(slot)) = self.cache.content().get(self.key(Part::Whole)) else { return None };
        slot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps the bytes of a chunk of a chunked array.
    pub(crate) fn keep_whole(&self, bytes: &Arc<Vec<u8>>) {
        let (size, limits) = (bytes.len() as u64, self.limits());
        if size <= limits.memory {
            let slot = Arc::new(Mutex::new(Some(bytes.clone())));
            self.cache.content().insert(self.key(Part::Whole), [size, 0], Value::Chunk(slot), limits);
        }
    }

    /// Returns whether a chunk has been decoded or is being decoded.
    pub(crate) fn has_chunk(&self, number: usize) -> bool {
        self.cache.content().entries.contains_key(&self.key(Part::Chunk(number)))
    }

    /// Returns the slot of a chunk, inserted if needed; `None` if the chunk exceeds the limit.
    fn slot(&self, number: usize, chunk: &CodedChunk) -> Option<Arc<Slot>> {
        let (key, limits) = (self.key(Part::Chunk(number)), self.limits());
        if chunk.decoded_length > limits.memory {
            return None;
        }
        let mut content = self.cache.content();
        if let Some(Value::Chunk(slot)) = content.get(key) {
            return Some(slot);
        }
        let slot = Arc::new(Slot::default());
        content.insert(key, [chunk.decoded_length, 0], Value::Chunk(slot.clone()), limits);
        Some(slot)
    }
}
