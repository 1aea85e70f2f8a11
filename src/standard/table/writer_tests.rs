//! Tests of tables that are stored in batches: the file equals that of the table stored as a whole.

use crate::array::{ScalarType, TemporaryFiles};
use crate::codec::{Codec, Compression};
use crate::error::{Result, Status};
use crate::file::{ArrayOptions, File, NewOptions, OpenOptions, WriteOptions};
use crate::source::MemorySource;
use crate::standard::{NodeTableWriter, TableForm, TableReadOptions, TableWriteOptions};
use crate::table::ecsv::{Input, ReadOptions, TableReader};
use crate::table::{Column, ColumnHeader, ElementType, Rows, Table, Text, Values};
use std::sync::Arc;

/// Columns of all kinds. In the first rows nothing is missing, and texts are short.
const ECSV: &str = r#"# %ECSV 1.0
# ---
# datatype:
# - {name: n, datatype: int32, unit: m, description: a number, meta: {key: 7}}
# - {name: f, datatype: float64, format: '%.3f'}
# - {name: s, datatype: string}
# - {name: b, datatype: bool}
# - {name: a, datatype: string, subtype: 'float32[2]'}
# - {name: v, datatype: string, subtype: 'int64[null]'}
# - {name: w, datatype: string, subtype: 'string[null]'}
# - {name: j, datatype: string, subtype: json}
# - {name: t, datatype: string}
# - {name: q, datatype: float64, unit: Jy}
# meta:
#   __serialized_columns__:
#     t:
#       __class__: astropy.time.core.Time
#       format: isot
#       scale: utc
#       value: !astropy.table.SerializedColumn {name: t}
#     q:
#       __class__: astropy.units.quantity.Quantity
#       unit: !astropy.units.Unit {unit: Jy}
#       value: !astropy.table.SerializedColumn {name: q}
#   kind: test
n f s b a v w j t q
1 0.5 x True [1,2] [1,2,3] "[""a""]" {} 2020-01-01T00:00:00.000 1
2 nan yy False [3,4] [] [] [1] 2021-01-01T00:00:00.000 2
3 2.5 zz True [5,null] [7] "[""äö"",""x""]" 3 2022-01-01T00:00:00.000 3
"" "" éèàçùâ "" [7,8] [null,9] "[""b"",null]" "" 2023-01-01T00:00:00.000 4
5 1e300 "" False [9,0] "" "[""longer than all""]" null 2024-01-01T00:00:00.000 5
"#;

fn table(text: &str) -> Table {
    let input = Input::of_source(Arc::new(MemorySource::of_vec(text.as_bytes().to_vec()))).unwrap();
    TableReader::of_input(input, &ReadOptions::default()).unwrap().read_all().unwrap()
}

fn begin(file: &File, header: &Table, options: &TableWriteOptions) -> Result<NodeTableWriter> {
    NodeTableWriter::begin(&file.root()?, "t", header.header(), options, &TemporaryFiles::default())
}

/// Stores a table in batches of so many rows.
fn store(file: &File, table: &Table, rows: usize, options: &TableWriteOptions) -> Result<()> {
    let mut writer = begin(file, table, options)?;
    for first in (0..table.row_count()).step_by(rows) {
        let count = rows.min(table.row_count() - first);
        writer.append(&table.slice(first as u64, Some(count as u64), 1)?)?;
    }
    assert_eq!(writer.rows(), table.row_count() as u64);
    assert!(!file.root()?.exists("t")?);
    writer.finish()
}

fn bytes(store: impl FnOnce(&File) -> Result<()>) -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    store(&file).unwrap();
    file.write_to_memory(&WriteOptions::default()).unwrap()
}

#[test]
fn batches_make_the_file_of_the_whole_table() {
    let table = table(ECSV);
    let zlib = Some(Compression::new(Codec::Zlib, None).unwrap());
    for form in TableForm::ALL.into_iter().filter(|form| *form != TableForm::Records) {
        for compression in [None, zlib.clone()] {
            let arrays = ArrayOptions { compression, ..ArrayOptions::default() };
            let options = TableWriteOptions { form, leave_out: true, arrays };
            let whole = bytes(|file| file.root()?.set_table("t", &table, &options));
            for rows in 1..=6 {
                assert!(bytes(|file| store(file, &table, rows, &options)) == whole, "{form:?}, {rows}");
            }
        }
    }
}

#[test]
fn a_table_without_rows_is_stored() {
    let table = table(ECSV).slice(0, Some(0), 1).unwrap();
    let options = TableWriteOptions::default();
    let file = bytes(|file| begin(file, &table, &options)?.finish());
    let file = File::open_source(Arc::new(MemorySource::of_vec(file)), &OpenOptions::default()).unwrap();
    let read = file.root().unwrap().table("t", &TableReadOptions::default()).unwrap();
    assert_eq!((read.row_count(), read.columns().len()), (0, 10));
}

#[test]
fn many_rows_need_many_extents() {
    let mut text = Text::new();
    (0..5000).for_each(|row| text.push(&"é".repeat(row % 40)).unwrap());
    let column = Column::scalars(ElementType::String, Values::Text(text), None).unwrap();
    let mut table = Table::of_rows(5000);
    let header = |name, column: &Column| ColumnHeader::new(name, column.element_type(), column.cell_shape().clone());
    table.add_column(header("s", &column), Arc::new(column)).unwrap();
    let column = Values::Int64((0..5000).collect());
    let column = Column::scalars(ElementType::Scalar(ScalarType::Int64), column, None).unwrap();
    table.add_column(header("n", &column), Arc::new(column)).unwrap();
    let options = TableWriteOptions::default();
    let whole = bytes(|file| file.root()?.set_table("t", &table, &options));
    assert!(bytes(|file| store(file, &table, 700, &options)) == whole);
}

#[test]
fn objects_that_are_not_stored_as_they_are_stay_columns() {
    // A missing time is a mask of the object in memory.
    let text = ECSV.replace("2023-01-01T00:00:00.000", "\"\"");
    let table = table(&text);
    let file = File::new(&NewOptions::default());
    store(&file, &table, 2, &TableWriteOptions::default()).unwrap();
    let read = file.root().unwrap().table("t", &TableReadOptions::default()).unwrap();
    let class = read.header().meta.as_ref().unwrap().string("__serialized_columns__/t/__class__").unwrap();
    assert_eq!(class, "astropy.time.core.Time");
    assert!(!read.column("t").unwrap().has_cell(3) && read.column("t").unwrap().has_cell(4));
}

#[test]
fn failures_are_typed_and_leave_the_tree() {
    let file = File::new(&NewOptions::default());
    let table = table(ECSV);
    let status = |result: Result<()>| result.unwrap_err().status();
    let options = TableWriteOptions { form: TableForm::Records, ..TableWriteOptions::default() };
    assert_eq!(status(begin(&file, &table, &options).map(drop)), Status::Unsupported);
    let arrays =
        ArrayOptions { compression: Some(Compression::new(Codec::Blosc, None).unwrap()), ..Default::default() };
    let options = TableWriteOptions { arrays, ..TableWriteOptions::default() };
    assert_eq!(status(begin(&file, &table, &options).map(drop)), Status::Unsupported);
    let options = TableWriteOptions { form: TableForm::Arrays, ..TableWriteOptions::default() };
    assert_eq!(status(begin(&file, &table, &options).map(drop)), Status::Unsupported);
    let options = TableWriteOptions::default();
    let root = file.root().unwrap();
    let begin_in = |files| NodeTableWriter::begin(&root, "t", table.header(), &options, &files).map(drop);
    assert_eq!(status(begin_in(TemporaryFiles::Never)), Status::InvalidArgument);
    assert!(begin_in(TemporaryFiles::Directory("/nonexistent/folder".into())).is_err());

    let mut writer = begin(&file, &table, &options).unwrap();
    let other = table.select(Rows::All, Some(&["n"])).unwrap();
    assert_eq!(status(writer.append(&other)), Status::InvalidArgument);
    writer.append(&table).unwrap();
    writer.finish().unwrap();
    assert_eq!(status(writer.append(&table)), Status::Closed);
    assert_eq!(status(writer.finish()), Status::Closed);

    let mut nul = table.clone();
    nul.set_text("s", 1, 0, Some("a\0")).unwrap();
    let mut writer = NodeTableWriter::begin(&root, "u", nul.header(), &options, &TemporaryFiles::default()).unwrap();
    writer.append(&table).unwrap();
    let error = writer.append(&nul).unwrap_err();
    assert_eq!(error.status(), Status::ValueRange);
    let message = error.to_string();
    assert!(message.contains("'s'") && message.contains("row 6"), "{message}");
    assert_eq!(status(writer.finish()), Status::Incomplete);
    assert!(!file.root().unwrap().exists("u").unwrap());
}
