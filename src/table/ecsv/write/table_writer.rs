//! Writes tables, whole or batch by batch.

use super::compressed_output::Output;
use super::field_writer::FieldWriter;
use super::header_writer::HeaderWriter;
use super::numbers::Spelling;
use super::options::{EmptyStrings, JsonNumbers, WriteOptions};
use super::record_writer::{FieldSource, write_records};
use crate::codec::parallel::{self, Spare};
use crate::error::{Error, Result, Status, Warning};
use crate::layout;
use crate::progress::{self, Counted};
use crate::table::{CellShape, Column, ElementType, Header, Table, Values, WriterState};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Number of bytes that are passed to the output at a time.
const PIECE: usize = 256 << 10;
/// Number of rows whose text a thread makes at a time.
const SHARE: usize = if cfg!(test) { 3 } else { 8192 };

/// Writer of a table, batch by batch. If it is dropped before [`TableWriter::finish`], it leaves no file behind.
///
/// Besides the batch it needs memory for 256 KiB of text, the longest record, and the compressor. On several threads it
/// needs memory for the text of 8,192 rows on each.
pub struct TableWriter {
    name: Option<Arc<str>>,
    state: WriterState<OpenWriter>,
    warnings: Vec<Warning>,
}

debug_by_name!(TableWriter, "TableWriter");

/// Writes a table to a file. The file gets its name when all data are written. After an error an existing file of this
/// name is unchanged, and no other file is left. The exception is [`Status::NotDurable`](crate::Status::NotDurable):
/// the file is complete and has its name, but waiting for the disk failed. Symbolic links are followed, and the
/// permissions of an existing file are kept.
///
/// Fails with [`Status::FileExists`](crate::Status::FileExists) if the file exists, unless [`WriteOptions::replace`] is
/// set. A pipe or a character device is written to.
///
/// By default empty strings that are not missing are kept as [`EmptyStrings::MarkColumns`] describes.
pub fn write(path: impl AsRef<Path>, table: &Table, options: &WriteOptions) -> Result<()> {
    let path = path.as_ref();
    let mut writer = TableWriter::create(path, table.header(), options)?;
    writer.append_only(table)?;
    writer.finish()
}

impl TableWriter {
    /// Begins a file that gets this name when it is finished.
    ///
    /// Fails with [`Status::FileExists`] if a file has the name, now or when the table is finished, unless
    /// [`WriteOptions::replace`] is set. Fails with [`Status::InvalidArgument`] for names of columns that repeat, with
    /// [`Status::Unsupported`] for arrays of complex numbers and for names with the suffix of an unknown compression,
    /// and with [`Status::Tree`] for metadata that are cyclic or have tags that are neither local nor YAML's own.
    pub fn create(path: impl AsRef<Path>, header: &Arc<Header>, options: &WriteOptions) -> Result<TableWriter> {
        let path = path.as_ref();
        let name: Arc<str> = path.to_string_lossy().into();
        let open = Output::file(path, options).and_then(|output| OpenWriter::new(output, header, options));
        let mut open = open.map_err(|error| error.in_file(&name))?;
        let warnings = open.output.take_warnings();
        Ok(TableWriter { name: Some(name), state: WriterState::Open(Box::new(open)), warnings })
    }

    /// Begins to write to a stream. Until [`TableWriter::finish`] the stream holds only part of a table. Readers can
    /// detect that if the stream is compressed.
    ///
    /// [`TextCompression::BySuffix`](crate::table::ecsv::TextCompression::BySuffix) means no compression here. Fails as
    /// [`TableWriter::create`] does.
    pub fn to_stream(
        stream: Box<dyn Write + Send>,
        header: &Arc<Header>,
        options: &WriteOptions,
    ) -> Result<TableWriter> {
        let open = OpenWriter::new(Output::stream(stream, options.compression)?, header, options)?;
        Ok(TableWriter { name: None, state: WriterState::Open(Box::new(open)), warnings: Vec::new() })
    }

    /// Appends the rows of a table. Its columns must have the names and types of the writer's header, in the same
    /// order. Units and other metadata are not compared.
    ///
    /// Fails with [`Status::InvalidArgument`] for other columns; nothing is written, and the writer can still be used.
    /// Fails with [`Status::ValueRange`] for empty strings where they are not allowed, and for text that is not the
    /// number or JSON value it should be. The writer can then only be dropped. After [`Status::Cancelled`] some of the
    /// rows are written; appending the same table again writes the others.
    pub fn append(&mut self, batch: &Table) -> Result<()> {
        self.append_batch(batch, false)
    }

    /// Appends all rows of the table at once.
    fn append_only(&mut self, table: &Table) -> Result<()> {
        self.append_batch(table, true)
    }

    fn append_batch(&mut self, batch: &Table, is_only: bool) -> Result<()> {
        self.check_own()?;
        let _expectation = progress::expect(Counted::Text, None)?;
        self.append_rows(batch, is_only).map_err(|error| self.named(error))
    }

    fn append_rows(&mut self, batch: &Table, is_only: bool) -> Result<()> {
        let open = self.state.open()?;
        open.check(batch)?;
        open.append(batch, is_only).inspect_err(|error| {
            if error.status() != Status::Cancelled {
                self.state.fail(error);
            }
        })
    }

    /// Writes the remaining data, and gives the file its name. After an error an existing file of this name is
    /// unchanged.
    pub fn finish(&mut self) -> Result<()> {
        self.check_own()?;
        self.finish_rows().map_err(|error| self.named(error))
    }

    fn finish_rows(&mut self) -> Result<()> {
        if matches!(&self.state, WriterState::Open(open) if open.unfinished.is_some()) {
            let message = "a call was cancelled within the rows of a table; append it again first";
            return Err(Error::new(Status::Incomplete, message));
        }
        let open = self.state.finish()?;
        // Little work is left, and the rows that were appended must not be lost.
        progress::without_cancelling(|| open.finish(&mut self.warnings))
    }

    /// Returns the warnings so far: temporary files that killed writers of the same file left, and after
    /// [`TableWriter::finish`] the rights of a replaced file that the new file could not get.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Fails with [`Status::Forked`] in a forked child of the process that opened the writer.
    fn check_own(&self) -> Result<()> {
        match &self.state {
            WriterState::Open(open) => open.output.check_own().map_err(|error| self.named(error)),
            WriterState::Failed(..) | WriterState::Finished => Ok(()),
        }
    }

    fn named(&self, error: Error) -> Error {
        match &self.name {
            Some(name) => error.in_file(name),
            None => error,
        }
    }
}

struct OpenWriter {
    output: Output,
    header: Arc<Header>,
    fields: FieldWriter,
    elements: Spelling,
    options: WriteOptions,
    /// Sources of the fields; `None` until the header is written.
    sources: Option<Vec<FieldSource>>,
    out: Vec<u8>,
    /// The table of a call that was cancelled, and how many of its rows are written.
    unfinished: Option<(Table, usize)>,
}

impl OpenWriter {
    fn new(output: Output, header: &Arc<Header>, options: &WriteOptions) -> Result<OpenWriter> {
        let elements = match options.json_numbers {
            JsonNumbers::Names => Spelling::JSON,
            JsonNumbers::Null => Spelling::STRICT_JSON,
        };
        let delimiter = options.delimiter.unwrap_or(header.delimiter);
        // Errors in the header are reported now, although it is written with the first rows.
        HeaderWriter::new(header, delimiter)?;
        let fields = FieldWriter::new(delimiter, header.columns.len());
        let (header, options) = (header.clone(), options.clone());
        Ok(OpenWriter { output, header, fields, elements, options, sources: None, out: Vec::new(), unfinished: None })
    }

    /// Fails for a batch with other columns, and for a batch that is not the unfinished one.
    fn check(&self, batch: &Table) -> Result<()> {
        if let Some((unfinished, _)) = &self.unfinished {
            let mut pairs = unfinished.columns().iter().zip(batch.columns());
            if !pairs.all(|(ours, given)| Arc::ptr_eq(ours, given))
                || unfinished.columns().len() != batch.columns().len()
            {
                let message = "a call was cancelled within the rows of another table, which must be appended first";
                return Err(Error::new(Status::InvalidArgument, message));
            }
        }
        self.header.check_batch(batch.header())?;
        if batch.columns().is_empty() && batch.row_count() > 0 {
            let message = "a table without columns cannot have rows in ECSV";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(())
    }

    fn append(&mut self, batch: &Table, is_only: bool) -> Result<()> {
        let sources = self.begin(Some(batch), is_only)?;
        let mut done = self.unfinished.take().map_or(0, |(_, rows)| rows);
        let is_shared = self.options.threads > 1 && batch.row_count() - done > SHARE && self.output.is_plain_file();
        let result = match is_shared {
            true => self.append_on_threads(batch, &mut done, &sources),
            false => self.append_here(batch, &mut done, &sources),
        };
        self.sources = Some(sources);
        if result.as_ref().is_err_and(|error| error.status() == Status::Cancelled) {
            self.unfinished = Some((batch.clone(), done));
        }
        result
    }

    /// Writes the rows from `done` on, which counts them.
    fn append_here(&mut self, batch: &Table, done: &mut usize, sources: &[FieldSource]) -> Result<()> {
        let (output, rows) = (&mut self.output, *done..batch.row_count());
        write_records(batch, rows, sources, &self.fields, self.elements, &mut self.out, |out| {
            *done += 1;
            // Whole pages: writes that end within a page take a third longer.
            if out.len() >= PIECE { put(output, out, out.len() - out.len() % layout::PAGE as usize) } else { Ok(()) }
        })
    }

    /// Does the same on several threads, which make the text of different rows.
    fn append_on_threads(&mut self, batch: &Table, done: &mut usize, sources: &[FieldSource]) -> Result<()> {
        let length = self.out.len();
        put(&mut self.output, &mut self.out, length)?;
        let (first, end) = (*done, batch.row_count());
        let (fields, elements, output) = (&self.fields, self.elements, &mut self.output);
        let spare = Spare::<Vec<u8>>::default();
        let make = |part: usize| {
            let start = first + part * SHARE;
            let rows = start..end.min(start + SHARE);
            let (count, mut text) = (rows.len(), spare.take());
            write_records(batch, rows, sources, fields, elements, &mut text, |_| Ok(()))?;
            Ok((count, text))
        };
        parallel::in_order((end - first).div_ceil(SHARE), self.options.threads, make, |(count, mut text)| {
            output.put(&text)?;
            // These rows are written, even if the call is cancelled now.
            *done += count;
            let written = text.len() as u64;
            text.clear();
            spare.give_back(text);
            progress::advance(Counted::Text, written)
        })
    }

    /// Writes the header, unless that is done, and returns the sources of the fields.
    fn begin(&mut self, first: Option<&Table>, is_only: bool) -> Result<Vec<FieldSource>> {
        if let Some(sources) = self.sources.take() {
            return Ok(sources);
        }
        let delimiter = self.options.delimiter.unwrap_or(self.header.delimiter);
        let header = self.header.clone();
        let mut writer = HeaderWriter::new(&header, delimiter)?;
        let parts = writer.member_names();
        let marks_strings =
            matches!(self.options.empty_strings, EmptyStrings::MarkColumns | EmptyStrings::MarkAllColumns);
        let mut empty_allowed = vec![self.options.empty_strings == EmptyStrings::Missing; header.columns.len()];
        for (position, (column, empty)) in header.columns.iter().zip(&mut empty_allowed).enumerate() {
            let is_string = column.element_type == ElementType::String && column.cell_shape == CellShape::Scalar;
            let values = first.and_then(|first| first.columns().get(position));
            let is_marked = match self.options.empty_strings {
                EmptyStrings::MarkColumns => {
                    column.has_empty_texts || values.is_some_and(|column| has_empty_string(column))
                }
                EmptyStrings::MarkAllColumns => true,
                EmptyStrings::Missing | EmptyStrings::Refuse => false,
            };
            // Only a declaration shows that a column without a missing cell is masked.
            let is_whole = values.is_some_and(|column| column.is_masked() && !column.lacks_elements());
            let is_declared = if is_string { is_marked || is_whole && marks_strings } else { is_whole };
            if is_declared && !parts.contains(&column.name) {
                let none_missing = values.is_some_and(|column| !has_missing_cell(column));
                writer.mark(position, is_string && !(is_only && none_missing))?;
                *empty |= is_string;
            }
        }
        let masked = writer.write(&self.fields, &mut self.out)?;
        let mut sources = Vec::with_capacity(header.columns.len() + masked.len());
        for (column, empty) in empty_allowed.into_iter().enumerate() {
            sources.push(FieldSource::Cell { column, empty });
            if masked.contains(&column) {
                sources.push(FieldSource::Missing { column });
            }
        }
        Ok(sources)
    }

    fn finish(mut self: Box<Self>, warnings: &mut Vec<Warning>) -> Result<()> {
        self.begin(None, true)?;
        self.output.put(&self.out)?;
        self.output.finish(self.options.durable, warnings)
    }
}

/// Writes the first `length` bytes of a text and removes them.
fn put(output: &mut Output, text: &mut Vec<u8>, length: usize) -> Result<()> {
    output.put(&text[..length])?;
    text.drain(..length);
    progress::advance(Counted::Text, length as u64)
}

fn has_empty_string(column: &Column) -> bool {
    match column.values() {
        Values::Text(text) => (0..text.len()).any(|row| text.get(row).is_empty() && column.has_cell(row)),
        _ => false,
    }
}

fn has_missing_cell(column: &Column) -> bool {
    column.cells().is_some_and(|cells| cells.count_zeros() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::table::ecsv::TextCompression;
    use crate::table::{Bitmap, ColumnHeader, Delimiter, Text};
    use std::io::Read;
    use std::sync::Mutex;

    /// Stream whose bytes the test can look at.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl Shared {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    fn bits(bits: &[bool]) -> Option<Bitmap> {
        let mut bitmap = Bitmap::default();
        bits.iter().for_each(|&bit| bitmap.push(bit).unwrap());
        Some(bitmap)
    }

    fn strings(texts: &[&str], cells: Option<Bitmap>) -> Column {
        let mut text = Text::new();
        texts.iter().for_each(|piece| text.push(piece).unwrap());
        Column::scalars(ElementType::String, Values::Text(text), cells).unwrap()
    }

    fn table(columns: Vec<(&str, Column)>) -> Table {
        let header = Header {
            columns: columns
                .iter()
                .map(|(name, column)| ColumnHeader::new(*name, column.element_type(), column.cell_shape().clone()))
                .collect(),
            ..Header::default()
        };
        let row_count = columns.first().map_or(0, |(_, column)| column.row_count());
        let columns = columns.into_iter().map(|(_, column)| Arc::new(column)).collect();
        Table::new(Arc::new(header), columns, row_count).unwrap()
    }

    fn numbers(values: &[f64], cells: Option<Bitmap>) -> Column {
        Column::scalars(ElementType::Scalar(ScalarType::Float64), Values::Float64(values.to_vec()), cells).unwrap()
    }

    fn written(batches: &[&Table], options: &WriteOptions) -> Result<String> {
        let out = Shared::default();
        let mut writer = TableWriter::to_stream(Box::new(out.clone()), batches[0].header(), options)?;
        batches.iter().try_for_each(|batch| writer.append(batch))?;
        writer.finish()?;
        let text = out.text();
        Ok(text.split_once("# ---\n").unwrap().1.to_owned())
    }

    #[test]
    fn batches_follow_one_another() {
        let first = table(vec![("a", numbers(&[1.0, 2.5], bits(&[true, false]))), ("b", strings(&["x", "#y"], None))]);
        let second = table(vec![("a", numbers(&[f64::NAN], None)), ("b", strings(&["u v"], None))]);
        let header = "# datatype:\n# - {name: a, datatype: float64}\n# - {name: b, datatype: string}\n";
        let options = WriteOptions::default();
        assert_eq!(
            written(&[&first, &second], &options).unwrap(),
            format!("{header}a b\n1.0 x\n\"\" \"#y\"\nnan \"u v\"\n")
        );
        let options = WriteOptions { delimiter: Some(Delimiter::Comma), ..options };
        assert_eq!(
            written(&[&first, &second], &options).unwrap(),
            format!("{header}# delimiter: ','\na,b\n1.0,x\n,\"#y\"\nnan,u v\n")
        );
        let other = table(vec![("a", numbers(&[1.0], None)), ("c", strings(&["x"], None))]);
        assert_eq!(written(&[&first, &other], &options).unwrap_err().status(), Status::InvalidArgument);
    }

    #[test]
    fn threads_write_what_one_thread_writes() {
        let directory = tempfile::tempdir().unwrap();
        let texts: Vec<String> = (0..20).map(|row| "x".repeat(1 + row % 7)).collect();
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let values: Vec<f64> = (0..20).map(f64::from).collect();
        let whole = table(vec![("a", numbers(&values, None)), ("b", strings(&texts, None))]);
        (texts[13], texts[17]) = ("", "");
        let faulty = table(vec![("a", numbers(&values, None)), ("b", strings(&texts, None))]);
        let written = |table: &Table, threads: usize, name: &str| {
            let path = directory.path().join(name);
            let options = WriteOptions { threads, empty_strings: EmptyStrings::Refuse, ..WriteOptions::default() };
            let mut writer = TableWriter::create(&path, table.header(), &options)?;
            writer.append(&whole)?;
            writer.append(table)?;
            writer.finish().map(|()| std::fs::read(&path).unwrap())
        };
        let expected = written(&whole, 1, "1.ecsv").unwrap();
        let packed = written(&whole, 1, "1.ecsv.gz").unwrap();
        let error = written(&faulty, 1, "1.faulty").unwrap_err();
        assert!(error.message().contains("row 13"), "{error}");
        for threads in 2..6 {
            assert_eq!(written(&whole, threads, &format!("{threads}.ecsv")).unwrap(), expected);
            assert_eq!(written(&whole, threads, &format!("{threads}.ecsv.gz")).unwrap(), packed);
            assert_eq!(written(&faulty, threads, &format!("{threads}.faulty")).unwrap_err().message(), error.message());
        }
    }

    #[test]
    fn empty_strings_are_not_lost() {
        let mixed = table(vec![("s", strings(&["", "x", ""], bits(&[true, true, false])))]);
        let options = WriteOptions::default();
        let marked = written(&[&mixed], &options).unwrap();
        let entry = "#     s:\n#       __class__: astropy.table.column.MaskedColumn\n\
                     #       data: !astropy.table.SerializedColumn {name: s}\n\
                     #       mask: !astropy.table.SerializedColumn {name: s.mask}\n";
        let columns = "# - {name: s, datatype: string}\n# - {name: s.mask, datatype: bool}\n";
        assert_eq!(
            marked,
            format!(
                "# datatype:\n{columns}# meta: !!omap\n# - __serialized_columns__:\n{entry}s s.mask\n\"\" False\nx False\n\"\" True\n"
            )
        );
        let refusing = WriteOptions { empty_strings: EmptyStrings::Refuse, ..options.clone() };
        let error = written(&[&mixed], &refusing).unwrap_err();
        assert_eq!(error.status(), Status::ValueRange);
        assert!(error.to_string().starts_with("column 's': row 0: "), "{error}");
        let losing = WriteOptions { empty_strings: EmptyStrings::Missing, ..options.clone() };
        assert!(written(&[&mixed], &losing).unwrap().ends_with("\ns\n\"\"\nx\n\"\"\n"));
        // The first batch decides, unless all columns are marked.
        let full = table(vec![("s", strings(&["x"], None))]);
        assert_eq!(written(&[&full, &mixed], &options).unwrap_err().status(), Status::ValueRange);
        let marking = WriteOptions { empty_strings: EmptyStrings::MarkAllColumns, ..options };
        assert!(written(&[&full, &mixed], &marking).unwrap().ends_with("x False\n\"\" False\nx False\n\"\" True\n"));
    }

    #[test]
    fn files_get_their_names_when_complete() {
        let folder = tempfile::tempdir().unwrap();
        let table = table(vec![("a", numbers(&[1.0; 1000], None))]);
        let options = WriteOptions { durable: false, ..WriteOptions::default() };
        let plain = folder.path().join("a.ecsv");
        std::fs::write(&plain, "old").unwrap();
        let replacing = WriteOptions { replace: true, ..options.clone() };
        let mut writer = TableWriter::create(&plain, table.header(), &replacing).unwrap();
        writer.append(&table).unwrap();
        drop(writer);
        assert_eq!(write(&plain, &table, &options).unwrap_err().status(), Status::FileExists);
        assert_eq!(std::fs::read(&plain).unwrap(), b"old");
        write(&plain, &table, &replacing).unwrap();
        let text = std::fs::read_to_string(&plain).unwrap();
        assert_eq!(text.lines().count(), 5 + 1000);
        let read = |name: &str| std::fs::File::open(folder.path().join(name)).unwrap();
        let mut back = String::new();
        write(folder.path().join("a.ecsv.gz"), &table, &options).unwrap();
        flate2::read::GzDecoder::new(read("a.ecsv.gz")).read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
        back.clear();
        let bzip2 = WriteOptions { compression: TextCompression::Bzip2, ..options.clone() };
        write(folder.path().join("a"), &table, &bzip2).unwrap();
        bzip2::read::BzDecoder::new(read("a")).read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
        let none = folder.path().join("no/a.ecsv");
        assert_eq!(write(&none, &table, &options).unwrap_err().status(), Status::FileNotFound);
    }

    #[test]
    fn a_dropped_writer_leaves_the_stream_incomplete() {
        let table = table(vec![("a", numbers(&[1.0], None))]);
        let out = Shared::default();
        let options = WriteOptions { compression: TextCompression::Gzip, ..WriteOptions::default() };
        let mut writer = TableWriter::to_stream(Box::new(out.clone()), table.header(), &options).unwrap();
        writer.append(&table).unwrap();
        drop(writer);
        let bytes = out.0.lock().unwrap().clone();
        assert!(flate2::read::GzDecoder::new(&*bytes).read_to_string(&mut String::new()).is_err());
    }

    #[test]
    fn a_writer_remembers_its_failure() {
        let json = Column::scalars(ElementType::Float128, strings(&["1", "x"], None).values().clone(), None).unwrap();
        let wrong = table(vec![("f", json)]);
        let mut writer =
            TableWriter::to_stream(Box::new(Shared::default()), wrong.header(), &WriteOptions::default()).unwrap();
        assert_eq!(writer.append(&wrong).unwrap_err().status(), Status::ValueRange);
        assert_eq!(writer.append(&wrong).unwrap_err().status(), Status::ValueRange);
        assert_eq!(writer.finish().unwrap_err().status(), Status::Incomplete);
        let mut writer =
            TableWriter::to_stream(Box::new(Shared::default()), wrong.header(), &WriteOptions::default()).unwrap();
        writer.finish().unwrap();
        assert_eq!(writer.finish().unwrap_err().status(), Status::Closed);
        assert_eq!(writer.append(&wrong).unwrap_err().status(), Status::Closed);
    }
}
