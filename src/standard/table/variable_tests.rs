//! Tests of columns whose cells have different lengths.

use crate::array::ScalarType;
use crate::error::{Result, Status};
use crate::file::{File, NewOptions, Node};
use crate::standard::{TableForm, TableReadOptions, TableWriteOptions};
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Table, Text, Values};
use std::sync::Arc;

fn bits(bits: &[u8]) -> Option<Bitmap> {
    let mut bitmap = Bitmap::default();
    bits.iter().for_each(|&bit| bitmap.push(bit == 1).unwrap());
    Some(bitmap)
}

fn add(table: &mut Table, name: &str, parts: ColumnParts) {
    let mut header = ColumnHeader::new(name, parts.element_type, parts.cell_shape.clone());
    header.unit = (name == "lists").then(|| "Jy".to_owned());
    table.add_column(header, Arc::new(Column::new(parts).unwrap())).unwrap();
}

/// Makes a table of lists of numbers, grids of texts, and row numbers.
fn table() -> Table {
    let mut table = Table::of_rows(4);
    let numbers = ColumnParts {
        element_type: ElementType::Scalar(ScalarType::Float32),
        cell_shape: CellShape::Variable(Vec::new()),
        values: Values::Float32(vec![1.5, 2.5, 3.5, 4.5]),
        offsets: Some(vec![0, 2, 2, 2, 4]),
        cells: bits(&[1, 1, 0, 1]),
        elements: bits(&[1, 0, 1, 1]),
        row_count: 4,
    };
    add(&mut table, "lists", numbers);
    let mut texts = Text::new();
    ["a", "b", "c", "dd"].iter().for_each(|text| texts.push(text).unwrap());
    let texts = ColumnParts {
        element_type: ElementType::String,
        cell_shape: CellShape::Variable(vec![2]),
        values: Values::Text(texts),
        offsets: Some(vec![0, 2, 2, 4, 4]),
        cells: None,
        elements: None,
        row_count: 4,
    };
    add(&mut table, "grids", texts);
    add(
        &mut table,
        "n",
        ColumnParts {
            element_type: ElementType::Scalar(ScalarType::Int8),
            cell_shape: CellShape::Scalar,
            values: Values::Int8(vec![1, 2, 3, 4]),
            offsets: None,
            cells: None,
            elements: None,
            row_count: 4,
        },
    );
    table
}

fn read_back(root: &Node) -> Result<Table> {
    let mut bytes = Vec::new();
    root.file().write_to(&mut bytes, &Default::default())?;
    File::open_memory(Arc::new(bytes), &Default::default())?.root()?.table("t", &TableReadOptions::default())
}

fn stored(table: &Table, form: TableForm) -> Result<Node> {
    let root = File::new(&NewOptions::default()).root()?;
    root.set_table("t", table, &TableWriteOptions { form, ..TableWriteOptions::default() })?;
    Ok(root)
}

#[test]
fn cells_of_any_length_are_two_arrays() {
    for form in [TableForm::Automatic, TableForm::Standard, TableForm::Astropy, TableForm::Arrays] {
        let root = stored(&table(), form).unwrap();
        let (cells, numbers) = match form {
            TableForm::Arrays => (root.at("t/lists").unwrap(), root.at("t/lists/values/value").unwrap()),
            _ => {
                let cells = root.at("t/columns/0/meta/__ecsv__/cells").unwrap();
                assert_eq!(root.array("t/columns/0/data").unwrap().read_vec::<i64>().unwrap(), [2, 0, -1, 2]);
                (cells.clone(), cells.at("values").unwrap())
            }
        };
        assert_eq!(cells.array("lengths").unwrap().read_vec::<i64>().unwrap(), [2, 0, -1, 2]);
        assert_eq!(numbers.array("").unwrap().shape(), [4]);
        let read = read_back(&root).unwrap();
        assert_eq!(read.header().columns[0].unit.as_deref(), Some("Jy"));
        for (found, made) in read.columns().iter().zip(table().columns()) {
            assert_eq!(found.cell_shape(), made.cell_shape());
            assert_eq!((found.offsets(), found.cells()), (made.offsets(), made.cells()));
            let count = made.values().len();
            assert!((0..count).all(|index| found.has_element(index) == made.has_element(index)));
        }
        for (first, count) in [(0, 1), (1, 2), (2, 2), (3, 1), (4, 0), (0, 4)] {
            let options = TableReadOptions { rows: first..first + count, ..TableReadOptions::default() };
            let (part, expected) = (root.table("t", &options).unwrap(), read.slice(first, Some(count), 1).unwrap());
            for (found, expected) in part.columns().iter().zip(expected.columns()) {
                assert_eq!((found.values(), found.offsets()), (expected.values(), expected.offsets()));
                assert!((0..count as usize).all(|row| found.has_cell(row) == expected.has_cell(row)));
                let elements = 0..expected.values().len();
                assert!(elements.into_iter().all(|index| found.has_element(index) == expected.has_element(index)));
            }
        }
        assert_eq!(read.text_of("grids", 2, 1).unwrap(), Some("dd"));
        assert_eq!(read.column("n").unwrap().values(), &Values::Int8(vec![1, 2, 3, 4]));
    }
    let refused = stored(&table(), TableForm::Records).err().unwrap();
    assert_eq!((refused.status(), refused.location().table_column.as_deref()), (Status::Unsupported, Some("lists")));
}

#[test]
fn lengths_must_fit() {
    let root = stored(&table(), TableForm::Arrays).unwrap();
    for lengths in [[2_i64, 0, 0, 3], [2, 0, 0, 1], [-2, 2, 2, 2], [5, -1, 0, -1]] {
        root.set_array("t/lists/lengths", &lengths, [4]).unwrap();
        let error = root.table("t", &TableReadOptions::default()).unwrap_err();
        assert_eq!(
            (error.status(), error.location().path.as_deref()),
            (Status::TagContent, Some("/t/lists/values/value"))
        );
    }
    for lengths in [[2_i64, 0, 0, 3], [-2, 2, 2, 2], [5, -1, 0, -1]] {
        root.set_array("t/lists/lengths", &lengths, [4]).unwrap();
        let options = TableReadOptions { rows: 3..4, ..TableReadOptions::default() };
        assert_eq!(root.table("t", &options).unwrap_err().status(), Status::TagContent);
    }
    root.set_array("t/lists/lengths", &[1_i64, 1, 1, 1], [4]).unwrap();
    assert_eq!(
        root.table("t", &TableReadOptions::default()).unwrap().column("lists").unwrap().offsets().unwrap().len(),
        5
    );
    root.set_array("t/lists/lengths", &[1.0, 1.0, 1.0, 1.0], [4]).unwrap();
    assert_eq!(root.table("t", &TableReadOptions::default()).unwrap_err().status(), Status::TagContent);
}
