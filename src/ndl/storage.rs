//! Storage directives: how values are kept in a file. What is absent is unknown.

use super::directive::Directive;
use super::flow::{Dialect, Flow};
use super::{Content, Datatype, Extensions, Value, is_extension_key};
use crate::array::ByteOrder;
use crate::error::Result;

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

    /// The directive of this key in the notation of the language, on one line; nothing if it is not given. A fill value
    /// is of the datatype.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if no directive has the key, and with
    /// [`Status::Incomplete`](crate::Status::Incomplete) for a fill value without a datatype.
    pub fn directive(&self, key: &str, datatype: Option<&Datatype>) -> Result<Option<String>> {
        let directive = Directive::of_key(key)?;
        if !directive.is_in(self) {
            return Ok(None);
        }
        let mut flow = Flow::new(Dialect::Yaml);
        directive.write(&mut flow, self, datatype)?;
        Ok(Some(flow.into_text()))
    }

    /// Takes out the directive, or the extension, of this key; fails with
    /// [`Status::InvalidArgument`](crate::Status::InvalidArgument) if no directive has the key.
    pub fn remove(&mut self, key: &str) -> Result<()> {
        if is_extension_key(key) {
            self.extensions.remove(key);
        } else {
            Directive::of_key(key)?.remove_from(self);
        }
        Ok(())
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
