//! Byte sequences of unknown lengths that grow side by side in one temporary file, and are sources when they are complete.
//!
//! Each sequence owns extents of one size in the file. Memory is needed for one extent and eight bytes per extent
//! written, however long the sequences become.

use super::{Source, TemporaryFile};
use crate::error::{Error, Result};
use std::path::Path;
use std::sync::Arc;

/// Memory of all sequences together, in bytes.
const MEMORY: usize = 32 << 20;
/// Sizes of an extent, in bytes.
const SMALLEST: usize = if cfg!(test) { 16 } else { 4 << 10 };
const LARGEST: usize = if cfg!(test) { 16 } else { 1 << 20 };

/// The temporary file of growing sequences.
pub(crate) struct Spool {
    file: TemporaryFile,
    extent: usize,
}

impl Spool {
    /// Creates the file for about so many sequences in this directory, or in the system's directory for temporary files.
    pub(crate) fn create(directory: Option<&Path>, sequences: usize) -> Result<Spool> {
        let share = (MEMORY / sequences.max(1)).clamp(SMALLEST, LARGEST);
        Ok(Spool { file: TemporaryFile::create(directory)?, extent: share / SMALLEST * SMALLEST })
    }

    /// Ends writing. The sources read from the result.
    pub(crate) fn finish(self) -> Arc<SpoolFile> {
        Arc::new(SpoolFile(self))
    }
}

/// The temporary file of complete sequences.
pub(crate) struct SpoolFile(Spool);

/// A growing sequence.
#[derive(Default)]
pub(crate) struct Sequence {
    /// Zeros before the first byte that is stored.
    zeros: u64,
    /// Offsets of the extents in the file. All but the last are full.
    extents: Vec<u64>,
    /// Bytes of the next extent.
    waiting: Vec<u8>,
    length: u64,
}

impl Sequence {
    /// Begins a sequence that has so many zeros.
    pub(crate) fn after_zeros(zeros: u64) -> Sequence {
        Sequence { zeros, length: zeros, ..Sequence::default() }
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Appends bytes.
    pub(crate) fn append(&mut self, mut bytes: &[u8], spool: &mut Spool) -> Result<()> {
        let length = self.length.checked_add(bytes.len() as u64);
        self.length = length.ok_or_else(|| Error::out_of_memory(u64::MAX))?;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(spool.extent - self.waiting.len()));
            if now.len() == spool.extent {
                self.put(now, spool)?;
            } else {
                self.waiting.try_reserve(now.len()).map_err(|_| Error::out_of_memory(now.len() as u64))?;
                self.waiting.extend_from_slice(now);
            }
            if self.waiting.len() == spool.extent {
                self.flush(spool)?;
            }
            bytes = later;
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8], spool: &mut Spool) -> Result<()> {
        self.extents.try_reserve(1).map_err(|_| Error::out_of_memory(8))?;
        self.extents.push(spool.file.len());
        spool.file.append(bytes)
    }

    fn flush(&mut self, spool: &mut Spool) -> Result<()> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let written = self.put(&waiting, spool);
        waiting.clear();
        self.waiting = waiting;
        written
    }

    /// Writes the bytes that wait. No more can be appended.
    pub(crate) fn end(&mut self, spool: &mut Spool) -> Result<()> {
        if !self.waiting.is_empty() {
            self.flush(spool)?;
        }
        self.waiting = Vec::new();
        Ok(())
    }

    /// Returns the bytes of a sequence that has ended.
    pub(crate) fn source(self, file: &Arc<SpoolFile>) -> SequenceSource {
        let Sequence { zeros, extents, length, .. } = self;
        SequenceSource { file: file.clone(), zeros, extents, length }
    }
}

/// The bytes of a complete sequence.
pub(crate) struct SequenceSource {
    file: Arc<SpoolFile>,
    zeros: u64,
    extents: Vec<u64>,
    length: u64,
}

impl Source for SequenceSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let Spool { file, extent } = &self.file.0;
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = available.min(buffer.len());
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..wanted).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            if at < self.zeros {
                let count = rest.len().min(usize::try_from(self.zeros - at).unwrap_or(usize::MAX));
                rest[..count].fill(0);
                done += count;
                continue;
            }
            let (number, within) = ((at - self.zeros) / *extent as u64, (at - self.zeros) as usize % extent);
            let count = rest.len().min(extent - within);
            let start = self.extents.get(number as usize).copied();
            let start = start.ok_or_else(|| Error::io("cannot read", &std::io::ErrorKind::UnexpectedEof.into()))?;
            file.read_exact_at(start + within as u64, &mut rest[..count])?;
            done += count;
        }
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::read_vec_at;

    #[test]
    fn sequences_grow_side_by_side_and_read_back_from_any_byte() {
        let mut spool = Spool::create(None, 2).unwrap();
        let (mut one, mut other) = (Sequence::default(), Sequence::after_zeros(5));
        let (mut first, mut second) = (Vec::new(), vec![0; 5]);
        for round in 0..60_u8 {
            let bytes: Vec<u8> = (0..round).collect();
            one.append(&bytes, &mut spool).unwrap();
            first.extend_from_slice(&bytes);
            other.append(&[round; 3], &mut spool).unwrap();
            second.extend([round; 3]);
        }
        assert_eq!((one.len(), other.len()), (first.len() as u64, 185));
        one.end(&mut spool).unwrap();
        other.end(&mut spool).unwrap();
        let file = spool.finish();
        for (source, expected) in [(one.source(&file), first), (other.source(&file), second)] {
            assert_eq!(read_vec_at(&source, 0, source.len()).unwrap(), expected);
            for start in 0..expected.len() + 2 {
                let mut part = [9; 21];
                let count = source.read_at(start as u64, &mut part).unwrap();
                let left = expected.get(start..).unwrap_or_default();
                assert_eq!(part[..count], left[..left.len().min(21)]);
            }
        }
    }
}
