//! References of a tree that lead nowhere.

use super::Inspection;
use crate::error::{Error, Result};
use crate::file::File;
use crate::file::open::named_blocks::for_each_node;
use crate::progress;
use crate::tree::NodeId;

impl File {
    /// Follows every reference of the tree. A message names the target.
    pub(super) fn inspect_references(&self, found: &mut Inspection) -> Result<()> {
        let mut references: Vec<NodeId> = Vec::new();
        let tree = self.tree()?;
        for_each_node(&tree, |id| match tree.reference(id) {
            Ok(None) => {}
            _ => references.push(id),
        });
        // In the order of the document.
        references.sort();
        for id in references {
            progress::check()?;
            let node = self.node(id);
            if let Err(error) = node.resolved() {
                let uri = node.reference("").ok().flatten().unwrap_or_default();
                let named =
                    if error.message().contains(&uri) { String::new() } else { format!("the reference {uri}: ") };
                found.add(node.locate(Error::new(error.status(), format!("{named}{}", error.message()))))?;
            }
        }
        Ok(())
    }
}
