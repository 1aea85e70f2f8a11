//! New elements of an array whose node stays: its keys that describe elements are changed.

use crate::array::{self, ArraySource, ByteOrder, Datatype, DeclaredShape, Descriptor, Order};
use crate::error::Result;
use crate::limits::Limits;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};

/// Makes an array node describe new elements, which are packed in these orders in the block `source`. The tag and all
/// other keys stay unchanged in the text.
pub(crate) fn redescribe(
    tree: &mut Tree,
    node: NodeId,
    source: i64,
    (datatype, orders, shape): (&Datatype, (&Order, ByteOrder), &[i64]),
    limits: &Limits,
) -> Result<()> {
    let mut part = Tree::new();
    let described = part.place(part.root(), "array")?;
    array::describe_stored(&mut part, described, source, datatype, orders, shape)?;
    let former = Descriptor::parse(tree, node, limits).ok();
    let former = former.filter(|former| !matches!(former.source, ArraySource::Inline(_)));
    for key in ["source", "datatype", "byteorder", "shape", "strides", "offset", "data"] {
        let stays = former.as_ref().is_some_and(|former| match key {
            "source" => former.source == ArraySource::Block(source),
            "datatype" => former.datatype.as_ref() == Some(datatype),
            "byteorder" => former.byteorder == orders.1,
            "shape" => former
                .shape
                .as_ref()
                .is_some_and(|known| matches!(known, DeclaredShape::Fixed(known) if known == shape)),
            _ => false,
        });
        if stays {
            continue;
        }
        let value = tree.find_token(node, key);
        let is_own = value.is_some_and(|value| tree.parent(value) == Some(node));
        match (part.find_token(described, key), value) {
            (Some(new), _) => {
                let place = tree.place(node, key)?;
                tree.copy_from(place, &part, new)?;
            }
            (None, Some(value)) if is_own => tree.remove(value)?,
            // A merged value cannot be removed here. Null has the same meaning as no value.
            (None, Some(_)) => drop(tree.append_pair(node, key, Content::Scalar("null", Style::Plain))),
            (None, None) => {}
        }
    }
    Ok(())
}
