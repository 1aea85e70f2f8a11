//! Makes the index of the records of a table in text.
//!
//! One pass goes from the first byte to the last, because a line feed alone does not tell whether it is inside quotes. The
//! pass looks at quotes and line ends only; faults of cells are found when they are read.

use super::header;
use super::index::{KNOWN_BYTES, TableIndex, check_seekable};
use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};
use crate::table::Delimiter;
use crate::table::ecsv::{Input, ReadOptions};
use std::path::Path;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;
/// Largest number of offsets.
const MOST_OFFSETS: usize = 1 << 24;

impl TableIndex {
    /// Makes the index of a file, with an offset every `step` rows; 0 chooses about a thousand offsets. Of the options
    /// only those about the header, delimiter and strictness matter.
    ///
    /// Fails with [`Status::Unsupported`] for compressed text and for lines that end with carriage returns alone, with
    /// [`Status::Truncated`] if the file ends inside quotes, and like opening the table.
    pub fn open(path: impl AsRef<Path>, step: u64, options: &ReadOptions) -> Result<TableIndex> {
        TableIndex::of_input(Input::open(path)?, step, options)
    }

    /// Makes the index of a table in an input from which nothing has been read yet. Otherwise like [`TableIndex::open`].
    pub fn of_input(mut input: Input, step: u64, options: &ReadOptions) -> Result<TableIndex> {
        let name = input.name().cloned();
        let made = TableIndex::make(&mut input, step, options);
        made.map_err(|error| match &name {
            Some(name) => error.in_file(name),
            None => error,
        })
    }

    fn make(input: &mut Input, step: u64, options: &ReadOptions) -> Result<TableIndex> {
        let text = header::read(input, options)?;
        check_seekable(input)?;
        let _expectation = progress::expect(Counted::Text, Some(input.stored_bytes()))?;
        let mut scan = Scan {
            delimiter: if text.header.delimiter == Delimiter::Space { b' ' } else { b',' },
            is_strict: options.strict,
            offset: text.offset,
            line_start: text.offset,
            line: text.line,
            ..Scan::new(step)
        };
        scan.piece(&text.rest)?;
        let mut buffer = crate::source::try_zeroed(PIECE)?;
        loop {
            progress::check()?;
            let count = input.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            scan.piece(buffer.get(..count).unwrap_or_default())?;
        }
        scan.finish()?;
        let (size, hash) = (input.stored_bytes(), input.hash_of_start(KNOWN_BYTES)?);
        Ok(TableIndex { size, hash, rows: scan.rows, step: scan.step, records: scan.records })
    }
}

/// Kind of the line so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// Nothing but blanks.
    Blank,
    Comment,
    Record,
}

/// The pass over the text.
struct Scan {
    delimiter: u8,
    is_strict: bool,
    /// Offset of the next byte, and its line.
    offset: u64,
    line: u64,
    kind: LineKind,
    /// Offset of the first byte of the line, or of the first line of the record.
    line_start: u64,
    /// Offset and line of the current record.
    record: [u64; 2],
    /// Offset and line of the open quote.
    quote: Option<[u64; 2]>,
    /// True if the last byte was a quote inside quotes, which ends them or is the first of two.
    may_close: bool,
    /// True if the field so far has nothing but blanks.
    is_field_blank: bool,
    rows: u64,
    step: u64,
    /// True if offsets are thinned when there are too many.
    is_step_free: bool,
    records: Vec<[u64; 2]>,
}

/// Number of offsets at which a free step is doubled.
const THINNED: usize = 2048;

impl Scan {
    fn new(step: u64) -> Scan {
        Scan {
            delimiter: b' ',
            is_strict: false,
            offset: 0,
            line: 1,
            kind: LineKind::Blank,
            line_start: 0,
            record: [0, 1],
            quote: None,
            may_close: false,
            is_field_blank: true,
            rows: 0,
            step: step.max(1),
            is_step_free: step == 0,
            records: Vec::new(),
        }
    }

    /// Passes over the next bytes.
    fn piece(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(&first) = bytes.first() else { return Ok(()) };
        let mut skipped = None;
        if self.may_close {
            self.may_close = false;
            if first == b'"' {
                skipped = Some(0);
            } else {
                self.quote = None;
            }
        }
        // Position after the last line end or closing quote.
        let mut start = 0;
        for place in memchr::memchr2_iter(b'"', b'\n', bytes) {
            if skipped == Some(place) {
                continue;
            }
            let is_quote = bytes.get(place) == Some(&b'"');
            match (self.quote.is_some(), is_quote) {
                (true, true) => match bytes.get(place + 1) {
                    Some(b'"') => skipped = Some(place + 1),
                    Some(_) => {
                        self.quote = None;
                        start = place + 1;
                    }
                    None => self.may_close = true,
                },
                (true, false) => self.line += 1,
                (false, true) => {
                    let before = bytes.get(start..place).unwrap_or_default();
                    self.take(before, start);
                    if self.kind != LineKind::Comment {
                        if self.is_field_blank {
                            self.quote = Some([self.offset + place as u64, self.line]);
                        }
                        self.begin_record();
                        self.is_field_blank = false;
                    }
                    start = place + 1;
                }
                (false, false) => {
                    self.end_line(bytes.get(start..place).unwrap_or_default(), start)?;
                    start = place + 1;
                    self.line_start = self.offset + start as u64;
                }
            }
        }
        if self.quote.is_none() {
            self.take(bytes.get(start..).unwrap_or_default(), start);
        }
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Begins a record with this line, unless one has begun.
    fn begin_record(&mut self) {
        if self.kind == LineKind::Blank {
            self.kind = LineKind::Record;
            self.record = [self.line_start, self.line];
        }
    }

    /// Takes a part of a line outside of quotes, which begins at `start` of the piece.
    fn take(&mut self, part: &[u8], start: usize) {
        if self.kind == LineKind::Blank {
            let blanks = part.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            let is_first = self.offset + (start + blanks) as u64 == self.line_start;
            match part.get(blanks) {
                None => {}
                Some(b'#') if is_first || !self.is_strict => self.kind = LineKind::Comment,
                Some(_) => self.begin_record(),
            }
        }
        let text = part.iter().rposition(|byte| !matches!(byte, b' ' | b'\t') && *byte != self.delimiter);
        let delimiter = memchr::memrchr(self.delimiter, part);
        self.is_field_blank = match (text, delimiter) {
            (None, Some(_)) => true,
            (Some(text), Some(delimiter)) => delimiter > text,
            (Some(_), None) => false,
            (None, None) => self.is_field_blank,
        };
    }

    /// Ends a line. `rest` is its last part, which begins at `start` of the piece.
    fn end_line(&mut self, rest: &[u8], start: usize) -> Result<()> {
        if self.kind == LineKind::Blank {
            // The usual record has no quotes and begins with its first byte.
            match rest.first() {
                None | Some(b' ' | b'\t' | b'\r' | b'#') => self.take(rest, start),
                Some(_) => self.begin_record(),
            }
        }
        if self.kind == LineKind::Record {
            self.end_record()?;
        }
        self.line += 1;
        (self.kind, self.is_field_blank) = (LineKind::Blank, true);
        Ok(())
    }

    fn end_record(&mut self) -> Result<()> {
        if self.rows.is_multiple_of(self.step) {
            if self.is_step_free && self.records.len() == THINNED {
                let mut place = 0;
                self.records.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.step *= 2;
            }
            if self.records.len() == MOST_OFFSETS {
                let message = format!("an index has at most {MOST_OFFSETS} offsets; choose a larger number of rows");
                return Err(Error::new(Status::InvalidArgument, message));
            }
            if self.rows.is_multiple_of(self.step) {
                self.records.try_reserve(1).map_err(|_| Error::out_of_memory(16 * self.records.len() as u64))?;
                self.records.push(self.record);
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Ends the text.
    fn finish(&mut self) -> Result<()> {
        if self.may_close {
            self.quote = None;
        }
        if let Some([offset, line]) = self.quote {
            let message = "the quote that begins here is not closed before the end of the file";
            return Err(Error::new(Status::Truncated, message).at_offset(offset).at_line(line, 1));
        }
        if self.kind == LineKind::Record { self.end_record() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Values;
    use crate::table::ecsv::TableReader;
    use std::io::Write;
    use std::sync::Arc;

    fn text(delimiter: &str, records: &str) -> Vec<u8> {
        let header = format!(
            "# %ECSV 1.0\n# ---\n# delimiter: '{delimiter}'\n# datatype:\n# - {{name: a, datatype: int32}}\n\
             # - {{name: b, datatype: string}}\na{delimiter}b\n"
        );
        [header.as_bytes(), records.as_bytes()].concat()
    }

    fn index(text: &[u8], step: u64) -> Result<TableIndex> {
        TableIndex::of_input(Input::of_memory(Arc::new(text.to_vec()))?, step, &ReadOptions::default())
    }

    fn rows(text: &[u8], options: &ReadOptions) -> Vec<(i32, String)> {
        let table = TableReader::of_memory(Arc::new(text.to_vec()), options).unwrap().read_all().unwrap();
        let Values::Int32(numbers) = table.column("a").unwrap().values() else { panic!() };
        let texts = table.column("b").unwrap().values().text().unwrap();
        numbers.iter().copied().zip(texts.iter().map(str::to_owned)).collect()
    }

    /// Reads all ranges by the index, and compares them with the whole.
    fn check(text: &[u8]) {
        let all = rows(text, &ReadOptions::default());
        for step in [1, 2, 3, 1000] {
            let index = index(text, step).unwrap();
            assert_eq!(index.row_count(), all.len() as u64, "{}", String::from_utf8_lossy(text));
            assert_eq!(index.to_string().parse::<TableIndex>().unwrap(), index);
            let index = Some(Arc::new(index));
            for start in 0..=all.len() + 1 {
                let options =
                    ReadOptions { index: index.clone(), rows: start as u64..start as u64 + 2, ..Default::default() };
                let end = (start + 2).min(all.len());
                assert_eq!(rows(text, &options), all.get(start..end).unwrap_or_default());
            }
        }
    }

    #[test]
    fn ranges_are_parts_of_the_whole() {
        for delimiter in [",", " "] {
            let d = delimiter;
            check(&text(d, ""));
            check(&text(d, &format!("1{d}x\n2{d}y\n3{d}z")));
            check(&text(
                d,
                &format!("1{d}\"x\ny\"\r\n\r\n2{d}\"a\"\"\n# no comment\n\"\"\"\n  # \" comment\n3{d}\"{d}\"\n\n"),
            ));
            check(&text(d, &format!("\"1\"{d}\"\"\"\"\n#\"\n2{d}5\"\n 3{d}6\"7\n\t4{d}\"\n\"")));
        }
        check(&text(",", "1 , \"x,\n\" \n2,a \"b\" c\n3,\"\"\n4,\n"));
        check(&text(" ", "1  \"x \n\"  \n  2 a\"b\"\n"));
    }

    #[test]
    fn strict_comments_begin_their_line() {
        let text = text(",", "1,x\n #2,y\n#3,z\n");
        let count = |strict| {
            let options = ReadOptions { strict, ..ReadOptions::default() };
            let input = Input::of_memory(Arc::new(text.clone())).unwrap();
            TableIndex::of_input(input, 1, &options).unwrap().row_count()
        };
        assert_eq!((count(true), count(false)), (2, 1));
    }

    #[test]
    fn pieces_of_any_length_give_the_same_index() {
        let text = "1,\"x\n\"\"\n\"\n #c \"\n\"2\" , \"y\"\n\r\n3,4\"\n  5, \"\n\"\n6,\"\"\n";
        let scan = |length: usize| {
            let mut scan = Scan { delimiter: b',', ..Scan::new(1) };
            text.as_bytes().chunks(length).for_each(|piece| scan.piece(piece).unwrap());
            scan.finish().unwrap();
            (scan.rows, scan.records)
        };
        let whole = scan(text.len());
        assert_eq!(whole.0, 5);
        for length in 1..20 {
            assert_eq!(scan(length), whole, "{length}");
        }
    }

    #[test]
    fn faults_are_errors() {
        let error = index(&text(",", "1,x\n2,\"y\n\n"), 1).unwrap_err();
        assert_eq!((error.status(), error.location().line), (Status::Truncated, Some(9)));
        assert_eq!(index(b"nothing", 1).unwrap_err().status(), Status::NotEcsv);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(&text(",", "1,x\n")).unwrap();
        let error = index(&gzip.finish().unwrap(), 1).unwrap_err();
        assert_eq!(error.status(), Status::Unsupported);
        assert!(error.message().starts_with("a compressed table has no index"));
        for wrong in ["", "asdfkit table index 1", "asdfkit table index 1\nsize 9\nhash 1\nrows 2\nstep 1\n1 1\n"] {
            assert_eq!(wrong.parse::<TableIndex>().unwrap_err().status(), Status::InvalidArgument);
        }
        let text = text(",", "1,x\n2,y\n");
        let made = Some(Arc::new(index(&text, 1).unwrap()));
        let options = ReadOptions { index: made, ..ReadOptions::default() };
        let other = [&text[..], b"3,z\n"].concat();
        let error = TableReader::of_memory(Arc::new(other), &options).unwrap_err();
        assert_eq!(error.status(), Status::FileChanged);
    }

    #[test]
    fn a_free_step_keeps_few_offsets() {
        let records: String = (0..10_000).map(|row| format!("{row},x\n")).collect();
        let text = text(",", &records);
        let index = index(&text, 0).unwrap();
        assert!(index.records.len() <= THINNED && index.step == 8, "{}", index.step);
        let options = ReadOptions { index: Some(Arc::new(index)), rows: 7777..7779, ..ReadOptions::default() };
        assert_eq!(rows(&text, &options).iter().map(|row| row.0).collect::<Vec<_>>(), [7777, 7778]);
    }
}
