//! URLs of files, and the properties by which a changed file is noticed.

use crate::error::{Error, Result, Status};
use crate::file::File;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// A file that references point to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReferencedFile {
    /// URL of the file.
    pub url: Arc<str>,
    /// Size of the file in bytes; `None` if it is not known.
    pub size: Option<u64>,
    /// Time of the last change, in nanoseconds since 1970; `None` if it is not known.
    pub modified: Option<i64>,
}

impl ReferencedFile {
    /// Returns the description of an open file. `base` is its URL, or, with `/` at its end, the URL of its folder, or
    /// empty. `among_many` tells that other files have the same base.
    ///
    /// Fails with [`Status::Unsupported`] for a file without a name if its name is needed, and with
    /// [`Status::InvalidArgument`] if several files would have one URL.
    pub(super) fn of(file: &File, base: &str, among_many: bool) -> Result<ReferencedFile> {
        let unnamed = || {
            let message = "the file was opened without a name; set the URL that references need (ASDF_OPTION_URL)";
            Error::new(Status::Unsupported, message)
        };
        let url = match (file.name(), base) {
            (Some(name), "") if is_url(name) => name.to_owned(),
            (Some(name), "") => url_of_path(Path::new(name))?,
            (None, "") => return Err(unnamed()),
            (name, folder) if folder.ends_with('/') => {
                let name = name.ok_or_else(unnamed)?;
                let name = name.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(name);
                if folder.starts_with("file:") {
                    format!("{folder}{name}")
                } else {
                    format!("{folder}{}", escaped(name))
                }
            }
            (_, _) if among_many => {
                let message = "the URL of several files must be that of their folder, with '/' at its end";
                return Err(Error::new(Status::InvalidArgument, message));
            }
            (_, url) => url.to_owned(),
        };
        let found = file.name().filter(|name| !is_url(name)).and_then(|name| std::fs::metadata(name).ok());
        let modified = found.as_ref().and_then(|found| found.modified().ok()).and_then(|time| {
            time.duration_since(UNIX_EPOCH).ok().and_then(|elapsed| i64::try_from(elapsed.as_nanos()).ok())
        });
        Ok(ReferencedFile { url: Arc::from(url), size: found.map(|found| found.len()), modified })
    }
}

/// Returns true for names such as `https://server/file`.
fn is_url(name: &str) -> bool {
    name.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Returns the URL of a local file. Characters are not escaped, because fsspec takes them as they are.
fn url_of_path(path: &Path) -> Result<String> {
    let path = std::path::absolute(path).map_err(|error| Error::io("cannot find the folder of the file", &error))?;
    let text = path
        .to_str()
        .ok_or_else(|| Error::new(Status::Path, format!("the name of the file is not UTF-8: '{}'", path.display())))?;
    let text = if cfg!(windows) { format!("/{}", text.replace('\\', "/")) } else { text.to_owned() };
    Ok(format!("file://{text}"))
}

/// Returns a name with the characters escaped that URLs do not have.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_whole() {
        assert!(is_url("https://a/b.asdf") && is_url("s3://a/b") && !is_url("/a/b") && !is_url("a b://c"));
        assert_eq!(escaped("a b+é.asdf"), "a%20b%2B%C3%A9.asdf");
        if cfg!(unix) {
            assert_eq!(url_of_path(Path::new("/a b/c.asdf")).unwrap(), "file:///a b/c.asdf");
        }
    }
}
