//! Entries of astropy's `__serialized_columns__` in metadata that are written: columns of strings can be declared as
//! masked columns, so that they can hold empty strings.

use crate::error::Result;
use crate::table::serialized::{
    CLASS, MASKED_CLASS, append_reference, append_text, emptied_entry, entries, entries_or_new, is_masked, references,
};
use crate::tree::{NodeId, Tree};
use std::collections::HashSet;

/// Returns the names of the columns that are members of a logical column, except the data and masks of masked columns.
pub(super) fn member_names(tree: &Tree, meta: NodeId) -> HashSet<String> {
    let entries = entries(tree, meta);
    let is_of_masked = |reference: NodeId| {
        let entry = tree.parent(reference).filter(|&entry| entries.is_some() && tree.parent(entry) == entries);
        entry.is_some_and(|entry| is_masked(tree, entry))
    };
    references(tree).filter(|(reference, _)| !is_of_masked(*reference)).map(|(_, name)| name.to_owned()).collect()
}

/// Returns whether the entry of a column already refers to a mask. An empty field of the column is then an empty
/// string.
pub(super) fn has_mask(tree: &Tree, meta: NodeId, name: &str) -> bool {
    let entry = entries(tree, meta).and_then(|entries| tree.find_token(entries, name)).map(|entry| tree.dealias(entry));
    entry.is_some_and(|entry| is_masked(tree, entry) && tree.find_token(entry, "mask").is_some())
}

/// Declares a column as masked, so that its empty fields are empty strings. `mask` is the name of the mask, a column of
/// truth values, if cells are missing.
///
/// Fails with [`Status::InvalidArgument`] if the metadata are neither a mapping nor an ordered mapping, or if they have
/// something else under the key of the entries.
pub(super) fn declare_masked(tree: &mut Tree, meta: NodeId, name: &str, mask: Option<&str>) -> Result<()> {
    let entries = entries_or_new(tree, meta, "distinguish empty strings from missing cells")?;
    let entry = emptied_entry(tree, entries, name);
    append_text(tree, entry, CLASS, MASKED_CLASS);
    append_reference(tree, entry, "data", name);
    if let Some(mask) = mask {
        append_reference(tree, entry, "mask", mask);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use crate::limits::Limits;
    use crate::yaml::{self, EmitOptions};

    fn read(meta: &str) -> (Tree, NodeId) {
        let tree = yaml::parse(format!("meta: {meta}\n"), 0, 1, &Limits::default()).unwrap().tree;
        let meta = tree.lookup(tree.root(), "meta").unwrap();
        (tree, meta)
    }

    fn written(tree: &Tree) -> String {
        let mut out = String::new();
        yaml::emit_lines(tree, &mut out, &EmitOptions::default()).unwrap();
        out
    }

    #[test]
    fn columns_are_declared_masked() {
        for start in ["!!omap\n- k: 1", "{k: 1}"] {
            let (mut tree, meta) = read(start);
            declare_masked(&mut tree, meta, "a", None).unwrap();
            assert!(!has_mask(&tree, meta, "a"));
            declare_masked(&mut tree, meta, "b", Some("b.mask")).unwrap();
            declare_masked(&mut tree, meta, "a", Some("m")).unwrap();
            let out = written(&tree);
            let entry = "data: !astropy.table.SerializedColumn {name: a}";
            assert!(out.contains(entry) && out.contains("{name: m}") && out.contains("{name: b.mask}"), "{out}");
            assert!(member_names(&tree, meta).is_empty());
            assert_eq!(["a", "b", "c"].map(|name| has_mask(&tree, meta, name)), [true, true, false]);
        }
        for other in ["[1]", "{__serialized_columns__: 5}", "!!omap\n- __serialized_columns__: [a]"] {
            let (mut tree, meta) = read(other);
            assert_eq!(declare_masked(&mut tree, meta, "a", None).unwrap_err().status(), Status::InvalidArgument);
            assert_eq!(written(&tree), format!("meta: {other}\n"));
        }
    }
}
