//! Tables as Arrow has them, and streams of Arrow: the library has the arrays, the crates of Arrow write them.

use crate::core::failure::{Failure, Result};
use crate::core::output::warn;
use arrow_array::{RecordBatch, RecordBatchOptions, make_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use asdfkit::array::ScalarType;
use asdfkit::table::{Table, arrow, logical_columns};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Rows of a batch in the stream.
const BATCH_ROWS: usize = 1 << 16;

/// A stream that was begun. Its bytes go to the output of the last call.
pub(super) struct Stream {
    writer: StreamWriter<Vec<u8>>,
    schema: SchemaRef,
}

/// A table whose times are the integers of Arrow, and the types of its columns.
pub(super) struct Exported {
    pub(super) table: Table,
    pub(super) field: arrow::Field,
}

impl Exported {
    /// Exports a table. Times that integers do not hold exactly stay as they are stored, with a warning.
    pub(super) fn of_table(table: &Table, name: &str) -> Result<Exported> {
        let (exported, field) = table.for_arrow()?;
        exported.warnings().iter().skip(table.warnings().len()).for_each(|warning| warn(name, warning));
        Ok(Exported { table: exported, field })
    }

    /// Returns the names of the columns of timestamps, dates and durations.
    pub(super) fn times(&self) -> impl Iterator<Item = &str> {
        self.field
            .children
            .iter()
            .filter(|column| {
                let mut item = *column;
                while let [inner] = &item.children[..] {
                    item = inner;
                }
                time_type(&item.format).is_some()
            })
            .map(|column| &*column.name)
    }
}

/// Returns true if a table has columns of times.
pub(super) fn has_times(table: &Table) -> Result<bool> {
    for column in logical_columns(table.header()) {
        if table.time_kind(&column.name)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Writes rows of a table. The first call begins the stream.
pub(super) fn write(
    stream: &mut Option<Stream>,
    exported: &Exported,
    rows: Range<usize>,
    out: &mut dyn Write,
) -> Result<()> {
    if stream.is_none() {
        let schema = schema_of(&exported.field)?;
        let writer = StreamWriter::try_new(Vec::new(), &schema).map_err(failed)?;
        *stream = Some(Stream { writer, schema });
    }
    let Some(stream) = stream else { return Ok(()) };
    let batch = batch_of(&exported.table, &stream.schema)?;
    let mut first = rows.start;
    while first < rows.end {
        let count = (rows.end - first).min(BATCH_ROWS);
        stream.writer.write(&batch.slice(first, count)).map_err(failed)?;
        stream.give(out)?;
        first += count;
    }
    stream.give(out)
}

/// Returns the schema of tables that this field describes.
pub(super) fn schema_of(field: &arrow::Field) -> Result<SchemaRef> {
    let fields = field.children.iter().map(field_of).collect::<Result<Fields>>()?;
    Ok(Arc::new(Schema::new_with_metadata(fields, metadata(field))))
}

/// Returns a table as a batch of this schema.
pub(super) fn batch_of(table: &Table, schema: &SchemaRef) -> Result<RecordBatch> {
    let array = arrow::Array::of_table(table)?;
    let columns = array.children.iter().zip(schema.fields());
    let columns = columns.map(|(array, field)| Ok(make_array(data_of(array, field.data_type())?)));
    // Without columns, the schema alone does not tell the number of rows.
    let options = RecordBatchOptions::new().with_row_count(Some(table.row_count()));
    RecordBatch::try_new_with_options(schema.clone(), columns.collect::<Result<_>>()?, &options).map_err(failed)
}

/// Ends the stream.
pub(super) fn finish(stream: Option<Stream>, out: &mut dyn Write) -> Result<()> {
    let Some(mut stream) = stream else { return Ok(()) };
    stream.writer.finish().map_err(failed)?;
    stream.give(out)
}

impl Stream {
    /// Hands over what is encoded.
    fn give(&mut self, out: &mut dyn Write) -> Result<()> {
        let bytes = self.writer.get_mut();
        out.write_all(bytes)?;
        bytes.clear();
        Ok(())
    }
}

fn failed(error: ArrowError) -> Failure {
    Failure::System("cannot write a stream of Arrow".to_owned(), io::Error::other(error))
}

fn metadata(field: &arrow::Field) -> HashMap<String, String> {
    field.metadata.iter().cloned().collect()
}

fn field_of(field: &arrow::Field) -> Result<Field> {
    let data_type = data_type(field)?;
    Ok(Field::new(&field.name, data_type, field.nullable).with_metadata(metadata(field)))
}

fn data_type(field: &arrow::Field) -> Result<DataType> {
    let item = || -> Result<Arc<Field>> {
        match &field.children[..] {
            [item] => Ok(Arc::new(field_of(item)?)),
            _ => Err(unsupported(&field.format)),
        }
    };
    Ok(match arrow::Format::parse(&field.format) {
        Some(arrow::Format::Null) => DataType::Null,
        Some(arrow::Format::Bool) => DataType::Boolean,
        Some(arrow::Format::Number(scalar)) => number(scalar).ok_or_else(|| unsupported(&field.format))?,
        Some(arrow::Format::Text) => DataType::Utf8,
        Some(arrow::Format::LargeText) => DataType::LargeUtf8,
        Some(arrow::Format::List) => DataType::List(item()?),
        Some(arrow::Format::LargeList) => DataType::LargeList(item()?),
        Some(arrow::Format::FixedList(length)) => {
            DataType::FixedSizeList(item()?, i32::try_from(length).map_err(|_| unsupported(&field.format))?)
        }
        Some(arrow::Format::Struct) => DataType::Struct(field.children.iter().map(field_of).collect::<Result<_>>()?),
        _ => time_type(&field.format).ok_or_else(|| unsupported(&field.format))?,
    })
}

/// Returns the type of a column of times, which the library exports in nanoseconds and in days.
fn time_type(format: &str) -> Option<DataType> {
    Some(match format {
        "tdD" => DataType::Date32,
        "tDn" => DataType::Duration(TimeUnit::Nanosecond),
        _ => {
            let zone = format.strip_prefix("tsn:")?;
            DataType::Timestamp(TimeUnit::Nanosecond, (!zone.is_empty()).then(|| zone.into()))
        }
    })
}

fn unsupported(format: &str) -> Failure {
    Failure::usage(format!("streams of Arrow are not written with columns of the format '{format}'"))
}

fn number(scalar: ScalarType) -> Option<DataType> {
    Some(match scalar {
        ScalarType::Int8 => DataType::Int8,
        ScalarType::Int16 => DataType::Int16,
        ScalarType::Int32 => DataType::Int32,
        ScalarType::Int64 => DataType::Int64,
        ScalarType::Uint8 => DataType::UInt8,
        ScalarType::Uint16 => DataType::UInt16,
        ScalarType::Uint32 => DataType::UInt32,
        ScalarType::Uint64 => DataType::UInt64,
        ScalarType::Float16 => DataType::Float16,
        ScalarType::Float32 => DataType::Float32,
        ScalarType::Float64 => DataType::Float64,
        _ => return None,
    })
}

/// Returns an array with copies of its buffers.
fn data_of(array: &arrow::Array, data_type: &DataType) -> Result<ArrayData> {
    let items: Vec<&DataType> = match data_type {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => vec![item.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        _ => Vec::new(),
    };
    let children = array.children.iter().zip(items).map(|(child, item)| data_of(child, item));
    let mut buffers = array.buffers.iter().map(|buffer| buffer.bytes().map(Buffer::from));
    let missing = buffers.next().flatten();
    let builder = ArrayData::builder(data_type.clone())
        .len(array.length)
        .offset(array.offset)
        .null_bit_buffer(missing)
        .buffers(buffers.map(Option::unwrap_or_default).collect())
        .child_data(children.collect::<Result<_>>()?);
    builder.build().map_err(failed)
}
