//! Paths of nodes, in the one notation of all sub-commands: JSON Pointers (RFC 6901) whose leading `/` may be left out.
//! `/` alone is the whole tree, as the empty path is.

use std::convert::Infallible;
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

/// Path of a node from the root, as a JSON Pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreePath(String);

impl TreePath {
    /// Returns whether the path is that of the whole tree.
    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a path for messages.
    pub(crate) fn shown_of(path: &str) -> &str {
        if path.is_empty() { "/" } else { path }
    }

    /// Returns the path for messages.
    pub(crate) fn shown(&self) -> &str {
        TreePath::shown_of(&self.0)
    }
}

impl FromStr for TreePath {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<TreePath, Infallible> {
        Ok(TreePath(match text {
            "" | "/" => String::new(),
            text if text.starts_with('/') => text.to_owned(),
            text => format!("/{text}"),
        }))
    }
}

impl Deref for TreePath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leading_slash_may_be_left_out() {
        for (text, path) in [("", ""), ("/", ""), ("a/b", "/a/b"), ("/a/b", "/a/b"), ("a~1b", "/a~1b"), ("//", "//")] {
            let Ok(found) = text.parse::<TreePath>();
            assert_eq!(&*found, path);
            assert_eq!(found.is_root(), path.is_empty());
        }
    }
}
