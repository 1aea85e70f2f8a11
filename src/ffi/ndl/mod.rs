//! Descriptions.

pub mod asdf;
pub mod build;
pub mod compare;
pub mod datatype;
pub mod read;
pub mod storage;
pub mod values;
pub mod walk;
pub mod write;
