//! Round trips of random tables: all types and shapes, missing cells and elements, both delimiters.

use super::write::numbers::Spelling;
use super::{EmptyStrings, ExternalHeader, ReadOptions, TableReader, TextCompression, WriteOptions, write};
use crate::array::ScalarType;
use crate::error::Status;
use crate::table::{
    Bitmap, CellShape, Column, ColumnHeader, ColumnParts, Delimiter, ElementType, Header, Table, Text, Values,
};
use std::sync::Arc;

/// Xorshift: the same numbers in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn bits(&mut self, count: usize) -> Option<Bitmap> {
        let mut bitmap = Bitmap::default();
        (0..count).for_each(|_| bitmap.push(self.below(4) > 0).unwrap());
        (self.below(2) == 0).then_some(bitmap)
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 16] =
            ["a", "#", " ", "\n", "\r", "\"", "\"\"", ",", "\t", "é", "日本", "\\", "nan", "\u{2028}", "[", "\n\n"];
        (0..=self.below(5)).map(|_| PIECES[self.below(16) as usize]).collect()
    }

    fn values(&mut self, element_type: ElementType, count: usize) -> Values {
        let ElementType::Scalar(scalar) = element_type else {
            let mut text = Text::new();
            for _ in 0..count {
                let piece = match element_type {
                    ElementType::Float128 => format!("{}.25e-{}", self.below(1 << 60), self.below(4000)),
                    ElementType::Complex256 => format!("({}-1.5e+4000j)", self.below(1 << 60)),
                    ElementType::Json => "{\"a\":[null,NaN,\"x y\"]}".to_owned(),
                    _ => self.text(),
                };
                text.push(&piece).unwrap();
            }
            return Values::Text(text);
        };
        macro_rules! filled {
            ($($variant:ident: $make:expr;)*) => {
                match scalar {
                    ScalarType::Bool8 => Values::Bool8((0..count).map(|_| self.below(2) as u8).collect()),
                    $(ScalarType::$variant => Values::$variant((0..count).map(|_| $make(self)).collect()),)*
                }
            };
        }
        filled! {
            Int8: |chance: &mut Chance| chance.next() as i8;
            Int16: |chance: &mut Chance| chance.next() as i16;
            Int32: |chance: &mut Chance| chance.next() as i32;
            Int64: |chance: &mut Chance| chance.next() as i64;
            Uint8: |chance: &mut Chance| chance.next() as u8;
            Uint16: |chance: &mut Chance| chance.next() as u16;
            Uint32: |chance: &mut Chance| chance.next() as u32;
            Uint64: |chance: &mut Chance| chance.next();
            Float16: |chance: &mut Chance| chance.next() as u16;
            Float32: |chance: &mut Chance| f32::from_bits(chance.next() as u32);
            Float64: |chance: &mut Chance| f64::from_bits(chance.next());
            Complex64: |chance: &mut Chance| [0.0, -0.0].map(|zero| zero + f32::from_bits(chance.next() as u32));
            Complex128: |chance: &mut Chance| [0.0, -0.0].map(|zero| zero + f64::from_bits(chance.next()));
        }
    }

    fn column(&mut self, element_type: ElementType, cell_shape: CellShape, row_count: usize) -> Column {
        let offsets = cell_shape.row_of_last_axis().map(|of_row| {
            let mut end = 0;
            let ends = (0..row_count).map(|_| {
                end += (self.below(4) * of_row) as i64;
                end
            });
            std::iter::once(0).chain(ends).collect::<Vec<i64>>()
        });
        let fixed = cell_shape.element_count().map(|of_cell| of_cell as usize * row_count);
        let count = fixed.or(offsets.as_ref().map(|offsets| offsets[row_count] as usize)).unwrap();
        let values = self.values(element_type, count);
        let cells = self.bits(row_count);
        // A missing element is written as null, which a column of JSON values reads as a value.
        let may_miss = cell_shape != CellShape::Scalar && element_type != ElementType::Json;
        let elements = if may_miss { self.bits(count) } else { None };
        Column::new(ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count }).unwrap()
    }

    fn table(&mut self) -> Table {
        use ElementType::{Complex256, Float128, Json, String};
        let kept = [Float128, Complex256, Json, String].into_iter();
        let types = ScalarType::ALL.iter().map(|&scalar| ElementType::Scalar(scalar)).chain(kept);
        let row_count = self.below(6) as usize;
        let (mut headers, mut columns) = (Vec::new(), Vec::new());
        for element_type in types {
            let is_complex = element_type.name().starts_with("complex");
            let cell_shape = match self.below(if is_complex { 1 } else { 4 }) {
                0 => CellShape::Scalar,
                1 => CellShape::Fixed(vec![2, 1 + self.below(2)]),
                2 => CellShape::Variable(vec![]),
                _ => CellShape::Variable(vec![2]),
            };
            let name = format!("{element_type} {}", self.text());
            headers.push(ColumnHeader::new(name, element_type, cell_shape.clone()));
            columns.push(Arc::new(self.column(element_type, cell_shape, row_count)));
        }
        Table::new(Arc::new(Header { columns: headers, ..Header::default() }), columns, row_count).unwrap()
    }
}

/// Returns the cells of a column as text. Missing cells and elements are marked as missing, whatever their value.
fn content(column: &Column) -> Vec<Option<Vec<Option<String>>>> {
    let element = |index: usize| match column.values() {
        Values::Text(text) => text.get(index).to_owned(),
        values => {
            let mut out = Vec::new();
            Spelling::FIELD.write(&mut out, values, index);
            String::from_utf8(out).unwrap()
        }
    };
    let cell = |row: usize| {
        let elements = column.elements_of(row).map(|index| column.has_element(index).then(|| element(index)));
        column.has_cell(row).then(|| elements.collect())
    };
    (0..column.row_count()).map(cell).collect()
}

#[test]
fn tables_round_trip() {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.ecsv");
    for round in 0..300 {
        let table = chance.table();
        let options = WriteOptions {
            delimiter: Some(if round % 2 == 0 { Delimiter::Space } else { Delimiter::Comma }),
            compression: if round % 10 == 0 { TextCompression::Gzip } else { TextCompression::BySuffix },
            empty_strings: EmptyStrings::Refuse,
            replace: true,
            durable: false,
            ..WriteOptions::default()
        };
        write(&path, &table, &options).unwrap();
        let back = TableReader::open(&path, &ReadOptions::default()).unwrap().read_all().unwrap();
        assert_eq!(back.row_count(), table.row_count());
        let headers = table.header().columns.iter().zip(&back.header().columns);
        for ((ours, theirs), (column, read)) in headers.zip(table.columns().iter().zip(back.columns())) {
            assert_eq!(ours.name, theirs.name);
            assert_eq!((ours.element_type, &ours.cell_shape), (theirs.element_type, &theirs.cell_shape));
            assert_eq!(content(column), content(read), "{}", ours.name);
        }
    }
}

#[test]
fn carriage_returns_alone_end_lines() {
    let text =
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\n# - {name: b, datatype: string}\na b\n";
    let rows: String = (0..50_000).map(|row| format!("{row} \"x\n{row}\"\n")).collect();
    let text = text.to_owned() + &rows;
    let table_of = |text: String, strict| {
        let options = ReadOptions { strict, batch_rows: 7000, threads: 2, ..ReadOptions::default() };
        TableReader::of_memory(Arc::new(text.into_bytes()), &options)?.read_all()
    };
    let expected = table_of(text.clone(), true).unwrap();
    let found = table_of(text.replace('\n', "\r"), false).unwrap();
    assert_eq!(found.warnings().len(), 1);
    assert!(
        found.columns().iter().zip(expected.columns()).all(|(found, expected)| found.values() == expected.values())
    );
    let error = table_of(text.replace('\n', "\r"), true).unwrap_err();
    assert_eq!(error.status(), Status::TableHeader);
    let error = table_of(text.replace('\n', "\r") + "1.5 x\r", false).unwrap_err();
    assert_eq!((error.status(), error.location().line), (Status::Cell, Some(100_007)));
    let external = ReadOptions {
        external_header: Some(ExternalHeader::Memory(Arc::new(
            text.split("a b\n").next().unwrap().as_bytes().to_vec(),
        ))),
        ..ReadOptions::default()
    };
    let found = TableReader::of_memory(Arc::new(b"a b\r1 x\r2 y\r".to_vec()), &external).unwrap().read_all().unwrap();
    assert_eq!((found.row_count(), found.warnings().len()), (2, 1));
}

#[test]
fn one_stream_takes_the_batches_of_a_reader() {
    let text = b"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\n".to_vec();
    let mut reader = TableReader::of_memory(Arc::new(text), &ReadOptions::default()).unwrap();
    reader.give_to(None).unwrap();
    reader.give_to(Some(1)).unwrap();
    reader.give_to(Some(1)).unwrap();
    for other in [None, Some(2)] {
        assert_eq!(reader.give_to(other).unwrap_err().status(), Status::Closed);
    }
}
