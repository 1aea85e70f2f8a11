//! What is wrong with a description that was made, and not read.

use crate::error::Result;
use crate::ndl::read::parse_apart;
use crate::ndl::{Description, Parsed, ReadOptions};

impl Description {
    /// What [`parse`](crate::ndl::parse) would tell of the description if it were read from a text, by the same rules:
    /// the description with all that follows from the whole (which dimension coordinates are meant, which groups
    /// exist), and the diagnostics, which have places but no lines and columns. Values are not made into text for this,
    /// unless they are references.
    ///
    /// Fails as [`Description::to_text`] does, but that what is missing is among the diagnostics: shapes, sizes,
    /// datatypes and values of attributes.
    pub fn check(&self, options: &ReadOptions) -> Result<Parsed> {
        let (text, apart) = self.to_text_apart()?;
        let mut parsed = parse_apart(text, &apart, options);
        for diagnostic in &mut parsed.diagnostics {
            (diagnostic.line, diagnostic.column) = (0, 0);
        }
        Ok(parsed)
    }
}
