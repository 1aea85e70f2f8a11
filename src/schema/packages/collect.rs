//! Texts of schemas and manifests that were found in packages, and limits on them.

use crate::error::{Error, Result};

/// Maximum number of bytes of one text, and of all texts.
pub(super) const MAX_TEXT: u64 = 16 << 20;
const MAX_BYTES: u64 = 512 << 20;
/// Maximum number of texts.
const MAX_TEXTS: usize = 1 << 17;

/// A text with the name of its file.
#[derive(Debug)]
pub(in crate::schema) struct Text {
    pub(in crate::schema) name: String,
    pub(in crate::schema) text: String,
}

/// Texts of packages, in the order in which they were found.
#[derive(Debug, Default)]
pub(in crate::schema) struct Texts {
    pub(in crate::schema) texts: Vec<Text>,
    bytes: u64,
}

impl Texts {
    /// Adds the content of a file. Content that is not text is no schema.
    pub(super) fn add(&mut self, name: String, bytes: Vec<u8>) -> Result<()> {
        let Ok(text) = String::from_utf8(bytes) else { return Ok(()) };
        self.bytes += text.len() as u64;
        if self.bytes > MAX_BYTES {
            return Err(Error::limit("the bytes of schemas", MAX_BYTES));
        }
        if self.texts.len() >= MAX_TEXTS {
            return Err(Error::limit("the number of schemas", MAX_TEXTS as u64));
        }
        self.texts.push(Text { name, text });
        Ok(())
    }
}

/// Returns whether a file of this name can hold a schema.
pub(super) fn is_schema_name(name: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|end| name.ends_with(end))
}

/// Returns whether a file of this name is an archive of a package.
pub(super) fn is_archive_name(name: &str) -> bool {
    name.ends_with(".whl") || name.ends_with(".zip")
}
