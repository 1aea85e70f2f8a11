//! Checks a description that was built, not parsed.

use crate::error::Result;
use crate::ndl::read::parse_detached;
use crate::ndl::{Description, Parsed, ReadOptions};

impl Description {
    /// Checks the description by the rules of [`parse`](crate::ndl::parse). Returns it with resolved references to
    /// dimension coordinates and with implied groups. The diagnostics have places, but no lines and columns. Only
    /// values with references are converted to text for this.
    ///
    /// Fails as [`Description::to_text`] does. But missing shapes, sizes, datatypes and values of attributes are
    /// reported as diagnostics.
    pub fn check(&self, options: &ReadOptions) -> Result<Parsed> {
        let (text, detached) = self.to_text_detached()?;
        let mut parsed = parse_detached(text, &detached, options);
        for diagnostic in &mut parsed.diagnostics {
            (diagnostic.line, diagnostic.column) = (0, 0);
        }
        Ok(parsed)
    }
}
