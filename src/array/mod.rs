//! n-dimensional arrays: descriptions in the tree, and elements read into or written from the caller's memory.
//!
//! An [`Array`] combines a descriptor, parsed from the tree alone, with a payload, the location of the bytes. This module
//! uses sources, codecs and trees. It does not access files or their blocks.

mod chunked;
mod convert;
mod element;
mod inline;
mod payload;
mod place;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use crate::float::Float16;
pub(crate) use chunked::CHUNK_MAP;
pub(crate) use chunked::metadata::{ChunkKeys, ChunkMetadata};
pub(crate) use chunked::write::{describe_chunked, dtype_text, redescribe_codecs};
pub use convert::function::Conversion;
pub use convert::masking::Fill;
pub(crate) use convert::stage::{Loop, run_widest};
pub use element::datatype::{ByteOrder, Datatype, Field};
pub use element::rust_element::Element;
pub use element::scalar_type::ScalarType;
pub(crate) use element::text::{Encoding as TextEncoding, put_text, text_of_memory};
pub use element::texts::Text;
pub(crate) use inline::number_list::is_number_list;
pub(crate) use payload::Payload;
pub use payload::cache::TemporaryFiles;
pub(crate) use payload::cache::{Cache, CacheLimits, PayloadCache};
pub(crate) use payload::chunks::{ChunkStore, Chunks, StoredChunk};
pub(crate) use payload::grid::Grid;
pub use place::descriptor::ArraySource;
pub(crate) use place::descriptor::{DeclaredShape, Descriptor};
pub(crate) use place::destination::Destination;
pub use place::destination::Order;
pub(crate) use place::geometry::Geometry;
pub use place::region::{Region, Select};
pub use read::array::Array;
pub use read::chunk_map::{Chunk, ChunkMap};
pub use read::load::{ElementBytes, Loaded, LoadedText};
pub(crate) use read::mask::Mask;
pub use read::options::ReadOptions;
pub(crate) use read::owner::ArrayOwner;
pub use read::view::View;
pub(crate) use read::window::{PayloadKey, Rows, Window};
pub(crate) use write::describe::{
    array_tag, check_inline, check_text_in, describe_fully, describe_inline, describe_rows, describe_stored,
    leave_rows_open,
};
pub(crate) use write::in_memory::{InMemory, without_blanks};
pub(crate) use write::made::MadeElements;
pub use write::made::packed_size;
pub(crate) use write::overwrite::{DiscardedWrites, WritablePayload};
