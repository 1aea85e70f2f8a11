//! Tests of tables to Arrow and back, without the C structs.

use super::*;
use crate::array::ScalarType;
use crate::limits::Limits;
use crate::table::{Bitmap, Column, ColumnHeader, ColumnParts, ElementType, Header, Table, Text, Values};
use std::ops::Range;
use std::sync::Arc;

fn bits(text: &str) -> Option<Bitmap> {
    let mut bits = Bitmap::default();
    text.chars().for_each(|character| bits.push(character == '1').unwrap());
    Some(bits)
}

fn text(items: &[&str]) -> Values {
    let mut text = Text::new();
    items.iter().for_each(|item| text.push(item).unwrap());
    Values::Text(text)
}

fn parts(element_type: ElementType, cell_shape: CellShape, values: Values, row_count: usize) -> ColumnParts {
    ColumnParts { element_type, cell_shape, values, offsets: None, cells: None, elements: None, row_count }
}

fn table(columns: Vec<(&str, ColumnParts)>) -> Table {
    let row_count = columns[0].1.row_count;
    let header =
        |(name, parts): &(&str, ColumnParts)| ColumnHeader::new(*name, parts.element_type, parts.cell_shape.clone());
    let header = Header { columns: columns.iter().map(header).collect(), ..Header::default() };
    let columns = columns.into_iter().map(|(_, parts)| Arc::new(Column::new(parts).unwrap())).collect();
    Table::new(Arc::new(header), columns, row_count).unwrap()
}

/// Makes a table of four rows with columns of all types and missing values.
fn example() -> Table {
    use CellShape::{Fixed, Scalar, Variable};
    let of = ElementType::Scalar;
    let int16 = of(ScalarType::Int16);
    let mut columns = vec![
        ("i", ColumnParts { cells: bits("1011"), ..parts(int16, Scalar, Values::Int16(vec![1, 2, 3, 4]), 4) }),
        (
            "b",
            ColumnParts {
                cells: bits("1101"),
                ..parts(of(ScalarType::Bool8), Scalar, Values::Bool8(vec![1, 0, 1, 1]), 4)
            },
        ),
        ("f", parts(of(ScalarType::Float64), Scalar, Values::Float64(vec![0.1, -0.0, f64::INFINITY, 4.0]), 4)),
        ("h", parts(of(ScalarType::Float16), Scalar, Values::Float16(vec![1, 2, 3, 4]), 4)),
        (
            "s",
            ColumnParts {
                cells: bits("1110"), ..parts(ElementType::String, Scalar, text(&["a", "", "日本", "x"]), 4)
            },
        ),
        ("q", parts(ElementType::Float128, Scalar, text(&["1", "2.5", "nan", "1e4000"]), 4)),
        (
            "j",
            ColumnParts {
                cells: bits("0111"),
                ..parts(ElementType::Json, Scalar, text(&["", "null", "[1]", "{}"]), 4)
            },
        ),
    ];
    let pairs: Vec<[f32; 2]> = (0_u8..4).map(|n| [f32::from(n), 0.5]).collect();
    let complex = of(ScalarType::Complex64);
    columns.push(("z", ColumnParts { cells: bits("1101"), ..parts(complex, Scalar, Values::Complex64(pairs), 4) }));
    let pairs: Vec<[f64; 2]> = (0_u8..8).map(|n| [f64::from(n), 0.5]).collect();
    let complex = of(ScalarType::Complex128);
    columns.push((
        "za",
        ColumnParts { elements: bits("11110111"), ..parts(complex, Fixed(vec![2]), Values::Complex128(pairs), 4) },
    ));
    columns.push(("pairs", parts(of(ScalarType::Float32), Fixed(vec![2]), Values::Float32(vec![1.5; 8]), 4)));
    let fixed = parts(int16, Fixed(vec![2, 3]), Values::Int16((0..24).collect()), 4);
    let elements = bits("111111000000111011111111");
    columns.push(("fixed", ColumnParts { cells: bits("1011"), elements, ..fixed }));
    let whole = parts(int16, Scalar, Values::Int16((0..4).collect()), 4);
    columns.push(("whole", ColumnParts { cells: bits("1111"), ..whole }));
    let whole = parts(int16, Fixed(vec![2]), Values::Int16((0..8).collect()), 4);
    columns.push(("whole cells", ColumnParts { elements: bits("11111111"), ..whole }));
    columns.push(("none", parts(int16, Fixed(vec![0, 2]), Values::Int16(vec![]), 4)));
    let offsets = Some(vec![0, 2, 2, 2, 5]);
    let variable = ColumnParts {
        offsets,
        cells: bits("1011"),
        ..parts(int16, Variable(vec![]), Values::Int16((0..5).collect()), 4)
    };
    columns.push(("variable", ColumnParts { elements: bits("11011"), ..variable }));
    let offsets = Some(vec![0, 4, 4, 10, 12]);
    let words: Vec<String> = (0..12).map(|n| format!("w{n}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let variable = parts(ElementType::String, Variable(vec![2]), text(&words), 4);
    columns.push(("ragged", ColumnParts { offsets, cells: bits("1011"), ..variable }));
    table(columns)
}

/// Returns the elements of a cell as bytes, `None` for a missing element.
fn cell(column: &Column, row: usize) -> Option<Vec<Option<Vec<u8>>>> {
    let element = |index: usize| {
        column.has_element(index).then(|| match column.values() {
            Values::Text(text) => text.get(index).as_bytes().to_vec(),
            values => {
                let bytes = values.bytes().unwrap();
                let size = bytes.len() / values.len();
                bytes[index * size..(index + 1) * size].to_vec()
            }
        })
    };
    column.has_cell(row).then(|| column.elements_of(row).map(element).collect())
}

fn assert_same(found: &Table, expected: &Table, rows: Range<usize>) {
    assert_eq!(found.row_count(), rows.len());
    for ((column, said), original) in found.columns().iter().zip(&found.header().columns).zip(expected.columns()) {
        assert_eq!((column.element_type(), column.cell_shape()), (original.element_type(), original.cell_shape()));
        assert!(rows.is_empty() || column.is_masked() == original.is_masked(), "{}", said.name);
        for (row, original_row) in rows.clone().enumerate() {
            assert_eq!(cell(column, row), cell(original, original_row), "{} {row}", said.name);
        }
    }
}

fn imported(field: &Field, arrays: &[Array]) -> Result<Table> {
    let mut importer = Importer::new(field, &Limits::default())?;
    for array in arrays {
        importer.append(&ArrayView::of(array))?;
    }
    importer.take()
}

#[test]
fn whole_and_sliced_tables_round_trip() {
    let table = example();
    let field = Field::of_header(table.header()).unwrap();
    let array = Array::of_table(&table).unwrap();
    assert_same(&imported(&field, std::slice::from_ref(&array)).unwrap(), &table, 0..4);
    for split in 0..5 {
        let pieces = [array.rows(0..split), array.rows(split..9)];
        assert_same(&imported(&field, &pieces).unwrap(), &table, 0..4);
        assert_same(&imported(&field, &pieces[1..]).unwrap(), &table, split..4);
    }
    assert_same(&imported(&field, &[]).unwrap(), &table, 0..0);
    assert_eq!(imported(&field, &[array]).unwrap().header().columns[0].name, "i");
}

#[test]
fn batches_are_independent() {
    let table = example();
    let array = Array::of_table(&table).unwrap();
    let mut importer = Importer::new(&Field::of_header(table.header()).unwrap(), &Limits::default()).unwrap();
    for row in 0..4 {
        importer.append(&ArrayView::of(&array.rows(row..row + 1))).unwrap();
        assert_same(&importer.take().unwrap(), &table, row..row + 1);
    }
}

#[test]
fn values_of_the_same_layout_are_shared() {
    let table = example();
    let array = Array::of_table(&table).unwrap();
    for (column, exported) in table.columns().iter().zip(&array.children) {
        let mut innermost = exported;
        while let [items] = innermost.children.as_slice() {
            innermost = items;
        }
        let values = match column.values() {
            Values::Bool8(_) => continue,
            Values::Text(text) => text.bytes().as_bytes(),
            values => values.bytes().unwrap(),
        };
        assert_eq!(innermost.buffers.last().unwrap().bytes().unwrap().as_ptr(), values.as_ptr());
    }
    let missing: Vec<usize> = array.children.iter().map(|column| column.null_count).collect();
    assert_eq!(missing, [1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1]);
    let missing: Vec<usize> = array.rows(1..2).children.iter().map(|column| column.null_count).collect();
    assert_eq!(missing, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1]);
}

/// A field and an array of one column.
fn one(column: Field, array: ArrayView<'static>) -> (Field, ArrayView<'static>) {
    let table = ArrayView { length: array.length, children: vec![array], ..ArrayView::default() };
    (Field::new("", Format::Struct, vec![Field { name: "a".to_owned(), ..column }]), table)
}

fn import_one(column: Field, array: ArrayView<'static>) -> Result<Table> {
    let (field, array) = one(column, array);
    let mut importer = Importer::new(&field, &Limits::default())?;
    importer.append(&array)?;
    importer.take()
}

fn leak<T: bytemuck::NoUninit>(items: Vec<T>) -> &'static [u8] {
    bytemuck::cast_slice(items.leak())
}

fn field(format: Format, children: Vec<Field>) -> Field {
    Field::new("item", format, children)
}

fn texts_of(table: &Table) -> Vec<Option<&str>> {
    let column = &table.columns()[0];
    let text = column.values().text().unwrap();
    (0..column.row_count()).map(|row| column.has_cell(row).then(|| text.get(row))).collect()
}

#[test]
fn dictionaries_and_text_views_are_read() {
    let mut view = vec![5_i32, 0, 0, 0, 14, 0, 0, 2, 7, 0, 0, 0];
    bytemuck::cast_slice_mut::<i32, u8>(&mut view[1..4]).copy_from_slice(b"short\0\0\0\0\0\0\0");
    let words = ArrayView {
        length: 3,
        validity: Some(&[0b011]),
        buffers: vec![leak(view), b"..fourteen bytes, and more"],
        ..ArrayView::default()
    };
    let found = import_one(field(Format::TextView, vec![]), words.clone()).unwrap();
    assert_eq!(texts_of(&found), [Some("short"), Some("fourteen bytes"), None]);

    let numbers = ArrayView { length: 4, offset: 1, validity: Some(&[0b11011]), ..ArrayView::default() };
    let numbers = ArrayView { buffers: vec![&[9, 1, 9, 0, 2]], dictionary: Some(Box::new(words)), ..numbers };
    let mut dictionary = field(Format::Number(ScalarType::Uint8), vec![]);
    dictionary.dictionary = Some(Box::new(field(Format::TextView, vec![])));
    let found = import_one(dictionary.clone(), numbers.clone()).unwrap();
    assert_eq!(texts_of(&found), [Some("fourteen bytes"), None, Some("short"), None]);
    let wrong = ArrayView { buffers: vec![&[9, 1, 9, 0, 3]], ..numbers };
    assert_eq!(import_one(dictionary, wrong).unwrap_err().status(), Status::InvalidArgument);
}

#[test]
fn unsupported_types_are_refused_by_name() {
    let refused = |column, array| {
        let error = import_one(column, array).unwrap_err();
        assert!(error.to_string().starts_with("column 'a': "), "{error}");
        error.status()
    };
    let empty = ArrayView::default;
    let int8 = || field(Format::Number(ScalarType::Int8), vec![]);
    let list = |items| field(Format::List, vec![items]);
    let unknown = Field { format: "tss:UTC".to_owned(), ..int8() };
    assert_eq!(refused(unknown, empty()), Status::Unsupported);
    assert_eq!(refused(list(list(int8())), empty()), Status::Unsupported);
    let mut period = int8();
    period.metadata.push(("ARROW:extension:name".to_owned(), "pandas.period".to_owned()));
    assert_eq!(refused(list(period.clone()), empty()), Status::Unsupported);
    assert_eq!(refused(period, empty()), Status::Unsupported);
    assert_eq!(refused(list(field(Format::FixedList(2), vec![int8()])), empty()), Status::Unsupported);
    assert_eq!(refused(field(Format::Struct, vec![int8()]), empty()), Status::Unsupported);
    assert_eq!(refused(field(Format::List, vec![]), empty()), Status::InvalidArgument);
    let deep = (0..40).fold(int8(), |items, _| field(Format::FixedList(1), vec![items]));
    assert_eq!(refused(deep, empty()), Status::Unsupported);

    let items = ArrayView { length: 3, buffers: vec![&[1, 2, 3]], ..empty() };
    let lists = |offsets: Vec<i32>, validity, length| {
        let buffers = vec![leak(offsets)];
        ArrayView { length, validity, buffers, children: vec![items.clone()], ..empty() }
    };
    let cells = |lists| ArrayView { length: 1, children: vec![lists], ..empty() };
    let pair = || field(Format::FixedList(2), vec![list(int8())]);
    assert_eq!(refused(pair(), cells(lists(vec![0, 1, 3], None, 2))), Status::Unsupported);
    assert_eq!(refused(pair(), cells(lists(vec![0, 1, 2], Some(&[0b01]), 2))), Status::Unsupported);
    assert_eq!(refused(list(int8()), lists(vec![2, 1], None, 1)), Status::InvalidArgument);
    assert_eq!(refused(list(int8()), lists(vec![-1, 1], None, 1)), Status::InvalidArgument);
    assert_eq!(refused(list(int8()), lists(vec![0, 4], None, 1)), Status::InvalidArgument);
    assert_eq!(refused(list(int8()), lists(vec![0], None, 1)), Status::InvalidArgument);
    assert_eq!(refused(field(Format::FixedList(2), vec![int8()]), cells(empty())), Status::InvalidArgument);

    let words = |offsets: Vec<i32>| ArrayView { length: 1, buffers: vec![leak(offsets), b"a\xFF"], ..empty() };
    assert_eq!(refused(field(Format::Text, vec![]), words(vec![0, 2])), Status::Encoding);
    assert_eq!(refused(field(Format::Text, vec![]), words(vec![0, 3])), Status::InvalidArgument);
}

#[test]
fn text_must_match_its_field() {
    let words = |validity| {
        let buffers = vec![leak(vec![0_i32, 1, 2, 3]), b"1[2"];
        ArrayView { length: 3, validity, buffers, ..ArrayView::default() }
    };
    let field_with = |key: &str, value: &str| {
        let metadata = vec![(key.to_owned(), value.to_owned())];
        Field { metadata, ..field(Format::Text, vec![]) }
    };
    for (key, value) in [
        ("ARROW:extension:name", "arrow.json"),
        ("ecsv:datatype", "json"),
        ("ecsv:datatype", "float128"),
        ("ecsv:datatype", "complex256"),
    ] {
        let error = import_one(field_with(key, value), words(None)).unwrap_err();
        assert_eq!(error.status(), Status::ValueRange, "{value}");
        assert!(error.to_string().starts_with("column 'a': element 1: "), "{error}");
        // Arrow allows any values beneath a missing cell.
        assert_eq!(
            texts_of(&import_one(field_with(key, value), words(Some(&[0b101]))).unwrap()),
            [Some("1"), None, Some("2")]
        );
    }
    assert!(import_one(field_with("ecsv:datatype", "string"), words(None)).is_ok());
    let cells = ArrayView { length: 3, validity: Some(&[0b101]), children: vec![words(None)], ..ArrayView::default() };
    let list = Field {
        format: "+w:1".to_owned(),
        children: vec![field_with("ecsv:unused", "")],
        ..field_with("ecsv:datatype", "float128")
    };
    assert!(import_one(list, cells).is_ok());
}

#[test]
fn lists_inside_missing_cells_are_ignored() {
    let int8 = field(Format::Number(ScalarType::Int8), vec![]);
    let items = ArrayView { length: 6, buffers: vec![&[1, 2, 3, 4, 5, 6]], ..ArrayView::default() };
    let offsets = leak(vec![0_i32, 1, 3, 3, 4, 5, 6]);
    let lists = ArrayView { length: 6, buffers: vec![offsets], children: vec![items], ..ArrayView::default() };
    let cells =
        ArrayView { length: 3, validity: Some(&[0b100]), children: vec![lists.clone()], ..ArrayView::default() };
    let column = field(Format::FixedList(2), vec![field(Format::List, vec![int8])]);
    let table = import_one(column, cells).unwrap();
    let column = &table.columns()[0];
    assert_eq!(column.values(), &Values::Int8(vec![5, 6]));
    assert_eq!((column.offsets().unwrap(), column.has_cell(1)), (&[0, 0, 0, 2][..], false));
}

/// Counts how many times an array can be appended before the limit of 800 bytes is exceeded, without taking a table.
fn times_appended(column: Field, array: ArrayView<'static>) -> usize {
    let (field, array) = one(column, array);
    let mut importer = Importer::new(&field, &Limits { table_bytes: 800, ..Limits::default() }).unwrap();
    let mut count = 0;
    while count < 20 {
        if let Err(error) = importer.append(&array) {
            assert_eq!(error.status(), Status::Limit);
            break;
        }
        count += 1;
    }
    count
}

#[test]
fn values_without_buffers_are_limited() {
    let null = || field(Format::Null, vec![]);
    let of_rows = |length| ArrayView { length, ..ArrayView::default() };
    assert_eq!(times_appended(null(), of_rows(30)), 3);
    assert_eq!(times_appended(null(), of_rows(usize::MAX / 2)), 0);
    let cells = |length| ArrayView { children: vec![of_rows(length * 5)], ..of_rows(length) };
    assert_eq!(times_appended(field(Format::FixedList(5), vec![null()]), cells(10)), 2);
    assert_eq!(times_appended(field(Format::FixedList(0), vec![null()]), cells(50)), 2);
    let lists =
        ArrayView { buffers: vec![leak(vec![0_i32, 10, 1 << 30])], children: vec![of_rows(1 << 30)], ..of_rows(2) };
    assert_eq!(times_appended(field(Format::List, vec![null()]), lists), 0);
    let offsets = vec![leak(vec![0_i32, 10, 1 << 30])];
    let beyond = || ArrayView { buffers: offsets.clone(), children: vec![of_rows(20)], ..of_rows(2) };
    for items in [null(), field(Format::Text, vec![])] {
        let error = import_one(field(Format::List, vec![items]), beyond()).unwrap_err();
        assert!(error.message().contains("fewer values than its parent needs"), "{error}");
    }
    // Numbers have buffers, so any count is allowed, and their bytes raise the limit for the nulls.
    let int8 = ArrayView { buffers: vec![&[7; 2000]], ..of_rows(2000) };
    assert_eq!(times_appended(field(Format::Number(ScalarType::Int8), vec![]), int8.clone()), 20);
    let both = Field::new(
        "",
        Format::Struct,
        vec![Field { name: "a".to_owned(), ..null() }, field(Format::Number(ScalarType::Int8), vec![])],
    );
    let mut importer = Importer::new(&both, &Limits { table_bytes: 0, ..Limits::default() }).unwrap();
    let rows = ArrayView { children: vec![of_rows(250), int8], ..of_rows(250) };
    importer.append(&rows).unwrap();
    assert_eq!(importer.take().unwrap().row_count(), 250);
}

#[test]
fn rows_without_columns_are_only_counted() {
    let mut importer = Importer::new(&Field::new("", Format::Struct, vec![]), &Limits::default()).unwrap();
    // A number of rows is an `i64` and a `usize`.
    let (many, fitting) = (usize::MAX / 4 + 1, if cfg!(target_pointer_width = "64") { 1 } else { 3 });
    let array = ArrayView { length: many, ..ArrayView::default() };
    for _ in 0..fitting {
        importer.append(&array).unwrap();
    }
    assert_eq!(importer.append(&array).unwrap_err().status(), Status::Limit);
    assert_eq!(importer.take().unwrap().row_count(), fitting * many);
    importer.append(&array).unwrap();
}

#[test]
fn a_stream_of_arrays_without_content_ends() {
    let limits = Limits { table_bytes: 1000 * 4096, ..Limits::default() };
    let null = field(Format::Null, vec![]);
    let empty = ArrayView::default();
    for (columns, children) in [(vec![], vec![]), (vec![null], vec![empty])] {
        let mut importer = Importer::new(&Field::new("", Format::Struct, columns), &limits).unwrap();
        let array = ArrayView { children, ..ArrayView::default() };
        for _ in 0..2 {
            (0..1000).for_each(|_| importer.append(&array).unwrap());
            importer.take().unwrap();
        }
        (0..1000).for_each(|_| importer.append(&array).unwrap());
        assert_eq!(importer.append(&array).unwrap_err().status(), Status::Limit);
    }
}

#[test]
fn tables_are_structs_of_unique_columns() {
    let int8 = field(Format::Number(ScalarType::Int8), vec![]);
    assert_eq!(Importer::new(&int8, &Limits::default()).unwrap_err().status(), Status::InvalidArgument);
    let twice = Field::new("", Format::Struct, vec![int8.clone(), int8.clone()]);
    assert_eq!(Importer::new(&twice, &Limits::default()).unwrap_err().status(), Status::InvalidArgument);
    let mut importer = Importer::new(&Field::new("", Format::Struct, vec![int8]), &Limits::default()).unwrap();
    assert_eq!(importer.append(&ArrayView::default()).unwrap_err().status(), Status::InvalidArgument);
    let column = ArrayView { length: 2, buffers: vec![&[1, 2]], ..ArrayView::default() };
    let table = ArrayView { length: 2, validity: Some(&[0b01]), children: vec![column], ..ArrayView::default() };
    assert_eq!(importer.append(&table).unwrap_err().status(), Status::Unsupported);
}
