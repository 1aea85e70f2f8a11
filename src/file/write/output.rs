//! Outputs for writing a file.

use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, settle, try_zeroed};
use std::fs::File;
use std::hash::Hasher;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use twox_hash::XxHash64;

const COPY_PIECE: u64 = 1 << 20;
/// Maximum number of bytes that are gathered for one write.
const GATHERED: usize = 128 << 10;

/// Destination of bytes.
pub(crate) enum Target<'a> {
    /// A file, from its current position.
    File(&'a mut File),
    /// A file within a file, from this byte on, which is the current position.
    Within(&'a mut File, u64),
    /// Memory, from its start.
    Memory(&'a mut MemorySink),
    /// Any other writer.
    Stream(&'a mut dyn Write),
}

/// Output that reports errors of this crate.
pub(crate) struct Output<'a> {
    target: Target<'a>,
    /// Bytes that are written together with the next ones; `None` outside of [`Output::gather`].
    gathered: Option<Vec<u8>>,
    /// Hash of all bytes, if it is wanted and they are written one after another.
    hash: Option<XxHash64>,
}

impl<'a> Output<'a> {
    pub(crate) fn new(target: Target<'a>) -> Output<'a> {
        Output { target, gathered: None, hash: None }
    }

    /// Same as [`Output::new`]; [`Output::hash`] then returns a hash.
    pub(crate) fn hashing(target: Target<'a>) -> Output<'a> {
        Output { hash: Some(XxHash64::with_seed(0)), ..Output::new(target) }
    }

    /// Returns the XXH64 of all bytes after [`Output::finish`]. Returns `None` if it was not wanted, or if the system copied
    /// bytes or some were written twice.
    pub(crate) fn hash(&self) -> Option<u64> {
        self.hash.as_ref().map(Hasher::finish)
    }

    /// Calls `work`, which makes many small writes. They become fewer large ones.
    pub(crate) fn gather<T>(&mut self, work: impl FnOnce(&mut Output<'a>) -> Result<T>) -> Result<T> {
        self.gathered = Some(Vec::new());
        let result = work(self);
        let written = self.put_gathered();
        self.gathered = None;
        result.and_then(|value| written.map(|()| value))
    }

    /// Writes the gathered bytes.
    fn put_gathered(&mut self) -> Result<()> {
        let Some(mut gathered) = self.gathered.take() else { return Ok(()) };
        let written = self.put_directly(&gathered);
        gathered.clear();
        self.gathered = Some(gathered);
        written
    }

    /// Returns the target after all bytes so far were written.
    fn target(&mut self) -> Result<&mut Target<'a>> {
        self.put_gathered()?;
        Ok(&mut self.target)
    }

    fn stream(&mut self) -> &mut dyn Write {
        match &mut self.target {
            Target::File(file) | Target::Within(file, _) => *file,
            Target::Memory(sink) => *sink,
            Target::Stream(stream) => *stream,
        }
    }

    /// Returns the file that is written, and the byte from which offsets count, after all bytes so far were written.
    fn file(&mut self) -> Result<Option<(&mut File, u64)>> {
        // What the file gets next is not seen here.
        self.hash = None;
        Ok(match self.target()? {
            Target::File(file) => Some((*file, 0)),
            Target::Within(file, start) => Some((*file, *start)),
            Target::Memory(_) | Target::Stream(_) => None,
        })
    }

    fn put_directly(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream().write_all(bytes).map_err(|error| Error::io("cannot write", &error))?;
        if let Some(hash) = &mut self.hash {
            hash.write(bytes);
        }
        Ok(())
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        if self.gathered.as_ref().is_some_and(|gathered| gathered.len() + bytes.len() > GATHERED) {
            self.put_gathered()?;
        }
        match &mut self.gathered {
            Some(gathered) if bytes.len() <= GATHERED => {
                gathered.try_reserve(bytes.len()).map_err(|_| Error::out_of_memory(bytes.len() as u64))?;
                gathered.extend_from_slice(bytes);
                Ok(())
            }
            _ => self.put_directly(bytes),
        }
    }

    /// Writes bytes in pieces and reports progress between them.
    pub(super) fn put_counted(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.chunks(progress::piece_size(bytes.len()).max(1)) {
            self.put(piece)?;
            progress::advance(Counted::Written, piece.len() as u64)?;
        }
        Ok(())
    }

    /// Copies bytes of a source. From file to file, the system copies; some file systems then share the disk blocks.
    pub(crate) fn copy(&mut self, source: &dyn Source, range: Range<u64>) -> Result<()> {
        let copied =
            self.copy_by_system(source, range.clone()).and_then(|done| self.copy_pieces(source, done..range.end));
        settle(source, copied)
    }

    /// Copies by a system call, and returns the offset up to which it succeeded. No progress is not an error: the call
    /// works only for some pairs of files.
    #[cfg(target_os = "linux")]
    fn copy_by_system(&mut self, source: &dyn Source, range: Range<u64>) -> Result<u64> {
        use rustix::fs::copy_file_range;
        use rustix::io::Errno;
        const PAGE: u64 = 4096;
        let Some(file) = source.file() else { return Ok(range.start) };
        let Some((target, _)) = self.file()? else { return Ok(range.start) };
        let mut at = range.start;
        while at < range.end {
            // Start at a page boundary, because only whole pages can be shared.
            let most = if at.is_multiple_of(PAGE) { 1 << 30 } else { PAGE - at % PAGE };
            let count = progress::piece_size((range.end - at).min(most) as usize);
            match copy_file_range(&file, Some(&mut at), &*target, None, count) {
                Ok(0) => break,
                Ok(copied) => progress::advance(Counted::Written, copied as u64)?,
                Err(Errno::INTR) => {}
                // The disk is full or broken, so another way to copy would fail as well.
                Err(error @ (Errno::NOSPC | Errno::DQUOT | Errno::IO | Errno::FBIG)) => {
                    return Err(Error::io("cannot write", &error.into()));
                }
                Err(_) => break,
            }
        }
        Ok(at)
    }

    #[cfg(not(target_os = "linux"))]
    fn copy_by_system(&mut self, _source: &dyn Source, range: Range<u64>) -> Result<u64> {
        Ok(range.start)
    }

    fn copy_pieces(&mut self, source: &dyn Source, range: Range<u64>) -> Result<()> {
        let mut buffer = try_zeroed(range.end.saturating_sub(range.start).min(COPY_PIECE) as usize)?;
        let mut at = range.start;
        while at < range.end {
            let count = (buffer.len() as u64).min(range.end - at) as usize;
            read_exact_at(source, at, &mut buffer[..count])?;
            self.put(&buffer[..count])?;
            at += count as u64;
            progress::advance(Counted::Written, count as u64)?;
        }
        Ok(())
    }

    /// Returns true if [`Output::patch`] is supported.
    pub(super) fn can_patch(&self) -> bool {
        !matches!(self.target, Target::Stream(_))
    }

    /// Overwrites bytes written earlier. `offset` counts from the start of the file or the memory, or from that of a file
    /// within a file.
    pub(super) fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let failed = |error: std::io::Error| Error::io("cannot write", &error);
        if let Some((file, start)) = self.file()? {
            let end = file.stream_position().map_err(failed)?;
            file.seek(SeekFrom::Start(start + offset)).map_err(failed)?;
            file.write_all(bytes).map_err(failed)?;
            file.seek(SeekFrom::Start(end)).map_err(failed)?;
            return Ok(());
        }
        match self.target()? {
            Target::Memory(sink) => {
                let start = usize::try_from(offset).ok();
                let place = start.and_then(|start| sink.0.get_mut(start..)?.get_mut(..bytes.len()));
                place
                    .ok_or_else(|| Error::new(Status::Internal, "the bytes to change are not written yet"))?
                    .copy_from_slice(bytes);
                Ok(())
            }
            _ => Err(Error::new(Status::Internal, "a stream cannot be changed after writing")),
        }
    }

    /// Writes `count` zeros. In a file they become a hole without disk space, if the file system supports that.
    pub(super) fn hole(&mut self, count: u64) -> Result<()> {
        let failed = |error: std::io::Error| Error::io("cannot write", &error);
        let Some((file, _)) = self.file()? else { return self.zeros(count) };
        let start = file.stream_position().map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        // Existing content must be overwritten with zeros.
        let there = length.saturating_sub(start).min(count);
        let end = start.saturating_add(count);
        self.zeros(there)?;
        let Some((file, _)) = self.file()? else { return Ok(()) };
        if end > length {
            file.set_len(end).map_err(failed)?;
            file.seek(SeekFrom::Start(end)).map_err(failed)?;
        }
        progress::advance(Counted::Written, count - there)
    }

    pub(super) fn zeros(&mut self, mut count: u64) -> Result<()> {
        let zeros = [0; 4096];
        while count > 0 {
            let now = count.min(zeros.len() as u64);
            self.put(&zeros[..now as usize])?;
            count -= now;
            progress::advance(Counted::Written, now)?;
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        self.put_gathered()?;
        self.stream().flush().map_err(|error| Error::io("cannot write", &error))
    }
}

/// A vector that reports an error if memory runs out.
pub(crate) struct MemorySink(pub(crate) Vec<u8>);

impl Write for MemorySink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.try_reserve(bytes.len()).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Adds a line feed to a text that does not end with one.
pub(crate) fn end_line(text: &mut Vec<u8>) {
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_hashed_or_none() {
        let mut file = tempfile::tempfile().unwrap();
        let mut output = Output::hashing(Target::File(&mut file));
        let write = |output: &mut Output| {
            output.put(b"small ")?;
            output.put(&[7; GATHERED + 1])
        };
        output.gather(write).unwrap();
        output.put(b" end").unwrap();
        output.finish().unwrap();
        let expected = [&b"small "[..], &[7; GATHERED + 1], b" end"].concat();
        assert_eq!(output.hash(), Some(XxHash64::oneshot(0, &expected)));
        // Bytes in memory are not copied by the system.
        let source = crate::source::MemorySource::of_vec(vec![1; 10]);
        output.copy(&source, 2..10).unwrap();
        let more = [&expected[..], &[1; 8]].concat();
        assert_eq!(output.hash(), Some(XxHash64::oneshot(0, &more)));
        output.patch(0, b"S").unwrap();
        assert_eq!(output.hash(), None);
        assert_eq!(Output::new(Target::File(&mut file)).hash(), None);
    }

    #[test]
    fn holes_are_not_hashed() {
        let mut file = tempfile::tempfile().unwrap();
        let mut output = Output::hashing(Target::File(&mut file));
        output.hole(10).unwrap();
        output.finish().unwrap();
        assert_eq!(output.hash(), None);
    }
}
