//! Points in time of files, as Julian dates, numbers, nanoseconds and text.
//!
//! # Times
//!
//! An asdf_time is one or more points in time in one scale: a `time/time` of the standard, or text such as a YAML
//! timestamp. Each is a Julian date as the sum of two doubles, as in astropy: `jd1` is a whole number, `jd2` is between
//! -0.5 and 0.5, and their sum is exact to about 10 picoseconds. UTC, TAI and TT are converted to one another. UT1,
//! TDB, TCB, TCG and local time are kept, and their conversion is ASDF_ERR_UNSUPPORTED.
//!
//! UTC has leap seconds. The library has a table of them from Bulletins C of the IERS, complete until 2027-06-28;
//! ASDF_OPTION_LEAP_SECONDS replaces it. A time after the end of the table is a warning of the times
//! (asdf_time_report()). Before 1972, UTC is that of ERFA: its seconds had other lengths from 1960 on, and before 1960
//! its difference from TAI is taken as 0, which is a warning, too.
//!
//! A Julian date in UTC divides the day by its length. A day with a leap second has longer seconds, as in ERFA and
//! astropy, and each of its 86,401 seconds has a Julian date of its own.
//!
//! ```c
//! asdf_time *start = NULL, *tai = NULL;
//! int64_t nanoseconds;
//! char text[40];
//! asdf_node_get_time(root, "meta/start", NULL, &start);
//! asdf_time_text(start, 0, ASDF_TIME_FORMAT_ISOT, 6, text, sizeof text, NULL);
//! asdf_time_read_nanoseconds(start, ASDF_TIME_SCALE_TAI, &nanoseconds, NULL, 1);
//! asdf_time_free(start);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_report, asdf_time};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, both, take};
use crate::reserve;
use crate::standard::{LeapSeconds, Nanoseconds, Time, TimeFormat, TimeOptions, TimeScale};
use std::ffi::c_char;

impl Class for asdf_time {
    const TAG: u32 = u32::from_be_bytes(*b"TIME");
    const NAME: &'static str = "asdf_time";
    type Value = Time;
}

/// Scale: Coordinated Universal Time.
pub const ASDF_TIME_SCALE_UTC: i32 = 1;
/// Scale: International Atomic Time.
pub const ASDF_TIME_SCALE_TAI: i32 = 2;
/// Scale: Terrestrial Time, TAI + 32.184 s.
pub const ASDF_TIME_SCALE_TT: i32 = 3;
/// Scale: Universal Time UT1, the rotation of the Earth.
pub const ASDF_TIME_SCALE_UT1: i32 = 4;
/// Scale: Barycentric Dynamical Time.
pub const ASDF_TIME_SCALE_TDB: i32 = 5;
/// Scale: Barycentric Coordinate Time.
pub const ASDF_TIME_SCALE_TCB: i32 = 6;
/// Scale: Geocentric Coordinate Time.
pub const ASDF_TIME_SCALE_TCG: i32 = 7;
/// Scale: local time of an unknown offset, as astropy stores it in tables.
pub const ASDF_TIME_SCALE_LOCAL: i32 = 8;

/// Format: text as in "2027-01-31 04:05:06.700".
pub const ASDF_TIME_FORMAT_ISO: i32 = 1;
/// Format: text as in "2027-01-31T04:05:06.700".
pub const ASDF_TIME_FORMAT_ISOT: i32 = 2;
/// Format: like ASDF_TIME_FORMAT_ISOT; years beyond 0 to 9999 have a sign and five digits.
pub const ASDF_TIME_FORMAT_FITS: i32 = 3;
/// Format: day of the year as text, as in "2027:031:04:05:06.700".
pub const ASDF_TIME_FORMAT_YDAY: i32 = 4;
/// Format: Besselian epoch as a number.
pub const ASDF_TIME_FORMAT_BYEAR: i32 = 5;
/// Format: Julian epoch as a number.
pub const ASDF_TIME_FORMAT_JYEAR: i32 = 6;
/// Format: Besselian epoch as text, as in "B1950.0".
pub const ASDF_TIME_FORMAT_BYEAR_STR: i32 = 7;
/// Format: Julian epoch as text, as in "J2000.0".
pub const ASDF_TIME_FORMAT_JYEAR_STR: i32 = 8;
/// Format: year and fraction of this year as a number.
pub const ASDF_TIME_FORMAT_DECIMALYEAR: i32 = 9;
/// Format: Julian date.
pub const ASDF_TIME_FORMAT_JD: i32 = 10;
/// Format: Modified Julian Date.
pub const ASDF_TIME_FORMAT_MJD: i32 = 11;
/// Format: seconds of TAI since 1980-01-06T00:00:00 UTC.
pub const ASDF_TIME_FORMAT_GPS: i32 = 12;
/// Format: seconds of UTC since 1970-01-01, without leap seconds.
pub const ASDF_TIME_FORMAT_UNIX: i32 = 13;
/// Format: seconds of TAI since 1970-01-01 TAI.
pub const ASDF_TIME_FORMAT_UNIX_TAI: i32 = 14;
/// Format: seconds of UTC since 1979-01-01, without leap seconds.
pub const ASDF_TIME_FORMAT_UTIME: i32 = 15;
/// Format: seconds of TAI since 1958-01-01 TAI.
pub const ASDF_TIME_FORMAT_TAI_SECONDS: i32 = 16;
/// Format: seconds of TT since 1998-01-01 TT.
pub const ASDF_TIME_FORMAT_CXCSEC: i32 = 17;
/// Format: seconds of UTC since 1980-01-06, without leap seconds.
pub const ASDF_TIME_FORMAT_GALEXSEC: i32 = 18;
/// Format: days of UTC since 0001-01-01, which is day 1.
pub const ASDF_TIME_FORMAT_PLOT_DATE: i32 = 19;
/// Format: year, month, day, hour, minute and second; text like ASDF_TIME_FORMAT_ISOT.
pub const ASDF_TIME_FORMAT_YMDHMS: i32 = 20;
/// Format: Python's datetime; text like ASDF_TIME_FORMAT_ISOT.
pub const ASDF_TIME_FORMAT_DATETIME: i32 = 21;
/// Format: numpy's datetime64; text like ASDF_TIME_FORMAT_ISOT.
pub const ASDF_TIME_FORMAT_DATETIME64: i32 = 22;
/// Format: stardate.
pub const ASDF_TIME_FORMAT_STARDATE: i32 = 23;

/// Returns the scale of a number; `None` for 0.
pub(crate) fn scale_of(scale: i32) -> Result<Option<TimeScale>> {
    match scale {
        0 => Ok(None),
        _ => TimeScale::from_code(scale).map(Some).ok_or_else(|| unknown_number("ASDF_TIME_SCALE_", scale)),
    }
}

/// Returns the format of a number; `None` for 0.
pub(crate) fn format_of(format: i32) -> Result<Option<TimeFormat>> {
    match format {
        0 => Ok(None),
        _ => TimeFormat::from_code(format).map(Some).ok_or_else(|| unknown_number("ASDF_TIME_FORMAT_", format)),
    }
}

/// Returns a scale that must not be 0.
fn required_scale(scale: i32) -> Result<TimeScale> {
    scale_of(scale)?.ok_or_else(|| unknown_number("ASDF_TIME_SCALE_", scale))
}

/// Returns a format that must not be 0.
pub(super) fn required_format(format: i32) -> Result<TimeFormat> {
    format_of(format)?.ok_or_else(|| unknown_number("ASDF_TIME_FORMAT_", format))
}

/// Returns the options for times: scale and format where nothing else tells them, and the table of leap seconds.
pub(crate) fn time_options(options: &Taken, scale: i32, format: i32) -> Result<TimeOptions> {
    let text = options.text(ASDF_OPTION_LEAP_SECONDS);
    let leap_seconds = match (text, options.file_name(ASDF_OPTION_LEAP_SECONDS_FILE)) {
        (Some(_), Some(_)) => return Err(both("ASDF_OPTION_LEAP_SECONDS", "ASDF_OPTION_LEAP_SECONDS_FILE")),
        (Some(text), None) => LeapSeconds::parse(text)?.into(),
        (None, Some(name)) => LeapSeconds::read(name)?.into(),
        (None, None) => LeapSeconds::built_in(),
    };
    Ok(TimeOptions { scale: scale_of(scale)?, format: format_of(format)?, leap_seconds })
}

/// Writes nanoseconds and their rests, or fails for a rest if the program does not take them.
pub(super) fn put_nanoseconds(
    caller: &Caller,
    (nanoseconds, rest, capacity): (*mut i64, *mut f64, usize),
    values: &[Option<Nanoseconds>],
    what: &str,
) -> Result<()> {
    let whole = reserve::collected(values.iter().map(|value| Ok(value.map_or(i64::MIN, |value| value.whole))))?;
    let rests = reserve::collected(values.iter().map(|value| Ok(value.map_or(0.0, |value| value.rest))))?;
    if !rest.is_null() {
        caller.put_values((rest, capacity), "rest", &rests)?;
    } else if let Some(index) = rests.iter().position(|rest| *rest != 0.0) {
        let message = format!(
            "the {what} number {index} is between two nanoseconds; ask for the rests as well, or for Julian dates"
        );
        return Err(Error::new(Status::ValueRange, message));
    }
    caller.put_values((nanoseconds, capacity), "nanoseconds", &whole)
}

/// Reads points in time: a time/time in any version, whose value is text, a number, a list of texts, an array or a
/// quantity, or text without a tag. The Julian dates are those that astropy reads.
///
/// Errors:
///
/// - ASDF_ERR_WRONG_TYPE if the node is not a time
/// - ASDF_ERR_TAG_CONTENT for texts that are not times, and for numbers without a format
/// - ASDF_ERR_UNSUPPORTED for an unknown format or scale
/// - ASDF_ERR_UNITS for a unit that is not one of time, or one of a place that is not one of length
///
/// @param node    node that the path starts from
/// @param path    the path
/// @param options options, or NULL for the defaults
/// @param time    gets the times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_time(
    node: *const asdf_node,
    path: *const c_char,
    options: *const asdf_options,
    time: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(time, "time", |caller| {
        let options = time_options(&take(caller, options, "asdf_node_get_time")?, 0, 0)?;
        caller.handle(node, "node")?.time(caller.text(path, "path")?, &options)
    })
}

/// Gets the scale of times.
///
/// @param time  the times
/// @param scale gets an ASDF_TIME_SCALE_ constant
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_scale(time: *const asdf_time, scale: *mut i32) -> asdf_status {
    guard(|caller| {
        let scale = caller.out(scale, "scale")?;
        scale.put(caller.handle(time, "time")?.scale().code());
        Ok(())
    })
}

/// Gets the format of times, in which they are stored.
///
/// @param time   the times
/// @param format gets an ASDF_TIME_FORMAT_ constant
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_format(time: *const asdf_time, format: *mut i32) -> asdf_status {
    guard(|caller| {
        let format = caller.out(format, "format")?;
        format.put(caller.handle(time, "time")?.format().code());
        Ok(())
    })
}

/// Gets the extents of times, slowest axis first.
///
/// @param time     the times
/// @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
/// @param rank     gets the number of axes, 0 for a single time; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_shape(
    time: *const asdf_time,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        out.put(caller.handle(time, "time")?.shape())
    })
}

/// Gets the number of times, the product of the extents.
///
/// @param time  the times
/// @param count gets the number, 1 for a single time
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_count(time: *const asdf_time, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(time, "time")?.dates().len() as u64);
        Ok(())
    })
}

/// Gets the warnings of times: a time after the end of the table of leap seconds, a time in UTC before 1960, a second 60
/// in a minute without leap second.
///
/// @param time   the times
/// @param report gets the warnings, possibly none; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_report(time: *const asdf_time, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| Ok(caller.handle(time, "time")?.warnings().iter().collect()))
}

/// Converts times to another scale.
///
/// @param time      the times
/// @param scale     an ASDF_TIME_SCALE_ constant; ASDF_ERR_UNSUPPORTED unless this and the scale of the times are among
///                  UTC, TAI and TT, or equal
/// @param converted gets the converted times; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_convert(
    time: *const asdf_time,
    scale: i32,
    converted: *mut *mut asdf_time,
) -> asdf_status {
    guard_handle(converted, "converted", |caller| caller.handle(time, "time")?.to_scale(required_scale(scale)?))
}

/// Reads Julian dates in the scale of the times, each as the sum of two doubles. Those of missing times have no meaning.
///
/// @param time     the times
/// @param jd1      gets whole numbers of days, in C order
/// @param jd2      gets the rests, between -0.5 and 0.5
/// @param capacity size of each of both buffers in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_read_jd(
    time: *const asdf_time,
    jd1: *mut f64,
    jd2: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let dates = caller.handle(time, "time")?.dates();
        caller.out(jd1, "jd1")?;
        caller.out(jd2, "jd2")?;
        let whole: Vec<f64> = dates.iter().map(|date| date.jd1()).collect();
        let rest: Vec<f64> = dates.iter().map(|date| date.jd2()).collect();
        caller.put_values((jd1, capacity), "jd1", &whole)?;
        caller.put_values((jd2, capacity), "jd2", &rest)
    })
}

/// Reads numbers in a format, converted to its scale; NaN for missing times. A double holds Julian dates to 40
/// microseconds, and seconds since 1970 to 0.2 microseconds.
///
/// @param time     the times
/// @param format   an ASDF_TIME_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for a format of texts
/// @param numbers  gets the numbers, in C order
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_read_numbers(
    time: *const asdf_time,
    format: i32,
    numbers: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(numbers, "numbers")?;
        let values = caller.handle(time, "time")?.numbers(required_format(format)?)?;
        caller.put_values((numbers, capacity), "numbers", &values)
    })
}

/// Reads nanoseconds since 1970-01-01T00:00:00 on the clock of a scale, to which the times are converted. The clock of
/// UTC does not count leap seconds; its nanoseconds are those of numpy's datetime64. A missing time is INT64_MIN.
///
/// Errors:
///
/// - ASDF_ERR_OUT_OF_RANGE for a time in a leap second in UTC, and before 1677-09-21 or after 2262-04-11
/// - ASDF_ERR_VALUE_RANGE if a time is between two nanoseconds and `rest` is NULL
///
/// @param time        the times
/// @param scale       an ASDF_TIME_SCALE_ constant; see asdf_time_convert()
/// @param nanoseconds gets the nearest whole numbers, in C order
/// @param rest        gets the rests, from -0.5 to 0.5 nanoseconds; NULL if all times must be whole nanoseconds
/// @param capacity    size of each buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_read_nanoseconds(
    time: *const asdf_time,
    scale: i32,
    nanoseconds: *mut i64,
    rest: *mut f64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(nanoseconds, "nanoseconds")?;
        let since = caller.handle(time, "time")?.nanoseconds(required_scale(scale)?)?;
        put_nanoseconds(caller, (nanoseconds, rest, capacity), &since, "time")
    })
}

/// Gets a time as text. That of a missing time has no meaning.
///
/// @param time      the times
/// @param index     number of the time in C order, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param format    an ASDF_TIME_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for a format of numbers, and
///                  ASDF_ERR_OUT_OF_RANGE if it has no text for the year
/// @param precision decimals of a second, 0 to 9; -1 for 3, 6 or 9 as needed
/// @param buffer    gets the text
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_text(
    time: *const asdf_time,
    index: i64,
    format: i32,
    precision: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let precision = match precision {
            -1 => None,
            0..=9 => Some(precision as u32),
            _ => return Err(Error::new(Status::InvalidArgument, "the precision is not -1 to 9")),
        };
        out.put(&caller.handle(time, "time")?.text(index, required_format(format)?, precision)?)
    })
}

/// Reads which times are missing.
///
/// @param time     the times
/// @param mask     gets a byte for each time in C order: 1 if it is missing, else 0
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_read_mask(time: *const asdf_time, mask: *mut u8, capacity: usize) -> asdf_status {
    guard(|caller| {
        caller.out(mask, "mask")?;
        let time = caller.handle(time, "time")?;
        let bytes: Vec<u8> = (0..time.dates().len()).map(|index| time.is_missing(index).into()).collect();
        caller.put_values((mask, capacity), "mask", &bytes)
    })
}

/// Gets the place on Earth of a time: geocentric coordinates in metres.
///
/// @param time  the times
/// @param index number of the time in C order, from 0; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if
///              the times have no place
/// @param x     gets the coordinate towards longitude 0
/// @param y     gets the coordinate towards longitude 90 degrees east
/// @param z     gets the coordinate towards the north pole
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_location(
    time: *const asdf_time,
    index: i64,
    x: *mut f64,
    y: *mut f64,
    z: *mut f64,
) -> asdf_status {
    guard(|caller| {
        let (x_out, y_out, z_out) = (caller.out(x, "x")?, caller.out(y, "y")?, caller.out(z, "z")?);
        let time = caller.handle(time, "time")?;
        let index = usize::try_from(index).ok().filter(|&index| index < time.dates().len()).ok_or_else(|| {
            Error::new(Status::OutOfRange, format!("index {index} is beyond the {} times", time.dates().len()))
        })?;
        let place = match time.location() {
            [place] => Some(place),
            places => places.get(index),
        };
        let [x, y, z] = *place.ok_or_else(|| Error::new(Status::NotFound, "the times have no place"))?;
        x_out.put(x);
        y_out.put(y);
        z_out.put(z);
        Ok(())
    })
}

/// Adds an owner to times.
///
/// @param time    the times
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_retain(time: *const asdf_time, another: *mut *mut asdf_time) -> asdf_status {
    guard_retain(time, "time", another)
}

/// Gives up one owner of times. The last owner frees them.
///
/// @param time the times; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_time_free(time: *mut asdf_time) {
    guard_silently(|caller| caller.release(time));
}
