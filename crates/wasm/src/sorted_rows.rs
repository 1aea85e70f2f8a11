//! All rows of a table in memory, and their order by a column.

use crate::answer::refused;
use asdfkit::Result;
use asdfkit::array::Float16;
use asdfkit::table::{CellShape, Column, Table, Values};
use std::cmp::Ordering;

/// A table that was read as a whole. The limits of a tab are its budget.
pub(crate) struct SortedRows {
    pub(crate) path: String,
    pub(crate) table: Table,
    /// Column, direction and rows of the last order.
    order: Option<(usize, bool, Vec<usize>)>,
}

impl SortedRows {
    pub(crate) fn of(path: &str, table: Table) -> SortedRows {
        SortedRows { path: path.to_owned(), table, order: None }
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
    // NaN is behind all numbers.
    macro_rules! sort {
        ($at:expr, $compare:expr, $is_number:expr) => {{
            let at = $at;
            let rank = |row: usize| match at(row) {
                Some(item) if column.has_cell(row) => u8::from(!$is_number(&item)),
                _ => 2,
            };
            rows.sort_by(|&left, &right| {
                let order = rank(left).cmp(&rank(right));
                if order != Ordering::Equal || rank(left) > 0 {
                    return order;
                }
                let (Some(left), Some(right)) = (at(left), at(right)) else { return Ordering::Equal };
                let order = $compare(&left, &right);
                if is_descending { order.reverse() } else { order }
            });
        }};
        ($items:ident) => {
            sort!(|row: usize| $items.get(row).copied(), Ord::cmp, |_| true)
        };
    }
    match column.values() {
        Values::Bool8(items) => sort!(items),
        Values::Int8(items) => sort!(items),
        Values::Int16(items) => sort!(items),
        Values::Int32(items) => sort!(items),
        Values::Int64(items) => sort!(items),
        Values::Uint8(items) => sort!(items),
        Values::Uint16(items) => sort!(items),
        Values::Uint32(items) => sort!(items),
        Values::Uint64(items) => sort!(items),
        Values::Float16(items) => {
            let at = |row: usize| items.get(row).map(|bits| Float16::from_bits(*bits).to_f32());
            sort!(at, f32::total_cmp, |item: &f32| !item.is_nan())
        }
        Values::Float32(items) => {
            sort!(|row: usize| items.get(row).copied(), f32::total_cmp, |item: &f32| !item.is_nan())
        }
        Values::Float64(items) => {
            sort!(|row: usize| items.get(row).copied(), f64::total_cmp, |item: &f64| !item.is_nan())
        }
        Values::Text(items) => sort!(|row: usize| Some(items.get(row)), Ord::cmp, |_| true),
        _ => return Err(refused("complex numbers have no order")),
    }
    Ok(rows)
}
