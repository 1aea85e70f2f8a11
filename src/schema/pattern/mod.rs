//! Regular expressions as Python's `re.search` reads and finds them.
//!
//! Schemas are written for Python, and differ from what crates accept in look behind, references to groups, the meaning
//! of `$`, `\d` and `\w`, and in which texts are errors. Only whether a text matches is asked for, so an engine of the
//! needed size is a tenth of the code that a crate with its tables adds. The work of a search is bounded: without
//! references to groups, each step is tried once at each position.

mod class;
mod program;
mod search;
mod syntax;
#[cfg(test)]
mod tests;

use program::Program;

/// Maximum number of bytes of a pattern.
const MAX_BYTES: usize = 1 << 16;

/// A compiled regular expression.
#[derive(Debug)]
pub(super) struct Pattern {
    program: Program,
}

/// Why a search has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooCostly;

impl Pattern {
    /// Compiles an expression. Fails with a message in words.
    pub(super) fn new(text: &str) -> Result<Pattern, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("the pattern has more than {MAX_BYTES} bytes"));
        }
        Ok(Pattern { program: Program::of(syntax::parse(text)?)? })
    }

    /// Returns whether the expression is found anywhere in the text.
    pub(super) fn is_in(&self, text: &str) -> Result<bool, TooCostly> {
        search::search(&self.program, text).map_err(|search::TooCostly| TooCostly)
    }
}
