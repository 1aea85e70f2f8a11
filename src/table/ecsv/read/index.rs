//! Index of the records of a table in text: offsets from which a reader can begin.
//!
//! Several processes then read disjoint ranges of rows of one file. [`super::index_scan`] makes the index.

use crate::error::{Error, Result, Status};
use crate::source::Source;
use crate::table::ecsv::Input;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;
use twox_hash::XxHash32;

/// Bytes at the beginning of the file by which the index knows it.
pub(super) const KNOWN_BYTES: u64 = 64 * 1024;
/// First line of an index as text.
const TITLE: &str = "asdfkit table index 1";
/// Offsets of records, every few rows, for the option `index` of reading.
///
/// Its text, from `to_string`, can be stored and sent to other processes; `parse` reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableIndex {
    pub(super) size: u64,
    pub(super) hash: u32,
    pub(super) rows: u64,
    pub(super) step: u64,
    /// Offset and line of every `step`-th record.
    pub(super) records: Vec<[u64; 2]>,
}

impl TableIndex {
    /// The number of rows of the table.
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// Returns the row of the last offset that is not after a row, the offset, and its line; `None` for rows beyond the
    /// end.
    pub(super) fn before(&self, row: u64) -> Option<(u64, [u64; 2])> {
        if row >= self.rows {
            return None;
        }
        let place = row / self.step;
        let record = self.records.get(usize::try_from(place).ok()?)?;
        Some((place * self.step, *record))
    }

    /// Fails with [`Status::FileChanged`] unless the input is the one that the index was made of.
    pub(super) fn check(&self, input: &Input) -> Result<()> {
        check_seekable(input)?;
        if input.stored_bytes() == self.size && input.hash_of_start(KNOWN_BYTES)? == self.hash {
            return Ok(());
        }
        let message = "the index of the table was made of another file, or the file was changed since; make it again";
        Err(Error::new(Status::FileChanged, message))
    }
}

/// Fails with [`Status::Unsupported`] if offsets in the text are not offsets in the source.
pub(super) fn check_seekable(input: &Input) -> Result<()> {
    let message = match () {
        () if input.is_compressed() => "a compressed table has no index; decompress it first",
        () if input.has_carriage_returns() => "a table whose lines end with carriage returns alone has no index",
        () => return Ok(()),
    };
    Err(Error::new(Status::Unsupported, message))
}

impl Input {
    /// Returns the hash of the first bytes of the source.
    pub(super) fn hash_of_start(&self, most: u64) -> Result<u32> {
        let source: &Arc<dyn Source> = self.source();
        let start = crate::source::read_vec_at(&**source, 0, most.min(source.len()))?;
        Ok(XxHash32::oneshot(0, &start))
    }
}

/// The text of an index.
impl Display for TableIndex {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let TableIndex { size, hash, rows, step, records } = self;
        writeln!(formatter, "{TITLE}\nsize {size}\nhash {hash}\nrows {rows}\nstep {step}")?;
        records.iter().try_for_each(|[offset, line]| writeln!(formatter, "{offset} {line}"))
    }
}

impl FromStr for TableIndex {
    type Err = Error;

    /// Reads the text of an index. Fails with [`Status::InvalidArgument`] for any other text.
    fn from_str(text: &str) -> Result<TableIndex> {
        let bad = || Error::new(Status::InvalidArgument, "the text is no index of a table");
        let rest = text.strip_prefix(TITLE).ok_or_else(bad)?;
        let mut words = rest.split_ascii_whitespace();
        let mut number = |name: &str| -> Result<u64> {
            let named = words.next() == Some(name);
            words.next().filter(|_| named).and_then(|word| word.parse().ok()).ok_or_else(bad)
        };
        let (size, hash) = (number("size")?, u32::try_from(number("hash")?).map_err(|_| bad())?);
        let (rows, step) = (number("rows")?, number("step")?);
        let numbers: Vec<u64> = words.map(str::parse).collect::<std::result::Result<_, _>>().map_err(|_| bad())?;
        let (records, odd) = numbers.as_chunks::<2>();
        let is_ordered = records.is_sorted() && records.last().is_none_or(|[offset, _]| *offset < size);
        if step == 0 || !odd.is_empty() || records.len() as u64 != rows.div_ceil(step) || !is_ordered {
            return Err(bad());
        }
        Ok(TableIndex { size, hash, rows, step, records: records.to_vec() })
    }
}
