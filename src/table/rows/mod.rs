//! Rows of a table: a table of some of them, or of all in another order.

mod gather;
mod keys;
mod merge_sort;
mod runs;
mod select;
mod sort;

pub use select::Rows;
pub use sort::SortKey;
