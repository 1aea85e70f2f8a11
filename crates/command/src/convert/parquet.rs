//! Parquet files: tables go into them in groups of rows, and come from them in batches.
//!
//! A column has its description in the metadata of its Arrow field: that of the library, and `unit` and `description`,
//! which other programs know. The key `table_meta_yaml` of the file has the header of ECSV, which astropy reads.
//! Times are timestamps, dates and durations of Arrow.

use super::arrow::{self, Exported};
use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Result};
use crate::core::input::Input;
use crate::core::limits;
use crate::core::output::warn;
use crate::core::tables::{Batches, Part, with_columns};
use ::parquet::arrow::ArrowWriter;
use ::parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use arrow_array::{Array, RecordBatch};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Metadata, Schema, SchemaRef, TimeUnit};
use asdfkit::ArrowTimes;
use asdfkit::table::arrow::{ArrayView, Field as TableField, Importer};
use asdfkit::table::ecsv::{self, TableWriter};
use asdfkit::table::{Header, Rows, Table, logical_columns};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows of a group. A reader and a writer need memory for one group.
const GROUP_ROWS: usize = 1 << 17;
/// Rows of a batch that is read.
const BATCH_ROWS: usize = 1 << 16;

/// A file that was begun. Its bytes go to the output of the last call.
pub(super) struct ParquetFile {
    writer: ArrowWriter<Vec<u8>>,
    schema: SchemaRef,
}

/// Writes rows of a table. The first call begins the file.
pub(super) fn write(
    file: &mut Option<ParquetFile>,
    exported: &Exported,
    rows: Range<usize>,
    out: &mut dyn Write,
) -> Result<()> {
    let file = match file {
        Some(file) => file,
        None => file.insert(begin(exported)?),
    };
    let batch = arrow::batch_of(&exported.table, &file.schema)?;
    let mut first = rows.start;
    while first < rows.end {
        check_interrupt()?;
        let count = (rows.end - first).min(BATCH_ROWS);
        file.writer.write(&batch.slice(first, count)).map_err(failed)?;
        file.give(out)?;
        first += count;
    }
    Ok(())
}

/// Ends the file.
pub(super) fn finish(file: Option<ParquetFile>, out: &mut dyn Write) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    out.write_all(&file.writer.into_inner().map_err(failed)?)?;
    Ok(())
}

fn begin(exported: &Exported) -> Result<ParquetFile> {
    let header = exported.table.header();
    let schema = arrow::schema_of(&exported.field)?;
    let fields = header.columns.iter().zip(schema.fields()).map(|(column, field)| {
        let mut metadata = field.metadata().clone();
        metadata.extend(column.unit.as_ref().map(|unit| ("unit".to_owned(), unit.to_string())));
        metadata.extend(column.description.as_ref().map(|text| ("description".to_owned(), text.to_string())));
        field.as_ref().clone().with_metadata(metadata)
    });
    let mut metadata = schema.metadata().clone();
    metadata.insert("table_meta_yaml".to_owned(), ecsv_header(exported)?);
    let schema = Arc::new(Schema::new_with_metadata(fields.collect::<Vec<Field>>(), metadata));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .build();
    let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties)).map_err(failed)?;
    Ok(ParquetFile { writer, schema })
}

/// Returns the header of ECSV as YAML, without the marks of comments.
///
/// Columns of timestamps and durations are plain columns in it: astropy makes no times of such columns, and refuses a
/// table whose header calls them times.
fn ecsv_header(exported: &Exported) -> Result<String> {
    let text = Arc::new(Mutex::new(Vec::new()));
    let mut header = exported.table.header().clone();
    let names = logical_columns(&header).into_iter().map(|column| column.name);
    let others: Vec<String> = names.filter(|name| !exported.times().any(|time| time == name)).collect();
    if exported.times().next().is_some() {
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        let described = Table::without_rows(header.clone())?.select(Rows::All, Some(&others))?;
        header = Arc::new(Header { columns: header.columns.clone(), ..Header::clone(described.header()) });
    }
    let plain = Table::without_rows(header)?.with_plain_metadata()?;
    let mut writer =
        TableWriter::to_stream(Box::new(Shared(text.clone())), plain.header(), &ecsv::WriteOptions::default())?;
    writer.finish()?;
    let bytes = text.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().skip(2).filter_map(|line| line.strip_prefix("# "));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Memory that a writer shares with its maker.
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ParquetFile {
    /// Hands over the groups that are complete.
    fn give(&mut self, out: &mut dyn Write) -> Result<()> {
        self.writer.sync().map_err(|error| failed(ParquetError::External(Box::new(error))))?;
        let bytes = self.writer.inner_mut();
        out.write_all(bytes)?;
        bytes.clear();
        Ok(())
    }
}

fn failed(error: ParquetError) -> Failure {
    Failure::System("cannot read or write Parquet".to_owned(), io::Error::other(error))
}

/// Opens a table.
pub(super) fn open(input: &Input, part: &Part) -> Result<Batches> {
    let path = Path::new(&input.name()).to_owned();
    if input.is_stream() {
        return Err(Failure::usage("Parquet is read from a file, not from a stream"));
    }
    let builder = builder_of(&path, ArrowReaderOptions::new())?;
    let schema = builder.schema().clone();
    let (builder, schema) = match schema.fields().iter().all(|field| field_of(field).is_ok()) {
        true => (builder, schema),
        // The writer may have chosen a type that the library does not have. Such a column is read as the file stores it.
        false => {
            let stored = builder_of(&path, ArrowReaderOptions::new().with_skip_arrow_metadata(true))?;
            let fields = schema.fields().iter().zip(stored.schema().fields()).map(|(field, stored)| {
                let is_read = field_of(field).is_ok() || field_of(stored).is_err();
                let data_type = if is_read { field.data_type() } else { stored.data_type() };
                field.as_ref().clone().with_data_type(data_type.clone())
            });
            let fields = fields.collect::<Vec<Field>>();
            let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
            (builder_of(&path, ArrowReaderOptions::new().with_schema(schema.clone()))?, schema)
        }
    };
    let children = schema.fields().iter().map(|field| field_of(field)).collect::<Result<Vec<_>>>()?;
    let mut table = TableField::new("", asdfkit::table::arrow::Format::Struct, children);
    table.metadata = pairs(schema.metadata());
    let times = ArrowTimes::take_from(&mut table);
    let importer = Importer::new(&table, &limits::chosen())?;
    let reader = builder.with_batch_size(BATCH_ROWS).build().map_err(failed)?;
    Ok(Batches::Made(Box::new(ParquetBatches {
        reader,
        importer,
        times,
        name: input.name().to_string(),
        columns: part.columns.clone(),
        begun: false,
    })))
}

fn builder_of(path: &Path, options: ArrowReaderOptions) -> Result<ParquetRecordBatchReaderBuilder<std::fs::File>> {
    let file =
        std::fs::File::open(path).map_err(|error| Failure::System(format!("cannot open {}", path.display()), error))?;
    ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(failed)
}

fn pairs(metadata: &Metadata) -> Vec<(String, String)> {
    let mut pairs: Vec<_> = metadata.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    pairs.sort();
    pairs
}

/// Returns a field of the library. Units and descriptions of other programs are taken where the library wrote none.
fn field_of(field: &Field) -> Result<TableField> {
    let children = match field.data_type() {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => vec![field_of(item)?],
        _ => Vec::new(),
    };
    let format = format_of(field.data_type()).ok_or_else(|| {
        Failure::usage(format!(
            "the column '{}' has the type {}, which tables do not have",
            field.name(),
            field.data_type()
        ))
    })?;
    let mut metadata = pairs(field.metadata());
    for (key, others) in [("ecsv:unit", &["unit", "units"][..]), ("ecsv:description", &["description", "doc"])] {
        if !metadata.iter().any(|(known, _)| known == key)
            && let Some((_, value)) = metadata.iter().find(|(known, _)| others.contains(&&**known))
        {
            metadata.push((key.to_owned(), value.clone()));
        }
    }
    let mut made = TableField::new(field.name(), asdfkit::table::arrow::Format::Null, children);
    (made.format, made.nullable, made.metadata) = (format, field.is_nullable(), metadata);
    Ok(made)
}

/// Returns the format of a type in the C data interface of Arrow.
fn format_of(data_type: &DataType) -> Option<String> {
    let fixed = match data_type {
        DataType::Null => "n",
        DataType::Boolean => "b",
        DataType::Int8 => "c",
        DataType::UInt8 => "C",
        DataType::Int16 => "s",
        DataType::UInt16 => "S",
        DataType::Int32 => "i",
        DataType::UInt32 => "I",
        DataType::Int64 => "l",
        DataType::UInt64 => "L",
        DataType::Float16 => "e",
        DataType::Float32 => "f",
        DataType::Float64 => "g",
        DataType::Utf8 => "u",
        DataType::LargeUtf8 => "U",
        DataType::List(_) => "+l",
        DataType::LargeList(_) => "+L",
        DataType::Date32 => "tdD",
        DataType::Date64 => "tdm",
        DataType::Duration(unit) => return Some(format!("tD{}", letter(*unit))),
        DataType::Timestamp(unit, zone) => {
            return Some(format!("ts{}:{}", letter(*unit), zone.as_deref().unwrap_or_default()));
        }
        DataType::FixedSizeList(_, length) => return Some(format!("+w:{length}")),
        _ => return None,
    };
    Some(fixed.to_owned())
}

/// Returns the letter of a unit of time in the formats of Arrow.
fn letter(unit: TimeUnit) -> char {
    match unit {
        TimeUnit::Second => 's',
        TimeUnit::Millisecond => 'm',
        TimeUnit::Microsecond => 'u',
        TimeUnit::Nanosecond => 'n',
    }
}

/// Batches of a Parquet file.
struct ParquetBatches {
    reader: ParquetRecordBatchReader,
    importer: Importer,
    times: ArrowTimes,
    /// Name of the file in messages.
    name: String,
    columns: Option<Vec<String>>,
    begun: bool,
}

impl Iterator for ParquetBatches {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Result<Table>> {
        if !self.times.is_empty() {
            return (!std::mem::replace(&mut self.begun, true)).then(|| self.read_all());
        }
        let batch = match self.reader.next() {
            Some(batch) => batch.map_err(|error| failed(ParquetError::ArrowError(error.to_string()))),
            None if self.begun => return None,
            None => {
                self.begun = true;
                let table = self.importer.take().map_err(Failure::from);
                return Some(table.and_then(|table| with_columns(table, self.columns.as_deref())));
            }
        };
        self.begun = true;
        Some(batch.and_then(|batch| {
            append(&mut self.importer, &batch)?;
            with_columns(self.importer.take()?, self.columns.as_deref())
        }))
    }
}

impl ParquetBatches {
    /// Reads a table with times. All rows decide how a column of times is stored, as numbers or as texts.
    fn read_all(&mut self) -> Result<Table> {
        for batch in &mut self.reader {
            check_interrupt()?;
            append(&mut self.importer, &batch.map_err(|error| failed(ParquetError::ArrowError(error.to_string())))?)?;
        }
        let table = self.times.convert(self.importer.take()?)?;
        table.warnings().iter().for_each(|warning| warn(&self.name, warning));
        with_columns(table, self.columns.as_deref())
    }
}

fn append(importer: &mut Importer, batch: &RecordBatch) -> Result<()> {
    let columns: Vec<ArrayData> = batch.columns().iter().map(|column| column.to_data()).collect();
    let children = columns.iter().map(view_of).collect::<Result<_>>()?;
    importer.append(&ArrayView { length: batch.num_rows(), children, ..ArrayView::default() })?;
    Ok(())
}

/// Returns a view of an array, whose validity and values begin at the same offset.
fn view_of(data: &ArrayData) -> Result<ArrayView<'_>> {
    if data.nulls().is_some_and(|nulls| nulls.offset() != data.offset()) {
        let message = io::Error::other("an array has an unexpected offset");
        return Err(Failure::System("cannot read Parquet".to_owned(), message));
    }
    Ok(ArrayView {
        length: data.len(),
        offset: data.offset(),
        validity: data.nulls().map(|nulls| nulls.validity()),
        buffers: data.buffers().iter().map(|buffer| buffer.as_slice()).collect(),
        children: data.child_data().iter().map(view_of).collect::<Result<_>>()?,
        dictionary: None,
    })
}
