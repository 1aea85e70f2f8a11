//! References into the same file.

use super::mask;
use crate::error::Result;
use crate::file::Node;
use crate::ndl::model::path_name::is_group_path;

/// Returns the JSON Pointer of a reference into the same file; `None` for other references.
fn path_of_reference(uri: &str) -> Option<String> {
    let fragment = uri.strip_prefix('#')?;
    let path = crate::tree::percent_decode(fragment).ok()?;
    if path.is_empty() { Some("/".to_owned()) } else { path.starts_with('/').then(|| path.into_owned()) }
}

/// Returns the path name of the target of a reference into the same file; `None` for other references, and for places
/// that have no path name, such as those below an empty key.
pub(in crate::ndl::asdf) fn target(root: &Node, uri: &str) -> Result<Option<String>> {
    let path = path_of_reference(uri).map(|pointer| mask::path_of_pointer(root, pointer)).transpose()?;
    Ok(path.filter(|path| is_group_path(path)))
}
