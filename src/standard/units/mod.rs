//! Units: their text in four spellings, their kinds, and conversions between them.
//!
//! `node` reads the units of a tree, `read_in` finds the conversion of an array or a column. The other files know only
//! text and numbers. Names and definitions are data (`table`,
//! `cds_table`, `prefixes`, `spelling`); `product` computes with them; `parse`, `parse_cds` and `print` turn text into
//! products and back.

mod algebra;
mod cds_table;
mod convert;
mod exact;
mod function;
mod names;
pub(super) mod node;
mod parse;
mod parse_cds;
mod power;
mod prefixes;
mod print;
mod product;
mod read_in;
mod spelling;
mod table;
#[cfg(test)]
mod tests;
mod token;
mod unit;

pub use crate::array::Conversion;
pub use convert::Equivalency;
pub use spelling::Spelling;
pub use unit::{Unit, UnitKind};
