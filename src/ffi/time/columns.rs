//! Columns of times and of spans of time in tables.
//!
//! # Times in tables
//!
//! A table of astropy stores a column of times in its format, or as the two halves of its Julian dates, and its
//! metadata tell format, scale and place (see Logical columns). These functions read such a column as an asdf_time and
//! add one that astropy reads as the same `Time`, in ECSV and in ASDF files. The first axis of the times is the rows. A
//! missing cell is a missing time. asdf_table_time_kind() tells which columns are times.
//!
//! A new column is stored in its format, if both doubles of each time can be read from it again, and otherwise as the
//! columns `name.jd1` and `name.jd2`, which lose nothing. ASDF files hold the times to 0.05 nanoseconds: in their format
//! if possible, and otherwise as text with the name of the format. asdf-astropy ignores the mask of times in ASDF files.
//!
//! ```c
//! asdf_time *times = NULL;
//! asdf_table_time(table, "start", NULL, &times);
//! asdf_time_read_nanoseconds(times, ASDF_TIME_SCALE_UTC, nanoseconds, NULL, rows);
//! asdf_table_add_time(other, "start", times);
//! asdf_time_free(times);
//! ```

use super::make::shape_of;
use super::read::{put_nanoseconds, scale_of, time_options};
use super::spans::{put_days, spans_of};
use crate::error::{Error, Status};
use crate::ffi::boundary::arguments::count;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table, asdf_time};
use crate::ffi::node::look::kind_number;
use crate::ffi::options::taken::take;
use crate::ffi::table::look::{open, open_to_change};
use crate::standard::TimeDelta;
use std::ffi::c_char;

/// Tests whether a column is one of times or spans of time.
///
/// @param table the table
/// @param name  name of the column, as a logical column
/// @param kind  gets ASDF_KIND_TIME, ASDF_KIND_TIME_DELTA, or 0 for any other column.
///              ASDF_ERR_NOT_FOUND if the table has no such column
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_time_kind(
    table: *const asdf_table,
    name: *const c_char,
    kind: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let kind = caller.out(kind, "kind")?;
        let found = open(caller, table)?.time_kind(caller.text(name, "name")?)?;
        kind.put(found.map_or(0, kind_number));
        Ok(())
    })
}

/// Reads a column of times: one of class `Time` of astropy in any of its forms, or a plain column of texts.
///
/// Errors:
///
/// - ASDF_ERR_NOT_FOUND if there is no such column
/// - ASDF_ERR_WRONG_TYPE for a column of another kind
/// - ASDF_ERR_TAG_CONTENT for texts that are not times
/// - ASDF_ERR_UNSUPPORTED for an unknown format, scale or attribute, and for cells of different length
///
/// @param table   the table
/// @param name    name of the column
/// @param options options, or NULL for the defaults
/// @param time    gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_time(
    table: *const asdf_table,
    name: *const c_char,
    options: *const asdf_options,
    time: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(time, "time", |caller| {
        let options = take(caller, options, "asdf_table_time")?;
        let times = time_options(&options, 0, 0)?;
        open(caller, table)?.time(caller.text(name, "name")?, &times)
    })
}

/// Appends a column of times, with their format, scale, missing times and place.
///
/// @param table the table
/// @param name  name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
/// @param time  the times; ASDF_ERR_INVALID_ARGUMENT if their first extent is not the number of rows
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_time(
    table: *mut asdf_table,
    name: *const c_char,
    time: *const asdf_time,
) -> asdf_status {
    guard(|caller| {
        let mut table = open_to_change(caller, table)?;
        let name = caller.text(name, "name")?;
        table.add_time(name, caller.handle(time, "time")?)
    })
}

/// Replaces cells of a column of times. The new times are converted to the scale of the column, which keeps its format
/// and place. A missing time makes a missing cell.
///
/// Errors:
///
/// - ASDF_ERR_NOT_FOUND if there is no such column
/// - ASDF_ERR_WRONG_TYPE for a column that is not one of class `Time`
/// - ASDF_ERR_OUT_OF_RANGE for rows that do not exist
/// - ASDF_ERR_INVALID_ARGUMENT if the shape of the times is that of a cell, or of several, in no way
/// - ASDF_ERR_VALUE_RANGE for a time of day in a column of dates
/// - ASDF_ERR_UNSUPPORTED if the times cannot be converted to the scale
///
/// @param table the table
/// @param name  name of the column
/// @param row   first row to replace, from 0
/// @param time  the times: one cell, or one for each row along their first axis
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_time(
    table: *mut asdf_table,
    name: *const c_char,
    row: i64,
    time: *const asdf_time,
) -> asdf_status {
    guard(|caller| {
        let mut table = open_to_change(caller, table)?;
        let name = caller.text(name, "name")?;
        let row = usize::try_from(row).map_err(|_| Error::new(Status::OutOfRange, "the row is negative"))?;
        table.set_time(name, row, caller.handle(time, "time")?)
    })
}

/// Makes dates of the same times: they have no time of day in text and in files, and astropy's sub-format `date`.
///
/// @param time    the times, in UTC or another scale; ASDF_ERR_INVALID_ARGUMENT unless their format is
///                ASDF_TIME_FORMAT_ISO, ASDF_TIME_FORMAT_ISOT, ASDF_TIME_FORMAT_FITS or ASDF_TIME_FORMAT_YDAY
/// @param changed gets the times; NULL on failure. ASDF_ERR_VALUE_RANGE if a time is not the beginning of a day
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_with_dates(time: *const asdf_time, changed: *mut *mut asdf_time) -> asdf_status {
    guard_handle(changed, "changed", |caller| caller.handle(time, "time")?.clone().with_dates_only())
}

/// Tests whether times are dates, which have no time of day.
///
/// @param time the times
/// @param has  gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_has_dates(time: *const asdf_time, has: *mut i32) -> asdf_status {
    guard(|caller| {
        let has = caller.out(has, "has")?;
        has.put(i32::from(caller.handle(time, "time")?.is_dates_only()));
        Ok(())
    })
}

/// Reads a column of spans of time, one of class `TimeDelta` of astropy in any of its forms: each is a number of days
/// as the sum of two doubles. Both are NaN for a missing span. Errors are those of asdf_table_time().
///
/// @param table    the table
/// @param name     name of the column
/// @param jd1      gets whole numbers of days, in C order; may be NULL if the capacity is 0
/// @param jd2      gets the rests, between -0.5 and 0.5; may be NULL if the capacity is 0
/// @param capacity size of each of both buffers in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans;
///                 0 to get only the number
/// @param count    gets the number of spans, that of the rows times that of the elements in a cell; also if the
///                 capacity is too small
/// @param scale    gets the scale in which the spans are uniform, an ASDF_TIME_SCALE_ constant; 0 for none. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_time_delta(
    table: *const asdf_table,
    name: *const c_char,
    jd1: *mut f64,
    jd2: *mut f64,
    capacity: usize,
    count: *mut i64,
    scale: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let (count, scale) = (caller.out(count, "count")?, caller.optional_out(scale));
        if capacity > 0 {
            caller.out(jd1, "jd1")?;
            caller.out(jd2, "jd2")?;
        }
        let delta = open(caller, table)?.time_delta(caller.text(name, "name")?)?;
        count.put_number(delta.days().len() as u64);
        if capacity > 0 {
            put_days(caller, (jd1, jd2, capacity), &delta)?;
        }
        scale.put(delta.scale().map_or(0, |scale| scale.code()));
        Ok(())
    })
}

/// Appends a column of spans of time, which astropy reads as a `TimeDelta`.
///
/// @param table       the table
/// @param name        name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
/// @param jd1         first parts of the numbers of days, in C order; NaN makes a missing span. May be NULL if there are
///                    none
/// @param jd2         second parts; ASDF_ERR_OUT_OF_RANGE if a sum is not finite. May be NULL if there are none
/// @param rank        number of axes of a cell, 0 for a single span
/// @param shape       extent of a cell along each axis, slowest first; may be NULL for rank 0
/// @param scale       the scale in which the spans are uniform, an ASDF_TIME_SCALE_ constant; 0 for none
/// @param format_name astropy's format: "sec", "jd", "datetime" or "quantity_str"
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_time_delta(
    table: *mut asdf_table,
    name: *const c_char,
    jd1: *const f64,
    jd2: *const f64,
    rank: i32,
    shape: *const i64,
    scale: i32,
    format_name: *const c_char,
) -> asdf_status {
    guard(|caller| {
        let mut table = open_to_change(caller, table)?;
        let name = caller.text(name, "name")?;
        let (cell, of_cell) = shape_of(caller, rank, shape)?;
        let too_many = || Error::new(Status::InvalidArgument, "the cells have too many spans of time");
        let count = of_cell.checked_mul(table.row_count()).ok_or_else(too_many)?;
        let shape = [&[table.row_count() as i64], cell].concat();
        let (scale, format) = (scale_of(scale)?, caller.text(format_name, "format_name")?);
        let delta = spans_of(caller, (jd1, jd2), count, |days| TimeDelta::new(days, &shape, scale, format))?;
        table.add_time_delta(name, &delta)
    })
}

/// Converts spans of time from days to nanoseconds. A missing span, with NaN as days, is INT64_MIN.
///
/// Errors:
///
/// - ASDF_ERR_OUT_OF_RANGE for spans of more than 292 years, and for days that are infinite
/// - ASDF_ERR_VALUE_RANGE if a span is between two nanoseconds and `rest` is NULL
///
/// @param jd1         first parts of the numbers of days; may be NULL if there are none
/// @param jd2         second parts; may be NULL if there are none
/// @param count       number of spans; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param nanoseconds gets the nearest numbers of nanoseconds
/// @param rest        gets the rests, from -0.5 to 0.5 nanoseconds; NULL if all spans must be whole nanoseconds
/// @param capacity    size of each buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_delta_to_nanoseconds(
    jd1: *const f64,
    jd2: *const f64,
    count: i64,
    nanoseconds: *mut i64,
    rest: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(nanoseconds, "nanoseconds")?;
        let count = self::count(count, "count")?;
        let shape = [count as i64];
        let delta = spans_of(caller, (jd1, jd2), count, |days| TimeDelta::new(days, &shape, None, "jd"))?;
        put_nanoseconds(caller, (nanoseconds, rest, capacity), &delta.nanoseconds()?, "span")
    })
}

/// Converts spans of time from nanoseconds to days, each the sum of two doubles. INT64_MIN makes a missing span: NaN.
///
/// @param nanoseconds the nanoseconds; may be NULL if there are none
/// @param count       their number; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param jd1         gets whole numbers of days
/// @param jd2         gets the rests, between -0.5 and 0.5
/// @param capacity    size of each buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_delta_from_nanoseconds(
    nanoseconds: *const i64,
    count: i64,
    jd1: *mut f64,
    jd2: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(jd1, "jd1")?;
        caller.out(jd2, "jd2")?;
        let count = self::count(count, "count")?;
        let nanoseconds = caller.numbers(nanoseconds, count, "nanoseconds")?;
        let delta = TimeDelta::from_nanoseconds(nanoseconds, &[count as i64], None, "jd")?;
        let missing = nanoseconds.iter().map(|&span| span == i64::MIN).collect();
        put_days(caller, (jd1, jd2, capacity), &delta.with_missing(missing)?)
    })
}
