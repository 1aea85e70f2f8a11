//! ASDF files: opening, reading, creating, editing, writing, verifying.
//!
//! Clones of a [`File`] or a [`Node`] are cheap and keep the file alive. Several threads can read them at once.

mod blocks;
mod disk;
mod edit;
mod open;
mod options;
mod recover;
#[cfg(feature = "serde")]
mod serde;
mod tree;
mod update;
mod verify;
mod write;

#[cfg(feature = "serde")]
pub use self::serde::Tagged;
pub(crate) use crate::array::CHUNK_MAP;
pub use crate::fits::{ImageDecoder, set_image_decoder};
pub use crate::layout::{ChecksumMatch, Standard};
pub use crate::tags::{StandardVersion, short_tag};
pub use crate::tree::CommentPosition;
pub use crate::tree::{Key, Style};
pub use disk::draft::name_left;
pub(crate) use disk::replace::{Destination, Replacement};
pub use edit::array_data::{ArrayBytes, ArrayData};
pub(crate) use edit::copy::copy_to_tree;
pub use edit::restructure::KeyPosition;
pub use open::blocks::{BlockInfo, Verification};
pub use open::file::File;
pub(crate) use open::named_blocks::is_chunked_tag;
pub use options::access::{Access, Resolver};
pub use options::external_names::ExternalNames;
pub use options::validation::Validation;
pub use options::{ArrayOptions, Container, NewOptions, OpenOptions, SaveMode, Storage, WriteOptions};
pub use recover::repair::{Repaired, Repairs};
pub use recover::{Loss, LossKind, RecoverOptions, Recovery};
pub use tree::chunks::ChunkBlocks;
pub(crate) use tree::descendants::descendants;
pub use tree::history::Software;
pub use tree::node::{Node, NodeKey, NodeType};
pub use verify::Inspection;
pub use write::new_file::NewFile;
pub use write::stream::Stream;
