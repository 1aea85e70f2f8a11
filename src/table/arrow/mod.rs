//! Tables as Arrow has them, in both directions, without a library of Arrow's: its C structs are frozen, and stand in
//! the C interface. Here is what they say.
//!
//! | column | Arrow |
//! |---|---|
//! | integers, floats | the same type; the values are shared, not copied |
//! | bool | `b`, packed |
//! | complex | a fixed list of two floats (`+w:2`) |
//! | string, float128, complex256 | text with offsets of 64 bits (`U`) |
//! | json | such text, with the extension `arrow.json` |
//! | arrays of fixed shape | a fixed list for each axis, outermost first |
//! | arrays of variable length | such lists, and inside them one with offsets of 64 bits (`+L`) |
//!
//! A missing cell is null, and so is a missing element. What else is said of a column stands in the metadata of its
//! field: `ecsv:datatype`, `ecsv:subtype`, `ecsv:unit`, `ecsv:description`, `ecsv:format` as ECSV has them, `ecsv:meta`
//! as JSON. That of the table, `ecsv:meta` and `ecsv:schema`, stands in the metadata of the schema.
//!
//! In JSON, whatever JSON has no words for is an object of two keys, `__tag__` with a tag of YAML and `__value__`:
//! `{"__tag__": "tag:yaml.org,2002:float", "__value__": ".nan"}`. Ordered mappings are plain objects, and what is
//! written as an alias stands in its full length.

mod array;
mod build;
mod elements;
mod field;
mod format;
mod import;
mod meta_json;
mod meta_read;
mod plan;
#[cfg(test)]
mod tests;
mod view;

pub use array::{Array, Buffer, ColumnPart};
pub use field::Field;
pub use format::Format;
pub use import::Importer;
pub use view::ArrayView;

use super::CellShape;
use crate::error::{Error, Result, Status};

/// Lists may be nested as deeply as arrays have axes; the arrays of a column and its fields nest by two more.
pub const MAX_DEPTH: usize = 32;

/// The lists that the cells of a column are in Arrow, outermost first.
fn lists_of(shape: &CellShape) -> Result<Vec<Format>> {
    let (extents, last) = match shape {
        CellShape::Scalar => return Ok(Vec::new()),
        CellShape::Fixed(extents) => (extents, None),
        CellShape::Variable(extents) => (extents, Some(Format::LargeList)),
    };
    let fixed = extents.iter().map(|&extent| match i32::try_from(extent) {
        Ok(_) => Ok(Format::FixedList(extent)),
        Err(_) => Err(Error::new(Status::ValueRange, format!("no fixed list of Arrow holds {extent} items"))),
    });
    let lists: Vec<Format> = fixed.chain(last.map(Ok)).collect::<Result<_>>()?;
    if lists.len() > MAX_DEPTH {
        let message = format!("cells of {} axes: at most {MAX_DEPTH} can be nested lists", lists.len());
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok(lists)
}
