//! JSON Pointers (RFC 6901); the leading `/` is optional.

use crate::error::{Error, Result, Status};
use std::borrow::Cow;

/// Splits a path into unescaped tokens. The empty path has none.
pub(crate) fn tokens(path: &str) -> Result<Vec<Cow<'_, str>>> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    path.strip_prefix('/').unwrap_or(path).split('/').map(|token| unescape(path, token)).collect()
}

fn unescape<'a>(path: &str, token: &'a str) -> Result<Cow<'a, str>> {
    if !token.contains('~') {
        return Ok(Cow::Borrowed(token));
    }
    let mut out = String::with_capacity(token.len());
    let mut rest = token.chars();
    while let Some(character) = rest.next() {
        if character != '~' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('0') => out.push('~'),
            Some('1') => out.push('/'),
            _ => {
                let message = format!("'~' must be followed by 0 or 1 in the path '{path}'");
                return Err(Error::new(Status::Path, message));
            }
        }
    }
    Ok(Cow::Owned(out))
}

/// Escapes `~` and `/` in a token of a path.
pub(crate) fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// Returns the index of a sequence item that a token stands for: decimal digits without leading zeros.
pub(crate) fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || (token.bytes().all(|byte| byte.is_ascii_digit()) && !token.starts_with('0'));
    if canonical { token.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_follow_the_rfc() {
        let tokens = |path| tokens(path).unwrap();
        assert!(tokens("").is_empty());
        assert_eq!(tokens("/"), [""]);
        assert_eq!(tokens("/a~1b/m~0n"), ["a/b", "m~n"]);
        assert_eq!(tokens("/~01"), ["~1"]);
        assert_eq!(tokens("meta/exposure"), tokens("/meta/exposure"));
        assert_eq!(tokens("a//b"), ["a", "", "b"]);
    }

    #[test]
    fn stray_tildes_are_errors() {
        for path in ["~", "a/~", "a~2b"] {
            assert_eq!(super::tokens(path).unwrap_err().status(), Status::Path);
        }
    }

    #[test]
    fn indices_are_canonical() {
        assert_eq!(index("0"), Some(0));
        assert_eq!(index("17"), Some(17));
        for token in ["", "01", "-1", "+1", "1.0", "99999999999999999999999"] {
            assert_eq!(index(token), None, "{token}");
        }
    }
}
