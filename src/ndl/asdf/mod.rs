//! Describes ASDF files, and creates ASDF files from descriptions.
//!
//! A path name is the JSON Pointer of a node: `/images/0` is the first item of the list under the key `images`. In
//! names of groups and arrays, `~` and `/` of a key are written `~0` and `~1`. Names of attributes are the keys
//! themselves.

mod create;
mod describe;
mod shared;
#[cfg(test)]
mod tests;

pub use create::{CreateOptions, create};
pub use describe::describe;
pub use shared::options::{DescribeOptions, Described, Note, Values};
