//! URIs in files (RFC 3986): resolution against the URI of the referring file, and comparison.
//!
//! Fragments are not part of a [`Uri`]. Blanks and non-ASCII characters are not allowed in URIs, but occur in files.
//! They are treated as if they were escaped.

use crate::error::{Error, Result, Status};
use crate::remote::is_remote_scheme;
use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, Prefix};
use std::sync::Arc;

/// An absolute or relative URI without fragment, with normalised escapes and without dot segments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Uri {
    scheme: Option<String>,
    authority: Option<String>,
    path: String,
    query: Option<String>,
}

impl Uri {
    /// Returns the `file:` URI of an absolute path.
    pub(super) fn of_path(path: &Path) -> Uri {
        let mut out = String::with_capacity(path.as_os_str().len());
        for segment in path_segments(path) {
            out.push('/');
            escape(&mut out, &segment);
        }
        Uri { scheme: Some("file".to_owned()), authority: Some(String::new()), path: out, query: None }
    }

    fn parse(text: &str) -> Result<Uri> {
        let text = text.split_once('#').map_or(text, |(before, _)| before);
        let (text, query) = match text.split_once('?') {
            Some((before, query)) => (before, Some(normalised(query)?)),
            None => (text, None),
        };
        let (scheme, text) = match text.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme.to_ascii_lowercase()), rest),
            _ => (None, text),
        };
        let (authority, path) = match text.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (Some(authority.to_ascii_lowercase()), path)
            }
            None => (None, text),
        };
        Ok(Uri { scheme, authority, path: normalised(path)?, query })
    }

    /// Resolves `reference` in a file with the URI `base` (RFC 3986, section 5.2). `base` is `None` if the file has no
    /// URI.
    pub(crate) fn resolve(base: Option<&Uri>, reference: &str) -> Result<Uri> {
        let mut uri = Uri::parse(reference)?;
        if let (Some(base), None) = (base, &uri.scheme) {
            uri.scheme.clone_from(&base.scheme);
            if uri.authority.is_none() {
                uri.authority.clone_from(&base.authority);
                if uri.path.is_empty() {
                    uri.path.clone_from(&base.path);
                    uri.query = uri.query.or_else(|| base.query.clone());
                } else if !uri.path.starts_with('/') {
                    let folder = base.path.rfind('/').map_or("", |slash| &base.path[..=slash]);
                    uri.path.insert_str(0, folder);
                }
            }
        }
        uri.path = without_dots(&uri.path);
        if uri.scheme() == Some("file") {
            uri.spell_as_path();
        }
        Ok(uri)
    }

    /// Spells a `file:` URI in the way of [`Uri::of_path`]. For files it makes no difference which characters are
    /// escaped.
    fn spell_as_path(&mut self) {
        if matches!(self.authority.as_deref(), None | Some("localhost")) {
            self.authority = Some(String::new());
        }
        let mut path = String::new();
        for (index, segment) in self.path.split('/').enumerate() {
            if index > 0 {
                path.push('/');
            }
            match decoded(segment) {
                Ok(name) => escape(&mut path, &name),
                Err(_) => path.push_str(segment),
            }
        }
        self.path = path;
    }

    /// Returns the scheme in lower case; `None` for a relative URI.
    pub(super) fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    /// Returns the directory of a file on a server, as a URI that ends with `/`; `None` for other URIs.
    pub(super) fn folder_on_server(&self) -> Option<Uri> {
        let is_remote = self.scheme().is_some_and(is_remote_scheme) && self.authority.as_ref()?.contains(|_| true);
        let folder = self.path.rfind('/').map_or("/", |slash| &self.path[..=slash]);
        is_remote.then(|| Uri { path: folder.to_owned(), query: None, ..self.clone() })
    }

    /// Returns whether a file is in or below a directory of the same server. Escaped separators could lead elsewhere.
    pub(super) fn is_below(&self, folder: &Uri) -> bool {
        let escaped = ["%2F", "%5C", "%00"];
        (&self.scheme, &self.authority) == (&folder.scheme, &folder.authority)
            && self.path.strip_prefix(folder.path.as_str()).is_some_and(|below| {
                !below.is_empty() && !escaped.iter().any(|separator| below.contains(separator)) && !below.contains('\\')
            })
    }

    /// Returns whether the URI has no scheme.
    pub(crate) fn is_relative(&self) -> bool {
        self.scheme.is_none()
    }

    /// Returns the last segment of the path, unescaped.
    pub(crate) fn file_name(&self) -> Option<Arc<str>> {
        let name = self.path.rsplit('/').next().filter(|name| !name.is_empty())?;
        String::from_utf8(decoded(name).ok()?).ok().map(Arc::from)
    }

    /// Returns the segments of the path of a local `file:` URI, unescaped, from the root on.
    pub(super) fn file_segments(&self) -> Result<Vec<Vec<u8>>> {
        let bad = |what: &str| Err(Error::new(Status::Path, format!("'{self}' {what}")));
        if self.authority.as_deref() != Some("") {
            return bad("names a file on another machine");
        }
        if self.query.is_some() {
            return bad("has a query, which files do not have; write '?' in a file name as %3F");
        }
        let mut segments = Vec::new();
        for segment in self.path.split('/').filter(|segment| !segment.is_empty()) {
            let segment = decoded(segment)?;
            let separators: &[u8] = if cfg!(windows) { b"/\\\0" } else { b"/\0" };
            if segment.iter().any(|byte| separators.contains(byte)) {
                return bad("has a character that cannot be part of a file name");
            }
            segments.push(segment);
        }
        Ok(segments)
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(authority) = &self.authority {
            write!(f, "//{authority}")?;
        }
        f.write_str(&self.path)?;
        match &self.query {
            Some(query) => write!(f, "?{query}"),
            None => Ok(()),
        }
    }
}

/// Returns the relative URI of a file in the same directory.
pub(crate) fn reference_to(name: &std::ffi::OsStr) -> String {
    let mut out = String::new();
    escape(&mut out, name.as_encoded_bytes());
    // Text before a colon would be taken as a scheme.
    out.replace(':', "%3A")
}

/// Returns the URI, without a scheme, of a file or folder at a path with `/`, as zarr and fsspec write it.
pub(crate) fn reference_to_path(path: &str) -> String {
    let segments = path.split('/').map(|segment| reference_to(segment.as_ref()));
    segments.collect::<Vec<_>>().join("/")
}

/// Returns the components of an absolute path, from the root on.
pub(super) fn path_segments(path: &Path) -> impl Iterator<Item = Cow<'_, [u8]>> {
    path.components().filter_map(|part| match part {
        Component::Prefix(prefix) => Some(match prefix.kind() {
            Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => Cow::Owned(vec![letter.to_ascii_uppercase(), b':']),
            _ => Cow::Borrowed(prefix.as_os_str().as_encoded_bytes()),
        }),
        Component::Normal(name) => Some(Cow::Borrowed(name.as_encoded_bytes())),
        Component::RootDir | Component::CurDir | Component::ParentDir => None,
    })
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Reserved characters that may be part of a path segment without an escape.
const UNESCAPED: &[u8] = b"!$&'()*+,;=:@";

fn push_escaped(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Appends a name to a path. Escapes all characters that have a meaning in a path.
fn escape(out: &mut String, name: &[u8]) {
    for &byte in name {
        if is_unreserved(byte) || UNESCAPED.contains(&byte) {
            out.push(char::from(byte));
        } else {
            push_escaped(out, byte);
        }
    }
}

/// Returns the bytes of a text, unescaped. The flag of each byte is true if the byte was escaped.
fn bytes_of(text: &str) -> impl Iterator<Item = Result<(u8, bool)>> {
    let mut bytes = text.bytes();
    std::iter::from_fn(move || {
        let byte = bytes.next()?;
        if byte != b'%' {
            return Some(Ok((byte, false)));
        }
        let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16));
        let escaped = digit().zip(digit()).map(|(high, low)| ((high * 16 + low) as u8, true));
        Some(escaped.ok_or_else(|| Error::new(Status::Path, format!("malformed percent escape in '{text}'"))))
    })
}

/// Normalises escapes: adds the necessary ones, and removes those that have no effect.
fn normalised(text: &str) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    for byte in bytes_of(text) {
        let (byte, escaped) = byte?;
        if is_unreserved(byte) || (!escaped && (UNESCAPED.contains(&byte) || b"/?".contains(&byte))) {
            out.push(char::from(byte));
        } else {
            push_escaped(&mut out, byte);
        }
    }
    Ok(out)
}

fn decoded(text: &str) -> Result<Vec<u8>> {
    bytes_of(text).map(|byte| byte.map(|(byte, _)| byte)).collect()
}

/// Removes `.` and `..` from a path (RFC 3986, section 5.2.4). A `..` above the root is dropped, a `..` at the start of
/// a relative path is kept.
fn without_dots(path: &str) -> String {
    let (root, path) = path.strip_prefix('/').map_or(("", path), |path| ("/", path));
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|&last| last != "..") => drop(kept.pop()),
            ".." if !root.is_empty() => {}
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if segments.peek().is_none() {
            kept.push("");
        }
    }
    format!("{root}{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(base: &str, reference: &str) -> String {
        let base = Uri::resolve(None, base).unwrap();
        Uri::resolve(Some(&base), reference).unwrap().to_string()
    }

    #[test]
    fn examples_of_the_rfc_come_out() {
        // RFC 3986, section 5.4, without the fragments.
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/../h", "http://a/b/c/h"),
        ] {
            assert_eq!(resolved("http://a/b/c/d;p?q", reference), expected, "{reference}");
        }
    }

    #[test]
    fn equal_names_are_spelled_equally() {
        let base = "file:///data/run 1/é.asdf";
        assert_eq!(resolved(base, ""), "file:///data/run%201/%C3%A9.asdf");
        for reference in ["é.asdf", "%c3%A9.asdf#", "./x/../%C3%a9.%61sdf#/a", "../run%201/é.asdf", "x/%2e./é.asdf"]
        {
            assert_eq!(resolved(base, reference), resolved(base, ""), "{reference}");
        }
        let path = Uri::of_path(Path::new("/data/run 1/é.asdf"));
        assert_eq!(path.to_string(), resolved(base, ""));
        let path = Uri::of_path(Path::new("/a (1);b=%.asdf"));
        for reference in
            ["a (1);b=%25.asdf", "a%20%281%29%3bb%3D%25.asdf", "file:/a (1);b=%25.asdf", "//localhost/a (1);b=%25.asdf"]
        {
            assert_eq!(Uri::resolve(Some(&path), reference).unwrap(), path, "{reference}");
        }
        // For other schemes, an escape can make a difference.
        assert_eq!(resolved("http://a/b", "c%3bd"), "http://a/c%3Bd");
    }

    #[test]
    fn without_a_base_they_stay_relative() {
        let resolve = |text| Uri::resolve(None, text).unwrap();
        assert_eq!(resolve("a/./b.asdf").to_string(), "a/b.asdf");
        assert_eq!(resolve("../../b.asdf").to_string(), "../../b.asdf");
        assert_eq!(resolved("a/b.asdf", "c.asdf"), "a/c.asdf");
        assert_eq!(resolve("c.asdf").scheme(), None);
        assert_eq!(resolve("HTTP://Host/X").to_string(), "http://host/X");
    }

    #[test]
    fn only_names_come_out_of_a_path() {
        let segments = |text| Uri::resolve(None, text).unwrap().file_segments();
        assert_eq!(segments("file:///a%20b//c").unwrap(), [b"a b".to_vec(), b"c".to_vec()]);
        assert_eq!(segments("file://localhost/a").unwrap(), [b"a"]);
        assert_eq!(segments("file:/%FF").unwrap(), [[0xFF]]);
        for text in ["file:///a/..%2Fb", "file:///a%00", "file://host/a", "file:///a?b", "file:////../x/%2f"] {
            assert_eq!(segments(text).unwrap_err().status(), Status::Path, "{text}");
        }
        for text in ["%", "a%2", "a%zz"] {
            assert_eq!(Uri::resolve(None, text).unwrap_err().status(), Status::Path);
        }
    }
}
