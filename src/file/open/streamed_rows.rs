//! Arrays whose number of rows follows from their block, with bytes after the last whole row.

use super::named_blocks::{block_source, for_each_node};
use crate::array::{Array, DeclaredShape, Descriptor};
use crate::error::Result;
use crate::file::File;
use crate::file::blocks::BlockStore;
use crate::reserve;
use crate::tree::{NodeId, Tree};

impl File {
    /// Returns an array in a block. In a streamed block, an incomplete last row is a warning.
    pub(in crate::file) fn array_in_block(
        &self,
        store: &BlockStore,
        descriptor: &Descriptor,
        index: i64,
    ) -> Result<Array> {
        let array = Array::open(descriptor, self.payload_in(store, index)?, self.limits())?;
        let may_be_incomplete =
            matches!(descriptor.shape, Some(DeclaredShape::Streamed(_))) && descriptor.strides.is_none();
        if may_be_incomplete && self.is_streamed_in(store, index)? { Ok(array.with_check_of_rows()) } else { Ok(array) }
    }

    /// Adds warnings about incomplete last rows. Arrays that cannot be read give an error when they are opened.
    pub(super) fn check_streamed_rows(&self) -> Result<()> {
        let mut found = Vec::new();
        let (tree, store) = self.state()?.content();
        for_each_node(&tree, |id| {
            if let Some((_, index)) = block_source(&tree, id).filter(|_| has_open_shape(&tree, id))
                && let Ok(descriptor) = Descriptor::parse(&tree, id, self.limits())
                && matches!(descriptor.shape, Some(DeclaredShape::Streamed(_)))
            {
                reserve::push(&mut found, (descriptor, index, tree.path(id)))?;
            }
            Ok(())
        })?;
        for (descriptor, index, path) in found {
            let array = self.array_in_block(&store, &descriptor, index);
            let warnings = array.map_or_else(|_| Vec::new(), |array| array.warnings().to_vec());
            self.warn(warnings.into_iter().map(|warning| warning.at_path(path.clone())));
        }
        Ok(())
    }
}

/// Returns true if the first extent of an array is `*`.
fn has_open_shape(tree: &Tree, array: NodeId) -> bool {
    tree.find_token(array, "shape")
        .and_then(|shape| tree.resolve(shape).ok())
        .filter(|&shape| tree.plain_items(shape).is_none())
        .and_then(|shape| tree.items(shape).first().copied())
        .and_then(|first| tree.resolve(first).ok())
        .is_some_and(|first| tree.text(first) == "*")
}
