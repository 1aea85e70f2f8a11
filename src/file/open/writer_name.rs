//! The root of new trees, and the name of this library in trees that it writes.

use crate::error::Result;
use crate::tags::{self, StandardVersion, standard_tag};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Style, Tree};

/// Sets the tag of the root of a new tree, and writes the name of this library.
pub(crate) fn begin_tree(tree: &mut Tree, standard: StandardVersion) {
    let root = tree.root();
    tree.set_tag(root, standard_tag(tags::ASDF, standard).ok().as_deref());
    let library = tree.append_pair(root, "asdf_library", Content::Mapping(Style::Flow));
    name_library_at(tree, library, standard);
}

/// Writes the name of this library as the writer into a changed tree, unless it is there already. A root that is a list or
/// a scalar has no place for it.
pub(crate) fn name_library(tree: &mut Tree, standard: StandardVersion) -> Result<()> {
    if tree.kind(tree.root()) != Kind::Mapping && !tree.is_list_of_pairs(tree.root()) {
        return Ok(());
    }
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
    tree.set_tag(library, standard_tag(tags::SOFTWARE, standard).ok().as_deref());
    for (key, value) in LIBRARY {
        append_string(tree, library, key, value);
    }
}

fn append_string(tree: &mut Tree, mapping: NodeId, key: &str, value: &str) {
    tree.append_pair(mapping, key, Content::Scalar(value, Style::Automatic));
}
