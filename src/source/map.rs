//! Reference-counted views of bytes without a copy: a mapped part of a file, or shared memory.
//!
//! Only zero-copy array views, and files opened with that option, use maps. All other reads are positioned.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use std::fs::File;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes with shared ownership: a vector, a map, or memory that a caller lends.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Bytes that stay at the same address as long as the map lives.
#[derive(Clone)]
pub struct Map(Kind);

debug_by_name!(Map, "Map");

#[derive(Clone)]
enum Kind {
    /// Also holds the file, because its locks end when it is closed.
    File(Arc<(memmap2::Mmap, Arc<File>)>, Range<usize>),
    Memory(SharedBytes, Range<usize>),
}

impl Map {
    /// Maps part of a file. The caller has checked that this part exists.
    pub(super) fn of_file(file: &Arc<File>, offset: u64, length: u64) -> Result<Map> {
        let size = usize::try_from(length).map_err(|_| Error::out_of_memory(length))?;
        if size == 0 {
            // The operating system refuses an empty mapping.
            return Ok(Map::of_vec(Vec::new()));
        }
        // SAFETY: the bytes are only ever exposed as a shared slice of plain integers. Another process can change or
        // shorten the file while it is mapped; this hazard is documented for views and for files that are read through
        // a map.
        let map = unsafe { memmap2::MmapOptions::new().offset(offset).len(size).map(&**file) }
            .map_err(|error| Error::io("cannot map the file", &error).at_offset(offset))?;
        Ok(Map(Kind::File(Arc::new((map, file.clone())), 0..size)))
    }

    /// Returns a view that owns its bytes.
    pub(crate) fn of_vec(bytes: Vec<u8>) -> Map {
        let whole = 0..bytes.len();
        Map(Kind::Memory(Arc::new(bytes), whole))
    }

    /// Returns a view of part of the bytes, or `None` if the part extends past their end.
    pub(super) fn of_memory(bytes: SharedBytes, offset: u64, length: u64) -> Option<Map> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        (end <= (*bytes).as_ref().len()).then(|| Map(Kind::Memory(bytes, start..end)))
    }

    /// Returns a view of part of this view, or `None` if the part extends past its end.
    pub(super) fn part(&self, offset: u64, length: u64) -> Option<Map> {
        let start = usize::try_from(offset).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        if end > self.len() {
            return None;
        }
        let within = |range: &Range<usize>| range.start + start..range.start + end;
        Some(Map(match &self.0 {
            Kind::File(map, range) => Kind::File(map.clone(), within(range)),
            Kind::Memory(bytes, range) => Kind::Memory(bytes.clone(), within(range)),
        }))
    }
}

impl Deref for Map {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Kind::File(map, range) => &map.0[range.clone()],
            Kind::Memory(bytes, range) => &(**bytes).as_ref()[range.clone()],
        }
    }
}
