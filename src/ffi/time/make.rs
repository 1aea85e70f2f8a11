//! Points in time from values in memory, and their storage in files.
//!
//! # Making times
//!
//! Times are made of Julian dates, numbers in a format, nanoseconds or texts, with a shape: rank 0 for a single time.
//! The scale 0 means the one that the format or the text implies: TT for epochs of years, the scale of the epoch for
//! formats that count from an epoch, and UTC for all others. A handle never changes; the functions named
//! asdf_time_with_ make another one. Spans of time are pairs of numbers of days, without a handle.
//!
//! ```c
//! int64_t clock[2] = {1798761600000000000, 1798761600250000000};
//! int64_t shape[1] = {2};
//! asdf_time *times = NULL;
//! asdf_time_from_nanoseconds(clock, 1, shape, ASDF_TIME_SCALE_UTC, NULL, &times);
//! asdf_node_set_times(root, "meta/times", times, NULL);
//! asdf_time_free(times);
//! ```

use super::read::{required_format, scale_of, time_options};
use super::spans::{put_days, spans_of};
use crate::error::{Error, Result, Status};
use crate::ffi::array::datatype::rank as checked_rank;
use crate::ffi::array::options::array_options;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_time};
use crate::ffi::node::write::set;
use crate::ffi::options::taken::take;
use crate::standard::{JulianDate, Time, TimeDelta};
use std::ffi::c_char;

/// Returns a shape and the number of its elements.
pub(super) fn shape_of(caller: &Caller, rank: i32, shape: *const i64) -> Result<(&[i64], usize)> {
    let shape = caller.numbers(shape, checked_rank(rank)?, "shape")?;
    let count = shape.iter().try_fold(1_usize, |count, &extent| count.checked_mul(usize::try_from(extent).ok()?));
    let message = || Error::new(Status::InvalidArgument, "the shape has a negative or too large extent");
    Ok((shape, count.ok_or_else(message)?))
}

/// Returns Julian dates from pairs of doubles.
fn dates_of(caller: &Caller, jd1: *const f64, jd2: *const f64, count: usize) -> Result<Vec<JulianDate>> {
    let (jd1, jd2) = (caller.numbers(jd1, count, "jd1")?, caller.numbers(jd2, count, "jd2")?);
    jd1.iter().zip(jd2).map(|(&jd1, &jd2)| JulianDate::new(jd1, jd2)).collect()
}

/// Makes times of Julian dates.
///
/// @param jd1     first parts, in C order; may be NULL if there are none
/// @param jd2     second parts; ASDF_ERR_OUT_OF_RANGE if a sum is not finite. May be NULL if there are none
/// @param rank    number of axes, 0 for a single time
/// @param shape   extent along each axis, slowest first; may be NULL for rank 0
/// @param scale   an ASDF_TIME_SCALE_ constant; 0 for the one that the format implies
/// @param format  an ASDF_TIME_FORMAT_ constant, in which the times are stored
/// @param options options, or NULL for the defaults
/// @param time    gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_from_jd(
    jd1: *const f64,
    jd2: *const f64,
    rank: i32,
    shape: *const i64,
    scale: i32,
    format: i32,
    options: *const asdf_options,
    time: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(time, "time", |caller| {
        let options = take(caller, options, "asdf_time_from_jd")?;
        required_format(format)?;
        let (shape, count) = shape_of(caller, rank, shape)?;
        Time::new(dates_of(caller, jd1, jd2, count)?, shape, &time_options(&options, scale, format)?)
    })
}

/// Makes times of numbers in a format. NaN makes a missing time.
///
/// @param numbers the numbers, in C order; may be NULL if there are none
/// @param rank    number of axes, 0 for a single time
/// @param shape   extent along each axis, slowest first; may be NULL for rank 0
/// @param scale   an ASDF_TIME_SCALE_ constant; 0 for the one that the format implies
/// @param format  an ASDF_TIME_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for a format of texts
/// @param options options, or NULL for the defaults
/// @param time    gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_from_numbers(
    numbers: *const f64,
    rank: i32,
    shape: *const i64,
    scale: i32,
    format: i32,
    options: *const asdf_options,
    time: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(time, "time", |caller| {
        let options = take(caller, options, "asdf_time_from_numbers")?;
        required_format(format)?;
        let (shape, count) = shape_of(caller, rank, shape)?;
        let numbers = caller.numbers(numbers, count, "numbers")?;
        Time::from_numbers(numbers, None, shape, &time_options(&options, scale, format)?)
    })
}

/// Makes times of nanoseconds since 1970-01-01T00:00:00 on the clock of a scale. The clock of UTC does not count leap
/// seconds. INT64_MIN makes a missing time. The times are stored as text; see asdf_time_with_format().
///
/// @param nanoseconds the nanoseconds, in C order; may be NULL if there are none
/// @param rank        number of axes, 0 for a single time
/// @param shape       extent along each axis, slowest first; may be NULL for rank 0
/// @param scale       an ASDF_TIME_SCALE_ constant; 0 for UTC
/// @param options     options, or NULL for the defaults
/// @param time        gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_from_nanoseconds(
    nanoseconds: *const i64,
    rank: i32,
    shape: *const i64,
    scale: i32,
    options: *const asdf_options,
    time: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(time, "time", |caller| {
        let options = take(caller, options, "asdf_time_from_nanoseconds")?;
        let (shape, count) = shape_of(caller, rank, shape)?;
        let nanoseconds = caller.numbers(nanoseconds, count, "nanoseconds")?;
        let time = Time::from_nanoseconds(nanoseconds, shape, &time_options(&options, scale, 0)?)?;
        time.with_missing(nanoseconds.iter().map(|&since| since == i64::MIN).collect())
    })
}

/// Makes times of texts: dates with times of day as in "2027-01-31T04:05:06.7", days of a year as in
/// "2027:031:04:05:06.7", epochs as in "B1950.0", or, with a format of numbers, numbers.
///
/// @param bytes   the texts one after the other, in C order; may be NULL if they are empty
/// @param size    size of the texts in bytes
/// @param offsets text i occupies the bytes from offset i to offset i + 1: one offset more than times
/// @param rank    number of axes, 0 for a single time
/// @param shape   extent along each axis, slowest first; may be NULL for rank 0
/// @param scale   an ASDF_TIME_SCALE_ constant; 0 for the one that the text implies
/// @param format  an ASDF_TIME_FORMAT_ constant; 0 for that of the first text
/// @param options options, or NULL for the defaults
/// @param time    gets the times; NULL on failure, with ASDF_ERR_INVALID_ARGUMENT for any other text
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_from_texts(
    bytes: *const c_char,
    size: usize,
    offsets: *const i64,
    rank: i32,
    shape: *const i64,
    scale: i32,
    format: i32,
    options: *const asdf_options,
    time: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(time, "time", |caller| {
        let options = take(caller, options, "asdf_time_from_texts")?;
        let (shape, count) = shape_of(caller, rank, shape)?;
        let offset_count = i64::try_from(count).unwrap_or(i64::MAX).saturating_add(1);
        let texts = caller.texts((bytes, size), (offsets, offset_count))?;
        let texts: Vec<&str> = (0..count).map(|index| texts.get(index)).collect::<Result<_>>()?;
        Time::from_texts(texts.into_iter(), shape, &time_options(&options, scale, format)?)
    })
}

/// Makes the same times with another format, in which they are stored.
///
/// @param time    the times
/// @param format  an ASDF_TIME_FORMAT_ constant
/// @param changed gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_with_format(
    time: *const asdf_time,
    format: i32,
    changed: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(changed, "changed", |caller| {
        Ok(caller.handle(time, "time")?.clone().with_format(required_format(format)?))
    })
}

/// Makes the same times with a mask of missing ones.
///
/// @param time    the times
/// @param mask    a byte for each time in C order: not 0 if it is missing
/// @param count   number of bytes; ASDF_ERR_INVALID_ARGUMENT unless it is the number of times
/// @param changed gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_with_mask(
    time: *const asdf_time,
    mask: *const u8,
    count: usize,
    changed: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(changed, "changed", |caller| {
        let mask = caller.numbers(mask, count, "mask")?;
        caller.handle(time, "time")?.clone().with_missing(mask.iter().map(|&byte| byte != 0).collect())
    })
}

/// Makes the same times at one place on Earth.
///
/// @param time    the times
/// @param x       geocentric coordinate towards longitude 0, in metres
/// @param y       coordinate towards longitude 90 degrees east; ASDF_ERR_OUT_OF_RANGE if one is not finite
/// @param z       coordinate towards the north pole
/// @param changed gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_with_location(
    time: *const asdf_time,
    x: f64,
    y: f64,
    z: f64,
    changed: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(changed, "changed", |caller| {
        if ![x, y, z].iter().all(|coordinate| coordinate.is_finite()) {
            return Err(Error::new(Status::OutOfRange, "a coordinate of the place is not finite"));
        }
        caller.handle(time, "time")?.clone().with_location(vec![[x, y, z]])
    })
}

/// Stores times as a time/time of the file's standard, in their format. Several become an array. Formats that the
/// standard does not store, and numbers that a double does not hold to 0.05 nanoseconds, become text and the name of the
/// format. Text has 3, 6, 9 or 12 decimals of a second, as needed.
///
/// @param node    node that the path starts from
/// @param path    the path
/// @param time    the times; ASDF_ERR_UNSUPPORTED for a single one that is missing, and for the scale "local".
///                ASDF_ERR_VALUE_RANGE for a time that text does not hold, on the day of a step of UTC before 1972
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_times(
    node: *mut asdf_node,
    path: *const c_char,
    time: *const asdf_time,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_times")?;
        node.set_times(path, caller.handle(time, "time")?, &array_options(&options)?)
    })
}

/// Reads spans of time, astropy's time/timedelta: each is a number of days as the sum of two doubles. Both are NaN for a
/// missing span.
///
/// @param node     node that the path starts from
/// @param path     the path; ASDF_ERR_WRONG_TYPE if the node is not a span of time
/// @param jd1      gets whole numbers of days, in C order; may be NULL if the capacity is 0
/// @param jd2      gets the rests, between -0.5 and 0.5; may be NULL if the capacity is 0
/// @param capacity size of each of both buffers in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans;
///                 0 to get only the number
/// @param count    gets the number of spans; also if the capacity is too small
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_time_delta(
    node: *const asdf_node,
    path: *const c_char,
    jd1: *mut f64,
    jd2: *mut f64,
    capacity: usize,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        if capacity > 0 {
            caller.out(jd1, "jd1")?;
            caller.out(jd2, "jd2")?;
        }
        let delta = caller.handle(node, "node")?.time_delta(caller.text(path, "path")?)?;
        count.put_number(delta.days().len() as u64);
        if capacity == 0 {
            return Ok(());
        }
        put_days(caller, (jd1, jd2, capacity), &delta)
    })
}

/// Stores spans of time as astropy's time/timedelta.
///
/// @param node    node that the path starts from
/// @param path    the path
/// @param jd1     first parts of the numbers of days, in C order; NaN makes a missing span. May be NULL if there are
///                none
/// @param jd2     second parts; ASDF_ERR_OUT_OF_RANGE if a sum is not finite. May be NULL if there are none
/// @param rank    number of axes, 0 for a single span; ASDF_ERR_UNSUPPORTED if it is missing
/// @param shape   extent along each axis, slowest first; may be NULL for rank 0
/// @param scale   the scale in which the spans are uniform, an ASDF_TIME_SCALE_ constant; 0 for none
/// @param name    name of astropy's format: "sec", "jd", "datetime" or "quantity_str"
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_time_delta(
    node: *mut asdf_node,
    path: *const c_char,
    jd1: *const f64,
    jd2: *const f64,
    rank: i32,
    shape: *const i64,
    scale: i32,
    name: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_time_delta")?;
        let (shape, count) = shape_of(caller, rank, shape)?;
        let (scale, name) = (scale_of(scale)?, caller.text(name, "name")?);
        let delta = spans_of(caller, (jd1, jd2), count, |days| TimeDelta::new(days, shape, scale, name))?;
        node.set_time_delta(path, &delta, &array_options(&options)?)
    })
}
