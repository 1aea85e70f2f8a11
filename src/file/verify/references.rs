//! References of a tree that lead nowhere.

use super::Inspection;
use crate::error::{Error, Result};
use crate::file::File;
use crate::file::open::named_blocks::for_each_node;
use crate::progress;
use crate::reserve;
use crate::tree::NodeId;

impl Inspection {
    /// Follows every reference of the tree, and adds those that lead nowhere. A message names the target.
    pub(super) fn add_references(&mut self, file: &File) -> Result<()> {
        let mut references: Vec<NodeId> = Vec::new();
        let tree = file.tree()?;
        for_each_node(&tree, |id| match tree.reference(id) {
            Ok(None) => Ok(()),
            _ => reserve::push(&mut references, id),
        })?;
        // In the order of the document.
        references.sort_unstable();
        for id in references {
            progress::check()?;
            let node = file.node(id);
            if let Err(error) = node.resolved() {
                let uri = node.reference("").ok().flatten().unwrap_or_default();
                let named =
                    if error.message().contains(&uri) { String::new() } else { format!("the reference {uri}: ") };
                self.add(node.locate(Error::new(error.status(), format!("{named}{}", error.message()))))?;
            }
        }
        Ok(())
    }
}
