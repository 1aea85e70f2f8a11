//! Splits an input into pieces: groups of whole records.

use super::cells::Records;
use super::records::{Field, MAX_BYTES, Rules};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::table::Header;
use crate::table::cell::fault::Fault;
use crate::table::ecsv::Input;
use std::sync::Arc;

/// Number of bytes in a piece, unless a record is longer. A piece and its fields fit the processor's caches.
const PIECE: usize = 256 * 1024;

/// Contiguous records and their fields.
pub(super) struct Piece {
    buffer: Arc<Vec<u8>>,
    start: usize,
    end: usize,
    /// Offset of `start` in the input.
    offset: u64,
    /// Number of the line that begins at `start`, from 1.
    line: u64,
    pub(super) fields: Vec<Field>,
    pub(super) record_count: usize,
    field_count: usize,
}

impl Piece {
    fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the number of bytes.
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }

    /// Returns the fields and their text. If part of the text is not UTF-8, returns the records before it and the
    /// error.
    pub(super) fn records(&self) -> (Records<'_>, Option<Fault>) {
        let Piece { fields, record_count, field_count, .. } = self;
        let (fields, field_count) = (fields.as_slice(), *field_count);
        let error = match std::str::from_utf8(self.bytes()) {
            Ok(text) => return (Records { text, fields, field_count, record_count: *record_count }, None),
            Err(error) => error,
        };
        let end = error.valid_up_to();
        let text = self.bytes().get(..end).and_then(|valid| std::str::from_utf8(valid).ok()).unwrap_or_default();
        let record_count = fields.partition_point(|field| field.end() <= end) / field_count.max(1);
        let fields = fields.get(..record_count * field_count).unwrap_or_default();
        (Records { text, fields, field_count, record_count }, Some(not_text(error)))
    }

    /// Converts an error in the piece to one with its place in the input.
    pub(super) fn error(&self, fault: Fault, header: &Header) -> Error {
        located(fault, self.bytes(), self.offset, self.line, Some(header))
    }
}

fn not_text(error: std::str::Utf8Error) -> Fault {
    Fault::new(Status::Encoding, "the text is not valid UTF-8", error.valid_up_to())
}

/// Adds the place to an error in bytes that begin at `offset` with the line `line`.
fn located(fault: Fault, bytes: &[u8], offset: u64, line: u64, header: Option<&Header>) -> Error {
    let before = bytes.get(..fault.place).unwrap_or(bytes);
    let of_line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let column = of_line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64 + 1;
    let error = Error::new(fault.status, fault.message)
        .at_offset(offset + before.len() as u64)
        .at_line(line + lines_of(before), column);
    match fault.column.zip(header).and_then(|(column, header)| header.columns.get(column)) {
        Some(column) => error.in_table_column(&column.name),
        None => error,
    }
}

fn lines_of(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Iterator over the pieces of an input.
pub(super) struct Pieces {
    input: Input,
    rules: Rules,
    /// Maximum number of bytes in a record.
    longest: usize,
    /// Buffer: `filled` bytes were read, and `taken` of them returned in pieces. Pieces share ownership of the buffer.
    buffer: Arc<Vec<u8>>,
    filled: usize,
    taken: usize,
    /// Former buffers, used again when no piece owns them any more.
    spare: Vec<Arc<Vec<u8>>>,
    at_end: bool,
    /// Offset and line of the first byte that is not returned yet.
    offset: u64,
    line: u64,
    /// Error after the records of the last piece.
    failure: Option<Error>,
}

impl Pieces {
    /// Begins with the bytes in `rest`, which were read already, and continues with the input.
    pub(super) fn new(input: Input, rest: Vec<u8>, offset: u64, line: u64, rules: Rules, longest: u64) -> Pieces {
        Pieces {
            input,
            rules,
            longest: usize::try_from(longest).unwrap_or(MAX_BYTES).min(MAX_BYTES),
            filled: rest.len(),
            buffer: Arc::new(rest),
            taken: 0,
            spare: Vec::new(),
            at_end: false,
            offset,
            line,
            failure: None,
        }
    }

    /// Returns the length of the input in bytes as it is stored.
    pub(super) fn stored_bytes(&self) -> u64 {
        self.input.stored_bytes()
    }

    /// Fails with [`Status::FileChanged`] if the input is known to have changed since it was opened.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        self.input.check_unchanged()
    }

    /// Returns the next piece of at most `most` records, or `None` at the end. `fields` is memory to use again.
    ///
    /// Fails as reading the input does, and with
    ///
    /// * [`Status::Record`] if a record has the wrong number of fields or misplaced quotes;
    /// * [`Status::Truncated`] if the input ends inside quotes;
    /// * [`Status::Limit`] for a record that is too long.
    pub(super) fn next(&mut self, most: usize, mut fields: Vec<Field>) -> Result<Option<Piece>> {
        if most == 0 {
            return Ok(None);
        }
        loop {
            if let Some(error) = self.failure.take() {
                return Err(error);
            }
            fields.clear();
            let bytes = self.buffer.get(self.taken..self.filled).unwrap_or_default();
            let (found, fault) = self.rules.find(bytes, self.at_end, most, &mut fields);
            self.failure = fault.map(|fault| located(fault, bytes, self.offset, self.line, None));
            let (start, offset, line) = (self.taken, self.offset, self.line);
            // Text without records, such as comments, is in no piece, so its encoding is checked here.
            let passed = bytes.get(..found.bytes).unwrap_or_default();
            if let (0, Err(error)) = (found.records, std::str::from_utf8(passed)) {
                return Err(located(not_text(error), bytes, offset, line, None));
            }
            self.line += lines_of(bytes.get(..found.bytes).unwrap_or_default());
            self.offset += found.bytes as u64;
            self.taken += found.bytes;
            if found.records > 0 {
                let (buffer, end, field_count) = (self.buffer.clone(), self.taken, self.rules.field_count);
                let record_count = found.records;
                return Ok(Some(Piece { buffer, start, end, offset, line, fields, record_count, field_count }));
            }
            if self.failure.is_none() {
                if self.at_end {
                    return Ok(None);
                }
                self.refill()?;
            }
        }
    }

    /// Reads more bytes after those that are not returned yet.
    fn refill(&mut self) -> Result<()> {
        let rest = self.filled - self.taken;
        if rest > self.longest {
            let error = Limit::RecordBytes.exceeded("the bytes of a record", self.longest as u64);
            return Err(error.at_offset(self.offset).at_line(self.line, 1));
        }
        // The size doubles each time, since an incomplete record is parsed again from its beginning.
        let size = (rest * 2).min(self.longest.saturating_add(PIECE)).clamp(PIECE, MAX_BYTES);
        let mut next = self.unused_buffer();
        let vector = Arc::get_mut(&mut next).ok_or_else(|| Error::new(Status::Internal, "a buffer is in use"))?;
        if vector.len() < size {
            vector.try_reserve_exact(size - vector.len()).map_err(|_| Error::out_of_memory(size as u64))?;
            vector.resize(size, 0);
        }
        let (kept, free) = vector.split_at_mut(rest);
        kept.copy_from_slice(self.buffer.get(self.taken..self.filled).unwrap_or_default());
        let mut filled = 0;
        while let Some(unfilled) = free.get_mut(filled..).filter(|unfilled| !unfilled.is_empty()) {
            match self.input.read(unfilled)? {
                0 => {
                    self.at_end = true;
                    break;
                }
                count => filled += count,
            }
        }
        (self.filled, self.taken) = (rest + filled, 0);
        let former = std::mem::replace(&mut self.buffer, next);
        self.spare.push(former);
        Ok(())
    }

    /// Returns a buffer that no piece owns any more, or a new one.
    fn unused_buffer(&mut self) -> Arc<Vec<u8>> {
        match self.spare.iter().position(|buffer| Arc::strong_count(buffer) == 1) {
            Some(unused) => self.spare.swap_remove(unused),
            None => Arc::default(),
        }
    }
}
