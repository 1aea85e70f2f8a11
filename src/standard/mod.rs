//! Typed views of nodes with tags of the standard. Tables connect ASDF files with the tables in memory that other
//! formats are read into.
//!
//! [`Node::table`](crate::file::Node::table) reads a [`Table`](crate::table::Table) from a tree, and
//! [`Node::set_table`](crate::file::Node::set_table) stores one.

mod coordinates;
mod find;
mod kind;
mod object_kind;
mod set_tagged;
mod software;
mod table;
mod tags;
mod time;
pub mod units;

pub use coordinates::{Coordinates, CoordinatesKind, SkyPoints};
pub use find::NodeSearch;
pub use kind::NodeKind;
pub use software::{Extension, SoftwareEntry};
pub use table::{ArrowTimes, Metadata, NodeTableWriter, TableForm, TableReadOptions, TableWriteOptions};
pub use time::{JulianDate, LeapSeconds, Nanoseconds, Time, TimeDelta, TimeFormat, TimeOptions, TimeScale};
