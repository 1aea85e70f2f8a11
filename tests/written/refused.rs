//! Content that a writer once wrote, but its reader refused or read otherwise.

use asdfkit::array::{Datatype, Field, Order, ReadOptions, ScalarType};
use asdfkit::file::{ArrayBytes, ArrayData, ArrayOptions, File, NewOptions, OpenOptions, Storage, WriteOptions};
use asdfkit::table::{ColumnData, Table};
use asdfkit::{Limits, Status, TableForm, TableWriteOptions};
use std::sync::Arc;

fn written(file: &File, limits: &Limits) -> asdfkit::Result<File> {
    let bytes = file.write_to_memory(&WriteOptions::default())?;
    let options = OpenOptions { limits: limits.clone(), ..OpenOptions::default() };
    Ok(File::open_memory(Arc::new(bytes), &options).unwrap())
}

#[test]
fn fields_without_elements_in_inline_records() {
    for shape in [&[3, 0][..], &[0], &[0, 3], &[2, 0, 5], &[1, 2, 0]] {
        let file = File::new(&NewOptions::default());
        let field = |datatype: ScalarType, shape: &[i64]| Field {
            name: None,
            datatype: datatype.into(),
            byteorder: None,
            shape: shape.to_vec(),
        };
        let datatype = Datatype::record(vec![field(ScalarType::Int8, &[]), field(ScalarType::Float64, shape)]).unwrap();
        let data =
            ArrayData { datatype: datatype.clone(), shape: &[2], bytes: ArrayBytes::Copied(&[7, 8]), order: Order::C };
        let options = ArrayOptions { storage: Storage::Inline, ..ArrayOptions::default() };
        file.root().unwrap().set_array_data("a", &data, &options).unwrap();
        let array = written(&file, &Limits::default()).unwrap().root().unwrap().array("a").unwrap();
        let mut bytes = [0; 2];
        array.read(&datatype, &mut bytes, &ReadOptions::default()).unwrap();
        assert_eq!((array.datatype(), bytes), (&datatype, [7, 8]), "{shape:?}");
    }
}

/// Writes a file with the limits that `limit` sets, after `change`. Returns the status of the refusal.
fn refusal(limit: impl Fn(&mut Limits), change: impl Fn(&File) -> asdfkit::Result<()>) -> Option<Status> {
    let mut limits = Limits::default();
    limit(&mut limits);
    let file = File::new(&NewOptions { limits: limits.clone(), ..NewOptions::default() });
    let result = change(&file).and_then(|()| written(&file, &limits));
    let is_refused = result.as_ref().is_err_and(|error| error.option().is_some());
    assert_eq!(is_refused, result.is_err(), "the message names the option");
    result.err().map(|error| error.status())
}

#[test]
fn a_new_file_keeps_its_limits() {
    let limit = Some(Status::Limit);
    let text = |file: &File| file.root()?.set_string("a", &"x".repeat(500));
    assert_eq!(refusal(|limits| limits.tree_bytes = 500, text), limit);
    assert_eq!(refusal(|limits| limits.tree_bytes = 2000, text), None);
    let deep = |file: &File| file.root()?.set_i64("a/b/c/d", 1);
    assert_eq!(refusal(|limits| limits.depth = 3, deep), limit);
    assert_eq!(refusal(|limits| limits.depth = 4, deep), None);
    assert_eq!(refusal(|limits| limits.nodes = 12, deep), limit);
    let array = |storage| {
        move |file: &File| {
            let options = ArrayOptions { storage, ..ArrayOptions::default() };
            file.root()?.set_array_data(
                "first",
                &ArrayData::of_slice(&[1.0, 2.0], &[1, 2]),
                &ArrayOptions::default(),
            )?;
            file.root()?.set_array_data("a", &ArrayData::of_slice(&[1.0, 2.0], &[1, 2]), &options)
        }
    };
    for storage in [Storage::Internal, Storage::Streamed] {
        assert_eq!(refusal(|limits| limits.blocks = 1, array(storage)), limit);
        assert_eq!(refusal(|limits| limits.blocks = 2, array(storage)), None);
    }
    for storage in [Storage::Internal, Storage::Inline] {
        assert_eq!(refusal(|limits| limits.rank = 1, array(storage)), limit);
        assert_eq!(refusal(|limits| limits.rank = 2, array(storage)), None);
    }
}

/// Readers call a field without a name `f0`.
#[test]
fn columns_without_a_name_are_no_fields_of_records() {
    for form in TableForm::ALL {
        let mut table = Table::of_rows(1);
        let column = ColumnData {
            datatype: ScalarType::Int8.into(),
            bytes: &[7],
            order: Order::C,
            mask: None,
            blank_padded: false,
        };
        table.add_array("", &[], &column).unwrap();
        let root = File::new(&NewOptions::default()).root().unwrap();
        let options = TableWriteOptions { form, ..TableWriteOptions::default() };
        let stored = root.set_table("t", &table, &options).err().map(|error| error.status());
        assert_eq!(stored, (form == TableForm::Records).then_some(Status::Unsupported), "{form:?}");
    }
}

#[test]
fn rows_without_columns_are_refused() {
    for form in TableForm::ALL {
        for (rows, expected) in [(0, None), (3, Some(Status::InvalidArgument))] {
            let root = File::new(&NewOptions::default()).root().unwrap();
            let options = TableWriteOptions { form, ..TableWriteOptions::default() };
            let stored = root.set_table("t", &Table::of_rows(rows), &options);
            // A record needs a field.
            if form != TableForm::Records || rows > 0 {
                assert_eq!(stored.err().map(|error| error.status()), expected, "{form:?}");
            }
        }
    }
}
