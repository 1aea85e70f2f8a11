//! Content of a description: groups, arrays, datatypes, values, storage.

pub(super) mod content;
mod copies;
pub(super) mod datatype;
pub(super) mod description;
pub(super) mod members;
pub(super) mod named;
pub(super) mod path_name;
pub(super) mod scalar;
pub(super) mod sizes;
pub(super) mod storage;
pub(super) mod value;
