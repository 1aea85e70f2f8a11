//! Nodes of the tree.

pub mod comment;
pub mod edit;
pub mod find;
pub mod large_array;
pub mod look;
pub mod read;
pub mod software;
pub mod stream;
pub mod write;
