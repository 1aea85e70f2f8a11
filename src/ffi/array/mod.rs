//! Arrays.

pub mod chunk_map;
pub mod datatype;
pub mod load;
pub mod mask;
pub mod options;
pub mod read;
pub mod view;
