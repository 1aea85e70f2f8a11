//! Storage directives: how values are kept in a file. What is absent is unknown.

use crate::array::ByteOrder;
use crate::ndl::{Content, Extensions, Value};

/// The directives of one array, dimension coordinate or attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Storage {
    /// Of an ndarray: how many elements are stored along each dimension.
    pub shape: Option<Vec<u64>>,
    /// Of a dimension coordinate: how many elements are stored.
    pub size: Option<u64>,
    /// Elements of a chunk along each dimension.
    pub chunk: Option<Vec<u64>>,
    /// What the bytes go through when they are written, in this order.
    pub filter: Option<Vec<Filter>>,
    /// The order of the bytes of numbers.
    pub endian: Option<ByteOrder>,
    /// The encoding of text; free words, such as `ascii`, `utf-8`, `ucs4`.
    pub charset: Option<String>,
    /// One element: what stands where nothing was written.
    pub fillvalue: Option<Value>,
    /// What stands under `x-` keys.
    pub extensions: Extensions,
}

impl Storage {
    /// Whether there are no directives and no extensions.
    pub fn is_empty(&self) -> bool {
        *self == Storage::default()
    }
}

/// One step of what bytes go through.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Its name, as given.
    pub name: String,
    /// Its parameters, if it is given as a mapping of the name to them (which may be null).
    pub parameters: Option<Content>,
}

impl Filter {
    /// The name in lower case that all spellings of a known filter share (`gzip` and `zlib` are `deflate`); of others
    /// nothing.
    pub fn known_name(&self) -> Option<&'static str> {
        Some(match self.name.to_ascii_lowercase().as_str() {
            "shuffle" => "shuffle",
            "deflate" | "gzip" | "zlib" => "deflate",
            "bzip2" | "bzp2" => "bzip2",
            "lz4" => "lz4",
            "lzf" => "lzf",
            "szip" => "szip",
            "nbit" => "nbit",
            "scaleoffset" => "scaleoffset",
            "fletcher32" => "fletcher32",
            "blosc" => "blosc",
            "blosc2" => "blosc2",
            "zstd" => "zstd",
            _ => return None,
        })
    }
}
