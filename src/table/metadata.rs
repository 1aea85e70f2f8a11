//! Metadata that the header of an ECSV table can hold: any YAML, except cycles and tags of other programs.

use crate::error::{Error, Result, Status};
use crate::tags;
use crate::tree::{NodeId, Tree};
use std::collections::HashSet;

/// Fails with [`Status::Tree`] if a node or a part of it cannot be in the header of an ECSV table. The path of the error
/// is that of the first such part.
///
/// Tags must be local or those of YAML, as other readers would refuse the whole table. An array of an ASDF file has
/// another tag, and its elements would not be in the header.
pub(crate) fn check(tree: &Tree, top: NodeId) -> Result<()> {
    let top = tree.dealias(top);
    check_tag(tree, top)?;
    let mut around = HashSet::from([top]);
    let mut finished = HashSet::new();
    let mut stack = vec![(top, 0)];
    while let Some((node, next)) = stack.last_mut() {
        let Some(&place) = tree.items(*node).get(*next) else {
            around.remove(node);
            finished.insert(*node);
            stack.pop();
            continue;
        };
        *next += 1;
        let child = tree.dealias(place);
        if around.contains(&child) {
            let message = "metadata in ECSV cannot be cyclic: an alias refers to a node that contains it";
            return Err(Error::new(Status::Tree, message).at_path(tree.path(place)));
        }
        if !finished.contains(&child) {
            check_tag(tree, child)?;
            if tree.item_count(child) > 0 {
                around.insert(child);
                stack.push((child, 0));
            }
        }
    }
    Ok(())
}

fn check_tag(tree: &Tree, node: NodeId) -> Result<()> {
    let is_foreign = |tag: &&str| !tag.starts_with('!') && !tag.starts_with(tags::YAML);
    let Some(tag) = tree.tag(node).filter(is_foreign) else { return Ok(()) };
    let message = format!("metadata in ECSV cannot have the tag '{tag}': only local tags and tags of YAML are allowed");
    Err(Error::new(Status::Tree, message).at_path(tree.path(node)))
}

#[cfg(test)]
mod tests {
    use crate::error::Status;
    use crate::file::{File, NewOptions, OpenOptions};
    use crate::table::Table;
    use std::sync::Arc;

    #[test]
    fn what_ecsv_cannot_hold_is_refused_with_its_path() {
        let root = File::new(&NewOptions::default()).root().unwrap();
        root.set_string("plain/list/-", "text").unwrap();
        root.set_array("array/deep/data", &[1_u8, 2], [2]).unwrap();
        root.set_string("tagged/list/-", "m").unwrap();
        root.set_tag("tagged/list/0", Some("tag:stsci.edu:asdf/unit/unit-1.0.0")).unwrap();
        let mut table = Table::of_rows(0);
        table.set_meta(Some(&root.at("plain").unwrap())).unwrap();
        for (meta, path) in [("array", "/array/deep/data"), ("tagged", "/tagged/list/0"), ("", "")] {
            let error = table.set_meta(Some(&root.at(meta).unwrap())).unwrap_err();
            assert_eq!(error.status(), Status::Tree, "{meta}");
            assert!(path.is_empty() || error.location().path.as_deref() == Some(path), "{error}");
        }
        assert_eq!(table.header().meta.as_ref().unwrap().string("list/0").unwrap(), "text");
        assert_eq!(table.set_column_meta("a", Some(&root)).unwrap_err().status(), Status::NotFound);
    }

    #[test]
    fn cycles_are_refused() {
        let text = "#ASDF 1.0.0\n%YAML 1.1\n---\na: &x {b: [1, *x]}\nc: &y [1]\nd: [*y, *y]\n...\n";
        let root = File::open_memory(Arc::new(text.as_bytes()), &OpenOptions::default()).unwrap().root().unwrap();
        let mut table = Table::of_rows(0);
        let error = table.set_meta(Some(&root.at("a").unwrap())).unwrap_err();
        assert_eq!((error.status(), error.location().path.as_deref()), (Status::Tree, Some("/a/b/1")));
        table.set_meta(Some(&root.at("d").unwrap())).unwrap();
    }
}
