//! Storage directives: the layout of values in a file. An absent directive means that the layout is unknown.

use crate::array::ByteOrder;
use crate::ndl::{Content, Extensions, Value};

/// Storage directives of one array, dimension coordinate or attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Storage {
    /// Number of stored elements along each dimension; only for arrays.
    pub shape: Option<Vec<u64>>,
    /// Number of stored elements; only for dimension coordinates.
    pub size: Option<u64>,
    /// Shape of a chunk, in elements.
    pub chunk: Option<Vec<u64>>,
    /// Filters that process the bytes on writing, in this order.
    pub filter: Option<Vec<Filter>>,
    /// Byte order of numbers.
    pub endian: Option<ByteOrder>,
    /// Character encoding of text, as free text; for example `ascii`, `utf-8`, `ucs4`.
    pub charset: Option<String>,
    /// Fill value: a single element that stands for all elements that were not written.
    pub fillvalue: Option<Value>,
    /// Values of the `x-` keys.
    pub extensions: Extensions,
}

impl Storage {
    /// Returns true if there are no directives and no extensions.
    pub fn is_empty(&self) -> bool {
        *self == Storage::default()
    }
}

/// One filter, such as a compression.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The name as written in the description.
    pub name: String,
    /// The parameters, if the filter is written as a mapping from its name to them; they may be null.
    pub parameters: Option<Content>,
}

impl Filter {
    /// Returns the canonical lower-case name of a known filter (`deflate` for `gzip` and `zlib`), or `None` for other
    /// filters.
    pub(crate) fn known_name(&self) -> Option<&'static str> {
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
