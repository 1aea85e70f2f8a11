//! Comparison of two trees.

use super::{Kind, NodeId, Style, Tree};
use crate::error::Result;
use crate::reserve;
use std::collections::HashMap;

/// Returns whether two trees are equal in content, types, tags, order and aliases.
pub(crate) fn same(left: &Tree, right: &Tree) -> Result<bool> {
    let mut counterparts = HashMap::new();
    let mut pairs = vec![(left.root(), right.root())];
    while let Some((a, b)) = pairs.pop() {
        let (a, b) = (left.dealias(a), right.dealias(b));
        reserve::room_in(&mut counterparts, 1)?;
        match counterparts.insert(a, b) {
            Some(before) if before == b => continue,
            Some(_) => return Ok(false),
            None => {}
        }
        let (ours, theirs) = (left.pairs_to_write(a), right.pairs_to_write(b));
        if left.kind(a) != right.kind(b) || left.tag(a) != right.tag(b) || ours.len() != theirs.len() {
            return Ok(false);
        }
        if left.kind(a) == Kind::Scalar && !same_scalar(left, a, right, b) {
            return Ok(false);
        }
        reserve::extend(&mut pairs, ours.iter().copied().zip(theirs.iter().copied()))?;
    }
    let mut distinct = reserve::collected(counterparts.values().copied().map(Ok))?;
    distinct.sort_unstable();
    distinct.dedup();
    Ok(distinct.len() == counterparts.len())
}

fn same_scalar(left: &Tree, a: NodeId, right: &Tree, b: NodeId) -> bool {
    let is_plain = |tree: &Tree, id| tree.style(id) == Style::Plain;
    if left.text(a) == right.text(b) && is_plain(left, a) == is_plain(right, b) {
        return true;
    }
    match (left.scalar(a), right.scalar(b)) {
        (Ok(ours), Ok(theirs)) => ours == theirs,
        (Err(_), Err(_)) => left.text(a) == right.text(b),
        _ => false,
    }
}
