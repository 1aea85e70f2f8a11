//! Tests that store tables in files and read them again.

use super::{Metadata, TableForm, TableReadOptions, TableWriteOptions};
use crate::array::ScalarType;
use crate::codec::{Codec, Compression, encode};
use crate::error::{Result, Status};
use crate::file::{ArrayOptions, File, NewOptions, Node, OpenOptions, StandardVersion, Storage, WriteOptions};
use crate::limits::Limits;
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Header, Table, Text, Values};
use std::sync::Arc;

fn bits(bits: &[u8]) -> Bitmap {
    let mut bitmap = Bitmap::default();
    bits.iter().for_each(|&bit| bitmap.push(bit == 1).unwrap());
    bitmap
}

fn texts(texts: &[&str]) -> Values {
    let mut all = Text::new();
    texts.iter().for_each(|text| all.push(text).unwrap());
    Values::Text(all)
}

fn scalars(values: Values, cells: Option<Bitmap>) -> Column {
    Column::scalars(ElementType::of_values(&values), values, cells).unwrap()
}

fn arrays(values: Values, shape: &[u64], row_count: usize, masks: [Option<Bitmap>; 2]) -> Column {
    let [cells, elements] = masks;
    let element_type = ElementType::of_values(&values);
    let cell_shape = CellShape::Fixed(shape.to_vec());
    Column::new(ColumnParts { element_type, cell_shape, values, offsets: None, cells, elements, row_count }).unwrap()
}

fn table(columns: Vec<(&str, Column)>) -> Table {
    let rows = columns.first().map_or(0, |(_, column)| column.row_count());
    let mut header = Header::default();
    for (name, column) in &columns {
        header.columns.push(ColumnHeader::new(*name, column.element_type(), column.cell_shape().clone()));
    }
    let columns = columns.into_iter().map(|(_, column)| Arc::new(column)).collect();
    Table::new(Arc::new(header), columns, rows).unwrap()
}

/// Three columns without missing values and without properties.
fn plain_table() -> Table {
    table(vec![
        ("id", scalars(Values::Uint64(vec![u64::MAX >> 1, 2]), None)),
        ("a/b", scalars(texts(&["日本", ""]), None)),
        (
            "pair",
            arrays(
                Values::Complex64(vec![[1.0, -0.0], [2.5, 3.0], [f32::INFINITY, 0.0], [0.0, 1.0]]),
                &[2],
                2,
                [None, None],
            ),
        ),
    ])
}

/// The plain table, with missing values and all properties that tables can have.
fn full_table() -> Table {
    let whole = plain_table();
    let meta = File::new(&NewOptions::default()).root().unwrap();
    meta.set_i64("m/n", 5).unwrap();
    meta.set_string("c/x", "y").unwrap();
    let mut header = (**whole.header()).clone();
    header.meta = Some(meta.at("m").unwrap());
    header.schema = Some("mine".to_owned());
    let mut columns = whole.columns().to_vec();
    let mut add = |name: &str, column: Column| {
        header.columns.push(ColumnHeader::new(name, column.element_type(), column.cell_shape().clone()));
        columns.push(Arc::new(column));
    };
    add("flux", scalars(Values::Float32(vec![1.5, 0.0]), Some(bits(&[1, 0]))));
    add("name", scalars(texts(&["", ""]), Some(bits(&[0, 1]))));
    add(
        "image",
        arrays(
            Values::Int16((0..12).collect()),
            &[2, 3],
            2,
            [Some(bits(&[1, 0])), Some(bits(&[1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]))],
        ),
    );
    add("none", arrays(Values::Int8(vec![]), &[0, 7], 2, [None, None]));
    add("words", arrays(texts(&["a", "bc", "", "d"]), &[2], 2, [None, None]));
    let json = texts(&["{\"a\": 1}", "[]"]);
    add("json", Column::scalars(ElementType::Json, json, None).unwrap());
    add("long", Column::scalars(ElementType::Float128, texts(&["1.25e4000", "nan"]), None).unwrap());
    let flux = header.columns.iter_mut().find(|column| column.name == "flux").unwrap();
    flux.unit = Some("micron / s".to_owned());
    flux.description = Some("what\narrives".to_owned());
    flux.format = Some("%.3f".to_owned());
    flux.meta = Some(meta.at("c").unwrap());
    Table::new(Arc::new(header), columns, 2).unwrap()
}

fn assert_same(found: &Table, expected: &Table) {
    assert_eq!(
        (found.row_count(), found.header().schema.clone()),
        (expected.row_count(), expected.header().schema.clone())
    );
    for (found, expected) in found.header().columns.iter().zip(&expected.header().columns) {
        assert_eq!(
            (&found.name, &found.unit, &found.description, &found.format),
            (&expected.name, &expected.unit, &expected.description, &expected.format)
        );
        assert_eq!(
            (found.element_type, &found.cell_shape),
            (expected.element_type, &expected.cell_shape),
            "{}",
            found.name
        );
        assert_eq!(found.meta.is_some(), expected.meta.is_some(), "{}", found.name);
    }
    for (found, expected) in found.columns().iter().zip(expected.columns()) {
        assert_eq!(found.values(), expected.values());
        for row in 0..expected.row_count() {
            assert_eq!(found.has_cell(row), expected.has_cell(row));
        }
        for index in 0..expected.values().len() {
            assert_eq!(found.has_element(index), expected.has_element(index));
        }
    }
    assert_eq!(found.columns().len(), expected.columns().len());
}

/// Stores a table in a file. Writes the file and opens it again.
fn stored(table: &Table, options: &TableWriteOptions, standard: StandardVersion) -> Result<Node> {
    let file = File::new(&NewOptions { standard, ..NewOptions::default() });
    file.root()?.set_table("t", table, options)?;
    let bytes = file.write_to_memory(&WriteOptions::default())?;
    File::open_memory(Arc::new(bytes), &OpenOptions::default())?.root()
}

fn read(node: &Node) -> Result<Table> {
    node.table("t", &TableReadOptions::default())
}

#[test]
fn tables_come_back_in_each_form() {
    for standard in StandardVersion::ALL {
        for form in TableForm::ALL {
            for storage in [Storage::Internal, Storage::Inline] {
                let arrays = ArrayOptions { storage, ..ArrayOptions::default() };
                let options = TableWriteOptions { form, arrays, ..TableWriteOptions::default() };
                let node = stored(&plain_table(), &options, standard).unwrap();
                assert_same(&read(&node).unwrap(), &plain_table());
                if matches!(form, TableForm::Standard | TableForm::Astropy) {
                    let found = read(&stored(&full_table(), &options, standard).unwrap()).unwrap();
                    assert_same(&found, &full_table());
                    let header = found.header();
                    let meta = header.meta.as_ref().unwrap();
                    assert_eq!((meta.i64("n").unwrap(), meta.count("").unwrap()), (5, 1));
                    let meta = header.columns[3].meta.as_ref().unwrap();
                    assert_eq!((meta.string("x").unwrap().as_str(), meta.count("").unwrap()), ("y", 1));
                }
            }
        }
    }
}

#[test]
fn a_table_without_columns_or_rows_is_one() {
    for form in [TableForm::Standard, TableForm::Astropy, TableForm::Arrays] {
        let options = TableWriteOptions { form, ..TableWriteOptions::default() };
        let node = stored(&table(vec![]), &options, StandardVersion::V1_6_0).unwrap();
        assert_eq!(read(&node).unwrap().columns().len(), 0);
        let empty = table(vec![("a", scalars(Values::Int8(vec![]), None)), ("b", scalars(texts(&[]), None))]);
        let node = stored(&empty, &options, StandardVersion::V1_6_0).unwrap();
        assert_same(&read(&node).unwrap(), &empty);
    }
}

#[test]
fn what_a_form_cannot_hold_is_refused() {
    let refused = |table: &Table, form, leave_out| {
        let options = TableWriteOptions { form, leave_out, ..TableWriteOptions::default() };
        let root = File::new(&NewOptions::default()).root().unwrap();
        let error = root.set_table("t", table, &options).unwrap_err();
        assert_eq!(root.at("t").unwrap_err().status(), Status::NotFound);
        error
    };
    let unit = |what: &dyn Fn(&mut Header)| {
        let table = plain_table();
        let mut header = (**table.header()).clone();
        what(&mut header);
        Table::new(Arc::new(header), table.columns().to_vec(), 2).unwrap()
    };
    let with_unit = unit(&|header| header.columns[1].unit = Some("m".into()));
    let error = refused(&with_unit, TableForm::Records, false);
    assert_eq!(error.to_string(), "at /t, column 'a/b': an array of records cannot store a unit");
    let options = TableWriteOptions { form: TableForm::Records, leave_out: true, ..TableWriteOptions::default() };
    assert_same(&read(&stored(&with_unit, &options, StandardVersion::V1_6_0).unwrap()).unwrap(), &plain_table());
    let options = TableWriteOptions { form: TableForm::Arrays, ..TableWriteOptions::default() };
    assert_same(&read(&stored(&with_unit, &options, StandardVersion::V1_6_0).unwrap()).unwrap(), &with_unit);
    let described = unit(&|header| header.columns[0].description = Some("d".into()));
    assert_eq!(refused(&described, TableForm::Arrays, false).status(), Status::Unsupported);
    assert_eq!(refused(&full_table(), TableForm::Arrays, false).status(), Status::Unsupported);
    assert_eq!(refused(&full_table(), TableForm::Records, true).status(), Status::Unsupported);

    let parts = ColumnParts {
        element_type: ElementType::Scalar(ScalarType::Int8),
        cell_shape: CellShape::Variable(vec![]),
        values: Values::Int8(vec![1, 2, 3]),
        offsets: Some(vec![0, 1, 3]),
        cells: None,
        elements: None,
        row_count: 2,
    };
    let variable = table(vec![("v", Column::new(parts).unwrap())]);
    let nul = table(vec![("n", scalars(texts(&["a", "b\0"]), None))]);
    assert_eq!(refused(&variable, TableForm::Records, true).status(), Status::Unsupported);
    for form in TableForm::ALL {
        assert_eq!(refused(&nul, form, true).status(), Status::ValueRange);
    }
}

/// Opens a file with this tree and the tags of the standard.
fn open(tree: &str) -> Node {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}\n...\n"
    );
    File::open_memory(Arc::new(text.into_bytes()), &OpenOptions::default()).unwrap().root().unwrap()
}

#[test]
fn malformed_tables_are_told() {
    let column = "!table/column-1.2.0 {name: a, data: !core/ndarray-1.1.0 {data: [1, 2]}}";
    let cases = [
        ("t: 5".to_owned(), Status::WrongType),
        ("t: !core/ndarray-1.1.0 {data: [1, 2]}".to_owned(), Status::WrongType),
        ("t: !table/table-1.2.0 {}".to_owned(), Status::TagContent),
        ("t: !table/table-1.2.0 {columns: 5}".to_owned(), Status::WrongType),
        ("t: !table/table-1.2.0 {columns: [5]}".to_owned(), Status::Unsupported),
        (format!("t: !table/table-1.2.0 {{columns: [{column}, {column}]}}"), Status::TagContent),
        ("t: {a: !core/ndarray-1.1.0 {data: [1, 2]}, b: [1]}".to_owned(), Status::TagContent),
        ("t: {a: !unit/quantity-1.3.0 {value: [1, 2]}}".to_owned(), Status::TagContent),
        ("t: !table/table-1.2.0 {columns: [!table/column-1.2.0 {name: a}]}".to_owned(), Status::TagContent),
        (format!("t: !<tag:astropy.org:astropy/table/table-1.3.0> {{columns: [{column}]}}"), Status::TagContent),
        (
            format!("t: !<tag:astropy.org:astropy/table/table-1.3.0> {{columns: [{column}], colnames: []}}"),
            Status::TagContent,
        ),
        ("t: {a: !core/ndarray-1.1.0 {data: [1], shape: [1, 1]}}".to_owned(), Status::BadArray),
    ];
    for (tree, status) in cases {
        let error = read(&open(&tree)).unwrap_err();
        assert_eq!(error.status(), status, "{tree}: {error}");
        assert!(error.location().path.is_some(), "{error}");
    }
}

#[test]
fn columns_of_other_kinds_are_read() {
    let tree = "t: !<tag:astropy.org:astropy/table/table-1.3.0>
  colnames: [q, t, d, r, s]
  qtable: true
  meta: {k: 1}
  columns:
  - !unit/quantity-1.3.0 {unit: !unit/unit-1.0.0 m, value: [1.0, 2.0]}
  - !time/time-1.4.0 {value: !core/ndarray-1.1.0 {data: [J2000, J2001]}, base_format: jyear, scale: tt}
  - !<tag:astropy.org:astropy/time/timedelta-1.2.0> {format: jd, scale: tai, jd1: [1.0, 2.0], jd2: [0.0, 0.5]}
  - !core/ndarray-1.1.0 {data: [[1, [2.0, x]], [3, [4.0, yy]]],
      datatype: [{name: i, datatype: int8}, {name: z, datatype: [{name: f, datatype: float32}, [ascii, 2]]}], shape: [2]}
  - !<tag:astropy.org:astropy/coordinates/skycoord-1.0.0> {a: 1}";
    let root = open(tree);
    let error = read(&root).unwrap_err();
    assert_eq!((error.status(), error.location().path.as_deref()), (Status::Unsupported, Some("/t/columns/4")));
    let table = root.table("t", &TableReadOptions { leave_out: true, ..TableReadOptions::default() }).unwrap();
    assert_eq!(table.warnings().len(), 1);
    let names: Vec<_> = table.header().columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["q", "t", "d.jd1", "d.jd2", "r.i", "r.z.f", "r.z.f1"]);
    assert_eq!(table.header().columns[0].unit.as_deref(), Some("m"));
    assert_eq!(*table.column("r.z.f1").unwrap().values(), texts(&["x", "yy"]));
    assert_eq!(*table.column("r.z.f").unwrap().values(), Values::Float32(vec![2.0, 4.0]));
    let meta = table.header().meta.as_ref().unwrap();
    assert_eq!(meta.i64("k").unwrap(), 1);
    let serialized = meta.at("__serialized_columns__").unwrap();
    let text = |path: &str| serialized.string(path).unwrap();
    assert_eq!((text("q/__class__"), text("q/unit/unit")), ("astropy.units.quantity.Quantity".into(), "m".into()));
    assert_eq!(serialized.tag("q/value").unwrap().as_deref(), Some("!astropy.table.SerializedColumn"));
    assert_eq!((text("t/value/name"), text("t/scale")), ("t".into(), "tt".into()));
    assert_eq!(text("t/format"), "jyear");
    assert_eq!((text("d/jd2/name"), text("d/format")), ("d.jd2".into(), "jd".into()));
}

#[test]
fn units_are_spelled_as_astropy_prints_them() {
    let magnitudes = "!<tag:astropy.org:astropy/units/magunit-1";
    for (unit, spelled) in [
        ("km", "km"),
        ("!!str km", "km"),
        ("! km", "km"),
        ("!unit/unit-1.0.0 kg.m", "kg.m"),
        ("!<tag:astropy.org:astropy/units/unit-1.0.0> mgy", "mgy"),
        (&format!("{magnitudes}.1.0> AB"), "mag(AB)"),
        (&format!("{magnitudes}.1.0> ct / s"), "mag(ct / s)"),
        (&format!("{magnitudes}.1.0> ''"), "mag(1)"),
        (&format!("{magnitudes}.0.0> {{unit: !unit/unit-1.0.0 count.s**-1}}"), "mag(count.s**-1)"),
        (&format!("{magnitudes}.0.0> {{unit: !unit/unit-1.0.0 ''}}"), "mag(1)"),
    ] {
        let root = open(&format!(
            "t: {{a: !table/column-1.2.0 {{name: a, data: [1], unit: {unit}}}, b: !unit/quantity-1.3.0 {{value: [1], unit: {unit}}},
              m: !table/table-1.2.0 {{columns: [], meta: {{unit: {unit}}}}}}}"
        ));
        let options = TableReadOptions { metadata: Metadata::Plain, leave_out: true, ..TableReadOptions::default() };
        let table = root.table("t", &options).unwrap();
        let units: Vec<_> = table.header().columns.iter().map(|column| column.unit.as_deref()).collect();
        assert_eq!(units, [Some(spelled); 2], "{unit}");
        let table = root.table("t/m", &options).unwrap();
        let meta = table.header().meta.as_ref().unwrap();
        let found = meta.string("unit/unit").or_else(|_| meta.string("unit")).unwrap();
        assert_eq!((found.as_str(), meta.count("").unwrap()), (spelled, 1), "{unit}");
    }
}

#[test]
fn units_and_texts_of_unknown_kinds_are_refused() {
    let plain = TableReadOptions { metadata: Metadata::Plain, ..TableReadOptions::default() };
    let unknown = "!<tag:astropy.org:astropy/units/dexunit-1.0.0> cm / s2";
    for unit in [unknown, "!unit/other-1.0.0 m", "!unit/defunit-1.0.0 {name: a, unit: null}", "!<a:b> m"] {
        let tree = format!(
            "t: {{x: [1], a: !table/column-1.2.0 {{name: a, data: [1], unit: {unit}}}, b: !unit/quantity-1.3.0 {{value: [1], unit: {unit}}}}}"
        );
        let error = read(&open(&tree)).unwrap_err();
        assert_eq!((error.status(), error.location().path.as_deref()), (Status::Unsupported, Some("/t/a/unit")));
        assert!(error.message().contains("has the unknown tag"), "{error}");
        let options = TableReadOptions { leave_out: true, ..TableReadOptions::default() };
        let table = open(&tree).table("t", &options).unwrap();
        assert_eq!((table.columns().len(), table.warnings().len()), (1, 2), "{unit}");
        assert!(table.warnings()[1].message.ends_with("the column 'b' is left out"), "{:?}", table.warnings());
    }
    for tree in [
        "!table/table-1.2.0 {columns: [!table/column-1.2.0 {name: !foo a, data: [1]}]}".to_owned(),
        "{x: !table/column-1.2.0 {name: a, data: [1], description: !foo b}}".to_owned(),
        "{x: !time/time-1.4.0 {value: [1], format: !foo jd}}".to_owned(),
        format!("!table/table-1.2.0 {{columns: [], meta: {{x: [{unknown}]}}}}"),
        "!table/table-1.2.0 {columns: [], meta: [!foo x]}".to_owned(),
    ] {
        let error = open(&format!("t: {tree}")).table("t", &plain).unwrap_err();
        assert_eq!(error.status(), Status::Unsupported, "{tree}: {error}");
        assert!(error.location().path.as_deref().is_some_and(|path| path.starts_with("/t/")), "{error}");
    }
}

#[test]
fn plain_metadata_note_the_tags_of_texts() {
    let root = open(
        "t: !table/table-1.2.0 {columns: [], meta: {a: {b~/: !<asdf://x/y-1.0.0> ROMAN}, n: ! 12, s: ! '2020-01-02', t: !!str 5, u: !unit/unit-1.0.0 m}}",
    );
    let options = TableReadOptions { metadata: Metadata::Plain, ..TableReadOptions::default() };
    let table = root.table("t", &options).unwrap();
    let meta = table.header().meta.as_ref().unwrap();
    assert_eq!((meta.string("a/b~0~1").unwrap().as_str(), meta.i64("n").unwrap()), ("ROMAN", 12));
    assert_eq!(meta.node_type("s").unwrap(), crate::file::NodeType::Timestamp);
    let tags = meta.at("__asdf__/tags").unwrap();
    let key = crate::tree::path::escape("/a/b~0~1");
    assert_eq!((tags.string(&key).unwrap().as_str(), tags.count("").unwrap()), ("asdf://x/y-1.0.0", 1));
}

#[test]
fn metadata_are_stored_with_the_tags_of_the_standard() {
    let tree = "t: !table/table-1.2.0 {columns: [], meta: {a: !core/ndarray-1.1.0 [1], __ecsv__: {schema: x}}}";
    let table = read(&open(tree)).unwrap();
    let node = stored(&table, &TableWriteOptions::default(), StandardVersion::V1_4_0).unwrap();
    assert_eq!(node.tag("t/meta/a").unwrap().as_deref(), Some("tag:stsci.edu:asdf/core/ndarray-1.0.0"));
    let half = "t: !table/table-1.2.0 {columns: [], meta: {a: !core/ndarray-1.1.0 {data: [1], datatype: float16}}}";
    let table = read(&open(half)).unwrap();
    let file = File::new(&NewOptions { standard: StandardVersion::V1_4_0, ..NewOptions::default() });
    let root = file.root().unwrap();
    let error = root.set_table("t", &table, &TableWriteOptions::default()).unwrap_err();
    assert_eq!((error.status(), error.location().path.as_deref()), (Status::Unsupported, Some("/t/meta/a")));
    assert_eq!(root.at("t").unwrap_err().status(), Status::NotFound);
}

#[test]
fn metadata_may_have_the_key_of_the_notes() {
    for text in ["{k: 1, __ecsv__: {schema: x, meta: [2]}}", "{__ecsv__: 5, k: 1}"] {
        let meta = open(text);
        let mut header = Header { meta: Some(meta.clone()), schema: Some("own".to_owned()), ..Header::default() };
        let mut column = ColumnHeader::new("a", ElementType::Scalar(ScalarType::Int64), CellShape::Scalar);
        (column.meta, column.format) = (Some(meta.clone()), Some("%d".to_owned()));
        header.columns.push(column);
        let column = Arc::new(scalars(Values::Int64(vec![7]), None));
        let table = Table::new(Arc::new(header), vec![column], 1).unwrap();
        for form in [TableForm::Standard, TableForm::Astropy] {
            let options = TableWriteOptions { form, ..TableWriteOptions::default() };
            let read = read(&stored(&table, &options, StandardVersion::V1_6_0).unwrap()).unwrap();
            let header = read.header();
            for found in [&header.meta, &header.columns[0].meta] {
                assert_eq!(found.as_ref().unwrap().to_yaml("").unwrap(), meta.to_yaml("").unwrap(), "{form:?}");
            }
            assert_eq!((header.schema.as_deref(), header.columns[0].format.as_deref()), (Some("own"), Some("%d")));
        }
    }
}

#[test]
fn a_standard_without_quantities_is_told() {
    let root = open("t: {a: !unit/quantity-1.3.0 {value: [1], unit: m}}");
    let table = read(&root).unwrap();
    let options = TableWriteOptions { form: TableForm::Arrays, ..TableWriteOptions::default() };
    assert_eq!(stored(&table, &options, StandardVersion::V1_0_0).unwrap_err().status(), Status::Unsupported);
    assert!(stored(&table, &options, StandardVersion::V1_1_0).is_ok());
}

#[test]
fn masks_of_all_kinds_tell_what_is_missing() {
    let root = open(
        "t:\n  a: !core/ndarray-1.1.0 {data: [1, 2, 3], mask: 2}\n  b: [x, null, '']\n  c: !core/ndarray-1.1.0 {data: [[1.5, .nan], [.nan, .nan], [0, 1]], mask: .nan}",
    );
    let table = read(&root).unwrap();
    let cells = |name: &str| (0..3).map(|row| u8::from(table.column(name).unwrap().has_cell(row))).collect::<Vec<_>>();
    assert_eq!((cells("a"), cells("b"), cells("c")), (vec![1, 0, 1], vec![1, 0, 1], vec![1, 0, 1]));
    let c = table.column("c").unwrap();
    assert_eq!((0..6).map(|index| c.has_element(index)).collect::<Vec<_>>(), [true, false, false, false, true, true]);
}

#[test]
fn metadata_become_plain_where_asked_for() {
    let tree = "shared: &s {x: 1}
t: !table/table-1.2.0
  columns: []
  meta:
    array: !core/ndarray-1.1.0 {data: [[1, 2], [3, 4]], datatype: int8}
    complex: !core/complex-1.0.0 1+2j
    unit: !unit/unit-1.0.0 km
    number: !foo 5
    large: !core/integer-1.0.0 {sign: +, string: '123', words: !core/ndarray-1.1.0 {data: [123], datatype: uint32}}
    reference: {$ref: '#/shared'}
    alias: *s
    again: *s
    omap: !!omap [a: 1]
    astropy: !<!astropy.units.Unit> {unit: m}
    1: {2: !foo {a~/b: !foo x}}";
    let root = open(tree);
    let kept = read(&root).unwrap();
    assert!(kept.header().meta.as_ref().unwrap().is_array("array").unwrap());
    let options = TableReadOptions { metadata: Metadata::Plain, ..TableReadOptions::default() };
    let plain = root.table("t", &options).unwrap();
    let meta = plain.header().meta.as_ref().unwrap();
    assert_eq!((meta.tag("array").unwrap(), meta.i64("array/1/0").unwrap()), (None, 3));
    for (path, text) in [("number", "5"), ("1/2/a~0~1b", "x")] {
        assert_eq!((meta.tag(path).unwrap(), meta.string(path).unwrap().as_str()), (None, text));
    }
    let tagged = |path: &str| (meta.tag(path).unwrap().unwrap_or_default(), meta.text(path).unwrap_or_default());
    assert_eq!(tagged("complex"), ("tag:yaml.org,2002:python/complex".to_owned(), "1+2j".to_owned()));
    assert_eq!((&*tagged("unit").0, &*meta.string("unit/unit").unwrap()), ("!astropy.units.Unit", "km"));
    assert_eq!((meta.i64("large").unwrap(), meta.i64("reference/x").unwrap()), (123, 1));
    assert_eq!(meta.reference("reference").unwrap(), None);
    assert_eq!(meta.identity("alias").unwrap(), meta.identity("again").unwrap());
    assert_eq!(meta.tag("astropy").unwrap().as_deref(), Some("!astropy.units.Unit"));

    for (tree, status) in [
        ("t: !table/table-1.2.0 {columns: [], meta: &m {a: [*m]}}", Status::ReferenceCycle),
        ("t: !table/table-1.2.0 {columns: [], meta: {a: {$ref: '#/t/meta'}}}", Status::ReferenceCycle),
        ("t: !table/table-1.2.0 {columns: [], meta: {a: {$ref: '#/nowhere'}}}", Status::DanglingReference),
        ("t: !table/table-1.2.0 {columns: [], meta: {a: !core/ndarray-1.1.0 {data: [1, null]}}}", Status::Masked),
    ] {
        let error = open(tree).table("t", &options).unwrap_err();
        assert_eq!(error.status(), status, "{tree}: {error}");
    }
}

/// Opens a file with one block of 601 bytes, optionally compressed. The trees of the tests use the first 600 bytes.
fn on_block(tree: &str, codec: Option<Codec>) -> Node {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n{tree}\n...\n"
    );
    let bytes: Vec<u8> = (0..601_u32).map(|place| b'a' + (place * place % 23) as u8).collect();
    let (label, stored) = match codec {
        None => ([0; 4], bytes.clone()),
        Some(codec) => {
            let mut stored = Vec::new();
            encode(&Compression::new(codec, None).unwrap(), &bytes, &mut stored, 1).unwrap();
            (codec.label().0, stored)
        }
    };
    let mut file = [text.as_bytes(), b"\xD3BLK\x00\x30\x00\x00\x00\x00", &label].concat();
    for size in [stored.len(), stored.len(), bytes.len()] {
        file.extend((size as u64).to_be_bytes());
    }
    file.extend([0; 16]);
    file.extend(stored);
    File::open_memory(Arc::new(file), &OpenOptions::default()).unwrap().root().unwrap()
}

fn array(keys: &str) -> String {
    format!("!core/ndarray-1.1.0 {{source: 0, byteorder: big, {keys}}}")
}

#[test]
fn columns_on_one_compressed_block_are_those_of_the_same_bytes_uncompressed() {
    let of = |columns: &[&str]| {
        let column = |(place, keys): (usize, &&str)| format!("c{place}: {}", array(keys));
        format!("t: {{{}}}", columns.iter().enumerate().map(column).collect::<Vec<_>>().join(", "))
    };
    let record =
        "[{name: a, datatype: int16}, [ascii, 3], {name: n, datatype: [{name: x, datatype: float32, shape: [2]}]}]";
    let trees = [
        format!("t: {}", array(&format!("shape: [30], offset: 7, datatype: {record}"))),
        format!("t: {}", array(&format!("shape: [40], strides: [14], datatype: {record}"))),
        of(&["shape: [600], datatype: uint8"]),
        of(&["shape: [150], datatype: int32", "shape: [150], datatype: float32", "shape: [150], datatype: [ascii, 4]"]),
        // Arrays one after another, the last one first; with gaps; overlapping; large rows.
        of(&["shape: [50], offset: 400, datatype: int32", "shape: [50], offset: 200, datatype: [ucs4, 0]"]),
        of(&[
            "shape: [20], offset: 3, strides: [29], datatype: int64",
            "shape: [20], strides: [30], datatype: [ascii, 5]",
        ]),
        of(&["shape: [100], strides: [3], datatype: int64"]),
        of(&["shape: [10, 25], strides: [2, 20], datatype: int16", "shape: [10, 3, 4], datatype: uint8"]),
        of(&[
            "shape: [10, 2], strides: [1, 500], datatype: [ascii, 7]",
            "shape: [10, 5], strides: [1, 100], datatype: int8",
        ]),
        // Negative strides, which are not read in one pass.
        of(&["shape: [50], strides: [-2], offset: 500, datatype: int16", "shape: [50], datatype: int8"]),
        of(&["shape: [50], strides: [-8], offset: 500, datatype: [ascii, 8]"]),
        of(&["shape: [1], strides: [-8], offset: 500, datatype: [ascii, 8]", "shape: [1, 0], datatype: int8"]),
        of(&["shape: [3], strides: [0], datatype: int16", "shape: [3], mask: 25186, datatype: int16"]),
        of(&[
            "shape: [20], mask: !core/ndarray-1.1.0 {data: [true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, false, true, true]}, datatype: [ascii, 4]",
            "shape: [20], datatype: int16",
        ]),
    ];
    for tree in &trees {
        let expected = read(&on_block(tree, None)).unwrap();
        assert!(expected.row_count() > 0);
        for &codec in Codec::ALL {
            for threads in [1, 3] {
                let node = on_block(tree, Some(codec));
                let options = TableReadOptions { threads, ..TableReadOptions::default() };
                assert_same(&node.table("t", &options).unwrap(), &expected);
            }
            let all = expected.row_count() as u64;
            let node = on_block(tree, Some(codec));
            for rows in [0..1, 1..3, 7..19, 2..u64::MAX, all..9999, 0..all] {
                let options = TableReadOptions { rows: rows.clone(), ..TableReadOptions::default() };
                let first = rows.start.min(all);
                let part = expected.slice(first, Some(rows.end.clamp(first, all) - first), 1).unwrap();
                assert_same(&node.table("t", &options).unwrap(), &part);
                assert_eq!(node.table_row_count("t").unwrap(), all);
            }
        }
    }
}

#[test]
fn a_block_is_checked_to_its_end_and_its_oddities_are_told() {
    let tree =
        format!("t: {}", array("shape: [20], datatype: [{name: a, datatype: int8}, {name: b, datatype: [ascii, 2]}]"));
    let mut bytes = on_block(&tree, Some(Codec::Zlib)).file().write_to_memory(&WriteOptions::default()).unwrap();
    let read_bytes = |bytes: &[u8]| {
        let file = File::open_memory(Arc::new(bytes.to_vec()), &OpenOptions::default()).unwrap();
        read(&file.root().unwrap()).map(|table| (table.row_count(), file.warnings().len()))
    };
    // The block is longer than its records, which gives a warning.
    assert_eq!(read_bytes(&bytes).unwrap(), (20, 1));
    let place = bytes.windows(4).position(|four| four == b"\xD3BLK").unwrap();
    let index = bytes.windows(6).position(|six| six == b"#ASDF ").filter(|&at| at > place).unwrap_or(bytes.len());
    let size = (index - place - 54) as u64;
    // Damage the checksum at the end of the zlib stream.
    bytes[index - 1] ^= 1;
    assert_eq!(read_bytes(&bytes[..index]).unwrap_err().status(), Status::Corrupt);
    bytes[index - 1] ^= 1;
    let mut longer = [&bytes[..index], b"junk"].concat();
    for field in [14, 22] {
        longer[place + field..][..8].copy_from_slice(&(size + 4).to_be_bytes());
    }
    assert_eq!(read_bytes(&longer).unwrap(), (20, 2));
}

#[test]
fn a_table_takes_no_more_memory_than_its_bytes_and_the_limit() {
    let tree =
        format!("t: {{a: {}, b: {}}}", array("shape: [75], datatype: int64"), array("shape: [75], datatype: int8"));
    let node = |table_bytes, codec| {
        let file = on_block(&tree, codec).file().write_to_memory(&WriteOptions::default()).unwrap();
        let limits = Limits { table_bytes, ..Limits::default() };
        let options = OpenOptions { limits, ..OpenOptions::default() };
        File::open_memory(Arc::new(file), &options).unwrap().root().unwrap()
    };
    let read = |table_bytes, codec| read(&node(table_bytes, codec)).map(|table| table.row_count());
    assert_eq!(read(74, None).unwrap(), 75);
    assert_eq!(read(73, None).unwrap_err().status(), Status::Limit);
    let error = read(74, Some(Codec::Bzp2)).unwrap_err();
    assert_eq!((error.status(), error.location().path.as_deref()), (Status::Limit, Some("/t/a")));
    assert_eq!(read(1000, Some(Codec::Bzp2)).unwrap(), 75);
}

#[test]
fn tables_are_appended_to_sequences() {
    let table = read(&open("t: !core/table-1.0.0 {columns: [!core/column-1.0.0 {name: a, data: [1, 2]}]}")).unwrap();
    for form in TableForm::ALL {
        let options = TableWriteOptions { form, ..TableWriteOptions::default() };
        let root = File::new(&NewOptions::default()).root().unwrap();
        for path in ["new/-", "new/-", "nested/-/-"] {
            root.set_table(path, &table, &options).unwrap();
        }
        assert_eq!((root.count("new").unwrap(), root.count("nested/0").unwrap()), (2, 1));
        for path in ["new/0", "new/1", "nested/0/0"] {
            assert_same(&root.table(path, &TableReadOptions::default()).unwrap(), &table);
        }
        root.set_mapping("mapping", false).unwrap();
        root.set_table("mapping/-", &table, &options).unwrap();
        assert_same(&root.at("mapping").unwrap().table("-", &TableReadOptions::default()).unwrap(), &table);
        root.at("new").unwrap().set_table("-", &table, &options).unwrap();
        assert_eq!(root.count("new").unwrap(), 3);
    }
}
