//! Names of the files of external arrays. These files are in the directory of the main file.

use crate::error::{Error, Result, Status};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Placeholder for the name of the main file without its last extension.
const NAME: &str = "{name}";
/// Placeholder for a number of at least four digits, from 0000 on.
const NUMBER: &str = "{number}";

/// A pattern for file names, such as `{name}{number}.asdf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalNames {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Name,
    Number,
}

impl Default for ExternalNames {
    /// Returns the pattern of Python's asdf library: `{name}{number}.asdf`.
    fn default() -> ExternalNames {
        ExternalNames { parts: vec![Part::Name, Part::Number, Part::Text(".asdf".to_owned())] }
    }
}

impl ExternalNames {
    /// Parses a pattern. Fails with [`Status::InvalidArgument`] if it lacks `{number}`, contains another word in
    /// braces, or yields a name that is not a plain file name.
    pub fn new(pattern: &str) -> Result<ExternalNames> {
        let invalid = |what: &str| {
            let message = format!("the pattern '{}' for file names {what}", pattern.escape_debug());
            Error::new(Status::InvalidArgument, message)
        };
        let mut parts = Vec::new();
        let mut rest = pattern;
        while !rest.is_empty() {
            let (part, length) = if rest.starts_with(NAME) {
                (Part::Name, NAME.len())
            } else if rest.starts_with(NUMBER) {
                (Part::Number, NUMBER.len())
            } else {
                let length = rest.find('{').unwrap_or(rest.len());
                if length == 0 {
                    return Err(invalid("contains a brace that does not begin {name} or {number}"));
                }
                (Part::Text(rest[..length].to_owned()), length)
            };
            parts.push(part);
            rest = &rest[length..];
        }
        if !parts.contains(&Part::Number) {
            return Err(invalid("does not contain {number}"));
        }
        let names = ExternalNames { parts };
        ExternalNames::check(&names.name(Path::new("x"), 0))?;
        Ok(names)
    }

    /// Returns the name with this number for a main file at `main`.
    pub(crate) fn name(&self, main: &Path, number: u64) -> OsString {
        let mut name = OsString::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => name.push(text),
                Part::Name => name.push(main.file_stem().unwrap_or_default()),
                Part::Number => name.push(format!("{number:04}")),
            }
        }
        name
    }

    /// Fails with [`Status::InvalidArgument`] unless `name` is a plain file name, without a directory.
    pub fn check(name: &OsStr) -> Result<()> {
        let bytes = name.as_encoded_bytes();
        let separators: &[u8] = if cfg!(windows) { b"/\\:\0" } else { b"/\0" };
        if matches!(bytes, b"" | b"." | b"..") || bytes.iter().any(|byte| separators.contains(byte)) {
            let message = format!(
                "'{}' is not a plain file name; the file is stored in the directory of the main file",
                name.to_string_lossy()
            );
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_pattern() {
        let name =
            |pattern: &str, number| ExternalNames::new(pattern).unwrap().name(Path::new("a/my.file.asdf"), number);
        assert_eq!(name("{name}{number}.asdf", 7), "my.file0007.asdf");
        assert_eq!(ExternalNames::new("{name}{number}.asdf").unwrap(), ExternalNames::default());
        assert_eq!(name("block-{number}", 12_345), "block-12345");
        for pattern in ["", "{name}.asdf", "{number}{x}", "{number}{", "a/{number}", "../{number}", "{number}\0"] {
            assert_eq!(ExternalNames::new(pattern).unwrap_err().status(), Status::InvalidArgument, "{pattern}");
        }
        for bad in ["", ".", "..", "a/b", "/"] {
            assert!(ExternalNames::check(OsStr::new(bad)).is_err(), "{bad}");
        }
        ExternalNames::check(OsStr::new("a b#%.asdf")).unwrap();
    }
}
