//! Datatypes of elements, and the values of elements in the tree.

pub(super) mod blanks;
pub(super) mod datatype;
pub(super) mod leaf;
pub(super) mod rust_element;
pub(super) mod scalar_type;
pub(super) mod text;
pub(super) mod texts;
