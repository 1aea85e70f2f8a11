//! Reads tables: the header when the table is opened, then the rows, in batches or all at once.

use super::cells::Reading;
use super::convert::{Amount, Conversion, Unfinished};
use super::header;
use super::header::HeaderText;
use super::pieces::Pieces;
use super::records::Rules;
use crate::error::{Error, Result, Status, Warning};
use crate::progress::{self, Counted};
use crate::source::{SharedBytes, Source};
use crate::table::ecsv::{Input, ReadOptions};
use crate::table::masks::Masks;
use crate::table::{Header, Table};
use std::path::Path;
use std::sync::Arc;

/// Bytes of text in a batch if the caller does not set the number of rows.
const BATCH_BYTES: u64 = 4 << 20;

/// Reader of a table from the first row to the last. It needs memory for one batch, whatever the number of rows.
pub struct TableReader {
    conversion: Conversion,
    /// Description of the columns that the reader returns. Masks that are applied are not among them.
    header: Arc<Header>,
    /// Masks among the columns that are read.
    masks: Masks,
    pieces: Pieces,
    warnings: Vec<Warning>,
    name: Option<Arc<str>>,
    batch_rows: u64,
    /// Number of rows to skip first, and number of rows to read after them.
    to_skip: u64,
    to_read: u64,
    failure: Option<Error>,
    /// Rows of a call that was cancelled, which the next one begins with.
    unfinished: Option<Unfinished>,
    /// Number of the stream that has begun to take batches.
    stream: Option<u64>,
}

debug_by_name!(TableReader, "TableReader");

impl TableReader {
    /// Opens the table in a file, and reads its header.
    ///
    /// Fails with [`Status::NotFound`] if a selected column does not exist, and for errors of the file or its header.
    ///
    /// [`Status::NotFound`]: crate::Status::NotFound
    pub fn open(path: impl AsRef<Path>, options: &ReadOptions) -> Result<TableReader> {
        TableReader::of_input(Input::open(path.as_ref())?, options)
    }

    /// Opens a table in memory. Otherwise like [`TableReader::open`].
    pub fn of_memory(bytes: SharedBytes, options: &ReadOptions) -> Result<TableReader> {
        TableReader::of_input(Input::of_memory(bytes)?, options)
    }

    /// Opens a table in a source. Otherwise like [`TableReader::open`].
    pub fn of_source(source: Arc<dyn Source>, options: &ReadOptions) -> Result<TableReader> {
        TableReader::of_input(Input::of_source(source)?, options)
    }

    /// Opens a table in an input from which nothing has been read yet. Otherwise like [`TableReader::open`].
    pub fn of_input(mut input: Input, options: &ReadOptions) -> Result<TableReader> {
        let name = input.name().cloned();
        let HeaderText { header: declared, warnings, mut line, mut offset, mut rest } =
            header::read(&mut input, options)?;
        let mut to_skip = options.rows.start;
        if let Some(index) = &options.index {
            index.check(&input).map_err(|error| match &name {
                Some(name) => error.in_file(name),
                None => error,
            })?;
            if let Some((row, record)) = index.before(to_skip) {
                [offset, line] = record;
                to_skip -= row;
                rest.clear();
                input.seek(offset);
            }
        }
        let masks = if options.raw_columns { Masks::default() } else { Masks::of(&declared)? };
        let columns = selected(&declared, &masks, options.columns.as_deref())?;
        let chosen = columns.iter().filter_map(|&column| declared.columns.get(column).cloned()).collect();
        let stored = Header { columns: chosen, ..declared.clone() };
        let masks = if masks.is_empty() { masks } else { Masks::of(&stored)? };
        let stored = Arc::new(stored);
        let header = if masks.is_empty() { stored.clone() } else { Arc::new(masks.without(&stored)?) };
        let field_count = declared.columns.len();
        let rules = Rules { delimiter: declared.delimiter, field_count, strict: options.strict };
        let (reading, threads) = (Reading::new(options), options.threads);
        let table_bytes = options.limits.table_bytes;
        let conversion = Conversion { declared, header: stored, columns, reading, threads, table_bytes };
        // A column that cannot be built fails here instead of at the first row.
        conversion.builders()?;
        Ok(TableReader {
            conversion,
            header,
            masks,
            pieces: Pieces::new(input, rest, offset, line, rules, options.limits.record_bytes),
            warnings,
            name,
            batch_rows: options.batch_rows,
            to_skip,
            to_read: options.rows.end.saturating_sub(options.rows.start),
            failure: None,
            unfinished: None,
            stream: None,
        })
    }

    /// Returns the description of the selected columns, and of the table as a whole.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Returns the warnings about the header. The tables that are read have the same warnings.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the next batch, with the number of rows in the options or fewer at the end; `None` after the last row.
    ///
    /// Fails with
    ///
    /// * [`Status::Record`] if a record has the wrong number of fields or misplaced quotes;
    /// * [`Status::Cell`] or [`Status::ValueRange`] for a cell whose text is not a value of its column's type;
    /// * [`Status::Truncated`] if the file ends inside quotes or compressed data;
    /// * [`Status::Encoding`] for text that is not UTF-8;
    /// * [`Status::Limit`] for data beyond the limits in the options;
    /// * [`Status::FileChanged`] if the file was modified after it was opened, also for rows read before;
    /// * any error of reading the input.
    ///
    /// After a failure each further call fails with the same error. [`Status::Cancelled`] is different: the next call
    /// then reads the same rows.
    ///
    /// [`Status::Record`]: crate::Status::Record
    /// [`Status::Cell`]: crate::Status::Cell
    /// [`Status::ValueRange`]: crate::Status::ValueRange
    /// [`Status::Truncated`]: crate::Status::Truncated
    /// [`Status::Encoding`]: crate::Status::Encoding
    /// [`Status::Limit`]: crate::Status::Limit
    /// [`Status::FileChanged`]: crate::Status::FileChanged
    /// [`Status::Cancelled`]: crate::Status::Cancelled
    pub fn next_batch(&mut self) -> Result<Option<Table>> {
        let amount = match self.batch_rows {
            0 => Amount { rows: self.to_read, bytes: BATCH_BYTES },
            rows => Amount { rows: rows.min(self.to_read), bytes: u64::MAX },
        };
        let _expectation = progress::expect(Counted::Text, None)?;
        let table = self.read(amount)?;
        Ok(if table.row_count() == 0 { None } else { Some(table) })
    }

    /// Gives the remaining batches to the stream of this number, which no other stream has; `None` only checks that no
    /// stream has begun to take batches.
    ///
    /// Fails with [`Status::Closed`] if another stream has taken batches: this one would lack their rows.
    ///
    /// [`Status::Closed`]: crate::Status::Closed
    pub(crate) fn give_to(&mut self, stream: Option<u64>) -> Result<()> {
        if self.stream.is_some() && self.stream != stream {
            let message = "another stream has read rows of this reader; open the file again to read them again";
            return Err(Error::new(Status::Closed, message));
        }
        self.stream = stream;
        Ok(())
    }

    /// Returns all remaining rows. Otherwise like [`TableReader::next_batch`].
    pub fn read_all(&mut self) -> Result<Table> {
        let _expectation = progress::expect(Counted::Text, Some(self.pieces.stored_bytes()))?;
        self.read(Amount { rows: self.to_read, bytes: u64::MAX })
    }

    fn read(&mut self, amount: Amount) -> Result<Table> {
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let read = self.skip_rows().and_then(|()| self.read_rows(amount));
        let settled = match read {
            Err(error) if error.status() == Status::Cancelled => Err(error),
            // Rows of a changed file may mix old and new text, and so may the text that an error is about.
            read => self.pieces.check_unchanged().and(read),
        };
        settled.map_err(|error| {
            let error = match &self.name {
                Some(name) => error.in_file(name),
                None => error,
            };
            if error.status() != Status::Cancelled {
                self.failure = Some(error.clone());
            }
            error
        })
    }

    /// Skips the rows before the first one to read.
    fn skip_rows(&mut self) -> Result<()> {
        let mut fields = Vec::new();
        while self.to_skip > 0 {
            progress::check()?;
            let most = usize::try_from(self.to_skip).unwrap_or(usize::MAX);
            let Some(piece) = self.pieces.next(most, fields)? else {
                self.to_skip = 0;
                self.to_read = 0;
                return Ok(());
            };
            self.to_skip -= piece.record_count as u64;
            fields = piece.fields;
        }
        Ok(())
    }

    fn read_rows(&mut self, amount: Amount) -> Result<Table> {
        let (builders, row_count) = self.conversion.run(&mut self.pieces, amount, &mut self.unfinished)?;
        self.to_read -= row_count;
        let row_count = usize::try_from(row_count).map_err(|_| Error::out_of_memory(row_count))?;
        let columns = builders.into_iter().map(|builder| builder.finish().map(Arc::new)).collect::<Result<_>>()?;
        let columns = self.masks.apply(&self.conversion.header, columns)?;
        Ok(Table::new(self.header.clone(), columns, row_count)?.with_warnings(self.warnings.clone()))
    }
}

/// Returns the indices of the columns with these names and of their masks, in the order of the file.
fn selected(header: &Header, masks: &Masks, names: Option<&[String]>) -> Result<Vec<usize>> {
    let Some(names) = names else { return Ok((0..header.columns.len()).collect()) };
    let mut places = Vec::new();
    for name in names {
        let place = masks.position(header, name)?;
        places.push(place);
        places.extend(masks.of_values(place));
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

/// Reads the whole table in a file, as [`TableReader::open`] and [`TableReader::read_all`] do.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Table> {
    TableReader::open(path, options)?.read_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CellShape, Column, Values};

    /// Makes a table of these columns (name, datatype, optional subtype) and records.
    fn text(columns: &[(&str, &str, &str)], records: &str) -> String {
        let mut text = "# %ECSV 1.0\n# ---\n# datatype:\n".to_owned();
        for (name, datatype, subtype) in columns {
            let subtype = if subtype.is_empty() { String::new() } else { format!(", subtype: '{subtype}'") };
            text += &format!("# - {{name: {name}, datatype: {datatype}{subtype}}}\n");
        }
        let names: Vec<&str> = columns.iter().map(|column| column.0).collect();
        text + "# delimiter: ','\n" + &names.join(",") + "\n" + records
    }

    fn reader(text: &str, options: &ReadOptions) -> Result<TableReader> {
        TableReader::of_memory(Arc::new(text.as_bytes().to_vec()), options)
    }

    fn table(columns: &[(&str, &str, &str)], records: &str) -> Result<Table> {
        let text = text(columns, records);
        let whole = reader(&text, &ReadOptions::default())?.read_all();
        for threads in [2, 3] {
            let other = reader(&text, &ReadOptions { threads, ..ReadOptions::default() })?.read_all();
            match (&whole, &other) {
                (Ok(whole), Ok(other)) => assert!(is_same(whole, other)),
                (Err(whole), Err(other)) => assert_eq!(whole.to_string(), other.to_string()),
                _ => panic!("one thread reads {whole:?}, {threads} read {other:?}"),
            }
        }
        whole
    }

    fn is_same(one: &Table, other: &Table) -> bool {
        one.row_count() == other.row_count()
            && one.columns().iter().zip(other.columns()).all(|(one, other)| {
                (one.values().bytes(), one.values().text(), one.offsets(), one.cells(), one.elements())
                    == (other.values().bytes(), other.values().text(), other.offsets(), other.cells(), other.elements())
            })
    }

    fn missing_cells(column: &Column) -> Vec<usize> {
        (0..column.row_count()).filter(|&row| !column.has_cell(row)).collect()
    }

    #[test]
    fn each_type_has_its_values() {
        let columns = [
            ("b", "bool", ""),
            ("i", "int8", ""),
            ("u", "uint64", ""),
            ("h", "float16", ""),
            ("f", "float64", ""),
            ("c", "complex64", ""),
            ("q", "float128", ""),
            ("s", "string", ""),
            ("j", "string", "json"),
        ];
        let records = "True,-1,18446744073709551615,1.5,-0.0,(1+2j),1.25e4000,\"x \"\"y\"\" \",\"{\"\"a\"\": [null]}\"\n\
                       ,,,,,,,\"\",\n0, 7 ,\" 8 \",inf,1e-5,2j,nan, z ,NaN\n";
        let table = table(&columns, records).unwrap();
        let of = |name: &str| table.column(name).unwrap().values().clone();
        assert_eq!(of("b"), Values::Bool8(vec![1, 0, 0]));
        assert_eq!(of("i"), Values::Int8(vec![-1, 0, 7]));
        assert_eq!(of("u"), Values::Uint64(vec![u64::MAX, 0, 8]));
        assert_eq!(of("h"), Values::Float16(vec![0x3E00, 0, 0x7C00]));
        let Values::Float64(floats) = of("f") else { panic!() };
        assert_eq!(floats.map_bits(), [-0.0, 0.0, 1e-5].map(f64::to_bits));
        assert_eq!(of("c"), Values::Complex64(vec![[1.0, 2.0], [0.0, 0.0], [0.0, 2.0]]));
        let texts = |name: &str| of(name).text().unwrap().iter().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(texts("q"), ["1.25e4000", "", "nan"]);
        assert_eq!(texts("s"), ["x \"y\" ", "", "z"]);
        assert_eq!(texts("j"), ["{\"a\": [null]}", "", "NaN"]);
        assert!(table.columns().iter().all(|column| missing_cells(column) == [1]));
    }

    trait Bits {
        fn map_bits(&self) -> Vec<u64>;
    }

    impl Bits for Vec<f64> {
        fn map_bits(&self) -> Vec<u64> {
            self.iter().map(|value| value.to_bits()).collect()
        }
    }

    #[test]
    fn missing_cells_and_elements_of_arrays_are_marked() {
        let columns = [("f", "string", "float32[2]"), ("v", "string", "string[null]"), ("t", "string", "bool[null]")];
        let records = "\"[1,2.5]\",\"[\"\"a\"\",null]\",\"[\"\"True\"\",false]\"\n,,\n\"[NaN,null]\",[],\"[null,true]\"\n,\"[\"\"\"\"]\",[]\n";
        let table = table(&columns, records).unwrap();
        let fixed = table.column("f").unwrap();
        assert_eq!(*fixed.cell_shape(), CellShape::Fixed(vec![2]));
        assert_eq!(missing_cells(fixed), [1, 3]);
        let there: Vec<bool> = (0..8).map(|element| fixed.has_element(element)).collect();
        assert_eq!(there, [true, true, false, false, true, false, false, false]);
        let variable = table.column("v").unwrap();
        assert_eq!(variable.offsets(), Some(&[0, 2, 2, 2, 3][..]));
        assert_eq!(missing_cells(variable), [1]);
        assert_eq!((variable.has_element(0), variable.has_element(1), variable.has_element(2)), (true, false, true));
        let truth = table.column("t").unwrap();
        assert_eq!(*truth.values(), Values::Bool8(vec![1, 0, 0, 1]));
        assert_eq!(truth.elements().unwrap().count_zeros(), 1);
    }

    #[test]
    fn errors_give_line_and_column() {
        let columns = [("a", "int8", ""), ("s", "string", ""), ("v", "string", "int64[2]")];
        let fails = |records: &str, status: Status, place: Option<(u64, u64)>, column: Option<&str>| {
            let error = table(&columns, records).unwrap_err();
            let location = error.location();
            assert_eq!((error.status(), location.line.zip(location.column)), (status, place), "{error}");
            assert_eq!(location.table_column.as_deref(), column, "{error}");
            let (start, line) = (text(&columns, "").len(), 9);
            let (text, offset) = (text(&columns, records), location.offset.unwrap() as usize);
            assert_eq!(text[..offset].matches('\n').count() as u64 + 1, location.line.unwrap());
            assert!(offset >= start && location.line.unwrap() >= line);
        };
        fails("1,x,\"[1,2]\"\n# no\n1.5,ä,\"[1,2]\"\n", Status::Cell, Some((11, 1)), Some("a"));
        fails("128,x,\"[1,2]\"\n", Status::ValueRange, Some((9, 1)), Some("a"));
        fails("1,äö,\"[1,2.5]\"\n", Status::Cell, Some((9, 7)), Some("v"));
        fails("1,\"x\n\",\"[1]\"\n", Status::Cell, Some((10, 4)), Some("v"));
        fails("1,x,\"[1,2]\"\n\n1,x\n", Status::Record, Some((11, 1)), None);
        fails("x,x,\"[1,2]\"\n\n1,x\n", Status::Cell, Some((9, 1)), Some("a"));
        fails("1,x,\"[1,2]\"\n1,x,\"[1,2]\n", Status::Truncated, Some((10, 5)), None);
        let mut latin = text(&columns, "1,").into_bytes();
        latin.extend_from_slice(b"\xE4,\n");
        let error = TableReader::of_memory(Arc::new(latin), &ReadOptions::default()).unwrap().read_all().unwrap_err();
        assert_eq!((error.status(), error.location().column), (Status::Encoding, Some(3)));
    }

    #[test]
    fn batches_rows_and_columns_are_parts_of_the_whole() {
        let columns = [("a", "int32", ""), ("b", "string", ""), ("c", "string", "int8[null]")];
        let records: String =
            (0..5000).map(|row| format!("{row},\"text\n{}\",\"[{},{}]\"\n", row % 7, row % 5, row % 3)).collect();
        let text = text(&columns, &records);
        for (threads, batch_rows) in [(1, 0), (1, 1), (2, 7), (3, 1000), (2, 5001)] {
            let rows = 3..4997;
            let names = Some(vec!["c".to_owned(), "a".to_owned(), "c".to_owned()]);
            let options = ReadOptions { threads, batch_rows, rows, columns: names, ..ReadOptions::default() };
            let mut reader = reader(&text, &options).unwrap();
            let mut next = 3;
            while let Some(batch) = reader.next_batch().unwrap() {
                assert_eq!(batch.header().columns.len(), 2);
                let Values::Int32(numbers) = batch.column("a").unwrap().values() else { panic!() };
                assert!(numbers.iter().copied().eq(next..next + batch.row_count() as i32));
                assert!(batch_rows == 0 || batch.row_count() as u64 == batch_rows || next as u64 + batch_rows > 4997);
                let arrays = batch.column("c").unwrap();
                assert_eq!((arrays.elements_of(0), arrays.values().len()), (0..2, 2 * batch.row_count()));
                next += batch.row_count() as i32;
            }
            assert_eq!((next, reader.read_all().unwrap().row_count()), (4997, 0));
        }
        let none = ReadOptions { columns: Some(Vec::new()), rows: 4990..u64::MAX, ..ReadOptions::default() };
        let table = reader(&text, &none).unwrap().read_all().unwrap();
        assert_eq!((table.columns().len(), table.row_count()), (0, 10));
        let unknown = ReadOptions { columns: Some(vec!["A".to_owned()]), ..ReadOptions::default() };
        assert_eq!(reader(&text, &unknown).err().unwrap().status(), Status::NotFound);
    }

    #[test]
    fn options_decide_what_text_means() {
        let text = text(&[("a", "int8", ""), ("s", "string", "")], "null,\"null\"\n1,\"  \"\n,nul\n");
        let with = |options: ReadOptions| reader(&text, &options).unwrap().read_all();
        assert_eq!(with(ReadOptions::default()).unwrap_err().status(), Status::Cell);
        let null_values = vec![String::new(), "null".to_owned()];
        let table = with(ReadOptions { null_values: null_values.clone(), ..ReadOptions::default() }).unwrap();
        let missing = |table: &Table| table.columns().iter().map(|column| missing_cells(column)).collect::<Vec<_>>();
        assert_eq!(missing(&table), [vec![0, 2], vec![0]]);
        assert_eq!(table.columns()[1].values().text().unwrap().get(1), "  ");
        let table = with(ReadOptions { null_values, trim_quoted: true, ..ReadOptions::default() }).unwrap();
        assert_eq!(missing(&table), [vec![0, 2], vec![0, 1]]);
    }

    #[test]
    fn little_text_does_not_take_much_memory() {
        let mut options = ReadOptions::default();
        options.limits.decoded_bytes = 1 << 20;
        let many = text(&[("a", "string", "int64[10000]")], &"\"\"\n".repeat(20));
        let error = reader(&many, &options).unwrap().read_all().unwrap_err();
        assert_eq!(error.status(), Status::Limit);
        options.limits.record_bytes = 1 << 20;
        let long = text(&[("a", "string", "")], &format!("\"{}", "\n".repeat(3 << 20)));
        let error = reader(&long, &options).unwrap().read_all().unwrap_err();
        assert_eq!((error.status(), error.location().line), (Status::Limit, Some(7)));
    }
}
