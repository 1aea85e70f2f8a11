//! All rows of a table in memory, and their order by a column.

use crate::answer::refused;
use crate::opened::Opened;
use asdfkit::array::Float16;
use asdfkit::table::{CellShape, Column, Table, Values};
use asdfkit::{Result, TableReadOptions};
use std::cmp::Ordering;

/// A table that was read as a whole. The limits of a tab are its budget.
pub(crate) struct SortedRows {
    pub(crate) path: String,
    pub(crate) table: Table,
    /// Column, direction and rows of the last order.
    order: Option<(usize, bool, Vec<usize>)>,
}

impl SortedRows {
    /// Reads all rows of a table. Fails with `Status::Limit` if they need more memory than a tab has for them.
    pub(crate) fn read(opened: &mut Opened, path: &str) -> Result<SortedRows> {
        let table = match &opened.file {
            Some(file) => {
                file.root()?.table(path, &TableReadOptions { leave_out: true, ..TableReadOptions::default() })?
            }
            None => opened.text_rows().read_all()?,
        };
        Ok(SortedRows { path: path.to_owned(), table, order: None })
    }

    /// Returns the rows in the order of a column. Equal cells keep the order of the file, missing ones are last.
    pub(crate) fn order(&mut self, name: &str, is_descending: bool) -> Result<&[usize]> {
        let position = self.table.position(name)?;
        let is_known = self
            .order
            .as_ref()
            .is_some_and(|(column, descending, _)| (*column, *descending) == (position, is_descending));
        if !is_known {
            let missing = || refused("the table has no such column");
            let column = self.table.columns().get(position).ok_or_else(missing)?;
            let header = self.table.header().columns.get(position).ok_or_else(missing)?;
            if column.values().text().is_some() && header.element_type.name() != "string" {
                return Err(refused("numbers that are kept as text have no order"));
            }
            let rows = sorted(column, is_descending)?;
            self.order = Some((position, is_descending, rows));
        }
        Ok(self.order.as_ref().map_or(&[], |(_, _, rows)| rows))
    }
}

fn sorted(column: &Column, is_descending: bool) -> Result<Vec<usize>> {
    if !matches!(column.cell_shape(), CellShape::Scalar) {
        return Err(refused("a column whose cells are arrays has no order"));
    }
    let mut rows: Vec<usize> = (0..column.row_count()).collect();
    // Whether it is present, the element, and whether that is a number. NaN is behind all numbers.
    macro_rules! sort {
        ($items:expr, $compare:expr, $is_number:expr) => {{
            let items = $items;
            let rank = |row: usize| match items.get(row) {
                Some(item) if column.has_cell(row) => u8::from(!$is_number(item)),
                _ => 2,
            };
            rows.sort_by(|&left, &right| {
                let order = rank(left).cmp(&rank(right));
                if order != Ordering::Equal || rank(left) > 0 {
                    return order;
                }
                let (Some(left), Some(right)) = (items.get(left), items.get(right)) else { return Ordering::Equal };
                let order = $compare(left, right);
                if is_descending { order.reverse() } else { order }
            });
        }};
    }
    let half = |bits: &u16| Float16::from_bits(*bits).to_f32();
    match column.values() {
        Values::Bool8(items) => sort!(items, u8::cmp, |_: &u8| true),
        Values::Int8(items) => sort!(items, i8::cmp, |_: &i8| true),
        Values::Int16(items) => sort!(items, i16::cmp, |_: &i16| true),
        Values::Int32(items) => sort!(items, i32::cmp, |_: &i32| true),
        Values::Int64(items) => sort!(items, i64::cmp, |_: &i64| true),
        Values::Uint8(items) => sort!(items, u8::cmp, |_: &u8| true),
        Values::Uint16(items) => sort!(items, u16::cmp, |_: &u16| true),
        Values::Uint32(items) => sort!(items, u32::cmp, |_: &u32| true),
        Values::Uint64(items) => sort!(items, u64::cmp, |_: &u64| true),
        Values::Float16(items) => {
            sort!(items, |left, right| half(left).total_cmp(&half(right)), |item: &u16| !half(item).is_nan())
        }
        Values::Float32(items) => sort!(items, f32::total_cmp, |item: &f32| !item.is_nan()),
        Values::Float64(items) => sort!(items, f64::total_cmp, |item: &f64| !item.is_nan()),
        Values::Text(items) => sort!(items, |left: &str, right: &str| left.cmp(right), |_: &str| true),
        _ => return Err(refused("complex numbers have no order")),
    }
    Ok(rows)
}
