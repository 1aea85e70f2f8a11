//! The Ndarray Data Language (NDL), version 0.6.1: a text, in YAML, that tells what a file of arrays holds.
//!
//! A [`Description`] is the model of such a text: [`Group`]s, [`Ndarray`]s, [`DimCoord`]s and [`Attribute`]s with their
//! [`Datatype`]s, shapes, [`Storage`] directives and, now and then, a [`Value`]. Nothing here reads arrays.

pub mod asdf;
mod build;
mod cdl;
mod compare;
mod content;
mod datatype;
mod datatype_text;
mod description;
mod diagnostic;
mod difference;
mod directive;
mod emit;
mod flow;
mod generate;
mod json;
mod members;
mod named;
pub mod path_name;
mod read;
mod same;
pub mod scalar;
mod sizes;
mod spelling;
mod storage;
mod value;
mod value_access;
mod value_memory;
mod walk;
mod write;

pub use build::{Builder, MemoryElements, Place};
pub use cdl::CdlOptions;
pub use content::{Content, ContentScalar, Extensions, is_extension_key};
pub use datatype::{Datatype, DatatypeKind, Enumeration, FloatType, IntegerType, Selection};
pub use description::{Attribute, Description, DimCoord, Dimension, Group, Ndarray, Size};
pub use diagnostic::{Code, Diagnostic, Severity, Stage};
pub use difference::{ConformanceOptions, Difference, DifferenceOptions, Operation};
pub use emit::TextOptions;
pub use generate::Language;
pub use named::Named;
pub use path_name::ROOT;
pub use read::{Parsed, ReadLimits, ReadOptions, parse, read_file};
pub use sizes::{ArraySize, Sizes};
pub use storage::{Filter, Storage};
pub use value::{Blobs, Elements, Lists, Region, Texts, Value};
pub use write::{WriteOptions, file_name};
