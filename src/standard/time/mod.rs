//! Points in time: a calendar, scales with leap seconds, formats, and Julian dates of two doubles. Nodes with times are
//! read and written by the last files; the others know no nodes.

mod calendar;
mod cell_text;
mod clock;
mod delta;
mod exact;
mod format;
mod julian_date;
mod leap_seconds;
#[cfg(test)]
mod node_tests;
mod numeric;
mod place;
mod points;
pub(super) mod read_node;
mod scale;
mod stored;
#[cfg(test)]
mod tests;
mod text;
mod write_node;

pub(in crate::standard) use cell_text::check_text;
pub use delta::TimeDelta;
pub(in crate::standard) use exact::Exactness;
pub use format::TimeFormat;
pub use julian_date::JulianDate;
pub use leap_seconds::LeapSeconds;
pub(in crate::standard) use points::decimal_parts;
pub use points::{Nanoseconds, Time, TimeOptions};
pub use scale::TimeScale;
pub(in crate::standard) use stored::{Stored, Values};
