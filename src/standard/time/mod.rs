//! Points in time: a calendar, scales with leap seconds, formats, and Julian dates of two doubles.

mod calendar;
mod clock;
mod format;
mod julian_date;
mod leap_seconds;
mod numeric;
mod points;
mod scale;
#[cfg(test)]
mod tests;
mod text;

pub use format::TimeFormat;
pub use julian_date::JulianDate;
pub use leap_seconds::LeapSeconds;
pub use points::{Nanoseconds, Time, TimeOptions};
pub use scale::TimeScale;
