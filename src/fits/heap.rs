//! Columns of variable length: each row has a descriptor, with the number of its values and their place in the heap.

use super::hdu::Hdu;
use crate::error::Result;
use crate::progress;
use crate::source::{Source, read_exact_at, zeroed_bytes};
use std::ops::Range;

/// Bytes of rows that are looked through at a time.
const PIECE: u64 = 1 << 20;

/// Descriptors of a column, and the heap with its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HeapColumn {
    /// True for descriptors of two 64-bit integers, false for 32-bit ones.
    pub(super) is_wide: bool,
    /// Bits of a value.
    pub(super) bits: u64,
    /// Bytes of the heap in the file.
    pub(super) heap: Range<u64>,
}

impl HeapColumn {
    /// Returns the descriptors and the heap of a table. `letter` is that of the column, whose values have this number of
    /// bits.
    pub(super) fn of_table(hdu: &Hdu, letter: u8, bits: u64) -> Result<HeapColumn> {
        let rows = hdu.value_count()?;
        let start = hdu.header.integer("THEAP", 0..=i64::MAX)?.map_or(rows, i64::unsigned_abs);
        if start < rows || start > hdu.length {
            let what =
                format!("is {start}, but the heap begins between byte {rows} and byte {} of the data", hdu.length);
            return Err(hdu.header.wrong("THEAP", &what));
        }
        Ok(HeapColumn { is_wide: letter == b'Q', bits, heap: hdu.data + start..hdu.data + hdu.length })
    }

    /// Bytes of a descriptor.
    pub(super) fn size(&self) -> u64 {
        if self.is_wide { 16 } else { 8 }
    }

    /// Returns the number of values of a descriptor, and their offset in the heap; `None` if one is negative.
    fn parse(&self, descriptor: &[u8]) -> Option<(u64, u64)> {
        let part = |place: usize| match self.is_wide {
            true => descriptor.as_chunks::<8>().0.get(place).map(|bytes| i64::from_be_bytes(*bytes)),
            false => descriptor.as_chunks::<4>().0.get(place).map(|bytes| i32::from_be_bytes(*bytes).into()),
        };
        Some((u64::try_from(part(0)?).ok()?, u64::try_from(part(1)?).ok()?))
    }

    /// Returns the number of values of a descriptor, and the bytes of the file with them; `None` if they are not in the
    /// heap.
    pub(super) fn place(&self, descriptor: &[u8]) -> Option<(u64, Range<u64>)> {
        let (count, offset) = self.parse(descriptor)?;
        if count == 0 {
            return Some((0, self.heap.start..self.heap.start));
        }
        let start = self.heap.start.checked_add(offset)?;
        let end = start.checked_add(count.checked_mul(self.bits)?.div_ceil(8))?;
        (end <= self.heap.end).then_some((count, start..end))
    }

    /// Returns the largest number of values of a row. `at` is the place of the descriptors in a row.
    ///
    /// Fails with [`Status::FitsHeader`](crate::Status::FitsHeader) for values outside of the heap.
    pub(super) fn most(&self, source: &dyn Source, hdu: &Hdu, at: u64, keyword: &str) -> Result<u64> {
        let [size, count] = hdu.axes[..] else { return Ok(0) };
        let (mut most, mut row) = (0, 0);
        while row < count {
            progress::check()?;
            let rows = (PIECE / size.max(1)).clamp(1, count - row);
            // Of long rows, only the descriptors are read.
            let (step, skipped) = if rows > 1 { (size, at) } else { (self.size(), 0) };
            let mut bytes = zeroed_bytes(rows * step)?;
            let start = hdu.data + row * size + (at - skipped);
            read_exact_at(source, start, &mut bytes)?;
            for (number, record) in bytes.chunks_exact(step as usize).enumerate() {
                let descriptor = record.get(skipped as usize..).unwrap_or_default();
                let Some((values, _)) = descriptor.get(..self.size() as usize).and_then(|one| self.place(one)) else {
                    let number = row + number as u64;
                    let what = format!("has values outside of the heap in row {number}");
                    return Err(hdu.header.wrong(keyword, &what));
                };
                most = most.max(values);
            }
            row += rows;
        }
        Ok(most)
    }
}
