//! Nested lists in the tree as the rows of an array.
//!
//! Lists are walked with an explicit stack, never by recursion.

use super::check_repeated;
use crate::array::element::leaf::{Element, bad};
use crate::array::place::geometry::element_count;
use crate::error::Result;
use crate::limits::{Limit, Limits};
use crate::tree::{Kind, NodeId, PlainItems, Tree};

/// Returns an item with aliases and references followed.
pub(super) fn resolve(tree: &Tree, item: NodeId) -> Result<NodeId> {
    let node = tree.dealias(item);
    if tree.kind(node) == Kind::Mapping { tree.resolve(node) } else { Ok(node) }
}

/// Returns the shape given by the first item of each list. The other lists must have the same shape.
pub(super) fn nesting(tree: &Tree, data: NodeId, limits: &Limits) -> Result<Vec<i64>> {
    let most = limits.rank.min(Limits::MAX_RANK);
    let mut shape = Vec::new();
    let mut node = data;
    while tree.kind(node) == Kind::Sequence {
        if shape.len() == most as usize {
            return Err(tree.locate(Limit::Rank.exceeded("the dimensions of an array", most.into()), data));
        }
        shape.push(tree.item_count(node) as i64);
        if tree.plain_items(node).is_some() {
            break;
        }
        match tree.items(node).first() {
            Some(&first) => node = resolve(tree, first)?,
            None => break,
        }
    }
    Ok(shape)
}

/// Nested lists that must have equal lengths at each depth.
pub(super) struct Lists<'a> {
    pub(super) tree: &'a Tree,
    pub(super) data: NodeId,
    pub(super) shape: Vec<i64>,
    /// True if the elements are lists themselves, as records are.
    pub(super) of_lists: bool,
}

impl Lists<'_> {
    /// Returns the shape of the array. Fails unless the lists have the declared shape, if there is one.
    pub(super) fn check(&self, declared: Option<&[i64]>) -> Result<Vec<i64>> {
        if self.tree.kind(self.data) != Kind::Sequence {
            return Err(bad(self.tree, self.data, "inline data must be a list"));
        }
        match declared {
            // Dimensions below an empty list are known only from the declared shape.
            Some(declared) if declared != self.shape && !(declared.contains(&0) && self.shape.contains(&0)) => {
                let message =
                    format!("the stated shape is {declared:?}, but the lists have the shape {:?}", self.shape);
                Err(bad(self.tree, self.data, message))
            }
            Some(declared) => Ok(declared.to_vec()),
            None => Ok(self.shape.clone()),
        }
    }

    /// Returns the number of elements. Fails with [`Status::Limit`](crate::Status::Limit) if aliases repeat too many
    /// elements or lists.
    pub(super) fn count(&self) -> Result<u64> {
        // Empty lists count too: aliases can repeat them.
        let visited: Vec<i64> = self.shape.iter().map(|&count| count.max(1)).collect();
        let visited = element_count(&visited).map_or(u64::MAX, i64::unsigned_abs);
        check_repeated(self.tree, self.data, visited)?;
        Ok(element_count(&self.shape)?.unsigned_abs())
    }

    pub(super) fn elements(&self) -> Elements<'_> {
        Elements { lists: self, open: Vec::with_capacity(self.shape.len()), begun: false }
    }
}

/// Iterates over the elements in C order. Fails at a list whose length differs from its neighbours.
pub(super) struct Elements<'a> {
    lists: &'a Lists<'a>,
    open: Vec<Items<'a>>,
    begun: bool,
}

/// The remaining items of a list.
enum Items<'a> {
    Nodes(std::slice::Iter<'a, NodeId>),
    Plain(PlainItems<'a>),
}

impl<'a> Elements<'a> {
    /// Enters a list, or returns an element.
    fn visit(&mut self, node: NodeId) -> Result<Option<Element<'a>>> {
        let Lists { tree, shape, .. } = self.lists;
        let depth = self.open.len();
        let Some(&expected) = shape.get(depth) else {
            return match tree.kind(node) {
                Kind::Scalar => Ok(Some(Element { node, plain: None })),
                Kind::Sequence if self.lists.of_lists => Ok(Some(Element { node, plain: None })),
                Kind::Sequence => Err(bad(tree, node, "this is a list, but its neighbours are single values")),
                _ => Err(bad(tree, node, "a mapping cannot be an element of an array")),
            };
        };
        if tree.kind(node) != Kind::Sequence {
            return Err(bad(tree, node, "this is a single value, but its neighbours are lists"));
        }
        let count = tree.item_count(node);
        if count as i64 != expected {
            let message = format!("the list has {count} items, but its neighbours have {expected}");
            return Err(bad(tree, node, message));
        }
        self.open.push(match tree.plain_items(node).filter(|_| depth + 1 == shape.len()) {
            Some(items) => Items::Plain(items),
            None => Items::Nodes(tree.items(node).iter()),
        });
        Ok(None)
    }

    /// Returns the items that come next, if they are plain scalars of one list.
    pub(super) fn plain_items(&mut self) -> Option<&mut PlainItems<'a>> {
        match self.open.last_mut() {
            Some(Items::Plain(items)) => Some(items),
            _ => None,
        }
    }

    fn step(&mut self) -> Result<Option<Element<'a>>> {
        if !self.begun {
            self.begun = true;
            if let Some(element) = self.visit(self.lists.data)? {
                return Ok(Some(element));
            }
        }
        while let Some(list) = self.open.last_mut() {
            let next = match list {
                Items::Nodes(nodes) => nodes.next(),
                Items::Plain(items) => match items.next() {
                    Some((node, text)) => return Ok(Some(Element { node, plain: Some(text) })),
                    None => None,
                },
            };
            match next {
                None => {
                    self.open.pop();
                }
                Some(&item) => {
                    if self.open.len() == self.lists.shape.len()
                        && let Some(text) = self.lists.tree.plain_text(item)
                    {
                        return Ok(Some(Element { node: item, plain: Some(text) }));
                    }
                    let node = resolve(self.lists.tree, item)?;
                    if let Some(element) = self.visit(node)? {
                        return Ok(Some(element));
                    }
                }
            }
        }
        Ok(None)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Element<'a>>;

    fn next(&mut self) -> Option<Result<Element<'a>>> {
        self.step().transpose()
    }
}
