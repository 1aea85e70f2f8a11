//! Numbers of the rows that a new table takes from another one, in their new order.

use crate::error::{Error, Result, Status};
use crate::progress;
use std::ops::Range;

/// Number of steps between two checks whether the call is cancelled.
const STEPS: usize = 1 << 16;

/// Rows as runs: ranges of consecutive rows, none of them empty. All rows exist.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Runs {
    runs: Vec<Range<usize>>,
    count: usize,
}

impl Runs {
    /// Returns these rows.
    ///
    /// Fails with [`Status::OutOfRange`] for a number that is not a row of a table with `row_count` rows.
    pub(super) fn of_numbers(numbers: &[i64], row_count: usize) -> Result<Runs> {
        let mut runs = Runs::default();
        for (step, &number) in numbers.iter().enumerate() {
            check_at(step)?;
            let row = usize::try_from(number).ok().filter(|&row| row < row_count);
            runs.push(row.ok_or_else(|| no_row(number, row_count))?)?;
        }
        Ok(runs)
    }

    /// Returns these rows, which exist.
    pub(super) fn of_rows(rows: &[usize]) -> Result<Runs> {
        let mut runs = Runs::default();
        rows.iter().enumerate().try_for_each(|(step, &row)| check_at(step).and_then(|()| runs.push(row)))?;
        Ok(runs)
    }

    /// Returns the rows whose byte in the mask is not 0.
    ///
    /// Fails with [`Status::InvalidArgument`] if the mask does not have one byte for each row.
    pub(super) fn of_mask(mask: &[u8], row_count: usize) -> Result<Runs> {
        if mask.len() != row_count {
            let message =
                format!("the table has {row_count} rows, but the number of elements of the mask is {}", mask.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut runs = Runs::default();
        for (row, _) in mask.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            check_at(row)?;
            runs.push(row)?;
        }
        Ok(runs)
    }

    /// Returns `count` rows from `first` on, each `step` rows after the one before. `None` takes as many as there are.
    ///
    /// Fails with [`Status::OutOfRange`] for rows that do not exist, and with [`Status::InvalidArgument`] for a step of
    /// 0.
    pub(super) fn of_slice(first: u64, count: Option<u64>, step: i64, row_count: usize) -> Result<Runs> {
        let (rows, first_row) = (row_count as i128, i128::from(first));
        let last_possible = if step > 0 { rows - 1 } else { 0 };
        let available = match step {
            0 => {
                return Err(Error::new(Status::InvalidArgument, "the step from one row to the next cannot be 0"));
            }
            _ if first_row >= rows => 0,
            step => (last_possible - first_row) / i128::from(step) + 1,
        };
        let count = count.map_or(available, i128::from);
        if first_row > rows || count > available {
            let last = first_row + (count - 1).max(0) * i128::from(step);
            return Err(no_row(if first_row >= rows { first_row } else { last }, row_count));
        }
        let row = |index: i128| usize::try_from(first_row + index * i128::from(step)).unwrap_or(usize::MAX);
        let mut runs = Runs::default();
        if step == 1 && count > 0 {
            runs.runs.push(row(0)..row(count));
            runs.count = count as usize;
            return Ok(runs);
        }
        for index in 0..count {
            check_at(index as usize)?;
            runs.push(row(index))?;
        }
        Ok(runs)
    }

    fn push(&mut self, row: usize) -> Result<()> {
        self.count += 1;
        match self.runs.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => {
                self.runs.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Range<usize>>() as u64))?;
                self.runs.push(row..row + 1);
            }
        }
        Ok(())
    }

    /// Returns the number of rows.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Calls `each` with lists of runs, which follow one another. Between two lists the call can be cancelled.
    pub(super) fn in_pieces(&self, mut each: impl FnMut(&[Range<usize>]) -> Result<()>) -> Result<()> {
        self.runs.chunks(STEPS).try_for_each(|runs| {
            progress::check()?;
            each(runs)
        })
    }
}

/// Checks at some of the steps whether the call is cancelled.
pub(super) fn check_at(step: usize) -> Result<()> {
    if step.is_multiple_of(STEPS) { progress::check() } else { Ok(()) }
}

fn no_row(number: impl std::fmt::Display, row_count: usize) -> Error {
    Error::new(Status::OutOfRange, format!("there is no row {number}: the table has {row_count} rows"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(runs: &Runs) -> Vec<usize> {
        let rows: Vec<usize> = runs.runs.iter().cloned().flatten().collect();
        assert_eq!(rows.len(), runs.count);
        rows
    }

    #[test]
    fn consecutive_rows_are_one_run() {
        let runs = Runs::of_numbers(&[3, 4, 5, 0, 0, 1], 6).unwrap();
        assert_eq!(runs.runs, [3..6, 0..1, 0..2]);
        assert_eq!(Runs::of_mask(&[1, 0, 7, 1], 4).unwrap().runs, [0..1, 2..4]);
        assert_eq!(Runs::of_slice(1, Some(2), 1, 4).unwrap().runs, vec![1..3]);
    }

    #[test]
    fn slices_are_those_of_a_list() {
        for (row_count, first, step) in (0..5_usize)
            .flat_map(|rows| (0..6_u64).flat_map(move |first| (-3..4_i64).map(move |step| (rows, first, step))))
        {
            let slice = |count| Runs::of_slice(first, count, step, row_count).map(|runs| rows(&runs));
            if step == 0 {
                assert_eq!(slice(None).unwrap_err().status(), Status::InvalidArgument);
                continue;
            }
            if first as usize > row_count {
                assert_eq!(slice(Some(0)).unwrap_err().status(), Status::OutOfRange);
                continue;
            }
            let all: Vec<usize> = std::iter::successors(Some(first as i64), |row| Some(row + step))
                .take_while(|&row| (0..row_count as i64).contains(&row))
                .map(|row| row as usize)
                .collect();
            assert_eq!(slice(None).unwrap(), all);
            for count in 0..=all.len() {
                assert_eq!(slice(Some(count as u64)).unwrap(), all[..count]);
            }
            assert_eq!(slice(Some(all.len() as u64 + 1)).unwrap_err().status(), Status::OutOfRange);
        }
        let huge = Runs::of_slice(0, Some(u64::MAX), i64::MIN, 3);
        assert_eq!(huge.unwrap_err().status(), Status::OutOfRange);
    }

    #[test]
    fn rows_must_exist() {
        for number in [-1, 3, i64::MIN, i64::MAX] {
            assert_eq!(Runs::of_numbers(&[0, number], 3).unwrap_err().status(), Status::OutOfRange);
        }
        assert_eq!(Runs::of_mask(&[1, 1], 3).unwrap_err().status(), Status::InvalidArgument);
    }
}
