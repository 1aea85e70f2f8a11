//! Recognition of lists in the tree that are arrays of numbers.

use super::lists::{Lists, nesting};
use crate::array::element::leaf::Leaf;
use crate::error::Result;
use crate::limits::Limits;
use crate::tree::{Kind, NodeId, Tree};

/// Returns whether the node is a sequence without a tag that holds numbers only, at least one. The lists must have
/// equal lengths at each depth, and one scalar type must represent all numbers.
///
/// Examines each element at most once and stops at the first that is not a number.
pub(crate) fn is_number_list(tree: &Tree, node: NodeId, limits: &Limits) -> bool {
    let is_plain = tree.kind(node) == Kind::Sequence && tree.tag(node).is_none();
    is_plain && holds_numbers(tree, node, limits).unwrap_or(false)
}

fn holds_numbers(tree: &Tree, data: NodeId, limits: &Limits) -> Result<bool> {
    let lists = Lists { tree, data, shape: nesting(tree, data, limits)?, of_lists: false };
    if lists.count()? == 0 {
        return Ok(false);
    }
    let (mut is_real, mut is_negative, mut is_unsigned, mut is_huge) = (false, false, false, false);
    for element in lists.elements() {
        match element?.leaf(tree)? {
            Leaf::Integer(value) => is_negative |= value < 0,
            Leaf::Unsigned(_) => is_unsigned = true,
            Leaf::Huge(_) => is_huge = true,
            Leaf::Float(_) | Leaf::Complex(..) => is_real = true,
            Leaf::Null | Leaf::Bool(_) | Leaf::Text => return Ok(false),
        }
    }
    Ok(is_real || !(is_huge || is_negative && is_unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Array, Descriptor};

    #[test]
    fn only_readable_lists_of_numbers_are_recognized() {
        let cases = [
            ("[1, -2]", true),
            ("[[1, 2.5], [.nan, 0x10]]", true),
            ("[!core/complex-1.0.0 1j, 2]", true),
            ("[9223372036854775808]", true),
            ("[99999999999999999999999, 1.5]", true),
            ("[-1, 9223372036854775808]", false),
            ("[99999999999999999999999]", false),
            ("[[1, 2], [3]]", false),
            ("[1, [2]]", false),
            ("[1, {a: 1}]", false),
            ("[!core/complex-1.0.0 x]", false),
            ("&a [*a]", false),
        ];
        for (text, expected) in cases {
            let tree = crate::array::tests::tree(text);
            let limits = Limits::default();
            assert_eq!(is_number_list(&tree, tree.root(), &limits), expected, "{text}");
            let array = Descriptor::parse(&tree, tree.root(), &limits)
                .and_then(|descriptor| Array::open_inline(&tree, &descriptor, &limits));
            assert_eq!(array.is_ok(), expected, "{text}");
        }
        for text in ["[]", "[[], []]", "[1, null]", "[true]", "[a, 1]", "['1']", "!x [1]", "{a: 1}"] {
            let tree = crate::array::tests::tree(text);
            assert!(!is_number_list(&tree, tree.root(), &Limits::default()), "{text}");
        }
    }
}
