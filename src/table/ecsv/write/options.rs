//! How a table is to be written.

use crate::error::{Error, Result, Status};
use crate::table::Delimiter;
use std::path::Path;

/// How the whole text is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextCompression {
    /// As the name of the file ends: with gzip for `.gz`, with bzip2 for `.bz2`, else not at all.
    #[default]
    BySuffix,
    /// Not at all, whatever the name.
    None,
    /// One gzip member.
    Gzip,
    /// One bzip2 stream.
    Bzip2,
}

impl TextCompression {
    /// The compression of a file with this name, which is then not [`TextCompression::BySuffix`].
    ///
    /// Fails with [`Status::Unsupported`] for the suffixes of other compressions: text under such a name would mislead.
    pub(super) fn of_name(self, path: &Path) -> Result<TextCompression> {
        if self != TextCompression::BySuffix {
            return Ok(self);
        }
        let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
        match suffix.as_deref() {
            Some("gz") => Ok(TextCompression::Gzip),
            Some("bz2") => Ok(TextCompression::Bzip2),
            Some(suffix @ ("xz" | "zst" | "lz4" | "zip" | "z")) => {
                let message = format!("tables are not written with the compression that '.{suffix}' stands for");
                Err(Error::new(Status::Unsupported, message))
            }
            _ => Ok(TextCompression::None),
        }
    }
}

/// What becomes of empty strings that are not missing. An empty field always means a missing cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyStrings {
    /// Columns of strings in which the first rows that are written have an empty one are marked in the metadata as
    /// astropy marks masked columns, and which of their cells are missing stands in a column of truth values beside each.
    /// An empty string in another column, which can only come with later rows, is an error.
    #[default]
    MarkColumns,
    /// All columns of strings are marked so.
    MarkAllColumns,
    /// They are written as missing ones.
    Missing,
    /// They are an error.
    Refuse,
}

/// How numbers that JSON cannot express are written where they are elements of an array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonNumbers {
    /// As `NaN`, `Infinity` and `-Infinity`, which is not JSON, but read by Python and by this library.
    #[default]
    Names,
    /// As `null`, which makes them missing elements.
    Null,
}

/// How to write a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WriteOptions {
    /// What separates the fields; without it what the header of the table says.
    pub delimiter: Option<Delimiter>,
    /// How the text is compressed.
    pub compression: TextCompression,
    /// What becomes of empty strings.
    pub empty_strings: EmptyStrings,
    /// How infinite numbers and NaN are written in arrays.
    pub json_numbers: JsonNumbers,
    /// Replace a file that has the name already; otherwise such a file is [`Status::FileExists`].
    pub replace: bool,
    /// Wait until the data and the new name are on the disk, so that a power cut leaves the old file or the new.
    pub durable: bool,
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_compression() {
        let of = |name: &str| TextCompression::BySuffix.of_name(Path::new(name));
        assert_eq!(of("a.ecsv.gz").unwrap(), TextCompression::Gzip);
        assert_eq!(of("a.ecsv.BZ2").unwrap(), TextCompression::Bzip2);
        assert_eq!(of("a.gz.ecsv").unwrap(), TextCompression::None);
        assert_eq!(of("a.ecsv.xz").unwrap_err().status(), Status::Unsupported);
        assert_eq!(TextCompression::None.of_name(Path::new("a.xz")).unwrap(), TextCompression::None);
    }
}
