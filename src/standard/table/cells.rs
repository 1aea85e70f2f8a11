//! Changing cells of tables. Texts in columns of times must be times.

use crate::error::{Error, Result};
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{TimeFormat, TimeScale, check_text};
use crate::table::{ColumnData, ElementType, Table, logical_columns};

/// Format and scale of the texts of a column of times.
struct TimeTexts {
    format: Option<TimeFormat>,
    scale: Option<TimeScale>,
}

impl Table {
    /// Replaces `count` cells of a column from the row `first` on. `data` is an array of these cells; its elements are
    /// converted to the type of the column by the rules of [`Array::read`](crate::array::Array::read), with `clamp` to
    /// the nearest number. Without a mask no element is missing afterwards. Clones of the table made before keep the old
    /// cells.
    ///
    /// In a column of cells of different lengths, one cell is replaced at a time, whose length is that of the data.
    ///
    /// The table does not change on failure. Fails with
    ///
    /// * [`NotFound`](crate::Status::NotFound) if there is no such column, and [`OutOfRange`](crate::Status::OutOfRange)
    ///   for rows that do not exist;
    /// * [`InvalidArgument`](crate::Status::InvalidArgument) if memory or mask do not have the size of the cells;
    /// * [`Conversion`](crate::Status::Conversion) for numbers in a column of text, or text in a column of numbers;
    /// * [`ValueRange`](crate::Status::ValueRange) for a text that is not a valid number or JSON value of the type of the
    ///   column, and in a column of times for one that is not a time of its format and scale;
    /// * the errors of conversion.
    pub fn set_cells(&mut self, name: &str, first: u64, count: u64, data: &ColumnData, clamp: bool) -> Result<()> {
        let times = self.time_texts(name)?;
        self.set_checked_cells(name, (first, count), data, clamp, |row, text| check(times.as_ref(), row, text))
    }

    /// Replaces one element of a cell in a column of text: strings, JSON, and numbers that are kept as text. `None`
    /// makes the element missing. The other texts of the column are copied.
    ///
    /// Fails with [`WrongType`](crate::Status::WrongType) for a column of numbers, with
    /// [`OutOfRange`](crate::Status::OutOfRange) for an element that does not exist, and as [`Table::set_cells`] does.
    pub fn set_text(&mut self, name: &str, row: u64, element: u64, text: Option<&str>) -> Result<()> {
        let times = self.time_texts(name)?;
        self.set_checked_text(name, (row, element), text, |row, text| check(times.as_ref(), row, text))
    }

    /// Returns what texts of a column of the file must be if it holds the values of a column of times; `None` for any
    /// other column, and if the format or scale is not known.
    fn time_texts(&self, name: &str) -> Result<Option<TimeTexts>> {
        if self.column(name)?.element_type() != ElementType::String {
            return Ok(None);
        }
        let columns = logical_columns(self.header());
        let found = columns.iter().find(|column| {
            let is_value = |attribute: &str| matches!(attribute, "value" | "value/data");
            column.class.as_deref().and_then(ObjectKind::of_class) == Some(ObjectKind::Time)
                && column.members.iter().any(|member| member.name == name && is_value(&member.attribute))
        });
        let Some(found) = found else { return Ok(None) };
        let (format, scale) = (found.attribute("format"), found.attribute("scale"));
        let times = TimeTexts {
            format: format.as_deref().and_then(TimeFormat::from_name),
            scale: scale.as_deref().and_then(TimeScale::from_name),
        };
        let is_known = format.is_some() == times.format.is_some() && scale.is_some() == times.scale.is_some();
        Ok(is_known.then_some(times))
    }
}

fn check(times: Option<&TimeTexts>, row: u64, text: &str) -> Result<()> {
    let Some(times) = times else { return Ok(()) };
    check_text(text, times.format, times.scale)
        .map_err(|error| Error::new(error.status(), format!("row {row}: {}", error.message())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Datatype, Order};
    use crate::error::Status;
    use crate::standard::time::{Time, TimeOptions};

    fn table(format: TimeFormat, scale: TimeScale) -> Table {
        let mut table = Table::of_rows(2);
        let options = TimeOptions { scale: Some(scale), format: Some(format), ..TimeOptions::default() };
        let time = Time::from_texts(["2027-01-31", "2027-01-30"].into_iter(), &[2], &options).unwrap();
        table.add_time("t", &time.with_missing(vec![false, true]).unwrap()).unwrap();
        table.add_texts("s", ElementType::String, false, [Some("a".into()), None].into_iter()).unwrap();
        table
    }

    #[test]
    fn a_text_that_is_no_time_is_refused() {
        for scale in [TimeScale::Utc, TimeScale::Tai, TimeScale::Tdb] {
            let mut table = table(TimeFormat::Isot, scale);
            let error = table.set_text("t", 1, 0, Some("garbage")).unwrap_err();
            let message = format!("row 1: 'garbage' is not a time of format 'isot' in scale {}", scale.name());
            assert_eq!((error.status(), error.message()), (Status::ValueRange, &*message));
            assert_eq!(error.location().table_column.as_deref(), Some("t"));
            let text = "2027-02-01T04:05:06.25";
            table.set_text("t", 1, 0, Some(text)).unwrap();
            assert_eq!(table.text_of("t", 1, 0).unwrap(), Some(text));
            table.set_text("t", 0, 0, None).unwrap();
            table.set_text("s", 0, 0, Some("garbage")).unwrap();
            assert_eq!(table.time("t", &TimeOptions::default()).unwrap().missing(), Some(&[true, false][..]));
        }
    }

    #[test]
    fn texts_of_several_cells_are_checked_unless_they_are_missing() {
        let mut table = table(TimeFormat::Iso, TimeScale::Utc);
        let data = |bytes: &'static [u8], mask: Option<&'static [u8]>| ColumnData {
            datatype: Datatype::Ascii(10),
            bytes,
            order: Order::C,
            mask,
            blank_padded: false,
        };
        let bytes = b"2027-02-012027-02-xx";
        let error = table.set_cells("t", 0, 2, &data(bytes, None), false).unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (Status::ValueRange, "row 1: '2027-02-xx' is not a time of format 'iso' in scale utc")
        );
        table.set_cells("t", 0, 2, &data(bytes, Some(&[0, 1])), false).unwrap();
        assert_eq!(table.text_of("t", 0, 0).unwrap(), Some("2027-02-01"));
    }
}
