//! Which versions of the core tags belong to a version of the standard.

use crate::error::{Error, Result, Status};
use crate::layout::StandardVersion;
use crate::tree::Tree;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style};

/// What the tags of the standard begin with.
pub(super) const PREFIX: &str = "tag:stsci.edu:asdf/";

/// The name of the tag without prefix and version, for a tag of the standard: `core/ndarray`.
pub(super) fn name_of(tag: &str) -> Option<&str> {
    let tag = tag.strip_prefix(PREFIX)?;
    Some(tag.rsplit_once('-').map_or(tag, |(name, _)| name))
}

/// The full tag `core/<name>` in the version that belongs to the standard.
pub(super) fn core_tag(name: &str, standard: StandardVersion) -> Result<String> {
    use StandardVersion::{V1_2_0, V1_3_0, V1_6_0, V1_7_0};
    let version = match name {
        "asdf" if standard >= V1_2_0 => "1.1.0",
        "integer" if standard < V1_3_0 => {
            let message = format!("core/integer is not part of standard {}", standard.as_str());
            return Err(Error::new(Status::Unsupported, message));
        }
        "ndarray" | "integer" if standard >= V1_7_0 => "1.2.0",
        "ndarray" | "integer" if standard >= V1_6_0 => "1.1.0",
        _ => "1.0.0",
    };
    Ok(format!("{PREFIX}core/{name}-{version}"))
}

/// Gives a new tree the tag of its root and the name of this library.
pub(super) fn begin_tree(tree: &mut Tree, standard: StandardVersion) {
    let root = tree.root();
    let tag = |name| core_tag(name, standard).ok();
    tree.set_tag(root, tag("asdf").as_deref());
    let library = tree.append_pair(root, "asdf_library", Content::Mapping(Style::Flow));
    name_library_at(tree, library, standard);
}

/// Says in a tree that is being changed that this library wrote it, unless it says so already.
pub(super) fn name_library(tree: &mut Tree, standard: StandardVersion) -> Result<()> {
    let place = tree.place(tree.root(), "asdf_library")?;
    let is_named = LIBRARY
        .iter()
        .all(|&(key, value)| tree.find_token(place, key).is_some_and(|found| tree.text(tree.dealias(found)) == value));
    if !is_named {
        tree.replace(place, Content::Mapping(Style::Flow));
        name_library_at(tree, place, standard);
    }
    Ok(())
}

const LIBRARY: [(&str, &str); 3] =
    [("name", env!("CARGO_PKG_NAME")), ("version", env!("CARGO_PKG_VERSION")), ("author", "The asdfkit developers")];

fn name_library_at(tree: &mut Tree, library: NodeId, standard: StandardVersion) {
    tree.set_tag(library, core_tag("software", standard).ok().as_deref());
    for (key, value) in LIBRARY {
        append_string(tree, library, key, value);
    }
}

fn append_string(tree: &mut Tree, mapping: NodeId, key: &str, value: &str) {
    tree.append_pair(mapping, key, Content::Scalar(value, Style::Automatic));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_follow_the_manifests() {
        let tag = |name, text| core_tag(name, StandardVersion::from_text(text).unwrap());
        assert_eq!(tag("asdf", "1.1.0").unwrap(), "tag:stsci.edu:asdf/core/asdf-1.0.0");
        assert_eq!(tag("asdf", "1.2.0").unwrap(), "tag:stsci.edu:asdf/core/asdf-1.1.0");
        assert_eq!(tag("ndarray", "1.5.0").unwrap(), "tag:stsci.edu:asdf/core/ndarray-1.0.0");
        assert_eq!(tag("ndarray", "1.6.0").unwrap(), "tag:stsci.edu:asdf/core/ndarray-1.1.0");
        assert_eq!(tag("integer", "1.2.0").unwrap_err().status(), Status::Unsupported);
        assert_eq!(name_of("tag:stsci.edu:asdf/core/ndarray-1.1.0"), Some("core/ndarray"));
        assert_eq!(name_of("tag:stsci.edu:asdf/core/ndarray"), Some("core/ndarray"));
        assert_eq!(name_of("!core/ndarray-1.1.0"), None);
    }
}
