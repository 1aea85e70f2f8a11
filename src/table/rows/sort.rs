//! Sorts the rows of a table by the cells of some columns.

use super::keys::Keys;
use super::merge_sort::sorted;
use super::runs::Runs;
use crate::error::{Error, Result, Status};
use crate::table::Table;
use std::cmp::Ordering;

/// Column that rows are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey<'a> {
    /// Name of the column.
    pub column: &'a str,
    /// True if the largest value comes first.
    pub is_descending: bool,
}

impl<'a> SortKey<'a> {
    /// Sorts by a column, the smallest value first.
    pub fn ascending(column: &'a str) -> SortKey<'a> {
        SortKey { column, is_descending: false }
    }

    /// Sorts by a column, the largest value first.
    pub fn descending(column: &'a str) -> SortKey<'a> {
        SortKey { column, is_descending: true }
    }
}

impl Table {
    /// Returns a table of the same rows, sorted by these columns. A later column counts where all before it are equal.
    /// Rows that are equal in all of them keep their order.
    ///
    /// Numbers have the order of their values, texts that of their code points, false comes before true. Complex numbers
    /// have the order of their real parts, then that of the imaginary ones. In both directions, NaN comes after all
    /// numbers, and missing cells come last.
    ///
    /// Fails with [`Status::NotFound`] for an unknown column, and with [`Status::InvalidArgument`] without any. Fails with
    /// [`Status::WrongType`] for a column whose cells are arrays. Fails with [`Status::ValueRange`] if a column of
    /// 128-bit numbers has a text that is not a number.
    pub fn sorted_by(&self, keys: &[SortKey]) -> Result<Table> {
        if keys.is_empty() {
            return Err(Error::new(Status::InvalidArgument, "a table must be sorted by at least one column"));
        }
        let prepared = keys.iter().map(|key| {
            let of_column = Keys::of(self.column(key.column)?, key.is_descending);
            of_column.map_err(|error| error.in_table_column(key.column))
        });
        let prepared: Vec<Keys> = prepared.collect::<Result<_>>()?;
        let compare = |one, other| {
            let orders = prepared.iter().map(|key| key.compare(one, other));
            orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        let order = sorted(self.row_count(), compare)?;
        self.of_runs(&Runs::of_rows(&order)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Order, ScalarType};
    use crate::progress::{Progress, scope};
    use crate::table::{ColumnData, ElementType, Rows};
    use std::borrow::Cow;
    use std::ops::ControlFlow;

    fn table() -> Table {
        let mut table = Table::of_rows(4);
        let data = |bytes| ColumnData {
            datatype: ScalarType::Int8.into(),
            bytes,
            order: Order::C,
            mask: None,
            blank_padded: false,
        };
        table.add_array("a", &[], &data(&[2, 1, 2, 1])).unwrap();
        table.add_array("pair", &[2], &data(&[0; 8])).unwrap();
        let texts = [Some("x"), None, Some("b"), Some("b")];
        table
            .add_texts("t", ElementType::String, false, texts.into_iter().map(|text| text.map(Cow::Borrowed)))
            .unwrap();
        table
    }

    fn texts(table: &Table) -> Vec<Option<String>> {
        let column = table.column("t").unwrap();
        let text = |row| column.has_cell(row).then(|| column.values().text().unwrap().get(row).to_owned());
        (0..table.row_count()).map(text).collect()
    }

    #[test]
    fn later_columns_count_among_equal_rows() {
        let sorted = table().sorted_by(&[SortKey::ascending("a"), SortKey::descending("t")]).unwrap();
        assert_eq!(texts(&sorted), [Some("b"), None, Some("x"), Some("b")].map(|text| text.map(str::to_owned)));
        let sorted = table().sorted_by(&[SortKey::descending("a")]).unwrap();
        assert_eq!(texts(&sorted), [Some("x"), Some("b"), None, Some("b")].map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn calls_can_be_cancelled() {
        let impatient = Progress::at_every_step(|_, _| ControlFlow::Break(()));
        let table = table();
        let status = |made: Result<Table>| made.unwrap_err().status();
        assert_eq!(status(scope(&impatient, || table.sorted_by(&[SortKey::ascending("a")]))), Status::Cancelled);
        assert_eq!(status(scope(&impatient, || table.slice(0, None, 1))), Status::Cancelled);
        assert_eq!(status(scope(&impatient, || table.select(Rows::Mask(&[1; 4]), None))), Status::Cancelled);
    }

    #[test]
    fn columns_must_have_an_order() {
        let status = |keys: &[SortKey]| table().sorted_by(keys).unwrap_err().status();
        assert_eq!(status(&[]), Status::InvalidArgument);
        assert_eq!(status(&[SortKey::ascending("b")]), Status::NotFound);
        assert_eq!(status(&[SortKey::ascending("a"), SortKey::ascending("pair")]), Status::WrongType);
    }
}
