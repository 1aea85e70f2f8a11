//! The Ndarray Data Language (NDL), version 0.6.1: YAML texts that describe the content of array files.
//!
//! [`Description`] is the model of such a text. It holds [`Group`]s, [`Ndarray`]s, [`DimCoord`]s and [`Attribute`]s
//! with their [`Datatype`]s, shapes, [`Storage`] directives and optional [`Value`]s. This module works on descriptions;
//! only [`mod@asdf`] reads and writes array files.

pub mod asdf;
mod build;
mod compare;
mod diagnostic;
mod generate;
mod model;
mod read;
mod values;
mod write;

pub use crate::report::Operation;
pub use build::{Address, Builder, MemoryElements};
pub use compare::difference::{ConformanceOptions, Difference, DifferenceOptions};
pub use diagnostic::{Code, Diagnostic, Severity, Stage};
pub use generate::Language;
pub(crate) use model::content::is_extension_key;
pub use model::content::{Content, ContentScalar, Extensions};
pub use model::datatype::{Datatype, DatatypeKind, Enumeration, FloatType, IntegerType, Selection};
pub use model::description::{Attribute, Description, DimCoord, Dimension, Group, Ndarray, Size};
pub use model::named::Named;
pub use model::path_name::ROOT;
pub use model::sizes::{ArraySize, Sizes};
pub use model::storage::{Filter, Storage};
pub use model::value::{Blobs, Elements, Lists, Region, Texts, Value};
pub use read::{Parsed, ReadLimits, ReadOptions, parse, read_file};
pub use write::cdl::CdlOptions;
pub use write::options::{WriteOptions, file_name};
pub use write::text::TextOptions;
