//! Source of the elements of an HDU that are not as stored. Each read converts the bytes that it needs.

use super::conversion::Conversion;
use super::heap::HeapColumn;
use crate::error::{Error, Result, Status};
use crate::progress;
use crate::source::{OwnSource, Source, read_exact_at, try_zeroed, zeroed_bytes};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Stored bytes that are converted at a time.
const PIECE: u64 = if cfg!(test) { 64 } else { 256 * 1024 };

/// Neighbouring values of a record with one conversion.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// First byte in the stored record.
    pub(super) stored: u64,
    /// First byte in the converted record.
    pub(super) first: u64,
    /// Number of values.
    pub(super) count: u64,
    pub(super) conversion: Conversion,
    /// For values in the heap: `stored` is the place of their descriptor, and a record has up to `count` of them.
    pub(super) heap: Option<Arc<HeapColumn>>,
}

impl Part {
    /// Returns the byte after the last one in the converted record.
    pub(super) fn end(&self) -> u64 {
        self.first + self.count * self.size()
    }

    /// Bytes in the stored record.
    pub(super) fn stored_bytes(&self) -> u64 {
        self.heap.as_ref().map_or_else(|| self.count * self.stored_size(), |heap| heap.size())
    }

    fn size(&self) -> u64 {
        self.conversion.size() as u64
    }

    fn stored_size(&self) -> u64 {
        self.conversion.stored_size() as u64
    }
}

/// Converted records. The parts fill a record without gaps.
pub(super) struct ConvertedSource {
    pub(super) source: Arc<dyn Source>,
    /// First byte of the first stored record.
    pub(super) offset: u64,
    /// Number of records.
    pub(super) count: u64,
    /// Bytes of a stored record.
    pub(super) stored_size: u64,
    /// Bytes of a converted record.
    pub(super) size: u64,
    pub(super) parts: Vec<Part>,
}

impl ConvertedSource {
    /// Converts records into the start of `buffer`, beginning with a byte of a record. Returns the number of bytes.
    fn read_records(&self, record: u64, skipped: u64, buffer: &mut [u8]) -> Result<usize> {
        let most = (PIECE / self.stored_size.max(self.size).max(1)).max(1);
        let count = (skipped + buffer.len() as u64).div_ceil(self.size).min(most).min(self.count - record);
        let mut stored = zeroed_bytes(count * self.stored_size)?;
        read_exact_at(&*self.source, self.offset + record * self.stored_size, &mut stored)?;
        let mut converted = zeroed_bytes(count * self.size)?;
        let records =
            stored.chunks_exact(self.stored_size as usize).zip(converted.chunks_exact_mut(self.size as usize));
        for (stored, converted) in records {
            for part in &self.parts {
                let (from, to) = (part.stored as usize, part.first as usize);
                let from = from..from + part.stored_bytes() as usize;
                let to = to..to + (part.count * part.size()) as usize;
                if let (Some(from), Some(to)) = (stored.get(from), converted.get_mut(to)) {
                    match &part.heap {
                        None => part.conversion.convert(from, to),
                        Some(heap) => self.read_cell(part, heap, from, 0, to)?,
                    }
                }
            }
        }
        Ok(copy(&converted, skipped, buffer))
    }

    /// Converts values of one part of a large record into the start of `buffer`. Returns the number of bytes.
    fn read_part(&self, record: u64, skipped: u64, buffer: &mut [u8]) -> Result<usize> {
        let next = self.parts.partition_point(|part| part.first <= skipped);
        let part = next.checked_sub(1).and_then(|place| self.parts.get(place));
        let part = part.ok_or_else(|| Error::new(Status::Internal, "a byte belongs to no field"))?;
        let (size, stored_size) = (part.size(), part.stored_size());
        let (first, skipped) = ((skipped - part.first) / size, (skipped - part.first) % size);
        let most = (PIECE / stored_size).max(1);
        let count = (skipped + buffer.len() as u64).div_ceil(size).min(most).min(part.count - first);
        let bytes = to_size(count * size)?;
        let place = self.offset + record * self.stored_size + part.stored;
        if let Some(heap) = &part.heap {
            let (mut descriptor, mut cell) = (zeroed_bytes(heap.size())?, try_zeroed(bytes)?);
            read_exact_at(&*self.source, place, &mut descriptor)?;
            self.read_cell(part, heap, &descriptor, first, &mut cell)?;
            return Ok(copy(&cell, skipped, buffer));
        }
        let mut stored = zeroed_bytes(count * stored_size)?;
        read_exact_at(&*self.source, place + first * stored_size, &mut stored)?;
        match buffer.get_mut(..bytes) {
            Some(elements) if skipped == 0 => {
                part.conversion.convert(&stored, elements);
                Ok(bytes)
            }
            _ => {
                let mut converted = try_zeroed(bytes)?;
                part.conversion.convert(&stored, &mut converted);
                Ok(copy(&converted, skipped, buffer))
            }
        }
    }
}

impl ConvertedSource {
    /// Converts the values of a descriptor from the value `first` on. `cell` has zeros, which stay after the last value.
    fn read_cell(&self, part: &Part, heap: &HeapColumn, descriptor: &[u8], first: u64, cell: &mut [u8]) -> Result<()> {
        let (size, stored_size) = (part.size(), part.stored_size());
        let Some((_, place)) = heap.place(descriptor) else {
            let message = "the values of a row are outside of the heap of the table";
            return Err(Error::new(Status::FitsHeader, message).at_offset(heap.heap.start));
        };
        let available = ((place.end - place.start) / stored_size).saturating_sub(first);
        let count = available.min(cell.len() as u64 / size);
        if let Some(values) = cell.get_mut(..(count * size) as usize).filter(|values| !values.is_empty()) {
            let mut stored = zeroed_bytes(count * stored_size)?;
            read_exact_at(&*self.source, place.start + first * stored_size, &mut stored)?;
            part.conversion.convert(&stored, values);
        }
        Ok(())
    }
}

fn to_size(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).map_err(|_| Error::out_of_memory(bytes))
}

/// Copies bytes from `skipped` on to the start of `buffer`. Returns their number.
fn copy(converted: &[u8], skipped: u64, buffer: &mut [u8]) -> usize {
    let converted = converted.get(skipped as usize..).unwrap_or_default();
    let count = converted.len().min(buffer.len());
    buffer.iter_mut().zip(converted).for_each(|(byte, converted)| *byte = *converted);
    count
}

impl Source for ConvertedSource {
    fn len(&self) -> u64 {
        self.count * self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.len().saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(available);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..wanted).filter(|rest| !rest.is_empty()) {
            progress::check()?;
            let at = offset + done as u64;
            let (record, skipped) = (at / self.size, at % self.size);
            done += if self.stored_size.max(self.size) <= PIECE {
                self.read_records(record, skipped, rest)?
            } else {
                self.read_part(record, skipped, rest)?
            };
        }
        Ok(done)
    }

    fn request_cost(&self) -> u64 {
        self.source.request_cost()
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for ConvertedSource {
    fn opened_file(&self) -> Option<Arc<File>> {
        self.source.opened_file()
    }

    fn check_unchanged(&self) -> Result<()> {
        self.source.check_unchanged()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.source.is_at(path)
    }
}
