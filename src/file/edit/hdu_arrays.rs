//! Arrays whose elements are the data of an HDU, as arrays in blocks.

use super::redescribe::redescribe;
use crate::array::{Descriptor, Order, Payload};
use crate::error::{Error, Result, Status};
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::open::named_blocks::{for_each_node, uri_source};
use crate::fits::{FitsFile, is_hdu_source};
use crate::limits::Limits;
use crate::reserve;
use crate::source::PartSource;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use std::sync::Arc;

/// Returns the arrays whose elements are in HDUs, with the names of the HDUs, in the order of the nodes.
pub(crate) fn hdu_arrays(tree: &Tree) -> Result<Vec<(NodeId, String)>> {
    let mut arrays = Vec::new();
    for_each_node(tree, |id| {
        let in_hdu = uri_source(tree, id).filter(|(_, uri)| is_hdu_source(uri));
        reserve::extend(&mut arrays, in_hdu.map(|(_, uri)| (id, uri)))
    })?;
    arrays.sort_unstable();
    Ok(arrays)
}

/// Makes an array node describe the elements of its HDU as the block 0. Returns the scalar with this number, and the
/// block, which has no owner yet. The elements are those that reading the array gives.
///
/// Fails with the errors of [`FitsFile::array`].
pub(crate) fn to_block(
    tree: &mut Tree,
    node: NodeId,
    hdu: &str,
    fits: &FitsFile,
    limits: &Limits,
) -> Result<(NodeId, PendingBlock)> {
    let descriptor = Descriptor::parse(tree, node, limits)?;
    let array = fits.array(&descriptor, hdu, limits)?;
    let Payload::Stored { source, offset, length } = array.payload() else {
        return Err(Error::new(Status::Internal, "the data of an HDU are not stored"));
    };
    let bytes = PartSource::new(source.clone(), *offset..*offset + *length);
    redescribe(tree, node, 0, (array.datatype(), (&Order::C, array.byteorder()), array.shape()), limits)?;
    if array.is_masked() && descriptor.mask.is_none() {
        tree.append_pair(node, "mask", Content::Scalar(".nan", Style::Plain));
    }
    let place = tree.place(node, "source")?;
    Ok((tree.dealias(place), PendingBlock::new(PendingBytes::Raw(Arc::new(bytes), None))))
}
