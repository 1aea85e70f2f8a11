//! The rows that were read last.

use asdfkit::file::Node;
use asdfkit::table::Table;
use asdfkit::{Result, Status, TableReadOptions};
use std::ops::Range;

/// Rows of an ASDF file that are read at a time: a page and its neighbours share the decoding of their blocks.
const AT_ONCE: u64 = 1000;

/// Rows that follow one another, and their place.
pub(crate) struct KeptRows {
    pub(crate) path: String,
    pub(crate) first: u64,
    pub(crate) table: Table,
    /// Number of rows of the whole table; `None` until it is known.
    pub(crate) all: Option<u64>,
}

impl KeptRows {
    /// Reads rows of a table in the tree, and those around them if they do not take too much memory.
    pub(crate) fn of_file(root: &Node, path: &str, wanted: &Range<u64>) -> Result<KeptRows> {
        let all = root.table_row_count(path)?;
        let rows_of = |rows: &Range<u64>| {
            let rows = rows.clone();
            root.table(path, &TableReadOptions { leave_out: true, rows, ..TableReadOptions::default() })
        };
        let first = wanted.start.min(all) / AT_ONCE * AT_ONCE;
        let around = first..wanted.end.min(all).next_multiple_of(AT_ONCE);
        let (first, table) = match rows_of(&around) {
            Err(error) if matches!(error.status(), Status::Limit | Status::OutOfMemory) => {
                (wanted.start, rows_of(wanted)?)
            }
            read => (first, read?),
        };
        Ok(KeptRows { path: path.to_owned(), first, table, all: Some(all) })
    }

    /// Returns whether these rows are among the kept ones, as far as the table has them.
    pub(crate) fn has(&self, wanted: &Range<u64>) -> bool {
        let end = self.first + self.table.row_count() as u64;
        let is_last = self.all.is_some_and(|all| end >= all);
        self.first <= wanted.start && (wanted.end <= end || is_last)
    }
}
