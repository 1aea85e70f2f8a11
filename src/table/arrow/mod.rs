//! Conversion of tables to and from Apache Arrow, without an Arrow library. The C structs of the Arrow C data interface
//! are in the `ffi` module; their layout is frozen. This module defines what they contain.
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
//! A missing cell is null, and so is a missing element. The metadata of a column's field hold its description:
//! `ecsv:datatype`, `ecsv:subtype`, `ecsv:unit`, `ecsv:description` and `ecsv:format`, spelled as in ECSV, and
//! `ecsv:meta` as JSON. The metadata of the schema hold `ecsv:meta` and `ecsv:schema` of the table.
//!
//! A value that JSON cannot express is an object of two keys, `__tag__` with a YAML tag and `__value__`:
//! `{"__tag__": "tag:yaml.org,2002:float", "__value__": ".nan"}`. Ordered mappings become plain objects. An alias is
//! replaced by a copy of its target.

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
mod words;

pub use array::{Array, Buffer, ColumnPart};
pub use field::Field;
pub use format::Format;
pub use import::Importer;
pub use view::ArrayView;

use super::CellShape;
use crate::error::{Error, Result, Status};

/// Maximum nesting of lists, as deep as arrays have axes. The arrays and fields of a column nest up to two levels
/// deeper.
pub const MAX_DEPTH: usize = 32;

/// Returns the nested list types for the cells of a column, outermost first.
fn lists_of(shape: &CellShape) -> Result<Vec<Format>> {
    let (extents, last) = match shape {
        CellShape::Scalar => return Ok(Vec::new()),
        CellShape::Fixed(extents) => (extents, None),
        CellShape::Variable(extents) => (extents, Some(Format::LargeList)),
    };
    let fixed = extents.iter().map(|&extent| match i32::try_from(extent) {
        Ok(_) => Ok(Format::FixedList(extent)),
        Err(_) => {
            Err(Error::new(Status::ValueRange, format!("an extent of {extent} is too large for a fixed list of Arrow")))
        }
    });
    let lists: Vec<Format> = fixed.chain(last.map(Ok)).collect::<Result<_>>()?;
    if lists.len() > MAX_DEPTH {
        let message =
            format!("cells have {} axes, but Arrow lists can be nested at most {MAX_DEPTH} deep", lists.len());
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok(lists)
}
