//! Parts that all sub-commands share: exit codes, output, progress, files, paths and regions.

pub(crate) mod arguments;
pub(crate) mod call;
pub(crate) mod cells;
pub(crate) mod completion;
pub(crate) mod condition;
pub(crate) mod descriptors;
pub(crate) mod display_format;
pub(crate) mod elements;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod formats;
pub(crate) mod input;
pub(crate) mod limits;
pub(crate) mod new_file;
pub(crate) mod output;
pub(crate) mod plain_fits;
pub(crate) mod region;
pub(crate) mod schemas;
pub(crate) mod size;
pub(crate) mod stream;
pub(crate) mod tables;
pub(crate) mod text_header;
pub(crate) mod tree_path;
pub(crate) mod value;
pub(crate) mod walk;
pub(crate) mod worlds;
