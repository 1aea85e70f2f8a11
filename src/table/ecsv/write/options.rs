//! Options for writing a table.

use crate::error::{Error, Result, Status};
use crate::table::Delimiter;
use std::path::Path;

/// Compression of the whole text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextCompression {
    /// By the suffix of the file name: gzip for `.gz`, bzip2 for `.bz2`, otherwise none.
    #[default]
    BySuffix,
    /// No compression, whatever the name.
    None,
    /// One gzip member.
    Gzip,
    /// One bzip2 stream.
    Bzip2,
}

impl TextCompression {
    /// Returns the compression for a file name, which is never [`TextCompression::BySuffix`].
    ///
    /// Fails with [`Status::Unsupported`] for suffixes of other compressions, which plain text must not have.
    pub(super) fn of_name(self, path: &Path) -> Result<TextCompression> {
        if self != TextCompression::BySuffix {
            return Ok(self);
        }
        let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
        match suffix.as_deref() {
            Some("gz") => Ok(TextCompression::Gzip),
            Some("bz2") => Ok(TextCompression::Bzip2),
            Some(suffix @ ("xz" | "zst" | "lz4" | "zip" | "z")) => {
                let message = format!(
                    "tables cannot be written with the compression of '.{suffix}': use '.gz', '.bz2' or another suffix"
                );
                Err(Error::new(Status::Unsupported, message))
            }
            _ => Ok(TextCompression::None),
        }
    }
}

/// Treatment of empty strings that are not missing. An empty field alone always means a missing cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyStrings {
    /// Marks columns of strings in the metadata as astropy marks masked columns, if the first batch has an empty string
    /// in them, or if they were marked in the file that they were read from. A column of truth values after each marks its missing cells. An empty string in another column,
    /// possible only in later batches, is an error.
    #[default]
    MarkColumns,
    /// Marks all columns of strings.
    MarkAllColumns,
    /// Writes them as missing cells.
    Missing,
    /// Fails.
    Refuse,
}

/// Treatment of infinity and NaN in arrays, which JSON cannot express.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonNumbers {
    /// Writes `NaN`, `Infinity` and `-Infinity`. These are not JSON, but Python and this library read them.
    #[default]
    Names,
    /// Writes `null`, so that they are read as missing elements.
    Null,
}

/// Options for writing a table.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Delimiter between fields; `None` for that of the table's header.
    pub delimiter: Option<Delimiter>,
    /// Compression of the text.
    pub compression: TextCompression,
    /// Treatment of empty strings.
    pub empty_strings: EmptyStrings,
    /// Treatment of infinity and NaN in arrays.
    pub json_numbers: JsonNumbers,
    /// Replaces an existing file of this name. If false, such a file is [`Status::FileExists`].
    pub replace: bool,
    /// Waits until the data and the new name are on the disk, so that a power cut leaves either the old file or the
    /// new.
    pub durable: bool,
    /// Maximum number of threads that make the text of a file without compression. Other outputs are written on the
    /// calling thread.
    pub threads: usize,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            delimiter: None,
            compression: TextCompression::default(),
            empty_strings: EmptyStrings::default(),
            json_numbers: JsonNumbers::default(),
            replace: false,
            durable: true,
            threads: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_select_the_compression() {
        let of = |name: &str| TextCompression::BySuffix.of_name(Path::new(name));
        assert_eq!(of("a.ecsv.gz").unwrap(), TextCompression::Gzip);
        assert_eq!(of("a.ecsv.BZ2").unwrap(), TextCompression::Bzip2);
        assert_eq!(of("a.gz.ecsv").unwrap(), TextCompression::None);
        assert_eq!(of("a.ecsv.xz").unwrap_err().status(), Status::Unsupported);
        assert_eq!(TextCompression::None.of_name(Path::new("a.xz")).unwrap(), TextCompression::None);
    }
}
